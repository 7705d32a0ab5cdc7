"""Where a token may be taken, and what each space would cost or bring its seat.

Three equal dice or a bus ticket let a player choose a space; the Auction space, a key
from the vault, and some cards let a player choose a deed. Each space or deed that can
be chosen is a *goal*. Its *stop* describes the space; a *landing* is what would happen
to a token there. Landings are listed by *sort*, such as those that cost money.

The rules say what a landing charges; this module only words it. Here *at* is the index
of a deed in the rulebook, and *number* the board number of a space.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

import msgspec
from msgspec.structs import asdict, replace

from companion.edition.shape import Group
from companion.game import Game
from companion.game import moves as m
from companion.game.card_code import space_number
from companion.game.commands import Command, address_of, fields_of
from companion.game.playing_tickets import tickets_left
from companion.game.rulebook import UTILITY, RuleSpace
from companion.game.spaces import SpaceKind, row_for_each
from companion.game.stage import Stage
from companion.rules.deciding import moves_by_kind
from companion.rules.rent import rent_of
from companion.rules.rule import Choice
from companion.rules.walking import ANY_SPACE, highest_rent, next_unowned, owes_rent
from companion.units import VAULT, Dollars
from companion.views.space import Band, band_of
from companion.views.turn_buttons import Look
from companion.words import say
from companion.words.money import dollars_text

BUY, BRINGS, REST, COSTS, JAIL = SORTS = ("buy", "brings", "rest", "costs", "jail")
"""The sorts of landings, in the order in which people look for them."""

SORT_WORDS = {
    BUY: say("For sale"),
    BRINGS: say("Brings you something"),
    REST: say("Costs nothing"),
    COSTS: say("Costs you money"),
    JAIL: say("Takes you to jail"),
}
"""The heading over each sort."""


class Landing(msgspec.Struct, frozen=True):
    """The consequence of a landing for the seat.

    Attributes:
        sort: One of ``SORTS``.
        words: What would happen there.
        amount: Dollars to pay or to get; ``None`` if unknown, or if no money moves.
        sign: ``+`` if the seat gets the amount, ``-`` if it pays it, empty for a price.
        note: A further remark; may be empty.
    """

    sort: str
    words: str
    amount: Dollars | None = None
    sign: str = ""
    note: str = ""


class Stop(Landing, frozen=True, kw_only=True):
    """A space to which a token may be taken, and the consequence for its seat.

    Attributes:
        number: Its board number.
        name: Its name, or its deed's.
        kind: The kind of space that is printed there.
        band: The coloured head of its deed; ``None`` if it has no deed.
        salary: The dollars that GO pays on the way there; 0 if it is not passed.
    """

    number: int
    name: str
    kind: SpaceKind
    band: Band | None = None
    salary: Dollars = 0


class Goal(msgspec.Struct, frozen=True):
    """A space or deed that can be chosen now, and the word that chooses it."""

    stop: Stop
    word: str


class GoalGroup(msgspec.Struct, frozen=True):
    """Goals that have something in common.

    Attributes:
        sort: One of ``SORTS``; empty if this group holds all goals.
        words: A heading; empty if this group holds all goals.
        band: The head of a group of deeds; ``None`` unless goals are listed by these.
        note: How many deeds of that group the seat owns; empty for none.
    """

    sort: str
    words: str
    goals: tuple[Goal, ...]
    band: Band | None = None
    note: str = ""

    @property
    def prices(self) -> tuple[Dollars, ...]:
        """The lowest and the highest price, each once; empty if none is known."""
        amounts = [goal.stop.amount for goal in self.goals]
        known = [amount for amount in amounts if amount is not None]
        return tuple(sorted({min(known), max(known)})) if known else ()


LISTED_MAX = 8
"""A longer list of deeds for sale is divided up by their groups."""


class Goals(msgspec.Struct, frozen=True):
    """All goals that can be chosen now.

    Attributes:
        verb: The address of the form that chooses one.
        field: The name of its field for the word of a goal.
    """

    verb: str
    field: str
    groups: tuple[GoalGroup, ...]


def ticket_goals(game: Game, groups: Sequence[Group], seat: str) -> Goals | None:
    """Return the spaces to which a bus ticket takes *seat* now, the nearest first.

    ``None`` if the seat can use no ticket.

    Args:
        game: The game as it stands; the companion leads it.
        groups: The groups of its edition, for their colours.
        seat: The seat that has the ticket.
    """
    look, goals = Look(game, seat), []
    for _, moves in moves_by_kind(game, seat, (m.UseTicket,)):
        for move in moves:
            if isinstance(move, m.UseTicket):
                number = _number(look, move.space)
                stop = _stop(look, groups, number, NOT_ROLLED)
                goals.append(Goal(stop, move.space))
    if not goals:
        return None
    group = GoalGroup("", "", tuple(goals))
    return Goals(address_of(m.UseTicket), "space", (group,))


NOT_ROLLED = 0
"""Stands for the sum of the dice if they are rolled only after the landing."""


def choice_goals(game: Game, groups: Sequence[Group], seat: str) -> Goals | None:
    """Return the spaces by sort, or the deeds, among which *seat* has to choose now.

    ``None`` if it has nothing to choose. The arguments are those of ``ticket_goals``.
    """
    look = Look(game, seat)
    kind, words = _open_choice(look)
    if kind is None:
        return None
    if look.play.awaited == ANY_SPACE:
        listed = tuple(_spaces_by_sort(look, groups, words))
    else:
        listed = _listed_deeds(look, groups, words)
    return Goals(address_of(kind), fields_of(kind)[0].name, listed)


def _open_choice(look: Look) -> tuple[type[Command] | None, list[str]]:
    """Return the kind of move that chooses a goal now, and the words of all goals."""
    for kind, moves in moves_by_kind(look.game, look.seat, (m.Choose, m.Unlock)):
        words = [word for move in moves if (word := word_of_goal(look, move))]
        if words:
            return kind, words
    return None, []


def word_of_goal(look: Look, choice: Choice) -> str:
    """Return the space or deed that a move chooses; empty for other moves."""
    if isinstance(choice, m.Unlock):
        return choice.deed
    is_space = look.play.awaited == ANY_SPACE
    if isinstance(choice, m.Choose) and (is_space or choice.word in look.board.index):
        return choice.word
    return ""


def _spaces_by_sort(
    look: Look, groups: Sequence[Group], words: Sequence[str]
) -> Iterator[GoalGroup]:
    """Yield the spaces by sort; in each, the next ahead of the token comes first."""
    total = look.board.rent_dice(look.play.dice)
    goals = [
        Goal(_stop(look, groups, _number(look, word), total), word) for word in words
    ]
    next_space = look.play.token_of(look.seat).space + 1
    goals.sort(key=lambda goal: (goal.stop.number - next_space) % look.board.size)
    for sort in SORTS:
        of_sort = tuple(goal for goal in goals if goal.stop.sort == sort)
        if sort == BUY and len(of_sort) > LISTED_MAX:
            yield from _by_group(look, of_sort)
        elif of_sort:
            yield GoalGroup(sort, SORT_WORDS[sort], of_sort)


def _listed_deeds(
    look: Look, groups: Sequence[Group], words: Sequence[str]
) -> tuple[GoalGroup, ...]:
    """Return the deeds in one list, or by group if they are many."""
    index = look.board.index
    deeds = tuple(Goal(_deed_stop(look, groups, index[deed]), deed) for deed in words)
    if len(deeds) <= LISTED_MAX:
        return (GoalGroup("", "", deeds),)
    return _by_group(look, deeds)


def _by_group(look: Look, deeds: Sequence[Goal]) -> tuple[GoalGroup, ...]:
    """Divide deeds for sale by group; groups in which the seat owns one come first."""
    by_group: dict[str, list[Goal]] = {}
    for goal in deeds:
        assert goal.stop.band is not None, "every deed has a band"
        by_group.setdefault(goal.stop.band.id, []).append(goal)
    groups = (_deed_group(look, members) for members in by_group.values())
    return tuple(sorted(groups, key=lambda group: not group.note))


def _deed_group(look: Look, members: Sequence[Goal]) -> GoalGroup:
    stop = members[0].stop
    at = look.board.deed_at[stop.number]
    assert stop.band is not None, "every deed has a band"
    assert at is not None, "it is a deed's space"
    return GoalGroup(BUY, stop.band.name, tuple(members), stop.band, _share(look, at))


def _number(look: Look, word: str) -> int:
    """Return the board number of the space that the rules call *word*."""
    number = space_number(look.board.rules, word)
    assert number is not None, "the rules listed it"
    return number


NOTHING = Landing(REST, say("Nothing happens there"))


def _stop(look: Look, groups: Sequence[Group], number: int, total: int) -> Stop:
    """Return a space as a stop of the seat's token, which passes GO if need be.

    *total* is the sum of the dice for the rent of a utility, or ``NOT_ROLLED``.
    """
    board, here = look.board, look.play.token_of(look.seat).space
    space, at = board.rules.spaces[number], board.deed_at[number]
    # A landing on GO tells its salary itself, and nobody passes GO on the way to jail.
    passes_go = number <= here and space.kind not in (
        SpaceKind.GO,
        SpaceKind.GO_TO_JAIL,
    )
    salary = board.rules.money.salary if passes_go else 0
    if at is None:
        landing = PLAIN[space.acts_as](look, space, number)
    else:
        landing = _landing_on_deed(look, at, total, look.cash + salary)
    return Stop(
        number=number,
        name=look.space(number),
        kind=space.kind,
        band=None if at is None else band_of(groups, board.rules.deeds[at].group),
        salary=salary,
        **asdict(landing),
    )


# Deeds.


def _landing_on_deed(look: Look, at: int, total: int, cash: Dollars) -> Landing:
    """Return a landing on the space of a deed, where the seat would have *cash*."""
    play, owner = look.play, look.play.owners[at]
    if not owner:
        return _for_sale(look, at, cash)
    if owner == look.seat:
        return Landing(REST, say("It is yours"))
    if play.mortgaged[at]:
        return Landing(REST, say("Mortgaged by {who}: no rent", who=look.name(owner)))
    if not owes_rent(look.board, play, look.seat, at):
        return Landing(REST, say("{who} is in jail: no rent", who=look.name(owner)))
    return _rent_landing(look, at, total, cash)


def _deed_stop(look: Look, groups: Sequence[Group], at: int) -> Stop:
    """Return a deed that is chosen for itself: no token moves to its space."""
    deed = look.board.rules.deeds[at]
    band = band_of(groups, deed.group)
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
    """Say how many deeds of its group the seat owns; empty for none."""
    members = look.board.members[at]
    mine = sum(look.play.owners[member] == look.seat for member in members)
    if not mine:
        return ""
    return say("You have {mine} of {count}", mine=mine, count=len(members))


def _for_sale(look: Look, at: int, cash: Dollars) -> Landing:
    """Return a landing on a deed that nobody owns, with a note if money is short."""
    deed = look.board.rules.deeds[at]
    if deed.is_locked:
        return Landing(REST, say("Locked: nothing happens there"))
    note = _share(look, at)
    if deed.price is not None and cash < deed.price:
        note = _too_little(cash)
    return Landing(BUY, say("For sale"), deed.price, note=note)


def _rent_landing(look: Look, at: int, total: int, cash: Dollars) -> Landing:
    """Return a landing with rent; that of a utility may yet have to be rolled for."""
    board, play = look.board, look.play
    deed, who = board.rules.deeds[at], look.name(play.owners[at])
    times = rent_of(board, play, at, 1)  # Of a utility, the rent for a single pip.
    if deed.kind == UTILITY and total == NOT_ROLLED and times is not None:
        words = say(
            "You roll and pay {who} {times} times as much", who=who, times=times
        )
        return Landing(COSTS, words)
    rent = rent_of(board, play, at, total)
    note = _too_little(cash) if rent is not None and cash < rent else ""
    return Landing(COSTS, say("Rent to {who}", who=who), rent, "-", note)


def _too_little(cash: Dollars) -> str:
    return say("You have {cash}: too little", cash=dollars_text(cash))


# Spaces without a deed; ``PLAIN`` has the function for each kind of space.


def _on_go(look: Look, _: RuleSpace, __: int) -> Landing:
    return Landing(BRINGS, say("Your salary"), look.board.rules.money.salary, "+")


def _on_tax(look: Look, space: RuleSpace, _: int) -> Landing:
    to_vault = space.pays_to == VAULT
    words = say("Tax into the vault") if to_vault else say("Tax to the bank")
    return Landing(COSTS, words, space.amount, "-")


def _on_gift(look: Look, space: RuleSpace, _: int) -> Landing:
    """Return a landing that brings money, or a bus ticket instead if any are left."""
    left = tickets_left(look.play, look.board)
    words = say("From the bank, or a bus ticket") if left else say("From the bank")
    return Landing(BRINGS, words, space.amount, "+")


def _on_bus_ticket(look: Look, _: RuleSpace, __: int) -> Landing:
    if not tickets_left(look.play, look.board):
        return Landing(REST, say("No bus tickets are left"))
    return Landing(BRINGS, say("You draw a bus ticket"))


def _on_auction(look: Look, _: RuleSpace, number: int) -> Landing:
    """Return a landing that auctions a deed, or that leads on to the highest rent.

    The token goes on once all deeds are owned.
    """
    board, play = look.board, look.play
    if next_unowned(board, play, number) is not None:
        return Landing(BRINGS, say("You pick a deed, and all bid for it"))
    dice = () if play.stage is Stage.ROLL else play.dice  # No roll: a bus ticket.
    after_landing = replace(play.with_token(look.seat, space=number), dice=dice)
    space = highest_rent(board, after_landing, look.seat)
    at = None if space is None else board.deed_at[space]
    if space is None or at is None:
        return NOTHING
    words = say("On to your highest rent: {space}", space=look.space(space))
    depends_on_dice = board.rules.deeds[at].kind == UTILITY
    rent = None
    if dice or not depends_on_dice:
        rent = rent_of(board, after_landing, at, board.rent_dice(dice))
    return Landing(COSTS, words, rent, "" if rent is None else "-")


def _on_train(look: Look, _: RuleSpace, number: int) -> Landing:
    """Return a landing that leads on to the next deed nobody owns."""
    space = next_unowned(look.board, look.play, number)
    if space is None:
        return NOTHING
    return Landing(BRINGS, say("On to {space}", space=look.space(space)))


LandingOn = Callable[[Look, RuleSpace, int], Landing]
"""Returns the landing on a space that has this board number."""


def _always(sort: str, words: str) -> LandingOn:
    return lambda *_: Landing(sort, words)


PLAIN: Mapping[SpaceKind, LandingOn] = row_for_each(
    {
        SpaceKind.GO: _on_go,
        SpaceKind.INCOME_TAX: _on_tax,
        SpaceKind.LUXURY_TAX: _on_tax,
        SpaceKind.CHANCE: _always(BRINGS, say("You draw a card")),
        SpaceKind.COMMUNITY_CHEST: _always(BRINGS, say("You draw a card")),
        SpaceKind.JAIL: _always(REST, say("Just visiting")),
        SpaceKind.GO_TO_JAIL: _always(JAIL, say("Your turn is over")),
        SpaceKind.FREE_PARKING: lambda *_: NOTHING,
        SpaceKind.GUESS_FOR_FREE: _always(BRINGS, say("A guess at the vault")),
        SpaceKind.PAY_TO_GUESS: _always(BRINGS, say("A guess at the vault, for money")),
        SpaceKind.TRAIN: _on_train,
        SpaceKind.AUCTION: _on_auction,
        SpaceKind.BIRTHDAY_GIFT: _on_gift,
        SpaceKind.BUS_TICKET: _on_bus_ticket,
        SpaceKind.REST: lambda *_: NOTHING,
    }
)
"""The landing on a space without a deed, by the kind of space."""
