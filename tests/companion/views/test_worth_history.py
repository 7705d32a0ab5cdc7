"""Worths are counted once, and what is taken back is counted again."""

from __future__ import annotations

import random
from collections.abc import Iterable

import pytest

from companion.errors import Refused
from companion.game import commands as c
from companion.game import events as e
from companion.game.journal import Entry, Journal
from companion.views.worth_history import WorthHistory, Worths, by_turn, worths_of
from tests.guided import Guided, random_move
from tests.sample import sampled
from tests.scene import Play, pay


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
    """The slow way: every entry that counts, from the beginning."""
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
    return found


@pytest.mark.parametrize("seed", sampled(range(6), 2))
def test_worths_are_those_of_the_entries_that_count(seed: int) -> None:
    table = played(seed, 250, undos=0.12)
    history = WorthHistory(lambda after: tuple(table.entries[after:]))
    assert list(history.worths()) == counted(table.entries)


@pytest.mark.parametrize("seed", sampled(range(3)))
def test_asking_after_each_move_gives_the_same(seed: int) -> None:
    table = played(seed, 120, undos=0.2)
    shown: list[Entry] = []
    history = WorthHistory(lambda after: tuple(shown[after:]))
    for entry in table.entries:
        shown.append(entry)
        assert list(history.worths()) == counted(shown)


def test_an_undo_of_long_ago_is_counted_too() -> None:
    table = Play("red", "blue")
    for amount in range(1, 50):
        table.give(pay("red", "blue", amount))
    history = WorthHistory(lambda after: tuple(table.entries[after:]))
    history.worths()
    for _ in range(45):
        table.give(c.Undo(by=c.TABLE))
    assert list(history.worths()) == counted(table.entries)


def test_a_refresh_reads_only_what_is_new() -> None:
    table = played(1, 60)
    read: list[int] = []

    def reread(after: int) -> Iterable[Entry]:
        read.extend(entry.revision for entry in table.entries[after:])
        return tuple(table.entries[after:])

    history = WorthHistory(reread)
    history.worths()
    read.clear()
    history.worths()
    table.give(random_move(random.Random(5), table.game))
    history.worths()
    assert read == [len(table.entries)]


def test_a_chart_has_one_place_for_each_turn_and_not_too_many() -> None:
    table = played(2, 400)
    worths = WorthHistory(lambda after: tuple(table.entries[after:])).worths()
    turns = by_turn(worths, 1_000)
    assert [one.turn for one in turns] == sorted({one.turn for one in worths})
    assert turns[-1] == worths[-1]
    thin = by_turn(worths, 20)
    assert len(thin) == 20
    assert (thin[0], thin[-1]) == (turns[0], turns[-1])
    assert by_turn(()) == ()
