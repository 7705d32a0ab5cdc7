"""A panel with a game that the companion leads, and functions to play it on."""

from __future__ import annotations

import random
from collections.abc import Mapping

from companion.edition.snapshot import snapshot
from companion.errors import Refused
from companion.game import commands as c
from companion.game import moves as m
from companion.game.envelope import Envelope
from tests.guided import random_move
from tests.web.conftest import Evening, House, make_evening

OTHERS = (
    ("Cleo", "green", "duck"),
    ("Dana", "orange", "cat"),
    ("Emil", "purple", "dog"),
    ("Fritzi", "teal", "ship"),
    ("Gustav-Adolf", "pink", "rocket"),
    ("Hannah", "silver", "boot"),
)


def give(evening: Evening, *commands: c.Command) -> None:
    """Carry out commands at the table itself, one after another."""
    for command in commands:
        envelope = Envelope(command, evening.house.command_id())
        evening.house.table.submit(evening.game_id, envelope)


def said(evening: Evening, *lines: str) -> None:
    """Correct the position by each line, in the words of scripts."""
    for line in lines:
        give(evening, m.CorrectPosition(by=c.TABLE, words=tuple(line.split())))


def lie_on_table(evening: Evening, lie: str = "yes") -> None:
    """Say on Anna's phone whether notes and cards lie on the table."""
    answer = evening.anna.post(
        f"/g/{evening.game_id}/pause/papers", way="pack", lie=lie
    )
    assert answer.status_code == 303, answer.text


def page(evening: Evening, path: str = "", who: str = "anna") -> str:
    """Return the text of a page of the game, as *who* sees it."""
    answer = getattr(evening, who).get(f"/g/{evening.game_id}/{path}")
    assert answer.status_code == 200, (answer.status_code, answer.text)
    return answer.text


def guided(
    house: House,
    edition: str = "classic",
    seats: int = 2,
    options: Mapping[str, str] | None = None,
) -> Evening:
    """Open a game of *seats* phones that the companion leads, before its first roll."""
    evening = make_evening(house, edition)
    lead(evening, edition, seats, options)
    return evening


def lead(
    evening: Evening,
    edition: str = "classic",
    seats: int = 2,
    options: Mapping[str, str] | None = None,
) -> None:
    """Seat further players, and have the companion lead the game."""
    for name, colour, token in OTHERS[: seats - 2]:
        evening.house.seated(evening.game_id, name, colour, token)
    rules = snapshot(evening.house.panel.editions(edition), options or {})
    deal = tuple(deed.id for deed in rules.deeds) if rules.dealt_each else ()
    give(evening, m.BeginPlay(by=c.TABLE, rules=rules, deal=deal))


def played(evening: Evening, moves: int, seed: int = 1) -> Evening:
    """Play up to *moves* random moves; return the same evening."""
    dice = random.Random(seed)
    for _ in range(moves):
        game = evening.house.table.game(evening.game_id)
        assert game.play is not None
        if game.play.base == "over":
            break
        try:
            give(evening, random_move(dice, game))
        except Refused:
            continue
    return evening
