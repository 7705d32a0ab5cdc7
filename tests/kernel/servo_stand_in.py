"""In the place of ``hardware.vault.pwm`` and ``servo``, which are yet to come.

``python -m tests.kernel.servo_stand_in`` does what ``coil_off`` is to do to a servo.
"""

from __future__ import annotations

import sys
import threading
from dataclasses import dataclass
from pathlib import Path

from companion.errors import DeviceFault
from companion.ports import Clock, Timer

CHIPS = Path("/sys/class/pwm")
PERIOD_NS = 20_000_000
HOME_MS = 500


@dataclass(frozen=True, slots=True)
class Travel:
    """The ends of a servo's way, as the widths of its pulses."""

    home_us: int
    back_us: int


@dataclass(frozen=True, slots=True)
class Channel:
    """A pin's channel: a folder of the kernel's."""

    path: Path

    def send(self, width_us: int) -> None:
        (self.path / "period").write_text(str(PERIOD_NS))
        (self.path / "duty_cycle").write_text(str(width_us * 1000))
        (self.path / "enable").write_text("1")

    def end(self) -> None:
        enable = self.path / "enable"
        if enable.read_text().strip() != "0":  # Refused before there is a period.
            enable.write_text("0")


def find_channel(pin: int) -> Channel:
    for chip in find_chips(pin):
        if not (chip / "pwm0").exists():
            (chip / "export").write_text("0")
        return Channel(chip / "pwm0")
    raise DeviceFault("the kernel has no pwm-gpio", "look at config.txt")


def end_pulses(pin: int) -> None:
    for chip in find_chips(pin):
        if (chip / "pwm0").exists():
            Channel(chip / "pwm0").end()


def find_chips(pin: int) -> list[Path]:
    drivers = {chip: chip / "device" / "driver" for chip in CHIPS.glob("pwmchip*")}
    return [chip for chip, of in drivers.items() if of.resolve().name == "pwm-gpio"]


class Servo:
    """Pulses at back while on; at home for half a second once off, then none."""

    def __init__(self, channel: Channel, travel: Travel, clock: Clock) -> None:
        self._channel, self._travel, self._clock = channel, travel, clock
        self._lock = threading.Lock()
        self._timer: Timer | None = None

    def __call__(self, is_on: bool) -> None:
        with self._lock:
            self._stop_waiting()
            if is_on:
                self._channel.send(self._travel.back_us)
            else:
                self._channel.send(self._travel.home_us)
                self._timer = self._clock.call_later(HOME_MS, self._channel.end)

    def close(self) -> None:
        with self._lock:
            self._stop_waiting()
            self._channel.end()

    def _stop_waiting(self) -> None:
        if self._timer is not None:
            self._timer.cancel()


if __name__ == "__main__":
    end_pulses(12)
    sys.stdout.write("GPIO12 has no pulses: the servo is off\n")
