"""The list of all looks, in the order in which the doctor reports them."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from companion.health import Finding
from hardware.doctor import camera, pins, software, system
from hardware.doctor.facts import Facts

Look = Callable[[Facts], Iterator[Finding]]
"""Yields the findings on one topic."""

PI_ONLY, ANYWHERE = True, False

LOOKS: tuple[tuple[Look, bool], ...] = (
    (system.look_at_model, ANYWHERE),
    (system.look_at_system, ANYWHERE),
    (software.look_at_program, ANYWHERE),
    (software.look_at_python, ANYWHERE),
    (software.look_at_libraries, ANYWHERE),
    (software.look_at_picamera, ANYWHERE),
    (pins.look_at_vault_setting, PI_ONLY),
    (pins.look_at_chip, PI_ONLY),
    (pins.look_at_groups, PI_ONLY),
    (pins.look_at_boot, PI_ONLY),
    (pins.look_at_lines, PI_ONLY),
    (camera.look_at_camera, ANYWHERE),
    (camera.look_at_memory, PI_ONLY),
    (system.look_at_supply, PI_ONLY),
    (system.look_at_throttling, PI_ONLY),
    (system.look_at_heat, PI_ONLY),
    (system.look_at_space, ANYWHERE),
    (system.look_at_mount, ANYWHERE),
    (system.look_at_card, PI_ONLY),
    (system.look_at_clock, PI_ONLY),
    (system.look_at_zone, ANYWHERE),
    (system.look_at_address, ANYWHERE),
    (system.look_at_service, ANYWHERE),
)
"""Each look, and whether it runs on a Pi only; elsewhere ``look_at_model`` says so."""


def examine(facts: Facts) -> Iterator[Finding]:
    """Yield every finding about the machine that *facts* describe."""
    is_pi = bool(facts.machine.model)
    for look, is_pi_only in LOOKS:
        if is_pi or not is_pi_only:
            yield from look(facts)
