"""What is tried of the coil's stage; each returns what was measured, by name."""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import dataclass, replace
from math import sqrt
from statistics import median

from tests.circuit.boards import BACK_MM, COLDEST_C, GAINS, Board, Latch, draw
from tests.circuit.netlist import Stage, charged_v, netlist, value
from tests.circuit.spice import Measured, Run, simulate, simulate_all

BOARDS = 400
PULL_INS_V = (7.5, 9.0, 10.2)
LOADS_N = (0.0, 2.0, 5.0)
FEW = 100
"""How many are enough for what differs by much more than boards do."""
BACK_S = 0.1
"""How long the bolt has to be back, for a spring to raise the lid."""


@dataclass(frozen=True, slots=True)
class Found:
    """A simulated value, mostly the greatest over all boards; the median; its words."""

    value: float
    told: str
    median: float | None = None

    @property
    def middle(self) -> float:
        """The median, or the only value there is."""
        return self.value if self.median is None else self.median


Results = dict[str, Found]


def interval(good: int, count: int) -> tuple[float, float]:
    """Return Wilson's 95 % interval of a share, in per cent."""
    z = 1.96
    middle = good / count + z * z / (2 * count)
    spread = z * sqrt(good * (count - good) / count**3 + z * z / (4 * count * count))
    scale = 100 / (1 + z * z / count)
    return scale * (middle - spread), min(100.0, scale * (middle + spread))


def share(good: int, count: int) -> Found:
    """Return how many of them did it."""
    low, high = interval(good, count)
    told = f"{good} of {count} ({low:.1f} to {high:.1f} %)"
    return Found(100 * good / count, told)


def spread(values: Iterable[float], unit: str, scale: float = 1.0) -> Found:
    """Return the greatest, told with the median and the least."""
    found = sorted(value * scale for value in values)
    told = (
        f"{median(found):.3g}, {found[0]:.3g} to {found[-1]:.3g} {unit}"
        f" (n = {len(found)})"
    )
    return Found(found[-1], told, median(found))


def over_boards(
    stage: Stage,
    until_s: float,
    measures: dict[str, str],
    *,
    step_s: float = 1e-3,
    count: int = BOARDS,
) -> list[Measured]:
    """Simulate the stage on each board."""
    return list(
        simulate_all(
            Run(netlist(stage, board), until_s, measures, board.temp_c, step_s)
            for board in draw(count)
        )
    )


SOON_S = 0.25
"""By then a bolt that is back for long enough has been so."""


def pulled(stage: Stage) -> Found:
    """Return the share of boards whose bolt is back for long enough."""
    found = over_boards(stage, SOON_S, {"back": f"FIND v(back) AT={SOON_S - 0.001}"})
    return share(sum(one["back"] >= BACK_S for one in found), BOARDS)


def pulls() -> Results:
    """Try each pull-in voltage and load."""
    return {
        f"pull-in {volts:g} V, {load:g} N": pulled(Stage(Latch(pull_in_v=volts), load))
        for volts in PULL_INS_V
        for load in LOADS_N
    }


LOSSLESS = (("Q1", "short"),)
"""As good as a transistor that loses nothing, in a pull that has just begun."""


def other_pulls() -> Results:
    """Try the earlier stage, another coil, and what the model is in doubt about."""
    # Its AO3400A loses next to nothing.
    stage = Stage(supply_v=12.0, r1_ohm=1.4, c1_f=1_000e-6, faults=LOSSLESS)
    results = {
        f"earlier stage, pull-in 9 V, {load:g} N": pulled(replace(stage, load_n=load))
        for load in LOADS_N
    }
    doubts = {
        "27 Ω coil": {"ohm": 27.0},
        "iron lags 15 ms": {"eddy_s": 0.015},
        "mass twice": {"mass_kg": 0.060},
        "inductance twice": {"open_h": 0.120},
    }
    for name, changed in doubts.items():
        latch = replace(Latch(), **changed)
        results[f"{name}, pull-in 9 V, 2 N"] = pulled(Stage(latch, 2.0))
    return results


RESTS_S = (3.0, 5.0)


def second_pulls() -> Results:
    """Pull again after a rest; the reservoir is not full yet."""
    results = {}
    for rest_s in RESTS_S:
        again_s = 0.4 + rest_s
        drive = ((0.0, 1), (0.4, 0), (again_s, 1), (again_s + 0.4, 0))
        measures = {
            "first": f"FIND v(back) AT={again_s - 0.01}",
            "both": f"FIND v(back) AT={again_s + SOON_S - 0.001}",
            "volts": f"FIND v(v_c1) AT={again_s - 0.001}",
        }
        for volts in PULL_INS_V:
            stage = Stage(Latch(pull_in_v=volts), 2.0, drive)
            found = over_boards(stage, again_s + SOON_S, measures, step_s=20e-3)
            good = sum(one["both"] - one["first"] >= BACK_S for one in found)
            name = f"second pull after {rest_s:g} s, pull-in {volts:g} V, 2 N"
            results[name] = share(good, BOARDS)
        charge = spread((one["volts"] for one in found), "V")
        results[f"charge {rest_s:g} s after a pull"] = charge
    return results


STEADY = Stage(Latch(pull_in_v=7.5), supply_v=12.0, r1_ohm=1e-3, faults=LOSSLESS)


def motion() -> Results:
    """Pull on a steady 12 V, the nominal latch with a pull-in of 7.5 V."""
    measures = {
        "clear": f"WHEN v(x)={BACK_MM} RISE=1",
        "peak": "MAX i(Vcoil) from=0 to=clear",
    }
    found = simulate(Run(netlist(STEADY, Board()), 0.1, measures))[0]
    return {
        "bolt clear": Found(found["clear"] * 1e3, f"{found['clear'] * 1e3:.1f} ms"),
        "first peak": Found(found["peak"] * 1e3, f"{found['peak'] * 1e3:.0f} mA"),
    }


def pull_ins() -> Results:
    """Look whether a latch starts at its pull-in voltage, and not below."""
    results = {}
    for volts in PULL_INS_V:
        latch = Latch(pull_in_v=volts)
        runs = [
            Run(
                netlist(replace(STEADY, latch=latch, supply_v=volts * part), Board()),
                0.4,
                {"moved": "MAX v(x)"},
            )
            for part in (0.97, 1.03)
        ]
        below, above = (one["moved"] for one in simulate_all(runs))
        told = f"moves {below:.2f} mm with 3 % less, {above:.1f} mm with 3 % more"
        is_so = below < 0.2 and above > BACK_MM
        results[f"starts at {volts:g} V"] = Found(float(is_so), told)
    return results


ON = ((0.0, 1),)
OFF = ((0.0, 0),)


BRIDGED_OHM, WRONG_OHM = 1e-3, 47.0
"""R1 with solder or a wire across it, and with a ring of another colour."""


def for_ever() -> Results:
    """Leave the pin high, short Q1 or C1, spoil R1, and see what grows warm.

    A coil that grows hot has more ohms, so of many watts they are the first ones.
    """
    measures = {
        "early": "FIND v(heat) AT=1",
        "late": "FIND v(heat) AT=2",
        "amperes": "FIND i(VPS1) AT=2",
        "volts": "FIND v(v_c1) AT=2",
        "supply": "FIND v(v_ps1) AT=2",
    }
    results = {}
    faults = {
        "pin stuck": Stage(drive=ON),
        "transistor shorted": Stage(drive=OFF, faults=(("Q1", "short"),)),
        "transistor burnt to its base": Stage(drive=OFF, faults=(("Q1", "burnt"),)),
        "capacitor shorted": Stage(drive=OFF, faults=(("C1", "short"),)),
    }
    for volts in (24.0, 12.0):
        for name, ohm in (("bridged", BRIDGED_OHM), ("47 Ω", WRONG_OHM)):
            stage = Stage(drive=ON, supply_v=volts, r1_ohm=ohm)
            faults[f"R1 {name}, {volts:g} V, pin stuck"] = stage
    for name, stage in faults.items():
        found = over_boards(stage, 2.1, measures, step_s=0.02, count=FEW)
        watts = [one["late"] - one["early"] for one in found]
        amperes = [-one["amperes"] * 1e3 for one in found]
        in_r1 = [-one["amperes"] * (one["supply"] - one["volts"]) for one in found]
        results[f"{name}: coil"] = spread(watts, "W")
        results[f"{name}: R1"] = spread(in_r1, "W")
        results[f"{name}: supply"] = spread(amperes, "mA")
    return results


def burnt_to_base() -> Results:
    """Burn Q1 from collector to base: what goes through R2 into a pin that is low.

    A pin that has been let go meets the volts at the base.
    """
    measures = {
        "peak": "MAX i(Vpin)",
        "later": "FIND i(Vpin) AT=2",
        "volts": "MAX v(v_pin)",
        "base": "MAX v(v_base)",
    }
    results = {}
    for fault in ("burnt", "cracked"):
        stage = Stage(drive=OFF, faults=(("Q1", fault),))
        found = over_boards(stage, 2.1, measures, step_s=0.01, count=FEW)
        for name, unit, scale in (
            ("peak", "mA", 1e3),
            ("later", "mA", 1e3),
            ("volts", "V", 1.0),
            ("base", "V", 1.0),
        ):
            values = (one[name] for one in found)
            results[f"Q1 {fault}: pin, {name}"] = spread(values, unit, scale)
    return results


BENCH_V = 10.0
"""What PS1 is set to on the bench, by a meter."""


def on_bench(
    stage: Stage, r1_ohm: float, until_s: float, measures: dict[str, str]
) -> list[Measured]:
    """Simulate the stage on few boards, with this R1."""
    runs = []
    for board in draw(FEW):
        staged = replace(stage, supply_v=BENCH_V / board.supply, r1_ohm=r1_ohm)
        text = netlist(staged, board)
        runs.append(Run(text, until_s, measures, board.temp_c, step_s=0.05))
    return list(simulate_all(runs))


def bench() -> Results:
    """Fill the reservoir on the bench and pull, with R1 as it should be, and not."""
    empty = Stage(drive=OFF, starts_at_v=0.0)
    full = Stage(drive=((1.0, 1), (1.4, 0)))
    filling = {"soon": "FIND v(v_c1) AT=2", "full": "FIND v(v_c1) AT=15"}
    pulling = {
        "before": "FIND i(Vled) AT=0.9",
        "pulled": "FIND i(Vled) AT=1.39",
        "after": "FIND i(Vled) AT=2.4",
    }
    results = {}
    for name, ohm in (
        ("R1 good", value("R1")),
        ("R1 bridged", BRIDGED_OHM),
        ("R1 47 Ω", WRONG_OHM),
    ):
        found = on_bench(empty, ohm, 15.1, filling)
        for when, at in (("after 2 s", "soon"), ("after 15 s", "full")):
            volts = spread((one[at] for one in found), "V")
            results[f"bench, {name}: reservoir {when}"] = volts
        found = on_bench(full, ohm, 2.5, pulling)
        for when, at in (
            ("when full", "before"),
            ("in a pull", "pulled"),
            ("1 s after it", "after"),
        ):
            amperes = spread((one[at] for one in found), "mA", 1e3)
            results[f"bench, {name}: LED {when}"] = amperes
    return results


WAVEFORMS = 200
TOGGLED_S = 12.0


def toggling(
    dice: random.Random, until_s: float = TOGGLED_S
) -> tuple[tuple[float, int], ...]:
    """Draw what a program gone mad may do with the pin: in time, or wildly."""
    period_s = 10 ** dice.uniform(-1.3, 0.6)
    duty, is_wild = 10 ** dice.uniform(-2, 0), dice.random() < 0.5
    at_s, points = 0.0, []
    while at_s < until_s:
        for level, length_s in ((1, period_s * duty), (0, period_s * (1 - duty))):
            points.append((at_s, level))
            drawn_s = dice.expovariate(1 / length_s) if is_wild else length_s
            at_s += max(1e-3, drawn_s)
    return tuple(points)


def toggled() -> Results:
    """Toggle the pin from an empty capacitor on, so that V squared / 4R is a bound."""
    boards = list(draw(WAVEFORMS, seed=2))
    runs = []
    for board in boards:
        drive = toggling(random.Random(f"toggling/{board.number}"))
        stage = Stage(drive=drive, starts_at_v=0.0)
        measures = {"heat": f"FIND v(heat) AT={TOGGLED_S - 0.01}"}
        text = netlist(stage, board)
        runs.append(Run(text, TOGGLED_S, measures, board.temp_c, step_s=10e-3))
    milliwatts = [one["heat"] / TOGGLED_S * 1e3 for one in simulate_all(runs)]
    bounds = [
        (24 * board.supply) ** 2 / (4 * value("R1") * board.r1) * 1e3
        for board in boards
    ]
    nearest = max(
        watts / bound for watts, bound in zip(milliwatts, bounds, strict=True)
    )
    return {
        "toggling": spread(milliwatts, "mW"),
        "toggling beside its bound": Found(nearest, f"{nearest:.1%} of its own bound"),
        "bound": Found(24**2 / (4 * value("R1")) * 1e3, "V²/4R, nominal"),
        "bound with tolerances": Found(
            (24 * 1.05) ** 2 / (4 * value("R1") * 0.95) * 1e3,
            "V²/4R, supply + 5 %, R1 - 5 %",
        ),
    }


def worst_resistor() -> Results:
    """Short the capacitor with the supply and R1 at the ends of their tolerances."""
    board = Board(supply=1.05, r1=0.95)
    stage = Stage(drive=OFF, faults=(("C1", "short"),))
    measures = {"amperes": "FIND i(VPS1) AT=0.9"}
    found = simulate(Run(netlist(stage, board), 1.0, measures))[0]
    watts = -found["amperes"] * 24 * board.supply
    return {"capacitor shorted: R1 at worst": Found(watts, f"{watts:.2f} W")}


def missing_diode() -> Found:
    """Return what the coil leaves in the transistor, without eddies that would help.

    The pull ends at some moment of its first tenth of a second, when the current and
    the inductance are greatest.
    """
    latch = replace(Latch(), eddy_s=1e-5)
    runs = []
    for board in draw(BOARDS):
        off_s = random.Random(f"off/{board.number}").uniform(0.015, 0.1)
        drive = ((0.0, 1), (off_s, 0))
        stage = Stage(latch, drive=drive, faults=(("D1", "missing"),))
        measures = {
            "before": f"FIND v(burnt) AT={off_s}",
            "after": f"FIND v(burnt) AT={off_s + 0.04}",
        }
        runs.append(Run(netlist(stage, board), off_s + 0.05, measures, board.temp_c))
    joules = (one["after"] - one["before"] for one in simulate_all(runs))
    return spread(joules, "mJ", 1e3)


def diodes() -> Results:
    """Leave the diode out, and solder it in the wrong way round."""
    results = {"diode missing": missing_diode()}
    backwards = ("D1", "backwards")
    for name, faults in (
        ("diode backwards", (backwards,)),
        ("diode backwards, transistor burnt through", (backwards, ("Q1", "short"))),
    ):
        stage = Stage(faults=faults)
        found = over_boards(stage, 0.005, {"peak": "MAX i(Vq)"}, step_s=1e-4)
        results[name] = spread((one["peak"] for one in found), "A")
    return results


def charge() -> Results:
    """Look at the capacitor: full, by its LED, and after the plug is out."""
    measures = {
        "left": "FIND v(v_c1) AT=150",
        "full": "FIND i(Vled) AT=0.01",
        "half": "FIND i(Vled) WHEN v(v_c1)=10 FALL=1",
        "low": "FIND i(Vled) WHEN v(v_c1)=4 FALL=1",
    }
    stage = Stage(drive=OFF, is_plugged_in=False)
    found = over_boards(stage, 151.0, measures, step_s=0.5)
    volts = charged_v(Stage(), Board())
    joules = (
        0.5 * value("C1") * board.c1_now * charged_v(Stage(), board) ** 2
        for board in draw(BOARDS)
    )
    return {
        "charged": Found(volts, f"{volts:.1f} V"),
        "energy": spread(joules, "J"),
        "left after 2.5 minutes": spread((one["left"] for one in found), "V"),
        "LED when full": spread((one["full"] for one in found), "mA", 1e3),
        "LED at 10 V": spread((one["half"] for one in found), "mA", 1e3),
        "LED at 4 V": spread((one["low"] for one in found), "mA", 1e3),
    }


def base() -> Results:
    """Look at what the pin gives, and whether a TIP120 is wholly on."""
    measures = {
        "amperes": "MIN i(Vpin)",
        "vce": "MAX v(v_q1) from=0.002 to=0.3",
    }
    found = over_boards(Stage(), 0.31, measures)
    most = [-one["amperes"] for one in found]
    worst = Board(
        temp_c=COLDEST_C, supply=1.05, r2=1.05, r3=0.95, coil=0.9, gain=GAINS[0],
        pin_v=3.135, pin_ohm=60, c1=1.2, r1=0.95, lag=2.0,
    )  # fmt: skip
    corner = simulate(Run(netlist(Stage(), worst), 0.31, measures, worst.temp_c))[0]
    return {
        "base current": spread(most, "mA", 1e3),
        "across a TIP120": spread((one["vce"] for one in found), "V"),
        "across the worst TIP120": Found(corner["vce"], f"{corner['vce']:.2f} V"),
    }
