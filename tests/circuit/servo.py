"""What is tried of the servo's stage: its resettable fuse, and the 5 V behind it.

The fuse is a Bourns MF-RX020/72: at 23 °C it holds 0.20 A, trips from 0.40 A on, in at
most 2.2 s at 1.0 A; it has 1.50 to 2.84 ohms, up to 4.40 once it has tripped. A body
that switches at 92 °C, loses 3.0 mW for each kelvin and takes 44 mJ to warm by one
fits all of that, and that Littelfuse's 30R series holds 0.68 of its current at 60 °C.
How steeply it switches is assumed; no sheet says how much sooner the quickest trips.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

from tests.circuit.boards import COLDEST_C, WARMEST_C
from tests.circuit.netlist import Nets, nodes, stage
from tests.circuit.proofs import BOARDS, Found, Results, share, spread
from tests.circuit.spice import Measured, Run, simulate_all

SWITCHES_C = 92.0
LOSS_W_PER_K = 0.0030
HEAT_J_PER_K = 0.044
UNDERVOLTAGE_V = 4.63
"""Below this a Pi says that it has too little voltage. Source: its documentation."""


@dataclass(frozen=True, slots=True)
class Rig:
    """A servo, its fuse, and what feeds the Pi; all but the fuse's ohms is assumed.

    Attributes:
        motor_ohm: 5 V over the 0.7 to 1.0 A that an MG90S takes when it is jammed.
        cable_ohm: From the supply to the header, both ways.
        pi_a: What the Pi itself takes.
    """

    temp_c: float
    fuse_ohm: float
    motor_ohm: float
    supply_v: float
    cable_ohm: float
    pi_a: float


def draw(count: int, *, is_good: bool = False) -> Iterator[Rig]:
    """Draw rigs; a good supply keeps to 2 % and has a short, thick cable."""
    for number in range(count):
        dice = random.Random(f"servo/{number}")
        yield Rig(
            temp_c=dice.uniform(COLDEST_C, WARMEST_C),
            fuse_ohm=dice.uniform(1.50, 4.40),
            motor_ohm=5.0 / dice.uniform(0.7, 1.0),
            supply_v=5.1 * (1 + dice.uniform(-1, 1) * (0.02 if is_good else 0.05)),
            cable_ohm=dice.uniform(0.03, 0.08) if is_good else dice.uniform(0.05, 0.25),
            pi_a=dice.uniform(0.6, 1.2),
        )


def netlist(
    rig: Rig, jams: str, *, has_c2: bool = False, joined: Nets | None = None
) -> str:
    """Write the servo's stage; *jams* is a waveform of 1 while the motor stands still.

    A motor that runs takes a third of what it takes standing still, assumed.
    """
    node = nodes(joined or stage())
    plus, minus, feed = node["M1.+"], node["M1.-"], node["Pi.2"]
    f1 = f"{node['F1.1']} {node['F1.2']}"
    f1_v = f"V({node['F1.1']},{node['F1.2']})"
    fuse_ohm = f"({rig.fuse_ohm}*(1+exp(min(14,(V(body)-{SWITCHES_C})/3))))"
    c2 = f"Resr {node['C2.+']} c2 0.1\nC2 c2 {node['C2.-']} 470u IC=5" if has_c2 else ""
    return f"""
Vsupply socket 0 {rig.supply_v}
Rcable socket {feed} {rig.cable_ohm}
Ipi {feed} 0 {rig.pi_a}
Cpi {feed} 0 100u IC=5
Vjams jams 0 {jams}
Bf1 {f1} I={f1_v}/{fuse_ohm}
Bwarm 0 body I={f1_v}^2/{fuse_ohm}
Cbody body 0 {HEAT_J_PER_K} IC={rig.temp_c}
Rbody body air {1 / LOSS_W_PER_K}
Vair air 0 {rig.temp_c}
Vm {plus} motor 0
Bm motor {minus} I=V(jams)*V(motor)/{rig.motor_ohm}
Bheat 0 heat I=I(Vm)*V(motor)
Cheat heat 0 1
{c2}
"""


def jammed() -> Results:
    """Jam the servo for a minute, at any temperature."""
    measures = {
        "trips": f"WHEN v(body)={SWITCHES_C} RISE=1",
        "first": "FIND i(Vm) AT=0.01",
        "last": "FIND i(Vm) AT=60",
    }
    runs = [
        Run(netlist(rig, "1"), 61.0, measures, step_s=50e-3) for rig in draw(BOARDS)
    ]
    found = list(simulate_all(runs))
    return {
        "jammed servo: tripped": share(sum("trips" in one for one in found), BOARDS),
        "jammed servo: trips after": spread(trips_of(found), "s"),
        "jammed servo: at first": spread((one["first"] for one in found), "A"),
        "jammed servo: after a minute": spread((one["last"] for one in found), "A"),
        **by_temperature(found),
    }


def trips_of(found: list[Measured]) -> list[float]:
    """Return the seconds after which fuses tripped."""
    return [one["trips"] for one in found if "trips" in one]


def by_temperature(found: list[Measured]) -> Results:
    """Tell how long it took in the cold, in a room, and in the heat."""
    bands = {
        "below 5 °C": (-99, 5),
        "at 15 to 30 °C": (15, 30),
        "above 50 °C": (50, 99),
    }
    rigs = list(draw(BOARDS))
    return {
        f"jammed servo, {name}": spread(
            trips_of(
                [
                    one
                    for rig, one in zip(rigs, found, strict=True)
                    if low <= rig.temp_c < high
                ]
            ),
            "s",
        )
        for name, (low, high) in bands.items()
    }


START_S, MOVE_S, EVERY_S = 0.05, 0.25, 3.4
"""A start, a whole move, both assumed; and how often the program pulls at most."""
PULLS = 15


def at_work() -> Results:
    """Pull as often as the program allows for a minute: the fuse must hold."""
    points = [
        f"{at} 0 {at + 0.001} 1 {at + START_S} 1 {at + START_S + 0.001} 0.33"
        f" {at + MOVE_S} 0.33 {at + MOVE_S + 0.001} 0"
        for pull in range(PULLS)
        for at in (pull * EVERY_S + 0.01, pull * EVERY_S + 0.41)
    ]
    jams = f"PWL(0 0 {' '.join(points)})"
    measures = {"warmest": "MAX v(body)"}
    runs = [
        Run(netlist(rig, jams), PULLS * EVERY_S, measures, step_s=0.1)
        for rig in draw(BOARDS)
    ]
    found = list(simulate_all(runs))
    good = sum(one["warmest"] < SWITCHES_C for one in found)
    return {"servo at work: fuse holds": share(good, BOARDS)}


def sag() -> Results:
    """Start the servo, and look for undervoltage at the Pi's header."""
    feed = nodes(stage())["Pi.2"]
    jams = "PWL(0 0 20m 0 20.1m 1 70m 1 70.1m 0.33)"
    measures = {
        "still": f"FIND v({feed}) AT=19m",
        "least": f"MIN v({feed}) from=19m to=90m",
    }
    results = {}
    for name, is_good, has_c2 in (
        ("any supply", False, False),
        ("any supply, 470 µF", False, True),
        ("good supply", True, False),
    ):
        runs = [
            Run(netlist(rig, jams, has_c2=has_c2), 0.1, measures, step_s=1e-3)
            for rig in draw(BOARDS, is_good=is_good)
        ]
        found = list(simulate_all(runs))
        low = sum(one["least"] < UNDERVOLTAGE_V for one in found)
        still = sum(one["still"] < UNDERVOLTAGE_V for one in found)
        told = f"{share(low, BOARDS).told}; {still} of them with the servo at rest"
        results[f"undervoltage, {name}"] = Found(100 * low / BOARDS, told)
        sags = (one["still"] - one["least"] for one in found)
        results[f"sag, {name}"] = spread(sags, "mV", 1e3)
    return results
