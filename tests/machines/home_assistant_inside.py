"""Home Assistant's own core with its MQTT integration, and nothing else of it.

``home-assistant.sh`` runs this in its root file system. It connects to the broker on
port ``sys.argv[1]``, answers on ``sys.argv[2]``, and writes all states as a line of
JSON whenever one has changed. ``check FILE`` instead checks messages of discovery by
Home Assistant's own schemas.
"""

from __future__ import annotations

import asyncio
import json
import logging
import sys
import tempfile
from pathlib import Path

from homeassistant import auth, bootstrap, loader
from homeassistant.components.mqtt import binary_sensor, sensor
from homeassistant.config_entries import ConfigEntries
from homeassistant.core import Event, HomeAssistant
from homeassistant.helpers import device_registry
from homeassistant.setup import async_setup_component

SCHEMAS = {
    "binary_sensor": binary_sensor.DISCOVERY_SCHEMA,
    "sensor": sensor.DISCOVERY_SCHEMA,
}


def check(file: Path) -> None:
    """Raise an error for the first message that its schema refuses."""
    for topic, text in json.loads(file.read_text()).items():
        SCHEMAS[topic.split("/")[1]](json.loads(text))


async def follow(port: int, own_port: int) -> None:
    """Be a home until somebody ends it."""
    folder = Path(tempfile.mkdtemp())
    (folder / "configuration.yaml").touch()
    home = HomeAssistant(str(folder))
    loader.async_setup(home)
    home.config_entries = ConfigEntries(home, {})
    home.config.skip_pip = True
    await bootstrap.async_load_base_functionality(home)
    home.auth = await auth.auth_manager_from_config(home, [], [])
    pages = {"server_host": "127.0.0.1", "server_port": own_port}
    assert await async_setup_component(home, "http", {"http": pages})
    home.bus.async_listen("state_changed", lambda event: tell(home, event))
    await home.async_start()
    flow = await home.config_entries.flow.async_init("mqtt", context={"source": "user"})
    broker = {"broker": "127.0.0.1", "port": port}
    if flow["type"] == "menu":
        raise SystemExit(f"the form is another: {flow}")
    made = await home.config_entries.flow.async_configure(flow["flow_id"], broker)
    assert made["type"] == "create_entry", made
    await asyncio.Event().wait()


def tell(home: HomeAssistant, _event: Event) -> None:
    """Write the states of all entities, and the names of all devices."""
    states = {x.name: x.state for x in home.states.async_all()}
    devices = [x.name for x in device_registry.async_get(home).devices.values()]
    sys.stdout.write(json.dumps({"states": states, "devices": devices}) + "\n")
    sys.stdout.flush()


logging.basicConfig(level=logging.WARNING)
if sys.argv[1] == "check":
    check(Path(sys.argv[2]))
else:
    asyncio.run(follow(int(sys.argv[1]), int(sys.argv[2])))
