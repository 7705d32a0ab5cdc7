"""The doubt that a phone raises before a correction to which no move could have led."""

from __future__ import annotations

from companion.errors import Malformed
from companion.game import Game
from companion.game.move_run import MoveRun
from companion.rules.consistent import newly_lacking
from companion.rules.correcting import change, why_not
from companion.views.history import names_of
from companion.words import say
from companion.words.lists import with_ands


def doubt(game: Game, words: tuple[str, ...]) -> str:
    """Say why a correction is doubtful; empty if it is not, or if the rules refuse it.

    Args:
        game: The game as it stands.
        words: The correction, in the words of scripts.
    """
    if game.board is None or game.play is None or not game.is_guided:
        return ""
    run, names = MoveRun(game), names_of(game)
    try:
        if why_not(run, words) is not None:
            return ""
        after = change(run, words).play
    except Malformed:
        return ""  # The correction is about the box, not about the position.
    for at, lacking in newly_lacking(game.board, game.play, after):
        deeds = game.board.rules.deeds
        return say(
            "By the rules nothing may stand on {deed}: {who} lacks {missing}.",
            deed=deeds[at].name,
            who=names.get(after.owners[at], after.owners[at]),
            missing=with_ands(deeds[x].name for x in lacking),
        )
    return ""
