"""Entries of the journal as sentences: who did what, to whom, for how much and why.

An *entry* records one move with all its events. An undo is an entry of its own that
takes back one or more earlier entries; a redo makes them count again. A *barrier* is an
event before which nothing can be taken back, such as a drawn card that all have seen.
"""

from __future__ import annotations

from functools import lru_cache

import msgspec

from companion.game import Game

# The modules of events: e all games, f fakes, p play, r riches (of the vault).
from companion.game import decoder_events as f
from companion.game import events as e
from companion.game import play_events as p
from companion.game import vault_contents_events as r
from companion.game.board import Board
from companion.game.card_words import card_names
from companion.game.commands import TABLE
from companion.game.journal import Entry
from companion.units import BANK, POT, VAULT, Revision, TimeMs
from companion.views.book import in_book
from companion.views.telling import Telling, actor_value, game_events, told_of
from companion.views.why import ShownRule, rules_of, sums_of
from companion.views.wording import Names, filled, name_of, space_key
from companion.words import capital, say
from companion.words.common import common

COMMON_NAMES: dict[str, str] = {
    BANK: say("the bank"),
    POT: say("the pot"),
    VAULT: say("the vault"),
    TABLE: say("the table"),
}
"""The names of accounts and actors that are not seats, as sentences use them."""

SOMEBODY = say("somebody")
"""The actor in a sentence whose actor is not given."""


class HistoryLine(msgspec.Struct, frozen=True):
    """One entry, ready to be read.

    Attributes:
        revision: The revision of the entry.
        at_ms: When it was written, in milliseconds since the start of 1970 UTC.
        actor: The name of the player who made it.
        sentences: What happened, in as few sentences as possible.
        details: Further sentences, which a page folds away.
        is_undone: The entry was taken back and does not count.
        rules: The rules behind the money that moved or is asked for.
        sums: How amounts that were multiplied came about.
        barrier: Why nothing older can be taken back; empty if it can.
    """

    revision: Revision
    at_ms: TimeMs
    actor: str
    sentences: tuple[str, ...]
    is_undone: bool
    rules: tuple[ShownRule, ...] = ()
    sums: tuple[str, ...] = ()
    barrier: str = ""
    details: tuple[str, ...] = ()


BARRIERS: dict[type[object], str] = {
    e.SeatRemoved: say("Nothing older can be taken back: a player has left."),
    p.PlayBegun: say("Nothing older can be taken back: here the game begins."),
    p.PositionGiven: say("Nothing older can be taken back: here the game begins."),
    p.CardDrawn: say("Nothing older can be taken back: everybody has seen the card."),
    f.VerdictGiven: say(
        "Nothing older can be taken back: somebody has looked through the decoder."
    ),
    r.GuessMade: say("Nothing older can be taken back: the vault has answered."),
    r.RichesTaken: say("Nothing older can be taken back: the vault was open."),
    r.VaultRefilled: say(
        "Nothing older can be taken back: the vault has a new number."
    ),
}
"""Why nothing before an event can be taken back, by the kind of event."""


@in_book
def names_of(game: Game) -> Names:
    """Return the names of all seats, accounts, deeds, cards and spaces for sentences.

    A seat has the name of the player who sits there now; at an older entry, another
    may have sat there (``companion/game/journal.py``).
    """
    return {
        **COMMON_NAMES,
        **(_printed_names(game.board) if game.board is not None else {}),
        **{state.seat: state.name for state in game.seats},
    }


@lru_cache(maxsize=8)
def _printed_names(board: Board) -> Names:
    """Return the names that are printed on a board, its deeds and its cards.

    The key of a space is its number; without a deed, its kind as well.
    """
    spaces = board.rules.spaces
    return {
        **{space.kind: common(space.name) for space in spaces if not space.deed},
        **{
            space_key(number): common(space.name)
            for number, space in enumerate(spaces)
            if space.name
        },
        **{deed.id: deed.name for deed in board.rules.deeds},
        **card_names(board),
    }


def history_line(
    entry: Entry,
    names: Names,
    *,
    is_undone: bool,
    about: Entry | None = None,
    game: Game | None = None,
) -> HistoryLine:
    """Return *entry* as a line of the history.

    Args:
        entry: The entry.
        names: Everybody's names when it was made.
        is_undone: The entry was taken back and does not count.
        about: The entry that *entry* takes back, restores or asks to undo, the oldest
            if there are several; ``None`` for other kinds of entries.
        game: The game as it stands; if it is ``None``, the line names no rules.
    """
    is_bank = entry.actor == BANK
    actor = say("the banker") if is_bank else name_of(entry.actor, names)
    telling = told_of(game_events(entry), names, actor)
    if about is not None:
        earlier = told_of(game_events(about), names, name_of(about.actor, names))
        telling = _tell_undoing(entry, telling.sentences[0], earlier.sentences[0])
    kinds = map(type, entry.events)
    barriers = [BARRIERS[kind] for kind in kinds if kind in BARRIERS]
    return HistoryLine(
        revision=entry.revision,
        at_ms=entry.at_ms,
        actor=actor,
        sentences=telling.sentences,
        is_undone=is_undone,
        rules=rules_of(entry, game) if game is not None else (),
        sums=sums_of(entry) if game is not None else (),
        barrier=barriers[0] if barriers else "",
        details=telling.details,
    )


def _tell_undoing(entry: Entry, own_words: str, oldest_words: str) -> Telling:
    """Tell of an entry that takes others back, restores them, or asks to undo them.

    *own_words* is its own sentence, *oldest_words* that of the oldest of the others.
    """
    first, count = entry.events[0], len(entry.events)
    if isinstance(first, e.UndoAsked):
        count = first.count
    elif count > 1 and isinstance(first, e.Undone):
        own_words = say("{count} steps taken back", count=count)
    elif count > 1:
        own_words = say("{count} steps count again", count=count)
    if count == 1:
        words = capital(say("{undone}: {what}", undone=own_words, what=oldest_words))
        return Telling((words,))
    detail = capital(say("The first of them: {what}", what=oldest_words))
    return Telling((own_words,), (detail,))


def sentence(event: e.Event, names: Names, actor: str = SOMEBODY) -> str:
    """Return *event* as a sentence with a capital and without a full stop.

    Empty if another sentence of the same entry says it already.
    """
    values = actor_value(event.sentence, actor)
    return capital(filled(event.sentence, [event], names, **values))
