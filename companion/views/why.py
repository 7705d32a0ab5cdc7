"""The rule behind a charge: the answer to *Why?* on every page.

A *rule* (``Told``) has words, and the *sections* of the printed *sheets* that state it;
it is a constant beside the code that follows it. Its words may name *figures* in
braces, such as the fine, which differ from *box* (edition) to box. ``shown`` puts the
figures of a box into a rule and cites the sheet of that box.

A *charge* is an event that moves money, or makes a seat owe it. It says for which
reason, and by which *steps* its amount came about (``game/how.py``); ``rules_of`` turns
them into rules, and ``sums_of`` writes them out. A refusal brings its rule along.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from string import Formatter

import msgspec

from companion.edition.library import BUILT_IN, UK, builtin
from companion.game import Game

# f: fakes and choices, e: money and seats, p: play, r: riches of the vault.
from companion.game import decoder_events as f
from companion.game import events as e
from companion.game import play_events as p
from companion.game import vault_contents_events as r
from companion.game.how import MINUS, PLUS, UNKNOWN, Steps, product, read
from companion.game.journal import Entry
from companion.game.ledger import Reason
from companion.game.position import Payment
from companion.game.rulebook import Rulebook
from companion.game.spaces import SpaceKind
from companion.rules import (
    auction,
    bank,
    begin,
    buildings,
    cards,
    choosing,
    correcting,
    debt,
    decoder,
    deeds,
    rent,
    seats,
    trade,
    turn,
    undoing,
    vault,
    walking,
)
from companion.rules.deeds import ANY_TIME
from companion.rules.rent import asking_rule
from companion.sheets import Sheet, Told
from companion.units import BANK, VAULT, Dollars
from companion.views.deed_rents import owned_text
from companion.views.space import buildings_text
from companion.views.telling import game_events
from companion.words import Value, Words, say
from companion.words.money import dollars_text

OWN_RULE = say("This program's own rule: no rule sheet has it")
"""The title that is shown for a rule that no sheet has."""

TITLES: Mapping[Sheet, str] = {
    Sheet.STANDARD: say("Standard rules"),
    Sheet.GRAB_AND_GO: say("Rules of Grab & Go"),
    Sheet.SECRET_VAULT: say("Rules of Secret Vault"),
    Sheet.CASH_DECODER: say("Rules of Cash Decoder"),
    Sheet.CROOKED_CASH: say("Rules of Crooked Cash"),
    Sheet.MEGA: say("Rules of the Mega Edition"),
}
"""The title under which each sheet is cited."""


class ShownRule(msgspec.Struct, frozen=True):
    """A rule, ready to be read.

    Attributes:
        words: The rule, as whole sentences.
        sheet: The title of a sheet that has it, which says so if that is none of the
            box; ``OWN_RULE`` if none does.
        section: The heading in that sheet, in its own language; empty for ``OWN_RULE``.
    """

    words: str
    sheet: str
    section: str = ""


def figures_in(rule: Told) -> frozenset[str]:
    """Return the names of the figures that the words of *rule* need from a box."""
    return frozenset(name for _, name, _, _ in Formatter().parse(rule.words) if name)


def shown(rule: Told, game: Game | None) -> ShownRule:
    """Return *rule* with the figures of *game*'s box, cited from the sheet of that box.

    Raises:
        KeyError: If the rule names a figure that *game* does not have.
    """
    figures = _figures(game)
    values = {name: figures[name] for name in figures_in(rule)}
    sheets = _sheets(game)
    in_order = (*sheets, Sheet.STANDARD, *rule.sections)
    cited = next((sheet for sheet in in_order if sheet in rule.sections), None)
    words = Words(rule.words, values)
    if cited is None:
        return ShownRule(words, OWN_RULE)
    title = TITLES[cited]
    if sheets and cited not in sheets:
        title = say("This box's sheet says nothing; as in {sheet}", sheet=title)
    return ShownRule(words, title, rule.sections[cited])


def _sheets(game: Game | None) -> tuple[Sheet, ...]:
    """Return the sheets of the game's box, the one that counts first.

    They are empty if nobody has said which they are: then any sheet is cited. A game
    that was opened before they were kept has those of its edition today.
    """
    if game is None:
        return ()
    edition = game.terms.edition.removesuffix(UK)
    return game.terms.sheets or (builtin(edition).sheets if edition in BUILT_IN else ())


def _figures(game: Game | None) -> dict[str, Value]:
    """Return the figures that the words of rules may name."""
    if game is None:
        return {}
    terms = game.terms
    figures: dict[str, Value] = {
        "start": dollars_text(terms.start_money),
        "salary": dollars_text(terms.salary),
        "vault_salary": dollars_text(terms.vault_salary),
    }
    if game.board is not None:
        rules = game.board.rules
        figures |= {
            "fine": dollars_text(rules.jail.fine),
            "attempts": rules.jail.attempts,
            "step": dollars_text(rules.auction.step),
            "percent": rules.mortgage.interest_percent or 0,
            "fee": dollars_text(rules.vault.guess_fee if rules.vault else 0),
            "reward": dollars_text(rules.decoder.reward if rules.decoder else 0),
            "refill": dollars_text(rules.vault.refill_money if rules.vault else 0),
            "near": rules.rent.all_but_one_times,
            "full": rules.rent.full_group_times,
            "depot": dollars_text(rules.buildings.depot_cost or 0),
            "more": rules.buildings.depot_rent_times or 1,
            "tickets": rules.tickets.total if rules.tickets else 0,
            "out": rules.ends_at_bankruptcies,
            "gift": _gift_text(rules),
            **_utility_times(rules),
        }
    return figures


def _utility_times(rules: Rulebook) -> dict[str, Value]:
    """Return the numbers that multiply the dice, for one utility and for all.

    An unknown one is a question mark.
    """
    utilities = [deed for deed in rules.deeds if deed.kind == SpaceKind.UTILITY]
    rents = utilities[0].rents if utilities else ()  # One number for each count owned.
    factors = [UNKNOWN if factor is None else factor for factor in rents] or [UNKNOWN]
    return {"one": factors[0], "all": factors[-1]}


def _gift_text(rules: Rulebook) -> Value:
    """Return what a birthday space gives; a question mark if nobody knows."""
    for space in rules.spaces:
        if space.kind == SpaceKind.BIRTHDAY_GIFT and space.amount is not None:
            return dollars_text(space.amount)
    return UNKNOWN


# Charges.

Rules = tuple[Told, ...]


def rules_of(entry: Entry, game: Game) -> tuple[ShownRule, ...]:
    """Return the rules behind the charges of one entry, in their order, each once.

    They get the figures of *game* as it stands.
    """
    rules: list[Told] = []
    for rule in rules_behind(entry, game):
        if rule not in rules:  # A rule has no hash.
            rules.append(rule)
    return tuple(shown(rule, game) for rule in rules)


def rules_behind(entry: Entry, game: Game) -> Iterator[Told]:
    """Yield the rules behind each charge of an entry."""
    events = [x for x in game_events(entry) if not isinstance(x, e.AskAnswered)]
    first = next(iter(events), None)
    if isinstance(first, e.MoneyMoved) and first.reason is not Reason.SALARY:
        yield bank.BY_HAND_RULE  # No event of a move comes before it.
        return
    for event in events:
        yield from _rules_of_event(event, game)


def _rules_of_event(event: e.Event, game: Game) -> Rules:
    """Return the rules behind one event; none if it charges nothing."""
    match event:
        case e.MoneyMoved():
            return _rules_of_money(event, event.payer, event.payee, game)
        case p.DebtOwed():
            return _rules_of_money(event, event.debtor, event.creditor, game)
        case p.RentFellDue():
            how = "" if event.amount is None else event.how
            return (*_rules_of_steps(how, game), *_asking_rules(game))
        case f.PaymentLaid(payment=paid):
            rules = _rules_of_money(paid, paid.payer, paid.payee, game)
            return (*rules, decoder.LAID_RULE)
        case p.SeatBankrupted():
            has_paid = event.has_resigned and event.creditor == BANK
            return (debt.RESIGNED_RULE if has_paid else debt.BANKRUPT_RULE,)
        case e.GameOpened():
            return (vault.VAULT_FIRST_RULE,) if event.terms.vault_money else ()
        case r.GuessAwaited():
            return (vault.GUESS_FEE_RULE,) if event.fee else ()
    rule = CHARGES.get(type(event))
    return () if rule is None else (rule,)


def _rules_of_money(
    money: e.MoneyMoved | p.DebtOwed | Payment, payer: str, payee: str, game: Game
) -> Rules:
    """Return the rules behind money that moves, or lies there, or is owed now."""
    rules = _rules_of_steps(money.how, game)
    if money.reason is Reason.RENT:
        return (*rules, *_asking_rules(game))
    by_way = INTO_VAULT if payee == VAULT else FROM_BANK if payer == BANK else {}
    rule = by_way.get(money.reason) or BY_REASON.get(money.reason)
    return rules or (() if rule is None else (rule,))


def _asking_rules(game: Game) -> Rules:
    return () if game.board is None else (asking_rule(game.board),)


def _rules_of_steps(how: str, game: Game) -> Rules:
    """Return the rules of the steps of an amount; the plain rent's only if alone."""
    words = [word for _, steps in read(how) for word, _ in steps]
    rules = [rule for word in words if (rule := _rule_of_step(word, game)) is not None]
    multiplied = tuple(rule for rule in rules if rule is not rent.RENT_RULE)
    return multiplied or tuple(rules)


def _rule_of_step(word: str, game: Game) -> Told | None:
    """Return the rule behind a step, if it has one of its own."""
    rules = None if game.board is None else game.board.rules
    if word == "group" and rules and rules.rent.all_but_one_times > 1:
        return rent.RENT_NEAR_RULE
    sale = rules.street_sale if rules else None
    if word == "sold-street" and sale and sale.when == ANY_TIME:
        return deeds.STREET_SALE_ANY_TIME_RULE
    return BY_STEP.get(word) or BY_STEP.get(word.rstrip("-0123456789"))


BY_STEP: Mapping[str, Told] = {
    "rent": rent.RENT_RULE,
    "rent-near": rent.RENT_NEAR_RULE,
    "near": rent.RENT_NEAR_RULE,
    "rent-group": rent.RENT_GROUP_RULE,
    "group": rent.RENT_GROUP_RULE,
    "rent-house": rent.RENT_BUILDINGS_RULE,
    "rent-hotel": rent.RENT_BUILDINGS_RULE,
    "rent-skyscraper": rent.RENT_BUILDINGS_RULE,
    f"{SpaceKind.RAILROAD}-1": rent.RENT_RULE,
    SpaceKind.RAILROAD: rent.RENT_RAILROAD_RULE,
    "depot": rent.DEPOT_RULE,
    SpaceKind.UTILITY: rent.RENT_UTILITY_RULE,
    "card": cards.RENT_CARD_RULE,
    "price": deeds.BUY_RULE,
    "dealt": begin.DEALT_RULE,
    "bid": auction.AUCTION_RULE,
    "bid-building": auction.LAST_BUILDING_RULE,
    "house": buildings.BUILD_RULE,
    "hotel": buildings.BUILD_RULE,
    "skyscraper": buildings.BUILD_RULE,
    "building": buildings.BUILD_RULE,
    "hotel-for-houses": buildings.BUILD_HOTEL_RULE,
    "sold": buildings.UNBUILD_RULE,
    "sold-depot": buildings.UNBUILD_RULE,
    "sold-street": deeds.STREET_SALE_RULE,
    "loan": deeds.MORTGAGE_RULE,
    "lift": deeds.LIFT_RULE,
    "lift-loan": deeds.LIFT_LOAN_RULE,
    "unmortgage": deeds.LIFT_PRINTED_RULE,
    "taken-over": trade.MORTGAGE_TAKEN_OVER_RULE,
    "last-try": turn.FINE_LAST_TRY_RULE,
}
"""The rules behind steps, by their word without a count (``game/how.py``)."""

BY_REASON: Mapping[Reason, Told] = {
    Reason.START: seats.START_RULE,
    Reason.SALARY: walking.SALARY_RULE,
    Reason.GUESS: vault.GUESS_FEE_RULE,
    Reason.TAX: walking.TAX_RULE,
    Reason.FINE: turn.FINE_RULE,
    Reason.CARD: cards.CARD_RULE,
    Reason.DEAL: trade.TRADE_RULE,
    Reason.FAKE: decoder.FAKE_NOTE_RULE,
    Reason.GIFT: choosing.GIFT_RULE,
    Reason.RICHES: vault.VAULT_OPENED_RULE,
    Reason.CORRECTION: correcting.CORRECTED_RULE,
    Reason.OTHER: deeds.OWING_RULE,  # The table said that somebody owes it.
}
"""The rules behind money that moves for a reason that says all.

Rents, purchases, mortgages and sales have steps. In older games they have none, and
nobody knows which rule it was. Whoever leaves has an event of its own.
"""

INTO_VAULT: Mapping[Reason, Told] = {
    Reason.SALARY: walking.SALARY_VAULT_RULE,
    Reason.TAX: walking.TAX_VAULT_RULE,
    Reason.CARD: cards.CARD_VAULT_RULE,
    Reason.RICHES: vault.VAULT_REFILLED_RULE,
}
"""The rules behind what goes, or is owed, into the vault."""

FROM_BANK: Mapping[Reason, Told] = {Reason.FAKE: decoder.FAKE_CARD_RULE}
"""The rules behind what the bank pays."""

CHARGES: Mapping[type[e.Event], Told] = {
    e.SeatAdded: seats.START_RULE,
    e.SeatRemoved: seats.LEFT_TABLE_RULE,
    e.MoneyAsked: bank.ASKS_RULE,
    e.BalanceCorrected: correcting.CORRECTED_RULE,
    e.Undone: undoing.UNDO_RULE,
    e.Redone: undoing.UNDO_RULE,
    p.DebtForgiven: trade.DEBT_IN_KIND_RULE,
    f.CardLaid: decoder.CARD_LAID_RULE,
    f.ChipSpent: decoder.CHIP_RULE,
    p.SentToJail: walking.TO_JAIL_RULE,
}
"""The rules behind other kinds of charges."""


# Reckoning.


def sums_of(entry: Entry) -> tuple[str, ...]:
    """Return how each amount of an entry that was multiplied came about, each once."""
    charges = map(_amount_and_how, game_events(entry))
    sums = (_sum_text(amount, how) for amount, how in charges)
    return tuple(dict.fromkeys(filter(None, sums)))


def _amount_and_how(event: e.Event) -> tuple[Dollars, str]:
    match event:
        case e.MoneyMoved() | p.DebtOwed() | p.RentFellDue():
            return event.amount or 0, event.how
        case f.PaymentLaid():
            return event.amount, event.payment.how
    return 0, ""


def _sum_text(amount: Dollars, how: str) -> str:
    """Write out a product or a sum of them; empty for a single or unknown figure."""
    terms = list(read(how))
    is_known = all(product(steps) is not None for _, steps in terms)
    if not is_known or all(len(steps) == 1 for _, steps in terms):
        return ""
    text = ""
    for sign, steps in terms:
        text = _join(text, SIGNS[sign], _product_text(steps))
    return say("{steps} = {amount}", steps=text, amount=dollars_text(amount))


SIGNS = {PLUS: "+", MINUS: "\N{MINUS SIGN}"}


def _join(text: str, sign: str, term: str) -> str:
    """Write one more term, behind its sign; both may be translated."""
    if not text:
        return term
    signed = say("{first} {second}", first=sign, second=term)
    return say("{first} {second}", first=text, second=signed)


def _product_text(steps: Steps) -> str:
    """Write out a product, such as two times $25 for one railroad, by a card."""
    is_money = all(word != "dice" for word, _ in steps)
    text = ""
    for word, number in steps:
        assert number is not None, "a word alone is no product"
        sign, factor = "\N{MULTIPLICATION SIGN}", str(number)
        if is_money and not text:
            factor = dollars_text(number)
        if word == "percent" and number > ALL:
            sign, number = "+", number - ALL
        if word == "percent":
            factor = say("{number} percent", number=number)
        elif label := _step_label(word):
            factor = say("{number} ({label})", number=factor, label=label)
        text = _join(text, sign, factor)
    return text


ALL = 100
"""The percents that leave an amount as it is."""


def _step_label(word: str) -> str:
    """Say what the number of a step is; empty if that is plain."""
    kind, _, count = word.rpartition("-")
    if not count.isdecimal():
        kind = word.removeprefix("each-")
        return buildings_text(kind, 1) if kind != word else STEP_LABELS.get(word, "")
    building = kind.removeprefix("rent-")
    if building != kind:
        return buildings_text(building, int(count))
    return owned_text(kind, int(count))


STEP_LABELS: Mapping[str, str] = {
    "rent": say("without buildings"),
    "near": say("all but one of the group"),
    "group": say("whole group"),
    "depot": say("depot"),
    "dice": say("dice"),
    "card": say("card"),
    "building": say("building"),
    "sold": say("building"),
    "lift": say("loan"),
    "taken-over": say("loan"),
}
"""What the numbers of steps are, by their word without a count."""
