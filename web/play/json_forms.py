"""Conversion of programs' JSON to commands, and of receipts to JSON.

A *receipt* tells the revision of the game that a command led to.
"""

from __future__ import annotations

import functools
import operator

import msgspec

from companion.as_json import to_json
from companion.errors import Malformed
from companion.game.envelope import Envelope, Receipt
from companion.rules.drawing import FROM_PHONES
from companion.units import Revision
from companion.warm_up import warm_up


class Posted(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A command as JSON: ``{"command_id": …, "command": {"type": "Pay", …}}``."""

    command_id: str
    command: dict[str, object]
    expected_revision: Revision | None = None


AnyCommand = functools.reduce(operator.or_, FROM_PHONES)
"""The union of the commands that JSON may give, each under its struct's name."""

warm_up(Posted, AnyCommand)


def envelope_from_json(body: bytes, sender: str) -> Envelope:
    """Read the command of *sender* from JSON, even if the JSON names another sender.

    Raises:
        Malformed: If *body* is not JSON, or not a command.
    """
    try:
        posted = msgspec.json.decode(body, type=Posted)
        fields = {**posted.command, "by": sender}
        command = msgspec.convert(fields, AnyCommand)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise Malformed(
            f"expected a command as JSON, got a mistake: {str(error)[:200]}",
            "correct it and send it again",
        ) from None
    return Envelope(command, posted.command_id, posted.expected_revision)


def receipt_to_json(receipt: Receipt) -> bytes:
    """Write a receipt as ``{"ok": true, "revision": …, "is_repeat": …}``."""
    return to_json(
        {"ok": True, "revision": receipt.revision, "is_repeat": receipt.is_repeat}
    )
