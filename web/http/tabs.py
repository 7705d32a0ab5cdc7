"""The tabs at the top of a game's pages: five at most, and everything else in More."""

from __future__ import annotations

import msgspec

from companion.views.table import SeatView
from companion.words import say

MORE = "more"


class Tab(msgspec.Struct, frozen=True):
    """A link to one of a game's pages.

    Attributes:
        page: The name of its page.
        sign: Its picture in ``tabs.svg``.
        address: Where it leads.
        words: The word below the picture.
        waiting: How many requests wait behind it for this phone.
        is_awaited: The game waits there for this phone's seat.
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
        """Whether one of them leads to that page."""
        return any(tab.page == page for tab in self.row)

    @property
    def waiting(self) -> int:
        """How many requests wait for this phone, behind whichever tab."""
        return sum(tab.waiting for tab in self.row)

    def mark(self, tab: Tab, here: str) -> str:
        """What ``aria-current`` says of *tab* on the page *here*; perhaps nothing.

        A page without a tab of its own was found behind More.
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
    """The tabs of the phone that *view* is for.

    Args:
        view: The game as that phone may see it, a guest's phone included.
        is_guided: Whether the companion leads.
        has_vault: A vault stands on the table and plays a part in this game.
        has_decoder: The table can look at notes.
        to_answer: Requests that wait for the banker.
        is_awaited: The game waits for this phone's seat.
    """
    game = f"/g/{view.table.game_id}/"
    sign, word = ("play", say("Play")) if is_guided else ("seat", say("Seat"))
    seat = Tab("seat", sign, game, word, is_awaited=is_guided and is_awaited)
    keeps_bank = view.is_banker and (not is_guided or view.seat is None)
    leads, has_seat = is_guided and bool(view.by), view.seat is not None
    chosen = (
        (has_seat, seat),
        (keeps_bank, Tab("bank", "bank", f"{game}bank", say("Bank"), to_answer)),
        (leads, Tab("deeds", "deeds", f"{game}deeds", say("Deeds"))),
        (leads and has_seat, Tab("trade", "trade", f"{game}trade", say("Trade"))),
        (is_guided, Tab("board", "board", f"{game}board", say("Board"))),
        (has_vault and not is_guided, Tab("vault", "vault", "/vault", say("Vault"))),
        (has_decoder and not is_guided, Tab("real", "real", "/decoder", say("Real?"))),
    )
    shown = tuple(tab for is_shown, tab in chosen if is_shown)
    behind = to_answer if view.is_banker and not keeps_bank else 0
    return Tabs((*shown, Tab(MORE, MORE, game + MORE, say("More"), behind)))
