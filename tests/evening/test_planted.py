"""The planted mistakes fit the program as it is, and really are what runs."""

from __future__ import annotations

import json
import sys

import pytest

from tests.evening.planted import Fault, all_faults, look
from tests.running import ROOT
from tests.sample import each

FAULTS = all_faults()


def test_there_are_fifty_of_which_five_are_hard() -> None:
    assert len({fault.name for fault in FAULTS}) == len(FAULTS) == 50
    assert sum(bool(fault.hard) for fault in FAULTS) == 5


@each("fault", FAULTS)
def test_a_fault_can_be_planted_in_the_program(fault: Fault) -> None:
    assert fault.file.startswith(("companion/", "hardware/", "web/"))
    text = (ROOT / fault.file).read_text()
    planted = fault.planted(text)
    assert planted != text
    if fault.file.endswith(".json"):
        json.loads(planted)
    else:
        compile(planted, fault.file, "exec")


WHOSE = """
import inspect, sys
from pathlib import Path
from companion.store import database
assert Path(database.__file__).is_relative_to(Path.cwd()), database.__file__
sys.exit("synchronous=NORMAL" in inspect.getsource(database))
"""


@pytest.mark.parametrize("fault", [None, FAULTS[0]], ids=["none", "one"])
def test_what_is_planted_is_what_runs(fault: Fault | None) -> None:
    looked = look(fault, [sys.executable, "-c", WHOSE])
    assert looked.code == (fault is not None), looked.said
