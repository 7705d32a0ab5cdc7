"""Trading: deeds, cash, jail cards and debts between two seats, by offer and answer.

An *offer* goes from its *giver* to its *taker*. It has two sides (``Bundle``): what the
giver gives, and what it *wants* in return. A side may also forgive a *debt*, which is
then settled *in kind*. The taker accepts or rejects the offer; until then the giver may
withdraw it. In some boxes a seat that gets a mortgaged deed pays the bank *interest* on
its loan.

Source:
    Grab & Go's sheet, "Selling property", "Selling mortgaged property",
    "Playing" 5 (nobody borrows or lends, so money alone is no trade; property may be
    taken in place of money that is owed); the standard rules in the Mega booklet,
    "Selling properties", "Mortgages", "Miscellaneous", and its own "Bus tickets", "The
    dice & how to move". The Mega booklet, "Winning tips" 9: a depot is sold before its
    railroad is traded. Free jail cards: "Chance and Community Chest". The Secret Vault
    article, "Deals & Trades": loose hotels are traded, and those on a street come off
    before it is. Cash Decoder's sheet, "Deals & Trades"; the Crooked Cash article,
    "Deals & Trades": trades at any time, but not of hotels. Our readings: the money of
    both sides is one payment of the difference; only the owner's own buildings block a
    trade of a deed; in all boxes a debt may be settled in kind. A price is
    "mutually agreed" for the goods as they were: an offer lapses once its goods have
    changed, other than the money.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from companion.errors import Refused, Why
from companion.game import decoder_events as f  # For "fakes".
from companion.game import deed_events as d
from companion.game import how
from companion.game import play_events as p
from companion.game import vault_contents_events as r  # For "riches".
from companion.game.card_code import JAIL_CARD
from companion.game.ledger import Reason, short_of
from companion.game.move_run import MoveRun
from companion.game.moves import Accept, MakeOffer, Reject, Withdraw
from companion.game.position import DEAL, Bundle, Offer, Payment, Position
from companion.game.rulebook import RAILROAD
from companion.game.stage import Stage
from companion.rules.buildings import sells_now
from companion.rules.deeds import (
    OWING_RULE,
    check_owned,
    interest,
    loan_on,
)
from companion.rules.rule import (
    NO_LOANS_RULE,
    Range,
    Stages,
    Who,
    not_playing,
    out_of_game,
    rule,
    single_choice,
    unaffordable,
    unknown_figure,
)
from companion.rules.tickets import pass_tickets
from companion.rules.walking import MR_ALONE_RULE, is_mr_moving, settle
from companion.sheets import (
    BOOKLET,
    CROOKED,
    DECODER,
    GRAB,
    LIMIT_RULE,
    SECRET,
    STANDARD,
    TYPED_RULE,
    Told,
)
from companion.units import BANK, Account, DeedId, Dollars, Seat
from companion.words import say
from companion.words.money import AMOUNT_MAX, dollars_text

MORTGAGE_TAKEN_OVER_RULE = Told(
    "Whoever takes over a mortgaged deed pays {percent} percent of its loan.",
    {GRAB: "Selling mortgaged property", STANDARD: "Mortgages"},
)
ON_TRADES = {
    GRAB: "Selling property",
    STANDARD: "Selling properties",
    SECRET: "Deals & Trades",
    DECODER: "Deals & Trades",
    CROOKED: "Deals & Trades",
}
"""Where each sheet says how players trade."""

TRADE_RULE = Told("Two players may trade for anything that both agree on.", ON_TRADES)
TRADE_ITEMS_RULE = Told("You trade only what your box lets change hands.", ON_TRADES)
DEBT_IN_KIND_RULE = Told(
    "Whoever is owed money may take deeds or anything else in its place.",
    {GRAB: "Playing"},
)
NO_HOTEL_TRADE_RULE = Told(
    "A hotel is never traded: it goes back to the bank before its street is.",
    {CROOKED: "Deals & Trades"},
)
DEPOT_TRADE_RULE = Told(
    "You sell a depot before you trade its railroad.", {BOOKLET: "Winning tips"}
)
OWN_GOODS_RULE = Told("You trade only what is yours.", ON_TRADES)
TRADE_BUILDINGS_RULE = Told(
    "You sell the buildings of a colour before you trade one of its streets.",
    {GRAB: "Selling property", STANDARD: "Selling properties"},
)


def check_offer(run: MoveRun, move: MakeOffer, reader: str = "") -> Refused | None:
    """Check that both sides have what they trade, and that no building blocks it.

    The *reader* of the refusal is the seat that offers, unless another is named.
    """
    if refusal := check_held_back(run, move.by) or _check_partner(run, move):
        return refusal
    sides = ((move.by, move.give), (move.taker, move.want))
    unowned: list[Refused] = []
    for seat, side in sides:
        for deed in side.deeds:
            if refusal := check_owned(run, seat, deed):
                unowned.append(refusal)
    # Somebody else's deed is reported before a debt, an unknown name after it.
    not_yours = [refusal for refusal in unowned if refusal.why is Why.NOT_YOURS]
    for refusal in (*not_yours, _check_debts(run, move), *unowned):
        if refusal is not None:
            return refusal
    if refusal := _check_goods(run, move):
        return refusal
    for deed in (*move.give.deeds, *move.want.deeds):
        if refusal := blocked(run, run.board.index[deed], reader or move.by):
            return refusal
    if refusal := _check_hands(run, sides):
        return refusal
    # To anybody else, ``shortage`` says who has to raise the money.
    return None if reader else unaffordable(run, move.by, move.give.cash)


def check_held_back(run: MoveRun, by: str) -> Refused | None:
    """Refuse to trade until Mr. Monopoly's move, with its purchase, is done."""
    play = run.play
    if not is_mr_moving(play):
        return None
    owed, remedy = play.owed_by(by), say("trade later")
    if owed and run.cash(by) >= owed:
        remedy = say("pay what you owe")
    elif owed:
        remedy = say("raise the money without a trade")
    return MR_ALONE_RULE.refuses(
        Why.WRONG_STAGE,
        say("{mover} finishes the move by Mr. Monopoly first", mover=play.mover.seat),
        remedy,
    )


def _check_partner(run: MoveRun, move: MakeOffer) -> Refused | None:
    """Check that the taker is in the game, and that debts leave room for this offer.

    While debts are open, a seat may make one only if it owes, or forgives a debt in it.
    """
    partner, debts = run.play.token(move.taker), run.play.debts
    if partner is None:
        return not_playing(move.taker)
    if partner.is_out:
        return out_of_game(move.taker, say("choose a seat that plays"))
    if not debts and (move.give.debt or move.want.debt):
        return DEBT_IN_KIND_RULE.refuses(
            Why.WRONG_STAGE, say("nobody owes anything"), say("agree on another trade")
        )
    owes = any(move.by == debt.debtor for debt in debts)
    if not debts or owes or move.give.debt:
        return None
    remedy: str = say("wait for it")
    debtor = debts[0].debtor
    for debt in debts:
        if debt.creditor == move.by:
            debtor = debt.debtor
            remedy = say("wait, or trade with {debtor} for the debt", debtor=debtor)
    message = say("{debtor} has to raise money first", debtor=debtor)
    return OWING_RULE.refuses(Why.NOT_YOUR_TURN, message, remedy)


def _check_debts(run: MoveRun, move: MakeOffer) -> Refused | None:
    sides = ((move.by, move.give, move.taker), (move.taker, move.want, move.by))
    for giver, side, taker in sides:
        if side.debt and not owed(run.play, taker, giver):
            return DEBT_IN_KIND_RULE.refuses(
                Why.MALFORMED,
                say("{debtor} owes {creditor} nothing", debtor=taker, creditor=giver),
                say("agree on another trade"),
            )
    return None


def owed(play: Position, debtor: str, creditor: str) -> Dollars:
    """Return how much *debtor* owes *creditor*, in dollars."""
    return sum(
        debt.amount
        for debt in play.debts
        if debt.debtor == debtor and debt.creditor == creditor
    )


def blocked(run: MoveRun, index: int, by: str) -> Refused | None:
    """Refuse to trade the deed at *index* while a building of its owner is in the way.

    In some boxes that is any in the group, in others only one on the deed itself. It is
    *by* who reads the refusal.
    """
    board, play, trade = run.board, run.play, run.board.rules.trade
    if not trade.blocked_by_buildings:
        return None
    is_group = trade.blocked_by == "group"
    for site in board.sites[index] if is_group else (index,):
        if not play.levels[site] or play.owners[site] != play.owners[index]:
            continue
        deed, owner = board.rules.deeds[site], play.owners[site]
        rule, message = NO_HOTEL_TRADE_RULE, say("{deed} has a hotel", deed=deed.name)
        remedy: str = say("sell it first")
        others: str = say("{owner} sells it first", owner=owner)
        if deed.kind == RAILROAD:
            rule, message = DEPOT_TRADE_RULE, say("{deed} has a depot", deed=deed.name)
        elif is_group:
            rule = TRADE_BUILDINGS_RULE
            message = say("{deed} has buildings", deed=deed.name)
            remedy = say("sell all buildings of the group first")
            others = say("{owner} sells all buildings of the group first", owner=owner)
        if not sells_now(run, owner):
            remedy = others = say("agree on another trade")
        remedy = remedy if owner == by else others
        return rule.refuses(Why.HAS_BUILDINGS, message, remedy)
    return None


KINDS: dict[str, str] = {
    "cash": say("money"),
    "deed": say("deeds"),
    JAIL_CARD: say("cards to leave jail"),
    "hotels": say("hotels"),
    "tickets": say("bus tickets"),
}
"""What may be traded: word in an edition's file -> what people call it."""


def _count_goods(side: Bundle) -> dict[str, int]:
    """Count what a side gives, by the keys of ``KINDS``."""
    return {
        "cash": side.cash,
        "deed": len(side.deeds),
        JAIL_CARD: side.jail_cards,
        "hotels": side.hotels,
        "tickets": side.tickets,
    }


def _check_goods(run: MoveRun, move: MakeOffer) -> Refused | None:
    """Check that all goods may be traded, and that they are not money alone."""
    if move.taker == move.by:
        message = say("{by} cannot trade alone", by=move.by)
        return _no_trade(TRADE_RULE, message, say("choose somebody else"))
    sides = (_count_goods(move.give), _count_goods(move.want))
    for side in sides:
        for count in side.values():
            if type(count) is not int or count < 0:
                return _no_trade(TYPED_RULE, say("only whole numbers are traded"))
            if count > AMOUNT_MAX:
                most = dollars_text(AMOUNT_MAX)
                message = say("a trade has at most {most}", most=most)
                return _no_trade(LIMIT_RULE, message)
        for kind, count in side.items():
            if count and kind not in run.board.rules.trade.items:
                message = say("nobody trades {goods} in this box", goods=KINDS[kind])
                return _no_trade(TRADE_ITEMS_RULE, message)
    named = (*move.give.deeds, *move.want.deeds)
    if len(set(named)) != len(named):
        return _no_trade(TYPED_RULE, say("a deed is named twice"))
    if move.give.debt or move.want.debt:
        return None
    for side in sides:
        if any(count for kind, count in side.items() if kind != "cash"):
            return None
    remedy = say("add a deed or a card")
    if not (move.give.cash or move.want.cash):
        return _no_trade(TRADE_RULE, say("this trade is empty"), remedy)
    return _no_trade(NO_LOANS_RULE, say("money alone is no trade"), remedy)


def _no_trade(rule: Told, message: str, remedy: str = "") -> Refused:
    remedy = remedy or say("agree on another trade")
    return rule.refuses(Why.MALFORMED, message, remedy)


def _check_hands(run: MoveRun, sides: Iterable[tuple[str, Bundle]]) -> Refused | None:
    """Check that both seats have the cards, tickets and hotels that they give."""
    for seat, side in sides:
        cards_count = len(jail_cards_of(run, seat))
        tickets_count = run.play.token_of(seat).tickets
        hotels_count = hotels_of(run, seat, side.deeds)
        for why, kind, has, gives in (
            (Why.NO_CARD, JAIL_CARD, cards_count, side.jail_cards),
            (Why.NO_TICKET, "tickets", tickets_count, side.tickets),
            (Why.NO_HOTEL, "hotels", hotels_count, side.hotels),
        ):
            if has < gives:
                message = say("{seat} has no {goods}", seat=seat, goods=KINDS[kind])
                if has:
                    message = say(
                        "{seat} does not have so many {goods}",
                        seat=seat,
                        goods=KINDS[kind],
                    )
                remedy = say("agree on another trade")
                return OWN_GOODS_RULE.refuses(why, message, remedy)
    return None


def hotels_of(run: MoveRun, seat: str, deeds: Iterable[str] = ()) -> int:
    """Count the hotels that *seat* can give: those in hand, and those on *deeds*."""
    board, play = run.board, run.play
    standing = sum(play.levels[board.index[deed]] for deed in deeds)
    return play.token_of(seat).hotels + standing


def jail_cards_of(run: MoveRun, seat: str) -> tuple[str, ...]:
    """List the cards to leave jail that a seat has in hand."""
    kept = run.play.token_of(seat).cards
    if not kept:
        return ()
    jail_cards = []
    for card_id in kept:
        card = run.board.card(card_id)
        if card is not None and card.effect == JAIL_CARD:
            jail_cards.append(card_id)
    return tuple(jail_cards)


def offer(run: MoveRun, move: MakeOffer) -> None:
    """Make the offer; the taker may answer it until the next roll."""
    run.add(
        d.OfferMade(
            giver=Seat(move.by), taker=Seat(move.taker), give=move.give, want=move.want
        )
    )


def offer_choices(run: MoveRun, seat: str) -> Iterator[Range]:
    """Offer any trade, as one range: there are too many to list."""
    if check_held_back(run, seat) is not None:
        return
    if run.play.debts or any(_has_goods(run, owner) for owner in run.play.playing()):
        yield Range(MakeOffer, 0, run.cash(seat))


def _has_goods(run: MoveRun, seat: str) -> bool:
    """Return whether a seat has anything but money that can change hands now."""
    play = run.play
    token = play.token_of(seat)
    if jail_cards_of(run, seat) or token.hotels or token.tickets:
        return True
    return any(
        owner == seat and blocked(run, index, seat) is None
        for index, owner in enumerate(play.owners)
    )


def last_offer(run: MoveRun, seat: str) -> Offer | None:
    """Find the latest offer to *seat* that can be answered now, or ``None``.

    While debts are open, only offers by or to a debtor count. While the mover may buy,
    only those by or to the mover count, unless the box allows trade at any time.
    """
    play = run.play
    parties: set[str] = {debt.debtor for debt in play.debts}
    if play.stage is Stage.BUY and not run.board.rules.trade.is_any_time:
        parties = {play.mover.seat}
    for offer in reversed(play.offers):
        is_allowed = not parties or offer.giver in parties or offer.taker in parties
        if offer.taker == seat and is_allowed:
            return offer
    return None


def check_accept(run: MoveRun, move: Accept) -> Refused | None:
    """Check that both seats still have the goods, and money for the interest."""
    offer = last_offer(run, move.by)
    return no_offer(run, move.by) if offer is None else check_deal(run, offer, move.by)


def no_offer(run: MoveRun, by: str) -> Refused | None:
    """Refuse to answer if nothing is offered to *by*."""
    if last_offer(run, by) is not None:
        return None
    for offer in reversed(run.play.withdrawn):
        if offer.taker == by:
            message = (
                say("what {giver} offered has changed since", giver=offer.giver)
                if offer.has_lapsed
                else say("{giver} has taken the offer back", giver=offer.giver)
            )
            remedy = say("wait for another one")
            return TRADE_RULE.refuses(Why.WRONG_STAGE, message, remedy)
    return TRADE_RULE.refuses(
        Why.WRONG_STAGE, say("there is no offer for {by}", by=by), say("wait for one")
    )


def check_deal(run: MoveRun, offer: Offer, reader: str = "") -> Refused | None:
    """Check that an offer, made or only planned, could be carried out now."""
    move = MakeOffer(
        by=offer.giver, taker=offer.taker, give=offer.give, want=offer.want
    )
    if refusal := check_offer(run, move, reader):
        return refusal
    for deed in offer.give.deeds + offer.want.deeds:
        if not _is_interest_known(run, deed):
            return unknown_figure(run.board, deed, "mortgage")
    return shortage(run, offer)


def _is_interest_known(run: MoveRun, deed: str) -> bool:
    """Return whether the interest for taking over the deed is known, if any is due."""
    index = run.board.index[deed]
    is_due = run.board.rules.mortgage.taker_pays_interest and run.play.mortgaged[index]
    return not is_due or run.board.rules.deeds[index].mortgage is not None


def shortage(run: MoveRun, offer: Offer) -> Refused | None:
    """Check that both seats can pay the cash of an offer, and then the interest.

    A seat that forgives a debt may owe the interest. The taker reads the refusal.
    """
    sides = (
        (offer.giver, offer.give, offer.want),
        (offer.taker, offer.want, offer.give),
    )
    for seat, gives, gets in sides:
        if run.cash(seat) < gives.cash:
            return _short_of(NO_LOANS_RULE, run, offer, seat, gives.cash)
        interest = sum(interest_due(run, deed) for deed in gets.deeds)
        cash, cost = run.cash(seat), gives.cash - gets.cash + interest
        if interest and cash < cost and not gives.debt:
            return _short_of(MORTGAGE_TAKEN_OVER_RULE, run, offer, seat, cost)
    return None


def _short_of(
    rule: Told, run: MoveRun, offer: Offer, seat: str, cost: Dollars
) -> Refused:
    """Refuse the offer to its taker for what a seat lacks."""
    refused = short_of(rule, seat, run.cash(seat), cost)
    if seat != offer.taker:
        lacking = dollars_text(cost - run.cash(seat))
        refused.remedy = say(
            "wait until {payer} has raised {amount}", payer=seat, amount=lacking
        )
    return refused


def interest_due(run: MoveRun, deed: str) -> Dollars:
    """Return the interest that the taker of a deed pays, in dollars; it may be 0."""
    board, play = run.board, run.play
    index = board.index[deed]
    if not play.mortgaged[index] or not board.rules.mortgage.taker_pays_interest:
        return 0
    return interest(board, loan_on(board, play, index) or 0)


def accept(run: MoveRun, move: Accept) -> None:
    """Exchange both sides, now or once the money on the table is handed over."""
    offer = last_offer(run, move.by)
    assert offer is not None, "checked before"
    payment = _money_of(offer)
    if not run.lays(payment):
        _exchange(run, offer)
    settle(run)


def _money_of(offer: Offer) -> Payment:
    """Return the one payment of a trade: the difference between the two sums."""
    balance = offer.give.cash - offer.want.cash
    giver, taker = offer.giver, offer.taker
    payer, payee = (giver, taker) if balance > 0 else (taker, giver)
    return Payment(payer, Account(payee), abs(balance), Reason.DEAL, DEAL, actor=taker)


def close_deal(run: MoveRun, payment: Payment) -> None:
    """Carry out the trade whose money was handed over."""
    pair = {payment.payer, payment.payee}
    for offer in run.play.offers:
        if {offer.giver, offer.taker} == pair and offer.taker == payment.actor:
            _exchange(run, offer)
            return


def _exchange(run: MoveRun, offer: Offer) -> None:
    """Exchange first the cash, then the debts, then all other goods."""
    giver, taker, money = offer.giver, offer.taker, _money_of(offer)
    run.add(d.OfferAccepted(giver=giver, taker=taker))
    run.pay(money.payer, money.payee, money.amount, Reason.DEAL)
    sides = ((giver, taker, offer.give), (taker, giver, offer.want))
    for creditor, debtor, side in sides:
        if side.debt:
            amount = owed(run.play, debtor, creditor)
            run.add(p.DebtForgiven(debtor=debtor, creditor=creditor, amount=amount))
    for seat, partner, side in sides:
        _hand_over_goods(run, side, seat, partner)


def _hand_over_goods(run: MoveRun, side: Bundle, giver: Seat, taker: Seat) -> None:
    """Give the goods of one side to the other seat; hotels come off streets first."""
    for card in jail_cards_of(run, giver)[: side.jail_cards]:
        run.add(p.CardPassed(card=card, giver=giver, taker=taker))
    for deed in side.deeds:
        if run.play.levels[run.board.index[deed]]:
            deed_id = DeedId(deed)
            run.add(d.BuildingSold(seat=giver, deed=deed_id, level=0, is_all=True))
    pass_tickets(run, giver, Account(taker), side.tickets)
    if side.hotels:
        run.add(r.HotelsPassed(giver=giver, taker=Account(taker), count=side.hotels))
    for deed in side.deeds:
        pass_deed(run, deed, taker)


def pass_deed(run: MoveRun, deed: str, taker: Seat) -> None:
    """Give a deed to *taker*, who pays the bank interest if it is mortgaged."""
    due, board = interest_due(run, deed), run.board
    loan = loan_on(board, run.play, board.index[deed])
    percent = board.rules.mortgage.interest_percent
    came = how.write(("taken-over", loan), ("percent", percent))
    run.add(d.DeedPassed(deed=DeedId(deed), seat=taker))
    run.charge(taker, BANK, due, Reason.MORTGAGE, came)


def rejectable(run: MoveRun, seat: str) -> bool:
    """Return whether there is a payment to call off, or an offer to decline."""
    return run.play.stage is Stage.PAYMENT or last_offer(run, seat) is not None


def check_reject(run: MoveRun, move: Reject) -> Refused | None:
    """Check that there is something to decline."""
    return None if rejectable(run, move.by) else no_offer(run, move.by)


def reject(run: MoveRun, move: Reject) -> None:
    """Decline the offer; after a fake in the money for it, call the trade off."""
    if run.play.stage is Stage.PAYMENT:
        payment = run.play.payments[0]
        run.add(f.PaymentWithdrawn(payment=payment, is_chosen=True))
        settle(run)
        return
    offer = last_offer(run, move.by)
    assert offer is not None, "checked before"
    run.add(d.OfferRejected(giver=offer.giver, taker=offer.taker))


def own_offer(run: MoveRun, seat: str) -> Offer | None:
    """Return the open offer that *seat* made, or ``None``; it has at most one."""
    return next((offer for offer in run.play.offers if offer.giver == seat), None)


def no_own_offer(run: MoveRun, by: str) -> Refused | None:
    """Refuse to withdraw if *by* has no open offer."""
    if own_offer(run, by) is not None:
        return None
    return TRADE_RULE.refuses(
        Why.WRONG_STAGE,
        say("no offer by {by} is open", by=by),
        say("see in the history whether it was answered"),
    )


def check_withdraw(run: MoveRun, move: Withdraw) -> Refused | None:
    """Check that the seat has an open offer to withdraw."""
    return no_own_offer(run, move.by)


def withdraw(run: MoveRun, move: Withdraw) -> None:
    """Withdraw the seat's own offer."""
    offer = own_offer(run, move.by)
    assert offer is not None, "checked before"
    run.add(d.OfferWithdrawn(giver=offer.giver, taker=offer.taker))


def lapse_offers(run: MoveRun, before: Position) -> None:
    """End each offer that was open *before* the move, and whose goods it changed.

    Money that is missing changes no goods: it may be raised again.
    """
    for offer in before.offers:
        change = _change(run, before, offer) if offer in run.play.offers else None
        if change is not None:
            giver, taker, (cause, deed) = offer.giver, offer.taker, change
            run.add(d.OfferLapsed(giver=giver, taker=taker, cause=cause, deed=deed))


def _change(run: MoveRun, before: Position, offer: Offer) -> tuple[str, DeedId] | None:
    """Return what changed in the goods of *offer*: a word of ``LAPSES``, and the deed.

    A deed is another good once it is somebody else's, is mortgaged or no longer so, has
    other buildings, or has got some in its group that block the trade.
    """
    play = run.play
    for word in (*offer.give.deeds, *offer.want.deeds):
        index, deed = run.board.index[word], DeedId(word)
        if play.owners[index] != before.owners[index]:
            return "owner", deed
        if play.mortgaged[index] != before.mortgaged[index]:
            return "mortgaged" if play.mortgaged[index] else "lifted", deed
        if play.levels[index] != before.levels[index] or blocked(
            run, index, offer.taker
        ):
            return "buildings", deed
    sides = (
        (offer.giver, offer.give, offer.taker),
        (offer.taker, offer.want, offer.giver),
    )
    for creditor, side, debtor in sides:
        if side.debt and owed(play, debtor, creditor) != owed(before, debtor, creditor):
            return "debt", DeedId("")
    hands = ((seat, side) for seat, side, _ in sides)
    return ("hand", DeedId("")) if _check_hands(run, hands) else None


OFFERING: Stages = {
    Stage.ROLL: Who.ANYBODY,
    Stage.BUY: Who.BUYER,
    Stage.DEBT: Who.PARTY,
}
"""The stages in which an offer may be made, and by whom."""

ANSWERING: Stages = dict.fromkeys(OFFERING, Who.ANYBODY)
"""The same stages; in each, any seat may answer or withdraw an offer."""

ROWS = (
    rule(MakeOffer, OFFERING, check_offer, offer, offer_choices),
    rule(
        Accept,
        ANSWERING,
        check_accept,
        accept,
        single_choice(Accept, last_offer),
        outside=no_offer,
    ),
    rule(
        Reject,
        ANSWERING,
        check_reject,
        reject,
        single_choice(Reject, rejectable),
        outside=no_offer,
    ),
    rule(
        Withdraw,
        ANSWERING,
        check_withdraw,
        withdraw,
        single_choice(Withdraw, own_offer),
        outside=no_own_offer,
    ),
)
