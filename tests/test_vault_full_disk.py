"""A disk that is full for a while, and a vault that is taken away meanwhile."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.errors import JournalFault, Refused, Why
from companion.game import moves as m
from companion.game.commands import Command
from companion.game.envelope import Envelope, Receipt
from companion.game.position import OPEN, OPENING
from companion.lock.events import NumberGuessed
from companion.lock.states import VaultState
from companion.ports import Line, Signal
from companion.store import Act, Database
from companion.table import build_table
from companion.table.vault_coupling import open_by_hand
from companion.units import VAULT, Account, GameId
from tests.vault_rig import VaultRig


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[VaultRig]:
    with VaultRig(tmp_path) as made:
        made.ready(code=4)
        yield made


def full(*_: object, **__: object) -> None:
    raise JournalFault("no space left on device")


def test_on_a_full_disk_a_guess_is_nobodys_and_nothing_moves(rig: VaultRig) -> None:
    with pytest.MonkeyPatch.context() as fault:
        fault.setattr(rig.table._journals, "append", full)
        rig.guess(4)
    assert rig.signals[-1] is Signal.ALARM
    assert rig.state is VaultState.LOCKED
    assert rig.coil == []
    assert rig.play.stage == "guess"
    assert not [x for x in rig.lines() if " guessed " in x]
    rig.press(Line.M_BUTTON)
    rig.run(100)
    assert rig.cash("red") == 3_400


def test_a_guess_that_the_game_refuses_opens_for_nobody(rig: VaultRig) -> None:
    def refuse(*_: object) -> None:
        raise Refused(Why.WRONG_STAGE, "there was no guess to make")

    with pytest.MonkeyPatch.context() as fault:
        fault.setattr(rig.table, "submit", refuse)
        rig.guess(4)
    assert rig.state is VaultState.LOCKED
    assert rig.coil == []
    assert not [x for x in rig.journal.remembered() if isinstance(x, NumberGuessed)]
    assert rig.play.stage == "guess"
    rig.guess(1)
    assert rig.keeper.view().tries_count == 1
    assert rig.play.mover.seat == "blue"


@pytest.mark.parametrize("writes", range(1, 4))
def test_room_that_comes_back_at_any_report_of_the_lid_loses_no_riches(
    rig: VaultRig, writes: int
) -> None:
    submit, left = rig.table.submit, [writes]

    def fills(
        game_id: GameId, envelope: Envelope, *then: Command, also: Act | None = None
    ) -> Receipt:
        if left[0] and isinstance(envelope.command, m.ReportLid):
            left[0] -= 1
            raise JournalFault("expected room on the disk, got none")
        return submit(game_id, envelope, *then, also=also)

    rig.table.submit = fills  # type: ignore[method-assign, assignment]
    rig.guess(4)
    assert rig.state is VaultState.OPEN
    for _ in range(writes):
        rig.coupling.look()
        rig.run(50)
    assert rig.vault_contents.lid == OPEN
    assert rig.cash("red") == 3_400


def test_what_a_jammed_vault_owed_is_paid_where_there_is_no_vault_any_more(
    tmp_path: Path,
) -> None:
    with VaultRig(tmp_path) as rig:
        rig.ready(code=4)
        rig.is_jammed = True
        rig.guess(4)
        assert rig.vault_contents.lid == OPENING
    database = Database(tmp_path)
    table = build_table(database, rig.clock).service
    for _ in range(2):
        open_by_hand(table)
    game = table.game(rig.game)
    assert game.play is not None
    assert game.play.vault_contents is not None
    assert game.play.vault_contents.lid == OPEN
    assert game.play.stage == "key"
    assert game.ledger[Account("red")] == 3_400
    assert game.ledger[VAULT] == 0
    table.close()
    database.close()
