"""The end on a phone, and the copies that players take home."""

from __future__ import annotations

import csv
import io
import re
from concurrent.futures import ThreadPoolExecutor
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from companion.game import commands as c
from companion.game import events as e
from companion.game import moves as m
from companion.game.journal import Entry, Journal
from companion.rules.seats import TOKENS
from companion.script import run_script
from companion.units import Account, Revision, TimeMs
from tests.sample import each
from tests.web.conftest import Evening, House, Phone
from tests.web.forms import forms_of
from tests.web.guided_table import give, guided, played, said
from web.http.assets import STATIC
from web.play.export_csv import COLUMNS, FORMULA, entries_to_csv, harmless
from web.play.share import (
    DISPLAY,
    TOKEN_SIDE,
    EndingTexts,
    _draw,
    draw_ending,
    font_of,
)


def over(house: House, moves: int = 200) -> Evening:
    evening = played(guided(house, "grab-and-go", 3), moves, seed=4)
    give(evening, m.CallTime(by=c.TABLE))
    return evening


def rows(body: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(body.decode("utf-8-sig"))))


def test_the_end_names_the_winner_and_counts_every_line(house: House):
    evening = guided(house)
    said(evening, "red owns boardwalk park-place", "boardwalk houses 1")
    give(evening, m.CallTime(by=c.TABLE))
    text = evening.ben.get(f"/g/{evening.game_id}/ending").text
    assert "Anna won" in text
    assert "1 house on Boardwalk" in text
    assert "<td>$200</td>" in text
    assert text.count("<tfoot>") == 2
    assert "gentleman.svg" in text


def test_before_the_end_it_is_the_count_so_far(house: House):
    evening = guided(house)
    text = evening.anna.get(f"/g/{evening.game_id}/ending").text
    assert "The scores so far" in text
    assert "won</h1>" not in text


def test_a_balance_corrected_after_the_end_counts(house: House):
    evening = guided(house)
    give(evening, m.CallTime(by=c.TABLE))
    for balance in (9_000, 20):
        give(
            evening,
            c.CorrectBalance(by=c.TABLE, account=Account("blue"), balance=balance),
        )
        text = evening.ben.get(f"/g/{evening.game_id}/ending").text
        assert ("Ben won" in text) == (balance == 9_000)
        assert "As the table agreed" not in text


def test_the_end_says_how_it_came_and_shows_what_is_still_owed(house: House):
    evening = guided(house, "grab-and-go")
    said(evening, "red cash 500", "red owns boardwalk park-place")
    said(evening, "red owes 900 to blue")
    pages = evening.ben.get(f"/g/{evening.game_id}/ending").text
    give(evening, m.CallTime(by=c.TABLE))
    text = evening.ben.get(f"/g/{evening.game_id}/ending").text
    assert "The game is over, since the time is up." in text
    for page in (pages, text):
        assert "Still owed to Ben: $900" in page
        assert "<td>\u2212$900</td>" in page
        assert "Anna still owes $900" in page
        assert "At the end nobody pays any more." in page
    assert "end first-bankruptcy" not in text, "this box has no other end"
    own = evening.anna.get(f"/g/{evening.game_id}/").text
    assert "in place of the money" not in own, "nobody pays any more"


def test_with_all_streets_owned_the_bankers_phone_offers_to_play_on(house: House):
    evening = guided(house, "secret-vault")
    board = evening.house.table.game(evening.game_id).board
    assert board is not None
    said(evening, *(f"{deed.id} owner red" for deed in board.rules.deeds))
    address = f"/g/{evening.game_id}/ending"
    text = evening.host.get(address).text
    assert "The game is over, since all streets are owned." in text
    (form,) = (one for one in forms_of(text) if one.verb == "correct-position")
    assert evening.host.do(evening.game_id, form.verb, **form.fields).status_code == 303
    assert "The scores so far" in evening.host.get(address).text
    give(evening, m.Resign(by="blue"))
    text = evening.host.get(address).text
    assert "The game is over, since one player is out." in text
    assert "end first-bankruptcy" not in text


def test_several_winners_are_all_named(house: House):
    evening = guided(house, seats=3)
    said(evening, "green cash 10")
    give(evening, m.CallTime(by=c.TABLE))
    text = evening.anna.get(f"/g/{evening.game_id}/ending").text
    assert "Shared by the richest" in text
    assert "Anna" in text.split('class="winners"')[1].split("</p>")[0]


def test_a_game_by_hand_has_no_end(calm: Evening):
    answer = calm.anna.get(f"/g/{calm.game_id}/ending")
    assert answer.headers["Location"] == f"/g/{calm.game_id}/"


def test_the_script_plays_back_to_the_same_scores(house: House):
    evening = over(house)
    answer = evening.anna.get(f"/g/{evening.game_id}/export.game")
    assert answer.mimetype == "text/plain"
    assert 'filename="' in answer.headers["Content-Disposition"]
    again = run_script(answer.text)
    assert again.ok, (again.line, again.wanted, again.got)
    journal = Journal(lambda after: again.entries[after:])
    for entry in again.entries:
        journal.append(entry)
    game = house.table.game(evening.game_id)
    assert journal.game is not None
    assert journal.game.play == game.play


def test_the_table_has_a_row_for_every_event(house: House):
    evening = over(house)
    answer = evening.anna.get(f"/g/{evening.game_id}/export.csv")
    assert answer.mimetype == "text/csv"
    found = rows(answer.data)
    entries = house.table.entries(evening.game_id)
    assert [(row["revision"], row["event"]) for row in found] == [
        (str(entry.revision), type(event).__name__)
        for entry in entries
        for event in entry.events
    ]
    moved = [row for row in found if row["event"] == "MoneyMoved"]
    assert moved
    assert all(int(row["amount"]) > 0 and row["reason"] for row in moved)


def test_what_was_taken_back_is_marked_in_the_table(house: House):
    evening = guided(house)
    give(evening, m.Roll(by="red", dice=(1, 2)), c.Undo(by=c.TABLE))
    found = rows(evening.anna.get(f"/g/{evening.game_id}/export.csv").data)
    marked = {row["event"] for row in found if row["taken_back"]}
    assert "DiceRolled" in marked
    assert not marked & {"Undone", "GameOpened", "SeatAdded"}


@pytest.mark.parametrize("kind", ["game", "csv"])
def test_copies_are_for_who_plays_and_for_the_host(house: House, kind: str):
    evening = over(house, 20)
    path = f"/g/{evening.game_id}/export.{kind}"
    assert evening.ben.get(path).status_code == 200
    assert evening.host.get(path).status_code == 200
    assert house.guest().get(path).status_code == 403


def test_a_game_by_hand_has_no_script_and_says_why(calm: Evening):
    answer = calm.anna.get(f"/g/{calm.game_id}/export.game")
    assert answer.status_code == 400
    assert "companion led" in answer.text


def test_guests_see_the_end_and_no_copies(house: House):
    evening = over(house, 20)
    text = house.guest().get(f"/g/{evening.game_id}/ending").text
    assert "export.csv" not in text
    assert "export.json" not in evening.anna.get(f"/g/{evening.game_id}/ending").text
    assert "export.json" in evening.host.get(f"/g/{evening.game_id}/ending").text


NAMES = st.text(st.characters(exclude_categories=("Cs",)), min_size=1, max_size=24)


@given(NAMES)
def test_whatever_somebody_is_called_comes_back_whole_and_harmless(name: str):
    opened = e.SeatRenamed(seat="red", name=name)
    entry = Entry(Revision(1), "command-1", name, TimeMs(0), (opened,))
    body = b"".join(entries_to_csv((entry,), lambda _: {}, (), str))
    table = list(csv.reader(io.StringIO(body.decode("utf-8-sig"), newline="")))
    assert table[0] == list(COLUMNS)
    (row,) = table[1:]
    assert len(row) == len(COLUMNS)
    assert row[2].removeprefix("'") == name.removeprefix("'") or row[2] == name
    assert not any(cell.startswith(FORMULA) for cell in row)


SIGNS = "=+-@\N{MINUS SIGN}\uff1d\uff0b\uff0d\uff20\ufe62\ufe63\ufe66\ufe6b\u207a\u208c"
UNSEEN = ("", "\t", "\r", " ", "\u00a0", "\u3000", "\ufeff", "\u200b", "\u202e \u2066")


@each(("before", "sign"), product(UNSEEN, SIGNS))
def test_a_formula_is_only_text(before: str, sign: str):
    cell = f"{before}{sign}1"
    assert harmless(cell) == f"'{cell}"


@each("cell", ["Anna", "1500", "", "a=1", " Anna", "\uff22en", "' =1"])
def test_plain_words_stay_as_they_are(cell: str):
    assert harmless(cell) == cell


# The picture to share.


def picture(phone: Phone, game_id: str, language: str = "en") -> Image.Image:
    answer = phone.get(f"/g/{game_id}/ending.png", **{"Accept-Language": language})
    assert answer.status_code == 200, answer.text
    assert answer.mimetype == "image/png"
    assert len(answer.data) < 400_000
    return Image.open(io.BytesIO(answer.data))


def test_the_ending_is_a_picture_that_anybody_who_sees_the_page_may_take(
    house: House,
):
    evening = over(house)
    drawn = picture(evening.anna, evening.game_id)
    assert drawn.size == (1200, 630)
    assert drawn.tobytes() == picture(house.guest(), evening.game_id).tobytes()
    german = picture(evening.anna, evening.game_id, "de")
    assert drawn.tobytes() != german.tobytes()
    page = evening.anna.get(f"/g/{evening.game_id}/ending").text
    assert f'src="/g/{evening.game_id}/ending.png?' in page


def test_before_the_end_there_is_no_picture_and_it_says_so(house: House, calm: Evening):
    evening = guided(house)
    for game_id in (evening.game_id, calm.game_id):
        answer = evening.anna.get(f"/g/{game_id}/ending.png")
        assert answer.status_code == 409
        assert "come back at the end" in answer.text.lower()
    page = evening.anna.get(f"/g/{evening.game_id}/ending").text
    assert "ending.png" not in page


def test_a_name_in_any_script_is_written_or_its_token_stands_for_it(house: House):
    assert font_of("Ann-Kathrin Öz", DISPLAY, 20) is not None
    assert font_of("\U00013000", DISPLAY, 20) is None, "no font has that"
    evening = guided(house)
    said(evening, "red cash 3000")
    give(evening, m.CallTime(by=c.TABLE))
    plain = picture(evening.anna, evening.game_id)
    for name in ("W" * 24, "\u738b\u5c0f\u660e", "\u0645\u0631\u064a\u0645"):
        answer = evening.anna.do(evening.game_id, "rename-seat", seat="red", name=name)
        assert answer.status_code == 303, answer.text
        drawn = picture(evening.anna, evening.game_id)
        assert drawn.tobytes() != plain.tobytes()
        frame = [drawn.getpixel((x, 620)) for x in range(40, 1160)]
        assert len(set(frame)) == 1, "nothing is written over the edge"


def test_phones_that_ask_at_once_have_it_drawn_once():
    asked = EndingTexts("Nobody won", "All at once", "", (), ())
    before = _draw.cache_info().misses
    with ThreadPoolExecutor(4) as phones:
        drawn = phones.map(lambda _: draw_ending(asked, (), ()), range(4))
        assert len(set(drawn)) == 1
    assert _draw.cache_info().misses == before + 1


def test_a_phone_keeps_the_picture_for_as_long_as_the_game_stands_so(house: House):
    evening = over(house, 20)
    page = evening.anna.get(f"/g/{evening.game_id}/ending").text
    (address,) = re.findall(r'src="(\S+ending\.png\S*)"', page)
    kept = evening.anna.get(address.replace("&amp;", "&")).headers["Cache-Control"]
    assert kept == "private, max-age=3600"
    plain = evening.anna.get(address.split("?")[0]).headers["Cache-Control"]
    assert plain == "no-store"


def test_all_tokens_are_in_the_picture_of_tokens():
    with Image.open(STATIC / "tokens.png") as sheet:
        assert sheet.size == (TOKEN_SIDE * len(TOKENS), TOKEN_SIDE)
        for at in range(len(TOKENS)):
            box = (at * TOKEN_SIDE, 0, (at + 1) * TOKEN_SIDE, TOKEN_SIDE)
            assert sheet.crop(box).getbbox() is not None
