"""The plug is pulled between any two writes of any tap: it is done, or its repeat is.

Goal: nothing that phones can post is left half done for good.
Method: every post is watched. Where one writes more than once, the file is copied as
the disk had it between two writes, and a companion that starts on that copy gets the
same post again from the same phone: it must come to what the first one came to. No
list says which posts these are. What is posted is a scene with every address there is;
what random phones find on their pages is watched so by ``tests/evening``.

What this cannot show: what the vault's own worker writes after a tap, which
``tests/test_vault_crash.py`` kills at each step.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from companion.box.readings import values_of
from companion.game import commands as c
from companion.game import moves as m
from companion.store.copies import Copy
from companion.store.database import FILE_NAME
from companion.units import GameId, TimeMs
from tests.companion.table.test_importing import GOLDEN
from tests.transactions import between_writes, kept
from tests.web.boxes.test_figure_sharing import send
from tests.web.conftest import CODE, ORIGIN, Evening, House, make_panel
from tests.web.decoder.decoder_lab import DecoderLab, golden
from tests.web.forms import forms_of
from tests.web.guided_table import give, said
from tests.web.own_copies import Pretended, plugged_in
from web.http.settings import PanelSettings

CALM = PanelSettings(burst_count=10**6, newcomers_count=10**6)

KEEPS_NOTHING = {"vault", "decoder", "decks", "wifi"}
"""Whose posts write nothing into the table's file, or have no device here."""


class Watch:
    """Watches the posts of one panel, and repeats each where it could have broken off.

    Attributes:
        posted: Every address that was posted to, as Flask calls them.
        broken: How many copies were tried.
    """

    def __init__(self, house: House, folder: Path) -> None:
        self.house, self.folder, self.copies = house, folder, plugged_in(house)
        self.posted: set[str] = set()
        self.broken = 0
        self._post = FlaskClient.post

    def post(self, client: FlaskClient, path: str, **sent: Any) -> TestResponse:
        """Post, and check that the post is whole."""
        if client.application is not self.house.app:
            return self._post(client, path, **sent)
        urls = self.house.app.url_map.bind("localhost")
        self.posted.add(urls.match(path.partition("?")[0], "POST")[0])
        cookies = dict(client._cookies or {})
        with between_writes(self.house.database) as left:
            answer = self._post(client, path, **sent)
        for image in left:
            self._check(image, cookies, path, sent)
        return answer

    def _check(
        self, image: bytes, cookies: dict[Any, Any], path: str, sent: dict[str, Any]
    ) -> None:
        self.broken += 1
        folder = self.folder / str(self.broken)
        folder.mkdir(parents=True)
        (folder / FILE_NAME).write_bytes(image)
        house = make_panel(folder, self.house.clock, settings=CALM)
        plugged_in(house, self.copies)
        try:
            client = house.app.test_client()
            client._cookies = cookies
            again = self._post(client, path, **sent)
            clue = f"{path} {sent.get('data')}: {again.status_code}"
            assert kept(house.database) == kept(self.house.database), clue
        finally:
            house.table.close()
            house.database.close()


@pytest.fixture
def watch(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Callable[[House], Watch]]:
    def made(house: House) -> Watch:
        watching = Watch(house, tmp_path / "between")
        monkeypatch.setattr(FlaskClient, "post", lambda *x, **y: watching.post(*x, **y))
        return watching

    return made


def test_every_post_there_is_is_whole(
    tmp_path: Path, watch: Callable[[House], Watch]
) -> None:
    lab = DecoderLab(tmp_path / "table")
    watching = watch(lab.house)
    try:
        _sit_down(lab.evening)
        _decide(lab)
        _trade(lab.evening)
        _type_in(lab.evening)
        _copy(lab.evening, watching.copies)
        _end(lab.evening)
    finally:
        lab.close()
    rules = lab.house.app.url_map.iter_rules()
    there_are = {one.endpoint for one in rules if "POST" in (one.methods or ())}
    missing = there_are - watching.posted
    assert [x for x in missing if x.partition(".")[0] not in KEEPS_NOTHING] == []


def _sit_down(evening: Evening) -> None:
    """The host takes a seat that is free, with the bank; others ask to be let in."""
    house, game, host = evening.house, evening.game_id, evening.host
    host.post("/start", code=CODE)
    host.post("/theme", theme="dark", back="/")
    host.post("/language", language="en", back="/")
    evening.ben.post(f"/g/{game}/leave")
    host.post(f"/g/{game}/take", seat="blue")
    assert house.table.game(game).banker == "blue"
    host.do(game, "lock-table")
    for name, colour, token, answer in OTHERS:
        asking = house.guest()
        asking.get(f"/g/{game}/join")
        asking.post(f"/g/{game}/join", name=name, colour=colour, token=token)
        (request,) = house.table.phones.requests(game)
        host.post(f"/g/{game}/answer", request=request.request, answer=answer)
    evening.ben.post(f"/g/{game}/resume", seat="blue")
    (request,) = house.table.phones.requests(game)
    host.post(f"/g/{game}/answer", request=request.request, answer="yes")
    seats = {one.seat for one in house.table.game(game).present()}
    assert seats == {"red", "blue", "green"}
    assert house.table.phones.held_seats(game) == seats
    evening.ben.do(game, "unlock-table")
    evening.ben.do(game, "hand-banker", to="red")
    evening.anna.post(f"/g/{game}/for", seat="green")
    evening.anna.post(f"/g/{game}/for", seat="")
    evening.anna.do(game, "begin")
    assert house.table.game(game).is_guided


OTHERS = (("Cleo", "green", "cat", "yes"), ("Dora", "pink", "dog", "no"))


def _copy(evening: Evening, copies: Pretended) -> None:
    """The games are copied to a stick, and one that lies there is taken in."""
    game_id = GameId("c5bcf289f96e")
    copies.texts["x"] = GOLDEN.read_bytes()
    copies.lies = (
        Copy("x", game_id, "Friday", "classic", (), TimeMs(0), 9, 0, is_other=False),
    )
    for path, form in (("", {"stick": "12AB-34CD"}), ("/take-in", {"file": "x"})):
        answer = evening.host.post(f"/games/copies{path}", here="0", **form)
        assert answer.status_code == 303
    assert evening.house.table.revision(game_id)


def _decide(lab: DecoderLab) -> None:
    """A note is looked at and judged, and it was real after all."""
    evening, game = lab.evening, lab.evening.game_id
    said(evening, "turn red", "red on 0", "blue chips 2")
    give(evening, m.Roll(by="red", dice=(1, 2)), m.Buy(by="red"), m.Inspect(by="blue"))
    where = f"/g/{game}/challenge"
    seen = lab.send(evening.ben, golden("fake"), f"{where}/photo").headers["Location"]
    evening.ben.post(f"{where}/look")
    evening.ben.post(f"{where}/glance")
    look = seen.partition("look=")[2]
    judged: dict[str, object] = {"verdict": "fake", "amount": 100, "look": look}
    before = evening.balance("red"), evening.balance("blue")
    assert evening.ben.post(f"{where}/verdict", **judged).status_code == 303
    at = evening.revision()
    assert lab.house.table.pictures.revisions(game) == {at}
    evening.anna.post(f"{where}/{at}/give-back")
    assert (evening.balance("red"), evening.balance("blue")) == before


def _trade(evening: Evening) -> None:
    """An offer, and a counter-offer to it; a move in JSON, and a look at its reply."""
    game, table = evening.game_id, evening.house.table
    said(evening, "boardwalk owner blue", "baltic-avenue owner red", "turn red")
    sides = {"give-deed": "boardwalk", "want-deed": "baltic-avenue"}
    evening.ben.do(game, "make-offer", taker="red", **sides)
    mine = {"give-deed": "baltic-avenue", "want-deed": "boardwalk"}
    evening.anna.post(f"/g/{game}/counter", taker="blue", **mine)
    play = table.game(game).play
    assert play is not None
    assert [one.giver for one in play.offers] == ["red"]
    command = {"type": "Reject"}
    tap = {"command_id": "in-json-0001", "command": command}
    evening.ben.client.post(f"/api/games/{game}/commands", json=tap, headers=ORIGIN)
    reply = table.game(game).replies[-1]
    assert reply.to == "red"
    evening.anna.post(f"/g/{game}/looked", reply=reply.key)


def _type_in(evening: Evening) -> None:
    """What a box says is typed in beside two games of it that are led."""
    box, host, table = "/editions/crooked-cash", evening.host, evening.house.table
    answer = host.post("/games", edition="crooked-cash", name="Sunday")
    second = GameId(answer.headers["Location"].split("/")[2])
    for name, colour, token, _ in OTHERS:
        evening.house.seated(second, name, colour, token)
    host.do(second, "begin")
    streets = ("baltic-avenue", "oriental-avenue")
    figures = [f"deed.{street}.hotel_cost" for street in streets]
    host.post(f"{box}/type", **dict.fromkeys(figures, "77"))
    for game in (evening.game_id, second):
        one, other = table.entries(game)[-2:]
        assert other.command_id == f"{one.command_id}+1", "one tap told both"
    known = values_of(evening.house.panel.editions.readings("crooked-cash"))
    assert known == dict.fromkeys(figures, 77)
    host.post(f"{box}/take-back", key=figures[0])
    own = host.get(f"{box}/own.toml").text
    send(host, own, path=box)
    host.post(f"{box}/take-over", take=f"{figures[0]} 78")
    host.post(f"/games/{second}/close")


def _end(evening: Evening) -> None:
    """It ends, is played again, packed up, put away and thrown away."""
    game, house = evening.game_id, evening.house
    evening.anna.post(f"/g/{game}/later", landing="12.17")
    give(evening, m.CallTime(by=c.TABLE))
    answer = evening.anna.post(f"/g/{game}/again")
    opened = answer.headers["Location"].split("/")[2]
    assert house.table.phones.holders(opened) == house.table.phones.holders(game)
    assert house.table.game(opened).banker == "red"
    assert house.table.game(opened).is_guided
    seen = evening.anna.get(f"/g/{opened}/pause?way=pack").text
    tick = next(form for form in forms_of(seen) if form.verb == "tick")
    evening.anna.post(tick.action, **tick.fields)
    evening.anna.post(f"/g/{opened}/pause/papers", way="pack", lie="no")
    house.table.phones.forget_hosts()
    host = house.host()
    host.post("/games/evenings", who="anna", out="yes")
    host.post(f"/games/{game}/close")
    host.post(f"/games/{game}/throw-away")
    assert game not in [one.game_id for one in house.table.games()]
