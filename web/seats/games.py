"""The host's pages: open a game, close or reopen it, export it, delete it.

The host is the phone that typed the digits from the table's own screen. A game
*follows* another if it was opened by *Play again* with the same seats. The page
*Over many evenings* lists who won how often in all games that have ended.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from flask import Blueprint, Response, render_template, request

from companion.edition import Edition
from companion.edition.library import UK
from companion.errors import Refused
from companion.game import commands as c
from companion.game.codec import entries_to_json
from companion.game.envelope import Envelope
from companion.game.events import Awaits
from companion.store import GameSummary
from companion.store.ticks import TABLE
from companion.units import GameId
from companion.views.evenings import Evening, Greatest, greatest
from companion.views.standing import Standing
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
"""The audience of each edition that comes with the program.

Each of these editions has a drawing in ``boxes.svg``.
"""

ABOUT = {
    "classic": say("Streets, houses and hotels, as everybody knows it."),
    "grab-and-go": say(
        "The travel game: classic rules, easy to pause and take up again."
    ),
    "secret-vault": say("Fill the vault, guess its number, take the riches."),
    "crooked-cash": say("Some notes are forged. Trust nobody; check with the decoder."),
    "mega": say("A bigger board, skyscrapers, depots and bus tickets."),
}
"""A sentence about each of these editions."""

AWAITS = {"": Awaits.NOTHING, "yes": Awaits.PLAY, "no": Awaits.BANKING}
"""What a new game waits for before it begins, by the form's field ``leads``.

The field says whether the companion is to lead the game; it may be empty.
"""


@blueprint.get("/games")
def games(problem: Problem | None = None) -> str:
    """Show all games of this table, and the boxes for a new one."""
    games = panel().table.games()
    return render_template(
        "games.html",
        games=games,
        stands=list_standings(games),
        played_again={game.game_id for game in games if _may_play_again(game)},
        boxes=_list_boxes(games),
        edition_names=box_names(),
        problem=problem,
        form=request.form,
        has_cards=len(open_to_join(games)) > 1,
    )


@blueprint.get("/games/cards")
def cards() -> str:
    """Show a card with name and address for each open game, the oldest first."""
    games = open_to_join(panel().table.games())[::-1]
    return render_template(
        "cards.html",
        games=games,
        stands=list_standings(games),
        edition_names=box_names(),
        address=table_address(),
        wifi=table_wifi(),
    )


LEFT_OUT = "left-out-people"
"""The table's list of people who are left out of the records."""

OLD_LEFT_OUT = "left-out"
"""Such a list of older versions, which joined more names to one person."""


@blueprint.get("/games/evenings")
def evenings() -> str:
    """Show who won how often, and records, over all games that have ended."""
    ended, unread_count = books().evenings(panel().table.revisions())
    records = _greatest(ended)
    return render_template(
        "evenings.html",
        greatest=records,
        unread=unread_count,
        minutes=time_words(records.longest.ms) if records.longest else "",
        amount=_write_amount,
        edition_names=box_names(),
    )


def _greatest(ended: Sequence[Evening]) -> Greatest:
    ticks = panel().table.ticks
    old_left_out = ticks.done(TABLE, OLD_LEFT_OUT)
    return greatest(ended, ticks.done(TABLE, LEFT_OUT), old_left_out)


def _write_amount(dollars: int, edition: str) -> str:
    """Write an amount with an edition's currency sign; if it is gone, with ``$``."""
    is_known = is_in_catalogue(edition)
    sign = panel().editions.base(edition).currency if is_known else DOLLAR
    return str(language_of(language_code(), sign).amount(dollars))


@blueprint.post("/games/evenings")
def list_person() -> Response:
    """Leave a person out of the records, or list them again; no game is changed."""
    table, key = panel().table, fields.text(request.form, "who")
    ended, _ = books().evenings(table.revisions())
    records, ticks = _greatest(ended), table.ticks
    for person in records.left_out:  # Even those whom only the old list names.
        ticks.tick(TABLE, LEFT_OUT, person.key)
    for old_key in {old for person in records.left_out for old in person.old_keys}:
        ticks.untick(TABLE, OLD_LEFT_OUT, old_key)
    if fields.text(request.form, "out") == "no":
        ticks.untick(TABLE, LEFT_OUT, key)
    elif key in {person.key for person in records.people}:
        ticks.tick(TABLE, LEFT_OUT, key)
    return go("/games/evenings")


def list_standings(games: Iterable[GameSummary]) -> dict[GameId, Standing]:
    """Return who sits at each of *games* and how it stands."""
    return {game.game_id: panel().table.standing(game.game_id) for game in games}


def open_to_join(games: Iterable[GameSummary]) -> list[GameSummary]:
    """Return the open games that no other game follows."""
    next_game = panel().built.next_game
    return [
        game for game in games if not game.is_closed and next_game(game.game_id) is None
    ]


def _may_play_again(game: GameSummary) -> bool:
    """Tell whether a game is closed, its edition known, and no other follows it."""
    is_playable = game.is_closed and is_in_catalogue(game.edition)
    return is_playable and panel().built.next_game(game.game_id) is None


@dataclass(frozen=True, slots=True)
class Box:
    """A box with which a game can be opened.

    Attributes:
        edition: The edition in the box.
        picture: The id of its drawing.
        for_whom: Its audience; empty for a box from a file.
        about: A sentence about it.
        is_chosen: Whether the page selects it.
    """

    edition: Edition
    picture: str
    for_whom: str
    about: str
    is_chosen: bool


def _list_boxes(games: tuple[GameSummary, ...]) -> list[Box]:
    """List the boxes; select that of a refused form, or the last one played.

    Args:
        games: The games of this table, the latest first.
    """
    editions = _load_editions()
    played = [game.edition.removesuffix(UK) for game in games]
    candidates = [request.form.get("edition", ""), *played, editions[0].id]
    known_ids = panel().editions.ids
    chosen = next(candidate for candidate in candidates if candidate in known_ids)
    from_file = say("From a file of this table.")
    return [
        Box(
            edition,
            edition.id if edition.id in FOR_WHOM else "plain",
            FOR_WHOM.get(edition.id, ""),
            ABOUT.get(edition.id) or edition.about.note or from_file,
            is_chosen=edition.id == chosen,
        )
        for edition in editions
    ]


def box_names() -> dict[str, str]:
    """Return the name of each box, American or British, by its edition id."""
    editions = _load_editions()
    american = {edition.id: edition.name for edition in editions}
    return american | {edition.id + UK: edition.name_uk for edition in editions}


def _load_editions() -> list[Edition]:
    """Load all editions, with the figures typed in from this table's boxes."""
    return [panel().editions(edition_id) for edition_id in panel().editions.ids]


@blueprint.post("/games")
def open_game() -> Response | tuple[str, int]:
    """Open a game; lead the host to its bank, or to a free seat if the host plays."""
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
        return _show_refusal(refused)
    first_page = "join" if form.get("play") == "yes" else "bank"
    return go(f"/g/{game_id}/{first_page}")


@blueprint.post("/g/<game_id>/again")
def again(game_id: GameId) -> Response:
    """Open a game like one that ended; a repeated form leads to the same game."""
    try:
        new_id = panel().built.play_again(game_id)
    except Refused as refused:
        problem = _problem_of(refused)
        problem.link = (f"/g/{game_id}/", say("Back to the game"))
        raise problem from None
    return go(f"/g/{new_id}/")


@blueprint.get("/games/<game_id>/throw-away")
def throwing_away(game_id: GameId) -> Response | str | tuple[str, int]:
    """Show what is lost if a closed game is deleted, and offer copies to keep."""
    kept_game(game_id)
    table = panel().table
    try:
        table.check_removal(game_id)
    except Refused as refused:
        return _show_refusal(refused)
    game = table.game(game_id)
    summary = next(other for other in table.games() if other.game_id == game_id)
    return render_template(
        "throw_away.html",
        game=summary,
        stands=table.standing(game_id),
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
    """Delete a closed game; a repeated form finds it gone and does nothing."""
    if any(game.game_id == game_id for game in panel().table.games()):
        try:
            panel().table.remove_game(game_id)
        except Refused as refused:
            return _show_refusal(refused)
        books().forget(game_id)
    return go("/games")


def _show_refusal(refused: Refused) -> tuple[str, int]:
    return games(_problem_of(refused)), 409


def _problem_of(refused: Refused) -> Problem:
    return Problem(409, refused.why.value, refused.message, refused.remedy)


@blueprint.post("/games/<game_id>/<verb>")
def put_away(game_id: GameId, verb: str) -> Response | tuple[str, int]:
    """Close a game or reopen it, as the last word of the address says."""
    kept_game(game_id)
    kinds = {"close": c.CloseGame, "reopen": c.ReopenGame}
    if verb not in kinds:
        raise no_such_verb(verb)
    command = kinds[verb](by=c.TABLE)
    envelope = Envelope(command, fields.text(request.form, "command_id"))
    try:
        panel().built.give(game_id, envelope)
    except Refused as refused:
        return _show_refusal(refused)
    return go("/games")


@blueprint.get("/games/<game_id>/export.json")
def export(game_id: GameId) -> Response:
    """Send the whole game as one JSON document."""
    kept_game(game_id)
    table = panel().table
    table.play_back(game_id)
    entries = table.each_entry(game_id, 0, table.revision(game_id))
    pieces = entries_to_json(table.game(game_id).name, entries)
    return download(pieces, "application/json", f"{game_id}.json")
