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

import msgspec
import pytest
from msgspec.structs import replace

from companion.edition import builtin, editions
from companion.edition.library import UK, load
from companion.edition.own import own_text
from companion.edition.snapshot import terms
from companion.game import Game
from companion.game import decoder_events as f
from companion.game import events as e
from companion.game import moves as m
from companion.game import play_events as p
from companion.game.journal import Entry, Journal
from companion.game.ledger import Reason
from companion.game.position import Payment
from companion.sheets import Sheet
from companion.units import BANK, Account, Revision, Seat, TimeMs
from companion.views.why import (
    BY_REASON,
    OWN_RULE,
    TITLES,
    figures_in,
    rules_behind,
    rules_of,
    shown,
    sums_of,
)
from companion.words import translated
from tests.guided import Guided
from tests.sample import each, volume
from tests.test_games import SAMPLE, SCRIPTS, play
from tests.test_playouts import play_out
from tests.test_sixth_box import table
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


def test_every_reason_has_a_rule_or_steps_that_say_it() -> None:
    of_steps = {Reason.RENT, Reason.PURCHASE, Reason.MORTGAGE, Reason.SALE}
    assert set(Reason) - set(BY_REASON) == of_steps | {Reason.LEAVING}


RED = Seat("red")


def paid(reason: Reason, how: str = "", *, is_led: bool = True) -> Entry:
    moved = e.MoneyMoved(
        payer=Account("red"), payee=BANK, amount=50, reason=reason, how=how
    )
    before = (p.DebtPaid(debtor=RED),) if is_led else ()
    return Entry(Revision(9), "command-9", "red", TimeMs(0), (*before, moved))


CASES: list[tuple[str, Reason, str, list[str]]] = [
    ("classic", Reason.FINE, "", ["fine"]),
    ("secret-vault", Reason.FINE, "last-try 100", ["fine-last-try"]),
    ("classic", Reason.PURCHASE, "price 60", ["buy"]),
    ("classic", Reason.PURCHASE, "bid", ["auction"]),
    ("classic", Reason.PURCHASE, "hotel-for-houses 50", ["build-hotel"]),
    ("crooked-cash", Reason.PURCHASE, "hotel 50", ["build"]),
    ("secret-vault", Reason.MORTGAGE, "unmortgage 70", ["lift-printed"]),
    ("grab-and-go", Reason.MORTGAGE, "lift 30 percent 110", ["lift"]),
    ("classic", Reason.MORTGAGE, "lift-loan 200", ["lift-loan"]),
    ("classic", Reason.RENT, "rent 4", ["rent", "rent-asked-later"]),
    ("grab-and-go", Reason.RENT, "rent 4 group 2", ["rent-group", "rent-asked"]),
    ("grab-and-go", Reason.RENT, "rent-house-2 60", ["rent-buildings", "rent-asked"]),
    ("grab-and-go", Reason.RENT, "railroad-1 25 card 2", ["rent-card", "rent-asked"]),
    ("classic", Reason.RENT, "card 10 dice 7", ["rent-card", "rent-asked-later"]),
    ("mega", Reason.RENT, "rent 4 near 2", ["rent-near", "rent-asked-later"]),
    ("mega", Reason.RENT, "rent 4 group 3", ["rent-near", "rent-asked-later"]),
    (
        "mega",
        Reason.RENT,
        "railroad-2 50 depot 2",
        ["rent-railroad", "depot", "rent-asked-later"],
    ),
    ("mega", Reason.PURCHASE, "depot 100", ["depot"]),
    (
        "mega",
        Reason.SALE,
        "sold 50 percent 50 of 3 - building 50",
        ["unbuild", "build"],
    ),
    ("mega", Reason.GIFT, "", ["gift"]),
    ("classic", Reason.RENT, "", ["rent-asked-later"]),  # Of an older game.
    ("classic", Reason.PURCHASE, "", []),
]


@each(("edition", "reason", "how", "keys"), CASES)
def test_a_charge_has_the_rules_of_how_it_came_about(
    edition: str, reason: Reason, how: str, keys: list[str]
) -> None:
    found = rules_behind(paid(reason, how), Guided(edition).game)
    assert [key_of(one) for one in found] == keys


ANSWERED = e.AskAnswered(number=1, answer=e.Answer.PAID)


@each(("reason", "before"), product([Reason.OTHER, Reason.RENT], [(), (ANSWERED,)]))
def test_what_people_pay_by_hand_or_asked_for_has_the_rule_of_the_bank(
    reason: Reason, before: tuple[e.Event, ...]
) -> None:
    entry = paid(reason, is_led=False)
    entry = replace(entry, events=(*before, *entry.events))
    found = rules_behind(entry, Guided("classic").game)
    assert [key_of(one) for one in found] == ["by-hand"]


def test_a_debt_that_the_table_named_is_not_paid_by_hand() -> None:
    play = Guided("classic").given("red owes 40")
    play.give(m.PayDebt(by="red"))
    found = rules_behind(play.entries[-1], play.game)
    assert [key_of(one) for one in found] == ["owing"]


@each(
    ("reason", "key"),
    [(Reason.FINE, "fine"), (Reason.DEAL, "trade"), (Reason.CARD, "card")],
)
def test_money_on_the_table_has_the_rule_of_its_reason(
    reason: Reason, key: str
) -> None:
    laid = f.PaymentLaid(payment=Payment(RED, BANK, 50, reason))
    entry = replace(paid(reason), events=(laid,))
    found = rules_behind(entry, Guided("crooked-cash").game)
    assert [key_of(one) for one in found] == [key, "laid"]


@each(
    ("how", "text"),
    [
        ("railroad-1 25 card 2", "$25 (1 railroad) x 2 (card) = $50"),
        ("card 10 dice 5", "10 (card) x 5 (dice) = $50"),
        ("lift 45 percent 110", "$45 (loan) + 10 percent = $50"),
        ("taken-over 500 percent 10", "$500 (loan) x 10 percent = $50"),
        ("each-house 40 of 3 + each-hotel 115", "$40 (1 house) x 3 + $115 (1 hotel)"),
        ("price 50", ""),
        ("bid", ""),
        ("rent x group 2, forged", ""),
    ],
)
def test_an_amount_that_was_multiplied_is_written_out(how: str, text: str) -> None:
    written = "".join(sums_of(paid(Reason.RENT, how)))
    assert written.replace("\N{MULTIPLICATION SIGN}", "x").startswith(text)


@each(("edition", "fine"), [("secret-vault", "$100"), ("classic", "$50")])
def test_a_rule_has_the_figures_of_the_box(edition: str, fine: str) -> None:
    rule = shown(RULES["fine"], Guided(edition).game)
    words = f"Leaving jail costs {fine}, unless a card or doubles get you out."
    assert rule.words == words


IN_BOX = {
    "classic": (Sheet.STANDARD,),
    "grab-and-go": (Sheet.GRAB_AND_GO,),
    "secret-vault": (Sheet.SECRET_VAULT,),
    "crooked-cash": (Sheet.CASH_DECODER, Sheet.CROOKED_CASH),
    "mega": (Sheet.MEGA, Sheet.STANDARD),
}
"""The sheets in each box; Crooked Cash has the article of the one and the sheet of the
other printing."""
PRINTINGS = [edition + printing for edition in editions() for printing in ("", UK)]


@each(("edition", "key"), product(PRINTINGS, RULES))
def test_a_box_cites_its_own_sheets_and_says_so_of_any_other(
    edition: str, key: str
) -> None:
    rule, sections = shown(RULES[key], led(edition)), RULES[key].sections
    own = [x for x in IN_BOX[edition.removesuffix(UK)] if x in sections]
    if own:
        assert (rule.sheet, rule.section) == (TITLES[own[0]], sections[own[0]])
    elif sections:
        said = [f"This box's sheet says nothing; as in {TITLES[x]}" for x in sections]
        assert rule.sheet in said
        assert rule.section == list(sections.values())[said.index(rule.sheet)]
    else:
        assert (rule.sheet, rule.section) == (OWN_RULE, "")


def test_a_game_from_before_its_sheets_were_kept_cites_those_of_its_box() -> None:
    game = led("crooked-cash-uk")
    old = replace(game, terms=replace(game.terms, sheets=msgspec.UNSET))
    for rule in RULES.values():
        assert shown(rule, old) == shown(rule, game)


def test_a_box_of_ones_own_has_the_sheets_that_its_file_names_or_inherits() -> None:
    text = own_text(builtin("crooked-cash"), {}, "my-box", "Our own box")
    assert terms(load(text, "my-box.toml")).sheets == IN_BOX["crooked-cash"]
    unnamed = table(0).game  # Nobody knows what its sheets say: any one is cited.
    assert shown(RULES["fine"], unnamed).sheet == "Standard rules"
    assert shown(RULES["guess"], unnamed).sheet == "Rules of Secret Vault"


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
