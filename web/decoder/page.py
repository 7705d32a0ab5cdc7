"""*Is it real?*: a page that takes a photo and shows a verdict with its proof.

A file field with ``capture`` opens a phone's camera even on plain HTTP, where browsers
forbid a live camera picture. Every form works without script, and each examination
(a look) has a page of its own, which can be opened again.
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
from web.http.auth import caller, sender
from web.http.errors import Problem, not_found, problem_of, words_of_fault
from web.http.fields import text
from web.http.may import may
from web.http.panel import panel
from web.http.render import tabs_here

blueprint = Blueprint("decoder", __name__, url_prefix="/decoder")

BUSY_S = 5
"""After how many seconds a phone that was refused as too many may ask again."""

YEAR_S = 31_536_000

VERDICT_WORDS = {REAL: say("Real"), FAKE: say("Fake"), UNSURE: say("Unsure")}


@blueprint.get("")
def show() -> str:
    """The page on which a photo is taken or chosen."""
    return page(None)


@blueprint.post("/photo")
def photo() -> ResponseReturnValue:
    """Examine a photo that a phone sends."""
    return _looked(examine_photo)


@blueprint.post("/look")
def look() -> ResponseReturnValue:
    """Examine a picture taken by the table's own camera."""
    return _looked(look_through_camera)


@blueprint.get("/<key>")
def examination(key: str) -> ResponseReturnValue:
    """What one look found, with a form for the next."""
    found = decoder_service().examiner.found(key)
    return page(found) if found is not None else go("/decoder")


@blueprint.get("/<key>/<name>.jpg")
def picture(key: str, name: str) -> Response:
    """A picture of a look: ``frame``, ``seen-1``, ``hidden-1``, ``face-1`` and so on.

    The number counts the prints that were found in the frame, from 1.
    """
    found = decoder_service().examiner.found(key)
    if found is None:
        raise forgotten()
    if name == "frame":
        return as_jpeg(found.frame)
    kind, _, number = name.partition("-")
    for index, finding in enumerate(found.findings, 1):
        if number == str(index) and kind in finding.pictures:
            return as_jpeg(finding.pictures[kind])
    raise forgotten()


@blueprint.post("/show")
def show_everybody() -> Response:
    """Put a look on the table's screen."""
    key = text(request.form, "key")
    if not decoder_service().examiner.show(key):
        raise forgotten()
    return go(url_for("decoder.examination", key=key))


@blueprint.post("/teach")
def teach() -> ResponseReturnValue:
    """Add a look's photo to its deck, as what the plastic lens has shown it to be."""
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
    """Take a look off the table's screen."""
    decoder_service().examiner.put_away()
    key = text(request.form, "key")
    return go(url_for("decoder.examination", key=key) if key else "/decoder")


def page(found: Examination | None, problem: Problem | None = None) -> str:
    """The page with a look on it, with what went wrong, or with neither."""
    examiner = decoder_service().examiner
    health, shown = examiner.camera_health(), examiner.shown()
    is_broken = health is not None and health.state is CameraState.BROKEN
    cards = decoder_service().decks.cards()
    chosen = next(card for card in cards if card.is_chosen)
    growth = decoder_service().growing.of(found.key) if found is not None else None
    return render_template(
        "decoder.html",
        tabs=tabs_here(),
        found=found,
        problem=problem,
        verdict_words=VERDICT_WORDS,
        has_camera=health is not None and not is_broken,
        broken_camera=health if is_broken and may("decoder.teach") else None,
        deck=chosen,
        growth=growth,
        is_growing=growth is not None and growth.state is GrowthState.GROWING,
        is_grown=growth is not None and growth.state is GrowthState.GROWN,
        teaches=_teaches(found, cards),
        is_shown=found is not None and shown is not None and shown.key == found.key,
        has_lens=found.has_lens if found is not None else has_lens(),
    )


def on_screen(about: str) -> Examination | None:
    """The look on the table's screen, if any; ``None`` also without a decoder.

    One that was made for something else than *about*, by now, is not shown.
    """
    decoder = panel().decoder
    shown = decoder.examiner.shown() if decoder is not None else None
    return shown if shown is not None and shown.about in ("", about) else None


def decoder_service() -> DecoderService:
    """The service that examines notes.

    Raises:
        Problem: 404 where this table has no decoder.
    """
    found = panel().decoder
    if found is None:
        raise Problem(
            404,
            "no_decoder",
            say("this table has no decoder"),
            say("look through the plastic lens"),
        )
    return found


def sent_photos() -> tuple[BinaryIO, ...]:
    """The photos in this request's form, open, from whichever field holds some.

    Raises:
        Malformed: If there is none.
    """
    photos = sent_files("photo")
    if not photos:
        raise Malformed(say("no photo was chosen"), say("take one or choose one first"))
    return photos


def sent_files(field: str) -> tuple[BinaryIO, ...]:
    """The files in this request's form under a name, open."""
    return tuple(
        cast("BinaryIO", file.stream)
        for file in request.files.getlist(field)
        if file.filename
    )


def problem_with(error: Exception) -> Problem:
    """What went wrong with a photo, a deck or a camera, as a ``Problem``."""
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
    """A response with a picture; mostly it never changes under its address.

    Raises:
        Problem: 404 for one that is not there any more.
    """
    if content is None:
        raise forgotten()
    response = Response(content, mimetype="image/jpeg")
    if not may_change:
        response.headers["Cache-Control"] = f"private, max-age={YEAR_S}, immutable"
    return response


def forgotten() -> Problem:
    """The problem of a look or photo that the table no longer keeps."""
    return not_found(
        say("the table has forgotten this photo"),
        say("take it again"),
        ("/decoder", say("Take a photo")),
    )


def _teaches(found: Examination | None, cards: tuple[DeckCard, ...]) -> DeckCard | None:
    """The deck that a look's photo can be added to by this phone, if any."""
    if found is None or not found.can_teach or not may("decoder.teach"):
        return None
    return next((card for card in cards if card.key == found.deck_key), None)


def has_lens() -> bool:
    """Whether this request's form says that the plastic lens lies on the note."""
    return request.form.get("lens") == "yes"


def asked_by(about: str = "", game_id: GameId | None = None) -> Asker:
    """Return who sent this request, as the examiner asks: of that game, or a stranger.

    Args:
        about: What for.
        game_id: Which game; without, the one on the table.
    """
    shown = game_id or panel().table.current()
    by = panel().seating.acts_as(shown, caller().phone) if shown else ""
    return Asker(sender(), is_seated=bool(by), about=about)


def examine_photo(asker: Asker) -> Examination:
    """Examine the photo in this request's form (``Examiner.examine``)."""
    return decoder_service().examiner.examine(
        sent_photos()[0], asker, has_lens=has_lens()
    )


def look_through_camera(asker: Asker) -> Examination:
    """Look through the table's own camera (``Examiner.look``)."""
    return decoder_service().examiner.look(asker, has_lens=has_lens())


def _looked(examined: Callable[[Asker], Examination]) -> ResponseReturnValue:
    try:
        found = examined(asked_by())
    except (CompanionError, Busy) as error:
        return not_looked(error, lambda problem: page(None, problem))
    return go(url_for("decoder.examination", key=found.key))


def not_looked(error: Exception, show: Callable[[Problem], str]) -> Response:
    """The page that says why nothing was seen.

    Args:
        error: What went wrong.
        show: Draws the page.
    """
    if isinstance(error, Problem):
        raise error
    problem = problem_with(error)
    answer = Response(show(problem), problem.status)
    if problem.wait_s:
        answer.headers["Retry-After"] = str(problem.wait_s)
    return answer
