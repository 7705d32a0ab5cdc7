"""Random guided games: from any position to the end, nothing is lost.

What is taken back, played by hand and tried in vain on the way is for
``tests/evening``. ``-m slow`` plays 2,000 games.
"""

from __future__ import annotations

import random
from collections import Counter

import pytest

from companion.edition import builtin, editions
from companion.game import Game
from companion.game import moves as m
from companion.game.codec import events_from_json, events_to_json
from companion.game.deed_events import BuildingSold
from companion.rules import RULES, legal_commands
from companion.rules.deciding import moves_by_kind
from companion.script import export_script, run_script
from companion.script.run import position_text
from companion.units import VAULT
from companion.views.history import history_line, names_of
from tests.digest import copied, digest
from tests.eager import (
    IN_KIND,
    RAISED_TO_BUY,
    TRADED_BUYING,
    act_of,
    eager_move,
)
from tests.guided import (
    SEATS,
    Guided,
    accepted,
    candidates,
    check_table,
    is_listed,
    random_correction,
    random_move,
)
from tests.random_table import (
    check_box,
    check_every_event,
    check_nobody_is_stuck,
    put_anywhere,
)
from tests.sample import sampled, tens, volume

OPTIONS: dict[str, tuple[dict[str, str], ...]] = {
    "classic": (
        {},
        {"rent": "automatic"},
        {"jail_pay": "next-turn"},
        {"decks": "cards"},
    ),
    "grab-and-go": ({}, {"quick": "on"}, {"auction_start": "10"}, {"decks": "cards"}),
    "secret-vault": (
        {},
        {"decks": "cards"},
        {"end": "first-bankruptcy", "guess_fee_to": "vault", "rent": "automatic"},
        {"toy": "on", "lock_counts_as": "1", "lock_doubles": "yes"},
        {"go_fills_vault": "passed"},
        {"unknown_figures": "likely"},
    ),
    "crooked-cash": (
        {},
        {"unknown_figures": "likely"},
        {"rent": "automatic", "sell": "any-time"},
        {"chance_in_hand": "any", "payee_inspects": "no"},
        {"fake_found": "payer-chooses"},
        {"third_jail_roll": "use-roll"},
    ),
    "mega": (
        {},
        {"rent": "automatic"},
        {"decks": "cards"},
        {"utility_dice": "all", "nearest_utility": "20"},
        {"jail_pay": "next-turn", "auction_start": "100"},
    ),
}


def without_marks(game: Game) -> tuple[object, ...]:
    return game.ledger, game.play, game.board, game.seats, game.is_guided


def sold_whole(play: Guided, since: int = 0) -> bool:
    """Return whether a hotel was sold at once, which may leave a gap beside it.

    Args:
        play: The table.
        since: The number of first entries that are known to have no such sale.
    """
    assert play.game.board is not None
    is_quick = play.game.board.rules.buildings.hotel_sale == "half-only"
    return any(
        isinstance(event, BuildingSold) and (event.is_all or is_quick)
        for entry in play.entries[since:]
        for event in entry.events
    )


def check_agreement(game: Game) -> None:
    """Check that ``legal_moves`` lists exactly what ``decide`` accepts."""
    for by in (*SEATS, "stranger"):
        asked = dict(moves_by_kind(game, by, reversed(RULES)))
        assert asked == dict(moves_by_kind(game, by))
        for move in candidates(game, by):
            assert accepted(game, move) == is_listed(game, move), f"{move}"
        kinds = {type(move) for move in candidates(game, by) if accepted(game, move)}
        assert kinds - {m.MakeOffer} <= set(legal_commands(game, by)) | {m.MakeOffer}


def check_journal(play: Guided) -> None:
    """Check that the journal is complete: replay, codec and sentences."""
    assert play.replayed() == play.game
    names = names_of(play.game)
    for entry in play.entries:
        assert events_from_json(events_to_json(entry.events)) == entry.events
        line = history_line(entry, names, is_undone=False)
        assert all(text and text[0] != " " for text in line.sentences)


def check_record(play: Guided) -> None:
    """Check the journal, and that its script plays back to the same position."""
    check_journal(play)
    exported = export_script(tuple(play.entries), edition=play.editions)
    again = run_script(exported, "again", editions=play.editions)
    assert again.ok, f"line {again.line}: {again.wanted}: {again.got}"
    replayed = Guided.__new__(Guided)
    replayed.entries = list(again.entries)
    game = replayed.replayed()
    assert game is not None
    assert digest(game) == digest(copied(play.entries)), position_text(play.game)


def play_out(seed: int, moves_max: int) -> Guided:
    dice = random.Random(seed)
    edition = editions()[seed % len(editions())]
    options = dice.choice(OPTIONS.get(edition, ({},)))
    play = Guided(edition, dice.randint(2, 4), options)
    if seed % 4:
        put_anywhere(dice, play)
    for _ in range(moves_max):
        if play.at.stage == "over":
            break
        move = random_move(dice, play.game)
        if accepted(play.game, move):
            play.give(move)
        else:
            may_fail = isinstance(move, m.MakeOffer) or move.by == VAULT
            assert may_fail, f"seed {seed}: {move}"
        check_nobody_is_stuck(play.game)
        check_table(play.game, is_even=not sold_whole(play))
    assert without_marks(check_every_event(play)) == without_marks(play.game)
    return play


@pytest.mark.parametrize("seed", sampled(range(len(editions()))))
def test_a_random_game_holds_together(seed: int) -> None:
    play = play_out(seed, moves_max=300)
    if play.at.stage != "over":
        check_agreement(play.game)
    check_record(play)


@pytest.mark.parametrize("decks", ["table", "cards"])
@pytest.mark.parametrize("edition", editions())
def test_a_card_can_be_drawn_if_it_is_listed(edition: str, decks: str) -> None:
    kinds = [space.kind for space in builtin(edition).spaces]
    lines = f"red on {kinds.index('chance')}", "stage card"
    check_agreement(Guided(edition, 2, {"decks": decks}).given(*lines).game)


@tens("seed", range(1_000, 3_000))
def test_2000_random_games_hold_together(seed: int) -> None:
    play = play_out(seed, moves_max=800)
    check_journal(play)
    if seed % 10 == 0:
        check_record(play)
        if play.at.stage != "over":
            check_agreement(play.game)


def play_to_the_end(play: Guided, seed: int) -> Guided:
    """Play a game from its beginning to its end.

    Nobody is stuck, every event leaves the books balanced and all pieces somewhere, and
    the game exported plays back to the same position.
    """
    dice, is_even = random.Random(seed), True
    for _ in range(MOVES_TO_THE_END):
        if play.at.stage == "over":
            break
        known = len(play.entries)
        move = random_move(dice, play.game)
        could = accepted(play.game, move)
        may_fail = isinstance(move, m.MakeOffer) or move.by == VAULT
        assert could or may_fail, f"seed {seed}: {move}"
        if could:
            play.give(move)
        check_nobody_is_stuck(play.game)
        is_even = is_even and not sold_whole(play, since=known)
        check_table(play.game, is_even=is_even)
    assert play.at.stage == "over", f"seed {seed} never ends"
    assert without_marks(check_every_event(play)) == without_marks(play.game)
    check_record(play)
    return play


def play_with_fakes(seed: int) -> Guided:
    """Play a whole game of the box with fakes, with two to six seats."""
    return play_to_the_end(with_options("crooked-cash", 2 + seed % 5, seed), seed)


def with_options(edition: str, seats: int, seed: int) -> Guided:
    """Return a table of that box; seeds take its options by turns."""
    options = OPTIONS[edition]
    return Guided(edition, seats, options[seed % len(options)])


MOVES_TO_THE_END = 60_000
"""More than any of these games takes."""


def test_a_random_game_with_fakes_comes_to_its_end() -> None:
    play_with_fakes(0)


@tens("seed", range(1, 500))
def test_500_random_games_with_fakes_come_to_their_end(seed: int) -> None:
    play_with_fakes(seed)


def test_a_random_game_with_a_third_die_comes_to_its_end() -> None:
    play_to_the_end(with_options("mega", 2, 9), 9)  # A short one.


@pytest.mark.parametrize("seed", volume(range(1, 500)))
def test_500_random_games_with_a_third_die_come_to_their_end(seed: int) -> None:
    """All of them in eight seats, till one is left."""
    play_to_the_end(with_options("mega", 8, seed), seed)


def play_eagerly(
    edition: str, seed: int, moves_max: int = 300
) -> tuple[Guided, Counter[str]]:
    """Play with all ways to owe, to buy and to bid; return the table and what was done.

    Three games of four begin at a random position, where money is short sooner.
    """
    dice, did, is_even = random.Random(f"{edition} {seed}"), Counter[str](), True
    play = with_options(edition, 2 + seed % 4, seed)
    if seed % 4:
        put_anywhere(dice, play)
    for _ in range(moves_max):
        if play.at.stage == "over":
            break
        known, before = len(play.entries), play.game
        move = eager_move(dice, before)
        if accepted(before, move):
            did[act_of(before, move)] += 1
            play.give(move)
        else:
            may_fail = isinstance(move, m.MakeOffer) or move.by == VAULT
            assert may_fail, f"{edition}, seed {seed}: {move}"
        check_nobody_is_stuck(play.game)
        is_even = is_even and not sold_whole(play, since=known)
        check_table(play.game, is_even=is_even)
    assert without_marks(check_every_event(play)) == without_marks(play.game)
    check_record(play)
    return play, did


@pytest.mark.parametrize("edition", sampled(editions()))
def test_owing_buying_and_bidding_in_every_way_nothing_is_lost(edition: str) -> None:
    did = sum((play_eagerly(edition, seed)[1] for seed in range(2)), Counter[str]())
    assert did[RAISED_TO_BUY] + did[IN_KIND] + did[TRADED_BUYING] > 0, did


@pytest.mark.parametrize("edition", editions())
@tens("seed", range(2, 500))
def test_500_games_a_box_in_every_way_hold_together(edition: str, seed: int) -> None:
    play_eagerly(edition, seed, moves_max=600)


def of_three(seed: int) -> Guided:
    """Return a table of three seats at one of the boxes; seeds take them by turns."""
    options = random.Random(seed).choice(({}, {"rent": "automatic"}))
    return Guided(editions()[seed % len(editions())], 3, options)


def correct_and_play(play: Guided, seed: int, steps: int) -> None:
    """Mix corrections into moves; whatever is listed has to stay possible."""
    dice = random.Random(seed)
    if seed % 2:
        put_anywhere(dice, play)
    for _ in range(steps):
        move: m.Move = random_correction(dice, play.game)
        if dice.random() < 0.7:
            if play.at.stage == "over":
                continue
            move = random_move(dice, play.game)
        could = accepted(play.game, move)
        may_fail = isinstance(move, m.CorrectPosition | m.MakeOffer)
        may_fail |= move.by == VAULT
        assert could or may_fail, f"seed {seed}: {move}: {position_text(play.game)}"
        if could:
            play.give(move)
            check_box(play.game)
            check_nobody_is_stuck(play.game)
    check_record(play)


@pytest.mark.parametrize("seed", range(len(editions())))
def test_any_correction_leaves_a_game_that_goes_on(seed: int) -> None:
    correct_and_play(of_three(seed), seed, steps=80)


@tens("seed", range(1_000, 1_500))
def test_500_games_full_of_corrections_go_on(seed: int) -> None:
    correct_and_play(of_three(seed), seed, steps=120)
