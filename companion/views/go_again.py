"""How long ago a seat was paid for GO: a second tap on GO is asked about."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from companion.game import events as e
from companion.game.journal import Entry
from companion.game.ledger import Reason
from companion.units import Revision

AGAIN_MS = 10_000
"""Nobody comes round the board so fast; a second tap is most likely a mistake."""


def go_before_ms(
    entries: Sequence[Entry], undone: Collection[Revision], seat: str, now_ms: int
) -> int | None:
    """How long ago *seat* was last paid for GO, if that was less than ``AGAIN_MS`` ago.

    Args:
        entries: The latest entries of the game, oldest first.
        undone: Which of them were taken back and do not count.
        seat: Whose GO.
        now_ms: The time by the table's clock.

    Returns:
        Milliseconds from 0; ``None`` if it was longer ago, or never.
    """
    for entry in reversed(entries):
        ago_ms = now_ms - entry.at_ms
        if ago_ms >= AGAIN_MS:
            return None
        if entry.revision not in undone and any(
            isinstance(event, e.MoneyMoved)
            and event.reason is Reason.SALARY
            and event.payee == seat
            for event in entry.events
        ):
            return max(0, ago_ms)
    return None
