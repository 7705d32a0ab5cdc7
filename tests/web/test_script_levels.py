"""Which JavaScript the pages speak: ES2021, and what loads them again, ES5.

A single line that a browser cannot parse takes its whole file away, and a member that
it lacks stops whatever was under way. So both are looked at before any phone does.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from calmjs.parse import es5
from calmjs.parse.exceptions import ECMASyntaxError

from tests.sample import each

STATIC = Path(__file__).parents[2] / "web" / "static"
SCRIPTS = sorted(path.relative_to(STATIC).as_posix() for path in STATIC.rglob("*.js"))
OURS = [name for name in SCRIPTS if not name.startswith("vendor/")]

OLDEST = ("first.js",)
"""What has to run where the others do not."""

NEWER = {
    "a class, since QuickJS lets the fields of ES2022 pass": r"\bclass\b[\w\s.$]*\{",
    "a look behind, in Safari since 16.4": r"\(\?<[=!]",
    ".at(), ES2022": r"\.at\(",
    "Object.hasOwn, ES2022": r"\bObject\.hasOwn\b",
    ".findLast(), ES2023": r"\.findLast(?:Index)?\(",
    "a changed copy of an array, ES2023": r"\.to(?:Sorted|Reversed|Spliced)\(|\.with\(",
    ".toWellFormed(), ES2024": r"\.(?:is|to)WellFormed\(",
    "groupBy, ES2024": r"\b(?:Object|Map)\.groupBy\b",
    "a new way to make promises": r"\bPromise\.(?:withResolvers|try)\b",
    "Array.fromAsync": r"\bArray\.fromAsync\b",
    "sets as sets, ES2025": r"\.(?:union|intersection|(?:symmetricD|d)ifference)\("
    r"|\.is(?:SubsetOf|SupersetOf|DisjointFrom)\(",
    "structuredClone, of 2022": r"\bstructuredClone\b",
    "AbortSignal's own, of 2022": r"\bAbortSignal\.(?:timeout|any)\b",
    ":has(), which throws in a selector": r"(?<!selector\():has\(",  # That one asks.
}
"""What came into browsers after ES2021, and by what one sees it in a line."""


def text_of(name: str) -> str:
    return (STATIC / name).read_text("utf-8")


def wrong_for_es2021(text: str) -> str:
    """What QuickJS cannot parse; it knows ES2021, and nothing is run."""
    quickjs = pytest.importorskip("quickjs", reason="QuickJS has no wheel for this")
    try:
        quickjs.Context().eval(f'"use strict"; throw 0;{text}')
    except quickjs.JSException as thrown:
        words = str(thrown)
        return words if words.startswith("SyntaxError") else ""
    raise AssertionError("it ran")


def wrong_for_es5(text: str) -> str:
    try:
        es5(text)
    except ECMASyntaxError as wrong:
        return str(wrong)
    return ""


def newer_in(text: str) -> list[str]:
    return [
        f"{number}: {what}: {line.strip()[:80]}"
        for number, line in enumerate(text.splitlines(), 1)
        for what, seen_by in NEWER.items()
        if re.search(seen_by, line)
    ]


@each("name", SCRIPTS)
def test_a_script_is_of_2021(name: str) -> None:
    assert wrong_for_es2021(text_of(name)) == ""


@each("name", OURS)
def test_a_script_asks_for_nothing_newer(name: str) -> None:
    newer = newer_in(text_of(name))
    assert not newer, "\n".join(newer)


@pytest.mark.parametrize("name", OLDEST)
def test_what_loads_the_page_again_runs_anywhere(name: str) -> None:
    assert wrong_for_es5(text_of(name)) == ""


@each(
    "line",
    [
        "class A { static { f(); } }",
        "class A { #x; has(o) { return #x in o; } }",
        "/a/d.test(a);",
        "/[a--b]/v.test(a);",
        "/(?i:a)b/.test(a);",
        "await f();",
        "return;",
        "using a = f();",
        "import a from 'b';",
    ],
)
def test_a_newer_line_is_refused(line: str) -> None:
    assert "SyntaxError" in wrong_for_es2021(f"const a = 1;\n{line}")


@each(
    "line",
    [
        "class A { x = 1; }",
        "const A = class extends B {",
        r"/(?<=\$)5/.test(a);",
        "a.at(-1);",
        "Object.hasOwn(a, b);",
        "a.findLastIndex(f);",
        "a.toSorted();",
        "a.with(0, b);",
        "Map.groupBy(a, f);",
        "Promise.withResolvers();",
        "Array.fromAsync(a);",
        "a.symmetricDifference(b);",
        "structuredClone(a);",
        "AbortSignal.timeout(5);",
        'document.querySelector(".a:has(.b)");',
    ],
)
def test_a_newer_member_is_seen(line: str) -> None:
    assert len(newer_in(f"\n{line}")) == 1


@each(
    "line",
    [
        "a ??= b?.c ?? 1_000;",
        'a.replaceAll("b", "c");',
        "async () => { for await (const x of a) f(x); };",
        "try { f(); } catch { g(); }",
        'a.className = "b"; a.dataset.at = 1;',
        'CSS.supports("selector(:has(*))");',
        r"/(?<year>\d+)/u.exec(a);",
    ],
)
def test_a_line_of_2021_is_not(line: str) -> None:
    assert wrong_for_es2021(line) == ""
    assert newer_in(line) == []


@each(
    "line",
    [
        "let a = 1;",
        "const a = 1;",
        "a(() => 1);",
        "a?.b;",
        "a ?? b;",
        "a(`b`);",
        "var {a} = b;",
        "var a = {b};",
        "var a = [...b];",
        "f(a,);",
        "for (var a of b) f(a);",
        "async function f() {}",
        "try { f(); } catch { g(); }",
        "class A {}",
        "function f(a = 1) {}",
    ],
)
def test_es5_knows_no(line: str) -> None:
    assert "Unexpected" in wrong_for_es5(line) or "Illegal" in wrong_for_es5(line)


def test_es5_is_understood() -> None:
    text = """
    "use strict";
    /* What an old browser knows. */
    (function () {
      var tries = Number(sessionStorage.getItem("tries")) || 0;
      window.addEventListener("error", function (event) {
        var script = event.target;
        if (!script || script.tagName !== "SCRIPT" || tries > 2) return;
        try { sessionStorage.setItem("tries", String(tries + 1)); } catch (e) {}
        setTimeout(function () { location.reload(); }, 1000 * (tries + 1));
      }, true);
      for (var key in { a: 1, "b": [1, 2, /c[/]d/g] }) if (key) continue;
    }());
    """
    assert wrong_for_es5(text) == ""
