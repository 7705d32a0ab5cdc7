"""The tabs at the top of a game's pages: the main pages, and *More* for all others.

Which tabs a phone has depends on its seat, on who keeps the bank, and on whether the
companion leads the game or is only its bank.
"""

from __future__ import annotations

import msgspec

from companion.views.table import SeatView
from companion.words import say

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
    base = f"/g/{view.table.game_id}/"
    sign, word = ("play", say("Play")) if is_guided else ("seat", say("Seat"))
    seat = Tab("seat", sign, base, word, is_awaited=is_guided and is_awaited)
    has_seat = view.seat is not None
    has_bank_tab = view.is_banker and (not is_guided or not has_seat)
    has_deeds = is_guided and bool(view.by)
    candidates = (  # Whether it is shown, and the tab; from left to right.
        (has_seat, seat),
        (has_bank_tab, Tab("bank", "bank", f"{base}bank", say("Bank"), to_answer)),
        (has_deeds, Tab("deeds", "deeds", f"{base}deeds", say("Deeds"))),
        (has_deeds and has_seat, Tab("trade", "trade", f"{base}trade", say("Trade"))),
        (is_guided, Tab("board", "board", f"{base}board", say("Board"))),
        (has_vault and not is_guided, Tab("vault", "vault", "/vault", say("Vault"))),
        (has_decoder and not is_guided, Tab("real", "real", "/decoder", say("Real?"))),
    )
    shown = tuple(tab for is_shown, tab in candidates if is_shown)
    # A banker without a tab for the bank finds the bank's page behind More.
    waiting = to_answer if view.is_banker and not has_bank_tab else 0
    return Tabs((*shown, Tab(MORE, MORE, base + MORE, say("More"), waiting)))
