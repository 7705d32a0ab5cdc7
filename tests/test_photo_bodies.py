"""Long bodies go in where photos do, a few at a time, and nowhere else."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.running import RunningTable
from tests.web.decoder.decoder_lab import golden
from web.http.server import PHOTO_ROOM, PHOTOS_MAX
from web.http.settings import PanelSettings

MOST = PanelSettings().photo_bytes_max
KIND = "multipart/form-data; boundary=edge"


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningTable]:
    folder: Path = tmp_path_factory.mktemp("table")
    with RunningTable(folder / "data") as running:
        yield running


def begun(table: RunningTable, path: str, length: int, body: bytes) -> socket.socket:
    """Begin a request whose header promises *length* bytes, and send *body*."""
    place = urlsplit(table.address)
    connection = socket.create_connection((place.hostname, place.port), 20)
    head = (
        f"POST {path} HTTP/1.1\r\nHost: {place.netloc}\r\nOrigin: {table.address}\r\n"
        f"Content-Type: {KIND}\r\nContent-Length: {length}\r\n\r\n"
    )
    connection.sendall(head.encode() + body)
    return connection


def form(photo: bytes) -> bytes:
    head = (
        b'--edge\r\nContent-Disposition: form-data; name="photo"; filename="a.jpg"'
        b"\r\nContent-Type: image/jpeg\r\n\r\n"
    )
    return head + photo + b"\r\n--edge--\r\n"


def status(connection: socket.socket) -> str:
    return connection.recv(12).decode()


@pytest.mark.slow
def test_a_photo_of_megabytes_is_looked_at(table: RunningTable) -> None:
    body = form(golden("fake") + bytes(3_000_000))
    with begun(table, "/decoder/photo", len(body), body) as connection:
        assert status(connection) == "HTTP/1.1 303"


def test_a_photo_that_is_too_large_is_refused_in_words(table: RunningTable) -> None:
    body = form(bytes(MOST))
    with begun(table, "/decoder/photo", len(body), body) as connection:
        answer = connection.recv(65_536).decode()
        while "</html>" not in answer and (more := connection.recv(65_536)):
            answer += more.decode()
    assert answer.startswith("HTTP/1.1 413")
    assert "That is too large: 20 MB at most." in answer


@pytest.mark.parametrize(
    ("path", "length"),
    [
        ("/decoder/photo", MOST * PHOTO_ROOM + 1),
        ("/decoder/show", 100_000),
        ("/theme", 100_000),
        ("/decoder/photo/../../theme", 100_000),
    ],
)
def test_no_other_body_is_even_taken_in(
    table: RunningTable, path: str, length: int
) -> None:
    with begun(table, path, length, b"") as connection:
        assert status(connection) == "HTTP/1.1 413"


def test_only_a_few_photos_arrive_at_a_time(table: RunningTable) -> None:
    with ExitStack() as stack:
        for _ in range(PHOTOS_MAX):
            stack.enter_context(begun(table, "/decoder/photo", 1_000_000, b"--edge"))
        # They are taken in by turns: one more asks until all of them are.
        for _ in range(100):
            connection = begun(table, "/decoder/photo", 1_000_000, b"--edge")
            stack.enter_context(connection)
            connection.settimeout(0.2)
            try:
                if status(connection) == "HTTP/1.1 503":
                    answer = connection.makefile("rb").read()
                    assert answer.endswith(
                        b"Go back and send yours again in a moment.\n"
                    )
                    break
            except TimeoutError:
                continue
        else:
            raise AssertionError("every photo was let in")
    body = form(golden("real"))
    for _ in range(100):  # Those that left are noticed by turns, too.
        with begun(table, "/decoder/photo", len(body), body) as connection:
            if status(connection) == "HTTP/1.1 303":
                return
    raise AssertionError("no photo is let in any more")
