"""The editions that a table can play: the program's own, and its owner's files."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from cli import main
from companion.edition import builtin, builtin_text, editions
from companion.edition.catalogue import FILES_MAX, catalogue_of, read_catalogue
from companion.edition.own import own_text
from companion.errors import Malformed
from tests.companion.edition.test_own import own

TYPED = {"deed.boardwalk.mortgage": 400}


def put(folder: Path, name: str, text: str) -> Path:
    folder.mkdir(exist_ok=True)
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def companion(*words: object) -> Result:
    return CliRunner().invoke(main, [str(word) for word in words])


def test_a_shelf_without_files_has_the_five_that_come_with_the_program(
    tmp_path: Path,
) -> None:
    catalogue = catalogue_of(tmp_path / "nowhere")
    assert (catalogue.ids, catalogue.faults) == (editions(), ())
    assert catalogue("mega") is builtin("mega")
    assert catalogue("classic-uk") is builtin("classic-uk")


def test_every_file_of_the_folder_is_on_the_shelf_in_both_printings(
    tmp_path: Path,
) -> None:
    put(tmp_path / "editions", "house.toml", own())
    put(tmp_path / "editions", "notes.txt", "not an edition")
    far = own_text(builtin("secret-vault"), TYPED, "our-box", "Our box")
    catalogue = catalogue_of(tmp_path, [put(tmp_path, "far.toml", far)])
    assert catalogue.ids == (*editions(), "our-house", "our-box")
    assert catalogue("our-house").deed("boardwalk").name == "Grandmother's garden"
    assert catalogue("our-house-uk").deed("park-place").name == "Park Lane"
    assert catalogue("our-box").figure("boardwalk", "mortgage") == 400
    assert builtin("secret-vault").deed("boardwalk").mortgage is None


@pytest.mark.parametrize("word", ["our-hous", "our-house-uk-uk", "", "-uk", "UK"])
def test_an_id_that_is_not_there_is_malformed(tmp_path: Path, word: str) -> None:
    catalogue = read_catalogue([put(tmp_path, "house.toml", own())])
    with pytest.raises(Malformed, match="expected an edition, got"):
        catalogue(word)


def test_what_has_mistakes_is_left_out_and_named_and_the_rest_stays(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "editions"
    put(folder, "a.toml", own().replace("500", "-5"))
    put(folder, "b.toml", "").write_bytes(b"\xff\xfe")
    put(folder, "c.toml", own().replace("our-house", "classic"))
    put(folder, "d.toml", "#" * 1_000_001)
    put(folder, "e.toml", own())
    put(folder, "f.toml", own())
    put(folder, "g.toml", own().replace("our-house", "classic-uk"))
    (folder / "h.toml").symlink_to(tmp_path / "nowhere")
    catalogue = catalogue_of(tmp_path)
    assert catalogue.ids == (*editions(), "our-house")
    files = [fault.split(":")[0] for fault in catalogue.faults]
    assert files == [f"{name}.toml" for name in "abcdfgh"]
    assert "deed[boardwalk].price: expected a whole number" in catalogue.faults[0]
    assert catalogue.faults[2] == (
        "c.toml: edition.id: expected an id of its own, got 'classic', "
        "which is taken; choose another id"
    )
    assert "which is taken" in catalogue.faults[4]
    assert "does not end in -uk" in catalogue.faults[5]


def test_a_shelf_has_room_for_so_many_files_and_no_more(tmp_path: Path) -> None:
    missing = tuple(tmp_path / f"{n}.toml" for n in range(FILES_MAX + 2))
    faults = read_catalogue(missing).faults
    assert len(faults) == FILES_MAX + 1
    assert faults[-1] == (
        f"{FILES_MAX}.toml: expected at most {FILES_MAX} edition files, "
        f"got {FILES_MAX + 2}"
    )


def test_the_same_file_named_twice_is_one(tmp_path: Path) -> None:
    path = put(tmp_path, "house.toml", own())
    assert read_catalogue([path, path]).faults == ()


SCRIPT = "edition {}\nseats red blue\nexpect red cash 2000\ndo red roll 1 2\n"


@pytest.mark.parametrize("word", ["our-house", "our-house-uk"])
def test_a_script_is_played_by_a_file_that_is_named(tmp_path: Path, word: str) -> None:
    file = put(tmp_path, "house.toml", own())
    script = put(tmp_path, "evening.game", SCRIPT.format(word))
    played = companion("play", "--edition", file, script)
    assert (played.exit_code, played.output) == (0, f"{script}: every line holds\n")
    without = companion("play", script)
    assert without.exit_code == 1
    assert "evening.game:1: wanted column 9: one of classic, grab-and-go" in (
        without.output
    )


def test_a_script_may_name_a_file_beside_it(tmp_path: Path) -> None:
    put(tmp_path, "house.toml", own())
    script = put(tmp_path, "evening.game", SCRIPT.format("house.toml"))
    assert companion("play", script).exit_code == 0
    put(tmp_path, "house.toml", own().replace("500", "-5"))
    wrong = companion("play", script)
    assert wrong.exit_code == 1
    assert "wanted column 9: an edition file without mistakes" in wrong.output
    assert "deed[boardwalk].price: expected a whole number" in wrong.output
    put(tmp_path, "house.toml", own().replace("our-house", "mega"))
    assert "an id of its own" in companion("play", script).output
    (tmp_path / "house.toml").unlink()
    assert "cannot read" in companion("play", script).output


def test_a_file_with_mistakes_plays_no_script(tmp_path: Path) -> None:
    file = put(tmp_path, "house.toml", own().replace("500", "-5"))
    script = put(tmp_path, "evening.game", "edition classic\nseats red blue\n")
    played = companion("play", "--edition", file, script)
    assert played.exit_code == 1
    assert "house.toml: deed[boardwalk].price: expected a whole" in played.output
    assert companion("play", "--edition", "nowhere.toml", script).exit_code == 2


def test_the_commands_know_the_files_of_the_table(tmp_path: Path) -> None:
    put(tmp_path / "editions", "house.toml", own())
    listed = companion("edition", "list", "--data", tmp_path)
    assert listed.exit_code == 0
    assert [line.split(":")[0] for line in listed.output.splitlines()] == [
        *editions(),
        "our-house",
    ]
    shown = companion("edition", "show", "our-house", "--data", tmp_path)
    assert shown.exit_code == 0
    assert "Our house" in shown.output
    assert companion("edition", "show", "our-house").exit_code == 1
    by_path = companion("edition", "show", tmp_path / "editions" / "house.toml")
    assert by_path.output == shown.output


def test_a_check_refuses_an_id_that_is_taken(tmp_path: Path) -> None:
    file = put(tmp_path, "mine.toml", own().replace("our-house", "mega"))
    checked = companion("edition", "check", file)
    assert checked.exit_code == 1
    assert checked.output == (
        "mine.toml: edition.id: expected an id of its own, got 'mega', "
        "which is taken; choose another id\n"
    )
    built_in = put(tmp_path, "mega.toml", builtin_text("mega") or "")
    assert companion("edition", "check", built_in).exit_code == 0
