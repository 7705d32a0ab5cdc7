"""Errors as HTTP answers that say what was expected, what came, and what to do now.

Whatever exception a request raises becomes a ``Problem``, sent as a page to people and
as JSON to programs.

The status tells the cause: 400 the request makes no sense, 403 the phone is unknown
or not allowed to do it, 404 the address is wrong, 409 the rules forbid it, 503 a disk
or device failed, 500 our own code did. No traceback and no secret is ever sent.
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
    DamagedGame,
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

RETRY_S = 5
"""How long to wait before another try if a disk or a device failed."""


@dataclass(eq=False, repr=False)
class Problem(CompanionError):
    """An error, with everything that the sender of the request is told about it.

    Attributes:
        status: The HTTP status.
        why: The kind of error as one word, which programs compare.
        message: What was expected and what came.
        remedy: What to do now; may be empty.
        link: A page to go on with, as (address, text); ``None`` for no link.
        wait_s: Seconds to wait before trying again; 0 if no time can be named.
        revision: The game's current revision; ``None`` if no game is concerned.
        view: The game as it is now, for a program that acted on an older revision.
        rules: The rules that forbid the request, to show under *Why?*.
        wanted: The value that was expected, for programs; may be empty.
        got: The value that came instead; may be empty.
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
"""The ``why``, message and remedy of a ``Problem``, by HTTP status."""


def problem_of(error: Exception) -> Problem:
    """Convert *error* to a ``Problem``; log an unforeseen one."""
    if isinstance(error, Problem):
        return error
    if isinstance(error, Refused):
        # A rule with figures needs the game, which only the caller knows.
        rules = () if figures_in(error.rule) else (shown(error.rule, None),)
        return Problem(409, error.why.value, error.message, error.remedy, rules=rules)
    if isinstance(error, Malformed):
        message, remedy = _mistake_words(error)
        return Problem(
            400, "malformed", message, remedy, wanted=error.wanted, got=error.got
        )
    if isinstance(error, JournalFault):
        return _report_journal_fault(error)
    if isinstance(error, DeviceFault):
        log.warning("device fault path=%s error=%s", request.path, error)
        message, remedy = words_of_fault(error)
        return Problem(503, "device", message, remedy, wait_s=RETRY_S)
    if isinstance(error, HTTPException) and (error.code or 500) < 500:
        status = error.code or 400
        return Problem(status, *HTTP_WORDS.get(status, HTTP_WORDS[400]))
    return _report_unforeseen(error)


def _report_journal_fault(error: JournalFault) -> Problem:
    log.error("journal fault path=%s error=%s", request.path, error)
    remedy: str = error.remedy
    if isinstance(error, DamagedGame):
        message = say("what the table wrote down about this game is damaged")
        remedy = say("whoever built the table restores a backup; other games go on")
    elif error.cause:
        message = say(
            "the table could not write it down, so nothing has changed: {cause}",
            cause=error.cause,
        )
    else:
        message = say("the table could not write it down, so nothing has changed")
        if error.is_of_reading:
            message = say("the table cannot read what it has written down")
        remedy = say("try again; if it stays so, ask whoever built the table")
    return Problem(503, "journal", message, remedy, wait_s=RETRY_S)


def _report_unforeseen(error: Exception) -> Problem:
    """Log *error* under a new reference, and return a ``Problem`` that names it."""
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


def _mistake_words(error: Malformed) -> tuple[str, str]:
    """Return the message and the remedy for a malformed request.

    A mistake that none of our forms can make has a message in English only. Programs
    get it; people get a general one, and it is logged.
    """
    if isinstance(error.plain, Words) or wants_json():
        return error.plain, error.remedy
    log.info("malformed path=%s error=%s", request.path, error)
    _, message, remedy = HTTP_WORDS[400]
    return message, remedy


def words_of_fault(error: DeviceFault) -> tuple[str, str]:
    """Return the message and the remedy that a page shows for a device's fault.

    A driver's own message is in English, for the builder of the table, who finds it in
    the log and with ``companion doctor``; pages show a general one.
    """
    if isinstance(error.message, Words):
        return error.message, error.remedy
    return (
        say("a part of the table's machine does not work now"),
        say("try again in a moment; if it stays so, ask whoever built the table"),
    )


class ErrorBody(msgspec.Struct, frozen=True, kw_only=True):
    """The JSON form of every error; ``Problem`` explains its fields."""

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
    """Tell whether the sender of this request is a program that reads JSON."""
    if request.path.startswith("/api/"):
        return True
    best = request.accept_mimetypes.best_match(("text/html", "application/json"))
    return best == "application/json"


def is_fragment() -> bool:
    """Tell whether a script sent this request, to put the answer into its page."""
    return request.headers.get("X-Requested-With") == "script"


def answer(error: Exception) -> Response:
    """Build the response for *error*: JSON for programs, a page for people."""
    problem = problem_of(error)
    if wants_json():
        body = ErrorBody(
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
    """Return the ``Problem`` 404 of an address that names something unknown."""
    return Problem(404, "not_found", message, remedy, link=link)


def no_such_verb(verb: str) -> Problem:
    """Return the ``Problem`` 404 of a form whose address ends in an unknown verb."""
    return not_found(say("there is nothing called {verb} to do", verb=repr(verb[:40])))


def unknown_phone(link: str = "/") -> Problem:
    """Return the ``Problem`` 403 of a token that belongs to no phone.

    It was forged or has expired, or a restored backup did not contain it.
    """
    return Problem(
        403,
        Why.UNKNOWN_SEAT.value,
        say("this table does not know this phone any more"),
        say("take your seat again; the banker can give it back to you"),
        link=(link, say("Take a seat")),
    )


def guest_phone(link: str = "/") -> Problem:
    """Return the ``Problem`` 403 of a phone that lacks the seat its request needs."""
    return Problem(
        403,
        Why.UNKNOWN_SEAT.value,
        say("this phone has no seat in this game"),
        say("take a seat first"),
        link=(link, say("Take a seat")),
    )
