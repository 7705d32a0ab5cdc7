"""A challenge: a seat has spent a chip to look at what another has laid down.

Where notes and cards may be fake, a seat lays its payment, or a card that it uses, on
the table first; it is the *shower*. Another seat, the *inspector*, may spend one of its
decoder chips to look at it. Somebody then gives the *verdict*: real or fake. A fake
note goes to the inspector; for a fake card the bank pays the inspector a reward.
"""

from __future__ import annotations

import msgspec

from companion.game import Game
from companion.game import events as e
from companion.game.card_words import name_of_card
from companion.game.decoder_events import VerdictGiven
from companion.game.journal import Entry
from companion.game.ledger import Reason
from companion.game.moves import GiveVerdict
from companion.game.stage import Stage
from companion.rules import out_of_turn
from companion.units import BANK, Account, Dollars, Seat
from companion.views.history import names_of


class Challenge(msgspec.Struct, frozen=True):
    """The note or card that is looked at now, and the money at stake, in dollars.

    Attributes:
        inspector: The seat that spent the chip.
        shower: The seat whose note or card it is.
        card: What the card says; empty if it is a note.
        amount: The payment that *shower* makes with its notes; 0 for a card.
        reward: The bank's reward for finding a fake card; 0 for a note.
        values: The possible values of a fake note, ascending: the edition's notes up to
            the shower's money. Empty for a card, or if the notes are unknown.
    """

    inspector: Seat
    shower: Seat
    card: str
    amount: Dollars
    reward: Dollars
    values: tuple[Dollars, ...]


def challenge_of(game: Game) -> Challenge | None:
    """Return the challenge that *game* waits for; ``None`` if there is none."""
    play, board = game.play, game.board
    if play is None or board is None or not game.is_guided:
        return None
    # An edition without a decoder has no fakes, and so no challenges.
    if play.stage is not Stage.VERDICT or board.rules.decoder is None:
        return None
    inspector, shower = Seat(play.inspector), Seat(play.showing)
    use = play.card_use
    if use is not None:
        words = name_of_card(names_of(game), use.card)
        reward = board.rules.decoder.reward
        return Challenge(inspector, shower, words, 0, reward, ())
    cash = game.ledger[Account(shower)]
    values = tuple(sorted(note for note in board.rules.money.notes if note <= cash))
    amount = play.payments[0].amount
    return Challenge(inspector, shower, "", amount, 0, values)


def may_judge(game: Game, by: str) -> bool:
    """Return whether *by* may give the verdict: any player may, except the shower."""
    challenge = challenge_of(game)
    if challenge is None or by in ("", challenge.shower):
        return False
    return out_of_turn(game, by, GiveVerdict) is None


class FoundFake(msgspec.Struct, frozen=True):
    """A fake that was found, with the money that its finder got.

    Attributes:
        payer: The seat whose note it was; for a card, the bank, which pays the reward.
        inspector: The seat that found the fake.
        amount: The value of the note, or the reward for the card, in dollars.
    """

    payer: Account
    inspector: Account
    amount: Dollars

    @property
    def is_note(self) -> bool:
        """Whether the fake was a note."""
        return self.payer != BANK


def find_fake(entry: Entry) -> FoundFake | None:
    """Return the fake that the verdict in *entry* exposed; ``None`` if none."""
    if not any(isinstance(event, VerdictGiven) for event in entry.events):
        return None
    for event in entry.events:
        if isinstance(event, e.MoneyMoved) and event.reason is Reason.FAKE:
            return FoundFake(event.payer, event.payee, event.amount)
    return None
