"""Finding the word of a line that the rules refused: known, but wrong in this place."""

from __future__ import annotations

from companion.script.parse import ScriptFault, ScriptLine


def slip(line: ScriptLine, wanted: str, message: str) -> ScriptFault:
    """The fault of *line*, at the word that the rules' message ends with.

    Args:
        line: A line whose words are known but that the rules refuse.
        wanted: What could have stood there.
        message: The rules' message; it ends with the word they refuse, in quotes.
    """
    named = [word for word in line.words if message.endswith(repr(word.text))]
    word = named[-1] if named else line.words[0]
    return ScriptFault(line.number, word.column, wanted, message)
