"""Answers to the ``expect`` lines of a script.

An answer says whether the line holds, and how things stand if it does not.
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
    FREE,
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
from companion.script.verbs import VERBS, WordsWrong, command
from companion.units import BANK, VAULT, Account
from companion.words.reading import amount_and_creditor, number, one_word
from companion.words.report import unexpected

Answer = tuple[bool, str]
"""Whether the line holds, and how things stand in the script's own words."""


def expectation(game: Game, words: tuple[str, ...]) -> Answer:
    """Compare one ``expect`` line with the game.

    Raises:
        Malformed: If the words cannot be read.
    """
    play, board = game.play, game.board
    assert play is not None, "a script has begun to play"
    assert board is not None, "a script has begun to play"
    head, rest = words[0], words[1:]
    if head in TABLE:
        return TABLE[head](game, play, rest)
    token = play.token(head)
    if token is not None:
        if rest[0] not in SEAT:
            raise unexpected(f"one of {', '.join(SEAT)}", quoted(rest[0]))
        return SEAT[rest[0]](game, token, rest[1:])
    if head in board.index:
        return _deed(game, play, board.index[head], rest)
    if head == BANK:
        return _bank(game, play, rest)
    raise unexpected(
        f"a seat, a deed, the bank or one of {', '.join(TABLE)}", quoted(head)
    )


def _same(expected: str, got: object) -> Answer:
    return expected == str(got), str(got)


# Seats.


def _on(game: Game, token: Token, rest: tuple[str, ...]) -> Answer:
    assert game.board is not None, "a script has begun to play"
    rules = game.board.rules
    space = space_number(rules, one_word(rest))
    if space is None:
        raise unexpected("a space of this board", quoted(rest[0]))
    here = rules.spaces[token.space]
    return space == token.space, f"{here.deed or here.kind} ({token.space})"


def _cash(game: Game, token: Token, rest: tuple[str, ...]) -> Answer:
    expected = number(one_word(rest))
    got = game.ledger[Account(token.seat)]
    return expected == got, str(got)


def _owns(game: Game, token: Token, rest: tuple[str, ...]) -> Answer:
    play, board = game.play, game.board
    assert play is not None, "a script has begun to play"
    assert board is not None, "a script has begun to play"
    for deed in rest:
        if deed not in board.index:
            raise unexpected("a deed of this edition", quoted(deed))
    pairs = zip(board.rules.deeds, play.owners, strict=True)
    owned = [deed.id for deed, owner in pairs if owner == token.seat]
    return set(rest) <= set(owned), " ".join(owned) or "nothing"


def _jailed(_: Game, token: Token, rest: tuple[str, ...]) -> Answer:
    got = "free" if token.tries == FREE else f"jailed {token.tries}"
    expected = f"jailed {number(one_word(rest))}" if rest else got
    return token.tries != FREE and expected == got, got


def _free(_: Game, token: Token, rest: tuple[str, ...]) -> Answer:
    is_free = token.tries == FREE
    return is_free, "free" if is_free else f"jailed {token.tries}"


def _cards(game: Game, token: Token, rest: tuple[str, ...]) -> Answer:
    """Compare the cards in hand, named by id or by effect; their order is free."""
    assert game.board is not None, "a script has begun to play"
    left = [] if rest == ("none",) else list(rest)
    held = sorted(token.cards, key=lambda card: card not in left)
    for card in held:
        is_called = game.board.is_called
        word = next((word for word in left if is_called(card, word)), None)
        if word is None:
            return False, " ".join(token.cards)
        left.remove(word)
    return not left, " ".join(token.cards) or "none"


def _bankrupt(_: Game, token: Token, rest: tuple[str, ...]) -> Answer:
    return token.is_out, "bankrupt" if token.is_out else "in the game"


def _owes(game: Game, token: Token, rest: tuple[str, ...]) -> Answer:
    assert game.play is not None, "a script has begun to play"
    owed, creditor = amount_and_creditor(rest)
    debts = [debt for debt in game.play.debts if debt.debtor == token.seat]
    if creditor:
        debts = [debt for debt in debts if debt.creditor == creditor]
    got = sum(debt.amount for debt in debts)
    return number(owed) == got, str(got)


def _hotels(_: Game, token: Token, rest: tuple[str, ...]) -> Answer:
    return _same(one_word(rest), token.hotels)


def _tickets(_: Game, token: Token, rest: tuple[str, ...]) -> Answer:
    return _same(one_word(rest), token.tickets)


def _chips(_: Game, token: Token, rest: tuple[str, ...]) -> Answer:
    return _same(one_word(rest), token.chips)


SEAT: dict[str, Callable[[Game, Token, tuple[str, ...]], Answer]] = {
    "on": _on,
    "cash": _cash,
    "owns": _owns,
    "jailed": _jailed,
    "free": _free,
    "cards": _cards,
    "bankrupt": _bankrupt,
    "owes": _owes,
    "hotels": _hotels,
    "chips": _chips,
    "tickets": _tickets,
}
"""The function that answers each word about a seat."""


# Deeds and the bank.


def _deed(game: Game, play: Position, at: int, rest: tuple[str, ...]) -> Answer:
    assert game.board is not None, "a script has begun to play"
    topic = rest[0]
    if topic == "owner":
        return _same(one_word(rest[1:]), play.owners[at] or "none")
    if topic in ("mortgaged", "unmortgaged"):
        got = "mortgaged" if play.mortgaged[at] else "unmortgaged"
        return _same(topic, got)
    level = play.levels[at]
    if topic == "bare":
        return level == 0, f"{level} steps built"
    kind = topic.removesuffix("s")
    if kind not in game.board.kinds:
        raise unexpected("owner, houses, hotels, mortgaged or bare", quoted(topic))
    counts = dict(zip(game.board.kinds, game.board.used[at][level], strict=True))
    expected = number(one_word(rest[1:])) if rest[1:] else 1
    return expected == counts[kind], str(counts[kind])


def _bank(game: Game, play: Position, rest: tuple[str, ...]) -> Answer:
    assert game.board is not None, "a script has begun to play"
    left = dict(zip(game.board.kinds, play.pieces, strict=True))
    if play.vault_contents is not None:
        left["key"] = play.vault_contents.bank_keys
    if game.board.tickets is not None:
        left["ticket"] = tickets_left(play, game.board)
    kind = rest[0].removesuffix("s")
    if kind not in left:
        raise unexpected(f"one of {', '.join(left)}", quoted(rest[0]))
    return number(one_word(rest[1:])) == left[kind], str(left[kind])


# The table.


def _can(game: Game, _: Position, rest: tuple[str, ...]) -> Answer:
    """Answer if a seat may make this move now; without arguments, any move of it."""
    if len(rest) < 2 or rest[1] not in VERBS:
        raise unexpected("a seat and a verb", quoted(" ".join(rest)))
    seat, verb, args = rest[0], rest[1], rest[2:]
    if not args:
        is_legal = _is_open(game, seat, verb)
        return is_legal, "can" if is_legal else "cannot"
    try:
        decide(game, command(game, seat, verb, args))
    except WordsWrong as error:
        return False, f"cannot: {error}"
    except Refused as refused:
        return False, f"cannot: {refused.why}"
    return True, "can"


def _is_open(game: Game, seat: str, verb: str) -> bool:
    """Return ``True`` if the seat has any move of that verb now.

    The reading of a space or of a figure is one kind of move, but two verbs: a figure
    is offered as a range.
    """
    kind = VERBS[verb].kind
    if kind is not m.ReadBox:
        return may_give(game, seat, kind)
    for _, choices in moves_by_kind(game, seat, (kind,)):
        if any(isinstance(choice, Range) == (verb == "figure") for choice in choices):
            return True
    return False


def _cannot(game: Game, play: Position, rest: tuple[str, ...]) -> Answer:
    is_legal, got = _can(game, play, rest)
    return not is_legal, got


def _score(_: Game, play: Position, rest: tuple[str, ...]) -> Answer:
    if len(rest) != 2:
        raise unexpected("a seat and its score", quoted(" ".join(rest)))
    scores = {str(seat): score for seat, score in play.scores}
    got = scores.get(rest[0], 0 if scores else None)  # A seat that is out scores 0.
    return got == number(rest[1]), "no score yet" if got is None else str(got)


def _winner(_: Game, play: Position, rest: tuple[str, ...]) -> Answer:
    return one_word(rest) in play.winners, " ".join(play.winners) or "nobody yet"


def _money(game: Game, _: Position, rest: tuple[str, ...]) -> Answer:
    return _same(one_word(rest), sum(game.ledger[account] for account in game.ledger))


def _stage(_: Game, play: Position, rest: tuple[str, ...]) -> Answer:
    return _same(one_word(rest), play.stage)


def _turn(_: Game, play: Position, rest: tuple[str, ...]) -> Answer:
    return _same(one_word(rest), play.mover.seat)


def _vault(game: Game, play: Position, rest: tuple[str, ...]) -> Answer:
    if rest[0] == "cash":
        return _same(one_word(rest[1:]), game.ledger[VAULT])
    contents = play.vault_contents
    if contents is None:
        raise Malformed("expected an edition with a vault")
    if rest[0] in ("keys", "hotels"):
        inside = contents.keys if rest[0] == "keys" else contents.hotels
        return _same(one_word(rest[1:]), inside)
    if rest[0] not in LIDS or len(rest) > 1:
        raise unexpected("cash, keys, hotels, locked, open", quoted(rest[0]))
    return contents.lid in LIDS[rest[0]], contents.lid


def _faceup(game: Game, play: Position, rest: tuple[str, ...]) -> Answer:
    """Compare the cards that are known to lie open, in any order."""
    board = game.board
    assert board is not None, "a script has begun to play"
    deck = next((deck.id for deck in board.rules.decks if deck.face_up), "")
    expected = sorted(board.open_card(deck, word) for word in rest)
    return expected == sorted(play.faceup), " ".join(play.faceup) or "none"


LIDS = {"locked": (LOCKED,), "open": (OPEN, FORCED), "shut": (SHUT, OPENING)}
"""The script's words for the lid, and the states that each of them means."""


TABLE: dict[str, Callable[[Game, Position, tuple[str, ...]], Answer]] = {
    "stage": _stage,
    "turn": _turn,
    "can": _can,
    "cannot": _cannot,
    "winner": _winner,
    "score": _score,
    "money": _money,
    "vault": _vault,
    "faceup": _faceup,
}
"""The function that answers each word about the table as a whole."""
