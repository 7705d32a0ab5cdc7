"""English sentences that keep their template and values, so pages can translate them.

``say("{who} owes {amount}", who=..., amount=...)`` is an English ``str`` that works
wherever text does. The page that shows it can look its template up in a catalogue of
translations.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping
from typing import Final, Protocol

from companion.words.amount import LIKELY, Amount

Value = str | int
"""A value in a sentence: another sentence, a name, an amount or a number."""

ISOLATE = "\N{FIRST STRONG ISOLATE}"
END_OF_ISOLATE = "\N{POP DIRECTIONAL ISOLATE}"
"""The two marks around a text that may run in the other direction."""

RIGHT_TO_LEFT = ("R", "AL")
"""Unicode's classes of letters that run from right to left."""

FIND_RIGHT_TO_LEFT_BLOCK = re.compile(
    "[\u0590-\u08ff\u200f\ufb1d-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]"
).search
"""Quickly finds texts that may hold such letters, by Unicode's blocks."""


class Language(Protocol):
    """A language to translate into: gettext's methods, and a way to write money."""

    def gettext(self, message: str, /) -> str:
        """Translate *message*; return it unchanged if it has no translation."""

    def ngettext(self, singular: str, plural: str, n: int, /) -> str:
        """Return the translated form for a count of *n*."""

    def amount(self, amount: int, /) -> str:
        """Write an amount of whole dollars as this language does."""


class Words(str):
    """A sentence in English with its template and the values put into it.

    Attributes:
        template: The text with ``{names}`` in braces, which a catalogue translates.
        plural: The template for a count other than one, or empty.
        values: The values by name.
        is_capital: Whether its first letter was made a capital.
    """

    __slots__ = ("is_capital", "plural", "template", "values")

    template: str
    plural: str
    values: Mapping[str, Value]
    is_capital: bool

    def __new__(
        cls,
        template: str,
        values: Mapping[str, Value],
        plural: str = "",
        *,
        is_capital: bool = False,
    ) -> Words:
        """Fill the template in."""
        count = values.get(COUNT)
        chosen = plural if plural and count != 1 else template
        text = _filled(chosen, values)
        made = super().__new__(cls, _raised(text) if is_capital else text)
        made.template, made.plural, made.values = template, plural, values
        made.is_capital = is_capital
        return made

    def with_values(self, change: Callable[[Value], Value]) -> Words:
        """Return the same sentence with every value changed."""
        values = {name: change(value) for name, value in self.values.items()}
        return Words(self.template, values, self.plural, is_capital=self.is_capital)


COUNT: Final = "count"
"""The name of the value that chooses between singular and plural."""


def say(template: str, **values: Value) -> Words:
    """Make a translatable sentence from a constant with ``{names}`` in braces.

    >>> say("{who} has the dice", who="Ada")
    'Ada has the dice'
    """
    return Words(template, values)


def say_count(count: int, one: str, many: str, **values: Value) -> Words:
    """Make a sentence that depends on a count; both forms may hold ``{count}``.

    >>> say_count(3, "{count} house", "{count} houses")
    '3 houses'
    """
    return Words(one, {COUNT: count, **values}, many)


def counted(one: str, many: str) -> tuple[str, str]:
    """Mark both forms of a sentence for translators; ``say_count`` takes them later.

    >>> counted("{count} house", "{count} houses")
    ('{count} house', '{count} houses')
    """
    return one, many


def told(template: str) -> str:
    """Mark a template, with fields of an event in braces, for translators.

    >>> told("{seat} has the dice")
    '{seat} has the dice'
    """
    return template


def capital(text: str) -> str:
    """Give *text* a capital first letter; a sentence stays translatable.

    >>> capital(say("the time was over"))
    'The time was over'
    """
    if isinstance(text, Words):
        return Words(text.template, text.values, text.plural, is_capital=True)
    return _raised(text)


def translated(text: str, language: Language) -> str:
    """Translate *text*; plain text, such as a name, stays as it is."""
    if isinstance(text, Amount):
        mark = LIKELY if text.is_likely else ""
        return f"{mark}{language.amount(text.dollars)}"
    if not isinstance(text, Words):
        return text
    values = {
        name: translated(value, language) if isinstance(value, str) else value
        for name, value in text.values.items()
    }
    count = text.values.get(COUNT)
    if text.plural and isinstance(count, int):
        template = language.ngettext(text.template, text.plural, count)
    else:
        template = language.gettext(text.template)
    made = _filled(template, values)
    return _raised(made) if text.is_capital else made


def isolated(text: str) -> str:
    """Isolate *text* with two marks if it holds letters that run from right to left.

    Without them, an amount after a Hebrew or Arabic name would be shown before it. They
    work in any text as ``<bdi>`` does in a page (Unicode Standard Annex 9, 2.4).

    >>> isolated("Ada")
    'Ada'
    """
    if text.isascii() or not FIND_RIGHT_TO_LEFT_BLOCK(text):
        return text
    if not any(unicodedata.bidirectional(letter) in RIGHT_TO_LEFT for letter in text):
        return text
    return f"{ISOLATE}{text}{END_OF_ISOLATE}"


def _filled(template: str, values: Mapping[str, Value]) -> str:
    """Fill the values into a template, isolating texts."""
    if not values:
        return template
    return template.format_map(
        {
            name: isolated(value) if isinstance(value, str) else value
            for name, value in values.items()
        }
    )


def _raised(text: str) -> str:
    return text[:1].upper() + text[1:]
