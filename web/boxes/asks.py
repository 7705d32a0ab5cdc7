"""Questions to the owner of a box about figures that its edition file lacks.

A *figure* is one value of an edition: an amount on a deed or card, or the kind of a
space. Where nobody could find it out, the owner can read it off the real box. So each
deed, card or space that lacks a figure becomes a ``Question``: its printed lines, with
a ``Blank`` wherever a figure is missing.

A blank may offer a *likely* amount, which a similar deed suggests. The owner can
confirm it with a tap; until then it is not data.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from companion.edition import Edition
from companion.edition.figures import Figure, figures, label_of
from companion.edition.own import OWN_BOX, unknown_keys
from companion.edition.shape import DEED_FIGURES
from companion.edition.snapshot import snapshot
from companion.game.box_key import key_of
from companion.game.rulebook import Unknown
from companion.game.spaces import KINDS, READABLE
from companion.game.unknown_figures import unknown_figures
from companion.units import Dollars
from companion.views.space import Band, band_of
from companion.words import capital, say
from companion.words.common import common
from companion.words.money import dollars_text
from web.boxes.words import card_words, value_words


class Blank(msgspec.Struct, frozen=True, kw_only=True):
    """A figure that the edition file lacks, and that the owner can read off the box.

    Attributes:
        key: The key of the figure in edition files.
        words: The name of the figure, in words.
        said: The value that the owner has typed in, if any.
        likely: The likely amount, if anything suggests one.
        similar_deed: The name of the deed that suggests it.
        kinds: The kinds of a space to choose from, each with its words, the likely
            one first; empty for amounts.
    """

    key: str
    words: str
    said: str = ""
    likely: Dollars | None = None
    similar_deed: str = ""
    kinds: tuple[tuple[str, str], ...] = ()


class Line(msgspec.Struct, frozen=True):
    """A line printed on a deed, card or space.

    Attributes:
        words: The name of its figure.
        said: The value in words, part by part, if the edition file has it.
        blank: The blank to fill in, if the edition file lacks it.
    """

    words: str
    said: tuple[str, ...] = ()
    blank: Blank | None = None


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """A deed, card or space of which the edition file lacks a figure.

    Attributes:
        subject: The id of the deed, card or space.
        words: Its name.
        lines: The lines printed on it, in their order, as far as the edition has them.
        band: The coloured head of a deed; ``None`` for others.
    """

    subject: str
    words: str
    lines: tuple[Line, ...]
    band: Band | None = None

    @property
    def blanks(self) -> tuple[Blank, ...]:
        """The figures that are asked for, typed in or not."""
        return tuple(line.blank for line in self.lines if line.blank)

    @property
    def left_count(self) -> int:
        """The number of figures that nobody has typed in yet."""
        return sum(not blank.said for blank in self.blanks)

    @property
    def is_begun(self) -> bool:
        """Whether some of its figures were typed in already."""
        return self.left_count < len(self.blanks)


class AskGroup(msgspec.Struct, frozen=True, kw_only=True):
    """Questions under one heading, such as those about the deeds of a group.

    Attributes:
        words: The heading.
        questions: The questions.
        band: The coloured head of a group of deeds; ``None`` for cards and spaces.
    """

    words: str
    questions: tuple[Question, ...]
    band: Band | None = None

    @property
    def left_count(self) -> int:
        """The number of figures that nobody has typed in yet."""
        return sum(question.left_count for question in self.questions)

    def is_likely_open(self, in_play: Mapping[str, Dollars | None]) -> bool:
        """Tell whether the group has a likely figure that some led game does not use.

        Args:
            in_play: The likely amounts by key, ``None`` for such a figure
                (``likely_in_play``).
        """
        keys = {blank.key for question in self.questions for blank in question.blanks}
        return any(in_play[key] is None for key in keys & in_play.keys())


def ask_groups(base: Edition, edition: Edition) -> tuple[AskGroup, ...]:
    """Return the questions about all figures that the edition file lacks, deeds first.

    Args:
        base: The edition as it comes with the program.
        edition: The same with the figures that were read off the box.
    """
    asked = frozenset(unknown_keys(base))
    likely = {figure.key: figure for figure in unknown_figures(snapshot(edition))}
    printed = _printed_figures(edition)
    groups = []
    for group in edition.groups:
        band = band_of(edition.groups, group.id)
        deeds = tuple(
            _ask_deed(edition, printed[deed.id], band, asked, likely)
            for deed in edition.members(group.id)
            if any(figure.key in asked for figure in printed[deed.id])
        )
        if deeds:
            groups.append(AskGroup(words=band.name, questions=deeds, band=band))
    cards = tuple(_ask_cards(edition, asked))
    spaces = tuple(_ask_spaces(edition, asked))
    for heading, questions in ((say("Cards"), cards), (say("Spaces"), spaces)):
        if questions:
            groups.append(AskGroup(words=heading, questions=questions))
    return tuple(groups)


Keys = frozenset[str]
"""The keys of all figures that are asked for."""
Likely = Mapping[str, Unknown]
"""Unknown figures by key, with their likely values."""


def _ask_deed(
    edition: Edition, printed: list[Figure], band: Band, asked: Keys, likely: Likely
) -> Question:
    deed, lines = edition.deed(printed[0].of), []
    for figure in printed:
        words, unknown = label_of("deed", figure.name), likely.get(figure.key)
        if figure.key not in asked:
            lines.append(Line(words, value_words(edition, figure)))
            continue
        value = getattr(deed, figure.name)
        similar_id = unknown.like if unknown else ""
        blank = Blank(
            key=figure.key,
            words=words,
            said="" if value is None else dollars_text(value),
            likely=unknown.likely if unknown else None,
            similar_deed=edition.deed(similar_id).name if similar_id else "",
        )
        lines.append(Line(words, blank=blank))
    return Question(subject=deed.id, words=deed.name, lines=tuple(lines), band=band)


def _printed_figures(edition: Edition) -> dict[str, list[Figure]]:
    """Return each deed's amounts by its id, in the order of the printed card."""
    by_deed: dict[str, list[Figure]] = {}
    for figure in figures(edition):
        if figure.part == "deed" and figure.name in DEED_FIGURES:
            by_deed.setdefault(figure.of, []).append(figure)

    def section(figure: Figure) -> int:
        if figure.name.startswith("rent"):
            return 0  # Rents come first, the mortgage last.
        return 2 if "mortgage" in figure.name else 1

    return {deed: sorted(listed, key=section) for deed, listed in by_deed.items()}


def _ask_cards(edition: Edition, asked: Keys) -> Iterator[Question]:
    for deck in edition.decks:
        for number, card in enumerate(edition.cards_of(deck.id), 1):
            key = key_of("card", card.id, "amount")
            if key not in asked:
                continue
            said = "" if card.amount is None else dollars_text(card.amount)
            words = say("{deck}, card {number}", deck=common(deck.name), number=number)
            fields = ("effect", "to", "kind", "times")
            known = {name: getattr(card, name) for name in fields}
            parts = card_words(edition, known)
            effect = capital(parts[0]) if parts else ""
            blank = Blank(key=key, words=effect, said=said)
            lines = (Line(blank.words, blank=blank),)
            yield Question(subject=card.id, words=words, lines=lines)


def _ask_spaces(edition: Edition, asked: Keys) -> Iterator[Question]:
    for space in edition.spaces:
        number = str(space.number)
        amount_key = key_of("space", number, "amount")
        if amount_key in asked:
            said = "" if space.amount is None else dollars_text(space.amount)
            blank = Blank(key=amount_key, words=label_of("space", "amount"), said=said)
            lines = (Line(blank.words, blank=blank),)
            yield Question(subject=number, words=space.name, lines=lines)
        key = key_of("space", number, "kind")
        if key not in asked:
            continue
        is_read = OWN_BOX in edition.provenance(f"space.{number}").sources
        blank = Blank(
            key=key,
            words=label_of("space", "kind"),
            said=space.kind.words if is_read else "",
            kinds=_kind_choices(space.kind_candidate or ""),
        )
        words = say(
            "Space {number}, between {before} and {after}",
            number=space.number,
            before=edition.spaces[space.number - 1].name,
            after=edition.spaces[(space.number + 1) % len(edition.spaces)].name,
        )
        yield Question(
            subject=number, words=words, lines=(Line(blank.words, blank=blank),)
        )


def _kind_choices(likely: str) -> tuple[tuple[str, str], ...]:
    """List the kinds of spaces with their words, the likely one first and marked."""
    others = tuple((kind.value, kind.words) for kind in READABLE if kind != likely)
    if likely not in READABLE:
        return others
    return (likely, say("{what} (likely)", what=KINDS[likely].words)), *others
