"""Worths are counted once, and what is taken back is counted again."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterable

import pytest

from companion.errors import Refused
from companion.game import commands as c
from companion.game import events as e
from companion.game.journal import Entry, Journal
from companion.units import Revision
from companion.views import worth_history
from companion.views.worth_history import WorthHistory, Worths, thin_out, worths_of
from tests.guided import Guided, random_move
from tests.sample import sampled
from tests.scene import Play, pay


def history_of(play: Play) -> WorthHistory:
    return WorthHistory(
        lambda: (play.journal.revision, play.journal.undone),
        lambda after, until: tuple(play.entries[after:until]),
    )


def played(seed: int, moves: int, undos: float = 0.0) -> Guided:
    table, dice = Guided("classic", 3), random.Random(seed)
    for _ in range(moves):
        if table.at.base == "over":
            break
        wish = dice.random()
        try:
            if wish < undos and table.game.undo_next is not None:
                table.give(c.Undo(by=c.TABLE))
            elif wish < 1.4 * undos and table.game.redoable:
                table.give(c.Redo(by=c.TABLE))
            else:
                table.give(random_move(dice, table.game))
        except Refused:
            continue
    return table


def counted(entries: list[Entry]) -> list[Worths]:
    """Return the worths in the slow way: from every entry that counts."""
    whole = Journal(lambda after: entries[after:])
    for entry in entries:
        whole.append(entry)
    acts = (e.Undone, e.Redone)
    kept = [
        entry
        for entry in entries
        if not whole.is_undone(entry.revision) and not isinstance(entry.events[0], acts)
    ]
    found = []
    game = None
    for entry in kept:
        fresh = Journal(lambda _: ())
        fresh.game = game
        fresh.revision = entry.revision - 1  # type: ignore[assignment]
        game = fresh.append(entry)
        turn = game.play.turn_number if game.play else 0
        found.append(Worths(entry.revision, turn, worths_of(game)))
    last = {x.turn: x for x in found}
    return [one for one in last.values() if one.seats]


@pytest.mark.parametrize("seed", sampled(range(6), 2))
def test_worths_are_those_of_the_entries_that_count(seed: int) -> None:
    table = played(seed, 250, undos=0.12)
    assert list(history_of(table).worths()) == counted(table.entries)


@pytest.mark.parametrize("seed", sampled(range(3)))
def test_asking_after_each_move_gives_the_same(seed: int) -> None:
    table = played(seed, 120, undos=0.2)
    shown = Play()
    shown.entries.clear()
    shown.journal = Journal(lambda after: shown.entries[after:])
    history = history_of(shown)
    for entry in table.entries:
        shown.entries.append(entry)
        shown.journal.append(entry)
        assert list(history.worths()) == counted(shown.entries)


def test_an_undo_of_long_ago_is_counted_too() -> None:
    table = Play("red", "blue")
    for amount in range(1, 50):
        table.give(pay("red", "blue", amount))
    history = history_of(table)
    history.worths()
    for _ in range(45):
        table.give(c.Undo(by=c.TABLE))
    assert list(history.worths()) == counted(table.entries)


def test_a_refresh_reads_only_what_is_new() -> None:
    table = played(1, 60)
    read: list[int] = []

    def entries(after: int, until: int) -> Iterable[Entry]:
        read.extend(entry.revision for entry in table.entries[after:until])
        return tuple(table.entries[after:until])

    def undone() -> tuple[int, frozenset[Revision]]:
        return table.journal.revision, table.journal.undone

    history = WorthHistory(undone, entries)
    history.worths()
    read.clear()
    history.worths()
    table.give(random_move(random.Random(5), table.game))
    history.worths()
    assert read == [len(table.entries)]


def test_of_a_game_of_many_turns_some_are_kept_evenly(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    most = 10
    monkeypatch.setattr(worth_history, "TURNS_MAX", most)
    table = played(2, 400)
    assert table.at.turn_number > 4 * most
    shown = history_of(table).worths()
    assert most // 2 <= len(shown) <= most + 1
    turns = [one.turn for one in shown]
    assert turns[0] == 0
    assert turns[-1] == table.at.turn_number
    *steps, last = (later - one for one, later in itertools.pairwise(turns))
    assert len(set(steps)) == 1
    assert 0 < last <= steps[0]
    known = {entry.turn: entry for entry in counted(table.entries)}
    assert all(known[one.turn] == one for one in shown)


def test_a_chart_has_not_too_many_places() -> None:
    worths = history_of(played(2, 400)).worths()
    assert thin_out(worths, 1_000) == worths
    thin = thin_out(worths, 20)
    assert len(thin) == 20
    assert (thin[0], thin[-1]) == (worths[0], worths[-1])
    assert thin_out(()) == ()
