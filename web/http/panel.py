"""What the panel is given: a ready table, its seats, its vault. It builds nothing."""

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
    """What a page may ask of the vault's keeper; the code is not in it."""

    @property
    def hands(self) -> Hands | None:
        """Moves a simulated vault; ``None`` on real pins."""

    def view(self) -> VaultView:
        """The vault as every screen may show it."""

    def guess(self, number: int) -> None:
        """Press M as if the pointer stood on *number*."""

    def set_wheel(self, number: int) -> None:
        """The people say that the pointer shows *number*."""

    def clear_fault(self) -> None:
        """Go on after a fault or a forced lid."""


@dataclass(frozen=True, slots=True)
class Panel:
    """Everything that the pages talk to.

    Attributes:
        table: All games; the only writer.
        seating: Phones and seats.
        vault: The vault's keeper, or ``None`` where there is no vault.
        edition: Gives an edition by its id; raises ``Malformed`` for another.
        edition_ids: The editions offered when a game is opened, in that order.
        decoder: What looks at notes, or ``None`` without one.
        chance: Where dice and cards come from when the panel is to draw them.
        coupling: The vault as part of a game, or ``None`` where there is no vault.
        own: What the table read off its boxes, or ``None`` where nothing is kept.
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

    def give(self, game_id: GameId, envelope: Envelope) -> Receipt:
        """Carry out one command of a phone, with whatever is to be drawn for it.

        A tap that is repeated gets its first answer; what was drawn anew is lost.

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
        """What only the vault can do: it hears a guess, and is locked anew."""
        return None if self.coupling is None else self.coupling.take(game_id, envelope)


def _as_seen(envelope: Envelope, guess: m.Guess) -> Envelope:
    """A guess at the toy's own vault, which people tell as they tell their dice.

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
    """What the application of this request was made with."""
    return cast("Installed", current_app.extensions[KEY])


def panel() -> Panel:
    """The panel of this request's application."""
    return installed().panel


def settings() -> PanelSettings:
    """The settings of this request's application."""
    return installed().settings
