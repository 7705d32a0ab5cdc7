"""What wheel.sh proves, inside a bare Debian without a network.

The system's Python runs this, as a user without rights. Of the project only its wheel
is there, and its tests, which play the phones.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterable
from pathlib import Path

from claims import claim, conclude

PROOF, HOME = Path("/proof"), Path.home()
(WHEEL,) = (PROOF / "wheels").glob("table_companion-*.whl")
PHOTOS = sorted(map(str, (PROOF / "photos").glob("*.jpg")))
GAME = PROOF / "tests/games/a-bidder-borrows-and-passes.game"
UV = HOME / "uv/bin/uv"
PHONES = """
import sys
from tests.phone_http import open_table
game, _, (red,) = open_table(*sys.argv[1:], (("red", "hat"),))
status, page = red.get(f"/g/{game}/")
assert status == 200 and "$1,500" in page, page
print(game)
"""
TOOLS = {
    "pipx": (["pipx", "install", str(WHEEL)], ["pipx", "uninstall", "table-companion"]),
    "uv": (
        [str(UV), "tool", "install", str(WHEEL)],
        [str(UV), "tool", "uninstall", "table-companion"],
    ),
}
OWN = re.compile(
    r"/\.cache|/logs?\b|/shared\b|/pipx/py\b|/\.local(/(share|share/man|state|bin|pipx))?$"
    r"|/(pipx|uv)(/(venvs|tools|trash))?(/\.\w+)?$"
)
"""What pipx and uv keep for themselves, below a user's folder."""


def run(*words: str, within_s: int = 300) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        words, capture_output=True, text=True, check=False, timeout=within_s
    )
    if done.returncode:
        sys.stdout.write(f"{' '.join(words)}:\n{done.stdout}{done.stderr}\n")
    return done


def works(*words: str, says: str = "") -> None:
    """Claim that a command of the companion's ends with 0, and says something."""
    done = run("companion", *words)
    claim(f"companion {words[0]} works", done.returncode == 0 and says in done.stdout)


def listing(folder: Path) -> list[str]:
    """List every file with its time of change."""
    found = [path for path in folder.rglob("*") if path.is_file()]
    return sorted(f"{path} {os.lstat(path).st_mtime_ns}" for path in found)


def installed(tool: str) -> list[str]:
    """List what the tool has put on this machine, without its own log and cache."""
    own = (HOME / ".local" / "bin", HOME / ".local/share", HOME / ".local/pipx")
    lines = [line for folder in own for line in listing(folder)]
    return [line for line in lines if not re.search(r"/logs?/|\.lock|/shared\b", line)]


def serves(folder: Path, tool: str, began: float) -> None:
    """Open a table in an empty folder and take a seat at it."""
    folder.mkdir()
    serving = subprocess.Popen(
        ["companion", "serve", "--simulated", "--port", "8000", "--host", "127.0.0.1"],
        cwd=folder,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert serving.stdout is not None
    said: list[str] = []
    for line in serving.stdout:
        said.append(line)
        if line.startswith("Ctrl-C"):
            break
    code = re.search(r"type ([\d ]+) there", "".join(said))
    assert code is not None, said
    address = "http://127.0.0.1:8000"
    page = read(f"{address}/start")
    claim(
        "the first page is there",
        page,
        f"{time.monotonic() - began:.1f} s from nothing",
    )
    pages = page + read(f"{address}/table")
    asked = set(re.findall(r'(?:src|href)="(/static/[^"#]+)', pages))
    are_there = all(read(address + path) for path in asked)
    claim("so is all that it loads", are_there, len(asked))
    german = read(f"{address}/start", "de")
    claim("it speaks German", 'lang="de"' in german and "Tisch" in german)
    python = Path(shutil.which("companion") or "").resolve().parent / "python"
    seated = subprocess.run(
        [str(python), "-c", PHONES, address, code[1]],
        env={**os.environ, "PYTHONPATH": str(PROOF)},
        capture_output=True,
        text=True,
        check=False,
    )
    claim(
        "a game is opened and a seat taken",
        seated.returncode == 0,
        seated.stderr[-300:],
    )
    for path in ("/vault", "/decoder", "/decks", "/editions", "/editions/mega"):
        claim(f"{path} is there", read(address + path))
    serving.terminate()
    claim("it ends in order", serving.wait(20) == 0)
    claim("it wrote to its folder data only", os.listdir(folder) == ["data"])


def read(address: str, language: str = "en") -> str:
    """Return a page; empty if there is none."""
    asking = urllib.request.Request(address, headers={"Accept-Language": language})
    try:
        with urllib.request.urlopen(asking, timeout=20) as answer:
            return str(answer.read().decode(errors="replace"))
    except OSError as error:
        sys.stdout.write(f"{address}: {error}\n")
        return ""


def commands(folder: Path) -> None:
    """Try every command that works on files, in the folder with the games."""
    os.chdir(folder)
    works("version", says="1.")
    works("games", "list", says="Load")
    game = run("companion", "games", "list").stdout.split()[0]
    Path("copy.json").write_text(run("companion", "games", "export", game).stdout)
    works("games", "import", "copy.json", "--data", "other")
    works("backup", "evening.zip")
    works("restore", "evening.zip", "--data", "third")
    works("doctor", says="software.cv2")
    works("edition", "list", says="secret-vault")
    works("edition", "show", "crooked-cash")
    exported = run("companion", "edition", "export", "mega").stdout
    Path("mine.toml").write_text(exported)
    works("edition", "check", "mine.toml")
    works("play", str(GAME))
    for sheet in ("notes", "cards", "lens", "dial"):
        works("print", sheet, "--out", f"{sheet}.pdf")
    works("decode", *PHOTOS[:1], "--explain", "why", says="sure")
    works("learn", "--unsorted", *PHOTOS, "--masked", "1", "--out", "my.deck")
    works("decode", "--deck", "my.deck", PHOTOS[0])


def contents() -> None:
    """Look into the wheel."""
    import zipfile

    names = zipfile.ZipFile(WHEEL).namelist()
    tops = {name.split("/")[0] for name in names}
    known = {"cli.py", "serving.py", "companion", "hardware", "web"}
    claim("the wheel holds the program, and no tests", {
        top for top in tops if not top.endswith(".dist-info")} == known)  # fmt: skip
    drawn = [name for name in names if name.endswith((".jpg", ".pdf", ".webp"))]
    claim("no picture of the documents", not drawn, f"{WHEEL.stat().st_size} bytes")


def proven(tool: str) -> None:
    """Install, play, install again, and take away."""
    install, uninstall = TOOLS[tool]
    before, folder = found_in_home(), HOME / f"table-{tool}"
    began = time.monotonic()
    done = run(*install)
    claim(
        f"{tool} installs it", done.returncode == 0, f"{time.monotonic() - began:.1f} s"
    )
    serves(folder, tool, began)
    if tool == "pipx":
        commands(folder)
        os.chdir(HOME)
    was = installed(tool)
    again = subprocess.run(install, capture_output=True, text=True, check=False)
    said = (again.stdout + again.stderr).strip().splitlines()[-1:]
    claim("a second time changes nothing", was and installed(tool) == was, said)
    claim("it is taken away", run(*uninstall).returncode == 0)
    left = [
        path for path in found_in_home() - before if not path.startswith(str(folder))
    ]
    claim("it leaves only the folder of the games", left == [], left)


def found_in_home() -> set[str]:
    """List what lies here, without the tools' own caches, logs and shared pip."""
    found = map(str, HOME.rglob("*"))
    return {path for path in found if not OWN.search(path.removeprefix(str(HOME)))}


def main(tools: Iterable[str]) -> None:
    """Try everything."""
    os.chdir(HOME)
    run(sys.executable, "-m", "venv", str(UV.parents[1]))
    run(str(UV.parent / "pip"), "install", "--quiet", "uv")
    contents()
    for tool in tools:
        proven(tool)
    conclude()


if __name__ == "__main__":
    main(TOOLS)
