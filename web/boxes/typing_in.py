"""Typing in what the real box says, and taking it back: who may, and where it goes.

The whole table relies on these figures, so only the host and the banker may type
them. Games of the box that the companion leads get a correction, which their journal
records and which can be undone there; without such a game, the journal of the box
records it (``companion/box/own_figures.py``). Either way it counts for later games.
"""

from __future__ import annotations

from flask import request

from companion.box.own_figures import OwnEditions
from companion.errors import Malformed
from companion.game import Game
from companion.game import commands as c
from companion.game import moves as m
from companion.game.board import Board
from companion.game.envelope import Envelope, check_command_id
from companion.rules import keeps_bank
from companion.units import Dollars, GameId
from companion.words import say
from companion.words.money import parse_dollars
from web.http import fields
from web.http.auth import caller, is_host, may_tend
from web.http.errors import Problem
from web.http.panel import panel

FIELD = "figure-"
"""The prefix of form fields that hold a figure; the figure's name follows it."""


def own_readings() -> OwnEditions:
    """Where readings are kept, for a phone that may add to them.

    Raises:
        Problem: 403 for any other phone.
    """
    edition_id = (request.view_args or {}).get("edition_id", "")
    if not may_type(edition_id):
        raise Problem(
            403,
            "not_yours",
            say("only the banker types in what the box says"),
            say("ask the banker"),
            link=(f"/editions/{edition_id}", say("To the figures of the box")),
        )
    return panel().editions


def may_type(edition_id: str) -> bool:
    """Whether this phone may type in what that box says."""
    return may_tend() or bool(led_games(edition_id))


def led_games(edition_id: str) -> list[tuple[GameId, str]]:
    """Led games of that box that this phone may correct, and as whom it does so."""
    table, phone = panel().table, caller().phone
    if phone is None:
        return []
    found = []
    for one in table.games():
        if one.is_closed or one.edition != edition_id:
            continue
        game, by = table.game(one.game_id), panel().seating.acts_as(one.game_id, phone)
        if not game.is_guided:
            continue
        if by and keeps_bank(game, by):
            found.append((one.game_id, by))
        elif is_host():
            found.append((one.game_id, c.TABLE))
    return found


def typist() -> str:
    """The name of whoever types, taken from the game on the table."""
    table, phone = panel().table, caller().phone
    game_id = table.current()
    if game_id is None or phone is None:
        return c.TABLE
    seat = table.game(game_id).seat(panel().seating.acts_as(game_id, phone))
    return seat.name if seat else c.TABLE


def amounts_in(form: fields.Form) -> dict[str, Dollars]:
    """Amounts by figure: those that were typed, and the likely one that was tapped.

    Raises:
        Malformed: If nothing was typed, or something that is not an amount.
    """
    texts = {
        field.removeprefix(FIELD): fields.text(form, field).strip()
        for field in list(form)[: fields.FIELDS_MAX]
        if field.startswith(FIELD)
    }
    figure, _, amount = fields.text(form, "likely").partition(":")
    texts |= {figure: amount} if figure else {}
    found = {name: _amount(text) for name, text in texts.items() if text}
    if not found:
        raise Malformed(
            say("expected an amount, got nothing"), say("type what the card says")
        )
    return found


def _amount(text: str) -> Dollars:
    """Whole dollars, 0 included: some cards say that something costs nothing.

    Raises:
        Malformed: For anything else.
    """
    return 0 if text.strip("$£ ") == "0" else parse_dollars(text)


def read(
    own: OwnEditions,
    edition_id: str,
    of: str,
    amounts: dict[str, Dollars],
    by: str,
    first: int = 0,
) -> None:
    """Write down the figures of one deed or card, and tell every game that is led.

    Args:
        own: The store of readings.
        edition_id: The edition of the box.
        of: The id of the deed or card.
        amounts: The amounts by figure.
        by: The name of whoever read them off the box.
        first: How many figures the same tap has written down before.

    Raises:
        Malformed: If the edition knows the figure, or an amount is out of range.
        Refused: If a game that the companion leads refuses the correction.
    """
    own.check(edition_id, of, amounts)
    for game_id, speaker in led_games(edition_id):
        for number, (figure, amount) in enumerate(amounts.items(), first):
            if _differs(panel().table.game(game_id), of, figure, amount):
                words = ("figure", of, figure, str(amount))
                _correct(game_id, speaker, words, number)
    own.read(edition_id, of, amounts, by)


def read_space(
    own: OwnEditions, edition_id: str, number: int, kind: str, by: str, first: int = 0
) -> None:
    """Write down what is printed on a space, and tell every game that is led.

    Raises:
        Malformed: If the space is known, or cannot be of that kind.
        Refused: If a game that the companion leads refuses the correction.
    """
    own.check_space(edition_id, number, kind)
    for game_id, speaker in led_games(edition_id):
        board = _board(panel().table.game(game_id))
        if board.rules.spaces[number].kind != kind or kind == "rest":
            _correct(game_id, speaker, ("space", str(number), kind), first)
    own.read_space(edition_id, number, kind, by)


def _differs(game: Game, of: str, figure: str, amount: Dollars) -> bool:
    """Whether that game uses the figure, with another amount."""
    board = _board(game)
    try:
        return board.with_figure(of, figure, amount) != board
    except Malformed:
        return False  # The game's rules do not use this figure.


def _board(game: Game) -> Board:
    assert game.board is not None, "the companion leads"
    return game.board


def _correct(game_id: GameId, by: str, words: tuple[str, ...], number: int = 0) -> None:
    """Correct a game once: a repeated tap makes the same command id again."""
    tap = fields.text(request.form, "command_id")
    check_command_id(tap)
    move = m.CorrectPosition(by=by, words=words)
    panel().built.give(game_id, Envelope(move, f"{tap[:60]}-{number}"))
