"""What the game has not yet heard of the lid: the lock's state against the game's.

Compared by level, not by event: whatever was missed, the next report brings both a
step closer, until there is nothing left to report.
"""

from __future__ import annotations

from companion.game import moves as m
from companion.game.position import FORCED, LOCKED, OPEN, OPENING, SHUT, VaultContents
from companion.lock.states import VaultState
from companion.units import VAULT

_OPENED = m.ReportLid(by=VAULT, lid=OPEN)
_SHUT = m.ReportLid(by=VAULT, lid=SHUT)
_FORCED = m.ReportLid(by=VAULT, lid=FORCED)
_LOCKED_AGAIN = m.ReportLid(by=VAULT, lid=LOCKED)
_LOCKED_ANEW = m.LockVault(by=VAULT)

DUE: dict[VaultState, dict[str, m.Move]] = {
    VaultState.OPEN: {
        OPENING: _OPENED,
        LOCKED: _OPENED,
        SHUT: _OPENED,
        FORCED: _OPENED,
    },
    VaultState.SHUT: {
        OPENING: _OPENED,  # It has been up, or it would still be jammed.
        LOCKED: _SHUT,
        OPEN: _SHUT,
        FORCED: _SHUT,
    },
    VaultState.LOCKED: {
        OPENING: _OPENED,
        OPEN: _LOCKED_ANEW,
        SHUT: _LOCKED_ANEW,
        FORCED: _LOCKED_AGAIN,
    },
    VaultState.FORCED: {LOCKED: _FORCED},
}
"""Lock -> lid as the game has it -> what to report; nothing where they agree.

While the latch is pulled, or an opening is owed, or a person has to look, there is
nothing to report: the game waits for the lid.
"""


def report_due(
    state: VaultState, contents: VaultContents, *, is_anew: bool = False
) -> m.Move | None:
    """What brings the game closer to the lock, or ``None``.

    Args:
        state: The lock's.
        contents: The vault as the game has it.
        is_anew: Numbers that the game has as tried were not heard since the last new
            code: it was locked anew while the game was not led.
    """
    if is_anew and state is VaultState.LOCKED and contents.lid == LOCKED:
        return _SHUT  # And then, as it is not: locked anew.
    return DUE.get(state, {}).get(contents.lid)
