"""What a table reads off its own box, in the words of ``given`` and ``table set``.

Such words add to what the game knows and change no position. They tell a figure of a
deed or a card, what is printed on a space, or a card of a deck not yet fully known.

Source:
    The project's own house rules; the words are those of the game scripts.
"""

from __future__ import annotations

from collections.abc import Callable

from companion.errors import Malformed, quoted
from companion.game import deed_events as d
from companion.game.board import Board
from companion.game.events import GameEvent
from companion.rules.placing import number
from companion.units import DeedId
from companion.words import say


def _space(board: Board, words: tuple[str, ...]) -> GameEvent:
    if len(words) != 2:
        raise Malformed(say("expected space, its number, and what is printed there"))
    space = number(words[0])
    board.with_space(space, words[1])
    return d.SpaceRead(space=space, kind=words[1])


def _figure(board: Board, words: tuple[str, ...]) -> GameEvent:
    if len(words) != 3:
        raise Malformed(say("expected figure, a deed, which one, and the amount"))
    deed, name, text = words
    amount = number(text)
    board.with_figure(deed, name, amount)
    return d.FigureTyped(deed=DeedId(deed), figure=name, amount=amount)


def _card(board: Board, words: tuple[str, ...]) -> GameEvent:
    if len(words) != 2:
        raise Malformed(say("expected card, its deck, and what it does"))
    deck, word = words
    card = board.unlisted(deck, word)
    if card is None or card.effect in board.rules.decks[board.deck_index[deck]].absent:
        got = quoted(word)
        raise Malformed(say("expected a card that nobody knew, got {got}", got=got))
    return d.CardRead(deck=deck, card=card.id)


READ: dict[str, Callable[[Board, tuple[str, ...]], GameEvent]] = {
    "figure": _figure,
    "space": _space,
    "card": _card,
}
"""What reads the rest of such words, by the first word."""


def read(board: Board, words: tuple[str, ...]) -> GameEvent | None:
    """The event for what the table read; ``None`` if the words are about a position.

    Raises:
        Malformed: If the words are wrong, or tell something already known.
    """
    told = READ.get(words[0]) if words else None
    return None if told is None else told(board, words[1:])
