"""Write a PNG about a print from which no deck can be learnt, to mail it to us.

It holds only the lines of the print and, in its one text chunk, their measures: nothing
tells the photo's place, time or camera.
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
