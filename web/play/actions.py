"""Receiving a game's forms: each is one command and is answered with the next page."""

from __future__ import annotations

from flask import Blueprint, Response, make_response, request
from msgspec.structs import replace

from companion.errors import Malformed, Refused
from companion.game.envelope import Envelope
from companion.game.moves import Level, Roll
from companion.game.position import OPEN
from companion.rules.drawing import Begin
from companion.units import GameId
from companion.views.plan import laying
from companion.words import say
from web.http import fields
from web.http.address import go
from web.http.errors import is_fragment, no_such_verb, problem_of, wants_json
from web.http.may import sender_of_form
from web.http.panel import panel
from web.http.render import my_view
from web.play import forms
from web.play.correcting import doubt_of
from web.play.go_again import GoAgain, go_again
from web.play.pages import bank_page, page_after, page_with, rules_against, seat_page
from web.play.play import correct_page, remember_dice

blueprint = Blueprint("actions", __name__)

PAGES = frozenset(("bank", "correct", "deeds", "history", "more", "pause", "trade"))
"""Pages that a form can go back to, by the end of their address; else the seat's."""


@blueprint.post("/g/<game_id>/do/<verb>")
def do(game_id: GameId, verb: str) -> Response:
    """Carry out one form; the last word of its address names the command."""
    by = sender_of_form()
    read = forms.FORMS.get(verb)
    if read is None:
        raise no_such_verb(verb)
    form = request.form
    try:
        command = read(by, form)
        envelope = forms.envelope_from_form(command, form)
        question = go_again(game_id, command, form)
        if question is not None:
            return _asked_again(game_id, question)
        doubt = doubt_of(game_id, command, form)
        if doubt is not None:
            return make_response(correct_page(my_view(game_id), doubt=doubt), 409)
        _carry_out(game_id, envelope)
    except Refused as refused:
        return _refused(game_id, refused)
    except Malformed as malformed:
        return _malformed(game_id, malformed)
    onward = go(back(game_id))
    if isinstance(command, Roll):
        remember_dice(onward, game_id, is_typed=bool(command.dice or command.special))
    return onward


def _carry_out(game_id: GameId, envelope: Envelope) -> None:
    """Carry out a tap; a plan, where the box knows none, as the moves it is made of.

    A plan that was carried out has none left, and is known again by its tap. Where the
    page begins with filling the toy's vault, its lid is up from the start.
    """
    plan = envelope.command
    is_by_hand = panel().vault is None  # Else the lock tells of its own lid.
    if isinstance(plan, Begin) and is_by_hand and request.form.get("lid") == OPEN:
        panel().built.begin_open(game_id, envelope)
        return
    if not isinstance(plan, Level) or not panel().table.game(game_id).is_guided:
        panel().built.give(game_id, envelope)
        return
    with panel().table.alone_with(game_id):
        moves = laying(panel().table.game(game_id), plan).moves or (plan,)
        first, *then = moves
        panel().built.give(game_id, replace(envelope, command=first), *then)


@blueprint.post("/g/<game_id>/answer")
def answer(game_id: GameId) -> Response:
    """The banker lets a waiting phone in, or sends it away."""
    by = sender_of_form()
    number = fields.number(request.form, "request")
    is_granted = request.form.get("answer") == "yes"
    try:
        panel().seating.answer(game_id, by, number, is_granted=is_granted)
    except Refused as refused:
        return _refused(game_id, refused)
    return go(back(game_id))


def back(game_id: GameId) -> str:
    """The page that the form stood on, as its field ``from`` says, or the seat's.

    Among the deeds it leads back to the one that the form is about.
    """
    page = request.form.get("from", "")
    where = f"/g/{game_id}/{page if page in PAGES else ''}"
    board, deed = panel().table.game(game_id).board, request.form.get("deed", "")
    is_there = page == "deeds" and board is not None and deed in board.index
    return f"{where}?deed={deed}" if is_there else where


def _refused(game_id: GameId, refused: Refused) -> Response:
    """The page as it is now, with the reason of the refusal; typed text is kept."""
    view = my_view(game_id)
    if wants_json():
        problem = problem_of(refused)
        problem.revision = view.table.revision
        problem.rules = rules_against(view, refused)
        raise problem
    return make_response(page_after(view, refused, request.form), 409)


def _asked_again(game_id: GameId, question: GoAgain) -> Response:
    """The page that GO was tapped on, with the question whether it is meant."""
    view = my_view(game_id)
    is_banks = question.page == "bank" and view.is_banker
    show = bank_page if is_banks or view.seat is None else seat_page
    return make_response(show(view, go_again=question), 409)


def _malformed(game_id: GameId, malformed: Malformed) -> Response:
    """What cannot be read; a long form is shown again as it was filled in.

    With script the page is there still, and only hears what was wrong.
    """
    view, problem = my_view(game_id), problem_of(malformed)
    problem.revision = view.table.revision
    is_whole = not (wants_json() or is_fragment())
    if is_whole and "effect" in request.form:
        return make_response(page_with(view, problem, request.form), problem.status)
    problem.link = (back(game_id), say("Back to the game"))
    raise problem
