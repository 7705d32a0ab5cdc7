"""An entry in as few sentences as it takes: events that belong together become one.

A roll, the walk and the salary on the way are three events and one sentence; so are a
deed and its price. ``TOGETHER`` lists which events belong together; any other event has
the sentence of its own class.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import NamedTuple, cast

from companion.game import decoder_events as f
from companion.game import deed_events as d
from companion.game import events as e
from companion.game import play_events as p
from companion.game import ticket_events as t
from companion.game import vault_contents_events as r
from companion.game.journal import Entry
from companion.game.ledger import Reason
from companion.game.position import BUS, MR
from companion.units import BANK, VAULT
from companion.views.wording import Names, filled, space_key
from companion.words import Value, Words, capital, told
from companion.words.money import dollars_text

ACTOR = "actor"
"""The place in a sentence for the name of the actor, which no event holds."""

SENTENCES_MAX = 4
"""A longer entry moves the sentences about CHANGING_HANDS to its details."""

CHANGING_HANDS = (
    *(d.DeedDealt, d.DeedPassed, d.DeedReturned, d.BuildingSold),
    *(p.CardPassed, p.CardReturned, r.KeysReturned, r.HotelsPassed, e.MoneyMoved),
    t.TicketsPassed,
)

Events = Sequence[e.Event]
Write = Callable[[Events], str]
"""Writes the sentence of events in a row; empty if they do not belong together."""

Rows = tuple[tuple[tuple[type[e.Event], ...], str | Write], ...]
"""Kinds of events that belong together, with their sentence or its writer."""


class Telling(NamedTuple):
    """An entry in sentences that begin with a capital and have no full stop.

    Attributes:
        sentences: What happened.
        details: What changed hands, where the sentences would be too many.
    """

    sentences: tuple[str, ...]
    details: tuple[str, ...] = ()


def game_events(entry: Entry) -> list[e.Event]:
    """Return the events of an entry without those of the vault's lock."""
    return [event for event in entry.events if isinstance(event, e.Event)]


def told_of(events: Events, names: Names, actor: str) -> Telling:
    """Tell the *events* of an entry that *actor* made."""
    pairs: list[tuple[e.Event, Words]] = []
    at = 0
    if len(events) > 1 and isinstance(events[0], f.HandedOver):
        events = events[1:]  # The sentence of what was handed over says so.
    while at < len(events):
        count, words = _next_sentence(events[at:], names, actor, is_act=at == 0)
        if words:
            pairs.append((events[at], cast("Words", capital(words))))
        at += count
    if len(pairs) > 1 and isinstance(events[-1], p.DicePassed):
        pairs.pop()  # Who rolls next goes without saying once anything else is said.
    if len(pairs) <= SENTENCES_MAX:
        return Telling(tuple(words for _, words in pairs))
    return Telling(
        tuple(words for event, words in pairs if not isinstance(event, CHANGING_HANDS)),
        tuple(words for event, words in pairs if isinstance(event, CHANGING_HANDS)),
    )


def _next_sentence(
    events: Events, names: Names, actor: str, *, is_act: bool
) -> tuple[int, str]:
    """Tell the first event, with those after it that belong to it.

    Args:
        events: The events of the entry that are still to be told.
        names: Everybody's names.
        actor: The name of the player who made the entry.
        is_act: The first event is the first of the entry: what the actor did.

    Returns:
        The number of events that the sentence tells, and the sentence.
    """
    for kinds, write in _beginning_with(type(events[0])):
        together = events[: len(kinds)]
        if len(together) == len(kinds) and all(map(isinstance, together, kinds)):
            template = write if isinstance(write, str) else write(together)
            if template:
                by = _by(template, actor)
                return len(kinds), filled(template, together, names, **by)
    first = events[0]
    template = first.sentence
    if is_act and isinstance(first, p.CardReturned):
        template = USED_ON if first.target else USED
    elif isinstance(first, p.RentFellDue) and not is_act:
        template = DUE if first.amount is not None else DUE_UNKNOWN
    words = filled(template, [first], names, **_by(template, actor))
    return 1 + _said_by_card(first, events[1:], words, names), words


@cache
def _beginning_with(kind: type[e.Event]) -> Rows:
    return tuple(row for row in TOGETHER if issubclass(kind, row[0][0]))


def _by(template: str, actor: str) -> dict[str, Value]:
    return {ACTOR: actor} if f"{{{ACTOR}}}" in template else {}


def _said_by_card(card: e.Event, after: Events, words: str, names: Names) -> int:
    """Count the events after a card that only do what its words say already."""
    if not isinstance(card, p.CardDrawn | p.CardNamed | p.CardReturned):
        return 0
    for count, event in enumerate(after):
        if isinstance(event, p.BoxRead) and not event.sentence:
            continue
        if not _is_in(event, words, names):
            return count
    return len(after)


def _is_in(event: e.Event, words: str, names: Names) -> bool:
    if isinstance(event, e.MoneyMoved):
        is_of_card = event.reason is Reason.CARD
        return is_of_card and dollars_text(event.amount) in words
    if isinstance(event, p.TokenMoved):
        place = names.get(space_key(event.space), "")
        return bool(place) and place in words
    return isinstance(event, p.SentToJail | t.TicketTaken | t.TicketsExpired)


# What belongs together.


def _money(reason: Reason, template: str, into_vault: str = "") -> Write:
    """Return a writer that gives *template* if the last event pays for *reason*.

    With *into_vault* it gives that sentence for a payment into the vault.
    """

    def write(events: Events) -> str:
        moved = cast("e.MoneyMoved", events[-1])
        if moved.reason is not reason:
            return ""
        return into_vault if into_vault and moved.payee == VAULT else template

    return write


def _is_salary(event: e.Event) -> bool:
    return isinstance(event, e.MoneyMoved) and (
        event.reason is Reason.SALARY and event.payee != VAULT
    )


def _is_double(event: e.Event) -> bool:
    """Return whether two dice, and no third, show the same number."""
    dice = cast("p.DiceRolled", event).dice
    return len(dice) == 2 and len(set(dice)) == 1


def _by_go(on_go: str, past_go: str) -> Write:
    """Return a writer for a walk with a salary, which ends on GO or goes past it."""

    def write(events: Events) -> str:
        if not _is_salary(events[-1]):
            return ""
        moved = next(x for x in events if isinstance(x, p.TokenMoved))
        return on_go if moved.space == GO else past_go

    return write


class Rolled(NamedTuple):
    """The sentences of one kind of roll.

    Attributes:
        walked: The sentence of the roll and the walk.
        by_go: Writes the sentence of the roll, the walk and the salary.
    """

    walked: str
    by_go: Write


PLAIN_ROLL = Rolled(
    told("{seat} rolled {total} and landed on {space}"),
    _by_go(
        told("{seat} rolled {total} and landed on GO: {amount}"),
        told("{seat} rolled {total}, got {amount} at GO and landed on {space}"),
    ),
)
DOUBLES = Rolled(
    told("{seat} rolled two {pips}s and landed on {space}"),
    _by_go(
        told("{seat} rolled two {pips}s and landed on GO: {amount}"),
        told("{seat} rolled two {pips}s, got {amount} at GO and landed on {space}"),
    ),
)
SPECIAL_ROLLS = {
    MR: Rolled(
        told("{seat} rolled {total} and Mr. Monopoly, and landed on {space}"),
        _by_go(
            told("{seat} rolled {total} and Mr. Monopoly, and landed on GO: {amount}"),
            told("{seat} rolled {total} and Mr. Monopoly, got {amount}: now {space}"),
        ),
    ),
    BUS: Rolled(
        told("{seat} rolled {total} and the bus, and landed on {space}"),
        _by_go(
            told("{seat} rolled {total} and the bus, and landed on GO: {amount}"),
            told("{seat} rolled {total} and the bus, got {amount}: now {space}"),
        ),
    ),
}
"""The sentences of a roll whose third die shows no number, by its face."""


def _special(events: Events) -> Rolled | None:
    return SPECIAL_ROLLS.get(cast("p.DiceRolled", events[0]).special)


def _rolled(events: Events) -> Rolled:
    return _special(events) or (DOUBLES if _is_double(events[0]) else PLAIN_ROLL)


def _readied(events: Events) -> str:
    """Tell of a roll, the walk, the chips that GO turns green again, and the salary."""
    return (READIED_BY_DOUBLES if _is_double(events[0]) else READIED)(events)


READIED = _by_go(
    told("{seat} rolled {total} and landed on GO: {amount} and green chips"),
    told("{seat} rolled {total}, got {amount} and green chips: now {space}"),
)
READIED_BY_DOUBLES = _by_go(
    told("{seat} rolled two {pips}s and landed on GO: {amount} and green chips"),
    told("{seat} rolled two {pips}s, got {amount} and green chips: now {space}"),
)


def _taxed(events: Events) -> str:
    moved = cast("e.MoneyMoved", events[2])
    is_plain = not (_is_double(events[0]) or _special(events))
    if moved.reason is not Reason.TAX or not is_plain:
        return ""
    return told("{seat} rolled {total}, landed on {space} and paid {amount}")


def _paid_at_once(events: Events) -> str:
    if _special(events):
        return ""
    return told(
        "{seat} rolled {total}, landed on {space} and paid {payee} {amount} rent"
    )


def _three_alike(events: Events) -> str:
    dice = cast("p.DiceRolled", events[0]).dice
    if len(dice) < 3:
        return ""
    return told("{seat} rolled three {pips}s: any space")


def _levelled(events: Events) -> str:
    if cast("e.MoneyMoved", events[1]).reason is Reason.SALE:
        return told("{seat} sold for {amount}; there are now: {levels}")
    return told("{seat} built for {amount}; there are now: {levels}")


def _sold(events: Events) -> str:
    if cast("e.MoneyMoved", events[1]).reason is not Reason.SALE:
        return ""
    return told("{seat} sold from {deed} for {amount}: {standing} there now")


def _guessed(events: Events) -> str:
    guess = cast("r.GuessMade", events[0])
    if cast("e.MoneyMoved", events[1]).reason is not Reason.GUESS:
        return ""
    if guess.is_right:
        return told("{seat} paid {amount} and guessed {number}: right!")
    if guess.is_told:
        return told("{seat} paid {amount} and guessed {number}: wrong")
    return told("{seat} paid {amount} and guessed wrong")


def _opened(events: Events) -> str:
    if cast("e.MoneyMoved", events[1]).reason is not Reason.RICHES:
        return ""
    if any(cast("r.RichesTaken", events[0]).pieces):
        return told("{seat} opened the vault and took {pieces} and {amount}")
    return told("{seat} opened the vault and took {amount}")


def _refilled(events: Events) -> str:
    if cast("e.MoneyMoved", events[1]).reason is not Reason.RICHES:
        return ""
    if any(cast("r.VaultRefilled", events[0]).pieces):
        return told("{pieces} and {amount} went into the vault, under a new number")
    return told("{amount} went into the vault, under a new number")


def _went(events: Events) -> str:
    out = cast("p.SeatBankrupted", events[0])
    if cast("e.MoneyMoved", events[1]).reason is not Reason.LEAVING:
        return ""  # It pays a debt first.
    if out.has_resigned and out.creditor == BANK:
        return told("{seat} left the game and gave the bank {amount}")
    if out.has_resigned:
        return told("{seat} left the game: {creditor} gets {amount} and all else")
    return told("{seat} is bankrupt: {creditor} gets {amount} and all else")


def _put_up(events: Events) -> str:
    declined = cast("d.DeedDeclined", events[0]).deed
    is_same = cast("d.AuctionOpened", events[1]).auction.lots == (declined,)
    return told("{seat} put {deed} up for auction") if is_same else ""


def _out_by_card(events: Events) -> str:
    if cast("p.JailLeft", events[1]).how != "card":
        return ""
    return told("{seat} left jail with a card")


def _out_by_doubles(events: Events) -> str:
    if cast("p.JailLeft", events[1]).how != "doubles":
        return ""
    return told("{seat} left jail with two {pips}s and landed on {space}")


def _corrected(events: Events) -> str:
    moved = cast("e.MoneyMoved", events[1])
    return events[0].sentence if moved.reason is Reason.CORRECTION else ""


def _read_off(events: Events) -> str:
    """Tell of a correction that only says what the box says, in the box's own words."""
    return cast("p.BoxRead", events[1]).sentence


_FINE = _money(
    Reason.FINE,
    told("{seat} paid {amount} and left jail"),
    told("{seat} paid {amount} into the vault and left jail"),
)
_RENT = _money(Reason.RENT, told("{payer} paid {payee} {amount} rent for {deed}"))
LAID_RENT = told("{payer} laid {amount} on the table: {payee}'s rent for {deed}")

_FORCED = (p.DiceRolled, p.JailTried, p.JailLeft, e.MoneyMoved, p.WalkAwaited)

GO = 0
"""The board number of GO."""

TAKEN_PAST_GO = told("Mr. Monopoly took {seat} on to {space}, with {amount} at GO")
DUE = told("{owner} may ask for {amount} rent")
DUE_UNKNOWN = told("{owner} may ask for rent; nobody knows how much")
"""The sentences of a rent after a landing, whose sentence has named the deed."""

USED = told("{seat} used a card: {card}")
USED_ON = told("{seat} used a card on {target}: {card}")
"""The sentences of a card that goes back under its deck because its owner used it."""

TOGETHER: Rows = (
    # Dice and walks.
    (
        (*_FORCED, p.TokenMoved),
        told("{seat} rolled {total}, paid {amount} for jail and landed on {space}"),
    ),
    (
        (p.DiceRolled, p.TokenMoved, p.SentToJail),
        told("{seat} rolled {total}, landed on {space} and went to jail"),
    ),
    ((p.DiceRolled, p.JailLeft, p.TokenMoved), _out_by_doubles),
    (
        (p.DiceRolled, p.TokenMoved, p.RentFellDue, p.RentAsked, e.MoneyMoved),
        _paid_at_once,
    ),
    ((p.DiceRolled, p.TokenMoved, f.ChipsReadied, e.MoneyMoved), _readied),
    (
        (p.DiceRolled, p.TokenMoved, e.MoneyMoved),
        lambda events: _rolled(events).by_go(events),
    ),
    ((p.DiceRolled, p.TokenMoved, e.MoneyMoved), _taxed),
    ((p.DiceRolled, p.TokenMoved), lambda events: _rolled(events).walked),
    (
        (p.DiceRolled, p.SentToJail),
        told("{seat} rolled doubles a third time and went to jail"),
    ),
    ((p.DiceRolled, f.ChoiceAwaited), _three_alike),
    ((p.DiceRolled, p.JailTried), told("{seat} rolled {dice} and stays in jail")),
    (
        (p.DiceRolled, r.GuessAwaited, p.WalkAwaited),
        told("{seat} rolled {dice} and the wheel: first a guess at the vault"),
    ),
    # A third die, bus tickets, and what they let somebody choose.
    (
        (f.Chosen, p.TokenMoved, e.MoneyMoved),
        _by_go(
            told("{seat} went to GO: {amount}"),
            told("{seat} went to {space} and got {amount} at GO"),
        ),
    ),
    ((f.Chosen, p.TokenMoved), told("{seat} went to {space}")),
    (
        (f.Chosen, e.MoneyMoved),
        _money(Reason.GIFT, told("{seat} took a gift of {amount}")),
    ),
    ((f.Chosen, d.AuctionOpened), told("{seat} put {word} up for auction")),
    (
        (t.TicketUsed, p.TokenMoved, e.MoneyMoved),
        _by_go(
            told("{seat} took the bus to GO: {amount}"),
            told("{seat} took the bus to {space} and got {amount} at GO"),
        ),
    ),
    (
        (t.TicketUsed, p.TokenMoved, p.SentToJail),
        told("{seat} took the bus to {space} and went to jail"),
    ),
    ((t.TicketUsed, p.TokenMoved), told("{seat} took the bus to {space}")),
    ((t.BonusCame, p.TokenMoved, e.MoneyMoved), _by_go(TAKEN_PAST_GO, TAKEN_PAST_GO)),
    ((t.BonusCame, p.TokenMoved), told("Mr. Monopoly took {seat} on to {space}")),
    ((d.GroupLevelled, e.MoneyMoved), _levelled),
    (
        (p.TokenMoved, f.ChipsReadied, e.MoneyMoved),
        _by_go(
            told("{seat} landed on GO: {amount} and green chips"),
            told("{seat} got {amount} and green chips at GO and landed on {space}"),
        ),
    ),
    (
        (p.TokenMoved, e.MoneyMoved),
        _by_go(
            told("{seat} landed on GO: {amount}"),
            told("{seat} got {amount} at GO and landed on {space}"),
        ),
    ),
    ((p.WalkAwaited, p.TokenMoved), told("{seat} landed on {space}")),
    # Deeds and buildings.
    ((d.DeedBought, e.MoneyMoved), told("{seat} bought {deed} for {amount}")),
    ((d.DeedDealt, e.MoneyMoved), told("{seat} was dealt {deed} for {amount}")),
    ((d.LotSold, e.MoneyMoved), told("{seat} won {lot} for {amount}")),
    ((d.DeedDeclined, d.AuctionOpened), _put_up),
    (
        (d.BuildingBought, e.MoneyMoved),
        told("{seat} built on {deed} for {amount}: {standing} there now"),
    ),
    ((d.BuildingSold, e.MoneyMoved), _sold),
    ((d.DeedSold, e.MoneyMoved), told("{seat} sold {deed} to the bank for {amount}")),
    ((d.DeedMortgaged, e.MoneyMoved), told("{seat} mortgaged {deed} for {amount}")),
    (
        (d.MortgageLifted, e.MoneyMoved),
        told("{seat} lifted the mortgage of {deed} for {amount}"),
    ),
    (
        (d.DeedPassed, e.MoneyMoved),
        _money(
            Reason.MORTGAGE, told("{deed} went to {seat}, who paid {amount} interest")
        ),
    ),
    # Rents and debts.
    ((p.RentFellDue, p.RentAsked, f.PaymentLaid), LAID_RENT),
    ((p.RentAsked, f.PaymentLaid), LAID_RENT),
    ((p.RentFellDue, p.RentAsked, e.MoneyMoved), _RENT),
    ((p.RentAsked, e.MoneyMoved), _RENT),
    (
        (p.RentFellDue, p.RentAsked, p.DebtOwed),
        told("{debtor} owes {creditor} {amount} rent for {deed}"),
    ),
    (
        (p.RentAsked, p.DebtOwed),
        told("{debtor} owes {creditor} {amount} rent for {deed}"),
    ),
    (
        (p.DebtPaid, e.MoneyMoved),
        told("{payer} paid {payee} {amount} and settled a debt"),
    ),
    ((p.SeatBankrupted, e.MoneyMoved), _went),
    # Jail and cards.
    ((p.JailLeft, e.MoneyMoved), _FINE),
    ((p.CardReturned, p.JailLeft), _out_by_card),
    # Fakes.
    (
        (f.VerdictGiven, e.MoneyMoved),
        _money(Reason.FAKE, told("a fake note! {payee} takes the {amount} of {payer}")),
    ),
    (
        (p.CardReturned, e.MoneyMoved),
        _money(Reason.FAKE, told("{payee} got {amount} for it from the bank")),
    ),
    # The vault.
    ((r.GuessMade, e.MoneyMoved), _guessed),
    ((r.RichesTaken, e.MoneyMoved), _opened),
    ((r.VaultRefilled, e.MoneyMoved), _refilled),
    # The table.
    ((p.PositionCorrected, p.BoxRead), _read_off),
    ((p.PositionGiven, p.BoxRead), _read_off),
    ((p.PositionCorrected, e.MoneyMoved), _corrected),
    ((p.PositionGiven, e.MoneyMoved), _corrected),
)
"""Events that belong together, and their sentence; the first matching row counts."""
