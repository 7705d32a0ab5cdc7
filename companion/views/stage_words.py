"""What the table waits for, as one sentence for everybody to read.

For a stage without a row here, the sentence says only whose turn it is.
"""

from __future__ import annotations

from collections.abc import Callable

from companion.game import Game
from companion.game.position import LOCKED, OPENING, Auction, Position
from companion.views.history import names_of
from companion.words import capital, say
from companion.words.common import common
from companion.words.money import dollars_text


class _Table:
    """A position with the names that its sentences need."""

    def __init__(self, game: Game) -> None:
        assert game.play is not None, "the companion leads"
        assert game.board is not None, "the companion leads"
        self.play: Position = game.play
        self.board = game.board
        self._names = names_of(game)

    def name(self, word: str) -> str:
        return self._names.get(word, word)

    @property
    def mover(self) -> str:
        return self.name(self.play.mover.seat)

    def price(self, deed_id: str) -> int | None:
        return self.board.rules.deeds[self.board.index[deed_id]].price


def awaited(game: Game) -> str:
    """What the table waits for now, beginning with a capital, without a full stop."""
    table = _Table(game)
    write = SENTENCES.get(table.play.stage, _somebody)
    return capital(write(table))


def _somebody(table: _Table) -> str:
    return say("it is {who}'s turn", who=table.mover)


def _roll(table: _Table) -> str:
    token = table.play.mover
    if token.tries >= 0:
        return say(
            "{who} sits in jail and rolls, pays or shows a card", who=table.mover
        )
    if table.play.doubles:
        return say("{who} threw doubles and rolls again", who=table.mover)
    return say("{who} rolls the dice", who=table.mover)


def _card(table: _Table) -> str:
    deck = common(table.play.awaited.replace("-", " ").title())
    return say("{who} draws a card: {deck}", who=table.mover, deck=deck)


def _buy(table: _Table) -> str:
    deed = table.play.awaited
    price = table.price(deed) if deed in table.board.index else None
    if price is None:
        return say("{who} may buy {deed}", who=table.mover, deed=table.name(deed))
    return say(
        "{who} may buy {deed} for {price}",
        who=table.mover,
        deed=table.name(deed),
        price=dollars_text(price),
    )


def lot_words(table: _Table, auction: Auction) -> str:
    """What is sold: a deed by its name, or one of the last buildings."""
    lot = auction.lots[0]
    if lot in table.board.index:
        return table.name(lot)
    return say("the bank's last {piece}", piece=common(lot))


def _auction(table: _Table) -> str:
    auction = table.play.auction
    assert auction is not None, "the stage says so"
    lot = lot_words(table, auction)
    if not auction.bidder:
        return say("auction: who bids for {lot}?", lot=lot)
    return say(
        "auction: {who} bids {amount} for {lot}",
        who=table.name(auction.bidder),
        amount=dollars_text(auction.amount),
        lot=lot,
    )


def _debt(table: _Table) -> str:
    debt = table.play.debts[0]
    return say(
        "{who} owes {creditor} {amount} and raises it",
        who=table.name(debt.debtor),
        creditor=table.name(debt.creditor),
        amount=dollars_text(debt.amount),
    )


def _rent_roll(table: _Table) -> str:
    deed = table.name(table.play.awaited)
    return say("{who} rolls for the rent of {deed}", who=table.mover, deed=deed)


def _guess(table: _Table) -> str:
    contents, who = table.play.vault_contents, table.mover
    if contents is not None and contents.lid == OPENING:
        return say("{who} guessed right and empties the vault", who=who)
    if contents is not None and contents.lid != LOCKED:
        return say("the vault has to be locked before {who} can guess", who=who)
    if contents is not None and contents.is_optional and contents.fee:
        fee = dollars_text(contents.fee)
        return say("{who} may pay {fee} to guess the number", who=who, fee=fee)
    return say("{who} guesses the number of the vault", who=who)


def _over(table: _Table) -> str:
    winners = [table.name(seat) for seat in table.play.winners]
    if not winners:
        return say("the game is over")
    return say("the game is over: {winners} won", winners=joined(winners))


def joined(names: list[str]) -> str:
    """``Anna, Ben and Cleo``, joined by phrases that can be translated."""
    if len(names) < 2:
        return names[0] if names else ""
    first = names[0]
    for one in names[1:-1]:
        first = say("{first}, {second}", first=first, second=one)
    return say("{first} and {last}", first=first, last=names[-1])


SENTENCES: dict[str, Callable[[_Table], str]] = {
    "roll": _roll,
    "card": _card,
    "buy": _buy,
    "auction": _auction,
    "debt": _debt,
    "rent-roll": _rent_roll,
    "guess": _guess,
    "key": lambda table: say("{who} opens a street with a key", who=table.mover),
    "refill": lambda _: say("the vault is to be filled, shut and locked"),
    "over": _over,
}
"""Which function writes the sentence, by stage."""
