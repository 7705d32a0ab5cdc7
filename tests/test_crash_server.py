"""The whole program killed with -9 under load over HTTP: no answer was a lie.

Method: phones of a real table pay each other over loopback as fast as the panel
lets them; after some answers, however long those take, the process gets SIGKILL at a
random moment; whatever a phone got an answer for must be on disk once. The same folder
is used round after round.
"""

from __future__ import annotations

import http.client
import random
import threading
import time
from pathlib import Path

import pytest

from tests.phone_http import HttpPhone, open_table
from tests.running import PATIENCE_S, RunningTable
from tests.sample import proven, volume
from tests.test_crash import check_books

SEATS = (("red", "hat"), ("blue", "car"), ("green", "duck"), ("orange", "cat"))
ANSWERS = (3, 30)
"""Fewest and most answers of a round before the plug is pulled."""

SEED = random.SystemRandom().randrange(10**6)


def pay_until_cut_off(
    phone: HttpPhone, game: str, payer: str, payee: str, name: str, kept: dict[str, int]
) -> None:
    """Pay $1 again and again, keeping each promise, until nobody answers."""
    number = 0
    try:
        while True:
            number += 1
            command_id = f"{name}-{number:06d}"
            payment = {"type": "Pay", "payer": payer, "payee": payee, "amount": 1}
            status, answer = phone.command(game, command_id, **payment)
            if status == 429:  # Faster than a thumb may be: it says when to go on.
                threading.Event().wait(0.02)
                continue
            assert status == 200, answer
            kept[command_id] = answer["revision"]
    except (http.client.HTTPException, OSError):
        pass  # The plug was pulled.
    finally:
        phone.close()


def one_round(data: Path, chance: random.Random, number: int) -> dict[str, int]:
    """Play, kill at a random moment, and give the promises that were made."""
    kept: dict[str, int] = {}
    with RunningTable(data) as table:
        if number == 0:
            assert table.code is not None
            game, _, phones = open_table(table.address, table.code, SEATS)
            (data / "game").write_text(game)
            (data / "cookies").write_text("\n".join(p.cookie for p in phones))
        game = (data / "game").read_text()
        payers = []
        for i, cookie in enumerate((data / "cookies").read_text().splitlines()):
            phone = HttpPhone(table.address)
            phone.cookie = cookie
            payer, payee = SEATS[i][0], SEATS[(i + 1) % len(SEATS)][0]
            words = (phone, game, payer, payee, f"round-{number}-{payer}", kept)
            payers.append(threading.Thread(target=pay_until_cut_off, args=words))
        for thread in payers:
            thread.start()
        answers, give_up = chance.randint(*ANSWERS), time.monotonic() + PATIENCE_S
        while len(kept) < answers:
            assert time.monotonic() < give_up, f"{len(kept)} of {answers} answers"
            threading.Event().wait(0.002)
        threading.Event().wait(chance.uniform(0, 0.05))
        table.kill()
        for thread in payers:
            thread.join()
    return kept


@pytest.mark.parametrize("rounds", [*proven([6]), *volume([20])])
def test_kill_9_of_the_program_loses_no_answer(tmp_path: Path, rounds: int) -> None:
    chance, promised = random.Random(SEED), dict[str, int]()
    data = tmp_path / "data"
    for number in range(rounds):
        promised |= one_round(data, chance, number)
        game = (data / "game").read_text()
        check_books(data, game, promised, f"seed {SEED}, round {number}")
    assert len(promised) >= rounds * ANSWERS[0]
