"""The words that a script line takes after its verb or subject, as tables of forms.

How to read a form is said at ``Form`` in ``verbs.py``. A *verb* belongs to a seat, to
the table, to the camera or to the vault. A *subject* is what a ``given``, ``set`` or
``expect`` line is about.
"""

from __future__ import annotations

from companion.game.board import Board
from companion.script.verbs import CAMERA_VERBS, TABLE_VERBS, VAULT_VERBS, VERBS, Form

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
