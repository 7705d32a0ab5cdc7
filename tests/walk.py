"""The README's walk, run as it stands there: print, photograph, decode."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

ROOT = Path(__file__).resolve().parents[1]
README = ROOT / "README.md"
PICTURE = ROOT / "companion" / "decoder" / "pictures" / "walk.jpg"
HEIGHT, GAP, PAPER = 300, 12, (227, 244, 250)

Picture = NDArray[np.uint8]


def lines() -> list[str]:
    """Return the commands of the section, without the setting up."""
    section = README.read_text(encoding="utf-8").split("## Is it real?")[1]
    block = re.findall(r"^```sh\n(.*?)^```", section, re.DOTALL | re.MULTILINE)[1]
    return [line for line in block.splitlines() if line.strip()]


def walk(folder: Path) -> list[str]:
    """Run each line in *folder*; what they print."""
    printed = []
    for line in lines():
        program, *words = line.split()
        module = {"companion": ["-m", "cli"], "python": []}[program]
        done = subprocess.run(
            [sys.executable, *module, *words],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        printed.append(done.stdout)
    return printed


def draw(folder: Path, out: Path = PICTURE) -> None:
    """Draw what a walk in *folder* made, side by side, as one small picture."""
    photo = _read(folder / "photo.jpg")
    shown = [
        photo,
        *(_read(folder / f"why/photo-1-{x}.png") for x in ("hidden", "face")),
    ]
    strip = []
    for picture in shown:
        width = round(picture.shape[1] * HEIGHT / picture.shape[0])
        small = cv2.resize(picture, (width, HEIGHT), interpolation=cv2.INTER_AREA)
        strip += [small, np.full((HEIGHT, GAP, 3), PAPER, np.uint8)]
    row = np.concatenate(strip[:-1], axis=1)
    cv2.imwrite(str(out), row, [cv2.IMWRITE_JPEG_QUALITY, 80])


def _read(path: Path) -> Picture:
    picture = cv2.imread(str(path))
    assert picture is not None, path
    return np.asarray(picture, np.uint8)
