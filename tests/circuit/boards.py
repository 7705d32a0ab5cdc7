"""Boards, latches and temperatures, drawn by a seed.

What no data sheet gives is marked *assumed*; the bolt's motion rests on such figures.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

COPPER_PER_K = 0.00393
"""How much copper's resistance rises with each kelvin from 20 °C."""
COLDEST_C, WARMEST_C = -10.0, 60.0

STROKE_MM = 8.0  # Assumed.
BACK_MM = 0.85 * STROKE_MM
"""Where the bolt counts as back."""


@dataclass(frozen=True, slots=True)
class Latch:
    """A cabinet latch: coil, plunger and spring, all of it assumed but ohms and volts.

    With the bolt pulled by *x*, its inductance is ``open_h`` and *k* times how much
    ``1 / (gap_m - x)`` has grown; the force on the plunger is half the square of the
    current times the slope of that. The pull-in voltage gives *k*: it is the least
    steady voltage that starts a cold bolt with nothing leaning on it. That inductance
    grows along the stroke is measured in arXiv 2405.11721, on a Takaha CBS0730.

    Attributes:
        pull_in_v: Swept, since no data sheet of a cabinet latch gives a force.
        ohm: At 20 °C; 12 V and 650 mA are Adafruit's figures for its latch 1512.
        side_n: What presses the bolt sideways even when nothing leans on it.
        eddy_s: How far the iron's own currents let the magnet lag behind the coil.
    """

    pull_in_v: float = 9.0
    ohm: float = 18.5
    mass_kg: float = 0.030
    spring_n: float = 1.0
    spring_n_per_m: float = 100.0
    side_n: float = 1.0
    rubs: float = 0.3
    open_h: float = 0.060
    gap_m: float = 0.016
    eddy_s: float = 0.002

    def k(self, ohm_cold: float) -> float:
        """Return what makes a coil of *ohm_cold* start at the pull-in voltage."""
        start_n = self.spring_n + self.rubs * self.side_n
        return 2 * start_n * (self.gap_m * ohm_cold / self.pull_in_v) ** 2


@dataclass(frozen=True, slots=True)
class Board:
    """What one maker has bought, and how warm it is there; the default is nominal.

    Attributes:
        c1: Factor of the capacitor, the cold not yet counted.
        rub: What wear or dirt makes of the bolt's own friction.
        leans: Coefficient of friction of whatever leans on the bolt.
        gain: Of the second transistor in a TIP120.
        pin_v: The header's 3.3 V.
        pin_ohm: Inside the Pi's pin.
    """

    number: int = 0
    temp_c: float = 20.0
    supply: float = 1.0
    r1: float = 1.0
    r2: float = 1.0
    r3: float = 1.0
    r4: float = 1.0
    c1: float = 1.0
    esr_ohm: float = 0.1
    coil: float = 1.0
    rub: float = 1.0
    leans: float = 0.3
    lag: float = 1.0
    gain: float = 60.0
    pin_v: float = 3.3
    pin_ohm: float = 40.0

    @property
    def c1_now(self) -> float:
        """Factor of the capacitor at this temperature: 10 % less at -10 °C, assumed."""
        return self.c1 * (1 - 0.10 * max(0.0, (20 - self.temp_c) / 30))

    @property
    def esr_now(self) -> float:
        """Series resistance of the capacitor: threefold at -10 °C, assumed."""
        return self.esr_ohm * (1 + 2 * max(0.0, (20 - self.temp_c) / 30))

    @property
    def copper(self) -> float:
        """Factor of the coil's resistance at this temperature."""
        return 1 + COPPER_PER_K * (self.temp_c - 20)


def draw(count: int, seed: int = 1) -> Iterator[Board]:
    """Draw boards: the first *count* of that seed, always the same ones."""
    for number in range(count):
        dice = random.Random(f"{seed}/{number}")
        five = {part: dice.uniform(0.95, 1.05) for part in ("r1", "r2", "r3", "r4")}
        yield Board(
            number=number,
            temp_c=dice.uniform(COLDEST_C, WARMEST_C),
            supply=dice.uniform(0.95, 1.05),
            c1=dice.uniform(0.80, 1.20),
            esr_ohm=dice.uniform(0.03, 0.15),  # Assumed.
            coil=dice.uniform(0.90, 1.10),
            rub=2 ** dice.uniform(-1, 1),  # Assumed.
            leans=dice.uniform(0.15, 0.45),  # Assumed; steel on plastic and steel.
            lag=2 ** dice.uniform(-1, 1),  # Assumed.
            gain=dice.uniform(*GAINS),
            pin_v=dice.uniform(3.135, 3.465),  # 5 %.
            pin_ohm=dice.uniform(20, 60),  # Assumed.
            **five,
        )


GAINS = (24.0, 90.0)
"""With the least, a TIP120 has the 1,000 of its data sheet at 0.5 A and 25 °C."""
