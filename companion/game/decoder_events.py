"""Events of games with fakes: money and cards on the table, and who looked at them.

Where notes and cards may be fakes, money is first *laid* on the table, and so is a card
that may be a fake. Another seat may spend a decoder *chip* to look at them, and give a
*verdict*. Then they are handed over, or the payment is withdrawn.
"""

from __future__ import annotations

import msgspec

from companion.examining import FAKE, REAL, UNSURE
from companion.game.event import Event
from companion.game.position import DEBT, Payment
from companion.units import (
    Account,
    CardId,
    ChoiceWord,
    Dollars,
    LotId,
    Seat,
    TargetWord,
)
from companion.words import told


class PaymentLaid(Event, frozen=True, kw_only=True):
    """A seat laid money on the table; it is handed over later."""

    payment: Payment

    @property
    def sentence(self) -> str:
        """The sentence, with the purchase if there is one."""
        if not self.payment.of:
            return told("{payer} laid {amount} on the table for {payee}")
        return told("{payer} laid {amount} on the table for {lot}")

    @property
    def payer(self) -> Seat:
        """The seat that laid the money there."""
        return self.payment.payer

    @property
    def payee(self) -> Account:
        """The account that is to get the money."""
        return self.payment.payee

    @property
    def amount(self) -> Dollars:
        """The amount laid there."""
        return self.payment.amount

    @property
    def lot(self) -> LotId:
        """The purchase: a deed, or a kind of building."""
        return self.payment.of


class PaymentWithdrawn(Event, frozen=True, kw_only=True, omit_defaults=True):
    """A payment was called off together with its purpose; the money is in hand again.

    If the seat owed the amount, it still does; if that was no debt yet, ``DebtOwed``
    follows.

    Attributes:
        is_chosen: Whether the payer chose that after a fake; else it has too little.
    """

    payment: Payment
    is_chosen: bool = False

    @property
    def sentence(self) -> str:
        """The sentence; empty if the amount stays owed."""
        if self.is_chosen:
            return told("{payer} calls it off, since a note was a fake")
        if not self.payment.purpose:
            return ""
        if self.payment.purpose == DEBT:
            return told("{payer} has too little left to pay")
        return told("{payer} has too little left: that is off")

    @property
    def payer(self) -> Seat:
        """The seat whose money it is."""
        return self.payment.payer


class CardLaid(Event, frozen=True, kw_only=True):
    """A seat laid a card on the table to use it; the card may be a fake.

    Attributes:
        target: The seat or the deed that the card is used on; empty for most cards.
    """

    seat: Seat
    card: CardId
    target: TargetWord = ""

    @property
    def sentence(self) -> str:
        """The sentence, with the target if there is one."""
        if self.target:
            return told("{seat} wants to use a card on {target}: {card}")
        return told("{seat} wants to use a card: {card}")


class HandedOver(Event, frozen=True, kw_only=True):
    """The money on the table went to its payee, or the card under its deck."""

    sentence = told("{seat} handed it over")
    seat: Seat


class ChipSpent(Event, frozen=True, kw_only=True):
    """A seat spent a decoder chip to look at what another has laid on the table.

    Attributes:
        shower: The seat whose money or card is looked at.
    """

    sentence = told("{seat} spent a chip to look at what {shower} holds")
    seat: Seat
    shower: Seat


class VerdictGiven(Event, frozen=True, kw_only=True):
    """Somebody said what the decoder shows.

    Attributes:
        verdict: ``real``, ``fake`` or ``unsure``.
        amount: The value of the fake note in dollars; 0 for a card, or if not fake.
    """

    verdict: str
    amount: Dollars = 0

    @property
    def sentence(self) -> str:
        """The sentence of that verdict."""
        if self.amount:
            return told("a note of {amount} is a fake")
        return VERDICTS.get(self.verdict, VERDICTS[UNSURE])


VERDICTS = {
    REAL: told("what was looked at is real"),
    FAKE: told("the card is a fake"),
    UNSURE: told("nobody can say yet whether it is real"),
}
"""Verdict without an amount -> the sentence in the history."""


class ChipsReadied(Event, frozen=True, kw_only=True):
    """All decoder chips of a seat are ready again."""

    sentence = told("{seat}'s chips are ready again")
    seat: Seat


class RentSpared(Event, frozen=True, kw_only=True):
    """A card spares its user the rent that it is about to pay or owes."""

    sentence = told("{seat} does not have to pay this rent")
    seat: Seat


class ChoiceAwaited(Event, frozen=True, kw_only=True):
    """The mover has to choose.

    Attributes:
        of: What offers the choice: the id of a card, or a word of the rules.
    """

    of: str = msgspec.field(name="card")  # The name from when only cards offered one.


class Chosen(Event, frozen=True, kw_only=True):
    """The mover chose."""

    sentence = told("{seat} chose: {word}")
    seat: Seat
    word: ChoiceWord


class CardTurnedUp(Event, frozen=True, kw_only=True):
    """This card now lies open on the board."""

    sentence = told("a card was laid open: {card}")
    card: CardId


DecoderEvent = (
    PaymentLaid
    | PaymentWithdrawn
    | CardLaid
    | HandedOver
    | ChipSpent
    | VerdictGiven
    | ChipsReadied
    | RentSpared
    | ChoiceAwaited
    | Chosen
    | CardTurnedUp
)
"""Every event of a game with fakes."""
