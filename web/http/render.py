"""Rendering of pages: template filters, values for every page, and a game's frame.

The *frame* is what all pages of a game share: the tabs, the banner of requests that
wait, and the names of the seats.

Three subclasses of Jinja's own classes make templates faster, and change nothing else.
"""

from __future__ import annotations

import re
import secrets
import textwrap
from collections.abc import Callable, Hashable
from functools import cache
from typing import NamedTuple

from flask import Flask, g, render_template, request
from jinja2 import Template
from jinja2.compiler import CodeGenerator, Frame
from jinja2.environment import TemplateModule
from jinja2.nodes import Expr
from jinja2.runtime import Context, Macro
from markupsafe import Markup, escape

from companion.rules.ending import may_play_on
from companion.table.again import is_over
from companion.table.seating import in_threes
from companion.units import BANK, Dollars, GameId
from companion.views.refusals import sentence
from companion.views.table import SeatView, box_text, goes_on, names_in
from companion.views.wording import REASON_WORDS
from companion.wifi import Wifi
from companion.words import Words, capital, say, told
from companion.words.amount import Amount
from companion.words.hyphens import HYPHEN, hyphenate
from companion.words.money import dollars_text
from companion.words.names import NAME_LENGTH_MAX
from web.http.address import known_game
from web.http.auth import is_host, is_local
from web.http.errors import is_fragment
from web.http.frame import arrivals, requests_here, tabs_of_game
from web.http.language import (
    clock_time,
    day_time,
    phones_language,
    printed,
    translate_for_phone,
)
from web.http.may import may, speaks_as, stands_in_for
from web.http.panel import panel, settings
from web.http.presence import Quiet, missed_seats

THEMES = ("auto", "light", "dark")
"""The themes that a phone can choose; ``auto`` follows the phone's own theme."""

BACKGROUNDS = {"light": "#1c5640", "dark": "#0c1915"}
"""Each theme's background colour in the style sheet, for the browser's bar."""

REASON_CHIPS = {
    "rent": say("rent"),
    "purchase": say("to buy"),
    "tax": say("tax"),
    "fine": say("fine"),
    "card": say("card"),
    "deal": say("trade"),
    "other": say("no reason"),
}
"""The short words on the buttons for a payment's reason, by its code."""

LOOKS = {
    "red": say("red"),
    "blue": say("blue"),
    "green": say("green"),
    "orange": say("orange"),
    "purple": say("purple"),
    "teal": say("teal"),
    "pink": say("pink"),
    "silver": say("silver"),
    "hat": say("hat"),
    "car": say("car"),
    "duck": say("duck"),
    "cat": say("cat"),
    "dog": say("dog"),
    "ship": say("ship"),
    "rocket": say("rocket"),
    "boot": say("boot"),
}
"""The words for colours and tokens of seats, by code."""

MUST_BE_NEW = frozenset(
    ("pay", "undo", "undo-to", "allow-undo", "redo", "remove-seat", "resign")
)
"""The verbs of forms that are refused if they come from an outdated page.

The sender relied on what it showed, such as a balance or the latest entry. A form's
verb is the last word of its address.
"""


def install_rendering(app: Flask) -> None:
    """Give templates their filters and the values that every page uses."""
    app.jinja_env.template_class = _Template
    app.jinja_env.context_class = _Context
    app.jinja_env.code_generator_class = _Generator
    # A page imports thirty templates, and none changes while the program runs.
    vars(app.jinja_env)["get_template"] = cache(app.jinja_env.get_template)
    app.jinja_env.extend(printed=printed)
    filters = app.jinja_env.filters
    filters["money"] = money_text
    filters["clock"] = clock_time
    filters["day"] = day_time
    filters["capitalize_first"] = capital
    filters["sentence"] = sentence
    filters["hyphened"] = hyphened
    filters["in_threes"] = in_threes
    app.jinja_env.globals["new_id"] = new_id
    app.jinja_env.globals["must_be_new"] = MUST_BE_NEW
    app.jinja_env.globals["once"] = _DrawingCache()
    whereabouts = (table_address, table_name, table_wifi, is_wifi_blocked)
    for function in (theme_colours, is_named, speaks_as, *whereabouts):
        app.add_template_global(function)
    app.jinja_env.globals["reason_words"] = REASON_WORDS
    app.jinja_env.globals["looks"] = LOOKS
    app.jinja_env.globals["reason_chips"] = REASON_CHIPS
    app.before_request(_count_notices)
    app.context_processor(_values_of_every_page)


_BREAKABLE = re.compile(rf"[^\s-]*{HYPHEN}[^\s-]*-?")
"""A word with a soft hyphen, and the hyphen proper that follows it."""


def money_text(amount: Dollars | Amount) -> Amount:
    """Convert whole dollars to an ``Amount``; return an ``Amount`` unchanged."""
    return amount if isinstance(amount, Amount) else dollars_text(amount)


def hyphened(text: str) -> Markup:
    """Translate a sentence, and let a word be broken where no line holds it whole."""
    words = str(translate_for_phone(text)) if isinstance(text, Words) else text
    html = str(escape(hyphenate(words)))
    return Markup(_BREAKABLE.sub(r'<span class="word">\g<0></span>', html))


def new_id() -> str:
    """Return a new command id for a form: the page's unguessable id, and a number."""
    # Random only once per page: a thread that asks the system for random bytes lets
    # others run and has to wait for its next turn.
    page_id, count = g.get("ids") or (secrets.token_urlsafe(16), 0)
    g.ids = page_id, count + 1
    return f"{page_id}-{count}"


class _Generator(CodeGenerator):
    """Compiles each printed value of a template to one call, instead of Jinja's ten."""

    def _output_child_pre(
        self, node: Expr, frame: Frame, finalize: CodeGenerator._FinalizeInfo
    ) -> None:
        assert frame.eval_ctx.autoescape, f"{self.name} is no page"
        self.write("environment.printed(")

    def _output_child_post(
        self, node: Expr, frame: Frame, finalize: CodeGenerator._FinalizeInfo
    ) -> None:
        self.write(")")


class _Context(Context):
    """Calls functions for templates, without Jinja's checks at every call.

    Only functions marked to get Jinja's context or environment are called Jinja's way.
    """

    def call(
        self, function: Callable[..., object], /, *args: object, **named: object
    ) -> object:
        """Call *function* directly, unless it is marked."""
        if hasattr(function, "jinja_pass_arg"):
            return super().call(function, *args, **named)
        named.pop("_block_vars", None)
        named.pop("_loop_vars", None)
        return function(*args, **named)


class _Template(Template):
    """A template whose macros are built once, whichever page imports them.

    At each import Jinja would compare all global values, which never differ here.
    """

    def _get_default_module(self, ctx: Context | None = None) -> TemplateModule:
        return super()._get_default_module()


class _DrawingCache:
    """A cache of what macros draw, by their arguments, language and currency.

    Nearly all spaces of the board look the same on successive pages and on all phones.
    A template calls their macro as ``once(macro, …)``. The macro may depend only on its
    arguments, not on the viewer or a command id.
    """

    def __init__(self) -> None:
        self._drawings: dict[Hashable, str] = {}

    def __call__(self, macro: Macro, *args: Hashable) -> str:
        """Return what *macro* draws for *args*, from the cache if possible."""
        key = (macro, args, phones_language())
        drawing = self._drawings.get(key)
        if drawing is None:
            if len(self._drawings) >= DRAWINGS_MAX:
                self._drawings.clear()
            drawing = self._drawings[key] = macro(*args)
        return drawing


DRAWINGS_MAX = 5_000
"""How many drawings are kept; each has about 1,000 characters."""


def table_address() -> str:
    """Return the address at which phones find this table, without a final slash.

    If the machine does not know it, the result is the address to which this request was
    sent; it is empty for the machine's own screen, where that is a local one.
    """
    where = settings().where
    address = where.address() if where else ""
    if address or (where is not None and is_local()):
        return address
    return request.host_url.rstrip("/") + settings().base


def table_name() -> str:
    """Return a host name at which many phones find this table; empty for none."""
    where = settings().where
    return where.name() if where else ""


def table_wifi() -> Wifi | None:
    """Return the table's own Wi-Fi, which phones must join; ``None`` if it is off."""
    where = settings().where
    return where.hotspot.wifi() if where else None


def is_wifi_blocked() -> bool:
    """Tell whether the table's Wi-Fi is switched off, as on a Pi without a country."""
    where = settings().where
    return where is not None and where.hotspot.is_blocked()


def _count_notices() -> None:
    """Keep the count of notices of changes before the page is drawn.

    The page carries it, and loads again once the table's count is higher.
    """
    g.notice_count = panel().table.notices.told()


def _values_of_every_page() -> dict[str, object]:
    return {
        "theme": theme(),
        "told_so_far": g.get("notice_count", ""),
        "may_load_again": request.method == "GET",
        "is_fragment": is_fragment(),
        "poll_ms": settings().poll_ms,
        "here": request.full_path.rstrip("?"),
        "is_host": is_host(),
        "has_vault_page": panel().vault is not None,
        "has_decoder_page": panel().decoder is not None,
        "copies": panel().copies,
    }


def default_name(box: str) -> str:
    """Name a game after its box, in at most ``NAME_LENGTH_MAX`` characters.

    Of a longer name, the part after the last slash is used, or as many of its first
    words as fit.

    >>> default_name("Monopoly travel / Grab & Go")
    'Grab & Go'
    """
    last_part = box.rsplit(" / ", 1)[-1]
    if len(box) <= NAME_LENGTH_MAX:
        return box
    if len(last_part) <= NAME_LENGTH_MAX:
        return last_part
    return textwrap.shorten(last_part, NAME_LENGTH_MAX, placeholder="")


def is_named(name: str, box: str) -> bool:
    """Tell whether somebody typed a game's name, which was not made from its box's."""
    return name not in (default_name(box), box[:NAME_LENGTH_MAX])


def theme() -> str:
    """Return the theme that this phone chose; ``auto`` follows the phone's own."""
    chosen = request.cookies.get("theme", "auto")
    return chosen if chosen in THEMES else "auto"


class ThemeColour(NamedTuple):
    """A colour for the browser's bar, and the media query under which it applies."""

    colour: str
    media: str = ""


def theme_colours() -> tuple[ThemeColour, ...]:
    """Return the colours of the browser's bar for this phone's theme."""
    chosen = theme()
    if chosen in BACKGROUNDS:
        return (ThemeColour(BACKGROUNDS[chosen]),)
    return tuple(
        ThemeColour(colour, f"(prefers-color-scheme: {name})")
        for name, colour in BACKGROUNDS.items()
    )


def my_view(game_id: GameId) -> SeatView:
    """Return the game as this phone, perhaps a guest's, may see it.

    Raises:
        Problem: 404 for an unknown game, 403 for a token that no phone has.
    """
    known_game(game_id)
    return panel().table.seat_view(game_id, speaks_as(game_id))


def page(template: str, view: SeatView, **more: object) -> str:
    """Render *template* as a page of a game, in the frame of all such pages.

    Args:
        template: The file name of the template.
        view: The game as this phone may see it.
        more: The values that only this template uses.
    """
    game = panel().table.game(view.table.game_id)
    waiting = panel().seating.waiting(view.table.game_id, view.by)
    return render_template(
        template,
        view=view,
        table=view.table,
        names=names_in(view.table),
        edition=panel().editions(view.table.edition),
        is_guided=game.is_guided,
        has_position=game.play is not None,
        goes_on=goes_on(game),
        stands_in=bool(stands_in_for(view.table.game_id)),
        arrived=arrivals(view, waiting),
        tabs=tabs_of_game(view),
        absent=_absent_seats(view),
        may_keep_bank=_may_keep_bank(view),
        **_next_game_values(view),
        box_text=box_text(game),
        requests=requests_here(view),
        **more,
    )


PLAY_FOR: dict[Quiet | None, str] = {
    None: told("Play for {who}, who has no phone"),
    Quiet.ASLEEP: told("Play for {who}, whose phone is asleep"),
    Quiet.AWAY: told("Play for {who}, whose phone is away"),
}
"""The text of the banker's button, by why the phone is absent; None for no phone."""


def _absent_seats(view: SeatView) -> list[tuple[str, str]]:
    """List the seats that the banker may play for now, as (seat, button's text)."""
    if not view.is_banker:
        return []
    quiet = missed_seats(view.table.game_id)
    seats: list[tuple[str, str]] = []
    for row in view.table.seats:
        words = PLAY_FOR[quiet.get(row.seat)]
        is_absent = row.seat in quiet or not row.has_phone
        if is_absent and row != view.seat:
            seats.append((row.seat, Words(words, {"who": row.name})))
    return seats


def _may_keep_bank(view: SeatView) -> bool:
    """Tell whether nobody keeps the bank, and this phone is the host's with a seat."""
    is_bank_free = view.table.banker == BANK and not view.table.is_closed
    return is_bank_free and view.seat is not None and is_host()


def _next_game_values(view: SeatView) -> dict[str, object]:
    """Return a page's values about the next game; empty until this game is over.

    ``next_game`` is its id; ``may_play_again``, whether this phone may still open it;
    ``may_play_on``, whether this phone may play on with the old one.
    """
    game = panel().table.game(view.table.game_id)
    if not is_over(game):
        return {}
    next_game = panel().built.next_game(view.table.game_id)
    may_open = next_game is None and may("games.again", view.table.game_id)
    plays_on = view.may("CorrectPosition") and may_play_on(game)
    return {
        "next_game": next_game,
        "may_play_again": may_open,
        "may_play_on": plays_on,
    }
