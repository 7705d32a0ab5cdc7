"""What to report to the game about the lid: the lock's state against the game's.

Only the two present states are compared, not the events between them. Whatever was
missed, each report brings the game a step closer, until nothing is left to report.
"""

from __future__ import annotations

from companion.game import moves as m
from companion.game.position import FORCED, LOCKED, OPEN, OPENING, SHUT, VaultContents
from companion.lock.states import VaultState
from companion.units import VAULT

LID_IS_UP = m.ReportLid(by=VAULT, lid=OPEN)
_SHUT = m.ReportLid(by=VAULT, lid=SHUT)
_FORCED = m.ReportLid(by=VAULT, lid=FORCED)
_LOCKED_AGAIN = m.ReportLid(by=VAULT, lid=LOCKED)
_LOCKED_ANEW = m.LockVault(by=VAULT)

DUE: dict[VaultState, dict[str, m.Move]] = {
    VaultState.OPEN: dict.fromkeys((OPENING, LOCKED, SHUT, FORCED), LID_IS_UP),
    VaultState.SHUT: {
        OPENING: LID_IS_UP,  # It was open, or the lock would be jammed.
        LOCKED: _SHUT,
        OPEN: _SHUT,
        FORCED: _SHUT,
    },
    VaultState.LOCKED: {
        OPENING: LID_IS_UP,
        OPEN: _LOCKED_ANEW,
        SHUT: _LOCKED_ANEW,
        FORCED: _LOCKED_AGAIN,
    },
    VaultState.FORCED: {LOCKED: _FORCED},
}
"""The report that is due, by the state of the lock and the lid as the game has it.

States without a row report nothing: while the latch is pulled, an opening is jammed,
or a person has to look, the game waits for the lid.
"""


def report_due(
    state: VaultState, contents: VaultContents, *, is_anew: bool = False
) -> m.Move | None:
    """Return the report that brings the game closer to the lock; None if they agree.

    Args:
        state: The state of the lock.
        contents: The vault as the game has it.
        is_anew: The lock has had a new code since the game's last guesses: it was
            locked anew while the companion did not lead the game.
    """
    if is_anew and state is VaultState.LOCKED and contents.lid == LOCKED:
        return _SHUT  # The next report is then: locked anew.
    return DUE.get(state, {}).get(contents.lid)
