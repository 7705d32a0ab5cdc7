"""The Mega Edition over HTTP, by a browser without script: dice, tickets, plans."""

from __future__ import annotations

import re
from contextlib import suppress
from itertools import cycle

import pytest

from companion.errors import Refused
from tests.web.conftest import Evening, House
from tests.web.forms import Form, forms_of, questions_of
from tests.web.guided_table import guided, page, said
from tests.web.scenes import BIG, three_dice


@pytest.fixture
def table(house: House) -> Evening:
    evening = guided(house, "mega", 4, {"dice": "typed"})
    said(evening, *BIG)
    return evening


def form(text: str, verb: str) -> Form:
    (found,) = [one for one in forms_of(text) if one.verb == verb]
    return found


def position(evening: Evening):
    return evening.house.table.game(evening.game_id).play


def token(evening: Evening, seat: str = "red"):
    return position(evening).token_of(seat)


def plain(text: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", text))


# Dice.


def test_three_dice_are_typed_in_three_taps(table: Evening):
    roll = form(page(table), "roll")
    assert set(roll.choices) == {"die-1", "die-2"}
    assert roll.buttons == [
        ("die-3", "1"),
        ("die-3", "2"),
        ("die-3", "3"),
        ("special", "mr"),
        ("special", "bus"),
    ]
    sent = {"die-1": "1", "die-2": "2", "special": "mr"}
    assert table.anna.post(roll.action, **roll.fields, **sent).status_code == 303
    assert position(table).dice == (1, 2)
    assert position(table).bonus == "mr"


def test_in_jail_two_dice_are_typed(table: Evening):
    said(table, "red jailed 0")
    roll = form(page(table), "roll")
    assert set(roll.choices) == {"die-1"}
    assert {name for name, _ in roll.buttons} == {"die-2"}


def test_without_script_every_roll_can_be_looked_up(table: Evening):
    said(table, "red on 4")
    text = page(table)
    assert len(re.findall(r'<li class="path"', text)) == 15
    assert "Vermont Avenue, then Maryland Avenue" in plain(text)
    assert "Third die shows Mr. Monopoly" in text


def test_the_companions_own_third_die_falls_as_well(house: House):
    evening = guided(house, "mega", 2, {"dice": "rolled"})
    roll = form(page(evening), "roll")
    assert evening.anna.post(roll.action, **roll.fields).status_code == 303
    assert len(position(evening).faces) == 3
    assert 'class="path"' not in page(evening)


# Choices.


def test_three_alike_lead_to_any_space_in_one_tap(house: House):
    evening = three_dice(house, (2, 2, 2))
    choose = form(page(evening), "choose")
    assert len(choose.buttons) == 52
    assert ("word", "free-parking") in choose.buttons
    evening.anna.post(choose.action, **choose.fields, word="free-parking")
    assert token(evening).space == 26
    assert position(evening).mover.seat == "blue"


def test_the_mr_monopoly_move_is_shown_before_it_happens(house: House):
    evening = three_dice(house, (1, 2), "mr")
    assert "Then Mr. Monopoly takes you on to Arctic Avenue" in page(evening)
    assert "Then Mr. Monopoly takes Anna on to Arctic Avenue" in page(
        evening, who="ben"
    )
    buy = form(page(evening), "buy")
    evening.anna.post(buy.action, **buy.fields)
    assert token(evening).space == 4
    leave = form(page(evening), "pass-bid")
    assert leave.words.startswith("Leave it")
    evening.anna.post(leave.action, **leave.fields)
    assert position(evening).mover.seat == "blue"
    assert "did not buy Arctic Avenue" in page(evening)


def test_the_bus_takes_a_token_on_or_leaves_a_ticket(house: House):
    evening = three_dice(house, (1, 2), "bus", "baltic-avenue owner red")
    ticket, onward = (x for x in forms_of(page(evening)) if x.verb == "choose")
    assert ticket.words.startswith("Take a bus ticket")
    assert onward.words.startswith("Go on to Chance")
    evening.anna.post(ticket.action, **ticket.fields)
    draw = form(page(evening), "draw")
    assert draw.words == "Draw a bus ticket"
    evening.anna.post(draw.action, **draw.fields)
    assert token(evening).tickets in (1, 3), "one more, or all others expired"


# Tickets.


def test_tickets_lie_face_up_for_everybody(table: Evening):
    for who in ("anna", "ben"):
        text = plain(page(table, who=who))
        assert "2 bus tickets" in text
        assert "1 bus ticket" in text


def test_one_tap_takes_the_bus(table: Evening):
    text = page(table)
    assert "Where does a ticket take you?" in text
    ride = form(text, "use-ticket")
    spaces = [value for _, value in ride.buttons]
    assert spaces[0] == "mediterranean-avenue"
    assert spaces[-1] == "jail"
    table.anna.post(ride.action, **ride.fields, space="arctic-avenue")
    assert (token(table).space, token(table).tickets) == (4, 1)
    assert "Anna took the bus to Arctic Avenue" in plain(page(table, who="ben"))


def test_a_ticket_is_not_used_from_a_page_that_shows_an_older_table(table: Evening):
    ride = form(page(table), "use-ticket")
    said(table, "blue owns arctic-avenue baltic-avenue")
    answer = table.anna.post(ride.action, **ride.fields, space="arctic-avenue")
    assert answer.status_code == 409
    assert token(table).tickets == 2


def test_nobody_else_is_offered_a_ride(table: Evening):
    assert "use-ticket" not in page(table, who="ben")
    answer = table.ben.do(table.game_id, "use-ticket", space="arctic-avenue")
    assert answer.status_code == 409


def test_tickets_are_traded(table: Evening):
    text = page(table, "trade?taker=red", "ben")
    (sheet,) = (x for x in questions_of(text) if "want-tickets" in x.choices)
    assert sheet.choices["want-tickets"] == ["0", "1", "2"]
    told = page(table, "trade?taker=red&give-cash=100&want-tickets=2", "ben")
    offer = form(told, "make-offer")
    assert offer.fields["want-tickets"] == "2"
    table.ben.post(offer.action, **offer.fields)
    assert "2 bus tickets" in plain(page(table, "trade"))
    yes = next(x for x in forms_of(page(table)) if x.verb == "accept")
    assert table.anna.post(yes.action, **yes.fields).status_code == 303
    assert (token(table).tickets, token(table, "blue").tickets) == (0, 2)
    assert table.balance("red") == 2_600


def test_a_trade_says_how_many_tickets_each_has_then(table: Evening):
    told = plain(page(table, "trade?taker=green&give-tickets=1&want-cash=50"))
    assert "Bus tickets 1 \N{MINUS SIGN}1" in told
    assert "Bus tickets 2 +1" in told
    assert "+1" not in plain(page(table, "trade?taker=green&give-cash=1"))


def test_a_skyscraper_that_is_refused_is_told_by_its_own_rule(table: Evening):
    said(table, *(f"{x} hotels 1" for x in BIG[0].split()[2:5]))
    rule = "you may build skyscrapers"
    built = "&".join(
        f"level-{x}={6 if at == 0 else 5}" for at, x in enumerate(BIG[0].split()[2:5])
    )
    assert rule in page(table, f"{PLAN}?{built}")
    assert rule in page(table, "deeds/new-york-avenue")


def test_nobody_trades_more_tickets_than_there_are(table: Evening):
    told = page(table, "trade?taker=red&give-cash=100&want-tickets=3", "ben")
    assert "Anna does not have so many bus tickets. Agree on another trade." in told
    assert not [x for x in forms_of(told) if x.verb == "make-offer"]


# A plan.


PLAN = "plan/st-james-place"
TWO_EACH = "?level-st-james-place=3&level-tennessee-avenue=3&level-new-york-avenue=3"


def test_a_plan_shows_before_and_after_and_is_done_in_one_tap(table: Evening):
    assert 'href="/g/' + table.game_id + '/plan/st-james-place"' in page(table, "deeds")
    text = page(table, PLAN + TWO_EACH)
    assert "It costs $200 . Then you have $2,300 ." in plain(text)
    do = form(text, "level")
    answer = table.anna.post(do.action, **do.fields)
    assert answer.headers["Location"].endswith("/deeds?deed=st-james-place")
    assert table.balance("red") == 2_300
    built = "Anna built for $200; there are now: St. James Place: three houses"
    assert built in plain(page(table))


def test_plus_and_minus_work_without_script(table: Evening):
    text = page(table, PLAN + "?up=new-york-avenue")
    assert "New York Avenue would be two or more ahead of St. James Place." in text
    assert not [x for x in forms_of(text) if x.verb == "level"]
    text = page(table, PLAN + "?down=new-york-avenue")
    assert form(text, "level").fields["level-new-york-avenue"] == "2"
    assert "It brings $50" in plain(text)


def test_the_last_street_is_built_up_by_a_plan(house: House):
    evening = three_dice(house, (1, 2, 3), "", "red on 19")
    buy = form(page(evening), "buy")
    evening.anna.post(buy.action, **buy.fields)
    text = page(evening)
    assert "Even out your houses: Orange" in text
    assert 'href="/g/' + evening.game_id + '/plan/new-jersey-avenue"' in text
    assert "Anna evens out the houses: Orange" in page(evening, who="ben")
    shown = page(evening, "plan/new-jersey-avenue")
    do = form(shown, "level")
    assert do.fields["level-new-jersey-avenue"] == "2"
    answer = evening.anna.post(do.action, **do.fields)
    assert answer.headers["Location"] == f"/g/{evening.game_id}/"
    assert position(evening).stage == "roll"


def test_whoever_waits_for_a_group_to_be_even_is_told_so_on_the_deeds(house: House):
    evening = three_dice(house, (1, 2, 3), "", "red on 19")
    buy = form(page(evening), "buy")
    evening.anna.post(buy.action, **buy.fields)
    waits = "Anna evens out the houses: Orange."
    assert waits in page(evening, "deeds", "ben")
    assert waits not in page(evening, "deeds")
    assert "mortgage" in {one.verb for one in forms_of(page(evening, "deeds"))}


def test_a_plan_of_no_deed_or_by_nobody_leads_elsewhere(table: Evening):
    assert table.anna.get(f"/g/{table.game_id}/plan/no-such-avenue").status_code == 404
    guest = table.house.guest().get(f"/g/{table.game_id}/{PLAN}")
    assert guest.headers["Location"] == f"/g/{table.game_id}/deeds"
    other = page(table, PLAN, "ben")
    assert "You build once you have all but one of the group" in other
    odd = table.anna.get(f"/g/{table.game_id}/{PLAN}?level-st-james-place=many")
    assert odd.status_code == 400


# Deeds and corrections.


def test_a_depot_is_built_and_doubles_the_rent(table: Evening):
    said(table, "red owns reading-railroad")
    text = page(table, "deeds/reading-railroad")
    build = next(x for x in forms_of(text) if x.verb == "build")
    assert build.words == "Build for $100 a depot"
    table.anna.post(build.action, **build.fields)
    text = plain(page(table, "deeds/reading-railroad"))
    assert "$50" in text
    assert "1 railroad, 1 depot" in text
    assert "Sell: +$50" in text


def test_tickets_depots_and_skyscrapers_are_put_right(table: Evening):
    text = page(table, "correct", "host")
    sheets = {
        one.fields.get("what", ""): one
        for one in forms_of(text)
        if one.verb == "correct-position"
    }
    assert "bank" in sheets["tickets"].choices["subject"]
    assert "A skyscraper costs" in text
    for fields in (
        {"subject": "blue", "what": "tickets", "n": "3"},
        {"subject": "bank", "what": "tickets", "n": "5"},
        {"subject": "short-line", "value": "depots 1"},
        {"subject": "boardwalk", "value": "skyscrapers 1", "sure": "yes"},
    ):
        answer = table.host.do(
            table.game_id, "correct-position", **{"from": "correct"}, **fields
        )
        assert answer.status_code in (303, 409), answer.text
    assert token(table, "blue").tickets == 3
    text = plain(page(table, "history"))
    assert "Ben has 3 bus tickets" in text
    assert "the bank has 5 bus tickets" in text
    assert "one depot on Short Line" in text


def test_the_button_that_rolls_shows_as_many_dice_as_are_rolled(house: House) -> None:
    evening = guided(house, "mega", 2, {"dice": "rolled"})
    button = page(evening).partition('tall main">')[2].partition("</button>")[0]
    assert button.count('class="die') == 3
    said(evening, "red jailed 1")
    button = page(evening).partition('tall main">')[2].partition("</button>")[0]
    assert button.count('class="die') == 2


def test_the_fullest_board_is_a_light_page(house: House) -> None:
    """Eight people, all deeds owned, and as many buildings as the box has."""
    evening = guided(house, "mega", 8)
    game = house.table.game(evening.game_id)
    groups: dict[str, list[str]] = {}
    for deed in game.board.rules.deeds:
        groups.setdefault(deed.group, []).append(deed.id)
    for seat, deeds in zip(cycle(game.seats), groups.values(), strict=False):
        said(evening, f"{seat.seat} owns {' '.join(deeds)}")
    for deed in game.board.rules.deeds:
        with suppress(Refused):  # It has no houses, or the bank has none left.
            said(evening, f"{deed.id} houses 3")
    evening.anna.client.set_cookie("language", "de")
    text = page(evening, "board")
    assert text.count("#house") > 40
    assert len(text.encode()) < 60_000
