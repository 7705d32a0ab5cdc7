"""The stages of guided play: what the table waits for.

``companion/rules`` says which moves each stage takes, and from whom.
"""

from __future__ import annotations

import enum

from companion.words import say


class Stage(enum.StrEnum):
    """What the table waits for; the rules of an edition decide which stages occur.

    Attributes:
        awaits: The stage in the words of people.
    """

    awaits: str

    def __new__(cls, word: str, awaits: str) -> Stage:
        """Make the stage that scripts call *word*."""
        stage = str.__new__(cls, word)
        stage._value_ = word
        stage.awaits = awaits
        return stage

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


FOR_SALE = (Stage.BUY, Stage.AUCTION)
"""The stages in which something is sold, and money may be raised for it."""
