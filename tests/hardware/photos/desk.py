"""A keeper on either vault, with a journal in memory and a finger; no threads."""

from __future__ import annotations

from collections.abc import Iterable

from companion.lock.events import VaultAwoke, VaultEvent
from companion.lock.keeper import KeeperSettings, VaultKeeper
from companion.lock.states import VaultState
from companion.lock.view import VaultView
from companion.ports import Line, Signal
from tests.hardware.vault.encoder import CYCLE
from tests.hardware.vault.rigs import Rig, overhear


class Desk:
    """A vault with its keeper; ``happened`` has writes, coil and signals in order."""

    def __init__(
        self,
        rig: Rig,
        *,
        remembered: Iterable[VaultEvent] = (),
        code: int = 4,
        settings: KeeperSettings | None = None,
        trouble: Exception | None = None,
    ) -> None:
        self.rig = rig
        self.code = code
        self.phase = 0
        self.written: list[VaultEvent] = list(remembered)
        self.happened: list[VaultEvent | Signal | bool] = []
        self.seen: list[VaultView] = []
        self.trouble = trouble
        self.tries_count = 0
        overhear(rig.device, self.happened.append, self.happened.append)
        self.keeper = VaultKeeper(
            rig.device,
            rig.clock,
            self.record,
            lambda: self.code,
            remembered=tuple(self.written),
            settings=settings,
        )
        self.keeper.subscribe(self.seen.append)
        self.keeper.process()

    def record(self, events: tuple[VaultEvent, ...]) -> None:
        self.tries_count += 1
        if self.trouble is not None:
            raise self.trouble
        self.written.extend(events)
        self.happened.extend(events)

    def run(self, ms: int) -> None:
        for _ in range(ms):
            self.rig.clock.advance(1)
            self.keeper.process()

    def press(self, line: Line, times: int = 1) -> None:
        for _ in range(times):
            self.rig.contact(line, True)
            self.run(40)
            self.rig.contact(line, False)
            self.run(40)

    def lid(self, *, is_shut: bool) -> None:
        self.rig.contact(Line.LID, is_shut)
        self.run(60)

    def turn(self, detents: int) -> None:
        way = 1 if detents > 0 else -1
        for _ in range(4 * abs(detents)):
            old, self.phase = CYCLE[self.phase], (self.phase + way) % 4
            new = CYCLE[self.phase]
            if new[0] != old[0]:
                self.rig.contact(Line.WHEEL_A, new[0])
            else:
                self.rig.contact(Line.WHEEL_B, new[1])
            self.run(6)

    def lock(self) -> None:
        """Shut the lid and set the code."""
        self.lid(is_shut=True)
        self.press(Line.YELLOW_BUTTON, 3)

    def turn_to(self, number: int) -> None:
        self.turn(number - self.keeper.view().number)

    @property
    def state(self) -> VaultState:
        return self.keeper.view().state

    @property
    def signals(self) -> list[Signal]:
        return [event for event in self.happened if isinstance(event, Signal)]

    @property
    def events(self) -> list[VaultEvent]:
        """List what was written, without the wakings."""
        return [event for event in self.written if not isinstance(event, VaultAwoke)]
