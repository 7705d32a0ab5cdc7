"""The moves: everything that can be asked of guided play, named in the imperative.

A *move* is a command of guided play, in which the companion leads. Everything random
(dice, cards, dealt deeds) is a field of the move: people typed it in, or the code that
builds the command drew it. The rules draw nothing at random.
"""

from __future__ import annotations

from typing import ClassVar

from companion.game.box_key import BoxValue
from companion.game.commands import Command
from companion.game.position import Bundle
from companion.game.rulebook import Rulebook
from companion.units import (
    CardId,
    ChoiceWord,
    DeedWord,
    Dollars,
    Drawn,
    Levels,
    SeatWord,
    SpaceWord,
    TargetWord,
)


class Move(Command, frozen=True, kw_only=True):
    """Parent of all moves of guided play."""


class Roll(Move, frozen=True, kw_only=True):
    """Roll the dice.

    Attributes:
        dice: The numbers shown.
        special: The face of a die without a number; mostly empty.
    """

    dice: tuple[int, ...]
    special: str = ""


class Draw(Move, frozen=True, kw_only=True):
    """Draw a card: one named from the real deck, or one of the program's own deck.

    Attributes:
        card: Id or code of the real card; empty for the program's own deck.
        pick: The index, from 0, of the card among the unseen ones. It is drawn with
            the command, so that no order of cards is ever written down.
    """

    card: CardId = ""
    pick: Drawn = 0


class Buy(Move, frozen=True, kw_only=True):
    """Buy the deed that the mover stands on, at its price."""


class PutUp(Move, frozen=True, kw_only=True):
    """Decline the deed that the mover stands on; an auction may follow."""

    verb: ClassVar[str] = "auction"


class Bid(Move, frozen=True, kw_only=True):
    """Bid this much in the auction."""

    amount: Dollars


class PassBid(Move, frozen=True, kw_only=True):
    """Bid no more for what is up for auction, or leave a deed that may be left."""

    verb: ClassVar[str] = "pass"


class AskRent(Move, frozen=True, kw_only=True):
    """Ask for the rent of the last landing by *seat*; empty for any seat."""

    seat: SeatWord = ""


class PayDebt(Move, frozen=True, kw_only=True):
    """Pay a debt of one's own."""

    verb: ClassVar[str] = "pay"


class PayJail(Move, frozen=True, kw_only=True):
    """Pay the fine for leaving jail before rolling."""


class UseCard(Move, frozen=True, kw_only=True):
    """Use a card that was kept, by its id or by what it does.

    Attributes:
        target: The seat or the deed that the card is used on, if it needs one.
    """

    card: CardId
    target: TargetWord = ""


class Choose(Move, frozen=True, kw_only=True):
    """Choose one of the words that a card or a space offers."""

    word: ChoiceWord


class UseTicket(Move, frozen=True, kw_only=True):
    """Take the bus to a space ahead on the same side, in place of rolling."""

    space: SpaceWord


class HandOver(Move, frozen=True, kw_only=True):
    """Complete the payment that lies on the table, or use the card that lies there."""


class Inspect(Move, frozen=True, kw_only=True):
    """Spend a decoder chip to look at what another seat has laid on the table."""


class GiveVerdict(Move, frozen=True, kw_only=True):
    """Say what the decoder shows: ``real``, ``fake`` or ``unsure``.

    Attributes:
        amount: The value of the fake note in dollars; 0 for a card, or if not fake.
    """

    verb: ClassVar[str] = "verdict"

    verdict: str
    amount: Dollars = 0


class Mortgage(Move, frozen=True, kw_only=True):
    """Borrow from the bank on a deed."""

    deed: DeedWord


class LiftMortgage(Move, frozen=True, kw_only=True):
    """Pay a mortgage back."""

    verb: ClassVar[str] = "unmortgage"

    deed: DeedWord


class SellDeed(Move, frozen=True, kw_only=True):
    """Give a street back to the bank for its price."""

    verb: ClassVar[str] = "sell"

    deed: DeedWord


class Build(Move, frozen=True, kw_only=True):
    """Buy the next building for a deed."""

    deed: DeedWord


class Unbuild(Move, frozen=True, kw_only=True):
    """Sell the topmost building of a deed, or all that stands there."""

    deed: DeedWord
    is_all: bool = False


class Level(Move, frozen=True, kw_only=True):
    """Rebuild a whole group; added buildings are paid for, removed ones are sold.

    Attributes:
        levels: Each street of the group with its new level, the number of steps of the
            building ladder that stand there.
    """

    levels: Levels


class WantBuilding(Move, frozen=True, kw_only=True):
    """Claim one of the last buildings for a deed; two claims make an auction."""

    verb: ClassVar[str] = "want"

    deed: DeedWord


class MakeOffer(Move, frozen=True, kw_only=True):
    """Offer another seat a trade."""

    taker: SeatWord
    give: Bundle
    want: Bundle


class Accept(Move, frozen=True, kw_only=True):
    """Accept the last offer made to this seat."""


class Reject(Move, frozen=True, kw_only=True):
    """Decline the last offer made to this seat."""


class Withdraw(Move, frozen=True, kw_only=True):
    """Withdraw one's own open offer."""


class Guess(Move, frozen=True, kw_only=True):
    """Guess at the vault: the wheel stands at *number*, and M was pressed.

    Attributes:
        is_right: Whether the vault opens, from the lock or from a person who watched
            the original toy; ``None``, until somebody says, is refused.
        is_lid_up: Whether the lid rose at once; otherwise ``ReportLid`` follows.
    """

    number: int
    is_right: bool | None = None
    is_lid_up: bool = True


class DeclineGuess(Move, frozen=True, kw_only=True):
    """Decline a guess that may be declined."""

    verb: ClassVar[str] = "skip-guess"


class Unlock(Move, frozen=True, kw_only=True):
    """Use a key from the vault to get a locked street."""

    deed: DeedWord


class LockVault(Move, frozen=True, kw_only=True):
    """Report that the vault was filled, shut and locked with a new code."""

    verb: ClassVar[str] = "lock"


class ReportLid(Move, frozen=True, kw_only=True):
    """Report that the lid is now ``open``, ``shut``, ``locked`` or ``forced``."""

    lid: str


class ReportPress(Move, frozen=True, kw_only=True):
    """Report that M was pressed though no guess is due."""


class ReadBox(Move, frozen=True, kw_only=True):
    """Type in what the real box says: a figure, or the kind of an unknown space.

    Attributes:
        key: The key, as edition files name it (``companion/game/box_key.py``).
        is_likely: Whether nobody has looked, and the game plays with the likely amount.
    """

    key: str
    value: BoxValue
    is_likely: bool = False


class DeclareBankrupt(Move, frozen=True, kw_only=True):
    """Give up, since the seat cannot raise the money for its debts."""


class Resign(Move, frozen=True, kw_only=True):
    """Leave the game: pay what is owed, or hand everything over."""


class BeginPlay(Move, frozen=True, kw_only=True):
    """Let the companion lead from here, with all tokens on GO.

    Attributes:
        rules: The edition's rules, changed by the table's options.
        deal: Deeds in the order in which they are dealt; empty if none are dealt.
    """

    rules: Rulebook
    deal: tuple[str, ...] = ()


class RestPlay(Move, frozen=True, kw_only=True):
    """Go on by hand; the position is kept for later."""

    verb: ClassVar[str] = "rest"


class ResumePlay(Move, frozen=True, kw_only=True):
    """Let the companion lead again from the position that was kept."""

    verb: ClassVar[str] = "resume"


class CorrectPosition(Move, frozen=True, kw_only=True):
    """Change the position as the table agreed, in the words of a script's ``given``."""

    words: tuple[str, ...]
    is_given: bool = False


class CallTime(Move, frozen=True, kw_only=True):
    """End the game, since the agreed time is over."""

    verb: ClassVar[str] = "time-up"
