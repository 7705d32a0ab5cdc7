"""A seat's page shows exactly what the rules allow it, and each tap does it."""

from __future__ import annotations

import random
import re
from collections import Counter
from dataclasses import replace

import pytest

from companion.game import moves as m
from companion.game.commands import address_of
from companion.game.position import Position
from companion.rules import legal_moves
from companion.rules.rule import Range
from companion.views.blanks import gaps
from companion.views.space_ask import space_ask
from companion.views.turn import kind_of
from companion.views.turn_buttons import Look
from tests.sample import sampled
from tests.web.conftest import Evening, House, Phone, make_evening
from tests.web.forms import Form, forms_of
from tests.web.guided_table import give

SEATS = {"red": "anna", "blue": "ben", "green": "cleo"}
SEED = 4

WAYS = {m.Mortgage, m.Unbuild, m.SellDeed}
ELSEWHERE = {
    m.ReadBox,
    m.Build,
    m.WantBuilding,
    m.LiftMortgage,
    m.MakeOffer,
    *WAYS,
}
NOT_MOVES = {"undo", "undo-to", "redo", "rename-seat"}


class Guided:
    """An evening of three under the companion's lead; chance has a seed."""

    def __init__(self, house: House, edition: str, seed: int, **options: str) -> None:
        self.chance = random.Random(seed)
        seeded(house, self.chance)
        self.evening: Evening = make_evening(house, edition)
        cleo = house.seated(self.game_id, "Cleo", "green", "cat")
        self.phones = dict(
            zip(SEATS, (self.evening.anna, self.evening.ben, cleo), strict=True)
        )
        chosen = {f"option-{key}": value for key, value in options.items()}
        self.told(self.evening.host, "begin", **chosen)

    @property
    def game_id(self) -> str:
        return self.evening.game_id

    @property
    def game(self):
        return self.evening.house.table.game(self.game_id)

    def told(self, phone: Phone, verb: str, **form: object) -> None:
        answer = phone.do(self.game_id, verb, **form)
        assert answer.status_code == 303, answer.text

    def given(self, *lines: str) -> Guided:
        for line in lines:
            self.told(self.evening.host, "correct-position", words=line)
        return self

    def page(self, seat: str) -> str:
        answer = self.phones[seat].get(f"/g/{self.game_id}/")
        assert answer.status_code == 200, answer.text
        return answer.text

    def forms(self, seat: str) -> list[Form]:
        more = self.phones[seat].get(f"/g/{self.game_id}/more").text
        found = [*forms_of(self.page(seat)), *forms_of(more)]
        return [
            form
            for form in found
            if "/do/" in form.action and form.verb not in NOT_MOVES
        ]

    def verbs(self, seat: str) -> set[str]:
        return {form.verb for form in self.forms(seat)}

    def press(self, seat: str, form: Form, **typed: str) -> None:
        """Fill *form* in at random where nothing else is said, and send it."""
        name, value = self.chance.choice(form.buttons)
        chosen = {key: self.chance.choice(found) for key, found in form.choices.items()}
        sent = {**form.fields, **chosen, **({name: value} if name else {}), **typed}
        answer = self.phones[seat].post(form.action, **sent)
        assert answer.status_code == 303, (seat, form, typed, answer.text)


def seeded(house: House, chance: random.Random) -> None:
    installed = house.app.extensions["companion.panel"]
    built = replace(house.panel.built, chance=chance)
    house.panel = replace(house.panel, built=built)
    house.app.extensions["companion.panel"] = replace(installed, panel=house.panel)


def raises_money(play: Position, seat: str) -> bool:
    """Whether the seat owes, may buy, or still bids for a deed."""
    if play.stage == "buy":
        return play.mover.seat == seat
    if play.stage == "auction" and play.auction is not None:
        bids = play.auction
        return seat in bids.bidders and seat not in bids.passed
    return any(debt.debtor == seat for debt in play.debts)


def wanted_verbs(table: Guided, seat: str) -> set[str]:
    """What the rules allow the seat, as verbs of its own page and of More."""
    kinds = {kind_of(choice) for choice in legal_moves(table.game, seat)}
    is_raising = raises_money(table.game.play, seat)
    asked_first = is_raising and bool(list(gaps(Look(table.game, seat))))
    hidden = ELSEWHERE - WAYS if is_raising else ELSEWHERE
    if table.game.play.stage == "refill" and table.game.play.mover.seat != seat:
        hidden = hidden | {m.LockVault}  # Who fills the vault says so.
    # Once the token went on nobody is asked, though a late answer is taken still.
    is_asked = asked_first or space_ask(table.game, seat)
    asked = {"read-box"} if is_asked else set()
    return {address_of(kind) for kind in kinds - hidden} | asked


def typed_for(table: Guided, seat: str, form: Form) -> dict[str, str]:
    """What a person types where a form asks for it."""
    if form.verb == "draw" and "effect" in form.choices:
        return {"effect": "nothing", "keep": ""}  # It asks for no more.
    if form.verb == "read-box":
        return dict.fromkeys(form.typed, "70")
    for one in legal_moves(table.game, seat):
        if isinstance(one, Range) and address_of(one.kind) == form.verb:
            return dict.fromkeys(form.typed, str(one.low))
    return {}


GAMES: list[tuple[str, dict[str, str]]] = [
    ("secret-vault", {}),
    ("crooked-cash", {"grace": "0", "sell": "any-time"}),
    ("grab-and-go", {"decks": "cards", "dice": "typed"}),
    ("grab-and-go", {"quick": "on"}),
    ("classic", {"rent": "automatic", "dice": "rolled"}),
]


@pytest.mark.parametrize("box", sampled(GAMES), ids=str)
def test_pages_offer_exactly_what_is_legal_and_each_tap_is_accepted(
    house: House, box: tuple[str, dict[str, str]]
) -> None:
    edition, options = box
    table = Guided(house, edition, SEED, **options)
    dice = random.Random(SEED)
    pressed: Counter[str] = Counter()
    for _ in range(40):
        if table.game.play.base == "over":
            break
        offered = []
        for seat in SEATS:
            forms = table.forms(seat)
            assert {form.verb for form in forms} == wanted_verbs(table, seat)
            offered += [(seat, form) for form in forms if form.verb != "resign"]
        assert offered, "nobody can do anything"
        seat, form = dice.choice(offered)
        table.press(seat, form, **typed_for(table, seat, form))
        pressed[form.verb] += 1
        if dice.random() < 0.06:  # Poverty brings debts, sales and bankruptcies.
            poor = dice.choice(table.game.play.playing())
            if table.game.play.base != "over":
                table.given(f"{poor} cash {dice.randrange(60)}")
    assert pressed["roll"] >= 5, pressed


@pytest.fixture
def table(house: House) -> Guided:
    return Guided(house, "grab-and-go", SEED)


def test_a_seat_without_a_move_sees_whose_turn_it_is(table: Guided) -> None:
    page = table.page("blue")
    assert "Anna rolls the dice" in page
    assert table.verbs("blue") == {"resign"}
    assert "Your turn: roll the dice" in table.page("red")


def test_a_repeated_roll_is_rolled_once(table: Guided) -> None:
    sent = {"command_id": "one-tap-only"}
    table.told(table.evening.anna, "roll", **sent)
    fell = table.game.play.dice
    revision = table.evening.revision()
    for _ in range(3):
        table.told(table.evening.anna, "roll", **sent)
    assert table.game.play.dice == fell
    assert table.evening.revision() == revision


def test_a_roll_out_of_turn_says_whose_turn_it_is(table: Guided) -> None:
    answer = table.evening.ben.do(table.game_id, "roll")
    assert answer.status_code == 409
    assert "Anna" in answer.text.split("<main")[0]
    assert table.game.play.dice == ()


def test_the_way_to_the_dice_that_a_phone_took_last_comes_first(table: Guided) -> None:
    def ways(seat: str) -> list[bool]:
        """Each form that rolls, from the top: whether real dice are typed in it."""
        forms = [form for form in table.forms(seat) if form.verb == "roll"]
        return ["die-1" in form.choices for form in forms]

    assert ways("red") == [False, True]
    table.told(table.evening.anna, "roll", **{"die-1": "1", "die-2": "2"})
    table.given("turn red", "stage roll")
    assert ways("red") == [True, False]
    table.given("turn blue", "stage roll")
    assert ways("blue") == [False, True], "another phone's way"
    table.given("turn red", "stage roll")
    table.told(table.evening.anna, "roll")
    table.given("turn red", "stage roll")
    assert ways("red") == [False, True]


def read_cards(table: Guided) -> tuple[bool, bool, bool]:
    """Whether a card is read on the phones of Anna and Ben, and on the screen."""
    screen = table.phones["blue"].get(f"/table?game={table.game_id}").text
    pages = (table.page("red"), table.page("blue"), screen)
    return tuple('class="card-read"' in page for page in pages)


def test_a_card_is_read_large_until_whoever_drew_it_goes_on(house: House) -> None:
    table = Guided(house, "classic", SEED, decks="cards")
    table.given("red on 7", "stage card")
    assert not any(read_cards(table))
    table.told(table.evening.anna, "draw", card="chance-01")
    assert "Go to Boardwalk" in table.page("red")
    assert read_cards(table) == (True, False, True)
    table.told(table.evening.ben, "rename-seat", seat="blue", name="Benno")
    assert read_cards(table) == (True, False, True), "that is not about the card"
    table.told(table.evening.anna, "buy")
    assert not any(read_cards(table))


def test_a_card_after_which_the_dice_are_passed_is_read_until_they_roll(
    house: House,
) -> None:
    table = Guided(house, "classic", SEED, decks="cards")
    table.given("red on 7", "stage card")
    table.told(table.evening.anna, "draw", card="chance-16")
    assert table.game.play.mover.seat == "blue"
    assert read_cards(table) == (True, False, True)
    table.told(table.evening.ben, "roll", **{"die-1": "1", "die-2": "2"})
    assert not any(read_cards(table))


def test_a_card_that_was_taken_back_is_read_no_more(house: House) -> None:
    table = Guided(house, "classic", SEED, decks="cards")
    table.given("red on 7", "stage card")
    table.told(table.evening.anna, "draw", card="chance-01")
    table.told(table.evening.host, "undo")
    assert not any(read_cards(table))


@pytest.mark.parametrize("die", ["0", "7", "x", "-1", "²", "1.5"])
def test_dice_that_cannot_be_change_nothing(table: Guided, die: str) -> None:
    form = {"die-1": die, "die-2": "3"}
    answer = table.evening.anna.do(table.game_id, "roll", **form)
    assert answer.status_code in (400, 409)
    assert table.game.play.dice == ()


def test_one_die_is_not_enough(table: Guided) -> None:
    answer = table.evening.anna.do(table.game_id, "roll", **{"die-1": "3"})
    assert answer.status_code == 409
    assert "Two dice" in answer.text


def test_a_bid_that_another_phone_has_passed_is_refused_with_the_next_one(
    table: Guided,
) -> None:
    table.given("red on boardwalk", "stage auction")
    low = next(form for form in table.forms("blue") if form.verb == "bid")
    table.told(table.phones["green"], "bid", amount="40")
    answer = table.evening.ben.do(table.game_id, "bid", amount=low.buttons[0][1])
    assert answer.status_code == 409
    assert "$41" in answer.text.split("<main")[0]
    table.told(table.evening.ben, "bid", amount="41")
    assert table.game.play.auction.bidder == "blue"
    assert "pass-bid" not in table.verbs("blue"), "who leads has nothing to do"
    assert "bid" in table.verbs("green")


def test_nobody_is_offered_a_bid_beyond_the_money(table: Guided) -> None:
    table.given("red on boardwalk", "stage auction", "blue cash 45")
    table.told(table.phones["green"], "bid", amount="40")
    bids = [x.buttons[0][1] for x in table.forms("blue") if x.verb == "bid"]
    assert [amount for amount in bids if amount] == ["41"]


def test_leaving_keeps_its_row_while_bids_are_open(table: Guided) -> None:
    more = f"/g/{table.game_id}/more"
    assert "<summary>Leave the game" in table.phones["blue"].get(more).text
    table.given("red on boardwalk", "stage auction")
    text = table.phones["blue"].get(more).text
    assert "<summary>Leave the game" in text
    assert "Wait until the auction is over." in text


def test_an_offer_that_was_replaced_is_not_accepted_by_an_old_page(
    table: Guided,
) -> None:
    table.given("red owns boardwalk", "blue owns baltic-avenue")
    deal = {"taker": "blue", "give-deed": "boardwalk", "want-cash": "100"}
    table.told(table.evening.anna, "make-offer", **deal)
    yes = next(form for form in table.forms("blue") if form.verb == "accept")
    table.told(table.evening.anna, "make-offer", **{**deal, "want-cash": "900"})
    answer = table.evening.ben.post(yes.action, **yes.fields)
    assert answer.status_code == 409
    assert table.game.play.owners[table.game.board.index["boardwalk"]] == "red"
    assert "$900" in table.page("blue")
    fresh = next(form for form in table.forms("blue") if form.verb == "accept")
    table.press("blue", fresh)
    assert table.game.play.owners[table.game.board.index["boardwalk"]] == "blue"


def test_a_rent_says_since_when_and_until_whose_roll(table: Guided) -> None:
    table.given("blue owns boardwalk", "red on 37")
    table.told(table.evening.anna, "roll", **{"die-1": "1", "die-2": "1"})
    clock = table.evening.house.clock
    landed = clock.now_ms()
    clock.advance(42_000)
    page = table.page("blue")
    assert f'data-since="{landed}" data-now="{landed + 42_000}"' in page
    words = 'data-words="landed {time} ago" data-fresh="landed just now">landed at '
    assert words in page
    assert "ask before you roll" in page
    assert "data-since" not in table.page("red")
    table.given("boardwalk owner red")
    assert "data-since" not in table.page("blue")


def test_a_rent_after_a_landing_that_was_taken_back_counts_anew(table: Guided) -> None:
    table.given("blue owns boardwalk", "red on 37")
    dice = {"die-1": "1", "die-2": "1"}
    table.told(table.evening.anna, "roll", **dice)
    table.told(table.evening.anna, "undo")
    clock = table.evening.house.clock
    clock.advance(90_000)
    table.told(table.evening.anna, "roll", **dice)
    clock.advance(5_000)
    now = clock.now_ms()
    assert f'data-since="{now - 5_000}" data-now="{now}"' in table.page("blue")


def test_rent_is_asked_until_the_next_seat_rolls(table: Guided) -> None:
    table.given("blue owns boardwalk", "red on 37")
    table.told(table.evening.anna, "roll", **{"die-1": "1", "die-2": "1"})
    page = table.page("blue")
    assert "Ask Anna for $50 rent" in page
    assert "ask before you roll" in page
    gold = re.findall(r'class="(brass wide[^"]*)"', page)
    assert gold == ["brass wide tall rent"], "rolling is not due"
    table.told(table.evening.ben, "ask-rent", seat="red")
    assert "ask-rent" not in table.verbs("blue")
    assert table.evening.balance("blue") == 1550


def test_a_rent_can_be_asked_from_any_page_until_it_lapses(table: Guided) -> None:
    table.given("blue owns boardwalk", "red on 37")
    table.told(table.evening.anna, "roll", **{"die-1": "1", "die-2": "1"})
    path = f"/g/{table.evening.game_id}/deeds"
    page = table.evening.ben.get(path).text
    assert "<b>Anna</b> landed on yours." in page
    (ask,) = [form for form in forms_of(page) if form.verb == "ask-rent"]
    assert (ask.fields["seat"], ask.fields["from"]) == ("red", "deeds")
    assert "ask-rent" not in table.evening.anna.get(path).text
    assert table.page("blue").count("/do/ask-rent") == 1, "no banner over its button"
    answer = table.evening.ben.post(ask.action, **ask.fields)
    assert answer.headers["Location"] == path
    assert table.evening.balance("blue") == 1550
    assert "landed on yours" not in table.evening.ben.get(path).text


def test_a_debt_shows_what_is_missing_and_what_each_way_brings(table: Guided) -> None:
    table.given(
        "red owns boardwalk park-place",
        "boardwalk houses 1",
        "red cash 20",
        "red owes 100 to blue",
    )
    page = table.page("red")
    assert "You owe Ben $100" in page
    assert "You still need $80" in page
    assert "Sell a house on Boardwalk: +$100" in page
    assert table.verbs("red") == {"unbuild", "resign"}
    assert "declare-bankrupt" not in page
    table.press("red", next(x for x in table.forms("red") if x.verb == "unbuild"))
    assert "Pay Ben $100" in table.page("red")
    table.told(table.evening.anna, "pay-debt")
    assert table.evening.balance("blue") == 1600


def test_in_a_debt_all_look_at_whoever_has_to_find_the_money(table: Guided) -> None:
    table.given("turn blue", "red cash 20", "red owes 100 to green")
    page = table.page("blue")
    (ring,) = re.findall(r'<li class="is-awaited">\s*<span class="disc c-(\w+)', page)
    (beside,) = re.findall(r'class="awaited">\s*<span class="disc c-(\w+)', page)
    assert ring == beside == "red"


def test_bankruptcy_is_offered_only_to_those_who_cannot_pay(table: Guided) -> None:
    table.given("red cash 20", "red owes 100 to blue")
    assert table.verbs("red") == {"declare-bankrupt", "resign"}
    table.told(table.evening.anna, "declare-bankrupt")
    assert "You are out of the game" in table.page("red")
    assert table.verbs("red") == set()


def test_the_pay_sheet_is_gone_while_the_companion_leads(table: Guided) -> None:
    assert 'id="sheet"' not in table.page("red")
    bank = table.evening.host.get(f"/g/{table.game_id}/bank").text
    assert 'id="sheet"' not in bank
    answer = table.evening.anna.do(table.game_id, "pay", payee="blue", amount="5")
    assert answer.status_code == 409
    table.told(table.evening.host, "rest-play")
    assert 'id="sheet"' in table.page("red")
    assert "Let the companion lead again" in (
        table.evening.host.get(f"/g/{table.game_id}/bank").text
    )
    table.told(table.evening.host, "resume-play")
    assert table.verbs("red") >= {"roll", "resign"}


def test_an_unknown_card_is_chosen_by_what_it_does(house: House) -> None:
    table = Guided(house, "classic", SEED, decks="cards").given(
        "red on 7", "stage card"
    )
    words = [form.words for form in table.forms("red") if form.verb == "draw"]
    assert words == sorted(set(words))
    assert "Go to Boardwalk" in words
    form = next(x for x in table.forms("red") if x.words == "Collect $50")
    table.press("red", form)
    assert table.evening.balance("red") == 1550


def test_no_phone_hides_what_it_guessed_at_the_toy(house: House) -> None:
    table = Guided(house, "secret-vault", SEED)
    table.given("red on 5", "stage guess")
    phone, game = table.evening.anna, table.evening.game_id
    for number in (0, 7):
        answer = phone.do(game, "guess", number=number, is_right="no")
        assert answer.status_code == 409
        assert "The wheel has 1 to 6" in answer.text
    assert phone.do(game, "guess", number=1, is_right="no").status_code == 303


def test_what_was_filled_in_before_a_key_was_used_is_not_to_be_taken_out(
    house: House,
) -> None:
    table = Guided(house, "secret-vault", SEED)
    table.given("vault keys 1", "red on 5", "stage guess")
    right = m.Guess(by="red", number=4, is_right=True, is_lid_up=True)
    give(table.evening, right, m.LockVault(by="vault"))
    give(table.evening, m.ReportLid(by="vault", lid="open"))
    page = table.page("red")
    assert "Take everything out" not in page
    assert "Which street does the key open?" in page


def test_the_end_leads_to_the_scores(table: Guided) -> None:
    table.told(table.evening.host, "call-time")
    page = table.page("red")
    assert f'href="/g/{table.game_id}/ending"' in page
    assert "the game is over" in page.lower()
    assert table.verbs("red") == set()


def test_a_program_sees_what_the_page_shows(table: Guided) -> None:
    address = f"/api/games/{table.game_id}/turn"
    shown = table.evening.anna.get(address).json
    assert shown["revision"] == table.evening.revision()
    assert shown["turn"]["headline"] == "Your turn: roll the dice"
    assert shown["turn"]["dice"] == {
        "by": "either",
        "count": 2,
        "pips_max": 6,
        "specials": [],
        "third": [],
        "paths": [],
    }
    assert table.evening.ben.get(address).json["turn"]["dice"] is None
    table.told(table.evening.host, "rest-play")
    assert table.evening.anna.get(address).json["turn"] is None
