"""Write the page of licences: of all locked packages, and of files in the project."""

from __future__ import annotations

import re
from importlib.metadata import PackageMetadata, metadata
from pathlib import Path

FOLDER = Path(__file__).parent
PAGE = FOLDER / "licences.md"
LOCKS = ("bookworm", "trixie", "other")
"""The systems that have a lock; ``other`` is for any but a Raspberry Pi's."""
PIN = re.compile(r"^([a-z0-9-]+)==(\S+)", re.MULTILINE)
"""A line of a lock that names a package and its version."""
INTRODUCTION = """\
# Licences

The project's own code is under the [MIT licence](../LICENSE).
Beside it, a wheel holds fonts and a script of others, with their licences.
A bundle for a Pi has the packages that the [locks](README.md) name, each as its makers
published it, with its licence inside; pip comes along to install them.
`make lock` writes this page from what the packages say of themselves.

## In the project

| what | licence |
| --- | --- |
"""


def locked() -> dict[str, set[str]]:
    """Return every package in the locks, with its versions."""
    packages: dict[str, set[str]] = {}
    for system in LOCKS:
        text = (FOLDER / f"lock-{system}.txt").read_text(encoding="utf-8")
        for name, version in PIN.findall(text):
            packages.setdefault(name, set()).add(version)
    return packages


def licence(package: PackageMetadata) -> str:
    """Return a package's licence, from the shortest of the fields that tell it."""
    expression = " ".join(package.get_all("License-Expression") or ())
    classified = [
        line.rpartition(" :: ")[2].removesuffix(" License")
        for line in package.get_all("Classifier") or ()
        if line.startswith("License :: ") and not line.endswith("OSI Approved")
    ]
    text = " ".join(package.get_all("License") or ())
    return expression or ", ".join(classified) or text


def vendored_licence(path: Path) -> str:
    """Return the name of the licence whose text is in the file *path*."""
    text = path.read_text(encoding="utf-8")
    is_ofl = "SIL Open Font License, Version 1.1" in text
    return "SIL Open Font License 1.1" if is_ofl else text.strip().splitlines()[0]


def page() -> str:
    """Return the page as Markdown."""
    vendored = FOLDER.parent / "web" / "static" / "vendor"
    rows = []
    for path in sorted(vendored.glob("*.LICENSE")):
        link = f"[{path.stem}](../web/static/vendor/{path.name})"
        rows.append(f"| {link} | {vendored_licence(path)} |")
    rows += ["", "## Packages", "", "| package | version | licence |"]
    rows += ["| --- | --- | --- |"]
    rows += [
        f"| {name} | {', '.join(sorted(versions))} | {licence(metadata(name))} |"
        for name, versions in sorted(locked().items())
        if name != "tzdata"  # For Windows, which has no time zones of its own.
    ]
    return INTRODUCTION + "\n".join(rows) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
