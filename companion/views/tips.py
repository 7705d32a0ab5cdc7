"""Tips for players who want to win: a few sentences each, in our own words.

Only some boxes have houses, a third die, bus tickets or mortgages. So each tip has a
condition on the rulebook of the box, and players read only those that help there. Tips
are advice, not rules: nothing depends on them.
"""

from __future__ import annotations

import msgspec

from companion.game.rulebook import DEPOT, HOUSE, Rulebook
from companion.views.rules_in_short import (
    Holds,
    builds,
    builds_houses,
    builds_with_one_missing,
    can_expire,
    has_third_die,
    has_tickets,
    lends,
)
from companion.words import say


class Tip(msgspec.Struct, frozen=True):
    """One piece of advice.

    Attributes:
        title: The advice in a few words.
        words: Whole sentences: what to do, and why.
    """

    title: str
    words: str


def tips_for(rules: Rulebook) -> tuple[Tip, ...]:
    """Return the tips that help in a game by *rules*."""
    return tuple(tip for tip, helps in TIPS if helps(rules))


def _walks_past_mortgages(rules: Rulebook) -> bool:
    return has_third_die(rules) and lends(rules)


def _walks_to_houses(rules: Rulebook) -> bool:
    return has_third_die(rules) and builds_houses(rules)


def _has_houses(rules: Rulebook, count: int) -> bool:
    """Return whether *count* houses fit on one street."""
    houses = [deed.ladder.count(HOUSE) for deed in rules.deeds if deed.ladder]
    return builds_houses(rules) and max(houses, default=0) >= count


def _has_few_houses(rules: Rulebook) -> bool:
    """Return whether the bank lacks houses for four on every street."""
    streets = sum(HOUSE in deed.ladder for deed in rules.deeds)
    houses = dict(rules.pieces).get(HOUSE, 0)
    return _has_houses(rules, 4) and houses < 4 * streets


def _pays_in_jail(rules: Rulebook) -> bool:
    """Return whether a player in jail still gets rents for houses."""
    return builds_houses(rules) and rules.jail.collects_rent


TIPS: tuple[tuple[Tip, Holds], ...] = (
    (
        Tip(
            say("One may be missing"),
            say(
                "All of a colour but one is enough. Build at once: whoever waits "
                "finds no houses left."
            ),
        ),
        builds_with_one_missing,
    ),
    (
        Tip(
            say("Three houses are the goal"),
            say(
                "The third house makes the rent leap. Bring each street of one colour "
                "that far before you begin another."
            ),
        ),
        lambda rules: _has_houses(rules, 3),
    ),
    (
        Tip(
            say("First street, first house"),
            say(
                "Late in the game Mr. Monopoly stops at the next rent ahead. That is "
                "mostly the first street of a colour, so build there first."
            ),
        ),
        _walks_to_houses,
    ),
    (
        Tip(
            say("Clear the way to your houses"),
            say(
                "Mr. Monopoly walks past mortgaged deeds. Is one of yours just before "
                "your houses? Mortgage it, and more visitors reach them."
            ),
        ),
        _walks_past_mortgages,
    ),
    (
        Tip(
            say("Depots like company"),
            say(
                "A depot doubles what its railroad earns. With two railroads or more "
                "it soon pays for itself; with one, wait."
            ),
        ),
        lambda rules: builds(rules, DEPOT),
    ),
    (
        Tip(
            say("A ticket for the right day"),
            say(
                "Early on a ticket takes you to the street that you lack. Later it "
                "takes you past the dear ones, or safely into jail."
            ),
        ),
        has_tickets,
    ),
    (
        Tip(
            say("Do not pile up tickets"),
            say(
                "Some cards make all other tickets worthless. Two in hand are plenty: "
                "use the third."
            ),
        ),
        can_expire,
    ),
    (
        Tip(
            say("Jail: out early, in late"),
            say(
                "At first pay and leave, to buy before the others do. Later stay: "
                "in jail you pay no rent, and still get yours."
            ),
        ),
        _pays_in_jail,
    ),
    (
        Tip(
            say("Four houses can beat a hotel"),
            say(
                "The bank has few houses. While four stand on each of your streets, "
                "others cannot build with them."
            ),
        ),
        _has_few_houses,
    ),
    (
        Tip(
            say("Borrow for houses"),
            say(
                "Short of money to build? Mortgage single deeds first, and never one "
                "of the colour that you build on."
            ),
        ),
        lambda rules: builds_houses(rules) and lends(rules),
    ),
)
"""Every tip, with its condition, in the order in which players read them."""
