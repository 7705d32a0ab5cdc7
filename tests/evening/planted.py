"""Whether tests find small mistakes: each is planted in a copy of the program.

``python -m tests.evening.planted`` plays evenings in each copy until one fails, and in
one without a mistake; it ends with 0 if nearly all are found. Words pick the faults
whose names hold them; ``--command`` runs something else there, and what follows
``--tests`` goes to pytest. A copy has what is not committed yet, too.
"""

from __future__ import annotations

import argparse
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from typing import NamedTuple

import msgspec

from tests.running import ROOT

FAULTS = Path(__file__).with_name("faults.toml")
NO_COPY = (".git", *(ROOT / ".gitignore").read_text().replace("/", "").split())
"""What is not copied: history, and what git ignores, caches above all."""

FIRST_SEED = 1
MISSED_MAX = 3
"""How many of all faults may stay hidden."""

PATIENCE_S = 3600
"""How long a run may take before it counts as one that hangs."""

PYTEST = ("-m", "pytest", "-q", "-x", "-p", "no:cacheprovider")


class Fault(msgspec.Struct, frozen=True):
    """A mistake to plant.

    Attributes:
        name: What goes wrong, as a sentence.
        file: Where.
        old: What stands there; once in the file.
        new: What stands there instead.
        hard: At which moment the world has to go wrong; empty for one that shows
            without that.
    """

    name: str
    file: str
    old: str
    new: str
    hard: str = ""

    def planted(self, text: str) -> str:
        """Return the file's *text* with the mistake."""
        assert text.count(self.old) == 1, f"{self.file} does not hold it once: {self}"
        return text.replace(self.old, self.new)


class Looked(NamedTuple):
    """What a run in a copy came to.

    Attributes:
        code: Its exit code; ``None`` if it did not end in time.
        seconds: How long it took.
        said: All that it printed.
    """

    code: int | None
    seconds: float
    said: str

    @property
    def is_found(self) -> bool:
        """Whether something failed, rather than could not be run."""
        return self.code == 1

    @property
    def evening(self) -> str:
        """Which evening failed, counted from 1; empty if none is named."""
        seeds = re.findall(r"(?i)\bseed\W+(\d+)", self.said)
        return str(int(seeds[-1]) - FIRST_SEED + 1) if seeds and self.is_found else ""

    @property
    def last(self) -> str:
        """The last line that says anything."""
        return next(filter(str.strip, reversed(self.said.splitlines())), "").strip()


def all_faults() -> list[Fault]:
    """Every fault, in the order of the file."""
    return msgspec.convert(tomllib.loads(FAULTS.read_text())["fault"], list[Fault])


def look(fault: Fault | None, command: Sequence[str]) -> Looked:
    """Run *command* in a copy of the program in which *fault* is planted, if any."""
    with tempfile.TemporaryDirectory(prefix="planted-") as folder:
        root = Path(folder, "program")
        shutil.copytree(ROOT, root, ignore=shutil.ignore_patterns(*NO_COPY))
        if fault is not None:
            file = root / fault.file
            file.write_text(fault.planted(file.read_text()))
        # The copy comes before what is installed, also in programs that are started.
        own = {"PYTHONPATH": str(root)}
        began = time.monotonic()
        try:
            done = subprocess.run(
                command,
                cwd=root,
                env=os.environ | own,
                check=False,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                timeout=PATIENCE_S,
            )
        except subprocess.TimeoutExpired:
            return Looked(None, PATIENCE_S, "it did not end")
        return Looked(done.returncode, time.monotonic() - began, done.stdout)


def look_for_all(faults: Iterable[Fault], command: Sequence[str]) -> tuple[int, bool]:
    """Run *command* with each fault and without any, on every processor.

    Returns:
        How many faults stayed hidden, and whether the program without any passed.
    """
    missed, is_sound = 0, False
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        runs = {pool.submit(look, fault, command): fault for fault in (None, *faults)}
        for run in as_completed(runs):
            fault, looked = runs[run], run.result()
            if fault is None:
                is_sound = looked.code == 0
            else:
                missed += not looked.is_found
            row(fault, looked)
    return missed, is_sound


def row(fault: Fault | None, looked: Looked) -> None:
    """Print a row of the table at once."""
    words = ("missed", "found") if fault else ("sound", "fails")
    word = words[looked.code] if looked.code in (0, 1) else f"ends {looked.code}"
    name = fault.name if fault else "nothing is planted"
    took = f"{looked.seconds:7.1f} s"
    line = f"{word:8} {looked.evening:>4} {took}  {name:70} {looked.last}"
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main() -> int:
    """Look for the faults that are named, or for all; the process's exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="words of the faults' names")
    parser.add_argument("--evenings", type=int, default=100)
    parser.add_argument("--command", help="to run in each copy in place of evenings")
    parser.add_argument("--tests", nargs=argparse.REMAINDER, help="paths for pytest")
    given = parser.parse_args()
    wanted = given.names or [""]
    faults = [x for x in all_faults() if any(words in x.name for words in wanted)]
    if not faults:
        parser.error(f"no fault is called {given.names}; see {FAULTS.name}")
    command = [sys.executable, "-m", "tests.evening"]
    command += [str(FIRST_SEED), str(given.evenings), "--as-it-is"]
    if given.command:
        command = shlex.split(given.command)
    elif given.tests:
        command = [sys.executable, *PYTEST, *given.tests]
    missed, is_sound = look_for_all(faults, command)
    sys.stdout.write(f"{len(faults) - missed} of {len(faults)} found\n")
    return int(missed > (0 if given.names else MISSED_MAX) or not is_sound)


if __name__ == "__main__":
    raise SystemExit(main())
