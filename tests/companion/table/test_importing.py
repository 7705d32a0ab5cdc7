"""A game goes from table to table whole, or not at all, whoever wrote the file."""

from __future__ import annotations

import json
import os
import random
import shutil
from collections.abc import Callable, Iterable
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cli import main
from companion.edition import builtin
from companion.errors import Malformed, Refused
from companion.game import commands as c
from companion.game import moves as m
from companion.game.codec import (
    LENGTH_MAX,
    NUMBER_MAX,
    TEXT_MAX,
    entries_from_json,
    entries_to_json,
    entry_to_json,
)
from companion.game.envelope import Envelope, opened_by
from companion.game.journal import Entry, leaving
from companion.game.position import LOCKED, OPEN
from companion.game.vault_contents_events import HIDDEN
from companion.lock.events import NumberGuessed, WheelSet
from companion.lock.states import VaultState
from companion.ports import Line
from companion.store import Database, Journals
from companion.store.copies import SEED, sum_after
from companion.table import build_table
from companion.table.service import GAMES_MAX, games_for
from companion.units import Account, GameId
from tests.databases import ON_BOTH, import_game, of_file, quick_on_both
from tests.fakes import FakeClock
from tests.scene import pay, sitting
from tests.vault_rig import Metal, VaultRig

pytestmark = ON_BOTH

GOLDEN = Path(__file__).parents[2] / "machines" / "install-game.json"
"""An evening with a vault, as it was exported when games could first be imported."""

Document = dict[str, object]
OPENED = "command-open"


def exported(rig: VaultRig) -> bytes:
    return b"".join(entries_to_json(rig.now.name, rig.table.entries(rig.game)))


@pytest.fixture
def payments(tmp_path: Path) -> bytes:
    """An exported game by hand: two seats, twenty payments, some taken back."""
    with closing(Database(tmp_path / "from")) as database:
        table = build_table(database, FakeClock()).service
        game = table.open_game("classic", "Friday \u00e9 \u2603", OPENED)
        dice = random.Random(4)
        for seat in ("red", "blue"):
            table.submit(game, Envelope(sitting(seat), f"command-{seat}"))
        for number in range(20):
            act = pay("red", "blue", 1) if dice.random() < 0.7 else c.Undo(by="bank")
            with_id = Envelope(act, f"command-{number:02d}")
            with suppress(Refused):  # Nothing is left to undo.
                table.submit(game, with_id)
        return b"".join(entries_to_json(table.game(game).name, table.entries(game)))


def companion(*words: str) -> Result:
    return CliRunner().invoke(main, [*words], env={"COMPANION_DATA": ""})


def taken_in(text: bytes, folder: Path) -> GameId:
    with closing(Database(folder)) as database:
        return import_game(Journals(database), text, builtin)


def again(folder: Path, game: GameId) -> bytes:
    with closing(Database(folder)) as database:
        journals = Journals(database)
        (title,) = (x.title for x in journals.games() if x.game_id == game)
        return b"".join(entries_to_json(title, journals.entries(game)))


# What goes out comes in.


def test_an_imported_game_exports_to_the_same_bytes(
    payments: bytes, tmp_path: Path
) -> None:
    game = taken_in(payments, tmp_path / "to")
    assert again(tmp_path / "to", game) == payments


def test_the_commands_take_a_game_from_table_to_table(tmp_path: Path) -> None:
    text, to = GOLDEN.read_bytes(), str(tmp_path / "to")
    done = companion("games", "import", str(GOLDEN), "--data", to)
    assert done.output == "c5bcf289f96e is on this table now\n"
    listed = companion("games", "list", "--data", to).output
    assert listed == "c5bcf289f96e  open    secret-vault   Friday\n"
    shown = companion("games", "export", "c5bcf289f96e", "--data", to)
    here, there = (entries_from_json(x) for x in (shown.stdout_bytes, text))
    assert here.entries == tuple(map(leaving, there.entries))
    help_text = " ".join(companion("games", "import", "--help").output.split())
    assert "An export holds no secret and no phone" in help_text


@quick_on_both
def test_an_imported_game_is_gone_on_with(payments: bytes, tmp_path: Path) -> None:
    game = taken_in(payments, tmp_path / "to")
    with closing(Database(tmp_path / "to")) as database:
        table = build_table(database, FakeClock()).service
        assert table.current() == game
        before = table.game(game).ledger[Account("blue")]
        table.submit(game, Envelope(pay("red", "blue", 5), "command-after"))
        assert table.game(game).ledger[Account("blue")] == before + 5
        repeated = Envelope(pay("red", "blue", 1), "command-red")
        assert table.submit(game, Envelope(sitting("red"), "command-red")).is_repeat
        assert repeated.command_id in table._journal(game).revisions
        table.close()


# What becomes of a vault.


@of_file
def test_a_vault_game_goes_on_at_the_vault_that_stands_here(tmp_path: Path) -> None:
    with VaultRig(tmp_path / "from") as rig:
        rig.ready(code=4)
        rig.guess(1)
        text = exported(rig)
        assert rig.vault_contents.tried == (1,)
    with VaultRig(tmp_path / "to") as rig:
        rig.lock(6)
        rig.cut()
        game = taken_in(text, tmp_path / "to")
        rig.on()
        rig.resume()
        assert rig.game == game
        rig.coupling.look()
        rig.run(50)
        assert rig.vault_contents.lid == LOCKED
        assert rig.vault_contents.tried == (), "another code: no number was tried"
        rig.set("turn blue", "blue on 0")
        rig.give(m.Roll(by="blue", dice=(2, 3)))
        rig.guess(4)
        assert rig.state is VaultState.LOCKED, "the other table's code is no use here"
        assert rig.cash("blue") == 3_000
        rig.set("turn red", "red on 0")
        rig.give(m.Roll(by="red", dice=(2, 3)))
        rig.guess(6)
        assert rig.vault_contents.lid == OPEN
        assert rig.cash("red") == 3_400


@of_file
def test_a_game_that_comes_back_is_not_said_to_have_a_new_number(
    tmp_path: Path,
) -> None:
    with VaultRig(tmp_path) as rig:
        rig.ready(code=4)
        rig.guess(1)
        text = exported(rig)
        rig.give(c.CloseGame(by=c.TABLE))
        rig.table.remove_game(GameId(rig.game))
        rig.cut()
        taken_in(text, tmp_path)
        rig.on()
        rig.resume()
        rig.coupling.look()
        rig.run(50)
        assert rig.vault_contents.tried == (HIDDEN,)
        assert not [line for line in rig.lines() if "new number" in line]
        rig.set("turn red", "red on 0")
        rig.give(m.Roll(by="red", dice=(2, 3)))
        rig.guess(4)
        assert rig.cash("red") == 3_400


@of_file
@pytest.mark.slow
def test_lock_and_game_agree_wherever_the_game_goes_on_from_a_copy(
    tmp_path: Path,
) -> None:
    """From each moment, to each moment; nothing opens, whatever the copy tells."""
    moments: list[tuple[Path, Metal]] = []
    with VaultRig(tmp_path / "from") as rig:
        acts: tuple[Callable[[], object], ...] = (
            lambda: rig.ready(code=4),
            lambda: rig.guess(1),
            lambda: rig.set("turn blue", "blue on 0"),
            lambda: rig.give(m.Roll(by="blue", dice=(2, 3))),
            lambda: rig.guess(2),
            lambda: rig.set("turn red", "red on 0"),
            lambda: rig.give(m.Roll(by="red", dice=(2, 3))),
            lambda: rig.guess(4),
            lambda: rig.lock(3),
        )
        for number, act in enumerate(acts):
            act()
            metal = Metal(rig.is_lid_shut, rig.pointer, rig.clock.now_ms())
            moments.append((tmp_path / f"moment {number}", metal))
            shutil.copytree(rig.folder, moments[-1][0])
        entries = rig.table.entries(GameId(rig.game))
    seen = set()
    for folder, then in moments:
        for lid in (then.is_lid_shut, not then.is_lid_shut):
            for count in range(1, len(entries) + 1):
                to = tmp_path / f"{folder.name} {lid} {count}"
                shutil.copytree(folder, to)
                with VaultRig(to, code=6, metal=replace(then, is_lid_shut=lid)) as rig:
                    rig.resume()
                    rig.coupling.look()
                    rig.run(300)
                    here = rig.table.revision(GameId(rig.game))
                    text = b"".join(entries_to_json("Friday", entries[:count]))
                    with suppress(Malformed):  # The vault told the game otherwise.
                        rig.table.take_in(text, here)
                        rig.coupling.look()
                        rig.run(500)
                        seen.add((rig.vault_contents.lid, rig.state, any(rig.coil)))
                shutil.rmtree(to)
    assert {lid for lid, _, _ in seen} >= {LOCKED, OPEN}
    for lid, state, has_moved in seen:
        assert (lid, has_moved) == (state.value, False)


def heard(rig: VaultRig) -> tuple[Entry, ...]:
    """The vault's own journal."""
    return tuple(Journals(rig.database).entries("vault"))


def guesses(rig: VaultRig) -> list[int]:
    """The revisions of the guesses in the vault's own journal."""
    return [
        entry.revision
        for entry in heard(rig)
        if any(isinstance(event, NumberGuessed) for event in entry.events)
    ]


@of_file
def test_a_guess_here_counts_though_the_other_vault_had_heard_as_many(
    tmp_path: Path,
) -> None:
    with VaultRig(tmp_path / "from") as rig:
        rig.ready(code=4)
        for _ in range(10):
            rig.journal.record((WheelSet(1),))
        rig.guess(1)
        (there,) = guesses(rig)
        text = exported(rig)
    with VaultRig(tmp_path / "to", metal=Metal(pointer=1)) as rig:
        rig.clock.advance(60_000)
        rig.lock(1)
        rig.cut()
        taken_in(text, tmp_path / "to")
        rig.on()
        rig.resume()
        rig.coupling.look()
        rig.run(50)
        rig.set("turn red", "red on 0")
        rig.give(m.Roll(by="red", dice=(2, 3)))
        for _ in range(there - 1 - max(x.revision for x in heard(rig))):
            rig.journal.record((WheelSet(1),))
        rig.press(Line.M_BUTTON)
        rig.run(100)
        assert guesses(rig) == [there]
        assert rig.cash("red") == 3_400


@of_file
def test_a_guess_of_a_later_state_is_not_made_again_in_the_state_imported(
    tmp_path: Path,
) -> None:
    with VaultRig(tmp_path) as rig:
        rig.ready(code=4)
        text = exported(rig)
        rig.guess(1)
        rig.give(c.CloseGame(by=c.TABLE))
        rig.table.remove_game(GameId(rig.game))
        rig.cut()
        taken_in(text, tmp_path)
        rig.on()
        rig.resume()
        rig.coupling.look()
        rig.run(50)
        assert not [line for line in rig.lines() if " guessed " in line]
        rig.guess(4)
        assert rig.cash("red") == 3_400


# What is refused.


def refused(text: bytes, folder: Path) -> str:
    """Import what must not be imported, and return what is said about it."""
    folder.mkdir(exist_ok=True)
    with closing(Database(folder)) as database:
        before = Journals(database).ids()
        with pytest.raises(Malformed) as caught:
            import_game(Journals(database), text, builtin)
        assert Journals(database).ids() == before
        assert len(str(caught.value)) < 500
        assert caught.value.remedy
    return str(caught.value)


@of_file
def test_a_game_that_is_there_is_refused(payments: bytes, tmp_path: Path) -> None:
    taken_in(payments, tmp_path / "to")
    file, before = tmp_path / "game.json", again(tmp_path / "to", opened_by(OPENED))
    file.write_bytes(payments)
    done = companion("games", "import", str(file), "--data", str(tmp_path / "to"))
    assert done.exit_code == 1
    assert "is on this table already; to play from the file, put the" in done.output
    assert again(tmp_path / "to", opened_by(OPENED)) == before


def test_a_table_for_more_phones_takes_in_as_many_games_as_it_keeps(
    payments: bytes, tmp_path: Path
) -> None:
    """What it keeps is for its phones to say, which an import does not know."""
    folder, most = tmp_path / "to", games_for(phones=50)
    with closing(Database(folder)) as database:
        table = build_table(database, FakeClock(), games_max=most).service
        for number in range(GAMES_MAX):
            table.open_game("classic", "One", f"command-{number:04d}")
        table.close()
    taken_in(payments, folder)
    with closing(Database(folder)) as database:
        table = build_table(database, FakeClock(), games_max=GAMES_MAX + 1).service
        assert len(table.games()) == GAMES_MAX + 1
        with pytest.raises(Refused, match="201 games are kept already"):
            table.open_game("classic", "One", "command-more")
        table.close()


@of_file
def test_whatever_lies_in_a_folder_all_its_copies_are_taken_in(
    payments: bytes, tmp_path: Path
) -> None:
    """The most entries first, though a stick has made another file larger."""
    folder, to = tmp_path / "stick", str(tmp_path / "to")
    own = folder / "table-companion" / "one"
    (own / "decks").mkdir(parents=True)
    entries = entries_from_json(payments).entries
    write_copy(own / "a-1.copy", entries[:9], waste=bytes(90_000))
    write_copy(own / "a-2.copy", entries)
    golden = entries_from_json(GOLDEN.read_bytes()).entries
    write_copy(own / "b-1.copy", golden)
    (own / "gone.copy").symlink_to("nowhere")
    os.mkfifo(own / "pipe.copy")
    os.mkfifo(own / "decks" / "00000000-pipe.deck")
    (own / "decks" / "00000000-gone.deck").symlink_to("nowhere")
    (own / "waste.copy").write_bytes(b"waste")
    with (own / "huge.copy").open("wb") as huge:
        huge.truncate(LENGTH_MAX + 1)
    for word in ("now", "already"):
        done = companion("games", "import", str(folder), "--data", to)
        assert done.exit_code == 1
        lines = sorted(done.stdout.splitlines())
        game = opened_by(OPENED)
        assert f"{game} is on this table {word}" in lines, done.output
        assert f"c5bcf289f96e is on this table {word}" in lines
        assert len(lines) == 3
        for name in ("gone", "pipe", "waste", "huge"):
            assert f"{name}.copy: " in done.stderr
    assert again(tmp_path / "to", opened_by(OPENED)) == payments


def write_copy(path: Path, entries: Iterable[Entry], waste: bytes = b"") -> None:
    last, text = SEED, b""
    for entry in map(entry_to_json, entries):
        last = sum_after(last, entry)
        text += last + b" " + entry + b"\n"
    path.write_bytes(text + waste)


def test_an_edition_that_is_not_here_is_named(payments: bytes, tmp_path: Path) -> None:
    text = payments.replace(b'"classic"', b'"our-box"')
    assert "needs the edition 'our-box'" in refused(text, tmp_path / "to")


def change(path: str, value: object) -> Callable[[Document], None]:
    """Set what stands at *path*, such as ``entries 3 revision``."""

    def act(document: Document) -> None:
        *way, last = (int(x) if x.isdecimal() else x for x in path.split())
        at: object = document
        for key in way:
            at = at[key]  # type: ignore[index]
        at[last] = value  # type: ignore[index]

    return act


def drop_entry(document: Document) -> None:
    del document["entries"][3]  # type: ignore[attr-defined]


MOVED = {"type": "MoneyMoved", "payer": "red", "payee": "blue", "reason": "other"}
WRONG: dict[str, tuple[Callable[[Document], None], str]] = {
    "another format": (change("format", "table-companion game 2"), "the format"),
    "another name": (change("name", "Sunday"), "entry 1"),
    "no entries": (change("entries", []), "entry 1"),
    "no list": (change("entries", 7), "expected an exported game"),
    "a gap": (drop_entry, "entry 4"),
    "a revision twice": (change("entries 4 revision", 4), "entry 5"),
    "no events": (change("entries 3 events", []), "entry 4"),
    "an unknown event": (change("entries 3 events 0 type", "Won"), "invalid value"),
    "the lock's events": (
        change(
            "entries 3 events",
            [{"type": "VaultLocked", "code": [4], "number": 1}],
        ),
        "entry 4",
    ),
    "nobody's money": (
        change("entries 3 events", [{**MOVED, "payer": "eve", "amount": 1}]),
        "entry 4",
    ),
    "money that is not there": (
        change("entries 3 events", [{**MOVED, "amount": 10**9}]),
        "entry 4",
    ),
    "money backwards": (
        change("entries 3 events", [{**MOVED, "amount": -5}]),
        "entry 4",
    ),
    "half a dollar": (change("entries 3 events", [{**MOVED, "amount": 0.5}]), "`int`"),
    "opened twice": (
        lambda x: change("entries 3 events", x["entries"][0]["events"])(x),  # type: ignore[index]
        "entry 4",
    ),
    "an undo of nothing": (
        change("entries 3 events", [{"type": "Undone", "revision": 2}]),
        "entry 4",
    ),
    "an id twice": (change("entries 3 command_id", "command-red"), "came before"),
    "an id that opens nothing": (change("entries 0 command_id", "x"), "its id is 'x'"),
    "a time beyond all clocks": (change("entries 3 at_ms", NUMBER_MAX + 1), "number"),
    "a number without end": (change("entries 3 at_ms", 10**300), "number"),
    "a text without end": (change("entries 3 actor", "x" * (TEXT_MAX + 1)), "a text"),
}


@pytest.mark.parametrize("what", WRONG)
def test_what_cannot_have_happened_is_refused_whole(
    payments: bytes, tmp_path: Path, what: str
) -> None:
    act, said = WRONG[what]
    document = json.loads(payments)
    act(document)
    text = refused(json.dumps(document).encode(), tmp_path / "to")
    assert said.lower() in text.lower()


def test_a_file_of_another_kind_or_without_end_is_refused(tmp_path: Path) -> None:
    deep = b"[" * 100_000
    half = GOLDEN.read_bytes().replace(b'"vault"', b'"\\ud800"')
    for text in (b"", b"\xff\xfe", b"Dear diary", b"{}", deep, half):
        refused(text, tmp_path / "to")
    assert "expected at most" in refused(bytes(LENGTH_MAX + 1), tmp_path / "to")


def test_a_game_of_any_depth_is_bounded() -> None:
    with pytest.raises(Malformed, match="exported game"):
        entries_from_json(b'{"format":' + b"[" * 5_000 + b"]" * 5_000 + b"}")


@of_file
@given(st.data())
@settings(max_examples=60, deadline=None, suppress_health_check=[*HealthCheck])
def test_a_changed_game_is_refused_in_words_or_can_be_played(
    tmp_path: Path, data: st.DataObject
) -> None:
    """Any value of a whole evening, with its board, is changed to any other."""
    document = json.loads(GOLDEN.read_bytes())
    places = tuple(_places(document))
    for _ in range(data.draw(st.integers(1, 2))):
        holder, key = data.draw(st.sampled_from(places))
        values = st.none() | st.integers() | st.text(max_size=5) | st.just([])
        holder[key] = data.draw(values)  # type: ignore[index]
    folder = tmp_path / "to"
    for left in folder.glob("*"):
        left.unlink()
    folder.mkdir(exist_ok=True)
    text = json.dumps(document).encode()
    with closing(Database(folder)) as database:
        journals = Journals(database)
        try:
            game = import_game(journals, text, builtin)
        except Malformed:
            assert journals.ids() == ()
            return
        replayed = journals.replayed(game).game
    assert replayed is not None
    assert sum(replayed.ledger[x] for x in replayed.ledger) == 0


def _places(value: object) -> list[tuple[object, object]]:
    """Everything in a document that holds a value, with the key it holds it by."""
    if isinstance(value, dict):
        keys: list[object] = [*value]
    elif isinstance(value, list):
        keys = [*range(len(value))]
    else:
        return []
    found: list[tuple[object, object]] = [(value, key) for key in keys]
    for key in keys:
        found += _places(value[key])  # type: ignore[index]
    return found
