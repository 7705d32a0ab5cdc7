"""Checks of the game or box that an address names, and redirects to other addresses.

Most addresses of the panel contain the id of a game (``/g/<game_id>/…``) or of an
edition, the rules and figures of one box. A game whose edition file was taken away
cannot be played, but can be exported and deleted.
"""

from __future__ import annotations

import re

from flask import Response, current_app, redirect, request
from werkzeug.exceptions import HTTPException, MethodNotAllowed

from companion.edition import Edition
from companion.edition.library import UK
from companion.errors import Malformed
from companion.units import GameId
from companion.words import say
from web.http.auth import is_host
from web.http.errors import Problem, answer, is_fragment, not_found, wants_json
from web.http.language import set_currency
from web.http.panel import panel

GAME_ID = re.compile(r"[0-9a-f]{12}")

ADDRESS_LENGTH_MAX = 500
"""The longest address that a form may send the browser back to."""


def known_game(game_id: GameId) -> GameId:
    """Return *game_id* if the table has that game and the game's edition.

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
    """Return *game_id* if the table has that game; its edition may be missing.

    If the edition is there, the page writes amounts in the edition's currency.

    Raises:
        Problem: 404 if there is no such game.
    """
    if not GAME_ID.fullmatch(game_id):
        raise _no_such_game()
    try:
        edition_id = panel().table.game(game_id).terms.edition
    except Malformed:
        raise _no_such_game() from None
    if is_in_catalogue(edition_id):
        set_currency(panel().editions.base(edition_id).currency)
    return game_id


def is_in_catalogue(edition_id: str) -> bool:
    """Tell whether the table has that edition, American or British."""
    return edition_id.removesuffix(UK) in panel().editions.ids


def known_edition(edition_id: str) -> Edition:
    """Return an edition with the figures that were typed in from this table's box.

    The page writes amounts in the edition's currency.

    Raises:
        Problem: 404 if there is no edition of that id.
    """
    if not is_in_catalogue(edition_id):
        link = ("/editions", say("To the boxes"))
        raise not_found(say("there is no such box"), say("look at all of them"), link)
    edition = panel().editions(edition_id)
    set_currency(edition.currency)
    return edition


def _no_such_game() -> Problem:
    return not_found(
        say("there is no such game on this table"),
        say("begin at the first page, or scan the code on the table's screen"),
    )


def go(address: str) -> Response:
    """Redirect a browser, or our own script, to another page.

    A script that asked for a page's new content gets a 204 with a ``Location``, and
    opens that page. Everything else gets a 303.
    """
    if is_fragment() and request.method == "GET":
        return Response(status=204, headers={"Location": address})
    response = redirect(address, 303)
    assert isinstance(response, Response)
    return response


def ask_where_posted(error: MethodNotAllowed) -> Response:
    """Redirect a GET for an address that only takes forms, to the page above it.

    Without script, the answer to a form stands at the form's own address, so reloading
    it or choosing another language there sends such a GET.
    """
    is_page = request.method in ("GET", "HEAD") and not is_fragment()
    if not is_page or wants_json():
        return answer(error)
    return go(_page_above(request.path))


def _page_above(path: str) -> str:
    """Return the nearest page above *path*; the first page if there is none."""
    urls = current_app.create_url_adapter(request)
    assert urls is not None, "a request always has an adapter"
    while path := path.rpartition("/")[0]:
        for page in (path, f"{path}/"):
            try:
                urls.match(page, "GET")
            except HTTPException:
                continue
            return page
    return "/"


def local(address: str) -> str:
    """Return *address* if it is a path of this table, else ``/``.

    Raises:
        Malformed: If it is too long or has control characters.
    """
    has_control_characters = any(ord(character) < 32 for character in address)
    if len(address) > ADDRESS_LENGTH_MAX or has_control_characters:
        raise Malformed(
            say("this is no address of this table"),
            say("go back, load the page again and repeat it"),
        )
    # Browsers take what follows "//" or "/\" for the name of another host.
    is_ours = address.startswith("/") and not address.startswith(("//", "/\\"))
    return address if is_ours else "/"
