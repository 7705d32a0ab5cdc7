"""The stream: one id per revision, resumed, capped, and freed."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from companion.units import GameId
from tests.web.conftest import Evening, make_evening
from tests.web.guided_table import lead
from web.http.settings import PanelSettings


def opened(
    evening: Evening, path: str = "", address: str = "127.0.0.1", **headers: str
):
    """An open stream, and what it says, one event or heartbeat at a time."""
    answer = evening.house.guest().client.get(
        path or f"/stream?game={evening.game_id}",
        headers=headers,
        buffered=False,
        environ_base={"REMOTE_ADDR": address},
    )
    assert answer.status_code == 200
    assert answer.mimetype == "text/event-stream"
    return answer, iter(answer.response)


def said(parts: Iterator[bytes]) -> dict[str, str]:
    """The fields of the next event."""
    lines = next(parts).decode().strip().splitlines()
    return dict(line.split(": ", 1) for line in lines if ": " in line)


HERE = {"event": "here"}
PHONES = {"event": "phones"}


@pytest.fixture
def quick(make_house) -> Evening:
    settings = PanelSettings(heartbeat_s=0.01, burst_count=500)
    return make_evening(make_house(settings=settings))


def test_a_stream_begins_with_what_is_and_tells_what_comes(quick: Evening):
    answer, parts = opened(quick)
    notices = quick.house.table.notices
    before = notices.told()
    assert said(parts) == {"event": "game", "data": before}
    assert said(parts) == HERE
    quick.anna.do(quick.game_id, "pay", payee="blue", amount="5")
    assert said(parts) == {"event": "game", "data": notices.told()}
    assert before != notices.told()
    assert answer.headers["X-Accel-Buffering"] == "no"
    assert answer.headers["Cache-Control"] == "no-store"
    answer.close()


def test_a_page_carries_what_was_told_before_it_was_drawn(quick: Evening):
    told = quick.house.table.notices.told
    path = f"/g/{quick.game_id}/"
    before = told()
    assert f'data-told="{before}"' in quick.anna.get(path).text
    quick.anna.do(quick.game_id, "pay", payee="blue", amount="5")
    assert told() != before
    assert f'data-told="{told()}"' in quick.anna.get(path).text


def test_another_start_of_the_table_tells_nothing_that_was_told_before(quick: Evening):
    before = quick.house.table.notices.told()
    quick.house.clock.advance(1)
    again = quick.house.restarted().notices.told()
    assert again.split("-")[0] != before.split("-")[0]


def test_what_is_done_in_another_game_is_none_of_its_business(quick: Evening):
    begun = quick.host.post("/games", edition="classic", name="Other")
    other = GameId(begun.headers["Location"].split("/")[2])
    answer, parts = opened(quick)
    said(parts)
    quick.house.seated(other, "Cleo", "green", "duck")
    assert said(parts) == HERE
    answer.close()


def test_the_tables_own_stream_follows_the_game_on_the_table(quick: Evening):
    answer, parts = opened(quick, "/stream")
    said(parts)
    quick.host.post("/games", edition="classic", name="Other")
    assert said(parts)["event"] == "game"
    answer.close()


def test_a_waiting_phone_is_told_to_the_banker_too(quick: Evening):
    quick.host.do(quick.game_id, "lock-table")
    answer, parts = opened(quick)
    said(parts)
    late = quick.house.guest()
    late.get(f"/g/{quick.game_id}/join")
    late.post(f"/g/{quick.game_id}/join", name="Carl", colour="green", token="cat")
    assert said(parts)["event"] == "game"
    answer.close()


@pytest.mark.timeout(20)  # It would wait for its heartbeat for ever.
def test_a_quiet_games_stream_beats_while_another_game_plays(make_house):
    quick = make_evening(make_house(settings=PanelSettings(heartbeat_s=0.2)))
    answer, parts = opened(quick)
    said(parts)
    stop = threading.Event()

    def play() -> None:
        revision = 0
        while not stop.is_set():
            quick.house.table.notices.tell("another game", revision := revision + 1)

    other = threading.Thread(target=play)
    other.start()
    try:
        assert said(parts) == HERE
    finally:
        stop.set()
        other.join()
        answer.close()


def test_an_address_holds_eight_streams_and_the_table_forty_eight(make_house):
    settings = PanelSettings(heartbeat_s=0.01, burst_count=500)
    evening = make_evening(make_house(settings=settings))
    path = f"/stream?game={evening.game_id}"

    def refused(address: str) -> bool:
        answer = evening.anna.client.get(path, environ_base={"REMOTE_ADDR": address})
        if answer.status_code == 503:
            assert answer.headers["Retry-After"] == "15"
        return answer.status_code == 503

    streams = []
    for home in range(6):
        address = f"192.168.1.{home}"
        streams += [opened(evening, address=address) for _ in range(8)]
        assert refused(address)
    assert refused("192.168.1.9")
    streams.pop()[0].close()
    assert refused("192.168.1.0")
    streams.append(opened(evening, address="192.168.1.9"))
    for answer, _ in streams:
        answer.close()
    slots = evening.house.app.extensions["companion.streams"]
    assert slots.listeners() == ()
    assert evening.house.table.notices._open == ()


def test_a_stream_ends_when_the_table_closes(quick: Evening):
    answer, parts = opened(quick)
    quick.house.table.close()
    assert len(list(parts)) <= 3
    answer.close()


def test_a_page_without_a_stream_knows_how_often_to_ask(quick: Evening):
    text = quick.anna.get(f"/g/{quick.game_id}/").text
    assert 'data-poll="3000"' in text
    assert f'data-stream="/stream?game={quick.game_id}"' in text


def test_without_script_each_page_that_others_change_can_be_looked_at_again(
    evening: Evening,
):
    game = f"/g/{evening.game_id}"
    lead(evening)
    pages = ("/", "/deeds", "/trade", "/board", "/history", "/more", "/pause")
    for phone, path in (
        *((evening.ben, f"{game}{path}") for path in pages),
        (evening.host, f"{game}/bank"),
        (evening.house.guest(), f"{game}/join"),
        (evening.ben, f"{game}/trade?add-give=50"),  # Once is enough.
    ):
        text = phone.get(path).text
        page, _, _ = path.partition("?")
        link = f'<a href="{page}">Look again</a>'
        assert text.count(link) == text.count("Look again") == 1, path
    for path in ("/table", "/editions"):  # One loads itself again; one stays as it is.
        assert "Look again" not in evening.ben.get(path).text, path
    refused = evening.ben.do(evening.game_id, "roll")
    link = f'href="{game}/do/roll">Look again'
    assert link in refused.text
    assert evening.ben.get(f"{game}/do/roll").location == f"{game}/"
