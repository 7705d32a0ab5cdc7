"""The question before a seat is paid for GO again within ten seconds.

Most likely two people have tapped the button for the same pass over GO.
"""

from __future__ import annotations

import msgspec

from companion.game import commands as c
from companion.units import GameId
from companion.views.received import since_salary_ms
from web.http import fields
from web.http.errors import wants_json
from web.http.panel import panel

ENTRIES_MAX = 40
"""How many entries are searched: more than a table makes within ten seconds."""


class GoAgain(msgspec.Struct, frozen=True):
    """The question whether a seat is to be paid for GO a second time.

    Attributes:
        seat: The seat that would be paid.
        ago_s: How many seconds ago it was paid before; at least 1.
        page: The page whose button was tapped, as in the field ``from``.
    """

    seat: str
    ago_s: int
    page: str


def go_again(game_id: GameId, command: c.Command, form: fields.Form) -> GoAgain | None:
    """Return the question to ask before *command*; ``None`` to carry it out at once.

    A form that was carried out raises no question when it is sent again, since it is
    paid once. A program is never asked.
    """
    if not isinstance(command, c.CollectSalary):
        return None
    if form.get("again") == "yes" or wants_json():
        return None
    table = panel().table
    entries = table.entries(game_id, max(0, table.revision(game_id) - ENTRIES_MAX))
    command_id = fields.text(form, "command_id")
    # An entry's id may have its seat before it: ``blue/<id>``.
    ids = {entry.command_id.rpartition("/")[2] for entry in entries}
    if command_id in ids:
        return None
    lines = table.history(game_id, None, ENTRIES_MAX)
    undone = {line.revision for line in lines if line.is_undone}
    ago_ms = since_salary_ms(entries, undone, command.seat, table.clock.now_ms())
    if ago_ms is None:
        return None
    return GoAgain(command.seat, max(1, ago_ms // 1000), form.get("from", ""))
