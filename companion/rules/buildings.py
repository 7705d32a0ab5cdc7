"""Building and selling buildings, evenly, while the bank has pieces for it.

Source:
    Grab & Go's sheet, "Building houses", "Building hotels", "Running out of
    buildings", "Selling property", "A quicker game" 2; the standard rules in the
    Mega booklet, "Houses", "Hotels", "Building shortages", "Selling properties",
    "Mortgages"; the Mega booklet, "New properties & skyscrapers", "Railroads": a depot
    stands on one railroad, whoever owns the others; nobody else builds before the move
    by the third die is done.
    That a hotel can be sold down to the bare site at once, whatever stands
    beside it, is the first reading of "Selling hotels"; so can a skyscraper, since the
    bank may have no hotel for it. That another's mortgage in the group is in nobody's
    way is a reading. The Secret Vault article,
    "Hotels", "Color Set": hotels are placed from the hand. That they may be taken
    back into it is a reading, and that they must be before the street is mortgaged.
"""

from __future__ import annotations

from collections.abc import Iterator

from companion.errors import Why
from companion.game import deed_events as d
from companion.game.board import Board
from companion.game.ledger import Reason
from companion.game.move_run import MoveRun
from companion.game.moves import Build, Unbuild, WantBuilding
from companion.game.owning import builds_early
from companion.game.position import BUILD, MR, Payment, Position
from companion.game.rulebook import HOTEL, RAILROAD, SKYSCRAPER
from companion.rules.auction import auction_shortage, piece_on_top, wanted_kind
from companion.rules.deeds import check_owned, owned
from companion.rules.walking import settle
from companion.units import BANK, DeedId, Dollars, Seat


def check_build(run: MoveRun, move: Build | WantBuilding) -> Why | None:
    """Check group, mortgages and evenness, and that a piece and the money are there."""
    if is_held_up(run, move.by):
        return Why.WRONG_STAGE
    wrong = check_owned(run, move.by, move.deed)
    if wrong is not None:
        return wrong
    board, play = run.board, run.play
    at = board.index[move.deed]
    deed, level = board.rules.deeds[at], play.levels[at]
    if not deed.ladder:
        return Why.LIMIT_REACHED
    wrong = _check_group(board, play, at, level)
    if wrong is not None:
        return wrong
    if level >= len(deed.ladder):
        return Why.LIMIT_REACHED
    if board.rules.buildings.source == "hand":
        return None if run.play.token_of(move.by).hotels else Why.NO_HOTEL
    if not _has_piece(run, move, deed.ladder[level]):
        return Why.NONE_LEFT
    cost = deed.costs[level]
    if cost is None:
        return Why.UNKNOWN_FIGURE
    return Why.CANNOT_AFFORD if run.cash(move.by) < cost else None


def _check_group(board: Board, play: Position, at: int, level: int) -> Why | None:
    """Check the group in one pass; this runs for every street of every seat."""
    rules, owner = board.rules, play.owners[at]
    lacking, lowest = 0, level
    for i in board.sites[at]:
        if play.owners[i] != owner:
            lacking += 1
        elif rules.buildings.blocked_by_mortgage and play.mortgaged[i]:
            return Why.MORTGAGED
        elif play.levels[i] < lowest:
            lowest = play.levels[i]
    if lacking > spare(board, at, level + 1):
        return Why.INCOMPLETE_GROUP
    return Why.UNEVEN if rules.buildings.evenly and level > lowest else None


def spare(board: Board, at: int, level: int) -> int:
    """How many streets of its group one may lack to build up to *level* there."""
    rules, ladder = board.rules.buildings, board.rules.deeds[at].ladder
    is_skyscraper = ladder[level - 1 : level] == (SKYSCRAPER,)
    if is_skyscraper and rules.skyscraper_when == "full-group-of-hotels":
        return 0
    return 1 if builds_early(board) else 0


def is_held_up(run: MoveRun, seat: str) -> bool:
    """Whether a seat waits for another's move by the third die before it builds."""
    return run.play.bonus == MR and run.play.mover.seat != seat


def _has_piece(run: MoveRun, move: Build | WantBuilding, kind: str) -> bool:
    """Whether the bank has a building of that kind that nobody else has claimed."""
    play = run.play
    left = play.pieces[run.board.kinds.index(kind)]
    if isinstance(move, Build) and play.wants:
        left -= sum(
            want.seat != move.by and wanted_kind(run, want.deed) == kind
            for want in play.wants
        )
    return left > 0


def build(run: MoveRun, move: Build) -> None:
    """Build the next step of the deed's ladder; a hotel sends its houses back."""
    board, play = run.board, run.play
    at = board.index[move.deed]
    deed, level = board.rules.deeds[at], play.levels[at]
    payment = Payment(
        Seat(move.by), BANK, deed.costs[level] or 0, Reason.PURCHASE, BUILD, deed.id
    )
    if not run.lays(payment):
        take_built(run, payment)


def take_built(run: MoveRun, payment: Payment) -> None:
    """Build what was paid for."""
    at = run.board.index[payment.of]
    level = run.play.levels[at] + 1
    hotels = level if run.board.rules.buildings.source == "hand" else 0
    run.add(
        d.BuildingBought(
            seat=payment.payer,
            deed=DeedId(payment.of),
            level=level,
            hotels=hotels,
            piece=piece_on_top(run.board, at, level),
        ),
    )
    run.pay(payment.payer, BANK, payment.amount, Reason.PURCHASE)


def _promising(run: MoveRun, seat: str) -> Iterator[str]:
    """The seat's streets that look as if they could be built on, group by group.

    This is only a quick filter; ``check_build`` decides on each of them again.
    """
    rules, play, cash = run.board.rules, run.play, run.cash(seat)
    most = 1 if builds_early(run.board) else 0
    owners = play.owners
    for members in dict.fromkeys(run.board.sites):
        if owners[members[0]] != seat and not most:
            continue
        mine = [at for at in members if owners[at] == seat]
        if not mine or len(members) - len(mine) > most:
            continue
        lowest = min([play.levels[at] for at in mine])
        for at in mine:
            level, costs = play.levels[at], rules.deeds[at].costs
            if level < len(costs) and (level == lowest or not rules.buildings.evenly):
                cost = costs[level]
                if cost is not None and cost <= cash:
                    yield rules.deeds[at].id


def build_choices(run: MoveRun, seat: str) -> Iterator[Build]:
    """Offer the seat's streets that look as if they could be built on."""
    for deed in _promising(run, seat):
        yield Build(by=seat, deed=deed)


def check_want(run: MoveRun, move: WantBuilding) -> Why | None:
    """Check that it could be built, and is not claimed for that deed yet."""
    wrong = check_build(run, move)
    if wrong in (None, Why.NO_HOTEL) and run.board.rules.buildings.source == "hand":
        return Why.NONE_LEFT  # The bank sells none.
    if wrong is not None:
        return wrong
    is_claimed = any(want.deed == move.deed for want in run.play.wants)
    return Why.LIMIT_REACHED if is_claimed else None


def want(run: MoveRun, move: WantBuilding) -> None:
    """Claim a building; when several seats claim more than there are, they bid."""
    deed = run.board.rules.deeds[run.board.index[move.deed]].id
    run.add(d.BuildingWanted(seat=Seat(move.by), deed=deed))
    auction_shortage(run, wanted_kind(run, deed))


def want_choices(run: MoveRun, seat: str) -> Iterator[WantBuilding]:
    """Offer the same streets as for building."""
    for deed in _promising(run, seat):
        yield WantBuilding(by=seat, deed=deed)


def _is_hotel(board: Board, at: int, level: int) -> bool:
    """Whether a building stands there that took the place of all before it."""
    return level > 0 and board.rules.deeds[at].ladder[level - 1] in (HOTEL, SKYSCRAPER)


def level_after(board: Board, play: Position, at: int, *, is_all: bool) -> int:
    """The level left after a sale; a hotel of the quick game leaves nothing."""
    level = play.levels[at]
    is_whole = (
        _is_hotel(board, at, level) and board.rules.buildings.hotel_sale == "half-only"
    )
    return 0 if is_all or is_whole else level - 1


def sale_value(board: Board, play: Position, at: int, down_to: int) -> Dollars:
    """What the bank pays for all above level *down_to*; an unknown cost counts 0."""
    rules, level = board.rules, play.levels[at]
    costs = rules.deeds[at].costs[down_to:level]
    if rules.deeds[at].kind == RAILROAD and rules.buildings.depot_sale is not None:
        return rules.buildings.depot_sale * len(costs)
    if _is_hotel(board, at, level) and rules.buildings.hotel_sale == "half-only":
        costs = costs[-1:]
    percent = rules.buildings.sale_percent or 0
    spare = 99 if rules.buildings.sale_rounding == "up" else 0
    return sum(((cost or 0) * percent + spare) // 100 for cost in costs)


def is_sale_known(board: Board, play: Position, at: int, down_to: int) -> bool:
    """Whether what the bank pays for all above level *down_to* is known."""
    if not board.rules.buildings.sale_percent:
        return True
    return None not in board.rules.deeds[at].costs[down_to : play.levels[at]]


def check_unbuild(run: MoveRun, move: Unbuild) -> Why | None:
    """Check that the group stays even, and that the bank has houses for a hotel's."""
    wrong = check_owned(run, move.by, move.deed)
    if wrong is not None:
        return wrong
    board, play = run.board, run.play
    at = board.index[move.deed]
    level = play.levels[at]
    owners, members = play.owners, board.sites[at]
    others = [play.levels[i] for i in members if i != at and owners[i] == move.by]
    highest = max(others, default=0)
    if not level:
        is_uneven = board.rules.buildings.evenly and highest
        return Why.UNEVEN if is_uneven else Why.LIMIT_REACHED
    after = level_after(board, play, at, is_all=move.is_all)
    if board.rules.buildings.evenly and not _is_even(board, play, at, highest, after):
        return Why.UNEVEN
    change = zip(board.used[at][level], board.used[at][after], strict=True)
    for left, (old, new) in zip(play.pieces, change, strict=True):
        if left + old - new < 0:
            return Why.NONE_LEFT
    return None if is_sale_known(board, play, at, after) else Why.UNKNOWN_FIGURE


def _is_even(board: Board, play: Position, at: int, highest: int, after: int) -> bool:
    """Whether the group stays even after the sale; a whole hotel may always go."""
    level = play.levels[at]
    if _is_hotel(board, at, level) and after == 0:
        return True
    if after == level - 1:
        return level >= highest
    return highest <= after + 1


def unbuild(run: MoveRun, move: Unbuild) -> None:
    """Sell to the bank at half price."""
    board, play = run.board, run.play
    at = board.index[move.deed]
    after = level_after(board, play, at, is_all=move.is_all)
    value = sale_value(board, play, at, after)
    deed = board.rules.deeds[at].id
    hotels = after if board.rules.buildings.source == "hand" else 0
    run.add(
        d.BuildingSold(
            seat=Seat(move.by),
            deed=deed,
            level=after,
            is_all=move.is_all,
            hotels=hotels,
        )
    )
    run.earn(move.by, value, Reason.SALE)
    settle(run)


def unbuild_choices(run: MoveRun, seat: str) -> Iterator[Unbuild]:
    """Offer to sell one step or everything on each built street of the seat."""
    for at in owned(run, seat):
        if run.play.levels[at]:
            deed = run.board.rules.deeds[at].id
            yield Unbuild(by=seat, deed=deed)
            yield Unbuild(by=seat, deed=deed, is_all=True)
