"""The tables and the diagram of the documents, written from the code."""

from __future__ import annotations

from companion.lock.states import AFTER_RESTART, TRANSITIONS, Effect, VaultState
from hardware.vault.pins import (
    GROUND,
    LATCH_5V,
    LATCH_GROUND,
    PHYSICAL,
    POWER,
    SERVO_BCM,
    SUPPLY_5V,
    Pins,
)
from hardware.wiring.nets import Nets


def pin_table(pins: Pins) -> str:
    """Write the pins as the Markdown table of ``hardware/README.md``."""
    lines = ["| wire | BCM | header pin |", "| --- | --- | --- |"]
    for name, bcm in pins.named():
        wire = "coil" if name == "latch" else name.replace("_", " ")
        lines.append(f"| {wire} | {bcm} | {PHYSICAL[bcm]} |")
        if name == "latch":
            lines.append(f"| servo | {SERVO_BCM} | {PHYSICAL[SERVO_BCM]} |")
    used = {"5 V": (SUPPLY_5V, LATCH_5V), "ground": (GROUND, LATCH_GROUND)}
    for name, (box, latch) in used.items():
        others = ", ".join(str(p) for p in POWER[name] if p not in (box, latch))
        same = f" (the same: {others})" if others else ""
        lines.append(f"| {name} | | {box}; the latch's: {latch}{same} |")
    return "\n".join(lines) + "\n"


def net_table(nets: Nets) -> str:
    """Write the nets as a Markdown table of ``hardware/README.md``."""
    lines = ["| net | joins |", "| --- | --- |"]
    for name, legs in nets.items():
        lines.append(f"| {name} | {', '.join(legs)} |")
    return "\n".join(lines) + "\n"


def mermaid() -> str:
    """Write TRANSITIONS as a Mermaid state diagram.

    Stimuli that leave the state as it is are left out. An arrow that turns the coil on
    is marked COIL.
    """
    lines = ["stateDiagram-v2", "    [*] --> unknown"]
    for remembered, (if_open, if_shut) in AFTER_RESTART.items():
        if remembered is VaultState.UNKNOWN:
            lines.append(f"    unknown --> {if_open}: lid reads open")
            lines.append(f"    unknown --> {if_shut}: lid reads shut")
    for state, row in TRANSITIONS.items():
        arrows: dict[tuple[VaultState, bool], list[str]] = {}
        for stimulus, (after, effects) in row.items():
            if after is not state:
                key = (after, Effect.COIL_ON in effects)
                arrows.setdefault(key, []).append(stimulus.replace("_", " "))
        for (after, is_coil_on), stimuli in arrows.items():
            coil = " / COIL" if is_coil_on else ""
            lines.append(f"    {state} --> {after}: {' or '.join(stimuli)}{coil}")
    return "\n".join(lines) + "\n"
