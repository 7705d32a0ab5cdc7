"""The live stream: says that something changed, never what; pages then ask again.

``event: game`` carries how much has been told, which every page carries as well: one
that shows less asks. ``event: vault`` carries the vault as every screen may show it.
``event: here`` breaks the silence, so that a page that hears nothing knows that it is
cut off, and that the table finds out which phones have left. The stream of a game is
woken only by that game, the vault, the verdict on the table's screen and the table's
address; one without a game by everything.
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
BUSY_S = 15
"""How many seconds a program that got no stream should wait; a page waits by itself."""


class Slots:
    """The streams that are open.

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
        """The streams that are open."""
        return tuple(self._open)

    def take(self, watch: Watch) -> bool:
        """Make room for one more stream; false if there is none.

        Phones that have left meanwhile make room at once, rather than at the next
        heartbeat: whoever turns pages quickly leaves a stream on each.
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
        """Give back the room of a stream that has ended; harmless if it was before."""
        with self._lock:
            self._open = [other for other in self._open if other is not watch]


@blueprint.get(STREAM_PATH)
def stream() -> Response:
    """Notices of one game, or of the game on the table where none is named."""
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

    there = presence()

    @response.call_on_close
    def _leave() -> None:  # Also runs if the phone left before the first byte.
        watch.leave()
        slots.free(watch)
        there.left(watch)

    return response


MIME = "text/event-stream"
HERE = b"event: here\ndata:\n\n"
"""Says that the table is there."""
PHONES = b"event: phones\ndata:\n\n"
"""Says that other phones are asleep or away by now; nobody gave notice of that."""
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
        phone: The id of the phone; empty for one that nobody knows.
        unanswered_ns: When it was first told something to which it has not reacted.
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
        self._language = phones_language()  # Events have no request.
        self._game_id = game_id
        topics = (game_id, DECODER, VAULT, ADDRESS) if game_id else ()
        self._subscription: Subscription | None = panel.table.subscribe(topics)
        # The page was drawn earlier, so the next heartbeat tells it who is quiet.
        self._quiet: dict[str, Quiet] = {}

    def leave(self) -> None:
        """Stop listening; harmless if it was done before."""
        subscription, self._subscription = self._subscription, None
        if subscription is not None:
            self._panel.table.notices.unsubscribe(subscription)

    def events(self, heartbeat_s: float) -> Iterator[bytes]:
        """The stream; ends when the table closes."""
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
        """Whose phones are asleep or away, at the game that this page shows."""
        table = self._panel.table
        game_id = self._game_id or table.current()
        holders = table.phones.holders(game_id) if game_id else {}
        return self._presence.quiet_seats(holders)

    def _game_event(self) -> bytes:
        told = self._panel.table.notices.told()
        return f"event: game\ndata: {told}\n\n".encode()

    def _vault_event(self) -> Iterator[bytes]:
        if self._panel.vault is not None:
            view = to_json(vault_json(self._panel.vault.view(), self._language))
            yield b"event: vault\ndata: " + view + b"\n\n"


def vault_json(view: VaultView, language: Language) -> dict[str, str | int | bool]:
    """What pages and the stream may know of the vault, with translated sentences."""
    told = {one.name: getattr(view, one.name) for one in fields(view)}
    words = {name: translated(getattr(view, name), language) for name in SENTENCES}
    return told | words


SENTENCES = ("said", "sentence")
"""The fields of a ``VaultView`` that are sentences and get translated."""
