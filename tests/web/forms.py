"""Reading the forms of a page, and filling them in as a browser would send them."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from html.parser import HTMLParser

from companion.words.hyphens import HYPHEN
from web.http.assets import FIRST, FOLLOWING


def without_first(html: str) -> str:
    """Return a page without the script and the tables that every page contains."""
    tables = f'type="application/json" id="following">{FOLLOWING}'
    for common in (f"<script>{FIRST}</script>", f"<script {tables}</script>"):
        assert html.count(common) == 1
        html = html.replace(common, "")
    return html


@dataclass
class Form:
    """One form of a page.

    Attributes:
        action: The address to which it is sent.
        fields: The hidden fields, which are always sent.
        choices: The values of each group of radios or options, by name.
        boxes: The name and the value of each box to tick.
        typed: The names of the fields that a person fills in.
        buttons: The name and the value of each button; both may be empty.
        words: All text in it.
        is_question: Whether it is sent by GET, and changes nothing.
    """

    action: str
    fields: dict[str, str] = field(default_factory=dict)
    choices: dict[str, list[str]] = field(default_factory=dict)
    boxes: list[tuple[str, str]] = field(default_factory=list)
    typed: list[str] = field(default_factory=list)
    buttons: list[tuple[str, str]] = field(default_factory=list)
    words: str = ""
    is_question: bool = False

    @property
    def verb(self) -> str:
        """The last word of its address."""
        return self.action.rsplit("/", 1)[-1]


def sends(button: dict[str, str]) -> bool:
    """Tell whether a button sends its form; one that closes a dialog does not."""
    return button.get("formmethod") != "dialog"


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.forms: list[Form] = []
        self.open: Form | None = None
        self.select = ""

    def handle_starttag(self, tag: str, given: list[tuple[str, str | None]]) -> None:
        attrs = {key: value or "" for key, value in given}
        if tag == "form":
            is_question = attrs.get("method") != "post"
            self.open = Form(attrs.get("action", ""), is_question=is_question)
            self.forms.append(self.open)
        if self.open is None:
            return
        name, value = attrs.get("name", ""), attrs.get("value", "")
        if tag == "button" and sends(attrs):
            self.open.buttons.append((name, value))
        elif tag == "select":
            self.select = name
        elif tag == "option":
            self.open.choices.setdefault(self.select, []).append(value)
        elif tag == "input" and attrs.get("type") == "hidden":
            self.open.fields[name] = value
        elif tag == "input" and attrs.get("type") == "radio":
            self.open.choices.setdefault(name, []).append(value)
        elif tag == "input" and name:
            self.open.typed.append(name)
            if attrs.get("type") == "checkbox":
                self.open.boxes.append((name, value))

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self.open = None

    def handle_data(self, data: str) -> None:
        if self.open is not None:
            seen = data.replace(HYPHEN, "").strip()
            self.open.words = f"{self.open.words} {seen}".strip()


def filled(dice: random.Random, form: Form) -> dict[str, str]:
    """Fill a form in at random."""
    name, value = dice.choice(form.buttons)
    sent = dict(form.fields)
    for key, values in form.choices.items():
        sent[key] = dice.choice(values)
    ticks = dict(form.boxes)
    for key in form.typed:
        if key not in ticks:
            sent[key] = str(dice.choice(SUMS))
        elif dice.random() < 0.3:
            sent[key] = ticks[key]
    if name:
        sent[name] = value
    return sent


SUMS = (1, 10, 20, 50, 100)
"""The numbers that are typed."""


def forms_of(html: str) -> list[Form]:
    """Return every form of *html* that posts, in order."""
    reader = _Reader()
    reader.feed(html)
    return [form for form in reader.forms if not form.is_question]


def questions_of(html: str) -> list[Form]:
    """Return every form of *html* that is sent by GET, in order."""
    reader = _Reader()
    reader.feed(html)
    return [form for form in reader.forms if form.is_question]
