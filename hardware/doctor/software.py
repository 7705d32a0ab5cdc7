"""Looks at Python, the program's origin, and the libraries."""

from __future__ import annotations

from collections.abc import Iterator

from companion.health import Condition, Finding
from hardware.doctor.facts import Facts
from hardware.doctor.trial import NEEDED, Module

PYTHON_MIN = (3, 11)
"""The oldest Python that runs this program."""


def look_at_python(facts: Facts) -> Iterator[Finding]:
    """Check Python's version, and that it can import apt's libraries."""
    python, topic = facts.python, "software.python"
    if python is None:
        return
    version = ".".join(map(str, python.version))
    kind = "without a venv"
    if python.is_venv:
        kind = "in a venv " + ("with" if python.sees_system else "without")
        kind += " the system's packages"
    words = f"Python {version} {kind}"
    if python.version < PYTHON_MIN:
        yield Finding(
            topic,
            Condition.FAIL,
            f"expected Python 3.11 or newer, got {version}",
            "install Raspberry Pi OS bookworm or trixie",
        )
    elif facts.machine.model and facts.wants_pi_camera and not python.sees_system:
        yield Finding(
            topic,
            Condition.WARN,
            f"{words}, so that picamera2 of apt cannot be found",
            "make the venv with --system-site-packages, or set COMPANION_CAMERA=none",
        )
    else:
        yield Finding(topic, Condition.OK, words)


def look_at_program(facts: Facts) -> Iterator[Finding]:
    """Report where the program came from, as an update comes the same way."""
    topic, (folder, _, name) = "software.program", facts.origin.rpartition("/")
    if not name:
        words = "pip noted no origin, as for a package index"
        yield Finding(topic, Condition.UNKNOWN, words)
        return
    if not name.endswith(".whl"):
        source = "a folder with its sources"
    elif folder.startswith("file:///boot/"):
        source = "a card"
    else:
        source = "a bundle" if folder.endswith("/wheels") else "a wheel"
    yield Finding(topic, Condition.OK, f"set up from {source}")


MISFITS = (
    "numpy.dtype size changed",
    "numpy.core.multiarray",
    "_ARRAY_API",
    "compiled using NumPy",
    "ended the interpreter",
)
"""The marks of a library that was built for another numpy, in its errors."""


def look_at_libraries(facts: Facts) -> Iterator[Finding]:
    """Check that each needed library can be imported."""
    for name in NEEDED:
        module = facts.trial.module(name)
        if module is None:
            continue
        topic = f"software.{name}"
        if module.file:
            yield Finding(topic, Condition.OK, _words(module))
        else:
            yield Finding(
                topic,
                Condition.FAIL,
                f"{name} cannot be imported: {module.problem}",
                "install the program again; pip install --force-reinstall mends it",
            )


def look_at_picamera(facts: Facts) -> Iterator[Finding]:
    """Check picamera2, if the settings allow a camera of the Pi."""
    module, topic = facts.trial.module("picamera2"), "software.picamera2"
    if module is None or not facts.wants_pi_camera:
        return
    if module.file:
        yield Finding(topic, Condition.OK, _words(module))
    elif any(sign in module.problem for sign in MISFITS):
        numpy = facts.trial.module("numpy")
        yield Finding(
            topic,
            Condition.FAIL,
            f"picamera2 does not fit numpy {numpy.version if numpy else ''}: "
            f"{module.problem}",
            "in the program's venv: pip install 'numpy<2' "
            "'opencv-python-headless<4.12'",
        )
    elif not facts.machine.model:
        yield Finding(topic, Condition.UNKNOWN, "no picamera2, which only a Pi has")
    else:
        missing = "No module named 'picamera2'" in module.problem
        yield Finding(
            topic,
            Condition.FAIL if facts.camera.camera == "pi" else Condition.WARN,
            "picamera2 is not installed"
            if missing
            else f"picamera2 cannot be imported: {module.problem}",
            "sudo apt install --no-install-recommends python3-picamera2",
        )


def _words(module: Module) -> str:
    return " ".join(filter(None, (module.name, module.version, module.origin)))
