"""A whole position as one line of text, for messages; and a digest to compare it."""

from __future__ import annotations

import hashlib
from functools import cache

import msgspec
from msgspec.structs import FieldInfo

from companion.as_json import to_json
from companion.game import Game
from companion.game.playing_tickets import TICKET, tickets_left
from companion.game.position import FREE, Position, Token, VaultContents
from companion.units import VAULT, Account


def position_text(game: Game) -> str:
    """One line: who stands where with how much, what is built, what is waited for."""
    play, board = game.play, game.board
    if play is None or board is None:
        seats = " ".join(f"{s.seat} {_cash(game, s.seat)}" for s in game.present())
        return f"by hand | {seats}".rstrip()
    parts = [f"{play.mover.seat} {play.stage}"]
    parts += [_seat(game, play, token) for token in play.tokens]
    deeds = [
        _deed(deed.id, play, at)
        for at, deed in enumerate(board.rules.deeds)
        if play.owners[at] or play.levels[at]
    ]
    if deeds:
        parts.append(", ".join(deeds))
    parts += [
        f"{x.payer} lays ${x.amount:,} for {x.payee} {x.purpose} {x.of}".rstrip()
        for x in play.payments
    ]
    if play.card_use is not None:
        use = play.card_use
        parts.append(f"{use.seat} uses {use.card} {use.target}".rstrip())
    if play.inspector:
        parts.append(f"{play.inspector} looks")
    if play.faceup:
        parts.append("open " + " ".join(play.faceup))
    if play.vault_contents is not None:
        parts.append(_vault(game, play.vault_contents))
    left = [*zip(board.kinds, play.pieces, strict=True)]
    if board.tickets is not None:
        left.append((TICKET, tickets_left(play, board)))
    parts.append("bank " + " ".join(f"{kind}s {count}" for kind, count in left))
    if play.bonus:
        parts.append(f"then {play.bonus}")
    return " | ".join(parts)


def _cash(game: Game, seat: str) -> str:
    return f"${game.ledger[Account(seat)]:,}"


def _seat(game: Game, play: Position, token: Token) -> str:
    assert game.board is not None, "guided play has begun"
    space = game.board.rules.spaces[token.space]
    words = [token.seat, _cash(game, token.seat), f"on {space.deed or space.kind}"]
    if token.tries != FREE:
        words.append(f"jailed {token.tries}")
    if token.cards:
        words.append("with " + " ".join(token.cards))
    if game.board.rules.decoder is not None:
        words.append(f"chips {token.chips}")
    if token.hotels:
        words.append(f"with hotels {token.hotels}")
    if token.tickets:
        words.append(f"tickets {token.tickets}")
    if play.owed_by(token.seat):
        words.append(f"owes {play.owed_by(token.seat)}")
    if token.is_out:
        words.append("bankrupt")
    return " ".join(words)


def _vault(game: Game, contents: VaultContents) -> str:
    cash = _cash(game, VAULT)
    inside = f"{cash} keys {contents.keys} hotels {contents.hotels}"
    return f"vault {contents.lid} {inside}, bank keys {contents.bank_keys}"


def _deed(deed: str, play: Position, at: int) -> str:
    level = f" {play.levels[at]}" if play.levels[at] else ""
    mortgaged = " mortgaged" if play.mortgaged[at] else ""
    return f"{deed} {play.owners[at] or 'none'}{level}{mortgaged}"


def digest(game: Game) -> str:
    """32 hexadecimal digits over the position and every seat's money.

    Two games with the same digest are in the same position. Names, colours and history
    do not count, nor do empty accounts, which a seat that left also has. Nor does what
    stands at its default, so a field that positions gain later leaves old games theirs.
    """
    ledger = game.ledger
    money = sorted((str(account), ledger[account]) for account in ledger)
    money = [(account, balance) for account, balance in money if balance]
    text = to_json((_told(game.play), money))
    return hashlib.blake2b(text, digest_size=16).hexdigest()


def _told(part: object) -> object:
    """A part of a position by the names of its fields, without those at their default.

    The fields stand in the order of their names: they may change places.
    """
    if isinstance(part, msgspec.Struct):
        return {
            field.name: _told(value)
            for field in _fields(type(part))
            if (value := getattr(part, field.name)) != field.default
        }
    if isinstance(part, tuple):
        return [_told(one) for one in part]
    return part


@cache
def _fields(kind: type[msgspec.Struct]) -> list[FieldInfo]:
    return sorted(msgspec.structs.fields(kind), key=lambda field: field.name)
