"""A challenge: somebody spent a chip to look at what another seat has laid down."""

from __future__ import annotations

import msgspec

from companion.game import Game
from companion.game import events as e
from companion.game.card_words import name_of_card
from companion.game.journal import Entry
from companion.game.ledger import Reason
from companion.game.moves import GiveVerdict
from companion.game.stage import Stage
from companion.rules import out_of_turn
from companion.units import BANK, Account, Dollars, Seat
from companion.views.history import names_of


class Challenge(msgspec.Struct, frozen=True):
    """What is looked at now, and what can come of it.

    Attributes:
        inspector: The seat that spent the chip.
        shower: The seat whose note or card it is.
        card: What the card says; empty if it is a note.
        amount: What the seat pays with its notes; 0 for a card.
        reward: What the bank pays for a fake card; 0 for a note.
        values: What a fake note may be worth, ascending: the notes of the box that the
            seat has money for. None for a card, and where nobody knows the notes.
    """

    inspector: Seat
    shower: Seat
    card: str
    amount: Dollars
    reward: Dollars
    values: tuple[Dollars, ...]


def challenge_of(game: Game) -> Challenge | None:
    """The challenge that *game* waits for; ``None`` if there is none."""
    play, board = game.play, game.board
    if play is None or board is None or not game.is_guided:
        return None
    if play.stage is not Stage.VERDICT or board.rules.decoder is None:
        return None
    inspector, shower = Seat(play.inspector), Seat(play.showing)
    use = play.card_use
    if use is not None:
        words = name_of_card(names_of(game), use.card)
        reward = board.rules.decoder.reward
        return Challenge(inspector, shower, words, 0, reward, ())
    has = game.ledger[Account(shower)]
    values = tuple(sorted(one for one in board.rules.money.notes if one <= has))
    amount = play.payments[0].amount
    return Challenge(inspector, shower, "", amount, 0, values)


def may_judge(game: Game, by: str) -> bool:
    """Whether *by* may say what is seen of it: all who play, but whose it is."""
    challenge = challenge_of(game)
    if challenge is None or by in ("", challenge.shower):
        return False
    return out_of_turn(game, by, GiveVerdict) is None


class Found(msgspec.Struct, frozen=True):
    """What a fake brought whoever looked.

    Attributes:
        payer: Whose note it was; the bank, which pays for a card.
        inspector: Who got it.
    """

    payer: Account
    inspector: Account
    amount: Dollars

    @property
    def is_note(self) -> bool:
        """Whether it was a note, which goes from seat to seat."""
        return self.payer != BANK


def found_in(entry: Entry) -> Found | None:
    """What the verdict in an entry brought; ``None`` if nothing moved."""
    for event in entry.events:
        if isinstance(event, e.MoneyMoved) and event.reason is Reason.FAKE:
            return Found(event.payer, event.payee, event.amount)
    return None
