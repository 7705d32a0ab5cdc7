"""The panel: pages for phones and the table screen, JSON, and the live stream.

``create_app`` receives a ready table and constructs nothing else. Imports point
inwards: the panel knows the core and never the hardware, so it cannot tell a
real vault from a simulated one.
"""

from __future__ import annotations

from flask import Flask

from web import (
    actions,
    api,
    board,
    deck_page,
    decoder_page,
    ending,
    estate,
    figure_sharing,
    figures,
    games,
    joining,
    pages,
    pause,
    play,
    screen,
    space_question,
    vault_page,
)
from web.assets import install_assets
from web.auth import install_auth, make_buckets
from web.errors import install_errors
from web.language import install_language, local_text
from web.live import install_streams
from web.panel import KEY, Installed, Panel
from web.render import install_rendering
from web.settings import PanelSettings

__all__ = ["Panel", "PanelSettings", "create_app"]

DECODER = (decoder_page, deck_page)
PARTS = (
    *(
        pages,
        play,
        estate,
        actions,
        joining,
        games,
        screen,
        board,
        pause,
        ending,
        api,
        vault_page,
        figures,
        figure_sharing,
        space_question,
    ),
    *DECODER,
)


def create_app(panel: Panel, settings: PanelSettings) -> Flask:
    """The panel as a WSGI application.

    Serve it with one process and at least ``settings.streams_max`` + 8 threads.
    """
    app = Flask(__name__)
    app.extensions[KEY] = Installed(panel, settings)
    app.config["MAX_CONTENT_LENGTH"] = settings.body_bytes_max
    app.config["PHOTO_BYTES_MAX"] = settings.photo_bytes_max
    app.config["MAX_FORM_MEMORY_SIZE"] = settings.body_bytes_max
    app.jinja_options = {
        "trim_blocks": True,
        "lstrip_blocks": True,
        "finalize": local_text,
    }
    install_assets(app)
    install_auth(app)
    make_buckets(app)
    install_errors(app)
    install_rendering(app)
    install_language(app)
    install_streams(app, settings.streams_max)
    for part in PARTS:
        app.register_blueprint(part.blueprint)
    return app
