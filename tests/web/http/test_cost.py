"""What a page costs, in calls of functions: they are the same on every machine.

And that what is kept for the next page is what would be worked out for it anew.
"""

from __future__ import annotations

import cProfile
import random
import re
from itertools import product
from pathlib import Path

import pytest

from companion.errors import Refused
from companion.views import book
from tests.guided import random_move
from tests.running import ROOT
from tests.sample import sampled
from tests.web.conftest import Evening, House, Phone
from tests.web.guided_table import give, guided

CALLS_MAX = 8_000
"""Of a seat's page and the table's screen, on average; it was 25,000 once."""

OF_A_SCRIPT = {"X-Requested-With": "script", "Accept": "text/html"}
BOXES = ("classic", "grab-and-go", "secret-vault", "crooked-cash", "mega")
TAP = re.compile(r'(?<=name="command_id" value=")[\w-]+')


def calls(evening: Evening, phones: list[Phone]) -> float:
    """Count the calls for a page of each phone and of the table's screen."""
    counted = cProfile.Profile()
    counted.enable()
    for phone in phones:
        phone.get(f"/g/{evening.game_id}/", **OF_A_SCRIPT)
    evening.house.guest().get("/table", **OF_A_SCRIPT)
    counted.disable()
    return sum(one.callcount for one in counted.getstats()) / (len(phones) + 1)


def test_a_page_costs_no_more_than_so_many_calls(house: House) -> None:
    evening = guided(house, "classic", 8)
    phones = [evening.anna, evening.ben] * 4
    calls(evening, phones)  # Templates are compiled, and what stays is drawn.
    evening.anna.do(evening.game_id, "roll", **{"die-1": 4, "die-2": 6})
    assert calls(evening, phones) <= CALLS_MAX


def pages(evening: Evening) -> list[str]:
    """What every phone, and the table's screen, show now in each language."""
    game, shown = evening.game_id, []
    for phone in (evening.host, evening.anna, evening.ben, evening.house.guest()):
        for language in ("en", "de"):
            phone.client.set_cookie("language", language)
            for path in ("", "bank", "board", "deeds", "more"):
                shown.append(phone.get(f"/g/{game}/{path}").text)
            shown.append(phone.get("/table").text)
            shown.append(phone.get(f"/api/games/{game}").text)
    return [TAP.sub("", one) for one in shown]


@pytest.mark.parametrize("case", sampled(product(range(6), reversed(BOXES))), ids=str)
def test_what_is_kept_is_what_would_be_worked_out_anew(
    case: tuple[int, str], house: House
) -> None:
    seed, box = case
    evening, dice = guided(house, box, 3), random.Random(seed)
    drawn = house.app.jinja_env.globals["once"]
    for number in range(12):
        try:
            give(evening, random_move(dice, house.table.game(evening.game_id)))
        except Refused:
            continue
        if number % 4 == 3:
            evening.host.do(evening.game_id, "undo")
        kept = pages(evening)
        assert not any("command_id" in one for one in drawn._drawings.values())
        book._pages.clear()
        drawn._drawings.clear()
        assert pages(evening) == kept


def test_no_page_of_play_makes_its_macros_anew() -> None:
    """A macro that is imported with a page's values is made for each page."""
    folder = ROOT / "web" / "templates"
    left = {folder / name for name in ("play.html", "table.html", "board.html")}
    found: set[Path] = set()
    while left:
        template = left.pop()
        found.add(template)
        text = template.read_text()
        assert "with context %}" not in text, template
        named = re.findall(r'(?:import|from|extends|include) "([\w/]+\.html)"', text)
        left |= {folder / name for name in named} - found
