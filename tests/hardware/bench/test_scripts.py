"""The bench scripts as somebody at a bench runs them: as programs, on no device."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
NO_DEVICES = {"COMPANION_VAULT": "simulated", "COMPANION_CAMERA": "simulated"}


def command(script: str, *words: str) -> list[str]:
    return [sys.executable, "-m", f"hardware.bench.{script}", *words]


def surroundings(settings: dict[str, str]) -> dict[str, str]:
    kept = {k: v for k, v in os.environ.items() if not k.startswith("COMPANION_")}
    return {**kept, "PYTHONPATH": str(ROOT), **settings}


def run(
    folder: Path, script: str, *words: str, **settings: str
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command(script, *words),
        cwd=folder,
        env=surroundings(NO_DEVICES | settings),
        check=False,
        capture_output=True,
        text=True,
    )


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("click_lock 1001", "wanted a whole number from 50 to 1000, got '1001'; "),
        (
            "click_lock 400 400",
            "wanted a whole number from 50 to 1000, got '400 400'; ",
        ),
        ("click_lock 0.4", "wanted a whole number from 50 to 1000, got '0.4'; "),
        ("watch_vault gpio", "wanted nothing behind the script's name, got 'gpio'; "),
        ("grab_frame a.png", "wanted nothing behind the script's name, got 'a.png'; "),
    ],
)
def test_what_makes_no_sense_is_answered_with_a_sentence(
    tmp_path: Path, typed: str, said: str
) -> None:
    done = run(tmp_path, *typed.split())
    assert (done.returncode, done.stdout) == (2, "")
    script = typed.split()[0]
    remedy = f"type python -m hardware.bench.{script}"
    assert done.stderr in (f"{said}{remedy}\n", f"{said}{remedy} 400\n")
    assert list(tmp_path.iterdir()) == [], "nothing was moved"


@pytest.mark.parametrize(
    ("script", "settings", "said"),
    [
        ("click_lock", {"COMPANION_VAULT": "none"}, "COMPANION_VAULT is none"),
        ("watch_vault", {"COMPANION_VAULT": "toy"}, "expected COMPANION_VAULT of"),
        ("watch_vault", {"COMPANION_PIN_LID": "x"}, "expected COMPANION_PIN_LID"),
        ("grab_frame", {"COMPANION_CAMERA": "none"}, "got COMPANION_CAMERA=none"),
        ("grab_frame", {"COMPANION_CAMERA": "toy"}, "expected COMPANION_CAMERA of"),
        (
            "grab_frame",
            {"COMPANION_CAMERA": "webcam", "COMPANION_CAMERA_DEVICE": "/dev/none"},
            "/dev/none",
        ),
    ],
)
def test_what_a_device_cannot_do_is_said_in_a_sentence(
    tmp_path: Path, script: str, settings: dict[str, str], said: str
) -> None:
    done = run(tmp_path, script, **settings)
    assert (done.returncode, done.stdout) == (1, "")
    assert said in done.stderr
    assert len(done.stderr.splitlines()) == 1, done.stderr


def test_a_pull_is_told_and_the_latch_let_go(tmp_path: Path) -> None:
    done = run(tmp_path, "click_lock", "50")
    assert (done.returncode, done.stderr) == (0, "")
    back, rest = done.stdout.splitlines()
    assert back.endswith(": bolt pulled back for 50 ms")
    assert rest == "let go"


def test_a_frame_is_saved_and_its_sharpness_told(tmp_path: Path) -> None:
    done = run(tmp_path, "grab_frame")
    assert (done.returncode, done.stderr) == (0, "")
    assert "sharpness=" in done.stdout
    assert (tmp_path / "frame.png").read_bytes().startswith(b"\x89PNG")


def test_watching_ends_with_ctrl_c(tmp_path: Path) -> None:
    """As at a terminal; whoever runs tests in the background has them ignore it."""
    with subprocess.Popen(
        ["env", "--default-signal=INT", *command("watch_vault")],
        cwd=tmp_path,
        env=surroundings(NO_DEVICES),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as watching:
        assert watching.stdout is not None
        assert "Ctrl-C ends" in watching.stdout.readline()
        watching.send_signal(signal.SIGINT)
        said = watching.communicate()
    assert (watching.returncode, *said) == (0, "", "")
