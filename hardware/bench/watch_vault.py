"""Print every edge of the five inputs: ``python -m hardware.bench.watch_vault``."""

from __future__ import annotations

import contextlib
import os
import threading

from hardware.clock import SystemClock
from hardware.vault.discover import find_vault, read_settings

clock = SystemClock()
began_ns = clock.monotonic_ns()
vault = find_vault(read_settings(os.environ), clock)
print(f"{vault.name}: {vault.levels()}; Ctrl-C ends")
vault.listen(
    lambda edge: print(
        f"{(edge.at_ns - began_ns) // 1000},{edge.line},{edge.is_active:d}"
    )
)
with contextlib.suppress(KeyboardInterrupt):
    threading.Event().wait()
vault.close()
