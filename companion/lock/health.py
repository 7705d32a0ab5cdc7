"""The health of the vault, for the doctor: its wires and its keeper.

The vault has five inputs, the *lines*: two contacts of the wheel, the M and the yellow
button, and the lid. The *keeper* is the program that reads them; its *view* is what it
believes. A *finding* says whether something is fine, and what to do if not.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from companion.health import Condition, Finding
from companion.lock.states import VaultState
from companion.lock.view import Lid, VaultView
from companion.ports import Line
from companion.words import Words, say

LEVELS = "vault.levels"
"""The name of the findings about the lines."""

KEEPER = "vault.keeper"
"""The name of the findings about the keeper."""

NEVER_AT_REST = {
    Line.M_BUTTON: say("the red M button reads pressed"),
    Line.YELLOW_BUTTON: say("the yellow button reads pressed"),
}
"""Lines that only a finger closes -> the words if one reads closed."""


def look_at_levels(levels: Mapping[Line, bool]) -> Finding:
    """Judge the levels of the five inputs while nobody touches them."""
    for line, words in NEVER_AT_REST.items():
        if levels[line]:
            remedy = say("let go of it; if nobody holds it, look for a short to ground")
            return Finding(LEVELS, Condition.WARN, words, remedy)
    contacts = [
        "closed" if levels[line] else "open" for line in (Line.WHEEL_A, Line.WHEEL_B)
    ]
    lid = "shut" if levels[Line.LID] else "open"
    message = f"wheel {' and '.join(contacts)}, M and yellow released, lid {lid}"
    return Finding(LEVELS, Condition.OK, message)


def vault_findings(
    view: VaultView, levels: Mapping[Line, bool] | None, *, is_alive: bool
) -> Iterator[Finding]:
    """Yield the findings about a vault whose keeper was started.

    *levels* is ``None`` if the lines could not be read; *is_alive* says whether the
    keeper works and the coil obeys.
    """
    if not is_alive:
        yield Finding(
            KEEPER,
            Condition.FAIL,
            say("the vault's program has stopped"),
            say("start the table again"),
        )
    elif not view.is_writable:
        yield Finding(
            KEEPER,
            Condition.FAIL,
            say("the vault cannot write down what happens"),
            say("free some space on the table's disk"),
        )
    elif view.state is VaultState.FAULT:
        yield Finding(
            KEEPER,
            Condition.FAIL,
            _fault_text(view.fault),
            say("look at the vault, then clear the fault on its page"),
        )
    else:
        yield Finding(KEEPER, Condition.OK, "the vault is kept")
    if levels is None:
        yield Finding(LEVELS, Condition.FAIL, say("the vault's lines cannot be read"))
    elif view.lid is not Lid.UNKNOWN and levels[Line.LID] != (view.lid is Lid.SHUT):
        yield Finding(
            LEVELS,
            Condition.WARN,
            say("the lid's switch does not read what the table believes"),
            say("open and shut the lid; if that does not help, check its wire"),
        )
    else:
        yield look_at_levels(levels)


def _fault_text(fault: str) -> str:
    """Say that the vault has a fault; only our own words are translated."""
    if isinstance(fault, Words):
        return say("the vault has a fault: {fault}", fault=fault)
    return f"the vault has a fault: {fault}"
