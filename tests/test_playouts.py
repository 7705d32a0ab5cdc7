"""Random evenings: whatever anybody tries, the books balance and nothing is lost.

Two kinds. Seeded playouts in memory compare the rules with themselves; a machine
drives the whole table service on a real file, restarts it, repeats taps and lies
about revisions. ``-m slow`` plays far longer.
"""

from __future__ import annotations

import itertools
import random
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from unittest import TestCase

import msgspec
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from companion.errors import Refused, Why
from companion.game import Game
from companion.game import commands as c
from companion.game import events as e
from companion.game.codec import entries_to_json, events_from_json, events_to_json
from companion.game.envelope import Envelope, Receipt
from companion.game.journal import WINDOW, Entry, Journal
from companion.game.ledger import Reason
from companion.rules import RULES, decide, legal_commands
from companion.rules.seats import COLOURS
from companion.store import Database
from companion.table import build_table
from companion.units import BANK, Account, Revision, Seat
from companion.views.history import history_line, names_of
from tests.fakes import FakeClock
from tests.scene import TERMS, VAULT_TERMS, Play, ask, candidates, pay, sitting

SEATS = COLOURS[:4]
ACTORS = (*SEATS, c.TABLE, BANK, "stranger", "")


def check_books(game: Game) -> None:
    """The two rules of the ledger, counted here once more."""
    balances = {account: game.ledger[account] for account in game.ledger}
    assert sum(balances.values()) == 0, balances
    assert all(v >= 0 for account, v in balances.items() if account != BANK), balances


def check_entries(entries: list[Entry]) -> None:
    """What the journal itself says: no gaps, no number used twice."""
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
    """A random evening; refused commands are part of it."""
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
    """An undo right after a command is as if it had never been given."""
    if play.game.undo_next != play.journal.revision or play.game.is_closed:
        return
    after = play.game
    undone = play.give(c.Undo(by=command.by))
    assert without_marks(undone) == without_marks(before), clue
    assert play.give(c.Redo(by=command.by)) == after, clue


def without_marks(game: Game) -> Game:
    """The game but for what can be undone next and how many asks there were."""
    return msgspec.structs.replace(
        game,
        undoable=(),
        redoable=(),
        redo_by="",
        undo_ask=None,
        asks_count=0,
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


@pytest.mark.slow
@pytest.mark.volume
@pytest.mark.parametrize("seed", range(1_000, 1_200))
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


# The whole service on a real file.


class TableMachine(RuleBasedStateMachine):
    """One table on one directory, and everybody at it."""

    def __init__(self) -> None:
        super().__init__()
        self.directory = Path(tempfile.mkdtemp(prefix="playout-"))
        self.clock = FakeClock()
        self.counter = itertools.count()
        self.tried: list[tuple[Envelope, Receipt | Why]] = []
        self.start()
        self.game = self.table.open_game("secret-vault", "Friday", "command-open")
        for seat in SEATS[:2]:
            self.submit(sitting(seat))

    def start(self) -> None:
        self.database = Database(self.directory)
        self.table = build_table(self.database, self.clock).service

    def teardown(self) -> None:
        self.database.close()
        shutil.rmtree(self.directory)

    @property
    def live(self) -> Game:
        return self.table.game(self.game)

    @property
    def revision(self) -> Revision:
        return self.table.table_view(self.game).revision

    def submit(self, command: c.Command, expected: int | None = None) -> Receipt | Why:
        """Try it; check that a refusal changes nothing, and remember the answer."""
        command_id = f"command-{next(self.counter):06d}"
        revision = None if expected is None else Revision(expected)
        envelope = Envelope(command, command_id, revision)
        before, at = self.live, self.revision
        answer: Receipt | Why
        try:
            answer = self.table.submit(self.game, envelope)
            assert answer == Receipt(Revision(at + 1))
        except Refused as refused:
            answer = refused.why
            assert (self.live, self.revision) == (before, at)
        self.tried.append((envelope, answer))
        return answer

    by = st.sampled_from((*SEATS, c.TABLE, c.TABLE, BANK, "stranger"))
    seat = st.sampled_from(SEATS)
    account = st.sampled_from((*SEATS, BANK, "pot", "vault", "nobody"))
    amount = st.sampled_from((0, 1, 37, 500, 1_000, 1_000_000)) | st.integers(1, 900)
    number = st.integers(0, 6)

    @rule(by=by, payer=account, payee=account, amount=amount)
    def pays(self, by: str, payer: str, payee: str, amount: int) -> None:
        self.submit(pay(payer, payee, amount, by, Reason.RENT))

    @rule(payer=seat, payee=account, amount=st.integers(1, 200))
    def pays_own(self, payer: str, payee: str, amount: int) -> None:
        self.submit(pay(payer, payee, amount))

    @rule(by=by, seat=seat, payer=account, amount=amount)
    def asks(self, by: str, seat: str, payer: str, amount: int) -> None:
        self.submit(ask(seat, payer, amount, by))

    @rule(
        by=by,
        number=number,
        kind=st.sampled_from((c.PayAsk, c.DeclineAsk, c.WithdrawAsk)),
    )
    def answers(
        self,
        by: str,
        number: int,
        kind: type[c.PayAsk | c.DeclineAsk | c.WithdrawAsk],
    ) -> None:
        self.submit(kind(by=by, number=number))

    @rule(by=by, kind=st.sampled_from((c.Undo, c.Redo, c.Undo, c.LockTable)))
    def does(self, by: str, kind: type[c.Undo | c.Redo | c.LockTable]) -> None:
        self.submit(kind(by=by))

    @rule(by=by, seat=seat)
    def sits_down(self, by: str, seat: str) -> None:
        self.submit(sitting(seat, by))

    @rule(by=by, seat=seat)
    def is_removed(self, by: str, seat: str) -> None:
        self.submit(c.RemoveSeat(by=by, seat=Seat(seat)))

    @rule(by=by, seat=seat, name=st.text(max_size=30))
    def is_renamed(self, by: str, seat: str, name: str) -> None:
        self.submit(c.RenameSeat(by=by, seat=Seat(seat), name=name))

    @rule(by=by, seat=seat)
    def gets_the_bank(self, by: str, seat: str) -> None:
        self.submit(c.HandBanker(by=by, to=Seat(seat)))

    @rule(by=by, seat=seat)
    def passes_go(self, by: str, seat: str) -> None:
        self.submit(c.CollectSalary(by=by, seat=Seat(seat)))

    @rule(by=by, account=account, amount=amount)
    def corrects(self, by: str, account: str, amount: int) -> None:
        self.submit(c.CorrectBalance(by=by, account=Account(account), balance=amount))

    @rule(by=by)
    def closes_and_reopens(self, by: str) -> None:
        if isinstance(self.submit(c.CloseGame(by=by)), Receipt):
            assert self.table.current() is None
            assert self.submit(c.Pay(by=c.TABLE, payer=BANK, payee=BANK, amount=1)) is (
                Why.GAME_OVER
            )
            assert isinstance(self.submit(c.ReopenGame(by=by)), Receipt)
        assert self.table.current() == self.game

    @precondition(lambda self: self.live.undo_next is not None)
    @rule()
    def an_undo_and_a_redo_are_nothing(self) -> None:
        before = self.live
        assert isinstance(self.submit(c.Undo(by=c.TABLE)), Receipt)
        assert isinstance(self.submit(c.Redo(by=c.TABLE)), Receipt)
        assert self.live == before

    @rule(index=st.integers(0, 10_000))
    def a_tap_is_repeated(self, index: int) -> None:
        envelope, answer = self.tried[index % len(self.tried)]
        before = self.live, self.revision
        again: Receipt | Why
        try:
            again = self.table.submit(self.game, envelope)
        except Refused as refused:
            again = refused.why
        if isinstance(answer, Receipt):
            assert again == Receipt(answer.revision, is_repeat=True)
        else:
            assert again is answer
        assert (self.live, self.revision) == before

    @rule(off=st.sampled_from((-3, -1, 1, 7)))
    def a_page_is_stale(self, off: int) -> None:
        command = pay("bank", "pot", 1, c.TABLE)
        assert self.submit(command, self.revision + off) is Why.STALE
        assert isinstance(self.submit(command, self.revision), Receipt)

    @rule()
    def the_power_is_cut(self) -> None:
        """Refusals are not on disk, so their repeats start afresh."""
        before = self.live, self.revision
        self.database.close()
        self.start()
        assert (self.live, self.revision) == before
        self.tried = [x for x in self.tried if isinstance(x[1], Receipt)]

    @invariant()
    def the_books_balance(self) -> None:
        check_books(self.live)

    @invariant()
    def the_disk_says_the_same(self) -> None:
        entries = self.table.entries(self.game)
        check_entries(list(entries))
        replay = Journal(lambda after: entries[after:])
        for entry in entries:
            replay.append(entry)
        assert replay.game == self.live

    @invariant()
    def everybody_can_see_it(self) -> None:
        for by in ACTORS:
            view = self.table.seat_view(self.game, by)
            assert msgspec.json.decode(msgspec.json.encode(view, enc_hook=str))
            legal = legal_commands(self.live, by)
            assert view.commands == {kind.__name__ for kind in legal}
            assert {kind for kind in RULES if view.may(kind)} == set(legal)
        lines = self.table.history(self.game, count=200)
        assert [x.revision for x in lines] == list(range(self.revision, 0, -1))


def machine(examples: int, steps: int) -> type[TestCase]:
    case: type[TestCase] = TableMachine.TestCase
    case.settings = settings(  # type: ignore[attr-defined]
        max_examples=examples,
        stateful_step_count=steps,
        suppress_health_check=list(HealthCheck),
    )
    return case


def run(examples: int, steps: int) -> None:
    found: Callable[[], None] = machine(examples, steps)("runTest").runTest  # type: ignore[attr-defined]
    found()


def test_whatever_is_tried_the_table_stays_right() -> None:
    run(examples=15, steps=30)


@pytest.mark.slow
@pytest.mark.volume
def test_whatever_is_tried_for_a_long_time_the_table_stays_right() -> None:
    run(examples=120, steps=60)
