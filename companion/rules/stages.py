"""Who may make which move in which stage: the turn as a table.

Rule 1: a move that is not in the stage's row is refused as ``wrong_stage``.
Rule 2: a move by somebody the row does not name is refused as ``not_your_turn``.

Asking for rent, leaving the game and saying yes or no to an offer are not turns, so
they stand in more rows than others do.

Source:
    The section "Stages" of ``companion/script/README.md``; each rule of a move names
    the rule sheet that it comes from in its own module.
"""

from __future__ import annotations

import enum

from companion.errors import Why
from companion.game import moves as m
from companion.game.stage import Stage


class Who(enum.Enum):
    """Who may make a move in a stage."""

    MOVER = enum.auto()  # The seat with the dice.
    BIDDER = enum.auto()  # A seat that has not passed, nor leads the bidding.
    DEBTOR = enum.auto()  # A seat that owes.
    ANYBODY = enum.auto()


_ALWAYS: dict[type[m.Move], Who] = {
    m.AskRent: Who.ANYBODY,
    m.ReadBox: Who.ANYBODY,
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

ALLOWED: dict[Stage, dict[type[m.Move], Who]] = {
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

REFUSED_AS: dict[type[m.Move], Why] = {
    m.Guess: Why.NO_GUESS_DUE,
    m.DeclineGuess: Why.NO_GUESS_DUE,
}
"""What a move outside its stage is refused as, where that is not ``wrong_stage``."""
