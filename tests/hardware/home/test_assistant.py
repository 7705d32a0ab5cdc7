"""The home hears of the table through a real mosquitto, and no broker can harm it."""

from __future__ import annotations

import json
import logging
import socket
import subprocess
import sys
import threading
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, suppress
from itertools import pairwise
from pathlib import Path

import pytest
from msgspec.structs import replace

from companion.errors import Malformed
from companion.health import Condition
from companion.store import Database, back_up, restore
from companion.table.notice import Subscription
from companion.views.home import HomeSeat, HomeVault, HomeView
from hardware.home import assistant as home_assistant
from hardware.home.assistant import BIRTH, HomeAssistant, messages
from hardware.home.settings import BALANCES, URL, read_broker
from tests.caddy import HERE, until
from tests.companion.store.test_backup import furnish
from tests.fakes import FakeClock
from tests.mosquitto import NO_MOSQUITTO, PROGRAM, Listener, Mosquitto
from tests.running import PATIENCE_S
from tests.sample import each

TABLE = "0badcafe"
OWN = f"companion/{TABLE}"
SECRET = "s3cret@/:#?"
VIEW = HomeView(
    game="Friday",
    stage="playing",
    turn="Anna",
    is_in_need=False,
    vault=HomeVault(is_locked=True, is_lid_open=False),
    seats=(HomeSeat("red", "Anna", 1500), HomeSeat("blue")),
)

needs_mosquitto = pytest.mark.skipif(not PROGRAM.exists(), reason=NO_MOSQUITTO)


# Settings.


@each(
    ("url", "place", "user", "password", "is_encrypted"),
    [
        ("mqtt://192.168.1.5", "192.168.1.5:1883", "", "", False),
        ("mqtt://ha.local:1884/", "ha.local:1884", "", "", False),
        ("mqtts://anna@ha.local", "ha.local:8883", "anna", "", True),
        ("mqtt://a%40b:c%2F%23@[fd00::5]", "[fd00::5]:1883", "a@b", "c/#", False),
    ],
)
def test_an_address_is_read(
    url: str, place: str, user: str, password: str, is_encrypted: bool
) -> None:
    broker = read_broker({URL: url})
    assert broker is not None
    assert broker.place == place
    assert (broker.user, broker.password) == (user, password)
    assert broker.is_encrypted is is_encrypted
    assert not broker.hears_balances


def test_without_an_address_there_is_no_broker() -> None:
    assert read_broker({}) is None
    assert read_broker({URL: "", BALANCES: "1"}) is None


@each(
    "url",
    [
        "192.168.1.5",
        "http://u:hushhush@ha.local",
        "mqtt://u:hush/hush@ha.local",
        "mqtt://u:hush#hush@ha.local",
        "mqtt://u:hushhush@ha.local:port",
        "mqtt://u:hushhush@ha.local:99999",
        "mqtt://u:hushhush@ha.local/topic",
        "mqtt://u:hushhush@[ha.local",
        "mqtt://u:hushhush@",
    ],
)
def test_an_address_that_makes_no_sense_is_refused_and_not_quoted(url: str) -> None:
    with pytest.raises(Malformed, match="expected COMPANION_MQTT_URL such as") as said:
        read_broker({URL: url})
    assert "hush" not in f"{said.value!r} {said.value}"
    assert said.value.__cause__ is None


def test_a_switch_is_a_switch() -> None:
    broker = read_broker({URL: "mqtt://x", BALANCES: "1"})
    assert broker is not None
    assert broker.hears_balances
    with pytest.raises(Malformed, match="of 0 or 1, got 'yes'"):
        read_broker({BALANCES: "yes"})


def test_no_repr_shows_the_password() -> None:
    broker = read_broker({URL: "mqtt://anna:hushhush@ha.local"})
    assert "hush" not in repr(broker)


# What is told.


def told(view: HomeView, *, hears_balances: bool = False) -> dict[str, bytes]:
    return messages(view, TABLE, hears_balances=hears_balances)


def states(view: HomeView, *, hears_balances: bool = False) -> dict[str, str]:
    """Return the state of each entity that is there."""
    kept = told(view, hears_balances=hears_balances)
    configs = [
        json.loads(text) for topic, text in kept.items() if text and "/config" in topic
    ]
    return {x["name"]: kept[x["state_topic"]].decode() for x in configs}


def test_the_home_sees_the_table() -> None:
    assert states(VIEW) == {
        "Vault bolt": "OFF",
        "Vault lid": "OFF",
        "Trouble": "OFF",
        "Game": "Friday",
        "Stage": "playing",
        "Turn": "Anna",
    }


def test_what_nobody_knows_is_unknown() -> None:
    vault = HomeVault(is_locked=None, is_lid_open=None)
    nothing = replace(VIEW, game="", turn="", vault=vault, is_in_need=True)
    assert states(nothing) == {
        "Vault bolt": "None",
        "Vault lid": "None",
        "Trouble": "ON",
        "Game": "None",
        "Stage": "playing",
        "Turn": "None",
    }


def test_balances_are_told_only_where_that_is_wanted() -> None:
    assert "Balance of Anna" not in states(VIEW)
    assert states(VIEW, hears_balances=True)["Balance of Anna"] == "1500"


def test_what_is_not_there_is_taken_from_the_broker() -> None:
    empty = replace(VIEW, vault=None, seats=(HomeSeat("red"), HomeSeat("blue")))
    for view in (VIEW, empty):
        assert told(view).keys() == told(view, hears_balances=True).keys()
    kept = told(empty, hears_balances=True)
    config = f"homeassistant/sensor/companion_{TABLE}/balance_red/config"
    gone = {topic for topic, text in kept.items() if not text}
    assert {f"{OWN}/bolt", f"{OWN}/balance_red", config} <= gone
    assert (
        states(empty, hears_balances=True).keys() & {"Vault bolt", "Vault lid"} == set()
    )


def test_two_tables_at_one_broker_are_two() -> None:
    one, other = told(VIEW), messages(VIEW, "12345678", hears_balances=False)
    assert not one.keys() & other.keys()
    ids = [
        json.loads(text)["unique_id"]
        for kept in (one, other)
        for topic, text in kept.items()
        if text and topic.endswith("/config")
    ]
    assert len(ids) == len(set(ids)) == 12
    assert one == told(VIEW), "another start says the same"


# Through a real broker.


class Home:
    """A table of which only the home's view is there, and the thread that tells it.

    Attributes:
        view: The table as the home may see it now.
        looks: How often that was asked for.
    """

    def __init__(self, url: str, table_id: str = TABLE) -> None:
        broker = read_broker({URL: url, BALANCES: "1"})
        assert broker is not None
        self.view, self.looks = VIEW, 0
        self.clock = FakeClock()
        self.teller = HomeAssistant(broker, table_id, self.clock)
        self._changes = Subscription()

    def _look(self) -> HomeView:
        self.looks += 1
        return self.view

    def start(self) -> None:
        """Begin to tell."""
        self.teller.start(self._look, self._changes.wait)

    def show(self, view: HomeView) -> None:
        """Change the table."""
        self.view = view
        self._changes.put("game", 1)

    def close(self) -> None:
        """End the table in order."""
        self._changes.close()
        self.teller.close()

    @property
    def conditions(self) -> list[Condition]:
        """Return what the health page says of the broker."""
        return [x.condition for x in self.teller.findings()]


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(home_assistant, "BEAT_S", 0.01)
    monkeypatch.setattr(home_assistant, "PAUSE_MIN_S", 0.01)
    monkeypatch.setattr(home_assistant, "PAUSE_MAX_S", 0.05)


@pytest.fixture
def mosquitto(tmp_path: Path) -> Iterator[Mosquitto]:
    with Mosquitto(tmp_path) as broker:
        yield broker


@pytest.fixture
def listener(mosquitto: Mosquitto) -> Iterator[Listener]:
    with Listener(mosquitto.port) as heard:
        yield heard


@pytest.fixture
def home(mosquitto: Mosquitto) -> Iterator[Home]:
    home = Home(mosquitto.url)
    home.start()
    yield home
    home.close()


def kept_of(view: HomeView) -> dict[str, bytes]:
    """Return what a broker keeps of these messages."""
    kept = messages(view, TABLE, hears_balances=True)
    return {topic: text for topic, text in kept.items() if text}


@needs_mosquitto
def test_all_is_kept_for_whoever_comes_later(
    mosquitto: Mosquitto, listener: Listener, home: Home
) -> None:
    listener.until(lambda kept: kept == kept_of(VIEW))
    assert not listener.fresh
    with Listener(mosquitto.port) as later:
        later.until(lambda kept: kept == kept_of(VIEW))
        assert later.fresh == kept_of(VIEW).keys()
    assert home.conditions == [Condition.OK]


@needs_mosquitto
def test_a_change_is_told_and_nothing_else_is_told_again(
    listener: Listener, home: Home
) -> None:
    listener.until_said(f"{OWN}/availability", "online")
    before = listener.count
    home.show(replace(VIEW, turn="Ben"))
    listener.until_said(f"{OWN}/turn", "Ben")
    home.show(replace(VIEW, turn="Cem"))
    listener.until_said(f"{OWN}/turn", "Cem")
    assert listener.count == before + 2


@needs_mosquitto
def test_a_seat_that_is_gone_is_taken_away(
    mosquitto: Mosquitto, listener: Listener, home: Home
) -> None:
    listener.until(lambda kept: kept == kept_of(VIEW))
    left = replace(VIEW, seats=(HomeSeat("red"), HomeSeat("blue", "Ben", 20)))
    home.show(left)
    listener.until(lambda kept: kept == kept_of(left))
    with Listener(mosquitto.port) as later:
        later.until(lambda kept: kept == kept_of(left))


@needs_mosquitto
def test_all_is_told_anew_when_home_assistant_has_started(
    listener: Listener, home: Home
) -> None:
    listener.until(lambda kept: kept == kept_of(VIEW))
    listener.forget(kept_of(VIEW))
    assert not listener.kept
    listener.say(BIRTH[0], "offline")
    listener.say(*BIRTH)
    birth = dict([BIRTH])
    listener.until(lambda kept: kept == kept_of(VIEW) | birth)


@needs_mosquitto
def test_nothing_else_that_is_said_has_an_effect(
    listener: Listener, home: Home
) -> None:
    listener.until(lambda kept: kept == kept_of(VIEW))
    looks = home.looks
    for topic in (f"{OWN}/bolt/set", f"{OWN}/bolt/command", "homeassistant/status"):
        for said in (b"ON", b"OPEN", b"UNLOCK", b"offline", b"\xff\x00", b"online "):
            listener.say(topic, said)
    home.show(replace(VIEW, turn="Ben"))
    listener.until_said(f"{OWN}/turn", "Ben")
    assert home.looks == looks + 1


@needs_mosquitto
def test_a_table_that_ends_in_order_says_so(listener: Listener, home: Home) -> None:
    listener.until_said(f"{OWN}/availability", "online")
    home.close()
    listener.until_said(f"{OWN}/availability", "offline")


@needs_mosquitto
def test_two_tables_restored_from_one_backup_both_stay_connected(
    tmp_path: Path, mosquitto: Mosquitto, listener: Listener
) -> None:
    with closing(Database(furnish(tmp_path / "kept"))) as database:
        back_up(database, tmp_path / "evening.zip", "1")
    homes = []
    for folder in tmp_path / "here", tmp_path / "there":
        folder.mkdir()
        with (tmp_path / "evening.zip").open("rb") as source:
            restore(source, folder, may_replace=False)
        with closing(Database(folder)) as database:
            table_id = database.table_id
        homes.append((f"companion/{table_id}/turn", Home(mosquitto.url, table_id)))
    with ExitStack() as ending:
        for _, home in homes:
            ending.callback(home.close)
            home.start()
        for turn in ("Ben", "Zo\u00eb", "Carl"):
            for topic, home in homes:
                home.show(replace(VIEW, turn=f"{turn} at {topic}"))
            for topic, _ in homes:
                listener.until_said(topic, f"{turn} at {topic}")
    assert mosquitto.log().count(" as companion-") == 2, mosquitto.log()


@needs_mosquitto
def test_a_broker_that_comes_back_is_told_only_what_is_so_now(
    mosquitto: Mosquitto,
    listener: Listener,
    home: Home,
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.INFO)
    listener.until(lambda kept: kept == kept_of(VIEW))
    mosquitto.stop()
    until(lambda: home.conditions == [Condition.WARN])
    for turn in range(500):
        home.show(replace(VIEW, turn=f"player {turn}"))
    mosquitto.start()  # With nothing of what it kept.
    with Listener(mosquitto.port) as later:
        later.until(lambda kept: kept == kept_of(home.view))
        turns = [topic for topic in later.kept if topic.endswith("/turn")]
        assert len(turns) == 1
        assert later.count <= 2 * len(messages(VIEW, TABLE, hears_balances=True))
    until(lambda: home.conditions == [Condition.OK])
    told_of = [x.getMessage().split()[0] for x in caplog.records]
    assert told_of == ["home_told", "home_not_told", "home_told"]


@needs_mosquitto
def test_a_wrong_password_is_said_and_a_right_one_is_not(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    subprocess.run(
        ["mosquitto_passwd", "-b", "-c", tmp_path / "users", "anna", SECRET], check=True
    )
    with Mosquitto(tmp_path, f"password_file {tmp_path / 'users'}") as broker:
        for password, wanted in (("wr0ng", Condition.WARN), (SECRET, Condition.OK)):
            quoted = "".join(f"%{ord(x):02x}" for x in password)
            home = Home(f"mqtt://anna:{quoted}@{HERE}:{broker.port}")
            home.start()
            until(lambda home=home: home.conditions)
            words = [f"{x.words} {x.remedy}" for x in home.teller.findings()]
            assert home.conditions == [wanted]
            home.close()
            assert password not in caplog.text + "".join(words)
            assert quoted not in caplog.text + "".join(words)
    assert "Not authorized" in caplog.text


# paho lets go of the socket of a handshake that failed, and does not close it.
@pytest.mark.filterwarnings("ignore:unclosed <ssl.SSLSocket:ResourceWarning")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@needs_mosquitto
def test_what_is_encrypted_wants_a_certificate_that_is_trusted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, more in (
        ("own", ("-addext", f"subjectAltName=IP:{HERE}")),
        ("other", ()),
    ):
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2",
             "-subj", "/CN=broker", "-keyout", f"{name}.key", "-out", f"{name}.pem",
             *more],
            cwd=tmp_path, check=True, capture_output=True,
        )  # fmt: skip
    files = (f"certfile {tmp_path / 'own.pem'}", f"keyfile {tmp_path / 'own.key'}")
    with Mosquitto(tmp_path, *files) as broker:
        for name, wanted in (("other", Condition.WARN), ("own", Condition.OK)):
            monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / f"{name}.pem"))
            home = Home(f"mqtts://{HERE}:{broker.port}")
            home.start()
            until(lambda home=home: home.conditions)
            words = "".join(f"{x.words}" for x in home.teller.findings())
            home.close()
            assert home.conditions == [wanted], words
            assert ("certificate verify failed" in words) == (name == "other")


# Brokers that mean harm.

Harm = Callable[[socket.socket], None]
CONNACK = b"\x20\x02\x00\x00"
MEMORY_MAX = 8 << 20
"""In bytes; a message alone may have 256 MB."""


def publish(topic: bytes, said: bytes, kind: int = 0x30, number: bytes = b"") -> bytes:
    """Encode a short message as a broker sends it."""
    body = len(topic).to_bytes(2, "big") + topic + number + said
    assert len(body) < 128
    return bytes((kind, len(body))) + body


def send_for_long(line: socket.socket, said: bytes) -> None:
    """Send the same again and again, until the other side has had enough."""
    while True:
        line.sendall(said)


def never_answers(line: socket.socket) -> None:
    while line.recv(4096):
        pass


def hangs_up(_line: socket.socket) -> None:
    pass


def accepts_and_hangs_up(line: socket.socket) -> None:
    line.recv(4096)
    line.sendall(CONNACK)


def accepts_and_reads_nothing(line: socket.socket) -> None:
    line.sendall(CONNACK + b"\x90\x03\x00\x01\x00")
    line.shutdown(socket.SHUT_WR)


def talks_nonsense(line: socket.socket) -> None:
    line.sendall(bytes(range(256)) * 16)
    never_answers(line)


def talks_nonsense_later(line: socket.socket) -> None:
    line.sendall(CONNACK + b"\x30\x05\xff\xffabc" + b"\x90\x00\x40\x01x")
    never_answers(line)


def floods_with_births(line: socket.socket) -> None:
    line.sendall(CONNACK + b"\x90\x03\x00\x01\x00")
    send_for_long(line, publish(*BIRTH_BYTES) * 100)


def floods_with_what_is_to_be_answered(line: socket.socket) -> None:
    line.sendall(CONNACK + b"\x90\x03\x00\x01\x00")
    for number in range(1 << 16):
        line.sendall(publish(b"x", b"", 0x34, number.to_bytes(2, "big")))
    never_answers(line)


def keeps_a_huge_message(line: socket.socket) -> None:
    line.sendall(CONNACK + b"\x30\xff\xff\xff\x7f\x00\x01x")  # 256 MB.
    send_for_long(line, bytes(1 << 20))


BIRTH_BYTES = BIRTH[0].encode(), BIRTH[1]
HARMS = (
    never_answers,
    hangs_up,
    accepts_and_hangs_up,
    accepts_and_reads_nothing,
    talks_nonsense,
    talks_nonsense_later,
    floods_with_births,
    floods_with_what_is_to_be_answered,
    keeps_a_huge_message,
)


class Rogue:
    """A broker that does each caller the same harm.

    Attributes:
        calls: How often it was called.
    """

    def __init__(self, harm: Harm) -> None:
        self._harm, self.calls = harm, 0
        self._door = socket.create_server((HERE, 0))
        self.url = f"mqtt://anna:hushhush@{HERE}:{self._door.getsockname()[1]}"
        self._lines: list[socket.socket] = []
        self._thread = threading.Thread(target=self._work)
        self._thread.start()

    def _work(self) -> None:
        while True:
            try:
                line, _ = self._door.accept()
            except OSError:
                return
            self.calls += 1
            self._lines.append(line)
            with suppress(OSError):
                self._harm(line)
            line.close()

    def close(self) -> None:
        """Let go of everybody."""
        self._door.shutdown(socket.SHUT_RDWR)
        for line in self._lines:
            line.close()
        self._thread.join(PATIENCE_S)
        self._door.close()


@pytest.mark.parametrize("harm", HARMS, ids=lambda x: x.__name__)
def test_no_broker_harms_the_table(
    harm: Harm, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(home_assistant, "KEEPALIVE_S", 1)
    caplog.set_level(logging.DEBUG)
    rogue = Rogue(harm)
    home = Home(rogue.url)
    tracemalloc.start()
    home.start()
    try:
        until(lambda: rogue.calls >= 3 or home.looks >= 50, lambda: rogue.calls)
        for turn in range(1000):
            home.show(replace(VIEW, turn=f"player {turn}"))
    finally:
        home.close()
        rogue.close()
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    assert most < MEMORY_MAX
    said = [x.getMessage().split()[0] for x in caplog.records]
    assert all(one != other for one, other in pairwise(said)), "each change once"
    assert set(said) <= {"home_told", "home_not_told"}
    assert "hush" not in caplog.text


class Pauses(threading.Event):
    """Waits for nothing, and notes for how long it should have."""

    def __init__(self, count: int) -> None:
        super().__init__()
        self.asked: list[float] = []
        self._count = count

    def wait(self, timeout: float | None = None) -> bool:
        """Note it; after so many, it is over."""
        assert timeout is not None
        self.asked.append(timeout)
        if len(self.asked) == self._count:
            self.set()
        return self.is_set()


def test_a_broker_that_is_away_is_called_ever_less_often(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    monkeypatch.setattr(home_assistant, "PAUSE_MIN_S", 1)
    monkeypatch.setattr(home_assistant, "PAUSE_MAX_S", 300)
    with socket.create_server((HERE, 0)) as door:
        nobody = f"mqtt://{HERE}:{door.getsockname()[1]}"
    home = Home(nobody)
    pauses = home.teller._closing = Pauses(12)
    home.start()
    until(pauses.is_set)
    home.close()
    assert pauses.asked == [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300]
    assert [x.getMessage().split()[0] for x in caplog.records] == ["home_not_told"]


@needs_mosquitto
def test_after_a_good_connection_a_broker_is_soon_called_again(
    mosquitto: Mosquitto, listener: Listener, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(home_assistant, "PAUSE_MIN_S", 1)
    home = Home(mosquitto.url)
    pauses = home.teller._closing = Pauses(1)
    home.start()
    listener.until_said(f"{OWN}/availability", "online")
    home.clock.advance(61_000)
    mosquitto.stop()
    until(pauses.is_set)
    home.close()
    assert pauses.asked == [1]
    mosquitto.start()


def test_without_paho_the_table_says_what_it_lacks() -> None:
    """As if it was not installed: the settings alone never ask for it."""
    script = (
        "import sys; sys.modules['paho'] = None\n"
        "import serving, hardware.doctor.gather\n"
        "from hardware.home.settings import read_broker\n"
        "broker = read_broker({'COMPANION_MQTT_URL': 'mqtt://u:hushhush@x'})\n"
        "assert serving._connect_home(None, 'x') is None\n"
        "serving._connect_home(broker, 'x')\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False
    )
    last = done.stderr.splitlines()[-2:]
    assert "expected paho-mqtt for COMPANION_MQTT_URL" in "".join(last)
    assert "hush" not in done.stderr
