"""The web application: pages for phones and the table's screen, JSON, the live stream.

It imports the core and never the hardware, so it cannot tell a real vault from a
simulated one.
"""

from __future__ import annotations

from collections.abc import Callable

from flask import Flask
from werkzeug.exceptions import MethodNotAllowed

from companion.table.buckets import Buckets
from web.boxes import page as figures
from web.boxes import sharing as figure_sharing
from web.decoder import challenge
from web.decoder import decks as deck_page
from web.decoder import page as decoder_page
from web.http import health, live
from web.http.address import ask_where_posted
from web.http.assets import install_assets
from web.http.auth import BUCKETS, LOGGED, NEWCOMERS, install_auth
from web.http.base import install_base
from web.http.errors import install_errors
from web.http.language import install_language, translate_for_phone
from web.http.live import SLOTS, Slots
from web.http.may import install_may
from web.http.panel import KEY, Installed, Panel, install_panel
from web.http.presence import KEY as PRESENCE
from web.http.presence import Presence
from web.http.render import install_rendering
from web.http.settings import PanelSettings
from web.play import (
    actions,
    api,
    board,
    ending,
    estate,
    more,
    pages,
    pause,
    play,
    rules,
    space_question,
)
from web.seats import copies, games, joining, screen, wifi
from web.vault import page as vault_page

__all__ = ["Panel", "PanelSettings", "create_app"]

MODULES_WITH_PAGES = (
    live,
    health,
    pages,
    play,
    estate,
    more,
    actions,
    joining,
    games,
    copies,
    screen,
    wifi,
    board,
    pause,
    ending,
    api,
    vault_page,
    figures,
    figure_sharing,
    rules,
    space_question,
    decoder_page,
    deck_page,
    challenge,
)
"""The modules that serve addresses; each has a ``blueprint``, which lists them."""

LOG_LINES_PER_S = 1 / 60
"""How many log lines of one kind strangers may provoke: one a minute."""


class _App(Flask):
    """An application without coroutines, so that Flask need not check for them."""

    def ensure_sync(self, func: Callable[..., object]) -> Callable[..., object]:
        """Return *func* unchanged."""
        return func


def create_app(panel: Panel, settings: PanelSettings) -> Flask:
    """Build the panel as a WSGI application; the order of the steps matters.

    Serve it with one process and at least ``settings.streams_max`` + 8 threads, since
    each live stream occupies one.
    """
    app = _App("web")
    app.jinja_options = {
        "trim_blocks": True,
        "lstrip_blocks": True,
        "finalize": translate_for_phone,
        "cache_size": -1,  # Unlimited: a limited cache has a lock that pages wait for.
    }
    install_base(app, settings.base)
    install_assets(app)
    install_panel(app)
    install_language(app)
    install_auth(app)
    install_errors(app)
    app.register_error_handler(MethodNotAllowed, ask_where_posted)
    install_rendering(app)
    install_may(app)
    for module in MODULES_WITH_PAGES:
        app.register_blueprint(module.blueprint)
    bind(app, panel, settings)
    return app


def bind(app: Flask, panel: Panel, settings: PanelSettings) -> None:
    """Have *app* serve this table in place of the one before; tests serve many."""
    clock = panel.table.clock
    slots = Slots(settings.streams_max, settings.streams_share_max)
    app.extensions = {
        KEY: Installed(panel, settings),
        SLOTS: slots,
        PRESENCE: Presence(clock, slots.listeners),
        BUCKETS: Buckets(clock, settings.burst_count, settings.requests_per_s),
        NEWCOMERS: Buckets(clock, settings.newcomers_count, settings.newcomers_per_s),
        LOGGED: Buckets(clock, burst_count=1, per_s=LOG_LINES_PER_S),
    }
    app.config["MAX_CONTENT_LENGTH"] = settings.body_bytes_max
    app.config["PHOTO_BYTES_MAX"] = settings.photo_bytes_max
    app.config["MAX_FORM_MEMORY_SIZE"] = settings.body_bytes_max
