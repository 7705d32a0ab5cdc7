"""Print every edge of the five inputs: ``python -m hardware.bench.watch_vault``."""

import os
import threading
from contextlib import suppress

from hardware.bench import in_words, nothing_typed
from hardware.clock import SystemClock
from hardware.vault.discover import find_vault, read_settings

nothing_typed()
clock = SystemClock()
began_ns = clock.monotonic_ns()
with in_words(), suppress(KeyboardInterrupt):
    vault = find_vault(read_settings(os.environ), clock)
    try:
        print(f"{vault.name}: {vault.levels()}; Ctrl-C ends", flush=True)
        vault.listen(
            lambda edge: print(
                f"{(edge.at_ns - began_ns) // 1000},{edge.line},{edge.is_active:d}"
            )
        )
        threading.Event().wait()
    finally:
        vault.close()
