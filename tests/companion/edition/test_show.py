from __future__ import annotations

import pytest

from companion.edition import builtin, editions
from companion.edition.show import knowledge, listing, page


def test_a_listing_is_one_line():
    assert listing(builtin("crooked-cash")) == (
        "crooked-cash: Monopoly Crooked Cash (Monopoly Cash Decoder), 2-6 players, "
        "36 spaces, 22 deeds, start $1,500"
    )


@pytest.mark.parametrize("edition_id", editions())
def test_a_page_names_every_deed_option_and_doubt(edition_id):
    edition = builtin(edition_id)
    text = "\n".join(page(edition))
    for deed in edition.deeds:
        assert f" {deed.id} (" in text
    for option in edition.options:
        assert f"option {option.key} = {option.default}" in text
    for unknown in edition.unknowns:
        assert unknown in text


def test_an_unknown_figure_is_shown_as_a_question():
    lines = page(builtin("crooked-cash"))
    [park_place] = [line for line in lines if "park-place" in line]
    assert "rent ?" in park_place
    assert "price 350" in park_place


def test_thin_editions_are_seen_to_be_thin():
    assert knowledge(builtin("classic"))["confirmed"] > 250
    assert knowledge(builtin("classic"))["unknown"] == 1
    thin = knowledge(builtin("crooked-cash"))
    assert thin["inferred"] + thin["unknown"] > sum(thin.values()) / 2
    assert "confirmed" not in {
        builtin("grab-and-go").provenance(f"deed.{deed.id}").confidence
        for deed in builtin("grab-and-go").deeds
    }
