"""An entry of the journal, told in as few sentences as possible.

An entry holds the events of one act of a player, the *actor*. Neighbouring events that
belong together share a sentence: a roll, the walk and the salary on the way; a deed and
its price. ``TOGETHER`` lists which kinds belong together; any other event has the
sentence of its own class. A sentence is a *template* with the names of the events'
fields in braces, until ``wording`` fills them in.

A *writer* takes the events of one sentence and returns their template, or nothing if
they do not belong together after all. A function named ``_tell_...`` is a writer; one
named ``_write_...`` returns a writer.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import NamedTuple, cast

# f: fakes and choices, d: deeds, e: money and seats, p: play, t: tickets, r: riches.
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
"""The name in braces for the actor, whom no event names."""

SENTENCES_MAX = 4
"""If there are more, those about ``CHANGING_HANDS`` become details."""

CHANGING_HANDS = (
    *(d.DeedDealt, d.DeedPassed, d.DeedReturned, d.BuildingSold),
    *(p.CardPassed, p.CardReturned, r.KeysReturned, r.HotelsPassed, e.MoneyMoved),
    t.TicketsPassed,
)
"""The events in which something passes from one owner to another."""

Events = Sequence[e.Event]
Write = Callable[[Events], str]
"""A writer."""

Rows = tuple[tuple[tuple[type[e.Event], ...], str | Write], ...]
"""Rows: kinds of events that belong together, and their template or its writer."""


class Telling(NamedTuple):
    """An entry in sentences that begin with a capital and have no full stop.

    Attributes:
        details: The sentences about things that changed hands, if the entry would have
            too many; else empty, and *sentences* has all.
    """

    sentences: tuple[str, ...]
    details: tuple[str, ...] = ()


def game_events(entry: Entry) -> list[e.Event]:
    """Return the events of an entry without those of the vault's lock."""
    return [event for event in entry.events if isinstance(event, e.Event)]


def told_of(events: Events, names: Names, actor: str) -> Telling:
    """Tell the *events* of an entry that *actor* made."""
    told_events: list[tuple[e.Event, Words]] = []  # The first event of each sentence.
    told_count = 0
    if len(events) > 1 and isinstance(events[0], f.HandedOver):
        events = events[1:]  # The next event tells what was handed over.
    while told_count < len(events):
        untold, is_act = events[told_count:], not told_count
        count, words = _next_sentence(untold, names, actor, is_act=is_act)
        if words:
            told_events.append((untold[0], cast("Words", capital(words))))
        told_count += count
    if len(told_events) > 1 and isinstance(events[-1], p.DicePassed):
        told_events.pop()  # Who rolls next is worth a sentence only on its own.
    if len(told_events) <= SENTENCES_MAX:
        return Telling(tuple(words for _, words in told_events))
    sentences: list[Words] = []
    details: list[Words] = []
    for event, words in told_events:
        if isinstance(event, CHANGING_HANDS):
            details.append(words)
        else:
            sentences.append(words)
    return Telling(tuple(sentences), tuple(details))


def _next_sentence(
    events: Events, names: Names, actor: str, *, is_act: bool
) -> tuple[int, str]:
    """Tell the first event, with those after it that belong to it.

    Args:
        events: The events of the entry that are still to be told.
        names: Everybody's names.
        actor: The name of the player who made the entry.
        is_act: The first event is the act itself, from which the others follow.

    Returns:
        The number of events that the sentence tells, and the sentence.
    """
    for kinds, template_or_writer in _rows_beginning_with(type(events[0])):
        together = events[: len(kinds)]
        if len(together) == len(kinds) and all(map(isinstance, together, kinds)):
            template = _template_for(together, template_or_writer)
            if template:
                values = actor_value(template, actor)
                return len(kinds), filled(template, together, names, **values)
    first = events[0]
    template = first.sentence
    if is_act and isinstance(first, p.CardReturned):
        template = USED_ON if first.target else USED
    elif isinstance(first, p.RentFellDue) and not is_act:
        template = DUE if first.amount is not None else DUE_UNKNOWN
    words = filled(template, [first], names, **actor_value(template, actor))
    return 1 + _count_told_by_card(first, events[1:], words, names), words


def _template_for(events: Events, template_or_writer: str | Write) -> str:
    if isinstance(template_or_writer, str):
        return template_or_writer
    return template_or_writer(events)


@cache
def _rows_beginning_with(kind: type[e.Event]) -> Rows:
    return tuple(
        (kinds, words) for kinds, words in TOGETHER if issubclass(kind, kinds[0])
    )


def actor_value(template: str, actor: str) -> dict[str, Value]:
    """Return the value for the actor, if *template* names the actor."""
    return {ACTOR: actor} if f"{{{ACTOR}}}" in template else {}


def _count_told_by_card(card: e.Event, later: Events, words: str, names: Names) -> int:
    """Count the events after a card that its text, *words*, tells already.

    0 if *card* is another kind of event.
    """
    if not isinstance(card, p.CardDrawn | p.CardNamed | p.CardReturned):
        return 0
    for count, event in enumerate(later):
        if isinstance(event, p.BoxRead) and not event.sentence:
            continue
        if not _is_told_by(event, words, names):
            return count
    return len(later)


def _is_told_by(event: e.Event, words: str, names: Names) -> bool:
    """Return whether a card's text tells an event: its amount or its space."""
    if isinstance(event, e.MoneyMoved):
        is_of_card = event.reason is Reason.CARD
        return is_of_card and dollars_text(event.amount) in words
    if isinstance(event, p.TokenMoved):
        place = names.get(space_key(event.space), "")
        return bool(place) and place in words
    return isinstance(event, p.SentToJail | t.TicketTaken | t.TicketsExpired)


# The writers of templates for events that belong together.


def _write_payment(
    reason: Reason, template_or_writer: str | Write, into_vault: str = ""
) -> Write:
    """Return a writer for events of which the last moves money for *reason*.

    Its template is *into_vault*, if given, for a payment into the vault.
    """

    def write(events: Events) -> str:
        moved = cast("e.MoneyMoved", events[-1])
        if moved.reason is not reason:
            return ""
        if into_vault and moved.payee == VAULT:
            return into_vault
        return _template_for(events, template_or_writer)

    return write


def _is_salary(event: e.Event) -> bool:
    """Return whether a seat got its salary in hand, not into the vault."""
    return isinstance(event, e.MoneyMoved) and (
        event.reason is Reason.SALARY and event.payee != VAULT
    )


def _is_double(event: e.Event) -> bool:
    """Return whether two dice, and no third, show the same number."""
    dice = cast("p.DiceRolled", event).dice
    return len(dice) == 2 and len(set(dice)) == 1


def _write_walk_with_salary(on_go: str, past_go: str) -> Write:
    """Return a writer for a walk that ends with a salary.

    Its template is *on_go* if the walk ends on GO, else *past_go*.
    """

    def write(events: Events) -> str:
        if not _is_salary(events[-1]):
            return ""
        moved = next(event for event in events if isinstance(event, p.TokenMoved))
        return on_go if moved.space == GO else past_go

    return write


class RollTemplates(NamedTuple):
    """The templates for one kind of roll.

    Attributes:
        walked: For the roll and the walk.
        by_go: The writer for the roll, the walk and the salary.
    """

    walked: str
    by_go: Write


PLAIN_ROLL = RollTemplates(
    told("{seat} rolled {total} and landed on {space}"),
    _write_walk_with_salary(
        told("{seat} rolled {total} and landed on GO: {amount}"),
        told("{seat} rolled {total}, got {amount} at GO and landed on {space}"),
    ),
)
DOUBLES = RollTemplates(
    told("{seat} rolled two {pips}s and landed on {space}"),
    _write_walk_with_salary(
        told("{seat} rolled two {pips}s and landed on GO: {amount}"),
        told("{seat} rolled two {pips}s, got {amount} at GO and landed on {space}"),
    ),
)
SPECIAL_ROLLS = {
    MR: RollTemplates(
        told("{seat} rolled {total} and Mr. Monopoly, and landed on {space}"),
        _write_walk_with_salary(
            told("{seat} rolled {total} and Mr. Monopoly, and landed on GO: {amount}"),
            told("{seat} rolled {total} and Mr. Monopoly, got {amount}: now {space}"),
        ),
    ),
    BUS: RollTemplates(
        told("{seat} rolled {total} and the bus, and landed on {space}"),
        _write_walk_with_salary(
            told("{seat} rolled {total} and the bus, and landed on GO: {amount}"),
            told("{seat} rolled {total} and the bus, got {amount}: now {space}"),
        ),
    ),
}
"""The templates for a roll whose third die shows no number, by its face."""


def _special_templates(events: Events) -> RollTemplates | None:
    """Return the templates if the third die shows no number."""
    return SPECIAL_ROLLS.get(cast("p.DiceRolled", events[0]).special)


def _roll_templates(events: Events) -> RollTemplates:
    return _special_templates(events) or (
        DOUBLES if _is_double(events[0]) else PLAIN_ROLL
    )


def _tell_readied_chips(events: Events) -> str:
    """Tell of a roll to GO or past it, which turns chips green again."""
    return (READIED_BY_DOUBLES if _is_double(events[0]) else READIED)(events)


READIED = _write_walk_with_salary(
    told("{seat} rolled {total} and landed on GO: {amount} and green chips"),
    told("{seat} rolled {total}, got {amount} and green chips: now {space}"),
)
READIED_BY_DOUBLES = _write_walk_with_salary(
    told("{seat} rolled two {pips}s and landed on GO: {amount} and green chips"),
    told("{seat} rolled two {pips}s, got {amount} and green chips: now {space}"),
)


def _tell_tax(events: Events) -> str:
    moved = cast("e.MoneyMoved", events[2])
    is_plain = not (_is_double(events[0]) or _special_templates(events))
    if moved.reason is not Reason.TAX or not is_plain:
        return ""
    return told("{seat} rolled {total}, landed on {space} and paid {amount}")


def _tell_paid_rent(events: Events) -> str:
    """Tell of a roll, a walk and a rent that is paid without being asked for."""
    if _special_templates(events):
        return ""
    return told(
        "{seat} rolled {total}, landed on {space} and paid {payee} {amount} rent"
    )


def _tell_three_alike(events: Events) -> str:
    """Tell of three equal dice, which lead to any space."""
    dice = cast("p.DiceRolled", events[0]).dice
    if len(dice) < 3:
        return ""
    return told("{seat} rolled three {pips}s: any space")


def _tell_levelling(events: Events) -> str:
    """Tell of a group that is built up or sold down evenly."""
    if cast("e.MoneyMoved", events[1]).reason is Reason.SALE:
        return told("{seat} sold for {amount}; there are now: {levels}")
    return told("{seat} built for {amount}; there are now: {levels}")


def _tell_guess(events: Events) -> str:
    guess = cast("r.GuessMade", events[0])
    if guess.is_right:
        return told("{seat} paid {amount} and guessed {number}: right!")
    if guess.is_told:
        return told("{seat} paid {amount} and guessed {number}: wrong")
    return told("{seat} paid {amount} and guessed wrong")


def _tell_opening(events: Events) -> str:
    if any(cast("r.RichesTaken", events[0]).pieces):
        return told("{seat} opened the vault and took {pieces} and {amount}")
    return told("{seat} opened the vault and took {amount}")


def _tell_refill(events: Events) -> str:
    if any(cast("r.VaultRefilled", events[0]).pieces):
        return told("{pieces} and {amount} went into the vault, under a new number")
    return told("{amount} went into the vault, under a new number")


def _tell_exit(events: Events) -> str:
    """Tell of a seat that leaves the game with its last money."""
    out = cast("p.SeatBankrupted", events[0])
    if out.has_resigned and out.creditor == BANK:
        return told("{seat} left the game and gave the bank {amount}")
    if out.has_resigned:
        return told("{seat} left the game: {creditor} gets {amount} and all else")
    return told("{seat} is bankrupt: {creditor} gets {amount} and all else")


def _tell_auction(events: Events) -> str:
    """Tell of a deed that is auctioned because a player declined it."""
    declined = cast("d.DeedDeclined", events[0]).deed
    is_same = cast("d.AuctionOpened", events[1]).auction.lots == (declined,)
    return told("{seat} put {deed} up for auction") if is_same else ""


def _tell_out_by_card(events: Events) -> str:
    if cast("p.JailLeft", events[1]).how != "card":
        return ""
    return told("{seat} left jail with a card")


def _tell_out_by_doubles(events: Events) -> str:
    if cast("p.JailLeft", events[1]).how != "doubles":
        return ""
    return told("{seat} left jail with two {pips}s and landed on {space}")


def _tell_time_up(events: Events) -> str:
    """Tell that the time is up only once."""
    return cast("p.PlayEnded", events[1]).sentence


def _tell_reading(events: Events) -> str:
    """Tell a figure that was read off the box, without the correction."""
    return cast("p.BoxRead", events[1]).sentence


PAID_FINE = _write_payment(
    Reason.FINE,
    told("{seat} paid {amount} and left jail"),
    told("{seat} paid {amount} into the vault and left jail"),
)
PAID_RENT = _write_payment(
    Reason.RENT, told("{payer} paid {payee} {amount} rent for {deed}")
)
CORRECTED = _write_payment(Reason.CORRECTION, lambda events: events[0].sentence)
LAID_RENT = told("{payer} laid {amount} on the table: {payee}'s rent for {deed}")

FINED = (p.DiceRolled, p.JailTried, p.JailLeft, e.MoneyMoved, p.WalkAwaited)
"""The events of the last try to leave jail, which fails and costs the fine."""

GO = 0
"""The board number of GO."""

TAKEN_PAST_GO = told("Mr. Monopoly took {seat} on to {space}, with {amount} at GO")
DUE = told("{owner} may ask for {amount} rent")
DUE_UNKNOWN = told("{owner} may ask for rent; nobody knows how much")
"""The templates for a rent after a landing: its sentence has named the deed."""

USED = told("{seat} used a card: {card}")
USED_ON = told("{seat} used a card on {target}: {card}")
"""The templates for a card that goes back under its deck after its owner used it."""

TOGETHER: Rows = (
    ((p.TimeCalled, p.PlayEnded), _tell_time_up),
    # Dice and walks.
    (
        (*FINED, p.TokenMoved),
        told("{seat} rolled {total}, paid {amount} for jail and landed on {space}"),
    ),
    (
        (p.DiceRolled, p.TokenMoved, p.SentToJail),
        told("{seat} rolled {total}, landed on {space} and went to jail"),
    ),
    ((p.DiceRolled, p.JailLeft, p.TokenMoved), _tell_out_by_doubles),
    (
        (p.DiceRolled, p.TokenMoved, p.RentFellDue, p.RentAsked, e.MoneyMoved),
        _tell_paid_rent,
    ),
    ((p.DiceRolled, p.TokenMoved, f.ChipsReadied, e.MoneyMoved), _tell_readied_chips),
    (
        (p.DiceRolled, p.TokenMoved, e.MoneyMoved),
        lambda events: _roll_templates(events).by_go(events),
    ),
    ((p.DiceRolled, p.TokenMoved, e.MoneyMoved), _tell_tax),
    ((p.DiceRolled, p.TokenMoved), lambda events: _roll_templates(events).walked),
    (
        (p.DiceRolled, p.SentToJail),
        told("{seat} rolled doubles a third time and went to jail"),
    ),
    ((p.DiceRolled, f.ChoiceAwaited), _tell_three_alike),
    ((p.DiceRolled, p.JailTried), told("{seat} rolled {dice} and stays in jail")),
    (
        (p.DiceRolled, r.GuessAwaited, p.WalkAwaited),
        told("{seat} rolled {dice} and the lock: first a guess at the vault"),
    ),
    # A third die, bus tickets, and what they let somebody choose.
    (
        (f.Chosen, p.TokenMoved, e.MoneyMoved),
        _write_walk_with_salary(
            told("{seat} went to GO: {amount}"),
            told("{seat} went to {space} and got {amount} at GO"),
        ),
    ),
    ((f.Chosen, p.TokenMoved), told("{seat} went to {space}")),
    (
        (f.Chosen, e.MoneyMoved),
        _write_payment(Reason.GIFT, told("{seat} took a gift of {amount}")),
    ),
    ((f.Chosen, d.AuctionOpened), told("{seat} put {word} up for auction")),
    (
        (t.TicketUsed, p.TokenMoved, e.MoneyMoved),
        _write_walk_with_salary(
            told("{seat} took the bus to GO: {amount}"),
            told("{seat} took the bus to {space} and got {amount} at GO"),
        ),
    ),
    (
        (t.TicketUsed, p.TokenMoved, p.SentToJail),
        told("{seat} took the bus to {space} and went to jail"),
    ),
    ((t.TicketUsed, p.TokenMoved), told("{seat} took the bus to {space}")),
    (
        (t.BonusCame, p.TokenMoved, e.MoneyMoved),
        _write_walk_with_salary(TAKEN_PAST_GO, TAKEN_PAST_GO),
    ),
    ((t.BonusCame, p.TokenMoved), told("Mr. Monopoly took {seat} on to {space}")),
    ((d.GroupLevelled, e.MoneyMoved), _tell_levelling),
    (
        (p.TokenMoved, f.ChipsReadied, e.MoneyMoved),
        _write_walk_with_salary(
            told("{seat} landed on GO: {amount} and green chips"),
            told("{seat} got {amount} and green chips at GO and landed on {space}"),
        ),
    ),
    (
        (p.TokenMoved, e.MoneyMoved),
        _write_walk_with_salary(
            told("{seat} landed on GO: {amount}"),
            told("{seat} got {amount} at GO and landed on {space}"),
        ),
    ),
    ((p.WalkAwaited, p.TokenMoved), told("{seat} landed on {space}")),
    # Deeds and buildings.
    ((d.DeedBought, e.MoneyMoved), told("{seat} bought {deed} for {amount}")),
    ((d.DeedDealt, e.MoneyMoved), told("{seat} was dealt {deed} for {amount}")),
    ((d.LotSold, e.MoneyMoved), told("{seat} won {lot} for {amount}")),
    ((d.DeedDeclined, d.AuctionOpened), _tell_auction),
    (
        (d.BuildingBought, e.MoneyMoved),
        told("{seat} built on {deed} for {amount}: {standing} there now"),
    ),
    (
        (d.BuildingSold, e.MoneyMoved),
        _write_payment(
            Reason.SALE,
            told("{seat} sold from {deed} for {amount}: {standing} there now"),
        ),
    ),
    ((d.DeedSold, e.MoneyMoved), told("{seat} sold {deed} to the bank for {amount}")),
    ((d.DeedMortgaged, e.MoneyMoved), told("{seat} mortgaged {deed} for {amount}")),
    (
        (d.MortgageLifted, e.MoneyMoved),
        told("{seat} lifted the mortgage of {deed} for {amount}"),
    ),
    (
        (d.DeedPassed, e.MoneyMoved),
        _write_payment(
            Reason.MORTGAGE, told("{deed} went to {seat}, who paid {amount} interest")
        ),
    ),
    # Rents and debts.
    ((p.RentFellDue, p.RentAsked, f.PaymentLaid), LAID_RENT),
    ((p.RentAsked, f.PaymentLaid), LAID_RENT),
    ((p.RentFellDue, p.RentAsked, e.MoneyMoved), PAID_RENT),
    ((p.RentAsked, e.MoneyMoved), PAID_RENT),
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
    # A seat that is out may pay a debt first.
    ((p.SeatBankrupted, e.MoneyMoved), _write_payment(Reason.LEAVING, _tell_exit)),
    # Jail and cards.
    ((p.JailLeft, e.MoneyMoved), PAID_FINE),
    ((p.CardReturned, p.JailLeft), _tell_out_by_card),
    # Fakes.
    (
        (f.VerdictGiven, e.MoneyMoved),
        _write_payment(
            Reason.FAKE, told("a fake note! {payee} takes the {amount} of {payer}")
        ),
    ),
    (
        (p.CardReturned, e.MoneyMoved),
        _write_payment(Reason.FAKE, told("{payee} got {amount} for it from the bank")),
    ),
    # The vault.
    ((r.GuessMade, e.MoneyMoved), _write_payment(Reason.GUESS, _tell_guess)),
    ((r.RichesTaken, e.MoneyMoved), _write_payment(Reason.RICHES, _tell_opening)),
    ((r.VaultRefilled, e.MoneyMoved), _write_payment(Reason.RICHES, _tell_refill)),
    # The table.
    ((p.PositionCorrected, p.BoxRead), _tell_reading),
    ((p.PositionGiven, p.BoxRead), _tell_reading),
    ((p.PositionCorrected, e.MoneyMoved), CORRECTED),
    ((p.PositionGiven, e.MoneyMoved), CORRECTED),
)
"""Rows: kinds of events that belong together, and their template or its writer.

The first row that matches counts; a row whose writer returns nothing does not match.
"""
