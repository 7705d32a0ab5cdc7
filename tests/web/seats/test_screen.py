"""The table's screen: each situation, in what order, which game, and what is heard."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.game import commands as c
from companion.game import moves as m
from companion.game.envelope import Envelope
from companion.units import GameId
from companion.views.table import TableView
from tests.web.conftest import Evening, House, make_evening
from tests.web.guided_table import give, guided, said
from tests.web.night import Night
from tests.web.scenes import bankrupt, carding, filling_by_hand, opened


def screen(house: House, **asked: str) -> str:
    return house.guest().client.get("/table", query_string=asked).text


def ids(text: str, kind: str) -> list[str]:
    """The ids that begin with *kind*, in the order in which they stand."""
    return re.findall(rf'id="{kind}-([a-z0-9-]+)"', text)


def test_before_the_start_the_code_is_large_and_whoever_sits_down_is_seen(house: House):
    host = house.host()
    host.post("/games", edition="classic", name="Saturday", leads="no")
    text = screen(house)
    assert '<div class="before">' in text
    assert "/join.svg" in text
    assert "Nobody sits here yet." in text
    house.seated(house.table.current(), "Anna", "red", "hat")
    house.seated(house.table.current(), "Ben", "blue", "car")
    assert ids(screen(house), "sits") == ["red", "blue"]


def test_the_time_before_the_start_ends_with_the_beginning(house: House):
    evening = make_evening(house, leads="no")
    evening.anna.do(evening.game_id, "pay", payee="blue", amount="50")
    assert '<div class="before">' in screen(house)
    assert evening.host.do(evening.game_id, "begin-banking").status_code == 303
    assert '<div class="before">' not in screen(house)
    assert ids(screen(house), "purse") == ["red", "blue"]
    evening.host.do(evening.game_id, "undo")
    assert '<div class="before">' in screen(house)


def test_a_game_of_old_has_begun_whatever_has_moved(evening: Evening):
    assert '<div class="before">' not in screen(evening.house)


def test_the_bank_lists_the_richest_first(evening: Evening):
    evening.anna.do(evening.game_id, "pay", payee="blue", amount="50")
    assert ids(screen(evening.house), "purse") == ["blue", "red"]
    evening.ben.do(evening.game_id, "pay", payee="red", amount="80")
    assert ids(screen(evening.house), "purse") == ["red", "blue"]


def test_the_board_lists_the_richest_first_and_who_is_out_last(house: House):
    evening = guided(house, seats=4)
    said(evening, "blue owns boardwalk", "red cash 100")
    assert ids(screen(house), "purse") == ["blue", "green", "orange", "red"]
    said(evening, "blue bankrupt")
    assert ids(screen(house), "purse") == ["green", "orange", "red", "blue"]


def test_each_on_the_board_has_a_place_by_worth_that_equal_ones_share(house: House):
    evening = guided(house, seats=4)
    place = re.compile(r'<span class="nth">(\d)\.</span> (\w+)')
    assert place.findall(screen(house)) == [], "all begin alike"
    said(evening, "blue owns boardwalk", "red cash 100", "blue cash 1200")
    found = place.findall(screen(house))
    names = [name for _, name in found]
    assert [number for number, _ in found] == ["1", "2", "2", "4"]
    assert (names[0], names[3]) == ("Ben", "Anna"), "money alone would say otherwise"


def test_a_screen_of_a_game_that_was_put_away_says_that_it_is_not_lost(
    evening: Evening,
):
    evening.host.do(evening.game_id, "close-game")
    screens = screen(evening.house), screen(evening.house, game=evening.game_id)
    for text in screens:
        assert "ut away" in text
        assert "The host takes it out again on their phone" in text
        assert "/join.svg" not in text


@pytest.mark.parametrize("seats", [2, 5, 8])
def test_a_latecomer_finds_the_code_however_many_rows_there_are(
    house: House, seats: int
):
    guided(house, "secret-vault", seats)
    assert "/join.svg" in screen(house)


def test_an_auction_shows_who_leads_who_passed_and_who_still_thinks(house: House):
    evening = guided(house, seats=3)
    evening.anna.do(evening.game_id, "roll", **{"die-1": 1, "die-2": 2})
    evening.anna.do(evening.game_id, "put-up")
    text = screen(house)
    assert "Who bids first?" in text
    assert 'id="deed-baltic-avenue"' in text
    evening.ben.do(evening.game_id, "bid", amount=70)
    give(evening, m.PassBid(by="green"))
    text = screen(house)
    assert 'data-key="bid" data-amount="70"' in text
    assert "Ben leads" in text
    moods = re.findall(r'id="bidder-(\w+)" class="c-\w+ is-(\w+)"', text)
    assert moods == [("red", "thinks"), ("blue", "leads"), ("green", "passed")]
    ids = re.findall(r'\sid="([^"]+)"', text)
    assert sorted(ids) == sorted(set(ids)), "two things are called the same"


def test_an_auction_names_what_is_sold_after_it(house: House):
    evening = guided(house, seats=3)
    said(
        evening,
        "red owns boardwalk park-place",
        "red cash 1",
        "blue owns baltic-avenue",
    )
    evening.anna.do(evening.game_id, "roll", **{"die-1": 1, "die-2": 2})
    evening.ben.do(evening.game_id, "ask-rent", seat="red")
    give(evening, m.Resign(by="red"))
    assert "One more after this:" in screen(house)


def test_at_the_end_the_screen_shows_each_of_them_once(house: House):
    evening = guided(house, seats=5)
    said(evening, "blue cash 2000", "red cash 1000")
    said(evening, "orange cash 500", "purple cash 400")
    give(evening, m.CallTime(by=c.TABLE))
    text = screen(house)
    assert ids(text, "rank") == ["orange", "purple"]
    assert re.findall(r'class="nth">(\d)', text) == ["4", "5"]
    assert 'data-confetti="blue"' in text
    assert re.findall(r'class="at-(\d) high-(\d) c-(\w+)"', text) == [
        ("1", "1", "blue"), ("2", "2", "green"), ("3", "3", "red"),
    ]  # fmt: skip
    assert text.count('class="crown"') == 1


def test_at_the_end_the_last_to_go_stands_above_the_first_and_both_say_why(
    house: House,
):
    evening = guided(house, "classic", 3)
    give(evening, m.Resign(by="green"))
    said(evening, "blue owns baltic-avenue", "red cash 0", "red owes 900 to blue")
    evening.anna.do(evening.game_id, "declare-bankrupt")
    text = screen(house)
    assert re.findall(r'class="at-\d high-\d c-(\w+)"', text) == [
        "blue",
        "red",
        "green",
    ]
    fates = re.findall(r"#(broke|gone)", text.split('class="podium"')[1])
    assert fates == ["broke", "gone"]
    assert ids(text, "rank") == [], "all three stand on the podium"
    assert 'data-amount="0"' not in text.split('class="podium"')[1]
    seat = evening.anna.get(f"/g/{evening.game_id}/").text
    assert seat.count("#broke") == 3, "above, as one's own, and in the order"


def test_the_finale_calls_out_the_best_of_the_story(house: House):
    evening = guided(house, seats=2)
    said(evening, "blue owns baltic-avenue")
    evening.anna.do(evening.game_id, "roll", **{"die-1": 1, "die-2": 2})
    evening.ben.do(evening.game_id, "ask-rent", seat="red")
    evening.ben.do(evening.game_id, "roll", **{"die-1": 4, "die-2": 6})
    give(evening, m.CallTime(by=c.TABLE))
    text = re.sub("[\u2068\u2069]", "", screen(house))
    moments = text.split('class="moments"')[1].split("</ul>")[0]
    assert "The biggest rent was $4: Anna paid it to Ben for Baltic Avenue." in moments
    assert "draw=yes" in text
    ending = re.sub(
        "[\u2068\u2069]", "", evening.ben.get(f"/g/{evening.game_id}/ending").text
    )
    assert "Place 1 of 2" in ending
    assert "was richer than you" in ending


def test_where_no_lock_shows_it_the_screen_lists_what_goes_into_the_vault(
    house: House,
):
    evening = filling_by_hand(house)
    text = screen(house).partition('id="by-hand-')[2].partition("</section>")[0]
    assert re.findall(r'class="hush">([^<]+)</li>', text) == [
        *("4 x $100", "one key", "one hotel"),
    ]
    assert re.findall(r"<li[^>]*>([A-Z][^<]+)</li>", text) == [
        *("Put in what is listed.", "Shut the lid.", "Press yellow three times."),
    ]
    evening.anna.do(evening.game_id, "lock-vault")
    assert 'id="by-hand-' not in screen(house)


# Which game.


def test_a_vault_is_not_shown_over_a_game_that_has_none(tmp_path: Path):
    night = Night(tmp_path)
    night.house.host()
    assert "data-vault-scene" in screen(night.house)
    classic = night.house.table.open_game("classic", "Other", "open-the-other")
    text = screen(night.house)
    assert "vault" not in text.lower().replace("vault_", "")
    assert "data-vault-scene" in screen(night.house, game=night.game)
    assert classic == night.house.table.current()
    night.close()


def test_with_several_open_games_the_screen_offers_which_one_to_show(house: House):
    first = make_evening(house, "classic")
    assert "/table/games" not in screen(house)
    house.clock.leap(1_000)
    second = house.table.open_game("mega", "Late night", "open-the-second")
    assert f'href="/table/games?game={second}"' in screen(house)
    offered = house.guest().get(f"/table/games?game={second}").text
    assert offered.count('aria-current="page"') == 1
    for game_id in (first.game_id, second):
        assert f'href="/table?game={game_id}&amp;chosen=yes"' in offered
    for game_id in (first.game_id, second):
        bound = screen(house, game=game_id)
        assert f'data-place="{game_id}"' in bound
        assert "/table/games" not in bound, "whoever named a game wants no other"
        chosen = screen(house, game=game_id, chosen="yes")
        assert f'data-place="{game_id}"' in chosen
        assert f'href="/table/games?game={game_id}"' in chosen
    close = Envelope(c.CloseGame(by=c.TABLE), "close-the-second")
    house.table.submit(second, close)
    assert "Late night was put away." in screen(house)
    assert "was put away" not in screen(house, game=first.game_id)
    assert "/table/games" not in screen(house)
    assert "/table/games" in screen(house, game=second, chosen="yes"), "it was put away"
    assert "/table/games" not in screen(house, game=first.game_id, chosen="yes")


def test_a_screen_whose_game_is_gone_leads_to_the_others_and_to_no_seat(house: House):
    make_evening(house, "classic")
    text = screen(house, game="000000000000")
    assert 'href="/table"' in text
    assert 'href="/table/games"' in text
    assert 'href="/"' not in text.partition("</h1>")[2]


# What is heard.


def heard(text: str) -> dict[str, tuple[str, str]]:
    found = re.findall(
        r'data-revision="(\d+)" data-sounds="([^"]*)" data-spoken="([^"]*)"', text
    )
    return {revision: (sounds, spoken) for revision, sounds, spoken in found}


def test_a_rent_sounds_of_coins_and_is_spoken(house: House):
    evening = guided(house, seats=2)
    said(evening, "blue owns baltic-avenue")
    evening.anna.do(evening.game_id, "roll", **{"die-1": 1, "die-2": 2})
    latest = str(evening.revision())
    sounds, spoken = heard(screen(house))[latest]
    assert sounds == "dice"
    assert "Ben may ask for $4 rent" in re.sub("[⁨⁩]", "", spoken)
    evening.ben.do(evening.game_id, "ask-rent", seat="red")
    sounds, spoken = heard(screen(house))[str(evening.revision())]
    assert sounds == "coins"
    assert "Anna paid Ben $4 rent" in re.sub("[⁨⁩]", "", spoken)


def test_whose_turn_it_is_is_spoken_in_the_screens_own_language(house: House):
    evening = guided(house, seats=2)
    evening.anna.do(evening.game_id, "roll", **{"die-1": 4, "die-2": 6})
    latest = str(evening.revision())
    german = house.guest().get("/table", **{"Accept-Language": "de"}).text
    assert "Ben has the dice." in re.sub("[⁨⁩]", "", heard(screen(house))[latest][1])
    assert heard(german)[latest][1] != heard(screen(house))[latest][1]


def test_whose_turn_it_is_at_the_very_start_is_spoken(house: House):
    evening = guided(house, seats=2)
    spoken = heard(screen(house))[str(evening.revision())][1]
    assert re.sub("[⁨⁩]", "", spoken).strip() == "Anna has the dice."


def test_what_was_taken_back_is_not_heard(evening: Evening):
    evening.anna.do(evening.game_id, "pay", payee="blue", amount="50")
    paid = str(evening.revision())
    assert heard(screen(evening.house))[paid] == ("coins", "")
    evening.anna.do(evening.game_id, "undo")
    assert paid not in heard(screen(evening.house))


def test_the_end_is_told_with_amounts_as_the_screens_language_writes_them(house: House):
    evening = guided(house)
    said(evening, "red cash 2000")
    give(evening, m.CallTime(by=c.TABLE))
    german = house.guest().get("/table", **{"Accept-Language": "de"}).text
    for amount in ("2.000", "1.500"):
        assert f"{amount}\N{NO-BREAK SPACE}$" in german


def test_what_lies_on_the_table_is_seen_with_everybody_who_may_look(house: House):
    evening = guided(house, "crooked-cash", 4)
    said(evening, "blue owns boardwalk", "red on pennsylvania-avenue")
    said(evening, "green chips 0", "orange jailed 0")
    assert '<span class="pieces">' in screen(house)
    evening.anna.do(evening.game_id, "roll", **{"die-1": 1, "die-2": 3})
    evening.ben.do(evening.game_id, "ask-rent", seat="red")
    text = screen(house)
    assert "Anna lays $200 on the table" in text
    assert "Who wants to check a note?" in text
    assert re.findall(r'id="watcher-[a-z]+" class="[a-z- ]*is-([a-z-]+)"', text) == [
        *("shows", "may", "may-not", "may-not"),
    ]
    assert re.findall(r'class="mood">(no green chip is left|in jail)<', text) == [
        *("no green chip is left", "in jail"),
    ]
    assert "rent for Boardwalk" in text  # In the ticker, to be spoken.
    evening.ben.do(evening.game_id, "inspect")
    text = screen(house)
    assert "Ben looks at a note" in text
    assert "Who wants to check a note?" not in text


COMES = r'<li data-revision="(\d+)" data-kind="'


@pytest.mark.parametrize(
    ("scene", "act", "address"),
    [
        (bankrupt, m.DeclareBankrupt(by="red"), "/table"),
        (make_evening, c.Pay(by="red", payer="red", payee="blue", amount=5), "/g/{}/"),
    ],
)
def test_what_comes_while_a_page_is_made_comes_with_the_next_page(
    house: House,
    monkeypatch: pytest.MonkeyPatch,
    scene: Callable[[House], Evening],
    act: c.Command,
    address: str,
):
    evening = scene(house)
    acts = [act]
    table_view = house.table.table_view

    def view_and_act(game_id: GameId) -> TableView:
        view = table_view(game_id)
        if acts:
            give(evening, acts.pop())
        return view

    monkeypatch.setattr(house.table, "table_view", view_and_act)
    shown, came = [], []
    for _ in range(2):
        text = evening.ben.get(address.format(evening.game_id)).text
        shown.append(int(re.search(r'id="live".*?data-revision="(\d+)"', text)[1]))
        came.append([int(number) for number in re.findall(COMES, text)])
    assert max(came[0], default=0) <= shown[0]
    assert shown[0] < max(came[1]) <= shown[1]


def test_the_screen_says_whom_a_card_hits(house: House):
    carding(house)
    assert "Against Ben" in screen(house)


def test_a_game_that_nobody_plays_yet_says_which_one_was_put_away(house: House):
    opened(house)
    house.clock.leap(1_000)
    latest = house.table.open_game("classic", "Late night", "open-the-latest")
    assert "put away" not in screen(house)
    house.table.submit(latest, Envelope(c.CloseGame(by=c.TABLE), "close-the-latest"))
    assert "Late night was put away. The host takes it out" in screen(house)
