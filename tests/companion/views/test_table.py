"""What each phone may see and press, and nothing more."""

from __future__ import annotations

from companion.as_json import to_json
from companion.game import Game
from companion.game import commands as c
from companion.rules import legal_commands
from companion.units import BANK, Revision, Seat
from companion.views.table import SeatView, TableView, seat_view, table_view
from tests.sample import each
from tests.scene import VAULT_TERMS, Play, ask, pay

ACTORS = ("red", "blue", "green", c.TABLE, BANK, "", "pink")


def evening() -> Game:
    play = Play("red", "blue", "green", terms=VAULT_TERMS)
    play.give(
        c.HandBanker(by=c.TABLE, to=Seat("green")),
        ask("red", "blue", 10),
        ask("blue", "bank", 20),
        pay("red", "pot", 30),
    )
    return play.game


def table_of(game: Game) -> TableView:
    return table_view("abc", Revision(8), game, frozenset(("red",)), ())


def view_of(game: Game, by: str) -> SeatView:
    return seat_view(table_of(game), game, by)


def test_the_table_is_the_same_for_everybody() -> None:
    game = evening()
    table = table_of(game)
    assert all(view_of(game, by).table == table for by in ACTORS)
    assert (table.pot, table.vault, table.bank) == (30, 500, -2_900)
    assert table.has_vault
    rows = [(r.seat, r.balance, r.is_banker, r.has_phone) for r in table.seats]
    assert rows == [
        ("red", 770, False, True),
        ("blue", 800, False, False),
        ("green", 800, True, False),
    ]
    assert sum(r.balance for r in table.seats) + table.pot + table.vault == -table.bank


@each("by", ACTORS)
def test_the_buttons_are_the_legal_commands(by: str) -> None:
    game = evening()
    view = view_of(game, by)
    legal = legal_commands(game, by)
    assert view.commands == {kind.__name__ for kind in legal}
    for kind in c.Command.__subclasses__():
        assert view.may(kind) is view.may(kind.__name__) is (kind in legal)


def test_a_seat_sees_itself_and_a_guest_sees_nobodys() -> None:
    game = evening()
    red, green, guest = (view_of(game, by) for by in ("red", "green", ""))
    assert red.seat is not None
    assert (red.seat.seat, red.is_banker) == ("red", False)
    assert green.is_banker
    assert (guest.seat, guest.is_banker, guest.asks) == (None, False, ())
    assert guest.commands == frozenset()
    assert view_of(game, c.TABLE).is_banker
    assert not view_of(game, BANK).is_banker


def test_a_request_is_shown_to_who_made_it_who_pays_it_and_the_banker() -> None:
    game = evening()
    seen = {
        by: [(a.number, a.can_answer, a.can_withdraw) for a in view_of(game, by).asks]
        for by in ("red", "blue", "green", "pink")
    }
    assert seen == {
        "red": [(1, False, True)],
        "blue": [(1, True, False), (2, False, True)],
        "green": [(1, True, True), (2, True, True)],
        "pink": [],
    }


def test_in_a_closed_game_nothing_can_be_answered() -> None:
    play = Play("red", "blue")
    play.give(ask("red", "blue", 10), c.CloseGame(by=c.TABLE))
    (row,) = view_of(play.game, "blue").asks
    assert (row.can_answer, row.can_withdraw) == (False, False)
    assert view_of(play.game, "blue").commands == frozenset()
    assert view_of(play.game, c.TABLE).commands == {"ReopenGame"}


def test_a_view_carries_nothing_but_what_is_listed() -> None:
    """Whoever adds a field to what leaves the house must come past here."""
    assert set(TableView.__struct_fields__) == {
        "game_id", "name", "edition", "revision", "is_locked", "is_closed",
        "banker", "bank", "pot", "vault", "has_vault", "seats", "lines",
    }  # fmt: skip
    assert set(SeatView.__struct_fields__) == {
        "table", "by", "seat", "is_banker", "commands", "salary", "asks",
    }  # fmt: skip
    text = to_json(view_of(evening(), c.TABLE))
    assert b"code" not in text
