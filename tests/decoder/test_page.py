"""A whole printed page in one picture: every note of it is read, at any pitch."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
import pypdfium2
import pytest
from numpy.typing import NDArray

from companion.decoder import Reading, Reason, Verdict, house_deck, read, scale
from companion.printing.faces import NOTE_MM
from companion.printing.job import Job
from companion.printing.layout import Grid
from companion.printing.sheets import dealt_notes, notes_pdf
from hardware.photos.examine import examine_picture
from hardware.photos.watch import Optics
from tests.sample import SLOW, sampled

HOUSE = house_deck()
DPI = 600


@lru_cache(maxsize=1)
def dots(pitch_mm: float, scale: float = 1.0) -> NDArray[np.uint8]:
    """The first page of a sheet, grey, as a printer puts it on paper."""
    pdf = notes_pdf(("$10",), 10, 5, Job(pitch_mm=pitch_mm, scale=scale))
    document = pypdfium2.PdfDocument(pdf)
    shown = document[0].render(scale=DPI / 72, grayscale=True).to_numpy()
    document.close()
    return np.array(shown[..., 0] if shown.ndim == 3 else shown, np.uint8)


def photo(
    pitch_mm: float, pixels_per_line: float, scale: float = 1.0
) -> NDArray[np.uint8]:
    """The page from straight above, a little soft, as JPEG leaves it.

    A sheet of another *scale* comes from a printer that is off by as much, so that it
    leaves a margin of bare paper around what it knows of the page.
    """
    size = pixels_per_line / (pitch_mm / 25.4 * DPI) / scale
    page = dots(pitch_mm, scale)
    bare = [round(side * (scale - 1) / 2) for side in page.shape]
    page = np.pad(page, [(side, side) for side in bare], constant_values=255)
    grey = cv2.resize(page, None, fx=size, fy=size, interpolation=cv2.INTER_AREA)
    grey = cv2.GaussianBlur(grey, (0, 0), 0.6)
    content = cv2.imencode(".jpg", grey, [cv2.IMWRITE_JPEG_QUALITY, 90])[1]
    return np.asarray(cv2.imdecode(content, cv2.IMREAD_COLOR), np.uint8)


def places(pitch_mm: float, pixels_per_line: float) -> list[tuple[float, float, bool]]:
    """Middle of every note in the photo, and whether it is fake."""
    per_mm = pixels_per_line / pitch_mm
    items = dealt_notes(("$10",), 10, 5, Job(pitch_mm=pitch_mm))
    corners = Grid(Job().paper, NOTE_MM).places_mm()
    return [
        (
            (x + NOTE_MM[0] / 2) * per_mm,
            (y + NOTE_MM[1] / 2) * per_mm,
            item.is_fake,
        )
        for item, (x, y) in zip(items, corners, strict=False)
    ]


def on(x: float, y: float, readings: tuple[Reading, ...]) -> list[Reading]:
    """What was read on the note around a place, not the clutter beside it."""
    return [
        r
        for r in readings
        if r.picture is not None
        and cv2.pointPolygonTest(np.array(r.corners_px, np.float32), (x, y), False) > 0
    ]


@pytest.mark.parametrize("pixels_per_line", sampled([4.2, 6.0]))
@pytest.mark.parametrize(
    "sheet", sampled([(0.50, 1.0), (0.42, 100 / 98.5), (0.42, 1.0), (0.58, 1.0)])
)
def test_all_ten_notes_of_a_page_are_read(
    sheet: tuple[float, float], pixels_per_line: float
) -> None:
    pitch_mm, scale = sheet
    readings = read(photo(pitch_mm, pixels_per_line, scale), HOUSE)
    sure = [r for r in readings if r.verdict is not Verdict.UNSURE]
    assert len(sure) == 10
    for x, y, is_fake in places(pitch_mm, pixels_per_line):
        (found,) = on(x, y, tuple(sure))
        assert found.verdict is (Verdict.FAKE if is_fake else Verdict.REAL)
        # Other lines than the deck's are no reason to think of an alias.
        assert found.pixels_per_line == pytest.approx(pixels_per_line, rel=0.04)
    assert not [r for r in readings if r.reason is Reason.TOO_MANY]


@pytest.mark.slow
@pytest.mark.xfail(strict=True, reason="three or four real notes are not known there")
def test_all_ten_notes_are_read_at_the_widest_pitch() -> None:
    """They were not in 1.0.0, either: a fault of the decoder that is not yet mended.

    A face has 17 lines there, and is sought at the 24 of the house's pitch: its score
    falls below `faces.HOPE_MIN`. No other size is tried, as the deck names no run.
    """
    test_all_ten_notes_of_a_page_are_read((0.60, 1.0), 4.2)


@pytest.mark.parametrize("pixels_per_line", [4.2, 6.0])
@SLOW
def test_lines_much_finer_than_the_decks_are_told_as_they_are(
    pixels_per_line: float,
) -> None:
    readings = read(photo(0.30, pixels_per_line)[:2400], HOUSE)
    rows = 2400 / pixels_per_line * 0.30
    seen = 0
    for x, y, is_fake in places(0.30, pixels_per_line):
        if y * 0.30 / pixels_per_line > rows - NOTE_MM[1]:
            continue
        for found in on(x, y, readings):
            seen += 1
            assert found.verdict is not (Verdict.REAL if is_fake else Verdict.FAKE)
            assert found.pixels_per_line == pytest.approx(pixels_per_line, rel=0.04)
    assert seen >= 2


def test_prints_beyond_those_that_are_read_are_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(scale, "SCREENS_MAX", 4)
    readings = read(photo(0.50, 4.2), HOUSE)
    said = [r.reason or r.verdict for r in readings]
    assert sum(one in (Verdict.REAL, Verdict.FAKE) for one in said) <= 4
    left = [r for r in readings if r.reason is Reason.TOO_MANY]
    assert 6 <= len(left) <= 8
    for reading in left:
        assert reading.picture is None
        assert reading.pixels_per_line == pytest.approx(4.2, rel=0.04)
        assert "show fewer" in reading.reason.words
    assert said[-len(left) :] == [Reason.TOO_MANY] * len(left)


@SLOW
def test_whoever_sends_a_whole_page_is_shown_all_of_it() -> None:
    seen = examine_picture(photo(0.50, 4.2), HOUSE, Optics(HOUSE.pitch_mm))
    assert [f.verdict for f in seen.findings].count("unsure") == 0
    assert len(seen.findings) == 10
