"""What ``home-assistant.sh`` proves: a table's entities in Home Assistant's core."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path

from companion.units import Dollars
from companion.views.home import HomeSeat, HomeVault, HomeView
from hardware.home.assistant import messages
from tests.mosquitto import Mosquitto
from tests.phone_http import HttpPhone, open_table
from tests.running import RunningTable, free_port

PATIENCE_S = 120
SCRIPT = Path(__file__).with_name("home-assistant.sh")
INSIDE = (str(SCRIPT), "inside", "python3", "/inside.py")
SEATS = (("red", "hat"), ("blue", "car"))


class Core:
    """Home Assistant, connected to the broker on *port*, and the states it shows."""

    def __init__(self, port: int) -> None:
        self.seen: dict[str, object] = {"states": {}, "devices": []}
        self._news = threading.Condition()
        self._process = subprocess.Popen(
            [*INSIDE, str(port), str(free_port())],
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        self._thread = threading.Thread(target=self._read)
        self._thread.start()

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            with self._news:
                self.seen = json.loads(line)
                self._news.notify_all()

    def until(self, claim: str, holds: Callable[[dict[str, str]], object]) -> None:
        """Wait until *holds* is true of the table's states, and print the claim."""
        with self._news:
            is_so = self._news.wait_for(lambda: holds(self.states()), PATIENCE_S)
        if not is_so:
            raise SystemExit(f"FAILED: {claim}: {self.seen}")
        sys.stdout.write(f"ok  {claim}\n")
        sys.stdout.flush()

    def states(self) -> dict[str, str]:
        """The state of each entity of the table, by its own name."""
        states = self.seen["states"]
        assert isinstance(states, dict)
        own = "Game table "
        return {x.removeprefix(own): y for x, y in states.items() if own in x}

    def close(self) -> None:
        """End it."""
        if self._process.poll() is None:
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._thread.join()


def check_schemas(root: Path) -> None:
    """Have Home Assistant's schemas look at a message of each entity."""
    seats = tuple(HomeSeat(x, x, Dollars(1)) for x in ("red", "blue"))
    vault = HomeVault(is_locked=True, is_lid_open=False)
    view = HomeView("Friday", "playing", "Anna", False, vault, seats)
    told = messages(view, "0badcafe", hears_balances=True)
    kept = {x: y.decode() for x, y in told.items() if y and x.endswith("/config")}
    (root / "messages.json").write_text(json.dumps(kept))
    subprocess.run([*INSIDE, "check", "/messages.json"], check=True)
    sys.stdout.write(f"ok  its schemas take all {len(kept)} messages of discovery\n")


def is_away(states: dict[str, str]) -> bool:
    """Tell whether all is unavailable."""
    return bool(states) and set(states.values()) == {"unavailable"}


def is_reds_turn(states: dict[str, str]) -> bool:
    """Tell whether red's turn is shown."""
    return states.get("Turn") == "red"


def prove(folder: Path) -> None:
    """Follow a table through an evening, a kill, and starts of either side."""
    with Mosquitto(folder) as broker:
        settings = {"COMPANION_MQTT_URL": broker.url, "COMPANION_MQTT_BALANCES": "1"}
        core = Core(broker.port)
        try:
            with RunningTable(folder / "data", settings=settings) as table:
                play(core, table)
                table.kill()
                core.until("after kill -9 all is unavailable", is_away)
            with RunningTable(folder / "data", settings=settings) as table:
                core.until("after its next start all is there again", is_reds_turn)
                core.close()
                core = Core(broker.port)
                core.until("a Home Assistant that starts later finds it", is_reds_turn)
                broker.stop()
                core.until("without a broker all is unavailable", is_away)
                broker.start()
                core.until("a broker that forgot everything is told anew", is_reds_turn)
                table.stop()
                core.until("a table that ends in order is unavailable", is_away)
        finally:
            core.close()


def play(core: Core, table: RunningTable) -> None:
    """Let Home Assistant follow the first minutes of an evening."""
    first = {"Vault bolt": "on", "Vault lid": "on", "Trouble": "off", "Game": "unknown"}
    core.until("all entities appear", lambda x: first.items() <= x.items())
    if core.seen["devices"] != ["Game table"]:
        raise SystemExit(f"FAILED: one device: {core.seen['devices']}")
    assert table.code is not None
    game, host, phones = open_table(table.address, table.code, SEATS, "secret-vault")
    named = {"Game": "Load", "Balance of red": "3000", "Turn": "unknown"}
    core.until("a game is named, with balances", lambda x: named.items() <= x.items())
    host.post(f"/g/{game}/do/begin", command_id="the-beginning")
    core.until("it is somebody's turn", is_reds_turn)
    follow_the_vault(core, host)
    for phone in (host, *phones):
        phone.close()


def follow_the_vault(core: Core, phone: HttpPhone) -> None:
    """Shut, lock and force the vault."""
    phone.post("/vault/lid", move="shut")
    core.until("the lid is closed", lambda x: x["Vault lid"] == "off")
    phone.post("/vault/press", line="yellow_button", times=3)
    core.until("the bolt is locked", lambda x: x["Vault bolt"] == "off")
    phone.post("/vault/lid", move="force")
    core.until("a forced vault is a problem", lambda x: x["Trouble"] == "on")


check_schemas(Path(sys.argv[1]))
with tempfile.TemporaryDirectory() as folder:
    prove(Path(folder))
