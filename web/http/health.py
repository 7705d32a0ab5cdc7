"""The health of the table's machine: as JSON for programs, as a sentence for people.

A *finding* is the result of one check of the machine, such as of its disk, its heat or
its network.
"""

from __future__ import annotations

from flask import Blueprint, Response, request

from companion.as_json import to_json
from companion.errors import JournalFault
from companion.health import worst
from companion.views.refusals import sentence
from companion.words import Words, say
from web.http.panel import panel

blueprint = Blueprint("health", __name__)


@blueprint.get("/health")
def health() -> Response:
    """Send all findings as JSON, for ``companion doctor`` on this machine."""
    findings = to_json({"findings": tuple(panel().health())})
    return Response(findings, mimetype="application/json")


@blueprint.get("/alive")
def alive() -> Response:
    """Tell a supervisor of the program 200 if its journal answers, else 503.

    If the last write failed, it is 503, too, but not with ``?pages``: that asks only
    whether pages can be shown.
    """
    if not panel().answers():
        raise JournalFault("this is not the journal that was opened")
    if "pages" not in request.args:
        panel().check_last_write()
    return Response("alive\n", mimetype="text/plain")


def health_sentence() -> tuple[str, str, bool]:
    """Return a sentence, details for the builder, and whether the machine is well.

    The sentence is about the worst finding; it is empty if the machine is not
    monitored. A finding in English only is for whoever built the table: it becomes the
    details, and the sentence a general one.
    """
    findings = panel().health()
    finding = worst(findings)
    if finding is None:
        return say("The machine is well.") if findings else "", "", True
    words = sentence(finding.words, finding.remedy)
    if isinstance(finding.words, Words):
        return words, "", False
    return say("It needs help. Ask whoever built the table."), str(words), False
