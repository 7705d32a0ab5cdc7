"""Switch the latch's coil off: ``python -m hardware.vault.coil_off``.

systemd runs it when no program drives the coil: at boot, and after the table has ended
in any way. It needs only Python's standard library and the kernel's GPIO.

The exit status is 0 if the pin is low, or no vault is on the pins; otherwise 1.

The pin stays low afterwards: a Raspberry Pi's kernel leaves an output as it is. With
``dtparam=strict_gpiod`` it turns it into an input, which the pin's own pull-down and
the resistor at the gate hold low.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from contextlib import closing

from companion.errors import CompanionError, DeviceFault
from hardware.variables import parse
from hardware.vault.discover import KINDS
from hardware.vault.gpio_chip import find_chip
from hardware.vault.pins import HEADER_LABEL, Pins

CONSUMER = "companion coil_off"
"""The name under which other programs see who holds the pin."""


def lower_coil(variables: Mapping[str, str]) -> str:
    """Drive the coil's pin low and release it; return a sentence that says so.

    *variables* are the environment.

    Raises:
        Malformed: If the pin's number is not a number.
        DeviceFault: If the pin cannot be claimed, or stays high.
    """
    vault = variables.get("COMPANION_VAULT", "gpio")
    kind = KINDS.get(vault)  # None: a misspelt gpio, perhaps; so go on.
    if kind is not None and not kind.has_pins:
        return f"no coil on the pins, since COMPANION_VAULT is {vault}"
    text = variables.get("COMPANION_PIN_COIL", str(Pins().coil))
    pin = int(parse("COMPANION_PIN_COIL", text, 0))
    label = variables.get("COMPANION_GPIOCHIP_LABEL", HEADER_LABEL)
    with (
        closing(find_chip(label)) as chip,
        closing(chip.claim_output(pin, is_high=False, consumer=CONSUMER)) as line,
    ):
        if line.is_high():
            raise DeviceFault(
                f"GPIO{pin} of {chip.path} is driven low and stays high",
                "cut the coil's supply and look for a short",
            )
        return f"GPIO{pin} of {chip.path} is low: the coil is off"


def main() -> int:
    """Switch the coil off, report it, and return the exit status."""
    try:
        sys.stdout.write(f"{lower_coil(os.environ)}\n")
    except CompanionError as error:
        sys.stderr.write(f"the coil was not switched off: {error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
