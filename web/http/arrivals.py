"""The requests of other players that wait for an answer on this phone.

An *arrival* is one such request: money or a card laid on the table, a rent to claim, a
request for money, a wish to undo a step, a trade offer, or a phone that asks the banker
for a seat. A page shows its first arrival as a banner (``templates/parts/banner.html``)
and the number of the others.
"""

from __future__ import annotations

from collections.abc import Iterable
from zlib import crc32

import msgspec

from companion.store.phones import JoinRequest, Wish
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
        kind: The name of the macro that draws the banner: ``laid``, ``rent``, ``ask``,
            ``undo``, ``offer`` or ``door`` (a phone asks for a seat).
        key: A text that no other arrival has, so that a page notices when another
            takes this one's place.
        asked: The request itself, which is the macro's argument.
        note: A sentence to consider before answering; usually empty.
    """

    kind: str
    key: str
    asked: object
    note: str = ""


def arrivals(view: SeatView, waiting: Iterable[JoinRequest]) -> list[Arrival]:
    """List the arrivals of the phone that *view* is for, the most urgent first.

    The more players a request holds up, the more urgent it is.

    Args:
        view: The game as that phone sees it.
        waiting: The phones that ask the banker for a seat.
    """
    asks = [
        Arrival("ask", f"ask-{ask.number}", ask)
        for ask in view.asks
        if ask.can_answer and ask.payer in (view.by, *COMMON_NAMES)
    ]
    offers = [
        Arrival("offer", offer.key, offer)
        for offer in _list_offers(view)
        if offer.can_reject
    ]
    seat_requests = [
        Arrival("door", f"door-{wish.request}", wish, _write_box_note(view, wish))
        for wish in waiting
    ]
    return [
        *_list_laid(view),
        *_list_rents(view),
        *asks,
        *_list_undo(view),
        *offers,
        *seat_requests,
    ]


def _list_undo(view: SeatView) -> list[Arrival]:
    """List the question whether to undo a step, if this phone is to answer it."""
    question = question_here(view)
    if question is None or not question.can_answer:
        return []
    return [Arrival("undo", f"undo-{crc32(repr(question).encode())}", question)]


def _list_laid(view: SeatView) -> list[Arrival]:
    """List the money or card on the table, if this seat may act on it."""
    game = panel().table.game(view.table.game_id)
    if view.seat is None or laid_of(game) is None:
        return []
    turn = turn_of(game, view.by)
    on_table = turn.on_table
    if on_table is None:
        return []
    is_inspector = on_table.laid.inspector == view.by
    if on_table.handing or on_table.looking or is_inspector:
        return [Arrival("laid", on_table.laid.key, turn)]
    return []


def _list_rents(view: SeatView) -> list[Arrival]:
    """List the rents that this seat can claim; each lapses at a later roll."""
    game = panel().table.game(view.table.game_id)
    if view.seat is None or game.play is None or not game.play.claims:
        return []
    return [
        Arrival("rent", f"rent-{claim.mover}-{claim.deed}-{claim.turn}", button)
        for button, claim in claims_of(game, view.by)
    ]


def _write_box_note(view: SeatView, wish: JoinRequest) -> str:
    """Write a note if the box is too small for one more player."""
    box = box_text(panel().table.game(view.table.game_id))
    if not box or wish.wish is not Wish.JOIN:
        return ""
    return say("{box} Let in all the same?", box=box)


def _list_offers(view: SeatView) -> tuple[OfferView, ...]:
    """List the trade offers that this seat may see."""
    game = panel().table.game(view.table.game_id)
    if view.seat is None or game.play is None or not game.play.offers:
        return ()
    return offers_for(game, panel().editions(view.table.edition).groups, view.by)
