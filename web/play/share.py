"""A picture of a game's end to share: the winners, the story and everybody's result.

The story stands beside the curves of everybody's worth. Pillow draws it all, since it
reads our fonts in the format in which they are served. Import this module only to draw,
because it loads Pillow.

All places and sizes are in pixels of the picture as it is drawn, larger than as sent.
The *winners* stand above, each with a token on a *disc*; *everybody* stands below.

Our fonts have Latin letters. A name in another script is written in a font of the
machine that has all of its letters, or else replaced by the name of the player's token.
"""

from __future__ import annotations

import io
import threading
import unicodedata
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Final, NamedTuple

import msgspec
from msgspec.structs import replace
from PIL import Image, ImageDraw, ImageFont, features

from companion.rules.seats import TOKENS
from companion.views.worth_history import Worths
from web.http.assets import STATIC
from web.play.worth_chart import LOOKS, WorthLine

# Colours.

GROUND: Final = "#123c2c"  # The background.
DEEP: Final = "#07100d"  # The box behind the curves.
PAPER: Final = "#faf4e3"  # Bright text.
SOFT: Final = "#c3d2c6"  # Pale text.
BRASS: Final = "#d3a94b"  # The frame and the crowns.
RULE: Final = "#2f4a3f"  # The disc of a player whose own colour is not known.

# Fonts.

DISPLAY: Final = "table-display.woff2"
TEXT: Final = "barlow-condensed.woff2"
FIGURES: Final = "table-figures.woff2"
"""Our fonts: for headlines, for text and for the winner's fortune."""

MACHINE_FONTS: Final = (
    "DejaVuSans-Bold.ttf",
    "DejaVuSans.ttf",
    "NotoSans-Bold.ttf",
    "NotoSans-Regular.ttf",
    "FreeSans.ttf",
    "NotoSansCJK-Regular.ttc",
    "DroidSansFallbackFull.ttf",
    "unifont.otf",
)
"""Fonts that a machine may have, the nicest first."""

SMALLEST: Final = 34
"""The smallest font size; a text that does not fit even then is cut."""

SIZE_STEP: Final = 2
"""By how much the font size of a text that does not fit is reduced at a time."""

DIRECTION_MARKS: Final = dict.fromkeys(range(0x2066, 0x206A))
"""Deletes the marks around names that run from right to left; they have no glyph."""


class Lettering(NamedTuple):
    """How a text is written: the file of the font, the largest size, the colour."""

    face: str
    size: int
    colour: str


GAME_NAME: Final = Lettering(DISPLAY, 76, BRASS)
DAY: Final = Lettering(TEXT, 56, SOFT)
TITLE: Final = Lettering(DISPLAY, 164, PAPER)
FORTUNE: Final = Lettering(FIGURES, 124, BRASS)
STORY: Final = Lettering(TEXT, 64, PAPER)
PLAYER: Final = Lettering(TEXT, 48, PAPER)
RESULT: Final = Lettering(TEXT, 40, SOFT)

# The picture and its frame.

WIDTH, HEIGHT = 2400, 1260

SHRINKING: Final = 2
"""The finished picture is smaller by this factor, which smooths its edges."""

EDGE: Final = 96
"""The margin on the left and on the right."""

FRAME_INSET: Final = 32
"""The distance of the frame from each edge of the picture."""

ROUND: Final = 40
"""The radius of the corners of the frame and of the box around the curves."""

LOGO_CORNER, LOGO_SIDE = (88, 80), 184
"""The upper left corner of the program's icon, and its width."""

HEAD_LEFT, HEAD_WIDTH = 312, 1960
"""The left end and the length of the two lines beside the icon."""

# The winners.

TOKEN_SIDE: Final = 128
"""The width and height of each token in ``tokens.png``."""

CROWN: Final = (
    (-68, -124),
    (-84, -196),
    (-36, -160),
    (0, -216),
    (36, -160),
    (84, -196),
    (68, -124),
)
"""The corners of the crown, relative to the centre of the winner's disc."""

WINNERS_MAX: Final = 5
"""How many winners there is room for."""

WINNER_X, WINNER_Y, WINNER_STEP, WINNER_RADIUS = 224, 500, 264, 120
"""The centre of the first winner's disc, the distance to the next, and the radius."""

TITLE_LEFT: Final = 136
"""The left end of the title, before a ``WINNER_STEP`` is added for each winner."""

TITLE_Y, FORTUNE_Y = 424, 588
"""The heights of the title and of the winner's fortune."""

# The story and the curves.

STORY_TOP, STORY_STEP, STORY_WIDTH = 728, 92, 1320
"""The story: its top line, the distance between lines, and its width."""

CURVES_BOX: Final = (1496, 660, 2304, 960)
"""The box around the curves: left, top, right, bottom."""

CURVES_PAD_X, CURVES_PAD_Y = 40, 36
"""The distance of the curves from the sides of their box, and from top and bottom."""

# Everybody.

ROW_MAX: Final = 4
"""How many players fit into one row; more take two rows."""

ROW_TOP, ROW_STEP = 1000, 100
"""The top of the first row of players, and the distance to the second."""


class PicturedPlayer(msgspec.Struct, frozen=True):
    """A player in the picture.

    Attributes:
        name: The player's name.
        fallback: The name of the token, in case no font can write the player's name.
        colour: The name of the player's colour.
        token: The id of the token.
        sum: The result: an amount, or why there is none.
        is_winner: Whether the player has won, perhaps with others.
    """

    name: str
    fallback: str
    colour: str
    token: str
    sum: str
    is_winner: bool


class EndingTexts(msgspec.Struct, frozen=True):
    """All texts of the picture, in the language of the phone that asked for it.

    Attributes:
        title: Tells who won; ``{who}`` stands for the winner's name.
        about: The name of the game, or of its box.
        when: The day, preceded by the box if *about* does not name it.
        people: All players, in the order of their scores.
        lines: The best sentences of the story.
    """

    title: str
    about: str
    when: str
    people: tuple[PicturedPlayer, ...]
    lines: tuple[str, ...]


KEPT_MAX: Final = 16
"""How many pictures are kept in memory, some 100 kB each."""

_ONE_AT_A_TIME = threading.Lock()
"""Held while a picture is drawn: that takes 10 MB, and all phones ask at once."""


def draw_ending(
    texts: EndingTexts, worths: tuple[Worths, ...], lines: tuple[WorthLine, ...]
) -> bytes:
    """Return the picture as PNG; equal pictures are drawn once."""
    with _ONE_AT_A_TIME:
        return _draw(texts, worths, lines)


@lru_cache(maxsize=KEPT_MAX)
def _draw(
    texts: EndingTexts, worths: tuple[Worths, ...], lines: tuple[WorthLine, ...]
) -> bytes:
    picture = Image.new("RGB", (WIDTH, HEIGHT), GROUND)
    frame = (FRAME_INSET, FRAME_INSET, WIDTH - FRAME_INSET, HEIGHT - FRAME_INSET)
    ImageDraw.Draw(picture).rounded_rectangle(frame, ROUND, outline=BRASS, width=6)
    _paste(picture, _load_picture("icon-512.png"), LOGO_CORNER, LOGO_SIDE)
    _write(picture, texts.about, (HEAD_LEFT, 144), GAME_NAME, HEAD_WIDTH)
    _write(picture, texts.when, (HEAD_LEFT, 228), DAY, HEAD_WIDTH)
    people = [_with_writable_name(person, texts.title) for person in texts.people]
    winners = [person for person in people if person.is_winner]
    _draw_winners(picture, texts.title, winners)
    _write_story(picture, [text.translate(DIRECTION_MARKS) for text in texts.lines])
    if len(worths) > 1:
        _draw_curves(picture, worths, lines, CURVES_BOX)
    _draw_everybody(picture, people)
    out = io.BytesIO()
    size = (WIDTH // SHRINKING, HEIGHT // SHRINKING)
    picture.resize(size, Image.Resampling.LANCZOS).save(out, "PNG")
    return out.getvalue()


def _write_story(picture: Image.Image, sentences: Sequence[str]) -> None:
    """Write sentences below each other, all in the size at which the widest fits."""
    sizes = [_fitted_size(text, STORY, STORY_WIDTH) for text in sentences]
    lettering = STORY._replace(size=min(sizes, default=SMALLEST))
    for row, text in enumerate(sentences):
        place = (EDGE, STORY_TOP + row * STORY_STEP)
        _write(picture, text, place, lettering, STORY_WIDTH)


def _with_writable_name(person: PicturedPlayer, title: str) -> PicturedPlayer:
    """Return *person*, with the fallback as name if no font can write the name.

    The name may stand in *title*, so one font must have the letters of both.
    """
    text = title.replace("{who}", "") + person.name
    if font_of(text, DISPLAY, SMALLEST):
        return person
    return replace(person, name=person.fallback)


def _draw_winners(
    picture: Image.Image, title: str, winners: Sequence[PicturedPlayer]
) -> None:
    drawn = winners[:WINNERS_MAX]
    for column, winner in enumerate(drawn):
        x, y = WINNER_X + column * WINNER_STEP, WINNER_Y
        _draw_disc(picture, winner, (x, y), WINNER_RADIUS)
        crown = [(x + dx, y + dy) for dx, dy in CROWN]
        ImageDraw.Draw(picture).polygon(crown, BRASS)
    # The title stands to the right of the last disc.
    left = TITLE_LEFT + WINNER_STEP * len(drawn) if drawn else EDGE
    width = WIDTH - left - EDGE
    text = title.replace("{who}", winners[0].name if winners else "")
    _write(picture, text, (left, TITLE_Y), TITLE, width)
    if winners:
        _write(picture, winners[0].sum, (left, FORTUNE_Y), FORTUNE, width)


def _draw_everybody(picture: Image.Image, people: Sequence[PicturedPlayer]) -> None:
    columns = len(people) if len(people) <= ROW_MAX else (len(people) + 1) // 2
    width = (WIDTH - 2 * EDGE) // max(columns, 1)
    for index, person in enumerate(people):
        row, column = divmod(index, columns)
        # The disc, the name and the result are placed relative to this corner.
        x, y = EDGE + column * width, ROW_TOP + row * ROW_STEP
        _draw_disc(picture, person, (x + 40, y + 40), radius=38)
        _write(picture, person.name, (x + 96, y + 20), PLAYER, width - 120)
        _write(picture, person.sum, (x + 96, y + 66), RESULT, width - 120)


def _draw_curves(
    picture: Image.Image,
    worths: Sequence[Worths],
    lines: Sequence[WorthLine],
    box: tuple[int, int, int, int],
) -> None:
    """Draw everybody's worth as a curve in *box*, from the first turn to the last."""
    draw = ImageDraw.Draw(picture)
    draw.rounded_rectangle(box, ROUND, DEEP)
    left, top, right, bottom = box
    by_turn = [dict(turn.seats) for turn in worths]
    highest = max(max(amounts.values(), default=0) for amounts in by_turn) or 1
    first_x, lowest_y = left + CURVES_PAD_X, bottom - CURVES_PAD_Y
    step = (right - left - 2 * CURVES_PAD_X) / (len(by_turn) - 1)
    scale = (bottom - top - 2 * CURVES_PAD_Y) / highest
    for line in lines:
        points = [
            (first_x + index * step, lowest_y - amounts[line.seat] * scale)
            for index, amounts in enumerate(by_turn)
            if line.seat in amounts
        ]
        colour = LOOKS["dark"].seats.get(line.colour, PAPER)
        draw.line(points, colour, width=8, joint="curve")


def _draw_disc(
    picture: Image.Image, person: PicturedPlayer, centre: tuple[int, int], radius: int
) -> None:
    """Draw a player's token on a disc of the player's colour."""
    colour = LOOKS["light"].seats.get(person.colour, RULE)
    draw = ImageDraw.Draw(picture)
    draw.circle(centre, radius, PAPER)
    draw.circle(centre, radius - 4, colour)  # A bright rim of 4 pixels stays.
    left = TOKENS.index(person.token) * TOKEN_SIDE if person.token in TOKENS else 0
    token = _load_picture("tokens.png").crop((left, 0, left + TOKEN_SIDE, TOKEN_SIDE))
    side = radius * 4 // 3  # Two thirds of the disc's width.
    corner = (centre[0] - side // 2, centre[1] - side // 2)
    _paste(picture, token, corner, side)


def _paste(
    picture: Image.Image, square: Image.Image, corner: tuple[int, int], side: int
) -> None:
    scaled = square.resize((side, side))
    picture.paste(scaled, corner, scaled)


@cache
def _load_picture(name: str) -> Image.Image:
    """Load one of the panel's pictures, such as ``tokens.png``."""
    with Image.open(STATIC / name) as picture:
        return picture.convert("RGBA")


def _write(
    picture: Image.Image,
    text: str,
    place: tuple[int, int],
    lettering: Lettering,
    width: int,
) -> None:
    """Write a text in one line that begins at *place*, halfway up its letters.

    A text wider than *width* gets smaller letters, and is cut if the smallest are still
    too wide. If no font has all of its letters, nothing is written.
    """
    font = font_of(text, lettering.face, _fitted_size(text, lettering, width))
    if font is None:
        return
    while text and font.getlength(text) > width:
        text = text[:-2].rstrip() + "…" if len(text) > 2 else ""
    ImageDraw.Draw(picture).text(place, text, lettering.colour, font, anchor="lm")


def _fitted_size(text: str, lettering: Lettering, width: int) -> int:
    """Return the largest font size, at least ``SMALLEST``, at which *text* fits."""
    size = lettering.size
    while size > SMALLEST:
        font = font_of(text, lettering.face, size)
        if font is None or font.getlength(text) <= width:
            break
        size -= SIZE_STEP
    return size


def font_of(text: str, face: str, size: int) -> ImageFont.FreeTypeFont | None:
    """Return the first font that has all letters of *text*; ``None`` if none has.

    *face* is tried first, then our text font, then the fonts of the machine.
    """
    letters = {letter for letter in text if not letter.isspace()}
    for name in (face, TEXT, *MACHINE_FONTS):
        font = _load_font(name, size)
        if font is not None and all(_can_write(name, letter) for letter in letters):
            return font
    return None


@lru_cache(maxsize=200)
def _load_font(name: str, size: int) -> ImageFont.FreeTypeFont | None:
    """Load a font of ours, or of the machine; ``None`` for no such file."""
    own = STATIC / "vendor" / name
    try:
        return ImageFont.truetype(str(own) if own.is_file() else name, size)
    except OSError:
        return None


@lru_cache(maxsize=5_000)
def _can_write(name: str, letter: str) -> bool:
    """Tell whether a font has a letter, and Pillow can place it correctly.

    A font draws all letters that it lacks alike, so the letter is compared with one
    that no font has. Pillow needs the library Raqm for scripts that run from right to
    left, and for marks above or below other letters.
    """
    font = _load_font(name, SMALLEST)
    needs_raqm = unicodedata.bidirectional(letter) in ("R", "AL", "AN", "NSM")
    if font is None or (needs_raqm and not features.check("raqm")):
        return False
    drawn = bytes(font.getmask(letter))
    missing = bytes(font.getmask("\uffff"))
    return drawn != missing
