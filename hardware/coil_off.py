"""Switch the coil off by an earlier name: ``python -m hardware.coil_off``.

An update changes the program first and then systemd's units. If the power fails in
between, the old units still find the command.
"""

from __future__ import annotations

import sys

from hardware.vault.coil_off import main

if __name__ == "__main__":
    sys.exit(main())
