"""Examine notes for the panel: photos from phones, and the table's own camera.

A *look* is the examination of one picture; the latest few are remembered. A *glance* is
a look at the camera's live picture. The *subject* of a look is the challenge that it is
for, if any. A *stranger* is somebody without a seat in the game. Once the lens has
shown the face of a note, its deck can learn from the photo of a look; the people, not
the verdict, say whether the note is real.

Only the first look imports OpenCV, so that the table is up soon after power-on.
"""

from __future__ import annotations

import logging
import secrets
import threading
from collections import OrderedDict
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, BinaryIO, TypeVar

from companion.errors import DeviceFault, Malformed
from companion.examining import (
    STRANGER,
    UNSURE,
    Asker,
    Examination,
    Growth,
    GrowthState,
)
from companion.ports import Camera, CameraHealth, CameraState, Clock, Timer
from companion.words import say
from hardware.photos.deck_folder import DeckFolder
from hardware.photos.one_at_a_time import OneAtATime, in_background

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Pixels = NDArray[np.uint8]

log = logging.getLogger(__name__)

KEPT_MAX = 8
"""How many looks on one subject are remembered; each takes about 400 kB."""

SUBJECTS_MAX = 5
"""How many subjects are remembered: challenges, none, and one for all strangers, whose
looks thus push out only each other."""

GLANCES_MAX = 4
"""How many unsure glances are remembered; a page asks for the latest one's picture."""

PRINTS_MAX = 4
"""How many looks keep their print, which its deck may still learn; some 3 MB each."""

SHOWN_MS = 120_000
"""How long a look stays on the table's screen, in milliseconds."""

Kept = TypeVar("Kept")
CLOSED = CameraHealth(CameraState.CLOSED)
REST_MS = 180_000
"""Without a look for so many ms, the camera is closed, so that its light goes off."""


class PhotoExaminer:
    """Implements ``companion.examining.Examiner`` with the decoder.

    Args:
        decks: Keeps the deck in use.
        one_at_a_time: The queue of all heavy work.
        clock: Times the looks, and how long one is shown.
        tell: Called when the table's screen should show something else.
        make_camera: Makes the table's own camera, at the first look; ``None`` for a
            table without a camera.
        focal_px: The camera's focal length in pixels; 0 if unknown.
        is_camera_there: Whether a camera that was not used yet is plugged in.
    """

    def __init__(
        self,
        decks: DeckFolder,
        one_at_a_time: OneAtATime,
        clock: Clock,
        tell: Callable[[], object],
        make_camera: Callable[[], Camera] | None = None,
        *,
        focal_px: int = 0,
        is_camera_there: Callable[[], bool] = lambda: True,
    ) -> None:
        self._decks = decks
        self._one_at_a_time = one_at_a_time
        self._clock = clock
        self._tell = tell
        self._make_camera = make_camera
        self._camera: Camera | None = None
        self._is_camera_there = is_camera_there
        self._focal_px = focal_px
        self._lock = threading.Lock()
        # All below are guarded by _lock. Looks are kept by subject: None is for those
        # of all strangers, and the empty one for those without a challenge.
        self._kept: dict[str | None, OrderedDict[str, Examination]] = {
            None: OrderedDict(),
            "": OrderedDict(),
        }
        self._glanced: OrderedDict[str, Examination] = OrderedDict()
        self._prints: OrderedDict[str, bytes] = OrderedDict()
        self._shown: Examination | None = None
        self._ending: Timer | None = None
        self._resting: Timer | None = None

    def examine(
        self, photo: BinaryIO, asker: Asker = STRANGER, *, has_lens: bool = False
    ) -> Examination:
        """Examine a photo that somebody sent."""
        from hardware.photos.photo import read_photo

        with self._turn(asker) as check:
            pixels = read_photo(photo.read(), check)
            look = self._examine(pixels, 0, asker, check, has_lens=has_lens)
        return self._keep(look, asker)

    def look(self, asker: Asker = STRANGER, *, has_lens: bool = False) -> Examination:
        """Look through the table's own camera."""
        return self._keep(self._through_camera(asker, has_lens=has_lens), asker)

    def glance(self, asker: Asker = STRANGER) -> Examination:
        """Look through the camera for a live picture."""
        glance = self._through_camera(asker, teaches=False, wait_s=0)
        if glance.verdict != UNSURE:
            return self._keep(glance, asker)
        with self._lock:
            _keep_latest(self._glanced, glance.key, glance, GLANCES_MAX)
        return glance

    def _turn(
        self, asker: Asker, wait_s: float | None = None
    ) -> AbstractContextManager[Callable[[], None]]:
        turn, is_seated = self._one_at_a_time.turn, asker.is_seated
        return turn(asker.address, is_seated=is_seated, wait_s=wait_s)

    def _through_camera(
        self,
        asker: Asker,
        *,
        has_lens: bool = False,
        teaches: bool = True,
        wait_s: float | None = None,
    ) -> Examination:
        """Take a frame in this asker's turn, and examine it."""
        if self._make_camera is None:
            raise DeviceFault(
                say("this table has no camera"), say("take a photo with a phone")
            )
        with self._turn(asker, wait_s) as check:
            camera = self._camera = self._camera or self._make_camera()
            self._keep_awake(camera)
            pixels = camera.frame().pixels
            return self._examine(
                pixels,
                self._focal_px,
                asker,
                check,
                has_lens=has_lens,
                teaches=teaches,
            )

    def camera_health(self) -> CameraHealth | None:
        """Return the state of the table's camera."""
        if self._make_camera is None:
            return None
        camera = self._camera
        if camera is None:
            return CLOSED if self._is_camera_there() else None
        return camera.health()

    def found(self, key: str) -> Examination | None:
        """Find one of the latest looks."""
        with self._lock:
            for looks in (*self._kept.values(), self._glanced):
                if key in looks:
                    return looks[key]
        return None

    def print_of(self, key: str) -> bytes | None:
        """Return the print of a look as PNG; ``None`` if it cannot teach or is gone."""
        with self._lock:
            return self._prints.get(key)

    def show(self, key: str) -> bool:
        """Put a look on the table's screen for a while."""
        look = self.found(key)
        if look is not None:
            self._put_up(look)
        return look is not None

    def shown(self) -> Examination | None:
        """Return the look on the table's screen, if any."""
        with self._lock:
            return self._shown

    def put_away(self) -> None:
        """Take the look off the table's screen."""
        self._put_up(None)

    def give_up(self) -> None:
        """End every look soon."""
        self._one_at_a_time.close()

    def close(self) -> None:
        """Close the camera; may be called twice."""
        with self._lock:
            timers = (self._ending, self._resting)
        for timer in timers:
            if timer is not None:
                timer.cancel()
        if self._camera is not None:
            self._camera.close()

    def _examine(
        self,
        pixels: Pixels,
        focal_px: int,
        asker: Asker,
        check: Callable[[], object],
        *,
        has_lens: bool = False,
        teaches: bool = True,
    ) -> Examination:
        from hardware.photos.examine import PIXELS_MAX, examine_picture, scale_down
        from hardware.photos.lesson_photo import as_png, crop_print
        from hardware.photos.watch import Optics

        began_ns = self._clock.monotonic_ns()
        pixels = scale_down(pixels, PIXELS_MAX)
        name, deck, deck_key = self._decks.deck()
        optics = Optics(deck.pitch_mm, focal_px)
        seen = examine_picture(pixels, deck, optics, has_lens=has_lens, check=check)
        took_ms = (self._clock.monotonic_ns() - began_ns) // 1_000_000
        shows_one = seen.only is not None and not has_lens
        can_teach = teaches and shows_one and bool(deck.lesson)
        look = Examination(
            key=secrets.token_urlsafe(12),
            deck=name,
            findings=seen.findings,
            advice=seen.advice,
            frame=seen.frame,
            took_ms=took_ms,
            has_lens=has_lens,
            deck_key=deck_key,
            can_teach=can_teach,
            about=asker.about,
        )
        if can_teach and seen.only is not None and seen.only.pixels_per_line:
            crop = crop_print(pixels, seen.only.corners_px, seen.only.pixels_per_line)
            png = as_png(crop)
            with self._lock:
                _keep_latest(self._prints, look.key, png, PRINTS_MAX)
        log.info(look.log_line)
        return look

    def _keep(self, look: Examination, asker: Asker) -> Examination:
        """Remember a look under its subject."""
        with self._lock:
            subject = look.about if asker.is_seated else None
            looks = self._kept.setdefault(subject, OrderedDict())
            if len(self._kept) > SUBJECTS_MAX:
                oldest_challenge = next(about for about in self._kept if about)
                del self._kept[oldest_challenge]
            _keep_latest(looks, look.key, look, KEPT_MAX)
        return look

    def _put_up(self, look: Examination | None) -> None:
        """Put a look on the table's screen for a while; ``None`` clears the screen."""
        with self._lock:
            if self._ending is not None:
                self._ending.cancel()
            self._shown, self._ending = look, None
            if look is not None:
                self._ending = self._clock.call_later(SHOWN_MS, self.put_away)
        self._tell()

    def _keep_awake(self, camera: Camera) -> None:
        """Open the camera, and have it closed after a rest of ``REST_MS``."""
        with self._lock:
            if self._resting is not None:
                self._resting.cancel()
            self._resting = self._clock.call_later(REST_MS, camera.close)
        camera.open()


def _keep_latest(
    latest: OrderedDict[str, Kept], key: str, value: Kept, count_max: int
) -> None:
    latest[key] = value
    while len(latest) > count_max:
        latest.popitem(last=False)


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
            growing = Growth(GrowthState.GROWING)
            _keep_latest(self._growths, key, growing, KEPT_MAX)
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
