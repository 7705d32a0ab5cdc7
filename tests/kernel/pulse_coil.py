"""A program that pulls the bolt for a second, as the table does, until it is killed."""

from __future__ import annotations

import sys
import threading

from hardware.clock import SystemClock
from hardware.vault.discover import VaultSettings, find_vault

if __name__ == "__main__":
    vault = find_vault(VaultSettings(), SystemClock())
    threading.Event().wait(vault.rest_ms() / 1000)
    vault.release(1000)
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    sys.stdin.read()
