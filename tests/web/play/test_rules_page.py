"""The page of the rules in short, and its tips."""

from __future__ import annotations

from tests.web.conftest import House, make_evening
from tests.web.guided_table import guided


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
        assert "You guess when the wheel on the die" in text
    assert "with tips" not in evening.anna.get(f"/g/{evening.game_id}/more").text


def test_anybody_may_read_the_rules(house: House) -> None:
    evening = guided(house)
    assert house.guest().get(f"/g/{evening.game_id}/rules").status_code == 200


def test_where_only_the_bank_is_kept_there_are_no_rules_to_tell(house: House) -> None:
    evening = make_evening(house)
    answer = evening.anna.get(f"/g/{evening.game_id}/rules")
    assert answer.status_code == 303
    assert "/rules" not in evening.anna.get(f"/g/{evening.game_id}/more").text
