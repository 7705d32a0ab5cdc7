"""The vault in the game: guesses, its contents, keys, and filling it again.

The vault is a box with a lock, in which the game keeps money, *keys* and hotels. When
the game grants a seat a *guess*, sometimes for a *fee*, the seat turns the wheel to a
number and presses the button M. The game never learns the right number: each guess
arrives with the lock's answer. The seat that guessed right, the *opener*, gets the
contents once the lid is up. With each key the opener takes one *locked* street free of
charge. Then the vault is *filled* again, shut, and locked with a new number.

The lock also reports each change of the *lid*: ``locked``, ``opening`` (about to rise),
``open``, ``shut`` (without a code), or ``forced`` (broken open). A *toy* vault takes
guesses at any time.

Source:
    The Secret Vault article, "Special Die", "Key", "Pay to Guess!", "Guess for
    Free!", "Free Parking", "Code", "Riches". Our readings: only a
    paid guess may be declined; for a guess at a vault that is not locked, the mover
    waits or declines; a key goes back to the bank if no locked street is left; anybody
    may fill the vault.
"""

from __future__ import annotations

from collections.abc import Iterator

from companion.errors import Refused, Why, quoted
from companion.game import vault_contents_events as r  # For "riches".
from companion.game.board import Board
from companion.game.ledger import Reason
from companion.game.move_run import MoveRun
from companion.game.moves import (
    DeclineGuess,
    Guess,
    LockVault,
    ReportLid,
    ReportPress,
    Unlock,
)
from companion.game.playing_vault_contents import contents_of, hotels_in_bank
from companion.game.position import FORCED, LOCKED, OPEN, OPENING, SHUT, Position
from companion.game.rulebook import RuleVault
from companion.game.stage import Stage
from companion.rules.rule import (
    Range,
    Stages,
    Who,
    not_now,
    rule,
    single_choice,
    unaffordable,
    unknown_name,
)
from companion.rules.walking import settle
from companion.sheets import SECRET, TYPED_RULE, Told
from companion.units import VAULT, DeedId, Dollars, Seat
from companion.words import say

VAULT_FIRST_RULE = Told(
    "Before the game begins, the bank fills the vault.", {SECRET: "Riches"}
)
VAULT_OPENED_RULE = Told(
    "Whoever opens the vault takes all that lies in it.", {SECRET: "Riches"}
)
VAULT_REFILLED_RULE = Told(
    "After each opening the vault is filled again, with {refill} from the bank.",
    {SECRET: "Riches"},
)
GUESS_FEE_RULE = Told(
    "On this space a guess costs {fee}. You need not guess.", {SECRET: "Pay to Guess!"}
)
GUESS_RULE = Told(
    "You guess when the lock on the die, a space or a card says so.", {SECRET: "Code"}
)
GUESS_FIRST_RULE = Told(
    "You guess at the vault first, and move after that.", {SECRET: "Special Die"}
)
VAULT_LOCKED_RULE = Told(
    "Guesses count while the vault is locked. Once open, it is filled again.",
    {SECRET: "Code"},
)
KEY_RULE = Told(
    "A key from the vault opens one locked street at once, and costs nothing.",
    {SECRET: "Key"},
)


def vault_of(run: MoveRun) -> RuleVault:
    """Return the vault's figures; the game must have a vault."""
    vault = run.board.rules.vault
    assert vault is not None, "this game has no vault"
    return vault


def has_vault(run: MoveRun) -> bool:
    """Return whether the game is played with a vault."""
    return run.board.rules.vault is not None


def lid_of(run: MoveRun) -> str:
    """Return the state of the lid; empty in a game without a vault."""
    contents = run.play.vault_contents
    return "" if contents is None else contents.lid


# Guessing.


def check_guess(run: MoveRun, move: Guess) -> Refused | None:
    """Check the number and the lock's answer, the lid, and the fee.

    In a script a wrong number may be hidden.
    """
    codes = vault_of(run).codes
    is_hidden = move.number == r.HIDDEN and move.is_right is False
    is_number = type(move.number) is int and (move.number in codes or is_hidden)
    is_answered = move.is_right is not None
    if not is_number or not is_answered:
        return (VAULT_LOCKED_RULE if is_number else TYPED_RULE).refuses(
            Why.MALFORMED,
            say("the vault itself has to hear a guess")
            if is_number
            else say("the wheel has {low} to {high}", low=min(codes), high=max(codes)),
            say("turn the wheel of the vault and press M"),
        )
    return no_guess_now(run, move.by) or unaffordable(run, move.by, _fee(run))


def not_due(run: MoveRun, _by: str) -> Refused:
    """Refuse to guess or to decline a guess while none is due."""
    if not has_vault(run):
        return no_vault(Why.NO_GUESS_DUE)
    return GUESS_RULE.refuses(
        Why.NO_GUESS_DUE, say("no guess is due now"), say("play on until one is")
    )


def no_guess(run: MoveRun, by: str) -> Refused:
    """Refuse a guess outside the stage ``guess``."""
    return no_guess_now(run, by) or not_due(run, by)


def no_guess_now(run: MoveRun, by: str) -> Refused | None:
    """Refuse a guess while the vault is not locked."""
    contents = run.play.vault_contents
    if contents is None or contents.lid == LOCKED:
        return None
    remedy: str = say("shut and lock it first")
    if contents.found and by == run.play.mover.seat:
        remedy = say("use your key first")
    elif contents.found:
        remedy = say("wait until it is locked again")
    elif contents.lid == FORCED:
        remedy = say("shut it first")
    elif contents.is_empty:
        remedy = say("fill it, shut it and lock it first")
    return lid_rising(run, Why.VAULT_OPEN) or not_locked(remedy)


def lid_rising(run: MoveRun, why: Why = Why.WRONG_STAGE) -> Refused | None:
    """Refuse a move while the lid is about to rise."""
    if lid_of(run) != OPENING:
        return None
    return VAULT_OPENED_RULE.refuses(
        why, say("the lid is about to rise"), say("wait for the lid")
    )


def not_locked(remedy: str) -> Refused:
    """Refuse a move that needs a locked vault."""
    return VAULT_LOCKED_RULE.refuses(
        Why.VAULT_OPEN, say("the vault is not locked"), remedy
    )


def locked_already(run: MoveRun) -> Refused | None:
    """Refuse to lock a vault that is locked already, or that is not in the box."""
    if not has_vault(run):
        return no_vault()
    if lid_of(run) != LOCKED:
        return None
    return VAULT_LOCKED_RULE.refuses(
        Why.VAULT_LOCKED, say("the vault is locked already"), say("leave it so")
    )


def no_locking(run: MoveRun, _by: str) -> Refused | None:
    """Refuse to lock a vault that is locked already, or was forced open."""
    if lid_of(run) != FORCED:
        return locked_already(run)
    return VAULT_LOCKED_RULE.refuses(
        Why.WRONG_STAGE, say("the vault was forced open"), say("shut it first")
    )


def no_vault(why: Why = Why.WRONG_STAGE) -> Refused:
    """Refuse a move that needs a vault in a game without one."""
    return TYPED_RULE.refuses(
        why, say("this game has no vault"), say("play on without it")
    )


def guess(run: MoveRun, move: Guess) -> None:
    """Record the guess and charge its fee.

    If it is right and the lid is up already, hand over the contents.
    """
    seat, vault, fee = Seat(move.by), vault_of(run), _fee(run)
    run.add(
        r.GuessMade(
            seat=seat,
            number=move.number,
            is_right=bool(move.is_right),
            is_due=_is_due(run),
            is_lid_up=move.is_lid_up,
            is_told=vault.shows_tries and move.number != r.HIDDEN,
        )
    )
    run.charge(seat, vault.guess_fee_to, fee, Reason.GUESS)
    if move.is_right and move.is_lid_up:
        _take_contents(run)
    settle(run)


def _is_due(run: MoveRun) -> bool:
    """Return whether the table waits for this guess; a toy vault takes others too."""
    return run.play.stage is Stage.GUESS


def _fee(run: MoveRun) -> Dollars:
    """Return the fee of a guess now, in dollars."""
    return contents_of(run.play).fee if _is_due(run) else 0


def guess_choices(run: MoveRun, seat: str) -> Iterator[Range]:
    """Offer any number of the wheel, if the vault is locked and the fee in hand."""
    codes = vault_of(run).codes
    if lid_of(run) == LOCKED and run.cash(seat) >= _fee(run):
        yield Range(Guess, min(codes), max(codes))


def check_decline(run: MoveRun, _move: DeclineGuess) -> Refused | None:
    """Check that the guess has a fee, or that the vault is not locked."""
    contents = contents_of(run.play)
    if refusal := lid_rising(run):
        return refusal
    if contents.lid != LOCKED or contents.is_optional:
        return None
    return GUESS_RULE.refuses(
        Why.WRONG_STAGE,
        say("only a guess that costs something can be left out"),
        say("guess"),
    )


def decline(run: MoveRun, move: DeclineGuess) -> None:
    """Decline the guess; nothing else happens on the space."""
    run.add(r.GuessDeclined(seat=Seat(move.by)))
    settle(run)


# Vault contents and keys.


def _take_contents(run: MoveRun) -> None:
    """Give the mover all that lies in the vault."""
    seat, contents = run.play.mover.seat, contents_of(run.play)
    money = run.game.ledger[VAULT]
    run.add(
        r.RichesTaken(
            seat=seat, keys=contents.keys, hotels=contents.hotels, money=money
        )
    )
    run.pay(VAULT, seat, money, Reason.RICHES)
    return_idle_keys(run)


def return_idle_keys(run: MoveRun) -> None:
    """Return the opener's unused keys to the bank if no locked street is left."""
    found = run.play.vault_contents.found if run.play.vault_contents else 0
    if found and not _locked_streets(run):
        run.add(r.KeysReturned(count=found))


def _locked_streets(run: MoveRun) -> tuple[DeedId, ...]:
    """List the streets that only a key opens and nobody owns."""
    pairs = zip(run.board.rules.deeds, run.play.owners, strict=True)
    return tuple(deed.id for deed, owner in pairs if deed.is_locked and not owner)


def check_unlock(run: MoveRun, move: Unlock) -> Refused | None:
    """Check that the street needs a key and has no owner.

    The opener's token may stand anywhere.
    """
    board = run.board
    deed_index = board.index.get(move.deed)
    if deed_index is None:
        return unknown_name(board, move.deed)
    is_now = run.play.stage is Stage.KEY
    remedy = say("choose a locked street") if is_now else say("play on without it")
    if run.play.owners[deed_index]:
        return KEY_RULE.refuses(
            Why.NOT_UNOWNED,
            say("{deed} has an owner", deed=board.name_of(move.deed)),
            remedy,
        )
    if board.rules.deeds[deed_index].is_locked:
        return None
    return KEY_RULE.refuses(
        Why.NOT_LOCKED,
        say("{deed} needs no key", deed=board.name_of(move.deed)),
        remedy,
    )


def _lacks_lock(run: MoveRun, move: Unlock) -> Refused | None:
    is_others = run.play.stage is Stage.KEY and run.play.mover.seat != move.by
    return check_unlock(run, move) if has_vault(run) and not is_others else None


def no_key(run: MoveRun, by: str) -> Refused | None:
    """Refuse to unlock anything while no key was found."""
    if not has_vault(run):
        return no_vault()
    remedy = say("open the vault for one")
    if not _locked_streets(run):
        remedy = say("trade for the street")
    return not_now(KEY_RULE, say("there is no key to use now"), remedy)(run, by)


def unlock(run: MoveRun, move: Unlock) -> None:
    """Give the street to the seat that found the key, free of charge."""
    run.add(r.DeedUnlocked(seat=Seat(move.by), deed=DeedId(move.deed)))
    return_idle_keys(run)
    settle(run)


def unlock_choices(run: MoveRun, seat: str) -> Iterator[Unlock]:
    """Offer each street that a key can open."""
    for deed in _locked_streets(run):
        yield Unlock(by=seat, deed=deed)


# The lock, the lid and the buttons.


def check_lock(run: MoveRun, _move: LockVault) -> Refused | None:
    """Check that there is a vault, and that it is neither locked nor about to open."""
    return lid_rising(run) or locked_already(run)


def lock(run: MoveRun, _move: LockVault) -> None:
    """Lock the vault; after an opening, refill it first."""
    if contents_of(run.play).is_empty:
        keys, hotels = refilling(run.board, run.play)
        run.add(r.VaultRefilled(keys=keys, hotels=hotels))
        run.earn(VAULT, vault_of(run).refill_money, Reason.RICHES)
    else:
        run.add(r.VaultRefilled())
    settle(run)


def refilling(board: Board, play: Position) -> tuple[int, int]:
    """Return how many keys and hotels refill the vault: at most what the bank has."""
    vault = board.rules.vault
    assert vault is not None, "this game has no vault"
    keys = min(vault.refill_keys, contents_of(play).bank_keys)
    return keys, min(vault.refill_hotels, hotels_in_bank(play, board))


LIDS: dict[str, tuple[str, ...]] = {
    LOCKED: (OPEN, SHUT, FORCED),
    OPENING: (OPEN,),
    OPEN: (SHUT,),
    SHUT: (OPEN,),
    FORCED: (LOCKED, OPEN, SHUT),  # Pushed shut again, it keeps its old number.
}
"""State of the lid -> the states that the lock may report next.

A new number is no such report: ``LockVault`` records it.
"""


def check_lid(run: MoveRun, move: ReportLid) -> Refused | None:
    """Check that there is a vault, and that its lid can change like this."""
    if not has_vault(run):
        return no_vault()
    if move.lid not in LIDS:
        return TYPED_RULE.refuses(
            Why.MALFORMED,
            say("a lid is never {lid}", lid=quoted(move.lid)),
            say("say open, shut, locked or forced"),
        )
    if move.lid in LIDS[lid_of(run)]:
        return None
    return locked_already(run) or not_locked(say("shut and lock it first"))


def report_lid(run: MoveRun, move: ReportLid) -> None:
    """Record the state of the lid; once it has risen, hand over the contents."""
    was_opening = lid_of(run) == OPENING
    run.add(r.LidSeen(lid=move.lid))
    if was_opening:
        _take_contents(run)
    settle(run)


def no_report(run: MoveRun, _by: str) -> Refused:
    """Refuse a seat that reports in place of the vault."""
    if not has_vault(run):
        return no_vault()
    return TYPED_RULE.refuses(
        Why.WRONG_STAGE,
        say("only the vault itself reports that"),
        say("play on without it"),
    )


def check_press(run: MoveRun, _move: ReportPress) -> Refused | None:
    """Check that there is a vault."""
    return None if has_vault(run) else no_vault()


def report_press(run: MoveRun, _move: ReportPress) -> None:
    """Record that M was pressed while no guess was due."""
    run.add(r.PressIgnored())


GUESSING: Stages = {Stage.GUESS: Who.MOVER}
"""The stage in which the mover guesses, or declines to."""

ROWS = (
    rule(Guess, GUESSING, check_guess, guess, guess_choices, outside=no_guess),
    rule(
        DeclineGuess,
        GUESSING,
        check_decline,
        decline,
        single_choice(DeclineGuess),
        outside=not_due,
    ),
    rule(
        Unlock,
        {Stage.KEY: Who.MOVER},
        check_unlock,
        unlock,
        unlock_choices,
        outside=no_key,
        lacks=_lacks_lock,
    ),
    rule(
        LockVault,
        {Stage.REFILL: Who.ANYBODY},
        check_lock,
        lock,
        single_choice(LockVault),
        outside=no_locking,
        is_report=True,
    ),
    rule(ReportLid, {}, check_lid, report_lid, outside=no_report, is_report=True),
    rule(ReportPress, {}, check_press, report_press, outside=no_report, is_report=True),
)
