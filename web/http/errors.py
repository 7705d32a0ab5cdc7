"""Every error in one shape: what was expected, what came, and what to do now.

The status tells whose mistake it was: 400 the request makes no sense, 403 the phone
is unknown or not allowed to, 404 the address is wrong, 409 the rules forbid it, 503
a disk or device failed, 500 our own code did. No traceback and no secret is sent.
"""

from __future__ import annotations

import logging
import secrets
from dataclasses import KW_ONLY, dataclass

import msgspec
from flask import Flask, Response, make_response, render_template, request
from msgspec import UNSET, UnsetType
from werkzeug.exceptions import HTTPException

from companion.as_json import to_json
from companion.errors import (
    CompanionError,
    DeviceFault,
    JournalFault,
    Malformed,
    Refused,
    Why,
)
from companion.views.table import SeatView
from companion.views.why import ShownRule, figures_in, shown
from companion.words import Words, say

log = logging.getLogger(__name__)


@dataclass(eq=False, repr=False)
class Problem(CompanionError):
    """An error as it is told to whoever sent the request.

    Attributes:
        status: The HTTP status.
        why: The kind of error as one word, for programs.
        message: What was expected and what came.
        remedy: What to do now; may be empty.
        link: Where to go from here, as address and words; may be empty.
        wait_s: Seconds to wait before trying again; 0 where no time can be named.
        revision: The game's current revision, where a game is known; else ``None``.
        view: The game as it is now, for a program that acted on an older revision.
        rules: The rule that stands against it, for *Why?*; empty where none does.
        wanted: What should have stood there, for programs; empty where it is not that.
        got: What stood there; likewise.
    """

    status: int
    why: str
    message: str
    remedy: str = ""
    _: KW_ONLY
    link: tuple[str, str] | None = None
    wait_s: int = 0
    revision: int | None = None
    view: SeatView | UnsetType = UNSET
    rules: tuple[ShownRule, ...] = ()
    wanted: str = ""
    got: str = ""

    def __post_init__(self) -> None:
        super().__init__(self.message, self.remedy)


HTTP_WORDS: dict[int, tuple[str, str, str]] = {
    400: (
        "malformed",
        say("the table did not understand that"),
        say("go back, load the page again and repeat it"),
    ),
    404: (
        "not_found",
        say("there is no page at this address"),
        say("check the address on the table's screen, or begin at the first page"),
    ),
    405: (
        "wrong_method",
        say("this address does not take that kind of request"),
        say("begin at the first page"),
    ),
    408: ("too_slow", say("the request did not arrive in time"), say("send it again")),
    413: ("too_large", say("that is too much at once"), say("send less")),
    415: (
        "malformed",
        say("this address takes JSON only"),
        say("send it as application/json"),
    ),
}
"""By HTTP status: the ``why``, message and remedy of its ``Problem``."""


def problem_of(error: Exception) -> Problem:
    """*error* as a ``Problem``; one that nobody foresaw is logged with a reference."""
    if isinstance(error, Problem):
        return error
    if isinstance(error, Refused):
        said = (error.why.value, error.message, error.remedy)
        # Whoever knows the game says a rule's figures.
        rules = () if figures_in(error.rule) else (shown(error.rule, None),)
        return Problem(409, *said, rules=rules)
    if isinstance(error, Malformed):
        words = _words_of_mistake(error)
        return Problem(400, "malformed", *words, wanted=error.wanted, got=error.got)
    if isinstance(error, JournalFault):
        log.error("journal fault path=%s error=%s", request.path, error)
        return Problem(
            503,
            "journal",
            say("the table could not write it down, so nothing has changed"),
            say("try again; if it stays so, free some space on the table's disk"),
            wait_s=5,
        )
    if isinstance(error, DeviceFault):
        log.warning("device fault path=%s error=%s", request.path, error)
        return Problem(503, "device", *words_of_fault(error), wait_s=5)
    if isinstance(error, HTTPException) and (error.code or 500) < 500:
        status = error.code or 400
        return Problem(status, *HTTP_WORDS.get(status, HTTP_WORDS[400]))
    reference = secrets.token_hex(4)
    log.error("fault reference=%s path=%s", reference, request.path, exc_info=error)
    return Problem(
        500,
        "fault",
        say(
            "the table made a mistake; it noted it as {reference}", reference=reference
        ),
        say("load the page again; nothing is written down halfway"),
    )


def _words_of_mistake(error: Malformed) -> tuple[str, str]:
    """What a request's mistake is called, and what to do.

    What no form of ours can send is named in English, for programs and the log.
    """
    if isinstance(error.plain, Words) or wants_json():
        return error.plain, error.remedy
    log.info("malformed path=%s error=%s", request.path, error)
    _, message, remedy = HTTP_WORDS[400]
    return message, remedy


def words_of_fault(error: DeviceFault) -> tuple[str, str]:
    """What a page says of a device's fault, and what to do.

    What a driver says itself is in English, for whoever built the table; the log and
    ``companion doctor`` have it.
    """
    if isinstance(error.message, Words):
        return error.message, error.remedy
    return (
        say("a part of the table's machine does not work now"),
        say("try again in a moment; if it stays so, ask whoever built the table"),
    )


class Shape(msgspec.Struct, frozen=True, kw_only=True):
    """The shape that every error has in JSON."""

    ok: bool = False
    why: str
    error: str
    remedy: str
    revision: int | None
    status: int
    view: SeatView | UnsetType = UNSET
    rules: tuple[ShownRule, ...] | UnsetType = UNSET
    wanted: str | UnsetType = UNSET
    got: str | UnsetType = UNSET


def wants_json() -> bool:
    """Whether this request comes from a program that reads JSON, not from a page."""
    if request.path.startswith("/api/"):
        return True
    best = request.accept_mimetypes.best_match(("text/html", "application/json"))
    return best == "application/json"


def is_fragment() -> bool:
    """Whether our own script asks and will put the answer into the page it is on."""
    return request.headers.get("X-Requested-With") == "script"


def answer(error: Exception) -> Response:
    """The response for *error*: JSON for programs, a page for people."""
    problem = problem_of(error)
    if wants_json():
        body = Shape(
            why=problem.why,
            error=problem.message,
            remedy=problem.remedy,
            revision=problem.revision,
            status=problem.status,
            view=problem.view,
            rules=problem.rules or UNSET,
            wanted=problem.wanted or UNSET,
            got=problem.got or UNSET,
        )
        response = Response(to_json(body), mimetype="application/json")
    else:
        template = "said.html" if is_fragment() else "error.html"
        response = make_response(render_template(template, problem=problem))
    response.status_code = problem.status
    if problem.wait_s:
        response.headers["Retry-After"] = str(problem.wait_s)
    if isinstance(error, HTTPException):
        allowed = dict(error.get_headers()).get("Allow")
        if allowed:
            response.headers["Allow"] = allowed
    return response


def install_errors(app: Flask) -> None:
    """Have every error in *app* answered by ``answer``."""
    app.register_error_handler(Exception, answer)


def not_found(
    message: str, remedy: str = "", link: tuple[str, str] | None = None
) -> Problem:
    """The problem of an address that names nothing that is here."""
    return Problem(404, "not_found", message, remedy, link=link)


def no_such_verb(verb: str) -> Problem:
    """The problem of a form whose address ends in a word that names no act."""
    return not_found(say("there is nothing called {verb} to do", verb=repr(verb[:40])))


def unknown_phone(link: str = "/") -> Problem:
    """The problem of a cookie that no phone has: forged, expired, or restored over."""
    return Problem(
        403,
        Why.UNKNOWN_SEAT.value,
        say("this table does not know this phone any more"),
        say("take your seat again; the banker can give it back to you"),
        link=(link, say("Take a seat")),
    )


def guest_phone(link: str = "/") -> Problem:
    """The problem of a phone without a seat that asks for what only a seat may do."""
    return Problem(
        403,
        Why.UNKNOWN_SEAT.value,
        say("this phone has no seat in this game"),
        say("take a seat first"),
        link=(link, say("Take a seat")),
    )
