"""Every command in one table: who may give it, its check, its effect, its choices.

Asking for rent, leaving the game and saying yes or no to an offer are not turns, so
they are taken in more stages than others are. Money is raised whenever it is wanted: by
whoever buys, bids or owes. Nobody builds or lifts a mortgage while it owes.

Source:
    The stages: ``companion/script/README.md``. Each rule names its own source in its
    module.
"""

from __future__ import annotations

from companion.game import commands as c
from companion.game import moves as m
from companion.game.stage import Stage
from companion.rules import (
    auction,
    bank,
    begin,
    box_reading,
    buildings,
    cards,
    choosing,
    correcting,
    debt,
    decoder,
    deeds,
    ending,
    jail,
    kept_cards,
    levelling,
    rent,
    seats,
    tickets,
    trade,
    turn,
    undoing,
    vault,
)
from companion.rules.rule import Rule, Who, alone, nothing_against, rule

LED = (
    Stage.ROLL,
    Stage.CARD,
    Stage.BUY,
    Stage.AUCTION,
    Stage.GUESS,
    Stage.KEY,
    Stage.REFILL,
    Stage.CHOOSE,
    Stage.PAYMENT,
    Stage.VERDICT,
    Stage.CARD_USE,
    Stage.RENT_ROLL,
    Stage.LEVEL,
    Stage.DEBT,
)
"""The stages that the companion leads through; a new mechanic adds its own."""

_ROLLING = {Stage.ROLL: Who.MOVER, Stage.RENT_ROLL: Who.MOVER}
_LEAVING_JAIL = {Stage.ROLL: Who.MOVER}
_USING_CARD = {
    Stage.ROLL: Who.ANYBODY,
    Stage.PAYMENT: Who.SHOWER,
    Stage.DEBT: Who.DEBTOR,
}
_SHOWING = {Stage.PAYMENT: Who.SHOWER, Stage.CARD_USE: Who.SHOWER}
_LOOKING = {Stage.PAYMENT: Who.ANYBODY, Stage.CARD_USE: Who.ANYBODY}
_ESTATE = {Stage.ROLL: Who.ANYBODY, Stage.DEBT: Who.DEBTOR}
_WITH_GROUP = {**_ESTATE, Stage.LEVEL: Who.LEVELLER}
_FOR_MONEY = {Stage.BUY: Who.MOVER, Stage.AUCTION: Who.STILL_BIDDING}
_OFFERING = {Stage.ROLL: Who.ANYBODY, Stage.DEBT: Who.PARTY}
_ANSWERING = {Stage.ROLL: Who.ANYBODY, Stage.DEBT: Who.ANYBODY}
_BUYING = {Stage.BUY: Who.MOVER}
_BIDDING = {Stage.AUCTION: Who.BIDDER}
_OWING = {Stage.DEBT: Who.DEBTOR}
_GUESSING = {Stage.GUESS: Who.MOVER}
_ALWAYS: dict[Stage, Who] = dict.fromkeys(LED, Who.ANYBODY)
_NOT_BIDDING: dict[Stage, Who] = {
    stage: who for stage, who in _ALWAYS.items() if stage != Stage.AUCTION
}

RULES: dict[type[c.Command], Rule] = dict(
    (
        rule(
            c.AddSeat,
            Who.BANKER,
            seats.check_add,
            seats.add,
            seats.add_choices,
            is_by_hand=True,
        ),
        rule(
            c.RenameSeat,
            Who.SEAT,
            seats.check_rename,
            seats.rename,
            seats.rename_choices,
        ),
        rule(
            c.RemoveSeat,
            Who.BANKER,
            seats.check_remove,
            seats.remove,
            seats.remove_choices,
            is_by_hand=True,
        ),
        rule(
            c.HandBanker,
            Who.BANKER,
            seats.check_hand,
            seats.hand_banker,
            seats.hand_choices,
        ),
        rule(c.LockTable, Who.BANKER, seats.check_lock, seats.lock, alone(c.LockTable)),
        rule(
            c.UnlockTable,
            Who.BANKER,
            seats.check_unlock,
            seats.unlock,
            alone(c.UnlockTable),
        ),
        rule(
            c.Pay,
            Who.SEAT,
            bank.check_pay,
            bank.pay,
            bank.pay_choices,
            is_by_hand=True,
        ),
        rule(
            c.CollectSalary,
            Who.SEAT,
            bank.check_salary,
            bank.collect_salary,
            bank.salary_choices,
            is_by_hand=True,
        ),
        rule(
            c.AskMoney,
            Who.SEAT,
            bank.check_ask,
            bank.ask_money,
            bank.ask_choices,
            is_by_hand=True,
        ),
        rule(
            c.PayAsk,
            Who.SEAT,
            bank.check_pay_ask,
            bank.pay_ask,
            bank.of_asks(c.PayAsk),
            is_by_hand=True,
        ),
        rule(
            c.DeclineAsk,
            Who.SEAT,
            bank.check_decline,
            bank.decline_ask,
            bank.of_asks(c.DeclineAsk),
        ),
        rule(
            c.WithdrawAsk,
            Who.SEAT,
            bank.check_withdraw,
            bank.withdraw_ask,
            bank.of_asks(c.WithdrawAsk),
        ),
        rule(
            c.CorrectBalance,
            Who.BANKER,
            bank.check_balance,
            bank.correct_balance,
            bank.balance_choices,
        ),
        rule(c.Undo, Who.SEAT, undoing.check_undo, undoing.undo, alone(c.Undo)),
        rule(
            c.UndoTo,
            Who.SEAT,
            undoing.check_undo_to,
            undoing.undo_to,
            undoing.undo_to_choices,
        ),
        rule(
            c.AllowUndo,
            Who.SEAT,
            undoing.check_allow,
            undoing.allow,
            undoing.of_question(c.AllowUndo),
        ),
        rule(
            c.DeclineUndo,
            Who.SEAT,
            undoing.check_decline,
            undoing.decline,
            undoing.of_question(c.DeclineUndo),
        ),
        rule(c.Redo, Who.SEAT, undoing.check_redo, undoing.redo, alone(c.Redo)),
        rule(c.CloseGame, Who.BANKER, nothing_against, seats.close, alone(c.CloseGame)),
        rule(
            c.ReopenGame,
            Who.BANKER,
            seats.check_reopen,
            seats.reopen,
            alone(c.ReopenGame),
        ),
        rule(m.Roll, _ROLLING, turn.check_roll, turn.roll, turn.roll_choices),
        rule(
            m.UseTicket,
            {Stage.ROLL: Who.MOVER},
            tickets.check_use,
            tickets.use,
            tickets.use_choices,
        ),
        rule(m.PayJail, _LEAVING_JAIL, jail.check_pay, jail.pay, jail.pay_choices),
        rule(
            m.HandOver,
            _SHOWING,
            decoder.check_hand_over,
            decoder.hand_over,
            alone(m.HandOver),
        ),
        rule(
            m.Inspect,
            _LOOKING,
            decoder.check_inspect,
            decoder.inspect,
            decoder.inspect_choices,
            outside=decoder.looked_at,
        ),
        rule(
            m.GiveVerdict,
            {Stage.VERDICT: Who.ANYBODY},
            decoder.check_verdict,
            decoder.give_verdict,
            decoder.verdict_choices,
            is_report=True,
        ),
        rule(
            m.UseCard,
            _USING_CARD,
            kept_cards.check_card,
            kept_cards.use_card,
            kept_cards.card_choices,
        ),
        rule(
            m.Choose,
            {Stage.CHOOSE: Who.MOVER, Stage.CARD: Who.MOVER},
            choosing.check_choose,
            choosing.choose,
            choosing.choose_choices,
        ),
        rule(
            m.Draw,
            {Stage.CARD: Who.MOVER},
            cards.check_draw,
            cards.draw,
            cards.draw_choices,
        ),
        rule(m.Buy, _BUYING, deeds.check_buy, deeds.buy, deeds.buy_choices),
        rule(m.PutUp, _BUYING, nothing_against, deeds.put_up, deeds.put_up_choices),
        rule(m.Bid, _BIDDING, auction.check_bid, auction.bid, auction.bid_choices),
        rule(
            m.PassBid,
            {**_BIDDING, **_BUYING},
            auction.check_pass,
            auction.pass_bid,
            auction.pass_choices,
        ),
        rule(m.PayDebt, _OWING, debt.check_pay, debt.pay, debt.pay_choices),
        rule(
            m.DeclareBankrupt,
            _OWING,
            debt.check_declare,
            debt.declare,
            debt.declare_choices,
        ),
        rule(
            m.Build,
            _ESTATE,
            buildings.check_build,
            buildings.build,
            buildings.build_choices,
        ),
        rule(
            m.Level,
            _WITH_GROUP,
            levelling.check_level,
            levelling.level,
            levelling.level_choices,
            besides=_FOR_MONEY,
        ),
        rule(
            m.Unbuild,
            _WITH_GROUP,
            buildings.check_unbuild,
            buildings.unbuild,
            buildings.unbuild_choices,
            besides=_FOR_MONEY,
        ),
        rule(
            m.SellDeed,
            _ESTATE,
            deeds.check_sell,
            deeds.sell,
            deeds.sell_choices,
            besides=_FOR_MONEY,
        ),
        rule(
            m.Mortgage,
            _WITH_GROUP,
            deeds.check_mortgage,
            deeds.mortgage,
            deeds.mortgage_choices,
            besides=_FOR_MONEY,
        ),
        rule(
            m.LiftMortgage,
            _WITH_GROUP,
            deeds.check_lift,
            deeds.lift,
            deeds.lift_choices,
        ),
        rule(
            m.MakeOffer,
            _OFFERING,
            trade.check_offer,
            trade.offer,
            trade.offer_choices,
            besides={Stage.BUY: Who.MOVER},
        ),
        rule(
            m.WantBuilding,
            {Stage.ROLL: Who.ANYBODY},
            buildings.check_want,
            buildings.want,
            buildings.want_choices,
        ),
        rule(
            m.Accept,
            _ANSWERING,
            trade.check_accept,
            trade.accept,
            trade.answer_choices,
            besides={Stage.BUY: Who.ANYBODY},
            outside=trade.no_offer,
        ),
        rule(
            m.Reject,
            _ANSWERING,
            trade.check_reject,
            trade.reject,
            trade.reject_choices,
            besides={Stage.BUY: Who.ANYBODY},
            outside=trade.no_offer,
        ),
        rule(
            m.Guess,
            _GUESSING,
            vault.check_guess,
            vault.guess,
            vault.guess_choices,
            outside=vault.no_guess,
        ),
        rule(
            m.DeclineGuess,
            _GUESSING,
            vault.check_decline,
            vault.decline,
            vault.decline_choices,
            outside=vault.not_due,
        ),
        rule(
            m.Unlock,
            {Stage.KEY: Who.MOVER},
            vault.check_unlock,
            vault.unlock,
            vault.unlock_choices,
        ),
        rule(
            m.LockVault,
            {Stage.REFILL: Who.ANYBODY},
            vault.check_lock,
            vault.lock,
            vault.lock_choices,
            outside=vault.locked_already,
            is_report=True,
        ),
        rule(m.ReportLid, {}, vault.check_lid, vault.report_lid, is_report=True),
        rule(m.ReportPress, {}, vault.check_press, vault.report_press, is_report=True),
        rule(m.AskRent, _ALWAYS, rent.check_ask, rent.ask, rent.choices),
        rule(
            m.ReadBox,
            _ALWAYS,
            box_reading.check,
            box_reading.read_box,
            box_reading.choices,
        ),
        rule(m.Resign, _NOT_BIDDING, nothing_against, debt.resign, debt.resign_choices),
        rule(m.BeginPlay, Who.BANKER, begin.check_begin, begin.begin),
        rule(m.RestPlay, Who.BANKER, begin.check_rest, begin.rest, alone(m.RestPlay)),
        rule(m.ResumePlay, Who.BANKER, begin.check_resume, begin.resume),
        rule(
            m.CorrectPosition,
            Who.BANKER,
            correcting.check_correct,
            correcting.correct,
            correcting.choices,
        ),
        rule(
            m.CallTime,
            Who.BANKER,
            ending.check_time,
            ending.call_time,
            alone(m.CallTime),
        ),
    )
)
"""Every command; moves stand in the order in which a seat is offered them."""

ALLOWED: dict[Stage, dict[type[c.Command], Who]] = {
    stage: {
        kind: who
        for kind, row in RULES.items()
        if (who := row.stages.get(stage) or row.besides.get(stage))
    }
    for stage in (*LED, Stage.OVER)
}
"""The same the other way round: stage -> allowed move -> who may make it."""

LOCKS_OWN = frozenset(
    kind for kind, row in RULES.items() if row.is_report and not row.stages
)
"""What only the lock says."""
