"""What the panel is given to work with: the table service, the seats, the vault."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol, cast

from flask import current_app

from companion.box.own_figures import OwnEditions
from companion.edition import Edition
from companion.errors import Malformed
from companion.examining import DecoderService
from companion.game import moves as m
from companion.game.envelope import Envelope, Receipt
from companion.health import Finding
from companion.lock.view import VaultView
from companion.ports import Hands
from companion.rules.drawing import Chance, Source, completed
from companion.table import TableService
from companion.table.seating import Seating
from companion.table.vault_coupling import VaultCoupling
from companion.units import GameId
from companion.words import say
from web.http.settings import PanelSettings

KEY = "companion.panel"


class VaultControl(Protocol):
    """What a page may ask of the vault's keeper; its secret code is not among it."""

    @property
    def hands(self) -> Hands | None:
        """The hands that move a simulated vault; ``None`` on real pins."""

    def view(self) -> VaultView:
        """The vault as every screen may show it."""

    def guess(self, number: int) -> None:
        """Press M as if the pointer stood on *number*."""

    def set_wheel(self, number: int) -> None:
        """Believe the people that the wheel's pointer shows *number*."""

    def clear_fault(self) -> None:
        """Go on after a fault or a forced lid."""


def no_findings() -> tuple[Finding, ...]:
    """The health of a table whose machine nobody looks at."""
    return ()


@dataclass(frozen=True, slots=True)
class Panel:
    """Everything that the pages talk to.

    Attributes:
        table: All games; nothing else writes them.
        seating: Which phone holds which seat.
        vault: The vault's keeper, or ``None`` where there is no vault.
        edition: Gives an edition by its id; raises ``Malformed`` for an unknown id.
        edition_ids: The editions offered when a game is opened, in that order.
        decoder: Tells real notes from fake ones, or ``None`` where there is none.
        chance: The randomness with which the panel throws dice and draws cards.
        coupling: The vault as part of a game, or ``None`` where there is no vault.
        own: The figures that people typed in from their own boxes, or ``None`` where
            these are not kept.
        health: How well the table's machine is; answers at once.
    """

    table: TableService
    seating: Seating
    vault: VaultControl | None
    edition: Callable[[str], Edition]
    edition_ids: tuple[str, ...]
    decoder: DecoderService | None = None
    chance: Chance = field(default_factory=secrets.SystemRandom)
    coupling: VaultCoupling | None = None
    own: OwnEditions | None = None
    health: Callable[[], tuple[Finding, ...]] = no_findings

    def give(self, game_id: GameId, envelope: Envelope) -> Receipt:
        """Carry out one command of a phone, after throwing or drawing what it needs.

        A repeated tap gets its first answer; what was drawn for the repeat is lost.

        Raises:
            Malformed: If it makes no sense.
            Refused: By the rules, or because the page was too old.
        """
        taken = self._at_vault(game_id, envelope)
        if taken is not None:
            return taken
        if self.coupling is None and isinstance(envelope.command, m.Guess):
            return self.table.submit(game_id, _as_seen(envelope, envelope.command))
        game = self.table.game(game_id)
        edition = self.edition(game.terms.edition)
        command = completed(envelope.command, Source(game, edition, self.chance))
        ready = Envelope(command, envelope.command_id, envelope.expected_revision)
        taken = self._at_vault(game_id, ready)
        return self.table.submit(game_id, ready) if taken is None else taken

    def _at_vault(self, game_id: GameId, envelope: Envelope) -> Receipt | None:
        """Let the vault carry out a guess or its locking; ``None`` for all else."""
        return None if self.coupling is None else self.coupling.take(game_id, envelope)


def _as_seen(envelope: Envelope, guess: m.Guess) -> Envelope:
    """A guess at the toy's own vault, whose outcome people type in like their dice.

    Raises:
        Malformed: If nobody has said what the toy did.
    """
    if guess.is_right is None:
        raise Malformed(
            say("expected whether the number was right, got nothing"),
            say("tap what the vault did"),
        )
    told = m.Guess(
        by=guess.by,
        number=guess.number,
        is_right=guess.is_right,
        is_lid_up=guess.is_right,
    )
    return Envelope(told, envelope.command_id, envelope.expected_revision)


@dataclass(frozen=True, slots=True)
class Installed:
    """The panel of a running application with its settings."""

    panel: Panel
    settings: PanelSettings


def installed() -> Installed:
    """The panel and the settings of this request's application."""
    return cast("Installed", current_app.extensions[KEY])


def panel() -> Panel:
    """The panel of this request's application."""
    return installed().panel


def settings() -> PanelSettings:
    """The settings of this request's application."""
    return installed().settings
