"""Typing in what the real box says, and taking it back: where it goes.

Games of the box that the companion leads get a correction, which their journal
records and which can be undone there; without such a game, the journal of the box
records it (``companion/box/own_editions.py``). Either way it counts for later games.
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
from companion.game.box_key import BoxValue, taken_apart, words_of
from companion.game.envelope import Envelope, check_command_id
from companion.units import Dollars, GameId
from companion.words import say
from companion.words.report import unexpected
from web.http import fields
from web.http.auth import acts_as, caller
from web.http.may import keeps_the_bank, led_games
from web.http.panel import panel


def typist() -> str:
    """The name of whoever types, taken from the game on the table."""
    table, phone = panel().table, caller().phone
    game_id = table.current()
    if game_id is None or phone is None:
        return c.TABLE
    seat = table.game(game_id).seat(panel().seating.acts_as(game_id, phone))
    return seat.name if seat else c.TABLE


def keys_in(form: fields.Form) -> list[str]:
    """The keys of all that the form asks for."""
    return [field for field in list(form)[: fields.FIELDS_MAX] if "." in field]


def readings_in(form: fields.Form) -> dict[str, BoxValue]:
    """What was typed or chosen, by key; also the likely amount that was tapped.

    Raises:
        Malformed: If nothing was typed, or something that is not an amount.
    """
    texts = {key: fields.text(form, key).strip() for key in keys_in(form)}
    key, _, amount = fields.text(form, "likely").partition(" ")
    texts |= {key: amount} if key else {}
    found = {key: value_in(key, text) for key, text in texts.items() if text}
    if not found:
        raise Malformed(say("no amount was typed"), say("type what the card says"))
    return found


def value_in(key: str, text: str) -> BoxValue:
    """What a person typed at *key*: whole dollars, or a word where that is asked.

    0 is an amount, too: some cards say that something costs nothing.

    Raises:
        Malformed: If an amount is asked and it is none.
    """
    return fields.amount_in(text, 0) if taken_apart(key).is_amount else text


def read(own: OwnEditions, edition_id: str, values: Readings, by: str) -> None:
    """Write down what the box says, and tell every game that is led.

    Each game is told everything or nothing. Said again, it goes on where it stopped.

    Args:
        own: The store of readings.
        edition_id: The edition of the box.
        values: What it says, by key.
        by: The name of whoever read it off the box.

    Raises:
        Malformed: If the edition knows it, or a value makes no sense.
        Refused: If a game that the companion leads refuses the correction.
    """
    own.check(edition_id, values)
    for game_id in led_games(edition_id):
        game = panel().table.game(game_id)
        new = [x for x in values.items() if _differs(game, *x)]
        _correct(game_id, [words_of(*x) for x in new])
    own.read(edition_id, values, by)


def likely_in_play(edition_id: str) -> dict[str, Dollars | None]:
    """Return by key with what led games play that the box lacks; ``None``: nothing."""
    found: dict[str, Dollars | None] = {}
    for game_id in led_games(edition_id):
        board = panel().table.game(game_id).board
        assert board is not None, "the companion leads"
        found |= {one.key: None for one in board.unknown if one.likely is not None}
        found |= {key: one.likely for key, one in board.likely.items()}
    return found


def play_with_likely(edition: Edition, deed_id: str) -> None:
    """Have every led game play with what is likely of the group of a deed.

    Nobody has read it: it stays unknown in the box, and marked as likely in the game.

    Raises:
        Malformed: If the box has no such deed.
        Refused: If a game refuses the correction.
    """
    group = next((one.group for one in edition.deeds if one.id == deed_id), None)
    if group is None:
        raise unexpected(say("a deed of the box"), quoted(deed_id))
    members = {one.id for one in edition.members(group)}
    for game_id in led_games(edition.id):
        board = panel().table.game(game_id).board
        assert board is not None, "the companion leads"
        found = [
            words_of(one.key, one.likely, is_likely=True)
            for one in board.unknown
            if one.of in members and one.likely is not None
        ]
        _correct(game_id, found)


def _differs(game: Game, key: str, value: BoxValue) -> bool:
    """Whether that game's box can say so, and says something else."""
    assert game.board is not None, "the companion leads"
    try:
        return game.board.with_reading(key, value) != game.board
    except Malformed:
        return False  # The game's rules do not use it.


def _correct(game_id: GameId, said: list[tuple[str, ...]]) -> None:
    """Correct a game by all that was *said*, or by nothing."""
    by = acts_as(game_id) if keeps_the_bank(game_id) else c.TABLE
    tap = fields.text(request.form, "command_id")
    check_command_id(tap)
    moves = [m.CorrectPosition(by=by, words=words) for words in said]
    if moves:
        panel().built.give(game_id, Envelope(moves[0], tap), *moves[1:])
