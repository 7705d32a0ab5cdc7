"""The doctor's report: all looks in their order, and their findings for a terminal."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Callable, Iterable, Iterator

from companion.health import Condition, Finding
from hardware.doctor import camera, pins, software, system
from hardware.doctor.facts import Facts

Look = Callable[[Facts], Iterator[Finding]]
"""Yields the findings on one topic."""

PI_ONLY, ANYWHERE = True, False

LOOKS: tuple[tuple[Look, bool], ...] = (
    (system.look_at_model, ANYWHERE),
    (system.look_at_system, ANYWHERE),
    (software.look_at_program, ANYWHERE),
    (software.look_at_python, ANYWHERE),
    (software.look_at_libraries, ANYWHERE),
    (software.look_at_picamera, ANYWHERE),
    (pins.look_at_vault_setting, PI_ONLY),
    (pins.look_at_chip, PI_ONLY),
    (pins.look_at_groups, PI_ONLY),
    (pins.look_at_boot, PI_ONLY),
    (pins.look_at_lines, PI_ONLY),
    (camera.look_at_camera, ANYWHERE),
    (camera.look_at_memory, PI_ONLY),
    (system.look_at_supply, PI_ONLY),
    (system.look_at_throttling, PI_ONLY),
    (system.look_at_heat, PI_ONLY),
    (system.look_at_space, ANYWHERE),
    (system.look_at_mount, ANYWHERE),
    (system.look_at_card, PI_ONLY),
    (system.look_at_clock, PI_ONLY),
    (system.look_at_zone, ANYWHERE),
    (system.look_at_address, ANYWHERE),
    (system.look_at_service, ANYWHERE),
)
"""Each look, and whether it runs on a Pi only; elsewhere ``look_at_model`` says so."""


def examine(facts: Facts) -> Iterator[Finding]:
    """Yield every finding about the machine that *facts* describe."""
    is_pi = bool(facts.machine.model)
    for look, is_pi_only in LOOKS:
        if is_pi or not is_pi_only:
            yield from look(facts)


COLOURS = {
    Condition.OK: "green",
    Condition.UNKNOWN: "cyan",
    Condition.WARN: "yellow",
    Condition.FAIL: "red",
}
# The columns of a line: condition, a gap of 2, topic, then the words.
CONDITION_WIDTH = max(map(len, Condition))
TOPIC_WIDTH = 20
INDENT = CONDITION_WIDTH + 2 + TOPIC_WIDTH
WORDS_WIDTH_MIN = 20
"""The words get this width even on a terminal that is too narrow."""


def lines_of(finding: Finding, width: int, condition: str) -> Iterator[str]:
    """Yield the lines that show a finding: its words, and below them the remedy.

    *width* are the columns of the terminal; *condition* is already padded, and perhaps
    coloured.
    """
    words_width = max(WORDS_WIDTH_MIN, width - INDENT)
    words = _wrapped(finding.words, words_width) or [""]
    yield f"{condition}  {finding.topic:<{TOPIC_WIDTH}}{words[0]}".rstrip()
    yield from (f"{'':{INDENT}}{line}" for line in words[1:])
    remedy = f"→ {finding.remedy}" if finding.remedy else ""
    for number, line in enumerate(_wrapped(remedy, words_width - 2)):
        yield f"{'':{INDENT + (2 if number else 0)}}{line}"


def _wrapped(text: str, width: int) -> list[str]:
    """Wrap *text*, but never at a hyphen, as that would cut commands in two."""
    return textwrap.wrap(text, width, break_long_words=False, break_on_hyphens=False)


def summary(findings: Iterable[Finding]) -> str:
    """Count the findings of each condition, in one sentence."""
    counts = Counter(finding.condition for finding in findings)
    if not counts[Condition.WARN] and not counts[Condition.FAIL]:
        unknown = counts[Condition.UNKNOWN]
        return "All is well" + (
            f", as far as can be told ({unknown} unknown)." if unknown else "."
        )
    parts = [f"{counts[kind]} {kind}" for kind in reversed(Condition) if counts[kind]]
    return ", ".join(parts) + "."
