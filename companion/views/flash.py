"""What just happened and is worth a moment of its own, large and over all else.

It comes from the newest entries alone, so nothing is shown before it is written down. A
card is no moment: it stays to be read until its drawer does something, or somebody
rolls.
"""

from __future__ import annotations

import enum
from collections.abc import Sequence

import msgspec

from companion.examining import FAKE
from companion.game import Game
from companion.game import events as e
from companion.game import play_events as p
from companion.game.card_words import drawn_card
from companion.game.decoder_events import VerdictGiven
from companion.game.journal import Entry
from companion.game.ledger import Reason
from companion.game.stage import Stage
from companion.game.vault_contents_events import GuessMade
from companion.units import Revision
from companion.views.history import names_of
from companion.views.received import Payer, payer_of
from companion.words import capital, say
from companion.words.common import common
from companion.words.money import dollars_text


class Kind(enum.StrEnum):
    """What it was; pages give each a look, a sound and a buzz of its own."""

    WRONG = "wrong"
    OPEN = "open"
    CAUGHT = "caught"


HEADLINES = {
    Kind.WRONG: say("No!"),
    Kind.OPEN: say("Open!"),
    Kind.CAUGHT: say("Caught!"),
}
"""Each in a word."""


class Flash(msgspec.Struct, frozen=True):
    """Something that fills a page for a moment.

    Attributes:
        revision: The entry that tells it.
        words: What happened, as a sentence.
        who: Who did it.
        whose: Whose fake was found; ``None`` where nothing was.
    """

    revision: Revision
    kind: Kind
    words: str
    who: Payer
    whose: Payer | None = None

    @property
    def headline(self) -> str:
        """The same in a word, to be read across the room."""
        return HEADLINES[self.kind]


def guesses_of(seat: str, game: Game, entries: Sequence[Entry]) -> tuple[Flash, ...]:
    """Return the guesses at the vault that *seat* made in *entries*."""
    return tuple(
        Flash(
            entry.revision,
            Kind.OPEN if event.is_right else Kind.WRONG,
            say("Your number opens the vault.")
            if event.is_right
            else say("The vault stays locked."),
            payer_of(game, seat),
        )
        for entry in entries
        for event in entry.events
        if isinstance(event, GuessMade) and event.seat == seat
    )


def catches(game: Game, entries: Sequence[Entry]) -> tuple[Flash, ...]:
    """Return the fakes that were found in *entries*: by whom, and whose they were."""
    return tuple(
        _catch(game, entry, event)
        for entry in entries
        if any(isinstance(x, VerdictGiven) and x.verdict == FAKE for x in entry.events)
        for event in entry.events
        if isinstance(event, e.MoneyMoved) and event.reason is Reason.FAKE
    )


def _catch(game: Game, entry: Entry, taken: e.MoneyMoved) -> Flash:
    """Tell of a fake, for which *taken* goes to its finder: the note, or a reward."""
    cards = (x for x in entry.events if isinstance(x, p.CardReturned))
    card = next(cards, None)
    who, whose = (
        payer_of(game, taken.payee),
        payer_of(game, card.seat if card else taken.payer),
    )
    words = (
        say("{who} found a fake card of {whose}.", who=who.name, whose=whose.name)
        if card
        else say(
            "{who} found a fake note of {whose}: {amount}.",
            who=who.name,
            whose=whose.name,
            amount=dollars_text(taken.amount),
        )
    )
    return Flash(entry.revision, Kind.CAUGHT, words, who, whose)


class CardRead(msgspec.Struct, frozen=True):
    """A card that was drawn, to be read by everybody.

    Attributes:
        seat: Who drew it.
        deck: The word for its deck, and what people call it; both empty where nobody
            remembers that.
        text: What it says, in our own words.
    """

    seat: str
    who: Payer
    deck: str
    deck_name: str
    text: str


ROLLS = (p.DiceRolled, p.RentRolled, p.JailTried)


def card_read(
    game: Game, entries: Sequence[Entry], undone: frozenset[Revision]
) -> CardRead | None:
    """The card that matters now; ``None`` if none was drawn since the last roll.

    Args:
        game: The game as it stands, guided.
        entries: Its newest entries, the oldest first.
        undone: Those of them that were taken back.
    """
    play, board = game.play, game.board
    if play is None or board is None:
        return None
    drawn = _drawn([one for one in entries if one.revision not in undone])
    if drawn is not None:
        return _read(game, drawn.seat, drawn.deck, drawn.card)
    if play.stage is Stage.CHOOSE and board.card(play.awaited) is not None:
        return _read(game, play.mover.seat, "", play.awaited)
    return None


def _read(game: Game, seat: str, deck: str, card: str) -> CardRead:
    text = capital(drawn_card(names_of(game), card))
    name = common(deck.replace("-", " ").title())
    return CardRead(seat, payer_of(game, seat), deck, name, text)


def _drawn(entries: Sequence[Entry]) -> p.CardDrawn | p.CardNamed | None:
    """Find the newest card, unless somebody rolled or its drawer went on since."""
    busy = set()
    for entry in reversed(entries):
        for event in reversed(entry.events):
            if isinstance(event, ROLLS):
                return None
            if isinstance(event, p.CardDrawn | p.CardNamed):
                return None if event.seat in busy else event
        busy.add(entry.actor)
    return None
