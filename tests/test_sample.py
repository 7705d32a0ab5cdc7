"""What CI proves of a matrix moves with the commit; what is none always runs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from types import SimpleNamespace

import pytest

from tests import sample


@dataclass
class Item:
    """As much of a test as is asked for when rows are drawn."""

    nodeid: str
    marks: set[str] = field(default_factory=lambda: {"slow"})
    callspec: object = None

    def iter_markers(self) -> Iterator[SimpleNamespace]:
        return (SimpleNamespace(name=name) for name in self.marks)

    def add_marker(self, mark: pytest.MarkDecorator) -> None:
        self.marks.add(mark.name)


def rows(test: str, count: int, **params: str) -> list[Item]:
    spec = SimpleNamespace(params=params)
    return [Item(f"{test}[{x}]", callspec=spec) for x in range(count)]


def drawn(items: list[Item], by: str, monkeypatch: pytest.MonkeyPatch) -> set[str]:
    monkeypatch.setattr(sample, "drawn_by", lambda: by)
    for item in items:
        item.marks.discard("volume")
    sample.draw(items)  # type: ignore[arg-type]
    return {item.nodeid for item in items if "volume" not in item.marks}


def test_rows_are_drawn_again_by_the_same_word_and_all_by_enough_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    items = [*rows("a.py::test_a", 12), *rows("a.py::test_b", 4)]
    first = drawn(items, "8f85e9b6", monkeypatch)
    assert len([x for x in first if "test_a" in x]) == 2
    assert len([x for x in first if "test_b" in x]) == 1
    assert drawn(items, "8f85e9b6", monkeypatch) == first
    every = [drawn(items, str(commit), monkeypatch) for commit in range(60)]
    assert set().union(*every) == {item.nodeid for item in items}


def test_a_machine_without_git_draws_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DRAWN_BY", raising=False)
    monkeypatch.setenv("PATH", "")
    assert sample.drawn_by.__wrapped__() == "0"
    monkeypatch.setenv("DRAWN_BY", "8f85e9b6")
    assert sample.drawn_by.__wrapped__() == "8f85e9b6"


def test_what_is_no_matrix_always_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    alone, quick = Item("a.py::test_alone"), rows("a.py::test_quick", 9)
    for item in quick:
        item.marks = set()
    items = [alone, *rows("a.py::test_one_row", 1), *quick]
    for commit in range(20):
        assert len(drawn(items, str(commit), monkeypatch)) == len(items)


def test_one_module_on_postgresql_or_in_a_browser_is_one_matrix(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    on_both = [rows(f"a.py::test_{x}", 1, kept_by="postgres")[0] for x in range(9)]
    looks = [Item(f"b.py::test_{x}", {"slow", "browser"}) for x in range(9)]
    assert len(drawn(on_both, "1", monkeypatch)) == 1
    assert len(drawn(looks, "1", monkeypatch)) == 5
