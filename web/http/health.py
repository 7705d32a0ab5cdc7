"""The health of the table's machine: all of it for itself, a sentence for people."""

from __future__ import annotations

from flask import Blueprint, Response

from companion.as_json import to_json
from companion.errors import JournalFault
from companion.health import worst
from companion.views.refusals import sentence
from companion.words import Words, say
from web.http.panel import panel

blueprint = Blueprint("health", __name__)


@blueprint.get("/health")
def health() -> Response:
    """All findings as JSON, for ``companion doctor`` on this very machine."""
    text = to_json({"findings": tuple(panel().health())})
    return Response(text, mimetype="application/json")


@blueprint.get("/alive")
def alive() -> Response:
    """Answer whoever watches over the program: 200 while its journal answers, or 503.

    A journal that hangs answers nobody, which also tells.
    """
    if not panel().answers():
        raise JournalFault("this is not the journal that was opened")
    return Response("alive\n", mimetype="text/plain")


def health_sentence() -> tuple[str, str, bool]:
    """How the machine is, what that means to its builder, and whether it is well.

    No sentence where nobody looks. What is said in English only is for its builder.
    """
    findings = panel().health()
    found = worst(findings)
    if found is None:
        return say("The machine is well.") if findings else "", "", True
    said = sentence(found.words, found.remedy)
    if isinstance(found.words, Words):
        return said, "", False
    return say("It needs help. Ask whoever built the table."), str(said), False
