"""Finding the word of a line that the rules refused: known, but wrong in this place."""

from __future__ import annotations

from companion.errors import quoted
from companion.script.parse import ScriptFault, ScriptLine


def slip(line: ScriptLine, wanted: str, message: str, got: str) -> ScriptFault:
    """The fault of *line*, at the word that the rules refuse.

    Args:
        line: A line whose words are known but that the rules refuse.
        wanted: What could have stood there.
        message: The rules' message.
        got: The word they refuse, quoted; empty if it is no single word.
    """
    named = [word for word in line.words if quoted(word.text) == got]
    word = named[-1] if named else line.words[0]
    return ScriptFault(line.number, word.column, wanted, message)
