"""Events of the newest entries that fill a page for a moment, and the card to be read.

Nothing is shown before it is written down. A card is no such moment: it stays to be
read until its drawer does something, or somebody rolls.
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
from companion.views.badge import Badge, badge_of
from companion.views.history import names_of
from companion.views.turn_words import deck_name
from companion.words import capital, say
from companion.words.money import dollars_text


class Kind(enum.StrEnum):
    """The kind of event; pages give each a look, a sound and a buzz of its own."""

    WRONG = "wrong"
    OPEN = "open"
    CAUGHT = "caught"


HEADLINES = {
    Kind.WRONG: say("No!"),
    Kind.OPEN: say("Open!"),
    Kind.CAUGHT: say("Caught!"),
}
"""Each kind in a word."""


class Flash(msgspec.Struct, frozen=True):
    """Something that fills a page for a moment.

    Attributes:
        revision: The revision of its entry.
        words: What happened, as a sentence.
        who: The player who guessed, or who found a fake.
        whose: The player whose fake was found; ``None`` for a guess.
    """

    revision: Revision
    kind: Kind
    words: str
    who: Badge
    whose: Badge | None = None

    @property
    def headline(self) -> str:
        """A word for it that can be read across the room."""
        return HEADLINES[self.kind]


def guesses_of(seat: str, game: Game, entries: Sequence[Entry]) -> tuple[Flash, ...]:
    """Return the guesses at the vault that *seat* made in *entries*."""
    who = badge_of(game, seat)
    right, wrong = say("Your number opens the vault."), say("The vault stays locked.")
    return tuple(
        Flash(entry.revision, Kind.OPEN, right, who)
        if event.is_right
        else Flash(entry.revision, Kind.WRONG, wrong, who)
        for entry in entries
        for event in entry.events
        if isinstance(event, GuessMade) and event.seat == seat
    )


def catches(game: Game, entries: Sequence[Entry]) -> tuple[Flash, ...]:
    """Return the fakes that were found in *entries*, each with finder and owner."""
    return tuple(
        _catch(game, entry, event)
        for entry in entries
        if any(isinstance(x, VerdictGiven) and x.verdict == FAKE for x in entry.events)
        for event in entry.events
        if isinstance(event, e.MoneyMoved) and event.reason is Reason.FAKE
    )


def _catch(game: Game, entry: Entry, taken: e.MoneyMoved) -> Flash:
    """Tell of a fake; *taken* is the money for the finder: the note, or a reward."""
    who = badge_of(game, taken.payee)
    card = next((x for x in entry.events if isinstance(x, p.CardReturned)), None)
    if card:
        whose = badge_of(game, card.seat)
        words = say(
            "{who} found a fake card of {whose}.", who=who.name, whose=whose.name
        )
    else:
        whose = badge_of(game, taken.payer)
        words = say(
            "{who} found a fake note of {whose}: {amount}.",
            who=who.name,
            whose=whose.name,
            amount=dollars_text(taken.amount),
        )
    return Flash(entry.revision, Kind.CAUGHT, words, who, whose)


class CardRead(msgspec.Struct, frozen=True):
    """A card that was drawn, to be read by everybody.

    Attributes:
        seat: The seat that drew it.
        who: That seat's badge.
        deck: The id of its deck; empty if that is not known any more.
        deck_name: What people call the deck; likewise.
        text: What the card says, in our own words.
    """

    seat: str
    who: Badge
    deck: str
    deck_name: str
    text: str


ROLLS = (p.DiceRolled, p.RentRolled, p.JailTried)


def card_read(
    game: Game, entries: Sequence[Entry], undone: frozenset[Revision]
) -> CardRead | None:
    """Return the card to be read now; ``None`` if none was drawn since the last roll.

    Args:
        game: The game as it stands, guided.
        entries: Its newest entries, the oldest first.
        undone: The revisions of those that were taken back.
    """
    play, board = game.play, game.board
    if play is None or board is None:
        return None
    drawn = _drawn([entry for entry in entries if entry.revision not in undone])
    if drawn is not None:
        return _read(game, drawn.seat, drawn.deck, drawn.card)
    if play.stage is Stage.CHOOSE and board.card(play.awaited) is not None:
        return _read(game, play.mover.seat, "", play.awaited)
    return None


def _read(game: Game, seat: str, deck: str, card: str) -> CardRead:
    text = capital(drawn_card(names_of(game), card))
    return CardRead(seat, badge_of(game, seat), deck, deck_name(deck), text)


def _drawn(entries: Sequence[Entry]) -> p.CardDrawn | p.CardNamed | None:
    """Find the newest card, unless somebody rolled or its drawer went on since then."""
    went_on = set()
    for entry in reversed(entries):
        for event in reversed(entry.events):
            if isinstance(event, ROLLS):
                return None
            if isinstance(event, p.CardDrawn | p.CardNamed):
                return None if event.seat in went_on else event
        went_on.add(entry.actor)
    return None
