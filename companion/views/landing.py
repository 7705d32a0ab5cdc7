"""Since when a rent can be asked: when its landing was written down."""

from __future__ import annotations

from collections.abc import Sequence

from companion.game.journal import Entry
from companion.game.play_events import RentFellDue
from companion.game.position import Claim
from companion.units import TimeMs


def landed_ms(entries: Sequence[Entry], claim: Claim) -> TimeMs | None:
    """When the landing was that *claim* is for.

    Args:
        entries: The latest ones of the game, in order; a landing that was taken
            back has a later one after it.
        claim: As it stands in the position.

    Returns:
        Milliseconds since 1970 UTC by the table's clock; ``None`` if the landing is
        older than *entries*.
    """
    for entry in reversed(entries):
        for event in entry.events:
            if (
                isinstance(event, RentFellDue)
                and event.seat == claim.mover
                and event.owner == claim.owner
                and event.deed == claim.deed
            ):
                return entry.at_ms
    return None
