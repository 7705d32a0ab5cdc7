"""The vault of a game: guesses, riches, keys, and filling it again.

The number that opens it is the lock's own business: a guess comes in with what the
lock told. The riches are the opener's once the lid is up.

Source:
    The Secret Vault article, "Special Die", "Key", "Pay to Guess!", "Guess for
    Free!", "Free Parking", "Code", "Riches". That only the paid guess may be
    declined, that one waits for a vault that is not locked or does without, that a
    key with no street left to open goes back to the bank, and that anybody may
    fill the vault, are readings.
"""

from __future__ import annotations

from collections.abc import Iterator

from companion import riches_events as r
from companion.board import Board
from companion.course import Course
from companion.errors import Why
from companion.ledger import Reason
from companion.moves import (
    DeclineGuess,
    Guess,
    LockVault,
    ReportLid,
    ReportPress,
    Unlock,
)
from companion.playing_riches import hotels_in_bank, riches_of
from companion.position import FORCED, LOCKED, OPEN, OPENING, SHUT, Position
from companion.rulebook import RuleVault
from companion.rules.rule import Range
from companion.rules.walking import settle
from companion.units import VAULT, DeedId, Dollars, Seat


def vault_of(course: Course) -> RuleVault:
    """The vault's figures in a game that has one."""
    vault = course.board.rules.vault
    assert vault is not None, "this game has no vault"
    return vault


def has_vault(course: Course) -> bool:
    """Whether the game is played with a vault."""
    return course.board.rules.vault is not None


# Guessing.


def check_guess(course: Course, move: Guess) -> Why | None:
    """A number of the wheel, what came of it, the fee, and a vault that is locked."""
    is_number = type(move.number) is int and move.number in vault_of(course).codes
    if not is_number or move.is_right is None:
        return Why.MALFORMED
    if riches_of(course.play).lid != LOCKED:
        return Why.VAULT_OPEN
    return Why.CANNOT_AFFORD if course.cash(move.by) < _fee(course) else None


def guess(course: Course, move: Guess) -> None:
    """The fee, the press, and the riches if the lid rose at once."""
    seat, vault, fee = Seat(move.by), vault_of(course), _fee(course)
    course.add(
        r.GuessMade(
            seat=seat,
            number=move.number,
            is_right=bool(move.is_right),
            is_due=_is_due(course),
            is_lid_up=move.is_lid_up,
            is_told=vault.shows_tries,
        )
    )
    course.pay(seat, vault.guess_fee_to, fee, Reason.GUESS)
    if move.is_right and move.is_lid_up:
        _take_riches(course)
    settle(course)


def _is_due(course: Course) -> bool:
    """Whether the table waits for a guess; a toy takes one that nobody asked for."""
    return course.play.stage == "guess"


def _fee(course: Course) -> Dollars:
    """What a guess costs now: the paid space's fee, while its guess is due."""
    return riches_of(course.play).fee if _is_due(course) else 0


def guess_choices(course: Course, seat: str) -> Iterator[Range]:
    """Any number of the wheel, while the vault is locked and the fee is there."""
    codes = vault_of(course).codes
    is_locked = riches_of(course.play).lid == LOCKED
    if is_locked and course.cash(seat) >= _fee(course):
        yield Range(Guess, min(codes), max(codes))


def check_decline(course: Course, _move: DeclineGuess) -> Why | None:
    """A paid guess, or one that the vault is not ready for."""
    riches = riches_of(course.play)
    may_decline = riches.is_optional if riches.lid == LOCKED else riches.lid != OPENING
    return None if may_decline else Why.WRONG_STAGE


def decline(course: Course, move: DeclineGuess) -> None:
    """The space is a place to rest."""
    course.add(r.GuessDeclined(seat=Seat(move.by)))
    settle(course)


def decline_choices(_course: Course, seat: str) -> Iterator[DeclineGuess]:
    """The one way to do without."""
    yield DeclineGuess(by=seat)


# Riches and keys.


def _take_riches(course: Course) -> None:
    """All that lies in the vault is the mover's."""
    seat, riches = course.play.mover.seat, riches_of(course.play)
    money = course.game.ledger[VAULT]
    course.add(
        r.RichesTaken(seat=seat, keys=riches.keys, hotels=riches.hotels, money=money)
    )
    course.pay(VAULT, seat, money, Reason.RICHES)
    return_idle_keys(course)


def return_idle_keys(course: Course) -> None:
    """A key that opens nothing any more is no use to anybody."""
    found = course.play.riches.found if course.play.riches else 0
    if found and not _locked_streets(course):
        course.add(r.KeysReturned(count=found))


def _locked_streets(course: Course) -> tuple[DeedId, ...]:
    """Streets that only a key opens, and that nobody owns."""
    owners = course.play.owners
    return tuple(
        deed.id
        for at, deed in enumerate(course.board.rules.deeds)
        if deed.is_locked and not owners[at]
    )


def check_unlock(course: Course, move: Unlock) -> Why | None:
    """A locked street that nobody owns; where the token stands does not matter."""
    at = course.board.index.get(move.deed)
    if at is None:
        return Why.MALFORMED
    if course.play.owners[at]:
        return Why.NOT_UNOWNED
    return None if course.board.rules.deeds[at].is_locked else Why.NOT_LOCKED


def unlock(course: Course, move: Unlock) -> None:
    """The street is the finder's, for nothing."""
    course.add(r.DeedUnlocked(seat=Seat(move.by), deed=DeedId(move.deed)))
    return_idle_keys(course)
    settle(course)


def unlock_choices(course: Course, seat: str) -> Iterator[Unlock]:
    """Each street that a key can open."""
    for deed in _locked_streets(course):
        yield Unlock(by=seat, deed=deed)


# The box itself.


def check_lock(course: Course, _move: LockVault) -> Why | None:
    """There is a vault, it is not locked already, and owes no opening."""
    if not has_vault(course):
        return Why.WRONG_STAGE
    lid = riches_of(course.play).lid
    if lid == OPENING:
        return Why.WRONG_STAGE
    return Why.VAULT_LOCKED if lid == LOCKED else None


def lock(course: Course, _move: LockVault) -> None:
    """After an opening it was filled again, as far as the bank's pieces go."""
    if riches_of(course.play).is_empty:
        keys, hotels = refilling(course.board, course.play)
        course.add(r.VaultRefilled(keys=keys, hotels=hotels))
        course.earn(VAULT, vault_of(course).refill_money, Reason.RICHES)
    else:
        course.add(r.VaultRefilled())
    settle(course)


def refilling(board: Board, play: Position) -> tuple[int, int]:
    """Keys and hotels that go into the empty vault: as long as the bank has any."""
    vault = board.rules.vault
    assert vault is not None, "this game has no vault"
    keys = min(vault.refill_keys, riches_of(play).bank_keys)
    return keys, min(vault.refill_hotels, hotels_in_bank(play, board))


def lock_choices(course: Course, seat: str) -> Iterator[LockVault]:
    """The one way to say that it is done."""
    if has_vault(course):
        yield LockVault(by=seat)


LIDS: dict[str, tuple[str, ...]] = {
    LOCKED: (OPEN, SHUT, FORCED),
    OPENING: (OPEN,),
    OPEN: (SHUT,),
    SHUT: (OPEN,),
    FORCED: (LOCKED, OPEN, SHUT),  # Pushed down again, the old number still stands.
}
"""How the lid is -> what can be reported next; a new number is ``LockVault``."""


def check_lid(course: Course, move: ReportLid) -> Why | None:
    """There is a vault, a lid can be so, and it is news."""
    if not has_vault(course):
        return Why.WRONG_STAGE
    if move.lid not in LIDS:
        return Why.MALFORMED
    lid = riches_of(course.play).lid
    if move.lid in LIDS[lid]:
        return None
    return Why.VAULT_LOCKED if lid == LOCKED else Why.VAULT_OPEN


def report_lid(course: Course, move: ReportLid) -> None:
    """The lid is so; after a right guess the opener takes the riches."""
    is_owed = riches_of(course.play).lid == OPENING
    course.add(r.LidSeen(lid=move.lid))
    if is_owed:
        _take_riches(course)
    settle(course)


def check_press(course: Course, _move: ReportPress) -> Why | None:
    """There is a vault."""
    return None if has_vault(course) else Why.WRONG_STAGE


def report_press(course: Course, _move: ReportPress) -> None:
    """Only a line in the history."""
    course.add(r.PressIgnored())
