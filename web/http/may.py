"""Authorisation: the one table of which phones may use each address, and its checks.

A *level* is a degree of trust, such as the banker's phone. A *row* lists addresses that
need the same level. An *endpoint* is Flask's name of an address, such as
``games.open_game``. Each request is checked against the table first, so an address
without a row serves nobody; pages use the same table to choose their buttons.
``SECURITY.md`` prints it for owners.

The banker may *play for* a seat whose phone is absent: the banker's phone then acts
for the account of that seat instead of its own. Each request checks anew whether it
may. It may no longer once the seat's own phone is used, another phone takes the seat,
or somebody else gets the bank; then a form for the seat that is on its way is refused.
What a seat may do at its turn is for the game's rules to say.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple, cast

from flask import Flask, Response, g, request

from companion.rules import keeps_bank
from companion.table.taps import OFFICES
from companion.units import GameId
from companion.words import say
from web.http.address import go, known_edition, known_game
from web.http.auth import acts_as, caller, is_host, is_local
from web.http.errors import Problem, guest_phone, is_fragment, unknown_phone
from web.http.panel import panel
from web.http.presence import quiet_seats

COOKIE = "for-{}"
"""The name of the cookie by which the banker's phone plays for a seat, in one game.

A second game on this host name would overwrite a common one, and a form meant for the
seat would count as the banker's own.
"""

# The accounts that a phone acts for, and the games and boxes in its care.


def keeps_the_bank(game_id: str) -> bool:
    """Tell whether this phone is the banker's, even while it plays for another seat."""
    account = panel().seating.acts_as(GameId(game_id), caller().phone)
    return keeps_bank(panel().table.game(GameId(game_id)), account)


def may_stand_in(game_id: GameId, seat: str) -> bool:
    """Tell whether this phone may play for *seat*; empty for its own.

    The banker's phone may, while the seat has no phone or its phone is quiet.
    """
    if not seat:
        return True
    is_seat = panel().table.game(game_id).seat(seat) is not None
    is_held = seat in panel().table.phones.held_seats(game_id)
    is_absent = is_seat and (not is_held or seat in quiet_seats(game_id))
    return is_absent and keeps_the_bank(game_id)


def stands_in_for(game_id: GameId) -> str:
    """Return the other seat that this phone plays for now; empty for none.

    If it may no longer play for the seat in its cookie, the cookie is deleted.
    """
    seat = seat_played_for(game_id)
    if may_stand_in(game_id, seat):
        return seat
    g.ended_playing_for = game_id
    return ""


def speaks_as(game_id: str) -> str:
    """Return the account this phone acts for now: its own, or that of another seat.

    It is kept while a page is drawn, since each form on the page asks for it.

    Raises:
        Problem: 403 for a token that no phone has.
    """
    kept_game_id, account = g.get("speaks_as", ("", ""))
    if kept_game_id != game_id:
        account = stands_in_for(GameId(game_id)) or acts_as(GameId(game_id))
        if request.method == "GET":
            g.speaks_as = game_id, account
    return cast("str", account)


def is_host_or_banker(game_id: str = "") -> bool:
    """Tell whether this phone is the host's, or keeps the bank of a game.

    Args:
        game_id: The game; empty for the one on the table.
    """
    shown = game_id or panel().table.current()
    return is_host() or (bool(shown) and keeps_the_bank(str(shown)))


def led_games(edition_id: str) -> list[GameId]:
    """List a box's open games that the companion leads and this phone manages.

    The host's phone manages all games, any other phone those whose bank it keeps.
    """
    open_ids = [
        summary.game_id
        for summary in panel().table.games()
        if summary.edition == edition_id
        and not summary.is_closed
        and not panel().table.is_damaged(summary.game_id)
    ]
    return [
        game_id
        for game_id in open_ids
        if panel().table.game(game_id).is_guided and is_host_or_banker(game_id)
    ]


class Refusal(NamedTuple):
    """The answer to a phone that may not use an address.

    ``{}`` in the link's address stands for the id of the game or the box.
    """

    message: str
    remedy: str = say("ask the banker")
    link: tuple[str, str] | None = None
    status: int = 403


BACK = ("/g/{}/", say("Back to my seat"))
"""The link of a refusal that leads back to the phone's own seat."""


# The levels, from the least trust to the most.


class Level(NamedTuple):
    """A degree of trust in a phone.

    Attributes:
        people: Who has this level, separated by spaces: a ``guest`` without a cookie,
            a ``phone`` with a cookie but no seat, a ``seat``, the ``banker`` or the
            ``host``. A host without a seat keeps the bank or acts for the table, and
            so is a banker, too.
        holds: Tells whether this phone has the level, given the id of the game or box
            that the address names.
        refusal: The answer to other phones; ``None`` advises them to take a seat.
    """

    people: str
    holds: Callable[[str], bool]
    refusal: Refusal | None = None


ALL = "guest phone seat banker host"
"""All the kinds of people in ``Level.people``."""

ANYBODY = Level(ALL, lambda _: True)
"""Nothing is checked, not even the cookie."""

ONLOOKER = Level(ALL, lambda _: not caller().is_unknown)
"""Everybody may look at a game, except a phone whose token the table does not know."""

PHONE = Level("phone seat banker host", lambda _: caller().phone is not None)
"""The table knows the phone, which got its cookie on the page for taking a seat."""

PLAYER = Level("seat banker host", lambda game_id: bool(speaks_as(game_id)))
"""The phone acts for somebody in the game: a seat, or the bank."""

BANKER = Level(
    "banker",
    lambda game_id: keeps_bank(panel().table.game(GameId(game_id)), speaks_as(game_id)),
    Refusal(
        say("only the banker opens this page"),
        say("ask the banker, or go back to your seat"),
        BACK,
    ),
)
"""The phone keeps the game's bank and does not play for another seat now."""

STAND_IN = Level(
    "banker",
    lambda game_id: may_stand_in(GameId(game_id), request.form.get("seat", "")),
    Refusal(
        say("only the banker plays for others, while their phone is not there"),
        link=BACK,
    ),
)
"""The phone keeps the bank, and the phone of the seat in the form is absent."""

HOST_OR_BANKER = Level("banker host", is_host_or_banker)
"""The host, or the banker of the game in the address or else on the table."""

TYPIST = Level(
    "banker host",
    lambda edition_id: is_host_or_banker() or bool(led_games(edition_id)),
    Refusal(
        say("only the banker types in what the box says"),
        link=("/editions/{}", say("To the figures of the box")),
    ),
)
"""The host, or the banker of the game on the table or of a led game with the box."""

HOST = Level(
    "host",
    lambda _: is_host(),
    Refusal(
        say("only the host's phone opens games and puts them away"),
        say("ask whoever opened the first game"),
        ("/", say("To my game")),
    ),
)
"""The phone typed the digits from the table's own screen."""

MACHINE = Level(
    "",
    lambda _: is_local(),
    Refusal(
        say("only the table's own machine reads this"),
        say("it tells whoever built the table"),
    ),
)
"""The request comes from the table's own machine, not from a phone."""


# The table.


class Row(NamedTuple):
    """Addresses that need the same level.

    Attributes:
        purpose: What the addresses let a phone do, as ``SECURITY.md`` tells owners.
        endpoints: Flask's names of the addresses, separated by spaces.
        refusal: The answer to other phones, in place of the level's refusal.
        leads_to_seats: Whether a phone without a seat is redirected to the free seats.
    """

    purpose: str
    endpoints: str
    refusal: Refusal | None = None
    leads_to_seats: bool = False


TABLE: Final = {
    ANYBODY: (
        Row(
            "open the first page, the table's screen and the codes to scan",
            "static pages.home joining.start screen.table screen.games screen.join_code"
            " wifi.wifi_code live.stream board.worth",
        ),
        Row("ask whether the program is alive: a word, or why not", "health.alive"),
        Row(
            "see which seats are free; choose the phone's language and its looks",
            "joining.join pages.choose_theme pages.choose_language"
            " space_question.put_off",
        ),
        Row(
            "watch the vault; turn, press and lift one that is only simulated",
            "vault.show vault.state vault.scene vault.turn vault.press vault.lid",
        ),
        Row(
            "have a note looked at, and show what was found on the table's screen",
            "decoder.show decoder.photo decoder.look decoder.examination"
            " decoder.picture decoder.show_everybody decoder.put_away",
        ),
        Row(
            "look at decks and at the figures of boxes, and save a copy",
            "decks.show decks.picture decks.face decks.save decks.photo"
            " figures.boxes figures.show figures.export",
        ),
    ),
    ONLOOKER: (
        Row(
            "look at a game: balances, deeds, history, scores, a note in doubt",
            "pages.history pages.invite more.more estate.deeds estate.deed estate.plan"
            " board.board rules.rules pause.pause ending.ending ending.picture api.view"
            " play.turn_as_json challenge.show challenge.seen challenge.picture"
            " challenge.photo challenge.look challenge.glance",
        ),
    ),
    PHONE: (
        Row(
            "take a free seat, ask the banker for one, get up from it; become the host"
            " with the digits from the table's own screen",
            "joining.sit_down joining.take joining.resume joining.leave"
            " joining.become_host",
        ),
        Row("put away the reply to what this phone has asked", "actions.looked"),
    ),
    PLAYER: (
        Row(
            "open the pages of a seat: its turn, paying, trading",
            "pages.seat pages.pay estate.trade",
            leads_to_seats=True,
        ),
        Row(
            "pay, move, trade, undo: each for itself, and as far as the rules let it",
            "actions.do api.command estate.counter challenge.give pause.tick"
            " pause.papers",
        ),
        Row(
            "take a copy of the game home",
            "ending.export_game ending.export_csv",
            Refusal(
                say("only who plays takes a copy home"),
                say("ask for a seat, or ask the host"),
                ("/g/{}/join", say("To the game")),
            ),
        ),
    ),
    BANKER: (
        Row("open the bank's page", "pages.bank", leads_to_seats=True),
        Row(
            "have the companion lead the game, and put right what it got wrong",
            "play.begin play.correct challenge.give_back",
        ),
        Row(
            "let a waiting phone in, or send it away",
            "actions.answer",
            Refusal(say("only the banker lets phones in"), "", BACK, status=409),
        ),
    ),
    STAND_IN: (Row("play for a seat whose phone is not there", "play.stand_in"),),
    HOST_OR_BANKER: (
        Row(
            "open the next game when one has ended",
            "games.again",
            Refusal(
                say("only the banker and the host open the next game"),
                link=("/g/{}/", say("Back to the game")),
            ),
        ),
        Row(
            "set the vault right after a fault",
            "vault.set_wheel vault.clear_fault",
            Refusal(say("only the banker sets the vault right"), status=409),
        ),
        Row(
            "teach decks, choose one, forget one",
            "decoder.teach decks.read decks.choose decks.forget decks.add decks.drop"
            " decks.begin decks.answer decks.start_over",
            Refusal(say("only the banker teaches decks"), status=409),
        ),
    ),
    TYPIST: (
        Row(
            "type in what the real box says, take it back",
            "figures.type_in figures.take_back sharing.look sharing.take_over",
        ),
    ),
    HOST: (
        Row(
            "open games, put them away, throw them away, have them copied to a stick,"
            " take in what lies there; change the table's Wi-Fi",
            "games.games games.cards games.evenings games.list_person games.open_game"
            " games.put_away games.throwing_away games.throw_away games.export"
            " copies.show copies.choose copies.take_in wifi.wifi wifi.join",
        ),
    ),
    MACHINE: (
        Row("read all of the machine's health: no phone, only itself", "health.health"),
    ),
}
"""The rows of each level, from the least trust to the most."""

ROW_OF: Final = {
    endpoint: (level, row)
    for level, rows in TABLE.items()
    for row in rows
    for endpoint in row.endpoints.split()
}
"""The level and the row of each address, by its endpoint."""


# The checks.


def may(endpoint: str, subject_id: str = "") -> bool:
    """Tell whether this phone may use an address.

    Args:
        endpoint: Flask's name of the address.
        subject_id: The id of the game or box that the address would name.
    """
    return ROW_OF[endpoint][0].holds(subject_id)


def check(endpoint: str, subject_id: str = "") -> None:
    """Refuse a phone that may not use an address; the arguments are those of ``may``.

    Raises:
        Problem: The refusal in ``TABLE``, or 403 for a phone that is not known here.
    """
    level, row = ROW_OF[endpoint]
    if level.holds(subject_id):
        return
    refusal = row.refusal or level.refusal
    # The page with the seats of the game, if the address names one and not a box.
    is_about_game = bool(subject_id) and level is not TYPIST
    seats_page = f"/g/{subject_id}/join" if is_about_game else "/"
    if caller().is_unknown and (is_about_game or level in (PHONE, HOST)):
        raise unknown_phone(seats_page)
    if refusal is None or (level is HOST and caller().phone is None):
        raise guest_phone(seats_page)
    link = None
    if refusal.link:
        address, text = refusal.link
        link = address.format(subject_id), text
    raise Problem(
        refusal.status, "not_yours", refusal.message, refusal.remedy, link=link
    )


def install_may(app: Flask) -> None:
    """Have *app* check every request against the table.

    It also deletes the cookie of a phone that may no longer play for its seat.
    """
    app.before_request(_authorise)
    app.after_request(_delete_ended_cookie)


def _authorise() -> Response | None:
    """Check this request, or redirect it to the page where its phone belongs."""
    if request.endpoint is None:
        return None  # There is no such address: Flask answers 404.
    level, row = ROW_OF[request.endpoint]
    ids = request.view_args or {}
    # The host also manages games whose edition file is gone, which ``known_game`` would
    # refuse; the host's pages look up the game themselves.
    game_id = GameId("" if level is HOST else ids.get("game_id", ""))
    if game_id:
        known_game(game_id)
    elif "edition_id" in ids:
        known_edition(ids["edition_id"])
    if row.leads_to_seats and not speaks_as(game_id):
        return go(f"/g/{game_id}/join" + ("?lost=1" if caller().phone else ""))
    if request.method == "POST" and level in (PLAYER, BANKER):
        # Now, since it may change while the request is handled.
        g.sender_of_form = _find_sender_of_form(game_id)
    elif level is BANKER and is_fragment() and not BANKER.holds(game_id):
        return go(f"/g/{game_id}/")  # The bank was handed on meanwhile.
    check(request.endpoint, game_id or ids.get("edition_id", ""))
    return None


def sender_of_form() -> str:
    """Return the account that this request's form acts for."""
    return cast("str", g.sender_of_form)


def _command_id() -> str:
    """Return the command id in this request's form or JSON; empty for none."""
    try:
        body = request.get_json(force=True, silent=True) or request.form
    except RecursionError:
        return ""  # Nested too deep; refused where the command is parsed.
    return str(body.get("command_id", "")) if isinstance(body, Mapping) else ""


def _find_sender_of_form(game_id: GameId) -> str:
    """Find the account that this request's form acts for.

    A form that was drawn while the phone played for another seat is refused, unless its
    command was carried out before: then it gets its first answer again.

    Raises:
        Problem: 403 for a guest; 409 if the form was meant for another seat.
    """
    own_account = acts_as(game_id)
    if not own_account:
        raise guest_phone(f"/g/{game_id}/join")
    sender = stands_in_for(game_id) or own_account
    intended = request.form.get("by", "")  # For whom the form was drawn.
    if not intended and "ended_playing_for" in g:
        intended = seat_played_for(game_id)
    # A host's phone may act as the table and, a moment later, as the bank.
    are_both_offices = {intended, sender} <= OFFICES
    if not intended or intended == sender or are_both_offices:
        return sender
    if panel().table.has_done(game_id, intended, _command_id()):
        return intended
    raise Problem(
        409,
        "other_seat",
        say("that was meant for another seat, so it does not count here"),
        say("look at your page again: it says for whom you play"),
        link=(f"/g/{game_id}/", say("Back to my seat")),
    )


def play_for(response: Response, game_id: GameId, seat: str) -> Response:
    """Set the cookie on *response*, or delete it if *seat* is empty; return it."""
    if seat:
        name = COOKIE.format(game_id)
        response.set_cookie(name, seat, samesite="Lax", httponly=True)
    else:
        response.delete_cookie(COOKIE.format(game_id))
    return response


def seat_played_for(game_id: GameId) -> str:
    """Return the seat that this phone plays for in that game; empty for none."""
    return request.cookies.get(COOKIE.format(game_id), "")


def _delete_ended_cookie(response: Response) -> Response:
    game_id = g.pop("ended_playing_for", None)
    if game_id is not None:
        response.delete_cookie(COOKIE.format(game_id))
    return response
