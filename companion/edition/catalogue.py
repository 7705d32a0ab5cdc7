"""The editions that a table can play: the built-in ones, and those of its owner.

The owner of a table puts files into the folder ``editions`` beside the games, or names
them on the command line; they are read once, at the start. A file with mistakes is left
out, and the catalogue lists its mistakes. Each edition can be played in two printings:
its own id means the American one, ``-uk`` at the end of the id the British one.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Final, Protocol

from companion.edition.bounds import LENGTH_MAX
from companion.edition.library import BUILT_IN, UK, british, builtin, load
from companion.edition.model import Edition
from companion.errors import DeviceFault, EditionFault
from companion.files import opened
from companion.words import say
from companion.words.report import quoted, undeclared

FOLDER: Final = "editions"
"""The folder of edition files, beside the games."""

FILE_END: Final = ".toml"
"""The end of an edition file's name."""

FILES_MAX: Final = 200
"""The most edition files that a table reads."""


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


# Reading files.


def load_file(path: Path) -> Edition:
    """Read the edition in a file, whatever its id is.

    Raises:
        EditionFault: With every mistake of the file, if it has any.
        DeviceFault: If the file cannot be read.
    """
    return load(_read_text(path), path.name)


def load_own(path: Path) -> Edition:
    """Read an edition that is to be played beside the built-in ones.

    Raises:
        EditionFault: With every mistake of the file; also if its id is taken.
        DeviceFault: If the file cannot be read.
    """
    return _read_own_file(path, ())[0]


def read_catalogue(files: Iterable[Path]) -> Catalogue:
    """Read *files* in that order into a catalogue.

    A file whose id is taken counts as one with a mistake.
    """
    own: dict[str, tuple[Edition, str]] = {}
    faults: list[str] = []
    paths = tuple(dict.fromkeys(files))
    for path in paths[:FILES_MAX]:
        try:
            edition, text = _read_own_file(path, own)
        except EditionFault as fault:
            faults += fault.problems
        except DeviceFault as fault:
            faults.append(f"{path.name}: {fault}")
        else:
            own[edition.id] = edition, text
    if len(paths) > FILES_MAX:
        mistake = f"expected at most {FILES_MAX} edition files, got {len(paths)}"
        faults.append(f"{paths[FILES_MAX].name}: {mistake}")
    return Catalogue(own.values(), tuple(faults))


def catalogue_of(data: Path, files: Iterable[Path] = ()) -> Catalogue:
    """Read the editions in *data*, the folder that keeps the games, and in *files*."""
    return read_catalogue((*sorted((data / FOLDER).glob(f"*{FILE_END}")), *files))


class ScriptEditions:
    """Finds the editions that a script names by id, or by path from its folder."""

    def __init__(self, catalogue: Catalogue, folder: Path) -> None:
        self.ids = catalogue.ids
        self._catalogue = catalogue
        self._folder = folder

    def __call__(self, word: str, /) -> Edition:
        """Return the edition of that id, or in the file of that path.

        Raises:
            Malformed: If no edition has that id.
            EditionFault: With every mistake of the file, if it has any.
            DeviceFault: If the file cannot be read.
        """
        if word.endswith(FILE_END):
            return load_own(self._folder / word)
        return self._catalogue(word)


def _read_own_file(path: Path, own: Iterable[str]) -> tuple[Edition, str]:
    """Read an owner's file; return its edition and its text."""
    text = _read_text(path)
    edition = load(text, path.name)
    mistake = why_taken(edition.id, own)
    if mistake:
        raise EditionFault((f"{path.name}: edition.id: {mistake}",))
    return edition, text


def _read_text(path: Path) -> str:
    try:
        with opened(path) as file:
            content = file.read(LENGTH_MAX + 1)  # The last byte shows a longer file.
        if len(content) > LENGTH_MAX:
            text = (
                f"expected at most {LENGTH_MAX:,} bytes, got more; take the edition's "
                "own file"
            )
            raise EditionFault((f"{path.name}: {text}",))
        return content.decode()
    except UnicodeDecodeError as error:
        raise EditionFault((f"{path.name}: expected UTF-8, got {error}",)) from error
    except OSError as error:
        raise DeviceFault(
            f"cannot read {path}: {error.strerror}", "name another file"
        ) from error
