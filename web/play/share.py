"""The picture of an ending to share: who won, with what, how it went, everybody.

Pillow draws it, as it reads our own fonts as they are served; whoever wants a picture
imports this, and only then is Pillow loaded. A name in another script is written in a
font of the machine that has all of its letters; where there is none, the name of its
token stands for it, so that nobody's name is a row of boxes.
"""

from __future__ import annotations

import io
import threading
import unicodedata
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Final

import msgspec
from msgspec.structs import replace
from PIL import Image, ImageDraw, ImageFont, features

from companion.rules.seats import TOKENS
from companion.views.worth_history import Worths
from web.http.assets import STATIC
from web.play.worth_chart import LOOKS, WorthLine

WIDTH, HEIGHT, FINE = 2400, 1260, 2
"""It is drawn so large, and made smaller in the end: lines get smooth."""

EDGE: Final = 96
"""What is written stays so far away from the left and from the right."""

TOKEN_SIDE: Final = 128
"""Of each token in ``tokens.png``."""

GROUND, DEEP, PAPER, SOFT = "#123c2c", "#07100d", "#faf4e3", "#c3d2c6"
BRASS, RULE = "#d3a94b", "#2f4a3f"

DISPLAY: Final = "table-display.woff2"
TEXT: Final = "barlow-condensed.woff2"
FIGURES: Final = "table-figures.woff2"
MACHINES: Final = (
    *("DejaVuSans-Bold.ttf", "DejaVuSans.ttf", "NotoSans-Bold.ttf"),
    *("NotoSans-Regular.ttf", "FreeSans.ttf", "NotoSansCJK-Regular.ttc"),
    *("DroidSansFallbackFull.ttf", "unifont.otf"),
)
"""Fonts that a machine may have, the nicest first."""

SMALLEST: Final = 34
"""No letters are smaller; what does not fit then ends in three dots."""

MARKS: Final = dict.fromkeys(range(0x2066, 0x206A))
"""Marks around names that run from right to left; they have no glyph."""

CROWN: Final = (
    *((-68, -124), (-84, -196), (-36, -160), (0, -216)),
    *((36, -160), (84, -196), (68, -124)),
)
"""Its corners, as seen from the middle of whoever wears it."""

WINNERS_MAX: Final = 5
"""As many winners are drawn large; more have no room."""


class Sharer(msgspec.Struct, frozen=True):
    """Somebody in the picture; *fallback* is said where no font has all of the name."""

    name: str
    fallback: str
    colour: str
    token: str
    sum: str
    is_winner: bool


class Shared(msgspec.Struct, frozen=True):
    """All that the picture says, in the language of whoever asked for it.

    Attributes:
        title: Says who won; ``{who}`` stands for the winner's name.
        about: What was played.
        when: With which box, where that is not said before, and the day.
        lines: The best of the story.
    """

    title: str
    about: str
    when: str
    people: tuple[Sharer, ...]
    lines: tuple[str, ...]


KEPT_MAX: Final = 16
"""Pictures that are kept in memory; each has some 100 kB."""

_ONE_AT_A_TIME = threading.Lock()
"""A picture takes 10 MB while it is drawn, and all phones ask for it at once."""


def drawn_ending(
    shared: Shared, worths: tuple[Worths, ...], lines: tuple[WorthLine, ...]
) -> bytes:
    """Return the picture as PNG; what says the same is drawn once."""
    with _ONE_AT_A_TIME:
        return _drawn(shared, worths, lines)


@lru_cache(maxsize=KEPT_MAX)
def _drawn(
    shared: Shared, worths: tuple[Worths, ...], lines: tuple[WorthLine, ...]
) -> bytes:
    picture = Image.new("RGB", (WIDTH, HEIGHT), GROUND)
    frame = (32, 32, WIDTH - 32, HEIGHT - 32)
    ImageDraw.Draw(picture).rounded_rectangle(frame, 40, outline=BRASS, width=6)
    _paste(picture, _opened("icon-512.png"), (88, 80), 184)
    _write(picture, shared.about, (312, 144), 76, DISPLAY, BRASS, 1960)
    _write(picture, shared.when, (312, 228), 56, TEXT, SOFT, 1960)
    people = [_writable(one, shared.title) for one in shared.people]
    _winners(picture, shared.title, [one for one in people if one.is_winner])
    told = [text.translate(MARKS) for text in shared.lines]
    size = min((_fitted(text, 64, TEXT, 1320) for text in told), default=SMALLEST)
    for at, text in enumerate(told):
        _write(picture, text, (EDGE, 728 + at * 92), size, TEXT, PAPER, 1320)
    if len(worths) > 1:
        _curve(picture, worths, lines, (1496, 660, 2304, 960))
    _everybody(picture, people)
    out = io.BytesIO()
    small = picture.resize((WIDTH // FINE, HEIGHT // FINE), Image.Resampling.LANCZOS)
    small.save(out, "PNG")
    return out.getvalue()


def _writable(one: Sharer, title: str) -> Sharer:
    """Return *one* under a name that can be written, in the title as well."""
    said = title.replace("{who}", "") + one.name
    return one if font_of(said, DISPLAY, SMALLEST) else replace(one, name=one.fallback)


def _winners(picture: Image.Image, title: str, winners: Sequence[Sharer]) -> None:
    """Draw who won, with crown and fortune."""
    drawn = winners[:WINNERS_MAX]
    for at, one in enumerate(drawn):
        x, y = 224 + at * 264, 500
        _disc(picture, one, (x, y), 120)
        crown = [(x + dx, y + dy) for dx, dy in CROWN]
        ImageDraw.Draw(picture).polygon(crown, BRASS)
    x = 136 + 264 * len(drawn) if drawn else EDGE
    width = WIDTH - x - EDGE
    said = title.replace("{who}", winners[0].name if winners else "")
    _write(picture, said, (x, 424), 164, DISPLAY, PAPER, width)
    if winners:
        _write(picture, winners[0].sum, (x, 588), 124, FIGURES, BRASS, width)


def _everybody(picture: Image.Image, people: Sequence[Sharer]) -> None:
    """Draw all who played, in their order, in one row or two."""
    columns = len(people) if len(people) <= 4 else (len(people) + 1) // 2
    wide = (WIDTH - 2 * EDGE) // max(columns, 1)
    for at, one in enumerate(people):
        x, y = EDGE + at % columns * wide, 1000 + at // columns * 100
        _disc(picture, one, (x + 40, y + 40), 38)
        _write(picture, one.name, (x + 96, y + 20), 48, TEXT, PAPER, wide - 120)
        _write(picture, one.sum, (x + 96, y + 66), 40, TEXT, SOFT, wide - 120)


def _curve(
    picture: Image.Image,
    worths: Sequence[Worths],
    lines: Sequence[WorthLine],
    box: tuple[int, int, int, int],
) -> None:
    """Draw what everybody was worth, from the first turn to the last."""
    draw = ImageDraw.Draw(picture)
    draw.rounded_rectangle(box, 40, DEEP)
    left, _, right, bottom = box
    most = max(max((x for _, x in one.seats), default=0) for one in worths) or 1
    across = (right - left - 80) / (len(worths) - 1)
    up = (bottom - box[1] - 72) / most
    for line in lines:
        rows = [dict(one.seats).get(line.seat) for one in worths]
        points = [
            (left + 40 + at * across, bottom - 36 - amount * up)
            for at, amount in enumerate(rows)
            if amount is not None
        ]
        draw.line(points, LOOKS["dark"].seats.get(line.colour, PAPER), 8, "curve")


def _disc(
    picture: Image.Image, one: Sharer, middle: tuple[int, int], radius: int
) -> None:
    """Draw somebody's token on its colour."""
    draw, colour = ImageDraw.Draw(picture), LOOKS["light"].seats.get(one.colour, RULE)
    draw.circle(middle, radius, PAPER)
    draw.circle(middle, radius - 4, colour)
    left = TOKENS.index(one.token) * TOKEN_SIDE if one.token in TOKENS else 0
    box = (left, 0, left + TOKEN_SIDE, TOKEN_SIDE)
    side = radius * 4 // 3
    corner = (middle[0] - side // 2, middle[1] - side // 2)
    _paste(picture, _opened("tokens.png").crop(box), corner, side)


def _paste(
    picture: Image.Image, one: Image.Image, at: tuple[int, int], side: int
) -> None:
    """Put a square picture there, with what of it can be seen through."""
    sized = one.resize((side, side))
    picture.paste(sized, at, sized)


@cache
def _opened(name: str) -> Image.Image:
    with Image.open(STATIC / name) as picture:
        return picture.convert("RGBA")


def _write(
    picture: Image.Image,
    text: str,
    at: tuple[int, int],
    size: int,
    face: str,
    colour: str,
    width: int,
) -> None:
    """Write *text* from there on, *at* half of its height, or nothing.

    It is smaller where it would be wider than *width*. What no font here has all
    letters of is not written.
    """
    font = font_of(text, face, _fitted(text, size, face, width))
    if font is None:
        return
    while text and font.getlength(text) > width:
        text = text[:-2].rstrip() + "…" if len(text) > 2 else ""
    ImageDraw.Draw(picture).text(at, text, colour, font, "lm")


def _fitted(text: str, size: int, face: str, width: int) -> int:
    """Return the size, at most *size*, at which *text* is no wider than *width*."""
    while size > SMALLEST:
        font = font_of(text, face, size)
        if font is None or font.getlength(text) <= width:
            break
        size -= FINE
    return size


def font_of(text: str, face: str, size: int) -> ImageFont.FreeTypeFont | None:
    """Return *face*, or a font of the machine that has all letters of *text*."""
    letters = {x for x in text if not x.isspace()}
    for name in (face, TEXT, *MACHINES):
        font = _font(name, size)
        if font is not None and all(_has(name, x) for x in letters):
            return font
    return None


@lru_cache(maxsize=200)
def _font(name: str, size: int) -> ImageFont.FreeTypeFont | None:
    """Return a font of ours, or of the machine; ``None`` if it has none so named."""
    own = STATIC / "vendor" / name
    try:
        return ImageFont.truetype(str(own) if own.is_file() else name, size)
    except OSError:
        return None


@lru_cache(maxsize=5_000)
def _has(name: str, letter: str) -> bool:
    """Whether a font has a letter, and can put it where it belongs.

    What a font lacks is drawn as its sign for that, like what no font has.
    """
    font = _font(name, SMALLEST)
    is_joined = unicodedata.bidirectional(letter) in ("R", "AL", "AN", "NSM")
    if font is None or (is_joined and not features.check("raqm")):
        return False
    drawn, lacking = (bytes(font.getmask(x)) for x in (letter, "\uffff"))
    return drawn != lacking
