"""Join the Wi-Fi written on the card of a new table, and print how phones find it.

``systemd/first-boot`` runs this as root: ``python -m hardware.card join FILE`` reads
the three lines that somebody filled in, and joins that network; ``tell`` prints how
phones come to the table. The output goes to the screen and into a file on the card.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from companion.errors import Malformed, quoted
from companion.wifi import (
    NAME_BYTES_MAX,
    Outcome,
    Wifi,
    may_be_name,
    may_be_password,
    wifi_from_json,
)
from hardware.doctor.running import ask_table
from hardware.network import hotspot
from hardware.network.join_wifi import JOIN_S, PROFILES, outcome_of
from hardware.network.network_manager import (
    HOTSPOT_ADDRESS,
    home_id,
    home_profile,
    nmcli,
    write_private,
)

NAME, PASSWORD, COUNTRY = "Wi-Fi name", "Wi-Fi password", "Country"
"""The labels of the three lines."""
LINE = "^[ \t]*#?[ \t]*{}[ \t]*:[ \t]*(.*?)[ \t\r]*$"
"""A line with a label, perhaps commented out; the group is its value."""
COUNTRIES = Path("/usr/share/zoneinfo/iso3166.tab")
"""The system's list of countries, which ``raspi-config`` uses, too."""
COUNTRY_S = 60
"""How long setting the country may take."""

WHY = {
    Outcome.WRONG_PASSWORD: "it refused the password",
    Outcome.NOT_IN_SIGHT: "it is not in sight of the table",
    Outcome.NO_ADDRESS: "it let the table in, but gave it no address",
}
"""Why a network could not be joined, in words."""


@dataclass(frozen=True, slots=True)
class Blanks:
    """What somebody wrote behind the three labels; each may be empty."""

    name: str
    password: str = field(repr=False)
    country: str


def main(words: list[str]) -> int:
    """Run a command, print its sentences, and return the exit status."""
    os.umask(0o077)
    match words:
        case ["join", file]:
            sentences = join(Path(file))
        case ["tell"]:
            sentences = tell()
        case _:
            sys.stderr.write(f"Wanted join FILE or tell, got {words}.\n")
            return 2
    for sentence in sentences:
        sys.stdout.write(f"{sentence}\n")
    return 0


def read_blanks(text: bytes) -> Blanks | None:
    """Read the three lines, without quotes; ``None`` if the file has none of them.

    Raises:
        Malformed: If a line is missing, or its bytes are not text.
    """
    lines = [_line(label, text) for label in (NAME, PASSWORD, COUNTRY)]
    if not any(lines):
        return None
    values = []
    for label, line in zip((NAME, PASSWORD, COUNTRY), lines, strict=True):
        if line is None:
            raise Malformed(
                f"Wanted a line that begins with '# {label}:', got none: copy the file "
                "network-config onto the card once more, and fill it in."
            )
        try:
            value = line[1].decode()
        except UnicodeDecodeError:
            raise Malformed(
                f"Wanted the {label} as text, got letters in another encoding: save "
                "network-config as UTF-8."
            ) from None
        is_quoted = len(value) > 1 and value[0] == value[-1] and value[0] in "\"'"
        values.append(value[1:-1] if is_quoted else value)
    return Blanks(*values)


def _line(label: str, text: bytes) -> re.Match[bytes] | None:
    pattern = LINE.format(re.escape(label)).encode()
    return re.search(pattern, text, re.MULTILINE | re.IGNORECASE)


def erase_password(path: Path) -> None:
    """Overwrite the password with blanks, in its place on the card.

    Writing a new file would leave the old bytes on the card.
    """
    with path.open("r+b") as file:
        line = _line(PASSWORD, file.read())
        if line is not None and line[1]:
            file.seek(line.start(1))
            file.write(b" " * len(line[1]))
            file.flush()
            os.fsync(file.fileno())


def problems(blanks: Blanks, countries: Collection[str]) -> Iterator[str]:
    """Yield a sentence for each wrong value."""
    has_wifi = bool(blanks.name or blanks.password)
    if has_wifi and not may_be_name(blanks.name):
        yield (
            f"Wanted a {NAME} of 1 to {NAME_BYTES_MAX} letters (fewer, if some are "
            f"special), got {quoted(blanks.name) if blanks.name else 'nothing'}: write "
            "it as a phone shows it."
        )
    if has_wifi and not blanks.password:
        yield f"Wanted a {PASSWORD}, got nothing: write it behind its colon."
    elif not may_be_password(blanks.password):
        yield (
            f"Wanted a {PASSWORD} of 8 to 63 letters, digits and signs, got "
            f"{len(blanks.password)} or some that no password may have: write it again."
        )
    needs_country = has_wifi or bool(blanks.country)
    if needs_country and blanks.country.upper() not in countries:
        got = quoted(blanks.country) if blanks.country else "nothing"
        yield f"Wanted the {COUNTRY} as two letters, such as DE, got {got}."


def known_countries(table: Path = COUNTRIES) -> frozenset[str]:
    """Read the two-letter codes of all countries."""
    lines = table.read_text(encoding="utf-8").splitlines()
    return frozenset(line[:2] for line in lines if not line.startswith("#"))


def join(path: Path, profiles: Path = PROFILES) -> Iterator[str]:
    """Join the network that the file names, and erase the password in it.

    Yields sentences about what went wrong.
    """
    try:
        blanks = read_blanks(path.read_bytes())
    except Malformed as error:
        blanks, mistakes = Blanks("", "", ""), [str(error)]
    else:
        if blanks is None:
            return  # Raspberry Pi Imager wrote the file, and cloud-init has used it.
        mistakes = list(problems(blanks, known_countries()))
    profile = profiles / f"companion-{home_id(blanks.name)}.nmconnection"
    if blanks.name and not blanks.password and profile.exists():
        mistakes = []  # An earlier start joined it, and erased the password.
    if blanks.password or hotspot.is_blocked(hotspot.RFKILL):
        set_country("" if mistakes else blanks.country.upper())
    if mistakes:
        erase_password(path)
        yield "No Wi-Fi was joined. In network-config, beside this file on the card:"
        yield from mistakes
        yield "Then start the Pi again. The password is to be typed once more, too."
    elif blanks.password:
        yield from _join(Wifi(blanks.name, blanks.password), path, profile)


def _join(wifi: Wifi, path: Path, profile: Path) -> Iterator[str]:
    """Write *profile*, erase the password in *path*, and join *wifi*.

    Yields a sentence about what went wrong.
    """
    is_hidden = wifi.name not in hotspot.look_around()
    write_private(profile, home_profile(wifi, is_hidden=is_hidden))
    os.sync()  # The profile must be on the disk before the password is erased here.
    erase_password(path)
    nmcli("connection", "load", str(profile))
    done = nmcli("connection", "up", "uuid", home_id(wifi.name), wait_s=JOIN_S)
    if not done.returncode:
        return
    outcome = outcome_of(done.stderr)
    if outcome is Outcome.WRONG_PASSWORD:
        nmcli("connection", "delete", "uuid", home_id(wifi.name), wait_s=10)
        profile.unlink(missing_ok=True)
    yield (
        f"{quoted(wifi.name)} could not be joined: "
        f"{WHY.get(outcome, 'why is not known')}. Write the three lines of "
        "network-config on the card anew, and start the Pi again."
    )


def set_country(country: str) -> None:
    """Switch the radio on by the rules of *country*, or if empty, of the world.

    A new Raspberry Pi keeps its radio off until it knows its country. The hotspot's
    channel is allowed everywhere.
    """
    if country and shutil.which("raspi-config"):
        command = ["raspi-config", "nonint", "do_wifi_country", country]
    elif country:
        command = ["iw", "reg", "set", country]
    else:
        command = ["rfkill", "unblock", "wifi"]
    subprocess.run(command, check=False, timeout=COUNTRY_S)
    nmcli("radio", "wifi", "on")


def tell(folder: Path = hotspot.FOLDER) -> Iterator[str]:
    """Yield sentences on how phones come to the table."""
    try:
        own = wifi_from_json((folder / "wifi.json").read_text(encoding="utf-8"))
    except (OSError, Malformed):
        port = int(os.environ.get("COMPANION_SERVE_PORT") or "80")
        for finding in ask_table(os.environ.get("COMPANION_SERVE_HOST", ""), port):
            if finding.topic in ("table.address", "table.health"):
                remedy = f": {finding.remedy}" if finding.remedy else ""
                yield f"{finding.words[:1].upper()}{finding.words[1:]}{remedy}."
        return
    yield f"The table has a Wi-Fi of its own: {own.name}, password {own.password}"
    yield f"Phones join it, and go to http://{HOTSPOT_ADDRESS}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
