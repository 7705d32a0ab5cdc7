"""A second bookkeeper goes through games with fakes and works out every dollar anew.

It knows the figures of the edition's file and the sentences of Cash Decoder's sheet. Of
the engine it knows only the journal: who landed where, what was laid on the table, who
looked at it. Whatever money moved must follow from that, once and to the dollar; at the
end it counts the scores by itself.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import singledispatchmethod

import pytest

from companion.edition import builtin
from companion.edition.model import Edition
from companion.game import decoder_events as f
from companion.game import deed_events as d
from companion.game import events as e
from companion.game import play_events as p
from companion.game.journal import Entry
from companion.game.ledger import Reason
from companion.game.position import BUILD, BUY, DEAL, DEBT, LEAVE_JAIL, LOT, Payment
from companion.units import BANK
from tests.companion.rules.test_engine_playouts import OPTIONS, play_with_fakes
from tests.sample import sampled

Move = tuple[str, str, int]
"""From whom, to whom, how much."""

SALARY, FINE, REWARD, CHIPS, HOTELS = 200, 50, 100, 2, 12


class Bookkeeper:
    """What must be so after each event, worked out from the printed rules alone."""

    def __init__(self, edition: Edition, *, is_likely: bool) -> None:
        self.edition = edition
        self.figures: dict[tuple[str, str], int] = {}
        for deed in edition.deeds:
            for name in ("price", "rent", "hotel_cost", "rent_hotel"):
                if getattr(deed, name) is not None:
                    self.figures[deed.id, name] = getattr(deed, name)
            for figure in deed.likely if is_likely else ():
                self.figures[deed.id, figure.field] = figure.value
        self.cash: dict[str, int] = {}
        self.at: dict[str, int] = {}
        self.chips: dict[str, int] = {}
        self.owner: dict[str, str] = {}
        self.hotels: set[str] = set()
        self.laid: list[Payment] = []
        self.debts: list[tuple[str, str, int]] = []
        self.rents: list[Move] = []
        """Rents that may be asked for."""
        self.offers: dict[tuple[str, str], d.OfferMade] = {}
        self.bid = 0
        self.card: f.CardLaid | None = None
        self.looks = ""
        self.due: list[Move] = []
        """Money that has to move before the act is over."""
        self.scores: dict[str, int] | None = None

    def enter(self, entry: Entry) -> None:
        """Follow one entry."""
        for event in entry.events:
            self.see(event)
            assert all(cash >= 0 for cash in self.cash.values())
            assert len(self.hotels) <= HOTELS
        assert not self.due, f"not paid: {self.due} in {entry.events}"

    def rent(self, deed: str) -> int:
        """Return the rent of a landing there now."""
        group = self.edition.deed(deed).group
        if deed in self.hotels:
            return self.figures.get((deed, "rent_hotel"), 0)
        owner = self.owner[deed]
        is_whole = all(
            self.owner.get(member.id) == owner for member in self.edition.members(group)
        )
        return self.figures.get((deed, "rent"), 0) * (2 if is_whole else 1)

    @singledispatchmethod
    def see(self, event: object) -> None:
        """Follow an event, and check what it must say."""

    @see.register
    def _(self, event: e.SeatAdded) -> None:
        self.cash[event.seat] = event.start_money
        self.at[event.seat], self.chips[event.seat] = 0, CHIPS

    @see.register
    def _(self, event: e.MoneyMoved) -> None:
        move = (str(event.payer), str(event.payee), event.amount)
        if event.reason is not Reason.LEAVING:
            assert move in self.due, f"{event} for nothing; due is {self.due}"
            self.due.remove(move)
        for account, gain in ((move[0], -move[2]), (move[1], move[2])):
            if account != BANK:
                self.cash[account] += gain

    @see.register
    def _(self, event: p.BoxRead) -> None:
        part, deed, name = event.key.split(".", 2)
        if part == "deed" and isinstance(event.value, int):
            self.figures[deed, name] = event.value

    def worth(self, seat: str) -> int:
        """Return all that a seat could raise; every figure has to be known."""
        owned = [deed for deed, owner in self.owner.items() if owner == seat]
        built = [deed for deed in owned if deed in self.hotels]
        prices = [self.figures[deed, "price"] for deed in owned]
        halves = [-(-self.figures[deed, "hotel_cost"] // 2) for deed in built]
        return self.cash[seat] + sum(prices) + sum(halves)

    # Moving.

    @see.register
    def _(self, event: p.DiceRolled) -> None:
        assert not self.laid
        assert not self.debts
        self.offers.clear()
        self.rents = [
            rent for rent in self.rents if rent[0] == event.seat
        ]  # Others lapse.

    @see.register
    def _(self, event: p.TokenMoved) -> None:
        if event.space <= self.at[event.seat]:
            self.due.append((BANK, event.seat, SALARY))
            self.chips[event.seat] = CHIPS
        self.at[event.seat] = event.space
        deed = self.edition.spaces[event.space].deed
        if deed and self.owner.get(deed, event.seat) != event.seat:
            self.rents.append((event.seat, self.owner[deed], self.rent(deed)))

    @see.register
    def _(self, event: p.SentToJail) -> None:
        self.at[event.seat] = self.edition.space("jail").number

    # On the table.

    @see.register
    def _(self, event: f.PaymentLaid) -> None:
        payment = event.payment
        price = WANTED.get(payment.purpose)
        if price is not None:
            assert payment.amount == price(self, payment), payment
        elif payment.reason is Reason.RENT:
            self.rents.remove((payment.payer, payment.payee, payment.amount))
        elif payment.reason is Reason.FINE:
            assert payment.amount == FINE
        self.laid.append(payment)

    @see.register
    def _(self, event: f.HandedOver) -> None:
        assert not self.looks
        if self.card is not None:
            self.card = None
            return
        payment = self.laid.pop(0)
        assert event.seat == payment.payer
        if payment.purpose != DEAL:  # What changes hands in a trade goes both ways.
            self.due.append((payment.payer, payment.payee, payment.amount))

    def offer_of(self, payment: Payment) -> d.OfferMade:
        """Return the offer that a payment completes."""
        pairs = (payment.payer, payment.payee), (payment.payee, payment.payer)
        return next(self.offers[pair] for pair in pairs if pair[1] == payment.actor)

    @see.register
    def _(self, event: f.PaymentWithdrawn) -> None:
        assert self.laid[0] == event.payment
        payment = self.laid.pop(0)
        assert self.cash[payment.payer] < payment.amount
        if payment.reason is Reason.RENT and payment.purpose != DEBT:
            self.rents.append((payment.payer, payment.payee, payment.amount))
        if payment.purpose == LOT:
            self.bid = 0  # It is auctioned again.

    @see.register
    def _(self, event: f.CardLaid) -> None:
        assert self.card is None
        self.card = event

    @see.register
    def _(self, event: f.ChipSpent) -> None:
        shown = self.card.seat if self.card is not None else self.laid[0].payer
        assert event.shower == shown != event.seat
        self.chips[event.seat] -= 1
        assert self.chips[event.seat] >= 0
        self.looks = event.seat

    @see.register
    def _(self, event: f.VerdictGiven) -> None:
        assert self.looks
        if event.verdict == "unsure":
            return
        if event.verdict == "fake" and self.card is not None:
            self.due.append((BANK, self.looks, REWARD))
            self.card = None
        elif event.verdict == "fake":
            self.due.append((self.laid[0].payer, self.looks, event.amount))
        self.looks = ""

    @see.register
    def _(self, event: f.ChipsReadied) -> None:
        self.chips[event.seat] = CHIPS

    @see.register
    def _(self, event: f.RentSpared) -> None:
        for payment in self.laid[:1]:
            if (payment.payer, payment.reason) == (event.seat, Reason.RENT):
                self.laid.pop(0)
                if payment.purpose != DEBT:
                    return
        owed = next(
            debt for debt in self.debts if debt[0] == event.seat and debt[1] != BANK
        )
        self.debts.remove(owed)

    # Owing.

    @see.register
    def _(self, event: p.DebtOwed) -> None:
        if event.reason is Reason.RENT:
            self.rents.remove((event.debtor, event.creditor, event.amount))
        laid = sum(
            payment.amount for payment in self.laid if payment.payer == event.debtor
        )
        in_hand = self.cash[event.debtor] - laid
        assert in_hand < event.amount or event.reason is Reason.CARD
        self.debts.append((event.debtor, event.creditor, event.amount))

    @see.register
    def _(self, event: p.DebtPaid) -> None:
        self.debts.remove(next(debt for debt in self.debts if debt[0] == event.debtor))

    @see.register
    def _(self, event: p.DebtForgiven) -> None:
        pair = (event.debtor, event.creditor)
        forgiven = [debt for debt in self.debts if debt[:2] == pair]
        assert sum(amount for _, _, amount in forgiven) == event.amount > 0
        self.debts = [debt for debt in self.debts if debt not in forgiven]

    @see.register
    def _(self, event: p.SeatBankrupted) -> None:
        seat = event.seat
        owed = sum(amount for who, _, amount in self.debts if who == seat)
        assert self.worth(seat) < owed, f"{seat} could still pay"
        self.debts = [debt for debt in self.debts if seat not in debt[:2]]
        self.laid = [
            payment
            for payment in self.laid
            if seat not in (payment.payer, payment.payee)
        ]
        self.card, self.looks = None, ""

    # Owning.

    @see.register
    def _(self, event: d.DeedBought) -> None:
        assert event.deed not in self.owner
        self.owner[event.deed] = event.seat

    @see.register
    def _(self, event: d.AuctionOpened) -> None:
        self.bid = 0

    @see.register
    def _(self, event: d.BidMade) -> None:
        assert event.amount >= max(10, self.bid + 10)
        assert event.amount % 10 == 0
        self.bid = event.amount

    @see.register
    def _(self, event: d.LotSold) -> None:
        assert event.amount == self.bid
        self.bid = 0
        if event.lot != "hotel":
            assert event.lot not in self.owner
            self.owner[event.lot] = event.seat

    @see.register
    def _(self, event: d.BuildingBought) -> None:
        assert event.deed not in self.hotels
        assert self.owner[event.deed] == event.seat
        self.hotels.add(event.deed)

    @see.register
    def _(self, event: d.BuildingSold) -> None:
        cost = self.figures.get((event.deed, "hotel_cost"), 0)
        self.hotels.remove(event.deed)
        if cost:
            self.due.append((BANK, event.seat, -(-cost // 2)))

    @see.register
    def _(self, event: d.DeedSold) -> None:
        assert event.deed not in self.hotels
        assert self.owner.pop(event.deed) == event.seat
        self.due.append((BANK, event.seat, self.figures[event.deed, "price"]))

    @see.register
    def _(self, event: d.DeedPassed) -> None:
        assert event.deed not in self.hotels
        self.owner[event.deed] = event.seat

    @see.register
    def _(self, event: d.OfferMade) -> None:
        self.offers[event.giver, event.taker] = event

    @see.register
    def _(self, event: d.OfferAccepted) -> None:
        offer = self.offers.pop((event.giver, event.taker))
        for who, other, cash in (
            (offer.giver, offer.taker, offer.give.cash),
            (offer.taker, offer.giver, offer.want.cash),
        ):
            if cash:
                self.due.append((who, other, cash))

    # The end.

    @see.register
    def _(self, event: p.PlayEnded) -> None:
        self.scores = dict.fromkeys(self.cash, 0)
        assert not self.due
        for seat, score in event.scores:
            owned = [deed for deed, owner in self.owner.items() if owner == seat]
            self.scores[seat] = self.cash[seat] + sum(map(self.rent, owned))
            assert score == self.scores[seat]
        best = max(self.scores.values())
        assert set(event.winners) == {x for x, n in self.scores.items() if n == best}
        is_all_owned = len(self.owner) == len(self.edition.deeds)
        left = [seat for seat, cash in self.cash.items() if cash or self.scores[seat]]
        assert is_all_owned or len(left) < 2


WANTED: dict[str, Callable[[Bookkeeper, Payment], int]] = {
    BUY: lambda book, x: book.figures[x.of, "price"],
    LOT: lambda book, _: book.bid,
    BUILD: lambda book, x: book.figures[x.of, "hotel_cost"],
    LEAVE_JAIL: lambda _book, _: FINE,
    DEBT: lambda book, x: next(n for who, _, n in book.debts if who == x.payer),
    DEAL: lambda book, x: abs(book.offer_of(x).give.cash - book.offer_of(x).want.cash),
}
"""Purpose of a payment -> how much it has to be."""


def keep_books(seed: int) -> Bookkeeper:
    options = OPTIONS["crooked-cash"][seed % len(OPTIONS["crooked-cash"])]
    is_likely = options.get("unknown_figures") == "likely"
    play = play_with_fakes(seed)
    book = Bookkeeper(builtin("crooked-cash"), is_likely=is_likely)
    for entry in play.entries:
        book.enter(entry)
    assert book.scores is not None
    chips = {str(token.seat): token.chips for token in play.at.tokens}
    assert book.chips == chips
    assert all(cash == play.game.ledger[account] for account, cash in book.cash.items())
    return book


@pytest.mark.parametrize("seed", sampled(range(100)))
def test_a_second_bookkeeper_comes_to_the_same_dollar(seed: int) -> None:
    keep_books(seed)
