"""Makes the PDFs of notes and cards: sheets with backs, and the answers.

A *run* is everything that is printed at once. Its items are of several *kinds*: the
denominations of notes, or the pairs of Chance cards.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from companion.errors import Malformed
from companion.printing.deck import panel_lines, panel_scene
from companion.printing.faces import (
    CARD_MM,
    CARD_PANEL_AT_MM,
    CARD_TONE,
    NOTE_MM,
    NOTE_PANEL_AT_MM,
    TONES,
    Size,
    draw_back,
    draw_card,
    draw_note,
)
from companion.printing.film import calibration_page
from companion.printing.job import Job
from companion.printing.layout import CUT_MARK_MM, Grid, draw_ruler
from companion.printing.page import Pages

GREY = (0.45, 0.45, 0.45)
"""Colour of the answers and of the lines to fold along."""

SERIALS_A_LINE = 14
"""Most serials that fit on a line of answers."""

ANSWER_LINES = 17
"""Lines of answers that fit on the folded part of the shorter paper."""

NOTES_EACH_MAX = 200
"""Most items of one kind in a run."""

CHANCE_CARDS = {
    "NO RENT": ("Skip one rent that you owe.",),
    "FREE HOTEL": ("Put a hotel on one of your streets,", "free of charge."),
    "OFF TO JAIL": ("Send any player to Jail.",),
    "FRESH CHIPS": ("Turn all your decoder chips", "to their ready side."),
    "BIRTHDAY": ("Every player gives you $10.",),
    "FOUND PURSE": ("Collect $100 from the Bank.",),
    "HALF PRICE": ("Buy the street you stand on", "for half its price."),
    "FREE TRAIN": ("Go to any street that nobody owns.", "You may buy it."),
    "SECOND ROLL": ("Roll again and move on.",),
    "OUT OF JAIL": ("Leave Jail without paying.",),
    "DOUBLE RENT": ("The next rent you collect", "is paid twice."),
    "PAY DAY": ("Collect your salary once more.",),
}
"""Title -> up to two lines of words, of each pair of a real and a fake Chance card.

The rule sheet of Crooked Cash names the effects of the first four pairs; the other
eight are this project's own, since no source lists them. All wording is our own.
"""


@dataclass(frozen=True, slots=True)
class Item:
    """One note or card of a run.

    Attributes:
        serial: Printed on the item, and on the answer sheet if it is fake; it gives
            nothing away by itself.
        rank: The number of its kind, from 0.
        scene_seed: The seed for placing faces and symbols in its panel.
    """

    serial: str
    rank: int
    is_fake: bool
    scene_seed: int


Front = Callable[[Pages, Size, Item], None]
"""Draws the front of an item, given its top left corner."""


def deal(kinds_count: int, each: int, fakes_each: int, seed: int) -> tuple[Item, ...]:
    """Draw a run of *each* items of every kind, *fakes_each* of them fake.

    The kinds come one after the other, as a bank sorts its notes. Within a kind real
    and fake are shuffled, and serials are drawn at random from a thousand numbers or
    more, so neither place nor number gives a fake away.

    Raises:
        Malformed: If a count is out of range.
    """
    if not 1 <= each <= NOTES_EACH_MAX:
        raise Malformed(f"expected 1..{NOTES_EACH_MAX} of each kind, got {each!r}")
    if not 0 <= fakes_each <= each:
        raise Malformed(f"expected 0..{each} fakes of each kind, got {fakes_each!r}")
    draw = np.random.default_rng(seed)
    total = kinds_count * each
    numbers = draw.permutation(max(1000, 2 * total))[:total]
    seeds = draw.integers(0, 2**31, total)
    items = []
    for rank in range(kinds_count):
        fakes = set(draw.permutation(each)[:fakes_each].tolist())
        for place in range(each):
            index = rank * each + place
            serial = f"{chr(ord('A') + rank % 26)}{int(numbers[index]):04d}"
            items.append(Item(serial, rank, place in fakes, int(seeds[index])))
    return tuple(items)


def _draw_panel(pages: Pages, at: Size, item: Item, job: Job) -> None:
    scene = panel_scene(job.deck, is_fake=item.is_fake, seed=item.scene_seed)
    pages.stencil(at, panel_lines(job.deck, scene, job.dots_an_inch), job.dpi)


def _run(
    pages: Pages, items: tuple[Item, ...], size: Size, job: Job, front: Front
) -> int:
    """Draw the fronts of a run, with backs after each page or once at the end.

    Returns:
        The number of sheets.
    """
    grid = Grid(job.paper, size)
    sheets = range(0, len(items), grid.per_page)
    for start in sheets:
        grid.draw_cut_marks(pages)
        draw_ruler(pages, grid.corner_mm[1] - CUT_MARK_MM - 2.6)
        shown = items[start : start + grid.per_page]
        for item, at in zip(shown, grid.places_mm(), strict=False):
            front(pages, at, item)
        pages.next_page()
        if job.is_duplex:
            _draw_backs(pages, size, job)
    if not job.is_duplex:
        _draw_backs(pages, size, job)
    return len(sheets)


def _draw_backs(pages: Pages, size: Size, job: Job) -> None:
    grid = Grid(job.paper, size)
    tone, words = (CARD_TONE, "CHANCE") if size == CARD_MM else (TONES[1], "TABLE BANK")
    for at in grid.places_mm():
        draw_back(pages, at, size, tone, words)
    grid.draw_cut_marks(pages)
    pages.next_page()


def _answers(pages: Pages, rows: list[tuple[str, list[str]]], job: Job) -> None:
    """Draw the last pages: the serials of the fakes, upside down."""
    lines: list[tuple[str, str]] = []
    for label, serials in rows:
        shown = serials or ["none"]
        for start in range(0, len(shown), SERIALS_A_LINE):
            words = "  ".join(shown[start : start + SERIALS_A_LINE])
            lines.append((label if start == 0 else "", words))
    lines.append(("", f"seed {job.seed} prints the same run again"))
    for start in range(0, len(lines), ANSWER_LINES):
        _draw_answer_page(pages, lines[start : start + ANSWER_LINES], job)


def _draw_answer_page(pages: Pages, lines: list[tuple[str, str]], job: Job) -> None:
    """Draw a page of answers below two folds."""
    width, height = job.paper.size_mm
    pages.heading(
        "Answers",
        (
            "Do not look: the lower part says which are fake.",
            "Fold the bottom edge up to line 1, fold again at line 2, tape it shut.",
            "Open it after the game, or when the table cannot agree.",
        ),
    )
    for number, y in ((1, 80.0), (2, (80 + height) / 2)):
        for x in np.arange(10, width - 10, 6.0):
            pages.path(np.array([(x, y), (x + 3, y)]), GREY, 0.2)
        pages.text((12, y - 1.5), f"{number}", 4, GREY)
    for row, (label, words) in enumerate(lines):
        y = height - 14 - 4.8 * row
        pages.text((width - 14, y), label, 3.6, GREY, turn_deg=180, bold=True)
        pages.text((width - 44, y), words, 2.9, GREY, turn_deg=180)
    pages.next_page()


def _list_fakes(
    items: tuple[Item, ...], labels: tuple[str, ...]
) -> list[tuple[str, list[str]]]:
    """List the serials of fakes by label."""
    fakes = [item for item in items if item.is_fake]
    return [
        (label, sorted(fake.serial for fake in fakes if fake.rank == rank))
        for rank, label in enumerate(labels)
    ]


def dealt_notes(
    amounts: tuple[str, ...], each: int, fakes_each: int, job: Job
) -> tuple[Item, ...]:
    """Deal the notes that `notes_pdf` prints with the same arguments."""
    return deal(len(amounts), each, fakes_each, job.seed)


def notes_pdf(
    amounts: tuple[str, ...],
    each: int = 20,
    fakes_each: int = 6,
    job: Job | None = None,
) -> bytes:
    """Make a PDF of notes with backs, the calibration strip and answers.

    Args:
        amounts: The amounts as printed, smallest first, such as ``("$10", "$20")``.
        each: How many notes of every amount.
        fakes_each: How many of those are fake.
        job: How to print; A4 at 600 dpi by default.

    Raises:
        Malformed: If a count is out of range.
    """
    job = job or Job()
    items = dealt_notes(amounts, each, fakes_each, job)
    pages = job.pages("Table bank notes")

    def front(pages: Pages, at: Size, item: Item) -> None:
        tone = TONES[item.rank % len(TONES)]
        draw_note(pages, at, amounts[item.rank], tone, item.serial)
        x, y = NOTE_PANEL_AT_MM
        _draw_panel(pages, (at[0] + x, at[1] + y), item, job)

    _run(pages, items, NOTE_MM, job, front)
    calibration_page(pages, job)
    pages.next_page()
    _answers(pages, _list_fakes(items, amounts), job)
    return pages.pdf()


def cards_pdf(job: Job | None = None) -> bytes:
    """Make a PDF of 12 pairs of Chance cards, real and fake, with answers."""
    job = job or Job()
    items, titles = shuffled_cards(job), tuple(CHANCE_CARDS)
    pages = job.pages("Chance cards")

    def front(pages: Pages, at: Size, item: Item) -> None:
        title = titles[item.rank]
        draw_card(pages, at, title, CHANCE_CARDS[title], item.serial)
        x, y = CARD_PANEL_AT_MM
        _draw_panel(pages, (at[0] + x, at[1] + y), item, job)

    _run(pages, items, CARD_MM, job, front)
    _answers(pages, _list_fakes(items, titles), job)
    return pages.pdf()


def shuffled_cards(job: Job) -> tuple[Item, ...]:
    """Deal the cards that `cards_pdf` prints with the same job, in printed order."""
    return deal(len(CHANCE_CARDS), 2, 1, job.seed)
