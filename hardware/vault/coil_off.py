"""Switch the latch's coil off: ``python -m hardware.vault.coil_off``.

For the moments when the program that drives it is gone: at boot, and after it has
stopped, however it ended. Needs Python's standard library and the kernel's GPIO.

It reads ``COMPANION_VAULT``, ``COMPANION_PIN_COIL`` and ``COMPANION_GPIOCHIP_LABEL``.
Exit status: 0 if the pin is low, or no vault is on the pins; 1 with a sentence if not.

What keeps the pin low afterwards: a Raspberry Pi's kernel leaves an output as it is.
With ``dtparam=strict_gpiod`` it makes it an input, which the pin's own pull-down and
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


def lower_coil(variables: Mapping[str, str]) -> str:
    """Drive the coil's pin low and let it go; return what was done, for people.

    Args:
        variables: The environment.

    Raises:
        Malformed: If the pin's number is none.
        DeviceFault: If the pin cannot be had, or stays high.
    """
    vault = variables.get("COMPANION_VAULT", "gpio")
    kind = KINDS.get(vault)  # A misspelt one may be meant as gpio.
    if kind is not None and not kind.has_pins:
        return f"no coil on the pins, since COMPANION_VAULT is {vault}"
    text = variables.get("COMPANION_PIN_COIL", str(Pins().coil))
    pin = int(parse("COMPANION_PIN_COIL", text, 0))
    label = variables.get("COMPANION_GPIOCHIP_LABEL", HEADER_LABEL)
    ours = "companion coil_off"
    with (
        closing(find_chip(label)) as chip,
        closing(chip.claim_output(pin, is_high=False, consumer=ours)) as line,
    ):
        if line.is_high():
            raise DeviceFault(
                f"GPIO{pin} of {chip.path} is driven low and stays high",
                "cut the coil's supply and look for a short",
            )
        return f"GPIO{pin} of {chip.path} is low: the coil is off"


def main() -> int:
    """Switch the coil off, say so, and return the exit status."""
    try:
        sys.stdout.write(f"{lower_coil(os.environ)}\n")
    except CompanionError as error:
        sys.stderr.write(f"the coil was not switched off: {error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
