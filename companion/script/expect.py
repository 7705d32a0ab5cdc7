"""Answers to the ``expect`` lines of a script.

Such a line names a *subject* (a seat, a deed, the bank, or a word about the table) and
what the script expects of it: ``expect red cash 1500``. An *answer* says whether the
game agrees, and what the game has. Each word has a function ``_answer_…`` that gets the
*rest*: the words after it.
"""

from __future__ import annotations

from collections.abc import Callable

from companion.errors import Malformed, Refused, quoted
from companion.game import Game
from companion.game import moves as m
from companion.game.card_code import space_number
from companion.game.playing_tickets import tickets_left
from companion.game.position import (
    FORCED,
    LOCKED,
    OPEN,
    OPENING,
    SHUT,
    Position,
    Token,
)
from companion.rules import decide, may_give
from companion.rules.deciding import moves_by_kind
from companion.rules.rule import Range
from companion.script.slots import board_of
from companion.script.verbs import VERBS, WordsWrong, command_of
from companion.units import BANK, VAULT, Account
from companion.words.reading import amount_and_creditor, number, one_word
from companion.words.report import unexpected

Rest = tuple[str, ...]

Answer = tuple[bool, str]
"""Whether the line holds, and what the game has, in the script's own words."""


def answer_expectation(game: Game, words: tuple[str, ...]) -> Answer:
    """Compare one ``expect`` line with the game.

    Raises:
        Malformed: If the words cannot be read.
    """
    play, board = game.play, board_of(game)
    assert play is not None, "a script has begun to play"
    subject, rest = words[0], words[1:]
    if subject in TABLE_ANSWERS:
        return TABLE_ANSWERS[subject](game, play, rest)
    token = play.token(subject)
    if token is not None:
        if rest[0] not in SEAT_ANSWERS:
            raise unexpected(f"one of {', '.join(SEAT_ANSWERS)}", quoted(rest[0]))
        return SEAT_ANSWERS[rest[0]](game, token, rest[1:])
    if subject in board.index:
        return _answer_deed(game, play, board.index[subject], rest)
    if subject == BANK:
        return _answer_bank(game, play, rest)
    raise unexpected(
        f"a seat, a deed, the bank or one of {', '.join(TABLE_ANSWERS)}",
        quoted(subject),
    )


def _compare(expected: str, got: object) -> Answer:
    """Answer whether *got*, as text, is what the script expects."""
    return expected == str(got), str(got)


# Seats.


def _answer_on(game: Game, token: Token, rest: Rest) -> Answer:
    rules = board_of(game).rules
    space = space_number(rules, one_word(rest))
    if space is None:
        raise unexpected("a space of this board", quoted(rest[0]))
    actual = rules.spaces[token.space]
    return space == token.space, f"{actual.deed or actual.kind} ({token.space})"


def _answer_cash(game: Game, token: Token, rest: Rest) -> Answer:
    expected = number(one_word(rest))
    got = game.ledger[Account(token.seat)]
    return expected == got, str(got)


def _answer_owns(game: Game, token: Token, rest: Rest) -> Answer:
    """Answer whether the seat owns all these deeds; it may own others."""
    play, board = game.play, board_of(game)
    assert play is not None, "a script has begun to play"
    for deed in rest:
        if deed not in board.index:
            raise unexpected("a deed of this edition", quoted(deed))
    pairs = zip(board.rules.deeds, play.owners, strict=True)
    owned = [deed.id for deed, owner in pairs if owner == token.seat]
    return set(rest) <= set(owned), " ".join(owned) or "nothing"


def _answer_jailed(_: Game, token: Token, rest: Rest) -> Answer:
    """Answer whether the seat is in jail, with that number of failed attempts."""
    got = f"jailed {token.tries}" if token.is_jailed else "free"
    expected = f"jailed {number(one_word(rest))}" if rest else got
    return token.is_jailed and expected == got, got


def _answer_free(_: Game, token: Token, rest: Rest) -> Answer:
    is_free = not token.is_jailed
    return is_free, "free" if is_free else f"jailed {token.tries}"


def _answer_cards(game: Game, token: Token, rest: Rest) -> Answer:
    """Compare the cards in hand, named by id or by effect; their order is free."""
    expected = [] if rest == ("none",) else list(rest)
    # Cards named by id come first, so that they do not use up a word for an effect.
    held = sorted(token.cards, key=lambda card: card not in expected)
    is_called = board_of(game).is_called
    for card in held:
        word = next((word for word in expected if is_called(card, word)), None)
        if word is None:
            return False, " ".join(token.cards)
        expected.remove(word)
    return not expected, " ".join(token.cards) or "none"


def _answer_bankrupt(_: Game, token: Token, rest: Rest) -> Answer:
    return token.is_out, "bankrupt" if token.is_out else "in the game"


def _answer_owes(game: Game, token: Token, rest: Rest) -> Answer:
    """Compare what the seat owes, to one creditor or to all."""
    assert game.play is not None, "a script has begun to play"
    owed, creditor = amount_and_creditor(rest)
    debts = [debt for debt in game.play.debts if debt.debtor == token.seat]
    if creditor:
        debts = [debt for debt in debts if debt.creditor == creditor]
    got = sum(debt.amount for debt in debts)
    return number(owed) == got, str(got)


def _answer_hotels(_: Game, token: Token, rest: Rest) -> Answer:
    """Compare the loose hotels in hand."""
    return _compare(one_word(rest), token.hotels)


def _answer_tickets(_: Game, token: Token, rest: Rest) -> Answer:
    return _compare(one_word(rest), token.tickets)


def _answer_chips(_: Game, token: Token, rest: Rest) -> Answer:
    """Compare the decoder chips that are ready."""
    return _compare(one_word(rest), token.chips)


SEAT_ANSWERS: dict[str, Callable[[Game, Token, Rest], Answer]] = {
    "on": _answer_on,
    "cash": _answer_cash,
    "owns": _answer_owns,
    "jailed": _answer_jailed,
    "free": _answer_free,
    "cards": _answer_cards,
    "bankrupt": _answer_bankrupt,
    "owes": _answer_owes,
    "hotels": _answer_hotels,
    "chips": _answer_chips,
    "tickets": _answer_tickets,
}
"""Word about a seat -> the function that answers it."""


# Deeds and the bank.


def _answer_deed(game: Game, play: Position, index: int, rest: Rest) -> Answer:
    """Compare the owner, the mortgage or the buildings of the deed at *index*."""
    board, topic = board_of(game), rest[0]
    if topic == "owner":
        return _compare(one_word(rest[1:]), play.owners[index] or "none")
    if topic in ("mortgaged", "unmortgaged"):
        got = "mortgaged" if play.mortgaged[index] else "unmortgaged"
        return _compare(topic, got)
    level = play.levels[index]
    if topic == "bare":
        return level == 0, f"{level} steps built"
    kind = topic.removesuffix("s")
    if kind not in board.kinds:
        raise unexpected("owner, houses, hotels, mortgaged or bare", quoted(topic))
    counts = dict(zip(board.kinds, board.used[index][level], strict=True))
    expected = number(one_word(rest[1:])) if rest[1:] else 1
    return expected == counts[kind], str(counts[kind])


def _answer_bank(game: Game, play: Position, rest: Rest) -> Answer:
    """Compare how many pieces of one kind the bank has left."""
    board = board_of(game)
    left = dict(zip(board.kinds, play.pieces, strict=True))
    if play.vault_contents is not None:
        left["key"] = play.vault_contents.bank_keys
    if board.tickets is not None:
        left["ticket"] = tickets_left(play, board)
    kind = rest[0].removesuffix("s")
    if kind not in left:
        raise unexpected(f"one of {', '.join(left)}", quoted(rest[0]))
    return number(one_word(rest[1:])) == left[kind], str(left[kind])


# The table.


def _answer_can(game: Game, _: Position, rest: Rest) -> Answer:
    """Answer whether a seat may make a move; a verb alone means any such move."""
    if len(rest) < 2 or rest[1] not in VERBS:
        raise unexpected("a seat and a verb", quoted(" ".join(rest)))
    seat, verb, args = rest[0], rest[1], rest[2:]
    if not args:
        is_legal = _is_open(game, seat, verb)
        return is_legal, "can" if is_legal else "cannot"
    try:
        decide(game, command_of(game, seat, verb, args))
    except WordsWrong as error:
        return False, f"cannot: {error}"
    except Refused as refused:
        return False, f"cannot: {refused.why}"
    return True, "can"


def _is_open(game: Game, seat: str, verb: str) -> bool:
    """Return whether the seat has any move of that verb now.

    ``space`` and ``figure`` share a kind of move; the rules offer a range of values
    only for an amount, which is what ``figure`` types in.
    """
    kind = VERBS[verb].kind
    if kind is not m.ReadBox:
        return may_give(game, seat, kind)
    is_figure = verb == "figure"
    for _, choices in moves_by_kind(game, seat, (kind,)):
        if any(isinstance(choice, Range) == is_figure for choice in choices):
            return True
    return False


def _answer_cannot(game: Game, play: Position, rest: Rest) -> Answer:
    is_legal, got = _answer_can(game, play, rest)
    return not is_legal, got


def _answer_score(_: Game, play: Position, rest: Rest) -> Answer:
    """Compare the score of a seat once the game is over."""
    if len(rest) != 2:
        raise unexpected("a seat and its score", quoted(" ".join(rest)))
    scores = {str(seat): score for seat, score in play.scores}
    got = scores.get(rest[0], 0 if scores else None)  # A seat that is out scores 0.
    return got == number(rest[1]), "no score yet" if got is None else str(got)


def _answer_winner(_: Game, play: Position, rest: Rest) -> Answer:
    return one_word(rest) in play.winners, " ".join(play.winners) or "nobody yet"


def _answer_money(game: Game, _: Position, rest: Rest) -> Answer:
    """Compare the sum of all balances, which is 0 as long as no money is lost."""
    return _compare(
        one_word(rest), sum(game.ledger[account] for account in game.ledger)
    )


def _answer_stage(_: Game, play: Position, rest: Rest) -> Answer:
    return _compare(one_word(rest), play.stage)


def _answer_turn(_: Game, play: Position, rest: Rest) -> Answer:
    return _compare(one_word(rest), play.mover.seat)


LIDS = {"locked": (LOCKED,), "open": (OPEN, FORCED), "shut": (SHUT, OPENING)}
"""Word of scripts for the lid -> the states that it means."""


def _answer_vault(game: Game, play: Position, rest: Rest) -> Answer:
    """Compare the vault's money, its contents or its lid."""
    if rest[0] == "cash":
        return _compare(one_word(rest[1:]), game.ledger[VAULT])
    contents = play.vault_contents
    if contents is None:
        raise Malformed("expected an edition with a vault")
    if rest[0] in ("keys", "hotels"):
        count = contents.keys if rest[0] == "keys" else contents.hotels
        return _compare(one_word(rest[1:]), count)
    if rest[0] not in LIDS or len(rest) > 1:
        raise unexpected("cash, keys, hotels, locked, open", quoted(rest[0]))
    return contents.lid in LIDS[rest[0]], contents.lid


def _answer_faceup(game: Game, play: Position, rest: Rest) -> Answer:
    """Compare the cards that are known to lie open, in any order."""
    board = board_of(game)
    deck = next((deck.id for deck in board.rules.decks if deck.face_up), "")
    expected = sorted(board.open_card(deck, word) for word in rest)
    return expected == sorted(play.faceup), " ".join(play.faceup) or "none"


TABLE_ANSWERS: dict[str, Callable[[Game, Position, Rest], Answer]] = {
    "stage": _answer_stage,
    "turn": _answer_turn,
    "can": _answer_can,
    "cannot": _answer_cannot,
    "winner": _answer_winner,
    "score": _answer_score,
    "money": _answer_money,
    "vault": _answer_vault,
    "faceup": _answer_faceup,
}
"""Word about the table as a whole -> the function that answers it."""
