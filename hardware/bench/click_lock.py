"""Pull the bolt once: ``python -m hardware.bench.click_lock [milliseconds]``.

The latch rests for three seconds first, and a servo goes home before and after.
"""

import os
import sys
import time

from hardware.clock import SystemClock
from hardware.vault.discover import find_vault, read_settings

on_time_ms = int(sys.argv[1]) if len(sys.argv) > 1 else 400
vault = find_vault(read_settings(os.environ), SystemClock())
try:
    time.sleep(vault.rest_ms() / 1000)
    vault.release(on_time_ms)
    print(f"{vault.name}: bolt pulled back for {on_time_ms} ms")
    time.sleep(on_time_ms / 1000 + 0.7)
finally:
    vault.close()
    print("let go")
