"""List USB sticks, and mount one on which the table keeps a copy of its games.

The panel, without rights, lists them and writes a file to ask for one. Then
``companion-stick.service`` runs this as root: ``python -m hardware.stick``, with
nothing but Python, util-linux and systemd.
"""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
from pathlib import Path

from companion.errors import DeviceFault, quoted
from companion.files import take, write_whole
from companion.ports import Stick

log = logging.getLogger(__name__)

MOUNT = Path("/media/companion")
FOLDER = MOUNT / "table-companion"
"""The one folder on the stick that the table writes to."""
WISH = Path("/run/companion/stick")
"""The file in which the panel names a stick by its UUID; empty lets go of it."""
WATCH = Path("/etc/systemd/system/multi-user.target.wants/companion-stick.path")
"""What is there while a wish is waited for."""
OWNED = "uid=companion,gid=companion,umask=077,"
KINDS = {"vfat": OWNED, "exfat": OWNED, "ext4": ""}
"""File systems that the table writes -> options by which it owns all that is on them.
The files of an ext4 have owners of their own."""
OPTIONS = "nosuid,nodev,noexec,nosymfollow,errors=remount-ro,x-systemd.device-bound"
"""How a stranger's stick is mounted: no link on it leads anywhere, and a damaged one
does not stop the machine, as an ext4 may ask for."""
FAILURES = (OSError, subprocess.CalledProcessError)


def sticks() -> tuple[Stick, ...]:
    """List what is plugged in, but nothing that the system uses itself."""
    columns = "NAME,TRAN,FSTYPE,LABEL,UUID,SIZE,MOUNTPOINTS,RO"
    try:
        listed = json.loads(_run("lsblk", "--json", "--bytes", "--output", columns))
    except (*FAILURES, ValueError) as error:
        log.warning("sticks_not_listed error=%r", error)
        return ()
    return tuple(
        Stick(
            uuid=part["uuid"] or "",
            label=part["label"] or "",
            kind=part["fstype"] or "",
            size_bytes=part["size"],
            is_mounted=str(MOUNT) in part["mountpoints"],
            is_usable=part["fstype"] in KINDS and not part["ro"],
            device=part["name"],
        )
        for disk in listed["blockdevices"]
        if disk["tran"] == "usb"
        for part in disk.get("children", [disk])
        if part["size"] and {*part["mountpoints"]} <= {None, str(MOUNT)}
    )


def may_ask() -> bool:
    """Tell whether this machine mounts sticks for this table, as a Pi does."""
    return WATCH.exists() and os.access(WISH.parent, os.W_OK)


def ask(uuid: str) -> None:
    """Ask for a stick to be mounted, or with an empty *uuid* to be let go.

    Raises:
        DeviceFault: If the wish cannot be written.
    """
    try:
        write_whole(WISH, uuid.encode(), 0o600)
    except OSError as error:
        raise DeviceFault(
            f"expected to write {WISH}, got: {error}",
            "start the table again with sudo systemctl restart companion",
        ) from error


def main() -> int:
    """Do what the panel asks for, and return the exit status."""
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    try:
        if uuid := take(WISH, 100):
            _mount(uuid)
        else:
            _run("systemctl", "stop", "media-companion.mount")
            log.info("let go of the stick")
    except FAILURES as error:
        log.warning("%s", error)
        return 1
    return 0


def _mount(uuid: str) -> None:
    """Have systemd mount a stick: what this process mounts, nobody else sees."""
    found = sticks()
    stick = next((x for x in found if x.uuid == uuid and x.is_usable), None)
    if not stick or any(x.is_mounted for x in found):
        wanted = (
            f"expected a stick to write to, with {', '.join(KINDS)}, and none mounted"
        )
        raise DeviceFault(f"{wanted}, got {quoted(uuid)} of {found}")
    _run(
        *("systemd-mount", "--quiet", "--collect", "--fsck=no", f"--type={stick.kind}"),
        *(f"--options={KINDS[stick.kind]}{OPTIONS}", "--property=LazyUnmount=yes"),
        *(f"/dev/{stick.device}", str(MOUNT)),
    )
    log.info("mounted %s", stick)
    if not KINDS[stick.kind]:
        owner = WISH.parent.stat()
        uid, gid = owner.st_uid, owner.st_gid  # Another Pi's table has others.
        FOLDER.mkdir(0o700, exist_ok=True)
        for _, folders, files, here in os.fwalk(FOLDER):
            for name in (".", *folders, *files):
                os.chown(name, uid, gid, dir_fd=here, follow_symlinks=False)


def _run(*command: str) -> str:
    """Return what a command says, in English; of failures it tells the log itself."""
    env = os.environ | {"LC_ALL": "C.UTF-8"}
    return subprocess.check_output(command, env=env, encoding="utf-8", errors="replace")


if __name__ == "__main__":
    sys.exit(main())
