"""Pages of guided play: a seat's turn, the start of guided play, and corrections.

In *guided* play the companion *leads* the game: it knows the rules, and the page of a
seat shows what this seat can do now. A ``Turn`` holds these choices; every seat has one
at any time. The *mover* is the seat that has the dice. A *view* is the game as one
phone may see it.

With our own lock the program knows the vault's lid and the number on its wheel. Without
it the players move the toy's vault, and tell the program what they have done.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import msgspec
from flask import Blueprint, Response, request

from companion.as_json import to_json
from companion.errors import Why
from companion.game import Game
from companion.game.commands import address_of
from companion.game.events import Awaits
from companion.game.journal import Entry
from companion.game.moves import LockVault
from companion.game.stage import Stage
from companion.rules import awaited_seats
from companion.rules.begin import SEATS_MIN
from companion.units import GameId, Revision, TimeMs
from companion.views.deed import deed_view
from companion.views.dice import Dice
from companion.views.flash import card_read, guesses_of
from companion.views.laid import chips_of, laid_by
from companion.views.reach import choice_goals, ticket_goals
from companion.views.received import Payment, landed_ms, payments_of
from companion.views.replies import replies_to
from companion.views.space_ask import space_ask
from companion.views.story_words import own_moment
from companion.views.table import SeatView, TableView
from companion.views.trade import offers_for
from companion.views.turn import Turn, claims_of, turn_of
from companion.views.turn_words import must_fill_first
from companion.views.vault_by_hand import VaultByHand, vault_by_hand
from companion.views.vault_in_game import Scene, VaultInGame, vault_in_game
from companion.words import say
from companion.words.money import dollars_text
from web.http import fields
from web.http.address import go
from web.http.errors import Problem, is_fragment
from web.http.frame import undo_button
from web.http.may import check, play_for
from web.http.panel import panel
from web.http.render import my_view, page
from web.play.another_card import another_card
from web.play.board import ending_of
from web.play.correcting import correction_choices
from web.play.option_words import questions
from web.play.pause import is_reopened
from web.play.space_question import questions_here

blueprint = Blueprint("play", __name__)


def play_page(view: SeatView, game: Game, **more: object) -> str:
    """Render a seat's page while the companion leads the game."""
    turn = turn_here(view.table.game_id, game, view.by)
    return page(
        "play.html",
        view,
        turn=turn,
        **_values_of_turn(view, game, turn),
        **_values_of_others(view, game, turn),
        **_values_of_news(view, game),
        **values_at_end(view, game),
        **more,
    )


def _values_of_turn(view: SeatView, game: Game, turn: Turn) -> dict[str, object]:
    """Return a page's values about what this seat has to do, and about the vault."""
    game_id, vault = view.table.game_id, panel().vault
    groups = panel().editions(view.table.edition).groups
    at_vault = vault_by_hand(vault_in_game_of(game_id), turn)
    has_action = has_actions(turn) or bool(at_vault and at_vault.steps)
    sets_up = is_reopened(game_id)
    return {
        "headline": headline_of(turn, at_vault),
        "sets_up": sets_up,
        "buttons": at_vault.without_steps(turn.buttons) if at_vault else turn.buttons,
        "has_hand": has_action,
        "waits_for": "" if has_action or sets_up else awaited_seat(game, turn),
        "rides": ticket_goals(game, groups, view.by) if turn.ahead.can_ride else None,
        "goals": choice_goals(game, groups, view.by) if turn.ahead.picks else None,
        "dice_by": first_dice(game_id, turn.dice) if turn.dice else "",
        "ready_ms": panel().table.ready_in_ms(game_id),
        "deed": deed_view(game, groups, view.by, turn.deed) if turn.deed else None,
        "asks": questions_here(game_id, game, view.by),
        "another": another_card(game, view.by, refused_draw_form()),
        "landed": landing_times(game_id, game, turn),
        "at_vault": at_vault,
        "lock": vault.keeper.view() if vault else None,
    }


def _values_of_others(view: SeatView, game: Game, turn: Turn) -> dict[str, object]:
    """Return a page's values about the other players, and about the game's rules."""
    play, board = game.play, game.board
    tokens = play.tokens if play else ()
    groups = panel().editions(view.table.edition).groups
    return {
        "lies_open": bool(play and board and board.is_open(play.awaited)),
        "has_mortgages": bool(board and board.rules.mortgage.exists),
        "places": places_in(view.table, turn, awaited_seat(game, turn)),
        "notes": notes_on_seats(game, turn),
        "laid_by": laid_by(game),
        "chips_of": chips_of(game),
        "tickets_of": {token.seat: token.tickets for token in tokens},
        "offers": offers_for(game, groups, view.by),
        "minutes_left": minutes_left(view.table.game_id, game),
        "now_ms": panel().table.clock.now_ms(),
    }


def _values_of_news(view: SeatView, game: Game) -> dict[str, object]:
    """Return a page's values about the newest entries: payments, guesses, cards."""
    entries, undone = newest_entries(view.table)
    return {
        "received_by": received_by(view, game),
        "flashes": guesses_of(view.by, game, entries),
        "drawn": card_read(game, entries, undone),
    }


DICE_COOKIE: Final = "dice-{}"
"""The name of a game's cookie for the kind of dice that a phone used last."""

DICE_COOKIE_S: Final = 30 * 86_400
"""How long the cookie lasts: 30 days."""

TYPED, ROLLED = "typed", "rolled"
"""The kinds of dice: real ones whose numbers are typed, and those of the phone."""


def first_dice(game_id: GameId, dice: Dice) -> str:
    """Return which kind of dice the page offers first: ``typed`` or ``rolled``.

    If the rules allow both, it is the kind that the phone used last, else ``rolled``.
    """
    if dice.by != "either":
        return dice.by
    last = request.cookies.get(DICE_COOKIE.format(game_id))
    return TYPED if last == TYPED else ROLLED


def remember_dice(response: Response, game_id: GameId, *, is_typed: bool) -> None:
    """Have this phone remember the kind of dice it has just used in this game."""
    name, kind = DICE_COOKIE.format(game_id), TYPED if is_typed else ROLLED
    response.set_cookie(
        name, kind, max_age=DICE_COOKIE_S, samesite="Lax", httponly=True
    )


def refused_draw_form() -> dict[str, str]:
    """Return the refused form for a drawn card, to show it again; empty for another."""
    is_draw = (request.view_args or {}).get("verb") == "draw"
    return request.form.to_dict() if is_draw else {}


def awaited_seat(game: Game, turn: Turn) -> str:
    """Return the seat for which the table waits; empty once the game is over.

    If it waits for several, this is one of them; in an auction, the highest bidder.
    """
    if turn.stage is Stage.OVER:
        return ""
    if turn.on_table:
        return turn.on_table.laid.inspector or turn.on_table.laid.shower
    if turn.stage is Stage.LEVEL:
        return min(awaited_seats(game))
    if game.play is not None and turn.stage is Stage.DEBT:
        return game.play.debts[0].debtor
    if turn.bidding and turn.bidding.leader:
        return turn.bidding.leader
    return turn.mover


class Place(NamedTuple):
    """A player in the order of play; ``is_own`` marks the viewer.

    ``is_awaited`` marks whom the table waits for.
    """

    colour: str
    token: str
    name: str
    is_own: bool
    is_awaited: bool


def places_in(table: TableView, turn: Turn, awaited: str) -> tuple[Place, ...]:
    """Return the order of play, beginning with the player who has the dice.

    *awaited* is the seat for which the table waits.
    """
    rows = {row.seat: row for row in table.seats}
    order = (rows[seat] for seat in turn.order if seat in rows)
    return tuple(
        Place(
            row.colour,
            row.token,
            row.name,
            is_own=row.seat == turn.seat,
            is_awaited=row.seat == awaited,
        )
        for row in order
    )


def notes_on_seats(game: Game, turn: Turn) -> dict[str, str]:
    """Return a few words by seat: who has the dice, and who has money on the table.

    In a game with fake notes, a player who pays lays the money on the table first.
    """
    if turn.stage is Stage.OVER:
        return {}
    laid = {
        seat: say("{amount} on the table", amount=dollars_text(amount))
        for seat, amount in laid_by(game).items()
    }
    return {turn.mover: say("has the dice"), **laid}


def headline_of(turn: Turn, at_vault: VaultByHand | None) -> str:
    """Return what has to be done now: at the vault, in an auction, or in the turn."""
    if at_vault and at_vault.headline:
        return at_vault.headline
    if turn.bidding and turn.bidding.headline:
        return turn.bidding.headline
    return turn.headline


def values_at_end(view: SeatView, game: Game) -> dict[str, object]:
    """Return all scores, the seat's own, and its best moment; empty before the end."""
    game_id = view.table.game_id
    outcome = ending_of(game_id, game)
    if outcome is None:
        return {}
    score, facts = outcome
    return {
        "scores": score.seats,
        "mine": score.of(view.by),
        "moment": own_moment(facts, view.by, panel().table.names(game_id)),
    }


def newest_entries(table: TableView) -> tuple[tuple[Entry, ...], frozenset[Revision]]:
    """Return the newest entries, and the revisions of those that were undone.

    There are as many as *table* has lines of history, and none that came after it was
    made: the page would show that one twice.
    """
    undone = frozenset(line.revision for line in table.lines if line.is_undone)
    after = max(0, table.revision - len(table.lines))
    entries = panel().table.entries(table.game_id, after)
    return entries[: table.revision - after], undone


def received_by(view: SeatView, game: Game) -> tuple[Payment, ...]:
    """Return the payments to and by this phone's seat in the newest entries.

    What came as a reply is left out: that stays until it was looked at.
    """
    replied = {reply.revision for reply in replies_to(game, view.by)}
    payments = payments_of(view.by, game, *newest_entries(view.table))
    return tuple(one for one in payments if one.revision not in replied)


def minutes_left(game_id: GameId, game: Game) -> int | None:
    """Return how many agreed minutes of play are left; ``None`` for no limit."""
    limit = game.board.rules.time_limit if game.board is not None else 0
    if not limit:
        return None
    table = panel().table
    return table.play_clock(game_id).minutes_left(limit, table.clock.now_ms())


LANDINGS_MAX = 200
"""The newest entries to search for landings; for older ones no rent can be asked."""


def landing_times(game_id: GameId, game: Game, turn: Turn) -> dict[str, TimeMs]:
    """Return, by seat, when it landed where the viewer can still ask for the rent.

    *turn* is the viewer's.
    """
    if not turn.rents:
        return {}
    landed_at = {}
    table = panel().table
    after = max(0, table.revision(game_id) - LANDINGS_MAX)
    entries = table.entries(game_id, after)
    for _, claim in claims_of(game, turn.seat):
        at_ms = landed_ms(entries, claim)
        if at_ms is not None:
            landed_at[str(claim.mover)] = at_ms
    return landed_at


def has_actions(turn: Turn) -> bool:
    """Tell whether this seat's page offers anything to tap."""
    return turn.stage is Stage.OVER or any(
        (
            turn.rents,
            turn.buttons,
            turn.on_table and turn.on_table.is_for_hand,
            turn.dice,
            turn.bidding and turn.bidding.low,
            turn.numbers,
            turn.cards,
            turn.raising,
            turn.is_at_vault and (turn.guessing or panel().vault),
            turn.ahead.picks,
        )
    )


@blueprint.get("/api/games/<game_id>/turn")
def turn_as_json(game_id: GameId) -> Response:
    """Send the turn that a seat's page shows, as JSON.

    ``turn`` and ``space`` are ``null`` unless the companion leads the game.
    """
    view, game = my_view(game_id), panel().table.game(game_id)
    turn = turn_here(game_id, game, view.by) if game.is_guided else None
    space = space_ask(game, view.by) if game.is_guided else None
    values = {"revision": view.table.revision, "turn": turn, "space": space}
    return Response(to_json(values), mimetype="application/json")


# The banker's own pages.


@blueprint.get("/g/<game_id>/begin")
def begin(game_id: GameId) -> Response | str:
    """Show the page that asks how people want to play, before guided play begins."""
    if is_fragment() and panel().table.game(game_id).is_guided:
        return go(f"/g/{game_id}/")  # Guided play began while this page was open.
    return begin_page(my_view(game_id))


def begin_page(view: SeatView, **more: object) -> str:
    """Render the page for beginning guided play; *more* may hold a ``problem``.

    The choices in a refused form are shown again.
    """
    check("play.begin", view.table.game_id)
    start = panel().editions(view.table.edition).start_money
    return page(
        "play_begin.html",
        view,
        moved=[row for row in view.table.seats if row.balance != start],
        **_values_for_beginning(view),
        **more,
    )


def _values_for_beginning(view: SeatView) -> dict[str, object]:
    """Return the questions to ask, and whether play can begin."""
    edition = panel().editions(view.table.edition)
    chosen = {
        key.removeprefix("option-"): value[: fields.TEXT_LENGTH_MAX]
        for key, value in request.form.items()
    }
    seats_lacking = max(0, SEATS_MIN - len(view.table.seats))
    is_begun = panel().table.game(view.table.game_id).is_guided
    return {
        "questions": questions(edition, chosen),
        "fills_by_hand": edition.has_vault and panel().vault is None,
        "seats_lacking": seats_lacking,
        "is_begun": is_begun,
        "is_waiting": bool(seats_lacking),
        "can_begin": not (seats_lacking or is_begun),
    }


def people_gather(game: Game) -> bool:
    """Tell whether the game has not begun, so that seats may still be taken."""
    return not (game.has_begun or game.is_closed)


def waiting_page(view: SeatView, tab: str, **more: object) -> str:
    """Render the page before a game begins: who has a seat, and who may begin it.

    Args:
        view: The game as the phone may see it.
        tab: The page that this one replaces: ``seat`` or ``bank``.
        more: Further values, such as a ``problem``.
    """
    more.pop("sheet", None)
    game = panel().table.game(view.table.game_id)
    is_led = game.awaits is Awaits.PLAY
    values = _values_for_beginning(view)
    return page("waiting.html", view, tab=tab, is_led=is_led, **values, **more)


@blueprint.get("/g/<game_id>/correct")
def correct(game_id: GameId) -> str:
    """Show the page for correcting what the companion has got wrong."""
    return correct_page(my_view(game_id))


def correct_page(view: SeatView, **more: object) -> str:
    """Render the page for corrections; *more* may hold a ``problem``.

    Raises:
        Problem: 409 if the companion does not lead the game.
    """
    check("play.correct", view.table.game_id)
    game = panel().table.game(view.table.game_id)
    if not game.is_guided:
        raise Problem(
            409,
            Why.WRONG_STAGE.value,
            say("the companion does not lead this game"),
            say("correct a balance on the bank's page"),
            link=(f"/g/{view.table.game_id}/bank", say("To the bank")),
        )
    return page(
        "play_correct.html",
        view,
        undo_line=undo_button(view),
        **correction_choices(game),
        **more,
    )


# Seats without a phone.


@blueprint.post("/g/<game_id>/for")
def stand_in(game_id: GameId) -> Response:
    """Have this phone play for the seat in the form from now on.

    If the field ``seat`` is empty, the phone stops playing for another seat.
    """
    return play_for(go(f"/g/{game_id}/"), game_id, fields.text(request.form, "seat"))


LOCKING = address_of(LockVault)
"""The verb of the button that locks the vault."""


def vault_in_game_of(game_id: GameId) -> VaultInGame | None:
    """Return the vault's part in a game, as our lock or the players report it."""
    vault, table = panel().vault, panel().table
    if vault is not None:
        return vault.seen(game_id)
    return vault_in_game(table.game(game_id), None, table.latest_events(game_id))


def turn_here(game_id: GameId, game: Game, seat: str) -> Turn:
    """Return the turn of *seat*, without the buttons that cannot work now.

    Nobody rolls before the vault is first locked. With our own lock, a tap locks it
    only in a simulation, and only the game on the table can use it.
    """
    turn, vault = turn_of(game, seat), panel().vault
    if turn.dice is not None and game.play is not None and must_fill_first(game.play):
        in_game = vault_in_game_of(game_id)
        if in_game is not None and in_game.scene is Scene.REFILL:
            turn = msgspec.structs.replace(turn, dice=None)
    is_on_table = panel().table.current() == game_id
    if vault is None or (is_on_table and vault.hands is not None):
        return turn
    buttons = tuple(button for button in turn.buttons if button.verb != LOCKING)
    if is_on_table or (turn.guessing is None and buttons == turn.buttons):
        return msgspec.structs.replace(turn, buttons=buttons)
    lines = (*turn.lines, ELSEWHERE)
    return msgspec.structs.replace(turn, buttons=buttons, guessing=None, lines=lines)


ELSEWHERE = say(
    "The vault serves the game that was opened last. Put the other game away first."
)
"""The line on the page of a game that is not on the table."""
