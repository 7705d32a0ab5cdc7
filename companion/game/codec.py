"""Events to JSON and back: the one form in which they are written down."""

from __future__ import annotations

import msgspec

from companion.errors import Malformed
from companion.game import events as e
from companion.game.box_events import BoxEvent
from companion.game.journal import Entry
from companion.lock.events import VaultEvent

_EVENTS = tuple[e.GameEvent | VaultEvent | BoxEvent, ...]
_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(_EVENTS)


def events_to_json(events: tuple[e.GameEvent | VaultEvent | BoxEvent, ...]) -> bytes:
    """The events as a JSON list of objects, each with its ``type``."""
    return _encoder.encode(events)


def events_from_json(
    text: bytes,
) -> tuple[e.GameEvent | VaultEvent | BoxEvent, ...]:
    """Read the events back; what ``events_to_json`` wrote comes back equal.

    Raises:
        Malformed: If *text* is not such a list, or names an unknown event.
    """
    try:
        return _decoder.decode(text)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise Malformed(f"expected a list of events, got {error}") from error


def entries_to_json(title: str, entries: tuple[Entry, ...]) -> bytes:
    """A game as one readable JSON document, for people and other programs."""
    document = {"format": "table-companion game 1", "name": title, "entries": entries}
    return msgspec.json.format(_encoder.encode(document), indent=1)
