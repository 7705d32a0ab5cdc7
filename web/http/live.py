"""The live stream: tells pages that something has changed; they then ask what.

``event: game`` carries the count of notices. Every page carries it, too, and asks again
if its own is lower. ``event: vault`` carries the vault as every screen may show it.
``event: here`` is a heartbeat: a page that misses it knows that it is cut off, and the
table notices which phones have left. The stream of a game reports that game, the vault,
the verdict on the table's screen and the table's address; one without a game, all.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import fields
from typing import cast

from flask import Blueprint, Request, Response, current_app, request

from companion.as_json import to_json
from companion.lock.view import VaultView
from companion.table.notice import Subscription
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
"""Where the application keeps its ``Slots``."""
BUSY_S = 15
"""Seconds to wait for a program that got no stream; pages choose their own time."""


class Slots:
    """Limits how many streams are open at a time.

    Args:
        count_max: How many there may be.
        share_max: How many of them one address may have.
    """

    def __init__(self, count_max: int, share_max: int) -> None:
        self._count_max = count_max
        self._share_max = share_max
        self._lock = threading.Lock()
        self._open: list[Watch] = []

    def watches(self) -> tuple[Watch, ...]:
        """Return the streams that are open."""
        return tuple(self._open)

    def take(self, watch: Watch) -> bool:
        """Take a place for a stream; return false if none is free.

        Phones that have left give up their places now rather than at the next
        heartbeat: somebody who turns pages quickly leaves a stream behind on each.
        """
        with self._lock:
            gone = [other for other in self._open if other.is_gone()]
            for other in gone:
                other.leave()
            self._open = [other for other in self._open if other not in gone]
            share = sum(other.address == watch.address for other in self._open)
            if len(self._open) >= self._count_max or share >= self._share_max:
                return False
            self._open.append(watch)
            return True

    def free(self, watch: Watch) -> None:
        """Give back the place of a stream that has ended; twice does no harm."""
        with self._lock:
            self._open = [other for other in self._open if other is not watch]


@blueprint.get(STREAM_PATH)
def stream() -> Response:
    """Open a stream for ``?game=``; without one, for the game on the table.

    Raises:
        Problem: 404 for an unknown game; 503 if there are too many streams.
    """
    game_id = GameId(request.args.get("game", ""))
    if game_id:
        known_game(game_id)
    slots = cast("Slots", current_app.extensions[SLOTS])
    watch = Watch(panel(), game_id, request)
    if not slots.take(watch):
        watch.leave()
        raise Problem(
            503,
            "busy",
            say("all live streams are in use"),
            say("this page asks again by itself"),
            wait_s=BUSY_S,
        )
    response = Response(watch.events(settings().heartbeat_s), mimetype=MIME)
    response.headers["X-Accel-Buffering"] = "no"

    present = presence()

    @response.call_on_close
    def _leave() -> None:  # Also runs if the phone left before the first byte.
        watch.leave()
        slots.free(watch)
        present.left(watch)

    return response


MIME = "text/event-stream"
HERE = b"event: here\ndata:\n\n"
"""The heartbeat."""
PHONES = b"event: phones\ndata:\n\n"
"""Tells that other phones are asleep or away by now, of which there is no notice."""
VAULT = "vault"
"""The topic of notices about the vault."""
DECODER = "decoder"
"""The topic of notices about the verdict on the table's screen; numbered 0."""
ADDRESS = "address"
"""The topic of notices about the address under which phones come; numbered 0."""


class Watch:
    """One page that listens to the live stream.

    Args:
        panel: The table and its vault.
        game_id: The game, or empty for whichever is on the table.
        asked: The request for it.

    Attributes:
        address: The address of the phone.
        phone: The id of the phone; empty for an unknown phone.
        unanswered_ns: Time of the first event to which the page has not reacted, on
            the monotonic clock; ``None`` if there is none.
        is_gone: Tells whether the phone is known to have left.
    """

    def __init__(self, panel: Panel, game_id: GameId, asked: Request) -> None:
        self.address = sender()
        phone = caller().phone
        self.phone = phone.phone if phone else ""
        self.unanswered_ns: int | None = None
        self._presence = presence()
        self.is_gone: Callable[[], bool] = asked.environ.get(
            "waitress.client_disconnected", lambda: False
        )
        self._panel = panel
        self._language = phones_language()  # Events are made outside the request.
        self._game_id = game_id
        topics = (game_id, DECODER, VAULT, ADDRESS) if game_id else ()
        self._subscription: Subscription | None = panel.table.subscribe(topics)
        # Empty, since the page may be older: the next heartbeat then reports them.
        self._quiet: dict[str, Quiet] = {}

    def leave(self) -> None:
        """Stop listening; twice does no harm."""
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
                yield HERE
            quiet = self._quiet_now()
            if changed.keys() - {VAULT}:
                yield self._game_event()
                self._presence.told(self)
            elif quiet != self._quiet:
                yield PHONES
                self._presence.told(self)
            self._quiet = quiet
            if VAULT in changed:
                yield from self._vault_event()

    def _quiet_now(self) -> dict[str, Quiet]:
        """Return the quiet seats of the game that this page shows."""
        table = self._panel.table
        game_id = self._game_id or table.current()
        holders = table.phones.holders(game_id) if game_id else {}
        return self._presence.quiet_seats(holders)

    def _game_event(self) -> bytes:
        """Return the event with the present count of notices."""
        count = self._panel.table.notices.told()
        return f"event: game\ndata: {count}\n\n".encode()

    def _vault_event(self) -> Iterator[bytes]:
        """Yield the event with the present vault; nothing if there is none."""
        if self._panel.vault is not None:
            view = to_json(vault_json(self._panel.vault.view(), self._language))
            yield b"event: vault\ndata: " + view + b"\n\n"


def vault_json(view: VaultView, language: Language) -> dict[str, str | int | bool]:
    """Convert a view of the vault to JSON's types, with its sentences translated."""
    values = {field.name: getattr(view, field.name) for field in fields(view)}
    words = {name: translated(getattr(view, name), language) for name in SENTENCES}
    return values | words


SENTENCES = ("said", "sentence")
"""The attributes of a ``VaultView`` that are sentences; one is a property."""
