"""An evening outlives the table's card: by real processes, as people find out."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.store.copies import ENDING, lines_of
from tests.phone_http import HttpPhone, open_table
from tests.running import PATIENCE_S, ROOT, RunningTable
from tests.web.forms import Form, forms_of

SEATS = (("red", "hat"), ("blue", "car"))
STOPS_IN_S = 5.0


def eventually(holds: Callable[[], bool]) -> None:
    give_up = time.monotonic() + PATIENCE_S
    while not holds():
        assert time.monotonic() < give_up
        threading.Event().wait(0.05)


def count(stick: Path) -> int:
    """Return how many entries the longest copy has."""
    counts = [0]
    for path in stick.rglob(f"*{ENDING}"):
        with path.open("rb") as file:
            counts.append(sum(1 for _ in lines_of(file)))
    return max(counts)


def pay(phone: HttpPhone, game: str, name: str) -> int:
    payment = {"type": "Pay", "payer": "red", "payee": "blue", "amount": 1}
    status, answer = phone.command(game, f"payment-{name}", **payment)
    assert status == 200, answer
    return int(answer["revision"])


def run(*words: object) -> str:
    command = [sys.executable, "-m", "cli", *map(str, words)]
    return subprocess.run(
        command, cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout


def become_host(table: RunningTable) -> HttpPhone:
    assert table.code is not None
    host = HttpPhone(table.address)
    host.get("/start")
    assert host.post("/start", code=table.code)[0] == 303
    return host


def offered(host: HttpPhone) -> list[Form]:
    """Return the forms of the page of copies that take something in."""
    _, page = host.get("/games/copies")
    return [form for form in forms_of(page) if form.action.endswith("/take-in")]


def test_an_evening_outlives_the_card_and_goes_on_elsewhere(tmp_path: Path) -> None:
    stick = tmp_path / "stick"
    stick.mkdir()
    to_stick = ("--copy-to", str(stick))
    with RunningTable(tmp_path / "data", options=to_stick) as table:
        assert table.code is not None
        game, _, (red, _) = open_table(table.address, table.code, SEATS)
        last = [pay(red, game, f"{number:04d}") for number in range(20)][-1]
        eventually(lambda: count(stick) == last)
        exported = run("games", "export", game, "--data", tmp_path / "data")
        table.kill()
        red.close()
    shutil.rmtree(tmp_path / "data")
    with RunningTable(tmp_path / "other", options=to_stick) as table:
        host = become_host(table)
        eventually(lambda: bool(offered(host)))
        _, games = host.get("/games")
        assert 'href="/games/copies"' in games
        _, page = host.get("/games/copies")
        assert "red, blue" in page
        (form,) = offered(host)
        for _ in range(2):  # A form is sent twice.
            status, where = host.post(form.action, **form.fields)
            assert (status, where) == (303, f"/g/{game}/")
        assert run("games", "export", game, "--data", tmp_path / "other") == exported
        eventually(lambda: not offered(host))
        assert host.post(form.action, **form.fields) == (303, "/games/copies")
        host.close()


@pytest.mark.slow
def test_a_table_that_was_restored_goes_on_from_its_own_copy(tmp_path: Path) -> None:
    stick, data, backup = (tmp_path / x for x in ("stick", "data", "evening.zip"))
    stick.mkdir()
    options = ("--copy-to", str(stick))
    with RunningTable(data, options=options) as table:
        assert table.code is not None
        game, host, (red, _) = open_table(table.address, table.code, SEATS)
        before = pay(red, game, "before")
        run("backup", backup, "--data", data)
        last = [pay(red, game, f"{number:04d}") for number in range(7)][-1]
        eventually(lambda: count(stick) == last)
        table.kill()
    run("restore", backup, "--replace", "--data", data)
    with RunningTable(data, table.port, options=options) as table:
        host = _again(host, table)
        eventually(lambda: bool(offered(host)))
        (form,) = offered(host)
        assert form.fields["here"] == str(before)
        assert "with 7 entries more" in form.words
        red = _again(red, table)
        # Somebody has played on meanwhile: then it is another game, and both are kept.
        pay(red, game, "meanwhile")
        status, page = host.post(form.action, **form.fields)
        assert status == 409
        assert "This is another game" in page
        table.kill()
    run("restore", backup, "--replace", "--data", data)
    with RunningTable(data, table.port, options=options) as table:
        host, red = _again(host, table), _again(red, table)
        eventually(lambda: bool(offered(host)))
        (form,) = (x for x in offered(host) if "with 7 entries more" in x.words)
        assert host.post(form.action, **form.fields)[0] == 303
        _, history = host.get(f"/g/{game}/history")
        assert "The game went on from a copy, with 7 entries" in history
        assert pay(red, game, "after") == last + 2
        eventually(lambda: count(stick) == last + 2)
        red.close()
        host.close()


def _again(phone: HttpPhone, table: RunningTable) -> HttpPhone:
    """Return the phone with a connection to a table that was started anew."""
    phone.close()
    anew = HttpPhone(table.address)
    anew.cookie = phone.cookie
    return anew


def test_a_stick_that_hangs_holds_nothing_up(tmp_path: Path) -> None:
    """A process that was stopped answers as little as one that hangs in the kernel."""
    stick = tmp_path / "stick"
    stick.mkdir()
    with RunningTable(tmp_path / "data", options=("--copy-to", str(stick))) as table:
        assert table.code is not None
        game, _, (red, _) = open_table(table.address, table.code, SEATS)
        last = pay(red, game, "before")
        eventually(lambda: count(stick) == last)
        children = Path(f"/proc/{table.pid}/task/{table.pid}/children")
        threads = Path(f"/proc/{table.pid}/task").glob("*/children")
        (child,) = {x for one in (children, *threads) for x in one.read_text().split()}
        os.kill(int(child), signal.SIGSTOP)
        for number in range(20):
            pay(red, game, f"{number:04d}")
        began = time.monotonic()
        assert table.stop() == 0
        assert time.monotonic() - began < STOPS_IN_S
        assert count(stick) == last
        red.close()
