"""Try to import the libraries, in a child process.

A picamera2 that was built for another numpy can crash the interpreter, which must not
be the doctor's own.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

PROBE_S = 90
"""How long a trial may take; on a Pi Zero 2 W OpenCV alone takes seconds."""

NEEDED = ("numpy", "cv2", "gpiozero")
TRIED = (*NEEDED, "picamera2")
"""The libraries that every table needs, and all that are tried."""

PROBE = """
import importlib, importlib.metadata, json, sys
def tell(*words):
    print(json.dumps(words), file=sys.__stdout__, flush=True)
sys.stdout = sys.stderr
for name in [word for word in sys.argv[1:] if word != "cameras"]:
    tell("begins", name)
    try:
        module = importlib.import_module(name)
    except BaseException as error:
        tell("failed", name, f"{type(error).__name__}: {error}"[:500])
        continue
    version = getattr(module, "__version__", "")
    try:
        version = version or importlib.metadata.version(name)
    except Exception:
        pass
    tell("found", name, str(version), str(module.__file__))
    if name == "picamera2" and "cameras" in sys.argv:
        tell("begins", "cameras")
        try:
            for camera in module.Picamera2.global_camera_info():
                tell("camera", str(camera.get("Model", "camera")))
            with module.Picamera2() as opened:
                for mode in opened.sensor_modes:
                    tell("mode", *mode["size"])
        except BaseException as error:
            tell("failed", "cameras", f"{type(error).__name__}: {error}"[:500])
"""
"""The program of the child process."""


@dataclass(frozen=True, slots=True)
class Module:
    """A library, and whether it can be imported.

    Attributes:
        version: Its version, if known.
        file: Its file; empty if it could not be imported.
        problem: Why it could not be imported.
    """

    name: str
    version: str = ""
    file: str = ""
    problem: str = ""

    @property
    def origin(self) -> str:
        """The installer that put it there, in words."""
        return "of apt" if "/dist-packages/" in self.file else "of pip"


@dataclass(frozen=True, slots=True)
class Trial:
    """The result of a trial.

    Attributes:
        modules: The libraries, in the order in which they were tried.
        cameras: The models of the Pi's cameras.
        modes: Sizes (width, height), in pixels, of the first camera's frames.
        problem: Why the cameras are not known.
    """

    modules: tuple[Module, ...] = ()
    cameras: tuple[str, ...] = ()
    modes: tuple[tuple[int, int], ...] = ()
    problem: str = ""

    def module(self, name: str) -> Module | None:
        """Return the library called *name*, if it was tried."""
        return next((m for m in self.modules if m.name == name), None)


def try_software(*, may_open_camera: bool) -> Trial:
    """Import the libraries, and list the Pi's cameras unless others may use them."""
    trial = Trial()
    untried: tuple[str, ...] = TRIED
    while untried:  # If a library crashes its child, another child tries the others.
        words = (*untried, *(["cameras"] if may_open_camera else ()))
        result = read_trial(*_child(words))
        modules = result.modules or (Module(untried[0], problem="could not be tried"),)
        trial = replace(result, modules=(*trial.modules, *modules))
        tried = {module.name for module in trial.modules}
        untried = tuple(name for name in TRIED if name not in tried)
    return trial


def _child(words: Sequence[str]) -> tuple[str, str]:
    """Run a child process; return its output, and how it ended."""
    try:
        done = subprocess.run(
            # -P: do not import a json.py of the current folder; root may run this.
            [sys.executable, "-P", "-c", PROBE, *words],
            check=False,
            capture_output=True,
            timeout=PROBE_S,
        )
        output, ending = done.stdout, f"ended the interpreter ({done.returncode})"
    except subprocess.TimeoutExpired as error:
        output, ending = error.stdout or b"", f"took longer than {PROBE_S} s"
    return output.decode("utf-8", "replace"), ending


def read_trial(text: str, how_it_ended: str) -> Trial:
    """Read the output of the child process, a list in JSON on each line.

    If the child was ended, *how_it_ended* is the problem of what it had just begun.
    """
    modules: dict[str, Module] = {}
    cameras: list[str] = []
    modes: list[tuple[int, int]] = []
    problem = ""
    for words in _rows(text):
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
    listing = modules.pop("cameras", None)
    if listing is not None and not modes:
        problem = listing.problem
    return Trial(tuple(modules.values()), tuple(cameras), tuple(modes), problem)


def _rows(text: str) -> Iterator[object]:
    for line in text.splitlines():
        try:
            yield json.loads(line)
        except (ValueError, RecursionError):
            continue
