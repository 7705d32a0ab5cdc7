"""Whatever stands in the files, a doctor says something and never stumbles."""

from __future__ import annotations

import os
import random
import shutil
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.health import Condition
from hardware.doctor.facts import Machine
from hardware.doctor.gather import examine
from hardware.doctor.trial import read_trial
from tests.hardware.doctor.fake_pi import MODELS, facts_of, files_of, healthy

PATHS = sorted(files_of("pi4"))
ALIKE = "dt=[]gpio:,-all\n pi4 0123456789overlayparam\\x00#/mmcroext tmpfs\"'"
GARBAGE = st.one_of(
    st.binary(max_size=200),
    st.text(ALIKE, max_size=200).map(lambda text: text.encode()),
    st.sampled_from(["9" * 5000, "-", "0x", "٣", "1_0", "[", "gpio==", "include "]).map(
        lambda text: text.encode()
    ),
)


@given(path=st.sampled_from(PATHS), garbage=GARBAGE)
@settings(
    max_examples=300,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
def test_garbage_in_one_file_stops_nothing(
    tmp_path: Path, path: str, garbage: bytes
) -> None:
    root = tmp_path / "pi"
    if not root.exists():
        healthy(root)
    before = (root / path).read_bytes()
    try:
        (root / path).write_bytes(garbage)
        assert list(examine(facts_of(root)))
    finally:
        (root / path).write_bytes(before)


@pytest.mark.parametrize("seed", range(20))
def test_files_that_are_missing_folders_pipes_or_loops_stop_nothing(
    tmp_path: Path, seed: int
) -> None:
    chance = random.Random(seed)
    healthy(tmp_path, chance.choice(list(MODELS)))
    for path in chance.sample(PATHS, 12):
        file = tmp_path / path
        if not file.exists():
            continue
        file.unlink()
        kind = chance.choice(["gone", "folder", "pipe", "loop"])
        if kind == "folder":
            file.mkdir()
        elif kind == "pipe":
            os.mkfifo(file)
        elif kind == "loop":
            file.symlink_to(file)
    assert list(examine(facts_of(tmp_path)))


def test_an_empty_machine_is_examined(tmp_path: Path) -> None:
    findings = list(examine(facts_of(tmp_path, user="", space=None, address="")))
    assert findings[0].condition is Condition.UNKNOWN


def test_a_file_without_an_end_is_cut(tmp_path: Path) -> None:
    (tmp_path / "dev").mkdir()
    (tmp_path / "dev/kmsg").symlink_to("/dev/zero")
    assert Machine(tmp_path).text("dev/kmsg") == ""
    shutil.rmtree(tmp_path / "dev")


@given(st.one_of(st.text(), st.text('[]{}",:0123456789 beginsfoundmode\n')))
def test_whatever_a_child_says_is_read(text: str) -> None:
    read_trial(text, "ended")
