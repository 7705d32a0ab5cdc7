"""Tables of the words that a script line takes, and in which order."""

from __future__ import annotations

from companion.game.board import Board
from companion.script.verbs import CAMERA_VERBS, TABLE_VERBS, VAULT_VERBS, VERBS, Form

VERB_FORMS: dict[str, Form] = {word: verb.form for word, verb in VERBS.items()}
"""What follows a seat's verb."""

WITH_CODE: Form = (("=code", "number"),)

TABLE_FORMS = {word: verb.form for word, verb in TABLE_VERBS.items()}
"""What follows a verb of the whole table."""

CAMERA_FORMS = {word: verb.form for word, verb in CAMERA_VERBS.items()}
"""What follows a verb of the camera."""

VAULT_FORMS: dict[str, Form] = {**dict.fromkeys(VAULT_VERBS, ()), "lock": WITH_CODE}
"""What follows a verb of the vault's lock."""

TRADED: dict[str, Form] = {
    "cash": ("number",),
    "hotels": ("number",),
    "tickets": ("number",),
    "jail-card": (),
    "debt": (),
}
"""What can be traded besides deeds."""

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
"""What can be said about a seat, or expected of it."""

OF_VAULT: dict[str, Form] = {
    "cash": ("number",),
    "keys": ("number",),
    "hotels": ("number",),
    "locked": WITH_CODE,
    "open": (),
    "shut": (),
    "code": ("number",),
}

SAID: dict[str, Form] = {
    "turn": ("seat",),
    "stage": ("stage",),
    "doubles": ("number",),
    "top": ("deck", "card+"),
    "figure": ("figured", "figure", "number", ("=likely",)),
    "space": ("number", "kind"),
    "card": ("deck", "card"),
    "faceup": ("card+",),
}
"""What ``given`` and ``set`` say about the table as a whole."""

ASKED: dict[str, Form] = {
    "stage": ("stage",),
    "turn": ("seat",),
    "winner": ("seat",),
    "score": ("seat", "number"),
    "money": ("number",),
    "faceup": ("card+",),
    "can": (),
    "cannot": (),
}
"""What ``expect`` asks about the table as a whole; ``can`` goes on with a verb."""


def of_deed(board: Board) -> dict[str, Form]:
    """What can be said about a deed: its owner, a mortgage, its buildings by kind."""
    plain: dict[str, Form] = dict.fromkeys(("mortgaged", "unmortgaged", "bare"), ())
    return {"owner": ("owner",), **plain, **_counts(board.kinds)}


def of_bank(board: Board) -> dict[str, Form]:
    """What can be said about the bank's pieces: how many of each kind it has."""
    return _counts((*board.kinds, "key", "ticket"))


def _counts(kinds: tuple[str, ...]) -> dict[str, Form]:
    many: dict[str, Form] = {f"{kind}s": ("number",) for kind in kinds}
    one: dict[str, Form] = dict.fromkeys(kinds, (("number",),))
    return {**many, **one}
