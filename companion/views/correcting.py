"""The doubt that a phone raises before a correction to an impossible position.

The table may correct the position as it likes. But buildings whose owner lacks too much
of the group are most likely a mistake.
"""

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
    """Say why a correction, in the words of scripts, is doubtful.

    Empty if it is not, or if the rules refuse it anyway.
    """
    if game.board is None or game.play is None or not game.is_guided:
        return ""
    run, names = MoveRun(game), names_of(game)
    try:
        if why_not(run, words) is not None:
            return ""
        after = change(run, words).play
    except Malformed:
        return ""  # The words say nothing about the position.
    first_lack = next(newly_lacking(game.board, game.play, after), None)
    if first_lack is None:
        return ""
    at, lacking = first_lack
    deeds, owner = game.board.rules.deeds, after.owners[at]
    return say(
        "By the rules nothing may stand on {deed}: {who} lacks {missing}.",
        deed=deeds[at].name,
        who=names.get(owner, owner),
        missing=with_ands(deeds[missing].name for missing in lacking),
    )
