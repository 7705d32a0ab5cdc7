"""The figures of an edition as its page shows them: chapters of blocks of rows.

A *figure* is one value of an edition, and becomes a *row*. A *block* holds the rows of
one deed, one deck or one section of the edition file; a *chapter*, several blocks. The
*part* of a figure is the kind of its entry, such as ``deed``, or else its section. The
*level* of a row says how well its figure is known, from "confirmed" to "unknown". A
block states once the level and the sources that most of its rows share.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

import msgspec

from companion.edition import Edition
from companion.edition.figures import Figure, figures, label_of, section_name
from companion.edition.model import SECTIONS
from companion.edition.own import OWN_BOX
from companion.edition.shape import Card
from companion.views.space import Band, band_of
from companion.words import say
from companion.words.common import common
from companion.words.money import dollars_text
from web.boxes.words import card_words, space_words, value_words
from web.play.option_words import questions

OWN: Final = "own"
"""The level of figures typed in from this table's own box."""


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """One line of a block.

    Attributes:
        key: The name of the figure in edition files.
        words: What the figure is, in words.
        parts: The value in words, part by part; empty if it is unknown.
        level: How well it is known: a value of ``Confidence``, or ``own``; empty for
            options, which a table chooses.
        sources: The ids of the sources that state the figure.
        note: A remark for readers, in English.
        others: Other amounts that sources state, each with the ids of its sources.
    """

    key: str
    words: str
    parts: tuple[str, ...]
    level: str
    sources: tuple[str, ...] = ()
    note: str = ""
    others: tuple[tuple[str, tuple[str, ...]], ...] = ()


class Block(msgspec.Struct, frozen=True, kw_only=True):
    """Rows that belong together: a deed, a deck, a section of the file.

    Attributes:
        id: The id of the block in the page.
        words: The heading.
        rows: The rows.
        level: The level that most known rows share; other rows show their own.
        sources: The sources of these rows; others show their own.
        note: The note, if all rows have the same one.
        band: The coloured head of a deed; ``None`` for other blocks.
    """

    id: str
    words: str
    rows: tuple[Row, ...]
    level: str
    sources: tuple[str, ...]
    note: str = ""
    band: Band | None = None


class Chapter(msgspec.Struct, frozen=True):
    """A part of the page that a tap unfolds.

    Attributes:
        id: The id of the chapter in the page's address.
        words: The heading.
        blocks: The blocks.
        band: The coloured head of a group of deeds; ``None`` for other chapters.
    """

    id: str
    words: str
    blocks: tuple[Block, ...]
    band: Band | None = None

    @property
    def left_count(self) -> int:
        """The number of unknown figures in this chapter."""
        rows = (row for block in self.blocks for row in block.rows)
        return sum(row.level == "unknown" for row in rows)


CHAPTERS: Final[tuple[tuple[str, str, tuple[str, ...]], ...]] = (
    ("money", say("Money and notes"), ("money",)),
    ("pieces", say("Dice, jail and pieces"), ("seats", "dice", "jail", "pieces")),
)
"""Chapters made of sections of the edition file: id, heading, sections."""


def chapters(edition: Edition) -> tuple[Chapter, ...]:
    """Arrange all figures of *edition* in chapters, in the order of the page."""
    listed = figures(edition)
    in_chapters = {part for _, _, parts in CHAPTERS for part in parts}
    rules = tuple(part for part in SECTIONS if part not in in_chapters)
    return (
        *(
            Chapter(chapter_id, words, _section_blocks(edition, listed, parts))
            for chapter_id, words, parts in CHAPTERS
        ),
        Chapter("spaces", say("Spaces"), (_spaces_block(edition, listed),)),
        *_group_chapters(edition, listed),
        Chapter("cards", say("Cards"), _deck_blocks(edition, listed)),
        Chapter("rules", say("Rules"), _section_blocks(edition, listed, rules)),
        Chapter("options", say("What a table may choose"), (_options_block(edition),)),
    )


def level_of(figure: Figure) -> str:
    """Return the level of *figure*: ``own`` if it was read off this table's box."""
    return OWN if OWN_BOX in figure.origin.sources else figure.origin.confidence


def _build_block(
    block_id: str, words: str, rows: Iterable[Row], band: Band | None = None
) -> Block:
    rows = tuple(rows)
    origins = Counter(
        (row.level, row.sources)
        for row in rows
        if row.level not in ("unknown", OWN, "")
    )
    commonest = origins.most_common(1)
    level, sources = commonest[0][0] if commonest else ("", ())
    notes = {row.note for row in rows}
    return Block(
        id=block_id,
        words=words,
        rows=rows,
        level=level,
        sources=sources,
        note=notes.pop() if len(notes) == 1 else "",
        band=band,
    )


def _build_row(
    edition: Edition,
    figure: Figure,
    words: str = "",
    parts: tuple[str, ...] | None = None,
) -> Row:
    """Build the row of a figure; *words* and *parts* replace its own, if given."""
    return Row(
        key=figure.key,
        words=words or label_of(figure.part, figure.name),
        parts=value_words(edition, figure) if parts is None else parts,
        level=level_of(figure),
        sources=figure.origin.sources,
        note=figure.origin.note,
        others=_other_amounts(edition, figure),
    )


def _other_amounts(
    edition: Edition, figure: Figure
) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """List other amounts for a deed's figure, each with its sources."""
    return tuple(
        (dollars_text(other.value), other.sources)
        for conflict in edition.conflicts
        if (conflict.deed, conflict.field) == (figure.of, figure.name)
        for other in conflict.other
    )


def _section_blocks(
    edition: Edition, listed: tuple[Figure, ...], parts: tuple[str, ...]
) -> tuple[Block, ...]:
    """Build a block for each section in *parts* that has figures."""
    blocks = []
    for part in parts:
        rows = [_build_row(edition, figure) for figure in listed if figure.part == part]
        if rows:
            blocks.append(_build_block(part, section_name(part), rows))
    return tuple(blocks)


def _group_by_entry(
    listed: tuple[Figure, ...], part: str
) -> dict[str, dict[str, Figure]]:
    """Return a part's figures by its *entries* (deeds, cards …), then by name."""
    by_entry: dict[str, dict[str, Figure]] = {}
    for figure in listed:
        if figure.part == part:
            by_entry.setdefault(figure.of, {})[figure.name] = figure
    return by_entry


def _spaces_block(edition: Edition, listed: tuple[Figure, ...]) -> Block:
    rows = []
    for number, by_name in _group_by_entry(listed, "space").items():
        name = edition.spaces[int(number)].name or say("What nobody could read")
        words = say("{number} · {name}", number=number, name=name)
        parts = space_words(by_name)
        row = _build_row(edition, by_name["kind"], words, parts=parts)
        rows.append(msgspec.structs.replace(row, key=f"space.{number}"))
    return _build_block("spaces", say("Spaces"), rows)


def _group_chapters(edition: Edition, listed: tuple[Figure, ...]) -> Iterator[Chapter]:
    """Yield a chapter for each group of deeds, since one for all would be too long."""
    by_deed = _group_by_entry(listed, "deed")
    for group in edition.groups:
        band = band_of(edition.groups, group.id)
        blocks = []
        for deed in edition.deeds:
            if deed.group == group.id:
                deeds_figures = by_deed.get(deed.id, {}).values()
                rows = [_build_row(edition, figure) for figure in deeds_figures]
                blocks.append(_build_block(f"deed.{deed.id}", deed.name, rows, band))
        yield Chapter(f"deeds-{group.id}", band.name, tuple(blocks), band)


def _deck_blocks(edition: Edition, listed: tuple[Figure, ...]) -> tuple[Block, ...]:
    """Build a block for each deck: its size, and the rows of all its cards."""
    sizes = _group_by_entry(listed, "deck")
    by_card = _group_by_entry(listed, "card")
    blocks = []
    for deck in edition.decks:
        rows = [_build_row(edition, sizes[deck.id]["size"])]
        for number, card in enumerate(edition.cards_of(deck.id), 1):
            rows += _card_rows(edition, number, card, by_card[card.id])
        blocks.append(_build_block(f"deck.{deck.id}", common(deck.name), rows))
    return tuple(blocks)


def _card_rows(
    edition: Edition, number: int, card: Card, by_name: Mapping[str, Figure]
) -> Iterator[Row]:
    """Yield a row for a card's effect, and one for each figure that the file lacks."""
    values = {name: figure.value for name, figure in by_name.items()}
    known = {name: value for name, value in values.items() if value is not None}
    known["keep"] = card.keep
    words = say("Card {number}", number=number)
    row = _build_row(
        edition, by_name["effect"], words, parts=card_words(edition, known)
    )
    yield msgspec.structs.replace(row, key=row.key.removesuffix(".effect"))
    for name, figure in by_name.items():
        if name != "effect" and level_of(figure) in ("unknown", OWN):
            what = label_of("card", name)
            words = say("Card {number}: {what}", number=number, what=what)
            yield _build_row(edition, figure, words)


def _options_block(edition: Edition) -> Block:
    """Build the block of options, each with its usual answer and its sources."""
    sources = {
        reading.option: reading.sources
        for reading in edition.readings
        if reading.option
    }
    rows = []
    for question in questions(edition, {}):
        usual = [
            answer.words
            for answer in question.answers
            if answer.value == question.chosen
        ]
        rows.append(
            Row(
                key=f"option.{question.key}",
                words=question.words,
                parts=tuple(usual or [question.chosen]),
                level="",
                sources=sources.get(question.key, ()),
            )
        )
    return _build_block("options", say("What a table may choose"), rows)
