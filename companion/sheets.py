"""The rule sheets, and a rule as people are told it: what each refusal stands on.

A rule is a constant of the module that keeps it, so that the mechanic, its refusals and
its words are read in one place. That module's ``Source`` names the same section of the
same sheet, and a test compares the two. A rule without a section is one of this
program's own.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from typing import NamedTuple

from companion.errors import Refused, Why


class Sheet(enum.Enum):
    """The rule sheets, by the words of the docstrings that name them."""

    STANDARD = "the standard rules in the Mega booklet"
    GRAB_AND_GO = "Grab & Go's sheet"
    SECRET_VAULT = "the Secret Vault article"
    CASH_DECODER = "Cash Decoder's sheet"
    CROOKED_CASH = "the Crooked Cash article"
    MEGA = "the Mega booklet"


STANDARD, GRAB, SECRET = Sheet.STANDARD, Sheet.GRAB_AND_GO, Sheet.SECRET_VAULT
DECODER, CROOKED, BOOKLET = Sheet.CASH_DECODER, Sheet.CROOKED_CASH, Sheet.MEGA


class Told(NamedTuple):
    """One rule; a constant whose name ends with ``_RULE``.

    Attributes:
        words: Whole sentences, with names of figures in braces (``views/why.py``).
        sections: The section that says it, by the sheet; empty for a rule of our own.
    """

    words: str
    sections: Mapping[Sheet, str] = {}

    def refuses(self, why: Why, message: str, remedy: str = "") -> Refused:
        """Return a refusal that stands on this rule; for the rest, see ``Refused``."""
        return Refused(self, why, message, remedy)


TYPED_RULE = Told("The companion does nothing that it did not understand.")
LIMIT_RULE = Told("Everything has a limit here, so that nothing gets out of hand.")
