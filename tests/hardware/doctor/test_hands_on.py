"""A maker tries the vault: what is right, and what each wrong wire is called."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from companion.health import Condition, Finding
from companion.lock.quadrature import WheelSettings
from companion.ports import Edge, Line, Signal
from hardware.doctor.hands_on import (
    COIL_ON_MS,
    Bench,
    steps_in,
    try_button,
    try_coil,
    try_everything,
    try_lid,
    try_light,
    try_wheel,
)
from hardware.vault.latches import LATCHES
from hardware.vault.simulated import CYCLE, SimulatedVault
from tests.fakes import FakeClock
from tests.hardware.vault.rigs import GpioRig, Rig, SimulatedRig

OK, UNKNOWN, WARN, FAIL = Condition

Act = Callable[[], object]


class Script:
    """A maker who does what the test says once asked, and answers as it says."""

    def __init__(
        self,
        acts: dict[str, Act] | None = None,
        *,
        says: bool = True,
        denies: str = "",
    ) -> None:
        self.acts = acts or {}
        self.says = says
        self.denies = denies
        self.edges: deque[Edge] = deque()
        self.told: list[str] = []
        self.clock: FakeClock | None = None

    def tell(self, text: str) -> None:
        self.told.append(text)
        for words, act in self.acts.items():
            if words in text:
                act()

    def agrees(self, question: str) -> bool:
        self.told.append(question)
        return self.says and not (self.denies and self.denies in question)

    def next_edge(self, timeout_ms: int) -> Edge | None:
        if not self.edges and self.clock is not None:
            self.clock.advance(timeout_ms)
        return self.edges.popleft() if self.edges else None


def bench_of(rig: Rig, tmp_path: Path, script: Script) -> Bench:
    rig.device.listen(script.edges.append)
    return Bench(rig.device, script, rig.clock, LATCHES["solenoid"])


def turned(rig: Rig, steps: int, start: int = 0) -> Act:
    def act() -> None:
        way = 1 if steps > 0 else -1
        for step in range(1, abs(steps) + 1):
            is_a, is_b = CYCLE[(start + way * step) % 4]
            rig.contact(Line.WHEEL_A, is_a)
            rig.contact(Line.WHEEL_B, is_b)

    return act


@pytest.mark.parametrize("steps", [1, 2, 4, -1, -2, -4])
def test_a_click_tells_the_settings_of_the_wheel(
    rig: Rig, tmp_path: Path, steps: int
) -> None:
    script = Script({"clockwise": turned(rig, steps)})
    finding = try_wheel(bench_of(rig, tmp_path, script))
    assert finding.condition is OK
    assert f"COMPANION_WHEEL_STEPS_PER_DETENT={abs(steps)} and" in finding.words
    assert f"COMPANION_WHEEL_IS_REVERSED={int(steps < 0)}" in finding.words


def test_a_bouncing_contact_changes_nothing(rig: Rig, tmp_path: Path) -> None:
    def bouncing() -> None:
        for is_on in (True, False, True, False, True):
            rig.contact(Line.WHEEL_A, is_on)
        turned(rig, 3, start=1)()

    script = Script({"clockwise": bouncing})
    finding = try_wheel(bench_of(rig, tmp_path, script))
    assert "a click is 4 steps" in finding.words


def press(rig: Rig, line: Line) -> Act:
    def act() -> None:
        rig.contact(line, True)
        rig.contact(line, False)

    return act


WRONG: dict[str, tuple[Callable[[Rig], Act], Condition, str]] = {
    "nothing": (lambda rig: lambda: None, FAIL, "made no step"),
    "two clicks": (lambda rig: turned(rig, 8), WARN, "8 steps"),
    "A alone": (
        lambda rig: press(rig, Line.WHEEL_A), FAIL, "wheel_b is still"
    ),
    "the wrong wire": (lambda rig: press(rig, Line.LID), FAIL, "lid"),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_with_the_wheel_is_named(
    rig: Rig, tmp_path: Path, name: str
) -> None:
    make, condition, words = WRONG[name]
    script = Script({"clockwise": make(rig)})
    finding = try_wheel(bench_of(rig, tmp_path, script))
    assert finding.condition is condition
    assert words in finding.words
    assert finding.remedy


def try_m(rig: Rig, tmp_path: Path, act: Act) -> Finding:
    script = Script({"Press": act})
    return try_button(bench_of(rig, tmp_path, script), Line.M_BUTTON, "M")


def test_a_button_is_felt_or_not(rig: Rig, tmp_path: Path) -> None:
    assert try_m(rig, tmp_path, press(rig, Line.M_BUTTON)).condition is OK
    assert "not felt" in try_m(rig, tmp_path, lambda: None).words
    swapped = try_m(rig, tmp_path, press(rig, Line.YELLOW_BUTTON))
    assert "yellow_button" in swapped.words
    stuck = try_m(rig, tmp_path, lambda: rig.contact(Line.M_BUTTON, True))
    assert stuck.condition is WARN


def test_what_was_moved_before_it_was_asked_for_does_not_count(
    rig: Rig, tmp_path: Path
) -> None:
    script = Script()
    bench = bench_of(rig, tmp_path, script)
    press(rig, Line.M_BUTTON)()
    assert "not felt" in try_button(bench, Line.M_BUTTON, "M").words


def test_a_lid_is_compared_with_what_the_maker_sees(rig: Rig, tmp_path: Path) -> None:
    shut = {"Shut": lambda: rig.contact(Line.LID, True)}
    assert try_lid(bench_of(rig, tmp_path, Script())).condition is FAIL
    assert try_lid(bench_of(rig, tmp_path, Script(shut))).condition is OK
    seen = try_lid(bench_of(rig, tmp_path, Script(says=False)))
    assert (seen.condition, "NC" in seen.remedy) == (FAIL, True)


def test_a_light_is_shown_before_it_is_asked_about(rig: Rig, tmp_path: Path) -> None:
    bench = bench_of(rig, tmp_path, Script())
    if isinstance(rig, GpioRig):
        assert try_light(bench, Signal.RIGHT, "try.green", "green").condition is OK
        assert rig.pin("led_green").state
    dark = bench_of(rig, tmp_path, Script(says=False))
    assert try_light(dark, Signal.WRONG, "try.red", "red").condition is FAIL


def test_the_coil_is_on_once_and_only_after_a_yes(rig: Rig, tmp_path: Path) -> None:
    no = Script(says=False)
    assert try_coil(bench_of(rig, tmp_path, no)).condition is UNKNOWN
    assert rig.coil_levels() == [False]
    assert "fingers" in no.told[0]
    assert try_coil(bench_of(rig, tmp_path, Script())).condition is OK
    assert rig.coil_levels() == [False, True]
    rig.clock.advance(COIL_ON_MS)
    assert rig.coil_levels() == [False, True, False]


def test_the_coil_rests_when_it_is_tried_again_at_once(
    rig: Rig, tmp_path: Path
) -> None:
    bench = bench_of(rig, tmp_path, Script())
    assert try_coil(bench).condition is OK
    rig.clock.advance(COIL_ON_MS)
    again = try_coil(bench)
    assert again.condition is UNKNOWN
    assert "wait 5 s" in again.remedy


@pytest.mark.parametrize("latch", LATCHES)
def test_a_latch_is_named_before_it_moves_and_if_it_does_not(
    tmp_path: Path, latch: str
) -> None:
    rig, script = SimulatedRig(FakeClock()), Script(denies="move")
    finding = try_coil(replace(bench_of(rig, tmp_path, script), latch=LATCHES[latch]))
    assert LATCHES[latch].wire in script.told[0]
    assert (finding.condition, finding.remedy) == (FAIL, LATCHES[latch].remedy)


@pytest.mark.parametrize("steps", [1, 2, 4])
def test_simulated_hands_do_it_all(tmp_path: Path, steps: int) -> None:
    clock, script = FakeClock(), Script()
    vault = SimulatedVault(clock, wheel=WheelSettings(steps), rest=(True, True))
    script.clock = clock
    vault.listen(script.edges.append)
    bench = Bench(vault, script, clock, LATCHES["solenoid"], vault.hands)
    findings = list(try_everything(bench))
    assert [finding.condition for finding in findings] == [OK] * 7
    assert f"STEPS_PER_DETENT={steps}" in findings[0].words
    assert vault.values("coil") == [False, True]


@pytest.mark.parametrize(
    ("latch", "denies", "conditions"),
    [
        ("solenoid", "", [OK]),
        ("servo", "F1", [OK]),
        ("servo", "", [OK, WARN]),
        ("servo", "Pull", [UNKNOWN, WARN]),
    ],
)
def test_after_its_pull_a_servo_behind_a_fuse_is_told_what_to_build(
    latch: str, denies: str, conditions: list[Condition]
) -> None:
    clock, script = FakeClock(), Script(denies=denies)
    vault = SimulatedVault(clock, rest=(True, True))
    script.clock = clock
    vault.listen(script.edges.append)
    bench = Bench(vault, script, clock, LATCHES[latch], vault.hands)
    findings = list(try_everything(bench))[6:]
    assert [finding.condition for finding in findings] == conditions
    assert ("F1" in script.told[-1]) is (latch == "servo")
    if WARN in conditions:
        assert "too little" in findings[-1].words
        assert "hardware/README.md, Build B" in findings[-1].remedy


def test_two_contacts_that_change_at_once_count_as_two_steps() -> None:
    edges = [Edge(Line.WHEEL_A, True, 0), Edge(Line.WHEEL_B, True, 1)]
    assert steps_in(False, False, edges) == 2
