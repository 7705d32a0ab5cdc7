"""The events of guided play: everything that can have happened, in the past tense.

In *guided play* the companion leads: it knows tokens, deeds and dice, and says what
comes next. At other times the table plays *by hand*, and the companion is only the
bank. The *mover* is the seat with the dice.

The first event of an entry is the act itself with all its values, so that a recorded
game can be exported as a script; the others are its consequences. After an event whose
name ends in ``Awaited`` the table waits for something. Only ``MoneyMoved`` moves money.
The modules imported here have the events about deeds, the vault, fakes and bus tickets.
"""

from __future__ import annotations

from companion.game.box_key import BoxValue, split_key
from companion.game.commands import TABLE
from companion.game.decoder_events import DecoderEvent
from companion.game.deed_events import DeedEvent
from companion.game.event import Event
from companion.game.ledger import Reason
from companion.game.position import BUS, MR, Position
from companion.game.rulebook import Rulebook
from companion.game.stage import Ending
from companion.game.ticket_events import TicketEvent
from companion.game.vault_contents_events import VaultContentsEvent
from companion.units import (
    BANK,
    Account,
    CardId,
    DataWord,
    DeedId,
    Dollars,
    DrawnCardId,
    Seat,
    SpaceCount,
    SpaceNumber,
    TargetWord,
)
from companion.words import told


class PlayBegun(Event, frozen=True, kw_only=True):
    """The companion leads; everybody stands on GO."""

    rules: Rulebook
    seats: tuple[Seat, ...]

    @property
    def sentence(self) -> str:
        """The sentence, which says for how many the box is if more than that play."""
        if self.most is None or self.seat_count <= self.most:
            return told("the companion leads: all {seat_count} start on GO")
        return told(
            "the companion leads: all {seat_count} start on GO; "
            "the box is for {least} to {most}"
        )

    @property
    def least(self) -> int | None:
        """The fewest players that the box is for; ``None`` in old games."""
        return self.rules.seats.lowest if self.rules.seats else None

    @property
    def most(self) -> int | None:
        """The most players that the box is for; ``None`` in old games."""
        return self.rules.seats.highest if self.rules.seats else None

    @property
    def seat_count(self) -> int:
        """The number of seats that play."""
        return len(self.seats)


class PlayRested(Event, frozen=True, kw_only=True):
    """The table went on by hand; the position is kept."""

    sentence = told("the table goes on by hand")


class PlayResumed(Event, frozen=True, kw_only=True):
    """The companion leads again; seats that *joined* play last, from GO."""

    sentence = told("the companion leads again")
    joined: tuple[Seat, ...]


class DiceRolled(Event, frozen=True, kw_only=True):
    """The mover rolled for its turn.

    Attributes:
        dice: The numbers shown.
        special: The face of a die without a number; mostly empty.
    """

    seat: Seat
    dice: tuple[int, ...]
    special: str = ""

    @property
    def sentence(self) -> str:
        """The sentence, with the face of a die without a number if there is one."""
        return ROLL_SENTENCES.get(self.special, told("{seat} rolled {dice}"))

    @property
    def total(self) -> int:
        """The sum of the pips."""
        return sum(self.dice)

    @property
    def pips(self) -> int:
        """The pips of each die of a double."""
        return self.dice[0]


ROLL_SENTENCES = {
    "vault": told("{seat} rolled {dice} and the lock"),
    MR: told("{seat} rolled {dice} and Mr. Monopoly"),
    BUS: told("{seat} rolled {dice} and the bus"),
}
"""Face of a die without a number -> the sentence of the roll in the history."""


class RentRolled(Event, frozen=True, kw_only=True):
    """The mover rolled for a rent that needs fresh dice."""

    sentence = told("{seat} rolled {dice}")
    seat: Seat
    dice: tuple[int, ...]


class TokenMoved(Event, frozen=True, kw_only=True):
    """A token moved to the space with this board number."""

    sentence = told("{seat} landed on {space}")
    seat: Seat
    space: SpaceNumber


class SentToJail(Event, frozen=True, kw_only=True):
    """A seat went to jail; its turn is over."""

    sentence = told("{seat} went to jail")
    seat: Seat
    space: SpaceNumber


class JailTried(Event, frozen=True, kw_only=True):
    """A seat failed to roll its way out of jail."""

    sentence = told("{seat} stays in jail")
    seat: Seat


class JailLeft(Event, frozen=True, kw_only=True):
    """A seat left jail.

    Attributes:
        how: ``paid``, ``card``, ``doubles`` or ``attempts``.
        ends_turn: Whether nothing more happens in this turn.
        rolls_again: Whether it now rolls for its move.
    """

    seat: Seat
    how: str
    ends_turn: bool = False
    rolls_again: bool = False

    @property
    def sentence(self) -> str:
        """The sentence for that way out."""
        return JAIL_SENTENCES.get(self.how, told("{seat} left jail"))


JAIL_SENTENCES = {
    "paid": told("{seat} paid and left jail"),
    "card": told("{seat} left jail with a card"),
    "doubles": told("{seat} rolled doubles and left jail"),
    "attempts": told("{seat} had to pay to leave jail"),
}
"""Way out of jail -> the sentence in the history."""


class WalkAwaited(Event, frozen=True, kw_only=True):
    """The mover still has to go that many spaces once its debt is paid."""

    sentence = told("{spaces} are still to go")
    spaces: SpaceCount


class CardAwaited(Event, frozen=True, kw_only=True):
    """The mover has to draw from this deck; an earlier event says so in words."""

    deck: str


class RentRollAwaited(Event, frozen=True, kw_only=True):
    """The mover has to roll for this deed's rent.

    Attributes:
        times: The factor by which a card multiplies the rent.
        is_card_dice: Whether *times* multiplies the fresh dice instead of the rent.
    """

    sentence = told("the dice decide the rent of {deed}")
    deed: DeedId
    times: int
    is_card_dice: bool


class RentFellDue(Event, frozen=True, kw_only=True, omit_defaults=True):
    """The mover landed on another seat's deed; the owner may ask for the rent.

    Attributes:
        amount: The rent; ``None`` if a figure that it depends on is unknown.
        how: How it came about (``how.py``); empty if the next event charges it.
    """

    seat: Seat
    owner: Seat
    deed: DeedId
    amount: Dollars | None
    how: str = ""

    @property
    def sentence(self) -> str:
        """The sentence, with the amount if it is known."""
        if self.amount is None:
            return told("{owner} may ask for the rent of {deed}; nobody knows how much")
        return told("{owner} may ask for {amount} rent of {deed}")


class RentAsked(Event, frozen=True, kw_only=True):
    """The owner asked for the rent of a landing."""

    sentence = told("{owner} asked {seat} for the rent of {deed}")
    owner: Seat
    seat: Seat
    deed: DeedId


class DebtOwed(Event, frozen=True, kw_only=True, omit_defaults=True):
    """A seat could not pay, and has to raise the money; *how* it came about."""

    sentence = told("{debtor} owes {creditor} {amount} and has too little")
    debtor: Seat
    creditor: Account
    amount: Dollars
    reason: Reason
    how: str = ""


class DebtPaid(Event, frozen=True, kw_only=True):
    """A seat paid the oldest of its debts."""

    sentence = told("{debtor} settled a debt")
    debtor: Seat


class DebtForgiven(Event, frozen=True, kw_only=True):
    """A creditor took something else in place of a debt."""

    sentence = told("{debtor} owes {creditor} {amount} no more")
    debtor: Seat
    creditor: Seat
    amount: Dollars


class CardDrawn(Event, frozen=True, kw_only=True):
    """A seat drew this card from the program's deck; nobody had seen it before."""

    sentence = told("{seat} drew: {card}")
    seat: Seat
    deck: str
    card: DrawnCardId


class CardNamed(Event, frozen=True, kw_only=True):
    """A seat drew this card from the real deck."""

    sentence = told("{seat} drew: {card}")
    seat: Seat
    deck: str
    card: DrawnCardId


class CardPassed(Event, frozen=True, kw_only=True):
    """A kept card changed hands."""

    sentence = told("{card} went to {taker}")
    card: CardId
    giver: Seat
    taker: Seat


class CardReturned(Event, frozen=True, kw_only=True):
    """A kept card went back under its deck.

    Attributes:
        target: The seat or the deed that the card is used on, if any.
    """

    sentence = told("{card} went back under its deck")
    seat: Seat
    card: CardId
    target: TargetWord = ""


class DicePassed(Event, frozen=True, kw_only=True):
    """The last roll and all its consequences are settled; this seat rolls next."""

    sentence = told("{seat} has the dice")
    seat: Seat


class DiceHandedBack(Event, frozen=True, kw_only=True):
    """Somebody read the unknown space where this seat landed; it takes effect now."""

    sentence = told("{seat} does what the space says")
    seat: Seat


class SeatBankrupted(Event, frozen=True, kw_only=True):
    """A seat is out of the game."""

    seat: Seat
    creditor: Account
    has_resigned: bool = False

    @property
    def sentence(self) -> str:
        """The sentence for leaving the game or for bankruptcy."""
        if self.has_resigned and self.creditor == BANK:
            return told("{seat} left the game")
        if self.has_resigned:
            return told("{seat} left the game and hands all to {creditor}")
        return told("{seat} is bankrupt and hands all to {creditor}")


class TimeCalled(Event, frozen=True, kw_only=True):
    """The agreed time was over."""

    sentence = told("the time was over")


class PlayEnded(Event, frozen=True, kw_only=True, omit_defaults=True):
    """The game is over.

    Attributes:
        winners: The richest seats; several if they are equally rich.
        scores: The score of every seat still in the game, as the rule sheet counts it;
            older games have a 0 for each seat that is out.
        how: How the game came to its end; unknown in older games.
    """

    winners: tuple[Seat, ...]
    scores: tuple[tuple[Seat, Dollars], ...]
    how: Ending = Ending.UNKNOWN

    @property
    def sentence(self) -> str:
        """The sentence, with the cause if it is known, and the winners if any."""
        if not self.winners:
            return told("the game is over: nobody won")
        if not self.how:
            return told("the game is over: {winners} won")
        return told("the game is over, since {how}: {winners} won")


class PositionGiven(Event, frozen=True, kw_only=True):
    """The table was put into this position before play.

    Attributes:
        words: The position in the words of a script's ``given`` line.
    """

    sentence = told("the table agreed: {words}")
    words: tuple[str, ...]
    position: Position


class PositionCorrected(Event, frozen=True, kw_only=True):
    """The table agreed on another position.

    Attributes:
        words: The position in the words of a script's ``set`` line.
    """

    sentence = told("the table agreed: {words}")
    words: tuple[str, ...]
    position: Position


class BoxRead(Event, frozen=True, kw_only=True, omit_defaults=True):
    """Somebody typed in a value from the real box that the edition's file lacks.

    It is in the journal of the guided game in which it was typed in, or in that of the
    edition's box.

    Attributes:
        key: The key, as edition files name it (``companion/game/box_key.py``).
        value: What the box says. ``None``, only in the journal of a box, cancels the
            earlier readings of it.
        is_likely: Whether nobody has looked, and the game plays with the likely amount.
            Such an event says nothing about the box.
        seat: The seat that read it, or ``table``; empty for what was known before the
            first move, and in old games.
    """

    key: str
    value: BoxValue | None
    is_likely: bool = False
    seat: str = ""

    @property
    def sentence(self) -> str:
        """The sentence for an amount or a space; empty for a card: a draw names it."""
        if self.is_likely:
            return told("{deed}, {figure}: not known yet, taken as {amount} for now")
        if self.amount is not None:
            part, _, field = split_key(self.key)
            if part == "space":
                return told("{reader} read off {place}: {amount}")
            other = told("{reader} read off {deed}: {figure} {amount}")
            return FIGURE_SENTENCES.get(field, other)
        is_space = split_key(self.key).is_space
        return told("space {space}: {kind}") if is_space else ""

    @property
    def reader(self) -> Account:
        """Who read it: a seat, or the table as a whole."""
        return Account(self.seat or TABLE)

    @property
    def place(self) -> SpaceNumber:
        """The board number of the space that has the amount."""
        return int(split_key(self.key).of)

    @property
    def deed(self) -> DeedId:
        """The deed or the card that has the figure."""
        return DeedId(split_key(self.key).of)

    @property
    def figure(self) -> DataWord:
        """The name of the figure."""
        return split_key(self.key).field

    @property
    def amount(self) -> Dollars | None:
        """The amount in dollars; ``None`` if the value is no amount."""
        return self.value if isinstance(self.value, int) else None

    @property
    def space(self) -> str:
        """The board number of the space."""
        return split_key(self.key).of

    @property
    def kind(self) -> DataWord:
        """The kind that is printed on the space."""
        return str(self.value)


FIGURE_SENTENCES = {
    "amount": told("{reader} read off a card: {deed}"),
    "price": told("{reader} read off {deed}: it costs {amount}"),
    "mortgage": told("{reader} read off {deed}: the mortgage brings {amount}"),
    "unmortgage": told("{reader} read off {deed}: lifting the mortgage costs {amount}"),
    "house_cost": told("{reader} read off {deed}: a house costs {amount}"),
    "hotel_cost": told("{reader} read off {deed}: a hotel costs {amount}"),
    "rent": told("{reader} read off {deed}: the rent is {amount}"),
    "rent_full_group": told(
        "{reader} read off {deed}: with the whole group the rent is {amount}"
    ),
    "rent_hotel": told("{reader} read off {deed}: with a hotel the rent is {amount}"),
    "rent_1_hotel": told(
        "{reader} read off {deed}: with one hotel the rent is {amount}"
    ),
    "rent_2_hotels": told(
        "{reader} read off {deed}: with two hotels the rent is {amount}"
    ),
}
"""Name of a figure -> the sentence in the history when somebody typed it in."""

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
    | DebtForgiven
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
    | BoxRead
    | DeedEvent
    | VaultContentsEvent
    | DecoderEvent
    | TicketEvent
)
"""Every event of guided play."""

HIDDEN_DRAWS = (CardDrawn,)
"""Events that showed a card which nobody had seen before."""
