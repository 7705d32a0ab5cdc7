"""A journal that goes on from a mark is the one that began with its first entry."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence

import pytest
from msgspec.structs import replace

from companion.errors import Malformed, Refused
from companion.game import Game
from companion.game import commands as c
from companion.game import journal as journals
from companion.game.codec import mark_from_json, mark_to_json
from companion.game.journal import Entry, Journal, Mark, apply_entry
from companion.units import Revision, Seat
from tests.companion.game.test_kept_games import NAMES, read
from tests.guided import Guided, random_move
from tests.sample import sampled
from tests.scene import Play, pay, sitting

EVERY = 20
LITTLE = {"EVERY": EVERY, "WINDOW": 8, "UNDOS_MAX": 6, "ACTS_KEPT": 12}


@pytest.fixture
def little(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep so few entries that a short game reaches behind all of them."""
    for name, value in LITTLE.items():
        monkeypatch.setattr(journals, name, value)


def tried(play: Play, dice: random.Random, moves: int, others: Others) -> Play:
    """Play moves, with undos and redos now and then, several in a row and far back."""
    for number in range(moves):
        undos = (0.05, 0.6)[number % 50 > 35]
        wish = dice.random()
        try:
            if wish < undos:
                play.give(c.Undo(by=c.TABLE))
            elif wish < undos * 1.4:
                play.give(c.Redo(by=c.TABLE))
            else:
                play.give(others(play, dice))
        except Refused:
            continue
    return play


def by_hand(play: Play, dice: random.Random) -> c.Command:
    if play.game.is_closed:
        return c.ReopenGame(by=c.TABLE)
    if dice.random() < 0.8:
        return pay("red", "blue", dice.randint(1, 9))
    latest = play.game.undoable[-3:]
    return dice.choice(
        (
            sitting("green"),
            c.RemoveSeat(by=c.TABLE, seat=Seat("green")),
            c.RenameSeat(by="red", seat=Seat("red"), name=f"Ann {dice.random():.3}"),
            c.CloseGame(by=c.TABLE),
            *(c.UndoTo(by="blue", revision=act.revision) for act in latest[:1]),
        )
    )


def led(play: Play, dice: random.Random) -> c.Command:
    return random_move(dice, play.game)


Others = Callable[[Play, random.Random], c.Command]


def state(journal: Journal) -> tuple[object, ...]:
    return journal.game, journal.undone, journal.sitters.sat, journal.clock


def marked(entries: Sequence[Entry]) -> Iterator[tuple[Journal, Journal]]:
    """Yield the growing journal, and one that started from its snapshot."""
    whole = Journal(lambda after: entries[after:])
    for entry in entries:
        whole.append(entry)
        if whole.snapshot is None or entry.revision % 7:
            continue
        mark = mark_from_json(mark_to_json(whole.snapshot))
        assert mark == whole.snapshot
        again = Journal(lambda after: entries[after:], mark)
        for later in entries[mark.revision : entry.revision]:
            again.append(later)
        yield whole, again


@pytest.mark.usefixtures("little")
@pytest.mark.parametrize("seed", sampled(range(40), 2))
@pytest.mark.parametrize("others", [by_hand, led])
def test_what_comes_of_a_mark_is_what_comes_of_all_entries(
    others: Others, seed: int
) -> None:
    play = Play("red", "blue") if others is by_hand else Guided("secret-vault", 3)
    entries = tried(play, random.Random(seed), 200, others).entries
    count, snapshots = 0, []
    for whole, again in marked(entries):
        count += 1
        assert state(again) == state(whole)
        snapshots += whole.snapshot, again.snapshot
        if count % 5:
            continue
        for entry in entries[whole.revision :]:  # An undo may now reach behind it.
            again.append(entry)
            snapshots.append(again.snapshot)
        assert state(again) == state(play.journal)
    assert count > 5
    assert_sound([mark for mark in snapshots if mark is not None], entries)


def assert_sound(marks: Sequence[Mark], entries: Sequence[Entry]) -> None:
    """Expect that a playback contradicts no mark, but each of another state."""
    played = Journal(lambda after: entries[after:])
    for entry in entries:
        played.append(entry)
        for mark in (one for one in marks if one.revision == entry.revision):
            assert not played.contradicts(mark)
            assert played.contradicts(replace(mark, covered=(*mark.covered, 9_999)))
            later = replace(mark, revision=Revision(mark.revision + 1))
            assert not played.contradicts(later)


@pytest.mark.usefixtures("little")
@pytest.mark.parametrize("name", sampled(NAMES, 5))
def test_an_old_game_goes_on_from_each_of_its_marks(name: str) -> None:
    entries = read(name).entries
    pairs = [state(whole) == state(again) for whole, again in marked(entries)]
    assert len(pairs) > 10
    assert all(pairs)


@pytest.mark.usefixtures("little")
def test_undos_that_reach_behind_a_mark_read_all_entries_again() -> None:
    play = Play("red", "blue")
    play.give(*(pay("red", "blue", 1 + at % 9) for at in range(100)))
    mark = play.journal.snapshot
    assert mark is not None
    assert mark.is_cut
    read: list[int] = []

    def reread(after: int) -> list[Entry]:
        read.append(after)
        return play.entries[after:]

    again = Journal(reread, mark)
    for entry in play.entries[mark.revision :]:
        again.append(entry)
    for _ in range(60):
        play.give(c.Undo(by=c.TABLE))
        again.append(play.entries[-1])
        assert again.game == play.game
    assert read.count(0) == 1, "afterwards it has marks of its own"


MANY = 25 * EVERY
ONCE, BACK, AGAIN = (
    pay("bank", "red", 1, c.TABLE),
    c.Undo(by=c.TABLE),
    c.Redo(by=c.TABLE),
)
EVENINGS = {
    "all taken back and restored": [ONCE] * MANY + [BACK] * MANY + [AGAIN] * MANY,
    "to and fro": [ONCE, *[BACK, AGAIN] * MANY],
    "to and fro far back": [*[ONCE] * MANY, *[BACK] * 400, *[AGAIN, BACK] * MANY],
    "each third an undo": [ONCE, ONCE, BACK] * MANY,
    "two steps on, one back": ([ONCE] * EVERY + [BACK] * (EVERY // 2)) * 25,
}


@pytest.mark.usefixtures("little")
@pytest.mark.parametrize("name", EVENINGS)
def test_undos_apply_and_read_few_entries_again(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    counts = Counter[str]()

    def counted(game: Game | None, entry: Entry) -> Game:
        counts["applied"] += 1
        return apply_entry(game, entry)

    def reread(after: int) -> Iterator[Entry]:
        for entry in play.entries[after:]:
            counts["read"] += 1
            yield entry

    monkeypatch.setattr(journals, "apply_entry", counted)
    play = Play("red", "blue")
    play.journal._reread = reread
    play.give(*EVENINGS[name])
    again = Journal(reread)
    for entry in play.entries:
        again.append(entry)
    assert state(again) == state(play.journal)
    assert counts["read"] <= 6 * len(play.entries), counts
    assert counts["applied"] <= counts["read"] + 2 * len(play.entries), counts


def test_money_from_nowhere_is_no_mark() -> None:
    play = Play("red", "blue")
    play.give(*(pay("red", "blue", 1) for _ in range(journals.EVERY)))
    mark = play.journal._make_mark(play.game)
    text = mark_to_json(mark)
    assert mark_from_json(text) == mark
    red = f'"red":{mark.game.ledger["red"]}'.encode()  # type: ignore[index]
    assert text.count(red) == 1
    for wrong in (text.replace(red, b'"red":9'), b"{}", b"", text[:-1]):
        with pytest.raises(Malformed, match="expected where a game stood"):
            mark_from_json(wrong)
