"""Every vault, each with a hand that moves its contacts, for the shared contract."""

from __future__ import annotations

import errno
import os
import shutil
import tempfile
import weakref
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from gpiozero.pins.mock import MockFactory, MockPin
from gpiozero.pins.pi import PiPin

from companion.ports import Line, Signal, VaultDevice
from hardware.vault.gpio_vault import GpioVault
from hardware.vault.latches import Travel
from hardware.vault.pins import Pins
from hardware.vault.pwm import Channel
from hardware.vault.servo import CHARGE_MS, Servo
from hardware.vault.simulated import SimulatedVault
from tests.fakes import FakeClock

LINES = ("wheel_a", "wheel_b", "m_button", "yellow_button", "lid")


class Rig(Protocol):
    """A vault on the bench, and what a test does to it and sees of it."""

    clock: FakeClock
    coil_clock: FakeClock
    device: VaultDevice

    def contact(self, line: Line, is_active: bool) -> None: ...

    def lose(self, line: Line, is_active: bool) -> None: ...

    def coil_levels(self) -> list[bool]: ...

    def break_coil(self) -> None: ...


class SimulatedRig:
    """The simulated vault, moved contact by contact."""

    has_servo = False

    def __init__(self, clock: FakeClock, coil_clock: FakeClock | None = None) -> None:
        self.clock, self.coil_clock = clock, coil_clock or clock
        self.device = SimulatedVault(
            clock,
            coil_clock=coil_clock,
            rest=(False, False),
            has_servo=self.has_servo,
        )

    def contact(self, line: Line, is_active: bool) -> None:
        self.device._set(line, is_active)

    def lose(self, line: Line, is_active: bool) -> None:
        """Move a contact whose edge nobody hears."""
        self.device._levels[line] = is_active

    def coil_levels(self) -> list[bool]:
        return [bool(level) for level in self.device.values("coil")]

    def break_coil(self) -> None:
        self.device.is_coil_broken = True


class SimulatedServoRig(SimulatedRig):
    """The same with a servo, which takes its time."""

    has_servo = True


class ClockedPin(MockPin):
    """A mock pin that stamps its edges with the time of the test."""

    def _call_when_changed(self) -> None:
        PiPin._call_when_changed(self, self.factory.ticks(), self._state)


class ClockedFactory(MockFactory):
    """Mock pins in a test's own time, of which gpiozero's take the machine's."""

    def __init__(self, clock: FakeClock) -> None:
        super().__init__(pin_class=ClockedPin)
        self.clock = clock

    def ticks(self) -> float:
        return self.clock.monotonic_ns() / 1_000_000_000


class GpioRig:
    """The real vault's code on gpiozero's mock pins: low is closed."""

    def __init__(self, clock: FakeClock, coil_clock: FakeClock | None = None) -> None:
        self.clock, self.coil_clock = clock, coil_clock or clock
        self.pins = Pins()
        self.factory = ClockedFactory(clock)
        for line in LINES:
            self.pin(line)
        self.device = GpioVault(
            self.pins,
            clock,
            coil_clock=coil_clock,
            pin_factory=self.factory,
            servo=self.servo(),
        )
        self.device._coil._rests_until_ns = None  # It was opened long ago.

    def servo(self) -> Servo | None:
        return None

    def pin(self, wire: str) -> MockPin:
        return self.factory.pin(getattr(self.pins, wire))

    def contact(self, line: Line, is_active: bool) -> None:
        pin = self.pin(line.value)
        if is_active:
            pin.drive_low()
        else:
            pin.drive_high()

    def lose(self, line: Line, is_active: bool) -> None:
        """Move a contact whose edge nobody hears."""
        self.pin(line.value)._change_state(not is_active)

    def coil_levels(self) -> list[bool]:
        """Return the pin's history since it became an output."""
        return [bool(state.state) for state in self.pin("latch").states]

    def break_coil(self) -> None:
        pin = self.pin("latch")
        set_state = pin._set_state

        def fail(value: bool) -> None:
            if value:
                raise OSError("the line does not answer")
            set_state(value)

        pin._set_state = fail


TRAVEL = Travel(home_us=1000, back_us=2000)


def faked_channel(folder: Path) -> Path:
    """Make the kernel's files of an open PWM channel that has sent nothing yet."""
    path = folder / "pwmchip0" / "pwm0"
    path.mkdir(parents=True)
    for name in ("period", "duty_cycle", "enable"):
        (path / name).write_text("0")
    (path / "polarity").write_text("normal")
    return path


def faked_chips(folder: Path, *pins: int, driver: str = "pwm-gpio") -> Path:
    """Make chips as the overlay does, each for one of *pins*, with an open channel.

    Returns:
        The folder of all chips: ``pwm`` in *folder*.
    """
    (folder / "drivers" / driver).mkdir(parents=True)
    for number, pin in enumerate(pins):
        chip = folder / "pwm" / f"pwmchip{number}"
        (chip / "device" / "of_node").mkdir(parents=True)
        (chip / "device" / "driver").symlink_to(folder / "drivers" / driver)
        cells = (7, pin, 0)  # The header's chip, the pin, flags.
        (chip / "device/of_node/gpios").write_bytes(
            b"".join(cell.to_bytes(4, "big") for cell in cells)
        )
        faked_channel(folder / f"{number}").rename(chip / "pwm0")
        (chip / "export").write_text("")
    return folder / "pwm"


@dataclass(frozen=True)
class OverheardChannel(Channel):
    """A channel on faked files, which refuse what Linux 6.1 refuses; what it heard."""

    widths_us: list[int] = field(default_factory=list)
    broken: list[int] = field(default_factory=list)

    def send(self, width_us: int) -> None:
        if width_us in self.broken:
            raise OSError("the channel does not answer")
        super().send(width_us)
        assert self.is_sending
        self.widths_us.append(self.read("duty_cycle") // 1000)

    def read(self, name: str) -> int:
        return int((self.path / name).read_text())

    def _write(self, name: str, value: object) -> None:
        now = {other: self.read(other) for other in ("period", "duty_cycle", "enable")}
        after = now | ({name: int(str(value))} if name in now else {})
        assert name != "enable" or value or not self.is_sending, "it cuts a pulse"
        if not after["period"] or after["duty_cycle"] > after["period"]:
            raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))
        super()._write(name, value)

    @property
    def is_sending(self) -> bool:
        return bool(self.read("enable") and self.read("duty_cycle"))


class ServoRig(GpioRig):
    """The real vault's code on mock pins, and a servo on faked files of the kernel."""

    on_ms = CHARGE_MS
    """How long the Pi has had its power."""

    def servo(self) -> Servo:
        self.clock.advance(self.on_ms)
        folder = tempfile.mkdtemp()
        weakref.finalize(self, shutil.rmtree, folder)
        self.channel = OverheardChannel(faked_channel(Path(folder)))
        return Servo(self.channel, TRAVEL, self.clock, self._wait)

    def _wait(self, time_s: float) -> None:
        self.clock.advance(round(time_s * 1000))

    def coil_levels(self) -> list[bool]:
        """Return whether each of its orders held the bolt back."""
        return [width_us == TRAVEL.back_us for width_us in self.channel.widths_us]

    def break_coil(self) -> None:
        self.channel.broken.append(TRAVEL.back_us)


class ColdRig(ServoRig):
    """The same, whose power came on just now."""

    on_ms = 0


RIGS: dict[str, Callable[..., Rig]] = {
    "simulated": SimulatedRig,
    "gpio": GpioRig,
    "simulated servo": SimulatedServoRig,
    "gpio servo": ServoRig,
}
"""Every vault that the contract is asked of."""

if "GPIO_SIM_CHIP" in os.environ:  # In the machine of tests/machines/kernel.sh.
    from tests.kernel.rig import KernelRig

    RIGS = {"kernel": KernelRig}  # The others were asked before.


def overhear(
    device: VaultDevice,
    released: Callable[[bool], None],
    signalled: Callable[[Signal], None],
) -> None:
    """Tell of what reaches *device* before it does what it does.

    Args:
        device: Any vault.
        released: Called with True for each pulse of the coil.
        signalled: Called with each light or sound.
    """
    release, signal = device.release, device.signal

    def overheard_release(on_time_ms: int) -> None:
        released(True)
        release(on_time_ms)

    def overheard_signal(shown: Signal) -> None:
        signalled(shown)
        signal(shown)

    device.release = overheard_release  # type: ignore[method-assign]
    device.signal = overheard_signal  # type: ignore[method-assign]


def seconds_in(text: str) -> int:
    """Return the first whole number in *text*."""
    return int("".join(c if c.isdigit() else " " for c in text).split()[0])


__all__ = ["LINES", "RIGS", "GpioRig", "Rig", "Signal", "SimulatedRig", "seconds_in"]
