"""Build a wheel, an sdist and the bundle for a Raspberry Pi, with their checksums.

All of it has the commit's date, so building the same commit again gives the same bytes.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import io
import os
import re
import subprocess
import sys
import tarfile
import tempfile
import tomllib
import zipfile
from datetime import UTC, datetime
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
NAME = "table-companion"
PYTHONS = {"bookworm": "3.11", "trixie": "3.13"}
"""The Python version of each Raspberry Pi OS that has a lock."""

PLATFORMS = ("manylinux2014", *(f"manylinux_2_{minor}" for minor in (17, 27, 28, 31)))
"""The tags of wheels that both systems can load: their C library is 2.36 or newer."""

FIRST_ZIP_DAY = 315532800
"""1 January 1980 in Unix time; a zip file can hold no earlier date."""

FILES_IN_BUNDLE = (
    *("systemd", "README.md", "CHANGELOG.md", "LICENSE", "release/licences.md"),
    *(f"release/lock-{system}.txt" for system in PYTHONS),
)
"""What the bundle contains beside wheels."""
CARD = "release/card"
"""The files for the boot partition of a card."""


def main() -> None:
    """Build everything into the folder ``--out``, and print the checksums."""
    parser = argparse.ArgumentParser(prog="make release", description=__doc__)
    parser.add_argument("--out", type=Path, default=ROOT / "dist")
    parser.add_argument(
        "--machine", default="aarch64", help="the processor that the bundle is for"
    )
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    os.umask(0o022)  # The archives contain the files' modes.
    seconds = _commit_seconds()
    os.environ["SOURCE_DATE_EPOCH"] = str(seconds)
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "source"
        _check_out(source)
        version = _version(source)
        built = [
            *_packages(source, options.out, seconds),
            _bundle(source, options, version, seconds),
        ]
    sums = "".join(f"{_digest(path)}  {path.name}\n" for path in built)
    (options.out / "SHA256SUMS").write_text(sums, encoding="utf-8")
    print(sums, end="")


def _git(*words: str) -> bytes:
    return subprocess.run(
        ["git", "-C", str(ROOT), *words], check=True, stdout=subprocess.PIPE
    ).stdout


def _commit_seconds() -> int:
    """Return the commit's date in Unix time; refuse a tree that differs from it."""
    changed = _git("status", "--porcelain").decode()
    if changed:
        sys.exit(
            f"Wanted a clean tree, got these changes:\n{changed}"
            "Commit them, or take them back; what is released is a commit."
        )
    return max(int(_git("log", "-1", "--format=%ct")), FIRST_ZIP_DAY)


def _check_out(folder: Path) -> None:
    """Write the commit's files into *folder*, each with the commit's date."""
    packed = io.BytesIO(_git("-c", "tar.umask=0022", "archive", "HEAD"))
    with tarfile.open(fileobj=packed) as archive:
        archive.extractall(folder, filter="data")


def _version(source: Path) -> str:
    """Return the version; refuse one that has no dated section in the changelog."""
    settings = tomllib.loads((source / "pyproject.toml").read_text(encoding="utf-8"))
    version: str = settings["project"]["version"]
    changes = (source / "CHANGELOG.md").read_text(encoding="utf-8")
    heading = rf"^## {re.escape(version)}, \d{{4}}-\d\d-\d\d$"
    if not re.search(heading, changes, re.MULTILINE):
        sys.exit(
            f"Wanted '## {version}, YYYY-MM-DD' in CHANGELOG.md, got no such line: "
            "say there what is new, first what breaks."
        )
    return version


def _packages(source: Path, out: Path, seconds: int) -> list[Path]:
    build_both = (
        "import sys, setuptools.build_meta as build; folder = sys.argv[1]\n"
        "build.build_sdist(folder); build.build_wheel(folder)"  # Both change argv.
    )
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [sys.executable, "-Ic", build_both, folder],
            cwd=source,
            check=False,
            capture_output=True,
            text=True,
        )
        if done.returncode:
            sys.exit(f"setuptools could not build it:\n{done.stderr}")
        sdist, wheel = sorted(Path(folder).iterdir(), key=lambda path: path.suffix)
        packed = out / sdist.name
        packed.write_bytes(_dated(sdist.read_bytes(), seconds))
        (out / wheel.name).write_bytes(wheel.read_bytes())
    return [out / wheel.name, packed]


def _dated(sdist: bytes, seconds: int) -> bytes:
    """Return the archive with sorted files, all of one date."""
    output = io.BytesIO()
    with (
        tarfile.open(fileobj=io.BytesIO(sdist)) as archive,
        gzip.GzipFile("", "wb", 9, output, mtime=seconds) as packed,
        tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as ordered,
    ):
        for member in sorted(archive.getmembers(), key=lambda member: member.name):
            member.mtime, member.uid, member.gid = seconds, 0, 0
            member.uname = member.gname = ""
            member.pax_headers = {}
            ordered.addfile(member, archive.extractfile(member))
    return output.getvalue()


def _bundle(
    source: Path, options: argparse.Namespace, version: str, seconds: int
) -> Path:
    """Pack a zip with everything that a Pi needs without git and without a network.

    Its outermost files belong on the boot partition of a card.
    """
    machine = "" if options.machine == "aarch64" else f"-{options.machine}"
    path: Path = options.out / f"{NAME}-{version}-pi{machine}.zip"
    date = datetime.fromtimestamp(seconds, UTC).timetuple()[:6]
    with tempfile.TemporaryDirectory() as folder, zipfile.ZipFile(path, "w") as bundle:
        wheels = Path(folder)
        for system in PYTHONS:
            _fetch(system, options.machine, wheels)
        [own] = options.out.glob(f"*-{version}-*.whl")
        (wheels / own.name).write_bytes(own.read_bytes())
        files = {f"{NAME}/wheels/{wheel.name}": wheel for wheel in wheels.iterdir()}
        for name in FILES_IN_BUNDLE:
            for file in (source / name, *(source / name).rglob("*")):
                files[f"{NAME}/{file.relative_to(source)}"] = file
        for file in (source / CARD).glob("*"):
            files[file.name] = file
        for name, file in sorted(files.items()):
            if file.is_file():
                _add(bundle, name, file, date)
    return path


def _add(
    bundle: zipfile.ZipFile,
    name: str,
    path: Path,
    date: tuple[int, int, int, int, int, int],
) -> None:
    """Add a file to the zip; a wheel is not compressed again."""
    entry = zipfile.ZipInfo(name, date)
    entry.external_attr = (0o100755 if os.access(path, os.X_OK) else 0o100644) << 16
    is_wheel = path.suffix == ".whl"
    entry.compress_type = zipfile.ZIP_STORED if is_wheel else zipfile.ZIP_DEFLATED
    bundle.writestr(entry, path.read_bytes())


def _fetch(system: str, machine: str, folder: Path) -> None:
    """Download exactly the wheels that the lock of *system* names."""
    lock = ROOT / "release" / f"lock-{system}.txt"
    platforms = [f"--platform={tag}_{machine}" for tag in PLATFORMS]
    subprocess.run(
        [
            *(sys.executable, "-m", "pip", "download", "--quiet"),
            *("--disable-pip-version-check", "--require-hashes", "--no-deps"),
            *("--only-binary=:all:", f"--python-version={PYTHONS[system]}"),
            *(*platforms, f"--requirement={lock}", f"--dest={folder}"),
        ],
        check=True,
    )


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


if __name__ == "__main__":
    main()
