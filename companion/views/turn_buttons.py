"""Each move as a button: its label, its form, and a note on what follows from it.

Buttons are made only from the moves that the rules list. For each kind of move
``LABELS`` has the function that writes its label, named after the move: ``_buy`` for
``Buy``. A kind without a row is labelled with its own name. The functions see the game
through a ``Look``: the game as one seat sees it, with the names and figures that the
labels need. Here *at* is the index of a deed in the rulebook.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar, cast

import msgspec
from msgspec.structs import asdict, replace

from companion.errors import Refused
from companion.game import Game
from companion.game import moves as m
from companion.game.board import Board
from companion.game.card_code import JAIL_CARD, space_number
from companion.game.card_words import drawn_card, name_of_card
from companion.game.commands import Command, address_of, fields_of
from companion.game.event import put
from companion.game.move_run import MoveRun
from companion.game.playing_tickets import tickets_left
from companion.game.position import Claim, Position
from companion.game.rulebook import RuleDeed
from companion.game.spaces import SpaceKind
from companion.game.stage import Stage
from companion.rules.buildings import level_after, sale_value
from companion.rules.choosing import CASH, MOVE, TICKET, gift_space
from companion.rules.debt import heir_of, owing_of, pays_on_leaving
from companion.rules.deciding import step
from companion.rules.deeds import is_lifting_likely, lifting_cost
from companion.rules.rent import amount_since, open_claim
from companion.rules.rule import Choice, Range
from companion.rules.walking import mr_space, next_card_space
from companion.units import Account, Dollars, Levels
from companion.views.history import names_of
from companion.views.refusals import refusal_text, sentence
from companion.views.why import ShownRule, shown
from companion.views.wording import choice_text, hotels_text, levels_text, piece_words
from companion.words import capital, say, say_count
from companion.words.amount import Amount
from companion.words.common import common
from companion.words.lists import with_ands
from companion.words.money import dollars_text

Fields = tuple[tuple[str, str], ...]
"""The names and values that a form sends."""


class Label(msgspec.Struct, frozen=True):
    """The words and the look of a button.

    Attributes:
        words: A verb, with the amount if money is paid.
        note: What follows from the move; may be empty.
        is_main: It is the usual move at this point.
        picture: The sign of the kind of space that the button shows; empty for none.
    """

    words: str
    note: str = ""
    is_main: bool = False
    picture: str = ""


class Button(Label, frozen=True, kw_only=True):
    """One button that makes one move.

    Attributes:
        verb: The address of its form, such as ``pay-jail``.
        fields: The fields that the form sends.
    """

    verb: str
    fields: Fields = ()

    @property
    def must_be_new(self) -> bool:
        """Whether the move is refused if the game has changed since the page."""
        return self.verb in MUST_BE_NEW


MUST_BE_NEW = frozenset(
    address_of(kind)
    for kind in (
        *(m.Accept, m.Reject, m.Resign, m.DeclareBankrupt),
        *(m.HandOver, m.Inspect, m.GiveVerdict, m.UseTicket),
    )
)
"""The addresses of the moves that depend on what the player has just seen."""


class Look:
    """A game that the companion leads, as one seat sees it.

    Attributes:
        game: The game as it stands.
        play: Its position.
        board: Its board.
        seat: The viewing seat; empty for somebody without a seat.
        cash: The money in the seat's hand, without what it laid on the table.
    """

    def __init__(self, game: Game, seat: str) -> None:
        assert game.play is not None, "the companion leads"
        assert game.board is not None, "the companion leads"
        self.game = game
        self.play: Position = game.play
        self.board: Board = game.board
        self.seat = seat
        has_money = game.seat(seat) is not None
        balance = game.ledger[Account(seat)] if has_money else 0
        self.cash: Dollars = balance - self.play.laid_by(seat)
        self._names = names_of(game)

    def name(self, subject: str) -> str:
        """Return the name of a seat, an account, a deed or a card, given its id."""
        return self._names.get(subject, subject)

    def refused(self, refusal: Refused) -> str:
        """Return the sentences in which the seat reads a refusal."""
        names = {str(state.seat): state.name for state in self.game.seats}
        return sentence(*refusal_text(refusal, names, self.seat))

    def rule_of(self, refusal: Refused) -> ShownRule:
        """Return the rule behind a refusal, cited from the sheet of this box."""
        return shown(refusal.rule, self.game)

    def card(self, card_id: str) -> str:
        """Return the effect of a card in a hand."""
        return name_of_card(self._names, card_id)

    def space(self, number: int) -> str:
        """Return the name of a space, or its number while nobody knows the name."""
        name = self.board.rules.spaces[number].name
        return common(name) or say("space {number}", number=number)

    def mr_space(self, seat: str, space: int) -> int | None:
        """Return the space to which Mr. Monopoly takes *seat* on from *space*.

        Mr. Monopoly acts only after a purchase, so a deed for sale on *space* counts as
        bought by *seat*.
        """
        at, owners = self.board.deed_at[space], self.play.owners
        if at is not None and not owners[at]:
            owners = put(owners, at, seat)
        after_purchase = replace(self.play, owners=owners)
        return mr_space(self.board, after_purchase, seat, space)

    def choice(self, word: str) -> str:
        """Return what a player chooses, in words; for *word*, see ``choice_text``."""
        return choice_text(word, self._names)

    def levels(self, levels: Levels) -> str:
        """Say what stands on each street of a group."""
        return levels_text(levels, self._names)

    def drawn(self, card_id: str) -> str:
        """Return the text of a drawn card, which may offer to keep it."""
        return drawn_card(self._names, card_id)

    def deed(self, deed_id: str) -> RuleDeed:
        """Return a deed of the rulebook.

        Raises:
            KeyError: If the game has no such deed.
        """
        return self.board.rules.deeds[self.board.index[deed_id]]

    def loan(self, deed: RuleDeed) -> Amount:
        """Return the loan of the bank on a deed, marked if it is only likely."""
        assert deed.mortgage is not None, "only known loans are offered"
        is_likely = self.board.is_likely(deed.id, "mortgage")
        return dollars_text(deed.mortgage, is_likely=is_likely)

    def lifting(self, at: int) -> Amount:
        """Return the cost of lifting a mortgage, marked if it is only likely."""
        cost = lifting_cost(self.board, self.play, at)
        assert cost is not None, "only known costs are offered"
        return dollars_text(cost, is_likely=is_lifting_likely(self.board, at))

    def left_after(self, amount: Dollars) -> str:
        """Say how much the seat has left after paying *amount*."""
        return say(
            "You have {amount} after that", amount=dollars_text(self.cash - amount)
        )


Write = Callable[[Look, Command], Label]
"""Writes the label of a move."""

Labels = dict[type[Command], Write]
"""The writers of labels, by the kind of move."""


def button_of(look: Look, choice: Choice, labels: Labels | None = None) -> Button:
    """Return *choice* as a button; for a range of moves the page asks for the number.

    The writers of *labels* take precedence over ``LABELS``.
    """
    kind = choice.kind if isinstance(choice, Range) else type(choice)
    write = (labels or {}).get(kind) or LABELS.get(kind)
    fields = () if isinstance(choice, Range) else _fields(choice)
    if isinstance(choice, Range) or write is None:
        label = Label(_plain_label(kind, fields))
    else:
        label = write(look, choice)
    return Button(verb=address_of(kind), fields=fields, **asdict(label))


def _fields(move: Command) -> Fields:
    """List the fields that a form sends: all that differ from their default.

    A plan for a group has one field for the level of each street.
    """
    if isinstance(move, m.Level):
        return tuple((f"level-{deed}", str(level)) for deed, level in move.levels)
    sent: list[tuple[str, str]] = []
    for field in fields_of(type(move)):
        value = getattr(move, field.name)
        if field.required or value != field.default:
            sent.append((field.name, "yes" if value is True else str(value)))
    return tuple(sent)


def _plain_label(kind: type[Command], fields: Fields) -> str:
    words = address_of(kind).replace("-", " ").capitalize()
    return " ".join((words, *(value for _, value in fields)))


# The turn.


def _buy(look: Look, _: m.Buy) -> Label:
    deed = look.deed(look.play.awaited)
    price = deed.price or 0
    words = say("Buy for {amount}", amount=dollars_text(price))
    return Label(words, note=look.left_after(price), is_main=True)


def _put_up(look: Look, _: m.PutUp) -> Label:
    """Label the refusal to buy a deed, which may put it up for auction."""
    if look.play.may_pass:
        return Label(say("Auction it"), note=say("You may bid as well"))
    if look.board.rules.buying.declined == "auction":
        return Label(say("Auction it"), note=say("Everybody may bid"))
    return Label(say("Do not buy it"), note=say("The bank keeps it"))


def _pay_jail(look: Look, _: m.PayJail) -> Label:
    rules = look.board.rules
    fine = dollars_text(rules.jail.fine)
    is_later = rules.jail.pay_then == "next-turn"
    note = say("You move on your next turn") if is_later else say("Then you roll")
    if rules.dice.third_faces and not is_later:
        note = say("Then you roll all three dice")
    return Label(say("Pay {amount} to leave jail", amount=fine), note=note)


def _use_card(look: Look, move: m.UseCard) -> Label:
    card = look.board.card(move.card)
    if card is not None and card.effect == JAIL_CARD:
        return Label(say("Use the card to leave jail"))
    words = say("Use the card: {card}", card=look.card(move.card))
    return Label(words, note=look.name(move.target) if move.target else "")


def _use_ticket(look: Look, move: m.UseTicket) -> Label:
    number = space_number(look.board.rules, move.space)
    assert number is not None, "the rules listed it"
    return Label(say("Take the bus to {space}", space=look.space(number)))


def _draw(look: Look, move: m.Draw) -> Label:
    """Label a card that may be drawn; one that lies face up is marked."""
    if look.board.is_open(look.play.awaited):
        is_open = look.board.open_card(look.play.awaited, move.card) in look.play.faceup
        note = say("lies open") if is_open else ""
        return Label(capital(look.card(move.card)), note, is_main=is_open)
    return Label(capital(look.drawn(move.card)))


def _choose(look: Look, move: m.Choose) -> Label:
    """Label an offer of a card, the bus or a birthday space."""
    if move.word == "keep":
        held = look.play.token_of(look.seat).cards
        note = look.card(held[0]) if len(held) == 1 else ""
        return Label(say("Keep the card in hand"), note=note)
    write = OFFERED.get(move.word)
    return write(look) if write else Label(capital(look.choice(move.word)))


def _take_ticket(look: Look) -> Label:
    left = tickets_left(look.play, look.board)
    note = say_count(left, "The bank has {count} left", "The bank has {count} left")
    words = say("Take a bus ticket")
    return Label(words, note, is_main=True, picture=SpaceKind.BUS_TICKET.sign)


def _ride_on(look: Look) -> Label:
    space = next_card_space(look.board, look.play.mover.space)
    assert space is not None, "the rules listed it"
    words = say("Go on to {space}", space=look.space(space))
    sign = look.board.rules.spaces[space].kind.sign
    return Label(words, say("You draw a card there"), is_main=True, picture=sign)


def _take_gift(look: Look) -> Label:
    space = look.board.rules.spaces[gift_space(look.board, look.play)]
    assert space.amount is not None, "the rules listed it"
    words = say("Take {amount}", amount=dollars_text(space.amount))
    return Label(
        words, say("From the bank"), is_main=True, picture=SpaceKind.BIRTHDAY_GIFT.sign
    )


OFFERED: dict[str, Callable[[Look], Label]] = {
    TICKET: _take_ticket,
    MOVE: _ride_on,
    CASH: _take_gift,
}
"""The writers of labels for what the bus or a birthday space offers.

Their keys are the words of ``Choose``.
"""


# What lies on the table.


def _hand_over(look: Look, _: m.HandOver) -> Label:
    """Label the move that ends the wait for somebody who wants to look.

    What lies on the table no longer counts as money in hand (``Look.cash``).
    """
    if look.play.card_use is not None:
        return Label(say("Use the card now"), is_main=True)
    payment = look.play.payments[0]
    amount = dollars_text(payment.amount, is_likely=payment.is_likely)
    words = say("Hand over {amount}", amount=amount)
    return Label(words, note=look.left_after(0), is_main=True)


def _reject(_look: Look, _: m.Reject) -> Label:
    """Label what a payer may do after a fake; the page of trades has its own words."""
    return Label(say("Call the trade off"), note=say("Nothing changes hands"))


def _inspect(look: Look, _: m.Inspect) -> Label:
    is_card = look.play.card_use is not None
    words = say("Check the card") if is_card else say("Check a note")
    return Label(words, note=say("Turns one green chip red"), is_main=True)


def _sell_deed(look: Look, move: m.SellDeed) -> Label:
    deed = look.deed(move.deed)
    amount = dollars_text(deed.price or 0)
    return Label(say("Sell {deed}: +{amount}", deed=deed.name, amount=amount))


def _decline_guess(_: Look, __: m.DeclineGuess) -> Label:
    return Label(say("Do not guess"))


def _lock_vault(look: Look, _: m.LockVault) -> Label:
    contents = look.play.vault_contents
    if contents is not None and contents.is_empty:
        return Label(say("The vault is filled and locked again"))
    return Label(say("The vault is shut and locked"))


def _pass_bid(look: Look, _: m.PassBid) -> Label:
    """Label the refusal to bid, or to take an offered deed."""
    if look.play.stage is Stage.BUY:
        return Label(say("Leave it"), note=say("The bank keeps it"))
    return Label(say("Pass"), note=say("You bid no more for this"))


# Money between seats.


def claim_of(look: Look, mover: str) -> tuple[Claim, Dollars] | None:
    """Return the rent that the seat can ask of *mover*, and its amount in dollars.

    ``None`` if it can ask for none; the amount is 0 if a figure is unknown.
    """
    run = MoveRun(look.game)
    claim = open_claim(run, look.seat, mover)
    return None if claim is None else (claim, amount_since(run, claim) or 0)


def last_roller(look: Look, claim: Claim) -> str:
    """Return the seat whose roll makes the claim expire."""
    play, turns = look.play, look.board.rules.rent.turns
    seats = [token.seat for token in play.tokens]
    mover, *others = (*seats[play.turn :], *seats[: play.turn])
    # Even a mover who is out keeps the place, as this turn is still its own.
    order = [mover, *(seat for seat in others if seat in play.playing())]
    turns_left = claim.turn + turns - play.turn_number
    return order[turns_left % len(order)]


def _ask_rent(look: Look, move: m.AskRent) -> Label:
    """Label a request for rent; the note says until when the seat may ask."""
    claim_due = claim_of(look, move.seat)
    assert claim_due is not None, "the rules listed it"
    claim, rent = claim_due
    words = say(
        "Ask {who} for {amount} rent",
        who=look.name(move.seat),
        amount=dollars_text(rent),
    )
    roller = last_roller(look, claim)
    deed = look.name(claim.deed)
    if roller == look.seat:
        note = say("{deed}; ask before you roll", deed=deed)
    else:
        note = say("{deed}; ask before {who} rolls", deed=deed, who=look.name(roller))
    return Label(words, note, is_main=True)


def _pay_debt(look: Look, _: m.PayDebt) -> Label:
    debt = next(debt for debt in look.play.debts if debt.debtor == look.seat)
    amount = dollars_text(debt.amount)
    words = say("Pay {who} {amount}", who=look.name(debt.creditor), amount=amount)
    return Label(words, note=look.left_after(debt.amount), is_main=True)


def _mortgage(look: Look, move: m.Mortgage) -> Label:
    deed = look.deed(move.deed)
    loan = look.loan(deed)
    words = say("Mortgage {deed}: +{amount}", deed=deed.name, amount=loan)
    if loan.is_likely:
        amount = dollars_text(loan.dollars)
        words = say("Mortgage {deed}: about +{amount}", deed=deed.name, amount=amount)
    return Label(words)


def _lift_mortgage(look: Look, move: m.LiftMortgage) -> Label:
    at = look.board.index[move.deed]
    deed, cost = look.board.rules.deeds[at], look.lifting(at)
    words = say("Lift the mortgage of {deed}: {amount}", deed=deed.name, amount=cost)
    return Label(words, note=look.left_after(cost.dollars), is_main=True)


def level_left(look: Look, move: m.Unbuild) -> int:
    """Return the level that the deed has after a sale of buildings."""
    at = look.board.index[move.deed]
    return level_after(look.board, look.play, at, is_all=move.is_all)


def sale_of(look: Look, move: m.Unbuild) -> Dollars:
    """Return the dollars that a sale of buildings brings."""
    at = look.board.index[move.deed]
    return sale_value(look.board, look.play, at, level_left(look, move))


def top_building(look: Look, deed_id: str) -> str:
    """Return the kind of building that was built last on a deed."""
    level = look.play.levels[look.board.index[deed_id]]
    return look.deed(deed_id).ladder[level - 1]


def _take_off(look: Look, move: m.Unbuild) -> Label:
    """Label a sale that brings no money, only the right to mortgage."""
    deed, level = look.deed(move.deed), look.play.levels[look.board.index[move.deed]]
    kinds = deed.ladder[level_left(look, move) : level]
    pieces: str = say("all buildings")
    if set(kinds) == {"hotel"}:
        pieces = hotels_text(len(kinds))
    elif len(kinds) == 1:
        pieces = piece_words(kinds[0])
    words = say("Take {pieces} off {deed}: no money", pieces=pieces, deed=deed.name)
    return Label(words, note=say("Then this group can be mortgaged"))


def _unbuild(look: Look, move: m.Unbuild) -> Label:
    deed, brings = look.deed(move.deed), dollars_text(sale_of(look, move))
    if not brings.dollars:
        return _take_off(look, move)
    if move.is_all:
        words = say("Sell all on {deed}: +{amount}", deed=deed.name, amount=brings)
        return Label(words)
    kind = top_building(look, move.deed)
    if kind == "house":
        words = say("Sell a house on {deed}: +{amount}", deed=deed.name, amount=brings)
    elif kind == "hotel":
        words = say(
            "Sell the hotel on {deed}: +{amount}", deed=deed.name, amount=brings
        )
    else:
        words = say(
            "Sell {piece} on {deed}: +{amount}",
            piece=piece_words(kind),
            deed=deed.name,
            amount=brings,
        )
    return Label(words)


def _level(look: Look, move: m.Level) -> Label:
    """Label a plan for a group: what it costs or brings, and what stands there then."""
    gain = gain_of(look, move)
    amount = dollars_text(abs(gain))
    if gain < 0:
        words = say("Build it evenly for {amount}", amount=amount)
    elif gain > 0:
        words = say("Sell down evenly: +{amount}", amount=amount)
    else:
        words = say("Spread evenly what stands there")
    index, present = look.board.index, look.play.levels
    changed = [
        (deed, level) for deed, level in move.levels if present[index[deed]] != level
    ]
    return Label(words, look.levels(tuple(changed)), is_main=gain <= 0)


def gain_of(look: Look, move: Command) -> Dollars:
    """Return the dollars that a legal move brings the seat; below 0 if it pays."""
    before, after = MoveRun(look.game), step(look.game, move)
    return after.cash(look.seat) - before.cash(look.seat)


def _declare_bankrupt(look: Look, _: m.DeclareBankrupt) -> Label:
    note = say("All you have goes to {who}", who=_heir(look))
    return Label(say("I am bankrupt"), note=note)


def _resign(look: Look, _: m.Resign) -> Label:
    note = say("All you have goes to {who}", who=_heir(look))
    debts = owing_of(MoveRun(look.game), look.seat)
    if debts and pays_on_leaving(MoveRun(look.game), look.seat):
        payments = [
            say(
                "{amount} to {who}",
                amount=dollars_text(debt.amount),
                who=look.name(debt.creditor),
            )
            for debt in debts
        ]
        note = say(
            "You pay {debts} first. The rest goes to the bank",
            debts=with_ands(payments),
        )
    return Label(say("Leave the game for good"), note=note)


def _heir(look: Look) -> str:
    return look.name(heir_of(MoveRun(look.game), look.seat))


MoveKind = TypeVar("MoveKind", bound=Command)
"""The kind of move that a writer takes."""


def label_row(
    kind: type[MoveKind], write: Callable[[Look, MoveKind], Label]
) -> tuple[type[Command], Write]:
    """Return a row of ``LABELS``, with a writer that takes this *kind* only.

    ``button_of`` never gives a writer a move of another kind.
    """
    return kind, cast("Write", write)


LABELS: Labels = dict(
    (
        label_row(m.Buy, _buy),
        label_row(m.PutUp, _put_up),
        label_row(m.PayJail, _pay_jail),
        label_row(m.UseCard, _use_card),
        label_row(m.UseTicket, _use_ticket),
        label_row(m.Draw, _draw),
        label_row(m.Choose, _choose),
        label_row(m.HandOver, _hand_over),
        label_row(m.Reject, _reject),
        label_row(m.Inspect, _inspect),
        label_row(m.SellDeed, _sell_deed),
        label_row(m.DeclineGuess, _decline_guess),
        label_row(m.LockVault, _lock_vault),
        label_row(m.PassBid, _pass_bid),
        label_row(m.AskRent, _ask_rent),
        label_row(m.PayDebt, _pay_debt),
        label_row(m.Mortgage, _mortgage),
        label_row(m.LiftMortgage, _lift_mortgage),
        label_row(m.Unbuild, _unbuild),
        label_row(m.Level, _level),
        label_row(m.DeclareBankrupt, _declare_bankrupt),
        label_row(m.Resign, _resign),
    )
)
"""The writer of the label of each kind of move."""
