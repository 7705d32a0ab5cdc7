"""The vault's code leaves by no page, stream, log, error, export or repr.

A code is one digit, which every page is full of, so it cannot be searched for.
Instead the same evening is played once with each of the six codes, with the same
clock, ids, dice and hands. Whatever anybody could see is gathered, and must be equal
to the letter. Only then could nobody have learnt anything.

So it is with the wrong numbers that a table hides: without them, who knows all the
others knows the code. The same evening is played with other wrong numbers.
"""

from __future__ import annotations

import itertools
import logging
import random
import re
import secrets
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any, Self, cast

import pytest
from werkzeug.routing import Rule
from werkzeug.test import TestResponse

import web.http.live
from companion.decoder import house_deck
from companion.decoder.deck import save_deck
from companion.edition import builtin
from companion.errors import JournalFault
from companion.examining import DecoderService
from companion.game.codec import entries_to_json, mark_to_json
from companion.lock.events import SecretCode, VaultLocked
from companion.lock.quadrature import NUMBER_COUNT
from companion.lock.states import VaultState
from companion.lock.view import VaultView
from companion.ports import Line
from companion.store import Journals
from companion.store.copies import Copier
from companion.store.reader import Reader
from companion.table import VaultParts
from companion.table.vault_journal import VaultJournal
from companion.units import Revision
from companion.views.home import home_view
from hardware.photos.deck_folder import DeckFolder
from hardware.photos.examiner import PhotoExaminer, PhotoGrowing
from hardware.photos.lessons import PhotoLessons
from hardware.photos.one_at_a_time import OneAtATime
from hardware.vault.simulated import SimulatedVault
from tests.fakes import FakeClock
from tests.sample import volume
from tests.web.conftest import (
    ORIGIN,
    Evening,
    Phone,
    app_for,
    make_evening,
    make_panel,
)
from tests.web.decoder.decoder_lab import drawn, golden
from web.http.live import HEARTBEAT
from web.http.settings import PanelSettings

CODES = range(1, NUMBER_COUNT + 1)
WRONG = 1
"""The number that is guessed wrongly."""

GUESSED_AT = (2, 4, 6)
"""The codes of the evenings that see a wrong guess too; each is a walk of its own."""

EDITION = "secret-vault"
PLACES = ("boardwalk", "baltic-avenue")
"""Deeds whose own pages are looked at: a street with an owner, and one without."""

BY_CHANCE = re.compile(r"Expires=[^;]*| at 0x[0-9a-f]+")
"""The only things that differ from run to run: a date, and where objects lie."""

"""What a stream says when it has told everything."""

SETTINGS = PanelSettings(burst_count=100_000, heartbeat_s=0.01)


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DecoderService]:
    """Make a decoder that has looked at a note, shows it, and began a lesson."""
    folder = tmp_path_factory.mktemp("decks")
    decks, one_at_a_time = DeckFolder(folder), OneAtATime()
    examiner = PhotoExaminer(decks, one_at_a_time, FakeClock(), lambda: None, None)
    lessons = PhotoLessons(decks, one_at_a_time, folder / "lesson", lambda: None)
    lessons.add(BytesIO(drawn(is_fake=True)), is_fake=True)
    decks.keep("Our notes", save_deck(house_deck()), golden("real"))
    found = examiner.examine(BytesIO(golden("fake")))
    assert examiner.show(found.key)
    growing = PhotoGrowing(decks, examiner, one_at_a_time, lambda: None)
    yield DecoderService(examiner, decks, lessons, growing)
    examiner.close()


class Night:
    """A led game and a locked vault with known codes, in one database.

    Args:
        folder: Where the journals lie.
        desk: A decoder, so that its pages are there as well.
        codes: What the lock draws, one after another.
        options: The options of the game, such as ``memory``.
    """

    def __init__(
        self, folder: Path, desk: DecoderService, *codes: int, **options: str
    ) -> None:
        self.desk = desk
        self.stick = folder.with_name(f"stick of {folder.name}")
        self.stick.mkdir()
        self.options = {f"option-{key}": value for key, value in options.items()}
        self.clock = FakeClock()
        parts = VaultParts(
            lambda _: SimulatedVault(self.clock), self.clock, iter(codes).__next__
        )
        self.house = make_panel(
            folder, self.clock, parts, SETTINGS, chance=random.Random(1)
        )
        vault = self.house.panel.vault
        assert vault is not None
        self.coupling, self.keeper = vault, vault.keeper
        self.journal = VaultJournal(Journals(self.house.database), self.clock)
        self.house.panel = replace(self.house.panel, decoder=desk)
        self.house.app = app_for(self.house.panel, SETTINGS)
        reader = nullcontext(cast("Reader", self.house.database))
        self.copier = Copier(self.stick, lambda: reader)
        self.evening: Evening = make_evening(self.house, EDITION)
        self.streams: dict[str, TestResponse] = {}
        self.others: dict[str, Phone] = {}
        self._begin()

    @property
    def people(self) -> dict[str, Phone]:
        """Everybody who could look."""
        evening = self.evening
        return {
            "guest": self.house.guest(),
            "anna": evening.anna,
            "host": evening.host,
            **self.others,
        }

    def part(self) -> None:
        """Let each level of ``SECURITY.md`` have a phone of its own.

        Anna takes over the bank, Ben has only his seat, and a newcomer none.
        """
        self.do(self.evening.host, "hand-banker", to="red")
        newcomer = self.house.guest()
        newcomer.get("/start")
        self.others = {"phone": newcomer, "ben": self.evening.ben}

    def _begin(self) -> None:
        """Begin a led game, read a figure off the box, and lock the vault."""
        evening = self.evening
        self.do(evening.host, "begin", **self.options)
        self.do(evening.host, "correct-position", words=f"red owns {PLACES[0]}")
        typed = {f"deed.{PLACES[0]}.mortgage": "400"}
        answer = evening.host.post(f"/editions/{EDITION}/type", **typed)
        assert answer.status_code == 303, answer.text
        self.settle()
        self.lock()

    def listen(self) -> None:
        """Open a stream for everybody, of the game and of the table."""
        for who, phone in self.people.items():
            for path in ("/stream", f"/stream?game={self.evening.game_id}"):
                answer = phone.client.get(path, buffered=False)
                assert answer.mimetype == "text/event-stream"
                self.streams[f"{who} hears {path}"] = answer

    def heard(self) -> dict[str, str]:
        """Return what every open stream has told since the last call."""
        return {who: repr(told(answer)) for who, answer in self.streams.items()}

    def do(self, phone: Phone, verb: str, **form: object) -> None:
        """Send a form of the game, which has to succeed."""
        answer = phone.do(self.evening.game_id, verb, **form)
        assert answer.status_code == 303, answer.text
        self.settle()

    def settle(self) -> None:
        """Let the fingers, the spring and the lid's contact come to rest."""
        for _ in range(30):
            self.keeper.process()
            self.clock.advance(20)
        self.keeper.process()

    def press(self, line: Line, times: int = 1) -> None:
        """Press a button of the vault."""
        assert self.keeper.hands is not None
        for _ in range(times):
            self.keeper.hands.press(line)
            self.settle()

    def lock(self) -> None:
        """Shut the lid and let the lock draw its next code."""
        assert self.keeper.hands is not None
        self.settle()
        self.keeper.hands.shut_lid()
        self.settle()
        self.press(Line.YELLOW_BUTTON, 3)
        assert self.state is VaultState.LOCKED

    def guess(self, phone: Phone, number: int) -> None:
        """Roll to the space that gives a guess, turn the wheel, and press M."""
        assert self.keeper.hands is not None
        self.do(phone, "roll", **{"die-1": 2, "die-2": 3})
        self.keeper.hands.turn(number - self.keeper.view().number)
        self.settle()
        self.press(Line.M_BUTTON)

    def tap(self, *numbers: int) -> None:
        """Guess each number on Anna's phone, which leaves the wheel where it stands."""
        anna = self.evening.anna
        for number in numbers:
            for words in ("turn red", "red on go"):
                self.do(anna, "correct-position", words=words)
            self.do(anna, "roll", **{"die-1": 2, "die-2": 3})
            self.do(anna, "guess", number=number)

    def open_another(self) -> None:
        """Open a second game, which the vault serves from now on, and lead it."""
        self.evening = make_evening(self.house, EDITION, self.evening.host)
        self.do(self.evening.host, "begin", **self.options)
        self.part()

    @property
    def state(self) -> VaultState:
        """Return how bolt and lid are."""
        return self.keeper.view().state

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for answer in self.streams.values():
            answer.close()
        self.keeper.stop()
        self.house.table.close()
        self.house.database.close()


def told(answer: TestResponse) -> list[bytes]:
    """Return what a stream says, up to its next silence."""
    return list(itertools.takewhile(lambda piece: piece != HEARTBEAT, answer.response))


def addresses(night: Night) -> dict[str, str]:
    """Return every address that answers a GET, by its rule, with real values."""
    shown = night.desk.examiner.shown()
    assert shown is not None
    (photo,) = night.desk.lessons.view().fake
    (_, deck) = night.desk.decks.cards()
    game_id, revision = night.evening.game_id, Revision(1)
    seen = {"seen": shown.findings[0].pictures["seen"]}
    pictures = night.house.table.pictures
    if not pictures.revisions(game_id):
        night.house.database.write(pictures.keeping(game_id, revision, seen))
    of_deck = dict.fromkeys(("decks.picture", "decks.face", "decks.save"), deck.key)
    keys = {**of_deck, "decks.photo": photo}
    values = {
        "game_id": game_id,
        "revision": str(revision),
        "edition_id": EDITION,
        "name": "frame",
        "which": "masked",
        "key": shown.key,
    }
    found: dict[str, str] = {}
    for rule in night.house.app.url_map.iter_rules():
        if "GET" not in (rule.methods or ()) or rule.endpoint == "static":
            continue
        real = values | ({"key": keys[rule.endpoint]} if rule.endpoint in keys else {})
        real |= {"name": "seen"} if rule.endpoint == "challenge.picture" else {}
        for deed in PLACES if "deed_id" in rule.arguments else ("",):
            name = f"{rule.rule} {deed}".strip()
            found[name] = _address(rule, real | {"deed_id": deed})
    return found


def _address(rule: Rule, values: dict[str, str]) -> str:
    """Return the rule's address with *values* for its parameters."""
    path = rule.rule
    for name in rule.arguments:
        assert values[name], f"{rule.rule} needs a real {name}"
        path = re.sub(rf"<(?:[^<>]*:)?{name}>", values[name], path)
    assert "<" not in path, f"{rule.rule} has a parameter that is not filled"
    return path


def everything(night: Night) -> dict[str, str]:
    """Return all that a guest, a player and the host can get, by address."""
    seen: dict[str, str] = {}
    for who, phone in night.people.items():
        for name, path in addresses(night).items():
            seen[f"{who} GET {name}"] = said(phone, path, "text/html")
        seen[f"{who} wrong posts"] = wrong_posts(phone)
        game = f"/api/games/{night.evening.game_id}"
        for path in (game, f"{game}/turn", "/vault/state", "/vault/scene", "/nowhere"):
            seen[f"{who} GET {path} as JSON"] = said(phone, path, "application/json")
    table, game_id = night.house.table, night.evening.game_id
    entries = table.entries(game_id)
    seen["export"] = b"".join(entries_to_json("x", entries)).decode()
    while night.copier.copy():
        pass
    for file in night.stick.rglob("*"):
        content = file.read_text() if file.is_file() else ""
        seen[f"stick {file.relative_to(night.stick)}"] = content
    seen["found"] = repr(night.copier.found)
    view = night.coupling.view()
    seen["home"] = repr(home_view(table.game(game_id), view, is_well=True))
    seen["reprs"] = repr((night.keeper.view(), night.keeper, night.journal))
    seen |= night.heard()
    return {where: BY_CHANCE.sub("", text) for where, text in seen.items()}


def everything_kept(night: Night) -> dict[str, str]:
    """Return ``everything``, and how the game is kept on the disk."""
    journal = night.house.table._journal(night.evening.game_id)
    assert journal.game is not None
    snapshot = mark_to_json(journal._make_mark(journal.game)).decode()
    return {**everything(night), "snapshot": snapshot}


def said(phone: Phone, path: str, kind: str) -> str:
    """Status, headers and text; of a stream, all that it tells at first."""
    answer = phone.client.get(path, headers={"Accept": kind}, buffered=False)
    if answer.mimetype == "text/event-stream":
        pieces = told(answer)
        answer.close()
        return f"{answer.status} {pieces}"
    text = answer.get_data().decode(errors="backslashreplace")
    return f"{answer.status} {sorted(answer.headers.items())} {text}"


def wrong_posts(phone: Phone) -> str:
    """Return the answers to posts that make no sense."""
    answers = []
    for path in ("turn", "press", "lid", "set-wheel", "clear-fault", "code"):
        for form in ({}, {"line": "code", "steps": "1e9", "number": "code"}):
            answer = phone.client.post(f"/vault/{path}", data=form, headers=ORIGIN)
            answers.append(f"{answer.status} {answer.get_data(as_text=True)}")
    return "\n".join(answers)


def check_same(gathered: list[dict[str, str]]) -> None:
    """Nobody learnt anything: all evenings looked alike from everywhere."""
    first, *others = gathered
    assert others
    for other in others:
        assert other.keys() == first.keys()
        differing = [where for where in first if first[where] != other[where]]
        assert not differing, f"the secret can be told from {differing}"


@pytest.fixture
def same_ids(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Ids and tokens count up from 1; call it to begin again."""
    numbers = [itertools.count(1)]

    def next_id(_length: int = 0) -> str:
        return f"same-id-{next(numbers[0]):08d}"

    def begin_again() -> None:
        numbers[0] = itertools.count(1)

    monkeypatch.setattr(secrets, "token_urlsafe", next_id)
    monkeypatch.setattr(secrets, "token_hex", next_id)
    monkeypatch.setattr(secrets, "randbelow", lambda _: 0)  # The table's own id.
    return begin_again


GAME = "/g/<game_id>/"
COPIES = (f"{GAME}export.game", f"{GAME}export.csv")
BANKERS = (f"{GAME}begin", f"{GAME}correct")
HOSTS = (
    "/games",
    "/games/cards",
    "/games/evenings",
    "/games/<game_id>/export.json",
    "/games/<game_id>/throw-away",
)
NO_PLAN = tuple(
    f"{GAME}plan/<deed_id> {deed}" for deed in ("baltic-avenue", "boardwalk")
)
"""The plan of a group, which no guest lays out."""

GONE_ON = ("/", "/start", f"{GAME}challenge")
"""These lead on to where the phone belongs."""

NOT_OVER = {f"{GAME}ending.png": 409}
NO_WIFI = {"/wifi": 403, "/wifi.svg": 404, "/games/copies": 403}
"""The table has no Wi-Fi of its own here, and no stick."""

NO_PAGE = {
    "guest": {
        **NO_WIFI,
        **NOT_OVER,
        **dict.fromkeys((*GONE_ON, *NO_PLAN, GAME, f"{GAME}bank", f"{GAME}pay"), 303),
        f"{GAME}trade": 303,
        **dict.fromkeys((*BANKERS, *HOSTS, *COPIES), 403),
    },
    "anna": {
        **NO_WIFI,
        **NOT_OVER,
        **dict.fromkeys((*GONE_ON, f"{GAME}join"), 303),
        **dict.fromkeys((f"{GAME}bank", *BANKERS, *HOSTS), 403),
    },
    "host": {
        **dict.fromkeys((*GONE_ON, GAME, f"{GAME}trade"), 303),
        **dict.fromkeys(NO_WIFI, 404),
        **NOT_OVER,
        HOSTS[-1]: 409,  # The game is not over.
    },
}
"""The addresses that give no page, and what they answer instead, by who asks."""


def test_the_walk_sees_every_page_that_there_is(
    tmp_path: Path, desk: DecoderService
) -> None:
    with Night(tmp_path, desk, 4) as night:
        paths = addresses(night)
        assert len(paths) >= 35
        for who, phone in night.people.items():
            answers = {
                name: int(said(phone, path, "text/html").split()[0])
                for name, path in paths.items()
            }
            others = {name: x for name, x in answers.items() if x != 200}
            assert others == NO_PAGE[who], who


@pytest.mark.parametrize("codes", [GUESSED_AT[:2], *volume([tuple(CODES)])], ids=len)
def test_whatever_the_code_is_everybody_sees_the_same(
    codes: tuple[int, ...],
    tmp_path: Path,
    desk: DecoderService,
    same_ids: Callable[[], None],
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.DEBUG)
    locked, guessed, logged = [], [], []
    for code in codes:
        same_ids()
        caplog.clear()
        with Night(tmp_path / str(code), desk, code) as night:
            night.listen()
            locked.append(everything_kept(night))
            logged.append([record.getMessage() for record in caplog.records])
            if code in GUESSED_AT:
                night.guess(night.evening.anna, WRONG)
                assert night.state is VaultState.LOCKED
                assert night.keeper.view().tries_count == 1
                guessed.append(everything_kept(night))
    check_same(locked)
    check_same(guessed)
    assert all(lines == logged[0] for lines in logged[1:])
    streams = [where for where in guessed[0] if " hears " in where]
    assert len(streams) == 6
    assert all("event: vault" in guessed[0][where] for where in streams)


FIRST, NEXT = 2, 5
"""The code that is guessed; whoever guesses it knows it, and the next one is secret."""


LOCKED = next(deed.id for deed in builtin(EDITION).deeds if deed.locked)
"""A deed for the key that lies in the vault."""


@pytest.mark.slow
@pytest.mark.volume
def test_after_an_opening_the_next_code_is_as_secret(
    tmp_path: Path, desk: DecoderService, same_ids: Callable[[], None]
) -> None:
    open_, locked, guessed = [], [], []
    for code in GUESSED_AT:
        same_ids()
        with Night(tmp_path / str(code), desk, FIRST, code) as night:
            night.listen()
            night.guess(night.evening.anna, FIRST)
            assert night.state is VaultState.OPEN
            open_.append(everything_kept(night))
            night.lock()
            night.do(night.evening.anna, "unlock", deed=LOCKED)
            locked.append(everything_kept(night))
            night.guess(night.evening.ben, WRONG)
            assert night.state is VaultState.LOCKED
            assert night.keeper.view().tries_count == 1
            guessed.append(everything_kept(night))
    check_same(open_)
    check_same(locked)
    check_same(guessed)
    assert "event: game" in guessed[0]["anna hears /stream"]


# The wrong numbers that a table hides.


def evening_with(
    folder: Path, desk: DecoderService, tried: Sequence[int], **options: str
) -> Generator[Night]:
    """Play an evening with these wrong guesses, and pause where there is more to see.

    The vault is opened after three, and locked again; then there are two more, and one
    in a second game.
    """
    with Night(folder, desk, FIRST, NEXT, **options) as night:
        night.listen()  # As many as one address may have.
        night.part()
        night.tap(*tried[:3])
        yield night
        night.tap(FIRST)
        assert night.state is VaultState.OPEN
        yield night
        night.lock()
        night.do(night.evening.anna, "unlock", deed=LOCKED)
        night.tap(*tried[3:5])
        yield night
        first_game = night.evening
        night.open_another()
        night.tap(tried[5])
        assert night.keeper.view().tries_count == 3
        yield night
        night.evening = first_game
        yield night


QUICK = (2, 3)
"""The pauses at which each run looks: at each lock, the first game and the second."""


def draw_tried(draw: int) -> list[list[int]]:
    """Return the wrong guesses of two evenings, in which no guess is the same."""
    dice = random.Random(draw)
    others = [number for number in CODES if number not in (FIRST, NEXT)]
    one = [dice.choice(others) for _ in range(6)]
    return [one, [dice.choice([x for x in others if x != tried]) for tried in one]]


@pytest.mark.parametrize("draw", [0, *volume(range(1, 12))])
def test_whatever_was_guessed_wrongly_everybody_sees_the_same(
    draw: int,
    tmp_path: Path,
    desk: DecoderService,
    same_ids: Callable[[], None],
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.DEBUG)
    looked_at = range(5) if draw else QUICK
    seen, logged = [], []
    for at, tried in enumerate(draw_tried(draw)):
        same_ids()
        caplog.clear()
        pauses = enumerate(evening_with(tmp_path / str(at), desk, tried))
        seen.append([everything(night) for time, night in pauses if time in looked_at])
        logged.append([record.getMessage() for record in caplog.records])
    for time in zip(*seen, strict=True):
        check_same(list(time))
    assert logged[0] == logged[1]


@pytest.mark.slow
def test_a_table_that_shows_the_numbers_tried_shows_them_to_everybody(
    tmp_path: Path, desk: DecoderService, same_ids: Callable[[], None]
) -> None:
    gathered = []
    for at, tried in enumerate(draw_tried(0)):
        same_ids()
        pauses = evening_with(tmp_path / str(at), desk, tried, memory="on")
        gathered.append(everything(next(pauses)))
        pauses.close()
    one, other = gathered
    differing = {where for where in one if one[where] != other[where]}
    scenes = {f"{who} GET /vault/scene" for who in (*NO_PAGE, "phone", "ben")}
    copies = {f"{who} GET {copy}" for who in ("anna", "ben", "host") for copy in COPIES}
    assert {*scenes, *copies, f"host GET {HOSTS[3]}"} <= differing


# The walks find what they look for.


def leaks(
    folder: Path,
    desk: DecoderService,
    same_ids: Callable[[], None],
    put_leak: Callable[[int], None],
) -> list[str]:
    """Return where a code shows, if *put_leak* lets it out."""
    gathered = []
    for code in (2, 5):
        same_ids()
        put_leak(code)
        with Night(folder / str(code), desk, code) as night:
            night.listen()
            night.guess(night.evening.anna, WRONG)
            gathered.append(everything_kept(night))
    one, other = gathered
    return [where for where in one if one[where] != other[where]]


@pytest.mark.slow
def test_the_walk_would_notice_a_leak_on_a_page(
    tmp_path: Path,
    desk: DecoderService,
    same_ids: Callable[[], None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def put_leak(code: int) -> None:
        leak = property(lambda _: f"psst: {code}")
        monkeypatch.setattr(VaultView, "sentence", leak)

    found = leaks(tmp_path, desk, same_ids, put_leak)
    assert {"guest GET /vault", "anna GET /vault/state", "host GET /table"} <= {*found}


@pytest.mark.slow
@pytest.mark.volume
def test_the_walk_would_notice_a_leak_in_a_stream_after_a_wrong_guess(
    tmp_path: Path,
    desk: DecoderService,
    same_ids: Callable[[], None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    honest = web.http.live.vault_json

    def put_leak(code: int) -> None:
        def leaky(*of: Any) -> dict[str, str | int | bool]:
            told = honest(*of)
            return told | ({"psst": code} if told["tries_count"] else {})

        monkeypatch.setattr(web.http.live, "vault_json", leaky)

    found = leaks(tmp_path, desk, same_ids, put_leak)
    assert "guest hears /stream" in found
    assert all("stream" in where for where in found)


def test_no_repr_and_no_failed_write_shows_the_code(
    tmp_path: Path, desk: DecoderService
) -> None:
    event = VaultLocked(SecretCode(5), 1)
    assert "5" not in repr(event)
    assert "5" not in str(event)
    assert "5" not in f"{SecretCode(5)} {SecretCode(5)!r}"
    with Night(tmp_path, desk, 5) as night:
        with night.house.database.transaction() as connection:
            connection.exec_driver_sql("DROP TABLE entries")
        with pytest.raises(JournalFault) as caught:
            night.journal.record((event,))
    shown = f"{caught.value!r} {caught.value.__cause__!r}"
    assert "entries" in shown
    assert "[5]" not in shown
    assert "SecretCode" not in shown
