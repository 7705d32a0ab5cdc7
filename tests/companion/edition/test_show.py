from __future__ import annotations

from companion.edition import builtin, editions
from companion.edition.figures import count_by_confidence, figures
from companion.edition.show import figure_lines, listing, page
from tests.sample import each


def test_a_listing_is_one_line():
    assert listing(builtin("crooked-cash")) == (
        "crooked-cash: Monopoly Crooked Cash (Monopoly Cash Decoder), 2-6 players, "
        "36 spaces, 22 deeds, start $1,500"
    )


@each("edition_id", editions())
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
    assert count_by_confidence(builtin("classic"))["confirmed"] > 250
    assert count_by_confidence(builtin("classic"))["unknown"] == 1
    thin = count_by_confidence(builtin("crooked-cash"))
    assert thin["inferred"] + thin["unknown"] > sum(thin.values()) / 2
    assert "confirmed" not in {
        builtin("grab-and-go").provenance(f"deed.{deed.id}").confidence
        for deed in builtin("grab-and-go").deeds
    }


@each("edition_id", [*editions(), "classic-uk"])
def test_the_list_names_every_figure_that_the_file_says_something_of(edition_id):
    edition = builtin(edition_id)
    listed = {one.key for one in figures(edition)}
    entries = {key.rpartition(".")[0] for key in listed}
    for key, origin in edition.origins.items():
        part, _, rest = key.partition(".")
        deed, _, name = rest.partition(".")
        if part == "deed" and name == "price" and edition.deed(deed).locked:
            continue  # Why a locked street has none.
        is_entry = part in ("space", "deed", "deck", "card") and "." not in rest
        assert key in (entries if is_entry else listed), (key, origin)


@each("edition_id", editions())
def test_the_command_line_shows_each_figure_with_its_source(edition_id):
    edition = builtin(edition_id)
    lines = dict(line.split(": ", 1) for line in figure_lines(edition) if line)
    for one in figures(edition):
        found = edition.provenance(one.key)
        sources = ", ".join(found.sources) or "nobody"
        assert lines[one.key].endswith(f", {found.confidence} ({sources})")
        assert lines[one.key].startswith("?, ") == (found.confidence == "unknown")
    for source in edition.sources:
        assert lines[source.id] == source.what
