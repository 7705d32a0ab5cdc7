"""House rules that a reviewer would otherwise have to remember.

Each failure names the file and the line. To loosen a rule, add to its table here
with the reason beside it.
"""

from __future__ import annotations

import ast
import io
import re
import subprocess
import sys
import tokenize
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
FOLDERS = ("companion", "hardware", "web")
MODULES = [
    *(p for folder in FOLDERS for p in sorted((ROOT / folder).rglob("*.py"))),
    *(p for p in (ROOT / "cli.py",) if p.exists()),
]

OURS = {"companion", "hardware", "web", "cli"}

ALLOWED = {
    "companion": {
        "companion",
        "msgspec",  # Frozen, tagged structs and their JSON: what events are.
    },
    "companion/store": {
        "companion",
        "msgspec",
        "sqlalchemy",  # The journal on disk; nowhere else.
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
        "lgpio",  # Beneath gpiozero on a Pi; asked for its version and chips.
        "numpy",  # Frames are arrays.
        "cv2",  # Webcams, and drawing on what is watched.
        "PIL",  # Photos in any format a phone sends.
        "picamera2",  # The Pi's camera; only on a Pi.
    },
    "hardware/console.py": {
        "hardware",
        "companion",
        "click",  # The command line; nowhere else around the pins.
        "msgspec",
    },
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
        "segno",  # The QR code for joining.
        "waitress",  # Serves the panel.
        "cheroot",  # Serves the panel, where it won the measurement.
    },
}
"""What may be imported besides the standard library, longest folder first."""

BANNED_STDLIB = {
    "asyncio": "the core has one lock, not a loop",
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
    "companion/console.py": {"pathlib", "secrets", "sys"},  # A command line.
    "companion/edition/files.py": {"pathlib"},  # Reads owners' own edition files.
    "companion/table/vault_coupling.py": {
        "threading",
        "logging",
    },  # Follows vault and table.
    "companion/table/guesses.py": {"logging"},  # Says which guess has to wait.
    "companion/lock/inbox.py": {"queue"},  # What waits for the vault's one worker.
    "companion/lock/keeper.py": {"threading", "logging"},  # The vault's one worker.
    "companion/lock/locksmith.py": {"logging"},  # Says why a bolt did not move.
    "companion/table/notice.py": {"threading"},  # Mailboxes of many listeners.
    "companion/table/seating.py": {"secrets"},  # Draws the first-run code.
    "companion/table/service.py": {"threading"},  # The one writer's lock.
    "companion/store/database.py": {
        "pathlib",  # Where the file is.
        "sqlite3",  # A look at the file that cannot write.
        "threading",  # One connection, one thread at a time.
        "urllib",  # Quotes a folder's name in that look's address.
    },
    "companion/store/phones.py": {"secrets", "threading"},  # Tokens; many phones.
}
"""What a file outside the pure core needs, and why."""

MODULE_LINES_MAX = 350
FUNCTION_LINES_MAX = 40


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


MODULE_IDS = [name_of(path) for path in MODULES]
each_module = pytest.mark.parametrize("path", MODULES, ids=MODULE_IDS)


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
    if name == "cli.py":
        return OURS | {"click", *(x for names in ALLOWED.values() for x in names)}
    folders = sorted(ALLOWED, key=len, reverse=True)
    folder = next(f for f in folders if name == f or name.startswith(f"{f}/"))
    return ALLOWED[folder]


@each_module
def test_imports_point_inwards(path: Path) -> None:
    allowed = allowed_for(path)
    wrong = [
        f"{name_of(path)}:{line}: imports {module}"
        for line, module in imports(tree_of(path))
        if module.split(".")[0] not in allowed
        and module.split(".")[0] not in sys.stdlib_module_names
    ]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("module", ["os", "time", "threading", "flask", "web"])
def test_the_import_rule_sees_imports_inside_functions(module: str) -> None:
    tree = ast.parse(f"def sneak():\n    from {module} import anything\n")
    assert list(imports(tree)) == [(2, module)]


@each_module
def test_the_pure_core_asks_nobody(path: Path) -> None:
    name = name_of(path)
    if not name.startswith("companion/"):
        return
    banned = set(BANNED_STDLIB) - EXCUSED.get(name, set())
    wrong = [
        f"{name}:{line}: imports {module}: {BANNED_STDLIB[module.split('.')[0]]}"
        for line, module in imports(tree_of(path))
        if module.split(".")[0] in banned
    ]
    assert not wrong, "\n".join(wrong)


VIEWERS = {"companion/table/service.py", "companion/table/vault_coupling.py"}
"""Who hands views out; nothing further in knows that there are pages."""


@each_module
def test_what_decides_does_not_know_what_is_shown(path: Path) -> None:
    name = name_of(path)
    is_inside = name.startswith("companion/") and not name.startswith(
        "companion/views/"
    )
    knows = any(
        module.startswith("companion.views") for _, module in imports(tree_of(path))
    )
    assert not (is_inside and knows and name not in VIEWERS)


def test_no_excuse_is_left_over() -> None:
    for name, excused in EXCUSED.items():
        path = ROOT / name
        assert path.exists(), f"{name} is excused but is not there"
        used = {module.split(".")[0] for _, module in imports(tree_of(path))}
        assert excused <= used, f"{name} no longer needs {excused - used}"


@each_module
def test_a_module_can_be_read_in_one_sitting(path: Path) -> None:
    lines = len(path.read_text(encoding="utf-8").splitlines())
    assert lines <= MODULE_LINES_MAX, (
        f"{name_of(path)}:{MODULE_LINES_MAX}: {lines} lines"
    )


def lines_of_code(node: ast.FunctionDef | ast.AsyncFunctionDef, text: str) -> int:
    """Lines of the body that are neither docstring, comment nor blank."""
    body = node.body[1:] if ast.get_docstring(node) else node.body
    if not body:
        return 0
    last = node.end_lineno or node.lineno
    rows = text.splitlines()[body[0].lineno - 1 : last]
    return sum(bool(row.strip()) and not row.strip().startswith("#") for row in rows)


@each_module
def test_a_function_fits_on_the_screen(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    wrong = [
        f"{name_of(path)}:{node.lineno}: {node.name} has {count} lines of code"
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (count := lines_of_code(node, text)) > FUNCTION_LINES_MAX
    ]
    assert not wrong, "\n".join(wrong)


@each_module
def test_a_module_says_what_it_is(path: Path) -> None:
    if path.read_text(encoding="utf-8").strip():
        assert ast.get_docstring(tree_of(path)), f"{name_of(path)}:1: no docstring"


RULES = sorted((ROOT / "companion/rules").glob("*.py"))
NO_RULES = {
    "companion/rules/__init__.py": "the table of rules, not a rule",
    "companion/rules/rule.py": "the shape of a rule, not a rule",
}


@pytest.mark.parametrize("path", RULES, ids=name_of)
def test_a_rule_names_its_source(path: Path) -> None:
    if name_of(path) not in NO_RULES:
        docstring = ast.get_docstring(tree_of(path)) or ""
        assert "Source:" in docstring, f"{name_of(path)}:1: no Source:"


WHOLE = ("ledger", "money", "game", "journal", "events", "commands", "table")


@pytest.mark.parametrize("module", WHOLE)
def test_money_knows_no_fractions(module: str) -> None:
    path = ROOT / "companion" / f"{module}.py"
    wrong = [
        f"{name_of(path)}:{getattr(node, 'lineno', 0)}: {ast.unparse(node)}"
        for node in ast.walk(tree_of(path))
        if (isinstance(node, ast.Constant) and isinstance(node.value, float))
        or (isinstance(node, ast.Name) and node.id in ("float", "Decimal"))
        or (isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div))
    ]
    assert not wrong, "\n".join(wrong)


@each_module
def test_errors_are_neither_swallowed_nor_printed(path: Path) -> None:
    if name_of(path) == "cli.py" or "/bench/" in name_of(path):
        return
    wrong = [
        f"{name_of(path)}:{node.lineno}: {ast.unparse(node).splitlines()[0]}"
        for node in ast.walk(tree_of(path))
        if (isinstance(node, ast.ExceptHandler) and node.type is None)
        or (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id in ("print", "eval", "exec")
        )
    ]
    assert not wrong, "\n".join(wrong)


@each_module
def test_no_type_is_any(path: Path) -> None:
    wrong = [
        f"{name_of(path)}:{node.lineno}: Any"
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.Name) and node.id == "Any"
    ]
    assert not wrong, "\n".join(wrong)


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
BINARY = {".png", ".jpg", ".ico", ".woff2", ".gz", ".pdf", ".webp"}


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


@pytest.mark.parametrize("path", TESTS, ids=name_of)
def test_no_test_sleeps(path: Path) -> None:
    wrong = [
        f"{name_of(path)}:{node.lineno}: sleep"
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.Attribute) and node.attr == "sleep"
    ]
    assert not wrong, "\n".join(wrong)


@each_module
def test_every_silenced_warning_says_which(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    wrong = [
        f"{name_of(path)}:{token.start[0]}: {token.string}"
        for token in tokenize.generate_tokens(io.StringIO(text).readline)
        if token.type == tokenize.COMMENT
        and re.search(r"(noqa(?!: )|type: ignore(?!\[))", token.string)
    ]
    assert not wrong, "\n".join(wrong)
