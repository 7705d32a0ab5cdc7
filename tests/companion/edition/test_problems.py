"""Mistakes in an edition's file: each is named, with its key, all at once."""

from __future__ import annotations

import pytest

from companion.edition import builtin_text, load, problems
from companion.errors import EditionFault
from companion.game.sections import SEATS_MOST
from companion.rules.seats import SEATS_MAX
from tests.sample import each

CLASSIC = builtin_text("classic")
NOTES = "denominations = [1, 5, 10, 20, 50, 100, 500]"

BROKEN = [
    pytest.param(
        [('id = "boardwalk"\n', 'id = "boardwolk"\n')],
        [
            "space[39].deed: expected the id of a deed, got 'boardwalk'; "
            "did you mean 'boardwolk'?",
            "deed[boardwolk].space: expected a space that names this deed, got 39; "
            "it is none",
        ],
        id="a deed that no space names",
    ),
    pytest.param(
        [("rent_houses = [200, 600, 1400, 1700]", "rent_houses = [200, 600, 1400]")],
        [
            "deed[boardwalk].rent_houses: expected 4 whole numbers, got 3: "
            "[200, 600, 1400]"
        ],
        id="a rent too few",
    ),
    pytest.param(
        [("lowest = 2", "lowest = 9"), ("highest = 8", "highest = 6")],
        ["seats.lowest: expected at most 6, which is the highest; got 9"],
        id="seats that nobody can take",
    ),
    pytest.param(
        [("lowest = 2", "lowest = 1"), ("highest = 8", "highest = 1")],
        ["seats.highest: expected 2 seats or more, got 1"],
        id="a game for one",
    ),
    pytest.param(
        [("lowest = 2", "lowest = 9"), ("highest = 8", "highest = 12")],
        ["seats.lowest: expected at most 8, as a table has; got 9"],
        id="more seats than a table has",
    ),
    pytest.param(
        [("salary = 200", "salry = 200"), ("500 = 2", "500 = 1")],
        [
            "money.salry: unknown key; did you mean salary?",
            "money.salary: expected a whole number from 0 to 1000000, got nothing",
            "money.start_notes: expected notes worth 1500, got 1000",
        ],
        id="a sum beside a key misspelt",
    ),
    pytest.param(
        [("houses = 32", "houzes = 32"), ("deeds = 28", "deeds = 27")],
        [
            "pieces.houzes: unknown key; did you mean houses?",
            "pieces.houses: expected a whole number from 0 to 400, got nothing",
            "pieces.deeds: expected 28 as listed, got 27",
        ],
        id="a count beside a key misspelt",
    ),
    pytest.param(
        [("price = 400", "prise = 400")],
        [
            "deed[boardwalk].prise: unknown key; did you mean price?",
            "deed[boardwalk].price: expected a figure, or its name in unknown; "
            "got nothing",
        ],
        id="a key misspelt",
    ),
    pytest.param(
        [("price = 400", "price = -400")],
        [
            "deed[boardwalk].price: expected a whole number from 0 to 1000000, "
            "got -400",
        ],
        id="money below zero",
    ),
    pytest.param(
        [("price = 400", "price = 400.0")],
        [
            "deed[boardwalk].price: expected a whole number from 0 to 1000000, "
            "got 400.0",
        ],
        id="a fraction",
    ),
    pytest.param(
        [("price = 400", 'unknown = ["price"]')],
        [],
        id="unknown is no mistake",
    ),
    pytest.param(
        [("price = 400", 'price = 400\nunknown = ["price"]')],
        ["deed[boardwalk].price: expected no value, for unknown lists it; got 400"],
        id="known and unknown",
    ),
    pytest.param(
        [("space = 39\nprice = 400", "space = 38\nprice = 400")],
        [
            "deed[boardwalk].space: expected a space that names this deed, got 38; "
            "it is 39"
        ],
        id="a deed on the wrong space",
    ),
    pytest.param(
        [('group = "dark-blue"\nspace = 39', 'group = "dark blue"\nspace = 39')],
        [
            "deed[boardwalk].group: expected text like ^[a-z0-9][a-z0-9.-]*$, "
            "got 'dark blue'"
        ],
        id="a group's name instead of its id",
    ),
    pytest.param(
        [('group = "dark-blue"\nspace = 39', 'group = "dark-bleu"\nspace = 39')],
        [
            "deed[boardwalk].group: expected the id of a group, got 'dark-bleu'; "
            "did you mean 'dark-blue'?"
        ],
        id="a group that is not declared",
    ),
    pytest.param(
        [('group = "dark-blue"\nspace = 39', 'group = "railroad"\nspace = 39')],
        [
            "deed[reading-railroad].group: expected one kind of deed in a group, "
            "got railroad, street",
            "deed[pennsylvania-railroad].group: expected one kind of deed in a group, "
            "got railroad, street",
            "deed[b-and-o-railroad].group: expected one kind of deed in a group, "
            "got railroad, street",
            "deed[short-line].group: expected one kind of deed in a group, "
            "got railroad, street",
            "deed[boardwalk].group: expected one kind of deed in a group, "
            "got railroad, street",
        ],
        id="a street among the railroads",
    ),
    pytest.param(
        [("number = 38\n", "number = 40\n")],
        [
            "space: expected numbers 0 to 39 without a gap, got none for 38",
        ],
        id="a gap in the board",
    ),
    pytest.param(
        [("number = 38\n", "number = 37\n")],
        [
            "space[37]: expected one entry of that number, got 2",
            "space: expected numbers 0 to 39 without a gap, got none for 38",
        ],
        id="a number twice",
    ),
    pytest.param(
        [('id = "chance-02"\n', 'id = "chance-03"\n')],
        ["card[chance-03]: expected one entry of that id, got 2"],
        id="a card twice",
    ),
    pytest.param(
        [
            (
                'effect = "advance"\nto = "boardwalk"',
                'effect = "advance"\nto = "mayfair"',
            )
        ],
        [
            "card[chance-01].to: expected a deed, a kind of space or a number "
            "from 0 to 39; got 'mayfair'"
        ],
        id="a card that leads nowhere",
    ),
    pytest.param(
        [('effect = "advance"\nto = "boardwalk"', 'effect = "advance"\nto = "chance"')],
        [
            "card[chance-01].to: expected one of chance@7, chance@22, chance@36; "
            "got 'chance', which is all of them"
        ],
        id="a card that leads to three places",
    ),
    pytest.param(
        [('effect = "advance"\nto = "boardwalk"', 'effect = "advence"')],
        [
            "card[chance-01].effect: expected one of advance, advance-nearest, choice, "
            "collect, collect-each, expire, free-hotel, go-to-jail, guess, jail-card, "
            "jail-someone, move-back, nothing, pay, pay-each, ready-chips, repairs, "
            "skip-rent, ticket, to-vault, got 'advence'; did you mean 'advance'?",
        ],
        id="an effect that does not exist",
    ),
    pytest.param(
        [
            (
                'confidence = "confirmed"\nsources = ["robo", "scans", "weegee-txt"]',
                'confidence = "certain"\nsources = ["robo", "scans", "weegee-txt"]',
            )
        ],
        [
            "deed[boardwalk].confidence: expected one of confirmed, inferred, single, "
            "unknown, got 'certain'"
        ],
        id="a confidence of one's own",
    ),
    pytest.param(
        [
            (
                "start_money = 1500",
                'start_money = { value = 1500, confidence = "single", '
                'sources = ["my-box"] }',
            )
        ],
        ["money.start_money.sources: expected the id of a source, got 'my-box'"],
        id="a source that is not declared",
    ),
    pytest.param(
        [("start_money = 1500", "start_money = 1600")],
        ["money.start_notes: expected notes worth 1600, got 1500"],
        id="notes that do not add up",
    ),
    pytest.param(
        [("start_money = 1500\n", "")],
        ["money.start_money: expected a whole number from 1 to 1000000, got nothing"],
        id="a figure missing",
    ),
    pytest.param(
        [("start_money = 1500", 'start_money = { confidence = "unknown" }')],
        ["money.start_money: expected a whole number from 1 to 1000000, got nothing"],
        id="a figure that may not be unknown",
    ),
    pytest.param(
        [("denominations = [1, 5,", "denominations = [5, 1,")],
        [
            "money.denominations: expected rising amounts, "
            "got [5, 1, 10, 20, 50, 100, 500]"
        ],
        id="notes out of order",
    ),
    pytest.param(
        [(NOTES, 'denominations = { confidence = "unknown" }')],
        [
            "money.denominations: expected the notes there are, or else "
            "quick_amounts, got neither"
        ],
        id="neither notes nor amounts one tap away",
    ),
    pytest.param(
        [(NOTES, "quick_amounts = [20, 10]")],
        ["money.quick_amounts: expected rising amounts, got [20, 10]"],
        id="quick amounts out of order",
    ),
    pytest.param(
        [("deeds = 28", "deeds = 27")],
        ["pieces.deeds: expected 28 as listed, got 27"],
        id="a deed too many",
    ),
    pytest.param(
        [('fine_to = "bank"', 'fine_to = "pot"')],
        ["jail.fine_to: expected one of bank, vault, got 'pot'"],
        id="a word that means nothing",
    ),
    pytest.param(
        [("used = 1025", "used = 1125")],
        ["conflict[0].used: expected 1025 as on the deed, got 1125"],
        id="a conflict about another figure",
    ),
    pytest.param(
        [('default = "roll-now"', 'default = "now"')],
        ["option[jail_pay].default: expected one of its own choices, got 'now'"],
        id="a default that is no choice",
    ),
    pytest.param(
        [("format = 1\n", "format = 2\n")],
        ["format: expected 1, got 2"],
        id="another format",
    ),
    pytest.param(
        [("[jail]", "[jale]")],
        [
            "jale: unknown key; did you mean jail?",
            "jail: expected a table, got nothing",
        ],
        id="a section misspelt",
    ),
    pytest.param(
        [
            ("locked_deeds", "x"),
            ('declared = "x"', ""),
            (
                'declined = "auction"',
                'declined = "auction"\nlocked_deeds = ["boardwalk"]',
            ),
        ],
        [
            "buying.locked_deeds: expected the deeds that say locked, and only those; "
            "see 'boardwalk'"
        ],
        id="a locked deed without a lock",
    ),
]


def broken(changes):
    text = CLASSIC
    for old, new in changes:
        head, found, tail = (
            text.rpartition(old) if "weegee" in old else text.partition(old)
        )
        text = head + (new if found else "") + tail
    return text


@pytest.mark.parametrize(("changes", "wanted"), BROKEN)
def test_a_mistake_is_named_with_its_key_and_both_values(changes, wanted):
    found = problems(broken(changes), "mine.toml")
    assert len(found) == len(wanted), found
    for line, start in zip(found, wanted, strict=True):
        assert line == f"mine.toml: {start}"


def test_all_mistakes_come_at_once():
    text = broken(
        [
            ("price = 400", "price = -1"),
            ("deeds = 28", "deeds = 27"),
            ('fine_to = "bank"', 'fine_to = "pot"'),
            ("used = 1025", "used = 5"),
        ]
    )
    with pytest.raises(EditionFault) as caught:
        load(text, "mine.toml")
    assert caught.value.problems == problems(text, "mine.toml")
    assert len(caught.value.problems) == 4
    assert str(caught.value).count("\n") == 3


@each("text", ["", "][", "a = 1\na = 2", "x = " + "9" * 5000, "x = " + "[" * 3000])
def test_what_is_no_edition_has_problems(text):
    found = problems(text, "mine.toml")
    assert found
    assert all(line.startswith("mine.toml: ") for line in found)


def test_what_is_no_toml_has_one_mistake():
    [line] = problems("][", "mine.toml")
    assert line.startswith("mine.toml: expected TOML, got ")


def test_confidence_of_something_that_is_no_field_is_named():
    text = broken(
        [("price = 400", 'price = 400\nconfidence_of = { prize = "single" }')]
    )
    assert problems(text, "mine.toml") == (
        "mine.toml: deed[boardwalk].confidence_of.prize: unknown key; "
        "did you mean price?",
    )


def test_a_mistake_is_quoted_only_in_part():
    text = broken([('fine_to = "bank"', f'fine_to = "{"x" * 9000}"')])
    assert all(len(line) < 300 for line in problems(text, "mine.toml"))


def test_a_table_seats_as_many_as_the_check_believes():
    assert SEATS_MOST == SEATS_MAX
