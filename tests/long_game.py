"""A game of many entries on the disk, without playing it: two seats that pay."""

from __future__ import annotations

from collections.abc import Iterator

import sqlalchemy as sa

from companion.game import commands as c
from companion.game import events as e
from companion.game.envelope import opened_by
from companion.game.journal import Entry
from companion.game.ledger import Reason
from companion.store import Journals, Store, schema
from companion.units import BANK, Account, GameId, Revision, Seat, TimeMs
from tests.scene import TERMS

RED, BLUE = Account("red"), Account("blue")
OPENING = "command-open"


def long_game(journals: Journals, count: int, opening: str = OPENING) -> GameId:
    """Write a game of *count* entries in one go, with undos and redos among them."""
    game = opened_by(opening)
    journals.append(game, *entries(count, opening))
    return game


def entries(count: int, opening: str = OPENING) -> Iterator[Entry]:
    """Return the entries of such a game."""
    for number in range(1, count + 1):
        actor = c.TABLE if number <= 3 else RED
        events = (_event(number),)
        at_ms = TimeMs(1_750_000_000_000 + number)
        tap = opening if number == 1 else f"command-{number:06d}"
        yield Entry(Revision(number), tap, actor, at_ms, events)


def _event(number: int) -> e.GameEvent:
    if number == 1:
        return e.GameOpened(name="Friday", terms=TERMS, banker=BANK)
    if number <= 3:
        name, token = (("red", "hat"), ("blue", "car"))[number - 2]
        return e.SeatAdded(
            seat=Seat(name), name=name, colour=name, token=token, start_money=1_500
        )
    if number % 10 == 0:
        return e.Undone(revision=Revision(number - 1))
    round_number, step = divmod(number, 20)
    if step == 11:
        return e.Redone(revision=Revision(number - 2))
    is_reds = (number + round_number) % 2  # In turn, so that nobody grows poor.
    payer, payee = (RED, BLUE) if is_reds else (BLUE, RED)
    return e.MoneyMoved(payer=payer, payee=payee, amount=1, reason=Reason.RENT)


def damage(
    database: Store, game: GameId, revision: int, was: bytes, now: bytes
) -> None:
    """Change an entry on the disk so that it can still be read."""
    table = schema.entries
    where = table.c.journal_id == game, table.c.revision == revision
    with database.transaction() as connection:
        text = connection.execute(sa.select(table.c.events).where(*where)).scalar_one()
        assert was in text
        changed = table.update().values(events=text.replace(was, now))
        connection.execute(changed.where(*where))


POORER = 3, b'"start_money":1500', b'"start_money":1492'
"""An entry of the game, and how ``damage`` takes $8 from a seat there."""
