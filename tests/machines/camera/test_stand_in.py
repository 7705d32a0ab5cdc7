"""The stand-in for picamera2 of tests/hardware, beside the real library.

No camera is there: what is compared is names, signatures, numbers, kinds and words.
"""

from __future__ import annotations

import inspect
import os
from types import SimpleNamespace

import libcamera
import pytest
from libcamera import ControlType, Rectangle
from picamera2 import Picamera2
from picamera2.controls import Controls
from picamera2.job import Job
from picamera2.picamera2 import GlobalCameraInfo
from picamera2.request import CompletedRequest, Helpers

from companion.errors import DeviceFault
from hardware.camera import pi as camera_pi
from hardware.camera.pi import BGR, PiDriver
from hardware.camera.settings import CameraSettings
from tests.fakes import FakeClock
from tests.hardware.camera.rigs import (
    AF_STATES,
    FakeJob,
    FakePicamera2,
    FakeRequest,
    PiSocket,
)

HELPERS = {"deliver"}  # What only the stand-in's own parts call.
PAIRS = [
    (camera_pi.PiCamera, Picamera2),
    (camera_pi.PiLibrary, Picamera2),
    (camera_pi.PiRequest, CompletedRequest),
    (camera_pi.PiJob, Job),
    (FakePicamera2, Picamera2),
    (PiSocket, Picamera2),
    (FakeRequest, CompletedRequest),
    (FakeJob, Job),
]
"""What we take for the library, and what it is."""


def methods(kind: type) -> list[str]:
    return [
        name
        for name, member in vars(kind).items()
        if callable(member) and not name.startswith("_") and name not in HELPERS
    ]


METHODS = [(ours, real, name) for ours, real in PAIRS for name in methods(ours)]


@pytest.mark.parametrize(
    ("ours", "real", "name"),
    METHODS,
    ids=[f"{ours.__name__}.{name}" for ours, _, name in METHODS],
)
def test_every_method_can_be_called_on_the_real_one(
    ours: type, real: type, name: str
) -> None:
    wanted = list(inspect.signature(getattr(ours, name)).parameters.values())[1:]
    # A call on the class itself has no self.
    bound = () if isinstance(vars(real)[name], staticmethod) else (None,)
    by_place = [p.name for p in wanted if p.kind is p.POSITIONAL_OR_KEYWORD]
    by_name = {p.name: None for p in wanted if p.kind is p.KEYWORD_ONLY}
    signature = inspect.signature(getattr(real, name))
    signature.bind(*bound, *by_place, **by_name)
    named = {p.name: None for p in wanted if p.kind is not p.VAR_KEYWORD}
    if ours is camera_pi.PiCamera:  # Its names are those of the library's.
        signature.bind(*bound, **named)


@pytest.mark.parametrize("name", ["camera_controls", "camera_properties"])
def test_both_have_the_same_attributes(name: str) -> None:
    assert isinstance(getattr(Picamera2, name), property)
    assert name in vars(PiSocket(FakeClock())())


# What the adapter tells the camera, through the stand-in.

SETTINGS = [
    CameraSettings(),
    CameraSettings(camera_is_whole_field=True, camera_focus_mm=250),
    CameraSettings(camera_exposure_us=8000, camera_gain_percent=200),
]


def told(settings: CameraSettings) -> FakePicamera2:
    socket = PiSocket(FakeClock())
    socket.is_busy = False
    driver = PiDriver(settings, socket.clock, socket)
    driver.open()
    driver.grab()
    driver.close()
    return socket.made[0]


TAKEN = {
    ControlType.Bool: bool,
    ControlType.Integer32: int,
    ControlType.Integer64: int,
    ControlType.Float: (float, int),
    ControlType.Rectangle: Rectangle,
}
"""What libcamera's Python takes for each kind of control."""


@pytest.mark.parametrize("settings", SETTINGS)
def test_every_control_is_one_of_libcamera_and_of_its_kind(
    settings: CameraSettings,
) -> None:
    controls = told(settings).told
    ids = {name: (getattr(libcamera.controls, name),) for name in controls}
    real = Controls(SimpleNamespace(camera_ctrl_info=ids), controls)
    for control, value in real.get_libcamera_controls().items():
        if control.isArray:
            assert len(value) == control.size, control.name
        for one in value if control.isArray else (value,):
            assert isinstance(one, TAKEN[control.type]), (control.name, value)
            assert (type(one) is bool) == (control.type == ControlType.Bool)


def test_every_control_that_the_stand_in_has_is_one_of_libcamera() -> None:
    for name in PiSocket(FakeClock()).control_names:
        assert getattr(libcamera.controls, name).name == name


@pytest.mark.parametrize("settings", SETTINGS)
def test_every_key_of_a_configuration_is_known(settings: CameraSettings) -> None:
    configuration = told(settings).configuration
    known = inspect.signature(Picamera2.create_video_configuration).parameters
    assert configuration.keys() <= known.keys()
    assert known["queue"].default is True, "the stand-in has it so"
    Picamera2._make_initial_stream_config({}, configuration["main"])
    Picamera2._make_initial_stream_config({}, configuration["raw"])
    with pytest.raises(ValueError, match="Bad key 'colour'"):
        Picamera2._make_initial_stream_config({}, {"colour": BGR})


# Numbers and words.


def test_the_numbers_of_the_focus_are_libcameras() -> None:
    real = libcamera.controls
    assert int(real.AfModeEnum.Manual) == camera_pi.AF_MANUAL
    assert int(real.AfModeEnum.Auto) == camera_pi.AF_AUTO
    assert int(real.AfRangeEnum.Macro) == camera_pi.AF_RANGE_MACRO
    assert int(real.AfTriggerEnum.Start) == camera_pi.AF_START
    assert int(real.AfTriggerEnum.Cancel) == camera_pi.AF_CANCEL
    assert int(real.AfStateEnum.Focused) == camera_pi.AF_FOCUSED
    assert int(real.AfStateEnum.Failed) == camera_pi.AF_FAILED
    states = {k.lower(): int(v) for k, v in real.AfStateEnum.__members__.items()}
    assert states == {name: number for number, name in enumerate(AF_STATES)}
    assert real.AfState.name == "AfState"


def test_the_librarys_rgb_is_blue_first_in_memory() -> None:
    assert Helpers(None)._get_pil_mode(BGR) == "BGR"


def test_properties_and_what_is_listed_go_by_these_names() -> None:
    socket = PiSocket(FakeClock())
    for name in socket().camera_properties:
        assert getattr(libcamera.properties, name).name == name
    assert set(socket.global_camera_info()[0]) <= set(GlobalCameraInfo.__annotations__)


def test_an_unknown_control_is_refused_in_the_same_words() -> None:
    none = SimpleNamespace(camera_ctrl_info={})
    with pytest.raises(RuntimeError) as real:
        Controls(none).set_controls({"Sparkle": 1})
    with pytest.raises(RuntimeError) as fake:
        PiSocket(FakeClock())().set_controls({"Sparkle": 1})
    assert str(real.value) == str(fake.value)


def test_without_a_camera_both_refuse_alike_and_leave_a_pipe_open() -> None:
    socket = PiSocket(FakeClock())
    socket.is_plugged_in = False
    assert Picamera2.global_camera_info() == socket.global_camera_info()
    before = len(os.listdir("/proc/self/fd"))
    with pytest.raises(RuntimeError) as real:
        Picamera2()
    with pytest.raises(RuntimeError) as fake:
        socket()
    assert str(real.value) == str(fake.value)
    del real  # It holds on to the half-made camera.
    assert (len(os.listdir("/proc/self/fd")) - before, socket.leaked) == (1, 1)


def test_without_a_camera_the_real_library_is_not_opened_in_vain() -> None:
    driver = PiDriver(CameraSettings(), FakeClock())
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(3):
        with pytest.raises(DeviceFault, match="looked for one on the ribbon cable"):
            driver.open()
    assert len(os.listdir("/proc/self/fd")) == before
