"""The decoder: tells from a photo whether a note or card is real or fake.

A *scrambled print* hides a picture of faces in fine lines; on a fake note the faces
wear a mask. `read(frame, deck)` finds the prints in a frame and says real, fake or
unsure. A *deck* is what is known of one game's prints; `learn` and `sort_out` make one
from photos, and `grow` adds a photo to it. `explain` draws how a reading came about.

Arrays go in, small frozen results come out; no device or file is opened. In
``companion``, only this package needs OpenCV.
"""

from __future__ import annotations

import pkgutil
from functools import lru_cache

from companion.decoder.deck import Deck, load_deck, save_deck
from companion.decoder.explain import explain
from companion.decoder.grow import grow
from companion.decoder.learn import Learnt, Sorted, learn, sort_out
from companion.decoder.panel import Kind
from companion.decoder.reading import Reading, read
from companion.decoder.through import Through
from companion.decoder.verdict import Reason, Verdict

__all__ = [
    "Deck",
    "Kind",
    "Learnt",
    "Reading",
    "Reason",
    "Sorted",
    "Through",
    "Verdict",
    "explain",
    "grow",
    "house_deck",
    "learn",
    "load_deck",
    "read",
    "save_deck",
    "sort_out",
]


@lru_cache(maxsize=1)
def house_deck() -> Deck:
    """Return the built-in deck, of the project's own printed notes and cards."""
    content = pkgutil.get_data("companion.decoder", "house.deck")
    assert content is not None, "house.deck belongs beside this file"
    return load_deck(content)
