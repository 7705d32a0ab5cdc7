"""Entries as sentences: who did what, to whom, for how much and why."""

from __future__ import annotations

from functools import lru_cache

import msgspec

from companion.game import Game
from companion.game import decoder_events as f
from companion.game import events as e
from companion.game import play_events as p
from companion.game import vault_contents_events as v
from companion.game.board import Board
from companion.game.card_words import card_names
from companion.game.commands import TABLE
from companion.game.journal import Entry
from companion.units import BANK, POT, VAULT, Revision, TimeMs
from companion.views.book import in_book
from companion.views.telling import ACTOR, Telling, told_of
from companion.views.why import ShownRule, rules_of
from companion.views.wording import Names, name_of, space_key, worded
from companion.words import capital, say
from companion.words.common import common

COMMON_NAMES: dict[str, str] = {
    BANK: say("the bank"),
    POT: say("the pot"),
    VAULT: say("the vault"),
    TABLE: say("the table"),
}
"""The names of accounts that belong to no seat, as used in sentences."""


SOMEBODY = say("somebody")


class HistoryLine(msgspec.Struct, frozen=True):
    """One entry, ready to be read.

    Attributes:
        revision: The revision of the entry.
        at_ms: When it was written, in milliseconds since 1970 UTC.
        actor: The name of who did it.
        sentences: What happened, in as few sentences as it takes.
        details: Further sentences, for whoever wants to know.
        is_undone: The entry was taken back and does not count.
        rules: The rules behind the money that moved, or is asked for.
        barrier: Why nothing older can be taken back; empty unless it ends the way back.
    """

    revision: Revision
    at_ms: TimeMs
    actor: str
    sentences: tuple[str, ...]
    is_undone: bool
    rules: tuple[ShownRule, ...] = ()
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
    v.GuessMade: say("Nothing older can be taken back: the vault has answered."),
    v.RichesTaken: say("Nothing older can be taken back: the vault was open."),
    v.VaultRefilled: say(
        "Nothing older can be taken back: the vault has a new number."
    ),
}
"""Why nothing before such an event can be taken back."""


@in_book
def names_of(game: Game) -> Names:
    """The name of every account, actor, deed, card and space, as used in sentences.

    Seats have the names of those who sit there now; when an older entry was made,
    others may have sat there (``companion/game/sitters.py``).
    """
    return {
        **COMMON_NAMES,
        **(_printed(game.board) if game.board is not None else {}),
        **{state.seat: state.name for state in game.seats},
    }


@lru_cache(maxsize=8)
def _printed(board: Board) -> Names:
    """The name of every space, deed and card of a board."""
    spaces = list(enumerate(board.rules.spaces))
    return {
        **{space.kind: common(space.name) for _, space in spaces if not space.deed},
        **{space_key(at): common(space.name) for at, space in spaces if space.name},
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
    """*entry* as a line of the history.

    Args:
        entry: What happened.
        names: Everybody's names when it happened.
        is_undone: The entry was taken back and does not count.
        about: The entry that an undo or a redo is about, or a question about an undo;
            the oldest, if it is about several.
        game: The game as it stands, for the rules; without one, no rule is given.
    """
    is_bank = entry.actor == BANK
    actor = say("the banker") if is_bank else name_of(entry.actor, names)
    told = told_of(_events(entry), names, actor)
    if about is not None:
        what = told_of(_events(about), names, name_of(about.actor, names)).sentences[0]
        told = _told_about(entry, told.sentences[0], what)
    barrier = next((BARRIERS[type(x)] for x in entry.events if type(x) in BARRIERS), "")
    rules = rules_of(entry, game) if game is not None else ()
    return HistoryLine(
        entry.revision,
        entry.at_ms,
        actor,
        told.sentences,
        is_undone,
        rules,
        barrier,
        told.details,
    )


def _told_about(entry: Entry, said: str, what: str) -> Telling:
    """What an entry says that takes others back, restores them or asks for that.

    Args:
        entry: What was done or asked.
        said: What it says of itself.
        what: What the first of the others says.
    """
    first, count = entry.events[0], len(entry.events)
    if isinstance(first, e.UndoAsked):
        count = first.count
    elif count > 1 and isinstance(first, e.Undone):
        said = say("{count} steps taken back", count=count)
    elif count > 1:
        said = say("{count} steps count again", count=count)
    if count == 1:
        return Telling((capital(say("{undone}: {what}", undone=said, what=what)),))
    return Telling((said,), (capital(say("The first of them: {what}", what=what)),))


def _events(entry: Entry) -> list[e.Event]:
    """The events of the game; the vault's own say nothing."""
    return [one for one in entry.events if isinstance(one, e.Event)]


def sentence(event: e.Event, names: Names, actor: str = SOMEBODY) -> str:
    """*event* as a sentence without a full stop, beginning with a capital.

    Empty if another sentence of the same entry says it already.
    """
    told = event.sentence
    by = {ACTOR: actor} if f"{{{ACTOR}}}" in told else {}
    return capital(worded(told, event, names, **by))
