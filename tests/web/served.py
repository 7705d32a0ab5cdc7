"""A panel at a real address, and browsers that hold its phones' cookies."""

from __future__ import annotations

import threading
from typing import IO
from wsgiref.types import StartResponse, WSGIEnvironment

from flask import Flask
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    Response,
)
from werkzeug.serving import BaseWSGIServer, make_server

from tests.chromium import let_go, new_context
from tests.web.conftest import House, Phone

STILL = """async () => {
  document.body.offsetWidth; // Loads the fonts that the page uses.
  await document.fonts.ready;
  const isPassing = x => x.playState === "running"
    && Number.isFinite(x.effect.getComputedTiming().endTime);
  const ended = x => x.finished.catch(() => {});
  await Promise.all(document.getAnimations().filter(isPassing).map(ended));
}"""


def still(page: Page) -> Page:
    """Return the page once its fonts are loaded and its finite animations are over.

    Its boxes can be measured then.
    """
    page.evaluate(STILL)
    return page


HERE = "127.0.0.1"
POLL_S = 0.02
"""How often a server checks whether it is to end; each test waits for that."""


def on_loopback(app: Flask, host: str = HERE, port: int = 0) -> BaseWSGIServer:
    """Build a server for *app* on any free port, or on *port*; it does not serve yet.

    It reads files whole, since werkzeug leaves one open when a browser hangs up.
    """

    def serve(environ: WSGIEnvironment, start: StartResponse) -> object:
        environ["wsgi.file_wrapper"] = _read_whole
        return app(environ, start)

    return make_server(host, port, serve, threaded=True)


def _read_whole(file: IO[bytes], _block_bytes: int = 0) -> list[bytes]:
    with file:
        return [file.read()]


class RealAddress:
    """An application on loopback, in a thread, until it is closed."""

    def __init__(self, app: Flask, browser: Browser, port: int = 0) -> None:
        self.browser = browser
        self.mistakes: list[str] = []
        self.listen_at(app, HERE, port)
        self.url = f"http://{HERE}:{self.port}"

    def listen_at(self, app: Flask, host: str, port: int) -> None:
        """Serve *app* at an address from now on; an earlier server must have ended."""
        self._server = on_loopback(app, host, port)
        self._server.daemon_threads = True
        self.port = self._server.server_port
        self._thread = threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": POLL_S}
        )
        self._thread.start()

    def context(self, phone: Phone | None, **more: object) -> BrowserContext:
        """Open a browser context, with the cookie of *phone* if there is one."""
        context = new_context(self.browser, **more)
        if phone is not None:
            name, value = phone.cookie
            context.add_cookies([{"name": name, "value": value, "url": self.url}])
        return context

    def hear(self, page: Page) -> None:
        """Note among the mistakes whatever the browser complains about on *page*."""
        page.on("pageerror", lambda error: self._note(page, str(error)))
        page.on("console", lambda said: self._heard(page, said))
        page.on("response", lambda answer: self._answered(page, answer))

    def _heard(self, page: Page, said: ConsoleMessage) -> None:
        if said.type == "error" and "Failed to load resource" not in said.text:
            self._note(page, said.text)

    def _answered(self, page: Page, answer: Response) -> None:
        if (
            answer.status >= 500 and "/stream" not in answer.url
        ):  # It may have none free.
            self._note(page, f"{answer.request.method} {answer.url}: {answer.status}")

    def _note(self, page: Page, words: str) -> None:
        self.mistakes.append(f"{page.url}: {words[:200]}")

    def hang_up(self) -> None:
        """Close all browser contexts, while the server can still answer them."""
        for context in self.browser.contexts:
            let_go(context)

    def end(self) -> None:
        """Stop serving; streams must have been closed before."""
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


class RealHouse(RealAddress):
    """The panel of a house on loopback, until all of it is closed."""

    def __init__(self, house: House, browser: Browser) -> None:
        self.house = house
        super().__init__(house.app, browser)

    def close(self) -> None:
        """End browsers, streams, server and database, in this order."""
        try:
            self.hang_up()
        finally:
            self.house.table.close()
            self.end()
            self.house.database.close()
