"""The journal: entries are only ever added, and together they make up the game.

Undo is an entry. It names an earlier entry, or several at once, which from then on
count as not having happened; the mistake and its undoing both stay readable. A redo
restores together what was taken back together. An entry is of one of three kinds,
depending on its events:

* *undoable*: money moved, was asked for or was corrected; a move in guided play; the
  beginning of banking, until the next of these;
* *barrier*: nothing before it can be taken back any more;
* *neutral*: names, locks and the like, which stay as they are when something
  before them is undone.

Who asks to take something back is neutral, too. The question is forgotten with the
next entry that is not neutral: it was about another table.

Now and then a journal marks where it stands. A mark that is kept as a snapshot lets a
long game begin there in place of its first entry; what comes of it is the same.

An undo or a redo works out again what it names, and the neutral entries after that. It
does not matter how long the game is, nor how often something was taken back and
restored. Many undos in a row read entries again: after each ``WINDOW`` of them those
since the last mark, and after each ``MARKS_MAX * EVERY`` all of the game.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from functools import cached_property
from itertools import islice

import msgspec
from msgspec.structs import replace

from companion.game import Game, opened
from companion.game import events as e
from companion.game import play_events as p
from companion.game.decoder_events import VerdictGiven
from companion.game.game import Act, UndoAsk
from companion.game.play_clock import PlayClock
from companion.game.playing import PLAY_AFTER
from companion.game.sitters import Sat, Sitters
from companion.game.vault_contents_events import NOT_TAKEN_BACK, OF_THE_METAL
from companion.lock.events import VaultEvent
from companion.units import Revision, TimeMs

# Looked up by type: there are many, and a long game has many events.
BARRIERS: frozenset[type] = frozenset(
    (
        e.GameOpened,
        e.SeatRemoved,
        p.PlayBegun,
        p.PositionGiven,
        *p.HIDDEN_DRAWS,
        VerdictGiven,
        *NOT_TAKEN_BACK,
    )
)
UNDOABLE: frozenset[type] = frozenset(
    (
        e.BankingBegun,
        e.MoneyMoved,
        e.MoneyAsked,
        e.AskAnswered,
        e.BalanceCorrected,
        p.PlayRested,
        p.PlayResumed,
        *(kind for kind in PLAY_AFTER if kind not in (*BARRIERS, *OF_THE_METAL)),
        p.BoxRead,
    )
)
TAKING_BACK = (e.Undone, e.Redone)
ASKING = (e.UndoAsked, e.UndoAllowed, e.UndoDeclined)
NONSENSE = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    StopIteration,
    TypeError,
    ValueError,
)
"""What ``Journal.append`` may raise for an entry that cannot have happened."""

UNDOS_MAX = 200
"""How many entries can be taken back at once: those that a game itself knows of."""

WINDOW = 256
"""How many entries are in memory: of the latest, and of the latest that count."""

EVERY = 1_000
"""After so many entries a journal marks where it stands."""

MARKS_MAX = 4
"""How many marks it keeps: an undo spoils those of what came after."""

ACTS_KEPT = 5 * UNDOS_MAX
"""How many acts that can be taken back a mark knows of; older ones are reread."""


class Entry(msgspec.Struct, frozen=True):
    """One accepted command, as it stands in the journal.

    Attributes:
        revision: 1 for the first entry of a journal, then without gaps.
        command_id: Made by the phone, so that a repeated tap is recognised; begins with
            the seat if another seat had used the same id (``taps.first_time``).
        actor: Who did it: a seat, ``bank``, ``table`` or ``vault``; for a box, a name.
        at_ms: When it was made, by the wall clock.
        events: What happened, in order; at least one.
    """

    revision: Revision
    command_id: str
    actor: str
    at_ms: TimeMs
    events: tuple[e.GameEvent | VaultEvent, ...]


class Mark(msgspec.Struct, frozen=True):
    """Where a journal stood after one of its entries: enough to go on from there.

    Attributes:
        revision: Of that entry.
        game: The game after it.
        clock: How long the game had been played.
        sat: Who had sat where (``Sitters.sat``).
        covered: The entries that were taken back, in ascending order.
        undoable: The latest ``ACTS_KEPT`` acts that could be taken back.
        is_cut: Whether there were more of those.
        redoable: What could be restored, and by whom, the latest last.
    """

    revision: Revision
    game: Game
    clock: PlayClock
    sat: Sat
    covered: tuple[Revision, ...]
    undoable: tuple[Act, ...]
    is_cut: bool
    redoable: tuple[tuple[str, tuple[Act, ...]], ...]


Reread = Callable[[int], Iterable[Entry]]


class Journal:
    """Folds entries into a game and remembers what can be undone.

    Args:
        reread: Gives the entries after a revision again, oldest first; asked only
            for an undo behind the latest ``WINDOW`` entries that count.
        mark: Where to go on from, in place of the first entry.

    Attributes:
        game: The game after the latest entry.
        revision: The latest entry's revision; 0 before the first.
        revisions: Every entry's revision by the command that made it; of a journal
            that began at a mark, only from there on.
        is_whole: Whether it began with the first entry.
        clock: How long the game has been played.
        sitters: Who sat where at which revision.
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
        self._begun = self._left_out = mark.revision if mark else Revision(0)
        # All entries after that which count, each with the game before it.
        self._line: deque[tuple[Entry, Game | None]] = deque()
        self._taken: dict[Revision, Entry] = {}  # What a redo may ask for.
        self._marks: deque[Mark] = deque(maxlen=MARKS_MAX)
        self._covered: set[Revision] = set()
        self._undoable: list[Act] = []
        self._is_cut = False
        self._redoable: list[tuple[str, tuple[Act, ...]]] = []
        self._undo_ask: UndoAsk | None = None
        self._barrier = Revision(0)
        self._asks_count = 0  # Undone ones too: an old page must not pay a new ask.
        if mark is not None:
            self._go_on_from(mark)

    def append(self, entry: Entry, after: Game | None = None) -> Game:
        """Take *entry* in and return the game after it.

        Args:
            entry: The next one.
            after: The game that its events lead to, where they have been applied
                already; an undo or a redo is always worked out here.

        Raises:
            AssertionError: If the revision leaves a gap or the books are not
                balanced afterwards: a bug, and the program must stop.
        """
        assert entry.revision == self.revision + 1, (
            f"expected revision {self.revision + 1}, got {entry.revision}"
        )
        is_undo = isinstance(entry.events[0], TAKING_BACK)
        if is_undo and self._reaches_back(entry):
            self._read_all()
        before = self.game
        if is_undo:
            game = self._without_or_with(entry)
        else:
            game = applied(before, entry) if after is None else after
            self._remember(entry)
            self._line.append((entry, before))
        while len(self._line) > WINDOW:
            self._left_out = self._line.popleft()[0].revision
        self._latest.append(entry)
        self.revision = entry.revision
        self.revisions[entry.command_id] = entry.revision
        self.clock = self.clock.after(entry.events, entry.at_ms)
        self.sitters.take(entry.revision, entry.events)
        self.game = self._marked(game)
        if entry.revision % EVERY == 0:
            self._marks.append(self._mark(self.game))
        return self.game

    @property
    def snapshot(self) -> Mark | None:
        """The latest mark that an undo of anything in memory leaves as it is."""
        settled = (x for x in reversed(self._marks) if x.revision <= self._before)
        return next(settled, None)

    @cached_property
    def undone(self) -> frozenset[Revision]:
        """The entries that count as not having happened."""
        return frozenset(self._covered)

    def kept(self, after: int, until: int) -> tuple[Entry, ...] | None:
        """The entries from *after* + 1 to *until*; ``None`` if not all are in memory.

        ``WINDOW`` of the latest entries are.
        """
        first = self._before + 1
        if after + 1 < first:
            return None
        places = after + 1 - first, max(0, until + 1 - first)
        return tuple(islice(self._latest, *places))

    def is_undone(self, revision: int) -> bool:
        """Whether the entry with this revision counts as not having happened."""
        return revision in self._covered

    @property
    def _before(self) -> int:
        """The revision of the last entry that is not in memory any more."""
        return self.revision - len(self._latest)

    def _mark(self, game: Game) -> Mark:
        return Mark(
            revision=self.revision,
            game=game,
            clock=self.clock,
            sat=self.sitters.sat,
            covered=tuple(sorted(self._covered)),
            undoable=tuple(self._undoable[-ACTS_KEPT:]),
            is_cut=self._is_cut or len(self._undoable) > ACTS_KEPT,
            redoable=tuple(self._redoable),
        )

    def _go_on_from(self, mark: Mark) -> None:
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
        self._barrier = mark.game.undo_barrier
        self._asks_count = mark.game.asks_count

    def _reaches_back(self, entry: Entry) -> bool:
        """Whether an undo or redo asks for more than the mark knew that began this."""
        oldest = min(x.revision for x in entry.events if isinstance(x, TAKING_BACK))
        acts_left = len(self._undoable) - len(entry.events)
        is_short = self._is_cut and acts_left < UNDOS_MAX
        return is_short or oldest <= self._begun

    def _read_all(self) -> None:
        """Become the journal that began with its first entry."""
        whole = Journal(self._reread)
        for entry in self._reread(0):
            if entry.revision > self.revision:
                break  # The undo itself, already on disk.
            whole.append(entry)
        vars(self).update(vars(whole))

    def _remember(self, entry: Entry) -> None:
        """Note what *entry*, itself no undo or redo, makes possible to undo or redo."""
        is_undoable = is_barrier = is_beginning = False
        for event in entry.events:
            is_undoable |= type(event) in UNDOABLE
            is_barrier |= type(event) in BARRIERS
            is_beginning |= isinstance(event, e.BankingBegun)
            if isinstance(event, e.MoneyAsked):
                self._asks_count = max(self._asks_count, event.number)
            elif isinstance(event, e.BankerChanged):
                self._redoable.clear()  # A former banker must not redo bank payments.
            elif isinstance(event, ASKING):
                self._asked(entry.actor, event)
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
            self._taken.clear()
            self._undo_ask = None

    def _asked(
        self, actor: str, event: e.UndoAsked | e.UndoAllowed | e.UndoDeclined
    ) -> None:
        """Note what is asked about an undo, and what was answered."""
        if isinstance(event, e.UndoAsked):
            self._undo_ask = UndoAsk(actor, event.revision)
            return
        asked = self._undo_ask
        assert asked is not None, f"nobody asked for {event}"
        if isinstance(event, e.UndoAllowed):
            self._undo_ask = replace(asked, agreed=(*asked.agreed, actor))
        else:
            no = None if event.is_withdrawn else replace(asked, declined_by=actor)
            self._undo_ask = no

    def _without_or_with(self, entry: Entry) -> Game:
        """The game without the entries that *entry* takes back, or with them again."""
        named = [x.revision for x in entry.events if isinstance(x, TAKING_BACK)]
        first = entry.events[0]
        if isinstance(first, e.Undone):
            acts = tuple(self._undoable[-len(named) :])
            assert [act.revision for act in reversed(acts)] == named, (
                f"expected the latest of {self._undoable[-9:]}, got {named}"
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
        return self._refolded(named)

    def _refolded(self, named: list[Revision]) -> Game:
        """The game of all entries that count, computed anew from those *named* on."""
        oldest, game = min(named), self.game
        while self._marks and self._marks[-1].revision >= oldest:
            self._marks.pop()
        if oldest <= self._left_out:
            self._read_back(oldest)
        later = {at: self._taken.pop(at) for at in named if at in self._taken}
        while self._line and self._line[-1][0].revision >= oldest:
            entry, game = self._line.pop()
            later[entry.revision] = entry
        assert later.keys() >= set(named), f"expected {named}, got {sorted(later)}"
        for at, entry in sorted(later.items()):
            if at in self._covered:
                self._taken[at] = entry
            else:
                self._line.append((entry, game))
                game = applied(game, entry)
        assert game is not None, "a journal begins with GameOpened"
        return game

    def _read_back(self, revision: Revision) -> None:
        """Take what counted before *revision*, and all since, into the line again."""
        past = Journal(self._reread, self._marks.pop() if self._marks else None)
        rows = []
        for entry in self._reread(past.revision):
            if entry.revision > self._left_out:
                break
            if entry.revision < revision:
                past.append(entry)
            elif not isinstance(entry.events[0], TAKING_BACK):
                rows.append((entry, past.game))
        self._line = deque((*past._line, *rows, *self._line))
        self._left_out = past._left_out
        self._marks += past._marks

    def _marked(self, game: Game) -> Game:
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


def standing(entries: Iterable[Entry]) -> list[Entry]:
    """Return the entries that count: without what was taken back, and the acts of that.

    Args:
        entries: All of a journal, or a part that ends with the last one.
    """
    kept = tuple(entries)
    undone: set[Revision] = set()
    for event in (event for entry in kept for event in entry.events):
        if isinstance(event, e.Undone):
            undone.add(event.revision)
        elif isinstance(event, e.Redone):
            undone.discard(event.revision)
    return [
        entry
        for entry in kept
        if entry.revision not in undone and not isinstance(entry.events[0], TAKING_BACK)
    ]


def applied(game: Game | None, entry: Entry) -> Game:
    """The game after *entry*, which is no undo or redo; *game* is None before all."""
    for event in entry.events:
        if isinstance(event, e.GameOpened):
            assert game is None, "a game is opened once"
            game = opened(event)
        else:
            assert game is not None, "a journal begins with GameOpened"
            assert isinstance(event, e.Event), f"not an event of a game: {event}"
            game = game.after(event)
    assert game is not None, "an entry has at least one event"
    game.ledger.check()
    return game
