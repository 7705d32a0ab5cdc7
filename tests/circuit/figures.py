"""Each figure of the circuit: what is simulated, within which bounds, and its words.

``python -m tests.circuit`` simulates and judges; ``test_figures.py`` looks for the
words in ``hardware/README.md``. Where there are none, the guide does not name it.
"""

from __future__ import annotations

from dataclasses import dataclass

GUIDE = "hardware/README.md"


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure that the guide names, or one that only has to be within bounds.

    Attributes:
        measured: The results it stands for, by their names in ``proofs`` and ``servo``.
        words: How the guide writes it; empty where the guide does not.
        low: The least that a result may be, for each of them or one for all.
        high: The greatest.
        of: Whether the median or the greatest over all boards is meant.
    """

    measured: tuple[str, ...]
    words: str
    low: tuple[float, ...]
    high: tuple[float, ...]
    of: str = "most"

    def bounds(self, at: int) -> tuple[float, float]:
        """Return the least and the greatest for the result of that number."""
        return self.low[at % len(self.low)], self.high[at % len(self.high)]


def near(measured: str, words: str, value: float, within: float = 0.05) -> Figure:
    """Return a figure whose median over all boards is *value*, within a share."""
    low, high = value * (1 - within), value * (1 + within)
    return Figure((measured,), words, (low,), (high,), "middle")


def at_most(measured: str, words: str, value: float) -> Figure:
    """Return a figure that no board exceeds, and that is not far too great."""
    return Figure((measured,), words, (0.8 * value,), (value,))


def shares(kind: str, volts: str, words: str) -> Figure:
    """Return how many of 100 boards pull with 0, 2 and 5 N on the bolt.

    Of 400 boards, other 400 differ by up to 5 points; near 100, by 2.
    """
    names = tuple(f"{kind}, pull-in {volts} V, {load} N" for load in (0, 2, 5))
    said = tuple(float(number) for number in words.split(" / "))
    apart = [2 if share >= 99 else 5 for share in said]
    low = tuple(share - by for share, by in zip(said, apart, strict=True))
    high = tuple(share + by for share, by in zip(said, apart, strict=True))
    return Figure(names, words, low, high)


FIGURES = (
    shares("TIP120", "7.5", "100 / 100 / 100"),
    shares("TIP120", "9", "100 / 100 / 99"),
    shares("TIP120", "10.2", "100 / 100 / 87"),
    shares("IRF3708", "7.5", "100 / 100 / 100"),
    shares("IRF3708", "9", "100 / 100 / 100"),
    shares("IRF3708", "10.2", "100 / 100 / 93"),
    shares("earlier stage", "9", "98 / 47 / 5"),
    Figure(("second pull after 3 s, pull-in 9 V, 2 N",), "", (90,), (99,)),
    Figure(("second pull after 5 s, pull-in 9 V, 2 N",), "", (99,), (100,)),
    near("charge 3 s after a pull", "18 V", 18.0),
    near("charged", "23 V", 23.0, 0.01),
    near("energy", "1.2 J", 1.23),
    Figure(("bound",), "306 mW", (306,), (307,)),
    Figure(("bound with tolerances", "toggling"), "356 mW", (355, 200), (356, 356)),
    Figure(("toggling beside its bound",), "", (0.5,), (1.0,)),
    at_most("pin stuck: coil", "", 65),
    near("transistor shorted: coil", "46 mW", 45.7, 0.03),
    near("transistor shorted: R1", "1.1 W", 1.13),
    near("transistor shorted: supply", "49 mA", 49.1, 0.02),
    near("capacitor shorted: R1", "", 1.23, 0.02),
    Figure(("capacitor shorted: R1 at worst",), "1.42 W", (1.41,), (1.425,)),
    at_most("capacitor shorted: R1", "", 1.425),
    at_most("diode missing, TIP120", "150 mJ", 150),
    at_most("diode missing, IRF3708", "190 mJ", 190),
    near("diode backwards, IRF3708", "", 80, 0.1),
    near("diode backwards, transistor burnt through", "150 A", 152, 0.1),
    near("left after 2.5 minutes", "2.5 V", 2.53),
    at_most("left after 2.5 minutes", "", 3.7),
    near("LED when full", "", 2.12),
    near("LED at 4 V", "", 0.23, 0.1),
    at_most("base current", "3.2 mA", 3.2),
    at_most("across the worst TIP120", "", 1.1),
    Figure(("27 Ω coil, pull-in 9 V, 2 N",), "", (99,), (100,)),
    Figure(("mass twice, pull-in 9 V, 2 N",), "", (99,), (100,)),
    Figure(("inductance twice, pull-in 9 V, 2 N",), "", (99,), (100,)),
    Figure(("iron lags 15 ms, pull-in 9 V, 2 N",), "", (55,), (80,)),
    Figure(("starts at 7.5 V", "starts at 9 V", "starts at 10.2 V"), "", (1,), (1,)),
    near("bolt clear", "", 29.3),
    near("first peak", "", 569, 0.02),
    Figure(("jammed servo: tripped",), "", (99.7,), (100,)),
    near("jammed servo, at 15 to 30 °C", "", 4.04, 0.1),
    at_most("jammed servo: trips after", "14 s", 14),
    near("jammed servo: at first", "", 0.55),
    near("jammed servo: after a minute", "0.05 A", 0.052, 0.1),
    Figure(("servo at work: fuse holds",), "", (99.7,), (100,)),
    Figure(("undervoltage, any supply",), "", (7,), (9,)),
    Figure(("undervoltage, any supply, 470 µF",), "", (7,), (9,)),
    Figure(("undervoltage, good supply",), "", (0,), (0,)),
)
