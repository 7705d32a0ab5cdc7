"""Servos with their reservoirs and supplies, drawn by a seed, and their netlists.

The cells C8 and C9 are KYOCERA AVX SCCS30E106SRB: 10 F, 10 % less to 30 % more, 3.0 V,
at most 50 mOhm. What no data sheet gives is assumed: so that they have 30 mOhm at
least, and 1.6 times as much at -10 °C.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

from hardware.vault.pins import LATCH_5V, PHYSICAL, SERVO_BCM
from tests.circuit.boards import COLDEST_C, WARMEST_C
from tests.circuit.netlist import nodes, stage, value

SEED = "measured"
"""None of these rigs was looked at before the stage was settled."""
NODE = nodes(stage())
FEED, PLUS, MIDDLE = NODE[f"Pi.{LATCH_5V}"], NODE["M1.+"], NODE["C8.-"]
STARTS_V = 4.5
"""What a servo shall have when it starts; MG90S are sold for 4.8 to 6 V."""


@dataclass(frozen=True, slots=True)
class Rig:
    """A servo, its reservoir, and what feeds the Pi; the default is nominal.

    Attributes:
        cable_ohm: From the supply to the header, both ways.
        pi_a: What the Pi itself takes.
        esr8_ohm: And the other cell's, at 20 °C.
        leak8_a: And the other cell's.
        plug_ohm: Of the servo's plug and wires, both ways.
        motor_ohm: While it stands still.
        idle_a: What the servo's electronics take.
        spin_s: How long the motor takes until it runs.
    """

    temp_c: float = 20.0
    supply_v: float = 5.1
    cable_ohm: float = 0.05
    pi_a: float = 0.9
    r15_ohm: float = value("R15")
    r16_ohm: float = value("R16")
    r17_ohm: float = value("R17")
    c8_f: float = value("C8")
    c9_f: float = value("C9")
    esr8_ohm: float = 0.04
    esr9_ohm: float = 0.04
    leak8_a: float = 0.0
    leak9_a: float = 0.0
    plug_ohm: float = 0.1
    motor_ohm: float = 6.0
    idle_a: float = 0.010
    spin_s: float = 0.020

    @property
    def cold(self) -> float:
        """Factor of the cells' series resistance at this temperature."""
        return 1 + 0.6 * max(0.0, (20 - self.temp_c) / 30)

    @property
    def feed_ohm(self) -> float:
        """What the reservoir is filled through."""
        return self.cable_ohm + self.r15_ohm

    @property
    def full_v(self) -> float:
        """What *servo +* rises to."""
        open_v = self.supply_v - self.cable_ohm * self.pi_a
        left_v = open_v - self.feed_ohm * self.idle_a
        return left_v / (1 + self.feed_ohm / (self.r16_ohm + self.r17_ohm))

    @property
    def ready_v(self) -> float:
        """What *servo +* needs for a start that leaves the servo just enough."""
        cells_ohm = self.cold * (self.esr8_ohm + self.esr9_ohm)
        inner_ohm = self.plug_ohm + 1 / (1 / self.feed_ohm + 1 / cells_ohm)
        start_v = STARTS_V * (1 + inner_ohm / self.motor_ohm)
        return start_v + self.plug_ohm * self.idle_a


def draw(
    count: int, *, is_good: bool = True, stall_a: tuple[float, float] = (0.7, 1.0)
) -> Iterator[Rig]:
    """Draw rigs; a good supply keeps to 2 % and has a short, thick cable.

    *stall_a* is what the motor takes at 5 V while it stands still: 0.7 to 1.0 A are an
    MG90S's.
    """
    for number in range(count):
        dice = random.Random(f"servo/{SEED}/{number}")
        yield Rig(
            temp_c=dice.uniform(COLDEST_C, WARMEST_C),
            supply_v=5.1 * (1 + dice.uniform(-1, 1) * (0.02 if is_good else 0.05)),
            cable_ohm=dice.uniform(0.03, 0.08) if is_good else dice.uniform(0.05, 0.25),
            pi_a=dice.uniform(0.6, 1.2),
            r15_ohm=value("R15") * dice.uniform(0.95, 1.05),
            r16_ohm=value("R16") * dice.uniform(0.95, 1.05),
            r17_ohm=value("R17") * dice.uniform(0.95, 1.05),
            c8_f=value("C8") * dice.uniform(0.90, 1.30),
            c9_f=value("C9") * dice.uniform(0.90, 1.30),
            esr8_ohm=dice.uniform(0.03, 0.05),
            esr9_ohm=dice.uniform(0.03, 0.05),
            leak8_a=dice.uniform(0, 30e-6),
            leak9_a=dice.uniform(0, 30e-6),
            plug_ohm=dice.uniform(0.05, 0.20),
            motor_ohm=5.0 / dice.uniform(*stall_a),
            idle_a=dice.uniform(0.004, 0.015),
            spin_s=dice.uniform(0.010, 0.030),
        )


def netlist(
    rig: Rig,
    turns: str = "0",
    *,
    full: float = 1.0,
    pin_v: float = 0.0,
    header: str | None = None,
) -> str:
    """Write the servo's stage; ``heat`` (motor) and ``kept`` (cells) are joules.

    *turns* is a waveform: 1 while the motor stands still under power, less while it
    runs. The supply gives 3 A at most, as the Pi's own does; *header* stands for it
    and the Pi. The signal may feed the servo through a diode in it, assumed.
    """
    minus = NODE["M1.-"]
    lower = rig.r17_ohm / (rig.r16_ohm + rig.r17_ohm)
    feeds = f"""
Bsupply 0 {FEED} I=min(3,({rig.supply_v}-V({FEED}))/{rig.cable_ohm})
Ipi {FEED} 0 {rig.pi_a}
"""
    return f"""
{feeds if header is None else header}
Cpi {FEED} 0 100u IC={rig.supply_v - rig.cable_ohm * rig.pi_a}
R15 {NODE["R15.1"]} {NODE["R15.2"]} {rig.r15_ohm}
Resr8 {NODE["C8.+"]} c8 {rig.esr8_ohm * rig.cold}
C8 c8 {NODE["C8.-"]} {rig.c8_f} IC={full * rig.full_v * (1 - lower)}
Resr9 {NODE["C9.+"]} c9 {rig.esr9_ohm * rig.cold}
C9 c9 {NODE["C9.-"]} {rig.c9_f} IC={full * rig.full_v * lower}
R16 {NODE["R16.1"]} {NODE["R16.2"]} {rig.r16_ohm}
R17 {NODE["R17.1"]} {NODE["R17.2"]} {rig.r17_ohm}
Bleak8 {PLUS} {MIDDLE} I={rig.leak8_a}*min(1,max(0,V({PLUS},{MIDDLE})))
Bleak9 {MIDDLE} {minus} I={rig.leak9_a}*min(1,max(0,V({MIDDLE},{minus})))
Vpin pin 0 {pin_v}
Rpin pin {NODE[f"Pi.{PHYSICAL[SERVO_BCM]}"]} 40
R5 {NODE["R5.1"]} {NODE["R5.2"]} {value("R5")}
R18 {NODE["R18.1"]} {NODE["R18.2"]} {value("R18")}
Dsignal {NODE["M1.S"]} servo inside
.model inside D(Is=1e-14)
Rplug {PLUS} servo {rig.plug_ohm}
Bidle servo {minus} I={rig.idle_a}*min(1,max(0,V(servo,{minus})))
Vturns turns 0 {turns}
Vm servo motor 0
Bm motor {minus} I=V(turns)*V(motor,{minus})/{rig.motor_ohm}
Bwatts watts 0 V=I(Vm)*V(motor,{minus})
Bheat 0 heat I=V(watts)
Cheat heat 0 1
Bkept kept 0 V=0.5*({rig.c8_f}*V(c8,{MIDDLE})^2+{rig.c9_f}*V(c9,{minus})^2)
Bcell cell 0 V=max(V({PLUS},{MIDDLE}),V({MIDDLE},{minus}))
Bready ready 0 V=V({PLUS})-{rig.ready_v}
Efed fed 0 {FEED} {PLUS} 1
"""
