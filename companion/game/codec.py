"""Events, marks and exported games as JSON, and back.

*Events* are stored in the journal of a game. A *mark* is the state of a journal after
one of its entries, from which it can be read on. An *exported game* is a whole journal
as one document. Anybody may have written it, so its size and depth are checked when it
is read back.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from companion.as_json import to_json
from companion.errors import Malformed, quoted
from companion.game.board import Board
from companion.game.events import GameEvent
from companion.game.journal import NONSENSE, Entry, Mark, leaving
from companion.game.ledger import Ledger
from companion.game.rulebook import Rulebook
from companion.lock.events import VaultEvent
from companion.units import Account, Dollars

_Events = tuple[GameEvent | VaultEvent, ...]
_decoder = msgspec.json.Decoder(_Events)

FORMAT = "table-companion game 1"
"""The first field of an exported game: its format and version."""

LENGTH_MAX = 64 * 1024 * 1024
"""The largest size of an exported game, in bytes; 100,000 entries take 47 million."""

TEXT_MAX = 4_000
"""The most characters of one text in an exported game."""

NUMBER_MAX = 2**53
"""The largest number in an exported game; real games need only times in ms."""

DEPTH_MAX = 40
"""The most lists and objects inside one another in an exported game."""


def events_to_json(events: _Events) -> bytes:
    """Write the events as a JSON list of objects, each with its ``type``."""
    return to_json(events)


def events_from_json(text: bytes) -> _Events:
    """Read the events back; what ``events_to_json`` wrote comes back equal.

    Raises:
        Malformed: If *text* is not such a list, or names an unknown event.
    """
    try:
        return _decoder.decode(text)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise Malformed(f"expected a list of events, got {error}") from error


def mark_to_json(mark: Mark) -> bytes:
    """Write a mark of a journal as JSON."""
    game, ledger = mark.game, mark.game.ledger
    game_fields = {
        **msgspec.structs.asdict(game),
        "ledger": {account: ledger[account] for account in ledger},
        "board": game.board and game.board.rules,
    }
    return to_json({**msgspec.structs.asdict(mark), "game": game_fields})


def mark_from_json(text: bytes) -> Mark:
    """Read a mark back; the ledger checks that its balances sum to 0.

    Raises:
        Malformed: If *text* is something else.
    """
    try:
        return _mark_decoder.decode(text)
    except (msgspec.MsgspecError, UnicodeDecodeError, *NONSENSE) as error:
        raise Malformed(f"expected where a game stood, got {error}") from error


def _build_part(kind: type, plain: object) -> object:
    """Build the ledger or the board of a game from its plain form."""
    if kind is Ledger:
        return Ledger(msgspec.convert(plain, dict[Account, Dollars]))
    if kind is Board:
        return Board(msgspec.convert(plain, Rulebook, str_keys=True))
    raise NotImplementedError(f"{kind.__name__} has no form in JSON")


_mark_decoder = msgspec.json.Decoder(Mark, dec_hook=_build_part)


def entries_to_json(title: str, entries: Iterable[Entry]) -> Iterator[bytes]:
    """Yield a game as one JSON document, in pieces, since it may be large.

    It may leave the table: what that hides is not in it (``journal.leaving``).
    """
    document = msgspec.json.format(to_json(ExportedGame(FORMAT, title, ())), indent=1)
    head, _, end = document.rpartition(b"]")
    yield head
    separator = b""
    for entry in entries:
        lines = msgspec.json.format(entry_to_json(entry), indent=1)
        yield separator + b"\n  " + lines.replace(b"\n", b"\n  ")
        separator = b","
    yield (b"\n ]" if separator else b"]") + end


def entry_to_json(entry: Entry) -> bytes:
    """Write an entry of an exported game in one line, without what the table hides."""
    return to_json(leaving(entry))


def entry_from_json(text: bytes) -> Entry:
    """Read that line back; ``Malformed`` if it is none. A stranger may have written it.

    Whether it is possible is not checked.
    """
    try:
        entry = _entry_decoder.decode(text)
        fault = _find_excess(msgspec.to_builtins(entry))
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        fault = str(error)
    if fault:
        raise Malformed(f"expected an entry of an exported game, got {fault}")
    return entry


def lines_to_json(title: str, lines: Iterable[bytes]) -> bytes:
    """Put what ``entry_to_json`` gave together to an exported game, not indented."""
    head, _, end = to_json(ExportedGame(FORMAT, title, ())).rpartition(b"]")
    return head + b",".join(lines) + b"]" + end


class ExportedGame(msgspec.Struct, frozen=True):
    """A game as one document.

    Attributes:
        format: ``FORMAT``.
        name: The name that the table gave the game.
        entries: All entries, oldest first.
    """

    format: str
    name: str
    entries: tuple[Entry, ...]


_game_decoder = msgspec.json.Decoder(ExportedGame)
_entry_decoder = msgspec.json.Decoder(Entry)


def entries_from_json(text: bytes) -> ExportedGame:
    """Read back what ``entries_to_json`` wrote; a stranger may have written it.

    Whether its entries make a possible game is not checked.

    Raises:
        Malformed: If *text* is no such document.
    """
    remedy = "take a file that companion games export gave"
    if len(text) > LENGTH_MAX:
        raise Malformed(f"expected at most {LENGTH_MAX:,} bytes, got more", remedy)
    try:
        exported = _game_decoder.decode(text)
        fault = ""
        if exported.format != FORMAT:
            fault = f"the format {quoted(exported.format)}"
        for entry in exported.entries:
            fault = fault or _find_excess(msgspec.to_builtins(entry))
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        fault = str(error)
    if fault:
        raise Malformed(f"expected an exported game, got {fault}", remedy)
    return exported


def _find_excess(value: object, depth: int = 0) -> str:
    """Name the first part of *value* that is too large to keep; empty if none is."""
    if isinstance(value, str):
        if "\0" in value:  # PostgreSQL cannot store it.
            return "a text with a NUL"
        return "" if len(value) <= TEXT_MAX else f"a text of {len(value):,} characters"
    if isinstance(value, int | float):
        return "" if abs(value) <= NUMBER_MAX else "a number that is too large"
    if depth >= DEPTH_MAX:
        return "lists in lists, too deep"
    parts: Iterable[object] = ()
    if isinstance(value, dict):
        parts = (*value.keys(), *value.values())
    elif isinstance(value, tuple | list):
        parts = value
    for part in parts:
        if excess := _find_excess(part, depth + 1):
            return excess
    return ""
