"""Corrections on the banker's phone: the choices, and doubts to be confirmed.

A *correction* sets right what the companion has got wrong about a guided game. It
consists of words, as in scripts: ``red cash 500``, which the banker chooses or types.
If it is probably a mistake, there is a *doubt*, and the banker has to confirm it.
"""

from __future__ import annotations

import msgspec

from companion.errors import Malformed
from companion.game import Game
from companion.game.board import Board
from companion.game.card_code import buildings
from companion.game.commands import Command
from companion.game.move_run import MoveRun
from companion.game.moves import CorrectPosition
from companion.game.rulebook import RAILROAD, SKYSCRAPER, STREET
from companion.rules.consistent import newly_lacking
from companion.rules.correcting import change, why_not
from companion.units import GameId
from companion.views.history import names_of
from companion.views.space import buildings_text
from companion.words import say, say_count
from companion.words.lists import with_ands
from web.http import fields
from web.http.errors import wants_json
from web.http.panel import panel

Choice = tuple[str, str]
"""The words of a correction that a form sends, and their text on the page."""


class DeedRow(msgspec.Struct, frozen=True):
    """A deed to choose; *owner* is the seat that owns it, or empty for the bank."""

    id: str
    name: str
    owner: str


class Doubt(msgspec.Struct, frozen=True):
    """A correction that the banker has to confirm.

    Attributes:
        why: The reason for the doubt, as a sentence.
        words: The correction, in the words of scripts.
    """

    why: str
    words: str


def doubt_of(game_id: GameId, command: Command, form: fields.Form) -> Doubt | None:
    """Return the doubt about a command; ``None`` if it can be carried out.

    Only a correction raises a doubt, unless it is confirmed or comes from a program.
    """
    if not isinstance(command, CorrectPosition):
        return None
    if fields.text(form, "sure") == "yes" or wants_json():
        return None
    reason = _why_doubtful(panel().table.game(game_id), command.words)
    return Doubt(reason, " ".join(command.words)) if reason else None


def _why_doubtful(game: Game, words: tuple[str, ...]) -> str:
    """Say why a correction, in the words of scripts, is most likely a mistake.

    Its position would be impossible: an owner of buildings lacks too much of the group.
    Empty if that is not so, or if the rules refuse the correction anyway.
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


def correction_choices(game: Game) -> dict[str, object]:
    """Return the choices on the page of corrections, by their names in the template."""
    assert game.board is not None, "the companion leads"
    assert game.play is not None, "the companion leads"
    rules = game.board.rules
    owned_deeds = list(zip(rules.deeds, game.play.owners, strict=True))

    def deed_rows(kind: str = "") -> list[DeedRow]:
        return [
            DeedRow(deed.id, deed.name, owner)
            for deed, owner in owned_deeds
            if kind in ("", deed.kind)
        ]

    has_skyscrapers = SKYSCRAPER in buildings(rules)
    depots = _buildings(game.board, RAILROAD)
    return {
        "deeds": deed_rows(),
        "streets": deed_rows(STREET),
        "railroads": deed_rows(RAILROAD),
        "spaces": [
            (str(number), f"{number} · {space.name or space.kind}")
            for number, space in enumerate(rules.spaces)
        ],
        "chips": _chips(game.board),
        "has_tickets": rules.tickets is not None,
        "has_mortgages": rules.mortgage.exists,
        "jail": [("free", say("Free")), *_jail_choices(rules.jail.attempts)],
        "buildings": [BARE, *_buildings(game.board, STREET)],
        "depots": [BARE, *depots] if depots else [],
        "figures": FIGURES + OF_SKYSCRAPERS if has_skyscrapers else FIGURES,
        "examples": EXAMPLES,
    }


def _chips(board: Board) -> list[Choice]:
    """List how many green chips a seat may have; empty without a decoder."""
    decoder = board.rules.decoder
    counts = range(decoder.chips + 1) if decoder else ()
    return [
        (f"chips {count}", say_count(count, "{count} green", "{count} green"))
        for count in counts
    ]


def _jail_choices(attempts: int) -> list[Choice]:
    """List a choice for each number of failed rolls of a token in jail."""
    return [
        (
            f"jailed {failed}",
            say_count(
                failed, "In jail, {count} failed roll", "In jail, {count} failed rolls"
            ),
        )
        for failed in range(attempts)
    ]


BARE = ("bare", say("Nothing"))
"""The choice of a deed without buildings."""


def _buildings(board: Board, deed_kind: str) -> list[Choice]:
    """List the choices of buildings on a kind of deed, the fewest first.

    A deed's *ladder* is its buildings in the order in which they are built. The longest
    one holds all others.
    """
    ladders = (deed.ladder for deed in board.rules.deeds if deed.kind == deed_kind)
    ladder = max(ladders, key=len, default=())
    choices = []
    for level, kind in enumerate(ladder, 1):
        count = ladder[:level].count(kind)
        choices.append((f"{kind}s {count}", buildings_text(kind, count)))
    return choices


FIGURES = (
    ("price", say("Price")),
    ("mortgage", say("Mortgage")),
    ("rent", say("Rent without buildings")),
    ("house_cost", say("A house costs")),
    ("hotel_cost", say("A hotel costs")),
    ("rent_hotel", say("Rent with a hotel")),
)
"""The figures on a deed: their names in scripts, and their words."""

OF_SKYSCRAPERS = (
    ("skyscraper_cost", say("A skyscraper costs")),
    ("rent_skyscraper", say("Rent with a skyscraper")),
)
"""Further figures on deeds, in boxes with skyscrapers."""

EXAMPLES = (
    "red cash 500",
    "red on boardwalk",
    "red owes 200 to blue",
    "red cards jail-card",
    "boardwalk houses 2",
    "bank houses 20",
    "stage roll",
)
"""Examples of corrections, in the words of scripts, that the page shows."""
