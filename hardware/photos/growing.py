"""Have a deck learn from the photo of a look, once the lens has shown its face.

The people, not the verdict, say whether the photo is of a real note.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable

from companion.errors import Malformed
from companion.examining import Growth, GrowthState
from companion.words import say
from hardware.photos.deck_folder import DeckFolder
from hardware.photos.examiner import KEPT_MAX, PhotoExaminer
from hardware.photos.one_at_a_time import OneAtATime, in_background

BEGUN = (GrowthState.GROWING, GrowthState.GROWN)
"""The states of a photo that must not be added again."""


class PhotoGrowing:
    """Implements ``companion.examining.Growing`` with an examiner's latest looks.

    Args:
        decks: Keeps the decks.
        examiner: Keeps the looks.
        one_at_a_time: The queue of all heavy work.
        tell: Called from any thread when a deck has grown, or could not.
    """

    def __init__(
        self,
        decks: DeckFolder,
        examiner: PhotoExaminer,
        one_at_a_time: OneAtATime,
        tell: Callable[[], object],
    ) -> None:
        self._decks = decks
        self._examiner = examiner
        self._one_at_a_time = one_at_a_time
        self._tell = tell
        self._lock = threading.Lock()
        self._growths: OrderedDict[str, Growth] = OrderedDict()  # Guarded by _lock.

    def begin(self, key: str, *, is_fake: bool) -> None:
        """Add a look's photo to its deck."""
        look, photo = self._examiner.found(key), self._examiner.print_of(key)
        if look is None or photo is None:
            raise Malformed(
                say("the table has forgotten this photo"), say("take it again")
            )
        with self._lock:
            growth = self._growths.get(key)
            if growth is not None and growth.state in BEGUN:
                return
            self._growths[key] = Growth(GrowthState.GROWING)
            while len(self._growths) > KEPT_MAX:
                self._growths.popitem(last=False)
        deck_key = look.deck_key

        def grow() -> None:
            with self._one_at_a_time.turn(wait_s=-1):
                count = self._grow(deck_key, photo, is_fake=is_fake)
            self._set(key, Growth(GrowthState.GROWN, count))

        def refuse(why: str, remedy: str) -> None:
            self._set(key, Growth(GrowthState.UNCHANGED, why=why, remedy=remedy))

        in_background("growth", grow, refuse)

    def of(self, key: str) -> Growth | None:
        """Return how far the learning of a look's photo has come."""
        with self._lock:
            return self._growths.get(key)

    def _grow(self, key: str, photo: bytes, *, is_fake: bool) -> int:
        """Return how many photos the deck has learnt from, with this one."""
        from companion.decoder import grow, load_deck, save_deck
        from companion.decoder.ink import on_paper
        from hardware.photos.examine import jpeg
        from hardware.photos.photo import read_photo

        content = self._decks.file(key)
        if content is None:
            raise Malformed(say("this deck was forgotten"), say("choose another"))
        learnt = grow(load_deck(content), read_photo(photo), is_fake=is_fake)
        picture = jpeg(on_paper(learnt.picture))
        self._decks.change(key, save_deck(learnt.deck), picture)
        return learnt.photos_count

    def _set(self, key: str, growth: Growth) -> None:
        with self._lock:
            self._growths[key] = growth
        self._tell()
