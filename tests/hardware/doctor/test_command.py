"""``companion doctor`` as a person types it, and as a program reads it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from cli import main
from companion.health import Condition, Finding
from companion.store import Database
from hardware.console import lines_of, summary
from hardware.doctor import gather
from hardware.doctor.facts import Python
from hardware.doctor.trial import Trial, try_software
from hardware.vault.discover import VaultSettings
from tests.hardware.doctor.fake_pi import SECRETS, TRIAL, build, files_of
from tests.running import ROOT, RunningTable
from tests.sample import sampled

OK, UNKNOWN, WARN, FAIL = Condition

Doctor = Callable[..., Result]


@pytest.fixture
def doctor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    for name in [name for name in os.environ if name.startswith("COMPANION")]:
        monkeypatch.delenv(name)
    monkeypatch.delenv("TZ", raising=False)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))

    def trial(*, may_open_camera: bool) -> Trial:
        return TRIAL if may_open_camera else Trial(TRIAL.modules)

    whole = gather.gather
    monkeypatch.setattr(gather, "gather", lambda *words: whole(*words, trial=trial))

    python = Python((3, 13, 5), is_venv=True, sees_system=True)
    monkeypatch.setattr(gather, "this_python", lambda: python)

    def run(*words: object, **variables: str) -> Result:
        for name, text in variables.items():
            monkeypatch.setenv(name, text)
        arguments = ["doctor", "--data", tmp_path / "games", *words]
        return CliRunner().invoke(main, list(map(str, arguments)))

    return run


def findings_in(result: Result) -> dict[str, dict[str, str]]:
    objects = [json.loads(line) for line in result.output.splitlines()]
    return {row["topic"]: row for row in objects}


def test_a_healthy_pi_passes(doctor: Doctor, tmp_path: Path) -> None:
    build(tmp_path / "pi", files_of("zero"))
    result = doctor("--root", tmp_path / "pi")
    assert result.exit_code == 0, result.output
    assert "ok       machine.model       Raspberry Pi Zero 2 W Rev 1.0" in result.output
    assert "→" not in result.output
    assert not any(secret in result.output for secret in SECRETS)
    assert "\x1b" not in result.output
    assert not (tmp_path / "games").exists()


def test_a_failing_pi_exits_1_and_says_what_to_do(
    doctor: Doctor, tmp_path: Path
) -> None:
    config = "gpio=17=op,dh\n"
    build(tmp_path / "pi", {**files_of("pi5"), "boot/firmware/config.txt": config})
    result = doctor("--root", tmp_path / "pi")
    assert result.exit_code == 1
    assert "fail     boot.coil" in result.output
    assert "→ cut the coil's supply" in result.output
    assert result.output.splitlines()[-1].startswith("1 fail, ")


def test_json_is_an_object_a_line(doctor: Doctor, tmp_path: Path) -> None:
    build(tmp_path / "pi", files_of("pi4"))
    findings = findings_in(doctor("--json", "--root", tmp_path / "pi"))
    assert findings["games.books"]["condition"] == "ok"
    assert set(findings["pins.chip"]) == {"topic", "condition", "words", "remedy"}


def test_a_setting_that_makes_no_sense_is_a_line(
    doctor: Doctor, tmp_path: Path
) -> None:
    build(tmp_path / "pi", files_of("pi4"))
    result = doctor("--json", "--root", tmp_path / "pi", COMPANION_PIN_COIL="5")
    findings = findings_in(result)["settings.values"]
    assert (result.exit_code, findings["condition"]) == (1, "fail")
    assert "pin of its own" in findings["words"]


@pytest.mark.parametrize(
    ("host", "shown"), [("127.0.0.1", "127.0.0.1"), ("0::1", "[::1]"), ("[::1]",) * 2]
)
def test_the_address_is_the_one_that_a_table_shows(
    doctor: Doctor, tmp_path: Path, host: str, shown: str
) -> None:
    build(tmp_path / "pi", files_of("pi4"))
    settings = {"COMPANION_SERVE_HOST": host, "COMPANION_SERVE_PORT": "80"}
    findings = findings_in(doctor("--json", "--root", tmp_path / "pi", **settings))
    assert findings["network.address"]["words"] == f"phones go to http://{shown}"


@pytest.mark.parametrize("host", sampled(["127.0.0.1", "::1"]))
def test_a_running_table_answers_for_itself(
    doctor: Doctor, tmp_path: Path, host: str
) -> None:
    with RunningTable(tmp_path / "games", options=("--host", host)) as table:
        build(tmp_path / "pi", files_of("pi4"))
        settings = {
            "COMPANION_SERVE_HOST": host,
            "COMPANION_SERVE_PORT": str(table.port),
        }
        result = doctor("--json", "--root", tmp_path / "pi", **settings)
        findings = findings_in(result)
        refused = doctor("--interactive", COMPANION_VAULT="simulated")
    assert findings["vault.keeper"]["condition"] == "ok"
    assert findings["vault.levels"]["condition"] == "ok"
    assert findings["table.threads"]["words"].startswith("threads at work: ")
    assert findings["games.books"]["condition"] == "ok"
    if "table.camera" in findings:  # This machine may have none.
        assert findings["table.camera"]["words"] == "the camera is closed"
    assert findings["table.address"]["words"].endswith(str(table.port))
    topics = [json.loads(line)["topic"] for line in result.output.splitlines()]
    assert len(topics) == len(set(topics))
    assert table.code is not None
    assert table.code not in result.output
    assert refused.exit_code == 1
    assert "stop it first: sudo systemctl stop companion" in refused.output


@pytest.mark.slow
def test_hands_on_a_simulated_vault(tmp_path: Path) -> None:
    settings = {"COMPANION_VAULT": "simulated", "XDG_STATE_HOME": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-m", "cli", "doctor", "--interactive", "--data", tmp_path],
        check=False,
        capture_output=True,
        cwd=ROOT,
        env={**os.environ, **settings},
        input="y\n" * 5,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "COMPANION_WHEEL_STEPS_PER_DETENT=4" in " ".join(done.stdout.split())
    assert "ok       try.coil" in done.stdout
    assert done.stdout.splitlines()[-1] == "All is well."


def test_hands_on_without_a_vault_is_refused(doctor: Doctor) -> None:
    result = doctor("--interactive", COMPANION_VAULT="none")
    assert (result.exit_code, "set it to gpio" in result.output) == (1, True)


def test_hands_on_is_for_people(doctor: Doctor) -> None:
    assert doctor("--interactive", "--json").exit_code == 2


def test_this_machine_s_libraries_are_tried(tmp_path: Path) -> None:
    trial = try_software(may_open_camera=False)
    assert [module.name for module in trial.modules] == [
        "numpy",
        "cv2",
        "gpiozero",
        "picamera2",
    ]
    assert all(module.version for module in trial.modules[:3])


def test_no_library_is_taken_from_the_folder_where_the_doctor_is_called(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "json.py").write_text("open('ran', 'w')")
    monkeypatch.chdir(tmp_path)
    try_software(may_open_camera=False)
    assert not (tmp_path / "ran").exists()


@pytest.mark.slow
def test_libraries_that_fail_or_abort_stop_neither_doctor_nor_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "numpy.py").write_text("raise ImportError('_ARRAY_API not found')")
    (tmp_path / "cv2.py").write_text("import os; os.abort()")
    (tmp_path / "picamera2.py").write_text("__version__ = '0.3'")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    trial = try_software(may_open_camera=False)
    numpy, cv2, gpiozero, picamera2 = trial.modules
    assert "_ARRAY_API" in numpy.problem
    assert cv2.problem == "ended the interpreter (-6)"
    assert gpiozero.version
    assert picamera2.version == "0.3"
    done = subprocess.run(
        [sys.executable, "-m", "cli", "doctor", "--data", tmp_path / "games"],
        check=False,
        capture_output=True,
        cwd=ROOT,
        text=True,
    )
    assert done.returncode == 1, done.stderr
    assert "fail     software.cv2" in done.stdout


def test_lines_stand_below_each_other() -> None:
    finding = Finding("disk.space", WARN, "some words " * 9, "do a --long-thing now")
    lines = list(lines_of(finding, 60, "warn   "))
    assert all(len(line) <= 60 for line in lines)
    assert {line[:9] for line in lines[1:]} == {" " * 9}
    assert lines[0][29:33] == "some"
    assert lines[1][:29].isspace()
    assert lines[-1].strip() == "→ do a --long-thing now"


def test_the_summary_counts() -> None:
    findings = [
        Finding("a.b", condition, "") for condition in (OK, OK, UNKNOWN, WARN, FAIL)
    ]
    assert summary(findings) == "1 fail, 1 warn, 1 unknown, 2 ok."
    assert summary(findings[:2]) == "All is well."
    assert summary(findings[:3]) == "All is well, as far as can be told (1 unknown)."


def test_a_folder_of_games_is_added_up(doctor: Doctor, tmp_path: Path) -> None:
    Database(tmp_path / "games").close()
    build(tmp_path / "pi", files_of("pi4"))
    findings = findings_in(doctor("--json", "--root", tmp_path / "pi"))
    assert findings["games.books"]["words"].startswith("games: 0, entries: 0")


def test_pins_that_cannot_be_had_are_told_in_sentences() -> None:
    settings = VaultSettings(gpiochip_label="no-such-chip")
    result = gather._real_chips(settings)
    assert isinstance(result, str)
    assert "no-such-chip" in result
    levels = gather._levels(settings)
    assert isinstance(levels, str)
    assert "no-such-chip" in levels
    label = {"COMPANION_GPIOCHIP_LABEL": "no-such-chip"}
    assert gather._coil(label).condition is FAIL
    assert gather._coil({"COMPANION_PIN_COIL": "x"}).condition is FAIL
