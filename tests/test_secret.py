"""The vault's code leaves by no page, stream, log, error, export or repr.

A code is one digit, which every page is full of, so it cannot be searched for.
Instead the same evening is played once with each of the six codes, with the same
clock, ids and hands. Whatever anybody could see is gathered, and must be equal to
the letter. Only then could nobody have learnt anything.
"""

from __future__ import annotations

import itertools
import logging
import re
import secrets
from pathlib import Path
from typing import Self

import pytest
from flask import Flask

from companion.codec import entries_to_json
from companion.errors import JournalFault
from companion.keeper import VaultKeeper
from companion.ports import Line
from companion.quadrature import NUMBER_COUNT
from companion.store import Journals
from companion.vault import VaultState
from companion.vault_events import SecretCode, VaultEvent, VaultLocked
from companion.vault_journal import VaultJournal
from companion.vault_view import VaultView
from hardware.simulated import SimulatedVault
from tests.fakes import FakeClock
from tests.web.conftest import ORIGIN, Evening, Phone, make_evening, make_panel

CODES = range(1, NUMBER_COUNT + 1)

BY_CHANCE = re.compile(r"Expires=[^;]*| at 0x[0-9a-f]+")
"""The only things that differ from run to run: a date, and where objects lie."""


class Night:
    """A game and a locked vault with a known code, in one database."""

    def __init__(self, path: Path, code: int) -> None:
        self.clock = FakeClock()
        self.keeper = VaultKeeper(
            SimulatedVault(self.clock), self.clock, self._record, lambda: code
        )
        self.house = make_panel(path, self.clock, self.keeper)
        self.journal = VaultJournal(Journals(self.house.database), self.clock)
        self.evening: Evening = make_evening(self.house)
        self._lock()

    def _record(self, events: tuple[VaultEvent, ...]) -> None:
        self.journal.record(events)

    def settle(self) -> None:
        for _ in range(30):
            self.keeper.process()
            self.clock.advance(20)
        self.keeper.process()

    def press(self, line: Line, times: int = 1) -> None:
        assert self.keeper.hands is not None
        for _ in range(times):
            self.keeper.hands.press(line)
            self.settle()

    def _lock(self) -> None:
        assert self.keeper.hands is not None
        self.settle()
        self.keeper.hands.shut_lid()
        self.settle()
        self.press(Line.YELLOW_BUTTON, 3)
        assert self.keeper.view().state is VaultState.LOCKED

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.keeper.stop()
        self.house.table.close()
        self.house.database.close()


def addresses(app: Flask, journal: str) -> list[str]:
    """Every address that answers a GET, with and without a game in it."""
    files = ("static", "asset")
    rules = [
        rule
        for rule in app.url_map.iter_rules()
        if "GET" in (rule.methods or ()) and not rule.endpoint.startswith(files)
    ]
    return sorted({rule.rule.replace("<journal>", journal) for rule in rules})


def everything(night: Night) -> dict[str, str]:
    """All that a guest, a player and the host can get, by where they got it."""
    seen: dict[str, str] = {}
    evening = night.evening
    people = {"guest": night.house.guest(), "anna": evening.anna, "host": evening.host}
    for who, phone in people.items():
        for path in addresses(night.house.app, evening.journal):
            for kind in ("text/html", "application/json"):
                seen[f"{who} GET {path} {kind}"] = said(phone, path, kind)
        seen[f"{who} wrong posts"] = wrong_posts(phone)
    game = night.house.table
    seen["export"] = entries_to_json("x", game.entries(evening.journal)).decode()
    seen["reprs"] = repr((night.keeper.view(), night.keeper, night.journal))
    return {where: BY_CHANCE.sub("", text) for where, text in seen.items()}


def said(phone: Phone, path: str, kind: str) -> str:
    """Status, headers and text; of a stream, its first three pieces."""
    answer = phone.client.get(path, headers={"Accept": kind}, buffered=False)
    if answer.mimetype == "text/event-stream":
        pieces = list(itertools.islice(answer.response, 3))
        answer.close()
        return repr(pieces)
    text = answer.get_data(as_text=True)
    return f"{answer.status} {sorted(answer.headers.items())} {text}"


def wrong_posts(phone: Phone) -> str:
    """What posts that make no sense are answered with."""
    answers = []
    for path in ("turn", "press", "lid", "set-wheel", "clear-fault", "code"):
        for form in ({}, {"line": "code", "steps": "1e9", "number": "code"}):
            answer = phone.client.post(f"/vault/{path}", data=form, headers=ORIGIN)
            answers.append(f"{answer.status} {answer.get_data(as_text=True)}")
    return "\n".join(answers)


def check_same(gathered: list[dict[str, str]]) -> None:
    """Nobody learnt anything: all evenings looked alike from everywhere."""
    first, *others = gathered
    for other in others:
        assert other.keys() == first.keys()
        differing = [where for where in first if first[where] != other[where]]
        assert not differing, f"the code can be told from {differing}"


@pytest.fixture
def same_ids(monkeypatch: pytest.MonkeyPatch) -> list[itertools.count[int]]:
    """Ids and tokens count up from 1; put a new counter in to begin again."""
    numbers = [itertools.count(1)]

    def next_id(_length: int = 0) -> str:
        return f"same-id-{next(numbers[0]):08d}"

    monkeypatch.setattr(secrets, "token_urlsafe", next_id)
    monkeypatch.setattr(secrets, "token_hex", next_id)
    return numbers


def test_whatever_the_code_is_everybody_sees_the_same(
    tmp_path: Path,
    same_ids: list[itertools.count[int]],
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.DEBUG)
    gathered, logged = [], []
    for code in CODES:
        same_ids[0] = itertools.count(1)
        caplog.clear()
        with Night(tmp_path / str(code), code) as night:
            gathered.append(everything(night))
        logged.append([record.getMessage() for record in caplog.records])
    assert len(gathered[0]) > 60, "the walk over all addresses has become short"
    check_same(gathered)
    assert all(lines == logged[0] for lines in logged[1:])


def test_a_wrong_guess_says_the_same_whichever_other_number_is_right(
    tmp_path: Path, same_ids: list[itertools.count[int]]
) -> None:
    gathered = []
    for code in CODES[1:]:  # The wheel stands at 1: wrong for each of these.
        same_ids[0] = itertools.count(1)
        with Night(tmp_path / str(code), code) as night:
            night.press(Line.M_BUTTON)
            assert night.keeper.view().tries_count == 1
            gathered.append(everything(night))
    check_same(gathered)


def test_the_walk_would_notice_a_leak(
    tmp_path: Path,
    same_ids: list[itertools.count[int]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    gathered = []
    for code in (2, 5):
        same_ids[0] = itertools.count(1)
        leak = property(lambda _, kept=code: f"psst: {kept}")
        monkeypatch.setattr(VaultView, "sentence", leak)
        with Night(tmp_path / str(code), code) as night:
            gathered.append(everything(night))
    assert gathered[0] != gathered[1]


def test_no_repr_and_no_failed_write_shows_the_code(tmp_path: Path) -> None:
    event = VaultLocked(SecretCode(5), 1)
    assert "5" not in repr(event)
    assert "5" not in str(event)
    assert "5" not in f"{SecretCode(5)} {SecretCode(5)!r}"
    with Night(tmp_path, 5) as night:
        with night.house.database.transaction() as connection:
            connection.exec_driver_sql("DROP TABLE entries")
        with pytest.raises(JournalFault) as caught:
            night.journal.record((event,))
    shown = f"{caught.value!r} {caught.value.__cause__!r}"
    assert "entries" in shown
    assert "[5]" not in shown
    assert "SecretCode" not in shown
