"""The list of kinds of spaces, and that nothing of a kind can be forgotten."""

from __future__ import annotations

import pytest

from companion.game import spaces
from companion.game.spaces import OWNED, SpaceKind, data_words, row_for_each
from companion.rules.walking import LANDINGS
from companion.views.reach import PLAIN
from tests.sample import each

PLAIN_KINDS = [kind for kind in SpaceKind if kind not in OWNED]


def test_a_kind_that_lacks_its_words_or_its_sign_cannot_be_made() -> None:
    with pytest.raises(TypeError):

        class Short(spaces.enum.StrEnum):
            __new__ = SpaceKind.__new_member__
            POND = "pond", "a pond"


@pytest.mark.parametrize("rows", [LANDINGS, PLAIN])
def test_every_kind_without_a_deed_has_a_row(rows: dict[SpaceKind, object]) -> None:
    assert list(rows) == PLAIN_KINDS


@each("kind", SpaceKind)
def test_a_row_that_lacks_and_one_too_many_are_named(kind: SpaceKind) -> None:
    rows = dict.fromkeys(PLAIN_KINDS, 0)
    if kind in rows:
        del rows[kind]
    else:
        rows[kind] = 0
    with pytest.raises(LookupError, match=kind.value):
        row_for_each(rows)


def test_a_kind_is_its_word_wherever_it_is_written() -> None:
    kind = SpaceKind.BUS_TICKET
    assert (f"{kind}", f"{kind!r}") == ("bus-ticket", "'bus-ticket'")
    assert data_words("bus-ticket") == "bus ticket"
    assert data_words("house_cost") == "house cost"
