"""A phone reads its own language, and its words never change what happens."""

from __future__ import annotations

import ast
import re
from functools import cache

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po

from tests.running import ROOT
from tests.web.conftest import Evening, House, Phone
from web.http.language import LANGUAGES, language_of

KEYWORDS = {
    "_": None,
    "say": None,
    "say_count": (2, 3),
    "_n": (2, 3),
    "counted": (1, 2),
    "told": None,
    "Told": None,
    "called": None,
    "_with_amount": None,
}
"""What makes a sentence, and which arguments it is made of, as ``make words`` has it.

A plain name takes the first."""

PLACES = (
    ("companion", "**.py", "python"),
    ("hardware", "**.py", "python"),
    ("web", "**.py", "python"),
    ("web/templates", "**.html", "jinja2"),
    ("companion/editions", "**.toml", "companion.edition.messages:readings"),
)

OTHERS = [code for code in LANGUAGES if code != "en"]
PLACE = re.compile(r"\{(\w+)[^}]*\}")


@cache
def written() -> frozenset[tuple[str, ...]]:
    """Every message of the code; two forms where there is a plural."""
    found = set()
    for folder, pattern, method in PLACES:
        for _, _, message, *_ in extract_from_dir(
            ROOT / folder, [(pattern, method)], keywords=KEYWORDS
        ):
            found.add(forms(message))
    return frozenset(found)


def catalogue(code: str) -> Catalog:
    with (ROOT / "web/languages" / f"{code}.po").open("rb") as file:
        return read_po(file, locale=code)


def messages(code: str) -> list[Message]:
    return [message for message in catalogue(code) if message.id]


def forms(text: object) -> tuple[str, ...]:
    return tuple(text) if isinstance(text, tuple | list) else (str(text),)


TO_PROGRAMS = "expected {wanted}, got {got}"


def test_no_sentence_says_what_was_expected_and_got() -> None:
    """Programs hear that; whoever holds a phone is told in plain words."""
    known = messages(OTHERS[0])  # All that is written, by the test below.
    said = {text for message in known for text in forms(message.id)} - {TO_PROGRAMS}
    assert [text for text in said if text.startswith("expected ")] == []


@pytest.mark.parametrize("code", OTHERS)
def test_every_sentence_is_translated(code: str) -> None:
    known = {forms(message.id) for message in messages(code)}
    assert written() - known == set(), "type `make words`, then translate these"
    assert known - written() == set(), "type `make words`: nobody says these any more"
    empty = [m.id for m in messages(code) if not all(forms(m.string))]
    assert not empty, "these wait for their translation"
    assert not [m.id for m in messages(code) if m.fuzzy]


@pytest.mark.parametrize("code", OTHERS)
def test_a_translation_has_the_places_of_its_sentence(code: str) -> None:
    for message in messages(code):
        wanted = set(PLACE.findall(forms(message.id)[-1]))
        for form in forms(message.string):
            got = set(PLACE.findall(form))
            # "ein Haus" may leave the count out.
            assert got in (wanted, wanted - {"count"}), f"{message.id}: {form}"


NEVER_SAID = {
    "de": {
        r"schulde\w* .*\ban \{": "whom: somebody *muss* so much *an* somebody *zahlen*",
        r"\} Mal\b": "-mal, as in 3-mal; once is einmal",
        r"\bDecks?\b": "Album; those are playing cards",
        "Kunststoff": "Plastiklinse",
        r"[Ff]alsche\w* (Schein|Karte)": "gefälscht; what is falsch is a number",
        r"Bankleitung|führ\w* (jetzt )?die Bank": "the Bankhalter hat die Bank",
        "zu haben$|zum Kauf ": "steht zum Verkauf",
        "Community|Chance": "Gemeinschaftsfeld, Ereignisfeld",
        r"[Tt]isch (hat|konnte|kann|weiß) .*(Fehler|\bnicht\b)": "Begleiter",
    }
}
"""What a native reader stumbled over, in other languages, and what is said instead."""


@pytest.mark.parametrize("code", OTHERS)
def test_no_translation_says_what_readers_stumbled_over(code: str) -> None:
    said = [form for message in messages(code) for form in forms(message.string)]
    for never, instead in NEVER_SAID[code].items():
        assert [form for form in said if re.search(never, form)] == [], instead


@pytest.mark.parametrize("code", OTHERS)
def test_nothing_is_said_for_no_sentence(code: str) -> None:
    assert language_of(code).gettext("") == ""


def test_make_words_knows_the_same_keywords() -> None:
    named = re.findall(r"-k (\S+)", (ROOT / "Makefile").read_text())
    spelt = {
        name + (":" + ",".join(map(str, places)) if places else "")
        for name, places in KEYWORDS.items()
    }
    assert set(named) == spelt - {"_"}  # Babel knows that one by itself.


MADE_ELSEWHERE = {
    "companion/words/sentence.py": {"template", "one"},
    "companion/game/card_words.py": {"template"},  # ``_amount``.
    "companion/game/sections.py": {"label"},  # ``called``.
    "companion/views/agreed.py": {"singular"},  # ``counted``, as those below.
    "companion/views/deed_rents.py": {"singular"},
    "companion/views/pause.py": {"singular", "template"},
    "companion/views/space.py": {"singular"},
    "companion/views/story_words.py": {"singular"},
    "web/http/language.py": {"template", "one"},
}
"""Where a sentence is said whose words a keyword has collected."""


@pytest.mark.parametrize("folder", ["companion", "hardware", "web"])
def test_no_sentence_is_hidden_from_the_catalogue(folder: str) -> None:
    for file in (ROOT / folder).rglob("*.py"):
        name = str(file.relative_to(ROOT))
        for call in ast.walk(ast.parse(file.read_text())):
            if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name):
                continue
            if call.func.id not in ("say", "say_count"):
                continue
            first = call.args[call.func.id == "say_count"]
            if not isinstance(first, ast.Constant):
                said = ast.unparse(first)
                assert said in MADE_ELSEWHERE.get(name, ()), f"{name}: {said}"


def speak(phone: Phone, code: str) -> Phone:
    assert phone.post("/language", language=code, back="/").status_code == 303
    return phone


def page(phone: Phone, path: str) -> str:
    answer = phone.get(path)
    assert answer.status_code == 200, answer.text
    return str(answer.text)


def test_two_phones_see_one_game_in_their_own_words(evening: Evening) -> None:
    speak(evening.ben, "de")
    evening.anna.do(evening.game_id, "pay", payee="blue", amount="1500", payer="red")
    english = page(evening.anna, f"/g/{evening.game_id}/history")
    german = page(evening.ben, f"/g/{evening.game_id}/history")
    assert '<html lang="en"' in english
    assert "Anna paid Ben $1,500" in english
    assert '<html lang="de"' in german
    assert "Anna zahlte 1.500\N{NO-BREAK SPACE}$ an Ben" in german


def test_a_refusal_is_said_in_the_phones_language(evening: Evening) -> None:
    answer = speak(evening.ben, "de").do(
        evening.game_id, "pay", payee="red", amount="9999", payer="blue"
    )
    assert answer.status_code == 409
    assert (
        "Du hast 3.000\N{NO-BREAK SPACE}$; das kostet 9.999\N{NO-BREAK SPACE}$."
        in answer.text
    )
    assert "Besorge erst 6.999\N{NO-BREAK SPACE}$." in answer.text


def test_programs_are_told_in_english(evening: Evening) -> None:
    speak(evening.ben, "de")
    answer = evening.ben.client.post(
        f"/api/games/{evening.game_id}/commands",
        json={
            "command_id": "command-of-a-program",
            "command": {"type": "Pay", "payer": "blue", "payee": "red", "amount": 9999},
        },
        headers={"Origin": "http://localhost"},
    )
    assert answer.json["error"] == "blue has $3,000; this costs $9,999"


@pytest.mark.parametrize(
    ("asked", "code"),
    [("de-AT,de;q=0.9,en;q=0.5", "de"), ("en-GB,en;q=0.9", "en"), ("fi", "en")],
)
def test_the_browser_says_what_it_reads(house: House, asked: str, code: str) -> None:
    answer = house.guest().get("/start", **{"Accept-Language": asked})
    assert f'<html lang="{code}"' in answer.text


def test_a_language_that_is_not_there_is_refused(house: House) -> None:
    assert house.guest().post("/language", language="xx").status_code == 400


def test_a_cookie_of_nonsense_is_ignored(house: House) -> None:
    guest = house.guest()
    guest.client.set_cookie("language", "../de")
    assert '<html lang="en"' in page(guest, "/start")


def test_markup_in_a_name_stays_text_in_a_translated_sentence(house: House) -> None:
    host = house.host()
    answer = host.post("/games", edition="classic", name="Friday")
    game_id = answer.headers["Location"].split("/")[2]
    villain = speak(house.seated(game_id, "<b>x</b>", "red", "hat"), "de")
    assert "<b>x</b>" not in page(villain, f"/g/{game_id}/history")
    assert "&lt;b&gt;x&lt;/b&gt; nahm mit 1.500\N{NO-BREAK SPACE}$ Platz" in page(
        villain, f"/g/{game_id}/history"
    )


def test_the_british_printing_counts_in_pounds(house: House) -> None:
    host = house.host()
    answer = host.post("/games", edition="classic", name="Friday", printing="uk")
    game_id = answer.headers["Location"].split("/")[2]
    anna = house.seated(game_id, "Anna", "red", "hat")
    text = page(anna, f"/g/{game_id}/")
    assert "£1,500" in text
    assert "$1,500" not in text
