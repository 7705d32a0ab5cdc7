"""Events at the vault of a game as sentences."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from companion.game import vault_contents_events as r
from companion.game.event import Event
from companion.game.position import FORCED, LOCKED, OPEN, SHUT
from companion.words import Words, say, say_count
from companion.words.money import dollars_text

Names = Mapping[str, str]

LIDS: dict[str, Words] = {
    LOCKED: say("the vault is locked again, with the old number"),
    OPEN: say("the lid of the vault is open"),
    SHUT: say("the lid of the vault is shut, but not locked"),
    FORCED: say("somebody broke the vault open"),
}
"""Sentences for each state of the lid that the lock reports."""


def _name(names: Names, word: str) -> str:
    return names.get(word, word)


def keys_text(count: int) -> Words:
    """A number of keys in words."""
    return say_count(count, "one key", "{count} keys")


def hotels_text(count: int) -> Words:
    """A number of hotels in words."""
    return say_count(count, "one hotel", "{count} hotels")


def _pieces_text(keys: int, hotels: int) -> str:
    """Keys and hotels in words; empty if there are none of either."""
    if keys and hotels:
        return say(
            "{keys} and {hotels}", keys=keys_text(keys), hotels=hotels_text(hotels)
        )
    if keys:
        return keys_text(keys)
    return hotels_text(hotels) if hotels else ""


def _awaited(event: r.GuessAwaited, names: Names) -> str:
    who = _name(names, event.seat)
    if event.fee:
        fee = dollars_text(event.fee)
        return say("{who} may guess for {fee}", who=who, fee=fee)
    return say("{who} guesses at the vault", who=who)


def _made(event: r.GuessMade, names: Names) -> str:
    who, number = _name(names, event.seat), event.number
    if event.is_right:
        return say("{who} guessed {number}: right!", who=who, number=number)
    if not event.is_told:
        return say("{who} guessed wrong", who=who)
    return say("{who} guessed {number}: wrong", who=who, number=number)


def _taken(event: r.RichesTaken, names: Names) -> str:
    who, pieces = _name(names, event.seat), _pieces_text(event.keys, event.hotels)
    if not pieces:
        return say("{who} opened the vault and took all the money", who=who)
    return say(
        "{who} opened the vault: {pieces}, and all the money", who=who, pieces=pieces
    )


def _unlocked(event: r.DeedUnlocked, names: Names) -> str:
    who, deed = _name(names, event.seat), _name(names, event.deed)
    return say("{who} unlocked {deed} with a key", who=who, deed=deed)


def _passed(event: r.HotelsPassed, names: Names) -> str:
    hotels, who = hotels_text(event.count), _name(names, event.taker)
    return say("{hotels} went to {who}", hotels=hotels, who=who)


def _refilled(event: r.VaultRefilled, _: Names) -> str:
    pieces = _pieces_text(event.keys, event.hotels)
    if not pieces:
        return say("the vault is locked with a new number")
    return say(
        "{pieces} went into the vault; it is locked with a new number", pieces=pieces
    )


VAULT_SENTENCES: dict[type[Event], Callable[..., str]] = {
    r.GuessAwaited: _awaited,
    r.GuessMade: _made,
    r.GuessDeclined: lambda x, names: say(
        "{who} did not guess", who=_name(names, x.seat)
    ),
    r.RichesTaken: _taken,
    r.DeedUnlocked: _unlocked,
    r.KeysReturned: lambda x, _: say(
        "{keys} went back to the bank", keys=keys_text(x.count)
    ),
    r.HotelsPassed: _passed,
    r.VaultRefilled: _refilled,
    r.LidSeen: lambda x, _: LIDS.get(x.lid, LIDS[OPEN]),
    r.PressIgnored: lambda *_: say("M was pressed, but no guess was due"),
}
"""Which function turns each event at the vault into a sentence."""
