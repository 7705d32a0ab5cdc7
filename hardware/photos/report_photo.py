"""One file about a print of which no deck can be learnt, to look at and to mail.

It is a PNG of the lines only, with what was measured in its one text chunk. Nothing
else of the photo's file gets into it: neither place, time nor camera.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path

from PIL import Image
from PIL.PngImagePlugin import PngInfo

from companion.decoder.report import LinesReport, lines_of
from companion.errors import Malformed
from hardware.photos.photo import read_photo_file

TEXT_KEY = "Description"
"""The PNG standard's own keyword for what a picture shows; viewers list it."""


def clearest(paths: Sequence[Path]) -> tuple[Path, LinesReport]:
    """Return the photo that shows the most lines, and these.

    Raises:
        Malformed: If no photo shows any, or one cannot be read.
    """
    found: list[tuple[Path, LinesReport]] = []
    refused: list[Malformed] = []
    for path in paths:
        pixels = read_photo_file(path)
        try:
            found.append((path, lines_of(pixels)))
        except Malformed as error:
            refused.append(error)
    if not found:
        raise refused[0]
    return max(found, key=lambda pair: pair[1].cells)


def measured(report: LinesReport) -> str:
    """Return what the text chunk says: each measure by name, and the version."""
    return (
        f"pixels_per_line={report.pixels_per_line:.2f} "
        f"angle_deg={report.angle_deg:.1f} amplitude={report.amplitude:.1f} "
        f"coherence={report.coherence:.3f} rarer_share={report.rarer_share:.3f} "
        f"version={version('table-companion')}"
    )


def png_of(report: LinesReport) -> bytes:
    """Return the file: the picture, and what was measured."""
    text = PngInfo()
    text.add_text(TEXT_KEY, measured(report))
    file = io.BytesIO()
    Image.fromarray(report.picture[:, :, ::-1]).save(file, "PNG", pnginfo=text)
    return file.getvalue()
