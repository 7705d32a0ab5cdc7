"""Random evenings by hand: the rules agree with themselves, whatever anybody tries.

On a real file, with restarts, repeats and old pages, they are played by
``tests/evening``.
"""

from __future__ import annotations

import random

import msgspec
import pytest

from companion.errors import Refused
from companion.game import Game
from companion.game import commands as c
from companion.game import events as e
from companion.game.codec import entries_to_json, events_from_json, events_to_json
from companion.game.journal import WINDOW, Entry
from companion.rules import decide, legal_commands
from companion.rules.seats import COLOURS
from companion.units import BANK
from companion.views.history import history_line, names_of
from tests.sample import tens
from tests.scene import TERMS, VAULT_TERMS, Play, candidates, pay

SEATS = COLOURS[:4]
ACTORS = (*SEATS, c.TABLE, BANK, "stranger", "")


def check_books(game: Game) -> None:
    """Check the two rules of the ledger by counting once more."""
    balances = {account: game.ledger[account] for account in game.ledger}
    assert sum(balances.values()) == 0, balances
    assert all(v >= 0 for account, v in balances.items() if account != BANK), balances


def check_entries(entries: list[Entry]) -> None:
    """Check that the journal has no gaps, and no number twice."""
    assert [x.revision for x in entries] == list(range(1, len(entries) + 1))
    asked = [
        event.number
        for entry in entries
        for event in entry.events
        if isinstance(event, e.MoneyAsked)
    ]
    assert asked == sorted(set(asked)), "two requests had one number"


def accepted(game: Game, command: c.Command) -> bool:
    try:
        decide(game, command)
    except Refused:
        return False
    return True


# Seeded playouts in memory.


def play_out(seed: int, steps: int) -> Play:
    """Play a random evening, with commands that are refused."""
    dice = random.Random(seed)
    play = Play(*SEATS[: dice.randint(0, 4)], terms=dice.choice((TERMS, VAULT_TERMS)))
    for _ in range(steps):
        by = dice.choice(ACTORS)
        listed = {kind.__name__ for kind in legal_commands(play.game, by)}
        tries = [x for x in candidates(play.game, by) if dice.random() < 0.02]
        for command in tries[:3]:
            if not accepted(play.game, command):
                continue
            assert type(command).__name__ in listed, f"seed {seed}: {command}"
            before = play.game
            play.give(command)
            check_books(play.game)
            check_undone(play, before, command, f"seed {seed}: {command}")
            break
    return play


def check_undone(play: Play, before: Game, command: c.Command, clue: str) -> None:
    """Check that an undo makes a command as if it had never been given."""
    if play.game.undo_next != play.journal.revision or play.game.is_closed:
        return
    after = play.game
    undone = play.give(c.Undo(by=command.by))
    assert without_marks(undone) == without_marks(before), clue
    assert play.give(c.Redo(by=command.by)) == after, clue


def without_marks(game: Game) -> Game:
    """Return the game without what can be undone, its count of asks and replies."""
    return msgspec.structs.replace(
        game,
        undoable=(),
        redoable=(),
        redo_by="",
        undo_ask=None,
        asks_count=0,
        replies=(),
    )


def check_evening(seed: int, steps: int) -> None:
    play = play_out(seed, steps)
    clue = f"seed {seed}"
    check_entries(play.entries)
    assert play.replayed() == play.game, clue
    names = names_of(play.game)
    for entry in play.entries:
        assert events_from_json(events_to_json(entry.events)) == entry.events, clue
        line = history_line(entry, names, is_undone=False)
        assert all(text and text[0] != " " for text in line.sentences), clue
    assert msgspec.json.decode(b"".join(entries_to_json("Friday", tuple(play.entries))))
    for by in ACTORS:
        could = {
            type(x).__name__
            for x in candidates(play.game, by)
            if accepted(play.game, x)
        }
        listed = {kind.__name__ for kind in legal_commands(play.game, by)}
        assert listed == could, f"{clue}, {by}"


@pytest.mark.parametrize("seed", range(12))
def test_a_random_evening_holds_together(seed: int) -> None:
    check_evening(seed, steps=40)


@tens("seed", range(1_000, 1_200))
def test_200_long_random_evenings_hold_together(seed: int) -> None:
    check_evening(seed, steps=150)


def test_undo_reaches_back_beyond_the_window_and_redo_returns() -> None:
    """Further back than entries are kept in memory, so the journal is reread."""
    play = Play("red", "blue")
    games = [play.game]
    for amount in range(1, WINDOW // 2 + 20):
        games.append(play.give(pay("red", "blue", 1 + amount % 3)))
    for game in reversed(games[:-1]):
        assert play.give(c.Undo(by="red")).ledger == game.ledger
    assert play.game.undo_next is None
    for game in games[1:]:
        assert play.give(c.Redo(by="red")).ledger == game.ledger
    assert play.replayed() == play.game
