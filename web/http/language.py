"""The language of each phone, and the translation of every sentence into it.

The code contains the English sentences; every other language is a *catalogue*, a
``.po`` file in ``web/languages``, made and checked with Babel. Sentences from the core
keep their template and its values (``companion/words/sentence.py``), and are translated
here when a page is rendered. Amounts are written in the way of the language, with the
currency sign of the edition on the page.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from contextvars import ContextVar
from datetime import UTC, datetime
from functools import cache, partial
from gettext import NullTranslations
from importlib import resources
from typing import Final

from flask import Flask, request
from markupsafe import Markup, escape
from werkzeug.wrappers import Request

from companion.words import Value, Words, isolated, say, say_count, translated
from companion.words.amount import MINUS, Amount
from companion.words.money import AMOUNT_MAX, amount_form

ENGLISH = "en"
"""The code of the language of all sentences in the code."""

LANGUAGES = {ENGLISH: "English", "de": "Deutsch"}
"""The languages' own names, by code."""

DOLLAR = "$"
"""The currency sign of a page that shows no edition."""

COOKIE = "language"
"""The cookie with the code of the language that a phone chose."""


class English:
    """English, whose sentences need no translation.

    Args:
        currency: The currency sign of the edition on the page.
    """

    code: Final = ENGLISH

    def __init__(self, currency: str) -> None:
        self.currency = currency

    def gettext(self, message: str, /) -> str:
        """Return *message*, unchanged."""
        return message

    def ngettext(self, singular: str, plural: str, n: int, /) -> str:
        """Return *singular* if *n* is 1, else *plural*."""
        return singular if n == 1 else plural

    def amount(self, amount: int, /) -> str:
        """Write an amount in the English way: ``$1,500``."""
        return Amount(amount, self.currency)


class Translated:
    """A language that was read from its ``.po`` file.

    Args:
        code: The code of the language, such as ``de``.
        currency: The currency sign of the edition on the page.
    """

    def __init__(self, code: str, currency: str) -> None:
        from babel import Locale

        locale = Locale.parse(code)
        money_pattern = locale.currency_formats["standard"].pattern
        self.code, self.currency = code, currency
        self._sentences = _read_catalogue(code)
        self._thousands_separator = locale.number_symbols["latn"]["group"]
        self._is_sign_first = money_pattern.startswith("\N{CURRENCY SIGN}")

    def gettext(self, message: str, /) -> str:
        """Translate *message*; return it unchanged if there is no translation."""
        # A catalogue's header is the translation of the empty message.
        return self._sentences.gettext(message) if message else ""

    def ngettext(self, singular: str, plural: str, n: int, /) -> str:
        """Translate a message about *n* things, in the form that *n* needs."""
        return self._sentences.ngettext(singular, plural, n)

    def amount(self, amount: int, /) -> str:
        """Write an amount in the way of this language: ``1.500 $`` in German."""
        sign = MINUS if amount < 0 else ""
        digits = f"{abs(amount):,}".replace(",", self._thousands_separator)
        if self._is_sign_first:
            return f"{sign}{self.currency}{digits}"
        return f"{sign}{digits}\N{NO-BREAK SPACE}{self.currency}"


@cache
def _read_catalogue(code: str) -> NullTranslations:
    # Babel is slow to import, and a table of English phones never needs it.
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po
    from babel.support import Translations

    source = resources.files("web").joinpath("languages", f"{code}.po")
    with source.open("rb") as file:
        catalogue = read_po(file, locale=code)
    compiled = io.BytesIO()
    write_mo(compiled, catalogue)
    compiled.seek(0)
    return Translations(compiled)


AnyLanguage = English | Translated


@cache
def language_of(code: str, currency: str = DOLLAR) -> AnyLanguage:
    """Return the language *code*, which writes amounts with the sign *currency*."""
    return English(currency) if code == ENGLISH else Translated(code, currency)


PLAIN: Final = language_of(ENGLISH)
"""English with dollars, as in the code."""

_language: ContextVar[AnyLanguage] = ContextVar("language", default=PLAIN)
"""The language of the request that the present thread answers."""


def language_asked(phone_request: Request) -> str:
    """Return the code of the language that a phone chose, or its browser prefers."""
    chosen = phone_request.cookies.get(COOKIE, "")
    if chosen in LANGUAGES:
        return chosen
    return phone_request.accept_languages.best_match(LANGUAGES, ENGLISH)


def phones_language() -> AnyLanguage:
    """Return the language of this request's phone; outside a request, ``PLAIN``."""
    return _language.get()


def set_currency(currency: str) -> None:
    """Write amounts with this currency sign for the rest of the request."""
    language = _language.get()
    if language.currency != currency:
        _language.set(language_of(language.code, currency))


def _set_language(code: str) -> None:
    _language.set(language_of(code))


def language_code() -> str:
    """Return the code of this phone's language, such as ``de``."""
    return phones_language().code


def million() -> str:
    """Write 1,000,000 in this phone's language, as a sample of its separators."""
    return phones_language().amount(1_000_000)


def clock_time(at_ms: int) -> Markup:
    """Mark up the table's time of day at *at_ms*: ``20:05``."""
    moment = _at_table(at_ms)
    return _mark_up_time(moment, f"{moment:%H:%M}")


def day_time(at_ms: int) -> Markup:
    """Mark up the table's date at *at_ms*: ``21 November 2025``, or its translation."""
    moment = _at_table(at_ms)
    if language_code() == ENGLISH:
        return _mark_up_time(moment, f"{moment.day} {moment:%B %Y}", " data-day")
    from babel.dates import format_date

    words = format_date(moment, "long", locale=language_code())
    return _mark_up_time(moment, words, " data-day")


def _at_table(at_ms: int) -> datetime:
    return datetime.fromtimestamp(at_ms / 1000, tz=UTC).astimezone()


def _mark_up_time(moment: datetime, words: str, kind: str = "") -> Markup:
    """Mark up *words* as a time, which ``morphing.js`` converts to the phone's zone.

    *kind* is a further attribute, ``data-day`` for a date.
    """
    instant = moment.astimezone(UTC).isoformat(timespec="seconds")
    markup = '<time datetime="{}"{}>{}</time>'
    return Markup(markup).format(instant, Markup(kind), words)


def translate_for_phone(text: object) -> object:
    """Translate a sentence or an amount that a template prints for this phone.

    Other text may be a name, and is isolated from the text around it if it runs from
    right to left. Markup, and values that are not text, are returned unchanged.
    """
    if isinstance(text, Markup) or not isinstance(text, str):
        return text
    return _translate(text) if isinstance(text, TRANSLATABLE) else isolated(text)


TRANSLATABLE = (Words, Amount)
"""The types of text that change with the language."""


def printed(value: object) -> str:
    """Translate and escape a value that a template prints."""
    if isinstance(value, Markup):
        return value
    if type(value) is str and value.isascii():
        text = value  # Most values: they need no translation and no isolation.
    else:
        text = str(translate_for_phone(value))
    return escape(text) if find_unsafe(text) else text


find_unsafe: Final = re.compile("[&<>'\"]").search
"""Finds a character that must be escaped in a page."""


def _translate(text: str) -> str:
    """Translate a sentence or an amount into this phone's language."""
    language = phones_language()
    return text if language is PLAIN else translated(text, language)


def gettext(template: str, **values: Value) -> str:
    """Translate a sentence; templates call this ``_``. Markup in *values* is kept."""
    if not values:
        return phones_language().gettext(template)
    return _translate_with(partial(say, template), values)


def ngettext(count: int, one: str, many: str, **values: Value) -> str:
    """Translate a sentence with a count; templates call this ``_n``.

    Args:
        count: The count, which chooses the form and stands for ``{count}`` in it.
        one: The sentence for a count of 1.
        many: The sentence for all other counts.
        values: The values of the sentence's other placeholders.
    """
    return _translate_with(partial(say_count, count, one, many), values)


def _translate_with(make: Callable[..., Words], values: dict[str, Value]) -> str:
    """Translate the sentence that *make* builds from *values*; keep their markup."""
    if not any(isinstance(value, Markup) for value in values.values()):
        return str(_translate(make(**values)))
    # A marker stands for each value while the sentence is translated and escaped.
    markers = {name: f"\N{SOH}{name}\N{STX}" for name in values}
    text = str(escape(_translate(make(**markers))))
    for name, marker in markers.items():
        text = text.replace(marker, str(escape(translate_for_phone(values[name]))))
    return Markup(text)


def install_language(app: Flask) -> None:
    """Set the language of each request, and give templates ``_``, ``_n`` and others.

    Call this before installing anything that answers with a sentence.
    """
    app.before_request(lambda: _set_language(language_asked(request)))
    app.teardown_request(lambda _: _set_language(ENGLISH))
    app.jinja_env.globals |= {
        "_": gettext,
        "_n": ngettext,
        "language": language_code,
        "languages": LANGUAGES,
        "currency": lambda: phones_language().currency,
        "money_form": lambda: phones_language().amount(0),
        "amount_form": lambda: amount_form(million()).pattern,
        "amount_max": AMOUNT_MAX,
    }
