"""What a table reads off its own box: typed in once, kept, used again, shared."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from companion.box.own_editions import OwnEditions
from companion.box.readings import BoxReadings, readings_in, values_of
from companion.console import edition
from companion.edition import builtin, load, problems
from companion.edition.own import own_text, with_readings
from companion.edition.snapshot import snapshot
from companion.errors import Malformed, Refused, Why
from companion.game import commands as c
from companion.game import moves as m
from companion.game.board import Board
from companion.game.box_key import BoxValue
from companion.game.journal import Entry
from companion.game.spaces import READABLE
from companion.rules import decide
from companion.store import Database, Journals
from companion.table import TableService, build_table
from tests.companion.box.led import VAULT, begun, give
from tests.fakes import FakeClock
from tests.guided import Guided
from tests.sample import each

HOUR_MS = 3_600_000
MORTGAGE = "deed.boardwalk.mortgage"
TYPED = {MORTGAGE: 400, "card.chance-kind-3.amount": 100}


def figure(by: str, of: str, name: str, amount: int) -> m.ReadBox:
    return m.ReadBox(by=by, key=f"deed.{of}.{name}", value=amount)


def test_any_seat_types_an_unknown_figure_in_and_it_counts_at_once() -> None:
    play = Guided(VAULT).given("red owns boardwalk")
    with pytest.raises(Refused, match="nobody knows the mortgage of Boardwalk") as no:
        decide(play.game, m.Mortgage(by="red", deed="boardwalk"))
    assert no.value.why is Why.UNKNOWN_FIGURE
    assert no.value.remedy == "type in what the real card says"
    play.give(figure("blue", "boardwalk", "mortgage", 400))
    play.give(m.Mortgage(by="red", deed="boardwalk"))
    assert play.game.ledger["red"] == 3_400  # type: ignore[index]


def test_a_known_figure_is_not_a_seats_to_change() -> None:
    play = Guided(VAULT)
    for move in (
        figure("red", "boardwalk", "rent", 1),
        figure("red", "boardwalk", "mortgage", -1),
        figure("red", "nowhere", "mortgage", 1),
    ):
        with pytest.raises(Refused) as no:
            decide(play.game, move)
        assert no.value.why is Why.MALFORMED


def test_the_likely_figure_is_offered_and_never_used() -> None:
    board = Guided(VAULT).game.board
    assert board is not None
    likely = {x.key: x.likely for x in board.unknown}
    assert likely["deed.park-place.mortgage"] == 350
    assert likely["deed.park-place.unmortgage"] == 385
    assert likely["deed.boardwalk.mortgage"] == 350
    assert likely["deed.boardwalk.unmortgage"] == 385
    assert likely["card.chance-kind-3.amount"] is None
    assert len(likely) == 22 * 2 + 1
    assert all(deed.mortgage is None for deed in board.rules.deeds)


def test_a_figure_that_was_taken_back_does_not_count() -> None:
    play = Guided(VAULT)
    play.give(figure("red", "boardwalk", "mortgage", 400))
    play.give(c.Undo(by="red"))
    play.give(figure("red", "boardwalk", "mortgage", 390))
    play.give(figure("red", "park-place", "mortgage", 350))
    play.give(c.Undo(by="red"), c.Redo(by="red"))
    assert values_of(readings_in("", play.entries)) == {
        "deed.boardwalk.mortgage": 390,
        "deed.park-place.mortgage": 350,
    }


def test_an_edition_with_own_figures_says_where_they_come_from() -> None:
    edition = with_readings(builtin(VAULT), TYPED)
    assert edition.figure("boardwalk", "mortgage") == 400
    assert edition.deed("boardwalk").unknown == ("unmortgage",)
    assert edition.card("chance-kind-3").amount == 100
    origin = edition.provenance("deed.boardwalk.mortgage")
    assert (origin.confidence, origin.sources) == ("single", ("own-box",))
    rent = edition.provenance("deed.boardwalk.rent")
    assert rent == builtin(VAULT).provenance("deed.boardwalk.rent")
    read = with_readings(builtin(VAULT), {"space.17.kind": "chance"})
    assert read.provenance("space.17").note == "", "no longer why nobody knew it"
    assert with_readings(builtin(VAULT), {}) is builtin(VAULT)


def test_what_was_typed_in_is_an_edition_file_that_can_be_shared() -> None:
    text = own_text(builtin(VAULT), TYPED, "our-box", 'Our "own" box')
    assert problems(text, "our-box.toml") == ()
    edition = load(text, "our-box.toml")
    assert edition.name == 'Our "own" box'
    assert edition.figure("boardwalk", "mortgage") == 400
    assert edition.figure("boardwalk", "rent") == 470
    assert edition.card("chance-kind-3").amount == 100
    assert edition.figure("park-place", "mortgage") is None
    assert "own-box" in edition.provenance("deed.boardwalk.mortgage").sources
    raw = tomllib.loads(text)
    assert [deed["id"] for deed in raw["deed"]] == ["boardwalk"]
    rules = snapshot(with_readings(builtin(VAULT), TYPED))
    assert replace(snapshot(edition), edition=VAULT) == rules


def test_a_space_that_nobody_knew_is_read_off_the_board() -> None:
    play = Guided(VAULT)
    for words in ("space 1 chance", "space 2 jail", "space 40 chance", "space 2"):
        with pytest.raises(Refused) as no:
            play.give(m.CorrectPosition(by=c.TABLE, words=tuple(words.split())))
        assert no.value.why is Why.MALFORMED
    play.give(m.CorrectPosition(by=c.TABLE, words=("space", "2", "chance")))
    play.give(m.Roll(by="red", dice=(1, 1)))
    assert play.at.stage == "card"
    assert values_of(readings_in("", play.entries)) == {"space.2.kind": "chance"}
    text = own_text(builtin(VAULT), {"space.2.kind": "chance"}, "our-box", "Ours")
    assert problems(text, "our-box.toml") == ()
    assert snapshot(load(text, "our-box.toml")).spaces[2].kind == "chance"
    assert (
        with_readings(builtin(VAULT), {"space.2.kind": "chance"}).spaces[2].kind
        == "chance"
    )


@each("kind", READABLE)
def test_a_space_does_the_same_in_this_game_the_next_one_and_the_file(
    kind: str,
) -> None:
    known, said = builtin(VAULT), {"space.17.kind": kind}
    at_once = Board(snapshot(known)).with_reading("space.17.kind", kind).rules.spaces
    later = with_readings(known, said)
    assert snapshot(later).spaces == at_once
    text = own_text(known, said, "our-box", "Ours")
    assert problems(text, "our-box.toml") == ()
    assert snapshot(load(text, "our-box.toml")).spaces == at_once


def test_a_figure_typed_in_once_counts_for_the_next_game_too(
    table: TableService, own: OwnEditions
) -> None:
    assert own(VAULT) is builtin(VAULT)
    game = begun(table, own, "first-game-1")
    give(table, game, figure("red", "boardwalk", "mortgage", 400))
    assert own(VAULT).figure("boardwalk", "mortgage") == 400
    assert own(VAULT) is own(VAULT)
    later = begun(table, own, "second-game-1")
    board = table.game(later).board
    assert board is not None
    assert board.rules.deeds[board.index["boardwalk"]].mortgage == 400
    give(table, game, c.Undo(by="red"))
    assert own(VAULT) is builtin(VAULT)
    assert own("classic") is builtin("classic")


def box_entries(journals: Journals) -> list[Entry]:
    return list(journals.entries(BoxReadings(journals, VAULT).journal_id))


@pytest.fixture
def game(table: TableService, own: OwnEditions) -> str:
    """A game in which Red typed Boardwalk's mortgage in."""
    game = begun(table, own, "first-game-1")
    give(table, game, figure("red", "boardwalk", "mortgage", 400))
    return game


def test_the_command_line_exports_shows_and_checks_an_own_edition(
    table: TableService, game: str, database: Database, tmp_path: Path
) -> None:
    read = m.CorrectPosition(by=c.TABLE, words=("space", "17", "chance"))
    give(table, game, read)
    database.close()
    runner = CliRunner()
    made = runner.invoke(edition, ["export", game, "--data", str(tmp_path)])
    assert made.exit_code == 0, made.output
    file = tmp_path / "our-box.toml"
    file.write_text(made.output, encoding="utf-8")
    checked = runner.invoke(edition, ["check", str(file)])
    assert checked.exit_code == 0, checked.output
    assert "no mistakes; figures:" in checked.output
    shown = runner.invoke(edition, ["show", str(file), "--figures"]).output
    assert "deed.boardwalk.mortgage: 400, single" in shown
    assert "deed.park-place.mortgage: ?, unknown (nobody)" in shown
    wrong = runner.invoke(edition, ["export", "nothing", "--data", str(tmp_path)])
    assert wrong.exit_code == 1
    assert "expected an edition or a game of this table" in wrong.output


# Outside of any game.


def test_a_figure_is_read_off_the_box_while_no_game_is_led(own: OwnEditions) -> None:
    both: dict[str, BoxValue] = {MORTGAGE: 400, "deed.boardwalk.unmortgage": 440}
    own.read(VAULT, both, "Anna")
    own.read(VAULT, {"card.chance-kind-3.amount": 100}, "Anna")
    own.read(VAULT, {"space.2.kind": "chance"}, "Anna")
    edition = own(VAULT)
    assert edition.figure("boardwalk", "mortgage") == 400
    assert edition.figure("boardwalk", "unmortgage") == 440
    assert edition.card("chance-kind-3").amount == 100
    assert edition.spaces[2].kind == "chance"
    assert {one.actor for one in own.readings(VAULT)} == {"Anna"}
    assert own("secret-vault-uk").figure("boardwalk", "mortgage") is None
    own.read(VAULT, {MORTGAGE: 390}, "Ben")
    assert own(VAULT).figure("boardwalk", "mortgage") == 390
    assert len(own.readings(VAULT)) == 4


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("deed.boardwalk.rent", 1),
        ("deed.boardwalk.mortgage", -1),
        ("deed.boardwalk.mortgage", 10**9),
        ("deed.boardwalk.mortgage", "400"),
        ("deed.nowhere.mortgage", 1),
        ("card.chance-kind-3.source", 1),
        ("card.win.deck", "chance"),
        ("space.1.kind", "chance"),
        ("space.2.kind", "jail"),
        ("space.2.kind", 5),
        ("", 1),
    ],
)
def test_what_is_known_or_makes_no_sense_is_not_read(
    own: OwnEditions, key: str, value: BoxValue
) -> None:
    with pytest.raises(Malformed):
        own.read(VAULT, {"deed.park-place.mortgage": 350, key: value}, "Anna")
    assert own(VAULT) is builtin(VAULT)


def test_a_reading_is_taken_back_wherever_it_was_written_down(
    table: TableService, own: OwnEditions, game: str, database: Database
) -> None:
    own.read(VAULT, {MORTGAGE: 390}, "Anna")
    own.read(VAULT, {"deed.park-place.mortgage": 350}, "Anna")
    entries = len(table.entries(game))
    own.take_back(VAULT, MORTGAGE, "Anna")
    own.take_back(VAULT, MORTGAGE, "Anna")
    assert own(VAULT).figure("boardwalk", "mortgage") is None
    assert own(VAULT).figure("park-place", "mortgage") == 350
    assert len(table.entries(game)) == entries, "an old game is not written to"
    assert len(box_entries(Journals(database))) == 3
    give(table, game, figure("red", "boardwalk", "unmortgage", 440))
    own.read(VAULT, {MORTGAGE: 410}, "Anna")
    afresh = build_table(database, FakeClock()).editions
    assert afresh(VAULT).figure("boardwalk", "mortgage") == 410
    assert afresh(VAULT).figure("boardwalk", "unmortgage") == 440


@pytest.mark.usefixtures("game")
def test_what_the_first_game_read_counts_after_any_number_of_others(
    table: TableService, own: OwnEditions
) -> None:
    for number in range(25):
        table.open_game(VAULT, "Friday", f"later-game-{number}")
    assert own(VAULT).figure("boardwalk", "mortgage") == 400


@pytest.mark.usefixtures("game")
def test_the_file_of_a_box_holds_what_all_its_games_and_the_page_read(
    own: OwnEditions, database: Database, tmp_path: Path
) -> None:
    own.read(VAULT, {"deed.park-place.mortgage": 350}, "Anna")
    text = own.file_text(VAULT, "our-box", "Ours")
    database.close()
    args = ["export", VAULT, "--id", "our-box", "--name", "Ours"]
    made = CliRunner().invoke(edition, [*args, "--data", str(tmp_path)])
    assert made.exit_code == 0, made.output
    assert made.output == text
    read = load(text, "our-box.toml")
    assert read.figure("boardwalk", "mortgage") == 400
    assert read.figure("park-place", "mortgage") == 350


@pytest.mark.parametrize("base", ["classic", "secret-vault", "mega-uk"])
def test_where_nothing_was_read_a_file_to_begin_with_is_printed(
    base: str, tmp_path: Path
) -> None:
    made = CliRunner().invoke(edition, ["export", base, "--data", str(tmp_path)])
    assert made.exit_code == 0, made.output
    own = load(made.output, "own-box.toml")
    assert (own.id, own.name) == ("own-box", "Our own box")
    assert own.deeds == builtin(base.removesuffix("-uk")).deeds
    _, _, example = made.output.partition("# [jail]\n# ")
    changed = f"{made.output}\n[jail]\n{example.splitlines()[0]}\n"
    assert load(changed, "own-box.toml").jail.fine == 100


def test_what_was_read_last_counts_though_the_clock_went_back(
    table: TableService,
    own: OwnEditions,
    game: str,
    database: Database,
    clock: FakeClock,
) -> None:
    for kind in ("chance", "free-parking"):
        clock.leap(-HOUR_MS)
        words = ("space", "17", kind)
        give(table, game, m.CorrectPosition(by=c.TABLE, words=words))
    assert own(VAULT).spaces[17].kind == "free-parking"
    for amount in (390, 380, 380):
        clock.leap(-HOUR_MS)
        own.read(VAULT, {MORTGAGE: amount}, "Anna")
        assert own(VAULT).figure("boardwalk", "mortgage") == amount
    repeated = len(box_entries(Journals(database)))
    assert repeated == 2, "a repeated tap writes nothing"
