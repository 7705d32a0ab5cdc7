"""Click the latch once: ``python -m hardware.bench.click_lock [milliseconds]``.

For the first time, take the coil's fuse out and watch the gate with an LED.
"""

import os
import sys
import time

from hardware.clock import SystemClock
from hardware.vault.discover import find_vault, read_settings
from hardware.vault.pulse_stamps import release_with_stamp, stamps_file

on_time_ms = int(sys.argv[1]) if len(sys.argv) > 1 else 100
clock = SystemClock()
vault = find_vault(read_settings(os.environ), clock)
try:
    release_with_stamp(vault, clock, stamps_file(os.environ), on_time_ms)
    print(f"{vault.name}: coil on for {on_time_ms} ms")
    time.sleep(on_time_ms / 1000 + 0.1)
finally:
    vault.close()
    print("coil off")
