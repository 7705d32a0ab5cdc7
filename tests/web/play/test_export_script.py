"""The script that a family takes home plays back without their table."""

from __future__ import annotations

from companion.game import moves as m
from companion.game.commands import TABLE
from companion.game.journal import Journal
from companion.script import run_script
from companion.script.run import Outcome
from tests.digest import digest
from tests.web.conftest import Evening, House, Phone
from tests.web.guided_table import give, said


def begun(host: Phone, edition: str, printing: str = "us", **options: str) -> Evening:
    """An evening as phones begin it; the companion leads."""
    house = host.house
    answer = host.post("/games", edition=edition, name="Friday", printing=printing)
    game_id = answer.headers["Location"].split("/")[2]
    anna = house.seated(game_id, "Anna", "red", "hat")
    ben = house.seated(game_id, "Ben", "blue", "car")
    evening = Evening(house, game_id, host, anna, ben)
    assert host.do(game_id, "begin", **options).status_code == 303
    assert house.table.game(game_id).is_guided
    return evening


def played_again(evening: Evening, phone: Phone) -> tuple[str, Outcome]:
    """The script as a phone saves it, and how it went elsewhere."""
    answer = phone.get(f"/g/{evening.game_id}/export.game")
    assert answer.status_code == 200
    outcome = run_script(answer.text)
    assert outcome.ok, f"{outcome.line}: {outcome.wanted}: {outcome.got}"
    journal = Journal(lambda after: outcome.entries[after:])
    for entry in outcome.entries:
        journal.append(entry)
    assert journal.game is not None
    assert digest(journal.game) == digest(evening.house.table.game(evening.game_id))
    return answer.text, outcome


def test_a_game_in_the_british_printing_plays_back(house: House):
    evening = begun(house.host(), "grab-and-go", "uk", **{"option-dice": "typed"})
    evening.anna.do(evening.game_id, "roll", **{"die-1": "1", "die-2": "2"})
    evening.anna.do(evening.game_id, "buy")
    script, _ = played_again(evening, evening.anna)
    assert "edition grab-and-go-uk\n" in script
    assert "do red buy\n" in script


def test_what_was_read_off_the_box_in_another_game_goes_along(house: House):
    host = house.host()
    first = begun(host, "secret-vault")
    said(first, "figure states-avenue mortgage 65", "space 17 chance")
    said(first, "card chance keep:guess")
    second = begun(host, "secret-vault")
    said(second, "red owns states-avenue")
    give(second, m.Mortgage(by="red", deed="states-avenue"))
    script, _ = played_again(second, second.anna)
    for words in ("figure states-avenue mortgage 65", "space 17 chance"):
        assert f"given {words}\n" in script
    assert "given card chance keep:guess\n" in script


def test_whoever_joins_by_hand_is_in_the_script(house: House):
    evening = begun(house.host(), "grab-and-go")
    evening.anna.do(evening.game_id, "roll", **{"die-1": "4", "die-2": "6"})
    give(evening, m.RestPlay(by=TABLE))
    cleo = house.seated(evening.game_id, "Cleo", "green", "duck")
    evening.anna.do(evening.game_id, "pay", payee="blue", amount="70")
    give(evening, m.ResumePlay(by=TABLE))
    script, _ = played_again(evening, cleo)
    assert "do table join green\n" in script
