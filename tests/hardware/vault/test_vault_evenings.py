"""Generated evenings: fingers, force, jams, full disks and power cuts, in any order.

Goal: the coil is on only while the vault is releasing, what runs equals what would be
remembered, and once the disk writes again the vault agrees with its lid.
"""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from companion.lock import events as e
from companion.lock.keeper import VaultKeeper
from companion.lock.states import HOLDS_CODE, LID_SHUT_IN, VaultState
from companion.ports import Line, Signal
from hardware.vault.simulated import Happening, SimulatedVault
from tests.fakes import FakeClock

ACTS = [
    *("m", "yellow", "thrice", "shut", "lift", "force", "turn"),
    *("guess", "set_wheel", "clear", "jam", "break", "disk", "cut"),
    *("wait_1", "wait_60", "wait_2000", "power"),
]


class Evening:
    """A simulated vault, its keeper, and a disk that may be full."""

    def __init__(self) -> None:
        self.clock = FakeClock()
        self.written: list[e.VaultEvent] = []
        self.is_disk_full = False
        self.codes_drawn = 0
        self.memory = e.VaultMemory()
        self.folded_count = 0
        self.begin(is_lid_shut=False)

    def begin(self, *, is_lid_shut: bool) -> None:
        self.device = SimulatedVault(self.clock, is_lid_shut=is_lid_shut)
        self.keeper = VaultKeeper(
            self.device,
            self.clock,
            self.record,
            self.draw,
            remembered=tuple(self.written),
        )
        self.run(1)
        assert self.device.values("coil") == [False]

    def draw(self) -> int:
        self.codes_drawn += 1
        return self.codes_drawn % 6 + 1

    def record(self, events: tuple[e.VaultEvent, ...]) -> None:
        if self.is_disk_full:
            raise OSError("no space left on device")
        self.written.extend(events)

    def run(self, ms: int) -> None:
        step_ms = 1 if ms < 5 else 5 if ms < 500 else 50
        for _ in range(ms // step_ms):
            self.clock.advance(step_ms)
            self.keeper.process()
            self.check()

    def check(self) -> None:
        state = self.keeper.view().state
        if len(self.written) != self.folded_count:
            self.memory = e.remember(self.written)
            self.folded_count = len(self.written)
        memory = self.memory
        if self.device.is_coil_on:
            assert state is VaultState.RELEASING
        if state is not VaultState.UNKNOWN:
            assert state is memory.state
        assert (memory.code is not None) == (memory.state in HOLDS_CODE)

    def act(self, what: str) -> None:
        device, keeper = self.device, self.keeper
        simple = {
            "m": lambda: device.press(Line.M_BUTTON),
            "yellow": lambda: device.press(Line.YELLOW_BUTTON),
            "shut": device.shut_lid,
            "lift": device.lift_lid,
            "force": device.force_lid,
            "turn": lambda: device.turn(1),
            "guess": lambda: keeper.guess(3),
            "set_wheel": lambda: keeper.set_wheel(2),
            "clear": keeper.clear_fault,
        }
        if what in simple:
            simple[what]()
            self.run(90)
        elif what == "thrice":
            for _ in range(3):
                device.press(Line.YELLOW_BUTTON)
            self.run(250)
        elif what.startswith("wait"):
            self.run(int(what.split("_")[1]))
        else:
            self.fail(what)

    def fail(self, what: str) -> None:
        """Break something, or mend it."""
        device = self.device
        if what == "jam":
            device.is_jammed = not device.is_jammed
        elif what == "break":
            device.is_coil_broken = not device.is_coil_broken
        elif what == "disk":
            self.is_disk_full = not self.is_disk_full
        elif what == "cut":
            device.cut_wire(Line.LID)
            self.run(90)
            device.mend_wire(Line.LID)
        elif what == "power":
            is_lid_shut = device.levels()[Line.LID]
            device.close()
            self.begin(is_lid_shut=is_lid_shut)


@settings(max_examples=40)
@given(st.lists(st.sampled_from(ACTS), max_size=40))
def test_any_evening_keeps_the_vault_honest(acts: list[str]) -> None:
    evening = Evening()
    for what in acts:
        evening.act(what)
    evening.is_disk_full = False
    evening.run(6000)
    view = evening.keeper.view()
    is_shut = evening.device.levels()[Line.LID]
    assert LID_SHUT_IN.get(view.state, is_shut) == is_shut
    assert view.state not in (VaultState.UNKNOWN, VaultState.RELEASING)
    assert not evening.device.is_coil_on


@settings(max_examples=25)
@given(st.lists(st.sampled_from(ACTS), max_size=25))
def test_any_vault_can_be_opened_by_trying_all_numbers(acts: list[str]) -> None:
    """After whatever happened, once it is mended: a person, six guesses, open."""
    evening = Evening()
    for what in acts:
        evening.act(what)
    evening.is_disk_full = evening.device.is_coil_broken = False
    evening.device.is_jammed = False
    evening.run(6000)
    if evening.keeper.view().state is VaultState.FAULT:
        evening.act("clear")
    evening.run(20_000)  # The coil has rested.
    for number in range(1, 7):
        if evening.keeper.view().state in (VaultState.OPEN, VaultState.FORCED):
            break
        evening.keeper.guess(number)
        evening.run(200)
    assert not evening.device.levels()[Line.LID]


@settings(max_examples=25)
@given(st.lists(st.sampled_from(ACTS), max_size=25))
def test_every_finger_that_is_heard_gets_an_answer(acts: list[str]) -> None:
    evening = Evening()
    for what in acts:
        evening.act(what)
    evening.run(2000)
    before: list[Happening] = [h for h in evening.device.history if h.part == "signal"]
    evening.act("m")
    heard = [h for h in evening.device.history if h.part == "signal"][len(before) :]
    assert heard
    assert all(isinstance(happening.value, Signal) for happening in heard)
