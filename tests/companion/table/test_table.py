"""The one writer: each command once, on disk before anybody is told."""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.box.own_editions import OwnEditions
from companion.edition import builtin, editions
from companion.edition.catalogue import Catalogue
from companion.errors import JournalFault, Malformed, Refused, Why
from companion.game import commands as c
from companion.game.envelope import TABLES_OWN, Envelope, Receipt, check_command_id
from companion.game.journal import WINDOW, Entry
from companion.game.move_run import MoveRun
from companion.rules import RULES
from companion.store import Act, Database, Journals, Phones
from companion.table import TableService, build_table
from companion.table.service import GAMES_MAX, LINES_SHOWN, games_for
from companion.table.taps import REFUSED_MAX
from companion.units import BANK, VAULT, Account, GameId, Revision, Seat
from tests.databases import ON_BOTH, quick_on_both
from tests.fakes import FakeClock
from tests.scene import pay, sitting

pytestmark = ON_BOTH

RED, BLUE = Account("red"), Account("blue")


class WatchedJournals(Journals):
    """The real thing, which also looks at what is known when it writes."""

    table: TableService
    told_too_early = False
    fault: JournalFault | None = None

    def append(self, journal_id: str, *entries: Entry, also: Act | None = None) -> None:
        if self.fault is not None:
            raise self.fault
        listener = self.table.subscribe()
        super().append(journal_id, *entries, also=also)
        self.told_too_early |= listener.wait(0) != {}
        self.table.notices.unsubscribe(listener)


class Room:
    """A table with an open classic game and red and blue at it."""

    def __init__(self, directory: Path) -> None:
        self.database = Database(directory)
        self.clock = FakeClock()
        self.journals = WatchedJournals(self.database)
        self.restart()
        self.game = self.table.open_game("classic", "Friday", "command-open")
        self.give(sitting("red"), "sitting-red")
        self.give(sitting("blue"), "sitting-blue")

    def give(
        self, command: c.Command, command_id: str, expected: int | None = None
    ) -> Receipt:
        revision = None if expected is None else Revision(expected)
        return self.table.submit(self.game, Envelope(command, command_id, revision))

    def restart(self) -> None:
        """The same file, read by a table that was started anew."""
        editions = OwnEditions(Catalogue(), self.journals, self.clock)
        phones = Phones(self.database)
        self.table = TableService(self.journals, phones, self.clock, editions)
        self.journals.table = self.table

    @property
    def balance(self) -> int:
        return self.table.game(self.game).ledger[BLUE]


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    made = Room(tmp_path)
    yield made
    made.table.close()
    made.database.close()


def why(room: Room, command: c.Command, command_id: str, *expected: int) -> Why:
    with pytest.raises(Refused) as refused:
        room.give(command, command_id, *expected)
    return refused.value.why


# Once.


def test_a_double_tap_pays_once(room: Room) -> None:
    first = room.give(pay("red", "blue", 50), "tap-00001")
    again = room.give(pay("red", "blue", 50), "tap-00001")
    assert (first.is_repeat, again.is_repeat) == (False, True)
    assert first.revision == again.revision == 4
    assert room.balance == 1_550


def test_a_repeated_tap_gets_its_receipt_even_from_a_stale_page(room: Room) -> None:
    room.give(pay("red", "blue", 50), "tap-00001", 3)
    room.give(pay("red", "blue", 50), "tap-00002", 4)
    assert room.give(pay("red", "blue", 50), "tap-00001", 3) == Receipt(
        Revision(4), is_repeat=True
    )


def test_a_refused_tap_stays_refused_though_it_could_go_through_now(
    room: Room,
) -> None:
    assert why(room, pay("red", "blue", 2_000), "tap-00001") is Why.CANNOT_AFFORD
    room.give(pay("bank", "red", 1_000, c.TABLE), "tap-00002")
    assert why(room, pay("red", "blue", 2_000), "tap-00001") is Why.CANNOT_AFFORD
    room.give(pay("red", "blue", 2_000), "tap-00003")


def test_a_refusal_that_is_repeated_does_not_grow(room: Room) -> None:
    lengths = []
    for _ in range(5):
        with pytest.raises(Refused) as refused:
            room.give(pay("red", "blue", 9_999), "tap-00001")
        lengths.append(len(refused.traceback))
    assert len(set(lengths[1:])) == 1, lengths


def test_refusals_are_not_remembered_without_end(room: Room) -> None:
    for number in range(REFUSED_MAX + 1):
        why(room, pay("red", "blue", 9_999), f"tap-{number:05d}")
    assert len(room.table._refusals) == REFUSED_MAX
    room.give(pay("red", "blue", 1), "tap-00000")


def test_an_id_that_another_seat_used_is_another_tap(room: Room) -> None:
    """Also after a restart, and in a file where the first stood already."""
    assert room.give(pay("red", "pot", 1), "shared-id").revision == 4
    assert room.give(pay("blue", "pot", 7), "shared-id") == Receipt(Revision(5))
    assert room.balance == 1_493
    for _ in range(2):
        assert room.give(pay("blue", "pot", 7), "shared-id") == Receipt(
            Revision(5), is_repeat=True
        )
        assert room.give(pay("red", "pot", 1), "shared-id") == Receipt(
            Revision(4), is_repeat=True
        )
        assert room.balance == 1_493
        room.restart()
    kept = [entry.command_id for entry in room.table.entries(room.game, 3)]
    assert kept == ["shared-id", "blue/shared-id"]


def test_a_refusal_of_one_seat_is_not_anothers(room: Room) -> None:
    assert why(room, pay("red", "pot", 9_999), "shared-id") is Why.CANNOT_AFFORD
    assert room.give(pay("blue", "pot", 7), "shared-id").revision == 4
    assert why(room, pay("red", "pot", 1), "shared-id") is Why.CANNOT_AFFORD


def test_the_bank_and_the_table_are_one_phone(room: Room) -> None:
    """The host acts for the table once a seat keeps the bank it has handed on."""
    room.give(c.HandBanker(by=BANK, to=Seat("red")), "hand-00001")
    again = room.give(c.HandBanker(by=c.TABLE, to=Seat("red")), "hand-00001")
    assert again == Receipt(Revision(4), is_repeat=True)


@pytest.mark.parametrize(("first", "second"), [(BANK, "red"), ("red", BANK)])
def test_one_phone_that_sat_down_between_two_taps_pays_once(
    room: Room, first: str, second: str
) -> None:
    room.give(pay("red", "blue", 5, first), "tap-00001")
    assert why(room, pay("red", "blue", 5, second), "tap-00001") is Why.MALFORMED
    assert room.balance == 1_505


def test_what_the_table_itself_tells_is_one_thing_whoever_acts(room: Room) -> None:
    def tell(by: str) -> Receipt:
        paid = pay(by, "pot", 5)
        return room.table.submit(
            room.game, Envelope(paid, "vault-guess-1", is_tables_own=True)
        )

    assert not tell("red").is_repeat
    room.restart()
    assert tell("blue").is_repeat


@pytest.mark.parametrize("begins", TABLES_OWN)
def test_no_phone_speaks_an_id_of_the_tables_own(room: Room, begins: str) -> None:
    tap = f"{begins}00000001"
    for _ in range(2):
        room.give(pay("red", "pot", 1), tap)
        room.give(pay(BANK, "pot", 1), tap)
    assert room.table.game(room.game).ledger[RED] == 1_499
    own = [x for x in room.table.entries(room.game) if x.command_id.startswith(begins)]
    assert own == []
    told = Envelope(pay("blue", "pot", 1), tap, is_tables_own=True)
    assert not room.table.submit(room.game, told).is_repeat
    assert room.table.submit(room.game, told).is_repeat
    with pytest.raises(Malformed):
        room.table.open_game("classic", "Friday", tap)


def test_no_phone_is_refused_in_the_tables_stead(room: Room) -> None:
    tap = f"{TABLES_OWN[-1]}00000001"
    with pytest.raises(Refused):
        room.give(pay(BANK, "pink", 1), tap)
    told = Envelope(pay("blue", "pot", 1), tap, is_tables_own=True)
    assert not room.table.submit(room.game, told).is_repeat


def test_a_tap_of_such_an_id_of_before_is_still_a_repeat(room: Room) -> None:
    """A seat could speak it once, and its phone sends it again after an update."""
    tap = "give-back-00000001"
    told = Envelope(pay("red", "pot", 1), tap, is_tables_own=True)
    first = room.table.submit(room.game, told)
    again = room.give(pay("red", "pot", 1), tap)
    assert again == Receipt(first.revision, is_repeat=True)


def test_a_tap_of_several_commands_is_done_whole_or_not_at_all(room: Room) -> None:
    before, tap = room.table.game(room.game), "tap-of-two"
    for refused in (pay("red", "blue", 9_000), pay("pink", "red", 1)):
        two = Envelope(pay("red", "blue", 5), tap)
        with pytest.raises(Refused):
            room.table.submit(room.game, two, refused)
        assert room.table.game(room.game) == before
        tap += "-more"
    two = Envelope(pay("red", "blue", 5), tap)
    for is_repeat in (False, True):
        done = room.table.submit(room.game, two, pay("blue", "red", 1))
        assert done.is_repeat == is_repeat
    ids = [one.command_id for one in room.table.entries(room.game)][-2:]
    assert ids == [tap, f"{tap}+1"]
    assert room.table.game(room.game).ledger[RED] == 1_496
    restarted = build_table(room.database, room.clock).service
    assert restarted.game(room.game) == room.table.game(room.game)


def test_the_same_tap_in_two_games_is_two_taps(room: Room) -> None:
    other = room.table.open_game("classic", "Sunday", "command-other")
    room.table.submit(other, Envelope(sitting("red"), "sitting-red"))
    assert room.table.game(other).ledger[RED] == 1_500


@pytest.mark.parametrize(
    "command_id", ["", "short", "x" * 65, "with blank", "\u0661" * 8, "tap-0001\n"]
)
def test_an_id_that_could_not_be_one_is_malformed(room: Room, command_id: str) -> None:
    with pytest.raises(Malformed):
        room.give(pay("red", "blue", 1), command_id)
    with pytest.raises(Malformed):
        room.table.open_game("classic", "Friday", command_id)
    check_command_id("x" * 8)
    check_command_id("A-z_0" * 12)


@pytest.mark.parametrize("expected", [0, 2, 4, 99])
def test_a_stale_page_changes_nothing(room: Room, expected: int) -> None:
    assert why(room, pay("red", "blue", 1), "tap-00001", expected) is Why.STALE
    assert room.give(pay("red", "blue", 1), "tap-00002", 3).revision == 4


@quick_on_both
def test_payments_from_many_threads_are_each_made_once(room: Room) -> None:
    wrong: list[BaseException] = []

    def tap(worker: int) -> None:
        try:
            for number in range(20):
                for _ in range(2):
                    room.give(pay("red", "blue", 1), f"tap-{worker}-{number:05d}")
        except BaseException as error:
            wrong.append(error)

    threads = [threading.Thread(target=tap, args=(worker,)) for worker in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
    assert room.balance == 1_580
    assert room.table.table_view(room.game).revision == 83


# First the disk.


def test_a_bug_in_a_rule_shows_before_it_is_on_the_disk(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    def pay_too_much(run: MoveRun, command: c.Pay) -> None:
        run.pay(command.payer, command.payee, 9_999, command.reason)

    row = RULES[c.Pay]._replace(apply=pay_too_much)
    monkeypatch.setitem(RULES, c.Pay, row)
    before = tuple(room.journals.entries(room.game))
    with pytest.raises(AssertionError, match="red has -8499"):
        room.give(pay("red", "blue", 1), "command-too-much")
    assert tuple(room.journals.entries(room.game)) == before
    assert room.balance == 1_500


def test_nobody_is_told_before_the_disk_has_it(room: Room) -> None:
    subscription = room.table.subscribe()
    room.give(pay("red", "blue", 1), "tap-00001")
    assert not room.journals.told_too_early
    assert subscription.wait(0) == {room.game: 4}


def test_what_was_not_written_has_not_happened(room: Room) -> None:
    subscription = room.table.subscribe()
    room.journals.fault = JournalFault("the disk is full")
    with pytest.raises(JournalFault):
        room.give(pay("red", "blue", 1), "tap-00001")
    with pytest.raises(JournalFault):
        room.table.open_game("classic", "Sunday", "command-other")
    assert subscription.wait(0) == {}
    assert room.balance == 1_500
    assert len(room.table.games()) == 1
    room.journals.fault = None
    assert room.give(pay("red", "blue", 1), "tap-00001") == Receipt(Revision(4))


def test_what_was_written_has_happened_though_nobody_heard_so(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Stopped between the disk and the answer; the phone taps again."""
    append = room.journals.append

    def stop(*written: object, **more: object) -> None:
        append(*written, **more)
        raise SystemExit

    monkeypatch.setattr(room.journals, "append", stop)
    with pytest.raises(SystemExit):
        room.give(pay("red", "blue", 1), "tap-00001")
    monkeypatch.setattr(room.journals, "append", append)
    again = room.give(pay("red", "blue", 1), "tap-00001")
    assert again == Receipt(Revision(4), is_repeat=True)
    assert room.balance == 1_501
    assert room.give(pay("red", "blue", 1), "tap-00002").revision == 5


def test_a_refusal_tells_nobody(room: Room) -> None:
    subscription = room.table.subscribe()
    why(room, pay("red", "blue", 9_999), "tap-00001")
    room.give(sitting("red"), "sitting-red")
    assert subscription.wait(0) == {}


def test_an_entry_carries_who_when_and_by_which_tap(room: Room) -> None:
    room.clock.advance(1_234)
    room.give(pay("red", "blue", 1), "tap-00001")
    entry = room.table.entries(room.game)[-1]
    assert (entry.revision, entry.command_id, entry.actor, entry.at_ms) == (
        4,
        "tap-00001",
        "red",
        room.clock.now_ms(),
    )


# Games.


@pytest.mark.parametrize("edition_id", editions())
def test_every_edition_opens_with_its_own_money(room: Room, edition_id: str) -> None:
    edition = builtin(edition_id)
    game = room.table.open_game(edition_id, "Sunday", f"open-{edition_id}")
    room.table.submit(game, Envelope(sitting("red"), "sitting-red"))
    ledger = room.table.game(game).ledger
    assert ledger[RED] == edition.start_money > 0
    assert ledger[VAULT] == edition.vault_first_money
    assert room.table.table_view(game).has_vault is edition.has_vault


def test_opening_a_game_twice_with_one_tap_opens_one(room: Room) -> None:
    assert room.table.open_game("mega", "Other", "command-open") == room.game
    assert [g.title for g in room.table.games()] == ["Friday"]


def test_an_unknown_edition_or_game_is_malformed(room: Room) -> None:
    with pytest.raises(Malformed):
        room.table.open_game("no-such", "Friday", "command-2")
    for game_id in ("nonsense", "", "vault", "0" * 12, "../etc/passwd", "\ud800"):
        with pytest.raises(Malformed):
            room.table.game(game_id)
        with pytest.raises(Malformed):
            room.table.seat_view(game_id, "red")
        with pytest.raises(Malformed):
            room.table.submit(game_id, Envelope(pay("red", "blue", 1), "tap-00001"))


def test_the_current_game_is_the_latest_open_one(room: Room) -> None:
    room.clock.advance(1)
    later = room.table.open_game("classic", "Sunday", "command-later")
    assert room.table.current() == later
    room.table.submit(later, Envelope(c.CloseGame(by=BANK), "close-00001"))
    assert room.table.current() == room.game
    room.give(c.CloseGame(by=BANK), "close-00002")
    assert room.table.current() is None
    room.table.submit(later, Envelope(c.ReopenGame(by=BANK), "reopen-00001"))
    assert room.table.current() == later
    assert [g.is_closed for g in room.table.games()] == [False, True]


def test_a_table_keeps_so_many_games_and_says_so(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert games_for(1) == games_for(40) == GAMES_MAX == 200
    assert games_for(100) == 500
    monkeypatch.setattr(room.table, "_games_max", 3)
    for number in range(2):
        room.table.open_game("classic", "More", f"command-{number}")
    with pytest.raises(Refused) as refused:
        room.table.open_game("classic", "More", "command-too-many")
    assert refused.value.why is Why.LIMIT_REACHED


def test_no_game_waits_for_another(room: Room) -> None:
    other = room.table.open_game("classic", "Other", "command-other")
    done: queue.SimpleQueue[str] = queue.SimpleQueue()

    def tap(game: GameId) -> None:
        room.table.submit(game, Envelope(c.LockTable(by=c.TABLE), "command-lock"))
        done.put(game)

    games = (room.game, other)
    threads = [threading.Thread(target=tap, args=(game,)) for game in games]
    with room.table.alone_with(room.game):
        for thread in threads:
            thread.start()
        assert done.get(timeout=10) == other
        assert not room.table.game(room.game).is_locked
    assert done.get(timeout=10) == room.game
    for thread in threads:
        thread.join(10)


@quick_on_both
def test_a_restarted_table_is_the_same_table(room: Room) -> None:
    room.give(pay("red", "blue", 5), "tap-00001")
    room.give(c.Undo(by="red"), "tap-00002")
    again = build_table(room.database, room.clock).service
    assert again.game(room.game) == room.table.game(room.game)
    assert again.table_view(room.game) == room.table.table_view(room.game)
    repeat = Envelope(pay("red", "blue", 5), "tap-00001")
    assert again.submit(room.game, repeat) == Receipt(Revision(4), is_repeat=True)


# History.


def test_each_entry_has_the_names_of_its_time(room: Room) -> None:
    """A colour is taken by one person after another; a rename is no other person."""
    room.give(pay("red", "blue", 50), "tap-00001")
    room.give(c.RenameSeat(by="red", seat=Seat("red"), name="Anna"), "tap-00002")
    room.give(c.RemoveSeat(by=c.TABLE, seat=Seat("red")), "tap-00003")
    room.give(sitting("red", name="Cara"), "tap-00004")
    room.give(pay("red", "blue", 60), "tap-00005")
    room.give(c.Undo(by="red"), "tap-00006")
    for _ in range(2):
        lines = room.table.history(room.game)
        assert lines == room.table.table_view(room.game).lines
        assert [(line.actor, *line.sentences) for line in lines[:-2]] == [
            ("Cara", "Taken back: Cara paid Blue $60"),
            ("Cara", "Cara paid Blue $60"),
            ("the table", "Cara sat down with $1,500"),
            ("the table", "Anna left; $1,450 went back to the bank"),
            ("Anna", "The red seat is called Anna now"),
            ("Anna", "Anna paid Blue $50"),
            ("the table", "Blue sat down with $1,500"),
        ]
        room.restart()
    assert room.table.names(room.game)(2) == room.table.names(room.game)(6)


def test_history_says_what_was_taken_back(room: Room) -> None:
    room.give(pay("red", "blue", 50), "pay-00001")
    for number in range(3):
        room.give(c.Undo(by="red"), f"undo-{number:05d}")
        room.give(c.Redo(by="red"), f"redo-{number:05d}")
    history = room.table.history
    paid = history(room.game)[-4].sentences[0]
    assert history(room.game, count=1)[0].sentences == (f"Counts again: {paid}",)
    assert history(room.game, count=2)[1].sentences == (f"Taken back: {paid}",)


def test_history_is_read_newest_first_in_pieces(room: Room) -> None:
    for number in range(30):
        room.give(pay("red", "blue", 1), f"tap-{number:05d}")
    room.give(c.Undo(by="red"), "tap-undo")
    table = room.table
    revisions = [line.revision for line in table.history(room.game, count=10)]
    assert revisions == list(range(34, 24, -1))
    older = table.history(room.game, before=25, count=10)
    assert [line.revision for line in older] == list(range(24, 14, -1))
    assert [x.revision for x in table.history(room.game, before=3)] == [2, 1]
    assert table.history(room.game, before=1) == ()
    assert table.history(room.game, before=-5) == ()
    for far in (36, 10**6, 10**30):
        assert table.history(room.game, before=far, count=1)[0].revision == 34
    shown = table.table_view(room.game).lines
    assert len(shown) == LINES_SHOWN
    assert shown == table.history(room.game, count=LINES_SHOWN)
    assert {x.revision for x in table.history(room.game) if x.is_undone} == {33}


def test_an_undo_far_back_reads_the_journal_again(room: Room) -> None:
    room.give(pay("red", "blue", 5), "tap-first")
    for number in range(WINDOW + 5):
        rename = c.RenameSeat(by="red", seat=Seat("red"), name=f"Red {number}")
        room.give(rename, f"tap-{number:05d}")
    before = room.table.game(room.game)
    room.give(c.Undo(by="red"), "tap-undo")
    assert room.balance == 1_500
    assert room.table.game(room.game).seats == before.seats
    room.give(c.Redo(by="red"), "tap-redo")
    assert room.table.game(room.game) == before
