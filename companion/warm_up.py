"""Makes msgspec analyse its structs at import time, before there are threads.

msgspec analyses a struct type when it first decodes one, and another thread may then
see it half done: two phones whose first requests came at once crashed the process. So
a module that decodes structs calls ``warm_up`` for them when it is imported.
"""

from __future__ import annotations

import msgspec


def warm_up(*shapes: object) -> None:
    """Make msgspec analyse each shape and all types inside it.

    Args:
        shapes: Structs, or unions of them, as ``msgspec.convert`` takes them.
    """
    for shape in shapes:
        msgspec.json.Decoder(shape)
