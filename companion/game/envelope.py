"""The envelope of a command from a phone, and the receipt that goes back.

A phone gives each tap an id of its own, the *command id*. If it sends the tap again
because no answer came, the id shows that it is the same tap. The program's own acts
have ids with a beginning that no phone may use.
"""

from __future__ import annotations

import hashlib
import re

import msgspec

from companion.errors import quoted
from companion.game.commands import Command
from companion.units import GameId, Revision
from companion.words import say
from companion.words.report import unexpected

VAULTS_OWN = "vault-"  # An act of the vault.
AGAIN = "again-"  # A game is opened once more.
GRANTED = "request-"  # A phone is let in.
GIVEN_BACK = "give-back-"  # A note or card that was real after all is given back.
CONTINUED = "continued-"  # A game goes on from a longer copy.
TABLES_OWN = (VAULTS_OWN, AGAIN, GRANTED, GIVEN_BACK, CONTINUED)
"""The beginnings of the ids that the program itself makes.

Such ids are refused from phones: a phone must not use one up, nor act as the table.
"""

_COMMAND_ID = re.compile(r"[A-Za-z0-9_-]{8,64}")


class Envelope(msgspec.Struct, frozen=True):
    """A command with what the service needs to handle it exactly once.

    Attributes:
        command_id: The id that the phone made for this one tap: 8 to 64 letters,
            digits, ``-`` or ``_``. If the same seat sends it again, it gets the same
            answer; after a restart, only if the command was carried out.
        expected_revision: The revision that the phone's page showed; ``None`` to carry
            the command out whatever has happened since.
        is_tables_own: Whether the program itself made the id, for one act. Then the id
            alone identifies the act, whoever sends it.
    """

    command: Command
    command_id: str
    expected_revision: Revision | None = None
    is_tables_own: bool = False


class Receipt(msgspec.Struct, frozen=True):
    """The receipt of a command that was accepted and is on disk.

    Attributes:
        revision: The revision of the entry that the command made.
        is_repeat: Whether it was accepted before, so that nothing happened now.
    """

    revision: Revision
    is_repeat: bool = False


def check_command_id(command_id: str) -> None:
    """Refuse an id that is too short to be unique or too long to keep.

    Raises:
        Malformed: If it is not 8 to 64 letters, digits, ``-`` or ``_``.
    """
    if not _COMMAND_ID.fullmatch(command_id):
        raise unexpected(
            say("command_id of 8 to 64 letters, digits, '-' or '_'"),
            say("{count} characters", count=len(command_id)),
            say("load the page again"),
        )


def refuse_program_id(command_id: str) -> None:
    """Refuse an id that only the program itself may make.

    Raises:
        Malformed: If it begins like one of ``TABLES_OWN``.
    """
    if command_id.startswith(TABLES_OWN):
        raise unexpected(
            say("an id that a phone makes"),
            quoted(command_id),
            say("load the page again"),
        )


def opened_by(command_id: str) -> GameId:
    """Return the id of the game that a command opens; a repeated tap gets the same."""
    check_command_id(command_id)
    return GameId(hashlib.blake2b(command_id.encode(), digest_size=6).hexdigest())
