"""What is tried of the servo's stage: its reservoir, and the resistor that feeds it.

R15 keeps a servo cool whatever it does; the cells behind it give it its start.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from dataclasses import replace
from math import inf

from hardware.vault.coil import REST_MS
from tests.circuit.netlist import value, waveform
from tests.circuit.proofs import (
    BOARDS,
    FEW,
    Found,
    Results,
    share,
    spread,
    toggling,
)
from tests.circuit.rigs import FEED, MIDDLE, PLUS, STARTS_V, Rig, draw, netlist
from tests.circuit.spice import Measured, Run, simulate_all

RIGS = 4_000
UNDERVOLTAGE_V = 4.63
"""Below this a Pi says that it has too little voltage. Source: its documentation."""
MOST_W = 1.0
"""What a servo may turn into heat for ever, whatever goes wrong."""
CELL_V = 3.0


def over_rigs(
    rigs: Iterable[Rig],
    write: Callable[[Rig], str],
    until_s: float,
    measures: dict[str, str],
    step_s: float,
) -> list[Measured]:
    """Simulate what is written of each rig."""
    return list(
        simulate_all(
            Run(write(rig), until_s, measures, rig.temp_c, step_s) for rig in rigs
        )
    )


def spread_of(found: list[Measured], name: str, unit: str = "V") -> Found:
    """Return the greatest of what was measured by that name."""
    return spread((one[name] for one in found), unit)


def lowest_of(found: list[Measured], name: str) -> Found:
    """Return the volts that no rig was below, told with the median and the most."""
    return replace(spread_of(found, name), value=min(one[name] for one in found))


MOVE_S, HOME_S = 0.25, 0.40
"""A move, assumed; when the one home begins."""
EVERY_S = HOME_S + REST_MS / 1000
"""How often the program pulls at most."""
RUNS = 0.33
"""What a motor that runs takes of what it takes standing still, assumed."""


def pulling(pulls: int) -> Callable[[Rig], str]:
    """Return what writes a rig that pulls and comes home, from 0.1 s on."""

    def write(rig: Rig) -> str:
        points = " ".join(
            f"{at} 0 {at + 1e-4} 1 {at + rig.spin_s} {RUNS}"
            f" {at + MOVE_S} {RUNS} {at + MOVE_S + 1e-4} 0"
            for pull in range(pulls)
            for at in (pull * EVERY_S + 0.1, pull * EVERY_S + 0.1 + HOME_S)
        )
        return netlist(rig, f"PWL(0 0 {points})")

    return write


def undervoltage(found: list[Measured]) -> Found:
    """Return the share of rigs whose header was too low, and would be anyway."""
    low = sum(one["least"] < UNDERVOLTAGE_V for one in found)
    rest = sum(one["rest"] < UNDERVOLTAGE_V for one in found)
    shared = share(low, len(found))
    told = f"{shared.told}, {rest} of them with the servo at rest, too"
    return replace(shared, told=told)


def started(name: str, rigs: Iterable[Rig]) -> Results:
    """Pull once: volts at the servo behind its plug and wires, and at the header."""
    measures = {
        "servo": "MIN v(servo) from=0.05 to=1",
        "least": f"MIN v({FEED}) from=0.05 to=1",
        "rest": f"FIND v({FEED}) AT=0.05",
    }
    found = over_rigs(rigs, pulling(1), 1.0, measures, 0.2)
    enough = sum(one["servo"] >= STARTS_V for one in found)
    return {
        f"{name}: at a start": lowest_of(found, "servo"),
        f"{name}: enough at a start": share(enough, len(found)),
        f"{name}: undervoltage in a pull": undervoltage(found),
    }


def at_work() -> Results:
    """Start the servo on the Pi's own kind of supply, on any, and greedier servos."""
    restless = (replace(rig, idle_a=0.025) for rig in draw(RIGS))
    return {
        **started("good supply", draw(RIGS)),
        **started("any supply", draw(RIGS, is_good=False)),
        **started("idle 25 mA", restless),
        **started("stall 1.0 to 1.4 A", draw(RIGS, stall_a=(1.0, 1.4))),
    }


def in_a_row() -> Results:
    """Pull ten times, as often as the program allows."""
    last_s = 9 * EVERY_S
    measures = {"tenth": f"MIN v(servo) from={last_s} to={last_s + 1}"}
    found = over_rigs(draw(BOARDS), pulling(10), last_s + 1.1, measures, 0.2)
    enough = sum(one["tenth"] >= STARTS_V for one in found)
    return {
        "tenth pull: at a start": lowest_of(found, "tenth"),
        "tenth pull: enough at a start": share(enough, len(found)),
    }


def quantile(values: list[float], part: float) -> Found:
    """Return the seconds after which this part of the rigs is ready."""
    ordered, count = sorted(values), len(values)
    apart = 1.96 * (count * part * (1 - part)) ** 0.5
    low, at, high = (
        ordered[min(count, round(count * part + by)) - 1] for by in (-apart, 0, apart)
    )
    return Found(at, f"{at:.0f} s ({low:.0f} to {high:.0f} s, n = {count})")


def empty(rig: Rig) -> str:
    """Write a rig whose cells are empty when the Pi gets its power."""
    return netlist(rig, full=0.0)


FULL_S = 900.0


def filled() -> Results:
    """Plug the Pi in, and wait until a start would have enough."""
    measures = {
        "ready": "WHEN v(ready)=0 RISE=1",
        "least": f"MIN v({FEED}) from=1m to={FULL_S}",
        "rest": f"FIND v({FEED}) AT={FULL_S - 1}",
        "greater": f"FIND v(cell) AT={FULL_S - 1}",
    }
    results = {}
    for name, is_good in (("good supply", True), ("any supply", False)):
        found = over_rigs(draw(RIGS, is_good=is_good), empty, FULL_S, measures, 20)
        ready = [one.get("ready", inf) for one in found]
        for part in (0.5, 0.95, 0.99):
            results[f"{name}: {part:.0%} are ready after"] = quantile(ready, part)
        results[f"{name}: undervoltage while it fills"] = undervoltage(found)
        above = sum(one["greater"] > CELL_V for one in found)
        results[f"{name}: greater cell when first full"] = spread_of(found, "greater")
        results[f"{name}: a cell above 3.0 V when first full"] = share(above, RIGS)
    return results


DAY_S = 86_400.0


def slowly(rig: Rig) -> str:
    """Write an empty rig for a day: a microcoulomb is little for it."""
    return f"{empty(rig)}.options chgtol=1u\n"


def balanced() -> Results:
    """Leave two cells that differ for a day, with R16 and R17, and without one."""
    measures = {
        "soon": f"FIND v({MIDDLE}) AT=300",
        "middle": f"FIND v({MIDDLE}) AT={DAY_S - 1}",
        "greater": f"FIND v(cell) AT={DAY_S - 1}",
        "above": f"WHEN v(cell)={CELL_V} RISE=1",
    }
    found = over_rigs(draw(FEW, is_good=False), slowly, DAY_S, measures, 60)
    above = sum(one["greater"] > CELL_V for one in found)
    results = {
        "greater cell after a day": spread_of(found, "greater"),
        "a cell above 3.0 V after a day": share(above, FEW),
    }
    for name, lone in (
        ("R16 missing", [replace(rig, r16_ohm=1e9) for rig in draw(FEW)]),
        ("R17 missing", [replace(rig, r17_ohm=1e9) for rig in draw(FEW)]),
    ):
        found = over_rigs(lone, slowly, DAY_S, measures, 60)
        hours = (one["above"] / 3600 for one in found)
        results |= {
            f"{name}: middle after 5 minutes": spread_of(found, "soon"),
            f"{name}: middle after a day": spread_of(found, "middle"),
            f"{name}: greater cell after a day": spread_of(found, "greater"),
            f"{name}: a cell above 3.0 V after": spread(hours, "h"),
        }
    return results


LONG_S = 1_500.0
PIN_V = 3.465


def stuck(rigs: Iterable[Rig]) -> list[float]:
    """Return the watts in motors that stand still for ever, the pin high."""
    measures = {
        "early": f"FIND v(heat) AT={LONG_S - 101}",
        "late": f"FIND v(heat) AT={LONG_S - 1}",
    }
    found = over_rigs(
        rigs, lambda rig: netlist(rig, "1", pin_v=PIN_V), LONG_S, measures, 20
    )
    return [(one["late"] - one["early"]) / 100 for one in found]


def jammed() -> Results:
    """Jam MG90S whose cells are full: they empty, and then only R15 feeds it."""
    measures = {
        "first": "FIND i(Vm) AT=0.01",
        "minute": "FIND v(heat) AT=60",
        "cool": f"WHEN v(watts)={MOST_W} FALL=1",
    }
    found = over_rigs(draw(FEW), lambda rig: netlist(rig, "1"), 300.0, measures, 1.0)
    return {
        "jammed: at first": spread_of(found, "first", "A"),
        "jammed: in the first minute": spread_of(found, "minute", "J"),
        "jammed: above 1 W for": spread_of(found, "cool", "s"),
        "jammed: for ever": spread(stuck(draw(FEW)), "W"),
    }


CORNER = Rig(
    supply_v=1.05 * 5.1, cable_ohm=0.05, pi_a=0.6, r15_ohm=0.95 * value("R15"),
    plug_ohm=0.05, idle_a=0.0, motor_ohm=0.95 * value("R15"),
)  # fmt: skip
"""Supply and R15 at the ends of their tolerances, and the motor that gets most."""


def bound_w(supply_v: float, r15_ohm: float) -> float:
    """Return V²/4R: what anything behind R15 gets in the long run."""
    return supply_v**2 / (4 * r15_ohm)


def for_ever() -> Results:
    """Jam motors of any resistance, on any supply; then short both cells.

    Behind a reservoir, a motor that hums or is pulsed quickly is one of more ohms.
    """
    rigs = [
        replace(rig, motor_ohm=0.5 * 200 ** random.Random(f"motor/{number}").random())
        for number, rig in enumerate(draw(RIGS, is_good=False))
    ]
    watts = stuck(rigs)
    cool = sum(one <= MOST_W for one in watts)
    worst = stuck([CORNER])[0]
    nominal = bound_w(Rig().supply_v, Rig().r15_ohm)
    bound = bound_w(CORNER.supply_v, CORNER.r15_ohm)
    shorted = replace(CORNER, c8_f=1e6, c9_f=1e6)
    across = {"fed": "FIND v(fed) AT=1"}
    fed = over_rigs([shorted], empty, 1.1, across, 0.1)[0]["fed"]
    in_r15 = fed**2 / CORNER.r15_ohm
    return {
        "stuck: any motor": spread(watts, "W"),
        "stuck: any motor stays below 1 W": share(cool, RIGS),
        "stuck: worst": Found(worst, f"{worst:.3f} W"),
        "servo's bound": Found(nominal, f"{nominal:.3f} W, V²/4R, nominal"),
        "servo's bound with tolerances": Found(
            bound, f"{bound:.3f} W, supply + 5 %, R15 - 5 %"
        ),
        "cells shorted: R15 at worst": Found(in_r15, f"{in_r15:.2f} W"),
    }


WILD_S = 60.0


def wild() -> Results:
    """Pulse motors slowly and wildly, from half full on, where R15 passes most.

    What the cells lose meanwhile they could not lose for ever.
    """
    measures = {
        "heat": f"FIND v(heat) AT={WILD_S}",
        "first": "FIND v(kept) AT=1m",
        "last": f"FIND v(kept) AT={WILD_S}",
    }
    runs, bounds_w = [], []
    for number, drawn in enumerate(draw(FEW, is_good=False)):
        dice = random.Random(f"wild/{number}")
        rig = replace(drawn, motor_ohm=0.5 * 40 ** dice.random())
        turns = waveform(toggling(dice, WILD_S), 1.0)
        text = netlist(rig, turns, full=0.5, pin_v=PIN_V)
        runs.append(Run(text, WILD_S + 0.1, measures, rig.temp_c, 0.5))
        bounds_w.append(bound_w(rig.supply_v, rig.r15_ohm))
    watts = [
        (one["heat"] - one["first"] + one["last"]) / WILD_S
        for one in simulate_all(runs)
    ]
    nearest = max(one / bound for one, bound in zip(watts, bounds_w, strict=True))
    return {
        "pulsed for ever": spread(watts, "W"),
        "pulsed beside its bound": Found(nearest, f"{nearest:.1%} of its own bound"),
    }


AFTER_S = (1, 5, 60, 300)


def unloaded(name: str, rigs: Iterable[Rig]) -> Results:
    """Fill the cells with the servo's plug out, and look at *servo +*."""
    idle = (replace(rig, idle_a=0.0) for rig in rigs)
    measures = {f"at_{at_s}": f"FIND v({PLUS}) AT={at_s}" for at_s in AFTER_S}
    measures["least"] = f"MIN v({FEED}) from=1m to=300"
    found = over_rigs(idle, empty, 300.1, measures, 10)
    seen = {
        f"{name}: servo + after {at_s} s": spread_of(found, f"at_{at_s}")
        for at_s in AFTER_S
    }
    return {**seen, f"{name}: header while it fills": lowest_of(found, "least")}


def bench() -> Results:
    """Look at the stage on the bench, with R15 and cable as they should be, and not."""
    results = unloaded("R15 good", draw(BOARDS))
    for name, ohm in (("bridged", 1e-3), ("1 Ω", 1.0), ("100 Ω", 100.0)):
        rigs = [replace(rig, r15_ohm=ohm) for rig in draw(FEW)]
        results |= unloaded(f"R15 {name}", rigs)
        results[f"R15 {name}: stuck"] = spread(stuck(rigs), "W")
    thin = [replace(rig, cable_ohm=0.5) for rig in draw(FEW)]
    coins = (replace(rig, esr8_ohm=30.0, esr9_ohm=30.0) for rig in draw(FEW))
    return {
        **results,
        **unloaded("cable of 0.5 Ω", thin),
        **started("cable of 0.5 Ω", thin),
        **started("coin cells of 30 Ω", coins),
    }


def idling() -> Results:
    """Let servos rest that take more or less while they do."""
    measures = {"plus": f"FIND v({PLUS}) AT=899", "fed": "FIND v(fed) AT=899"}
    results = {}
    for milliamperes in (0, 10, 25, 100):
        rigs = (replace(rig, idle_a=milliamperes / 1e3) for rig in draw(FEW))
        found = over_rigs(rigs, empty, FULL_S, measures, 20)
        name = f"idle {milliamperes} mA"
        results[f"{name}: servo +"] = spread_of(found, "plus")
        results[f"{name}: across R15"] = spread_of(found, "fed")
    return results


def unplugged() -> Results:
    """Pull the Pi's plug: the cells feed it through R15, until a wire empties them."""
    results = {}
    for watts in (0.4, 0.8):
        pi = f"Bpi {FEED} 0 I={watts}/max(0.5,V({FEED}))"
        runs = [
            Run(
                netlist(rig, header=pi),
                600.0,
                {"falls": f"WHEN v({FEED})=3 FALL=1"},
                rig.temp_c,
                1.0,
            )
            for rig in draw(FEW)
        ]
        falls = spread_of(list(simulate_all(runs)), "falls", "s")
        results[f"plug out, Pi of {watts} W: header above 3 V for"] = falls
    measures = {
        "peak": "MIN v(fed) from=1m to=1",
        "left": f"WHEN v({PLUS})=0.2 FALL=1",
    }
    rigs = [replace(rig, idle_a=0.0) for rig in draw(FEW)]
    wire = f"Rwire {FEED} 0 0.05"
    found = over_rigs(rigs, lambda rig: netlist(rig, header=wire), 600.0, measures, 1.0)
    peaks = [(one["peak"], rig.r15_ohm) for one, rig in zip(found, rigs, strict=True)]
    return {
        **results,
        "emptied by a wire: below 0.2 V after": spread_of(found, "left", "s"),
        "emptied by a wire: peak": spread((-volts / ohm for volts, ohm in peaks), "A"),
        "emptied by a wire: R15": spread((volts**2 / ohm for volts, ohm in peaks), "W"),
    }
