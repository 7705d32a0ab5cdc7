"""The addresses that receive a game's forms; each form is one command.

The *verb*, the last word of a form's address, names the command: ``/g/evening/do/pay``.
The phone is then led back to the page that the form was on; after a refusal by the
rules, that page shows the reason. Two kinds of forms must be confirmed there first: a
second payment for GO, and a doubtful correction.
"""

from __future__ import annotations

import msgspec
from flask import Blueprint, Response, make_response, request
from msgspec.structs import replace

from companion.errors import Malformed, Refused
from companion.game import commands as c
from companion.game.envelope import Envelope
from companion.game.moves import Level, Roll
from companion.game.position import OPEN
from companion.rules.drawing import Begin
from companion.units import GameId
from companion.views.plan import plan_moves
from companion.views.received import since_salary_ms
from companion.views.replies import replies_to, reply_view
from companion.words import say
from web.http import fields
from web.http.address import go
from web.http.auth import caller
from web.http.errors import is_fragment, no_such_verb, problem_of, wants_json
from web.http.frame import AT_THE_DOOR, looked_list
from web.http.may import sender_of_form
from web.http.panel import panel
from web.http.render import my_view
from web.play import forms
from web.play.correcting import doubt_of
from web.play.pages import bank_page, page_after, page_with, rules_against, seat_page
from web.play.play import correct_page, remember_dice

blueprint = Blueprint("actions", __name__)

PAGES = frozenset(("bank", "correct", "deeds", "history", "more", "pause", "trade"))
"""Pages to which forms lead back; every other form leads back to the seat's page."""


@blueprint.post("/g/<game_id>/do/<verb>")
def do(game_id: GameId, verb: str) -> Response:
    """Carry out the command in a form; *verb* names it."""
    sender = sender_of_form()
    read_command = forms.FORMS.get(verb)
    if read_command is None:
        raise no_such_verb(verb)
    form = request.form
    try:
        command = read_command(sender, form)
        envelope = forms.envelope_from_form(command, form)
        question = go_again(game_id, command, form)
        if question is not None:
            return _ask_about_go(game_id, question)
        doubt = doubt_of(game_id, command, form)
        if doubt is not None:
            return make_response(correct_page(my_view(game_id), doubt=doubt), 409)
        _carry_out(game_id, envelope)
    except Refused as refused:
        return _answer_refused(game_id, refused)
    except Malformed as malformed:
        return _answer_malformed(game_id, malformed)
    onward = go(page_before(game_id))
    if isinstance(command, Roll):
        remember_dice(onward, game_id, is_typed=bool(command.dice or command.special))
    return onward


def _carry_out(game_id: GameId, envelope: Envelope) -> None:
    """Carry out a command.

    The toy's vault, moved by hand, may be open when guided play begins. A plan for the
    buildings of a group may need several moves, which are made in one write.
    """
    command = envelope.command
    is_by_hand = panel().vault is None  # Otherwise the lock reports its own lid.
    if isinstance(command, Begin) and is_by_hand and request.form.get("lid") == OPEN:
        panel().built.begin_open(game_id, envelope)
        return
    if not isinstance(command, Level) or not panel().table.game(game_id).is_guided:
        panel().built.give(game_id, envelope)
        return
    with panel().table.alone_with(game_id):
        moves = plan_moves(panel().table.game(game_id), command).moves
        # A plan that is sent again needs no more moves. It is given itself: the table
        # recognises its command id as a repetition.
        first, *others = moves or (command,)
        panel().built.give(game_id, replace(envelope, command=first), *others)


@blueprint.post("/g/<game_id>/answer")
def answer(game_id: GameId) -> Response:
    """Carry out the banker's answer to a phone that asks for a seat: yes or no."""
    sender = sender_of_form()
    number = fields.number(request.form, "request")
    is_granted = request.form.get("answer") == "yes"
    try:
        panel().seating.answer(game_id, sender, number, is_granted=is_granted)
    except Refused as refused:
        return _answer_refused(game_id, refused)
    return go(page_before(game_id))


@blueprint.post("/g/<game_id>/looked")
def looked(game_id: GameId) -> Response:
    """Note that this phone or its seat has looked at a reply; lead to where it points.

    A reply that is gone leads nowhere.
    """
    view = my_view(game_id)
    table, seat = panel().table, view.by
    key, phone = request.form.get("reply", ""), caller().phone
    if key == AT_THE_DOOR and phone is not None:
        panel().seating.look_at_answer(game_id, phone)
        table.tell(game_id)
        return go(f"/g/{game_id}/join")
    replies = {reply.key: reply for reply in replies_to(table.game(game_id), seat)}
    if key not in replies:
        return go(page_before(game_id))
    with table.alone_with(game_id):  # Two phones of the seat may look at once.
        looked_at = table.ticks.done(game_id, looked_list(seat)) & replies.keys()
        if key not in looked_at:
            table.ticks.put(game_id, looked_list(seat), looked_at | {key})
    table.tell(game_id)
    groups = panel().editions(view.table.edition).groups
    onward = reply_view(table.game(game_id), groups, replies[key]).onward
    leads = bool(onward and request.form.get("leads"))
    return go(f"/g/{game_id}/{onward}" if leads else page_before(game_id))


def page_before(game_id: GameId) -> str:
    """Return the address of the page that a form was on, by its field ``from``.

    The page of deeds opens at the deed that the form was about.
    """
    page = request.form.get("from", "")
    address = f"/g/{game_id}/{page if page in PAGES else ''}"
    board, deed = panel().table.game(game_id).board, request.form.get("deed", "")
    has_deed = page == "deeds" and board is not None and deed in board.index
    return f"{address}?deed={deed}" if has_deed else address


def _answer_refused(game_id: GameId, refused: Refused) -> Response:
    """Answer with the form's page as it is now, the reason, and the typed text.

    A program gets the reason and the present revision instead.
    """
    view = my_view(game_id)
    if wants_json():
        problem = problem_of(refused)
        problem.revision = view.table.revision
        problem.rules = rules_against(view, refused)
        raise problem
    return make_response(page_after(view, refused, request.form), 409)


ENTRIES_MAX = 40
"""How many entries are searched: more than a table makes within ten seconds."""


class GoAgain(msgspec.Struct, frozen=True):
    """The question whether a seat is to be paid for GO again within ten seconds.

    Most likely two people have tapped the button for the same pass over GO.

    Attributes:
        seat: The seat that would be paid.
        ago_s: How many seconds ago it was paid before; at least 1.
        page: The page whose button was tapped, as in the field ``from``.
    """

    seat: str
    ago_s: int
    page: str


def go_again(game_id: GameId, command: c.Command, form: fields.Form) -> GoAgain | None:
    """Return the question to ask before *command*; ``None`` to carry it out at once.

    A form that was carried out raises no question when it is sent again, since it is
    paid once. A program is never asked.
    """
    if not isinstance(command, c.CollectSalary):
        return None
    if form.get("again") == "yes" or wants_json():
        return None
    table = panel().table
    entries = table.entries(game_id, max(0, table.revision(game_id) - ENTRIES_MAX))
    command_id = fields.text(form, "command_id")
    # An entry's id may have its seat before it: ``blue/<id>``.
    ids = {entry.command_id.rpartition("/")[2] for entry in entries}
    if command_id in ids:
        return None
    lines = table.history(game_id, None, ENTRIES_MAX)
    undone = {line.revision for line in lines if line.is_undone}
    ago_ms = since_salary_ms(entries, undone, command.seat, table.clock.now_ms())
    if ago_ms is None:
        return None
    return GoAgain(command.seat, max(1, ago_ms // 1000), form.get("from", ""))


def _ask_about_go(game_id: GameId, question: GoAgain) -> Response:
    """Answer with the page that the form was on, and ask if GO is to be paid again."""
    view = my_view(game_id)
    is_banks = question.page == "bank" and view.is_banker
    render = bank_page if is_banks or view.seat is None else seat_page
    return make_response(render(view, go_again=question), 409)


def _answer_malformed(game_id: GameId, malformed: Malformed) -> Response:
    """Answer a form that cannot be read by raising a problem.

    The long form that describes a card is shown again as it was filled in, unless a
    script sent it: then the phone still shows it.
    """
    view, problem = my_view(game_id), problem_of(malformed)
    problem.revision = view.table.revision
    is_sent_by_script = wants_json() or is_fragment()
    if not is_sent_by_script and "effect" in request.form:
        return make_response(page_with(view, problem, request.form), problem.status)
    problem.link = (page_before(game_id), say("Back to the game"))
    raise problem
