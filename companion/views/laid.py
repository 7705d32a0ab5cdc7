"""Money or a card that lies on the table, and who may check whether it is fake.

Where notes and cards may be fake, a seat lays its payment, or a card that it uses, on
the table first; it is the *shower*. Another seat may become the *inspector*: it spends
a green *decoder chip*, which turns red, and looks through the decoder. After that the
money is handed over, or the card is used.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Mapping
from typing import Final
from zlib import crc32

import msgspec

from companion.errors import Refused, Why
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
from companion.game.stage import LAID_STAGES
from companion.rules import refusal
from companion.units import Dollars, DurationMs
from companion.views.refusals import sentence
from companion.views.turn_buttons import Look
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
        """The green chips in words."""
        if not self.ready:
            return say("no green chip")
        return say_count(self.ready, "{count} green chip", "{count} green chips")


class Role(enum.StrEnum):
    """The part that a seat has while something lies on the table."""

    SHOWS = "shows"  # It is the shower.
    LOOKS = "looks"  # It is the inspector.
    MAY = "may"  # It may become the inspector.
    MAY_NOT = "may-not"  # The rules refuse to let it look.
    WAITS = "waits"  # Another seat is the inspector.


ROLE_WORDS: dict[Role, Words] = {
    Role.SHOWS: say("lays it down"),
    Role.LOOKS: say("looks"),
    Role.MAY: say("may look"),
    Role.WAITS: say("waits"),
}
"""Each role in words; ``MAY_NOT`` is told by the refusal instead."""

IN_JAIL: Final = say("in jail")
"""Told in place of that rule's sentence, which is too long for a row."""


class SeatRole(msgspec.Struct, frozen=True):
    """A seat that is in the game, and its role while something lies on the table.

    Attributes:
        gaze: The role.
        refused: Why the rules do not let the seat look; ``None`` unless ``MAY_NOT``.
    """

    seat: str
    gaze: Role
    refused: Refused | None = None

    @property
    def words(self) -> str:
        """The role in words; for a seat that may not look, the reason."""
        if self.refused is None:
            return ROLE_WORDS[self.gaze]
        return IN_JAIL if self.refused.why is Why.IN_JAIL else self.refused.message


class Laid(msgspec.Struct, frozen=True, kw_only=True):
    """What lies on the table.

    Attributes:
        key: An id that differs for each payment or card, and for each look at it.
        shower: The seat that laid it there.
        payee: The account that will get the money; empty for a card.
        amount: The money in dollars; 0 for a card.
        card: What the card does, in words; empty for money.
        target: The id of the seat, or the name of the deed, on which the card is used;
            may be empty.
        what: What the money is for, or against whom the card is; may be empty.
        inspector: The seat that looks; empty as long as nobody does.
        later: The number of payments that follow this one.
        watchers: The seats in the game with their roles, in the order of play.
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
    watchers: tuple[SeatRole, ...] = ()

    def _watcher(self, seat: str) -> SeatRole | None:
        return next((role for role in self.watchers if role.seat == seat), None)

    def gaze(self, seat: str) -> Role | None:
        """Return the role of *seat*; ``None`` if it is not in the game."""
        watcher = self._watcher(seat)
        return watcher.gaze if watcher else None

    def words(self, seat: str) -> str:
        """Say what *seat* does, or why it may not look; empty if not in the game."""
        watcher = self._watcher(seat)
        return watcher.words if watcher else ""

    def why_not(self, seat: str) -> str:
        """Say in whole sentences why *seat* may not look; empty unless refused."""
        watcher = self._watcher(seat)
        if watcher is None or watcher.refused is None:
            return ""
        return sentence(watcher.refused.message, watcher.refused.remedy)


def chips_of(game: Game) -> dict[str, Chips]:
    """Return the chips of each seat that plays; empty if the edition has none."""
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
    """Return the dollars on the table, by the seat that laid them there."""
    if game.play is None or not game.is_guided:
        return {}
    payers = dict.fromkeys(str(payment.payer) for payment in game.play.payments)
    return {payer: game.play.laid_by(payer) for payer in payers}


def laid_of(game: Game) -> Laid | None:
    """Return what lies on the table of *game*; ``None`` if nothing does."""
    play = game.play
    if play is None or not game.is_guided or play.stage not in LAID_STAGES:
        return None
    look = Look(game, "")
    watchers = tuple(_seat_role(game, play, seat) for seat in play.playing())
    if play.card_use is not None:
        use = play.card_use
        victim = game.seat(use.target)
        return Laid(
            key=_key(play),
            shower=use.seat,
            card=look.card(use.card),
            target=use.target if victim else look.name(use.target),
            what=say("Against {who}", who=victim.name) if victim else "",
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
    """Return the id of what lies there, a checksum.

    Each look spends a chip, so the seats' chips tell one look from the next.
    """
    chips = tuple(token.chips for token in play.tokens)
    features = (play.payments, play.card_use, play.inspector, chips)
    return f"laid-{crc32(repr(features).encode())}"


def _seat_role(game: Game, play: Position, seat: str) -> SeatRole:
    """Return *seat* with its role; until somebody looks, the rules say who may."""
    if seat == play.showing:
        return SeatRole(seat, Role.SHOWS)
    if play.inspector:
        return SeatRole(seat, Role.LOOKS if seat == play.inspector else Role.WAITS)
    reason = refusal(game, m.Inspect(by=seat))
    return SeatRole(seat, Role.MAY_NOT if reason else Role.MAY, reason)


SECOND_MS = 1_000

TENTH_MS = 100
"""A tenth of a second: the smallest delay that is shown exactly."""


def late_tap_text(later_ms: Mapping[str, DurationMs], names: Names, me: str) -> str:
    """Say who tapped second to become the inspector, and how much later.

    Args:
        later_ms: How much later than the first tap each other tap came, by seat.
        names: What everybody is called.
        me: The seat of the reader; empty for the table's screen.

    Returns:
        No full stop at the end; empty if nobody else tapped.
    """
    if not later_ms:
        return ""
    seat = min(later_ms, key=later_ms.__getitem__)
    seconds, rest_ms = divmod(later_ms[seat], SECOND_MS)
    time = say("{whole}.{tenth} s", whole=seconds, tenth=rest_ms // TENTH_MS)
    if later_ms[seat] < TENTH_MS:
        time = say("less than 0.1 s")
    if seat == me:
        return say("You were {time} later", time=time)
    return say("{who} was {time} later", who=names.get(seat, seat), time=time)


# The purpose of a payment.


def what_for(look: Look, payment: Payment) -> str:
    """Say what *payment* is for, without a full stop; empty if unknown."""
    write = PURPOSES.get(payment.purpose) or REASONS.get(payment.reason)
    return write(look, payment) if write else ""


def _purpose_of_bid(look: Look, payment: Payment) -> str:
    if payment.of in look.board.index:
        return say("The highest bid for {lot}", lot=look.name(payment.of))
    return say("The highest bid for the bank's last {piece}", piece=common(payment.of))


Write = Callable[[Look, Payment], str]
PURPOSES: dict[str, Write] = {
    BUY: lambda look, payment: say("To buy {deed}", deed=look.name(payment.of)),
    LOT: _purpose_of_bid,
    BUILD: lambda look, payment: say("To build on {deed}", deed=look.name(payment.of)),
    LIFT: lambda look, payment: say(
        "To lift the mortgage of {deed}", deed=look.name(payment.of)
    ),
    LEAVE_JAIL: lambda *_: say("To leave jail"),
    DEBT: lambda look, payment: say(
        "An old debt to {who}", who=look.name(payment.payee)
    ),
    DEAL: lambda look, payment: say(
        "For a trade with {who}", who=look.name(payment.payee)
    ),
}
"""The words for a payment that completes a move, by its purpose."""

REASONS: dict[Reason, Write] = {
    Reason.RENT: lambda look, payment: say(
        "Rent for {who}", who=look.name(payment.payee)
    ),
    Reason.CARD: lambda look, payment: say(
        "A card says so: for {who}", who=look.name(payment.payee)
    ),
    Reason.FINE: lambda *_: say("To leave jail"),
    Reason.TAX: lambda *_: say("A tax"),
}
"""The words for a payment that is owed, by its reason in the ledger."""
