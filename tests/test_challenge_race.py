"""Eight phones tap *check a note* in the same millisecond: one of them looks.

Method: the whole program in a process of its own; eight phones, each with its own
connection, send their tap from eight threads that wait for each other. One of the
eight is the payer's own, which may never look. Afterwards the journal is read.
"""

from __future__ import annotations

import threading
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from companion.game.decoder_events import ChipSpent
from companion.rules.seats import COLOURS, TOKENS
from companion.store import Database, Journals
from companion.units import GameId
from tests.phone_http import HttpPhone, open_table
from tests.running import RunningTable

SEATS = tuple(zip(COLOURS, TOKENS, strict=True))
PAYER = COLOURS[0]
ROUNDS = 2  # With two chips each, nobody has too few.


class Evening:
    """A host and a phone for each seat at a running table."""

    def __init__(self, table: RunningTable) -> None:
        assert table.code is not None
        self.game, self.host, found = open_table(
            table.address, table.code, SEATS, edition="crooked-cash"
        )
        self.phones = dict(zip(COLOURS, found, strict=True))
        self._ids = 0
        self.give(self.host, type="Begin", options={"grace": "0"})

    def give(self, phone: HttpPhone, **command: Any) -> None:
        """Give a command that must be taken."""
        self._ids += 1
        command_id = f"command-{self._ids:06d}"
        status, said = phone.command(self.game, command_id, **command)
        assert status == 200, (command, said)

    def lay_a_payment(self) -> None:
        """Have the payer buy what nobody owns."""
        given = (f"{PAYER} cash 900", "boardwalk owner none", f"turn {PAYER}")
        for line in (*given, f"{PAYER} on boardwalk", "stage buy"):
            self.give(self.host, type="CorrectPosition", words=line.split())
        self.give(self.phones[PAYER], type="Buy")

    def tap_together(self, turn: int) -> dict[str, tuple[int, Any]]:
        """Every phone's tap at once -> the status and what was said, by seat."""
        begin = threading.Barrier(len(self.phones))
        answers: dict[str, tuple[int, Any]] = {}

        def tap(seat: str, phone: HttpPhone) -> None:
            command_id = f"look-{seat}-{turn:04d}"
            begin.wait()
            answers[seat] = phone.command(self.game, command_id, type="Inspect")

        threads = [
            threading.Thread(target=tap, args=pair) for pair in self.phones.items()
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return answers

    def close(self) -> None:
        """Let the connections go."""
        for phone in (self.host, *self.phones.values()):
            phone.close()


@pytest.mark.slow
def test_of_eight_taps_at_once_one_spends_a_chip(tmp_path: Path) -> None:
    winners = []
    with RunningTable(tmp_path / "data") as table:
        evening = Evening(table)
        for turn in range(ROUNDS):
            evening.lay_a_payment()
            answers = evening.tap_together(turn)
            taken = [seat for seat, (status, _) in answers.items() if status == 200]
            assert len(taken) == 1, answers
            winners += taken
            for seat, (status, said) in answers.items():
                if seat != taken[0]:
                    assert status == 409, said
                    check_told(seat, taken[0], said)
            evening.give(evening.host, type="GiveVerdict", verdict="real")
            evening.give(evening.phones[PAYER], type="HandOver")
        evening.close()
        game = GameId(evening.game)
    database = Database(tmp_path / "data")
    entries = tuple(Journals(database).entries(game))
    database.close()
    spent = [x.seat for one in entries for x in one.events if isinstance(x, ChipSpent)]
    assert spent == winners
    assert PAYER not in Counter(winners)


def check_told(seat: str, winner: str, said: dict[str, Any]) -> None:
    """Check that each of the seven hears who was first, or that it is the payer."""
    if seat == PAYER:
        assert said["error"] == "nobody looks at their own money", said
        return
    assert said["why"] == "wrong_stage"
    assert winner in said["error"], said
    assert "you keep your chip" in said["remedy"], said
