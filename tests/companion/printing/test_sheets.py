from __future__ import annotations

import re
from collections import Counter

import numpy as np
import pytest

from companion.errors import Malformed
from companion.printing import (
    Job,
    Paper,
    cards_pdf,
    dealt_notes,
    dial_pdf,
    lens_pdf,
    notes_pdf,
    shuffled_cards,
)
from companion.printing.deck import HOUSE, panel_lines, panel_scene
from companion.printing.faces import CARD_MM, NOTE_MM
from companion.printing.layout import PRINTER_MARGIN_MM, Grid
from companion.printing.page import Pages
from companion.printing.sheets import CHANCE_CARDS, _answers, _run, deal
from tests.companion.printing.film import film, looks_fake
from tests.companion.printing.pdf_reading import Sheet, sheets
from tests.companion.printing.strip import strip_pdf

AMOUNTS = ("$10", "$500")
JOB = Job(dpi=300, seed=8)
SERIAL = re.compile(r"[A-Z]\d{4}")


@pytest.fixture(scope="module")
def run() -> list[Sheet]:
    """Six notes of two amounts, two fakes each: one page, backs, strip, answers."""
    return sheets(notes_pdf(AMOUNTS, 6, 2, JOB))


def fronts(run: list[Sheet]) -> tuple[list[str], list[np.ndarray]]:
    pages = run[: -3 if len(run) > 3 else -1]
    serials = [w for page in pages for w in page.words if SERIAL.fullmatch(w)]
    return serials, [dots for page in pages for dots in page.stencils]


def answered(run: list[Sheet]) -> set[str]:
    return {s for words in run[-1].words for s in SERIAL.findall(words)}


def test_a_run_is_fronts_then_backs_then_strip_then_answers(run: list[Sheet]) -> None:
    assert len(run) == 2 + 3
    assert "Answers" in run[-1].words
    assert any("Which lines" in words for words in run[-2].words)
    assert set(run[-3].words) == {"TABLE BANK"}


def test_the_answers_name_the_notes_that_look_fake_under_film(run: list[Sheet]) -> None:
    serials, panels = fronts(run)
    assert len(serials) == len(set(serials)) == len(panels) == 12
    masked = {
        serial
        for serial, dots in zip(serials, panels, strict=True)
        if looks_fake(film(dots, HOUSE.screen, 300), HOUSE, 300)
    }
    assert masked == answered(run)


def test_the_dots_on_the_page_are_the_printers_own(run: list[Sheet]) -> None:
    items = dealt_notes(AMOUNTS, 6, 2, JOB)
    _, panels = fronts(run)
    scene = panel_scene(HOUSE, is_fake=items[0].is_fake, seed=items[0].scene_seed)
    assert (panels[0] == panel_lines(HOUSE, scene, 300)).all()
    for page in run:
        for dots, size_mm in zip(page.stencils, page.stencils_mm, strict=True):
            wanted = [side / 300 * 25.4 for side in dots.shape[::-1]]
            assert size_mm == pytest.approx(wanted, abs=1e-3)


def test_stencils_start_on_whole_dots(run: list[Sheet]) -> None:
    for page in run:
        for corner in page.corners_pt:
            dots = np.array(corner) / 72 * 300
            assert np.abs(dots - np.rint(dots)).max() < 1e-3


def test_fakes_are_as_many_of_each_amount_as_asked_for(run: list[Sheet]) -> None:
    assert Counter(serial[0] for serial in answered(run)) == {"A": 2, "B": 2}


def test_no_word_on_a_front_tells_what_is_fake(run: list[Sheet]) -> None:
    for page in run[:-1]:
        assert not any("fake" in words.lower() for words in page.words)


def test_backs_are_all_alike_and_hide_nothing(run: list[Sheet]) -> None:
    assert run[-3].stencils == ()


@pytest.mark.parametrize("paper", Paper)
def test_pages_have_the_size_of_the_paper(paper: Paper) -> None:
    for page in sheets(dial_pdf(Job(paper=paper))):
        assert page.size_mm == pytest.approx(paper.size_mm, abs=0.01)


@pytest.mark.parametrize("paper", Paper)
@pytest.mark.parametrize(("size", "per_page"), [(NOTE_MM, 10), (CARD_MM, 8)])
def test_things_lie_edge_to_edge_within_reach_of_the_printer(
    paper: Paper, size: tuple[float, float], per_page: int
) -> None:
    grid = Grid(paper, size)
    places = np.array(list(grid.places_mm()))
    assert len(places) == grid.per_page == per_page
    low, high = places.min(axis=0), places.max(axis=0) + size
    assert (low >= PRINTER_MARGIN_MM - 1e-9).all()
    assert (high <= np.array(paper.size_mm) - PRINTER_MARGIN_MM + 1e-9).all()
    assert low == pytest.approx(np.array(paper.size_mm) - high), "backs meet fronts"


def test_duplex_puts_backs_behind_every_page_of_fronts() -> None:
    shown = []
    for is_duplex in (False, True):
        job = Job(is_duplex=is_duplex)
        pages = Pages(job.paper, "run")
        _run(pages, deal(1, 9, 0, 1), CARD_MM, job, lambda pages, at, item: None)
        run = sheets(pages.pdf())
        shown.append([{word[:6] for word in page.words} for page in run])
    fronts, backs = {"100 mm"}, {"CHANCE"}
    assert shown[0] == [fronts, fronts, backs]
    assert shown[1] == [fronts, backs, fronts, backs]


def test_cards_come_in_twelve_pairs_of_one_real_and_one_fake() -> None:
    pages = sheets(cards_pdf(JOB))
    items = shuffled_cards(JOB)
    assert len(CHANCE_CARDS) == 12
    assert Counter(item.rank for item in items) == dict.fromkeys(range(12), 2)
    fakes = {item.serial for item in items if item.is_fake}
    assert Counter(item.rank for item in items if item.is_fake) == dict.fromkeys(
        range(12), 1
    )
    assert answered(pages) == fakes
    titles = Counter(w for page in pages[:3] for w in page.words if w.isupper())
    assert all(titles[title] == 2 for title in CHANCE_CARDS)


def test_the_first_of_a_pair_is_not_always_the_real_one() -> None:
    items = shuffled_cards(Job(seed=1))
    first = {item.is_fake for item in items[::2]}
    assert first == {True, False}


def test_another_seed_deals_other_fakes_and_the_same_seed_the_same() -> None:
    assert deal(5, 20, 6, 3) == deal(5, 20, 6, 3)
    assert deal(5, 20, 6, 3) != deal(5, 20, 6, 4)
    assert lens_pdf(JOB) == lens_pdf(JOB), "no date, no random name"


def test_serials_do_not_sort_real_from_fake() -> None:
    items = deal(4, 100, 50, 9)
    ranks = np.argsort(np.argsort([int(i.serial[1:]) for i in items]))
    fakes = np.array([i.is_fake for i in items])
    assert abs(ranks[fakes].mean() - ranks[~fakes].mean()) < 40
    assert len({i.serial for i in items}) == 400


@pytest.mark.parametrize(
    ("each", "fakes", "words"),
    [(0, 0, "1..200"), (201, 0, "1..200"), (5, 6, "0..5"), (5, -1, "0..5")],
)
def test_counts_out_of_range_are_refused(each: int, fakes: int, words: str) -> None:
    with pytest.raises(Malformed, match=re.escape(f"expected {words}")):
        deal(2, each, fakes, 0)


@pytest.mark.parametrize("change", [{"dpi": 72}, {"pitch_mm": 0.1}, {"pitch_mm": 1.0}])
def test_a_printer_that_cannot_hold_the_lines_is_refused(
    change: dict[str, float],
) -> None:
    with pytest.raises(Malformed, match="expected "):
        Job(**change)  # type: ignore[arg-type]


def test_many_answers_go_on_to_further_pages() -> None:
    pages = Pages(Paper.LETTER, "answers")
    serials = [f"A{n:04d}" for n in range(600)]
    _answers(pages, [("$1", serials)], JOB)
    shown = sheets(pages.pdf())
    assert len(shown) == 3
    assert {s for page in shown for w in page.words for s in SERIAL.findall(w)} == set(
        serials
    )


def test_the_strip_shows_rising_pitches_and_the_ruler() -> None:
    (page,) = sheets(strip_pdf(Job(dpi=300)))
    assert len(page.stencils) == 6
    labels = [float(w.split()[0]) for w in page.words if re.fullmatch(r"0\.\d\d mm", w)]
    assert labels == sorted(labels)
    assert any(words.startswith("100 mm") for words in page.words)


def test_the_film_has_the_notes_own_lines_and_covers_a_panel() -> None:
    (page,) = sheets(lens_pdf(Job(dpi=300)))
    dots = page.stencils[0]
    assert dots.mean() == pytest.approx(0.5, abs=0.01)
    assert page.stencils_mm[0] > HOUSE.panel_mm
    scene = panel_scene(HOUSE, is_fake=True, seed=3)
    lines = panel_lines(HOUSE, scene, 300)
    laid = lines | dots[: lines.shape[0], : lines.shape[1]]
    assert looks_fake(laid, HOUSE, 300)


def test_the_dial_has_six_numbers_once_each() -> None:
    (page,) = sheets(dial_pdf())
    assert sorted(w for w in page.words if w.isdigit()) == list("123456")
