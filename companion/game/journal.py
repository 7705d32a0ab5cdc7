"""The journal: entries are only ever added, and together they make up the game.

An *entry* is one accepted command with its events. An undo is an entry, too: the
earlier entries that it names no longer *count*, as if they had not happened, but stay
readable. A redo restores all entries of one undo. Every other entry is of one of three
kinds, depending on its events:

* *undoable*: money moved, was asked for or was corrected; a move in guided play; the
  beginning of banking, until the next undoable entry;
* *barrier*: nothing before it can be taken back any more;
* *neutral*: names, locks and the like, which stay when an earlier entry is undone. A
  request for an undo is neutral, too; the next entry of another kind ends it.

After every ``EVERY`` entries a journal makes a *mark* of its state. A stored mark is a
*snapshot*: a long game can be read from there instead of from its first entry.

The *line* of a journal is the list of the latest entries that count, each with the game
before it. An undo or a redo goes back along the line to the oldest entry that it names,
and computes the game anew from there. Entries older than the line are read from the
disk again: from the last mark before them, or else from the first entry.

People come and go. A seat that was removed may be taken by somebody else later; the
acts of the first person are still shown under that person's name. Renaming does not
make another person: earlier entries show the new name, too.

A table may agree on a number of minutes. The clock is computed from the entries,
without the time while the game was put away, so it survives a restart.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from functools import cached_property
from itertools import islice

import msgspec
from msgspec.structs import replace

from companion.game import Game, new_game
from companion.game.decoder_events import VerdictGiven
from companion.game.envelope import VAULTS_OWN
from companion.game.events import (
    AskAnswered,
    BalanceCorrected,
    BankerChanged,
    BankingBegun,
    Event,
    GameClosed,
    GameEvent,
    GameOpened,
    GameReopened,
    MoneyAsked,
    MoneyMoved,
    Redone,
    SeatAdded,
    SeatRemoved,
    SeatRenamed,
    UndoAllowed,
    UndoAsked,
    UndoDeclined,
    Undone,
)
from companion.game.game import Act, UndoAsk
from companion.game.play_events import (
    HIDDEN_DRAWS,
    BoxRead,
    PlayBegun,
    PlayRested,
    PlayResumed,
    PositionCorrected,
    PositionGiven,
)
from companion.game.playing import PLAY_AFTER
from companion.game.replies import (
    REPLIES_MAX,
    AnyReply,
    Ending,
    is_done_with,
    is_open_again,
    replies_of,
)
from companion.game.vault_contents_events import (
    HIDDEN,
    LID_AND_BUTTON_EVENTS,
    NOT_TAKEN_BACK,
    GuessMade,
)
from companion.lock.events import VaultEvent
from companion.units import Revision, TimeMs

# These are sets because every event of a long game is looked up in them.
BARRIERS: frozenset[type] = frozenset(
    (
        GameOpened,
        SeatRemoved,
        PlayBegun,
        PositionGiven,
        *HIDDEN_DRAWS,
        VerdictGiven,
        *NOT_TAKEN_BACK,
    )
)
"""Events before which nothing can be taken back any more."""

UNDOABLE: frozenset[type] = frozenset(
    (
        BankingBegun,
        MoneyMoved,
        MoneyAsked,
        AskAnswered,
        BalanceCorrected,
        PlayRested,
        PlayResumed,
        *(
            kind
            for kind in PLAY_AFTER
            if kind not in (*BARRIERS, *LID_AND_BUTTON_EVENTS)
        ),
        BoxRead,
    )
)
"""Events that can be taken back."""

TAKING_BACK = (Undone, Redone)
"""The events of an undo and of a redo."""

ASKING = (UndoAsked, UndoAllowed, UndoDeclined)
"""The events of a request for an undo."""

NONSENSE = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    StopIteration,
    TypeError,
    ValueError,
)
"""The errors that ``Journal.append`` may raise for an impossible entry."""

UNDOS_MAX = 200
"""The most entries that one undo takes back, and that a game lists."""

WINDOW = 256
"""The latest entries kept in memory; the line is never longer."""

EVERY = 1_000
"""The entries from one mark to the next."""

MARKS_MAX = 4
"""The latest marks kept; an undo drops those after the entry that it takes back."""

ACTS_KEPT = 5 * UNDOS_MAX
"""The latest undoable acts that a mark keeps; older ones are read from the disk."""


class Entry(msgspec.Struct, frozen=True):
    """One accepted command, as it stands in the journal.

    Attributes:
        revision: 1 for the first entry of a journal, then without gaps.
        command_id: The id that the phone made, by which a repeated tap is recognised.
            If another seat had used that id, the seat stands before it.
        actor: Who acted: a seat, ``bank``, ``table`` or ``vault``; in a journal of
            values read off a real box, somebody's name.
        at_ms: The time of the entry, by the wall clock.
        events: What happened, in order; at least one event.
    """

    revision: Revision
    command_id: str
    actor: str
    at_ms: TimeMs
    events: tuple[GameEvent | VaultEvent, ...]


class Mark(msgspec.Struct, frozen=True):
    """The state of a journal after one of its entries, from which it can go on.

    Attributes:
        revision: The revision of that entry.
        game: The game after that entry.
        clock: The playing time so far.
        sat: The people on each seat (``Sitters.sat``).
        covered: The entries that were taken back, ascending.
        undoable: The latest ``ACTS_KEPT`` acts that could be taken back.
        is_cut: Whether *undoable* leaves out older acts.
        redoable: The undos that a redo could reverse, oldest first: who made each, and
            the acts that it took back.
        replies: The latest replies, with those of entries that were taken back.
    """

    revision: Revision
    game: Game
    clock: PlayClock
    sat: Sat
    covered: tuple[Revision, ...]
    undoable: tuple[Act, ...]
    is_cut: bool
    redoable: tuple[tuple[str, tuple[Act, ...]], ...]
    replies: tuple[AnyReply, ...] = ()


Reread = Callable[[int], Iterable[Entry]]
"""Reads the entries after a revision from the disk, oldest first."""


class Journal:
    """Folds entries into a game and remembers what can be undone.

    Args:
        reread: Called only for an undo of something before the latest ``WINDOW``
            entries that count.
        mark: The mark to start from; ``None`` for the first entry.

    Attributes:
        game: The game after the latest entry.
        revision: The latest entry's revision; 0 before the first.
        revisions: Id of a command -> the revision of its entry; if the journal started
            from a mark, only for entries after the mark.
        is_whole: Whether the journal started with the first entry.
        clock: The playing time so far.
        sitters: The names of the people on each seat, over time.
    """

    def __init__(self, reread: Reread, mark: Mark | None = None) -> None:
        self.game: Game | None = None
        self.revision = Revision(0)
        self.revisions: dict[str, Revision] = {}
        self.is_whole = mark is None
        self.clock = PlayClock()
        self.sitters = Sitters()
        self._reread = reread
        self._latest: deque[Entry] = deque(maxlen=WINDOW)
        self._started_at = mark.revision if mark else Revision(0)
        # All entries after ``_left_out`` that count, each with the game before it.
        self._left_out = self._started_at
        self._line: deque[tuple[Entry, Game | None]] = deque()
        self._restorable: dict[Revision, Entry] = {}  # Entries that a redo may restore.
        self._marks: deque[Mark] = deque(maxlen=MARKS_MAX)
        self._covered: set[Revision] = set()  # Entries that do not count.
        self._undoable: list[Act] = []
        self._is_cut = False  # Whether older acts can be taken back, too.
        self._redoable: list[tuple[str, tuple[Act, ...]]] = []
        self._undo_ask: UndoAsk | None = None
        self._replies: tuple[AnyReply, ...] = ()
        self._barrier = Revision(0)
        # Undone requests for money count, too: an old page must not pay a new one.
        self._asks_count = 0
        if mark is not None:
            self._start_from(mark)

    def append(self, entry: Entry, after: Game | None = None) -> Game:
        """Add *entry* and return the game after it.

        *after* is the game after its events, if the caller has applied them; it is
        ignored for an undo or a redo.

        Raises:
            AssertionError: If the revision leaves a gap or the books are not balanced
                afterwards: a bug, and the program must stop.
        """
        assert entry.revision == self.revision + 1, (
            f"expected revision {self.revision + 1}, got {entry.revision}"
        )
        is_undo = isinstance(entry.events[0], TAKING_BACK)
        if is_undo and self._is_before_start(entry):
            self._read_all()
        before = self.game
        if is_undo:
            game = self._take_back_or_restore(entry)
        else:
            game = apply_entry(before, entry) if after is None else after
            self._remember(entry)
            self._line.append((entry, before))
        while len(self._line) > WINDOW:
            self._left_out = self._line.popleft()[0].revision
        self._latest.append(entry)
        self.revision = entry.revision
        self.revisions[entry.command_id] = entry.revision
        self.clock = self.clock.after(entry.events, entry.at_ms)
        self.sitters.take(entry.revision, entry.events)
        self.game = self._with_replies(before, self._with_undo_state(game), entry)
        if entry.revision % EVERY == 0:
            self._marks.append(self._make_mark(self.game))
        return self.game

    @property
    def snapshot(self) -> Mark | None:
        """The latest mark that stays valid if anything in memory is undone."""
        for mark in reversed(self._marks):
            if mark.revision <= self._last_forgotten:
                return mark
        return None

    def contradicts(self, mark: Mark) -> bool:
        """Tell whether *mark* is of the latest entry, but of another state.

        The acts that it keeps for later undos do not count: how far back they go
        depends on where the journal started.
        """
        if mark.revision != self.revision:
            return False
        state = (self.game, self.clock, self.sitters.sat, tuple(sorted(self._covered)))
        return state != (mark.game, mark.clock, mark.sat, mark.covered)

    @cached_property
    def undone(self) -> frozenset[Revision]:
        """The entries that do not count, since they were taken back."""
        return frozenset(self._covered)

    def kept(self, after: int, until: int) -> tuple[Entry, ...] | None:
        """Return the entries *after* + 1 to *until*, or ``None`` if one is too old."""
        first = self._last_forgotten + 1
        if after + 1 < first:
            return None
        start, stop = after + 1 - first, max(0, until + 1 - first)
        return tuple(islice(self._latest, start, stop))

    def is_undone(self, revision: int) -> bool:
        """Return whether the entry with this revision was taken back."""
        return revision in self._covered

    @property
    def _last_forgotten(self) -> int:
        """The revision of the last entry that is not in memory any more."""
        return self.revision - len(self._latest)

    def _make_mark(self, game: Game) -> Mark:
        """Return the mark of the state now, which includes *game*."""
        return Mark(
            revision=self.revision,
            game=game,
            clock=self.clock,
            sat=self.sitters.sat,
            covered=tuple(sorted(self._covered)),
            undoable=tuple(self._undoable[-ACTS_KEPT:]),
            is_cut=self._is_cut or len(self._undoable) > ACTS_KEPT,
            redoable=tuple(self._redoable),
            replies=self._replies,
        )

    def _start_from(self, mark: Mark) -> None:
        mark.game.ledger.check()
        self.game = mark.game
        self.revision = mark.revision
        self.clock = mark.clock
        self.sitters = Sitters(mark.sat)
        self._marks.append(mark)
        self._covered.update(mark.covered)
        self._undoable += mark.undoable
        self._is_cut = mark.is_cut
        self._redoable += mark.redoable
        self._undo_ask = mark.game.undo_ask
        self._replies = mark.replies
        self._barrier = mark.game.undo_barrier
        self._asks_count = mark.game.asks_count

    def _is_before_start(self, entry: Entry) -> bool:
        """Return whether an undo or redo needs entries before the starting mark.

        It does if it names one, or if too few acts would be left to list.
        """
        oldest = min(
            event.revision for event in entry.events if isinstance(event, TAKING_BACK)
        )
        acts_left = len(self._undoable) - len(entry.events)
        is_short = self._is_cut and acts_left < UNDOS_MAX
        return is_short or oldest <= self._started_at

    def _read_all(self) -> None:
        """Become a journal that has read everything since its first entry."""
        replayed = Journal(self._reread)
        for entry in self._reread(0):
            if entry.revision > self.revision:
                break  # The undo or redo itself, which is on disk already.
            replayed.append(entry)
        vars(self).update(vars(replayed))

    def _remember(self, entry: Entry) -> None:
        """Record how *entry*, which is no undo or redo, affects later ones."""
        is_undoable = is_barrier = is_beginning = False
        for event in entry.events:
            is_undoable |= type(event) in UNDOABLE
            is_barrier |= type(event) in BARRIERS
            is_beginning |= isinstance(event, BankingBegun)
            if isinstance(event, MoneyAsked):
                self._asks_count = max(self._asks_count, event.number)
            elif isinstance(event, BankerChanged):
                self._redoable.clear()  # A former banker must not redo bank payments.
            elif isinstance(event, ASKING):
                self._record_undo_request(entry.actor, event)
        if is_barrier:
            self._undoable.clear()
            self._is_cut = False
            self._barrier = entry.revision
        elif is_undoable:
            if self._undoable and self._undoable[-1].is_beginning:
                self._barrier = self._undoable.pop().revision
            act = Act(entry.revision, entry.actor, is_beginning)
            self._undoable.append(act)
        if is_barrier or is_undoable:
            self._redoable.clear()
            self._restorable.clear()
            self._undo_ask = None

    def _record_undo_request(
        self, actor: str, event: UndoAsked | UndoAllowed | UndoDeclined
    ) -> None:
        """Record a request for an undo, or an answer to it."""
        if isinstance(event, UndoAsked):
            self._undo_ask = UndoAsk(actor, event.revision)
            return
        ask = self._undo_ask
        assert ask is not None, f"nobody asked for {event}"
        if isinstance(event, UndoAllowed):
            self._undo_ask = replace(ask, agreed=(*ask.agreed, actor))
        elif event.is_withdrawn:
            self._undo_ask = None
        else:
            self._undo_ask = replace(ask, declined_by=actor)

    def _take_back_or_restore(self, entry: Entry) -> Game:
        """Apply an undo or a redo, and return the game after it."""
        named = [
            event.revision for event in entry.events if isinstance(event, TAKING_BACK)
        ]
        first = entry.events[0]
        if isinstance(first, Undone):
            acts = tuple(self._undoable[-len(named) :])
            assert [act.revision for act in reversed(acts)] == named, (
                f"expected the latest of {self._undoable[-len(named) :]}, got {named}"
            )
            del self._undoable[-len(named) :]
            self._redoable.append((entry.actor, acts))
            self._covered.update(named)
        else:
            assert self._redoable, f"nothing to redo for {first}"
            _, acts = self._redoable.pop()
            assert [act.revision for act in acts] == named, f"{acts}, got {named}"
            self._undoable.extend(acts)
            self._covered.difference_update(named)
        self._undo_ask = None
        vars(self).pop("undone", None)
        return self._recompute(named)

    def _recompute(self, named: list[Revision]) -> Game:
        """Return the game of all entries that count, after those *named* changed.

        Everything from the oldest of them on is computed anew.
        """
        oldest, game = min(named), self.game
        while self._marks and self._marks[-1].revision >= oldest:
            self._marks.pop()
        if oldest <= self._left_out:
            self._lengthen_line(oldest)
        later: dict[Revision, Entry] = {}
        for revision in named:
            if revision in self._restorable:
                later[revision] = self._restorable.pop(revision)
        while self._line and self._line[-1][0].revision >= oldest:
            entry, game = self._line.pop()
            later[entry.revision] = entry
        assert later.keys() >= set(named), f"expected {named}, got {sorted(later)}"
        for revision, entry in sorted(later.items()):
            if revision in self._covered:
                self._restorable[revision] = entry
            else:
                self._line.append((entry, game))
                game = apply_entry(game, entry)
        assert game is not None, "a journal begins with GameOpened"
        return game

    def _lengthen_line(self, revision: Revision) -> None:
        """Put entries from the disk at the front of the line, back to *revision*."""
        past = Journal(self._reread, self._marks.pop() if self._marks else None)
        counting = []
        for entry in self._reread(past.revision):
            if entry.revision > self._left_out:
                break
            if entry.revision < revision:
                past.append(entry)
            elif not isinstance(entry.events[0], TAKING_BACK):
                counting.append((entry, past.game))
        self._line = deque((*past._line, *counting, *self._line))
        self._left_out = past._left_out
        self._marks += past._marks

    def _with_undo_state(self, game: Game) -> Game:
        """Return *game* with the acts that can be undone or redone."""
        redo_by, redoable = self._redoable[-1] if self._redoable else ("", ())
        return replace(
            game,
            asks_count=self._asks_count,
            undoable=tuple(self._undoable[-UNDOS_MAX:]),
            redoable=redoable,
            redo_by=redo_by,
            undo_ask=self._undo_ask,
            undo_barrier=self._barrier,
        )

    def _with_replies(self, before: Game | None, game: Game, entry: Entry) -> Game:
        """Return *game*, the one after *entry*, with the latest replies that count.

        Whoever leaves its seat gets none any more: another may take it. Whoever asks
        again has done with the last one.
        """
        left = {x.seat for x in entry.events if isinstance(x, SeatRemoved)}
        if isinstance(entry.events[0], Redone):
            new: tuple[AnyReply, ...] = ()
            gone = {x for x in self._replies if is_open_again(x, game)}
        else:
            ending = Ending(entry.revision, entry.actor, entry.events)
            new = tuple(replies_of(before, game, ending)) if before else ()
            gone = {x for x in self._replies if x.to in left or is_done_with(x, ending)}
        if new or gone:
            kept = tuple(reply for reply in self._replies if reply not in gone)
            self._replies = (*kept, *new)[-REPLIES_MAX:]
        replies = tuple(x for x in self._replies if x.revision not in self._covered)
        return game if game.replies == replies else replace(game, replies=replies)


def counting_entries(entries: Iterable[Entry]) -> list[Entry]:
    """Return the entries that count, without the undos and redos themselves.

    *entries* are all those of a journal, or a part that ends with the last one.
    """
    kept = tuple(entries)
    undone: set[Revision] = set()
    for entry in kept:
        for event in entry.events:
            if isinstance(event, Undone):
                undone.add(event.revision)
            elif isinstance(event, Redone):
                undone.discard(event.revision)
    return [
        entry
        for entry in kept
        if entry.revision not in undone and not isinstance(entry.events[0], TAKING_BACK)
    ]


def leaving(entry: Entry) -> Entry:
    """Return *entry* as it may leave the table: without the numbers that it hides.

    Who knows all wrong numbers knows the vault's code. They stay hidden for good, as in
    the history; so a copy of a game always begins with each copy made earlier.
    """
    command_id = entry.command_id
    if command_id.startswith(VAULTS_OWN):
        # The lock counts in its ids whether its wheel stood elsewhere at a guess.
        command_id = f"{VAULTS_OWN}{entry.revision:08d}"
    events = tuple(map(_without_hidden, entry.events))
    return replace(entry, command_id=command_id, events=events)


def _without_hidden(event: GameEvent | VaultEvent) -> GameEvent | VaultEvent:
    if isinstance(event, GuessMade) and not event.is_open:
        return replace(event, number=HIDDEN)
    if isinstance(event, PositionGiven | PositionCorrected):
        contents = event.position.vault_contents
        if contents is not None and contents.tried:
            contents = replace(contents, tried=())
            position = replace(event.position, vault_contents=contents)
            return replace(event, position=position)
    return event


def apply_entry(game: Game | None, entry: Entry) -> Game:
    """Return the game after *entry*, which is no undo or redo.

    *game* is ``None`` before the first entry.
    """
    for event in entry.events:
        if isinstance(event, GameOpened):
            assert game is None, "a game is opened once"
            game = new_game(event)
        else:
            assert game is not None, "a journal begins with GameOpened"
            assert isinstance(event, Event), f"not an event of a game: {event}"
            game = game.after(event)
    assert game is not None, "an entry has at least one event"
    game.ledger.check()
    return game


Sat = dict[str, tuple[tuple[int, str], ...]]
"""Seat -> the people on it, each as the revision of joining and the name."""


class Sitters:
    """The names of all who ever sat at one table, gathered entry by entry.

    An undo changes nothing here: it takes no joining or renaming back. Any thread may
    read while another one adds.

    Args:
        sat: The people so far.

    Attributes:
        sat: The people on each seat; replaced as a whole, never changed in place.
    """

    def __init__(self, sat: Sat | None = None) -> None:
        self.sat: Sat = sat or {}

    def take(self, revision: int, events: Iterable[object]) -> None:
        """Add the people who joined or were renamed in the next entry."""
        for event in events:
            if isinstance(event, SeatAdded):
                before = self.sat.get(event.seat, ())
                sat = (*before, (revision, event.name))
            elif isinstance(event, SeatRenamed):
                *earlier, (since, _) = self.sat[event.seat]
                sat = (*earlier, (since, event.name))
            else:
                continue
            self.sat = {**self.sat, event.seat: sat}

    def at(self, revision: int) -> dict[str, str]:
        """Return the name of the latest person on each seat at that revision.

        Seats that nobody had taken by then are missing.
        """
        names: dict[str, str] = {}
        for seat, people in self.sat.items():
            for since, name in people:
                if since <= revision:
                    names[seat] = name
        return names


MINUTE_MS = 60_000


class PlayClock(msgspec.Struct, frozen=True):
    """The times in a journal that matter to a game with a time limit.

    Attributes:
        begun_ms: When the companion began to lead; ``None`` before that.
        away_ms: How long the game was put away since *begun_ms*, in all.
        closed_ms: When the game was put away; ``None`` if it is not away now.
    """

    begun_ms: TimeMs | None = None
    away_ms: int = 0
    closed_ms: TimeMs | None = None

    def after(self, events: Iterable[object], at_ms: TimeMs) -> PlayClock:
        """Return the clock after the next entry, with these events."""
        clock = self
        for event in events:
            clock = clock._after_event(event, at_ms)
        return clock

    def _after_event(self, event: object, at_ms: TimeMs) -> PlayClock:
        if isinstance(event, PlayBegun):
            return replace(self, begun_ms=at_ms, away_ms=0, closed_ms=None)
        if isinstance(event, GameClosed):
            return replace(self, closed_ms=at_ms)
        if isinstance(event, GameReopened) and self.closed_ms is not None:
            away_ms = self.away_ms + max(0, at_ms - self.closed_ms)
            return replace(self, away_ms=away_ms, closed_ms=None)
        return self

    def minutes_left(self, limit: int, now_ms: int) -> int | None:
        """Return the minutes until the agreed time is over, rounded up; at least 0.

        Return ``None`` if *limit*, the agreed minutes, is 0 or guided play has not
        begun.
        """
        if not limit or self.begun_ms is None:
            return None
        until_ms = now_ms if self.closed_ms is None else self.closed_ms
        played_ms = max(0, until_ms - self.begun_ms - self.away_ms)
        left_ms = limit * MINUTE_MS - played_ms
        return max(0, -(-left_ms // MINUTE_MS))  # Rounded up.
