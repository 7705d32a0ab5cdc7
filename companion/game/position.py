"""Where a guided game stands: everything but the money, which is in the ledger.

All of it can be written as JSON and read back, so a correction is simply the
position that the table agreed on, and a digest is taken over what is written.
Deeds and decks are listed in the order of the rulebook.
"""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from companion.game.ledger import Reason
from companion.game.notes import Notes
from companion.game.stage import Stage
from companion.units import Account, DeedId, Dollars, Seat

OVER = Stage.OVER
"""Asked of by every move; a name of its own is found faster than a member."""

FREE = -1
"""``Token.tries`` of a seat that is not in jail."""


class Part(msgspec.Struct, frozen=True, gc=False):
    """Parent of what a position is made of.

    Nothing in it refers back to it, so the garbage collector need not look at it.
    """


class Token(Part, frozen=True):
    """A seat on the board.

    Attributes:
        space: Board number.
        tries: Failed attempts to leave jail so far; ``FREE`` outside.
        cards: Ids of the cards kept in hand, oldest first.
        is_out: Bankrupt, or it left.
        hotels: Loose hotels in hand, in games where the bank does not sell them.
        chips: Decoder chips that are ready to be spent.
        tickets: Bus tickets in hand.
    """

    seat: Seat
    space: int = 0
    tries: int = FREE
    cards: tuple[str, ...] = ()
    is_out: bool = False
    hotels: int = 0
    chips: int = 0
    tickets: int = 0


class Claim(Part, frozen=True):
    """The rent of a landing that the deed's owner may still ask for.

    Attributes:
        amount: As the deed stood at the landing; ``None`` if a figure is unknown.
        turn: The number of the turn in which the mover landed.
    """

    mover: Seat
    owner: Seat
    deed: DeedId
    amount: Dollars | None
    turn: int


class Debt(Part, frozen=True):
    """What a seat owes and could not pay at once."""

    debtor: Seat
    creditor: Account
    amount: Dollars
    reason: Reason


class Payment(Part, frozen=True, omit_defaults=True):
    """Money that a seat has laid on the table: reserved until it is handed over.

    Attributes:
        purpose: What it completes, one of ``PURPOSES``; ``OWED`` for a rent, a penalty
            or whatever else a seat has to pay.
        of: The deed that is bought or built on, or the lot that was won.
        actor: Who accepted the trade that it completes.
        is_likely: Whether the amount is one that nobody knows.
    """

    payer: Seat
    payee: Account
    amount: Dollars
    reason: Reason
    purpose: str = ""
    of: str = ""
    actor: str = ""
    is_likely: bool = False


OWED, BUY, LOT, BUILD, LIFT, LEAVE_JAIL, DEBT, DEAL = PURPOSES = (
    "",
    "buy",
    "lot",
    "build",
    "unmortgage",
    "jail",
    "debt",
    "deal",
)
"""What a payment on the table completes once it is handed over."""


class CardUse(Part, frozen=True, omit_defaults=True):
    """A card that a seat is about to use, and that others may look at before.

    Attributes:
        target: The seat or the deed that it is used on; empty for most cards.
    """

    seat: Seat
    card: str
    target: str = ""


class Auction(Part, frozen=True):
    """Bidding for the first of *lots*.

    Attributes:
        lots: Deeds, one after another; or one kind of building.
        bidders: Who may bid.
        start: The lowest first bid.
        bidder: Who leads, or empty.
        amount: The leading bid; 0 before the first.
        passed: Who bids no more for this lot.
    """

    lots: tuple[str, ...]
    bidders: tuple[Seat, ...]
    start: Dollars
    bidder: str = ""
    amount: Dollars = 0
    passed: tuple[Seat, ...] = ()


class Bundle(Part, frozen=True, omit_defaults=True):
    """One side of a trade.

    Attributes:
        debt: Whoever gives this forgives all that the other one owes it.
    """

    cash: Dollars = 0
    deeds: tuple[str, ...] = ()
    jail_cards: int = 0
    hotels: int = 0
    tickets: int = 0
    debt: bool = False


class Offer(Part, frozen=True):
    """A trade that waits for an answer."""

    giver: Seat
    taker: Seat
    give: Bundle
    want: Bundle


class Want(Part, frozen=True):
    """A seat's claim to one of the bank's last buildings."""

    seat: Seat
    deed: DeedId


class Uneven(Part, frozen=True):
    """A group that became whole while buildings stood on some of its streets.

    Attributes:
        seat: Who has to build it evenly.
        deed: One of its streets.
    """

    seat: Seat
    deed: DeedId


def without_one(cards: tuple[str, ...], card: str) -> tuple[str, ...]:
    """*cards* without the first such card, if it is among them."""
    at = cards.index(card) if card in cards else len(cards)
    return (*cards[:at], *cards[at + 1 :])


class Pile(Part, frozen=True):
    """A deck. Nobody knows the order of *fresh* until its cards come up.

    Attributes:
        fresh: Cards not seen since the start, in the order of the data.
        used: Cards put back underneath, oldest first; drawn once *fresh* is empty.
    """

    fresh: tuple[str, ...] = ()
    used: tuple[str, ...] = ()

    def without(self, card: str) -> Pile:
        """The pile without the first such card, if it lies there."""
        fresh = without_one(self.fresh, card)
        if fresh != self.fresh:
            return Pile(fresh, self.used)
        return Pile(fresh, without_one(self.used, card))


class Rested(Part, frozen=True):
    """A landing on a space whose print is unknown.

    Attributes:
        seat: Who landed.
        space: The space's board number.
        turn: The number of the turn in which that was.
        is_last: Whether nobody has rolled for a move since.
    """

    seat: Seat
    space: int
    turn: int
    is_last: bool = True


LOCKED, OPENING, OPEN, SHUT, FORCED = "locked", "opening", "open", "shut", "forced"
"""States of the lid: shut with a code set; about to rise after a right guess; up; shut
without a code; broken open although a code is set."""


class VaultContents(Part, frozen=True, omit_defaults=True):
    """The vault as the game knows it; its money is in the ledger, its code nowhere.

    Attributes:
        keys: Keys inside; likewise *hotels*.
        bank_keys: Keys that the bank has left.
        lid: One of ``LOCKED``, ``OPENING``, ``OPEN``, ``SHUT``, ``FORCED``.
        found: Keys that the opener has to use now.
        is_empty: Whether it was opened and has to be filled, shut and locked again.
        fee: What the guess that is due costs.
        is_optional: Whether that guess may be declined.
        tried: Different numbers tried since the last locking, in that order, the right
            one included; the lock's ``tries_count`` counts wrong guesses, repeats too.
        taken_money: Dollars that were in it when it was opened; kept until it is locked
            again, like *taken_keys*, *taken_hotels* and *taken_notes*.
        notes: The notes known to lie inside: value and how many, the largest first.
            All other money in it was paid in unknown notes.
    """

    keys: int = 0
    hotels: int = 0
    bank_keys: int = 0
    lid: str = LOCKED
    found: int = 0
    is_empty: bool = False
    fee: Dollars = 0
    is_optional: bool = False
    tried: tuple[int, ...] = ()
    taken_money: Dollars = 0
    taken_keys: int = 0
    taken_hotels: int = 0
    notes: Notes = ()
    taken_notes: Notes = ()


MR, BUS = "mr", "bus"
"""What a third die shows in place of pips: a move on to the next deed, or a bus."""


class Position(Part, frozen=True):
    """Everything that the rules of guided play may know besides the money.

    Attributes:
        tokens: In the order of play; those who are out stay in it.
        owners: By deed: the seat, or empty for the bank.
        levels: By deed: how many steps of its ladder stand there.
        mortgaged: By deed: whether it is mortgaged.
        pieces: By kind of building: what the bank has left.
        piles: By deck: its cards.
        turn: Which of *tokens* has the dice.
        turn_number: How often the dice went on to another seat.
        base: What is waited for once debts and auctions are settled.
        has_moved: Whether the mover has rolled; once all is settled the dice pass on.
        dice: As they last fell for a move.
        special: What the die without a number showed with them; mostly empty.
        bonus: What that die still brings once the landing is settled: ``MR``, ``BUS``.
        doubles: How many doubles in a row were rolled this turn.
        rolls_again: Whether the mover keeps the dice.
        awaited: The deck of ``card``, the deed of ``buy`` and ``rent-roll``; what
            offers the choice of ``choose``.
        may_pass: Whether the deed of ``buy`` may be left without an auction.
        times: By how much a card multiplies that rent.
        is_card_dice: Whether it multiplies the fresh dice instead.
        withdrawn: Offers that were taken back since the last roll, so that whoever
            answers one all the same hears why it is gone.
        walk: Spaces that the mover goes once its debt is paid.
        lifted: Mortgaged deeds whose interest was paid since the last roll.
        winners: Who won, once the game is over.
        scores: The score of every seat that is left, once the game is over.
        vault_contents: The vault and what is in it; ``None`` without a vault.
        rested: The latest landing on a space whose print was unknown.
        payments: Money on the table; the first can be looked at, the others follow.
        card_use: The card that lies on the table to be used.
        inspector: Who looks at what lies on the table; empty for nobody.
        faceup: The open cards that are known, of the deck that lies open.
        uneven: Groups whose owners have to build them evenly, the first of them now.
    """

    tokens: tuple[Token, ...]
    owners: tuple[str, ...]
    levels: tuple[int, ...]
    mortgaged: tuple[bool, ...]
    pieces: tuple[int, ...]
    piles: tuple[Pile, ...]
    turn: int = 0
    turn_number: int = 0
    base: Stage = Stage.ROLL
    has_moved: bool = False
    dice: tuple[int, ...] = ()
    special: str = ""
    doubles: int = 0
    rolls_again: bool = False
    awaited: str = ""
    times: int = 1
    is_card_dice: bool = False
    walk: int = 0
    claims: tuple[Claim, ...] = ()
    debts: tuple[Debt, ...] = ()
    auction: Auction | None = None
    offers: tuple[Offer, ...] = ()
    withdrawn: tuple[Offer, ...] = ()
    wants: tuple[Want, ...] = ()
    lifted: tuple[DeedId, ...] = ()
    winners: tuple[Seat, ...] = ()
    scores: tuple[tuple[Seat, int], ...] = ()
    vault_contents: VaultContents | None = None
    rested: Rested | None = None
    payments: tuple[Payment, ...] = ()
    card_use: CardUse | None = None
    inspector: str = ""
    faceup: tuple[str, ...] = ()
    bonus: str = ""
    may_pass: bool = False
    uneven: tuple[Uneven, ...] = ()

    @property
    def faces(self) -> tuple[int | str, ...]:
        """The dice as they last fell, with a word for the one without a number."""
        return (*self.dice, self.special) if self.special else self.dice

    @property
    def mover(self) -> Token:
        """The token of the seat with the dice."""
        return self.tokens[self.turn]

    @property
    def stage(self) -> Stage:
        """What is waited for: money, debts, groups, bids, the vault, then the turn."""
        if self.base is OVER:
            return OVER
        if self.inspector:
            return Stage.VERDICT
        if self.card_use is not None:
            return Stage.CARD_USE
        if self.payments:
            return Stage.PAYMENT
        if self.debts:
            return Stage.DEBT
        if self.uneven:
            return Stage.LEVEL
        if self.auction is not None:
            return Stage.AUCTION
        if self.vault_contents is not None:
            if self.vault_contents.lid == OPENING:
                return Stage.GUESS
            if self.vault_contents.found:
                return Stage.KEY
            if self.vault_contents.is_empty:
                return Stage.REFILL
        return self.base

    def token(self, seat: str) -> Token | None:
        """The token of *seat*, or ``None``."""
        for token in self.tokens:
            if token.seat == seat:
                return token
        return None

    def token_of(self, seat: str) -> Token:
        """The token of a seat that plays or has played."""
        return self.tokens[self.place_of(seat)]

    def place_of(self, seat: str) -> int:
        """The place among *tokens* of a seat that plays or has played."""
        if self.tokens[self.turn].seat == seat:  # It is mostly the mover's.
            return self.turn
        for at, token in enumerate(self.tokens):
            if token.seat == seat:
                return at
        raise AssertionError(f"{seat} does not play")

    def with_token(self, seat: str, **changes: object) -> Position:
        """The same position with these fields of that seat's token changed."""
        return replace(self, tokens=self.tokens_with(seat, **changes))

    def tokens_with(self, seat: str, **changes: object) -> tuple[Token, ...]:
        """The tokens with these fields of that seat's token changed."""
        at = self.place_of(seat)
        changed = replace(self.tokens[at], **changes)
        return (*self.tokens[:at], changed, *self.tokens[at + 1 :])

    @property
    def showing(self) -> str:
        """Who has laid a card or money on the table; empty if nothing lies there."""
        if self.card_use is not None:
            return self.card_use.seat
        return self.payments[0].payer if self.payments else ""

    def laid_by(self, seat: str) -> Dollars:
        """All the money that *seat* has laid on the table."""
        return sum(one.amount for one in self.payments if one.payer == seat)

    def owed_by(self, seat: str) -> Dollars:
        """All that *seat* owes."""
        return sum(debt.amount for debt in self.debts if debt.debtor == seat)

    def playing(self) -> tuple[Seat, ...]:
        """The seats still in the game, in the order of play."""
        return tuple(token.seat for token in self.tokens if not token.is_out)
