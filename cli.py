"""The command line: the list of all commands, and the options of ``serve``.

The other commands come from ``companion/console`` and ``hardware/console``. Each
imports what it needs only when it runs, so that all others start quickly. Functions
with three parameters are click's callbacks; each checks an option of ``serve``.
"""

from __future__ import annotations

import ipaddress
import re
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

import click

from companion.console import COMMANDS, DATA, DATABASE, FILES, Commands
from hardware.console import COMMANDS as HARDWARE_COMMANDS

if TYPE_CHECKING:
    from serving import Options

LABEL = re.compile("[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?")
"""Matches a part of a host name between dots; _ is allowed, as routers use it."""

HOST_NAME_LETTERS_MAX = 253
"""The longest host name in the Domain Name System."""

BASE = re.compile("(/[A-Za-z0-9-]+)?")
"""Matches a path of one segment, or none."""


@click.group(cls=Commands, context_settings={"auto_envvar_prefix": "COMPANION"})
def main() -> None:
    """Run the computer beside a property-trading board game."""


def _check_address(
    _context: click.Context, _option: click.Parameter, typed: str
) -> str:
    """Return the typed IP address, if any, as the kernel writes it."""
    try:
        return str(ipaddress.ip_address(typed)) if typed else ""
    except ValueError as error:
        raise click.BadParameter(
            f"expected the proxy's IP address, such as 127.0.0.1, got {typed!r}; "
            "type the address from which it connects, without a port"
        ) from error


def _write_host(_context: click.Context, _option: click.Parameter, typed: str) -> str:
    """Return the typed address to listen on, as the kernel writes it."""
    from hardware.network.whereabouts import plain_host

    return plain_host(typed)


def _check_host_names(
    _context: click.Context, _option: click.Parameter, typed: tuple[str, ...]
) -> tuple[str, ...]:
    return tuple(map(_check_host_name, typed))


def _check_host_name(typed: str) -> str:
    """Return a host name in lower case, without a final dot."""
    name = typed.lower().removesuffix(".")
    has_valid_labels = all(LABEL.fullmatch(label) for label in name.split("."))
    if not has_valid_labels or len(name) > HOST_NAME_LETTERS_MAX:
        raise click.BadParameter(
            f"expected a host name, such as table.fritz.box, got {typed!r}; "
            "type it as in a browser's address, without http:// and without a port"
        )
    return name


def _check_base(_context: click.Context, _option: click.Parameter, typed: str) -> str:
    if not BASE.fullmatch(typed):
        raise click.BadParameter(
            f"expected a slash and letters, digits or hyphens, such as /1, got "
            f"{typed!r}; type it as it follows the name in a browser's address"
        )
    return typed


@main.command(epilog="Example: companion serve --simulated --port 8000")
@click.option(
    "--simulated",
    "vault",
    flag_value="simulated",
    allow_from_autoenv=False,  # Its variable is COMPANION_VAULT.
    help="A vault in memory, for a laptop.",
)
@click.option(
    "--no-vault",
    "vault",
    flag_value="none",
    allow_from_autoenv=False,
    help="The box's own vault, or none: phones are told what it did.",
)
@click.option(
    "--host",
    default="0.0.0.0",
    show_default=True,
    callback=_write_host,
    help="Where to listen; 0.0.0.0 is everywhere by IPv4, :: by IPv6 as well.",
)
@click.option("--port", default=8000, show_default=True, help="0 for any free one.")
@click.option(
    "--proxy",
    default="",
    metavar="ADDRESS",
    callback=_check_address,
    help="The IP address of a reverse proxy in front; see the README.",
)
@click.option(
    "--proxy-hops",
    default=1,
    show_default=True,
    type=click.IntRange(min=1),
    help="How many proxies stand in front, one behind another.",
)
@click.option(
    "--name",
    metavar="NAME",
    multiple=True,
    callback=_check_host_names,
    help="A host name to answer under as well; more than one may be named.",
)
@click.option(
    "--base",
    default="",
    metavar="PATH",
    callback=_check_base,
    help="The path before all addresses, such as /1, of one server of several.",
)
@click.option(
    "--phones",
    default=40,
    show_default=True,
    type=click.IntRange(1, 2000),
    help="How many come at a time.",
)
@click.option(
    "--copy-to",
    metavar="FOLDER",
    type=click.Path(file_okay=False, path_type=Path),
    help="Copy each game there as it is played: a share, a second disk.",
)
@click.option(
    "--new-host", is_flag=True, help="Shut out the host's phone, such as a lost one."
)
@FILES
@DATA
@DATABASE
def serve(**options: Unpack[Options]) -> None:
    """Run the table: vault, bank and panel, until it is told to end."""
    from serving import run

    run(options)


for command in (*COMMANDS, *HARDWARE_COMMANDS):
    main.add_command(command)


if __name__ == "__main__":
    main()
