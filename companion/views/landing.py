"""Since when the owner of a deed can ask a rent: the time of the landing."""

from __future__ import annotations

from collections.abc import Sequence

from companion.game.journal import Entry
from companion.game.play_events import RentFellDue
from companion.game.position import Claim
from companion.units import TimeMs


def landed_ms(entries: Sequence[Entry], claim: Claim) -> TimeMs | None:
    """When the landing for which *claim* asks rent was written down.

    Args:
        entries: The latest entries of the game, oldest first; if a landing was taken
            back, the one that counts comes after it.
        claim: The claim in the current position.

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
