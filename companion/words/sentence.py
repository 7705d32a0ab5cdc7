"""Sentences that remember how they were made, so a phone can say them in its language.

``say("{who} owes {amount}", who=..., amount=...)`` is an English ``str`` that works
wherever text does. What it was made from stays with it, and whoever shows it may ask
a catalogue for the same sentence in another language. Nothing here knows one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, Protocol

from companion.words.amount import Amount

Value = str | int


class Language(Protocol):
    """What translates: Babel's and gettext's catalogues fit."""

    def gettext(self, message: str, /) -> str:
        """*message* in this language; itself where nobody translated it."""

    def ngettext(self, singular: str, plural: str, n: int, /) -> str:
        """The form for *n*."""

    def amount(self, amount: int, /) -> str:
        """So much money as this language writes it."""


class Words(str):
    """A sentence in English with its template and what was put into it.

    Attributes:
        template: With ``{names}`` in braces; what a catalogue translates.
        plural: The template for a count other than one, or empty.
        values: By name; sentences themselves, names, amounts, numbers.
        is_capital: Its first letter was raised.
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
        text = chosen.format_map(values)
        made = super().__new__(cls, _raised(text) if is_capital else text)
        made.template, made.plural, made.values = template, plural, values
        made.is_capital = is_capital
        return made

    def with_values(self, change: Callable[[Value], Value]) -> Words:
        """The same sentence with every value changed."""
        values = {name: change(value) for name, value in self.values.items()}
        return Words(self.template, values, self.plural, is_capital=self.is_capital)


COUNT: Final = "count"
"""The value that chooses between one and many."""


def say(template: str, **values: Value) -> Words:
    """A sentence; *template* is a constant with ``{names}`` in braces.

    >>> say("{who} has the dice", who="Ada")
    'Ada has the dice'
    """
    return Words(template, values)


def say_count(count: int, one: str, many: str, **values: Value) -> Words:
    """The sentence for one, or for any other count; both may hold ``{count}``.

    >>> say_count(3, "{count} house", "{count} houses")
    '3 houses'
    """
    return Words(one, {COUNT: count, **values}, many)


def counted(one: str, many: str) -> tuple[str, str]:
    """Both forms of a sentence, kept for ``say_count``; catalogues find them here.

    >>> counted("{count} house", "{count} houses")
    ('{count} house', '{count} houses')
    """
    return one, many


def capital(text: str) -> str:
    """*text* with its first letter raised; a sentence stays one.

    >>> capital(say("the time was over"))
    'The time was over'
    """
    if isinstance(text, Words):
        return Words(text.template, text.values, text.plural, is_capital=True)
    return _raised(text)


def translated(text: str, language: Language) -> str:
    """*text* in another language; plain text, such as a name, as it is."""
    if isinstance(text, Amount):
        return language.amount(text.dollars)
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
    made = template.format_map(values)
    return _raised(made) if text.is_capital else made


def _raised(text: str) -> str:
    return text[:1].upper() + text[1:]
