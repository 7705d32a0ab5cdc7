"""The state of a game: immutable, and the result of nothing but the events so far.

A table may play in two ways. In *bank mode* the companion only keeps the accounts; in
*guided play* it also leads, and the game has a ``Board`` (the rules) and a ``Position``
(tokens, deeds, dice). A seat may *ask* another account for money, and may ask those who
acted to *undo* something. ``Game.after`` applies one event; ``_AFTER`` has a function
for each kind of event. Undo and redo are applied by the journal instead.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeVar, cast

import msgspec
from msgspec.structs import replace

from companion.game import events as e
from companion.game import play_events as p
from companion.game.board import Board
from companion.game.event import Apply
from companion.game.ledger import Ledger, Reason, Transfer
from companion.game.playing import PLAY_AFTER, first_position, with_newcomers
from companion.game.playing_vault_contents import with_first_notes, with_notes_tracked
from companion.game.position import Part, Position
from companion.units import BANK, POT, VAULT, Account, Dollars, Revision, Seat


class SeatState(msgspec.Struct, frozen=True):
    """A seat at the table, with the player's name and marks.

    Attributes:
        seat: Its id, a lower-case word; also its account.
        name: The name of the player, 1 to 24 characters.
        colour: One of ``COLOURS``; no two seats share one.
        token: One of ``TOKENS``; no two seats share one.
        is_away: Whether it left the game; its money is back in the bank.
    """

    seat: Seat
    name: str
    colour: str
    token: str
    is_away: bool = False


class Ask(msgspec.Struct, frozen=True):
    """An open request for money.

    Attributes:
        number: Counts the requests of a game from 1.
        seat: The seat that asks.
        payer: The account that is to pay.
        amount: The amount, in dollars.
        reason: What the money is for.
    """

    number: int
    seat: Seat
    payer: Account
    amount: Dollars
    reason: Reason


class Act(NamedTuple):
    """An entry that can be taken back, or restored.

    Attributes:
        revision: The revision of the entry.
        actor: Who made the entry.
        is_beginning: Whether the game began with it.
    """

    revision: Revision
    actor: str
    is_beginning: bool = False


class UndoAsk(msgspec.Struct, frozen=True):
    """A request that others agree to take something back that they did.

    Attributes:
        asker: Who asks.
        revision: The oldest entry to be taken back, with all after it.
        agreed: Those who have said yes so far.
        declined_by: Who said no; empty while the request is open.
    """

    asker: str
    revision: Revision
    agreed: tuple[str, ...] = ()
    declined_by: str = ""


class Game(Part, frozen=True):
    """The whole state of a game: everything the rules may know.

    Attributes:
        name: The name that the table gave it.
        terms: The edition's figures on the day it was opened.
        banker: The seat that keeps the bank, or ``bank`` if no seat does.
        seats: All seats in the order in which they joined, including those who left.
        ledger: Every account's balance.
        asks: Open requests for money, oldest first.
        asks_count: The number of requests that there have ever been.
        is_locked: Whether seats are taken only with the banker's consent.
        is_closed: Whether the game was put away.
        undoable: The latest entries that can be taken back, the oldest first.
        redoable: The entries that a redo would restore together, the oldest first.
        redo_by: Who took back the *redoable* entries; empty if there are none.
        undo_ask: The request to take something back; ``None`` once something else
            happens.
        undo_barrier: The entry before which nothing can be taken back any more.
        board: The rules of guided play; ``None`` before it has begun.
        play: The position of guided play; kept while the table goes on by hand.
        is_guided: Whether the companion leads; otherwise it is only the bank.
        awaits: How the game is to begin; ``NOTHING`` once it has begun.
        left: The seats that left during guided play; the other seats that are out are
            bankrupt.
    """

    name: str
    terms: e.Terms
    banker: str
    ledger: Ledger
    seats: tuple[SeatState, ...] = ()
    asks: tuple[Ask, ...] = ()
    asks_count: int = 0
    is_locked: bool = False
    is_closed: bool = False
    undoable: tuple[Act, ...] = ()
    redoable: tuple[Act, ...] = ()
    redo_by: str = ""
    undo_ask: UndoAsk | None = None
    undo_barrier: Revision = Revision(0)
    board: Board | None = None
    play: Position | None = None
    is_guided: bool = False
    awaits: e.Awaits = e.Awaits.NOTHING
    left: tuple[Seat, ...] = ()

    def seat(self, seat: str) -> SeatState | None:
        """Return the seat at the table with this id; ``None`` if it has left."""
        for state in self.seats:
            if state.seat == seat and not state.is_away:
                return state
        return None

    def present(self) -> tuple[SeatState, ...]:
        """Return the seats still at the table."""
        return tuple(state for state in self.seats if not state.is_away)

    def ask(self, number: int) -> Ask | None:
        """Return the open request for money with this number, or ``None``."""
        return next((ask for ask in self.asks if ask.number == number), None)

    @property
    def has_begun(self) -> bool:
        """Whether the game has begun; until then people join, and no money moves."""
        return self.awaits is e.Awaits.NOTHING

    @property
    def undo_next(self) -> Revision | None:
        """The revision that an undo would take back, or ``None``."""
        return self.undoable[-1].revision if self.undoable else None

    def after(self, event: e.GameEvent) -> Game:
        """Return the game after *event*. Pure; it never refuses."""
        return _AFTER[type(event)](self, event)


def new_game(event: e.GameOpened) -> Game:
    """Return the game right after it was opened: no seats, the vault filled."""
    ledger = Ledger().with_accounts((POT, VAULT))
    if event.terms.vault_money:
        filling = Transfer(BANK, VAULT, event.terms.vault_money, Reason.RICHES)
        ledger = ledger.after(filling)
    return Game(
        name=event.name,
        terms=event.terms,
        banker=event.banker,
        ledger=ledger,
        awaits=event.awaits,
    )


def _begun(game: Game, _: e.GameEvent) -> Game:
    """Begin the game; nothing is awaited any more."""
    return replace(game, awaits=e.Awaits.NOTHING)


def _seat_added(game: Game, event: e.SeatAdded) -> Game:
    """Seat somebody, and pay the starting money."""
    state = SeatState(event.seat, event.name, event.colour, event.token)
    others = tuple(old for old in game.seats if old.seat != event.seat)
    account = Account(event.seat)
    start = Transfer(BANK, account, event.start_money, Reason.START)
    ledger = game.ledger.with_accounts((account,)).after(start)
    return replace(game, seats=(*others, state), ledger=ledger)


def _seat_renamed(game: Game, event: e.SeatRenamed) -> Game:
    """Give the seat another name."""
    seats = tuple(
        replace(state, name=event.name) if state.seat == event.seat else state
        for state in game.seats
    )
    return replace(game, seats=seats)


def _seat_removed(game: Game, event: e.SeatRemoved) -> Game:
    """Mark the seat as away, and return its money to the bank."""
    seats = tuple(
        replace(state, is_away=True) if state.seat == event.seat else state
        for state in game.seats
    )
    asks = tuple(ask for ask in game.asks if event.seat not in (ask.seat, ask.payer))
    ledger = game.ledger
    if event.returned:
        ledger = ledger.after(
            Transfer(Account(event.seat), BANK, event.returned, Reason.LEAVING)
        )
    return replace(game, seats=seats, asks=asks, ledger=ledger)


def _money_moved(game: Game, event: e.MoneyMoved) -> Game:
    """Move the money of the event."""
    transfer = Transfer(event.payer, event.payee, event.amount, event.reason)
    return _after_transfer(game, transfer)


def _after_transfer(game: Game, transfer: Transfer) -> Game:
    """Move the money, and keep track of the notes known to lie in the vault."""
    play, board = game.play, game.board
    if play is not None and board is not None:
        play = with_notes_tracked(play, board, transfer)
    return replace(game, ledger=game.ledger.after(transfer), play=play)


def _money_asked(game: Game, event: e.MoneyAsked) -> Game:
    """Add an open request for money."""
    ask = Ask(event.number, event.seat, event.payer, event.amount, event.reason)
    return replace(game, asks=(*game.asks, ask), asks_count=event.number)


def _ask_answered(game: Game, event: e.AskAnswered) -> Game:
    """Remove a request for money that was answered."""
    asks = tuple(ask for ask in game.asks if ask.number != event.number)
    return replace(game, asks=asks)


def _balance_corrected(game: Game, event: e.BalanceCorrected) -> Game:
    """Move the difference between the account and the bank."""
    gain = event.now - event.was
    payer, payee = (BANK, event.account) if gain > 0 else (event.account, BANK)
    transfer = Transfer(payer, payee, abs(gain), Reason.CORRECTION)
    return _after_transfer(game, transfer)


def _play_begun(game: Game, event: p.PlayBegun) -> Game:
    """Begin guided play under the event's rules, all tokens on GO."""
    board = Board(event.rules)
    play = first_position(board, event.seats)
    play = with_first_notes(play, board, game.ledger[VAULT])
    begun = _begun(game, event)
    return replace(begun, board=board, play=play, is_guided=True, left=())


def _box_read(game: Game, event: p.BoxRead) -> Game:
    """Put a value that somebody read off the real box into the rules."""
    assert game.board is not None, "a box is read into a rulebook"
    board = game.board.with_reading(event.key, event.value, is_likely=event.is_likely)
    return replace(game, board=board)


def _play_rested(game: Game, event: p.PlayRested) -> Game:
    """Go on by hand, and keep the position."""
    return replace(game, is_guided=False)


def _play_resumed(game: Game, event: p.PlayResumed) -> Game:
    """Let the companion lead again; newcomers start on GO."""
    assert game.play is not None, f"guided play has not begun: {event}"
    assert game.board is not None, f"guided play has not begun: {event}"
    play = with_newcomers(game.play, game.board, event.joined)
    return replace(game, play=play, is_guided=True)


def _fail(game: Game, event: e.GameEvent) -> Game:
    """Fail: the journal handles undo and redo, and ``new_game`` alone opens a game."""
    raise AssertionError(f"{type(event).__name__} is not for Game.after")


def _unchanged(game: Game, _: e.GameEvent) -> Game:
    """Return the game unchanged: the journal keeps the requests for an undo."""
    return game


Applied = TypeVar("Applied", bound=e.Event)
_After = Callable[[Game, e.GameEvent], Game]
"""The function that applies an event to a game; it is pure and never refuses."""


def _row(
    kind: type[Applied], apply: Callable[[Game, Applied], Game]
) -> tuple[type[e.Event], _After]:
    """Build a row of ``_AFTER``, as a type that all its functions share for mypy."""
    return kind, cast("_After", apply)


def _for_game(apply: Apply) -> _After:
    """Turn a function that changes a position into one that changes a game."""

    def after(game: Game, event: e.GameEvent) -> Game:
        """Apply *event* to the position of *game*."""
        play, board = game.play, game.board
        assert play is not None, f"guided play has not begun: {event}"
        assert board is not None, f"guided play has not begun: {event}"
        return replace(game, play=apply(play, board, event))

    return after


_take_out_of_play = _for_game(PLAY_AFTER[p.SeatBankrupted])
"""The effect on the position of a seat that is out; the game records more."""


def _seat_bankrupt_or_left(game: Game, event: p.SeatBankrupted) -> Game:
    """Take a seat out of play, and record whether it left or went bankrupt."""
    left = (*game.left, event.seat) if event.has_resigned else game.left
    return replace(_take_out_of_play(game, event), left=left)


_AFTER: dict[type[e.Event], _After] = {
    kind: _for_game(apply) for kind, apply in PLAY_AFTER.items()
} | dict(
    (
        _row(p.PlayBegun, _play_begun),
        _row(p.PlayRested, _play_rested),
        _row(p.PlayResumed, _play_resumed),
        _row(p.BoxRead, _box_read),
        _row(p.SeatBankrupted, _seat_bankrupt_or_left),
        _row(e.GameOpened, _fail),
        _row(e.BankingBegun, _begun),
        _row(e.SeatAdded, _seat_added),
        _row(e.SeatRenamed, _seat_renamed),
        _row(e.SeatRemoved, _seat_removed),
        _row(e.BankerChanged, lambda game, event: replace(game, banker=event.banker)),
        _row(e.TableLocked, lambda game, _: replace(game, is_locked=True)),
        _row(e.TableUnlocked, lambda game, _: replace(game, is_locked=False)),
        _row(e.MoneyMoved, _money_moved),
        _row(e.MoneyAsked, _money_asked),
        _row(e.AskAnswered, _ask_answered),
        _row(e.BalanceCorrected, _balance_corrected),
        _row(e.Undone, _fail),
        _row(e.Redone, _fail),
        _row(e.UndoAsked, _unchanged),
        _row(e.UndoAllowed, _unchanged),
        _row(e.UndoDeclined, _unchanged),
        _row(e.GameClosed, lambda game, _: replace(game, is_closed=True)),
        _row(e.GameReopened, lambda game, _: replace(game, is_closed=False)),
    )
)
"""Kind of event -> the function that applies it; most change only the position.

A function is named after its event, as ``_seat_added`` after ``SeatAdded``.
"""
