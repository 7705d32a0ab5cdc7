"""Who is there: phones that ask or listen, and who plays for the others."""

from __future__ import annotations

import json
from contextlib import contextmanager

from companion.game import commands as c
from tests.web.conftest import ORIGIN, Evening, House, Phone
from tests.web.forms import forms_of
from tests.web.guided_table import give, guided
from web.http.presence import ASLEEP_S, AWAY_S

SECOND = 1_000


def pass_time(evening: Evening, seconds: float) -> None:
    evening.house.clock.advance(seconds * SECOND)


def screen(house: House) -> str:
    return house.guest().get("/table").text


@contextmanager
def listening(phone: Phone, game_id: str):
    """The live stream of that phone, until the context is left."""
    response = phone.client.get(f"/stream?game={game_id}", buffered=False)
    stream = iter(response.response)
    assert b"event: game" in next(stream)
    yield stream
    response.close()


def test_a_phone_is_asleep_after_a_minute_and_away_after_five(house: House):
    evening = guided(house)
    evening.anna.get(f"/g/{evening.game_id}/")
    pass_time(evening, ASLEEP_S - 1)
    assert "phone asleep" not in screen(house)
    evening.ben.get(f"/g/{evening.game_id}/")
    pass_time(evening, 1)
    assert screen(house).count("phone asleep") == 1, "Anna's"
    pass_time(evening, AWAY_S - ASLEEP_S)
    text = screen(house)
    assert text.count("phone away") == 1, "Anna's"
    assert "phone asleep" not in text, "nobody waits for Ben, who sleeps"
    pass_time(evening, ASLEEP_S)
    assert screen(house).count("phone away") == 2
    evening.anna.get(f"/g/{evening.game_id}/")
    assert screen(house).count("phone away") == 1, "Ben's"


def test_a_phone_that_listens_is_there_however_long_nothing_happens(house: House):
    evening = guided(house)
    with listening(evening.anna, evening.game_id):
        pass_time(evening, 3_600)
        assert screen(house).count("phone away") == 1, "only Ben's"
    assert screen(house).count("phone away") == 1, "it was there until now"
    pass_time(evening, ASLEEP_S)
    assert "phone asleep" in screen(house)


def test_a_phone_that_fell_off_the_network_with_its_stream_open_is_found_out(
    house: House,
):
    evening = guided(house)
    with listening(evening.anna, evening.game_id) as stream:
        pass_time(evening, 600)
        evening.ben.get(f"/g/{evening.game_id}/")
        give(evening, c.LockTable(by=c.TABLE))
        told = next(stream)
        while b"event: game" not in told:
            told = next(stream)
        # The generator stands where it has given the event away; it goes on when asked.
        give(evening, c.UnlockTable(by=c.TABLE))
        next(stream)
        evening.ben.get(f"/g/{evening.game_id}/")
        pass_time(evening, ASLEEP_S - 1)
        assert "phone a" not in screen(house)
        pass_time(evening, 1)
        assert "phone away" in screen(house)
        evening.anna.get(f"/g/{evening.game_id}/")
        assert "phone away" not in screen(house)


def test_pages_are_told_when_a_phone_is_there_again(house: House):
    evening = guided(house)
    pass_time(evening, ASLEEP_S)
    heard = house.table.subscribe((evening.game_id,))
    evening.anna.get(f"/g/{evening.game_id}/")
    assert evening.game_id in (heard.wait(0) or {})
    evening.anna.get(f"/g/{evening.game_id}/")
    assert not heard.wait(0)


def test_the_banker_plays_for_a_phone_that_is_asleep_until_it_is_touched(
    house: House,
):
    evening = guided(house)
    give(evening, c.HandBanker(by="bank", to="blue"))
    j, ben = evening.game_id, evening.ben
    assert ben.post(f"/g/{j}/for", seat="red").status_code == 403
    pass_time(evening, ASLEEP_S)
    assert "Play for Anna, whose phone is asleep" in plain(ben.get(f"/g/{j}/").text)
    assert ben.post(f"/g/{j}/for", seat="red").status_code == 303
    assert "You play for" in ben.get(f"/g/{j}/").text
    assert ben.do(j, "roll", **{"die-1": 1, "die-2": 2}).status_code == 303
    assert evening.anna.get(f"/g/{j}/").status_code == 200
    assert "You play for" not in ben.get(f"/g/{j}/").text
    assert "Play for Anna" not in plain(ben.get(f"/g/{j}/").text)


def test_what_was_meant_for_a_seat_that_is_back_is_not_done_for_ones_own(house: House):
    evening = guided(house)
    give(evening, c.HandBanker(by="bank", to="blue"))
    j, ben = evening.game_id, evening.ben
    pass_time(evening, ASLEEP_S)
    ben.post(f"/g/{j}/for", seat="red")
    evening.anna.get(f"/g/{j}/")
    had = evening.balance("blue")
    refused = ben.do(j, "collect-salary", seat="blue")
    assert refused.status_code == 409
    assert "that was meant for another seat" in refused.text.lower()
    assert evening.balance("blue") == had
    assert "You play for" not in ben.get(f"/g/{j}/").text
    assert ben.do(j, "lock-table").status_code == 303, "for itself again"


def test_what_was_done_for_a_seat_before_it_was_back_is_not_denied(house: House):
    evening = guided(house)
    give(evening, c.HandBanker(by="bank", to="blue"))
    j, ben, tap = evening.game_id, evening.ben, "tap-of-ben"
    pass_time(evening, ASLEEP_S)
    ben.post(f"/g/{j}/for", seat="red")
    dice = {"die-1": 1, "die-2": 2, "command_id": tap}
    assert ben.do(j, "roll", **dice).status_code == 303
    at = evening.revision()
    evening.anna.get(f"/g/{j}/")
    ben.client.set_cookie(f"for-{j}", "red")  # The answer was lost, and it goes on.
    assert ben.do(j, "roll", **dice).status_code == 303
    body = json.dumps({"command_id": tap, "command": {"type": "Roll", "dice": [1, 2]}})
    for kind in ("application/json", None):  # The table asks for none.
        ben.client.set_cookie(f"for-{j}", "red")
        path = f"/api/games/{j}/commands"
        told = ben.client.post(path, data=body, content_type=kind, headers=ORIGIN)
        assert told.json == {"ok": True, "revision": at, "is_repeat": True}
    ben.client.set_cookie(f"for-{j}", "red")
    deep = ben.client.post(path, data="[" * 60_000, headers=ORIGIN)
    assert deep.status_code == 409, "it is no repeat, whatever it is"
    assert evening.revision() == at
    assert "You play for" not in ben.get(f"/g/{j}/").text


def test_a_form_counts_for_the_seat_that_its_page_was_for(house: House):
    evening = guided(house)
    give(evening, c.HandBanker(by="bank", to="blue"))
    j, ben = evening.game_id, evening.ben
    own = forms_of(ben.get(f"/g/{j}/bank").text)
    pass_time(evening, ASLEEP_S)
    ben.post(f"/g/{j}/for", seat="red")
    page = forms_of(ben.get(f"/g/{j}/").text)
    roll = next(x for x in page if x.verb == "roll")
    late = {**roll.fields, "die-1": "1", "die-2": "2"}
    lock = next(x for x in own if x.verb == "lock-table")
    refused = ben.post(lock.action, **lock.fields)
    assert refused.status_code == 409, "from another tab, where Ben plays for himself"
    assert "that was meant for another seat" in refused.text.lower()
    assert ben.post(roll.action, **late).status_code == 303
    at = evening.revision()
    evening.anna.get(f"/g/{j}/")
    assert "You play for" not in ben.get(f"/g/{j}/").text, "its cookie is gone"
    assert ben.post(roll.action, **late).status_code == 303, "it was done"
    never = {**late, "command_id": "tap-on-its-way", "expected_revision": str(at)}
    assert ben.post(roll.action, **never).status_code == 409
    assert evening.revision() == at


def plain(text: str) -> str:
    return text.replace("⁨", "").replace("⁩", "")


def test_only_the_banker_may(house: House):
    evening = guided(house)
    pass_time(evening, ASLEEP_S)
    answer = evening.ben.post(f"/g/{evening.game_id}/for", seat="red")
    assert answer.status_code == 403
