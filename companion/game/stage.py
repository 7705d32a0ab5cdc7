"""The stages of guided play, what the table waits for, and the ways to its end.

``companion/rules`` says which moves each stage takes, and from whom.
"""

from __future__ import annotations

import enum
from typing import Self

from companion.words import say


class Worded(enum.StrEnum):
    """Words that scripts and journals keep.

    Attributes:
        words: The same in the words of people, as a part of a sentence.
    """

    words: str

    def __new__(cls, word: str, words: str) -> Self:
        """Make the member that is kept as *word*."""
        member = str.__new__(cls, word)
        member._value_ = word
        member.words = words
        return member


class Stage(Worded):
    """What the table waits for; the rules of an edition decide which stages occur."""

    ROLL = "roll", say("a roll of the dice")
    CARD = "card", say("a card")
    BUY = "buy", say("somebody to buy or not")
    AUCTION = "auction", say("bids")
    GUESS = "guess", say("a guess at the vault")  # After a right guess: the lid.
    KEY = "key", say("a key to be used")
    REFILL = "refill", say("the vault to be filled and locked")  # By anybody.
    CHOOSE = "choose", say("somebody to choose")
    PAYMENT = "payment", say("a payment to be handed over")
    VERDICT = "verdict", say("what the decoder says")
    CARD_USE = "card-use", say("a card to be used")
    RENT_ROLL = "rent-roll", say("a roll for the rent")
    LEVEL = "level", say("a group to be built evenly")
    DEBT = "debt", say("a debt to be paid")
    OVER = "over", say("nothing more")


class Ending(Worded):
    """How a game came to its end."""

    UNKNOWN = "", ""  # A game of a program that did not write it down, or none yet.
    ONE_LEFT = "one-left", say("only one player is left")
    FIRST_OUT = "first-bankruptcy", say("one player is out")
    SECOND_OUT = "second-bankruptcy", say("two players are out")
    ENOUGH_OUT = "bankruptcies", say("enough players are out")
    ALL_OWNED = "all-owned", say("all streets are owned")
    TIME_UP = "time-up", say("the time is up")


OPTIONAL_ENDS = (Ending.ALL_OWNED, Ending.FIRST_OUT)
"""The ends between which the option ``end`` of a box lets its table choose."""

FOR_SALE = (Stage.BUY, Stage.AUCTION)
"""The stages in which something is sold, and money may be raised for it."""

LAID_STAGES = (Stage.PAYMENT, Stage.CARD_USE, Stage.VERDICT)
"""The stages in which money or a card lies on the table before it is handed over."""

OF_THE_TABLE = (*LAID_STAGES, Stage.DEBT, Stage.LEVEL, Stage.AUCTION, Stage.REFILL)
"""The stages in which others than the mover may have to act; the turn waits."""
