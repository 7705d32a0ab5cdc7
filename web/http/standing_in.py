"""What a server says that waits for its turn: another one leads this table now.

It is said to everybody and at once, before a body is read, so that nothing is done and
nothing is kept. Whoever asks slowly holds up nobody, and is let go at the end.
"""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from html import escape
from http import HTTPStatus

from werkzeug.wrappers import Request as Asking

from companion.words import say, translated
from web.http.language import language_asked, language_of
from web.http.server import HEADER_BYTES_MAX

AGAIN_S = 2
"""After how many seconds a page tries again; a server takes over in a few."""

PATIENCE_S = 5
"""How long somebody may take to ask, to hear the answer and to leave."""

CONNECTIONS_MAX = 200
"""Connections at a time; all but silent ones last for an instant."""

DRAINED_BYTES_MAX = 1 << 20
"""How much of a body is let pass after the answer, which would be lost otherwise."""

CHUNK_BYTES = 1 << 14

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


@contextmanager
def standing_in(listening: socket.socket) -> Iterator[None]:
    """Answer everything with 503 while the block runs.

    Args:
        listening: From ``web.http.server.listen``; afterwards it listens as before, and
            whoever called meanwhile and was not accepted yet is not lost.
    """
    with listening.dup() as ours, closing(asyncio.new_event_loop()) as loop:
        ending = asyncio.Event()
        answering = _answer_all(ours, ending)
        thread = threading.Thread(
            target=loop.run_until_complete, args=(answering,), name="standing in"
        )
        thread.start()
        try:
            yield
        finally:
            loop.call_soon_threadsafe(ending.set)
            thread.join()
            # Both have one flag in the kernel, so ours took the waiting from theirs.
            listening.settimeout(listening.gettimeout())


async def _answer_all(listening: socket.socket, ending: asyncio.Event) -> None:
    """Meet whoever calls, until *ending*; nobody is left connected."""
    loop = asyncio.get_running_loop()
    met: dict[asyncio.Task[None], socket.socket] = {}

    def accept() -> None:
        with suppress(OSError):  # It has gone again.
            connection, _ = listening.accept()
            if len(met) >= CONNECTIONS_MAX:
                connection.close()
                return
            connection.setblocking(False)
            meeting = loop.create_task(_meet(connection))
            met[meeting] = connection
            meeting.add_done_callback(lambda done: met.pop(done).close())

    listening.setblocking(False)
    loop.add_reader(listening, accept)
    await ending.wait()
    loop.remove_reader(listening)
    for meeting in tuple(met):
        meeting.cancel()
    await asyncio.gather(*met, return_exceptions=True)


async def _meet(connection: socket.socket) -> None:
    """Hear what is asked, and answer; give up whoever is slow or has gone."""
    loop = asyncio.get_running_loop()
    with suppress(OSError, TimeoutError):
        async with asyncio.timeout(PATIENCE_S):
            header = b""
            while b"\r\n\r\n" not in header and len(header) < HEADER_BYTES_MAX:
                heard = await loop.sock_recv(connection, CHUNK_BYTES)
                if not heard:
                    return
                header += heard
            await loop.sock_sendall(connection, _answer(header))
            # With bytes unread, closing would take the answer back.
            connection.shutdown(socket.SHUT_WR)
            left = DRAINED_BYTES_MAX
            while left > 0 and (
                passed := await loop.sock_recv(connection, CHUNK_BYTES)
            ):
                left -= len(passed)


def _answer(header: bytes) -> bytes:
    """Return the whole answer to a request that begins with *header*."""
    first, *lines = header.partition(b"\r\n\r\n")[0].decode("latin-1").split("\r\n")
    told = [line.partition(":") for line in lines]
    asking = Asking(
        {f"HTTP_{name.upper().replace('-', '_')}": x.strip() for name, _, x in told}
    )
    kinds = ("text/plain", "text/html")
    kind = asking.accept_mimetypes.best_match(kinds, kinds[0])
    method = first.partition(" ")[0]
    body = _text(asking, method, is_page=kind == "text/html").encode()
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


def _text(asking: Asking, method: str, *, is_page: bool) -> str:
    """Say who leads and what now, in the phone's language: a page or one line."""
    code = language_asked(asking)
    language = language_of(code)
    title = translated(say("Another server leads this table now"), language)
    if method == "POST":  # Trying again would ask for a page that may not be there.
        again, now = "", say("Go back in a moment and press again: it counts once.")
    else:
        again = f'<meta http-equiv="refresh" content="{AGAIN_S}">\n'
        now = say("This page tries again by itself.")
    what_now = translated(now, language)
    if not is_page:
        return f"{title}. {what_now}\n"
    return PAGE.format(
        code=code, again=again, title=escape(title), what_now=escape(what_now)
    )
