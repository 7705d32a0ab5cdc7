"""A real card that no edition file lists: people say what it does, and it is done.

Of some boxes, few cards have been published. What people choose here becomes a card
code as game scripts write it, such as ``pay:100``, and the rules check it like any
other card.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

import msgspec
from werkzeug.datastructures import MultiDict

from companion.errors import Malformed
from companion.game import Game
from companion.game.board import Board
from companion.game.card_code import (
    CHOICE,
    FREE_HOTEL,
    JAIL_CARD,
    JAIL_SOMEONE,
    KEPT,
    NEEDS_DECODER,
    NEEDS_VAULT,
    OF_AMOUNT,
    READY_CHIPS,
    SKIP_RENT,
    buildings,
    does_the_same,
    written_card,
)
from companion.game.rulebook import RuleDeck
from companion.game.stage import Stage
from companion.words import say
from companion.words.money import plain_text
from web.http import fields


class Choice(msgspec.Struct, frozen=True):
    """One thing that a card may do: its word in a card code, and a sentence."""

    word: str
    words: str


class Group(msgspec.Struct, frozen=True):
    """Things that a card may do, under one heading.

    Attributes:
        id: The CSS class of the group.
        words: The heading.
        choices: What stands under the heading.
        amount: The form field for the amount; empty if no choice needs one.
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
            Choice(CHOICE, say("You pay, or go to jail")),
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
        "of-fakes",
        say("The game with fakes"),
        (
            Choice(SKIP_RENT, say("You skip one rent")),
            Choice(FREE_HOTEL, say("You put up a hotel for free")),
            Choice(JAIL_SOMEONE, say("You send somebody to jail")),
            Choice(READY_CHIPS, say("Your chips turn green again")),
        ),
    ),
    Group(
        "of-table",
        say("Something else"),
        (Choice("nothing", say("We do it ourselves: the bank has nothing to do")),),
    ),
)
"""Everything that a card may do, in the order of the page."""

PRICES: Final = {
    "house": say("How much for each house?"),
    "hotel": say("How much for each hotel?"),
}
"""The question for the price of each kind of building, for a card about repairs."""

PRICE: Final = "price-"
"""The prefix of form fields that hold a price; the kind of building follows it."""

NUMBER_LENGTH_MAX: Final = 40


class AnotherCard(msgspec.Struct, frozen=True, kw_only=True):
    """The choices for saying what an unlisted card does.

    Attributes:
        groups: What the card may do.
        spaces: Where it may send a token: number and name of each space.
        pieces: The buildings it may charge for: form field and question of each.
        known: How many cards of the deck are known.
        size: How many cards the deck has; 0 where nobody knows.
        said: What was chosen and typed before, by form field, if that was refused.
    """

    groups: tuple[Group, ...]
    spaces: tuple[tuple[int, str], ...]
    pieces: tuple[tuple[str, str], ...]
    known: int
    size: int
    said: Mapping[str, str]


def another_card(
    game: Game, seat: str, said: Mapping[str, str] | None = None
) -> AnotherCard | None:
    """The choices for the card *seat* drew; ``None`` if the deck is fully known.

    Args:
        game: The game as it stands.
        seat: Who draws.
        said: The fields of the form, if it was sent and refused.
    """
    play, board = game.play, game.board
    if play is None or board is None or play.stage is not Stage.CARD:
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
        said={name: text[:NUMBER_LENGTH_MAX] for name, text in (said or {}).items()},
    )


def _groups(board: Board, deck: RuleDeck) -> Iterator[Group]:
    """What an unlisted card of *deck* may do on *board*."""
    for group in KINDS:
        found = tuple(x for x in group.choices if _can_do(board, deck, x.word))
        if found:
            yield msgspec.structs.replace(group, choices=found)


def _can_do(board: Board, deck: RuleDeck, effect: str) -> bool:
    """Whether *deck* may hold a further card with that effect."""
    if effect in deck.absent or (effect == "repairs" and not buildings(board.rules)):
        return False
    if effect in NEEDS_VAULT and board.rules.vault is None:
        return False
    if effect in (CHOICE, *NEEDS_DECODER) and board.rules.decoder is None:
        return False
    is_plain = effect in (JAIL_CARD, *NEEDS_DECODER)
    plain = written_card(effect, board.rules) if is_plain else None
    listed = board.cards_of(deck.id)  # Such cards are all alike: one is enough.
    return plain is None or not any(does_the_same(plain, card) for card in listed)


def written(form: MultiDict[str, str]) -> str:
    """The code of the card that a form describes; empty for none.

    Raises:
        Malformed: If a number is missing or malformed.
    """
    effect = form.get("effect", "")[:NUMBER_LENGTH_MAX]
    is_kept = form.get("keep") == "yes" and effect not in ("", JAIL_CARD)
    return f"{KEPT if is_kept else ''}{effect}{_value(effect, form)}"


def _value(effect: str, form: MultiDict[str, str]) -> str:
    """What follows the effect in the card code, colon included; may be empty."""
    if effect in OF_AMOUNT:
        is_vaults = effect in NEEDS_VAULT and "vault-amount" in form
        field = "vault-amount" if is_vaults else "amount"
        return f":{fields.amount(form, field)}"
    if effect == "advance":
        return f":{_text(form, 'space')[:3]}"
    if effect == "move-back":
        return f":{_steps(_text(form, 'steps'))}"
    if effect == "repairs":
        return _prices(form)
    return ""


def _text(form: MultiDict[str, str], field: str) -> str:
    return plain_text(fields.text(form, field)).strip()


def _steps(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 3 and int(text)):
        got = repr(text) if text else say("nothing")
        wanted = say("{got} is no number of spaces", got=got)
        raise Malformed(wanted, say("type it in digits, like 3"))
    return int(text)


def _prices(form: MultiDict[str, str]) -> str:
    """The prices in a card code, like ``:house:25:hotel:100``; empty fields cost 0."""
    typed = {
        field.removeprefix(PRICE): _text(form, field)
        for field in form
        if field.startswith(PRICE) and _text(form, field)
    }
    if not typed:
        raise Malformed(say("no price was typed"), say("type what the card says"))
    return "".join(f":{kind}:{fields.amount_in(x)}" for kind, x in typed.items())
