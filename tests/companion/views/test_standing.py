"""Who sits at a game of a list and how it stands: two of one name are told apart."""

from __future__ import annotations

from pathlib import Path

from companion.views.standing import Standing
from tests.fakes import FakeClock
from tests.sample import each
from tests.web.conftest import Evening, House, make_evening, make_panel
from tests.web.guided_table import guided
from tests.web.scenes import by_hand, ended, gathering, gone, opened

FOUR = ("Anna", "Ben", "Cleo", "Dana")


def renamed(house: House) -> Evening:
    """Ben is called Bea, Cleo came and went."""
    evening = make_evening(house)
    evening.ben.do(evening.game_id, "rename-seat", seat="blue", name="Bea")
    house.seated(evening.game_id, "Cleo", "green", "duck")
    evening.host.do(evening.game_id, "remove-seat", seat="green")
    return evening


def standing_of(evening: Evening, *, is_read: bool) -> Standing:
    """As the list says it of a game in memory, or of one that nobody asked for yet."""
    table = evening.house.table
    return (table if is_read else evening.house.restarted()).standing(evening.game_id)


@each(
    ["scene", "names", "words"],
    [
        (opened, (), "not begun"),
        (gathering, ("Anna", "Bartholomäus", "Ben"), "not begun"),
        (by_hand, FOUR[:3], "Anna leads"),
        (renamed, ("Anna", "Bea"), ""),
        (guided, FOUR[:2], "Anna's turn"),
        (gone, FOUR, "Anna's turn"),
        (ended, FOUR[:3], "Cleo won"),
    ],
)
def test_a_list_says_who_sits_there_and_how_it_stands(
    scene, names: tuple[str, ...], words: str, tmp_path: Path
):
    folder = tmp_path / scene.__name__
    folder.mkdir()
    house = make_panel(folder, FakeClock())
    evening = scene(house)
    told = standing_of(evening, is_read=True)
    assert told == Standing(names, words, "won" in words)
    kept = standing_of(evening, is_read=False)
    assert kept.names == names
    assert kept.words == (words if words in ("not begun", "Cleo won") else "")
    house.table.close()
    house.database.close()


def test_a_list_is_told_when_it_can_say_more_of_a_game(tmp_path: Path):
    house = make_panel(tmp_path, FakeClock())
    evening = guided(house)
    house.table.close()
    table = house.restarted()
    listener, said = table.subscribe(), table.standing(evening.game_id)
    table.game(evening.game_id)
    assert listener.wait(0)
    assert table.standing(evening.game_id) != said
    table.game(evening.game_id)
    assert not listener.wait(0)
    table.close()
    house.database.close()
