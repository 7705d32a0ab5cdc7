"""Finds the things that hidden pictures have in common: faces, hats, dollar signs.

*Ink* is the rarer of the two states of a hidden picture, and a *thing* is a patch of
ink that stands apart from its neighbours. A *blob* is the circle around a thing. Blobs
are scaled to one size and compared at every turn, since notes may lie any way up, and
their lines may differ in pitch and direction. Blobs that look alike form a *kind*. One
kind should be the face that a deck is learnt from.

Lengths are in line periods (from line to line of a print), or in elements of the grid
that `measure_ink` makes, which has PER_LINE elements a line period.
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

HEIGHT_STEP = 1.22
"""Ratio of each of HEIGHTS_LINES to the one before it."""

HEIGHTS_LINES = tuple(10 * HEIGHT_STEP**k for k in range(8))
"""Heights of the things that are sought, 10 to 40 line periods, smallest first.

A face is 6 to 10 mm high, and lines are 0.25 to 0.60 mm apart."""

HEIGHTS_SLACK = 1.1
"""Ratio by which a thing may be larger or smaller than HEIGHTS_LINES."""

SAME_BLOB = 0.1
"""Two blobs are one if place and size differ by less than this share of the size."""

INK_MIN = 0.45
"""Least ink, 0..1, of a place that belongs to a thing.

Blank paper has up to 0.25 where the two states are only a quarter of a period apart."""

EDGE_TRUST = 0.5
"""Trust, 0..1, below which `drop_edge_ink` takes a place to be beyond the panel."""

PANEL_TRUST = 0.3
"""The same for `_mark_panel`.

It is lower, since edges of things have little trust but belong to the panel."""

WHOLE_LINES = 1.0
"""Usual gap, in line periods, up to which parts belong to one thing."""

GAPS_LINES = (WHOLE_LINES, 2.4, 0.0, -1.0)
"""Gaps, in line periods, up to which parts are joined to one thing; all are tried.

The wider gap joins broken things, and 0 keeps apart things that nearly touch. Below 0,
things are made thinner, which separates those that touch."""

PARTS_APART_LINES = 5.0
"""Widest gap, in line periods, that a mask cuts between two parts of a face."""

PANEL_GAP_LINES = 6.0
"""Width, in line periods, up to which holes in a panel count as panel."""

PART_LINES = 3.0
"""Least width of a part, in line periods; narrower parts are noise."""

SEEN_MIN = 0.93
"""Share of a thing's disc that must lie where the panel can be trusted."""

SIDE = 16
"""Width, in elements, of the discs as which things are compared."""

TURNS = 24
"""Steps of a full circle, at each of which discs are compared.

Below, a *turn* is a number of such steps, and a *size* an index in HEIGHTS_LINES."""

ROOM = 1.08
"""Width of the disc that is compared, as a multiple of the thing's height."""

VOTE_MIN = 0.6
"""Correlation from which two blobs vote for how their photos lie."""

NEIGHBOUR_VOTE = 0.6
"""Share of a vote that counts for the turns on either side as well."""

SIMPLER = 0.8
"""Share of the best answer's votes from which `_rank_poses` prefers a simple answer."""

TURNS_APART, SIZES_APART = 2, 1
"""How many turns and sizes two copies may be off the poses of their photos."""

COPIES = 2
"""How many copies of a face are expected in every photo."""

COPIES_APART = 0.5
"""Least distance of two copies, as a multiple of their height."""

SHARED_MAX, PAIRS_MAX = 14, 4
"""Most kinds that `_find_shared` and `_find_pairs` return."""

SPARE = 4
"""One photo in SPARE may be too poor to show a thing, see `least_shown`."""

GAP_MIN = 0.05
"""Least fall in correlation from the photos that show an exclusive thing to the others.

*Exclusive* means that only some photos show it."""

LEVEL_MIN = 0.7
"""Least mean correlation of an exclusive thing in the photos that show it."""

GROUP_MAX = 12
"""Most exclusive things of one set of photos that are paired, the best ones."""

PAIR_MIN = 0.35
"""Least correlation of a face without mask and the same face with one."""

PAIR_GAIN = 0.5
"""Factor by which that correlation counts in the worth of a pair."""

ROUNDS_MAX = 40
"""Most rounds of `_find_shared`; each takes out a kind."""

LARGER = 0.4
"""A kind twice as large is worth 2 ** LARGER as much; symbols are mostly small."""

FLOOR = 0.0075
"""Added to the variance of a disc, so that blank paper correlates with nothing."""

SURE_MIN = 0.8
"""Correlation from which a place is surely a copy."""

HITS_MAX = 8
"""Most copies of a thing in a photo."""

NEARLY = 0.85
"""Share of a thing's mean correlation that each copy must reach."""


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
    return photos_count - photos_count // SPARE


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

Blob = tuple[float, float, float]
"""Middle x and y, and diameter, in elements."""


def _find_blobs(ink: Float) -> list[Blob]:
    """Circle every thing, except for those that the panel's edge may cut."""
    blobs: list[Blob] = []
    drawn = (ink[..., 0] > INK_MIN).astype(np.uint8)
    for gap_lines in GAPS_LINES:
        outlines = _find_outlines(drawn, round(gap_lines * PER_LINE))
        lost = 2 * max(0.0, -gap_lines) * PER_LINE  # By making things thinner.
        circles = []
        for outline in outlines:
            (x, y), radius = _enclose(outline)
            circles.append((x, y, 2 * radius + lost))
        pairs = _circle_near_parts(outlines) if gap_lines == WHOLE_LINES else []
        for blob in [*_drop_inner(circles), *pairs]:
            if not any(_is_same(blob, other) for other in blobs):
                blobs.append(blob)
    low = HEIGHTS_LINES[0] * PER_LINE / HEIGHTS_SLACK
    high = HEIGHTS_LINES[-1] * PER_LINE * HEIGHTS_SLACK
    blobs = [blob for blob in blobs if low <= blob[2] <= high]
    shares = _cut_discs(_mark_panel(ink[..., 1]), blobs, 1)[0].mean(axis=1)
    return [b for b, share in zip(blobs, shares, strict=True) if share > SEEN_MIN]


def _find_outlines(drawn: NDArray[np.uint8], gap: int) -> list[Outline]:
    """Outline things whose parts are *gap* elements apart at most, see GAPS_LINES."""
    side = abs(gap) + 1
    brush = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side))
    if gap < 0:
        things = cv2.erode(drawn, brush)
    else:
        things = cv2.morphologyEx(drawn, cv2.MORPH_CLOSE, brush)
    contours, _ = cv2.findContours(things, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    outlines = (np.asarray(contour, np.int32) for contour in contours)
    return [o for o in outlines if 2 * _enclose(o)[1] >= PART_LINES * PER_LINE]


def _enclose(outline: Outline) -> tuple[tuple[float, float], float]:
    """Return middle and radius of the smallest circle around an outline."""
    (x, y), radius = cv2.minEnclosingCircle(outline)
    return (float(x), float(y)), float(radius)


def _circle_near_parts(outlines: list[Outline]) -> list[Blob]:
    """Circle every two near parts, since a mask may cut a face in two."""
    circles: list[Blob] = []
    points = [outline.reshape(-1, 2).astype(np.float32) for outline in outlines]
    for first, second in combinations(points, 2):
        apart = np.abs(first.mean(axis=0) - second.mean(axis=0)).max()
        if apart > HEIGHTS_LINES[-1] * PER_LINE:
            continue
        gap = np.hypot(*(first[:, None] - second[None]).transpose(2, 0, 1)).min()
        if gap < PARTS_APART_LINES * PER_LINE:
            (x, y), radius = _enclose(np.concatenate([first, second]))
            circles.append((x, y, 2 * radius))
    return circles


def _mark_panel(trust: Float) -> Float:
    """Mark the panel with 1, see PANEL_TRUST."""
    side = round(PANEL_GAP_LINES * PER_LINE)
    brush = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side))
    shown = (trust > PANEL_TRUST).astype(np.float32)
    return np.asarray(cv2.morphologyEx(shown, cv2.MORPH_CLOSE, brush), np.float32)


def _drop_inner(circles: list[Blob]) -> list[Blob]:
    """Drop circles whose middle lies in a larger one."""
    kept: list[Blob] = []
    for circle in sorted(circles, key=lambda c: -c[2]):
        if all(math.dist(circle[:2], k[:2]) > k[2] / 2 for k in kept):
            kept.append(circle)
    return kept


def _is_same(blob: Blob, other: Blob) -> bool:
    """Tell whether two blobs are one, see SAME_BLOB."""
    is_near = math.dist(blob[:2], other[:2]) < SAME_BLOB * other[2]
    return is_near and 1 / (1 + SAME_BLOB) < blob[2] / other[2] < 1 + SAME_BLOB


def _disc_mask() -> NDArray[np.bool_]:
    """Return the mask of a disc in a square of SIDE by SIDE elements."""
    y, x = np.mgrid[:SIDE, :SIDE] - (SIDE - 1) / 2
    # A little more than the radius, so that elements on the rim belong to the disc.
    return np.asarray(np.hypot(x, y) <= SIDE / 2 + 0.3)


def _cut_discs(ink: Float, blobs: list[Blob], turns: int) -> Float:
    """Cut out each blob's disc at the first *turns* turns: (turns, blobs, elements)."""
    disc = _disc_mask()
    out = np.zeros((turns, len(blobs), int(disc.sum())), np.float32)
    softer: dict[int, Float] = {}
    middle = (SIDE - 1) / 2
    for number, (x, y, height) in enumerate(blobs):
        step = ROOM * height / SIDE
        level = max(1, int(step))
        # OpenCV's mean over an even number of elements lies half an element too far.
        off = 0.0 if level % 2 else 0.5
        if level not in softer:
            softer[level] = np.asarray(cv2.blur(ink, (level, level)), np.float32)
        for turn in range(turns):
            angle = 2 * math.pi * turn / TURNS
            c, s = step * math.cos(angle), step * math.sin(angle)
            matrix = np.array(
                [
                    [c, -s, x + off - (c - s) * middle],
                    [s, c, y + off - (s + c) * middle],
                ]
            )
            flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
            cut = cv2.warpAffine(softer[level], matrix, (SIDE, SIDE), flags=flags)
            out[turn, number] = cut[disc]
    return out


def _normalise(discs: Float) -> Float:
    """Scale discs to mean 0 and length 1; nearly blank ones stay shorter."""
    centred = discs - discs.mean(axis=2, keepdims=True)
    length = np.sqrt((centred**2).sum(axis=2, keepdims=True) + FLOOR * centred.shape[2])
    return np.asarray(centred / length, np.float32)


def find_kinds(inks: list[Float], directions: Sequence[float]) -> Iterator[list[Kind]]:
    """Yield the kinds of things that photos have in common.

    Args:
        inks: What `measure_ink` gives for each photo.
        directions: The direction across each photo's lines, in degrees, of either sign.

    Yields:
        The kinds, most promising first, for each assumption of how the photos lie to
        one another, likeliest first; nothing if any photo shows no thing.
    """
    blobs = _collect_blobs(inks)
    if len(set(blobs.owner.tolist())) == len(inks):
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
        owner=np.repeat(np.arange(len(inks)), [len(blobs) for blobs in by_photo]),
        at=np.array(list(chain.from_iterable(by_photo))).reshape(-1, 3),
        discs=np.concatenate(discs, axis=1),
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Blobs:
    """The blobs of all photos.

    Attributes:
        owner: (n,) index of each blob's photo.
        at: (n, 3) middle x and y, and height, in elements.
        discs: (TURNS, n, elements) the blob's disc at every turn, see `_normalise`.
    """

    owner: NDArray[np.intp]
    at: NDArray[np.float64]
    discs: Float

    @property
    def count(self) -> int:
        """The number of photos."""
        return int(self.owner.max(initial=-1)) + 1

    @property
    def sizes(self) -> NDArray[np.intp]:
        """The index of each blob's height in HEIGHTS_LINES: (n,)."""
        steps = np.log(self.at[:, 2] / PER_LINE / HEIGHTS_LINES[0]) / np.log(
            HEIGHT_STEP
        )
        return np.asarray(np.rint(steps), np.intp)


def _rank_poses(blobs: _Blobs, directions: Sequence[float]) -> list[NDArray[np.intp]]:
    """Return likely answers to how the photos lie to one another, likeliest first.

    An answer is (photos, photos, 2): the turn, and the difference in size, from each
    photo to each other one. All pairs of blobs that are much alike vote. Two simple
    answers need fewer votes: all photos lie upright; or all are of one print run, so
    that the directions of their lines tell how they lie, except for half a turn.
    """
    votes = _count_votes(blobs, blobs.count)
    upright, one_run = _mark_simple_answers(votes.shape, directions)
    free_total, free = _agree_on_poses(votes)
    likely: list[NDArray[np.intp]] = []
    unlikely: list[NDArray[np.intp]] = []
    for allowed in (one_run * upright, upright, one_run):
        total, poses = _agree_on_poses(votes * allowed)
        is_likely = total >= SIMPLER * free_total
        (likely if is_likely else unlikely).append(poses)
    # Of the simple answers with too few votes, the second is still tried, last.
    answers = [*likely, free, *unlikely[1:2]]
    new = []
    for number, answer in enumerate(answers):
        if not any(_is_same_answer(answer, other) for other in answers[:number]):
            new.append(answer)
    return new


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


def _is_same_answer(poses: NDArray[np.intp], other: NDArray[np.intp]) -> bool:
    """Tell whether two answers differ by a turn at most."""
    off = poses - other
    turn = np.abs((off[..., 0] + TURNS // 2) % TURNS - TURNS // 2)
    return bool(turn.max() <= 1 and not off[..., 1].any())


def _count_votes(blobs: _Blobs, count: int) -> NDArray[np.float64]:
    """Count the votes for each turn and difference in size between *count* photos.

    Returns:
        (count, count, TURNS, differences), the middle difference being 0.
    """
    sizes = len(HEIGHTS_LINES)
    # A cell holds the blobs of one size in one photo; each blob is in one cell.
    cell = blobs.owner * sizes + blobs.sizes
    cells = np.zeros((len(cell), count * sizes), np.float32)
    cells[np.arange(len(cell)), cell] = 1
    votes = np.zeros((count, count, TURNS, 2 * sizes - 1))
    # Larger things have more detail to compare, so their likeness proves more.
    large = np.asarray(blobs.at[:, 2] / blobs.at[:, 2].min(initial=1), np.float32) ** 2
    for turn in range(TURNS):
        alike = blobs.discs[0] @ blobs.discs[turn].T
        weight = np.maximum(alike - VOTE_MIN, 0) ** 2 * np.outer(large, large)
        by_cell = cells.T @ weight @ cells
        table = by_cell.reshape(count, sizes, count, sizes)
        for step in range(1 - sizes, sizes):
            diagonal = np.trace(table, offset=step, axis1=1, axis2=3)
            votes[:, :, turn, step + sizes - 1] = diagonal
    # Things that are alike at every turn, such as rings, tell nothing about turns.
    votes -= votes.mean(axis=2, keepdims=True)
    neighbours = np.roll(votes, 1, axis=2) + np.roll(votes, -1, axis=2)
    return votes + NEIGHBOUR_VOTE * neighbours


def _agree_on_poses(votes: NDArray[np.float64]) -> tuple[float, NDArray[np.intp]]:
    """Find the answer that collects the most votes, see `_rank_poses`.

    A photo's *pose* is its turn and size. Each photo comes first once; the others join
    one by one, always the photo with the most votes for its pose.

    Returns:
        The votes for the answer, and the answer.
    """
    count = len(votes)
    most, best = -np.inf, np.zeros((count, 2), np.intp)
    for first in range(count):
        poses, total = {first: (0, 0)}, 0.0
        while len(poses) < count:
            offers = {
                k: _best_pose(votes, poses, k) for k in range(count) if k not in poses
            }
            surest = max(offers, key=lambda k: offers[k][0])
            total += offers[surest][0]
            poses[surest] = offers[surest][1]
        if total > most:
            most, best = total, np.array([poses[k] for k in range(count)])
    between = best[None, :] - best[:, None]
    between[..., 0] %= TURNS
    return float(most), between


def _best_pose(
    votes: NDArray[np.float64], poses: dict[int, tuple[int, int]], photo: int
) -> tuple[float, tuple[int, int]]:
    """Find the pose of *photo* that gets the most votes of the photos in *poses*.

    Returns:
        The votes for the pose, and the pose.
    """
    steps = votes.shape[3]
    total = np.zeros((TURNS, steps))
    for other, (turn, step) in poses.items():
        moved = np.roll(votes[other, photo], turn, axis=0)
        low, high = max(0, step), min(steps, steps + step)
        total[:, low:high] += moved[:, low - step : high - step]
    turn, step = divmod(int(total.argmax()), steps)
    return float(total.max()), (turn, step - steps // 2)


def _compare(blobs: _Blobs, poses: NDArray[np.intp]) -> tuple[Float, NDArray[np.int8]]:
    """Compare all pairs of blobs that fit *poses*, an answer of `_rank_poses`.

    Returns:
        (n, n) correlations, -1 for pairs whose sizes do not fit; (n, n) their turns.
    """
    count = len(blobs.at)
    alike = np.full((count, count), -1.0, np.float32)
    turned = np.zeros((count, count), np.int8)
    groups = [np.flatnonzero(blobs.owner == photo) for photo in range(blobs.count)]
    for photo, rows in enumerate(groups):
        for other, columns in enumerate(groups):
            turn, step = poses[photo, other].tolist()
            unturned = blobs.discs[0][rows]
            best = np.full((len(rows), len(columns)), -1.0, np.float32)
            best_turn = np.zeros(best.shape, np.int8)
            for near in range(turn - TURNS_APART, turn + TURNS_APART + 1):
                scores = unturned @ blobs.discs[near % TURNS][columns].T
                better = scores > best
                best[better] = scores[better]
                best_turn[better] = near % TURNS
            apart = blobs.sizes[columns][None, :] - blobs.sizes[rows][:, None] - step
            best[np.abs(apart) > SIZES_APART] = -1
            alike[np.ix_(rows, columns)] = best
            turned[np.ix_(rows, columns)] = best_turn
    return alike, turned


def _rank_kinds(blobs: _Blobs, alike: Float, turned: NDArray[np.int8]) -> list[Kind]:
    """List pairs of exclusive things, then kinds that all photos share."""
    support = np.zeros((len(blobs.at), blobs.count))
    for photo in range(blobs.count):
        own = np.flatnonzero(blobs.owner == photo)
        if len(own) > COPIES:
            support[:, photo] = _average_best(alike[:, own], blobs.at[own])
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
    def preferred(self) -> NDArray[np.float64]:
        """The factor by which each blob's size raises its worth, see LARGER: (n,)."""
        heights = self.blobs.at[:, 2] / PER_LINE / HEIGHTS_LINES[0]
        return np.asarray(heights**LARGER)

    def hit(self, blob: int, turn: int, score: float) -> Hit:
        """Return the place of a blob, in line periods."""
        x, y, height = (self.blobs.at[blob] / PER_LINE).tolist()
        angle = 2 * math.pi * turn / TURNS
        return Hit(int(self.blobs.owner[blob]), x, y, height, angle, score)

    def hits(self, blob: int, members: NDArray[np.intp], turn: int = 0) -> list[Hit]:
        """Return the places of members most like a blob, up to HITS_MAX in a photo.

        Of members that overlap only the best is kept.
        """
        by_photo: dict[int, list[Hit]] = {}
        for member in members[np.argsort(-self.alike[blob, members])].tolist():
            score = float(self.alike[blob, member])
            hit = self.hit(member, int(self.turned[blob, member]) + turn, score)
            kept = by_photo.setdefault(hit.photo, [])
            is_apart = all(
                math.hypot(hit.x - k.x, hit.y - k.y) >= COPIES_APART * k.height_lines
                for k in kept
            )
            if len(kept) < HITS_MAX and is_apart:
                kept.append(hit)
        return sorted(
            chain.from_iterable(by_photo.values()), key=lambda hit: -hit.score
        )


def _find_shared(table: _Similarity) -> list[Kind]:
    """Find kinds that all photos share, except for a few poor photos, best first.

    A blob belongs to one kind only, so that faces do not mix with similar symbols.
    """
    blobs, least = table.blobs, least_shown(table.blobs.count)
    free = np.ones(len(blobs.at), bool)  # Blobs that belong to no kind yet.
    kinds: list[Kind] = []
    for _ in range(ROUNDS_MAX):
        sure = (table.alike > SURE_MIN) & free[None, :] & free[:, None]
        shown = np.stack(
            [sure[:, blobs.owner == p].sum(axis=1) for p in range(blobs.count)], axis=1
        )
        worth = np.minimum(shown, COPIES).sum(axis=1) * table.preferred
        best = int(worth.argmax())
        if shown[best].max(initial=0) == 0:
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
    """Find pairs of things that are somewhat alike, but never in the same photo.

    If the mask is large, a face with it and without it is such a pair.
    """
    least = least_shown(table.blobs.count)
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
    """A blob that only these photos show."""

    blob: int
    photos: frozenset[int]


def _pair_exclusive(
    table: _Similarity, least: int
) -> list[tuple[float, _Exclusive, _Exclusive]]:
    """Pair exclusive blobs of two disjoint sets of photos, best first.

    Together the sets hold *least* photos or more.

    Returns:
        The worth of each pair, and its two blobs.
    """
    pairs = []
    groups = _find_exclusive(table)
    for some, others in combinations(groups, 2):
        if some & others or len(some | others) < least:
            continue
        for blob, partner in product(groups[some], groups[others]):
            alike = float(table.alike[blob, partner])
            if alike < PAIR_MIN:
                continue
            support = np.concatenate(
                [table.support[blob, list(some)], table.support[partner, list(others)]]
            )
            worth = float(support.mean()) + PAIR_GAIN * alike
            worth *= float(table.preferred[blob] * table.preferred[partner]) ** 0.5
            pairs.append((worth, _Exclusive(blob, some), _Exclusive(partner, others)))
    pairs.sort(key=lambda pair: -pair[0])
    return pairs


def _place_copies(table: _Similarity, exclusive: _Exclusive, turn: int) -> list[Hit]:
    blob, photos = exclusive
    usual = float(table.support[blob, list(photos)].mean())
    members = np.flatnonzero(table.alike[blob] >= NEARLY * usual)
    return [hit for hit in table.hits(blob, members, turn) if hit.photo in photos]


def _find_exclusive(table: _Similarity) -> dict[frozenset[int], list[int]]:
    """Find blobs that some photos show and the others do not.

    Returns:
        For each set of photos, the blobs that exactly these show, best first.
    """
    order = np.argsort(-table.support, axis=1)
    falling = -np.sort(-table.support, axis=1)
    gaps = falling[:, :-1] - falling[:, 1:]
    groups: dict[frozenset[int], list[tuple[float, int]]] = {}
    for blob in range(len(order)):
        inner = gaps[blob, 1:-1]  # Two photos or more on either side of the gap.
        if not inner.size:
            continue
        count = int(inner.argmax()) + 2
        photos = frozenset(order[blob, :count].tolist())
        level = float(falling[blob, :count].mean())
        is_clear = inner.max() >= GAP_MIN and level >= LEVEL_MIN
        if is_clear and table.blobs.owner[blob] in photos:
            worth = level * float(table.preferred[blob])
            groups.setdefault(photos, []).append((worth, blob))
    best: dict[frozenset[int], list[int]] = {}
    for photos, ranked in groups.items():
        best[photos] = [blob for _, blob in sorted(ranked, reverse=True)[:GROUP_MAX]]
    return best


def _average_best(alike: Float, at: NDArray[np.float64]) -> NDArray[np.float64]:
    """Average each blob's correlation with its two best copies in a photo.

    Args:
        alike: (n, blobs of the photo) correlations.
        at: (blobs of the photo, 3) see `_Blobs`; the copies must be COPIES_APART.
    """
    best = alike.argmax(axis=1)
    rows = np.arange(len(alike))
    total = alike[rows, best].astype(np.float64)
    gap = np.hypot(at[:, 0] - at[best, 0][:, None], at[:, 1] - at[best, 1][:, None])
    rest = np.where(gap > COPIES_APART * at[best, 2][:, None], alike, -1)
    return np.asarray((total + rest.max(axis=1)) / COPIES)
