"""Learn a deck for the panel: collect photos, learn in a thread, keep the deck.

Meanwhile the photos are on disk, cropped to their print: a small computer has no memory
for ten whole photos.
"""

from __future__ import annotations

import logging
import secrets
import shutil
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from companion.errors import DeviceFault, Malformed
from companion.examining import (
    PHOTOS_MAX,
    PHOTOS_MIN,
    UNSORTED_MAX,
    UNSORTED_MIN,
    DeckCard,
    LessonState,
    LessonView,
)
from companion.files import content_of
from companion.words import say
from companion.words.names import tidy_name
from hardware.photos.deck_folder import PICTURE_BYTES_MAX, DeckFolder
from hardware.photos.one_at_a_time import OneAtATime, in_background

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from companion.decoder import Learnt, Sorted

log = logging.getLogger(__name__)


class PhotoLessons:
    """Implements ``companion.examining.Lessons`` with photos in a folder.

    Args:
        decks: Keeps the learnt deck.
        one_at_a_time: The queue of all heavy work.
        folder: The folder of photos, which is emptied now.
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
        # Both below are guarded by _lock. What was sorted waits for the answer.
        self._view = LessonView(LessonState.COLLECTING)
        self._sorted: Sorted | None = None
        shutil.rmtree(folder, ignore_errors=True)

    def view(self) -> LessonView:
        """Return the state of the lesson."""
        with self._lock:
            return self._view

    def add(self, photo: BinaryIO, *, is_fake: bool | None, sender: str = "") -> None:
        """Keep a photo for the lesson."""
        from hardware.photos.lesson_photo import cut_out
        from hardware.photos.photo import read_photo

        check_room(self.view(), is_fake=is_fake)
        with self._one_at_a_time.turn(sender, is_seated=True) as check:
            crop, preview = cut_out(read_photo(photo.read(), check), check)
        key = secrets.token_urlsafe(9)
        self._write(key, "png", crop)
        self._write(key, "jpg", preview)
        with self._lock:
            # Another phone may have filled the last place meanwhile.
            check_room(self._view, is_fake=is_fake)
            view = self._collect_again()
            if is_fake is None:
                self._view = replace(view, unsorted=(*view.unsorted, key))
            elif is_fake:
                self._view = replace(view, fake=(*view.fake, key))
            else:
                self._view = replace(view, real=(*view.real, key))
        self._tell()

    def drop(self, key: str) -> None:
        """Remove a photo from the lesson."""
        with self._lock:
            if self._view.state is LessonState.LEARNING:
                return
            is_kept = key in self._view.photos
            view = self._collect_again()
            self._view = replace(
                view,
                unsorted=tuple(kept for kept in view.unsorted if kept != key),
                real=tuple(kept for kept in view.real if kept != key),
                fake=tuple(kept for kept in view.fake if kept != key),
            )
        if is_kept:
            for suffix in ("png", "jpg"):
                self._path(key, suffix).unlink(missing_ok=True)
        self._tell()

    def photo(self, key: str) -> bytes | None:
        """Read the picture of a photo or a face of the lesson."""
        view = self.view()
        if key not in (*view.photos, *view.faces):
            return None
        try:
            return content_of(self._path(key, "jpg"), PICTURE_BYTES_MAX)
        except OSError:
            return None

    def begin(self, name: str) -> None:
        """Start to learn in the background."""
        self._decks.key_for(name)
        with self._lock:
            if self._view.state is LessonState.LEARNING:
                raise Malformed(say("a deck is being learnt already; wait for it"))
            check_enough(self._collect_again())
            card = DeckCard("", tidy_name(name), is_chosen=False)
            self._view = self._learning(replace(self._view, deck=card))
        self._tell()
        in_background("lesson", self._learn, self._refuse)

    def answer(self, face: str) -> None:
        """Make the deck in which this face wears the mask."""
        with self._lock:
            view, kinds = self._view, self._sorted
            if face not in view.faces or kinds is None:
                return
            self._view, self._sorted = self._learning(view), None
            masked = view.faces.index(face)
        self._tell()
        in_background("lesson", lambda: self._finish(kinds, masked), self._refuse)

    def start_over(self) -> None:
        """Forget all photos."""
        with self._lock:
            if self._view.state is LessonState.LEARNING:
                return
            self._view = LessonView(LessonState.COLLECTING)
            self._sorted = None
        shutil.rmtree(self._folder, ignore_errors=True)
        self._tell()

    # The thread that learns.

    def _learn(self) -> None:
        """Learn from sorted photos, or find the two faces in unsorted ones."""
        from companion.decoder import learn, sort_out

        view = self.view()
        assert view.deck is not None, "begin names the deck"
        with self._one_at_a_time.turn(wait_s=-1):
            photos = self._unpacked(view.photos)
            if view.unsorted:
                self._step(say("looking for the two kinds of notes"))
                self._ask(sort_out(photos, view.deck.name))
                return
            self._step(say("looking for the face that all photos show"))
            count = len(view.real)
            self._keep(learn(photos[:count], photos[count:], view.deck.name))

    def _unpacked(self, keys: tuple[str, ...]) -> list[NDArray[np.uint8]]:
        """Unpack the cropped photos, and show how far this has come."""
        from hardware.photos.photo import read_photo_file

        photos = []
        for number, key in enumerate(keys, 1):
            self._step(
                say(
                    "unpacking photo {number} of {count}",
                    number=number,
                    count=len(keys),
                )
            )
            photos.append(read_photo_file(self._path(key, "png")))
        return photos

    def _ask(self, kinds: Sorted) -> None:
        from companion.decoder.ink import on_paper
        from hardware.photos.examine import jpeg

        faces = tuple(secrets.token_urlsafe(9) for _ in kinds.faces)
        for key, picture in zip(faces, kinds.faces, strict=True):
            self._write(key, "jpg", jpeg(on_paper(picture)))
        with self._lock:
            kind_of = dict(zip(self._view.unsorted, kinds.kinds, strict=True))
            shown_by = (
                tuple(key for key, kind in kind_of.items() if kind == number)
                for number in (0, 1)
            )
            self._sorted = kinds
            self._view = replace(
                self._view,
                state=LessonState.ASKING,
                faces=faces,
                shown_by=tuple(shown_by),
                left_out=kinds.left_out,
            )
        self._tell()

    def _finish(self, kinds: Sorted, masked: int) -> None:
        """Make the deck from unsorted photos; *masked* is the face with the mask."""
        with self._one_at_a_time.turn(wait_s=-1):
            self._step(say("making the deck"))
            self._keep(kinds.learnt(masked))

    def _keep(self, learnt: Learnt) -> None:
        """Keep and choose the deck, and forget the photos."""
        from hardware.photos.examine import jpeg
        from hardware.photos.learn_photos import lesson_of

        lesson = lesson_of(learnt)
        name = lesson.facts["name"]
        card = self._decks.keep(name, lesson.content, jpeg(lesson.picture))
        self._decks.choose(card.key)
        with self._lock:
            self._view = LessonView(
                LessonState.LEARNT,
                deck=replace(card, is_chosen=True),
                left_out=learnt.left_out,
                right_count=learnt.right_count,
                photos_count=learnt.photos_count,
            )
        shutil.rmtree(self._folder, ignore_errors=True)
        self._tell()

    def _step(self, words: str) -> None:
        with self._lock:
            self._view = replace(self._view, step=words)
        self._tell()

    def _refuse(self, why: str, remedy: str) -> None:
        with self._lock:
            self._view = replace(
                self._view, state=LessonState.REFUSED, step=why, remedy=remedy
            )
        self._tell()

    # Called with the lock held:

    def _collect_again(self) -> LessonView:
        """Go back to collecting, with the same photos."""
        view, self._sorted = self._view, None
        self._view = LessonView(
            LessonState.COLLECTING,
            real=view.real,
            fake=view.fake,
            unsorted=view.unsorted,
        )
        return self._view

    @staticmethod
    def _learning(view: LessonView) -> LessonView:
        """Return the view of the same photos waiting for their turn."""
        return LessonView(
            LessonState.LEARNING,
            real=view.real,
            fake=view.fake,
            unsorted=view.unsorted,
            step=say("waiting for its turn"),
            deck=view.deck,
        )

    def _write(self, key: str, suffix: str, content: bytes) -> None:
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            self._path(key, suffix).write_bytes(content)
        except OSError as error:
            log.warning("photo_not_kept error=%s", error)
            raise DeviceFault(
                say("the table could not keep the photo"),
                say("free some space on the table's disk"),
            ) from error

    def _path(self, key: str, suffix: str) -> Path:
        return self._folder / f"{key}.{suffix}"


def check_room(view: LessonView, *, is_fake: bool | None) -> None:
    """Refuse a photo for which the lesson has no room.

    Raises:
        Malformed: If a deck is being learnt, there are enough photos of this kind, or
            sorted and unsorted photos would be mixed.
    """
    if view.state is LessonState.LEARNING:
        raise Malformed(say("a deck is being learnt already; wait for it"))
    if is_fake is None:
        others, same = (*view.real, *view.fake), view.unsorted
        most = UNSORTED_MAX
    else:
        others, same = view.unsorted, view.fake if is_fake else view.real
        most = PHOTOS_MAX
    if others:
        raise Malformed(
            say("a lesson has photos that are sorted, or that are not"),
            say("go on as you began, or start over"),
        )
    if len(same) >= most:
        raise Malformed(
            say("there are {most} photos already", most=most),
            say("leave one out first"),
        )


def check_enough(view: LessonView) -> None:
    """Raise ``Malformed`` if there are too few photos to begin."""
    if view.is_enough:
        return
    if not view.photos:  # For example, a restart of the table forgot them.
        raise Malformed(
            say("there are no photos to learn from"),
            say("photograph six to ten notes first"),
        )
    if view.unsorted:
        raise Malformed(
            say(
                "{least} to {most} photos are needed; there are {count}",
                least=UNSORTED_MIN,
                most=UNSORTED_MAX,
                count=len(view.unsorted),
            ),
            say("add some"),
        )
    raise Malformed(
        say(
            "{least} to {most} photos each of real and of fake notes are "
            "needed; there are {real} and {fake}",
            least=PHOTOS_MIN,
            most=PHOTOS_MAX,
            real=len(view.real),
            fake=len(view.fake),
        ),
        say("add some"),
    )
