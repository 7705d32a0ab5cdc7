"""Sums as *Why?* writes them, read back number by number.

``$25 (1 railroad) x 2 (card) = $50``, with a better sign, is true of a rent if it comes
to 50, the deed prints 25, its owner had one railroad, and a card doubles it.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable
from typing import NamedTuple

from companion.game import deed_events as d
from companion.game.ledger import Reason
from tests.witness.acts import Act

TIMES, MINUS = "\N{MULTIPLICATION SIGN}", "\N{MINUS SIGN}"

FACTOR = re.compile(r"(\$?)([\d,]+)( percent)?(?: \(([^)]+)\))?")


class Factor(NamedTuple):
    """A number in a sum, with its label."""

    number: int
    is_money: bool
    is_percent: bool
    label: str


Term = tuple[Factor, ...]
"""A product."""


def number_of(text: str) -> int:
    """Read a number such as ``$1,200``."""
    return int(text.strip("$").replace(",", ""))


def read_sum(text: str) -> tuple[list[tuple[str, Term]], int]:
    """Read a sum: its products with their signs, and what it comes to."""
    text = re.sub(r" \+ (\d+) percent", rf" {TIMES} 1\1 percent", text)  # 10: 110.
    left, _, amount = text.rpartition(" = ")
    signs = re.findall(rf" ([+{MINUS}]) ", left)
    terms = [read_term(term) for term in re.split(rf" [+{MINUS}] ", left)]
    assert re.fullmatch(r"\$[\d,]+", amount), text
    return list(zip(("+", *signs), terms, strict=True)), number_of(amount)


def read_term(text: str) -> Term:
    """Read a product."""
    factors = []
    for part in text.split(f" {TIMES} "):
        found = FACTOR.fullmatch(part)
        assert found is not None, text
        money, number, percent, label = found.groups(default="")
        factors.append(Factor(number_of(number), bool(money), bool(percent), label))
    return tuple(factors)


def product_of(term: Term, *, rounds_up: bool) -> int:
    """Multiply step by step; a percentage comes to whole dollars at once."""
    total = 1
    for factor in term:
        total *= factor.number
        if factor.is_percent:
            total = math.ceil(total / 100) if rounds_up else total // 100
    return total


def is_sum_true(text: str, act: Act) -> bool:
    """Whether a sum says how the amount of this charge came about."""
    terms, amount = read_sum(text)
    is_interest = act.reason is Reason.MORTGAGE
    rounding = act.box.rule(*(INTEREST_ROUNDING if is_interest else SALE_ROUNDING))
    products = [product_of(term, rounds_up=rounding == "up") for _, term in terms]
    signs = [1 if sign == "+" else -1 for sign, _ in terms]
    total = sum(sign * product for sign, product in zip(signs, products, strict=True))
    if not total == amount == act.amount:
        return False
    return all(is_term_true(sign, term, act) for sign, term in terms)


INTEREST_ROUNDING = ("mortgage", "interest_rounding")
SALE_ROUNDING = ("buildings", "sale_rounding")


def is_term_true(sign: str, term: Term, act: Act) -> bool:
    """Whether a product begins with a printed figure, and all its numbers are there.

    Dollars come first, or the number by which dice are multiplied.
    """
    is_money = [factor.is_money for factor in term]
    has_dice = any(factor.label == "dice" for factor in term)
    if is_money[0] is has_dice or any(is_money[1:]):
        return False
    counts = [x.number for x in term if not (x.label or x.is_percent)] or [1]
    if counts != [count_of(sign, term[0], act)]:
        return False
    percents = [factor.number for factor in term if factor.is_percent]
    labelled = [factor for factor in term if factor.label]
    return percents in ([], [percent_of(act)]) and all(
        is_label_true(factor, act) for factor in labelled
    )


def is_label_true(factor: Factor, act: Act) -> bool:
    """Whether what stands after a number is true of it."""
    for words, is_true in LABELS.items():
        found = re.fullmatch(words, factor.label)
        if found:
            return is_true(act, factor.number, *found.groups())
    raise AssertionError(f"no row for the label {factor.label!r}")


def percent_of(act: Act) -> int:
    """Return how many percent of a loan or a price are paid."""
    if act.reason is not Reason.MORTGAGE:
        return int(act.box.rule("buildings", "sale_percent"))
    interest = int(act.box.rule("mortgage", "interest_percent"))
    return interest if isinstance(act.cause, d.DeedPassed) else 100 + interest


def count_of(sign: str, price: Factor, act: Act) -> int:
    """Return how many there are of what the first factor is the price of."""
    if act.reason is Reason.CARD:
        return act.before.standing(act.payer)[price.label.removeprefix("1 ")]
    if isinstance(act.cause, d.BuildingSold):
        return sold_steps(act)[price.number]
    if isinstance(act.cause, d.GroupLevelled):
        built, sold = levelled_steps(act)
        is_built = (sign == "+") is (act.reason is Reason.PURCHASE)
        return (built if is_built else sold)[price.number]
    return 1


def sold_steps(act: Act) -> Counter[int]:
    """Count what the bank paid for on one deed, by its price."""
    sold, box = act.cause, act.box
    assert isinstance(sold, d.BuildingSold)
    ladder, level = box.ladder(sold.deed), act.before.level(sold.deed)
    steps = list(range(sold.level, level))
    if box.rule("buildings", "hotel_sale") == "half-only" and steps:
        steps = steps[-1:] if ladder[level - 1] == "hotel" else steps
    return Counter(box.cost(sold.deed, step) for step in steps)


def levelled_steps(act: Act) -> tuple[Counter[int], Counter[int]]:
    """Count what was built and what was sold on a group, by its price.

    In a group that has to be built evenly, pieces move for nothing.
    """
    built, sold = Counter[int](), Counter[int]()
    assert isinstance(act.cause, d.GroupLevelled)
    for deed, level in act.cause.levels:
        was = act.before.level(deed)
        built.update(act.box.cost(deed, step) for step in range(was, level))
        sold.update(act.box.cost(deed, step) for step in range(level, was))
    if act.before.play.stage == "level":
        built, sold = built - sold, sold - built
    return built, sold


# What the numbers are.

Label = Callable[..., bool]


def is_owned(kind: str) -> Label:
    """Return whether an owner has so many of a kind, each of which brings a number."""

    def is_true(act: Act, number: int, count: str) -> bool:
        where = act.landing
        if where is None or where.kind != kind or where.owned != int(count):
            return False
        return number == act.box.rents_by_owned(where.deed)[where.owned - 1]

    return is_true


def is_bare(act: Act, number: int) -> bool:
    """Whether a street without buildings has this rent."""
    where = act.landing
    is_so = where is not None and where.kind == "street" and not where.level
    return is_so and number == act.box.figure(where.deed, "rent")


def is_of_group(lacking: int, key: str) -> Label:
    """Return whether the owner lacked so many of the group, without buildings."""

    def is_true(act: Act, number: int) -> bool:
        where = act.landing
        is_so = where is not None and where.kind == "street" and not where.level
        return (
            is_so and where.lacking == lacking and number == act.box.rule("rent", key)
        )

    return is_true


def is_depot(act: Act, number: int) -> bool:
    """Whether a depot stood on the railroad."""
    where = act.landing
    is_so = where is not None and where.kind == "railroad" and where.level == 1
    return is_so and number == act.box.rule("buildings", "depot_rent_times")


def is_dice(act: Act, number: int) -> bool:
    """Whether the dice that count for the utility came to this."""
    where = act.landing
    if where is None or where.kind != "utility":
        return False
    plain = int(act.box.rule("dice", "plain"))
    is_all = act.box.is_on("utility_dice", "all")
    return number == sum(where.dice if is_all else where.dice[:plain])


def is_card(act: Act, number: int) -> bool:
    """Whether the card that led there multiplies by this."""
    where = act.landing
    is_so = where is not None and where.is_by_card
    return is_so and number == act.box.times(where.card)


def is_price_each(act: Act, number: int, kind: str) -> bool:
    """Whether the card asks for so much for each building of the kind."""
    is_so = act.reason is Reason.CARD and bool(act.card)
    return is_so and number == act.box.card(act.card).get(f"per_{kind}")


def is_building(act: Act, number: int) -> bool:
    """Whether a building that is built or sold has this price."""
    if isinstance(act.cause, d.BuildingSold):
        return sold_steps(act)[number] > 0
    is_so = isinstance(act.cause, d.GroupLevelled)
    return is_so and any(steps[number] for steps in levelled_steps(act))


def is_loan(act: Act, number: int) -> bool:
    """Whether the deed prints this loan."""
    is_so = act.reason is Reason.MORTGAGE
    return is_so and number == act.box.figure(act.paid_for, "mortgage")


LABELS: dict[str, Label] = {
    r"(\d+) railroads?": is_owned("railroad"),
    r"(\d+) utilit(?:y|ies)": is_owned("utility"),
    "without buildings": is_bare,
    "whole group": is_of_group(0, "full_group_times"),
    "all but one of the group": is_of_group(1, "all_but_one_times"),
    "depot": is_depot,
    "dice": is_dice,
    "card": is_card,
    "1 (house|hotel|skyscraper|depot)": is_price_each,
    "building": is_building,
    "loan": is_loan,
}
"""What the words after a number say -> whether they are true of it in a charge."""
