"""The host's page: open a game, close or reopen it, export it, throw it away."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from flask import Blueprint, Response, render_template, request

from companion.edition import Edition
from companion.edition.british import UK
from companion.errors import Refused
from companion.game import commands as c
from companion.game.codec import entries_to_json
from companion.game.envelope import Envelope
from companion.game.events import Awaits
from companion.store import GameSummary
from companion.store.ticks import TABLE
from companion.units import GameId
from companion.views.evenings import greatest
from companion.views.story_words import time_words
from companion.words import say
from web.http import fields
from web.http.address import go, is_in_catalogue, kept_game
from web.http.download import download
from web.http.errors import Problem, no_such_verb
from web.http.language import DOLLAR, language_code, language_of
from web.http.panel import panel
from web.http.render import default_name, table_address, table_wifi
from web.play.board import books

blueprint = Blueprint("games", __name__)

FOR_WHOM = {
    "classic": say("For everybody"),
    "grab-and-go": say("For the road"),
    "secret-vault": say("For safe-crackers"),
    "crooked-cash": say("For detectives"),
    "mega": say("For tycoons"),
}
"""For whom each edition is that comes with the program; each has a drawing of its own
in ``boxes.svg``."""

ABOUT = {
    "classic": say("Streets, houses and hotels, as everybody knows it."),
    "grab-and-go": say(
        "The travel game: classic rules, easy to pause and take up again."
    ),
    "secret-vault": say("Fill the vault, guess its number, take the riches."),
    "crooked-cash": say("Some notes are forged. Trust nobody; check with the decoder."),
    "mega": say("A bigger board, skyscrapers, depots and bus tickets."),
}
"""A sentence about each of them."""

AWAITS = {"": Awaits.NOTHING, "yes": Awaits.PLAY, "no": Awaits.BANKING}
"""How a game shall begin, by what the page says of the companion's lead."""


@blueprint.get("/games")
def games(problem: Problem | None = None) -> str:
    """All games of this table, and the boxes with which to open another."""
    games = panel().table.games()
    return render_template(
        "games.html",
        games=games,
        played_again={one.game_id for one in games if _may_play_again(one)},
        boxes=_boxes(games),
        edition_names=box_names(),
        problem=problem,
        form=request.form,
        has_cards=len(_to_join(games)) > 1,
    )


@blueprint.get("/games/cards")
def cards() -> str:
    """A card for each open game, as they were opened: its name, and how to join it."""
    games = panel().table.games()
    return render_template(
        "cards.html",
        games=_to_join(games)[::-1],
        edition_names=box_names(),
        address=table_address(),
        wifi=table_wifi(),
    )


LEFT_OUT = "left-out"
"""The table's own list with the keys of those who are not listed."""


@blueprint.get("/games/evenings")
def evenings() -> str:
    """Who won how often, and what stands out, over all games that have ended."""
    table = panel().table
    left_out = table.ticks.done(TABLE, LEFT_OUT)
    ended, unread = books().evenings(table.revisions())
    found = greatest(ended, left_out)
    return render_template(
        "evenings.html",
        greatest=found,
        unread=unread,
        left_out=sorted(left_out),
        minutes=time_words(found.longest.ms) if found.longest else "",
        amount=_amount,
        edition_names=box_names(),
    )


def _amount(dollars: int, edition: str) -> str:
    """Write an amount with the sign of the money in that box."""
    is_known = is_in_catalogue(edition)
    sign = panel().editions.base(edition).currency if is_known else DOLLAR
    return str(language_of(language_code(), sign).amount(dollars))


@blueprint.post("/games/evenings")
def list_person() -> Response:
    """Leave somebody out of that list, or list them again; no journal changes."""
    table, who = panel().table, fields.text(request.form, "who")
    ended, _ = books().evenings(table.revisions())
    listed = greatest(ended, ()).people
    if fields.text(request.form, "out") == "no":
        table.ticks.untick(TABLE, LEFT_OUT, who)
    elif who in {one.key for one in listed}:
        table.ticks.tick(TABLE, LEFT_OUT, who)
    return go("/games/evenings")


def _to_join(games: Iterable[GameSummary]) -> list[GameSummary]:
    """The games that people may come to: open, and not played on in another."""
    next_game = panel().built.next_game
    return [x for x in games if not x.is_closed and next_game(x.game_id) is None]


def _may_play_again(one: GameSummary) -> bool:
    """Whether a game was put away, and no open one follows it."""
    is_known = one.is_closed and is_in_catalogue(one.edition)
    return is_known and panel().built.next_game(one.game_id) is None


@dataclass(frozen=True, slots=True)
class Box:
    """A box that a game can be opened with.

    Attributes:
        edition: What is in it.
        picture: The id of its drawing.
        for_whom: In a few words; empty for a box from a file.
        about: A sentence about it.
        is_chosen: Whether it is chosen already: the latest that was played.
    """

    edition: Edition
    picture: str
    for_whom: str
    about: str
    is_chosen: bool


def _boxes(games: tuple[GameSummary, ...]) -> list[Box]:
    editions = [panel().editions(one) for one in panel().editions.ids]
    latest = [one.edition.removesuffix(UK) for one in games]
    wished = [request.form.get("edition", ""), *latest, editions[0].id]
    chosen = next(one for one in wished if one in panel().editions.ids)
    return [
        Box(
            one,
            one.id if one.id in FOR_WHOM else "plain",
            FOR_WHOM.get(one.id, ""),
            ABOUT.get(one.id) or one.about.note or say("From a file of this table."),
            is_chosen=one.id == chosen,
        )
        for one in editions
    ]


def box_names() -> dict[str, str]:
    """The name of each box by its edition id, as printed for America and for London."""
    editions = [panel().editions(one) for one in panel().editions.ids]
    american = {one.id: one.name for one in editions}
    return american | {one.id + UK: one.name_uk for one in editions}


@blueprint.post("/games")
def open_game() -> Response | tuple[str, int]:
    """Open a game; the host goes on to its bank, or to a seat if the host plays too.

    Where it is said whether the companion leads, the game waits until it is begun.
    """
    form = request.form
    printing = UK if form.get("printing") == "uk" else ""
    edition_id = fields.text(form, "edition") + printing
    command_id = fields.text(form, "command_id")
    try:
        name = form.get("name", "").strip() or default_name(
            panel().editions(edition_id).name
        )
        game_id = panel().table.open_game(
            edition_id,
            name,
            command_id,
            awaits=AWAITS.get(form.get("leads", ""), Awaits.NOTHING),
        )
    except Refused as refused:
        return _refused(refused)
    return go(f"/g/{game_id}/{'join' if form.get('play') == 'yes' else 'bank'}")


@blueprint.post("/g/<game_id>/again")
def again(game_id: GameId) -> Response:
    """Open a game like one that ended; a repeated tap leads to the same game."""
    try:
        opened = panel().built.play_again(game_id)
    except Refused as refused:
        said = (refused.why.value, refused.message, refused.remedy)
        back = (f"/g/{game_id}/", say("Back to the game"))
        raise Problem(409, *said, link=back) from None
    return go(f"/g/{opened}/")


@blueprint.get("/games/<game_id>/throw-away")
def throwing_away(game_id: GameId) -> Response | str | tuple[str, int]:
    """What would be lost by throwing a closed game away, and copies to keep."""
    kept_game(game_id)
    table = panel().table
    try:
        table.check_removal(game_id)
    except Refused as refused:
        return _refused(refused)
    game = table.game(game_id)
    summary = next(one for one in table.games() if one.game_id == game_id)
    return render_template(
        "throw_away.html",
        game=summary,
        box=box_names().get(summary.edition, summary.edition),
        is_readable=is_in_catalogue(summary.edition),
        seats=game.seats,
        entries_count=table.revision(game_id),
        may_play_again=_may_play_again(summary),
        has_script=game.play is not None,
        keeps_figures=table.keeps_readings(game_id),
    )


@blueprint.post("/games/<game_id>/throw-away")
def throw_away(game_id: GameId) -> Response | tuple[str, int]:
    """Throw a closed game away; a repeated tap finds it gone and does nothing."""
    if any(one.game_id == game_id for one in panel().table.games()):
        try:
            panel().table.remove_game(game_id)
        except Refused as refused:
            return _refused(refused)
        books().forget(game_id)
    return go("/games")


def _refused(refused: Refused) -> tuple[str, int]:
    problem = Problem(409, refused.why.value, refused.message, refused.remedy)
    return games(problem), 409


@blueprint.post("/games/<game_id>/<verb>")
def put_away(game_id: GameId, verb: str) -> Response | tuple[str, int]:
    """Close a game or reopen it."""
    kept_game(game_id)
    kinds = {"close": c.CloseGame, "reopen": c.ReopenGame}
    if verb not in kinds:
        raise no_such_verb(verb)
    command = kinds[verb](by=c.TABLE)
    envelope = Envelope(command, fields.text(request.form, "command_id"))
    try:
        panel().built.give(game_id, envelope)
    except Refused as refused:
        return _refused(refused)
    return go("/games")


@blueprint.get("/games/<game_id>/export.json")
def export(game_id: GameId) -> Response:
    """The whole game as one JSON document."""
    kept_game(game_id)
    table = panel().table
    entries = table.each_entry(game_id, 0, table.revision(game_id))
    pieces = entries_to_json(table.game(game_id).name, entries)
    return download(pieces, "application/json", f"{game_id}.json")
