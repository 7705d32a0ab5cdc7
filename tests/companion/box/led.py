"""Games on disk that the companion leads."""

from __future__ import annotations

from companion.box.own_editions import OwnEditions
from companion.edition.snapshot import snapshot
from companion.game import commands as c
from companion.game import moves as m
from companion.game.envelope import Envelope
from companion.table import TableService
from tests.scene import sitting

VAULT = "secret-vault"


def give(table: TableService, game: str, command: c.Command) -> None:
    revision = len(table.entries(game))
    table.submit(game, Envelope(command, f"command-{revision:04d}"))


def begun(table: TableService, own: OwnEditions, command_id: str) -> str:
    game = table.open_game(VAULT, "Friday", command_id)
    give(table, game, sitting("red"))
    give(table, game, sitting("blue"))
    give(table, game, m.BeginPlay(by=c.TABLE, rules=snapshot(own(VAULT))))
    return game
