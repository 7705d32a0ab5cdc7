"""Keep the decks of a table as files in a folder, and remember which one is in use."""

from __future__ import annotations

import logging
import re
import threading
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, NamedTuple

from companion.errors import DeviceFault, Malformed
from companion.examining import DeckCard
from companion.files import content_of, write_whole
from companion.words import say
from companion.words.names import NAME_LENGTH_MAX, is_plain, tidy_name
from hardware.photos.one_at_a_time import OneAtATime

if TYPE_CHECKING:
    from companion.decoder import Deck

log = logging.getLogger(__name__)

HOUSE = "house"
"""The key of the built-in deck."""
CHOSEN = "chosen.txt"
"""The file that holds the key of the chosen deck."""
KEY = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
"""The form of a key, which is also the stem of the deck's files."""
DECKS_MAX = 50
"""How many learnt decks there may be."""
PICTURE_BYTES_MAX = 2_000_000
"""The largest picture of a deck or a lesson; most have some 12 kB."""
TEXT_BYTES_MAX = 1_000
"""The longest file that holds a name or a key."""


class DeckInUse(NamedTuple):
    """The deck with which notes are read."""

    name: str
    deck: Deck
    key: str


class DeckFolder:
    """Implements ``companion.examining.Decks``; the built-in deck comes first.

    A deck is ``KEY.deck``, with a picture in ``KEY.jpg`` and its name in ``KEY.txt``.

    Args:
        folder: The folder; made for the first deck.
        one_at_a_time: The queue of all heavy work.
    """

    def __init__(self, folder: Path, one_at_a_time: OneAtATime | None = None) -> None:
        self._folder = folder
        self._one_at_a_time = one_at_a_time or OneAtATime()
        self._loaded: tuple[str, Deck] | None = None
        self._faces: dict[tuple[str, bool], bytes] = {}
        self._drawing = threading.Lock()  # A page asks for both faces at once.
        self._damaged = ""  # The key of the chosen deck, if it cannot be read.

    def cards(self) -> tuple[DeckCard, ...]:
        """List all decks."""
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
        """Use this deck for reading notes from now on."""
        self._check(key)
        self._write(CHOSEN, key.encode())

    def forget(self, key: str) -> None:
        """Throw a learnt deck away."""
        self._check(key)
        if key == HOUSE:
            raise Malformed(
                say("our own notes cannot be forgotten"), say("choose another deck")
            )
        if self._chosen() == key:
            self.choose(HOUSE)
        self._unload(key)
        try:
            for suffix in (".deck", ".jpg", ".txt"):
                (self._folder / f"{key}{suffix}").unlink(missing_ok=True)
        except OSError as error:
            raise self._fault(error) from error

    def picture(self, key: str) -> bytes | None:
        """Read the JPEG of a deck's faces."""
        if not self._has(key):
            return None
        return self._content(f"{key}.jpg", PICTURE_BYTES_MAX)

    def face(self, key: str, *, is_masked: bool) -> bytes | None:
        """Return a face of a learnt deck as JPEG, drawn only once."""
        with self._drawing:
            known = self._faces.get((key, is_masked))
            if known is not None or not self._has(key):
                return known
            return self._draw_face(key, is_masked)

    def _draw_face(self, key: str, is_masked: bool) -> bytes | None:
        from companion.decoder.ink import face_of, on_paper
        from hardware.photos.examine import jpeg

        try:
            deck = self._load(key)
        except (OSError, Malformed):
            return None
        picture = jpeg(on_paper(face_of(deck, is_masked=is_masked)))
        self._faces[key, is_masked] = picture
        return picture

    def file(self, key: str) -> bytes | None:
        """Read the file of a learnt deck."""
        from companion.decoder.deck import DECK_BYTES_MAX

        if not self._has(key):
            return None
        return self._content(f"{key}.deck", DECK_BYTES_MAX)

    def take_in(self, file: BinaryIO, name: str = "", *, sender: str = "") -> DeckCard:
        """Keep a deck that another table saved."""
        from companion.decoder import load_deck
        from companion.decoder.deck import DECK_BYTES_MAX
        from companion.decoder.ink import on_paper, side_by_side
        from hardware.photos.examine import jpeg

        with self._one_at_a_time.turn(sender, is_seated=True) as check:
            content = file.read(DECK_BYTES_MAX + 1)
            try:
                deck = load_deck(content)
                for example in deck.lesson:  # Unpacked to check it, one at a time.
                    check()
                    example.unpacked()
            except Malformed as error:
                log.info("deck_file_refused error=%s", error)
                raise Malformed(
                    say("this file is no deck that this table can read"),
                    say(
                        "have the other table save it again, or update the older of "
                        "the two tables"
                    ),
                ) from error
            picture = jpeg(on_paper(side_by_side(deck)))
            return self.keep(name.strip() or deck.name, content, picture)

    def keep(self, name: str, content: bytes, picture: bytes) -> DeckCard:
        """Write a new deck: its file, and a JPEG of its faces.

        Raises:
            Malformed: If the name is not allowed; see ``key_for``.
            DeviceFault: If the files cannot be written.
        """
        key, name = self.key_for(name), tidy_name(name)
        self._unload(key)  # A forgotten deck may have had its name.
        self._write(f"{key}.jpg", picture)
        self._write(f"{key}.txt", name.encode())
        self._write(f"{key}.deck", content)
        return DeckCard(key, name, is_chosen=False)

    def change(self, key: str, content: bytes, picture: bytes) -> None:
        """Write a deck that has learnt more, over its former files.

        Raises:
            Malformed: If the deck was forgotten meanwhile.
            DeviceFault: If the files cannot be written; the deck stays as it was.
        """
        self._check(key)
        self._write(f"{key}.deck", content)
        self._unload(key)
        self._write(f"{key}.jpg", picture)

    def key_for(self, name: str) -> str:
        """Derive the key of a new deck called *name*.

        Raises:
            Malformed: If *name* is empty, too long, taken or cannot be shown on a page,
                or the folder is full.
        """
        name = tidy_name(name)
        key = "-".join(re.findall(r"[a-z0-9]+", name.lower()))
        if not key or len(name) > NAME_LENGTH_MAX or not is_plain(name):
            raise Malformed(
                say(
                    "the name of a deck has 1 to {most} letters or digits",
                    most=NAME_LENGTH_MAX,
                ),
                say("type another name"),
            )
        keys = self._keys()
        if key in (HOUSE, *keys):
            raise Malformed(
                say("there is a deck called {name} already", name=name),
                say("type another name"),
            )
        if len(keys) >= DECKS_MAX:
            raise Malformed(say("the shelf is full of decks; forget one first"))
        return key

    def deck(self) -> DeckInUse:
        """Load the chosen deck, or the built-in one if that cannot be read."""
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
        """Return whether the built-in deck is chosen."""
        return self._chosen() == HOUSE

    def _load(self, key: str) -> Deck:
        """Load a learnt deck, which is in memory already if it is in use."""
        from companion.decoder import load_deck
        from companion.decoder.deck import DECK_BYTES_MAX

        loaded = self._loaded
        if loaded is not None and loaded[0] == key:
            return loaded[1]
        return load_deck(content_of(self._folder / f"{key}.deck", DECK_BYTES_MAX))

    def _unload(self, key: str) -> None:
        if self._loaded is not None and self._loaded[0] == key:
            self._loaded = None
        for is_masked in (False, True):
            self._faces.pop((key, is_masked), None)

    def _keys(self) -> tuple[str, ...]:
        """List the keys of all learnt decks, sorted."""
        keys = sorted(path.stem for path in self._folder.glob("*.deck"))
        return tuple(key for key in keys if KEY.fullmatch(key))[:DECKS_MAX]

    def _has(self, key: str) -> bool:
        return key in self._keys()

    def _chosen(self) -> str:
        """Return the key of the chosen deck, or the built-in one's if it is gone."""
        key = self._text(CHOSEN)
        return key if self._has(key) else HOUSE

    def _name(self, key: str) -> str:
        """Return the name of a deck, or its key if a page could not show the name."""
        name = self._text(f"{key}.txt")
        return name if is_plain(name) and len(name) <= NAME_LENGTH_MAX else key

    def _text(self, name: str) -> str:
        """Read a short text, tidied; empty if it cannot be read."""
        content = self._content(name, TEXT_BYTES_MAX) or b""
        return tidy_name(content.decode("utf-8", "replace"))

    def _content(self, name: str, bytes_max: int) -> bytes | None:
        try:
            return content_of(self._folder / name, bytes_max)
        except OSError:
            return None

    def _check(self, key: str) -> None:
        """Refuse a key that no deck has now."""
        if key != HOUSE and not self._has(key):
            raise Malformed(say("this deck was forgotten"), say("choose another"))

    def _write(self, name: str, content: bytes) -> None:
        """Write a file of the folder whole or not at all."""
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            write_whole(self._folder / name, content)
        except OSError as error:
            raise self._fault(error) from error

    def _fault(self, error: OSError) -> DeviceFault:
        """Log *error*, and return the one for people."""
        log.warning("decks_not_written folder=%s error=%s", self._folder, error)
        return DeviceFault(
            say("the table could not change its decks"),
            say("free some space on the table's disk"),
        )
