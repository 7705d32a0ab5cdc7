"""The vault and the game as one, on mock pins and a real file."""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.errors import Refused, Why
from companion.game import commands as c
from companion.game import moves as m
from companion.game.codec import entries_to_json
from companion.game.envelope import Envelope
from companion.game.position import FORCED, LOCKED, OPEN, OPENING, SHUT
from companion.lock.events import NumberGuessed
from companion.lock.states import VaultState
from companion.ports import Line, Signal
from companion.table.lid_reports import DUE
from companion.units import Account
from hardware.vault.coil import REST_MS
from tests.hardware.vault.rigs import SimulatedRig
from tests.long_game import damage
from tests.running import PATIENCE_S
from tests.sample import each
from tests.vault_rig import VaultRig

STEPS = (
    "before the guess is written",
    "when the guess is written",
    "before the bolt",
    "in the middle of the pulse",
)


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[VaultRig]:
    with VaultRig(tmp_path) as made:
        yield made


@pytest.fixture
def due(rig: VaultRig) -> VaultRig:
    """Prepare a vault with the code 4, at which red may guess."""
    rig.ready()
    return rig


def roll(seat: str, *dice: int) -> m.Roll:
    return m.Roll(by=seat, dice=dice)


# M and the guess.


def test_m_is_heard_only_when_a_guess_is_due(rig: VaultRig) -> None:
    rig.lock(4)
    rig.begin()
    rig.guess(4)
    assert rig.signals[-1] is Signal.WRONG_TIME
    assert rig.state is VaultState.LOCKED
    assert rig.lines()[0] == "M was pressed, but no guess was due"
    assert not rig.coil
    rig.press(Line.M_BUTTON, 3)
    assert rig.lines().count("M was pressed, but no guess was due") == 1
    assert rig.keeper.view().tries_count == 0


def test_one_press_is_one_guess(due: VaultRig) -> None:
    due.guess(1)
    assert due.vault_contents.tried == (1,)
    assert due.signals[-1] is Signal.WRONG
    assert due.play.mover.seat == "blue"
    due.guess(4)
    assert due.signals[-1] is Signal.WRONG_TIME
    assert due.cash("blue") == 3_000


def test_a_game_that_cannot_be_read_costs_no_guess_and_no_vault(due: VaultRig) -> None:
    damage(due.database, due.game, 2, b"SeatAdded", b"SeatAddled")
    due.table._loaded.clear()
    due.guess(4)
    assert due.signals[-1] is Signal.WRONG_TIME
    assert due.state is VaultState.LOCKED
    damage(due.database, due.game, 2, b"SeatAddled", b"SeatAdded")
    due.run(10_000, 50)  # The wheel's number is written down once it rests.
    due.cut()
    due.on()
    due.guess(4)
    assert due.cash("red") == 3_400


def test_a_right_guess_is_paid_once_the_lid_is_up(due: VaultRig) -> None:
    due.is_jammed = True
    due.turn_to(4)
    due.press(Line.M_BUTTON)
    assert due.vault_contents.lid == OPENING
    assert due.cash("red") == 3_000
    assert due.view.take_out is not None
    due.is_jammed = False
    due.run(300)
    assert due.vault_contents.lid == OPEN
    assert due.cash("red") == 3_400
    assert due.play.stage == "key"
    assert due.coil == [True]


def test_what_to_take_out_and_what_to_put_in_is_listed(due: VaultRig) -> None:
    due.guess(4)
    out, back = due.view.take_out, due.view.put_in
    assert out is not None
    assert back is not None
    assert out.words == ("4 x $100", "one key", "one hotel")
    assert back.words == ("4 x $100", "one key", "one hotel")
    due.give(m.Unlock(by="red", deed="boardwalk"))
    assert due.view.sentence == "The vault is open. Put all of it in and shut the lid."
    due.lid(is_shut=True)
    assert due.view.sentence == "Filled? Press yellow three times to lock the vault."
    due.lock(2)
    assert due.vault_contents.lid == LOCKED
    assert (due.vault_contents.keys, due.vault_contents.hotels) == (1, 1)
    assert due.play.mover.seat == "blue"
    assert due.view.take_out is None


def test_what_was_forgotten_is_listed_once_more(due: VaultRig) -> None:
    due.guess(4)
    due.give(m.Unlock(by="red", deed="boardwalk"))
    due.lock(2)  # In one go: nobody has put anything in.
    forgotten = "Locked! Is all of it inside? What you forgot goes in by the slot."
    for _ in range(2):
        assert due.view.sentence == forgotten
        assert due.view.put_in is not None
        assert due.view.put_in.words == ("4 x $100", "one key", "one hotel")
        due.cut()
        due.on()
    due.give(roll("blue", 2, 4))
    assert due.view.sentence == "The vault is locked. No guess is due now."
    assert due.view.put_in is None


def test_a_jammed_lid_is_tried_again_on_a_press(due: VaultRig) -> None:
    due.is_jammed = True
    due.guess(4)
    due.run(2_000, 50)
    assert due.state is VaultState.JAMMED
    assert due.signals[-1] is Signal.JAMMED
    assert due.view.sentence == "The latch must rest. Press M again in 4 seconds."
    due.run(REST_MS, 50)
    assert due.view.sentence == "The vault should be open. Press M and help the lid up."
    assert due.cash("red") == 3_000
    due.is_jammed = False
    due.guess(1)
    assert due.coil == [True, True]
    assert due.cash("red") == 3_400
    assert due.vault_contents.tried == ()


def test_the_coil_rests_however_often_m_is_pressed(due: VaultRig) -> None:
    due.is_jammed = True
    due.guess(4)
    for _ in range(40):
        due.press(Line.M_BUTTON)
        due.run(400, 20)
    assert 2 <= sum(due.rig.coil_levels()) <= 7  # One in 3.4 s, of 21 s.
    assert due.cash("red") == 3_000


def test_bounce_is_one_guess(due: VaultRig) -> None:
    due.turn_to(1)
    for _ in range(8):
        due.rig.contact(Line.M_BUTTON, True)
        due.rig.contact(Line.M_BUTTON, False)
    due.rig.contact(Line.M_BUTTON, True)
    due.run(60)
    due.rig.contact(Line.M_BUTTON, False)
    due.run(60)
    assert due.keeper.view().tries_count == 1
    assert due.vault_contents.tried == (1,)


def test_a_stuck_m_is_one_guess(due: VaultRig) -> None:
    due.turn_to(1)
    due.rig.contact(Line.M_BUTTON, True)
    due.run(5_000, 50)
    assert due.vault_contents.tried == (1,)
    due.give(roll("blue", 2, 3))
    due.run(1_000, 50)
    assert due.vault_contents.tried == (1,)
    assert due.play.stage == "guess"


def test_a_lid_switch_that_never_closes_leaves_a_way_on(due: VaultRig) -> None:
    due.guess(4)
    due.give(m.Unlock(by="red", deed="boardwalk"))
    due.press(Line.YELLOW_BUTTON, 3)  # The lid is down, says whoever stands there.
    assert due.state is VaultState.OPEN
    assert due.play.stage == "refill"
    with pytest.raises(Refused, match="looks at the switch"):
        due.give(m.LockVault(by="red"))
    due.set("vault locked", "vault cash 400", "vault keys 1", "vault hotels 1")
    assert due.play.mover.seat == "blue"
    due.give(roll("blue", 2, 3))
    assert due.vault_contents.lid == OPEN  # So says the switch.
    due.guess(4)
    assert due.signals[-1] is Signal.WRONG_TIME
    due.give(m.DeclineGuess(by="blue"))
    assert due.play.mover.seat == "red"
    due.lock(2)  # Somebody has mended it.
    due.set("red on go")
    due.give(roll("red", 2, 3))
    due.run(REST_MS, 100)
    due.guess(2)
    assert due.cash("red") == 3_800


def test_a_simulated_vault_stands_in_for_a_broken_one(due: VaultRig) -> None:
    due.guess(4)
    due.give(m.Unlock(by="red", deed="boardwalk"))
    due.cut()
    due.kind, due.pointer, due.code = SimulatedRig, 4, 6
    due.on()
    due.give(m.LockVault(by="blue"))
    due.run(500)
    assert due.vault_contents.lid == LOCKED
    assert (due.vault_contents.keys, due.vault_contents.hotels) == (1, 1)
    due.give(roll("blue", 2, 3))
    due.give(m.Guess(by="blue", number=6))
    due.run(100)
    assert due.cash("blue") == 3_400


def test_a_phone_locks_a_simulated_vault_though_fingers_are_at_it(
    due: VaultRig, caplog: pytest.LogCaptureFixture
) -> None:
    due.guess(4)
    due.give(m.Unlock(by="red", deed="boardwalk"))
    due.cut()
    due.kind, due.pointer, due.code = SimulatedRig, 4, 6
    due.on()
    hands = due.coupling.hands
    assert hands is not None
    for _ in range(17):  # One is made at once, and sixteen wait.
        hands.press(Line.M_BUTTON)
    due.give(m.LockVault(by="blue"))
    due.run(2_500)
    assert "vault_watcher_failed" not in caplog.text
    due.give(m.LockVault(by="blue"))  # M had opened it again before.
    due.run(500)
    assert due.vault_contents.lid == LOCKED


def test_a_coil_that_fails_owes_the_opening(due: VaultRig) -> None:
    pin = due.rig.pin("latch")
    set_state = pin._set_state
    due.rig.break_coil()
    due.guess(4)
    assert due.state is VaultState.FAULT
    assert due.vault_contents.lid == OPENING
    assert due.cash("red") == 3_000
    assert "grown-up" in due.view.sentence
    pin._set_state = set_state
    due.keeper.clear_fault()
    due.run(50)
    assert due.state is VaultState.JAMMED
    due.run(REST_MS, 100)
    due.guess(2)
    assert due.cash("red") == 3_400


# The power.


@pytest.mark.parametrize("step", STEPS)
def test_a_power_cut_at_any_step_loses_nothing_and_pays_once(
    due: VaultRig, step: str
) -> None:
    due.turn_to(4)
    due.run(300)  # The hand moves from the wheel to the button.
    due.dying_at(step, lambda: due.press(Line.M_BUTTON))
    due.rig.contact(Line.M_BUTTON, False)
    pulses = len(due.coil)
    due.on()
    assert len(due.coil) == pulses, "a restart moved the bolt"
    assert due.cash("red") == 3_000
    if step == STEPS[0]:
        assert due.play.stage == "guess"
        assert due.vault_contents.lid == LOCKED
    else:
        assert due.state is VaultState.JAMMED
        assert due.vault_contents.lid == OPENING
    due.guess(4 if step == STEPS[0] else 1)
    assert due.cash("red") == 3_400
    assert due.play.tokens[0].hotels == 1
    assert due.play.stage == "key"
    due.cut()
    due.on()
    assert due.cash("red") == 3_400
    made = [x for x in due.lines() if x == "Red guessed 4: right!"]
    assert len(made) == 1


def test_power_cuts_in_a_row_give_the_coil_no_rest(due: VaultRig) -> None:
    due.is_jammed = True
    due.guess(4)
    for _ in range(30):
        due.cut()
        due.on(is_rested=False)
        due.press(Line.M_BUTTON)
        due.run(400, 20)
        assert not any(due.rig.coil_levels())
    assert "latch must rest" in due.view.sentence
    assert due.keeper.view().rest_s == 5
    due.run(REST_MS, 200)
    assert due.keeper.view().rest_s == 0
    due.is_jammed = False
    due.guess(1)
    assert due.cash("red") == 3_400


def test_a_power_cut_after_a_wrong_guess_counts_it_once(due: VaultRig) -> None:
    due.turn_to(2)
    due.dying_at(STEPS[1], lambda: due.press(Line.M_BUTTON))
    due.rig.contact(Line.M_BUTTON, False)
    due.on()
    assert due.vault_contents.tried == (2,)
    assert due.play.mover.seat == "blue"
    assert due.keeper.view().tries_count == 1


@pytest.mark.parametrize(("step", "number"), [(STEPS[1], 2), (STEPS[2], 4)])
def test_a_power_cut_at_a_phones_guess_leaves_the_wheel_where_it_stands(
    due: VaultRig, step: str, number: int
) -> None:
    due.dying_at(step, lambda: due.give(m.Guess(by="red", number=number)))
    due.on()
    assert due.play.mover.seat == ("red" if number == 4 else "blue")
    assert due.keeper.view().number == due.pointer == 1  # It tells no number, either.


def test_a_lid_that_rose_in_the_dark_is_paid_at_the_start(due: VaultRig) -> None:
    due.is_jammed = True
    due.guess(4)
    due.cut()
    due.is_lid_shut = False
    due.on()
    assert due.vault_contents.lid == OPEN
    assert due.cash("red") == 3_400
    assert due.coil == [True]


def test_nobody_takes_the_roll_back_until_the_guess_is_written(due: VaultRig) -> None:
    undo = Envelope(c.Undo(by="red"), "phone-takes-back")
    said: queue.SimpleQueue[Why] = queue.SimpleQueue()

    def tap() -> None:
        with pytest.raises(Refused) as refused:
            due.table.submit(due.game, undo)
        said.put(refused.value.why)

    phone = threading.Thread(target=tap)
    with due.coupling.gate() as guess:
        assert guess is not None
        phone.start()
        wrong = NumberGuessed(2, False, guess.game, guess.seat)
        due.coupling.record((wrong,))
        assert said.empty()
    assert said.get(timeout=PATIENCE_S) is Why.NOT_UNDOABLE
    phone.join(PATIENCE_S)


# The lid.


def test_a_lid_open_at_the_start_is_said_and_locked(rig: VaultRig) -> None:
    rig.begin()
    assert rig.vault_contents.lid == OPEN
    assert rig.view.sentence == "The vault is open. Put all of it in and shut the lid."
    assert rig.view.put_in is not None
    assert rig.view.put_in.words == ("4 x $100", "one key", "one hotel")
    rig.give(roll("red", 2, 3))
    with pytest.raises(Refused, match="vault_open"):
        rig.give(m.Guess(by="red", number=1))
    rig.lid(is_shut=True)
    assert rig.view.sentence == "Filled? Press yellow three times to lock the vault."
    rig.lock(3)
    rig.guess(3)
    assert rig.cash("red") == 3_400


def test_a_lid_forced_open_keeps_its_number(due: VaultRig) -> None:
    due.lid(is_shut=False)
    assert due.state is VaultState.FORCED
    assert due.vault_contents.lid == FORCED
    assert "broke the vault open" in due.view.sentence
    due.guess(4)
    assert due.signals[-1] is Signal.WRONG_TIME
    due.lid(is_shut=True)
    assert due.vault_contents.lid == LOCKED
    due.guess(4)
    assert due.cash("red") == 3_400


def restarted(rig: VaultRig) -> VaultRig:
    """Begin again after a power cut, with lid and wheel where they were."""
    rig.cut()
    rig.on()
    return rig


def test_a_lid_forced_in_the_dark_is_said_and_keeps_its_number(due: VaultRig) -> None:
    due.cut()
    due.is_lid_shut = False
    due.on()
    for _ in range(2):
        assert due.state is VaultState.FORCED
        assert due.vault_contents.lid == FORCED
        assert "broke the vault open" in due.view.sentence
        restarted(due)
    due.cut()
    due.is_lid_shut = True  # Pushed down again, in the dark, too.
    due.on()
    assert due.vault_contents.lid == LOCKED
    due.guess(4)
    assert due.cash("red") == 3_400


def test_a_vault_open_after_a_restart_is_filled_and_locked(due: VaultRig) -> None:
    due.guess(4)
    assert restarted(due).view.sentence == ("Red empties the vault and uses the key.")
    due.give(m.Unlock(by="red", deed="boardwalk"))
    said = "The vault is open. Put all of it in and shut the lid."
    assert restarted(due).view.sentence == said
    due.lid(is_shut=True)
    said = "Filled? Press yellow three times to lock the vault."
    assert restarted(due).view.sentence == said
    assert due.state is VaultState.SHUT
    due.press(Line.YELLOW_BUTTON, 3)
    assert restarted(due).vault_contents.lid == LOCKED
    assert due.play.mover.seat == "blue"


def test_a_vault_shut_without_locking_opens_at_any_number(due: VaultRig) -> None:
    due.guess(4)
    due.give(m.Unlock(by="red", deed="boardwalk"))
    due.lid(is_shut=True)
    restarted(due).guess(1)  # Something was forgotten: M lifts the lid again.
    assert due.vault_contents.lid == OPEN
    assert due.cash("red") == 3_400
    due.lock(5)
    assert (due.vault_contents.keys, due.vault_contents.hotels) == (1, 1)
    assert due.now.ledger[Account("vault")] == 400


def test_a_forced_lid_that_a_grown_up_clears_gets_a_new_number(due: VaultRig) -> None:
    due.lid(is_shut=False)
    due.keeper.clear_fault()
    due.run(50)
    assert due.vault_contents.lid == OPEN
    due.lock(6)
    due.guess(6)
    assert due.cash("red") == 3_400


def test_locked_before_the_key_was_used_is_said(due: VaultRig) -> None:
    due.guess(4)
    due.lock(5)
    assert due.play.stage == "key"
    assert due.vault_contents.lid == LOCKED
    assert "slot" in due.view.sentence
    assert due.view.put_in is not None
    assert due.view.put_in.words == ("4 x $100", "one key", "one hotel")
    due.give(m.Unlock(by="red", deed="boardwalk"))
    assert due.play.stage == "roll"
    assert (due.vault_contents.keys, due.vault_contents.hotels) == (1, 1)


def test_every_state_of_the_lock_and_the_lid_comes_to_rest() -> None:
    lids = {m.ReportLid: None, m.LockVault: LOCKED}
    for state, row in DUE.items():
        for lid in row:
            seen = []
            at: str | None = lid
            while at in row:
                assert at not in seen, f"{state}: {seen} goes round"
                seen.append(at)
                report = row[at]
                is_lid = isinstance(report, m.ReportLid)
                at = report.lid if is_lid else lids[m.LockVault]  # type: ignore[attr-defined]
            assert at in (OPEN, SHUT, LOCKED, FORCED)


# Phones.


def test_a_phone_can_guess_in_place_of_the_wheel(due: VaultRig) -> None:
    with pytest.raises(Refused) as no:
        due.give(m.Guess(by="blue", number=4))
    assert no.value.why is Why.NOT_YOUR_TURN
    due.give(m.Guess(by="red", number=4, is_right=False))
    due.run(100)
    assert due.cash("red") == 3_400


def test_a_phone_cannot_say_that_it_was_right(due: VaultRig) -> None:
    due.give(m.Guess(by="red", number=1, is_right=True))
    due.run(100)
    assert due.vault_contents.tried == (1,)
    assert due.cash("red") == 3_000


@each("number", [0, 7])
def test_a_phone_guesses_a_number_of_the_wheel(due: VaultRig, number: int) -> None:
    with pytest.raises(Refused, match="the wheel has 1 to 6"):
        due.give(m.Guess(by="red", number=number))
    due.run(100)
    assert due.keeper.view().tries_count == 0


def test_a_double_tap_is_one_guess(due: VaultRig) -> None:
    envelope = Envelope(m.Guess(by="red", number=1), "a-double-tap")
    assert due.coupling.take(due.game, envelope) == due.coupling.take(
        due.game, envelope
    )
    due.run(100)
    assert due.keeper.view().tries_count == 1


def test_a_guess_is_heard_though_another_seat_had_its_id(due: VaultRig) -> None:
    envelope = Envelope(m.Guess(by="red", number=1), "the-same-id")
    due.coupling.take(due.game, envelope)
    due.run(100)
    with pytest.raises(Refused):  # It is heard, and it is not due any more.
        due.coupling.take(
            due.game, Envelope(m.Guess(by="blue", number=2), "the-same-id")
        )


def test_a_real_vault_is_locked_at_the_vault(due: VaultRig) -> None:
    due.guess(4)
    due.give(m.Unlock(by="red", deed="boardwalk"))
    with pytest.raises(Refused, match="press yellow three times"):
        due.give(m.LockVault(by="blue"))


def test_the_vault_serves_the_game_opened_last(due: VaultRig) -> None:
    first = due.game
    due.clock.advance(1_000)
    due.begin()
    with pytest.raises(Refused, match="opened last"):
        due.coupling.take(first, Envelope(m.Guess(by="red", number=4), "other-game"))
    due.guess(4)
    assert due.signals[-1] is Signal.WRONG_TIME


def test_without_a_game_the_vault_is_a_toy(rig: VaultRig) -> None:
    rig.lock(3)
    rig.guess(2)
    assert rig.signals[-1] is Signal.WRONG
    rig.guess(3)
    assert rig.state is VaultState.OPEN


def test_by_hand_the_vault_is_a_toy_too(due: VaultRig) -> None:
    due.give(m.RestPlay(by=c.TABLE))
    due.guess(4)
    assert due.state is VaultState.OPEN
    assert due.cash("red") == 3_000
    due.lock(2)
    due.give(m.ResumePlay(by=c.TABLE))
    assert due.play.stage == "guess"
    due.run(REST_MS, 100)
    due.guess(2)
    assert due.cash("red") == 3_400


def test_a_number_set_while_the_game_slept_was_not_tried(due: VaultRig) -> None:
    due.guess(1)
    due.give(m.RestPlay(by=c.TABLE))
    due.guess(4)
    due.lock(1)
    due.give(m.ResumePlay(by=c.TABLE))
    assert due.vault_contents.tried == ()
    assert due.vault_contents.lid == LOCKED
    assert due.lines()[0].endswith("vault is locked with a new number")
    lines_count = len(due.lines())
    due.cut()
    due.on()
    assert len(due.lines()) == lines_count  # Told once is enough.
    due.give(roll("blue", 2, 3))
    due.guess(3)
    assert due.vault_contents.tried == (3,)


def test_a_number_set_for_another_game_was_not_tried_in_this(due: VaultRig) -> None:
    first = due.game
    due.guess(1)
    due.clock.advance(1_000)
    due.begin()
    due.give(roll("red", 2, 3))
    due.guess(4)
    due.give(m.Unlock(by="red", deed="boardwalk"))
    due.lock(1)
    due.give(c.CloseGame(by=c.TABLE))
    due.game = first
    due.coupling.look()
    due.run(20)
    assert due.vault_contents.tried == ()


def test_a_change_of_the_game_makes_the_vault_look(rig: VaultRig) -> None:
    looked = threading.Event()
    rig.keeper.show_to = lambda _: looked.set()  # type: ignore[method-assign]
    rig.coupling.start()
    rig.game = rig.table.open_game("secret-vault", "Friday", "opened-now")
    assert looked.wait(PATIENCE_S)
    rig.coupling.stop()
    rig.coupling.stop()


# Options.


def test_the_toys_way_hears_m_at_any_time(tmp_path: Path) -> None:
    with VaultRig(tmp_path, options={"toy": "on"}) as rig:
        rig.lock(5)
        rig.begin()
        rig.guess(2)
        assert rig.vault_contents.tried == (2,)
        assert rig.play.stage == "roll"
        rig.guess(5)
        assert rig.cash("red") == 3_400


def test_the_toys_way_says_whose_number_is_heard(tmp_path: Path) -> None:
    with VaultRig(tmp_path, options={"toy": "on"}) as rig:
        rig.lock(5)
        rig.begin()
        assert rig.view.sentence == (
            "Red may try: guess on the phone, or turn the wheel and press M."
        )
        rig.give(roll("red", 1, 2))
        rig.give(m.PutUp(by="red"))
        assert rig.play.stage == "auction"
        assert rig.view.sentence == (
            "Red may try: guess on the phone, or turn the wheel and press M."
        )
        rig.guess(2)
        assert rig.vault_contents.tried == (2,), "the sentence was wrong"


def test_memory_shows_the_numbers_tried_and_the_chance(tmp_path: Path) -> None:
    with VaultRig(tmp_path, options={"memory": "on"}) as rig:
        rig.ready()
        assert (rig.view.tried, rig.view.chance) == ((), 6)
        rig.guess(2)
        assert (rig.view.tried, rig.view.chance) == ((2,), 5)
        assert "Red guessed 2: wrong" in rig.lines()


def test_without_memory_nothing_of_it_is_shown(due: VaultRig) -> None:
    due.guess(2)
    assert (due.view.tried, due.view.chance) == ((), 0)
    assert "Red guessed wrong" in due.lines()


# The secret.


def test_the_games_journal_is_the_same_whatever_the_code(tmp_path: Path) -> None:
    said = []
    for code in (3, 4, 5, 6):
        with VaultRig(tmp_path / str(code)) as rig:
            rig.ready(code)
            rig.guess(2)
            entries = rig.table.entries(rig.game)
            view = repr(rig.view) + repr(rig.keeper.view())
            said.append(b"".join(entries_to_json("x", entries)).decode() + view)
    assert len(set(said)) == 1


def test_a_guess_remembers_its_game_and_its_seat(due: VaultRig) -> None:
    due.guess(1)
    *_, guess = (x for x in due.journal.remembered() if isinstance(x, NumberGuessed))
    assert guess == NumberGuessed(1, False, due.game, "red")
