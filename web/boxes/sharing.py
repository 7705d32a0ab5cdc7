"""Reading a file that another table shared: first a look, then a tap to take it over.

Figures taken over are treated like figures typed in (``web/boxes/typing_in.py``): the
same phones may do it, games that the companion leads are corrected, and the journal
records it. The file itself is not kept.
"""

from __future__ import annotations

import logging
from contextlib import closing

import msgspec
from flask import Blueprint, Response, render_template, request

from companion.box.readings import values_of
from companion.box.sharing import Compared, compared, shared_edition
from companion.edition import Edition
from companion.errors import CompanionError, EditionFault, JournalFault, Malformed
from companion.game.box_key import BoxValue, taken_apart
from companion.game.card_words import drawn_card
from companion.words import capital, say
from companion.words.common import common
from companion.words.money import dollars_text
from web.boxes.asks import asks
from web.boxes.typing_in import read, typist, value_in
from web.boxes.words import VALUES
from web.http.address import go, known_edition
from web.http.errors import Problem, problem_of
from web.http.language import phones_language
from web.http.panel import panel

log = logging.getLogger(__name__)

blueprint = Blueprint("sharing", __name__, url_prefix="/editions")

NAME_MAX = 60
"""How many characters of a file's name a page shows."""

MISTAKES_LOGGED = 3

TICKED_MAX = 500
"""How many figures one tap may take over; no box has so many unknown ones."""


class SharedLine(msgspec.Struct, frozen=True, kw_only=True):
    """One figure that the file states, in words.

    Attributes:
        value: What the form sends to take it over; ``ticked_box`` reads it.
        of: The name of the deed, card, space or deck.
        what: Which figure of it; empty for a card, which ``said`` describes.
        said: What the file says.
        ours: What this table says instead; empty if it says nothing or the same.
    """

    value: str
    of: str
    what: str
    said: str
    ours: str = ""


@blueprint.post("/<edition_id>/shared")
def look(edition_id: str) -> Response | tuple[str, int] | str:
    """Show what a file says beside what this table knows; take nothing over yet."""
    own, edition = panel().editions, known_edition(edition_id)
    try:
        name, text = _sent_file()
        theirs = shared_edition(text, name, own.base(edition_id))
    except (EditionFault, Malformed) as error:
        problem = _problem_with(error)
        return _page(edition, "", problem=problem), problem.status
    ours = values_of(own.readings(edition_id))
    return _page(edition, name, compared(own.base(edition_id), theirs, ours))


@blueprint.post("/<edition_id>/take-over")
def take_over(edition_id: str) -> Response | tuple[str, int]:
    """Take over the ticked figures, as if they had been typed in."""
    own, edition = panel().editions, known_edition(edition_id)
    known = values_of(own.readings(edition_id))
    try:
        ticked = dict(map(ticked_box, request.form.getlist("take")[:TICKED_MAX]))
        # What this table itself has typed in meanwhile is not overwritten.
        new = {key: value for key, value in ticked.items() if key not in known}
        read(own, edition_id, new, typist())
    except JournalFault:
        raise
    except CompanionError as error:
        problem = problem_of(error)
        return _page(edition, "", problem=problem), problem.status
    first = next((taken_apart(key).of for key in new), "")
    return go(f"/editions/{edition_id}?of={first}")


def ticked_box(sent: str) -> tuple[str, BoxValue]:
    """Key and value of what a ticked box on the page stands for.

    Args:
        sent: Both, as in ``SharedLine.value``.

    Raises:
        Malformed: If an amount in it is none.
    """
    key, _, said = sent.partition(" ")
    return key, value_in(key, said)


def _sent_file() -> tuple[str, str]:
    """Name and text of the file in this request's form.

    Raises:
        Malformed: If there is none, or it is no text.
    """
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
    if not isinstance(error, EditionFault):
        return problem_of(error)
    log.info("shared_file_refused problems=%r", error.problems[:MISTAKES_LOGGED])
    return Problem(
        400,
        "malformed",
        say("this file has mistakes, so nothing is read from it"),
        say("ask for the file again"),
    )


def _page(
    edition: Edition,
    name: str,
    found: Compared | None = None,
    problem: Problem | None = None,
) -> str:
    words, said = _Words(edition), found or Compared(new={}, same={}, other={})
    return render_template(
        "figures_shared.html",
        edition=edition,
        name=name,
        problem=problem,
        is_read=found is not None,
        new=[words.line(*one) for one in said.new.items()],
        other=[words.line(key, *both) for key, both in said.other.items()],
        same_count=len(said.same),
    )


class _Words:
    """The names of an edition's deeds, cards and spaces, and lines made from them."""

    def __init__(self, edition: Edition) -> None:
        self._asked = {
            blank.key: (ask.words, blank.words)
            for group in asks(panel().editions.base(edition.id), edition)
            for ask in group.asks
            for blank in ask.blanks
        }
        self._decks = {deck.id: common(deck.name) for deck in edition.decks}
        self._places = {deed.id: deed.name for deed in edition.deeds}
        self._places |= {f"space@{one.number}": one.name for one in edition.spaces}

    def line(
        self, key: str, value: BoxValue, ours: BoxValue | None = None
    ) -> SharedLine:
        """What is said at *key* as a line of the page, beside this table's word."""
        is_card = taken_apart(key).is_card
        of, what = (self._decks[str(value)], "") if is_card else self._asked[key]
        return SharedLine(
            value=f"{key} {value}",
            of=of,
            what=what,
            said=self._said(key, value),
            ours="" if ours is None else self._said(key, ours),
        )

    def _said(self, key: str, value: BoxValue) -> str:
        one = taken_apart(key)
        if one.is_card:
            return capital(drawn_card(self._places, one.of))
        if isinstance(value, int):
            return dollars_text(value, phones_language().currency)
        return VALUES[value]
