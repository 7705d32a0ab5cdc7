"""Events to JSON and back: the one form in which they are written down."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from companion.as_json import to_json
from companion.errors import Malformed, quoted
from companion.game import events as e
from companion.game.board import Board
from companion.game.journal import NONSENSE, Entry, Mark
from companion.game.ledger import Ledger
from companion.game.rulebook import Rulebook
from companion.lock.events import VaultEvent
from companion.units import Account, Dollars

_EVENTS = tuple[e.GameEvent | VaultEvent, ...]
_decoder = msgspec.json.Decoder(_EVENTS)

FORMAT = "table-companion game 1"
LENGTH_MAX = 64 * 1024 * 1024
"""Bytes of an exported game; one of 100,000 entries has about 47 million."""
TEXT_MAX = 4_000
"""Characters of any text in it."""
NUMBER_MAX = 2**53
"""No number in it is larger: dollars, and milliseconds since 1970."""
DEPTH_MAX = 40


def events_to_json(events: tuple[e.GameEvent | VaultEvent, ...]) -> bytes:
    """The events as a JSON list of objects, each with its ``type``."""
    return to_json(events)


def events_from_json(text: bytes) -> tuple[e.GameEvent | VaultEvent, ...]:
    """Read the events back; what ``events_to_json`` wrote comes back equal.

    Raises:
        Malformed: If *text* is not such a list, or names an unknown event.
    """
    try:
        return _decoder.decode(text)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise Malformed(f"expected a list of events, got {error}") from error


def mark_to_json(mark: Mark) -> bytes:
    """Where a journal stood, as JSON."""
    game, ledger = mark.game, mark.game.ledger
    shown = {
        **msgspec.structs.asdict(game),
        "ledger": {account: ledger[account] for account in ledger},
        "board": game.board and game.board.rules,
    }
    return to_json({**msgspec.structs.asdict(mark), "game": shown})


def mark_from_json(text: bytes) -> Mark:
    """Read it back; its books are balanced, as after every entry.

    Raises:
        Malformed: If *text* is something else.
    """
    try:
        return _mark_decoder.decode(text)
    except (msgspec.MsgspecError, UnicodeDecodeError, *NONSENSE) as error:
        raise Malformed(f"expected where a game stood, got {error}") from error


def _made(kind: type, plain: object) -> object:
    """A part of a game that is no struct, made from what stands for it in JSON."""
    if kind is Ledger:
        return Ledger(msgspec.convert(plain, dict[Account, Dollars]))
    if kind is Board:
        return Board(msgspec.convert(plain, Rulebook, str_keys=True))
    raise NotImplementedError(f"{kind.__name__} has no form in JSON")


_mark_decoder = msgspec.json.Decoder(Mark, dec_hook=_made)


def entries_to_json(title: str, entries: Iterable[Entry]) -> Iterator[bytes]:
    """A game as one readable JSON document, for people and other programs.

    It comes in pieces, so that a long game is never whole in memory.
    """
    document = msgspec.json.format(to_json(ExportedGame(FORMAT, title, ())), indent=1)
    head, _, end = document.rpartition(b"]")
    yield head
    between = b""
    for entry in entries:
        lines = msgspec.json.format(to_json(entry), indent=1)
        yield between + b"\n  " + lines.replace(b"\n", b"\n  ")
        between = b","
    yield (b"\n ]" if between else b"]") + end


class ExportedGame(msgspec.Struct, frozen=True):
    """A game as one document.

    Attributes:
        format: ``FORMAT``.
        name: What the table called the evening.
        entries: All of them, oldest first.
    """

    format: str
    name: str
    entries: tuple[Entry, ...]


_game_decoder = msgspec.json.Decoder(ExportedGame)


def entries_from_json(text: bytes) -> ExportedGame:
    """Read back what ``entries_to_json`` wrote; a stranger may have written it.

    Whether it can have happened is not looked at, only that it is of bounded size.

    Raises:
        Malformed: If *text* is no such document.
    """
    remedy = "take a file that companion games export gave"
    if len(text) > LENGTH_MAX:
        raise Malformed(f"expected at most {LENGTH_MAX:,} bytes, got more", remedy)
    try:
        found = _game_decoder.decode(text)
        wrong = "" if found.format == FORMAT else f"the format {quoted(found.format)}"
        for entry in found.entries:
            wrong = wrong or _unbounded(msgspec.to_builtins(entry))
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        wrong = str(error)
    if wrong:
        raise Malformed(f"expected an exported game, got {wrong}", remedy)
    return found


def _unbounded(value: object, depth: int = 0) -> str:
    """What is too large in *value*, in words; empty if nothing is."""
    if isinstance(value, str):
        if "\0" in value:  # PostgreSQL keeps none.
            return "a text with a NUL"
        return "" if len(value) <= TEXT_MAX else f"a text of {len(value):,} characters"
    if isinstance(value, int | float):
        return "" if abs(value) <= NUMBER_MAX else "a number that is too large"
    if depth >= DEPTH_MAX:
        return "lists in lists, too deep"
    if isinstance(value, dict):
        value = (*value.keys(), *value.values())
    parts = value if isinstance(value, tuple | list) else ()
    return next((wrong for x in parts if (wrong := _unbounded(x, depth + 1))), "")
