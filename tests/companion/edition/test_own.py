"""Owners' own editions: files that say only what differs from a built-in one."""

from __future__ import annotations

from msgspec.structs import replace

from companion.edition import builtin, builtin_text, load, problems
from companion.edition.own import (
    has_unknown_cards,
    known_count,
    may_have_card,
    own_text,
    with_readings,
)

CLASSIC = builtin_text("classic")

OWN = """
format = 1

[inherits]
edition = "EDITION"
what = [WHAT]
confidence = "single"
sources = ["my-box"]

[edition]
id = "our-house"
name = "Our house"

[money]
confidence = "single"
sources = ["my-box"]
start_money = 2000
start_notes = { confidence = "unknown" }

[[deed]]
id = "boardwalk"
name = "Grandmother's garden"
name_uk = "Grandmother's garden"
kind = "street"
group = "dark-blue"
space = 39
price = 500
mortgage = 250
house_cost = 200
hotel_cost = 200
rent = 60
rent_full_group = 120
rent_houses = [200, 600, 1400, 1700]
rent_hotel = 2000
confidence = "single"
sources = ["my-box"]

[[source]]
id = "my-box"
what = "the cards of our own box"
"""

ALL_KEYS = (
    *("unknowns", "board", "group", "space", "deed", "deck", "card", "option"),
    *("reading", "seats", "money", "pieces", "dice", "jail", "buying", "auction"),
    *("rent", "buildings", "mortgage", "street_sale", "trade", "bankruptcy"),
    *("end", "timed", "sheets"),
)


def own(edition="classic", what=ALL_KEYS):
    return OWN.replace("EDITION", edition).replace("WHAT", _quoted(what))


def _quoted(keys):
    return ", ".join(f'"{key}"' for key in keys)


def test_an_own_edition_says_only_what_differs():
    edition = load(own(), "our-house.toml")
    assert edition.start_money == 2000
    assert not edition.money.start_notes
    assert edition.salary == 200
    assert edition.deed("boardwalk").name == "Grandmother's garden"
    assert edition.figure("boardwalk", "price") == 500
    assert edition.figure("park-place", "price") == 350
    assert edition.provenance("deed.boardwalk.price").sources == ("my-box",)
    inherited = edition.provenance("deed.park-place.price")
    assert inherited.confidence == "single"
    assert "robo" in inherited.sources
    assert edition.provenance("money.salary").confidence == "single"


def test_an_edition_may_stand_on_one_that_stands_on_another():
    edition = load(own("grab-and-go"), "our-house.toml")
    assert edition.jail.pay_then == "next-turn"
    assert edition.figure("park-place", "price") == 350


def test_inheriting_from_nowhere_is_named():
    found = problems(own("clasic"), "our-house.toml")
    assert found[0] == (
        "our-house.toml: inherits.edition: expected a known edition, got 'clasic'"
    )


def test_inheriting_what_is_not_there_is_named():
    found = problems(own(what=[*ALL_KEYS, "vault"]), "our-house.toml")
    assert found == (
        "our-house.toml: inherits.what: expected keys of classic, got 'vault'",
    )


def test_without_a_list_everything_is_inherited():
    everything = own().replace(f"what = [{_quoted(ALL_KEYS)}]\n", "")
    assert everything != own()
    edition = load(everything, "our-house.toml")
    listed = load(own(what=[*ALL_KEYS, "conflict", "remark"]), "our-house.toml")
    assert replace(edition, inherits=None) == replace(listed, inherits=None)
    assert edition.figure("park-place", "price") == 350
    assert edition.start_money == 2000


def test_a_list_that_is_none_is_the_only_mistake():
    found = problems(
        own().replace(f"[{_quoted(ALL_KEYS)}]", '"everything"'), "our-house.toml"
    )
    assert found == (
        "our-house.toml: inherits.what: expected a list, each text, got 'everything'",
    )


def test_a_disagreement_about_a_card_that_the_file_writes_anew_is_left_behind():
    deed = OWN[OWN.index("[[deed]]") : OWN.index("[[source]]")]
    [classic] = builtin("classic").conflicts
    text = own(what=[*ALL_KEYS, "conflict"])
    assert load(text, "our-house.toml").conflicts == (classic,)
    mine = deed.replace("boardwalk", classic.deed).replace("39", "29")
    text += mine.replace("dark-blue", "yellow")
    assert load(text, "our-house.toml").conflicts == ()


def test_loading_leaves_the_built_in_editions_alone():
    before = builtin("classic")
    load(own(), "our-house.toml")
    assert builtin("classic") == before == load(CLASSIC, "classic.toml")


def test_results_about_an_edition_can_be_cached():
    copy = load(CLASSIC, "classic.toml")
    assert {builtin("classic"): "known"}[copy] == "known"
    assert builtin("mega") != builtin("classic")


def test_a_new_section_does_not_become_the_source_of_what_it_inherits():
    edition = load(own(), "our-house.toml")
    assert edition.provenance("money.start_money").sources == ("my-box",)
    salary = edition.provenance("money.salary")
    assert salary.sources == ("grab-and-go-sheet", "mega-booklet", "my-box")
    assert edition.origins["money.salary"].sources == salary.sources[:2]
    assert edition.origins["space.4"] == builtin("classic").origins["space.4"]
    assert edition.origins["card.chance-01"] == builtin("classic").provenance(
        "card.chance-01"
    )
    assert edition.provenance("auction.start").note.startswith("bidding may start")


def test_what_is_typed_in_stands_beside_everything_that_the_file_says():
    file = (
        own()
        .replace("house_cost = 200\n", 'unknown = ["house_cost"]\n')
        .replace('name = "Our house"', 'name = "Our house"\nyear = 1999')
    )
    file = f'unknowns = ["the colour of the cat"]\n{file}'
    edition = load(file, "our-house.toml")
    typed = {"deed.boardwalk.house_cost": 222}
    text = own_text(edition, typed, "their-house", "Theirs", file_text=file)
    again = load(text, "their-house.toml")
    assert (again.id, again.name, again.about.year) == ("their-house", "Theirs", 1999)
    assert again.deed("boardwalk").house_cost == 222
    assert again.deed("boardwalk").name == "Grandmother's garden"
    assert again.start_money == 2000
    assert again.inherits == edition.inherits
    assert again.unknowns == edition.unknowns
    assert {one.id for one in again.sources} == {
        *(one.id for one in edition.sources),
        "own-box",
    }
    assert replace(again, about=edition.about, deeds=edition.deeds) == replace(
        edition, sources=again.sources, origins=again.origins
    )


def test_a_card_read_off_a_deck_with_fakes_is_a_pair_and_the_deck_takes_twelve():
    edition = builtin("crooked-cash")
    words = [f"keep:collect:{10 * number}" for number in range(1, 9)]
    read = {f"card.{word}.deck": "chance" for word in words}
    fuller = with_readings(edition, read)
    assert [(fuller.card(x).copies, fuller.card(x).fakes) for x in words] == [
        (2, 1)
    ] * 8
    assert known_count(fuller, "chance") == 12
    assert has_unknown_cards(edition, "chance")
    assert not has_unknown_cards(fuller, "chance")
    assert may_have_card(edition, "keep:collect:90")
    more = with_readings(edition, {**read, "card.keep:collect:90.deck": "chance"})
    assert more == fuller
    text = own_text(edition, read, "our-box", "Our box")
    assert problems(text, "our-box.toml") == ()
    assert load(text, "our-box.toml").card(words[0]).fakes == 1


def test_a_hotel_read_off_a_deed_is_no_longer_likely():
    edition = builtin("crooked-cash")
    read = with_readings(edition, {"deed.boardwalk.hotel_cost": 250})
    assert read.deed("boardwalk").hotel_cost == 250
    assert [one.field for one in read.deed("boardwalk").likely] == ["rent_hotel"]
