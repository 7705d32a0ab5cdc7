"""Replies: what came of something that a seat asked of others.

A seat may offer a trade, ask for money, ask others to undo something, or spend a chip
to *check* what another, the *shower*, has laid on the table. Each of these stays *open*
until an entry of the journal ends it. Unless the seat that asked took it back itself,
it gets one *reply*; who was offered a trade gets one, too, if the offer ends without
them. What the entry changed tells what has ended; its events tell only
how, so that nothing can end unheard. Who asks the same seat again, or anybody for
another trade or undo, has done with the last answer.

The journal keeps the latest replies with the game. Those of entries that were taken
back do not count.
"""

from __future__ import annotations

import enum
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import msgspec

from companion.examining import FAKE, UNSURE
from companion.game import events as e
from companion.game.decoder_events import PaymentWithdrawn, VerdictGiven
from companion.game.deed_events import (
    LAPSES,
    OfferAccepted,
    OfferLapsed,
    OfferMade,
    OfferRejected,
    OfferWithdrawn,
)
from companion.game.play_events import (
    PlayEnded,
    PositionCorrected,
    PositionGiven,
    SeatBankrupted,
)
from companion.game.position import Offer
from companion.units import Account, DeedId, Dollars, Revision

if TYPE_CHECKING:
    from companion.game.game import Game

REPLIES_MAX = 100
"""The latest replies of a game that are kept."""


class Outcome(enum.StrEnum):
    """How something that a seat asked for has ended."""

    YES = "yes"
    NO = "no"
    COUNTERED = "countered"  # The taker of a trade wants another one instead.
    LAPSED = "lapsed"  # Nobody answered, and it cannot be answered any more.


class Reply(msgspec.Struct, frozen=True, tag=True, kw_only=True, omit_defaults=True):
    """Parent of all replies.

    Attributes:
        revision: The entry that ended what was asked.
        to: The seat that gets the reply.
        by: Who made that entry.
        cause: Why it lapsed: a word of ``CAUSES``, or of ``LAPSES`` for an offer.
    """

    revision: Revision
    to: str
    by: str
    outcome: Outcome
    cause: str = ""

    @property
    def key(self) -> str:
        """A text that no other reply to the same seat has."""
        return f"{self.revision}-{type(self).__name__}"

    def tells(self, revision: Revision) -> bool:
        """Tell whether the entry of *revision* is the answer itself, a yes or a no."""
        return self.revision == revision and self.outcome is not Outcome.LAPSED


class OfferReply(Reply, frozen=True):
    """What came of an offer, to its giver, or to its taker, who can answer no more.

    Attributes:
        deed: The deed whose change ended the offer; empty if something else did.
    """

    offer: Offer
    deed: DeedId = DeedId("")

    @property
    def is_to_taker(self) -> bool:
        """Whether it tells the taker that the offer is gone."""
        return self.to == self.offer.taker

    @property
    def key(self) -> str:
        """A text that no other reply to the same seat has."""
        whose = f"-{self.offer.giver}" if self.is_to_taker else ""
        return f"{self.revision}-{type(self).__name__}{whose}"


class MoneyReply(Reply, frozen=True):
    """What came of a request for money; *number* is that of the request."""

    number: int
    payer: Account
    amount: Dollars

    @property
    def key(self) -> str:
        """A text that no other reply to the same seat has."""
        return f"{self.revision}-{type(self).__name__}-{self.number}"


class UndoReply(Reply, frozen=True):
    """What came of a request to undo; *step* is the oldest entry that it was about."""

    step: Revision

    def tells(self, revision: Revision) -> bool:
        """Tell whether it says of the entry of *revision* that it stays."""
        return self.step == revision and self.outcome is Outcome.NO


class CheckReply(Reply, frozen=True):
    """What came of a check; the shower gets one, too.

    Attributes:
        amount: The value of a fake note in dollars, else 0.
    """

    inspector: str
    shower: str
    is_card: bool
    is_fake: bool = False
    amount: Dollars = 0


AnyReply = OfferReply | MoneyReply | UndoReply | CheckReply

CALLED_OFF, UNDONE, CORRECTED, GONE, OVER, WITHDRAWN, MOVED = CAUSES = (
    "called-off",  # The money for a trade was not all real, and it was called off.
    "undone",
    "corrected",  # The table agreed on something else.
    "gone",  # Somebody left the game or went bankrupt.
    "over",  # The game has ended.
    "withdrawn",  # Taken back: by the banker, or by the giver of an offer.
    "moved",  # The game went on.
)
"""Why something lapsed; one of the words in ``LAPSES`` tells what an offer lost."""

DONE_ASKING = (e.UndoAsked, e.UndoDeclined, e.Undone, e.Redone)
"""The events by which whoever asked to undo something has done with it."""

ENDED_BY: dict[type, str] = {
    PaymentWithdrawn: CALLED_OFF,
    e.Undone: UNDONE,
    PositionCorrected: CORRECTED,
    PositionGiven: CORRECTED,
    SeatBankrupted: GONE,
    e.SeatRemoved: GONE,
    PlayEnded: OVER,
}
"""Kind of event -> why something lapsed by it; by any other, the game went on."""


class Ending(msgspec.Struct, frozen=True):
    """The entry that may have ended something: its revision, actor and events."""

    revision: Revision
    actor: str
    events: Sequence[object]

    @property
    def cause(self) -> str:
        """Why something lapsed that this entry did not answer."""
        kinds = (ENDED_BY.get(type(event), "") for event in self.events)
        return next(filter(None, kinds), MOVED)


def replies_of(before: Game, after: Game, ending: Ending) -> Iterator[AnyReply]:
    """Yield a reply for everything that was open in *before* and is not in *after*.

    Both games have their open request for an undo.
    """
    if before.play is not None and before.play.offers:
        open_now = after.play.offers if after.play is not None else ()
        for offer in before.play.offers:
            if offer not in open_now:
                is_countered = any(
                    (other.giver, other.taker) == (offer.taker, offer.giver)
                    for other in open_now
                )
                yield from _reply_to_offer(offer, ending, is_countered=is_countered)
    if before.asks:
        yield from _replies_about_money(before, after, ending)
    if before.undo_ask is not None:
        yield from _reply_about_undo(before, after, ending)
    if before.play is not None and before.play.inspector:
        yield from _replies_about_check(before, after, ending)


def _reply_to_offer(
    offer: Offer, ending: Ending, *, is_countered: bool
) -> Iterator[OfferReply]:
    """Yield the reply to the giver of an offer, unless it took it back or left.

    Who accepts may have done so earlier, in a game in which money is laid on the table.
    Unless the taker made the entry or has a new offer, it is told what has lapsed.
    """
    outcome, by, cause, deed = Outcome.LAPSED, ending.actor, ending.cause, DeedId("")
    for event in ending.events:
        if getattr(event, "giver", "") != offer.giver:
            continue
        if isinstance(event, OfferAccepted):
            outcome, by, cause = Outcome.YES, str(offer.taker), ""
        elif isinstance(event, OfferRejected):
            outcome = Outcome.COUNTERED if is_countered else Outcome.NO
            cause = ""
        elif isinstance(event, OfferLapsed):
            cause, deed = event.cause, event.deed
        elif isinstance(event, OfferMade) and event.taker == offer.taker:
            return
        elif isinstance(event, OfferMade | OfferWithdrawn):
            cause = WITHDRAWN  # Also by the banker in the giver's name.
    is_heard = by != offer.giver or cause in (MOVED, *LAPSES)
    is_lost = outcome is Outcome.LAPSED and by != offer.taker
    for seat, is_told in (
        (offer.giver, is_heard and cause != WITHDRAWN),
        (offer.taker, is_lost),
    ):
        if not is_told:
            continue
        yield OfferReply(
            revision=ending.revision,
            to=seat,
            by=by,
            outcome=outcome,
            cause=cause,
            offer=offer,
            deed=deed,
        )


OUTCOMES = {
    e.Answer.PAID: Outcome.YES,
    e.Answer.DECLINED: Outcome.NO,
    e.Answer.WITHDRAWN: Outcome.LAPSED,
}


def _replies_about_money(
    before: Game, after: Game, ending: Ending
) -> Iterator[MoneyReply]:
    answers = {
        event.number: event.answer
        for event in ending.events
        if isinstance(event, e.AskAnswered)
    }
    for ask in before.asks:
        is_there = after.seat(ask.seat) is not None
        if ask in after.asks or ask.seat == ending.actor or not is_there:
            continue
        answer = answers.get(ask.number)
        outcome = OUTCOMES[answer] if answer else Outcome.LAPSED
        is_answered = outcome is not Outcome.LAPSED
        yield MoneyReply(
            revision=ending.revision,
            to=ask.seat,
            by=ending.actor,
            outcome=outcome,
            cause="" if is_answered else WITHDRAWN if answer else ending.cause,
            number=ask.number,
            payer=ask.payer,
            amount=ask.amount,
        )


def _reply_about_undo(before: Game, after: Game, ending: Ending) -> Iterator[UndoReply]:
    ask, now = before.undo_ask, after.undo_ask
    assert ask is not None, "the caller has looked"
    is_same = now is not None and (now.asker, now.revision) == (ask.asker, ask.revision)
    is_no = is_same and now is not None and bool(now.declined_by)
    took_back = any(isinstance(x, DONE_ASKING) for x in ending.events)
    is_own = ending.actor == ask.asker and took_back
    if ask.declined_by or is_own or (is_same and not is_no):
        return
    undone = [x.revision for x in ending.events if isinstance(x, e.Undone)]
    is_yes = ask.revision in undone
    outcome = Outcome.NO if is_no else Outcome.YES if is_yes else Outcome.LAPSED
    yield UndoReply(
        revision=ending.revision,
        to=ask.asker,
        by=ending.actor,
        outcome=outcome,
        cause=ending.cause if outcome is Outcome.LAPSED else "",
        step=ask.revision,
    )


def _replies_about_check(
    before: Game, after: Game, ending: Ending
) -> Iterator[CheckReply]:
    """Yield the replies to a check: to the inspector, and of a verdict to the shower.

    As long as the verdict is unsure, the check goes on.
    """
    play = before.play
    assert play is not None, "the caller has looked"
    verdicts = [x for x in ending.events if isinstance(x, VerdictGiven)]
    verdict = verdicts[0] if verdicts else None
    if after.play is not None and after.play.inspector == play.inspector:
        return
    is_told = verdict is not None and verdict.verdict != UNSURE
    for seat in (play.inspector, *((play.showing,) if is_told else ())):
        if seat == ending.actor:
            continue
        yield CheckReply(
            revision=ending.revision,
            to=seat,
            by=ending.actor,
            outcome=Outcome.YES if is_told else Outcome.LAPSED,
            cause="" if is_told else ending.cause,
            inspector=play.inspector,
            shower=play.showing,
            is_card=play.card_use is not None,
            is_fake=verdict is not None and verdict.verdict == FAKE,
            amount=verdict.amount if verdict is not None else 0,
        )


def is_open_again(reply: AnyReply, game: Game) -> bool:
    """Return whether a redo has opened again what had lapsed by the undo."""
    if reply.cause != UNDONE:
        return False
    if isinstance(reply, OfferReply):
        return game.play is not None and reply.offer in game.play.offers
    return isinstance(reply, MoneyReply) and game.ask(reply.number) is not None


REFUSED = (Outcome.NO, Outcome.COUNTERED)


def is_done_with(reply: AnyReply, ending: Ending) -> bool:
    """Return whether an entry asks again, so that the last answer is of no use."""
    for event in ending.events:
        match reply, event:
            case UndoReply(), e.UndoAsked():
                is_again = ending.actor == reply.to
            case OfferReply(is_to_taker=True), OfferMade():
                is_again = (event.giver, event.taker) == (reply.offer.giver, reply.to)
            case OfferReply(), OfferMade():
                is_back = (event.giver, event.taker) == (reply.offer.taker, reply.to)
                is_again = event.giver == reply.to or (
                    is_back and reply.outcome in REFUSED
                )
            case MoneyReply(), e.MoneyAsked():
                is_again = (event.seat, event.payer) == (reply.to, reply.payer)
            case _:
                is_again = False
        if is_again:
            return True
    return False
