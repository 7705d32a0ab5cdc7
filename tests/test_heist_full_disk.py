"""A game's disk that is full for a while, and a vault that is taken away meanwhile."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from companion import moves as m
from companion.edition import builtin
from companion.envelope import Envelope, Receipt
from companion.errors import JournalFault
from companion.heist import open_by_hand
from companion.position import OPEN, OPENING
from companion.store import Database, Journals, Phones
from companion.table import TableService
from companion.units import VAULT, Account
from companion.vault import VaultState
from tests.heist_rig import HeistRig


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[HeistRig]:
    with HeistRig(tmp_path) as made:
        made.ready(code=4)
        yield made


def fill_disk(rig: HeistRig, writes: int) -> None:
    """The next *writes* of the game fail, all later ones find room again."""
    submit, left = rig.table.submit, [writes]

    def full(journal: str, envelope: Envelope) -> Receipt:
        if left[0]:
            left[0] -= 1
            raise JournalFault("expected room on the disk, got none")
        return submit(journal, envelope)

    rig.table.submit = full  # type: ignore[method-assign]


def no_room_for_guesses(table: TableService) -> Callable[[str, Envelope], Receipt]:
    submit = table.submit

    def full(journal: str, envelope: Envelope) -> Receipt:
        if isinstance(envelope.command, m.Guess):
            raise JournalFault("expected room on the disk, got none")
        return submit(journal, envelope)

    return full


@pytest.mark.parametrize("writes", range(1, 7))
def test_room_that_comes_back_at_any_write_loses_no_riches(
    rig: HeistRig, writes: int
) -> None:
    fill_disk(rig, writes)
    rig.guess(4)
    for _ in range(writes):
        rig.heist.look()
        rig.run(50)
    assert rig.riches.lid == OPEN
    assert rig.play.stage == "key"
    assert rig.cash("red") == 3_400


def test_a_guess_that_its_game_refused_is_not_made_again_after_a_restart(
    rig: HeistRig,
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rig.table, "submit", no_room_for_guesses(rig.table))
        rig.guess(4)
        rig.set("turn blue")
    rig.heist.look()
    rig.run(50)
    assert rig.cash("red") == rig.cash("blue") == 3_000
    rig.lock(2)
    rig.give(m.Roll(by="blue", dice=(2, 3)))
    assert rig.play.stage == "guess"
    rig.cut()
    rig.on()
    rig.heist.look()
    rig.run(50)
    assert rig.state is VaultState.LOCKED
    assert rig.play.stage == "guess"
    assert rig.cash("blue") == 3_000


def test_a_guess_that_waits_makes_the_next_game_no_deafer(rig: HeistRig) -> None:
    fill_disk(rig, 2)
    rig.guess(1)
    rig.begin()
    rig.give(m.Roll(by="red", dice=(2, 3)))
    rig.guess(2)
    assert rig.riches.tried == (2,)


def test_what_a_jammed_vault_owed_is_paid_where_there_is_no_vault_any_more(
    tmp_path: Path,
) -> None:
    with HeistRig(tmp_path) as rig:
        rig.ready(code=4)
        rig.is_jammed = True
        rig.guess(4)
        assert rig.riches.lid == OPENING
    database = Database(tmp_path)
    table = TableService(Journals(database), Phones(database), rig.clock, builtin)
    for _ in range(2):
        open_by_hand(table)
    game = table.game(rig.game)
    assert game.play is not None
    assert game.play.riches is not None
    assert game.play.riches.lid == OPEN
    assert game.play.stage == "key"
    assert game.ledger[Account("red")] == 3_400
    assert game.ledger[VAULT] == 0
    table.close()
    database.close()
