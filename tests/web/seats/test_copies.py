"""The host's page of copies: which stick, since when, and what can be taken in."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.game.codec import entries_to_json
from companion.game.commands import Command
from companion.game.envelope import Envelope
from companion.game.journal import Entry
from companion.rules import step
from companion.store.copies import Copy
from companion.store.ticks import TABLE
from companion.units import GameId, Revision, TimeMs
from companion.words import say
from tests.fakes import FakeClock
from tests.scene import pay
from tests.web.conftest import Evening, House, Phone, make_evening, make_panel
from tests.web.forms import forms_of
from tests.web.own_copies import Pretended, plugged, plugged_in
from web.seats.copies import STICKS


@pytest.fixture
def copies(house: House) -> Pretended:
    return plugged_in(house)


@pytest.fixture
def other(tmp_path: Path, clock: FakeClock) -> Iterator[House]:
    """Another table."""
    house = make_panel(tmp_path / "other", clock)
    yield house
    house.table.close()
    house.database.close()


def give(house: House, evening: Evening, command: Command) -> None:
    house.table.submit(evening.game_id, Envelope(command, house.command_id()))


def continued(evening: Evening, commands: list[Command]) -> bytes:
    """Return the export of what the game would be after further commands."""
    entries = [*evening.house.table.entries(evening.game_id)]
    game = evening.house.table.game(evening.game_id)
    for command in commands:
        run = step(game, command)
        revision = Revision(len(entries) + 1)
        now_ms = TimeMs(evening.house.clock.now_ms())
        made = Entry(revision, f"copied-{revision}", command.by, now_ms, (*run.events,))
        entries.append(made)
        game = run.game
    return b"".join(entries_to_json("Saturday", entries))


def taking(host: Phone) -> list[dict[str, str]]:
    page = host.get("/games/copies").text
    return [x.fields for x in forms_of(page) if x.action.endswith("/take-in")]


def shown(host: Phone) -> str:
    return " ".join(host.get("/games/copies").text.split())


def test_a_table_that_copies_nothing_has_no_such_page(house: House) -> None:
    host = house.host()
    assert "/games/copies" not in host.get("/games").text
    answer = host.get("/games/copies")
    assert answer.status_code == 404
    assert "start it with --copy-to and a folder" in answer.text.lower()
    for path in ("/games/copies", "/games/copies/take-in"):
        assert host.post(path, stick="", file="x", here="0").status_code == 404


def test_the_host_says_yes_to_a_stick_and_lets_go_of_it(
    house: House, copies: Pretended
) -> None:
    host, ticks = house.host(), house.table.ticks
    assert 'href="/games/copies"' in host.get("/games").text
    page = shown(host)
    assert "GAMES" in page
    assert "16 GB" in page
    (form,) = forms_of(host.get("/games/copies").text)[:1]
    for _ in range(2):  # A form is sent twice.
        assert host.post("/games/copies", **form.fields).status_code == 303
    assert copies.chosen == ["12AB-34CD"] * 2
    assert ticks.done(TABLE, STICKS) == {"12AB-34CD"}
    copies.plugged = [plugged(is_mounted=True), plugged("other", "ELSE")]
    copies.said = say("all games are on the stick, as of {time}", time="20:15")
    page = shown(host)
    assert "All games are on the stick, as of 20:15." in page
    assert page.count("Copy every game to it") == 0  # One at a time.
    (form,) = forms_of(host.get("/games/copies").text)[:1]
    assert host.post("/games/copies", **form.fields).status_code == 303
    assert copies.chosen[-1] == ""
    assert not ticks.done(TABLE, STICKS)  # It is not mounted by itself any more.


@pytest.mark.parametrize("uuid", ["", "99FF-0000", "12AB-34CD"])
def test_a_stick_that_cannot_be_written_or_is_gone_is_not_chosen(
    house: House, copies: Pretended, uuid: str
) -> None:
    copies.plugged = [plugged(is_usable=False)]
    host = house.host()
    assert "The table cannot write to this one." in shown(host)
    assert "Copy every game to it" not in shown(host)
    host.post("/games/copies", stick=uuid)
    assert not house.table.ticks.done(TABLE, STICKS)
    assert copies.chosen in ([], [""])


def exported(evening: Evening, until: int | None = None) -> bytes:
    entries = evening.house.table.entries(evening.game_id)[:until]
    return b"".join(entries_to_json("Saturday", entries))


def copy_of(game_id: GameId, count: int, here: int, *, is_other: bool = False) -> Copy:
    people, at_ms = ("Anna", "Ben"), TimeMs(1_750_000_000_000)
    box = "secret-vault"
    return Copy("x", game_id, "Saturday", box, people, at_ms, count, here, is_other)


def test_a_game_of_another_table_is_taken_in_with_its_seats_free(
    evening: Evening, other: House
) -> None:
    copies = plugged_in(other)
    count = evening.revision()
    copies.texts["x"] = exported(evening)
    copies.lies = (copy_of(evening.game_id, count, 0),)
    host = other.host()
    assert 'href="/games/copies"' in host.get("/games").text
    page = shown(host)
    assert "Saturday" in page
    assert f"{count} entries · Anna, Ben" in page
    (form,) = taking(host)
    for _ in range(2):  # A form is sent twice.
        answer = host.post("/games/copies/take-in", **form)
        assert answer.headers["Location"] == f"/g/{evening.game_id}/"
    assert other.table.revision(evening.game_id) == count
    assert [game.title for game in other.table.games()] == ["Saturday"]
    assert not other.table.phones.held_seats(evening.game_id)


def test_a_game_goes_on_from_a_longer_copy_under_the_eyes_of_its_phones(
    house: House, copies: Pretended
) -> None:
    evening = make_evening(house, "classic")
    table, before = house.table, evening.revision()
    payments = [pay("red", "blue", number) for number in (1, 2, 3)]
    longer = continued(evening, payments)
    copies.texts["x"] = longer
    copies.lies = (copy_of(evening.game_id, before + 3, before),)
    assert "Go on from here, with 3 entries more" in shown(evening.host)
    (form,) = taking(evening.host)
    listening = table.subscribe([evening.game_id])
    answer = evening.host.post("/games/copies/take-in", **form)
    assert answer.headers["Location"] == f"/g/{evening.game_id}/"
    assert listening.wait(0) == {evening.game_id: before + 4}
    assert evening.balance("blue") == 1_500 + 6
    assert table.phones.held_seats(evening.game_id) == {"red", "blue"}
    history = evening.anna.get(f"/g/{evening.game_id}/history").text
    assert "The game went on from a copy, with 3 entries" in history
    assert house.restarted().game(evening.game_id) == table.game(evening.game_id)
    # Sent twice; and again by a page that knows nothing of it.
    for here in (form["here"], "0", str(before + 4)):
        sent = {**form, "here": here}
        answer = evening.host.post("/games/copies/take-in", **sent)
        assert answer.headers["Location"] == f"/g/{evening.game_id}/"
    assert evening.revision() == before + 4
    evening.anna.post(f"/g/{evening.game_id}/do/undo")
    assert evening.balance("blue") in (1_500 + 6, 1_500 + 3)


def test_nothing_is_continued_that_was_played_on_here(
    house: House, copies: Pretended
) -> None:
    evening = make_evening(house, "classic")
    before = evening.revision()
    copies.texts["x"] = continued(evening, [pay("red", "blue", 1)])
    copies.lies = (copy_of(evening.game_id, before + 1, before),)
    (form,) = taking(evening.host)
    wrong = {**form, "here": str(before - 1)}
    answer = evening.host.post("/games/copies/take-in", **wrong)
    assert answer.status_code == 409
    assert f"This table has {before} of {before + 1} entries" in answer.text
    give(house, evening, pay("blue", "red", 7))
    answer = evening.host.post("/games/copies/take-in", **form)
    assert answer.status_code == 409
    assert "This is another game" in answer.text
    assert evening.balance("red") == 1_507


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (None, "The copy cannot be read"),
        (b"{}", "The table did not understand"),
        (b"", "The table did not understand"),
    ],
)
def test_a_copy_that_cannot_be_read_is_refused_in_words(
    house: House, copies: Pretended, text: bytes | None, said: str
) -> None:
    copies.lies = (copy_of(GameId("0" * 12), 5, 0),)
    if text is not None:
        copies.texts["x"] = text
    answer = house.host().post("/games/copies/take-in", file="x", here="0")
    assert answer.status_code in (400, 409, 503)
    assert said in answer.text
    assert not house.table.games()


def test_what_went_on_otherwise_is_named_so_and_not_offered(
    house: House, copies: Pretended
) -> None:
    copies.lies = (copy_of(GameId("0" * 12), 5, 3, is_other=True),)
    host = house.host()
    assert "Another game than the one on this table" in shown(host)
    assert taking(host) == []


def test_the_games_page_names_copies_that_somebody_may_wait_for(
    house: House, copies: Pretended
) -> None:
    """A game that was thrown away is not told of for ever."""
    host, note = house.host(), "There are copies of games"
    copies.lies = (copy_of(GameId("0" * 12), 5, 0),)
    assert note in host.get("/games").text
    host.post("/games", edition="classic", name="Friday")
    assert note not in host.get("/games").text
    copies.lies = (copy_of(GameId("0" * 12), 5, 3, is_other=True),)
    assert note not in host.get("/games").text
    copies.lies = (copy_of(GameId("0" * 12), 5, 3),)
    assert note in host.get("/games").text


def test_a_form_that_filled_the_table_may_be_sent_twice(
    other: House, evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(other.table, "_games_max", 1)
    copies, host = plugged_in(other), other.host()
    copies.texts["x"] = exported(evening)
    copies.lies = (copy_of(evening.game_id, evening.revision(), 0),)
    (form,) = taking(host)
    for _ in range(2):
        answer = host.post("/games/copies/take-in", **form)
        assert answer.headers["Location"] == f"/g/{evening.game_id}/"


def test_a_full_table_takes_in_no_new_game(
    other: House, evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(other.table, "_games_max", 1)
    copies, host = plugged_in(other), other.host()
    copies.texts["x"] = exported(evening)
    copies.lies = (copy_of(evening.game_id, evening.revision(), 0),)
    other.table.open_game("classic", "Full", "command-full")
    answer = host.post("/games/copies/take-in", **taking(host)[0])
    assert answer.status_code == 409
    assert "1 games are kept already" in answer.text
    assert len(other.table.games()) == 1


def test_in_german_all_of_it_is_german(house: House, copies: Pretended) -> None:
    copies.plugged = [plugged(), plugged("other", "", is_usable=False)]
    copies.lies = (copy_of(GameId("0" * 12), 5, 3), copy_of(GameId("1" * 12), 1, 0))
    copies.said = say(
        "no copy since {time}: {why}", time="20:15", why=say("it is full")
    )
    host = house.host()
    host.client.set_cookie("language", "de")
    page = shown(host)
    for words in (
        "Keine Kopie seit 20:15: dort ist kein Platz mehr.",
        "Von hier weiterspielen, mit 2 Einträgen mehr",
        "1 Eintrag · Anna, Ben",
        "An diesen Tisch holen",
    ):
        assert words in page
