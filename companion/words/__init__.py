"""Translatable sentences, amounts of money, and the wording of error reports.

``say`` makes an English sentence; the page that shows it may have it translated.
"""

from companion.words.sentence import (
    Language,
    Value,
    Words,
    capital,
    counted,
    isolated,
    say,
    say_count,
    told,
    translated,
)

__all__ = [
    "Language",
    "Value",
    "Words",
    "capital",
    "counted",
    "isolated",
    "say",
    "say_count",
    "told",
    "translated",
]
