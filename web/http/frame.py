"""The frame of a game's pages: its tabs, requests that wait, and the undo button.

The *tabs* lead to the main pages, and *More* to all others. Which tabs a phone has
depends on its seat, on who keeps the bank, and on whether the companion leads the game
or is only its bank.

An *arrival* is a request of another player that waits for an answer on this phone:
money or a card laid on the table, a rent to claim, a request for money, a wish to undo
a step, a trade offer, or a phone that asks the banker for a seat. A *reply* to what
this phone's seat has asked of others takes the place of what it asked, above the page
(``templates/parts/asked.html``), until the seat has looked at it. A page shows its
first arrival as a banner (``parts/banner.html``), and how many more wait; the reply to
what has no such place, a check or a knock at the door, is one, too.

Which replies a seat has looked at is kept in its list of ticks. A phone that may not
undo the latest step itself can ask the other players to agree.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from zlib import crc32

import msgspec
from flask import request

from companion.store.phones import JoinRequest, Wish
from companion.store.ticks import LOOKED
from companion.table.seating import LET_IN, SENT_AWAY
from companion.units import Revision
from companion.views.book import result_of
from companion.views.history import COMMON_NAMES
from companion.views.laid import laid_of
from companion.views.replies import (
    ReplyView,
    Request,
    ask_made_by,
    offered_by,
    replies_to,
    reply_view,
    requests_of,
)
from companion.views.table import AskRow, SeatView, box_text, names_in
from companion.views.trade import OfferView, offers_for
from companion.views.turn import claims_of, turn_of
from companion.views.undoing import join_names, undo_offer, undo_question
from companion.words import capital, say
from web.http.address import is_in_catalogue
from web.http.auth import acts_as, caller
from web.http.may import speaks_as
from web.http.panel import panel


class Arrival(msgspec.Struct, frozen=True):
    """A request of another player that waits for this phone's answer.

    Attributes:
        kind: The name of the macro that draws the banner: ``laid``, ``rent``, ``ask``,
            ``undo``, ``offer``, ``door`` (a phone asks for a seat) or ``reply``.
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
    asks = [Arrival("ask", f"ask-{ask.number}", ask) for ask in _list_asks(view)]
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
        *(
            Arrival("reply", f"reply-{reply.key}", reply)
            for reply in _list_replies(view)
            if not reply.place
        ),
    ]


def _list_asks(view: SeatView) -> list[AskRow]:
    """List the requests for money that this phone is to answer."""
    payers = (view.by, *COMMON_NAMES)
    return [ask for ask in view.asks if ask.can_answer and ask.payer in payers]


def _list_undo(view: SeatView) -> list[Arrival]:
    """List the question whether to undo a step, if this phone is to answer it."""
    game = panel().table.game(view.table.game_id)
    if game.undo_ask is None or not view.by:
        return []
    oldest = _sentence_of(view, game.undo_ask.revision)
    question = undo_question(game, view.by, names_in(view.table), oldest)
    if question is None:
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


# Replies, and what they answer.


def looked_list(seat: str) -> str:
    """Return the id of the list of ticks with the replies that *seat* has looked at."""
    return f"{LOOKED}{seat}"


def _looked_at(view: SeatView) -> frozenset[str]:
    """Return the keys of the replies that this phone's seat has looked at."""
    table, game_id = panel().table, view.table.game_id
    if not replies_to(table.game(game_id), view.by):
        return frozenset()
    return table.ticks.done(game_id, looked_list(view.by))


AT_THE_DOOR = "door"
"""The key of the banker's reply to a phone that has asked for a seat."""

DOOR_WORDS = {
    LET_IN: say("The banker let you in"),
    SENT_AWAY: say("The banker said no: you have no seat yet"),
}
"""What the banker has replied at the door."""


def _list_replies(view: SeatView) -> list[ReplyView]:
    """List the replies that this phone or its seat has not looked at."""
    game_id, phone = view.table.game_id, caller().phone
    game = panel().table.game(game_id)
    groups = panel().editions(view.table.edition).groups
    answered = panel().seating.answered(game_id, phone) if phone else ""
    at_door = (DOOR_WORDS[answered],) if answered else ()
    return [
        *(ReplyView("", AT_THE_DOOR, words) for words in at_door),
        *(
            reply_view(game, groups, reply)
            for reply in replies_to(game, view.by, _looked_at(view))
        ),
    ]


def requests_here(view: SeatView) -> list[Request | ReplyView]:
    """List what this phone's seat has asked of others, or the reply in its place."""
    game = panel().table.game(view.table.game_id)
    open_now = requests_of(game, view.by, partial(_sentence_of, view))
    replies = [reply for reply in _list_replies(view) if reply.place]
    return sorted([*replies, *open_now], key=lambda one: one.place)


class UndoButton(msgspec.Struct, frozen=True):
    """The button that undoes the latest step, or asks other players to agree to that.

    Attributes:
        verb: The last word of the form's address; empty if others have said no.
        words: The text of the button, which names the step, or says who said no.
        fields: The hidden fields of the form.
        short: The button's text where the step is named beside it for a while; empty
            for a request for money, which others answer meanwhile, and for an answer
            that this seat has been told.
        revision: The revision of the entry to undo.
    """

    verb: str
    words: str
    fields: dict[str, str]
    short: str
    revision: Revision


def undo_button(view: SeatView) -> UndoButton | None:
    """Build the undo button; ``None`` if this phone may neither undo nor ask.

    Nor is there one for what stands at the top of the page: what this seat has asked
    for, what it is to answer, and an answer that it has not looked at.
    """
    game = panel().table.game(view.table.game_id)
    latest, may_undo = game.undo_next, view.may("Undo")
    if latest is None or not (may_undo or view.may("UndoTo")) or _list_undo(view):
        return None
    asked = None
    if game.asks or (game.play is not None and game.play.offers):
        events = panel().table.entries(view.table.game_id, latest - 1)[0].events
        asked = ask_made_by(game, events)
        if view.by in offered_by(events):
            return None
    to_answer = [ask.number for ask in _list_asks(view)]
    if asked is not None and (asked.seat == view.by or asked.number in to_answer):
        return None
    answers = [reply.key for reply in replies_to(game, view.by) if reply.tells(latest)]
    if not _looked_at(view).issuperset(answers):
        return None
    has_bar = asked is None and not answers
    step = _sentence_of(view, latest)
    if may_undo:
        words = say("Undo: {what}", what=step)
        short = say("Undo") if has_bar else ""
        return UndoButton("undo", words, {}, short, latest)
    offer = undo_offer(game, view.by, names_in(view.table), count=1)
    ask = game.undo_ask
    if offer is None and ask is not None and ask.declined_by:
        who = join_names(game, (ask.declined_by,), names_in(view.table))
        no = capital(say("{who} said no: it stays", who=who))
        return UndoButton("", no, {}, "", latest)
    if offer is None:
        return None  # Another request is open.
    words = say("Ask {who} to undo: {what}", who=offer.asked, what=step)
    fields = {"revision": str(latest)}
    short = say("Ask to undo") if has_bar else ""
    return UndoButton("undo-to", words, fields, short, latest)


def _sentence_of(view: SeatView, revision: Revision) -> str:
    """Return the history's first sentence about the entry of *revision*, if any."""
    table, game_id = panel().table, view.table.game_id
    shown_lines = (line for line in view.table.lines if line.revision == revision)
    line = next(shown_lines, None)
    if line is None:  # An older line may have to be read from the disk.
        (line,) = result_of(
            table.game(game_id),
            ("history", revision),
            lambda: table.history(game_id, revision + 1, 1),
        )
    return line.sentences[0] if line.sentences else ""


MORE = "more"
"""The page behind the last tab, and that tab's sign."""


class Tab(msgspec.Struct, frozen=True):
    """A link to one of a game's pages.

    Attributes:
        page: The name of the page.
        sign: The id of the tab's picture in ``tabs.svg``.
        address: The address of the page.
        words: The word below the picture.
        waiting: How many requests on that page wait for this phone's answer.
        is_awaited: Whether the game waits there for this phone's seat.
    """

    page: str
    sign: str
    address: str
    words: str
    waiting: int = 0
    is_awaited: bool = False


class Tabs(msgspec.Struct, frozen=True):
    """The tabs of one phone in one game."""

    row: tuple[Tab, ...] = ()

    def has(self, page: str) -> bool:
        """Tell whether one of the tabs leads to that page."""
        return any(tab.page == page for tab in self.row)

    @property
    def waiting(self) -> int:
        """How many requests wait for this phone, behind all tabs together."""
        return sum(tab.waiting for tab in self.row)

    def mark(self, tab: Tab, here: str) -> str:
        """Return the value of ``aria-current`` for *tab* on the page *here*, or empty.

        A page without a tab of its own belongs to *More*; an empty *here* is a page
        outside the game, which belongs to no tab.
        """
        if tab.page == here:
            return "page"
        is_behind_more = bool(here) and not self.has(here)
        return "true" if tab.page == MORE and is_behind_more else ""


def tabs_of_game(view: SeatView) -> Tabs:
    """Build the tabs of a game's pages, for the phone that *view* is for."""
    game_id = view.table.game_id
    game = panel().table.game(game_id)
    # Requests to accounts that are no seat are for the banker to answer.
    asks = [ask for ask in view.asks if ask.can_answer and ask.payer in COMMON_NAMES]
    to_answer = len(panel().seating.waiting(game_id, view.by)) + len(asks)
    is_awaited = game.is_guided and turn_of(game, view.by).is_mine
    has_vault = panel().vault is not None and view.table.has_vault and game.has_begun
    has_decoder = panel().decoder is not None and game.has_begun
    base = f"/g/{game_id}/"
    sign, word = ("play", say("Play")) if game.is_guided else ("seat", say("Seat"))
    seat = Tab("seat", sign, base, word, is_awaited=is_awaited)
    has_seat, is_by_hand = view.seat is not None, not game.is_guided
    has_bank_tab = view.is_banker and (is_by_hand or not has_seat)
    has_deeds = game.is_guided and bool(view.by)
    candidates = (  # Whether it is shown, and the tab; from left to right.
        (has_seat, seat),
        (has_bank_tab, Tab("bank", "bank", f"{base}bank", say("Bank"), to_answer)),
        (has_deeds, Tab("deeds", "deeds", f"{base}deeds", say("Deeds"))),
        (has_deeds and has_seat, Tab("trade", "trade", f"{base}trade", say("Trade"))),
        (game.is_guided, Tab("board", "board", f"{base}board", say("Board"))),
        (has_vault and is_by_hand, Tab("vault", "vault", "/vault", say("Vault"))),
        (has_decoder and is_by_hand, Tab("real", "real", "/decoder", say("Real?"))),
    )
    shown = tuple(tab for is_shown, tab in candidates if is_shown)
    # A banker without a tab for the bank finds the bank's page behind More.
    waiting = to_answer if view.is_banker and not has_bank_tab else 0
    return Tabs((*shown, Tab(MORE, MORE, base + MORE, say("More"), waiting)))


def tabs_here() -> Tabs:
    """Build the tabs for a page outside a game: those of a game this phone plays in.

    Of several games, the one that ``?game=`` names is preferred, then the one on the
    table. A phone that plays in none gets no tabs.
    """
    if caller().phone is None:
        return Tabs()
    table = panel().table
    open_ids = [game.game_id for game in table.games() if not game.is_closed]
    preferred = (request.args.get("game"), table.current())
    # False sorts before true: the preferred games come first.
    open_ids.sort(key=lambda game_id: [game_id != wish for wish in preferred])
    for game_id in open_ids:
        if table.is_damaged(game_id) or not acts_as(game_id):
            continue
        if is_in_catalogue(table.game(game_id).terms.edition):
            return tabs_of_game(table.seat_view(game_id, speaks_as(game_id)))
    return Tabs()
