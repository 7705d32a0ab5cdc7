"""The picture of an ending to share: who won, with what, how it went, everybody.

Pillow draws it, as it reads our own fonts as they are served. A name in another script
is written in a font of the machine that has all of its letters; where there is none,
the name of its token stands for it, so that nobody's name is a row of boxes.
"""

from __future__ import annotations

import io
import threading
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Final

import msgspec

from companion.rules.seats import TOKENS
from companion.views.worth_history import Worths
from web.http.assets import STATIC
from web.play.worth_chart import LOOKS, WorthLine

if TYPE_CHECKING:
    from PIL.Image import Image
    from PIL.ImageDraw import ImageDraw
    from PIL.ImageFont import FreeTypeFont

WIDTH: Final = 1200
HEIGHT: Final = 630
FINE: Final = 2
"""It is drawn so many times larger, and made smaller in the end: lines get smooth."""

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

MARKS: Final = dict.fromkeys(range(0x2066, 0x206A))
"""Marks around names that run from right to left; they have no glyph."""


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
"""A picture takes 10 MB while it is drawn."""


@lru_cache(maxsize=KEPT_MAX)
def drawn_ending(
    shared: Shared, worths: tuple[Worths, ...], lines: tuple[WorthLine, ...]
) -> bytes:
    """The picture as PNG; what says the same is drawn once."""
    with _ONE_AT_A_TIME:
        return _drawn(shared, worths, lines)


def _drawn(
    shared: Shared, worths: Sequence[Worths], lines: Sequence[WorthLine]
) -> bytes:
    from PIL import Image, ImageDraw

    size = (WIDTH * FINE, HEIGHT * FINE)
    picture = Image.new("RGB", size, GROUND)
    board = _Board(picture, ImageDraw.Draw(picture))
    board.box((16, 16, WIDTH - 16, HEIGHT - 16), outline=BRASS, width=3)
    board.paste(_opened("icon-512.png"), (44, 40), 92)
    board.write(shared.about, (156, 72), 38, DISPLAY, BRASS, 980)
    board.write(shared.when, (156, 114), 28, TEXT, SOFT, 980)
    _winners(board, shared)
    letters = min((fitted(x, 32, TEXT, 660) for x in shared.lines), default=0)
    for at, text in enumerate(shared.lines):
        board.write(text, (48, 364 + at * 46), letters, TEXT, PAPER, 660)
    _curve(board, worths, lines, (748, 330, 1152, 480))
    _everybody(board, shared.people)
    out = io.BytesIO()
    picture.resize((WIDTH, HEIGHT), Image.Resampling.LANCZOS).save(out, "PNG")
    return out.getvalue()


class _Board:
    """A picture to draw on, in the measures of the finished one."""

    def __init__(self, picture: Image, draw: ImageDraw) -> None:
        self.picture = picture
        self.draw = draw

    def box(self, box: tuple[int, int, int, int], **how: str | int) -> None:
        """Draw a rounded rectangle, filled or with an outline."""
        width = int(how.pop("width", 0)) * FINE
        where = tuple(x * FINE for x in box)
        self.draw.rounded_rectangle(where, 20 * FINE, width=width, **how)  # type: ignore[arg-type]

    def line(self, points: Iterable[tuple[float, float]], colour: str) -> None:
        """Draw a line through some points."""
        drawn = [(x * FINE, y * FINE) for x, y in points]
        self.draw.line(drawn, colour, 4 * FINE, "curve")

    def paste(self, picture: Image, at: tuple[int, int], side: int) -> None:
        """Put a square picture there, with what of it can be seen through."""
        small = picture.resize((side * FINE, side * FINE))
        self.picture.paste(small, (at[0] * FINE, at[1] * FINE), small)

    def disc(self, one: Sharer, middle: tuple[int, int], radius: int) -> None:
        """Draw somebody's token on its colour."""
        x, y = middle[0] * FINE, middle[1] * FINE
        for colour, r in ((PAPER, radius), (_colour(one.colour), radius - 2)):
            r *= FINE
            self.draw.ellipse((x - r, y - r, x + r, y + r), colour)
        left = TOKENS.index(one.token) * TOKEN_SIDE if one.token in TOKENS else 0
        sheet = _opened("tokens.png")
        sign = sheet.crop((left, 0, left + TOKEN_SIDE, TOKEN_SIDE))
        side = radius * 4 // 3
        self.paste(sign, (middle[0] - side // 2, middle[1] - side // 2), side)

    def write(
        self,
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
        text = text.translate(MARKS)
        font = font_of(text, face, fitted(text, size, face, width) * FINE)
        if font is None:
            return
        while text and font.getlength(text) > width * FINE:
            text = text[:-2].rstrip() + "…" if len(text) > 2 else ""
        self.draw.text((at[0] * FINE, at[1] * FINE), text, colour, font, "lm")


SMALLEST: Final = 17
"""No letters are smaller; what does not fit then ends in three dots."""


def fitted(text: str, size: int, face: str, width: int) -> int:
    """The size, at most *size*, at which *text* is no wider than *width*."""
    text = text.translate(MARKS)
    while size > SMALLEST:
        font = font_of(text, face, size * FINE)
        if font is None or font.getlength(text) <= width * FINE:
            break
        size -= 1
    return size


def _winners(board: _Board, shared: Shared) -> None:
    """Draw who won, with crown and fortune."""
    winners = [one for one in shared.people if one.is_winner]
    for at, one in enumerate(winners[:5]):
        x = 112 + at * 132
        board.disc(one, (x, 250), 60)
        points = ((-34, -62), (-42, -98), (-18, -80), (0, -108), (18, -80), (42, -98))
        crown = [*points, (34, -62)]
        where = [((x + dx) * FINE, (250 + dy) * FINE) for dx, dy in crown]
        board.draw.polygon(where, BRASS)
    x = 200 + 132 * (min(len(winners), 5) - 1) if winners else 48
    said = shared.title.replace("{who}", winners[0].name if winners else "")
    if font_of(said, DISPLAY, SMALLEST) is None:
        said = shared.title.replace("{who}", winners[0].fallback)
    board.write(said, (x, 212), 82, DISPLAY, PAPER, WIDTH - x - 48)
    if winners:
        board.write(winners[0].sum, (x, 294), 62, FIGURES, BRASS, WIDTH - x - 48)


def _everybody(board: _Board, people: Sequence[Sharer]) -> None:
    """Draw all who played, in their order, in one row or two."""
    columns = len(people) if len(people) <= 4 else (len(people) + 1) // 2
    wide = (WIDTH - 96) // max(columns, 1)
    for at, one in enumerate(people):
        x, y = 48 + at % columns * wide, 500 + at // columns * 50
        board.disc(one, (x + 20, y + 20), 19)
        name = one.name
        if font_of(name, TEXT, SMALLEST) is None:
            name = one.fallback
        board.write(name, (x + 48, y + 10), 24, TEXT, PAPER, wide - 60)
        board.write(one.sum, (x + 48, y + 33), 20, TEXT, SOFT, wide - 60)


def _curve(
    board: _Board,
    worths: Sequence[Worths],
    lines: Sequence[WorthLine],
    box: tuple[int, int, int, int],
) -> None:
    """Draw what everybody was worth, from the first turn to the last."""
    if len(worths) < 2:
        return
    left, top, right, bottom = box
    board.box(box, fill=DEEP)
    most = max(max((x for _, x in one.seats), default=0) for one in worths) or 1
    step = (right - left - 40) / (len(worths) - 1)
    for line in lines:
        rows = [dict(one.seats).get(line.seat) for one in worths]
        points = [
            (left + 20 + at * step, bottom - 18 - amount / most * (bottom - top - 36))
            for at, amount in enumerate(rows)
            if amount is not None
        ]
        board.line(points, LOOKS["dark"].seats.get(line.colour, PAPER))


def _colour(name: str) -> str:
    return LOOKS["light"].seats.get(name, RULE)


@cache
def _opened(name: str) -> Image:
    from PIL import Image

    with Image.open(STATIC / name) as picture:
        return picture.convert("RGBA")


@lru_cache(maxsize=200)
def _font(name: str, size: int) -> FreeTypeFont | None:
    """A font of ours, or of the machine; ``None`` if it has none of that name."""
    from PIL import ImageFont

    own = STATIC / "vendor" / name
    try:
        return ImageFont.truetype(str(own) if own.is_file() else name, size)
    except OSError:
        return None


def font_of(text: str, face: str, size: int) -> FreeTypeFont | None:
    """The font for *text*: *face*, or one of the machine that has all its letters."""
    letters = {x for x in text if not x.isspace()}
    for name in (face, TEXT, *MACHINES):
        font = _font(name, size)
        if font is not None and all(_has(name, x) for x in letters):
            return font
    return None


@lru_cache(maxsize=5_000)
def _has(name: str, letter: str) -> bool:
    """Whether a font has a letter, and can put it where it belongs.

    What a font lacks is drawn as its sign for that, like what no font has.
    """
    import unicodedata

    from PIL import features

    font = _font(name, 24)
    if font is None:
        return False
    is_joined = unicodedata.bidirectional(letter) in ("R", "AL", "AN", "NSM")
    if is_joined and not features.check("raqm"):
        return False
    drawn, lacking = (bytes(font.getmask(x)) for x in (letter, "\uffff"))
    return drawn != lacking
