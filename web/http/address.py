"""Addresses: the game or the box that one names, and the way on to another."""

from __future__ import annotations

import re

from flask import Response, current_app, redirect, request
from werkzeug.exceptions import HTTPException, MethodNotAllowed

from companion.edition import Edition
from companion.edition.british import UK
from companion.errors import Malformed
from companion.units import GameId
from companion.words import say
from web.http.auth import is_host
from web.http.errors import Problem, answer, is_fragment, not_found, wants_json
from web.http.language import pay_in
from web.http.panel import panel

GAME_ID = re.compile(r"[0-9a-f]{12}")


def known_game(game_id: GameId) -> GameId:
    """Return *game_id*, if its game is here and the edition that it is played by.

    Raises:
        Problem: 404 if there is no such game, 503 if its edition's file has gone.
    """
    edition_id = panel().table.game(kept_game(game_id)).terms.edition
    if not is_in_catalogue(edition_id):
        raise Problem(
            503,
            "edition_missing",
            say(
                "this game is played by an edition file that is not here: {edition}",
                edition=edition_id.removesuffix(UK),
            ),
            say(
                "nothing of the game is lost; put the file back into the folder "
                "“editions” beside the games, and start the table again"
            ),
            link=("/games", say("To all games")) if is_host() else None,
        )
    return game_id


def kept_game(game_id: GameId) -> GameId:
    """Return *game_id*, if its game is here, whether or not its edition is.

    Raises:
        Problem: 404 if there is not.
    """
    if not GAME_ID.fullmatch(game_id):
        raise _no_such_game()
    try:
        edition_id = panel().table.game(game_id).terms.edition
    except Malformed:
        raise _no_such_game() from None
    if is_in_catalogue(edition_id):
        pay_in(panel().editions.base(edition_id).currency)
    return game_id


def is_in_catalogue(edition_id: str) -> bool:
    """Tell whether there is an edition of that id, for America or for London."""
    return edition_id.removesuffix(UK) in panel().editions.ids


def known_edition(edition_id: str) -> Edition:
    """Return an edition with what this table read; the page takes its currency.

    Raises:
        Problem: 404 if there is none of that id.
    """
    if not is_in_catalogue(edition_id):
        way_on = ("/editions", say("To the boxes"))
        raise not_found(say("there is no such box"), say("look at all of them"), way_on)
    edition = panel().editions(edition_id)
    pay_in(edition.currency)
    return edition


def _no_such_game() -> Problem:
    """Make the problem of an address that names no game of this table."""
    return not_found(
        say("there is no such game on this table"),
        say("begin at the first page, or scan the code on the table's screen"),
    )


def go(address: str) -> Response:
    """Send a browser, or our own script, on to another page.

    A script that only asked for this page's content is told to leave the page; after
    a posted form it is redirected like a browser.
    """
    if is_fragment() and request.method == "GET":
        return Response(status=204, headers={"Location": address})
    response = redirect(address, 303)
    assert isinstance(response, Response)
    return response


def ask_where_posted(error: MethodNotAllowed) -> Response:
    """Send on whoever asks for an address that only takes forms, to the page above it.

    The answer to a form without script stands at the form's own address: a reload, the
    way back or another language asks for that.
    """
    is_page = request.method in ("GET", "HEAD") and not is_fragment()
    if not is_page or wants_json():
        return answer(error)
    return go(_page_above(request.path))


def _page_above(path: str) -> str:
    """Return the nearest page above *path*."""
    addresses = current_app.create_url_adapter(request)
    assert addresses is not None, "a request has addresses"
    while path := path.rpartition("/")[0]:
        for page in (path, f"{path}/"):
            try:
                addresses.match(page, "GET")
            except HTTPException:
                continue
            return page
    return "/"


def local(address: str) -> str:
    """Return *address* if it is on this table, else the first page.

    Raises:
        Malformed: For an address that is no address at all.
    """
    if len(address) > 500 or any(ord(x) < 32 for x in address):
        raise Malformed(
            say("this is no address of this table"),
            say("go back, load the page again and repeat it"),
        )
    is_ours = address.startswith("/") and not address.startswith(("//", "/\\"))
    return address if is_ours else "/"
