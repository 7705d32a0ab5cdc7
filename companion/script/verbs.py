"""Turning the verbs of game scripts into commands.

The words after a verb are not judged here. A misspelt deed becomes a command too,
which the rules refuse as ``malformed``, so that a script can expect that refusal.
"""

from __future__ import annotations

from collections.abc import Callable

from companion.errors import Malformed, Refused, Why
from companion.game import Game
from companion.game import commands as c
from companion.game import moves as m
from companion.game.box_key import key_of
from companion.game.commands import TABLE, Command
from companion.game.position import FORCED, LOCKED, OPEN, SHUT, Bundle
from companion.rules.seats import COLOURS, TOKENS
from companion.units import VAULT, Account, Seat

Args = tuple[str, ...]

NO_NUMBER = -1
"""Stands for a word that is no whole number; every rule finds it malformed."""


class WordsWrong(Malformed):
    """A verb with too many or too few words; ``malformed`` to the rules."""


def whole(text: str) -> int:
    """A whole number, or ``NO_NUMBER``."""
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdigit()) or len(digits) > 9:
        return NO_NUMBER
    return int(text)


def _roll(by: str, args: Args) -> Command:
    dice = tuple(whole(word) for word in args if whole(word) != NO_NUMBER)
    special = " ".join(word for word in args if whole(word) == NO_NUMBER)
    return m.Roll(by=by, dice=dice, special=special)


def _optional(args: Args) -> str:
    if len(args) > 1:
        raise WordsWrong(f"expected one word at most, got {' '.join(args)!r}")
    return args[0] if args else ""


def _one(args: Args) -> str:
    if len(args) != 1:
        raise WordsWrong(f"expected one word, got {' '.join(args)!r}")
    return args[0]


def _unbuild(by: str, args: Args) -> Command:
    is_all = args[1:] == ("all",)
    return m.Unbuild(by=by, deed=_one(args[:1] if is_all else args), is_all=is_all)


def _offer(by: str, args: Args) -> Command:
    """``offer blue give boardwalk cash 50 want jail-card``."""
    if len(args) < 3 or "give" not in args[1:2]:
        raise WordsWrong("expected a seat, give ITEM..., want ITEM...")
    rest = args[2:]
    at = rest.index("want") if "want" in rest else len(rest)
    give, want = _bundle(rest[:at]), _bundle(rest[at + 1 :])
    return m.MakeOffer(by=by, taker=args[0], give=give, want=want)


def _bundle(words: Args) -> Bundle:
    counts = {"cash": 0, "hotels": 0, "tickets": 0}
    deeds: list[str] = []
    jail_cards = 0
    left = list(words)
    while left:
        word = left.pop(0)
        if word in counts:
            amount = whole(left.pop(0)) if left else NO_NUMBER
            is_wrong = amount < 0 or counts[word] < 0
            counts[word] = NO_NUMBER if is_wrong else counts[word] + amount
        elif word == "jail-card":
            jail_cards += 1
        else:
            deeds.append(word)
    return Bundle(deeds=tuple(deeds), jail_cards=jail_cards, **counts)


def _none(make: Callable[[str], Command]) -> Callable[[str, Args], Command]:
    def made(by: str, args: Args) -> Command:
        if args:
            raise WordsWrong(f"expected nothing more, got {' '.join(args)!r}")
        return make(by)

    return made


def _guess(by: str, args: Args) -> Command:
    """``guess 3``; ``guess 3 jammed`` if the lid does not rise at once."""
    is_jammed = args[1:] == ("jammed",)
    number = whole(_one(args[:1] if is_jammed else args))
    return m.Guess(by=by, number=number, is_lid_up=not is_jammed)


def _figure(by: str, args: Args) -> Command:
    if len(args) != 3:
        raise WordsWrong("expected a deed, which figure, and the amount")
    of, figure, amount = args
    part = "card" if figure == "amount" else "deed"
    return m.ReadBox(by=by, key=key_of(part, of, figure), value=whole(amount))


def _space(by: str, args: Args) -> Command:
    if len(args) != 2:
        raise WordsWrong("expected the number of a space, and what is printed there")
    return m.ReadBox(by=by, key=key_of("space", args[0], "kind"), value=args[1])


VERBS: dict[str, tuple[type[Command], Callable[[str, Args], Command]]] = {
    "roll": (m.Roll, _roll),
    "draw": (m.Draw, lambda by, args: m.Draw(by=by, card=_optional(args))),
    "buy": (m.Buy, _none(lambda by: m.Buy(by=by))),
    "auction": (m.PutUp, _none(lambda by: m.PutUp(by=by))),
    "bid": (m.Bid, lambda by, args: m.Bid(by=by, amount=whole(_one(args)))),
    "pass": (m.PassBid, _none(lambda by: m.PassBid(by=by))),
    "ask-rent": (m.AskRent, lambda by, args: m.AskRent(by=by, seat=_optional(args))),
    "pay": (m.PayDebt, _none(lambda by: m.PayDebt(by=by))),
    "pay-jail": (m.PayJail, _none(lambda by: m.PayJail(by=by))),
    "use-card": (m.UseCard, lambda by, args: m.UseCard(by=by, card=_one(args))),
    "mortgage": (m.Mortgage, lambda by, args: m.Mortgage(by=by, deed=_one(args))),
    "unmortgage": (
        m.LiftMortgage,
        lambda by, args: m.LiftMortgage(by=by, deed=_one(args)),
    ),
    "build": (m.Build, lambda by, args: m.Build(by=by, deed=_one(args))),
    "unbuild": (m.Unbuild, _unbuild),
    "want": (m.WantBuilding, lambda by, args: m.WantBuilding(by=by, deed=_one(args))),
    "offer": (m.MakeOffer, _offer),
    "accept": (m.Accept, _none(lambda by: m.Accept(by=by))),
    "reject": (m.Reject, _none(lambda by: m.Reject(by=by))),
    "guess": (m.Guess, _guess),
    "skip-guess": (m.DeclineGuess, _none(lambda by: m.DeclineGuess(by=by))),
    "unlock": (m.Unlock, lambda by, args: m.Unlock(by=by, deed=_one(args))),
    "lock": (m.LockVault, _none(lambda by: m.LockVault(by=by))),
    "figure": (m.ReadBox, _figure),
    "space": (m.ReadBox, _space),
    "declare-bankrupt": (
        m.DeclareBankrupt,
        _none(lambda by: m.DeclareBankrupt(by=by)),
    ),
    "resign": (m.Resign, _none(lambda by: m.Resign(by=by))),
    "undo": (c.Undo, _none(lambda by: c.Undo(by=by))),
    "redo": (c.Redo, _none(lambda by: c.Redo(by=by))),
}
"""What a seat can do: the kind of command, and what makes one from the words."""

ELSEWHERE = {
    "level": Why.WRONG_STAGE,
    "choose": Why.WRONG_STAGE,
    "use-ticket": Why.WRONG_STAGE,
    "hand-over": Why.WRONG_STAGE,
    "inspect": Why.WRONG_STAGE,
    "sell": Why.WRONG_STAGE,
}
"""Verbs for mechanics that no edition played here has, and why they are refused."""


def _pay(_: Game, args: Args) -> Command:
    """``pay red blue 50``: a payment by hand, for any reason."""
    if len(args) != 3:
        raise WordsWrong("expected who pays, who gets it, and the amount")
    payer, payee = Account(args[0]), Account(args[1])
    return c.Pay(by=TABLE, payer=payer, payee=payee, amount=whole(args[2]))


def _balance(_: Game, args: Args) -> Command:
    if len(args) != 2:
        raise WordsWrong("expected a seat, vault or pot, and the amount")
    account, balance = Account(args[0]), whole(args[1])
    return c.CorrectBalance(by=TABLE, account=account, balance=balance)


def sitting(game: Game, seat: str) -> c.AddSeat:
    """The command with which *seat* sits down, with a free colour and token."""
    present = game.present()
    colours, tokens = ({x.colour for x in present}, {x.token for x in present})
    return c.AddSeat(
        by=TABLE,
        seat=Seat(seat),
        name=seat,
        colour=next((x for x in COLOURS if x not in colours), ""),
        token=next((x for x in TOKENS if x not in tokens), ""),
    )


OfTable = Callable[[Game, Args], Command]


def _alone(make: Callable[[str], Command]) -> OfTable:
    without = _none(make)
    return lambda _, args: without(TABLE, args)


TABLE_VERBS: dict[str, OfTable] = {
    "set": lambda _, args: m.CorrectPosition(by=TABLE, words=args),
    "balance": _balance,
    "pay": _pay,
    "salary": lambda _, args: c.CollectSalary(by=TABLE, seat=Seat(_one(args))),
    "join": lambda game, args: sitting(game, _one(args)),
    "leave": lambda _, args: c.RemoveSeat(by=TABLE, seat=Seat(_one(args))),
    "time-up": _alone(lambda by: m.CallTime(by=by)),
    "undo": _alone(lambda by: c.Undo(by=by)),
    "redo": _alone(lambda by: c.Redo(by=by)),
    "rest": _alone(lambda by: m.RestPlay(by=by)),
    "resume": _alone(lambda by: m.ResumePlay(by=by)),
}
"""What the table as a whole can do. ``rest`` goes on by hand and ``resume`` returns to
guided play; ``pay``, ``salary``, ``join`` and ``leave`` are for the time between."""


VAULT_VERBS: dict[str, Command] = {
    "lock": m.LockVault(by=VAULT),
    "open": m.ReportLid(by=VAULT, lid=OPEN),
    "shut": m.ReportLid(by=VAULT, lid=SHUT),
    "forced": m.ReportLid(by=VAULT, lid=FORCED),
    "locked-again": m.ReportLid(by=VAULT, lid=LOCKED),
    "press": m.ReportPress(by=VAULT),
}
"""What the lock reports; only a real lock reports the last three."""


def command(game: Game, who: str, verb: str, args: Args) -> Command:
    """The command that a line asks for.

    Args:
        game: The game it is given in.
        who: A seat, ``table`` or ``vault``.
        verb: A verb that *who* has.
        args: The words after the verb.

    Raises:
        WordsWrong: If the verb takes another number of words.
        Refused: If the verb belongs to a mechanic that is not played here.
    """
    if who == TABLE:
        return TABLE_VERBS[verb](game, args)
    if who == VAULT:
        return _of_vault(verb, args)
    if verb in ELSEWHERE:
        raise Refused(ELSEWHERE[verb], f"this edition has no {verb}")
    return VERBS[verb][1](who, args)


def _of_vault(verb: str, args: Args) -> Command:
    has_code = verb == "lock" and len(args) == 2 and args[0] == "code"
    if args and not has_code:
        raise WordsWrong(f"expected nothing more, or code N, got {' '.join(args)!r}")
    return VAULT_VERBS[verb]
