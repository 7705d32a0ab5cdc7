"""Looking at notes for the panel: photos, the table's camera, one at a time."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from companion.errors import DeviceFault, Malformed
from companion.examining import STRANGER, Asker, Busy, Examination
from companion.ports import CameraState
from hardware.camera.live import RETRY_MS, LiveCamera
from hardware.camera.simulated import FolderDriver, SimulatedDriver
from hardware.discover_decoder import open_decoder
from hardware.photos.deck_folder import DeckFolder
from hardware.photos.examiner import (
    KEPT_MAX,
    REST_MS,
    SHOWN_MS,
    SUBJECTS_MAX,
    PhotoExaminer,
)
from hardware.photos.one_at_a_time import LOOK_S, WAIT_S, WAITING_MAX, OneAtATime
from hardware.photos.photo import read_photo
from tests.fakes import FakeClock
from tests.running import PATIENCE_S

ROOT = Path(__file__).parents[3]
GOLDEN = ROOT / "tests" / "decoder" / "golden"
JPEG = b"\xff\xd8\xff"


def golden(name: str) -> bytes:
    return (GOLDEN / f"{name}.jpg").read_bytes()


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def told() -> list[int]:
    return []


@pytest.fixture
def make(
    tmp_path: Path, clock: FakeClock, told: list[int]
) -> Iterator[Callable[..., PhotoExaminer]]:
    made: list[PhotoExaminer] = []

    def examiner(camera: LiveCamera | None = None, **more: object) -> PhotoExaminer:
        one_at_a_time = more.pop("one_at_a_time", OneAtATime())
        new = PhotoExaminer(
            DeckFolder(tmp_path),
            one_at_a_time,
            clock,
            lambda: told.append(1),
            (lambda: camera) if camera else None,
        )
        made.append(new)
        return new

    yield examiner
    for instance in made:
        instance.close()


# Photos.


@pytest.mark.parametrize("verdict", ["real", "fake"])
def test_a_photo_is_read_and_the_pictures_convince(
    make: Callable[..., PhotoExaminer], verdict: str
) -> None:
    look = make().examine(BytesIO(golden(verdict)))
    assert look.verdict == verdict
    assert look.deck == "house"
    first = look.findings[0]
    assert first.verdict == verdict
    assert 90 <= first.percent <= 99
    assert (first.reason, look.advice) == ("", ())
    assert set(first.pictures) == {"seen", "hidden", "face"}
    for picture in (look.frame, *first.pictures.values()):
        assert picture.startswith(JPEG)
        assert len(picture) < 400_000


def test_an_unsure_photo_says_why_and_what_to_do(
    make: Callable[..., PhotoExaminer],
) -> None:
    look = make().examine(BytesIO(golden("glare")))
    assert look.verdict == "unsure"
    assert look.findings[0].percent == 0
    assert "tilt the note or move the lamp" in look.findings[0].reason
    assert not any("light shines back" in sentence for sentence in look.advice)
    assert "face" not in look.findings[0].pictures


def test_a_photo_without_print_is_not_judged(
    make: Callable[..., PhotoExaminer],
) -> None:
    look = make().examine(BytesIO(golden("no_scrambled_print")))
    assert look.verdict == "unsure"
    assert look.findings[0].pictures == {}
    assert look.frame.startswith(JPEG)


@pytest.mark.parametrize(
    ("photo", "said"),
    [
        ("fake", "examined verdict=fake deck='house' took_ms="),
        ("glare", "examined verdict=unsure reason=glare deck='house' took_ms="),
        ("no_scrambled_print", "verdict=unsure reason=no_scrambled_print deck='house'"),
    ],
)
def test_the_log_tells_the_verdict_or_why_there_is_none_and_the_deck(
    make: Callable[..., PhotoExaminer],
    photo: str,
    said: str,
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level("INFO", "hardware.photos.examiner")
    make().examine(BytesIO(golden(photo)))
    assert said in caplog.text


def test_what_was_found_is_outlined_on_the_whole_picture(
    make: Callable[..., PhotoExaminer],
) -> None:
    drawn = read_photo(make().examine(BytesIO(golden("fake"))).frame).astype(int)
    photo = read_photo(golden("fake")).astype(int)
    assert drawn.shape == photo.shape
    changed = (np.abs(drawn - photo).max(axis=2) > 60).mean()
    assert 0.001 < changed < 0.2


def test_only_the_latest_looks_are_remembered(
    make: Callable[..., PhotoExaminer],
) -> None:
    examiner = make()
    plain = golden("no_scrambled_print")
    keys = [examiner.examine(BytesIO(plain)).key for _ in range(KEPT_MAX + 1)]
    assert len(set(keys)) == len(keys)
    assert examiner.found(keys[0]) is None
    assert all(examiner.found(key) for key in keys[1:])
    assert examiner.found("guessed") is None


def photo_as(kind: str, image: Image.Image, **options: object) -> bytes:
    file = BytesIO()
    image.save(file, kind, **options)
    return file.getvalue()


def note() -> Image.Image:
    return Image.open(GOLDEN / "fake.jpg").convert("RGB")


def turned() -> bytes:
    """Stored on its side, with the EXIF that says so: as phones do."""
    exif = Image.Exif()
    exif[0x0112] = 6
    stored = note().transpose(Image.Transpose.ROTATE_90)
    return photo_as("JPEG", stored, exif=exif, quality=95)


def deep() -> bytes:
    grey = np.asarray(note().convert("L"), np.uint16) * 257
    return photo_as("PNG", Image.fromarray(grey))


def see_through() -> bytes:
    image = note()
    image.putalpha(255)
    return photo_as("PNG", image)


ODD = {
    "turned by EXIF": turned,
    "grey": lambda: photo_as("PNG", note().convert("L")),
    "sixteen bits": deep,
    "with alpha": see_through,
    "WebP": lambda: photo_as("WEBP", note(), quality=95),
    "animated": lambda: photo_as(
        "WEBP", note(), save_all=True, append_images=[note()], quality=95
    ),
    "without an end marker": lambda: golden("fake")[:-2],
    "HEIC": lambda: (ROOT / "tests/hardware/photos/fake-note.heic").read_bytes(),
}


@pytest.mark.parametrize("kind", ODD)
def test_an_odd_photo_of_a_fake_note_is_read_all_the_same(
    make: Callable[..., PhotoExaminer], kind: str
) -> None:
    assert make().examine(BytesIO(ODD[kind]())).verdict == "fake"


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"", "an empty file, not a photo"),
        (b"hello", "send a photo as JPEG or PNG"),
        (golden("fake")[:20_000], "cut off"),
        (b"\0\0\0\x18ftypheic\0\0", "HEIC was cut off on its way"),
        (b"%PDF-1.7", "a PDF, not a photo"),
    ],
)
def test_what_is_no_photo_is_said_and_the_next_one_is_read(
    make: Callable[..., PhotoExaminer], content: bytes, problem: str
) -> None:
    examiner = make()
    with pytest.raises(Malformed, match=problem):
        examiner.examine(BytesIO(content))
    assert examiner.examine(BytesIO(golden("fake"))).verdict == "fake"


def test_one_pixel_is_not_judged(make: Callable[..., PhotoExaminer]) -> None:
    one = photo_as("PNG", Image.new("RGB", (1, 1)))
    assert make().examine(BytesIO(one)).verdict == "unsure"


@pytest.mark.slow
def test_two_hundred_megapixels_are_read_smaller_in_bounded_memory(
    tmp_path: Path,
) -> None:
    path = tmp_path / "large.jpg"
    Image.new("RGB", (16_320, 12_240), (90, 120, 90)).save(path, quality=30)
    done = subprocess.run(
        [sys.executable, "-c", LARGE, str(path), str(GOLDEN / "fake.jpg"), "450"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.split() == ["fake", "unsure", "bounded"], done.stderr


LARGE = """
import resource, sys
from io import BytesIO
from pathlib import Path
import serving
from hardware.discover_decoder import open_decoder
desk = open_decoder(Path("nowhere"), {}, lambda topic: None)
examiner = desk.__enter__().examiner
heavy = {"cv2", "numpy", "PIL"} & set(sys.modules)
assert not heavy, f"to be imported by the first look: {heavy}"
photos = [Path(name).read_bytes() for name in sys.argv[1:3]]
print(examiner.examine(BytesIO(photos[1])).verdict)
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(examiner.examine(BytesIO(photos[0])).verdict)
after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
assert after - before < int(sys.argv[3]) * 1024, (after - before) // 1024
print("bounded")
"""


@pytest.mark.slow
def test_a_look_gives_its_memory_back_whichever_thread_it_ran_in(
    tmp_path: Path,
) -> None:
    path = tmp_path / "phone.jpg"
    note().resize((4000, 3000)).save(path)
    done = subprocess.run(
        [sys.executable, "-c", THREADS, str(path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    after_mb = [int(line) for line in done.stdout.split()]
    assert len(after_mb) == 4, done.stderr
    assert after_mb[-1] - after_mb[0] < 20, after_mb


THREADS = """
import sys, threading
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from pathlib import Path
from hardware.discover_decoder import open_decoder

photo = Path(sys.argv[1]).read_bytes()
together = threading.Barrier(4)

def look():
    together.wait()  # Or else one thread would take all four.
    desk.examiner.examine(BytesIO(photo))
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    line = next(s for s in status.splitlines() if s.startswith("VmRSS"))
    print(int(line.split()[1]) // 1024)

with (
    open_decoder(Path("nowhere"), {"COMPANION_CAMERA": "none"}, print) as desk,
    ThreadPoolExecutor(4) as pool,
):
    for done in [pool.submit(look) for _ in range(4)]:
        done.result()
"""


# One at a time.


def test_one_is_looked_at_a_few_wait_and_the_rest_are_sent_away() -> None:
    gate = OneAtATime(waiting_max=1, wait_s=60)
    inside, leave = threading.Event(), threading.Event()
    order: list[str] = []

    def first() -> None:
        with gate.turn():
            inside.set()
            leave.wait(PATIENCE_S)
            order.append("first")

    def second() -> None:
        with gate.turn():
            order.append("second")

    threads = [threading.Thread(target=first), threading.Thread(target=second)]
    threads[0].start()
    assert inside.wait(PATIENCE_S)
    threads[1].start()
    until(lambda: bool(gate._waiting))
    with pytest.raises(Busy, match="too many"), gate.turn():
        pass
    leave.set()
    for thread in threads:
        thread.join(PATIENCE_S)
    assert order == ["first", "second"]


def test_patience_ends_and_leaves_the_place_free() -> None:
    gate = OneAtATime(waiting_max=1, wait_s=0)
    with gate.turn():
        for _ in range(3):
            with pytest.raises(Busy, match="still being looked at"), gate.turn():
                pass
    with gate.turn():
        pass


class Queue:
    """A gate whose place inside is taken by somebody, and those who wait for it."""

    def __init__(self, inside: str = "stranger") -> None:
        self.gate = OneAtATime(wait_s=50)
        self.order: list[str] = []
        self.refused: list[str] = []
        self._threads: list[threading.Thread] = []
        self._turn = self.gate.turn(inside)
        self._turn.__enter__()

    def waiting(self) -> list[str]:
        """List who waits, in the order in which they came."""
        with self.gate._changed:
            return [place.sender for place in self.gate._waiting]

    def comes(self, sender: str, **how: Any) -> None:
        """Somebody comes who then waits, or is refused."""
        now = len(self.refused), self.waiting()
        thread = threading.Thread(target=self._wait, args=(sender,), kwargs=how)
        self._threads.append(thread)
        thread.start()
        until(lambda: (len(self.refused), self.waiting()) != now)

    def _wait(self, sender: str, **how: Any) -> None:
        try:
            with self.gate.turn(sender, **how):
                self.order.append(sender)
        except Busy:
            self.refused.append(sender)

    def goes_on(self) -> list[str]:
        """Let the one inside leave; return the order of the next turns."""
        self._turn.__exit__(None, None, None)
        for thread in self._threads:
            thread.join(PATIENCE_S)
        return self.order


def test_who_waits_when_the_table_ends_is_sent_away() -> None:
    queue = Queue()
    queue.comes("anna")
    queue.comes("lesson", wait_s=-1)
    queue.gate.close()
    until(lambda: queue.refused == ["anna"])
    queue.comes("ben")
    assert queue.refused == ["anna", "ben"]
    assert queue.goes_on() == ["lesson"]


def test_who_works_when_the_table_ends_is_stopped_at_the_next_check() -> None:
    gate = OneAtATime()
    with gate.turn() as check:
        check()
        gate.close()
        with pytest.raises(Busy, match="the table is ending"):
            check()


def test_who_fills_the_queue_gives_up_a_place_and_is_next_only_after_others() -> None:
    queue = Queue(inside="stranger")
    for _ in range(WAITING_MAX):
        queue.comes("stranger")
    queue.comes("home")
    until(lambda: queue.refused == ["stranger"])
    assert queue.waiting() == ["stranger", "stranger", "home"]
    queue.comes("stranger")
    assert queue.refused == ["stranger"] * 2, "at once"
    queue.comes("home")
    until(lambda: len(queue.refused) == 3)
    assert queue.refused == ["stranger"] * 3
    assert queue.goes_on() == ["home", "stranger", "home"]


def test_who_has_a_place_keeps_it_where_nobody_has_more() -> None:
    queue = Queue(inside="anna")
    for sender in ("ben", "cara", "dora"):
        queue.comes(sender)
    for sender in ("emil", "ben", "anna"):
        queue.comes(sender)
    assert queue.refused == ["emil", "ben", "anna"]
    assert queue.goes_on() == ["ben", "cara", "dora"]


def test_who_does_not_wait_takes_no_place_away() -> None:
    queue = Queue(inside="stranger")
    for _ in range(WAITING_MAX):
        queue.comes("stranger")
    refused = pytest.raises(Busy, match="still being looked at")
    with refused, queue.gate.turn("home", wait_s=0):
        pass
    assert queue.waiting() == ["stranger"] * WAITING_MAX
    assert queue.goes_on() == ["stranger"] * WAITING_MAX


def test_strangers_wait_behind_those_who_sit_at_the_table() -> None:
    queue = Queue(inside="anna")
    for sender in ("one", "two"):
        queue.comes(sender)
    queue.comes("anna", is_seated=True)
    queue.comes("ben", is_seated=True)
    until(lambda: len(queue.refused) == 1)
    assert queue.waiting() == ["one", "anna", "ben"], "a stranger made room"
    queue.comes("cara", is_seated=True)
    until(lambda: len(queue.refused) == 2)
    queue.comes("three")
    queue.comes("ben", is_seated=True)
    assert queue.refused == ["two", "one", "three", "ben"]
    assert queue.goes_on() == ["ben", "anna", "cara"]


def test_a_lesson_waits_in_its_turn_however_many_wait() -> None:
    queue = Queue(inside="stranger")
    for _ in range(WAITING_MAX):
        queue.comes("stranger")
    queue.comes("", wait_s=-1)
    queue.comes("home")
    until(lambda: queue.refused == ["stranger"])
    assert queue.waiting() == ["stranger", "stranger", "", "home"]
    assert queue.goes_on() == ["", "stranger", "home", "stranger"]


@pytest.mark.slow
def test_strangers_push_no_look_at_a_challenge_out(
    make: Callable[..., PhotoExaminer],
) -> None:
    examiner, photo = make(), BytesIO(golden("fake"))

    def look(asker: Asker = STRANGER) -> Examination:
        photo.seek(0)
        return examiner.examine(photo, asker)

    theirs = Asker("anna", is_seated=True, about="game/7")
    seen = look(theirs)
    for _ in range(KEPT_MAX + 1):
        stranger = look()
        look(Asker("stranger", about="game/7"))
    assert examiner.found(seen.key) == seen
    assert examiner.found(stranger.key) == stranger
    assert examiner.show(seen.key)
    for number in range(SUBJECTS_MAX):
        look(Asker("anna", is_seated=True, about=f"game/{number + 8}"))
    assert examiner.found(seen.key) is None, "one is kept for each of the latest"
    assert examiner.found(stranger.key) == stranger


def test_a_stranger_gets_its_own_look_whatever_the_table_looked_at(
    make: Callable[..., PhotoExaminer],
) -> None:
    examiner = make()
    for about in "", "game/7":
        for _ in range(KEPT_MAX + 1):
            photo = BytesIO(golden("fake"))
            examiner.examine(photo, Asker("anna", is_seated=True, about=about))
        theirs = examiner.examine(BytesIO(golden("fake")), Asker("x", about=about))
        assert examiner.found(theirs.key) == theirs


def test_a_caller_waits_longer_than_a_look_may_take() -> None:
    assert WAIT_S > LOOK_S


def test_a_look_that_takes_too_long_ends_and_the_next_one_begins(
    make: Callable[..., PhotoExaminer],
) -> None:
    seconds = [0.0]
    passing = [3.0]  # What each question for the time takes.

    def now_s() -> float:
        seconds[0] += passing[0]
        return seconds[0]

    gate = OneAtATime(waiting_max=0, wait_s=0, look_s=4, now_s=now_s)
    examiner = make(one_at_a_time=gate)
    with pytest.raises(Malformed, match="takes too long to look at; take one of a"):
        examiner.examine(BytesIO(golden("fake")))
    passing[0] = 0.0
    assert examiner.examine(BytesIO(golden("fake"))).verdict == "fake"


def test_a_photo_is_read_only_once_its_turn_has_come(
    make: Callable[..., PhotoExaminer],
) -> None:
    gate = OneAtATime(waiting_max=1, wait_s=0)
    examiner, photo = make(one_at_a_time=gate), BytesIO(golden("fake"))
    with gate.turn(), pytest.raises(Busy):
        examiner.examine(photo)
    assert photo.tell() == 0  # Those who wait take no memory.
    assert examiner.examine(photo).verdict == "fake"


def test_a_photo_that_fails_lets_the_next_one_in(
    make: Callable[..., PhotoExaminer],
) -> None:
    examiner = make(one_at_a_time=OneAtATime(waiting_max=0, wait_s=0))
    for _ in range(3):
        with pytest.raises(Malformed):
            examiner.examine(BytesIO(b"nothing"))
    assert examiner.examine(BytesIO(golden("real"))).verdict == "real"


# The table's screen.


def test_a_look_is_shown_for_a_while_and_everybody_is_told(
    make: Callable[..., PhotoExaminer], clock: FakeClock, told: list[int]
) -> None:
    examiner = make()
    look = examiner.examine(BytesIO(golden("fake")))
    assert examiner.shown() is None
    assert examiner.show(look.key)
    assert examiner.shown() is look
    clock.advance(SHOWN_MS - 1)
    assert examiner.shown() is look
    clock.advance(1)
    assert examiner.shown() is None
    assert len(told) == 2
    assert not examiner.show("guessed")


def test_showing_another_begins_the_while_anew(
    make: Callable[..., PhotoExaminer], clock: FakeClock
) -> None:
    examiner = make()
    one, other = (examiner.examine(BytesIO(golden(name))) for name in ("fake", "real"))
    examiner.show(one.key)
    clock.advance(SHOWN_MS - 1)
    examiner.show(other.key)
    clock.advance(SHOWN_MS - 1)
    assert examiner.shown() is other
    examiner.put_away()
    assert examiner.shown() is None


# The table's own camera.


def test_a_table_without_a_camera_says_so(make: Callable[..., PhotoExaminer]) -> None:
    assert make().camera_health() is None
    with pytest.raises(DeviceFault, match="no camera; take a photo with a phone"):
        make().look()


def test_the_tables_camera_is_opened_by_the_first_look_and_rests_after_the_last(
    make: Callable[..., PhotoExaminer], clock: FakeClock
) -> None:
    camera = LiveCamera(SimulatedDriver((read_photo(golden("fake")),)), clock)
    examiner = make(camera)
    assert camera.health().state is CameraState.CLOSED
    assert examiner.look().verdict == "fake"
    clock.advance(REST_MS - 1)
    assert examiner.look().verdict == "fake"
    clock.advance(REST_MS - 1)
    assert camera.health().state is CameraState.WORKING
    clock.advance(1)
    assert camera.health().state is CameraState.CLOSED
    assert examiner.look().verdict == "fake"


def until(holds: Callable[[], bool]) -> None:
    """Wait for the camera's own thread; it needs no time, only its turn."""
    for _ in range(1_000):
        if holds():
            return
        threading.Event().wait(0.005)
    raise AssertionError("it never came about")


@pytest.mark.parametrize("trouble", ["is_missing", "is_busy", "is_unplugged"])
def test_a_camera_in_trouble_is_named_photos_go_on_and_it_comes_back(
    make: Callable[..., PhotoExaminer], clock: FakeClock, trouble: str
) -> None:
    driver = SimulatedDriver((read_photo(golden("fake")),))
    camera = LiveCamera(driver, clock)
    examiner = make(camera)
    if trouble == "is_unplugged":
        assert examiner.look().verdict == "fake"  # It goes in mid-frame.
    setattr(driver, trouble, True)
    with pytest.raises(DeviceFault, match="simulated camera"):
        examiner.look()
    health = examiner.camera_health()
    assert health is not None
    assert health.state is CameraState.BROKEN
    assert health.message
    assert examiner.examine(BytesIO(golden("real"))).verdict == "real"
    setattr(driver, trouble, False)
    clock.advance(RETRY_MS[-1])
    until(lambda: camera.health().state is not CameraState.BROKEN)
    assert examiner.look().verdict == "fake"


def test_a_desk_is_opened_from_variables_and_lets_go_of_its_camera(
    tmp_path: Path,
) -> None:
    frames = tmp_path / "frames"
    frames.mkdir()
    (frames / "a.jpg").write_bytes(golden("fake"))
    variables = {
        "COMPANION_CAMERA": "folder",
        "COMPANION_CAMERA_FOLDER": str(frames),
    }
    notices: list[str] = []
    with open_decoder(tmp_path / "decks", variables, notices.append) as desk:
        look = desk.examiner.look()
        desk.examiner.show(look.key)
    assert look.verdict == "fake"
    assert notices == ["decoder"]
    health = desk.examiner.camera_health()
    assert health is not None
    assert health.state is CameraState.CLOSED
    assert not (tmp_path / "decks").exists()


def test_a_damaged_deck_is_logged_at_the_start(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    decks = DeckFolder(tmp_path)
    decks.choose(decks.keep("Ours", b"\xe5", JPEG).key)
    with open_decoder(tmp_path, {"COMPANION_CAMERA": "none"}, print):
        pass
    (line,) = (r.getMessage() for r in caplog.records if r.levelname == "WARNING")
    assert line.startswith("deck_unreadable key=ours error=expected a deck file, got")
    assert line.endswith("learn the deck again; notes are read with the house's own")


def test_no_camera_is_asked_for_none(tmp_path: Path) -> None:
    with open_decoder(tmp_path, {"COMPANION_CAMERA": "none"}, print) as desk:
        assert desk.examiner.camera_health() is None


def test_a_folder_that_is_missing_is_said_by_the_look(
    make: Callable[..., PhotoExaminer], clock: FakeClock, tmp_path: Path
) -> None:
    camera = LiveCamera(FolderDriver(tmp_path / "gone"), clock)
    with pytest.raises(DeviceFault, match="no pictures: looked for the folder"):
        make(camera).look()
