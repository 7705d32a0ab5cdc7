"""A phone's connections to a server: HTTP/1.1 by hand, as cheap as it goes."""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import AsyncIterator
from dataclasses import dataclass
from urllib.parse import urlencode, urlsplit

PATIENCE_S = 8.0
"""How long the script of the pages, and so a phone here, waits for an answer."""


class Lost(Exception):
    """No whole answer came."""


@dataclass(frozen=True)
class Answer:
    """A whole answer, or the beginning of a stream's.

    Attributes:
        headers: By their names in lower case.
    """

    status: int
    headers: dict[str, str]
    body: bytes = b""


class Connection:
    """One connection to the server.

    Args:
        reader: Answers come from it.
        writer: Questions go to it.
    """

    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        self._reader, self._writer = reader, writer

    def is_open(self) -> bool:
        """Return whether the server keeps it open, as far as is known."""
        return not (self._reader.at_eof() or self._writer.is_closing())

    def close(self) -> None:
        """Close it."""
        self._writer.close()

    async def begin(self, question: bytes) -> Answer:
        """Send *question*, and return the answer without its body."""
        self._writer.write(question)
        head = (await self._reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        pairs = (line.partition(":") for line in head[1:])
        headers = {name.lower(): value.strip() for name, _, value in pairs}
        return Answer(int(head[0].split()[1]), headers)

    async def whole(self, begun: Answer) -> Answer:
        """Read the body of the answer *begun*, and return both."""
        if begun.headers.get("transfer-encoding") == "chunked":
            body = b"".join([piece async for piece in self.pieces()])
        else:
            length = int(begun.headers.get("content-length", 0))
            body = await self._reader.readexactly(length)
        if begun.headers.get("content-encoding") == "gzip":
            body = zlib.decompress(body, wbits=31)
        return Answer(begun.status, begun.headers, body)

    async def pieces(self) -> AsyncIterator[bytes]:
        """Yield the chunks of a body that comes in chunks."""
        while size := int(await self._reader.readuntil(b"\r\n"), 16):
            yield (await self._reader.readexactly(size + 2))[:-2]
        await self._reader.readexactly(2)


class Line:
    """A phone's way to the server: as many connections as it needs at a time.

    Args:
        address: The server's address, such as ``http://127.0.0.1:8000``; with a base
            before all paths ``http://127.0.0.1:8000/1``.
        own: The phone's own IP address, one of this machine.

    Attributes:
        cookie: The cookie by which the server knows the phone.
    """

    def __init__(self, address: str, own: str) -> None:
        self._place, self._own = urlsplit(address), own
        self._base = self._place.path
        self._idle: list[Connection] = []
        self.cookie = ""

    async def open(self) -> Connection:
        """Open a new connection.

        Raises:
            OSError: If nobody answers.
        """
        host, port = self._place.hostname, self._place.port or 80
        own = (self._own, 0)
        return Connection(*await asyncio.open_connection(host, port, local_addr=own))

    def question(self, path: str, headers: str = "", body: bytes = b"") -> bytes:
        """Return the bytes of a request; a *body* is that of a form."""
        if body:
            headers += (
                f"Origin: http://{self._place.netloc}\r\n"
                f"Content-Length: {len(body)}\r\n"
                "Content-Type: application/x-www-form-urlencoded\r\n"
            )
        head = (
            f"{'POST' if body else 'GET'} {self._base}{path} HTTP/1.1\r\n"
            f"Host: {self._place.netloc}\r\nCookie: {self.cookie}\r\n{headers}\r\n"
        )
        return head.encode() + body

    async def ask(self, path: str, headers: str = "", **form: object) -> Answer:
        """Ask over a connection that was kept, or over a new one; send *form* if any.

        Raises:
            Lost: If no whole answer came.
        """
        question = self.question(path, headers, urlencode(form).encode())
        connection = answer = None
        try:
            async with asyncio.timeout(PATIENCE_S):
                connection = self._kept() or await self.open()
                answer = await connection.whole(await connection.begin(question))
        except (OSError, EOFError) as lost:  # TimeoutError is an OSError.
            raise Lost(type(lost).__name__) from lost
        finally:
            if connection is not None and answer is None:
                connection.close()
        if answer.headers.get("connection", "").lower() == "close":
            connection.close()
        else:
            self._idle.append(connection)
        if location := answer.headers.get("location"):
            answer.headers["location"] = location.removeprefix(self._base)
        cookie = answer.headers.get("set-cookie", "")
        if cookie.startswith("phone-"):
            self.cookie = cookie.split(";")[0]
        return answer

    def _kept(self) -> Connection | None:
        while self._idle:
            kept = self._idle.pop()
            if kept.is_open():
                return kept
            kept.close()
        return None

    def close(self) -> None:
        """Close all connections that wait for no answer."""
        for kept in self._idle:
            kept.close()
        self._idle = []
