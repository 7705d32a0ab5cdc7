"""A servo's horn, as the pulses on its wire turn it: nobody can mount one here.

It is told by the pulse that holds it there, in microseconds. An analogue servo turns
until a period after a pulse; a digital one obeys and holds the last pulse for ever.
Neither knows whether a pulse was cut.
"""

from __future__ import annotations

from collections.abc import Iterable

from tests.kernel.scope import Pulse

PERIOD_US = 20_000
SPEED = 60 / 90 * 1000 / 100_000
"""Microseconds of a pulse in one of time: 60° in 0.1 s, and 1000 µs for 90°.

Source: Tower Pro, MG90S, "operating speed" at 4.8 V; ``hardware/README.md``.
"""
STOPS_US = 500, 2500
"""The ends of its way, where it stops whatever it is told."""
EXACT_US = 100
"""How far widths may be off: by 43 µs at most in 907 pulses while programs started."""


def are_at(
    wanted_us: int, pulses: Iterable[Pulse], at_us: int, *, start_us: float
) -> bool:
    """Return whether an analogue and a digital one are where they should be."""
    known = list(pulses)
    return all(
        abs(
            place_us(known, at_us, start_us=start_us, is_digital=is_digital) - wanted_us
        )
        <= EXACT_US
        for is_digital in (False, True)
    )


def place_us(
    pulses: Iterable[Pulse], at_us: int, *, start_us: float, is_digital: bool
) -> float:
    """Return where a horn from *start_us* is at the moment *at_us*."""
    place = start_us
    known = [pulse for pulse in pulses if pulse.fell_us <= at_us]
    ends = [*(pulse.fell_us for pulse in known[1:]), at_us]
    for pulse, ends_us in zip(known, ends, strict=False):
        time_us = ends_us - pulse.fell_us
        if not is_digital:
            time_us = min(time_us, PERIOD_US)
        aim = min(max(pulse.width_us, STOPS_US[0]), STOPS_US[1])
        way = min(abs(aim - place), SPEED * time_us)
        place += way if aim > place else -way
    return place
