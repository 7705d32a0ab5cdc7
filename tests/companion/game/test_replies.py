"""Random games: whatever a seat asks and another ends is replied to once, to that seat.

Who was offered a trade that ends without them is told once, too.

The program compares what was open before an entry with what is open after it. Here a
second reckoning knows nothing of positions: it reads the events of the entries that
count, one after another, and keeps its own list of what they open and end.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

from companion.edition import editions
from companion.errors import Refused
from companion.game import commands as c
from companion.game import decoder_events as f
from companion.game import deed_events as d
from companion.game import events as e
from companion.game import moves as m
from companion.game import play_events as p
from companion.game.journal import (
    BARRIERS,
    UNDOABLE,
    Entry,
    counting_entries,
)
from companion.game.position import DEAL, Bundle, Position
from companion.game.replies import CheckReply, OfferReply, Outcome, Reply
from companion.game.ticket_events import TicketUsed
from companion.rules import decide
from tests.guided import SEATS, Guided, random_correction, random_move
from tests.sample import tens
from tests.scene import Play, ask, candidates

Key = tuple[str, str, object]
"""What is open: its kind, the seat that asked, and what tells it from others."""


class Reckoning:
    """What is open after some entries that count, read from their events."""

    def __init__(self, entries: list[Entry]) -> None:
        self.offers: dict[str, tuple[str, object]] = {}  # Giver: taker, both's goods.
        self.asks: dict[int, tuple[str, str]] = {}  # Number: seat, payer.
        self.check: tuple[str, str, int] | None = None  # Inspector, shower, its entry.
        for entry in entries:
            for event in entry.events:
                self._read(event, entry.revision)

    def keys(self) -> set[Key]:
        """List what is open."""
        return {
            *(("offer", giver, goods) for giver, (_, goods) in self.offers.items()),
            *(("money", seat, number) for number, (seat, _) in self.asks.items()),
            *([("check", self.check[0], self.check[2])] if self.check else ()),
        }

    def _read(self, event: object, revision: int) -> None:
        if isinstance(event, d.OfferMade):
            goods = event.taker, repr((event.give, event.want))
            self.offers[event.giver] = event.taker, goods
        elif isinstance(event, ENDS_OFFER):
            self.offers.pop(event.giver, None)
        elif isinstance(event, p.DiceRolled | TicketUsed):
            self.offers.clear()
        elif isinstance(event, f.PaymentWithdrawn):
            self._call_off(event)
        elif isinstance(event, e.MoneyAsked):
            self.asks[event.number] = event.seat, event.payer
        elif isinstance(event, e.AskAnswered):
            self.asks.pop(event.number)
        elif isinstance(event, f.ChipSpent):
            self.check = event.seat, event.shower, revision
        elif isinstance(event, f.VerdictGiven):
            self.check = self.check if event.verdict == "unsure" else None
        elif isinstance(event, p.SeatBankrupted | e.SeatRemoved):
            self._without(event.seat)
        elif isinstance(event, p.PositionCorrected | p.PositionGiven):
            self._take(event.position)

    def _call_off(self, event: f.PaymentWithdrawn) -> None:
        payment = event.payment
        if payment.purpose != DEAL:
            return
        for giver, (taker, _) in list(self.offers.items()):
            pair = {payment.payer, payment.payee}
            if {giver, taker} == pair and taker == payment.actor:
                del self.offers[giver]

    def _without(self, seat: str) -> None:
        offers, asks = self.offers.items(), self.asks.items()
        self.offers = {x: y for x, y in offers if seat not in (x, y[0])}
        self.asks = {x: y for x, y in asks if seat not in y}
        if self.check and seat in self.check[:2]:
            self.check = None

    def _take(self, position: Position) -> None:
        kept = {offer.giver for offer in position.offers}
        self.offers = {x: y for x, y in self.offers.items() if x in kept}
        self.check = self.check if position.inspector else None


ENDS_OFFER = d.OfferAccepted | d.OfferRejected | d.OfferWithdrawn | d.OfferLapsed


def undo_asked(entries: list[Entry]) -> tuple[str, int] | None:
    """Return who asks to undo which entry, after all of these entries."""
    found = None
    for entry in entries:
        kinds = {type(event) for event in entry.events}
        if e.UndoAsked in kinds:
            found = entry.actor, entry.events[0].revision
        elif e.UndoDeclined in kinds or not kinds.isdisjoint(
            (*UNDOABLE, *BARRIERS, e.Undone, e.Redone)
        ):
            found = None
    return found


def open_after(entries: list[Entry]) -> set[Key]:
    """List what is open after these entries, of which some were taken back."""
    asked = undo_asked(entries)
    keys = Reckoning(counting_entries(entries)).keys()
    return keys | ({("undo", *asked)} if asked else set())


def due(entries: list[Entry]) -> Counter[tuple[str, str]]:
    """Count whom the last of these entries owes replies, by kind and seat."""
    latest = entries[-1]
    ended = open_after(entries[:-1]) - open_after(entries)
    if isinstance(latest.events[0], e.Redone):
        return Counter()  # What ended then was replied to then.
    left = {x.seat for x in latest.events if isinstance(x, e.SeatRemoved)}
    told = d.OfferAccepted | d.OfferLapsed | p.DiceRolled
    is_told = any(isinstance(x, told) for x in latest.events)
    took_back = e.UndoAsked | e.UndoDeclined | e.Undone
    back = {
        x.giver for x in latest.events if isinstance(x, d.OfferMade | d.OfferWithdrawn)
    }
    answers = d.OfferAccepted | d.OfferRejected
    answered = {x.giver for x in latest.events if isinstance(x, answers)}
    anew = {(x.giver, x.taker) for x in latest.events if isinstance(x, d.OfferMade)}
    lost = [
        ("offered", goods[0])
        for kind, giver, goods in ended
        if kind == "offer" and isinstance(goods, tuple)
        if giver not in answered and (giver, goods[0]) not in anew
        if goods[0] != latest.actor
    ]
    return Counter(lost) + Counter(
        (kind, seat)
        for kind, seat, _ in ended
        if (
            seat != latest.actor
            or (kind == "offer" and is_told)
            or (kind == "undo" and not isinstance(latest.events[0], took_back))
        )
        and not (kind == "offer" and seat in back)
        and not (kind == "money" and seat in left)
    )


KINDS = {
    "OfferReply": "offer",
    "MoneyReply": "money",
    "UndoReply": "undo",
    "CheckReply": "check",
}


def kind_of(reply: Reply) -> str:
    """Return what the reply is about; ``offered`` for the taker of an offer."""
    is_offered = isinstance(reply, OfferReply) and reply.to == reply.offer.taker
    return "offered" if is_offered else KINDS[type(reply).__name__]


def is_for_asker(reply: Reply) -> bool:
    """Tell whether it is not the one for whoever had laid what was looked at."""
    return not isinstance(reply, CheckReply) or reply.to == reply.inspector


def check_latest(play: Play, seen: Counter[str]) -> None:
    """Check the replies of the latest entry, and that they survive a restart."""
    entries, game = play.entries, play.game
    got = [x for x in game.replies if x.revision == entries[-1].revision]
    asked = Counter((kind_of(x), x.to) for x in got if is_for_asker(x))
    assert asked == due(entries), (entries[-1], game.replies)
    for reply in got:
        if not is_for_asker(reply):
            assert reply.to == reply.shower != entries[-1].actor
            assert reply.outcome is Outcome.YES
    keys = [(reply.to, reply.key) for reply in game.replies]
    assert len(set(keys)) == len(keys)
    counting = {entry.revision for entry in counting_entries(entries)}
    undos = {x.revision for x in entries if isinstance(x.events[0], e.Undone)}
    assert {reply.revision for reply in game.replies} <= counting | undos
    seen.update(f"{type(x).__name__} {x.outcome} {x.cause}".strip() for x in got)


def disturb(dice: random.Random, play: Guided) -> Iterator[c.Command]:
    """Yield commands that end what others have asked, or ask to undo something."""
    by, game = dice.choice((*SEATS[:3], c.TABLE)), play.game
    yield dice.choice((m.Accept, m.Reject, m.Withdraw))(by=by)
    if game.undo_ask is not None:
        answers = (c.AllowUndo, c.DeclineUndo)
        yield dice.choice(answers)(by=by, revision=game.undo_ask.revision)
    if game.undoable and dice.random() < 0.3:
        revision = dice.choice(game.undoable[-3:]).revision
        yield c.UndoTo(by=by, revision=revision)
    if dice.random() < 0.1:
        yield dice.choice((c.Undo, c.Redo))(by=by)
    if dice.random() < 0.05:
        yield random_correction(dice, game)


def offers(dice: random.Random, play: Guided) -> Iterator[c.Command]:
    """Yield offers of what somebody has, for what somebody else has."""
    owners, board = play.at.owners, play.game.board
    assert board is not None
    ids = list(board.index)
    giver, taker = dice.sample(list(play.at.playing()), 2)
    theirs = [ids[at] for at, owner in enumerate(owners) if owner == taker]
    if theirs:
        want = Bundle(deeds=(dice.choice(theirs),))
        yield m.MakeOffer(by=giver, taker=taker, give=Bundle(cash=1), want=want)


def tried(play: Play, commands: Iterator[c.Command], seen: Counter[str]) -> None:
    """Give each command that the rules accept, and check what it ends."""
    for command in commands:
        try:
            decide(play.game, command)
        except Refused:
            continue
        play.give(command)
        check_latest(play, seen)


SEEN: Counter[str] = Counter()


@tens("seed", range(20))
def test_in_a_led_game_each_request_is_replied_to_once(seed: int) -> None:
    dice = random.Random(seed)
    play = Guided(
        editions()[seed % len(editions())], 3, {"undo": dice.choice(("own", "any"))}
    )
    for _ in range(120):
        if play.at.base == "over" or len(play.at.playing()) < 2:
            break
        tried(play, iter((random_move(dice, play.game),)), SEEN)
        if dice.random() < 0.5:
            tried(play, offers(dice, play), SEEN)
        if dice.random() < 0.5:
            tried(play, disturb(dice, play), SEEN)
    assert play.replayed() == play.game


@tens("seed", range(20))
def test_at_a_table_by_hand_each_request_is_replied_to_once(seed: int) -> None:
    dice = random.Random(seed)
    play = Play(*SEATS[:3])
    for _ in range(60):
        by = dice.choice((*SEATS[:3], c.TABLE))
        payer = dice.choice((*SEATS[:3], "bank"))
        every = [x for x in candidates(play.game, by) if dice.random() < 0.02]
        answers = [x for x in every if not isinstance(x, c.CloseGame | c.RemoveSeat)]
        few = [x for x in every if isinstance(x, c.RemoveSeat) and dice.random() < 0.1]
        tried(play, iter([ask(by, payer, 5), *answers[:4], *few]), SEEN)
    assert play.replayed() == play.game
