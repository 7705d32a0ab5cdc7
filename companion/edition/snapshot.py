"""Builds the rulebook that a game keeps, from an edition and the table's options.

A *rulebook* has the facts of an edition that the rules need. It is stored with the
game, so a later change to the edition changes no game that has begun. An *option* is a
rule that a table may switch; it changes a few fields of the rulebook.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import msgspec
from msgspec.structs import replace

from companion.edition.check import option_accepts
from companion.edition.model import Edition
from companion.edition.shape import Card, CardDeck, Deed, Option, Space, find_space
from companion.errors import quoted
from companion.game.card_code import KEPT, parse_code
from companion.game.events import Terms
from companion.game.notes import Notes
from companion.game.rulebook import (
    BUS_DECK,
    DEPOT,
    HOTEL,
    HOUSE,
    RAILROAD,
    SKYSCRAPER,
    STREET,
    Counts,
    Rulebook,
    RuleCard,
    RuleDeck,
    RuleDecoder,
    RuleDeed,
    RuleSpace,
    RuleVault,
)
from companion.game.spaces import KINDS
from companion.game.unknown_figures import with_likely
from companion.units import DeedId, Dollars
from companion.words import say
from companion.words.report import unexpected

TYPED_OPTIONS = {
    "auction_start": say("the first bid"),
    "auction_step": say("how much higher a new bid must be"),
    "time_limit": say("the agreed minutes"),
    "grace": say("the seconds to check a note"),
}
"""Options whose numbers people type in, with the names shown to them."""


def _describe_accepted(option: Option) -> str:
    choices = ", ".join(option.choices)
    if option.number_min is None or option.number_max is None:
        return choices
    lowest, highest = option.number_min, option.number_max
    numbers = say("a number from {low} to {high}", low=lowest, high=highest)
    return say("{words} or {span}", words=choices, span=numbers) if choices else numbers


def settled_options(edition: Edition, chosen: Mapping[str, str]) -> dict[str, str]:
    """Return every option with its value: the table's choice, or the default.

    Raises:
        Malformed: For an option that the edition does not have, or a value it rejects.
    """
    for key, value in chosen.items():
        option = edition.option(key)
        if not option_accepts(option, value):
            is_number = option.number_min is None or value.isdigit()
            plain = "" if is_number else say("{got} is no amount", got=quoted(value))
            raise unexpected(
                say(
                    "{wanted} for {option}",
                    wanted=_describe_accepted(option),
                    option=TYPED_OPTIONS.get(key) or say("option {key}", key=key),
                ),
                quoted(value),
                plain=plain,
            )
    return {
        option.key: chosen.get(option.key, option.default) for option in edition.options
    }


def terms(edition: Edition) -> Terms:
    """Return the figures of *edition* that a game stores when it is opened."""
    return Terms(
        edition=edition.id,
        start_money=edition.start_money,
        salary=edition.salary,
        vault_salary=edition.salary_to_vault,
        vault_money=edition.vault_first_money,
        has_vault=edition.has_vault,
        seats=(edition.seats_min, edition.seats_max),
        sheets=edition.sheets or msgspec.UNSET,
    )


def snapshot(edition: Edition, chosen: Mapping[str, str] | None = None) -> Rulebook:
    """Build the rulebook of *edition* with the options that the table chose.

    Raises:
        Malformed: As for ``settled_options``.
    """
    options = settled_options(edition, chosen or {})
    rules = replace(_build_base_rules(edition), options=tuple((chosen or {}).items()))
    for key, value in options.items():
        if key in OPTIONS:
            rules = OPTIONS[key](rules, edition, value)
    return rules


def _build_base_rules(edition: Edition) -> Rulebook:
    """Build the rulebook before any option changes it."""
    return Rulebook(
        edition=edition.id,
        spaces=tuple(_build_space(space) for space in edition.spaces),
        deeds=tuple(_build_deed(edition, deed) for deed in edition.deeds),
        cards=tuple(
            _build_card(edition, card, deck)
            for deck in edition.decks
            if deck.is_used
            for card in _known_cards(edition, deck.id)
        ),
        decks=_build_decks(edition),
        pieces=_count_buildings(edition),
        money=edition.money,
        dice=edition.dice,
        jail=edition.jail,
        buying=edition.buying,
        auction=edition.auction,
        rent=edition.rent,
        buildings=edition.buildings,
        mortgage=edition.mortgage,
        trade=edition.trade,
        bankruptcy=edition.bankruptcy,
        end=edition.end,
        has_clips=bool(edition.pieces.location_clips),
        vault=_build_vault(edition),
        decoder=_build_decoder(edition),
        street_sale=edition.street_sale,
        train=edition.train,
        tickets=edition.tickets,
        seats=edition.seats,
    )


def _count_buildings(edition: Edition) -> Counts:
    """Count the bank's buildings; other kinds than houses and hotels only if any."""
    pieces = edition.pieces
    counts = [(HOUSE, pieces.houses), (HOTEL, pieces.hotels)]
    for kind, count in ((SKYSCRAPER, pieces.skyscrapers), (DEPOT, pieces.depots)):
        if count:
            counts.append((kind, count))
    return tuple(counts)


def _build_decks(edition: Edition) -> tuple[RuleDeck, ...]:
    """Build the decks in use; cards of the bus deck never come back."""
    return tuple(_build_deck(edition, deck) for deck in edition.decks if deck.is_used)


def _build_deck(edition: Edition, deck: CardDeck) -> RuleDeck:
    is_whole = deck.is_complete and _knows_amounts(edition, deck)
    return RuleDeck(
        deck.id,
        _card_ids(edition, deck),
        is_whole,
        size=0 if is_whole else deck.kinds,
        absent=deck.known_absent,
        face_up=deck.face_up or 0,
        has_fakes=deck.has_fakes,
        is_used_up=deck.id == BUS_DECK,
    )


def _knows_amounts(edition: Edition, deck: CardDeck) -> bool:
    """Return whether no card of a deck prints an amount that nobody knows."""
    cards = (
        _build_card(edition, card, deck) for card in _known_cards(edition, deck.id)
    )
    return not any(card.lacks_amount for card in cards)


def _card_ids(edition: Edition, deck: CardDeck) -> tuple[str, ...]:
    """List the ids of a deck's cards, each once, but bus tickets once a copy."""
    ids: list[str] = []
    for card in _known_cards(edition, deck.id):
        copies = card.copies if deck.id == BUS_DECK else 1
        ids += [_rulebook_card_id(card, deck)] * copies
    return tuple(ids)


def _build_space(space: Space) -> RuleSpace:
    return RuleSpace(
        space.kind,
        space.name,
        space.deed or "",
        space.amount,
        space.pays_to,
        space.effect,
        space.kind_candidate or "",
    )


def _build_vault(edition: Edition) -> RuleVault | None:
    vault = edition.vault
    if vault is None:
        return None
    return RuleVault(
        keys=edition.pieces.keys,
        first_keys=vault.first_keys,
        first_hotels=vault.first_hotels,
        refill_money=vault.refill_money,
        refill_keys=vault.refill_keys,
        refill_hotels=vault.refill_hotels,
        codes=vault.codes,
        guess_fee=vault.guess_fee,
        guess_fee_to=vault.guess_fee_to or "bank",
        first_notes=_sort_notes(vault.first_notes),
        refill_notes=_sort_notes(vault.refill_notes),
    )


def _build_decoder(edition: Edition) -> RuleDecoder | None:
    decoder = edition.decoder
    if decoder is None:
        return None
    return RuleDecoder(
        chips=edition.pieces.chips_each,
        reward=decoder.fake_card_reward,
        payee_inspects=decoder.payee_inspects,
        chance_in_hand=decoder.chance_in_hand or 0,
    )


def _sort_notes(pile: Mapping[int, int] | None) -> Notes:
    """Sort a pile of notes, the largest first."""
    return tuple(sorted((pile or {}).items(), reverse=True))


def _known_cards(edition: Edition, deck_id: str) -> tuple[Card, ...]:
    """Return the cards of a deck whose effect is known."""
    return tuple(card for card in edition.cards_of(deck_id) if card.effect is not None)


def _build_deed(edition: Edition, deed: Deed) -> RuleDeed:
    """Build a deed with the rents and costs of its kind."""
    rents = edition.rents(deed.id)
    ladder: tuple[str, ...] = edition.buildings.ladder
    if deed.kind == STREET:
        costs = {
            "house": deed.house_cost,
            "hotel": deed.hotel_cost,
            "skyscraper": deed.skyscraper_cost,
        }
    else:
        rents = deed.rent_by_owned or deed.rent_dice_multiplier_by_owned or ()
        if not rents:  # Nobody has read the list, which has one for each deed owned.
            rents = (None,) * sum(other.group == deed.group for other in edition.deeds)
        costs = {DEPOT: edition.buildings.depot_cost}
        ladder = (DEPOT,) if deed.kind == RAILROAD and costs[DEPOT] else ()
    return RuleDeed(
        id=DeedId(deed.id),
        name=deed.name,
        kind=KINDS[deed.kind],
        group=deed.group,
        space=deed.space,
        price=deed.price,
        mortgage=deed.mortgage,
        rents=rents,
        rent_group=deed.rent_full_group,
        rent_near_group=deed.rent_all_but_one,
        ladder=ladder,
        costs=tuple(costs[step] for step in ladder),
        depot_rents=_find_depot_rents(edition, deed) if ladder == (DEPOT,) else (),
        is_locked=deed.locked,
        unmortgage=deed.unmortgage,
        likely=tuple((c.field, c.value) for c in deed.likely),
    )


def _find_depot_rents(edition: Edition, deed: Deed) -> tuple[Dollars | None, ...]:
    """Return the rents with a depot: as printed, or a multiple of those without."""
    if deed.rent_by_owned_with_depot:
        return deed.rent_by_owned_with_depot
    times = edition.buildings.depot_rent_times or 1
    if deed.rent_by_owned is None:
        return (None,) * sum(other.group == deed.group for other in edition.deeds)
    return tuple(times * rent for rent in deed.rent_by_owned)


def _rulebook_card_id(card: Card, deck: CardDeck) -> str:
    """Return a card's id in the rulebook.

    Every card of a face-up deck is kept, so a code that an owner typed in without the
    prefix ``keep:`` gets it.
    """
    code = parse_code(card.id) if deck.face_up else None
    lacks_prefix = code is not None and not code.is_kept
    return f"{KEPT}{card.id}" if lacks_prefix else card.id


def _build_card(edition: Edition, card: Card, deck: CardDeck) -> RuleCard:
    assert card.effect is not None, "_known_cards leaves out cards of unknown effect"
    is_advance = card.effect == "advance"
    prices = (
        (HOUSE, card.per_house),
        (HOTEL, card.per_hotel),
        (SKYSCRAPER, card.per_skyscraper),
        (DEPOT, card.per_depot),
    )
    return RuleCard(
        id=_rulebook_card_id(card, deck),
        effect=card.effect,
        deck=card.deck,
        to=find_space(edition.spaces, card.to).number if is_advance else 0,
        amount=card.amount,
        kind=card.kind or "",
        times=card.times or 1,
        is_dice=card.if_owned == "dice-times",
        spaces=card.spaces or 0,
        per=tuple((kind, price) for kind, price in prices if price is not None),
        collects_go=card.collects_go,
        is_kept=(card.keep and deck.id != BUS_DECK) or deck.face_up > 0,
        payer="seat" if card.effect == "to-vault" and card.source == "seat" else "",
    )


def _apply_quick_game(rules: Rulebook, edition: Edition, value: str) -> Rulebook:
    """Apply the printed shorter game: fewer houses, dealt deeds and an early end."""
    quick = edition.quick
    if value != "on" or quick is None:
        return rules
    keep = quick.houses_before_hotel
    return replace(
        rules,
        deeds=tuple(_shorten_ladder(deed, keep) for deed in rules.deeds),
        buildings=replace(rules.buildings, hotel_sale=quick.hotel_sale),
        dealt_each=quick.deeds_dealt_each,
        ends_at_bankruptcies=quick.ends_at_bankruptcies,
    )


def _shorten_ladder(deed: RuleDeed, houses: int) -> RuleDeed:
    """Shorten a deed's ladder: the hotel comes after *houses* houses."""
    if "hotel" not in deed.ladder:
        return deed
    end = deed.ladder.index("hotel")
    begin = min(houses, end)
    return replace(
        deed,
        ladder=deed.ladder[:begin] + deed.ladder[end:],
        costs=deed.costs[:begin] + deed.costs[end:],
        rents=deed.rents[: begin + 1] + deed.rents[end + 1 :],
    )


def _change(rules: Rulebook, section: str, **figures: str | int | bool) -> Rulebook:
    """Change fields of a section, if the rules have it."""
    before = getattr(rules, section)
    if before is None:
        return rules
    return replace(rules, **{section: replace(before, **figures)})


def _set_utility_times(rules: Rulebook, _: Edition, times: str) -> Rulebook:
    """Set the factor on the dice for the rent after a card to the nearest utility."""
    cards = tuple(
        replace(card, times=int(times)) if card.is_dice else card
        for card in rules.cards
    )
    return _change(
        replace(rules, cards=cards), "rent", nearest_utility_times=int(times)
    )


ChangeRules = Callable[[Rulebook, Edition, str], Rulebook]
"""Returns a rulebook changed for the value of an option."""

OPTIONS: dict[str, ChangeRules] = {
    "jail_pay": lambda rules, _, value: _change(rules, "jail", pay_then=value),
    "auction_start": lambda rules, _, value: _change(
        rules, "auction", start=int(value)
    ),
    "auction_step": lambda rules, _, value: _change(rules, "auction", step=int(value)),
    "rent_deadline": lambda rules, _, value: _change(rules, "rent", deadline=value),
    "rent": lambda rules, _, value: _change(rules, "rent", must_ask=value == "asked"),
    "decks": lambda rules, _, value: replace(rules, has_own_decks=value == "table"),
    "dice": lambda rules, _, value: replace(rules, dice_by=value),
    "time_limit": lambda rules, _, value: replace(
        rules, time_limit=0 if value == "none" else int(value)
    ),
    "quick": _apply_quick_game,
    "utility_dice": lambda rules, _, value: _change(rules, "rent", utility_dice=value),
    "nearest_utility": _set_utility_times,
    "lock_counts_as": lambda rules, _, value: _change(
        rules, "dice", lock_counts_as=int(value)
    ),
    "lock_doubles": lambda rules, _, value: _change(
        rules, "dice", lock_can_double=value == "yes"
    ),
    "go_fills_vault": lambda rules, _, value: replace(
        rules, is_vault_paid_on_go=value == "reached"
    ),
    "guess_fee_to": lambda rules, _, value: _change(rules, "vault", guess_fee_to=value),
    "end": lambda rules, _, value: rules.ending_by(value),
    "third_jail_roll": lambda rules, _, value: _change(rules, "jail", third_roll=value),
    "payee_inspects": lambda rules, _, value: _change(
        rules, "decoder", payee_inspects=value == "yes"
    ),
    "chance_in_hand": lambda rules, _, value: _change(
        rules, "decoder", chance_in_hand=0 if value == "any" else int(value)
    ),
    "fake_found": lambda rules, _, value: _change(
        rules, "decoder", payer_chooses=value == "payer-chooses"
    ),
    "grace": lambda rules, _, value: _change(rules, "decoder", grace=int(value)),
    "sell": lambda rules, _, value: _change(rules, "street_sale", when=value),
    "undo": lambda rules, _, value: replace(rules, undo_by=value),
    "toy": lambda rules, _, value: _change(rules, "vault", is_toy=value == "on"),
    "memory": lambda rules, _, value: _change(
        rules, "vault", shows_tries=value == "on"
    ),
    "unknown_figures": lambda rules, _, value: (
        with_likely(rules) if value == "likely" else rules
    ),
}
"""Key of an option -> the function that changes the rulebook."""
