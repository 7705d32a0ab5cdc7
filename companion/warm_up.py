"""Makes msgspec analyse its structs at import time, before there are threads.

msgspec analyses a struct type when it first decodes one, and another thread may see it
half done: two phones whose first requests came at once crashed the process. So a module
that decodes structs calls ``warm_up`` for them.
"""

from __future__ import annotations

import msgspec


def warm_up(*shapes: object) -> None:
    """Make msgspec analyse structs, or unions of them, and all types inside."""
    for shape in shapes:
        msgspec.json.Decoder(shape)
