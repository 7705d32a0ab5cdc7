"""The panel's README tells every address and every setting, as they are."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path

import web
from tests.web.conftest import Evening
from web.http import may
from web.http.settings import PanelSettings

README = (Path(web.__file__).parent / "README.md").read_text()
OTHERS = {"/static/<path:filename>"}


def test_every_address_is_told_with_its_methods(calm: Evening):
    rows = re.findall(r"^\| `(/[^`]*)` \| ([A-Z ]+) \|", README, re.MULTILINE)
    told = {(path, method) for path, methods in rows for method in methods.split()}
    there = {
        (re.sub(r"<int\([^)]*\):", "<", rule.rule), method)
        for rule in calm.house.app.url_map.iter_rules()
        for method in rule.methods - {"HEAD", "OPTIONS"}
        if rule.rule not in OTHERS and not rule.endpoint.startswith("vault.")
    }
    assert told == there


WHO = {
    may.ANYBODY: "all",
    may.ONLOOKER: "all",
    may.PHONE: "all",
    may.PLAYER: "seat, banker",
    may.BANKER: "banker",
    may.STAND_IN: "banker",
    may.HOST_OR_BANKER: "host, banker",
    may.TYPIST: "host, banker",
    may.HOST: "host",
    may.MACHINE: "this machine",
}
"""How the README calls those of a level."""


def test_every_address_is_told_with_who_may(calm: Evening):
    told = dict(re.findall(r"^\| `(/[^`]*)` \| [A-Z ]+ \| ([^|]+) \|", README, re.M))
    for rule in calm.house.app.url_map.iter_rules():
        if rule.rule in told:
            level, _ = may.ROW_OF[rule.endpoint]
            assert told[rule.rule] == WHO[level], rule


def test_every_setting_is_told_with_its_default():
    rows = dict(re.findall(r"^\| `([a-z_]+)` \| ([^|]+?) \|", README, re.MULTILINE))
    words = {None: "none", (): "none", "": "none"}
    assert rows == {
        field.name: words.get(field.default) or str(field.default)
        for field in dataclasses.fields(PanelSettings)
    }


def test_every_setting_is_documented_where_it_stands():
    for field in dataclasses.fields(PanelSettings):
        assert f"{field.name}:" in PanelSettings.__doc__
