"""What is no file is named, not opened; what is too long is not read to its end."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.files import check_file, content_of, opened, take, write_whole


def a_socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(str(path))


OTHERS: dict[str, Callable[[Path], object]] = {
    "a pipe": os.mkfifo,
    "a socket": a_socket,
    "a folder": Path.mkdir,
    "a device": lambda path: path.symlink_to("/dev/zero"),
}


@pytest.mark.parametrize("what", OTHERS)
@pytest.mark.parametrize("is_linked", [False, True])
def test_what_is_no_file_is_named_at_once(
    tmp_path: Path, what: str, is_linked: bool
) -> None:
    path = tmp_path / "x"
    OTHERS[what](path)
    if is_linked:
        path = tmp_path / "link"
        path.symlink_to("x")
    for act in (opened, check_file, lambda x: content_of(x, 10)):
        with pytest.raises(OSError, match=f"{what}, not a file: .*{path.name}"):
            act(path)


def test_a_file_and_a_link_to_one_are_read(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(b"12345")
    (tmp_path / "link").symlink_to("x")
    for name in ("x", "link"):
        assert content_of(tmp_path / name, 5) == b"12345"
        check_file(tmp_path / name)
    with pytest.raises(OSError, match="more than 4 bytes"):
        content_of(tmp_path / "x", 4)


def test_what_is_missing_is_missing(tmp_path: Path) -> None:
    check_file(tmp_path / "x")
    with pytest.raises(FileNotFoundError):
        opened(tmp_path / "x")
    with opened(tmp_path / "x", "ab") as made:
        made.write(b"1")
    assert content_of(tmp_path / "x", 1) == b"1"


def test_a_file_is_written_whole_and_synced_before_it_has_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, synced, fsync = tmp_path / "blue.deck", [], os.fsync

    def note(handle: int) -> None:
        there = path.read_bytes() if path.exists() else b""
        synced.append((Path(os.readlink(f"/proc/self/fd/{handle}")).name, there))
        fsync(handle)

    monkeypatch.setattr(os, "fsync", note)
    for name in ("blue.deck.new", ".blue.deck.new"):  # Somebody's own; one killed here.
        (tmp_path / name).write_bytes(b"left")
    for content in (b"one", b"two"):
        write_whole(path, content, 0o600)
        assert path.read_bytes() == content
        assert path.stat().st_mode & 0o777 == 0o600
    half, folder = ".blue.deck.new", tmp_path.name
    assert synced == [(half, b""), (folder, b"one"), (half, b"one"), (folder, b"two")]
    assert {x.name for x in tmp_path.iterdir()} == {"blue.deck", "blue.deck.new"}
    with pytest.raises(FileNotFoundError):
        write_whole(tmp_path / "missing" / "x", b"")


def test_what_root_is_asked_for_is_taken_once_and_not_read_to_its_end(
    tmp_path: Path,
) -> None:
    wish = tmp_path / "wish"
    wish.write_bytes(b"12\xff45")
    assert take(wish, 4) == "12\ufffd4"
    assert not wish.exists()
    with pytest.raises(FileNotFoundError):
        take(wish, 4)


@pytest.mark.parametrize("what", ["link", "folder link", "hanging link", "pipe"])
def test_what_else_lies_there_is_removed_and_refused(tmp_path: Path, what: str) -> None:
    wish, other = tmp_path / "wish", tmp_path / "other"
    other.write_text("secret")
    if what == "pipe":
        os.mkfifo(wish)
    else:
        there = {"link": other, "folder link": tmp_path}
        wish.symlink_to(there.get(what, tmp_path / "nowhere"))
    with pytest.raises(OSError, match=r"not a file|symbolic link"):
        take(wish, 100)
    assert not wish.is_symlink()
    assert not wish.exists()
    assert other.read_text() == "secret"


def test_nobody_else_asks_root_for_anything(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wish, real = tmp_path / "wish", os.fstat
    wish.write_text("1")

    def of_another(handle: int) -> os.stat_result:
        row = list(real(handle))
        row[4] += 1  # st_uid
        return os.stat_result(row)

    monkeypatch.setattr(os, "fstat", of_another)
    with pytest.raises(PermissionError, match="somebody else"):
        take(wish, 1)
    assert not wish.exists()
