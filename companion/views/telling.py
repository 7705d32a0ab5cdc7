"""An entry in as few sentences as it takes: what belongs together is told as one.

A roll, the walk and the salary on the way are three events and one sentence; so are a
deed and its price. ``TOGETHER`` lists what belongs together; whatever stands alone has
the sentence of its own event.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, cast

from companion.game import decoder_events as f
from companion.game import deed_events as d
from companion.game import events as e
from companion.game import play_events as p
from companion.game import ticket_events as t
from companion.game import vault_contents_events as r
from companion.game.ledger import Reason
from companion.game.position import BUS, MR
from companion.units import BANK, VAULT
from companion.views.wording import Names, filled, space_key
from companion.words import Value, Words, capital, told
from companion.words.money import dollars_text

ACTOR = "actor"
"""Stands in a sentence for whoever did it, which no event says itself."""

SENTENCES_MAX = 4
"""An entry that says more than this says what changed hands among its details."""

CHANGING_HANDS = (
    *(d.DeedDealt, d.DeedPassed, d.DeedReturned, d.BuildingSold),
    *(p.CardPassed, p.CardReturned, r.KeysReturned, r.HotelsPassed, e.MoneyMoved),
    t.TicketsPassed,
)

Events = Sequence[e.Event]
Write = Callable[[Events], str]
"""The events that belong together -> their sentence; empty if they do not after all."""


class Telling(NamedTuple):
    """What history says of an entry, each sentence with a capital.

    Attributes:
        sentences: What happened.
        details: What changed hands with it, where that is a long list.
    """

    sentences: tuple[str, ...]
    details: tuple[str, ...] = ()


def told_of(events: Events, names: Names, actor: str) -> Telling:
    """What history says of the *events* of an entry that *actor* made."""
    found: list[tuple[e.Event, Words]] = []
    at = 0
    if len(events) > 1 and isinstance(events[0], f.HandedOver):
        events = events[1:]  # What was handed over says so itself.
    while at < len(events):
        count, words = _told(events[at:], names, actor, is_act=at == 0)
        if words:
            found.append((events[at], cast("Words", capital(words))))
        at += count
    if len(found) > 1 and isinstance(events[-1], p.DicePassed):
        found.pop()  # Who rolls next goes without saying once anything else is said.
    is_long = len(found) > SENTENCES_MAX
    is_detail = [is_long and isinstance(x, CHANGING_HANDS) for x, _ in found]
    return Telling(
        tuple(words for (_, words), no in zip(found, is_detail, strict=True) if not no),
        tuple(words for (_, words), yes in zip(found, is_detail, strict=True) if yes),
    )


def _told(events: Events, names: Names, actor: str, *, is_act: bool) -> tuple[int, str]:
    """How many of the first events belong together, and what is said of them.

    Args:
        events: What is still to be told of the entry.
        names: Everybody's names.
        actor: The name of who did it.
        is_act: Nothing is told yet: the first event is what somebody did.
    """
    for kinds, write in TOGETHER:
        some = events[: len(kinds)]
        if len(some) == len(kinds) and all(map(isinstance, some, kinds)):
            template = write(some)
            if template:
                by = _by(template, actor)
                return len(kinds), filled(template, some, names, **by)
    first = events[0]
    template = first.sentence
    if is_act and isinstance(first, p.CardReturned):
        template = USED_ON if first.target else USED
    elif isinstance(first, p.RentFellDue) and not is_act:
        template = DUE if first.amount is not None else DUE_UNKNOWN
    words = filled(template, [first], names, **_by(template, actor))
    return 1 + _said_by_card(first, events[1:], words, names), words


def _by(template: str, actor: str) -> dict[str, Value]:
    return {ACTOR: actor} if f"{{{ACTOR}}}" in template else {}


def _said_by_card(card: e.Event, after: Events, words: str, names: Names) -> int:
    """How many of the events after a card only do what its words say already."""
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


def _always(template: str) -> Write:
    return lambda _: template


def _money(reason: Reason, template: str, into_vault: str = "") -> Write:
    """*template* if the last event pays for that reason; another one for the vault."""

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
    """Whether the roll is told as doubles, which needs two dice without more pips."""
    dice = cast("p.DiceRolled", event).dice
    return len(dice) == 2 and len(set(dice)) == 1


class SpecialRoll(NamedTuple):
    """What is told of a roll with a third die that showed no number.

    Attributes:
        walked: Of the walk alone.
        passed_go: Of a walk past GO, with the salary.
        on_go: Of a walk that ends on GO.
    """

    walked: str
    passed_go: str
    on_go: str


SPECIAL_ROLLS = {
    MR: SpecialRoll(
        told("{seat} rolled {total} and Mr. Monopoly, and landed on {space}"),
        told("{seat} rolled {total} and Mr. Monopoly, got {amount}: now {space}"),
        told("{seat} rolled {total} and Mr. Monopoly, and landed on GO: {amount}"),
    ),
    BUS: SpecialRoll(
        told("{seat} rolled {total} and the bus, and landed on {space}"),
        told("{seat} rolled {total} and the bus, got {amount}: now {space}"),
        told("{seat} rolled {total} and the bus, and landed on GO: {amount}"),
    ),
}
"""By what the third die showed."""


def _special(events: Events) -> SpecialRoll | None:
    return SPECIAL_ROLLS.get(cast("p.DiceRolled", events[0]).special)


def _walked(events: Events) -> str:
    special = _special(events)
    if special is not None:
        return special.walked
    if _is_double(events[0]):
        return told("{seat} rolled two {pips}s and landed on {space}")
    return told("{seat} rolled {total} and landed on {space}")


def _passed_go(events: Events) -> str:
    """A roll, the walk and the salary."""
    if not _is_salary(events[2]):
        return ""
    special, is_on_go = _special(events), cast("p.TokenMoved", events[1]).space == GO
    if special is not None:
        return special.on_go if is_on_go else special.passed_go
    if is_on_go:
        if _is_double(events[0]):
            return told("{seat} rolled two {pips}s and landed on GO: {amount}")
        return told("{seat} rolled {total} and landed on GO: {amount}")
    if _is_double(events[0]):
        return told(
            "{seat} rolled two {pips}s, got {amount} at GO and landed on {space}"
        )
    return told("{seat} rolled {total}, got {amount} at GO and landed on {space}")


def _readied(events: Events) -> str:
    """A roll, the walk, the chips that GO makes ready again, and the salary."""
    if not _is_salary(events[3]):
        return ""
    if cast("p.TokenMoved", events[1]).space == GO:
        if _is_double(events[0]):
            return told(
                "{seat} rolled two {pips}s and landed on GO: {amount} and green chips"
            )
        return told("{seat} rolled {total} and landed on GO: {amount} and green chips")
    if _is_double(events[0]):
        return told(
            "{seat} rolled two {pips}s, got {amount} and green chips: now {space}"
        )
    return told("{seat} rolled {total}, got {amount} and green chips: now {space}")


def _readied_by_go(events: Events) -> str:
    """A walk, the chips that GO makes ready again, and the salary."""
    if not _is_salary(events[2]):
        return ""
    if cast("p.TokenMoved", events[0]).space == GO:
        return told("{seat} landed on GO: {amount} and green chips")
    return told("{seat} got {amount} and green chips at GO and landed on {space}")


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


def _went_to(events: Events) -> str:
    """A choice that moves a token, and the salary on the way."""
    if not _is_salary(events[2]):
        return ""
    if cast("p.TokenMoved", events[1]).space == GO:
        return told("{seat} went to GO: {amount}")
    return told("{seat} went to {space} and got {amount} at GO")


def _rode(events: Events) -> str:
    if not _is_salary(events[2]):
        return ""
    if cast("p.TokenMoved", events[1]).space == GO:
        return told("{seat} took the bus to GO: {amount}")
    return told("{seat} took the bus to {space} and got {amount} at GO")


def _taken_on(events: Events) -> str:
    if not _is_salary(events[2]):
        return ""
    return told("Mr. Monopoly took {seat} on to {space}, with {amount} at GO")


def _levelled(events: Events) -> str:
    if cast("e.MoneyMoved", events[1]).reason is Reason.SALE:
        return told("{seat} sold for {amount}; there are now: {levels}")
    return told("{seat} built for {amount}; there are now: {levels}")


def _moved_by_go(events: Events) -> str:
    """A walk and the salary."""
    if not _is_salary(events[1]):
        return ""
    if cast("p.TokenMoved", events[0]).space == GO:
        return told("{seat} landed on GO: {amount}")
    return told("{seat} got {amount} at GO and landed on {space}")


def _jailed_at_once(events: Events) -> str:
    return told("{seat} rolled doubles a third time and went to jail")


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
    is_it = cast("d.AuctionOpened", events[1]).auction.lots == (declined,)
    return told("{seat} put {deed} up for auction") if is_it else ""


def _out_by_card(events: Events) -> str:
    return (
        told("{seat} left jail with a card")
        if cast("p.JailLeft", events[1]).how == "card"
        else ""
    )


def _out_by_doubles(events: Events) -> str:
    if cast("p.JailLeft", events[1]).how != "doubles":
        return ""
    return told("{seat} left jail with two {pips}s and landed on {space}")


def _corrected(events: Events) -> str:
    moved = cast("e.MoneyMoved", events[1])
    return events[0].sentence if moved.reason is Reason.CORRECTION else ""


def _read_off(events: Events) -> str:
    """A correction that only says what the box says: the box's own words tell it."""
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

DUE = told("{owner} may ask for {amount} rent")
DUE_UNKNOWN = told("{owner} may ask for rent; nobody knows how much")
"""Said of a rent after the landing, which has said already for what."""

USED_ON = told("{seat} used a card on {target}: {card}")
"""The same of a card that is used on somebody or something."""

USED = told("{seat} used a card: {card}")
"""Said of a card that goes back under its deck because its owner used it."""

TOGETHER: tuple[tuple[tuple[type[e.Event], ...], Write], ...] = (
    # Dice and walks.
    (
        (*_FORCED, p.TokenMoved),
        _always(
            told("{seat} rolled {total}, paid {amount} for jail and landed on {space}")
        ),
    ),
    (
        (p.DiceRolled, p.TokenMoved, p.SentToJail),
        _always(told("{seat} rolled {total}, landed on {space} and went to jail")),
    ),
    ((p.DiceRolled, p.JailLeft, p.TokenMoved), _out_by_doubles),
    (
        (p.DiceRolled, p.TokenMoved, p.RentFellDue, p.RentAsked, e.MoneyMoved),
        _paid_at_once,
    ),
    ((p.DiceRolled, p.TokenMoved, f.ChipsReadied, e.MoneyMoved), _readied),
    ((p.DiceRolled, p.TokenMoved, e.MoneyMoved), _passed_go),
    ((p.DiceRolled, p.TokenMoved, e.MoneyMoved), _taxed),
    ((p.DiceRolled, p.TokenMoved), _walked),
    ((p.DiceRolled, p.SentToJail), _jailed_at_once),
    ((p.DiceRolled, f.ChoiceAwaited), _three_alike),
    (
        (p.DiceRolled, p.JailTried),
        _always(told("{seat} rolled {dice} and stays in jail")),
    ),
    (
        (p.DiceRolled, r.GuessAwaited, p.WalkAwaited),
        _always(told("{seat} rolled {dice} and the wheel: first a guess at the vault")),
    ),
    # A third die, bus tickets, and what they let somebody choose.
    ((f.Chosen, p.TokenMoved, e.MoneyMoved), _went_to),
    ((f.Chosen, p.TokenMoved), _always(told("{seat} went to {space}"))),
    (
        (f.Chosen, e.MoneyMoved),
        _money(Reason.GIFT, told("{seat} took a gift of {amount}")),
    ),
    ((f.Chosen, d.AuctionOpened), _always(told("{seat} put {word} up for auction"))),
    ((t.TicketUsed, p.TokenMoved, e.MoneyMoved), _rode),
    (
        (t.TicketUsed, p.TokenMoved, p.SentToJail),
        _always(told("{seat} took the bus to {space} and went to jail")),
    ),
    ((t.TicketUsed, p.TokenMoved), _always(told("{seat} took the bus to {space}"))),
    ((t.BonusCame, p.TokenMoved, e.MoneyMoved), _taken_on),
    (
        (t.BonusCame, p.TokenMoved),
        _always(told("Mr. Monopoly took {seat} on to {space}")),
    ),
    ((d.GroupLevelled, e.MoneyMoved), _levelled),
    ((p.TokenMoved, f.ChipsReadied, e.MoneyMoved), _readied_by_go),
    ((p.TokenMoved, e.MoneyMoved), _moved_by_go),
    ((p.WalkAwaited, p.TokenMoved), _always(told("{seat} landed on {space}"))),
    # Deeds and buildings.
    (
        (d.DeedBought, e.MoneyMoved),
        _always(told("{seat} bought {deed} for {amount}")),
    ),
    (
        (d.DeedDealt, e.MoneyMoved),
        _always(told("{seat} was dealt {deed} for {amount}")),
    ),
    (
        (d.LotSold, e.MoneyMoved),
        _always(told("{seat} won {lot} for {amount}")),
    ),
    ((d.DeedDeclined, d.AuctionOpened), _put_up),
    (
        (d.BuildingBought, e.MoneyMoved),
        _always(told("{seat} built on {deed} for {amount}: {standing} there now")),
    ),
    ((d.BuildingSold, e.MoneyMoved), _sold),
    (
        (d.DeedSold, e.MoneyMoved),
        _always(told("{seat} sold {deed} to the bank for {amount}")),
    ),
    (
        (d.DeedMortgaged, e.MoneyMoved),
        _always(told("{seat} mortgaged {deed} for {amount}")),
    ),
    (
        (d.MortgageLifted, e.MoneyMoved),
        _always(told("{seat} lifted the mortgage of {deed} for {amount}")),
    ),
    (
        (d.DeedPassed, e.MoneyMoved),
        _money(
            Reason.MORTGAGE,
            told("{deed} went to {seat}, who paid {amount} interest"),
        ),
    ),
    # Rents and debts.
    ((p.RentFellDue, p.RentAsked, f.PaymentLaid), _always(LAID_RENT)),
    ((p.RentAsked, f.PaymentLaid), _always(LAID_RENT)),
    ((p.RentFellDue, p.RentAsked, e.MoneyMoved), _RENT),
    ((p.RentAsked, e.MoneyMoved), _RENT),
    (
        (p.RentFellDue, p.RentAsked, p.DebtOwed),
        _always(told("{debtor} owes {creditor} {amount} rent for {deed}")),
    ),
    (
        (p.RentAsked, p.DebtOwed),
        _always(told("{debtor} owes {creditor} {amount} rent for {deed}")),
    ),
    (
        (p.DebtPaid, e.MoneyMoved),
        _always(told("{payer} paid {payee} {amount} and settled a debt")),
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
"""Events that belong together, and their sentence; the first row that fits counts."""
