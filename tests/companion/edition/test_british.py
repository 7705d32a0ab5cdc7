"""The British printing has other names and another sign, and the same rules."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from companion.edition import Edition, builtin, editions
from companion.edition.snapshot import snapshot
from companion.errors import Malformed
from tests.sample import each


def test_names_and_sign_are_british() -> None:
    uk = builtin("classic-uk")
    assert uk.currency == "£"
    assert {"Mayfair", "Old Kent Road"} <= {deed.name for deed in uk.deeds}
    assert uk.spaces[39].name == "Mayfair"


@each("edition_id", editions())
def test_no_figure_and_no_word_of_scripts_changes(edition_id: str) -> None:
    us, uk = builtin(edition_id), builtin(f"{edition_id}-uk")
    assert [plain(deed) for deed in uk.deeds] == [plain(deed) for deed in us.deeds]
    assert [plain(space) for space in uk.spaces] == [plain(x) for x in us.spaces]
    assert (uk.start_money, uk.salary, uk.dice) == (us.start_money, us.salary, us.dice)
    assert playable(us) == playable(uk)


def plain(part: object) -> object:
    return replace(part, name="", name_uk="-")  # type: ignore[type-var]


def playable(edition: Edition) -> object:
    rules = snapshot(edition)
    return replace(
        rules,
        edition="",
        money=replace(rules.money, currency=""),
        deeds=tuple(replace(deed, name="") for deed in rules.deeds),
        spaces=tuple(replace(space, name="") for space in rules.spaces),
    )


def test_an_unknown_edition_has_no_british_printing() -> None:
    with pytest.raises(Malformed):
        builtin("nonsense-uk")
