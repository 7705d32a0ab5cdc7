"""The parts of a table that the web pages work with, and access to them in a request.

A ``Panel`` joins the table, its decoder of notes and the health of its machine. Within
a request, ``panel()`` returns it and ``settings()`` its settings.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Protocol, cast

from flask import Flask, current_app

from companion.box.own_editions import OwnEditions
from companion.examining import DecoderService
from companion.health import Finding
from companion.ports import Stick
from companion.store.copies import Copy
from companion.table import Table, TableService
from companion.table.seating import Seating
from companion.table.vault_coupling import VaultCoupling
from companion.words import Words, say
from web.http.errors import Problem
from web.http.settings import PanelSettings

KEY = "companion.panel"
"""The key of ``app.extensions`` under which the application keeps ``Installed``."""


class Copies(Protocol):
    """Where games are copied to as they are played, as ``hardware/copying.py`` does."""

    def state(self) -> Words | None:
        """Return a sentence on how up to date they are; ``None`` before the first."""

    def sticks(self) -> Sequence[Stick]:
        """List the sticks that are plugged in."""

    def choose(self, uuid: str) -> None:
        """Have a stick used, or let go of the present one if *uuid* is empty."""

    def found(self) -> tuple[Copy, ...]:
        """Return the copies that are not as the table has the games."""

    def read(self, file: str) -> bytes:
        """Return the exported game in a file of theirs; raise ``DeviceFault``."""


@dataclass(frozen=True, slots=True)
class Panel:
    """The parts of a table that the pages work with.

    Attributes:
        built: The whole table: its games, seats, editions and vault.
        decoder: The service that tells real notes from fake ones, if the table has one.
        health: Returns the findings about the table's machine, without waiting; none
            for a machine that is not monitored.
        answers: Tells whether the journal can be read, or raises a ``JournalFault``; it
            waits until a write in progress has finished.
        check_last_write: Raises a ``JournalFault`` if the last write failed.
        copies: Where the games are copied to; ``None`` for a table that copies none.
    """

    built: Table
    decoder: DecoderService | None = None
    health: Callable[[], tuple[Finding, ...]] = lambda: ()
    answers: Callable[[], bool] = lambda: True
    check_last_write: Callable[[], None] = lambda: None
    copies: Copies | None = None

    @property
    def table(self) -> TableService:
        """The service of all games; nothing else writes to them."""
        return self.built.service

    @property
    def seating(self) -> Seating:
        """Which phone holds which seat."""
        return self.built.seating

    @property
    def vault(self) -> VaultCoupling | None:
        """The vault; ``None`` if the table has none."""
        return self.built.vault

    @property
    def editions(self) -> OwnEditions:
        """The editions by id, each with the figures typed in from this table's box."""
        return self.built.editions


@dataclass(frozen=True, slots=True)
class Installed:
    """The panel and the settings of one application."""

    panel: Panel
    settings: PanelSettings


_installed: ContextVar[Installed | None] = ContextVar("panel", default=None)
"""The panel and settings of the request that the present thread answers.

They are looked up once per request, since drawing a page needs them forty times.
"""


def install_panel(app: Flask) -> None:
    """Have each request of *app* look up its panel once, before anything needs it."""
    app.before_request(lambda: _set_installed(current_app.extensions[KEY]))
    app.teardown_request(lambda _: _set_installed(None))


def _set_installed(value: Installed | None) -> None:
    """Set ``_installed`` without a result, which Flask would take for a response."""
    _installed.set(value)


def installed() -> Installed:
    """Return the panel and the settings of this request's application."""
    return _installed.get() or cast("Installed", current_app.extensions[KEY])


def panel() -> Panel:
    """Return the panel of this request's application."""
    return installed().panel


def settings() -> PanelSettings:
    """Return the settings of this request's application."""
    return installed().settings


def fitted_vault() -> VaultCoupling:
    """Return the vault of this request's table; it never reveals its code.

    Raises:
        Problem: 404 if the table has none.
    """
    vault = panel().vault
    if vault is None:
        raise Problem(
            404,
            "no_vault",
            say("this table has no vault"),
            say("play without, or fit one"),
        )
    return vault
