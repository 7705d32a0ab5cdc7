"""Pages of the boxes: their figures with sources, and forms to type in missing ones.

Each edition of the game comes in a *box*. Its *figures* are all values that the program
must know: prices, rents, cards, rules. Where nobody could find one out, the page asks
owners to read it off the real box; the *subject* of the question is the deed, card or
space. A *reading* is a figure that was typed in this way; it can be retracted, or saved
as a file for another table with the same box. Each *led* game with that box, where the
companion keeps the rules, gets it as a correction, which can be undone there.

Before anybody has read it, a figure may have a *likely* amount, which a similar deed
suggests. A game can play with it, but the box does not record it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import msgspec
from flask import Blueprint, Response, render_template, request

from companion.box.own_editions import OwnEditions
from companion.box.readings import BoxReading
from companion.edition import Edition
from companion.edition.figures import figures
from companion.edition.library import UK
from companion.edition.own import Readings, known_count
from companion.errors import CompanionError, JournalFault, Malformed, quoted
from companion.game import Game
from companion.game import commands as c
from companion.game import moves as m
from companion.game.box_key import BoxValue, reading_words, split_key
from companion.game.card_words import drawn_card
from companion.game.envelope import Envelope, check_command_id
from companion.units import Dollars, GameId
from companion.words import capital, say, say_count
from companion.words.common import common
from companion.words.report import unexpected
from web.boxes.asks import AskGroup, Question, ask_groups
from web.boxes.blocks import OWN, Chapter, chapters, level_of
from web.http import fields
from web.http.address import go, known_edition
from web.http.auth import acts_as, caller
from web.http.errors import Problem, not_found, problem_of
from web.http.may import keeps_the_bank, led_games, may
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
"""How well figures are known, best first: level -> (sign, word, explanation)."""


@blueprint.get("")
def boxes() -> str:
    """Show all boxes, and how well each is known."""
    editions = [panel().editions(edition_id) for edition_id in panel().editions.ids]
    counted = [(edition, known_counts(edition)) for edition in editions]
    return render_template("figures.html", boxes=counted, levels=LEVELS)


@blueprint.get("/<edition_id>")
def show(edition_id: str) -> str:
    """Show the figures of one box, one chapter at a time.

    ``?chapter=`` names the chapter to open; ``?of=``, a deed, card or space to ask
    about.
    """
    return _render_page(known_edition(edition_id), request.args.get("of", ""))


@blueprint.post("/<edition_id>/type")
def type_in(edition_id: str) -> Response | tuple[str, int]:
    """Record what a real card or the real board says, and lead to the next question.

    If the field ``likely-of`` names a deed, nothing is recorded; instead, the games
    that the companion leads play with the likely figures of its group.
    """
    edition = known_edition(edition_id)
    editions, keys = panel().editions, keys_in(request.form)
    subject = next((split_key(key).of for key in keys), "")
    keys_before = {reading.key for reading in editions.readings(edition.id)}
    try:
        if deed_id := fields.text(request.form, "likely-of"):
            subject = deed_id
            play_with_likely(edition, deed_id)
        else:
            record_readings(
                editions, edition.id, readings_in(request.form), typist_name()
            )
    except JournalFault:
        raise  # The disk failed, which is no mistake in the form.
    except CompanionError as error:
        problem = problem_of(error)
        return _render_page(edition, subject, problem), problem.status
    is_new = not keys_before.issuperset(keys)  # A changed value keeps its question.
    return _back_to(
        edition.id, _next_to_read(edition.id, subject) if is_new else subject
    )


@blueprint.post("/<edition_id>/take-back")
def take_back(edition_id: str) -> Response:
    """Retract a reading: from the next game on, the figure is unknown again."""
    edition = known_edition(edition_id)
    key = fields.text(request.form, "key")
    panel().editions.take_back(edition.id, key, typist_name())
    return _back_to(edition.id, split_key(key).of)


@blueprint.get("/<edition_id>/own.toml")
def export(edition_id: str) -> Response:
    """Send what was typed in from this table's box, as an edition file to share."""
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
    """Count an edition's figures by level, the best known first."""
    counts = Counter(level_of(figure) for figure in figures(edition))
    return {level: counts[level] for level in LEVELS if counts[level]}


def _render_page(edition: Edition, subject: str, problem: Problem | None = None) -> str:
    """Render the page of a box.

    Args:
        edition: The edition of the box.
        subject: The id of a deed, card or space to ask about; empty for the first.
        problem: Why a form on it was refused.
    """
    groups = ask_groups(panel().editions.base(edition.id), edition)
    readings = panel().editions.readings(edition.id)
    shown, left_count = chapters(edition), sum(group.left_count for group in groups)
    may_type, is_led = may("figures.type_in", edition.id), bool(led_games(edition.id))
    return render_template(
        "figures_box.html",
        problem=problem,
        edition=edition,
        twin=_twin(edition.id),
        counts=known_counts(edition),
        levels=LEVELS,
        groups=groups,
        asked=_question_about(groups, subject),
        left_words=_left_words(left_count),
        typing_words=_typing_words(may_type=may_type, is_led=is_led),
        shared_words=SHARED_WORDS,
        read={
            reading.key: (_reader_name(reading), reading.at_ms) for reading in readings
        },
        decks=open_decks(edition, readings),
        chapters=shown,
        chapter=request.args.get("chapter", ""),
        beyond=_list_unasked(shown, groups),
        of=subject,
        typed=request.form,
        may_type=may_type,
        is_led=is_led,
        in_play=likely_in_play(edition.id),
    )


SHARED_WORDS = say(
    "Another table has saved what it read off the same box. First you see what the "
    "file says; nothing counts before your second tap."
)
"""The explanation beside the form for another table's file."""


def _twin(edition_id: str) -> tuple[str, str]:
    """Return the same box with the other country's names: its id, and a link's text."""
    base = edition_id.removesuffix(UK)
    if base == edition_id:
        return f"{base}{UK}", say("The same with London's names")
    return base, say("The same with American names")


def _question_about(groups: tuple[AskGroup, ...], subject: str) -> Question | None:
    """Return the question about *subject*, else the first open one, else the first."""
    questions = [question for group in groups for question in group.questions]
    named = [question for question in questions if question.subject == subject]
    unanswered = [question for question in questions if question.left_count]
    return next(iter([*named, *unanswered, *questions]), None)


def _next_to_read(edition_id: str, subject: str) -> str:
    """Return the subject of the next unanswered question, or else *subject* again."""
    editions = panel().editions
    groups = ask_groups(editions.base(edition_id), editions(edition_id))
    questions = [question for group in groups for question in group.questions]
    subjects = [question.subject for question in questions]
    start = subjects.index(subject) if subject in subjects else 0
    in_order = [*questions[start:], *questions[:start]]
    unanswered = (question.subject for question in in_order if question.left_count)
    return next(unanswered, subject)


def _left_words(left_count: int) -> str:
    if not left_count:
        return say("You read everything off your box")
    return say_count(
        left_count,
        "{count} figure is on your box and not in here",
        "{count} figures are on your box and not in here",
    )


def _typing_words(*, may_type: bool, is_led: bool) -> str:
    """Say who can type in figures, and from when they count."""
    if not may_type:
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


def _list_unasked(
    shown: tuple[Chapter, ...], groups: tuple[AskGroup, ...]
) -> list[tuple[str, str]]:
    """List unknown figures that no question asks about, as (block, row) in words.

    No game needs them.
    """
    questions = [question for group in groups for question in group.questions]
    blanks = [blank for question in questions for blank in question.blanks]
    # A space has a single row, whose key does not end in the name of the field.
    asked = {blank.key.removesuffix(".kind") for blank in blanks}
    blocks = [block for chapter in shown for block in chapter.blocks]
    return [
        (block.words, row.words)
        for block in blocks
        for row in block.rows
        if row.level == "unknown" and row.key not in asked
    ]


def _back_to(edition_id: str, subject: str) -> Response:
    return go(f"/editions/{edition_id}?of={subject}")


def _reader_name(reading: BoxReading) -> str:
    """Return who typed in a reading: a player's name, or "the banker"."""
    if reading.actor in (c.TABLE, "bank"):
        return say("the banker")
    if reading.journal_id.startswith("box "):
        return reading.actor
    names = panel().table.names(GameId(reading.journal_id))(reading.revision)
    return names.get(reading.actor, reading.actor)


class OwnCard(msgspec.Struct, frozen=True):
    """A card that no edition file lists, and that somebody described who drew it.

    It is stored as a reading, whose key contains the card's code.

    Attributes:
        key: The key of the reading.
        code: The card's code, as in game scripts: ``pay:100``.
        words: A sentence on what the card does.
    """

    key: str
    code: str
    words: str


class OpenDeck(msgspec.Struct, frozen=True, kw_only=True):
    """A deck of which the edition file does not list every card.

    Attributes:
        words: The name of the deck.
        known: How many of its cards are known now.
        size: How many cards it has.
        cards: The cards that the players described.
    """

    words: str
    known: int
    size: int
    cards: tuple[OwnCard, ...]


def open_decks(
    edition: Edition, readings: tuple[BoxReading, ...]
) -> tuple[OpenDeck, ...]:
    """Return each deck of which a card may still be missing.

    Args:
        edition: The edition, with what was read off this table's box.
        readings: What was read off it.
    """
    return tuple(
        OpenDeck(
            words=common(deck.name),
            known=known_count(edition, deck.id),
            size=deck.kinds,
            cards=_described_cards(edition, deck.id, readings),
        )
        for deck in edition.decks
        if deck.is_used and not deck.is_complete
    )


def _described_cards(
    edition: Edition, deck_id: str, readings: tuple[BoxReading, ...]
) -> tuple[OwnCard, ...]:
    """List a deck's described cards, in the order of the readings."""
    card_ids = {card.id for card in edition.cards_of(deck_id)}
    names = {deed.id: deed.name for deed in edition.deeds}
    names |= {f"space@{space.number}": space.name for space in edition.spaces}
    cards = []
    for reading in readings:
        key = split_key(reading.key)
        if key.is_card and key.of in card_ids:
            words = capital(drawn_card(names, key.of))
            cards.append(OwnCard(reading.key, key.of, words))
    return tuple(cards)


def typist_name() -> str:
    """Return this phone's player in the current game, or else the table."""
    table, phone = panel().table, caller().phone
    game_id = table.current()
    if game_id is None or phone is None:
        return c.TABLE
    seat = table.game(game_id).seat(panel().seating.acts_as(game_id, phone))
    return seat.name if seat else c.TABLE


def keys_in(form: fields.Form) -> list[str]:
    """List the fields of a form that are keys of figures: those with a dot."""
    return [field for field in list(form)[: fields.FIELDS_MAX] if "." in field]


def readings_in(form: fields.Form) -> dict[str, BoxValue]:
    """Read the typed or chosen values by key, or the likely amount that was tapped.

    Raises:
        Malformed: If nothing was typed, or text instead of an amount.
    """
    texts = {key: fields.text(form, key).strip() for key in keys_in(form)}
    likely_key, _, likely_amount = fields.text(form, "likely").partition(" ")
    if likely_key:
        texts[likely_key] = likely_amount
    values = {key: value_in(key, text) for key, text in texts.items() if text}
    if not values:
        raise Malformed(say("no amount was typed"), say("type what the card says"))
    return values


def value_in(key: str, text: str) -> BoxValue:
    """Read the value of a figure: whole dollars, 0 included, or a word.

    Raises:
        Malformed: If the key requires an amount and *text* is not one.
    """
    return fields.amount_in(text, 0) if split_key(key).is_amount else text


def record_readings(
    editions: OwnEditions, edition_id: str, values: Readings, reader: str
) -> None:
    """Record figures of the box, and correct every led game with that box.

    Each game gets all corrections or none. After a failure the call can be repeated:
    games that have the figures already are skipped.

    Args:
        editions: The editions, with what was read off their boxes.
        edition_id: The edition of the box.
        values: The figures by key.
        reader: The name of the player who read them off the box.

    Raises:
        Malformed: If the edition has such a figure already, or a value makes no sense.
        Refused: If a game that the companion leads refuses the correction.
    """
    editions.check(edition_id, values)
    for game_id in led_games(edition_id):
        game = panel().table.game(game_id)
        corrections = [
            reading_words(key, value)
            for key, value in values.items()
            if _differs(game, key, value)
        ]
        _correct(game_id, corrections)
    editions.read(edition_id, values, reader)


def likely_in_play(edition_id: str) -> dict[str, Dollars | None]:
    """Return led games' likely amounts by key, ``None`` where some game ignores one."""
    used: dict[str, Dollars | None] = {}
    ignored: dict[str, None] = {}
    for game_id in led_games(edition_id):
        board = panel().table.game(game_id).board
        assert board is not None, "the companion leads"
        used |= {key: figure.likely for key, figure in board.likely.items()}
        for figure in board.unknown:
            if figure.likely is not None:
                ignored[figure.key] = None
    return used | ignored


def play_with_likely(edition: Edition, deed_id: str) -> None:
    """Have every led game play with the likely figures of a deed's group.

    In the box they stay unknown, since nobody has read them.

    Raises:
        Malformed: If the box has no such deed.
        Refused: If a game refuses the correction.
    """
    group = next((deed.group for deed in edition.deeds if deed.id == deed_id), None)
    if group is None:
        raise unexpected(say("a deed of the box"), quoted(deed_id))
    members = {deed.id for deed in edition.members(group)}
    for game_id in led_games(edition.id):
        board = panel().table.game(game_id).board
        assert board is not None, "the companion leads"
        corrections = [
            reading_words(figure.key, figure.likely, is_likely=True)
            for figure in board.unknown
            if figure.of in members and figure.likely is not None
        ]
        _correct(game_id, corrections)


def _differs(game: Game, key: str, value: BoxValue) -> bool:
    """Tell whether a game uses the figure *key*, and has another value for it."""
    board = game.board
    assert board is not None, "the companion leads"
    try:
        return board.with_reading(key, value, seat=board.read.get(key, "")) != board
    except Malformed:
        return False  # The game's rules do not use it.


def _correct(game_id: GameId, corrections: list[tuple[str, ...]]) -> None:
    """Give a game all corrections, in the words of scripts, in one write."""
    account = acts_as(game_id) if keeps_the_bank(game_id) else c.TABLE
    command_id = fields.text(request.form, "command_id")
    check_command_id(command_id)
    moves = [m.CorrectPosition(by=account, words=words) for words in corrections]
    if moves:
        panel().built.give(game_id, Envelope(moves[0], command_id), *moves[1:])
