"""The tabs at the top of a game's pages: the main pages, and *More* for all others.

Which tabs a phone has depends on its seat, on who keeps the bank, and on whether the
companion leads the game or is only its bank.
"""

from __future__ import annotations

import msgspec
from flask import request

from companion.views.history import COMMON_NAMES
from companion.views.table import SeatView
from companion.views.turn import turn_of
from companion.words import say
from web.http.address import is_in_catalogue
from web.http.auth import acts_as, caller
from web.http.may import speaks_as
from web.http.panel import panel

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
