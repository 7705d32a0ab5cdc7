"""The tables and the diagram of the documents, written from the code."""

from __future__ import annotations

from companion.lock.states import AFTER_RESTART, TRANSITIONS, Effect, VaultState
from hardware.vault.pins import GROUND, PHYSICAL, POWER, SUPPLY_3V3, SUPPLY_5V, Pins
from hardware.wiring.nets import CHIPS, FUSE_OHMS, LEFT_OPEN, nets


def pin_table(pins: Pins) -> str:
    """Write the pins as the Markdown table of ``hardware/README.md``."""
    lines = ["| wire | BCM | header pin |", "| --- | --- | --- |"]
    for name, bcm in pins.named():
        lines.append(f"| {name.replace('_', ' ')} | {bcm} | {PHYSICAL[bcm]} |")
    used = {"3.3 V": SUPPLY_3V3, "5 V": SUPPLY_5V, "ground": GROUND}
    for name, physical in POWER.items():
        others = ", ".join(str(pin) for pin in physical if pin != used[name])
        lines.append(f"| {name} | | {used[name]} (the same: {others}) |")
    return "\n".join(lines) + "\n"


def leg_in_words(leg: str) -> str:
    """Add the data sheet's name to a chip's leg: ``U1.10 (2B)``."""
    part, _, number = leg.partition(".")
    return f"{leg} ({CHIPS[part][int(number)].name})" if part in CHIPS else leg


def net_table(pins: Pins) -> str:
    """Write the nets as the Markdown table of ``hardware/README.md``."""
    lines = ["| net | joins |", "| --- | --- |"]
    for name, legs in nets(pins).items():
        lines.append(f"| {name} | {', '.join(map(leg_in_words, legs))} |")
    open_legs = sorted(LEFT_OPEN, key=lambda leg: (leg[:2], int(leg[3:])))
    lines.append(f"| left open | {', '.join(map(leg_in_words, open_legs))} |")
    return "\n".join(lines) + "\n"


def coil_ma_for(fuse_ma: int) -> tuple[int, int]:
    """Compute the least and the greatest current of a coil for this fuse, in mA.

    Such a fuse opens within 120 s at 2.1 times its rating, so the coil must draw at
    least that. It holds for 0.6 s at 2.75 times, so the coil must not draw more.
    Source: Littelfuse 218 series data sheet (IEC 60127-2, sheet 3), opening times.
    """
    return -(-fuse_ma * 21 // 10), fuse_ma * 11 // 4


def coil_ohms_for(fuse_ma: int) -> tuple[float, float]:
    """Compute the least and greatest resistance of a coil for this fuse, in ohms."""
    least_ma, most_ma = coil_ma_for(fuse_ma)
    ohms = FUSE_OHMS[fuse_ma]
    return 12_000 / most_ma - ohms, 12_000 / least_ma - ohms


def fuse_table() -> str:
    """Write the fuse for each coil as the Markdown table of ``hardware/README.md``."""
    lines = ["| the coil has | fuse F1 | draws through it |", "| --- | --- | --- |"]
    for fuse_ma in FUSE_OHMS:
        least_ma, most_ma = coil_ma_for(fuse_ma)
        least, most = coil_ohms_for(fuse_ma)
        lines.append(
            f"| {least:.1f} to {most:.1f} Ω | T {fuse_ma} mA "
            f"| {least_ma} to {most_ma} mA |"
        )
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
