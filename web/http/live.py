"""The live stream: tells pages that something has changed, so that they ask what.

A *stream* is an HTTP answer that stays open, on which the table sends *events*:

- ``game``: something has changed. The event carries the count of all *notices*, the
  reports of changes, so far. A page loads its content again if its own count, from when
  it was drawn, is lower.
- ``vault``: the vault, as every screen may show it, and the same count: a page that
  was drawn later knows better.
- ``phones``: other phones fell silent or came back.
- ``here``: a heartbeat. A page that misses it knows that it is cut off, and the table
  notices which phones have left.

The stream of a game reports that game, the vault, the verdict on the table's screen and
the table's machine. A stream without a game reports the changes of all games.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import fields
from typing import cast

from flask import Blueprint, Request, Response, current_app, request

from companion.as_json import to_json
from companion.table.notice import Subscription
from companion.table.vault_coupling import LOCK
from companion.units import GameId
from companion.words import Language, say, translated
from web.http.address import known_game
from web.http.auth import caller, sender
from web.http.errors import Problem
from web.http.language import phones_language
from web.http.limits import STREAM_PATH
from web.http.panel import Panel, panel, settings
from web.http.presence import Quiet, presence

blueprint = Blueprint("live", __name__)

SLOTS = "companion.streams"
"""The key of ``app.extensions`` under which the application keeps its ``Slots``."""

BUSY_S = 15
"""How long a program without a stream should wait; pages choose their own time."""

MIME = "text/event-stream"

HEARTBEAT = b"event: here\ndata:\n\n"
"""Sent after each ``PanelSettings.heartbeat_s`` without another event."""

PHONES = b"event: phones\ndata:\n\n"
"""Tells that phones fell silent or came back, which no notice reports."""

# The topics of notices that belong to no game.

VAULT = "vault"
"""The state of the vault."""

DECODER = "decoder"
"""The verdict on a note that the table's screen shows."""

MACHINE = "machine"
"""The table's machine: the address of the panel, and whether games can be written."""

SENTENCES = ("said", "sentence")
"""The attributes of a ``VaultView`` that are sentences; one is a property."""


class Slots:
    """The limited places for streams; each open stream takes one.

    Args:
        count_max: How many streams may be open at a time.
        share_max: How many of them may go to one network address.
    """

    def __init__(self, count_max: int, share_max: int) -> None:
        self._count_max = count_max
        self._share_max = share_max
        self._lock = threading.Lock()
        self._open: list[Listener] = []

    def listeners(self) -> tuple[Listener, ...]:
        """Return the listeners whose streams are open."""
        return tuple(self._open)

    def take(self, listener: Listener) -> bool:
        """Take a place for a listener; return false if no place is free.

        Listeners that have left lose their places now, not at the next heartbeat: a
        phone that changes quickly between pages leaves a stream open on each.
        """
        with self._lock:
            gone = [other for other in self._open if other.is_gone()]
            for other in gone:
                other.leave()
            self._open = [other for other in self._open if other not in gone]
            share = sum(other.address == listener.address for other in self._open)
            if len(self._open) >= self._count_max or share >= self._share_max:
                return False
            self._open.append(listener)
            return True

    def free(self, listener: Listener) -> None:
        """Free the place of a listener; a second call does nothing."""
        with self._lock:
            self._open = [other for other in self._open if other is not listener]


@blueprint.get(STREAM_PATH)
def stream() -> Response:
    """Open a stream for the game that ``?game=`` names, or else for all games.

    Raises:
        Problem: 404 for an unknown game; 503 if there are too many streams.
    """
    game_id = GameId(request.args.get("game", ""))
    if game_id:
        known_game(game_id)
    slots = cast("Slots", current_app.extensions[SLOTS])
    listener = Listener(panel(), game_id, request)
    if not slots.take(listener):
        listener.leave()
        raise Problem(
            503,
            "busy",
            say("all live streams are in use"),
            say("this page asks again by itself"),
            wait_s=BUSY_S,
        )
    response = Response(listener.events(settings().heartbeat_s), mimetype=MIME)
    response.headers["X-Accel-Buffering"] = "no"

    phone_presence = presence()

    @response.call_on_close
    def _leave() -> None:
        """Clean up, also if the phone left before the first byte."""
        listener.leave()
        slots.free(listener)
        phone_presence.note_closed(listener)

    return response


class Listener:
    """A page that listens to the live stream, and the events that it gets.

    Args:
        panel: The table and its vault.
        game_id: The game that the page shows; empty for the game on the table.
        stream_request: The request that opened the stream.

    Attributes:
        address: The network address of the phone.
        phone: The id of the phone; empty for an unknown phone.
        unanswered_ns: Time of the first event to which the page has not reacted, if
            any, on the monotonic clock.
        is_gone: Tells whether the phone has closed the connection.
    """

    def __init__(self, panel: Panel, game_id: GameId, stream_request: Request) -> None:
        self.address = sender()
        phone = caller().phone
        self.phone = phone.phone if phone else ""
        self.unanswered_ns: int | None = None
        self._presence = presence()
        self.is_gone: Callable[[], bool] = stream_request.environ.get(
            "waitress.client_disconnected", lambda: False
        )
        self._panel = panel
        self._language = phones_language()  # Events are made outside the request.
        self._game_id = game_id
        topics = (game_id, DECODER, VAULT, LOCK, MACHINE) if game_id else ()
        self._subscription: Subscription | None = panel.table.subscribe(topics)
        # Empty, so that the first heartbeat reports all quiet phones: the page may have
        # been drawn before they fell silent.
        self._quiet: dict[str, Quiet] = {}

    def leave(self) -> None:
        """Stop listening; a second call does nothing."""
        subscription, self._subscription = self._subscription, None
        if subscription is not None:
            self._panel.table.notices.unsubscribe(subscription)

    def events(self, heartbeat_s: float) -> Iterator[bytes]:
        """Yield the events of the stream, until the table closes or the page leaves."""
        yield self._game_event()
        yield from self._vault_event()
        while (subscription := self._subscription) is not None:
            changed = subscription.wait(heartbeat_s)
            if changed is None:
                return
            if not changed:
                yield HEARTBEAT
            quiet = self._quiet_now()
            if changed.keys() - {VAULT}:
                yield self._game_event()
                self._presence.note_event(self)
            elif quiet != self._quiet:
                yield PHONES
                self._presence.note_event(self)
            self._quiet = quiet
            if VAULT in changed:
                yield from self._vault_event()

    def _quiet_now(self) -> dict[str, Quiet]:
        """Return the seats of this page's game whose phones are asleep or away."""
        table = self._panel.table
        game_id = self._game_id or table.on_table()
        holders = table.phones.holders(game_id) if game_id else {}
        return self._presence.quiet_seats(holders)

    def _game_event(self) -> bytes:
        count = self._panel.table.notices.told()
        return f"event: game\ndata: {count}\n\n".encode()

    def _vault_event(self) -> Iterator[bytes]:
        if self._panel.vault is not None:
            told = to_json(vault_json(self._panel, self._language, self._game_id))
            yield b"event: vault\ndata: " + told + b"\n\n"


def vault_json(
    panel: Panel, language: Language, game_id: GameId | None = None
) -> dict[str, str | int | bool]:
    """Return the vault in types of JSON, with its sentences translated.

    With it goes the count of notices until then, as *told*.
    """
    assert panel.vault is not None, "the caller has seen to that"
    told = panel.table.notices.told()
    view = panel.vault.view(game_id or None)
    values = {field.name: getattr(view, field.name) for field in fields(view)}
    sentences = {name: translated(getattr(view, name), language) for name in SENTENCES}
    return values | sentences | {"told": told}
