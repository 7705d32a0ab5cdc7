"""The doubt that a phone raises before a correction to an impossible position.

The table may correct the position as it likes. But if the owner of a street with
buildings lacks too much of its group, that is most likely a mistake, so the phone asks
once more.
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
    """Say why a correction is doubtful; empty if it is not.

    It is also empty if the rules refuse the correction, which is then not made at all.

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
