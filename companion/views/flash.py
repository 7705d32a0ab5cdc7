"""Flashes: events that fill a page for a moment; and the card that is to be read.

A *flash* shows a guess at the vault on a phone, or a *peak* of the evening on the
table's screen: a lot that was sold, a bankruptcy, a whole colour, a fake that was
found. A drawn card is no flash: it stays on the page until the player who drew it
moves, or somebody rolls. Both are taken from the newest entries of the journal, so that
nothing is shown before it is written down.
"""

from __future__ import annotations

import enum
from collections.abc import Sequence

import msgspec

# The modules of events: d deeds, p play, v what lies in the vault.
from companion.edition.shape import Group
from companion.game import Game
from companion.game import deed_events as d
from companion.game import play_events as p
from companion.game import vault_contents_events as v
from companion.game.card_words import drawn_card
from companion.game.journal import Entry
from companion.game.rulebook import STREET
from companion.game.stage import Stage
from companion.units import Revision
from companion.views.badge import Badge, badge_of
from companion.views.challenge import FoundFake, find_fake
from companion.views.deed import DeedView, small_view
from companion.views.history import names_of
from companion.views.turn_buttons import Look
from companion.views.turn_words import deck_name
from companion.words import capital, say
from companion.words.common import common
from companion.words.money import dollars_text


class Kind(enum.StrEnum):
    """The kind of event; pages give each a look, a sound and a buzz of its own."""

    WRONG = "wrong"  # A wrong guess at the vault.
    OPEN = "open"  # A right guess.
    CAUGHT = "caught"  # A fake was found.
    SOLD = "sold"  # The hammer fell.
    BANKRUPT = "bankrupt"
    WHOLE = "whole"  # Somebody owns a whole colour.


HEADLINES = {
    Kind.WRONG: say("No!"),
    Kind.OPEN: say("Open!"),
    Kind.CAUGHT: say("Caught!"),
    Kind.SOLD: say("Sold!"),
    Kind.BANKRUPT: say("Bankrupt!"),
    Kind.WHOLE: say("A whole colour!"),
}
"""The headline of a flash, by its kind."""


class Flash(msgspec.Struct, frozen=True):
    """An event that fills a page for a moment.

    Attributes:
        revision: The revision of its entry.
        words: What happened, as a sentence.
        more: What else it brought about, as a second sentence; mostly empty.
        who: The player who guessed, found a fake, bought, or is bankrupt.
        whose: The player whose fake was found; else ``None``.
        deeds: The lot that was sold, or the deeds of the colour.
        building: The kind of the building that was sold; else empty.
    """

    revision: Revision
    kind: Kind
    words: str
    who: Badge
    whose: Badge | None = None
    deeds: tuple[DeedView, ...] = ()
    building: str = ""
    more: str = ""

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
            if isinstance(event, v.GuessMade) and event.seat == seat:
                kind = Kind.OPEN if event.is_right else Kind.WRONG
                words = right if event.is_right else wrong
                flashes.append(Flash(entry.revision, kind, words, who))
    return tuple(flashes)


FRESH_MS = 5_000
"""A screen that shows an entry later than this was away, and plays no peak of it."""


def peaks(
    game: Game,
    groups: Sequence[Group],
    entries: Sequence[Entry],
    undone: frozenset[Revision],
    now_ms: int,
) -> tuple[Flash, ...]:
    """Return the peaks of the last seconds, the oldest first, one for an entry at most.

    Args:
        game: The game as it stands.
        groups: The groups of its edition, for the colours of deeds.
        entries: The newest entries of the game, the oldest first.
        undone: The revisions of the entries that were taken back.
        now_ms: The time by the table's clock.
    """
    fresh = (
        entry
        for entry in entries
        if entry.revision not in undone and now_ms - entry.at_ms < FRESH_MS
    )
    found = (_peak(game, groups, entry) for entry in fresh)
    return tuple(peak for peak in found if peak is not None)


def _peak(game: Game, groups: Sequence[Group], entry: Entry) -> Flash | None:
    if fake := find_fake(entry):
        return _catch(game, entry, fake)
    if game.play is None or not game.is_guided:
        return None
    look = Look(game, "")
    whole = _completed(look, groups, entry)
    for event in entry.events:
        if isinstance(event, p.SeatBankrupted) and not event.has_resigned:
            return _ruin(look, entry, event)
        if isinstance(event, d.LotSold):
            return _sale(look, groups, entry, event, whole)
    return whole


def _ruin(look: Look, entry: Entry, event: p.SeatBankrupted) -> Flash:
    who = badge_of(look.game, event.seat)
    heir = badge_of(look.game, event.creditor).name
    words = say("{who} is out. {heir} gets what is left.", who=who.name, heir=heir)
    return Flash(entry.revision, Kind.BANKRUPT, words, who)


def _sale(
    look: Look,
    groups: Sequence[Group],
    entry: Entry,
    event: d.LotSold,
    whole: Flash | None,
) -> Flash:
    who, at = badge_of(look.game, event.seat), look.board.index.get(event.lot)
    price = dollars_text(event.amount)
    lot = look.name(common(event.lot))
    words = say("{who} gets {lot} for {price}.", who=who.name, lot=lot, price=price)
    return Flash(
        entry.revision,
        Kind.SOLD,
        words,
        who,
        deeds=() if at is None else (small_view(look, groups, at),),
        building=event.lot if at is None else "",
        more="" if whole is None else whole.words,
    )


TAKEN = (d.DeedBought, d.DeedPassed, v.DeedUnlocked)
"""The kinds of events in which a seat gets a deed, besides a lot that is sold."""


def _completed(look: Look, groups: Sequence[Group], entry: Entry) -> Flash | None:
    """Return the flash of a colour of which a seat owns all streets since *entry*."""
    for event in entry.events:
        if isinstance(event, TAKEN):
            at = look.board.index[event.deed]
        elif isinstance(event, d.LotSold) and event.lot in look.board.index:
            at = look.board.index[event.lot]
        else:
            continue
        members, owners = look.board.members[at], look.play.owners
        is_colour = look.board.rules.deeds[at].kind == STREET and len(members) > 1
        if is_colour and all(owners[other] == event.seat for other in members):
            who = badge_of(look.game, event.seat)
            deeds = tuple(small_view(look, groups, other) for other in members)
            words = say(
                "{who} gets all of {group}.", who=who.name, group=deeds[0].band.name
            )
            return Flash(entry.revision, Kind.WHOLE, words, who, deeds=deeds)
    return None


def _catch(game: Game, entry: Entry, fake: FoundFake) -> Flash:
    who = badge_of(game, fake.inspector)
    returns = (event for event in entry.events if isinstance(event, p.CardReturned))
    returned = next(returns, None)
    if returned:
        whose = badge_of(game, returned.seat)
        words = say("{who} caught {whose}'s fake card.", who=who.name, whose=whose.name)
    else:
        whose = badge_of(game, fake.payer)
        words = say(
            "{who} caught {whose}'s fake {amount} note.",
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
