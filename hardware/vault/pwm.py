"""A channel of the kernel's PWM, which sends a servo's pulses to a pin of the header.

``dtoverlay=pwm-gpio`` in config.txt makes the kernel's driver for a pin, and the kernel
times the pulses, so a busy program does not shake the servo. They go on after the
program has died, until ``Channel.end``.

Source: Linux, Documentation/ABI/testing/sysfs-class-pwm; drivers/pwm/pwm-gpio.c, which
drives the pin low when its pulses end.
"""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from pathlib import Path

from companion.errors import DeviceFault

CHIPS = Path("/sys/class/pwm")
"""Here Linux has a folder for each PWM chip."""
DRIVER = "pwm-gpio"
"""The driver of a chip whose one channel is a pin of the header."""

FILES = ("period", "duty_cycle", "enable")
"""A channel's files, in the order of writing: no pulse may be longer than a period."""
PERIOD_NS = 20_000_000
"""The time from one pulse to the next; a servo wants 50 a second."""
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
        for name, value in zip(FILES, (PERIOD_NS, width_us * 1000, 1), strict=True):
            (self.path / name).write_text(str(value))

    def end(self) -> None:
        """End the pulses, which leaves the pin low; may raise ``OSError``."""
        enable = self.path / "enable"
        if enable.read_text().strip() != "0":  # Refused if there never were any.
            enable.write_text("0")


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
            "the Pi again",
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


def end_pulses(pin: int, folder: Path = CHIPS) -> bool:
    """End the pulses on *pin* that a program left; there may be none.

    Returns:
        Whether the kernel has pulses for that pin at all.

    Raises:
        DeviceFault: If this user may not write to the channel.
    """
    chips = find_chips(pin, folder)
    for chip in chips:
        channel = Channel(chip / "pwm0")
        try:
            if channel.path.exists():
                channel.end()
        except OSError as error:
            raise _refused(channel.path, error.strerror) from error
    return bool(chips)


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
