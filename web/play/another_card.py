"""A real card that no file knows: people say what it does, and it is done.

Few cards of some boxes have been published. What is chosen here becomes a word of
the scripts, such as ``pay:100``, so the rules check it as they check any card.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import msgspec
from werkzeug.datastructures import MultiDict

from companion.errors import Malformed
from companion.game import Game
from companion.game.board import Board
from companion.game.card_code import (
    JAIL_CARD,
    KEPT,
    NEEDS_VAULT,
    OF_AMOUNT,
    buildings,
    is_alike,
    written_card,
)
from companion.game.rulebook import RuleDeck
from companion.words import say
from companion.words.money import parse_dollars


class Choice(msgspec.Struct, frozen=True):
    """One thing that a card may do: the word of the scripts, and a sentence."""

    word: str
    words: str


class Group(msgspec.Struct, frozen=True):
    """Things that a card may do, under one heading.

    Attributes:
        id: Its word among the styles.
        words: The heading.
        choices: What stands under it.
        amount: The field for how much, if any of them is of an amount.
    """

    id: str
    words: str
    choices: tuple[Choice, ...]
    amount: str = ""


KINDS: Final = (
    Group(
        "of-money",
        say("Money"),
        (
            Choice("collect", say("You get money from the bank")),
            Choice("pay", say("You pay the bank")),
            Choice("collect-each", say("Every player pays you")),
            Choice("pay-each", say("You pay every player")),
            Choice("repairs", say("You pay for what you have built")),
        ),
        "amount",
    ),
    Group(
        "of-vault",
        say("The vault"),
        (
            Choice("to-vault", say("The bank pays into the vault")),
            Choice("pay-to-vault", say("You pay into the vault")),
            Choice("guess", say("You may guess")),
        ),
        "vault-amount",
    ),
    Group(
        "of-token",
        say("Your token"),
        (
            Choice("advance", say("You go to a space")),
            Choice("move-back", say("You go back some spaces")),
            Choice("go-to-jail", say("You go to jail")),
            Choice(JAIL_CARD, say("It leads out of jail")),
        ),
    ),
    Group(
        "of-table",
        say("Something else"),
        (Choice("nothing", say("We do it ourselves: the bank has nothing to do")),),
    ),
)
"""What a card may do, by the word of the scripts, in the order of the page."""

PRICES: Final = {
    "house": say("How much for each house?"),
    "hotel": say("How much for each hotel?"),
}
"""What is asked of a card that takes money for buildings, by their kind."""

PRICE: Final = "price-"
"""Before the kind of building, among the fields of the form."""

NUMBER_LENGTH_MAX: Final = 40


class AnotherCard(msgspec.Struct, frozen=True, kw_only=True):
    """What can be said of a card.

    Attributes:
        groups: What it may do.
        spaces: Where it may send: the number, and the name.
        pieces: What can be built: the field of its price, and how it is asked for.
        known: How many cards of the deck are known.
        size: How many there are; 0 where nobody said.
    """

    groups: tuple[Group, ...]
    spaces: tuple[tuple[int, str], ...]
    pieces: tuple[tuple[str, str], ...]
    known: int
    size: int


def another_card(game: Game, seat: str) -> AnotherCard | None:
    """What *seat* may say of the card it drew; ``None`` where all cards are known."""
    play, board = game.play, game.board
    if play is None or board is None or play.stage != "card":
        return None
    if play.mover.seat != seat or not board.has_unlisted(play.awaited):
        return None
    deck = board.rules.decks[board.deck_index[play.awaited]]
    named = enumerate(space.name for space in board.rules.spaces)
    has = buildings(board.rules)
    return AnotherCard(
        groups=tuple(_groups(board, deck)),
        spaces=tuple(x for x in named if x[1]),
        pieces=tuple((PRICE + x, words) for x, words in PRICES.items() if x in has),
        known=board.known_count(deck.id),
        size=deck.size,
    )


def _groups(board: Board, deck: RuleDeck) -> Iterator[Group]:
    """What a card of that deck may do in that game."""
    for group in KINDS:
        found = tuple(x for x in group.choices if _can_do(board, deck, x.word))
        if found:
            yield msgspec.structs.replace(group, choices=found)


def _can_do(board: Board, deck: RuleDeck, effect: str) -> bool:
    """Whether that edition can have a card of the deck that does so."""
    if effect in deck.absent or (effect == "repairs" and not buildings(board.rules)):
        return False
    if effect in NEEDS_VAULT and board.rules.vault is None:
        return False
    plain = written_card(effect, board.rules) if effect == JAIL_CARD else None
    listed = board.cards_of(deck.id)  # A jail card has no second kind to write down.
    return plain is None or not any(is_alike(plain, card) for card in listed)


def written(form: MultiDict[str, str]) -> str:
    """The card that a form describes, as scripts write it; empty for none.

    Raises:
        Malformed: If a number is missing, or is none.
    """
    effect = form.get("effect", "")[:NUMBER_LENGTH_MAX]
    is_kept = form.get("keep") == "yes" and effect not in ("", JAIL_CARD)
    return f"{KEPT if is_kept else ''}{effect}{_value(effect, form)}"


def _value(effect: str, form: MultiDict[str, str]) -> str:
    """What stands behind the effect, with its colon; nothing behind some."""
    if effect in OF_AMOUNT:
        is_vaults = effect in NEEDS_VAULT and "vault-amount" in form
        field = "vault-amount" if is_vaults else "amount"
        return f":{parse_dollars(_text(form, field))}"
    if effect == "advance":
        return f":{_text(form, 'space')[:3]}"
    if effect == "move-back":
        return f":{_steps(_text(form, 'steps'))}"
    if effect == "repairs":
        return _prices(form)
    return ""


def _text(form: MultiDict[str, str], field: str) -> str:
    return form.get(field, "")[:NUMBER_LENGTH_MAX].strip()


def _steps(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 3 and int(text)):
        wanted = say("expected a number of spaces, got {got}", got=_got(text))
        raise Malformed(wanted, say("type it in digits, like 3"))
    return int(text)


def _got(text: str) -> str:
    return repr(text) if text else say("nothing")


def _prices(form: MultiDict[str, str]) -> str:
    """``:house:25:hotel:100``; what is left empty costs nothing."""
    typed = {
        field.removeprefix(PRICE): _text(form, field)
        for field in form
        if field.startswith(PRICE) and _text(form, field)
    }
    if not typed:
        raise Malformed(
            say("expected what each building costs, got nothing"),
            say("type what the card says"),
        )
    return "".join(f":{kind}:{parse_dollars(text)}" for kind, text in typed.items())
