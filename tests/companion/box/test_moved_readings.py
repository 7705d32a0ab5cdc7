"""What a game says of its box goes over to the box when the game is thrown away."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.box.readings import BoxReading, BoxReadings
from companion.errors import Malformed, Refused, Why
from companion.game import commands as c
from companion.game import events as e
from companion.game import play_events as p
from companion.game.box_key import BoxValue
from companion.game.envelope import Envelope
from companion.game.journal import Entry
from companion.store import Database, Journals
from companion.table import build_table
from companion.units import BANK, Revision, Seat, TimeMs
from tests.fakes import FakeClock
from tests.scene import sitting

VAULT = "secret-vault"
SAID = (
    p.BoxRead(key="deed.boardwalk.mortgage", value=400),
    p.BoxRead(key="space.2.kind", value="chance"),
    p.BoxRead(key="card.pay:50.deck", value="chance"),
)


class Room:
    """A table with one game, which is put away, and its journals."""

    def __init__(self, directory: Path) -> None:
        self.database = Database(directory)
        self.journals = Journals(self.database)
        self.table = build_table(self.database, FakeClock()).service
        self.game = self.table.open_game(VAULT, "Friday", "command-open")
        anna = sitting("red", BANK, "Anna")
        self.table.submit(self.game, Envelope(anna, "command-anna"))

    def say(self, *events: e.GameEvent, actor: str = "red", at_ms: int = 0) -> None:
        """Write an entry into the game's journal as its file has it."""
        revision = Revision(sum(1 for _ in self.journals.entries(self.game)) + 1)
        command_id = f"command-{revision}"
        entry = Entry(revision, command_id, actor, TimeMs(at_ms), events)
        self.journals.append(self.game, entry)

    def readings(self) -> list[tuple[str, BoxValue | None, str, int]]:
        """The last words on the box, without the place where they stand."""
        return [told(one) for one in BoxReadings(self.journals, VAULT).latest()]


def told(one: BoxReading) -> tuple[str, BoxValue | None, str, int]:
    return one.key, one.value, one.actor, one.at_ms


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    made = Room(tmp_path)
    yield made
    made.table.close()
    made.database.close()


def test_what_is_only_likely_is_no_reading(room: Room) -> None:
    room.say(p.BoxRead(key="deed.boardwalk.mortgage", value=350, is_likely=True))
    assert room.readings() == []


@pytest.mark.parametrize("actor", ["red", BANK, c.TABLE])
def test_every_kind_of_reading_goes_over_as_it_was(room: Room, actor: str) -> None:
    for at_ms, event in enumerate(SAID, 5):
        room.say(event, actor=actor, at_ms=at_ms)
    before = room.readings()
    assert len(before) == len(SAID)
    box = BoxReadings(room.journals, VAULT)
    moved = box.moved(room.game, lambda _: {"red": "Anna"})
    room.journals.remove(room.game, box.journal_id, moved)
    after = room.readings()
    name = "Anna" if actor == "red" else actor
    assert after == [(*one[:2], name, one[3]) for one in before]
    assert box.moved(room.game, lambda _: {}) == ()


def test_what_was_taken_back_does_not_come_again(room: Room) -> None:
    room.say(SAID[0], SAID[1])
    room.say(e.Undone(revision=Revision(3)))
    assert room.readings() == []
    box = BoxReadings(room.journals, VAULT)
    assert box.moved(room.game, lambda _: {}) == ()


def test_each_was_read_by_who_sat_there_then(room: Room) -> None:
    room.table.submit(room.game, Envelope(c.CloseGame(by=BANK), "command-close"))
    room.say(SAID[0])
    room.say(e.SeatRemoved(seat=Seat("red"), returned=0))
    room.say(
        e.SeatAdded(
            seat=Seat("red"),
            name="Cara",
            colour="red",
            token="hat",
            start_money=0,
        )
    )
    room.say(SAID[1])
    box = BoxReadings(room.journals, VAULT)
    called = {4: {"red": "Anna"}, 7: {"red": "Cara"}}
    entries = box.moved(room.game, called.__getitem__)
    assert [entry.actor for entry in entries] == ["Anna", "Cara"]
    assert [entry.revision for entry in entries] == [1, 2]


def test_a_game_is_thrown_away_once_it_is_put_away(room: Room) -> None:
    listener = room.table.subscribe()
    with pytest.raises(Refused) as refused:
        room.table.remove_game(room.game)
    assert refused.value.why is Why.WRONG_STAGE
    room.table.submit(room.game, Envelope(c.CloseGame(by=BANK), "command-close"))
    room.table.remove_game(room.game)
    assert listener.wait(0) == {room.game: 4}
    with pytest.raises(Malformed):
        room.table.remove_game(room.game)
    again = room.table.open_game(VAULT, "Friday", "command-open")
    assert (again, room.table.revision(again)) == (room.game, 1)
