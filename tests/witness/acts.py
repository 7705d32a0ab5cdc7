"""What happens in a game, with what each payment is for.

A rent is that of a landing, so a landing is remembered until it is asked for, a debt
until it is paid, and money on the table until it is handed over. How the program says
that an amount came about is never asked here.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from companion.game import Game, new_game

# f: fakes, d: deeds, e: money, p: play, r: riches of the vault, t: tickets.
from companion.game import decoder_events as f
from companion.game import deed_events as d
from companion.game import events as e
from companion.game import play_events as p
from companion.game import ticket_events as t
from companion.game import vault_contents_events as r
from companion.game.journal import Entry
from companion.game.ledger import Reason
from companion.game.position import DEBT, OWED, Payment
from tests.witness.box import Box, Table

CAUSES = (
    *(d.DeedBought, d.DeedDealt, d.DeedSold, d.DeedPassed, d.LotSold),
    *(d.DeedMortgaged, d.MortgageLifted, d.OfferAccepted),
    *(d.BuildingBought, d.BuildingSold, d.GroupLevelled),
    *(p.TokenMoved, p.JailLeft, p.RentAsked, p.SeatBankrupted),
    *(r.GuessMade, r.RichesTaken, r.VaultRefilled),
    *(f.Chosen, f.VerdictGiven, p.CardReturned),
)
"""What money is paid for: the last of these before it in its entry."""

OWING = (OWED, DEBT)
"""The purposes of payments that somebody owes, and did not choose."""


class Landing(NamedTuple):
    """A landing on somebody's deed.

    Attributes:
        table: The table then.
        card: The card that led there; empty if the dice did.
        dice: The dice that count for a utility: those for the rent, or for the move.
    """

    mover: str
    owner: str
    deed: str
    table: Table
    card: str
    dice: tuple[int, ...]

    @property
    def kind(self) -> str:
        """The kind of the deed."""
        return str(self.table.box.deed(self.deed)["kind"])

    @property
    def level(self) -> int:
        """How many steps of the ladder stood there."""
        return self.table.level(self.deed)

    @property
    def owned(self) -> int:
        """How many deeds of the group the owner had."""
        return self.table.owned(self.deed)

    @property
    def lacking(self) -> int:
        """How many deeds of the group the owner lacked."""
        return len(self.table.box.members(self.deed)) - self.owned

    @property
    def is_by_card(self) -> bool:
        """Whether a card led there that says what the rent is."""
        card = self.table.box.card(self.card) if self.card else {}
        is_nearest = card.get("effect") == "advance-nearest"
        return is_nearest and card["kind"] == self.kind


class Act(NamedTuple):
    """An event, with what it was for.

    Attributes:
        cause: The event that it belongs to, such as a purchase.
        table: The table before that; ``None`` before play began.
        box: The box, as far as it was known.
        amount: The money that it moves or makes somebody owe; else 0.
        card: The card that was drawn or used last, since the dice were rolled.
        landed: The space that somebody landed on last, wherever tokens were put since.
        taken_over: The mortgaged deeds that changed hands since the last roll.
        landing: Where a rent comes from.
        is_debt: Whether it pays a debt.
    """

    event: e.Event
    cause: e.Event | None
    table: Table | None
    box: Box
    payer: str = ""
    payee: str = ""
    amount: int = 0
    reason: Reason | None = None
    card: str = ""
    landed: int = -1
    taken_over: frozenset[str] = frozenset()
    landing: Landing | None = None
    is_debt: bool = False

    @property
    def before(self) -> Table:
        """The table before it."""
        assert self.table is not None, f"play had not begun: {self.event}"
        return self.table

    @property
    def how(self) -> str:
        """How the program says that it came about."""
        event = self.event
        carrier = event.payment if isinstance(event, f.PaymentLaid) else event
        return str(getattr(carrier, "how", "")) if self.reason else ""

    @property
    def purpose(self) -> str:
        """What money on the table is laid there for; empty if it is not."""
        return (
            self.cause.payment.purpose if isinstance(self.cause, f.PaymentLaid) else ""
        )

    @property
    def paid_for(self) -> str:
        """The deed or the building that it is about; empty if there is none."""
        if isinstance(self.cause, f.PaymentLaid):
            return self.cause.payment.of
        return str(getattr(self.cause, "deed", getattr(self.cause, "lot", "")))

    @property
    def key(self) -> Key:
        """What a debt and its payment have in common."""
        assert self.reason is not None
        return self.payer, str(self.payee), self.amount, self.reason


Key = tuple[str, str, int, Reason]


class Witness:
    """Follows one game, entry by entry."""

    def __init__(self, edition: str, options: dict[str, str]) -> None:
        self.box = Box(edition, options)
        self.game: Game
        self._card, self._landed = "", -1
        self._dice: tuple[int, ...] = ()
        self._for_rent: tuple[int, ...] = ()
        self._taken_over: frozenset[str] = frozenset()
        self._landings: list[Landing] = []
        self._debts: list[Act] = []
        self._laid: dict[Payment, Act] = {}

    def follow(self, entry: Entry) -> Iterator[Act]:
        """Follow one entry; yield its events with what they were for."""
        cause, table = None, None
        self._first, self._owed = entry.events[0], list(self._debts)
        self._asked: Landing | None = None
        self._earlier: Act | None = None
        for event in entry.events:
            assert isinstance(event, e.Event)
            if isinstance(event, e.GameOpened):
                self.game = new_game(event)
                yield Act(event, None, None, self.box)
                continue
            if isinstance(event, CAUSES) or _is_purchase(event):
                cause, table = event, self._table()
            self._see(event)
            act = Act(event, cause, table or self._table(), self.box)
            act = act._replace(
                card=self._card, landed=self._landed, taken_over=self._taken_over
            )
            yield self._charged(act)
            self.game = self.game.after(event)
            self._forget()

    def _table(self) -> Table | None:
        return None if self.game.play is None else Table(self.game, self.box)

    def _see(self, event: e.Event) -> None:
        """Remember what an event means for later ones."""
        match event:
            case p.BoxRead():
                self.box = self.box.with_typed(event)
            case p.DiceRolled():
                self._dice, self._card = event.dice, ""
                self._taken_over = frozenset()
            case p.TokenMoved():
                self._landed = event.space
                self._for_rent = ()
            case p.RentRolled():
                self._for_rent = event.dice
            case t.TicketUsed() | t.BonusCame():
                self._card = ""
            case p.CardDrawn() | p.CardNamed() | p.CardReturned():
                self._card = event.card
            case p.RentAsked():
                self._asked = self._take_landing(event)
            case f.HandedOver() if self.game.play and self.game.play.payments:
                self._earlier = self._laid.get(self.game.play.payments[0])
            case f.PaymentWithdrawn():
                self._earlier = self._laid.get(event.payment)
            case p.DebtPaid():
                self._earlier = self._oldest(event.debtor)
                self._debts.remove(self._earlier)
            case d.DeedPassed():
                table = self._table()
                if table is not None and table.is_mortgaged(event.deed):
                    self._taken_over |= {event.deed}

    def _oldest(self, debtor: str) -> Act:
        return next(debt for debt in self._debts if debt.payer == debtor)

    def _take_landing(self, event: p.RentAsked) -> Landing | None:
        asked = (event.seat, event.owner, event.deed)
        for at in reversed(range(len(self._landings))):
            if self._landings[at][:3] == asked:
                return self._landings.pop(at)
        return None

    def _charged(self, act: Act) -> Act:
        """Return the act with what it charges, fresh or remembered."""
        match act.event:
            case p.RentFellDue() as event:
                landing = self._landing(event)
                self._landings.append(landing)
                act = act._replace(payer=event.seat, payee=event.owner, landing=landing)
                return act._replace(amount=event.amount or 0, reason=Reason.RENT)
            case p.DebtOwed() as event:
                act = self._remembered(act, event.debtor, event.creditor, event)
                self._debts.append(act._replace(is_debt=True))
            case f.PaymentLaid(payment=paid):
                act = self._remembered(act, paid.payer, paid.payee, paid)
                if paid.purpose == DEBT:
                    act = self._oldest(paid.payer)._replace(event=act.event)
                self._laid[paid] = act
            case e.MoneyMoved() as event:
                act = self._remembered(act, event.payer, event.payee, event)
        return act

    def _landing(self, event: p.RentFellDue) -> Landing:
        table, where = self._table(), (event.seat, event.owner, event.deed)
        assert table is not None
        return Landing(*where, table, self._card, self._for_rent or self._dice)

    def _remembered(
        self,
        act: Act,
        payer: str,
        payee: str,
        money: p.DebtOwed | Payment | e.MoneyMoved,
    ) -> Act:
        """Return the charge of *money*: fresh, or what is paid now of before."""
        act = act._replace(payer=payer, payee=str(payee), amount=money.amount)
        act = act._replace(reason=money.reason)
        if money.reason is Reason.RENT:
            act = act._replace(landing=self._asked)
        for earlier in self._paid_now(act):
            if earlier.key == act.key:
                return earlier._replace(event=act.event)
        return act

    def _paid_now(self, act: Act) -> Iterator[Act]:
        """Yield the charges from before this entry that this one may be."""
        earlier, first = self._earlier, self._first
        if earlier is not None and not _is_purchase(earlier.event):
            yield earlier
        if isinstance(first, p.SeatBankrupted) and act.payer == first.seat:
            yield from self._owed

    def _forget(self) -> None:
        """Keep only the debts that there still are; one may have been given."""
        play = self.game.play
        kept, known = [], list(self._debts)
        for debt in () if play is None else play.debts:
            key = (debt.debtor, str(debt.creditor), debt.amount, debt.reason)
            found = next((one for one in known if one.key == key), None)
            if found is None:
                given = p.DebtPaid(debtor=debt.debtor)
                found = Act(given, None, self._table(), self.box, *key, is_debt=True)
            else:
                known.remove(found)
            kept.append(found)
        self._debts = kept


def _is_purchase(event: e.Event) -> bool:
    """Whether money is laid down for something that its payer gets later."""
    return isinstance(event, f.PaymentLaid) and event.payment.purpose not in OWING
