"""A game's disk that is full for a while, and a vault that is taken away meanwhile."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest

from companion.errors import JournalFault, Refused, Why
from companion.game import commands as c
from companion.game import moves as m
from companion.game.envelope import Envelope, Receipt
from companion.game.position import LOCKED, OPEN, OPENING
from companion.lock.events import NumberGuessed
from companion.lock.states import VaultState
from companion.store import Database
from companion.table import TableService, build_table
from companion.table.vault_coupling import open_by_hand
from companion.units import VAULT, Account, GameId
from tests.vault_rig import VaultRig


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[VaultRig]:
    with VaultRig(tmp_path) as made:
        made.ready(code=4)
        yield made


def fill_disk(rig: VaultRig, writes: int) -> None:
    """The next *writes* of the game fail, all later ones find room again."""
    submit, left = rig.table.submit, [writes]

    def full(game_id: GameId, envelope: Envelope) -> Receipt:
        if left[0]:
            left[0] -= 1
            raise JournalFault("expected room on the disk, got none")
        return submit(game_id, envelope)

    rig.table.submit = full  # type: ignore[method-assign]


def no_room_for_guesses(table: TableService) -> Callable[[str, Envelope], Receipt]:
    submit = table.submit

    def full(game_id: GameId, envelope: Envelope) -> Receipt:
        if isinstance(envelope.command, m.Guess):
            raise JournalFault("expected room on the disk, got none")
        return submit(game_id, envelope)

    return full


@pytest.mark.parametrize("writes", range(1, 7))
def test_room_that_comes_back_at_any_write_loses_no_riches(
    rig: VaultRig, writes: int
) -> None:
    fill_disk(rig, writes)
    rig.guess(4)
    for _ in range(writes):
        rig.coupling.look()
        rig.run(50)
    assert rig.vault_contents.lid == OPEN
    assert rig.play.stage == "key"
    assert rig.cash("red") == 3_400


def test_a_guess_that_its_game_refused_is_not_made_again_after_a_restart(
    rig: VaultRig,
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rig.table, "submit", no_room_for_guesses(rig.table))
        rig.guess(4)
        rig.set("turn blue")
    rig.coupling.look()
    rig.run(50)
    assert rig.cash("red") == rig.cash("blue") == 3_000
    rig.lock(2)
    rig.give(m.Roll(by="blue", dice=(2, 3)))
    assert rig.play.stage == "guess"
    rig.cut()
    rig.on()
    rig.coupling.look()
    rig.run(50)
    assert rig.state is VaultState.LOCKED
    assert rig.play.stage == "guess"
    assert rig.cash("blue") == 3_000


def test_a_guess_that_waits_makes_the_next_game_no_deafer(rig: VaultRig) -> None:
    fill_disk(rig, 2)
    rig.guess(1)
    rig.begin()
    rig.give(m.Roll(by="red", dice=(2, 3)))
    rig.guess(2)
    assert rig.vault_contents.tried == (2,)


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


# Whose guess it was, and what comes after it.


def guess_on_a_full_disk(rig: VaultRig, number: int) -> None:
    """M is pressed, and the game cannot write it down; then there is room again."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rig.table, "submit", no_room_for_guesses(rig.table))
        rig.guess(number)
    assert rig.vault_contents.lid == LOCKED


NEXT: dict[str, c.Command] = {
    "undo": c.Undo(by="blue"),
    "decline": m.DeclineGuess(by="red"),
    "roll": m.Roll(by="red", dice=(4, 6)),
    "by hand": m.RestPlay(by=c.TABLE),
    "resign": m.Resign(by="red"),
    "close": c.CloseGame(by=c.TABLE),
}


def at_a_paid_guess(rig: VaultRig) -> None:
    rig.set("red on 10")
    rig.give(m.Roll(by="red", dice=(1, 1)))
    assert rig.vault_contents.fee == 100


def the_toys_way(rig: VaultRig) -> None:
    assert rig.play.stage == "roll"


def at_a_free_guess(rig: VaultRig) -> None:
    rig.give(m.Roll(by="red", dice=(2, 3)))


@pytest.mark.parametrize("name", NEXT)
@pytest.mark.parametrize(
    ("toy", "come_to_it", "cash"),
    [
        ("off", at_a_free_guess, 3_400),
        ("off", at_a_paid_guess, 3_300),
        ("on", the_toys_way, 3_400),
    ],
)
def test_a_right_guess_is_its_seats_whatever_is_tapped_next(
    tmp_path: Path,
    name: str,
    toy: str,
    come_to_it: Callable[[VaultRig], None],
    cash: int,
) -> None:
    with VaultRig(tmp_path, options={"toy": toy}) as rig:
        rig.lock(4)
        rig.begin()
        come_to_it(rig)
        guess_on_a_full_disk(rig, 4)
        try:
            rig.give(NEXT[name])
        except Refused:
            assert rig.play.stage == "guess", "the guess came second"
            rig.coupling.look()
            rig.run(20)
        paid = "Red guessed 4: right!"
        assert [x for x in rig.lines() if " guessed " in x] == [paid]
        if name in ("roll", "undo", "decline"):
            assert rig.cash("red") == cash
            assert rig.cash("blue") == 3_000


@pytest.mark.parametrize("name", NEXT)
def test_while_a_guess_cannot_be_counted_nobody_plays_on(
    rig: VaultRig, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(rig.table, "submit", no_room_for_guesses(rig.table))
        rig.guess(4)
        lines = rig.lines()
        assert "could not be written down" in rig.view.sentence
        with pytest.raises(Refused, match="not written down yet; make room") as no:
            rig.give(NEXT[name])
        assert no.value.why is Why.WRONG_STAGE
        with pytest.raises(Refused, match="make room"):
            rig.give(m.Guess(by="red", number=1))
        assert rig.lines() == lines
    rig.coupling.look()
    rig.run(50)
    assert "could not be written down" not in rig.view.sentence
    assert rig.cash("red") == 3_400


def test_a_tap_that_had_to_wait_is_taken_when_it_comes_again(
    rig: VaultRig, monkeypatch: pytest.MonkeyPatch
) -> None:
    tap = Envelope(m.Roll(by="blue", dice=(1, 2)), "the-same-tap")
    with monkeypatch.context() as patch:
        patch.setattr(rig.table, "submit", no_room_for_guesses(rig.table))
        rig.guess(1)
        with pytest.raises(Refused, match="make room"):
            rig.table.submit(rig.game, tap)
    rig.table.submit(rig.game, tap)
    assert rig.vault_contents.tried == (1,)
    assert rig.play.tokens[1].space == 3


def test_what_was_done_before_is_still_answered_while_a_guess_waits(
    rig: VaultRig, monkeypatch: pytest.MonkeyPatch
) -> None:
    tap = Envelope(m.Roll(by="red", dice=(2, 3)), f"phone-{rig.ids:06d}")
    revision = rig.table.revision(rig.game)
    with monkeypatch.context() as patch:
        patch.setattr(rig.table, "submit", no_room_for_guesses(rig.table))
        rig.guess(1)
        again = rig.table.submit(rig.game, tap)
    assert (again.revision, again.is_repeat) == (revision, True)


def test_the_next_evening_takes_no_guess_away(rig: VaultRig) -> None:
    first = rig.game
    guess_on_a_full_disk(rig, 1)
    rig.begin()
    rig.give(m.Roll(by="red", dice=(2, 3)))
    rig.guess(2)
    assert rig.vault_contents.tried == (2,)
    rig.cut()
    rig.on()
    rig.game = first
    rig.give(m.Roll(by="blue", dice=(1, 2)))
    assert rig.vault_contents.tried == (1,)
    assert rig.play.tokens[1].space == 3


def test_a_guess_in_a_journal_of_old_is_the_movers(rig: VaultRig) -> None:
    old = msgspec.json.decode(
        f'{{"type":"NumberGuessed","number":4,"is_right":true,"game":"{rig.game}"}}',
        type=NumberGuessed,
    )
    rig.journal.record((old,))
    rig.cut()
    rig.on()
    assert "Red guessed 4: right!" in rig.lines()
