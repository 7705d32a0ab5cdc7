"""The vault's inputs: edges in, presses and turns out; pure, each edge has its time.

The module joins the wheel, the two eager buttons, the patient lid, and the counting of
three yellow presses, so that the keeper deals with presses and not with contacts.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass, field, replace

from companion.errors import Malformed
from companion.lock.debounce import NS_PER_MS, EagerButton, PatientSwitch
from companion.lock.quadrature import Wheel, WheelSettings
from companion.ports import Edge, Line

YELLOW_PRESSES = 3
"""How many presses of the yellow button set a new code."""


class Press(enum.StrEnum):
    """A deliberate press of a button."""

    M = "m"
    YELLOW = "yellow"
    YELLOW_THRICE = "yellow_thrice"  # The third press within the window.


@dataclass(frozen=True, slots=True)
class SenseSettings:
    """How long the inputs must last to count, and which wheel there is."""

    wheel: WheelSettings = field(default_factory=WheelSettings)
    """Which wheel is mounted."""
    button_settle_ms: int = 20
    """How long a button must have been released before a press counts; 1 to 200."""
    lid_settle_ms: int = 50
    """How long the lid must stay as it is before it counts; 1 to 1000."""
    yellow_window_ms: int = 2000
    """The time within which three yellow presses set a code; 500 to 10000."""
    wheel_rest_ms: int = 200
    """How long the wheel must have shown a number before it rests; 50 to 5000."""

    def __post_init__(self) -> None:
        for name, low, high in (
            ("button_settle_ms", 1, 200),
            ("lid_settle_ms", 1, 1000),
            ("yellow_window_ms", 500, 10_000),
            ("wheel_rest_ms", 50, 5000),
        ):
            if not low <= getattr(self, name) <= high:
                got = getattr(self, name)
                raise Malformed(f"expected {name} in {low}..{high}, got {got}")


@dataclass(frozen=True, slots=True)
class Senses:
    """The inputs after all edges so far; ``feel`` makes the first from a reading.

    Attributes:
        settings: How long an input must last to count.
        wheel: Where the wheel stands.
        m: The M button.
        yellow: The yellow button.
        lid: The lid; on means shut.
        yellow_at_ns: Times of the yellow presses within the window; at most two.
        turned_at_ns: When the wheel came to its number; None once it rests there.
    """

    settings: SenseSettings
    wheel: Wheel
    m: EagerButton
    yellow: EagerButton
    lid: PatientSwitch
    yellow_at_ns: tuple[int, ...] = ()
    turned_at_ns: int | None = None

    def hear(self, edge: Edge) -> tuple[Senses, Press | None]:
        """Return the senses after *edge*, and the press that it was, if any."""
        if edge.line is Line.M_BUTTON:
            m, is_press = self.m.hear(edge)
            return replace(self, m=m), Press.M if is_press else None
        if edge.line is Line.YELLOW_BUTTON:
            return self._hear_yellow(edge)
        if edge.line is Line.LID:
            return replace(self, lid=self.lid.hear(edge)), None
        wheel = self.wheel.hear(edge.line, edge.is_active)
        is_news = wheel.number != self.wheel.number
        turned_at_ns = edge.at_ns if is_news else self.turned_at_ns
        return replace(self, wheel=wheel, turned_at_ns=turned_at_ns), None

    def elapse(self, now_ns: int) -> Senses:
        """Return the senses at *now_ns*: lid and wheel settle, old presses are gone."""
        rest_at_ns = self._rest_at_ns
        is_at_rest = rest_at_ns is None or now_ns >= rest_at_ns
        return replace(
            self,
            lid=self.lid.elapse(now_ns),
            yellow_at_ns=self._yellow_since(now_ns),
            turned_at_ns=None if is_at_rest else self.turned_at_ns,
        )

    def forget_yellow(self) -> Senses:
        """Return the senses with no yellow press counting towards a new code."""
        return replace(self, yellow_at_ns=()) if self.yellow_at_ns else self

    @property
    def due_ns(self) -> int | None:
        """When ``elapse`` would change something; None if nothing waits for time."""
        dues = [] if self.lid.due_ns is None else [self.lid.due_ns]
        if self.yellow_at_ns:
            dues.append(self.yellow_at_ns[0] + self._yellow_window_ns + 1)
        if self._rest_at_ns is not None:
            dues.append(self._rest_at_ns)
        return min(dues, default=None)

    def look_again(self, levels: dict[Line, bool], now_ns: int) -> Senses:
        """Take over the levels after edges were lost, without inventing presses."""
        senses = replace(
            self, wheel=self.wheel.see((levels[Line.WHEEL_A], levels[Line.WHEEL_B]))
        )
        for line in (Line.M_BUTTON, Line.YELLOW_BUTTON, Line.LID):
            edge = Edge(line, levels[line], now_ns)
            if line is Line.LID:
                senses = replace(senses, lid=senses.lid.hear(edge))
            elif line is Line.M_BUTTON:
                senses = replace(senses, m=senses.m.hear(edge)[0])
            else:
                senses = replace(senses, yellow=senses.yellow.hear(edge)[0])
        return senses

    def _hear_yellow(self, edge: Edge) -> tuple[Senses, Press | None]:
        yellow, is_press = self.yellow.hear(edge)
        if not is_press:
            return replace(self, yellow=yellow), None
        presses = (*self._yellow_since(edge.at_ns), edge.at_ns)
        is_thrice = len(presses) == YELLOW_PRESSES
        press = Press.YELLOW_THRICE if is_thrice else Press.YELLOW
        kept = () if is_thrice else presses
        return replace(self, yellow=yellow, yellow_at_ns=kept), press

    def _yellow_since(self, now_ns: int) -> tuple[int, ...]:
        since_ns = now_ns - self._yellow_window_ns
        return tuple(at_ns for at_ns in self.yellow_at_ns if at_ns >= since_ns)

    @property
    def _rest_at_ns(self) -> int | None:
        if self.turned_at_ns is None:
            return None
        return self.turned_at_ns + self.settings.wheel_rest_ms * NS_PER_MS

    @property
    def _yellow_window_ns(self) -> int:
        return self.settings.yellow_window_ms * NS_PER_MS


def feel(levels: dict[Line, bool], number: int, settings: SenseSettings) -> Senses:
    """Begin with a reading of all inputs; a button held down now is no press."""
    contacts = (levels[Line.WHEEL_A], levels[Line.WHEEL_B])
    button_ns = settings.button_settle_ms * NS_PER_MS
    lid_ns = settings.lid_settle_ms * NS_PER_MS
    is_shut = levels[Line.LID]
    return Senses(
        settings,
        Wheel(settings.wheel, contacts).at_number(number),
        EagerButton(button_ns, levels[Line.M_BUTTON]),
        EagerButton(button_ns, levels[Line.YELLOW_BUTTON]),
        PatientSwitch(lid_ns, is_shut, is_shut),
    )
