"""End the latch's pull: ``python -m hardware.vault.coil_off``.

systemd runs it when no program drives the latch: at boot, and after the table has ended
in any way. It needs only Python's standard library and the kernel's GPIO.

It lowers a coil's pin; or it drives a servo home, if a program had opened its pulses,
and ends them. The exit status is 0 if that was done, or no vault is on the pins;
otherwise 1.

A coil's pin stays low afterwards: a Raspberry Pi's kernel leaves an output as it is.
With ``dtparam=strict_gpiod`` it turns it into an input, which the pin's own pull-down
and the resistor at the transistor hold low.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping

from companion.errors import CompanionError
from hardware.vault.discover import KINDS, home_of, pin_of
from hardware.vault.latches import LATCHES
from hardware.vault.pins import HEADER_LABEL


def end_pull(variables: Mapping[str, str]) -> str:
    """Drive the coil's pin low, or the servo home; return what was done.

    *variables* are the environment.

    Raises:
        Malformed: If the pin's number is not a number.
        DeviceFault: If the pin cannot be claimed, or stays high, or the pulses go on.
    """
    vault = variables.get("COMPANION_VAULT", "gpio")
    kind = KINDS.get(vault)  # None: a misspelt gpio, perhaps; so go on.
    if kind is not None and not kind.has_pins:
        return f"no latch on the pins, since COMPANION_VAULT is {vault}"
    # A misspelt latch is the older one.
    latch = LATCHES.get(variables.get("COMPANION_LATCH", ""), LATCHES["solenoid"])
    label = variables.get("COMPANION_GPIOCHIP_LABEL", HEADER_LABEL)
    return latch.end(label, pin_of(latch, variables), home_of(variables))


def main() -> int:
    """End the pull, report it, and return the exit status."""
    try:
        sys.stdout.write(f"{end_pull(os.environ)}\n")
    except CompanionError as error:
        sys.stderr.write(f"the latch was not let go: {error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
