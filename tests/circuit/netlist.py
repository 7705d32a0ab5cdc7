"""The nets of the coil's stage and of the servo's, and the netlists of the coil's.

A leg is written ``R1.2`` (part and end) or ``Pi.11`` (pin of the header), as in the
guide; every node below is the net that a leg is on in ``hardware/wiring/nets.py``, so a
wrong wire there is one here.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from hardware.vault.pins import LATCH_GROUND
from hardware.wiring.nets import COIL, PARTS, PI, SERVO, Nets
from tests.circuit.boards import BACK_MM, STROKE_MM, Board, Latch


def stage() -> Nets:
    """Return the legs that each net of the coil's and the servo's stage joins."""
    joined: Nets = {}
    for name, legs in (*COIL.items(), *SERVO.items()):
        joined[name] = tuple(dict.fromkeys((*joined.get(name, ()), *legs)))
    return joined


def nodes(joined: Nets) -> dict[str, str]:
    """Return the node of each leg; ground is node 0."""
    numbered = {name: f"n{at}" for at, name in enumerate(joined, 1)}
    for name, legs in joined.items():
        if f"Pi.{LATCH_GROUND}" in legs:
            numbered[name] = "0"
    return {leg: numbered[name] for name, legs in joined.items() for leg in legs}


UNITS = {"Ω": 1.0, "kΩ": 1e3, "µF": 1e-6, "F": 1.0}


def value(part: str) -> float:
    """Return the ohms or farads of a part, as the guide names them."""
    number, unit = PARTS[part].split()
    return float(number.replace(",", "")) * UNITS[unit]


MODELS = """
.model d1n4007 D(Is=7.03n N=1.8 Rs=34m Cjo=10p Bv=1000 Ibv=5u)
.model led D(Is=1e-18 N=2.0 Rs=5)
"""
"""Junctions, assumed: 1 V at 1 A across a 1N4007 (its data sheet: at most 1.1 V); 1.8 V
at 2 mA across a red LED."""


def tip120(legs: str, gain: float) -> str:
    """Write a TIP120: two transistors, with the 8 kOhm and 120 Ohm of its data sheet.

    Its data sheet promises a gain of 1,000 at 0.5 A and at most 2 V across it at 3 A
    with 12 mA of base current; the collector stands 60 V.
    """
    collector, base, emitter = legs.split()
    return f"""
Qa {collector} {base} mid small
Qb {collector} mid {emitter} large
Rqa {base} mid 8k
Rqb mid {emitter} 120
Dq {emitter} {collector} zener
.model small NPN(Is=1e-14 Bf=80 Ikf=0.2 Rc=0.5 Xtb=1.5)
.model large NPN(Is=5e-13 Bf={gain} Ikf=4 Rc=0.15 Xtb=1.5)
.model zener D(Is=1e-13 Bv=60 Ibv=1m Rs=10m)
"""


@dataclass(frozen=True, slots=True)
class Stage:
    """What stands on the board, its values, and what is wrong with it.

    Attributes:
        drive: Points of the pin's waveform: second and level, 0 or 1.
        load_n: What leans on the bolt.
        faults: Of each part that is faulty: ``short``, ``missing`` or ``backwards``;
            of Q1 also ``burnt`` from collector to base, and ``cracked`` if nothing
            else is left of it.
    """

    latch: Latch = field(default_factory=Latch)
    load_n: float = 0.0
    drive: tuple[tuple[float, int], ...] = ((0.0, 1), (0.4, 0))
    faults: tuple[tuple[str, str], ...] = ()
    supply_v: float = 24.0
    r1_ohm: float = value("R1")
    c1_f: float = value("C1")
    starts_at_v: float | None = None
    is_plugged_in: bool = True
    joined: Nets = field(default_factory=stage)


RISE_S = 20e-6


def waveform(drive: tuple[tuple[float, int], ...], high_v: float) -> str:
    """Write the points of a pin that starts low."""
    points, level = ["0 0"], 0
    for second, now in drive:
        at = max(second, 1e-6)
        points.append(f"{at} {level * high_v} {at + RISE_S} {now * high_v}")
        level = now
    return f"PWL({' '.join(points)})"


def charged_v(stage: Stage, board: Board) -> float:
    """Return what the capacitor is charged to: the LED beside it takes some."""
    r1, r4 = stage.r1_ohm * board.r1, value("R4") * board.r4
    supply = stage.supply_v * board.supply
    return supply - r1 * max(0.0, supply - 1.8) / (r1 + r4)


def latch_lines(plus: str, minus: str, stage: Stage, board: Board) -> str:
    """Write the coil and what it moves: ``x`` in mm, ``v`` in m/s, ``back`` in s."""
    latch = stage.latch
    cold_ohm = latch.ohm * board.coil
    k = latch.k(cold_ohm)
    eddy_ohm = latch.open_h / (latch.eddy_s * board.lag)
    gap = f"({latch.gap_m}-1m*V(x))"
    rubs_n = latch.rubs * latch.side_n * board.rub + board.leans * stage.load_n
    forces = (
        f"0.5*{k}*(V(im)/{gap})^2-{latch.spring_n}-{latch.spring_n_per_m}*1m*V(x)"
        f"-{rubs_n}*tanh(V(v)/0.1m)"
        f"-50*max(0,V(x)-{STROKE_MM})*max(0,1+2*V(v))"
        "+50*max(0,-V(x))*max(0,1-2*V(v))"
    )
    return f"""
Vcoil {plus} coil 0
Rcoil coil flux {cold_ohm * board.copper}
Reddy flux {minus} {eddy_ohm}
Bmagnet flux {minus} I=V(im)
Blam 0 lam I=V(flux)-V({minus})
Clam lam 0 1
Bim im 0 V=V(lam)/({latch.open_h}-{k / latch.gap_m}+{k}/{gap})
Bv 0 v I=({forces})/{latch.mass_kg}
Cv v 0 1
Bx 0 x I=1000*V(v)
Cx x 0 1
Bback 0 back I=(V(x)>{BACK_MM}) ? 1 : 0
Cback back 0 1
"""


def transistor_lines(node: dict[str, str], stage: Stage, board: Board) -> str:
    """Write the transistor behind an ammeter, and the energy that it takes."""
    collector, base, emitter = (node[f"Q1.{end}"] for end in "CBE")
    meter = f"""
Vq {collector} qc 0
Bburnt 0 burnt I=V({collector},{emitter})*I(Vq)
Cburnt burnt 0 1
"""
    fault = dict(stage.faults).get("Q1")
    if fault == "short":
        return f"{meter}Rq qc {emitter} 1m"
    through = f"Rq qc {base} 1m" if fault else ""
    if fault == "cracked":
        return meter + through
    return meter + through + tip120(f"qc {base} {emitter}", board.gain)


def capacitor_lines(node: dict[str, str], stage: Stage, board: Board) -> str:
    """Write the capacitor with its series resistance, or what it has become."""
    if dict(stage.faults).get("C1") == "short":
        return f"Rc1 {node['C1.+']} {node['C1.-']} 1m"
    at_v = stage.starts_at_v
    at_v = charged_v(stage, board) if at_v is None else at_v
    return f"""
Resr {node["C1.+"]} inner {board.esr_now}
C1 inner {node["C1.-"]} {stage.c1_f * board.c1_now} IC={at_v}
"""


def diode_lines(node: dict[str, str], stage: Stage) -> str:
    """Write the diode across the coil behind an ammeter, as it was soldered in."""
    anode, cathode = node["D1.A"], node["D1.K"]
    match dict(stage.faults).get("D1"):
        case "missing":
            return ""
        case "backwards":
            anode, cathode = cathode, anode
    return f"Vd1 {anode} d1 0\nD1 d1 {cathode} d1n4007"


def supply_lines(node: dict[str, str], stage: Stage, board: Board) -> str:
    """Write the supply; out of its socket it leaves R1 in the air."""
    plus, minus = node["PS1.+"], node["PS1.-"]
    if not stage.is_plugged_in:
        return f"Rair {plus} {minus} 1g"
    return f"VPS1 {plus} {minus} {stage.supply_v * board.supply}"


def netlist(stage: Stage, board: Board) -> str:
    """Write the coil's stage; ``heat`` (coil) and ``burnt`` (Q1) are joules."""
    node = nodes(stage.joined)
    parts = f"""
Vpin pin 0 {waveform(stage.drive, board.pin_v)}
Rpin pin {node[PI["latch"]]} {board.pin_ohm}
R1 {node["R1.1"]} {node["R1.2"]} {stage.r1_ohm * board.r1}
R2 {node["R2.1"]} {node["R2.2"]} {value("R2") * board.r2}
R3 {node["R3.1"]} {node["R3.2"]} {value("R3") * board.r3}
R4 {node["R4.1"]} {node["R4.2"]} {value("R4") * board.r4}
Vled {node["D2.A"]} d2 0
D2 d2 {node["D2.K"]} led
Bheat 0 heat I=I(Vcoil)*(V(coil)-V(flux))
Cheat heat 0 1
Eps1 v_ps1 0 {node["PS1.+"]} 0 1
Ec1 v_c1 0 {node["C1.+"]} 0 1
Eq1 v_q1 0 {node["Q1.C"]} {node["Q1.E"]} 1
Ebase v_base 0 {node["Q1.B"]} 0 1
Epin v_pin 0 {node[PI["latch"]]} 0 1
"""
    return "\n".join(
        (
            MODELS,
            parts,
            supply_lines(node, stage, board),
            capacitor_lines(node, stage, board),
            diode_lines(node, stage),
            latch_lines(node["L1.1"], node["L1.2"], stage, board),
            transistor_lines(node, stage, board),
        )
    )
