"""The page of decks: choose the deck of notes to read with, or learn one from photos.

A lesson is the set of photos, real and fake, from which a new deck is learnt.
"""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO

from flask import (
    Blueprint,
    Response,
    current_app,
    render_template,
    request,
    send_file,
)

from companion.errors import CompanionError, Refused, Why
from companion.examining import PHOTOS_MAX, PHOTOS_MIN, Busy, LessonState
from companion.words import say
from web.decoder.page import (
    as_jpeg,
    decoder_service,
    forgotten,
    problem_with,
    sent_file,
    sent_photo,
)
from web.http.auth import may_tend, sender
from web.http.errors import Problem
from web.http.fields import text
from web.http.panel import panel
from web.http.render import go

blueprint = Blueprint("decks", __name__, url_prefix="/decks")

KINDS = ("real", "fake")


@blueprint.get("")
def show() -> str:
    """All decks, and the state of the lesson."""
    return _page()


@blueprint.get("/<key>.jpg")
def picture(key: str) -> Response:
    """A picture of the faces that a deck knows."""
    content = decoder_service().decks.picture(key)
    if content is None:
        raise forgotten()
    return Response(content, mimetype="image/jpeg")  # Its name may be used again.


@blueprint.get("/<which>/<key>.jpg")
def face(which: str, key: str) -> Response:
    """One face that a learnt deck knows, ``plain`` or ``masked``."""
    content = decoder_service().decks.face(key, is_masked=which == "masked")
    if content is None or which not in ("plain", "masked"):
        raise forgotten()
    return Response(content, mimetype="image/jpeg")


@blueprint.get("/<key>.deck")
def save(key: str) -> Response:
    """A learnt deck as a file, for another table to read."""
    decks = decoder_service().decks
    content = decks.file(key)
    if content is None:
        raise Problem(
            404,
            "not_found",
            say("there is no such deck"),
            say("look at all of them"),
            link=("/decks", say("Decks")),
        )
    (name,) = (card.name for card in decks.cards() if card.key == key)
    return send_file(
        BytesIO(content),
        mimetype="application/octet-stream",
        as_attachment=True,
        download_name=f"{name}.deck",
        conditional=False,  # Its name may be used again, so nothing is kept of it.
        etag=False,
    )


@blueprint.post("/read")
def read() -> Response | tuple[str, int]:
    """Keep a deck that another table saved as a file."""
    return _done(
        lambda: decoder_service().decks.take_in(
            sent_file(
                "file",
                say("expected a deck file, got none"),
                say("choose the file first"),
            ),
            text(request.form, "name"),
        )
    )


@blueprint.get("/lesson/<key>.jpg")
def photo(key: str) -> Response:
    """A small picture of a photo of the lesson."""
    content = decoder_service().lessons.photo(key)
    if content is None:
        raise forgotten()
    return as_jpeg(content)


@blueprint.post("/choose")
def choose() -> Response | tuple[str, int]:
    """Choose the deck with which notes are read from now on."""
    return _done(lambda: decoder_service().decks.choose(text(request.form, "deck")))


@blueprint.post("/forget")
def forget() -> Response | tuple[str, int]:
    """Throw a learnt deck away."""
    return _done(lambda: decoder_service().decks.forget(text(request.form, "deck")))


@blueprint.post("/photo")
def add() -> Response | tuple[str, int]:
    """Add a photo to the lesson, of a note known to be real, or known to be fake."""
    is_fake = request.form.get("kind") == "fake"
    return _done(
        lambda: decoder_service().lessons.add(
            sent_photo(), is_fake=is_fake, sender=sender()
        )
    )


@blueprint.post("/lesson/drop")
def drop() -> Response | tuple[str, int]:
    """Remove a photo from the lesson."""
    return _done(lambda: decoder_service().lessons.drop(text(request.form, "photo")))


@blueprint.post("/lesson/begin")
def begin() -> Response | tuple[str, int]:
    """Begin to learn a deck from the lesson, in the background."""
    return _done(lambda: decoder_service().lessons.begin(text(request.form, "name")))


@blueprint.post("/lesson/start-over")
def start_over() -> Response | tuple[str, int]:
    """Forget all photos of the lesson."""
    return _done(lambda: decoder_service().lessons.start_over())


def _done(step: Callable[[], object]) -> Response | tuple[str, int]:
    if not may_tend():
        raise Refused(
            Why.NOT_YOURS,
            say("only the banker teaches decks"),
            say("ask the banker"),
        )
    try:
        step()
    except (CompanionError, Busy) as error:
        problem = problem_with(error)
        return _page(problem), problem.status
    return go("/decks")


def _revision() -> int:
    """The revision of the game on the table, as this page's live stream tells it."""
    table = panel().table
    game_id = table.current()
    return table.table_view(game_id).revision if game_id else 0


def _page(problem: Problem | None = None) -> str:
    lesson = decoder_service().lessons.view()
    return render_template(
        "decks.html",
        problem=problem,
        revision=_revision(),
        decks=decoder_service().decks.cards(),
        lesson=lesson,
        kinds=KINDS,
        photos_min=PHOTOS_MIN,
        photos_max=PHOTOS_MAX,
        is_learning=lesson.state is LessonState.LEARNING,
        is_learnt=lesson.state is LessonState.LEARNT,
        is_refused=lesson.state is LessonState.REFUSED,
        may_teach=may_tend(),
        photo_bytes_max=current_app.config["PHOTO_BYTES_MAX"],
        typed=request.form.get("name", "")[:40],
    )
