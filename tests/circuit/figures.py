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
        of: Whether the median is meant or the greatest; of volts at a start, the least.
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


def shares(names: tuple[str, ...], words: str) -> Figure:
    """Return how many of 100 boards pull, by the words.

    Of 400 boards, other 400 differ by up to 5 points; near 100, by 2.
    """
    said = tuple(float(number) for number in words.split(" / "))
    apart = [2 if share >= 99 else 5 for share in said]
    low = tuple(share - by for share, by in zip(said, apart, strict=True))
    high = tuple(share + by for share, by in zip(said, apart, strict=True))
    return Figure(names, words, low, high)


def loaded(kind: str, words: str) -> Figure:
    """Return the shares with 0, 2 and 5 N on the bolt."""
    return shares(tuple(f"{kind}, {load} N" for load in (0, 2, 5)), words)


def again(rest_s: int, words: str) -> Figure:
    """Return the shares that pull again after a rest, by their pull-in volts."""
    latches = ("7.5", "9", "10.2")
    names = (f"second pull after {rest_s} s, pull-in {volts} V" for volts in latches)
    return shares(tuple(f"{name}, 2 N" for name in names), words)


FIGURES = (
    loaded("pull-in 7.5 V", "100 / 100 / 100"),
    loaded("pull-in 9 V", "100 / 100 / 99"),
    loaded("pull-in 10.2 V", "100 / 100 / 87"),
    loaded("earlier stage, pull-in 9 V", "98 / 47 / 5"),
    again(3, "100 / 94 / 63"),
    again(5, "100 / 100 / 99"),
    near("charge 3 s after a pull", "18 V", 18.0),
    near("charge 5 s after a pull", "21 V", 21.0),
    near("charged", "23 V", 23.0, 0.01),
    near("energy", "1.2 J", 1.23),
    Figure(("bound",), "306 mW", (306,), (307,)),
    Figure(("bound with tolerances", "toggling"), "356 mW", (355, 200), (356, 356)),
    Figure(("toggling beside its bound",), "", (0.5,), (1.0,)),
    at_most("pin stuck: coil", "", 0.065),
    near("transistor shorted: coil", "46 mW", 0.0457, 0.03),
    near("transistor shorted: R1", "1.1 W", 1.13),
    near("transistor shorted: supply", "49 mA", 49.1, 0.02),
    near("capacitor shorted: R1", "", 1.23, 0.02),
    Figure(("capacitor shorted: R1 at worst",), "1.42 W", (1.41,), (1.425,)),
    at_most("capacitor shorted: R1", "", 1.425),
    near("transistor burnt to its base: coil", "", 0.0406),
    near("R1 bridged, 24 V, pin stuck: coil", "28 W", 28.3),
    near("R1 bridged, 12 V, pin stuck: coil", "6.7 W", 6.7),
    near("R1 47 Ω, 24 V, pin stuck: coil", "2.4 W", 2.35),
    near("R1 47 Ω, 24 V, pin stuck: R1", "5.9 W", 5.85),
    near("Q1 burnt: pin, later", "", 1.87),
    at_most("Q1 burnt: pin, peak", "2.4 mA", 2.4),
    at_most("Q1 burnt: pin, base", "1.6 V", 1.65),
    at_most("Q1 cracked: pin, peak", "35 mA", 35),
    near("bench, R1 good: reservoir after 15 s", "9.6 V", 9.62, 0.01),
    near("bench, R1 47 Ω: reservoir after 15 s", "9.96 V", 9.96, 0.002),
    near("bench, R1 bridged: reservoir after 15 s", "10 V", 10.0, 0.002),
    Figure(("bench, R1 good: reservoir after 2 s",), "", (5,), (7.1,)),
    Figure(("bench, R1 good: LED in a pull",), "", (0,), (0.001,)),
    near("bench, R1 bridged: LED in a pull", "", 0.82),
    near("bench, R1 47 Ω: LED in a pull", "", 0.17),
    at_most("diode missing", "150 mJ", 150),
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
    near("good supply: at a start", "4.8 V", 4.76, 0.01),
    Figure(("good supply: at a start",), "4.5 V", (4.5,), (4.6,)),
    Figure(("good supply: enough at a start",), "4,000 of 4,000", (99.9,), (100,)),
    Figure(("any supply: enough at a start",), "85 %", (82,), (87,)),
    Figure(("idle 25 mA: enough at a start",), "93 %", (91,), (95,)),
    Figure(("stall 1.0 to 1.4 A: enough at a start",), "99 %", (98,), (99.5,)),
    near("tenth pull: at a start", "4.6 V", 4.6, 0.01),
    Figure(("tenth pull: enough at a start",), "92 %", (88,), (96,)),
    near("good supply: 95% are ready after", "200 s", 200),
    near("good supply: 99% are ready after", "220 s", 220),
    Figure(("good supply: undervoltage while it fills",), "", (0,), (0.1,)),
    Figure(("any supply: undervoltage while it fills",), "6 %", (4.5,), (7,)),
    Figure(("good supply: undervoltage in a pull",), "", (0,), (0.1,)),
    Figure(("any supply: undervoltage in a pull",), "", (0,), (1.5,)),
    at_most("any supply: greater cell when first full", "3.0 V", 3.0),
    at_most("greater cell after a day", "2.7 V", 2.7),
    near("R16 missing: middle after a day", "0.4 V", 0.42, 0.1),
    near("R17 missing: middle after a day", "4.5 V", 4.54, 0.02),
    near("jammed: at first", "0.8 A", 0.82),
    near("jammed: above 1 W for", "33 s", 33),
    near("jammed: for ever", "0.56 W", 0.56),
    Figure(("servo's bound",), "0.65 W", (0.65,), (0.6505,)),
    Figure(
        ("servo's bound with tolerances", "stuck: any motor", "pulsed for ever"),
        "0.76 W",
        (0.754, 0.65, 0.5),
        (0.756,),
    ),
    Figure(("stuck: any motor stays below 1 W",), "", (100,), (100,)),
    Figure(("pulsed beside its bound",), "", (0.7,), (1.0,)),
    Figure(("stuck: worst",), "", (0.72,), (0.755,)),
    near("cells shorted: R15 at worst", "2.9 W", 2.9, 0.02),
    near("R15 good: servo + after 60 s", "3.4 V", 3.36, 0.02),
    near("R15 good: servo + after 300 s", "5.0 V", 5.02, 0.01),
    near("R15 bridged: servo + after 60 s", "5.1 V", 5.07, 0.01),
    near("R15 bridged: stuck", "4.2 W", 4.15),
    near("R15 1 Ω: servo + after 60 s", "", 5.07, 0.01),
    near("R15 1 Ω: stuck", "3 W", 3.05),
    near("R15 100 Ω: servo + after 60 s", "0.5 V", 0.53),
    near("cable of 0.5 Ω: servo + after 300 s", "", 4.62, 0.01),
    near("coin cells of 30 Ω: at a start", "2 V", 1.97),
    near("idle 10 mA: servo +", "", 4.95, 0.01),
    near("idle 25 mA: servo +", "", 4.8, 0.01),
    near("idle 100 mA: servo +", "4 V", 4.05, 0.01),
    near("idle 100 mA: across R15", "1 V", 1.02),
    near("plug out, Pi of 0.4 W: header above 3 V for", "26 s", 26.3),
    at_most("plug out, Pi of 0.8 W: header above 3 V for", "", 0.003),
    near("emptied by a wire: below 0.2 V after", "3 minutes", 180),
    near("emptied by a wire: peak", "0.5 A", 0.5),
    near("emptied by a wire: R15", "2.5 W", 2.5),
)
