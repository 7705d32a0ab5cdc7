"""The program behind ``companion serve``, which joins core, hardware and web.

``run`` makes devices from the settings, a table from devices and journals, and a
*panel*, the web pages, from the table; then it serves the panel.

Where PostgreSQL keeps the games, a second server may *stand by* until the first one
ends. A *look* checks for systemd's watchdog whether a part of the program is alive.
"""

from __future__ import annotations

import logging
import os
import secrets
import signal
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, closing, contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict

import click
import segno

from companion.console import open_store
from companion.edition.catalogue import Catalogue, catalogue_of
from companion.errors import DeviceFault, JournalFault, Malformed
from companion.examining import DecoderService
from companion.health import Finding, worst
from companion.lock.keeper import KeeperSettings
from companion.lock.quadrature import NUMBER_COUNT
from companion.lock.senses import SenseSettings
from companion.ports import VaultDevice
from companion.store import Store, close_to_others
from companion.store.postgres import Meanwhile, Postgres
from companion.store.ticks import TABLE
from companion.table import Table, TableService, VaultParts, build_table
from companion.table.seating import Seating, in_threes
from companion.table.service import games_for
from companion.table.vault_coupling import open_by_hand
from companion.views.home import HomeView, home_view
from hardware.clock import SystemClock
from hardware.copying import LOOK_MS, Copying
from hardware.copying import start as start_copying
from hardware.discover_decoder import open_decoder
from hardware.doctor.running import (
    Part,
    TableHealth,
    address_findings,
    camera_findings,
)
from hardware.home.settings import TOPIC, Broker, read_broker
from hardware.network.whereabouts import Whereabouts, is_contained
from hardware.notify import Look, Manager, Watchdog, answering
from hardware.stick import MOUNT, may_ask
from hardware.vault.discover import VaultSettings, find_vault, read_settings
from web.app import create_app
from web.http.live import MACHINE
from web.http.panel import Panel
from web.http.server import listen
from web.http.server import serve as serve_panel
from web.http.settings import PanelSettings, room_for
from web.http.standing_in import standing_in
from web.seats.copies import STICKS

if TYPE_CHECKING:
    from hardware.home.assistant import HomeAssistant

log = logging.getLogger("companion")

OWNER_ONLY = 0o077
"""The umask that lets only their owner read new files."""


Health = Callable[[], Iterable[Finding]]
"""Returns the findings about the table and its machine."""


class Options(TypedDict):
    """The options of ``companion serve``; ``cli.py`` explains them."""

    vault: str | None
    host: str
    port: int
    proxy: str
    proxy_hops: int
    name: tuple[str, ...]
    base: str
    phones: int
    copy_to: Path | None
    new_host: bool
    edition: tuple[Path, ...]
    data: Path
    database: str


def run(options: Options) -> None:
    """Run the table: vault, bank and panel, until it is told to end."""
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(name)s %(message)s")
    data, database, base = options["data"], options["database"], options["base"]
    chosen = {"COMPANION_VAULT": options["vault"]} if options["vault"] else {}
    settings = read_settings({**os.environ, **chosen})
    _check_database(database, settings)
    broker = read_broker(os.environ)
    manager, ending = Manager(os.environ), ExitStack()
    _end_on_signal(manager, ending)
    with ExitStack() as stack:
        listening = stack.enter_context(listen(options["host"], options["port"]))
        port = listening.getsockname()[1]
        meanwhile = partial(_standing_by, manager, partial(standing_in, listening))
        store = stack.enter_context(closing(_open_store(data, database, meanwhile)))
        catalogue = _load_catalogue(data, options["edition"])
        looks: dict[str, Look] = {"journal": store.is_alive}
        parts = _make_vault_parts(settings, stack, looks)
        built = _build_table(store, catalogue, parts, options["phones"])
        table = stack.enter_context(closing(built.service))
        ending.callback(table.close)
        if options["new_host"]:
            table.phones.forget_hosts()
        _start_vault(built, stack, looks)
        decoder_service = stack.enter_context(
            open_decoder(
                data / "decks", os.environ, lambda topic: table.notices.tell(topic, 0)
            )
        )
        ending.callback(decoder_service.examiner.give_up)
        where = _watch_address(options, port, table, stack)
        panel_settings = _make_panel_settings(where, options)
        home = _connect_home(broker, store.table_id)
        copying = _start_copying(options, table, stack)
        panel = _make_panel(store, built, decoder_service, where, home, copying)
        _start_home(home, built, panel.health, stack)
        app = create_app(panel, panel_settings)
        has_vault = built.vault is not None
        _print_greeting(where, port, base, built.seating, has_vault=has_vault)
        say_ready = partial(_report_ready, manager, looks, stack)
        serve_panel(app, listening, panel_settings, say_ready)
    _leave_at_once()


def _build_table(
    store: Store, catalogue: Catalogue, parts: VaultParts | None, phones: int
) -> Table:
    return build_table(
        store,
        SystemClock(),
        catalogue,
        vault=parts,
        tell_first_code=_print_code,
        games_max=games_for(phones),
    )


def _make_panel_settings(where: Whereabouts | None, options: Options) -> PanelSettings:
    room = room_for(options["phones"])
    return PanelSettings(
        where=where,
        host_names=options["name"],
        base=options["base"],
        proxy=options["proxy"],
        proxy_hops=options["proxy_hops"],
        is_contained=is_contained(os.environ),
        streams_max=room.streams_max,
        connections_max=room.connections_max,
    )


def _watch_address(
    options: Options, port: int, table: TableService, stack: ExitStack
) -> Whereabouts | None:
    """Watch the panel's address, and notify the table's screen when it changes.

    Return ``None`` behind a proxy or in a container, where the address that phones use
    is unknown.
    """
    if options["proxy"] or is_contained(os.environ):
        return None
    clock = stack.enter_context(closing(SystemClock()))

    def tell() -> None:
        table.notices.tell(MACHINE, 0)

    where = Whereabouts(options["host"], port, clock, tell, base=options["base"])
    return stack.enter_context(closing(where))


def _start_copying(
    options: Options, table: TableService, stack: ExitStack
) -> Copying | None:
    """Copy the games as they are played; ``None`` where nobody has named a place."""
    folder, chosen = options["copy_to"], None
    if folder is None and may_ask():
        folder, chosen = MOUNT, partial(table.ticks.done, TABLE, STICKS)
    if folder is None:
        return None
    start = partial(start_copying, folder, options["data"], options["database"])
    clock = stack.enter_context(closing(SystemClock(slow_ms=LOOK_MS)))
    tell = partial(table.notices.tell, MACHINE, 0)
    return stack.enter_context(closing(Copying(folder, start, clock, tell, chosen)))


def _make_panel(
    store: Store,
    built: Table,
    decoder: DecoderService,
    where: Whereabouts | None,
    home: HomeAssistant | None,
    copying: Copying | None,
) -> Panel:
    parts: list[Part] = [
        lambda: camera_findings(decoder.examiner.camera_health()),
        lambda: address_findings(where),
        *(one.findings for one in (home, copying) if one is not None),
    ]
    if built.vault is not None:
        parts.insert(0, built.vault.findings)
    monitored = TableHealth(store.directory, SystemClock(), parts)

    def health() -> tuple[Finding, ...]:  # A failed write is told at once.
        return (*store.findings(), *monitored())

    store.on_change = lambda: built.service.notices.tell(MACHINE, 0)
    return Panel(
        built, decoder, health, store.is_alive, store.check_last_write, copying
    )


def _connect_home(broker: Broker | None, table_id: str) -> HomeAssistant | None:
    """Return the connection to Home Assistant; ``None`` if no MQTT broker is set."""
    if broker is None:
        return None
    try:  # Only here, since most tables have no broker and need no paho-mqtt.
        from hardware.home.assistant import HomeAssistant
    except ImportError as error:
        raise DeviceFault(
            f"expected paho-mqtt for COMPANION_MQTT_URL, got: {error}",
            "pip install 'table-companion[mqtt]', or leave COMPANION_MQTT_URL out",
        ) from error
    return HomeAssistant(broker, table_id, SystemClock())


def _start_home(
    home: HomeAssistant | None, built: Table, health: Health, stack: ExitStack
) -> None:
    """Have Home Assistant follow the table until it closes."""
    if home is None:
        return
    changes = built.service.subscribe()
    stack.callback(home.close)
    stack.callback(built.service.notices.unsubscribe, changes)
    home.start(partial(seen_from_home, built, health), changes.wait)


def seen_from_home(built: Table, health: Health) -> HomeView:
    """Return what Home Assistant may see of the table."""
    table, vault = built.service, built.vault
    # Not the finding that Home Assistant cannot be reached: once the message arrives,
    # it is no longer true.
    findings = (finding for finding in health() if finding.topic != TOPIC)
    is_well = worst(findings) is None
    game = None
    try:
        with table.at_current() as game_id:
            game = table.game(game_id) if game_id is not None else None
    except JournalFault:
        is_well = False
    vault_view = vault.keeper.view() if vault is not None else None
    return home_view(game, vault_view, is_well=is_well)


def _report_ready(manager: Manager, looks: dict[str, Look], stack: ExitStack) -> None:
    """Tell systemd that the table is ready, and from then on that it is alive."""
    # The watchdog's checks may hang, and would hold up other users of its clock.
    clock = stack.enter_context(closing(SystemClock()))
    stack.enter_context(closing(Watchdog(manager, clock, looks)))
    manager.tell("READY=1", "STATUS=the table is open")


def _end_on_signal(manager: Manager, ending: ExitStack) -> None:
    """Have a signal close *ending*, and then end the program.

    *ending* ends live streams and examinations, whose threads the program would
    otherwise wait for.
    """
    signals = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)

    def end(_signal: int, _frame: object) -> None:
        for number in signals:  # A second signal would interrupt the closing.
            signal.signal(number, signal.SIG_IGN)
        manager.tell("STOPPING=1", "STATUS=the table is closing")
        ending.close()
        sys.exit(0)

    for number in signals:
        signal.signal(number, end)


def _leave_at_once() -> None:
    """End the program without clean-up if a thread still works on a photo.

    Everything is closed by now, and Python's own clean-up would interrupt the thread
    within OpenCV, which then aborts.
    """
    # Waitress's threads examine photos; "lesson" threads learn decks from photos.
    names = [thread.name for thread in threading.enumerate()]
    if any(name.startswith(("waitress", "lesson")) for name in names):
        logging.shutdown()
        os._exit(0)


def _check_database(database: str, settings: VaultSettings) -> None:
    """Refuse a vault with PostgreSQL: a standby server has no wires to the vault."""
    if database and settings.kind.open is not None:
        raise Malformed(
            f"expected no vault where PostgreSQL keeps the games, got {settings.vault}",
            "add --no-vault (COMPANION_VAULT=none), or leave COMPANION_DATABASE out",
        )


@contextmanager
def _standing_by(manager: Manager, standing_in: Meanwhile) -> Iterator[None]:
    """Tell phones and systemd, within the context, that another server writes."""
    log.info("standing_by: another server writes; this one waits until that ends")
    with closing(SystemClock()) as clock, closing(Watchdog(manager, clock, {})):
        manager.tell("READY=1", "STATUS=standing by; another server writes")
        with standing_in():
            yield
    log.info("taking_over")


def _end_at_once(why: str) -> None:
    """End the program: without its connection to the database it may not write."""
    log.error(
        "connection_lost error=%s: the database may have another writer; "
        "ending at once",
        why,
    )
    logging.shutdown()
    os._exit(1)


def _open_store(data: Path, database: str, meanwhile: Meanwhile) -> Store:
    """Open the games, and close the folder *data* to other users of this machine.

    The folder contains the vault's code. If it cannot be closed, a warning is logged.
    """
    os.umask(OWNER_ONLY)
    store = open_store(data, database, meanwhile)
    if isinstance(store, Postgres):
        store.on_loss = _end_at_once
        store.lose_if_mute()
    store.try_to_write()  # A disk may be full from the start, before anybody taps.
    decks = data / "decks"
    close_to_others(decks, *decks.rglob("*"))
    for path in store.open_to_others[:1]:
        log.warning(
            "data_open_to_others path=%s: other users of this machine may look in, "
            "and the vault's code is there; choose a folder of your own with --data",
            path,
        )
    return store


def _load_catalogue(data: Path, files: tuple[Path, ...]) -> Catalogue:
    """Load this table's editions, logging mistakes in files."""
    catalogue = catalogue_of(data, files)
    for fault in catalogue.faults:
        log.warning("edition_left_out problem=%s", fault)
    return catalogue


def _make_vault_parts(
    settings: VaultSettings, stack: ExitStack, looks: dict[str, Look]
) -> VaultParts | None:
    """Make the parts of the vault; return ``None`` for a table without one."""
    if settings.kind.open is None:
        return None
    # Clocks of their own: a slow user of a shared clock would delay presses and lights,
    # and the end of the coil's pulse.
    clock, coil_clock = SystemClock(), SystemClock()
    looks["coil clock"] = answering(coil_clock)

    def open_device(was_lid_shut: bool) -> VaultDevice:
        vault = find_vault(
            settings, clock, coil_clock=coil_clock, was_lid_shut=was_lid_shut
        )
        return stack.enter_context(closing(vault))

    return VaultParts(
        open_device,
        clock,
        draw_code,
        KeeperSettings(senses=SenseSettings(wheel=settings.wheel)),
    )


def _start_vault(built: Table, stack: ExitStack, looks: dict[str, Look]) -> None:
    """Start the vault; without one, tell games that wait for a lid that it is open."""
    vault = built.vault
    if vault is None:
        open_by_hand(built.service)
        return
    looks["vault"] = lambda: vault.keeper.is_alive
    stack.callback(vault.stop)
    vault.start()


def draw_code() -> int:
    """Draw a new number that opens the vault: 1 to 6, equally likely."""
    return secrets.randbelow(NUMBER_COUNT) + 1


def _print_greeting(
    where: Whereabouts | None,
    port: int,
    base: str,
    seating: Seating,
    *,
    has_vault: bool,
) -> None:
    """Print the addresses of the panel, and the code for the first phone.

    If *where* is ``None``, the address is unknown, and only paths are printed.
    """
    address, local = "", base  # For phones, and for a browser on this machine.
    phones = "the address of the proxy or of the container's machine, and under it:"
    if where is not None:
        address, local = where.address(), f"http://localhost:{port}{base}"
        phones = address or "no network yet; the table's screen shows where to go"
    if address:
        segno.make(address, error="m").terminal(compact=True)
    wifi = where.hotspot.wifi() if where else None
    if wifi is not None:  # Without its password: this is kept in the system's log.
        click.echo(f"Wi-Fi:         join {wifi.name}; its password is on the screen")
    click.echo(f"Phones:        {phones}")
    click.echo(f"Table screen:  {local}/table")
    if has_vault:
        click.echo(f"Vault:         {local}/vault")
    click.echo(f"Is it real?    {address or local}/decoder")
    code = seating.first_run_code()
    if code is not None:
        _print_code(code)
    click.echo("Ctrl-C ends it; every game is kept.")


def _print_code(code: str) -> None:
    """Print the code for the first phone, which is kept in no file."""
    click.echo(f"First phone:   type {in_threes(code)} there to open the first game")
