"""The grace period: how long a payment lies on the table before it can be handed over.

In an edition with a decoder, a payer lays notes or a card on the table, and another
player may *challenge* them: look whether they are fake. The others need a moment to say
so. The rules know no time, so the table service refuses a hand-over that comes too
early.

Source:
    Cash Decoder's sheet, "Checking for Fake Cash": whoever looks has to say so before
    the payment is finished. How many seconds that takes is this project's own choice.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from companion.errors import Refused, Why
from companion.game import Game
from companion.game.decoder_events import (
    CardLaid,
    HandedOver,
    PaymentLaid,
    PaymentWithdrawn,
    VerdictGiven,
)
from companion.game.events import Redone, Undone
from companion.game.journal import Entry
from companion.game.play_events import PlayResumed, SeatBankrupted
from companion.rules.decoder import GRACE_RULE
from companion.units import DurationMs, TimeMs
from companion.words import say, say_count

GRACE_BEGINNINGS = (
    PaymentLaid,
    PaymentWithdrawn,
    CardLaid,
    HandedOver,
    VerdictGiven,
    PlayResumed,
    SeatBankrupted,
    Undone,
    Redone,
)
"""Events that change what lies on the table, so that the grace period begins anew."""


def ready_in_ms(game: Game, latest: Iterable[Entry], now_ms: TimeMs) -> DurationMs:
    """Return how long it takes until a payment on the table can be handed over.

    Args:
        game: The game as it stands.
        latest: Its latest entries, the newest first.
        now_ms: The time by the wall clock.

    Returns:
        Milliseconds up to the grace that the table agreed on; 0 if nothing lies there,
        if it was laid down long ago, or if the clock went back since.
    """
    decoder = game.board.rules.decoder if game.board is not None else None
    if decoder is None or game.play is None or not game.play.showing:
        return DurationMs(0)
    for entry in latest:
        if any(isinstance(event, GRACE_BEGINNINGS) for event in entry.events):
            waited_ms = now_ms - entry.at_ms
            has_gone_back = waited_ms < 0
            left_ms = decoder.grace * 1000 - waited_ms
            return DurationMs(0 if has_gone_back else max(0, left_ms))
    return DurationMs(0)


def too_soon(left_ms: DurationMs) -> Refused:
    """Build the refusal of a hand-over that comes *left_ms* too early."""
    seconds = math.ceil(left_ms / 1000)
    return GRACE_RULE.refuses(
        Why.TOO_SOON,
        say("the others may still look at it"),
        say_count(seconds, "wait {count} second", "wait {count} seconds"),
    )
