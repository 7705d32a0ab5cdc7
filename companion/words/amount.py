"""An amount of money as text that can still be rewritten for another language."""

from __future__ import annotations

from typing import Final

from companion.units import Dollars

MINUS: Final = "\N{MINUS SIGN}"
"""As wide as a plus in tabular figures, unlike the hyphen."""


class Amount(str):
    """Text for an amount of money that keeps the number, so it can be rewritten.

    Attributes:
        dollars: Whole dollars; below zero for the bank's account.
    """

    __slots__ = ("dollars",)

    dollars: Dollars

    def __new__(cls, dollars: Dollars, currency: str = "$") -> Amount:
        """Write *dollars* the English way, like ``$1,200``."""
        sign = MINUS if dollars < 0 else ""
        made = super().__new__(cls, f"{sign}{currency}{abs(dollars):,}")
        made.dollars = dollars
        return made
