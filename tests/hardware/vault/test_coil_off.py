"""What can be tried without a GPIO chip; the rest is in tests/kernel."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from companion.errors import DeviceFault, Malformed
from hardware.vault.coil_off import end_pull
from hardware.vault.discover import home_of
from hardware.vault.gpio_chip import find_chip
from tests.sample import each

ROOT = Path(__file__).parents[3]


def run(*options: str, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *options, "-m", "hardware.vault.coil_off"],
        cwd=ROOT,
        env={"COMPANION_GPIOCHIP_LABEL": "nobody's-", **variables},
        capture_output=True,
        text=True,
        check=False,
    )


def test_coil_that_cannot_be_reached_is_a_failure_in_a_sentence() -> None:
    ran = run()
    assert ran.returncode == 1
    assert ran.stderr.startswith(
        "the latch was not let go: expected one GPIO chip labelled nobody's-…, got"
    )
    assert "Traceback" not in ran.stderr


def test_coil_is_switched_off_without_any_package() -> None:
    """-S: without site-packages, as on a system whose virtual environment is broken."""
    assert run("-S").stderr == run().stderr


def test_units_of_an_earlier_version_find_the_command() -> None:
    command = [sys.executable, "-S", "-m", "hardware.coil_off"]
    variables = {"COMPANION_VAULT": "none"}
    ran = subprocess.run(
        command, cwd=ROOT, env=variables, capture_output=True, text=True, check=True
    )
    assert ran.stdout == run(COMPANION_VAULT="none").stdout


def test_nothing_that_the_table_needs_holds_up_the_boot() -> None:
    code = "import hardware.vault.coil_off, sys; print(*sys.modules)"
    command = [sys.executable, "-S", "-c", code]
    imported = subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout
    assert not {b"logging", b"threading", b"hardware.clock"} & set(imported.split())


@pytest.mark.parametrize("vault", ["simulated", "none"])
def test_pins_of_others_are_left_alone(vault: str) -> None:
    ran = run(COMPANION_VAULT=vault)
    assert ran.returncode == 0
    assert ran.stdout == f"no latch on the pins, since COMPANION_VAULT is {vault}\n"


@pytest.mark.parametrize("vault", ["", "GPIO"])
def test_vault_that_is_misspelt_is_looked_for_on_the_pins(vault: str) -> None:
    assert run(COMPANION_VAULT=vault).returncode == 1


def test_latch_that_is_misspelt_is_the_older_one() -> None:
    ran = run(COMPANION_LATCH="Servo")
    assert ran.stderr == run().stderr


@each(
    ("told", "home_us"),
    [
        ({}, 1000),
        ({"HOME": "2000", "BACK": "1000"}, 2000),
        ({"HOME": "2000"}, None),  # As far as its way back, which is the default.
        ({"HOME": "2501"}, None),
        ({"HOME": "left"}, None),
        ({"BACK": ""}, None),
    ],
)
def test_no_servo_is_driven_by_settings_that_the_table_refuses(
    told: dict[str, str], home_us: int | None
) -> None:
    variables = {f"COMPANION_SERVO_{end}_US": text for end, text in told.items()}
    assert home_of({"COMPANION_LATCH": "servo", **variables}) == home_us


def test_pin_that_is_no_number_is_refused() -> None:
    with pytest.raises(Malformed, match="COMPANION_PIN_COIL to be a whole number"):
        end_pull({"COMPANION_PIN_COIL": "seventeen"})


def test_folder_without_chips_is_explained(tmp_path: Path) -> None:
    with pytest.raises(DeviceFault, match=r"labelled pinctrl-…, got none"):
        find_chip("pinctrl-", tmp_path)


def test_file_that_is_no_chip_is_explained(tmp_path: Path) -> None:
    (tmp_path / "gpiochip0").write_text("")
    with pytest.raises(DeviceFault, match=r"expected a GPIO chip at .*gpiochip0, got"):
        find_chip("pinctrl-", tmp_path)


def test_old_name_of_a_chip_is_passed_over(tmp_path: Path) -> None:
    (tmp_path / "gpiochip4").symlink_to("gpiochip0")
    with pytest.raises(DeviceFault, match="got none"):
        find_chip("pinctrl-", tmp_path)
