"""The vault in its game, on phones: whose guess, by which tap, and what lies in it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from companion.errors import JournalFault
from companion.game import commands as c
from companion.game import moves as m
from companion.game.envelope import Envelope
from companion.game.position import LOCKED
from companion.lock.states import VaultState
from tests.long_game import damage
from tests.web.night import SECRET, Night


def fails(*_: object) -> None:
    raise JournalFault("the disk is full")


@pytest.fixture
def night(tmp_path: Path) -> Iterator[Night]:
    made = Night(tmp_path)
    yield made
    made.close()


def test_an_open_vault_is_said_and_what_goes_in(night: Night) -> None:
    night.settle()
    text = night.anna.get("/vault").get_data(as_text=True)
    assert "Put all of it in and shut the lid" in text
    assert "4 x $100" in text
    assert "one hotel" in text


def test_nobody_rolls_before_the_vault_is_locked_for_the_first_time(
    night: Night,
) -> None:
    night.settle()
    for phone in (night.anna, night.ben):
        text = night.page(phone)
        assert "Put in what is listed." in text
        assert "/do/roll" not in text
    assert "Fill the vault first, then you roll" in night.page(night.anna)
    assert "Fill the vault first, then Anna rolls" in night.page(night.ben)
    night.lock()
    assert "/do/roll" in night.page(night.anna)
    assert "Anna rolls the dice" in night.page(night.ben)


def test_where_a_lock_tells_of_its_lid_no_form_does(night: Night) -> None:
    night.lock()
    house, table = night.house, night.house.table
    game = table.open_game("secret-vault", "Saturday", "another-game")
    house.seated(game, "Anna", "red", "hat")
    house.seated(game, "Ben", "blue", "car")
    assert house.host().do(game, "begin", lid="open").status_code == 303
    play = table.game(game).play
    assert play is not None
    assert play.vault_contents is not None
    assert play.vault_contents.lid == LOCKED


def test_a_damaged_game_takes_no_page_but_its_own_with_it(night: Night) -> None:
    night.lock()
    table = night.house.table
    damage(night.house.database, night.game, 2, b"SeatAdded", b"SeatAddled")
    table._loaded.clear()
    assert night.anna.get(f"/g/{night.game}/").status_code == 503
    for path in ("/vault", "/vault/state", "/vault/scene", "/editions/secret-vault"):
        assert night.anna.get(path).status_code == 200, path
    with closing(night.anna.client.get("/stream", buffered=False)) as stream:
        told = iter(stream.response)
        assert b"event: game" in next(told)
        assert b"event: vault" in next(told)
    other = table.open_game("classic", "Sunday", "another-game")
    assert night.anna.get(f"/g/{other}/join").status_code == 200


def test_a_phone_guesses_and_is_told_note_by_note(night: Night) -> None:
    night.lock()
    night.give(m.Roll(by="red", dice=(2, 3)))
    assert "Tap a number." in night.page(night.anna)
    assert "ap a number" not in night.page(night.ben)
    theirs = "Anna: guess on the phone"
    for phone, words in ((night.anna, "Tap a number"), (night.ben, theirs)):
        text = phone.get("/vault").get_data(as_text=True)
        assert f'"h-line">{words}, or turn the wheel and press M.' in text
    assert "one time in 6" in night.page(night.anna)
    assert night.ben.do(night.game, "guess", number=SECRET).status_code == 409
    assert night.anna.do(night.game, "guess", number=1).status_code == 303
    night.settle()
    assert night.cash("red") == 3_000
    night.give(m.Roll(by="blue", dice=(2, 3)))
    assert "Tried so far: 1" in night.page(night.ben)
    assert night.ben.do(night.game, "guess", number=SECRET).status_code == 303
    night.settle()
    assert night.cash("blue") == 3_400
    text = night.page(night.ben)
    for words in (
        "You opened the vault!",
        "Take everything out",
        "4 x $100",
        "one key",
    ):
        assert words in text
    assert "Ben empties the vault and uses the key" in night.page(night.anna)
    text = night.ben.get("/vault").get_data(as_text=True)
    assert "Empty the vault, and use the key." in text
    assert text.count("4 x $100") == 1
    assert "h-bill" not in text  # The sum says it.
    night.give(m.Unlock(by="blue", deed="boardwalk"))
    for path in (f"/g/{night.game}/", "/vault"):
        text = night.ben.get(path).get_data(as_text=True)
        assert "You opened the vault!" not in text
        assert "Take all out" not in text
    assert "Fill the vault again" in night.page(night.ben)
    text = night.page(night.anna)
    assert "Ben fills the vault" in text
    assert "Go to the vault" in text
    assert "/do/lock-vault" not in text


def test_a_jam_brings_each_open_page_back_though_no_game_changed(night: Night) -> None:
    night.lock()
    hands = night.coupling.hands
    assert hands is not None
    for who, phone in (("red", night.anna), ("blue", night.ben)):
        night.give(m.Roll(by=who, dice=(2, 3)))
        night.device.is_jammed = True
        night.press_m(SECRET)
        while night.keeper.view().state is VaultState.LOCKED:
            night.house.clock.advance(20)
            night.keeper.process()
        drawn = [night.page(x) for x in (night.anna, night.ben)]
        assert sum("You opened the vault!" in x for x in drawn) == 1
        revision = night.house.table.revision(night.game)
        streams = [
            x.client.get(f"/stream?game={night.game}", buffered=False)
            for x in (night.anna, night.ben)
        ]
        heard = [iter(x.response) for x in streams]
        for told in heard:
            assert next(told).startswith(b"event: game")
            assert next(told).startswith(b"event: vault")
        for _ in range(3):
            night.settle()
        assert night.keeper.view().state is VaultState.JAMMED
        assert night.house.table.revision(night.game) == revision
        for told, page in zip(heard, drawn, strict=True):
            event, count = next(told).decode().split()[1::2]
            assert event == "game"
            assert f'data-told="{count}"' not in page
            assert b"jammed" in next(told)
        assert "You opened the vault!" not in night.page(phone)
        for stream in streams:
            stream.close()
        night.device.is_jammed = False
        hands.force_lid()
        night.settle()
        if who == "red":  # There is one key.
            night.give(m.Unlock(by="red", deed="boardwalk"))
        night.lock()


def test_trouble_at_the_lock_is_told_beside_the_steps(
    night: Night, monkeypatch: pytest.MonkeyPatch
) -> None:
    night.lock()
    night.give(m.Roll(by="red", dice=(2, 3)))
    night.press_m(SECRET)
    night.settle()
    night.give(m.Unlock(by="red", deed="boardwalk"))
    words = "The vault cannot write down what happens"
    assert words not in night.page(night.anna)
    for _ in range(2):
        with monkeypatch.context() as full:
            full.setattr(night.coupling._journal, "record", fails)
            night.lock()
            assert not night.keeper.view().is_writable
            assert "Put in what is listed." in night.page(night.anna)
            for phone in (night.anna, night.ben):
                assert words in night.page(phone)
    night.lock()
    assert words not in night.page(night.anna)


def test_a_tap_locks_a_simulated_vault(night: Night) -> None:
    night.lock()
    night.give(m.Roll(by="red", dice=(2, 3)))
    night.anna.do(night.game, "guess", number=SECRET)
    night.settle()
    night.give(m.Unlock(by="red", deed="boardwalk"))
    command = {"type": "LockVault", "by": "blue"}
    body = {"command_id": "lock-it-now", "command": command}
    answer = night.ben.client.post(
        f"/api/games/{night.game}/commands",
        json=body,
        headers={"Origin": "http://localhost"},
    )
    assert answer.status_code == 200, answer.text
    night.settle()
    play = night.house.table.game(night.game).play
    assert play is not None
    assert play.vault_contents is not None
    assert play.vault_contents.lid == LOCKED
    assert play.mover.seat == "blue"


def test_a_phone_cannot_say_that_its_guess_was_right(night: Night) -> None:
    night.lock()
    night.give(m.Roll(by="red", dice=(2, 3)))
    command = {"type": "Guess", "number": 1, "is_right": True, "is_lid_up": True}
    body = {"command_id": "right-I-say", "command": command}
    night.anna.client.post(
        f"/api/games/{night.game}/commands",
        json=body,
        headers={"Origin": "http://localhost"},
    )
    night.settle()
    assert night.cash("red") == 3_000
    for kind in ("ReportLid", "ReportPress"):
        body = {"command_id": f"I-am-{kind}", "command": {"type": kind, "lid": "open"}}
        answer = night.anna.client.post(
            f"/api/games/{night.game}/commands",
            json=body,
            headers={"Origin": "http://localhost"},
        )
        assert answer.status_code == 400, answer.text


# The scene.


def scene(night: Night) -> str:
    answer = night.ben.get("/vault/scene")
    assert answer.status_code == 200
    text: str = answer.get_data(as_text=True)
    return text


def test_a_due_guess_is_announced_with_what_it_costs_and_what_lies_inside(
    night: Night,
) -> None:
    night.lock()
    assert 'data-now="idle"' in scene(night)
    night.give(m.Roll(by="red", dice=(2, 3)))
    text = scene(night)
    assert 'data-now="due"' in text
    for words in ("Anna", "c-red", "#hat", "This guess is free.", "4 x $100"):
        assert words in text


def test_a_guess_that_costs_says_how_much(night: Night) -> None:
    night.lock()
    night.give(m.CorrectPosition(by=c.TABLE, words=("red", "on", "7")))
    night.give(m.Roll(by="red", dice=(2, 3)))
    assert "This guess costs <b>$100</b>." in scene(night)


def test_the_page_the_screen_and_the_part_show_the_same_scene(night: Night) -> None:
    night.lock()
    night.give(m.Roll(by="red", dice=(2, 3)))
    night.press_m(1)
    night.settle()
    for path in ("/vault", "/table"):
        text = night.anna.get(path).get_data(as_text=True)
        assert 'data-scene="wrong"' in text
        assert "Anna guessed 1, and it is wrong." in text
        assert "Ben rolls the dice" in text


def test_without_memory_a_wrong_number_is_not_told(tmp_path: Path) -> None:
    night = Night(tmp_path, memory="off")
    night.lock()
    night.give(m.Roll(by="red", dice=(2, 3)))
    night.press_m(1)
    night.settle()
    text = scene(night)
    assert "Anna guessed wrong." in text
    assert "h-numbers" not in text
    night.close()


def test_no_scene_before_the_guess_tells_the_number(tmp_path: Path) -> None:
    told = set()
    for secret in (3, 4, 5, 6):
        night = Night(tmp_path / str(secret), secret)
        night.lock()
        night.give(m.Roll(by="red", dice=(2, 3)))
        due = scene(night)
        night.press_m(2)
        night.settle()
        told.add((due, scene(night)))
        night.close()
    assert len(told) == 1


def test_a_wheel_that_is_turned_on_tells_nothing_of_a_wrong_guess(
    tmp_path: Path,
) -> None:
    told = set()
    for secret in (2, 3, 4, 5, 6):
        night = Night(tmp_path / str(secret), secret)
        night.lock()
        night.give(m.Roll(by="red", dice=(2, 3)))
        night.press_m(1)
        night.settle()
        seen = []
        for number in range(1, 7):
            state = night.ben.get("/vault/state").get_json()
            assert (state["number"], state["wrong_number"]) == (number, 0)
            seen.append(repr(state))
            assert night.coupling.hands is not None
            night.coupling.hands.turn(1)
            night.settle()
        told.add("".join(seen))
        night.close()
    assert len(told) == 1


def test_a_box_from_london_pays_in_pounds(tmp_path: Path) -> None:
    night = Night(tmp_path, edition="secret-vault-uk")
    night.lock()
    for path in ("/vault/scene", "/vault", "/table"):
        text = night.ben.get(path).get_data(as_text=True)
        assert '<span class="h-bill">£100</span>' in text
    night.close()


def test_a_game_that_is_not_there_has_no_scene(night: Night) -> None:
    assert night.ben.get("/vault/scene?game=000000000000").status_code == 404


def test_without_a_game_there_is_no_scene(night: Night) -> None:
    night.give(m.RestPlay(by=c.TABLE))
    text = scene(night)
    assert 'data-now=""' in text
    assert "hidden" in text
    assert 'data-scene=""' in night.anna.get("/table").get_data(as_text=True)


def test_another_games_pages_offer_no_guess_at_the_vault(night: Night) -> None:
    """The vault serves the game opened last; a page hears when it serves it again."""
    night.lock()
    night.give(m.Roll(by="red", dice=(2, 3)))
    assert 'aria-label="Guess 3"' in night.page(night.anna)
    table = night.house.table
    stream = table.subscribe((night.game,))
    other = table.open_game("classic", "Second", "second-game")
    assert night.game in (stream.wait(0) or {})
    shown = night.page(night.anna)
    assert 'aria-label="Guess 3"' not in shown
    assert "serves the game that was opened last" in shown
    assert night.anna.do(night.game, "guess", number=3).status_code == 409
    table.submit(other, Envelope(c.CloseGame(by=c.TABLE), "close-second"))
    assert night.game in (stream.wait(0) or {})
    assert 'aria-label="Guess 3"' in night.page(night.anna)


def test_another_games_screen_and_stream_say_nothing_of_this_one(night: Night) -> None:
    night.lock()
    other = night.house.table.open_game("secret-vault", "Sunday", "another-game")
    night.house.table.submit(
        other, Envelope(c.CloseGame(by=c.TABLE), "put-the-other-away")
    )
    night.give(m.Roll(by="red", dice=(2, 3)))
    assert "turn the wheel" in said_to(night, night.game)
    assert "turn the wheel" in text_of(night, night.game)
    assert "turn the wheel" not in said_to(night, other)
    assert "turn the wheel" not in text_of(night, other)


def text_of(night: Night, game: str) -> str:
    """Return what the table's screen shows of a game."""
    return night.anna.get(f"/table?game={game}").text


def said_to(night: Night, game: str) -> str:
    """Return the sentence that a stream of a game tells of the vault."""
    path = f"/stream?game={game}"
    with closing(night.anna.client.get(path, buffered=False)) as stream:
        told = iter(stream.response)
        next(told)
        data = next(told).decode().partition("data: ")[2]
    return str(json.loads(data)["sentence"])
