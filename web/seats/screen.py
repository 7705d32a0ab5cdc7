"""The table's own screen, readable across the room, and the QR code for joining."""

from __future__ import annotations

import io

import segno
from flask import Blueprint, Response, render_template, request

from companion.units import GameId
from companion.views.board import board_view
from companion.words import say
from web.decoder.page import VERDICT_WORDS, on_screen
from web.http.auth import is_local
from web.http.errors import Problem
from web.http.panel import panel
from web.http.render import known_game, table_address
from web.http.sentences import names_in

blueprint = Blueprint("screen", __name__)
LINES_SHOWN = 4


@blueprint.get("/table")
def table() -> str:
    """Balances, vault and last events of one game, for everybody to see.

    While there is no host, the machine's own screen, and no other, shows the code that
    makes a phone the host.
    """
    service, vault = panel().table, panel().vault
    code = panel().seating.first_run_code() if is_local() else None
    game_id = GameId(request.args.get("game", "")) or service.current()
    view = service.table_view(known_game(game_id)) if game_id else None
    edition = panel().editions(view.edition) if view else None
    game = service.game(view.game_id) if view else None
    board = board_view(game, edition.groups) if game and edition else None
    return render_template(
        "table.html",
        table=view,
        names=names_in(view) if view else {},
        edition=edition,
        board=board,
        lines=view.lines[:LINES_SHOWN] if view else (),
        code=code,
        has_host=panel().seating.first_run_code() is None,
        vault=vault.view() if vault else None,
        vault_in_game=vault.seen(view.game_id) if vault and view else None,
        looked=on_screen(),
        verdict_words=VERDICT_WORDS,
    )


@blueprint.get("/join.svg")
def join_code() -> Response:
    """The table's address, or that of one game, as a QR code."""
    game_id = GameId(request.args.get("game", ""))
    address = table_address()
    if not address:
        raise Problem(
            503,
            "no_network",
            say("expected this machine to be on a network, it is on none"),
            say("connect it to the Wi-Fi; the code appears by itself"),
        )
    path = f"/g/{known_game(game_id)}/" if game_id else "/"
    return drawn_code(address + path)


def drawn_code(content: str) -> Response:
    """*content* as a QR code."""
    drawn = io.BytesIO()
    segno.make(content, error="m").save(
        drawn, kind="svg", border=3, dark="#0c1915", light="#faf4e3", xmldecl=False,
        svgns=True, omitsize=True,
    )  # fmt: skip
    return Response(drawn.getvalue(), mimetype="image/svg+xml")
