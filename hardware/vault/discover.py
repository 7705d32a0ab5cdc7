"""Read the vault's settings, and open the vault that they ask for, with its latch.

A vault is simulated only if the settings say so: a real one would stay shut while the
page says that it opened.

``coil_off`` imports this file at boot, where every installed package may be broken. So
until a vault is opened, only the standard library and this project are imported.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING

from companion.errors import DeviceFault, Malformed
from companion.health import Condition
from hardware.variables import PREFIX, parse, saying_what_to_do, values_of
from hardware.vault.latches import BACK_US, HOME_US, LATCHES, Latch, Travel
from hardware.vault.pins import HEADER_LABEL, Pins

if TYPE_CHECKING:
    from companion.lock.quadrature import WheelSettings
    from companion.ports import Clock, VaultDevice

    Opener = Callable[["VaultSettings", Clock, Clock, bool], VaultDevice]

RISE_S = 0.05
"""The time in which a pin that was low rises, so that its contact reads open.

Its pull-up of 33 to 73 kilohms charges 10 nF, on an earlier board 100.

Source: Raspberry Pi, Compute Module 4 datasheet, "GPIO".
"""
SERVO_PREFIX = f"{PREFIX}SERVO_"
PIN_PREFIX = f"{PREFIX}PIN_"
"""The beginning of a pin's variable, such as ``COMPANION_PIN_LID``."""


@dataclass(frozen=True, slots=True)
class VaultSettings:
    """The kind of the vault, and how its wheel and pins are wired."""

    vault: str = "gpio"
    """A key of ``KINDS``."""
    latch: str = "solenoid"
    """A key of ``LATCHES``."""
    wheel_steps_per_detent: int = 4
    """1, 2 or 4 steps of the contacts for each click of the wheel."""
    wheel_detents_per_number: int = 1
    """Clicks of the wheel from one number to the next; with 24 clicks a turn, 4."""
    wheel_is_reversed: bool = False
    """Set it if the numbers count down when the wheel is turned clockwise."""
    servo_home_us: int = HOME_US
    """The width of a servo's pulses at home, 500 to 2500 µs."""
    servo_back_us: int = BACK_US
    """The width of its pulses with the bolt back; may be the smaller one."""
    gpiochip_label: str = HEADER_LABEL
    """The beginning of the label of the header's GPIO chip."""
    pins: Pins = field(default_factory=Pins)
    """The pin of each wire."""

    def __post_init__(self) -> None:
        _ = self.wheel  # Refuses steps and detents that no wheel has.
        _ = self.travel

    @property
    def travel(self) -> Travel:
        """The ends of a servo's way."""
        return Travel(self.servo_home_us, self.servo_back_us)

    @property
    def kind(self) -> Kind:
        """The row of ``KINDS`` that *vault* names."""
        return KINDS[self.vault]

    @property
    def wheel(self) -> WheelSettings:
        """The settings of the wheel that is mounted."""
        from companion.lock.quadrature import WheelSettings

        return WheelSettings(
            steps_per_detent=self.wheel_steps_per_detent,
            detents_per_number=self.wheel_detents_per_number,
            is_reversed=self.wheel_is_reversed,
        )


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of vault.

    Attributes:
        open: Opens it, given the arguments of ``find_vault``; ``None`` if there is
            nothing to open.
        has_pins: Whether it is wired to the header, so that ``coil_off`` and the doctor
            look after its pins.
        remark: The doctor's finding on a vault without pins: condition, words, remedy.
    """

    open: Opener | None
    has_pins: bool = False
    remark: tuple[Condition, str, str] | None = None


def _open_gpio(
    settings: VaultSettings, clock: Clock, coil_clock: Clock, _was_lid_shut: bool
) -> VaultDevice:
    from hardware.vault.gpio_chip import find_chip
    from hardware.vault.gpio_vault import GpioVault
    from hardware.vault.kernel_pins import KernelFactory

    try:
        chip = find_chip(settings.gpiochip_label)
    except DeviceFault as fault:
        raise DeviceFault(
            f"no vault on the pins: {fault}",
            "set COMPANION_VAULT=simulated for one in memory, COMPANION_VAULT=none "
            "for none, or see hardware/README.md",
        ) from fault
    find_servo = LATCHES[settings.latch].find_servo
    vault = GpioVault(
        settings.pins,
        clock,
        coil_clock=coil_clock,
        pin_factory=KernelFactory(chip),
        servo=find_servo and find_servo(settings.pins.latch, settings.travel, clock),
    )
    try:
        time.sleep(RISE_S)
    except BaseException:  # Nobody else could bring a servo home that is on its way.
        vault.close()
        raise
    return vault


def _open_simulated(
    settings: VaultSettings, clock: Clock, coil_clock: Clock, was_lid_shut: bool
) -> VaultDevice:
    from hardware.vault.simulated import SimulatedVault

    return SimulatedVault(
        clock,
        coil_clock=coil_clock,
        wheel=settings.wheel,
        is_lid_shut=was_lid_shut,
        has_servo=LATCHES[settings.latch].find_servo is not None,
    )


KINDS = {
    "gpio": Kind(_open_gpio, has_pins=True),
    "simulated": Kind(
        _open_simulated,
        remark=(
            Condition.WARN,
            "the vault is simulated, so no pin is used",
            "set COMPANION_VAULT=gpio for the real one",
        ),
    ),
    # The game's own toy vault, perhaps: people enter what it did.
    "none": Kind(
        None, remark=(Condition.OK, "no vault is asked for, so no pin is used", "")
    ),
}
"""The kinds of vault, by their names in ``COMPANION_VAULT``."""


@saying_what_to_do()
def read_settings(variables: Mapping[str, str]) -> VaultSettings:
    """Read settings from variables such as ``COMPANION_PIN_COIL=17``.

    Raises:
        Malformed: If a value makes no sense, or a ``COMPANION_PIN_`` is unknown.
    """
    settings = _unpinned(variables)
    for name, chosen, rows in (
        ("VAULT", settings.vault, KINDS),
        ("LATCH", settings.latch, LATCHES),
    ):
        if chosen not in rows:
            wanted = f"{PREFIX}{name} of {' or '.join(rows)}"
            raise Malformed(f"expected {wanted}, got {chosen!r}")
    return replace(settings, pins=_read_pins(variables, LATCHES[settings.latch]))


def pin_of(latch: Latch, variables: Mapping[str, str]) -> int:
    """Read the pin of *latch* from the environment's *variables*."""
    variable = PIN_PREFIX + latch.wire.upper()
    return int(parse(variable, variables.get(variable, str(latch.bcm)), 0))


def home_of(variables: Mapping[str, str]) -> int | None:
    """Read a servo's pulses at home; ``None`` if the table would refuse its way."""
    own = {k: text for k, text in variables.items() if k.startswith(SERVO_PREFIX)}
    try:
        return _unpinned(own).servo_home_us
    except Malformed:
        return None


def _unpinned(variables: Mapping[str, str]) -> VaultSettings:
    """Read the settings that are no pins."""
    return VaultSettings(**values_of(VaultSettings, variables))  # type: ignore[arg-type]


def _read_pins(variables: Mapping[str, str], latch: Latch) -> Pins:
    wires = {PIN_PREFIX + item.name.upper(): item.name for item in fields(Pins)}
    del wires[f"{PIN_PREFIX}LATCH"]  # Each latch has a name of its own.
    latches = {PIN_PREFIX + row.wire.upper() for row in LATCHES.values()}
    chosen = {"latch": pin_of(latch, variables)}
    for variable, text in variables.items():
        if variable in wires:
            chosen[wires[variable]] = int(parse(variable, text, 0))
        elif variable.startswith(PIN_PREFIX) and variable not in latches:
            known = ", ".join(sorted(wires.keys() | latches))
            raise Malformed(f"expected one of {known}, got {variable}")
    return Pins(**chosen)


def find_vault(
    settings: VaultSettings,
    clock: Clock,
    *,
    coil_clock: Clock | None = None,
    was_lid_shut: bool = False,
) -> VaultDevice:
    """Open the vault that *settings* ask for, with its coil off.

    Args:
        settings: The kind of vault, and its wiring.
        clock: The vault's clock for all but the end of its coil's pulses.
        coil_clock: Ends those pulses only; ``None`` makes one.
        was_lid_shut: Whether a simulated lid starts shut; a real one is read.

    Raises:
        DeviceFault: If it cannot be opened, or *settings* ask for no vault.
    """
    if settings.kind.open is None:
        raise DeviceFault(f"COMPANION_VAULT is {settings.vault}", "set it to gpio")
    from hardware.clock import SystemClock

    coil_clock = coil_clock or SystemClock()
    return settings.kind.open(settings, clock, coil_clock, was_lid_shut)
