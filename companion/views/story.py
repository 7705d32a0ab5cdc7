"""Facts worth telling about a game, such as its biggest rent, found in its journal.

An *entry* of the journal holds the events of one act; its *revision* is its number.
``facts`` reads all entries once, oldest first, except those that were undone. A
``Reader`` keeps the *records*, such as the biggest rent; of two that are equal, the
earlier one stands. A ``_Course`` replays the game to count its turns and to find its
*turning point*, the moment from which the winner kept the lead. ``story_words`` puts
the facts into sentences.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable
from typing import NamedTuple, cast

import msgspec

from companion.game import Game

# f: fakes and choices, d: deeds, e: money and seats, p: play, t: tickets, r: riches.
from companion.game import decoder_events as f
from companion.game import deed_events as d
from companion.game import events as e
from companion.game import play_events as p
from companion.game import ticket_events as t
from companion.game import vault_contents_events as r
from companion.game.journal import TAKING_BACK, Entry, apply_entry
from companion.game.ledger import Reason
from companion.game.stage import Stage
from companion.units import BANK, Account, DeedId, Dollars, LotId, Seat
from companion.views.worth_history import worths_of


class Rent(msgspec.Struct, frozen=True):
    """A rent that was paid; its *deed* is ``None`` if the journal does not name it."""

    revision: int
    payer: Account
    payee: Account
    deed: DeedId | None
    amount: Dollars


class Riches(msgspec.Struct, frozen=True):
    """The money that a seat took out of the vault, in dollars."""

    revision: int
    seat: Seat
    amount: Dollars


class OldDebt(msgspec.Struct, frozen=True):
    """A debt that has ended: it was paid or forgiven, or its debtor is out.

    Attributes:
        revision: The revision of the entry in which the debt began.
        entries: The number of entries from its beginning to its end.
        ms: The milliseconds from its beginning to its end.
    """

    revision: int
    debtor: Seat
    creditor: Account
    amount: Dollars
    entries: int
    ms: int


class Sale(msgspec.Struct, frozen=True):
    """A lot that was sold to the highest bidder."""

    revision: int
    lot: LotId
    seat: Seat
    amount: Dollars


class Throws(msgspec.Struct, frozen=True):
    """The sums of everything that one seat rolled.

    Attributes:
        pips: The sum of the pips on two dice; some faces of a third die have none.
        doubles: The number of rolls that were doubles.
    """

    seat: str
    rolls: int
    pips: int
    doubles: int


class Turning(msgspec.Struct, frozen=True):
    """The moment from which the winner kept the lead.

    Attributes:
        seat: The winner.
        entry: The entry that gave it the lead for good; ``None`` if it always led.
        turn: The number of the turn of that entry, from 1.
    """

    seat: str
    entry: Entry | None
    turn: int


class Facts(msgspec.Struct, frozen=True):
    """The facts of one game; ``None`` or empty where nothing of the kind happened.

    *rent*, *debt* and *sale* are the biggest rent, the longest debt and the dearest
    auction.

    Attributes:
        turns: The number of turns, including an unfinished last one.
        ms: The milliseconds played, without the time when the game was put away.
        earned: The deed that brought the most rent, and how many dollars.
        visited: The deed on which tokens landed most often, and how often.
        jailed: The seat that went to jail most often, and how often.
        looks: The number of looks through the decoder.
        finder: The seat that found the most fakes, and how many.
        caught: The seat that was caught with the most fake notes, and how many.
        ridden: The seat that took the bus most often, and how often.
        opened: Each opening of the vault.
        rents: For each seat that was paid rent, the biggest one.
        gone: The seats that are out, the first to go first.
        ended_ms: The end of the game, in milliseconds since 1970 UTC; 0 until then.
    """

    turns: int
    ms: int
    rent: Rent | None
    debt: OldDebt | None
    sale: Sale | None
    throws: tuple[Throws, ...]
    earned: tuple[str, Dollars] | None
    visited: tuple[str, int] | None
    jailed: tuple[str, int] | None
    turning: Turning | None
    looks: int = 0
    finder: tuple[str, int] | None = None
    caught: tuple[str, int] | None = None
    ridden: tuple[str, int] | None = None
    opened: tuple[Riches, ...] = ()
    rents: tuple[Rent, ...] = ()
    gone: tuple[str, ...] = ()
    ended_ms: int = 0


def facts(entries: Iterable[Entry], undone: Collection[int], game: Game) -> Facts:
    """Return the facts of *game*.

    Args:
        entries: All entries of the game, oldest first; each is read once.
        undone: The revisions of the entries that were undone, which do not count.
        game: The game as it stands.
    """
    reader, course = Reader(game), _Course(game)
    for entry in entries:
        is_undo = isinstance(entry.events[0], TAKING_BACK)
        if not is_undo and entry.revision not in undone:
            reader.read(entry)
            course.read(entry)
    return Facts(
        turns=course.turns,
        ms=reader.ms,
        rent=reader.rent(),
        debt=reader.debt,
        sale=reader.sale,
        throws=reader.throws(),
        earned=_most(reader.earned),
        visited=_most(reader.visited),
        jailed=_most(reader.jailed),
        turning=course.turning,
        looks=reader.looks,
        finder=_most(reader.finds),
        caught=_most(reader.caught),
        ridden=_most(reader.ridden),
        opened=tuple(reader.opened),
        rents=tuple(reader.rents.values()),
        gone=tuple(reader.gone),
        ended_ms=reader.ended_ms,
    )


def _most(counts: dict[str, int]) -> tuple[str, int] | None:
    """Return the first of the greatest *counts*, with its key."""
    if not counts:
        return None
    return max(counts.items(), key=lambda pair: pair[1])


class _Course:
    """Replays the game to count its turns and to find its turning point.

    An entry belongs to the turn in which it begins, even if it ends that turn. Only a
    game with exactly one winner has a turning point.
    """

    def __init__(self, game: Game) -> None:
        winners = game.play.winners if game.play is not None else ()
        self._winner = winners[0] if len(winners) == 1 else ""
        self._game: Game | None = None
        self.turns = 0
        self.turning: Turning | None = None

    def read(self, entry: Entry) -> None:
        """Replay the next entry.

        The turning point is the entry that puts the winner ahead of everybody; it is
        dropped again whenever somebody catches up.
        """
        before, self._game = self._game, apply_entry(self._game, entry)
        play = before.play if before is not None else None
        turn = play.turn_number + 1 if play is not None else 1
        is_playing = play is not None and play.base is not Stage.OVER
        if is_playing and not isinstance(entry.events[0], p.TimeCalled):
            self.turns = turn
        worths = dict(worths_of(self._game)) if self._winner else {}
        best = worths.pop(self._winner, None)
        if best is None or any(worth >= best for worth in worths.values()):
            self.turning = None
        elif self.turning is None:
            cause = None if before is None else entry
            self.turning = Turning(self._winner, cause, turn)


class _OpenDebt(NamedTuple):
    """A debt that has not ended yet.

    Attributes:
        number: How many entries the reader had read when it began, that one included.
        entry: The entry in which it began.
        event: Who owes what to whom.
    """

    number: int
    entry: Entry
    event: p.DebtOwed


class Reader:
    """Reads entries one after another and keeps the record of each kind.

    Args:
        game: The game as it stands; without it, landings are not counted.

    Attributes:
        deeds: The id of the deed on each space; empty where there is none.
        earned: The dollars of rent that each deed brought.
        finds: How many fakes each seat found.
        caught: How many fake notes of each seat were found.

    The other attributes are those of ``Facts``, but hold all counts, not the greatest.
    """

    def __init__(self, game: Game | None = None) -> None:
        rules = game.board.rules if game and game.board is not None else None
        self.deeds = [space.deed for space in rules.spaces] if rules else []
        self.ms = 0
        self.rents: dict[str, Rent] = {}
        self.opened: list[Riches] = []
        self.gone: list[str] = []
        self.ended_ms = 0
        self.debt: OldDebt | None = None
        self.sale: Sale | None = None
        self.earned: dict[str, Dollars] = defaultdict(int)
        self.visited: dict[str, int] = defaultdict(int)
        self.jailed: dict[str, int] = defaultdict(int)
        self.looks = 0
        self.finds: dict[str, int] = defaultdict(int)
        self.caught: dict[str, int] = defaultdict(int)
        self.ridden: dict[str, int] = defaultdict(int)
        self._throws: dict[str, Throws] = {}  # By seat.
        self._rented_deed: dict[tuple[str, str], DeedId] = {}  # By payer and owner.
        self._debts: list[_OpenDebt] = []
        self._count = 0  # The entries read so far.
        self._timed_to_ms: int | None = None  # None while the clock is stopped.
        self._is_put_away = False
        self._entry: Entry | None = None

    def read(self, entry: Entry) -> None:
        """Take in the next entry."""
        self._entry = entry
        self._count += 1
        for event in entry.events:
            take = TAKERS.get(type(event))
            if take is not None:
                take(self, event)
        if self._timed_to_ms is not None:
            self.ms += max(0, entry.at_ms - self._timed_to_ms)
            self._timed_to_ms = entry.at_ms

    def throws(self) -> tuple[Throws, ...]:
        """Return the rolls of every seat, in the order of their first rolls."""
        return tuple(self._throws.values())

    def rent(self) -> Rent | None:
        """Return the biggest rent of all, the earliest of equals."""
        return max(
            self.rents.values(),
            key=lambda rent: (rent.amount, -rent.revision),
            default=None,
        )

    @property
    def entry(self) -> Entry:
        """The entry that is being read."""
        assert self._entry is not None, "asked while reading"
        return self._entry

    def begin_play(self, _event: p.PlayBegun) -> None:
        """Start the clock of the time played, with everybody in the game."""
        self._timed_to_ms = self.entry.at_ms
        self.gone.clear()

    def stop_clock(self, event: e.Event) -> None:
        """Stop the clock: the game was put away, or it is over."""
        if self._timed_to_ms is not None:
            self.ms += max(0, self.entry.at_ms - self._timed_to_ms)
            self._is_put_away = isinstance(event, e.GameClosed)
        self._timed_to_ms = None
        if isinstance(event, p.PlayEnded):
            self.ended_ms = self.entry.at_ms

    def restart_clock(self, _event: e.GameReopened) -> None:
        """Restart the clock, if it ran when the game was put away."""
        if self._is_put_away:
            self._timed_to_ms = self.entry.at_ms
        self._is_put_away = False

    def note_due_rent(self, event: p.RentFellDue | p.RentAsked) -> None:
        """Remember the deed for which one seat may owe another rent."""
        self._rented_deed[event.seat, event.owner] = event.deed

    def note_payment(self, event: e.MoneyMoved) -> None:
        """Note a payment if it is a rent, or a reward for finding a fake."""
        if event.reason is Reason.FAKE:
            self.finds[event.payee] += 1
            if event.payer != BANK:
                self.caught[event.payer] += 1
        if event.reason is not Reason.RENT:
            return
        payer, payee, amount = event.payer, event.payee, event.amount
        deed = self._rented_deed.get((payer, payee))
        if deed:
            self.earned[deed] += amount
        best = self.rents.get(payee)
        if best is None or amount > best.amount:
            self.rents[payee] = Rent(self.entry.revision, payer, payee, deed, amount)

    def note_debt(self, event: p.DebtOwed) -> None:
        """Note that a debt begins."""
        self._debts.append(_OpenDebt(self._count, self.entry, event))

    def note_paid_debt(self, event: p.DebtPaid) -> None:
        """Note that the oldest debt of the debtor ends."""
        for debt in self._debts:
            if debt.event.debtor == event.debtor:
                self._debts.remove(debt)
                self._end_debt(debt)
                return

    def note_forgiven_debt(self, event: p.DebtForgiven) -> None:
        """Note that all debts of the debtor to that creditor end."""
        kept: list[_OpenDebt] = []
        forgiven = (event.debtor, str(event.creditor))
        for debt in self._debts:
            if (debt.event.debtor, str(debt.event.creditor)) == forgiven:
                self._end_debt(debt)
            else:
                kept.append(debt)
        self._debts = kept

    def note_bankrupt(self, event: p.SeatBankrupted) -> None:
        """End all debts of a seat that is out; forget the debts of others to it."""
        self.gone.append(event.seat)
        debts, seat = self._debts, event.seat
        self._debts = [
            debt
            for debt in debts
            if seat not in (debt.event.debtor, debt.event.creditor)
        ]
        for debt in debts:
            if debt.event.debtor == seat:
                self._end_debt(debt)

    def correct(self, event: p.PositionCorrected | p.PositionGiven) -> None:
        """Forget the debts that a correction removed, as their end is not known.

        If the game goes on after its end, the clock starts again.
        """
        if self.ended_ms and event.position.base is not Stage.OVER:
            self.ended_ms, self._timed_to_ms = 0, self.entry.at_ms
        left = [(debt.debtor, debt.amount) for debt in event.position.debts]
        self._debts = [
            debt
            for debt in self._debts
            if (debt.event.debtor, debt.event.amount) in left
        ]

    def _end_debt(self, ended: _OpenDebt) -> None:
        """Keep a debt that ends now, if it is the longest so far."""
        since, event = ended.entry, ended.event
        debt = OldDebt(
            revision=since.revision,
            debtor=event.debtor,
            creditor=event.creditor,
            amount=event.amount,
            entries=self._count - ended.number,
            ms=max(0, self.entry.at_ms - since.at_ms),
        )
        longest = self.debt
        if longest is None or (debt.ms, debt.entries) > (longest.ms, longest.entries):
            self.debt = debt

    def note_sale(self, event: d.LotSold) -> None:
        """Note an auction, if it is the dearest so far."""
        if self.sale is None or event.amount > self.sale.amount:
            self.sale = Sale(self.entry.revision, event.lot, event.seat, event.amount)

    def note_roll(self, event: p.DiceRolled) -> None:
        """Note a roll of the dice for a move."""
        is_double = len(event.dice) > 1 and event.dice[0] == event.dice[1]
        before = self._throws.get(event.seat, Throws(event.seat, 0, 0, 0))
        self._throws[event.seat] = Throws(
            seat=event.seat,
            rolls=before.rolls + 1,
            pips=before.pips + sum(event.dice[:2]),
            doubles=before.doubles + (1 if is_double else 0),
        )

    def note_landing(self, event: p.TokenMoved) -> None:
        """Note the deed on which a token landed."""
        deed = self.deeds[event.space] if event.space < len(self.deeds) else ""
        if deed:
            self.visited[deed] += 1

    def note_bus_ride(self, event: t.TicketUsed) -> None:
        """Note that a seat took the bus in place of a roll."""
        self.ridden[event.seat] += 1

    def note_look(self, _event: f.ChipSpent) -> None:
        """Note that somebody looked through the decoder."""
        self.looks += 1

    def note_riches(self, event: r.RichesTaken) -> None:
        """Note that a seat opened the vault."""
        taken = Riches(self.entry.revision, event.seat, event.money)
        self.opened.append(taken)

    def note_jailing(self, event: p.SentToJail) -> None:
        """Note that a seat went to jail."""
        self.jailed[event.seat] += 1


Take = Callable[[Reader, object], None]
"""A method of ``Reader`` that takes in one event."""

TAKERS: dict[type, Take] = {
    p.PlayBegun: cast("Take", Reader.begin_play),
    e.GameReopened: cast("Take", Reader.restart_clock),
    e.GameClosed: cast("Take", Reader.stop_clock),
    p.PlayEnded: cast("Take", Reader.stop_clock),
    p.RentFellDue: cast("Take", Reader.note_due_rent),
    p.RentAsked: cast("Take", Reader.note_due_rent),
    e.MoneyMoved: cast("Take", Reader.note_payment),
    p.DebtOwed: cast("Take", Reader.note_debt),
    p.DebtPaid: cast("Take", Reader.note_paid_debt),
    p.DebtForgiven: cast("Take", Reader.note_forgiven_debt),
    p.SeatBankrupted: cast("Take", Reader.note_bankrupt),
    p.PositionCorrected: cast("Take", Reader.correct),
    p.PositionGiven: cast("Take", Reader.correct),
    d.LotSold: cast("Take", Reader.note_sale),
    p.DiceRolled: cast("Take", Reader.note_roll),
    p.TokenMoved: cast("Take", Reader.note_landing),
    p.SentToJail: cast("Take", Reader.note_jailing),
    t.TicketUsed: cast("Take", Reader.note_bus_ride),
    r.RichesTaken: cast("Take", Reader.note_riches),
    f.ChipSpent: cast("Take", Reader.note_look),
}
"""The method that takes in each kind of event; other kinds are skipped."""
