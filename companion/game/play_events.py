"""The events of guided play: everything that can have happened, in the past tense.

The first event of an entry is the act itself, with all that was given for it, so
a recorded game can be written as a script again; the others are its consequences.
Money moves by ``MoneyMoved``, never by one of these.
"""

from __future__ import annotations

from companion.game.deed_events import DeedEvent
from companion.game.event import Event
from companion.game.ledger import Reason
from companion.game.position import Position
from companion.game.rulebook import Rulebook
from companion.game.vault_contents_events import VaultContentsEvent
from companion.units import Account, DeedId, Dollars, Seat


class PlayBegun(Event, frozen=True, tag=True, kw_only=True):
    """The companion leads; everybody stands on GO."""

    rules: Rulebook
    seats: tuple[Seat, ...]


class PlayRested(Event, frozen=True, tag=True, kw_only=True):
    """The table went on by hand; the position is kept."""


class PlayResumed(Event, frozen=True, tag=True, kw_only=True):
    """The companion leads again; seats that *joined* play last, from GO."""

    joined: tuple[Seat, ...] = ()


class DiceRolled(Event, frozen=True, tag=True, kw_only=True):
    """The mover rolled for its turn."""

    seat: Seat
    dice: tuple[int, ...]
    special: str = ""


class RentRolled(Event, frozen=True, tag=True, kw_only=True):
    """The mover rolled for a rent that needs fresh dice."""

    seat: Seat
    dice: tuple[int, ...]


class TokenMoved(Event, frozen=True, tag=True, kw_only=True):
    """A token came to stand on the space with this board number."""

    seat: Seat
    space: int


class SentToJail(Event, frozen=True, tag=True, kw_only=True):
    """A seat went to jail; its turn is over."""

    seat: Seat
    space: int


class JailTried(Event, frozen=True, tag=True, kw_only=True):
    """A seat failed to roll its way out."""

    seat: Seat


class JailLeft(Event, frozen=True, tag=True, kw_only=True):
    """A seat is out of jail.

    Attributes:
        how: ``paid``, ``card``, ``doubles`` or ``attempts``.
        ends_turn: Whether nothing more happens in this turn.
    """

    seat: Seat
    how: str
    ends_turn: bool = False


class WalkAwaited(Event, frozen=True, tag=True, kw_only=True):
    """The mover still has to go this far, once its debt is paid."""

    spaces: int


class CardAwaited(Event, frozen=True, tag=True, kw_only=True):
    """The mover has to draw from this deck."""

    deck: str


class RentRollAwaited(Event, frozen=True, tag=True, kw_only=True):
    """The mover has to roll for this deed's rent."""

    deed: DeedId
    times: int
    is_card_dice: bool


class RentFellDue(Event, frozen=True, tag=True, kw_only=True):
    """The mover landed on an owner's deed; the owner may ask.

    Attributes:
        amount: ``None`` if a figure is unknown.
    """

    seat: Seat
    owner: Seat
    deed: DeedId
    amount: Dollars | None


class RentAsked(Event, frozen=True, tag=True, kw_only=True):
    """The owner asked for the rent of a landing."""

    owner: Seat
    seat: Seat
    deed: DeedId


class DebtOwed(Event, frozen=True, tag=True, kw_only=True):
    """A seat could not pay, and has to raise the money."""

    debtor: Seat
    creditor: Account
    amount: Dollars
    reason: Reason


class DebtPaid(Event, frozen=True, tag=True, kw_only=True):
    """A seat paid the oldest of its debts."""

    debtor: Seat


class CardDrawn(Event, frozen=True, tag=True, kw_only=True):
    """The table's own deck gave this card; nobody had seen it before."""

    seat: Seat
    deck: str
    card: str


class CardNamed(Event, frozen=True, tag=True, kw_only=True):
    """This card came from the real deck."""

    seat: Seat
    deck: str
    card: str


class CardPassed(Event, frozen=True, tag=True, kw_only=True):
    """A kept card changed hands."""

    card: str
    giver: Seat
    taker: Seat


class CardReturned(Event, frozen=True, tag=True, kw_only=True):
    """A kept card went back under its deck."""

    seat: Seat
    card: str


class DicePassed(Event, frozen=True, tag=True, kw_only=True):
    """Everything that followed from the last roll is settled; this seat rolls next."""

    seat: Seat


class DiceHandedBack(Event, frozen=True, tag=True, kw_only=True):
    """The unknown space where this seat came to rest was read; its effect comes now."""

    seat: Seat


class SeatBankrupted(Event, frozen=True, tag=True, kw_only=True):
    """A seat is out of the game."""

    seat: Seat
    creditor: Account
    has_resigned: bool = False


class TimeCalled(Event, frozen=True, tag=True, kw_only=True):
    """The agreed time was over."""


class PlayEnded(Event, frozen=True, tag=True, kw_only=True):
    """The game is over.

    Attributes:
        winners: More than one if they are equally rich.
        scores: Every seat's score, as the rule sheet counts it.
        unknown: Deeds with an unknown figure, which counted as 0.
    """

    winners: tuple[Seat, ...]
    scores: tuple[tuple[Seat, int], ...]
    unknown: tuple[DeedId, ...] = ()


class PositionGiven(Event, frozen=True, tag=True, kw_only=True):
    """The table was put into this position before it began to play."""

    words: tuple[str, ...]
    position: Position


class PositionCorrected(Event, frozen=True, tag=True, kw_only=True):
    """The table agreed that it stands like this."""

    words: tuple[str, ...]
    position: Position


PlayEvent = (
    PlayBegun
    | PlayRested
    | PlayResumed
    | DiceRolled
    | RentRolled
    | TokenMoved
    | SentToJail
    | JailTried
    | JailLeft
    | WalkAwaited
    | CardAwaited
    | RentRollAwaited
    | RentFellDue
    | RentAsked
    | DebtOwed
    | DebtPaid
    | CardDrawn
    | CardNamed
    | CardPassed
    | CardReturned
    | DicePassed
    | DiceHandedBack
    | SeatBankrupted
    | TimeCalled
    | PlayEnded
    | PositionGiven
    | PositionCorrected
    | DeedEvent
    | VaultContentsEvent
)
"""Every event of guided play."""

HIDDEN_DRAWS = (CardDrawn,)
"""Events that showed a card which nobody had seen before."""
