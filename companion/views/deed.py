"""Deeds as they lie on the table: face up, for everybody to read.

What a deed says comes from the rulebook of the game, whatever buildings it allows;
what can be done with it comes from the rules. Who owns what is no secret.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from companion.edition.shape import Group
from companion.game import Game
from companion.game import moves as m
from companion.game.rulebook import RuleDeed
from companion.game.stage import Stage
from companion.rules.buildings import spare
from companion.rules.deciding import moves_by_kind, out_of_turn
from companion.rules.rule import Range
from companion.units import BANK, Dollars
from companion.views.blanks import Blank, blanks_of
from companion.views.deed_buttons import buttons_by_deed, reasons
from companion.views.deed_rents import Pieces, Rent, pieces_at, rent_at
from companion.views.space import ink_on
from companion.views.turn_buttons import Button, Look
from companion.views.turn_words import awaited
from companion.views.why import ShownRule
from companion.words import say
from companion.words.amount import Amount
from companion.words.common import common
from companion.words.money import dollars_text

NO_COLOUR = "#777777"
"""The colour of a group to which the edition gives none."""


class Band(msgspec.Struct, frozen=True):
    """The head of a deed: its group, shown by name, colour and pattern.

    Attributes:
        colour: ``#rrggbb``.
        ink: ``light`` or ``dark``: the letters that can be read on that colour.
        mark: The number of the group's pattern.
    """

    id: str
    name: str
    colour: str
    ink: str
    mark: int


class DeedView(msgspec.Struct, frozen=True, kw_only=True):
    """One deed, ready to be drawn.

    Attributes:
        owner: A seat; empty for the bank.
        costs: What each kind of building costs, in the order in which they are built,
            if it costs anything; ``None`` if nobody knows.
        mortgage: What the bank lends on it; ``None`` if nobody knows, 0 if nothing.
        is_loan_likely: Nobody knows it either, and it is played with all the same.
        pieces: The buildings that stand there.
        is_by_key: It has no price at all: only a key opens it.
        is_mine: It belongs to the seat that looks.
        buttons: What that seat may do with it now.
        reasons: Why the seat cannot do other things that it might look for.
        rules: The rules behind those reasons.
        blanks: Unknown figures that can be typed in.
    """

    id: str
    name: str
    kind: str
    band: Band
    owner: str
    price: Dollars | None
    costs: tuple[tuple[str, Dollars | None], ...]
    mortgage: Dollars | None
    is_loan_likely: bool
    rent: Rent
    pieces: Pieces
    is_mortgaged: bool
    is_locked: bool
    is_by_key: bool
    is_mine: bool
    buttons: tuple[Button, ...] = ()
    reasons: tuple[str, ...] = ()
    rules: tuple[ShownRule, ...] = ()
    blanks: tuple[Blank, ...] = ()

    @property
    def loan(self) -> Amount | None:
        """What the bank lends on it, marked if nobody knows it for sure."""
        if self.mortgage is None:
            return None
        return dollars_text(self.mortgage, is_likely=self.is_loan_likely)

    @property
    def asks(self) -> str:
        """What the page asks for below the deed; empty for nothing that is needed."""
        is_lacking = any(not one.is_used for one in self.blanks)
        return say("Unknown: type what the deed says") if is_lacking else ""

    @property
    def blanks_words(self) -> str:
        """The heading over its unknown figures."""
        if all(one.is_used for one in self.blanks):
            return say("Played with what is likely (≈)")
        return say("Unknown figures")


class GroupView(msgspec.Struct, frozen=True):
    """The deeds of one group, and whose wallet they are looked at in.

    Attributes:
        deeds: All deeds that the group has in the game.
        held: Those that lie in the wallet.
        plan: The deed by whose address the looking seat lays out the whole group;
            empty where it cannot.
    """

    band: Band
    deeds: tuple[DeedView, ...]
    held: tuple[DeedView, ...]
    plan: str = ""

    @property
    def is_whole(self) -> bool:
        """Whether one seat has all of them."""
        owner = self.deeds[0].owner
        return bool(owner) and all(one.owner == owner for one in self.deeds)

    @property
    def reasons(self) -> dict[str, str]:
        """Why the looking seat cannot do more here: by reason, on which deeds.

        Where it holds for all of them, none is named.
        """
        found: dict[str, list[str]] = {}
        for deed in self.held:
            for reason in deed.reasons:
                found.setdefault(reason, []).append(deed.name)
        count = len(self.held)
        return {x: ", ".join(on) if len(on) < count else "" for x, on in found.items()}

    @property
    def rules(self) -> tuple[ShownRule, ...]:
        """The rules behind those reasons."""
        return tuple(dict.fromkeys(rule for deed in self.held for rule in deed.rules))


class Stock(msgspec.Struct, frozen=True):
    """What the bank has left of one kind of building."""

    kind: str
    left: int
    total: int


class Estate(msgspec.Struct, frozen=True):
    """A wallet of deeds as one seat sees it.

    Attributes:
        owner: Whose it is: a seat, ``bank``, or empty for everybody's together.
        is_mine: It belongs to the seat that looks.
        groups: The groups of which something lies in it, in board order.
        stock: The buildings that the bank has left.
        hotels: Loose hotels in the seat's hand, if the rules have them.
        waits: Why nothing can be built or mortgaged now, or empty.
        is_soon: It will be possible later: the game still goes on.
        has_mortgages: The bank lends money on deeds.
        deed_count: How many deeds each owner has; the bank's under ``bank``.
    """

    owner: str
    is_mine: bool
    groups: tuple[GroupView, ...]
    stock: tuple[Stock, ...]
    hotels: int
    waits: str
    is_soon: bool
    has_mortgages: bool
    deed_count: dict[str, int]


def estate_of(
    game: Game, groups: Sequence[Group], seat: str, owner: str = ""
) -> Estate:
    """A wallet of deeds, in a game that the companion leads.

    Args:
        game: The game as it stands, guided.
        groups: The groups of its edition, for their colours.
        seat: Who looks; anybody may.
        owner: Whose wallet: a seat, ``bank``, or empty for everybody's together.
    """
    look = Look(game, seat)
    owners = [one or str(BANK) for one in look.play.owners]
    token = look.play.token(seat)
    rules = look.board.rules
    return Estate(
        owner=owner,
        is_mine=bool(owner) and owner == seat,
        groups=_groups_of(look, groups, owner),
        stock=tuple(
            Stock(kind, left, total)
            for (kind, total), left in zip(rules.pieces, look.play.pieces, strict=True)
            if total
        ),
        hotels=token.hotels if token else 0,
        waits=_waits(look),
        is_soon=not game.is_closed and look.play.stage is not Stage.OVER,
        has_mortgages=rules.mortgage.exists,
        deed_count={one: owners.count(one) for one in dict.fromkeys(owners)},
    )


def deed_view(game: Game, groups: Sequence[Group], seat: str, deed: str) -> DeedView:
    """One deed.

    Raises:
        KeyError: If the game has no deed of that id.
    """
    look = Look(game, seat)
    at = look.board.index[deed]
    return _view(look, groups, at, buttons_by_deed(look).get(deed, ()))


def small_view(look: Look, groups: Sequence[Group], at: int) -> DeedView:
    """The deed at index *at* of the rulebook, without anything to press."""
    return _view(look, groups, at, (), is_small=True)


def _groups_of(
    look: Look, groups: Sequence[Group], owner: str
) -> tuple[GroupView, ...]:
    """The groups of which something lies in that wallet."""
    board, buttons = look.board, buttons_by_deed(look)
    found = []
    for members in board.groups:
        shown = [board.rules.deeds[at].id for at in members]
        deeds = tuple(
            _view(look, groups, at, buttons.get(deed, ()))
            for at, deed in zip(members, shown, strict=True)
        )
        held = tuple(x for x in deeds if owner in ("", x.owner or BANK))
        plan = next((shown[i] for i, x in enumerate(members) if can_plan(look, x)), "")
        if held:
            found.append(GroupView(deeds[0].band, deeds, held, plan))
    return tuple(found)


def _view(
    look: Look,
    groups: Sequence[Group],
    at: int,
    buttons: tuple[Button, ...],
    *,
    is_small: bool = False,
) -> DeedView:
    board, play = look.board, look.play
    deed = board.rules.deeds[at]
    costs = dict(zip(deed.ladder, deed.costs, strict=True))
    is_mine = bool(play.owners[at]) and play.owners[at] == look.seat
    is_told = is_mine and not is_small
    said, rules = reasons(look, at, buttons) if is_told else ((), ())
    return DeedView(
        id=deed.id,
        name=deed.name,
        kind=deed.kind,
        band=band_of(groups, deed),
        owner=play.owners[at],
        price=deed.price,
        costs=tuple((kind, cost) for kind, cost in costs.items() if cost != 0),
        mortgage=deed.mortgage if board.rules.mortgage.exists else 0,
        is_loan_likely=board.is_likely(deed.id, "mortgage"),
        rent=rent_at(board, play, at),
        pieces=pieces_at(board, at, play.levels[at]),
        is_mortgaged=play.mortgaged[at],
        is_locked=deed.is_locked and not play.owners[at],
        is_by_key=deed.is_locked and deed.price is None,
        is_mine=is_mine,
        buttons=buttons,
        reasons=said,
        rules=rules,
        blanks=() if is_small else blanks_of(look, deed.id),
    )


def band_of(groups: Sequence[Group], deed: RuleDeed) -> Band:
    """The head of a deed; a group without a colour is grey and has its own name."""
    for mark, group in enumerate(groups):
        if group.id == deed.group:
            ink = ink_on(group.colour)
            return Band(group.id, common(group.name), group.colour, ink, mark)
    name = deed.group.replace("-", " ").capitalize()
    return Band(deed.group, name, NO_COLOUR, ink_on(NO_COLOUR), 0)


def can_plan(look: Look, at: int) -> bool:
    """Whether the looking seat may ever plan the group of that deed as it has it."""
    board, owners = look.board, look.play.owners
    if not board.rules.deeds[at].ladder or owners[at] != look.seat:
        return False
    sites = board.sites[at]
    lacking = sum(owners[one] != look.seat for one in sites)
    return len(sites) > 1 and lacking <= spare(board, at, 1)


def can_type(game: Game, seat: str) -> bool:
    """Whether *seat* may now type in a figure that nobody knows."""
    found = dict(moves_by_kind(game, seat, (m.ReadBox,))).get(m.ReadBox, [])
    return any(isinstance(one, Range) for one in found)


ESTATE_MOVES = (m.Build, m.Unbuild, m.Mortgage, m.LiftMortgage)


def _waits(look: Look) -> str:
    """Why the seat cannot touch its deeds now; empty if it can, or has none."""
    play, token = look.play, look.play.token(look.seat)
    if token is None or token.is_out or look.seat not in play.owners:
        return ""
    found = [out_of_turn(look.game, look.seat, kind) for kind in ESTATE_MOVES]
    refused = [one for one in found if one is not None]
    if len(refused) < len(found):
        return ""
    return look.refused(refused[0]) if look.game.is_closed else awaited(look.game)
