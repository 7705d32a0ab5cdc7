"""Serving the panel: one process, because it owns the pins, and many threads.

Anybody on the same Wi-Fi could open connections and never finish a request. So a
whole request must arrive within a time limit, and once all connections are taken, a
newcomer gets one of the address that has most; a phone needs six. Photos, of which
only a few may arrive at a time, take their places from each other likewise, and of
the threads that answer each address has a share.

What no browser sends is refused before it costs anything: the vault's coil must be
switched off in time, so no request may keep the interpreter busy for long.
"""

from __future__ import annotations

import errno
import logging
import re
import resource
import socket
import threading
import time
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack
from copy import copy
from typing import cast

from flask import Flask
from waitress.adjustments import Adjustments
from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser, ParsingError
from waitress.server import TcpWSGIServer
from waitress.task import ThreadedTaskDispatcher, WSGITask
from waitress.utilities import Error
from werkzeug.wrappers import Request as Asking

from companion.errors import DeviceFault
from companion.table.buckets import Buckets
from companion.views.refusals import sentence
from companion.words import say, translated
from web.http.auth import LOGGED
from web.http.base import at_home
from web.http.language import language_asked, language_of
from web.http.limits import STREAM_PATH, takes_photo
from web.http.settings import PanelSettings

log = logging.getLogger(__name__)

SPARE_THREADS = 8
"""Threads for all other requests, beside those that live streams hold."""

SILENCE_S = 30
"""How long a connection may be silent, between requests or within one."""

REQUEST_S = 15
"""Time limit from a request's first byte to its last: ample for 64 KiB, bad Wi-Fi."""

PHOTO_S = 90
"""The same for a photo: 20 MB on bad Wi-Fi."""

PHOTOS_MAX = 4
"""Photos that may arrive at a time; each is a file in memory or on disk meanwhile."""

PHOTO_ROOM = 2
"""A photo up to this many times too large is received, to be refused in words."""

CLEANUP_S = 5
"""How often silent connections and late requests are looked for."""

GONE_MS = 30_000
"""How long sent data may stay unconfirmed before the phone counts as gone."""

FILES_SPARE = 256
"""Files for all else: journals, photos, the vault's pins, what Python itself opens."""

BACKLOG = 200
"""Connections that may wait to be accepted."""

HEADER_BYTES_MAX = 16 * 1024

REQUEST_LINE = re.compile(rb"[^ ]+ [^ ]+(?: HTTP/[0-9]\.[0-9])?")
"""What waitress may read as a first line: on another one of 16 KB, such as ``x://``
and digits before too many words, its own expression spends half a minute."""

INDENTED = re.compile(rb":[ \t\r\n]{32}")
"""A header whose value no browser would move so far to the right, folded lines
included: on 16 KB of blanks waitress's expression spends more than a second."""

REQUESTS_MAX = 2
"""Requests of one connection at a time: the next may come while the last byte of an
answer is on its way. Browsers wait for the answer; 8 KB hold more than a hundred."""

ANSWERS_SHARE_MAX = 6
"""Requests of one address that are answered at a time: four photos that are looked at
or wait for it, and two others. Each more would slow down everybody's."""

ENDING_S = 2.0
"""How long requests that are being answered may take once the table is ending."""

MAPPED = "::ffff:"
"""Before an IPv4 address, as a socket for both kinds tells it."""

OUT_OF_FILES = (errno.EMFILE, errno.ENFILE)


def listen(host: str, port: int) -> socket.socket:
    """Open the port, before anything else is built.

    Args:
        host: The address to listen on; ``::`` for all, by IPv4 as well.
        port: The port; 0 for any free one.

    Raises:
        DeviceFault: If the port is taken or not allowed.
    """
    try:
        return socket.create_server(
            (host, port),
            family=socket.AF_INET6 if ":" in host else socket.AF_INET,
            backlog=BACKLOG,
            dualstack_ipv6=host == "::",
        )
    except (OSError, OverflowError, ValueError) as error:  # The last: has no IPv6.
        raise DeviceFault(
            f"expected to listen on {host} port {port}, got: {error}",
            "choose another with --host or --port",
        ) from error


def serve(
    app: Flask,
    listening: socket.socket,
    panel: PanelSettings,
    say_ready: Callable[[], None],
) -> None:
    """Answer requests until the process is told to end.

    Args:
        app: The panel.
        listening: From ``listen``; closed at the end.
        panel: How many threads the live streams may hold, and whose word counts for
            where a request comes from.
        say_ready: Called once all is built, and nothing is left to fail: an update
            keeps a version that was ready.
    """
    allow_files(files_for(panel.connections_max))
    logged = cast("Buckets", app.extensions[LOGGED])
    quieten_waitress(logged)
    settings = Adjustments(
        sockets=[listening],
        asyncore_use_poll=True,  # Otherwise file number 1024 would end the program.
        threads=panel.streams_max + SPARE_THREADS,
        channel_timeout=SILENCE_S,
        cleanup_interval=CLEANUP_S,
        connection_limit=2 * panel.connections_max,  # Where waitress stops listening.
        channel_request_lookahead=1,  # So that a phone that leaves is noticed at once.
        max_request_header_size=HEADER_BYTES_MAX,
        max_request_body_size=app.config["MAX_CONTENT_LENGTH"] + 1,
        clear_untrusted_proxy_headers=False,  # ``is_local`` looks for them.
        ident="",
        **_proxy_options(panel),
    )
    settings.socket_options = _socket_options()
    settings.photo_bytes_max = app.config["PHOTO_BYTES_MAX"] * PHOTO_ROOM
    settings.base = panel.base
    settings.connections_max = panel.connections_max
    settings.logged = logged
    # All phones behind a proxy have its address.
    threads = Threads(settings.threads if panel.proxy else ANSWERS_SHARE_MAX)
    threads.set_thread_count(settings.threads)
    server = Server(
        app,
        map={},
        _sock=listening,
        dispatcher=threads,
        adj=settings,
        sockinfo=(
            listening.family,
            listening.type,
            listening.proto,
            listening.getsockname(),
        ),
        bind_socket=False,
    )
    say_ready()
    server.run()


def files_for(connections_max: int) -> int:
    """Return how many files may have to be open: two for a connection with a photo."""
    return 2 * connections_max + FILES_SPARE


def allow_files(count: int) -> None:
    """Have the system let this program open *count* files; warn where it does not."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY or soft >= count:
        return
    allowed = count if hard == resource.RLIM_INFINITY else min(count, hard)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, hard))
    except (OSError, ValueError):  # As a service may not, or macOS has a lower limit.
        allowed = soft
    if allowed < count:
        log.warning(
            "files_limited wanted=%d allowed=%d: not all phones may get a connection; "
            "let the program open more files (ulimit -Hn), or set fewer phones",
            count,
            allowed,
        )


def quieten_waitress(logged: Buckets) -> None:
    """Have waitress say nothing of single requests, and of errors one a minute."""
    theirs = logging.getLogger("waitress")
    theirs.setLevel(logging.ERROR)
    theirs.addFilter(lambda _: not logged.wait_s("waitress"))


def _proxy_options(panel: PanelSettings) -> dict[str, str | int]:
    """How waitress puts a phone's own address in the place of its proxy's."""
    if not panel.proxy:
        return {}
    return {
        "trusted_proxy": panel.proxy,
        "trusted_proxy_count": panel.proxy_hops,
        "trusted_proxy_headers": "x-forwarded-for x-forwarded-proto",
    }


def _socket_options() -> list[tuple[int, int, int]]:
    options = [(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)]
    if hasattr(socket, "TCP_USER_TIMEOUT"):  # Linux only.
        options.append((socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, GONE_MS))
    return options


class Crowded(Error):  # type: ignore[misc]  # waitress has no types.
    """Too many photos arrive at once; told to a phone as one line of plain text."""

    code = 503
    reason = "Service Unavailable"

    def to_response(self, ident: str = "") -> tuple[str, list[tuple[str, str]], bytes]:
        """Say it in the phone's language, as the headers of its request tell it."""
        status, headers, _ = super().to_response(ident)
        told = {f"HTTP_{name}": value for name, value in self.body.items()}
        language = language_of(language_asked(Asking(told)))
        said = sentence(
            say("other photos are arriving now"),
            say("go back and send yours again in a moment"),
        )
        return status, headers, f"{translated(said, language)}\n".encode()


class LengthRequired(Error):  # type: ignore[misc]  # waitress has no types.
    """A body comes in chunks, which no browser sends.

    Waitress would join 40 MB of what may stand beside the chunks, and look through it.
    """

    code = 411
    reason = "Length Required"


class Request(HTTPRequestParser):  # type: ignore[misc]  # waitress has no types.
    """A request whose body may be large only at an address that takes photos."""

    adj: Adjustments
    is_photo = False
    path = ""

    def received(self, data: bytes) -> int:
        """Take in bytes, all if they make no sense: what follows would make none."""
        taken = int(super().received(data))
        if not self.error:
            return taken
        self.expect_continue = False
        return len(data)

    def parse_header(self, header_plus: bytes) -> None:
        """Read the header, and allow a large body if its address takes photos."""
        first_line = header_plus.partition(b"\r\n")[0].rstrip()
        if not REQUEST_LINE.fullmatch(first_line) or INDENTED.search(header_plus):
            raise ParsingError(
                "expected a first line of two or three words and values that are not "
                "indented, got another header; send it as browsers do"
            )
        try:
            super().parse_header(header_plus)
        except ValueError as error:  # A Content-Length of thousands of digits, say.
            raise ParsingError(
                f"expected address and length, got: {error}; send them as browsers do"
            ) from error
        self.path = at_home(self.path, self.adj.base)
        if self.chunked:
            self.body_rcv = None
            self.error = LengthRequired(
                "expected a body with its Content-Length, got chunks; send its length"
            )
        if self.command == "POST" and takes_photo(self.path):
            self.is_photo = True
            self.adj = copy(self.adj)
            self.adj.max_request_body_size = self.adj.photo_bytes_max


class Answer(WSGITask):  # type: ignore[misc]  # waitress has no types.
    """An answer whose head goes with its first bytes: two packets would take longer."""

    def build_response_header(self) -> bytes:
        """Leave the head with the connection, which sends it before what comes next."""
        self.channel.head = super().build_response_header()
        return b""

    def finish(self) -> None:
        """Send what is left, and the head itself where nothing comes after it."""
        super().finish()
        head, self.channel.head = self.channel.head, b""
        self.channel.write_soon(head)


class Connection(HTTPChannel):  # type: ignore[misc]  # waitress has no types.
    """A connection that knows when the request it is reading began."""

    parser_class = Request
    task_class = Answer
    head = b""
    began_s = 0.0
    turn: ExitStack

    def received(self, data: bytes) -> bool:
        """Take in received bytes; make room for a photo that begins."""
        if any(request.error for request in self.requests):
            return False  # Once that is answered the connection is closed.
        if self._is_noise(data):
            self.handle_close()
            return False
        before, was_photo = self.request, self.is_receiving_photo
        is_taken = bool(super().received(data))
        if len(self.requests) > REQUESTS_MAX:
            self.handle_close()
            return False
        if self.request is not before:
            self.began_s = time.monotonic()
        if self.is_receiving_photo and not was_photo:
            if any(request.path == STREAM_PATH for request in self.requests):
                self.handle_close()  # It would be kept for as long as the stream lasts.
                return False
            self.server.make_room_for(self)
        return is_taken

    def _is_noise(self, data: bytes) -> bool:
        """Tell whether *data* begins what cannot become a request: TLS, say.

        A browser that asks for ``https://`` would stay blank until that is late. Every
        method begins with a capital; blank lines may stand before it.
        """
        if self.requests or (self.request and self.request.headers_finished):
            return False
        begun = self.request.header_plus if self.request else b""
        first = (begun + data).lstrip()[:1]
        return bool(first) and not first.isupper()

    def handle_expt(self) -> None:
        """Close the connection: the byte that was sent as urgent would stay so."""
        self.handle_close()

    def service(self) -> None:
        """Answer a request, in a thread; its address's next one waits until then.

        That holds for a phone that leaves, too, or it could ask, leave and ask again.
        """
        with ExitStack() as self.turn:
            self.turn.callback(self.server.task_dispatcher.end_turn, self.addr[0])
            super().service()

    def write_soon(self, data: bytes) -> int:
        """Send *data*; the turn ends at the first byte, or a stream would keep its."""
        self.turn.close()
        if data == b"":
            return 0
        head, self.head = self.head, b""
        if head and not isinstance(data, bytes):  # It is a file.
            super().write_soon(head)
            head = b""
        taken = int(super().write_soon(head + data if head else data))
        if self.total_outbufs_len:  # The server's thread sends the rest.
            self.server.pull_trigger()
        return taken

    def writable(self) -> bool:
        """Tell whether the server's thread has anything to send, or to close.

        While another thread sends, it has not: asked all the same, it would look for
        the socket, find that it could send, and start again, hundreds of times a page.
        """
        if self.will_close or not super().writable():
            return bool(self.will_close)
        if self.total_outbufs_len > self.adj.outbuf_high_watermark:
            return True  # Another thread waits until this one has sent some of it.
        if not self.outbuf_lock.acquire(blocking=False):
            return False  # Whoever holds it wakes the server's thread afterwards.
        self.outbuf_lock.release()
        return True

    def send(self, data: bytes, do_close: bool = True) -> int:
        """Send as much of *data* as goes; nothing once another thread has closed."""
        try:
            return int(super().send(data, do_close))
        except AttributeError:
            if self.socket is not None:
                raise
            return 0

    def refuse_photo(self) -> None:
        """Answer that too many photos are arriving, and give up the rest of this one.

        Like all receiving this happens on the server's thread.
        """
        self.request.close()
        self.request.error = Crowded(self.request.headers)
        self.request.completed = True
        self.received(b" ")

    @property
    def is_receiving_photo(self) -> bool:
        """Whether a photo is on its way in."""
        return self.request is not None and self.request.is_photo

    def is_late(self, now_s: float) -> bool:
        """Whether the request should have arrived whole by now."""
        limit_s = PHOTO_S if self.is_receiving_photo else REQUEST_S
        return self.request is not None and now_s - self.began_s > limit_s


class Threads(ThreadedTaskDispatcher):  # type: ignore[misc]  # waitress has no types.
    """The threads that answer, where each address has only so many turns at a time.

    Whoever asks for more waits for its own turns, and nobody else waits for them.

    Args:
        share_max: How many requests of one address are answered at a time.
    """

    def __init__(self, share_max: int) -> None:
        super().__init__()
        self._share_max = share_max
        self._turns_lock = threading.Lock()
        self._turns: Counter[str] = Counter()
        self._waiting: dict[str, list[Connection]] = {}

    def add_task(self, task: Connection) -> None:
        """Have a thread serve *task*, now or once its address has a turn for it."""
        address = task.addr[0]
        with self._turns_lock:
            if self._turns[address] >= self._share_max:
                still_here = [x for x in self._waiting.get(address, ()) if x.connected]
                self._waiting[address] = [*still_here, task]
                return
            self._turns[address] += 1
        super().add_task(task)

    def shutdown(self, cancel_pending: bool = True, timeout: float = ENDING_S) -> bool:
        """Wait for the threads for *timeout* seconds at most; waitress would for 5."""
        return bool(super().shutdown(cancel_pending, timeout))

    def end_turn(self, address: str) -> None:
        """Give a turn of *address* to what has waited longest for it, if anything."""
        with self._turns_lock:
            waiting = self._waiting.pop(address, [])
            if not waiting:
                self._turns -= Counter([address])  # This forgets who has none.
                return
            if waiting[1:]:
                self._waiting[address] = waiting[1:]
        super().add_task(waiting[0])


class Server(TcpWSGIServer):  # type: ignore[misc]  # waitress has no types.
    """Waitress, but nobody can keep connections busy by sending slowly, or take all."""

    channel_class = Connection

    def accept(self) -> tuple[socket.socket, tuple[str, int]] | None:
        """The next connection; ``None`` if all are taken and its address has most.

        Otherwise whoever has most of them gives one up for it; also if the system lets
        the program open no more files, and then the next is accepted after that.
        """
        accepted: tuple[socket.socket, tuple[str, int]] | None
        try:
            accepted = super().accept()
        except OSError as error:
            self._say_not_accepted(error)
            if error.errno in OUT_OF_FILES and self.active_channels:
                self._close_one(self._shares().most_common(1)[0][0])
            return None
        if accepted is None:
            return None
        connection, (address, port, *_) = accepted
        address = address.removeprefix(MAPPED) if "." in address else address
        accepted = connection, (address, port)
        if len(self.active_channels) < self.adj.connections_max:
            return accepted
        shares = self._shares()
        greatest, count = shares.most_common(1)[0]
        if shares[address] + 1 >= count:
            connection.close()
            return None
        self._close_one(greatest)
        return accepted

    def _shares(self) -> Counter[str]:
        """How many connections each address has."""
        return Counter(x.addr[0] for x in tuple(self.active_channels.values()))

    def _close_one(self, address: str) -> None:
        """Close that of *address* that was silent for longest, unanswered ones last."""
        channels = tuple(self.active_channels.values())
        theirs = (x for x in channels if x.addr[0] == address)
        min(theirs, key=lambda x: (bool(x.requests), x.last_activity)).handle_close()

    def _say_not_accepted(self, error: OSError) -> None:
        if not self.adj.logged.wait_s("accept"):
            log.warning(
                "not_accepted error=%s: a phone's connection had to wait; if it stays "
                "so, let the program open %d files (ulimit -n)",
                error,
                files_for(self.adj.connections_max),
            )

    def make_room_for(self, newcomer: Connection) -> None:
        """Refuse a photo if that of *newcomer* is one more than may arrive at a time.

        It is the oldest of the address that sends most; but the newcomer's own if its
        address sends another already and would then have no fewer than that one.
        """
        channels = tuple(self.active_channels.values())
        others = [x for x in channels if x.is_receiving_photo and x is not newcomer]
        if len(others) < PHOTOS_MAX:
            return
        shares = Counter(x.addr[0] for x in others)
        greatest, share = max(shares.values()), shares[newcomer.addr[0]]
        if share and share + 1 >= greatest:
            newcomer.refuse_photo()
            return
        theirs = (x for x in others if shares[x.addr[0]] == greatest)
        min(theirs, key=lambda x: x.began_s).refuse_photo()

    def maintenance(self, now: float) -> None:
        """Close what has been silent for long, and requests that are late."""
        super().maintenance(now)
        now_s = time.monotonic()
        for connection in tuple(self.active_channels.values()):
            if connection.is_late(now_s):
                connection.will_close = True
