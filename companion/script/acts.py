"""The lines of an exported script: one for each act of guided play.

An *act* is what somebody did. It is the first event of a journal entry and has all
values that a script needs; the other events are its effects. ``LINES`` has a function
for each kind of act, which writes its line: ``do red roll 3 4``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar, cast

# The modules of events: d deeds, e all games, f fakes, p play, r riches, t tickets.
from companion.game import decoder_events as f
from companion.game import deed_events as d
from companion.game import events as e
from companion.game import play_events as p
from companion.game import ticket_events as t
from companion.game import vault_contents_events as r
from companion.game.box_key import reading_words
from companion.game.position import (
    BUILD,
    BUY,
    DEAL,
    DEBT,
    LEAVE_JAIL,
    LIFT,
    LOCKED,
    Bundle,
)
from companion.game.rulebook import BUS_DECK
from companion.rules.turn import DICE_COUNT
from companion.script.code import HIDDEN_WORD

Act = TypeVar("Act", bound=e.Event)

Write = Callable[[object], str]
"""Writes the line of an act."""


def act_line(actor: str, act: object, special_die: str) -> str | None:
    """Return the script line for an act.

    Args:
        actor: Who acted.
        act: The first event of an entry.
        special_die: The word for the face that is no number. A roll for a rent records
            only numbers; if there are too few, this face was rolled.

    Returns:
        The line; empty if the head of the script says it already; ``None`` if the
        event is no act of guided play.
    """
    if isinstance(act, p.RentRolled):
        special = special_die if len(act.dice) < DICE_COUNT else ""
        return f"do {act.seat} roll {_dice_words(act.dice, special)}"
    if isinstance(act, p.BoxRead):
        words = reading_words(act.key, act.value, is_likely=act.is_likely)
        return f"do {actor} {' '.join(words)}"
    kind: type = type(act)
    write = LINES.get(kind)
    return None if write is None else write(act)


def _row(kind: type[Act], write: Callable[[Act], str]) -> tuple[type[e.Event], Write]:
    """Build a row of ``LINES``; the event's own type is cast away here."""
    return kind, cast("Write", write)


def _bundle_words(side: Bundle) -> str:
    """Write one side of a trade: ``boardwalk jail-card cash 50``."""
    words = [*side.deeds, *["jail-card"] * side.jail_cards]
    if side.hotels:
        words.append(f"hotels {side.hotels}")
    if side.tickets:
        words.append(f"tickets {side.tickets}")
    if side.cash:
        words.append(f"cash {side.cash}")
    if side.debt:
        words.append("debt")
    return " ".join(words)


def _offer_line(event: d.OfferMade) -> str:
    """Write an offer; an offer that asks for nothing has no ``want``."""
    want = f" want {_bundle_words(event.want)}" if event.want != Bundle() else ""
    return (
        f"do {event.giver} offer {event.taker} give {_bundle_words(event.give)}{want}"
    )


def _sale_line(event: d.BuildingSold) -> str:
    return f"do {event.seat} unbuild {event.deed}{' all' if event.is_all else ''}"


def _draw_line(event: p.CardDrawn) -> str:
    """Write a draw, with the name of a bus ticket.

    Corrections may put tickets back, so the head of the script cannot list them all.
    """
    name = f" {event.card}" if event.deck == BUS_DECK else ""
    return f"do {event.seat} draw{name}"


def _level_line(event: d.GroupLevelled) -> str:
    levels = " ".join(f"{deed} {level}" for deed, level in event.levels)
    return f"do {event.seat} level {levels}"


PAYMENT_VERBS = {
    BUY: "buy",
    BUILD: "build",
    LIFT: "unmortgage",
    LEAVE_JAIL: "pay-jail",
    DEBT: "pay",
    DEAL: "accept",
}
"""Purpose of a payment -> the verb of the move that laid it down."""


def _payment_line(event: f.PaymentLaid) -> str:
    """Write the move that laid the money on the table.

    Money that is merely owed is laid down as the effect of another act.
    """
    payment = event.payment
    verb = PAYMENT_VERBS[payment.purpose]
    deed = payment.of if payment.purpose in (BUILD, LIFT) else ""
    return f"do {payment.actor or payment.payer} {verb} {deed}".rstrip()


def _calling_off_line(event: f.PaymentWithdrawn) -> str:
    """Write how a payer called off a purchase or a trade after a fake."""
    verb = "reject" if event.payment.purpose == DEAL else "auction"
    return f"do {event.payer} {verb}"


def _verdict_line(event: f.VerdictGiven) -> str:
    """Write a verdict as one of the camera, with the value of a fake note."""
    amount = f" {event.amount}" if event.amount else ""
    return f"do camera verdict {event.verdict}{amount}"


def _dice_words(dice: tuple[int, ...], special: str) -> str:
    """Write the numbers of the dice, and the face of a die without a number."""
    return " ".join((*map(str, dice), special)).strip()


def _card_use_line(event: p.CardReturned | f.CardLaid) -> str:
    return f"do {event.seat} use-card {event.card} {event.target}".rstrip()


def _guess_line(event: r.GuessMade) -> str:
    """Write a guess; ``jammed`` if it was right and the lid did not rise at once."""
    number = HIDDEN_WORD if event.number == r.HIDDEN else event.number
    suffix = "" if event.is_lid_up or not event.is_right else " jammed"
    return f"do {event.seat} guess {number}{suffix}"


def _leaving_line(event: p.SeatBankrupted) -> str:
    return f"do {event.seat} {'resign' if event.has_resigned else 'declare-bankrupt'}"


LID_VERBS = {LOCKED: "locked-again"}
"""State of the lid -> the script's verb, where the two words differ."""


LINES: dict[type[e.Event], Write] = dict(
    (
        _row(
            p.DiceRolled,
            lambda act: f"do {act.seat} roll {_dice_words(act.dice, act.special)}",
        ),
        _row(p.JailLeft, lambda act: f"do {act.seat} pay-jail"),
        _row(p.CardReturned, _card_use_line),
        _row(f.CardLaid, _card_use_line),
        _row(f.PaymentLaid, _payment_line),
        _row(f.PaymentWithdrawn, _calling_off_line),
        _row(f.HandedOver, lambda act: f"do {act.seat} hand-over"),
        _row(f.ChipSpent, lambda act: f"do {act.seat} inspect"),
        _row(f.VerdictGiven, _verdict_line),
        _row(f.Chosen, lambda act: f"do {act.seat} choose {act.word}"),
        _row(d.DeedSold, lambda act: f"do {act.seat} sell {act.deed}"),
        _row(p.CardDrawn, _draw_line),
        _row(p.CardNamed, lambda act: f"do {act.seat} draw {act.card}"),
        _row(p.RentAsked, lambda act: f"do {act.owner} ask-rent {act.seat}"),
        _row(p.DebtPaid, lambda act: f"do {act.debtor} pay"),
        _row(p.SeatBankrupted, _leaving_line),
        _row(p.TimeCalled, lambda _: "do table time-up"),
        _row(p.PlayRested, lambda _: "do table rest"),
        _row(p.PlayResumed, lambda _: "do table resume"),
        _row(p.PositionGiven, lambda _: ""),
        _row(p.PositionCorrected, lambda act: f"do table set {' '.join(act.words)}"),
        _row(d.DeedBought, lambda act: f"do {act.seat} buy"),
        _row(d.DeedDeclined, lambda act: f"do {act.seat} auction"),
        _row(d.BidMade, lambda act: f"do {act.seat} bid {act.amount}"),
        _row(d.BidPassed, lambda act: f"do {act.seat} pass"),
        _row(d.DeedLeft, lambda act: f"do {act.seat} pass"),
        _row(t.TicketUsed, lambda act: f"do {act.seat} use-ticket {act.space}"),
        _row(d.GroupLevelled, _level_line),
        _row(d.DeedMortgaged, lambda act: f"do {act.seat} mortgage {act.deed}"),
        _row(d.MortgageLifted, lambda act: f"do {act.seat} unmortgage {act.deed}"),
        _row(d.BuildingBought, lambda act: f"do {act.seat} build {act.deed}"),
        _row(d.BuildingSold, _sale_line),
        _row(d.BuildingWanted, lambda act: f"do {act.seat} want {act.deed}"),
        _row(d.OfferMade, _offer_line),
        _row(d.OfferAccepted, lambda act: f"do {act.taker} accept"),
        _row(d.OfferRejected, lambda act: f"do {act.taker} reject"),
        _row(d.OfferWithdrawn, lambda act: f"do {act.giver} withdraw"),
        _row(r.GuessMade, _guess_line),
        _row(r.GuessDeclined, lambda act: f"do {act.seat} skip-guess"),
        _row(r.DeedUnlocked, lambda act: f"do {act.seat} unlock {act.deed}"),
        _row(r.VaultRefilled, lambda _: "do vault lock"),
        _row(r.LidSeen, lambda act: f"do vault {LID_VERBS.get(act.lid, act.lid)}"),
        _row(r.PressIgnored, lambda _: "do vault press"),
    )
)
"""Kind of act -> the function that writes its line."""
