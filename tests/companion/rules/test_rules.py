"""Every command: who may give it, why it is refused, and which reason wins."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import pytest
from msgspec.structs import replace

from companion.errors import Refused, Why
from companion.game import Game
from companion.game import commands as c
from companion.game import events as e
from companion.game.ledger import Reason
from companion.game.moves import Move
from companion.rules import RULES, decide, legal_commands
from companion.rules.bank import ASKS_MAX, OWN_REASONS
from companion.rules.seats import (
    COLOURS,
    SEATS_MAX,
    TOKENS,
    clean_name,
)
from companion.units import BANK, POT, VAULT, Account, Revision, Seat
from companion.words.names import NAME_LENGTH_MAX
from tests.sample import each
from tests.scene import VAULT_TERMS, Play, ask, candidates, pay, sitting

RED, BLUE, GREEN = Seat("red"), Seat("blue"), Seat("green")


def rich(*more: c.Command) -> Game:
    """Return a game of red, blue and the banker green.

    Orange has left, red asks blue for money, and red acted last.
    """
    play = Play("red", "blue", "green", "orange")
    play.give(
        c.HandBanker(by=c.TABLE, to=GREEN),
        c.RemoveSeat(by="green", seat=Seat("orange")),
        ask("red", "blue", 10),
        *more,
    )
    return play.game


ACTORS = ("red", "blue", "green", c.TABLE, BANK, "orange", "pink", "pot", "vault", "")
BANKERS = {"green", c.TABLE}
SEATS = {"red", "blue", "green"}
LAST = Revision(8)
"""The revision of red's request, at every table below."""

WHO: dict[
    type[c.Command], tuple[Callable[[str], c.Command], set[str], tuple[c.Command, ...]]
] = {
    c.AddSeat: (lambda by: sitting("pink", by), BANKERS, ()),
    c.RenameSeat: (
        lambda by: c.RenameSeat(by=by, seat=RED, name="Ann"),
        BANKERS | {"red"},
        (),
    ),
    c.RemoveSeat: (lambda by: c.RemoveSeat(by=by, seat=RED), BANKERS, ()),
    c.HandBanker: (lambda by: c.HandBanker(by=by, to=RED), BANKERS, ()),
    c.LockTable: (lambda by: c.LockTable(by=by), BANKERS, ()),
    c.UnlockTable: (
        lambda by: c.UnlockTable(by=by),
        BANKERS,
        (c.LockTable(by=c.TABLE),),
    ),
    c.Pay: (lambda by: pay("red", "blue", 50, by), BANKERS | {"red"}, ()),
    c.CollectSalary: (
        lambda by: c.CollectSalary(by=by, seat=RED),
        BANKERS | {"red"},
        (),
    ),
    c.AskMoney: (lambda by: ask("red", "blue", 5, by), BANKERS | {"red"}, ()),
    c.PayAsk: (lambda by: c.PayAsk(by=by, number=1), BANKERS | {"blue"}, ()),
    c.DeclineAsk: (lambda by: c.DeclineAsk(by=by, number=1), BANKERS | {"blue"}, ()),
    c.WithdrawAsk: (lambda by: c.WithdrawAsk(by=by, number=1), BANKERS | {"red"}, ()),
    c.CorrectBalance: (
        lambda by: c.CorrectBalance(by=by, account=Account("red"), balance=7),
        BANKERS,
        (),
    ),
    c.Undo: (lambda by: c.Undo(by=by), BANKERS | {"red"}, ()),
    c.UndoTo: (
        lambda by: c.UndoTo(by=by, revision=LAST),
        SEATS | BANKERS,
        (),
    ),
    c.AllowUndo: (
        lambda by: c.AllowUndo(by=by, revision=LAST),
        BANKERS | {"red"},
        (c.UndoTo(by="blue", revision=LAST),),
    ),
    c.DeclineUndo: (
        lambda by: c.DeclineUndo(by=by, revision=LAST),
        BANKERS | {"red", "blue"},
        (c.UndoTo(by="blue", revision=LAST),),
    ),
    c.Redo: (lambda by: c.Redo(by=by), BANKERS | {"red"}, (c.Undo(by="red"),)),
    c.CloseGame: (lambda by: c.CloseGame(by=by), BANKERS, ()),
    c.ReopenGame: (
        lambda by: c.ReopenGame(by=by),
        BANKERS,
        (c.CloseGame(by=c.TABLE),),
    ),
}
"""Per command: how it is given, who may, and what must have happened before."""


def refusal(game: Game, command: c.Command) -> Why | None:
    """Return why *game* refuses *command*, or ``None``; check that nothing changes."""
    before, refused = repr(game), None
    try:
        decide(game, command)
    except Refused as error:
        refused = error
    assert repr(game) == before, f"{command} changed the game it was only asked about"
    assert refused is None or refused.message, f"{command} was refused without a word"
    return None if refused is None else refused.why


def test_every_command_has_a_rule_and_a_row_here() -> None:
    own = {kind for kind in c.Command.__subclasses__() if kind.__module__ == c.__name__}
    assert {*WHO, c.BeginBanking} == own  # A phone's wishes are completed first.
    assert set(RULES) == own | set(Move.__subclasses__())


@each(("kind", "by"), itertools.product(WHO, ACTORS))
def test_a_command_is_for_those_in_the_table_and_nobody_else(
    kind: type[c.Command], by: str
) -> None:
    given, allowed, before = WHO[kind]
    game = rich(*before)
    expected = None
    if by not in allowed:
        expected = Why.NOT_YOURS if by in SEATS else Why.UNKNOWN_SEAT
    if expected is Why.UNKNOWN_SEAT and game.is_closed:
        assert kind is c.ReopenGame
    assert refusal(game, given(by)) is expected


@each("kind", WHO)
def test_a_banker_without_a_seat_may_do_all_that_a_banker_may(
    kind: type[c.Command],
) -> None:
    given, _, before = WHO[kind]
    play = Play("red", "blue", "green")
    play.give(
        sitting("orange"),
        c.RemoveSeat(by=c.TABLE, seat=Seat("orange")),
        c.RenameSeat(by=c.TABLE, seat=RED, name="Rosa"),
        ask("red", "blue", 10),
        *before,
    )
    assert refusal(play.game, given(BANK)) is None


@each(
    ("kind", "by"),
    [
        (kind, by)
        for kind in WHO
        if kind is not c.ReopenGame
        for by in ("red", "green", c.TABLE, "pink")
    ],
)
def test_a_closed_game_refuses_everything_but_reopening(
    kind: type[c.Command], by: str
) -> None:
    given, _, before = WHO[kind]
    game = rich(*before, c.CloseGame(by=c.TABLE))
    assert refusal(game, given(by)) is Why.GAME_OVER


LONG = "x" * (NAME_LENGTH_MAX + 1)
PRECEDENCE: list[tuple[c.Command, Why]] = [
    # Unknown seat, before not yours, before malformed, before cannot afford.
    (pay("nobody", "nobody", 0, "red"), Why.UNKNOWN_SEAT),
    (pay("blue", "nobody", 0, "red"), Why.UNKNOWN_SEAT),
    (pay("orange", "blue", 9_999, "red"), Why.UNKNOWN_SEAT),
    (pay("red", "orange", 9_999, "red"), Why.UNKNOWN_SEAT),
    (pay("blue", "red", 0, "red"), Why.NOT_YOURS),
    (pay("blue", "red", 9_999, "red"), Why.NOT_YOURS),
    (pay("bank", "red", 1, "red"), Why.NOT_YOURS),
    (pay("vault", "red", 1, "red"), Why.NOT_YOURS),
    (pay("red", "red", 9_999), Why.MALFORMED),
    (pay("red", "blue", 0), Why.MALFORMED),
    (pay("red", "blue", -1), Why.MALFORMED),
    (pay("red", "blue", 1_000_001), Why.MALFORMED),
    (pay("red", "blue", 1_501), Why.CANNOT_AFFORD),
    (pay("pot", "red", 1, "green"), Why.CANNOT_AFFORD),
    (ask("nobody", "nobody", 0, "red"), Why.UNKNOWN_SEAT),
    (ask("red", "orange", 0), Why.UNKNOWN_SEAT),
    (ask("blue", "blue", 0, "red"), Why.NOT_YOURS),
    (ask("red", "red", 1), Why.MALFORMED),
    (ask("red", "blue", 0), Why.MALFORMED),
    (ask("red", "blue", 1_000_001), Why.MALFORMED),
    (c.PayAsk(by="red", number=9), Why.NOT_ASKED),
    (c.DeclineAsk(by="red", number=0), Why.NOT_ASKED),
    (c.WithdrawAsk(by="blue", number=2), Why.NOT_ASKED),
    (c.RenameSeat(by="red", seat=Seat("pink"), name=""), Why.UNKNOWN_SEAT),
    (c.RenameSeat(by="red", seat=BLUE, name=""), Why.NOT_YOURS),
    (c.RenameSeat(by="red", seat=RED, name=LONG), Why.MALFORMED),
    (c.RenameSeat(by="red", seat=RED, name="bLuE"), Why.NAME_TAKEN),
    (c.RemoveSeat(by="green", seat=Seat("orange")), Why.UNKNOWN_SEAT),
    (c.HandBanker(by="green", to=Seat("orange")), Why.UNKNOWN_SEAT),
    (c.HandBanker(by="green", to=Seat("bank")), Why.UNKNOWN_SEAT),
    (c.HandBanker(by="green", to=GREEN), Why.MALFORMED),
    (c.UnlockTable(by="green"), Why.MALFORMED),
    (c.ReopenGame(by="green"), Why.MALFORMED),
    (c.Redo(by="blue"), Why.NOT_UNDOABLE),
    (
        c.CorrectBalance(by="green", account=Account("orange"), balance=-1),
        Why.UNKNOWN_SEAT,
    ),
    (c.CorrectBalance(by="green", account=BANK, balance=0), Why.MALFORMED),
    (
        c.CorrectBalance(by="green", account=Account("red"), balance=-1),
        Why.MALFORMED,
    ),
    (
        c.CorrectBalance(by="green", account=Account("red"), balance=1_500),
        Why.MALFORMED,
    ),
]


@each(("command", "why"), PRECEDENCE)
def test_the_first_reason_in_the_order_of_why_wins(
    command: c.Command, why: Why
) -> None:
    assert refusal(rich(), command) is why


NEWCOMERS: list[tuple[dict[str, str], Why]] = [
    ({"name": "", "seat": "red"}, Why.MALFORMED),
    ({"name": LONG, "seat": "red"}, Why.MALFORMED),
    ({"seat": "Pink"}, Why.MALFORMED),
    ({"seat": "bank"}, Why.MALFORMED),
    ({"seat": "pot"}, Why.MALFORMED),
    ({"seat": "vault"}, Why.MALFORMED),
    ({"seat": "table"}, Why.MALFORMED),
    ({"seat": ""}, Why.MALFORMED),
    ({"seat": "pink\n"}, Why.MALFORMED),
    ({"colour": "mauve"}, Why.MALFORMED),
    ({"token": "iron"}, Why.MALFORMED),
    ({"seat": "red"}, Why.NAME_TAKEN),
    ({"name": "rED"}, Why.NAME_TAKEN),
    ({"colour": "red"}, Why.NAME_TAKEN),
    ({"token": TOKENS[0]}, Why.NAME_TAKEN),
]


@each(("change", "why"), NEWCOMERS)
def test_a_newcomer_must_be_well_formed_and_different(
    change: dict[str, str], why: Why
) -> None:
    fields = {"seat": "pink", "name": "Pia", "colour": "pink", "token": "rocket"}
    fields |= change
    newcomer = c.AddSeat(
        by="green",
        seat=Seat(fields["seat"]),
        name=fields["name"],
        colour=fields["colour"],
        token=fields["token"],
    )
    assert refusal(rich(), newcomer) is why


def test_a_full_table_is_said_before_a_taken_name_and_after_a_bad_one() -> None:
    game = Play(*COLOURS).game
    assert len(game.present()) == SEATS_MAX
    extra = c.AddSeat(by=c.TABLE, seat=RED, name="Red", colour="red", token=TOKENS[0])
    assert refusal(game, extra) is Why.TABLE_FULL
    nameless = c.AddSeat(by=c.TABLE, seat=RED, name=" ", colour="red", token=TOKENS[0])
    assert refusal(game, nameless) is Why.MALFORMED
    assert c.AddSeat not in legal_commands(game, c.TABLE)


def test_a_seat_has_at_most_so_many_open_requests() -> None:
    play = Play("red", "blue")
    play.give(*(ask("red", "blue", 1) for _ in range(ASKS_MAX)))
    assert refusal(play.game, ask("red", "blue", 1)) is Why.LIMIT_REACHED
    assert refusal(play.game, ask("red", "blue", 0)) is Why.MALFORMED
    assert refusal(play.game, ask("blue", "red", 1)) is None
    play.give(c.DeclineAsk(by="blue", number=3))
    assert refusal(play.game, ask("red", "blue", 1)) is None


@each("amount", [1.5, 1.0, True, "5", None])
def test_an_amount_that_is_no_whole_number_is_refused(amount: object) -> None:
    number: int = amount  # type: ignore[assignment]
    account = Account("red")
    for command in (
        pay("red", "blue", number),
        ask("red", "blue", number),
        c.CorrectBalance(by=c.TABLE, account=account, balance=number),
    ):
        assert refusal(rich(), command) is Why.MALFORMED


# What is listed and what is accepted are the same thing.


def situations() -> dict[str, Game]:
    """Return games in which something is just possible, or just not any more."""
    poor = Play("red", "blue")
    poor.give(ask("red", "blue", 60), pay("blue", "bank", 1_500))
    full = Play("red", "blue")
    full.give(*(ask("red", "blue", 1) for _ in range(ASKS_MAX)))
    alone = Play("red")
    alone.give(c.HandBanker(by=c.TABLE, to=RED))
    unpaid = Play("red", terms=e.Terms("own", 1, 0))
    undone = Play("red", "blue")
    undone.give(pay("red", "blue", 5), c.Undo(by="red"))
    closed = Play("red", "blue")
    closed.give(c.CloseGame(by=c.TABLE))
    return {
        "empty": Play().game,
        "rich": rich(),
        "locked": rich(c.LockTable(by="green")),
        "poor": poor.game,
        "asks-full": full.game,
        "alone": alone.game,
        "no-salary": unpaid.game,
        "undone": undone.game,
        "closed": closed.game,
        "everybody": Play(*COLOURS, terms=VAULT_TERMS).game,
    }


@pytest.mark.parametrize("name", situations())
@each("by", ACTORS)
def test_legal_commands_lists_exactly_what_decide_accepts(name: str, by: str) -> None:
    game = situations()[name]
    accepted = {
        type(command)
        for command in candidates(game, by)
        if refusal(game, command) is None
    }
    assert {kind.__name__ for kind in legal_commands(game, by)} == {
        kind.__name__ for kind in accepted
    }


def test_the_order_of_legal_commands_is_the_order_of_the_rules() -> None:
    listed = legal_commands(rich(), c.TABLE)
    assert listed == tuple(kind for kind in RULES if kind in listed)


# Names.


@each(
    ("text", "name"),
    [
        ("  Ann \t Lee ", "Ann Lee"),
        ("<b>Bob</b>", "<b>Bob</b>"),
        ("Zoe\u0308", "Zo\u00eb"),
        ("\N{DUCK}", "\N{DUCK}"),
        (
            "\U0001f468\u200d\U0001f469\u200d\U0001f467",
            "\U0001f468\u200d\U0001f469\u200d\U0001f467",
        ),
        ("\u05d3\u05e0\u05d9", "\u05d3\u05e0\u05d9"),
        ("\u0645\u0646\u0649", "\u0645\u0646\u0649"),
        ("\u674e\u96f7", "\u674e\u96f7"),
        ("'; DROP TABLE x;--", "'; DROP TABLE x;--"),
        ("x" * NAME_LENGTH_MAX, "x" * NAME_LENGTH_MAX),
        ("\u2068\u05d3\u05e0\u05d9\u2069", "\u05d3\u05e0\u05d9"),  # As a page shows it,
        ("\u2068\u05d3\u05e0\u05d9\u2069 Lee", "\u05d3\u05e0\u05d9 Lee"),  # and edited.
        ("Lee \u2068\u05d3\u05e0\u05d9\u2069", "Lee \u05d3\u05e0\u05d9"),
    ],
)
def test_a_name_is_kept_as_people_write_it(text: str, name: str) -> None:
    assert clean_name(text) == name
    assert clean_name(name) == name


@each(
    "text",
    [
        "",
        " \u2028 ",
        "x" * (NAME_LENGTH_MAX + 1),
        "x" * 10_000,
        "a\x00b",
        "a\u202eb",
        "a\u200fb",
        "\ufeff",
        "a\u2066b",
        "\ud800",
        "\u200d",
        "\u200d \u200d",
        "\ufe0f",
        "\u0301",
        "\u3164",
        "\u2800",
        "\u2068\u2069",
    ],
)
def test_a_name_that_nobody_can_see_or_that_bends_the_page_is_refused(
    text: str,
) -> None:
    with pytest.raises(Refused) as caught:
        clean_name(text)
    assert caught.value.why is Why.MALFORMED
    assert len(str(caught.value)) < 1_000


@each(
    "likeness",
    ["RED", "Re\u200dd", "\uff32ed", "Red\ufe0f", "Red.", "\u0280\u1d07\u1d05"],
)
def test_a_name_that_looks_like_another_is_taken(likeness: str) -> None:
    game = rich()
    other = c.RenameSeat(by="blue", seat=BLUE, name=likeness)
    assert refusal(game, other) is Why.NAME_TAKEN
    assert refusal(game, sitting("pink", "green", likeness)) is Why.NAME_TAKEN


# What a command does.


def test_salary_fills_the_vault_where_the_edition_says_so() -> None:
    play = Play("red", terms=VAULT_TERMS)
    game = play.give(c.CollectSalary(by="red", seat=RED))
    assert (game.ledger[Account("red")], game.ledger[VAULT]) == (900, 600)


def test_a_seat_that_leaves_returns_its_money_and_its_requests() -> None:
    play = Play("red", "blue", "green")
    play.give(ask("red", "blue", 1), ask("green", "red", 2), ask("green", "blue", 3))
    game = play.give(c.RemoveSeat(by=c.TABLE, seat=RED))
    assert game.ledger[Account("red")] == 0
    assert [left.number for left in game.asks] == [3]
    game = play.give(sitting("red"))
    assert game.ledger[Account("red")] == 1_500
    assert [state.seat for state in game.present()] == ["blue", "green", "red"]


def test_a_banker_who_leaves_leaves_the_bank_behind() -> None:
    play = Play("red", "blue")
    play.give(c.HandBanker(by=c.TABLE, to=RED))
    assert play.give(c.RemoveSeat(by="red", seat=RED)).banker == BANK


def test_paying_a_request_moves_the_money_once() -> None:
    play = Play("red", "blue")
    play.give(ask("red", "blue", 60), c.PayAsk(by="blue", number=1))
    assert play.game.ledger[Account("red")] == 1_560
    assert refusal(play.game, c.PayAsk(by="blue", number=1)) is Why.NOT_ASKED


def test_the_pot_is_paid_by_seats_and_emptied_by_the_banker() -> None:
    play = Play("red", "blue")
    game = play.give(pay("red", "pot", 75), pay("pot", "blue", 75, BANK))
    assert (game.ledger[POT], game.ledger[Account("blue")]) == (0, 1_575)


@each(
    ("reason", "by"), itertools.product(sorted(OWN_REASONS), ["red", "green", c.TABLE])
)
def test_nobody_gives_a_reason_that_is_the_programs_own(
    reason: Reason, by: str
) -> None:
    paying = c.Pay(by=by, payer=RED, payee=BLUE, amount=5, reason=reason)
    asking = c.AskMoney(by=by, seat=RED, payer=BLUE, amount=5, reason=reason)
    assert refusal(rich(), paying) is Why.MALFORMED
    assert refusal(rich(), asking) is Why.MALFORMED


@each(
    "name",
    [
        *("Bank", "the  VAULT", "pot", "Table", "Banker"),
        *("Bank.", "B.a.n.k", "Bank \N{BANK}", "p0t", "Tab1e", "B\xe2nk", "B\u20ddank"),
        "\u0392\u0391\u039d\u039a",  # All Greek,
        "\u0420\u041e\u0422",  # all Cyrillic,
        "\u0299\u1d00\u0274\u1d0b",  # small capitals,
        "\U0001f171\U0001f170\U0001f17d\U0001f17a",  # white on black,
        "\U0001f151\U0001f150\U0001f15d\U0001f15a",  # in circles,
        "\U0001f171\ufe0fank",  # only one of them,
        "\U0001f1e7\U0001f1e6\U0001f1f3\U0001f1f0",  # and of flags.
        "B \u0430 nk",  # Two alphabets, each with words of its own.
        *("die Bank", "der Bank", "Tischkasse", "Die Tischkasse", "Tresorfach"),
        *("das Tresorfach", "Der Tresor", "der Bankhalter", "Die Runde", "Tisch"),
    ],
)
def test_nobody_is_called_what_an_account_is_called(name: str) -> None:
    renaming = c.RenameSeat(by="red", seat=RED, name=name)
    joining = replace(sitting("pink", c.TABLE), name=name)
    assert refusal(rich(), renaming) is Why.NAME_TAKEN
    assert refusal(rich(), joining) is Why.NAME_TAKEN


@each(
    "name",
    [
        *("B\u0430nk", "B \u0430nk"),  # A Cyrillic a,
        "R\u03bfse",  # a Greek o,
        "B\u0336a\u0336n\u0336k",  # strokes through letters,
        "Mama R\u03bfse",  # and one such word among others.
    ],
)
def test_a_word_of_several_alphabets_is_refused(name: str) -> None:
    renaming = c.RenameSeat(by="red", seat=RED, name=name)
    assert refusal(rich(), renaming) is Why.MALFORMED


@each(
    "name",
    [
        "Mama \u0418\u0432\u0430\u043d",
        "Ada & \u0421\u0430\u0448\u0430",
        "Eva \u2764 \u0421\u0430\u0448\u0430",
        "Ada \U0001f1e9\U0001f1ea",  # With a flag.
        "\U0001f17f Ada",
        "Bankert",
    ],
)
def test_an_honest_name_of_two_alphabets_or_with_a_picture_is_kept(name: str) -> None:
    play = Play("red", "blue")
    game = play.give(c.RenameSeat(by="red", seat=RED, name=name))
    assert [state.name for state in game.present()] == [name, "Blue"]


@each(
    "name",
    [
        "Анна",
        "Рома",
        "Ρένα",
        "Zoë",
        "Øyvind",
        "Łukasz",
        "Nguyễn",
        "O'Neil",
        "J.J.",
        "エリ子",
        "はな子",
        "דני",
        "مريم",
        "नेहा",
        "한나",
        "Անի",
        "Ann🦆",
        "🦆",
        "Max1",
        "?!",
    ],
)
def test_an_honest_name_in_any_script_is_taken(name: str) -> None:
    game = rich(c.RenameSeat(by="red", seat=RED, name=name))
    assert name in [seat.name for seat in game.present()]


@each(
    "command",
    [
        pay("red", Account("x" * 60_000), 5),
        replace(sitting("pink", c.TABLE), seat=Seat("X" * 60_000)),
        replace(sitting("pink", c.TABLE), colour="x" * 60_000),
        c.RenameSeat(by="green", seat=Seat("x" * 60_000), name="Ann"),
        c.RenameSeat(by="green", seat=RED, name="\u202e" * 180),
    ],
)
def test_a_refusal_repeats_little_of_what_came(command: c.Command) -> None:
    with pytest.raises(Refused) as refused:
        decide(rich(), command)
    assert len(str(refused.value)) < 400


# Before a game has begun.


def gathered() -> Play:
    """Return a game before its beginning, with red, blue and the banker green."""
    play = Play("red", "blue", "green", awaits=e.Awaits.BANKING)
    play.give(c.HandBanker(by=c.TABLE, to=GREEN))
    return play


MONEY = (c.Pay, c.CollectSalary, c.AskMoney, c.CorrectBalance)
BEGIN = c.BeginBanking(by="green")


@each(("kind", "by"), itertools.product(MONEY, ["red", "green", c.TABLE]))
def test_no_money_moves_before_a_game_has_begun(kind: type[c.Command], by: str) -> None:
    play = gathered()
    assert kind not in legal_commands(play.game, by)
    given, allowed, _ = WHO[kind]
    why = Why.NOT_BEGUN if by in allowed else Why.NOT_YOURS
    assert refusal(play.game, given(by)) is why
    assert refusal(play.give(BEGIN), given(by)) is (None if by in allowed else why)


def test_who_is_refused_before_the_beginning_hears_whom_to_wait_for() -> None:
    with pytest.raises(Refused) as heard:
        decide(gathered().game, pay("red", "blue", 5))
    assert heard.value.message == "the game has not begun yet"
    assert heard.value.remedy == "wait until green begins it"
    nobodys = Play("red", "blue", awaits=e.Awaits.BANKING).game
    with pytest.raises(Refused) as heard:
        decide(nobodys, pay("red", "blue", 5))
    assert heard.value.remedy == "wait until it begins"
    with pytest.raises(Refused) as heard:
        decide(gathered().game, pay("red", "blue", 5, "green"))
    assert heard.value.remedy == "begin it first"


def test_people_still_come_go_and_are_renamed_before_the_beginning() -> None:
    play = gathered()
    play.give(
        sitting("orange"),
        c.RenameSeat(by="red", seat=RED, name="Rosa"),
        c.RemoveSeat(by="green", seat=BLUE),
        c.LockTable(by="green"),
        c.CloseGame(by="green"),
        c.ReopenGame(by="green"),
    )
    assert [state.name for state in play.game.present()] == ["Rosa", "Green", "Orange"]
    assert not play.game.has_begun


def test_only_the_banker_begins_and_only_once() -> None:
    play = gathered()
    assert refusal(play.game, c.BeginBanking(by="red")) is Why.NOT_YOURS
    assert play.give(BEGIN).has_begun
    assert refusal(play.game, BEGIN) is Why.WRONG_STAGE
    assert refusal(rich(), BEGIN) is Why.WRONG_STAGE
    assert play.replayed() == play.game


def test_a_beginning_is_taken_back_until_something_else_can_be() -> None:
    play = gathered()
    play.give(BEGIN, sitting("orange"), c.Undo(by="green"))
    assert not play.game.has_begun
    assert refusal(play.game, pay("red", "blue", 5)) is Why.NOT_BEGUN
    assert play.give(c.Redo(by="green")).has_begun
    begun = play.game.undoable[0].revision
    play.give(pay("red", "blue", 5))
    back = c.UndoTo(by="green", revision=begun)
    assert refusal(play.game, back) is Why.NOT_UNDOABLE
    play.give(c.Undo(by="green"))
    assert refusal(play.game, c.Undo(by="green")) is Why.NOT_UNDOABLE
    assert play.game.has_begun
    assert play.replayed() == play.game
