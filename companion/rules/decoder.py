"""Money and cards on the table: handing them over, and looking for fakes.

In boxes (editions) with a *decoder* to look through, some notes and cards are *fakes*.
All money that a seat pays is *laid* on the table before it moves, and so is a card
before it is used, if it may be a fake. The seat that laid it there is the *shower*.
Another seat, the *inspector*, may spend a *chip* to look. The *verdict* is what the
decoder showed: real, fake, or unsure. The companion never knows what is fake, so
somebody types the verdict in.

Source:
    Cash Decoder's sheet, "Decoder Chips", "Checking for Fake Cash", "Checking for Fake
    Chance Cards", "Go to Jail"; the Crooked Cash article, "Inspecting for Fake Cash",
    "Inspecting for Fake Chance Cards", "Decoder Chips", "Jail", "Owned Property and
    Paying Rent" (the owner does not look). Whether the payee may look is the option
    ``payee_inspects``. The article, "Buy", "Auction", "Deals & Trades": whoever paid
    with a fake may call it off; that is the option ``fake_found``. Our reading: change
    is inspected as a part of the payment that it is change for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from companion.errors import Refused, Why
from companion.examining import FAKE, REAL, UNSURE
from companion.game import decoder_events as f  # For "fakes".
from companion.game import play_events as p
from companion.game.ledger import Reason, short_of
from companion.game.move_run import MoveRun
from companion.game.moves import GiveVerdict, HandOver, Inspect
from companion.game.position import (
    BUILD,
    BUY,
    DEAL,
    DEBT,
    LEAVE_JAIL,
    LIFT,
    LOT,
    OWED,
    Payment,
)
from companion.game.rulebook import RuleDecoder
from companion.game.stage import LAID_STAGES, Stage
from companion.rules import auction, buildings, debt, deeds, trade, turn
from companion.rules.kept_cards import take_effect
from companion.rules.rule import Choice, Range, Stages, Who, rule, single_choice
from companion.rules.walking import settle
from companion.sheets import CROOKED, DECODER, TYPED_RULE, Told
from companion.units import Dollars, Seat
from companion.words import say
from companion.words.lists import with_commas
from companion.words.money import dollars_text

ON_FAKE_CASH = {
    DECODER: "Checking for Fake Cash",
    CROOKED: "Inspecting for Fake Cash",
}
"""Where each sheet says how money is checked."""

ON_FAKE_CARDS = {
    DECODER: "Checking for Fake Chance Cards",
    CROOKED: "Inspecting for Fake Chance Cards",
}
"""Where each sheet says how a card is checked."""

CHIP_RULE = Told(
    "A look through the decoder costs one green chip.",
    {DECODER: "Decoder Chips", CROOKED: "Decoder Chips"},
)
PAYEE_RULE = Told(
    "At this table whoever is paid does not look at the money.",
    {CROOKED: "Owned Property and Paying Rent"},
)
OTHERS_MONEY_RULE = Told(
    "You may not look at your own money through the decoder.", ON_FAKE_CASH
)
OTHERS_CARD_RULE = Told(
    "You may not look at your own Chance card through the decoder.", ON_FAKE_CARDS
)
JAIL_NO_DECODER_RULE = Told(
    "From jail nobody looks through the decoder.",
    {DECODER: "Go to Jail", CROOKED: "Jail"},
)
LAID_RULE = Told(
    "Whoever pays shows the money first: one note of it may be checked.", ON_FAKE_CASH
)
CARD_LAID_RULE = Told(
    "Whoever uses a Chance card shows it first: it may be checked.", ON_FAKE_CARDS
)
VERDICT_RULE = Told(
    "While somebody looks, all others wait for what the decoder shows.", ON_FAKE_CASH
)
FAKE_NOTE_RULE = Told(
    "Who finds a fake note keeps it, and the payer pays with other notes.", ON_FAKE_CASH
)
FAKE_CHOICE_RULE = Told(
    "After a fake, the payer may call a purchase or a trade off. "
    "A street that is not bought is auctioned.",
    {CROOKED: "Buy"},
)
FAKE_CARD_RULE = Told(
    "Who finds a fake card gets {reward} from the bank. It is not used.", ON_FAKE_CARDS
)
GRACE_RULE = Told("What is shown lies there for a moment, so that all can look.")

VERDICTS = (REAL, FAKE, UNSURE)


def decoder_of(run: MoveRun) -> RuleDecoder:
    """Return the decoder's figures; the game must have a decoder."""
    decoder = run.board.rules.decoder
    assert decoder is not None, "this game has no decoder"
    return decoder


# Handing over.


def check_hand_over(run: MoveRun, _move: HandOver) -> Refused | None:
    """Check that the payer still has the money; a card may always be handed over.

    How long others had to look is not checked here.
    """
    play = run.play
    if play.card_use is not None:
        return None
    payment = play.payments[0]
    balance = run.balance(payment.payer)
    if balance >= payment.amount:
        return None
    return short_of(LAID_RULE, payment.payer, balance, payment.amount)


def hand_over(run: MoveRun, move: HandOver) -> None:
    """Complete the payment on the table, or use the card that lies there."""
    card_use, payments = run.play.card_use, run.play.payments
    run.add(f.HandedOver(seat=Seat(move.by)))
    if card_use is not None:
        take_effect(run, card_use)
    else:
        COMPLETIONS[payments[0].purpose](run, payments[0])
    settle(run)


COMPLETIONS: dict[str, Callable[[MoveRun, Payment], None]] = {
    OWED: MoveRun.make,
    BUY: deeds.take_bought,
    LOT: auction.sell_lot,
    BUILD: buildings.take_built,
    LIFT: deeds.take_lifted,
    LEAVE_JAIL: turn.leave_jail,
    DEBT: debt.settle_debt,
    DEAL: trade.close_deal,
}
"""Purpose of a payment -> the function that completes it."""


# Looking.


def check_inspect(run: MoveRun, move: Inspect) -> Refused | None:
    """Check that the seat has a chip, and may look at what lies on the table.

    The shower may not. The box says whether a seat in jail may, and an option of the
    table whether the payee may.
    """
    token = run.play.token_of(move.by)
    if token.is_jailed and run.board.rules.jail.inspects is False:
        return JAIL_NO_DECODER_RULE.refuses(
            Why.IN_JAIL,
            say("nobody looks through the decoder from jail"),
            say("leave jail first"),
        )
    if not token.chips:
        return CHIP_RULE.refuses(
            Why.NO_CHIP,
            say("no green chip is left"),
            say("pass GO to turn them green"),
        )
    return _check_whose(run, move)


def _check_whose(run: MoveRun, move: Inspect) -> Refused | None:
    """Check that what lies there is not the seat's own, nor, at some tables, for it."""
    play = run.play
    if move.by == play.showing:
        remedy = say("hand it over if nobody else wants to look")
        is_looked_at = play.stage is Stage.VERDICT
        return _own_money(
            run, say("wait until that is done") if is_looked_at else remedy
        )
    is_payee = any(payment.payee == move.by for payment in play.payments[:1])
    if play.card_use is not None or not is_payee or decoder_of(run).payee_inspects:
        return None
    return PAYEE_RULE.refuses(
        Why.OWN_MONEY,
        say("whoever is paid does not look"),
        say("wait until it is handed over"),
    )


def _own_money(run: MoveRun, remedy: str) -> Refused:
    """Refuse the shower a look at its own money or card, or a verdict on it."""
    if run.play.card_use is not None:
        message = say("nobody looks at their own card")
        return OTHERS_CARD_RULE.refuses(Why.OWN_MONEY, message, remedy)
    return OTHERS_MONEY_RULE.refuses(
        Why.OWN_MONEY,
        say("nobody looks at their own money"),
        remedy,
    )


def nothing_laid(run: MoveRun, _by: str) -> Refused | None:
    """Refuse to hand over or to look at anything while nothing is shown."""
    if run.play.stage in LAID_STAGES:
        return None
    if run.board.rules.decoder is None:
        return TYPED_RULE.refuses(
            Why.WRONG_STAGE,
            say("this game has no decoder"),
            say("play on without it"),
        )
    return LAID_RULE.refuses(
        Why.WRONG_STAGE,
        say("nothing lies on the table now"),
        say("wait until somebody pays or uses a card"),
    )


def no_second_look(run: MoveRun, by: str) -> Refused | None:
    """Refuse a look while another seat looks, or while nothing is shown."""
    if not run.play.inspector:
        return nothing_laid(run, by)
    return VERDICT_RULE.refuses(
        Why.WRONG_STAGE,
        say("{who} was first and looks already", who=run.play.inspector),
        say("you keep your chip; wait for what the decoder says"),
    )


def inspect(run: MoveRun, move: Inspect) -> None:
    """Spend a chip to look; the table then waits for the verdict."""
    shower = Seat(run.play.showing)
    run.add(f.ChipSpent(seat=Seat(move.by), shower=shower))


def check_verdict(run: MoveRun, move: GiveVerdict) -> Refused | None:
    """Check that somebody looks, that the verdict is possible, and who gives it.

    The payer must have the value of a fake note. The shower may not give the verdict.
    """
    play = run.play
    if play.stage is not Stage.VERDICT:
        return VERDICT_RULE.refuses(
            Why.WRONG_STAGE,
            say("nobody looks at anything now"),
            say("wait until somebody flips a chip"),
        )
    is_note = move.verdict == FAKE and play.card_use is None
    if not _is_verdict(run, move, is_note=is_note):
        return _no_verdict(run, move)
    if move.by == play.showing:
        return _own_money(run, say("let the others say what it shows"))
    balance = run.balance(play.showing)
    if is_note and balance < move.amount:
        return _no_such_note(run, balance, move.amount)
    return None


def _is_verdict(run: MoveRun, move: GiveVerdict, *, is_note: bool) -> bool:
    """Return whether the decoder can show this.

    Only a fake note (*is_note*) has an amount: the value of a note, or any if the notes
    of the box are unknown.
    """
    if move.verdict not in VERDICTS or type(move.amount) is not int:
        return False
    if not is_note:
        return move.amount == 0
    notes = run.board.rules.money.notes
    return move.amount in notes if notes else move.amount > 0


def _no_verdict(run: MoveRun, move: GiveVerdict) -> Refused:
    notes, tells = run.board.rules.money.notes, move.by != run.play.showing
    others: str = say("let the others say what it shows")
    if run.play.card_use is None and notes and move.verdict == FAKE:
        return FAKE_NOTE_RULE.refuses(
            Why.MALFORMED,
            say(
                "a fake note is one of {notes}",
                notes=with_commas(map(dollars_text, notes)),
            ),
            say("say which note it was") if tells else others,
        )
    rule = FAKE_NOTE_RULE if run.play.card_use is None else FAKE_CARD_RULE
    return rule.refuses(
        Why.MALFORMED,
        say("the decoder shows real, fake, or neither yet"),
        say("say only which of them") if tells else others,
    )


def _no_such_note(run: MoveRun, balance: Dollars, note: Dollars) -> Refused:
    """Refuse a fake note that is worth more than all the payer has."""
    return FAKE_NOTE_RULE.refuses(
        Why.CANNOT_AFFORD,
        say(
            "{who} has {balance} in all, and so no note of {note}",
            who=run.play.showing,
            balance=dollars_text(balance),
            note=dollars_text(note),
        ),
        say("say which note it was"),
    )


def give_verdict(run: MoveRun, move: GiveVerdict) -> None:
    """End the look: the inspector of a fake gets the note, or a reward for the card.

    A fake card goes back to its deck unused.
    """
    play = run.play
    run.add(f.VerdictGiven(verdict=move.verdict, amount=move.amount))
    if move.verdict == FAKE:
        laid_card = play.card_use
        if laid_card is None:
            run.pay(play.showing, play.inspector, move.amount, Reason.FAKE)
        else:
            run.add(p.CardReturned(seat=laid_card.seat, card=laid_card.card))
            run.earn(play.inspector, decoder_of(run).reward, Reason.FAKE)
    settle(run)


def verdict_choices(run: MoveRun, seat: str) -> Iterator[Choice]:
    """Offer each verdict; for a fake note, each value that the payer may have."""
    yield GiveVerdict(by=seat, verdict=REAL)
    if run.play.card_use is not None:
        yield GiveVerdict(by=seat, verdict=FAKE)
    elif run.board.rules.money.notes:
        for value in run.board.rules.money.notes:
            yield GiveVerdict(by=seat, verdict=FAKE, amount=value)
    else:
        yield Range(GiveVerdict, 1, run.balance(run.play.showing))
    yield GiveVerdict(by=seat, verdict=UNSURE)


SHOWING: Stages = {Stage.PAYMENT: Who.SHOWER, Stage.CARD_USE: Who.SHOWER}
"""The stages in which the shower hands over what lies on the table."""

LOOKING: Stages = dict.fromkeys(SHOWING, Who.ANYBODY)
"""The same stages, in which other seats may look."""

TELLING: Stages = {Stage.VERDICT: Who.ANYBODY}
"""The stage that waits for the verdict, which anybody may type in."""

ROWS = (
    rule(
        HandOver,
        SHOWING,
        check_hand_over,
        hand_over,
        single_choice(HandOver),
        outside=nothing_laid,
    ),
    rule(
        Inspect,
        LOOKING,
        check_inspect,
        inspect,
        single_choice(Inspect),
        outside=no_second_look,
        lacks=_check_whose,
    ),
    rule(
        GiveVerdict,
        TELLING,
        check_verdict,
        give_verdict,
        verdict_choices,
        outside=nothing_laid,
        is_report=True,
    ),
)
