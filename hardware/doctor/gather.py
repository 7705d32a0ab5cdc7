"""Asking for the facts: libraries, network, disk, games, and the vault's own lines."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from companion.errors import DeviceFault, Malformed
from companion.health import Condition, Finding
from companion.ports import Line
from companion.store import as_owner
from companion.store.books import is_served, look_at_books
from hardware.camera.settings import read_camera_settings
from hardware.clock import SystemClock
from hardware.doctor.facts import (
    Facts,
    space_of,
    this_origin,
    this_processor,
    this_python,
    user_of,
    zone_of,
)
from hardware.doctor.machine import Machine
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
from hardware.vault.coil_off import lower_coil
from hardware.vault.discover import VaultSettings, find_vault, read_settings
from hardware.vault.gpio_chip import find_chip

PORT_VARIABLE = "COMPANION_SERVE_PORT"
HOST_VARIABLE = "COMPANION_SERVE_HOST"
USUAL_PORT = 8000
REAL = Path("/")

Try = Callable[..., Trial]


def gather(
    root: Path,
    data: Path,
    variables: Mapping[str, str],
    database: str = "",
    trial: Try = try_software,
) -> tuple[Facts, tuple[Finding, ...]]:
    """The facts about this machine, and what was found while asking for them.

    Args:
        root: The folder that stands for ``/``; the vault's lines are read only if it
            is the real one.
        data: The folder of the games.
        variables: The settings.
        database: Of the PostgreSQL database that keeps the games; empty without one.
        trial: Tries the libraries.
    """
    machine, folder = Machine(root), data.absolute()
    found: list[Finding] = []
    facts = _settings(Facts(machine, data=folder), variables, found)
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
        found.append(look_at_books(folder, database))
    if served:
        found.extend(ask_table(host, port))
    elif (
        served is False and root == REAL and facts.vault.kind.has_pins and machine.model
    ):
        found.append(_coil(variables))
        facts = replace(facts, levels=_levels(facts.vault))
    return facts, tuple(found)


def _settings(
    facts: Facts, variables: Mapping[str, str], found: list[Finding]
) -> Facts:
    """*facts* with the settings; one that makes no sense is a finding."""
    topic = "settings.values"
    try:
        vault, camera = read_settings(variables), read_camera_settings(variables)
        read_broker(variables)
    except Malformed as error:
        remedy = f"{error.remedy}; then start the table again"
        found.append(Finding(topic, Condition.FAIL, error.message, remedy))
        return facts
    return replace(facts, vault=vault, camera=camera)


def _port(variables: Mapping[str, str]) -> int:
    text = variables.get(PORT_VARIABLE, "")
    is_port = text.isascii() and text.isdigit() and 0 < int(text[:6]) < 1 << 16
    return int(text) if is_port else USUAL_PORT


def _address(host: str, port: int, variables: Mapping[str, str]) -> str:
    """Return where phones go, as far as it is known here."""
    if is_contained(variables):
        return "the address of the container's machine"
    return url(reachable_address(host), port)


def _real_chips(settings: VaultSettings) -> tuple[tuple[str, str], ...] | str:
    """The header's chip as the kernel itself tells it, or why it does not."""
    try:
        with closing(find_chip(settings.gpiochip_label)) as chip:
            return ((chip.path.name, chip.label),)
    except DeviceFault as fault:
        return str(fault)


def _coil(variables: Mapping[str, str]) -> Finding:
    """Whether the coil's pin is low once it is told to be, while no table runs."""
    try:
        return Finding("pins.coil", Condition.OK, lower_coil(variables))
    except (DeviceFault, Malformed) as error:
        remedy = "keep the coil's supply unplugged until this line is ok"
        return Finding("pins.coil", Condition.FAIL, str(error), remedy)


def _levels(settings: VaultSettings) -> Mapping[Line, bool] | str:
    """What the vault's lines read now, or why they do not."""
    try:
        with (
            closing(SystemClock()) as clock,
            closing(find_vault(settings, clock)) as vault,
        ):
            return vault.levels()
    except DeviceFault as fault:
        return str(fault)
