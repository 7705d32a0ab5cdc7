"""Short phrases for what a card does, in our own words; no printed text is repeated.

``TEXTS`` has the phrase for each *effect*, which is what a card does. A page gets the
phrases of all cards of a board at once (``card_names``). A card that no deck lists has
a *code* as its id (``card_code.py``), from which its phrase is made.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from msgspec.structs import replace

from companion.game.board import Board
from companion.game.card_code import JAIL_CARD, KEPT, parse_code
from companion.game.rulebook import Rulebook, RuleCard
from companion.game.spaces import data_words
from companion.words import say, say_count
from companion.words.common import common
from companion.words.lists import with_ands
from companion.words.money import dollars_text


def card_text(card: RuleCard, rules: Rulebook) -> str:
    """Return what *card* does, as a phrase: ``go to Boardwalk``."""
    return effect_text(card, common(rules.spaces[card.to].name))


def drawn_text(card: RuleCard, rules: Rulebook) -> str:
    """Return what *card* does, as a phrase that also says whether to keep it."""
    is_kept = card.is_kept and card.effect != JAIL_CARD  # Of that one it is obvious.
    return _with_keeping(card_text(card, rules), is_kept=is_kept)


def card_names(board: Board) -> dict[str, str]:
    """Return the phrases of each card: by its id, and for drawing by ``drawn_key``."""
    names = {}
    for card in board.rules.cards:
        names[card.id] = card_text(card, board.rules)
        names[drawn_key(card.id)] = drawn_text(card, board.rules)
    return names


def drawn_key(card: str) -> str:
    """Return the key in ``card_names`` of the phrase for drawing *card*."""
    return f"drawn@{card}"


def name_of_card(names: Mapping[str, str], card: str) -> str:
    """Return the phrase for *card*: from *names*, or made from its code."""
    return names.get(card) or _text_of_code(card, names)


def drawn_card(names: Mapping[str, str], card: str) -> str:
    """Return the phrase for drawing *card*, which also says whether to keep it."""
    text = names.get(drawn_key(card))
    return text or _with_keeping(
        name_of_card(names, card), is_kept=card.startswith(KEPT)
    )


def _with_keeping(text: str, *, is_kept: bool) -> str:
    """Return *text*, which also says to keep the card if *is_kept*."""
    return say("keep it: {card} when you like", card=text) if is_kept else text


def _text_of_code(word: str, names: Mapping[str, str]) -> str:
    """Return a phrase for the card with the code *word*; any other word unchanged."""
    code = parse_code(word)
    if code is None:
        return word
    place = names.get(f"space@{code.place}") or names.get(code.place, code.place)
    card = RuleCard(
        word, code.effect, amount=code.amount, spaces=code.spaces, per=code.per
    )
    if code.effect == "pay-to-vault":
        card = replace(card, effect="to-vault", payer="seat")
    return effect_text(card, place)


def effect_text(card: RuleCard, place: str) -> str:
    """Return what *card* does, as a phrase; *place* names the space it goes to."""
    write = TEXTS.get(card.effect)
    return card.effect.replace("-", " ") if write is None else write(card, place)


def _nearest_text(card: RuleCard, _: str) -> str:
    """Word a move to the next space of a kind, with the rent there."""
    if card.is_dice:
        return say(
            "go to the next {kind}; rent there is {times} times new dice",
            kind=data_words(card.kind),
            times=card.times,
        )
    if card.times == 2:
        return say(
            "go to the next {kind}; its rent is doubled", kind=data_words(card.kind)
        )
    return say("go to the next {kind}", kind=data_words(card.kind))


def _with_amount(template: str) -> Callable[[RuleCard, str], str]:
    """Return the function that words a card by *template*, with its amount."""

    def write(card: RuleCard, _: str) -> str:
        if card.amount is None:
            return say(template, amount=say("an unknown amount"))
        return say(template, amount=dollars_text(card.amount))

    return write


FOR_EACH: Final[Mapping[str, Callable[[str], str]]] = {
    "house": lambda amount: say("{amount} for each house", amount=amount),
    "hotel": lambda amount: say("{amount} for each hotel", amount=amount),
    "skyscraper": lambda amount: say("{amount} for each skyscraper", amount=amount),
    "depot": lambda amount: say("{amount} for each depot", amount=amount),
}
"""Kind of building -> the words for its price."""


def _repairs_text(card: RuleCard, _: str) -> str:
    """Word the price for each kind of building, except for kinds that cost nothing."""
    costs = [
        FOR_EACH[kind](dollars_text(price))
        for kind, price in card.per
        if price or len(card.per) == 1
    ]
    return say("pay {costs}", costs=with_ands(costs))


def _to_vault_text(card: RuleCard, _: str) -> str:
    """Word money that goes into the vault, from the bank or the seat."""
    if card.amount is None:
        return say("money goes into the vault")
    amount = dollars_text(card.amount)
    if card.payer == "seat":
        return say("pay {amount} into the vault", amount=amount)
    return say("{amount} go from the bank into the vault", amount=amount)


def _choice_text(card: RuleCard, _: str) -> str:
    """Word the choice between paying and jail."""
    if card.amount is None:
        return say("pay or go to jail")
    return say("pay {amount} or go to jail", amount=dollars_text(card.amount))


TEXTS: Final[Mapping[str, Callable[[RuleCard, str], str]]] = {
    "advance": lambda _, place: say("go to {space}", space=place),
    "advance-nearest": _nearest_text,
    "move-back": lambda card, _: say_count(
        card.spaces, "go back {count} space", "go back {count} spaces"
    ),
    "collect": _with_amount("collect {amount}"),
    "collect-each": _with_amount("collect {amount} from everybody"),
    "pay": _with_amount("pay {amount}"),
    "pay-each": _with_amount("pay {amount} to everybody"),
    "repairs": _repairs_text,
    "jail-card": lambda *_: say_count(
        1, "a card to leave jail", "{count} cards to leave jail"
    ),
    "go-to-jail": lambda *_: say("go to jail"),
    "guess": lambda *_: say("a guess"),
    "to-vault": _to_vault_text,
    "skip-rent": lambda *_: say("skip one rent"),
    "free-hotel": lambda *_: say("put up a hotel for free"),
    "jail-someone": lambda *_: say("send somebody to jail"),
    "ready-chips": lambda *_: say("turn your chips green again"),
    "choice": _choice_text,
    "ticket": lambda *_: say("a bus ticket"),
    "expire": lambda *_: say("all bus tickets held until now are lost"),
    "nothing": lambda *_: say("nothing for the bank to do"),
}
"""Effect -> the function that words it; other effects show the word of scripts."""
