"""*Why?*: every charge and every refusal opens to its rule, with the sheet's section.

Goal: no money moves, and nothing is refused, without a rule that somebody can look up.
Method: all game scripts and some evenings by hand are played; whatever changes the
ledger has to name a rule. The table of rules is compared with the modules' ``Source``.
"""

from __future__ import annotations

import importlib
import inspect
import re
from collections import Counter
from functools import cache
from itertools import pairwise, product
from pathlib import Path

import pytest

from companion.edition import editions
from companion.game import Game
from companion.game import decoder_events as f
from companion.game import deed_events as d
from companion.game import events as e
from companion.game import play_events as p
from companion.game.journal import Entry, Journal
from companion.game.ledger import Reason
from companion.sheets import Sheet
from companion.units import BANK, Account, Revision, Seat, TimeMs
from companion.views.why import (
    BY_REASON,
    OWN_RULE,
    SHEETS,
    figures_in,
    rules_behind,
    rules_of,
    shown,
)
from companion.words import translated
from tests.guided import Guided
from tests.sample import each, volume
from tests.test_games import SAMPLE, SCRIPTS, play
from tests.test_playouts import play_out
from tests.told import MODULES, ROOT, RULES, key_of
from web.http.language import LANGUAGES, language_of

QUOTED = re.compile(r'"([^"]*)"')


def sections_in(source: str) -> dict[Sheet, set[str]]:
    """Return the sections that a docstring's ``Source`` names, by sheet."""
    text = " ".join(source.partition("Source:")[2].split())
    names = sorted((sheet.value for sheet in Sheet), key=len, reverse=True)
    parts = re.split("(" + "|".join(map(re.escape, names)) + ")", text, flags=re.I)
    found: dict[Sheet, set[str]] = {sheet: set() for sheet in Sheet}
    waiting: list[Sheet] = []  # Two sheets may share a section: "A and B, "Money"".
    for name, rest in zip(parts[1::2], parts[2::2], strict=True):
        waiting.append(next(x for x in Sheet if x.value.lower() == name.lower()))
        for sheet in waiting:
            found[sheet] |= set(QUOTED.findall(rest))
        if QUOTED.search(rest):
            waiting = []
    return found


@each("key", RULES)
def test_a_rule_stands_where_its_module_says(key: str) -> None:
    rule = RULES[key]
    source = inspect.getdoc(importlib.import_module(MODULES[key])) or ""
    named = sections_in(source)
    for sheet, section in rule.sections.items():
        assert section in named[sheet], f"{MODULES[key]}: {sheet.value}, {section!r}"


def test_every_rule_is_behind_something() -> None:
    code = [
        path.read_text(encoding="utf-8")
        for folder in ("companion", "hardware", "web")
        for path in (ROOT / folder).rglob("*.py")
    ]
    text = re.sub(
        r"import \([^)]*\)|^(from|import) .*$", "", "\n".join(code), flags=re.M
    )
    named = Counter(re.findall(r"\b[A-Z_]+_RULE\b", text))
    names = [f"{key.replace('-', '_').upper()}_RULE" for key in RULES]
    assert [x for x in names if named[x] < 2] == []


def games_of(entries: tuple[Entry, ...]) -> list[tuple[Entry, Game]]:
    """Yield each entry with the game after it."""
    journal = Journal(lambda after: entries[after:])
    found = []
    for entry in entries:
        journal.append(entry)
        assert journal.game is not None
        found.append((entry, journal.game))
    return found


def without_rule(entries: tuple[Entry, ...]) -> list[str]:
    """Return the entries that move money, or make a seat owe it, and name no rule."""
    games = games_of(entries)
    wrong = [] if rules_of(*games[0]) or not games[0][1].ledger[BANK] else ["opened"]
    for (_, before), (entry, after) in pairwise(games):
        is_owed = any(isinstance(x, p.DebtOwed) for x in entry.events)
        if (before.ledger != after.ledger or is_owed) and not rules_of(entry, after):
            wrong.append(f"{entry.revision}: {entry.events}")
    return wrong


@pytest.mark.parametrize("scripts", [SAMPLE, *volume([SCRIPTS])], ids=len)
def test_whatever_moves_money_in_the_scripts_names_its_rule(
    scripts: list[Path],
) -> None:
    reasons: set[Reason] = set()
    for path in scripts:
        entries = play(path).entries
        if entries:
            assert without_rule(entries) == [], path.name
        moved = [x for entry in entries for x in entry.events]
        reasons |= {x.reason for x in moved if isinstance(x, e.MoneyMoved)}
    assert reasons == set(Reason) - {Reason.START}  # It is in ``SeatAdded``.


@each("seed", range(6))
def test_whatever_moves_money_by_hand_names_its_rule(seed: int) -> None:
    assert without_rule(tuple(play_out(seed, 40).entries)) == []


def test_every_reason_of_money_has_a_rule() -> None:
    assert set(BY_REASON) == set(Reason)


def paid(reason: Reason, *before: e.GameEvent, amount: int = 50) -> Entry:
    moved = e.MoneyMoved(payer=Account("red"), payee=BANK, amount=amount, reason=reason)
    return Entry(Revision(9), "command-9", "red", TimeMs(0), (*before, moved))


RED = Seat("red")


def rented(deed: str, amount: int) -> Entry:
    """Red pays Blue so much for landing on that deed."""
    asked = p.RentAsked(owner=Seat("blue"), seat=RED, deed=deed)
    return paid(Reason.RENT, asked, amount=amount)


CASES: list[tuple[str, Entry, list[str]]] = [
    ("classic", paid(Reason.OTHER), ["by-hand"]),
    ("classic", paid(Reason.RENT), ["by-hand"]),
    (
        "classic",
        paid(Reason.PURCHASE, d.DeedBought(seat=RED, deed="boardwalk")),
        ["buy"],
    ),
    (
        "classic",
        paid(Reason.FINE, p.JailLeft(seat=RED, how="paid")),
        ["fine"],
    ),
    (
        "secret-vault",
        paid(Reason.FINE, p.JailLeft(seat=RED, how="attempts")),
        ["fine-last-try"],
    ),
    (
        "secret-vault",
        paid(Reason.MORTGAGE, d.MortgageLifted(seat=RED, deed="baltic-avenue")),
        ["lift-printed"],
    ),
    (
        "grab-and-go",
        paid(Reason.MORTGAGE, d.MortgageLifted(seat=RED, deed="baltic-avenue")),
        ["lift"],
    ),
    (
        "classic",
        paid(
            Reason.RENT,
            p.RentAsked(owner=Seat("blue"), seat=RED, deed="baltic-avenue"),
            amount=4,
        ),
        ["rent", "rent-asked-later"],
    ),
    (
        "grab-and-go",
        paid(
            Reason.RENT,
            p.RentAsked(owner=Seat("blue"), seat=RED, deed="baltic-avenue"),
            amount=8,
        ),
        ["rent-group", "rent-asked"],
    ),
    (
        "grab-and-go",
        paid(
            Reason.RENT,
            p.RentAsked(owner=Seat("blue"), seat=RED, deed="baltic-avenue"),
            amount=60,
        ),
        ["rent-buildings", "rent-asked"],
    ),
]


MEGA_CASES: list[tuple[tuple[str, ...], Entry, list[str]]] = [
    ((), paid(Reason.GIFT, f.Chosen(seat=RED, word="cash")), ["gift"]),
    (
        ("blue owns mediterranean-avenue baltic-avenue",),
        rented("baltic-avenue", 8),
        ["rent-near", "rent-asked-later"],
    ),
    (
        ("blue owns reading-railroad", "reading-railroad depots 1"),
        rented("reading-railroad", 50),
        ["depot", "rent-asked-later"],
    ),
    (
        ("blue owns reading-railroad short-line",),
        rented("reading-railroad", 50),
        ["rent-railroad", "rent-asked-later"],
    ),
    (
        (),
        paid(
            Reason.PURCHASE,
            d.BuildingBought(seat=RED, deed="short-line", level=1, piece="depot"),
        ),
        ["depot"],
    ),
    (
        (),
        paid(Reason.PURCHASE, d.GroupLevelled(seat=RED, levels=(("boardwalk", 2),))),
        ["build"],
    ),
    (
        (),
        paid(Reason.SALE, d.GroupLevelled(seat=RED, levels=(("boardwalk", 0),))),
        ["unbuild"],
    ),
]


@each(("given", "entry", "keys"), MEGA_CASES)
def test_a_charge_of_a_mega_mechanic_has_its_own_rule(
    given: tuple[str, ...], entry: Entry, keys: list[str]
) -> None:
    game = Guided("mega").given(*given).game
    assert [key_of(one) for one in rules_behind(entry, game)] == keys


@each(("edition", "entry", "keys"), CASES)
def test_a_charge_has_the_rule_of_what_brought_it(
    edition: str, entry: Entry, keys: list[str]
) -> None:
    assert [key_of(one) for one in rules_behind(entry, Guided(edition).game)] == keys


@each(
    ("edition", "key", "words", "sheet", "section"),
    [
        (
            "secret-vault",
            "fine",
            "Leaving jail costs $100, unless a card or doubles get you out.",
            "Rules of Secret Vault",
            "Getting Out of Jail",
        ),
        (
            "classic",
            "fine",
            "Leaving jail costs $50, unless a card or doubles get you out.",
            "Standard rules",
            "Jail",
        ),
        (
            "grab-and-go",
            "salary",
            "You get $200 from the bank when you reach GO or pass it.",
            "Rules of Grab & Go",
            "Passing GO twice in one turn",
        ),
        (
            "secret-vault",
            "bankrupt",
            "If you cannot pay, you are out, and the one you owe gets all you have.",
            "Standard rules",
            "Bankruptcy",
        ),
        (
            "classic",
            "by-hand",
            "You do the banking yourselves: the companion only counts.",
            OWN_RULE,
            "",
        ),
    ],
)
def test_a_rule_has_the_figures_and_the_sheet_of_the_box(
    edition: str, key: str, words: str, sheet: str, section: str
) -> None:
    rule = shown(RULES[key], Guided(edition).game)
    assert (rule.words, rule.sheet, rule.section) == (words, sheet, section)


def test_each_box_with_a_sheet_of_its_own_begins_by_it() -> None:
    for edition, sheets in SHEETS.items():
        assert sheets[0] in RULES["start"].sections, edition


@cache
def led(edition: str) -> Game:
    return Guided(edition).game


@each(("edition", "key"), product(["", *editions()], RULES))
def test_every_rule_is_told_whole_in_every_box(edition: str, key: str) -> None:
    if not edition and figures_in(RULES[key]):
        return  # Only a box can say it.
    rule = shown(RULES[key], led(edition) if edition else None)
    assert rule.words.endswith((".", "?"))
    assert "{" not in rule.words


@each(("code", "key"), product(LANGUAGES.keys() - {"en"}, RULES))
def test_every_rule_is_told_in_every_language(code: str, key: str) -> None:
    rule = shown(RULES[key], led("secret-vault"))
    language = language_of(code)
    assert translated(rule.words, language) != rule.words
    assert translated(rule.sheet, language) != rule.sheet
