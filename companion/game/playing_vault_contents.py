"""How each event at the vault changes a position.

The *contents* of the vault are what the game knows of it: the keys and hotels inside,
the state of the lid, the guess that is due with its fee, and the numbers tried. Its
money is in the ledger; only the *notes* known to be inside are kept here. A *loose*
hotel is one in a seat's hand. The *opener* takes everything; the keys found then open
locked streets or go back to the bank. Each function is named after its event.
"""

from __future__ import annotations

from msgspec.structs import replace

from companion.game.board import Board
from companion.game.event import Apply, Event, put, row, unchanged
from companion.game.ledger import Reason, Transfer
from companion.game.notes import together, worth_of
from companion.game.owning import with_owner
from companion.game.position import LOCKED, OPEN, OPENING, SHUT, Position, VaultContents
from companion.game.rulebook import HOTEL, RuleVault
from companion.game.stage import Stage
from companion.game.vault_contents_events import (
    DeedUnlocked,
    GuessAwaited,
    GuessDeclined,
    GuessMade,
    HotelsPassed,
    KeysReturned,
    LidSeen,
    PressIgnored,
    RichesTaken,
    VaultRefilled,
)
from companion.units import BANK, VAULT, Dollars


def first_contents(vault: RuleVault) -> VaultContents:
    """Return the contents of the vault when play begins."""
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
    """Count the hotels that the bank has left; 0 if the edition has no hotels."""
    return play.pieces[board.kinds.index(HOTEL)] if HOTEL in board.kinds else 0


def with_hotels_in_bank(play: Position, board: Board, added: int) -> Position:
    """Return *play* with *added* more hotels in the bank, but never below 0."""
    if HOTEL not in board.kinds:
        return play
    left = max(0, hotels_in_bank(play, board) + added)
    return replace(play, pieces=put(play.pieces, board.kinds.index(HOTEL), left))


def with_loose_hotels(play: Position, seat: str, added: int) -> Position:
    """Return *play* with *added* more loose hotels in a hand, but never below 0."""
    tokens = tuple(
        replace(token, hotels=max(0, token.hotels + added))
        if token.seat == seat
        else token
        for token in play.tokens
    )
    return replace(play, tokens=tokens)


def _guess_awaited(play: Position, _: Board, event: GuessAwaited) -> Position:
    contents = replace(contents_of(play), fee=event.fee, is_optional=event.is_optional)
    return with_contents(replace(play, base=Stage.GUESS, awaited=""), contents)


def _without_due_guess(play: Position) -> Position:
    """Return *play* with no guess due."""
    contents = replace(contents_of(play), fee=0, is_optional=False)
    return with_contents(replace(play, base=Stage.ROLL, awaited=""), contents)


def _guess_made(play: Position, _: Board, event: GuessMade) -> Position:
    """Note the number tried; after a right guess the lid is about to rise."""
    play = _without_due_guess(play) if event.is_due else play
    contents = contents_of(play)
    tried = tuple(dict.fromkeys((*contents.tried, event.number)))
    lid = OPENING if event.is_right else contents.lid
    return with_contents(play, replace(contents, tried=tried, lid=lid))


def _guess_declined(play: Position, _: Board, event: GuessDeclined) -> Position:
    return _without_due_guess(play)


def _riches_taken(play: Position, _: Board, event: RichesTaken) -> Position:
    """Empty the vault, and remember what was inside until it is locked again."""
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


def _deed_unlocked(play: Position, board: Board, event: DeedUnlocked) -> Position:
    """Give the street to the seat for one of the keys that it found."""
    play = with_owner(play, board, event.deed, event.seat)
    contents = contents_of(play)
    return with_contents(play, replace(contents, found=max(0, contents.found - 1)))


def _keys_returned(play: Position, _: Board, event: KeysReturned) -> Position:
    """Give the bank the keys that open nothing."""
    contents = contents_of(play)
    bank_keys = contents.bank_keys + event.count
    return with_contents(play, replace(contents, found=0, bank_keys=bank_keys))


def _hotels_passed(play: Position, board: Board, event: HotelsPassed) -> Position:
    play = with_loose_hotels(play, event.giver, -event.count)
    if event.taker == BANK:
        return with_hotels_in_bank(play, board, event.count)
    return with_loose_hotels(play, event.taker, event.count)


def _vault_refilled(play: Position, board: Board, event: VaultRefilled) -> Position:
    """Fill the vault and lock it; forget the numbers tried."""
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


def with_notes_tracked(play: Position, board: Board, transfer: Transfer) -> Position:
    """Return *play* after a transfer, with the notes that are still known in the vault.

    With a salary, the bank puts one note of that value into the vault. Other payments
    may be in any notes, so they add none. Once money goes out or is corrected, no note
    in the vault is known any more.
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


def _lid_seen(play: Position, _: Board, event: LidSeen) -> Position:
    """Set the state of the lid; ``OPENING`` lasts until the contents are taken."""
    contents = contents_of(play)
    if contents.lid == OPENING:
        return play
    return with_contents(play, replace(contents, lid=event.lid))


def with_key_returned(play: Position, board: Board, index: int) -> Position:
    """Return *play* with the key of a locked street back in the bank.

    Return *play* unchanged if the street of that *index* is not locked, or if all keys
    of the box are elsewhere: then its owner got it by a correction, without a key.
    """
    vault, contents, deeds = board.rules.vault, play.vault_contents, board.rules.deeds
    if vault is None or contents is None or not deeds[index].is_locked:
        return play
    keys_on_others = sum(
        deed.is_locked and bool(play.owners[other])
        for other, deed in enumerate(deeds)
        if other != index
    )
    accounted = contents.bank_keys + contents.keys + contents.found + keys_on_others
    if accounted >= vault.keys:
        return play
    return with_contents(play, replace(contents, bank_keys=contents.bank_keys + 1))


def without_guesser(play: Position) -> Position:
    """Return *play* after the seat that guessed has left the game.

    The keys that it found go back to the bank. If it guessed right and the lid has not
    risen yet, the contents stay inside.
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
        row(GuessAwaited, _guess_awaited),
        row(GuessMade, _guess_made),
        row(GuessDeclined, _guess_declined),
        row(RichesTaken, _riches_taken),
        row(DeedUnlocked, _deed_unlocked),
        row(KeysReturned, _keys_returned),
        row(HotelsPassed, _hotels_passed),
        row(VaultRefilled, _vault_refilled),
        row(LidSeen, _lid_seen),
        row(PressIgnored, unchanged),
    )
)
"""Kind of event -> the function that applies it."""
