"""The rules by which a game is played, each in a sentence or two, and tips for winning.

A *rulebook* holds the mechanics and figures of one edition. Each rule has a *condition*
on the rulebook, such as that bus tickets exist; so the page fits any edition, even one
that people have described themselves. The words and the source of a rule stand in the
module that implements it. So has each tip: players read only those that help in their
box. Tips are advice, not rules: nothing depends on them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import msgspec

from companion.game import Game
from companion.game.rulebook import (
    DEPOT,
    HOTEL,
    HOUSE,
    RAILROAD,
    SKYSCRAPER,
    UTILITY,
    Rulebook,
)
from companion.game.spaces import CARD_SPACES, SpaceKind
from companion.rules import (
    auction,
    begin,
    buildings,
    cards,
    choosing,
    debt,
    decoder,
    deeds,
    ending,
    levelling,
    rent,
    rule,
    seats,
    tickets,
    trade,
    turn,
    vault,
    walking,
)
from companion.sheets import Told
from companion.views.why import ShownRule, shown
from companion.words import say

Holds = Callable[[Rulebook], bool]
"""A condition: returns whether a rule holds under a rulebook."""


class Chapter(msgspec.Struct, frozen=True):
    """A heading (*words*), and the rules about one part of the game: at least one."""

    words: str
    rules: tuple[ShownRule, ...]


class Row(NamedTuple):
    """A rule, and its condition; by default it always holds."""

    rule: Told
    holds: Holds = lambda _: True


def rules_in_short(game: Game) -> tuple[Chapter, ...]:
    """Return the rules that hold in a game that the companion leads."""
    assert game.board is not None, "the companion leads"
    assert game.play is not None, "the companion leads"
    rules = ending.rules_in_force(game.board.rules, game.play)
    chapters = (
        Chapter(words, tuple(shown(row.rule, game) for row in rows if row.holds(rules)))
        for words, rows in CHAPTERS
    )
    return tuple(chapter for chapter in chapters if chapter.rules)


# Conditions, and functions that make conditions.


def has_third_die(rules: Rulebook) -> bool:
    """Return whether a third die with its own faces is rolled."""
    return bool(rules.dice.third_faces)


def has_tickets(rules: Rulebook) -> bool:
    """Return whether there are bus tickets."""
    return rules.tickets is not None


def can_expire(rules: Rulebook) -> bool:
    """Return whether drawing some bus tickets makes all others worthless."""
    return rules.tickets is not None and rules.tickets.expire > 0


def builds_with_one_missing(rules: Rulebook) -> bool:
    """Return whether a seat may build on a group of which it lacks one street."""
    return builds_houses(rules) and rules.buildings.build_when == "all-but-one"


def builds(rules: Rulebook, kind: str) -> bool:
    """Return whether a building of *kind* may stand on some deed."""
    return any(kind in deed.ladder for deed in rules.deeds)


def _sells_buildings(rules: Rulebook) -> bool:
    """Return whether the bank sells buildings."""
    return rules.buildings.source == "bank" and any(x.ladder for x in rules.deeds)


def builds_houses(rules: Rulebook) -> bool:
    """Return whether the bank sells houses."""
    return _sells_buildings(rules) and builds(rules, HOUSE)


def lends(rules: Rulebook) -> bool:
    """Return whether the bank lends money on deeds."""
    return rules.mortgage.exists


def _has_vault(rules: Rulebook) -> bool:
    return rules.vault is not None


def _has_fakes(rules: Rulebook) -> bool:
    """Return whether notes or cards may be fake."""
    return rules.decoder is not None


def _has_space(*kinds: str) -> Holds:
    """Make a condition: the board has a space of one of *kinds*."""
    return lambda rules: any(space.kind in kinds for space in rules.spaces)


def _unless(condition: Holds) -> Holds:
    return lambda rules: not condition(rules)


def _both(first: Holds, second: Holds) -> Holds:
    return lambda rules: first(rules) and second(rules)


def _has_building(kind: str) -> Holds:
    return lambda rules: builds(rules, kind)


def _counts_deeds(kind: str) -> Holds:
    """Make a condition: rent depends on how many deeds of *kind* a seat has."""

    def holds(rules: Rulebook) -> bool:
        deeds_of_kind = (deed for deed in rules.deeds if deed.kind == kind)
        return any(len(deed.rents) > 1 for deed in deeds_of_kind)

    return holds


def _asks_within(turns: int) -> Holds:
    """Make a condition: an owner has to ask for rent within so many turns."""
    return lambda rules: rules.rent.must_ask and rules.rent.turns == turns


def _has_tax(payee: str) -> Holds:
    """Make a condition: the board has a tax that is paid to *payee*."""
    return lambda rules: any(
        space.amount != 0 and space.pays_to == payee and space.kind.endswith("tax")
        for space in rules.spaces
    )


def _sells_before_trading(where: str) -> Holds:
    """Make a condition: buildings go before a trade, of the group or of the street."""
    return lambda rules: (
        rules.trade.blocked_by_buildings and rules.trade.blocked_by == where
    )


def _ends_when_all_owned(rules: Rulebook) -> bool:
    return rules.end.when == "all-owned"


def _sells_streets(when: str) -> Holds:
    """Make a condition: the bank buys streets ``in-debt`` or ``any-time`` (*when*)."""

    def holds(rules: Rulebook) -> bool:
        sale = rules.street_sale
        return sale is not None and sale.exists and sale.when == when

    return holds


CHAPTERS: tuple[tuple[str, tuple[Row, ...]], ...] = (
    (
        say("Your turn"),
        (
            Row(seats.START_RULE),
            Row(turn.TURN_RULE),
            Row(turn.DICE_RULE, _unless(has_third_die)),
            Row(walking.THIRD_DIE_RULE, has_third_die),
            Row(walking.MR_RULE, has_third_die),
            Row(walking.MR_RENT_RULE, has_third_die),
            Row(walking.MR_ALONE_RULE, has_third_die),
            Row(choosing.BUS_RULE, _both(has_third_die, has_tickets)),
            Row(turn.WHITE_DOUBLES_RULE, has_third_die),
            Row(choosing.TRIPLES_RULE, lambda rules: rules.dice.triples != "none"),
            Row(walking.SALARY_RULE, lambda rules: rules.money.salary > 0),
            Row(
                walking.SALARY_VAULT_RULE,
                lambda rules: bool(rules.money.salary_to_vault),
            ),
        ),
    ),
    (
        say("Bus tickets"),
        (
            Row(tickets.TICKET_RULE, has_tickets),
            Row(tickets.TICKET_ROLL_RULE, has_tickets),
            Row(tickets.TICKET_GONE_RULE, has_tickets),
            Row(tickets.TICKET_EXPIRE_RULE, can_expire),
            Row(
                walking.TICKET_SPACE_RULE,
                _both(has_tickets, _has_space(SpaceKind.BUS_TICKET)),
            ),
            Row(
                tickets.TICKET_UTILITY_RULE, _both(has_tickets, _counts_deeds(UTILITY))
            ),
        ),
    ),
    (
        say("Deeds"),
        (
            Row(deeds.BUY_RULE, lambda rules: rules.buying.declined == "stays"),
            Row(
                auction.BUY_OR_AUCTION_RULE,
                lambda rules: rules.buying.declined == "auction",
            ),
            Row(auction.AUCTION_RULE, lambda rules: rules.buying.declined == "auction"),
            Row(begin.DEALT_RULE, lambda rules: rules.dealt_each > 0),
            Row(choosing.AUCTION_SPACE_RULE, _has_space(SpaceKind.AUCTION)),
            Row(walking.AUCTION_HIGHEST_RULE, _has_space(SpaceKind.AUCTION)),
            Row(deeds.STREET_SALE_RULE, _sells_streets("in-debt")),
            Row(deeds.STREET_SALE_ANY_TIME_RULE, _sells_streets("any-time")),
            Row(
                walking.LOCKED_RULE,
                lambda rules: any(deed.is_locked for deed in rules.deeds),
            ),
        ),
    ),
    (
        say("Rent"),
        (
            Row(rent.RENT_RULE),
            Row(rent.RENT_ASKED_RULE, _asks_within(1)),
            Row(rent.RENT_ASKED_LATER_RULE, _asks_within(2)),
            Row(rent.RENT_AUTOMATIC_RULE, lambda rules: not rules.rent.must_ask),
            Row(rent.RENT_GROUP_RULE, lambda rules: rules.rent.all_but_one_times == 1),
            Row(rent.RENT_NEAR_RULE, lambda rules: rules.rent.all_but_one_times > 1),
            Row(rent.RENT_BUILDINGS_RULE, _has_building(HOTEL)),
            Row(rent.RENT_RAILROAD_RULE, _counts_deeds(RAILROAD)),
            Row(rent.DEPOT_RULE, _has_building(DEPOT)),
            Row(rent.RENT_UTILITY_RULE, _counts_deeds(UTILITY)),
        ),
    ),
    (
        say("Buildings"),
        (
            Row(buildings.HOTELS_RULE, lambda rules: rules.buildings.source == "hand"),
            Row(
                buildings.GROUP_RULE,
                _both(_sells_buildings, _unless(builds_with_one_missing)),
            ),
            Row(buildings.NEAR_GROUP_RULE, builds_with_one_missing),
            Row(
                buildings.EVENLY_RULE,
                _both(builds_houses, lambda rules: rules.buildings.evenly),
            ),
            Row(buildings.BUILD_HOTEL_RULE, _both(builds_houses, _has_building(HOTEL))),
            Row(buildings.SKYSCRAPER_RULE, _has_building(SKYSCRAPER)),
            Row(levelling.LAST_STREET_RULE, builds_with_one_missing),
            Row(levelling.SPREAD_RULE, builds_with_one_missing),
            Row(buildings.UNBUILD_RULE, _sells_buildings),
            Row(buildings.NONE_LEFT_RULE, _sells_buildings),
        ),
    ),
    (
        say("Mortgages"),
        (
            Row(deeds.MORTGAGE_RULE, lends),
            Row(
                deeds.LIFT_RULE,
                _both(lends, lambda rules: not rules.mortgage.is_lifting_printed),
            ),
            Row(
                deeds.LIFT_PRINTED_RULE, lambda rules: rules.mortgage.is_lifting_printed
            ),
            Row(deeds.MORTGAGE_BUILDINGS_RULE, _both(lends, builds_houses)),
            Row(
                trade.MORTGAGE_TAKEN_OVER_RULE,
                _both(lends, lambda rules: bool(rules.mortgage.taker_pays_interest)),
            ),
        ),
    ),
    (
        say("Cards and spaces"),
        (
            Row(cards.CARD_RULE, _has_space(*CARD_SPACES)),
            Row(
                cards.OPEN_CARD_RULE,
                lambda rules: any(deck.face_up for deck in rules.decks),
            ),
            Row(choosing.GIFT_RULE, _has_space(SpaceKind.BIRTHDAY_GIFT)),
            Row(walking.TAX_RULE, _has_tax("bank")),
            Row(walking.TAX_VAULT_RULE, _has_tax("vault")),
        ),
    ),
    (
        say("Jail"),
        (
            Row(walking.TO_JAIL_RULE),
            Row(turn.FINE_RULE),
            Row(turn.FINE_LAST_TRY_RULE),
            Row(turn.JAIL_WHITE_RULE, has_third_die),
        ),
    ),
    (
        say("The vault"),
        (
            Row(vault.VAULT_FIRST_RULE, _has_vault),
            Row(vault.GUESS_RULE, _has_vault),
            Row(vault.GUESS_FIRST_RULE, _has_vault),
            Row(
                vault.GUESS_FEE_RULE,
                _both(_has_vault, _has_space(SpaceKind.PAY_TO_GUESS)),
            ),
            Row(vault.VAULT_OPENED_RULE, _has_vault),
            Row(vault.VAULT_REFILLED_RULE, _has_vault),
            Row(vault.KEY_RULE, _has_vault),
        ),
    ),
    (
        say("Fakes"),
        (
            Row(decoder.LAID_RULE, _has_fakes),
            Row(decoder.CARD_LAID_RULE, _has_fakes),
            Row(decoder.CHIP_RULE, _has_fakes),
            Row(decoder.OTHERS_MONEY_RULE, _has_fakes),
            Row(decoder.FAKE_NOTE_RULE, _has_fakes),
            Row(
                decoder.FAKE_CHOICE_RULE,
                lambda rules: rules.decoder is not None and rules.decoder.payer_chooses,
            ),
            Row(decoder.FAKE_CARD_RULE, _has_fakes),
        ),
    ),
    (
        say("Trades, debts and the end"),
        (
            Row(trade.TRADE_RULE),
            Row(trade.TRADE_BUILDINGS_RULE, _sells_before_trading("group")),
            Row(trade.NO_HOTEL_TRADE_RULE, _sells_before_trading("street")),
            Row(rule.NO_LOANS_RULE),
            Row(debt.DEBT_RULE, _both(lends, builds_houses)),
            Row(
                debt.DEBT_HOTELS_KEPT_RULE,
                lambda rules: rules.buildings.source == "hand",
            ),
            Row(debt.DEBT_STREETS_RULE, _unless(lends)),
            Row(debt.BANKRUPT_RULE),
            Row(
                ending.OVER_ONE_LEFT_RULE,
                lambda rules: (
                    rules.end.when == "one-left" and rules.ends_at_bankruptcies != 1
                ),
            ),
            Row(
                ending.OVER_FIRST_OUT_RULE,
                lambda rules: rules.ends_at_bankruptcies == 1,
            ),
            Row(ending.OVER_QUICK_RULE, lambda rules: rules.ends_at_bankruptcies > 1),
            Row(ending.OVER_ALL_OWNED_RULE, _ends_when_all_owned),
            Row(
                ending.PLAY_ON_RULE,
                _both(_ends_when_all_owned, lambda rules: bool(rules.end.when_other)),
            ),
            Row(ending.TIME_UP_RULE, lambda rules: rules.time_limit > 0),
            Row(ending.DEBT_COUNTED_RULE),
        ),
    ),
)
"""The heading and the rows of every chapter, in the order in which people read."""


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
        _both(has_third_die, builds_houses),
    ),
    (
        Tip(
            say("Clear the way to your houses"),
            say(
                "Mr. Monopoly walks past mortgaged deeds. Is one of yours just before "
                "your houses? Mortgage it, and more visitors reach them."
            ),
        ),
        _both(has_third_die, lends),
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
