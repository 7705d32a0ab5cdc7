"""Learning a deck for the panel: collects photos, learns in a thread, keeps the deck.

Photos wait on disk, cropped to the print that they show: ten whole photos would need
more memory than a small computer has.
"""

from __future__ import annotations

import logging
import secrets
import shutil
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO

from companion.errors import CompanionError, DeviceFault, Malformed
from companion.examining import (
    PHOTOS_MAX,
    PHOTOS_MIN,
    DeckCard,
    LessonState,
    LessonView,
)
from companion.words import say
from hardware.deck_folder import DeckFolder
from hardware.one_at_a_time import OneAtATime

log = logging.getLogger(__name__)


class PhotoLessons:
    """``companion.examining.Lessons``, with its photos in a folder.

    Args:
        decks: Where a learnt deck is kept.
        one_at_a_time: Shared with all other heavy work.
        folder: The folder of photos; deleted now, and made when the first one comes.
        tell: Called from any thread whenever the view has changed.
    """

    def __init__(
        self,
        decks: DeckFolder,
        one_at_a_time: OneAtATime,
        folder: Path,
        tell: Callable[[], object],
    ) -> None:
        self._decks = decks
        self._one_at_a_time = one_at_a_time
        self._folder = folder
        self._tell = tell
        self._lock = threading.Lock()
        self._view = LessonView(LessonState.COLLECTING)
        shutil.rmtree(folder, ignore_errors=True)

    def view(self) -> LessonView:
        """The state of the lesson (``Lessons.view``)."""
        with self._lock:
            return self._view

    def add(self, photo: BinaryIO, *, is_fake: bool, sender: str = "") -> None:
        """Keep a photo for the lesson (``Lessons.add``)."""
        from hardware.lesson_photo import cut_out
        from hardware.photo import read_photo

        check_room(self.view(), is_fake=is_fake)
        with self._one_at_a_time.turn(sender) as check:
            kept, small = cut_out(read_photo(photo.read(), check), check)
        key = secrets.token_urlsafe(9)
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            self._path(key, "png").write_bytes(kept)
            self._path(key, "jpg").write_bytes(small)
        except OSError as error:
            raise DeviceFault(
                say(
                    "cannot keep the photo: {error}; free some space on the table's "
                    "disk",
                    error=str(error.strerror or error),
                )
            ) from error
        with self._lock:
            # Checked again: meanwhile another phone may have filled the last place.
            check_room(self._view, is_fake=is_fake)
            now = _collecting(self._view)
            if is_fake:
                self._view = replace(now, fake=(*now.fake, key))
            else:
                self._view = replace(now, real=(*now.real, key))
        self._tell()

    def drop(self, key: str) -> None:
        """Remove a photo from the lesson (``Lessons.drop``)."""
        with self._lock:
            if self._view.state is LessonState.LEARNING:
                return
            now = _collecting(self._view)
            real, fake = (tuple(k for k in x if k != key) for x in (now.real, now.fake))
            is_gone = (real, fake) == (now.real, now.fake)
            self._view = replace(now, real=real, fake=fake)
        if not is_gone:
            for suffix in ("png", "jpg"):
                self._path(key, suffix).unlink(missing_ok=True)
        self._tell()

    def photo(self, key: str) -> bytes | None:
        """A small picture of a photo that was kept (``Lessons.photo``)."""
        view = self.view()
        if key not in (*view.real, *view.fake):
            return None
        try:
            return self._path(key, "jpg").read_bytes()
        except OSError:
            return None

    def begin(self, name: str) -> None:
        """Begin to learn in the background (``Lessons.begin``)."""
        self._decks.key_for(name)
        with self._lock:
            if self._view.state is LessonState.LEARNING:
                raise Malformed(say("a deck is being learnt already; wait for it"))
            if not _collecting(self._view).is_enough:
                raise Malformed(
                    say(
                        "expected {least} to {most} photos each of real and of fake "
                        "notes, got {real} and {fake}; add some",
                        least=PHOTOS_MIN,
                        most=PHOTOS_MAX,
                        real=len(self._view.real),
                        fake=len(self._view.fake),
                    )
                )
            card = DeckCard("", name.strip(), is_chosen=False)
            self._view = replace(
                self._view,
                state=LessonState.LEARNING,
                step=say("waiting for its turn"),
                remedy="",
                deck=card,
            )
        self._tell()
        # A daemon: learning must not keep the program from ending.
        threading.Thread(target=self._learn, name="lesson", daemon=True).start()

    def start_over(self) -> None:
        """Forget all photos (``Lessons.start_over``)."""
        with self._lock:
            if self._view.state is LessonState.LEARNING:
                return
            self._view = LessonView(LessonState.COLLECTING)
        shutil.rmtree(self._folder, ignore_errors=True)
        self._tell()

    # The thread that learns.

    def _learn(self) -> None:
        view = self.view()
        assert view.deck is not None, "begin names the deck"
        try:
            with self._one_at_a_time.turn(wait_s=-1):
                learnt = self._learnt(view, view.deck.name)
        except CompanionError as error:
            self._refuse(str(error))
        except MemoryError:
            log.exception("lesson_out_of_memory")
            self._refuse(say("the photos do not fit into memory; take fewer"))
        except Exception:  # Else the page would wait for ever.
            log.exception("lesson_failed")
            self._refuse(say("learning failed by our mistake; take other photos"))
        else:
            with self._lock:
                self._view = learnt
            shutil.rmtree(self._folder, ignore_errors=True)
            self._tell()

    def _learnt(self, view: LessonView, name: str) -> LessonView:
        from companion.decoder import learn
        from hardware.examine import jpeg
        from hardware.learn_photos import lesson_of
        from hardware.photo import read_photo_file

        photos = []
        count = len(view.real) + len(view.fake)
        for number, key in enumerate((*view.real, *view.fake), 1):
            self._step(say("unpacking photo {number} of {count}", number=number,
                           count=count))  # fmt: skip
            photos.append(read_photo_file(self._path(key, "png")))
        self._step(say("looking for the face that all photos show"))
        real_count = len(view.real)
        lesson = lesson_of(learn(photos[:real_count], photos[real_count:], name))
        card = self._decks.keep(name, lesson.content, jpeg(lesson.picture))
        return LessonView(
            LessonState.LEARNT,
            deck=card,
            right_count=lesson.facts["right_count"],
            photos_count=lesson.facts["photos_count"],
        )

    def _step(self, words: str) -> None:
        with self._lock:
            self._view = replace(self._view, step=words)
        self._tell()

    def _refuse(self, why: str) -> None:
        message, _, remedy = why.partition("; ")
        with self._lock:
            self._view = replace(
                self._view, state=LessonState.REFUSED, step=message, remedy=remedy
            )
        self._tell()

    def _path(self, key: str, suffix: str) -> Path:
        return self._folder / f"{key}.{suffix}"


def _collecting(view: LessonView) -> LessonView:
    """The view of a lesson that collects again, with the photos of *view*.

    After a deck was learnt, those are none.
    """
    return LessonView(LessonState.COLLECTING, view.real, view.fake)


def check_room(view: LessonView, *, is_fake: bool) -> None:
    """Refuse one more photo if the lesson cannot take it.

    Raises:
        Malformed: If a deck is being learnt, or there are enough photos of this kind.
    """
    if view.state is LessonState.LEARNING:
        raise Malformed(say("a deck is being learnt already; wait for it"))
    kept = _collecting(view)
    if len(kept.fake if is_fake else kept.real) >= PHOTOS_MAX:
        raise Malformed(
            say(
                "expected at most {most} photos of each kind, got one more; leave "
                "one out first",
                most=PHOTOS_MAX,
            )
        )
