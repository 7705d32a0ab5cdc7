"""Money that lies on the table to be looked at, or a card about to be used.

Where notes and cards may be fake, a payment lies on the table before it is handed over,
and other seats may spend a decoder chip to look at it. This view tells everybody whose
it is, what it is for, who may look, and why the others may not.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Mapping
from zlib import crc32

import msgspec

from companion.errors import Refused
from companion.game import Game
from companion.game import moves as m
from companion.game.ledger import Reason
from companion.game.position import (
    BUILD,
    BUY,
    DEAL,
    DEBT,
    LEAVE_JAIL,
    LIFT,
    LOT,
    Payment,
    Position,
)
from companion.rules import refusal
from companion.units import Dollars, DurationMs
from companion.views.refusals import sentence
from companion.views.turn_buttons import Look
from companion.views.turn_words import LYING
from companion.views.wording import Names
from companion.words import Words, say, say_count
from companion.words.common import common


class Chips(msgspec.Struct, frozen=True):
    """The decoder chips of a seat: the number of green ones, and of all."""

    ready: int
    count: int

    @property
    def spent(self) -> int:
        """The number of red chips."""
        return self.count - self.ready

    @property
    def words(self) -> str:
        """The number of green chips, in words."""
        if not self.ready:
            return say("no green chip")
        return say_count(self.ready, "{count} green chip", "{count} green chips")


class Gaze(enum.StrEnum):
    """What a seat does, or may do, about what lies on the table."""

    SHOWS = "shows"  # This seat laid it there.
    LOOKS = "looks"
    MAY = "may"
    MAY_NOT = "may-not"  # The rules say why.
    WAITS = "waits"  # Another seat looks already.


GAZE_WORDS: dict[Gaze, Words] = {
    Gaze.SHOWS: say("lays it down"),
    Gaze.LOOKS: say("looks"),
    Gaze.MAY: say("may look"),
    Gaze.WAITS: say("waits"),
}
"""The gaze of another seat in words; the rules word that of one that may not look."""


class Watcher(msgspec.Struct, frozen=True):
    """A seat that plays, beside what lies on the table.

    Attributes:
        refused: The refusal, if the rules do not let it look.
    """

    seat: str
    gaze: Gaze
    refused: Refused | None = None

    @property
    def words(self) -> str:
        """What it does, or why it may not look, in words."""
        return self.refused.message if self.refused else GAZE_WORDS[self.gaze]


class Laid(msgspec.Struct, frozen=True, kw_only=True):
    """What lies on the table.

    Attributes:
        key: An id that differs for each payment or card, and for each look at it.
        shower: The seat that laid it there.
        payee: The account that is to get the money; empty for a card.
        amount: The money in dollars; 0 for a card.
        card: What the card does, in words; empty for money.
        target: The seat, or the name of the deed, on which the card is used; mostly
            empty.
        what: The purpose of the money, as a sentence.
        inspector: The seat that looks; empty as long as none does.
        later: The number of further payments that follow.
        watchers: Everybody who plays, in the order of play.
    """

    key: str
    shower: str
    payee: str = ""
    amount: Dollars = 0
    card: str = ""
    target: str = ""
    what: str = ""
    inspector: str = ""
    later: int = 0
    watchers: tuple[Watcher, ...] = ()

    def gaze(self, seat: str) -> Gaze | None:
        """Return what *seat* does about it; ``None`` if it does not play."""
        return next((x.gaze for x in self.watchers if x.seat == seat), None)

    def words(self, seat: str) -> str:
        """Say what *seat* does, or why it may not look; empty if it does not play."""
        return next((x.words for x in self.watchers if x.seat == seat), "")

    def why_not(self, seat: str) -> str:
        """Say why *seat* may not look; empty if it may, or already looks or waits."""
        refused = next((x.refused for x in self.watchers if x.seat == seat), None)
        return sentence(refused.message, refused.remedy) if refused else ""


def chips_of(game: Game) -> dict[str, Chips]:
    """Return the decoder chips of each seat that plays; empty if the box has none."""
    play, board = game.play, game.board
    decoder = board.rules.decoder if board is not None else None
    if play is None or decoder is None or not game.is_guided:
        return {}
    return {
        str(token.seat): Chips(token.chips, decoder.chips)
        for token in play.tokens
        if not token.is_out
    }


def laid_by(game: Game) -> dict[str, Dollars]:
    """Return how many dollars each seat has laid on the table; only seats with any."""
    if game.play is None or not game.is_guided:
        return {}
    payers = dict.fromkeys(str(payment.payer) for payment in game.play.payments)
    return {payer: game.play.laid_by(payer) for payer in payers}


def laid_of(game: Game) -> Laid | None:
    """Return what lies on the table of *game*; ``None`` if nothing does."""
    play = game.play
    if play is None or not game.is_guided or play.stage not in LYING:
        return None
    look = Look(game, "")
    watchers = tuple(_watcher(game, play, x) for x in play.playing())
    if play.card_use is not None:
        use = play.card_use
        return Laid(
            key=_key(play),
            shower=use.seat,
            card=look.card(use.card),
            target=use.target if game.seat(use.target) else look.name(use.target),
            inspector=play.inspector,
            watchers=watchers,
        )
    first, *others = play.payments
    return Laid(
        key=_key(play),
        shower=first.payer,
        payee=first.payee,
        amount=first.amount,
        what=what_for(look, first),
        inspector=play.inspector,
        later=len(others),
        watchers=watchers,
    )


def _key(play: Position) -> str:
    chips = tuple(token.chips for token in play.tokens)
    shown = (play.payments, play.card_use, play.inspector, chips)
    return f"laid-{crc32(repr(shown).encode())}"


def _watcher(game: Game, play: Position, seat: str) -> Watcher:
    if seat == play.showing:
        return Watcher(seat, Gaze.SHOWS)
    if play.inspector:
        return Watcher(seat, Gaze.LOOKS if seat == play.inspector else Gaze.WAITS)
    refused = refusal(game, m.Inspect(by=seat))
    return Watcher(seat, Gaze.MAY_NOT if refused else Gaze.MAY, refused)


SECOND_MS = 1_000
MOMENT_MS = 100
"""A shorter delay between two taps is told as "less than"."""


def second_of(later_ms: Mapping[str, DurationMs], names: Names, me: str) -> str:
    """Say who came second to be the inspector, and how much later.

    Args:
        later_ms: By seat: how much later its tap was received.
        names: What everybody is called.
        me: The seat of the reader; empty for the table's screen.

    Returns:
        A sentence without a full stop; empty if nobody came second.
    """
    if not later_ms:
        return ""
    seat = min(later_ms, key=later_ms.__getitem__)
    whole, rest = divmod(later_ms[seat], SECOND_MS)
    time = say("{whole}.{tenth} s", whole=whole, tenth=rest // MOMENT_MS)
    if later_ms[seat] < MOMENT_MS:
        time = say("less than 0.1 s")
    if seat == me:
        return say("You were {time} later", time=time)
    return say("{who} was {time} later", who=names.get(seat, seat), time=time)


# The purpose of a payment.


def what_for(look: Look, payment: Payment) -> str:
    """Say what *payment* is for, without a full stop; empty if that is not known."""
    write = PURPOSES.get(payment.purpose) or REASONS.get(payment.reason)
    return write(look, payment) if write else ""


def _lot(look: Look, payment: Payment) -> str:
    if payment.of in look.board.index:
        return say("The highest bid for {lot}", lot=look.name(payment.of))
    return say("The highest bid for the bank's last {piece}", piece=common(payment.of))


def _deed(look: Look, payment: Payment) -> str:
    return look.name(payment.of)


def _payee(look: Look, payment: Payment) -> str:
    return look.name(payment.payee)


Write = Callable[[Look, Payment], str]

PURPOSES: dict[str, Write] = {
    BUY: lambda *about: say("To buy {deed}", deed=_deed(*about)),
    LOT: _lot,
    BUILD: lambda *about: say("To build on {deed}", deed=_deed(*about)),
    LIFT: lambda *about: say("To lift the mortgage of {deed}", deed=_deed(*about)),
    LEAVE_JAIL: lambda *_: say("To leave jail"),
    DEBT: lambda *about: say("An old debt to {who}", who=_payee(*about)),
    DEAL: lambda *about: say("For a trade with {who}", who=_payee(*about)),
}
"""The words for a payment that completes a purchase, a trade and so on."""

REASONS: dict[Reason, Write] = {
    Reason.RENT: lambda *about: say("Rent for {who}", who=_payee(*about)),
    Reason.CARD: lambda *about: say("A card says so: for {who}", who=_payee(*about)),
    Reason.FINE: lambda *_: say("To leave jail"),
    Reason.TAX: lambda *_: say("A tax"),
    Reason.PURCHASE: lambda *_: say("The highest bid"),
}
"""The words for a payment that is simply owed."""
