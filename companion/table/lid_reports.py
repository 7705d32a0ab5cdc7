"""Reports to the game about the vault's lid, until it agrees with the lock.

Only the present states of lock and game count. So even if events were missed, each
report brings the game a step closer to the lock.
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
"""The report that is due, by the state of the lock and the lid's state in the game.

States without a row report nothing: the game waits while the coil pulls the bolt, while
an opening is jammed, and while a person has to look at the vault.
"""


def report_due(
    state: VaultState, contents: VaultContents, *, has_new_code: bool = False
) -> m.Move | None:
    """Return the report that brings the game closer to the lock; None if they agree.

    Args:
        state: The state of the lock.
        contents: The vault's state in the game.
        has_new_code: Whether the lock got a new code after the game's last guesses: it
            was locked anew while the companion did not lead the game.
    """
    if has_new_code and state is VaultState.LOCKED and contents.lid == LOCKED:
        return _SHUT  # The next report is then: locked anew.
    return DUE.get(state, {}).get(contents.lid)
