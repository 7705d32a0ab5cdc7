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


def standing_of(evening: Evening) -> Standing:
    """As the list says it, whether or not somebody asked for the game before."""
    read, fresh = evening.house.table, evening.house.restarted()
    (told, told_again) = (table.standing(table.games()[0]) for table in (read, fresh))
    assert told == told_again
    fresh.game(evening.game_id)
    assert told == fresh.standing(fresh.games()[0])
    return told


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
    assert standing_of(evening) == Standing(names, words, "won" in words)
    evening.host.do(evening.game_id, "close-game")
    brief = words if words in ("not begun", "Cleo won") else ""
    assert standing_of(evening) == Standing(names, brief, "won" in words)
    house.table.close()
    house.database.close()
