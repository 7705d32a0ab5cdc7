"""The engine as the table service uses it: on disk, by hand and back, exported."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from msgspec.structs import replace

from companion.edition import builtin
from companion.edition.snapshot import snapshot
from companion.errors import Malformed
from companion.game import commands as c
from companion.game import moves as m
from companion.game.envelope import Envelope
from companion.game.move_run import MoveRun
from companion.game.position import Position
from companion.rules.ending import worth
from companion.script import export_script, run_script
from companion.script.run import position_text
from companion.store import Database
from companion.table import TableService, build_table
from companion.units import Account, Seat
from tests.digest import digest
from tests.fakes import FakeClock
from tests.guided import Guided
from tests.sample import each
from tests.scene import pay, sitting

ROOT = Path(__file__).parents[3]


def served(path: Path) -> tuple[TableService, Database]:
    database = Database(path)
    return build_table(database, FakeClock()).service, database


def test_a_guided_game_survives_a_restart(tmp_path: Path) -> None:
    table, database = served(tmp_path)
    game_id = table.open_game("grab-and-go", "Friday", "command-open")
    rules = snapshot(builtin("grab-and-go"))
    moves: tuple[c.Command, ...] = (
        sitting("red"),
        sitting("blue"),
        m.BeginPlay(by=c.TABLE, rules=rules),
        m.Roll(by="red", dice=(2, 3)),
        m.Buy(by="red"),
        m.Roll(by="blue", dice=(1, 4)),
        m.AskRent(by="red"),
        m.Roll(by="red", dice=(1, 1)),
        m.Draw(by="red", pick=3),
    )
    for number, move in enumerate(moves):
        table.submit(game_id, Envelope(move, f"command-{number:04d}"))
    before = table.game(game_id)
    lines = table.history(game_id)
    bought = "Red bought Reading Railroad for $200"
    assert any(bought in line.sentences for line in lines)
    database.close()
    table, database = served(tmp_path)
    assert table.game(game_id) == before
    view = table.seat_view(game_id, "red")
    assert view.may("Buy")
    assert not view.may("Pay")
    script = export_script(table.entries(game_id), "Friday")
    again = run_script(script)
    assert again.ok, (again.line, again.wanted, again.got)
    assert "given top chance chance-04" in script
    database.close()


def test_a_snapshot_outlives_the_editions_data() -> None:
    play = Guided("classic")
    play.give(m.Roll(by="red", dice=(1, 2)), m.Buy(by="red"))
    assert play.game.board is not None
    kept = play.game.board.rules
    assert kept == snapshot(builtin("classic"))
    assert play.replayed() == play.game


def test_by_hand_and_back_with_another_seat_and_one_gone() -> None:
    play = Guided("classic", 3)
    play.given("blue owns boardwalk park-place", "boardwalk houses 2")
    play.given("blue cards jail-card", "turn blue")
    play.give(
        m.RestPlay(by=c.TABLE),
        pay("red", "green", 100),
        c.RemoveSeat(by=c.TABLE, seat=Seat("blue")),
        sitting("orange"),
        m.ResumePlay(by=c.TABLE),
    )
    at = play.at
    assert at.mover.seat == "green"
    assert at.playing() == ("red", "green", "orange")
    assert "blue" not in at.owners
    assert at.pieces == (32, 12)
    assert play.game.ledger[Account("red")] == 1_400
    assert play.replayed() == play.game
    again = run_script(export_script(tuple(play.entries)))
    assert "red $1,400" in again.position
    assert again.position == position_text(play.game)


def bidding() -> Guided:
    """Return a table where blue leads with $30, red has passed and green may bid."""
    play = Guided("classic", 3).given("red on baltic-avenue", "stage buy")
    bids = (m.PutUp(by="red"), m.Bid(by="blue", amount=30), m.PassBid(by="red"))
    play.give(*bids, m.RestPlay(by=c.TABLE))
    return play


def owner(play: Guided, deed: str) -> str:
    assert play.game.board is not None
    return play.at.owners[play.game.board.index[deed]]


def gone(play: Guided, seat: str) -> Guided:
    leaving = c.RemoveSeat(by=c.TABLE, seat=Seat(seat))
    play.give(leaving, m.ResumePlay(by=c.TABLE))
    assert play.replayed() == play.game
    return play


def test_an_auction_does_not_wait_for_somebody_who_left_by_hand() -> None:
    play = gone(bidding(), "green")
    assert owner(play, "baltic-avenue") == "blue"
    assert play.game.ledger[Account("blue")] == 1_470


def test_the_bid_of_somebody_who_left_by_hand_is_void() -> None:
    play = gone(bidding(), "blue")
    assert play.at.stage == "auction"
    play.give(m.Bid(by="red", amount=1), m.PassBid(by="green"))
    assert owner(play, "baltic-avenue") == "red"


def test_a_correction_that_reopens_a_game_leaves_no_winner_behind() -> None:
    play = Guided("classic", 3)
    play.give(m.CallTime(by=c.TABLE))
    assert play.at.winners
    play.give(m.CorrectPosition(by=c.TABLE, words=("turn", "blue")))
    assert play.at.stage == "roll"
    assert (play.at.winners, play.at.scores) == ((), ())


def test_what_was_paid_by_hand_is_exported_as_such() -> None:
    play = Guided("classic")
    play.give(
        m.RestPlay(by=c.TABLE),
        pay("red", "blue", 100),
        c.Undo(by="red"),
        pay("red", "blue", 70),
        m.ResumePlay(by=c.TABLE),
        m.Roll(by="red", dice=(4, 6)),
    )
    script = export_script(tuple(play.entries))
    assert "do table pay red blue 70" in script
    assert "red blue 100" not in script
    assert run_script(script).ok


def test_a_game_by_hand_has_no_script() -> None:
    with pytest.raises(Malformed, match="only a game that the companion led"):
        export_script(())


def test_a_digest_sees_every_dollar_and_every_card() -> None:
    one = Guided("classic")
    two = Guided("classic")
    assert digest(one.game) == digest(two.game)
    two.given("red cash 1499")
    assert digest(one.game) != digest(two.game)
    two.given("red cash 1500", "top chance chance-02")
    assert digest(one.game) != digest(two.game)


def test_a_digest_stands_when_positions_gain_a_field() -> None:
    class Later(Position, frozen=True):
        weather: str = ""

    game = Guided("classic").game
    assert game.play is not None
    fields = {name: getattr(game.play, name) for name in Position.__struct_fields__}
    assert digest(replace(game, play=Later(**fields))) == digest(game)
    assert digest(replace(game, play=Later(**fields, weather="rain"))) != digest(game)


def test_a_position_is_one_line() -> None:
    play = Guided("classic").given("red owns boardwalk", "boardwalk mortgaged")
    play.given("blue jailed 1", "blue cards jail-card", "red owes 40 to blue")
    assert position_text(play.game) == (
        "red debt | red $1,500 on go owes 40 | blue $1,500 on jail jailed 1 with "
        "chance-09 | boardwalk red mortgaged | bank houses 32 hotels 12"
    )
    play.give(m.RestPlay(by=c.TABLE))
    assert "\n" not in position_text(play.game)


def test_worth_is_counted_as_the_sheet_says() -> None:
    play = Guided("grab-and-go", 2, {"quick": "on"})
    play.given("red cash 10", "mediterranean-avenue owner none")
    play.given("reading-railroad mortgaged", "red owns boardwalk park-place")
    play.given("boardwalk hotels 1", "park-place houses 2")
    # 100 mortgaged railroad; 400 + 4 x 200; 350 + 2 x 200.
    assert worth(MoveRun(play.game), "red") == 10 + 100 + 1_200 + 750


ENGINE = [
    *(ROOT / "companion/rules").glob("*.py"),
    *(ROOT / "companion/game").glob("play*.py"),
    *(ROOT / f"companion/game/{name}.py" for name in ("board", "move_run", "stage")),
]


@each("path", sorted(ENGINE))
def test_no_rule_asks_for_an_editions_name(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare):
            text = ast.unparse(node)
            assert "edition" not in text, f"{path.name}:{node.lineno}: {text}"
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            ids = ("classic", "grab-and-go", "secret-vault", "crooked-cash", "mega")
            assert node.value not in ids, f"{path.name}:{node.lineno}: {node.value}"
