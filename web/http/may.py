"""Who may: the one table of what each address asks of a phone, and the asking itself.

A *level* says how far a phone is trusted, a *row* which addresses ask for that level
and what everybody else is told. The table is asked before every request, so an address
without a row answers nobody, and pages ask it which buttons to show. ``SECURITY.md``
shows it to owners. What a seat may do at its turn is left to the rules of the game.
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
from web.http.playing_for import end_playing_for, has_ended, seat_played_for
from web.http.presence import quiet_seats

# Whom a phone speaks for, and what it looks after.


def keeps_the_bank(game_id: str) -> bool:
    """Tell whether this phone is the banker's, whomever it plays for just now."""
    by = panel().seating.acts_as(GameId(game_id), caller().phone)
    return keeps_bank(panel().table.game(GameId(game_id)), by)


def may_stand_in(game_id: GameId, seat: str) -> bool:
    """Tell whether this phone keeps the bank, and that seat has no phone there.

    With an empty *seat* a phone plays for itself, as each may.
    """
    if not seat:
        return True
    is_seat = panel().table.game(game_id).seat(seat) is not None
    is_held = seat in panel().table.phones.held_seats(game_id)
    is_absent = is_seat and (not is_held or seat in quiet_seats(game_id))
    return is_absent and keeps_the_bank(game_id)


def stands_in_for(game_id: GameId) -> str:
    """Return the seat that this phone plays for besides its own; empty for none."""
    seat = seat_played_for(game_id)
    if may_stand_in(game_id, seat):
        return seat
    end_playing_for(game_id)
    return ""


def speaks_as(game_id: str) -> str:
    """Return whom this phone acts for now: the seat it stands in for, else its own.

    Who only looks at a page is asked once for all of its forms.

    Raises:
        Problem: 403 for a token that no phone has.
    """
    known: tuple[str, str] = g.get("speaks_as", ("", ""))
    if known[0] != game_id:
        by = stands_in_for(GameId(game_id)) or acts_as(GameId(game_id))
        known = game_id, by
        if request.method == "GET":
            g.speaks_as = known
    return known[1]


def tends(game_id: str = "") -> bool:
    """Tell whether a phone is the host's, or keeps the bank of a game.

    Args:
        game_id: Which game; empty for the one on the table.
    """
    shown = game_id or panel().table.current()
    return is_host() or (bool(shown) and keeps_the_bank(str(shown)))


def led_games(edition_id: str) -> list[GameId]:
    """List the open games of a box that the companion leads and this phone tends."""
    games = [one for one in panel().table.games() if one.edition == edition_id]
    led = (one.game_id for one in games if not one.is_closed)
    return [one for one in led if panel().table.game(one).is_guided and tends(one)]


class Words(NamedTuple):
    """What a phone is told that may not, the way on from there, and the status.

    ``{}`` in the link's address stands for the game or the box.
    """

    message: str
    remedy: str = say("ask the banker")
    link: tuple[str, str] | None = None
    status: int = 403


BACK = ("/g/{}/", say("Back to my seat"))


# The levels, from the least trust to the most.


class Level(NamedTuple):
    """How far a phone is trusted.

    Attributes:
        people: Who is: a ``guest`` without a cookie, a ``phone`` that has one and no
            seat, a ``seat``, the ``banker``, the ``host``. A host without a seat keeps
            the bank or speaks for the table, and so counts as the banker, too.
        holds: Tells whether this phone is, given the game or the box of the address.
        words: What others are told; without, to take a seat.
    """

    people: str
    holds: Callable[[str], bool]
    words: Words | None = None


ALL = "guest phone seat banker host"

ANYBODY = Level(ALL, lambda _: True)
"""Nobody is asked anything, not even for the cookie."""

ONLOOKER = Level(ALL, lambda _: not caller().is_unknown)
"""Everybody may look at a game; only a cookie that no phone has is told so."""

PHONE = Level("phone seat banker host", lambda _: caller().phone is not None)
"""The table knows the phone: each gets a cookie where it can sit down."""

PLAYER = Level("seat banker host", lambda game_id: bool(speaks_as(game_id)))
"""The phone acts for somebody in the game: a seat, or the bank."""

BANKER = Level(
    "banker",
    lambda game_id: keeps_bank(panel().table.game(GameId(game_id)), speaks_as(game_id)),
    Words(
        say("only the banker opens this page"),
        say("ask the banker, or go back to your seat"),
        BACK,
    ),
)
"""The phone keeps the bank of the game, and does not play for another seat now."""

STAND_IN = Level(
    "banker",
    lambda game_id: may_stand_in(GameId(game_id), request.form.get("seat", "")),
    Words(
        say("only the banker plays for others, while their phone is not there"),
        link=BACK,
    ),
)
"""The phone keeps the bank, and the seat in the form has no phone that is there."""

TENDER = Level("banker host", tends)
"""The phone is the host's, or keeps the bank of the game, or of that on the table."""

TYPIST = Level(
    "banker host",
    lambda edition_id: tends() or bool(led_games(edition_id)),
    Words(
        say("only the banker types in what the box says"),
        link=("/editions/{}", say("To the figures of the box")),
    ),
)
"""The same, or the phone keeps the bank of another game of the box that is led."""

HOST = Level(
    "host",
    lambda _: is_host(),
    Words(
        say("only the host's phone opens games and puts them away"),
        say("ask whoever opened the first game"),
        ("/", say("To my game")),
    ),
)
"""The phone typed the digits from the table's own screen."""

MACHINE = Level(
    "",
    lambda _: is_local(),
    Words(
        say("only the table's own machine reads this"),
        say("it tells whoever built the table"),
    ),
)
"""It is no phone at all, but a program on the table's own machine."""


# The table.


class Row(NamedTuple):
    """What some addresses ask.

    Attributes:
        what: What they let a phone do, for owners of tables.
        endpoints: Their modules and functions, as Flask calls them.
        words: What others are told here, in place of the level's words.
        leads_on: A page from which whoever has no seat is led to the free ones.
    """

    what: str
    endpoints: str
    words: Words | None = None
    leads_on: bool = False


TABLE: Final = {
    ANYBODY: (
        Row(
            "open the first page, the table's screen and the codes to scan",
            "static pages.home joining.start screen.table screen.join_code"
            " wifi.wifi_code live.stream board.worth",
        ),
        Row("ask whether the program is alive: a word, yes or no", "health.alive"),
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
    ),
    PLAYER: (
        Row(
            "open the pages of a seat: its turn, paying, trading",
            "pages.seat pages.pay estate.trade",
            leads_on=True,
        ),
        Row(
            "pay, move, trade, undo: each for itself, and as far as the rules let it",
            "actions.do api.command estate.counter challenge.give pause.tick",
        ),
        Row(
            "take a copy of the game home",
            "ending.export_game ending.export_csv",
            Words(
                say("only who plays takes a copy home"),
                say("ask for a seat, or ask the host"),
                ("/g/{}/join", say("To the game")),
            ),
        ),
    ),
    BANKER: (
        Row("open the bank's page", "pages.bank", leads_on=True),
        Row(
            "have the companion lead the game, and put right what it got wrong",
            "play.begin play.correct challenge.give_back",
        ),
        Row(
            "let a waiting phone in, or send it away",
            "actions.answer",
            Words(say("only the banker lets phones in"), "", BACK, status=409),
        ),
    ),
    STAND_IN: (Row("play for a seat whose phone is not there", "play.stand_in"),),
    TENDER: (
        Row(
            "open the next game when one has ended",
            "games.again",
            Words(
                say("only the banker and the host open the next game"),
                link=("/g/{}/", say("Back to the game")),
            ),
        ),
        Row(
            "set the vault right after a fault",
            "vault.set_wheel vault.clear_fault",
            Words(say("only the banker sets the vault right"), status=409),
        ),
        Row(
            "teach decks, choose one, forget one",
            "decoder.teach decks.read decks.choose decks.forget decks.add decks.drop"
            " decks.begin decks.answer decks.start_over",
            Words(say("only the banker teaches decks"), status=409),
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
            "open games, put them away, throw them away; change the table's Wi-Fi",
            "games.games games.cards games.evenings games.list_person games.open_game"
            " games.put_away games.throwing_away games.throw_away games.export"
            " wifi.wifi wifi.join",
        ),
    ),
    MACHINE: (
        Row("read all of the machine's health: no phone, only itself", "health.health"),
    ),
}

ROW_OF: Final = {
    endpoint: (level, row)
    for level, rows in TABLE.items()
    for row in rows
    for endpoint in row.endpoints.split()
}


# Asking it.


def may(endpoint: str, named: str = "") -> bool:
    """Tell whether this phone may do what an address does.

    Args:
        endpoint: The address, as the table calls it.
        named: The game or the box that the address would name.
    """
    return ROW_OF[endpoint][0].holds(named)


def check(endpoint: str, named: str = "") -> None:
    """Refuse a phone that may not; the arguments are those of ``may``.

    Raises:
        Problem: In the words of the table, or 403 for a phone that it does not know.
    """
    level, row = ROW_OF[endpoint]
    if level.holds(named):
        return
    words = row.words or level.words
    seats = f"/g/{named}/join" if named and level is not TYPIST else "/"
    if caller().is_unknown and (seats != "/" or level in (PHONE, HOST)):
        raise unknown_phone(seats)
    if words is None or (level is HOST and caller().phone is None):
        raise guest_phone(seats)
    link = (words.link[0].format(named), words.link[1]) if words.link else None
    raise Problem(words.status, "not_yours", words.message, words.remedy, link=link)


def install_may(app: Flask) -> None:
    """Have *app* ask the table before every request that has an address."""
    app.before_request(_ask)


def _ask() -> Response | None:
    """Refuse a phone that may not, or lead it to where it belongs."""
    if request.endpoint is None:
        return None  # There is no such address, and the phone is told so.
    (level, row), where = ROW_OF[request.endpoint], request.view_args or {}
    # The host is asked first, and may also open a game whose box is not here any more.
    game_id = GameId("" if level is HOST else where.get("game_id", ""))
    if game_id:
        known_game(game_id)
    elif "edition_id" in where:
        known_edition(where["edition_id"])
    if row.leads_on and not speaks_as(game_id):
        return go(f"/g/{game_id}/join" + ("?lost=1" if caller().phone else ""))
    if request.method == "POST" and level in (PLAYER, BANKER):
        g.sender_of_form = _sender_of_form(game_id)  # Once: it may change meanwhile.
    elif level is BANKER and is_fragment() and not BANKER.holds(game_id):
        return go(f"/g/{game_id}/")  # The bank was handed on meanwhile.
    check(request.endpoint, game_id or where.get("edition_id", ""))
    return None


def sender_of_form() -> str:
    """Return for whom the form of this request is done, as was asked before it."""
    return cast("str", g.sender_of_form)


def _tap() -> str:
    """Return the command id of this request, a form or JSON; empty for none."""
    try:
        told = request.get_json(force=True, silent=True) or request.form
    except RecursionError:
        return ""  # Nested too deep: whoever reads the command says so.
    return str(told.get("command_id", "")) if isinstance(told, Mapping) else ""


def _sender_of_form(game_id: GameId) -> str:
    """Find out for whom a form is done; what was meant for another seat is not done.

    What was done for it before is a repeat, and is answered as the first time.

    Raises:
        Problem: 403 for a guest; 409 if it was meant for a seat for which this phone
            does not play, or not any more.
    """
    own = acts_as(game_id)
    if not own:
        raise guest_phone(f"/g/{game_id}/join")
    sender = stands_in_for(game_id) or own
    meant = request.form.get("by") or (has_ended() and seat_played_for(game_id))
    if not meant or meant == sender or {meant, sender} <= OFFICES:
        return sender
    if panel().table.has_done(game_id, meant, _tap()):
        return meant
    raise Problem(
        409,
        "other_seat",
        say("that was meant for another seat, so it does not count here"),
        say("look at your page again: it says for whom you play"),
        link=(f"/g/{game_id}/", say("Back to my seat")),
    )
