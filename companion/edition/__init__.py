"""A game's edition: its board, its figures, and how well each of them is known.

``builtin("classic")`` returns one of the five that come with the program;
``load(text, name)`` reads an owner's own. ``companion/editions/README.md`` describes
the format of the files.
"""

from companion.edition.library import builtin, builtin_text, editions, load, problems
from companion.edition.model import Edition

__all__ = ["Edition", "builtin", "builtin_text", "editions", "load", "problems"]
