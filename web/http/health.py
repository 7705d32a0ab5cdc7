"""The health of the table's machine: all of it for itself, a sentence for people."""

from __future__ import annotations

import msgspec
from flask import Blueprint, Response

from companion.health import object_of, worst
from companion.words import say
from web.http.auth import is_local
from web.http.errors import Problem
from web.http.panel import panel
from web.http.sentences import sentence

blueprint = Blueprint("health", __name__)


@blueprint.get("/health")
def health() -> Response:
    """All findings as JSON, for ``companion doctor`` on this very machine.

    Raises:
        Problem: 403 for anybody else.
    """
    if not is_local():
        raise Problem(
            403,
            "not_yours",
            say("only the table's own machine reads this"),
            say("type companion doctor there"),
        )
    findings = [object_of(finding) for finding in panel().health()]
    text = msgspec.json.encode({"findings": findings})
    return Response(text, mimetype="application/json")


def health_sentence() -> tuple[str, bool]:
    """How the machine is, and whether it is well; no sentence where nobody looks."""
    findings = panel().health()
    found = worst(findings)
    if found is not None:
        return sentence(found.words, found.remedy), False
    return say("The machine is well.") if findings else "", True
