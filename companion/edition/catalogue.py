"""The editions that a table can play: the built-in ones, and those of its owner."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from companion.edition.british import UK, british
from companion.edition.library import BUILT_IN, builtin
from companion.edition.model import Edition
from companion.words import say
from companion.words.report import quoted, undeclared


class Editions(Protocol):
    """Finds an edition by a word, such as its id; ``Malformed`` if there is none."""

    ids: tuple[str, ...]

    def __call__(self, word: str, /) -> Edition:
        """The edition that *word* stands for."""


class Catalogue:
    """Gives editions by their id; never changes, so any thread may ask.

    Args:
        own: The owner's own editions, each with the text of its file; ``taken`` says
            which ids they may have.
        faults: What was left out, and why.

    Attributes:
        ids: Every edition there is: the program's own, then the owner's.
        faults: A line for every mistake of a file that was left out: *file: key:
            wanted, got*.
    """

    def __init__(
        self, own: Iterable[tuple[Edition, str]] = (), faults: tuple[str, ...] = ()
    ) -> None:
        files = tuple(own)
        known = {one.id: one for one, _ in files}
        self._texts = {one.id: text for one, text in files}
        self.ids: tuple[str, ...] = (*BUILT_IN, *known)
        self.faults = faults
        self._own = known | {one.id + UK: british(one) for one in known.values()}

    def __call__(self, edition_id: str, /) -> Edition:
        """The edition of that id; with ``-uk`` at the end, its British printing.

        Raises:
            Malformed: If there is none.
        """
        if edition_id.removesuffix(UK) in BUILT_IN:
            return builtin(edition_id)
        if edition_id not in self._own:
            raise undeclared(say("an edition"), edition_id, self.ids)
        return self._own[edition_id]

    def file_of(self, edition_id: str) -> str | None:
        """The text of the owner's file of an edition, in either printing.

        ``None`` for an edition that comes with the program.
        """
        return self._texts.get(edition_id.removesuffix(UK))


def taken(edition_id: str, own: Iterable[str] = ()) -> str:
    """Why an owner's own edition may not have that id; empty if it may.

    Args:
        edition_id: What the file calls itself.
        own: Ids of files that were read before it.
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
