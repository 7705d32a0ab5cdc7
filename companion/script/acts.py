"""Acts of guided play as lines of a script.

The first event of a journal entry is the act itself; what follows are its effects.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar, cast

from companion.game import decoder_events as f
from companion.game import deed_events as d
from companion.game import events as e
from companion.game import play_events as p
from companion.game import ticket_events as t
from companion.game import vault_contents_events as r
from companion.game.box_key import words_of
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

A = TypeVar("A", bound=e.Event)

Write = Callable[[object], str]


def act_line(actor: str, act: object, special_die: str) -> str | None:
    """The script line for an act.

    Args:
        actor: Who did it.
        act: The first event of an entry.
        special_die: The word for the face without a number; a roll for a rent records
            only the numbers, so the word is added here.

    Returns:
        The line; empty if the head of the script has it already, ``None`` if the event
        is no act.
    """
    if isinstance(act, p.RentRolled):
        special = special_die if len(act.dice) < DICE_COUNT else ""
        return f"do {act.seat} roll {_pips(act.dice, special)}"
    if isinstance(act, p.BoxRead):
        words = words_of(act.key, act.value, is_likely=act.is_likely)
        return f"do {actor} {' '.join(words)}"
    kind: type = type(act)
    write = WORDS.get(kind)
    return None if write is None else write(act)


def _row(kind: type[A], write: Callable[[A], str]) -> tuple[type[e.Event], Write]:
    return kind, cast("Write", write)


def _bundle(side: Bundle) -> str:
    words = list(side.deeds) + ["jail-card"] * side.jail_cards
    if side.hotels:
        words.append(f"hotels {side.hotels}")
    if side.tickets:
        words.append(f"tickets {side.tickets}")
    if side.cash:
        words.append(f"cash {side.cash}")
    if side.debt:
        words.append("debt")
    return " ".join(words)


def _offer(event: d.OfferMade) -> str:
    want = f" want {_bundle(event.want)}" if event.want != Bundle() else ""
    return f"do {event.giver} offer {event.taker} give {_bundle(event.give)}{want}"


def _sold(event: d.BuildingSold) -> str:
    return f"do {event.seat} unbuild {event.deed}{' all' if event.is_all else ''}"


def _drawn(event: p.CardDrawn) -> str:
    """A bus ticket is named: corrections put some back, so the head cannot say all."""
    name = f" {event.card}" if event.deck == BUS_DECK else ""
    return f"do {event.seat} draw{name}"


def _levelled(event: d.GroupLevelled) -> str:
    plan = " ".join(f"{deed} {level}" for deed, level in event.levels)
    return f"do {event.seat} level {plan}"


def _laid(event: f.PaymentLaid) -> str:
    """The move that laid the money down; what is owed is laid down by other acts."""
    payment = event.payment
    words = LAID[payment.purpose]
    of = payment.of if payment.purpose in (BUILD, LIFT) else ""
    return f"do {payment.actor or payment.payer} {words} {of}".rstrip()


LAID = {
    BUY: "buy",
    BUILD: "build",
    LIFT: "unmortgage",
    LEAVE_JAIL: "pay-jail",
    DEBT: "pay",
    DEAL: "accept",
}
"""Purpose of a payment -> the verb of the move that begins with it."""


def _verdict(event: f.VerdictGiven) -> str:
    amount = f" {event.amount}" if event.amount else ""
    return f"do camera verdict {event.verdict}{amount}"


def _pips(dice: tuple[int, ...], special: str) -> str:
    return " ".join((*map(str, dice), special)).strip()


def _used(event: p.CardReturned | f.CardLaid) -> str:
    return f"do {event.seat} use-card {event.card} {event.target}".rstrip()


def _guess(event: r.GuessMade) -> str:
    later = "" if event.is_lid_up or not event.is_right else " jammed"
    return f"do {event.seat} guess {event.number}{later}"


def _gone(event: p.SeatBankrupted) -> str:
    return f"do {event.seat} {'resign' if event.has_resigned else 'declare-bankrupt'}"


LID_VERBS = {LOCKED: "locked-again"}
"""The script's word for a state of the lid, where it differs from the game's."""


WORDS: dict[type[e.Event], Write] = dict(
    (
        _row(p.DiceRolled, lambda x: f"do {x.seat} roll {_pips(x.dice, x.special)}"),
        _row(p.JailLeft, lambda x: f"do {x.seat} pay-jail"),
        _row(p.CardReturned, _used),
        _row(f.CardLaid, _used),
        _row(f.PaymentLaid, _laid),
        _row(f.HandedOver, lambda x: f"do {x.seat} hand-over"),
        _row(f.ChipSpent, lambda x: f"do {x.seat} inspect"),
        _row(f.VerdictGiven, _verdict),
        _row(f.Chosen, lambda x: f"do {x.seat} choose {x.word}"),
        _row(d.DeedSold, lambda x: f"do {x.seat} sell {x.deed}"),
        _row(p.CardDrawn, _drawn),
        _row(p.CardNamed, lambda x: f"do {x.seat} draw {x.card}"),
        _row(p.RentAsked, lambda x: f"do {x.owner} ask-rent {x.seat}"),
        _row(p.DebtPaid, lambda x: f"do {x.debtor} pay"),
        _row(p.SeatBankrupted, _gone),
        _row(p.TimeCalled, lambda _: "do table time-up"),
        _row(p.PlayRested, lambda _: "do table rest"),
        _row(p.PlayResumed, lambda _: "do table resume"),
        _row(p.PositionGiven, lambda _: ""),
        _row(p.PositionCorrected, lambda x: f"do table set {' '.join(x.words)}"),
        _row(d.DeedBought, lambda x: f"do {x.seat} buy"),
        _row(d.DeedDeclined, lambda x: f"do {x.seat} auction"),
        _row(d.BidMade, lambda x: f"do {x.seat} bid {x.amount}"),
        _row(d.BidPassed, lambda x: f"do {x.seat} pass"),
        _row(d.DeedLeft, lambda x: f"do {x.seat} pass"),
        _row(t.TicketUsed, lambda x: f"do {x.seat} use-ticket {x.space}"),
        _row(d.GroupLevelled, _levelled),
        _row(d.DeedMortgaged, lambda x: f"do {x.seat} mortgage {x.deed}"),
        _row(d.MortgageLifted, lambda x: f"do {x.seat} unmortgage {x.deed}"),
        _row(d.BuildingBought, lambda x: f"do {x.seat} build {x.deed}"),
        _row(d.BuildingSold, _sold),
        _row(d.BuildingWanted, lambda x: f"do {x.seat} want {x.deed}"),
        _row(d.OfferMade, _offer),
        _row(d.OfferAccepted, lambda x: f"do {x.taker} accept"),
        _row(d.OfferRejected, lambda x: f"do {x.taker} reject"),
        _row(d.OfferWithdrawn, lambda x: f"do {x.giver} withdraw"),
        _row(r.GuessMade, _guess),
        _row(r.GuessDeclined, lambda x: f"do {x.seat} skip-guess"),
        _row(r.DeedUnlocked, lambda x: f"do {x.seat} unlock {x.deed}"),
        _row(r.VaultRefilled, lambda _: "do vault lock"),
        _row(r.LidSeen, lambda x: f"do vault {LID_VERBS.get(x.lid, x.lid)}"),
        _row(r.PressIgnored, lambda _: "do vault press"),
    )
)
"""What writes the line of an act; empty if the head of the script has it already."""
