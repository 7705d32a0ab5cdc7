"""What a server says that waits for its turn, over real sockets."""

from __future__ import annotations

import http.client
import os
import socket
import threading
from collections.abc import Iterator
from contextlib import closing

import pytest

from web.http.server import HEADER_BYTES_MAX, listen
from web.http.standing_in import AGAIN_S, standing_in

SOON_S = 20
PAGE = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
LEADS = "Another server leads this table now"


@pytest.fixture
def listening() -> Iterator[socket.socket]:
    with listen("127.0.0.1", 0) as listening:
        yield listening


def ask(
    listening: socket.socket, method: str = "GET", body: bytes = b"", **headers: str
) -> tuple[http.client.HTTPResponse, str]:
    place = listening.getsockname()
    connection = http.client.HTTPConnection(*place, timeout=SOON_S)
    with closing(connection):
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request(method, "/g/c5bcf289f96e/", body or None, named)
        answer = connection.getresponse()
        return answer, answer.read().decode()


def call(listening: socket.socket) -> socket.socket:
    return socket.create_connection(listening.getsockname(), SOON_S)


@pytest.mark.parametrize("method", ["GET", "POST", "PUT", "OPTIONS"])
@pytest.mark.parametrize("accept", [PAGE["Accept"], "*/*", "text/event-stream"])
def test_everybody_is_told_to_come_back(
    listening: socket.socket, method: str, accept: str
) -> None:
    with standing_in(listening):
        answer, text = ask(listening, method, b"amount=5", Accept=accept)
    assert answer.status == 503
    assert answer.headers["Retry-After"] == str(AGAIN_S)
    assert answer.headers["Cache-Control"] == "no-store"
    assert answer.headers["Connection"] == "close"
    assert LEADS in text
    is_page = accept == PAGE["Accept"]
    assert answer.headers.get_content_type() == (
        "text/html" if is_page else "text/plain"
    )
    assert (text.count("\n") == 1) is not is_page


def test_head_is_told_without_a_body(listening: socket.socket) -> None:
    with standing_in(listening):
        answer, text = ask(listening, "HEAD", **PAGE)
    assert (answer.status, text) == (503, "")


def test_a_page_tries_again_by_itself_but_not_in_the_place_of_a_form(
    listening: socket.socket,
) -> None:
    again = f'<meta http-equiv="refresh" content="{AGAIN_S}">'
    with standing_in(listening):
        page, form = (ask(listening, x, **PAGE)[1] for x in ("GET", "POST"))
    assert again in page
    assert again not in form
    assert "press again" in form


@pytest.mark.parametrize(
    "said", [{"Accept_Language": "de-AT,de;q=0.9,en;q=0.5"}, {"Cookie": "language=de"}]
)
def test_it_speaks_the_phones_language(
    listening: socket.socket, said: dict[str, str]
) -> None:
    with standing_in(listening):
        page, line = (ask(listening, **said, **kind)[1] for kind in (PAGE, {}))
    assert '<html lang="de">' in page
    for text in (page, line):
        assert "Server" in text
        assert LEADS not in text


def test_a_photo_is_not_waited_for_and_its_phone_hears_the_answer(
    listening: socket.socket,
) -> None:
    with standing_in(listening), call(listening) as phone:
        phone.sendall(
            b"POST /decoder/photo HTTP/1.1\r\nContent-Length: 9999999\r\n\r\n"
        )
        phone.sendall(bytes(100_000))
        heard = b""
        while more := phone.recv(65_536):
            heard += more
    assert heard.startswith(b"HTTP/1.1 503 ")
    assert LEADS.encode() in heard


@pytest.mark.parametrize(
    "sent", [b"x" * 2 * HEADER_BYTES_MAX, b"\r\n\r\n", b"\x16\x03\x01\x80\r\n\r\n"]
)
def test_what_makes_no_sense_is_told_so_too(
    listening: socket.socket, sent: bytes
) -> None:
    with standing_in(listening), call(listening) as phone:
        phone.sendall(sent)
        assert phone.recv(12) == b"HTTP/1.1 503"


def test_whoever_says_nothing_holds_up_neither_others_nor_the_end(
    listening: socket.socket,
) -> None:
    with standing_in(listening):
        silent = [call(listening) for _ in range(5)]
        silent[0].sendall(b"GET / HTTP/1.1\r\n")
        assert ask(listening)[0].status == 503
    for one in silent:
        assert one.recv(1) == b"", "nobody is left connected"
        one.close()


def test_afterwards_the_same_port_is_the_next_servers(
    listening: socket.socket,
) -> None:
    files = len(os.listdir("/proc/self/fd"))
    for _ in range(3):
        with standing_in(listening):
            assert ask(listening)[0].status == 503
        assert len(os.listdir("/proc/self/fd")) == files
    assert os.get_blocking(listening.fileno())
    heard: list[bytes] = []

    def answer() -> None:
        connection, _ = listening.accept()
        with connection:
            heard.append(connection.recv(3))

    thread = threading.Thread(target=answer)
    thread.start()  # It waits in accept(), as the flag says.
    with call(listening) as phone:
        phone.sendall(b"GET")
        thread.join()
    assert heard == [b"GET"]


def test_the_end_of_the_block_is_the_end_though_it_fails(
    listening: socket.socket,
) -> None:
    with pytest.raises(ZeroDivisionError), standing_in(listening):
        raise ZeroDivisionError
    with call(listening) as phone:
        listening.accept()[0].close()
        assert phone.recv(1) == b""
