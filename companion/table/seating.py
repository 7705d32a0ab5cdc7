"""Phones at the table: which one opens games, which hold seats, and which wait.

Nobody needs a password. The table's own screen shows the *first-run code*; the first
phone to send it becomes the *host*, which opens games and keeps their bank. Every other
phone takes a free seat. If it may not, it sends a *request* and waits until the
*banker* lets it in: the seat that keeps the bank, or the host while no seat does.
"""

from __future__ import annotations

import secrets
import threading
from collections import Counter
from collections.abc import Callable

from companion.errors import Refused, Why
from companion.game import Game
from companion.game import commands as c
from companion.game.envelope import GRANTED, Envelope
from companion.game.move_run import MoveRun
from companion.rules import keeps_bank
from companion.rules.seats import (
    SEATS_RULE,
    check_add,
    check_look,
    clean_name,
    full_box_limits,
    known_seat,
)
from companion.sheets import LIMIT_RULE, Told
from companion.store import JoinRequest, Phone, Wish
from companion.store.ticks import DOOR
from companion.table.buckets import Buckets, wait_words
from companion.table.service import TableService
from companion.units import BANK, GameId, Seat
from companion.words import say

HOST_RULE = Told("The code on the table's screen makes one phone the host.")
DOOR_RULE = Told("The banker lets further phones in, and they wait for the answer.")
HOLDS_RULE = Told("Each phone holds one seat, and each seat is held by one phone.")

# The codes.

CODE_DIGITS = 6
"""The length of the first-run code until too many wrong codes were typed."""

LONG_CODE_DIGITS = 9
"""Its length after that, and the length of the code that moves a host."""

SHORT_TRIES_MAX = 10
"""After this many wrong codes of all senders, a longer first-run code is drawn; it
becomes short again when the companion restarts."""

# How often a code may be sent (``Buckets``).

TRIES_MAX = 5
"""How many codes one address or phone may send in a row."""

TRY_S = 60
"""After so many seconds it may send one more."""

ALL_TRIES_MAX = 60
"""How many codes all senders together may send in a row, besides the free tries."""

ALL_TRY_S = 10
"""After so many seconds one of them may send one more."""

FREE_TRIES = 2
"""How many wrong codes of each address are free: they do not use up the common tries.

So a person who mistypes once need not wait behind those who guess."""

ADDRESSES_MAX = 600
"""How many addresses have free tries; a home network seldom has more than 254."""

# Phones that wait for the banker, and what it has answered.

LET_IN, SENT_AWAY = f"{DOOR}let-in", f"{DOOR}sent-away"
"""The lists of ticks with the phones that have yet to look at the banker's answer."""

WISHED = f"{DOOR}wished-"
"""How a list begins with the one new seat that a phone asked for, and was not given."""

REQUESTS_MAX = 16
"""Phones that may wait for the banker of one game."""

REQUESTS_SHARE_MAX = 4
"""That limit for one address: a stranger can pose as any number of phones."""


class Seating:
    """Phones and seats of one table; writes only through the table service.

    Guessing a code is hopeless. All addresses together have ``SHORT_TRIES_MAX`` guesses
    at a short one, with odds of 1 in 100,000; then the code is long. At a long one, the
    guesses of a day (in a row, then as time passes, then free ones) and their odds are:

    - one address: 5 + 1,440, 1 in 690,000;
    - all addresses of a home network: 60 + 8,640 + 2 x 254, 1 in 100,000;
    - any number of others: 60 + 8,640 + 2 x 600, 1 in 100,000.

    The code grows only once, so it changes at most once under the fingers of a person
    who types it. The code that moves a host is always long, since no screen could show
    that host a new one.

    A person who mistypes at most once is never kept out. While somebody guesses from
    many addresses, a person who mistypes more often may have to wait, or restart the
    companion; from more than ``ADDRESSES_MAX`` addresses, so may everybody.

    Args:
        table: The table service; a game's seats change under that game's lock.
        draw_code: Draws a new code; takes the number of its digits.
        tell_code: Called with each first-run code that replaces another.
    """

    def __init__(
        self,
        table: TableService,
        draw_code: Callable[[int], str],
        tell_code: Callable[[str], None] = lambda _code: None,
    ) -> None:
        self._table = table
        self._phones = table.phones
        self._draw_code = draw_code
        self._tell_code = tell_code
        self._codes = threading.RLock()
        self._first_run_code: str | None = None
        self._moving_code: str | None = None
        self._wrong_count = 0
        self._tries = Buckets(table.clock, TRIES_MAX, 1 / TRY_S)
        self._all_tries = Buckets(table.clock, ALL_TRIES_MAX, 1 / ALL_TRY_S)
        self._free_tries_used: Counter[str] = Counter()

    # The host.

    def first_run_code(self) -> str | None:
        """Return the code that makes a phone the host; ``None`` while there is a host.

        For the table's own screen and terminal only.
        """
        with self._codes:
            if self._phones.has_host():
                self._first_run_code = None
            elif self._first_run_code is None:
                is_short = self._wrong_count < SHORT_TRIES_MAX
                digits = CODE_DIGITS if is_short else LONG_CODE_DIGITS
                self._first_run_code = self._draw_code(digits)
            return self._first_run_code

    def moving_code(self) -> str:
        """Draw a code that makes one more phone the host, beside the present ones.

        For the host's phone alone, before the table moves to another network: there
        the table has another address, for which the browser has no cookie.
        """
        with self._codes:
            self._moving_code = self._draw_code(LONG_CODE_DIGITS)
            return self._moving_code

    def awaits_host(self) -> bool:
        """Tell whether some code would make a phone the host now."""
        return self.digits_count() > 0

    def digits_count(self) -> int:
        """Return the length of the code that would make a host now; 0 if none would."""
        with self._codes:
            return len(self.first_run_code() or self._moving_code or "")

    def become_host(self, phone: Phone, code: str, address: str) -> None:
        """Make this phone the host.

        Args:
            phone: Which phone.
            code: What was typed in.
            address: The network address that sent it; a stranger has only a few.

        Raises:
            Refused: ``not_yours`` for a wrong code or if there is a host already;
                ``limit_reached``, with the time to wait, after too many codes.
        """
        with self._codes:
            expected = self.first_run_code() or self._moving_code
            if expected is None:
                raise HOST_RULE.refuses(
                    Why.NOT_YOURS,
                    say("another phone is the host already"),
                    say("ask whoever opened the first game"),
                )
            self._check_tries(phone, address)
            if not secrets.compare_digest(expected.encode(), code.strip().encode()):
                if self._has_free_try(address):
                    self._free_tries_used[address] += 1
                raise self._wrong_code(expected)
            self._phones.make_host(phone)
            self._first_run_code = self._moving_code = None

    def _wrong_code(self, expected: str) -> Refused:
        """Count a wrong code and build its refusal; replace a short code if due."""
        self._wrong_count += 1
        remedy = say("look again; it has {count} digits", count=len(expected))
        if self._first_run_code and self._wrong_count == SHORT_TRIES_MAX:
            self._first_run_code = None
            code = self.first_run_code()
            assert code is not None, "there is no host"
            self._tell_code(code)
            remedy = say(
                "too many were wrong, so a new one of {count} digits stands there now",
                count=len(code),
            )
        message = say("that is not the code on the table's screen")
        return HOST_RULE.refuses(Why.NOT_YOURS, message, remedy)

    def _check_tries(self, phone: Phone, address: str) -> None:
        """Refuse a code after too many of this phone, address or everybody."""
        wait_s = self._tries.wait_s(address) or self._tries.wait_s(phone.phone)
        if not wait_s and not self._has_free_try(address):
            wait_s = self._all_tries.wait_s("all")
        if wait_s:
            raise LIMIT_RULE.refuses(
                Why.LIMIT_REACHED,
                say("too many codes at once"),
                wait_words(wait_s),
            )

    def _has_free_try(self, address: str) -> bool:
        """Tell whether the next code of an address is a free try."""
        if address in self._free_tries_used:
            return self._free_tries_used[address] < FREE_TRIES
        return len(self._free_tries_used) < ADDRESSES_MAX

    # Who a phone acts as.

    def acts_as(self, game_id: GameId, phone: Phone | None) -> str:
        """Return whom this phone acts for in a game; empty for a guest.

        A host without a seat acts as the bank while no seat keeps it, otherwise for the
        table as a whole.
        """
        if phone is None:
            return ""
        seat = self._phones.seat_of(game_id, phone)
        game = self._table.game(game_id)
        if seat is not None and game.seat(seat) is not None:
            return seat
        if not phone.is_host:
            return ""
        return BANK if game.banker == BANK else c.TABLE

    # Taking a seat.

    def take_seat(
        self, game_id: GameId, phone: Phone, seat: str, command_id: str
    ) -> None:
        """Let the phone hold a seat that no other phone holds (see ``_hold``).

        Raises:
            Refused: ``unknown_seat``, ``name_taken`` if a phone holds it, or
                ``table_locked``; the phone can then ask the banker.
        """
        with self._table.alone_with(game_id):
            game = self._table.game(game_id)
            known_seat(game, seat)
            if self._phones.seat_of(game_id, phone) != seat:
                if seat in self._phones.held_seats(game_id):
                    raise HOLDS_RULE.refuses(
                        Why.NAME_TAKEN,
                        say("another phone holds {seat}", seat=seat),
                        say("ask the banker to give it to this phone"),
                    )
                self._check_unlocked(game_id, phone)
            self._hold(game_id, seat, phone.phone, command_id)
        self._table.tell(game_id)

    def _hold(
        self,
        game_id: GameId,
        seat: str,
        phone_id: str,
        command_id: str,
        *commands: c.Command,
        is_tables_own: bool = False,
    ) -> None:
        """Give a phone a seat and carry out *commands*: all of it, or nothing.

        If no seat keeps the bank, a host's seat gets it; otherwise nobody would keep
        it, since a host with a seat does not act as the bank.
        """
        is_host = self._phones.is_host(phone_id)
        if is_host and self._table.game(game_id).banker == BANK:
            commands = (*commands, c.HandBanker(by=BANK, to=Seat(seat)))
        if not commands:
            self._phones.hold(game_id, seat, phone_id)
            return
        first, *then = commands
        if is_tables_own:
            self._table.check(game_id, first)  # ``submit`` would keep its refusal.
        tap = Envelope(first, command_id, is_tables_own=is_tables_own)
        with self._phones.holding(game_id, {seat: phone_id}) as also:
            self._table.submit(game_id, tap, *then, also=also)

    def join(
        self, game_id: GameId, phone: Phone, sitting: c.AddSeat, command_id: str
    ) -> None:
        """Add a new seat and let the phone hold it (see ``_hold``).

        Raises:
            Refused: As for ``AddSeat``; ``name_taken`` if this phone holds a seat
                already; ``table_locked`` or ``table_full`` if it ``must_ask``.
        """
        with self._table.alone_with(game_id):
            held = self._phones.seat_of(game_id, phone)
            if held is not None and self._table.game(game_id).seat(held):
                raise HOLDS_RULE.refuses(
                    Why.NAME_TAKEN,
                    say("this phone holds {held} already", held=held),
                    say("one phone, one seat"),
                )
            self._check_unlocked(game_id, phone)
            self._check_box(game_id, phone)
            self._hold(game_id, sitting.seat, phone.phone, command_id, sitting)
        self._table.tell(game_id)

    def must_ask(self, game_id: GameId, phone: Phone) -> bool:
        """Tell whether this phone has to ask the banker for a new seat.

        Unless it is a host's, it must if the table is locked or the box is full.
        """
        game = self._table.game(game_id)
        return not phone.is_host and (
            game.is_locked or full_box_limits(game) is not None
        )

    def _check_box(self, game_id: GameId, phone: Phone) -> None:
        """Refuse a phone, unless a host's, if the box is full."""
        limits = full_box_limits(self._table.game(game_id))
        if limits is not None and not phone.is_host:
            _, seats_max = limits
            raise SEATS_RULE.refuses(
                Why.TABLE_FULL,
                say("this box is for {most} at most", most=seats_max),
                say("ask to be let in"),
            )

    def _check_unlocked(self, game_id: GameId, phone: Phone) -> None:
        """Refuse a phone, unless a host's, if the table is locked."""
        if self._table.game(game_id).is_locked and not phone.is_host:
            raise SEATS_RULE.refuses(
                Why.TABLE_LOCKED,
                say("the banker has locked this table"),
                say("ask to be let in"),
            )

    def leave(self, game_id: GameId, phone: Phone) -> None:
        """Let the phone give up its seat; the seat stays in the game with its money."""
        with self._table.alone_with(game_id):
            seat = self._phones.seat_of(game_id, phone)
            if seat is not None:
                self.look_at_answer(game_id, phone)
                self._phones.release(game_id, seat)
        self._table.tell(game_id)

    # Asking the banker.

    def ask(
        self,
        game_id: GameId,
        phone: Phone,
        wish: Wish,
        seat: str,
        name: str = "",
        token: str = "",
        *,
        address: str,
    ) -> None:
        """Put a phone's request before the banker: to join, or to take a seat over.

        Args:
            game_id: Which game.
            phone: Which phone; this request replaces its earlier one.
            wish: Whether it asks to join, or to take a seat over.
            seat: The seat, or the colour of a new one.
            name: The name of a new seat.
            token: The token of a new seat.
            address: As for ``become_host``.

        Raises:
            Refused: ``limit_reached`` if too many phones of this address wait already;
                ``table_full`` if too many phones wait in all; ``unknown_seat``;
                ``malformed`` if the name, colour or token is not allowed.
        """
        with self._table.alone_with(game_id):
            game = self._table.game(game_id)
            if wish is Wish.RESUME:
                known_seat(game, seat)
            else:
                name = clean_name(name)
                check_look(seat, token)
            self._make_room(game_id, phone, address)
            self.look_at_answer(game_id, phone)
            self._phones.ask(game_id, phone, wish, seat, name, token, address)
        self._table.tell(game_id)

    def _make_room(self, game_id: GameId, phone: Phone, address: str) -> None:
        """Make sure that one more phone may wait for the banker.

        If too many wait, requests that can no longer be granted are dropped. If that
        does not suffice and this phone's address has no other request, the oldest
        request of the address that has most is dropped.

        Raises:
            Refused: If there is no room for this phone.
        """
        game, requests = self._table.game(game_id), self._phones.requests(game_id)
        others = [request for request in requests if request.phone != phone.phone]
        waiting = [request for request in others if _can_grant(game, request)]
        shares = Counter(request.address for request in waiting)
        if shares[address] >= REQUESTS_SHARE_MAX:
            raise LIMIT_RULE.refuses(
                Why.LIMIT_REACHED,
                say(
                    "{most} phones of this address already wait for the banker",
                    most=REQUESTS_SHARE_MAX,
                ),
                say("ask the banker to answer them"),
            )
        if len(others) < REQUESTS_MAX:
            return
        for request in others:
            if request not in waiting:  # It can no longer be granted.
                self._phones.settle(request)
        if len(waiting) < REQUESTS_MAX:
            return
        if shares[address]:
            raise DOOR_RULE.refuses(
                Why.TABLE_FULL,
                say("{most} phones already wait for the banker", most=REQUESTS_MAX),
                say("ask the banker to answer them"),
            )
        # ``max`` returns the first of equals, and the oldest request comes first.
        crowding = max(waiting, key=lambda request: shares[request.address])
        self._phones.settle(crowding)

    def waiting(self, game_id: GameId, by: str) -> tuple[JoinRequest, ...]:
        """Return the requests that wait in a game, if *by* is its banker."""
        if not by or not keeps_bank(self._table.game(game_id), by):
            return ()
        return self._list_grantable(game_id)

    def waits(self, game_id: GameId, phone: Phone) -> JoinRequest | None:
        """Return this phone's request if the banker can still answer it."""
        grantable = self._list_grantable(game_id)
        mine = (request for request in grantable if request.phone == phone.phone)
        return next(mine, None)

    def _list_grantable(self, game_id: GameId) -> tuple[JoinRequest, ...]:
        game, requests = self._table.game(game_id), self._phones.requests(game_id)
        return tuple(request for request in requests if _can_grant(game, request))

    def was_too_late(
        self, game_id: GameId, phone: Phone
    ) -> tuple[JoinRequest, Refused] | None:
        """Return this phone's request if it can no longer be granted, and why not.

        ``None`` otherwise. A late request stays until the phone asks for something
        else, or until it can be granted again.
        """
        game = self._table.game(game_id)
        for request in self._phones.requests(game_id):
            refusal = _find_refusal(game, request)
            if request.phone == phone.phone and refusal is not None:
                return request, refusal
        return None

    def answer(
        self, game_id: GameId, by: str, request: int, *, is_granted: bool
    ) -> None:
        """Let a waiting phone in, or send it away.

        Args:
            game_id: Which game.
            by: The banker; the caller has made sure of that.
            request: The number of the phone's request.
            is_granted: Whether the phone is let in.

        Raises:
            Refused: ``not_asked`` if the request is gone, or as for ``AddSeat``.
        """
        with self._table.alone_with(game_id):
            requests = self._phones.requests(game_id)
            asked = next((made for made in requests if made.request == request), None)
            if asked is None:
                raise DOOR_RULE.refuses(
                    Why.NOT_ASKED,
                    say("that phone no longer waits"),
                    say("wait until it asks again"),
                )
            told = LET_IN if is_granted else SENT_AWAY
            self._table.ticks.tick(game_id, told, asked.phone)
            try:
                if is_granted:
                    self._grant(game_id, by, asked)
                else:
                    self._send_away(asked)
            except Refused:
                self._table.ticks.untick(game_id, told, asked.phone)
                raise
        self._table.tell(game_id)

    def _send_away(self, asked: JoinRequest) -> None:
        """Settle a request, but keep how its phone filled the form in."""
        if asked.wish is Wish.JOIN:
            wish = (f"{asked.seat} {asked.token} {asked.name}",)
            self._table.ticks.put(asked.game_id, WISHED + asked.phone, wish)
        self._phones.settle(asked)  # Last: until then the banker can say no once more.

    def wished(self, game_id: GameId, phone: Phone) -> dict[str, str]:
        """Return the look of the new seat that this phone was not given, if any."""
        kept = self._table.ticks.done(game_id, WISHED + phone.phone)
        looks = (wish.split(" ", 2) for wish in kept)
        return dict(zip(("colour", "token", "name"), next(looks, ()), strict=False))

    def answered(self, game_id: GameId, phone: Phone) -> str:
        """Return the banker's answer to this phone, until it has looked at it.

        It is ``LET_IN``, ``SENT_AWAY``, or empty for none.
        """
        is_in = self._phones.seat_of(game_id, phone) is not None
        told = LET_IN if is_in else SENT_AWAY
        is_told = phone.phone in self._table.ticks.done(game_id, told)
        return told if is_told and (is_in or not self.waits(game_id, phone)) else ""

    def look_at_answer(self, game_id: GameId, phone: Phone) -> None:
        """Note that the phone has looked at the banker's answer, or asks anew."""
        for told in (LET_IN, SENT_AWAY):
            if phone.phone in self._table.ticks.done(game_id, told):
                self._table.ticks.untick(game_id, told, phone.phone)

    def _grant(self, game_id: GameId, by: str, asked: JoinRequest) -> None:
        """Give the phone that asked its seat, which may be a new one."""
        commands: tuple[c.Command, ...] = ()
        if asked.wish is Wish.JOIN:
            commands = (_build_add_seat(asked, by),)
        else:
            known_seat(self._table.game(game_id), asked.seat)
        tap = f"{GRANTED}{asked.request}-{asked.phone}"
        self._hold(game_id, asked.seat, asked.phone, tap, *commands, is_tables_own=True)


def _build_add_seat(asked: JoinRequest, by: str) -> c.AddSeat:
    return c.AddSeat(
        by=by,
        seat=Seat(asked.seat),
        name=asked.name,
        colour=asked.seat,
        token=asked.token,
    )


def _find_refusal(game: Game, asked: JoinRequest) -> Refused | None:
    """Return the refusal that a request would get now; ``None`` if it can be granted.

    The colour of a new seat may have been taken meanwhile, for example.
    """
    try:
        if asked.wish is Wish.JOIN:
            check_add(MoveRun(game), _build_add_seat(asked, c.TABLE))
    except Refused as refusal:
        return refusal
    return None


def _can_grant(game: Game, asked: JoinRequest) -> bool:
    return _find_refusal(game, asked) is None


def draw_first_run_code(digits: int) -> str:
    """Draw a code with this many digits from the operating system's generator."""
    return f"{secrets.randbelow(10**digits):0{digits}d}"


def in_threes(code: str) -> str:
    """Group the digits of a code for people to read: ``314 159``."""
    return " ".join(code[start : start + 3] for start in range(0, len(code), 3))
