"""A space that nobody knew: read off the board once a token rests there."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest
from msgspec.structs import replace

from companion.box.readings import readings_in, values_of
from companion.edition import load
from companion.edition.snapshot import snapshot
from companion.errors import Refused, Why
from companion.game import Game
from companion.game import commands as c
from companion.game import moves as m
from companion.game import play_events as p
from companion.game.codec import events_from_json, events_to_json
from companion.game.envelope import Envelope
from companion.game.journal import Journal
from companion.game.position import Position
from companion.game.spaces import READABLE
from companion.rules import decide, legal_moves
from companion.rules.box_reading import asked_landings, comes_now
from companion.script import export_script, run_script
from companion.store import Database
from companion.table import build_table
from tests.digest import digest
from tests.fakes import FakeClock
from tests.guided import Guided, accepted
from tests.sample import each
from tests.scene import sitting

VAULT = "secret-vault"
SEVEN_AHEAD = m.Roll(by="red", dice=(3, 4))
DOUBLES = m.Roll(by="red", dice=(1, 1))


class Table(Guided):
    """Red, blue and green at a board with three unread spaces."""

    def __init__(self, *given: str) -> None:
        super().__init__(VAULT, 3)
        self.given(*given)

    def then(self, *moves: c.Command) -> Table:
        self.give(*moves)
        return self


def landed(*given: str) -> Table:
    """Return a table where red rests on space 17 and blue has the dice."""
    return Table("red on jail", *given).then(SEVEN_AHEAD)


def read(by: str, space: int, kind: str) -> m.ReadBox:
    return m.ReadBox(by=by, key=f"space.{space}.kind", value=kind)


def why(game: Game, move: m.Move) -> Why | None:
    if accepted(game, move):  # A refusal has words.
        return None
    with pytest.raises(Refused) as no:
        decide(game, move)
    return no.value.why


def asks(play: Guided) -> bool:
    board = play.game.board
    assert board is not None
    return bool(asked_landings(board, play.at))


def is_in_time(play: Guided) -> bool:
    rested = play.at.rested
    return rested is not None and comes_now(play.at, rested)


def without_landing(play: Position) -> Position:
    return replace(play, rested=None)


@each(("roll", "kind"), product([SEVEN_AHEAD, DOUBLES], READABLE))
def test_read_in_time_it_is_as_if_it_had_been_known(kind: str, roll: m.Roll) -> None:
    start = "red on jail" if roll is SEVEN_AHEAD else "red on go"
    space = 17 if roll is SEVEN_AHEAD else 2
    late = Table(start).then(roll, read("blue", space, kind))
    known = Table(f"space {space} {kind}", start).then(roll)
    assert late.game.board == known.game.board
    assert late.game.ledger == known.game.ledger
    assert without_landing(late.at) == without_landing(known.at)


def test_every_seat_may_read_it_and_nobody_else() -> None:
    play = landed("green bankrupt")
    for seat in ("red", "blue"):
        legal = legal_moves(play.game, seat)
        kinds = [str(move.value) for move in legal if isinstance(move, m.ReadBox)]
        assert kinds[0] == "chance", "the likely thing first"
        assert sorted(kinds) == sorted(READABLE)
        assert accepted(play.game, read(seat, 17, "rest"))
    assert why(play.game, read("green", 17, "rest")) is Why.BANKRUPT
    assert why(play.game, read("pink", 17, "rest")) is Why.UNKNOWN_SEAT


def test_only_what_is_asked_for_is_read() -> None:
    assert why(Table("red on jail").game, read("blue", 17, "chance")) is Why.MALFORMED
    play = landed()
    for space, kind in ((2, "chance"), (7, "chance"), (99, "rest"), (-1, "rest")):
        assert why(play.game, read("blue", space, kind)) is Why.MALFORMED
    for kind in ("jail", "", "street"):
        assert why(play.game, read("blue", 17, kind)) is Why.MALFORMED
    play.give(read("blue", 17, "free-parking"))
    with pytest.raises(Refused, match="on space 17 is known") as no:
        decide(play.game, read("red", 17, "chance"))
    assert no.value.remedy == "the banker can correct it"
    assert not asks(play)


def test_once_somebody_rolled_it_counts_from_the_next_landing() -> None:
    play = landed()
    assert is_in_time(play)
    play.give(m.Roll(by="blue", dice=(4, 6)))
    assert not is_in_time(play)
    play.give(read("blue", 17, "chance"))
    assert (play.at.mover.seat, play.at.stage) == ("green", "roll")
    play.given("turn red", "red on jail")
    play.give(SEVEN_AHEAD)
    assert play.at.stage == "card"


def test_a_late_answer_is_taken_after_the_token_went_on() -> None:
    play = landed()
    play.given("turn red")
    play.give(m.Roll(by="red", dice=(1, 3)), m.PutUp(by="red"))
    assert asks(play)
    play.give(read("blue", 17, "chance"))
    assert play.at.stage == "auction"
    assert not asks(play)


@each(
    "change",
    ["red on 16", "red bankrupt", "red jailed 0", "turn green", "blue owes 50"],
)
def test_after_a_correction_nothing_is_done_at_once(change: str) -> None:
    play = landed()
    play.give(m.CorrectPosition(by=c.TABLE, words=tuple(change.split())))
    mover = play.at.mover.seat
    assert not is_in_time(play)
    play.give(read("blue", 17, "chance"))
    assert play.at.mover.seat == mover
    assert play.at.base == "roll"


def test_a_figure_that_the_table_agrees_on_does_not_hurry_the_question() -> None:
    play = landed()
    words = ("figure", "boardwalk", "mortgage", "400")
    play.give(m.CorrectPosition(by=c.TABLE, words=words))
    assert is_in_time(play)


def test_a_turn_that_passed_without_a_roll_is_a_turn() -> None:
    play = landed().then(m.Resign(by="blue"))
    assert play.at.mover.seat == "green"
    assert not is_in_time(play)


def test_who_has_the_dice_may_trade_and_build_before_the_answer() -> None:
    play = landed("blue jailed 0", "blue owns park-place")
    play.give(figure("blue", 340), m.Mortgage(by="blue", deed="park-place"))
    play.give(m.PayJail(by="blue"), read("green", 17, "chance"))
    assert (play.at.mover.seat, play.at.stage) == ("red", "card")
    play.give(m.Draw(by="red", card="collect:50"))
    assert (play.at.mover.seat, play.at.stage) == ("blue", "roll")
    token = play.at.token("blue")
    assert token is not None
    assert token.tries == -1, "what was paid for is not lost"


def figure(by: str, amount: int) -> m.ReadBox:
    return m.ReadBox(by=by, key="deed.park-place.mortgage", value=amount)


def test_a_card_that_leads_there_asks_too() -> None:
    play = Table().then(SEVEN_AHEAD)
    play.give(m.Draw(by="red", card="advance:17"))
    assert play.at.mover.seat == "blue"
    play.give(read("blue", 17, "guess-for-free"))
    assert (play.at.mover.seat, play.at.stage) == ("red", "guess")


def test_a_walk_that_waited_for_a_guess_asks_too() -> None:
    play = Table("red on 11").then(
        m.Roll(by="red", dice=(6,), special="vault"),
        m.Guess(by="red", number=1, is_right=False),
    )
    assert is_in_time(play)
    play.give(read("green", 17, "pay-to-guess"))
    assert (play.at.mover.seat, play.at.stage) == ("red", "guess")
    play.give(m.DeclineGuess(by="red"))
    assert (play.at.mover.seat, play.at.stage) == ("blue", "roll")


def test_the_latest_landing_is_carried_out_and_another_token_is_asked_too() -> None:
    play = landed().then(m.Roll(by="blue", dice=(1, 1)))
    play.give(read("red", 17, "chance"))
    assert (play.at.mover.seat, play.at.stage) == ("blue", "roll"), "it comes too late"
    play.give(read("red", 2, "chance"))
    assert (play.at.mover.seat, play.at.stage) == ("blue", "card")


def test_a_space_that_another_token_has_left_is_no_longer_asked() -> None:
    play = landed().then(m.Roll(by="blue", dice=(1, 1)))
    play.given("red on jail")
    assert why(play.game, read("red", 17, "chance")) is Why.MALFORMED


def test_a_board_that_is_known_asks_nothing() -> None:
    play = Guided("classic").given("red on jail")
    play.give(SEVEN_AHEAD)
    assert play.at.rested is None
    legal = legal_moves(play.game, "red")
    assert not any(isinstance(move, m.ReadBox) for move in legal)


def test_it_is_one_entry_and_taken_back_as_one() -> None:
    play = landed()
    before = play.game
    play.give(read("blue", 17, "chance"))
    events = [type(event) for event in play.entries[-1].events]
    assert events == [p.BoxRead, p.DiceHandedBack, p.CardAwaited]
    written = tuple(play.entries[-1].events)
    assert events_from_json(events_to_json(written)) == written
    assert values_of(readings_in("", play.entries)) == {"space.17.kind": "chance"}
    after = digest(play.game)
    play.give(c.Undo(by="red"))
    assert digest(play.game) == digest(before)
    assert play.game.board == before.board
    assert values_of(readings_in("", play.entries)) == {}
    assert is_in_time(play)
    play.give(c.Redo(by="red"))
    assert digest(play.game) == after
    play.give(c.Undo(by="red"), c.Undo(by="red"))
    assert not asks(play), "the roll itself was taken back"


def test_reading_that_it_is_for_resting_moves_nothing() -> None:
    play = landed()
    before = play.at
    play.give(read("blue", 17, "rest"))
    assert play.at == before
    assert len(play.entries[-1].events) == 1


# On the disk.


class Box:
    """A table on a real file, and games of one box on it."""

    def __init__(self, folder: Path) -> None:
        self.database = Database(folder)
        built = build_table(self.database, FakeClock())
        self.table, self.own = built.service, built.editions

    def begun(self, tap: str) -> str:
        game = self.table.open_game(VAULT, "Friday", tap)
        begin = m.BeginPlay(by=c.TABLE, rules=snapshot(self.own(VAULT)))
        self.give(game, sitting("red"), sitting("blue"), begin)
        return game

    def give(self, game: str, *commands: c.Command) -> None:
        for command in commands:
            tap = f"command-{len(self.table.entries(game)):04d}"
            self.table.submit(game, Envelope(command, tap))

    def line(self, game: str) -> str:
        return digest(self.table.game(game))


def test_it_is_there_after_a_restart_in_later_games_and_in_the_files(
    tmp_path: Path,
) -> None:
    box = Box(tmp_path)
    first = box.begun("first-game-1")
    on_jail = m.CorrectPosition(by=c.TABLE, words=("red", "on", "10"))
    box.give(first, on_jail, SEVEN_AHEAD)
    stands, still_asked = box.line(first), box.table.game(first).play
    assert still_asked is not None
    assert still_asked.rested is not None
    box.database.close()

    box = Box(tmp_path)
    assert box.line(first) == stands, "the question outlives a restart"
    box.give(first, read("blue", 17, "chance"))
    stands = box.line(first)
    box.database.close()

    box = Box(tmp_path)
    assert box.line(first) == stands
    assert box.own(VAULT).spaces[17].kind == "chance"
    own = load(box.own.file_text(VAULT, "our-box", "Ours"), "our-box.toml")
    assert snapshot(own).spaces[17].kind == "chance"
    box.give(first, m.Draw(by="red", card="collect:50"))
    assert_script_ends_alike(box, first, "do blue space 17 chance")

    later = box.begun("second-game-1")
    box.give(later, on_jail, SEVEN_AHEAD)
    play = box.table.game(later).play
    assert play is not None
    assert play.stage == "card", "nobody is asked again"
    assert_script_ends_alike(box, later, "given space 17 chance")
    box.database.close()


def test_a_space_read_as_a_place_to_rest_is_not_asked_for_again(
    tmp_path: Path,
) -> None:
    box = Box(tmp_path)
    first = box.begun("first-game-1")
    box.give(first, DOUBLES, read("blue", 2, "rest"))
    later = box.begun("second-game-1")
    box.give(later, DOUBLES)
    play = box.table.game(later).play
    assert play is not None
    assert play.rested is None
    assert_script_ends_alike(box, later, "given space 2 rest")
    box.database.close()


def assert_script_ends_alike(box: Box, game: str, line: str) -> None:
    text = export_script(box.table.entries(game))
    assert line in text.splitlines()
    outcome = run_script(text)
    assert outcome.ok, (outcome.wanted, outcome.got)
    again = Journal(lambda after: outcome.entries[after:])
    for entry in outcome.entries:
        again.append(entry)
    assert again.game is not None
    assert digest(again.game) == box.line(game)
