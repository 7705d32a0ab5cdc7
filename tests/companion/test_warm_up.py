"""What is read is learnt before two threads can read it at once."""

from __future__ import annotations

import subprocess
import sys

import pytest

LATE = """
import sys
from importlib import resources
import companion.rules.drawing, companion.game.codec, web.play.api
from companion.decoder.deck import load_deck
from companion.edition import builtin

late = []
def called(frame, event, _):
    if event == "call" and frame.f_code.co_name == "get_class_annotations":
        if not frame.f_back.f_code.co_filename.endswith("structs.py"):
            late.append(str(frame.f_locals["obj"]))
sys.setprofile(called)
for name in ("classic", "classic-uk", "grab-and-go", "secret-vault"):
    builtin(name)
load_deck((resources.files("companion") / "decoder" / "house.deck").read_bytes())
for command in (b'{"type": "Pay"}', b'{"type": "Begin"}', b'{"type": "Buy"}'):
    try:
        web.play.api.envelope_from_json(
            b'{"command_id": "x", "command": %s}' % command, ""
        )
    except companion.errors.Malformed:
        pass
sys.setprofile(None)
print(late)
"""

AT_ONCE = """
import sys, threading
from companion.edition import builtin
sys.setswitchinterval(1e-6)
begin = threading.Barrier(6)
def read():
    begin.wait()
    builtin("classic")
threads = [threading.Thread(target=read) for _ in range(6)]
for thread in threads: thread.start()
for thread in threads: thread.join()
"""


def printed(words: str) -> str:
    """What a new process says that has read nothing yet."""
    done = subprocess.run(
        [sys.executable, "-c", words], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_nothing_is_learnt_when_it_is_read() -> None:
    assert printed(LATE) == "[]"


@pytest.mark.parametrize("_", range(3))
def test_the_first_six_to_read_may_come_at_once(_: int) -> None:
    assert printed(AT_ONCE) == ""
