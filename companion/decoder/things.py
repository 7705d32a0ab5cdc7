"""Finding the things that hidden pictures have in common: faces, hats, dollar signs.

A thing is a blob that stands apart from its neighbours. Every thing of every photo is
brought to one size and compared with all others at every turn, so that notes may lie any
way up, and may be printed with lines of another pitch and direction.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.decoder.phase import Field

Float = NDArray[np.float32]

PER_LINE = 1.5
"""Elements a line period at which things are sought."""

HEIGHT_STEP = 1.22
HEIGHTS_LINES = tuple(10 * HEIGHT_STEP**k for k in range(7))
"""Heights of things that are sought, 10 to 33 line periods: a face is 6 to 10 mm high,
and lines are 0.25 to 0.60 mm apart."""

BLOB_SIGMA = 0.27
"""Blur that makes one blob of a thing, as a share of its height."""

BLOB_MIN = 0.02
"""Least difference of two blurs at the middle of a blob, of at most 1."""

SIDE, TURNS = 16, 24
"""Things are compared as discs of so many elements, at so many turns."""

ROOM = 1.15
"""Width of what is compared, as a multiple of the thing's height."""

VOTE_MIN = 0.75
"""Correlation from which a pair of blobs votes for how two photos lie."""

TURNS_APART, SIZES_APART = 2, 1
"""How many turns and sizes the copies of a thing may differ from how photos lie."""

COPIES = 2
"""How many copies of a face are expected in every photo."""

KINDS_MAX = 20
CELL_LINES = 4.0
"""Side of the cells in which places are told, in line periods."""

SAME_PLACES = 0.6
"""A kind is the same as a better one if this share of its copies lies on copies of
that."""

LARGER = 0.1
"""A kind that is twice as large is worth 2 ** LARGER times as much: a part of a thing
recurs as well as the thing."""

FLOOR = 0.0075
"""Added to the variance of a disc, so that blank paper is like nothing."""

SURE_MIN = 0.75
"""Correlation from which a place is surely a copy."""

HITS_MAX = 6
HIT_MIN = 0.45
"""Least correlation of a copy with the first thing of its kind."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A place in one photo that looks like a kind of thing.

    Attributes:
        photo: Index of the photo.
        x, y: Its middle, in line periods from the first element of the field.
        height_lines: Its height in line periods.
        turn: Angle in radians from the kind's first thing to it, growing towards down.
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
        score: Mean correlation of its best COPIES in every photo, the worst photo
            left out.
        first: The thing that the others are compared with.
        hits: Its places in all photos, the first thing among them.
    """

    score: float
    first: Hit
    hits: tuple[Hit, ...]

    def without(self, photo: int) -> Kind | None:
        """The kind as if one photo had never been taken; None if nothing is left."""
        rest = tuple(hit for hit in self.hits if hit.photo != photo)
        if self.first.photo != photo or not rest:
            return replace(self, hits=rest) if rest else None
        first = rest[0]
        turned = tuple(replace(h, turn=h.turn - first.turn) for h in rest)
        return Kind(self.score, turned[0], turned)


def ink_of(field: Field, sign: float) -> Float:
    """How much of the hidden picture is at each place, 0..1, PER_LINE elements a line."""
    shown = (np.clip(sign * field.soft, -1, 1) + 1) / 2 * field.weight
    scale = PER_LINE / field.samples_per_line
    small = cv2.resize(
        shown.astype(np.float32), None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA
    )
    return np.asarray(small, np.float32)


def _blobs(ink: Float) -> list[tuple[float, float, float]]:
    """Middle x and y, and height, of every blob in elements."""
    found: list[tuple[float, float, float]] = []
    for height in (lines * PER_LINE for lines in HEIGHTS_LINES):
        if height > 0.9 * min(ink.shape):
            break
        scale = min(1.0, 12 / height)
        small = cv2.resize(ink, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        sigma = BLOB_SIGMA * height * scale
        near, far = (
            cv2.GaussianBlur(small, (0, 0), s, borderType=cv2.BORDER_CONSTANT)
            for s in (sigma, 1.6 * sigma)
        )
        above = near - far
        wide = cv2.dilate(above, np.ones((3, 3), np.uint8))
        ys, xs = np.nonzero((above >= wide) & (above > BLOB_MIN))
        found.extend(
            ((x + 0.5) / scale - 0.5, (y + 0.5) / scale - 0.5, height)
            for x, y in zip(xs.tolist(), ys.tolist(), strict=True)
        )
    return found


def _disc() -> NDArray[np.bool_]:
    y, x = np.mgrid[:SIDE, :SIDE] - (SIDE - 1) / 2
    return np.asarray(np.hypot(x, y) <= SIDE / 2 + 0.3)


def _cut(ink: Float, blobs: list[tuple[float, float, float]]) -> Float:
    """(TURNS, blobs, elements of the disc): every blob at every turn, normalised."""
    disc = _disc()
    out = np.zeros((TURNS, len(blobs), int(disc.sum())), np.float32)
    softer: dict[int, Float] = {}
    middle = (SIDE - 1) / 2
    for number, (x, y, height) in enumerate(blobs):
        step = ROOM * height / SIDE
        level = max(1, int(step))
        if level not in softer:
            softer[level] = np.asarray(cv2.blur(ink, (level, level)), np.float32)
        for turn in range(TURNS):
            angle = 2 * math.pi * turn / TURNS
            c, s = step * math.cos(angle), step * math.sin(angle)
            matrix = np.array(
                [[c, -s, x - (c - s) * middle], [s, c, y - (s + c) * middle]]
            )
            flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
            cut = cv2.warpAffine(softer[level], matrix, (SIDE, SIDE), flags=flags)
            out[turn, number] = cut[disc]
    return out


def _rim(discs: Float) -> Float:
    """Mean ink on the rim of every disc: next to nothing around a whole thing."""
    y, x = np.mgrid[:SIDE, :SIDE] - (SIDE - 1) / 2
    rim = (np.hypot(x, y) > SIDE / 2 - 1)[_disc()]
    return np.asarray(discs[:, rim].mean(axis=1), np.float32)


def _even(discs: Float) -> Float:
    """The discs with mean 0 and length 1; those that are nearly blank are shorter."""
    even = discs - discs.mean(axis=2, keepdims=True)
    even /= np.sqrt((even**2).sum(axis=2, keepdims=True) + FLOOR * even.shape[2])
    return np.asarray(even, np.float32)


def kinds_in(inks: list[Float]) -> list[Kind]:
    """Kinds of things that photos have in common, best first.

    Args:
        inks: What `ink_of` gives for each photo.
    """
    found = [_blobs(ink) for ink in inks]
    discs = [_cut(ink, blobs) for ink, blobs in zip(inks, found, strict=True)]
    blobs = _Blobs(
        owner=np.repeat(np.arange(len(inks)), [len(one) for one in found]),
        at=np.array([blob for one in found for blob in one]).reshape(-1, 3),
        whole=1 - np.concatenate([_rim(one[0]) for one in discs]),
        discs=np.concatenate([_even(one) for one in discs], axis=1),
    )
    return _ranked(blobs, *_compared(blobs, _poses(blobs)))


@dataclass(frozen=True, slots=True, eq=False)
class _Blobs:
    """The blobs of all photos.

    Attributes:
        owner: (n,) index of each blob's photo.
        at: (n, 3) its middle x and y, and its height, in elements.
        whole: (n,) 1 if there is no ink around it, 0 if there is nothing else.
        discs: (TURNS, n, elements) what it shows at every turn, of length 1.
    """

    owner: NDArray[np.intp]
    at: NDArray[np.float64]
    whole: Float
    discs: Float

    @property
    def count(self) -> int:
        """How many photos there are."""
        return int(self.owner.max(initial=-1)) + 1

    @property
    def sizes(self) -> NDArray[np.intp]:
        """(n,) number of each blob's height among HEIGHTS_LINES."""
        steps = np.log(self.at[:, 2] / PER_LINE / HEIGHTS_LINES[0]) / np.log(
            HEIGHT_STEP
        )
        return np.rint(steps).astype(np.intp)


def _poses(blobs: _Blobs) -> NDArray[np.intp]:
    """How each photo lies to each other one: (photos, photos, 2) turn and size steps.

    All pairs of blobs that are much alike vote; things without a direction of their own
    vote for every turn alike.
    """
    sizes = len(HEIGHTS_LINES)
    cell = blobs.owner * sizes + blobs.sizes
    cells = np.zeros((len(cell), blobs.count * sizes), np.float32)
    cells[np.arange(len(cell)), cell] = 1
    votes = np.zeros((blobs.count, blobs.count, TURNS, 2 * sizes - 1))
    for turn in range(TURNS):
        alike = blobs.discs[0] @ blobs.discs[turn].T
        weight = np.maximum(alike - VOTE_MIN, 0) ** 2
        table = (cells.T @ weight @ cells).reshape(
            blobs.count, sizes, blobs.count, sizes
        )
        for step in range(1 - sizes, sizes):
            diagonal = np.trace(table, offset=step, axis1=1, axis2=3)
            votes[:, :, turn, step + sizes - 1] = diagonal
    # A vote counts for its neighbours as well, all the way round.
    votes = votes + np.roll(votes, 1, axis=2) + np.roll(votes, -1, axis=2)
    best = votes.reshape(blobs.count, blobs.count, -1).argmax(axis=2)
    turns, steps = np.divmod(best, 2 * sizes - 1)
    poses = np.stack([turns, steps - sizes + 1], axis=2)
    poses[np.arange(blobs.count), np.arange(blobs.count)] = 0
    return poses


def _compared(blobs: _Blobs, poses: NDArray[np.intp]) -> tuple[Float, NDArray[np.int8]]:
    """How alike all pairs of blobs are that fit the poses, and at which turn.

    Returns:
        (n, n) correlations, -1 for pairs whose sizes do not fit, and (n, n) turns.
    """
    count = len(blobs.at)
    alike = np.full((count, count), -1.0, np.float32)
    turned = np.zeros((count, count), np.int8)
    groups = [np.flatnonzero(blobs.owner == photo) for photo in range(blobs.count)]
    for one, rows in enumerate(groups):
        for other, columns in enumerate(groups):
            turn, step = poses[one, other].tolist()
            first = blobs.discs[0][rows]
            block = np.full((len(rows), len(columns)), -1.0, np.float32)
            at = np.zeros(block.shape, np.int8)
            for near in range(turn - TURNS_APART, turn + TURNS_APART + 1):
                scores = first @ blobs.discs[near % TURNS][columns].T
                better = scores > block
                block[better] = scores[better]
                at[better] = near % TURNS
            apart = blobs.sizes[columns][None, :] - blobs.sizes[rows][:, None] - step
            block[np.abs(apart) > SIZES_APART] = -1
            alike[np.ix_(rows, columns)] = block
            turned[np.ix_(rows, columns)] = at
    return alike, turned


def _ranked(blobs: _Blobs, alike: Float, turned: NDArray[np.int8]) -> list[Kind]:
    """The kinds, best first."""
    owner, at, count = blobs.owner, blobs.at, blobs.count
    means = np.zeros((len(at), count))
    for photo in range(count):
        own = np.flatnonzero(owner == photo)
        if len(own) > COPIES:
            means[:, photo] = _best_apart(alike[:, own], at[own])
    worth = np.sort(means, axis=1)[:, 1:].mean(axis=1)
    worth = worth * blobs.whole * (at[:, 2] / at[:, 2].min(initial=1)) ** LARGER
    cells = np.rint(at[:, :2] / PER_LINE / CELL_LINES).astype(int).tolist()
    places = [(p, x, y) for p, (x, y) in zip(owner.tolist(), cells, strict=True)]
    kinds: list[Kind] = []
    taken: list[set[tuple[int, int, int]]] = []
    for i in np.argsort(-worth).tolist():
        sure = {places[j] for j in np.flatnonzero(alike[i] > SURE_MIN).tolist()}
        if any(len(sure & t) >= SAME_PLACES * len(sure) for t in taken):
            continue
        hits = _hits(i, alike, turned, owner, at)
        if len(hits) < count:
            continue
        near = (-1, 0, 1)
        taken.append(
            {(p, x + a, y + b) for p, x, y in sure for a in near for b in near}
        )
        kinds.append(Kind(float(worth[i]), _hit(i, 0, 1.0, owner, at), tuple(hits)))
        if len(kinds) == KINDS_MAX:
            break
    return kinds


def _best_apart(alike: Float, at: NDArray[np.float64]) -> NDArray[np.float64]:
    """Mean correlation of each thing's best COPIES in one photo, which lie apart."""
    best = alike.argmax(axis=1)
    rows = np.arange(len(alike))
    total = alike[rows, best].astype(np.float64)
    gap = np.hypot(at[:, 0] - at[best, 0][:, None], at[:, 1] - at[best, 1][:, None])
    rest = np.where(gap > 0.5 * at[best, 2][:, None], alike, -1)
    return np.asarray((total + rest.max(axis=1)) / COPIES)


def _hit(
    i: int, turn: int, score: float, owner: NDArray[np.intp], at: NDArray[np.float64]
) -> Hit:
    x, y, height = (at[i] / PER_LINE).tolist()
    return Hit(int(owner[i]), x, y, height, 2 * math.pi * turn / TURNS, score)


def _hits(
    i: int,
    alike: Float,
    turned: NDArray[np.int8],
    owner: NDArray[np.intp],
    at: NDArray[np.float64],
) -> list[Hit]:
    """Places like thing *i*, at most HITS_MAX in a photo, none on a better one."""
    kept: list[Hit] = []
    counts: dict[int, int] = {}
    for j in np.argsort(-alike[i]).tolist():
        score = float(alike[i, j])
        if score < HIT_MIN:
            break
        hit = _hit(j, int(turned[i, j]), score, owner, at)
        near = (
            math.hypot(hit.x - k.x, hit.y - k.y) < 0.5 * k.height_lines
            for k in kept
            if k.photo == hit.photo
        )
        if counts.get(hit.photo, 0) < HITS_MAX and not any(near):
            kept.append(hit)
            counts[hit.photo] = counts.get(hit.photo, 0) + 1
    return kept
