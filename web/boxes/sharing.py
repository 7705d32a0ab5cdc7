"""Pages for a file of figures from another table: compare it, then tick what to adopt.

Another table with the same box may have typed in *figures* (prices, rents, cards) that
the edition file lacks, and saved them as a file. The page shows the figures that are
new to this table or differ from its own.

Adopted figures are treated like figures typed in (``web/boxes/page.py``): the same
phones may do it, games that the companion leads are corrected, and the journal records
it. The file itself is not kept.
"""

from __future__ import annotations

import logging
from contextlib import closing

import msgspec
from flask import Blueprint, Response, render_template, request

from companion.box.readings import Comparison, compare_file, shared_edition, values_of
from companion.edition import Edition
from companion.errors import CompanionError, EditionFault, JournalFault, Malformed
from companion.game.box_key import BoxValue, split_key
from companion.game.card_words import drawn_card
from companion.words import capital, say
from companion.words.common import common
from companion.words.money import dollars_text
from web.boxes.asks import ask_groups
from web.boxes.page import record_readings, typist_name, value_in
from web.boxes.words import VALUES
from web.http.address import go, known_edition
from web.http.errors import Problem, problem_of
from web.http.language import phones_language
from web.http.panel import panel

log = logging.getLogger(__name__)

blueprint = Blueprint("sharing", __name__, url_prefix="/editions")

NAME_MAX = 60
"""How many characters of a file's name the page shows, counted from its end."""

MISTAKES_LOGGED = 3
"""How many mistakes of a refused file are logged."""

TICKED_MAX = 500
"""How many figures one form may adopt; no box has so many unknown ones."""


class SharedLine(msgspec.Struct, frozen=True, kw_only=True):
    """One figure in the file, in words.

    Attributes:
        value: What its tick box sends: the figure's key, a blank, and its value.
        subject: The name of the deed, card, space or deck.
        what: The name of the figure; empty for a card, which ``said`` describes.
        said: The value in the file.
        ours: This table's own value, if it has a different one.
    """

    value: str
    subject: str
    what: str
    said: str
    ours: str = ""


@blueprint.post("/<edition_id>/shared")
def look(edition_id: str) -> Response | tuple[str, int] | str:
    """Show the figures of a file beside this table's own; adopt none yet."""
    editions, edition = panel().editions, known_edition(edition_id)
    try:
        name, text = _sent_file()
        theirs = shared_edition(text, name, editions.base(edition_id))
    except (EditionFault, Malformed) as error:
        problem = _problem_with(error)
        return _render_page(edition, "", problem=problem), problem.status
    ours = values_of(editions.readings(edition_id))
    return _render_page(
        edition, name, compare_file(editions.base(edition_id), theirs, ours)
    )


@blueprint.post("/<edition_id>/take-over")
def take_over(edition_id: str) -> Response | tuple[str, int]:
    """Adopt the ticked figures, as if they had been typed in."""
    editions, edition = panel().editions, known_edition(edition_id)
    known = values_of(editions.readings(edition_id))
    try:
        values = request.form.getlist("take")[:TICKED_MAX]
        ticked = dict(read_ticked(value) for value in values)
        # Figures that were typed in meanwhile are not overwritten.
        new = {key: value for key, value in ticked.items() if key not in known}
        record_readings(editions, edition_id, new, typist_name())
    except JournalFault:
        raise  # The disk failed, which is no mistake in the form.
    except CompanionError as error:
        problem = problem_of(error)
        return _render_page(edition, "", problem=problem), problem.status
    first = next((split_key(key).of for key in new), "")
    return go(f"/editions/{edition_id}?of={first}")


def read_ticked(value: str) -> tuple[str, BoxValue]:
    """Read the key and the value of a figure from its tick box (``SharedLine.value``).

    Raises:
        Malformed: If the key requires an amount and the value is not one.
    """
    key, _, text = value.partition(" ")
    return key, value_in(key, text)


def _sent_file() -> tuple[str, str]:
    """Return the name and the text of the file in this request's form."""
    sent = request.files.get("file")
    if sent is None or not sent.filename:
        raise Malformed(say("no file was chosen"), say("choose one first"))
    with closing(sent):
        name, content = sent.filename[-NAME_MAX:], sent.read()
    try:
        return name, content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Malformed(
            say("this is no text file: {name}", name=name),
            say("choose the file that the other table saved"),
        ) from None


def _problem_with(error: CompanionError) -> Problem:
    """Convert an error to a ``Problem``; log the mistakes in an edition file."""
    if not isinstance(error, EditionFault):
        return problem_of(error)
    log.info("shared_file_refused problems=%r", error.problems[:MISTAKES_LOGGED])
    return Problem(
        400,
        "malformed",
        say("this file has mistakes, so nothing is read from it"),
        say("ask for the file again"),
    )


def _render_page(
    edition: Edition,
    name: str,
    comparison: Comparison | None = None,
    problem: Problem | None = None,
) -> str:
    """Render the comparison of the file *name* with our figures, or a problem."""
    lines, shown = _Lines(edition), comparison or Comparison(new={}, same={}, other={})
    return render_template(
        "figures_shared.html",
        edition=edition,
        name=name,
        problem=problem,
        is_read=comparison is not None,
        new=[lines.line(key, theirs) for key, theirs in shown.new.items()],
        other=[
            lines.line(key, theirs, ours) for key, (theirs, ours) in shown.other.items()
        ],
        same_count=len(shown.same),
    )


class _Lines:
    """Builds lines of the page; it knows the names of an edition's deeds and spaces."""

    def __init__(self, edition: Edition) -> None:
        self._names_by_key = {
            blank.key: (question.words, blank.words)
            for group in ask_groups(panel().editions.base(edition.id), edition)
            for question in group.questions
            for blank in question.blanks
        }
        self._decks = {deck.id: common(deck.name) for deck in edition.decks}
        self._places = {deed.id: deed.name for deed in edition.deeds}
        self._places |= {
            f"space@{space.number}": space.name for space in edition.spaces
        }

    def line(
        self, key: str, value: BoxValue, ours: BoxValue | None = None
    ) -> SharedLine:
        """Build the line of a figure in the file, beside this table's own value."""
        if split_key(key).is_card:
            subject, what = self._decks[str(value)], ""
        else:
            subject, what = self._names_by_key[key]
        return SharedLine(
            value=f"{key} {value}",
            subject=subject,
            what=what,
            said=self._value_words(key, value),
            ours="" if ours is None else self._value_words(key, ours),
        )

    def _value_words(self, key: str, value: BoxValue) -> str:
        parts = split_key(key)
        if parts.is_card:
            return capital(drawn_card(self._places, parts.of))
        if isinstance(value, int):
            return dollars_text(value, phones_language().currency)
        return VALUES[value]
