"""Phones on disk: who holds which seat, and who waits for the banker.

A phone *holds* the seat for which it plays. To join late with a new seat, or to take
over one that another phone holds, a phone asks the banker.

A phone proves itself by a random token. Only the token's SHA-256 is kept, so a copy of
the file lets nobody in. Everything is also held in memory: there is only one process,
and every web request needs it.

No phone is forgotten because of the date, since the clock of a Pi without power stands
still, or falls back to 1970, until it finds a network. Phones are forgotten only to
make room, and only those that are no host, hold no seat and do not wait; they lose
nothing.
"""

from __future__ import annotations

import enum
import hashlib
import secrets
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import msgspec
import sqlalchemy as sa

from companion.store import schema
from companion.store.base import Act, Store
from companion.units import GameId, TimeMs


class Wish(enum.StrEnum):
    """What a waiting phone asks the banker for."""

    JOIN = "join"  # A new seat.
    RESUME = "resume"  # A seat that another phone holds.


class JoinRequest(msgspec.Struct, frozen=True):
    """A phone that waits for the banker of a game.

    Attributes:
        address: The network address that sent it; not stored, so empty after a restart.
    """

    request: int
    game_id: GameId
    phone: str
    wish: Wish
    seat: str
    name: str
    token: str
    address: str = ""


def vacate(connection: sa.Connection, game_id: GameId, seat: str) -> None:
    """Delete on disk who holds a seat, and requests to take it over.

    This belongs to the transaction of the event that removes or adds the seat.
    """
    where = {"game_id": game_id, "seat": seat}
    schema.delete(connection, schema.holdings, **where)
    schema.delete(connection, schema.requests, **where, wish=Wish.RESUME.value)


def forget_game(connection: sa.Connection, game_id: GameId) -> None:
    """Delete on disk who holds or requests seats of this game."""
    for table in (schema.holdings, schema.requests):
        schema.delete(connection, table, game_id=game_id)


TOKEN_BYTES = 24
"""The length of a token: 192 random bits."""

DAY_MS = 24 * 3600 * 1000

LIFETIME_MS = 180 * DAY_MS
"""How long a phone keeps its cookie after it was last renewed."""

RENEW_MS = DAY_MS
"""The interval at which a phone in use is renewed; not every request may write."""

PHONES_MAX = 2_000
"""Phones remembered at a time; those away the longest make room for new ones."""


class Phone(msgspec.Struct, frozen=True):
    """A phone that is known here.

    Attributes:
        phone: Its id, which is no secret.
        is_host: Whether it may open games.
        expires_ms: When its cookie ends, by this machine's clock.
    """

    phone: str
    is_host: bool
    expires_ms: TimeMs


class _PhoneRow(Phone, frozen=True):
    """A row of ``schema.phones``."""

    token_sha256: str


class _Holding(msgspec.Struct, frozen=True):
    """A row of ``schema.holdings``: the phone that holds a seat."""

    game_id: GameId
    seat: str
    phone: str


class Phones:
    """All phones of one database; ``JournalFault`` if their tables are damaged.

    Attributes:
        table_id: The table's id, by which phones tell several tables apart.
    """

    def __init__(self, database: Store) -> None:
        self.table_id = database.table_id
        self._database = database
        # Writers replace these mappings as a whole, so readers need no lock.
        self._writing = threading.RLock()
        self._by_hash = {
            row.token_sha256: Phone(row.phone, row.is_host, row.expires_ms)
            for row in database.rows(schema.phones, _PhoneRow)
        }
        self._holders: dict[tuple[str, str], str] = {
            (row.game_id, row.seat): row.phone
            for row in database.rows(schema.holdings, _Holding)
        }
        self._requests = database.rows(schema.requests, JoinRequest)

    # Phones and hosts.

    def issue(self, now_ms: int, *, is_host: bool = False) -> tuple[Phone, str]:
        """Register a new phone; return it with its token, which is never stored."""
        token = secrets.token_urlsafe(TOKEN_BYTES)
        expires_ms = TimeMs(now_ms + LIFETIME_MS)
        phone = Phone(secrets.token_hex(8), is_host, expires_ms)
        row = {**msgspec.structs.asdict(phone), "token_sha256": _hash(token)}
        with self._writing:
            self._forget(self._superfluous())
            with self._database.transaction() as connection:
                connection.execute(schema.phones.insert(), row)
            self._by_hash = {**self._by_hash, _hash(token): phone}
            return phone, token

    def authenticate(self, token: str) -> Phone | None:
        """Return the phone with this token; None if it is forged or forgotten."""
        return self._by_hash.get(_hash(token))

    def renew(self, phone: Phone, now_ms: int) -> Phone | None:
        """Give a phone its whole lifetime again; ``None`` if it was renewed lately.

        Raises:
            JournalFault: If it could not be written; the phone is as it was.
        """
        expires_ms = TimeMs(now_ms + LIFETIME_MS)
        # Not renewed if the end differs little; a wrong clock may have set it too late.
        if abs(expires_ms - phone.expires_ms) < RENEW_MS:
            return None
        return self._change(phone, expires_ms=expires_ms)

    def _change(self, phone: Phone, **change: object) -> Phone | None:
        """Apply *change* to a phone on disk and in memory; ``None`` if it is gone."""
        table = schema.phones
        with self._writing:
            with self._database.transaction() as connection:
                row = table.c.phone == phone.phone
                connection.execute(table.update().where(row).values(**change))
            for key, old in self._by_hash.items():
                if old.phone == phone.phone:
                    new = msgspec.structs.replace(old, **change)
                    self._by_hash = {**self._by_hash, key: new}
                    return new
        return None

    def has_host(self) -> bool:
        """Tell whether some phone may open games."""
        return any(phone.is_host for phone in self._by_hash.values())

    def is_host(self, phone_id: str) -> bool:
        """Tell whether the phone of this id may open games."""
        return any(
            phone.is_host and phone.phone == phone_id
            for phone in self._by_hash.values()
        )

    def make_host(self, phone: Phone) -> None:
        """Let this phone open games."""
        self._change(phone, is_host=True)

    def forget_hosts(self) -> None:
        """Let no phone open games any more, until one sends a first-run code.

        A host's phone may be lost, so its token becomes invalid, too. It keeps its
        seats, so that a finder cannot take them; the banker can give them away.
        """
        table, by_hash = schema.phones, {}
        with self._writing:
            with self._database.transaction() as connection:
                for key, phone in self._by_hash.items():
                    if not phone.is_host:
                        by_hash[key] = phone
                        continue
                    nobodys = _hash(secrets.token_urlsafe(TOKEN_BYTES))
                    changed = table.update().where(table.c.phone == phone.phone)
                    new = {"is_host": False, "token_sha256": nobodys}
                    connection.execute(changed.values(new))
                    by_hash[nobodys] = msgspec.structs.replace(phone, is_host=False)
            self._by_hash = by_hash

    def _superfluous(self) -> list[str]:
        """Return the ids of the phones to forget, to make room for a new one."""
        surplus = len(self._by_hash) - PHONES_MAX + 1
        if surplus <= 0:
            return []
        needed = {
            *self._holders.values(),
            *(request.phone for request in self._requests),
        }
        spare = sorted(
            (phone.expires_ms, phone.phone)
            for phone in self._by_hash.values()
            if phone.phone not in needed and not phone.is_host
        )
        return [phone for _, phone in spare[:surplus]]

    def _forget(self, phones: list[str]) -> None:
        if not phones:
            return
        with self._database.transaction() as connection:
            table = schema.phones
            connection.execute(table.delete().where(table.c.phone.in_(phones)))
        self._by_hash = {
            token_hash: phone
            for token_hash, phone in self._by_hash.items()
            if phone.phone not in phones
        }

    # Seats.

    def seat_of(self, game_id: GameId, phone: Phone) -> str | None:
        """Return the seat that this phone holds in this game; ``None`` for no seat."""
        for (game, seat), holder in self._holders.items():
            if game == game_id and holder == phone.phone:
                return seat
        return None

    def games_of(self, phone: str) -> frozenset[GameId]:
        """Return the games in which the phone with that id holds a seat."""
        held = self._holders.items()
        return frozenset(GameId(game) for (game, _), holder in held if holder == phone)

    def held_seats(self, game_id: GameId) -> frozenset[str]:
        """Return the seats of this game that some phone holds."""
        return frozenset(seat for game, seat in self._holders if game == game_id)

    def holders(self, game_id: GameId) -> dict[str, str]:
        """Return the ids of the phones that hold seats of this game, by seat."""
        held = self._holders.items()
        return {seat: phone for (game, seat), phone in held if game == game_id}

    def hold(self, game_id: GameId, seat: str, phone_id: str) -> None:
        """Give a seat to a phone, as ``holding`` does."""
        with self.holding(game_id, {seat: phone_id}) as act:
            self._database.write(act)

    @contextmanager
    def holding(self, game_id: GameId, holders: Mapping[str, str]) -> Iterator[Act]:
        """Yield the act that gives phones their seats; earlier holders lose them.

        A phone loses any other seat of the game, and its request in it is settled.
        Memory is updated when the context is left, if the act was carried out; for a
        repeated tap it is not.

        Args:
            game_id: Which game.
            holders: The ids of the phones, by the seat that each is given.
        """
        table, phones = schema.holdings, set(holders.values())
        is_written = False

        def act(connection: sa.Connection) -> None:
            nonlocal is_written
            is_written = True
            for seat, phone in holders.items():
                is_either = sa.or_(table.c.seat == seat, table.c.phone == phone)
                freed = table.delete().where(table.c.game_id == game_id, is_either)
                connection.execute(freed)
                where = {"game_id": game_id, "phone": phone}
                connection.execute(table.insert(), {**where, "seat": seat})
                schema.delete(connection, schema.requests, **where)

        with self._writing:
            yield act
            if not is_written:
                return
            kept = {
                (game, seat): holder
                for (game, seat), holder in self._holders.items()
                if game != game_id or not (seat in holders or holder in phones)
            }
            given = {(game_id, seat): phone for seat, phone in holders.items()}
            self._holders = kept | given
            self._requests = [
                request
                for request in self._requests
                if request.game_id != game_id or request.phone not in phones
            ]

    def release(self, game_id: GameId, seat: str) -> None:
        """Take a seat from the phone that holds it."""
        where = {"game_id": game_id, "seat": seat}
        with self._writing:
            with self._database.transaction() as connection:
                schema.delete(connection, schema.holdings, **where)
            self._let_go(game_id, seat)

    def forget_seat(self, game_id: GameId, seat: str) -> None:
        """Forget in memory who holds or requests this seat, as ``vacate`` did on disk.

        A phone that asks to join with a new seat of that colour goes on waiting.
        """
        with self._writing:
            self._let_go(game_id, seat)
            settled = (game_id, seat, Wish.RESUME)
            self._requests = [
                request
                for request in self._requests
                if (request.game_id, request.seat, request.wish) != settled
            ]

    def _let_go(self, game_id: GameId, seat: str) -> None:
        """Forget in memory who holds a seat."""
        key = (game_id, seat)
        self._holders = {k: p for k, p in self._holders.items() if k != key}

    def forget_game(self, game_id: GameId) -> None:
        """Forget a deleted game in memory, as ``wishes.forget_game`` did on disk."""
        with self._writing:
            self._holders = {
                (game, seat): phone
                for (game, seat), phone in self._holders.items()
                if game != game_id
            }
            self._requests = [
                request for request in self._requests if request.game_id != game_id
            ]

    # Requests to the banker.

    def requests(self, game_id: GameId) -> tuple[JoinRequest, ...]:
        """Return the phones that wait in this game, the longest waiting first."""
        return tuple(
            request for request in self._requests if request.game_id == game_id
        )

    def ask(
        self,
        game_id: GameId,
        phone: Phone,
        wish: Wish,
        seat: str,
        name: str,
        token: str,
        address: str,
    ) -> JoinRequest:
        """Store this phone's request to the banker, in place of an earlier one."""
        with self._writing:
            table = schema.requests
            row = {
                "game_id": game_id,
                "phone": phone.phone,
                "wish": wish.value,
                "seat": seat,
                "name": name,
                "token": token,
            }
            with self._database.transaction() as connection:
                where = {"game_id": game_id, "phone": phone.phone}
                schema.delete(connection, table, **where)
                number = connection.execute(
                    table.insert().returning(table.c.request), row
                ).scalar_one()
            request = JoinRequest(
                number, game_id, phone.phone, wish, seat, name, token, address
            )
            who = (game_id, phone.phone)
            kept = [
                earlier
                for earlier in self._requests
                if (earlier.game_id, earlier.phone) != who
            ]
            self._requests = [*kept, request]
            return request

    def settle(self, request: JoinRequest) -> None:
        """Remove a request that has been answered."""
        number = request.request
        with self._writing:
            with self._database.transaction() as connection:
                schema.delete(connection, schema.requests, request=number)
            self._requests = [
                waiting for waiting in self._requests if waiting.request != number
            ]


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()
