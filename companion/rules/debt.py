"""Debts: raising the money, paying, and giving up.

A seat that has too little money in hand *owes* the amount (``Debt``) and raises it:
from the bank for buildings, mortgages or deeds, or by trade. If it cannot raise enough,
it is *bankrupt* and leaves the game. A seat may also *resign*, that is, leave of its
own accord. The *heir* is the account that gets what a leaving seat has left.

An unknown *figure* is a printed amount that nobody has read in the box yet. With a
decoder, money lies on the table before it is handed over; until then it is the payer's.

Source:
    Grab & Go's sheet, "Running out of money", "Bankruptcy"; the standard rules in
    the Mega booklet, "Bankruptcy": buildings go back to the bank at half price for the
    creditor's sake. The Secret Vault article, "Hotels": the bank takes none back. Cash
    Decoder's sheet, "Help! I can't pay!": hotels and streets are sold to the bank, and
    the creditor gets the cards; the Crooked Cash article, "In Debt & Bankruptcy". Our
    readings: a seat that owes several others hands all to the one owed longest, and
    loose hotels go with the deeds. The project's own: a seat that leaves the game first
    pays what it owes, so that nobody escapes a debt by leaving; nobody is bankrupt
    while an unknown figure might bring enough money, within its bounds
    (``companion/game/figure_bounds.py``).
"""

from __future__ import annotations

from collections.abc import Iterator

from companion.errors import Refused, Why
from companion.game import deed_events as d
from companion.game import play_events as p
from companion.game import vault_contents_events as r  # For "riches".
from companion.game.figure_bounds import highest, known_figures
from companion.game.ledger import Reason
from companion.game.move_run import MoveRun
from companion.game.moves import DeclareBankrupt, PayDebt, Resign
from companion.game.owning import comes_from_hand
from companion.game.position import DEBT, Debt, Payment
from companion.game.stage import Stage
from companion.rules.auction import open_auction, remove_bidders
from companion.rules.buildings import is_sale_known, sale_steps, sale_value
from companion.rules.deeds import (
    OWING_RULE,
    borrow,
    buys_streets,
    owned,
    sale_price,
    sell_to_bank,
)
from companion.rules.ending import end_if_over, ending_by_bankruptcy
from companion.rules.rule import (
    ALWAYS,
    FIGURE_RULE,
    Stages,
    Who,
    not_now,
    nothing_against,
    rule,
    single_choice,
    unaffordable,
    unknown_figure,
)
from companion.rules.tickets import pass_tickets
from companion.rules.trade import pass_deed
from companion.rules.walking import settle
from companion.sheets import CROOKED, DECODER, GRAB, SECRET, STANDARD, Told
from companion.units import BANK, VAULT, Account, Dollars, Seat
from companion.words import say

DEBT_RULE = Told(
    "If you owe too much, you sell buildings, mortgage deeds or trade first.",
    {
        GRAB: "Running out of money",
        STANDARD: "Bankruptcy",
        DECODER: "Help! I can't pay!",
        CROOKED: "In Debt & Bankruptcy",
    },
)
DEBT_HOTELS_KEPT_RULE = Told(
    "The bank takes no hotels. If you owe too much, you mortgage deeds or trade first.",
    {SECRET: "Hotels"},
)
DEBT_STREETS_RULE = Told(
    "If you owe too much, you sell hotels and streets to the bank, or trade.",
    {DECODER: "Help! I can't pay!", CROOKED: "In Debt & Bankruptcy"},
)
BANKRUPT_RULE = Told(
    "If you cannot pay, you are out, and the one you owe gets all you have.",
    {GRAB: "Bankruptcy", STANDARD: "Bankruptcy", DECODER: "Help! I can't pay!"},
)
RESIGNED_RULE = Told(
    "If you leave early, you pay what you owe, or give all you have for it. "
    "The rest goes back to the bank."
)


def debts_of(run: MoveRun, seat: str) -> tuple[Debt, ...]:
    """List the debts of *seat*, the oldest first."""
    return tuple(debt for debt in run.play.debts if debt.debtor == seat)


def owing_of(run: MoveRun, seat: str) -> tuple[Debt, ...]:
    """List the debts of *seat*, also those for which the money is on the table."""
    return tuple(debt for debt in run.play.owing() if debt.debtor == seat)


def check_pay(run: MoveRun, move: PayDebt) -> Refused | None:
    """Check that the seat can pay its oldest debt in full."""
    return unaffordable(run, move.by, debts_of(run, move.by)[0].amount)


def pay(run: MoveRun, move: PayDebt) -> None:
    """Pay the debts, the oldest first, while the money lasts."""
    for debt in debts_of(run, move.by):
        if run.cash(move.by) < debt.amount:
            break
        payment = _payment_of(debt)
        if run.lays(payment):
            break  # The next debt waits until this money is handed over.
        settle_debt(run, payment)
    settle(run)


def _payment_of(debt: Debt) -> Payment:
    """Return the payment that settles a debt."""
    return Payment(
        debt.debtor, debt.creditor, debt.amount, debt.reason, DEBT, how=debt.how
    )


def settle_debt(run: MoveRun, payment: Payment) -> None:
    """Settle the oldest debt of the payer with this payment."""
    run.add(p.DebtPaid(debtor=payment.payer))
    run.make(payment)


def raisable(run: MoveRun, seat: str) -> Dollars:
    """Return all the money a seat could raise, in dollars.

    That is its balance, with money on the table, and what the bank would pay for its
    buildings and deeds, or lend on the deeds.
    """
    board, play = run.board, run.play
    total = run.balance(seat)
    for index in owned(run, seat):
        total += sale_value(board, play, index, 0)
        if is_sale_known(board, play, index, 0) and not play.mortgaged[index]:
            total += sale_price(board, index) or 0
        if board.rules.mortgage.exists and not play.mortgaged[index]:
            total += board.rules.deeds[index].mortgage or 0
    return total


def unknown_worths(run: MoveRun, seat: str) -> Iterator[tuple[int, str]]:
    """Yield each deed's index and its unknown figure that might bring *seat* money."""
    board, play = run.board, run.play
    lends, buys = board.rules.mortgage.exists, buys_streets(board)
    for index in owned(run, seat):
        deed = board.rules.deeds[index]
        if not is_sale_known(board, play, index, 0):
            unknown = [
                deed.ladder[step]
                for step in range(play.levels[index])
                if deed.costs[step] is None
            ]
            for kind in dict.fromkeys(unknown):
                yield index, f"{kind}_cost"
        if lends and not play.mortgaged[index] and deed.mortgage is None:
            yield index, "mortgage"
        if buys and deed.price is None:
            yield index, "price"


def check_declare(run: MoveRun, move: DeclareBankrupt) -> Refused | None:
    """Check that the seat cannot raise what it owes, whatever unknown figures say."""
    if _missing(run, move.by) <= 0:
        return _payable(run, move.by)
    unknown = next(unknown_worths(run, move.by), None)
    if unknown is None or not _might_pay(run, move.by):
        return None
    index, figure = unknown
    deed = run.board.rules.deeds[index].id
    refused = unknown_figure(run.board, deed, figure)
    message = say("it might bring enough: {unknown}", unknown=refused.message)
    return FIGURE_RULE.refuses(refused.why, message, refused.remedy)


def _might_pay(run: MoveRun, seat: str) -> bool:
    """Return whether a seat could raise all that it owes if unknown figures were high.

    A loan is below what else the deed says; nothing limits other figures.
    """
    missing = _missing(run, seat)
    for index, figure in unknown_worths(run, seat):
        most = highest(known_figures(run.board.rules.deeds[index]), figure)
        if most is None:
            return True
        missing -= most
    return missing <= 0


def _payable(run: MoveRun, seat: str) -> Refused:
    """Refuse to let a seat give up that can pay, and say how in this box."""
    board, rule = run.board, DEBT_RULE
    message: str = say("{by} can still raise the money", by=seat)
    remedy: str = say("sell buildings or mortgage deeds")
    if buys_streets(board):
        rule = DEBT_STREETS_RULE
        remedy = say("sell hotels or streets to the bank")
    elif comes_from_hand(board):
        rule = DEBT_HOTELS_KEPT_RULE
        remedy = say("mortgage deeds, or trade")
    if run.cash(seat) >= run.play.owed_by(seat):
        rule = BANKRUPT_RULE
        message, remedy = say("{by} has the money", by=seat), say("pay what you owe")
    return rule.refuses(Why.CAN_STILL_PAY, message, remedy)


def _missing(run: MoveRun, seat: str) -> Dollars:
    """Return what a seat owes beyond all that it can raise, by the known figures."""
    return sum(debt.amount for debt in owing_of(run, seat)) - raisable(run, seat)


def pays_on_leaving(run: MoveRun, seat: str) -> bool:
    """Return whether a seat that leaves can pay all that it owes.

    The bank then also takes streets with buildings on them whose price nobody knows.
    """
    board, play = run.board, run.play
    more = sum(
        sale_price(board, index) or 0
        for index in owned(run, seat)
        if not is_sale_known(board, play, index, 0)
    )
    return more >= _missing(run, seat)


def declare(run: MoveRun, move: DeclareBankrupt) -> None:
    """Hand everything to the creditor of the oldest debt, and take the seat out."""
    _leave(run, Seat(move.by), heir_of(run, move.by), has_resigned=False)


def resign(run: MoveRun, move: Resign) -> None:
    """Leave the game: pay all debts, or hand everything over as a bankrupt does."""
    _leave(run, Seat(move.by), heir_of(run, move.by), has_resigned=True)


def heir_of(run: MoveRun, seat: str) -> Account:
    """Return the account that gets what a leaving seat has left.

    That is the bank if the seat can pay its debts, or else its oldest creditor.
    """
    debts = owing_of(run, seat)
    return BANK if not debts or pays_on_leaving(run, seat) else debts[0].creditor


def _leave(run: MoveRun, seat: Seat, heir: Account, *, has_resigned: bool) -> None:
    """Take a seat out of the game; the heir gets what is left.

    Its buildings are sold, and its deeds if the bank buys them. Then it pays its debts
    if it can pay them all.
    """
    debts = owing_of(run, seat) if pays_on_leaving(run, seat) else ()
    run.add(p.SeatBankrupted(seat=seat, creditor=heir, has_resigned=has_resigned))
    _sell_buildings(run, seat)
    _sell_deeds(run, seat)
    _pay_off(run, seat, debts)
    run.pay(seat, heir, run.cash(seat), Reason.LEAVING)
    remove_bidders(run, (seat,))
    _pass_hotels(run, seat, heir)
    if heir in (BANK, VAULT):
        _return_all(run, seat)
    else:
        _hand_all(run, seat, Seat(heir))
    if not end_if_over(run):
        settle(run)


def _pay_off(run: MoveRun, seat: Seat, debts: tuple[Debt, ...]) -> None:
    """Pay these debts of a leaving seat; mortgage its deeds as far as needed."""
    owing = sum(debt.amount for debt in debts)
    if run.board.rules.mortgage.exists:
        for index in owned(run, seat):
            deed, is_mortgaged = run.board.rules.deeds[index], run.play.mortgaged[index]
            if run.cash(seat) < owing and deed.mortgage and not is_mortgaged:
                borrow(run, seat, deed)
    for debt in debts:
        run.pay(seat, debt.creditor, debt.amount, debt.reason, debt.how)


def _sell_buildings(run: MoveRun, seat: Seat) -> None:
    for index in owned(run, seat):
        board, play = run.board, run.play
        if play.levels[index]:
            value = sale_value(board, play, index, 0)
            deed = board.rules.deeds[index].id
            run.add(d.BuildingSold(seat=seat, deed=deed, level=0, is_all=True))
            run.earn(seat, value, Reason.SALE, sale_steps(board, play, index, 0))


def _sell_deeds(run: MoveRun, seat: Seat) -> None:
    if buys_streets(run.board):
        for index in owned(run, seat):
            sell_to_bank(run, seat, index)


def _pass_hotels(run: MoveRun, seat: Seat, heir: Account) -> None:
    """Hand a seat's hotels to the heir, or to the bank if the vault is the heir."""
    count = run.play.token_of(seat).hotels
    if count:
        taker = BANK if heir == VAULT else heir
        run.add(r.HotelsPassed(giver=seat, taker=taker, count=count))


def _hand_all(run: MoveRun, seat: Seat, creditor: Seat) -> None:
    """Hand cards and deeds to a creditor, who pays interest on mortgaged deeds."""
    for card in run.play.token_of(seat).cards:
        run.add(p.CardPassed(card=card, giver=seat, taker=creditor))
    pass_tickets(run, seat, Account(creditor), run.play.token_of(seat).tickets)
    for index in owned(run, seat):
        pass_deed(run, run.board.rules.deeds[index].id, creditor)


def _return_all(run: MoveRun, seat: Seat) -> None:
    """Return cards to their decks and deeds to the bank, which may auction them."""
    for card in run.play.token_of(seat).cards:
        run.add(p.CardReturned(seat=seat, card=card))
    pass_tickets(run, seat, BANK, run.play.token_of(seat).tickets)
    deeds = [run.board.rules.deeds[index] for index in owned(run, seat)]
    for deed in deeds:
        run.add(d.DeedReturned(deed=deed.id))
    lots = tuple(deed.id for deed in deeds if not deed.is_locked)
    is_over = bool(ending_by_bankruptcy(run))
    if lots and not is_over and run.board.rules.bankruptcy.to_bank == "auction":
        open_auction(run, lots)


OWING: Stages = {Stage.DEBT: Who.DEBTOR}
"""The stage in which a seat pays its debts or goes bankrupt."""

LEAVING: Stages = {
    stage: who for stage, who in ALWAYS.items() if stage != Stage.AUCTION
}
"""The stages in which a seat may leave the game: all but an auction."""

NOTHING_OWED = not_now(OWING_RULE, say("there is no debt to pay now"), say("play on"))
"""Refuses to pay a debt or to give up while nobody owes anything."""

ROWS = (
    rule(PayDebt, OWING, check_pay, pay, single_choice(PayDebt), outside=NOTHING_OWED),
    rule(
        DeclareBankrupt,
        OWING,
        check_declare,
        declare,
        single_choice(DeclareBankrupt),
        outside=NOTHING_OWED,
    ),
    rule(Resign, LEAVING, nothing_against, resign, single_choice(Resign)),
)
