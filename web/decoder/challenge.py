"""Pages of a challenge: a note or card is examined, and a seat gives the verdict.

In editions with a decoder some notes and cards are fakes. A *challenge* begins when one
seat, the *inspector*, spends a chip to have a note or card of another seat examined.
The game then waits for the *verdict*: real or fake.

Any phone of the game may take a picture, with its own camera or the table's, and the
table's screen shows the result. The picture alone decides nothing: a seat taps the
verdict that the picture, or the plastic lens, shows. The pictures are then stored with
the game, under the revision of that verdict, so that a wrong one can be corrected.
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
    FoundFake,
    challenge_of,
    find_fake,
    may_judge,
)
from companion.views.laid import late_tap_text
from companion.views.refusals import sentence
from companion.views.table import SeatView
from companion.words import translated
from web.decoder.page import (
    VERDICT_WORDS,
    as_jpeg,
    asker_here,
    decoder_service,
    examine_photo,
    forgotten,
    look_through_camera,
    not_examined,
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
from web.play.pages import RENDER_AGAIN, bank_page, page_after, seat_page

blueprint = Blueprint("challenge", __name__, url_prefix="/g/<game_id>/challenge")

GIVEN_ADDRESS = "/<int(max=999_999_999):revision>"
"""The address of a given verdict, by its revision; no other consists of digits."""

KEPT_NAMES = ("seen", "hidden", "face")
"""The pictures of an examination that are stored with the game, the clearest last."""


@blueprint.get("")
def show(game_id: GameId) -> ResponseReturnValue:
    """Show the challenge, its latest examination, and the possible verdicts."""
    view = my_view(game_id)
    challenge = challenge_in(game_id)
    if challenge is None:
        return go(f"/g/{game_id}/")
    result = _find_examination(game_id, request.args.get("look", ""))
    return _render_challenge(view, challenge, result=result)


@blueprint.post("/photo")
def photo(game_id: GameId) -> ResponseReturnValue:
    """Examine a photo that a phone sends."""
    return _examine(game_id, examine_photo)


@blueprint.post("/look")
def look(game_id: GameId) -> ResponseReturnValue:
    """Examine a picture of the table's own camera."""
    return _examine(game_id, look_through_camera)


@blueprint.post("/glance")
def glance(game_id: GameId) -> ResponseReturnValue:
    """Examine one frame of the table's camera, while the page shows a live picture.

    The answer is JSON: the verdict, advice for a better picture, the picture, and the
    address to go to once the verdict is sure.
    """
    my_view(game_id)  # Refuses a phone that the table does not know.
    if challenge_in(game_id) is None:
        return jsonify(verdict="", words="", picture="", onward=f"/g/{game_id}/")
    examiner = decoder_service().examiner
    try:
        result = examiner.glance(asker_here(challenge_id(game_id), game_id))
    except (CompanionError, Busy) as error:
        raise problem_with(error) from error
    is_sure = result.verdict != UNSURE
    if is_sure:
        examiner.show(result.key)
        advice = ""
    elif result.advice:
        advice = result.advice[0]
    else:
        advice = result.findings[0].reason
    return jsonify(
        verdict=result.verdict,
        words=translated(sentence(advice), phones_language()),
        picture=url_for("decoder.picture", key=result.key, name="frame"),
        onward=_address_of(game_id, result) if is_sure else "",
    )


@blueprint.post("/verdict")
def give(game_id: GameId) -> ResponseReturnValue:
    """Give the verdict of a seat, and store the pictures behind it with the game."""
    judge = sender_of_form()
    form, table = request.form, panel().table
    result = _find_examination(game_id, text(form, "look"))
    try:
        command = forms.FORMS[address_of(GiveVerdict)](judge, form)
        envelope = forms.envelope_from_form(command, form)
        with table.alone_with(game_id):
            next_revision = Revision(table.revision(game_id) + 1)
            also = table.pictures.keeping(
                game_id, next_revision, _pictures_to_keep(result)
            )
            receipt = panel().built.give(game_id, envelope, also=also)
    except Refused as refused:
        return page_after(my_view(game_id), refused, form), 409
    if not receipt.is_repeat:
        _take_off_screen(result)
    return go(f"/g/{game_id}/")


@blueprint.get(GIVEN_ADDRESS)
def seen(game_id: GameId, revision: int) -> str:
    """Show the pictures behind an earlier verdict, and a button to correct it."""
    return _render_given(my_view(game_id), revision)


@blueprint.post(f"{GIVEN_ADDRESS}/give-back")
def give_back(game_id: GameId, revision: int) -> ResponseReturnValue:
    """Return what the inspector got because a real note or card was called fake.

    However often the button is tapped, the money moves once.
    """
    view = my_view(game_id)
    try:
        with panel().table.alone_with(game_id):
            _move_gain_back(game_id, revision)
    except (Refused, Malformed) as error:
        return _render_given(view, revision, problem_of(error)), 409
    return go(f"/g/{game_id}/history")


def _move_gain_back(game_id: GameId, revision: int) -> None:
    """Move the inspector's gain, if any, back to the payer, in one write."""
    gain = _returnable_gain(game_id, revision)
    if gain is None:
        return
    ledger = panel().table.game(game_id).ledger
    if ledger[gain.inspector] < gain.amount:
        raise short_of(
            NO_CREDIT_RULE,
            panel().table.names(game_id)(0)[gain.inspector],
            ledger[gain.inspector],
            gain.amount,
        )
    changes = ((gain.inspector, -gain.amount), (gain.payer, gain.amount))
    first, *others = [
        CorrectPosition(by=TABLE, words=(seat, "cash", str(ledger[seat] + change)))
        for seat, change in changes
        if seat != BANK  # Corrections move money from or to the bank anyway.
    ]
    # The revision now makes the id a new one if an earlier return was undone.
    tap_id = f"{GIVEN_BACK}{revision}-{panel().table.revision(game_id)}"
    panel().built.give(game_id, Envelope(first, tap_id, is_tables_own=True), *others)


@blueprint.get(f"{GIVEN_ADDRESS}/<name>.jpg")
def picture(game_id: GameId, revision: int, name: str) -> Response:
    """Send one picture of a verdict: ``seen``, ``hidden`` or ``face``."""
    my_view(game_id)
    return as_jpeg(_kept_picture(game_id, revision, name))


@blueprint.app_template_global("pictured")
def pictured(game_id: GameId) -> list[Revision]:
    """Return the revisions of a game's verdicts that have pictures."""
    return sorted(panel().table.pictures.revisions(game_id))


@blueprint.app_template_global("has_table_camera")
def has_table_camera() -> bool:
    """Tell whether the table has a working camera for notes."""
    decoder = panel().decoder
    health = decoder.examiner.camera_health() if decoder is not None else None
    return health is not None and health.state is not CameraState.BROKEN


@blueprint.app_template_global("second_to_look")
def second_to_look(game_id: GameId, own_seat: str = "") -> str:
    """Return a sentence on who tapped too late to be the inspector, if anybody."""
    table = panel().table
    names = table.names(game_id)(table.revision(game_id))
    return late_tap_text(table.later_ms(game_id), names, own_seat)


def challenge_in(game_id: GameId) -> Challenge | None:
    """Return the challenge that a game waits for; ``None`` if it waits for none."""
    return challenge_of(panel().table.game(game_id))


def challenge_here() -> str:
    """Return the address of the current game's challenge; empty for none."""
    game_id = panel().table.current()
    has_challenge = game_id is not None and challenge_in(game_id) is not None
    return f"/g/{game_id}/challenge" if has_challenge else ""


def _render_given(view: SeatView, revision: int, problem: Problem | None = None) -> str:
    """Render the page of a verdict that was given.

    Raises:
        Problem: 404 if that entry has no pictures.
    """
    game_id = view.table.game_id
    names = [
        name
        for name in KEPT_NAMES
        if _kept_picture(game_id, revision, name) is not None
    ]
    if not names:
        raise forgotten()
    (line,) = panel().table.history(game_id, revision + 1, 1)
    may_return = may("challenge.give_back", game_id)
    gain = _returnable_gain(game_id, revision) if may_return else None
    return page(
        "challenge_seen.html",
        view,
        entry=line,
        pictures=names,
        given=gain,
        ledger=panel().table.game(game_id).ledger,
        problem=problem,
    )


def _returnable_gain(game_id: GameId, revision: int) -> FoundFake | None:
    """Return the inspector's gain from a verdict, if it can still be given back.

    It cannot if the verdict has no pictures, the gain was given back already (unless
    that was undone), or one of the two seats is bankrupt.
    """
    game, table = panel().table.game(game_id), panel().table
    if _kept_picture(game_id, revision, KEPT_NAMES[0]) is None or game.play is None:
        return None
    verdict, *later = table.entries(game_id, revision - 1)
    prefix = f"{GIVEN_BACK}{revision}-"
    given_back = [
        table.history(game_id, entry.revision + 1, 1)[0]
        for entry in later
        if entry.command_id.startswith(prefix) and entry.actor == TABLE
    ]
    if not all(line.is_undone for line in given_back):
        return None
    gain = find_fake(verdict)
    if gain is None:
        return None
    can_pay = {BANK, *game.play.playing()}
    return gain if {gain.inspector, gain.payer} <= can_pay else None


def _kept_picture(game_id: GameId, revision: int, name: str) -> bytes | None:
    if name not in KEPT_NAMES:
        return None
    return panel().table.pictures.picture(game_id, revision, name)


def _pictures_to_keep(result: Examination | None) -> dict[str, bytes]:
    """Return the pictures to store with the game, by name; none without a result."""
    pictures = _decisive_finding(result).pictures if result is not None else {}
    return {name: pictures[name] for name in KEPT_NAMES if name in pictures}


def _take_off_screen(result: Examination | None) -> None:
    if result is None:
        return
    examiner = decoder_service().examiner
    shown = examiner.shown()
    if shown is not None and shown.key == result.key:
        examiner.put_away()


def _decisive_finding(result: Examination) -> Finding:
    verdict = result.verdict
    return next(finding for finding in result.findings if finding.verdict == verdict)


def _fake_note_value(challenge: Challenge, result: Examination | None) -> int:
    """Return the fake note's value in dollars.

    It is 0 if the picture does not show it or the payer cannot have such a note.
    """
    value = _decisive_finding(result).value if result is not None else 0
    return value if value in challenge.values else 0


def challenge_id(game_id: GameId) -> str:
    """Return an id for the challenge that a game waits for; empty for none.

    It contains the revision at which the chip was spent, so that a picture for an
    earlier challenge of the game is told apart (``Examination.about``).
    """
    if challenge_in(game_id) is None:
        return ""
    table = panel().table
    after = max(0, table.revision(game_id) - ENTRIES_SEARCHED_MAX)
    for entry in reversed(table.entries(game_id, after)):
        if isinstance(entry.events[0], ChipSpent):
            return f"{game_id}/{entry.revision}"
    return f"{game_id}/0"


ENTRIES_SEARCHED_MAX = 200
"""How many of the latest entries are searched for the spent chip."""


def _find_examination(game_id: GameId, key: str) -> Examination | None:
    """Return an examination for this challenge; ``None`` for any other key."""
    decoder = panel().decoder
    result = decoder.examiner.found(key) if decoder is not None and key else None
    if result is None or result.about != challenge_id(game_id):
        return None
    return result


def _address_of(game_id: GameId, result: Examination) -> str:
    return url_for("challenge.show", game_id=game_id, look=result.key)


def _examine(
    game_id: GameId, examine: Callable[[Asker], Examination]
) -> ResponseReturnValue:
    """Examine a picture for the challenge, and show it on the table's screen."""
    view = my_view(game_id)
    challenge = challenge_in(game_id)
    if challenge is None:
        return go(f"/g/{game_id}/")
    try:
        result = examine(asker_here(challenge_id(game_id), game_id))
    except (CompanionError, Busy) as error:
        return not_examined(
            error, lambda problem: _render_challenge(view, challenge, problem)
        )
    decoder_service().examiner.show(result.key)
    return go(_address_of(game_id, result))


def _render_challenge(
    view: SeatView,
    challenge: Challenge,
    problem: object = None,
    result: Examination | None = None,
) -> str:
    """Render the page of a challenge, with a problem or an examination."""
    decoder = panel().decoder
    cards = decoder.decks.cards() if decoder is not None else ()
    return page(
        "challenge.html",
        view,
        challenge=challenge,
        found=result,
        value=_fake_note_value(challenge, result),
        may_say=may_judge(panel().table.game(view.table.game_id), view.by),
        problem=problem,
        verdict_words=VERDICT_WORDS,
        has_decoder=decoder is not None,
        has_camera=has_table_camera(),
        deck=next((card for card in cards if card.is_chosen), None),
    )


def _render_challenge_again(view: SeatView, **more: object) -> str:
    """Render the page again after a refusal; after the challenge, the sender's."""
    challenge = challenge_in(view.table.game_id)
    if challenge is None:
        return seat_page(view, **more) if view.seat else bank_page(view, **more)
    result = _find_examination(view.table.game_id, text(request.form, "look"))
    return _render_challenge(view, challenge, more.get("problem"), result)


RENDER_AGAIN["challenge"] = _render_challenge_again
