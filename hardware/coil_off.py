"""Switch the coil off by the name of before: ``python -m hardware.coil_off``.

An update changes the program first and the units after it. If the power fails between
the two, the units of the version before still find the command.
"""

from __future__ import annotations

import sys

from hardware.vault.coil_off import main

if __name__ == "__main__":
    sys.exit(main())
