"""The interfaces through which pages tell real notes from fake ones.

A note carries a *scrambled print*, whose lines hide a face until a plastic *lens* or a
printed film lies on it. A *deck* knows which faces are on real and on fake notes; a
*lesson* learns a deck from photos. All pictures are JPEGs, so code that shows them
needs no image library.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import BinaryIO, Protocol

from companion.ports import CameraHealth

REAL, FAKE, UNSURE = "real", "fake", "unsure"
"""The verdicts on a note."""

PHOTOS_MIN, PHOTOS_MAX = 2, 5
"""How many photos of real notes a deck is learnt from, and how many of fake ones."""

UNSORTED_MIN, UNSORTED_MAX = 6, 10
"""How many photos it takes if nobody has said which notes are real."""


@dataclass(frozen=True, slots=True)
class Finding:
    """The verdict on one scrambled print in a picture.

    Attributes:
        verdict: ``REAL``, ``FAKE`` or ``UNSURE``.
        percent: How sure the verdict is, 0 to 99; 0 for ``UNSURE``.
        reason: Why the verdict is ``UNSURE``, as a sentence; otherwise empty.
        pixels_per_line: The picture's resolution; ``None`` if it shows no print.
        pictures: JPEGs by name: any of ``seen``, ``hidden`` and ``face``.
        value: The value of a note of our own print; 0 if unknown.
        cause: *reason* as a short name for the log.
    """

    verdict: str
    percent: int
    reason: str
    pixels_per_line: float | None
    pictures: dict[str, bytes]
    value: int = 0
    cause: str = ""


@dataclass(frozen=True, slots=True)
class Examination:
    """One look at one picture.

    Attributes:
        key: The secret id by which ``Examiner.found`` finds it again.
        deck: The name of the deck that the picture was read with.
        findings: All sure findings, or else the clearest unsure one; never empty.
        advice: How to get a sure result, the most useful advice first.
        frame: The whole picture with the prints outlined.
        took_ms: How long the reading took.
        has_lens: Whether a lens or film lay on the note, so that visible faces count.
        deck_key: The key of the deck.
        can_teach: Whether the photo can be added to the deck: it shows one print
            without a lens, and the deck remembers the photos it was learnt from.
        about: The purpose, as the caller named it; usually empty.
    """

    key: str
    deck: str
    findings: tuple[Finding, ...]
    advice: tuple[str, ...]
    frame: bytes
    took_ms: int
    has_lens: bool = False
    deck_key: str = ""
    can_teach: bool = False
    about: str = ""

    @property
    def verdict(self) -> str:
        """``FAKE`` if any finding is, else ``REAL`` if any is, else ``UNSURE``."""
        verdicts = {finding.verdict for finding in self.findings}
        return next((v for v in (FAKE, REAL) if v in verdicts), UNSURE)

    @property
    def log_line(self) -> str:
        """The line for the log."""
        cause = self.findings[0].cause if self.verdict == UNSURE else ""
        verdict = f"{self.verdict} reason={cause}" if cause else self.verdict
        return f"examined verdict={verdict} deck={self.deck!r} took_ms={self.took_ms}"


@dataclass(frozen=True, slots=True)
class Asker:
    """Who asks for an examination, and for what.

    Attributes:
        address: The network address that asks; each may use only its share of places.
        is_seated: Whether a phone of the game on the table asks. Such phones go first,
            and no other phone's examination displaces theirs.
        about: Copied to ``Examination.about``; examinations for one purpose are kept
            apart from others.
    """

    address: str = ""
    is_seated: bool = False
    about: str = ""


STRANGER = Asker()
"""The asker of whom nothing is known."""


class Busy(Exception):
    """Too many pictures are being examined; ask again soon."""


class Examiner(Protocol):
    """Examines notes, one picture at a time, however many phones ask."""

    def examine(
        self, photo: BinaryIO, asker: Asker = STRANGER, *, has_lens: bool = False
    ) -> Examination:
        """Examine a photo that somebody sent.

        Args:
            photo: The open file; read only once its turn has come, because all waiting
                photos together would take much memory.
            asker: Who sent it, and for what.
            has_lens: As for ``Examination``.

        Raises:
            Malformed: If *photo* is no photo, or cannot be read.
            Busy: If too many wait, or this sender has more waiting than others.
        """

    def look(self, asker: Asker = STRANGER, *, has_lens: bool = False) -> Examination:
        """Examine a picture of the table's own camera; arguments as for ``examine``.

        Raises:
            DeviceFault: If the camera is missing, busy, unplugged or sends nothing.
            Busy: As for ``examine``.
        """

    def glance(self, asker: Asker = STRANGER) -> Examination:
        """Examine a picture of the table's own camera, as one of a live series.

        Unsure results are forgotten after a few more glances, so that a series does
        not displace other examinations.

        Raises:
            DeviceFault: As for ``look``.
            Busy: As for ``examine``.
        """

    def camera_health(self) -> CameraHealth | None:
        """Return the state of the table's camera; ``None`` if it has none."""

    def found(self, key: str) -> Examination | None:
        """Return an examination by its key; ``None`` once it was forgotten."""

    def show(self, key: str) -> bool:
        """Show an examination on the table's screen; return false if forgotten."""

    def shown(self) -> Examination | None:
        """Return the examination on the table's screen; ``None`` if there is none."""

    def put_away(self) -> None:
        """Take the examination off the table's screen."""

    def give_up(self) -> None:
        """End every examination soon and begin no more: the program ends."""


@dataclass(frozen=True, slots=True)
class DeckCard:
    """A deck as a page lists it.

    Attributes:
        key: Its file's name, without suffix.
        name: The name that its owner gave it.
        is_chosen: Whether notes are read with this deck.
        is_built_in: Whether it comes with the program, and cannot be deleted.
        is_damaged: Whether it is chosen but unreadable, so that the built-in deck is
            used.
    """

    key: str
    name: str
    is_chosen: bool
    is_built_in: bool = False
    is_damaged: bool = False


class Decks(Protocol):
    """The decks of this table, of which one is used."""

    def cards(self) -> tuple[DeckCard, ...]:
        """Return all decks, the built-in one first."""

    def choose(self, key: str) -> None:
        """Read with this deck from now on.

        Raises:
            Malformed: If there is no such deck.
            DeviceFault: If the choice cannot be saved.
        """

    def forget(self, key: str) -> None:
        """Delete a learnt deck.

        Raises:
            Malformed: If there is no such deck, or it is built in.
            DeviceFault: If the change cannot be saved.
        """

    def picture(self, key: str) -> bytes | None:
        """Return the faces of a deck as a JPEG; ``None`` if it has no picture."""

    def face(self, key: str, *, is_masked: bool) -> bytes | None:
        """Return a face of a learnt deck as a JPEG; ``None`` without such a deck."""

    def file(self, key: str) -> bytes | None:
        """Return a learnt deck as a file for other tables; ``None`` without one."""

    def take_in(self, file: BinaryIO, name: str = "", *, sender: str = "") -> DeckCard:
        """Store a deck that another table saved.

        Args:
            file: As for ``Examiner.examine``.
            name: The deck's new name; empty to keep the name in the file.
            sender: As for ``Examiner.examine``.

        Raises:
            Malformed: If it is no deck, or the name is not allowed or taken.
            DeviceFault: If the deck cannot be saved.
            Busy: As for ``Examiner.examine``.
        """


class LessonState(enum.StrEnum):
    """How far a lesson has come."""

    COLLECTING = "collecting"  # Photos can be added or removed.
    LEARNING = "learning"  # In a thread of its own; photos cannot be changed.
    ASKING = "asking"  # Unsorted photos show two faces: which one wears the mask?
    LEARNT = "learnt"  # The deck is in use; the next photo begins another lesson.
    REFUSED = "refused"  # The photos did not suffice; change them and try again.


@dataclass(frozen=True, slots=True)
class LessonView:
    """A lesson as a page shows it.

    Attributes:
        real, fake: Keys of the photos, in the order in which they came.
        unsorted: Keys of photos of notes that nobody has called real or fake. A lesson
            has either these photos or sorted ones.
        faces: While asking, keys of the pictures of the two faces, for ``photo``.
        shown_by: While asking, the keys of the photos that show each face.
        left_out: For each photo that was not used, a sentence that says why.
        step: While learning, what is being done; if refused, why.
        remedy: What to do about a refusal.
        deck: The deck that was or is being learnt.
        right_count: How many photos a deck learnt without them read correctly.
        photos_count: How many photos were tried in this way.
    """

    state: LessonState
    real: tuple[str, ...] = ()
    fake: tuple[str, ...] = ()
    unsorted: tuple[str, ...] = ()
    faces: tuple[str, ...] = ()
    shown_by: tuple[tuple[str, ...], ...] = ()
    left_out: tuple[str, ...] = ()
    step: str = ""
    remedy: str = ""
    deck: DeckCard | None = None
    right_count: int = 0
    photos_count: int = 0

    @property
    def photos(self) -> tuple[str, ...]:
        """The keys of all photos."""
        return (*self.unsorted, *self.real, *self.fake)

    @property
    def is_enough(self) -> bool:
        """Whether there are enough photos to begin learning."""
        if self.unsorted:
            return len(self.unsorted) >= UNSORTED_MIN
        return min(len(self.real), len(self.fake)) >= PHOTOS_MIN


class Lessons(Protocol):
    """Learns decks from photos, one lesson at a time."""

    def view(self) -> LessonView:
        """Return the current lesson."""

    def add(self, photo: BinaryIO, *, is_fake: bool | None, sender: str = "") -> None:
        """Add a photo to the lesson.

        Args:
            photo: As for ``Examiner.examine``.
            is_fake: Whether its note is fake; ``None`` if nobody has said.
            sender: As for ``Examiner.examine``.

        Raises:
            Malformed: If it is no photo, shows no scrambled print or is one too many,
                or if the lesson has sorted photos and this one is unsorted.
            DeviceFault: If the photo cannot be saved.
            Busy: As for ``Examiner.examine``.
        """

    def drop(self, key: str) -> None:
        """Remove a photo from the lesson, if it is still there."""

    def photo(self, key: str) -> bytes | None:
        """Return a small JPEG of a photo, or a large one of a face, if still kept."""

    def begin(self, name: str) -> None:
        """Start to learn a deck in the background, and then use it.

        Raises:
            Malformed: If photos are missing, or the name is not allowed.
        """

    def answer(self, face: str) -> None:
        """Finish the deck, given the key of the face that wears the mask.

        Raises:
            Malformed: If the lesson does not ask that now.
        """

    def start_over(self) -> None:
        """Delete all photos, if there are any."""


class GrowthState(enum.StrEnum):
    """The state of adding a photo to a deck."""

    GROWING = "growing"  # In a thread of its own.
    GROWN = "grown"
    UNCHANGED = "unchanged"  # The deck stays as it was.


@dataclass(frozen=True, slots=True)
class Growth:
    """How far adding a photo to a deck has come.

    Attributes:
        photos_count: How many photos the deck has now, if it has grown.
        why: Why the deck is unchanged.
        remedy: What to do about that.
    """

    state: GrowthState
    photos_count: int = 0
    why: str = ""
    remedy: str = ""


class Growing(Protocol):
    """Adds photos to learnt decks, once the lens has shown which notes are fake."""

    def begin(self, key: str, *, is_fake: bool) -> None:
        """Start to add an examination's photo to its deck, unless this was begun.

        Raises:
            Malformed: If the photo or the deck was deleted.
        """

    def of(self, key: str) -> Growth | None:
        """Return the state for an examination's photo; ``None`` if not begun."""


@dataclass(frozen=True, slots=True)
class DecoderService:
    """All these interfaces together."""

    examiner: Examiner
    decks: Decks
    lessons: Lessons
    growing: Growing
