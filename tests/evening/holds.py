"""What must hold after every step of an evening, whatever has failed."""

from __future__ import annotations

import hashlib
import json
import random
import shutil
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path

import sqlalchemy as sa
from markupsafe import escape

from companion.game import Game
from companion.game.deed_events import BuildingSold
from companion.game.envelope import GIVEN_BACK
from companion.game.events import BalanceCorrected, Redone, Undone
from companion.game.journal import TAKING_BACK, Entry, Journal, apply_entry
from companion.game.play_events import PlayRested, PositionCorrected
from companion.game.position import LOCKED, OPEN, SHUT
from companion.game.vault_contents_events import GuessMade
from companion.lock.events import (
    NumberGuessed,
    VaultAwoke,
    VaultEvent,
    VaultLocked,
    remember,
)
from companion.lock.states import VaultState
from companion.lock.view import Lid
from companion.ports import Line
from companion.rules import legal_moves
from companion.store import Journals, schema
from companion.store.database import FILE_NAME
from companion.table.taps import OFFICES
from companion.table.vault_journal import JOURNAL as VAULTS
from companion.units import Account, GameId, Revision
from companion.views.vault_in_game import vault_in_game
from hardware.vault.coil import OVERDUE_MS, REST_MS
from tests.evening.home import Home
from tests.evening.machine import NS_PER_MS, Answer, Machine, Request
from tests.evening.phone import WORDS, Page, Phone
from tests.evening.reckoning import Reckoner
from tests.evening.world import Failed, World
from tests.guided import check_table
from tests.random_table import check_box, check_nobody_is_stuck
from tests.transactions import kept
from web.http.presence import ASLEEP_S, AWAY_S, Presence
from web.http.presence import KEY as PRESENCE

PULSE_NS_MAX = (400 + OVERDUE_MS + 5) * NS_PER_MS
REST_NS_MIN = (REST_MS - 5) * NS_PER_MS
AWAY_MS = (AWAY_S + 2 * ASLEEP_S) * 1_000
LIDS = {VaultState.OPEN: OPEN, VaultState.SHUT: SHUT, VaultState.LOCKED: LOCKED}
"""How the game has the lid, by the state of the lock, once both have settled."""

ADDRESSES = (
    *("/api/games/{}", "/api/games/{}/turn", "/vault/state", "/vault/scene?game={}"),
    *("/g/{}/export.game", "/g/{}/export.csv", "/g/{}/history", "/g/{}/ending"),
)
"""What is told to programs, and what is taken home."""

BY_HAND = (BalanceCorrected, PlayRested, PositionCorrected)
Kept = dict[str, list[tuple[object, ...]]]
"""What lies on a disk, by table."""

EXCUSED = (503, 429)
"""A table that cannot write just now says so, and nothing has changed."""


class Books:
    """What is known of one game from its entries on the disk alone."""

    def __init__(self, entries: Callable[[int], Iterable[Entry]]) -> None:
        self.journal = Journal(entries)
        self.is_by_hand = False
        self.is_even = True
        self.taps: set[str] = set()
        self.entries: list[Entry] = []
        self._covered: set[Revision] = set()
        self._reckoner = Reckoner()

    def take(self, entries: Iterable[Entry]) -> list[Entry]:
        """Take later entries in; return them."""
        taken = []
        for entry in entries:
            self._reckoner.enter(self.journal.game, entry)
            self.journal.append(entry)
            self.entries.append(entry)
            self.taps.add(entry.command_id)
            self._check_undo(entry)
            self.is_by_hand |= any(isinstance(x, BY_HAND) for x in entry.events)
            self.is_even &= not any(
                isinstance(x, BuildingSold) and (x.is_all or self._sells_hotels_whole())
                for x in entry.events
            )
            taken.append(entry)
        return taken

    def _sells_hotels_whole(self) -> bool:
        game = self.journal.game
        board = game.board if game is not None else None
        return board is not None and board.rules.buildings.hotel_sale == "half-only"

    def _check_undo(self, entry: Entry) -> None:
        """Compare what is left after an undo with the entries that still count."""
        undone = {x.revision for x in entry.events if isinstance(x, Undone)}
        redone = {x.revision for x in entry.events if isinstance(x, Redone)}
        self._covered = (self._covered | undone) - redone
        if not undone and not redone:
            return
        game: Game | None = None
        for one in self.entries:
            is_act = not isinstance(one.events[0], TAKING_BACK)
            if is_act and one.revision not in self._covered:
                game = apply_entry(game, one)
        left = self.journal.game
        assert game is not None
        assert left is not None
        for part in ("ledger", "seats", "asks", "board", "play"):
            if getattr(left, part) != getattr(game, part):
                raise Failed(f"an undo leaves something of {part} as it was")

    def gives_back(self) -> Counter[str]:
        """Return how often what each verdict took was given back, and still is."""
        counts = (x for x in self.entries if x.revision not in self._covered)
        taps = (x.command_id for x in counts if "+" not in x.command_id)
        return Counter(x.rpartition("-")[0] for x in taps if x.startswith(GIVEN_BACK))


class Holds:
    """Looks at everything after each step.

    Attributes:
        promised: What the table has said is done: tap ids by game.
        may_go: Games that somebody throws away, or has thrown away.
        said: All that phones and the home were told, in order.
        home: The home that is told of the table.
    """

    def __init__(self, world: World) -> None:
        self.world = world
        self.books: dict[GameId, Books] = {}
        self.promised: dict[GameId, dict[str, Revision | None]] = {}
        self._refused: dict[tuple[GameId, str], dict[str, str]] = {}
        self._copied: dict[GameId, dict[str, Revision | None]] = {}
        self.may_go: set[GameId] = set()
        self.seen = hashlib.blake2b(digest_size=8)
        self.said: list[str] = []
        self.home = Home(self.said.append)
        self._holders: dict[GameId, dict[str, str]] = {}
        self._touched: set[str] = set()
        self._at_lock: list[object] = []
        self._lock_at = 0  # The revision of the latest entry in it.
        self._passed_on: set[tuple[GameId, str]] = set()
        self._drawn = (0, 0)  # How many codes, and how many lockings, were seen.
        self._ended_ns: int | None = None  # The latest pulse.
        self._on_ns: int | None = None
        self._started_ms = self._guesses_sent = 0
        world.on_coil = self.coil_switched
        world.on_start = self.started
        world.on_half = self.half
        world.on_between = self.between
        world.on_left = self.left
        world.on_settled = self.home.listen
        world.on_piece = self.heard

    # While things happen.

    def answered(self, asked: Request, answer: Answer) -> None:
        """Look at one answer, wherever it will go."""
        if answer.status >= 500 and answer.status not in EXCUSED:
            fault = "\n".join(self.world.log[-3:])
            raise Failed(f"{asked.method} {asked.path} fails: {answer.status}\n{fault}")
        is_well = self.world.disk.is_well
        if answer.status == 503 and is_well and "/challenge/" not in asked.path:
            raise Failed(
                f"{asked.path} cannot be done, and nothing is wrong: {answer.text}"
            )
        self.said.append(f"{asked.method} {asked.path} {answer.status} {answer.text}")
        if asked.method != "POST":
            return
        self._touched.update(asked.path.split("/"))
        tap, game = tap_of(asked), game_of(asked)
        self._guesses_sent += asked.path == "/vault/press" or is_for_vault(asked)
        made_by = self._made_by(game, tap) if tap and game and is_well else []
        if made_by and DENIED in answer.text:
            raise Failed(f"{tap} is written down, and the answer says {DENIED!r}")
        meant = (asked.form or {}).get("by", "")
        if meant and {*made_by} - {meant, *OFFICES}:
            raise Failed(f"{tap} was for {meant}, and counts for {made_by}")
        if tap and game and answer.status == 409 and is_final(asked, answer):
            self._refused[game, tap] = asked.cookies
        is_passed_on = is_for_vault(asked) and answer.status in (200, 303)
        if is_passed_on and (game, tap) not in self._passed_on:
            self._passed_on.add((game, tap))
            self._check_served(asked)
        if made_by and is_done(asked, answer):
            self._check_fresh(asked, game, tap)
        if tap and game and is_done(asked, answer):
            if self._refused.get((game, tap)) == asked.cookies:
                raise Failed(f"{tap} was refused, and done when it came again")
            revision = None
            if asked.json is not None:
                revision = Revision(json.loads(answer.text)["revision"])
            self.promised.setdefault(game, {})[tap] = revision

    def heard(self, asked: Request, piece: bytes) -> None:
        """Note what a live stream tells."""
        self.said.append(f"{asked.path} tells {piece!r}")

    def _check_served(self, asked: Request) -> None:
        """A guess, or a locking, is taken from the game on the table alone."""
        assert self.world.machine is not None
        has_lock, on_table = self.world.machine.vault is not None, self._on_table()
        if has_lock and on_table is not None and on_table not in asked.path.split("/"):
            raise Failed(f"{asked.path} moves the vault, which serves {on_table}")

    def _check_fresh(self, asked: Request, game: GameId, tap: str) -> None:
        """What was tapped on a page counts for what that page showed, and no later."""
        told = asked.json if asked.json is not None else asked.form or {}
        expected = told.get("expected_revision")
        entries = self._written(game)
        at = next(x.revision for x in entries if x.command_id.rpartition("/")[2] == tap)
        if expected and int(str(expected)) + 1 != at:
            raise Failed(f"{tap} was for what came after {expected}, and is at {at}")

    def _on_table(self) -> GameId | None:
        """Return the game that was opened last, of those that are not put away."""
        assert self.world.machine is not None
        games = self.world.machine.table.games()
        return next((x.game_id for x in games if not x.is_closed), None)

    def _made_by(self, game: GameId, tap: str) -> list[str]:
        """List who made that tap, as it is written down."""
        entries = self._written(game)
        return [x.actor for x in entries if x.command_id.rpartition("/")[2] == tap]

    def _written(self, game: GameId) -> Iterable[Entry]:
        """Return all entries of a game; those that are not known yet are read."""
        assert self.world.machine is not None
        books = self.books.get(game)
        known = books.entries if books is not None else []
        return *known, *self.world.machine.table.each_entry(game, len(known))

    def coil_switched(self, machine: Machine, is_on: bool) -> None:
        """Look at the coil: on only for what stands on the disk, and not for long."""
        now_ns = self.world.time.monotonic_ns()
        if not is_on:
            if self._on_ns is not None:
                self._check_length(now_ns - self._on_ns)
                self._ended_ns = now_ns
            self._on_ns = None
            return
        if self._ended_ns is not None and now_ns - self._ended_ns < REST_NS_MIN:
            raise Failed("the coil is on again before it has rested")
        self._on_ns = now_ns
        if not self.world.disk.is_synced:
            raise Failed("the bolt is pulled before the disk has what led to it")
        memory = remember(vault_events(machine))
        if memory.state is not VaultState.RELEASING:
            raise Failed(
                f"the bolt is pulled, and on the disk the lock is {memory.state}"
            )

    def _check_length(self, on_ns: int) -> None:
        if on_ns > PULSE_NS_MAX:
            raise Failed(f"the coil was on for {on_ns // NS_PER_MS} ms")

    def started(self) -> None:
        """Compare what lies on the disk after a start with what was seen there."""
        self._started_ms, self._guesses_sent = self.world.now_ms, 0
        self._at_lock, self._lock_at = [], 0
        self._refused.clear()  # A refusal is remembered until then.
        machine = self.world.machine
        assert machine is not None
        if not self.world.disk.is_well:
            return  # Nothing can be read just now.
        there = {one.game_id for one in machine.table.games()}
        for game_id, books in self.books.items():
            if game_id not in there:
                continue
            entries = list(machine.table.each_entry(game_id, 0, books.journal.revision))
            if {entry.command_id for entry in entries} < books.taps:
                lost = books.taps - {entry.command_id for entry in entries}
                raise Failed(f"written, and lost with a start: {sorted(lost)}")

    # After each step.

    def check(self) -> None:
        """Look at all games, and at the coil."""
        now_ns = self.world.time.monotonic_ns()
        if self._on_ns is not None and now_ns - self._on_ns > PULSE_NS_MAX:
            raise Failed("the coil stays on")
        machine = self.world.machine
        if machine is None:
            if self._on_ns is not None:
                raise Failed("the coil is on, and the program is dead")
            return
        if not self.world.disk.is_well:
            return  # Nothing can be read just now.
        there = [one.game_id for one in machine.table.games()]
        for game_id in there:
            self._check_game(machine, game_id)
        for game_id in set(self.books) - set(there):
            self._gone(game_id)
        self._touched.clear()
        if machine.vault is not None:
            for entry in Journals(machine.database).entries(VAULTS, self._lock_at):
                self._at_lock += entry.events
                self._lock_at = entry.revision
            self._check_guesses(
                self._at_lock, {x: one.entries for x, one in self.books.items()}
            )
            self._check_code(machine)

    # After a while in which nothing failed.

    def check_vault(self, pages: Iterable[Page]) -> None:
        """What lock, game and pages believe of the vault is so."""
        machine = self.world.machine
        if machine is None or machine.vault is None or machine.device is None:
            return
        view = machine.vault.keeper.view()
        is_shut = machine.device.levels()[Line.LID]
        if (view.lid is Lid.SHUT) != is_shut:
            raise Failed(f"the lid is {'shut' if is_shut else 'open'}, not {view.lid}")
        events = vault_events(machine)
        if (tries := tries_in(events)) != view.tries_count:
            raise Failed(f"{tries} wrong guesses are written, {view.tries_count} shown")
        guesses = guesses_in(events)
        if guesses > machine.device.presses_count + self._guesses_sent:
            presses = machine.device.presses_count
            raise Failed(f"{presses} presses of M have become {guesses} guesses")
        for page in pages:
            shown = page.vault.get("state", view.state), page.vault.get("lid", view.lid)
            is_live = page.stream.state == "live"
            if is_live and shown != (view.state, view.lid):
                where = f"{page.phone.name} on {page.path}"
                raise Failed(f"{where} is told {shown}, and it is {view.state}")
        with machine.vault._led() as led:
            play = None if led is None else machine.table.game(led).play
            contents = None if play is None else play.vault_contents
        if contents is not None:
            is_lying = view.state is VaultState.FORCED and contents.lid == LOCKED
            if is_lying or contents.lid != LIDS.get(view.state, contents.lid):
                raise Failed(f"the lock is {view.state}, the game has {contents.lid}")
        self._check_words(pages)

    def _check_words(self, pages: Iterable[Page]) -> None:
        """Each page says of the vault what is so, and nothing of another page's game.

        Worked out anew here, whatever the program has kept.
        """
        machine = self.world.machine
        assert machine is not None
        assert machine.vault is not None
        with machine.vault._led() as led:
            if led is None:
                return
            view, table = machine.vault.keeper.view(), machine.table
            seen = vault_in_game(table.game(led), view, table.latest_events(led))
        for page in pages:
            words = WORDS.search(page.shown)
            if words is None or page.stream.state != "live":
                continue
            is_of_other = "=" in page.path or page.path.startswith("/g/")
            is_of_other &= led not in page.path
            shown = page.shown[words.end(1) : words.end()]
            said = "" if is_of_other or seen is None else seen.sentence
            wanted = str(escape(replace(view, said=said).sentence))
            if shown != wanted:
                where = f"{page.phone.name} on {page.path}"
                raise Failed(f"{where} reads {shown!r} of the vault, not {wanted!r}")

    def ask(self, phone: Phone, dice: random.Random) -> None:
        """Ask for what programs and downloads are told; all of it is so."""
        machine = self.world.machine
        if machine is None or not self.books or not self.world.disk.is_well:
            return
        game_id = dice.choice(sorted(self.books))
        asked = phone.request("GET", dice.choice(ADDRESSES).format(game_id))
        phone.heard_ms = self.world.now_ms
        answer = machine.answer(asked)
        self.answered(asked, answer)
        game = self.books[game_id].journal.game
        if answer.status != 200 or game is None or not asked.path.startswith("/api/"):
            return
        told = json.loads(answer.text)
        table = told.get("table", told)
        if table["revision"] != self.books[game_id].journal.revision:
            raise Failed(f"{asked.path} tells of revision {table['revision']}")
        seats = {x["seat"]: x["balance"] for x in table.get("seats", ())}
        if any(game.ledger[Account(x)] != seats[x] for x in seats):
            raise Failed(f"{asked.path} tells {seats} of {game.ledger}")

    def check_home(self) -> None:
        """The home believes of the table what is so."""
        machine = self.world.machine
        if machine is None:
            return
        books = self.books.get(self._on_table() or GameId(""))
        game = books.journal.game if books is not None else None
        for why in self.home.differs(game, machine):
            raise Failed(f"at home, {why}")

    def left(self, image: bytes) -> None:
        """After a cut between two writes, lock and game tell of the same guesses."""
        machine = self.world.machine
        if machine is None or machine.device is None:
            return
        other = self.world.another(self._folder(image), machine.device.metal())
        try:
            other.work()
            of_games = {
                one.game_id: [*other.table.each_entry(one.game_id)]
                for one in other.table.games()
            }
            self._check_guesses(vault_events(other), of_games)
        finally:
            other.die()
            self.world.anew()

    def _check_guesses(
        self, at_lock: Iterable[object], in_games: dict[GameId, list[Entry]]
    ) -> None:
        """Each guess of the lock for a game is in that game, and none besides.

        The lock has those of a game that was thrown away, too. If the tap that opened
        it comes once more, another game begins under its id.
        """
        of_lock: dict[str, list[tuple[str, int, bool]]] = {}
        for event in at_lock:
            if isinstance(event, NumberGuessed) and event.game:
                guess = event.seat, event.number, event.is_right
                of_lock.setdefault(event.game, []).append(guess)
        for game_id, entries in in_games.items():
            in_game = [
                (x.seat, x.number, x.is_right)
                for entry in entries
                for x in entry.events
                if isinstance(x, GuessMade)
            ]
            told = of_lock.get(game_id, [])
            if game_id in self.may_go:
                told = told[len(told) - len(in_game) :]
            if in_game != told:
                raise Failed(f"the lock has {told} of game {game_id}, not {in_game}")

    def _check_code(self, machine: Machine) -> None:
        """The vault takes the code that was drawn for it."""
        assert machine.vault is not None
        lockings = sum(isinstance(x, VaultLocked) for x in self._at_lock)
        drawn, before = self.world.drawn, self._drawn
        self._drawn = len(drawn), lockings
        code = machine.vault.keeper._locksmith.memory.code
        is_one = (len(drawn) - before[0], lockings - before[1]) == (1, 1)
        if is_one and code is not None and code.number != drawn[-1]:
            raise Failed(f"the code {drawn[-1]} was drawn, and {code.number} is set")

    def check_presence(self, phones: Iterable[Phone]) -> None:
        """A phone that cannot have been heard for long counts as away."""
        machine = self.world.machine
        if machine is None:
            return
        there: Presence = machine.app.extensions[PRESENCE]
        for phone in phones:
            known = machine.table.phones.authenticate(phone.token)
            silent_ms = self.world.now_ms - max(phone.heard_ms, self._started_ms)
            if known is None or silent_ms < AWAY_MS:
                continue
            # An earlier stream of it that ends only now counts as a sign of life.
            ended_ns = self.world.time.monotonic_ns() - there._last_request_ns(
                known.phone
            )
            if ended_ns < AWAY_MS * NS_PER_MS:
                continue
            if there.quiet(known.phone) is None:
                raise Failed(
                    f"{phone.name} was not heard for {silent_ms} ms, and is there"
                )

    def copy(self) -> None:
        """Remember what was promised: all is being backed up."""
        self._copied = {game: dict(taps) for game, taps in self.promised.items()}

    def begin_anew(self) -> None:
        """Forget all that was seen since the backup: it was restored."""
        self.books.clear()
        self.promised = {game: dict(taps) for game, taps in self._copied.items()}
        self._holders.clear()
        self._at_lock, self._lock_at = [], 0

    def _gone(self, game_id: GameId) -> None:
        if game_id not in self.may_go:
            raise Failed(f"game {game_id} is gone")
        del self.books[game_id]
        self.promised.pop(game_id, None)
        self._holders.pop(game_id, None)
        assert self.world.machine is not None
        with self.world.machine.database.transaction() as connection:
            for table in schema.metadata.sorted_tables:
                for column in table.c:
                    if column.key not in ("game_id", "journal_id"):
                        continue
                    wanted = sa.select(column).where(column == game_id)
                    if connection.execute(wanted).first():
                        raise Failed(f"of a game that is gone, {table} has something")

    def half(self, asked: Request, before: Path) -> None:
        """After a post over which the program died: its repeat makes it whole.

        The same post is answered by a program that did not die, on a copy of what the
        disk had before.
        """
        world = self.world
        machine = world.machine
        assert machine is not None
        world.anew()
        other = world.another(before, world.metal)
        other.answer(asked)
        wanted = self._kept(other)
        other.die()
        world.anew()
        again = machine.answer(asked)
        self.answered(asked, again)
        if f"for-{game_of(asked)}" in asked.cookies:
            return  # Its own phone counts as there since the start: *other* refused it.
        self._expect_whole(asked, wanted, self._kept(machine))

    def between(self, asked: Request, image: bytes) -> None:
        """Where a post writes more than once, its repeat makes whole what lies between.

        Args:
            asked: The post, which was done.
            image: The file as it was between two of its writes.
        """
        machine = self.world.machine
        if machine is None or not asked.cookies or is_for_vault(asked):
            return
        self.world.anew()
        other = self.world.another(self._folder(image))
        other.answer(asked)
        found = self._kept(other)
        other.die()
        self._expect_whole(asked, self._kept(machine), found)

    def _folder(self, image: bytes) -> Path:
        """Return a folder with nothing but a table's file."""
        folder = self.world.folder.with_suffix(".between")
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        (folder / FILE_NAME).write_bytes(image)
        return folder

    @staticmethod
    def _expect_whole(asked: Request, wanted: Kept, found: Kept) -> None:
        for name, rows in wanted.items():
            if rows != found[name]:
                both = (*rows, *found[name])
                more = [x for x in both if (x in rows) != (x in found[name])]
                if any(str(one).startswith("vault-lid") for row in more for one in row):
                    return  # What the lock told at a start has come in between.
                raise Failed(
                    f"{asked.path} is cut short, and no repeat makes it whole: {name} "
                    f"differ in {more[:3]!r:.400}"
                )

    @staticmethod
    def _kept(machine: Machine) -> Kept:
        found = kept(machine.database)
        of_games = [row for row in found["entries"] if row[0] != VAULTS]
        return {**found, "entries": of_games}

    def _check_game(self, machine: Machine, game_id: GameId) -> None:
        books = self.books.get(game_id)
        at = machine.table.revision(game_id)
        if books is not None and game_id in self.may_go and at < books.journal.revision:
            books = None  # It was thrown away, and the tap that opened it came late.
            self.promised.pop(game_id, None)
        if books is None:
            books = self.books[game_id] = Books(
                lambda after: self._entries(game_id, after)
            )
        fresh = books.take(machine.table.each_entry(game_id, books.journal.revision))
        game, replayed = machine.table.game(game_id), books.journal.game
        if game != replayed:
            told = difference(replayed, game)
            raise Failed(f"game {game_id} is not what its entries make of it: {told}")
        for tap, revision in self.promised.get(game_id, {}).items():
            at = books.journal.revisions.get(tap)
            if at is None or (revision is not None and revision != at):
                raise Failed(f"{tap} was said to be done at {revision}, and is at {at}")
        holders = machine.table.phones.holders(game_id)
        before = self._holders.get(game_id, holders)
        self._holders[game_id] = holders
        if before != holders and game_id not in self._touched:
            raise Failed(f"{before} hold seats of {game_id}, and then {holders}")
        held = machine.table.phones.held_seats(game_id)
        shown = {x.seat for x in machine.table.table_view(game_id).seats if x.has_phone}
        if shown != held & {x.seat for x in game.present()}:
            raise Failed(f"seats {sorted(held)} have phones, {sorted(shown)} are shown")
        for what, times in books.gives_back().items():
            if times > 1:
                raise Failed(f"{what} {times} times")
        if fresh:
            check_books(game, books)

    def _entries(self, game_id: GameId, after: int) -> Iterable[Entry]:
        assert self.world.machine is not None
        return self.world.machine.table.each_entry(game_id, after)

    def digest(self) -> str:
        """Return what all entries, and all that was said, come to."""
        machine = self.world.machine
        assert machine is not None
        for one in machine.table.games():
            for entry in machine.table.each_entry(one.game_id):
                self.seen.update(repr(entry).encode())
        for text in self.said:
            self.seen.update(text.encode())
        return self.seen.hexdigest()


def difference(one: object, other: object, where: str = "") -> str:
    """Return the first place in which two games differ, and both values there."""
    fields = getattr(one, "__struct_fields__", ())
    if type(one) is type(other) and fields:
        parts = [(f"{where}.{x}", getattr(one, x), getattr(other, x)) for x in fields]
    elif isinstance(one, tuple) and isinstance(other, tuple) and len(one) == len(other):
        pairs = enumerate(zip(one, other, strict=True))
        parts = [(f"{where}[{at}]", x, y) for at, (x, y) in pairs]
    else:
        return f"{where.lstrip('.')} was {one!r:.200}, and is {other!r:.200}"
    told = (difference(x, y, at) for at, x, y in parts if x != y)
    return next(told, f"{where} differs")


def check_books(game: Game, books: Books) -> None:
    """Money, pieces and cards are where they can be, and somebody can go on."""
    balances = {account: game.ledger[account] for account in game.ledger}
    if sum(balances.values()):
        raise Failed(f"the books come to {sum(balances.values())}: {balances}")
    if game.play is None:
        return
    for token in game.play.tokens:
        if token.is_out and (offered := tuple(legal_moves(game, token.seat))):
            raise Failed(f"{token.seat} is out, and is offered {offered[0]}")
    try:
        if books.is_by_hand:
            check_box(game)
            return
        check_table(game, is_even=books.is_even)
        if game.is_guided and not game.is_closed:
            check_nobody_is_stuck(game)
    except AssertionError as error:
        raise Failed(f"at the table: {error or type(error).__name__}") from error


def tries_in(events: Iterable[VaultEvent]) -> int:
    """Count the wrong guesses since the vault was locked."""
    count = 0
    for event in events:
        if isinstance(event, VaultLocked):
            count = 0
        elif isinstance(event, NumberGuessed):
            count += not event.is_right
    return count


def guesses_in(events: Iterable[VaultEvent]) -> int:
    """Count the guesses since the last start."""
    count = 0
    for event in events:
        count = 0 if isinstance(event, VaultAwoke) else count
        count += isinstance(event, NumberGuessed)
    return count


def vault_events(machine: Machine) -> list[VaultEvent]:
    """Return what the lock has written down."""
    return [
        event
        for entry in Journals(machine.database).entries(VAULTS)
        for event in entry.events
        if isinstance(event, VaultEvent)
    ]


def is_final(asked: Request, answer: Answer) -> bool:
    """Tell whether a refusal is remembered: not of what only has to wait or be meant.

    A form is also refused before anything is asked of the game.
    """
    if asked.json is None:
        return False
    told = json.loads(answer.text)
    return told["why"] not in PASSING


DENIED = "it does not count here"
"""What no answer may say of a tap that was carried out."""

PASSING = ("stale", "too_soon", "limit_reached", "not_yours", "other_seat")


def tap_of(asked: Request) -> str:
    """Return the id of the tap that a request carries; empty for none."""
    if asked.json is not None:
        return str(asked.json.get("command_id", ""))
    return (asked.form or {}).get("command_id", "")


def game_of(asked: Request) -> GameId:
    """Return the game that a request is about; empty for none."""
    words = asked.path.split("/")
    is_form = words[1] == "g" and "do" in words
    is_json = words[1:3] == ["api", "games"]
    return GameId(words[2] if is_form else words[3] if is_json else "")


def is_done(asked: Request, answer: Answer) -> bool:
    """Tell whether an answer says that a command was carried out.

    A guess, and the lock's turn, are only passed on to the vault.
    """
    return not is_for_vault(asked) and answer.status == (200 if asked.json else 303)


def is_for_vault(asked: Request) -> bool:
    """Tell whether a request only passes something on to a vault."""
    if asked.json is None:
        return asked.path.split("/")[-1] in ("guess", "lock-vault")
    command = asked.json["command"]
    assert isinstance(command, dict)
    return command.get("type") in ("Guess", "LockVault")
