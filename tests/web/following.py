"""Tables in ``web/README.md`` on how a page follows the table, from the page's data.

``python -m tests.web.following`` writes them again.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

WEB = Path(__file__).parents[2] / "web"
TABLES: dict[str, Any] = json.loads((WEB / "static" / "following.json").read_bytes())
KINDS = ("question", "stream")
BEGIN, END = "<!-- drawn from static/following.json -->\n", "<!-- until here -->\n"


def drawn(kind: str) -> str:
    """Write one of the two tables as Markdown, with a row for each state."""
    table = TABLES[kind]
    lines = [f"| {kind} | | what happens → what it is then: what the page does |"]
    lines.append("| --- | --- | --- |")
    for state, words in table["states"].items():
        moves: dict[str, list[str]] = {}
        for before, stimulus, after, effects in table["rows"]:
            if before == state:
                does = f": {', '.join(effects)}" if effects else ""
                moves.setdefault(f"{after}{does}", []).append(stimulus)
        cell = "; ".join(f"{', '.join(on)} → {to}" for to, on in moves.items())
        lines.append(f"| **{state}** | {words} | {cell} |")
    return "\n".join(lines) + "\n"


def explained(kind: str) -> str:
    """Explain the stimuli and the effects of a table, as Markdown."""
    table = TABLES[kind]
    names = table["stimuli"] | table["effects"]
    return "".join(f"- *{name}*: {words}\n" for name, words in names.items())


def both() -> str:
    return "\n".join(f"{drawn(kind)}\n{explained(kind)}" for kind in KINDS)


if __name__ == "__main__":
    readme = WEB / "README.md"
    text = readme.read_text(encoding="utf-8")
    pattern = re.compile(f"{re.escape(BEGIN)}.*?{re.escape(END)}", re.DOTALL)
    readme.write_text(pattern.sub(lambda _: f"{BEGIN}{both()}{END}", text), "utf-8")
