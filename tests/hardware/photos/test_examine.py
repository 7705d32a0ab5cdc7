"""What a note is worth, read off notes of our own print, photographed."""

from __future__ import annotations

import pytest

from companion.decoder import Verdict, house_deck, read
from hardware.photos.examine import value_of
from tests.photographed import Run
from tests.sample import proven

AMOUNTS = (1, 5, 10, 20, 50, 100, 500)


@pytest.fixture(scope="module")
def print_run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return Run(tmp_path_factory.mktemp("printed"), AMOUNTS, 23)


@pytest.mark.parametrize("amount", proven(AMOUNTS[::-1]))
def test_the_value_of_a_printed_note_is_read_or_not_told(
    print_run: Run, amount: int
) -> None:
    deck, values = house_deck(), []
    for take, is_fake in enumerate((True, False)):
        number = print_run.note(amount, is_fake=is_fake)
        picture = print_run.photograph(number, take, is_card=False)
        (reading, *_) = read(picture, deck)
        if reading.verdict is not Verdict.UNSURE:
            values.append(value_of(picture, reading, deck))
    assert {*values} <= {amount, 0}
    assert amount in values


@pytest.mark.slow
def test_nothing_is_read_where_no_print_was_found(print_run: Run) -> None:
    picture = print_run.photograph(1, 0, is_card=False)[:40, :60]
    deck = house_deck()
    (reading, *_) = read(picture, deck)
    assert value_of(picture, reading, deck) == 0
