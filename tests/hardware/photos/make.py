"""Draw the HEIC photos of the tests, as phones pack theirs: in tiles.

Our own drawing. What reads HEIC here cannot write it, so they were made once, in a
virtual environment of their own:

    pip install pillow-heif==1.8.1
    python tests/hardware/photos/make.py
"""

from __future__ import annotations

from pathlib import Path

import pillow_heif
from PIL import Image

HERE = Path(__file__).parent
FAKE = HERE.parents[1] / "decoder/golden/fake.jpg"
ORIENTATION_TAG, QUARTER_CLOCKWISE = 0x0112, 6


def corners(width: int, height: int) -> Image.Image:
    """Red and green above, blue and white below."""
    image = Image.new("RGB", (width, height), "red")
    image.paste("lime", (width // 2, 0, width, height // 2))
    image.paste("blue", (0, height // 2, width // 2, height))
    image.paste("white", (width // 2, height // 2, width, height))
    return image


if __name__ == "__main__":
    pillow_heif.register_heif_opener()
    # As an iPhone held upright: to be turned by the file, and by its EXIF as well.
    exif = Image.Exif()
    exif[ORIENTATION_TAG] = QUARTER_CLOCKWISE
    turned, note = corners(192, 128), Image.open(FAKE)
    for image in (turned, note):
        image.info["exif"] = exif.tobytes()
    turned.info["thumbnails"] = [64]
    turned.save(HERE / "turned.heic", quality=60, tile_size=64)
    note.save(HERE / "fake-note.heic", quality=20, tile_size=256)
    # The 24 megapixels of an iPhone.
    corners(5712, 4284).save(HERE / "large.heic", quality=30, tile_size=1024)
