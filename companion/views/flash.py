"""Flashes: events that fill a page for a moment; and the card that is to be read.

A *flash* shows a guess at the vault, or a fake note or card that was found. A drawn
card is no flash: it stays on the page until the player who drew it moves, or somebody
rolls. Both are taken from the newest entries of the journal, so that nothing is shown
before it is written down.
"""

from __future__ import annotations

import enum
from collections.abc import Sequence

import msgspec

from companion.game import Game
from companion.game import play_events as p
from companion.game.card_words import drawn_card
from companion.game.journal import Entry
from companion.game.stage import Stage
from companion.game.vault_contents_events import GuessMade
from companion.units import Revision
from companion.views.badge import Badge, badge_of
from companion.views.challenge import FoundFake, find_fake
from companion.views.history import names_of
from companion.views.turn_words import deck_name
from companion.words import capital, say
from companion.words.money import dollars_text


class Kind(enum.StrEnum):
    """The kind of event; pages give each a look, a sound and a buzz of its own."""

    WRONG = "wrong"  # A wrong guess at the vault.
    OPEN = "open"  # A right guess.
    CAUGHT = "caught"  # A fake was found.


HEADLINES = {
    Kind.WRONG: say("No!"),
    Kind.OPEN: say("Open!"),
    Kind.CAUGHT: say("Caught!"),
}
"""The headline of a flash, by its kind."""


class Flash(msgspec.Struct, frozen=True):
    """An event that fills a page for a moment.

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
        """A word that can be read across the room."""
        return HEADLINES[self.kind]


def guesses_of(seat: str, game: Game, entries: Sequence[Entry]) -> tuple[Flash, ...]:
    """Return the guesses at the vault that *seat* made in *entries*."""
    who = badge_of(game, seat)
    right, wrong = say("Your number opens the vault."), say("The vault stays locked.")
    flashes = []
    for entry in entries:
        for event in entry.events:
            if isinstance(event, GuessMade) and event.seat == seat:
                kind = Kind.OPEN if event.is_right else Kind.WRONG
                words = right if event.is_right else wrong
                flashes.append(Flash(entry.revision, kind, words, who))
    return tuple(flashes)


def catches(game: Game, entries: Sequence[Entry]) -> tuple[Flash, ...]:
    """Return the fakes that were found in *entries*, each with finder and owner."""
    return tuple(
        _catch(game, entry, fake) for entry in entries if (fake := find_fake(entry))
    )


def _catch(game: Game, entry: Entry, fake: FoundFake) -> Flash:
    who = badge_of(game, fake.inspector)
    returns = (event for event in entry.events if isinstance(event, p.CardReturned))
    returned = next(returns, None)
    if returned:
        whose = badge_of(game, returned.seat)
        words = say(
            "{who} found a fake card of {whose}.", who=who.name, whose=whose.name
        )
    else:
        whose = badge_of(game, fake.payer)
        words = say(
            "{who} found a fake note of {whose}: {amount}.",
            who=who.name,
            whose=whose.name,
            amount=dollars_text(fake.amount),
        )
    return Flash(entry.revision, Kind.CAUGHT, words, who, whose)


class CardRead(msgspec.Struct, frozen=True):
    """A drawn card, to be read by everybody.

    Attributes:
        seat: The seat that drew it.
        who: That seat's badge.
        deck: The id of its deck; empty if the draw is older than the newest entries.
        deck_name: What people call the deck; empty if *deck* is.
        text: What the card says, in our own words.
    """

    seat: str
    who: Badge
    deck: str
    deck_name: str
    text: str


ROLLS = (p.DiceRolled, p.RentRolled, p.JailTried)
"""The kinds of events in which dice were rolled."""


def card_read(
    game: Game, entries: Sequence[Entry], undone: frozenset[Revision]
) -> CardRead | None:
    """Return the card to be read now; ``None`` if there is none.

    Args:
        game: The game as it stands; the companion leads it.
        entries: Its newest entries, the oldest first.
        undone: The revisions of the entries that were taken back.
    """
    play, board = game.play, game.board
    if play is None or board is None:
        return None
    drawn = _find_drawn([entry for entry in entries if entry.revision not in undone])
    if drawn is not None:
        return _card(game, drawn.seat, drawn.deck, drawn.card)
    # While the card's choice is awaited, its draw may become older than these entries.
    if play.stage is Stage.CHOOSE and board.card(play.awaited) is not None:
        return _card(game, play.mover.seat, "", play.awaited)
    return None


def _card(game: Game, seat: str, deck: str, card: str) -> CardRead:
    text = capital(drawn_card(names_of(game), card))
    return CardRead(seat, badge_of(game, seat), deck, deck_name(deck), text)


def _find_drawn(entries: Sequence[Entry]) -> p.CardDrawn | p.CardNamed | None:
    """Find the newest card since the last roll, if its drawer has not moved since."""
    active_since = set()  # Who has made an entry later than the one looked at.
    for entry in reversed(entries):
        for event in reversed(entry.events):
            if isinstance(event, ROLLS):
                return None
            if isinstance(event, p.CardDrawn | p.CardNamed):
                return None if event.seat in active_since else event
        active_since.add(entry.actor)
    return None
