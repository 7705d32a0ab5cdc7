"""A bad Wi-Fi on loopback, between phones and a table.

One fault holds at a time; the next call replaces it. *Old* connections were there
before it, *new* ones begin while it holds.
"""

from __future__ import annotations

import asyncio
import socket
import struct
import threading
from asyncio import StreamReader, StreamWriter
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import Self

HERE = "127.0.0.1"
GONE_S = 30
CUT_LOG2_MAX = 14  # An answer is cut after 1 to 2 ** 14 bytes, mostly within its body.
SOON_S = 10


@dataclass(eq=False)
class _Fault:
    kind: str = ""
    old: bool = True
    new: bool = True
    delay_s: float = 0.0
    only: tuple[bytes, ...] = ()


class _Link:
    """A phone's connection to the proxy, and the proxy's to the table."""

    def __init__(self, proxy: RudeProxy, phone: StreamWriter) -> None:
        self.proxy, self.made_under = proxy, proxy.fault
        self.phone, self.ends = phone, [phone]
        self.ended: set[StreamWriter] = set()
        self.request, self.is_dead = b"", False
        self.left: int | None = None  # Bytes of the answer until it is cut.

    def meets(self, *kinds: str) -> bool:
        fault = self.proxy.fault
        is_meant = fault.new if self.made_under is fault else fault.old
        is_named = not fault.only or self.request.startswith(fault.only)
        return fault.kind in kinds and is_meant and is_named

    async def carry(self, heard: StreamReader, address: str) -> None:
        """Pass on what is heard, both ways, until both have ended."""
        try:
            answers, table = await asyncio.open_connection(
                HERE, self.proxy.table_port, local_addr=(address, 0)
            )
            self.ends.append(table)
            if self.phone.is_closing():
                self.close()
            ways = self._pass(heard, table), self._pass(answers, self.phone)
            await asyncio.gather(*ways)
        except OSError:
            if not self.is_dead:
                self.close()

    async def _pass(self, heard: StreamReader, to: StreamWriter) -> None:
        loop, due_s, data = asyncio.get_running_loop(), 0.0, b"more"
        while data:  # No bytes mean that no more will come.
            data = await heard.read(65_536)
            if to is not self.phone and data.startswith((b"GET ", b"POST ")):
                self.request, self.left = data.partition(b"\r\n")[0], None
            self.is_dead |= self.meets("swallow")
            delay_s = self.proxy.fault.delay_s if self.meets("delay") else 0.0
            due_s = max(loop.time() + delay_s, due_s + 1e-6)
            if not self.is_dead:
                loop.call_at(due_s, self._arrive, data, to)
            elif to is self.phone:
                loop.call_later(GONE_S, self.ends[1].transport.abort)

    def _arrive(self, data: bytes, to: StreamWriter) -> None:
        if self.is_dead:
            return
        if to is not self.phone or not self.meets("cut", "half_close"):
            self._tell(data, to)
            return
        if self.left is None:
            self.left = int(2 ** self.proxy.random.uniform(0, CUT_LOG2_MAX))
        self._tell(data[: self.left], to)
        self.left -= min(self.left, len(data))
        if not self.left:
            self.end_early()

    def _tell(self, data: bytes, to: StreamWriter) -> None:
        if to in self.ended or to.is_closing():
            return
        if data:
            to.write(data)
            return
        with suppress(OSError):  # The phone has gone already.
            to.write_eof()
        self.ended.add(to)
        if len(self.ended) == 2:
            for end in self.ends:
                end.close()

    def end_early(self) -> None:
        if self.meets("cut"):
            self.close()
        else:
            self._tell(b"", self.phone)

    def close(self) -> None:
        """Close both ends with RST, which closing without lingering is."""
        for end in self.ends:
            if not end.is_closing():
                own, at_once = end.get_extra_info("socket"), struct.pack("ii", 1, 0)
                own.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, at_once)
            end.transport.abort()


class RudeProxy:
    """Passes everything on until it is told to be rude; ends where its block ends.

    Phone *n* finds the table at ``ports[n]``; the table sees it at 127.0.0.(11 + n).
    The *seed* draws where answers are cut.
    """

    def __init__(self, table_port: int, phones: int = 1, seed: int = 0) -> None:
        self.table_port, self.random, self.fault = table_port, Random(seed), _Fault()
        self._only: tuple[bytes, ...] = ()
        self._links: list[_Link] = []
        self._is_ready, self._end = threading.Event(), asyncio.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve(phones)))
        self._thread.start()
        assert self._is_ready.wait(SOON_S)

    def only(self, *beginnings: str) -> None:
        """Let the next faults hit only connections whose latest request begins so.

        Such as ``GET /stream``; with nothing, all connections again.
        """
        self._only = tuple(words.encode() for words in beginnings)

    def pass_on(self) -> None:
        """Let everything through; what was swallowed stays dead, and open."""
        self._begin(_Fault())

    def swallow(self, *, old: bool = True, new: bool = True) -> None:
        """Let all bytes vanish, both ways, and close nothing, as where a phone roams.

        Only the table's side goes, ``GONE_S`` after it has said something in vain: its
        system gives a phone up that does not confirm what it was sent.
        """
        self._begin(_Fault("swallow", old, new))

    def cut(self) -> None:
        """Reset old connections at once, new ones after some bytes of an answer."""
        self._begin(_Fault("cut"))

    def half_close(self) -> None:
        """End the table's half at once, or after some bytes; close no socket."""
        self._begin(_Fault("half_close"))

    def delay(self, ms: int) -> None:
        """Hold back every chunk, both ways; all arrive, late and in their order."""
        self._begin(_Fault("delay", delay_s=ms / 1000))

    def _begin(self, fault: _Fault) -> None:
        fault.only = self._only
        asyncio.run_coroutine_threadsafe(self._meet(fault), self._loop).result(SOON_S)

    async def _meet(self, fault: _Fault) -> None:
        self.fault = fault
        for link in self._links:
            link.is_dead |= link.meets("swallow")
            if link.meets("cut", "half_close"):
                link.end_early()

    async def _serve(self, phones: int) -> None:
        self._loop, servers = asyncio.get_running_loop(), []
        async with asyncio.TaskGroup() as tasks:
            for address in [f"127.0.0.{11 + number}" for number in range(phones)]:
                accept = partial(self._accept, tasks, address)
                servers.append(await asyncio.start_server(accept, HERE, 0))
            self.ports = [one.sockets[0].getsockname()[1] for one in servers]
            self._is_ready.set()
            await self._end.wait()
            for one in (*servers, *self._links):
                one.close()

    def _accept(
        self,
        tasks: asyncio.TaskGroup,
        address: str,
        heard: StreamReader,
        phone: StreamWriter,
    ) -> None:
        self._links.append(link := _Link(self, phone))
        tasks.create_task(link.carry(heard, address))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._end.set)
        self._thread.join()
