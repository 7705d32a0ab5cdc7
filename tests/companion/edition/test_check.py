"""Parts of an edition that do not fit one another: each breach, in its words."""

from __future__ import annotations

from companion.edition import builtin_text, problems
from tests.sample import each

BREACHES = [
    (
        "classic",
        'kind = "luxury-tax"\namount = 100\n',
        'kind = "luxury-tax"\n',
        [
            "space[38].amount: expected an amount, or one with confidence = "
            '"unknown"; got nothing',
        ],
    ),
    (
        "mega",
        'kind = "birthday-gift"\namount = 100\n',
        'kind = "birthday-gift"\n',
        [
            "space[47].amount: expected an amount, or one with confidence = "
            '"unknown"; got nothing',
        ],
    ),
    (
        "classic",
        "price = 400\nmortgage = 200\n",
        "price = 400\nmortgage = 400\n",
        [
            "deed[boardwalk].price: expected more, since mortgage is 400; got 400",
        ],
    ),
    (
        "secret-vault",
        "rent_1_hotel = 1250\n",
        "rent_1_hotel = 900\n",
        [
            "deed[boardwalk].rent_1_hotel: expected more, since rent_full_group is "
            "950; got 900",
        ],
    ),
    (
        "classic",
        'kind = "jail"\n',
        'kind = "rest"\n',
        [
            "space: expected one space of kind jail, got 0",
        ],
    ),
    (
        "classic",
        'name_uk = "Free Parking"\nkind = "free-parking"',
        'name_uk = "Free Parking"\nkind = "go"',
        [
            "space: expected one space of kind go, got 2",
            "space[20].kind: expected go at 0 only, got 'go'",
            "card[chance-02].to: expected one of go@0, go@20; got 'go', which "
            "is all of them",
            "card[chest-01].to: expected one of go@0, go@20; got 'go', which is"
            " all of them",
            "card[chest21-12].to: expected one of go@0, go@20; got 'go', which "
            "is all of them",
        ],
    ),
    (
        "classic",
        'number = 20\nname = "Free Parking"\n',
        "number = 20\n",
        [
            "space[20].name: expected a name, got nothing",
        ],
    ),
    (
        "classic",
        'kind = "utility"\ndeed = "electric-company"',
        'kind = "railroad"\ndeed = "electric-company"',
        [
            "space[12].kind: expected utility as on the deed, got 'railroad'",
        ],
    ),
    (
        "classic",
        'kind = "utility"\ndeed = "electric-company"',
        'kind = "chance"\ndeed = "electric-company"',
        [
            "space[12].deed: expected no deed on a space of kind chance, got "
            "'electric-company'",
            "space[12].kind: expected utility as on the deed, got 'chance'",
        ],
    ),
    (
        "classic",
        'kind = "utility"\ndeed = "electric-company"',
        'kind = "utility"',
        [
            "space[12].deed: expected a deed on a space of kind utility, got nothing",
            "deed[electric-company].space: expected a space that names this "
            "deed, got 12; it is none",
        ],
    ),
    (
        "classic",
        'deed = "baltic-avenue"',
        'deed = "mediterranean-avenue"',
        [
            "deed[mediterranean-avenue].space: expected one space that names "
            "this deed, got [1, 3]",
            "deed[baltic-avenue].space: expected a space that names this deed, "
            "got 3; it is none",
        ],
    ),
    (
        "classic",
        "rent_dice_multiplier_by_owned = [4, 10]",
        "rent_dice_multiplier_by_owned = [4, 10, 20]",
        [
            "deed[electric-company].rent_dice_multiplier_by_owned: expected 2 "
            "whole numbers, got 3: [4, 10, 20]",
        ],
    ),
    (
        "classic",
        "rent_hotel = 250",
        "rent_hotel = 250\nrent_skyscraper = 750",
        [
            "deed[mediterranean-avenue]: expected 6 rents, bare and one for "
            "each building, got 7",
        ],
    ),
    (
        "classic",
        'effect = "collect"\nsource = "bank"\namount = 50',
        'effect = "collect"\nsource = "bank"',
        [
            "card[chance-08].amount: expected a value for collect, got nothing",
        ],
    ),
    (
        "classic",
        'effect = "pay"\nto = "bank"',
        'effect = "pay"\nto = "pot"',
        [
            "card[chance-13].to: expected bank or vault, got 'pot'",
        ],
    ),
    (
        "classic",
        'effect = "jail-card"',
        'unknown = ["effect"]\neffect = "jail-card"',
        [
            "card[chance-09].effect: expected an effect, or its name in "
            "unknown, not both",
        ],
    ),
    (
        "classic",
        'deck = "chance"\neffect = "go-to-jail"',
        'deck = "chanse"\neffect = "go-to-jail"',
        [
            "card[chance-11].deck: expected the id of a deck, got 'chanse'; did"
            " you mean 'chance'?",
            "deck[chance].size: expected 15 as listed, got 16",
        ],
    ),
    (
        "mega",
        '"mr", "mr", "bus"]',
        '"mr", "hat"]',
        [
            "dice.special_faces: expected six faces, each of them one of 1, 2, 3, 4, "
            "5, 6, mr, bus; got 1, 2, 3, mr, hat",
        ],
    ),
    (
        "mega",
        "total = { value = 16,",
        "total = { value = 15,",
        [
            "tickets.total: expected 16 as in the deck bus, got 15",
        ],
    ),
    (
        "crooked-cash",
        "copies = 2\nfakes = 1",
        "copies = 2\nfakes = 3",
        [
            "card[chance-01].fakes: expected at most 2, got 3",
        ],
    ),
    (
        "crooked-cash",
        "face_up = 3\n",
        "",
        [
            "deck[chance].face_up: expected open cards with draw = face-up only, got 0",
        ],
    ),
    (
        "crooked-cash",
        'kind = "train"',
        'kind = "railroad"',
        [
            "space[4].deed: expected a deed on a space of kind railroad, got nothing",
        ],
    ),
    (
        "secret-vault",
        "locked = true\nhotel_cost",
        "locked = true\nprice = 200\nhotel_cost",
        [
            "deed[vermont-avenue].price: expected no price on a locked deed, got 200",
        ],
    ),
    (
        "secret-vault",
        'unknown = ["mortgage", "unmortgage"]',
        'unknown = ["mortgage", "unmorgage"]',
        [
            "deed[mediterranean-avenue].unknown: unknown key; did you mean unmortgage?",
        ],
    ),
    (
        "secret-vault",
        'unknown = ["mortgage", "unmortgage"]',
        'unknown = ["unmortgage"]',
        [
            "deed[mediterranean-avenue].mortgage: expected a figure, or its "
            "name in unknown; got nothing",
        ],
    ),
    (
        "secret-vault",
        "first_notes = { value = { 100 = 4 }",
        "first_notes = { value = { 200 = 2 }",
        [
            "vault.first_notes: expected notes that exist, got 200",
        ],
    ),
    (
        "secret-vault",
        'guess_fee_to = { confidence = "unknown"',
        'guess_fee_to = { value = "bank", confidence = "unknown"',
        [
            "vault.guess_fee_to: expected no value with confidence unknown",
        ],
    ),
    (
        "secret-vault",
        'guess_fee_to = { confidence = "unknown"',
        'guess_fee_to = { confidence = "single"',
        [
            "vault.guess_fee_to: expected a value with confidence single",
        ],
    ),
    (
        "secret-vault",
        'option = "lock_counts_as"',
        'option = "lock_count_as"',
        [
            "reading[Moving after a lock].option: expected the key of"
            " an option, got 'lock_count_as'; did you mean 'lock_counts_as'?",
        ],
    ),
    (
        "secret-vault",
        'confidence = "unknown"\nsources = []',
        'confidence = "unknown"\nsources = ["jacobalze"]',
        [
            "space[2].sources: expected no sources with confidence unknown",
        ],
    ),
    (
        "classic",
        "number_min = 1\nnumber_max = 1440",
        "number_min = 1",
        [
            "option[time_limit]: expected number_min and number_max together, got one",
        ],
    ),
    (
        "classic",
        'deed = "marvin-gardens"\nfield',
        'deed = "marvin-garden"\nfield',
        [
            "conflict[0].deed: expected the id of a deed, got 'marvin-garden'; "
            "did you mean 'marvin-gardens'?",
        ],
    ),
    (
        "classic",
        'field = "rent_houses.4"',
        'field = "rent_houses.9"',
        [
            "conflict[0].field: expected a figure of the deed, got 'rent_houses.9'",
        ],
    ),
    (
        "mega",
        "rent_all_but_one = 4\n",
        "",
        [
            "deed[mediterranean-avenue].rent_all_but_one: expected a figure, or"
            " its name in unknown; got nothing",
        ],
    ),
    (
        "crooked-cash",
        "sale_to_bank = 60\n",
        "",
        [
            "deed[mediterranean-avenue].sale_to_bank: expected a figure, or its"
            " name in unknown; got nothing",
        ],
    ),
    (
        "classic",
        'sources = ["grab-and-go-sheet", "mega-booklet"]\nfine = 50',
        "sources = []\nfine = 50",
        [
            "jail.fine.sources: expected at least one source with confidence confirmed",
            "jail.fine_to.sources: expected at least one source with confidence"
            " confirmed",
            "jail.attempts.sources: expected at least one source with "
            "confidence confirmed",
            "jail.third_roll.sources: expected at least one source with "
            "confidence confirmed",
            "jail.collects_rent.sources: expected at least one source with "
            "confidence confirmed",
        ],
    ),
    (
        "classic",
        "houses = 32",
        'houses = { value = 32, confidense = "single" }',
        [
            "pieces.houses.confidense: unknown key; did you mean confidence?",
        ],
    ),
    (
        "crooked-cash",
        '{ field = "rent_hotel", value = 160,',
        '{ field = "rent_hotels", value = 160,',
        [
            "deed[mediterranean-avenue].candidates: unknown key; did you mean "
            "rent_hotel?",
        ],
    ),
    (
        "crooked-cash",
        '{ field = "rent_hotel", value = 160,',
        '{ field = "hotel_cost", value = 160,',
        [
            "deed[mediterranean-avenue].candidates: expected one likely value of "
            "hotel_cost, got 2",
        ],
    ),
    (
        "crooked-cash",
        "size = 24\nis_complete = false\n",
        "size = 24\n",
        [],
    ),
    (
        "crooked-cash",
        "size = 24\nis_complete = false\n",
        "size = 6\nis_complete = false\n",
        [
            "deck[chance].size: expected 8 as listed, got 6",
            "pieces.chance_cards: expected 6 as listed, got 24",
        ],
    ),
]


@each(("edition_id", "old", "new", "wanted"), BREACHES)
def test_parts_that_do_not_fit_are_named(edition_id, old, new, wanted):
    text = builtin_text(edition_id)
    assert old in text
    found = problems(text.replace(old, new, 1), "mine.toml")
    assert found == tuple(f"mine.toml: {line}" for line in wanted)


def test_a_figure_without_origin_is_still_a_figure():
    quick = "[quick]\ndeeds_dealt_each = 2\n\n[timed]\n"
    text = builtin_text("classic").replace("[timed]\n", quick)
    found = problems(text, "mine.toml")
    assert not any(
        line.startswith("mine.toml: quick.deeds_dealt_each: ") for line in found
    )
    assert any("quick.deeds_dealt_each.confidence" in line for line in found)
    assert (
        "mine.toml: quick.dealt_deeds_are_paid: expected true or false, got nothing"
        in found
    )
