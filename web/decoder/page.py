"""*Is it real?*: a page that takes a photo of a note and shows a verdict with proof.

A note or card has a *print*, whose lines hide a face; the *plastic lens* of the box
makes the face visible. The *decoder* finds it in a photo instead. An *examination* is
its result for one photo: one or more *findings*, each with a verdict (real, fake or
unsure) on one print. Each examination has a page of its own, which can be opened again,
and anybody can put it on the table's screen.

A file field with ``capture`` opens a phone's camera even on plain HTTP, where browsers
forbid a live camera picture. Every form works without script.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import BinaryIO, cast

from flask import Blueprint, Response, render_template, request, url_for
from flask.typing import ResponseReturnValue

from companion.errors import CompanionError, DeviceFault, Malformed
from companion.examining import (
    FAKE,
    REAL,
    UNSURE,
    Asker,
    Busy,
    DeckCard,
    DecoderService,
    Examination,
    GrowthState,
)
from companion.ports import CameraState
from companion.units import GameId
from companion.words import say
from web.http.address import go
from web.http.assets import YEAR_S
from web.http.auth import caller, sender
from web.http.errors import Problem, not_found, problem_of, words_of_fault
from web.http.fields import text
from web.http.frame import tabs_here
from web.http.may import may
from web.http.panel import panel

blueprint = Blueprint("decoder", __name__, url_prefix="/decoder")

BUSY_S = 5
"""How long a phone should wait before it tries again, if the decoder is busy."""

VERDICT_WORDS = {REAL: say("Real"), FAKE: say("Fake"), UNSURE: say("Unsure")}
"""The headline for each verdict."""


@blueprint.get("")
def show() -> str:
    """Show the page on which a photo is taken or chosen."""
    return page(None)


@blueprint.post("/photo")
def photo() -> ResponseReturnValue:
    """Examine a photo that a phone sends."""
    return _examine(examine_photo)


@blueprint.post("/look")
def look() -> ResponseReturnValue:
    """Examine a picture taken by the table's own camera."""
    return _examine(look_through_camera)


@blueprint.get("/<key>")
def examination(key: str) -> ResponseReturnValue:
    """Show the result of one examination, with a form for the next."""
    result = decoder_service().examiner.found(key)
    return page(result) if result is not None else go("/decoder")


@blueprint.get("/<key>/<name>.jpg")
def picture(key: str, name: str) -> Response:
    """Send a picture of an examination.

    Its *name* is ``frame`` for the whole picture; ``seen-1``, ``hidden-1`` or
    ``face-1`` for the first print in it.
    """
    result = decoder_service().examiner.found(key)
    if result is None:
        raise forgotten()
    if name == "frame":
        return as_jpeg(result.frame)
    kind, _, number = name.partition("-")
    for index, finding in enumerate(result.findings, 1):
        if number == str(index) and kind in finding.pictures:
            return as_jpeg(finding.pictures[kind])
    raise forgotten()


@blueprint.post("/show")
def show_everybody() -> Response:
    """Show an examination on the table's screen."""
    key = text(request.form, "key")
    if not decoder_service().examiner.show(key):
        raise forgotten()
    return go(url_for("decoder.examination", key=key))


@blueprint.post("/teach")
def teach() -> ResponseReturnValue:
    """Add an examined photo to its deck, as the plastic lens showed: real or fake."""
    key, kind = text(request.form, "key"), text(request.form, "kind")
    if kind not in (REAL, FAKE):
        raise Malformed(
            say("you have not said yet what the lens showed"),
            say("tap one of the two faces"),
        )
    try:
        decoder_service().growing.begin(key, is_fake=kind == FAKE)
    except CompanionError as error:
        problem = problem_with(error)
        return page(decoder_service().examiner.found(key), problem), problem.status
    return go(url_for("decoder.examination", key=key))


@blueprint.post("/put-away")
def put_away() -> Response:
    """Remove the examination from the table's screen."""
    decoder_service().examiner.put_away()
    key = text(request.form, "key")
    return go(url_for("decoder.examination", key=key) if key else "/decoder")


def page(result: Examination | None, problem: Problem | None = None) -> str:
    """Render the page; *result* is the examination to show, if any."""
    examiner = decoder_service().examiner
    health, shown = examiner.camera_health(), examiner.shown()
    is_broken = health is not None and health.state is CameraState.BROKEN
    cards = decoder_service().decks.cards()
    chosen = next(card for card in cards if card.is_chosen)
    growth = decoder_service().growing.of(result.key) if result is not None else None
    return render_template(
        "decoder.html",
        tabs=tabs_here(),
        found=result,
        problem=problem,
        verdict_words=VERDICT_WORDS,
        has_camera=health is not None and not is_broken,
        broken_camera=health if is_broken and may("decoder.teach") else None,
        deck=chosen,
        growth=growth,
        is_growing=growth is not None and growth.state is GrowthState.GROWING,
        is_grown=growth is not None and growth.state is GrowthState.GROWN,
        teaches=_teachable_deck(result, cards),
        is_shown=result is not None and shown is not None and shown.key == result.key,
        has_lens=result.has_lens if result is not None else has_lens(),
    )


def on_screen(about: str) -> Examination | None:
    """Return the examination on the table's screen; ``None`` for none.

    Args:
        about: The id of the present challenge, or empty. An examination for another
            challenge no longer counts.
    """
    decoder = panel().decoder
    shown = decoder.examiner.shown() if decoder is not None else None
    return shown if shown is not None and shown.about in ("", about) else None


def decoder_service() -> DecoderService:
    """Return the service that examines notes.

    Raises:
        Problem: 404 if this table has no decoder.
    """
    service = panel().decoder
    if service is None:
        raise Problem(
            404,
            "no_decoder",
            say("this table has no decoder"),
            say("look through the plastic lens"),
        )
    return service


def sent_photos() -> tuple[BinaryIO, ...]:
    """Return the photos in this request's form, as open files.

    Raises:
        Malformed: If there is no photo.
    """
    photos = sent_files("photo")
    if not photos:
        raise Malformed(say("no photo was chosen"), say("take one or choose one first"))
    return photos


def sent_files(field: str) -> tuple[BinaryIO, ...]:
    """Return the files in a field of this request's form, open for reading."""
    return tuple(
        cast("BinaryIO", file.stream)
        for file in request.files.getlist(field)
        if file.filename
    )


def problem_with(error: Exception) -> Problem:
    """Convert an error about a photo, a deck or a camera to a ``Problem``."""
    if isinstance(error, Busy):
        return Problem(
            503,
            "busy",
            say("another photo is being looked at"),
            say("send yours again in a moment"),
            wait_s=BUSY_S,
        )
    if isinstance(error, DeviceFault):
        return Problem(503, "device", *words_of_fault(error), wait_s=BUSY_S)
    return problem_of(error)


def as_jpeg(content: bytes | None, *, may_change: bool = False) -> Response:
    """Return a response with a picture, kept for a year unless it *may_change*.

    Raises:
        Problem: 404 if the table no longer has the picture.
    """
    if content is None:
        raise forgotten()
    response = Response(content, mimetype="image/jpeg")
    if not may_change:
        response.headers["Cache-Control"] = f"private, max-age={YEAR_S}, immutable"
    return response


def forgotten() -> Problem:
    """Return the ``Problem`` of a photo that the table no longer keeps: 404."""
    return not_found(
        say("the table has forgotten this photo"),
        say("take it again"),
        ("/decoder", say("Take a photo")),
    )


def _teachable_deck(
    result: Examination | None, cards: tuple[DeckCard, ...]
) -> DeckCard | None:
    """Return the deck to which this phone may add the photo, if any."""
    if result is None or not result.can_teach or not may("decoder.teach"):
        return None
    return next((card for card in cards if card.key == result.deck_key), None)


def has_lens() -> bool:
    """Tell whether the form says that the plastic lens is on the note."""
    return request.form.get("lens") == "yes"


def asker_here(about: str = "", game_id: GameId | None = None) -> Asker:
    """Describe this request's sender to the examiner, which serves seats first.

    Args:
        about: The id of the challenge that the photo is for; may be empty.
        game_id: The game in which the sender may have a seat; ``None`` for that on the
            table.
    """
    game_id = game_id or panel().table.current()
    account = panel().seating.acts_as(game_id, caller().phone) if game_id else ""
    return Asker(sender(), is_seated=bool(account), about=about)


def examine_photo(asker: Asker) -> Examination:
    """Examine the photo in this request's form (``Examiner.examine``)."""
    return decoder_service().examiner.examine(
        sent_photos()[0], asker, has_lens=has_lens()
    )


def look_through_camera(asker: Asker) -> Examination:
    """Examine a picture of the table's own camera (``Examiner.look``)."""
    return decoder_service().examiner.look(asker, has_lens=has_lens())


def _examine(examine: Callable[[Asker], Examination]) -> ResponseReturnValue:
    try:
        result = examine(asker_here())
    except (CompanionError, Busy) as error:
        return not_examined(error, lambda problem: page(None, problem))
    return go(url_for("decoder.examination", key=result.key))


def not_examined(error: Exception, render: Callable[[Problem], str]) -> Response:
    """Answer that a photo could not be examined because of *error*.

    Args:
        error: The reason; a ``Problem`` has a page of its own, and is raised.
        render: Renders the page with a problem.
    """
    if isinstance(error, Problem):
        raise error
    problem = problem_with(error)
    answer = Response(render(problem), problem.status)
    if problem.wait_s:
        answer.headers["Retry-After"] = str(problem.wait_s)
    return answer
