"""Money that a seat was paid lately, so that its phone can make something of it."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from companion.game import Game
from companion.game.events import MoneyMoved
from companion.game.journal import Entry
from companion.game.ledger import Reason
from companion.units import BANK, Dollars, Revision
from companion.views.history import COMMON_NAMES
from companion.words import capital

COMMON_COLOUR = "brass"
"""The colour of accounts that are nobody's; each account is a token of its own."""


class Payer(msgspec.Struct, frozen=True):
    """Who paid, as the board shows a seat."""

    name: str
    colour: str
    token: str


class Payment(msgspec.Struct, frozen=True):
    """What one payer paid the seat in one entry; *is_fake* if it was a fake note."""

    revision: Revision
    payer: Payer
    amount: Dollars
    is_fake: bool = False


def payments_to(
    seat: str, game: Game, entries: Sequence[Entry], undone: frozenset[Revision]
) -> tuple[Payment, ...]:
    """The payments to *seat* in *entries*, in order, without what was taken back."""
    found: dict[tuple[Revision, str, bool], Dollars] = {}
    for entry in entries:
        if entry.revision in undone:
            continue
        for event in entry.events:
            if isinstance(event, MoneyMoved) and event.payee == seat:
                is_fake = event.reason is Reason.FAKE and event.payer != BANK
                key = (entry.revision, str(event.payer), is_fake)
                found[key] = found.get(key, 0) + event.amount
    return tuple(
        Payment(revision, payer_of(game, account), amount, is_fake)
        for (revision, account, is_fake), amount in found.items()
    )


def payer_of(game: Game, account: str) -> Payer:
    """Return how the board shows whoever has that account."""
    state = next((x for x in reversed(game.seats) if x.seat == account), None)
    if state is None:
        name = capital(COMMON_NAMES[account])
        return Payer(name, COMMON_COLOUR, account)
    return Payer(state.name, state.colour, state.token)
