"""The story's figures are those that a slow look at every position finds."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from functools import cache

import pytest
from msgspec.structs import replace

from companion.errors import Refused
from companion.game import Game
from companion.game import commands as c
from companion.game import events as e
from companion.game import moves as m
from companion.game import play_events as p
from companion.game.journal import Entry, Journal
from companion.game.ledger import Reason
from companion.units import TimeMs
from companion.views.history import names_of
from companion.views.story import Facts, Throws, facts
from companion.views.story_words import luckiest, story
from companion.views.worth_history import worths_of
from tests.guided import Guided, random_move
from tests.sample import sampled

STEP_MS = 20_000


@cache
def played(seed: int, moves: int = 700, undos: float = 0.05) -> Guided:
    """Return a game with undos in it; each entry comes some time after the last."""
    table, dice = Guided("grab-and-go", 3, {"quick": "on"}), random.Random(seed)
    for _ in range(moves):
        if table.at.base == "over":
            break
        try:
            if dice.random() < undos and table.game.undo_next is not None:
                table.give(c.Undo(by=c.TABLE))
            else:
                table.give(random_move(dice, table.game))
        except Refused:
            continue
    if table.at.base != "over":
        table.give(m.CallTime(by=c.TABLE))
    for at, entry in enumerate(table.entries):
        table.entries[at] = replace(entry, at_ms=TimeMs(STEP_MS * at + at % 7 * 900))
    return table


def found(table: Guided) -> Facts:
    return facts(table.entries, table.journal.undone, table.game)


def walked(table: Guided) -> list[tuple[Entry, Game, Game]]:
    """Yield every entry that counts, with the game before it and after it."""
    whole = Journal(lambda after: table.entries[after:])
    for entry in table.entries:
        whole.append(entry)
    game: Game | None = None
    rows = []
    for entry in table.entries:
        is_undo = isinstance(entry.events[0], e.Undone | e.Redone)
        if is_undo or whole.is_undone(entry.revision):
            continue
        fresh = Journal(lambda _: ())
        fresh.game, fresh.revision = game, entry.revision - 1  # type: ignore[assignment]
        before, game = game, fresh.append(entry)
        if before is not None:
            rows.append((entry, before, game))
    return rows


SEEDS = pytest.mark.parametrize("seed", sampled(range(8)))


@SEEDS
def test_the_biggest_rent_is_the_largest_that_changed_hands(seed: int) -> None:
    table = played(seed)
    rents = [
        (event.amount, -entry.revision, event.payer, event.payee)
        for entry, _, _ in walked(table)
        for event in entry.events
        if isinstance(event, e.MoneyMoved) and event.reason is Reason.RENT
    ]
    rent = found(table).rent
    if not rents:
        assert rent is None
        return
    assert rent is not None
    assert (rent.amount, -rent.revision, rent.payer, rent.payee) == max(rents)
    assert not rent.deed or rent.deed in table.game.board.index


@SEEDS
def test_the_longest_debt_stood_in_the_positions_for_so_long(seed: int) -> None:
    """A debt is in every position from when it was owed until it was paid."""
    table = played(seed)
    debt = found(table).debt
    rows = walked(table)
    standing = 0
    longest = 0
    for _, _, after in rows:
        debts = after.play.debts if after.play else ()
        standing = standing + 1 if debts else 0
        longest = max(longest, standing)
    if debt is None:
        assert longest == 0 or rows[-1][2].play.debts
        return
    assert 0 < debt.entries <= longest
    at = next(i for i, row in enumerate(rows) if row[0].revision == debt.revision)
    for _, _, after in rows[at : at + debt.entries]:
        owed = [(x.debtor, x.creditor, x.amount) for x in after.play.debts]
        assert (debt.debtor, debt.creditor, debt.amount) in owed
    since, until = rows[at][0], rows[at + debt.entries][0]
    assert debt.ms == until.at_ms - since.at_ms


@SEEDS
def test_dice_landings_and_jail_are_counted_by_every_entry(seed: int) -> None:
    table = played(seed)
    rolls: dict[str, list[tuple[int, ...]]] = defaultdict(list)
    landings: Counter[str] = Counter()
    jailed: Counter[str] = Counter()
    for entry, before, after in walked(table):
        if isinstance(entry.events[0], p.DiceRolled):
            rolls[entry.events[0].seat].append(entry.events[0].dice)
        for event in entry.events:
            if isinstance(event, p.TokenMoved):
                deed = after.board.rules.spaces[event.space].deed
                landings.update([deed] if deed else [])
            elif isinstance(event, p.SentToJail):
                jailed.update([event.seat])
        del before
    told = found(table)
    wanted = {
        Throws(s, len(r), sum(map(sum, r)), sum(x[0] == x[1] for x in r))
        for s, r in rolls.items()
    }
    assert set(told.throws) == wanted
    for one, counts in ((told.visited, landings), (told.jailed, jailed)):
        if counts:
            assert one is not None
            assert one[1] == max(counts.values()) == counts[one[0]]
        else:
            assert one is None


@SEEDS
def test_deeds_earned_no_more_than_was_paid(seed: int) -> None:
    table = played(seed)
    paid = sum(
        event.amount
        for entry, _, _ in walked(table)
        for event in entry.events
        if isinstance(event, e.MoneyMoved) and event.reason is Reason.RENT
    )
    earned = found(table).earned
    assert (earned is None) == (paid == 0)
    assert earned is None or 0 < earned[1] <= paid


@SEEDS
def test_after_the_turning_point_the_winner_was_always_ahead(seed: int) -> None:
    table = played(seed)
    turning = found(table).turning
    leads = []
    for entry, _, after in walked(table):
        worths = dict(worths_of(after))
        best = max(worths.values())
        ahead = [seat for seat, worth in worths.items() if worth == best]
        leads.append((entry.revision, ahead))
    winners = table.at.winners
    if len(winners) != 1 or leads[-1][1] != list(winners):
        assert turning is None
        return
    assert turning is not None
    first = turning.entry.revision if turning.entry is not None else 0
    since = [ahead for revision, ahead in leads if revision >= first]
    assert all(ahead == [turning.seat] for ahead in since)
    before = [ahead for revision, ahead in leads if revision < first]
    assert not before or before[-1] != [turning.seat]


def test_time_in_the_cupboard_is_no_playing_time() -> None:
    table = Guided("classic")
    moves = [
        c.CloseGame(by=c.TABLE),
        c.ReopenGame(by=c.TABLE),
        m.Roll(by="red", dice=(1, 2)),
        m.CallTime(by=c.TABLE),
    ]
    for move in moves:
        table.give(move)
    first = next(i for i, x in enumerate(table.entries) if len(x.events) and
                 isinstance(x.events[0], p.PlayBegun))  # fmt: skip
    times = [0] * first + [0, 60_000, 9_000_000, 9_060_000, 9_180_000]
    for at, ms in enumerate(times):
        table.entries[at] = replace(table.entries[at], at_ms=TimeMs(ms))
    assert found(table).ms == 60_000 + 180_000


def test_who_is_out_stays_out_when_the_game_was_put_away_meanwhile() -> None:
    table = Guided("classic", 3)
    moves = [
        m.Resign(by="red"),
        c.CloseGame(by=c.TABLE),
        c.ReopenGame(by=c.TABLE),
        m.CallTime(by=c.TABLE),
    ]
    for move in moves:
        table.give(move)
    assert found(table).gone == ("red",)


def test_a_game_that_has_not_begun_has_no_story() -> None:
    table = Guided("classic")
    told = found(table)
    assert (told.rent, told.debt, told.sale, told.turning) == (None,) * 4
    assert story(told, lambda _: names_of(table.game)) == ()


@SEEDS
def test_the_story_is_told_in_whole_sentences(seed: int) -> None:
    table = played(seed)
    names = names_of(table.game)
    chapters = story(found(table), lambda _: names)
    assert len(chapters) >= 4
    assert len({chapter.kind for chapter in chapters}) == len(chapters)
    for chapter in chapters:
        for text in filter(None, (chapter.text, chapter.more)):
            assert text.endswith("."), text
            assert "{" not in text
            assert text[0].isupper() or text[0].isdigit()
            words = set(text.replace(".", " ").split())
            assert not words & {"red", "blue", "boardwalk"}, "names, not ids"


def test_the_luckiest_threw_most_on_average_and_often_enough() -> None:
    throws = (
        Throws("red", 10, 70, 1),
        Throws("blue", 100, 701, 9),
        Throws("green", 4, 48, 4),
    )
    best = luckiest(throws)
    assert best is not None
    assert best.seat == "blue"
    assert luckiest(throws[2:]) is None


def test_who_took_the_bus_most_often_is_told() -> None:
    table = Guided("mega", 3).given("blue tickets 2", "red tickets 1", "turn blue")
    table.give(m.UseTicket(by="blue", space="income-tax"))
    table.given("turn red")
    table.give(m.UseTicket(by="red", space="income-tax"))
    table.given("turn blue")
    table.give(m.UseTicket(by="blue", space="jail"))
    told = found(table)
    assert told.ridden == ("blue", 2)
    chapters = story(told, lambda _: names_of(table.game))
    (ridden,) = [chapter for chapter in chapters if chapter.kind == "ridden"]
    assert ridden.text == "Blue took the bus most often: 2 times."


def test_a_third_die_does_not_count_for_luck() -> None:
    table = Guided("mega", 2)
    table.give(m.Roll(by="red", dice=(1, 2, 3)))
    assert found(table).throws == (Throws("red", 1, 3, 0),)


def test_fakes_are_told_by_who_found_them_and_who_was_caught() -> None:
    table = Guided("crooked-cash", 3)
    table.given("blue owns boardwalk", "red on pennsylvania-avenue")
    table.give(m.Roll(by="red", dice=(1, 3)))
    table.give(m.AskRent(by="blue"))
    for seat, verdict, amount in (("green", "fake", 50), ("green", "real", 0)):
        table.give(m.Inspect(by=seat))
        table.give(m.GiveVerdict(by=seat, verdict=verdict, amount=amount))
    table.give(m.HandOver(by="red"))
    told = found(table)
    assert (told.looks, told.finder, told.caught) == (2, ("green", 1), ("red", 1))
    assert told.rent is not None
    assert (told.rent.deed, told.rent.amount) == ("boardwalk", 200)
    names = names_of(table.game)
    chapters = story(told, lambda _: names)
    (fakes,) = [chapter for chapter in chapters if chapter.kind == "fakes"]
    assert fakes.text == "Green had the best nose for fakes: 1 found."
    assert fakes.more == "Caught most often: Red, 1 time."


def test_turns_are_counted_from_one_and_named_as_they_are_counted() -> None:
    table = Guided("classic", 2)
    assert found(table).turns == 0
    table.give(m.Roll(by="red", dice=(4, 6)))  # Just visiting: nothing to decide.
    assert found(table).turns == 1
    table.give(m.Roll(by="blue", dice=(4, 6)))
    table.give(m.Roll(by="red", dice=(1, 2)))  # Whether to buy is still to be said.
    assert found(table).turns == 3
    table.give(m.Buy(by="red"))
    assert found(table).turns == 3
    table.give(m.CallTime(by=c.TABLE))
    assert found(table).turns == 3, "nobody has played the fourth"


def test_in_the_first_turn_nothing_turned() -> None:
    table = Guided("classic", 2)
    table.give(m.Roll(by="red", dice=(1, 3)))  # Income tax; the dice go on at once.
    table.give(m.CallTime(by=c.TABLE))
    chapters = story(found(table), lambda _: names_of(table.game))
    texts = {chapter.kind: chapter.text for chapter in chapters}
    assert texts["turning"] == "From the first turn on nobody was richer than Blue."


def test_the_turning_point_is_the_turn_in_which_it_happened() -> None:
    table = Guided("classic", 2)
    table.give(m.Roll(by="red", dice=(4, 6)))  # Just visiting; the dice go on at once.
    table.give(m.Roll(by="blue", dice=(1, 3)))  # Income tax.
    table.give(m.CallTime(by=c.TABLE))
    chapters = story(found(table), lambda _: names_of(table.game))
    texts = {chapter.kind: chapter.text for chapter in chapters}
    assert texts["length"].startswith("The game took 2 turns")
    assert "turn 2: from then on nobody was richer than Red" in texts["turning"]
