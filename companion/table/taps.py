"""Repeated taps: each tap is carried out once, and answered as it was the first time.

A *tap* is a command that a phone sends when somebody presses a button. A phone that got
no answer sends it again with the same id.

A tap is recognised by its id and its actor. If two seats choose the same id, these are
two taps: the second is written down as ``blue/<id>``, for example. No phone can send
such an id, so the two can be told apart in every journal, even an old one.

A tap that was carried out is in the journal, so it is recognised after a restart too.
A refused one is not: after a restart, or ``REFUSED_MAX`` other refusals, it is decided
anew.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping

from companion.errors import Refused, Why
from companion.game.commands import TABLE
from companion.game.envelope import TABLES_OWN, Envelope
from companion.sheets import Told
from companion.units import BANK, VAULT, GameId, Revision
from companion.words import say

FRESH_RULE = Told("A tap counts only if its page shows the table as it is now.")
TAP_RULE = Told("A tap counts once, however often a phone sends it.")

REFUSED_MAX = 1_000
"""How many refusals are remembered."""

OFFICES = frozenset((BANK, TABLE, VAULT))
"""Actors that are no seat; a host's phone may act as one of them and later another."""


class Refusals:
    """The latest refusals, so that a repeated tap gets the same answer."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: OrderedDict[tuple[str, str, str], tuple[Told, Why, str, str]] = (
            OrderedDict()
        )

    def __len__(self) -> int:
        return len(self._kept)

    def repeat(self, game_id: GameId, envelope: Envelope) -> None:
        """Do nothing unless this tap was refused lately.

        Raises:
            Refused: With the same answer as the first time.
        """
        kept = self._kept.get(_key_of(game_id, envelope))
        if kept is not None:
            raise Refused(*kept)

    def keep(self, game_id: GameId, envelope: Envelope, refusal: Refused) -> None:
        """Remember a refusal; beyond ``REFUSED_MAX`` the oldest is forgotten."""
        # The error itself is not kept: each raise would add to its traceback.
        answer = (refusal.rule, refusal.why, refusal.message, refusal.remedy)
        with self._lock:
            self._kept[_key_of(game_id, envelope)] = answer
            if len(self._kept) > REFUSED_MAX:
                self._kept.popitem(last=False)

    def forget(self, game_id: GameId) -> None:
        """Forget all refusals of a game that was removed."""
        with self._lock:
            for key in [key for key in self._kept if key[0] == game_id]:
                del self._kept[key]


def _key_of(game_id: GameId, envelope: Envelope) -> tuple[str, str, str]:
    """Return the key of a tap: its game, who made it, and its id.

    A host's phone may act as the bank now and as the table at the repeat, so both have
    one key. The program's own taps, and the vault's, belong to nobody.
    """
    actor: str = envelope.command.by
    if envelope.is_tables_own or actor == VAULT:
        actor = ""
    elif actor in OFFICES:
        actor = BANK
    return game_id, actor, envelope.command_id


def find_repeat(
    envelope: Envelope,
    revisions: Mapping[str, Revision],
    actor_at: Callable[[Revision], str],
) -> tuple[Revision | None, str]:
    """Find the revision at which this tap was carried out before, and its entry's id.

    Args:
        envelope: The tap.
        revisions: The revision of every entry of the game by its id.
        actor_at: Returns who made the entry of a revision.

    Returns:
        The revision, or ``None`` if the tap is new; and the id that its entry has.

    Raises:
        Refused: ``malformed`` if a seat used the id before and the bank sends it now,
            or the other way round. It may be the same phone, which sat down in
            between: the same payment must not be made twice, nor a new one dropped.
    """
    sender, plain_id = envelope.command.by, envelope.command_id
    if envelope.is_tables_own or sender == VAULT:
        return revisions.get(plain_id), plain_id
    id_with_sender = f"{sender}/{plain_id}"
    is_tables_id = plain_id.startswith(TABLES_OWN)
    if id_with_sender in revisions:
        return revisions[id_with_sender], id_with_sender
    if plain_id not in revisions:
        return None, id_with_sender if is_tables_id else plain_id
    actor = actor_at(revisions[plain_id])
    # The program's own entry may have that id; then this is another tap.
    if is_tables_id and (actor != sender or sender in OFFICES):
        return None, id_with_sender
    if actor == sender or {actor, sender} <= OFFICES:
        return revisions[plain_id], plain_id
    if {actor, sender} & OFFICES:
        raise TAP_RULE.refuses(
            Why.MALFORMED,
            say("this tap was made already, by another hand"),
            say("look at the history, and load the page again"),
        )
    return None, id_with_sender


def check_fresh(envelope: Envelope, revision: Revision) -> None:
    """Refuse a tap on a page that shows an older revision of the game.

    Raises:
        Refused: ``stale``.
    """
    expected = envelope.expected_revision
    if expected is not None and expected != revision:
        raise FRESH_RULE.refuses(
            Why.STALE,
            say("something has happened at the table since you looked"),
            say("look again, then press once more"),
        )
