"""A server whose addresses all lie under a path: every way out leads there."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from werkzeug.exceptions import HTTPException
from werkzeug.routing import RoutingException

from companion.table import VaultParts
from hardware.vault.simulated import SimulatedVault
from tests.fakes import FakeClock
from tests.sample import each, sampled
from tests.web import scenes
from tests.web.conftest import ORIGIN, Evening, House, Phone, app_for
from tests.web.decoder.decoder_lab import golden
from tests.web.decoder.test_challenge_page import made_lab, note_checked
from web.app import create_app
from web.http.base import remove_base
from web.http.panel import KEY, Installed
from web.http.settings import PanelSettings

BASE = "/1"
OF_A_KIND = 3
"""How many pages of one kind are compared, such as deeds."""
GOES_OUT = re.compile(rf'="{BASE}(?=/)')
NAMED = re.compile(rf"(?<=localhost){BASE}\b")
"""Where a page says under which address it lies, for a QR code or in words."""

TAP = re.compile(r'(?<=name="command_id" value=")[\w-]{22}-\d+(?=")')
"""What is new on every page."""


class Leads(HTMLParser):
    """Each attribute that may be an address of ours; what people typed never is."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[tuple[str, str]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [
            (name, value)
            for name, value in attrs
            if name != "value" and value and value.startswith("/")
        ]


@dataclass
class Twins:
    """The same table asked at home and under a base, by the same phone."""

    house: House
    home: FlaskClient
    away: FlaskClient
    asked: set[str] = field(default_factory=set)
    kinds: Counter[str] = field(default_factory=Counter)

    def walk(self, *first: str) -> None:
        """Follow every address from *first* on, and compare what both say."""
        left = list(first)
        while left:
            path = left.pop()
            if path not in self.asked and self.kinds[self.kind(path)] < OF_A_KIND:
                self.asked.add(path)
                self.kinds[self.kind(path)] += 1
                left += self.compare(path)

    def kind(self, path: str) -> str:
        """Return which page this is, whatever it is of."""
        adapter = self.house.app.url_map.bind("")
        try:
            return str(adapter.match(path.partition("?")[0])[0])
        except (HTTPException, RoutingException):
            return path

    def compare(self, path: str) -> list[str]:
        """Compare the answers for one page; return where it leads, at home."""
        home = self.home.get(path, buffered=True)
        away = self.away.get(path, buffered=True)
        assert home.status_code == away.status_code, path
        leads = [home.location] if home.location else []
        assert [away.location] == [BASE + x for x in leads] or not away.location
        for cookie in away.headers.getlist("Set-Cookie"):
            assert re.search(f"; Path={BASE}(?:;|$)", cookie), cookie
        if home.mimetype != "text/html":
            assert path.startswith("/join.svg") == (home.data != away.data), path
            return leads
        taken_off = NAMED.sub("", GOES_OUT.sub('="', away.text))
        assert TAP.sub("", taken_off) == TAP.sub("", home.text), path
        found = Leads(away.text).found
        assert [x for x in found if not x[1].startswith(f"{BASE}/")] == [], path
        links = [x[1].removeprefix(BASE) for x in found if x[0] in ("href", "src")]
        return leads + [x.partition("#")[0] for x in links]


@contextmanager
def twins(house: House, phone: Phone) -> Iterator[Twins]:
    """Ask the table of *house* twice as *phone*: as it is, and under a base."""
    settings = PanelSettings(burst_count=5_000, newcomers_count=9_999, base=BASE)
    app = app_for(house.panel, settings)
    app.extensions = house.app.extensions | {KEY: Installed(house.panel, settings)}
    away = app.test_client()
    away.set_cookie(*phone.cookie)
    yield Twins(house, phone.client, away)


def walk(evening: Evening) -> set[str]:
    """Walk through all pages, as four phones; return which kinds there were."""
    kinds = set()
    for phone in (evening.host, evening.anna, evening.ben, evening.house.guest()):
        phone.get("/start")
        with twins(evening.house, phone) as both:
            both.walk("/", "/table", f"/table?game={evening.game_id}", "/nowhere")
            kinds |= set(both.kinds)
    return kinds


SCENES = {
    scenes.guessing: "vault.show",
    scenes.opened: "joining.join",
    scenes.by_hand: "pages.bank",
    scenes.before_roll: "estate.deed",
    scenes.ended: "ending.ending",
    scenes.towering: "board.board",
}
"""What is walked through, each for a kind of page that it has."""


@pytest.mark.parametrize("scene", sampled(SCENES))
def test_every_address_on_every_page_lies_under_the_base(
    make_house: Callable[..., House],
    clock: FakeClock,
    scene: Callable[[House], Evening],
) -> None:
    vault = VaultParts(lambda _: SimulatedVault(clock), clock, lambda: 4)
    has_vault = scene in scenes.WITH_VAULT
    house = make_house(vault=vault if has_vault else None)
    kinds = walk(scene(house))
    assert {SCENES[scene], "screen.table", "static", "/nowhere"} <= kinds
    assert len(kinds) >= 15


def test_the_pages_of_the_decoder_lie_under_it_too(tmp_path: Path) -> None:
    with closing(note_checked(made_lab(tmp_path, "fake"))) as lab:
        ben, game = lab.evening.ben, lab.evening.game_id
        look = lab.send(ben, golden("fake"), "/decoder/photo").location
        with twins(lab.house, ben) as both:
            both.walk(look, "/decks", "/decoder", f"/g/{game}/challenge")
            kinds = {"decoder.picture", "decks.show", "challenge.show"}
            assert kinds <= set(both.kinds)
            headers = ORIGIN | {"Accept": "application/json"}
            glance = both.away.post(f"/g/{game}/challenge/glance", headers=headers)
            for name in ("picture", "onward"):
                address = glance.get_json()[name]
                assert address.startswith(f"{BASE}/")
                assert both.home.get(address.removeprefix(BASE)).status_code == 200


def test_what_a_program_reads_leads_there_and_words_stay_as_they_are(
    house: House,
) -> None:
    evening = scenes.by_hand(house)
    anna = {"seat": "red", "name": "/Anna"}
    assert evening.anna.do(evening.game_id, "rename-seat", **anna).status_code == 303
    with twins(house, evening.anna) as both:
        headers = ORIGIN | {"Accept": "application/json"}
        glance = f"/g/{evening.game_id}/challenge/glance"
        found = both.away.post(glance, headers=headers).get_json()
        assert found["onward"] == f"{BASE}/g/{evening.game_id}/"
        view = both.away.get(f"/api/games/{evening.game_id}").text
        assert view == both.home.get(f"/api/games/{evening.game_id}").text
        page = both.away.get(f"/g/{evening.game_id}/").text
        assert ">/Anna<" in page
        assert f"{BASE}/Anna" not in page


def test_a_form_leads_on_and_each_cookie_is_only_for_this_server(house: House) -> None:
    host = house.host()
    with twins(house, host) as both:
        chosen = both.away.post(
            "/theme", data={"theme": "dark", "back": "/games"}, headers=ORIGIN
        )
        assert chosen.location == f"{BASE}/games"
        assert f"; Path={BASE};" in chosen.headers["Set-Cookie"]
    guest = app_for(house.panel, PanelSettings(base=BASE)).test_client()
    token = guest.get("/start").headers["Set-Cookie"]
    assert token.startswith("phone-")
    assert f"; Path={BASE}" in token


def test_a_printed_card_leads_to_this_server(evening: Evening) -> None:
    evening.host.post("/games", edition="classic", name="Sunday")
    with twins(evening.house, evening.host) as both:
        both.walk("/games/cards")
        card = f"localhost{BASE}<wbr>/g/{evening.game_id}/"
        assert card in both.away.get("/games/cards").text


def test_a_missing_slash_is_added_under_the_base(evening: Evening) -> None:
    with twins(evening.house, evening.anna) as both:
        answer = both.away.get(f"/g/{evening.game_id}")
        assert answer.location == f"{BASE}/g/{evening.game_id}/"


def test_without_a_base_nothing_is_put_before_an_address(house: House) -> None:
    def steps(base: str) -> int:
        app = create_app(house.panel, PanelSettings(base=base))
        return len(app.after_request_funcs[None])

    assert steps("") == steps(BASE) - 1


@each(
    ("asked", "served"),
    [
        ("/1", "/"),
        ("/1/", "/"),
        ("/1/stream", "/stream"),
        ("/1/1/", "/1/"),
        ("/10/games", "/10/games"),
        ("/health", "/health"),
        ("", ""),
    ],
)
def test_the_base_is_taken_off_what_is_asked_for(asked: str, served: str) -> None:
    assert remove_base(asked, BASE) == served
    assert remove_base(asked, "") == asked
