"""Deeds and trades over HTTP, by a browser without script."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

import web
from companion.edition import builtin
from companion.game import commands as c
from companion.game import moves as m
from companion.game.position import Bundle
from tests.sample import each
from tests.web.conftest import Evening, House
from tests.web.forms import Form, forms_of, without_first
from tests.web.guided_table import give, guided, page, played, said
from tests.web.http.test_contrast import contrast

ESTATE = (
    "red owns boardwalk short-line oriental-avenue",
    "blue owns park-place water-works",
)


@pytest.fixture
def table(house: House) -> Evening:
    evening = guided(house, "classic", 3)
    said(evening, *ESTATE)
    return evening


def game(evening: Evening):
    return evening.house.table.game(evening.game_id)


def owner(evening: Evening, deed: str) -> str:
    position, board = game(evening).play, game(evening).board
    return position.owners[board.index[deed]]


def offer(evening: Evening, who: str = "ben", **form: object):
    return getattr(evening, who).do(
        evening.game_id, "make-offer", **{"from": "trade"} | form
    )


SWAP = {"taker": "red", "give-deed": "park-place", "want-deed": "short-line"}


# Deeds.


def test_everybody_sees_who_owns_what(table: Evening):
    for who in ("anna", "ben", "host"):
        text = page(table, "deeds?owner=", who)
        for name in ("Boardwalk", "Park Place", "Mediterranean Avenue"):
            assert name in text
    guest = table.house.guest().get(f"/g/{table.game_id}/deeds")
    assert guest.status_code == 200
    assert "Mediterranean Avenue" in guest.text
    assert not [form for form in forms_of(guest.text) if "/do/" in form.action]


def test_a_wallet_is_ones_own_until_another_is_asked_for(table: Evening):
    own = page(table, "deeds")
    assert cards(own) == ["short-line", "oriental-avenue", "boardwalk"]
    assert "Mediterranean Avenue" not in own
    assert cards(page(table, "deeds?owner=blue")) == ["water-works", "park-place"]
    assert "Mediterranean Avenue" in page(table, "deeds?owner=bank")
    assert "Mediterranean Avenue" in page(table, "deeds?owner=nonsense")


def test_what_lacks_is_a_gap_with_its_owner(table: Evening):
    found = r'class="tiny gap"><span class="hush">([^<]*)</span>'
    gaps = re.findall(found, page(table, "deeds"))
    assert "Park Place: Ben" in gaps
    assert "Reading Railroad: Bank" in gaps
    assert len(gaps) == 3 + 2 + 1


def test_the_colour_of_a_deed_lies_open_where_something_was_done_with_it(
    table: Evening,
):
    def opened(text: str) -> list[str]:
        return re.findall(r'<details class="set[^>]*id="set-([^"]*)"[^>]* open', text)

    assert opened(page(table, "deeds")) == []
    assert opened(page(table, "deeds?deed=short-line")) == ["railroad"]
    refused = table.anna.do(
        table.game_id, "build", deed="boardwalk", **{"from": "deeds"}
    )
    assert opened(refused.text) == ["dark-blue"]


def cards(text: str) -> list[str]:
    """The deeds of which a page shows the card."""
    return re.findall(r'<article [^>]*id="deed-([^"]*)"', text)


def test_a_deed_speaks_the_language_of_each_phone(table: Evening):
    words = {"en": "A house", "de": "Ein Haus"}
    for language in ("en", "de", "en"):
        table.anna.client.set_cookie("language", language)
        text = page(table, "deeds/boardwalk")
        assert [x for x in words if words[x] in text] == [language]


def test_a_button_on_a_deed_does_what_it_says(table: Evening):
    (form,) = [
        form
        for form in forms_of(page(table, "deeds"))
        if form.verb == "mortgage" and form.fields["deed"] == "short-line"
    ]
    assert "Mortgage: +$100" in form.words
    answer = table.anna.post(form.action, **form.fields)
    shown = f"/g/{table.game_id}/deeds?deed=short-line"
    assert answer.headers["Location"] == shown
    assert table.balance("red") == 1_600
    assert "Front of Short Line" in page(table, "deeds/short-line")
    text = page(table, "deeds")
    assert "Mortgaged for <b>$100</b>" in text
    assert "Lift for $110" in text


def test_every_button_of_the_page_is_accepted_in_a_random_game(house: House):
    evening = guided(house, "classic", 3)
    said(evening, *ESTATE, "red owns park-place", "red cash 4000")
    played(evening, 80, seed=2)
    dice, pressed = random.Random(3), set()
    for _ in range(12):
        forms = [x for x in forms_of(page(evening, "deeds")) if "/do/" in x.action]
        if not forms:
            break
        form = dice.choice(forms)
        answer = evening.anna.post(form.action, **form.fields)
        assert answer.status_code == 303, (form, answer.text)
        pressed.add(form.verb)
    assert pressed >= {"build", "mortgage"}


def test_a_refusal_keeps_the_page_of_deeds_and_says_why(table: Evening):
    answer = table.anna.do(
        table.game_id, "build", deed="boardwalk", **{"from": "deeds"}
    )
    assert answer.status_code == 409
    assert "To build you need Park Place too. Trade with Ben for it." in answer.text
    assert 'id="deed-boardwalk"' in answer.text


def test_one_deed_shows_all_its_figures_and_its_group(table: Evening):
    text = page(table, "deeds/park-place")
    for figure in ("$35", "$70", "$175", "$1,500", "$350", "$200"):
        assert f"<b>{figure}</b>" in text, figure
    assert "Boardwalk" in text
    assert "Ask Ben for it" in text
    assert "Offer it to somebody" in page(table, "deeds/boardwalk")


def test_a_railroad_says_its_rents_with_a_depot_and_the_bank_what_is_left(
    house: House,
):
    evening = guided(house, "mega")
    said(evening, "red owns reading-railroad", "reading-railroad depots 1")
    deed = evening.anna.get(f"/g/{evening.game_id}/deeds/reading-railroad").text
    assert "1 railroad, 1 depot" in deed
    assert "4 railroads, 1 depot" in deed
    assert "<b>$400</b>" in deed
    deeds = evening.anna.get(f"/g/{evening.game_id}/deeds").text
    assert "3 of 4 depots" in deeds
    assert "8 of 8 skyscrapers" in deeds
    street = evening.anna.get(f"/g/{evening.game_id}/deeds/boardwalk").text
    for words in ("All but one", "Whole group", "1 skyscraper", "A skyscraper"):
        assert words in street


def test_a_deed_that_is_not_there_is_not_found(table: Evening):
    answer = table.anna.get(f"/g/{table.game_id}/deeds/nowhere")
    assert answer.status_code == 404
    assert "This game has no such deed" in answer.text


def test_unknown_figures_are_typed_in_by_a_player(house: House):
    evening = guided(house, "secret-vault")
    said(evening, "red owns boardwalk")
    text = page(evening, "deeds/boardwalk")
    assert "unknown" in text
    forms = [form for form in forms_of(text) if form.verb == "read-box"]
    assert forms
    for form, value in zip(forms, ("90", "99"), strict=True):
        answer = evening.anna.post(form.action, **form.fields, value=value)
        assert answer.status_code == 303, answer.text
    assert "Unknown figures" not in page(evening, "deeds/boardwalk")
    assert "Mortgage: +$90" in page(evening, "deeds")


def test_by_hand_there_are_no_deeds(table: Evening):
    give(table, m.RestPlay(by=c.TABLE))
    for path in ("deeds", "deeds/boardwalk", "trade"):
        answer = table.anna.get(f"/g/{table.game_id}/{path}")
        assert answer.headers["Location"] == f"/g/{table.game_id}/"
    answer = table.anna.do(
        table.game_id, "build", deed="boardwalk", **{"from": "deeds"}
    )
    assert answer.status_code == 409


# A plan for a group.

GREEN = ("pacific-avenue", "north-carolina-avenue", "pennsylvania-avenue")


def test_a_plan_is_carried_out_at_one_tap_once_and_whole(table: Evening):
    said(table, f"red owns {' '.join(GREEN)}")
    assert f"/plan/{GREEN[0]}" in page(table, "deeds")
    query = "&".join(f"level-{one}=2" for one in GREEN[:2])
    text = page(table, f"plan/{GREEN[0]}?{query}&level-{GREEN[2]}=1")
    (form,) = [one for one in forms_of(text) if one.verb == "level"]
    before = table.revision()
    for _ in range(2):
        answer = table.anna.post(form.action, **form.fields)
        shown = f"/g/{table.game_id}/deeds?deed={GREEN[0]}"
        assert answer.headers["Location"] == shown
    assert table.revision() == before + 5
    assert table.balance("red") == 1_500 - 5 * 200
    assert "Anna built" in page(table, "history")


def test_a_plan_that_goes_too_far_is_not_begun(table: Evening):
    said(table, f"red owns {' '.join(GREEN)}")
    before = table.revision()
    levels = {f"level-{one}": "3" for one in GREEN}
    answer = table.anna.do(table.game_id, "level", **levels)
    assert answer.status_code == 409
    assert "You have $100; this costs $200" in answer.text
    assert table.revision() == before
    assert table.balance("red") == 1_500


# Trades.


def test_a_filled_sheet_says_what_would_come_of_it(table: Evening):
    text = page(
        table, "trade?taker=blue&give-cash=100&want-deed=park-place&add-give=50"
    )
    assert 'value="150"' in text
    assert "You get all of Dark blue." in text
    (form,) = [form for form in forms_of(text) if form.verb == "make-offer"]
    assert form.fields["give-cash"] == "150"
    answer = table.anna.post(form.action, **form.fields)
    assert answer.headers["Location"] == f"/g/{table.game_id}/trade"
    (made,) = game(table).play.offers
    assert made.give == Bundle(cash=150)
    assert made.want == Bundle(deeds=("park-place",))


def test_each_side_of_a_trade_has_two_hundred_at_a_tap(table: Evening):
    text = page(table, "trade?taker=blue")
    for side in ("give", "want"):
        amounts = re.findall(rf'name="add-{side}" value="(\d+)"', text)
        assert amounts == ["10", "20", "50", "100", "200", "500"]


HINTS = (
    ("taker=blue", "Tap what changes hands."),
    ("", "Who do you want to trade with?"),
    ("taker=blue&give-cash=ten", "&#39;ten&#39; is no amount."),
    ("taker=blue&give-cash=9", "Money alone is no trade. Add a deed or a card."),
    (
        "taker=blue&give-deed=park-place",
        "Park Place is not yours. Trade with Ben for it.",
    ),
    (
        "taker=blue&want-cash=1600&give-deed=boardwalk",
        "Ben has $1,500; this costs $1,600.",
    ),
)


@pytest.mark.parametrize(("query", "hint"), HINTS)
def test_what_is_missing_or_wrong_is_said_before_it_is_sent(
    table: Evening, query: str, hint: str
):
    text = page(table, f"trade?{query}")
    assert hint in text
    sends = [form for form in forms_of(text) if form.verb == "make-offer"]
    assert bool(sends) == ("Ben has" in hint)


def test_an_offer_is_seen_on_the_other_seats_page_and_taken(table: Evening):
    assert offer(table, **SWAP).status_code == 303
    assert "<b>Ben</b> offers you a trade" in page(table, "")
    for effect in ("$2,350", "+$150"):  # Her worth, and how much more it is.
        assert effect in page(table, "trade")
    (form,) = [form for form in forms_of(page(table, "")) if form.verb == "accept"]
    assert table.anna.post(form.action, **form.fields).status_code == 303
    assert owner(table, "park-place") == "red"
    assert owner(table, "short-line") == "blue"


def test_who_takes_a_mortgage_at_one_tap_has_read_of_it(table: Evening):
    said(table, "park-place mortgaged")
    offer(table, **SWAP)
    asked = asked_in(page(table, "history"))
    assert "Park Place (mortgaged)" in asked
    assert "You pay the bank <b>$18</b> interest for what is mortgaged." in asked
    assert "Short Line (mortgaged)" not in asked
    for path in ("", "trade"):
        asked = asked_in(page(table, path))
        assert asked.count("mortgaged</span>") == 1
        assert "You pay the bank <b>$18</b> interest for what is mortgaged." in asked


def asked_in(text: str) -> str:
    """What a page asks for at its top, up to the button that says yes."""
    _, _, banner = text.partition('class="card ask arrived"')
    return banner.partition("Take it</button>")[0]


def test_trading_says_what_the_seat_has_to_do_before_and_leads_there(table: Evening):
    said(table, "turn red", "red on 7", "stage card")
    text = page(table, "trade")
    assert "Draw a card: Chance. Then you can trade." in text
    assert f'<a class="brass" href="/g/{table.game_id}/">' in text
    text = page(table, "trade", "ben")
    assert "Trading waits: Anna draws a card: Chance." in text
    assert "Then you can trade." not in text


def test_who_has_chosen_nobody_reads_below_the_names_what_trading_waits_for(
    house: House,
):
    table = guided(house, "classic", 3)
    said(table, "turn red", "red on 7", "stage card")
    shown = page(table, "trade", "ben")
    assert '<div id="waits" class="card note">' in shown
    assert '<div id="waits" class="confirm">' in page(table, "trade?taker=red", "ben")


def test_an_offer_is_turned_down(table: Evening):
    offer(table, **SWAP)
    form = next(x for x in forms_of(page(table, "trade")) if x.verb == "reject")
    answer = table.anna.post(form.action, **form.fields)
    assert answer.headers["Location"] == f"/g/{table.game_id}/trade"
    assert game(table).play.offers == ()


def test_an_offer_is_taken_back_by_whoever_made_it(table: Evening):
    offer(table, **SWAP)
    shown = page(table, "trade", "ben")
    assert shown.index("card ask offer") < shown.index('<nav class="filter"')
    for path in ("trade", ""):
        assert "You offered Anna a trade" in page(table, path, "ben")
        (form,) = [
            x for x in forms_of(page(table, path, "ben")) if x.verb == "withdraw"
        ]
    assert not [x for x in forms_of(page(table, "trade")) if x.verb == "withdraw"]
    answer = table.ben.post(form.action, **form.fields)
    assert answer.status_code == 303
    assert game(table).play.offers == ()
    assert "Ben took back the offer to Anna" in page(table, "history")


def test_a_program_takes_an_offer_back_too(table: Evening):
    offer(table, **SWAP)
    tap = {"command_id": table.house.command_id(), "command": {"type": "Withdraw"}}
    origin = {"Origin": "http://localhost"}
    path = f"/api/games/{table.game_id}/commands"
    assert table.anna.client.post(path, json=tap, headers=origin).status_code == 409
    tap["command_id"] = table.house.command_id()
    assert table.ben.client.post(path, json=tap, headers=origin).status_code == 200
    assert game(table).play.offers == ()


def shown(table: Evening, who: str, verb: str) -> Form:
    """The form on somebody's page of trades that does it."""
    return {x.verb: x for x in forms_of(page(table, "trade", who))}[verb]


def test_of_yes_and_taking_back_one_wins_and_the_other_hears_why(table: Evening):
    offer(table, **SWAP)
    mine, theirs = shown(table, "ben", "withdraw"), shown(table, "anna", "accept")
    assert table.ben.post(mine.action, **mine.fields).status_code == 303
    answer = table.anna.post(theirs.action, **theirs.fields)
    assert answer.status_code == 409
    assert "Ben has taken the offer back" in answer.text
    assert owner(table, "park-place") == "blue"
    offer(table, **SWAP)
    mine, theirs = shown(table, "ben", "withdraw"), shown(table, "anna", "accept")
    assert table.anna.post(theirs.action, **theirs.fields).status_code == 303
    answer = table.ben.post(mine.action, **mine.fields)
    assert answer.status_code == 409
    assert "No offer of yours is open" in answer.text
    assert owner(table, "park-place") == "red"


def test_an_offer_goes_from_the_phones_when_its_goods_change(table: Evening):
    offer(table, **SWAP)
    theirs = shown(table, "anna", "accept")
    path = f"/api/games/{table.game_id}/commands"
    tap = {
        "command_id": table.house.command_id(),
        "command": {"type": "Mortgage", "deed": SWAP["give-deed"]},
    }
    origin = {"Origin": "http://localhost"}
    assert table.ben.client.post(path, json=tap, headers=origin).status_code == 200
    tap = {"command_id": table.house.command_id(), "command": {"type": "Accept"}}
    answer = table.anna.client.post(path, json=tap, headers=origin)
    assert answer.status_code == 409
    assert "what blue offered has changed since" in answer.text
    assert (
        "What Ben offered has changed"
        in table.anna.post(theirs.action, **theirs.fields).text
    )
    assert "accept" not in {
        form.verb for form in forms_of(page(table, "trade", "anna"))
    }
    lapsed = "Ben&#39;s offer to Anna lapsed: Park Place was mortgaged"
    assert lapsed in page(table, "history", "anna")


def test_both_phones_and_the_screen_say_what_becomes_whole(table: Evening):
    trade = "trade?taker=blue&give-deed=short-line&want-deed=park-place"
    mine = page(table, trade)
    assert "You get all of Dark blue." in mine
    rent = "Boardwalk then brings <b>$100</b> rent, not <b>$50</b>."
    assert rent in mine
    give = {"taker": "blue", "give-deed": "short-line", "want-deed": "park-place"}
    offer(table, "anna", **give)
    for text in (page(table, "", "ben"), page(table, "history", "ben")):
        assert "Anna gets all of Dark blue." in text
        assert rent in text
    screen = table.house.guest().get("/table").text
    assert "Anna gets all of Dark blue." in screen
    assert rent in screen
    table.ben.do(table.game_id, "reject")
    assert "all of Dark blue" not in table.house.guest().get("/table").text


def test_a_step_more_or_less_of_what_is_counted_is_worked_out_without_script(
    table: Evening,
):
    said(table, "red cards chance-09 chest-05")
    text = page(table, "trade?taker=blue&give-jail-cards=1&up=give-jail-cards")
    assert '<option value="2" selected>2</option>' in text
    text = page(table, "trade?taker=blue&give-jail-cards=0&down=give-jail-cards")
    assert '<option value="0" selected>0</option>' in text
    assert text.index("give-deed") < text.index("give-jail-cards")
    assert text.index("give-jail-cards") < text.index('name="give-cash"')


def test_a_counter_begins_with_the_offer_the_other_way_round(table: Evening):
    offer(table, **SWAP, **{"give-cash": "20"})
    text = page(table, "trade?counter=begin")
    for ticked in (
        'name="give-deed" value="short-line" checked',
        'name="want-deed" value="park-place" checked',
        'name="want-cash" inputmode="numeric" maxlength="40" '
        'placeholder="0" value="20"',
    ):
        assert ticked in text
    (form,) = [form for form in forms_of(text) if form.verb == "counter"]
    answer = table.anna.post(form.action, **form.fields)
    assert answer.headers["Location"] == f"/g/{table.game_id}/trade"
    (made,) = game(table).play.offers
    assert (made.giver, made.taker) == ("red", "blue")
    assert made.want == Bundle(cash=20, deeds=("park-place",))


def test_a_counter_that_is_sent_twice_counts_once(table: Evening):
    offer(table, **SWAP)
    text = page(table, "trade?counter=begin")
    (form,) = [form for form in forms_of(text) if form.verb == "counter"]
    table.anna.post(form.action, **form.fields)
    revision = table.revision()
    offer(table, taker="red", **{"give-deed": "water-works"})
    assert table.anna.post(form.action, **form.fields).status_code == 303
    assert table.revision() == revision + 1
    assert [x.giver for x in game(table).play.offers] == ["red", "blue"]


def test_a_counter_that_the_rules_refuse_leaves_the_offer_open(table: Evening):
    offer(table, **SWAP)
    answer = table.anna.post(
        f"/g/{table.game_id}/counter",
        **{"from": "trade", "taker": "blue", "give-cash": "5"},
    )
    assert answer.status_code == 409
    assert [x.giver for x in game(table).play.offers] == ["blue"]


@pytest.mark.parametrize("typed", ["1.4", "abc", "1.400"])
@pytest.mark.parametrize("verb", ["counter", "do/make-offer"])
def test_an_offer_never_leaves_out_an_amount_that_is_none(
    table: Evening, verb: str, typed: str
):
    offer(table, **SWAP)
    trade = {"taker": "blue", "give-deed": "short-line", "want-cash": typed}
    answer = table.anna.post(
        f"/g/{table.game_id}/{verb}", command_id="counter-1", **trade
    )
    assert answer.status_code == 400
    assert f"&#39;{typed}&#39; is no amount" in answer.text
    assert [x.giver for x in game(table).play.offers] == ["blue"]


def test_a_counter_to_an_offer_that_is_gone_is_an_offer(table: Evening):
    assert "Who do you want to trade with?" in page(table, "trade?counter=begin")
    form = {"taker": "blue", "give-deed": "short-line", "want-cash": "5"}
    answer = table.anna.post(f"/g/{table.game_id}/counter", **form)
    assert answer.status_code == 303
    assert [x.giver for x in game(table).play.offers] == ["red"]


def test_a_refused_offer_keeps_what_was_filled_in(table: Evening):
    answer = offer(
        table,
        "anna",
        taker="blue",
        **{"give-cash": "9000", "want-deed": "park-place"},
    )
    assert answer.status_code == 409
    assert 'value="9000"' in answer.text
    assert 'name="want-deed" value="park-place" checked' in answer.text


def test_only_players_trade(table: Evening):
    answer = table.house.guest().get(f"/g/{table.game_id}/trade")
    assert answer.headers["Location"] == f"/g/{table.game_id}/join"
    answer = table.host.get(f"/g/{table.game_id}/trade")
    assert answer.headers["Location"] == f"/g/{table.game_id}/bank"
    answer = table.house.guest().post(f"/g/{table.game_id}/counter", taker="blue")
    assert answer.status_code == 403


def test_cards_and_hotels_are_traded_too(house: House):
    evening = guided(house, "secret-vault")
    said(evening, "red hotels 2", "red cards jail-card", "blue owns boardwalk")
    text = page(
        evening,
        "trade?taker=blue&give-hotels=1&give-jail-cards=1&want-deed=boardwalk",
    )
    (form,) = [form for form in forms_of(text) if form.verb == "make-offer"]
    assert evening.anna.post(form.action, **form.fields).status_code == 303
    (made,) = game(evening).play.offers
    assert made.give == Bundle(jail_cards=1, hotels=1)
    assert "1 hotel" in page(evening, "", "ben")


def test_amounts_are_never_read_beyond_reason(table: Evening):
    text = page(table, f"trade?taker=blue&give-cash={'9' * 40}&want-deed=park-place")
    assert "is too much: $1,000,000 at most" in text
    answer = table.anna.get(f"/g/{table.game_id}/trade?taker={'x' * 500}")
    assert answer.status_code == 400


# Colours that meet on a deed, which is the same paper in both themes.

STATIC = Path(web.__file__).parent / "static"
PAIRS = (
    ("paper-ink", "paper"),
    ("paper-soft", "paper"),
    ("paper-cost", "paper"),
    ("paper-gain", "paper"),
    ("paper-ink", "paper-back"),
    ("paper-soft", "paper-back"),
    ("paper-ink", "paper-now"),
)


def papers() -> list[dict[str, str]]:
    """The paper's colours, by theme, as far as they differ from the first."""
    css = "".join((STATIC / name).read_text() for name in ("estate.css", "dark.css"))
    blocks = re.findall(r":root[^{]*\{([^}]*--paper:[^}]*)\}", css)
    found = [dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{6})", x)) for x in blocks]
    return [{**found[0], **one} for one in found]


@each(("front", "back"), PAIRS)
def test_what_stands_on_a_deed_can_be_read(front: str, back: str):
    assert len(papers()) == 2
    for paper in papers():
        assert contrast(paper[front], paper[back]) >= 4.5, paper


@pytest.mark.parametrize("path", ["deeds", "deeds/boardwalk", "trade?taker=blue", ""])
def test_every_page_can_be_read_in_another_language(table: Evening, path: str):
    offer(table, **SWAP)
    table.anna.client.set_cookie("language", "de")
    text = without_first(page(table, path))
    assert '<html lang="de"' in text
    assert "{" not in re.sub(r"<[^>]*>", "", text)  # No gap is left unfilled.


@pytest.mark.parametrize("edition", ["classic", "secret-vault"])
def test_whoever_owns_everything_has_a_short_page(house: House, edition: str) -> None:
    evening = guided(house, edition)
    for deed in builtin(edition).deeds:
        said(evening, f"red owns {deed.id}")
    page = evening.anna.get(f"/g/{evening.game_id}/deeds").text
    assert len(page.encode()) < 60_000
    assert page.count("<article") == len(builtin(edition).deeds)
    assert 'class="ladder"' not in page
    deed = evening.anna.get(f"/g/{evening.game_id}/deeds/boardwalk").text
    assert 'class="ladder"' in deed
