"""The host's page for moving the table from its own Wi-Fi to the home's.

Where the table finds no network that it knows, it opens a Wi-Fi of its own, the
*hotspot*. Here the host chooses the home's network; the table then closes the hotspot
and joins that network, and phones have to follow.
"""

from __future__ import annotations

from flask import Blueprint, Response, render_template, request
from segno.helpers import make_wifi_data

from companion.errors import Malformed
from companion.wifi import Outcome, Wifi, may_be_name, may_be_password
from companion.words import say
from web.http import fields
from web.http.errors import Problem, not_found, problem_of
from web.http.panel import panel, settings
from web.http.settings import Hotspot
from web.seats.screen import draw_qr_code

blueprint = Blueprint("wifi", __name__)

SHOWN_MAX = 8
"""How many networks in sight the page offers; the name of any other is typed in."""

OUTCOMES = {
    Outcome.TRYING: say("the table is joining it now"),
    Outcome.WRONG_PASSWORD: say("the password is not that network's"),
    Outcome.NOT_IN_SIGHT: say("that network is not in sight of the table"),
    Outcome.NO_ADDRESS: say("that network let the table in, but gave it no address"),
    Outcome.FAILED: say("it did not work, and the table cannot tell why"),
}
"""The words for each outcome of an attempt to join a network."""


def _require_hotspot() -> Hotspot:
    """Return the table's own Wi-Fi; refuse with 404 while it is down."""
    where = settings().where
    if where is None or where.hotspot.wifi() is None:
        raise not_found(
            say("the table has no Wi-Fi of its own now"),
            say("begin at the first page"),
            ("/", say("To my game")),
        )
    return where.hotspot


@blueprint.get("/wifi")
def wifi(problem: Problem | None = None) -> str:
    """Show the networks to join, and the outcome of the last attempt."""
    hotspot = _require_hotspot()
    return render_template(
        "wifi.html",
        seen=hotspot.in_sight()[:SHOWN_MAX],
        attempt=hotspot.attempt(),
        outcomes=OUTCOMES,
        chosen=request.form.get("seen", ""),
        typed=request.form.get("other", ""),
        problem=problem,
    )


@blueprint.post("/wifi")
def join() -> Response | str | tuple[str, int]:
    """Have the table join a network; the phone loses touch with it in seconds."""
    hotspot = _require_hotspot()
    try:
        home = _read_home()
    except Malformed as error:
        return wifi(problem_of(error)), 400
    hotspot.join(home)
    return render_template(
        "wifi_leaving.html", name=home.name, code=panel().seating.moving_code()
    )


def _read_home() -> Wifi:
    """Read the name and the password of the home's network."""
    name = fields.text(request.form, "other") or fields.text(request.form, "seen")
    password = fields.text(request.form, "password")
    if not may_be_name(name):
        raise Malformed(
            say("that cannot be the name of a network"),
            say("choose one, or type it as it stands on the router"),
        )
    if not may_be_password(password):
        raise Malformed(
            say("a password has 8 to 63 letters, digits and signs"),
            say("type it again as it stands on the router"),
        )
    return Wifi(name, password)


@blueprint.get("/wifi.svg")
def wifi_code() -> Response:
    """Send a QR code by which a phone joins the table's own Wi-Fi."""
    network = _require_hotspot().wifi()
    assert network is not None, "_require_hotspot refuses a hotspot that is down"
    return draw_qr_code(make_wifi_data(network.name, network.password, "WPA"))
