"""Taking back: one's own at once, what others did with their consent, several at once.

Each claim is tried at a table without a guide, where the rule is old, or with one.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from companion.edition import builtin
from companion.errors import Refused, Why
from companion.game import commands as c
from companion.game import events as e
from companion.game import moves as m
from companion.game.codec import events_from_json, events_to_json
from companion.game.journal import UNDOS_MAX, Journal
from companion.rules import decide, legal_commands
from companion.rules.drawing import Begin, Source, complete_command
from companion.script import run_script
from companion.script.export import export_script
from companion.units import Account, Revision, Seat
from tests.digest import copied, digest
from tests.guided import Guided, random_move
from tests.scene import Play, pay, sitting

RED, BLUE = Account("red"), Account("blue")


def why(play: Play, command: c.Command) -> Why | None:
    try:
        decide(play.game, command)
    except Refused as refused:
        return refused.why
    return None


def evening() -> tuple[Play, list[Revision]]:
    """Let red, blue, red and green pay the pot; green keeps the bank.

    Return the table and the revisions of the first three payments.
    """
    play = Play("red", "blue", "green")
    play.give(c.HandBanker(by=c.TABLE, to=Seat("green")))
    made = []
    for payer in ("red", "blue", "red"):
        play.give(pay(payer, "pot", 10))
        made.append(play.journal.revision)
    return play, made


def back_to(by: str, revision: int) -> c.UndoTo:
    return c.UndoTo(by=by, revision=Revision(revision))


def yes(by: str, revision: int) -> c.AllowUndo:
    return c.AllowUndo(by=by, revision=Revision(revision))


def no(by: str, revision: int) -> c.DeclineUndo:
    return c.DeclineUndo(by=by, revision=Revision(revision))


def test_ones_own_steps_go_at_once_and_come_back_together() -> None:
    play, (_, _, last) = evening()
    play.give(pay("red", "pot", 5))
    before = play.game.ledger
    play.give(back_to("red", last))
    assert play.game.ledger[RED] == 1_490
    assert [type(event) for event in play.entries[-1].events] == [e.Undone, e.Undone]
    assert play.give(c.Redo(by="red")).ledger == before
    assert play.replayed() == play.game


def test_where_others_acted_an_undo_asks_and_one_yes_of_each_does_it() -> None:
    play, (first, _, _) = evening()
    play.give(back_to("red", first))
    assert play.game.ledger[RED] == 1_480, "nothing is taken back before it is allowed"
    play.give(yes("blue", first))
    assert play.game.ledger[RED] == play.game.ledger[BLUE] == 1_500
    assert play.game.undo_ask is None
    assert play.replayed() == play.game


def test_all_whose_steps_are_among_them_have_to_agree() -> None:
    play, (first, _, _) = evening()
    play.give(sitting("pink"))
    play.give(back_to("pink", first))
    play.give(yes("blue", first))
    assert play.game.ledger[BLUE] == 1_490
    assert why(play, yes("blue", first)) is Why.NOT_YOURS, "once is enough"
    play.give(yes("red", first))
    assert play.game.ledger[BLUE] == 1_500


def test_the_banker_undoes_at_once_and_agrees_for_all() -> None:
    play, (first, second, _) = evening()
    play.give(back_to("green", second))
    assert play.game.ledger[RED] == 1_490
    play.give(c.Redo(by="green"), back_to("blue", first), yes("green", first))
    assert play.game.ledger[RED] == 1_500


def test_a_no_is_told_until_something_happens_and_is_not_asked_again() -> None:
    play, (_, _, last) = evening()
    play.give(back_to("blue", last), no("red", last))
    assert play.game.undo_ask is not None
    assert play.game.undo_ask.declined_by == "red"
    assert why(play, back_to("blue", last)) is Why.LIMIT_REACHED
    assert why(play, yes("red", last)) is Why.NOT_YOURS
    play.give(no("blue", last))  # Blue has read it.
    assert play.game.undo_ask is None


def test_a_question_is_forgotten_once_anything_newer_happens() -> None:
    play, (_, _, last) = evening()
    play.give(back_to("blue", last), pay("blue", "pot", 1))
    assert play.game.undo_ask is None
    assert why(play, yes("red", last)) is Why.NOT_ASKED
    play.give(c.Undo(by="blue"))
    assert play.game.undo_ask is None, "an undo brings no old question back"
    assert play.replayed() == play.game


def test_a_question_outlives_what_is_no_step_of_the_game() -> None:
    play, (_, _, last) = evening()
    play.give(
        back_to("blue", last), c.RenameSeat(by="red", seat=Seat("red"), name="Rosa")
    )
    assert why(play, yes("red", last)) is None


def test_one_question_at_a_time_and_only_who_asked_stops_asking() -> None:
    play, (first, _, last) = evening()
    play.give(sitting("pink"), back_to("blue", last))
    assert why(play, back_to("pink", last)) is Why.LIMIT_REACHED
    assert why(play, no("pink", last)) is Why.NOT_YOURS
    assert why(play, yes("red", first)) is Why.NOT_ASKED, "it names another entry"
    play.give(no("blue", last))
    assert play.game.undo_ask is None


def test_nothing_goes_back_beyond_a_barrier() -> None:
    play, (first, _, _) = evening()
    play.give(sitting("pink"), c.RemoveSeat(by=c.TABLE, seat=Seat("pink")))
    barrier = play.journal.revision
    play.give(pay("red", "pot", 3))
    assert play.game.undo_barrier == barrier
    assert why(play, back_to(c.TABLE, first)) is Why.NOT_UNDOABLE
    assert why(play, back_to(c.TABLE, barrier)) is Why.NOT_UNDOABLE
    assert why(play, back_to("red", barrier + 1)) is None


def test_a_redo_of_several_is_for_who_took_them_back_and_for_the_banker() -> None:
    play, (first, _, _) = evening()
    play.give(sitting("pink"), back_to("red", first), yes("blue", first))
    assert why(play, c.Redo(by="pink")) is Why.NOT_YOURS
    assert why(play, c.Redo(by="red")) is Why.NOT_YOURS, "blue's step is among them"
    assert why(play, c.Redo(by="green")) is None
    play.give(c.Redo(by="blue"))
    assert play.game.ledger[RED] == 1_480
    assert play.replayed() == play.game


def test_undos_after_one_of_several_come_back_in_order() -> None:
    play, (_, _, last) = evening()
    play.give(pay("red", "pot", 1), back_to(c.TABLE, last), c.Undo(by=c.TABLE))
    play.give(c.Redo(by=c.TABLE))
    assert (play.game.ledger[BLUE], play.game.ledger[RED]) == (1_490, 1_490)
    play.give(c.Redo(by=c.TABLE))
    assert play.game.ledger[RED] == 1_479


def test_a_game_knows_the_latest_steps_only() -> None:
    play = Play("red", "blue")
    for _ in range(UNDOS_MAX + 5):
        play.give(pay("red", "pot", 1))
    oldest = play.game.undoable[0].revision
    assert len(play.game.undoable) == UNDOS_MAX
    assert why(play, back_to("red", oldest - 1)) is Why.NOT_UNDOABLE
    play.give(back_to("red", oldest))
    assert play.game.ledger[RED] == 1_495
    assert play.replayed() == play.game


# Under the companion's lead.


def own() -> Guided:
    return Guided("classic", 3, {"undo": "own"})


def test_a_led_table_may_keep_undos_to_those_who_acted_and_the_banker() -> None:
    play = own()
    play.give(m.Roll(by="red", dice=(1, 2)))
    assert why(play, c.Undo(by="blue")) is Why.NOT_YOURS
    assert why(play, c.Undo(by=c.TABLE)) is None
    play.give(back_to("blue", play.journal.revision))
    assert c.AllowUndo in legal_commands(play.game, "red")
    rolled = play.game.undo_next
    assert rolled is not None
    play.give(yes("red", rolled))
    assert play.at.mover.space == 0


def test_a_script_lets_any_seat_undo_unless_it_says_otherwise() -> None:
    head = "edition classic\nseats anna ben\n"
    rest = "do anna roll 1 2\ndo anna buy\n"
    assert run_script(head + rest + "do ben undo\n").ok
    strict = head + "option undo own\n" + rest
    assert run_script(strict + "refuse ben undo -> not_yours\ndo anna undo\n").ok


def test_what_phones_begin_begins_with_the_stricter_undo() -> None:
    play = Play("red", "blue")
    source = Source(play.game, lambda: builtin("classic"), random.Random(1))
    strict = complete_command(Begin(by=c.TABLE), source)
    loose = complete_command(Begin(by=c.TABLE, options={"undo": "any"}), source)
    assert isinstance(strict, m.BeginPlay)
    assert isinstance(loose, m.BeginPlay)
    assert (strict.rules.undo_by, loose.rules.undo_by) == ("own", "any")


SEATS = ("red", "blue", "green", c.TABLE)


def _some_undo(dice: random.Random, play: Guided) -> c.Command:
    game = play.game
    by = dice.choice(SEATS)
    if game.undo_ask is not None and dice.random() < 0.7:
        kind = dice.choice((c.AllowUndo, c.AllowUndo, c.DeclineUndo))
        return kind(by=by, revision=game.undo_ask.revision)
    if game.redoable and dice.random() < 0.3:
        return c.Redo(by=by)
    return back_to(by, dice.choice(game.undoable[-5:]).revision)


def _played(seed: int, moves: int) -> Iterator[Guided]:
    play, dice = own(), random.Random(seed)
    for _ in range(moves):
        is_undo = dice.random() < 0.3 and play.game.undoable
        try:
            play.give(
                _some_undo(dice, play) if is_undo else random_move(dice, play.game)
            )
        except Refused:
            continue
        yield play
        if play.at.base == "over":
            return


@pytest.mark.parametrize("seed", range(8))
def test_random_undos_hold_together_and_play_back_as_a_script(seed: int) -> None:
    done: set[type[object]] = set()
    for play in _played(seed, 400):
        entry = play.entries[-1]
        assert events_from_json(events_to_json(entry.events)) == entry.events
        done |= {type(event) for event in entry.events}
    assert {e.Undone, e.UndoAsked} <= done
    assert play.replayed() == play.game
    again = run_script(export_script(tuple(play.entries)))
    assert again.ok, again
    journal = Journal(lambda after: again.entries[after:])
    for entry in again.entries:
        journal.append(entry)
    assert journal.game is not None
    assert digest(journal.game) == digest(copied(play.entries))
