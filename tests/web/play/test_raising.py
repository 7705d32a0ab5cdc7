"""Raising money to buy and to bid, and settling a debt, by the pages' forms alone.

Goal: a family finds on its pages every way that the rules give it, and comes back to
what the money was for.
Method: phones that read forms and press them, without script, in each box that has it.
"""

from __future__ import annotations

import pytest

from companion.game import Game
from companion.game import moves as m
from tests.web.conftest import Evening, House, Phone
from tests.web.forms import Form, forms_of
from tests.web.guided_table import give, guided, said


def home(evening: Evening, phone: Phone, path: str = "") -> list[Form]:
    answer = phone.get(f"/g/{evening.game_id}/{path}")
    assert answer.status_code == 200, path
    return forms_of(answer.text)


def press(phone: Phone, forms: list[Form], verb: str, button: int = 0, **more: str):
    """Press the first form of that verb, as a person would, and see that it counts."""
    form = next(one for one in forms if one.verb == verb)
    name, value = form.buttons[button]
    sent = {**form.fields, **more, **({name: value} if name else {})}
    answer = phone.post(form.action, **sent)
    assert answer.status_code == 303, answer.text
    return answer


def game_of(evening: Evening) -> Game:
    return evening.house.table.game(evening.game_id)


BOXES = [
    # The box, its options, what is given, the roll to Boardwalk, how money is raised.
    ("classic", {}, ("red owns reading-railroad",), ((3, 4), ""), "mortgage"),
    (
        "grab-and-go",
        {},
        ("red owns baltic-avenue mediterranean-avenue", "baltic-avenue houses 4"),
        ((3, 4), ""),
        "unbuild",
    ),
    (
        "secret-vault",
        {"unknown_figures": "likely"},
        ("red owns park-place",),
        ((3, 4), ""),
        "mortgage",
    ),
    (
        "crooked-cash",
        {"sell": "any-time", "grace": "0"},
        ("red owns mediterranean-avenue",),
        ((3, 4), ""),
        "sell-deed",
    ),
    ("mega", {}, ("red owns reading-railroad",), ((1, 1, 2), ""), "mortgage"),
]
PRICES = {"secret-vault": 800, "crooked-cash": 400}
GOAL = {"secret-vault": "pennsylvania-avenue"}  # Boardwalk needs a key there.


def for_sale(house: House, edition: str, options, given, roll) -> tuple[Evening, str]:
    """Red stands on a deed for which it has a little too little; its id as well."""
    evening = guided(house, edition, 3, options)
    board = game_of(evening).board
    assert board is not None
    deed = GOAL.get(edition, "boardwalk")
    space = board.rules.deeds[board.index[deed]].space
    price = board.rules.deeds[board.index[deed]].price or 0
    dice, special = roll
    said(evening, *given, f"red on {space - sum(dice)}", f"red cash {price - 10}")
    give(evening, m.Roll(by="red", dice=dice, special=special))
    return evening, deed


@pytest.mark.parametrize(("edition", "options", "given", "roll", "verb"), BOXES)
def test_a_buyer_raises_money_and_comes_back_to_buy(
    house: House, edition: str, options, given, roll, verb: str
) -> None:
    evening, deed = for_sale(house, edition, options, given, roll)
    before = home(evening, evening.anna)
    assert "buy" not in {form.verb for form in before}
    answer = press(evening.anna, before, verb)
    assert answer.headers["Location"] == f"/g/{evening.game_id}/"
    press(evening.anna, home(evening, evening.anna), "buy")
    if edition == "crooked-cash":
        press(evening.anna, home(evening, evening.anna), "hand-over")
    game = game_of(evening)
    assert game.play is not None
    assert game.board is not None
    assert game.play.owners[game.board.index[deed]] == "red"


@pytest.mark.parametrize(("edition", "options", "given", "roll", "verb"), BOXES)
def test_a_bidder_raises_money_and_bids_with_it(
    house: House, edition: str, options, given, roll, verb: str
) -> None:
    evening, deed = for_sale(house, edition, options, given, roll)
    said(evening, "green cash 3000")
    give(evening, m.PutUp(by="red"))
    cash = evening.balance("red")
    give(evening, m.Bid(by="green", amount=cash))
    before = home(evening, evening.anna)
    assert "bid" not in {form.verb for form in before}
    press(evening.anna, before, verb)
    bids = [x for x in home(evening, evening.anna) if x.verb == "bid"]
    highest = bids[0].buttons[-1][1]
    press(evening.anna, bids, "bid", button=-1)
    game = game_of(evening)
    assert game.play is not None
    assert game.play.auction is not None
    assert (game.play.auction.bidder, str(game.play.auction.amount)) == ("red", highest)
    assert int(highest) > cash
    assert game.play.auction.lots == (deed,)


@pytest.mark.parametrize("edition", ["classic", "grab-and-go", "mega"])
def test_a_buyer_trades_for_the_money(house: House, edition: str) -> None:
    roll = ((1, 1, 2), "") if edition == "mega" else ((3, 4), "")
    given = ("red owns reading-railroad",)
    evening, deed = for_sale(house, edition, {}, given, roll)
    sheet = "trade?taker=blue&give-deed=reading-railroad&want-cash=150"
    press(evening.anna, home(evening, evening.anna, sheet), "make-offer")
    press(evening.ben, home(evening, evening.ben), "accept")
    press(evening.anna, home(evening, evening.anna), "buy")
    game = game_of(evening)
    assert game.play is not None
    assert game.board is not None
    assert game.play.owners[game.board.index[deed]] == "red"


@pytest.mark.parametrize("asks", ["red", "blue"])
@pytest.mark.parametrize(
    "edition", ["classic", "grab-and-go", "secret-vault", "crooked-cash", "mega"]
)
def test_a_debt_is_settled_in_kind_from_either_side(
    house: House, edition: str, asks: str
) -> None:
    evening = guided(house, edition, 3)
    said(evening, "red owns baltic-avenue", "red cash 10", "blue cash 0")
    said(evening, "red owes 3000 to blue")
    phones = {"red": evening.anna, "blue": evening.ben}
    other = "blue" if asks == "red" else "red"
    mine, theirs = ("give", "want") if asks == "red" else ("want", "give")
    text = phones[asks].get(f"/g/{evening.game_id}/").text
    assert f"trade?{theirs}-debt=yes&amp;taker={other}" in text
    sheet = f"trade?taker={other}&{mine}-deed=baltic-avenue&{theirs}-debt=yes"
    press(phones[asks], home(evening, phones[asks], sheet), "make-offer")
    press(phones[other], home(evening, phones[other]), "accept")
    game = game_of(evening)
    assert game.play is not None
    assert game.board is not None
    assert game.play.debts == ()
    assert game.play.owners[game.board.index["baltic-avenue"]] == "blue"
    assert (evening.balance("red"), evening.balance("blue")) == (10, 0)


@pytest.mark.parametrize(
    ("cash", "words", "owner"),
    [
        (700, "You pay $300 to Ben first. The rest goes to the bank", ""),
        (10, "All you have goes to Ben", "blue"),
    ],
)
def test_the_page_says_to_whom_what_goes_before_one_leaves(
    house: House, cash: int, words: str, owner: str
) -> None:
    evening = guided(house, "classic", 3)
    said(evening, "red owns baltic-avenue", f"red cash {cash}")
    said(evening, "red owes 300 to blue")
    text = evening.anna.get(f"/g/{evening.game_id}/more").text
    assert words in text
    press(evening.anna, forms_of(text), "resign")
    game = game_of(evening)
    assert game.play is not None
    assert game.board is not None
    assert game.play.owners[game.board.index["baltic-avenue"]] == owner
