"""Which WSGI server tells all phones soonest that somebody paid?

For each server: a fresh process, open event streams on loopback, then payments over one
kept connection, each committed to disk. One sample runs from the first byte of the
payment until the last stream has its event. Servers that are not installed are left
out; the extra ``bench`` brings them all.

Run: ``python -m benchmarks.servers [SERVER ...] [--streams 8 36] [--samples 500]``
"""

from __future__ import annotations

import argparse
import contextlib
import http.client
import itertools
import json
import os
import platform
import selectors
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

from benchmarks.server_app import TOKENS

THREADS = 64
"""The threads of each server."""
WARM_UP = 20
"""Samples that are not counted."""
PAUSE_MS = 20
"""The pause between taps, as people make one. Without it, caches are warm, and some
servers are still closing the last connection."""

APP = "benchmarks.server_app:create_app"
PREAMBLE = """
import sys
from benchmarks.server_app import create_app
host, port, threads = "127.0.0.1", int(sys.argv[1]), int(sys.argv[2])
"""
SERVERS = {
    "waitress": [  # As the program runs it, limits included.
        "-c",
        PREAMBLE + "from web.http.server import listen, serve\n"
        "from web.http.settings import PanelSettings\n"
        "settings = PanelSettings(streams_max=threads - 8)\n"
        "serve(create_app(), listen(host, port), settings, lambda: None)",
    ],
    "cheroot": [
        "-c",
        PREAMBLE + "from cheroot import wsgi\n"
        "wsgi.Server((host, port), create_app(), numthreads=threads).start()",
    ],
    "gunicorn": [
        "-m", "gunicorn", "--worker-class=gthread", "--workers=1",
        "--threads={threads}", "--bind=127.0.0.1:{port}", "--log-level=error",
        "--no-control-socket",
        APP + "()",
    ],
    "granian": [
        "-m", "granian", "--interface=wsgi", "--workers=1", "--factory",
        "--blocking-threads={threads}", "--host=127.0.0.1", "--port={port}",
        "--no-ws", "--log-level=error", APP,
    ],
}  # fmt: skip
"""The arguments with which Python runs each server."""


def free_port() -> int:
    """Return a port that was free a moment ago."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return int(probe.getsockname()[1])


@contextlib.contextmanager
def served(server: str, folder: str) -> Iterator[int]:
    """Run *server* in a process of its own; yield its port."""
    port = free_port()
    words = list(SERVERS[server])
    if words[0] == "-c":
        words += [str(port), str(THREADS)]
    else:
        values = {"{port}": str(port), "{threads}": str(THREADS)}
        for name, value in values.items():
            words = [word.replace(name, value) for word in words]
    env = {**os.environ, "BENCH_DATA": folder}
    process = subprocess.Popen([sys.executable, *words], env=env)
    try:
        for _ in range(200):
            time.sleep(0.05)
            with contextlib.suppress(OSError):
                socket.create_connection(("127.0.0.1", port), 0.1).close()
                if (Path(folder) / TOKENS).exists():
                    break
        yield port
    finally:
        process.terminate()
        try:
            process.wait(3)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def open_streams(port: int, count: int, game: str) -> list[socket.socket]:
    """Open *count* streams; return them once each has had its first event."""
    streams = []
    request = f"GET /stream?game={game} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
    for _ in range(count):
        stream = socket.create_connection(("127.0.0.1", port), 5)
        stream.sendall(request.encode())
        seen = b""
        while b"event: game" not in seen:
            seen += stream.recv(4096)
        stream.setblocking(False)
        streams.append(stream)
    return streams


def measure(
    server: str, streams_count: int, taps: int, pause_ms: int
) -> dict[str, object]:
    """Return a row of the comparison."""
    with tempfile.TemporaryDirectory() as folder, served(server, folder) as port:
        phone = http.client.HTTPConnection("127.0.0.1", port)
        phone.connect()
        phone.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        known = json.loads((Path(folder) / TOKENS).read_text())
        streams = open_streams(port, streams_count, known["game"])
        selector = selectors.DefaultSelector()
        for stream in streams:
            selector.register(stream, selectors.EVENT_READ)
        took = []
        for number in range(WARM_UP + taps):
            took.append(tap(phone, selector, streams, number, known))
            time.sleep(pause_ms / 1000)
        for stream in streams:
            stream.close()
    samples = sorted(took[WARM_UP:])
    return {
        "what": "pay tap to all streams notified, committed",
        "server": server,
        "streams": streams_count,
        "pause_ms": pause_ms,
        "n": taps,
        "median_ms": round(samples[taps // 2], 3),
        "p99_ms": round(samples[int(taps * 0.99)], 3),
        "python": platform.python_version(),
        "cores": os.cpu_count(),
        "load": round(os.getloadavg()[0], 1),
    }


def tap(
    phone: http.client.HTTPConnection,
    selector: selectors.BaseSelector,
    streams: list[socket.socket],
    number: int,
    known: dict[str, str],
) -> float:
    """Pay once; return the milliseconds until the last stream has its event.

    *known* is the file ``TOKENS``: the game, and the cookie of each seat.
    """
    payer, payee = ("red", "blue") if number % 2 else ("blue", "red")
    payment = {"type": "Pay", "payer": payer, "payee": payee, "amount": 1}
    body = json.dumps({"command_id": f"tap-{number:08d}", "command": payment})
    path = f"/api/games/{known['game']}/commands"
    headers = {
        "Content-Type": "application/json",
        "Cookie": known[payer],
        "Origin": f"http://127.0.0.1:{phone.port}",
    }
    waiting = set(streams)
    start = time.perf_counter()
    phone.request("POST", path, body, headers)
    while waiting:
        for key, _ in selector.select(5):
            if b"event: game" in key.fileobj.recv(65536):  # type: ignore[union-attr]
                waiting.discard(key.fileobj)  # type: ignore[arg-type]
    took = (time.perf_counter() - start) * 1000
    answer = phone.getresponse()
    assert answer.status == 200, answer.read()
    answer.read()
    return took


def main() -> None:
    """Print one JSON line for each server and number of streams."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "servers", nargs="*", default=[x for x in SERVERS if find_spec(x)]
    )
    parser.add_argument("--streams", type=int, nargs="*", default=[8, 36])
    parser.add_argument("--samples", type=int, default=500)
    parser.add_argument("--pause-ms", type=int, nargs="*", default=[PAUSE_MS, 0])
    chosen = parser.parse_args()
    for pause_ms, streams, server in itertools.product(
        chosen.pause_ms, chosen.streams, chosen.servers
    ):
        row = measure(server, streams, chosen.samples, pause_ms)
        print(json.dumps(row), flush=True)


if __name__ == "__main__":
    main()
