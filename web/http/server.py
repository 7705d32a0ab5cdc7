"""Serving the panel: one process, because it owns the pins, and many threads.

Whoever is on the same Wi-Fi can open connections and never finish a request. A
request therefore has a time by which it must be here as a whole, and one address
gets a share of the connections; a phone needs six.
"""

from __future__ import annotations

import socket
import time
from copy import copy

from flask import Flask
from waitress.adjustments import Adjustments
from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser
from waitress.server import TcpWSGIServer
from waitress.task import ThreadedTaskDispatcher
from waitress.utilities import Error

from companion.errors import DeviceFault
from web.http.limits import PHOTO_PATHS

SPARE_THREADS = 8
"""Threads for taps beside those that live streams hold."""

SILENCE_S = 30
"""How long a connection may keep silent between requests, or in one."""

REQUEST_S = 15
"""From the first byte of a request to its last: ample for 64 KiB on bad Wi-Fi."""

PHOTO_S = 90
"""The same for a photo: 20 MB on bad Wi-Fi."""

PHOTOS_MAX = 4
"""Photos that may arrive at a time; each is a file in memory or on disk meanwhile."""

PHOTO_ROOM = 2
"""A photo so many times too large is still taken in, to be refused in words."""

CLEANUP_S = 5
"""How often both are looked after."""

GONE_MS = 30_000
"""How long what we sent may stay unconfirmed before the phone counts as gone."""

CONNECTIONS_MAX = 200
"""Connections at a time; browsers open up to six each."""

SHARE_MAX = 64
"""Connections from one address: all streams and a few taps, for a proxy."""

HEADER_BYTES_MAX = 16 * 1024


def listen(host: str, port: int) -> socket.socket:
    """Take the port, before anything else is built.

    Args:
        host: The address to listen on.
        port: The port; 0 for any free one.

    Raises:
        DeviceFault: If the port is taken or not allowed.
    """
    try:
        return socket.create_server((host, port), backlog=CONNECTIONS_MAX)
    except (OSError, OverflowError) as error:
        raise DeviceFault(
            f"expected to listen on {host} port {port}, got: {error}; "
            "choose another with --host or --port"
        ) from error


def serve(app: Flask, listening: socket.socket, streams_max: int) -> None:
    """Answer until the process is told to end.

    Args:
        app: The panel.
        listening: From ``listen``; closed at the end.
        streams_max: How many threads the live streams may hold.
    """
    settings = Adjustments(
        sockets=[listening],
        threads=streams_max + SPARE_THREADS,
        channel_timeout=SILENCE_S,
        cleanup_interval=CLEANUP_S,
        connection_limit=CONNECTIONS_MAX,
        max_request_header_size=HEADER_BYTES_MAX,
        max_request_body_size=app.config["MAX_CONTENT_LENGTH"] + 1,
        ident="",
    )
    settings.socket_options = _socket_options()
    settings.photo_bytes_max = app.config["PHOTO_BYTES_MAX"] * PHOTO_ROOM
    threads = ThreadedTaskDispatcher()
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
    server.run()


def _socket_options() -> list[tuple[int, int, int]]:
    options = [(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)]
    if hasattr(socket, "TCP_USER_TIMEOUT"):  # Linux only.
        options.append((socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, GONE_MS))
    return options


class Crowded(Error):  # type: ignore[misc]  # waitress has no types.
    """Too many photos arrive at once."""

    code = 503
    reason = "Service Unavailable"


class Request(HTTPRequestParser):  # type: ignore[misc]  # waitress has no types.
    """A request, which may be long where a photo goes in, and only there."""

    adj: Adjustments
    is_photo = False

    def parse_header(self, header_plus: bytes) -> None:
        """Read the header, and with it where the body is going."""
        super().parse_header(header_plus)
        if self.command == "POST" and self.path in PHOTO_PATHS:
            self.is_photo = True
            self.adj = copy(self.adj)
            self.adj.max_request_body_size = self.adj.photo_bytes_max


class Connection(HTTPChannel):  # type: ignore[misc]  # waitress has no types.
    """A connection that knows when the request it is reading began."""

    parser_class = Request
    began_s = 0.0

    def received(self, data: bytes) -> bool:
        """Take in what came."""
        before = self.request
        is_taken = bool(super().received(data))
        if self.request is not before:
            self.began_s = time.monotonic()
        if self.is_receiving_photo and self.server.photos_count() > PHOTOS_MAX:
            self.request.error = Crowded("other photos are arriving; send it again")
            self.request.completed = True
            super().received(b" ")
        return is_taken

    @property
    def is_receiving_photo(self) -> bool:
        """Whether a photo is on its way in."""
        return self.request is not None and self.request.is_photo

    def is_late(self, now_s: float) -> bool:
        """Whether the request should have been here by now."""
        limit_s = PHOTO_S if self.is_receiving_photo else REQUEST_S
        return self.request is not None and now_s - self.began_s > limit_s


class Server(TcpWSGIServer):  # type: ignore[misc]  # waitress has no types.
    """Waitress, but nobody may hold a connection by dripping, nor hold them all."""

    channel_class = Connection

    def accept(self) -> tuple[socket.socket, tuple[str, int]] | None:
        """The next connection; none if its address has its share already."""
        accepted: tuple[socket.socket, tuple[str, int]] | None = super().accept()
        if accepted is None:
            return None
        connection, address = accepted
        open_count = sum(
            other.addr[0] == address[0]
            for other in tuple(self.active_channels.values())
        )
        if open_count < SHARE_MAX:
            return accepted
        connection.close()
        return None

    def photos_count(self) -> int:
        """Photos that are arriving."""
        channels = tuple(self.active_channels.values())
        return sum(channel.is_receiving_photo for channel in channels)

    def maintenance(self, now: float) -> None:
        """Close what has been silent for long, and requests that are late."""
        super().maintenance(now)
        now_s = time.monotonic()
        for connection in tuple(self.active_channels.values()):
            if connection.is_late(now_s):
                connection.will_close = True
