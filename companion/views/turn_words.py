"""Sentences that say what the table waits for, to everybody or to the seat that acts.

For each *stage*, such as a roll or an auction, ``AT_STAGE`` has up to three writers.
The one named after the stage (``_roll``) writes the sentence for everybody, without a
capital; one named ``_your_...`` the headline for the seat that has to act; one named
``_..._more`` further sentences for that seat. The *mover* is the seat with the dice.
Public functions return sentences with a capital and without a full stop.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from companion.game import Game
from companion.game.commands import Command
from companion.game.playing_tickets import tickets_left
from companion.game.position import (
    BUS,
    FREE,
    LOCKED,
    MR,
    OPEN,
    OPENING,
    SHUT,
    Auction,
    Debt,
    Position,
)
from companion.game.rulebook import BUS_DECK
from companion.game.stage import Stage
from companion.rules import out_of_turn
from companion.rules.walking import ANY_SPACE, GIFT, LOT, next_card_space
from companion.views.turn_buttons import Look
from companion.words import capital, say
from companion.words.common import common
from companion.words.lists import enumerated
from companion.words.money import dollars_text


def awaited(game: Game) -> str:
    """Say to everybody what the table waits for now."""
    return _awaited(Look(game, ""))


def awaited_after_debts(game: Game) -> str:
    """Say what the table waits for; during a debt, only whose turn it is."""
    if game.play is not None and game.play.stage is Stage.DEBT:
        return capital(_whose_turn(Look(game, "")))
    return awaited(game)


def _awaited(look: Look) -> str:
    writers = AT_STAGE.get(look.play.stage)
    write = writers.everybody if writers else _whose_turn
    return capital(write(look))


def headline(look: Look, *, is_mine: bool) -> str:
    """Say what the table waits for, as the viewing seat reads it.

    *is_mine*: the table waits for that seat.
    """
    if list(look.play.winners) == [look.seat]:
        return capital(say("you won!"))
    writers = AT_STAGE.get(look.play.stage)
    write = writers.you if is_mine and writers else None
    return write(look) if write else _awaited(look)


def lines(look: Look, *, is_mine: bool) -> tuple[str, ...]:
    """Return further sentences for the seat that the table waits for; mostly none."""
    writers = AT_STAGE.get(look.play.stage)
    write = writers.more if is_mine and writers else None
    return tuple(write(look)) if write else ()


def follows(look: Look) -> str:
    """Say what the third die does after this landing; empty if it does nothing."""
    play = look.play
    write = FOLLOWS.get(play.bonus)
    return write(look, play.mover.seat == look.seat) if write else ""


def _mr_follows(look: Look, is_mine: bool) -> str:
    """Say where Mr. Monopoly takes the mover, who may be the viewer (*is_mine*)."""
    play, who = look.play, _mover(look)
    space = look.mr_space(play.mover.seat, play.mover.space)
    if play.stage is Stage.CARD:  # The card may take the token elsewhere first.
        if is_mine:
            return say("Then Mr. Monopoly takes you on")
        return say("Then Mr. Monopoly takes {who} on", who=who)
    if space is None:
        return say("Then Mr. Monopoly finds nothing to buy and no rent")
    if is_mine:
        return say("Then Mr. Monopoly takes you on to {space}", space=look.space(space))
    return say(
        "Then Mr. Monopoly takes {who} on to {space}", who=who, space=look.space(space)
    )


def _bus_follows(look: Look, is_mine: bool) -> str:
    space = next_card_space(look.board, look.play.mover.space)
    if space is None or look.play.stage is Stage.CARD:
        return say("Then the bus comes")
    name = look.space(space)
    if _has_tickets(look):
        return say("Then the bus: a ticket, or on to {space}", space=name)
    return say("Then the bus goes on to {space}", space=name)


FOLLOWS: dict[str, Callable[[Look, bool], str]] = {MR: _mr_follows, BUS: _bus_follows}
"""The writers of what follows a landing, by the face of the third die."""


def place_words(look: Look) -> str:
    """Say where the seat's token stands; empty if the seat does not play."""
    token = look.play.token(look.seat)
    if token is None or token.is_out:
        return ""
    if token.is_jailed:
        return say("You are in jail")
    return say("You stand on {space}", space=space_words(look))


def space_words(look: Look) -> str:
    """Name the space where the seat's token stands, or say that it is in jail.

    Empty if the seat does not play.
    """
    token = look.play.token(look.seat)
    if token is None or token.is_out:
        return ""
    return say("in jail") if token.is_jailed else look.space(token.space)


def is_debtor(look: Look) -> bool:
    """Return whether the viewing seat has to pay a debt: nobody has at the end."""
    is_over = look.play.stage is Stage.OVER
    return not is_over and any(debt.debtor == look.seat for debt in look.play.debts)


def why_waits(look: Look, *kinds: type[Command]) -> str:
    """Say why it is not the time for any of *kinds* of moves; empty if it is.

    Only the turn and the stage count; a move may be refused for other reasons.
    """
    refusals = [out_of_turn(look.game, look.seat, kind) for kind in kinds]
    first = refusals[0]
    if first is None or None in refusals:
        return ""
    return look.refused(first) if look.game.is_closed else awaited(look.game)


def _mover(look: Look) -> str:
    return look.name(look.play.mover.seat)


def _whose_turn(look: Look) -> str:
    return say("it is {who}'s turn", who=_mover(look))


def must_fill_first(play: Position) -> bool:
    """Return whether the vault must be filled and locked before the first roll."""
    vault = play.vault_contents
    is_before_roll = play.stage is Stage.ROLL and not play.dice
    is_start = is_before_roll and play.turn_number == 0
    return is_start and vault is not None and vault.lid in (OPEN, SHUT)


def _roll(look: Look) -> str:
    if must_fill_first(look.play):
        return say("fill the vault first, then {who} rolls", who=_mover(look))
    token = look.play.mover
    if token.is_jailed:
        return say(
            "{who} sits in jail and rolls, pays or shows a card", who=_mover(look)
        )
    if look.play.doubles:
        return say("{who} rolled doubles and rolls again", who=_mover(look))
    return say("{who} rolls the dice", who=_mover(look))


def _tries(look: Look) -> int:
    """Return how often the seat tried to leave jail; ``FREE`` if it is not there."""
    token = look.play.token(look.seat)
    return token.tries if token else FREE


def _your_roll(look: Look) -> str:
    if _tries(look) != FREE:
        return say("You are in jail: doubles get you out")
    if look.play.doubles:
        return say("Doubles: roll again")
    if must_fill_first(look.play):
        return say("Fill the vault first, then you roll")
    return say("Your turn: roll the dice")


def _roll_more(look: Look) -> list[str]:
    """Warn of the last double before jail, or count the tries to leave jail."""
    tries, rules = _tries(look), look.board.rules
    if tries == FREE:
        harmless = rules.dice.doubles_to_jail - 1  # One more double leads to jail.
        if harmless and look.play.doubles == harmless:
            return [say("One more double sends you to jail")]
        return []
    fine = dollars_text(rules.jail.fine)
    if tries == rules.jail.attempts - 1:
        return [
            say("Your last try: without doubles you pay {fine} and move", fine=fine)
        ]
    return [
        say("Failed so far: {tries} of {most}", tries=tries, most=rules.jail.attempts)
    ]


def _card(look: Look) -> str:
    if look.play.awaited == BUS_DECK:
        return say("{who} draws a bus ticket", who=_mover(look))
    if look.board.is_open(look.play.awaited):
        return say("{who} takes one of the open cards", who=_mover(look))
    deck = deck_name(look.play.awaited)
    return say("{who} draws a card: {deck}", who=_mover(look), deck=deck)


def _your_card(look: Look) -> str:
    if look.play.awaited == BUS_DECK:
        return say("Draw a bus ticket")
    if look.board.is_open(look.play.awaited):
        return say("Take one of the open cards")
    return say("Draw a card: {deck}", deck=deck_name(look.play.awaited))


def deck_name(deck: str) -> str:
    """Return the name of a deck of cards, given its id."""
    return common(deck.replace("-", " ").title())


def _buy(look: Look) -> str:
    deed = look.play.awaited
    price = look.deed(deed).price if deed in look.board.index else None
    if price is None:
        return say("{who} may buy {deed}", who=_mover(look), deed=look.name(deed))
    return say(
        "{who} may buy {deed} for {price}",
        who=_mover(look),
        deed=look.name(deed),
        price=dollars_text(price),
    )


def _your_buy(look: Look) -> str:
    return say("{deed} is for sale", deed=look.name(look.play.awaited))


def _buy_more(look: Look) -> list[str]:
    deed = look.deed(look.play.awaited)
    if deed.price is None:
        return [say("Nobody knows its price: the banker can type it in")]
    if deed.price <= look.cash:
        return []
    return [
        say(
            "It costs {price}; you have {cash}",
            price=dollars_text(deed.price),
            cash=dollars_text(look.cash),
        )
    ]


def lot_name(look: Look, auction: Auction) -> str:
    """Return the name of the lot: a deed, or one of the bank's last buildings."""
    lot = auction.lots[0]
    if lot in look.board.index:
        return look.name(lot)
    return say("the bank's last {piece}", piece=common(lot))


def _auction(look: Look) -> str:
    auction = look.play.auction
    assert auction is not None, "the stage says so"
    lot = lot_name(look, auction)
    if not auction.bidder:
        return say("auction: who bids for {lot}?", lot=lot)
    return say(
        "auction: {who} bids {amount} for {lot}",
        who=look.name(auction.bidder),
        amount=dollars_text(auction.amount),
        lot=lot,
    )


def bids_words(look: Look, auction: Auction) -> str:
    """Say the highest bid, without naming the lot: its picture is beside it."""
    if not auction.bidder:
        return say("Auction: who bids first?")
    who, amount = look.name(auction.bidder), dollars_text(auction.amount)
    if auction.bidder == look.seat:
        return say("You lead with {amount}", amount=amount)
    return say("{who} bids {amount}", who=who, amount=amount)


def _rent_roll(look: Look) -> str:
    deed = look.name(look.play.awaited)
    return say("{who} rolls for the rent of {deed}", who=_mover(look), deed=deed)


def _your_rent_roll(look: Look) -> str:
    return say("Roll for the rent of {deed}", deed=look.name(look.play.awaited))


def _guess(look: Look) -> str:
    contents, who = look.play.vault_contents, _mover(look)
    if contents is not None and contents.lid == OPENING:
        return say("{who} guessed right and empties the vault", who=who)
    if contents is not None and contents.lid != LOCKED:
        return say("the vault has to be locked before {who} can guess", who=who)
    if contents is not None and contents.is_optional and contents.fee:
        fee = dollars_text(contents.fee)
        return say("{who} may pay {fee} to guess the number", who=who, fee=fee)
    return say("{who} guesses the number of the vault", who=who)


def _your_guess(look: Look) -> str:
    contents = look.play.vault_contents
    # Any seat may lock the vault, so this seat need not be the one that guesses.
    is_mover = look.play.mover.seat == look.seat
    if contents is None or contents.lid == OPENING or not is_mover:
        return _awaited(look)
    if contents.lid != LOCKED:
        return say("Lock the vault, then guess its number")
    return say("Guess the number of the vault")


def _guess_more(look: Look) -> list[str]:
    contents = look.play.vault_contents
    if contents is None or not contents.fee or contents.lid != LOCKED:
        return []
    return [say("A guess costs {fee}", fee=dollars_text(contents.fee))]


def _key(look: Look) -> str:
    contents = look.play.vault_contents
    if contents is not None and contents.lid == OPEN:
        return say("{who} empties the vault and uses the key", who=_mover(look))
    return say("{who} opens a street with a key", who=_mover(look))


def _your_key(_: Look) -> str:
    return say("You found a key: which street does it open?")


def _debt(look: Look) -> str:
    debt = look.play.debts[0]
    return say(
        "{who} owes {creditor} {amount} and has to find the money",
        who=look.name(debt.debtor),
        creditor=look.name(debt.creditor),
        amount=dollars_text(debt.amount),
    )


def _own_debts(look: Look) -> list[Debt]:
    return [debt for debt in look.play.debts if debt.debtor == look.seat]


def _your_debt(look: Look) -> str:
    oldest = _own_debts(look)[0]
    amount = dollars_text(oldest.amount)
    return say("You owe {who} {amount}", who=look.name(oldest.creditor), amount=amount)


def _debt_more(look: Look) -> list[str]:
    debts = _own_debts(look)
    sentences: list[str] = []
    if len(debts) > 1:
        total = dollars_text(look.play.owed_by(look.seat))
        sentences.append(say("You owe {amount} in all", amount=total))
    missing = debts[0].amount - look.cash
    if missing > 0:
        sentences.append(say("You still need {amount}", amount=dollars_text(missing)))
    return sentences


def _payment(look: Look) -> str:
    payment = look.play.payments[0]
    return say(
        "{who} lays {amount} on the table",
        who=look.name(payment.payer),
        amount=dollars_text(payment.amount, is_likely=payment.is_likely),
    )


def _your_payment(look: Look) -> str:
    payment = look.play.payments[0]
    amount = dollars_text(payment.amount, is_likely=payment.is_likely)
    return say("You lay {amount} on the table", amount=amount)


def _payment_more(look: Look) -> list[str]:
    if not look.play.payments[0].may_call_off:
        return []
    return [say("A note was a fake: pay with other notes, or call it off")]


def _card_use(look: Look) -> str:
    return say("{who} wants to use a card", who=look.name(look.play.showing))


def _your_card_use(_: Look) -> str:
    return say("You lay a card on the table")


def _verdict(look: Look) -> str:
    who = look.name(look.play.inspector)
    if look.play.card_use is not None:
        return say("{who} looks at the card", who=who)
    return say("{who} looks at a note", who=who)


def _your_verdict(look: Look) -> str:
    shower = look.name(look.play.showing)
    if look.play.card_use is not None:
        return say("You were first: look at the card of {who}", who=shower)
    return say("You were first: choose a note of {who}", who=shower)


def _choose(look: Look) -> str:
    writers = CHOOSING.get(look.play.awaited)
    if writers is None:
        return say("{who} chooses what to do", who=_mover(look))
    return writers.everybody(look)


def _your_choose(look: Look) -> str:
    writers = CHOOSING.get(look.play.awaited)
    return writers.you(look) if writers else say("Choose what to do")


def _choose_more(look: Look) -> list[str]:
    offers_ticket = look.play.awaited in (BUS, GIFT)
    if offers_ticket and not _has_tickets(look):
        return [say("No bus tickets are left")]
    return []


class ChoiceWriters(NamedTuple):
    """The writers for a choice that no card offers."""

    everybody: Callable[[Look], str]
    you: Callable[[Look], str]


def _has_tickets(look: Look) -> bool:
    """Return whether the bank has bus tickets left."""
    return bool(tickets_left(look.play, look.board))


def _bus(look: Look) -> str:
    if _has_tickets(look):
        return say("{who} takes a bus ticket or goes on", who=_mover(look))
    return say("{who} goes on by bus", who=_mover(look))


def _your_bus(look: Look) -> str:
    space = next_card_space(look.board, look.play.mover.space)
    if _has_tickets(look) or space is None:
        return say("The bus: take a ticket, or go on?")
    return say("The bus takes you on to {space}", space=look.space(space))


def _gift(look: Look) -> str:
    if _has_tickets(look):
        return say("a gift for {who}: money, or a bus ticket", who=_mover(look))
    return say("a gift for {who}", who=_mover(look))


def _your_gift(look: Look) -> str:
    if _has_tickets(look):
        return say("A gift for you: which do you take?")
    return say("A gift for you")


CHOOSING: dict[str, ChoiceWriters] = {
    ANY_SPACE: ChoiceWriters(
        lambda look: say(
            "{who} rolled three alike and picks a space", who=_mover(look)
        ),
        lambda _: say("Three alike: pick a space to go to"),
    ),
    BUS: ChoiceWriters(_bus, _your_bus),
    GIFT: ChoiceWriters(_gift, _your_gift),
    LOT: ChoiceWriters(
        lambda look: say("{who} picks a deed for an auction", who=_mover(look)),
        lambda _: say("Pick a deed: all of you may bid for it"),
    ),
}
"""The writers for each choice that no card offers, by ``Position.awaited``."""


# A group that became complete while buildings stood on it has to be evened out.


def uneven_deed(look: Look) -> str:
    """Return a deed of the group that the seat has to build evenly; empty for none."""
    play = look.play
    is_due = play.stage is Stage.LEVEL and play.uneven[0].seat == look.seat
    return play.uneven[0].deed if is_due else ""


def _uneven_group(look: Look) -> str:
    deed = look.deed(look.play.uneven[0].deed)
    return common(deed.group.replace("-", " ").capitalize())


def _level(look: Look) -> str:
    who = look.name(look.play.uneven[0].seat)
    return say(
        "{who} evens out the houses: {group}", who=who, group=_uneven_group(look)
    )


def _your_level(look: Look) -> str:
    return say("Even out your houses: {group}", group=_uneven_group(look))


def _level_more(look: Look) -> list[str]:
    board = look.board
    for site in board.sites[board.index[look.play.uneven[0].deed]]:
        if look.play.mortgaged[site]:
            deed = board.rules.deeds[site].name
            return [say("First lift the mortgage of {deed}", deed=deed)]
    return [say("Build the new street up, or spread what stands there")]


def _over(look: Look) -> str:
    winners = [look.name(seat) for seat in look.play.winners]
    if not winners:
        return say("the game is over")
    won = enumerated(winners)
    if not look.play.ended:
        return say("the game is over: {winners} won", winners=won)
    how = look.play.ended.words
    return say("the game is over, since {how}: {winners} won", how=how, winners=won)


class StageWriters(NamedTuple):
    """The writers for one stage.

    Attributes:
        you: ``None`` if the seat that has to act reads the sentence for everybody.
    """

    everybody: Callable[[Look], str]
    you: Callable[[Look], str] | None = None
    more: Callable[[Look], list[str]] | None = None


AT_STAGE: dict[Stage, StageWriters] = {
    Stage.ROLL: StageWriters(_roll, _your_roll, _roll_more),
    Stage.CARD: StageWriters(_card, _your_card),
    Stage.BUY: StageWriters(_buy, _your_buy, _buy_more),
    Stage.AUCTION: StageWriters(_auction),
    Stage.RENT_ROLL: StageWriters(_rent_roll, _your_rent_roll),
    Stage.GUESS: StageWriters(_guess, _your_guess, _guess_more),
    Stage.KEY: StageWriters(_key, _your_key),
    Stage.REFILL: StageWriters(
        lambda look: say("{who} fills the vault", who=_mover(look)),
        lambda _: say("Fill the vault again"),
    ),
    Stage.DEBT: StageWriters(_debt, _your_debt, _debt_more),
    Stage.PAYMENT: StageWriters(_payment, _your_payment, _payment_more),
    Stage.CARD_USE: StageWriters(_card_use, _your_card_use),
    Stage.VERDICT: StageWriters(_verdict, _your_verdict),
    Stage.CHOOSE: StageWriters(_choose, _your_choose, _choose_more),
    Stage.LEVEL: StageWriters(_level, _your_level, _level_more),
    Stage.OVER: StageWriters(_over),
}
"""The writers for each stage; at others, people read whose turn it is."""
