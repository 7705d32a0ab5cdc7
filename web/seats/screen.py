"""The table's own screen, readable across the room, and QR codes for joining.

The *screen* is a tablet, a television or the machine's own monitor that shows
``/table``. What it shows depends on the *situation*, such as an auction or the end of a
game; each has its own template.
"""

from __future__ import annotations

import enum
import io

import segno
from flask import Blueprint, Response, render_template, request

from companion.game import Game
from companion.game.stage import LAID_STAGES
from companion.store import GameSummary
from companion.units import GameId
from companion.views.auction import auction_view
from companion.views.board import BoardView, board_view
from companion.views.flash import card_read, peaks
from companion.views.heard import Heard, heard
from companion.views.laid import chips_of, laid_of
from companion.views.story_words import moments, story
from companion.views.table import SeatRow, TableView, goes_on, names_in
from companion.views.trade import latest_offer
from companion.views.vault_in_game import vault_in_game
from companion.words import say
from web.decoder.challenge import challenge_id
from web.decoder.page import VERDICT_WORDS, on_screen
from web.http.address import go, known_game
from web.http.auth import is_local
from web.http.errors import Problem
from web.http.panel import panel
from web.http.presence import QUIET_WORDS, missed_seats
from web.http.render import table_address, table_wifi
from web.play.board import ending_of
from web.play.play import newest_entries
from web.seats.games import box_names, list_standings, open_to_join

blueprint = Blueprint("screen", __name__)

LINES_SHOWN = 4
"""How many entries of the history the screen shows."""

MOMENTS_SHOWN = 4
"""How many sentences of the game's story the screen shows at the end."""

CHOSEN = "chosen"
"""The word in the address of a screen whose game was chosen among the open ones."""

SCREEN_COLOURS = "#0c1915", "#faf4e3"
"""The dark and the light colour of a QR code on a screen."""

PAPER_COLOURS = "#000", "#fff"
"""The dark and the light colour of a QR code on paper."""


class Situation(enum.StrEnum):
    """What the screen shows; ``templates/parts/screen_….html`` draws each situation."""

    FIRST = "first"  # No phone is the host yet.
    EMPTY = "empty"  # No game is open.
    BEFORE = "before"  # People take their seats.
    BANK = "bank"  # The companion is only the bank of the game.
    TURN = "turn"  # The companion leads the game.
    AUCTION = "auction"
    LAID = "laid"  # Money or a card lies on the table, to be looked at.
    OVER = "over"


@blueprint.get("/table")
def table() -> Response | str:
    """Show the balances, the vault and the latest events of a game.

    ``?game=`` names the game; without it, the game on the table is shown. While there
    is no host, only the machine's own screen shows the code that makes a phone one.
    """
    service = panel().table
    code = panel().seating.first_run_code() if is_local() else None
    named = GameId(request.args.get("game", ""))
    if named and (next_id := panel().built.next_game(known_game(named))):
        chosen = f"&{CHOSEN}=yes" if CHOSEN in request.args else ""
        return go(f"/table?game={next_id}{chosen}")
    game_id = named or service.on_table()
    view = service.table_view(known_game(game_id)) if game_id else None
    has_host = panel().seating.first_run_code() is None
    values = (
        _screen_values(view) if view is not None else {"situation": Situation.EMPTY}
    )
    if code or (view is None and not has_host):
        values["situation"] = Situation.FIRST
    return render_template(
        "table.html",
        table=view,
        code=code,
        wifi=table_wifi(),
        looked=on_screen(challenge_id(game_id) if game_id else ""),
        verdict_words=VERDICT_WORDS,
        others=_other_games(game_id, view),
        put_away="" if named else _put_away(service.games()),
        **values,
    )


def _put_away(games: tuple[GameSummary, ...]) -> str:
    """Return the name of the latest game if it was put away, else nothing."""
    return next((one.title for one in games[:1] if one.is_closed), "")


def _screen_values(view: TableView) -> dict[str, object]:
    game, edition = panel().table.game(view.game_id), panel().editions(view.edition)
    board = board_view(game, edition.groups)
    vault = panel().vault if view.has_vault else None
    in_game = vault.seen(view.game_id) if vault else None
    quiet = missed_seats(view.game_id)
    entries, undone = newest_entries(view)
    clock = panel().table.clock
    return {
        "situation": _choose_situation(game, board),
        "goes_on": goes_on(game),
        "names": names_in(view),
        "edition": edition,
        "board": board,
        "auction": auction_view(game, edition.groups),
        "laid": laid_of(game),
        "chips_of": chips_of(game),
        "offer": latest_offer(game, edition.groups) if game.is_guided else None,
        **_finale_values(view.game_id, game),
        "rows": _count_rows(view, board),
        "ranked": sort_by_balance(view.seats),
        "lines": view.lines[:LINES_SHOWN],
        "quiet": {seat: QUIET_WORDS[how] for seat, how in quiet.items()},
        "heard": _sounds_by_revision(view),
        "flashes": peaks(game, edition.groups, entries, undone, clock.now_ms()),
        "drawn": card_read(game, entries, undone),
        "vault": vault.view(view.game_id) if vault else None,
        "vault_in_game": in_game,
        "by_hand": None if in_game else vault_in_game(game),
    }


def _finale_values(game_id: GameId, game: Game) -> dict[str, object]:
    """Return the scores and best moments of a game; empty until it is over."""
    outcome = ending_of(game_id, game)
    if outcome is None:
        return {}
    score, facts = outcome
    chapters = story(facts, panel().table.names(game_id))
    return {"score": score, "moments": moments(chapters, MOMENTS_SHOWN)}


def _choose_situation(game: Game, board: BoardView | None) -> Situation:
    """Choose the situation; *board* is ``None`` if the game is not led."""
    if board is None:
        return Situation.BANK if game.has_begun else Situation.BEFORE
    if board.winners or board.stage == "over":
        return Situation.OVER
    if game.is_closed:
        return Situation.TURN  # The template then says that the game was closed.
    if board.stage in LAID_STAGES:
        return Situation.LAID
    return Situation.AUCTION if board.stage == "auction" else Situation.TURN


def _count_rows(view: TableView, board: BoardView | None) -> int:
    """Count the balances that the screen lists in the middle of the board."""
    if board is None:
        return len(view.seats)
    rows_count = len(board.players)
    if view.has_vault:
        rows_count += 1
    if board.pot:
        rows_count += 1
    return rows_count


def sort_by_balance(seats: tuple[SeatRow, ...]) -> tuple[SeatRow, ...]:
    """Sort the seats by balance, the richest first; equal ones keep their order."""
    return tuple(sorted(seats, key=lambda row: -row.balance))


def _sounds_by_revision(view: TableView) -> dict[int, Heard]:
    """Return the newest entries' sounds and spoken sentences, by revision."""
    names = panel().table.names(view.game_id)
    entries, undone = newest_entries(view)
    return {
        entry.revision: heard(entry, names(entry.revision))
        for entry in entries[-LINES_SHOWN:]
        if entry.revision not in undone
    }


def _other_games(game_id: GameId | None, view: TableView | None) -> str:
    """Return where the screen chooses among the open games; empty if it does not.

    A screen that names its game shows that one, unless it was chosen there or put away.
    """
    is_away = view is not None and view.is_closed
    is_bound = "game" in request.args and CHOSEN not in request.args and not is_away
    games = () if is_bound else open_to_join(panel().table.games())
    has_other = any(game.game_id != game_id for game in games)
    return f"/table/games?game={game_id}" if has_other else ""


@blueprint.get("/table/games")
def games() -> str:
    """Show all open games, for the screen to show one of them.

    ``?game=`` is the one that it shows now.
    """
    games = open_to_join(panel().table.games())
    return render_template(
        "table_games.html",
        games=games,
        stands=list_standings(games),
        edition_names=box_names(),
        shown=request.args.get("game", ""),
    )


@blueprint.get("/join.svg")
def join_code() -> Response:
    """Send the address of the table, or of the game in ``?game=``, as a QR code."""
    game_id = GameId(request.args.get("game", ""))
    address = table_address()
    if not address:
        raise Problem(
            503,
            "no_network",
            say("this machine is on no network"),
            say("connect it to the Wi-Fi; the code appears by itself"),
        )
    path = f"/g/{known_game(game_id)}/" if game_id else "/"
    colours = PAPER_COLOURS if request.args.get("for") == "paper" else SCREEN_COLOURS
    return draw_qr_code(address + path, colours)


def draw_qr_code(content: str, colours: tuple[str, str] = SCREEN_COLOURS) -> Response:
    """Draw *content* as a QR code in SVG, in a dark and a light colour."""
    dark, light = colours
    svg = io.BytesIO()
    segno.make(content, error="m").save(
        svg, kind="svg", border=3, dark=dark, light=light, xmldecl=False,
        svgns=True, omitsize=True,
    )  # fmt: skip
    return Response(svg.getvalue(), mimetype="image/svg+xml")
