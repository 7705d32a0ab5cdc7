"""Try out the vault together with a person: one part after another, the coil last.

The finding on the wheel names the settings to write for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Protocol

from companion.errors import Refused
from companion.health import Condition, Finding
from companion.lock.quadrature import PHASE, STEPS
from companion.ports import Clock, Edge, Hands, Line, Signal, VaultDevice
from hardware.vault.latches import Latch

PATIENCE_MS = 20_000
"""How long the person has to begin a movement."""
QUIET_MS = 700
"""A movement is over after so long without an edge."""
EARLIER_MAX = 10_000
"""The most earlier edges that are skipped; a loose wire makes them without end."""
COIL_ON_MS = 400
"""The length of the trial pulse."""


class Maker(Protocol):
    """The person at the terminal, and the edges that their hands cause."""

    def tell(self, text: str) -> None:
        """Show *text*."""

    def agrees(self, question: str) -> bool:
        """Return whether the answer to *question* is yes."""

    def next_edge(self, timeout_ms: int) -> Edge | None:
        """Wait for the next edge; ``None`` if none comes in time."""


@dataclass(frozen=True, slots=True)
class Bench:
    """The vault on the bench.

    Attributes:
        vault: The vault to try; its edges go to *maker*.
        latch: What pulls the bolt.
        hands: Move a simulated vault in the person's place.
    """

    vault: VaultDevice
    maker: Maker
    clock: Clock
    latch: Latch
    hands: Hands | None = None


def try_everything(bench: Bench) -> Iterator[Finding]:
    """Try every part of the vault; a vault that breaks down raises ``DeviceFault``."""
    yield try_wheel(bench)
    yield try_button(bench, Line.M_BUTTON, "the red M button")
    yield try_button(bench, Line.YELLOW_BUTTON, "the yellow button")
    yield try_lid(bench)
    yield try_light(bench, Signal.RIGHT, "try.green", "the green light")
    yield try_light(bench, Signal.WRONG, "try.red", "the red light")
    yield try_coil(bench)
    yield from ask_for_fuse(bench)


def _ask(bench: Bench, text: str, move: Callable[[Hands], object]) -> None:
    """Ask the person for a movement; on a simulated vault, have its hands *move*."""
    for _ in range(EARLIER_MAX):  # Skip the edges of earlier movements.
        if bench.maker.next_edge(0) is None:
            break
    bench.maker.tell(text)
    if bench.hands is not None:
        bench.maker.tell("  (simulated hands do it)")
        move(bench.hands)


def _movement(bench: Bench) -> list[Edge]:
    """Collect the edges of one movement, until it is quiet."""
    edges: list[Edge] = []
    wait_ms = PATIENCE_MS
    until_ns = bench.clock.monotonic_ns() + 2 * PATIENCE_MS * 1_000_000
    while bench.clock.monotonic_ns() < until_ns:
        edge = bench.maker.next_edge(wait_ms)
        if edge is None:
            break
        edges.append(edge)
        wait_ms = QUIET_MS
    return edges


# The wheel.

STEPS_PER_CLICK = (1, 2, 4)
"""How many steps of the contacts a click of a wheel may have."""


def try_wheel(bench: Bench) -> Finding:
    """Find out how many steps a click of the wheel makes, and in which direction."""
    topic = "try.wheel"
    levels = bench.vault.levels()
    text = "Turn the wheel clockwise by one click, and let go."
    _ask(bench, text, lambda hands: hands.turn(1))
    edges = _movement(bench)
    moved = {edge.line for edge in edges}
    others = moved - {Line.WHEEL_A, Line.WHEEL_B}
    if others:
        names = ", ".join(sorted(others))
        words = f"while the wheel was asked for, something else moved: {names}"
        return Finding(topic, Condition.FAIL, words, "check these wires, and try again")
    if len(moved) == 1 and len(edges) > 1:
        still = Line.WHEEL_B if Line.WHEEL_A in moved else Line.WHEEL_A
        words = f"only one contact of the wheel moved; {still} is still"
        return Finding(topic, Condition.FAIL, words, f"check the wire of {still}")
    steps = steps_in(levels[Line.WHEEL_A], levels[Line.WHEEL_B], edges)
    return _wheel_finding(topic, steps)


def _wheel_finding(topic: str, steps: int) -> Finding:
    """Judge a click by its steps, which are negative counterclockwise."""
    if steps == 0:
        words = "the wheel made no step"
        remedy = "check its three wires: A, B and the middle one to ground"
        return Finding(topic, Condition.FAIL, words, remedy)
    count = abs(steps)
    if count not in STEPS_PER_CLICK:
        words = f"the wheel made {count} steps, which is no single click"
        return Finding(topic, Condition.WARN, words, "try again, one click only")
    way = "clockwise" if steps > 0 else "the other way round"
    lines = f"COMPANION_WHEEL_STEPS_PER_DETENT={count}"
    lines += f" and COMPANION_WHEEL_IS_REVERSED={int(steps < 0)}"
    words = f"a click is {count} steps, counted {way}; its settings are {lines}"
    return Finding(topic, Condition.OK, words)


def steps_in(is_a: bool, is_b: bool, edges: list[Edge]) -> int:
    """Count the steps that *edges* make, clockwise positive; bounces cancel out.

    *is_a* and *is_b* tell whether each contact was closed before.
    """
    steps, phase = 0, PHASE[is_a, is_b]
    for edge in edges:
        if edge.line is Line.WHEEL_A:
            is_a = edge.is_active
        else:
            is_b = edge.is_active
        new_phase = PHASE[is_a, is_b]
        steps += STEPS[(new_phase - phase) % 4]
        phase = new_phase
    return steps


# Buttons and lid.


def try_button(bench: Bench, line: Line, name: str) -> Finding:
    """Check that one press of a button is felt, and moves nothing else."""
    topic = f"try.{line.value.removesuffix('_button')}"
    text = f"Press {name} once, and let go."
    _ask(bench, text, lambda hands: hands.press(line))
    edges = _movement(bench)
    others = {edge.line for edge in edges} - {line}
    if others:
        words = f"pressing {name} moved {', '.join(sorted(others))}"
        return Finding(topic, Condition.FAIL, words, "two wires are swapped, or touch")
    if not any(edge.is_active for edge in edges):
        words = f"{name} was not felt"
        remedy = "check its two wires: one to its pin, one to ground"
        return Finding(topic, Condition.FAIL, words, remedy)
    if edges[-1].is_active:
        words = f"{name} was felt, and still reads pressed"
        return Finding(
            topic, Condition.WARN, words, "let go of it, or look for a short"
        )
    return Finding(topic, Condition.OK, f"{name} was pressed and let go")


def try_lid(bench: Bench) -> Finding:
    """Check that the switch of the lid tells open from shut."""
    topic, line = "try.lid", Line.LID
    if bench.vault.levels()[line]:
        return _lid_is_shut(bench, topic)
    _ask(bench, "Shut the lid.", lambda hands: hands.shut_lid())
    _movement(bench)
    if not bench.vault.levels()[line]:
        return Finding(
            topic,
            Condition.FAIL,
            "the lid still reads open",
            "its switch is closed while the lid is shut: check that, and its two wires",
        )
    return _lid_is_shut(bench, topic)


def _lid_is_shut(bench: Bench, topic: str) -> Finding:
    question = "The lid reads shut. Is it down?"
    if bench.maker.agrees(question):
        return Finding(topic, Condition.OK, "the lid reads shut while it is down")
    return Finding(
        topic,
        Condition.FAIL,
        "the lid reads shut while it is up",
        "take the switch's other contact (NC), or look for a short to ground",
    )


# Lights, buzzer, coil.


def try_light(bench: Bench, signal: Signal, topic: str, name: str) -> Finding:
    """Check a light, and the buzzer with it."""
    bench.vault.signal(signal)
    if bench.maker.agrees(f"Did {name} come on, with a sound?"):
        return Finding(topic, Condition.OK, f"{name} and the buzzer work")
    remedy = "check its resistor and which leg is which, and the buzzer's two wires"
    return Finding(topic, Condition.FAIL, f"{name} or the buzzer did not work", remedy)


def try_coil(bench: Bench) -> Finding:
    """Pulse the coil once, unless it has to rest."""
    topic = "try.coil"
    bench.maker.tell(bench.latch.caution)
    if not bench.maker.agrees(f"Pull the bolt once, for {COIL_ON_MS} ms?"):
        return Finding(topic, Condition.UNKNOWN, "the latch was not tried")
    try:
        bench.vault.release(COIL_ON_MS)
    except Refused as refused:
        return Finding(topic, Condition.UNKNOWN, refused.message, refused.remedy)
    if bench.maker.agrees("Did the bolt move?"):
        return Finding(topic, Condition.OK, "the bolt moves")
    return Finding(topic, Condition.FAIL, "the bolt did not move", bench.latch.remedy)


def ask_for_fuse(bench: Bench) -> Iterator[Finding]:
    """Find a servo that hangs on a fuse, as in the first guide; no pin tells."""
    is_servo = bench.latch.find_servo is not None
    if is_servo and bench.maker.agrees("Does the servo hang on a fuse, F1?"):
        yield Finding(
            "try.fuse",
            Condition.WARN,
            # 5 V over a motor of 6 ohms that stands, and a fuse of 3: 1.5 to 4.4 by
            # the sheet of Bourns MF-RX020/72.
            "behind its fuse the servo starts on some 3.3 V, which is too little",
            "feed it from a reservoir instead: hardware/README.md, Build B",
        )
