"""Payments that a seat has made or received lately, and rent it may still ask for.

They are read from the newest entries of the journal. A *claim* is the right of a deed's
owner to ask for the rent of a landing.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import msgspec

from companion.game import Game
from companion.game.deed_events import LotSold
from companion.game.events import MoneyMoved
from companion.game.journal import Entry
from companion.game.ledger import Reason
from companion.game.play_events import RentFellDue
from companion.game.position import Claim
from companion.units import BANK, Dollars, Revision, TimeMs
from companion.views.badge import Badge, badge_of
from companion.views.turn_buttons import Look
from companion.words.common import common

GO_AGAIN_MS = 10_000
"""A second salary for GO within this time is most likely a mistaken tap.

Nobody comes round the board that fast.
"""


class Payment(msgspec.Struct, frozen=True):
    """The sum that went between the seat and another account in one entry.

    Attributes:
        revision: The revision of the entry.
        amount: The dollars that came in; negative if the seat paid.
        is_fake: The seat found the other's note to be fake and got its value.
        lot: What it bought under the hammer; mostly empty.
    """

    revision: Revision
    other: Badge
    amount: Dollars
    is_fake: bool = False
    lot: str = ""


def payments_of(
    seat: str, game: Game, entries: Sequence[Entry], undone: frozenset[Revision]
) -> tuple[Payment, ...]:
    """List the payments to and by *seat* in *entries*, in order.

    Args:
        seat: The seat that was paid, or paid.
        game: The game as it stands.
        entries: The latest entries of the game, oldest first.
        undone: The revisions of the entries that were taken back and do not count.
    """
    amounts: dict[tuple[Revision, str, bool], Dollars] = {}
    lots: dict[Revision, str] = {}
    for entry in entries:
        if entry.revision in undone:
            continue
        for event in entry.events:
            if isinstance(event, LotSold) and event.seat == seat:
                lots[entry.revision] = Look(game, "").name(common(event.lot))
            if isinstance(event, MoneyMoved) and seat in (event.payer, event.payee):
                is_in = event.payee == seat
                other = event.payer if is_in else event.payee
                is_fake = is_in and event.reason is Reason.FAKE and other != BANK
                key = (entry.revision, str(other), is_fake)
                amount = event.amount if is_in else -event.amount
                amounts[key] = amounts.get(key, 0) + amount
    return tuple(
        Payment(
            revision,
            badge_of(game, account),
            amount,
            is_fake,
            lots.get(revision, "") if account == BANK else "",
        )
        for (revision, account, is_fake), amount in amounts.items()
        if amount
    )


def since_salary_ms(
    entries: Sequence[Entry], undone: Collection[Revision], seat: str, now_ms: int
) -> int | None:
    """Return how many milliseconds ago *seat* was last paid for GO.

    Args:
        entries: The latest entries of the game, oldest first.
        undone: The revisions of the entries that were taken back and do not count.
        seat: The seat that was paid.
        now_ms: The time by the table's clock.

    Returns:
        At least 0; ``None`` unless it was paid less than ``GO_AGAIN_MS`` ago.
    """
    for entry in reversed(entries):
        ago_ms = now_ms - entry.at_ms
        if ago_ms >= GO_AGAIN_MS:
            return None
        if entry.revision not in undone and _pays_salary(entry, seat):
            return max(0, ago_ms)
    return None


def _pays_salary(entry: Entry, seat: str) -> bool:
    return any(
        isinstance(event, MoneyMoved)
        and event.reason is Reason.SALARY
        and event.payee == seat
        for event in entry.events
    )


def landed_ms(entries: Sequence[Entry], claim: Claim) -> TimeMs | None:
    """Return the time of the landing that *claim* is about.

    Args:
        entries: The latest entries of the game, oldest first. Some may have been taken
            back: the landing that counts came later.
        claim: The claim in the current position.

    Returns:
        Milliseconds since 1970 UTC; ``None`` if the landing is older than *entries*.
    """
    for entry in reversed(entries):
        for event in entry.events:
            if (
                isinstance(event, RentFellDue)
                and event.seat == claim.mover
                and event.owner == claim.owner
                and event.deed == claim.deed
            ):
                return entry.at_ms
    return None
