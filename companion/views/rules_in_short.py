"""The rules that a game is played by, chapter by chapter, each in a sentence or two.

Which of them hold follows from the mechanics in the game's rulebook, so a box of one's
own has its page too. The words and their sources stand in ``rules_told.py``.
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
    """A rule by its key in ``RULES``, and the rulebooks in which it holds."""

    key: str
    holds: Holds = lambda _: True


def rules_in_short(game: Game) -> tuple[Chapter, ...]:
    """The chapters of a game that the companion leads; those without a rule are left.

    Args:
        game: A game with a rulebook, whose figures the words name.
    """
    assert game.board is not None, "the companion leads"
    rules = game.board.rules
    chapters = (
        Chapter(words, tuple(shown(x.key, game) for x in rows if x.holds(rules)))
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
            Row("start"),
            Row("turn"),
            Row("dice", _not(has_third_die)),
            Row("third-die", has_third_die),
            Row("mr", has_third_die),
            Row("mr-rent", has_third_die),
            Row("mr-alone", has_third_die),
            Row("bus", _both(has_third_die, has_tickets)),
            Row("white-doubles", has_third_die),
            Row("triples", lambda rules: rules.dice.triples != "none"),
            Row("salary", lambda rules: rules.money.salary > 0),
            Row("salary-vault", lambda rules: bool(rules.money.salary_to_vault)),
        ),
    ),
    (
        say("Bus tickets"),
        (
            Row("ticket", has_tickets),
            Row("ticket-roll", has_tickets),
            Row("ticket-gone", has_tickets),
            Row("ticket-expire", lambda rules: _expire(rules) > 0),
            Row("ticket-space", _both(has_tickets, _has(SpaceKind.BUS_TICKET))),
            Row("ticket-utility", _both(has_tickets, _pays(UTILITY))),
        ),
    ),
    (
        say("Deeds"),
        (
            Row("buy", lambda rules: rules.buying.declined == "stays"),
            Row("buy-or-auction", lambda rules: rules.buying.declined == "auction"),
            Row("auction", lambda rules: rules.buying.declined == "auction"),
            Row("dealt", lambda rules: rules.dealt_each > 0),
            Row("auction-space", _has(SpaceKind.AUCTION)),
            Row("auction-highest", _has(SpaceKind.AUCTION)),
            Row("street-sale", _sells_streets("in-debt")),
            Row("street-sale-any-time", _sells_streets("any-time")),
            Row("locked", lambda rules: any(deed.is_locked for deed in rules.deeds)),
        ),
    ),
    (
        say("Rent"),
        (
            Row("rent"),
            Row("rent-asked", _asks(1)),
            Row("rent-asked-later", _asks(2)),
            Row("rent-automatic", lambda rules: not rules.rent.must_ask),
            Row("rent-group", lambda rules: rules.rent.all_but_one_times == 1),
            Row("rent-near", lambda rules: rules.rent.all_but_one_times > 1),
            Row("rent-buildings", _builds(HOTEL)),
            Row("rent-railroad", _pays(RAILROAD)),
            Row("depot", _builds(DEPOT)),
            Row("rent-utility", _pays(UTILITY)),
        ),
    ),
    (
        say("Buildings"),
        (
            Row("hotels", lambda rules: rules.buildings.source == "hand"),
            Row("group", _both(builds_houses, _not(builds_with_one_missing))),
            Row("near-group", builds_with_one_missing),
            Row("evenly", _both(builds_houses, lambda rules: rules.buildings.evenly)),
            Row("build-hotel", _both(builds_houses, _builds(HOTEL))),
            Row("skyscraper", _builds(SKYSCRAPER)),
            Row("last-street", builds_with_one_missing),
            Row("spread", builds_with_one_missing),
            Row("unbuild", builds_houses),
            Row("none-left", builds_houses),
        ),
    ),
    (
        say("Mortgages"),
        (
            Row("mortgage", lends),
            Row("lift", _both(lends, lambda x: not x.mortgage.is_lifting_printed)),
            Row("lift-printed", lambda rules: rules.mortgage.is_lifting_printed),
            Row("mortgage-buildings", _both(lends, builds_houses)),
            Row(
                "mortgage-taken-over",
                _both(lends, lambda x: bool(x.mortgage.taker_pays_interest)),
            ),
        ),
    ),
    (
        say("Cards and spaces"),
        (
            Row("card", _has(*CARD_SPACES)),
            Row("open-card", lambda rules: any(x.face_up for x in rules.decks)),
            Row("gift", _has(SpaceKind.BIRTHDAY_GIFT)),
            Row("tax", _has_tax("bank")),
            Row("tax-vault", _has_tax("vault")),
        ),
    ),
    (
        say("Jail"),
        (
            Row("to-jail"),
            Row("fine"),
            Row("fine-last-try"),
            Row("jail-white", has_third_die),
        ),
    ),
    (
        say("The vault"),
        (
            Row("vault-first", has_vault),
            Row("guess", has_vault),
            Row("guess-first", has_vault),
            Row("guess-fee", _both(has_vault, _has(SpaceKind.PAY_TO_GUESS))),
            Row("vault-opened", has_vault),
            Row("vault-refilled", has_vault),
            Row("key", has_vault),
        ),
    ),
    (
        say("Fakes"),
        (
            Row("laid", has_fakes),
            Row("card-laid", has_fakes),
            Row("chip", has_fakes),
            Row("others-money", has_fakes),
            Row("fake-note", has_fakes),
            Row("fake-card", has_fakes),
        ),
    ),
    (
        say("Trades, debts and the end"),
        (
            Row("trade"),
            Row("trade-buildings", lambda rules: rules.trade.blocked_by_buildings),
            Row("no-loans"),
            Row("debt"),
            Row("bankrupt"),
            Row("over-one-left", _ends("one-left")),
            Row("over-all-owned", _ends("all-owned")),
        ),
    ),
)
"""Every chapter with the rules that it may have."""


def _expire(rules: Rulebook) -> int:
    """How many tickets end all others."""
    return rules.tickets.expire if rules.tickets is not None else 0
