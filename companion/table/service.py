"""The table service: the only writer of games, through which every change goes.

A *tap* is a press of a button on a phone. It arrives as an *envelope*: a command, the
tap's id, and the revision of the game that the page showed. The page was *stale* if the
game has changed since. A tap that is carried out becomes one or more *entries* of the
game's journal. An entry's *revision* is its number in the journal; a game has the
revision of its latest entry. A *look* is a player's examination of a note.

``submit`` takes the game's lock, recognises a repeated tap, refuses a stale page and
asks the rules. Pages change, listeners are notified and the bolt moves only once the
entry is on the disk.

Each game has a lock of its own, so that no game waits for another's disk. A thread
that holds locks may only take further ones that stand below them in this list:

1. the lock of one game (``alone_with``, ``at_current``), for its journal and seats. A
   guess at the vault holds it from asking whether the guess is due until the coil is
   pulled. No thread holds the locks of two games;
2. one of these: phones' taps on the vault (``VaultCoupling``), the codes that make a
   host (``Seating``), the figures read off real game boxes (``OwnEditions``);
3. the phones (``Phones``), the ticks (``Ticks``);
4. the list of games, in this module, held while one is opened;
5. the database, held for one transaction.

A thread that holds the lock of a mailbox, of the inbox of the vault's keeper, or of a
device calls nothing outside that object.
"""

from __future__ import annotations

import threading
from collections.abc import (
    Callable,
    Collection,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from contextlib import AbstractContextManager, contextmanager, suppress
from functools import partial
from itertools import chain
from types import MappingProxyType
from typing import NamedTuple

from companion.box.own_editions import OwnEditions
from companion.edition.snapshot import terms
from companion.errors import DamagedGame, JournalFault, Malformed, Refused, Why, quoted
from companion.game import Game, new_game
from companion.game import commands as c
from companion.game import events as e
from companion.game.envelope import (
    Envelope,
    Receipt,
    check_command_id,
    opened_by,
    refuse_program_id,
)
from companion.game.journal import TAKING_BACK, Entry, Journal, PlayClock
from companion.game.moves import Accept, HandOver, Inspect, Reject
from companion.ports import Clock
from companion.rules import decide, step
from companion.rules.decoder import VERDICT_RULE
from companion.rules.seats import PUT_AWAY_RULE, clean_name
from companion.sheets import LIMIT_RULE
from companion.store import Act, GameSummary, Journals, Phones
from companion.table.grace import ready_in_ms, too_soon
from companion.table.importing import read_import, write_import
from companion.table.notice import Notices, Subscription
from companion.table.playbacks import Playbacks
from companion.table.taps import Refusals, check_fresh, find_repeat
from companion.units import BANK, DurationMs, GameId, Revision, TimeMs
from companion.views.history import HistoryLine, history_line, names_of
from companion.views.standing import TELLING, Standing, standing, standing_by
from companion.views.table import SeatView, TableView, seat_view, table_view
from companion.views.wording import Names
from companion.words import say
from companion.words.report import unexpected

GAMES_MAX = 200
"""How many games a table at home keeps before an old one must be thrown away."""

LAID_WITHIN = 16
"""How many of the latest entries are searched for the start of a payment in notes."""

LINES_SHOWN = 12
"""How many entries of the history a seat's own page shows."""

LISTED = (e.GameOpened, e.GameClosed, e.GameReopened)
"""Events that change the list of games."""


class _Decided(NamedTuple):
    """The outcome of one command, before it is written down.

    Attributes:
        tap: The id of its entry. Only the first command of a tap has an id that a phone
            can send.
        by: Who gives the command.
        events: The events that follow from it.
        after: The game after these events.
    """

    tap: str
    by: str
    events: tuple[e.GameEvent, ...]
    after: Game


_ViewKey = tuple[Revision, frozenset[str]]
"""What ``table_view`` depends on: the game's revision, and the seats with a phone."""


def games_for(phones: int) -> int:
    """Return how many games a table keeps if it serves this many phones."""
    return max(GAMES_MAX, 5 * phones)


class Race(NamedTuple):
    """The order in which seats asked to look at the same payment.

    Attributes:
        first: The seat whose tap came first; it looks.
        at_ns: When its tap came, on the monotonic clock.
        later_ms: How much later the tap of each other seat came.
    """

    first: str
    at_ns: int
    later_ms: dict[str, DurationMs]


class TableService:
    """All games of one table.

    Args:
        journals: Where entries are kept.
        phones: Which phone holds which seat.
        clock: The wall clock.
        editions: Returns an edition by its id, and keeps what was read off its box.
        games_max: How many games are kept.

    Attributes:
        on_read: Called with each game that is read from the disk, under its lock.
    """

    def __init__(
        self,
        journals: Journals,
        phones: Phones,
        clock: Clock,
        editions: OwnEditions,
        games_max: int = GAMES_MAX,
    ) -> None:
        self._games_max = games_max
        self._locks: dict[GameId, threading.RLock] = {}
        self._listing = threading.RLock()
        self._listed: tuple[GameSummary, ...] | None = None
        self._announced_open: set[GameId] = set()  # As of the last notice.
        self.notices = Notices(f"{clock.now_ms():x}")
        self.phones = phones
        self.clock = clock
        self.pictures = journals.pictures
        self.ticks = journals.ticks
        self._journals = journals
        self._editions = editions
        self._loaded: dict[GameId, Journal] = {}
        self._views: dict[GameId, tuple[_ViewKey, TableView]] = {}
        self._standings: dict[GameId, Standing] = {}  # Of games that are not in memory.
        self._refusals = Refusals()
        self._races: dict[GameId, Race] = {}  # Of the latest look; lost at a restart.
        self.on_read: Callable[[GameId], None] = lambda _: None
        self._playbacks = Playbacks(journals, clock, self.alone_with, self._close_game)

    # Games.

    def games(self) -> tuple[GameSummary, ...]:
        """Return all games, the latest first; kept in memory until the list changes."""
        with self._listing:
            if self._listed is None:
                self._listed = self._journals.games()
            return self._listed

    def on_table(self) -> GameId | None:
        """Return the game on the table: the latest that is not closed."""
        return next(self._open_ids(), None)

    def current(self) -> GameId | None:
        """Return the latest open game that is not damaged, mostly that on the table.

        Only the vault waits for a damaged game, and the table's screen names it.
        """
        sound = (one for one in self._open_ids() if not self.is_damaged(one))
        return next(sound, None)

    def _open_ids(self) -> Iterator[GameId]:
        return (game.game_id for game in self.games() if not game.is_closed)

    def is_damaged(self, game_id: GameId) -> bool:
        """Tell whether a game cannot be read, as what is on the disk is damaged."""
        try:
            self.revision(game_id)
        except DamagedGame:
            return True
        return False

    def alone_with(self, game_id: GameId) -> AbstractContextManager[bool]:
        """Return the game's lock, under which nobody else reads or changes it.

        Raises:
            Malformed: If there is no such game.
        """
        lock = self._locks.get(game_id)
        if lock is None:
            if all(game.game_id != game_id for game in self.games()):
                raise _refuse_unknown(game_id)
            lock = self._locks.setdefault(game_id, threading.RLock())
        return lock

    @contextmanager
    def at_current(self) -> Iterator[GameId | None]:
        """Hold the lock of the game on the table; yield its id, or None if none is."""
        while (game_id := self.on_table()) is not None:
            with self._locks.setdefault(game_id, threading.RLock()):
                if self.on_table() == game_id:  # Nobody has closed it meanwhile.
                    yield game_id
                    return
        yield None

    def open_game(
        self,
        edition_id: str,
        name: str,
        command_id: str,
        *then: c.Command,
        holders: Mapping[str, str] = MappingProxyType({}),
        is_tables_own: bool = False,
        awaits: e.Awaits = e.Awaits.NOTHING,
    ) -> GameId:
        """Open a game and return its id; a repeated *command_id* opens one game.

        Args:
            edition_id: The edition to play by.
            name: What people call the game.
            command_id: The id of the tap.
            then: Commands that belong to the same tap, as for ``submit``.
            holders: The ids of the phones that hold seats from the start, by seat.
            is_tables_own: Whether the program itself made the id.
            awaits: How a game that does not begin at once shall begin later.

        Raises:
            Malformed: If there is no such edition, or a phone sent an id of the
                table's own.
            Refused: ``limit_reached`` if ``games_max`` are kept already.
            JournalFault: If it could not be written; nothing was opened.
        """
        if not is_tables_own:
            refuse_program_id(command_id)
        edition = self._editions.base(edition_id)
        opening = e.GameOpened(
            name=clean_name(name), terms=terms(edition), banker=BANK, awaits=awaits
        )
        game_id = opened_by(command_id)
        lock = self._locks.setdefault(game_id, threading.RLock())
        with lock, self.phones.holding(game_id, holders) as also, self._listing:
            if any(game.game_id == game_id for game in self.games()):
                return game_id  # This tap was carried out before.
            self._check_room()
            journal = Journal(partial(self._journals.entries, game_id))
            first = _Decided(command_id, c.TABLE, (opening,), new_game(opening))
            acts = [first, *_decide_all(first.after, command_id, then, begin=1)]
            self._write(game_id, journal, acts, also)
            self._loaded[game_id] = journal
        self.tell(game_id)
        return game_id

    def take_in(self, text: bytes, here: int) -> GameId:
        """Take in a game that was exported or copied, and return its id.

        Args:
            text: The export; a stranger may have changed it.
            here: How many of its entries this table has, as the host was told; 0 for a
                game that it lacks.

        Raises:
            Malformed: As for ``read_import`` and ``write_import``.
            Refused: ``limit_reached`` if ``games_max`` are kept already.
            JournalFault: If it could not be written; nothing has changed.
        """
        game = read_import(text, self._editions.base)
        lock = self._locks.setdefault(game.game_id, threading.RLock())
        with lock:
            with self._listing:
                if all(one.game_id != game.game_id for one in self.games()):
                    self._check_room()
                now_ms = TimeMs(self.clock.now_ms())
                new = write_import(self._journals, game, now_ms, here)
            self._forget(game.game_id)
            self._index(game.game_id, new)
            self._journal(game.game_id)
        self.tell(game.game_id)
        return game.game_id

    def remove_game(self, game_id: GameId) -> None:
        """Delete a game that was put away; what was read off its box is kept.

        Raises:
            Malformed: If there is no such game.
            Refused: ``wrong_stage`` if it is still open.
            JournalFault: If the disk failed; nothing has changed.
        """
        with self.alone_with(game_id):
            self.check_removal(game_id)
            last = self._journal(game_id).revision
            with self._rescued(game_id) as (box, entries):
                self._journals.remove(game_id, box, entries)
            self._list_anew()
            self._forget(game_id)
            self.phones.forget_game(game_id)
        self.notices.tell(game_id, last + 1)  # Open pages load again.

    def keeps_readings(self, game_id: GameId) -> bool:
        """Tell whether figures of the box were read in this game alone."""
        with self._rescued(game_id) as (_, entries):
            return bool(entries)

    def _rescued(
        self, game_id: GameId
    ) -> AbstractContextManager[tuple[str, tuple[Entry, ...]]]:
        """Yield what only this game read off its box (``OwnEditions.rescued``)."""
        edition_id = self.game(game_id).terms.edition
        return self._editions.rescued(edition_id, game_id, self.names(game_id))

    def check_removal(self, game_id: GameId) -> None:
        """Refuse to remove a game that is still open."""
        if not self.game(game_id).is_closed:
            raise PUT_AWAY_RULE.refuses(
                Why.WRONG_STAGE,
                say("this game is still open"),
                say("put it away first"),
            )

    def game(self, game_id: GameId) -> Game:
        """Return the game as it stands.

        Raises:
            Malformed: If there is no such game.
            JournalFault: If it cannot be read.
        """
        with self.alone_with(game_id):
            return _game(self._journal(game_id))

    def revision(self, game_id: GameId) -> Revision:
        """Return the revision of a game's latest entry."""
        with self.alone_with(game_id):
            return self._journal(game_id).revision

    def standing(self, game_id: GameId) -> Standing:
        """Return who sits at a game of the list and how it stands; play back none.

        Without names if it cannot be read, or was thrown away meanwhile.
        """
        journal = self._loaded.get(game_id)
        if journal is not None:
            return standing(_game(journal))
        known = self._standings.get(game_id)
        if known is None:
            try:
                entries = self._journals.with_events(game_id, TELLING)
            except JournalFault:
                return Standing()
            known = self._standings[game_id] = standing_by(entries)
        return known

    def play_clock(self, game_id: GameId) -> PlayClock:
        """Return how long a game has been played."""
        with self.alone_with(game_id):
            return self._journal(game_id).clock

    def undone(self, game_id: GameId) -> tuple[Revision, frozenset[Revision]]:
        """Return the latest revision, and which entries up to it were taken back."""
        with self.alone_with(game_id):
            journal = self._journal(game_id)
            return journal.revision, journal.undone

    def entries(self, game_id: GameId, after: int = 0) -> tuple[Entry, ...]:
        """Return the entries of a game from revision *after* + 1 on, oldest first."""
        with self.alone_with(game_id):
            return self._between(game_id, after)

    def latest_events(self, game_id: GameId) -> Sequence[object]:
        """Return the events of a game's latest entry."""
        with self.alone_with(game_id):
            (entry,) = self._between(game_id, self._journal(game_id).revision - 1)
            return entry.events

    def each_entry(
        self, game_id: GameId, after: int = 0, until: Revision | None = None
    ) -> Iterator[Entry]:
        """Yield the entries with ``after < revision <= until``, read a page at a time.

        A long game is never in memory as a whole, and its lock is not held meanwhile.

        Raises:
            JournalFault: If one cannot be read or is missing.
        """
        self._playbacks.check(game_id)
        return self._journals.entries(game_id, after, until)

    def play_back(self, game_id: GameId) -> None:
        """Play back a long game now, before all of it leaves the table.

        Raises:
            JournalFault: If its entries cannot be read, or are not what its snapshot
                says.
        """
        self.revision(game_id)  # It may not be open yet.
        self._playbacks.play_back(game_id)

    def revisions(self) -> dict[GameId, Revision]:
        """Return each game's latest revision, the oldest game first; open none."""
        return self._journals.latest()

    def ready_in_ms(self, game_id: GameId) -> DurationMs:
        """Return how long until notes may be handed over; 0 if they may be now."""
        with self.alone_with(game_id):
            journal = self._journal(game_id)
            entries = self._between(game_id, max(0, journal.revision - LAID_WITHIN))
            now_ms = TimeMs(self.clock.now_ms())
            return ready_in_ms(_game(journal), reversed(entries), now_ms)

    def later_ms(self, game_id: GameId) -> Mapping[str, DurationMs]:
        """Return by how much each refused seat was too late for the present look."""
        race, play = self._races.get(game_id), self.game(game_id).play
        if race is None or play is None or play.inspector != race.first:
            return {}
        return dict(race.later_ms)

    # Commands.

    def check(self, game_id: GameId, command: c.Command) -> None:
        """Raise ``Refused`` if the rules would refuse *command* now; change nothing."""
        with self.alone_with(game_id):
            decide(_game(self._journal(game_id)), command)

    def has_done(self, game_id: GameId, seat: str, command_id: str) -> bool:
        """Tell whether that tap was carried out, so that a repeat does nothing."""
        if "\0" in seat + command_id:  # PostgreSQL accepts no NUL in a query.
            return False
        with self.alone_with(game_id):
            taps = self._journals.taps(game_id, self._journal(game_id))
            if f"{seat}/{command_id}" in taps:
                return True
            revision = taps.get(command_id)
            return revision is not None and self._actor_at(game_id, revision) == seat

    def submit(
        self,
        game_id: GameId,
        envelope: Envelope,
        *then: c.Command,
        also: Act | None = None,
    ) -> Receipt:
        """Carry out a tap once and whole; ``taps.py`` says what counts as a repeat.

        Args:
            game_id: Which game.
            envelope: The command.
            then: Further commands of the same tap, in order; none may be an undo. All
                are carried out, or none is.
            also: Writes other rows in the same transaction.

        Returns:
            The receipt of the first command.

        Raises:
            Malformed: If the game is unknown or the command id has the wrong form.
            Refused: By the rules, or ``stale`` if the page was too old.
            JournalFault: If it could not be written; nothing has changed.
        """
        check_command_id(envelope.command_id)
        came_ns = self.clock.monotonic_ns()
        with self.alone_with(game_id):
            journal = self._journal(game_id)
            self._refusals.repeat(game_id, envelope)
            actor_at = partial(self._actor_at, game_id)
            taps = self._journals.taps(game_id, journal)
            first, tap = find_repeat(envelope, taps, actor_at)
            if first is not None:
                return Receipt(first, is_repeat=True)
            is_look = isinstance(envelope.command, Inspect)
            try:
                acts = _decide_fresh(journal, envelope, tap, then)
            except Refused as refused:
                self._refusals.keep(game_id, envelope, refused)
                if is_look and refused.rule is VERDICT_RULE:
                    self._note_late_look(game_id, envelope.command.by, came_ns)
                raise
            is_handing = isinstance(envelope.command, HandOver)
            if is_handing and (left_ms := self.ready_in_ms(game_id)):
                raise too_soon(left_ms)  # Not kept: the same tap counts later.
            receipt = Receipt(Revision(journal.revision + 1))
            self._write(game_id, journal, acts, also)
            if is_look:
                self._races[game_id] = Race(envelope.command.by, came_ns, {})
        self.tell(game_id)
        return receipt

    # Views.

    def table_view(self, game_id: GameId) -> TableView:
        """Return the game as everybody at the table may see it."""
        with self.alone_with(game_id):
            journal, held = self._journal(game_id), self.phones.held_seats(game_id)
            key = (journal.revision, held)
            made = self._views.get(game_id)
            if made is None or made[0] != key:
                lines = self.history(game_id, count=LINES_SHOWN)
                view = table_view(game_id, key[0], _game(journal), held, lines)
                made = self._views[game_id] = (key, view)
            return made[1]

    def seat_view(self, game_id: GameId, by: str) -> SeatView:
        """Return the game as *by* may see it; *by* is empty for a guest."""
        with self.alone_with(game_id):
            table = self.table_view(game_id)
            return seat_view(table, self.game(game_id), by)

    def history(
        self, game_id: GameId, before: int | None = None, count: int = 50
    ) -> tuple[HistoryLine, ...]:
        """Return up to *count* entries older than revision *before*, newest first."""
        with self.alone_with(game_id):
            journal = self._journal(game_id)
            until = journal.revision
            if before is not None:
                until = Revision(min(until, max(0, before - 1)))
            entries = self._between(game_id, max(0, until - count), until)
            return self._lines(game_id, journal, entries)

    def names(self, game_id: GameId) -> Callable[[int], Names]:
        """Return a function that takes a revision and returns the names used then."""
        with self.alone_with(game_id):
            journal = self._journal(game_id)
            names, sitters = names_of(_game(journal)), journal.sitters
        return lambda revision: {**names, **sitters.at(revision)}

    # Listening.

    def subscribe(self, topics: Collection[str] = ()) -> Subscription:
        """Open a mailbox for notices.

        Args:
            topics: Game ids and other topics, such as ``vault``; all, if empty.
        """
        return self.notices.subscribe(topics)

    def tell(self, game_id: GameId) -> None:
        """Notify every listener that this game, or who sits at it, changed.

        After a game was opened, put away or removed, listeners of all games are
        notified: the vault may serve another game now, and the page of a game that has
        ended links to the next one.
        """
        topics = {game_id}
        with suppress(JournalFault):  # The next notice tries the list again.
            games = self.games()
            open_now = {game.game_id for game in games if not game.is_closed}
            if open_now != self._announced_open:
                topics.update(game.game_id for game in games)
            self._announced_open = open_now
        for topic in sorted(topics):
            journal = self._loaded.get(topic)
            self.notices.tell(topic, journal.revision if journal else 0)

    def close(self) -> None:
        """Close every subscription, so that the pages' streams end."""
        self._playbacks.end()
        self.notices.close()

    # Internals.

    def _note_late_look(self, game_id: GameId, seat: str, came_ns: int) -> None:
        """Note and tell by how much *seat* missed the present look."""
        race, play = self._races.get(game_id), self.game(game_id).play
        if race is None or play is None or seat == play.showing:
            return
        if seat not in (race.first, *race.later_ms):
            late_ms = max(0, came_ns - race.at_ns) // 1_000_000
            race.later_ms[seat] = DurationMs(late_ms)
            self.tell(game_id)

    def _journal(self, game_id: GameId) -> Journal:
        """Return the game's journal, read from the disk if it is not in memory.

        Raises:
            Malformed: If there is no such game.
            JournalFault: If it cannot be read.
        """
        journal = self._loaded.get(game_id)
        if journal is None:
            journal = self._playbacks.opened(game_id)
            if journal.game is None:
                raise _refuse_unknown(game_id)
            self._loaded[game_id] = journal
            self._standings.pop(game_id, None)
            self._playbacks.add(game_id, journal)
            self._keep_snapshot(game_id, journal)
            self.on_read(game_id)
            self.notices.tell("table", 0)  # A list says more of this game now.
        return journal

    def _keep_snapshot(self, game_id: GameId, journal: Journal) -> None:
        """Store a game's latest mark, unless the last one has still to be compared."""
        if self._playbacks.is_proved(game_id):
            self._journals.snapshots.keep(game_id, journal.snapshot)

    def _close_game(self, game_id: GameId) -> None:
        """Have whatever is asked of a damaged game fail; open pages load again."""
        journal = self._loaded.pop(game_id, None)
        self._views.pop(game_id, None)
        self.notices.tell(game_id, journal.revision + 1 if journal else 0)

    def _lines(
        self, game_id: GameId, journal: Journal, entries: tuple[Entry, ...]
    ) -> tuple[HistoryLine, ...]:
        """Turn entries, oldest first, into lines, newest first."""
        names = self.names(game_id)
        read = {entry.revision: entry for entry in entries}
        return tuple(
            history_line(
                entry,
                names(entry.revision),
                is_undone=journal.is_undone(entry.revision),
                about=self._about(game_id, entry, read),
                game=_game(journal),
            )
            for entry in reversed(entries)
        )

    def _about(
        self, game_id: GameId, entry: Entry, read: Mapping[Revision, Entry]
    ) -> Entry | None:
        """Return the oldest entry that *entry* undoes, redoes, or asks to undo.

        *read* holds the entries that are in memory, by their revisions.
        """
        kinds = (*TAKING_BACK, e.UndoAsked)
        events = (event for event in entry.events if isinstance(event, kinds))
        oldest = min((event.revision for event in events), default=None)
        if oldest is None:
            return None
        if oldest in read:
            return read[oldest]
        return next(iter(self._between(game_id, oldest - 1, oldest)), None)

    def _actor_at(self, game_id: GameId, revision: Revision) -> str:
        (entry,) = self._between(game_id, revision - 1, revision)
        return entry.actor

    def _between(
        self, game_id: GameId, after: int, until: Revision | None = None
    ) -> tuple[Entry, ...]:
        """Return the entries after *after*, up to *until*."""
        journal = self._journal(game_id)
        kept = journal.kept(after, journal.revision if until is None else until)
        if kept is not None:
            return kept
        # The oldest of them is no longer in memory.
        return tuple(self._journals.entries(game_id, after, until))

    def _check_room(self) -> None:
        """Refuse one game more than the table keeps."""
        if len(self.games()) >= self._games_max:
            raise LIMIT_RULE.refuses(
                Why.LIMIT_REACHED,
                say("{limit} games are kept already", limit=self._games_max),
                say("throw away one that was put away, then open this one"),
            )

    def _forget(self, game_id: GameId) -> None:
        """Forget what is in memory of a game, whose journal is read anew if needed."""
        self._loaded.pop(game_id, None)
        self._views.pop(game_id, None)
        self._standings.pop(game_id, None)
        self._refusals.forget(game_id)
        self._races.pop(game_id, None)
        self._playbacks.forget(game_id)

    def _index(self, game_id: GameId, entries: Iterable[Entry]) -> None:
        """Note what entries that were written change beside the game itself."""
        for event in chain.from_iterable(entry.events for entry in entries):
            if isinstance(event, e.SeatAdded | e.SeatRemoved):
                self.phones.forget_seat(game_id, event.seat)
            elif isinstance(event, LISTED):
                self._list_anew()

    def _list_anew(self) -> None:
        with self._listing:
            self._listed = None

    def _write(
        self,
        game_id: GameId,
        journal: Journal,
        acts: Sequence[_Decided],
        also: Act | None = None,
    ) -> None:
        """Write the entries of one tap to disk, then apply them in memory."""
        now_ms = TimeMs(self.clock.now_ms())
        entries = []
        for revision, act in enumerate(acts, journal.revision + 1):
            act.after.ledger.check()  # A wrong sum must never reach the disk.
            entry = Entry(Revision(revision), act.tap, act.by, now_ms, act.events)
            entries.append(entry)
        try:
            self._journals.append(game_id, *entries, also=also)
            self._index(game_id, entries)
            for entry, act in zip(entries, acts, strict=True):
                journal.append(entry, act.after)
        except BaseException:
            # Whatever went wrong, what is on the disk counts: read it again.
            self._loaded.pop(game_id, None)
            raise
        self._keep_snapshot(game_id, journal)


def _decide_fresh(
    journal: Journal, envelope: Envelope, tap: str, then: tuple[c.Command, ...]
) -> list[_Decided]:
    """Decide the commands of one tap, and refuse a stale page.

    In a race the rules refuse first: they say who was faster.
    """
    is_race = isinstance(envelope.command, Inspect | Accept | Reject)
    if not is_race:
        check_fresh(envelope, journal.revision)
    acts = list(_decide_all(_game(journal), tap, (envelope.command, *then)))
    check_fresh(envelope, journal.revision)
    return acts


def _decide_all(
    game: Game, tap: str, commands: Iterable[c.Command], begin: int = 0
) -> Iterator[_Decided]:
    """Decide the commands of one tap one after another, numbered from *begin* on.

    Raises:
        Refused: If the rules refuse one of them.
    """
    for number, command in enumerate(commands, begin):
        run = step(game, command)
        entry_id = f"{tap}+{number}" if number else tap
        yield _Decided(entry_id, command.by, tuple(run.events), game := run.game)


def _refuse_unknown(game_id: str) -> Malformed:
    return unexpected(
        say("a game of this table"),
        quoted(game_id),
        say("choose one from the list of games"),
    )


def _game(journal: Journal) -> Game:
    assert journal.game is not None, "a journal begins with GameOpened"
    return journal.game
