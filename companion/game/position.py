"""The position of a guided game: everything but the money, which is in the ledger.

A ``Position`` has the tokens, the deeds with their owners and buildings, the dice, and
what is under way: debts, an auction, offers, payments on the table. Its *stage* says
what the table waits for, and the *mover* is the seat with the dice. An auction sells
one *lot* after another: deeds, or one of the last buildings. Deeds and decks are listed
in the order of the rulebook.

A position can be written as JSON and read back, so an event can hold a corrected one.
"""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from companion.game.ledger import Reason
from companion.game.notes import Notes
from companion.game.stage import Ending, Stage
from companion.units import Account, DeedId, Dollars, Seat

OVER = Stage.OVER
"""The last stage, as a plain name: every move reads it, and an enum is slower."""

FREE = -1
"""The ``tries`` of a ``Token`` that is not in jail."""


class Part(msgspec.Struct, frozen=True, gc=False):
    """Parent of all parts of a position; none contains itself, so ``gc`` is off."""


class Token(Part, frozen=True):
    """A seat on the board.

    Attributes:
        space: The board number of its space.
        tries: Failed attempts to leave jail; ``FREE`` outside jail.
        cards: Ids of the cards kept in hand, oldest first.
        is_out: Whether the seat is bankrupt or has left.
        hotels: Hotels in hand, in games where the bank does not sell them.
        chips: Decoder chips that can be spent.
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

    @property
    def is_jailed(self) -> bool:
        """Whether the token is in jail; one that only visits is not."""
        return self.tries != FREE


class Claim(Part, frozen=True, omit_defaults=True):
    """The rent of a landing that the deed's owner may still ask for.

    Attributes:
        amount: The rent when the mover landed; ``None`` if a figure is unknown.
        turn: The number of the turn of the landing.
        how: How the amount came about (``how.py``).
    """

    mover: Seat
    owner: Seat
    deed: DeedId
    amount: Dollars | None
    turn: int
    how: str = ""


class Debt(Part, frozen=True, omit_defaults=True):
    """An amount that a seat owes and could not pay at once; *how* it came about."""

    debtor: Seat
    creditor: Account
    amount: Dollars
    reason: Reason
    how: str = ""


class Payment(Part, frozen=True, omit_defaults=True):
    """Money that a seat has laid on the table: reserved until it is handed over.

    Attributes:
        purpose: What the payment completes, one of ``PURPOSES``.
        of: The deed that is bought or built on, or the lot that was won.
        actor: For ``DEAL``: the seat that accepted the trade.
        is_likely: Whether the amount is a likely figure that nobody has read.
        how: How the amount came about (``how.py``).
        may_call_off: Whether the payer may call it off, since a fake was found in it.
    """

    payer: Seat
    payee: Account
    amount: Dollars
    reason: Reason
    purpose: str = ""
    of: str = ""
    actor: str = ""
    is_likely: bool = False
    how: str = ""
    may_call_off: bool = False


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
"""The purposes of payments; ``OWED`` for a rent, a penalty or the like."""


class CardUse(Part, frozen=True, omit_defaults=True):
    """A card on the table: a seat is about to use it, and others may inspect it.

    Attributes:
        target: The seat or the deed that the card is used on; empty for most cards.
    """

    seat: Seat
    card: str
    target: str = ""


class Auction(Part, frozen=True):
    """Bidding for the first of *lots*.

    Attributes:
        lots: The deeds still to be sold, in order; or one kind of building.
        bidders: The seats that may bid.
        start: The lowest first bid.
        bidder: The seat with the leading bid, or empty.
        amount: The leading bid; 0 before the first.
        passed: The seats that bid no more for this lot.
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
        debt: Whether this side forgives all that the other owes it.
    """

    cash: Dollars = 0
    deeds: tuple[str, ...] = ()
    jail_cards: int = 0
    hotels: int = 0
    tickets: int = 0
    debt: bool = False


class Offer(Part, frozen=True, omit_defaults=True):
    """A trade that waits for an answer.

    Attributes:
        has_lapsed: Whether it waits no more, since its goods have changed.
    """

    giver: Seat
    taker: Seat
    give: Bundle
    want: Bundle
    has_lapsed: bool = False


class Want(Part, frozen=True):
    """A seat's claim to one of the bank's last buildings."""

    seat: Seat
    deed: DeedId


class Uneven(Part, frozen=True):
    """A group that became whole while buildings stood on some of its streets.

    Attributes:
        seat: The seat that has to build it evenly.
        deed: Any of its streets.
    """

    seat: Seat
    deed: DeedId


def without_one(cards: tuple[str, ...], card: str) -> tuple[str, ...]:
    """Return *cards* without the first *card*, if it is among them."""
    if card not in cards:
        return cards
    index = cards.index(card)
    return (*cards[:index], *cards[index + 1 :])


class Pile(Part, frozen=True):
    """A deck. Nobody knows the order of *fresh* until its cards come up.

    Attributes:
        fresh: The cards not seen since the start, in the order of the data.
        used: The cards put back underneath, oldest first; drawn once *fresh* is empty.
    """

    fresh: tuple[str, ...] = ()
    used: tuple[str, ...] = ()

    def without(self, card: str) -> Pile:
        """Return the pile without the first *card*, if it is there."""
        fresh = without_one(self.fresh, card)
        if fresh != self.fresh:
            return Pile(fresh, self.used)
        return Pile(fresh, without_one(self.used, card))


class Rested(Part, frozen=True):
    """A landing on a space whose print is unknown; it has no effect until it is read.

    Attributes:
        turn: The number of the turn of the landing.
        is_last: Whether nobody has rolled for a move since.
    """

    seat: Seat
    space: int
    turn: int
    is_last: bool = True


# The states of the lid.
LOCKED = "locked"  # Shut, with a code set.
OPENING = "opening"  # About to rise after a right guess.
OPEN = "open"
SHUT = "shut"  # Shut, without a code.
FORCED = "forced"  # Broken open although a code is set.


class VaultContents(Part, frozen=True, omit_defaults=True):
    """The vault as the game knows it: without its code; its money is in the ledger.

    Attributes:
        keys: The keys inside.
        hotels: The hotels inside.
        bank_keys: The keys that the bank has left.
        lid: One of ``LOCKED``, ``OPENING``, ``OPEN``, ``SHUT``, ``FORCED``.
        found: The keys that the opener has to use now.
        is_empty: Whether it was opened and has to be filled, shut and locked again.
        fee: The fee for the guess that is due, in dollars; 0 if the guess is free.
        is_optional: Whether the guess that is due may be declined.
        tried: The different numbers tried since the last locking, oldest first.
        taken_money: The dollars inside when it was opened. All *taken* fields are kept
            until it is locked again.
        notes: The notes known to be inside; other money there is in unknown notes.
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
"""The faces of a third die without pips: Mr. Monopoly, who moves on, and the bus."""


class Position(Part, frozen=True, omit_defaults=True):
    """Everything that the rules of guided play may know, except the money.

    Attributes:
        tokens: All tokens in the order of play, also those that are out.
        owners: By deed: the seat that owns it, or empty for the bank.
        levels: By deed: the number of steps of its ladder that stand there.
        mortgaged: By deed: whether it is mortgaged.
        pieces: By kind of building: the number that the bank has left.
        piles: By deck: its cards.
        turn: The index of the token that has the dice.
        turn_number: How often the dice went on to another seat.
        base: The stage to return to once debts, auctions and payments are settled.
        has_moved: Whether the mover has rolled; the dice pass on once all is settled.
        dice: The dice of the last roll for a move.
        special: The face of a die without a number in that roll; mostly empty.
        bonus: The effect of that die after the landing: ``MR`` or ``BUS``, or empty.
        doubles: The doubles rolled in a row this turn.
        rolls_again: Whether the mover keeps the dice.
        awaited: For the stages ``card``, ``buy`` and ``rent-roll``: the deck or deed;
            for ``choose``: what offers the choice.
        may_pass: Whether the deed of ``buy`` may be left without an auction.
        times: The factor by which a card multiplies the rent of ``rent-roll``.
        is_card_dice: Whether *times* multiplies the fresh dice instead of the rent.
        withdrawn: The offers withdrawn or lapsed since the last roll, so that a late
            answer is refused with the reason.
        walk: The spaces that the mover still goes once its debt is paid.
        lifted: The mortgaged deeds whose interest was paid since the last roll.
        loans: Pairs of a deed and what the bank lent on it last, for deeds whose loan
            was typed in during this game, or is likely.
        winners: The winners, once the game is over.
        scores: The score of every seat still in the game, once the game is over.
        ended: How the game came to its end, once it is over; else ``UNKNOWN``.
        end: The end on which the table agreed during the game, as the option ``end``
            says it; empty for that of the rulebook.
        asked: The claims whose owners have asked, and *lapsed* those of which none did
            in time, so that a refusal can tell one from the other.
        vault_contents: The vault with its contents; ``None`` in a game without one.
        payments: The money on the table; only the first payment can be inspected.
        card_use: The card that lies on the table to be used.
        inspector: The seat that looks at what lies on the table; empty for nobody.
        faceup: The known cards of the deck that lies open.
        uneven: The groups that have to be built evenly, in this order.
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
    ended: Ending = Ending.UNKNOWN
    end: str = ""
    asked: tuple[Claim, ...] = ()
    lapsed: tuple[Claim, ...] = ()
    loans: tuple[tuple[DeedId, Dollars], ...] = ()

    @property
    def faces(self) -> tuple[int | str, ...]:
        """The dice of the last roll, with a word for a die without a number."""
        return (*self.dice, self.special) if self.special else self.dice

    @property
    def mover(self) -> Token:
        """The token of the seat with the dice."""
        return self.tokens[self.turn]

    @property
    def stage(self) -> Stage:
        """What the table waits for: money, debts, groups, bids, the vault, the turn."""
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
        """Return the token of *seat*, or ``None``."""
        for token in self.tokens:
            if token.seat == seat:
                return token
        return None

    def token_of(self, seat: str) -> Token:
        """Return the token of a seat that plays or has played."""
        return self.tokens[self.place_of(seat)]

    def place_of(self, seat: str) -> int:
        """Return the index in *tokens* of a seat that plays or has played."""
        if self.tokens[self.turn].seat == seat:  # Most calls are about the mover.
            return self.turn
        for index, token in enumerate(self.tokens):
            if token.seat == seat:
                return index
        raise AssertionError(f"{seat} does not play")

    def with_token(self, seat: str, **changes: object) -> Position:
        """Return the position with these fields of a seat's token changed."""
        return replace(self, tokens=self.tokens_with(seat, **changes))

    def tokens_with(self, seat: str, **changes: object) -> tuple[Token, ...]:
        """Return the tokens with these fields of a seat's token changed."""
        index = self.place_of(seat)
        changed = replace(self.tokens[index], **changes)
        return (*self.tokens[:index], changed, *self.tokens[index + 1 :])

    @property
    def showing(self) -> str:
        """The seat that laid the card or the first payment on the table, or empty."""
        if self.card_use is not None:
            return self.card_use.seat
        return self.payments[0].payer if self.payments else ""

    def laid_by(self, seat: str) -> Dollars:
        """Return all the money that *seat* has laid on the table."""
        return sum(payment.amount for payment in self.payments if payment.payer == seat)

    def owing(self) -> tuple[Debt, ...]:
        """List all debts, the oldest first, then what the money on the table is owed.

        Money laid for a purchase is not owed.
        """
        laid = (
            Debt(
                payment.payer,
                payment.payee,
                payment.amount,
                payment.reason,
                payment.how,
            )
            for payment in self.payments
            if payment.purpose == OWED
        )
        return (*self.debts, *laid)

    def owed_by(self, seat: str) -> Dollars:
        """Return all the money that *seat* owes."""
        return sum(debt.amount for debt in self.debts if debt.debtor == seat)

    def playing(self) -> tuple[Seat, ...]:
        """Return the seats still in the game, in the order of play."""
        return tuple(token.seat for token in self.tokens if not token.is_out)
