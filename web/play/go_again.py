"""GO twice within ten seconds asks first: most likely two people meant the same GO."""

from __future__ import annotations

import msgspec

from companion.game import commands as c
from companion.units import GameId
from companion.views.go_again import go_before_ms
from web.http import fields
from web.http.errors import wants_json
from web.http.panel import panel

ENTRIES_MAX = 40
"""More than a table writes down within the time in question."""


class GoAgain(msgspec.Struct, frozen=True):
    """What is asked before a seat is paid for GO a second time.

    Attributes:
        seat: Who is paid.
        ago_s: For how many seconds they have had the first payment.
        page: The page that it was asked from, as forms name it.
    """

    seat: str
    ago_s: int
    page: str


def go_again(game_id: GameId, command: c.Command, form: fields.Form) -> GoAgain | None:
    """What to ask before *command*; ``None`` where there is nothing to ask.

    A repeat of the very tap that was paid, and a program, are answered as ever.
    """
    if not isinstance(command, c.CollectSalary):
        return None
    if form.get("again") == "yes" or wants_json():
        return None
    table = panel().table
    entries = table.entries(game_id, max(0, table.revision(game_id) - ENTRIES_MAX))
    tap = fields.text(form, "command_id")
    if any(entry.command_id.rpartition("/")[2] == tap for entry in entries):
        return None
    lines = table.history(game_id, None, ENTRIES_MAX)
    undone = {line.revision for line in lines if line.is_undone}
    ago_ms = go_before_ms(entries, undone, command.seat, table.clock.now_ms())
    if ago_ms is None:
        return None
    return GoAgain(command.seat, max(1, ago_ms // 1000), form.get("from", ""))
