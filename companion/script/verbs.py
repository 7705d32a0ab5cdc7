"""The verbs of game scripts, and the commands that they make.

Most verbs are *derived* from a kind of command: the words after the verb are the values
of its fields, in order. A verb with other words is *written out*: a function
``_read_…`` makes its command.

The words after a verb are not checked here. A misspelt deed becomes part of a command,
too; the rules refuse it as ``malformed``, and a script can expect that refusal.
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
from companion.game.vault_contents_events import HIDDEN
from companion.rules import RULES
from companion.rules.seats import COLOURS, TOKENS
from companion.script.code import HIDDEN_WORD
from companion.script.slots import board_of
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
"""The words after a verb, from left to right; each part is one of these.

- ``seat``: the name of a slot, which is a kind of word (``slots.py``);
- ``die+``: one or more words of that slot;
- ``=want``: the literal word ``want``;
- a nested tuple: a form that may be left out.
"""

ITEMS = "items"
"""Instead of a slot: one side of a trade, which is all words up to ``want``."""

POSITION = "position"
"""Instead of a slot: a statement, as in a ``given`` line."""

NO_NUMBER = -1
"""Stands for a word that is no whole number; every rule refuses it as malformed."""

DIGITS_MAX = 9
"""The most digits of a whole number in a script."""


class WordsWrong(Malformed):
    """A verb has too many or too few words; a script sees this as ``malformed``."""


class Verb(NamedTuple):
    """A verb of scripts.

    Attributes:
        kind: The kind of command that it makes.
        form: The words after it.
        read: Makes the command, given the game, the actor and the words after the verb.
    """

    kind: type[Command]
    form: Form
    read: Callable[[Game, str, Args], Command]


def whole_number(text: str) -> int:
    """Read a whole number; return ``NO_NUMBER`` if *text* is something else."""
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdigit()) or len(digits) > DIGITS_MAX:
        return NO_NUMBER
    return int(text)


# Derived verbs.

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
    bool: "=",  # The start of a literal word: the field's name without "is_".
}
"""Type of a field -> its slot; fields of other types have no words in scripts."""


def _derive_verb(kind: type[Command]) -> Verb:
    """Return the verb that takes one word for each field of the command."""
    fields = tuple(field for field in fields_of(kind) if field.type in SLOT_OF)
    required_count = sum(field.required for field in fields)

    def read(_: Game, actor: str, args: Args) -> Command:
        if not required_count <= len(args) <= len(fields):
            wanted = " ".join(field.name for field in fields) or "nothing more"
            raise WordsWrong(f"expected {wanted}, got {' '.join(args)!r}")
        words = zip(fields, args, strict=False)
        values = {field.name: _read_value(field, word) for field, word in words}
        make: Callable[..., Command] = kind
        return make(by=actor, **values)

    return Verb(kind, _derive_form(fields), read)


def _derive_form(fields: tuple[FieldInfo, ...]) -> Form:
    """Return a form with a part for each field.

    An optional field begins a nested form, which takes in all fields after it.
    """
    form: Form = ()
    for field in reversed(fields):
        form = (_part_of(field), *form)
        if not field.required:
            form = (form,)
    return form


def _part_of(field: FieldInfo) -> str:
    """Return the slot of a field, or the literal word of a yes-or-no field."""
    slot = SLOT_OF[field.type]
    return slot + field.name.removeprefix("is_") if slot == "=" else slot


def _read_value(field: FieldInfo, word: str) -> str | int:
    """Read the value of a field; a yes-or-no field takes only its literal word."""
    part = _part_of(field)
    if part.startswith("="):
        if word != part[1:]:
            raise WordsWrong(f"expected {part[1:]}, got {word!r}")
        return True
    return whole_number(word) if part == "number" else word


# Verbs that are written out.


def _read_roll(_: Game, actor: str, args: Args) -> Command:
    """Read ``roll 3 4``, or ``roll 3 vault`` with a face that has no number."""
    dice = tuple(whole_number(word) for word in args if whole_number(word) != NO_NUMBER)
    special = " ".join(word for word in args if whole_number(word) == NO_NUMBER)
    return m.Roll(by=actor, dice=dice, special=special)


def _read_offer(_: Game, actor: str, args: Args) -> Command:
    """Read ``offer blue give boardwalk cash 50 want jail-card``."""
    if len(args) < 3 or args[1] != "give":
        raise WordsWrong("expected a seat, give ITEM..., want ITEM...")
    items = args[2:]
    border = items.index("want") if "want" in items else len(items)
    give, want = _read_bundle(items[:border]), _read_bundle(items[border + 1 :])
    return m.MakeOffer(by=actor, taker=args[0], give=give, want=want)


def _read_bundle(words: Args) -> Bundle:
    """Read one side of a trade: ``boardwalk cash 50 jail-card``."""
    counts = {"cash": 0, "hotels": 0, "tickets": 0}
    deeds: list[str] = []
    jail_cards = 0
    left = [word for word in words if word != "debt"]
    while left:
        word = left.pop(0)
        if word in counts:
            amount = whole_number(left.pop(0)) if left else NO_NUMBER
            is_malformed = amount < 0 or counts[word] < 0  # Once wrong, always wrong.
            counts[word] = NO_NUMBER if is_malformed else counts[word] + amount
        elif word == "jail-card":
            jail_cards += 1
        else:
            deeds.append(word)
    return Bundle(
        deeds=tuple(deeds), jail_cards=jail_cards, debt="debt" in words, **counts
    )


def _only_word(args: Args) -> str:
    if len(args) != 1:
        raise WordsWrong(f"expected one word, got {' '.join(args)!r}")
    return args[0]


def _read_guess(_: Game, actor: str, args: Args) -> Command:
    """Read ``guess 3``; ``guess 3 jammed`` means that the lid does not rise at once.

    In ``guess hidden`` nobody says which wrong number it was.
    """
    is_jammed = args[1:] == ("jammed",)
    word = _only_word(args[:1] if is_jammed else args)
    number = HIDDEN if word == HIDDEN_WORD else whole_number(word) or NO_NUMBER
    return m.Guess(by=actor, number=number, is_lid_up=not is_jammed)


def _read_figure(game: Game, actor: str, args: Args) -> Command:
    """Read ``figure park-place rent 175``; ``likely`` may follow: nobody has looked."""
    is_likely = args[3:] == (LIKELY,)
    if len(args) != 3 and not is_likely:
        raise WordsWrong("expected a deed, which figure, and the amount")
    of, figure, amount = args[:3]
    key = board_of(game).figure_key(of, figure)
    return m.ReadBox(by=actor, key=key, value=whole_number(amount), is_likely=is_likely)


def _read_space(_: Game, actor: str, args: Args) -> Command:
    """Read ``space 17 chance``: what is printed on a space."""
    if len(args) != 2:
        raise WordsWrong("expected the number of a space, and what is printed there")
    return m.ReadBox(by=actor, key=key_of("space", args[0], "kind"), value=args[1])


LEVELS: Form = ("deed", "number", *(("deed", "number"),) * 3)
"""One to four deeds of a group, each with its level."""


def _read_verdict(_: Game, actor: str, args: Args) -> Command:
    """Read ``verdict real``, or ``verdict fake 100`` for a fake note of 100."""
    if not 1 <= len(args) <= 2:
        raise WordsWrong("expected real, fake or unsure, and what the note is worth")
    amount = whole_number(args[1]) if args[1:] else 0
    return m.GiveVerdict(by=actor, verdict=args[0], amount=amount)


def _read_level(_: Game, actor: str, args: Args) -> Command:
    """Read ``level boardwalk 2 park-place 1``: the level of each deed of a group."""
    if not args or len(args) % 2:
        raise WordsWrong("expected a deed and what shall stand there, and so on")
    pairs = zip(args[::2], args[1::2], strict=True)
    return m.Level(
        by=actor, levels=tuple((deed, whole_number(word)) for deed, word in pairs)
    )


def _read_correction(_: Game, actor: str, args: Args) -> Command:
    """Read ``set red cash 100``."""
    return m.CorrectPosition(by=actor, words=args)


def command_to_join(game: Game, seat: str) -> c.AddSeat:
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


def _read_join(game: Game, _: str, args: Args) -> Command:
    """Read ``join blue``."""
    return command_to_join(game, _only_word(args))


# The tables of verbs.


def _with_derived(
    written: dict[str, Verb], kinds: Iterable[type[Command]]
) -> dict[str, Verb]:
    """Return the *written* verbs, and a derived one for each other of these kinds."""
    kinds_written = {verb.kind for verb in written.values()}
    derived = {
        verb_of(kind): _derive_verb(kind) for kind in kinds if kind not in kinds_written
    }
    return written | derived


VERBS = _with_derived(
    {
        "roll": Verb(m.Roll, ("die+",), _read_roll),
        "offer": Verb(
            m.MakeOffer, ("seat", "=give", ITEMS, ("=want", ITEMS)), _read_offer
        ),
        "guess": Verb(m.Guess, ("guessed", ("=jammed",)), _read_guess),
        "figure": Verb(
            m.ReadBox, ("figured", "figure", "number", ("=likely",)), _read_figure
        ),
        "space": Verb(m.ReadBox, ("number", "kind"), _read_space),
        "verdict": Verb(m.GiveVerdict, ("verdict", ("number",)), _read_verdict),
        "level": Verb(m.Level, LEVELS, _read_level),
    },
    (*(kind for kind, rule in RULES.items() if rule.stages), c.Undo, c.Redo),
)
"""The verbs of a seat."""

CAMERA_VERBS = {"verdict": VERBS["verdict"]}
"""The verbs of the camera at the decoder."""

TABLE_VERBS = _with_derived(
    {
        "set": Verb(m.CorrectPosition, (POSITION,), _read_correction),
        "join": Verb(c.AddSeat, ("word",), _read_join),
        "verdict": VERBS["verdict"],
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

``rest`` ends guided play for a while and ``resume`` returns to it; ``pay``, ``salary``,
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
"""Verb of the vault's lock -> its command; only a real lock sends the last three."""


def command_of(game: Game, actor: str, verb: str, args: Args) -> Command:
    """Return the command of a ``do`` or ``refuse`` line.

    Args:
        game: The game before the command.
        actor: A seat, ``table``, ``camera`` or ``vault``.
        verb: One of the verbs of *actor*.
        args: The words after the verb.

    Raises:
        WordsWrong: If the verb takes another number of words.
    """
    if actor == VAULT:
        return _vault_command(verb, args)
    verbs = {TABLE: TABLE_VERBS, CAMERA: CAMERA_VERBS}.get(actor, VERBS)
    return verbs[verb].read(game, actor, args)


def _vault_command(verb: str, args: Args) -> Command:
    """Return the command of the lock; only ``lock`` may have a code after it."""
    has_code = verb == "lock" and len(args) == 2 and args[0] == "code"
    if args and not has_code:
        raise WordsWrong(f"expected nothing more, or code N, got {' '.join(args)!r}")
    return VAULT_VERBS[verb]
