"""The HTTP server: Waitress, with limits that keep one client from blocking others.

There is one process with many threads, since only one process can own the vault's pins.
One thread, *the server's thread*, receives all requests, and the others answer them.

Anybody on the same Wi-Fi could open connections and never finish a request. So a whole
request must arrive within a time limit. Once all connections are taken, a newcomer
displaces one of the address that has most (a phone needs six); so does a new photo once
several are arriving. Each address has a limited number of *turns*: requests of it that
are being answered.

Requests that no browser sends are refused before they are parsed: the vault's coil must
be switched off in time, so no request may keep the interpreter busy for long.
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
from werkzeug.wrappers import Request as WerkzeugRequest

from companion.errors import DeviceFault
from companion.table.buckets import Buckets
from companion.views.refusals import sentence
from companion.words import say, translated
from web.http.auth import LOGGED
from web.http.base import remove_base
from web.http.language import language_asked, language_of
from web.http.limits import STREAM_PATH, takes_photo
from web.http.settings import PanelSettings

log = logging.getLogger(__name__)

# Threads.

SPARE_THREADS = 8
"""Threads for requests other than live streams; each stream has one of its own."""

ANSWERS_SHARE_MAX = 6
"""The most turns of one address at a time.

Six suffice for four photos and two pages; more would slow down everybody's answers.
"""

# Time limits.

SILENCE_S = 30
"""How long a connection may be silent, between requests or during one."""

REQUEST_S = 15
"""Time limit from a request's first byte to its last: ample for 64 KiB on bad Wi-Fi."""

PHOTO_S = 90
"""The same for a request with a photo: enough for 20 MB on bad Wi-Fi."""

CLEANUP_S = 5
"""How often silent connections and late requests are closed."""

GONE_MS = 30_000
"""How long sent data may stay unconfirmed before the phone counts as gone."""

ENDING_S = 2.0
"""How long answers in progress may take once the server is told to end."""

# Photos.

PHOTOS_MAX = 4
"""Photos that may arrive at a time; each takes memory or disk space."""

PHOTO_ROOM = 2
"""A photo too large by less than this factor is received, and refused with a page."""

# Connections.

BACKLOG = 200
"""Connections that may wait to be accepted."""

REQUESTS_MAX = 2
"""Requests of one connection at a time: one in progress and the next.

One packet of 8 KB could hold more than a hundred, but no browser sends so many.
"""

FILES_SPARE = 256
"""Open files besides connections: journals, photos, the vault's pins, Python's own."""

OUT_OF_FILES = (errno.EMFILE, errno.ENFILE)
"""The errors if the program, or the whole machine, may open no more files."""

MAPPED = "::ffff:"
"""The prefix of an IPv4 address on a socket for both IPv6 and IPv4."""

# Headers of requests.

HEADER_BYTES_MAX = 16 * 1024
"""The most bytes of a request's header, its first line included."""

REQUEST_LINE = re.compile(rb"[^ ]+ [^ ]+(?: HTTP/[0-9]\.[0-9])?")
"""Matches the first lines that Waitress may parse.

Others, such as ``x://``, 16 KB of digits and too many words, can keep Waitress's own
expression busy for half a minute.
"""

INDENTED = re.compile(rb":[ \t\r\n]{32}")
"""Matches more blanks or line breaks before a header's value than any browser sends.

16 KB of them would keep Waitress's own expression busy for more than a second.
"""


def listen(host: str, port: int) -> socket.socket:
    """Open the port.

    Args:
        host: The address to listen on; ``::`` means all IPv6 and IPv4 addresses.
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
    except (OSError, OverflowError, ValueError) as error:  # ValueError: no IPv6 here.
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
        listening: The socket from ``listen``; it is closed at the end.
        panel: The panel's settings.
        say_ready: Called when nothing can fail any more; an update that gets this far
            is kept.
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
        connection_limit=2 * panel.connections_max,  # Then Waitress stops accepting.
        channel_request_lookahead=1,  # To notice at once when a phone leaves.
        max_request_header_size=HEADER_BYTES_MAX,
        max_request_body_size=app.config["MAX_CONTENT_LENGTH"] + 1,
        clear_untrusted_proxy_headers=False,  # ``is_local`` needs them.
        ident="",
        **_proxy_options(panel),
    )
    settings.socket_options = _socket_options()
    settings.photo_bytes_max = app.config["PHOTO_BYTES_MAX"] * PHOTO_ROOM
    settings.base = panel.base
    settings.connections_max = panel.connections_max
    settings.logged = logged
    # All phones behind a proxy have its address, so one address may use all threads.
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
    """Compute how many files to allow: two per connection, and some spare."""
    return 2 * connections_max + FILES_SPARE


def allow_files(count: int) -> None:
    """Allow this program *count* open files; log a warning if that is refused."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY or soft >= count:
        return
    allowed = count if hard == resource.RLIM_INFINITY else min(count, hard)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, hard))
    except (OSError, ValueError):  # A service may lack the right; macOS has a maximum.
        allowed = soft
    if allowed < count:
        log.warning(
            "files_limited wanted=%d allowed=%d: not all phones may get a connection; "
            "let the program open more files (ulimit -Hn), or set fewer phones",
            count,
            allowed,
        )


def quieten_waitress(logged: Buckets) -> None:
    """Have Waitress log errors only, at the limited rate of *logged*."""
    logger = logging.getLogger("waitress")
    logger.setLevel(logging.ERROR)
    logger.addFilter(lambda _: not logged.wait_s("waitress"))


def _proxy_options(panel: PanelSettings) -> dict[str, str | int]:
    """Return the options to take a phone's address from the proxy's headers."""
    if not panel.proxy:
        return {}
    return {
        "trusted_proxy": panel.proxy,
        "trusted_proxy_count": panel.proxy_hops,
        "trusted_proxy_headers": "x-forwarded-for x-forwarded-proto",
    }


def _socket_options() -> list[tuple[int, int, int]]:
    """Return the options to send data at once and, on Linux, to notice lost phones."""
    options = [(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)]
    if hasattr(socket, "TCP_USER_TIMEOUT"):  # Linux only.
        options.append((socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, GONE_MS))
    return options


class TooManyPhotos(Error):  # type: ignore[misc]  # waitress has no types.
    """The refusal of a photo while too many arrive: one line of plain text."""

    code = 503
    reason = "Service Unavailable"

    def to_response(self, ident: str = "") -> tuple[str, list[tuple[str, str]], bytes]:
        """Return the answer in the language that the request's headers ask for."""
        status, headers, _ = super().to_response(ident)
        # ``refuse_photo`` passes the request's headers as the body of the error.
        environ = {f"HTTP_{name}": value for name, value in self.body.items()}
        language = language_of(language_asked(WerkzeugRequest(environ)))
        refusal = sentence(
            say("other photos are arriving now"),
            say("go back and send yours again in a moment"),
        )
        return status, headers, f"{translated(refusal, language)}\n".encode()


class LengthRequired(Error):  # type: ignore[misc]  # waitress has no types.
    """The refusal of a body in chunks, which no browser sends.

    Waitress would search up to 40 MB between the chunks and keep the interpreter busy.
    """

    code = 411
    reason = "Length Required"


class Request(HTTPRequestParser):  # type: ignore[misc]  # waitress has no types.
    """A request whose body may be large only at an address that takes photos.

    Attributes:
        adj: Waitress's settings for this request.
        is_photo: Whether the request may carry a photo.
        path: The address's path, without the base.
    """

    adj: Adjustments
    is_photo = False
    path = ""

    def received(self, data: bytes) -> int:
        """Parse received bytes; return how many belong to this request.

        After an error, that is all of them.
        """
        parsed_count = int(super().received(data))
        if not self.error:
            return parsed_count
        self.expect_continue = False
        return len(data)

    def parse_header(self, header_plus: bytes) -> None:
        """Parse the header; allow a large body if the address takes photos.

        Raises:
            ParsingError: If no browser would send such a header.
        """
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
        self.path = remove_base(self.path, self.adj.base)
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
    """An answer whose header is sent with its first bytes, in one packet."""

    def build_response_header(self) -> bytes:
        """Give the header to the connection, which sends it with the next bytes."""
        self.channel.head = super().build_response_header()
        return b""

    def finish(self) -> None:
        """Send the rest of the body, or the header if there was no body."""
        super().finish()
        head, self.channel.head = self.channel.head, b""
        self.channel.write_soon(head)


class Connection(HTTPChannel):  # type: ignore[misc]  # waitress has no types.
    """A connection, with the limits on what it may send.

    Attributes:
        head: An answer's header, until it is sent with the first bytes of the body.
        began_s: When the request that is arriving began, on the monotonic clock.
        turn: Closed to end the turn of the connection's address.
    """

    parser_class = Request
    task_class = Answer
    head = b""
    began_s = 0.0
    turn: ExitStack

    def received(self, data: bytes) -> bool:
        """Parse received bytes; return whether they were accepted.

        If a photo begins, room is made for it.
        """
        if any(request.error for request in self.requests):
            return False  # The connection is closed once the error is answered.
        if self._is_noise(data):
            self.handle_close()
            return False
        previous, was_photo = self.request, self.is_receiving_photo
        is_accepted = bool(super().received(data))
        if len(self.requests) > REQUESTS_MAX:
            self.handle_close()
            return False
        if self.request is not previous:
            self.began_s = time.monotonic()
        if self.is_receiving_photo and not was_photo:
            if any(request.path == STREAM_PATH for request in self.requests):
                self.handle_close()  # The photo would wait until the stream ends.
                return False
            self.server.make_room_for(self)
        return is_accepted

    def _is_noise(self, data: bytes) -> bool:
        """Tell whether *data* cannot begin a request, such as the first bytes of TLS.

        A browser that asks for ``https://`` would otherwise stay blank until the time
        limit. A request begins with a method in capitals, perhaps after blank lines.
        """
        if self.requests or (self.request and self.request.headers_finished):
            return False
        received_before = self.request.header_plus if self.request else b""
        first_letter = (received_before + data).lstrip()[:1]
        return bool(first_letter) and not first_letter.isupper()

    def handle_expt(self) -> None:
        """Close a connection with urgent data, which poll would report for ever."""
        self.handle_close()

    def service(self) -> None:
        """Answer a request, in one of the threads; then end the turn of its address.

        The turn lasts until then even if the phone has left. Otherwise a phone could
        send requests and leave in a loop.
        """
        with ExitStack() as self.turn:
            self.turn.callback(self.server.task_dispatcher.end_turn, self.addr[0])
            super().service()

    def write_soon(self, data: bytes) -> int:
        """Send *data*, after the header if that was not sent yet.

        The turn of the address ends at the first data, since a live stream never ends.
        """
        self.turn.close()
        if data == b"":
            return 0
        head, self.head = self.head, b""
        if head and not isinstance(data, bytes):  # *data* is a file.
            super().write_soon(head)
            head = b""
        sent_count = int(super().write_soon(head + data if head else data))
        if self.total_outbufs_len:  # The server's thread sends the rest.
            self.server.pull_trigger()
        return sent_count

    def writable(self) -> bool:
        """Tell whether the server's thread has anything to send, or to close.

        It has nothing while another thread sends. Otherwise it would poll, fail to get
        the lock and poll again, hundreds of times a page.
        """
        if self.will_close or not super().writable():
            return bool(self.will_close)
        if self.total_outbufs_len > self.adj.outbuf_high_watermark:
            return True  # A thread waits until the server's thread has sent some of it.
        if not self.outbuf_lock.acquire(blocking=False):
            return False  # The thread with the lock wakes the server's thread later.
        self.outbuf_lock.release()
        return True

    def send(self, data: bytes, do_close: bool = True) -> int:
        """Send as much of *data* as possible; return how many bytes were sent.

        If another thread has closed the socket meanwhile, that is 0.
        """
        try:
            return int(super().send(data, do_close))
        except AttributeError:
            if self.socket is not None:
                raise
            return 0

    def refuse_photo(self) -> None:
        """Answer that too many photos are arriving, and drop the rest of this one.

        To be called in the server's thread, which receives.
        """
        self.request.close()
        self.request.error = TooManyPhotos(self.request.headers)
        self.request.completed = True
        self.received(b" ")

    @property
    def is_receiving_photo(self) -> bool:
        """Whether a photo is on its way in."""
        return self.request is not None and self.request.is_photo

    def is_late(self, now_s: float) -> bool:
        """Tell whether the whole request should have arrived by now."""
        limit_s = PHOTO_S if self.is_receiving_photo else REQUEST_S
        return self.request is not None and now_s - self.began_s > limit_s


class Threads(ThreadedTaskDispatcher):  # type: ignore[misc]  # waitress has no types.
    """The threads that answer requests, with a limited number of turns per address.

    Further requests of an address wait for its own turns, and hold up no other address.

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
        """Have a thread answer *task*, now or once its address has a turn free."""
        address = task.addr[0]
        with self._turns_lock:
            if self._turns[address] >= self._share_max:
                waiting = self._waiting.get(address, ())
                connected = [other for other in waiting if other.connected]
                self._waiting[address] = [*connected, task]
                return
            self._turns[address] += 1
        super().add_task(task)

    def shutdown(self, cancel_pending: bool = True, timeout: float = ENDING_S) -> bool:
        """Wait at most *timeout* seconds for the threads; Waitress waits for 5."""
        return bool(super().shutdown(cancel_pending, timeout))

    def end_turn(self, address: str) -> None:
        """End a turn of *address*, or pass it to the first of its waiting requests."""
        with self._turns_lock:
            waiting = self._waiting.pop(address, [])
            if not waiting:
                self._turns -= Counter([address])  # Drops counts of 0, too.
                return
            next_task, *rest = waiting
            if rest:
                self._waiting[address] = rest
        super().add_task(next_task)


class Server(TcpWSGIServer):  # type: ignore[misc]  # waitress has no types.
    """Waitress, with limits on slow requests and on the share of one address."""

    channel_class = Connection

    def accept(self) -> tuple[socket.socket, tuple[str, int]] | None:
        """Accept the next connection; return ``None`` if it had to be refused.

        If all connections are taken, the *busiest* address, which has most, loses one
        to the newcomer, unless the newcomer's address would then have as many. If the
        program may open no more files, it loses one, and the next call accepts.
        """
        accepted: tuple[socket.socket, tuple[str, int]] | None
        try:
            accepted = super().accept()
        except OSError as error:
            self._log_not_accepted(error)
            if error.errno in OUT_OF_FILES and self.active_channels:
                busiest, _ = self._count_by_address().most_common(1)[0]
                self._close_one(busiest)
            return None
        if accepted is None:
            return None
        connection, (address, port, *_) = accepted
        address = address.removeprefix(MAPPED) if "." in address else address
        accepted = connection, (address, port)
        if len(self.active_channels) < self.adj.connections_max:
            return accepted
        counts = self._count_by_address()
        busiest, most = counts.most_common(1)[0]
        if counts[address] + 1 >= most:
            connection.close()
            return None
        self._close_one(busiest)
        return accepted

    def _count_by_address(self) -> Counter[str]:
        channels = tuple(self.active_channels.values())
        return Counter(channel.addr[0] for channel in channels)

    def _close_one(self, address: str) -> None:
        """Close the connection of *address* that has been silent for longest.

        One that waits for an answer is closed only if all of them do.
        """
        channels = tuple(self.active_channels.values())
        candidates = [channel for channel in channels if channel.addr[0] == address]
        idle = [channel for channel in candidates if not channel.requests]
        longest_silent = min(
            idle or candidates, key=lambda channel: channel.last_activity
        )
        longest_silent.handle_close()

    def _log_not_accepted(self, error: OSError) -> None:
        if not self.adj.logged.wait_s("accept"):
            log.warning(
                "not_accepted error=%s: a phone's connection had to wait; if it stays "
                "so, let the program open %d files (ulimit -n)",
                error,
                files_for(self.adj.connections_max),
            )

    def make_room_for(self, newcomer: Connection) -> None:
        """Refuse one photo if, with that of *newcomer*, too many are arriving.

        This is the oldest photo of the address that sends most. It is the new one if
        its address sends others, and with it at least as many as any other address.
        """
        others = [
            channel
            for channel in tuple(self.active_channels.values())
            if channel.is_receiving_photo and channel is not newcomer
        ]
        if len(others) < PHOTOS_MAX:
            return
        counts = Counter(sending.addr[0] for sending in others)
        most, newcomers_others = max(counts.values()), counts[newcomer.addr[0]]
        if newcomers_others and newcomers_others + 1 >= most:
            newcomer.refuse_photo()
            return
        candidates = (sending for sending in others if counts[sending.addr[0]] == most)
        min(candidates, key=lambda sending: sending.began_s).refuse_photo()

    def maintenance(self, now: float) -> None:
        """Close connections that are silent for too long or whose request is late."""
        super().maintenance(now)
        now_s = time.monotonic()
        for connection in tuple(self.active_channels.values()):
            if connection.is_late(now_s):
                connection.will_close = True
