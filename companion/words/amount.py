"""Money as text that knows how much it is, and can be written in another way."""

from __future__ import annotations

from typing import Final

from companion.units import Dollars

MINUS: Final = "\N{MINUS SIGN}"
"""As wide as a plus in tabular figures, unlike the hyphen."""


class Amount(str):
    """Money as text that still knows how much it is, for other ways to write it.

    Attributes:
        dollars: Whole dollars; below zero for the bank's account.
    """

    __slots__ = ("dollars",)

    dollars: Dollars

    def __new__(cls, dollars: Dollars, currency: str = "$") -> Amount:
        """Written the English way."""
        sign = MINUS if dollars < 0 else ""
        made = super().__new__(cls, f"{sign}{currency}{abs(dollars):,}")
        made.dollars = dollars
        return made
