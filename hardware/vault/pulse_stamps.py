"""The coil's rest across programs: a file with the times of its latest pulses.

A bench script lives for one pulse and would forget the quarter of any 20 seconds; a
table reads its earlier pulses from the vault's journal instead. The times are those of
the monotonic clock, which all programs share from one start of the machine to the
next: the clock on the wall may leap, and would then hide a pulse. After a restart of
the machine a stamp looks more recent than it is, or even from the future.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path

from companion.errors import Why
from companion.files import content_of
from companion.ports import Clock, VaultDevice
from hardware.vault.coil import (
    COIL_RULE,
    NS_PER_MS,
    ON_NS_MAX,
    WINDOW_MS,
    check_on_time,
)

ON_MS_MAX = ON_NS_MAX // NS_PER_MS
FILE_BYTES_MAX = 100_000


def stamps_file(variables: Mapping[str, str]) -> Path:
    """The file of whoever runs us; *variables* are the environment."""
    state = variables.get("XDG_STATE_HOME") or Path.home() / ".local/state"
    return Path(state) / "companion" / "coil"


def release_with_stamp(
    vault: VaultDevice, clock: Clock, file: Path, on_time_ms: int
) -> None:
    """Pull the bolt as ``VaultDevice.release`` does, if earlier programs leave room.

    The stamp is written before the coil is on. Anything in *file* that
    cannot be read, or cannot be true, counts as the worst case: the coil was on for as
    long as it may be, just now, and rests fully.

    Args:
        vault: Owns its pins, so that only one program at a time is here.
        clock: The clock of *vault*.
        file: One line for each pulse: when it began, and how long; milliseconds.
        on_time_ms: 50 to 1000.

    Raises:
        Refused: ``coil_resting``; the remedy says how long to wait.
        OSError: If *file* cannot be opened or written; the coil stays off.
        ValueError, DeviceFault: As ``VaultDevice.release`` does.
    """
    check_on_time(on_time_ms)
    now_ms = clock.monotonic_ns() // NS_PER_MS
    reason = "the latch was pulled too much in the last 20 seconds"
    try:
        pulses = _read(file, now_ms)
    except ValueError as error:
        pulses = [(now_ms, ON_MS_MAX)]
        reason = f"{file} does not tell when the coil was on ({error}), so it rests"
    for began_ms, length_ms in pulses:
        vault.remember_pulse(now_ms - began_ms, length_ms)
    wait_ms = vault.rest_ms(on_time_ms)
    if not wait_ms:
        pulses.append((now_ms, on_time_ms))
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("".join(f"{began_ms} {ms}\n" for began_ms, ms in pulses))
    if wait_ms:
        seconds = math.ceil(wait_ms / 1000)
        raise COIL_RULE.refuses(
            Why.COIL_RESTING, reason, f"wait {seconds} s and try again"
        )
    vault.release(on_time_ms)


def _read(file: Path, now_ms: int) -> list[tuple[int, int]]:
    """Read the pulses that still matter: (began, length), oldest first.

    Raises:
        ValueError: If anything in *file* makes no sense.
    """
    try:
        lines = content_of(file, FILE_BYTES_MAX).decode().splitlines()
    except FileNotFoundError:
        return []  # The first pulse of all.
    if not lines:
        raise ValueError("expected a pulse, got an empty file")
    pulses: list[tuple[int, int]] = []
    for line in lines:
        began_ms, length_ms = map(int, line.split())
        if not (0 <= began_ms <= now_ms and 0 < length_ms <= ON_MS_MAX):
            wanted = f"a pulse in 0..{now_ms} of 1..{ON_MS_MAX} ms"
            raise ValueError(f"expected {wanted}, got {line!r}")
        if began_ms + length_ms > now_ms - WINDOW_MS:
            pulses.append((began_ms, length_ms))
    return pulses
