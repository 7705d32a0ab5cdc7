"""All looks, in the order in which a doctor tells of them: another one is one line."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from companion.health import Finding
from hardware.doctor import camera, pins, software, system
from hardware.doctor.facts import Facts

Look = Callable[[Facts], Iterator[Finding]]

EVERYWHERE: tuple[Look, ...] = (
    system.look_at_model,
    system.look_at_system,
    software.look_at_python,
    software.look_at_libraries,
    software.look_at_picamera,
)
ON_A_PI: tuple[Look, ...] = (
    pins.look_at_vault_setting,
    pins.look_at_chip,
    pins.look_at_groups,
    pins.look_at_boot,
    pins.look_at_lines,
    system.look_at_heat,
    system.look_at_supply,
    system.look_at_throttling,
    camera.look_at_memory,
    system.look_at_card,
    system.look_at_clock,
)
"""What a laptop cannot tell; the line about its model says so."""
LAST: tuple[Look, ...] = (
    camera.look_at_camera,
    system.look_at_space,
    system.look_at_mount,
    system.look_at_address,
    system.look_at_service,
)


def examine(facts: Facts) -> Iterator[Finding]:
    """Every finding about the machine that *facts* tell of."""
    on_a_pi = ON_A_PI if facts.machine.model else ()
    for look in (*EVERYWHERE, *on_a_pi, *LAST):
        yield from look(facts)
