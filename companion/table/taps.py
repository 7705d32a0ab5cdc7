"""Taps that come again: each is carried out once, and answered as the first time.

A tap is known by its id and by who made it. An id that two seats chose, one after
the other, is two taps: the second one is written down as ``blue/<id>``. No phone can
send such an id, so the two are told apart in every journal, also in an old one.

What was carried out is in the journal, and is known after a restart as well. What
was refused is in no journal: after a restart, or after ``REFUSED_MAX`` others, the
same tap is decided anew.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping

from companion.errors import Refused, Why
from companion.game.commands import TABLE
from companion.game.envelope import Envelope
from companion.units import BANK, VAULT, GameId, Revision
from companion.words import say

REFUSED_MAX = 1_000
"""Refused commands whose answer is remembered, in case the tap is repeated."""

OFFICES = frozenset((BANK, TABLE, VAULT))
"""Those who act and are no seat; the host's phone may be one, then another."""

VAULTS_OWN = "vault-"
"""How ids begin that the vault makes; a phone that sends one takes none away."""


class Refusals:
    """The latest refusals, to be given again."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[str, str, str], tuple[Why, str, str]] = (
            OrderedDict()
        )

    def __len__(self) -> int:
        return len(self._kept)

    def repeat(self, game_id: GameId, envelope: Envelope) -> None:
        """Nothing, for a tap that was not refused lately.

        Raises:
            Refused: As the first time.
        """
        kept = self._kept.get(_key(game_id, envelope))
        if kept is not None:
            raise Refused(*kept)

    def keep(self, game_id: GameId, envelope: Envelope, refused: Refused) -> None:
        """Remember what was answered; the oldest answer makes room."""
        # Not the error itself: each raise would add to its traceback.
        answer = (refused.why, refused.message, refused.remedy)
        self._kept[_key(game_id, envelope)] = answer
        if len(self._kept) > REFUSED_MAX:
            self._kept.popitem(last=False)

    def forget(self, game_id: GameId) -> None:
        """That game is gone."""
        for key in [key for key in self._kept if key[0] == game_id]:
            del self._kept[key]


def _key(game_id: GameId, envelope: Envelope) -> tuple[str, str, str]:
    by = envelope.command.by
    who = "" if envelope.is_tables_own or by in OFFICES else by
    return game_id, who, envelope.command_id


def first_time(
    envelope: Envelope,
    known: Mapping[str, Revision],
    actor_at: Callable[[Revision], str],
) -> tuple[Revision | None, str]:
    """When this tap was carried out, if it was, and under which id it is kept.

    Args:
        envelope: The tap.
        known: The revision of every entry of the game by its id.
        actor_at: Who made the entry of a revision.

    Raises:
        Refused: ``malformed`` if a seat took the id and the bank has it now, or the
            other way round. That may be one phone that sat down in between: the
            same payment must not be made twice, and no other is made silently.
    """
    by, plain = envelope.command.by, envelope.command_id
    if envelope.is_tables_own or by == VAULT:
        return known.get(plain), plain
    own = f"{by}/{plain}"
    if own in known or plain.startswith(VAULTS_OWN):
        return known.get(own), own
    if plain not in known:
        return None, plain
    actor = actor_at(known[plain])
    if actor == by or {actor, by} <= OFFICES:
        return known[plain], plain
    if {actor, by} & OFFICES:
        raise Refused(
            Why.MALFORMED,
            say("this tap was made already, by another hand"),
            say("look at the history, and load the page again"),
        )
    return None, own


def check_fresh(envelope: Envelope, revision: Revision) -> None:
    """Refuse a tap on a page that shows an older table than that of *revision*.

    Raises:
        Refused: ``stale``.
    """
    expected = envelope.expected_revision
    if expected is not None and expected != revision:
        raise Refused(
            Why.STALE,
            say(
                "the page showed revision {expected}; the table is at {revision}",
                expected=expected,
                revision=revision,
            ),
            say("look again, then repeat it"),
        )
