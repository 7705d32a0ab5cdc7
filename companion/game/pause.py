"""Packing a game away at any moment, and setting it up again.

The plan says where each token stands, whose clip holds which notes, deeds and
cards, and what stands on each street. Its steps can be ticked off one by one, in one
order for packing and in another for setting up. Nothing here changes the game, which
stays in the journal as it is.

Source:
    Grab & Go's sheet, "What's different", "Storage" and its tip: house and hotel
    clips stay on the board, the location clip marks the mover's space, money,
    deeds and cards go into the money clip, in the largest possible bills.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from companion.game import Game
from companion.game.board import Board
from companion.game.notes import Notes
from companion.game.playing_tickets import tickets_left
from companion.game.position import FREE, LOCKED, Position
from companion.game.stage import Stage
from companion.units import VAULT, Account, Dollars


class SeatPlan(msgspec.Struct, frozen=True):
    """What one seat packs.

    Attributes:
        space: Board number that its location clip marks.
        space_name: As printed.
        is_jailed: Whether it is in jail, not just visiting; *tries* rolls have failed.
        notes: Its money in the largest possible notes.
        rest: Dollars that no note can pay; 0 unless the smallest is above 1.
        deeds: Names, in board order.
        mortgaged: Which of them lie face down.
        cards: Kept cards, by id.
        hotels: Loose hotels in hand.
        tickets: Bus tickets in hand.
    """

    seat: str
    name: str
    space: int
    space_name: str
    is_jailed: bool
    tries: int
    cash: Dollars
    notes: Notes
    rest: Dollars
    deeds: tuple[str, ...]
    mortgaged: tuple[str, ...]
    cards: tuple[str, ...]
    hotels: int = 0
    tickets: int = 0


class StreetPlan(msgspec.Struct, frozen=True):
    """What stands on one street: how many of each kind of building."""

    space: int
    name: str
    buildings: tuple[tuple[str, int], ...]


class Owed(msgspec.Struct, frozen=True):
    """What is still open between two accounts; no step packs it away.

    Attributes:
        kind: ``debt``, ``rent`` that can still be asked for, ``ask`` for a request for
            money, or ``offer`` for a trade, which ends with the next roll.
        who: The account that pays, or the seat that offered.
        whom: The account that gets it, or the seat that has not answered.
        amount: How much; ``None`` if a figure is unknown, or for an offer.
        deed: The name of the deed whose rent it is.
    """

    kind: str
    who: str
    whom: str
    amount: Dollars | None = None
    deed: str = ""


class PausePlan(msgspec.Struct, frozen=True):
    """A whole table, ready to be packed.

    Attributes:
        has_clips: Whether clips hold everything on the board; otherwise write it down.
        turn: Whose dice it is.
        stage: What the table waits for.
        vault: What lies in the vault, in words; empty without one.
        owed: Who owes whom, and what else is still open between two of them.
        bonus: What a third die still brings after that; mostly empty.
        tickets_left: Bus tickets that can still be drawn, for used ones are out of the
            game; ``None`` in a box without.
    """

    seats: tuple[SeatPlan, ...]
    streets: tuple[StreetPlan, ...]
    has_clips: bool
    turn: str
    stage: Stage
    vault: str = ""
    owed: tuple[Owed, ...] = ()
    bonus: str = ""
    tickets_left: int | None = None


def largest_notes(amount: Dollars, denominations: tuple[int, ...]) -> Notes:
    """*amount* in as few notes as there can be, the largest first.

    A remainder too small for any note is left out.
    """
    counts: list[tuple[int, int]] = []
    for note in sorted(denominations, reverse=True):
        count, amount = divmod(amount, note)
        if count:
            counts.append((note, count))
    return tuple(counts)


def exchange(held: Mapping[int, int], wanted: Notes) -> tuple[Notes, Notes]:
    """What to give the bank and what to take for it, to have *wanted* in the end.

    Args:
        held: The notes in hand now: value to how many, worth as much as *wanted*.
        wanted: The notes to pack.

    Returns:
        Notes to give and notes to take, the largest first; worth the same.
    """
    target = dict(wanted)
    values = sorted({*held, *target}, reverse=True)
    more = [(value, held.get(value, 0) - target.get(value, 0)) for value in values]
    give = tuple((value, count) for value, count in more if count > 0)
    take = tuple((value, -count) for value, count in more if count < 0)
    return give, take


def pause_plan(game: Game) -> PausePlan:
    """What to pack of *game*: where its tokens stand, and who has what.

    Raises:
        ValueError: If the companion never led it, and so knows no positions.
    """
    play, board = game.play, game.board
    if play is None or board is None:
        raise ValueError("expected a guided game, got one played by hand")
    streets = []
    for at, deed in enumerate(board.rules.deeds):
        counts = zip(board.kinds, board.used[at][play.levels[at]], strict=True)
        standing = tuple((kind, count) for kind, count in counts if count)
        if standing:
            streets.append(StreetPlan(deed.space, deed.name, standing))
    return PausePlan(
        seats=tuple(_seat(game, seat) for seat in play.playing()),
        streets=tuple(streets),
        has_clips=board.rules.has_clips,
        turn=play.mover.seat,
        stage=play.stage,
        vault=_vault(game),
        owed=_owed(game, play, board),
        bonus=play.bonus,
        tickets_left=None if board.tickets is None else tickets_left(play, board),
    )


def _owed(game: Game, play: Position, board: Board) -> tuple[Owed, ...]:
    debts = [Owed("debt", one.debtor, one.creditor, one.amount) for one in play.debts]
    rents: dict[tuple[str, str], Owed] = {}
    for claim in play.claims:
        at = board.index[claim.deed]
        if play.owners[at] == claim.owner and not play.mortgaged[at]:
            deed = board.rules.deeds[at].name
            owed = Owed("rent", claim.mover, claim.owner, claim.amount, deed)
            rents[claim.owner, claim.mover] = owed  # Only the latest is asked for.
    asks = [Owed("ask", one.payer, one.seat, one.amount) for one in game.asks]
    offers = [Owed("offer", one.giver, one.taker) for one in play.offers]
    return (*debts, *rents.values(), *asks, *offers)


def _vault(game: Game) -> str:
    """What lies in the vault; its lock remembers the number by itself."""
    contents = game.play.vault_contents if game.play is not None else None
    if contents is None:
        return ""
    cash = f"${game.ledger[VAULT]:,}"
    state = "locked" if contents.lid == LOCKED else "not locked"
    counts = f"keys: {contents.keys}, hotels: {contents.hotels}"
    return f"the vault with {cash}, {counts} inside, {state}"


def _seat(game: Game, seat: str) -> SeatPlan:
    play, board, state = game.play, game.board, game.seat(seat)
    assert play is not None, "asked before"
    assert board is not None, "asked before"
    token = play.token(seat)
    assert token is not None, "a seat that plays"
    cash = game.ledger[Account(seat)]
    notes = largest_notes(cash, board.rules.money.notes)
    mine = [at for at, owner in enumerate(play.owners) if owner == seat]
    deeds = board.rules.deeds
    return SeatPlan(
        seat=seat,
        name=state.name if state else seat,
        space=token.space,
        space_name=board.rules.spaces[token.space].name,
        is_jailed=token.tries != FREE,
        tries=max(token.tries, 0),
        cash=cash,
        notes=notes,
        rest=cash - sum(value * count for value, count in notes),
        deeds=tuple(deeds[at].name for at in mine),
        mortgaged=tuple(deeds[at].name for at in mine if play.mortgaged[at]),
        cards=token.cards,
        hotels=token.hotels,
        tickets=token.tickets,
    )


def packing_steps(plan: PausePlan) -> tuple[str, ...]:
    """Steps in the order in which a table is cleared: marks first, then the clips.

    Each is an id to tick off, which stays the same while nothing changes.
    """
    return (*_places(plan), *_streets(plan), *_rest(plan))


def setup_steps(plan: PausePlan) -> tuple[str, ...]:
    """Steps in the order in which a table is laid: streets, tokens, then each hand."""
    return (*_streets(plan), *_places(plan), *_rest(plan))


def _places(plan: PausePlan) -> Iterator[str]:
    return (f"place-{seat.seat}" for seat in plan.seats)


def _streets(plan: PausePlan) -> Iterator[str]:
    return (f"street-{street.space}" for street in plan.streets)


def _rest(plan: PausePlan) -> Iterator[str]:
    """What each seat has in hand, what nobody has, what is still open, and the turn."""
    for seat in plan.seats:
        yield f"money-{seat.seat}"
        for kind in ("deeds", "cards", "hotels", "tickets"):
            if getattr(seat, kind):
                yield f"{kind}-{seat.seat}"
    if plan.vault:
        yield "vault"
    if plan.tickets_left is not None:
        yield "deck"
    yield from (f"owed-{number}" for number, _ in enumerate(plan.owed))
    yield "turn"
