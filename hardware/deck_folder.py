"""The decks of a table as files in a folder, and which of them is in use."""

from __future__ import annotations

import logging
import re
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, NamedTuple

from companion.errors import DeviceFault, Malformed
from companion.examining import DECK_NAME_MAX, DeckCard
from companion.words import say

if TYPE_CHECKING:
    from companion.decoder import Deck

log = logging.getLogger(__name__)

HOUSE = "house"
CHOSEN = "chosen.txt"
KEY = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
DECKS_MAX = 50


class DeckInUse(NamedTuple):
    """A deck that notes are read with, what its owner calls it, and its key."""

    name: str
    deck: Deck
    key: str


class DeckFolder:
    """``companion.examining.Decks`` kept in a folder; the built-in deck comes first.

    A deck is ``KEY.deck``, with a picture in ``KEY.jpg`` and its name in ``KEY.txt``.

    Args:
        folder: The folder; created when the first deck is kept.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._loaded: tuple[str, Deck] | None = None
        self._damaged = ""

    def cards(self) -> tuple[DeckCard, ...]:
        """All decks (``Decks.cards``)."""
        chosen = self._chosen()
        house = DeckCard(HOUSE, HOUSE, chosen == HOUSE, is_built_in=True)
        learnt = (
            DeckCard(
                key, self._name(key), key == chosen, is_damaged=key == self._damaged
            )
            for key in self._keys()
        )
        return (house, *learnt)

    def choose(self, key: str) -> None:
        """Use this deck for reading notes from now on (``Decks.choose``)."""
        self._check(key)
        self._write(CHOSEN, key.encode())

    def forget(self, key: str) -> None:
        """Throw a learnt deck away (``Decks.forget``)."""
        self._check(key)
        if key == HOUSE:
            raise Malformed(
                say("our own notes cannot be forgotten"), say("choose another deck")
            )
        if self._chosen() == key:
            self.choose(HOUSE)
        self._loaded = None  # Another deck may be given its name.
        try:
            for suffix in (".deck", ".jpg", ".txt"):
                (self._folder / f"{key}{suffix}").unlink(missing_ok=True)
        except OSError as error:
            raise self._fault(error) from error

    def picture(self, key: str) -> bytes | None:
        """A JPEG of the faces that a deck knows (``Decks.picture``)."""
        if not KEY.fullmatch(key):
            return None
        try:
            return (self._folder / f"{key}.jpg").read_bytes()
        except OSError:
            return None

    def face(self, key: str, *, is_masked: bool) -> bytes | None:
        """A JPEG of one face of a learnt deck (``Decks.face``)."""
        from companion.decoder.ink import face_of, on_paper
        from hardware.examine import jpeg

        try:
            deck = self._load(key) if key in self._keys() else None
        except (OSError, Malformed):
            return None
        return jpeg(on_paper(face_of(deck, is_masked=is_masked))) if deck else None

    def file(self, key: str) -> bytes | None:
        """The bytes of a learnt deck's file (``Decks.file``)."""
        if key not in self._keys():
            return None
        try:
            return (self._folder / f"{key}.deck").read_bytes()
        except OSError:
            return None

    def take_in(self, file: BinaryIO, name: str = "") -> DeckCard:
        """Keep a deck that another table saved (``Decks.take_in``)."""
        from companion.decoder import load_deck
        from companion.decoder.deck import DECK_BYTES_MAX
        from companion.decoder.ink import on_paper, side_by_side
        from hardware.examine import jpeg

        content = file.read(DECK_BYTES_MAX + 1)
        try:
            deck = load_deck(content)
        except Malformed as error:
            log.info("deck_file_refused error=%s", error)
            raise Malformed(
                say("this file is no deck that this table can read"),
                say(
                    "have the other table save it again, or update the older of the "
                    "two tables"
                ),
            ) from error
        return self.keep(
            name.strip() or deck.name, content, jpeg(on_paper(side_by_side(deck)))
        )

    def keep(self, name: str, content: bytes, picture: bytes) -> DeckCard:
        """Write a deck that was learnt.

        Args:
            name: The name of the deck; ``key_for`` checks it.
            content: The bytes of the deck file.
            picture: A JPEG of the deck's faces.

        Raises:
            Malformed: If the name is not allowed.
            DeviceFault: If the files cannot be written.
        """
        key = self.key_for(name)
        self._write(f"{key}.jpg", picture)
        self._write(f"{key}.txt", name.strip().encode())
        self._write(f"{key}.deck", content)
        return DeckCard(key, name.strip(), is_chosen=False)

    def change(self, key: str, content: bytes, picture: bytes) -> None:
        """Write a deck that has learnt more, in place of what it was.

        Args:
            key: The key of the deck.
            content: The bytes of the deck file.
            picture: A JPEG of the deck's faces.

        Raises:
            Malformed: If the deck was forgotten meanwhile.
            DeviceFault: If the files cannot be written; the deck stays as it was.
        """
        self._check(key)
        self._write(f"{key}.deck", content)
        if self._loaded is not None and self._loaded[0] == key:
            self._loaded = None
        self._write(f"{key}.jpg", picture)

    def key_for(self, name: str) -> str:
        """The key, and so the file name, for a new deck called *name*.

        Raises:
            Malformed: If *name* is empty, too long or taken, or the folder is full.
        """
        key = "-".join(re.findall(r"[a-z0-9]+", name.lower()))
        if not key or len(name.strip()) > DECK_NAME_MAX:
            raise Malformed(
                say(
                    "the name of a deck has 1 to {most} letters or digits",
                    most=DECK_NAME_MAX,
                ),
                say("type another name"),
            )
        keys = self._keys()
        if key in (HOUSE, *keys):
            raise Malformed(
                say("there is a deck called {name} already", name=name.strip()),
                say("type another name"),
            )
        if len(keys) >= DECKS_MAX:
            raise Malformed(say("the shelf is full of decks; forget one first"))
        return key

    def deck(self) -> DeckInUse:
        """The deck in use; the built-in one if the chosen deck cannot be read."""
        from companion.decoder import house_deck  # Needs OpenCV.

        key = self._chosen()
        if key == HOUSE:
            return DeckInUse(HOUSE, house_deck(), HOUSE)
        try:
            deck = self._load(key)
        except (OSError, Malformed) as error:
            self._damaged = key
            log.warning(
                "deck_unreadable key=%s error=%s; notes are read with the house's own",
                key,
                error,
            )
            return DeckInUse(HOUSE, house_deck(), HOUSE)
        self._loaded, self._damaged = (key, deck), ""
        return DeckInUse(self._name(key), deck, key)

    def is_house(self) -> bool:
        """Whether the built-in deck is chosen."""
        return self._chosen() == HOUSE

    def _load(self, key: str) -> Deck:
        """A learnt deck; the one in use is not unpacked again."""
        from companion.decoder import load_deck

        loaded = self._loaded
        if loaded is not None and loaded[0] == key:
            return loaded[1]
        return load_deck((self._folder / f"{key}.deck").read_bytes())

    def _keys(self) -> tuple[str, ...]:
        found = sorted(path.stem for path in self._folder.glob("*.deck"))
        return tuple(key for key in found if KEY.fullmatch(key))[:DECKS_MAX]

    def _chosen(self) -> str:
        try:
            key = (self._folder / CHOSEN).read_text("utf-8").strip()
        except (OSError, UnicodeError):
            return HOUSE
        return key if key in self._keys() else HOUSE

    def _name(self, key: str) -> str:
        try:
            return (self._folder / f"{key}.txt").read_text("utf-8")[:DECK_NAME_MAX]
        except (OSError, UnicodeError):
            return key

    def _check(self, key: str) -> None:
        if key not in (HOUSE, *self._keys()):
            raise Malformed(say("this deck was forgotten"), say("choose another"))

    def _write(self, name: str, content: bytes) -> None:
        path = self._folder / name
        new = path.with_name(f"{name}.new")
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            new.write_bytes(content)
            new.replace(path)
        except OSError as error:
            raise self._fault(error) from error

    def _fault(self, error: OSError) -> DeviceFault:
        log.warning("decks_not_written folder=%s error=%s", self._folder, error)
        return DeviceFault(
            say("the table could not change its decks"),
            say("free some space on the table's disk"),
        )
