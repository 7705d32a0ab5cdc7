"""Learn a deck from photo files, or write a PNG of a print that cannot be learnt.

That PNG is for people to mail to us. It holds only the lines of the print and, in its
one text chunk, their measures: nothing tells the photo's place, time or camera.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import TypedDict

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from PIL.PngImagePlugin import PngInfo

from companion.decoder import Learnt, Sorted, learn, save_deck, sort_out
from companion.decoder.ink import on_paper
from companion.decoder.learn import ADVICE, PHOTOS_MAX, PHOTOS_MIN
from companion.decoder.report import LinesReport, lines_of
from companion.errors import Malformed
from companion.examining import UNSORTED_MAX, UNSORTED_MIN
from hardware.photos.photo import read_photo_file

Pixels = NDArray[np.uint8]


class DeckFacts(TypedDict):
    """Facts about a learnt deck, as they are written in JSON."""

    name: str
    photos_count: int
    right_count: int
    shift: float
    face_height_lines: float
    left_out: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Lesson:
    """A learnt deck.

    Attributes:
        content: The bytes of the deck file.
        picture: (rows, columns, 3) uint8 BGR: the plain face, the masked face, and
            their difference.
    """

    content: bytes
    picture: Pixels
    facts: DeckFacts


def learn_files(real: Sequence[Path], fake: Sequence[Path], name: str) -> Lesson:
    """Learn a deck from 2 to 5 photos each of its real and of its fake notes.

    Raises:
        Malformed: If a photo cannot be read or the photos do not suffice.
    """
    for label, paths in (("real", real), ("fake", fake)):
        if not PHOTOS_MIN <= len(paths) <= PHOTOS_MAX:  # Checked before unpacking them.
            raise Malformed(
                f"expected {PHOTOS_MIN} to {PHOTOS_MAX} photos of {label} notes, got "
                f"{len(paths)}",
                ADVICE,
            )
    photos = [[read_photo_file(path) for path in paths] for paths in (real, fake)]
    return lesson_of(learn(photos[0], photos[1], name))


def sorted_files(paths: Sequence[Path], name: str) -> Sorted:
    """Find the two kinds of notes in 6 to 10 photos of one note each.

    Raises:
        Malformed: If a photo cannot be read or the photos do not suffice.
    """
    if not UNSORTED_MIN <= len(paths) <= UNSORTED_MAX:  # Checked before unpacking them.
        raise Malformed(
            f"expected {UNSORTED_MIN} to {UNSORTED_MAX} photos of notes, real and "
            f"fake, got {len(paths)}",
            ADVICE,
        )
    return sort_out([read_photo_file(path) for path in paths], name)


def lesson_of(learnt: Learnt) -> Lesson:
    """Build the lesson of a learnt deck."""
    deck = learnt.deck
    facts = DeckFacts(
        name=deck.name,
        photos_count=learnt.photos_count,
        right_count=learnt.right_count,
        shift=round(deck.shift, 3),
        face_height_lines=round(deck.face_height_lines, 1),
        left_out=tuple(map(str, learnt.left_out)),
    )
    return Lesson(save_deck(deck), on_paper(learnt.picture), facts)


TEXT_KEY = "Description"
"""The PNG standard's keyword for a description of the picture; viewers list it."""


def clearest(paths: Sequence[Path]) -> tuple[Path, LinesReport]:
    """Find the photo that shows the most lines; return it with its lines.

    Raises:
        Malformed: If no photo shows any lines, or one cannot be read.
    """
    reports: list[tuple[Path, LinesReport]] = []
    refusals: list[Malformed] = []
    for path in paths:
        pixels = read_photo_file(path)
        try:
            reports.append((path, lines_of(pixels)))
        except Malformed as error:
            refusals.append(error)
    if not reports:
        raise refusals[0]
    return max(reports, key=lambda pair: pair[1].cells)


def measured(report: LinesReport) -> str:
    """Return the text chunk: each measure by name, and the version."""
    return (
        f"pixels_per_line={report.pixels_per_line:.2f} "
        f"angle_deg={report.angle_deg:.1f} amplitude={report.amplitude:.1f} "
        f"coherence={report.coherence:.3f} rarer_share={report.rarer_share:.3f} "
        f"version={version('table-companion')}"
    )


def png_of(report: LinesReport) -> bytes:
    """Encode the file: the picture, and its measures."""
    text = PngInfo()
    text.add_text(TEXT_KEY, measured(report))
    file = io.BytesIO()
    Image.fromarray(report.picture[:, :, ::-1]).save(file, "PNG", pnginfo=text)
    return file.getvalue()
