"""Packing a game away and setting it up again, as a page shows it: step by step.

The *plan* (``companion.game.pause``) says what each seat packs and what stands on the
board. Its *steps* can be ticked off one by one; they are grouped into *parts*: one for
the board, one for each seat, and one for the last steps. The id of a step joins its
kind and its subject: ``money-red``, ``street-37``.

Whether *papers* (notes, deeds and cards) lie on the table is asked once in a game,
unless its box says so. Before a seat packs its money it may *exchange* notes at the
bank for larger ones.
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
"""The two lists of steps, as the addresses of their pages name them."""

PAPERS = "papers"
"""The question whether papers lie on the table, by which its answer is kept."""

BOARD, LAST = "board", "last"
"""The parts that belong to no seat; every other part is named after its seat."""


class Paper(msgspec.Struct, frozen=True):
    """A deed or card that a seat packs.

    Attributes:
        is_turned: It lies face down, since it is a mortgaged deed.
    """

    name: str
    is_turned: bool = False


class StepView(msgspec.Struct, frozen=True):
    """A step to do and tick off.

    Attributes:
        id: The step's id; it stays the same while nothing changes on the table.
        text: An instruction.
        is_done: Somebody has ticked the step.
        notes: The seat's money in the largest possible notes.
        rest: The dollars of that money for which there is no note.
        papers: Deeds or cards to pack, or to give to the seat.
    """

    id: str
    text: str
    is_done: bool
    notes: Notes = ()
    rest: Dollars = 0
    papers: tuple[Paper, ...] = ()


class Part(msgspec.Struct, frozen=True):
    """Steps that belong together: those of the board, of a seat, or the last ones.

    Attributes:
        seat: The seat that takes these steps; empty if everybody does.
    """

    seat: str
    steps: tuple[StepView, ...]


class PauseView(msgspec.Struct, frozen=True):
    """All steps of packing, or of setting up, with their ticks.

    Attributes:
        way: One of ``WAYS``.
        list_id: Identifies this list of steps, so that its ticks can be kept. It is the
            same with and without papers: what is packed stays packed.
        parts: The board's, each seat's, and the last; empty parts are left out.
        done_count: The number of steps that are ticked.
        count: The number of all steps.
        has_papers: Whether papers lie on the table; ``None`` if the table has to say
            so first.
        may_change: Whether the table may say otherwise.
    """

    way: str
    list_id: str
    parts: tuple[Part, ...]
    done_count: int
    count: int
    has_papers: bool | None
    may_change: bool

    def step(self, step_id: str) -> StepView | None:
        """Return the step with that id; ``None`` if there is none."""
        steps = (step for part in self.parts for step in part.steps)
        return next((step for step in steps if step.id == step_id), None)


def list_id_of(game: Game, way: str) -> str:
    """Return the id of a list of steps: a hash of the whole plan.

    So the list of another position starts without ticks.
    """
    plan = to_json(pause_plan(game))
    return f"{way}-{hashlib.blake2b(plan, digest_size=8).hexdigest()}"


def pause_view(
    game: Game, way: str, answer: bool | None, done: Iterable[str] = ()
) -> PauseView:
    """Return the steps of packing *game*, or of setting it up again.

    Args:
        game: A game that the companion led.
        way: One of ``WAYS``.
        answer: Whether papers lie on the table; ``None`` if nobody has said so.
        done: Ids of steps that are ticked.
    """
    plan = pause_plan(game)
    writer = _StepWriter(game, plan, way, frozenset(done))
    has_papers = _has_papers(game, answer)
    steps: tuple[str, ...] = ()
    if has_papers is not None:
        list_steps = packing_steps if way == PACKING else setup_steps
        steps = list_steps(plan, has_papers)
    names = (BOARD, *(seat.seat for seat in plan.seats), LAST)
    parts: dict[str, list[StepView]] = {name: [] for name in names}
    for step_id in steps:
        parts[_part_of(step_id)].append(writer.step(step_id))
    return PauseView(
        way=way,
        list_id=list_id_of(game, way),
        parts=tuple(
            Part("" if name in (BOARD, LAST) else name, tuple(views))
            for name, views in parts.items()
            if views
        ),
        done_count=sum(step_id in writer.done for step_id in steps),
        count=len(steps),
        has_papers=has_papers,
        may_change=not _must_have_papers(game),
    )


def _has_papers(game: Game, answer: bool | None) -> bool | None:
    """Return whether papers lie on the table, by the box and by the table's *answer*.

    Money that is won from a vault was put in, so a box with a vault need not be asked.
    """
    if _must_have_papers(game):
        return True
    has_vault = game.play is not None and game.play.vault_contents is not None
    return True if answer is None and has_vault else answer


def _must_have_papers(game: Game) -> bool:
    """Tell whether the game is about notes that may be fakes."""
    return game.board is not None and game.board.rules.decoder is not None


HAND_KINDS = ("money", "deeds", "cards", "hotels", "tickets")
"""The kinds of steps about what a seat holds."""

LAST_KINDS = ("owed", "turn")
"""The kinds of the last steps of setting up: open claims, and the next move."""


def _part_of(step_id: str) -> str:
    kind, _, subject = step_id.partition("-")
    if kind in HAND_KINDS:
        return subject
    return LAST if kind in LAST_KINDS else BOARD


class _StepWriter:
    """Puts the steps of one plan into words.

    Attributes:
        done: The ids of the steps that are ticked.
        is_packing: The game is packed, not set up.
        seats: The plan of each seat, by its id.
        streets: Each street with buildings, by its board number as text.
    """

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
        """Return the name of an account for a sentence."""
        return names_of(self.game).get(account, account)

    def step(self, step_id: str) -> StepView:
        """Return one step; one of an unknown kind only names its subject."""
        kind, _, subject = step_id.partition("-")
        write = STEPS.get(kind)
        if write is None:
            return self.view(step_id, say("Look after {what}", what=subject or kind))
        return write(self, step_id, subject)

    def view(
        self,
        step_id: str,
        text: Words,
        notes: Notes = (),
        rest: Dollars = 0,
        papers: tuple[Paper, ...] = (),
    ) -> StepView:
        """Return a step with its tick; for the arguments, see ``StepView``."""
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
        """Return a step about *count* things, worded for one thing and for several.

        *packing* has both wordings for packing up, *setting_up* those for setting up.
        """
        singular, plural = packing if self.is_packing else setting_up
        text = say_count(count, singular, plural, who=who)
        return self.view(step_id, text, papers=papers)


# One function for each kind of step; ``STEPS`` lists them.


def _write_place(writer: _StepWriter, step_id: str, subject: str) -> StepView:
    """Word the place of a token, which a location clip marks in a packed game."""
    seat = writer.seats[subject]
    where = _where(seat)
    if writer.is_packing:
        text = say("{who}'s location clip marks {where}", who=seat.name, where=where)
    else:
        text = say("Put {who}'s token on {where}", who=seat.name, where=where)
    return writer.view(step_id, text)


def _where(seat: SeatPlan) -> Words | str:
    """Say on which space a seat's token stands, and whether it is in jail there."""
    number = say("space {space}", space=seat.space)
    where = common(seat.space_name) if seat.space_name else number
    if not seat.is_jailed:
        return where
    return say_count(
        seat.tries,
        "{where}, locked up, with {count} failed roll",
        "{where}, locked up, with {count} failed rolls",
        where=where,
    )


def _write_street(writer: _StepWriter, step_id: str, subject: str) -> StepView:
    """Word the buildings on a street, which clips hold there in a packed game."""
    street: StreetPlan = writer.streets[subject]
    standing = enumerated([buildings_text(*pieces) for pieces in street.buildings])
    if writer.is_packing:
        text = say(
            "Leave {standing} on {street}", standing=standing, street=street.name
        )
    else:
        text = say("Put {standing} on {street}", standing=standing, street=street.name)
    return writer.view(step_id, text)


def _write_money(writer: _StepWriter, step_id: str, subject: str) -> StepView:
    seat = writer.seats[subject]
    cash = dollars_text(seat.cash)
    if writer.is_packing:
        text = say("Change {cash} into the largest notes and pack it", cash=cash)
    else:
        text = say("Give {who} {cash}", who=seat.name, cash=cash)
    return writer.view(step_id, text, seat.notes, seat.rest)


def _write_deeds(writer: _StepWriter, step_id: str, subject: str) -> StepView:
    seat = writer.seats[subject]
    return writer.counted_view(
        step_id,
        len(seat.deeds),
        counted("Pack {count} deed", "Pack {count} deeds"),
        counted("Give {who} {count} deed", "Give {who} {count} deeds"),
        seat.name,
        tuple(Paper(name, name in seat.mortgaged) for name in seat.deeds),
    )


def _write_cards(writer: _StepWriter, step_id: str, subject: str) -> StepView:
    seat = writer.seats[subject]
    assert writer.game.board is not None, "the plan says so"
    names = card_names(writer.game.board)
    return writer.counted_view(
        step_id,
        len(seat.cards),
        counted("Pack {count} card", "Pack {count} cards"),
        counted("Give {who} {count} card", "Give {who} {count} cards"),
        seat.name,
        tuple(Paper(name_of_card(names, card)) for card in seat.cards),
    )


def _write_hotels(writer: _StepWriter, step_id: str, subject: str) -> StepView:
    seat = writer.seats[subject]
    return writer.counted_view(
        step_id,
        seat.hotels,
        counted("Pack {count} loose hotel", "Pack {count} loose hotels"),
        counted("Give {who} {count} loose hotel", "Give {who} {count} loose hotels"),
        seat.name,
    )


def _write_tickets(writer: _StepWriter, step_id: str, subject: str) -> StepView:
    seat = writer.seats[subject]
    return writer.counted_view(
        step_id,
        seat.tickets,
        counted("Pack {count} bus ticket", "Pack {count} bus tickets"),
        counted("Give {who} {count} bus ticket", "Give {who} {count} bus tickets"),
        seat.name,
    )


def _write_deck(writer: _StepWriter, step_id: str, _subject: str) -> StepView:
    """Word the bus tickets that nobody has drawn."""
    return writer.counted_view(
        step_id,
        writer.plan.tickets_left or 0,
        counted(
            "Keep {count} unused bus ticket apart",
            "Keep {count} unused bus tickets apart",
        ),
        counted(
            "Lay out a deck of {count} bus ticket",
            "Lay out a deck of {count} bus tickets",
        ),
    )


def _write_vault(writer: _StepWriter, step_id: str, _subject: str) -> StepView:
    """Word the contents of the vault, which stay inside."""
    contents = writer.game.play.vault_contents if writer.game.play is not None else None
    assert contents is not None, "the plan says so"
    inside = enumerated(
        [
            dollars_text(writer.game.ledger[VAULT]),
            say_count(contents.keys, "{count} key", "{count} keys"),
            say_count(contents.hotels, "{count} hotel", "{count} hotels"),
        ]
    )
    if writer.is_packing:
        text = say("Keep the vault as it is, with {inside} inside", inside=inside)
    else:
        text = say("The vault holds {inside}", inside=inside)
    return writer.view(step_id, text)


def _write_claim(writer: _StepWriter, step_id: str, subject: str) -> StepView:
    """Word an open claim of one player on another, such as a debt or an offer."""
    claim = writer.plan.owed[int(subject)]
    template = OWED[claim.kind, claim.amount is not None]
    what = say(
        template,
        who=writer.name(claim.who),
        whom=writer.name(claim.whom),
        amount=dollars_text(claim.amount or 0),
        deed=claim.deed,
    )
    return writer.view(step_id, say("Remember: {what}", what=what))


OWED: dict[tuple[str, bool], str] = {
    ("debt", True): told("{who} owes {whom} {amount}"),
    ("rent", True): told("{whom} can still ask {who} for {amount} rent"),
    ("rent", False): told("{whom} can still ask {who} for the rent of {deed}"),
    ("ask", True): told("{whom} asks {who} for {amount}"),
    ("offer", False): told("{who} offers {whom} a trade, until the next roll"),
}
"""The sentence of an open claim, by its kind and by whether its amount is known."""


def _write_turn(writer: _StepWriter, step_id: str, _subject: str) -> StepView:
    """Word the last step: what the game waits for."""
    what = awaited_after_debts(writer.game)  # Each debt has a step of its own.
    then = follows(Look(writer.game, ""))
    if then:
        what = say("{what}. {then}", what=what, then=then)
    return writer.view(step_id, say("Then it goes on: {what}", what=what))


STEPS: dict[str, Callable[[_StepWriter, str, str], StepView]] = {
    "place": _write_place,
    "street": _write_street,
    "money": _write_money,
    "deeds": _write_deeds,
    "cards": _write_cards,
    "hotels": _write_hotels,
    "tickets": _write_tickets,
    "deck": _write_deck,
    "vault": _write_vault,
    "owed": _write_claim,
    "turn": _write_turn,
}
"""The function that words a step, by the kind of step.

Its arguments are the writer, the id of the step, and the subject in that id: a seat, a
board number, or the index of a claim.
"""


class Exchange(msgspec.Struct, frozen=True):
    """An exchange of notes at the bank, after which a seat has as few as possible.

    There is none as long as *total* is not *cash*.

    Attributes:
        held: The notes that the seat counted: value and count, the largest first.
        total: The sum of those notes, in dollars.
        cash: The seat's money in the ledger.
        give: Notes to give to the bank.
        take: Notes to take from the bank.
    """

    held: Notes
    total: Dollars
    cash: Dollars
    give: Notes = ()
    take: Notes = ()

    @property
    def is_right(self) -> bool:
        """Whether the counted notes add up to the seat's money in the ledger."""
        return self.total == self.cash


def exchange_of(game: Game, seat: str, held: dict[int, int]) -> Exchange | None:
    """Return the exchange for the notes that *seat* has counted.

    Args:
        game: A game that the companion led.
        seat: The seat; if it is not in the plan, the result is ``None``.
        held: The number of notes that it holds, by their value in dollars.
    """
    plans = {plan.seat: plan for plan in pause_plan(game).seats}
    plan = plans.get(seat)
    if plan is None:
        return None
    counted_notes = ((value, count) for value, count in held.items() if count)
    notes = tuple(sorted(counted_notes, reverse=True))
    total = sum(value * count for value, count in notes)
    if total != plan.cash:
        return Exchange(notes, total, plan.cash)
    give, take = exchange(dict(notes), plan.notes)
    return Exchange(notes, total, plan.cash, give, take)
