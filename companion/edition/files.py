"""Reads owners' own editions from files, once at the start, into a catalogue.

The owner of a table puts the files into the folder ``editions`` beside the games, or
names them on the command line. A file with mistakes is left out, and the catalogue
lists its mistakes.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Final

from companion.edition.bounds import LENGTH_MAX
from companion.edition.catalogue import Catalogue, why_taken
from companion.edition.library import load
from companion.edition.model import Edition
from companion.errors import DeviceFault, EditionFault
from companion.files import opened

FOLDER: Final = "editions"
"""The folder of edition files, beside the games."""

FILE_END: Final = ".toml"
"""The end of an edition file's name."""

FILES_MAX: Final = 200
"""The most edition files that a table reads."""


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
