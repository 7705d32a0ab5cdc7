"""Questions that a page asks the owner of a box: figures to read off the real box."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from companion.edition import Edition
from companion.edition.labels import label_of
from companion.edition.own import OWN_BOX, askable
from companion.edition.snapshot import snapshot
from companion.game.box_key import key_of, taken_apart
from companion.game.rulebook import Unknown
from companion.game.spaces import KINDS, READABLE
from companion.game.unknown_figures import unknown_figures
from companion.units import Dollars
from companion.views.deed import Band
from companion.words import capital, say
from companion.words.common import common
from companion.words.money import dollars_text
from web.boxes.blocks import band_of
from web.boxes.words import card_words


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


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """A deed, card or space, and the figures of it that the box can tell."""

    of: str
    words: str
    blanks: tuple[Blank, ...]

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


def asks(base: Edition, edition: Edition) -> tuple[AskGroup, ...]:
    """Everything that whoever has the box can read off it, deeds first.

    Args:
        base: The edition as it comes with the program: what it lacks is asked for.
        edition: The same edition with what was read off the box already.
    """
    wanted = frozenset(askable(base))
    # What they probably are is offered as a tap, never used as data.
    likely = {one.key: one for one in unknown_figures(snapshot(edition))}
    groups = []
    for group in edition.groups:
        found = [
            _ask_deed(edition, deed.id, wanted, likely)
            for deed in edition.members(group.id)
            if any(taken_apart(key)[:2] == ("deed", deed.id) for key in wanted)
        ]
        if found:
            band = band_of(edition, group.id)
            groups.append(AskGroup(words=band.name, asks=tuple(found), band=band))
    cards = tuple(_ask_cards(edition, wanted))
    spaces = tuple(_ask_spaces(edition, wanted))
    more = ((say("Cards"), cards), (say("Spaces"), spaces))
    groups += [AskGroup(words=words, asks=found) for words, found in more if found]
    return tuple(groups)


Wanted = frozenset[str]
Likely = Mapping[str, Unknown]


def _ask_deed(
    edition: Edition, deed_id: str, wanted: Wanted, likely: Likely
) -> Question:
    deed = edition.deed(deed_id)
    blanks = []
    for name in deed.__struct_fields__:
        key = key_of("deed", deed_id, name)
        if key in wanted:
            value, guess = getattr(deed, name), likely.get(key)
            blanks.append(
                Blank(
                    key=key,
                    words=label_of("deed", name),
                    said="" if value is None else dollars_text(value),
                    likely=guess.likely if guess else None,
                    like=edition.deed(guess.like).name if guess and guess.like else "",
                )
            )
    return Question(of=deed_id, words=deed.name, blanks=tuple(blanks))


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
            yield Question(of=card.id, words=words, blanks=(blank,))


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
        yield Question(of=of, words=words, blanks=(blank,))


def _kinds(likely: str) -> tuple[tuple[str, str], ...]:
    """What can be printed on a space, with its words; the likely kind first, marked."""
    found = tuple((kind.value, kind.words) for kind in READABLE if kind != likely)
    if likely not in READABLE:
        return found
    return (likely, say("{what} (likely)", what=KINDS[likely].words)), *found
