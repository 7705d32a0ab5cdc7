"""A channel of the kernel's PWM, which sends a servo's pulses to a pin of the header.

``dtoverlay=pwm-gpio`` in config.txt makes the kernel's driver for a pin, and the kernel
times the pulses, so a busy program does not shake the servo. They go on after the
program has died, until ``Channel.end``.

Source: Linux, Documentation/ABI/testing/sysfs-class-pwm; drivers/pwm/pwm-gpio.c, which
begins another width with the next period, but drops the pin at once when its pulses
are disabled.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from companion.errors import DeviceFault

CHIPS = Path("/sys/class/pwm")
"""Here Linux has a folder for each PWM chip."""
DRIVER = "pwm-gpio"
"""The driver of a chip whose one channel is a pin of the header."""

FILES = ("period", "polarity", "duty_cycle", "enable")
"""A channel's files."""
PERIOD_NS = 20_000_000
"""The time from one pulse to the next; a servo wants 50 a second."""
LAST_PULSE_S = 0.03
"""A period and a half, after which the last pulse is over."""
GRANT_TRIES, GRANT_PAUSE_S = 40, 0.05
"""How often, and how long apart, a channel is asked for.

Raspberry Pi OS gives chip and channel to the group ``gpio`` soon after they appeared.
"""


@dataclass(frozen=True, slots=True)
class Channel:
    """A pin's channel: the folder *path* in the kernel's own file system."""

    path: Path

    def send(self, width_us: int) -> None:
        """Send pulses of *width_us* from now on; may raise ``OSError``."""
        if not (self._is("period", PERIOD_NS) and self._is("polarity", "normal")):
            self._take_over()
        self._write("duty_cycle", width_us * 1000)
        self._write("enable", 1)

    def hush(self) -> None:
        """Send no other pulse; the one that is on its way becomes whole.

        A digital servo would obey a pulse that was cut, and hold it. May raise
        ``OSError``.
        """
        if not self._is("period", 0):  # Refused if there never were any.
            self._write("duty_cycle", 0)

    def disable(self) -> None:
        """Leave the pin low, once ``hush`` was called; may raise ``OSError``."""
        if not self._is("enable", 0):  # Refused if there never were any.
            self._write("enable", 0)

    def end(self, wait: Callable[[float], object] = time.sleep) -> None:
        """End the pulses behind a whole one, in 30 ms; may raise ``OSError``."""
        self.hush()
        wait(LAST_PULSE_S)
        self.disable()

    def _take_over(self) -> None:
        """Have the period and the polarity, however another program left them.

        No pulse may be longer than the period; and an inversed one of 2 ms lasts 18.
        """
        if self._is("enable", 0):
            self.hush()
        else:
            self.end()
        self._write("period", PERIOD_NS)
        if not self._is("polarity", "normal"):
            self._write("polarity", "normal")

    def _is(self, name: str, value: object) -> bool:
        return (self.path / name).read_text().strip() == str(value)

    def _write(self, name: str, value: object) -> None:
        (self.path / name).write_text(str(value))


def find_channel(pin: int, folder: Path = CHIPS) -> Channel:
    """Find the channel of *pin*, and open it if need be.

    Raises:
        DeviceFault: If the kernel has none, or this user may not write to it.
    """
    chips = find_chips(pin, folder)
    if not chips:
        raise DeviceFault(
            f"expected a PWM chip of {DRIVER} for GPIO{pin}, got none",
            f"write dtoverlay={DRIVER},gpio={pin} below [all] in config.txt, and start "
            "the Pi again; companion doctor says if more is missing",
        )
    path = chips[0] / "pwm0"
    reason: str | None = "Permission denied"
    for _ in range(GRANT_TRIES):
        try:
            if not path.exists():
                (chips[0] / "export").write_text("0")
        except OSError as error:
            reason = error.strerror
        if all(os.access(path / name, os.W_OK) for name in FILES):
            return Channel(path)
        time.sleep(GRANT_PAUSE_S)
    raise _refused(path, reason)


def drive_home(
    pin: int,
    width_us: int | None,
    time_s: float,
    folder: Path = CHIPS,
    wait: Callable[[float], object] = time.sleep,
) -> bool:
    """Drive home a servo on *pin* that a program left, and end its pulses.

    Args:
        pin: The servo's pin.
        width_us: Its pulses at home; ``None`` leaves it where it is.
        time_s: How long the way home may take.
        folder: Where the chips are.
        wait: Waits for so many seconds.

    Returns:
        Whether a channel was there; nobody could have moved the servo without one.

    Raises:
        DeviceFault: If this user may not write to the channel.
    """
    channels = [Channel(chip / "pwm0") for chip in find_chips(pin, folder)]
    channels = [channel for channel in channels if channel.path.exists()]
    for channel in channels:
        try:
            try:
                if width_us is not None:
                    channel.send(width_us)
                    wait(time_s)
            finally:
                channel.end(wait)
        except OSError as error:
            raise _refused(channel.path, error.strerror) from error
    return bool(channels)


def find_chips(pin: int, folder: Path = CHIPS) -> list[Path]:
    """Find the chips whose pulses go to *pin*; one, or none without the overlay."""
    return [chip for chip in sorted(folder.glob("pwmchip*")) if _drives(chip, pin)]


def _drives(chip: Path, pin: int) -> bool:
    """Return whether *chip* sends its pulses to *pin*, as far as the kernel says."""
    if (chip / "device/driver").resolve().name != DRIVER:
        return False
    wired = chip / "device/of_node/gpios"
    # Three numbers of four bytes: the header's chip, the pin, and flags.
    return not wired.exists() or wired.read_bytes()[4:8] == pin.to_bytes(4, "big")


def _refused(path: Path, reason: str | None) -> DeviceFault:
    return DeviceFault(
        f"{path} may not be written to ({reason})",
        "see that your user is in the group gpio, and that nothing else holds it",
    )
