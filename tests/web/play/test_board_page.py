"""The table's screen with a board on it, the board on a phone, and the chart."""

from __future__ import annotations

import itertools
import re
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from flask import Flask
from hypothesis import given
from hypothesis import strategies as st

import web
from companion.game import commands as c
from companion.game import moves as m
from companion.rules.seats import COLOURS, TOKENS
from companion.units import GameId, Revision
from tests.test_sixth_box import EDITIONS
from tests.web.conftest import House
from tests.web.forms import without_first
from tests.web.guided_table import give, guided, played, said
from tests.web.http.test_contrast import THEMES, contrast
from web.play.board import BOOKS_MAX, WorthBooks, blueprint
from web.play.worth_chart import DASHES, LOOKS, spread

STATIC = Path(web.__file__).parent / "static"


def test_the_screen_shows_the_board_only_while_the_companion_leads(house: House):
    evening = guided(house)
    assert '<div class="tabletop">' in house.guest().get("/table").text
    give(evening, m.RestPlay(by=c.TABLE))
    assert '<div class="tabletop">' not in house.guest().get("/table").text
    give(evening, m.ResumePlay(by=c.TABLE))
    assert '<div class="tabletop">' in house.guest().get("/table").text


def test_the_screen_tells_whose_turn_it_is_and_what_is_where(house: House):
    evening = guided(house, seats=3)
    said(evening, "blue owns boardwalk park-place", "boardwalk houses 1", "turn blue")
    text = house.guest().get("/table").text
    assert "<h1 " in text
    assert "Ben rolls the dice" in text
    assert 'aria-label="39: Boardwalk, owned by Ben, 1 house"' in text
    assert 'aria-label="37: Park Place, owned by Ben"' in text
    assert 'aria-label="Anna stands on GO"' in text
    assert text.count('class="token ') == 3
    assert text.count('<use class="house"') == 1


def test_the_screen_shows_tickets_in_hand_face_up(house: House):
    evening = guided(house, "mega", seats=3)
    assert "held-tickets" not in house.guest().get("/table").text
    said(evening, "red tickets 3", "blue tickets 1")
    text = house.guest().get("/table").text
    assert text.count('class="held-tickets"') == 2
    assert 'aria-label="3 bus tickets"' in text
    assert 'aria-label="one bus ticket"' in text
    german = house.guest().get("/table", **{"Accept-Language": "de"}).text
    assert 'aria-label="3 Busfahrkarten"' in german
    assert "noch 12" in german


def test_a_box_of_ones_own_has_chips_tickets_and_a_vault_on_one_screen(make_house):
    house = make_house(catalogue=EDITIONS)
    evening = guided(house, "harbour-lights", seats=4)
    said(evening, "red tickets 2", "red on 9")
    text = house.guest().get("/table").text
    assert text.count('class="space ') == 28
    assert text.count('class="held-tickets"') == 1
    assert text.count('class="pieces"') == 4
    assert 'id="purse-vault"' in text
    page = evening.anna.get(f"/g/{evening.game_id}/board").text
    strip = page.partition('<div class="pocket">')[0]
    assert strip.count('class="space ') == 8
    rules = evening.anna.get(f"/g/{evening.game_id}/rules").text
    for chapter in ("Bus tickets", "The vault", "Fakes"):
        assert f"<h2>{chapter}</h2>" in rules


def test_each_phone_reads_the_board_in_its_own_language(house: House):
    evening = guided(house, "secret-vault", seats=2)
    said(evening, "blue owns boardwalk", "boardwalk hotels 1")
    page = f"/g/{evening.game_id}/board"
    english = evening.anna.get(page).text
    german = evening.ben.get(page, **{"Accept-Language": "de"}).text
    assert "39: Boardwalk, owned by Ben, 1 hotel" in english
    assert "39: Boardwalk, gehört Ben, 1 Hotel" in german
    assert "gehört" not in evening.anna.get(page).text
    said(evening, "boardwalk hotels 2")
    assert "39: Boardwalk, owned by Ben, 2 hotels" in evening.anna.get(page).text
    assert (
        "39: Boardwalk, gehört Ben, 2 Hotels"
        in evening.ben.get(page, **{"Accept-Language": "de"}).text
    )


def test_every_space_is_drawn_with_a_picture_that_there_is(house: House):
    guided(house)
    text = house.guest().get("/table").text
    assert text.count('class="space ') == 40
    for file in ("spaces.svg", "tokens.svg"):
        drawn = (STATIC / file).read_text(encoding="utf-8")
        there = set(re.findall(r'<symbol id="([a-z-]+)"', drawn))
        used = set(re.findall(rf'{file}\?v=[0-9a-f]+#([a-z-]+)"', text))
        assert used
        assert used <= there
    assert set(TOKENS) <= there


def test_a_board_of_52_spaces_has_a_picture_for_each(house: House):
    evening = guided(house, "mega", seats=8)
    said(evening, "red owns reading-railroad", "reading-railroad depots 1")
    text = house.guest().get("/table").text
    assert text.count('class="space ') == 52
    assert text.count('<use class="depot"') == 1
    drawn = (STATIC / "spaces.svg").read_text(encoding="utf-8")
    there = set(re.findall(r'<symbol id="([a-z-]+)"', drawn))
    used = set(re.findall(r'spaces\.svg\?v=[0-9a-f]+#([a-z-]+)"', text))
    assert {"auction", "birthday-gift", "bus-ticket", "depot"} <= used <= there


def test_a_kind_of_space_without_a_drawing_ends_the_start(tmp_path: Path):
    drawn = (STATIC / "spaces.svg").read_text(encoding="utf-8")
    lacking = drawn.replace('id="birthday-gift"', 'id="birthday"')
    (tmp_path / "spaces.svg").write_text(lacking, encoding="utf-8")
    app = Flask("odd", static_folder=str(tmp_path))
    with pytest.raises(LookupError, match="no drawing 'birthday-gift'"):
        app.register_blueprint(blueprint)


def test_a_drawing_has_no_style_and_no_script_of_its_own(house: House):
    played(guided(house, seats=4), 150)
    text = without_first(house.guest().get("/table").text)
    assert " style=" not in text
    assert not re.search(r"<script(?! src=)", text)
    assert not re.search(r" on[a-z]+=", text)


def test_names_cannot_break_out_of_the_drawing(house: House):
    evening = guided(house)
    give(evening, c.RenameSeat(by="red", seat="red", name='"><svg onload=x>'))
    for path in ("/table", f"/g/{evening.game_id}/board"):
        text = house.guest().get(path).text
        assert "<svg onload" not in text
    chart = house.guest().get(f"/g/{evening.game_id}/worth.svg").data
    assert each(ElementTree.fromstring(chart), "script") == []


def test_the_end_names_the_winner_on_the_screen(house: House):
    evening = guided(house)
    said(evening, "red cash 2000")
    give(evening, m.CallTime(by=c.TABLE))
    text = house.guest().get("/table").text
    assert 'class="at-1 high-1 c-red"' in text
    assert "The game is over, since the time is up" in text


def test_a_phone_has_a_narrow_board_of_its_own(house: House):
    evening = played(guided(house, seats=3), 60)
    text = house.guest().get(f"/g/{evening.game_id}/board").text
    assert 'viewBox="0 0 900 1120"' in text
    assert text.count('class="space ') == 40
    assert 'class="strip"' not in text


def test_a_seat_sees_its_own_side_large_above_the_board(house: House):
    evening = guided(house)
    said(evening, "blue owns boardwalk park-place", "red on 32")
    path = f"/g/{evening.game_id}/board"
    text = evening.anna.get(path).text
    strip, board = text.split('<div class="pocket">')
    assert 'aria-label="Your side of the board"' in strip
    assert strip.count('class="space ') == 11
    assert board.count('class="space ') == 40
    assert strip.count('class="here"') == 1
    deeds = f'href="/g/{evening.game_id}/deeds/boardwalk"'
    assert strip.count(deeds) == 1
    assert strip.count('role="listitem"') == 11 + strip.count('class="token ')
    assert "<a " not in board.partition("</svg>")[0]
    assert 'aria-label="Anna stands on North Carolina Avenue"' in strip
    assert "Ben stands on GO" in strip
    assert ">$100</text>" in strip
    assert "Go To Jail" in evening.anna.get(path).text
    german = evening.ben.get(path, **{"Accept-Language": "de"}).text
    assert 'aria-label="Deine Seite des Bretts"' in german
    assert text.count('id="turned"') == 1


def test_by_hand_the_board_leads_back_to_the_seat(house: House):
    evening = guided(house)
    give(evening, m.RestPlay(by=c.TABLE))
    answer = evening.anna.get(f"/g/{evening.game_id}/board")
    assert answer.status_code == 303
    assert answer.headers["Location"] == f"/g/{evening.game_id}/"


def test_the_board_leaks_nothing(house: House):
    """Cards that nobody has seen are nowhere; a kept card is not even counted."""
    evening = guided(house)
    said(evening, "red cards jail-card")
    for path in ("/table", f"/g/{evening.game_id}/board"):
        text = house.guest().get(path).text
        assert "chance-" not in text.replace('class="', "")
        assert "chest-0" not in text


# The chart.


def each(drawn: ElementTree.Element, kind: str) -> list[ElementTree.Element]:
    return [x for x in drawn.iter() if x.tag.endswith(f"}}{kind}")]


def svg(house: House, game_id: GameId, **wanted: str) -> ElementTree.Element:
    answer = house.guest().client.get(f"/g/{game_id}/worth.svg", query_string=wanted)
    assert answer.status_code == 200
    assert answer.mimetype == "image/svg+xml"
    return ElementTree.fromstring(answer.data)


def test_a_chart_has_a_line_and_a_name_for_every_seat(house: House):
    evening = played(guided(house, seats=4), 200)
    for seat, name in (
        *(("blue", "Karl-Friedrich-Alexander"), ("green", "Maximilian der Kleine")),
        ("orange", "Maximilian-Otto"),
    ):
        give(evening, c.RenameSeat(by=c.TABLE, seat=seat, name=name))
    drawn = svg(house, evening.game_id, theme="dark")
    names = [x.text for x in each(drawn, "text") if x.get("class") == "label"]
    assert sorted(names) == ["Anna", "Karl", "Maximilian …", "Maximilian-…"]
    lines = [x for x in each(drawn, "path") if "line reactive" in x.get("class", "")]
    assert len(lines) == 4
    assert each(drawn, "script") == []


def test_the_amounts_beside_a_chart_go_up_in_equal_steps(house: House):
    evening = guided(house, seats=4)
    for moves in (0, 60, 200, 400):
        played(evening, moves)
        words = [x.text or "" for x in each(svg(house, evening.game_id), "text")]
        amounts = [int(x[1:].replace(",", "")) for x in words if x.startswith("$")]
        steps = {after - before for before, after in itertools.pairwise(amounts)}
        assert len(steps) == 1, amounts
        assert 0 in amounts
        assert 3 <= len(amounts) <= 6


def test_the_same_worths_draw_the_same_chart(house: House):
    evening = played(guided(house), 60)
    path = f"/g/{evening.game_id}/worth.svg"
    one, other = (house.guest().get(path).data for _ in range(2))
    assert one == other
    assert b"<!--" not in one


def test_a_chart_of_a_game_that_has_not_begun_is_still_a_picture(house: House):
    evening = guided(house)
    assert svg(house, evening.game_id).tag.endswith("svg")


def test_a_chart_is_kept_by_the_browser_only_under_an_address_that_changes(
    house: House,
):
    evening = guided(house)
    path = f"/g/{evening.game_id}/worth.svg"
    assert house.guest().get(path).headers["Cache-Control"] == "no-store"
    kept = house.guest().get(f"{path}?at=0-1500").headers["Cache-Control"]
    assert kept == "private, max-age=3600"


def test_a_chart_of_no_game_is_not_there(house: House):
    assert house.guest().get("/g/000000000000/worth.svg").status_code == 404


@pytest.mark.parametrize("theme", LOOKS)
def test_every_seat_has_a_line_that_can_be_seen(theme: str):
    look = LOOKS[theme]
    assert set(look.seats) == set(COLOURS)
    assert all(contrast(one, look.ground) >= 4.5 for one in look.seats.values())
    assert contrast(look.ink, look.ground) >= 7


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_words_on_felt_and_on_spaces_can_be_read(theme: str):
    sheet = "dark.css" if theme == "dark" else "board.css"
    css = (STATIC / sheet).read_text(encoding="utf-8")
    felt, plot = (
        re.findall(rf"--{name}: (#[0-9a-f]{{6}})", css)[0] for name in ("felt", "plot")
    )
    for ink in ("on-ground", "on-ground-soft"):
        assert contrast(THEMES[theme][ink], felt) >= 4.5
    for ink in ("#16231d", "#8a1414", "#2b4a3d"):
        assert contrast(ink, plot) >= 4.5


def test_no_two_seats_have_the_same_dashes():
    assert len(set(DASHES)) == len(COLOURS)


PLACES = st.lists(st.floats(0, 160), min_size=1, max_size=8).map(sorted)


@given(PLACES)
def test_names_beside_lines_never_cover_each_other(places: list[float]):
    found = spread(places, 17, (15, 156))
    assert len(found) == len(places)
    gaps = [low - high for high, low in itertools.pairwise(found)]
    assert all(gap >= 17 - 1e-6 for gap in gaps)
    assert found[0] >= 15 - 1e-6
    assert found[-1] <= 156 + 1e-6


def test_names_that_are_apart_stay_where_they_are():
    assert spread([20.0, 60.0, 140.0], 17, (15, 156)) == [20, 60, 140]


def test_only_a_few_games_are_kept_counted(house: House):
    evening = guided(house)
    asked: list[tuple[str, int]] = []

    def undone(_game_id: GameId):
        return house.table.undone(evening.game_id)

    def entries(game_id: GameId, after: int, until: Revision):
        asked.append((game_id, after))
        return house.table.each_entry(evening.game_id, after, until)

    books = WorthBooks(undone, entries)
    for at in range(BOOKS_MAX + 1):
        books.worths(f"game-{at}")
    asked.clear()
    books.worths(f"game-{BOOKS_MAX}")
    books.worths("game-0")
    latest = len(house.table.entries(evening.game_id))
    assert asked == [(f"game-{BOOKS_MAX}", latest), ("game-0", 0)]


def test_pygal_waits_until_a_chart_is_asked_for():
    import subprocess

    code = "import serving, sys; sys.exit('pygal' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
