"""The fixed accounts are told apart from every seat."""

from companion.rules.seats import COLOURS, RESERVED, SEATS_MAX, TOKENS
from companion.units import BANK, CAMERA, POT, VAULT


def test_no_seat_can_be_called_like_a_fixed_account() -> None:
    assert {BANK, CAMERA, POT, VAULT, "table"} == RESERVED
    assert not RESERVED & set(COLOURS)


def test_every_seat_of_a_full_table_has_its_own_colour_and_token() -> None:
    assert len(set(COLOURS)) == len(set(TOKENS)) == SEATS_MAX
