"""At which word of a line the rules stopped: where a value can be, but not here."""

from __future__ import annotations

from companion.script.parse import ScriptFault, ScriptLine


def slip(line: ScriptLine, wanted: str, message: str) -> ScriptFault:
    """The fault of *line*, at the word that the rules' message ends with.

    Args:
        line: That means something, but cannot be so.
        wanted: What could have stood there.
        message: Of the rules; it ends with the word they got, in quotes.
    """
    named = [word for word in line.words if message.endswith(repr(word.text))]
    word = named[-1] if named else line.words[0]
    return ScriptFault(line.number, word.column, wanted, message)
