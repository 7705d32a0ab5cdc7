"""Money, boards, cards and mechanics of the built-in editions, typed by hand."""

from __future__ import annotations

from copy import deepcopy

import pytest

from companion.edition import builtin, builtin_text, editions, load, problems
from companion.edition.merge import parse_toml
from companion.edition.own import accepts_reading, own_text, unknown_keys, with_readings
from companion.errors import Malformed
from companion.game.pause import largest_notes
from companion.game.spaces import READABLE
from tests.sample import each

EVERY = ("classic", "grab-and-go", "secret-vault", "crooked-cash", "mega")


def test_the_five_editions_come_with_the_program():
    assert editions() == EVERY


@each("edition_id", EVERY)
def test_a_built_in_edition_has_no_problems(edition_id):
    assert problems(builtin_text(edition_id), f"{edition_id}.toml") == ()
    assert builtin(edition_id).id == edition_id


def test_an_unknown_edition_is_malformed_and_names_the_nearest():
    with pytest.raises(Malformed, match=r"got 'megga'; did you mean 'mega'\?"):
        builtin("megga")


@each("edition_id", EVERY)
def test_an_edition_is_read_once(edition_id):
    assert builtin(edition_id) is builtin(edition_id)


@each("edition_id", EVERY)
def test_the_table_of_a_text_is_kept_and_nobody_changes_it(edition_id):
    text = builtin_text(edition_id)
    before = deepcopy(parse_toml(text))
    edition = load(text, f"{edition_id}.toml")
    readings = {
        key: value
        for key in unknown_keys(edition)
        for value in (60, READABLE[0])
        if accepts_reading(edition, key, value)
    }
    with_readings(edition, readings)
    own = own_text(edition, {}, "ours", "Ours")
    own_before = deepcopy(parse_toml(own))
    own_text(load(own, "ours.toml"), readings, "ours", "Ours", own)
    assert (parse_toml(text), parse_toml(own)) == (before, own_before)
    assert parse_toml(text) is parse_toml(builtin_text(edition_id))


@each(
    ("edition_id", "name_uk", "start", "salary", "seats", "spaces", "deeds", "fine"),
    [
        ("classic", "Monopoly Classic", 1500, 200, (2, 8), 40, 28, (50, "bank")),
        (
            "grab-and-go",
            "Monopoly travel / Grab & Go",
            1500,
            200,
            (2, 6),
            40,
            28,
            (50, "bank"),
        ),
        (
            "secret-vault",
            "Monopoly Secret Vault",
            3000,
            400,
            (2, 6),
            40,
            22,
            (100, "vault"),
        ),
        (
            "crooked-cash",
            "Monopoly Cash Decoder",
            1500,
            200,
            (2, 6),
            36,
            22,
            (50, "bank"),
        ),
        (
            "mega",
            "Monopoly: The Mega Edition",
            2500,
            200,
            (2, 8),
            52,
            37,
            (50, "bank"),
        ),
    ],
)
def test_what_a_bank_needs(
    edition_id, name_uk, start, salary, seats, spaces, deeds, fine
):
    edition = builtin(edition_id)
    assert edition.name_uk == name_uk
    assert (edition.currency, edition.currency_uk) == ("$", "£")
    assert (edition.start_money, edition.salary) == (start, salary)
    assert (edition.seats_min, edition.seats_max) == seats
    assert (len(edition.spaces), len(edition.deeds)) == (spaces, deeds)
    assert (edition.jail.fine, edition.jail.fine_to) == fine


@each(
    ("edition_id", "notes"),
    [
        ("classic", {500: 2, 100: 4, 50: 1, 20: 1, 10: 2, 5: 1, 1: 5}),
        ("grab-and-go", {500: 2, 100: 4, 50: 1, 20: 1, 10: 2, 5: 1, 1: 5}),
        ("secret-vault", {1000: 1, 500: 2, 100: 7, 50: 3, 20: 5, 10: 5}),
        ("crooked-cash", {500: 2, 100: 3, 50: 3, 20: 1, 10: 3}),
        ("mega", {1000: 1, 500: 2, 100: 2, 50: 2, 20: 6, 10: 5, 5: 5, 1: 5}),
    ],
)
def test_everyone_starts_with_these_notes(edition_id, notes):
    edition = builtin(edition_id)
    assert (edition.money.start_notes or {}) == notes
    assert sum(note * count for note, count in notes.items()) == edition.start_money
    assert set(notes) <= set(edition.denominations)


NOTES = {
    "classic": (1, 5, 10, 20, 50, 100, 500),
    "grab-and-go": (1, 5, 10, 20, 50, 100, 500),
    "secret-vault": (10, 20, 50, 100, 500, 1000),
    "crooked-cash": (10, 20, 50, 100, 500),
    "mega": (1, 5, 10, 20, 50, 100, 500, 1000),
}


@each("edition_id", EVERY)
def test_what_one_tap_adds_are_the_notes_of_the_box(edition_id):
    edition = builtin(edition_id)
    assert edition.note_keys == NOTES[edition_id.removesuffix("-uk")]
    assert edition.note_keys == edition.denominations
    assert edition.money.quick_amounts is None, "own choices are for unknown notes"
    packed = {note for note, _ in largest_notes(12_345, edition.denominations)}
    assert packed <= set(edition.note_keys), "packed and paid with the same notes"


def test_where_nobody_knows_the_notes_there_are_amounts_to_tap():
    known = "denominations = [1, 5, 10, 20, 50, 100, 500]"
    chosen = (
        "quick_amounts = { value = [10, 100], confidence = 'inferred', "
        "sources = ['own-choice'] }"
    )
    unknown = f'denominations = {{ confidence = "unknown" }}\n{chosen}'
    edition = load(builtin_text("classic").replace(known, unknown), "own.toml")
    assert edition.denominations == ()
    assert edition.note_keys == (10, 100)
    assert edition.provenance("money.quick_amounts").confidence == "inferred"


@each(
    ("edition_id", "taxes"),
    [
        ("classic", [(4, "income-tax", 200, "bank"), (38, "luxury-tax", 100, "bank")]),
        (
            "grab-and-go",
            [(4, "income-tax", 200, "bank"), (38, "luxury-tax", 100, "bank")],
        ),
        (
            "secret-vault",
            [(4, "income-tax", 400, "vault"), (38, "luxury-tax", 400, "vault")],
        ),
        ("crooked-cash", []),
        ("mega", [(5, "income-tax", 200, "bank"), (50, "luxury-tax", 100, "bank")]),
    ],
)
def test_taxes_and_who_gets_them(edition_id, taxes):
    found = [x for x in builtin(edition_id).spaces if x.kind.endswith("-tax")]
    assert [(s.number, s.kind, s.amount, s.pays_to) for s in found] == taxes


def test_only_secret_vault_has_a_vault():
    assert [e for e in EVERY if builtin(e).has_vault] == ["secret-vault"]
    edition = builtin("secret-vault")
    assert edition.vault_first_money == 400
    assert edition.salary_to_vault == 100
    vault = edition.vault
    assert (vault.first_keys, vault.first_hotels) == (1, 1)
    assert (vault.refill_money, vault.guess_fee) == (400, 100)
    assert vault.codes == (1, 2, 3, 4, 5, 6)
    assert builtin("mega").vault_first_money == 0
    assert builtin("mega").salary_to_vault == 0


@each(
    ("edition_id", "word", "number"),
    [
        ("classic", "go", 0),
        ("classic", "boardwalk", 39),
        ("classic", "reading-railroad", 5),
        ("classic", "jail", 10),
        ("classic", "go-to-jail", 30),
        ("classic", "free-parking", 20),
        ("classic", "income-tax", 4),
        ("classic", "luxury-tax", 38),
        ("classic", "chance@22", 22),
        ("classic", "community-chest@2", 2),
        ("classic", "17", 17),
        ("secret-vault", "guess-for-free@15", 15),
        ("secret-vault", "pay-to-guess@12", 12),
        ("secret-vault", "33", 33),
        ("crooked-cash", "train@4", 4),
        ("crooked-cash", "jail", 9),
        ("mega", "auction", 14),
        ("mega", "bus-ticket", 32),
        ("mega", "birthday-gift", 47),
        ("mega", "gas-company", 10),
        ("mega", "go-to-jail", 39),
    ],
)
def test_a_space_answers_to_the_words_of_the_scripts(edition_id, word, number):
    assert builtin(edition_id).space(word).number == number


@each("word", ["chance", "chance@8", "chance@", "rest", "street", "40", "-1", "", "GO"])
def test_other_words_name_no_space(word):
    with pytest.raises(Malformed):
        builtin("classic").space(word)


@each("edition_id", EVERY)
def test_each_space_can_be_named_by_number_and_by_deed(edition_id):
    edition = builtin(edition_id)
    for index, space in enumerate(edition.spaces):
        assert space.number == index
        assert edition.space(str(index)) is space
        if space.deed is not None:
            assert edition.space(space.deed) is space
            assert edition.deed(space.deed).space == index


def test_the_print_of_three_spaces_is_unknown_and_they_are_for_resting():
    edition = builtin("secret-vault")
    resting = [space.number for space in edition.spaces if space.kind == "rest"]
    assert resting == [2, 17, 33]
    assert edition.provenance("space.17").confidence == "unknown"
    assert edition.spaces[17].kind_candidate == "chance"


@pytest.mark.parametrize(
    ("edition_id", "counts"),
    [
        ("classic", [("brown", 2), ("pink", 3), ("dark-blue", 2), ("railroad", 4)]),
        ("crooked-cash", [("brown", 2), ("green", 3), ("dark-blue", 2)]),
        ("mega", [("brown", 3), ("pink", 4), ("dark-blue", 3), ("utility", 3)]),
    ],
)
def test_groups_have_their_members(edition_id, counts):
    edition = builtin(edition_id)
    assert [(g, len(edition.members(g))) for g, _ in counts] == counts


def test_cards_do_what_they_say():
    classic = builtin("classic")
    assert classic.card("chance-01").to == "boardwalk"
    assert classic.card("chance-02").to == "go"
    nearest = classic.card("chance-07")
    assert (nearest.effect, nearest.kind, nearest.times) == (
        "advance-nearest",
        "utility",
        10,
    )
    assert (classic.card("chest-14").per_house, classic.card("chest-14").per_hotel) == (
        40,
        115,
    )
    assert builtin("mega").card("chest-04").amount == 45
    assert builtin("mega").card("chance-11").per_skyscraper == 100
    assert len(classic.cards_of("chance")) == 16
    assert not classic.deck("community-chest-2021").is_used


def test_bus_tickets_and_fakes_are_counted():
    tickets = builtin("mega").cards_of("bus")
    assert [(card.id, card.copies) for card in tickets] == [
        ("ticket", 13),
        ("expire", 3),
    ]


def test_each_chance_card_of_crooked_cash_is_a_pair_of_a_real_and_a_fake_one():
    edition = builtin("crooked-cash")
    deck, cards = edition.deck("chance"), edition.cards_of("chance")
    assert (deck.size, deck.kinds, deck.has_fakes, deck.face_up) == (24, 12, True, 3)
    assert {(card.copies, card.fakes) for card in cards} == {(2, 1)}
    known = [card for card in cards if card.effect is not None]
    assert (len(cards), len(known)) == (12, 4)
    assert all(card.keep for card in known), "a Chance card is kept until it is used"
    chest = edition.deck("community-chest")
    assert (chest.size, chest.kinds, chest.has_fakes) == (14, 14, False)


@each(
    ("edition_id", "key", "default"),
    [
        ("secret-vault", "lock_counts_as", "0"),
        ("secret-vault", "lock_doubles", "no"),
        ("secret-vault", "go_fills_vault", "reached"),
        ("secret-vault", "guess_fee_to", "bank"),
        ("secret-vault", "end", "all-owned"),
        ("crooked-cash", "third_jail_roll", "roll-again"),
        ("crooked-cash", "payee_inspects", "yes"),
        ("crooked-cash", "fake_found", "more-notes"),
        ("crooked-cash", "chance_in_hand", "1"),
        ("crooked-cash", "sell", "in-debt"),
        ("crooked-cash", "grace", "3"),
        ("crooked-cash", "unknown_figures", "ask"),
        ("mega", "utility_dice", "white"),
        ("mega", "nearest_utility", "10"),
        ("classic", "jail_pay", "roll-now"),
        ("mega", "jail_pay", "roll-now"),
        ("grab-and-go", "jail_pay", "next-turn"),
        ("classic", "auction_start", "1"),
        ("secret-vault", "auction_start", "10"),
        ("grab-and-go", "quick", "off"),
        ("mega", "time_limit", "none"),
        *((edition_id, "rent", "asked") for edition_id in EVERY),
        *((edition_id, "decks", "table") for edition_id in EVERY),
        *((edition_id, "dice", "either") for edition_id in EVERY),
    ],
)
def test_the_first_reading_is_the_default(edition_id, key, default):
    assert builtin(edition_id).option(key).default == default


def test_mechanics_tell_the_editions_apart():
    by_id = {edition_id: builtin(edition_id) for edition_id in EVERY}
    ladders = {key: len(one.buildings.ladder) for key, one in by_id.items()}
    assert ladders == {
        "classic": 5,
        "grab-and-go": 5,
        "secret-vault": 2,
        "crooked-cash": 1,
        "mega": 6,
    }
    assert [key for key, one in by_id.items() if one.mortgage.exists] == [
        "classic",
        "grab-and-go",
        "secret-vault",
        "mega",
    ]
    assert by_id["mega"].buildings.build_when == "all-but-one"
    assert by_id["secret-vault"].buildings.source == "hand"
    assert by_id["crooked-cash"].jail.third_roll == "roll-again"
    assert by_id["grab-and-go"].rent.deadline == "next-roll"
    assert by_id["classic"].rent.deadline == "second-roll"
    assert by_id["mega"].dice.special_faces == ("1", "2", "3", "mr", "mr", "bus")
    pieces = by_id["mega"].pieces
    assert (pieces.houses, pieces.hotels, pieces.skyscrapers, pieces.depots) == (
        32,
        12,
        8,
        4,
    )
    assert (by_id["secret-vault"].pieces.hotels, by_id["secret-vault"].pieces.keys) == (
        24,
        4,
    )
