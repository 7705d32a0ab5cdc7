"""What refusals say in certain positions, and which rule each of them cites.

``refusals_asked.txt`` has a script for each, with the words and the rule of its last
line. What each says to do is done in ``test_remedies.py``.
"""

from __future__ import annotations

from pathlib import Path

from companion.rules import refusal
from companion.script.parse import parse
from companion.script.run import Runner
from tests.sample import each
from tests.told import key_of

ASKED = Path(__file__).with_name("refusals_asked.txt").read_text(encoding="utf-8")
SCRIPTS = [part.partition("\n") for part in ASKED.split("=== ")[1:]]


@each(("title", "text"), [(title, text) for title, _, text in SCRIPTS])
def test_a_refusal_says_why_and_what_now(title: str, text: str) -> None:
    *script, says, rule = text.splitlines()
    lines = parse("\n".join(script))
    runner = Runner(traces=False)
    runner.prepare(lines)
    for line in lines[2:-1]:
        runner.play(line)
    refused = refusal(runner.game, runner._command(lines[-1]))
    assert refused is not None
    words = "; ".join(filter(None, (refused.message, refused.remedy)))
    assert f"says {words}" == says
    assert f"rule {key_of(refused.rule)}" == rule
    runner.play(lines[-1])
