"""Finding the things that hidden pictures have in common: faces, hats, dollar signs.

A thing is a blob that stands apart from its neighbours. Every thing of every photo is
brought to one size and compared with all others at every turn, so that notes may lie
any way up, and may be printed with lines of another pitch and direction.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.decoder.phase import Field

Float = NDArray[np.float32]

PER_LINE = 1.5
"""Elements a line period at which things are sought."""

HEIGHT_STEP = 1.22
HEIGHTS_LINES = tuple(10 * HEIGHT_STEP**k for k in range(8))
"""Heights of things that are sought, 10 to 40 line periods: a face is 6 to 10 mm high,
and lines are 0.25 to 0.60 mm apart."""

INK_MIN = 0.45
"""Ink from which a place belongs to a thing; between lines a quarter of a period apart
blank paper has up to 0.25."""

WHOLE_LINES = 1.0
GAPS_LINES = (WHOLE_LINES, 2.4, 0.0, -1.0)
"""Parts of things that are as near to one another, in line periods, belong together: as
a rule; where things are broken; where they nearly touch; and where they touch, so that
they are made thinner."""

PARTS_APART_LINES = 5.0
"""The two parts into which a mask cuts a face are no farther apart than this."""

PANEL_GAP_LINES = 6.0
"""Holes in a panel that are no wider than this belong to it."""

PART_LINES = 3.0
"""Least width of a part, in line periods: less is noise."""

SEEN_MIN = 0.93
"""Share of a thing's disc that must lie where the panel can be trusted."""

SIDE, TURNS = 16, 24
"""Things are compared as discs of so many elements, at so many turns."""

ROOM = 1.08
"""Width of what is compared, as a multiple of the thing's height."""

VOTE_MIN = 0.6
"""Correlation from which a pair of blobs votes for how two photos lie."""

SIMPLER = 0.8
"""Share of the votes that a simple answer needs, of those that the best answer has."""

TURNS_APART, SIZES_APART = 2, 1
"""How many turns and sizes the copies of a thing may differ from how photos lie."""

COPIES = 2
"""How many copies of a face are expected in every photo."""

SHARED_MAX, PAIRS_MAX = 14, 4
"""How many kinds of each sort are tried."""

SPARE = 4
"""Of so many photos, one may be too poor to show a thing."""

GAP_MIN, LEVEL_MIN, GROUP_MAX = 0.05, 0.7, 12
"""A thing is in some photos only if its correlation falls by the first between them and
the others, and has the second in them; so many such things of any photos are paired."""

PAIR_MIN, PAIR_GAIN = 0.35, 0.5
"""Least correlation of two faces with and without mask, and what it is worth."""

ROUNDS_MAX = 40
"""How many kinds are told apart, those that few photos show among them."""

LARGER = 0.4
"""A kind that is twice as large is worth 2 ** LARGER times as much: symbols are smaller
than faces, as a rule."""

FLOOR = 0.0075
"""Added to the variance of a disc, so that blank paper is like nothing."""

SURE_MIN = 0.8
"""Correlation from which a place is surely a copy."""

HITS_MAX = 8
NEARLY = 0.85
"""Most copies of a thing in a photo, and the share of its usual correlation that each
must have."""


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
        score: How promising it is; to be compared between pairs, or between kinds
            that all photos share.
        first: The thing that the others are compared with.
        hits: Its places in all photos, the first thing among them.
    """

    score: float
    first: Hit
    hits: tuple[Hit, ...]


def ink_of(field: Field, sign: float) -> Float:
    """Measure what `kinds_in` needs of a hidden picture.

    Returns:
        (rows, columns, 2) float32, 0..1, PER_LINE elements a line: how much of the
        picture is at each place, and how far it can be trusted.
    """
    shown = (np.clip(sign * field.soft, -1, 1) + 1) / 2 * field.weight
    scale = PER_LINE / field.samples_per_line
    pair = np.stack([shown, field.weight], axis=2).astype(np.float32)
    small = cv2.resize(pair, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.float32)


def off_the_edge(ink: Float) -> Float:
    """Leave out ink that hangs together with the panel's edge.

    Beside an interlaced panel bare paper may look like ink, and would join all things
    that touch it.
    """
    beyond = ink[..., 1] < 0.5
    drawn = (beyond | (ink[..., 0] > INK_MIN)).astype(np.uint8)
    _, parts = cv2.connectedComponents(drawn)
    joined = np.isin(parts, np.unique(parts[beyond]))
    shown = np.where(joined, np.float32(0), ink[..., 0])
    return np.stack([shown, ink[..., 1]], axis=2)


Outline = NDArray[np.int32] | Float
"""(points, 1, 2) or (points, 2): x and y, in elements."""

Blob = tuple[float, float, float]
"""Middle x and y, and diameter, in elements."""


def _blobs(ink: Float) -> list[Blob]:
    """Circle every thing in a picture of ink and trust, see `ink_of`.

    Those on the panel's edge are left out: it cuts things into all sorts of shapes.
    """
    found: list[Blob] = []
    drawn = (ink[..., 0] > INK_MIN).astype(np.uint8)
    for lines in GAPS_LINES:
        outlines = _outlines(drawn, round(lines * PER_LINE))
        # What was made thinner, to tell things apart that touch, is as wide as before.
        more = 2 * max(0.0, -lines) * PER_LINE
        circles = [(x, y, 2 * r + more) for (x, y), r in map(_circle, outlines)]
        pairs = _two_parts(outlines) if lines == WHOLE_LINES else []
        for blob in [*_joined(circles), *pairs]:
            if not any(_is_same(blob, other) for other in found):
                found.append(blob)
    low, high = HEIGHTS_LINES[0] * PER_LINE / 1.1, HEIGHTS_LINES[-1] * PER_LINE * 1.1
    found = [blob for blob in found if low <= blob[2] <= high]
    seen = _cut(_panel(ink[..., 1]), found, 1)[0].mean(axis=1)
    return [blob for blob, share in zip(found, seen, strict=True) if share > SEEN_MIN]


def _outlines(drawn: NDArray[np.uint8], gap: int) -> list[Outline]:
    """Outline things, their parts joined or, if *gap* is negative, taken apart.

    *gap* is in elements.
    """
    brush = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, 2 * (abs(gap) + 1,))
    if gap < 0:
        made = cv2.erode(drawn, brush)
    else:
        made = cv2.morphologyEx(drawn, cv2.MORPH_CLOSE, brush)
    found, _ = cv2.findContours(made, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    outlines = (np.asarray(outline, np.int32) for outline in found)
    return [o for o in outlines if 2 * _circle(o)[1] >= PART_LINES * PER_LINE]


def _circle(outline: Outline) -> tuple[tuple[float, float], float]:
    (x, y), radius = cv2.minEnclosingCircle(outline)
    return (float(x), float(y)), float(radius)


def _two_parts(outlines: list[Outline]) -> list[Blob]:
    """Circle every two parts that are near: a mask may cut a face."""
    found = []
    points = [outline.reshape(-1, 2).astype(np.float32) for outline in outlines]
    for one, other in combinations(points, 2):
        apart = np.abs(one.mean(axis=0) - other.mean(axis=0)).max()
        if apart > HEIGHTS_LINES[-1] * PER_LINE:
            continue
        gap = np.hypot(*(one[:, None] - other[None]).transpose(2, 0, 1)).min()
        if gap < PARTS_APART_LINES * PER_LINE:
            (x, y), radius = _circle(np.concatenate([one, other]))
            found.append((x, y, 2 * radius))
    return found


def _panel(trust: Float) -> Float:
    """Mark with 1 where the panel is, though edges of things are little trusted."""
    side = round(PANEL_GAP_LINES * PER_LINE)
    brush = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side))
    shown = (trust > 0.3).astype(np.float32)
    return np.asarray(cv2.morphologyEx(shown, cv2.MORPH_CLOSE, brush), np.float32)


def _joined(circles: list[Blob]) -> list[Blob]:
    """Circles of which none has its middle in another: those are parts of one thing."""
    kept: list[Blob] = []
    for circle in sorted(circles, key=lambda c: -c[2]):
        if all(math.dist(circle[:2], k[:2]) > k[2] / 2 for k in kept):
            kept.append(circle)
    return kept


def _is_same(one: Blob, other: Blob) -> bool:
    near = math.dist(one[:2], other[:2]) < 0.1 * other[2]
    return near and 1 / 1.1 < one[2] / other[2] < 1.1


def _disc() -> NDArray[np.bool_]:
    y, x = np.mgrid[:SIDE, :SIDE] - (SIDE - 1) / 2
    return np.asarray(np.hypot(x, y) <= SIDE / 2 + 0.3)


def _cut(ink: Float, blobs: list[Blob], turns: int) -> Float:
    """Return (turns, blobs, elements): every blob's disc at the first *turns* turns."""
    disc = _disc()
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


def _even(discs: Float) -> Float:
    """Scale discs to mean 0 and length 1; those that are nearly blank stay shorter."""
    even = discs - discs.mean(axis=2, keepdims=True)
    even /= np.sqrt((even**2).sum(axis=2, keepdims=True) + FLOOR * even.shape[2])
    return np.asarray(even, np.float32)


def kinds_in(inks: list[Float], carriers: Sequence[float]) -> Iterator[list[Kind]]:
    """Kinds of things that photos have in common, the most promising ones first.

    Args:
        inks: What `ink_of` gives for each photo.
        carriers: The direction of each photo's carrier, in degrees; its sign is
            arbitrary.

    Yields:
        The kinds for each way in which the photos may lie to one another, the
        likeliest way first.
    """
    blobs = _blobs_in(inks)
    if len(set(blobs.owner.tolist())) == len(inks):
        for poses in _poses(blobs, carriers):
            yield _ranked(blobs, *_compared(blobs, poses))


def agreement(inks: list[Float]) -> NDArray[np.float64]:
    """Return how much the things of any two pictures have in common, 0 and more.

    Args:
        inks: What `ink_of` gives for each picture.

    Returns:
        (pictures, pictures): the most votes for one way in which both lie; 0 for a
        picture and itself.
    """
    most = np.asarray(_votes(_blobs_in(inks), len(inks)).max(axis=(2, 3)))
    np.fill_diagonal(most, 0)
    return most


def _blobs_in(inks: list[Float]) -> _Blobs:
    found = [_blobs(ink) for ink in inks]
    discs = [
        _cut(ink[..., 0], blobs, TURNS) for ink, blobs in zip(inks, found, strict=True)
    ]
    return _Blobs(
        owner=np.repeat(np.arange(len(inks)), [len(one) for one in found]),
        at=np.array([blob for one in found for blob in one]).reshape(-1, 3),
        discs=np.concatenate([_even(one) for one in discs], axis=1),
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Blobs:
    """The blobs of all photos.

    Attributes:
        owner: (n,) index of each blob's photo.
        at: (n, 3) its middle x and y, and its height, in elements.
        discs: (TURNS, n, elements) what it shows at every turn, of length 1.
    """

    owner: NDArray[np.intp]
    at: NDArray[np.float64]
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
        return np.asarray(np.rint(steps), np.intp)


def _poses(blobs: _Blobs, carriers: Sequence[float]) -> list[NDArray[np.intp]]:
    """Return (photos, photos, 2): the turn and size steps between every two photos.

    All pairs of blobs that are much alike vote. Simple answers need fewer votes: that
    all photos are of one print run, so that their carriers tell how they lie, but for
    half a turn; or that all lie upright. The likeliest answer comes first.
    """
    votes = _votes(blobs, blobs.count)
    steps = votes.shape[3]
    middle = steps // 2
    turns = np.array(carriers) * TURNS / 360
    between = np.rint(turns[None, :] - turns[:, None]).astype(int)
    one_run, upright = np.zeros_like(votes), np.zeros_like(votes)
    for near in (-1, 0, 1):
        upright[:, :, near % TURNS] = 1
        for half in (0, TURNS // 2):
            at = (between + near + half) % TURNS
            rows, columns = np.indices(at.shape)
            one_run[rows, columns, at, middle] = 1
    free, found = _agreed(votes)
    likely: list[NDArray[np.intp]] = []
    later: list[NDArray[np.intp]] = []
    for allowed in (one_run * upright, upright, one_run):
        total, poses = _agreed(votes * allowed)
        (likely if total >= SIMPLER * free else later).append(poses)
    every = [*likely, found, *later[1:2]]
    return [poses for k, poses in enumerate(every) if not _is_among(poses, every[:k])]


def _is_among(poses: NDArray[np.intp], others: list[NDArray[np.intp]]) -> bool:
    """Tell whether some of *others* differs from these poses by a turn step at most."""
    for other in others:
        off = poses - other
        turn = np.abs((off[..., 0] + TURNS // 2) % TURNS - TURNS // 2)
        if turn.max() <= 1 and not off[..., 1].any():
            return True
    return False


def _votes(blobs: _Blobs, count: int) -> NDArray[np.float64]:
    """Return (photos, photos, TURNS, steps): votes for turn and size between two."""
    sizes = len(HEIGHTS_LINES)
    cell = blobs.owner * sizes + blobs.sizes
    cells = np.zeros((len(cell), count * sizes), np.float32)
    cells[np.arange(len(cell)), cell] = 1
    votes = np.zeros((count, count, TURNS, 2 * sizes - 1))
    # The larger a thing, the more there is in it to be alike.
    large = np.asarray(blobs.at[:, 2] / blobs.at[:, 2].min(initial=1), np.float32) ** 2
    for turn in range(TURNS):
        alike = blobs.discs[0] @ blobs.discs[turn].T
        weight = np.maximum(alike - VOTE_MIN, 0) ** 2 * np.outer(large, large)
        table = (cells.T @ weight @ cells).reshape(2 * (count, sizes))
        for step in range(1 - sizes, sizes):
            diagonal = np.trace(table, offset=step, axis1=1, axis2=3)
            votes[:, :, turn, step + sizes - 1] = diagonal
    # What is alike at every turn tells nothing about turns.
    votes -= votes.mean(axis=2, keepdims=True)
    # A vote counts for its neighbours as well, all the way round.
    return votes + 0.6 * (np.roll(votes, 1, axis=2) + np.roll(votes, -1, axis=2))


def _agreed(votes: NDArray[np.float64]) -> tuple[float, NDArray[np.intp]]:
    """Find the poses of all photos that agree best with all votes, and how many do.

    Beginning with each photo in turn, the others join one by one, the surest first.
    """
    count = len(votes)
    best, found = -np.inf, np.zeros((count, 2), np.intp)
    for first in range(count):
        pose, total = {first: (0, 0)}, 0.0
        while len(pose) < count:
            wanted = {k: _asked(votes, pose, k) for k in range(count) if k not in pose}
            surest = max(wanted, key=lambda k: wanted[k][0])
            total += wanted[surest][0]
            pose[surest] = wanted[surest][1]
        if total > best:
            best, found = total, np.array([pose[k] for k in range(count)])
    between = found[None, :] - found[:, None]
    between[..., 0] %= TURNS
    return float(best), between


def _asked(
    votes: NDArray[np.float64], pose: dict[int, tuple[int, int]], photo: int
) -> tuple[float, tuple[int, int]]:
    """Return where the photos that have a pose want another one, and how much."""
    steps = votes.shape[3]
    total = np.zeros((TURNS, steps))
    for other, (turn, step) in pose.items():
        moved = np.roll(votes[other, photo], turn, axis=0)
        low, high = max(0, step), min(steps, steps + step)
        total[:, low:high] += moved[:, low - step : high - step]
    turn, step = divmod(int(total.argmax()), steps)
    return float(total.max()), (turn, step - steps // 2)


def _compared(blobs: _Blobs, poses: NDArray[np.intp]) -> tuple[Float, NDArray[np.int8]]:
    """Return how alike all pairs of blobs are that fit the poses, and the turn.

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
    """Kinds that all photos share, and kinds of which every photo has one of two."""
    support = np.zeros((len(blobs.at), blobs.count))
    for photo in range(blobs.count):
        own = np.flatnonzero(blobs.owner == photo)
        if len(own) > COPIES:
            support[:, photo] = _best_apart(alike[:, own], blobs.at[own])
    table = _Table(blobs, alike, turned, support)
    return [*_pairs(table), *_shared(table)]


@dataclass(frozen=True, slots=True, eq=False)
class _Table:
    """How alike all blobs are.

    Attributes:
        alike, turned: See `_compared`.
        support: (n, photos) mean correlation of each blob's best COPIES in each photo.
    """

    blobs: _Blobs
    alike: Float
    turned: NDArray[np.int8]
    support: NDArray[np.float64]

    @property
    def preferred(self) -> NDArray[np.float64]:
        """(n,) by which support is multiplied: large things first."""
        heights = self.blobs.at[:, 2] / PER_LINE / HEIGHTS_LINES[0]
        return np.asarray(heights**LARGER)

    def hit(self, blob: int, turn: int, score: float) -> Hit:
        x, y, height = (self.blobs.at[blob] / PER_LINE).tolist()
        angle = 2 * math.pi * turn / TURNS
        return Hit(int(self.blobs.owner[blob]), x, y, height, angle, score)

    def hits(self, blob: int, members: NDArray[np.intp], turn: int = 0) -> list[Hit]:
        """Find places that are like one of some blobs, the best HITS_MAX in a photo."""
        kept: list[Hit] = []
        counts: dict[int, int] = {}
        for j in members[np.argsort(-self.alike[blob, members])].tolist():
            score = float(self.alike[blob, j])
            hit = self.hit(j, int(self.turned[blob, j]) + turn, score)
            near = (
                math.hypot(hit.x - k.x, hit.y - k.y) < 0.5 * k.height_lines
                for k in kept
                if k.photo == hit.photo
            )
            if counts.get(hit.photo, 0) < HITS_MAX and not any(near):
                kept.append(hit)
                counts[hit.photo] = counts.get(hit.photo, 0) + 1
        return kept


def _shared(table: _Table) -> list[Kind]:
    """Kinds that all photos share, but for a few poor ones.

    Every blob belongs to one kind only, so that a face is not taken for a symbol that
    is somewhat like it.
    """
    blobs, least = table.blobs, table.blobs.count - table.blobs.count // SPARE
    free = np.ones(len(blobs.at), bool)
    kinds: list[Kind] = []
    for _ in range(ROUNDS_MAX):
        sure = (table.alike > SURE_MIN) & free[None, :] & free[:, None]
        shown = np.stack(
            [sure[:, blobs.owner == p].sum(axis=1) for p in range(blobs.count)], axis=1
        )
        worth = np.minimum(shown, COPIES).sum(axis=1) * table.preferred
        i = int(worth.argmax())
        if shown[i].max(initial=0) == 0:
            break
        members = np.flatnonzero(sure[i])
        hits = table.hits(i, members)
        if len({hit.photo for hit in hits}) >= least:
            kinds.append(Kind(float(worth[i]), table.hit(i, 0, 1.0), tuple(hits)))
        free[members] = False
        free[i] = False
    kinds.sort(key=lambda kind: -kind.score)
    return kinds[:SHARED_MAX]


def _pairs(table: _Table) -> list[Kind]:
    """Pairs of things that are somewhat alike, each in photos where the other is not.

    So are a face without mask and the same with one, if the mask is large.
    """
    groups = _exclusive(table)
    count, found = table.blobs.count, []
    least = count - count // SPARE
    for one, other in combinations(groups, 2):
        if one & other or len(one | other) < least:
            continue
        for i in groups[one]:
            for j in groups[other]:
                alike = float(table.alike[i, j])
                if alike >= PAIR_MIN:
                    own = [table.support[i, list(one)], table.support[j, list(other)]]
                    level = float(np.concatenate(own).mean()) + PAIR_GAIN * alike
                    level *= float(table.preferred[i] * table.preferred[j]) ** 0.5
                    found.append((level, i, j, one, other))
    found.sort(key=lambda item: -item[0])
    kinds: list[Kind] = []
    used: set[tuple[int, frozenset[int]]] = set()
    for level, i, j, one, other in found:
        if (i, one) in used or (j, other) in used:
            continue
        used |= {(i, one), (j, other)}
        hits = [
            hit
            for blob, photos, turn in ((i, one, 0), (j, other, int(table.turned[i, j])))
            for hit in table.hits(
                blob,
                np.flatnonzero(
                    table.alike[blob]
                    >= NEARLY * float(table.support[blob, list(photos)].mean())
                ),
                turn,
            )
            if hit.photo in photos
        ]
        if len({hit.photo for hit in hits}) >= least:
            kinds.append(Kind(level, table.hit(i, 0, 1.0), tuple(hits)))
        if len(kinds) == PAIRS_MAX:
            break
    return kinds


def _exclusive(table: _Table) -> dict[frozenset[int], list[int]]:
    """Blobs that some photos show and no others, the best first, by those photos."""
    order = np.argsort(-table.support, axis=1)
    falling = -np.sort(-table.support, axis=1)
    gaps = falling[:, :-1] - falling[:, 1:]
    groups: dict[frozenset[int], list[tuple[float, int]]] = {}
    for i in range(len(order)):
        inner = gaps[i, 1:-1]
        if not inner.size:
            continue
        at = int(inner.argmax()) + 2
        photos = frozenset(order[i, :at].tolist())
        level = float(falling[i, :at].mean())
        if (
            inner.max() >= GAP_MIN
            and level >= LEVEL_MIN
            and table.blobs.owner[i] in photos
        ):
            worth = level * float(table.preferred[i])
            groups.setdefault(photos, []).append((worth, i))
    return {
        photos: [i for _, i in sorted(found, reverse=True)[:GROUP_MAX]]
        for photos, found in groups.items()
    }


def _best_apart(alike: Float, at: NDArray[np.float64]) -> NDArray[np.float64]:
    """Average the correlation of each thing's best COPIES in a photo, lying apart."""
    best = alike.argmax(axis=1)
    rows = np.arange(len(alike))
    total = alike[rows, best].astype(np.float64)
    gap = np.hypot(at[:, 0] - at[best, 0][:, None], at[:, 1] - at[best, 1][:, None])
    rest = np.where(gap > 0.5 * at[best, 2][:, None], alike, -1)
    return np.asarray((total + rest.max(axis=1)) / COPIES)
