"""What is likely where nobody knows: for the thumb, and with what it is taken from."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from companion.edition import builtin
from companion.edition.snapshot import snapshot
from companion.game.board import Board
from companion.game.rulebook import Rulebook, Unknown
from companion.game.unknown_figures import unknown_figures, with_likely

RULES = snapshot(builtin("secret-vault"))

LOCKED = {
    # Locked street: the street of its group with the nearest rent, half its price.
    "vermont-avenue": ("oriental-avenue", 100, 110),
    "st-james-place": ("tennessee-avenue", 180, 198),
    "ventnor-avenue": ("atlantic-avenue", 260, 286),
    "boardwalk": ("park-place", 350, 385),
}


def of(rules: Rulebook, deed: str) -> dict[str, Unknown]:
    figures = unknown_figures(rules)
    return {figure.figure: figure for figure in figures if figure.of == deed}


def test_every_locked_street_stands_in_the_table() -> None:
    assert {deed.id for deed in RULES.deeds if deed.is_locked} == set(LOCKED)


@pytest.mark.parametrize("deed", LOCKED)
def test_a_locked_street_is_likely_to_say_what_its_neighbour_says(deed: str) -> None:
    like, mortgage, lifting = LOCKED[deed]
    figures = of(RULES, deed)
    assert set(figures) == {"mortgage", "unmortgage"}, "it has no price to ask for"
    assert figures["mortgage"] == Unknown(f"deed.{deed}.mortgage", mortgage, like)
    assert figures["unmortgage"] == Unknown(f"deed.{deed}.unmortgage", lifting, like)


def test_what_was_read_off_the_neighbour_is_likelier_than_half_its_price() -> None:
    board = Board(RULES).with_reading("deed.park-place.mortgage", 340)
    assert of(board.rules, "boardwalk")["mortgage"].likely == 340
    assert of(board.rules, "boardwalk")["unmortgage"].likely == 374
    board = board.with_reading("deed.park-place.unmortgage", 380)
    assert of(board.rules, "boardwalk")["unmortgage"].likely == 380
    board = board.with_reading("deed.boardwalk.mortgage", 400)
    assert of(board.rules, "boardwalk") == {
        "unmortgage": Unknown("deed.boardwalk.unmortgage", 440)
    }


def test_a_street_with_a_price_is_likely_to_lend_half_of_it() -> None:
    assert of(RULES, "park-place")["mortgage"] == Unknown(
        "deed.park-place.mortgage", 350
    )


def test_nothing_is_likely_where_nothing_tells() -> None:
    alone = tuple(
        replace(deed, price=None, is_locked=deed.is_locked or deed.id == "park-place")
        for deed in RULES.deeds
        if deed.group == "dark-blue"
    )
    figures = of(replace(RULES, deeds=alone), "boardwalk")
    assert figures["mortgage"] == Unknown("deed.boardwalk.mortgage")
    assert figures["unmortgage"] == Unknown("deed.boardwalk.unmortgage")


LIKELY = Board(with_likely(RULES))
"""The same rules where the table plays with what is likely."""


def test_a_table_may_play_with_what_is_likely_and_knows_that_it_does() -> None:
    deed = LIKELY.rules.deeds[LIKELY.index["mediterranean-avenue"]]
    assert (deed.mortgage, deed.unmortgage) == (60, 66)
    assert LIKELY.is_likely("mediterranean-avenue", "mortgage")
    assert not LIKELY.is_likely("mediterranean-avenue", "price")
    assert len(LIKELY.likely) == 44
    left = [figure.key for figure in LIKELY.unknown]
    assert left == ["card.chance-kind-3.amount"], "nothing tells what a card says"


def test_what_the_real_card_says_takes_the_place_of_what_is_likely() -> None:
    board = LIKELY.with_reading("deed.park-place.mortgage", 340)
    deeds = {deed.id: deed for deed in board.rules.deeds}
    assert deeds["park-place"].mortgage == 340
    assert not board.is_likely("park-place", "mortgage")
    assert deeds["park-place"].unmortgage == 374, "it was worked out from the mortgage"
    assert deeds["boardwalk"].mortgage == 340, "its likely figure is that of Park Place"
    assert deeds["boardwalk"].unmortgage == 374
    assert board.is_likely("boardwalk", "mortgage")
    assert deeds["baltic-avenue"] == LIKELY.rules.deeds[LIKELY.index["baltic-avenue"]]


def test_what_was_recorded_stays_whatever_is_likely_by_now() -> None:
    board = Board(RULES).with_reading("deed.boardwalk.mortgage", 333, is_likely=True)
    assert board.likely["deed.boardwalk.mortgage"].likely == 333
    board = board.with_reading("deed.baltic-avenue.mortgage", 60)
    assert board.likely["deed.boardwalk.mortgage"].likely == 333
    board = board.with_reading("deed.park-place.mortgage", 340)
    assert board.likely["deed.boardwalk.mortgage"].likely == 340, "its clue is another"


SAID = replace(
    RULES,
    deeds=tuple(
        replace(deed, likely=(("mortgage", 333), ("price", 1)))
        if deed.id == "park-place"
        else deed
        for deed in RULES.deeds
    ),
)
"""The same rules, where the edition itself says what one figure probably is."""


def test_what_the_edition_calls_likely_goes_before_what_is_worked_out() -> None:
    assert of(SAID, "park-place")["mortgage"] == Unknown(
        "deed.park-place.mortgage", 333
    )
    assert set(of(SAID, "park-place")) == {"mortgage", "unmortgage"}, (
        "the price is known"
    )
    board = Board(with_likely(SAID))
    assert board.rules.deeds[board.index["park-place"]].mortgage == 333
    assert board.is_likely("park-place", "mortgage")
    read = board.with_reading("deed.park-place.mortgage", 340)
    assert not read.is_likely("park-place", "mortgage")
