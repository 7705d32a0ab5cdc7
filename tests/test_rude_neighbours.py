"""Somebody on the same Wi-Fi who opens connections and never lets go of them."""

from __future__ import annotations

import http.client
import logging
import os
import select
import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import pytest

from companion.table.buckets import Buckets
from tests.fakes import FakeClock
from tests.running import RunningTable
from web.http.server import (
    ANSWERS_SHARE_MAX,
    HEADER_BYTES_MAX,
    PHOTO_S,
    PHOTOS_MAX,
    REQUEST_S,
    REQUESTS_MAX,
    Connection,
    Server,
    Threads,
    quieten_waitress,
)
from web.http.settings import PanelSettings

SOON_S = 10
"""Before what the rude hold is closed for being late."""


PHOTO_BYTES = 100_000
CONTINUE = b"HTTP/1.1 100 Continue\r\n\r\n"
STRANGERS = [f"127.0.0.{number}" for number in range(2, 6)]
HOUSEHOLD = [f"127.0.0.{number}" for number in range(11, 19)]


@pytest.fixture
def table(tmp_path: Path) -> Iterator[RunningTable]:
    with RunningTable(tmp_path / "data") as running:
        yield running


@pytest.fixture(scope="module")
def shared_table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningTable]:
    with RunningTable(tmp_path_factory.mktemp("shared") / "data") as running:
        yield running


def rude(port: int, held: ExitStack, address: str = "127.0.0.1") -> socket.socket:
    """Open a connection on which a request begins and never ends."""
    connection = held.enter_context(
        socket.create_connection(("127.0.0.1", port), 20, (address, 0))
    )
    with suppress(ConnectionError):  # It may be closed already.
        connection.sendall(b"GET / HTTP/1.1\r\nX-Drip: ")
    return connection


def polite(port: int, address: str) -> http.client.HTTPConnection:
    """Open a connection that has asked for a page and may ask for another."""
    connection = http.client.HTTPConnection(
        "127.0.0.1", port, timeout=SOON_S, source_address=(address, 0)
    )
    connection.request("GET", "/start")
    answer = connection.getresponse()
    answer.read()
    assert answer.status == 200
    return connection


def closed(held: list[socket.socket], least: int) -> list[socket.socket]:
    """Those that the table has closed, once there are *least*: it says nothing else."""
    kept = list(held)
    while len(held) - len(kept) < least:
        ended, _, _ = select.select(kept, [], [], 20)
        assert ended, f"{len(held) - len(kept)} were closed, not {least}"
        kept = [connection for connection in kept if connection not in ended]
    return [connection for connection in held if connection not in kept]


@pytest.mark.slow
def test_one_address_cannot_hold_every_connection(table: RunningTable) -> None:
    with ExitStack() as stack:
        held = [
            rude(table.port, stack) for _ in range(PanelSettings().connections_max + 5)
        ]
        assert closed(held, 5) == held[PanelSettings().connections_max :]
        polite(table.port, "127.0.0.2").close()
        assert closed(held[: PanelSettings().connections_max], 1) == held[:1]


def listen(port: int, held: ExitStack, address: str) -> int:
    """Ask for a stream; return the table's status."""
    asking = http.client.HTTPConnection(
        "127.0.0.1", port, timeout=SOON_S, source_address=(address, 0)
    )
    held.callback(asking.close)
    asking.request("GET", "/stream")
    answer = asking.getresponse()
    held.callback(answer.close)
    return answer.status


def test_strangers_who_want_every_stream_leave_a_household_its_own(
    table: RunningTable,
) -> None:
    with ExitStack() as held:
        for stranger in STRANGERS:
            got = [listen(table.port, held, stranger) for _ in range(12)]
            assert got == [200] * 8 + [503] * 4
        got = [listen(table.port, held, address) for address in HOUSEHOLD * 2]
        assert got == [200] * 16


def test_a_phone_that_turns_pages_quickly_always_finds_a_stream(
    table: RunningTable,
) -> None:
    """Each page opens a stream and leaves that of the page before it."""
    for _ in range(60):
        with ExitStack() as held:
            assert listen(table.port, held, "127.0.0.2") == 200
    assert "waitress" not in table.log.read_text()  # Nobody reads who left.


@pytest.mark.slow
def test_a_household_gets_in_while_strangers_want_every_connection(
    table: RunningTable,
) -> None:
    with ExitStack() as stack:
        for number in range(PanelSettings().connections_max + 40):
            rude(table.port, stack, STRANGERS[number % len(STRANGERS)])
        tabs = []
        for address in HOUSEHOLD * 2:
            tabs.append(polite(table.port, address))
            for stranger in STRANGERS:  # They try to take back what they lost.
                rude(table.port, stack, stranger)
        for tab in tabs:
            tab.request("GET", "/start")
            assert tab.getresponse().status == 200
            tab.close()


def photo(port: int, held: ExitStack, address: str) -> socket.socket:
    """Open a connection on which a photo is arriving, as the table confirmed."""
    connection = held.enter_context(
        socket.create_connection(("127.0.0.1", port), SOON_S, (address, 0))
    )
    head = (
        f"POST /decoder/photo HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n"
        f"Origin: http://127.0.0.1:{port}\r\nContent-Type: image/jpeg\r\n"
        f"Content-Length: {PHOTO_BYTES}\r\nExpect: 100-continue\r\n\r\n"
    )
    connection.sendall(head.encode())
    assert connection.recv(len(CONTINUE), socket.MSG_WAITALL) == CONTINUE
    return connection


def arrived(connection: socket.socket) -> bytes:
    """Send the rest of a photo; return the status: 400, as it was no form."""
    with suppress(ConnectionError):  # It may be refused already.
        connection.sendall(bytes(PHOTO_BYTES))
    return refusal(connection)


def refusal(connection: socket.socket) -> bytes:
    """Return the status of an answer that the table gives by itself."""
    return connection.recv(12, socket.MSG_WAITALL)[9:]


def test_a_household_sends_photos_while_a_stranger_dribbles_all_that_may_arrive(
    shared_table: RunningTable,
) -> None:
    port = shared_table.port
    with ExitStack() as held:
        dribbled = [photo(port, held, STRANGERS[0]) for _ in range(PHOTOS_MAX)]
        first = photo(port, held, HOUSEHOLD[0])
        assert refusal(dribbled[0]) == b"503"
        again = photo(port, held, STRANGERS[0])
        assert refusal(again) == b"503"
        others = [photo(port, held, address) for address in HOUSEHOLD[1:3]]
        assert [refusal(x) for x in dribbled[1:3]] == [b"503"] * 2
        again = photo(port, held, STRANGERS[0])
        assert refusal(again) == b"503"
        assert [arrived(x) for x in (first, *others)] == [b"400"] * 3
        assert arrived(dribbled[3]) == b"400"


def test_a_household_sends_photos_while_strangers_dribble_one_each(
    shared_table: RunningTable,
) -> None:
    port = shared_table.port
    with ExitStack() as held:
        dribbled = [photo(port, held, address) for address in STRANGERS]
        assert len(dribbled) == PHOTOS_MAX
        ours = photo(port, held, HOUSEHOLD[0])
        assert refusal(dribbled[0]) == b"503"
        again = photo(port, held, STRANGERS[0])
        assert refusal(dribbled[1]) == b"503"
        assert [arrived(x) for x in (ours, again, *dribbled[2:])] == [b"400"] * 4


def test_nobody_leaves_photos_behind_a_stream(shared_table: RunningTable) -> None:
    """They would wait in memory or on disk until it ends, and be counted by nobody."""
    port = shared_table.port
    with ExitStack() as held:
        tab = held.enter_context(
            socket.create_connection(("127.0.0.1", port), SOON_S, (STRANGERS[0], 0))
        )
        tab.sendall(f"GET /stream HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
        assert refusal(tab) == b"200"
        head = "POST /decoder/photo HTTP/1.1\r\nContent-Length: 9000000\r\n\r\n"
        tab.sendall(head.encode())
        with suppress(ConnectionError):
            while tab.recv(4_096):
                pass  # What the stream told before it was closed.


def asked(port: int, sent: bytes) -> bytes:
    """Return all that the table answers to *sent* until it closes."""
    with socket.create_connection(("127.0.0.1", port), SOON_S) as asking:
        answer = b""
        with suppress(ConnectionError):  # It may be closed before all is read.
            asking.sendall(sent)
            while part := asking.recv(65_536):
                answer += part
        return answer


PAGE = b"GET /start HTTP/1.1\r\nHost: localhost\r\n\r\n"
LAST_PAGE = b"GET /start HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"


def test_nobody_sends_many_requests_at_once(shared_table: RunningTable) -> None:
    few = PAGE * (REQUESTS_MAX - 1) + LAST_PAGE
    assert asked(shared_table.port, few).count(b"HTTP/1.1 ") == REQUESTS_MAX
    many = PAGE * 100 + LAST_PAGE
    assert asked(shared_table.port, many).count(b"HTTP/1.1 ") <= REQUESTS_MAX


LONG = HEADER_BYTES_MAX - 200


@pytest.mark.parametrize(
    ("sent", "count"),
    [
        (b"GET x://" + b"1" * LONG + b" z z", 8),
        (b"GET / HTTP/1.1\r\na: " + b" " * LONG + b"\x01", 200),
        (b"GET / HTTP/1.1\r\na:" + b"\r\n " * (LONG // 3) + b"\x01", 400),
    ],
    ids=["request line", "header", "folded header"],
)
def test_no_header_keeps_the_interpreter_for_long(
    shared_table: RunningTable, sent: bytes, count: int
) -> None:
    """While waitress looks through it not even the vault's coil is switched off."""
    for _ in range(count):
        assert asked(shared_table.port, sent + b"\r\n\r\n").split()[1] == b"400"


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        (b"GET http://[ HTTP/1.1\r\n\r\n", b"400"),
        (b"GET / HTTP/1.1\r\nContent-Length: " + b"9" * 5_000 + b"\r\n\r\n", b"400"),
        (b"A\r\n\r\n" * 500, b"400"),
        (b"POST /start HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1;a", b"411"),
        (
            b"POST /decoder/photo HTTP/1.1\r\nTransfer-Encoding: chunked\r\n"
            b"Expect: 100-continue\r\n\r\n",
            b"411",
        ),
    ],
    ids=["address", "length", "much of nothing", "chunks", "chunks after asking"],
)
def test_what_no_browser_sends_is_refused_and_not_logged(
    shared_table: RunningTable, sent: bytes, status: bytes
) -> None:
    assert asked(shared_table.port, sent).split()[1] == status
    assert "waitress" not in shared_table.log.read_text()


def secret_hello() -> bytes:
    """Return the first bytes of a browser that asks for ``https://``."""
    sent = ssl.MemoryBIO()
    hello = ssl.create_default_context().wrap_bio(ssl.MemoryBIO(), sent)
    with suppress(ssl.SSLWantReadError):
        hello.do_handshake()
    return sent.read()


@pytest.mark.parametrize(
    "sent",
    [secret_hello(), b"\x16", b"\r\n\x16", b"\0", b"\x80", b"get / HTTP/1.1", b"{"],
    ids=["https", "its first byte", "blank line", "nul", "high", "small", "brace"],
)
def test_what_no_request_begins_with_is_closed_at_once(
    shared_table: RunningTable, sent: bytes
) -> None:
    """A browser that asks for ``https://`` waits for an answer, blank."""
    assert asked(shared_table.port, sent) == b""
    assert "waitress" not in shared_table.log.read_text()


@pytest.mark.parametrize("size", [1, 3, 1_000])
def test_blank_lines_before_a_request_are_passed_over(
    shared_table: RunningTable, size: int
) -> None:
    """HTTP wants that; and what follows a header may begin with anything."""
    page = b"\r\n\r\n\r\nGET /start HTTP/1.0\r\nHost: localhost\r\n\r\n"
    form = b"\r\nPOST /start HTTP/1.1\r\nHost: localhost\r\nContent-Length: 6\r\n\r\n"
    for sent, status in (page, b"200"), (form + b"\x16\x16\0\0{}", b"403"):
        with socket.create_connection(("127.0.0.1", shared_table.port), SOON_S) as one:
            one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            for start in range(0, len(sent), size):
                one.sendall(sent[start : start + size])
            assert refusal(one) == status


def test_noise_after_a_request_does_not_take_its_answer(
    shared_table: RunningTable,
) -> None:
    """A length that is too short must not leave a tap without its answer."""
    assert asked(shared_table.port, PAGE + b"\x16\r\n\r\n").split()[1] == b"200"


def test_an_urgent_byte_closes_the_connection(shared_table: RunningTable) -> None:
    """It would stay urgent, and the server look at it again and again."""
    with socket.create_connection(("127.0.0.1", shared_table.port), SOON_S) as asking:
        asking.send(b"!", socket.MSG_OOB)
        with suppress(ConnectionError):
            assert asking.recv(1) == b""
    assert "waitress" not in shared_table.log.read_text()


class Work:
    """A request, as the threads see it, whose answer *does* something."""

    connected = True

    def __init__(
        self, threads: Threads, address: str, does: Callable[[], object]
    ) -> None:
        self.addr = (address, 0)
        self._threads = threads
        self._does = does

    def service(self) -> None:
        self._does()
        self._threads.end_turn(self.addr[0])


@pytest.fixture
def threads() -> Iterator[Threads]:
    answering = Threads(ANSWERS_SHARE_MAX)
    answering.set_thread_count(ANSWERS_SHARE_MAX + 1)
    yield answering
    answering.shutdown()


def test_whoever_asks_for_much_waits_alone(threads: Threads) -> None:
    release, ours, all_theirs = threading.Event(), threading.Event(), threading.Event()
    done: list[int] = []

    def slow(number: int) -> None:
        assert release.wait(SOON_S)
        done.append(number)
        if len(done) == 19:
            all_theirs.set()

    works = [Work(threads, STRANGERS[0], partial(slow, number)) for number in range(20)]
    works[18].connected = False  # That one leaves before its turn.
    for work in works:
        threads.add_task(work)
    threads.add_task(Work(threads, HOUSEHOLD[0], ours.set))
    assert ours.wait(SOON_S)
    assert not done
    release.set()
    assert all_theirs.wait(SOON_S)
    assert sorted(done) == [*range(18), 19]


def test_waitress_names_its_errors_once_a_minute(
    caplog: pytest.LogCaptureFixture,
) -> None:
    clock, theirs = FakeClock(), logging.getLogger("waitress")
    quieten_waitress(Buckets(clock, burst_count=1, per_s=1 / 60))
    try:
        for _ in range(3):
            theirs.error("an error")
            theirs.warning("a warning")
            theirs.getChild("queue").warning("a warning")
        assert caplog.messages == ["an error"]
        clock.advance(60_000)
        theirs.error("another")
        assert caplog.messages == ["an error", "another"]
    finally:
        theirs.filters.clear()
        theirs.setLevel(logging.NOTSET)


def test_a_table_that_may_open_no_more_files_has_room_for_a_newcomer(
    table: RunningTable,
) -> None:
    resource = pytest.importorskip("resource")
    if not hasattr(resource, "prlimit"):
        pytest.skip("only Linux limits another process")
    polite(table.port, HOUSEHOLD[0]).close()
    files = len(os.listdir(f"/proc/{table.pid}/fd")) + 20
    _, most = resource.prlimit(table.pid, resource.RLIMIT_NOFILE)
    resource.prlimit(table.pid, resource.RLIMIT_NOFILE, (files, most))
    with ExitStack() as stack:
        held = [rude(table.port, stack) for _ in range(40)]
        assert closed(held, 15)
        tab = polite(table.port, HOUSEHOLD[1])
        tab.request("GET", "/start")
        assert tab.getresponse().status == 200
        tab.close()
    said = table.log.read_text()
    assert said.count("not_accepted") == 1
    assert "Traceback" not in said


@pytest.mark.parametrize(
    ("request_s", "is_late"), [(0.0, False), (REQUEST_S, False), (REQUEST_S + 1, True)]
)
def test_a_request_that_only_drips_is_late_however_lively_it_is(
    request_s: float, *, is_late: bool
) -> None:
    reading = Connection.__new__(Connection)
    reading.request, reading.began_s = SimpleNamespace(is_photo=False), 100.0
    assert reading.is_late(100.0 + request_s) is is_late
    reading.request = SimpleNamespace(is_photo=True)  # A photo may take longer.
    assert not reading.is_late(100.0 + PHOTO_S)
    assert reading.is_late(100.0 + PHOTO_S + 1)
    reading.request = None  # Between two requests nothing is late.
    assert not reading.is_late(100.0 + request_s)


def test_late_requests_are_closed_and_others_are_not() -> None:
    late = SimpleNamespace(
        requests=[], last_activity=50.0, will_close=False, is_late=lambda _: True
    )
    lively = SimpleNamespace(
        requests=[], last_activity=50.0, will_close=False, is_late=lambda _: False
    )
    server = Server.__new__(Server)
    server.adj = SimpleNamespace(channel_timeout=30)
    server.active_channels = {1: late, 2: lively}
    server.maintenance(60.0)
    assert (late.will_close, lively.will_close) == (True, False)


@pytest.mark.parametrize(
    ("host", "status"),
    [
        (b"127.0.0.1", b"303"),
        (b"[::1]:8000", b"303"),
        (b"table.local", b"303"),
        (b"", b"400"),
        (b"a..b", b"400"),
        (b"x" * 64 + b".local", b"400"),
        (b"l\xc3\xb6cal.local", b"400"),
        (b"\x00", b"400"),
        (b"127.0.0.1\r\nHost: evil.example", b"400"),
        (b"anna@localhost", b"400"),
        (b"localhost:99999", b"400"),
        (b"x" * 9_000, b"400"),
    ],
)
def test_a_host_that_is_none_of_ours_is_refused_without_a_traceback(
    shared_table: RunningTable, host: bytes, status: bytes
) -> None:
    port = shared_table.port
    with socket.create_connection(("127.0.0.1", port), 20) as asking:
        asking.sendall(b"GET / HTTP/1.0\r\nHost: " + host + b"\r\n\r\n")
        answer = asking.makefile("rb").read()
    assert answer.split()[1] == status
    assert b"evil" not in answer
    said = shared_table.log.read_text()
    assert "Traceback" not in said
    assert said.count("host_refused") <= 1


def test_a_connection_that_another_thread_closed_sends_nothing() -> None:
    closed = Connection.__new__(Connection)
    closed.socket = None
    assert closed.send(b"too late") == 0


def test_the_servers_thread_sleeps_while_another_one_sends() -> None:
    """Asked all the same, it would look for the socket again and again until then."""
    sending = Connection.__new__(Connection)
    sending.outbuf_lock = threading.Condition()
    sending.will_close = sending.close_when_flushed = False
    sending.adj = SimpleNamespace(outbuf_high_watermark=99)
    sending.total_outbufs_len = 0
    assert not sending.writable()
    sending.total_outbufs_len = 9
    with ThreadPoolExecutor(1) as servers, sending.outbuf_lock:
        assert not servers.submit(sending.writable).result()
        sending.total_outbufs_len = 100  # The other waits for it to send.
        assert servers.submit(sending.writable).result()
        sending.total_outbufs_len = 9
        sending.will_close = True  # It may always close.
        assert servers.submit(sending.writable).result()
    sending.will_close = False
    assert sending.writable()


def test_the_head_of_an_answer_comes_with_its_body(shared_table: RunningTable) -> None:
    with socket.create_connection(("127.0.0.1", shared_table.port), SOON_S) as asking:
        for _ in range(9):
            asking.sendall(PAGE)
            head, _, body = asking.recv(65_536).partition(b"\r\n\r\n")
            assert head.startswith(b"HTTP/1.1 ")
            length = int(head.lower().partition(b"content-length: ")[2].split()[0])
            assert body or not length
            while len(body) < length:
                body += asking.recv(65_536)


def test_an_answer_without_a_body_comes_as_well(shared_table: RunningTable) -> None:
    sent = LAST_PAGE.replace(b"GET /start", b"HEAD /start")
    head, _, body = asked(shared_table.port, sent).partition(b"\r\n\r\n")
    assert (head[:15], body) == (b"HTTP/1.1 200 OK", b"")
