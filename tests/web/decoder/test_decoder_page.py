"""*Is it real?* over HTTP: photos in, verdicts out, decks taught, faults in words."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

from companion.decoder import house_deck, learn, save_deck
from companion.decoder.deck import DECK_BYTES_MAX
from companion.examining import LessonState
from companion.ports import CameraState
from hardware.camera.live import RETRY_MS, LiveCamera
from hardware.camera.simulated import SimulatedDriver
from hardware.photos.examiner import SHOWN_MS
from hardware.photos.photo import read_photo
from tests.fakes import FakeClock
from tests.hardware.photos.test_photo import png_header
from tests.running import ROOT
from tests.web.conftest import Evening, House
from tests.web.decoder.decoder_lab import DecoderLab, drawn, golden
from tests.web.forms import without_first
from tests.web.http.test_headers import Outline
from tests.web.play.test_form_words import check_german
from tests.web.scenes import decoding
from web.decoder.page import BUSY_S

JPEG = b"\xff\xd8\xff"


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Callable[..., DecoderLab]]:
    labs: list[DecoderLab] = []

    def made(driver: SimulatedDriver | None = None) -> DecoderLab:
        camera = LiveCamera(driver, FakeClock()) if driver else None
        labs.append(DecoderLab(tmp_path / str(len(labs)), camera))
        return labs[-1]

    yield made
    for lab in labs:
        lab.close()


@pytest.fixture
def lab(make: Callable[..., DecoderLab]) -> DecoderLab:
    return make()


# Is it real?


@pytest.mark.parametrize(
    ("name", "word"), [("real", "Real"), ("fake", "Fake"), ("glare", "Unsure")]
)
def test_a_photo_leads_to_its_verdict_and_the_pictures(
    lab: DecoderLab, name: str, word: str
) -> None:
    anna = lab.evening.anna
    answer = lab.send(anna, golden(name))
    assert answer.status_code == 303
    page = anna.get(answer.headers["Location"])
    assert page.status_code == 200
    assert f"{word}</h1>" in page.text
    pictures = re.findall(r'src="(/decoder/[^"]+\.jpg)"', page.text)
    assert len(pictures) == (4 if word != "Unsure" else 3)
    for address in pictures:
        picture = anna.get(address)
        assert picture.mimetype == "image/jpeg"
        assert picture.data.startswith(JPEG)
        assert "private" in picture.headers["Cache-Control"]


@pytest.mark.parametrize("name", ["real", "fake", "glare"])
def test_a_sign_beside_the_word_says_it_to_those_who_do_not_read(
    lab: DecoderLab, name: str
) -> None:
    address = lab.send(lab.evening.anna, golden(name)).headers["Location"]
    lab.examiner.show(address.rsplit("/", 1)[1])
    verdict = "unsure" if name == "glare" else name
    for path in (address, "/table"):
        text = lab.house.guest().get(path).text
        signs = re.findall(r'<use href="/static/verdicts[^"]+#([a-z]+)"/>', text)
        assert signs == [verdict], path
    drawing = (ROOT / "web" / "static" / "verdicts.svg").read_text(encoding="utf-8")
    assert f'<symbol id="{verdict}"' in drawing


def test_an_unsure_photo_says_what_to_do(lab: DecoderLab) -> None:
    answer = lab.send(lab.evening.anna, golden("glare"))
    text = lab.evening.anna.get(answer.headers["Location"]).text
    assert "Tilt the note or move the lamp" in text or "tilt the note" in text
    assert "% sure" not in text


def test_a_look_without_pictures_has_no_empty_card(house: House) -> None:
    text = decoding(house).anna.get("/decoder/unsure").text
    assert "Unsure</h1>" in text
    assert not re.search(r'd-proof">\s*</section>', text)


def test_what_shows_through_the_lens_counts_once_it_is_said_to_be_there(
    lab: DecoderLab,
) -> None:
    anna, photo = lab.evening.anna, golden("../through/lens_fake")
    plain = lab.send(anna, photo).headers["Location"]
    assert "Unsure</h1>" in anna.get(plain).text
    told = lab.send(anna, photo, lens="yes").headers["Location"]
    text = anna.get(told).text
    assert "Fake</h1>" in text
    assert re.search(r'id="lens"[^>]* checked', text)
    assert " checked" not in anna.get(plain).text


def test_a_guest_may_ask_too(lab: DecoderLab) -> None:
    guest = lab.house.guest()
    assert guest.get("/decoder").status_code == 200
    assert lab.send(guest, golden("fake")).status_code == 303


@pytest.mark.parametrize(
    ("photo", "problem"),
    [
        (b"hello", "This is another kind of file, not a photo."),
        (b"%PDF-1.7", "This is a PDF, not a photo."),
        (b"\0\0\0\x18ftypheic", "This HEIC was cut off on its way"),
        (b"\0\0\0\x18ftypavif", "This is an AVIF file, not a photo."),
        (golden("fake")[:9_000], "cut off"),
        (png_header(14_000, 14_000), "A photo may have 26 million pixels at most"),
        (b"", "This is an empty file"),
    ],
)
def test_what_is_no_photo_is_said_on_the_same_page(
    lab: DecoderLab, photo: bytes, problem: str
) -> None:
    answer = lab.send(lab.evening.anna, photo)
    assert answer.status_code == 400
    assert problem in answer.text
    assert 'name="photo"' in answer.text


def test_what_is_no_photo_is_said_in_the_phones_language(lab: DecoderLab) -> None:
    anna = lab.evening.anna
    anna.post("/language", language="de", back="/")
    intricate = golden("fake")[:2] + b"\xff\xe1\xff\xffExif\0" * 20_001
    for photo in (b"hello", b"", golden("fake")[:9_000], intricate):
        text = lab.send(anna, photo).text
        (said,) = re.findall(r'role="alert"[^>]*>(.*?)</div>', text, re.DOTALL)
        check_german(re.sub(r"<[^>]+>", " ", said))


def test_a_form_without_a_photo_asks_for_one(lab: DecoderLab) -> None:
    answer = lab.evening.anna.post("/decoder/photo")
    assert answer.status_code == 400
    assert "take one or choose one first" in answer.text.lower()


def test_a_photo_may_be_large_and_nothing_else_may(lab: DecoderLab) -> None:
    most = lab.settings.photo_bytes_max
    padded = golden("fake") + bytes(3_000_000)
    assert lab.send(lab.evening.anna, padded).status_code == 303
    answer = lab.send(lab.evening.anna, golden("fake") + bytes(most))
    assert answer.status_code == 413
    assert "That is too large: 20 MB at most." in answer.text
    assert 'href="/decoder"' in answer.text
    for path in ("/decoder/show", "/decks/choose", "/theme", "/decoder/photo/x"):
        answer = lab.send(lab.evening.anna, bytes(100_000), path)
        assert answer.status_code == 413, path


def test_while_one_is_looked_at_another_is_told_when_to_ask_again(
    lab: DecoderLab,
) -> None:
    with lab.one_at_a_time.turn():
        answer = lab.send(lab.evening.anna, golden("fake"))
    assert answer.status_code == 503
    assert answer.headers["Retry-After"] == str(BUSY_S)
    assert "Another photo is being looked at." in answer.text
    assert lab.send(lab.evening.anna, golden("fake")).status_code == 303


def test_each_look_waits_under_the_address_that_asked_for_it(
    make: Callable[..., DecoderLab], monkeypatch: pytest.MonkeyPatch
) -> None:
    lab = make(SimulatedDriver((read_photo(golden("fake")),)))
    senders: list[tuple[str, bool]] = []
    turn = lab.one_at_a_time.turn

    def noted(sender: str = "", *, is_seated: bool = False, **more: Any) -> object:
        senders.append((sender, is_seated))
        return turn(sender, is_seated=is_seated, **more)

    monkeypatch.setattr(lab.one_at_a_time, "turn", noted)
    host, stranger = lab.evening.host, lab.house.guest()
    host.client.environ_base["REMOTE_ADDR"] = "192.168.1.30"
    lab.send(host, golden("fake"))
    host.post("/decoder/look")
    lab.send(host, golden("fake"), "/decks/photo", kind="fake")
    lab.send(stranger, golden("fake"))
    assert senders == [("192.168.1.30", True)] * 3 + [("127.0.0.1", False)]


def test_a_look_that_was_forgotten_leads_back(lab: DecoderLab) -> None:
    anna = lab.evening.anna
    assert anna.get("/decoder/guessed").headers["Location"] == "/decoder"
    for address in ("/decoder/guessed/frame.jpg", "/decoder/guessed/face-1.jpg"):
        assert anna.get(address).status_code == 404
    key = lab.send(anna, golden("fake")).headers["Location"].rsplit("/", 1)[1]
    for name in ("face-2", "face", "other-1", "face-0", "frame-1"):
        assert anna.get(f"/decoder/{key}/{name}.jpg").status_code == 404
    assert anna.post("/decoder/show", key="guessed").status_code == 404


def test_photos_come_from_our_own_pages_only(lab: DecoderLab) -> None:
    client = lab.evening.anna.client
    for path in ("/decoder/photo", "/decks/photo", "/decoder/look"):
        answer = client.post(path, headers={"Origin": "http://evil.example"})
        assert answer.status_code == 403, path
        assert client.get(path).status_code in (303, 404, 405)


# On the table's screen.


def test_a_look_is_shown_to_everybody_for_a_while(lab: DecoderLab) -> None:
    anna, game_id = lab.evening.anna, lab.evening.game_id
    address = lab.send(anna, golden("fake")).headers["Location"]
    key = address.rsplit("/", 1)[1]
    assert "d-screen" not in anna.get("/table").text
    stream = lab.house.table.subscribe()
    assert anna.post("/decoder/show", key=key).headers["Location"] == address
    assert stream.wait(0) == {"decoder": 0}
    screen = lab.house.guest().get(f"/table?game={game_id}").text
    assert "d-screen d-fake" in screen
    assert f"/decoder/{key}/face-1.jpg" in screen
    assert "Take it off" in anna.get(address).text
    lab.clock.advance(SHOWN_MS)
    assert stream.wait(0) == {"decoder": 0}
    assert "d-screen" not in anna.get("/table").text
    anna.post("/decoder/show", key=key)
    anna.post("/decoder/put-away", key=key)
    assert "d-screen" not in anna.get("/table").text


# The table's own camera.


def test_without_a_camera_there_is_no_button_for_it(lab: DecoderLab) -> None:
    assert "/decoder/look" not in lab.evening.anna.get("/decoder").text
    answer = lab.evening.anna.post("/decoder/look")
    assert answer.status_code == 503
    assert "This table has no camera." in answer.text


def test_the_tables_camera_looks_breaks_says_so_and_comes_back(
    make: Callable[..., DecoderLab],
) -> None:
    driver = SimulatedDriver((read_photo(golden("fake")),))
    lab = make(driver)
    anna = lab.evening.anna
    assert "Look with the table&#39;s camera" in anna.get("/decoder").text
    answer = anna.post("/decoder/look")
    assert "Fake</h1>" in anna.get(answer.headers["Location"]).text
    camera = lab.examiner._camera
    assert camera is not None
    driver.is_unplugged = True
    answer = anna.post("/decoder/look")
    assert answer.status_code == 503
    assert "unplugged" not in answer.text, "that is for whoever built the table"
    assert "A part of the table&#39;s machine does not work now." in answer.text
    assert "/decoder/look" not in anna.get("/decoder").text
    told = lab.evening.host.get("/decoder").text
    assert "The table&#39;s own camera gives no picture." in told
    assert "The simulated camera was unplugged." in told
    assert lab.send(anna, golden("real")).status_code == 303
    assert anna.do(lab.evening.game_id, "pay", payee="blue", amount="50").status_code
    assert lab.evening.balance("blue") > 0
    driver.is_unplugged = False
    camera._clock.advance(RETRY_MS[-1])  # type: ignore[attr-defined]
    while camera.health().state is CameraState.BROKEN:
        pass
    assert anna.post("/decoder/look").status_code == 303


# Decks.


def test_the_banker_chooses_and_forgets_a_deck_and_nobody_else(
    lab: DecoderLab,
) -> None:
    lab.decks.keep("Shop", save_deck(house_deck()), JPEG)
    for phone in (lab.evening.anna, lab.house.guest()):
        text = phone.get("/decks").text
        assert "Shop" in text
        assert "/decks/choose" not in text
        for path in ("choose", "forget"):
            answer = phone.post(f"/decks/{path}", deck="shop")
            assert answer.status_code == 409
            assert "Only the banker teaches decks." in answer.text
        assert lab.send(phone, golden("fake"), "/decks/photo").status_code == 409
    host = lab.evening.host
    assert host.get("/decks/shop.jpg").data == JPEG
    assert host.post("/decks/choose", deck="shop").status_code == 303
    assert "It knows the notes Shop." in host.get("/decoder").text
    assert host.post("/decks/forget", deck="shop").status_code == 303
    assert "It knows our own notes." in host.get("/decoder").text
    answer = host.post("/decks/forget", deck="house")
    assert answer.status_code == 400
    assert "Our own notes cannot be forgotten" in answer.text


def test_a_deck_goes_to_another_table_as_a_file(
    lab: DecoderLab, make: Callable[..., DecoderLab]
) -> None:
    content = save_deck(replace(house_deck(), name="Größen & Töne"))
    lab.decks.keep("Größen & Töne", content, JPEG)
    (key,) = (card.key for card in lab.decks.cards() if not card.is_built_in)
    guest = lab.house.guest()
    assert f'href="/decks/{key}.deck"' in guest.get("/decks").text
    saved = guest.get(f"/decks/{key}.deck")
    assert (saved.mimetype, saved.data) == ("application/octet-stream", content)
    header = saved.headers["Content-Disposition"]
    assert header.startswith("attachment; ")
    assert "filename*=UTF-8''Gr%C3%B6%C3%9Fen%20&%20T%C3%B6ne.deck" in header
    other = make()
    host = other.evening.host
    assert other.hand_in(host, saved.data).status_code == 303
    assert "Größen &amp; Töne" in host.get("/decks").text
    (card,) = (card for card in other.decks.cards() if not card.is_built_in)
    assert (card.name, card.is_chosen) == ("Größen & Töne", False)
    for name in ("plain", "masked"):
        assert host.get(f"/decks/{name}/{card.key}.jpg").data.startswith(JPEG)
    assert host.get(f"/decks/{card.key}.jpg").data.startswith(JPEG)


def test_a_deck_file_whose_name_is_taken_can_be_called_otherwise(
    lab: DecoderLab,
) -> None:
    host, content = lab.evening.host, save_deck(replace(house_deck(), name="Shop"))
    assert lab.hand_in(host, content).status_code == 303
    again = lab.hand_in(host, content)
    assert again.status_code == 400
    assert "There is a deck called " in again.text
    assert "Type another name" in again.text
    assert lab.hand_in(host, content, name="Shop 2").status_code == 303
    assert [card.name for card in lab.decks.cards()] == ["house", "Shop", "Shop 2"]
    assert lab.hand_in(host, save_deck(house_deck())).status_code == 400, "our own"


@pytest.mark.parametrize(
    "content", [b"", b"not a deck", golden("real"), bytes(DECK_BYTES_MAX + 1)], ids=len
)
def test_a_file_that_is_no_deck_is_refused_in_words(
    lab: DecoderLab, content: bytes
) -> None:
    answer = lab.hand_in(lab.evening.host, content)
    assert answer.status_code == 400
    assert "This file is no deck that this table can read." in answer.text
    assert "Have the other table save it again" in answer.text
    assert len(lab.decks.cards()) == 1


def test_only_the_banker_reads_deck_files_and_no_other_file_is_given_out(
    lab: DecoderLab,
) -> None:
    for phone in (lab.evening.anna, lab.house.guest()):
        assert lab.hand_in(phone, save_deck(house_deck())).status_code == 409
        assert "/decks/read" not in phone.get("/decks").text
    answer = lab.evening.host.post("/decks/read")
    assert answer.status_code == 400
    assert "Choose the file first." in answer.text
    too_large = lab.hand_in(lab.evening.host, bytes(lab.settings.photo_bytes_max))
    assert too_large.status_code == 413
    assert "That is too large: 20 MB at most." in too_large.text
    for name in (
        "house.deck",
        "chosen.deck",
        "guessed.deck",
        "plain/shop.jpg",
        "plain/house.jpg",
    ):
        assert lab.evening.host.get(f"/decks/{name}").status_code == 404


@pytest.mark.parametrize(
    ("written", "shown", "saved_as"),
    [
        ("Our\r\nnotes", "Our notes", "Our%20notes.deck"),
        ("Our\0notes", "ours", "ours.deck"),
        ("Our\u202enotes", "ours", "ours.deck"),
        ("../../Our notes", "../../Our notes", "-.-..-Our%20notes.deck"),
        (".Our\\notes", ".Our\\notes", "-Our-notes.deck"),
    ],
    ids=ascii,
)
def test_a_deck_with_a_bad_name_spoils_no_page_and_leads_to_no_other_folder(
    lab: DecoderLab, tmp_path: Path, written: str, shown: str, saved_as: str
) -> None:
    lab.decks.keep("Ours", save_deck(house_deck()), JPEG)
    (name,) = tmp_path.rglob("ours.txt")
    name.write_bytes(written.encode())
    guest = lab.house.guest()
    assert f"<b>{shown}</b>" in guest.get("/decks").text
    saved = guest.get("/decks/ours.deck")
    assert saved.status_code == 200
    header = saved.headers["Content-Disposition"]
    assert unquote(saved_as) in unquote(header.replace('\\"', '"'))
    assert not {*header} & {*"/\\\r\n\0"}


def test_a_deck_is_unpacked_for_nobody_out_of_turn(lab: DecoderLab) -> None:
    content = save_deck(replace(house_deck(), name="Shop"))
    lab.decks.keep("Ours", content, JPEG)
    guest, host = lab.house.guest(), lab.evening.host
    with lab.one_at_a_time.turn():
        answer = lab.hand_in(host, content)
        assert answer.status_code == 503
        assert "Send yours again in a moment" in answer.text
        for which in ("plain", "masked"):  # No picture of a page is refused.
            answer = guest.get(f"/decks/{which}/ours.jpg")
            assert answer.data.startswith(JPEG)
    assert lab.hand_in(host, content).status_code == 303


def test_a_damaged_deck_is_said_and_notes_are_read_with_our_own(
    lab: DecoderLab,
) -> None:
    anna = lab.evening.anna
    lab.decks.choose(lab.decks.keep("Shop", b"\xe5", JPEG).key)
    assert lab.send(anna, golden("fake")).status_code == 303
    page = anna.get("/decoder").text
    assert "The file of the notes Shop is damaged, so it knows our own notes." in page
    assert "Choose other notes, or teach it these again." in page


def test_a_lesson_collects_photos_and_says_what_is_missing(lab: DecoderLab) -> None:
    host = lab.evening.host
    bad = lab.send(host, golden("no_scrambled_print"), "/decks/photo", kind="real")
    assert bad.status_code == 400
    assert "no scrambled print" in bad.text
    good = lab.send(host, drawn(is_fake=True), "/decks/photo", kind="fake")
    assert good.status_code == 303, good.text
    text = host.get("/decks").text
    (address,) = re.findall(r'src="(/decks/lesson/[^"]+\.jpg)"', text)
    assert host.get(address).data.startswith(JPEG)
    assert "/decks/lesson/begin" not in text
    answer = host.post("/decks/lesson/begin", name="Mine")
    assert answer.status_code == 400
    assert "there are 0 and 1" in answer.text
    (key,) = lab.lessons.view().fake
    host.post("/decks/lesson/drop", photo=key)
    assert host.get(address).status_code == 404
    host.post("/decks/lesson/start-over")
    assert "/decks/lesson/start-over" not in host.get("/decks").text


def test_a_form_without_script_sends_several_photos_and_each_is_told(
    lab: DecoderLab,
) -> None:
    host = lab.evening.host
    photos = [drawn(is_fake=False), golden("no_scrambled_print"), b"no photo"]
    answer = lab.send_all(host, photos, "/decks/photo", kind="any")
    assert answer.status_code == 400
    assert "Photo 2 of 3: there is no scrambled print" in answer.text
    assert "Photo 3 of 3: this is another kind of file, not a photo" in answer.text
    assert "Photo 1 of 3" not in answer.text
    assert len(lab.lessons.view().unsorted) == 1
    text = host.get("/decks").text
    assert "5 more photos, then it can begin." in text
    assert "I know which are real" not in text, "a lesson is sorted or not"
    mixed = lab.send(host, drawn(is_fake=True), "/decks/photo", kind="fake")
    assert mixed.status_code == 400
    assert "Go on as you began, or start over." in mixed.text


@pytest.mark.slow
def test_why_a_lesson_was_refused_is_said_in_the_phones_language(
    lab: DecoderLab,
) -> None:
    host = lab.evening.host
    photos = [drawn(is_fake=False, roll_deg=roll) for roll in (3, -5, 3, 1, 7, -8)]
    lab.send_all(host, photos, "/decks/photo", kind="any")
    host.post("/decks/lesson/begin", name="Shop")
    lab.wait_for(LessonState.REFUSED)
    assert "Photo 1 and photo 3 are the same picture" in host.get("/decks").text
    host.post("/language", language="de")
    assert "Foto 1 und Foto 3 sind dasselbe Bild" in host.get("/decks").text
    assert len(lab.lessons.view().unsorted) == 6, "they are kept"


def test_a_name_is_suggested_that_no_deck_has(lab: DecoderLab) -> None:
    host = lab.evening.host
    photos = [drawn(is_fake=False, roll_deg=float(roll)) for roll in range(6)]
    assert lab.send_all(host, photos, "/decks/photo").status_code == 303
    assert 'value="From the shop"' in host.get("/decks").text
    lab.decks.keep("From the shop", save_deck(house_deck()), JPEG)
    assert 'value="From the shop 2"' in host.get("/decks").text
    host.post("/language", language="de")
    assert 'value="Aus dem Laden"' in host.get("/decks").text


@pytest.mark.slow
def test_the_banker_says_which_face_wears_the_mask_and_nobody_else(
    lab: DecoderLab,
) -> None:
    host, anna = lab.evening.host, lab.evening.anna
    photos = [
        drawn(is_fake=is_fake, roll_deg=roll)
        for is_fake, rolls in ((False, (3, -5, 1)), (True, (-2, 6, -4)))
        for roll in rolls
    ]
    assert lab.send_all(host, photos, "/decks/photo").status_code == 303
    host.post("/decks/lesson/begin", name="From the shop")
    lab.wait_for(LessonState.ASKING)
    text = host.get("/decks").text
    assert "Which one wears the mask?" in text
    faces = re.findall(r'name="face" value="([^"]+)"', text)
    assert tuple(faces) == lab.lessons.view().faces
    for face in faces:
        assert host.get(f"/decks/lesson/{face}.jpg").data.startswith(JPEG)
    seen = anna.get("/decks").text
    assert "The banker is asked which of two faces wears the mask." in seen
    assert not set(faces) & set(re.findall(r"[\w-]{12}", seen))
    assert anna.post("/decks/lesson/answer", face=faces[0]).status_code == 409
    assert lab.lessons.view().state is LessonState.ASKING
    view = lab.lessons.view()
    shown = [set(keys) & set(view.unsorted[3:]) for keys in view.shown_by]
    fakes = max((0, 1), key=lambda face: len(shown[face]))
    assert host.post("/decks/lesson/answer", face=faces[fakes]).status_code == 303
    lab.wait_for(LessonState.LEARNT)
    assert "Notes are read with it from now on." in host.get("/decks").text
    assert "It knows the notes From the shop." in anna.get("/decoder").text


# What the plastic lens showed.


@pytest.fixture(scope="module")
def learnt() -> bytes:
    """A deck file that remembers the photos that it was learnt from."""
    real, fake = (
        [read_photo(drawn(is_fake=is_fake, roll_deg=roll)) for roll in rolls]
        for is_fake, rolls in ((False, (3, -5)), (True, (-2, 6)))
    )
    return save_deck(learn(real, fake, "Shop").deck)


@pytest.mark.slow
def test_a_look_is_added_to_its_deck_by_one_tap_of_the_banker(
    lab: DecoderLab, learnt: bytes
) -> None:
    host, anna = lab.evening.host, lab.evening.anna
    lab.decks.choose(lab.decks.keep("Shop", learnt, JPEG).key)
    address = lab.send(anna, drawn(is_fake=True, roll_deg=-4)).headers["Location"]
    key = address.rsplit("/", 1)[1]
    assert "/decoder/teach" not in anna.get(address).text
    assert anna.post("/decoder/teach", key=key, kind="fake").status_code == 409
    text = host.get(address).text
    assert "What did the plastic lens show?" in text
    for name in ("plain", "masked"):
        assert f'src="/decks/{name}/shop.jpg"' in text
    assert host.post("/decoder/teach", key=key, kind="other").status_code == 400
    answer = host.post("/decoder/teach", key=key, kind="real")
    assert answer.headers["Location"] == address
    lab.wait_while(lambda: "Once you have seen" in host.get(address).text
                   or "looks at all its photos" in host.get(address).text)  # fmt: skip
    assert "The deck stays as it was" in host.get(address).text
    assert lab.decks.file("shop") == learnt
    host.post("/decoder/teach", key=key, kind="fake")
    lab.wait_while(lambda: "looks at all its photos" in host.get(address).text)
    text = host.get(address).text
    assert "The deck knows 5 photos now" in text
    assert "/decoder/teach" not in text
    assert "Fake</h1>" in text


def test_our_own_deck_asks_for_no_more_photos(lab: DecoderLab) -> None:
    host = lab.evening.host
    address = lab.send(host, golden("fake")).headers["Location"]
    assert "/decoder/teach" not in host.get(address).text
    key = address.rsplit("/", 1)[1]
    answer = host.post("/decoder/teach", key=key, kind="fake")
    assert answer.status_code == 400
    assert "The table has forgotten this photo." in answer.text


# Every page.


@pytest.mark.parametrize("path", ["/decoder", "/decks", "look", "broken"])
def test_a_page_is_well_made_and_asks_nobody_else(lab: DecoderLab, path: str) -> None:
    host = lab.evening.host
    if path == "look":
        path = lab.send(host, golden("fake")).headers["Location"]
    answer = lab.send(host, b"no") if path == "broken" else host.get(path)
    text = without_first(answer.text)
    outline = Outline(text)
    tags = [tag for tag, _ in outline.tags]
    assert (tags.count("h1"), tags.count("main")) == (1, 1)
    assert outline.nameless == []
    ids = [a["id"] for _, a in outline.tags if "id" in a]
    assert len(ids) == len(set(ids))
    for tag, attributes in outline.tags:
        assert "style" not in attributes, tag
        assert tag != "img" or "alt" in attributes
        assert tag != "script" or "src" in attributes
    for address in re.findall(r"""(?:src|href|action)=["']([^"']*)""", text):
        assert address.startswith(("/", "#")), address
        assert not address.startswith("//")
    assert "unsafe" not in answer.headers["Content-Security-Policy"]


def test_a_table_without_a_decoder_says_so(calm: Evening) -> None:
    for path in ("/decoder", "/decks", "/decoder/x/frame.jpg"):
        answer = calm.anna.get(path)
        assert answer.status_code == 404
        assert "This table has no decoder." in answer.text
