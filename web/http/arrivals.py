"""Requests of other players that wait for an answer on this phone.

A page shows the first of them as its banner (``templates/parts/banner.html``), and the
number of the others.
"""

from __future__ import annotations

from collections.abc import Iterable
from zlib import crc32

import msgspec

from companion.store.wishes import JoinRequest, Wish
from companion.views.history import COMMON_NAMES
from companion.views.laid import laid_of
from companion.views.table import SeatView, box_text
from companion.views.trade import OfferView, offers_for
from companion.views.turn import claims_of, turn_of
from companion.words import say
from web.http.panel import panel
from web.http.undoing import question_here


class Arrival(msgspec.Struct, frozen=True):
    """A request of another player that waits for this phone's answer.

    Attributes:
        kind: The macro that draws it in the banner: ``laid``, ``rent``, ``ask``,
            ``undo``, ``offer`` or ``door``.
        key: Differs from the key of every other arrival, so that a page notices when
            another one takes its place.
        asked: The argument of that macro.
        note: A sentence that matters for the answer; mostly empty.
    """

    kind: str
    key: str
    asked: object
    note: str = ""


def arrivals(view: SeatView, waiting: Iterable[JoinRequest]) -> list[Arrival]:
    """List what waits for the phone of *view*; what holds up other players comes first.

    Args:
        view: The game as that phone sees it.
        waiting: Phones that ask the banker for a seat.
    """
    asks = [
        Arrival("ask", f"ask-{ask.number}", ask)
        for ask in view.asks
        if ask.can_answer and ask.payer in (view.by, *COMMON_NAMES)
    ]
    offers = [Arrival("offer", x.key, x) for x in _offers(view) if x.can_reject]
    door = [
        Arrival("door", f"door-{request.request}", request, _box_note(view, request))
        for request in waiting
    ]
    return [*_laid(view), *_rents(view), *asks, *_undo(view), *offers, *door]


def _undo(view: SeatView) -> list[Arrival]:
    """Return the question whether to undo a step, if this phone has to answer it."""
    question = question_here(view)
    if question is None or not question.can_answer:
        return []
    return [Arrival("undo", f"undo-{crc32(repr(question).encode())}", question)]


def _laid(view: SeatView) -> list[Arrival]:
    """Return the money or card on the table, if this seat may act on it."""
    game = panel().table.game(view.table.game_id)
    if view.seat is None or laid_of(game) is None:
        return []
    turn = turn_of(game, view.by)
    on_table = turn.on_table
    if on_table is None:
        return []
    may_act = on_table.handing or on_table.looking
    if may_act or on_table.laid.inspector == view.by:
        return [Arrival("laid", on_table.laid.key, turn)]
    return []


def _rents(view: SeatView) -> list[Arrival]:
    """Return the rents that this seat can claim; each lapses at a later roll."""
    game = panel().table.game(view.table.game_id)
    if view.seat is None or game.play is None or not game.play.claims:
        return []
    return [
        Arrival("rent", f"rent-{claim.mover}-{claim.deed}-{claim.turn}", button)
        for button, claim in claims_of(game, view.by)
    ]


def _box_note(view: SeatView, request: JoinRequest) -> str:
    """Return a note if the box is too small for one more player; empty otherwise."""
    box = box_text(panel().table.game(view.table.game_id))
    if not box or request.wish is not Wish.JOIN:
        return ""
    return say("{box} Let in all the same?", box=box)


def _offers(view: SeatView) -> tuple[OfferView, ...]:
    """Return the trade offers that this seat may see; none while nobody leads."""
    game = panel().table.game(view.table.game_id)
    if view.seat is None or game.play is None or not game.play.offers:
        return ()
    return offers_for(game, panel().editions(view.table.edition).groups, view.by)
