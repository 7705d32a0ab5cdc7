"""A table to play at in tests: a journal in memory, and every command worth trying."""

from __future__ import annotations

from collections.abc import Iterator

from companion.game import Game
from companion.game import commands as c
from companion.game import events as e
from companion.game.journal import TAKING_BACK, Entry, Journal
from companion.game.ledger import Reason
from companion.rules import step
from companion.rules.seats import COLOURS, TOKENS
from companion.units import BANK, POT, VAULT, Account, Revision, Seat, TimeMs

TERMS = e.Terms(edition="classic", start_money=1_500, salary=200)
VAULT_TERMS = e.Terms(
    edition="secret-vault",
    start_money=800,
    salary=100,
    vault_salary=100,
    vault_money=500,
    has_vault=True,
)


class Play:
    """A game in memory; ``give`` checks that its events lead to what it decided."""

    def __init__(
        self,
        *seats: str,
        terms: e.Terms = TERMS,
        awaits: e.Awaits = e.Awaits.NOTHING,
    ) -> None:
        self.entries: list[Entry] = []
        self.journal = Journal(lambda after: self.entries[after:])
        opening = e.GameOpened(name="Friday", terms=terms, banker=BANK, awaits=awaits)
        self._append(c.TABLE, (opening,))
        for seat in seats:
            self.give(sitting(seat))

    @property
    def game(self) -> Game:
        """The game as it stands."""
        game = self.journal.game
        assert game is not None
        return game

    def give(self, *commands: c.Command) -> Game:
        """Carry the commands out, one after another."""
        for command in commands:
            run = step(self.game, command)
            game = self._append(command.by, tuple(run.events))
            if not isinstance(run.events[0], TAKING_BACK):
                for part in ("ledger", "seats", "asks", "board", "play", "awaits"):
                    assert getattr(run.game, part) == getattr(game, part), part
        return self.game

    def replayed(self) -> Game | None:
        """Build the game again from its entries."""
        journal = Journal(lambda after: self.entries[after:])
        for entry in self.entries:
            journal.append(entry)
        return journal.game

    def _append(self, actor: str, events: tuple[e.GameEvent, ...]) -> Game:
        revision = Revision(self.journal.revision + 1)
        entry = Entry(revision, f"command-{revision}", actor, TimeMs(0), events)
        self.entries.append(entry)
        return self.journal.append(entry)


def sitting(seat: str, by: str = c.TABLE, name: str = "") -> c.AddSeat:
    """Return the command that seats a colour under its own name and token."""
    token = TOKENS[COLOURS.index(seat)]
    name = name or seat.capitalize()
    return c.AddSeat(by=by, seat=Seat(seat), name=name, colour=seat, token=token)


def pay(
    payer: str,
    payee: str,
    amount: int,
    by: str | None = None,
    reason: Reason = Reason.OTHER,
) -> c.Pay:
    """Return a payment, given by the payer unless *by* says otherwise."""
    return c.Pay(
        by=payer if by is None else by,
        payer=Account(payer),
        payee=Account(payee),
        amount=amount,
        reason=reason,
    )


def ask(seat: str, payer: str, amount: int, by: str | None = None) -> c.AskMoney:
    """Return a request for money, made by the seat unless *by* says otherwise."""
    return c.AskMoney(
        by=seat if by is None else by,
        seat=Seat(seat),
        payer=Account(payer),
        amount=amount,
    )


AMOUNTS = (1, 60, 1_500, 1_000_000, 1_000_001, 0, -5)


def candidates(game: Game, by: str) -> Iterator[c.Command]:
    """Yield every command that *by* could try, with arguments worth trying."""
    yield from _plain(by)
    numbers = (0, *(open_ask.number for open_ask in game.asks), game.asks_count + 1)
    for number in numbers:
        yield c.PayAsk(by=by, number=number)
        yield c.DeclineAsk(by=by, number=number)
        yield c.WithdrawAsk(by=by, number=number)
    asked = (game.undo_ask.revision,) if game.undo_ask else ()
    for revision in {Revision(1), *asked, *(act.revision for act in game.undoable)}:
        yield c.UndoTo(by=by, revision=revision)
        yield c.AllowUndo(by=by, revision=revision)
        yield c.DeclineUndo(by=by, revision=revision)
    for colour in (*COLOURS, BANK):
        seat = Seat(colour)
        if colour != BANK:
            yield sitting(colour, by)
        yield c.RenameSeat(by=by, seat=seat, name=f"Old {colour}")
        yield c.RemoveSeat(by=by, seat=seat)
        yield c.HandBanker(by=by, to=seat)
        yield c.CollectSalary(by=by, seat=seat)
    yield from _moving(game, by)


def _plain(by: str) -> Iterator[c.Command]:
    kinds = (
        c.BeginBanking,
        c.LockTable,
        c.UnlockTable,
        c.Undo,
        c.Redo,
        c.CloseGame,
        c.ReopenGame,
    )
    for kind in kinds:
        yield kind(by=by)


def _moving(game: Game, by: str) -> Iterator[c.Command]:
    seats = [state.seat for state in game.seats]
    accounts = [*seats, BANK, POT, VAULT, Account("nobody")]
    for account in accounts:
        for amount in AMOUNTS:
            yield c.CorrectBalance(by=by, account=Account(account), balance=amount)
            for other in accounts:
                yield pay(account, other, amount, by)
                if account in seats:
                    yield ask(account, other, amount, by)
