"""Pages of the boxes: their figures, the sources, and what this table typed in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from flask import Blueprint, Response, render_template, request

from companion.box.readings import BoxReading
from companion.edition import Edition
from companion.edition.british import UK
from companion.edition.figures import figures
from companion.errors import CompanionError, JournalFault
from companion.game import commands as c
from companion.game.box_key import taken_apart
from companion.units import GameId
from companion.words import say, say_count
from web.boxes.asks import AskGroup, Question, asks
from web.boxes.blocks import OWN, Chapter, chapters, level_of
from web.boxes.own_cards import open_decks
from web.boxes.typing_in import (
    keys_in,
    likely_in_play,
    play_with_likely,
    read,
    readings_in,
    typist,
)
from web.http import fields
from web.http.address import go, known_edition
from web.http.errors import Problem, not_found, problem_of
from web.http.may import led_games, may
from web.http.panel import panel

blueprint = Blueprint("figures", __name__, url_prefix="/editions")

LEVELS = {
    OWN: ("\N{BLACK STAR}", say("our own box"), say("you read it off your box")),
    "confirmed": (
        "\N{CHECK MARK}\N{CHECK MARK}",
        say("confirmed"),
        say("two or more sources agree"),
    ),
    "single": ("\N{CHECK MARK}", say("one source"), say("only one source says so")),
    "inferred": (
        "\N{ALMOST EQUAL TO}",
        say("derived"),
        say("worked out from something else"),
    ),
    "unknown": ("?", say("unknown"), say("nobody could read it to us")),
}
"""How well a figure is known: by level a sign, a word, and what it means."""


@blueprint.get("")
def boxes() -> str:
    """All boxes, and how well each is known."""
    known = [panel().editions(one) for one in panel().editions.ids]
    return render_template(
        "figures.html", boxes=[(one, known_counts(one)) for one in known], levels=LEVELS
    )


@blueprint.get("/<edition_id>")
def show(edition_id: str) -> str:
    """Every figure of one box, a part of them at a time.

    ``?of=`` asks about a deed, card or space, ``?chapter=`` opens a chapter of the
    figures; the others are links.
    """
    return _page(known_edition(edition_id), request.args.get("of", ""))


@blueprint.post("/<edition_id>/type")
def type_in(edition_id: str) -> Response | tuple[str, int]:
    """Write down what a real card or the real board says, and go on to what lacks.

    With ``likely-of``, a game that is led plays with all that is likely of a colour.
    """
    edition = known_edition(edition_id)
    editions, keys = panel().editions, keys_in(request.form)
    of = next((taken_apart(key).of for key in keys), "")
    before = {one.key for one in editions.readings(edition.id)}
    try:
        if whole := fields.text(request.form, "likely-of"):
            of = whole
            play_with_likely(edition, whole)
        else:
            read(editions, edition.id, readings_in(request.form), typist())
    except JournalFault:
        raise
    except CompanionError as error:
        problem = problem_of(error)
        return _page(edition, of, problem), problem.status
    is_new = not before.issuperset(keys)
    return _back_to(edition.id, _onward(edition.id, of) if is_new else of)


@blueprint.post("/<edition_id>/take-back")
def take_back(edition_id: str) -> Response:
    """Take a reading back: the figure is unknown again, from the next game on."""
    edition = known_edition(edition_id)
    key = fields.text(request.form, "key")
    panel().editions.take_back(edition.id, key, typist())
    return _back_to(edition.id, taken_apart(key).of)


@blueprint.get("/<edition_id>/own.toml")
def export(edition_id: str) -> Response:
    """What was read off this table's box, as an edition file to share."""
    edition, editions = known_edition(edition_id), panel().editions
    own_id = f"our-{edition.id.removesuffix(UK)}"
    if not editions.readings(edition.id):
        raise not_found(
            say("nothing was read off this box yet"),
            say("type in what its cards say"),
            (f"/editions/{edition.id}", say("To the figures of the box")),
        )
    text = editions.file_text(edition.id, own_id, f"{edition.name}, our own box")
    response = Response(text, mimetype="application/toml")
    response.headers["Content-Disposition"] = f'attachment; filename="{own_id}.toml"'
    return response


def known_counts(edition: Edition) -> Mapping[str, int]:
    """How many figures are known, by level, the best known first."""
    counts = Counter(level_of(one) for one in figures(edition))
    return {level: counts[level] for level in LEVELS if counts[level]}


def _page(edition: Edition, of: str, problem: Problem | None = None) -> str:
    groups = asks(panel().editions.base(edition.id), edition)
    readings = panel().editions.readings(edition.id)
    shown, left = chapters(edition), sum(one.left for one in groups)
    is_mine, is_led = may("figures.type_in", edition.id), bool(led_games(edition.id))
    return render_template(
        "figures_box.html",
        problem=problem,
        edition=edition,
        twin=_twin(edition.id),
        counts=known_counts(edition),
        levels=LEVELS,
        groups=groups,
        asked=_asked(groups, of),
        left_words=_left_words(left),
        typing_words=_typing_words(is_mine=is_mine, is_led=is_led),
        shared_words=SHARED_WORDS,
        read={one.key: (_name_of(one), one.at_ms) for one in readings},
        decks=open_decks(edition, readings),
        chapters=shown,
        chapter=request.args.get("chapter", ""),
        beyond=_beyond(shown, groups),
        of=of,
        typed=request.form,
        may_type=is_mine,
        is_led=is_led,
        in_play=likely_in_play(edition.id),
    )


SHARED_WORDS = say(
    "Another table has saved what it read off the same box. First you see what the "
    "file says; nothing counts before your second tap."
)


def _twin(edition_id: str) -> tuple[str, str]:
    """The same box with the names of the other country: its id, and a link's words."""
    base = edition_id.removesuffix(UK)
    if base == edition_id:
        return f"{base}{UK}", say("The same with London's names")
    return base, say("The same with American names")


def _asked(groups: tuple[AskGroup, ...], of: str) -> Question | None:
    """Return the question that is asked: the one meant, or the first that lacks."""
    every = [ask for group in groups for ask in group.asks]
    meant = [ask for ask in every if ask.of == of]
    lacking = [ask for ask in every if ask.left]
    return next(iter([*meant, *lacking, *every]), None)


def _onward(edition_id: str, of: str) -> str:
    """Return what to read next: *of* while something of it lacks, or the next one."""
    editions = panel().editions
    groups = asks(editions.base(edition_id), editions(edition_id))
    every = [ask for group in groups for ask in group.asks]
    at = next((i for i, ask in enumerate(every) if ask.of == of), 0)
    return next((ask.of for ask in [*every[at:], *every[:at]] if ask.left), of)


def _left_words(left: int) -> str:
    if not left:
        return say("You read everything off your box")
    return say_count(
        left,
        "{count} figure is on your box and not in here",
        "{count} figures are on your box and not in here",
    )


def _typing_words(*, is_mine: bool, is_led: bool) -> str:
    """Who can type in what the box says, and from when it counts."""
    if not is_mine:
        return say("Whoever keeps the bank can type in what the box says.")
    if is_led:
        return say(
            "Look at the real card and type what it says. It counts at once in the "
            "game you play, and in every later one."
        )
    return say(
        "Look at the real card and type what it says. It counts in every game from "
        "now on."
    )


def _beyond(
    shown: tuple[Chapter, ...], groups: tuple[AskGroup, ...]
) -> tuple[tuple[str, str], ...]:
    """Unknown figures that no game needs: the name of each block and of its row."""
    asks = (ask for group in groups for ask in group.asks)
    # A space has one row, which is not called after its field.
    asked = {x.key.removesuffix(".kind") for ask in asks for x in ask.blanks}
    return tuple(
        (block.words, row.words)
        for one in shown
        for block in one.blocks
        for row in block.rows
        if row.level == "unknown" and row.key not in asked
    )


def _back_to(edition_id: str, of: str) -> Response:
    return go(f"/editions/{edition_id}?of={of}")


def _name_of(reading: BoxReading) -> str:
    """The name of whoever typed it in; "the banker" where no seat did."""
    if reading.actor in (c.TABLE, "bank"):
        return say("the banker")
    if reading.journal_id.startswith("box "):
        return reading.actor
    names = panel().table.names(GameId(reading.journal_id))(reading.revision)
    return names.get(reading.actor, reading.actor)
