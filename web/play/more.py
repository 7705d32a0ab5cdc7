"""The page *More*: links to a game's pages without a tab, and settings of the phone.

A game's bar of *tabs* has room for only a few of its pages. Of the others, this page
lists those that are of use to the phone.
"""

from __future__ import annotations

import msgspec
from flask import Blueprint

from companion.game import Game
from companion.game.stage import Stage
from companion.units import GameId
from companion.views.rules_in_short import tips_for
from companion.views.table import SeatView, has_ended
from companion.views.turn_buttons import Button
from companion.words import say
from web.http.auth import caller
from web.http.frame import tabs_of_game
from web.http.may import may
from web.http.panel import panel
from web.http.render import my_view, page
from web.play.pages import RENDER_AGAIN
from web.play.play import turn_here

blueprint = Blueprint("more", __name__)


class Row(msgspec.Struct, frozen=True):
    """A link to another page, with a note on what is there.

    Attributes:
        sign: The id of its picture in ``tabs.svg``.
        address: The address of the page.
        words: The name of the page.
        note: A few words on its content.
        waiting: How many requests on it wait for this phone's answer.
    """

    sign: str
    address: str
    words: str
    note: str
    waiting: int = 0


@blueprint.get("/g/<game_id>/more")
def more(game_id: GameId) -> str:
    """Show the links to a game's pages that have no tab."""
    return more_page(my_view(game_id))


def more_page(view: SeatView, **more: object) -> str:
    """Render the page *More*; *more* may hold a ``problem``."""
    game = panel().table.game(view.table.game_id)
    return page(
        "more.html", view, rows=rows(view, game), **leave_buttons(view, game), **more
    )


RENDER_AGAIN["more"] = more_page


def rows(view: SeatView, game: Game) -> tuple[Row, ...]:
    """Return the links for the phone that *view* is for."""
    base, box = f"/g/{view.table.game_id}/", f"/editions/{view.table.edition}"
    tabs = tabs_of_game(view)
    has_vault = panel().vault is not None and view.table.has_vault
    is_hidden = {
        "bank": not view.is_banker or tabs.has("bank"),
        "scores": not has_ended(game),
        "vault": not has_vault or tabs.has("vault"),
        "real": panel().decoder is None or tabs.has("real"),
        "invite": view.table.is_closed,
        "pause": game.play is None,
        "rules": game.board is None,
        "figures": not view.is_banker,
        "games": not may("games.games"),
    }
    pause_note = say("pack up, set up again")
    if view.table.is_closed:
        pause_note = say("what is packed where")
    bank_note = say("let people in, fix mistakes")
    all_rows = (
        Row("bank", f"{base}bank", say("Bank"), bank_note, tabs.waiting),
        Row("scores", f"{base}ending", say("Scores"), say("the final count")),
        Row("history", f"{base}history", say("History"), say("all that happened")),
        Row("vault", "/vault", say("Vault"), say("wheel, lid and lock, live")),
        Row("real", "/decoder", say("Real?"), say("look at a note")),
        Row("invite", f"{base}invite", say("Invite"), say("the code to scan")),
        Row("pause", f"{base}pause", say("Pause"), pause_note),
        Row("rules", f"{base}rules", say("Rules"), _rules_note(game)),
        Row(
            "screen",
            f"/table?game={view.table.game_id}",
            say("The table's screen"),
            say("for all to see"),
        ),
        Row("figures", box, say("Figures of this box"), say("prices, rents, cards")),
        Row("games", "/games", say("All games"), say("open one, put one away")),
    )
    shown = (row for row in all_rows if not is_hidden.get(row.sign))
    return (*_other_games(view.table.game_id), *shown)


def _other_games(game_id: GameId) -> tuple[Row, ...]:
    """Return a link to each other open game in which this phone has a seat."""
    table, phone = panel().table, caller().phone
    seated_in = table.phones.games_of(phone.phone) if phone else frozenset()
    return tuple(
        Row(
            "play",
            f"/g/{one.game_id}/",
            say("Your other game"),
            f"{one.title}: {', '.join(table.standing(one.game_id).names)}",
        )
        for one in table.games()
        if one.game_id in seated_in and one.game_id != game_id and not one.is_closed
    )


def _rules_note(game: Game) -> str:
    has_tips = game.board is not None and bool(tips_for(game.board.rules))
    return say("in short, with tips for winning") if has_tips else say("in short")


def leave_buttons(view: SeatView, game: Game) -> dict[str, tuple[Button, ...] | None]:
    """Return the buttons by which this phone's seat leaves the game for good.

    ``leaving`` is ``None`` for a seat that cannot leave, and empty for one that has to
    wait for the end of an auction.
    """
    if view.seat is None or not game.is_guided:
        return {"leaving": None}
    turn = turn_here(view.table.game_id, game, view.by)
    if turn.stage == Stage.AUCTION and not turn.is_out:
        return {"leaving": ()}
    return {"leaving": turn.leaving or None}
