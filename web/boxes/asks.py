"""Questions that a page asks the owner of a box: figures to read off the real box."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from companion.edition import Edition
from companion.edition.figures import Figure, figures
from companion.edition.labels import label_of
from companion.edition.own import OWN_BOX, askable
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
    """A figure that the owner of the box can read off it.

    Attributes:
        key: The key of the figure in edition files.
        words: What the figure is, in words.
        said: What was read off the box already; empty if nothing was.
        likely: What it probably is, or ``None`` where nothing suggests an amount.
        like: The name of the other deed that suggests it; empty if none does.
        kinds: What can be printed on a space, each kind with its words, the likely
            one first; empty for amounts.
    """

    key: str
    words: str
    said: str = ""
    likely: Dollars | None = None
    like: str = ""
    kinds: tuple[tuple[str, str], ...] = ()


class Line(msgspec.Struct, frozen=True):
    """A line as it is printed: a figure that is known, or one that is asked for."""

    words: str
    said: tuple[str, ...] = ()
    blank: Blank | None = None


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """A deed, card or space, and the figures of it that the box can tell.

    Attributes:
        lines: All that is printed there, in that order, as far as it is listed.
        band: The coloured head of a deed; ``None`` for others.
    """

    of: str
    words: str
    lines: tuple[Line, ...]
    band: Band | None = None

    @property
    def blanks(self) -> tuple[Blank, ...]:
        """The figures that are asked for, known by now or not."""
        return tuple(line.blank for line in self.lines if line.blank)

    @property
    def left(self) -> int:
        """How many of its figures nobody knows."""
        return sum(not blank.said for blank in self.blanks)

    @property
    def is_begun(self) -> bool:
        """Whether some of it was read already."""
        return self.left < len(self.blanks)


class AskGroup(msgspec.Struct, frozen=True, kw_only=True):
    """Questions about things that lie together in the box, such as a group's deeds."""

    words: str
    asks: tuple[Question, ...]
    band: Band | None = None

    @property
    def left(self) -> int:
        """How many of its figures nobody knows."""
        return sum(ask.left for ask in self.asks)

    def is_likely_open(self, in_play: Mapping[str, Dollars | None]) -> bool:
        """Whether a game could play with more of what is likely than it does."""
        keys = {blank.key for ask in self.asks for blank in ask.blanks}
        return any(in_play[key] is None for key in keys & in_play.keys())


def asks(base: Edition, edition: Edition) -> tuple[AskGroup, ...]:
    """Everything that whoever has the box can read off it, deeds first.

    Args:
        base: The edition as it comes with the program: what it lacks is asked for.
        edition: The same edition with what was read off the box already.
    """
    wanted = frozenset(askable(base))
    # What they probably are is offered as a tap, never used as data.
    likely = {one.key: one for one in unknown_figures(snapshot(edition))}
    printed = _printed(edition)
    groups = []
    for group in edition.groups:
        band = band_of(edition.groups, group.id)
        found = [
            _ask_deed(edition, printed[deed.id], band, wanted, likely)
            for deed in edition.members(group.id)
            if any(one.key in wanted for one in printed[deed.id])
        ]
        if found:
            groups.append(AskGroup(words=band.name, asks=tuple(found), band=band))
    cards = tuple(_ask_cards(edition, wanted))
    spaces = tuple(_ask_spaces(edition, wanted))
    more = ((say("Cards"), cards), (say("Spaces"), spaces))
    groups += [AskGroup(words=words, asks=found) for words, found in more if found]
    return tuple(groups)


Wanted = frozenset[str]
Likely = Mapping[str, Unknown]


def _ask_deed(
    edition: Edition, printed: list[Figure], band: Band, wanted: Wanted, likely: Likely
) -> Question:
    deed, lines = edition.deed(printed[0].of), []
    for figure in printed:
        words, guess = label_of("deed", figure.name), likely.get(figure.key)
        if figure.key not in wanted:
            lines.append(Line(words, value_words(edition, figure)))
            continue
        value = getattr(deed, figure.name)
        blank = Blank(
            key=figure.key,
            words=words,
            said="" if value is None else dollars_text(value),
            likely=guess.likely if guess else None,
            like=edition.deed(guess.like).name if guess and guess.like else "",
        )
        lines.append(Line(words, blank=blank))
    return Question(of=deed.id, words=deed.name, lines=tuple(lines), band=band)


def _printed(edition: Edition) -> dict[str, list[Figure]]:
    """Return by deed its amounts, in the order in which its card has them.

    Rents come first, then what building costs, then the mortgage.
    """
    found: dict[str, list[Figure]] = {}
    for one in figures(edition):
        if one.part == "deed" and one.name in DEED_FIGURES:
            found.setdefault(one.of, []).append(one)

    def place(one: Figure) -> int:
        return 0 if one.name.startswith("rent") else 2 if "mortgage" in one.name else 1

    return {deed: sorted(listed, key=place) for deed, listed in found.items()}


def _ask_cards(edition: Edition, wanted: Wanted) -> Iterator[Question]:
    for deck in edition.decks:
        for number, card in enumerate(edition.cards_of(deck.id), 1):
            key = key_of("card", card.id, "amount")
            if key not in wanted:
                continue
            said = "" if card.amount is None else dollars_text(card.amount)
            words = say("{deck}, card {number}", deck=common(deck.name), number=number)
            said_of_it = ("effect", "to", "kind", "times")
            known = {name: getattr(card, name) for name in said_of_it}
            (does,) = card_words(edition, known)[:1] or ("",)
            blank = Blank(key=key, words=capital(does), said=said)
            lines = (Line(blank.words, blank=blank),)
            yield Question(of=card.id, words=words, lines=lines)


def _ask_spaces(edition: Edition, wanted: Wanted) -> Iterator[Question]:
    for space in edition.spaces:
        of = str(space.number)
        key = key_of("space", of, "kind")
        if key not in wanted:
            continue
        is_read = OWN_BOX in edition.provenance(f"space.{of}").sources
        blank = Blank(
            key=key,
            words=label_of("space", "kind"),
            said=space.kind.words if is_read else "",
            kinds=_kinds(space.kind_candidate or ""),
        )
        words = say(
            "Space {number}, between {before} and {after}",
            number=space.number,
            before=edition.spaces[space.number - 1].name,
            after=edition.spaces[(space.number + 1) % len(edition.spaces)].name,
        )
        yield Question(of=of, words=words, lines=(Line(blank.words, blank=blank),))


def _kinds(likely: str) -> tuple[tuple[str, str], ...]:
    """What can be printed on a space, with its words; the likely kind first, marked."""
    found = tuple((kind.value, kind.words) for kind in READABLE if kind != likely)
    if likely not in READABLE:
        return found
    return (likely, say("{what} (likely)", what=KINDS[likely].words)), *found
