"""The vault's page over a real keeper and a simulated vault, with time in hand."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path

import pytest

from companion.errors import DeviceFault
from companion.game import commands as c
from companion.game.envelope import Envelope
from companion.lock.states import PRESSES, TRANSITIONS, VaultState
from companion.ports import Signal
from companion.units import Seat
from tests.sample import each
from tests.scene import sitting
from tests.web.forms import without_first
from tests.web.vault_lab import CODE, JSON, HandlessVault, Lab, evening, page
from web.http.settings import PanelSettings
from web.vault.page import BUTTONS, STEPS_MAX, sure_answer

Maker = Callable[..., Lab]


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Maker]:
    """Makes labs; closes their databases and vaults."""
    labs: list[Lab] = []

    def made(**arguments: object) -> Lab:
        path = tmp_path / str(len(labs))
        path.mkdir()
        labs.append(Lab(path, **arguments))  # type: ignore[arg-type]
        return labs[-1]

    yield made
    for lab in labs:
        lab.keeper.stop()
        lab.house.database.close()


@pytest.fixture
def lab(make: Maker) -> Lab:
    return make()


# What it shows.


def test_the_page_says_in_words_what_is_so_and_what_to_do(lab: Lab) -> None:
    assert "Put the treasure in and shut the lid." in page(lab)
    lab.lock()
    text = page(lab)
    assert 'data-state="locked"' in text
    assert "Turn the wheel and press M to guess." in text


def test_the_state_is_the_view_its_sentence_and_how_old_it_is(lab: Lab) -> None:
    answer = lab.client.get("/vault/state", headers=JSON)
    assert answer.json == {
        **dataclasses.asdict(lab.view),
        "sentence": lab.view.sentence,
        "told": lab.table.notices.told(),
    }
    assert "code" not in answer.text


def test_the_page_carries_no_script_and_no_style_of_its_own(lab: Lab) -> None:
    text = without_first(page(lab))
    assert not re.search(r"<script(?![^>]*\ssrc=)", text)
    assert not re.search(r"<style|\sstyle=|\son[a-z]+=", text)


def test_each_button_on_the_page_has_words(lab: Lab) -> None:
    for button in re.findall(r"<button.*?</button>", page(lab), re.DOTALL):
        assert re.sub(r"<[^>]+>", "", button).strip(), button


def test_a_page_without_script_looks_again_while_the_vault_moves(lab: Lab) -> None:
    assert 'http-equiv="refresh"' not in page(lab)
    lab.post("lid", move="shut")
    lab.device.is_jammed = True
    lab.post("press", line="m_button")
    assert lab.view.state is VaultState.RELEASING
    assert 'http-equiv="refresh" content="1"' in page(lab)


def test_real_pins_are_shown_live_and_without_hands(make: Maker) -> None:
    text = page(make(kind=HandlessVault))
    assert 'action="/vault/' not in text
    assert 'http-equiv="refresh" content="5"' in text
    assert "The vault is open." in text


@pytest.mark.parametrize(
    ("path", "fields"),
    [
        ("turn", {"steps": 1}),
        ("press", {"line": "m_button"}),
        ("lid", {"move": "force"}),
    ],
)
def test_a_page_cannot_move_real_pins(
    make: Maker, path: str, fields: dict[str, object]
) -> None:
    lab = make(kind=HandlessVault)
    answer = lab.post(path, **fields)
    assert answer.status_code == 409
    assert "only shows the vault" in answer.text
    assert lab.device.values("lid") == []


def test_a_table_without_a_vault_has_no_vault_page(lab: Lab) -> None:
    built = dataclasses.replace(lab.panel.built, vault=None)
    client = lab.browser(dataclasses.replace(lab.panel, built=built))
    for path in ("/vault", "/vault/state"):
        answer = client.get(path)
        assert answer.status_code == 404
        assert "This table has no vault" in answer.text


# What hands do.


def test_a_form_is_answered_with_the_way_back_to_the_page(lab: Lab) -> None:
    answer = lab.post("turn", steps=2)
    assert (answer.status_code, answer.headers["Location"]) == (303, "/vault")


@pytest.mark.parametrize(
    ("steps", "number"), [(0, 1), (1, 2), (-1, 6), (6, 1), (60, 1), (-60, 1), (11, 6)]
)
def test_the_wheel_turns_as_the_lock_decodes_it(
    lab: Lab, steps: int, number: int
) -> None:
    lab.post("turn", steps=steps)
    assert lab.view.number == number
    assert f'data-number="{number}"' in page(lab)


def test_three_yellow_presses_in_three_posts_lock_the_vault(lab: Lab) -> None:
    lab.post("lid", move="shut")
    for count in (1, 2, 0):
        lab.client.post("/vault/press", data={"line": "yellow_button"})
        lab.settle(100)
        assert lab.view.yellow_count == count
    assert lab.view.state is VaultState.LOCKED


def test_a_wrong_number_changes_nothing_and_the_right_one_opens(lab: Lab) -> None:
    lab.lock()
    lab.post("press", line="m_button")
    assert (lab.view.state, lab.view.tries_count) == (VaultState.LOCKED, 1)
    assert "Wrong guesses: <b>1</b>" in page(lab)
    lab.post("turn", steps=CODE - 1)
    lab.post("press", line="m_button")
    assert lab.view.state is VaultState.OPEN
    signals = lab.device.values("signal")
    assert signals[-2:] == [Signal.WRONG, Signal.RIGHT]


def test_a_locked_lid_does_not_lift_but_can_be_forced(lab: Lab) -> None:
    lab.lock()
    lab.post("lid", move="lift")
    assert lab.view.state is VaultState.LOCKED
    lab.post("lid", move="force")
    assert lab.view.state is VaultState.FORCED
    assert 'data-state="forced"' in page(lab)


def test_turns_posted_before_a_press_are_felt_before_it(lab: Lab) -> None:
    lab.lock()
    lab.client.post("/vault/turn", data={"steps": str(CODE - 1)})
    lab.client.post("/vault/press", data={"line": "m_button"})
    lab.settle()
    assert lab.view.state is VaultState.OPEN


@pytest.mark.parametrize(
    ("path", "fields"),
    [
        ("turn", {}),
        ("turn", {"steps": ""}),
        ("turn", {"steps": STEPS_MAX + 1}),
        ("turn", {"steps": -STEPS_MAX - 1}),
        ("turn", {"steps": "1.5"}),
        ("turn", {"steps": "--1"}),
        ("turn", {"steps": "١"}),  # noqa: RUF001 a digit, but not ours
        ("turn", {"steps": "9" * 5000}),
        ("press", {}),
        ("press", {"line": "lid"}),
        ("press", {"line": "wheel_a"}),
        ("press", {"line": "<b>m_button"}),
        ("press", {"line": "m_button", "times": 0}),
        ("press", {"line": "yellow_button", "times": 4}),
        ("lid", {}),
        ("lid", {"move": "jam"}),
    ],
)
def test_nonsense_is_refused_with_what_was_wanted_and_nothing_moves(
    lab: Lab, path: str, fields: dict[str, object]
) -> None:
    before, happened = lab.view, lab.device.history
    answer = lab.post(path, **fields)
    assert answer.status_code == 400
    assert re.search("belongs here|are too many for", answer.text)
    assert "<b>m_button" not in answer.text
    assert (lab.view, lab.device.history) == (before, happened)


def test_more_presses_than_a_finger_can_make_are_refused_in_words(lab: Lab) -> None:
    press = {"line": "yellow_button", "times": "3"}
    statuses = [
        lab.client.post("/vault/press", data=press).status_code for _ in range(9)
    ]
    assert statuses[0] == 303
    assert statuses[-1] == 400
    german = {"Accept-Language": "de"}
    answer = lab.client.post("/vault/press", data=press, headers=german)
    assert "Zu oft auf einmal gedrückt" in answer.text
    assert "Lass den Finger kurz ruhen" in answer.text


def test_hands_come_from_our_own_page_only(lab: Lab) -> None:
    del lab.client.environ_base["HTTP_ORIGIN"]
    for origin in ({}, {"Origin": "http://elsewhere.example"}):
        answer = lab.client.post("/vault/turn", data={"steps": "1"}, headers=origin)
        lab.settle()
        assert (answer.status_code, lab.view.number) == (403, 1)


def test_a_hand_that_posts_too_fast_is_told_how_long_to_wait(lab: Lab) -> None:
    answers = [
        lab.client.post("/vault/turn", data={"steps": "1"}, headers=JSON)
        for _ in range(PanelSettings().burst_count + 1)
    ]
    assert [a.status_code for a in answers[:-1]] == [200] * (len(answers) - 1)
    assert answers[-1].status_code == 429
    assert int(answers[-1].headers["Retry-After"]) >= 1


@pytest.mark.parametrize("path", ["turn", "press", "lid", "set-wheel", "clear-fault"])
def test_nothing_moves_by_get(lab: Lab, path: str) -> None:
    before = lab.view
    answer = lab.client.get(f"/vault/{path}")
    lab.settle()
    assert (answer.status_code, answer.location) == (303, "/vault")
    assert lab.view == before


# What light and sound say at once.


def answer_to(lab: Lab, line: str) -> object:
    said = lab.client.post("/vault/press", data={"line": line}, headers=JSON)
    lab.settle()
    assert said.json is not None
    return said.json["answer"]


def test_each_press_is_answered_and_a_guess_only_by_the_lock(lab: Lab) -> None:
    assert answer_to(lab, "m_button") == "wrong_time"
    lab.post("lid", move="shut")
    assert answer_to(lab, "yellow_button") == "accepted"
    lab.settle(3000)
    lab.lock()
    assert answer_to(lab, "yellow_button") == "wrong_time"
    assert answer_to(lab, "m_button") is None


@each(("state", "button"), product(list(VaultState), BUTTONS))
def test_a_sure_answer_is_what_the_table_says_of_every_outcome(
    state: VaultState, button: str
) -> None:
    _, stimuli = BUTTONS[button]
    assert set(stimuli) <= set(PRESSES)
    answer = sure_answer(state, stimuli)
    signals = [set(TRANSITIONS[state][stimulus][1]) for stimulus in stimuli]
    if answer is None:
        assert (state, button) == (VaultState.LOCKED, "m_button")
    else:
        assert all(answer in effects for effects in signals)


# Who may set it right.


def test_only_the_host_or_the_banker_sets_the_wheel_and_clears_a_fault(
    lab: Lab,
) -> None:
    game_id = lab.table.open_game("secret-vault", "Friday", "open-0001")
    host, host_token = lab.phone(is_host=True)
    banker, banker_token = lab.phone()
    guest, guest_token = lab.phone()
    lab.panel.seating.join(game_id, banker, sitting("red"), "join-0001")
    lab.panel.seating.join(game_id, guest, sitting("blue"), "join-0002")
    hand_on = c.HandBanker(by="bank", to=Seat("red"))
    lab.table.submit(game_id, Envelope(hand_on, "hand-0001", None))
    assert host.is_host
    for number, token in ((5, ""), (5, guest_token)):
        lab.client = lab.browser(token=token)
        assert "The pointer stands at" not in page(lab)
        answers = [lab.post("set-wheel", number=number), lab.post("clear-fault")]
        assert [a.status_code for a in answers] == [409, 409]
        assert lab.view.number == 1
    for number, token in ((5, host_token), (3, banker_token)):
        lab.client = lab.browser(token=token)
        assert "The pointer stands at" in page(lab)
        assert lab.post("set-wheel", number=number).status_code == 303
        assert lab.view.number == number
    lab.lock()
    lab.post("lid", move="force")
    assert lab.post("clear-fault").status_code == 303
    assert lab.view.state is VaultState.OPEN


@pytest.mark.parametrize("number", [0, 7, -1, "", "x"])
def test_the_pointer_is_set_to_a_number_on_the_wheel(lab: Lab, number: object) -> None:
    lab.client = lab.browser(token=lab.phone(is_host=True)[1])
    assert lab.post("set-wheel", number=number).status_code == 400
    assert lab.view.number == 1


# The code.


def test_whatever_the_code_is_the_page_tells_the_same_until_the_guess(
    make: Maker,
) -> None:
    evenings = [evening(make(code=code)) for code in range(1, 7)]
    assert all(told == evenings[0] for told in evenings[1:])


# When a driver fails.


def test_a_drivers_own_words_are_folded_away_and_not_for_players(
    lab: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It speaks English, of pins; the log and the doctor have it as well."""

    def fail(_on_time_ms: int) -> None:
        raise DeviceFault("GPIO18 is in use by 'lcd'")

    lab.lock()
    monkeypatch.setattr(lab.device, "release", fail)
    lab.post("turn", steps=CODE - lab.view.number)
    lab.post("press", line="m_button")
    assert lab.view.state is VaultState.FAULT
    lab.client.set_cookie("language", "de")
    shown = re.sub(r"data-vault='[^']*'", "", page(lab))
    assert "Der Tresor braucht einen Erwachsenen." in shown
    assert "GPIO18" not in shown
