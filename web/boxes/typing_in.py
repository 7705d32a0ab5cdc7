"""Recording of figures that players read off the real box.

A *figure* is a price, a rent or another value that the edition file lacks. When it is
typed in, each *led* game with that box, where the companion keeps the rules, gets it as
a correction, which can be undone there. And the journal of the box
(``companion/box/own_editions.py``) records it for later games.

Before anybody has read it, a figure may have a *likely* amount, which a similar deed
suggests. A game can play with it, but the box does not record it.
"""

from __future__ import annotations

from flask import request

from companion.box.own_editions import OwnEditions
from companion.edition import Edition
from companion.edition.own import Readings
from companion.errors import Malformed, quoted
from companion.game import Game
from companion.game import commands as c
from companion.game import moves as m
from companion.game.box_key import BoxValue, reading_words, split_key
from companion.game.envelope import Envelope, check_command_id
from companion.units import Dollars, GameId
from companion.words import say
from companion.words.report import unexpected
from web.http import fields
from web.http.auth import acts_as, caller
from web.http.may import keeps_the_bank, led_games
from web.http.panel import panel


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
