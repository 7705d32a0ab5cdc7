"""What arrives from others and waits for an answer on this phone.

A page shows the first of them as its banner (``templates/parts/banner.html``), with how
many more there are.
"""

from __future__ import annotations

from collections.abc import Iterable
from zlib import crc32

import msgspec

from companion.store.wishes import JoinRequest, Wish
from companion.units import Seat
from companion.views.history import COMMON_NAMES
from companion.views.laid import laid_of
from companion.views.table import SeatView, box_text
from companion.views.trade import OfferView, offers_for
from companion.views.turn import turn_of
from companion.views.turn_buttons import Look, claim_of
from companion.words import say
from web.http.panel import panel
from web.http.undoing import question_here


class Arrival(msgspec.Struct, frozen=True):
    """Something that another phone asks of this one.

    Attributes:
        kind: What the banner draws: ``laid``, ``rent``, ``ask``, ``undo``, ``offer`` or
            ``door``.
        key: Unlike that of everything else that ever arrives, so that a page can tell
            when another question has taken its place.
        asked: What is asked, as that macro wants it.
        note: What else has to be known for an answer; mostly nothing.
    """

    kind: str
    key: str
    asked: object
    note: str = ""


def arrivals(view: SeatView, waiting: Iterable[JoinRequest]) -> list[Arrival]:
    """All that waits for the phone of *view*, what holds up the others first.

    Args:
        view: The game as that phone sees it.
        waiting: Phones that ask the banker for a seat.
    """
    asks = [
        Arrival("ask", f"ask-{one.number}", one)
        for one in view.asks
        if one.can_answer and one.payer in (view.by, *COMMON_NAMES)
    ]
    offers = [Arrival("offer", one.key, one) for one in _offers(view) if one.can_reject]
    question = question_here(view)
    undo = [
        Arrival("undo", f"undo-{crc32(repr(one).encode())}", one)
        for one in (question,)
        if one is not None and one.can_answer
    ]
    door = [
        Arrival("door", f"door-{one.request}", one, _beyond_box(view, one))
        for one in waiting
    ]
    return [*_on_table(view), *_rents(view), *asks, *undo, *offers, *door]


def _on_table(view: SeatView) -> list[Arrival]:
    """What lies on the table, if this seat may do something about it."""
    game = panel().table.game(view.table.game_id)
    if view.seat is None or laid_of(game) is None:
        return []
    turn = turn_of(game, view.by)
    shown = turn.on_table
    if shown is None:
        return []
    is_asked = shown.handing or shown.looking or shown.laid.inspector == view.by
    return [Arrival("laid", shown.laid.key, turn)] if is_asked else []


def _rents(view: SeatView) -> list[Arrival]:
    """Return the rents that this seat can ask for: each lapses at somebody's roll."""
    game = panel().table.game(view.table.game_id)
    if view.seat is None or game.play is None or not game.play.claims:
        return []
    look, found = Look(game, Seat(view.by)), []
    for button in turn_of(game, view.by).rents:
        claim = claim_of(look, dict(button.fields)["seat"])
        if claim is not None:
            key = f"rent-{claim[0].mover}-{claim[0].deed}-{claim[0].turn}"
            found.append(Arrival("rent", key, button))
    return found


def _beyond_box(view: SeatView, one: JoinRequest) -> str:
    """For how many the box is, if with that seat more would play."""
    told = box_text(panel().table.game(view.table.game_id))
    if not told or one.wish is not Wish.JOIN:
        return ""
    return say("{box} Let in all the same?", box=told)


def _offers(view: SeatView) -> tuple[OfferView, ...]:
    game = panel().table.game(view.table.game_id)
    if view.seat is None or game.play is None or not game.play.offers:
        return ()
    return offers_for(game, panel().editions(view.table.edition).groups, view.by)
