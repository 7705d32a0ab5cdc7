"""The board as everybody at the table sees it, and the side of it that a phone shows.

The *mover* is the player whose turn it is. The *pot* is the money on Free Parking, if
the table plays with one. The *vault* is the safe of some editions; it holds money, keys
and hotels.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from companion.edition.shape import Group
from companion.game import Game
from companion.game.game import SeatState
from companion.game.move_run import MoveRun
from companion.game.stage import Stage
from companion.rules.ending import worth
from companion.units import POT, VAULT, Account, Dollars
from companion.views.badge import seat_states
from companion.views.board_layout import (
    TABLE,
    BoardSize,
    Cell,
    lay_out,
    lay_out_strip,
    side_of,
    token_spots,
)
from companion.views.deed_rents import rent_at
from companion.views.space import Player, SpaceView, space_view
from companion.views.space_ask import unread_spaces
from companion.views.turn_buttons import Look
from companion.views.turn_words import awaited, follows
from companion.words import say, say_count
from companion.words.money import dollars_text


class TokenView(msgspec.Struct, frozen=True):
    """A token on the board.

    Attributes:
        space: The board number of the space on which it stands.
        about: Whose token stands where, for people who cannot see the board.
        x: Its centre, from the left in units of the drawing.
        y: Its centre, from the top.
        radius: Half its width.
    """

    player: Player
    space: int
    about: str
    x: int
    y: int
    radius: int


class BoardView(msgspec.Struct, frozen=True):
    """The whole board.

    Attributes:
        frame: The size of the drawing.
        spaces: All spaces, in the order of play.
        tokens: The tokens of players who are not out.
        players: All players, in the order of play.
        actor: The player whom the table waits for: who owes, or whose turn it is.
        stage: What the rules wait for.
        turn: The number of times the dice were passed on.
        is_to_roll: The dice lie as somebody else left them.
        awaited: What the table waits for, as a sentence.
        follows: What the third die makes happen after that; mostly empty.
        unread: Questions to everybody about spaces that the edition does not know.
        dice: The faces last rolled, as numbers or words; empty before the first roll.
        pot: The money in the pot, in dollars.
        vault: The money in the vault, in dollars.
        inside: The vault's keys and hotels, in words; empty if there is no vault.
        winners: The winners once the game is over; empty before that.
    """

    frame: BoardSize
    spaces: tuple[SpaceView, ...]
    tokens: tuple[TokenView, ...]
    players: tuple[Player, ...]
    actor: Player
    stage: Stage
    turn: int
    is_to_roll: bool
    awaited: str
    follows: str
    unread: tuple[str, ...]
    dice: tuple[int | str, ...]
    pot: Dollars
    vault: Dollars
    inside: str
    winners: tuple[Player, ...]

    @property
    def shows_worth(self) -> bool:
        """Whether anybody is worth more or less than the money in hand."""
        return any(player.worth != player.balance for player in self.players)

    @property
    def ranked(self) -> tuple[Player, ...]:
        """The players, the richest first; those who are out come last."""
        rank = sorted(self.players, key=lambda player: (player.is_out, -player.worth))
        return tuple(rank)

    def place_of(self, player: Player) -> int:
        """Return how many are richer than *player*, plus one; 0 while all are equal."""
        worths = [other.worth for other in self.players if not other.is_out]
        if len(set(worths)) < 2 or player.is_out:
            return 0
        return 1 + sum(worth > player.worth for worth in worths)


def board_view(
    game: Game, groups: Sequence[Group], frame: BoardSize = TABLE
) -> BoardView | None:
    """Return the board of *game*; ``None`` while the companion does not lead it.

    Args:
        game: The game as it stands.
        groups: The groups of its edition, for their colours.
        frame: The size of the drawing.
    """
    play, board = game.play, game.board
    if play is None or board is None or not game.is_guided:
        return None
    states = seat_states(game)
    seats = (token.seat for token in play.tokens)
    players = {str(seat): _player(game, states[seat]) for seat in seats}
    cells = lay_out(board.size, frame)
    is_debt = play.stage is Stage.DEBT and bool(play.debts)
    spaces = tuple(
        space_view(game, groups, states, number, cell)
        for number, cell in enumerate(cells)
    )
    return BoardView(
        frame=frame,
        spaces=spaces,
        tokens=_tokens(game, players, cells),
        players=tuple(players.values()),
        actor=players[play.debts[0].debtor if is_debt else play.mover.seat],
        stage=play.stage,
        turn=play.turn_number,
        is_to_roll=play.stage is Stage.ROLL and not play.doubles,
        awaited=awaited(game),
        follows=follows(Look(game, "")),
        unread=unread_spaces(game),
        dice=play.faces,
        pot=game.ledger[POT],
        vault=game.ledger[VAULT],
        inside=_inside(game),
        winners=tuple(players[seat] for seat in play.winners),
    )


def _inside(game: Game) -> str:
    """Say how many keys and hotels the vault holds; empty if there is no vault."""
    contents = game.play.vault_contents if game.play is not None else None
    if contents is None:
        return ""
    return say(
        "{keys}, {hotels}",
        keys=say_count(contents.keys, "{count} key", "{count} keys"),
        hotels=say_count(contents.hotels, "{count} hotel", "{count} hotels"),
    )


def _player(game: Game, state: SeatState) -> Player:
    """Return a seat as the board shows it; one that is out is worth nothing."""
    play = game.play
    assert play is not None, "the companion leads"
    token = play.token_of(state.seat)
    return Player(
        seat=state.seat,
        name=state.name,
        colour=state.colour,
        token=state.token,
        balance=game.ledger[Account(state.seat)],
        worth=0 if token.is_out else worth(MoveRun(game), state.seat),
        is_mover=token is play.mover
        and not (play.base is Stage.OVER or game.is_closed),
        is_jailed=token.is_jailed,
        is_out=token.is_out,
        has_left=state.seat in game.left,
        tickets=token.tickets,
    )


def _tokens(
    game: Game, players: dict[str, Player], cells: tuple[Cell, ...]
) -> tuple[TokenView, ...]:
    """Return the tokens of all players who are not out, beside each other."""
    look = Look(game, "")
    standing: dict[int, list[Player]] = {}
    for token in look.play.tokens:
        if not token.is_out:
            standing.setdefault(token.space, []).append(players[token.seat])
    views = []
    for space, here in standing.items():
        places = token_spots(cells[space], len(here))
        for player, spot in zip(here, places, strict=True):
            name = look.space(space)
            about = say("{who} stands on {space}", who=player.name, space=name)
            views.append(TokenView(player, space, about, spot.x, spot.y, spot.radius))
    return tuple(views)


class StripView(msgspec.Struct, frozen=True):
    """One side, large enough for a phone, ready to be drawn.

    Attributes:
        spaces: Its spaces in the order of play, with both corners. The note of a deed
            that another seat owns is its rent.
        tokens: The tokens that stand there.
        here: The space under the seat's token.
    """

    frame: BoardSize
    spaces: tuple[SpaceView, ...]
    tokens: tuple[TokenView, ...]
    here: SpaceView


def strip_view(
    game: Game, groups: Sequence[Group], board: BoardView, seat: str
) -> StripView | None:
    """Return the side on which *seat* stands; ``None`` if it has no token.

    *groups* tells the colours, and *board* is the board of the same game.
    """
    token_of = {token.player.seat: token for token in board.tokens}
    if seat not in token_of:
        return None
    own_space = token_of[seat].space
    side = side_of(len(board.spaces), own_space)
    frame, cells = lay_out_strip(len(side))
    states = seat_states(game)
    spaces = tuple(
        _with_rent(game, seat, space_view(game, groups, states, number, cell))
        for number, cell in zip(side, cells, strict=True)
    )
    return StripView(
        frame=frame,
        spaces=spaces,
        tokens=_tokens_on_side(board, dict(zip(side, cells, strict=True))),
        here=spaces[side.index(own_space)],
    )


def _with_rent(game: Game, seat: str, space: SpaceView) -> SpaceView:
    """Note the rent on the space of a deed that another seat owns."""
    board, play = game.board, game.play
    assert board is not None, "the companion leads"
    assert play is not None, "the companion leads"
    deed = board.deed_on(space.number)
    if deed is None or space.owner is None or space.is_mortgaged:
        return space
    if space.owner.seat == seat:
        return space
    rent = rent_at(board, play, board.index[deed.id])
    if not rent.is_due or rent.amount is None:
        return space
    amount = dollars_text(rent.amount)
    times = say("{times} \N{MULTIPLICATION SIGN} dice", times=rent.amount)
    return msgspec.structs.replace(space, note=times if rent.is_times else amount)


def _tokens_on_side(board: BoardView, cells: dict[int, Cell]) -> tuple[TokenView, ...]:
    standing: dict[int, list[TokenView]] = {}
    for token in board.tokens:
        if token.space in cells:
            standing.setdefault(token.space, []).append(token)
    return tuple(
        msgspec.structs.replace(token, x=spot.x, y=spot.y, radius=spot.radius)
        for space, here in standing.items()
        for token, spot in zip(here, token_spots(cells[space], len(here)), strict=True)
    )
