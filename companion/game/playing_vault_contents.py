"""How each event at the vault changes a position: one small function each.

They are pure and never refuse: what is written has happened.
"""

from __future__ import annotations

from msgspec.structs import replace

from companion.game import vault_contents_events as r
from companion.game.board import Board
from companion.game.event import Apply, Event, put, row
from companion.game.ledger import Reason, Transfer
from companion.game.notes import together, worth_of
from companion.game.owning import with_owner
from companion.game.position import LOCKED, OPEN, OPENING, SHUT, Position, VaultContents
from companion.game.rulebook import HOTEL, RuleVault
from companion.game.stage import Stage
from companion.units import BANK, VAULT, Dollars


def filled(vault: RuleVault) -> VaultContents:
    """The vault when play begins, with the first filling in it."""
    return VaultContents(
        keys=vault.first_keys,
        hotels=vault.first_hotels,
        bank_keys=vault.keys - vault.first_keys,
    )


def contents_of(play: Position) -> VaultContents:
    """What the vault contains, in a game that has one."""
    assert play.vault_contents is not None, "this game has no vault"
    return play.vault_contents


def with_contents(play: Position, contents: VaultContents) -> Position:
    """*play* with these contents of the vault."""
    return replace(play, vault_contents=contents)


def hotels_in_bank(play: Position, board: Board) -> int:
    """Hotels in the bank's box; 0 where the edition has none."""
    return play.pieces[board.kinds.index(HOTEL)] if HOTEL in board.kinds else 0


def with_hotels_in_bank(play: Position, board: Board, more: int) -> Position:
    """*play* with *more* hotels added to the bank's box; it never goes below 0."""
    if HOTEL not in board.kinds:
        return play
    left = max(0, hotels_in_bank(play, board) + more)
    return replace(play, pieces=put(play.pieces, board.kinds.index(HOTEL), left))


def with_loose_hotels(play: Position, seat: str, more: int) -> Position:
    """*play* with *more* loose hotels added to a seat's hand; never below 0."""
    tokens = tuple(
        replace(token, hotels=max(0, token.hotels + more))
        if token.seat == seat
        else token
        for token in play.tokens
    )
    return replace(play, tokens=tokens)


def _awaited(play: Position, _: Board, event: r.GuessAwaited) -> Position:
    contents = replace(contents_of(play), fee=event.fee, is_optional=event.is_optional)
    return with_contents(replace(play, base=Stage.GUESS, awaited=""), contents)


def _done(play: Position) -> Position:
    """The guess that was due is no longer due."""
    contents = replace(contents_of(play), fee=0, is_optional=False)
    return with_contents(replace(play, base=Stage.ROLL, awaited=""), contents)


def _made(play: Position, _: Board, event: r.GuessMade) -> Position:
    play = _done(play) if event.is_due else play
    contents = contents_of(play)
    tried = tuple(dict.fromkeys((*contents.tried, event.number)))
    lid = OPENING if event.is_right else contents.lid
    return with_contents(play, replace(contents, tried=tried, lid=lid))


def _declined(play: Position, _: Board, event: r.GuessDeclined) -> Position:
    return _done(play)


def _taken(play: Position, _: Board, event: r.RichesTaken) -> Position:
    play = with_loose_hotels(play, event.seat, event.hotels)
    contents = replace(
        contents_of(play),
        lid=OPEN,
        keys=0,
        hotels=0,
        found=event.keys,
        is_empty=True,
        tried=(),
        notes=(),
        taken_notes=contents_of(play).notes,
        taken_money=event.money,
        taken_keys=event.keys,
        taken_hotels=event.hotels,
    )
    return with_contents(play, contents)


def _unlocked(play: Position, board: Board, event: r.DeedUnlocked) -> Position:
    play = with_owner(play, board, event.deed, event.seat)
    contents = contents_of(play)
    return with_contents(play, replace(contents, found=max(0, contents.found - 1)))


def _keys_returned(play: Position, _: Board, event: r.KeysReturned) -> Position:
    contents = contents_of(play)
    bank_keys = contents.bank_keys + event.count
    return with_contents(play, replace(contents, found=0, bank_keys=bank_keys))


def _hotels_passed(play: Position, board: Board, event: r.HotelsPassed) -> Position:
    play = with_loose_hotels(play, event.giver, -event.count)
    if event.taker == BANK:
        return with_hotels_in_bank(play, board, event.count)
    return with_loose_hotels(play, event.taker, event.count)


def _refilled(play: Position, board: Board, event: r.VaultRefilled) -> Position:
    contents, vault = contents_of(play), board.rules.vault
    assert vault is not None, "this game has no vault"
    play = with_hotels_in_bank(play, board, -event.hotels)
    new = vault.refill_notes if contents.is_empty else ()
    contents = replace(
        contents,
        notes=together(contents.notes, new),
        taken_notes=(),
        lid=LOCKED,
        keys=contents.keys + event.keys,
        hotels=contents.hotels + event.hotels,
        bank_keys=contents.bank_keys - event.keys,
        is_empty=False,
        tried=(),
        taken_money=0,
        taken_keys=0,
        taken_hotels=0,
    )
    return with_contents(play, contents)


def with_first_notes(play: Position, board: Board, inside: Dollars) -> Position:
    """*play* with the notes of the first filling, if they are worth *inside*."""
    vault, contents = board.rules.vault, play.vault_contents
    if vault is None or contents is None or worth_of(vault.first_notes) != inside:
        return play
    return with_contents(play, replace(contents, notes=vault.first_notes))


def paid(play: Position, board: Board, transfer: Transfer) -> Position:
    """*play* once money has moved: which notes are still known to lie in the vault.

    For a salary the bank puts in one note of that value. Other payments may come in any
    notes, and once money goes out or is corrected, no note is known any more.
    """
    if play.vault_contents is None or VAULT not in (transfer.payer, transfer.payee):
        return play
    notes = play.vault_contents.notes
    if transfer.payer == VAULT or transfer.reason is Reason.CORRECTION:
        notes = ()
    elif (
        transfer.reason is Reason.SALARY and transfer.amount in board.rules.money.notes
    ):
        notes = together(notes, ((transfer.amount, 1),))
    return with_contents(play, replace(play.vault_contents, notes=notes))


def _lid_seen(play: Position, _: Board, event: r.LidSeen) -> Position:
    """Note the lid's state; an opening stays owed until the contents are taken."""
    contents = contents_of(play)
    if contents.lid == OPENING:
        return play
    return with_contents(play, replace(contents, lid=event.lid))


def _nothing(play: Position, _: Board, event: Event) -> Position:
    return play


def key_back(play: Position, board: Board, at: int) -> Position:
    """*play* after a street went back to the bank: if it is a locked one, with its key.

    No key comes back if the owner got the street by a correction, without a key.
    """
    vault, contents, deeds = board.rules.vault, play.vault_contents, board.rules.deeds
    if vault is None or contents is None or not deeds[at].is_locked:
        return play
    others = sum(
        deed.is_locked and bool(play.owners[i])
        for i, deed in enumerate(deeds)
        if i != at
    )
    known = contents.bank_keys + contents.keys + contents.found + others
    more = 1 if known < vault.keys else 0
    return with_contents(play, replace(contents, bank_keys=contents.bank_keys + more))


def without_guesser(play: Position) -> Position:
    """*play* once the guesser is out of the game: found keys go back to the bank.

    If the lid has not risen yet, nobody gets the vault's contents; they stay inside.
    """
    if play.vault_contents is None:
        return play
    contents = with_keys_back(play.vault_contents)
    lid = SHUT if contents.lid == OPENING else contents.lid
    return with_contents(play, replace(contents, lid=lid, fee=0, is_optional=False))


def with_keys_back(contents: VaultContents) -> VaultContents:
    """*contents* with the keys that the opener found back in the bank."""
    return replace(contents, bank_keys=contents.bank_keys + contents.found, found=0)


VAULT_AFTER: dict[type[Event], Apply] = dict(
    (
        row(r.GuessAwaited, _awaited),
        row(r.GuessMade, _made),
        row(r.GuessDeclined, _declined),
        row(r.RichesTaken, _taken),
        row(r.DeedUnlocked, _unlocked),
        row(r.KeysReturned, _keys_returned),
        row(r.HotelsPassed, _hotels_passed),
        row(r.VaultRefilled, _refilled),
        row(r.LidSeen, _lid_seen),
        row(r.PressIgnored, _nothing),
    )
)
"""Every event at the vault that changes the position."""
