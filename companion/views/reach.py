"""Where a token may be taken, and what each space would cost or bring its seat.

Three dice alike and a bus ticket let somebody choose a space; the Auction space, a key
and some cards a deed.
What a landing charges comes from the rules; here it only gets words. Who owns what is
no secret, and neither is how much money anybody has.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

import msgspec
from msgspec.structs import asdict, replace

from companion.edition.shape import Group
from companion.game import Game
from companion.game import moves as m
from companion.game.card_code import space_number
from companion.game.commands import address_of, fields_of
from companion.game.playing_tickets import tickets_left
from companion.game.rulebook import UTILITY, RuleSpace
from companion.game.spaces import SpaceKind, row_for_each
from companion.game.stage import Stage
from companion.rules.ahead import highest_rent, next_unowned, owes_rent
from companion.rules.deciding import moves_by_kind
from companion.rules.rent import rent_of
from companion.rules.rule import Choice
from companion.rules.walking import ANY_SPACE
from companion.units import VAULT, Dollars
from companion.views.deed import Band, band_of
from companion.views.turn_buttons import Look
from companion.words import say
from companion.words.money import dollars_text

BUY, BRINGS, REST, COSTS, JAIL = SORTS = ("buy", "brings", "rest", "costs", "jail")
"""What a landing is above all, in the order in which people look for it."""

SORT_WORDS = {
    BUY: say("For sale"),
    BRINGS: say("Brings you something"),
    REST: say("Costs nothing"),
    COSTS: say("Costs you money"),
    JAIL: say("Takes you to jail"),
}
"""The same in words, as headings."""


class Stop(msgspec.Struct, frozen=True, kw_only=True):
    """A space that a token may be taken to, and what that would mean for its seat.

    Attributes:
        number: Its board number.
        kind: What is printed on it.
        band: The head of its deed; ``None`` without one.
        sort: One of ``SORTS``.
        words: What would happen there.
        amount: The price, the rent or the tax, or what it brings; ``None`` for nothing
            of the kind, and where nobody knows it.
        sign: ``+`` if the amount is got, ``-`` if it is paid, empty for a price.
        note: What else one should know; may be empty.
        salary: What GO pays on the way there; 0 if it is not passed.
    """

    number: int
    name: str
    kind: SpaceKind
    band: Band | None = None
    sort: str = REST
    words: str = ""
    amount: Dollars | None = None
    sign: str = ""
    note: str = ""
    salary: Dollars = 0


class Goal(msgspec.Struct, frozen=True):
    """A space that can be chosen now, and the word that chooses it."""

    stop: Stop
    word: str


class GoalGroup(msgspec.Struct, frozen=True):
    """Goals that have something in common.

    Attributes:
        sort: One of ``SORTS``; empty where one group holds all goals.
        words: A heading; likewise.
        band: The group of deeds that they are for sale of, if they are of one.
        note: How much of it the seat has; may be empty.
    """

    sort: str
    words: str
    goals: tuple[Goal, ...]
    band: Band | None = None
    note: str = ""

    @property
    def prices(self) -> tuple[Dollars, ...]:
        """The lowest and the highest price, each once; empty if none is known."""
        known = {one.stop.amount for one in self.goals if one.stop.amount is not None}
        return tuple(sorted({min(known), max(known)})) if known else ()


LISTED_MAX = 8
"""More deeds for sale than that are listed by their groups."""


class Goals(msgspec.Struct, frozen=True):
    """All that can be chosen now by one form.

    Attributes:
        verb: The address of the form.
        field: The name of the word in it.
    """

    verb: str
    field: str
    groups: tuple[GoalGroup, ...]


def rides(game: Game, groups: Sequence[Group], seat: str) -> Goals | None:
    """Where a bus ticket takes *seat* now, the nearest first; ``None`` without one.

    Args:
        game: The game as it stands, guided.
        groups: The groups of its edition, for their colours.
        seat: Whose ticket it is.
    """
    look, total = Look(game, seat), 0  # A utility's rent is rolled for there.
    found = tuple(
        Goal(_stop(look, groups, _number(look, move.space), total), move.space)
        for _, moves in moves_by_kind(game, seat, (m.UseTicket,))
        for move in moves
        if isinstance(move, m.UseTicket)
    )
    if not found:
        return None
    return Goals(address_of(m.UseTicket), "space", (GoalGroup("", "", found),))


def goals(game: Game, groups: Sequence[Group], seat: str) -> Goals | None:
    """The spaces or deeds that *seat* has to choose among; arguments as for ``rides``.

    Returns:
        Spaces by what they bring, and where many deeds are for sale those by their
        groups; ``None`` where none is chosen.
    """
    look = Look(game, seat)
    play, board = look.play, look.board
    kind, words = next(
        (
            (kind, words)
            for kind, moves in moves_by_kind(game, seat, (m.Choose, m.Unlock))
            if (words := [word for x in moves if (word := picked(look, x))])
        ),
        (None, []),
    )
    if kind is None:
        return None
    field = fields_of(kind)[0].name
    if play.awaited != ANY_SPACE:
        lots = tuple(Goal(_lot(look, groups, board.index[x]), x) for x in words)
        is_few = len(lots) <= LISTED_MAX
        listed = (GoalGroup("", "", lots),) if is_few else _by_group(look, lots)
        return Goals(address_of(kind), field, listed)
    total = board.rent_dice(play.dice)
    found = [
        Goal(_stop(look, groups, _number(look, word), total), word) for word in words
    ]
    return Goals(address_of(kind), field, tuple(_sorted(look, found)))


def picked(look: Look, choice: Choice) -> str:
    """Return the space or deed that a move picks from ``goals``; empty for none."""
    if isinstance(choice, m.Unlock):
        return choice.deed
    is_space = look.play.awaited == ANY_SPACE
    if isinstance(choice, m.Choose) and (is_space or choice.word in look.board.index):
        return choice.word
    return ""


def _sorted(look: Look, found: list[Goal]) -> Iterator[GoalGroup]:
    """*found* by what they are above all; each in the order of play from the token."""
    here, size = look.play.token_of(look.seat).space, look.board.size
    found.sort(key=lambda one: (one.stop.number - here - 1) % size)
    for sort in SORTS:
        alike = tuple(one for one in found if one.stop.sort == sort)
        if sort == BUY and len(alike) > LISTED_MAX:
            yield from _by_group(look, alike)
        elif alike:
            yield GoalGroup(sort, SORT_WORDS[sort], alike)


def _by_group(look: Look, lots: Sequence[Goal]) -> tuple[GoalGroup, ...]:
    """Sort deeds for sale into groups, first those of which the seat has something."""
    found: dict[str, list[Goal]] = {}
    for one in lots:
        assert one.stop.band is not None, "deeds have one"
        found.setdefault(one.stop.band.id, []).append(one)
    all_groups = (_of_group(look, alike) for alike in found.values())
    return tuple(sorted(all_groups, key=lambda one: not one.note))


def _of_group(look: Look, alike: Sequence[Goal]) -> GoalGroup:
    stop = alike[0].stop
    at = look.board.deed_at[stop.number]
    assert stop.band is not None, "deeds have one"
    assert at is not None, "it is a deed's space"
    return GoalGroup(BUY, stop.band.name, tuple(alike), stop.band, _share(look, at))


def _number(look: Look, word: str) -> int:
    number = space_number(look.board.rules, word)
    assert number is not None, "the rules listed it"
    return number


class Found(msgspec.Struct, frozen=True):
    """What happens on a space; the fields are those of ``Stop``."""

    sort: str
    words: str
    amount: Dollars | None = None
    sign: str = ""
    note: str = ""


NOTHING = Found(REST, say("Nothing happens there"))


def _stop(look: Look, groups: Sequence[Group], number: int, total: int) -> Stop:
    """The space with that board number, if the seat's token went ahead to it.

    Args:
        look: Who would go there; from its own space it goes once round.
        groups: The groups of the edition, for their colours.
        number: The board number.
        total: The dice that count for a utility; 0 if its rent is rolled for.
    """
    board, here = look.board, look.play.token_of(look.seat).space
    space, at = board.rules.spaces[number], board.deed_at[number]
    passes_go = number <= here and space.kind not in (
        SpaceKind.GO,
        SpaceKind.GO_TO_JAIL,
    )
    salary = board.rules.money.salary if passes_go else 0
    if at is None:
        found = _at_plain(look, number)
    else:
        found = _at_deed(look, at, total, look.cash + salary)
    return Stop(
        number=number,
        name=look.space(number),
        kind=space.kind,
        band=None if at is None else band_of(groups, board.rules.deeds[at]),
        salary=salary,
        **asdict(found),
    )


# Deeds.


def _at_deed(look: Look, at: int, total: int, cash: Dollars) -> Found:
    play, owner = look.play, look.play.owners[at]
    if not owner:
        return _for_sale(look, at, cash)
    if owner == look.seat:
        return Found(REST, say("It is yours"))
    if play.mortgaged[at]:
        return Found(REST, say("Mortgaged by {who}: no rent", who=look.name(owner)))
    if not owes_rent(look.board, play, look.seat, at):
        return Found(REST, say("{who} is in jail: no rent", who=look.name(owner)))
    return _rented(look, at, total, cash)


def _lot(look: Look, groups: Sequence[Group], at: int) -> Stop:
    """A deed that can be put up: nobody's token moves, and the bids are the price."""
    deed = look.board.rules.deeds[at]
    band = band_of(groups, deed)
    return Stop(
        number=deed.space,
        name=deed.name,
        kind=deed.kind,
        band=band,
        sort=BUY,
        words=band.name,
        amount=deed.price,
        note=_share(look, at),
    )


def _share(look: Look, at: int) -> str:
    """How much of a group the seat has; empty for nothing of it."""
    members = look.board.members[at]
    mine = sum(look.play.owners[i] == look.seat for i in members)
    if not mine:
        return ""
    return say("You have {mine} of {count}", mine=mine, count=len(members))


def _for_sale(look: Look, at: int, cash: Dollars) -> Found:
    deed = look.board.rules.deeds[at]
    if deed.is_locked:
        return Found(REST, say("Locked: nothing happens there"))
    note = _share(look, at)
    if deed.price is not None and cash < deed.price:
        note = _too_little(cash)
    return Found(BUY, say("For sale"), deed.price, note=note)


def _rented(look: Look, at: int, total: int, cash: Dollars) -> Found:
    """The rent of somebody else's deed."""
    board, play = look.board, look.play
    deed, who = board.rules.deeds[at], look.name(play.owners[at])
    if deed.kind == UTILITY and not total:
        times = rent_of(board, play, at, 1) or 0
        words = say(
            "You roll and pay {who} {times} times as much", who=who, times=times
        )
        return Found(COSTS, words)
    rent = rent_of(board, play, at, total)
    note = _too_little(cash) if rent is not None and cash < rent else ""
    return Found(COSTS, say("Rent to {who}", who=who), rent, "-", note)


def _too_little(cash: Dollars) -> str:
    return say("You have {cash}: too little", cash=dollars_text(cash))


# Spaces without a deed.


def _at_plain(look: Look, number: int) -> Found:
    space = look.board.rules.spaces[number]
    return PLAIN[space.acts_as](look, space, number)


def _salary(look: Look, _: RuleSpace, __: int) -> Found:
    return Found(BRINGS, say("Your salary"), look.board.rules.money.salary, "+")


def _tax(look: Look, space: RuleSpace, _: int) -> Found:
    to_vault = space.pays_to == VAULT
    words = say("Tax into the vault") if to_vault else say("Tax to the bank")
    return Found(COSTS, words, space.amount, "-")


def _gift(look: Look, space: RuleSpace, _: int) -> Found:
    left = tickets_left(look.play, look.board)
    words = say("From the bank, or a bus ticket") if left else say("From the bank")
    return Found(BRINGS, words, space.amount, "+")


def _ticket(look: Look, _: RuleSpace, __: int) -> Found:
    if not tickets_left(look.play, look.board):
        return Found(REST, say("No bus tickets are left"))
    return Found(BRINGS, say("You draw a bus ticket"))


def _auction(look: Look, _: RuleSpace, number: int) -> Found:
    """An auction; once all deeds are owned, the highest rent as seen from there."""
    board, play = look.board, look.play
    if next_unowned(board, play, number) is not None:
        return Found(BRINGS, say("You pick a deed, and all bid for it"))
    dice = () if play.stage is Stage.ROLL else play.dice  # A ticket is no roll.
    there = replace(play.with_token(look.seat, space=number), dice=dice)
    space = highest_rent(board, there, look.seat)
    at = None if space is None else board.deed_at[space]
    if space is None or at is None:
        return NOTHING
    words = say("On to your highest rent: {space}", space=look.space(space))
    is_rolled = not dice and board.rules.deeds[at].kind == UTILITY
    rent = None if is_rolled else rent_of(board, there, at, board.rent_dice(dice))
    return Found(COSTS, words, rent, "" if rent is None else "-")


def _train(look: Look, _: RuleSpace, number: int) -> Found:
    space = next_unowned(look.board, look.play, number)
    if space is None:
        return NOTHING
    return Found(BRINGS, say("On to {space}", space=look.space(space)))


def _says(sort: str, words: str) -> Callable[[Look, RuleSpace, int], Found]:
    return lambda *_: Found(sort, words)


PLAIN: Mapping[SpaceKind, Callable[[Look, RuleSpace, int], Found]] = row_for_each(
    {
        SpaceKind.GO: _salary,
        SpaceKind.INCOME_TAX: _tax,
        SpaceKind.LUXURY_TAX: _tax,
        SpaceKind.CHANCE: _says(BRINGS, say("You draw a card")),
        SpaceKind.COMMUNITY_CHEST: _says(BRINGS, say("You draw a card")),
        SpaceKind.JAIL: _says(REST, say("Just visiting")),
        SpaceKind.GO_TO_JAIL: _says(JAIL, say("Your turn is over")),
        SpaceKind.FREE_PARKING: lambda *_: NOTHING,
        SpaceKind.GUESS_FOR_FREE: _says(BRINGS, say("A guess at the vault")),
        SpaceKind.PAY_TO_GUESS: _says(BRINGS, say("A guess at the vault, for money")),
        SpaceKind.TRAIN: _train,
        SpaceKind.AUCTION: _auction,
        SpaceKind.BIRTHDAY_GIFT: _gift,
        SpaceKind.BUS_TICKET: _ticket,
        SpaceKind.REST: lambda *_: NOTHING,
    }
)
"""What a phone says of a space without a deed, by its kind."""
