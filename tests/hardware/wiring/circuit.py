"""A simulation of the coil's stage: when current flows, for any levels of the Pi's pin.

It is built from the nets that the figures are drawn from, so a wrong wire there is a
wrong wire here. Chips switch without delay. An unpowered chip drives nothing, and the
two resistors to ground then hold its lines low. Currents and voltages are not modelled.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache

from hardware.vault.pins import PHYSICAL, Pins
from hardware.wiring.nets import CHIPS, RC_FACTOR, nets, value_of

US = 1_000
"""Microseconds in a millisecond; all times here are whole microseconds."""

Interval = tuple[int, int]
"""The times at which current starts and stops flowing, in microseconds."""


@dataclass
class OneShot:
    """A half of U1: inputs A and R are active low, B is active high."""

    number: int
    length_us: int
    ends_us: int | None = None
    was_ready: bool = True  # Inputs that are ready at power-up do not start a pulse.

    @property
    def is_on(self) -> bool:
        return self.ends_us is not None

    def sense(self, now_us: int, *, a: bool, b: bool, reset: bool) -> None:
        """Read the inputs; start a pulse if they have become ready and none runs."""
        is_ready = not a and b and not reset
        if reset:
            self.ends_us = None
        elif is_ready and not self.was_ready and self.ends_us is None:
            self.ends_us = now_us + self.length_us
        self.was_ready = is_ready


class Circuit:
    """The stage, which ``run`` simulates for a waveform of the pin.

    Args:
        joined: The nets; ``None`` for those of the default pins.
        cut: Legs whose wire has come off.
        is_powered: Whether the chips have their 3.3 V.
        is_free_high: Whether an unconnected input reads high; a real one may do either.
        stretch: For each half of U1, the factor by which its pulse differs from the
            computed one.
    """

    def __init__(
        self,
        joined: Mapping[str, tuple[str, ...]] | None = None,
        *,
        cut: Iterable[str] = (),
        is_powered: bool = True,
        is_free_high: bool = False,
        stretch: Mapping[int, float] | None = None,
    ) -> None:
        cut = set(cut)
        self._on = {
            leg: net
            for net, legs in (joined or nets(Pins())).items()
            for leg in legs
            if leg not in cut
        }
        self._is_powered = is_powered
        self._is_free_high = is_free_high
        self._halves = [
            OneShot(half, round(self._length_us(half) * (stretch or {}).get(half, 1.0)))
            for half in (1, 2)
        ]
        self._pin = False

    def _length_us(self, half: int) -> float:
        """Compute a pulse, 0.7 R C, from the parts on this half's timing legs."""
        rc = self._on[self._leg("U1", f"{half}RC")]
        c = self._on[self._leg("U1", f"{half}C")]
        at_rc = {leg.split(".")[0] for leg, net in self._on.items() if net == rc}
        at_c = {leg.split(".")[0] for leg, net in self._on.items() if net == c}
        (resistor,) = (part for part in at_rc if part.startswith("R"))
        (capacitor,) = (part for part in at_rc & at_c if part.startswith("C"))
        return RC_FACTOR * value_of(resistor) * value_of(capacitor) * 1e6

    def power_up_on(self) -> None:
        """Start both one-shots in the middle of a pulse, as a bad chip might."""
        for half in self._halves:
            half.ends_us = half.length_us

    def run(
        self, waveform: Iterable[tuple[int, bool]], until_us: int
    ) -> list[Interval]:
        """Simulate the stage from time 0; return when current flows.

        Args:
            waveform: The pin's levels, each with the time from which it holds.
            until_us: When the simulation ends.
        """
        flows: list[Interval] = []
        began_us: int | None = None
        waiting = deque(sorted(waveform, key=lambda edge: edge[0]))
        now_us = 0
        while now_us <= until_us:
            for half in self._halves:
                if half.ends_us is not None and half.ends_us <= now_us:
                    half.ends_us = None
            self._settle(now_us)  # Of two events at once, a pulse's end comes first.
            while waiting and waiting[0][0] <= now_us:
                self._pin = waiting.popleft()[1]
                self._settle(now_us)
            is_on = self._gate()
            if is_on and began_us is None:
                began_us = now_us
            elif not is_on and began_us is not None:
                flows.append((began_us, now_us))
                began_us = None
            events = [half.ends_us for half in self._halves if half.ends_us is not None]
            events += [waiting[0][0]] if waiting else []
            now_us = min(events, default=until_us + 1)
        if began_us is not None:
            flows.append((began_us, until_us))
        return flows

    def _settle(self, now_us: int) -> None:
        """Let the one-shots read their inputs until none changes any more."""
        for _ in range(8):
            before = [half.is_on for half in self._halves]
            for half in reversed(self._halves):
                half.sense(
                    now_us,
                    a=self._level(self._leg("U1", f"{half.number}/A")),
                    b=self._level(self._leg("U1", f"{half.number}B")),
                    reset=not self._level(self._leg("U1", f"{half.number}/R")),
                )
            if [half.is_on for half in self._halves] == before:
                return
        raise AssertionError("the circuit oscillates")

    @staticmethod
    @cache
    def _leg(chip: str, name: str) -> str:
        (number,) = (pin for pin, leg in CHIPS[chip].items() if leg.name == name)
        return f"{chip}.{number}"

    def _level(self, leg: str) -> bool:
        """Return the level of the net that *leg* is on."""
        net = self._on.get(leg)
        if net == "3.3 V":
            return self._is_powered
        if net == "ground" or not self._is_powered:
            return False
        if net is None:
            return self._is_free_high
        for half in self._halves:
            if self._on.get(self._leg("U1", f"{half.number}Q")) == net:
                return half.is_on
        pin = self._on.get(f"Pi.{PHYSICAL[Pins().coil]}")
        if net == self._on.get("R1.2") and pin == self._on.get("R1.1"):
            return self._pin and pin is not None
        # Nothing drives this net: it may read high, unless R2 holds it low.
        return self._is_free_high and net != self._on.get("R2.1")

    def _gate(self) -> bool:
        """Return True if the transistor's gate is high."""
        drives = self._level("U2.1") and self._level("U2.2") and self._is_powered
        reaches = self._on.get("R5.1") == self._on.get("U2.3") is not None
        return drives and reaches and self._on.get("R5.2") == self._on.get("Q1.G")
