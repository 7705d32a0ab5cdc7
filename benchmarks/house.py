"""Count what there is to hold in one's head: ``python -m benchmarks.house [CHECKOUT]``.

A room is a folder or a loose file; an arrow is a room that imports from another; the
floors are the longest way down along arrows, and a circle is an error. Lines of code
are those that are neither blank, comment nor docstring. Tests are not counted.
"""

from __future__ import annotations

import ast
import io
import json
import sys
import tokenize
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

TOPS = ("companion", "hardware", "web", "release", "cli.py", "serving.py")
# The first words of docstrings, and the names, that are counted as poor.
QUESTIONS = ("What", "Whether", "How", "Who", "Which", "Where", "When", "Why")
SAYS_NOTHING = ("found", "said", "one", "it", "told", "thing")
Documented = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


def modules_of(root: Path) -> dict[str, ast.Module]:
    """Parse each module of the product; its path below *root* is its key."""
    files = []
    for top in TOPS:
        files += [root / top] if top.endswith(".py") else (root / top).rglob("*.py")
    return {
        path.relative_to(root).as_posix(): ast.parse(path.read_text(encoding="utf-8"))
        for path in sorted(files)
    }


def nodes_that_run(node: ast.AST) -> Iterator[ast.AST]:
    """Walk a tree, leaving out what is imported for the type checker only."""
    if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
        return
    yield node
    for child in ast.iter_child_nodes(node):
        yield from nodes_that_run(child)


def imports_of(modules: dict[str, ast.Module]) -> Iterator[tuple[str, str]]:
    """Yield each module with each module of ours that it imports."""
    for importer, tree in modules.items():
        for node in nodes_that_run(tree):
            names = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and node.module:
                names = [f"{node.module}.{alias.name}" for alias in node.names]
            for name in names:
                path = name.replace(".", "/")
                outer = path.rpartition("/")[0]
                for file in (f"{path}.py", f"{outer}.py", f"{outer}/__init__.py"):
                    if file in modules and file != importer:
                        yield importer, file
                        break


def shape_of(modules: dict[str, ast.Module], folder: str) -> dict[str, int]:
    """Count rooms, arrows and floors of a folder; of the whole house if it is empty."""

    def room(path: str) -> str:
        inside = path.removeprefix(f"{folder}/" if folder else "").split("/")
        depth = 1 if folder else 2
        return "/".join(inside[:depth])

    own = [
        path
        for path in modules
        if path.startswith(f"{folder}/" if folder else "")
        and not path.endswith("__init__.py")
    ]
    graph: dict[str, set[str]] = {room(path): set() for path in own}
    for importer, imported in imports_of(modules):
        if importer in own and imported in own and room(importer) != room(imported):
            graph[room(importer)].add(room(imported))
    floors: dict[str, int] = {}
    for name in TopologicalSorter(graph).static_order():
        floors[name] = 1 + max((floors[below] for below in graph[name]), default=0)
    arrows = sum(map(len, graph.values()))
    return {
        "rooms": len(graph),
        "arrows": arrows,
        "floors": max(floors.values(), default=0),
    }


def lines_of_code(text: str, tree: ast.Module) -> int:
    """Count the lines that are neither blank, comment nor docstring."""
    docstrings = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            docstrings |= set(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    skipped = (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT)
    lines = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in (*skipped, tokenize.DEDENT, tokenize.ENDMARKER):
            lines |= set(range(token.start[0], token.end[0] + 1))
    return len(lines - docstrings)


def words_of(modules: dict[str, ast.Module]) -> dict[str, int]:
    """Count docstrings, those that ask a question, and names that say nothing."""
    docstrings = questions = names = 0
    for tree in modules.values():
        for node in ast.walk(tree):
            if isinstance(node, Documented) and (text := ast.get_docstring(node)):
                docstrings += 1
                is_function = isinstance(node, ast.FunctionDef)
                questions += is_function and text.split()[0] in QUESTIONS
            elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                names += node.id in SAYS_NOTHING
            elif isinstance(node, ast.arg):
                names += node.arg in SAYS_NOTHING
    return {
        "docstrings": docstrings,
        "questions": questions,
        "names that say nothing": names,
    }


def main() -> None:
    """Print the figures as lines of JSON."""
    root = Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
    modules = modules_of(root)
    texts = {path: (root / path).read_text(encoding="utf-8") for path in modules}
    size = {
        "files": len(modules),
        "characters": sum(map(len, texts.values())),
        "lines of code": sum(lines_of_code(texts[p], modules[p]) for p in modules),
    }
    print(json.dumps({"what": "product", **size, **words_of(modules)}))
    for folder in ("", "companion", "hardware", "web"):
        shape = shape_of(modules, folder)
        print(json.dumps({"what": folder or "house", **shape}))


if __name__ == "__main__":
    main()
