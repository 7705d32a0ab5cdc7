"""The project's errors, one class for each cause: a seat, a caller, data or a device.

Every message says what was expected, what was received and what to do now, in words
that the user knows. No message holds a secret.
"""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.sheets import Told


class Why(enum.StrEnum):
    """Why a command is refused; if several apply, the first in this order wins."""

    GAME_OVER = "game_over"
    NOT_BEGUN = "not_begun"  # People are still sitting down.
    UNKNOWN_SEAT = "unknown_seat"
    BANKRUPT = "bankrupt"
    WRONG_STAGE = "wrong_stage"
    NOT_YOUR_TURN = "not_your_turn"
    NOT_YOURS = "not_yours"
    MALFORMED = "malformed"
    IN_JAIL = "in_jail"
    NOT_IN_JAIL = "not_in_jail"
    NOT_UNOWNED = "not_unowned"
    LOCKED_DEED = "locked_deed"
    NOT_LOCKED = "not_locked"
    MORTGAGED = "mortgaged"
    NOT_MORTGAGED = "not_mortgaged"
    INCOMPLETE_GROUP = "incomplete_group"
    HAS_BUILDINGS = "has_buildings"
    UNEVEN = "uneven"
    LIMIT_REACHED = "limit_reached"
    NONE_LEFT = "none_left"
    NOT_REACHABLE = "not_reachable"
    NO_CARD = "no_card"
    NO_TICKET = "no_ticket"
    NO_CHIP = "no_chip"
    NO_HOTEL = "no_hotel"
    OWN_MONEY = "own_money"
    BID_TOO_LOW = "bid_too_low"
    CANNOT_AFFORD = "cannot_afford"
    RENT_NOT_DUE = "rent_not_due"
    CAN_STILL_PAY = "can_still_pay"
    VAULT_OPEN = "vault_open"
    VAULT_LOCKED = "vault_locked"
    NO_GUESS_DUE = "no_guess_due"
    NOT_UNDOABLE = "not_undoable"
    UNKNOWN_FIGURE = "unknown_figure"
    STALE = "stale"  # The page that sent the command shows an older revision.
    NOT_ASKED = "not_asked"  # No open request for money has that number.
    TABLE_LOCKED = "table_locked"  # The banker takes no further seats.
    TABLE_FULL = "table_full"
    NAME_TAKEN = "name_taken"
    TOO_SOON = "too_soon"  # The others need a moment to look at a payment.
    COIL_RESTING = "coil_resting"  # The latch has been on too long lately.


QUOTED_MAX = 40
"""The most characters that a message quotes: refusals are kept in memory."""


def quoted(text: str) -> str:
    """Quote *text* for an error: in quotation marks, and cut if it is long."""
    return repr(text) if len(text) <= QUOTED_MAX else f"{text[:QUOTED_MAX]!r}..."


class CompanionError(Exception):
    """Base class of every error that this project raises on purpose.

    Attributes:
        message: What was expected and what was received.
        remedy: What to do now; may be empty.
    """

    def __init__(self, message: str, remedy: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.remedy = remedy

    def __str__(self) -> str:
        return f"{self.message}; {self.remedy}" if self.remedy else str(self.message)


class Refused(CompanionError):
    """The rules forbid the command at this moment; nothing has changed.

    Attributes:
        rule: The rule that forbids the command.
        why: The first reason that applies in the order of ``Why``.
        message: What was asked for and what forbids it.
        remedy: What the seat can do now.
    """

    def __init__(self, rule: Told, why: Why, message: str, remedy: str) -> None:
        super().__init__(message, remedy)
        self.rule = rule
        self.why = why

    def __str__(self) -> str:
        return f"{self.why}: {super().__str__()}"


class Malformed(CompanionError, ValueError):
    """The request makes no sense in any position; nothing has changed.

    Attributes:
        wanted: What was expected, as a phrase; may be empty.
        got: What was received, as the message quotes it; may be empty.
        plain: The message for people who fill in a form; may be the same.
    """

    def __init__(
        self,
        message: str,
        remedy: str = "",
        *,
        wanted: str = "",
        got: str = "",
        plain: str = "",
    ) -> None:
        super().__init__(message, remedy)
        self.wanted = wanted
        self.got = got
        self.plain = plain or message


class DeviceFault(CompanionError, OSError):
    """Something outside the program failed: a coil, a camera, a full disk."""


class JournalFault(DeviceFault):
    """The journal on disk cannot be read or written; it is never overwritten.

    Attributes:
        cause: Why it could not be written, in words that people at the table know; may
            be empty. The remedy is in such words, too, if there is a cause.
        is_of_reading: Whether it could not be read.
    """

    is_of_reading = False

    def __init__(self, message: str, remedy: str = "", cause: str = "") -> None:
        super().__init__(message, remedy)
        self.cause = cause


class DamagedGame(JournalFault):
    """What is on disk about one game is not what was written; others are not meant."""


class EditionFault(CompanionError, ValueError):
    """An edition's data has mistakes; the message lists all of them."""

    def __init__(self, problems: tuple[str, ...]) -> None:
        super().__init__("\n".join(problems))
        self.problems = problems
