"""The settings file names every setting of the program, and nothing else."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

import click
import pytest

import cli
from hardware.camera.settings import CameraSettings, read_camera_settings
from hardware.home.settings import BALANCES, URL, read_broker
from hardware.network.hotspot import is_wanted
from hardware.vault.discover import VaultSettings, read_settings
from hardware.vault.pins import Pins
from tests.sample import each

ROOT = Path(__file__).resolve().parents[2]
FILE = ROOT / "systemd/companion.conf"
SERVE = "COMPANION_SERVE_"
OF_THE_PI = {"COMPANION_SERVE_PORT": "80", "COMPANION_SERVE_DATA": "/var/lib/companion"}


def lines() -> list[str]:
    return [line for line in FILE.read_text(encoding="utf-8").splitlines() if line]


def live() -> dict[str, str]:
    """What systemd reads from it; see EnvironmentFile= in systemd.exec(5)."""
    return dict(line.split("=", 1) for line in lines() if line[0] not in "#;")


def defaults() -> dict[str, str]:
    found = (re.fullmatch(r"#([A-Z_]+)=(.*)", line) for line in lines())
    return {match[1]: match[2] for match in found if match}


def served(environment: dict[str, str]) -> dict[str, object]:
    """What ``companion serve`` reads from *environment*."""
    with pytest.MonkeyPatch.context() as patch:
        for name, value in environment.items():
            patch.setenv(name, value)
        main = click.Context(cli.main, info_name="companion")
        main.auto_envvar_prefix = "COMPANION"
        return cli.serve.make_context("serve", [], main).params


def known() -> set[str]:
    """The name of every variable that the program reads."""
    options = {
        f"{SERVE}{x.name}" if x.allow_from_autoenv else str(x.envvar)
        for x in cli.serve.params
        if x.allow_from_autoenv or x.envvar
    }
    settings = {
        f"COMPANION_{item.name}"
        for kind in (VaultSettings, CameraSettings)
        for item in fields(kind)
        if item.name != "pins"
    }
    wires = {pin.name for pin in fields(Pins)} - {"latch"}
    pins = {f"COMPANION_PIN_{wire}" for wire in (*wires, "coil", "servo")}
    own = {"COMPANION_HOTSPOT", URL, BALANCES}
    return {name.upper() for name in (*options, *settings, *pins, *own)}


def test_every_setting_stands_there_once_and_nothing_else_does() -> None:
    named = [*live(), *defaults()]
    assert sorted(named) == sorted(known())


def test_the_program_asks_for_no_variable_that_does_not_stand_there() -> None:
    asked = {
        name
        for path in (*ROOT.glob("*.py"), *(ROOT / "hardware").rglob("*.py"))
        for name in re.findall(r"\bCOMPANION_[A-Z_]*[A-Z]\b", path.read_text())
    }
    assert asked - {SERVE.rstrip("_")} <= known()
    assert "COMPANION_VAULT" in asked


@each("name", sorted(defaults()))
def test_a_setting_stands_there_with_its_default(name: str) -> None:
    said = {name: defaults()[name]}
    if name.startswith(SERVE) or name == "COMPANION_DATABASE":
        assert served(said) == served({})
    elif name == "COMPANION_HOTSPOT":
        assert is_wanted(said) == is_wanted({})
    elif name in (URL, BALANCES):
        assert read_broker(said) is None
    elif name.startswith("COMPANION_CAMERA") and not name.endswith("PIN"):
        assert read_camera_settings(said) == CameraSettings()
    else:
        assert read_settings(said) == VaultSettings()


def test_what_differs_on_a_pi_is_read_from_it() -> None:
    assert live() == OF_THE_PI
    assert served(live()) == {
        **served({}),
        "port": 80,
        "data": Path("/var/lib/companion"),
    }


def test_each_setting_has_a_sentence_above_it() -> None:
    told = False
    for line in lines():
        if line.startswith("# "):
            told = True
        elif line != "#":
            assert told, line
    assert all(len(line) < 90 for line in lines())


def test_an_edition_file_can_be_named_by_a_setting(tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("one.toml", "two.toml")]
    for file in files:
        file.touch()
    read = served({"COMPANION_SERVE_EDITION": ":".join(map(str, files))})
    assert read["edition"] == tuple(files)
    assert served({"COMPANION_SERVE_FILES": str(files[0])}) == served({})
    assert served({"COMPANION_SERVE_VAULT": "simulated"}) == served({})
    assert served({"COMPANION_SERVE_NAME": "a.box b.box"})["name"] == ("a.box", "b.box")
