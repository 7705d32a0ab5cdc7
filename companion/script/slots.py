"""Slots: the kinds of words in a script line, such as a seat or a number.

Each slot knows words that fit in this game; the nearest is suggested for a misspelt
word. A slot that takes other words, too, has a test. ``SLOTS`` lists the slots by the
names that the forms of lines use (``check.py``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from companion.game import Game
from companion.game.board import Board
from companion.game.card_code import (
    PLAIN_EFFECTS,
    VALUE_READERS,
    space_number,
    space_words,
)
from companion.game.figures import HOTEL_RENTS, PLAIN_FIGURES
from companion.game.spaces import READABLE
from companion.game.stage import OPTIONAL_ENDS, Stage
from companion.rules.decoder import VERDICTS
from companion.script.code import HIDDEN_WORD
from companion.units import BANK, POT, VAULT


class Slot(NamedTuple):
    """One kind of slot.

    Attributes:
        wanted: What belongs there.
        known: Lists the words that a misspelt one could have meant.
        fits: Tests whether a word can stand there; ``None`` if only known words can.
    """

    wanted: str
    known: Callable[[Game], Iterable[str]]
    fits: Callable[[Game, str], bool] | None = None

    def takes(self, game: Game, word: str) -> bool:
        """Return whether *word* can stand there."""
        if self.fits is not None:
            return self.fits(game, word)
        return word in self.known(game)


def board_of(game: Game) -> Board:
    """Return the board of a script's game, which has always begun."""
    assert game.board is not None, "a script has begun to play"
    return game.board


def seats_of(game: Game) -> tuple[str, ...]:
    """Return every seat that plays, is out of the game, or joined during play."""
    tokens = game.play.tokens if game.play is not None else ()
    seats = (
        *(token.seat for token in tokens),
        *(state.seat for state in game.present()),
    )
    return tuple(dict.fromkeys(seats))


def _known_deeds(game: Game) -> tuple[str, ...]:
    return tuple(board_of(game).index)


def _known_cards(game: Game) -> tuple[str, ...]:
    """List the ids of all cards, and the effects by which codes name cards."""
    return (*board_of(game).cards, *PLAIN_EFFECTS, *VALUE_READERS)


def _is_card(game: Game, word: str) -> bool:
    return board_of(game).card(word) is not None


def _known_spaces(game: Game) -> tuple[str, ...]:
    return tuple(space_words(board_of(game).rules))


def _is_space(game: Game, word: str) -> bool:
    """Return whether *word* names exactly one space."""
    return space_number(board_of(game).rules, word) is not None


def _known_figures(game: Game) -> tuple[str, ...]:
    """List the names of all figures of deeds, cards and spaces."""
    costs = (f"{kind}_cost" for kind in board_of(game).kinds)
    rents = ("rent", "rent_full_group", *HOTEL_RENTS)
    return (*PLAIN_FIGURES, *rents, *costs, "amount")


def _known_faces(game: Game) -> tuple[str, ...]:
    """List the faces of dice that are words."""
    dice = board_of(game).rules.dice
    words = dict.fromkeys((dice.lock_face, *dice.third_faces))
    return tuple(word for word in words if word and not word.isdigit())


def is_whole_number(_: Game, word: str) -> bool:
    """Return whether *word* is a whole number, which may be negative."""
    digits = word.removeprefix("-")
    return digits.isascii() and digits.isdigit()


CHOICE_WORDS = ("pay", "go-to-jail", "ticket", "cash", "move", "keep", "nothing")
"""The choices of cards and spaces that are neither a space, a deed nor a seat."""


def _nothing_known(_: Game) -> tuple[str, ...]:
    return ()


SLOTS: dict[str, Slot] = {
    "seat": Slot("a seat", seats_of),
    "deed": Slot("a deed", _known_deeds),
    "figured": Slot(  # Whatever has figures.
        "a deed, a card or a space",
        lambda game: (*_known_spaces(game), *_known_cards(game)),
        lambda game, word: word in _known_cards(game) or _is_space(game, word),
    ),
    "owner": Slot("a seat or none", lambda game: (*seats_of(game), "none")),
    "account": Slot(
        "a seat, bank or vault", lambda game: (*seats_of(game), BANK, VAULT)
    ),
    "purse": Slot(  # Whatever has a balance.
        "a seat, bank, vault or pot", lambda game: (*seats_of(game), BANK, VAULT, POT)
    ),
    "space": Slot("a space", _known_spaces, _is_space),
    "card": Slot("a card", _known_cards, _is_card),
    "kept": Slot(  # In the hand of a seat.
        "a card or none",
        lambda game: (*_known_cards(game), "none"),
        lambda game, word: word == "none" or _is_card(game, word),
    ),
    "deck": Slot("a deck", lambda game: board_of(game).deck_index),
    "figure": Slot("a figure", _known_figures),
    "kind": Slot("what is printed there", lambda _: READABLE),  # On a space.
    "option": Slot(
        "what can be chosen",
        lambda game: (*CHOICE_WORDS, *_known_spaces(game), *seats_of(game)),
        lambda game, word: (
            word in (*CHOICE_WORDS, *seats_of(game)) or _is_space(game, word)
        ),
    ),
    "target": Slot(
        "a seat or a deed", lambda game: (*seats_of(game), *_known_deeds(game))
    ),
    "verdict": Slot("a verdict", lambda _: VERDICTS),
    "stage": Slot("a stage", lambda _: [str(stage) for stage in Stage]),
    "end": Slot("an end", lambda _: [str(end) for end in OPTIONAL_ENDS]),
    "number": Slot("a whole number", _nothing_known, is_whole_number),
    "guessed": Slot(
        "a number of the wheel",
        lambda _: (HIDDEN_WORD,),
        lambda game, word: is_whole_number(game, word) or word == HIDDEN_WORD,
    ),
    "die": Slot(
        "what a die shows",
        _known_faces,
        lambda game, word: is_whole_number(game, word) or word in _known_faces(game),
    ),
    "word": Slot("a word", _nothing_known, lambda _game, _word: True),
}
"""Every kind of slot, by its name in the forms."""
