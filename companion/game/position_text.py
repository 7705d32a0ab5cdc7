"""A whole position as one line of text, for error messages, logs and script traces.

Its parts, divided by ``|``: whose turn it is and the stage, then each seat, the deeds
that are owned or built on, what lies on the table, the vault, and what the bank has
left. A table that plays by hand has only the money of each seat.
"""

from __future__ import annotations

from companion.game import Game
from companion.game.playing_tickets import TICKET, tickets_left
from companion.game.position import Position, Token, VaultContents
from companion.units import VAULT, Account


def position_text(game: Game) -> str:
    """Return a game as one line: tokens, money, buildings, and what is waited for."""
    play, board = game.play, game.board
    if play is None or board is None:
        seats = " ".join(
            f"{state.seat} {_cash_text(game, state.seat)}" for state in game.present()
        )
        return f"by hand | {seats}".rstrip()
    parts = [f"{play.mover.seat} {play.stage}"]
    parts += [_seat_text(game, play, token) for token in play.tokens]
    deeds = [
        _deed_text(deed.id, play, index)
        for index, deed in enumerate(board.rules.deeds)
        if play.owners[index] or play.levels[index]
    ]
    if deeds:
        parts.append(", ".join(deeds))
    parts += [
        f"{payment.payer} lays ${payment.amount:,} for {payment.payee} "
        f"{payment.purpose} {payment.of}".rstrip()
        for payment in play.payments
    ]
    if play.card_use is not None:
        use = play.card_use
        parts.append(f"{use.seat} uses {use.card} {use.target}".rstrip())
    if play.inspector:
        parts.append(f"{play.inspector} looks")
    if play.faceup:
        parts.append("open " + " ".join(play.faceup))
    if play.vault_contents is not None:
        parts.append(_vault_text(game, play.vault_contents))
    left = [*zip(board.kinds, play.pieces, strict=True)]
    if board.tickets is not None:
        left.append((TICKET, tickets_left(play, board)))
    parts.append("bank " + " ".join(f"{kind}s {count}" for kind, count in left))
    if play.bonus:
        parts.append(f"then {play.bonus}")
    return " | ".join(parts)


def _cash_text(game: Game, seat: str) -> str:
    """Return a seat's or the vault's money: ``$1,500``."""
    return f"${game.ledger[Account(seat)]:,}"


def _seat_text(game: Game, play: Position, token: Token) -> str:
    """Return a seat: money, space, and what it holds: ``red $1,500 on go``."""
    assert game.board is not None, "guided play has begun"
    space = game.board.rules.spaces[token.space]
    words = [token.seat, _cash_text(game, token.seat), f"on {space.deed or space.kind}"]
    if token.is_jailed:
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


def _vault_text(game: Game, contents: VaultContents) -> str:
    """Return the lid and the contents of the vault, and the keys of the bank."""
    cash = _cash_text(game, VAULT)
    inside = f"{cash} keys {contents.keys} hotels {contents.hotels}"
    return f"vault {contents.lid} {inside}, bank keys {contents.bank_keys}"


def _deed_text(deed: str, play: Position, index: int) -> str:
    """Return a deed with its owner, its level and its mortgage: ``boardwalk red 2``."""
    level = f" {play.levels[index]}" if play.levels[index] else ""
    mortgaged = " mortgaged" if play.mortgaged[index] else ""
    return f"{deed} {play.owners[index] or 'none'}{level}{mortgaged}"
