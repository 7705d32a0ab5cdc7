"""The commands that look at notes, as a person types them."""

from __future__ import annotations

import json
import re
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner, Result
from PIL import Image

from cli import main
from companion.decoder import Reason, house_deck, load_deck
from hardware.console import SeveralEach, _lines
from hardware.photos.decode_photos import ReadingObject
from tests.decoder.screens import panel
from tests.sample import each

HOUSE = house_deck()
GOLDEN = Path(__file__).parents[1] / "decoder" / "golden"


def run(*words: object) -> Result:
    return CliRunner().invoke(main, [str(word) for word in words])


@pytest.fixture(scope="module")
def photos(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Path]]:
    """Two photos of real and two of fake notes, as files."""
    folder = tmp_path_factory.mktemp("photos")
    made: dict[str, list[Path]] = {"real": [], "fake": []}
    for kind, rolls in (("real", (3, -5)), ("fake", (-2, 6))):
        for roll in rolls:
            path = folder / f"{kind}{roll}.png"
            picture = panel(
                HOUSE,
                is_fake=kind == "fake",
                pixels_per_line=4.0,
                roll_deg=roll,
                side=384,
            )
            cv2.imwrite(str(path), picture)
            made[kind].append(path)
    return made


# Decoding.


def test_decoding_says_a_line_for_each_print() -> None:
    result = run("decode", GOLDEN / "fake.jpg", GOLDEN / "glare.jpg")
    assert result.exit_code == 0, result.output
    fake, glare = result.output.splitlines()[:2]
    assert fake == f"{GOLDEN / 'fake.jpg'}: fake, 99 % sure"
    assert glare.startswith(f"{GOLDEN / 'glare.jpg'}: unsure: ")
    assert glare.endswith(Reason.GLARE.words)


@each("reason", Reason)
def test_every_unsure_line_says_what_to_do_next(reason: Reason) -> None:
    shown: ReadingObject = {
        "verdict": "unsure",
        "confidence": 0.0,
        "reason": str(reason),
        "corners_px": [],
        "pixels_per_line": None,
        "kind": "panel",
    }
    (line,) = _lines({"image": "note.jpg", "readings": [shown]})
    sentence = line.removeprefix("note.jpg: unsure: ")
    assert sentence.startswith(reason.words)
    assert re.search(r": [a-z]", sentence), "what is wrong, then what to do"


def test_explaining_writes_what_was_seen_hidden_and_decided(tmp_path: Path) -> None:
    result = run("decode", "--explain", tmp_path / "why", GOLDEN / "fake.jpg")
    assert result.exit_code == 0, result.output
    assert f"pictures: {tmp_path / 'why'}" in result.output
    for name in ("fake-1-seen.png", "fake-1-hidden.png", "fake-1-face.png"):
        picture = cv2.imread(str(tmp_path / "why" / name))
        assert picture is not None, name
        assert picture.std() > 10


def test_two_files_of_one_name_do_not_write_over_each_other(tmp_path: Path) -> None:
    for folder, source in (("a", "real"), ("b", "fake")):
        (tmp_path / folder).mkdir()
        content = (GOLDEN / f"{source}.jpg").read_bytes()
        (tmp_path / folder / "note.jpg").write_bytes(content)
    notes = [tmp_path / folder / "note.jpg" for folder in "ab"]
    run("decode", "--json", "--explain", tmp_path / "why", *notes)
    written = {path.name for path in (tmp_path / "why").iterdir()}
    assert {"note-1-face.png", "note-2-1-face.png"} <= written


def test_nothing_to_explain_is_no_mistake(tmp_path: Path) -> None:
    why = tmp_path / "why"
    result = run("decode", "--explain", why, GOLDEN / "no_scrambled_print.jpg")
    assert result.exit_code == 0, result.output
    assert f"unsure: {Reason.NO_SCRAMBLED_PRINT.words}" in result.output
    assert not why.exists()


@pytest.mark.parametrize("content", [b"", b"not a deck", None])
def test_a_deck_that_is_none_is_said_and_nothing_is_read(
    content: bytes | None, tmp_path: Path
) -> None:
    deck = tmp_path / "my.deck"
    if content is not None:
        deck.write_bytes(content)
    result = run("decode", "--deck", deck, GOLDEN / "fake.jpg")
    assert result.exit_code == 1
    assert "Error: expected a" in result.output


# Learning.


@pytest.mark.slow
def test_a_deck_is_learnt_by_one_call_and_reads(
    photos: dict[str, list[Path]], tmp_path: Path
) -> None:
    out, picture = tmp_path / "my.deck", tmp_path / "learnt.png"
    result = run(
        *("learn", "--real", *photos["real"], "--fake", *photos["fake"]),
        *("--out", out, "--picture", picture),
    )
    assert result.exit_code == 0, result.output
    assert "learnt 'my' from 4 photos" in result.output
    assert "4 of 4 photos were read right" in result.output
    assert "before you accuse anybody" in result.output
    assert load_deck(out.read_bytes()).name == "my"
    assert cv2.imread(str(picture)) is not None
    read = run("decode", "--json", "--deck", out, GOLDEN / "fake.jpg")
    assert json.loads(read.output)["readings"][0]["verdict"] == "fake"


@pytest.mark.slow
def test_what_was_learnt_is_told_to_programs(
    photos: dict[str, list[Path]], tmp_path: Path
) -> None:
    out = tmp_path / "my.deck"
    result = run(
        *("learn", "--json", "--name", "Saturday's", "--out", out),
        *("--fake", *photos["fake"], "--real", *photos["real"]),
    )
    assert result.exit_code == 0, result.output
    facts = json.loads(result.output)
    assert (facts["deck"], facts["name"]) == (str(out), "Saturday's")
    assert (facts["right_count"], facts["photos_count"]) == (4, 4)


@pytest.mark.parametrize(
    ("real", "fake", "problem"),
    [
        ((0,), (0, 1), "expected 2 to 5 photos of real notes, got 1"),
        ((0, 1), (0,) * 6, "expected 2 to 5 photos of fake notes, got 6"),
    ],
)
def test_too_few_or_too_many_photos_are_refused_unread(
    real: tuple[int, ...], fake: tuple[int, ...], problem: str, tmp_path: Path
) -> None:
    gone = [tmp_path / "a.jpg", tmp_path / "b.jpg"]
    out = tmp_path / "my.deck"
    result = run(
        *("learn", "--real", *(gone[i] for i in real)),
        *("--fake", *(gone[i] for i in fake), "--out", out),
    )
    assert result.exit_code == 1
    assert problem in result.output
    assert not out.exists()


def test_photos_that_do_not_suffice_get_a_plain_no_and_no_deck(
    photos: dict[str, list[Path]], tmp_path: Path
) -> None:
    out = tmp_path / "my.deck"
    blank = tmp_path / "blank.png"
    cv2.imwrite(str(blank), np.full((320, 320, 3), 200, np.uint8))
    result = run(
        *("learn", "--real", *photos["real"], "--fake", photos["fake"][0], blank),
        *("--out", out),
    )
    assert result.exit_code == 1
    assert "fake photo 2 could not be used" in result.output
    assert not out.exists()


@each(
    ("words", "problem"),
    [
        (["--real", "--fake", "c", "d", "--out", "x"], "Missing option '--real'"),
        (["--real", "a", "b", "--out", "x"], "Missing option '--fake'"),
        (["--real", "a", "--fake", "b"], "Missing option '--out'"),
        (["--unsorted", "a", "--real", "b", "--out", "x"], "stands alone"),
        (
            ["--real", "a", "--fake", "b", "--masked", "1", "--out", "x"],
            "--masked needs photos with --unsorted",
        ),
        (["--unsorted", "a", "--masked", "3", "--out", "x"], "1<=x<=2"),
        (["--report", "x", "--yes"], "--report needs a photo"),
        (["--real", "a", "--report", "x", "--json"], "leave --json out"),
        (["a", "--real", "b", "--fake", "c", "--out", "x"], "unexpected extra arg"),
        (["--out", "x", "y", "--real", "b", "--fake", "c"], "unexpected extra arg"),
    ],
)
def test_wrong_use_of_learn_exits_2(words: list[str], problem: str) -> None:
    result = run("learn", *words)
    assert result.exit_code == 2
    assert problem in result.output


def test_each_value_may_have_its_own_option_too() -> None:
    command = main.get_command(None, "learn")  # type: ignore[arg-type]
    assert isinstance(command, SeveralEach)
    for words in (
        ["--real", "a", "b", "--fake", "c", "d", "--out", "x"],
        ["--real", "a", "--real", "b", "--fake=c", "--fake", "d", "--out", "x"],
    ):
        context = command.make_context("learn", list(words))
        assert context.params["real"] == (Path("a"), Path("b"))
        assert context.params["fake"] == (Path("c"), Path("d"))


@pytest.fixture(scope="module")
def unsorted(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Three photos of fake notes, then three of real ones, as files."""
    folder = tmp_path_factory.mktemp("unsorted")
    paths = []
    for number, roll in enumerate((-2, 6, -4, 3, -5, 1)):
        picture = panel(
            HOUSE, is_fake=number < 3, pixels_per_line=4.0, roll_deg=roll, side=384
        )
        paths.append(folder / f"{number}.png")
        cv2.imwrite(str(paths[-1]), picture)
    return paths


@pytest.mark.slow
def test_unsorted_photos_are_learnt_once_somebody_says_which_face_is_masked(
    unsorted: list[Path], tmp_path: Path
) -> None:
    out = tmp_path / "my.deck"
    words = [str(x) for x in ("learn", "--unsorted", *unsorted, "--out", out)]
    refused = CliRunner().invoke(main, [*words, "--json"])
    assert refused.exit_code == 2
    assert "say which face with --masked" in refused.output
    asked = CliRunner().invoke(main, words, input="3\n1\n")
    assert asked.exit_code == 0, asked.output
    assert "Which one wears the mask?" in asked.output
    assert "3 is not in the range 1<=x<=2" in asked.output
    lines = asked.output.splitlines()
    fakes = next(k for k, line in enumerate(lines[:2], 1) if str(unsorted[0]) in line)
    for number in (1, 2):
        assert cv2.imread(str(tmp_path / f"my-face-{number}.png")) is not None
    result = run(*words, "--masked", fakes, "--json")
    assert result.exit_code == 0, result.output
    facts = json.loads(result.output)
    assert facts["photos_count"] + len(facts["left_out"]) == 6
    read = run("decode", "--json", "--deck", out, GOLDEN / "fake.jpg")
    assert json.loads(read.output)["readings"][0]["verdict"] == "fake"


def test_too_few_unsorted_photos_are_refused_unread(tmp_path: Path) -> None:
    gone = [tmp_path / f"{number}.jpg" for number in range(5)]
    result = run("learn", "--unsorted", *gone, "--out", tmp_path / "my.deck")
    assert result.exit_code == 1
    assert "expected 6 to 10 photos of notes, real and fake, got 5" in result.output


# A report for the makers.


@pytest.fixture
def secretive(tmp_path: Path) -> Path:
    """Make a photo whose file tells where and with what it was taken."""
    taken = Image.open(GOLDEN / "fake.jpg")
    exif = Image.Exif()
    exif[0x010F], exif[0x8825] = "Some Maker", {1: "N", 2: (52.0, 31.0, 12.0)}
    path = tmp_path / "home.jpg"
    taken.save(path, exif=exif, comment=b"our kitchen", quality=95)
    return path


def chunks_of(png: bytes) -> list[tuple[bytes, bytes]]:
    found, at = [], 8
    while at < len(png):
        size = int.from_bytes(png[at : at + 4], "big")
        found.append((png[at + 4 : at + 8], png[at + 8 : at + 8 + size]))
        at += size + 12
    return found


def test_a_report_holds_the_lines_and_their_measures_and_nothing_else(
    secretive: Path, tmp_path: Path
) -> None:
    out = tmp_path / "report.png"
    result = run("learn", "--unsorted", secretive, "--report", out, "--yes")
    assert result.exit_code == 0, result.output
    content = out.read_bytes()
    chunks = chunks_of(content)
    assert {kind for kind, _ in chunks} == {b"IHDR", b"tEXt", b"IDAT", b"IEND"}
    (text,) = (part.decode() for kind, part in chunks if kind == b"tEXt")
    key, _, measures = text.partition("\0")
    assert key == "Description"
    assert measures in result.output
    names = [word.partition("=")[0] for word in measures.split()]
    assert names == [
        *("pixels_per_line", "angle_deg", "amplitude", "coherence", "rarer_share"),
        "version",
    ]
    for secret in (b"kitchen", b"Maker", b"home"):
        assert secret not in content
    picture = cv2.imread(str(out))
    whole = cv2.imread(str(secretive))
    assert picture is not None
    assert whole is not None
    height, width = picture.shape[:2]
    assert f"{width} x {height} pixels of {secretive}" in result.output
    assert picture.size < 0.6 * whole.size


@pytest.mark.parametrize(("answer", "is_written"), [("y\n", True), ("n\n", False)])
def test_a_report_is_written_once_a_person_agrees(
    secretive: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    answer: str,
    is_written: bool,
) -> None:
    out = tmp_path / "report.png"
    monkeypatch.setattr("hardware.console._is_terminal", lambda: True)
    words = ["learn", "--real", str(secretive), "--report", str(out)]
    result = CliRunner().invoke(main, words, input=answer)
    assert result.exit_code == 0, result.output
    assert "Write it?" in result.output
    assert out.exists() is is_written


def test_a_report_without_a_terminal_wants_a_plain_yes(
    secretive: Path, tmp_path: Path
) -> None:
    out = tmp_path / "report.png"
    result = run("learn", "--fake", secretive, "--report", out)
    assert result.exit_code == 2
    assert "say --yes" in result.output
    assert not out.exists()


def test_a_report_is_of_the_photo_that_shows_the_most_lines(
    secretive: Path, photos: dict[str, list[Path]], tmp_path: Path
) -> None:
    out, large = tmp_path / "report.png", tmp_path / "large.png"
    wide = panel(HOUSE, is_fake=False, pixels_per_line=4.0, side=640)
    cv2.imwrite(str(large), wide)
    result = run(
        *("learn", "--real", photos["real"][0], large, "--fake", secretive),
        *("--report", out, "--yes"),
    )
    assert f"pixels of {large}" in result.output
    nothing = run(
        *("learn", "--unsorted", GOLDEN / "no_scrambled_print.jpg"),
        *("--report", out, "--yes"),
    )
    assert (nothing.exit_code, "no lines to be seen" in nothing.output) == (1, True)


# Watching.


def test_watching_keeps_the_latest_look_drawn_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "frames"
    folder.mkdir()
    (folder / "a.jpg").write_bytes((GOLDEN / "fake.jpg").read_bytes())
    monkeypatch.setenv("COMPANION_CAMERA", "folder")
    monkeypatch.setenv("COMPANION_CAMERA_FOLDER", str(folder))
    now = tmp_path / "now.jpg"
    result = run("camera", "watch", "--looks", 1, "--save", now)
    assert result.exit_code == 0, result.output
    assert "fake" in result.output
    drawn, frame = cv2.imread(str(now)), cv2.imread(str(folder / "a.jpg"))
    assert drawn.shape == frame.shape
    assert np.abs(drawn.astype(int) - frame).max() > 100


def test_a_camera_that_is_missing_is_said_and_asked_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COMPANION_CAMERA", "folder")
    monkeypatch.setenv("COMPANION_CAMERA_FOLDER", str(tmp_path / "missing"))
    result = run("camera", "watch", "--looks", 1, "--save", tmp_path / "now.jpg")
    assert result.exit_code == 1, result.output
    assert "no pictures: looked for the folder" in result.output
    assert not (tmp_path / "now.jpg").exists()
