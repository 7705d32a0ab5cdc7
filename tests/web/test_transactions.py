"""How often the disk is asked: once for what people wait for, not at all for a look."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.game.vault_contents_events import GuessMade
from companion.ports import Line
from tests.transactions import counted
from tests.vault_rig import VaultRig
from tests.web.conftest import Evening
from tests.web.night import Night


def test_a_payment_is_one_transaction_until_all_phones_show_it(
    evening: Evening,
) -> None:
    house, game = evening.house, evening.game_id
    phones = (evening.anna, evening.ben)
    for phone in phones:
        phone.get(f"/g/{game}/")
    evening.host.get("/table")  # From then on the list of games is in memory.
    before = evening.balance("blue")
    with counted(house.database) as begun:
        answer = evening.anna.do(game, "pay", payer="red", payee="blue", amount=5)
        assert answer.status_code == 303
        assert len(begun) == 1
        for phone in phones:
            assert phone.get(f"/g/{game}/").status_code == 200
        assert evening.host.get(f"/table?game={game}").status_code == 200
    assert evening.balance("blue") == before + 5
    assert len(begun) == 1


def test_the_pages_of_a_led_vault_game_ask_the_disk_for_nothing(
    tmp_path: Path,
) -> None:
    night = Night(tmp_path)
    try:
        night.lock()
        night.page(night.anna)
        with counted(night.house.database) as begun:
            night.page(night.anna)
            night.page(night.ben)
            assert night.anna.get(f"/g/{night.game}/board").status_code == 200
            assert night.anna.get("/table").status_code == 200
        assert begun == []
    finally:
        night.close()


@pytest.mark.parametrize("number", [4, 2])
def test_m_is_one_transaction_from_the_pin_to_the_coil(
    tmp_path: Path, number: int
) -> None:
    with VaultRig(tmp_path) as rig:
        rig.ready(code=4)
        rig.turn_to(number)
        rig.run(300)
        release, at_coil = rig.rig.device.release, []

        def released(on_time_ms: int) -> None:
            at_coil.append(len(begun))
            release(on_time_ms)

        rig.rig.device.release = released  # type: ignore[method-assign]
        with counted(rig.database) as begun:
            rig.press(Line.M_BUTTON)
        made = [type(x) for x in rig.table.entries(rig.game)[-1].events]
        if number == 4:
            assert at_coil == [1]
        else:
            assert (at_coil, len(begun), made[0]) == ([], 1, GuessMade)
