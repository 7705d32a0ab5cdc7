"""The tabs at the top of a game's pages: the main pages, and *More* for all others."""

from __future__ import annotations

import msgspec

from companion.views.table import SeatView
from companion.words import say

MORE = "more"
"""The page and the sign of the last tab."""


class Tab(msgspec.Struct, frozen=True):
    """A link to one of a game's pages.

    Attributes:
        page: The name of its page.
        sign: The id of its picture in ``tabs.svg``.
        address: The address of its page.
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

        A page without a tab of its own belongs to *More*.
        """
        if tab.page == here:
            return "page"
        return "true" if here and tab.page == MORE and not self.has(here) else ""


def tabs_of(
    view: SeatView,
    *,
    is_guided: bool,
    has_vault: bool,
    has_decoder: bool,
    to_answer: int = 0,
    is_awaited: bool = False,
) -> Tabs:
    """Choose the tabs of the phone that *view* is for.

    Args:
        view: The game as that phone may see it; it may be a guest's.
        is_guided: Whether the companion leads the game.
        has_vault: Whether the table has a vault that takes part in this game.
        has_decoder: Whether the table has a decoder for notes.
        to_answer: How many requests wait for the banker.
        is_awaited: Whether the game waits for this phone's seat.
    """
    game = f"/g/{view.table.game_id}/"
    sign, word = ("play", say("Play")) if is_guided else ("seat", say("Seat"))
    seat = Tab("seat", sign, game, word, is_awaited=is_guided and is_awaited)
    keeps_bank = view.is_banker and (not is_guided or view.seat is None)
    leads, has_seat = is_guided and bool(view.by), view.seat is not None
    candidates = (
        (has_seat, seat),
        (keeps_bank, Tab("bank", "bank", f"{game}bank", say("Bank"), to_answer)),
        (leads, Tab("deeds", "deeds", f"{game}deeds", say("Deeds"))),
        (leads and has_seat, Tab("trade", "trade", f"{game}trade", say("Trade"))),
        (is_guided, Tab("board", "board", f"{game}board", say("Board"))),
        (has_vault and not is_guided, Tab("vault", "vault", "/vault", say("Vault"))),
        (has_decoder and not is_guided, Tab("real", "real", "/decoder", say("Real?"))),
    )
    shown = tuple(tab for is_shown, tab in candidates if is_shown)
    # A banker without a tab for the bank finds it in More.
    waiting = to_answer if view.is_banker and not keeps_bank else 0
    return Tabs((*shown, Tab(MORE, MORE, game + MORE, say("More"), waiting)))
