"""What is given to people: its locks, its licences, and its bytes."""

from __future__ import annotations

import hashlib
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from release.licences import LOCKS, PAGE, locked, page
from tests.sample import each

ROOT = Path(__file__).resolve().parents[1]
LOCK_FILES = sorted((ROOT / "release").glob("lock-*.txt"))


@each("path", LOCK_FILES)
def test_a_lock_pins_each_package_by_checksum_and_names_no_place(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert not re.search("://|--index|--find-links|@ ", text)
    for pinned in re.split(r"\n(?! )", text.strip()):
        assert re.match(r"[a-z0-9-]+==\S+( ; [^\\]+)? \\\n +--hash=sha256:", pinned)


def test_there_is_a_lock_for_each_system_and_one_for_tests() -> None:
    names = {path.stem.removeprefix("lock-") for path in LOCK_FILES}
    assert names == {*LOCKS, "dev"}


def test_a_pis_numpy_is_its_systems() -> None:
    assert locked()["numpy"] >= {"1.24.2", "2.2.4"}  # Debian 12's and 13's.


def test_the_page_of_licences_is_what_the_locks_and_packages_say() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert text == page()
    assert not re.search(r"\| *\|$", text, re.MULTILINE)


def build(root: Path, out: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "release", "--out", out],
        cwd=root,
        check=False,
        capture_output=True,
        text=True,
    )


def git(root: Path, *words: str) -> None:
    subprocess.run(["git", "-C", root, *words], check=True, capture_output=True)


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    root = tmp_path / "clone"
    subprocess.run(["git", "clone", "-q", ROOT, root], check=True)
    git(root, "config", "user.name", "Maker")
    git(root, "config", "user.email", "maker@example.org")
    return root


def test_only_a_commit_is_released_and_only_one_that_tells_what_is_new(
    clone: Path, tmp_path: Path
) -> None:
    (clone / "cli.py").write_text("changed")
    done = build(clone, tmp_path / "out")
    assert done.returncode == 1
    assert "Wanted a clean tree" in done.stderr
    assert "cli.py" in done.stderr
    git(clone, "checkout", "-q", "cli.py")
    changes = clone / "CHANGELOG.md"
    changes.write_text(re.sub("(?m)^## .*", "## Unreleased", changes.read_text()))
    git(clone, "commit", "-qam", "Not told")
    done = build(clone, tmp_path / "out")
    assert (done.returncode, "CHANGELOG.md, got no such line" in done.stderr) == (
        1,
        True,
    )
    assert not list((tmp_path / "out").glob("*.*"))


@pytest.mark.slow
def test_the_same_commit_gives_the_same_bytes_twice(
    clone: Path, tmp_path: Path
) -> None:
    for name in ("one", "two"):
        done = build(clone, tmp_path / name)
        assert done.returncode == 0, done.stderr
    one, two = (
        {path.name: digest(path) for path in (tmp_path / name).iterdir()}
        for name in ("one", "two")
    )
    assert one == two
    assert len(one) == 4
    told = (tmp_path / "one" / "SHA256SUMS").read_text().split()
    assert dict(zip(told[1::2], told[::2], strict=True)).items() <= one.items()
    bundle = next((tmp_path / "one").glob("*.zip"))
    names = set(zipfile.ZipFile(bundle).namelist())
    for system in ("bookworm", "trixie"):
        for name, version in pins(system):
            begin = f"table-companion/wheels/{name.replace('-', '_')}-{version}-"
            assert any(each.lower().startswith(begin) for each in names), begin
    assert "table-companion/systemd/install" in names


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def pins(system: str) -> list[tuple[str, str]]:
    text = (ROOT / "release" / f"lock-{system}.txt").read_text(encoding="utf-8")
    return re.findall(r"^([a-z0-9-]+)==(\S+)", text, re.MULTILINE)
