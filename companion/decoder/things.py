"""Finds the things that hidden pictures have in common: faces, hats, dollar signs.

One *kind* of thing should be the face that a deck is learnt from. Words used here:

- Ink: the rarer of the two states of a hidden picture.
- Thing: a patch of ink that stands apart; the *blob* is the circle around it.
- Disc: a blob's picture, scaled to one size, by which blobs are compared.
- Turn: a number of TURNS, steps of a full circle, since notes may lie any way up.
- Size: an index in HEIGHTS_LINES, since prints may differ in pitch.
- Pose: the turn and size of a photo's things, compared with those of another photo.
- Answer: an assumption of the poses of all photos to one another.
- Vote: two blobs vote for the pose of their photos in which their discs look alike.
- Kind: blobs that look alike in an answer, its *copies*.
- Exclusive thing: one that only some photos show, such as a masked face.
- Pair: two exclusive things of different photos, such as a face masked and plain.

Lengths are in line periods (from line to line of a print), or in elements of the grid
that `measure_ink` makes.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, combinations, product
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.decoder.phase import Field

Float = NDArray[np.float32]

PER_LINE = 1.5
"""Elements a line period of the grid on which things are sought."""

# Ink, its trust and the panel; ink and trust are 0..1.

INK_MIN = 0.45
"""Least ink of a place that belongs to a thing.

Blank paper has up to 0.25 where the two states are only a quarter of a period apart."""

EDGE_TRUST = 0.5
"""Trust below which `drop_edge_ink` takes a place to be beyond the panel."""

PANEL_TRUST = 0.3
"""Trust above which a place is panel for `_mark_panel`; edges of things have little."""

PANEL_GAP_LINES = 6.0
"""Width, in line periods, up to which holes in a panel count as panel."""

# Finding blobs.

HEIGHT_STEP = 1.22
"""Ratio of each of HEIGHTS_LINES to the one before it."""

HEIGHTS_LINES = tuple(10 * HEIGHT_STEP**k for k in range(8))
"""Heights of the things that are sought, 10 to 40 line periods, smallest first.

A face is 6 to 10 mm high, and lines are 0.25 to 0.60 mm apart."""

HEIGHTS_SLACK = 1.1
"""Ratio by which a thing may be larger or smaller than HEIGHTS_LINES."""

USUAL_GAP_LINES = 1.0
"""Usual gap, in line periods, up to which parts belong to one thing."""

GAPS_LINES = (USUAL_GAP_LINES, 2.4, 0.0, -1.0)
"""All gaps that are tried in its place.

The wider gap joins broken things, and 0 keeps apart things that nearly touch. Below 0,
things are made thinner, which separates those that touch."""

MASK_GAP_LINES = 5.0
"""Widest gap, in line periods, that a mask cuts between two parts of a face."""

PART_LINES = 3.0
"""Least width of a part, in line periods; narrower parts are noise."""

SAME_BLOB = 0.1
"""Two blobs are one if place and size differ by less than this share of the size."""

ON_PANEL_MIN = 0.93
"""Share of a blob that must lie on the panel."""

# Discs.

DISC_SIDE = 16
"""Width of a disc, in elements of its own."""

DISC_ROOM = 1.08
"""Width of a disc, as a multiple of the thing's height."""

TURNS = 24
"""Steps of a full circle, at each of which discs are compared."""

VARIANCE_FLOOR = 0.0075
"""Added to the variance of a disc, so that blank paper correlates with nothing."""

# Votes and answers.

VOTE_MIN = 0.6
"""Correlation of two blobs' discs from which they vote."""

NEIGHBOUR_VOTE = 0.6
"""Share of a vote that counts for the turns on either side as well."""

SIMPLE_SHARE = 0.8
"""Share of the best answer's votes that makes a simple answer likely."""

TURNS_APART, SIZES_APART = 2, 1
"""How many turns and sizes two copies may be off the poses of their photos."""

# Kinds and pairs.

ONE_POOR_IN = 4
"""One photo in so many may be too poor to show a thing."""

HEIGHT_POWER = 0.4
"""The worth of a kind grows with this power of its height; symbols are mostly small."""

COPIES = 2
"""How many copies of a face are expected in every photo."""

COPIES_MAX = 8
"""Most copies of a thing in a photo."""

COPIES_APART = 0.5
"""Least distance of two copies, as a multiple of their height."""

SURE_MIN = 0.8
"""Correlation above which a blob is surely a copy of a shared kind."""

ROUNDS_MAX = 40
"""Most rounds of `_find_shared`; each takes out a kind."""

SHARED_MAX, PAIRS_MAX = 14, 4
"""Most kinds that `_find_shared` and `_find_pairs` return."""

SHOWN_MIN = 0.7
"""Least mean correlation of an exclusive thing with the photos that show it."""

DROP_MIN = 0.05
"""Least drop from the lowest of these correlations to the highest with other photos."""

EXCLUSIVE_MAX = 12
"""Most exclusive things of one set of photos that are paired."""

PAIR_MIN = 0.35
"""Least correlation of the two things of a pair."""

PAIR_GAIN = 0.5
"""Factor by which this correlation counts in the worth of a pair."""

COPY_SHARE = 0.85
"""Share of an exclusive thing's mean correlation that each copy must reach."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A place in one photo that looks like a kind of thing.

    Attributes:
        photo: Index of the photo.
        x, y: Its middle, in line periods from the first element of the field.
        height_lines: Its height in line periods.
        turn: How far it is turned from the kind's first thing, in radians, clockwise.
        score: Correlation with the kind's first thing, -1..1.
    """

    photo: int
    x: float
    y: float
    height_lines: float
    turn: float
    score: float


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of thing that most photos show.

    Attributes:
        score: How promising it is, either among pairs or among shared kinds.
        first: The thing that the others are compared with.
        hits: Its places in all photos, the first thing among them.
    """

    score: float
    first: Hit
    hits: tuple[Hit, ...]


def least_shown(photos_count: int) -> int:
    """Return how many of the photos must show a thing."""
    return photos_count - photos_count // ONE_POOR_IN


def measure_ink(field: Field, sign: float) -> Float:
    """Measure ink and trust of a hidden picture.

    Args:
        field: The hidden picture.
        sign: 1 if its positive state is ink, else -1.

    Returns:
        (rows, columns, 2) float32, 0..1, PER_LINE elements a line: how much ink is at
        each place, and how far it can be trusted.
    """
    shown = (np.clip(sign * field.soft, -1, 1) + 1) / 2 * field.weight
    scale = PER_LINE / field.samples_per_line
    pair = np.stack([shown, field.weight], axis=2).astype(np.float32)
    small = cv2.resize(pair, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.float32)


def drop_edge_ink(ink: Float) -> Float:
    """Remove ink that is connected to the panel's edge.

    Beside an interlaced panel bare paper may look like ink, and would join all things
    that touch it.
    """
    beyond = ink[..., 1] < EDGE_TRUST
    drawn = (beyond | (ink[..., 0] > INK_MIN)).astype(np.uint8)
    _, parts = cv2.connectedComponents(drawn)
    joined = np.isin(parts, np.unique(parts[beyond]))
    shown = np.where(joined, np.float32(0), ink[..., 0])
    return np.stack([shown, ink[..., 1]], axis=2)


Outline = NDArray[np.int32] | Float
"""(points, 1, 2) or (points, 2): x and y, in elements."""


class Blob(NamedTuple):
    """The circle around a thing: its middle and its width, in elements."""

    x: float
    y: float
    width: float


def _find_blobs(ink: Float) -> list[Blob]:
    """Circle every thing, except for those that the panel's edge may cut."""
    blobs: list[Blob] = []
    drawn = (ink[..., 0] > INK_MIN).astype(np.uint8)
    for gap_lines in GAPS_LINES:
        outlines = _find_outlines(drawn, round(gap_lines * PER_LINE))
        lost = 2 * max(0.0, -gap_lines) * PER_LINE  # By making things thinner.
        circles = [_enclose(outline, lost) for outline in outlines]
        pairs = _circle_near_parts(outlines) if gap_lines == USUAL_GAP_LINES else []
        for blob in [*_drop_inner(circles), *pairs]:
            if not any(_is_same(blob, found) for found in blobs):
                blobs.append(blob)
    low = HEIGHTS_LINES[0] * PER_LINE / HEIGHTS_SLACK
    high = HEIGHTS_LINES[-1] * PER_LINE * HEIGHTS_SLACK
    blobs = [blob for blob in blobs if low <= blob.width <= high]
    on_panel = _cut_discs(_mark_panel(ink[..., 1]), blobs, 1)[0].mean(axis=1)
    return [
        blob
        for blob, share in zip(blobs, on_panel, strict=True)
        if share > ON_PANEL_MIN
    ]


def _find_outlines(drawn: NDArray[np.uint8], gap: int) -> list[Outline]:
    """Outline things whose parts are *gap* elements apart at most, see GAPS_LINES."""
    side = abs(gap) + 1
    brush = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side))
    if gap < 0:
        things = cv2.erode(drawn, brush)
    else:
        things = cv2.morphologyEx(drawn, cv2.MORPH_CLOSE, brush)
    contours, _ = cv2.findContours(things, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    least = PART_LINES * PER_LINE
    outlines = (np.asarray(contour, np.int32) for contour in contours)
    return [outline for outline in outlines if _enclose(outline).width >= least]


def _enclose(outline: Outline, lost: float = 0.0) -> Blob:
    """Return the smallest circle around an outline, made wider by what was *lost*."""
    (x, y), radius = cv2.minEnclosingCircle(outline)
    return Blob(float(x), float(y), 2 * float(radius) + lost)


def _circle_near_parts(outlines: list[Outline]) -> list[Blob]:
    """Circle every two near parts, since a mask may cut a face in two."""
    circles: list[Blob] = []
    points = [outline.reshape(-1, 2).astype(np.float32) for outline in outlines]
    for first, second in combinations(points, 2):
        apart = np.abs(first.mean(axis=0) - second.mean(axis=0)).max()
        if apart > HEIGHTS_LINES[-1] * PER_LINE:
            continue
        x, y = (first[:, None] - second[None]).transpose(2, 0, 1)
        gap = np.hypot(x, y).min()
        if gap < MASK_GAP_LINES * PER_LINE:
            circles.append(_enclose(np.concatenate([first, second])))
    return circles


def _mark_panel(trust: Float) -> Float:
    """Mark the panel with 1, its small holes included, all else with 0."""
    side = round(PANEL_GAP_LINES * PER_LINE)
    brush = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side))
    shown = (trust > PANEL_TRUST).astype(np.float32)
    return np.asarray(cv2.morphologyEx(shown, cv2.MORPH_CLOSE, brush), np.float32)


def _drop_inner(circles: list[Blob]) -> list[Blob]:
    """Drop circles whose middle lies in a larger one."""
    kept: list[Blob] = []
    for circle in sorted(circles, key=lambda circle: -circle.width):
        if all(_between(circle, larger) > larger.width / 2 for larger in kept):
            kept.append(circle)
    return kept


def _is_same(blob: Blob, found: Blob) -> bool:
    """Tell whether two blobs are one, see SAME_BLOB."""
    is_near = _between(blob, found) < SAME_BLOB * found.width
    ratio = blob.width / found.width
    return is_near and 1 / (1 + SAME_BLOB) < ratio < 1 + SAME_BLOB


def _between(first: Blob, second: Blob) -> float:
    """Return the distance of two middles."""
    return math.dist((first.x, first.y), (second.x, second.y))


def _disc_mask() -> NDArray[np.bool_]:
    y, x = np.mgrid[:DISC_SIDE, :DISC_SIDE] - (DISC_SIDE - 1) / 2
    # A little more than the radius, so that elements on the rim belong to the disc.
    return np.asarray(np.hypot(x, y) <= DISC_SIDE / 2 + 0.3)


def _cut_discs(ink: Float, blobs: list[Blob], turns: int) -> Float:
    """Cut out each blob's disc at the first *turns* turns: (turns, blobs, elements)."""
    disc = _disc_mask()
    out = np.zeros((turns, len(blobs), int(disc.sum())), np.float32)
    blurred: dict[int, Float] = {}  # The ink, by width of the blur.
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    for number, (x, y, height) in enumerate(blobs):
        step = DISC_ROOM * height / DISC_SIDE  # Elements of ink to one of the disc.
        blur = max(1, int(step))
        # OpenCV's mean over an even number of elements lies half an element too far.
        off = 0.0 if blur % 2 else 0.5
        if blur not in blurred:
            blurred[blur] = np.asarray(cv2.blur(ink, (blur, blur)), np.float32)
        for turn in range(turns):
            matrix = _map_disc(x + off, y + off, step, turn)
            size = (DISC_SIDE, DISC_SIDE)
            cut = cv2.warpAffine(blurred[blur], matrix, size, flags=flags)
            out[turn, number] = cut[disc]
    return out


def _map_disc(x: float, y: float, step: float, turn: int) -> NDArray[np.float64]:
    """Return the map, (2, 3), that puts a disc's middle on the ink's element x, y."""
    angle = 2 * math.pi * turn / TURNS
    cos, sin = step * math.cos(angle), step * math.sin(angle)
    middle = (DISC_SIDE - 1) / 2
    return np.array(
        [
            [cos, -sin, x - (cos - sin) * middle],
            [sin, cos, y - (sin + cos) * middle],
        ]
    )


def _normalise(discs: Float) -> Float:
    """Scale discs to mean 0 and length 1; nearly blank ones stay shorter."""
    centred = discs - discs.mean(axis=2, keepdims=True)
    length = np.sqrt(
        (centred**2).sum(axis=2, keepdims=True) + VARIANCE_FLOOR * centred.shape[2]
    )
    return np.asarray(centred / length, np.float32)


def find_kinds(inks: list[Float], directions: Sequence[float]) -> Iterator[list[Kind]]:
    """Yield the kinds of things that photos have in common.

    Args:
        inks: What `measure_ink` gives for each photo.
        directions: The direction across each photo's lines, in degrees, of either sign.

    Yields:
        For each answer, likeliest first, its kinds, most promising first; nothing if
        any photo shows no thing.
    """
    blobs = _collect_blobs(inks)
    if len(set(blobs.photo_of.tolist())) == len(inks):
        for poses in _rank_poses(blobs, directions):
            yield _rank_kinds(blobs, *_compare(blobs, poses))


def count_agreement(inks: list[Float]) -> NDArray[np.float64]:
    """Measure how much the things of any two pictures have in common, 0 and more.

    Args:
        inks: What `measure_ink` gives for each picture.

    Returns:
        (pictures, pictures): the most votes for any pose, 0 on the diagonal.
    """
    most = np.asarray(_count_votes(_collect_blobs(inks), len(inks)).max(axis=(2, 3)))
    np.fill_diagonal(most, 0)
    return most


def _collect_blobs(inks: list[Float]) -> _Blobs:
    by_photo = [_find_blobs(ink) for ink in inks]
    discs = [
        _normalise(_cut_discs(ink[..., 0], blobs, TURNS))
        for ink, blobs in zip(inks, by_photo, strict=True)
    ]
    return _Blobs(
        photo_of=np.repeat(np.arange(len(inks)), [len(blobs) for blobs in by_photo]),
        circles=np.array(list(chain.from_iterable(by_photo))).reshape(-1, 3),
        discs=np.concatenate(discs, axis=1),
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Blobs:
    """The blobs of all photos.

    Attributes:
        photo_of: (n,) index of each blob's photo.
        circles: (n, 3) each a `Blob`; its width is the thing's height.
        discs: (TURNS, n, elements) each disc at every turn, see `_normalise`.
    """

    photo_of: NDArray[np.intp]
    circles: NDArray[np.float64]
    discs: Float

    @property
    def photos_count(self) -> int:
        """The number of photos."""
        return int(self.photo_of.max(initial=-1)) + 1

    @property
    def heights(self) -> NDArray[np.float64]:
        """Each blob's height as a multiple of the least that is sought: (n,)."""
        return np.asarray(self.circles[:, 2] / PER_LINE / HEIGHTS_LINES[0])

    @property
    def sizes(self) -> NDArray[np.intp]:
        """Each blob's size: (n,)."""
        steps = np.log(self.heights) / np.log(HEIGHT_STEP)
        return np.asarray(np.rint(steps), np.intp)


def _rank_poses(blobs: _Blobs, directions: Sequence[float]) -> list[NDArray[np.intp]]:
    """Return answers, likeliest first: which pose each photo has to each other one.

    An answer is (photos, photos, 2): turn, and difference in size. Simple answers need
    fewer votes: all photos lie upright; or all are of one print run, so that the
    directions of their lines tell the turns, except for half a circle; or both.
    """
    votes = _count_votes(blobs, blobs.photos_count)
    upright, one_run = _mark_simple_answers(votes.shape, directions)
    most_votes, most_voted = _agree_on_poses(votes)
    likely: list[NDArray[np.intp]] = []
    unlikely: list[NDArray[np.intp]] = []
    for allowed in (one_run * upright, upright, one_run):
        total, poses = _agree_on_poses(votes * allowed)
        is_likely = total >= SIMPLE_SHARE * most_votes
        (likely if is_likely else unlikely).append(poses)
    # Of the unlikely ones, the first is the simplest; only the second is worth a try.
    last_try = unlikely[1:2]
    answers = [*likely, most_voted, *last_try]
    return [
        answer
        for number, answer in enumerate(answers)
        if not any(_is_same_answer(answer, earlier) for earlier in answers[:number])
    ]


def _mark_simple_answers(
    shape: tuple[int, ...], directions: Sequence[float]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Mark the votes for either simple answer with 1: all upright, all of one run."""
    turns = np.array(directions) * TURNS / 360
    between = np.rint(turns[None, :] - turns[:, None]).astype(int)
    upright, one_run = np.zeros(shape), np.zeros(shape)
    same_size = shape[3] // 2
    for near in (-1, 0, 1):
        upright[:, :, near % TURNS] = 1
        for half in (0, TURNS // 2):
            turn = (between + near + half) % TURNS
            rows, columns = np.indices(turn.shape)
            one_run[rows, columns, turn, same_size] = 1
    return upright, one_run


def _is_same_answer(first: NDArray[np.intp], second: NDArray[np.intp]) -> bool:
    """Tell whether two answers differ by one turn in any pose at most."""
    differs = first - second
    turn = np.abs((differs[..., 0] + TURNS // 2) % TURNS - TURNS // 2)
    return bool(turn.max() <= 1 and not differs[..., 1].any())


def _count_votes(blobs: _Blobs, photos_count: int) -> NDArray[np.float64]:
    """Count the votes for each pose of each photo to each other one.

    Returns:
        (photos, photos, TURNS, differences in size), the middle difference being 0.
    """
    sizes = len(HEIGHTS_LINES)
    # A cell holds the blobs of one size in one photo; each blob is in one cell.
    cell = blobs.photo_of * sizes + blobs.sizes
    in_cell = np.zeros((len(cell), photos_count * sizes), np.float32)
    in_cell[np.arange(len(cell)), cell] = 1
    votes = np.zeros((photos_count, photos_count, TURNS, 2 * sizes - 1))
    # Larger things have more detail to compare, so their likeness proves more.
    area = np.asarray(blobs.circles[:, 2], np.float32) ** 2
    for turn in range(TURNS):
        alike = blobs.discs[0] @ blobs.discs[turn].T
        weight = np.maximum(alike - VOTE_MIN, 0) ** 2 * np.outer(area, area)
        by_cell = in_cell.T @ weight @ in_cell
        table = by_cell.reshape(photos_count, sizes, photos_count, sizes)
        for step in range(1 - sizes, sizes):
            # All cells whose sizes differ by *step*.
            diagonal = np.trace(table, offset=step, axis1=1, axis2=3)
            votes[:, :, turn, step + sizes - 1] = diagonal
    # Things that are alike at every turn, such as rings, tell nothing about turns.
    votes -= votes.mean(axis=2, keepdims=True)
    neighbours = np.roll(votes, 1, axis=2) + np.roll(votes, -1, axis=2)
    return votes + NEIGHBOUR_VOTE * neighbours


def _agree_on_poses(votes: NDArray[np.float64]) -> tuple[float, NDArray[np.intp]]:
    """Find the answer with the most votes, and return their number and the answer.

    Poses are counted from a photo to start with, each in turn; the others join one by
    one, always the one with the most votes for its pose.
    """
    count = len(votes)
    most, best = -np.inf, np.zeros((count, 2), np.intp)
    for start in range(count):
        poses, total = {start: (0, 0)}, 0.0
        while len(poses) < count:
            offers = {
                photo: _best_pose(votes, poses, photo)
                for photo in range(count)
                if photo not in poses
            }
            surest = max(offers, key=lambda photo: offers[photo][0])
            gained, poses[surest] = offers[surest]
            total += gained
        if total > most:
            most, best = total, np.array([poses[photo] for photo in range(count)])
    between = best[None, :] - best[:, None]
    between[..., 0] %= TURNS
    return float(most), between


def _best_pose(
    votes: NDArray[np.float64], poses: dict[int, tuple[int, int]], photo: int
) -> tuple[float, tuple[int, int]]:
    """Return the most votes that a pose of *photo* has from *poses*, and that pose."""
    steps = votes.shape[3]
    total = np.zeros((TURNS, steps))
    for voter, (turn, step) in poses.items():
        # A vote is for the pose to the voter, so the voter's own pose is added.
        turned = np.roll(votes[voter, photo], turn, axis=0)
        low, high = max(0, step), min(steps, steps + step)
        total[:, low:high] += turned[:, low - step : high - step]
    turn, step = divmod(int(total.argmax()), steps)
    return float(total.max()), (turn, step - steps // 2)


def _compare(blobs: _Blobs, poses: NDArray[np.intp]) -> tuple[Float, NDArray[np.int8]]:
    """Compare every two blobs in the poses of an answer.

    Returns:
        (n, n) correlations, -1 where sizes do not fit; (n, n) the turns between them.
    """
    count = len(blobs.circles)
    alike = np.full((count, count), -1.0, np.float32)
    turned = np.zeros((count, count), np.int8)
    by_photo = [
        np.flatnonzero(blobs.photo_of == photo) for photo in range(blobs.photos_count)
    ]
    for first, rows in enumerate(by_photo):
        for second, columns in enumerate(by_photo):
            turn, step = poses[first, second].tolist()
            best, best_turn = _compare_near(blobs.discs, rows, columns, turn)
            apart = blobs.sizes[columns][None, :] - blobs.sizes[rows][:, None] - step
            best[np.abs(apart) > SIZES_APART] = -1
            of_both = np.ix_(rows, columns)
            alike[of_both], turned[of_both] = best, best_turn
    return alike, turned


def _compare_near(
    discs: Float, rows: NDArray[np.intp], columns: NDArray[np.intp], turn: int
) -> tuple[Float, NDArray[np.int8]]:
    """Return two photos' best correlations near a turn, and the turns of these."""
    best = np.full((len(rows), len(columns)), -1.0, np.float32)
    best_turn = np.zeros(best.shape, np.int8)
    for near in range(turn - TURNS_APART, turn + TURNS_APART + 1):
        scores = discs[0][rows] @ discs[near % TURNS][columns].T
        better = scores > best
        best[better] = scores[better]
        best_turn[better] = near % TURNS
    return best, best_turn


def _rank_kinds(blobs: _Blobs, alike: Float, turned: NDArray[np.int8]) -> list[Kind]:
    """List pairs of exclusive things, then kinds that nearly all photos share."""
    support = np.zeros((len(blobs.circles), blobs.photos_count))
    for photo in range(blobs.photos_count):
        own = np.flatnonzero(blobs.photo_of == photo)
        if len(own) > COPIES:
            support[:, photo] = _average_best(alike[:, own], blobs.circles[own])
    table = _Similarity(blobs, alike, turned, support)
    return [*_find_pairs(table), *_find_shared(table)]


@dataclass(frozen=True, slots=True, eq=False)
class _Similarity:
    """All blobs of all photos, and how alike any two of them are.

    Attributes:
        alike, turned: See `_compare`.
        support: (n, photos) mean correlation of each blob's best COPIES in each photo.
    """

    blobs: _Blobs
    alike: Float
    turned: NDArray[np.int8]
    support: NDArray[np.float64]

    @property
    def height_factors(self) -> NDArray[np.float64]:
        """The factor by which each blob's height raises its worth: (n,)."""
        return np.asarray(self.blobs.heights**HEIGHT_POWER)

    def hit(self, blob: int, turn: int, score: float) -> Hit:
        x, y, height = (self.blobs.circles[blob] / PER_LINE).tolist()
        angle = 2 * math.pi * turn / TURNS
        return Hit(int(self.blobs.photo_of[blob]), x, y, height, angle, score)

    def hits(self, blob: int, members: NDArray[np.intp], turn: int = 0) -> list[Hit]:
        """Return the places of the members most like a blob, COPIES_MAX in a photo.

        Of members that overlap only the best is kept; *turn* is added to their turns.
        """
        by_photo: dict[int, list[Hit]] = {}
        for member in members[np.argsort(-self.alike[blob, members])].tolist():
            score = float(self.alike[blob, member])
            hit = self.hit(member, int(self.turned[blob, member]) + turn, score)
            kept = by_photo.setdefault(hit.photo, [])
            is_apart = all(
                math.hypot(hit.x - better.x, hit.y - better.y)
                >= COPIES_APART * better.height_lines
                for better in kept
            )
            if len(kept) < COPIES_MAX and is_apart:
                kept.append(hit)
        return sorted(
            chain.from_iterable(by_photo.values()), key=lambda hit: -hit.score
        )


def _find_shared(table: _Similarity) -> list[Kind]:
    """Find kinds that all photos share, but for a few poor ones, best first.

    A blob belongs to one kind only, so that faces do not mix with similar symbols.
    """
    blobs, least = table.blobs, least_shown(table.blobs.photos_count)
    free = np.ones(len(blobs.circles), bool)  # Blobs that belong to no kind yet.
    kinds: list[Kind] = []
    for _ in range(ROUNDS_MAX):
        sure = (table.alike > SURE_MIN) & free[None, :] & free[:, None]
        # The number of copies of each blob in each photo: (n, photos).
        copies = np.stack(
            [
                sure[:, blobs.photo_of == photo].sum(axis=1)
                for photo in range(blobs.photos_count)
            ],
            axis=1,
        )
        worth = np.minimum(copies, COPIES).sum(axis=1) * table.height_factors
        best = int(worth.argmax())
        if copies[best].max(initial=0) == 0:
            break
        members = np.flatnonzero(sure[best])
        hits = table.hits(best, members)
        if len({hit.photo for hit in hits}) >= least:
            first = table.hit(best, 0, 1.0)
            kinds.append(Kind(float(worth[best]), first, tuple(hits)))
        free[members] = False
        free[best] = False
    kinds.sort(key=lambda kind: -kind.score)
    return kinds[:SHARED_MAX]


def _find_pairs(table: _Similarity) -> list[Kind]:
    """Find pairs, best first; they tell a face whose mask is large."""
    least = least_shown(table.blobs.photos_count)
    kinds: list[Kind] = []
    used: set[_Exclusive] = set()
    for worth, first, second in _pair_exclusive(table, least):
        if first in used or second in used:
            continue
        used |= {first, second}
        turn = int(table.turned[first.blob, second.blob])
        hits = [*_place_copies(table, first, 0), *_place_copies(table, second, turn)]
        if len({hit.photo for hit in hits}) >= least:
            kinds.append(Kind(worth, table.hit(first.blob, 0, 1.0), tuple(hits)))
        if len(kinds) == PAIRS_MAX:
            break
    return kinds


class _Exclusive(NamedTuple):
    """A blob whose thing only these photos show."""

    blob: int
    photos: frozenset[int]


def _pair_exclusive(
    table: _Similarity, least: int
) -> list[tuple[float, _Exclusive, _Exclusive]]:
    """List pairs from disjoint sets of photos, *least* photos or more, best first.

    Returns:
        The worth of each pair, and its two blobs.
    """
    pairs = []
    exclusive = _find_exclusive(table)
    factors = table.height_factors
    for some, rest in combinations(exclusive, 2):
        if some & rest or len(some | rest) < least:
            continue
        for blob, partner in product(exclusive[some], exclusive[rest]):
            alike = float(table.alike[blob, partner])
            if alike < PAIR_MIN:
                continue
            support = np.concatenate(
                [table.support[blob, list(some)], table.support[partner, list(rest)]]
            )
            worth = float(support.mean()) + PAIR_GAIN * alike
            worth *= float(factors[blob] * factors[partner]) ** 0.5
            pairs.append((worth, _Exclusive(blob, some), _Exclusive(partner, rest)))
    pairs.sort(key=lambda pair: -pair[0])
    return pairs


def _place_copies(table: _Similarity, exclusive: _Exclusive, turn: int) -> list[Hit]:
    blob, photos = exclusive
    mean = float(table.support[blob, list(photos)].mean())
    members = np.flatnonzero(table.alike[blob] >= COPY_SHARE * mean)
    return [hit for hit in table.hits(blob, members, turn) if hit.photo in photos]


def _find_exclusive(table: _Similarity) -> dict[frozenset[int], list[int]]:
    """Return, for each set of photos, the blobs that only these show, best first."""
    order = np.argsort(-table.support, axis=1)  # Each blob's best photo first.
    support = -np.sort(-table.support, axis=1)
    drops = support[:, :-1] - support[:, 1:]
    found: dict[frozenset[int], list[tuple[float, int]]] = {}
    for blob in range(len(order)):
        inner = drops[blob, 1:-1]  # Two photos or more on either side of the drop.
        if not inner.size:
            continue
        count = int(inner.argmax()) + 2
        photos = frozenset(order[blob, :count].tolist())
        mean = float(support[blob, :count].mean())
        is_exclusive = inner.max() >= DROP_MIN and mean >= SHOWN_MIN
        if is_exclusive and table.blobs.photo_of[blob] in photos:
            worth = mean * float(table.height_factors[blob])
            found.setdefault(photos, []).append((worth, blob))
    return {
        photos: [blob for _, blob in sorted(ranked, reverse=True)[:EXCLUSIVE_MAX]]
        for photos, ranked in found.items()
    }


def _average_best(alike: Float, circles: NDArray[np.float64]) -> NDArray[np.float64]:
    """Average each blob's correlation with its two best copies in a photo.

    Args:
        alike: (n, blobs of the photo) correlations.
        circles: (blobs of the photo, 3) see `_Blobs`; the copies must be COPIES_APART.
    """
    best = alike.argmax(axis=1)
    best_alike = alike[np.arange(len(alike)), best].astype(np.float64)
    x, y, height = circles.T
    gap = np.hypot(x - x[best][:, None], y - y[best][:, None])
    is_apart = gap > COPIES_APART * height[best][:, None]
    second_alike = np.where(is_apart, alike, -1).max(axis=1)
    return np.asarray((best_alike + second_alike) / COPIES)
