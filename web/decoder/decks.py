"""The page of decks: choose the deck to compare notes with, or learn one from photos.

A *deck* is what the decoder knows about one kind of print: how its real and its fake
faces look. Some decks come with the program; others are *learnt* from photos, and can
be saved as a file for another table. The *lesson* is the photos, sorted into real and
fake or unsorted, from which a new deck is learnt.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from io import BytesIO
from typing import BinaryIO

from flask import Blueprint, Response, render_template, request, send_file

from companion.errors import CompanionError, Malformed
from companion.examining import (
    PHOTOS_MAX,
    PHOTOS_MIN,
    UNSORTED_MAX,
    UNSORTED_MIN,
    Busy,
    LessonState,
)
from companion.words import say, translated
from web.decoder.challenge import challenge_here
from web.decoder.page import (
    as_jpeg,
    decoder_service,
    forgotten,
    problem_with,
    sent_files,
    sent_photos,
)
from web.http.address import go
from web.http.auth import sender
from web.http.errors import Problem, not_found
from web.http.fields import text
from web.http.frame import tabs_here
from web.http.language import phones_language
from web.http.may import may
from web.http.panel import panel

blueprint = Blueprint("decks", __name__, url_prefix="/decks")

KINDS = {"real": False, "fake": True}
"""Whether a note is fake, by the kind in a form; any other kind means unsorted."""

UNSAFE = re.compile(r"^\.|[/\\]")
"""What a file's name must not contain: a leading dot hides it, a slash is a folder."""

NAME_SHOWN_MAX = 40
"""How many characters of a typed name the page shows again after a refusal."""

NAMES_MAX = 50
"""How many numbered names are tried for a new deck; no table has as many decks."""


@blueprint.get("")
def show() -> str:
    """Show all decks, and how far the lesson has come."""
    return _page()


@blueprint.get("/<key>.jpg")
def picture(key: str) -> Response:
    """Send a picture of the faces in a deck."""
    content = decoder_service().decks.picture(key)
    return as_jpeg(content, may_change=True)  # Another deck may get its name.


@blueprint.get("/<which>/<key>.jpg")
def face(which: str, key: str) -> Response:
    """Send one face of a learnt deck, ``plain`` or ``masked``."""
    if which not in ("plain", "masked"):
        raise forgotten()
    content = decoder_service().decks.face(key, is_masked=which == "masked")
    return as_jpeg(content, may_change=True)


@blueprint.get("/<key>.deck")
def save(key: str) -> Response:
    """Send a learnt deck as a file, for another table to read."""
    decks = decoder_service().decks
    content = decks.file(key)
    if content is None:
        link = ("/decks", say("Decks"))
        raise not_found(say("there is no such deck"), say("look at all of them"), link)
    name = next((card.name for card in decks.cards() if card.key == key), key)
    return send_file(
        BytesIO(content),
        mimetype="application/octet-stream",
        as_attachment=True,
        download_name=f"{UNSAFE.sub('-', name)}.deck",
        conditional=False,  # Not cached, since another deck may get its name.
        etag=False,
    )


@blueprint.post("/read")
def read() -> Response | tuple[str, int]:
    """Store a deck that another table saved as a file."""
    return _run(
        lambda: decoder_service().decks.take_in(
            _sent_deck(), text(request.form, "name"), sender=sender()
        )
    )


@blueprint.get("/lesson/<key>.jpg")
def photo(key: str) -> Response:
    """Send a small picture of a photo in the lesson."""
    return as_jpeg(decoder_service().lessons.photo(key))


@blueprint.post("/choose")
def choose() -> Response | tuple[str, int]:
    """Choose the deck with which notes are compared from now on."""
    return _run(lambda: decoder_service().decks.choose(text(request.form, "deck")))


@blueprint.post("/forget")
def forget() -> Response | tuple[str, int]:
    """Delete a learnt deck."""
    return _run(lambda: decoder_service().decks.forget(text(request.form, "deck")))


@blueprint.post("/photo")
def add() -> Response | tuple[str, int]:
    """Add photos to the lesson: of real notes, of fake ones, or unsorted."""
    is_fake = KINDS.get(request.form.get("kind", ""))
    lessons = decoder_service().lessons
    return _run(
        *(
            partial(lessons.add, photo, is_fake=is_fake, sender=sender())
            for photo in sent_photos()
        )
    )


@blueprint.post("/lesson/drop")
def drop() -> Response | tuple[str, int]:
    """Remove a photo from the lesson."""
    return _run(lambda: decoder_service().lessons.drop(text(request.form, "photo")))


@blueprint.post("/lesson/begin")
def begin() -> Response | tuple[str, int]:
    """Begin to learn a deck from the lesson, in the background."""
    return _run(lambda: decoder_service().lessons.begin(text(request.form, "name")))


@blueprint.post("/lesson/answer")
def answer() -> Response | tuple[str, int]:
    """Take the answer which of two faces in unsorted photos wears the mask."""
    return _run(lambda: decoder_service().lessons.answer(text(request.form, "face")))


@blueprint.post("/lesson/start-over")
def start_over() -> Response | tuple[str, int]:
    """Remove all photos from the lesson."""
    return _run(lambda: decoder_service().lessons.start_over())


def _run(*steps: Callable[[], object]) -> Response | tuple[str, int]:
    """Run all *steps*, even after one has failed, and lead to the page of decks.

    If any failed, answer with that page and all problems. Each of several steps is for
    a photo, which its problem names by number.
    """
    problems = []
    for number, step in enumerate(steps, 1):
        try:
            step()
        except (CompanionError, Busy) as error:
            problem = problem_with(error)
            if len(steps) > 1:
                problem.message = say(
                    "photo {number} of {count}: {what}",
                    number=number,
                    count=len(steps),
                    what=problem.message,
                )
            problems.append(problem)
    if problems:
        return _page(*problems), problems[0].status
    return go("/decks")


def _sent_deck() -> BinaryIO:
    """Return the deck file in this request's form, open."""
    for file in sent_files("file"):
        return file
    raise Malformed(say("no file was chosen"), say("choose the file first"))


def _suggested_name() -> str:
    """Return a name that no deck has yet, in this phone's language."""
    name = translated(say("From the shop"), phones_language())
    taken = {card.name for card in decoder_service().decks.cards()}
    if name not in taken:
        return name
    numbered = (f"{name} {number}" for number in range(2, NAMES_MAX + 2))
    return next((free for free in numbered if free not in taken), name)


def _revision() -> int:
    """Return the revision of the game on the table; 0 for no game."""
    table = panel().table
    game_id = table.current()
    return table.revision(game_id) if game_id else 0


def _page(*problems: Problem) -> str:
    """Render the page of decks and the lesson, with the problems of a form."""
    lesson = decoder_service().lessons.view()
    return render_template(
        "decks.html",
        tabs=tabs_here(),
        problems=problems,
        revision=_revision(),
        decks=decoder_service().decks.cards(),
        lesson=lesson,
        kinds=KINDS,
        photos_min=PHOTOS_MIN,
        photos_max=PHOTOS_MAX,
        unsorted_min=UNSORTED_MIN,
        unsorted_max=UNSORTED_MAX,
        is_learning=lesson.state is LessonState.LEARNING,
        is_asking=lesson.state is LessonState.ASKING,
        is_learnt=lesson.state is LessonState.LEARNT,
        is_refused=lesson.state is LessonState.REFUSED,
        may_teach=may("decks.add"),
        typed=request.form.get("name", "")[:NAME_SHOWN_MAX] or _suggested_name(),
        challenge=challenge_here(),
    )
