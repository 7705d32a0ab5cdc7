"""Entries as sentences: who did what, to whom, for how much and why."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import msgspec

from companion.game import Game
from companion.game import events as e
from companion.game.card_words import card_names
from companion.game.commands import TABLE
from companion.game.journal import Entry
from companion.game.ledger import Reason
from companion.units import BANK, POT, VAULT, Revision, TimeMs
from companion.views.play_history import PLAY_SENTENCES, space_key
from companion.words import capital, say
from companion.words.common import common
from companion.words.money import dollars_text

Names = Mapping[str, str]

REASON_WORDS: dict[Reason, str] = {
    Reason.START: say("to start with"),
    Reason.SALARY: say("salary"),
    Reason.RENT: say("rent"),
    Reason.PURCHASE: say("for a purchase"),
    Reason.GUESS: say("for a guess"),
    Reason.SALE: say("for a sale"),
    Reason.MORTGAGE: say("for a mortgage"),
    Reason.TAX: say("tax"),
    Reason.FINE: say("as a fine"),
    Reason.CARD: say("by a card"),
    Reason.DEAL: say("for a deal"),
    Reason.RICHES: say("of the riches"),
    Reason.LEAVING: say("on leaving"),
    Reason.CORRECTION: say("as a correction"),
    Reason.OTHER: "",
}
"""What follows the amount in a sentence; empty where no reason was given."""


COMMON_NAMES: dict[str, str] = {
    BANK: say("the bank"),
    POT: say("the pot"),
    VAULT: say("the vault"),
    TABLE: say("the table"),
}
"""The names of accounts that belong to no seat, as used in sentences."""


SOMEBODY = say("somebody")


class HistoryLine(msgspec.Struct, frozen=True):
    """One entry, ready to be read.

    Attributes:
        revision: The revision of the entry.
        at_ms: When it was written, in milliseconds since 1970 UTC.
        actor: The name of who did it.
        sentences: One for each event that has something to say.
        is_undone: The entry was taken back and does not count.
    """

    revision: Revision
    at_ms: TimeMs
    actor: str
    sentences: tuple[str, ...]
    is_undone: bool


def names_of(game: Game) -> dict[str, str]:
    """The name of every account, actor, deed, card and space, as used in sentences.

    Seats have the names of those who sit there now; when an older entry was made,
    others may have sat there (``companion/game/sitters.py``).
    """
    printed: dict[str, str] = {}
    if game.board is not None:
        rules = game.board.rules
        for number, space in enumerate(rules.spaces):
            if space.name:
                printed[space_key(number)] = space.name
        printed |= {deed.id: deed.name for deed in rules.deeds}
        printed |= card_names(game.board)
    return {
        **COMMON_NAMES,
        **printed,
        **{state.seat: state.name for state in game.seats},
    }


def history_line(
    entry: Entry, names: Names, *, is_undone: bool, about: Entry | None = None
) -> HistoryLine:
    """*entry* as a line of the history.

    Args:
        entry: What happened.
        names: Everybody's names when it happened.
        is_undone: The entry was taken back and does not count.
        about: The entry that an undo or a redo is about.
    """
    is_bank = entry.actor == BANK
    actor = say("the banker") if is_bank else _name(names, entry.actor)
    told = [sentence(x, names, actor) for x in entry.events if isinstance(x, e.Event)]
    told = [text for text in told if text]
    if about is not None:
        first = next(x for x in about.events if isinstance(x, e.Event))
        what = sentence(first, names, _name(names, about.actor))
        told[0] = capital(say("{undone}: {what}", undone=told[0], what=what))
    return HistoryLine(entry.revision, entry.at_ms, actor, tuple(told), is_undone)


def sentence(event: e.Event, names: Names, actor: str = SOMEBODY) -> str:
    """*event* as a sentence without a full stop, beginning with a capital.

    Empty if another sentence of the same entry says it already.
    """
    if isinstance(event, e.AskAnswered):
        names = {**names, ACTOR: actor}
    return capital(_SENTENCES[type(event)](event, names))


def _name(names: Names, account: str) -> str:
    return names.get(account, account)


ACTOR = "?"
"""The key for the actor among the names; no account has this name."""


def _answered(event: e.AskAnswered, names: Names) -> str:
    actor = _name(names, ACTOR)
    if event.answer is e.Answer.DECLINED:
        return say("{who} said no to a request for money", who=actor)
    if event.answer is e.Answer.WITHDRAWN:
        return say("{who} stopped asking for money", who=actor)
    return ""  # The payment is a sentence of its own.


def _money_moved(event: e.MoneyMoved, names: Names) -> str:
    payer, payee = _name(names, event.payer), _name(names, event.payee)
    amount, why = dollars_text(event.amount), REASON_WORDS[event.reason]
    is_fillup = event.reason in (Reason.SALARY, Reason.RICHES)
    if is_fillup and (event.payer, event.payee) == (BANK, VAULT):
        return say("{amount} went from the bank into the vault", amount=amount)
    if not why:
        return say("{payer} paid {payee} {amount}", **_of(payer, payee, amount))
    return say(
        "{payer} paid {payee} {amount} {why}", **_of(payer, payee, amount), why=why
    )


def _money_asked(event: e.MoneyAsked, names: Names) -> str:
    payee, payer = _name(names, event.seat), _name(names, event.payer)
    amount, why = dollars_text(event.amount), REASON_WORDS[event.reason]
    if not why:
        return say("{payee} asked {payer} for {amount}", **_of(payer, payee, amount))
    return say(
        "{payee} asked {payer} for {amount} {why}",
        **_of(payer, payee, amount),
        why=why,
    )


def _of(payer: str, payee: str, amount: str) -> dict[str, str]:
    return {"payer": payer, "payee": payee, "amount": amount}


def _seat_removed(event: e.SeatRemoved, names: Names) -> str:
    return say(
        "{who} left; {returned} went back to the bank",
        who=_name(names, event.seat),
        returned=dollars_text(event.returned) if event.returned else say("nothing"),
    )


def _banker_changed(event: e.BankerChanged, names: Names) -> str:
    if event.banker == BANK:
        return say("no seat keeps the bank now")
    return say("{who} keeps the bank now", who=_name(names, event.banker))


def _corrected(event: e.BalanceCorrected, names: Names) -> str:
    return say(
        "the table agreed that {who} has {now}, not {was}",
        who=_name(names, event.account),
        now=dollars_text(event.now),
        was=dollars_text(event.was),
    )


_SENTENCES: dict[type[e.Event], Callable[..., str]] = PLAY_SENTENCES | {
    e.GameOpened: lambda event, _: say("{game} began", game=event.name),
    e.SeatAdded: lambda event, _: say(
        "{who} sat down with {amount}",
        who=event.name,
        amount=dollars_text(event.start_money),
    ),
    e.SeatRenamed: lambda event, _: say(
        "the {seat} seat is called {name} now",
        seat=common(event.seat),
        name=event.name,
    ),
    e.SeatRemoved: _seat_removed,
    e.BankerChanged: _banker_changed,
    e.TableLocked: lambda *_: say("the table was locked: new seats need the banker"),
    e.TableUnlocked: lambda *_: say("the table was unlocked"),
    e.MoneyMoved: _money_moved,
    e.MoneyAsked: _money_asked,
    e.AskAnswered: _answered,
    e.BalanceCorrected: _corrected,
    e.Undone: lambda *_: say("taken back"),
    e.Redone: lambda *_: say("counts again"),
    e.GameClosed: lambda *_: say("the game was put away"),
    e.GameReopened: lambda *_: say("the game was taken out again"),
}
