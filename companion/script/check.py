"""Checking the words of a script line before it is played.

A line with a misspelt word proves nothing: nobody can build on a street that does not
exist. So each name, verb and number is looked up first. A wrong word is reported with
its column, with what could have stood there, and with the most similar known word.

The words after a verb or a subject have a *form*: a sequence of *slots* (``slots.py``),
such as a seat or a number, and of literal words; how to read one is said at ``Form`` in
``verbs.py``. A *verb* belongs to a seat, to the table, to the camera or to the vault. A
*subject* is what a ``given``, ``set`` or ``expect`` line is about.

A line that expects to be refused as ``malformed`` or ``unknown_seat`` is about wrong
words; in such a line only the verb is looked up.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from companion.errors import Why
from companion.game import Game
from companion.game.board import Board
from companion.game.commands import TABLE
from companion.script.parse import ScriptFault, ScriptLine, Word, unknown_word
from companion.script.slots import SLOTS, Slot, board_of, seats_of
from companion.script.verbs import (
    CAMERA_VERBS,
    ITEMS,
    POSITION,
    TABLE_VERBS,
    VAULT_VERBS,
    VERBS,
    Form,
)
from companion.units import BANK, CAMERA, VAULT

VERB_FORMS: dict[str, Form] = {word: verb.form for word, verb in VERBS.items()}
"""Verb of a seat -> the form of the words after it."""

WITH_CODE: Form = (("=code", "number"),)
"""The form after a locking: the new code, which is optional."""

TABLE_FORMS = {word: verb.form for word, verb in TABLE_VERBS.items()}
"""Verb of the whole table -> the form of the words after it."""

CAMERA_FORMS = {word: verb.form for word, verb in CAMERA_VERBS.items()}
"""Verb of the camera -> the form of the words after it."""

VAULT_FORMS: dict[str, Form] = {**dict.fromkeys(VAULT_VERBS, ()), "lock": WITH_CODE}
"""Verb of the vault's lock -> the form of the words after it."""

ITEM_FORMS: dict[str, Form] = {
    "cash": ("number",),
    "hotels": ("number",),
    "tickets": ("number",),
    "jail-card": (),
    "debt": (),
}
"""Item of a trade that is no deed -> the form of the words after it."""

OF_SEAT: dict[str, Form] = {
    "on": ("space",),
    "cash": ("number",),
    "owns": ("deed+",),
    "jailed": (("number",),),
    "free": (),
    "cards": ("kept+",),
    "bankrupt": (),
    "owes": ("number", ("=to", "account")),
    "hotels": ("number",),
    "chips": ("number",),
    "tickets": ("number",),
}
"""Word about a seat, to state or to expect -> the form of the words after it."""

OF_VAULT: dict[str, Form] = {
    "cash": ("number",),
    "keys": ("number",),
    "hotels": ("number",),
    "locked": WITH_CODE,
    "open": (),
    "shut": (),
    "code": ("number",),
}
"""Word about the vault, to state or to expect -> the form of the words after it."""

STATED_OF_TABLE: dict[str, Form] = {
    "turn": ("seat",),
    "stage": ("stage",),
    "doubles": ("number",),
    "top": ("deck", "card+"),
    "figure": ("figured", "figure", "number", ("=likely",)),
    "space": ("number", "kind"),
    "card": ("deck", "card"),
    "faceup": ("card+",),
    "end": ("end",),
}
"""Word about the whole table after ``given`` or ``set`` -> the form after it."""

EXPECTED_OF_TABLE: dict[str, Form] = {
    "stage": ("stage",),
    "turn": ("seat",),
    "winner": ("seat",),
    "score": ("seat", "number"),
    "money": ("number",),
    "faceup": ("card+",),
    "can": (),
    "cannot": (),
}
"""Word about the whole table after ``expect`` -> the form after it.

After ``can`` and ``cannot`` come a seat, a verb, and the words that the verb takes.
"""


def forms_of_deed(board: Board) -> dict[str, Form]:
    """Return the forms of the words about a deed."""
    plain: dict[str, Form] = dict.fromkeys(("mortgaged", "unmortgaged", "bare"), ())
    return {"owner": ("owner",), **plain, **_counts(board.kinds)}


def forms_of_bank(board: Board) -> dict[str, Form]:
    """Return the forms of the words about the bank's pieces."""
    return _counts((*board.kinds, "key", "ticket"))


def _counts(kinds: tuple[str, ...]) -> dict[str, Form]:
    """Return the forms of counts: ``houses 3``, or ``house`` alone for one house."""
    plural: dict[str, Form] = {f"{kind}s": ("number",) for kind in kinds}
    singular: dict[str, Form] = dict.fromkeys(kinds, (("number",),))
    return {**plural, **singular}


WORD_REASONS = (Why.MALFORMED, Why.UNKNOWN_SEAT)
"""The reasons for a refusal that are about a wrong word."""


def check(game: Game, line: ScriptLine) -> None:
    """Check that every word of *line* means something.

    Raises:
        ScriptFault: At the first word that means nothing there.
    """
    reader = _Reader(game, line)
    if line.kind in ("do", "refuse"):
        _check_act(reader, is_strict=line.why not in WORD_REASONS)
    elif line.kind == "given":
        reader.take_position()
        reader.check_end()
    elif line.kind == "expect":
        _check_expectation(reader)
        reader.check_end()


def _check_act(reader: _Reader, *, is_strict: bool) -> None:
    """Check the words of a ``do`` or ``refuse`` line.

    Args:
        reader: The reader of the line.
        is_strict: Whether to check every word, and not the verb alone.
    """
    actor = reader.take_word("a seat, table, camera or vault")
    known = (*seats_of(reader.game), TABLE, CAMERA, VAULT)
    if is_strict and actor.text not in known:
        raise reader.fault(actor, "a seat, table, camera or vault", known)
    other_forms = {
        TABLE: TABLE_FORMS,
        CAMERA: CAMERA_FORMS,
        VAULT: VAULT_FORMS,
    }
    form = reader.choose_form("verb", other_forms.get(actor.text, VERB_FORMS))
    if is_strict:
        reader.take_form(form)
        reader.check_end()


def _check_expectation(reader: _Reader) -> None:
    subject = reader.take_subject(EXPECTED_OF_TABLE)
    if subject is None:
        return
    if subject.text in ("can", "cannot"):
        reader.take_form(("seat",))
        form = reader.choose_form("verb", VERB_FORMS)
        if reader.has_more:  # A verb alone stands for any move of that kind.
            reader.take_form(form)
        return
    reader.take_form(EXPECTED_OF_TABLE[subject.text])


class _Reader:
    """Takes the words of one line from left to right and checks each."""

    def __init__(self, game: Game, line: ScriptLine) -> None:
        self.game = game
        self._line = line
        self._left = list(line.words)

    @property
    def has_more(self) -> bool:
        """Whether words are left."""
        return bool(self._left)

    def take_word(self, wanted: str) -> Word:
        """Take the next word, which must be there."""
        if self._left:
            return self._left.pop(0)
        last = self._line.words[-1]
        column = last.column + len(last.text) + 1
        raise ScriptFault(self._line.number, column, wanted, "nothing")

    def check_end(self) -> None:
        """Check that no word is left over."""
        if self._left:
            word = self._left[0]
            text = repr(word.text)
            raise ScriptFault(self._line.number, word.column, "nothing more", text)

    def fault(self, word: Word, wanted: str, known: Iterable[str]) -> ScriptFault:
        """Return the fault for a wrong word; suggest the nearest of the other words."""
        others = [choice for choice in known if choice != word.text]
        return unknown_word(self._line.number, word, others, wanted)

    def choose_form(self, label: str, table: Mapping[str, Form]) -> Form:
        """Take the next word, which must be a key of *table*, and return its form."""
        word = self.take_word(f"a {label}, one of {', '.join(table)}")
        if word.text not in table:
            raise self.fault(word, f"one of {', '.join(table)}", table)
        return table[word.text]

    def take_form(self, form: Form) -> None:
        """Take the words of *form*."""
        for part in form:
            if isinstance(part, tuple):
                if self._left:
                    self.take_form(part)
            elif part == ITEMS:
                self._take_items()
            elif part == POSITION:
                self.take_position()
            elif part[0] == "=":
                self._take_literal(part[1:])
            else:
                self._take_slots(part)

    def _take_literal(self, text: str) -> None:
        word = self.take_word(repr(text))
        if word.text != text:
            raise self.fault(word, repr(text), (text,))

    def _take_slots(self, part: str) -> None:
        """Take one word that fits the slot, or at least one if *part* ends in ``+``."""
        slot = SLOTS[part.removesuffix("+")]
        self._take_slot(slot)
        while self._left and part.endswith("+"):
            self._take_slot(slot)

    def _take_slot(self, slot: Slot) -> None:
        word = self.take_word(slot.wanted)
        if not slot.takes(self.game, word.text):
            raise self.fault(word, slot.wanted, slot.known(self.game))

    def _take_items(self) -> None:
        """Take the items of one side of a trade, up to ``want``."""
        deeds = board_of(self.game).index
        while self._left and self._left[0].text != "want":
            word = self.take_word("an item")
            if word.text in ITEM_FORMS:
                self.take_form(ITEM_FORMS[word.text])
            elif word.text not in deeds:
                wanted = f"a deed or one of {', '.join(ITEM_FORMS)}"
                known = (*deeds, *ITEM_FORMS, "want")
                raise self.fault(word, wanted, known)

    def take_position(self) -> None:
        """Take a statement about a seat, a deed, the bank, the vault or the table."""
        subject = self.take_subject(STATED_OF_TABLE)
        if subject is not None:
            self.take_form(STATED_OF_TABLE[subject.text])

    def take_subject(self, table: Mapping[str, Form]) -> Word | None:
        """Take the subject of the line, and the words about it.

        *table* has the words about the people's table as a whole. If the subject is one
        of these, only it is taken, and returned.
        """
        board = board_of(self.game)
        forms_about: dict[str, Mapping[str, Form]] = {
            **dict.fromkeys(board.index, forms_of_deed(board)),
            BANK: forms_of_bank(board),
            VAULT: OF_VAULT,
            **dict.fromkeys(seats_of(self.game), OF_SEAT),
        }
        wanted = f"a seat, a deed, bank, vault or one of {', '.join(table)}"
        word = self.take_word(wanted)
        if word.text in table:
            return word
        if word.text not in forms_about:
            raise self.fault(word, wanted, (*forms_about, *table))
        self.take_form(self.choose_form("word", forms_about[word.text]))
        return None
