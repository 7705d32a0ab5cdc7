"""Phones: who is the host, who holds which seat, who waits for the banker."""

from __future__ import annotations

import re
import sys
import threading
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
import sqlalchemy as sa

from companion.edition import builtin
from companion.edition.snapshot import snapshot
from companion.errors import Refused, Why
from companion.game import commands as c
from companion.game import moves as m
from companion.game.envelope import Envelope
from companion.rules.seats import COLOURS
from companion.store import Database, Phone, Phones, Wish
from companion.store.phones import DAY_MS, LIFETIME_MS, PHONES_MAX
from companion.table import build_table
from companion.table.seating import (
    ADDRESSES_MAX,
    ALL_TRIES_MAX,
    ALL_TRY_S,
    CODE_DIGITS,
    FREE_TRIES,
    LONG_CODE_DIGITS,
    REQUESTS_MAX,
    REQUESTS_SHARE_MAX,
    SHORT_TRIES_MAX,
    TRIES_MAX,
    TRY_S,
    draw_first_run_code,
    in_threes,
)
from companion.units import BANK, GameId, Seat, TimeMs
from tests.databases import ON_BOTH, of_file, quick_on_both
from tests.fakes import FakeClock
from tests.running import PATIENCE_S
from tests.sample import SLOW, VOLUME
from tests.scene import sitting

pytestmark = ON_BOTH

CODE, LONG_CODE = "271828", "271828182"
HOME = "192.168.1.20"
GUESSED = "192.168.1.66"


class House:
    """A table with one game, its host's phone, and its clock."""

    def __init__(self, directory: Path) -> None:
        self.clock = FakeClock()
        self.database = Database(directory)
        self.restart()
        self.host = self.phone()
        self.seating.become_host(self.host, CODE, HOME)
        self.host = self.known(self.host)
        self.game = self.table.open_game("classic", "Friday", "command-open")

    def restart(self) -> None:
        """The same file, read by a companion that was started anew."""
        self.told: list[str] = []
        built = build_table(
            self.database,
            self.clock,
            draw_first_code=lambda digits: LONG_CODE[:digits],
            tell_first_code=self.told.append,
        )
        self.table, self.seating = built.service, built.seating
        self.phones = self.table.phones

    def phone(self) -> Phone:
        """A phone that nobody has seen before."""
        return self.phones.issue(self.clock.now_ms())[0]

    def known(self, phone: Phone) -> Phone:
        """The same phone as the store knows it now."""
        return next(p for p in self.phones._by_hash.values() if p.phone == phone.phone)

    def give(self, command: c.Command) -> None:
        """Carry out a command under an id of its own."""
        number = self.table.table_view(self.game).revision
        self.table.submit(self.game, Envelope(command, f"command-{number}"))


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    made = House(tmp_path)
    yield made
    made.database.close()


def refusal(refused: pytest.ExceptionInfo[Refused]) -> Why:
    return refused.value.why


# The host.


def test_there_is_one_host_and_the_code_is_gone_with_it(house: House) -> None:
    assert house.seating.first_run_code() is None
    assert house.phones.has_host()
    with pytest.raises(Refused) as refused:
        house.seating.become_host(house.phone(), CODE, HOME)
    assert refusal(refused) is Why.NOT_YOURS


def test_a_forgotten_host_is_nobody_and_keeps_its_seat_from_others(
    house: House,
) -> None:
    lost, token = house.phones.issue(house.clock.now_ms(), is_host=True)
    house.seating.join(house.game, lost, sitting("red", BANK), "command-join")
    house.phones.forget_hosts()
    for _ in range(2):
        assert house.phones.authenticate(token) is None
        assert not house.phones.has_host()
        assert house.phones.held_seats(house.game) == {"red"}
        house.restart()


def guess(house: House, phone: Phone, code: str, address: str) -> Why | None:
    """Why this code made no host; ``None`` if it did."""
    try:
        house.seating.become_host(phone, code, address)
    except Refused as refused:
        return refused.why
    return None


def test_wrong_codes_make_their_phone_and_their_address_wait(house: House) -> None:
    house.phones.forget_hosts()
    guesser = house.phone()
    wrong = [guess(house, guesser, "000000", GUESSED) for _ in range(TRIES_MAX)]
    assert set(wrong) == {Why.NOT_YOURS}
    house.clock.advance(1_000)
    for phone, address in ((guesser, HOME), (house.phone(), GUESSED)):
        with pytest.raises(Refused) as refused:
            house.seating.become_host(phone, CODE, address)
        assert refusal(refused) is Why.LIMIT_REACHED
        assert refused.value.remedy == "wait 59 seconds, then go on"
        assert CODE not in str(refused.value)
    assert house.seating.first_run_code() == CODE
    house.clock.advance(59_000)
    assert guess(house, guesser, f" {CODE} ", GUESSED) is None
    assert house.known(guesser).is_host


def test_the_minutes_wait_ends_though_the_wall_clock_leaps_back(house: House) -> None:
    house.phones.forget_hosts()
    guesser = house.phone()
    for _ in range(TRIES_MAX):
        guess(house, guesser, "000000", GUESSED)
    house.clock.leap(-3_600_000)
    house.clock.advance(60_000)
    assert guess(house, guesser, CODE, GUESSED) is None


def looked_at(house: House, addresses: list[str], hours: int) -> int:
    """How many wrong codes are looked at, sent by a new phone from each each minute."""
    count = 0
    for minute in range(hours * 60):
        house.clock.advance(60_000)
        for address in addresses:
            name = f"phone {minute} {address}"
            phone = Phone(name, is_host=False, expires_ms=TimeMs(0))
            count += guess(house, phone, "0", address) is Why.NOT_YOURS
    return count


@pytest.mark.parametrize(
    ("addresses_count", "most"),
    [
        (1, 5 + 120),
        (253, 60 + 720 + 2 * 253),
        pytest.param(2_000, 60 + 720 + 2 * 600, marks=(SLOW, VOLUME)),
    ],
)
def test_guessing_is_as_hopeless_as_said(
    house: House, addresses_count: int, most: int
) -> None:
    house.phones.forget_hosts()
    addresses = [f"10.0.0.{number}" for number in range(addresses_count)]
    count = looked_at(house, addresses, hours=2)
    assert 0.9 * most < count <= most
    came_in = guess(house, house.phone(), LONG_CODE, HOME)
    assert came_in is (None if addresses_count < ADDRESSES_MAX else Why.LIMIT_REACHED)


@pytest.mark.parametrize(
    ("mistypes_count", "came_in"), [(1, None), (2, Why.LIMIT_REACHED)]
)
def test_who_mistypes_once_comes_in_though_every_other_address_guesses(
    house: House, mistypes_count: int, came_in: Why | None
) -> None:
    house.phones.forget_hosts()
    looked_at(house, [f"10.0.0.{number}" for number in range(253)], hours=2)
    host = house.phone()
    for _ in range(mistypes_count):
        assert guess(house, host, "271828128", HOME) is Why.NOT_YOURS
    assert guess(house, host, LONG_CODE, HOME) is came_in


def test_of_a_short_code_ten_tries_are_looked_at_from_however_many(
    house: House,
) -> None:
    """Then it is a long one, which all screens and the terminal show at once."""
    house.phones.forget_hosts()
    for number in range(SHORT_TRIES_MAX):
        assert house.seating.first_run_code() == CODE
        assert house.told == []
        address = f"10.0.0.{number}"
        assert guess(house, house.phone(), "271829", address) is Why.NOT_YOURS
    assert house.told == [LONG_CODE]
    assert house.seating.first_run_code() == LONG_CODE
    assert house.seating.digits_count() == LONG_CODE_DIGITS
    assert guess(house, house.phone(), CODE, HOME) is Why.NOT_YOURS
    assert guess(house, house.phone(), LONG_CODE, HOME) is None
    house.phones.forget_hosts()
    assert house.seating.first_run_code() == LONG_CODE, "it stays long"
    house.restart()
    assert house.seating.first_run_code() == CODE


def test_who_typed_the_last_wrong_one_is_told_that_there_is_another(
    house: House,
) -> None:
    house.phones.forget_hosts()
    said = []
    for number in range(SHORT_TRIES_MAX):
        with pytest.raises(Refused) as refused:
            house.seating.become_host(house.phone(), "0", f"10.0.0.{number}")
        said.append(refused.value.remedy)
    assert set(said[:-1]) == {"look again; it has 6 digits"}
    assert "a new one of 9 digits" in said[-1]


def test_the_code_of_a_host_that_moves_is_long_and_stays(house: House) -> None:
    """Nothing could show another to a phone that the table no longer knows."""
    code = house.seating.moving_code()
    assert code == LONG_CODE
    for number in range(2 * SHORT_TRIES_MAX):
        guess(house, house.phone(), "0", f"10.0.0.{number}")
    assert house.told == []
    assert guess(house, house.phone(), code, HOME) is None


def test_a_code_is_guessed_as_seldom_as_the_note_on_security_says() -> None:
    """By the numbers of tries that the tests above count."""
    one_day = 24 * 3600
    of_one = TRIES_MAX + one_day // TRY_S
    of_all = ALL_TRIES_MAX + one_day // ALL_TRY_S + FREE_TRIES * ADDRESSES_MAX
    assert SHORT_TRIES_MAX / 10**CODE_DIGITS <= 1 / 100_000
    assert of_one / 10**LONG_CODE_DIGITS <= 1 / 690_000
    assert of_all / 10**LONG_CODE_DIGITS <= 1 / 100_000


@pytest.mark.parametrize("digits", [CODE_DIGITS, LONG_CODE_DIGITS])
def test_a_drawn_code_has_its_digits(digits: int) -> None:
    drawn = [draw_first_run_code(digits) for _ in range(50)]
    assert all(re.fullmatch(f"[0-9]{{{digits}}}", code) for code in drawn)
    assert len(set(drawn)) > 45


@pytest.mark.parametrize(
    ("code", "shown"), [("314159", "314 159"), ("314159265", "314 159 265")]
)
def test_a_code_is_shown_three_digits_at_a_time(code: str, shown: str) -> None:
    assert in_threes(code) == shown


# Who a phone acts as.


@quick_on_both
def test_a_phone_acts_as_its_seat_the_bank_the_table_or_nobody(house: House) -> None:
    acts_as = house.seating.acts_as
    guest, phone = house.phone(), house.phone()
    assert acts_as(house.game, None) == acts_as(house.game, guest) == ""
    assert acts_as(house.game, house.host) == BANK
    house.seating.join(house.game, phone, sitting("red", BANK), "command-join")
    assert acts_as(house.game, phone) == "red"
    house.give(c.HandBanker(by=BANK, to=Seat("red")))
    assert acts_as(house.game, house.host) == c.TABLE
    house.give(c.RemoveSeat(by="red", seat=Seat("red")))
    assert acts_as(house.game, phone) == ""
    assert acts_as(house.game, house.host) == BANK


def test_a_seat_of_one_game_is_nobody_in_another(house: House) -> None:
    phone = house.phone()
    house.seating.join(house.game, phone, sitting("red", BANK), "command-join")
    other = house.table.open_game("classic", "Sunday", "command-other")
    assert house.seating.acts_as(other, phone) == ""


# Seats.


def test_a_held_seat_is_not_taken_and_a_left_one_is(house: House) -> None:
    first, second = house.phone(), house.phone()
    house.seating.join(house.game, first, sitting("red", BANK), "command-join")
    with pytest.raises(Refused) as refused:
        house.seating.take_seat(house.game, second, "red", "command-take")
    assert refusal(refused) is Why.NAME_TAKEN
    house.seating.leave(house.game, first)
    house.seating.take_seat(house.game, second, "red", "command-take")
    assert house.seating.acts_as(house.game, first) == ""
    assert house.seating.acts_as(house.game, second) == "red"
    with pytest.raises(Refused) as refused:
        house.seating.take_seat(house.game, first, "pink", "command-take")
    assert refusal(refused) is Why.UNKNOWN_SEAT


def test_a_tap_that_another_phone_made_gives_nobody_that_seat(house: House) -> None:
    """An export shows the ids of taps to everybody."""
    anna, ben = house.phone(), house.phone()
    for phone in (anna, ben):
        house.seating.join(house.game, phone, sitting("red", BANK), "command-join")
        for _ in range(2):
            assert house.phones.holders(house.game) == {"red": anna.phone}
            house.restart()


def test_one_phone_has_one_seat(house: House) -> None:
    phone = house.phone()
    house.seating.join(house.game, phone, sitting("red", BANK), "command-join-1")
    with pytest.raises(Refused) as refused:
        house.seating.join(house.game, phone, sitting("blue", BANK), "command-join-2")
    assert refusal(refused) is Why.NAME_TAKEN
    house.give(sitting("blue", BANK))
    house.seating.take_seat(house.game, phone, "blue", "command-take")
    assert house.phones.held_seats(house.game) == {"blue"}


def test_a_locked_table_takes_nobody_but_the_host(house: House) -> None:
    house.give(sitting("red", BANK))
    house.give(c.LockTable(by=BANK))
    phone = house.phone()
    seating, join = house.seating, sitting("blue", BANK)
    enters: tuple[Callable[[], None], ...] = (
        partial(seating.take_seat, house.game, phone, "red", "command-take"),
        partial(seating.join, house.game, phone, join, "command-join"),
    )
    for enter in enters:
        with pytest.raises(Refused) as refused:
            enter()
        assert refusal(refused) is Why.TABLE_LOCKED
    house.seating.take_seat(house.game, house.host, "red", "command-take")
    assert house.seating.acts_as(house.game, house.host) == "red"


# Asking the banker.


def wish_to_join(house: House, seat: str, address: str = HOME) -> Phone:
    phone, token, name = house.phone(), sitting(seat).token, seat.title()
    house.seating.ask(house.game, phone, Wish.JOIN, seat, name, token, address=address)
    return phone


def answer(house: House, *, is_granted: bool) -> None:
    (asked,) = house.seating.waiting(house.game, BANK)
    house.seating.answer(house.game, BANK, asked.request, is_granted=is_granted)


def test_every_phone_that_the_banker_lets_in_gets_its_seat(house: House) -> None:
    """Not only the first: the numbers of answered requests are free again."""
    house.give(c.LockTable(by=BANK))
    for seat in ("red", "blue", "green"):
        phone = wish_to_join(house, seat)
        assert house.seating.waits(house.game, phone)
        answer(house, is_granted=True)
        assert not house.seating.waits(house.game, phone)
        assert house.seating.acts_as(house.game, phone) == seat
    assert len(house.table.game(house.game).present()) == 3


def test_no_seat_can_use_up_the_id_of_a_request_to_come(house: House) -> None:
    house.give(sitting("red", BANK))
    pot = c.Pay(by="red", payer=Seat("red"), payee="pot", amount=1)  # type: ignore[arg-type]
    for number in range(1, 4):
        house.table.submit(house.game, Envelope(pot, f"request-{number:08d}"))
    phone = wish_to_join(house, "blue")
    answer(house, is_granted=True)
    assert house.seating.acts_as(house.game, phone) == "blue"


def test_a_phone_that_is_sent_away_has_no_seat(house: House) -> None:
    phone = wish_to_join(house, "red")
    answer(house, is_granted=False)
    assert not house.seating.waits(house.game, phone)
    assert house.seating.acts_as(house.game, phone) == ""
    assert house.table.game(house.game).present() == ()


def test_of_two_who_ask_for_a_colour_the_second_is_told_that_it_is_taken(
    house: House,
) -> None:
    """By a tap of the banker on an older page too, and after a restart."""
    first, second = wish_to_join(house, "red"), wish_to_join(house, "red")
    one, other = house.seating.waiting(house.game, BANK)
    assert house.seating.was_too_late(house.game, second) is None
    house.seating.answer(house.game, BANK, one.request, is_granted=True)
    assert house.seating.acts_as(house.game, first) == "red"
    for _ in range(2):
        with pytest.raises(Refused) as refused:
            house.seating.answer(house.game, BANK, other.request, is_granted=True)
        assert refusal(refused) is Why.NAME_TAKEN
        house.restart()
        assert house.seating.waiting(house.game, BANK) == ()
        assert not house.seating.waits(house.game, second)
        late = house.seating.was_too_late(house.game, second)
        assert late is not None
        assert (late[0].name, late[1].why) == ("Red", Why.NAME_TAKEN)
    assert house.seating.was_too_late(house.game, first) is None
    house.seating.ask(house.game, second, Wish.JOIN, "blue", "Ben", "cat", address=HOME)
    assert house.seating.was_too_late(house.game, second) is None
    answer(house, is_granted=True)
    assert house.seating.acts_as(house.game, second) == "blue"


def test_a_phone_that_was_too_late_waits_again_once_the_colour_is_free(
    house: House,
) -> None:
    phone = wish_to_join(house, "red")
    house.give(sitting("red", BANK))
    assert not house.seating.waits(house.game, phone)
    house.give(c.RemoveSeat(by=BANK, seat=Seat("red")))
    assert house.seating.waits(house.game, phone)
    answer(house, is_granted=True)
    assert house.seating.acts_as(house.game, phone) == "red"


def test_a_yes_that_the_rules_refuse_now_may_go_through_later(house: House) -> None:
    for seat in ("red", "blue"):
        house.give(sitting(seat, BANK))
    phone = wish_to_join(house, "green")
    house.give(m.BeginPlay(by=BANK, rules=snapshot(builtin("classic"))))
    with pytest.raises(Refused) as refused:
        answer(house, is_granted=True)
    assert refusal(refused) is Why.WRONG_STAGE
    assert house.seating.waits(house.game, phone)
    house.give(m.RestPlay(by=BANK))
    answer(house, is_granted=True)
    assert house.seating.acts_as(house.game, phone) == "green"


def test_who_was_told_makes_room_for_those_who_can_still_be_let_in(
    house: House,
) -> None:
    late = [wish_to_join(house, "red", f"10.0.0.{n}") for n in range(REQUESTS_MAX)]
    house.give(sitting("red", BANK))
    phone = wish_to_join(house, "blue")
    assert house.seating.waits(house.game, phone)
    assert [house.seating.was_too_late(house.game, one) for one in late] == [None] * 16


# A seat that is taken away.


def removed_and_taken_by_another(house: House, *, is_restarted: bool) -> Phone:
    """Anna's phone, after the host gave her red seat to somebody without a phone."""
    phone = house.phone()
    house.seating.join(house.game, phone, sitting("red", BANK, "Anna"), "anna-joins")
    house.give(c.RemoveSeat(by=BANK, seat=Seat("red")))
    if is_restarted:
        house.restart()
    house.give(sitting("red", BANK, "Cara"))
    return phone


@pytest.mark.parametrize("is_restarted", [False, True])
def test_a_phone_whose_seat_was_removed_never_becomes_the_next_of_that_colour(
    house: House, is_restarted: bool
) -> None:
    anna = removed_and_taken_by_another(house, is_restarted=is_restarted)
    for _ in range(2):
        assert house.seating.acts_as(house.game, anna) == ""
        assert house.phones.held_seats(house.game) == frozenset()
        house.restart()
    cara = house.phone()
    house.seating.take_seat(house.game, cara, "red", "command-take")
    assert house.seating.acts_as(house.game, cara) == "red"


def test_an_older_file_that_kept_the_phone_of_a_removed_seat_forgets_it_too(
    house: House,
) -> None:
    """As it was written before a removed seat let its phone go."""
    phone = house.phone()
    house.seating.join(house.game, phone, sitting("red", BANK), "command-join")
    house.give(c.RemoveSeat(by=BANK, seat=Seat("red")))
    house.phones.hold(house.game, "red", phone.phone)
    house.restart()
    house.give(sitting("red", BANK, "Cara"))
    assert house.seating.acts_as(house.game, phone) == ""


def test_nobody_asks_any_more_for_the_seat_of_somebody_who_left(house: House) -> None:
    dead, fresh, other = house.phone(), house.phone(), house.phone()
    house.seating.join(house.game, dead, sitting("red", BANK, "Anna"), "anna-joins")
    house.give(sitting("blue", BANK, "Ben"))
    house.seating.ask(house.game, fresh, Wish.RESUME, "red", address=HOME)
    house.seating.ask(house.game, other, Wish.RESUME, "blue", address=HOME)
    house.give(c.RemoveSeat(by=BANK, seat=Seat("red")))
    house.give(sitting("red", BANK, "Cara"))
    for _ in range(2):
        (asked,) = house.seating.waiting(house.game, BANK)
        assert asked.phone == other.phone
        house.restart()


def test_a_removed_player_may_sit_down_again(house: House) -> None:
    phone = house.phone()
    house.seating.join(house.game, phone, sitting("red", BANK), "command-join-1")
    house.give(c.RemoveSeat(by=BANK, seat=Seat("red")))
    house.seating.join(house.game, phone, sitting("red", BANK), "command-join-2")
    assert house.seating.acts_as(house.game, phone) == "red"


def test_a_seat_moves_to_another_phone_with_the_bankers_word(house: House) -> None:
    dead, fresh = house.phone(), house.phone()
    house.seating.join(house.game, dead, sitting("red", BANK), "command-join")
    house.seating.ask(house.game, fresh, Wish.RESUME, "red", address=HOME)
    answer(house, is_granted=True)
    assert house.seating.acts_as(house.game, dead) == ""
    assert house.seating.acts_as(house.game, fresh) == "red"


def test_only_the_banker_sees_requests(house: House) -> None:
    house.give(sitting("red", BANK))
    phone = wish_to_join(house, "blue")
    for by in ("", "red", "blue", "pink"):
        assert house.seating.waiting(house.game, by) == ()
    with pytest.raises(Refused) as refused:
        house.seating.answer(house.game, BANK, 99, is_granted=True)
    assert refusal(refused) is Why.NOT_ASKED
    assert house.seating.waits(house.game, phone)


def test_a_request_replaces_the_phones_earlier_one_and_the_queue_has_an_end(
    house: House,
) -> None:
    phone = house.phone()
    for seat in ("red", "blue"):
        house.seating.ask(house.game, phone, Wish.JOIN, seat, seat, "hat", address=HOME)
    assert [r.seat for r in house.seating.waiting(house.game, BANK)] == ["blue"]
    for number in range(REQUESTS_MAX - 1):
        wish_to_join(house, "red", f"10.0.0.{number}")
    with pytest.raises(Refused) as refused:
        wish_to_join(house, "red")
    assert refusal(refused) is Why.TABLE_FULL
    with pytest.raises(Refused) as refused:
        house.seating.ask(
            house.game, phone, Wish.JOIN, "red", "\u202e", "hat", address=HOME
        )
    assert refusal(refused) is Why.MALFORMED


def test_one_address_has_only_a_few_wishes_and_makes_room_for_another(
    house: House,
) -> None:
    strangers = [f"10.0.0.{number}" for number in range(4)]
    first = [wish_to_join(house, "red", one) for one in strangers]
    for address in strangers:
        for _ in range(REQUESTS_SHARE_MAX - 1):
            wish_to_join(house, "red", address)
        with pytest.raises(Refused, match="of this address already wait") as refused:
            wish_to_join(house, "red", address)
        assert refusal(refused) is Why.LIMIT_REACHED
    assert len(house.seating.waiting(house.game, BANK)) == REQUESTS_MAX
    grandmother = wish_to_join(house, "blue")
    assert [bool(house.seating.waits(house.game, one)) for one in first] == [
        False,
        *[True] * 3,
    ]
    with pytest.raises(Refused, match="16 phones already wait") as refused:
        wish_to_join(house, "red", strangers[0])
    assert refusal(refused) is Why.TABLE_FULL
    assert house.seating.waits(house.game, grandmother)


def test_wishes_from_before_a_restart_count_as_one_address(house: House) -> None:
    first, *others = (
        wish_to_join(house, "red", f"10.0.0.{n}") for n in range(REQUESTS_MAX)
    )
    house.restart()
    newest = wish_to_join(house, "blue", "10.0.0.1")
    assert house.seating.waits(house.game, newest)
    assert not house.seating.waits(house.game, first)
    assert all(house.seating.waits(house.game, one) for one in others)


# What the store remembers.


def test_a_phone_in_use_is_renewed_once_a_day_and_never_forgotten(
    house: House,
) -> None:
    phone, token = house.phones.issue(house.clock.now_ms())
    written: list[int] = []
    sa.event.listen(
        house.database._engine, "commit", lambda _: written.append(1), named=False
    )
    for _ in range(400):
        for _ in range(3):
            known = house.phones.authenticate(token)
            assert known is not None, "forgotten, though it was used daily"
            house.phones.renew(known, house.clock.now_ms())
        house.clock.leap(DAY_MS)
    assert len(written) == 399
    assert house.known(phone).expires_ms == house.clock.now_ms() - DAY_MS + LIFETIME_MS
    house.restart()
    assert house.phones.authenticate(token) is not None


def test_phones_seats_and_requests_survive_a_restart(house: House) -> None:
    phone, token = house.phones.issue(house.clock.now_ms())
    house.seating.join(house.game, phone, sitting("red", BANK), "command-join")
    waiting = wish_to_join(house, "blue")
    again = Phones(house.database)
    assert again.authenticate(token) == phone
    assert again.seat_of(house.game, phone) == "red"
    assert [r.phone for r in again.requests(house.game)] == [waiting.phone]


@of_file
def test_a_token_is_not_on_disk_and_a_forged_one_is_nobody(
    house: House,
) -> None:
    phone, token = house.phones.issue(house.clock.now_ms())
    kept = b"".join(p.read_bytes() for p in house.database.path.parent.iterdir())
    assert phone.phone.encode() in kept
    assert token.encode() not in kept
    assert house.phones.authenticate(token) == phone
    for forged in ("", token[:-1], token + "x", "\ud800", phone.phone):
        assert house.phones.authenticate(forged) is None


def test_phones_are_not_remembered_without_end(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert PHONES_MAX == 2_000
    monkeypatch.setattr("companion.store.phones.PHONES_MAX", 5)
    seated = house.phone()
    house.seating.join(house.game, seated, sitting("red", BANK), "command-join")
    for _ in range(20):
        house.clock.advance(1)
        house.phone()
    assert len(house.phones._by_hash) == 5
    assert house.seating.acts_as(house.game, seated) == "red"
    assert house.phones.has_host()


def test_phones_sit_down_while_games_are_opened(house: House) -> None:
    games = [house.table.open_game("classic", f"{n}", f"command-{n}") for n in "abcd"]
    guests = [[house.phone() for _ in COLOURS] for _ in games]
    begin = threading.Barrier(len(games) + 1)

    def sit(game: GameId, phones: list[Phone]) -> None:
        begin.wait()
        for seat, phone in zip(COLOURS, phones, strict=True):
            house.seating.join(game, phone, sitting(seat), f"sit-{seat}-{game}")

    def open_games() -> None:
        begin.wait()
        for number in range(20):
            house.table.open_game("classic", "Saturday", f"saturday-{number}")

    threads = [
        threading.Thread(target=sit, args=x) for x in zip(games, guests, strict=True)
    ]
    threads.append(threading.Thread(target=open_games))
    for thread in threads:
        thread.daemon = True
        thread.start()
    for thread in threads:
        thread.join(PATIENCE_S)
    assert not any(thread.is_alive() for thread in threads), "they wait for each other"
    assert all(len(house.table.game(game).present()) == len(COLOURS) for game in games)


def test_phones_may_come_from_many_threads_at_once(house: House) -> None:
    """The host's row is rewritten while new phones come in and others ask."""
    wrong: list[BaseException] = []
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    begin = threading.Barrier(3)

    def come() -> None:
        try:
            begin.wait()
            for _ in range(60):
                phone, token = house.phones.issue(house.clock.now_ms())
                known = house.phones.authenticate(token)
                assert known == phone, "a new phone was forgotten"
                house.phones.hold(house.game, phone.phone, phone.phone)
                assert house.phones.seat_of(house.game, phone) == phone.phone
        except BaseException as error:
            wrong.append(error)

    def rewrite() -> None:
        try:
            begin.wait()
            for _ in range(120):
                house.phones.make_host(house.host)
        except BaseException as error:
            wrong.append(error)

    threads = [threading.Thread(target=act) for act in (come, come, rewrite)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    sys.setswitchinterval(interval)
    assert wrong == []
    assert len(house.phones._by_hash) == 121


def test_strangers_do_not_crowd_out_a_phone_that_waits_for_the_banker(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.store.phones.PHONES_MAX", 5)
    waiting = wish_to_join(house, "blue")
    for _ in range(20):
        house.clock.advance(1)
        house.phone()
    assert house.seating.waits(house.game, waiting)
    answer(house, is_granted=True)
    assert house.seating.acts_as(house.game, waiting) == "blue"
