"""The libraries around us, tried in a process of their own.

Importing picamera2 beside a numpy that it was not built for can end the interpreter,
so it must not be ours.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

PROBE_S = 90
"""How long the trial may take; on a Pi Zero 2 W importing OpenCV takes seconds."""

NEEDED = ("numpy", "cv2", "gpiozero")
TRIED = (*NEEDED, "picamera2")

PROBE = """
import importlib, importlib.metadata, json, sys
def tell(*said):
    print(json.dumps(said), file=sys.__stdout__, flush=True)
sys.stdout = sys.stderr
for name in [word for word in sys.argv[1:] if word != "cameras"]:
    tell("begins", name)
    try:
        found = importlib.import_module(name)
    except BaseException as error:
        tell("failed", name, f"{type(error).__name__}: {error}"[:500])
        continue
    version = getattr(found, "__version__", "")
    try:
        version = version or importlib.metadata.version(name)
    except Exception:
        pass
    tell("found", name, str(version), str(found.__file__))
    if name == "picamera2" and "cameras" in sys.argv:
        tell("begins", "cameras")
        try:
            for camera in found.Picamera2.global_camera_info():
                tell("camera", str(camera.get("Model", "camera")))
            with found.Picamera2() as opened:
                for mode in opened.sensor_modes:
                    tell("mode", *mode["size"])
        except BaseException as error:
            tell("failed", "cameras", f"{type(error).__name__}: {error}"[:500])
"""


@dataclass(frozen=True, slots=True)
class Module:
    """A library as this Python finds it.

    Attributes:
        name: As it is imported.
        version: Empty if it does not say.
        file: Where it was found; empty if it could not be imported.
        problem: Why it could not be; otherwise empty.
    """

    name: str
    version: str = ""
    file: str = ""
    problem: str = ""

    @property
    def origin(self) -> str:
        """Who put it there."""
        return "of apt" if "/dist-packages/" in self.file else "of pip"


@dataclass(frozen=True, slots=True)
class Trial:
    """What the trial found.

    Attributes:
        modules: The libraries, in the order in which they were tried.
        cameras: The models of the Pi's cameras; empty if there is none.
        modes: Sizes (width, height) that the first camera can take.
        problem: Why the cameras are not known; otherwise empty.
    """

    modules: tuple[Module, ...] = ()
    cameras: tuple[str, ...] = ()
    modes: tuple[tuple[int, int], ...] = ()
    problem: str = ""

    def module(self, name: str) -> Module | None:
        """The library of that name, if it was tried."""
        return next((m for m in self.modules if m.name == name), None)


def try_software(*, may_open_camera: bool) -> Trial:
    """Import the libraries in a child process, and ask for the Pi's cameras.

    Args:
        may_open_camera: Whether nobody else uses the camera.
    """
    trial = Trial()
    left: tuple[str, ...] = TRIED
    while left:  # Another child for those that came after one that ended its own.
        words = (*left, *(["cameras"] if may_open_camera else ()))
        found = read_trial(*_child(words))
        modules = found.modules or (Module(left[0], problem="could not be tried"),)
        trial = replace(found, modules=(*trial.modules, *modules))
        tried = {module.name for module in trial.modules}
        left = tuple(name for name in TRIED if name not in tried)
    return trial


def _child(words: Sequence[str]) -> tuple[str, str]:
    """What a child process said, and how it ended."""
    try:
        done = subprocess.run(
            # -P: a json.py in the folder where somebody types sudo is not root's.
            [sys.executable, "-P", "-c", PROBE, *words],
            check=False,
            capture_output=True,
            timeout=PROBE_S,
        )
        said, how = done.stdout, f"ended the interpreter ({done.returncode})"
    except subprocess.TimeoutExpired as error:
        said, how = error.stdout or b"", f"took longer than {PROBE_S} s"
    return said.decode("utf-8", "replace"), how


def read_trial(text: str, how_it_ended: str) -> Trial:
    """What the child process said, a line of JSON for each thing.

    Args:
        text: Its output; may break off anywhere.
        how_it_ended: Said of what was begun and never done.
    """
    modules: dict[str, Module] = {}
    cameras: list[str] = []
    modes: list[tuple[int, int]] = []
    problem = ""
    for words in _said(text):
        match words:
            case ["begins", str(name)]:
                modules[name] = Module(name, problem=how_it_ended)
            case ["failed", str(name), str(why)]:
                modules[name] = Module(name, problem=why)
            case ["found", str(name), str(version), str(file)]:
                modules[name] = Module(name, version, file)
            case ["camera", str(model)]:
                cameras.append(model)
            case ["mode", int(width), int(height)]:
                modes.append((width, height))
    asked = modules.pop("cameras", None)
    if asked is not None and not modes:
        problem = asked.problem
    return Trial(tuple(modules.values()), tuple(cameras), tuple(modes), problem)


def _said(text: str) -> Iterator[object]:
    for line in text.splitlines():
        try:
            yield json.loads(line)
        except (ValueError, RecursionError):
            continue
