"""The banker's phone plays for a seat that no phone holds, a child's perhaps.

The phone remembers for whom; whether it may is asked anew each time. Once a phone
takes the seat, or the bank goes to somebody else, it speaks for itself again.
"""

from __future__ import annotations

from flask import request

from companion.rules import keeps_bank
from web.auth import acts_as
from web.panel import panel

COOKIE = "for"


def stands_in_for(journal: str) -> str:
    """The seat that this phone plays for besides its own; empty for none."""
    game_id, _, seat = request.cookies.get(COOKIE, "").partition(".")
    return seat if game_id == journal and may_stand_in(journal, seat) else ""


def may_stand_in(journal: str, seat: str) -> bool:
    """Whether this phone keeps the bank, and no phone holds that seat."""
    by, game = acts_as(journal), panel().table.game(journal)
    if not by or not keeps_bank(game, by) or game.seat(seat) is None:
        return False
    return seat not in panel().table.phones.held_seats(journal)


def speaks_as(journal: str) -> str:
    """Whom this phone speaks for now: the seat it stands in for, else its own.

    Raises:
        Problem: 403 for a token that is nobody's.
    """
    return stands_in_for(journal) or acts_as(journal)
