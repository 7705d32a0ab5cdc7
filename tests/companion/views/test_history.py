"""Entries read as sentences that an eight-year-old understands."""

from __future__ import annotations

from companion.game import commands as c
from companion.game import events as e
from companion.game.commands import TABLE
from companion.game.journal import BARRIERS as JOURNAL_BARRIERS
from companion.game.journal import Entry
from companion.game.ledger import Reason
from companion.lock.events import LidShut
from companion.units import BANK, POT, VAULT, Account, Revision, Seat, TimeMs
from companion.views.history import BARRIERS, history_line, names_of, sentence
from companion.views.wording import REASON_WORDS
from tests.sample import each
from tests.scene import TERMS, Play, pay, sitting

RED, BLUE = Seat("red"), Account("blue")
NAMES = {
    "red": "Ann",
    "blue": "Bob",
    BANK: "the bank",
    POT: "the pot",
    VAULT: "the vault",
}


def moved(payer: str, payee: str, reason: Reason) -> e.MoneyMoved:
    return e.MoneyMoved(
        payer=Account(payer), payee=Account(payee), amount=1_050, reason=reason
    )


SENTENCES: list[tuple[e.Event, str]] = [
    (e.GameOpened(name="friday", terms=TERMS, banker=BANK), "Friday began"),
    (
        e.GameOpened(name="friday", terms=TERMS, banker=BANK, awaits=e.Awaits.PLAY),
        "Friday was opened",
    ),
    (e.BankingBegun(), "The game began"),
    (
        e.SeatAdded(seat=RED, name="Ann", colour="red", token="hat", start_money=1_500),
        "Ann sat down with $1,500",
    ),
    (e.SeatRenamed(seat=RED, name="Zoe"), "The red seat is called Zoe now"),
    (
        e.SeatRemoved(seat=RED, returned=1_500),
        "Ann left; $1,500 went back to the bank",
    ),
    (e.SeatRemoved(seat=RED, returned=0), "Ann left; nothing went back to the bank"),
    (e.BankerChanged(banker="red"), "Ann keeps the bank now"),
    (e.BankerChanged(banker=BANK), "No seat keeps the bank now"),
    (e.TableLocked(), "The table was locked: new seats need the banker"),
    (e.TableUnlocked(), "The table was unlocked"),
    (moved("blue", "red", Reason.RENT), "Bob paid Ann $1,050 rent"),
    (moved("blue", "bank", Reason.OTHER), "Bob paid the bank $1,050"),
    (
        moved("bank", "vault", Reason.SALARY),
        "$1,050 went into the vault",
    ),
    (moved("bank", "vault", Reason.TAX), "The bank paid the vault $1,050 tax"),
    (moved("vault", "red", Reason.RICHES), "The vault paid Ann $1,050 of the riches"),
    (
        e.MoneyAsked(number=1, seat=RED, payer=BLUE, amount=5, reason=Reason.OTHER),
        "Ann asked Bob for $5",
    ),
    (
        e.MoneyAsked(number=1, seat=RED, payer=BLUE, amount=5, reason=Reason.TAX),
        "Ann asked Bob for $5 tax",
    ),
    (e.AskAnswered(number=3, answer=e.Answer.PAID), ""),
    (
        e.AskAnswered(number=3, answer=e.Answer.DECLINED),
        "Somebody said no to a request for money",
    ),
    (
        e.AskAnswered(number=3, answer=e.Answer.WITHDRAWN),
        "Somebody took back a request for money",
    ),
    (
        e.BalanceCorrected(account=BLUE, was=10, now=1_200),
        "The table agreed that Bob has $1,200, not $10",
    ),
    (e.Undone(revision=Revision(7)), "Taken back"),
    (e.Redone(revision=Revision(7)), "Counts again"),
    (e.UndoAsked(revision=Revision(7)), "Somebody asks to undo"),
    (
        e.UndoAsked(revision=Revision(7), count=3),
        "Somebody asks to undo 3 steps",
    ),
    (e.UndoAllowed(revision=Revision(7)), "Somebody agrees to take that back"),
    (e.UndoDeclined(revision=Revision(7)), "Somebody said no to taking that back"),
    (
        e.UndoDeclined(revision=Revision(7), is_withdrawn=True),
        "Somebody no longer asks to undo that",
    ),
    (e.GameClosed(), "The game was put away"),
    (e.GameReopened(), "The game was taken out again"),
    (e.GameContinued(count=1), "The game went on from a copy, with 1 entry"),
    (e.GameContinued(count=2), "The game went on from a copy, with 2 entries"),
]


@each(("event", "text"), SENTENCES)
def test_an_event_reads_as_a_sentence(event: e.Event, text: str) -> None:
    assert sentence(event, NAMES) == text


def test_a_paid_request_is_told_once() -> None:
    paid = e.MoneyMoved(payer=RED, payee=BLUE, amount=5, reason=Reason.RENT)
    answered = e.AskAnswered(number=1, answer=e.Answer.PAID)
    entry = Entry(Revision(4), "command-4", RED, TimeMs(0), (paid, answered))
    line = history_line(entry, NAMES, is_undone=False)
    assert line.sentences == (sentence(paid, NAMES),)


def test_an_undo_of_several_steps_is_told_once_and_names_the_first() -> None:
    play = Play("red", "blue")
    play.give(pay("red", "blue", 5), pay("red", "blue", 6))
    oldest = play.entries[-2]
    play.give(c.UndoTo(by="red", revision=oldest.revision))
    line = history_line(play.entries[-1], NAMES, is_undone=False, about=oldest)
    first = ("The first of them: Ann paid Bob $5",)
    assert (line.sentences, line.details) == (("2 steps taken back",), first)
    play.give(c.Redo(by="red"))
    line = history_line(play.entries[-1], NAMES, is_undone=False, about=oldest)
    assert (line.sentences, line.details) == (("2 steps count again",), first)


def test_what_ends_the_way_back_says_why() -> None:
    assert set(BARRIERS) == set(JOURNAL_BARRIERS) - {e.GameOpened}
    left = e.SeatRemoved(seat=RED, returned=0)
    entry = Entry(Revision(4), "command-4", BLUE, TimeMs(0), (left,))
    line = history_line(entry, NAMES, is_undone=False)
    assert line.barrier == "Nothing older can be taken back: a player has left."


def test_every_reason_has_its_words() -> None:
    kinds = {x for x in e.Event.__subclasses__() if x.__module__ == e.__name__}
    assert {type(event) for event, _ in SENTENCES} == kinds
    assert set(REASON_WORDS) == set(Reason)
    for reason in Reason:
        text = sentence(moved("blue", "red", reason), NAMES)
        assert text == text.strip()
        assert "  " not in text


def test_a_seat_is_called_by_its_name_and_actors_by_theirs() -> None:
    play = Play()
    play.give(sitting("red", name="Ann"))
    names = names_of(play.game)
    entry = play.entries[-1]
    line = history_line(entry, names, is_undone=True)
    assert (line.actor, line.is_undone) == ("the table", True)
    assert line.sentences == ("Ann sat down with $1,500",)
    by_bank = Entry(entry.revision, "command-x", BANK, TimeMs(5), entry.events)
    assert history_line(by_bank, names, is_undone=False).actor == "the banker"
    by_gone = Entry(entry.revision, "command-x", "pink", TimeMs(5), entry.events)
    assert history_line(by_gone, names, is_undone=False).actor == "pink"
    assert names[TABLE] == "the table"


def test_the_vaults_own_events_have_no_sentence() -> None:
    entry = Entry(Revision(1), "command-1", "vault", TimeMs(0), (LidShut(),))
    assert history_line(entry, {}, is_undone=False).sentences == ()


def test_a_name_is_quoted_as_it_is_and_left_to_the_page_to_escape() -> None:
    names = {**NAMES, "red": "<b>\u05d3\u05e0\u05d9</b>"}
    text = sentence(moved("blue", "red", Reason.RENT), names)
    assert text == "Bob paid \u2068<b>\u05d3\u05e0\u05d9</b>\u2069 $1,050 rent"
