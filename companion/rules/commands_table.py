"""Every command in one table, put together from the rows beside the rules.

Asking for rent, leaving the game and saying yes or no to an offer are not turns, so
they are taken in more stages than others are. Money is raised whenever it is wanted: by
whoever buys, bids or owes. Nobody builds or lifts a mortgage while it owes.

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
    jail,
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
        *(*seats.ROWS, *bank.ROWS, *undoing.ROWS, *turn.ROWS, *tickets.ROWS),
        *(*jail.ROWS, *decoder.ROWS, *kept_cards.ROWS, *choosing.ROWS, *cards.ROWS),
        *(*deeds.ROWS, *auction.ROWS, *debt.ROWS, *buildings.ROWS, *levelling.ROWS),
        *(*trade.ROWS, *vault.ROWS, *rent.ROWS, *box_reading.ROWS, *begin.ROWS),
        *(*correcting.ROWS, *ending.ROWS),
    )
)
"""Every command; moves stand in the order in which a seat is offered them."""

ALLOWED: dict[Stage, dict[type[c.Command], Who]] = {
    stage: {
        kind: row.stages[stage] for kind, row in RULES.items() if stage in row.stages
    }
    for stage in (*LED, Stage.OVER)
}
"""The same the other way round: stage -> allowed move -> who may make it."""

LOCKS_OWN = frozenset(
    kind for kind, row in RULES.items() if row.is_report and not row.stages
)
"""What only the lock says."""
