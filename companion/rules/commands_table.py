"""The table of all commands, put together from the ``ROWS`` of each rules module.

Each move lists the stages in which it is allowed.

Source:
    The stages: ``companion/script/README.md``. Each rule names its own source in its
    module.
"""

from __future__ import annotations

from companion.game import commands as c
from companion.game.stage import Stage
from companion.rules import (
    auction,
    bank,
    begin,
    box_reading,
    buildings,
    cards,
    choosing,
    correcting,
    debt,
    decoder,
    deeds,
    ending,
    kept_cards,
    levelling,
    rent,
    seats,
    tickets,
    trade,
    turn,
    undoing,
    vault,
)
from companion.rules.rule import LED, Rule, Who

RULES: dict[type[c.Command], Rule] = dict(
    (
        *(*seats.ROWS, *bank.ROWS, *undoing.ROWS),
        *(*turn.ROWS, *tickets.ROWS, *turn.JAIL_ROWS),
        *(*decoder.ROWS, *kept_cards.ROWS, *choosing.ROWS, *cards.ROWS),
        *(*deeds.ROWS, *auction.ROWS, *debt.ROWS, *buildings.ROWS, *levelling.ROWS),
        *(*trade.ROWS, *vault.ROWS, *rent.ROWS, *box_reading.ROWS, *begin.ROWS),
        *(*correcting.ROWS, *ending.ROWS),
    )
)
"""Kind of command -> its rule, in the order in which seats see the moves."""

ALLOWED: dict[Stage, dict[type[c.Command], Who]] = {
    stage: {
        kind: row.stages[stage] for kind, row in RULES.items() if stage in row.stages
    }
    for stage in (*LED, Stage.OVER)
}
"""Stage -> kind of move allowed in it -> who may make it."""

LOCKS_OWN = frozenset(
    kind for kind, row in RULES.items() if row.is_report and not row.stages
)
"""The commands that only the lock gives: reports without a stage."""
