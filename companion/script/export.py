"""Exporting a recorded game as a script that plays back to the same position.

Every entry of guided play begins with the act itself, so its first event gives the
script line. Entries that were taken back are left out; what was done by hand in
between is written as lines that do it by hand again.
"""

from __future__ import annotations

from companion.edition import builtin
from companion.errors import Malformed
from companion.game import Game, opened
from companion.game import events as e
from companion.game import play_events as p
from companion.game import vault_contents_events as r
from companion.game.journal import ASKING, TAKING_BACK, Entry, Journal
from companion.script.acts import act_line
from companion.script.beginning import Beginning, Give
from companion.script.by_hand import hand_lines
from companion.script.hindsight import code_words, codes_in_hindsight, is_locking
from companion.words import say


def export_script(
    entries: tuple[Entry, ...], title: str = "", edition: Give = builtin
) -> str:
    """The game of *entries*, from the beginning of guided play on, as a script.

    Args:
        entries: The whole journal of a game.
        title: The name of the game at the table.
        edition: Gives an edition as a script finds it, without readings of a box.

    Raises:
        Malformed: If the companion never led the game.
    """
    counting = _counting(entries)
    begun = [at for at, one in enumerate(counting) if _is_begin(one)]
    if not begun:
        raise Malformed(
            say("only a game that the companion led has a script"),
            say("save a copy of the game instead"),
        )
    at = begun[-1]
    game = _folded(counting[: at + 1])
    later = counting[at + 1 :]
    said = " ".join(title.split()) or "recorded at the table"
    beginning = Beginning(game, later, edition)
    lines = [f"# Source: {said}", *beginning.lines()]
    codes = codes_in_hindsight(later)
    next(codes)  # The head has the first code.
    for entry in later:
        before = game
        game = _folded((entry,), game)
        lines += _words(entry, before, game, beginning.terms)
        if any(is_locking(event) for event in entry.events):
            lines[-1] += code_words(next(codes))
    return "\n".join(lines) + "\n"


def _counting(entries: tuple[Entry, ...]) -> tuple[Entry, ...]:
    """The entries that nobody took back."""
    journal = Journal(lambda after: entries[after:])
    for entry in entries:
        journal.append(entry)
    return tuple(
        entry
        for entry in entries
        if not journal.is_undone(entry.revision)
        and not isinstance(entry.events[0], (*TAKING_BACK, *ASKING))
    )


def _is_begin(entry: Entry) -> bool:
    return isinstance(entry.events[0], p.PlayBegun)


def _folded(entries: tuple[Entry, ...], game: Game | None = None) -> Game:
    for entry in entries:
        for event in entry.events:
            if isinstance(event, e.GameOpened):
                game = opened(event)
            elif isinstance(event, e.Event):
                assert game is not None, "a journal begins with GameOpened"
                game = game.after(event)
    assert game is not None, "a journal begins with GameOpened"
    return game


def _words(entry: Entry, before: Game, after: Game, terms: e.Terms) -> list[str]:
    """The script lines for one entry: its act, or what was done by hand."""
    act = entry.events[0]
    if isinstance(act, r.OF_THE_METAL) and after == before:
        return []  # Only repeats what is known, after an undo.
    assert before.board is not None, "play has begun"
    said = act_line(entry.actor, act, before.board.rules.dice.lock_face)
    if said is None:
        return hand_lines(entry, before, after, terms)
    if isinstance(act, r.OF_THE_METAL) and not before.is_guided:
        return ["do table resume", said, "do table undo"]  # Reported while by hand.
    return [said] if said else []
