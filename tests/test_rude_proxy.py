"""The bad Wi-Fi does what it says, between a socket and a server that says it all."""

from __future__ import annotations

import socket
import struct
from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from tests.rude_proxy import RudeProxy
from tests.running import free_port

SOON_S = 10
SILENT_S = 0.05
"""How long nothing may come where nothing will; on loopback, bytes take no time."""

HELD_MS = 100
ASKED = b"GET /page HTTP/1.1\r\n\r\n"
LISTENED = b"GET /stream HTTP/1.1\r\n\r\n"
ANSWER = b"all is well" * 2_000
MOST = 20_000  # More than any answer that is cut.


class Between:
    """A phone's sockets, the table's, and the Wi-Fi between them."""

    def __init__(self, held: ExitStack) -> None:
        self.held = held
        self._listening = held.enter_context(socket.create_server(("127.0.0.1", 0)))
        self._listening.settimeout(SOON_S)
        self.wifi = held.enter_context(
            RudeProxy(self._listening.getsockname()[1], phones=2)
        )

    def connect(self, phone: int = 0) -> tuple[socket.socket, socket.socket]:
        """Open a connection of that phone; return its end, and the table's."""
        its = socket.create_connection(("127.0.0.1", self.wifi.ports[phone]), SOON_S)
        self.held.enter_context(its)
        tables, _ = self._listening.accept()
        self.held.enter_context(tables).settimeout(SOON_S)
        return its, tables


@pytest.fixture
def between() -> Iterator[Between]:
    with ExitStack() as held:
        yield Between(held)


def told(to: socket.socket, words: bytes) -> bool:
    """Whether exactly *words* arrive there."""
    came = b""
    while len(came) < len(words) and (part := to.recv(len(words) - len(came))):
        came += part
    return came == words


def is_open_and_silent(one: socket.socket) -> bool:
    one.settimeout(SILENT_S)
    try:
        return one.recv(1) is None
    except TimeoutError:
        return True
    finally:
        one.settimeout(SOON_S)


def exchange(its: socket.socket, tables: socket.socket) -> None:
    """Have the phone ask and the table answer."""
    its.sendall(ASKED)
    assert told(tables, ASKED)
    tables.sendall(ANSWER)
    assert told(its, ANSWER)


def read_all(its: socket.socket) -> tuple[int, bool]:
    """Return how many bytes come, and whether they end without a reset."""
    count = 0
    try:
        while part := its.recv(65_536):
            count += len(part)
    except ConnectionResetError:
        return count, False
    return count, True


def test_everything_passes_both_ways_until_both_have_ended(between: Between) -> None:
    its, tables = between.connect()
    for _ in range(3):
        exchange(its, tables)
    its.shutdown(socket.SHUT_WR)
    assert tables.recv(1) == b""
    tables.sendall(ANSWER)
    tables.close()
    assert read_all(its) == (len(ANSWER), True)


def test_each_phone_has_an_address(between: Between) -> None:
    names = [between.connect(phone)[1].getpeername()[0] for phone in (0, 1)]
    assert names == ["127.0.0.11", "127.0.0.12"]


def test_a_reset_passes_too(between: Between) -> None:
    its, tables = between.connect()
    exchange(its, tables)
    tables.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    tables.close()
    assert read_all(its) == (0, False)


def test_where_no_table_is_a_phone_is_reset() -> None:
    """At once, or as soon as it asks: the reset may come with the connection."""
    with (
        RudeProxy(free_port()) as wifi,
        pytest.raises(ConnectionResetError),
        socket.create_connection(("127.0.0.1", wifi.ports[0]), SOON_S) as its,
    ):
        its.recv(1)


def test_what_is_swallowed_stays_dead_and_open(between: Between) -> None:
    old = between.connect()
    exchange(*old)
    between.wifi.swallow()
    new = between.connect()
    for its, tables in (old, new):
        its.sendall(ASKED)
        tables.sendall(ANSWER)
        assert is_open_and_silent(its)
        assert is_open_and_silent(tables)
    between.wifi.pass_on()
    exchange(*between.connect())
    for its, tables in (old, new):
        tables.sendall(ANSWER)
        its.shutdown(socket.SHUT_WR)
        assert is_open_and_silent(its)
        assert is_open_and_silent(tables)
    between.wifi.cut()
    assert read_all(old[0]) == read_all(new[0]) == (0, False)


def test_old_or_new_ones_alone_are_swallowed(between: Between) -> None:
    old = between.connect()
    between.wifi.swallow(old=False)
    exchange(*old)
    its, _ = new = between.connect()
    its.sendall(ASKED)
    assert is_open_and_silent(new[1])
    between.wifi.swallow(new=False)
    exchange(*between.connect())
    its, tables = old
    its.sendall(ASKED)
    assert is_open_and_silent(tables)


def test_old_connections_are_reset_and_new_answers_cut(between: Between) -> None:
    old = between.connect()
    exchange(*old)
    between.wifi.cut()
    assert read_all(old[0]) == (0, False)
    with pytest.raises(ConnectionResetError):
        old[1].recv(1)
    counts = []
    for _ in range(4):
        its, tables = between.connect()
        its.sendall(ASKED)
        assert told(tables, ASKED)
        tables.sendall(ANSWER)
        count, is_whole = read_all(its)
        assert not is_whole
        counts.append(count)
    assert 0 < min(counts) < max(counts) < MOST
    between.wifi.pass_on()
    exchange(*between.connect())


def test_one_half_is_closed_and_the_other_stays(between: Between) -> None:
    old = between.connect()
    exchange(*old)
    between.wifi.half_close()
    new = between.connect()
    for its, tables in (old, new):
        its.sendall(ASKED)
        assert told(tables, ASKED)
        tables.sendall(ANSWER)
        count, is_whole = read_all(its)
        assert is_whole
        assert count < MOST
        its.sendall(ASKED)
        assert told(tables, ASKED)
        assert is_open_and_silent(tables)


def test_chunks_are_held_back_and_keep_their_order(between: Between) -> None:
    its, tables = between.connect()
    between.wifi.delay(HELD_MS)
    its.sendall(ASKED)
    assert is_open_and_silent(tables)
    between.wifi.pass_on()
    its.sendall(LISTENED)  # What is held back is not overtaken.
    assert told(tables, ASKED + LISTENED)
    tables.sendall(ANSWER)
    assert told(its, ANSWER)


def test_what_is_held_back_dies_with_its_connection(between: Between) -> None:
    its, tables = between.connect()
    between.wifi.delay(HELD_MS)
    its.sendall(ASKED)
    between.wifi.swallow()
    between.wifi.pass_on()
    tables.settimeout(2 * HELD_MS / 1000)
    with pytest.raises(TimeoutError):
        tables.recv(1)


def test_only_the_stream_is_swallowed(between: Between) -> None:
    stream, page = between.connect(), between.connect()
    stream[0].sendall(LISTENED)
    assert told(stream[1], LISTENED)
    between.wifi.only("GET /stream", "GET /vault")
    between.wifi.swallow()
    exchange(*page)
    stream[1].sendall(ANSWER)
    assert is_open_and_silent(stream[0])
    page[0].sendall(LISTENED)  # The kept connection asks for the stream now.
    assert is_open_and_silent(page[1])
    between.wifi.only()
    between.wifi.cut()
    its, tables = between.connect()
    its.sendall(ASKED)
    assert told(tables, ASKED)
    tables.sendall(ANSWER)
    assert not read_all(its)[1]
