"""The page of the rules in short, and its tips."""

from __future__ import annotations

import re
from itertools import product

from markupsafe import escape

from companion.edition import builtin, editions
from companion.words import translated
from tests.sample import each
from tests.web.conftest import House, make_evening
from tests.web.guided_table import guided
from web.http.language import LANGUAGES, language_of
from web.play.option_words import left_open

WORDS_MAX = 14
"""The most words of a sentence, as ``web/README.md`` has it."""


def test_more_leads_to_the_rules_of_this_game(house: House) -> None:
    evening = guided(house, "mega", 3)
    more = evening.anna.get(f"/g/{evening.game_id}/more").text
    assert f'href="/g/{evening.game_id}/rules"' in more
    assert "in short, with tips for winning" in more
    text = evening.anna.get(f"/g/{evening.game_id}/rules").text
    assert "You roll two white dice and a third one" in text
    assert "<h2>Bus tickets</h2>" in text
    assert "Rules of the Mega Edition" in text
    assert '<cite lang="en">Bus tickets</cite>' in text
    assert text.count("<details") == text.count("</details>") >= 8


def test_tips_are_a_tap_further_where_there_are_any(house: House) -> None:
    evening = guided(house, "mega", 3)
    path = f"/g/{evening.game_id}/rules"
    assert 'href="?of=tips"' in evening.anna.get(path).text
    tips = evening.anna.get(f"{path}?of=tips").text
    assert tips.count('<li class="card">') == 10
    assert "Three houses are the goal" in tips
    german = evening.ben.get(f"{path}?of=tips", **{"Accept-Language": "de"}).text
    assert "Tipps zum Gewinnen" in german
    assert "Drei Häuser sind das Ziel" in german


def test_a_box_without_tips_has_its_rules_only(house: House) -> None:
    evening = guided(house, "secret-vault", 3)
    path = f"/g/{evening.game_id}/rules"
    for address in (path, f"{path}?of=tips"):
        text = evening.anna.get(address).text
        assert "?of=tips" not in text
        assert "You guess when the lock on the die" in text
    assert "with tips" not in evening.anna.get(f"/g/{evening.game_id}/more").text


def test_anybody_may_read_the_rules(house: House) -> None:
    evening = guided(house)
    assert house.guest().get(f"/g/{evening.game_id}/rules").status_code == 200


def test_where_only_the_bank_is_kept_there_are_no_rules_to_tell(house: House) -> None:
    evening = make_evening(house)
    answer = evening.anna.get(f"/g/{evening.game_id}/rules")
    assert answer.status_code == 303
    assert "/rules" not in evening.anna.get(f"/g/{evening.game_id}/more").text


# What the sheets leave open.


@each(("edition", "language"), product(editions(), LANGUAGES))
def test_each_open_rule_is_told_with_its_option_or_that_there_is_none(
    edition: str, language: str
) -> None:
    readings = builtin(edition).readings
    rows = left_open(builtin(edition), {})
    assert [row.topic for row in rows] == [one.topic for one in readings]
    for row, one in zip(rows, readings, strict=True):
        assert bool(row.question) == bool(one.option) != bool(row.other)
        for text in filter(None, (row.topic, row.words, row.other, row.question)):
            said = translated(text, language_of(language))
            assert (said == text) == (language == "en"), text
            for sentence in re.split(r"(?<=[.?!:;])(?<!Mr\.) ", said):
                assert len(sentence.split()) <= WORDS_MAX, sentence


def test_the_page_tells_each_open_rule_and_the_tables_own_choice(house: House) -> None:
    evening = guided(house, "secret-vault", 3, options={"guess_fee_to": "vault"})
    path = f"/g/{evening.game_id}/rules"
    text = evening.anna.get(path).text
    readings = builtin("secret-vault").readings
    assert all(f"<b>{escape(one.topic)}</b>" in text for one in readings)
    assert text.count("No option.") + text.count("An option:") == len(readings)
    assert "<b>Who gets the fee for a guess</b><br>The vault" in text
    assert "No option. Some play: You may keep the key." in text
    german = evening.ben.get(path, **{"Accept-Language": "de"}).text
    assert "Nicht wählbar. Manche spielen: Du darfst den Schlüssel behalten." in german
