"""How fast guided play is: whole games, single moves, replay, legality.

Run: ``python -m benchmarks.engine [NAME ...] [--samples N]``
This is the pure engine in one thread; the books are checked after each move. Times are
those of the processor, so that other work on the machine counts less.
"""

from __future__ import annotations

import argparse
import gc
import itertools
import json
import random
import time
from collections.abc import Callable, Iterator

from benchmarks.core import Row, machine
from companion.edition import builtin
from companion.edition.snapshot import snapshot
from companion.game import Game, new_game
from companion.game import commands as c
from companion.game import events as e
from companion.game import moves as m
from companion.game.codec import events_from_json, events_to_json
from companion.game.journal import Entry, Journal
from companion.game.position import Bundle, Position
from companion.game.stage import Stage
from companion.rules import decide, legal_moves
from companion.rules.deciding import moves_by_kind, step
from companion.rules.rule import Choice, Range
from companion.units import BANK, Account, Revision, Seat, TimeMs

SEATS = ("red", "blue", "green", "orange")
MOVES_MAX = 5_000
"""A game that is not over after so many moves is cut off."""
TRADES_SHARE = 0.3
"""How often a seat first thinks of an offer for the last street of its group."""
RESERVE = 150
"""Dollars that a player keeps back when building and offering."""
BID_MAX = 60
"""A player passes once the bid has reached this many dollars."""
BID_STEP_MAX = 40
"""The most dollars by which a player bids more than it must."""


def begun(seats: int, edition: str = "classic") -> tuple[Game, list[e.GameEvent]]:
    """Return a led game of that many seats about to roll, and its events so far."""
    rules = builtin(edition)
    terms = e.Terms(edition, rules.start_money, rules.salary)
    opening = e.GameOpened(name="bench", terms=terms, banker=BANK)
    events: list[e.GameEvent] = [
        e.SeatAdded(
            seat=Seat(seat),
            name=seat,
            colour=seat,
            token=seat,
            start_money=rules.start_money,
        )
        for seat in SEATS[:seats]
    ]
    game = new_game(opening)
    for event in events:
        game = game.after(event)
    begin = m.BeginPlay(by=c.TABLE, rules=snapshot(rules))
    begun_by = decide(game, begin)
    for event in begun_by:
        game = game.after(event)
    return game, [opening, *events, *begun_by]


def position(game: Game) -> Position:
    """Return the position of a led game."""
    assert game.play is not None
    return game.play


def actors(play: Position) -> tuple[str, ...]:
    """List the seats that may have to move; those who may ask for rent come first."""
    owners = tuple(claim.owner for claim in play.claims)
    if play.debts:
        return (*owners, play.debts[0].debtor)
    if play.offers:
        return (play.offers[-1].taker,)
    if play.auction is not None:
        return (*owners, *play.auction.bidders)
    return (*owners, play.mover.seat)


Kinds = tuple[type[m.Move], ...]
Found = Iterator[tuple[type[m.Move], list[Choice]]]
Asked = Callable[[Game, str, Kinds], Found]


def one_kind_after_another(game: Game, seat: str, order: Kinds) -> Found:
    """Look for legal moves of the most wanted kind, then of the next, and so on."""
    return moves_by_kind(game, seat, order)


def all_at_once(game: Game, seat: str, order: Kinds) -> Found:
    """Do the same after listing every legal move, as a phone needs it."""
    listed = dict(moves_by_kind(game, seat))
    return ((kind, listed[kind]) for kind in order if kind in listed)


def chosen(
    dice: random.Random, game: Game, asked: Asked = one_kind_after_another
) -> m.Move:
    """Choose the move of a simple player: asks for rent, buys, builds, bids a little.

    *asked* finds the legal moves.
    """
    play = position(game)
    may_trade = not play.debts and dice.random() < TRADES_SHARE
    order: Kinds = (m.MakeOffer, *PREFERRED) if may_trade else PREFERRED
    for seat in actors(play):
        for kind, choices in asked(game, seat, order):
            if kind is m.MakeOffer:
                deal = wished_deal(game, seat)
                if deal is not None:
                    return deal
            elif _is_wise(game, seat, kind):
                return _filled(dice, seat, dice.choice(choices))
    raise AssertionError(f"nobody can move in {play.stage}")


def wished_deal(game: Game, seat: str) -> m.MakeOffer | None:
    """Offer twice the price for the one street that a seat lacks of a group."""
    play, board = position(game), game.board
    assert board is not None
    if seat not in play.owners:
        return None
    for index, deed in enumerate(board.rules.deeds):
        owner = play.owners[index]
        others = [member for member in board.members[index] if member != index]
        has_others = all(play.owners[other] == seat for other in others)
        is_built_on = any(play.levels[other] for other in others)
        is_of_another = owner not in ("", seat)
        if deed.kind == "street" and is_of_another and has_others and not is_built_on:
            cash = 2 * (deed.price or 0)
            if game.ledger[Account(seat)] >= cash + RESERVE:
                give, want = Bundle(cash=cash), Bundle(deeds=(deed.id,))
                return m.MakeOffer(by=seat, taker=owner, give=give, want=want)
    return None


PREFERRED: Kinds = (
    m.AskRent,
    m.Accept,
    m.Reject,
    m.PayDebt,
    m.Buy,
    m.Bid,
    m.PassBid,
    m.Draw,
    m.Build,
    m.Roll,
    m.PutUp,
    m.Unbuild,
    m.Mortgage,
    m.DeclareBankrupt,
)
"""The kinds of moves that a player makes, the most wanted first."""


def _is_wise(game: Game, seat: str, kind: type[m.Move]) -> bool:
    play = position(game)
    if kind is m.Build:
        return not play.debts and game.ledger[Account(seat)] > RESERVE
    if kind in (m.Unbuild, m.Mortgage):
        return bool(play.debts)
    if kind is m.Bid:
        assert play.auction is not None
        return play.auction.amount < BID_MAX
    return True


def _filled(dice: random.Random, seat: str, choice: Choice) -> m.Move:
    """Return a choice as a move, with a number from its range if it has one."""
    if not isinstance(choice, Range):
        return choice
    if choice.kind is m.Roll:
        return m.Roll(by=seat, dice=(dice.randint(1, 6), dice.randint(1, 6)))
    if choice.kind is m.Bid:
        high = min(choice.high, choice.low + BID_STEP_MAX)
        return m.Bid(by=seat, amount=dice.randint(choice.low, high))
    return m.Draw(by=seat, pick=dice.randint(choice.low, choice.high))


def play_out(
    seed: int, seats: int, asked: Asked = one_kind_after_another
) -> tuple[Game, list[m.Move], list[e.GameEvent]]:
    """Play a game to its end; return it with its moves and events."""
    dice = random.Random(seed)
    game, events = begun(seats)
    moves: list[m.Move] = []
    while position(game).base is not Stage.OVER and len(moves) < MOVES_MAX:
        move = chosen(dice, game, asked)
        run = step(game, move)
        game = run.game
        game.ledger.check()
        moves.append(move)
        events += run.events
    return game, moves, events


def games(count: int) -> Iterator[Row]:
    """Measure whole games, with the players' own choosing of moves."""
    for seats, asked in itertools.product(
        (2, 4), (one_kind_after_another, all_at_once)
    ):
        gc.collect()
        finished = moved = 0
        began = time.process_time()
        for seed in range(count):
            game, moves, _ = play_out(seed, seats, asked)
            finished += position(game).base is Stage.OVER
            moved += len(moves)
        took = time.process_time() - began
        yield {
            "what": "whole games",
            "asked": asked.__name__.replace("_", " "),
            "seats": seats,
            "games": count,
            "finished": finished,
            "games_per_s": round(count / took, 1),
            "moves_per_s": round(moved / took),
            "moves_per_game": round(moved / count),
        }


def commands(count: int) -> Iterator[Row]:
    """Measure recorded moves, decided and applied in one step and in two."""
    recorded = [play_out(seed, 4)[1] for seed in range(count)]
    start, _ = begun(4)
    ways = {
        "decided and applied": _apply_at_once,
        "decided, then applied event by event": _apply_again,
    }
    for what, apply in ways.items():
        gc.collect()
        rates = []
        for _ in range(5):
            began = time.process_time()
            for moves in recorded:
                apply(start, moves)
            took = time.process_time() - began
            rates.append(sum(map(len, recorded)) / took)
        yield {
            "what": what,
            "moves": sum(map(len, recorded)),
            "commands_per_s": round(sorted(rates)[2]),
            "best": round(max(rates)),
        }


def _apply_at_once(game: Game, moves: list[m.Move]) -> Game:
    for move in moves:
        game = step(game, move).game
        game.ledger.check()
    return game


def _apply_again(game: Game, moves: list[m.Move]) -> Game:
    """Decide each move, which applies it, and apply its events as the journal does."""
    for move in moves:
        for event in decide(game, move):
            game = game.after(event)
        game.ledger.check()
    return game


def replay(count: int) -> Iterator[Row]:
    """Measure applying 5,000 events of a long evening, and reading them from JSON."""
    events: list[e.GameEvent] = []
    for seed in itertools.count():
        _, _, played = play_out(seed, 4)
        if len(played) > len(events):
            events = played
        if len(events) >= 5_000 or seed > 200:
            break
    events = events[:5_000]
    texts = [events_to_json((event,)) for event in events]
    timings: dict[str, list[float]] = {"folded": [], "from JSON, as a journal": []}
    for _ in range(count):
        began = time.process_time()
        game = new_game(events[0])  # type: ignore[arg-type]
        for event in events[1:]:
            game = game.after(event)
        timings["folded"].append(time.process_time() - began)
        began = time.process_time()
        journal = Journal(lambda _: ())
        for number, text in enumerate(texts, 1):
            read = events_from_json(text)
            entry = Entry(Revision(number), str(number), "red", TimeMs(0), read)
            journal.append(entry)
        timings["from JSON, as a journal"].append(time.process_time() - began)
        assert journal.game is not None
        assert journal.game.ledger == game.ledger
        assert journal.game.play == game.play
    for what, took in timings.items():
        yield {
            "what": f"replay {what}",
            "events": len(events),
            "median_ms": round(sorted(took)[len(took) // 2] * 1_000, 1),
        }


def legality(count: int) -> Iterator[Row]:
    """Measure ``legal_moves`` of a seat that owns more and more whole groups."""
    game, _ = begun(2)
    assert game.board is not None
    deeds = [deed.id for deed in game.board.rules.deeds]
    for owned in (0, 7, 14, 28):
        lines = ("red", "owns", *deeds[:owned])
        correction = m.CorrectPosition(by=c.TABLE, words=lines, is_given=True)
        owning = step(game, correction).game if owned else game
        listed = len(legal_moves(owning, "red"))
        began = time.process_time()
        for _ in range(count):
            legal_moves(owning, "red")
        took = time.process_time() - began
        yield {
            "what": "legal moves of a seat",
            "deeds": owned,
            "listed": listed,
            "median_us": round(took / count * 1e6, 1),
        }


RUNS: dict[str, tuple[Callable[[int], Iterator[Row]], int]] = {
    "games": (games, 100),
    "commands": (commands, 20),
    "replay": (replay, 9),
    "legality": (legality, 2_000),
}


def main() -> None:
    """Run the named measurements, or all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", choices=[[], *RUNS])
    parser.add_argument("--samples", type=int, help="in place of each one's own")
    chosen = parser.parse_args()
    for name in chosen.names or RUNS:
        measure, count = RUNS[name]
        for row in measure(chosen.samples or count):
            print(json.dumps({**row, **machine()}), flush=True)


if __name__ == "__main__":
    main()
