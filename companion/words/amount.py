"""An amount of money as text that can still be rewritten for another language."""

from __future__ import annotations

from typing import Final

from companion.units import Dollars

MINUS: Final = "\N{MINUS SIGN}"
"""The sign of a negative amount; unlike a hyphen, it is as wide as a plus."""

LIKELY: Final = "\N{ALMOST EQUAL TO}"
"""The mark of a probable amount, where nobody knows the real one."""


class Amount(str):
    """An amount of money as text that keeps its number.

    Attributes:
        dollars: Whole dollars; below zero for the bank's account.
        is_likely: Whether it is only probable.
    """

    __slots__ = ("dollars", "is_likely")

    dollars: Dollars
    is_likely: bool

    def __new__(
        cls, dollars: Dollars, currency: str = "$", *, is_likely: bool = False
    ) -> Amount:
        """Write *dollars* the English way, like ``$1,200`` or ``≈$60``."""
        sign = MINUS if dollars < 0 else ""
        mark = LIKELY if is_likely else ""
        made = super().__new__(cls, f"{mark}{sign}{currency}{abs(dollars):,}")
        made.dollars = dollars
        made.is_likely = is_likely
        return made
