"""Trading: deeds, cash and jail cards between two seats, by offer and answer.

Source:
    Grab & Go's sheet, "Selling property", "Selling mortgaged property",
    "Playing" 5 (nobody borrows or lends, so money alone is no trade); the
    standard rules in the Mega booklet, "Selling properties", "Mortgages",
    "Miscellaneous", and its own "Bus tickets", "The dice & how to move". Free jail
    cards: "Chance and Community Chest". The Secret Vault
    article, "Deals & Trades": loose hotels, and those of a street come off first. That
    money of both sides lies on the table as one payment, of the difference, and only
    one's own buildings are in the way, are readings.
"""

from __future__ import annotations

from collections.abc import Iterator

from companion.errors import Why
from companion.game import deed_events as d
from companion.game import play_events as p
from companion.game import vault_contents_events as r
from companion.game.card_code import JAIL_CARD
from companion.game.ledger import Reason
from companion.game.move_run import MoveRun
from companion.game.moves import Accept, MakeOffer, Reject
from companion.game.position import DEAL, MR, Bundle, Offer, Payment
from companion.rules.deeds import interest
from companion.rules.rule import Range
from companion.rules.tickets import pass_tickets
from companion.rules.walking import settle
from companion.units import BANK, Account, Dollars, Seat
from companion.words.money import AMOUNT_MAX


def check_offer(run: MoveRun, move: MakeOffer) -> Why | None:
    """Check that it is a trade, that both have the goods, and no building blocks it."""
    if run.play.bonus == MR:
        return Why.WRONG_STAGE  # Nobody else trades before that move is done.
    other = run.play.token(move.taker)
    if other is None:
        return Why.UNKNOWN_SEAT
    if other.is_out:
        return Why.BANKRUPT
    sides = ((move.by, move.give), (move.taker, move.want))
    wrong = [_check_deeds(run, seat, side) for seat, side in sides]
    if Why.NOT_YOURS in wrong:
        return Why.NOT_YOURS
    if move.taker == move.by or not _is_trade(run, move):
        return Why.MALFORMED
    if Why.HAS_BUILDINGS in wrong:
        return Why.HAS_BUILDINGS
    if any(_jail_cards(run, seat) < side.jail_cards for seat, side in sides):
        return Why.NO_CARD
    if any(run.play.token_of(seat).tickets < side.tickets for seat, side in sides):
        return Why.NO_TICKET
    if any(_hotels(run, seat, side) < side.hotels for seat, side in sides):
        return Why.NO_HOTEL
    return Why.CANNOT_AFFORD if run.cash(move.by) < move.give.cash else None


def _check_deeds(run: MoveRun, seat: str, side: Bundle) -> Why | None:
    board, play = run.board, run.play
    places = [board.index[deed] for deed in side.deeds if deed in board.index]
    if any(play.owners[at] != seat for at in places):
        return Why.NOT_YOURS
    is_blocked = board.rules.trade.blocked_by_buildings
    if is_blocked and any(_is_built(run, seat, at) for at in places):
        return Why.HAS_BUILDINGS
    return None


def _is_built(run: MoveRun, seat: str, at: int) -> bool:
    """Whether the seat has a building on the deed at *at* or in its group."""
    play = run.play
    sites = run.board.sites[at]
    return any(play.levels[i] for i in sites if play.owners[i] == seat)


def _is_trade(run: MoveRun, move: MakeOffer) -> bool:
    """Whether both sides hold tradable things, and not only money changes hands."""
    items = run.board.rules.trade.items
    sides = (move.give, move.want)
    for side in sides:
        if (side.cash and "cash" not in items) or (side.deeds and "deed" not in items):
            return False
        if side.jail_cards and JAIL_CARD not in items:
            return False
        if side.tickets and "tickets" not in items:
            return False
        if side.hotels and "hotels" not in items:
            return False
        numbers = (side.cash, side.jail_cards, side.hotels, side.tickets)
        if any(type(n) is not int or not 0 <= n <= AMOUNT_MAX for n in numbers):
            return False
        if len(set(side.deeds)) != len(side.deeds):
            return False
        if any(deed not in run.board.index for deed in side.deeds):
            return False
    return any(
        side.deeds or side.jail_cards or side.hotels or side.tickets for side in sides
    )


def _hotels(run: MoveRun, seat: str, side: Bundle) -> int:
    """Hotels that *seat* can give: loose ones, and those that come off the deeds."""
    board, play = run.board, run.play
    standing = sum(play.levels[board.index[deed]] for deed in side.deeds)
    return run.play.token_of(seat).hotels + standing


def _jail_cards(run: MoveRun, seat: str) -> int:
    return len(_jail_cards_of(run, seat))


def _jail_cards_of(run: MoveRun, seat: str) -> tuple[str, ...]:
    kept = run.play.token_of(seat).cards
    if not kept:
        return ()
    found = [(card, run.board.card(card)) for card in kept]
    return tuple(id for id, card in found if card and card.effect == JAIL_CARD)


def offer(run: MoveRun, move: MakeOffer) -> None:
    """Make the offer; it waits for an answer until the next roll."""
    run.add(
        d.OfferMade(
            giver=Seat(move.by),
            taker=Seat(move.taker),
            give=move.give,
            want=move.want,
        )
    )


def offer_choices(run: MoveRun, seat: str) -> Iterator[Range]:
    """Offer any trade, as one range: there are too many to list."""
    if run.play.bonus == MR:
        return
    if any(_has_goods(run, one) for one in run.play.playing()):
        yield Range(MakeOffer, 0, run.cash(seat))


def _has_goods(run: MoveRun, seat: str) -> bool:
    """Whether a seat has anything but money that can change hands now."""
    board, play = run.board, run.play
    token = run.play.token_of(seat)
    if _jail_cards(run, seat) or token.hotels or token.tickets:
        return True
    if seat not in play.owners:
        return False
    is_blocked = board.rules.trade.blocked_by_buildings
    return any(
        owner == seat and not (is_blocked and _is_built(run, seat, at))
        for at, owner in enumerate(play.owners)
    )


def last_offer(run: MoveRun, seat: str) -> Offer | None:
    """The latest offer made to *seat*; while a debt is open, only with a debtor."""
    debtors = {debt.debtor for debt in run.play.debts}
    for one in reversed(run.play.offers):
        if one.taker == seat and (not debtors or {one.giver, one.taker} & debtors):
            return one
    return None


def check_accept(run: MoveRun, move: Accept) -> Why | None:
    """Check that both sides still have the goods, and money for the interest."""
    found = last_offer(run, move.by)
    if found is None:
        return Why.WRONG_STAGE
    wrong = check_offer(
        run,
        MakeOffer(by=found.giver, taker=found.taker, give=found.give, want=found.want),
    )
    if wrong is not None:
        return wrong
    if not all(_is_interest_known(run, x) for x in found.give.deeds + found.want.deeds):
        return Why.UNKNOWN_FIGURE
    return Why.CANNOT_AFFORD if short_of_cash(run, found) else None


def _is_interest_known(run: MoveRun, deed: str) -> bool:
    """Whether nobody pays interest for that deed, or its mortgage value is known."""
    at = run.board.index[deed]
    is_due = run.board.rules.mortgage.taker_pays_interest and run.play.mortgaged[at]
    return not is_due or run.board.rules.deeds[at].mortgage is not None


def short_of_cash(run: MoveRun, found: Offer) -> str:
    """Who cannot pay its side of an offer and the interest; empty if both can."""
    sides = (
        (found.giver, found.give, found.want),
        (found.taker, found.want, found.give),
    )
    for seat, gives, gets in sides:
        left = run.cash(seat) - gives.cash
        if left < 0 or left + gets.cash < _interests(run, gets):
            return seat
    return ""


def _interests(run: MoveRun, side: Bundle) -> Dollars:
    """The interest that the taker of these deeds pays for the mortgaged ones."""
    return sum(interest_due(run, deed) for deed in side.deeds)


def interest_due(run: MoveRun, deed: str) -> Dollars:
    """The interest on a mortgaged deed, paid by whoever takes it; 0 for others."""
    board, play = run.board, run.play
    at = board.index[deed]
    if not play.mortgaged[at] or not board.rules.mortgage.taker_pays_interest:
        return 0
    return interest(board, board.rules.deeds[at].mortgage or 0)


def accept(run: MoveRun, move: Accept) -> None:
    """Let both sides change hands at once; takers pay interest on mortgaged deeds."""
    found = last_offer(run, move.by)
    assert found is not None, "checked before"
    payment = _money_of(found)
    if not run.lays(payment):
        _exchange(run, found)
    settle(run)


def _money_of(found: Offer) -> Payment:
    """The money that changes hands in a trade: what one side pays beyond the other."""
    more = found.give.cash - found.want.cash
    giver, taker = found.giver, found.taker
    payer, payee = (giver, taker) if more > 0 else (taker, giver)
    return Payment(
        payer, Account(payee), abs(more), Reason.DEAL, DEAL, actor=found.taker
    )


def close_deal(run: MoveRun, payment: Payment) -> None:
    """Carry out the trade whose money was handed over."""
    pair = {payment.payer, payment.payee}
    for found in run.play.offers:
        if {found.giver, found.taker} == pair and found.taker == payment.actor:
            _exchange(run, found)
            return


def _exchange(run: MoveRun, found: Offer) -> None:
    giver, taker = found.giver, found.taker
    run.add(d.OfferAccepted(giver=giver, taker=taker))
    sides = ((giver, taker, found.give.cash), (taker, giver, found.want.cash))
    for payer, payee, cash in sorted(sides, key=lambda side: side[2]):
        run.pay(payer, payee, cash, Reason.DEAL)  # The lesser sum first.
    _hand_over(run, found.give, giver, taker)
    _hand_over(run, found.want, taker, giver)


def _hand_over(run: MoveRun, side: Bundle, giver: Seat, taker: Seat) -> None:
    for card in _jail_cards_of(run, giver)[: side.jail_cards]:
        run.add(p.CardPassed(card=card, giver=giver, taker=taker))
    for deed in side.deeds:
        _clear(run, giver, deed)
    pass_tickets(run, giver, Account(taker), side.tickets)
    if side.hotels:
        run.add(r.HotelsPassed(giver=giver, taker=Account(taker), count=side.hotels))
    for deed in side.deeds:
        pass_deed(run, deed, taker)


def _clear(run: MoveRun, seat: Seat, deed: str) -> None:
    """Take the buildings off a street before it is traded."""
    at = run.board.index[deed]
    if run.play.levels[at]:
        known = run.board.rules.deeds[at].id
        run.add(d.BuildingSold(seat=seat, deed=known, level=0, is_all=True))


def pass_deed(run: MoveRun, deed: str, taker: Seat) -> None:
    """Give a deed to *taker*, who pays the bank interest if it is mortgaged."""
    due = interest_due(run, deed)
    found = run.board.rules.deeds[run.board.index[deed]]
    run.add(d.DeedPassed(deed=found.id, seat=taker))
    run.charge(taker, BANK, due, Reason.MORTGAGE)


def check_reject(run: MoveRun, move: Reject) -> Why | None:
    """Check that there is an offer to turn down."""
    return None if last_offer(run, move.by) else Why.WRONG_STAGE


def reject(run: MoveRun, move: Reject) -> None:
    """Turn the offer down."""
    found = last_offer(run, move.by)
    assert found is not None, "checked before"
    run.add(d.OfferRejected(giver=found.giver, taker=found.taker))


def answer_choices(run: MoveRun, seat: str) -> Iterator[Accept | Reject]:
    """Offer to say yes, where there is an offer."""
    if last_offer(run, seat):
        yield Accept(by=seat)


def reject_choices(run: MoveRun, seat: str) -> Iterator[Reject]:
    """Offer to say no, where there is an offer."""
    if last_offer(run, seat):
        yield Reject(by=seat)
