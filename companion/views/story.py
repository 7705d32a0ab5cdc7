"""Facts worth telling about a game, such as its biggest rent, found in the journal.

``facts`` reads the entries that count once, from the first to the last. Of two equal
records, the first one is told.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable
from typing import cast

import msgspec

from companion.game import Game
from companion.game import decoder_events as f
from companion.game import deed_events as d
from companion.game import events as e
from companion.game import play_events as p
from companion.game import ticket_events as t
from companion.game import vault_contents_events as r
from companion.game.journal import TAKING_BACK, Entry, applied
from companion.game.ledger import Reason
from companion.game.stage import Stage
from companion.units import BANK, Account, DeedId, Dollars, LotId, Seat
from companion.views.worth_history import worths_of


class Rent(msgspec.Struct, frozen=True):
    """A rent that was paid; *deed* is ``None`` if the journal does not tell which."""

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
    """A debt, and how long it lasted until it was paid or its debtor was out.

    Attributes:
        revision: The revision of the entry in which it began.
        entries: The number of entries that it lasted.
        ms: The milliseconds that it lasted.
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
    """All that one seat rolled with two dice.

    Attributes:
        rolls: The number of rolls.
        pips: The sum of the pips; those of a third die do not count, as not every roll
            shows any.
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
        entry: The entry that gave it the lead; ``None`` if it led from the start.
        turn: The number of its turn, from 1.
    """

    seat: str
    entry: Entry | None
    turn: int


class Facts(msgspec.Struct, frozen=True):
    """The facts of one game; ``None`` or empty where nothing of the kind happened.

    Attributes:
        turns: The number of turns, the last one perhaps unfinished.
        ms: Milliseconds played, without the time when the game was put away.
        rent: The biggest rent.
        debt: The debt that lasted longest.
        sale: The dearest auction.
        throws: The rolls of each seat.
        earned: The deed that brought the most rent, and how much.
        visited: The deed that was landed on most often, and how often.
        jailed: The seat that went to jail most often, and how often.
        turning: The moment from which the winner kept the lead.
        looks: The number of looks through the decoder.
        finder: The seat that found the most fakes, and how many.
        caught: The seat that was caught with the most fake notes, and how many.
        ridden: The seat that took the bus most often, and how often.
        opened: Each opening of the vault.
        rents: The biggest rent that each seat was paid.
        gone: The seats that are out, the first to go first.
        ended_ms: The end of the game, in milliseconds since 1970 UTC; 0 before it.
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
        entries: All of its entries, oldest first; none of them is kept.
        undone: The revisions of those that were taken back, which do not count.
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
        throws=reader.thrown(),
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
    """Return the key of the greatest count, the first of equals; ``None`` for none."""
    if not counts:
        return None
    return max(counts.items(), key=lambda pair: pair[1])


class _Course:
    """Replays the game to count its turns and to find its turning point.

    An entry belongs to the turn in which it begins, even if it ends that turn.
    """

    def __init__(self, game: Game) -> None:
        winners = game.play.winners if game.play is not None else ()
        self._winner = winners[0] if len(winners) == 1 else ""
        self._game: Game | None = None
        self.turns = 0
        self.turning: Turning | None = None

    def read(self, entry: Entry) -> None:
        """Take in one entry that counts."""
        before, self._game = self._game, applied(self._game, entry)
        play = before.play if before is not None else None
        turn = play.turn_number + 1 if play is not None else 1
        goes_on = play is not None and play.base is not Stage.OVER
        if goes_on and not isinstance(entry.events[0], p.TimeCalled):
            self.turns = turn
        worths = dict(worths_of(self._game)) if self._winner else {}
        mine = worths.pop(self._winner, None)
        if mine is None or any(worth >= mine for worth in worths.values()):
            self.turning = None
        elif self.turning is None:
            cause = None if before is None else entry
            self.turning = Turning(self._winner, cause, turn)


class Reader:
    """Reads entries one after another and keeps the record of each kind.

    Args:
        game: The game as it stands; without it, landings are not counted by deed.
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
        self._throws: dict[str, list[int]] = {}
        self._due: dict[tuple[str, str], DeedId] = {}
        self._debts: list[tuple[int, Entry, p.DebtOwed]] = []
        self._count = 0
        self._since: int | None = None
        self._is_away = False
        self._entry: Entry | None = None

    def read(self, entry: Entry) -> None:
        """Take in one entry that counts."""
        self._entry = entry
        self._count += 1
        for event in entry.events:
            take = READ.get(type(event))
            if take is not None:
                take(self, event)
        if self._since is not None:
            self.ms += max(0, entry.at_ms - self._since)
            self._since = entry.at_ms

    def thrown(self) -> tuple[Throws, ...]:
        """Return the rolls of every seat, in the order of their first rolls."""
        return tuple(Throws(seat, *sums) for seat, sums in self._throws.items())

    def rent(self) -> Rent | None:
        """Return the biggest rent of all, the first of equals."""
        paid = self.rents.values()
        return max(paid, key=lambda x: (x.amount, -x.revision), default=None)

    @property
    def entry(self) -> Entry:
        """The entry that is being read."""
        assert self._entry is not None, "asked while reading"
        return self._entry

    def begin(self, _event: e.Event) -> None:
        """Start the clock of the time played; nobody is out of the game yet."""
        self._since = self.entry.at_ms
        self.gone.clear()

    def stop(self, event: e.Event) -> None:
        """Stop the clock: the game was put away, or it is over."""
        if self._since is not None:
            self.ms += max(0, self.entry.at_ms - self._since)
            self._is_away = isinstance(event, e.GameClosed)
        self._since = None
        if isinstance(event, p.PlayEnded):
            self.ended_ms = self.entry.at_ms

    def again(self, event: e.GameReopened) -> None:
        """Restart the clock, if it ran when the game was put away."""
        if self._is_away:
            self.begin(event)
        self._is_away = False

    def fell_due(self, event: p.RentFellDue | p.RentAsked) -> None:
        """Remember the deed for which one seat may owe another rent."""
        self._due[event.seat, event.owner] = event.deed

    def paid(self, event: e.MoneyMoved) -> None:
        """Note a payment: a rent, or money for a fake."""
        if event.reason is Reason.FAKE:
            self.finds[event.payee] += 1
            if event.payer != BANK:
                self.caught[event.payer] += 1
        if event.reason is not Reason.RENT:
            return
        payer, payee, amount = event.payer, event.payee, event.amount
        deed = self._due.get((payer, payee))
        if deed:
            self.earned[deed] += amount
        best = self.rents.get(payee)
        if best is None or amount > best.amount:
            self.rents[payee] = Rent(self.entry.revision, payer, payee, deed, amount)

    def owed(self, event: p.DebtOwed) -> None:
        """Note that a debt begins."""
        self._debts.append((self._count, self.entry, event))

    def settled(self, event: p.DebtPaid) -> None:
        """Note that the oldest debt of the debtor ends."""
        for at, (_, _, owed) in enumerate(self._debts):
            if owed.debtor == event.debtor:
                self._ended(*self._debts.pop(at))
                return

    def forgiven(self, event: p.DebtForgiven) -> None:
        """Note that all debts of the debtor to that creditor end."""
        pair = (event.debtor, str(event.creditor))
        ended = [x for x in self._debts if (x[2].debtor, str(x[2].creditor)) == pair]
        self._debts = [x for x in self._debts if x not in ended]
        for debt in ended:
            self._ended(*debt)

    def bankrupted(self, event: p.SeatBankrupted) -> None:
        """End all debts of a bankrupt seat; forget the debts that others have to it."""
        self.gone.append(event.seat)
        debts, seat = self._debts, event.seat
        self._debts = [x for x in debts if seat not in (x[2].debtor, x[2].creditor)]
        for debt in debts:
            if debt[2].debtor == seat:
                self._ended(*debt)

    def agreed(self, event: p.PositionCorrected | p.PositionGiven) -> None:
        """Forget the debts that a correction removed, as their end is not known."""
        left = [(debt.debtor, debt.amount) for debt in event.position.debts]
        self._debts = [x for x in self._debts if (x[2].debtor, x[2].amount) in left]

    def _ended(self, count: int, since: Entry, owed: p.DebtOwed) -> None:
        debt = OldDebt(
            revision=since.revision,
            debtor=owed.debtor,
            creditor=owed.creditor,
            amount=owed.amount,
            entries=self._count - count,
            ms=max(0, self.entry.at_ms - since.at_ms),
        )
        longest = self.debt
        if longest is None or (debt.ms, debt.entries) > (longest.ms, longest.entries):
            self.debt = debt

    def sold(self, event: d.LotSold) -> None:
        """Note a sale by auction."""
        if self.sale is None or event.amount > self.sale.amount:
            self.sale = Sale(self.entry.revision, event.lot, event.seat, event.amount)

    def rolled(self, event: p.DiceRolled) -> None:
        """Note a roll of the dice for a move."""
        sums = self._throws.setdefault(event.seat, [0, 0, 0])
        sums[0] += 1
        sums[1] += sum(event.dice[:2])
        sums[2] += len(event.dice) > 1 and event.dice[0] == event.dice[1]

    def moved(self, event: p.TokenMoved) -> None:
        """Note the deed on which a token landed."""
        deed = self.deeds[event.space] if event.space < len(self.deeds) else ""
        if deed:
            self.visited[deed] += 1

    def rode(self, event: t.TicketUsed) -> None:
        """Note that a seat took the bus in place of a roll."""
        self.ridden[event.seat] += 1

    def looked(self, _event: f.ChipSpent) -> None:
        """Note that somebody looked through the decoder."""
        self.looks += 1

    def took(self, event: r.RichesTaken) -> None:
        """Note that a seat opened the vault."""
        taken = Riches(self.entry.revision, event.seat, event.money)
        self.opened.append(taken)

    def locked_up(self, event: p.SentToJail) -> None:
        """Note that a seat went to jail."""
        self.jailed[event.seat] += 1


Take = Callable[[Reader, object], None]

READ: dict[type, Take] = {
    p.PlayBegun: cast("Take", Reader.begin),
    e.GameReopened: cast("Take", Reader.again),
    e.GameClosed: cast("Take", Reader.stop),
    p.PlayEnded: cast("Take", Reader.stop),
    p.RentFellDue: cast("Take", Reader.fell_due),
    p.RentAsked: cast("Take", Reader.fell_due),
    e.MoneyMoved: cast("Take", Reader.paid),
    p.DebtOwed: cast("Take", Reader.owed),
    p.DebtPaid: cast("Take", Reader.settled),
    p.DebtForgiven: cast("Take", Reader.forgiven),
    p.SeatBankrupted: cast("Take", Reader.bankrupted),
    p.PositionCorrected: cast("Take", Reader.agreed),
    p.PositionGiven: cast("Take", Reader.agreed),
    d.LotSold: cast("Take", Reader.sold),
    p.DiceRolled: cast("Take", Reader.rolled),
    p.TokenMoved: cast("Take", Reader.moved),
    p.SentToJail: cast("Take", Reader.locked_up),
    t.TicketUsed: cast("Take", Reader.rode),
    r.RichesTaken: cast("Take", Reader.took),
    f.ChipSpent: cast("Take", Reader.looked),
}
"""The method that takes in each kind of event; other events do not matter."""
