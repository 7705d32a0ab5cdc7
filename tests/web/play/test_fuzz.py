"""Whatever is sent, the answer is one of ours and no money is made of it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.fakes import FakeClock
from tests.web.conftest import ORIGIN, Evening, make_evening, make_panel
from web.http.settings import PanelSettings
from web.play import forms

OURS = {303, 400, 404, 409, 413}
WORDS = ["red", "blue", "bank", "pot", "vault", "1", "50", "0", "rent", "", "-1", "1e9"]
VALUES = st.sampled_from(WORDS) | st.text(max_size=40)
NAMES = (
    "payer payee amount seat number reason name colour token account balance "
    "expected_revision command_id from"
)
FIELDS = st.dictionaries(st.sampled_from(NAMES.split()), VALUES)
QUICK = settings(
    max_examples=60,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)


@pytest.fixture(scope="module")
def wild(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Evening]:
    told = PanelSettings(burst_count=1_000_000, newcomers_count=1_000_000)
    house = make_panel(tmp_path_factory.mktemp("wild"), FakeClock(), settings=told)
    yield make_evening(house)
    house.table.close()
    house.database.close()


def assert_whole(evening: Evening) -> None:
    ledger = evening.house.table.game(evening.game_id).ledger
    assert sum(ledger[account] for account in ledger) == 0


@QUICK
@given(verb=st.sampled_from(sorted(forms.FORMS)), fields=FIELDS)
def test_any_form_gets_an_answer(wild: Evening, verb: str, fields: dict[str, str]):
    if verb in ("remove-seat", "close-game"):
        return  # Would end the game for the examples that follow.
    answer = wild.anna.do(wild.game_id, verb, **fields)
    assert answer.status_code in OURS, answer.text
    assert_whole(wild)


@QUICK
@given(body=st.binary(max_size=300))
def test_any_bytes_as_json_get_an_answer(wild: Evening, body: bytes):
    answer = wild.anna.client.post(
        f"/api/games/{wild.game_id}/commands", data=body, headers=ORIGIN
    )
    assert answer.status_code == 400
    assert answer.json["ok"] is False


@QUICK
@given(query=FIELDS)
def test_any_sheet_gets_a_page(wild: Evening, query: dict[str, str]):
    answer = wild.anna.client.get(f"/g/{wild.game_id}/pay", query_string=query)
    assert answer.status_code in (200, 400), answer.text


@QUICK
@given(name=st.text(max_size=60), game=st.text(max_size=30))
def test_any_name_of_a_player_or_an_evening_gets_an_answer(
    wild: Evening, name: str, game: str
):
    guest = wild.house.guest()
    path = f"/g/{wild.game_id}/join"
    guest.get(path)
    answer = guest.post(path, name=name, colour="red", token="cat")
    assert answer.status_code == 409
    assert guest.get(f"/g/{game}/").status_code < 500
