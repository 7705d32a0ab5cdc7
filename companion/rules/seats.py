"""Seats at the table: joining, names, leaving, the banker, closing the game.

A *seat* is a place at the table, with an id of one word (``red``), a player's name, a
colour and a token. The *banker* is the seat that keeps the bank, or the bank itself.

Much of this module keeps names apart. No two may have the same ``likeness``, none may
look like that of an account, such as the bank, and none may mix alphabets whose letters
look the same.

Source:
    The project's own house rules. The rule sheets know two to eight players and
    one banker, who may or may not play. What everybody begins with: Grab & Go's
    sheet, "Money"; the standard rules in the Mega booklet, "Preparation"; the Secret
    Vault article and the Crooked Cash article, "Starting the Game"; Cash Decoder's
    sheet, "Set it up!"; the Mega booklet, "Money".
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from companion.errors import Refused, Why, quoted
from companion.game import Game
from companion.game import commands as c
from companion.game import events as e
from companion.game.game import SeatState
from companion.game.ledger import SEAT_RULE
from companion.game.move_run import MoveRun
from companion.rules.rule import (
    OWN_MONEY_RULE,
    Range,
    Who,
    nothing_against,
    rule,
    single_choice,
)
from companion.sheets import (
    BOOKLET,
    CROOKED,
    DECODER,
    GRAB,
    SECRET,
    STANDARD,
    TYPED_RULE,
    Told,
)
from companion.units import BANK, CAMERA, POT, VAULT, Account, Seat
from companion.words import say
from companion.words.names import (
    NAME_LENGTH_MAX,
    is_plain,
    likeness,
    mixes_alphabets,
    tidy_name,
)

START_RULE = Told(
    "Everybody begins with {start}.",
    {
        GRAB: "Money",
        STANDARD: "Preparation",
        SECRET: "Starting the Game",
        DECODER: "Set it up!",
        CROOKED: "Starting the Game",
        BOOKLET: "Money",
    },
)
SEATS_RULE = Told("There are only so many seats, and the banker may lock the table.")
NAMES_RULE = Told(
    "Everybody has another name, colour and token, so nobody is mixed up."
)
LEFT_TABLE_RULE = Told("If you leave the table, your money goes back to the bank.")
PUT_AWAY_RULE = Told("A game that was put away rests until it is taken out again.")

SEATS_MAX = 8
"""The number of seats at a table; no rule sheet has more players."""

COLOURS = ("red", "blue", "green", "orange", "purple", "teal", "pink", "silver")
"""Seat colours; a seat is also shown by its name and token, never by colour alone."""

TOKENS = ("hat", "car", "duck", "cat", "dog", "ship", "rocket", "boot")
"""Tokens that the project drew itself."""

RESERVED = frozenset((BANK, POT, VAULT, CAMERA, c.TABLE))
"""Ids that no seat may have."""

_SEAT_WORD = re.compile(r"[a-z][a-z0-9-]{0,23}")
"""A seat's id."""

RAW_LENGTH_MAX = NAME_LENGTH_MAX * 8
"""Longer texts are refused at once; others are tidied first, and then measured."""


def clean_name(text: str) -> str:
    """Return a name as it will be shown.

    Raises:
        Refused: ``malformed`` if nothing visible is left, if it is too long, or if it
            has characters that control the direction or layout of text.
    """
    if len(text) > RAW_LENGTH_MAX:
        raise _too_long(text)
    name = tidy_name(text)
    if not name:
        raise TYPED_RULE.refuses(
            Why.MALFORMED, say("a name is missing"), say("type yours")
        )
    if not is_plain(name):
        raise _bad_name(quoted(text))
    if len(name) > NAME_LENGTH_MAX:
        raise _too_long(name)
    return name


def _too_long(text: str) -> Refused:
    """Refuse a name for its length, without repeating it."""
    return _bad_name(say("{count} characters", count=len(text)))


def _bad_name(got: str) -> Refused:
    message = say(
        "{got} cannot be a name: that has 1 to {limit} letters",
        limit=NAME_LENGTH_MAX,
        got=got,
    )
    return TYPED_RULE.refuses(
        Why.MALFORMED, message, say("choose a shorter, plain name")
    )


def check_look(colour: str, token: str) -> None:
    """Refuse, as ``malformed``, a colour or a token that does not exist."""
    if colour not in COLOURS:
        unknown = say("there is no colour {got}", got=quoted(colour))
        raise TYPED_RULE.refuses(Why.MALFORMED, unknown, say("choose another colour"))
    if token not in TOKENS:
        unknown = say("there is no token {got}", got=quoted(token))
        raise TYPED_RULE.refuses(Why.MALFORMED, unknown, say("choose another token"))


def check_add(run: MoveRun, command: c.AddSeat) -> None:
    """Check that there is room, and that name, colour and token are free."""
    name, present = _seat_name(command.name), run.game.present()
    if not _SEAT_WORD.fullmatch(command.seat) or command.seat in RESERVED:
        raise TYPED_RULE.refuses(
            Why.MALFORMED,
            say(
                "a seat has one word in small letters, not {seat}",
                seat=quoted(command.seat),
            ),
            say("choose another word"),
        )
    check_look(command.colour, command.token)
    if len(present) >= SEATS_MAX:
        raise SEATS_RULE.refuses(
            Why.TABLE_FULL,
            say("all {limit} seats are taken", limit=SEATS_MAX),
            say("wait for a free one"),
        )
    for state in present:
        _check_free(state, command)
        _check_other_name(state.name, name)


def full_box_limits(game: Game) -> tuple[int, int] | None:
    """Return the box's least and largest number of players, once it is full.

    The table may still let more people play. While there is room, return ``None``.
    """
    limits = game.terms.seats_of_box
    if limits is None or len(game.present()) < limits[1]:
        return None
    return limits


def add(run: MoveRun, command: c.AddSeat) -> None:
    """Add a seat, with the edition's starting money."""
    run.add(
        e.SeatAdded(
            seat=command.seat,
            name=clean_name(command.name),
            colour=command.colour,
            token=command.token,
            start_money=run.game.terms.start_money,
        )
    )


def add_choices(run: MoveRun, _: str) -> Iterator[Range]:
    """Offer to add somebody of any name, while there is room."""
    if len(run.game.present()) < SEATS_MAX:
        yield Range(c.AddSeat, 1, NAME_LENGTH_MAX)


def _check_free(taken: SeatState, command: c.AddSeat) -> None:
    """Refuse a colour (which is also the seat's id) or a token that is taken."""
    if command.seat == taken.seat or command.colour == taken.colour:
        raise NAMES_RULE.refuses(
            Why.NAME_TAKEN,
            say("{holder} has that colour already", holder=taken.name),
            say("choose another colour"),
        )
    if command.token == taken.token:
        raise NAMES_RULE.refuses(
            Why.NAME_TAKEN,
            say("{holder} has that token already", holder=taken.name),
            say("choose another token"),
        )


# Names that may mislead.

GERMAN = (
    "kamera",
    "bankhalter",
    "tischkasse",
    "tresorfach",
    "tresor",
    "runde",
    "tisch",
)
"""The German names of the accounts; see ``web/languages/de.po``."""

ARTICLES = ("", "the", "der", "die", "das", "dem", "den")
"""What may stand before a reserved name, in English and German."""

RESERVED_NAMES = frozenset(
    f"{article}{word}"
    for word in (*RESERVED, "banker", *GERMAN)
    for article in ARTICLES
)
"""Names that no player may take, without spaces: "pay the bank" must be clear."""

OVERLAY = 1
"""Unicode's combining class of a stroke through a letter."""


def _seat_name(text: str) -> str:
    """Return a player's name as it will be shown; refuse one that may mislead."""
    name = clean_name(text)
    has_stroke = any(unicodedata.combining(char) == OVERLAY for char in name)
    if has_stroke or any(map(mixes_alphabets, name.split())):
        raise TYPED_RULE.refuses(
            Why.MALFORMED,
            say("{name} mixes alphabets, or has more than plain letters", name=name),
            say("choose a plainer name"),
        )
    if "".join(filter(str.isalnum, likeness(_without_marks(name)))) in RESERVED_NAMES:
        raise NAMES_RULE.refuses(
            Why.NAME_TAKEN,
            say("{name} is somebody at every table", name=name),
            say("choose another name"),
        )
    return name


def _without_marks(name: str) -> str:
    """Return *name* without the accents and other marks on its letters."""
    parts = unicodedata.normalize("NFKD", name)
    # Categories of marks begin with M.
    return "".join(part for part in parts if unicodedata.category(part)[0] != "M")


def _check_other_name(taken: str, name: str) -> None:
    """Refuse a name that nobody could tell from *taken* on a small screen."""
    if likeness(taken) == likeness(name):
        raise NAMES_RULE.refuses(
            Why.NAME_TAKEN,
            say("somebody is called {taken} already", taken=taken),
            say("choose another name"),
        )


# Changes at the table.


def known_seat(game: Game, seat: str) -> Seat:
    """Return the id *seat*, checked.

    Raises:
        Refused: ``unknown_seat`` if nobody sits there.
    """
    state = game.seat(seat)
    if state is None:
        here = ", ".join(state.seat for state in game.present()) or say("nobody yet")
        raise SEAT_RULE.refuses(
            Why.UNKNOWN_SEAT,
            say("nobody sits on {seat}, only on {here}", seat=quoted(seat), here=here),
            say("choose one of them"),
        )
    return state.seat


def check_rename(run: MoveRun, command: c.RenameSeat) -> None:
    """Check that ``by`` may rename the seat, and that no other name looks like it.

    The banker may rename any seat, others only themselves.
    """
    game = run.game
    seat = known_seat(game, command.seat)
    if command.by not in (seat, game.banker, c.TABLE):
        raise OWN_MONEY_RULE.refuses(
            Why.NOT_YOURS,
            say("{seat} is not your seat", seat=seat),
            say("rename your own"),
        )
    name = _seat_name(command.name)
    for state in game.present():
        if state.seat != seat:
            _check_other_name(state.name, name)


def rename(run: MoveRun, command: c.RenameSeat) -> None:
    """Rename a seat."""
    run.add(e.SeatRenamed(seat=command.seat, name=clean_name(command.name)))


def rename_choices(run: MoveRun, _: str) -> Iterator[Range]:
    """Offer any name, once somebody sits here."""
    if run.game.present():
        yield Range(c.RenameSeat, 1, NAME_LENGTH_MAX)


def check_remove(run: MoveRun, command: c.RemoveSeat) -> None:
    """Check that somebody sits there."""
    known_seat(run.game, command.seat)


def remove(run: MoveRun, command: c.RemoveSeat) -> None:
    """Remove a seat; without its banker, the bank keeps itself."""
    returned = run.balance(command.seat)
    if run.game.banker == command.seat:
        run.add(e.BankerChanged(banker=BANK))
    run.add(e.SeatRemoved(seat=command.seat, returned=returned))


def remove_choices(run: MoveRun, by: str) -> Iterator[c.RemoveSeat]:
    """Offer to remove each seat."""
    for state in run.game.present():
        yield c.RemoveSeat(by=by, seat=state.seat)


def check_hand(run: MoveRun, command: c.HandBanker) -> None:
    """Check that the seat does not keep the bank already."""
    seat = known_seat(run.game, command.to)
    if seat == run.game.banker:
        raise TYPED_RULE.refuses(
            Why.MALFORMED,
            say("{seat} keeps the bank already", seat=seat),
            say("choose somebody else"),
        )


def hand_banker(run: MoveRun, command: c.HandBanker) -> None:
    """Hand the bank to another seat."""
    run.add(e.BankerChanged(banker=Account(command.to)))


def hand_choices(run: MoveRun, by: str) -> Iterator[c.HandBanker]:
    """Offer to hand the bank to each seat."""
    for state in run.game.present():
        yield c.HandBanker(by=by, to=state.seat)


def check_lock(run: MoveRun, _: c.LockTable) -> None:
    """Check that the table is open."""
    if run.game.is_locked:
        raise TYPED_RULE.refuses(
            Why.MALFORMED, say("the table is locked already"), say("leave it so")
        )


def lock(run: MoveRun, _: c.LockTable) -> None:
    """Lock the table: only the banker gives free seats away."""
    run.add(e.TableLocked())


def check_unlock(run: MoveRun, _: c.UnlockTable) -> None:
    """Check that the table is locked."""
    if not run.game.is_locked:
        raise TYPED_RULE.refuses(
            Why.MALFORMED, say("the table is not locked"), say("leave it so")
        )


def unlock(run: MoveRun, _: c.UnlockTable) -> None:
    """Unlock the table: anybody can take a free seat again."""
    run.add(e.TableUnlocked())


def close(run: MoveRun, _: c.CloseGame) -> None:
    """Put the game away until it is reopened."""
    run.add(e.GameClosed())


def check_reopen(run: MoveRun, _: c.ReopenGame) -> None:
    """Check that the game was put away."""
    if not run.game.is_closed:
        raise TYPED_RULE.refuses(
            Why.MALFORMED, say("the game is open already"), say("play on")
        )


def reopen(run: MoveRun, _: c.ReopenGame) -> None:
    """Reopen a closed game."""
    run.add(e.GameReopened())


ROWS = (
    rule(c.AddSeat, Who.BANKER, check_add, add, add_choices, is_by_hand=True),
    rule(c.RenameSeat, Who.SEAT, check_rename, rename, rename_choices),
    rule(
        c.RemoveSeat, Who.BANKER, check_remove, remove, remove_choices, is_by_hand=True
    ),
    rule(c.HandBanker, Who.BANKER, check_hand, hand_banker, hand_choices),
    rule(c.LockTable, Who.BANKER, check_lock, lock, single_choice(c.LockTable)),
    rule(c.UnlockTable, Who.BANKER, check_unlock, unlock, single_choice(c.UnlockTable)),
    rule(c.CloseGame, Who.BANKER, nothing_against, close, single_choice(c.CloseGame)),
    rule(c.ReopenGame, Who.BANKER, check_reopen, reopen, single_choice(c.ReopenGame)),
)
