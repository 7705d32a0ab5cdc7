"""A pipe, device or folder in the place of a file: named at once, not waited for."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner

from cli import main
from companion.edition.catalogue import catalogue_of
from companion.errors import DeviceFault, JournalFault
from companion.health import Condition
from companion.store import Database, back_up
from companion.store.books import look_at_books
from companion.store.database import FILE_NAME, LOCK_NAME
from companion.store.reader import is_served


def no_end(path: Path) -> None:
    path.symlink_to("/dev/zero")


OTHERS: dict[str, Callable[[Path], object]] = {
    "a pipe": os.mkfifo,
    "a device": no_end,
    "a folder": Path.mkdir,
}

COMMANDS = {
    "import": "games import {x}.json --data {data}",
    "restore": "restore {x}.zip --data {data}",
    "edition show": "edition show {x}.toml --data {data}",
    "edition check": "edition check {x}.toml",
    "script": "play {x}.game",
    "edition of a script": "play --edition {x}.toml {here}/whole.game",
    "edition in a script": "play {here}/naming.game",
    "photo": "decode {x}.jpg",
    "deck": "decode --deck {x}.deck {here}/whole.game",
    "photos": "learn --real {x}.jpg {x}.jpg --fake {x}.jpg {x}.jpg --out out",
}


@pytest.mark.parametrize("what", OTHERS)
@pytest.mark.parametrize("command", COMMANDS)
def test_what_a_command_is_given_is_named_if_it_is_no_file(
    tmp_path: Path, command: str, what: str
) -> None:
    for end in ("json", "zip", "toml", "game", "jpg", "deck"):
        OTHERS[what](tmp_path / f"x.{end}")
    (tmp_path / "whole.game").write_text("edition classic\n")
    (tmp_path / "naming.game").write_text("edition x.toml\nseats red blue\n")
    words = COMMANDS[command].format(
        x=tmp_path / "x", here=tmp_path, data=tmp_path / "data"
    )
    done = CliRunner().invoke(main, words.split())
    assert done.exit_code in (1, 2), done.output
    assert done.exception is None or isinstance(done.exception, SystemExit)
    is_clicks_own = "is a directory" in done.output
    is_empty = "with copies of games, got none in" in done.output
    assert is_clicks_own or is_empty or f"{what}, not a file" in done.output


@pytest.mark.parametrize("what", OTHERS)
def test_an_edition_that_is_no_file_is_left_out_and_said(
    tmp_path: Path, what: str
) -> None:
    (tmp_path / "editions").mkdir()
    OTHERS[what](tmp_path / "editions" / "ours.toml")
    (fault,) = catalogue_of(tmp_path).faults
    assert f"ours.toml: {what}, not a file; " in fault


@pytest.mark.parametrize("what", OTHERS)
def test_games_are_not_opened_where_something_else_lies(
    tmp_path: Path, what: str
) -> None:
    OTHERS[what](tmp_path / FILE_NAME)
    with pytest.raises(JournalFault, match=f"{what}, not a file; move it aside"):
        Database(tmp_path)
    found = look_at_books(tmp_path)
    assert found.condition is Condition.FAIL
    assert f"{what}, not a file" in found.words


@pytest.mark.parametrize("what", OTHERS)
def test_games_are_not_opened_where_their_lock_is_something_else(
    tmp_path: Path, what: str
) -> None:
    OTHERS[what](tmp_path / LOCK_NAME)
    with pytest.raises(DeviceFault, match=f"got {what}, not a file"):
        Database(tmp_path)
    assert is_served(tmp_path) is None


def test_a_link_to_a_file_is_a_file(tmp_path: Path) -> None:
    with closing(Database(tmp_path / "far")):
        pass
    (tmp_path / "near").mkdir()
    (tmp_path / "near" / FILE_NAME).symlink_to(tmp_path / "far" / FILE_NAME)
    with closing(Database(tmp_path / "near")) as database:
        assert database.answers()


@pytest.mark.parametrize("what", OTHERS)
def test_no_backup_takes_the_place_of_what_is_no_file(
    tmp_path: Path, what: str
) -> None:
    file = tmp_path / "x.zip"
    OTHERS[what](file)
    was = file.stat()
    with (
        closing(Database(tmp_path / "data")) as database,
        pytest.raises(DeviceFault, match=f"cannot write .*: {what}, not a file"),
    ):
        back_up(database, file, "1.2.3", may_replace=True)
    assert file.stat() == was
