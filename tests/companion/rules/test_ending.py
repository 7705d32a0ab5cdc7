"""Every way in which a game ends, in every box: what history, finale, refusals say.

Each row of ``WAYS`` plays a box to its end. The sheets' own sentences:

- Grab & Go, "Playing" 7: "Keep playing until only one player is left in the game."
- Grab & Go, "A quicker game" 3: "As soon as a second player goes bankrupt, the game
  ends."
- Grab & Go, "Speedy Monopoly": "Agree on a definite time to finish the game. Whoever is
  the richest player at this time wins!"
- The standard rules, "Bankruptcy": "The last player left in the game wins."
- Secret Vault, "Ending the Game": "The game will end when all 22 properties (streets)
  are owned by players."
- Secret Vault, "Alternate Ending": "you can continue the game even though all 22
  properties (streets) are owned. The game can also end when only 1 player goes
  bankrupt."
- Cash Decoder, "The End of the Game": "The game ends when all properties have been
  purchased."
- Crooked Cash, "Ending the Game": "the game will end at an exact time when a last
  property has been owned (purchase or auction)."
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from companion.errors import Refused
from companion.game import commands as c
from companion.game import moves as m
from companion.game.codec import events_to_json
from companion.game.journal import Entry
from companion.game.move_run import MoveRun
from companion.game.play_events import PlayEnded
from companion.game.stage import Ending
from companion.rules.ending import RULE_OF_ENDING, counted_debts, may_play_on
from companion.units import Revision, Seat, TimeMs
from companion.views.evenings import evening
from companion.views.history import history_line, names_of
from companion.views.rules_in_short import rules_in_short
from companion.views.score import ScoreView, score_view
from companion.views.story import Facts, facts
from companion.views.table import box_text
from companion.views.why import shown
from companion.words import translated
from tests.guided import Guided
from tests.sample import each
from web.http.language import language_of

EDITIONS = ("classic", "grab-and-go", "secret-vault", "crooked-cash", "mega")
RED, BLUE = Seat("red"), Seat("blue")

End = Callable[[Guided], object]


def bankrupt(table: Guided, seat: str = "red") -> None:
    creditor = "bank" if seat == "blue" else "blue"
    agree(table, f"{seat} cash 1", f"{seat} owes 9000 to {creditor}")
    table.give(m.DeclareBankrupt(by=seat))


def resign(table: Guided) -> None:
    table.give(m.Resign(by="red"))


def call_time(table: Guided) -> None:
    table.give(m.CallTime(by=c.TABLE))


def agree(table: Guided, *lines: str) -> None:
    for line in lines:
        table.give(m.CorrectPosition(by=c.TABLE, words=tuple(line.split())))


def own_all(table: Guided) -> None:
    """Share the streets out between the last two who still play."""
    assert table.game.board is not None
    seats = table.at.playing()
    for number, deed in enumerate(table.game.board.rules.deeds):
        agree(table, f"{deed.id} owner {seats[-1 - number % 2]}")


def play_on(table: Guided) -> None:
    own_all(table)
    assert may_play_on(table.game)
    agree(table, "end first-bankruptcy")
    assert table.at.base != "over"


def both(*acts: End) -> End:
    return lambda table: [act(table) for act in acts]


def second_bankrupt(table: Guided) -> None:
    bankrupt(table, "red")
    assert table.at.base != "over"
    bankrupt(table, "blue")


QUICK, ALTERNATE = {"quick": "on"}, {"end": "first-bankruptcy"}
LEFT, TIME = Ending.ONE_LEFT, Ending.TIME_UP

WAYS: tuple[tuple[str, dict[str, str], int, End, Ending], ...] = (
    *((box, {}, 2, bankrupt, LEFT) for box in EDITIONS),
    *((box, {}, 2, resign, LEFT) for box in EDITIONS),
    *((box, {}, 3, call_time, TIME) for box in EDITIONS),
    ("grab-and-go", {"time_limit": "30"}, 3, call_time, TIME),
    ("grab-and-go", QUICK, 4, second_bankrupt, Ending.SECOND_OUT),
    ("grab-and-go", QUICK, 2, bankrupt, LEFT),
    ("secret-vault", ALTERNATE, 3, bankrupt, Ending.FIRST_OUT),
    ("secret-vault", ALTERNATE, 2, resign, Ending.FIRST_OUT),
    ("secret-vault", {}, 3, own_all, Ending.ALL_OWNED),
    ("secret-vault", {}, 3, both(resign, own_all), Ending.ALL_OWNED),
    ("secret-vault", {}, 3, both(play_on, bankrupt), Ending.FIRST_OUT),
    ("secret-vault", {}, 3, both(play_on, call_time), TIME),
    ("crooked-cash", {}, 3, own_all, Ending.ALL_OWNED),
)

SINCE = {
    Ending.ONE_LEFT: "only one player is left",
    Ending.FIRST_OUT: "one player is out",
    Ending.SECOND_OUT: "two players are out",
    Ending.ALL_OWNED: "all streets are owned",
    Ending.TIME_UP: "the time is up",
}


def counted(table: Guided) -> ScoreView:
    view = score_view(table.game)
    assert view is not None
    return view


def refused(table: Guided, command: c.Command) -> Refused:
    with pytest.raises(Refused) as caught:
        table.give(command)
    assert caught.value.why == "game_over"
    return caught.value


@each("way", WAYS)
def test_history_finale_and_refusals_say_how_it_came_to_its_end(
    way: tuple[str, dict[str, str], int, End, Ending],
) -> None:
    box, options, seats, end, how = way
    table = Guided(box, seats, options)
    end(table)
    game, since = table.game, SINCE[how]
    line = history_line(table.entries[-1], names_of(game), is_undone=False)
    refusal = refused(table, m.Roll(by=game.play.playing()[0], dice=(1, 2)))
    start = f"The game is over, since {since}"
    told = (line.sentences[-1], counted(table).ended, refusal.message)
    assert told[0].startswith(f"{start}: ")
    assert told[1:] == (f"{start}.", start[0].lower() + start[1:])
    german = [translated(text, language_of("de")) for text in told]
    assert all("aus, denn" in text and since not in text for text in german)
    assert refusal.rule is RULE_OF_ENDING[how]
    assert game.play.ended is how
    # Time is called once; the refusal of a second call says the same.
    assert refused(table, m.CallTime(by=c.TABLE)).message == refusal.message
    assert ("play on" in refusal.remedy) == may_play_on(game)


def test_each_rule_of_an_end_is_cited_from_a_sheet_of_its_box() -> None:
    """Only a box whose sheets are silent cites another box's, or none."""
    cited = {
        (box, how): shown(RULE_OF_ENDING[how], Guided(box, 2, options).game)
        for box, options, _, _, how in WAYS
    }
    sheets = {key: (rule.sheet, rule.section) for key, rule in cited.items()}
    assert sheets["secret-vault", Ending.ALL_OWNED][1] == "Ending the Game"
    assert sheets["secret-vault", Ending.FIRST_OUT][1] == "Alternate Ending"
    assert sheets["crooked-cash", Ending.ALL_OWNED] == (
        "Rules of Cash Decoder",
        "The End of the Game",
    )
    assert sheets["grab-and-go", Ending.ONE_LEFT][1] == "Playing"
    assert sheets["grab-and-go", Ending.SECOND_OUT][1] == "A quicker game"
    assert sheets["grab-and-go", Ending.TIME_UP][1] == "Speedy Monopoly"
    for box in ("classic", "mega"):
        assert sheets[box, Ending.ONE_LEFT] == ("Standard rules", "Bankruptcy")


def test_another_end_after_an_undo_is_told_as_it_came() -> None:
    table = Guided("secret-vault", 3)
    own_all(table)
    table.give(c.Undo(by=c.TABLE))
    call_time(table)
    assert table.at.ended is TIME
    table.give(c.Undo(by=c.TABLE), c.Undo(by=c.TABLE))
    agree(table, "red bankrupt", "blue bankrupt")
    assert table.at.ended is LEFT


def test_a_second_game_at_the_table_ends_in_its_own_way() -> None:
    table = Guided("classic")
    assert table.game.board is not None
    call_time(table)
    table.give(m.RestPlay(by=c.TABLE))
    table.give(m.BeginPlay(by=c.TABLE, rules=table.game.board.rules))
    assert (table.at.ended, counted(table).ended) == ("", "")
    resign(table)
    assert table.at.ended is LEFT


def test_a_corrected_end_keeps_its_cause_and_one_that_goes_on_has_none() -> None:
    table = Guided("classic", 3)
    call_time(table)
    agree(table, "blue cash 2000")
    assert (table.at.ended, table.at.winners) == (TIME, ("blue",))
    agree(table, "turn red")
    assert (table.at.ended, table.at.winners, counted(table).ended) == ("", (), "")


OWNED = "The game is over when all streets are owned."
MAY_PLAY_ON = "When all streets are owned, you may play on until one player is out."


def rules_of(table: Guided) -> set[str]:
    chapters = rules_in_short(table.game)
    return {str(rule.words) for chapter in chapters for rule in chapter.rules}


def test_playing_on_is_offered_at_that_end_alone_and_told_once() -> None:
    table = Guided("secret-vault", 3)
    assert not may_play_on(table.game)
    own_all(table)
    assert {OWNED, MAY_PLAY_ON} <= rules_of(table)
    agree(table, "end first-bankruptcy")
    line = history_line(table.entries[-1], names_of(table.game), is_undone=False)
    assert line.sentences == ("The table agreed: you play on until one player is out",)
    assert rules_of(table).isdisjoint({OWNED, MAY_PLAY_ON})
    assert "The game is over as soon as one player is out." in rules_of(table)
    assert evening(table.entries) is None
    table.give(c.Undo(by=c.TABLE))
    assert may_play_on(table.game)
    assert not may_play_on(Guided("crooked-cash").game)


MINUTE_MS = 60_000


def told_of(table: Guided) -> Facts:
    """Return the facts of the game, had each act taken a minute."""
    entries = [
        replace(entry, at_ms=TimeMs(entry.revision * MINUTE_MS))
        for entry in table.entries
    ]
    return facts(entries, (), table.game)


def test_the_time_played_goes_on_with_the_game() -> None:
    table = Guided("secret-vault", 3)
    own_all(table)
    played_ms = told_of(table).ms
    assert told_of(table).ended_ms == len(table.entries) * MINUTE_MS
    agree(table, "end first-bankruptcy")
    assert told_of(table).ended_ms == 0
    table.give(m.CallTime(by=c.TABLE))
    assert told_of(table).ms == played_ms + MINUTE_MS


def test_an_older_end_says_only_that_it_is_over_and_counts_no_debts() -> None:
    """Journals of older programs have neither the cause nor debts in their scores."""
    table = Guided("classic", 2)
    agree(table, "red owes 300 to blue")
    old = PlayEnded(winners=(RED, BLUE), scores=((RED, 1_500), (BLUE, 1_500)))
    assert b"how" not in events_to_json((old,))
    revision = Revision(table.journal.revision + 1)
    table.journal.append(Entry(revision, "old", c.TABLE, TimeMs(0), (old,)))
    assert refused(table, m.Roll(by="red", dice=(1, 2))).message == "the game is over"
    view = counted(table)
    assert (view.ended, view.debts) == ("", None)
    assert [len(one.lines) for one in view.seats] == [1, 1]


# What is still owed.


@pytest.mark.parametrize(
    ("lines", "scores"),
    [
        # As far as the debtor's score goes.
        (["red owes 1300 to blue"], {"red": 200, "blue": 2_800, "green": 1_500}),
        (["red owes 9000 to blue"], {"red": 0, "blue": 3_000, "green": 1_500}),
        # Bank and vault have no score.
        (["red owes 400 to bank"], {"red": 1_100, "blue": 1_500, "green": 1_500}),
        # The oldest first; what blue gets later does not pay its older debt.
        (
            ["blue cash 100", "blue owes 700 to green", "red owes 400 to blue"],
            {"red": 1_100, "blue": 400, "green": 1_600},
        ),
        # What blue got before pays a later one.
        (
            ["blue cash 100", "red owes 400 to blue", "blue owes 700 to green"],
            {"red": 1_100, "blue": 0, "green": 2_000},
        ),
        # A ring.
        (
            ["red owes 900 to blue", "blue owes 900 to green", "green owes 900 to red"],
            {"red": 1_500, "blue": 1_500, "green": 1_500},
        ),
    ],
)
def test_a_debt_counts_once_the_oldest_first_and_as_far_as_it_goes(
    lines: list[str], scores: dict[str, int]
) -> None:
    table = Guided("grab-and-go", 3)
    agree(table, *lines)
    so_far = counted(table)
    call_time(table)
    view = counted(table)
    assert dict(table.at.scores) == scores
    assert {one.seat: one.total for one in view.seats} == scores
    assert [one.lines for one in so_far.seats] == [one.lines for one in view.seats]
    for one in view.seats:
        assert sum(line.amount or 0 for line in one.lines) == one.total >= 0
        assert not any("agreed" in line.what for line in one.lines)


def test_the_finale_shows_a_debt_at_both_and_whose_rule_it_is() -> None:
    table = Guided("grab-and-go")
    agree(table, "red owes 2000 to blue")
    call_time(table)
    view = counted(table)
    lines = {one.seat: (one.lines[-1].what, one.lines[-1].amount) for one in view.seats}
    assert lines == {
        "red": ("Still owed to Blue: $2,000", -1_500),
        "blue": ("Red still owes $2,000", 1_500),
    }
    assert view.debts is not None
    assert "no rule sheet has it" in view.debts.sheet


def test_only_what_is_owed_counts_of_the_money_on_the_table() -> None:
    table = Guided("crooked-cash").given("oriental-avenue owner blue")
    table.give(m.Roll(by="red", dice=(1, 4)), m.AskRent(by="blue"))
    assert [amount for _, amount in counted_debts(MoveRun(table.game))] == [50]
    table.give(m.HandOver(by="red"), m.Roll(by="blue", dice=(1, 2)), m.Buy(by="blue"))
    assert table.at.stage == "payment"
    assert counted_debts(MoveRun(table.game)) == ()


# More players than the sheet names.


@pytest.mark.parametrize(
    ("box", "seats", "most"), [("secret-vault", 7, 6), ("mega", 8, 8)]
)
def test_more_players_than_the_box_is_for_are_let_in_and_told_so_once(
    box: str, seats: int, most: int
) -> None:
    """Secret Vault: "This game can be played with 2-6 players." Mega: 2 to 8."""
    table = Guided(box, seats)
    told = [
        line
        for entry in table.entries
        for line in history_line(entry, names_of(table.game), is_undone=False).sentences
        if "box" in line
    ]
    began = f"The companion leads: all {seats} start on GO; the box is for 2 to {most}"
    assert told == ([began] if seats > most else [])
    text = box_text(table.game)
    assert text.startswith(f"The box is for 2 to {most}.")
    assert ("With 7 its pieces may run short." in text) == (seats > most)
