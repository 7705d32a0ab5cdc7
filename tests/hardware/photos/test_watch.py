"""Watching: what is drawn, what is said, and how far to move."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from benchmarks.decoder.simulator import simulate
from companion.decoder import Kind, Reading, Reason, Verdict, house_deck, read
from companion.errors import DeviceFault
from hardware.camera.live import LiveCamera
from hardware.camera.simulated import SimulatedDriver, plain_note
from hardware.photos.decode_photos import decode_files, save_png
from hardware.photos.examine import further_advice
from hardware.photos.watch import (
    ADVICE,
    GOOD_PX,
    Optics,
    advise,
    annotated,
    closer,
    closer_mm,
    describe,
    watch,
)
from tests.fakes import FakeClock
from tests.sample import each

CORNERS = ((100.0, 80.0), (300.0, 80.0), (300.0, 180.0), (100.0, 180.0))
LIGHT = np.full((90, 160), 150, np.uint8)
MODULE_3 = 3386


def reading(
    verdict: Verdict = Verdict.UNSURE,
    reason: Reason | None = None,
    pixels_per_line: float | None = 5.0,
) -> Reading:
    return Reading(verdict, 0.994, reason, CORNERS, pixels_per_line, Kind.NOTE)


@pytest.mark.parametrize(
    ("pitch_mm", "distance_mm", "pixels_per_line"),
    [(0.25, 150, 5.8), (0.35, 250, 4.8), (0.45, 350, 4.4), (0.60, 500, 4.1)],
)
def test_moving_as_told_gives_the_pixels_that_were_wanted(
    pitch_mm: float, distance_mm: float, pixels_per_line: float
) -> None:
    focal_mm = 4.74
    here = pitch_mm * MODULE_3 / (distance_mm - focal_mm)
    assert here == pytest.approx(pixels_per_line, abs=0.06)  # As the optics table has.
    nearer_mm = closer_mm(here, pitch_mm, MODULE_3, target_px=here * 1.5)
    there = pitch_mm * MODULE_3 / (distance_mm - nearer_mm - focal_mm)
    assert there == pytest.approx(here * 1.5)


def test_six_centimetres_closer() -> None:
    # 0.35 mm at 40 cm is 3.0 pixels a line; 3.5 of them are at 34 cm.
    here = 0.35 * MODULE_3 / (400 - 4.74)
    assert closer(here, Optics(0.35, MODULE_3)) == "move 6 cm closer"
    assert closer(GOOD_PX - 0.001, Optics(0.35, MODULE_3)) == "move 1 cm closer"


def test_without_optics_it_is_a_share_of_the_distance() -> None:
    assert closer(2.8, Optics()) == "move closer, to 80 % of the distance"
    assert closer(GOOD_PX * 0.99, Optics()) == "move closer"
    assert closer(2.8, Optics(0.35, 0)) == closer(2.8, Optics(None, 3386))


@each(
    ("readings", "thumb", "before", "advice"),
    [
        ((reading(Verdict.REAL, None, 2.7),), LIGHT * 0, LIGHT, ()),
        ((reading(reason=Reason.TOO_FAR),), LIGHT, None, ("move closer",)),
        ((reading(reason=Reason.TOO_FAR, pixels_per_line=None),), LIGHT, LIGHT, None),
        ((reading(reason=Reason.BLURRED),), LIGHT, LIGHT, ("hold still",)),
        ((reading(),), LIGHT, LIGHT - 20, ("hold still",)),
        ((reading(),), LIGHT, LIGHT - 5, ()),
        ((reading(),), LIGHT // 4, LIGHT // 4, ("more light",)),
        (
            (reading(reason=Reason.COVERED),),
            LIGHT,
            None,
            ("take the fingers off the print",),
        ),
        (
            (reading(pixels_per_line=2.8), reading(Verdict.FAKE)),
            LIGHT,
            None,
            ("move closer, to 80 % of the distance",),
        ),
        (
            (reading(reason=Reason.NO_SCRAMBLED_PRINT, pixels_per_line=None),),
            LIGHT,
            None,
            ("lay a note there, or move closer",),
        ),
        (
            (reading(Verdict.FAKE), reading(reason=Reason.TOO_MANY)),
            LIGHT,
            None,
            ("show fewer notes at once",),
        ),
    ],
)
def test_advice_follows_what_is_wrong(
    readings: tuple[Reading, ...],
    thumb: np.ndarray,
    before: np.ndarray | None,
    advice: tuple[str, ...] | None,
) -> None:
    said = advise(readings, thumb, before, Optics())
    assert said == (("move closer",) if advice is None else advice)


@each("reason", Reason)
def test_every_reason_gives_words(reason: Reason) -> None:
    assert describe(reading(reason=reason)).startswith("unsure: ")
    assert "_" not in describe(reading(reason=reason))


def test_a_verdict_is_said_with_its_confidence_and_never_as_certain() -> None:
    assert describe(reading(Verdict.FAKE)) == "fake 99 %, 5.0 px a line"
    sure = Reading(Verdict.REAL, 1.0, None, CORNERS, None, Kind.NOTE)
    assert describe(sure) == "real 99 %"


def test_drawing_leaves_the_frame_alone() -> None:
    pixels = np.full((240, 400, 3), 90, np.uint8)
    pixels.flags.writeable = False
    drawn = annotated(pixels, (reading(Verdict.FAKE),), ("hold still",))
    assert drawn.shape == pixels.shape
    assert (pixels == 90).all()
    assert tuple(drawn[180, 200]) == (50, 50, 210)
    assert (drawn[220:] != 90).any(), "the advice stands below"


@pytest.mark.parametrize("size", [(1, 1), (20, 2000), (2000, 20)])
def test_drawing_fits_any_frame(size: tuple[int, int]) -> None:
    pixels = np.zeros((*size, 3), np.uint8)
    assert annotated(pixels, (reading(),), ("more light",)).shape == pixels.shape


def test_watching_says_reads_draws_and_goes_on_after_a_fault() -> None:
    clock, driver = FakeClock(), SimulatedDriver([plain_note(320, 180)])
    camera = LiveCamera(driver, clock)
    waits: list[int] = []

    def wait(ms: int) -> None:
        waits.append(ms)
        driver.is_unplugged = False
        camera.close()  # Opened again below; spares the test the pause.
        camera.open()

    def fake_read(pixels: np.ndarray) -> tuple[Reading, ...]:
        assert pixels.shape == (180, 320, 3)
        clock.advance(40)
        return (reading(Verdict.REAL),)

    sights = watch(camera, fake_read, clock, wait)
    first = next(sights)
    assert first.line == "real 99 %, 5.0 px a line  (40 ms)"
    picture = first.picture()
    assert picture is not None
    assert picture.shape == (180, 320, 3)
    driver.is_unplugged = True
    second = next(sights)
    assert (second.frame, second.readings) == (None, ())
    assert second.line == "the simulated camera was unplugged; plug it in again"
    assert second.picture() is None
    assert next(sights).line == first.line
    assert len(waits) == 1
    assert 500 <= waits[0] <= 8000
    sights.close()
    assert camera.health().state == "closed"


def test_the_real_decoder_reads_the_cameras_read_only_frames() -> None:
    clock = FakeClock()
    camera = LiveCamera(SimulatedDriver([plain_note()]), clock)
    deck = house_deck()
    sights = watch(camera, lambda pixels: read(pixels, deck), clock, lambda _: None)
    sight = next(sights)
    assert sight.readings[0].verdict is Verdict.UNSURE
    assert sight.line.startswith("unsure: no scrambled print  lay a note there")
    sights.close()


@pytest.mark.slow
def test_files_become_one_object_each_and_one_bad_one_stops_none(
    tmp_path: Path,
) -> None:
    frame = simulate(7, "easy")
    note, plain, bad = (tmp_path / name for name in ("n.png", "p.png", "b.heic"))
    Image.fromarray(frame.image[:, :, ::-1]).save(note)
    Image.fromarray(plain_note()).save(plain)
    bad.write_bytes(b"\0\0\0\x18ftypheic")
    made = list(
        decode_files(
            (note, bad, plain),
            house_deck(),
            tmp_path / "why" / "not",
            lambda pixels, readings: [("raw", pixels[:9, :9])],
        )
    )
    assert json.loads(json.dumps(made)) == made
    assert [item["image"] for item in made] == [str(p) for p in (note, bad, plain)]
    assert set(made[0]) == {"image", "readings"}
    assert set(made[0]["readings"][0]) == {
        *("verdict", "confidence", "reason", "corners_px", "pixels_per_line", "kind")
    }
    assert made[1]["readings"] == []
    assert "HEIC" in made[1]["error"]
    assert made[2]["readings"][0]["reason"] == "no_scrambled_print"
    files = sorted(path.name for path in (tmp_path / "why" / "not").iterdir())
    assert files == ["n-raw.png", "p-raw.png"]


def test_a_picture_that_cannot_be_written_says_where(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(DeviceFault, match=r"expected to write .*a\.png, got .*choose"):
        save_png(tmp_path / "file" / "a.png", plain_note(8, 8))


@each("reason", Reason)
def test_every_unsure_reading_is_told_what_to_do_next(reason: Reason) -> None:
    readings = (reading(reason=reason),)
    advice = advise(readings, LIGHT, LIGHT, Optics())
    assert advice == (ADVICE[reason],), "for a terminal, which shows the reason's name"
    what, _, to_do = reason.words.partition(": ")
    assert what
    assert to_do
    assert further_advice(readings, advice) == (), "said once"
