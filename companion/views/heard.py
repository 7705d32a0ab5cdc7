"""The sounds and the spoken sentences of an entry on the table's screen.

If people want it to, the screen speaks the events that everybody at the table should
notice. An *entry* of the journal holds the events of one move.
"""

from __future__ import annotations

import enum

import msgspec

# The modules of events: d deeds, e all games, f fakes, p play, r riches, t tickets.
from companion.game import decoder_events as f
from companion.game import deed_events as d
from companion.game import events as e
from companion.game import play_events as p
from companion.game import ticket_events as t
from companion.game import vault_contents_events as r
from companion.game.journal import Entry
from companion.game.ledger import Reason
from companion.units import Revision
from companion.views.history import sentence
from companion.views.telling import game_events
from companion.views.wording import Names


class Sound(enum.StrEnum):
    """The sounds of a game; the vault has its own, one for each of its scenes."""

    DICE = "dice"
    COINS = "coins"
    BID = "bid"
    GAVEL = "gavel"
    WON = "won"


SOUNDS: dict[type[e.Event], Sound] = {
    p.DiceRolled: Sound.DICE,
    p.RentRolled: Sound.DICE,
    p.JailTried: Sound.DICE,
    e.MoneyMoved: Sound.COINS,
    f.PaymentLaid: Sound.BID,
    f.CardLaid: Sound.BID,
    f.ChipSpent: Sound.GAVEL,
    d.AuctionOpened: Sound.GAVEL,
    d.BidMade: Sound.BID,
    d.LotSold: Sound.GAVEL,
    d.LotLeft: Sound.GAVEL,
    p.PlayEnded: Sound.WON,
}
"""The sound of each kind of event that has one."""

SPOKEN: tuple[type[e.Event], ...] = (
    p.PlayBegun,
    p.DicePassed,
    p.RentFellDue,
    t.BonusCame,
    t.TicketsExpired,
    t.TicketUsed,
    f.PaymentLaid,
    f.CardLaid,
    f.ChipSpent,
    f.VerdictGiven,
    r.GuessAwaited,
    r.GuessMade,
    r.GuessDeclined,
    r.RichesTaken,
    r.VaultRefilled,
    d.LotSold,
    p.SeatBankrupted,
    p.PlayEnded,
)
"""The kinds of events that are spoken; so are payments of rent."""


class Heard(msgspec.Struct, frozen=True):
    """The sounds and the spoken sentences of an entry.

    Attributes:
        sounds: Each sound once, in the order of the events.
        spoken: Sentences without a full stop.
    """

    revision: Revision
    sounds: tuple[Sound, ...]
    spoken: tuple[str, ...]


def heard(entry: Entry, names: Names) -> Heard:
    """Return the sounds and spoken sentences of *entry*; an undo has none.

    Args:
        entry: The entry.
        names: Everybody's names when it was made.
    """
    events = game_events(entry)
    sounds = [SOUNDS[type(event)] for event in events if type(event) in SOUNDS]
    spoken = [
        sentence(_as_spoken(event), names) for event in events if _is_spoken(event)
    ]
    return Heard(
        revision=entry.revision,
        sounds=tuple(dict.fromkeys(sounds)),
        spoken=tuple(filter(None, spoken)),
    )


def _as_spoken(event: e.Event) -> e.Event:
    """Return the event to speak: for the beginning of a game, the first seat's turn."""
    if isinstance(event, p.PlayBegun):
        return p.DicePassed(seat=event.seats[0])
    return event


def _is_spoken(event: e.Event) -> bool:
    is_rent = isinstance(event, e.MoneyMoved) and event.reason is Reason.RENT
    return is_rent or isinstance(event, SPOKEN)
