"""Pull the bolt once: ``python -m hardware.bench.click_lock [milliseconds]``.

The latch rests for five seconds first, and a servo goes home before and after.
"""

import os
import time

from hardware.bench import in_words, typed_number
from hardware.clock import SystemClock
from hardware.vault.coil import ON_TIME_MS_MAX, ON_TIME_MS_MIN
from hardware.vault.discover import find_vault, read_settings

on_time_ms = typed_number(400, range(ON_TIME_MS_MIN, ON_TIME_MS_MAX + 1))
with in_words():
    vault = find_vault(read_settings(os.environ), SystemClock())
    try:
        time.sleep(vault.rest_ms() / 1000)  # As nobody knows of earlier pulls.
        vault.release(on_time_ms)
        print(f"{vault.name}: bolt pulled back for {on_time_ms} ms", flush=True)
        time.sleep(on_time_ms / 1000)  # A servo comes home as the vault is closed.
    finally:
        vault.close()
        print("let go")
