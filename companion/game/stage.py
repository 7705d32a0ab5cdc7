"""What the table waits for, and who may do what then: the turn as a table.

Rule 1: a move whose verb is not in the stage's row is refused as ``wrong_stage``.
Rule 2: a move by somebody the row does not name is refused as ``not_your_turn``.

The rules themselves come after that, in ``companion/rules``. Asking for rent,
leaving the game and saying yes or no to an offer are not turns, so they stand in
more rows than others do.
"""

from __future__ import annotations

import enum

from companion.game import moves as m


class Stage(enum.StrEnum):
    """What the table waits for."""

    ROLL = "roll"  # The seat with the dice.
    CARD = "card"  # The card that the mover draws.
    BUY = "buy"  # The mover buys the deed it stands on, or puts it up.
    AUCTION = "auction"  # Bids.
    GUESS = "guess"  # The mover's one guess; then, if it was right, the lid.
    KEY = "key"  # The mover opens a locked street with the key it found.
    REFILL = "refill"  # The vault is filled, shut and locked by anybody.
    CHOOSE = "choose"
    PAYMENT = "payment"
    VERDICT = "verdict"
    CARD_USE = "card-use"
    RENT_ROLL = "rent-roll"  # The mover rolls for a rent that needs fresh dice.
    LEVEL = "level"
    DEBT = "debt"  # A seat raises money that it owes.
    OVER = "over"  # Nothing: the game has ended.


class Who(enum.Enum):
    """Who may make a move in a stage."""

    MOVER = enum.auto()  # The seat with the dice.
    BIDDER = enum.auto()  # A seat that has not passed, nor leads the bidding.
    DEBTOR = enum.auto()  # A seat that owes.
    ANYBODY = enum.auto()


_ALWAYS: dict[type[m.Move], Who] = {
    m.AskRent: Who.ANYBODY,
    m.TypeFigure: Who.ANYBODY,
    m.ReadSpace: Who.ANYBODY,
}
_LEAVING: dict[type[m.Move], Who] = {m.Resign: Who.ANYBODY}
_ANSWERING: dict[type[m.Move], Who] = {m.Accept: Who.ANYBODY, m.Reject: Who.ANYBODY}
_ESTATE: tuple[type[m.Move], ...] = (
    m.Build,
    m.Unbuild,
    m.Mortgage,
    m.LiftMortgage,
    m.MakeOffer,
)
"""Building, selling, mortgaging, trading."""

_WAITING = _ALWAYS | _LEAVING

ALLOWED: dict[str, dict[type[m.Move], Who]] = {
    Stage.ROLL: {
        m.Roll: Who.MOVER,
        m.PayJail: Who.MOVER,
        m.UseCard: Who.MOVER,
        **dict.fromkeys(_ESTATE, Who.ANYBODY),
        m.WantBuilding: Who.ANYBODY,
        **_ANSWERING,
        **_WAITING,
    },
    Stage.CARD: {m.Draw: Who.MOVER, **_WAITING},
    Stage.BUY: {m.Buy: Who.MOVER, m.PutUp: Who.MOVER, **_WAITING},
    Stage.AUCTION: {m.Bid: Who.BIDDER, m.PassBid: Who.BIDDER, **_ALWAYS},
    Stage.GUESS: {m.Guess: Who.MOVER, m.DeclineGuess: Who.MOVER, **_WAITING},
    Stage.KEY: {m.Unlock: Who.MOVER, **_WAITING},
    Stage.REFILL: {m.LockVault: Who.ANYBODY, **_WAITING},
    Stage.RENT_ROLL: {m.Roll: Who.MOVER, **_WAITING},
    Stage.DEBT: {
        m.PayDebt: Who.DEBTOR,
        m.DeclareBankrupt: Who.DEBTOR,
        **dict.fromkeys(_ESTATE, Who.DEBTOR),
        **_ANSWERING,
        **_WAITING,
    },
    Stage.OVER: {},
}
"""Stage -> allowed move -> who may make it. A new mechanic adds its own stages."""

REFUSED_AS: dict[type[m.Move], str] = {
    m.Guess: "no_guess_due",
    m.DeclineGuess: "no_guess_due",
}
"""What a move outside its stage is refused as, where that is not ``wrong_stage``."""
