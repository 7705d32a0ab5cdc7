"""The tables by which a page follows the table, as its own script runs them."""

from __future__ import annotations

import json
from collections import Counter
from itertools import chain
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from tests.chromium import new_context
from tests.web.following import BEGIN, END, KINDS, TABLES, WEB, both
from web.http.assets import FIRST, FOLLOWING, STATIC
from web.http.settings import PanelSettings

pytestmark = pytest.mark.browser

EVERY_ORDER = (Path(__file__).parents[1] / "every_order.js").read_text("utf-8")


@pytest.fixture
def page(browser: Browser) -> Page:
    """A page that has the script which decides, and nothing else."""
    page = new_context(browser).new_page()
    text = json.dumps(TABLES)
    tables = f'<script type="application/json" id="following">{text}</script>'
    page.set_content(tables)
    page.add_script_tag(content=(STATIC / "following.js").read_text("utf-8"))
    return page


@pytest.mark.parametrize("kind", KINDS)
def test_every_order_of_six_stimuli_leaves_a_way_back(page: Page, kind: str) -> None:
    found = page.evaluate(EVERY_ORDER, [kind, 6])
    assert found["wrong"] == []
    assert found["orders"] > 1_000
    assert set(found["states"]) == set(TABLES[kind]["states"])


@pytest.mark.parametrize("kind", KINDS)
def test_the_script_runs_the_table_as_it_is_drawn(page: Page, kind: str) -> None:
    table = TABLES[kind]
    pairs = [[kind, s, one] for s in table["states"] for one in table["stimuli"]]
    done = page.evaluate("pairs => pairs.map(one => following.step(...one))", pairs)
    rows = {(row[0], row[1]): row[2:] for row in table["rows"]}
    assert done == [rows.get((state, one), [state, []]) for _, state, one in pairs]
    assert page.evaluate("kind => following.begins(kind)", kind) == table["begins"]


@pytest.mark.parametrize("kind", KINDS)
def test_a_table_has_each_row_once_and_names_what_is_explained(kind: str) -> None:
    table = TABLES[kind]
    pairs = Counter((row[0], row[1]) for row in table["rows"])
    assert set(pairs.values()) == {1}
    states = {row[0] for row in table["rows"]} | {row[2] for row in table["rows"]}
    assert states == set(table["states"])
    assert {row[1] for row in table["rows"]} == set(table["stimuli"])
    effects = chain.from_iterable(row[3] for row in table["rows"])
    assert set(effects) == set(table["effects"])


def test_what_stands_in_a_page_is_the_table_without_its_words() -> None:
    found = json.loads(FOLLOWING)
    for kind in KINDS:
        assert found[kind] == {key: TABLES[kind][key] for key in ("begins", "rows")}
    assert len(FIRST) + len(FOLLOWING) < 6_500, "of the 60,000 that a page may have"


def test_the_readme_has_the_tables_as_the_page_has_them() -> None:
    assert f"{BEGIN}{both()}{END}" in (WEB / "README.md").read_text("utf-8")


def test_a_page_waits_longer_from_loss_to_loss_and_not_for_ever(page: Page) -> None:
    numbers = list(range(8))
    waits = page.evaluate("x => x.map(following.waitMs)", numbers)
    assert waits == [0, 1000, 2000, 4000, 8000, 15000, 15000, 15000]
    patience = page.evaluate("x => x.map(following.patienceMs)", numbers)
    assert patience == sorted(patience)
    assert patience[0] == TABLES["late_ms"]
    assert max(patience) < 30_000, "else a page is old for too long after a bad moment"


def test_silence_is_two_and_a_half_heartbeats() -> None:
    assert TABLES["silence_ms"] == 2.5 * 1000 * PanelSettings().heartbeat_s


@pytest.mark.parametrize(
    ("told", "shown", "is_news", "is_older"),
    [
        ("a-7", "a-7", False, False),
        ("a-8", "a-7", True, False),
        ("a-7", "a-8", False, True),
        ("a-10", "a-9", True, False),
        ("b-1", "a-9", True, False),  # The table was started anew.
    ],
)
def test_what_was_told_is_compared_by_start_and_count(
    page: Page, told: str, shown: str, is_news: bool, is_older: bool
) -> None:
    asked = "marks => [following.isNews(...marks), following.isOlder(...marks)]"
    assert page.evaluate(asked, [told, shown]) == [is_news, is_older]
