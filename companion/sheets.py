"""The rule sheets, and rules in the words that refusals quote.

A rule is a constant of the module that implements it. That module's ``Source`` names
the same section of the same sheet; a test compares the two.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from typing import NamedTuple

from companion.errors import Refused, Why


class Sheet(enum.Enum):
    """The rule sheets, with the words by which docstrings and editions name them.

    Journals keep these words, so they never change.
    """

    STANDARD = "the standard rules in the Mega booklet"
    GRAB_AND_GO = "Grab & Go's sheet"
    SECRET_VAULT = "the Secret Vault article"
    CASH_DECODER = "Cash Decoder's sheet"
    CROOKED_CASH = "the Crooked Cash article"
    MEGA = "the Mega booklet"


STANDARD, GRAB, SECRET = Sheet.STANDARD, Sheet.GRAB_AND_GO, Sheet.SECRET_VAULT
DECODER, CROOKED, BOOKLET = Sheet.CASH_DECODER, Sheet.CROOKED_CASH, Sheet.MEGA
"""Short names of the sheets, for the constants of rules."""


class Told(NamedTuple):
    """A rule in words; the name of its constant ends with ``_RULE``.

    Attributes:
        words: Whole sentences, with names of figures in braces (``views/why.py``).
        sections: Sheet -> the section that states it; empty for a rule of our own.
    """

    words: str
    sections: Mapping[Sheet, str] = {}

    def refuses(self, why: Why, message: str, remedy: str) -> Refused:
        """Build a refusal by this rule, as ``Refused`` describes it."""
        return Refused(self, why, message, remedy)


TYPED_RULE = Told("The companion does nothing that it did not understand.")
LIMIT_RULE = Told("Everything has a limit here, so that nothing gets out of hand.")
