"""The state of a game: immutable, and the result of nothing but the events so far.

A table may play in two ways. In *bank mode* the companion only keeps the accounts; in
*guided play* it also leads, and the game has a ``Board`` (the rules) and a ``Position``
(tokens, deeds, dice). A seat may *ask* another account for money, and may ask those who
acted to *undo* something. Undo and redo are applied by the journal, not here.

Most functions that apply an event are named after it: ``_seat_added``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeVar, cast

import msgspec
from msgspec.structs import replace

from companion.game.board import Board
from companion.game.event import Apply
from companion.game.events import (
    AskAnswered,
    Awaits,
    BalanceCorrected,
    BankerChanged,
    BankingBegun,
    Event,
    GameClosed,
    GameContinued,
    GameEvent,
    GameOpened,
    GameReopened,
    MoneyAsked,
    MoneyMoved,
    Redone,
    SeatAdded,
    SeatRemoved,
    SeatRenamed,
    TableLocked,
    TableUnlocked,
    Terms,
    UndoAllowed,
    UndoAsked,
    UndoDeclined,
    Undone,
)
from companion.game.ledger import Ledger, Reason, Transfer
from companion.game.play_events import (
    BoxRead,
    PlayBegun,
    PlayRested,
    PlayResumed,
    SeatBankrupted,
)
from companion.game.playing import PLAY_AFTER, first_position, with_newcomers
from companion.game.playing_vault_contents import with_first_notes, with_notes_tracked
from companion.game.position import Part, Position
from companion.game.replies import AnyReply
from companion.units import BANK, POT, VAULT, Account, Dollars, Revision, Seat


class SeatState(msgspec.Struct, frozen=True):
    """A seat at the table, with the player's name and marks.

    Attributes:
        seat: Its id, a lower-case word; also its account.
        name: The name of the player, 1 to 24 characters.
        colour: One of ``COLOURS``, unlike that of any other seat.
        token: One of ``TOKENS``, unlike that of any other seat.
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
    """

    number: int
    seat: Seat
    payer: Account
    amount: Dollars
    reason: Reason


class Act(NamedTuple):
    """An entry that can be taken back, or restored.

    Attributes:
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
        asks_count: The number of requests ever made.
        is_locked: Whether seats are taken only with the banker's consent.
        is_closed: Whether the game was put away.
        undoable: The latest entries that can be taken back, oldest first.
        redoable: The entries that a redo would restore together, oldest first.
        redo_by: Who took back the *redoable* entries; empty if there are none.
        undo_ask: The request for an undo; ``None`` once something else happens.
        undo_barrier: The entry before which nothing can be taken back any more.
        board: The rules of guided play; ``None`` before it has begun.
        play: The position of guided play; kept while the table goes on by hand.
        is_guided: Whether the companion leads; otherwise it is only the bank.
        awaits: How the game is to begin; ``NOTHING`` once it has begun.
        left: The seats that left during guided play; the other seats that are out are
            bankrupt.
        replies: The latest replies to what seats asked of others, oldest first.
    """

    name: str
    terms: Terms
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
    awaits: Awaits = Awaits.NOTHING
    left: tuple[Seat, ...] = ()
    replies: tuple[AnyReply, ...] = ()

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
        return self.awaits is Awaits.NOTHING

    @property
    def undo_next(self) -> Revision | None:
        """The revision that an undo would take back, or ``None``."""
        return self.undoable[-1].revision if self.undoable else None

    def after(self, event: GameEvent) -> Game:
        """Return the game after *event*. Pure; it never refuses."""
        return _AFTER[type(event)](self, event)


def new_game(event: GameOpened) -> Game:
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


def _begun(game: Game, _: GameEvent) -> Game:
    return replace(game, awaits=Awaits.NOTHING)


def _seat_added(game: Game, event: SeatAdded) -> Game:
    """Seat somebody, and pay the starting money."""
    state = SeatState(event.seat, event.name, event.colour, event.token)
    others = tuple(old for old in game.seats if old.seat != event.seat)
    account = Account(event.seat)
    start = Transfer(BANK, account, event.start_money, Reason.START)
    ledger = game.ledger.with_accounts((account,)).after(start)
    return replace(game, seats=(*others, state), ledger=ledger)


def _seat_renamed(game: Game, event: SeatRenamed) -> Game:
    seats = tuple(
        replace(state, name=event.name) if state.seat == event.seat else state
        for state in game.seats
    )
    return replace(game, seats=seats)


def _seat_removed(game: Game, event: SeatRemoved) -> Game:
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


def _money_moved(game: Game, event: MoneyMoved) -> Game:
    transfer = Transfer(event.payer, event.payee, event.amount, event.reason)
    return _after_transfer(game, transfer)


def _after_transfer(game: Game, transfer: Transfer) -> Game:
    """Move the money, and keep track of the notes known to lie in the vault."""
    play, board = game.play, game.board
    if play is not None and board is not None:
        play = with_notes_tracked(play, board, transfer)
    return replace(game, ledger=game.ledger.after(transfer), play=play)


def _money_asked(game: Game, event: MoneyAsked) -> Game:
    ask = Ask(event.number, event.seat, event.payer, event.amount, event.reason)
    return replace(game, asks=(*game.asks, ask), asks_count=event.number)


def _ask_answered(game: Game, event: AskAnswered) -> Game:
    asks = tuple(ask for ask in game.asks if ask.number != event.number)
    return replace(game, asks=asks)


def _balance_corrected(game: Game, event: BalanceCorrected) -> Game:
    """Move the difference between the account and the bank."""
    gain = event.now - event.was
    payer, payee = (BANK, event.account) if gain > 0 else (event.account, BANK)
    transfer = Transfer(payer, payee, abs(gain), Reason.CORRECTION)
    return _after_transfer(game, transfer)


def _play_begun(game: Game, event: PlayBegun) -> Game:
    """Begin guided play under the event's rules, all tokens on GO."""
    board = Board(event.rules)
    play = first_position(board, event.seats)
    play = with_first_notes(play, board, game.ledger[VAULT])
    begun = _begun(game, event)
    return replace(begun, board=board, play=play, is_guided=True, left=())


def _box_read(game: Game, event: BoxRead) -> Game:
    """Put a value that somebody read off the real box into the rules."""
    assert game.board is not None, "a box is read into a rulebook"
    board = game.board.with_reading(
        event.key, event.value, is_likely=event.is_likely, seat=event.seat
    )
    return replace(game, board=board)


def _play_rested(game: Game, event: PlayRested) -> Game:
    """Go on by hand, and keep the position."""
    return replace(game, is_guided=False)


def _play_resumed(game: Game, event: PlayResumed) -> Game:
    """Let the companion lead again; newcomers start on GO."""
    assert game.play is not None, f"guided play has not begun: {event}"
    assert game.board is not None, f"guided play has not begun: {event}"
    play = with_newcomers(game.play, game.board, event.joined)
    return replace(game, play=play, is_guided=True)


def _fail(game: Game, event: GameEvent) -> Game:
    """Fail: the journal applies undo and redo; only ``new_game`` opens a game."""
    raise AssertionError(f"{type(event).__name__} is not for Game.after")


def _unchanged(game: Game, _: GameEvent) -> Game:
    """Return *game*: the journal keeps the requests for an undo."""
    return game


Applied = TypeVar("Applied", bound=Event)
_After = Callable[[Game, GameEvent], Game]
"""A function that applies an event to a game; pure, and it never refuses."""


def _row(
    kind: type[Applied], apply: Callable[[Game, Applied], Game]
) -> tuple[type[Event], _After]:
    """Build a row of ``_AFTER``, of one type for all its functions."""
    return kind, cast("_After", apply)


def _for_game(apply: Apply) -> _After:
    """Turn a function that changes a position into one that changes a game."""

    def after(game: Game, event: GameEvent) -> Game:
        play, board = game.play, game.board
        assert play is not None, f"guided play has not begun: {event}"
        assert board is not None, f"guided play has not begun: {event}"
        return replace(game, play=apply(play, board, event))

    return after


_take_out_of_play = _for_game(PLAY_AFTER[SeatBankrupted])


def _seat_bankrupted(game: Game, event: SeatBankrupted) -> Game:
    """Take a seat out of play, and record whether it left or went bankrupt."""
    left = (*game.left, event.seat) if event.has_resigned else game.left
    return replace(_take_out_of_play(game, event), left=left)


_AFTER: dict[type[Event], _After] = {
    kind: _for_game(apply) for kind, apply in PLAY_AFTER.items()
} | dict(
    (
        _row(PlayBegun, _play_begun),
        _row(PlayRested, _play_rested),
        _row(PlayResumed, _play_resumed),
        _row(BoxRead, _box_read),
        _row(SeatBankrupted, _seat_bankrupted),
        _row(GameOpened, _fail),
        _row(BankingBegun, _begun),
        _row(SeatAdded, _seat_added),
        _row(SeatRenamed, _seat_renamed),
        _row(SeatRemoved, _seat_removed),
        _row(BankerChanged, lambda game, event: replace(game, banker=event.banker)),
        _row(TableLocked, lambda game, _: replace(game, is_locked=True)),
        _row(TableUnlocked, lambda game, _: replace(game, is_locked=False)),
        _row(MoneyMoved, _money_moved),
        _row(MoneyAsked, _money_asked),
        _row(AskAnswered, _ask_answered),
        _row(BalanceCorrected, _balance_corrected),
        _row(Undone, _fail),
        _row(Redone, _fail),
        _row(UndoAsked, _unchanged),
        _row(UndoAllowed, _unchanged),
        _row(UndoDeclined, _unchanged),
        _row(GameClosed, lambda game, _: replace(game, is_closed=True)),
        _row(GameReopened, lambda game, _: replace(game, is_closed=False)),
        _row(GameContinued, _unchanged),
    )
)
"""Kind of event -> the function that applies it; most change only the position."""
