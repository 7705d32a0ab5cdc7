"""A program that holds the coil on, and does nothing else, until it is killed."""

from __future__ import annotations

import sys

from hardware.vault.gpio_chip import find_chip
from hardware.vault.pins import HEADER_LABEL, Pins

if __name__ == "__main__":
    chip = find_chip(HEADER_LABEL)
    line = chip.claim_output(Pins().latch, is_high=True, consumer="a stuck program")
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    sys.stdin.read()
