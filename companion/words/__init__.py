"""Sentences that can be said in another language, amounts, and the words of reports.

``say`` makes a sentence; whoever shows it may have it translated.
"""

from companion.words.sentence import (
    Language,
    Value,
    Words,
    capital,
    counted,
    say,
    say_count,
    translated,
)

__all__ = [
    "Language",
    "Value",
    "Words",
    "capital",
    "counted",
    "say",
    "say_count",
    "translated",
]
