"""Tables of the words that a script line takes, and in which order.

A form is read from left to right. Each part of it is the name of a slot in
``slots.py``; or ``=`` and a literal word; or a nested tuple, which is optional as a
whole. A ``+`` after the name of a slot means one word or more.
"""

from __future__ import annotations

from companion.game.board import Board
from companion.script.verbs import ELSEWHERE, TABLE_VERBS, VAULT_VERBS, VERBS

Form = tuple["str | Form", ...]

ITEMS = "items"
"""One side of a trade, up to ``want``."""

POSITION = "position"
"""The words of ``given``."""

MORE_LEVELS: Form = (("deed", "number"), ("deed", "number"), ("deed", "number"))
"""Up to three more deeds with levels; no group has more than four deeds."""

VERB_FORMS: dict[str, Form] = {
    **dict.fromkeys((*VERBS, *ELSEWHERE), ()),
    **dict.fromkeys(("mortgage", "unmortgage", "build", "want", "unlock"), ("deed",)),
    "roll": ("die+",),
    "draw": (("card",),),
    "bid": ("number",),
    "ask-rent": (("seat",),),
    "use-card": ("card",),
    "unbuild": ("deed", ("=all",)),
    "offer": ("seat", "=give", ITEMS, ("=want", ITEMS)),
    "guess": ("number", ("=jammed",)),
    "figure": ("figured", "figure", "number"),
    "space": ("number", "kind"),
    "sell": ("deed",),
    "level": ("deed", "number", MORE_LEVELS),
    "choose": ("option",),
    "use-ticket": ("space",),
}
"""What follows a seat's verb."""

WITH_CODE: Form = (("=code", "number"),)

TABLE_FORMS: dict[str, Form] = {
    **dict.fromkeys(TABLE_VERBS, ()),
    "set": (POSITION,),
    "balance": ("purse", "number"),
    "pay": ("purse", "purse", "number"),
    "salary": ("seat",),
    "join": ("word",),
    "leave": ("seat",),
}
"""What follows a verb of the whole table."""

VAULT_FORMS: dict[str, Form] = {**dict.fromkeys(VAULT_VERBS, ()), "lock": WITH_CODE}
"""What follows a verb of the vault's lock."""

TRADED: dict[str, Form] = {
    "cash": ("number",),
    "hotels": ("number",),
    "tickets": ("number",),
    "jail-card": (),
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
    "figure": ("figured", "figure", "number"),
    "space": ("number", "kind"),
    "card": ("deck", "card"),
}
"""What ``given`` and ``set`` say about the table as a whole."""

ASKED: dict[str, Form] = {
    "stage": ("stage",),
    "turn": ("seat",),
    "winner": ("seat",),
    "score": ("seat", "number"),
    "money": ("number",),
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
    return _counts((*board.kinds, "key"))


def _counts(kinds: tuple[str, ...]) -> dict[str, Form]:
    many: dict[str, Form] = {f"{kind}s": ("number",) for kind in kinds}
    return {**many, **dict.fromkeys(kinds, ("number",))}
