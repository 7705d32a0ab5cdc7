"""Which language a phone reads, and the translation of every sentence into it.

English is written in the code; every other language is a ``.po`` file in
``web/languages``, made and checked with Babel. Sentences from the core carry their
template (``companion/words/sentence.py``), so only here, for a page, they are
translated.
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
LANGUAGES = {ENGLISH: "English", "de": "Deutsch"}
"""Languages by their code, each with the name it gives itself."""

DOLLAR = "$"
COOKIE = "language"


class English:
    """English, the language of the code: its messages need no translation.

    Args:
        currency: The sign of money, as the edition on the page has it.
    """

    code: Final = ENGLISH

    def __init__(self, currency: str) -> None:
        self.currency = currency

    def gettext(self, message: str, /) -> str:
        """*message*, unchanged."""
        return message

    def ngettext(self, singular: str, plural: str, n: int, /) -> str:
        """*singular* if *n* is 1, else *plural*."""
        return singular if n == 1 else plural

    def amount(self, amount: int, /) -> str:
        """Whole money as English writes it: ``$1,500``."""
        return Amount(amount, self.currency)


class Translated:
    """A language that was read from its ``.po`` file.

    Args:
        code: The code of the language, such as ``de``.
        currency: The sign of money, as the edition on the page has it.
    """

    def __init__(self, code: str, currency: str) -> None:
        from babel import Locale

        locale = Locale.parse(code)
        money = locale.currency_formats["standard"].pattern
        self.code, self.currency = code, currency
        self._sentences = _catalogue(code)
        self._gap = locale.number_symbols["latn"]["group"]
        self._is_sign_first = money.startswith("\N{CURRENCY SIGN}")

    def gettext(self, message: str, /) -> str:
        """*message* in this language; unchanged where nobody has translated it."""
        # Under the empty message a catalogue keeps its own header.
        return self._sentences.gettext(message) if message else ""

    def ngettext(self, singular: str, plural: str, n: int, /) -> str:
        """The message for *n*, in the singular or plural that this language uses."""
        return self._sentences.ngettext(singular, plural, n)

    def amount(self, amount: int, /) -> str:
        """Whole money as this language writes it: ``1.500 $`` in German."""
        sign = MINUS if amount < 0 else ""
        number = f"{abs(amount):,}".replace(",", self._gap)
        if self._is_sign_first:
            return f"{sign}{self.currency}{number}"
        return f"{sign}{number}\N{NO-BREAK SPACE}{self.currency}"


@cache
def _catalogue(code: str) -> NullTranslations:
    # Babel is slow to import, and a table of English phones never needs it.
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po
    from babel.support import Translations

    written = resources.files("web").joinpath("languages", f"{code}.po")
    with written.open("rb") as file:
        catalogue = read_po(file, locale=code)
    compiled = io.BytesIO()
    write_mo(compiled, catalogue)
    compiled.seek(0)
    return Translations(compiled)


Spoken = English | Translated


@cache
def language_of(code: str, currency: str = DOLLAR) -> Spoken:
    """The language with this code, for amounts with that sign.

    Args:
        code: One of ``LANGUAGES``.
        currency: As an edition has it.
    """
    return English(currency) if code == ENGLISH else Translated(code, currency)


PLAIN: Final = language_of(ENGLISH)
"""English with dollars: every sentence of the code is written in it already."""

_here: ContextVar[Spoken] = ContextVar("language", default=PLAIN)
"""The language of the request that this thread answers."""


def language_asked(asking: Request) -> str:
    """The language that a request's phone has chosen, or that its browser asks for."""
    chosen = asking.cookies.get(COOKIE, "")
    if chosen in LANGUAGES:
        return chosen
    return asking.accept_languages.best_match(LANGUAGES, ENGLISH)


def phones_language() -> Spoken:
    """The language of the phone that sent this request; elsewhere ``PLAIN``."""
    return _here.get()


def pay_in(currency: str) -> None:
    """Write amounts with the sign of the game that the page shows, from now on."""
    language = _here.get()
    if language.currency != currency:
        _here.set(language_of(language.code, currency))


def _speak(code: str) -> None:
    _here.set(language_of(code))


def language_code() -> str:
    """Return the code of ``phones_language``."""
    return phones_language().code


def million() -> str:
    """Return 1,000,000 as the page writes it, which tells how it reads amounts."""
    return phones_language().amount(1_000_000)


def clock_time(at_ms: int) -> Markup:
    """Mark up the time of *at_ms* on the clock at the table: ``20:05``."""
    moment = _at_table(at_ms)
    return _time(moment, f"{moment:%H:%M}")


def day_time(at_ms: int) -> Markup:
    """Mark up the table's day of *at_ms*, in the page's words: ``21 November 2025``."""
    moment = _at_table(at_ms)
    if language_code() == ENGLISH:
        return _time(moment, f"{moment.day} {moment:%B %Y}", " data-day")
    from babel.dates import format_date

    words = format_date(moment, "long", locale=language_code())
    return _time(moment, words, " data-day")


def _at_table(at_ms: int) -> datetime:
    return datetime.fromtimestamp(at_ms / 1000, tz=UTC).astimezone()


def _time(moment: datetime, words: str, kind: str = "") -> Markup:
    """Mark up *words* as a time, which ``morphing.js`` writes by the phone's clock."""
    instant = moment.astimezone(UTC).isoformat(timespec="seconds")
    markup = '<time datetime="{}"{}>{}</time>'
    return Markup(markup).format(instant, Markup(kind), words)


def local_text(text: object) -> object:
    """What a template prints: a sentence or an amount in this phone's language.

    Other text may be a name, and is set apart if it runs from right to left.
    """
    if isinstance(text, Markup) or not isinstance(text, str):
        return text
    return _local(text) if isinstance(text, TRANSLATABLE) else isolated(text)


TRANSLATABLE = (Words, Amount)


def printed(value: object) -> str:
    """Return what a template prints as it stands in a page, where ``<`` is no tag."""
    if isinstance(value, Markup):
        return value
    text = value if type(value) is str and value.isascii() else str(local_text(value))
    return escape(text) if SPECIAL(text) else text


SPECIAL: Final = re.compile("[&<>'\"]").search


def _local(text: str) -> str:
    language = phones_language()
    return text if language is PLAIN else translated(text, language)


def gettext(template: str, **values: Value) -> str:
    """``_`` in templates: a translated sentence; markup in its values stays markup."""
    if not values:
        return phones_language().gettext(template)
    return _said(partial(say, template), values)


def ngettext(count: int, one: str, many: str, **values: Value) -> str:
    """``_n`` in templates: the same for a count; both forms may hold ``{count}``."""
    return _said(partial(say_count, count, one, many), values)


def _said(make: Callable[..., Words], values: dict[str, Value]) -> str:
    if not any(isinstance(value, Markup) for value in values.values()):
        return str(_local(make(**values)))
    # A mark holds the place of each value while the sentence is translated.
    places = {name: f"\N{SOH}{name}\N{STX}" for name in values}
    text = str(escape(_local(make(**places))))
    for name, place in places.items():
        text = text.replace(place, str(escape(local_text(values[name]))))
    return Markup(text)


def install_language(app: Flask) -> None:
    """Give templates ``_`` and ``_n``, this phone's language and the currency.

    What they print goes through ``local_text``: see ``create_app``. Call it before
    anything that speaks to a phone.
    """
    app.before_request(lambda: _speak(language_asked(request)))
    app.teardown_request(lambda _: _speak(ENGLISH))
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
