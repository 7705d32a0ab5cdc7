"""A program that pulls the bolt for a second, as the table does, until it is killed.

It obeys the settings of a table. Once its input ends, it ends in order.
"""

from __future__ import annotations

import os
import sys
from contextlib import closing

from hardware.clock import SystemClock
from hardware.vault.discover import find_vault, read_settings
from hardware.vault.gpio_vault import GpioVault

if __name__ == "__main__":
    with closing(SystemClock()) as clock:
        vault = find_vault(read_settings(os.environ), clock)
        assert isinstance(vault, GpioVault)
        vault._coil._rests_until_ns = None  # It was opened long ago.
        vault.release(1000)
        sys.stdout.write("ready\n")
        sys.stdout.flush()
        sys.stdin.read()
        vault.close()
