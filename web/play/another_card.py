"""A form for a real card that no edition file lists: people describe its effect.

Few cards of some editions have been published. Whoever draws an unlisted one chooses
its *effect*, such as "You pay the bank", and types the amount. That becomes a *card
code* as in game scripts, such as ``pay:100``, which the rules check like any other
card. A code that begins with ``KEPT`` is a card that its owner keeps for later.
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
    """One effect of a card: its word in a card code, and a sentence for people."""

    word: str
    words: str


class Group(msgspec.Struct, frozen=True):
    """Effects of cards under one heading.

    Attributes:
        id: The CSS class of the group.
        words: The heading.
        choices: The effects under it.
        amount: The form field for the amount; empty if no effect needs one.
    """

    id: str
    words: str
    choices: tuple[Choice, ...]
    amount: str = ""


GROUPS: Final = (
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
        amount="amount",
    ),
    Group(
        "of-vault",
        say("The vault"),
        (
            Choice("to-vault", say("The bank pays into the vault")),
            Choice("pay-to-vault", say("You pay into the vault")),
            Choice("guess", say("You may guess")),
        ),
        amount="vault-amount",
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
"""All effects that a card may have, by heading, in the order of the page."""

PRICES: Final = {
    "house": say("How much for each house?"),
    "hotel": say("How much for each hotel?"),
}
"""The question for each kind of building that a card about repairs may charge for."""

PRICE: Final = "price-"
"""The prefix of the field for such a price, before the kind of building."""

SPACE_LENGTH_MAX: Final = 3
"""How many characters of a space's number are read."""

STEPS_LENGTH_MAX: Final = 2
"""How many digits a number of spaces to go back has at most."""

VALUE_LENGTH_MAX: Final = 40
"""How many characters of a field are read; card codes need fewer."""


class AnotherCard(msgspec.Struct, frozen=True, kw_only=True):
    """The form in which people describe an unlisted card.

    Attributes:
        groups: The effects that the card may have.
        spaces: The spaces to which it may send a token, as (number, name).
        pieces: The kinds of buildings it may charge for, as (form field, question).
        known: How many cards of the deck are known.
        size: How many cards the deck has; 0 if unknown.
        said: The fields of a refused form, by name, to show them again.
    """

    groups: tuple[Group, ...]
    spaces: tuple[tuple[int, str], ...]
    pieces: tuple[tuple[str, str], ...]
    known: int
    size: int
    said: Mapping[str, str]


def another_card(
    game: Game, seat: str, filled_in: Mapping[str, str]
) -> AnotherCard | None:
    """Build the form for the card that *seat* drew, with the fields of a refused one.

    Return ``None`` if *seat* draws no card now, or if all cards of the deck are known.
    """
    play, board = game.play, game.board
    if play is None or board is None or play.stage is not Stage.CARD:
        return None
    if play.mover.seat != seat or not board.has_unlisted(play.awaited):
        return None
    deck = board.rules.decks[board.deck_index[play.awaited]]
    kinds = buildings(board.rules)
    return AnotherCard(
        groups=tuple(_possible_groups(board, deck)),
        spaces=tuple(
            (number, space.name)
            for number, space in enumerate(board.rules.spaces)
            if space.name
        ),
        pieces=tuple((PRICE + kind, PRICES[kind]) for kind in PRICES if kind in kinds),
        known=board.known_count(deck.id),
        size=deck.size,
        said={name: text[:VALUE_LENGTH_MAX] for name, text in filled_in.items()},
    )


def _possible_groups(board: Board, deck: RuleDeck) -> Iterator[Group]:
    """Yield the groups with the effects that an unlisted card of *deck* may have."""
    for group in GROUPS:
        choices = tuple(
            choice for choice in group.choices if _can_have(board, deck, choice.word)
        )
        if choices:
            yield msgspec.structs.replace(group, choices=choices)


def _can_have(board: Board, deck: RuleDeck, effect: str) -> bool:
    """Tell whether *deck* may hold a further card with that effect."""
    if effect in deck.absent or (effect == "repairs" and not buildings(board.rules)):
        return False
    if effect in NEEDS_VAULT and board.rules.vault is None:
        return False
    if effect in (CHOICE, *NEEDS_DECODER) and board.rules.decoder is None:
        return False
    if effect not in (JAIL_CARD, *NEEDS_DECODER):
        return True
    # These effects have no amount, so all such cards are alike; a listed one is chosen
    # from the list.
    card = written_card(effect, board.rules)
    if card is None:
        return True
    return not any(does_the_same(card, listed) for listed in board.cards_of(deck.id))


def code_from_form(form: MultiDict[str, str]) -> str:
    """Return the code of the card that a form describes; empty for no effect.

    Raises:
        Malformed: If a number is missing or malformed.
    """
    effect = form.get("effect", "")[:VALUE_LENGTH_MAX]
    is_kept = form.get("keep") == "yes" and effect not in ("", JAIL_CARD)
    return f"{KEPT if is_kept else ''}{effect}{_code_value(effect, form)}"


def _code_value(effect: str, form: MultiDict[str, str]) -> str:
    """Return an effect's value with its colon, such as ``:100``; empty for none."""
    if effect in OF_AMOUNT:
        is_for_vault = effect in NEEDS_VAULT and "vault-amount" in form
        field = "vault-amount" if is_for_vault else "amount"
        return f":{fields.amount(form, field)}"
    if effect == "advance":
        return f":{_read_text(form, 'space')[:SPACE_LENGTH_MAX]}"
    if effect == "move-back":
        return f":{_read_steps(_read_text(form, 'steps'))}"
    if effect == "repairs":
        return _read_prices(form)
    return ""


def _read_text(form: MultiDict[str, str], field: str) -> str:
    """Read a field without invisible characters and outer blanks."""
    return plain_text(fields.text(form, field)).strip()


def _read_steps(text: str) -> int:
    """Read a number of spaces from 1 to 99.

    Raises:
        Malformed: If it is not such a number.
    """
    is_number = text.isascii() and text.isdigit() and len(text) <= STEPS_LENGTH_MAX
    if not is_number or int(text) == 0:
        got = repr(text) if text else say("nothing")
        message = say("{got} is no number of spaces", got=got)
        raise Malformed(message, say("type it in digits, like 3"))
    return int(text)


def _read_prices(form: MultiDict[str, str]) -> str:
    """Return the prices as in a card code, like ``:house:25:hotel:100``.

    A kind of building whose field is empty costs nothing.

    Raises:
        Malformed: If no price was typed, or one is not an amount.
    """
    typed = {
        field.removeprefix(PRICE): _read_text(form, field)
        for field in form
        if field.startswith(PRICE) and _read_text(form, field)
    }
    if not typed:
        raise Malformed(say("no price was typed"), say("type what the card says"))
    return "".join(f":{kind}:{fields.amount_in(text)}" for kind, text in typed.items())
