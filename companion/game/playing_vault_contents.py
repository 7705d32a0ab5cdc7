"""How each event at the vault changes a position.

There is one small function per event. They are pure and never refuse an event: it was
allowed when it was written.
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
    """Return the vault when play begins, with the first filling in it."""
    return VaultContents(
        keys=vault.first_keys,
        hotels=vault.first_hotels,
        bank_keys=vault.keys - vault.first_keys,
    )


def contents_of(play: Position) -> VaultContents:
    """Return the contents of the vault; the game must have one."""
    assert play.vault_contents is not None, "this game has no vault"
    return play.vault_contents


def with_contents(play: Position, contents: VaultContents) -> Position:
    """Return *play* with these contents of the vault."""
    return replace(play, vault_contents=contents)


def hotels_in_bank(play: Position, board: Board) -> int:
    """Count the hotels in the bank's box; 0 if the edition has none."""
    return play.pieces[board.kinds.index(HOTEL)] if HOTEL in board.kinds else 0


def with_hotels_in_bank(play: Position, board: Board, added: int) -> Position:
    """Return *play* with *added* hotels more in the bank's box, but never below 0."""
    if HOTEL not in board.kinds:
        return play
    left = max(0, hotels_in_bank(play, board) + added)
    return replace(play, pieces=put(play.pieces, board.kinds.index(HOTEL), left))


def with_loose_hotels(play: Position, seat: str, added: int) -> Position:
    """Return *play* with *added* loose hotels more in a hand, but never below 0."""
    tokens = tuple(
        replace(token, hotels=max(0, token.hotels + added))
        if token.seat == seat
        else token
        for token in play.tokens
    )
    return replace(play, tokens=tokens)


def _awaited(play: Position, _: Board, event: r.GuessAwaited) -> Position:
    contents = replace(contents_of(play), fee=event.fee, is_optional=event.is_optional)
    return with_contents(replace(play, base=Stage.GUESS, awaited=""), contents)


def _done(play: Position) -> Position:
    """Return *play* with no guess due."""
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
    added_notes = vault.refill_notes if contents.is_empty else ()
    contents = replace(
        contents,
        notes=together(contents.notes, added_notes),
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
    """Return *play* with the notes of the first filling, if they are worth *inside*."""
    vault, contents = board.rules.vault, play.vault_contents
    if vault is None or contents is None or worth_of(vault.first_notes) != inside:
        return play
    return with_contents(play, replace(contents, notes=vault.first_notes))


def paid(play: Position, board: Board, transfer: Transfer) -> Position:
    """Return *play* after money has moved, with the notes still known in the vault.

    The bank pays a salary into the vault as one note of that value. Other payments may
    be in any notes. Once money goes out or is corrected, no note is known any more.
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
    """Set the state of the lid; an opening stays owed until the contents are taken."""
    contents = contents_of(play)
    if contents.lid == OPENING:
        return play
    return with_contents(play, replace(contents, lid=event.lid))


def _nothing(play: Position, _: Board, event: Event) -> Position:
    return play


def key_back(play: Position, board: Board, at: int) -> Position:
    """Return *play* after a street went back to the bank: a locked one with its key.

    No key goes back if all keys of the box are accounted for: then the owner got the
    street by a correction, without a key.
    """
    vault, contents, deeds = board.rules.vault, play.vault_contents, board.rules.deeds
    if vault is None or contents is None or not deeds[at].is_locked:
        return play
    on_others = sum(
        deed.is_locked and bool(play.owners[other])
        for other, deed in enumerate(deeds)
        if other != at
    )
    accounted = contents.bank_keys + contents.keys + contents.found + on_others
    keys = contents.bank_keys + (accounted < vault.keys)
    return with_contents(play, replace(contents, bank_keys=keys))


def without_guesser(play: Position) -> Position:
    """Return *play* after the guesser is out: found keys go back to the bank.

    If the lid has not risen yet, nobody gets the contents; they stay inside.
    """
    if play.vault_contents is None:
        return play
    contents = with_keys_back(play.vault_contents)
    lid = SHUT if contents.lid == OPENING else contents.lid
    return with_contents(play, replace(contents, lid=lid, fee=0, is_optional=False))


def with_keys_back(contents: VaultContents) -> VaultContents:
    """Return *contents* with the keys that the opener found back in the bank."""
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
"""The functions of this module, by the kind of event."""
