"""What the pages say of unread rents, offers, ends and refusals, by forms alone."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.edition import builtin_text, load
from companion.edition.catalogue import Catalogue
from tests.fakes import FakeClock
from tests.web.conftest import Evening, House, Phone, make_panel
from tests.web.guided_table import guided, said

BROWN = ("blue owns mediterranean-avenue baltic-avenue", "baltic-avenue hotel")


def words(text: str) -> str:
    shown = re.sub("<script.*?</script>", " ", text, flags=re.DOTALL)
    return " ".join(html.unescape(re.sub("<[^>]+>", " ", shown)).split())


def page(evening: Evening, phone: Phone, path: str = "") -> str:
    return words(phone.get(f"/g/{evening.game_id}/{path}").text)


def do(evening: Evening, phone: Phone, verb: str, status: int = 303, **form: object):
    answer = phone.do(evening.game_id, verb, **form)
    assert answer.status_code == status, words(answer.text)
    return words(answer.text)


def hotel_landing(house: House) -> Evening:
    """Anna lands on Ben's hotel, of whose card nobody has read anything."""
    evening = guided(house, "crooked-cash", 3, {"grace": "0"})
    said(evening, *BROWN, "red on mediterranean-avenue")
    do(evening, evening.anna, "roll", **{"die-1": 1, "die-2": 1})
    return evening


def test_the_rent_of_a_hotel_is_the_figure_that_is_asked_for(house: House) -> None:
    evening = hotel_landing(house)
    text = do(evening, evening.ben, "ask-rent", 409, seat="red")
    assert "Nobody knows the rent hotel of Baltic Avenue." in text
    assert "hotel cost" not in text


def test_the_button_asks_for_the_rent_of_the_landing(house: House) -> None:
    evening = hotel_landing(house)
    said(evening, "baltic-avenue bare")
    do(
        evening,
        evening.ben,
        "read-box",
        key="deed.baltic-avenue.rent_hotel",
        value=450,
    )
    assert "Ask Anna for $450 rent" in page(evening, evening.ben)
    do(evening, evening.ben, "ask-rent", seat="red")
    assert "Hand over $450" in page(evening, evening.anna)


def test_nobody_asks_a_seat_that_is_out_for_rent(house: House) -> None:
    evening = guided(house, seats=3)
    said(evening, "red bankrupt")
    text = do(evening, evening.ben, "ask-rent", 409, seat="red")
    assert "Anna is out of the game. Choose a seat that plays." in text
    assert "Whoever is bankrupt, or has left, plays no more." in text
    assert "You pay if the owner asks" not in text


def test_who_accepts_is_not_told_to_raise_the_money_of_another(house: House) -> None:
    evening = guided(house, seats=3)
    said(evening, "blue owns boardwalk")
    offer = {"give-cash": "100", "want-deed": "boardwalk"}
    do(evening, evening.anna, "make-offer", taker="blue", **offer)
    said(evening, "red cash 3")
    text = do(evening, evening.ben, "accept", 409)
    assert "Anna has $3; this costs $100. Wait until Anna has raised $97." in text


@pytest.mark.parametrize(
    ("correction", "line"),
    [
        (
            "boardwalk owner green",
            "Cleo owns Boardwalk. Anna's offer to Ben lapsed: Boardwalk changed hands.",
        ),
        ("green on boardwalk", "Cleo stands on Boardwalk."),
    ],
)
def test_a_trade_on_the_table_lapses_in_words_or_stays_open(
    house: House, correction: str, line: str
) -> None:
    """Crooked Cash lays the money of a trade on the table before it moves."""
    evening = guided(house, "crooked-cash", 3)
    said(evening, "blue owns boardwalk")
    offer = {"give-cash": "400", "want-deed": "boardwalk"}
    do(evening, evening.anna, "make-offer", taker="blue", **offer)
    do(evening, evening.ben, "accept")
    said(evening, correction)
    assert line in page(evening, evening.ben, "history")
    has_lapsed = "lapsed" in line
    text = do(evening, evening.ben, "accept", 409 if has_lapsed else 303)
    assert ("What Anna offered has changed since." in text) == has_lapsed


def test_no_bids_are_taken_once_the_quick_game_is_over(house: House) -> None:
    evening = guided(house, "grab-and-go", 4, {"quick": "on"})
    said(evening, "red owes 9000 to blue")
    do(evening, evening.anna, "resign")
    do(evening, evening.ben, "resign")
    (line, *_) = page(evening, evening.ben, "history").split("Undo")
    assert "The game is over, since two players are out" in line
    assert "Bids are taken" not in line


def test_whoever_typed_a_figure_is_told_who_can_correct_it_now(house: House) -> None:
    """Money hangs on it, so that its reader may not type it again."""
    evening = guided(house, "secret-vault", 3)
    said(evening, "red owns baltic-avenue")
    form = {"key": "deed.baltic-avenue.mortgage", "value": 25}
    do(evening, evening.ben, "read-box", **form)
    text = do(evening, evening.anna, "read-box", 409, **form)
    assert "Whoever typed it in can type it again; so can the banker." in text
    do(evening, evening.anna, "mortgage", deed="baltic-avenue")
    for phone in (evening.anna, evening.ben):
        text = do(evening, phone, "read-box", 409, **form)
        assert "Whoever typed it in can type it again" not in text
        assert "Baltic Avenue. The banker can correct it." in text


def test_the_rules_page_has_the_end_on_which_the_table_agreed(house: House) -> None:
    evening = guided(house, "secret-vault")
    assert "At once, when the last street is taken." in page(
        evening, evening.anna, "rules"
    )
    said(evening, "end first-bankruptcy")
    text = page(evening, evening.anna, "rules")
    assert "The end of the game With the first bankruptcy" in text
    assert "The game is over as soon as one player is out." in text


def test_crooked_cash_trades_a_bare_street_beside_a_hotel(house: House) -> None:
    """Its sheet says that hotels are not traded, and nothing of the street beside."""
    evening = guided(house, "crooked-cash")
    said(evening, *BROWN)
    text = page(evening, evening.anna, "rules")
    assert "You sell the buildings of a colour before you trade" not in text
    assert "A hotel is never traded: it goes back to the bank" in text
    offer = {"give-cash": "10", "want-deed": "mediterranean-avenue"}
    do(evening, evening.anna, "make-offer", taker="blue", **offer)


def test_a_german_phone_reads_sums_in_german(house: House) -> None:
    evening = guided(house, "classic", 3)
    do_german(evening)
    said(evening, "red owns boardwalk park-place", "boardwalk hotel")
    said(evening, "park-place hotel")
    do(evening, evening.anna, "unbuild", deed="boardwalk", is_all="yes")
    text = page(evening, evening.anna, "history")
    times = "\N{MULTIPLICATION SIGN}"
    assert f"200 $ (Gebäude) {times} 50 Prozent {times} 5 = 500 $" in text


def test_a_german_phone_reads_of_notes_in_german(house: House) -> None:
    evening = guided(house, "crooked-cash", 3, {"grace": "0"})
    do_german(evening)
    said(evening, *BROWN, "blue owes 100 to green")
    do(evening, evening.ben, "pay-debt")
    do(evening, evening.anna, "inspect")
    text = do(evening, evening.anna, "give-verdict", 409, verdict="fake", amount="3")
    assert "10 $, 20 $, 50 $, 100 $, 500 $" in text


def do_german(evening: Evening) -> None:
    answer = evening.anna.post("/language", language="de", back="/")
    assert answer.status_code == 303


def test_secret_vault_takes_hotels_off_and_sells_none(house: House) -> None:
    """Its sheet: you cannot buy or sell a hotel from the bank."""
    evening = guided(house, "secret-vault")
    said(evening, BROWN[0], "baltic-avenue hotels 1")
    do(evening, evening.ben, "unbuild", deed="baltic-avenue")
    text = page(evening, evening.anna, "history")
    assert "Ben took buildings off Baltic Avenue: nothing there now." in text
    assert " sold " not in text


def test_no_hotel_is_put_up_again_after_a_fake(house: House) -> None:
    """The article says it of a street that was won, and of a deal."""
    options = {"fake_found": "payer-chooses", "grace": "0"}
    evening = guided(house, "crooked-cash", 3, options)
    said(evening, "red owns mediterranean-avenue baltic-avenue", "bank hotels 1")
    said(evening, "blue owns boardwalk park-place")
    said(evening, "figure baltic-avenue hotel_cost 50")
    said(evening, "figure boardwalk hotel_cost 200")
    do(evening, evening.anna, "want-building", deed="baltic-avenue")
    do(evening, evening.ben, "want-building", deed="boardwalk")
    do(evening, evening.ben, "bid", amount=60)
    do(evening, evening.anna, "pass-bid")
    do(evening, evening.anna, "inspect")
    do(evening, evening.anna, "give-verdict", verdict="fake", amount=50)
    text = page(evening, evening.ben)
    assert "Hand over $60" in text
    assert "Auction it" not in text


# A box of our own, which lacks what is printed on some spaces and deeds.


def without_amount(text: str, number: int) -> str:
    """Return the text of an edition file without the amount of a space."""
    before, space = text.split(f"number = {number}\n", 1)
    unread = re.sub(
        r"amount = .*", 'amount = { confidence = "unknown" }', space, count=1
    )
    return f"{before}number = {number}\n{unread}"


def without_figure(text: str, deed: str, figure: str) -> str:
    """Return the text of an edition file without a figure of a deed."""
    before, entry = text.split(f'id = "{deed}"\n', 1)
    unread = re.sub(rf"{figure} = .*", f'unknown = ["{figure}"]', entry, count=1)
    return f'{before}id = "{deed}"\n{unread}'


def our_box(box: str, spaces: tuple[int, ...], figures: dict[str, str]) -> str:
    """Return the text of a file for a box of our own that lacks these."""
    text = (builtin_text(box) or "").replace(f'id = "{box}"', f'id = "our-{box}"', 1)
    for number in spaces:
        text = without_amount(text, number)
    for deed, figure in figures.items():
        text = without_figure(text, deed, figure)
    return text


LISTS = {
    "electric-company": "rent_dice_multiplier_by_owned",
    "reading-railroad": "rent_by_owned",
    "oriental-avenue": "rent_houses",
}


@pytest.fixture
def own_house(tmp_path: Path, clock: FakeClock) -> Iterator[House]:
    texts = (
        our_box("classic", (4, 38), LISTS),
        our_box("mega", (47,), {}),
    )
    catalogue = Catalogue(tuple((load(text, "our.toml"), text) for text in texts))
    house = make_panel(tmp_path, clock, catalogue=catalogue)
    yield house
    house.table.close()
    house.database.close()


def test_the_rules_page_says_no_unread_amount_is_nothing(own_house: House) -> None:
    text = page(evening := guided(own_house, "our-mega"), evening.anna, "rules")
    assert "$0" not in text
    assert "On the birthday space you take ? from the bank, or a bus ticket." in text


def test_the_rules_page_tells_of_a_tax_that_nobody_has_read(own_house: House) -> None:
    evening = guided(own_house, "our-classic")
    text = page(evening, evening.anna, "rules")
    assert "If you land on a tax space, you pay that tax to the bank." in text


@pytest.mark.parametrize(
    ("deed", "built", "start"),
    [
        ("electric-company", "bare", 9),
        ("reading-railroad", "bare", 2),
        ("oriental-avenue", "houses 2", 3),
    ],
)
def test_a_list_of_rents_that_nobody_has_read_is_no_other_rent(
    own_house: House, deed: str, built: str, start: int
) -> None:
    evening = guided(own_house, "our-classic", 3)
    said(evening, f"blue owns {deed} vermont-avenue connecticut-avenue")
    said(evening, f"{deed} {built}", f"red on {start}")
    do(evening, evening.anna, "roll", **{"die-1": 1, "die-2": 2})
    assert "nobody knows how much" in page(evening, evening.ben)
    text = do(evening, evening.ben, "ask-rent", 409, seat="red")
    assert "Nobody knows the" in text
    for path in (f"deeds/{deed}", "deeds", "board", "ending", "rules"):
        answer = evening.ben.get(f"/g/{evening.game_id}/{path}")
        assert answer.status_code == 200, path
    assert evening.host.get("/editions/our-classic").status_code == 200


def test_a_utility_that_nobody_has_read_does_not_cost_nothing(own_house: House) -> None:
    evening = guided(own_house, "our-classic", 3)
    said(evening, "blue owns electric-company")
    for path in ("board", "rules"):
        text = page(evening, evening.anna, path)
        assert " 0 times" not in text


def test_the_amount_of_a_space_is_asked_of_the_board(own_house: House) -> None:
    evening = guided(own_house, "our-classic")
    said(evening, "red on 1")
    do(evening, evening.anna, "roll", **{"die-1": 1, "die-2": 2})
    text = page(evening, evening.ben)
    assert "Nobody told us the amount that is printed there" in text
    assert "the card say" not in text
    form = {"key": "space.4.amount", "value": 0}
    assert "No space says $0." in do(evening, evening.ben, "read-box", 409, **form)
    do(evening, evening.ben, "read-box", **(form | {"value": 75}))
    assert "Anna paid the bank $75 tax." in page(evening, evening.ben, "history")
