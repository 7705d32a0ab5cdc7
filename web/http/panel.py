"""What the panel is given to work with: the table service, the seats, the vault."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass
from typing import cast

from flask import Flask, current_app

from companion.box.own_editions import OwnEditions
from companion.examining import DecoderService
from companion.health import Finding
from companion.table import Table, TableService
from companion.table.seating import Seating
from companion.table.vault_coupling import VaultCoupling
from companion.words import say
from web.http.errors import Problem
from web.http.settings import PanelSettings

KEY = "companion.panel"


def no_findings() -> tuple[Finding, ...]:
    """The health of a table whose machine nobody looks at."""
    return ()


@dataclass(frozen=True, slots=True)
class Panel:
    """Everything that the pages talk to.

    Attributes:
        built: The table itself, with its seats and its vault.
        decoder: Tells real notes from fake ones, or ``None`` where there is none.
        health: How well the table's machine is; answers at once.
        answers: Tells whether the journal answers, or raises a ``JournalFault``; waits
            for whoever writes.
    """

    built: Table
    decoder: DecoderService | None = None
    health: Callable[[], tuple[Finding, ...]] = no_findings
    answers: Callable[[], bool] = lambda: True

    @property
    def table(self) -> TableService:
        """All games; nothing else writes them."""
        return self.built.service

    @property
    def seating(self) -> Seating:
        """Which phone holds which seat."""
        return self.built.seating

    @property
    def vault(self) -> VaultCoupling | None:
        """The vault, or ``None`` where there is no vault."""
        return self.built.vault

    @property
    def editions(self) -> OwnEditions:
        """Gives an edition by its id, with what was read off this table's box."""
        return self.built.editions


@dataclass(frozen=True, slots=True)
class Installed:
    """The panel of a running application with its settings."""

    panel: Panel
    settings: PanelSettings


_here: ContextVar[Installed | None] = ContextVar("panel", default=None)
"""That of the request that this thread answers: pages ask for it forty times."""


def install_panel(app: Flask) -> None:
    """Have each request of *app* know its panel, before anything asks for it."""
    app.before_request(lambda: _know(current_app.extensions[KEY]))
    app.teardown_request(lambda _: _know(None))


def _know(known: Installed | None) -> None:
    _here.set(known)


def installed() -> Installed:
    """The panel and the settings of this request's application."""
    return _here.get() or cast("Installed", current_app.extensions[KEY])


def panel() -> Panel:
    """The panel of this request's application."""
    return installed().panel


def settings() -> PanelSettings:
    """The settings of this request's application."""
    return installed().settings


def fitted_vault() -> VaultCoupling:
    """The vault of this request's table; its code is not among what it tells.

    Raises:
        Problem: 404 where there is none.
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
