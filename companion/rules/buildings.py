"""Building and selling buildings, evenly, while the bank has some left.

*Pieces* are the buildings that the bank has left, and *sites* the indexes of the deeds
that are built up together. In one box seats build hotels *from the hand*: they get them
out of the vault, and the bank sells none. A seat may *claim* (want) one of the bank's
last buildings; if too few are left, the seats bid for them.

Source:
    Grab & Go's sheet, "Building houses", "Building hotels", "Running out of
    buildings", "Selling property", "A quicker game" 2; the standard rules in the
    Mega booklet, "Houses", "Hotels", "Building shortages", "Selling properties",
    "Mortgages"; the Mega booklet, "New properties & skyscrapers", "Railroads": a depot
    stands on one railroad, whoever owns the others; nobody else builds before the move
    by the third die is done.
    The Secret Vault article, "Hotels", "Color Set": hotels are placed from the hand.
    Cash Decoder's sheet, "Building Hotels", "No Hotels left?", "Help! I can't pay!";
    the Crooked Cash article, "Hotels", "Selling".
    Our readings: a hotel can be sold down to the bare site at once, whatever stands
    beside it (the first reading of "Selling hotels"), and so can a skyscraper, since
    the bank may have no hotel for it; a mortgage of another seat in the group does not
    matter; hotels may be taken back into the hand, and must be before the street is
    mortgaged.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from companion.errors import Refused, Why
from companion.game import deed_events as d
from companion.game import how
from companion.game.board import Board
from companion.game.ledger import Reason
from companion.game.move_run import MoveRun
from companion.game.moves import Build, Unbuild, WantBuilding
from companion.game.owning import builds_early, comes_from_hand
from companion.game.position import BUILD, Payment, Position
from companion.game.rulebook import HOTEL, HOUSE, RAILROAD, SKYSCRAPER
from companion.game.stage import FOR_SALE, Stage
from companion.rules.auction import (
    LAST_BUILDING_RULE,
    auction_shortage,
    claimed_by_others,
    is_building_auction,
    no_sale_while_bidding,
    piece_on_top,
    wanted_kind,
)
from companion.rules.deeds import (
    built_in_group,
    buys_streets,
    check_owes_nothing,
    check_owned,
    check_sale_time,
    other_way,
    owned,
    way_to,
)
from companion.rules.rule import (
    ESTATE,
    RAISING,
    Who,
    raises_now,
    rule,
    unaffordable,
    unknown_figure,
)
from companion.rules.walking import settle
from companion.sheets import BOOKLET, CROOKED, DECODER, GRAB, SECRET, STANDARD, Told
from companion.units import BANK, DeedId, Dollars, Seat
from companion.words import say
from companion.words.common import common

BUILD_RULE = Told(
    "A building costs what the deed of its street says.",
    {
        GRAB: "Building houses",
        STANDARD: "Houses",
        DECODER: "Building Hotels",
        CROOKED: "Hotels",
    },
)
BUILD_HOTEL_RULE = Told(
    "A hotel costs what the deed says, and its houses go back to the bank.",
    {GRAB: "Building hotels", STANDARD: "Hotels"},
)
UNBUILD_RULE = Told(
    "The bank takes buildings back for half of what they cost.",
    {
        GRAB: "Selling property",
        STANDARD: "Selling properties",
        DECODER: "Help! I can't pay!",
        CROOKED: "Selling",
    },
)
HOTELS_BACK_RULE = Told("You may take your hotels off a street into your hand.")
GROUP_RULE = Told(
    "You build only where the whole colour is yours.",
    {
        GRAB: "Building houses",
        STANDARD: "Houses",
        SECRET: "Color Set",
        DECODER: "Building Hotels",
        CROOKED: "Hotels",
    },
)
NEAR_GROUP_RULE = Told(
    "You may build once all of a colour but one is yours; "
    "skyscrapers need the whole colour.",
    {BOOKLET: "New properties & skyscrapers"},
)
SKYSCRAPER_RULE = Told(
    "On a whole colour with a hotel on every street you may build skyscrapers.",
    {BOOKLET: "New properties & skyscrapers"},
)
EVENLY_RULE = Told(
    "You build evenly: no street of a colour gets ahead by two.",
    {GRAB: "Building houses", STANDARD: "Houses"},
)
UNBUILD_EVENLY_RULE = Told(
    "You sell evenly too: the street with the most on it comes first.",
    {GRAB: "Selling property", STANDARD: "Selling properties"},
)
SITES_RULE = Told(
    "Buildings stand on streets only; on a railroad, where the box has depots.",
    {
        GRAB: "Building houses",
        STANDARD: "Houses",
        BOOKLET: "Railroads",
        SECRET: "Hotels",
        CROOKED: "Hotels",
    },
)
LEFT_BEHIND_RULE = Told(
    "A building that is sold leaves what stood there before it, if the bank has that.",
    {
        GRAB: "Selling property",
        STANDARD: "Selling properties",
        BOOKLET: "New properties & skyscrapers",
    },
)
BUILD_LIMIT_RULE = Told(
    "A street has room for only so many buildings.",
    {
        GRAB: "Building hotels",
        STANDARD: "Hotels",
        SECRET: "Color Set",
        DECODER: "Building Hotels",
        CROOKED: "Hotels",
    },
)
ONE_DEPOT_RULE = Told("A railroad has room for one depot.", {BOOKLET: "Railroads"})
BUILD_MORTGAGE_RULE = Told(
    "You build nothing while a street of that colour is mortgaged.",
    {GRAB: "Building houses", STANDARD: "Mortgages"},
)
HOTELS_LATER_RULE = Told("While a deed is for sale, the bank takes no hotel back.")
NONE_LEFT_RULE = Told(
    "If the bank is out of buildings, you wait until some come back.",
    {
        GRAB: "Running out of buildings",
        STANDARD: "Building shortages",
        SECRET: "Hotels",
        DECODER: "No Hotels left?",
    },
)
HOTELS_RULE = Told(
    "Hotels come only out of the vault, or from a trade.", {SECRET: "Hotels"}
)


def check_build(run: MoveRun, move: Build | WantBuilding) -> Refused | None:
    """Check the group, mortgages and evenness, the bank's pieces and the money."""
    refusal = check_owes_nothing(run, move.by) or check_site(run, move)
    if refusal is not None:
        return refusal
    board, play = run.board, run.play
    index = board.index[move.deed]
    deed, level = board.rules.deeds[index], play.levels[index]
    if refusal := _check_group(run, index, level):
        return refusal
    if level >= len(deed.ladder):
        is_railroad = deed.kind == RAILROAD
        return (ONE_DEPOT_RULE if is_railroad else BUILD_LIMIT_RULE).refuses(
            Why.LIMIT_REACHED,
            say("nothing more fits on {deed}", deed=deed.name),
            say("build somewhere else"),
        )
    if comes_from_hand(board):
        return None if run.play.token_of(move.by).hotels else _no_hotel()
    refusal = _check_pieces(run, move, deed.ladder[level])
    if refusal is not None:
        return refusal
    cost = deed.costs[level]
    if cost is None:
        return unknown_figure(board, deed.id, "cost")
    return unaffordable(run, move.by, cost)


def _check_group(run: MoveRun, index: int, level: int) -> Refused | None:
    """Check that enough of the group is owned, not mortgaged, and built evenly.

    One loop checks all three, since this runs for every street of a seat.
    """
    board, play = run.board, run.play
    rules, owner = board.rules, play.owners[index]
    lacking: list[int] = []
    lowest = index
    for site in board.sites[index]:
        if play.owners[site] != owner:
            lacking.append(site)
        elif rules.buildings.blocked_by_mortgage and play.mortgaged[site]:
            return mortgaged_in_group(board, site)
        elif play.levels[site] < play.levels[lowest]:
            lowest = site
    if len(lacking) > lacking_allowed(board, index, level + 1):
        return incomplete_group(run, index, level + 1, lacking)
    if not rules.buildings.evenly or level <= play.levels[lowest]:
        return None
    return EVENLY_RULE.refuses(
        Why.UNEVEN,
        say("{deed} comes first", deed=board.rules.deeds[lowest].name),
        say("build there, then here"),
    )


def check_site(run: MoveRun, move: Build | Unbuild | WantBuilding) -> Refused | None:
    """Check that the deed is the seat's, and is ever built on."""
    refusal = check_owned(run, move.by, move.deed)
    return refusal or no_site(run, move.by, move.deed)


def _lacks_site(run: MoveRun, move: Build | WantBuilding) -> Refused | None:
    """Check that the seat has what no money and no moment makes up for."""
    refusal = no_site(run, move.by, move.deed) or check_owned(run, move.by, move.deed)
    if refusal is not None:
        return refusal
    board, index = run.board, run.board.index[move.deed]
    level = run.play.levels[index] + 1
    sites, owners = board.sites[index], run.play.owners
    lacking = [site for site in sites if owners[site] != move.by]
    if len(lacking) > lacking_allowed(board, index, level):
        return incomplete_group(run, index, level, lacking)
    return None


def no_site(
    run: MoveRun, seat: str, deed: str, why: Why = Why.LIMIT_REACHED
) -> Refused | None:
    """Refuse to build or sell on a deed that never has buildings in this box."""
    board = run.board
    index = board.index.get(deed)
    if index is None or board.rules.deeds[index].ladder:
        return None
    is_now = raises_now(run.play, seat)
    return SITES_RULE.refuses(
        why,
        say("nothing is ever built on {deed}", deed=board.rules.deeds[index].name),
        say("choose a street") if is_now else say("play on without it"),
    )


def mortgaged_in_group(board: Board, index: int) -> Refused:
    """Refuse to build beside the mortgaged deed at *index*."""
    return BUILD_MORTGAGE_RULE.refuses(
        Why.MORTGAGED,
        say("{deed} is mortgaged", deed=board.rules.deeds[index].name),
        say("lift the mortgages of the group, then build"),
    )


def incomplete_group(
    run: MoveRun, index: int, level: int, lacking: Sequence[int]
) -> Refused:
    """Refuse to build at *index* up to *level* without the deeds at *lacking*."""
    board, owners = run.board, run.play.owners
    name = board.rules.deeds[lacking[0]].name
    if not builds_early(board):
        rule, message = GROUP_RULE, say("to build you need the whole group")
    elif lacking_allowed(board, index, level) == 0:
        rule, message = SKYSCRAPER_RULE, say("a skyscraper needs the whole group")
    else:
        rule = NEAR_GROUP_RULE
        message = say("to build you need all but one of the group")
    if len(lacking) == 1:
        if rule is SKYSCRAPER_RULE:
            message = say("for a skyscraper you need {deed} too", deed=name)
        else:
            message = say("to build you need {deed} too", deed=name)
        return rule.refuses(Why.INCOMPLETE_GROUP, message, way_to(run, lacking[0]))
    unowned = [board.rules.deeds[at] for at in lacking if not owners[at]]
    remedy = say("buy what is missing, or trade for it")
    if not unowned:
        remedy = say("trade for what is missing")
    elif any(deed.is_locked for deed in unowned):
        remedy = say("open what is missing with a key, or buy or trade for it")
    return rule.refuses(Why.INCOMPLETE_GROUP, message, remedy)


def none_left(kind: str) -> Refused:
    """Refuse a kind of building that the bank has run out of."""
    return NONE_LEFT_RULE.refuses(
        Why.NONE_LEFT,
        say("the bank is out of {pieces}", pieces=common(f"{kind}s")),
        say("wait until some come back"),
    )


def too_few(kind: str) -> Refused:
    """Refuse more buildings of a kind at once than the bank has."""
    return NONE_LEFT_RULE.refuses(
        Why.NONE_LEFT,
        say("the bank has too few {pieces} for it", pieces=common(f"{kind}s")),
        say("wait until some come back"),
    )


def _no_hotel() -> Refused:
    return HOTELS_RULE.refuses(
        Why.NO_HOTEL,
        say("you have no hotel in your hand"),
        say("open the vault for one, or trade"),
    )


def lacking_allowed(board: Board, index: int, level: int) -> int:
    """Return how many streets of the group a seat may lack to build to *level*."""
    rules, ladder = board.rules.buildings, board.rules.deeds[index].ladder
    last_step = ladder[level - 1 : level]  # Empty if there is no such step.
    is_skyscraper = last_step == (SKYSCRAPER,)
    if is_skyscraper and rules.skyscraper_when == "full-group-of-hotels":
        return 0
    return 1 if builds_early(board) else 0


def _check_pieces(
    run: MoveRun, move: Build | WantBuilding, kind: str
) -> Refused | None:
    """Check that the bank has such a building left that nobody else has claimed.

    A claim (``WantBuilding``) may compete with the claims of others.
    """
    left = run.play.pieces[run.board.kinds.index(kind)]
    if not left:
        return none_left(kind)
    if isinstance(move, WantBuilding) or left > claimed_by_others(run, move.by, kind):
        return None
    return LAST_BUILDING_RULE.refuses(
        Why.NONE_LEFT,
        say("others have asked for the last {pieces}", pieces=common(f"{kind}s")),
        say("ask for one, too"),
    )


def build(run: MoveRun, move: Build) -> None:
    """Build the next step, now or once the price on the table is handed over."""
    board, play = run.board, run.play
    index = board.index[move.deed]
    deed, level = board.rules.deeds[index], play.levels[index]
    cost = 0 if comes_from_hand(board) else deed.costs[level]
    assert cost is not None, "checked before"
    payment = Payment(
        Seat(move.by),
        BANK,
        cost,
        Reason.PURCHASE,
        BUILD,
        deed.id,
        how=how.write((_price_word(deed.ladder[: level + 1]), cost)),
    )
    if not run.lays(payment):
        take_built(run, payment)


def _price_word(ladder: Sequence[str]) -> str:
    """Return the word for the price of the last step of *ladder* (``how.py``).

    A hotel has another one where houses go back to the bank for it.
    """
    is_swap = ladder[-1] == HOTEL and HOUSE in ladder
    return "hotel-for-houses" if is_swap else ladder[-1]


def take_built(run: MoveRun, payment: Payment) -> None:
    """Put up the building that was paid for."""
    index = run.board.index[payment.of]
    level = run.play.levels[index] + 1
    run.add(
        d.BuildingBought(
            seat=payment.payer,
            deed=DeedId(payment.of),
            level=level,
            hotels=level if comes_from_hand(run.board) else 0,
            piece=piece_on_top(run.board, index, level),
        )
    )
    run.make(payment)


def _streets_worth_checking(run: MoveRun, seat: str) -> Iterator[str]:
    """Yield the seat's streets that may pass ``check_build``: a quick filter."""
    rules, play, cash = run.board.rules, run.play, run.cash(seat)
    max_lacking = 1 if builds_early(run.board) else 0
    owners = play.owners
    for sites in dict.fromkeys(run.board.sites):
        if owners[sites[0]] != seat and not max_lacking:
            continue  # The quickest answer, and the most frequent one.
        owned_sites = [index for index in sites if owners[index] == seat]
        if not owned_sites or len(sites) - len(owned_sites) > max_lacking:
            continue
        lowest = min([play.levels[index] for index in owned_sites])
        for index in owned_sites:
            level, costs = play.levels[index], rules.deeds[index].costs
            is_full = level >= len(costs)
            is_ahead = level > lowest and rules.buildings.evenly
            if is_full or is_ahead:
                continue
            cost = costs[level]
            if cost is not None and cost <= cash:
                yield rules.deeds[index].id


def build_choices(run: MoveRun, seat: str) -> Iterator[Build]:
    """Offer the seat's streets that could probably be built on."""
    for deed in _streets_worth_checking(run, seat):
        yield Build(by=seat, deed=deed)


def check_want(run: MoveRun, move: WantBuilding) -> Refused | None:
    """Check that building there is legal, and that nothing is claimed there yet."""
    refusal = check_build(run, move)
    needs_hotel_only = refusal is None or refusal.why is Why.NO_HOTEL
    if comes_from_hand(run.board) and needs_hotel_only:
        return HOTELS_RULE.refuses(
            Why.NONE_LEFT,
            say("the bank sells no hotels"),
            say("build with one from the vault"),
        )
    if refusal is not None or all(want.deed != move.deed for want in run.play.wants):
        return refusal
    waits = check_build(run, Build(by=move.by, deed=move.deed))
    return LAST_BUILDING_RULE.refuses(
        Why.LIMIT_REACHED,
        say(
            "{by} has asked for a building on {deed} already",
            by=move.by,
            deed=run.board.name_of(move.deed),
        ),
        say("build it") if waits is None else say("wait until some come back"),
    )


def claim_building(run: MoveRun, move: WantBuilding) -> None:
    """Claim a building; if several seats claim more than are left, they bid."""
    run.add(d.BuildingWanted(seat=Seat(move.by), deed=DeedId(move.deed)))
    auction_shortage(run, wanted_kind(run, move.deed))


def want_choices(run: MoveRun, seat: str) -> Iterator[WantBuilding]:
    """Offer to claim a building on each street that could probably be built on."""
    for deed in _streets_worth_checking(run, seat):
        yield WantBuilding(by=seat, deed=deed)


def is_hotel(board: Board, index: int, level: int) -> bool:
    """Return whether step *level* is a hotel or skyscraper, and replaces all before."""
    ladder = board.rules.deeds[index].ladder
    return level > 0 and ladder[level - 1] in (HOTEL, SKYSCRAPER)


def level_after(board: Board, play: Position, index: int, *, is_all: bool) -> int:
    """Return the level left after the sale of one step, or of everything.

    A hotel that is sold only as a whole, as in the quick game, leaves the bare site.
    """
    level = play.levels[index]
    if is_all or (is_hotel(board, index, level) and _sells_hotels_whole(board)):
        return 0
    return level - 1


def _sells_hotels_whole(board: Board) -> bool:
    """Return whether a hotel brings half its own price, and leaves no houses."""
    return board.rules.buildings.hotel_sale == "half-only"


def sale_value(board: Board, play: Position, index: int, down_to: int) -> Dollars:
    """Return what the bank pays for the buildings above level *down_to*, in dollars.

    An unknown cost counts as 0.
    """
    rules, costs = board.rules.buildings, _costs_sold(board, play, index, down_to)
    if _has_sale_price(board, index):
        return (rules.depot_sale or 0) * len(costs)
    percent = rules.sale_percent or 0
    # In hundredths of a dollar: 99 of them round each price up, 0 round it down.
    rounding = 99 if rules.sale_rounding == "up" else 0
    return sum(((cost or 0) * percent + rounding) // 100 for cost in costs)


def sale_steps(board: Board, play: Position, index: int, down_to: int) -> str:
    """Write how ``sale_value`` came about (``how.py``)."""
    rules, costs = board.rules.buildings, _costs_sold(board, play, index, down_to)
    if _has_sale_price(board, index):
        return how.write(("sold-depot", rules.depot_sale))
    half = ("percent", rules.sale_percent)
    terms = (
        (("sold", cost), half, *how.of(count))
        for cost, count in Counter(costs).items()
        if cost is not None
    )
    return how.add_up(terms)


def _has_sale_price(board: Board, index: int) -> bool:
    """Return whether the box prints what the bank pays for a building there."""
    is_railroad = board.rules.deeds[index].kind == RAILROAD
    return is_railroad and board.rules.buildings.depot_sale is not None


def _costs_sold(
    board: Board, play: Position, index: int, down_to: int
) -> tuple[Dollars | None, ...]:
    """Return the costs of the steps above level *down_to* that the bank pays for."""
    level = play.levels[index]
    costs = board.rules.deeds[index].costs[down_to:level]
    is_whole = is_hotel(board, index, level) and _sells_hotels_whole(board)
    return costs[-1:] if is_whole else costs


def is_sale_known(board: Board, play: Position, index: int, down_to: int) -> bool:
    """Return whether all costs of these levels are known, if a sale brings money."""
    if not board.rules.buildings.sale_percent:
        return True
    return None not in board.rules.deeds[index].costs[down_to : play.levels[index]]


def check_unbuild(run: MoveRun, move: Unbuild) -> Refused | None:
    """Check that the group stays even, and that the bank has houses for a hotel."""
    refusal = check_sale_of_buildings(run) or check_built(run, move)
    if refusal is not None:
        return refusal
    board, play = run.board, run.play
    index = board.index[move.deed]
    level = play.levels[index]
    after = level_after(board, play, index, is_all=move.is_all)
    own = [site for site in board.sites[index] if play.owners[site] == move.by]
    own_others = [site for site in own if site != index]
    tallest = max(own_others, key=lambda site: play.levels[site], default=index)
    highest = play.levels[tallest] if own_others else 0
    stays_even = _is_even(board, play, index, highest, after)
    if board.rules.buildings.evenly and not stays_even:
        return _sold_too_early(run, tallest, is_higher=highest > level)
    if refusal := _check_pieces_left_behind(board, play, index, after):
        return refusal
    if not is_sale_known(board, play, index, after):
        return unknown_figure(board, move.deed, "cost")
    return None


def check_built(run: MoveRun, move: Unbuild) -> Refused | None:
    """Check that the deed is the seat's, and that something stands on it."""
    if refusal := check_site(run, move):
        return refusal
    board, index = run.board, run.board.index[move.deed]
    if run.play.levels[index]:
        return None
    is_built_beside = built_in_group(run, move.by, index) is not None
    is_uneven = board.rules.buildings.evenly and is_built_beside
    if is_uneven:
        rule = UNBUILD_EVENLY_RULE
    else:
        rule = HOTELS_BACK_RULE if comes_from_hand(board) else UNBUILD_RULE
    remedy: str = say("play on without it")
    if sells_now(run, move.by):
        remedy = say("choose where something stands")
        if not any(run.play.levels[site] for site in owned(run, move.by)):
            remedy = other_way(run, move.by, index)
    return rule.refuses(
        Why.UNEVEN if is_uneven else Why.LIMIT_REACHED,
        say("nothing stands on {deed}", deed=board.rules.deeds[index].name),
        remedy,
    )


def _check_pieces_left_behind(
    board: Board, play: Position, index: int, after: int
) -> Refused | None:
    """Check that the bank has the pieces that a sold hotel or skyscraper leaves."""
    before_counts = board.used[index][play.levels[index]]
    after_counts = board.used[index][after]
    for kind, left, before, needed in zip(
        board.kinds, play.pieces, before_counts, after_counts, strict=True
    ):
        if left + before < needed:
            return LEFT_BEHIND_RULE.refuses(
                Why.NONE_LEFT,
                say("the bank has too few {pieces} for it", pieces=common(f"{kind}s")),
                say("sell all of it, or wait until some come back"),
            )
    return None


def check_sale_of_buildings(run: MoveRun) -> Refused | None:
    """Check that buildings may be sold now.

    While seats bid for one of the last buildings, they may not. While a deed is for
    sale, a bank that buys streets takes buildings only when it takes streets.
    """
    if run.play.stage not in FOR_SALE:
        return None
    if is_building_auction(run):
        return no_sale_while_bidding(run.board)
    if not buys_streets(run.board) or check_sale_time(run) is None:
        return None
    return HOTELS_LATER_RULE.refuses(
        Why.WRONG_STAGE,
        say("the bank takes no hotel back while a deed is for sale"),
        say("sell it later"),
    )


def sells_now(run: MoveRun, seat: str) -> bool:
    """Return whether the seat may sell buildings to the bank at this moment."""
    return raises_now(run.play, seat) and check_sale_of_buildings(run) is None


def _sold_too_early(run: MoveRun, tallest: int, *, is_higher: bool) -> Refused:
    """Refuse to sell before *tallest*, the deed with as much or more on it."""
    name = run.board.rules.deeds[tallest].name
    return UNBUILD_EVENLY_RULE.refuses(
        Why.UNEVEN,
        say("{deed} has more on it", deed=name)
        if is_higher
        else say("{deed} would be two steps ahead", deed=name),
        say("sell there first") if is_higher else say("sell one by one, in turn"),
    )


def _is_even(
    board: Board, play: Position, index: int, highest: int, after: int
) -> bool:
    """Return whether the group stays even if *index* is sold down to *after*.

    A whole hotel may always be sold. *highest* is the highest level on the seat's
    other deeds of the group.
    """
    level = play.levels[index]
    if is_hotel(board, index, level) and after == 0:
        return True
    if after == level - 1:
        return level >= highest
    return highest <= after + 1


def unbuild(run: MoveRun, move: Unbuild) -> None:
    """Sell one step of the ladder, or all of it, to the bank."""
    board, play = run.board, run.play
    index = board.index[move.deed]
    after = level_after(board, play, index, is_all=move.is_all)
    value = sale_value(board, play, index, after)
    came = sale_steps(board, play, index, after)
    run.add(
        d.BuildingSold(
            seat=Seat(move.by),
            deed=DeedId(move.deed),
            level=after,
            is_all=move.is_all,
            hotels=after if comes_from_hand(board) else 0,
        )
    )
    run.earn(move.by, value, Reason.SALE, came)
    settle(run)


def unbuild_choices(run: MoveRun, seat: str) -> Iterator[Unbuild]:
    """Offer to sell one step or everything on each built street of the seat."""
    for index in owned(run, seat):
        if run.play.levels[index]:
            deed = run.board.rules.deeds[index].id
            yield Unbuild(by=seat, deed=deed)
            yield Unbuild(by=seat, deed=deed, is_all=True)


ROWS = (
    rule(Build, ESTATE, check_build, build, build_choices, lacks=_lacks_site),
    rule(Unbuild, RAISING, check_unbuild, unbuild, unbuild_choices, lacks=check_built),
    rule(
        WantBuilding,
        {Stage.ROLL: Who.ANYBODY},
        check_want,
        claim_building,
        want_choices,
        lacks=_lacks_site,
    ),
)
