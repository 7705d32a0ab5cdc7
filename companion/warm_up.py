"""Shapes are learnt before there are threads.

msgspec learns a struct when one is first read, and hands it to other threads half
learnt: two phones that asked first, at once, ended the process. So whoever reads
structs learns them where the module is loaded.
"""

from __future__ import annotations

import msgspec


def learn(*shapes: object) -> None:
    """Learn each shape and all that it is made of.

    Args:
        shapes: Structs, or unions of them, as ``msgspec.convert`` takes them.
    """
    for shape in shapes:
        msgspec.json.Decoder(shape)
