"""A challenge at the table: somebody's note is looked at, and one tap applies it.

While a game waits for a verdict, any of its phones may take the picture, with its own
camera or the table's; the table's screen shows what was found. A picture decides
nothing: a seat taps what it shows, or what the plastic lens shows. Then the pictures
are kept with the game, by the entry with that verdict.
"""

from __future__ import annotations

from collections.abc import Callable

from flask import Blueprint, Response, jsonify, request, url_for
from flask.typing import ResponseReturnValue

from companion.errors import CompanionError, Malformed, Refused
from companion.examining import UNSURE, Asker, Busy, Examination, Finding
from companion.game.commands import TABLE, address_of
from companion.game.decoder_events import ChipSpent
from companion.game.envelope import GIVEN_BACK, Envelope
from companion.game.ledger import NO_CREDIT_RULE, short_of
from companion.game.moves import CorrectPosition, GiveVerdict
from companion.ports import CameraState
from companion.units import BANK, GameId, Revision
from companion.views.challenge import (
    Challenge,
    Find,
    challenge_of,
    found_in,
    may_judge,
)
from companion.views.laid import second_of
from companion.views.refusals import sentence
from companion.views.table import SeatView
from companion.words import translated
from web.decoder.page import (
    VERDICT_WORDS,
    as_jpeg,
    asked_by,
    decoder_service,
    examine_photo,
    forgotten,
    look_through_camera,
    not_looked,
    problem_with,
)
from web.http.address import go
from web.http.errors import Problem, problem_of
from web.http.fields import text
from web.http.language import phones_language
from web.http.may import may, sender_of_form
from web.http.panel import panel
from web.http.render import my_view, page
from web.play import forms
from web.play.pages import AFTER, bank_page, page_after, seat_page

blueprint = Blueprint("challenge", __name__, url_prefix="/g/<game_id>/challenge")

SEEN = "/<int(max=999_999_999):revision>"
"""The address of a verdict that was given; no other of the addresses looks like it."""

KEPT = ("seen", "hidden", "face")
"""The pictures of a look that are kept with the game, the most telling last."""


@blueprint.get("")
def show(game_id: GameId) -> ResponseReturnValue:
    """What is looked at, the latest picture of it, and what it can come to."""
    view = my_view(game_id)
    challenge = challenge_in(game_id)
    if challenge is None:
        return go(f"/g/{game_id}/")
    return _drawn(
        view, challenge, found=_examination(game_id, request.args.get("look", ""))
    )


@blueprint.post("/photo")
def photo(game_id: GameId) -> ResponseReturnValue:
    """Look at a photo that a phone sends."""
    return _examined(game_id, examine_photo)


@blueprint.post("/look")
def look(game_id: GameId) -> ResponseReturnValue:
    """Look through the table's own camera."""
    return _examined(game_id, look_through_camera)


@blueprint.post("/glance")
def glance(game_id: GameId) -> ResponseReturnValue:
    """Look through it for a picture that moves: as JSON, what to do to see better."""
    my_view(game_id)
    if challenge_in(game_id) is None:
        return jsonify(verdict="", words="", picture="", onward=f"/g/{game_id}/")
    examiner = decoder_service().examiner
    try:
        found = examiner.glance(asked_by(about(game_id), game_id))
    except (CompanionError, Busy) as error:
        raise problem_with(error) from error
    is_sure = found.verdict != UNSURE
    if is_sure:
        examiner.show(found.key)
    said = "" if is_sure else (*found.advice, found.findings[0].reason)[0]
    return jsonify(
        verdict=found.verdict,
        words=translated(sentence(said), phones_language()),
        picture=url_for("decoder.picture", key=found.key, name="frame"),
        onward=_address(game_id, found) if is_sure else "",
    )


@blueprint.post("/verdict")
def give(game_id: GameId) -> ResponseReturnValue:
    """Apply what the picture or the plastic lens shows, and keep the picture."""
    by = sender_of_form()
    form, table = request.form, panel().table
    found = _examination(game_id, text(form, "look"))
    try:
        command = forms.FORMS[address_of(GiveVerdict)](by, form)
        envelope = forms.envelope_from_form(command, form)
        with table.alone_with(game_id):
            at = Revision(table.revision(game_id) + 1)
            also = table.pictures.keeping(game_id, at, _telling_pictures(found))
            receipt = panel().built.give(game_id, envelope, also=also)
    except Refused as refused:
        return page_after(my_view(game_id), refused, form), 409
    if not receipt.is_repeat:
        _take_off_screen(found)
    return go(f"/g/{game_id}/")


@blueprint.get(SEEN)
def seen(game_id: GameId, revision: int) -> str:
    """What led to a verdict that was given, and how to put it right."""
    return _seen(my_view(game_id), revision)


@blueprint.post(f"{SEEN}/give-back")
def give_back(game_id: GameId, revision: int) -> ResponseReturnValue:
    """Put right that a real note, or card, was taken for a fake; counts once."""
    view = my_view(game_id)
    try:
        with panel().table.alone_with(game_id):
            _give_back(game_id, revision)
    except (Refused, Malformed) as error:
        return _seen(view, revision, problem_of(error)), 409
    return go(f"/g/{game_id}/history")


def _give_back(game_id: GameId, revision: int) -> None:
    found = _found(game_id, revision)
    if found is None:
        return  # There was nothing to give back, or it is back already.
    ledger = panel().table.game(game_id).ledger
    if ledger[found.inspector] < found.amount:
        raise short_of(
            NO_CREDIT_RULE,
            panel().table.names(game_id)(0)[found.inspector],
            ledger[found.inspector],
            found.amount,
        )
    first, *then = [
        CorrectPosition(
            by=TABLE, words=(seat, "cash", str(ledger[seat] + gained * found.amount))
        )
        for seat, gained in ((found.inspector, -1), (found.payer, 1))
        if seat != BANK
    ]
    tap = f"{GIVEN_BACK}{revision}-{panel().table.revision(game_id)}"
    panel().built.give(game_id, Envelope(first, tap, is_tables_own=True), *then)


@blueprint.get(f"{SEEN}/<name>.jpg")
def picture(game_id: GameId, revision: int, name: str) -> Response:
    """One picture of a challenge: ``seen``, ``hidden`` or ``face``."""
    my_view(game_id)
    return as_jpeg(_kept(game_id, revision, name))


@blueprint.app_template_global("pictured")
def pictured(game_id: GameId) -> list[Revision]:
    """The entries of a game to which there are pictures, each with a verdict."""
    return sorted(panel().table.pictures.revisions(game_id))


@blueprint.app_template_global("has_table_camera")
def has_table_camera() -> bool:
    """Whether the table has a camera that notes can be laid under."""
    decoder = panel().decoder
    health = decoder.examiner.camera_health() if decoder is not None else None
    return health is not None and health.state is not CameraState.BROKEN


@blueprint.app_template_global("second_to_look")
def second_to_look(game_id: GameId, me: str = "") -> str:
    """Say who came second to the look that somebody has now; empty if nobody did."""
    table = panel().table
    names = table.names(game_id)(table.revision(game_id))
    return second_of(table.later_ms(game_id), names, me)


def challenge_in(game_id: GameId) -> Challenge | None:
    """The challenge that a game waits for, if any."""
    return challenge_of(panel().table.game(game_id))


def challenge_here() -> str:
    """The address of the challenge at the game on the table; empty without one."""
    game_id = panel().table.current()
    is_now = game_id is not None and challenge_in(game_id) is not None
    return f"/g/{game_id}/challenge" if is_now else ""


def _seen(view: SeatView, revision: int, problem: Problem | None = None) -> str:
    game_id = view.table.game_id
    names = [one for one in KEPT if _kept(game_id, revision, one) is not None]
    if not names:
        raise forgotten()
    (entry,) = panel().table.history(game_id, revision + 1, 1)
    found = _found(game_id, revision) if may("challenge.give_back", game_id) else None
    return page(
        "challenge_seen.html",
        view,
        entry=entry,
        pictures=names,
        given=found,
        ledger=panel().table.game(game_id).ledger,
        problem=problem,
    )


def _found(game_id: GameId, revision: int) -> Find | None:
    """What the verdict of that entry brought, while it can be given back.

    That is once, and as long as nobody is bankrupt whom it concerns.
    """
    game, table = panel().table.game(game_id), panel().table
    if _kept(game_id, revision, KEPT[0]) is None or game.play is None:
        return None
    first, *later = table.entries(game_id, revision - 1)
    prefix = f"{GIVEN_BACK}{revision}-"
    given = (x for x in later if x.command_id.startswith(prefix) and x.actor == TABLE)
    back = (table.history(game_id, x.revision + 1, 1)[0] for x in given)
    if not all(line.is_undone for line in back):
        return None
    found, playing = found_in(first), (BANK, *game.play.playing())
    is_so = found is not None and {found.inspector, found.payer} <= set(playing)
    return found if is_so else None


def _kept(game_id: GameId, revision: int, name: str) -> bytes | None:
    if name not in KEPT:
        return None
    return panel().table.pictures.picture(game_id, revision, name)


def _telling_pictures(found: Examination | None) -> dict[str, bytes]:
    """Return the pictures of a look that are kept with the game, by name."""
    told = _telling(found).pictures if found is not None else {}
    return {name: told[name] for name in KEPT if name in told}


def _take_off_screen(found: Examination | None) -> None:
    """Take a look off the table's screen, if it is there."""
    if found is None:
        return
    examiner = decoder_service().examiner
    shown = examiner.shown()
    if shown is not None and shown.key == found.key:
        examiner.put_away()


def _telling(found: Examination) -> Finding:
    """The finding from which a look's verdict comes."""
    return next(one for one in found.findings if one.verdict == found.verdict)


def _value(challenge: Challenge, found: Examination | None) -> int:
    """What the fake note is worth, if its picture tells and the payer may have it."""
    value = _telling(found).value if found is not None else 0
    return value if value in challenge.values else 0


def about(game_id: GameId) -> str:
    """Tells the challenge that a game waits for from all others; empty without one."""
    if challenge_in(game_id) is None:
        return ""
    table = panel().table
    latest = table.entries(game_id, max(0, table.revision(game_id) - NEAR))
    spent = (x.revision for x in reversed(latest) if isinstance(x.events[0], ChipSpent))
    return f"{game_id}/{next(spent, 0)}"


NEAR = 200
"""Among how many of the latest entries the one is looked for that began a challenge."""


def _examination(game_id: GameId, key: str) -> Examination | None:
    """A look by its key; ``None`` for one at anything but what is looked at now."""
    decoder = panel().decoder
    found = decoder.examiner.found(key) if decoder is not None and key else None
    return found if found is not None and found.about == about(game_id) else None


def _address(game_id: GameId, found: Examination) -> str:
    return url_for("challenge.show", game_id=game_id, look=found.key)


def _examined(
    game_id: GameId, examined: Callable[[Asker], Examination]
) -> ResponseReturnValue:
    view = my_view(game_id)
    challenge = challenge_in(game_id)
    if challenge is None:
        return go(f"/g/{game_id}/")
    try:
        found = examined(asked_by(about(game_id), game_id))
    except (CompanionError, Busy) as error:
        return not_looked(error, lambda problem: _drawn(view, challenge, problem))
    decoder_service().examiner.show(found.key)
    return go(_address(game_id, found))


def _drawn(
    view: SeatView,
    challenge: Challenge,
    problem: object = None,
    found: Examination | None = None,
) -> str:
    decoder = panel().decoder
    cards = decoder.decks.cards() if decoder is not None else ()
    return page(
        "challenge.html",
        view,
        challenge=challenge,
        found=found,
        value=_value(challenge, found),
        may_say=may_judge(panel().table.game(view.table.game_id), view.by),
        problem=problem,
        verdict_words=VERDICT_WORDS,
        has_decoder=decoder is not None,
        has_camera=has_table_camera(),
        deck=next((card for card in cards if card.is_chosen), None),
    )


def _after_challenge(view: SeatView, **more: object) -> str:
    """The page again after a refusal; the seat's page once it is over."""
    challenge = challenge_in(view.table.game_id)
    if challenge is None:
        return seat_page(view, **more) if view.seat else bank_page(view, **more)
    found = _examination(view.table.game_id, text(request.form, "look"))
    return _drawn(view, challenge, more.get("problem"), found)


AFTER["challenge"] = _after_challenge
