"""The table as a smart home may see it: no more than anybody in the room sees.

The table's machine can report to the automation of the house. The report leaves out the
vault's code, the number on its wheel, guesses, and hidden cards.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from companion.game import Game
from companion.lock.states import VaultState
from companion.lock.view import Lid, VaultView
from companion.rules.begin import is_playing
from companion.rules.seats import COLOURS
from companion.units import Account, Dollars
from companion.views.table import goes_on

Stage = Literal["no game", "getting ready", "playing", "over"]
"""How far the game on the table is."""

IS_LOCKED: dict[VaultState, bool] = {
    VaultState.OPEN: False,
    VaultState.SHUT: False,  # It opens at any number.
    VaultState.LOCKED: True,
    VaultState.RELEASING: False,
    VaultState.JAMMED: False,  # It should be open.
    VaultState.FORCED: False,
}
"""Whether the bolt holds the lid, by state; unknown in all others."""

IN_NEED = frozenset({VaultState.JAMMED, VaultState.FORCED, VaultState.FAULT})
"""The states in which a person has to look after the vault."""


class HomeSeat(msgspec.Struct, frozen=True):
    """The player of a colour and the money in hand; no name if nobody plays it."""

    colour: str
    name: str = ""
    balance: Dollars = 0


class HomeVault(msgspec.Struct, frozen=True):
    """The vault as seen from outside.

    Attributes:
        is_locked: The bolt holds the lid; ``None`` if that is unknown.
        is_lid_open: The lid is open; ``None`` if that is unknown.
    """

    is_locked: bool | None
    is_lid_open: bool | None


class HomeView(msgspec.Struct, frozen=True):
    """The table as the home may see it.

    Attributes:
        game: The name of the game on the table; empty if there is none.
        stage: How far that game is.
        turn: The name of the player whose turn it is; empty if it is nobody's.
        is_in_need: A person has to look after the vault or the machine.
        vault: The vault; ``None`` if this table has none.
        seats: One for each colour that a seat can have.
    """

    game: str
    stage: Stage
    turn: str
    is_in_need: bool
    vault: HomeVault | None
    seats: tuple[HomeSeat, ...]


def home_view(game: Game | None, vault: VaultView | None, *, is_well: bool) -> HomeView:
    """Return what the home may know of the table.

    Args:
        game: The game on the table; ``None`` if there is none.
        vault: The vault; ``None`` if this table has none.
        is_well: The table's machine reports no trouble.
    """
    return HomeView(
        game="" if game is None else game.name,
        stage=_stage(game),
        turn="" if game is None else _turn(game),
        is_in_need=not is_well or (vault is not None and vault.state in IN_NEED),
        vault=None if vault is None else _vault(vault),
        seats=_seats(game),
    )


def _stage(game: Game | None) -> Stage:
    if game is None:
        return "no game"
    if not goes_on(game):
        return "over"
    return "playing" if game.has_begun else "getting ready"


def _turn(game: Game) -> str:
    if not is_playing(game) or game.play is None:
        return ""
    seat = game.seat(game.play.mover.seat)
    return "" if seat is None else seat.name


def _vault(view: VaultView) -> HomeVault:
    is_lid_known = view.lid is not Lid.UNKNOWN
    return HomeVault(
        is_locked=IS_LOCKED.get(view.state),
        is_lid_open=view.lid is Lid.OPEN if is_lid_known else None,
    )


def _seats(game: Game | None) -> tuple[HomeSeat, ...]:
    """Return a seat for each colour, always in the same order."""
    taken: dict[str, HomeSeat] = {}
    if game is not None:
        for state in game.present():
            balance = game.ledger[Account(state.seat)]
            taken[state.colour] = HomeSeat(state.colour, state.name, balance)
    return tuple(taken.get(colour, HomeSeat(colour)) for colour in COLOURS)
