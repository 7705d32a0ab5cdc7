"""Which word of a line was mistyped, and which known one was probably meant."""

from __future__ import annotations

from collections.abc import Iterator

from companion.edition.words import nearest
from companion.game import Game
from companion.rules.correcting import SEAT_WORDS
from companion.rules.placing import TABLE_WORDS
from companion.script.expect import SEAT, TABLE
from companion.script.parse import Line, ScriptFault
from companion.units import BANK
from companion.written import space_words

DEED_WORDS = ("owner", "mortgaged", "unmortgaged", "bare")


def slip(game: Game, line: Line, wanted: str, message: str) -> ScriptFault:
    """The fault of *line*, at the word that the rules' message ends with.

    Args:
        game: The table, which knows its deeds, spaces and seats.
        line: That could not be understood.
        wanted: What could have stood there.
        message: Of the rules; it ends with the word they got, in quotes.
    """
    named = [word for word in line.words if message.endswith(repr(word.text))]
    word = named[-1] if named else line.words[0]
    close = nearest(word.text, _known(game)) if named else ""
    hint = f"; did you mean {close!r}?" if close not in ("", word.text) else ""
    return ScriptFault(line.number, word.column, wanted, message + hint)


def _known(game: Game) -> Iterator[str]:
    """Every word that may stand in a position."""
    board, play = game.board, game.play
    if board is None or play is None:
        return
    yield from (token.seat for token in play.tokens)
    yield from (*board.index, *space_words(board.rules))
    yield from (*board.cards, *board.deck_index)
    yield from (form for kind in board.kinds for form in (kind, f"{kind}s"))
    yield from (BANK, *DEED_WORDS, *SEAT_WORDS, *SEAT, *TABLE_WORDS, *TABLE)
