"""Turning the verbs of game scripts into commands.

Most verbs are derived: the words after them are the fields of the command's struct,
one after another, and the type of a field says which words it takes. Only verbs with
words of their own are written out.

The words after a verb are not checked here. A misspelt deed becomes a command too,
which the rules refuse as ``malformed``, so that a script can expect that refusal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from msgspec.structs import FieldInfo

from companion.errors import Malformed
from companion.game import Game
from companion.game import commands as c
from companion.game import moves as m
from companion.game.box_key import LIKELY, key_of
from companion.game.commands import TABLE, Command, fields_of, verb_of
from companion.game.position import FORCED, LOCKED, OPEN, SHUT, Bundle
from companion.rules import RULES
from companion.rules.seats import COLOURS, TOKENS
from companion.units import (
    CAMERA,
    VAULT,
    Account,
    Balance,
    CardId,
    ChoiceWord,
    DeedWord,
    Dollars,
    Seat,
    SeatWord,
    SpaceWord,
    TargetWord,
)

Args = tuple[str, ...]

Form = tuple["str | Form", ...]
"""The words after a verb, read from left to right.

Each part is the name of a slot in ``slots.py``; or ``=`` and a literal word; or a
nested tuple, which is optional as a whole. A ``+`` after the name of a slot means one
word or more.
"""

ITEMS = "items"
"""The part of a form that stands for one side of a trade, up to ``want``."""

POSITION = "position"
"""The part of a form that stands for the words of ``given``."""

NO_NUMBER = -1
"""The value of a word that is no whole number; every rule refuses it as malformed."""


class WordsWrong(Malformed):
    """A verb has too many or too few words, which counts as ``malformed``."""


class Verb(NamedTuple):
    """A verb of scripts.

    Attributes:
        kind: The kind of command that it makes.
        form: The words after it.
        read: Makes the command from the game, the actor and the words after the verb.
    """

    kind: type[Command]
    form: Form
    read: Callable[[Game, str, Args], Command]


def whole(text: str) -> int:
    """Read a whole number; return ``NO_NUMBER`` if *text* is none."""
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdigit()) or len(digits) > 9:
        return NO_NUMBER
    return int(text)


# Verbs that follow from the fields of a command.

SLOT_OF: dict[object, str] = {
    int: "number",
    Dollars: "number",
    Balance: "number",
    Seat: "seat",
    SeatWord: "seat",
    Account: "purse",
    DeedWord: "deed",
    CardId: "card",
    TargetWord: "target",
    ChoiceWord: "option",
    SpaceWord: "space",
    bool: "=",
}
"""Type of a field -> its slot; scripts have no fields of other types."""


def _derived(kind: type[Command]) -> Verb:
    fields = tuple(field for field in fields_of(kind) if field.type in SLOT_OF)
    form: Form = ()
    for field in reversed(fields):
        form = (_part(field), *form) if field.required else ((_part(field), *form),)

    def read(_: Game, by: str, args: Args) -> Command:
        if not sum(field.required for field in fields) <= len(args) <= len(fields):
            wanted = " ".join(field.name for field in fields) or "nothing more"
            raise WordsWrong(f"expected {wanted}, got {' '.join(args)!r}")
        words = zip(fields, args, strict=False)
        values = {field.name: _value(field, word) for field, word in words}
        make: Callable[..., Command] = kind
        return make(by=by, **values)

    return Verb(kind, form, read)


def _part(field: FieldInfo) -> str:
    """Return the slot of a field; for a yes-or-no field, the word of its name."""
    slot = SLOT_OF[field.type]
    return slot + field.name.removeprefix("is_") if slot == "=" else slot


def _value(field: FieldInfo, word: str) -> str | int:
    part = _part(field)
    if part.startswith("=") and word != part[1:]:
        raise WordsWrong(f"expected {part[1:]}, got {word!r}")
    return whole(word) if part == "number" else part.startswith("=") or word


# Verbs with words of their own.


def _roll(_: Game, by: str, args: Args) -> Command:
    dice = tuple(whole(word) for word in args if whole(word) != NO_NUMBER)
    special = " ".join(word for word in args if whole(word) == NO_NUMBER)
    return m.Roll(by=by, dice=dice, special=special)


def _offer(_: Game, by: str, args: Args) -> Command:
    """Read ``offer blue give boardwalk cash 50 want jail-card``."""
    if len(args) < 3 or "give" not in args[1:2]:
        raise WordsWrong("expected a seat, give ITEM..., want ITEM...")
    items = args[2:]
    at = items.index("want") if "want" in items else len(items)
    give, want = _bundle(items[:at]), _bundle(items[at + 1 :])
    return m.MakeOffer(by=by, taker=args[0], give=give, want=want)


def _bundle(words: Args) -> Bundle:
    counts = {"cash": 0, "hotels": 0, "tickets": 0}
    deeds: list[str] = []
    jail_cards = 0
    left = [word for word in words if word != "debt"]
    while left:
        word = left.pop(0)
        if word in counts:
            amount = whole(left.pop(0)) if left else NO_NUMBER
            is_malformed = amount < 0 or counts[word] < 0
            counts[word] = NO_NUMBER if is_malformed else counts[word] + amount
        elif word == "jail-card":
            jail_cards += 1
        else:
            deeds.append(word)
    return Bundle(
        deeds=tuple(deeds), jail_cards=jail_cards, debt="debt" in words, **counts
    )


def _one(args: Args) -> str:
    if len(args) != 1:
        raise WordsWrong(f"expected one word, got {' '.join(args)!r}")
    return args[0]


def _guess(_: Game, by: str, args: Args) -> Command:
    """Read ``guess 3``, or ``guess 3 jammed`` if the lid does not rise at once."""
    is_jammed = args[1:] == ("jammed",)
    number = whole(_one(args[:1] if is_jammed else args))
    return m.Guess(by=by, number=number, is_lid_up=not is_jammed)


def _figure(_: Game, by: str, args: Args) -> Command:
    """Read ``figure park-place rent 175``, with ``likely`` if nobody has looked."""
    is_likely = args[3:] == (LIKELY,)
    if len(args) != 3 + is_likely:
        raise WordsWrong("expected a deed, which figure, and the amount")
    of, figure, amount = args[:3]
    key = key_of("card" if figure == "amount" else "deed", of, figure)
    return m.ReadBox(by=by, key=key, value=whole(amount), is_likely=is_likely)


def _space(_: Game, by: str, args: Args) -> Command:
    if len(args) != 2:
        raise WordsWrong("expected the number of a space, and what is printed there")
    return m.ReadBox(by=by, key=key_of("space", args[0], "kind"), value=args[1])


LEVELS: Form = ("deed", "number", *(("deed", "number"),) * 3)

VERDICT: Form = ("verdict", ("number",))


def _verdict(_: Game, by: str, args: Args) -> Command:
    """Read ``verdict real``, or ``verdict fake 100`` for a note of 100."""
    if not 1 <= len(args) <= 2:
        raise WordsWrong("expected real, fake or unsure, and what the note is worth")
    amount = whole(args[1]) if args[1:] else 0
    return m.GiveVerdict(by=by, verdict=args[0], amount=amount)


def _level(_: Game, by: str, args: Args) -> Command:
    """Read ``level boardwalk 2 park-place 1``: the whole group, deed by deed."""
    if not args or len(args) % 2:
        raise WordsWrong("expected a deed and what shall stand there, and so on")
    pairs = zip(args[::2], args[1::2], strict=True)
    return m.Level(by=by, levels=tuple((deed, whole(word)) for deed, word in pairs))


def _set(_: Game, by: str, args: Args) -> Command:
    return m.CorrectPosition(by=by, words=args)


def sitting(game: Game, seat: str) -> c.AddSeat:
    """Return the command with which *seat* joins, with a free colour and token."""
    present = game.present()
    colours = {state.colour for state in present}
    tokens = {state.token for state in present}
    return c.AddSeat(
        by=TABLE,
        seat=Seat(seat),
        name=seat,
        colour=next((colour for colour in COLOURS if colour not in colours), ""),
        token=next((token for token in TOKENS if token not in tokens), ""),
    )


def _join(game: Game, _: str, args: Args) -> Command:
    return sitting(game, _one(args))


# The tables.


def _with_derived(
    written: dict[str, Verb], kinds: Iterable[type[Command]]
) -> dict[str, Verb]:
    """Return the *written* verbs, and a derived one for each other kind of command."""
    done = {verb.kind for verb in written.values()}
    return written | {
        verb_of(kind): _derived(kind) for kind in kinds if kind not in done
    }


VERBS = _with_derived(
    {
        "roll": Verb(m.Roll, ("die+",), _roll),
        "offer": Verb(m.MakeOffer, ("seat", "=give", ITEMS, ("=want", ITEMS)), _offer),
        "guess": Verb(m.Guess, ("number", ("=jammed",)), _guess),
        "figure": Verb(
            m.ReadBox, ("figured", "figure", "number", ("=likely",)), _figure
        ),
        "space": Verb(m.ReadBox, ("number", "kind"), _space),
        "verdict": Verb(m.GiveVerdict, VERDICT, _verdict),
        "level": Verb(m.Level, LEVELS, _level),
    },
    (*(kind for kind, rule in RULES.items() if rule.stages), c.Undo, c.Redo),
)
"""The verbs of a seat."""

CAMERA_VERBS = {"verdict": VERBS["verdict"]}
"""The verbs of the camera at the decoder."""

TABLE_VERBS = _with_derived(
    {
        "set": Verb(m.CorrectPosition, (POSITION,), _set),
        "join": Verb(c.AddSeat, ("word",), _join),
        "verdict": Verb(m.GiveVerdict, VERDICT, _verdict),
    },
    (
        c.CorrectBalance,
        c.Pay,
        c.CollectSalary,
        c.RemoveSeat,
        m.CallTime,
        c.Undo,
        c.Redo,
        m.RestPlay,
        m.ResumePlay,
    ),
)
"""The verbs of the table as a whole.

``rest`` goes on by hand and ``resume`` returns to guided play; ``pay``, ``salary``,
``join`` and ``leave`` are for the time between.
"""

VAULT_VERBS: dict[str, Command] = {
    "lock": m.LockVault(by=VAULT),
    "open": m.ReportLid(by=VAULT, lid=OPEN),
    "shut": m.ReportLid(by=VAULT, lid=SHUT),
    "forced": m.ReportLid(by=VAULT, lid=FORCED),
    "locked-again": m.ReportLid(by=VAULT, lid=LOCKED),
    "press": m.ReportPress(by=VAULT),
}
"""The verbs of the lock; only a real lock reports the last three."""


def command(game: Game, actor: str, verb: str, args: Args) -> Command:
    """Return the command of a ``do`` or ``refuse`` line.

    Args:
        game: The game in which it is given.
        actor: A seat, ``table``, ``camera`` or ``vault``.
        verb: A verb that *actor* has.
        args: The words after the verb.

    Raises:
        WordsWrong: If the verb takes another number of words.
    """
    if actor == VAULT:
        return _of_vault(verb, args)
    verbs = {TABLE: TABLE_VERBS, CAMERA: CAMERA_VERBS}.get(actor, VERBS)
    return verbs[verb].read(game, actor, args)


def _of_vault(verb: str, args: Args) -> Command:
    has_code = verb == "lock" and len(args) == 2 and args[0] == "code"
    if args and not has_code:
        raise WordsWrong(f"expected nothing more, or code N, got {' '.join(args)!r}")
    return VAULT_VERBS[verb]
