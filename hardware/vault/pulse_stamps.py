"""A file with the times of the coil's latest pulses, for programs other than the table.

A bench script ends after one pulse, and would forget that the coil may be on for only a
quarter of any 20 seconds. (The table reads earlier pulses from the vault's journal.)

The times are of the monotonic clock, which all programs share until the machine
restarts; the time of day may leap. After a restart a stamp may look too recent, or as
if from the future; both only add rest.
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
"""How long the coil may be on in any 20 seconds."""
FILE_BYTES_MAX = 100_000
"""How much of the file is read."""


def stamps_file(variables: Mapping[str, str]) -> Path:
    """Return the path of the current user's file; *variables* are the environment."""
    state = variables.get("XDG_STATE_HOME") or Path.home() / ".local/state"
    return Path(state) / "companion" / "coil"


def release_with_stamp(
    vault: VaultDevice, clock: Clock, file: Path, on_time_ms: int
) -> None:
    """Pull the bolt as ``VaultDevice.release`` does, if earlier programs leave room.

    The stamp is written before the coil is switched on. If *file* makes no sense, the
    coil rests as if it had just been on for as long as it may be.

    Args:
        vault: Holds its pins, so that no other program can do this at the same time.
        clock: The clock of *vault*.
        file: One line for each pulse: its beginning and length in milliseconds.
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
        return []  # There was no pulse yet.
    if not lines:
        raise ValueError("expected a pulse, got an empty file")
    pulses: list[tuple[int, int]] = []
    for line in lines:
        began_ms, length_ms = map(int, line.split())
        is_past, is_allowed = 0 <= began_ms <= now_ms, 0 < length_ms <= ON_MS_MAX
        if not (is_past and is_allowed):
            expected = f"a pulse in 0..{now_ms} of 1..{ON_MS_MAX} ms"
            raise ValueError(f"expected {expected}, got {line!r}")
        if began_ms + length_ms > now_ms - WINDOW_MS:
            pulses.append((began_ms, length_ms))
    return pulses
