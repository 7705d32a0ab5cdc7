"""What the pages share: template filters, the theme, a game's view and its frame."""

from __future__ import annotations

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

from companion.table.again import is_over
from companion.table.seating import in_threes
from companion.units import BANK, Dollars, GameId
from companion.views.history import COMMON_NAMES
from companion.views.refusals import sentence
from companion.views.table import SeatView, box_text, goes_on
from companion.views.turn import turn_of
from companion.views.wording import REASON_WORDS
from companion.wifi import Wifi
from companion.words import Words, capital, say, told
from companion.words.amount import Amount
from companion.words.hyphens import hyphened
from companion.words.money import dollars_text
from companion.words.names import NAME_LENGTH_MAX
from web.http.address import is_in_catalogue, known_game
from web.http.arrivals import arrivals
from web.http.auth import acts_as, caller, is_host, is_local
from web.http.errors import is_fragment
from web.http.language import clock_time, day_time, phones_language, printed
from web.http.may import may, speaks_as, stands_in_for
from web.http.panel import panel, settings
from web.http.presence import Quiet, missed_seats
from web.http.sentences import names_in
from web.http.tabs import Tabs, tabs_of
from web.http.undoing import question_here

THEMES = ("auto", "light", "dark")
GROUNDS = {"light": "#1c5640", "dark": "#0c1915"}
"""The colour of a page's ground by theme, for the bar above it; as in the style."""

REASON_CHIPS = {
    "rent": say("rent"),
    "purchase": say("to buy"),
    "tax": say("tax"),
    "fine": say("fine"),
    "card": say("card"),
    "deal": say("trade"),
    "other": say("no reason"),
}
"""Reasons for a payment, as the short buttons of the pay sheet call them."""


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
"""Colours and tokens of seats as people say them."""


MUST_BE_NEW = frozenset(
    ("pay", "undo", "undo-to", "allow-undo", "redo", "remove-seat", "resign")
)
"""Forms that depend on what one sees: from a page that is older they are refused."""


def install_rendering(app: Flask) -> None:
    """Give templates their filters and the values that every page uses."""
    app.jinja_env.template_class = _Template
    app.jinja_env.context_class = _Context
    app.jinja_env.code_generator_class = _Generator
    # Templates stay as they are while the program runs, and a page imports thirty.
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
    app.jinja_env.globals["once"] = _Once()
    here = (table_address, table_name, table_wifi, is_wifi_blocked)
    for shown in (theme_colours, is_named, speaks_as, *here):
        app.add_template_global(shown)
    app.jinja_env.globals["reason_words"] = REASON_WORDS
    app.jinja_env.globals["looks"] = LOOKS
    app.jinja_env.globals["reason_chips"] = REASON_CHIPS
    app.before_request(_count_notices)
    app.context_processor(_everywhere)


def money_text(amount: Dollars | Amount) -> Amount:
    """Whole dollars as an amount; one that is an amount already stays as it is."""
    return amount if isinstance(amount, Amount) else dollars_text(amount)


def new_id() -> str:
    """Return an id for a tap, which nobody can guess: this page's, and a number."""
    # Each question to the system for chance would let another thread go first.
    page, count = g.get("ids") or (secrets.token_urlsafe(16), 0)
    g.ids = page, count + 1
    return f"{page}-{count}"


class _Generator(CodeGenerator):
    """Has a template print in one call, not in ten, two hundred times a page."""

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
    """Calls what a template names, without asking twice what it wants to be given."""

    def call(
        self, wanted: Callable[..., object], /, *args: object, **named: object
    ) -> object:
        if hasattr(wanted, "jinja_pass_arg"):
            return super().call(wanted, *args, **named)
        named.pop("_block_vars", None)
        named.pop("_loop_vars", None)
        return wanted(*args, **named)


class _Template(Template):
    """A template whose macros are made once, whichever page imports them.

    Jinja would compare all that templates share at each import, in case one page had
    been given more than another.
    """

    def _get_default_module(self, ctx: Context | None = None) -> TemplateModule:
        return super()._get_default_module()


class _Once:
    """Draws things by a macro once, and again only when one of them has changed.

    Between two pages of a game nearly all spaces of its board stay the same, whichever
    phone asks. A drawing depends on nothing but the things, the language and the
    currency; what names its viewer, or a tap, is none of them.
    """

    def __init__(self) -> None:
        self._drawn: dict[Hashable, str] = {}

    def __call__(self, macro: Macro, *things: Hashable) -> str:
        key = (macro, things, phones_language())
        drawn = self._drawn.get(key)
        if drawn is None:
            if len(self._drawn) >= DRAWN_MAX:
                self._drawn.clear()
            drawn = self._drawn[key] = macro(*things)
        return drawn


DRAWN_MAX = 5_000
"""How many drawings are kept; each has about 1,000 characters."""


def table_address() -> str:
    """The address under which phones find this table, without a slash at the end.

    A phone found it under the one that it asked for; empty on the machine's own
    screen while the machine is on no network.
    """
    where = settings().where
    found = where.address() if where else ""
    is_known = where is None or not is_local()
    here = request.host_url.rstrip("/") + settings().base
    return found or (here if is_known else "")


def table_name() -> str:
    """A name that leads to this table on many phones; empty without any."""
    where = settings().where
    return where.name() if where else ""


def table_wifi() -> Wifi | None:
    """The table's own Wi-Fi, which phones have to join first; ``None`` without any."""
    where = settings().where
    return where.hotspot.wifi() if where else None


def is_wifi_blocked() -> bool:
    """Whether the table's Wi-Fi is switched off, as on a Pi without a country."""
    where = settings().where
    return where is not None and where.hotspot.is_blocked()


def _count_notices() -> None:
    """Note what was told before; the page asks for what comes later."""
    g.told = panel().table.notices.told()


def _everywhere() -> dict[str, object]:
    return {
        "theme": theme(),
        "told_so_far": g.get("told", ""),
        "may_load_again": request.method == "GET",
        "is_fragment": is_fragment(),
        "poll_ms": settings().poll_ms,
        "here": request.full_path.rstrip("?"),
        "is_host": is_host(),
        "has_vault_page": panel().vault is not None,
        "has_decoder_page": panel().decoder is not None,
    }


def default_name(box: str) -> str:
    """The name of a game that nobody named: its box's, cut between two words.

    >>> default_name("Monopoly travel / Grab & Go")
    'Grab & Go'
    """
    short = box.rsplit(" / ", 1)[-1]
    if len(short) <= NAME_LENGTH_MAX:
        return box if len(box) <= NAME_LENGTH_MAX else short
    return textwrap.shorten(short, NAME_LENGTH_MAX, placeholder="")


def is_named(name: str, box: str) -> bool:
    """Whether somebody named a game, so that it has not just the name of its box."""
    return name not in (default_name(box), box[:NAME_LENGTH_MAX])


def theme() -> str:
    """The theme that this phone chose; ``auto`` follows the phone itself."""
    chosen = request.cookies.get("theme", "auto")
    return chosen if chosen in THEMES else "auto"


class ThemeColour(NamedTuple):
    """A colour for the bar above a page, and when it counts; empty for always."""

    colour: str
    media: str = ""


def theme_colours() -> tuple[ThemeColour, ...]:
    """The colours of the bar above a page, by the theme that this phone chose."""
    chosen = theme()
    if chosen in GROUNDS:
        return (ThemeColour(GROUNDS[chosen]),)
    return tuple(
        ThemeColour(colour, f"(prefers-color-scheme: {name})")
        for name, colour in GROUNDS.items()
    )


def my_view(game_id: GameId) -> SeatView:
    """The game as this phone may see it, even if it is a guest's.

    Raises:
        Problem: 404 for an unknown game, 403 for a token that no phone has.
    """
    known_game(game_id)
    return panel().table.seat_view(game_id, speaks_as(game_id))


def page(template: str, view: SeatView, **more: object) -> str:
    """A page of one game, made from *template* and what all such pages show."""
    game = panel().table.game(view.table.game_id)
    waiting = panel().seating.waiting(view.table.game_id, view.by)
    question = question_here(view)
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
        absent=_absent(view),
        may_keep_bank=_may_keep_bank(view),
        **_again(view),
        box_text=box_text(game),
        undo_question=question if question and not question.can_answer else None,
        **more,
    )


def tabs_of_game(view: SeatView) -> Tabs:
    """The tabs of a game's pages, for the phone that *view* is for."""
    game_id = view.table.game_id
    waiting = panel().seating.waiting(game_id, view.by)
    asked = [ask for ask in view.asks if ask.can_answer and ask.payer in COMMON_NAMES]
    game = panel().table.game(game_id)
    has_begun = game.has_begun
    return tabs_of(
        view,
        is_guided=game.is_guided,
        has_vault=panel().vault is not None and view.table.has_vault and has_begun,
        has_decoder=panel().decoder is not None and has_begun,
        to_answer=len(waiting) + len(asked),
        is_awaited=game.is_guided and turn_of(game, view.by).is_mine,
    )


def tabs_here() -> Tabs:
    """The tabs of the game that this phone plays in, for a page that is of no game.

    ``?game=`` names one of several; for a phone that plays in none, there are none.
    """
    if caller().phone is None:
        return Tabs()
    table = panel().table
    games = [one.game_id for one in table.games() if not one.is_closed]
    first = (request.args.get("game"), table.current())
    for game_id in sorted(games, key=lambda one: (one != first[0], one != first[1])):
        if acts_as(game_id) and is_in_catalogue(table.game(game_id).terms.edition):
            return tabs_of_game(my_view(game_id))
    return Tabs()


PLAY_FOR: dict[Quiet | None, str] = {
    None: told("Play for {who}, who has no phone"),
    Quiet.ASLEEP: told("Play for {who}, whose phone is asleep"),
    Quiet.AWAY: told("Play for {who}, whose phone is away"),
}
"""The banker's button, by why a seat cannot play for itself."""


def _absent(view: SeatView) -> list[tuple[str, str]]:
    """The seats that the banker may play for now, and what the buttons say."""
    if not view.is_banker:
        return []
    quiet = missed_seats(view.table.game_id)
    found: list[tuple[str, str]] = []
    for row in view.table.seats:
        words = PLAY_FOR[quiet.get(row.seat)]
        is_absent = row.seat in quiet or not row.has_phone
        if is_absent and row != view.seat:
            found.append((row.seat, Words(words, {"who": row.name})))
    return found


def _may_keep_bank(view: SeatView) -> bool:
    """Tell whether a host who plays may take up a bank that nobody keeps."""
    is_there = view.table.banker == BANK and not view.table.is_closed
    return is_there and view.seat is not None and is_host()


def _again(view: SeatView) -> dict[str, object]:
    """Of a game that ended: where it is played again, or whether to offer that."""
    if not is_over(panel().table.game(view.table.game_id)):
        return {}
    follower = panel().built.next_game(view.table.game_id)
    may_open = follower is None and may("games.again", view.table.game_id)
    return {"next_game": follower, "may_play_again": may_open}
