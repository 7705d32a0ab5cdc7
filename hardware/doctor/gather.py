"""Gather the facts: libraries, network, disk, games, vault inputs; and look at them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from companion.errors import DeviceFault, Malformed
from companion.health import Condition, Finding
from companion.ports import Line
from companion.store import as_owner
from companion.store.books import look_at_books
from companion.store.reader import is_served
from hardware.camera.settings import read_camera_settings
from hardware.clock import SystemClock
from hardware.doctor import camera, pins, software, system
from hardware.doctor.facts import (
    Facts,
    Machine,
    space_of,
    this_origin,
    this_processor,
    this_python,
    user_of,
    zone_of,
)
from hardware.doctor.running import ask_table
from hardware.doctor.trial import Trial, try_software
from hardware.home.settings import read_broker
from hardware.network.whereabouts import (
    is_contained,
    lacks_ipv6,
    plain_host,
    reachable_address,
    url,
)
from hardware.vault.coil_off import end_pull
from hardware.vault.discover import VaultSettings, find_vault, read_settings
from hardware.vault.gpio_chip import find_chip

PORT_VARIABLE = "COMPANION_SERVE_PORT"
HOST_VARIABLE = "COMPANION_SERVE_HOST"
USUAL_PORT, PORT_MAX = 8000, 0xFFFF
REAL = Path("/")
"""The root folder of a real machine."""


def gather(
    root: Path,
    data: Path,
    variables: Mapping[str, str],
    database: str = "",
    trial: Callable[..., Trial] = try_software,
) -> tuple[Facts, tuple[Finding, ...]]:
    """Gather the facts about this machine, and the findings made on the way.

    Args:
        root: Stands for ``/``; only on the real one are the vault's inputs read.
        data: The folder of the games.
        variables: The environment, which holds the settings.
        database: URL of the PostgreSQL database with the games, if any.
        trial: Tries to import the libraries.
    """
    machine, folder = Machine(root), data.absolute()
    findings: list[Finding] = []
    facts = _settings(Facts(machine, data=folder), variables, findings)
    port, host = _port(variables), plain_host(variables.get(HOST_VARIABLE, ""))
    bits, processor = this_processor()
    served = is_served(folder, database)
    facts = replace(
        facts,
        user=user_of(machine),
        python=this_python(),
        origin=this_origin(),
        bits=bits,
        processor=processor,
        trial=trial(may_open_camera=served is False and facts.wants_pi_camera),
        space=space_of(folder),
        address=_address(host, port, variables),
        lacks_ipv6=lacks_ipv6(host),
        is_served=served,
        zone=zone_of(machine, variables),
        chips=_real_chips(facts.vault) if root == REAL else machine.chips,
    )
    with as_owner(folder):
        findings.append(look_at_books(folder, database))
    if served:
        findings.extend(ask_table(host, port))
    # Only False: if None, a table may run, and hold the pins.
    has_free_pins = served is False and facts.vault.kind.has_pins
    if has_free_pins and root == REAL and machine.model:
        findings.append(_coil(variables))
        facts = replace(facts, levels=_levels(facts.vault))
    return facts, tuple(findings)


def _settings(
    facts: Facts, variables: Mapping[str, str], findings: list[Finding]
) -> Facts:
    """Return *facts* with the settings, or add a finding if they make no sense."""
    topic = "settings.values"
    try:
        vault, camera = read_settings(variables), read_camera_settings(variables)
        read_broker(variables)
    except Malformed as error:
        remedy = f"{error.remedy}; then start the table again"
        findings.append(Finding(topic, Condition.FAIL, error.message, remedy))
        return facts
    return replace(facts, vault=vault, camera=camera)


def _port(variables: Mapping[str, str]) -> int:
    text = variables.get(PORT_VARIABLE, "")
    is_number = text.isascii() and text.isdigit()
    is_port = is_number and 0 < int(text[:6]) <= PORT_MAX  # A longer one is too large.
    return int(text) if is_port else USUAL_PORT


def _address(host: str, port: int, variables: Mapping[str, str]) -> str:
    """Return the address that phones open, as far as it is known."""
    if is_contained(variables):
        return "the address of the container's machine"
    return url(reachable_address(host), port)


def _real_chips(settings: VaultSettings) -> tuple[tuple[str, str], ...] | str:
    """Ask the kernel for the header's chip; return why if there is none."""
    try:
        with closing(find_chip(settings.gpiochip_label)) as chip:
            return ((chip.path.name, chip.label),)
    except DeviceFault as fault:
        return str(fault)


def _coil(variables: Mapping[str, str]) -> Finding:
    """End the latch's pull; never called while a table runs."""
    try:
        return Finding("pins.latch", Condition.OK, end_pull(variables))
    except (DeviceFault, Malformed) as error:
        remedy = "keep the latch unplugged until this line is ok"
        return Finding("pins.latch", Condition.FAIL, str(error), remedy)


def _levels(settings: VaultSettings) -> Mapping[Line, bool] | str:
    try:
        with (
            closing(SystemClock()) as clock,
            closing(find_vault(settings, clock)) as vault,
        ):
            return vault.levels()
    except DeviceFault as fault:
        return str(fault)


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
