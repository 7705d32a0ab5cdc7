"""The answers of a *standby*: a server that waits while another one leads this table.

Two servers may share one database, in which only one of them may write. Until its turn
comes, the standby answers every request at once with 503, before it has read the body,
so nothing is executed or stored. A slow client holds up no other.
"""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from html import escape
from http import HTTPStatus

from werkzeug.wrappers import Request as WerkzeugRequest

from companion.words import say, translated
from web.http.language import language_asked, language_of
from web.http.server import HEADER_BYTES_MAX

AGAIN_S = 2
"""Seconds until a page tries again; a standby takes over within a few seconds."""

CONNECTION_S = 5
"""How long a connection may take."""

CONNECTIONS_MAX = 200
"""The most connections at a time; only silent ones last longer than an instant."""

DRAINED_BYTES_MAX = 1 << 20
"""How much of a body is read and dropped after the answer (``_drain``)."""

CHUNK_BYTES = 1 << 14
"""The most bytes that are read at a time."""

PAGE = """\
<!doctype html>
<html lang="{code}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="dark light">
{again}<title>{title} · Table Companion</title>
<style>body {{ font: 1.1rem/1.5 system-ui, sans-serif; max-width: 32rem;
 margin: 20vh auto 0; padding: 0 1.2rem; text-align: center }}</style>
</head>
<body>
<h1>{title}</h1>
<p role="status">{what_now}</p>
</body>
</html>
"""
"""The page of a standby; ``{again}`` is a ``<meta>`` by which it tries again."""


@contextmanager
def standing_in(listening: socket.socket) -> Iterator[None]:
    """Answer every request with 503 while the block runs.

    Args:
        listening: The socket from ``web.http.server.listen``. Afterwards it listens as
            before, and connections that were not accepted yet are kept.
    """
    with listening.dup() as duplicate, closing(asyncio.new_event_loop()) as loop:
        ending = asyncio.Event()
        answering = _answer_all(duplicate, ending)
        thread = threading.Thread(
            target=loop.run_until_complete, args=(answering,), name="standing in"
        )
        thread.start()
        try:
            yield
        finally:
            loop.call_soon_threadsafe(ending.set)
            thread.join()
            # The duplicate shares the kernel's non-blocking flag: restore it.
            listening.settimeout(listening.gettimeout())


async def _answer_all(listening: socket.socket, ending: asyncio.Event) -> None:
    """Serve all connections until *ending* is set; then close those that are left."""
    loop = asyncio.get_running_loop()
    served: dict[asyncio.Task[None], socket.socket] = {}

    def accept() -> None:
        with suppress(OSError):  # The client has gone again.
            connection, _ = listening.accept()
            if len(served) >= CONNECTIONS_MAX:
                connection.close()
                return
            connection.setblocking(False)
            task = loop.create_task(_serve(connection))
            served[task] = connection
            task.add_done_callback(lambda done: served.pop(done).close())

    listening.setblocking(False)
    loop.add_reader(listening, accept)
    await ending.wait()
    loop.remove_reader(listening)
    for task in tuple(served):
        task.cancel()
    await asyncio.gather(*served, return_exceptions=True)


async def _serve(connection: socket.socket) -> None:
    """Read a request's header and answer it; give up on a slow or lost client."""
    loop = asyncio.get_running_loop()
    with suppress(OSError, TimeoutError):
        async with asyncio.timeout(CONNECTION_S):
            header = b""
            while b"\r\n\r\n" not in header and len(header) < HEADER_BYTES_MAX:
                received = await loop.sock_recv(connection, CHUNK_BYTES)
                if not received:
                    return
                header += received
            await loop.sock_sendall(connection, _answer(header))
            connection.shutdown(socket.SHUT_WR)
            await _drain(connection)


async def _drain(connection: socket.socket) -> None:
    """Read and drop what is left of a body, up to ``DRAINED_BYTES_MAX``.

    If a socket is closed with bytes unread, TCP resets the connection, and the client
    may lose the answer.
    """
    loop = asyncio.get_running_loop()
    left = DRAINED_BYTES_MAX
    while left > 0:
        dropped = await loop.sock_recv(connection, CHUNK_BYTES)
        if not dropped:
            return
        left -= len(dropped)


def _answer(header: bytes) -> bytes:
    """Build the answer to a request that begins with *header*."""
    header_text = header.partition(b"\r\n\r\n")[0].decode("latin-1")
    first_line, *lines = header_text.split("\r\n")
    environ: dict[str, str] = {}
    for line in lines:
        name, _, value = line.partition(":")
        environ[f"HTTP_{name.upper().replace('-', '_')}"] = value.strip()
    client_request = WerkzeugRequest(environ)
    kinds = ("text/plain", "text/html")
    kind = client_request.accept_mimetypes.best_match(kinds, default="text/plain")
    method = first_line.partition(" ")[0]
    body = _write_body(client_request, method, is_page=kind == "text/html").encode()
    status = HTTPStatus.SERVICE_UNAVAILABLE
    headers = (
        f"HTTP/1.1 {status} {status.phrase}",
        f"Content-Type: {kind}; charset=utf-8",
        f"Content-Length: {len(body)}",
        f"Retry-After: {AGAIN_S}",
        "Cache-Control: no-store",
        "Content-Security-Policy: default-src 'none'; style-src 'unsafe-inline'",
        "X-Content-Type-Options: nosniff",
        "Connection: close",
        "\r\n",
    )
    return "\r\n".join(headers).encode() + (b"" if method == "HEAD" else body)


def _write_body(client_request: WerkzeugRequest, method: str, *, is_page: bool) -> str:
    """Write the body in the client's language, as a page or as one line of text."""
    code = language_asked(client_request)
    language = language_of(code)
    title = translated(say("Another server leads this table now"), language)
    if method == "POST":
        # Trying again would send a GET, and the address may only take forms.
        again = ""
        advice = say("Go back in a moment and press again: it counts once.")
    else:
        again = f'<meta http-equiv="refresh" content="{AGAIN_S}">\n'
        advice = say("This page tries again by itself.")
    what_now = translated(advice, language)
    if not is_page:
        return f"{title}. {what_now}\n"
    return PAGE.format(
        code=code, again=again, title=escape(title), what_now=escape(what_now)
    )
