"""Two pairs of servers behind a real Caddy, set up by the example for a club."""

from __future__ import annotations

import http.client
import resource
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlencode

import pytest

from tests.caddy import HERE, NO_CADDY, PROGRAM, Caddy, until
from tests.phone_http import HttpPhone
from tests.running import PATIENCE_S, RunningTable, free_port
from web.http.server import listen
from web.http.standing_in import standing_in

pytestmark = pytest.mark.skipif(PROGRAM is None, reason=NO_CADDY)


def server(folder: Path, base: str, port: int | None = None) -> RunningTable:
    """Start a server as ``companion@.service`` does, but with games of its own."""
    options = "--base", base, "--proxy", HERE, "--name", "club.example.org"
    return RunningTable(folder / f"data{base[1:]}", port, "--no-vault", options)


@contextmanager
def asked(
    caddy: Caddy, method: str, path: str, body: str = "", here: str = HERE, **sent: str
) -> Iterator[http.client.HTTPResponse]:
    """Ask Caddy as a phone with the address *here* does; gives the answer, unread."""
    headers = {name.replace("_", "-"): value for name, value in sent.items()}
    if body:
        headers["Content-Type"] = "application/x-www-form-urlencoded"
    connection = http.client.HTTPConnection(
        HERE, caddy.port, PATIENCE_S, source_address=(here, 0)
    )
    with closing(connection):
        connection.request(method, path, body or None, headers)
        with connection.getresponse() as answer:
            yield answer


def status(caddy: Caddy, path: str) -> int:
    with asked(caddy, "GET", path) as answer:
        return answer.status


@pytest.fixture(scope="module")
def club(
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[tuple[Caddy, RunningTable, RunningTable]]:
    """Start a table in each pair: in one on its first server, in one on its second."""
    folder = tmp_path_factory.mktemp("club")
    with (
        server(folder, "/1") as one,
        server(folder, "/2") as two,
        Caddy(folder, one.port, free_port(), free_port(), two.port) as caddy,
    ):
        yield caddy, one, two


Club = tuple[Caddy, RunningTable, RunningTable]


def test_pages_and_forms_go_to_the_pair_that_their_address_names(club: Club) -> None:
    caddy, *tables = club
    for base, own, other in (("/1", *tables), ("/2", *reversed(tables))):
        phone = HttpPhone(caddy.address)
        assert phone.get(f"{base}/start")[0] == 200
        assert phone.post(f"{base}/start", code=other.code)[0] != 303
        moved, where = phone.post(f"{base}/start", code=own.code)
        assert (moved, where.startswith(f"{base}/")) == (303, True)
        assert phone.get(where)[0] == 200
        assert f'href="{base}/' in phone.get(where)[1]
        phone.close()


def test_who_types_no_whole_address_is_led_on(club: Club) -> None:
    caddy, *_ = club
    phone = HttpPhone(caddy.address)
    for base in ("/1", "/2"):
        assert phone.get(base) == (302, f"{base}/")
        assert f'href="{base}/"' in phone.get("/")[1]
    phone.close()


def test_a_stream_is_heard_while_it_lasts(club: Club) -> None:
    caddy, *_ = club
    with asked(caddy, "GET", "/1/stream", Accept="text/event-stream") as answer:
        assert answer.status == 200
        assert answer.readline() == b"event: game\n"


def test_each_phone_behind_it_is_itself_and_cannot_be_another(club: Club) -> None:
    caddy, *_ = club
    host = f"{HERE}:{caddy.port}"
    code = urlencode({"code": "not six digits"})

    def guess(here: str, **claimed: str) -> int:
        said = {"Origin": f"http://{host}", **claimed}
        with asked(caddy, "POST", "/2/start", code, here, **said) as answer:
            return answer.status

    guesses = (guess("127.0.0.5", X_Forwarded_For=f"10.9.9.{n}") for n in range(200))
    assert 429 in guesses
    assert guess("127.0.0.6", X_Forwarded_For="127.0.0.5") != 429


WRITTEN = (200, 303)
"""What a new phone is answered at the start, before the table has a host and after."""


@pytest.mark.slow
def test_a_table_that_cannot_write_shows_pages_and_the_other_notices_nothing(
    club: Club,
) -> None:
    caddy, one, _ = club
    folder, limit = one.log.with_suffix(""), resource.RLIMIT_FSIZE
    largest = max(x.stat().st_size for x in folder.iterdir() if x.is_file())
    phone, other = HttpPhone(caddy.address), HttpPhone(caddy.address)
    resource.prlimit(one.pid, limit, (largest, resource.RLIM_INFINITY))
    try:
        until(lambda: phone.get("/1/start")[0] == 503)  # A new phone is written down.
        assert "as large as it may" in phone.get("/1/start")[1]
        for _ in range(40):
            assert phone.get("/1/editions")[0] == 200
            assert phone.get("/1/alive")[0] == 503
            assert phone.get("/1/alive?pages")[0] == 200
            assert other.get("/2/start")[0] in WRITTEN
            assert other.get("/2/alive")[0] == 200
    finally:
        resource.prlimit(one.pid, limit, (resource.RLIM_INFINITY,) * 2)
    until(lambda: phone.get("/1/alive")[0] == 200)
    assert phone.get("/1/start")[0] in WRITTEN
    phone.close()
    other.close()


# Which of the two leads.


def test_who_only_stands_in_is_passed_over(tmp_path: Path) -> None:
    with listen(HERE, 0) as waiting, server(tmp_path, "/1") as table:
        ports = waiting.getsockname()[1], table.port, free_port(), free_port()
        with standing_in(waiting), Caddy(tmp_path, *ports) as caddy:
            mark = "/1/static/mark.svg"
            until(lambda: status(caddy, mark) == 200, caddy.log)
            assert {status(caddy, mark) for _ in range(50)} == {200}


class Actor(BaseHTTPRequestHandler):
    """A server that is well, sends no end of a stream, and answers no form."""

    posts = 0
    looks = 0
    has_left = threading.Event()
    status = 200

    def do_GET(self) -> None:
        Actor.looks += self.path == "/alive?pages"
        self.send_response(self.status)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        if self.path.endswith("/stream"):
            self.wfile.write(b"event: here\ndata:\n\n")
            if self.connection.recv(1) == b"":
                self.has_left.set()

    def do_POST(self) -> None:
        Actor.posts += 1
        self.close_connection = True

    def log_message(self, *_: object) -> None: ...


@contextmanager
def acting(port: int, part: type[Actor] = Actor) -> Iterator[None]:
    with ThreadingHTTPServer((HERE, port), part) as acted:
        thread = threading.Thread(target=acted.serve_forever, args=(0.02,))
        thread.start()
        try:
            yield
        finally:
            acted.shutdown()
            thread.join()


def test_a_takeover_is_waited_out(tmp_path: Path) -> None:
    dead, *others = (free_port() for _ in range(3))
    with listen(HERE, 0) as waiting:
        port = waiting.getsockname()[1]
        with Caddy(tmp_path, dead, port, *others) as caddy:
            told: list[int] = []
            asking = threading.Thread(
                target=lambda: told.append(status(caddy, "/1/start"))
            )
            with standing_in(waiting):
                until(lambda: f'"host":"{HERE}:{port}"' in caddy.log(), caddy.log)
                asking.start()
            waiting.close()
            with acting(port):
                asking.join()
    assert told == [200]


class CannotWrite(Actor):
    """A server that shows its pages, but can write nothing."""

    def do_GET(self) -> None:
        self.status = 503 if self.path in ("/alive", "/1/alive") else 200
        super().do_GET()


class Mute(Actor):
    """A server whose database does not answer."""

    def do_GET(self) -> None:
        if self.path == "/alive?pages":
            self.status = 503
        super().do_GET()


def test_a_table_that_can_write_nothing_still_shows_its_pages(tmp_path: Path) -> None:
    ports = [free_port() for _ in range(4)]
    with acting(ports[0], CannotWrite), Caddy(tmp_path, *ports) as caddy:
        Actor.looks = 0
        until(lambda: Actor.looks > 1, caddy.log)
        assert status(caddy, "/1/table") == 200
        assert status(caddy, "/1/alive") == 503


def test_a_server_whose_database_is_mute_is_passed_over(tmp_path: Path) -> None:
    ports = [free_port() for _ in range(4)]
    with (
        acting(ports[0], Mute),
        acting(ports[1]),
        Caddy(tmp_path, *ports) as caddy,
    ):
        unwell = f'"host":"{HERE}:{ports[0]}"'
        until(lambda: unwell in caddy.log(), caddy.log)
        assert status(caddy, "/1/table") == 200


@pytest.fixture
def actor(tmp_path: Path) -> Iterator[Caddy]:
    Actor.posts, Actor.has_left = 0, threading.Event()
    ports = [free_port() for _ in range(4)]
    with acting(ports[0]), Caddy(tmp_path, *ports) as caddy:
        yield caddy


def test_a_server_hears_at_once_that_a_phone_has_left(actor: Caddy) -> None:
    with asked(actor, "GET", "/1/stream") as answer:
        assert answer.readline() == b"event: here\n"
        assert not Actor.has_left.is_set()
    assert Actor.has_left.wait(PATIENCE_S)


def test_a_form_that_was_not_answered_is_for_the_phone_to_repeat(actor: Caddy) -> None:
    with asked(actor, "POST", "/1/start", "code=1") as answer:
        assert answer.status == 502
        assert answer.headers["Retry-After"] == "2"
        assert "Refresh" not in answer.headers
        assert "Der Begleiter" in answer.read().decode()
    assert Actor.posts == 1
