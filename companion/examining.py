"""What looking at notes gives, and the ports of whoever looks and whoever learns.

Pages and screens talk to these; which eyes are behind them they cannot tell. Pictures
are JPEG already: nobody who shows them needs to know what a pixel is.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import Protocol

from companion.ports import CameraHealth

REAL, FAKE, UNSURE = "real", "fake", "unsure"

PHOTOS_MIN, PHOTOS_MAX = 2, 5
"""Photos of each kind that a deck is learnt from."""

DECK_NAME_MAX = 24
"""Letters in the name of a deck."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What one print in a picture says.

    Attributes:
        verdict: ``REAL``, ``FAKE`` or ``UNSURE``.
        percent: How sure that is, 0 to 99; 0 where it is unsure.
        reason: A sentence that says why it is unsure; else empty.
        pixels_per_line: How finely the picture shows the print; ``None`` without one.
        pictures: JPEG by name: ``seen``, ``hidden``, ``face``, those that there are.
    """

    verdict: str
    percent: int
    reason: str
    pixels_per_line: float | None
    pictures: dict[str, bytes]


@dataclass(frozen=True, slots=True)
class Examination:
    """One look at one picture.

    Attributes:
        key: By which it is found again; nobody guesses it.
        deck: Name of the deck that it was read with.
        findings: The sure ones, or else the clearest unsure one; never empty.
        advice: What would make an unsure one sure, the most useful first.
        frame: The whole picture with what was found outlined, JPEG.
        took_ms: How long the reading took.
        has_lens: What shows plainly counted.
    """

    key: str
    deck: str
    findings: tuple[Finding, ...]
    advice: tuple[str, ...]
    frame: bytes
    took_ms: int
    has_lens: bool = False

    @property
    def verdict(self) -> str:
        """``FAKE`` if one is, else ``REAL`` if one is, else ``UNSURE``."""
        verdicts = {finding.verdict for finding in self.findings}
        return next((v for v in (FAKE, REAL) if v in verdicts), UNSURE)


class Busy(Exception):
    """Somebody else's picture is being looked at; ask again soon."""


class Examiner(Protocol):
    """Looks at notes, one picture at a time, however many ask."""

    def examine(self, photo: bytes, *, has_lens: bool = False) -> Examination:
        """Look at a photo that somebody sent.

        Args:
            photo: The whole file, as it came.
            has_lens: The plastic lens or a film lies on the note: what shows plainly
                counts.

        Raises:
            Malformed: If it is no photo, or none that can be read.
            Busy: If too many wait already.
        """

    def look(self, *, has_lens: bool = False) -> Examination:
        """Look through the table's own camera.

        Args:
            has_lens: As for ``examine``.

        Raises:
            DeviceFault: If it is missing, busy, unplugged or sends nothing.
            Busy: If too many wait already.
        """

    def camera_health(self) -> CameraHealth | None:
        """How the table's camera is; ``None`` where there is none."""

    def found(self, key: str) -> Examination | None:
        """One of the latest looks; ``None`` once it was forgotten."""

    def show(self, key: str) -> bool:
        """Put a look on the table's screen for a while; false if it was forgotten."""

    def shown(self) -> Examination | None:
        """What the table's screen shows."""

    def put_away(self) -> None:
        """Take it off the table's screen."""


@dataclass(frozen=True, slots=True)
class DeckCard:
    """A deck as a page lists it.

    Attributes:
        key: Its file's name, without suffix.
        name: As its owner calls it.
        is_chosen: Notes are read with it.
        is_built_in: It cannot be forgotten.
    """

    key: str
    name: str
    is_chosen: bool
    is_built_in: bool = False


class Decks(Protocol):
    """The decks of this table."""

    def cards(self) -> tuple[DeckCard, ...]:
        """All of them, the built-in one first."""

    def choose(self, key: str) -> None:
        """Read with this deck from now on.

        Raises:
            Malformed: If there is no such deck.
            DeviceFault: If it cannot be written down.
        """

    def forget(self, key: str) -> None:
        """Throw a learnt deck away.

        Raises:
            Malformed: If there is no such deck, or it is built in.
            DeviceFault: If that cannot be written down.
        """

    def picture(self, key: str) -> bytes | None:
        """The faces that it knows, as JPEG; ``None`` if nobody kept them."""


class LessonState(enum.StrEnum):
    """How far learning is."""

    COLLECTING = "collecting"  # Photos are wanted, or enough to begin.
    LEARNING = "learning"  # In a thread of its own; photos cannot be changed.
    LEARNT = "learnt"  # The deck is kept; the next photo begins another lesson.
    REFUSED = "refused"  # The photos did not suffice; change them and try again.


@dataclass(frozen=True, slots=True)
class LessonView:
    """A lesson as a page shows it.

    Attributes:
        real, fake: Keys of the photos, in the order in which they came.
        step: What is being done, while it learns; what is wrong, if refused.
        remedy: What to do about it.
        deck: The deck that was learnt, or is being learnt.
        right_count, photos_count: Of how many photos were read right unseen.
    """

    state: LessonState
    real: tuple[str, ...] = ()
    fake: tuple[str, ...] = ()
    step: str = ""
    remedy: str = ""
    deck: DeckCard | None = None
    right_count: int = 0
    photos_count: int = 0

    @property
    def is_enough(self) -> bool:
        """Whether learning may begin."""
        return min(len(self.real), len(self.fake)) >= PHOTOS_MIN


class Lessons(Protocol):
    """Where a deck is learnt from photos; one lesson at a time."""

    def view(self) -> LessonView:
        """How it stands."""

    def add(self, photo: bytes, *, is_fake: bool) -> None:
        """Keep a photo for the lesson.

        Raises:
            Malformed: If it is no photo, shows no scrambled print, or is one too many.
            DeviceFault: If it cannot be kept.
            Busy: If too many wait already.
        """

    def drop(self, key: str) -> None:
        """Leave a photo out again; harmless if it is gone."""

    def photo(self, key: str) -> bytes | None:
        """A small picture of a photo that was kept, JPEG."""

    def begin(self, name: str) -> None:
        """Learn in the background.

        Raises:
            Malformed: If photos are missing, or the name will not do.
        """

    def start_over(self) -> None:
        """Forget all photos; harmless while there are none."""


@dataclass(frozen=True, slots=True)
class DecoderService:
    """Everything about notes that pages talk to."""

    examiner: Examiner
    decks: Decks
    lessons: Lessons
