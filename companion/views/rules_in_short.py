"""The rules that a game is played by, chapter by chapter, each in a sentence or two.

Which of them hold follows from the mechanics in the game's rulebook, so a box of one's
own has its page too. The words and their sources stand beside each rule.
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
from companion.rules.ahead import AUCTION_HIGHEST_RULE, MR_RENT_RULE, MR_RULE
from companion.rules.auction import AUCTION_RULE, BUY_OR_AUCTION_RULE
from companion.rules.begin import DEALT_RULE
from companion.rules.buildings import (
    BUILD_HOTEL_RULE,
    EVENLY_RULE,
    GROUP_RULE,
    HOTELS_RULE,
    NEAR_GROUP_RULE,
    NONE_LEFT_RULE,
    SKYSCRAPER_RULE,
    UNBUILD_RULE,
)
from companion.rules.cards import CARD_RULE, OPEN_CARD_RULE
from companion.rules.choosing import (
    AUCTION_SPACE_RULE,
    BUS_RULE,
    GIFT_RULE,
    TRIPLES_RULE,
)
from companion.rules.debt import BANKRUPT_RULE, DEBT_RULE
from companion.rules.decoder import (
    CARD_LAID_RULE,
    CHIP_RULE,
    FAKE_CARD_RULE,
    FAKE_NOTE_RULE,
    LAID_RULE,
    OTHERS_MONEY_RULE,
)
from companion.rules.deeds import (
    BUY_RULE,
    LIFT_PRINTED_RULE,
    LIFT_RULE,
    MORTGAGE_BUILDINGS_RULE,
    MORTGAGE_RULE,
    STREET_SALE_ANY_TIME_RULE,
    STREET_SALE_RULE,
)
from companion.rules.ending import OVER_ALL_OWNED_RULE, OVER_ONE_LEFT_RULE
from companion.rules.jail import FINE_RULE
from companion.rules.levelling import LAST_STREET_RULE, SPREAD_RULE
from companion.rules.rent import (
    DEPOT_RULE,
    RENT_ASKED_LATER_RULE,
    RENT_ASKED_RULE,
    RENT_AUTOMATIC_RULE,
    RENT_BUILDINGS_RULE,
    RENT_GROUP_RULE,
    RENT_NEAR_RULE,
    RENT_RAILROAD_RULE,
    RENT_RULE,
    RENT_UTILITY_RULE,
)
from companion.rules.rule import NO_LOANS_RULE
from companion.rules.seats import START_RULE
from companion.rules.tickets import (
    TICKET_EXPIRE_RULE,
    TICKET_GONE_RULE,
    TICKET_ROLL_RULE,
    TICKET_RULE,
    TICKET_UTILITY_RULE,
)
from companion.rules.trade import (
    MORTGAGE_TAKEN_OVER_RULE,
    TRADE_BUILDINGS_RULE,
    TRADE_RULE,
)
from companion.rules.turn import (
    DICE_RULE,
    FINE_LAST_TRY_RULE,
    JAIL_WHITE_RULE,
    TURN_RULE,
    WHITE_DOUBLES_RULE,
)
from companion.rules.vault import (
    GUESS_FEE_RULE,
    GUESS_FIRST_RULE,
    GUESS_RULE,
    KEY_RULE,
    VAULT_FIRST_RULE,
    VAULT_OPENED_RULE,
    VAULT_REFILLED_RULE,
)
from companion.rules.walking import (
    LOCKED_RULE,
    MR_ALONE_RULE,
    SALARY_RULE,
    SALARY_VAULT_RULE,
    TAX_RULE,
    TAX_VAULT_RULE,
    THIRD_DIE_RULE,
    TICKET_SPACE_RULE,
    TO_JAIL_RULE,
)
from companion.sheets import Told
from companion.views.why import ShownRule, shown
from companion.words import say

Holds = Callable[[Rulebook], bool]


class Chapter(msgspec.Struct, frozen=True):
    """Some rules about one thing, ready to be read.

    Attributes:
        words: What they are about.
        rules: All of them that hold in the game; at least one.
    """

    words: str
    rules: tuple[ShownRule, ...]


class Row(NamedTuple):
    """A rule, and the rulebooks in which it holds."""

    told: Told
    holds: Holds = lambda _: True


def rules_in_short(game: Game) -> tuple[Chapter, ...]:
    """The chapters of a game that the companion leads; those without a rule are left.

    Args:
        game: A game with a rulebook, whose figures the words name.
    """
    assert game.board is not None, "the companion leads"
    rules = game.board.rules
    chapters = (
        Chapter(words, tuple(shown(x.told, game) for x in rows if x.holds(rules)))
        for words, rows in CHAPTERS
    )
    return tuple(chapter for chapter in chapters if chapter.rules)


# What a rulebook has.


def has_third_die(rules: Rulebook) -> bool:
    """Whether a third die is rolled, with faces of its own."""
    return bool(rules.dice.third_faces)


def has_tickets(rules: Rulebook) -> bool:
    """Whether there are bus tickets."""
    return rules.tickets is not None


def builds_with_one_missing(rules: Rulebook) -> bool:
    """Whether buildings may stand where one of the group is lacking."""
    return builds_houses(rules) and rules.buildings.build_when == "all-but-one"


def builds(rules: Rulebook, kind: str) -> bool:
    """Whether a building of that kind may stand on some deed."""
    return any(kind in deed.ladder for deed in rules.deeds)


def builds_houses(rules: Rulebook) -> bool:
    """Whether the bank sells buildings for streets."""
    return rules.buildings.source == "bank" and builds(rules, HOUSE)


def lends(rules: Rulebook) -> bool:
    """Whether the bank lends money on deeds."""
    return rules.mortgage.exists


def has_vault(rules: Rulebook) -> bool:
    """Whether there is a vault."""
    return rules.vault is not None


def has_fakes(rules: Rulebook) -> bool:
    """Whether notes or cards may be fake."""
    return rules.decoder is not None


def _has(*kinds: str) -> Holds:
    """Whether the board has a space of one of these kinds."""
    return lambda rules: any(space.kind in kinds for space in rules.spaces)


def _not(holds: Holds) -> Holds:
    return lambda rules: not holds(rules)


def _both(one: Holds, other: Holds) -> Holds:
    return lambda rules: one(rules) and other(rules)


def _builds(kind: str) -> Holds:
    return lambda rules: builds(rules, kind)


def _pays(kind: str) -> Holds:
    """Whether a rent depends on how many deeds of that kind the owner has."""
    return lambda rules: any(x.kind == kind and len(x.rents) > 1 for x in rules.deeds)


def _asks(turns: int) -> Holds:
    """Whether an owner asks for the rent, within so many turns."""
    return lambda rules: rules.rent.must_ask and rules.rent.turns == turns


def _has_tax(payee: str) -> Holds:
    return lambda rules: any(
        space.amount and space.pays_to == payee and space.kind.endswith("tax")
        for space in rules.spaces
    )


def _ends(when: str) -> Holds:
    return lambda rules: rules.end.when == when


def _sells_streets(when: str) -> Holds:
    def holds(rules: Rulebook) -> bool:
        sale = rules.street_sale
        return sale is not None and sale.exists and sale.when == when

    return holds


CHAPTERS: tuple[tuple[str, tuple[Row, ...]], ...] = (
    (
        say("Your turn"),
        (
            Row(START_RULE),
            Row(TURN_RULE),
            Row(DICE_RULE, _not(has_third_die)),
            Row(THIRD_DIE_RULE, has_third_die),
            Row(MR_RULE, has_third_die),
            Row(MR_RENT_RULE, has_third_die),
            Row(MR_ALONE_RULE, has_third_die),
            Row(BUS_RULE, _both(has_third_die, has_tickets)),
            Row(WHITE_DOUBLES_RULE, has_third_die),
            Row(TRIPLES_RULE, lambda rules: rules.dice.triples != "none"),
            Row(SALARY_RULE, lambda rules: rules.money.salary > 0),
            Row(SALARY_VAULT_RULE, lambda rules: bool(rules.money.salary_to_vault)),
        ),
    ),
    (
        say("Bus tickets"),
        (
            Row(TICKET_RULE, has_tickets),
            Row(TICKET_ROLL_RULE, has_tickets),
            Row(TICKET_GONE_RULE, has_tickets),
            Row(TICKET_EXPIRE_RULE, lambda rules: _expire(rules) > 0),
            Row(TICKET_SPACE_RULE, _both(has_tickets, _has("bus-ticket"))),
            Row(TICKET_UTILITY_RULE, _both(has_tickets, _pays(UTILITY))),
        ),
    ),
    (
        say("Deeds"),
        (
            Row(BUY_RULE, lambda rules: rules.buying.declined == "stays"),
            Row(BUY_OR_AUCTION_RULE, lambda rules: rules.buying.declined == "auction"),
            Row(AUCTION_RULE, lambda rules: rules.buying.declined == "auction"),
            Row(DEALT_RULE, lambda rules: rules.dealt_each > 0),
            Row(AUCTION_SPACE_RULE, _has("auction")),
            Row(AUCTION_HIGHEST_RULE, _has("auction")),
            Row(STREET_SALE_RULE, _sells_streets("in-debt")),
            Row(STREET_SALE_ANY_TIME_RULE, _sells_streets("any-time")),
            Row(LOCKED_RULE, lambda rules: any(deed.is_locked for deed in rules.deeds)),
        ),
    ),
    (
        say("Rent"),
        (
            Row(RENT_RULE),
            Row(RENT_ASKED_RULE, _asks(1)),
            Row(RENT_ASKED_LATER_RULE, _asks(2)),
            Row(RENT_AUTOMATIC_RULE, lambda rules: not rules.rent.must_ask),
            Row(RENT_GROUP_RULE, lambda rules: rules.rent.all_but_one_times == 1),
            Row(RENT_NEAR_RULE, lambda rules: rules.rent.all_but_one_times > 1),
            Row(RENT_BUILDINGS_RULE, _builds(HOTEL)),
            Row(RENT_RAILROAD_RULE, _pays(RAILROAD)),
            Row(DEPOT_RULE, _builds(DEPOT)),
            Row(RENT_UTILITY_RULE, _pays(UTILITY)),
        ),
    ),
    (
        say("Buildings"),
        (
            Row(HOTELS_RULE, lambda rules: rules.buildings.source == "hand"),
            Row(GROUP_RULE, _both(builds_houses, _not(builds_with_one_missing))),
            Row(NEAR_GROUP_RULE, builds_with_one_missing),
            Row(
                EVENLY_RULE, _both(builds_houses, lambda rules: rules.buildings.evenly)
            ),
            Row(BUILD_HOTEL_RULE, _both(builds_houses, _builds(HOTEL))),
            Row(SKYSCRAPER_RULE, _builds(SKYSCRAPER)),
            Row(LAST_STREET_RULE, builds_with_one_missing),
            Row(SPREAD_RULE, builds_with_one_missing),
            Row(UNBUILD_RULE, builds_houses),
            Row(NONE_LEFT_RULE, builds_houses),
        ),
    ),
    (
        say("Mortgages"),
        (
            Row(MORTGAGE_RULE, lends),
            Row(LIFT_RULE, _both(lends, lambda x: not x.mortgage.is_lifting_printed)),
            Row(LIFT_PRINTED_RULE, lambda rules: rules.mortgage.is_lifting_printed),
            Row(MORTGAGE_BUILDINGS_RULE, _both(lends, builds_houses)),
            Row(
                MORTGAGE_TAKEN_OVER_RULE,
                _both(lends, lambda x: bool(x.mortgage.taker_pays_interest)),
            ),
        ),
    ),
    (
        say("Cards and spaces"),
        (
            Row(CARD_RULE, _has("chance", "community-chest")),
            Row(OPEN_CARD_RULE, lambda rules: any(x.face_up for x in rules.decks)),
            Row(GIFT_RULE, _has("birthday-gift")),
            Row(TAX_RULE, _has_tax("bank")),
            Row(TAX_VAULT_RULE, _has_tax("vault")),
        ),
    ),
    (
        say("Jail"),
        (
            Row(TO_JAIL_RULE),
            Row(FINE_RULE),
            Row(FINE_LAST_TRY_RULE),
            Row(JAIL_WHITE_RULE, has_third_die),
        ),
    ),
    (
        say("The vault"),
        (
            Row(VAULT_FIRST_RULE, has_vault),
            Row(GUESS_RULE, has_vault),
            Row(GUESS_FIRST_RULE, has_vault),
            Row(GUESS_FEE_RULE, _both(has_vault, _has("pay-to-guess"))),
            Row(VAULT_OPENED_RULE, has_vault),
            Row(VAULT_REFILLED_RULE, has_vault),
            Row(KEY_RULE, has_vault),
        ),
    ),
    (
        say("Fakes"),
        (
            Row(LAID_RULE, has_fakes),
            Row(CARD_LAID_RULE, has_fakes),
            Row(CHIP_RULE, has_fakes),
            Row(OTHERS_MONEY_RULE, has_fakes),
            Row(FAKE_NOTE_RULE, has_fakes),
            Row(FAKE_CARD_RULE, has_fakes),
        ),
    ),
    (
        say("Trades, debts and the end"),
        (
            Row(TRADE_RULE),
            Row(TRADE_BUILDINGS_RULE, lambda rules: rules.trade.blocked_by_buildings),
            Row(NO_LOANS_RULE),
            Row(DEBT_RULE),
            Row(BANKRUPT_RULE),
            Row(OVER_ONE_LEFT_RULE, _ends("one-left")),
            Row(OVER_ALL_OWNED_RULE, _ends("all-owned")),
        ),
    ),
)
"""Every chapter with the rules that it may have."""


def _expire(rules: Rulebook) -> int:
    """How many tickets end all others."""
    return rules.tickets.expire if rules.tickets is not None else 0
