"""Who sits where: joining, names, leaving, the banker, closing.

Source:
    The project's own house rules. The rule sheets know two to eight players and
    one banker, who may or may not play.
"""

from __future__ import annotations

import re
import unicodedata

from confusable_homoglyphs.confusables import is_confusable, is_dangerous

from companion.errors import Refused, Why, quoted
from companion.game import Game
from companion.game import commands as c
from companion.game import events as e
from companion.game.game import SeatState
from companion.rules.rule import Events
from companion.units import BANK, POT, VAULT, Account, Seat
from companion.words import say, say_count
from companion.words.sentence import END_OF_ISOLATE, ISOLATE

SEATS_MAX = 8
NAME_LENGTH_MAX = 24
COLOURS = ("red", "blue", "green", "orange", "purple", "teal", "pink", "silver")
"""Seat colours; a seat also has a name and a token, so colour never stands alone."""

TOKENS = ("hat", "car", "duck", "cat", "dog", "ship", "rocket", "boot")
"""Tokens that the project drew itself."""

JOINER = "\u200d"
"""The character that joins emoji, such as a family's; allowed, but invisible."""

BLANKS = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Characters that Unicode calls letters or symbols but that show nothing."""

RESERVED = frozenset((BANK, POT, VAULT, c.TABLE))
GERMAN = ("bankleitung", "tischkasse", "tresorfach", "tresor", "runde", "tisch")
"""What a German phone calls them; see ``web/languages/de.po``."""

ARTICLES = ("", "the", "der", "die", "das", "dem", "den")
RESERVED_NAMES = frozenset(
    f"{the}{word}" for word in (*RESERVED, "banker", *GERMAN) for the in ARTICLES
)
"""Names that no player may take, without spaces: "Pay the bank $50" means the bank."""

OVERLAY = 1
"""Unicode's combining class of strokes through a letter."""
DRAWN = (
    "LATIN LETTER SMALL CAPITAL ",
    "NEGATIVE ",  # White on black, in a square or a circle;
    "CROSSED NEGATIVE ",  # the same with a stroke.
    "REGIONAL INDICATOR ",  # Flags are made of them.
)
"""How Unicode's names of pictures of Latin letters begin; the letter comes last."""
STOPS = ".,:;!?'\"-_ "
"""What may follow a name and hardly be seen."""

_SEAT_WORD = re.compile(r"[a-z][a-z0-9-]{0,23}")


def clean_name(text: str) -> str:
    """A name as it will be shown: trimmed, single spaces, no control characters.

    The marks by which a page sets a name apart come back with the form, wherever
    somebody typed beside them, and go.

    Raises:
        Refused: ``malformed`` if nothing visible is left, if it is longer than
            ``NAME_LENGTH_MAX`` characters, or if it carries characters that
            control the direction or layout of text.
    """
    if len(text) > NAME_LENGTH_MAX * 8:
        raise _bad_name(f"got {len(text)} characters")
    plain = text.replace(ISOLATE, "").replace(END_OF_ISOLATE, "")
    name = " ".join(unicodedata.normalize("NFC", plain).split())
    if any(
        (unicodedata.category(x)[0] == "C" and x != JOINER) or x in BLANKS for x in name
    ):
        raise _bad_name(quoted(text))
    if not 1 <= len(name) <= NAME_LENGTH_MAX:
        raise _bad_name(say_count(len(name), "one character", "{count} characters"))
    if not any(unicodedata.category(x)[0] in "LNPS" for x in name):
        raise _bad_name(quoted(text))
    return name


def _is_selector(character: str) -> bool:
    return "\ufe00" <= character <= "\ufe0f"


def _bad_name(got: str) -> Refused:
    wanted = say(
        "expected a name of 1 to {limit} visible characters, got {got}",
        limit=NAME_LENGTH_MAX,
        got=got,
    )
    return Refused(Why.MALFORMED, wanted, say("choose a shorter, plain name"))


def has_room(game: Game, by: str) -> bool:
    """Whether another seat fits."""
    return len(game.present()) < SEATS_MAX


def has_seats(game: Game, by: str) -> bool:
    """Whether anybody sits at the table."""
    return bool(game.present())


def has_heir(game: Game, by: str) -> bool:
    """Whether anybody sits at the table who could take the bank over."""
    return any(state.seat != game.banker for state in game.present())


def add(game: Game, command: c.AddSeat) -> Events:
    """Add a seat; its name, colour and token must be free."""
    name = _seat_name(command.name)
    if not _SEAT_WORD.fullmatch(command.seat) or command.seat in RESERVED:
        raise Refused(
            Why.MALFORMED,
            say(
                "expected a lower-case word as seat, got {seat}",
                seat=quoted(command.seat),
            ),
        )
    _one_of("colour", command.colour, COLOURS)
    _one_of("token", command.token, TOKENS)
    if not has_room(game, command.by):
        raise Refused(
            Why.TABLE_FULL,
            say("all {limit} seats are taken", limit=SEATS_MAX),
            say("wait for a free one"),
        )
    for state in game.present():
        _check_free(state, command)
        _check_other_name(state.name, name)
    return (
        e.SeatAdded(
            seat=command.seat,
            name=name,
            colour=command.colour,
            token=command.token,
            start_money=game.terms.start_money,
        ),
    )


def _one_of(what: str, got: str, wanted: tuple[str, ...]) -> None:
    if got not in wanted:
        raise Refused(
            Why.MALFORMED,
            say(
                "expected a {what} of {known}, got {got}",
                what=what,
                known=", ".join(wanted),
                got=quoted(got),
            ),
        )


def _check_free(taken: SeatState, wanted: c.AddSeat) -> None:
    """Refuse a colour or a token that somebody has; a seat's id is its colour."""
    if wanted.seat == taken.seat or wanted.colour == taken.colour:
        raise Refused(
            Why.NAME_TAKEN,
            say("{holder} has that colour already", holder=taken.name),
            say("choose another colour"),
        )
    if wanted.token == taken.token:
        raise Refused(
            Why.NAME_TAKEN,
            say("{holder} has that token already", holder=taken.name),
            say("choose another token"),
        )


def _seat_name(text: str) -> str:
    """A player's name as it will be shown; refused if it may pass for an account."""
    name = clean_name(text)
    if any(map(_mixes_alphabets, name.split())) or any(map(_is_stroke, name)):
        raise Refused(
            Why.MALFORMED,
            say(
                "expected plain letters of one alphabet in each word, got {name}",
                name=name,
            ),
            say("choose a plainer name"),
        )
    bare = "".join(x for x in unicodedata.normalize("NFKD", name) if not _is_mark(x))
    if "".join(x for x in _likeness(bare) if x.isalnum()) in RESERVED_NAMES:
        raise Refused(
            Why.NAME_TAKEN,
            say("{name} is somebody at every table", name=name),
            say("choose another name"),
        )
    return name


def _mixes_alphabets(word: str) -> bool:
    """Whether letters of another alphabet stand in *word* for Latin ones."""
    letters = "".join(x for x in word if x.isalpha())
    return bool(is_dangerous(letters, ["latin"]))


def _check_other_name(taken: str, wanted: str) -> None:
    """Refuse a name that nobody could tell from *taken* on a small screen."""
    if _likeness(taken) == _likeness(wanted):
        raise Refused(
            Why.NAME_TAKEN,
            say("somebody is called {taken} already", taken=taken),
            say("choose another name"),
        )


def _likeness(name: str) -> str:
    """*name* as a hasty eye sees it: capitals, Latin where it looks so, no stops."""
    seen = "".join(x for x in name if x != JOINER and not _is_selector(x))
    capitals = unicodedata.normalize("NFKC", seen).upper()
    letters = "".join(map(_as_latin, capitals)).casefold()
    return letters.rstrip(STOPS) or letters


def _as_latin(letter: str) -> str:
    """The plain Latin letter that *letter* looks like, or else itself."""
    if letter.isascii() and letter.isalpha():
        return letter
    found = is_confusable(letter)
    likes = [like["c"][0] for like in found[0]["homoglyphs"]] if found else []
    name = unicodedata.name(letter, "")
    if name.startswith(DRAWN):
        likes.append(name.split()[-1])
    return next(
        (x for x in likes if len(x) == 1 and x.isascii() and x.isalpha()), letter
    )


def _is_stroke(character: str) -> bool:
    """Whether it is a stroke through the letter before it."""
    return unicodedata.combining(character) == OVERLAY


def _is_mark(character: str) -> bool:
    return unicodedata.category(character)[0] == "M"


def known_seat(game: Game, seat: str) -> Seat:
    """The seat's id.

    Raises:
        Refused: ``unknown_seat`` if nobody sits there.
    """
    state = game.seat(seat)
    if state is None:
        here = ", ".join(state.seat for state in game.present()) or say("nobody yet")
        raise Refused(
            Why.UNKNOWN_SEAT,
            say("expected one of {here}, got {seat}", here=here, seat=quoted(seat)),
        )
    return state.seat


def rename(game: Game, command: c.RenameSeat) -> Events:
    """Rename a seat; a seat renames only itself, the banker any."""
    seat = known_seat(game, command.seat)
    if command.by not in (seat, game.banker, c.TABLE):
        raise Refused(
            Why.NOT_YOURS,
            say("{seat} is not your seat", seat=seat),
            say("rename your own"),
        )
    name = _seat_name(command.name)
    for state in game.present():
        if state.seat != seat:
            _check_other_name(state.name, name)
    return (e.SeatRenamed(seat=seat, name=name),)


def remove(game: Game, command: c.RemoveSeat) -> Events:
    """Remove a seat; if it was the banker, no seat keeps the bank any more."""
    seat = known_seat(game, command.seat)
    gone = e.SeatRemoved(seat=seat, returned=game.ledger[Account(seat)])
    if game.banker == seat:
        return (e.BankerChanged(banker=BANK), gone)
    return (gone,)


def hand_banker(game: Game, command: c.HandBanker) -> Events:
    """Let another seat keep the bank from now on."""
    seat = known_seat(game, command.to)
    if seat == game.banker:
        raise Refused(Why.MALFORMED, say("{seat} keeps the bank already", seat=seat))
    return (e.BankerChanged(banker=Account(seat)),)


def lock(game: Game, command: c.LockTable) -> Events:
    """Lock the table: free seats can no longer be taken without the banker."""
    if game.is_locked:
        raise Refused(Why.MALFORMED, say("the table is locked already"))
    return (e.TableLocked(),)


def unlock(game: Game, command: c.UnlockTable) -> Events:
    """Unlock the table: free seats can be taken again."""
    if not game.is_locked:
        raise Refused(Why.MALFORMED, say("the table is not locked"))
    return (e.TableUnlocked(),)


def close(game: Game, command: c.CloseGame) -> Events:
    """Close the game: put it away until it is reopened."""
    return (e.GameClosed(),)


def reopen(game: Game, command: c.ReopenGame) -> Events:
    """Reopen a closed game."""
    if not game.is_closed:
        raise Refused(Why.MALFORMED, say("the game is open already"))
    return (e.GameReopened(),)
