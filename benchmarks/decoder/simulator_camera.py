"""The camera: pinhole, bent paper, blur, colour filter, noise, tone, JPEG.

Lengths in mm, the camera at the origin looking along +z, x right and y down;
pixel (0, 0) has its centre at (0, 0).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Float = NDArray[np.float64]
SUPERSAMPLE = 2


@dataclass(frozen=True, slots=True)
class Pose:
    """Where one flat or rolled sheet lies.

    Attributes:
        centre_mm: Middle of the sheet.
        turn: (3, 3) columns are the sheet's right, down and away-from-camera axes.
        bend_per_mm: 1 / radius of the cylinder it is rolled around, 0 when flat.
        bend_deg: Direction on the sheet across the cylinder's axis.
    """

    centre_mm: Float
    turn: Float
    bend_per_mm: float = 0.0
    bend_deg: float = 0.0


@dataclass(frozen=True, slots=True)
class Lens:
    """A pinhole: focal length in pixels and the size of the frame in pixels."""

    focal_px: float
    size_px: tuple[int, int]

    @property
    def middle_px(self) -> Float:
        return np.array([(self.size_px[0] - 1) / 2, (self.size_px[1] - 1) / 2])


def rotation(axis: tuple[float, float, float], angle_deg: float) -> Float:
    """Right-handed turn about *axis*: (3, 3)."""
    matrix, _ = cv2.Rodrigues(
        np.array(axis, dtype=np.float64) * math.radians(angle_deg)
    )
    return np.asarray(matrix, dtype=np.float64)


def in_space(points_mm: Float, pose: Pose) -> Float:
    """Points on the sheet, (n, 2) mm from its middle, in space: (n, 3)."""
    angle = math.radians(pose.bend_deg)
    across = np.array([math.cos(angle), math.sin(angle)])
    along = np.array([-across[1], across[0]])
    q, w = points_mm @ across, points_mm @ along
    k = pose.bend_per_mm
    if abs(k) < 1e-7:
        bent, lifted = q, np.zeros_like(q)
    else:
        bent, lifted = np.sin(k * q) / k, -(1 - np.cos(k * q)) / k
    flat = bent[:, None] * across + w[:, None] * along
    local = np.column_stack([flat, lifted])
    return local @ pose.turn.T + pose.centre_mm


def project(points_mm: Float, pose: Pose, lens: Lens) -> Float:
    """Points on the sheet in pixels: (n, 2)."""
    space = in_space(points_mm, pose)
    pixels: Float = space[:, :2] / space[:, 2:] * lens.focal_px + lens.middle_px
    return pixels


def jacobian(point_mm: Float, pose: Pose, lens: Lens) -> Float:
    """Pixels moved per mm moved on the sheet, at one point: (2, 2)."""
    step = 0.05
    around = point_mm + step * np.array([[1, 0], [-1, 0], [0, 1], [0, -1]])
    p = project(around, pose, lens)
    return np.column_stack([p[0] - p[1], p[2] - p[3]]) / (2 * step)


def on_sheet(pixels: Float, pose: Pose, lens: Lens) -> Float:
    """Where the rays of pixels, (n, 2), meet the sheet: (n, 2) mm from its middle."""
    rays = np.column_stack(
        [(pixels - lens.middle_px) / lens.focal_px, np.ones(len(pixels))]
    )
    origin = -pose.centre_mm @ pose.turn
    v = rays @ pose.turn
    angle = math.radians(pose.bend_deg)
    across = np.array([math.cos(angle), math.sin(angle)])
    along = np.array([-across[1], across[0]])
    o_q, v_q = origin[:2] @ across, v[:, :2] @ across
    k = pose.bend_per_mm
    a = k * (v_q**2 + v[:, 2] ** 2)
    b = 2 * k * (o_q * v_q + origin[2] * v[:, 2]) + 2 * v[:, 2]
    c = k * (o_q**2 + origin[2] ** 2) + 2 * origin[2]
    inside = b**2 - 4 * a * c
    root = np.sqrt(np.maximum(inside, 0))
    # The branch that stays finite as the sheet becomes flat; a miss lands far off.
    far = np.where(inside >= 0, -2 * c / (b + root), 1e6)
    bent, lifted = o_q + far * v_q, origin[2] + far * v[:, 2]
    q = bent if abs(k) < 1e-7 else np.arctan2(k * bent, 1 + k * lifted) / k
    w = origin[:2] @ along + far * (v[:, :2] @ along)
    points: Float = q[:, None] * across + w[:, None] * along
    return points


def tangents(pixels: Float, pose: Pose, lens: Lens) -> Float:
    """Return how far pixels' rays move along the flat sheet per mm of depth: (n, 2)."""
    rays = np.column_stack(
        [(pixels - lens.middle_px) / lens.focal_px, np.ones(len(pixels))]
    )
    turned = rays @ pose.turn
    moved: Float = turned[:, :2] / turned[:, 2:]
    return moved


def blur_kernel(
    defocus_px: float, soft_px: float, motion_px: float, motion_deg: float
) -> NDArray[np.float32]:
    """One kernel for lens, defocus and motion at SUPERSAMPLE samples a pixel.

    Args:
        defocus_px: Radius of the disc of an unsharp point.
        soft_px: Standard deviation of the lens itself.
        motion_px: Length of the smear while the shutter is open.
        motion_deg: Its direction.
    """
    fine = 3  # The kernel is drawn finer still, then averaged.
    scale = SUPERSAMPLE * fine
    reach = defocus_px + 2.5 * soft_px + motion_px / 2
    half = max(1, math.ceil(reach * SUPERSAMPLE))
    side = (2 * half + 1) * fine
    y, x = np.mgrid[:side, :side] - (side - 1) / 2
    drawn = np.zeros((side, side))
    steps = max(1, math.ceil(motion_px * scale))
    for i in range(steps):
        move = ((i + 0.5) / steps - 0.5) * motion_px * scale
        angle = math.radians(motion_deg)
        r = np.hypot(x - move * math.cos(angle), y - move * math.sin(angle))
        drawn += np.clip(max(defocus_px * scale, 0.5) - r + 0.5, 0, 1)
    drawn = cv2.GaussianBlur(drawn, (0, 0), max(0.3, soft_px * scale))
    kernel = drawn.reshape(2 * half + 1, fine, 2 * half + 1, fine).mean(axis=(1, 3))
    return (kernel / kernel.sum()).astype(np.float32)


def contrast_kept(kernel: NDArray[np.float32], frequency: Float) -> float:
    """Share of a wave's amplitude that kernel and pixel leave; cycles per pixel."""
    half = kernel.shape[0] // 2
    y, x = np.mgrid[-half : half + 1, -half : half + 1] / SUPERSAMPLE
    wave = np.exp(-2j * math.pi * (frequency[0] * x + frequency[1] * y))
    lens = abs(complex((kernel * wave).sum()))
    return float(lens * abs(np.sinc(frequency[0]) * np.sinc(frequency[1])))


@dataclass(frozen=True, slots=True)
class Sensor:
    """How light becomes numbers.

    Attributes:
        full_electrons: Electrons of a white paper in full light; sets shot noise.
        read_electrons: Standard deviation of the read noise.
        jpeg_quality: 4:2:0 JPEG of this quality, 0 for none.
        sharpening: Weight of the camera's own unsharp mask.
        is_phone: Whether a phone works on the picture, see `_as_a_phone`.
    """

    full_electrons: float = 4000.0
    read_electrons: float = 4.0
    gamma: float = 2.2
    jpeg_quality: int = 92
    sharpening: float = 0.0
    is_phone: bool = False


def _as_a_phone(frame: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return what a phone makes of a picture: smoothed, evened, sharpened with halos.

    Its sensor sees row after row, so a hand that shakes bends what is straight.
    """
    rows, columns = frame.shape[:2]
    y, x = np.mgrid[:rows, :columns].astype(np.float32)
    bent = cv2.remap(frame, x + np.sin(y / 50), y, cv2.INTER_CUBIC)
    smooth = cv2.bilateralFilter(bent, 5, 18, 2)
    light, *colour = cv2.split(cv2.cvtColor(smooth, cv2.COLOR_BGR2YCrCb))
    even = cv2.createCLAHE(2.0, (6, 6)).apply(light)
    wide = cv2.GaussianBlur(even, (0, 0), 2.5)
    sharp = cv2.addWeighted(even, 2.0, wide, -1.0, 0)
    whole = cv2.merge([sharp, *colour])
    return np.asarray(cv2.cvtColor(whole, cv2.COLOR_YCrCb2BGR), np.uint8)


def expose(
    light: NDArray[np.float32], sensor: Sensor, draw: np.random.Generator
) -> NDArray[np.uint8]:
    """Linear light, (rows, columns, 3) BGR with 1.0 as white, to a frame in uint8.

    A red-green / green-blue mosaic is sampled and filled in again, so colour has
    half the resolution of grey, as in any one-chip camera.
    """
    rows, columns = light.shape[:2]
    mosaic = np.empty((rows, columns), np.float32)
    mosaic[0::2, 0::2] = light[0::2, 0::2, 2]
    mosaic[0::2, 1::2] = light[0::2, 1::2, 1]
    mosaic[1::2, 0::2] = light[1::2, 0::2, 1]
    mosaic[1::2, 1::2] = light[1::2, 1::2, 0]
    electrons = np.maximum(mosaic, 0) * np.float32(sensor.full_electrons)
    noise = draw.standard_normal(mosaic.shape, dtype=np.float32)
    noise *= np.sqrt(electrons + np.float32(sensor.read_electrons**2))
    electrons += noise
    electrons *= np.float32(60000 / (1.05 * sensor.full_electrons))
    raw = np.clip(electrons, 0, 60000).astype(np.uint16)
    colour = cv2.demosaicing(raw, cv2.COLOR_BayerRGGB2BGR)
    levels = (np.arange(65536) / 60000).clip(0, 1) ** (1 / sensor.gamma)
    frame = np.rint(levels * 255).astype(np.uint8)[colour]
    if sensor.sharpening:
        soft = cv2.GaussianBlur(frame, (0, 0), 1.0)
        frame = cv2.addWeighted(
            frame, 1 + sensor.sharpening, soft, -sensor.sharpening, 0
        )
    if sensor.is_phone:
        frame = _as_a_phone(np.asarray(frame, np.uint8))
    if not sensor.jpeg_quality:
        return np.asarray(frame, dtype=np.uint8)
    quality = [cv2.IMWRITE_JPEG_QUALITY, sensor.jpeg_quality]
    packed = cv2.imencode(".jpg", frame, quality)[1]
    return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), dtype=np.uint8)
