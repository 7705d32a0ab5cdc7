"""A printed sheet has the size that it should: PDFium reads what a printer gets."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import partial

import numpy as np
import pypdfium2
import pytest
from numpy.typing import NDArray
from pypdfium2.raw import FPDF_VIEWERREF_GetPrintScaling

from companion.errors import Malformed
from companion.printing import (
    Job,
    Paper,
    cards_pdf,
    dial_pdf,
    lens_pdf,
    notes_pdf,
)
from companion.printing.deck import panel_lines, panel_scene
from tests.companion.printing.film import looks_fake
from tests.companion.printing.pdf_reading import sheets
from tests.companion.printing.strip import strip_pdf
from tests.sample import sampled

DPI = 300
DOT_MM = 25.4 / DPI
SHEETS: dict[str, Callable[[Job], bytes]] = {
    "notes": partial(notes_pdf, ("$10",), 10, 5),
    "cards": cards_pdf,
    "lens": lens_pdf,
    "dial": dial_pdf,
    "strip": strip_pdf,
}
SHORT = 98.5
"""What a line of 100 mm measures on the paper of a printer that is off."""
MENDED = partial(Job, dpi=DPI, scale=100 / SHORT)


@contextmanager
def opened(pdf: bytes) -> Iterator[pypdfium2.PdfDocument]:
    with closing(pypdfium2.PdfDocument(pdf)) as document:
        yield document


def printed(document: pypdfium2.PdfDocument, page: int = 0) -> NDArray[np.bool_]:
    """The printer's dots on one page, True for ink."""
    shown = document[page].render(scale=DPI / 72, grayscale=True).to_numpy()
    return np.asarray(shown.reshape(shown.shape[:2])) < 128


def longest_run(row: NDArray[np.bool_]) -> int:
    """How many dots in a row of paper are ink without a gap."""
    edges = np.flatnonzero(np.diff(np.pad(row, 1).astype(np.int8)))
    return int(max(edges[1::2] - edges[::2], default=0))


def has_line(dots: NDArray[np.bool_], length_mm: float) -> bool:
    """Whether a line of that length runs across the foot of the page."""
    foot = dots[-dots.shape[0] // 6 :]
    runs = [longest_run(row) * DOT_MM for row in foot]
    return any(abs(run - length_mm) < 3 * DOT_MM for run in runs)


def periods(row: NDArray[np.bool_]) -> tuple[int, float]:
    """How many lines a row of dots crosses after the first, and over how many mm."""
    begins = np.flatnonzero(np.diff(row.astype(np.int8)) == 1)
    return len(begins) - 1, float(begins[-1] - begins[0]) * DOT_MM


@pytest.mark.parametrize("name", sampled(SHEETS))
def test_every_sheet_asks_the_print_dialog_to_keep_its_size(name: str) -> None:
    with opened(SHEETS[name](Job(dpi=DPI))) as document:
        assert not FPDF_VIEWERREF_GetPrintScaling(document)


@pytest.mark.parametrize("paper", Paper)
@pytest.mark.parametrize("name", sampled(SHEETS))
def test_every_sheet_has_a_line_to_measure(name: str, paper: Paper) -> None:
    job = Job(paper, DPI)
    with opened(SHEETS[name](job)) as document:
        assert has_line(printed(document), 100)
        words = document[0].get_textpage().get_text_bounded()
    assert "100 mm" in words
    assert "--scale 100/98.5" in words


@pytest.mark.parametrize("name", sampled(SHEETS))
def test_scale_makes_the_line_right_on_a_printer_that_is_off(name: str) -> None:
    with opened(SHEETS[name](MENDED())) as document:
        dots = printed(document)
        words = document[0].get_textpage().get_text_bounded()
    assert has_line(dots, 100 * 100 / SHORT)
    assert "--scale 101.52/98.5" in words, "a second correction goes on from the first"


@pytest.mark.parametrize("off_mm", [100, SHORT])
def test_the_film_has_its_pitch_on_paper(off_mm: float) -> None:
    job = Job(dpi=DPI, scale=100 / off_mm)
    (page,) = sheets(lens_pdf(job))
    film, ruler = page.stencils[:2]
    on_paper = off_mm / 100
    lines, over_mm = periods(film[0])
    across = np.cos(np.radians(job.deck.screen.angle_deg))
    pitch_mm = over_mm / lines * across * on_paper
    assert pitch_mm == pytest.approx(job.pitch_mm, rel=1e-3)
    lines, over_mm = periods(np.pad(ruler[0], (1, 0)))
    assert lines == 100
    assert over_mm * on_paper == pytest.approx(100 * job.pitch_mm, rel=1e-3)
    assert f"100 lines = {100 * job.pitch_mm:.1f} mm" in page.words


def test_the_ruler_of_the_film_stands_on_it_at_every_pitch() -> None:
    for pitch_mm in (0.25, 0.6):
        (page,) = sheets(lens_pdf(Job(dpi=DPI, pitch_mm=pitch_mm)))
        film, ruler = page.stencils_mm[:2]
        left, right = (page.corners_pt[at][0] / 72 * 25.4 for at in (0, 1))
        assert left + 40 < right
        assert right + ruler[0] < left + film[0]


def test_film_and_notes_of_a_printer_that_is_off_fit_each_other() -> None:
    deck, dots = MENDED().deck, DPI * 100 / SHORT
    scene = panel_scene(deck, is_fake=True, seed=3)
    lines = panel_lines(deck, scene, dots)
    film = sheets(lens_pdf(MENDED()))[0].stencils[0]
    laid = lines | film[: lines.shape[0], : lines.shape[1]]
    assert looks_fake(laid, deck, dots)


@pytest.mark.parametrize("name", sampled(SHEETS))
def test_no_dot_is_resampled_at_any_scale(name: str) -> None:
    job = MENDED(offset_mm=(0.3, -0.2))
    for page in sheets(SHEETS[name](job)):
        for dots, size_mm in zip(page.stencils, page.stencils_mm, strict=True):
            wanted = [side * DOT_MM for side in dots.shape[::-1]]
            assert size_mm == pytest.approx(wanted, abs=1e-3)
        for corner in page.corners_pt:
            at = np.array(corner) / 72 * DPI
            assert np.abs(at - np.rint(at)).max() < 1e-3


@pytest.mark.parametrize("scale", sampled([1.02, 1.0]))
def test_offset_moves_everything_to_the_right_and_down_on_paper(scale: float) -> None:
    here, there = (
        sheets(cards_pdf(Job(dpi=DPI, scale=scale, offset_mm=offset_mm)))[0].corners_pt
        for offset_mm in ((0, 0), (1.5, -2))
    )
    moved = (np.array(there) - np.array(here)) / 72 * 25.4 / scale
    assert np.abs(moved - (1.5, 2)).max() < DOT_MM, "PDF counts upwards"


def test_scale_keeps_the_middle_of_the_sheet_so_that_backs_meet_fronts() -> None:
    page = sheets(SHEETS["notes"](MENDED()))[0]
    low = np.array(page.corners_pt) / 72 * 25.4
    high = low + page.stencils_mm
    middle = (low.min(axis=0) + high.max(axis=0)) / 2
    assert middle == pytest.approx((105, 148.5), abs=DOT_MM)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"scale": 0.9}, "scale in 0.95..1.05"),
        ({"scale": float("nan")}, "scale in 0.95..1.05"),
        ({"offset_mm": (0.0, 11.0)}, "offset_mm in -10..10"),
        ({"offset_mm": (float("nan"), 0.0)}, "offset_mm in -10..10"),
    ],
)
def test_what_no_printer_is_off_by_is_refused(
    change: dict[str, float], words: str
) -> None:
    with pytest.raises(Malformed, match=f"expected {words}"):
        Job(**change)  # type: ignore[arg-type]
