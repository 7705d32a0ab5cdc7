"""One space of the board, ready to be drawn.

A space lies in a *cell*, the rectangle that the layout of the board gives it. Its
*parts* are the rooms for picture, name and price in that cell, and its *lettering* is
the name broken into lines that fit. The space of a deed also has a *band*, a strip in
the colour of its group; the pictures of the buildings stand on the band.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from companion.edition.shape import Group
from companion.game import Game
from companion.game.board import Board
from companion.game.game import SeatState
from companion.game.playing_tickets import tickets_left
from companion.game.rulebook import STREET, RuleDeed, RuleSpace
from companion.game.spaces import SpaceKind
from companion.units import Dollars
from companion.views.board_layout import (
    Cell,
    Parts,
    Rect,
    arrange_parts,
    squares_on_band,
)
from companion.views.lettering import Lettering, fit_words
from companion.words import counted, say, say_count
from companion.words.common import common
from companion.words.money import dollars_text

Pieces = tuple[tuple[str, int], ...]
"""Buildings by kind and count: ``(("house", 3),)``."""

NO_COLOUR = "#777777"
"""The colour of a group for which the edition names none."""

LETTERS_MAX = 27
"""The greatest size of the letters of a name, in units of the drawing."""

BASELINE_PERCENT = 95
"""How far a baseline lies below the top of its line, in percent of the letter size."""

LIGHT_WEIGHTS = (299, 587, 114)
"""The shares of red, green and blue in lightness, in thousandths (ITU-R BT.601)."""

DARK_INK_MIN = 110_000
"""Dark letters stand on colours lighter than this; white has 255,000."""


class Band(msgspec.Struct, frozen=True):
    """The head of a deed: its group, shown by name, colour and pattern.

    Attributes:
        id: The id of the group.
        colour: ``#rrggbb``.
        ink: ``light`` or ``dark``, whichever can be read on that colour.
        mark: The number of the group's pattern, for people who cannot tell colours.
    """

    id: str
    name: str
    colour: str
    ink: str
    mark: int


class Player(msgspec.Struct, frozen=True):
    """A seat as the board shows it.

    Attributes:
        balance: The money in hand.
        worth: The money and all that the seat owns, as the rules count it.
        is_out: The seat is bankrupt or has left.
        has_left: The seat has left; one that is out but has not left is bankrupt.
        tickets: The number of its bus tickets, which lie face up.
    """

    seat: str
    name: str
    colour: str
    token: str
    balance: Dollars
    worth: Dollars
    is_mover: bool
    is_jailed: bool
    is_out: bool
    has_left: bool = False
    tickets: int = 0


class SpaceView(msgspec.Struct, frozen=True):
    """One space, ready to be drawn.

    Attributes:
        about: Everything about the space in one sentence, for people who cannot see it.
        parts: Where its picture, its name and its price stand.
        lettering: Its name, broken into lines that fit.
        band: The head of the deed that is bought here; ``None`` if there is none.
        note: A price, "mortgaged", "locked", or the number of tickets left; may be
            empty.
        deed: The id of the deed that is bought here; empty if there is none.
        owner: The seat that owns the deed; ``None`` if nobody does.
        built: Each building on the space: its kind, and its place on the band.
    """

    number: int
    kind: SpaceKind
    name: str
    about: str
    cell: Cell
    parts: Parts
    lettering: Lettering
    note: str = ""
    deed: str = ""
    band: Band | None = None
    owner: SeatState | None = None
    is_mortgaged: bool = False
    built: tuple[tuple[str, Rect], ...] = ()

    @property
    def baseline(self) -> int:
        """The y of the first line of the name, which is centred in its room."""
        room, letters = self.parts.name, self.lettering
        free = room.height - len(letters.lines) * letters.leading
        return room.y + free // 2 + letters.size * BASELINE_PERCENT // 100


def space_view(
    game: Game,
    groups: Sequence[Group],
    owners: Mapping[str, SeatState],
    number: int,
    cell: Cell,
) -> SpaceView:
    """Return the space with a board number, ready to be drawn in *cell*.

    *owners* is everybody who plays, by seat; *groups* tells the colours.
    """
    assert game.board is not None, "the companion leads"
    deed = game.board.deed_on(number)
    if deed is not None:
        return _deed_space(game, groups, owners, deed, cell)
    space = game.board.rules.spaces[number]
    name = space.name or say("Nobody knows")
    note = _note(space.amount, is_mortgaged=False) or _tickets_note(game, space)
    note = note or ("" if space.name else say("unknown"))
    parts = arrange_parts(cell, is_deed=False, has_note=bool(note))
    return SpaceView(
        number=number,
        kind=space.kind,
        name=name,
        about=_describe_plain(number, name, note),
        cell=cell,
        parts=parts,
        lettering=_lettering(space.name, parts),
        note=note,
    )


def _tickets_note(game: Game, space: RuleSpace) -> str:
    """Say how many bus tickets are left; empty unless *space* gives tickets."""
    board, play = game.board, game.play
    if board is None or play is None or space.kind != SpaceKind.BUS_TICKET:
        return ""
    return say("{count} left", count=tickets_left(play, board))


def _deed_space(
    game: Game,
    groups: Sequence[Group],
    owners: Mapping[str, SeatState],
    deed: RuleDeed,
    cell: Cell,
) -> SpaceView:
    play, board = game.play, game.board
    assert play is not None, "the companion leads"
    assert board is not None, "the companion leads"
    at = board.index[deed.id]
    owner, is_mortgaged = owners.get(play.owners[at]), play.mortgaged[at]
    buildings = pieces_at(board, at, play.levels[at])
    price = deed.price if owner is None else None
    is_locked = deed.is_locked and owner is None
    has_note = price is not None or is_mortgaged or is_locked
    parts = arrange_parts(
        cell, is_deed=True, has_note=has_note, has_flag=owner is not None
    )
    standing = [kind for kind, count in buildings for _ in range(count)]
    has_icon = deed.kind != STREET  # A railroad or a utility has a picture of its own.
    squares = squares_on_band(cell.band, len(standing) + (1 if has_icon else 0))
    if has_icon:
        parts = msgspec.structs.replace(parts, icon=squares[0])
        squares = squares[1:]
    return SpaceView(
        number=deed.space,
        kind=deed.kind,
        deed=deed.id,
        name=deed.name,
        about=_describe_deed(deed, owner, buildings, is_mortgaged=is_mortgaged),
        cell=cell,
        parts=parts,
        lettering=_lettering(deed.name, parts),
        note=say("locked") if is_locked else _note(price, is_mortgaged=is_mortgaged),
        band=band_of(groups, deed.group),
        owner=owner,
        is_mortgaged=is_mortgaged,
        built=tuple(zip(standing, squares, strict=True)),
    )


def pieces_at(board: Board, at: int, level: int) -> Pieces:
    """Return the buildings that stand on a deed when it has reached *level*.

    *at* is the deed's index in the rulebook. A level is a step of its ladder, the list
    of the buildings that may be built on it one after another.
    """
    counts = zip(board.kinds, board.used[at][level], strict=True)
    return tuple((kind, count) for kind, count in counts if count)


def band_of(groups: Sequence[Group], group_id: str) -> Band:
    """Return the head of the deeds of a group.

    A group that the edition does not list is grey and named after its id.
    """
    for mark, group in enumerate(groups):
        if group.id == group_id:
            ink = _ink_on(group.colour)
            return Band(group.id, common(group.name), group.colour, ink, mark)
    name = group_id.replace("-", " ").capitalize()
    return Band(group_id, name, NO_COLOUR, _ink_on(NO_COLOUR), 0)


def _ink_on(colour: str) -> str:
    """Return the ink that can be read on a colour (``Band.ink``)."""
    red_green_blue = bytes.fromhex(colour.removeprefix("#"))
    weighted = zip(LIGHT_WEIGHTS, red_green_blue, strict=True)
    lightness = sum(weight * part for weight, part in weighted)
    return "dark" if lightness > DARK_INK_MIN else "light"


def _note(amount: Dollars | None, *, is_mortgaged: bool) -> str:
    """Return the word or the price below a name; empty for none."""
    if is_mortgaged:
        return say("mortgaged")
    return dollars_text(amount) if amount is not None else ""


def _lettering(name: str, parts: Parts) -> Lettering:
    return fit_words(name, parts.name.width, parts.name.height, LETTERS_MAX)


def _describe_deed(
    deed: RuleDeed,
    owner: SeatState | None,
    buildings: Pieces,
    *,
    is_mortgaged: bool,
) -> str:
    """Describe a space for people who cannot see it (``SpaceView.about``)."""
    where = say("{number}: {name}", number=deed.space, name=deed.name)
    if owner is None:
        return say("{where}, owned by nobody", where=where)
    words = say("{where}, owned by {owner}", where=where, owner=owner.name)
    if is_mortgaged:
        return say("{mine}, mortgaged", mine=words)
    for kind, count in buildings:
        words = say(
            "{mine}, {standing}", mine=words, standing=buildings_text(kind, count)
        )
    return words


BUILDING_WORDS = {
    "house": counted("{count} house", "{count} houses"),
    "hotel": counted("{count} hotel", "{count} hotels"),
    "skyscraper": counted("{count} skyscraper", "{count} skyscrapers"),
    "depot": counted("{count} depot", "{count} depots"),
}
"""One and several buildings of each kind in words."""


def buildings_text(kind: str, count: int) -> str:
    """Say a number of buildings of one kind: ``3 houses``."""
    unlisted = (f"{{count}} {kind}", f"{{count}} {kind}s")
    singular, plural = BUILDING_WORDS.get(kind, unlisted)
    return say_count(count, singular, plural)


def _describe_plain(number: int, name: str, note: str) -> str:
    where = say("{number}: {name}", number=number, name=name)
    return say("{where}, {amount}", where=where, amount=note) if note else where
