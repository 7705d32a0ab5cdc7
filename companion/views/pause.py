"""Packing a game away and setting it up again, as a page shows it: step by step.

The steps and their ids are those of ``companion.game.pause``; here they get words that
can be translated, and are grouped by the seat that does them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable

import msgspec

from companion.as_json import to_json
from companion.game import Game
from companion.game.card_words import card_names, name_of_card
from companion.game.notes import Notes
from companion.game.pause import (
    PausePlan,
    SeatPlan,
    StreetPlan,
    exchange,
    packing_steps,
    pause_plan,
    setup_steps,
)
from companion.units import VAULT, Dollars
from companion.views.history import names_of
from companion.views.space import buildings_text
from companion.views.turn_buttons import Look
from companion.views.turn_words import awaited_after_debts, follows
from companion.words import Words, counted, say, say_count, told
from companion.words.common import common
from companion.words.lists import enumerated
from companion.words.money import dollars_text

PACKING, SETTING_UP = "pack", "set-up"
WAYS = (PACKING, SETTING_UP)


class Paper(msgspec.Struct, frozen=True):
    """A deed or card that a seat packs; *is_turned*: face down, as it is mortgaged."""

    name: str
    is_turned: bool = False


class StepView(msgspec.Struct, frozen=True):
    """A step to do and tick off.

    Attributes:
        id: The step's id; it stays the same while nothing changes on the table.
        text: An instruction.
        is_done: Somebody has ticked the step.
        notes: The seat's money in the largest possible notes.
        rest: Dollars left over that no note can pay.
        papers: Deeds or cards to pack.
    """

    id: str
    text: str
    is_done: bool
    notes: Notes = ()
    rest: Dollars = 0
    papers: tuple[Paper, ...] = ()


class Part(msgspec.Struct, frozen=True):
    """Steps that belong together: those of a seat, of the board, or the last ones.

    Attributes:
        seat: The seat that does them; empty if they are for everybody.
    """

    seat: str
    steps: tuple[StepView, ...]


class PauseView(msgspec.Struct, frozen=True):
    """The whole page.

    Attributes:
        way: ``pack`` or ``set-up``.
        list_id: Identifies this list of steps, so that its ticks can be kept.
        done_count: The number of steps that are ticked.
        count: The number of all steps.
    """

    way: str
    list_id: str
    parts: tuple[Part, ...]
    done_count: int
    count: int

    def step(self, step_id: str) -> StepView | None:
        """Return the step with that id; ``None`` if there is none."""
        steps = (step for part in self.parts for step in part.steps)
        return next((step for step in steps if step.id == step_id), None)


def list_id_of(game: Game, way: str) -> str:
    """Return the id of the list of steps, which changes with anything on the table."""
    plan = to_json(pause_plan(game))
    return f"{way}-{hashlib.blake2b(plan, digest_size=8).hexdigest()}"


def pause_view(game: Game, way: str, done: Iterable[str] = ()) -> PauseView:
    """Return the steps of packing *game*, or of setting it up again.

    Args:
        game: A game that the companion led.
        way: One of ``WAYS``.
        done: Ids of steps that are ticked.
    """
    plan = pause_plan(game)
    table = _Table(game, plan, way, frozenset(done))
    steps = packing_steps(plan) if way == PACKING else setup_steps(plan)
    parts: dict[str, list[StepView]] = {"board": []}
    for seat in plan.seats:
        parts[seat.seat] = []
    parts["last"] = []
    for step_id in steps:
        kind, _, which = step_id.partition("-")
        part = which if kind in HANDS else "last" if kind in LAST else "board"
        parts[part].append(table.step(step_id))
    views = [view for steps_of_part in parts.values() for view in steps_of_part]
    return PauseView(
        way=way,
        list_id=list_id_of(game, way),
        parts=tuple(
            Part("" if name in ("board", "last") else name, tuple(steps_of_part))
            for name, steps_of_part in parts.items()
            if steps_of_part
        ),
        done_count=sum(view.is_done for view in views),
        count=len(views),
    )


HANDS = ("money", "deeds", "cards", "hotels", "tickets")
"""The first words of the ids of steps that a seat does by itself."""

LAST = ("owed", "turn")
"""The first words of the ids of the last steps."""


class _Table:
    """A plan with its game, from which the steps are worded."""

    def __init__(
        self, game: Game, plan: PausePlan, way: str, done: frozenset[str]
    ) -> None:
        self.game = game
        self.plan = plan
        self.is_packing = way == PACKING
        self.done = done
        self.seats = {seat.seat: seat for seat in plan.seats}
        self.streets = {str(street.space): street for street in plan.streets}

    def name(self, account: str) -> str:
        """Return the name of a seat or another account for a sentence."""
        return names_of(self.game).get(account, account)

    def step(self, step_id: str) -> StepView:
        kind, _, which = step_id.partition("-")
        write = STEPS.get(kind)
        if write is None:
            return self.view(step_id, say("Look after {what}", what=which or kind))
        return write(self, step_id, which)

    def view(
        self,
        step_id: str,
        text: Words,
        notes: Notes = (),
        rest: Dollars = 0,
        papers: tuple[Paper, ...] = (),
    ) -> StepView:
        return StepView(step_id, text, step_id in self.done, notes, rest, papers)

    def counted_view(
        self,
        step_id: str,
        count: int,
        packing: tuple[str, str],
        setting_up: tuple[str, str],
        who: str = "",
        papers: tuple[Paper, ...] = (),
    ) -> StepView:
        """Return a step about a number of things, worded for one and for many."""
        singular, plural = packing if self.is_packing else setting_up
        text = say_count(count, singular, plural, who=who)
        return self.view(step_id, text, papers=papers)


def _place(table: _Table, step_id: str, which: str) -> StepView:
    seat = table.seats[which]
    where = _where(seat)
    if not table.is_packing:
        text = say("Put {who}'s token on {where}", who=seat.name, where=where)
    elif table.plan.has_clips:
        text = say("{who}'s location clip marks {where}", who=seat.name, where=where)
    else:
        text = say("Write down: {who} stands on {where}", who=seat.name, where=where)
    return table.view(step_id, text)


def _where(seat: SeatPlan) -> Words:
    space = common(seat.space_name)
    where = say("{space} (space {number})", space=space, number=seat.space)
    if not seat.is_jailed:
        return where
    return say_count(
        seat.tries,
        "{where}, locked up, with {count} failed roll",
        "{where}, locked up, with {count} failed rolls",
        where=where,
    )


def _street(table: _Table, step_id: str, which: str) -> StepView:
    street: StreetPlan = table.streets[which]
    standing = enumerated([buildings_text(*pieces) for pieces in street.buildings])
    if not table.is_packing:
        text = say("Put {standing} on {street}", standing=standing, street=street.name)
    elif table.plan.has_clips:
        text = say(
            "Leave {standing} on {street}", standing=standing, street=street.name
        )
    else:
        text = say(
            "Write down: {standing} on {street}", standing=standing, street=street.name
        )
    return table.view(step_id, text)


def _money(table: _Table, step_id: str, which: str) -> StepView:
    seat = table.seats[which]
    cash = dollars_text(seat.cash)
    if table.is_packing:
        text = say("Change {cash} into the largest notes and pack it", cash=cash)
    else:
        text = say("Give {who} {cash}", who=seat.name, cash=cash)
    return table.view(step_id, text, seat.notes, seat.rest)


def _deeds(table: _Table, step_id: str, which: str) -> StepView:
    seat = table.seats[which]
    return table.counted_view(
        step_id,
        len(seat.deeds),
        counted("Pack {count} deed", "Pack {count} deeds"),
        counted("Give {who} {count} deed", "Give {who} {count} deeds"),
        seat.name,
        tuple(Paper(name, name in seat.mortgaged) for name in seat.deeds),
    )


def _cards(table: _Table, step_id: str, which: str) -> StepView:
    seat = table.seats[which]
    assert table.game.board is not None, "the plan says so"
    names = card_names(table.game.board)
    return table.counted_view(
        step_id,
        len(seat.cards),
        counted("Pack {count} card", "Pack {count} cards"),
        counted("Give {who} {count} card", "Give {who} {count} cards"),
        seat.name,
        tuple(Paper(name_of_card(names, card)) for card in seat.cards),
    )


def _hotels(table: _Table, step_id: str, which: str) -> StepView:
    seat = table.seats[which]
    return table.counted_view(
        step_id,
        seat.hotels,
        counted("Pack {count} loose hotel", "Pack {count} loose hotels"),
        counted("Give {who} {count} loose hotel", "Give {who} {count} loose hotels"),
        seat.name,
    )


def _tickets(table: _Table, step_id: str, which: str) -> StepView:
    seat = table.seats[which]
    return table.counted_view(
        step_id,
        seat.tickets,
        counted("Pack {count} bus ticket", "Pack {count} bus tickets"),
        counted("Give {who} {count} bus ticket", "Give {who} {count} bus tickets"),
        seat.name,
    )


def _deck(table: _Table, step_id: str, _which: str) -> StepView:
    return table.counted_view(
        step_id,
        table.plan.tickets_left or 0,
        counted(
            "Keep {count} unused bus ticket apart",
            "Keep {count} unused bus tickets apart",
        ),
        counted(
            "Lay out a deck of {count} bus ticket",
            "Lay out a deck of {count} bus tickets",
        ),
    )


def _vault(table: _Table, step_id: str, _which: str) -> StepView:
    contents = table.game.play.vault_contents if table.game.play is not None else None
    assert contents is not None, "the plan says so"
    inside = enumerated(
        [
            dollars_text(table.game.ledger[VAULT]),
            say_count(contents.keys, "{count} key", "{count} keys"),
            say_count(contents.hotels, "{count} hotel", "{count} hotels"),
        ]
    )
    if table.is_packing:
        text = say("Keep the vault as it is, with {inside} inside", inside=inside)
    else:
        text = say("The vault holds {inside}", inside=inside)
    return table.view(step_id, text)


def _owed(table: _Table, step_id: str, which: str) -> StepView:
    owed = table.plan.owed[int(which)]
    template = OWED[owed.kind, owed.amount is not None]
    what = say(
        template,
        who=table.name(owed.who),
        whom=table.name(owed.whom),
        amount=dollars_text(owed.amount or 0),
        deed=owed.deed,
    )
    return table.view(step_id, say("Remember: {what}", what=what))


OWED: dict[tuple[str, bool], str] = {
    ("debt", True): told("{who} owes {whom} {amount}"),
    ("rent", True): told("{whom} can still ask {who} for {amount} rent"),
    ("rent", False): told("{whom} can still ask {who} for the rent of {deed}"),
    ("ask", True): told("{whom} asks {who} for {amount}"),
    ("offer", False): told("{who} offers {whom} a trade, until the next roll"),
}
"""The sentences of open claims, by their kind and whether an amount is known."""


def _turn(table: _Table, step_id: str, _which: str) -> StepView:
    what = awaited_after_debts(table.game)  # Each debt has a step of its own.
    then = follows(Look(table.game, ""))
    if then:
        what = say("{what}. {then}", what=what, then=then)
    if table.is_packing:
        return table.view(step_id, say("The companion remembers: {what}", what=what))
    return table.view(step_id, say("Then it goes on: {what}", what=what))


STEPS: dict[str, Callable[[_Table, str, str], StepView]] = {
    "place": _place,
    "street": _street,
    "money": _money,
    "deeds": _deeds,
    "cards": _cards,
    "hotels": _hotels,
    "tickets": _tickets,
    "deck": _deck,
    "vault": _vault,
    "owed": _owed,
    "turn": _turn,
}
"""The function that words a step, by the first word of its id."""


class Exchange(msgspec.Struct, frozen=True):
    """An exchange of notes at the bank, so that a seat packs its money in few notes.

    Attributes:
        held: The notes that the seat counted: value and count, the largest first.
        total: The sum of those notes, in dollars.
        cash: The seat's money, as the companion knows it.
        give: Notes to give to the bank; empty if *total* is not *cash*.
        take: Notes to take from the bank; likewise.
    """

    held: Notes
    total: Dollars
    cash: Dollars
    give: Notes = ()
    take: Notes = ()

    @property
    def is_right(self) -> bool:
        """Whether the counted notes are worth the money that the companion knows of."""
        return self.total == self.cash


def exchange_of(game: Game, seat: str, held: dict[int, int]) -> Exchange | None:
    """Return the exchange for the notes that *seat* holds; ``None`` for no player."""
    plan = next((x for x in pause_plan(game).seats if x.seat == seat), None)
    if plan is None:
        return None
    notes = tuple(sorted((pair for pair in held.items() if pair[1]), reverse=True))
    total = sum(value * count for value, count in notes)
    if total != plan.cash:
        return Exchange(notes, total, plan.cash)
    give, take = exchange(dict(notes), plan.notes)
    return Exchange(notes, total, plan.cash, give, take)
