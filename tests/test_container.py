"""What the recipe of the container and the app of Home Assistant say of other files."""

from __future__ import annotations

import re
import tomllib

from cli import main
from tests.running import ROOT

RECIPE = (ROOT / "release/Containerfile").read_text(encoding="utf-8")
APP = (ROOT / "release/home-assistant/config.yaml").read_text(encoding="utf-8")
SETTINGS = (ROOT / "systemd/companion.conf").read_text(encoding="utf-8")


def test_the_app_has_the_projects_version() -> None:
    told = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert f'version: "{told["project"]["version"]}"' in APP.splitlines()


def test_its_health_is_asked_for_by_a_command_that_there_is() -> None:
    (asked,) = re.findall(
        r'^HEALTHCHECK .* CMD \["companion", "(\w+)"\]$', RECIPE, re.M
    )
    assert asked in main.commands


def test_both_set_what_the_table_knows() -> None:
    named = set(re.findall(r"\b(COMPANION_[A-Z_]+)\b", RECIPE + APP))
    known = re.findall(r"^#?(COMPANION_[A-Z_]+)=", SETTINGS, re.MULTILINE)
    assert named <= {*known, "COMPANION_DATA"}
