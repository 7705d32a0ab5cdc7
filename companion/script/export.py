"""Exporting a recorded game as a script that plays back to the same position.

Every entry of guided play begins with the act itself, which becomes the script line.
Entries that were taken back are left out. While the table plays *by hand*, without the
companion's lead, people pay, sit down and leave; such entries become lines of the table
(``do table pay``). Numbers that the table hides are hidden in the script, too.
"""

from __future__ import annotations

from companion.edition import builtin
from companion.errors import Malformed
from companion.game import Game
from companion.game import events as e
from companion.game import play_events as p
from companion.game import vault_contents_events as r  # For "riches".
from companion.game.journal import (
    ASKING,
    Entry,
    apply_entry,
    counting_entries,
    leaving,
)
from companion.game.ledger import Reason
from companion.script.acts import act_line
from companion.script.beginning import Beginning, LoadEdition
from companion.script.code import code_words, codes_in_hindsight, is_locking
from companion.units import BANK, VAULT, Account, Dollars
from companion.words import say

Payment = tuple[str, str, Dollars]
"""The payer, the payee and the amount."""


def export_script(
    entries: tuple[Entry, ...], title: str = "", edition: LoadEdition = builtin
) -> str:
    """Return the game of *entries* as a script, from the beginning of guided play on.

    Args:
        entries: The whole journal of a game.
        title: The name of the game at the table.
        edition: Loads an edition by its id, without what this table read off its box.

    Raises:
        Malformed: If the companion never led the game.
    """
    counting = [
        leaving(entry)
        for entry in counting_entries(entries)
        if not isinstance(entry.events[0], ASKING)
    ]
    start = _index_of_beginning(counting) + 1
    game: Game | None = None
    for entry in counting[:start]:
        game = apply_entry(game, entry)
    assert game is not None, "a journal begins with GameOpened"
    later = tuple(counting[start:])
    source = " ".join(title.split()) or "recorded at the table"
    beginning = Beginning(game, later, edition)
    lines = [f"# Source: {source}", *beginning.lines()]
    codes = codes_in_hindsight(later)
    next(codes)  # The beginning has told the first code.
    for entry in later:
        before = game
        game = apply_entry(before, entry)
        lines += _entry_lines(entry, before, game, beginning.terms)
        if any(is_locking(event) for event in entry.events):
            lines[-1] += code_words(next(codes))
    return "\n".join(lines) + "\n"


def _index_of_beginning(entries: list[Entry]) -> int:
    """Return the index of the last entry that begins guided play."""
    for index in reversed(range(len(entries))):
        if isinstance(entries[index].events[0], p.PlayBegun):
            return index
    raise Malformed(
        say("only a game that the companion led has a script"),
        say("save a copy of the game instead"),
    )


def _entry_lines(entry: Entry, before: Game, after: Game, terms: e.Terms) -> list[str]:
    """Return the script's lines for one entry."""
    act = entry.events[0]
    if isinstance(act, r.LID_AND_BUTTON_EVENTS) and after == before:
        return []  # The lock repeats itself after an undo.
    assert before.board is not None, "play has begun"
    line = act_line(entry.actor, act, before.board.rules.dice.lock_face)
    if line is None:
        return _lines_by_hand(entry, before, after, terms)
    if isinstance(act, r.LID_AND_BUTTON_EVENTS) and not before.is_guided:
        # The lock reported it while the table played by hand: the script lets the
        # companion lead for this one line, since only then may the lock report.
        return ["do table resume", line, "do table undo"]
    return [line] if line else []


# Acts by hand.


def _lines_by_hand(
    entry: Entry, before: Game, after: Game, terms: e.Terms
) -> list[str]:
    """Return the lines of an entry that is no act of guided play.

    *before* and *after* are the game around the entry; *terms* are the money terms of
    the script's game, such as the salary.
    """
    moves = [event for event in entry.events if isinstance(event, e.MoneyMoved)]
    if moves and not before.is_guided:
        return _payment_lines(moves, terms)
    expected = {account: before.ledger[account] for account in before.ledger}
    lines: list[str] = []
    for event in entry.events:
        if isinstance(event, e.SeatAdded):
            lines += _join_lines(event.seat, is_guided=before.is_guided)
            account = Account(event.seat)
            expected[account] = expected.get(account, 0) + terms.start_money
        elif isinstance(event, e.SeatRemoved):
            lines.append(f"do table leave {event.seat}")
            expected[Account(event.seat)] = 0
    return lines + [
        f"do table balance {account} {after.ledger[account]}"
        for account in after.ledger
        if account != BANK and after.ledger[account] != expected[account]
    ]


def _payment_lines(moves: list[e.MoneyMoved], terms: e.Terms) -> list[str]:
    """Return a salary line if the payments are the edition's salary, else each one."""
    payments: list[Payment] = [(move.payer, move.payee, move.amount) for move in moves]
    first = moves[0]
    salary: list[Payment] = [(BANK, first.payee, terms.salary)]
    if terms.vault_salary:
        salary.append((BANK, VAULT, terms.vault_salary))
    if first.reason is Reason.SALARY and payments == salary:
        return [f"do table salary {first.payee}"]
    return [
        f"do table pay {payer} {payee} {amount}" for payer, payee, amount in payments
    ]


def _join_lines(seat: str, *, is_guided: bool) -> list[str]:
    """Return the lines for a seat that joins.

    Nobody can join while the companion leads, so ``rest`` interrupts guided play. The
    undo takes back only the ``rest``; the seat stays.
    """
    line = f"do table join {seat}"
    return ["do table rest", line, "do table undo"] if is_guided else [line]
