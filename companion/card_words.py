"""What a card does, in a few words of our own; no printed text is repeated."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from companion.board import Board
from companion.common_words import common
from companion.money import dollars_text
from companion.rulebook import Rulebook, RuleCard
from companion.words import say, say_count


def card_text(card: RuleCard, rules: Rulebook) -> str:
    """What *card* does, as a phrase: ``go to Boardwalk``."""
    return TEXTS.get(card.effect, _effect)(card, rules)


def card_names(board: Board) -> dict[str, str]:
    """Every card of the edition by its id, as a phrase."""
    return {card.id: card_text(card, board.rules) for card in board.rules.cards}


def written_text(word: str, names: Mapping[str, str]) -> str:
    """A card that somebody put into words, such as ``pay:100``, as a phrase.

    Args:
        word: As scripts write it; anything else comes back as it is.
        names: How spaces are called.
    """
    effect, _, value = word.partition(":")
    if effect == "advance":
        return say("go to {space}", space=names.get(f"space@{value}", value))
    if effect not in OF_AMOUNT or not value.isdigit():
        return word
    return OF_AMOUNT[effect](RuleCard(word, effect, amount=int(value)), None)


def _effect(card: RuleCard, _: Rulebook) -> str:
    return card.effect.replace("-", " ")


def _advance(card: RuleCard, rules: Rulebook) -> str:
    return say("go to {space}", space=rules.spaces[card.to].name)


def _nearest(card: RuleCard, _: Rulebook) -> str:
    if card.is_dice:
        return say(
            "go to the next {kind}; rent there is {times} times new dice",
            kind=common(card.kind),
            times=card.times,
        )
    if card.times == 2:
        return say("go to the next {kind}; its rent is doubled", kind=common(card.kind))
    return say("go to the next {kind}", kind=common(card.kind))


def _amount(template: str) -> Callable[[RuleCard, object], str]:
    def write(card: RuleCard, _: object) -> str:
        return say(template, amount=dollars_text(card.amount or 0))

    return write


def _repairs(card: RuleCard, _: Rulebook) -> str:
    price = dict(card.per)
    return say(
        "pay {house} for each house and {hotel} for each hotel",
        house=dollars_text(price.get("house", 0)),
        hotel=dollars_text(price.get("hotel", 0)),
    )


TEXTS: dict[str, Callable[[RuleCard, Rulebook], str]] = {
    "advance": _advance,
    "advance-nearest": _nearest,
    "move-back": lambda card, _: say("go back {count} spaces", count=card.spaces),
    "collect": _amount("collect {amount}"),
    "collect-each": _amount("collect {amount} from everybody"),
    "pay": _amount("pay {amount}"),
    "pay-each": _amount("pay {amount} to everybody"),
    "repairs": _repairs,
    "jail-card": lambda *_: say_count(
        1, "a card to leave jail", "{count} cards to leave jail"
    ),
    "go-to-jail": lambda *_: say("go to jail"),
    "guess": lambda *_: say("guess"),
    "to-vault": lambda *_: say("to vault"),
}
"""By effect; any other is called by the word that scripts have for it."""

OF_AMOUNT: dict[str, Callable[[RuleCard, object], str]] = {
    "collect": _amount("collect {amount}"),
    "pay": _amount("pay {amount}"),
    "to-vault": _amount("{amount} go from the bank into the vault"),
    "pay-to-vault": _amount("pay {amount} into the vault"),
}
"""Cards of an amount that people put into words."""
