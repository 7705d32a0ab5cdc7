"""An edition's figures as a page shows them: chapters, blocks, rows.

What a row says comes from the list of figures in ``companion/edition/figures.py``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

import msgspec

from companion.edition import Edition
from companion.edition.figures import Figure, figures
from companion.edition.labels import label_of, section_name
from companion.edition.own import OWN_BOX
from companion.edition.parts import SECTIONS
from companion.edition.shape import Card
from companion.views.space import Band, band_of
from companion.words import say
from companion.words.common import common
from companion.words.money import dollars_text
from web.boxes.words import card_words, space_words, value_words
from web.play.option_words import questions

OWN: Final = "own"
"""The level of figures that people read off this table's own box."""


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """One line of a block.

    Attributes:
        key: The name of the figure in edition files.
        words: What the figure is, in words.
        parts: Its value in words, part by part; empty where nobody knows it.
        level: How well it is known: a value of ``Confidence``, or ``own``; empty for
            options, which are no facts.
        sources: Ids of the sources that tell the figure.
        note: What a reader should know, in English.
        others: What other sources say: each amount, with the ids of its sources.
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
        level: The level that most rows share; other rows show their own.
        sources: The sources that most rows share, likewise.
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
        band: The coloured head of a group of deeds; ``None`` for other chapters.
    """

    id: str
    words: str
    blocks: tuple[Block, ...]
    band: Band | None = None

    @property
    def left(self) -> int:
        """How many of its figures nobody knows."""
        rows = (row for block in self.blocks for row in block.rows)
        return sum(row.level == "unknown" for row in rows)


CHAPTERS: Final[tuple[tuple[str, str, tuple[str, ...]], ...]] = (
    ("money", say("Money and notes"), ("money",)),
    ("pieces", say("Dice, jail and pieces"), ("seats", "dice", "jail", "pieces")),
)
"""Chapters made of sections of the edition file: id, heading, sections."""


def chapters(edition: Edition) -> tuple[Chapter, ...]:
    """Every figure of *edition*, in the order of the page."""
    listed = figures(edition)
    named = {part for _, _, parts in CHAPTERS for part in parts}
    rules = tuple(part for part in SECTIONS if part not in named)
    return (
        *(
            Chapter(one, words, _sections(edition, listed, parts))
            for one, words, parts in CHAPTERS
        ),
        Chapter("spaces", say("Spaces"), (_spaces(edition, listed),)),
        *_groups(edition, listed),
        Chapter("cards", say("Cards"), _decks(edition, listed)),
        Chapter("rules", say("Rules"), _sections(edition, listed, rules)),
        Chapter("options", say("What a table may choose"), (_options(edition),)),
    )


def level_of(figure: Figure) -> str:
    """How well *figure* is known; ``own`` if it was read off this table's box."""
    return OWN if OWN_BOX in figure.origin.sources else figure.origin.confidence


def _block(
    one: str, words: str, rows: Iterable[Row], band: Band | None = None
) -> Block:
    """A block that states once the level and sources that most rows have in common."""
    made = tuple(rows)
    common_origin = Counter(
        (row.level, row.sources)
        for row in made
        if row.level not in ("unknown", OWN, "")
    ).most_common(1)
    level, sources = common_origin[0][0] if common_origin else ("", ())
    notes = {row.note for row in made}
    return Block(
        id=one,
        words=words,
        rows=made,
        level=level,
        sources=sources,
        note=notes.pop() if len(notes) == 1 else "",
        band=band,
    )


def _row(
    edition: Edition,
    figure: Figure,
    words: str = "",
    parts: tuple[str, ...] | None = None,
) -> Row:
    return Row(
        key=figure.key,
        words=words or label_of(figure.part, figure.name),
        parts=value_words(edition, figure) if parts is None else parts,
        level=level_of(figure),
        sources=figure.origin.sources,
        note=figure.origin.note,
        others=_others(edition, figure),
    )


def _others(
    edition: Edition, figure: Figure
) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """What other sources say about a deed's figure: amounts, and source ids of each."""
    return tuple(
        (dollars_text(other.value), other.sources)
        for conflict in edition.conflicts
        if (conflict.deed, conflict.field) == (figure.of, figure.name)
        for other in conflict.other
    )


def _sections(
    edition: Edition, listed: tuple[Figure, ...], parts: tuple[str, ...]
) -> tuple[Block, ...]:
    blocks = []
    for part in parts:
        rows = [_row(edition, one) for one in listed if one.part == part]
        if rows:
            blocks.append(_block(part, section_name(part), rows))
    return tuple(blocks)


def _by_entry(listed: tuple[Figure, ...], part: str) -> dict[str, dict[str, Figure]]:
    """The figures of one part, by the thing they belong to, then by their name."""
    found: dict[str, dict[str, Figure]] = {}
    for one in listed:
        if one.part == part:
            found.setdefault(one.of, {})[one.name] = one
    return found


def _spaces(edition: Edition, listed: tuple[Figure, ...]) -> Block:
    rows = []
    for number, said in _by_entry(listed, "space").items():
        name = edition.spaces[int(number)].name or say("What nobody could read")
        words = say("{number} · {name}", number=number, name=name)
        parts = space_words(said)
        row = _row(edition, said["kind"], words, parts=parts)
        rows.append(msgspec.structs.replace(row, key=f"space.{number}"))
    return _block("spaces", say("Spaces"), rows)


def _groups(edition: Edition, listed: tuple[Figure, ...]) -> Iterator[Chapter]:
    """A chapter for the deeds of each group: a page of all deeds would be too large."""
    by_deed = _by_entry(listed, "deed")
    for group in edition.groups:
        band = band_of(edition.groups, group.id)
        blocks = (
            _block(
                f"deed.{deed.id}",
                deed.name,
                (_row(edition, one) for one in by_deed.get(deed.id, {}).values()),
                band,
            )
            for deed in edition.deeds
            if deed.group == group.id
        )
        made = tuple(blocks)
        yield Chapter(f"deeds-{group.id}", band.name, made, band)


def _decks(edition: Edition, listed: tuple[Figure, ...]) -> tuple[Block, ...]:
    sizes, by_card = _by_entry(listed, "deck"), _by_entry(listed, "card")
    return tuple(
        _block(
            f"deck.{deck.id}",
            common(deck.name),
            (
                _row(edition, sizes[deck.id]["size"]),
                *(
                    row
                    for number, card in enumerate(edition.cards_of(deck.id), 1)
                    for row in _card(edition, number, card, by_card[card.id])
                ),
            ),
        )
        for deck in edition.decks
    )


def _card(
    edition: Edition, number: int, card: Card, said: Mapping[str, Figure]
) -> Iterator[Row]:
    """A row for what the card does, and one for each figure of it that is unknown."""
    known = {name: one.value for name, one in said.items() if one.value is not None}
    known["keep"] = card.keep
    words = say("Card {number}", number=number)
    row = _row(edition, said["effect"], words, parts=card_words(edition, known))
    yield msgspec.structs.replace(row, key=row.key.removesuffix(".effect"))
    for name, one in said.items():
        is_open = name != "effect" and level_of(one) in ("unknown", OWN)
        if is_open:
            what = label_of("card", name)
            asked = say("Card {number}: {what}", number=number, what=what)
            yield _row(edition, one, asked)


def _options(edition: Edition) -> Block:
    """The edition's options, each with its usual answer and, if known, its sources."""
    sources = {one.option: one.sources for one in edition.readings if one.option}
    rows = []
    for question in questions(edition, {}):
        usual = [one.words for one in question.answers if one.value == question.chosen]
        rows.append(
            Row(
                key=f"option.{question.key}",
                words=question.words,
                parts=tuple(usual or [question.chosen]),
                level="",
                sources=sources.get(question.key, ()),
            )
        )
    return _block("options", say("What a table may choose"), rows)
