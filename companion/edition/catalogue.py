"""The editions that a table can play: the built-in ones, and those of its owner.

The owner can add files of further editions (``companion/edition/files.py``). Each
edition can be played in two printings: its own id means the American one, ``-uk`` at
the end of the id the British one.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from companion.edition.library import BUILT_IN, UK, british, builtin
from companion.edition.model import Edition
from companion.words import say
from companion.words.report import quoted, undeclared


class Editions(Protocol):
    """Finds an edition by a word, such as its id; ``Malformed`` if there is none."""

    ids: tuple[str, ...]

    def __call__(self, word: str, /) -> Edition:
        """Return the edition that *word* stands for."""


class Catalogue:
    """Finds editions by their id; it never changes, so any thread may use it.

    Args:
        own: The owner's own editions, each with the text of its file;
            ``why_taken`` says which ids they may have.
        faults: A line for each mistake of a file that was left out.

    Attributes:
        ids: The ids of all editions: the built-in ones, then the owner's.
    """

    def __init__(
        self, own: Iterable[tuple[Edition, str]] = (), faults: tuple[str, ...] = ()
    ) -> None:
        own = tuple(own)
        by_id = {edition.id: edition for edition, _ in own}
        self._texts = {edition.id: text for edition, text in own}
        self.ids: tuple[str, ...] = (*BUILT_IN, *by_id)
        self.faults = faults
        self._own = dict(by_id)
        for edition_id, edition in by_id.items():
            self._own[edition_id + UK] = british(edition)

    def __call__(self, edition_id: str, /) -> Edition:
        """Return the edition of that id; ``Malformed`` if there is none."""
        if edition_id.removesuffix(UK) in BUILT_IN:
            return builtin(edition_id)
        if edition_id not in self._own:
            raise undeclared(say("an edition"), edition_id, self.ids)
        return self._own[edition_id]

    def file_of(self, edition_id: str) -> str | None:
        """Return the owner's file of an edition; ``None`` for a built-in edition."""
        return self._texts.get(edition_id.removesuffix(UK))


def why_taken(edition_id: str, own: Iterable[str] = ()) -> str:
    """Return why an owner's edition may not have that id; empty if it may.

    *own* are the ids of the owner's files that were read before.
    """
    if edition_id.endswith(UK):
        return (
            f"expected an id that does not end in {UK}, got {quoted(edition_id)}, "
            "which would be a British printing; choose another id"
        )
    if edition_id in (*BUILT_IN, *own):
        return (
            f"expected an id of its own, got {quoted(edition_id)}, which is taken; "
            "choose another id"
        )
    return ""
