"""Packing a game away at any moment, and setting it up again.

The *plan* says where each token stands, what each seat has, and what stands on each
street. A *step* is one thing to pack or to lay out, named by an id such as
``money-red`` so that it can be ticked off. Some tables play without *papers*, which are
notes, deeds and cards: there the companion alone keeps what everybody has. What it
keeps is no step of packing; setting up tells it. Nothing here changes the game.

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
from companion.game.notes import Notes, worth_of
from companion.game.playing_tickets import tickets_left
from companion.game.position import LOCKED, Position
from companion.game.stage import Stage
from companion.units import VAULT, Account, Dollars


class SeatPlan(msgspec.Struct, frozen=True):
    """What one seat packs.

    Attributes:
        space: The board number that its location clip marks.
        space_name: The name printed there.
        is_jailed: Whether it is in jail, not just visiting.
        tries: Its failed rolls to leave jail.
        notes: Its money in the largest possible notes.
        rest: The dollars that no note can pay; 0 unless the smallest note is above 1.
        deeds: The names of its deeds, in board order.
        mortgaged: The names of its mortgaged deeds, which lie face down.
        cards: The ids of the cards in its hand.
        hotels: Hotels in hand.
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
    """The number of buildings of each kind on one street."""

    space: int
    name: str
    buildings: tuple[tuple[str, int], ...]


class Owed(msgspec.Struct, frozen=True):
    """Something still open between two accounts, which cannot be packed.

    Attributes:
        kind: ``debt``; ``rent`` that can still be asked for; ``ask`` for a request for
            money; or ``offer`` for a trade, which ends with the next roll.
        who: The account that is to pay, or the seat that made the offer.
        whom: The account that is to be paid, or the seat that has to answer.
        amount: In dollars; ``None`` if a figure is unknown, or for an offer.
        deed: The name of the deed, for a rent.
    """

    kind: str
    who: str
    whom: str
    amount: Dollars | None = None
    deed: str = ""


class PausePlan(msgspec.Struct, frozen=True):
    """A whole table, ready to be packed.

    Attributes:
        has_clips: Whether clips hold everything on the board; if not, it is cleared.
        turn: The seat with the dice.
        vault: The contents of the vault, in words; empty if there is no vault.
        bonus: The effect of a third die that is still to come; mostly empty.
        tickets_left: The bus tickets that can still be drawn; ``None`` if the edition
            has none.
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
    """Return *amount* in as few notes as possible, the largest first.

    A remainder too small for any note is left out.
    """
    counts: list[tuple[int, int]] = []
    for note in sorted(denominations, reverse=True):
        count, amount = divmod(amount, note)
        if count:
            counts.append((note, count))
    return tuple(counts)


def exchange(held: Mapping[int, int], target: Notes) -> tuple[Notes, Notes]:
    """Return the notes to give to the bank, and those to take, to have *target*.

    *held* (value -> number) is worth as much as *target*. The largest notes come first.
    """
    needed = dict(target)
    values = sorted({*held, *needed}, reverse=True)
    give: list[tuple[int, int]] = []
    take: list[tuple[int, int]] = []
    for value in values:
        surplus = held.get(value, 0) - needed.get(value, 0)
        if surplus > 0:
            give.append((value, surplus))
        elif surplus < 0:
            take.append((value, -surplus))
    return tuple(give), tuple(take)


def pause_plan(game: Game) -> PausePlan:
    """Return the plan for packing *game*.

    Raises:
        ValueError: If the companion never led the game, so that it has no position.
    """
    play, board = game.play, game.board
    if play is None or board is None:
        raise ValueError("expected a guided game, got one played by hand")
    streets = []
    for index, deed in enumerate(board.rules.deeds):
        counts = zip(board.kinds, board.used[index][play.levels[index]], strict=True)
        standing = tuple((kind, count) for kind, count in counts if count)
        if standing:
            streets.append(StreetPlan(deed.space, deed.name, standing))
    return PausePlan(
        seats=tuple(_seat_plan(game, seat) for seat in play.playing()),
        streets=tuple(streets),
        has_clips=board.rules.has_clips,
        turn=play.mover.seat,
        stage=play.stage,
        vault=_vault_text(game),
        owed=_open_amounts(game, play, board),
        bonus=play.bonus,
        tickets_left=None if board.tickets is None else tickets_left(play, board),
    )


def _open_amounts(game: Game, play: Position, board: Board) -> tuple[Owed, ...]:
    """List the debts, the rents still to be asked for, the requests and offers."""
    debts = [
        Owed("debt", debt.debtor, debt.creditor, debt.amount) for debt in play.debts
    ]
    rents: dict[tuple[str, str], Owed] = {}
    for claim in play.claims:
        index = board.index[claim.deed]
        if play.owners[index] == claim.owner and not play.mortgaged[index]:
            deed = board.rules.deeds[index].name
            owed = Owed("rent", claim.mover, claim.owner, claim.amount, deed)
            rents[claim.owner, claim.mover] = owed  # An owner asks only for the latest.
    asks = [Owed("ask", ask.payer, ask.seat, ask.amount) for ask in game.asks]
    offers = [Owed("offer", offer.giver, offer.taker) for offer in play.offers]
    return (*debts, *rents.values(), *asks, *offers)


def _vault_text(game: Game) -> str:
    """Return the contents of the vault in words, without its code."""
    contents = game.play.vault_contents if game.play is not None else None
    if contents is None:
        return ""
    cash = f"${game.ledger[VAULT]:,}"
    state = "locked" if contents.lid == LOCKED else "not locked"
    counts = f"keys: {contents.keys}, hotels: {contents.hotels}"
    return f"the vault with {cash}, {counts} inside, {state}"


def _seat_plan(game: Game, seat: str) -> SeatPlan:
    play, board, state = game.play, game.board, game.seat(seat)
    assert play is not None, "asked before"
    assert board is not None, "asked before"
    token = play.token(seat)
    assert token is not None, "a seat that plays"
    cash = game.ledger[Account(seat)]
    notes = largest_notes(cash, board.rules.money.notes)
    owned = [index for index, owner in enumerate(play.owners) if owner == seat]
    deeds = board.rules.deeds
    return SeatPlan(
        seat=seat,
        name=state.name if state else seat,
        space=token.space,
        space_name=board.rules.spaces[token.space].name,
        is_jailed=token.is_jailed,
        tries=max(token.tries, 0),
        cash=cash,
        notes=notes,
        rest=cash - worth_of(notes),
        deeds=tuple(deeds[index].name for index in owned),
        mortgaged=tuple(deeds[index].name for index in owned if play.mortgaged[index]),
        cards=token.cards,
        hotels=token.hotels,
        tickets=token.tickets,
    )


def packing_steps(plan: PausePlan, has_papers: bool) -> tuple[str, ...]:
    """List the steps for clearing a table: tokens and streets first, then the hands.

    A step's id stays the same while the game does not change.
    """
    if not has_papers:
        return ()
    clips = (*_token_steps(plan), *_street_steps(plan)) if plan.has_clips else ()
    return (*clips, *_paper_steps(plan))


def setup_steps(plan: PausePlan, has_papers: bool) -> tuple[str, ...]:
    """List the steps for laying a table: streets, tokens, hands, and how it goes on."""
    papers = _paper_steps(plan) if has_papers else ()
    owed = (f"owed-{number}" for number, _ in enumerate(plan.owed))
    return (*_street_steps(plan), *_token_steps(plan), *papers, *owed, "turn")


def _token_steps(plan: PausePlan) -> Iterator[str]:
    return (f"place-{seat.seat}" for seat in plan.seats)


def _street_steps(plan: PausePlan) -> Iterator[str]:
    return (f"street-{street.space}" for street in plan.streets)


def _paper_steps(plan: PausePlan) -> Iterator[str]:
    """List the steps about papers, and about what lies with them."""
    for seat in plan.seats:
        if seat.cash:
            yield f"money-{seat.seat}"
        for kind in ("deeds", "cards", "hotels", "tickets"):
            if getattr(seat, kind):
                yield f"{kind}-{seat.seat}"
    if plan.vault:
        yield "vault"
    if plan.tickets_left is not None:
        yield "deck"
