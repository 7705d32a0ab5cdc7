"""Click the latch once: ``python -m hardware.bench.click_lock [milliseconds]``.

At first, take the coil's fuse out and watch the gate with an LED; then put it back.
"""

from __future__ import annotations

import os
import sys
import time

from hardware.clock import SystemClock
from hardware.discover import find_vault, read_settings

on_time_ms = int(sys.argv[1]) if len(sys.argv) > 1 else 100
vault = find_vault(read_settings(os.environ), SystemClock())
try:
    print(f"{vault.name}: coil on for {on_time_ms} ms")
    vault.release(on_time_ms)
    time.sleep(on_time_ms / 1000 + 0.1)
finally:
    vault.close()
    print("coil off")
