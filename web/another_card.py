"""A real card that no file knows: people say what it does, and it is done.

Few cards of some boxes have been published. What is chosen here becomes a word of
the scripts, such as ``pay:100``, so the rules check it as they check any card.
"""

from __future__ import annotations

from typing import Final

import msgspec
from werkzeug.datastructures import MultiDict

from companion.game import Game
from companion.money import parse_dollars
from companion.words import say

KINDS: Final = {
    "collect": say("You get money from the bank"),
    "pay": say("You pay the bank"),
    "pay-to-vault": say("You pay into the vault"),
    "to-vault": say("The bank pays into the vault"),
    "advance": say("You go to a space"),
    "go-to-jail": say("You go to jail"),
}
"""What a card may do, by the word of the scripts; guesses stand on cards we know."""

OF_AMOUNT: Final = ("collect", "pay", "pay-to-vault", "to-vault")
OF_VAULT: Final = ("pay-to-vault", "to-vault")


class AnotherCard(msgspec.Struct, frozen=True):
    """What can be said of a card.

    Attributes:
        kinds: What it does: the word, and a sentence.
        spaces: Where it may send: the number, and the name.
    """

    kinds: tuple[tuple[str, str], ...]
    spaces: tuple[tuple[int, str], ...]


def another_card(game: Game, seat: str) -> AnotherCard | None:
    """What *seat* may say of the card it drew; ``None`` where all cards are known."""
    play, board = game.play, game.board
    if play is None or board is None or play.stage != "card":
        return None
    at = board.deck_index.get(play.awaited)
    if play.mover.seat != seat or at is None or board.rules.decks[at].is_complete:
        return None
    has_vault = board.rules.vault is not None
    kinds = {x: text for x, text in KINDS.items() if has_vault or x not in OF_VAULT}
    named = enumerate(space.name for space in board.rules.spaces)
    return AnotherCard(tuple(kinds.items()), tuple(x for x in named if x[1]))


def written(form: MultiDict[str, str]) -> str:
    """The card that a form describes, as scripts write it; empty for none.

    Raises:
        Malformed: If its amount is none.
    """
    effect = form.get("effect", "")[:40]
    if effect in OF_AMOUNT:
        return f"{effect}:{parse_dollars(form.get('amount', '')[:40])}"
    return f"{effect}:{form.get('space', '')[:3]}" if effect == "advance" else effect
