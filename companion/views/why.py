"""The rule behind a charge: the answer to *Why?* on every page.

A *rule* (``Told``) has words, and the *sections* of the printed *sheets* that state it;
it is a constant beside the code that follows it. Its words may name *figures* in
braces, such as the fine, which differ from *box* (edition) to box. ``shown`` puts the
figures of a box into a rule and cites the sheet of that box.

A *charge* is an event that moves money, or makes a seat owe it. ``rules_of`` finds the
rules behind the charges of one entry: ``CHARGES`` has a *finder* for each kind of
event, and ``BY_REASON`` one for each reason for which money moves. A finder takes a
*case*: the charge, and the events before it in its entry. A refusal brings its rule
along.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from string import Formatter
from typing import cast

import msgspec

from companion.edition.british import UK
from companion.game import Game

# f: fakes and choices, d: deeds, e: money and seats, p: play, r: riches of the vault.
from companion.game import decoder_events as f
from companion.game import deed_events as d
from companion.game import events as e
from companion.game import play_events as p
from companion.game import vault_contents_events as r
from companion.game.journal import Entry
from companion.game.ledger import Reason
from companion.game.rulebook import DEPOT, HOTEL, RAILROAD, UTILITY, Rulebook, RuleDeed
from companion.game.spaces import SpaceKind
from companion.rules import (
    auction,
    bank,
    begin,
    buildings,
    cards,
    choosing,
    correcting,
    debt,
    decoder,
    deeds,
    jail,
    rent,
    seats,
    trade,
    turn,
    undoing,
    vault,
    walking,
)
from companion.rules.deeds import ANY_TIME
from companion.rules.rent import asking_rule
from companion.sheets import Sheet, Told
from companion.units import BANK, VAULT, Dollars
from companion.views.telling import game_events
from companion.words import Value, Words, say
from companion.words.money import dollars_text

OWN_RULE = say("This program's own rule: no rule sheet has it")
"""The title that is shown for a rule that no sheet has."""

TITLES: Mapping[Sheet, str] = {
    Sheet.STANDARD: say("Standard rules"),
    Sheet.GRAB_AND_GO: say("Rules of Grab & Go"),
    Sheet.SECRET_VAULT: say("Rules of Secret Vault"),
    Sheet.CASH_DECODER: say("Rules of Cash Decoder"),
    Sheet.CROOKED_CASH: say("Rules of Crooked Cash"),
    Sheet.MEGA: say("Rules of the Mega Edition"),
}
"""The title under which each sheet is cited."""

SHEETS: Mapping[str, tuple[Sheet, ...]] = {
    "grab-and-go": (Sheet.GRAB_AND_GO, Sheet.STANDARD),
    "secret-vault": (Sheet.SECRET_VAULT, Sheet.STANDARD),
    "crooked-cash": (Sheet.CASH_DECODER, Sheet.CROOKED_CASH, Sheet.STANDARD),
    "mega": (Sheet.MEGA, Sheet.STANDARD),
}
"""The sheets that are cited for an edition; the first that has the rule counts.

Any other edition cites the standard rules. Nothing but the citation depends on this.
"""


class ShownRule(msgspec.Struct, frozen=True):
    """A rule, ready to be read.

    Attributes:
        words: The rule, as whole sentences.
        sheet: The title of a sheet that has it; ``OWN_RULE`` if none does.
        section: The heading in that sheet, in its own language; empty for ``OWN_RULE``.
    """

    words: str
    sheet: str
    section: str = ""


def figures_in(rule: Told) -> frozenset[str]:
    """Return the names of the figures that the words of *rule* need from a box."""
    return frozenset(name for _, name, _, _ in Formatter().parse(rule.words) if name)


def shown(rule: Told, game: Game | None) -> ShownRule:
    """Return *rule* with the figures of *game*'s box, cited from the sheet of that box.

    Raises:
        KeyError: If the rule names a figure that *game* does not have.
    """
    figures = _figures(game)
    values = {name: figures[name] for name in figures_in(rule)}
    sheets = _sheets(game)
    cited = next((sheet for sheet in sheets if sheet in rule.sections), None)
    if cited is None:  # The sheets of this box lack it: cite any other.
        cited = next(iter(rule.sections), None)
    words = Words(rule.words, values)
    if cited is None:
        return ShownRule(words, OWN_RULE)
    return ShownRule(words, TITLES[cited], rule.sections[cited])


def _sheets(game: Game | None) -> tuple[Sheet, ...]:
    """Return the sheets to cite for a game, the first choice first.

    An edition without a row in ``SHEETS`` that has a vault follows Secret Vault.
    """
    edition = "" if game is None else game.terms.edition.removesuffix(UK)
    if edition not in SHEETS and game is not None and game.terms.has_vault:
        return SHEETS["secret-vault"]
    return SHEETS.get(edition, (Sheet.STANDARD,))


def _figures(game: Game | None) -> dict[str, Value]:
    """Return the figures that the words of rules may name."""
    if game is None:
        return {}
    terms = game.terms
    figures: dict[str, Value] = {
        "start": dollars_text(terms.start_money),
        "salary": dollars_text(terms.salary),
        "vault_salary": dollars_text(terms.vault_salary),
    }
    if game.board is not None:
        rules = game.board.rules
        figures |= {
            "fine": dollars_text(rules.jail.fine),
            "attempts": rules.jail.attempts,
            "step": dollars_text(rules.auction.step),
            "percent": rules.mortgage.interest_percent or 0,
            "fee": dollars_text(rules.vault.guess_fee if rules.vault else 0),
            "reward": dollars_text(rules.decoder.reward if rules.decoder else 0),
            "refill": dollars_text(rules.vault.refill_money if rules.vault else 0),
            "near": rules.rent.all_but_one_times,
            "full": rules.rent.full_group_times,
            "depot": dollars_text(rules.buildings.depot_cost or 0),
            "more": rules.buildings.depot_rent_times or 1,
            "tickets": rules.tickets.total if rules.tickets else 0,
            "gift": dollars_text(_gift(rules)),
            **_utility_times(rules),
        }
    return figures


def _utility_times(rules: Rulebook) -> dict[str, Value]:
    """Return the numbers that multiply the dice, for one utility and for all.

    An unknown one is 0.
    """
    utilities = [deed for deed in rules.deeds if deed.kind == SpaceKind.UTILITY]
    rents = utilities[0].rents if utilities else ()  # One number for each count owned.
    factors = [factor or 0 for factor in rents] or [0]
    return {"one": factors[0], "all": factors[-1]}


def _gift(rules: Rulebook) -> Dollars:
    """Return the money that a birthday space gives; 0 without one."""
    for space in rules.spaces:
        if space.kind == SpaceKind.BIRTHDAY_GIFT:
            return space.amount or 0
    return 0


# Charges.


def rules_of(entry: Entry, game: Game) -> tuple[ShownRule, ...]:
    """Return the rules behind the charges of one entry, in their order, each once.

    They get the figures of *game* as it stands.
    """
    rules: list[Told] = []
    for rule in rules_behind(entry, game):
        if rule not in rules:  # A rule has no hash.
            rules.append(rule)
    return tuple(shown(rule, game) for rule in rules)


def rules_behind(entry: Entry, game: Game) -> Iterator[Told]:
    """Yield the rules behind each charge of an entry.

    A payment that follows from a move is explained by an event before it, such as the
    purchase of a deed.
    """
    events = game_events(entry)
    for count_before, event in enumerate(events):
        find = CHARGES.get(type(event))
        if find is not None:
            yield from find(_Case(game, event, events[:count_before]))


@dataclass(frozen=True, slots=True)
class _Case:
    """A charge (*event*), with the events before it in its entry, oldest first."""

    game: Game
    event: e.Event
    before: Sequence[e.Event]

    @property
    def is_by_hand(self) -> bool:
        """Whether people moved the money by hand: then no event comes before it."""
        return not self.before

    def last(self, *kinds: type[e.Event]) -> e.Event | None:
        """Return the latest event of any of *kinds* before this one, or ``None``."""
        latest_first = reversed(self.before)
        return next((event for event in latest_first if isinstance(event, kinds)), None)

    def deed(self, deed_id: str) -> RuleDeed | None:
        """Return a deed of the game's box; ``None`` if there is no such deed."""
        board = self.game.board
        at = None if board is None else board.index.get(deed_id)
        return None if board is None or at is None else board.rules.deeds[at]

    @property
    def is_into_vault(self) -> bool:
        """Whether the money goes, or is owed, to the vault."""
        match self.event:
            case e.MoneyMoved(payee=payee) | p.DebtOwed(creditor=payee):
                return payee == VAULT
        return False


Rules = tuple[Told, ...]
FindRules = Callable[[_Case], Rules]
"""A finder."""


def _rules_of_money(case: _Case) -> Rules:
    """Find the rules behind money that moves, or is owed from now on."""
    event = cast("e.MoneyMoved | p.DebtOwed", case.event)
    if case.is_by_hand and event.reason is not Reason.SALARY:
        return (bank.BY_HAND_RULE,)
    if _is_leaving(case) and event.reason not in (Reason.SALE, Reason.MORTGAGE):
        return _leaving(case)
    return BY_REASON[event.reason](case)


def _is_leaving(case: _Case) -> bool:
    """Return whether the payer is leaving the game with this payment."""
    out = case.last(p.SeatBankrupted)
    payer = getattr(case.event, "payer", "")
    return isinstance(out, p.SeatBankrupted) and payer == out.seat


def _rent(case: _Case) -> Rules:
    due = case.last(p.RentAsked, p.RentFellDue)
    amount = cast("e.MoneyMoved | p.DebtOwed", case.event).amount
    if not isinstance(due, p.RentAsked | p.RentFellDue):
        return (rent.RENT_RULE,)
    return (
        _rent_rule(case.deed(due.deed), case.game, amount),
        *_asking_rules(case.game),
    )


def _asking_rules(game: Game) -> Rules:
    return () if game.board is None else (asking_rule(game.board),)


def _rent_rule(deed: RuleDeed | None, game: Game, amount: Dollars | None) -> Told:
    """Return the rule by which a deed costs a rent of *amount*.

    The amount decides, because the deed may have changed since.
    """
    if deed is None or game.board is None or amount is None:
        return rent.RENT_RULE
    if deed.kind == UTILITY:
        return rent.RENT_UTILITY_RULE
    if deed.kind == RAILROAD:
        return _railroad_rule(deed, game, amount)
    if amount == deed.rents[0]:
        return rent.RENT_RULE
    multiplied = game.board.rules.rent.full_group_times * (deed.rents[0] or 0)
    if amount in (deed.rent_group, deed.rent_near_group, multiplied):
        is_near_enough = _counts_all_but_one(game)
        return rent.RENT_NEAR_RULE if is_near_enough else rent.RENT_GROUP_RULE
    return rent.RENT_BUILDINGS_RULE if amount in deed.rents[1:] else rent.RENT_RULE


def _railroad_rule(deed: RuleDeed, game: Game, amount: Dollars) -> Told:
    """Return the rule by which a railroad costs a rent of *amount*.

    An amount that the deed does not list was multiplied by a card.
    """
    assert game.board is not None, "asked before"
    levels = game.play.levels if game.play is not None else ()
    if levels and levels[game.board.index[deed.id]]:
        return rent.DEPOT_RULE
    return rent.RENT_RAILROAD_RULE if amount in deed.rents else cards.RENT_CARD_RULE


def _counts_all_but_one(game: Game) -> bool:
    """Return whether a group with one deed missing already raises the rent."""
    return game.board is not None and game.board.rules.rent.all_but_one_times > 1


def _due_rent(case: _Case) -> Rules:
    event = cast("p.RentFellDue", case.event)
    rule = _rent_rule(case.deed(event.deed), case.game, event.amount)
    return (rule, *_asking_rules(case.game))


def _purchase(case: _Case) -> Rules:
    """Find the rule of a purchase, by the event that hands out what was bought."""
    event = case.last(
        *(d.DeedBought, d.DeedDealt, d.LotSold, d.BuildingBought, d.GroupLevelled)
    )
    if isinstance(event, d.DeedDealt):
        return (begin.DEALT_RULE,)
    if isinstance(event, d.LotSold):
        is_deed = case.deed(event.lot) is not None
        return (auction.AUCTION_RULE if is_deed else auction.LAST_BUILDING_RULE,)
    if isinstance(event, d.BuildingBought):
        deed = case.deed(event.deed)
        building = deed.ladder[event.level - 1] if deed and event.level else ""
        return (BUILDING_RULES.get(building, buildings.BUILD_RULE),)
    if isinstance(event, d.GroupLevelled):
        return (buildings.BUILD_RULE,)
    is_bid = event is None  # The lot passes only after the payment.
    return (auction.AUCTION_RULE if is_bid else deeds.BUY_RULE,)


BUILDING_RULES: Mapping[str, Told] = {
    HOTEL: buildings.BUILD_HOTEL_RULE,
    DEPOT: rent.DEPOT_RULE,
}
"""The rules behind the prices of kinds of buildings that have one of their own."""


def _mortgage(case: _Case) -> Rules:
    event = case.last(d.DeedMortgaged, d.MortgageLifted, d.DeedPassed)
    if isinstance(event, d.MortgageLifted):
        board = case.game.board
        is_printed = board is not None and board.rules.mortgage.is_lifting_printed
        return (deeds.LIFT_PRINTED_RULE if is_printed else deeds.LIFT_RULE,)
    is_new = isinstance(event, d.DeedMortgaged)
    return (deeds.MORTGAGE_RULE if is_new else trade.MORTGAGE_TAKEN_OVER_RULE,)


def _fine(case: _Case) -> Rules:
    event = case.last(p.JailLeft)
    is_forced = isinstance(event, p.JailLeft) and event.how == "attempts"
    return (turn.FINE_LAST_TRY_RULE,) if is_forced else (jail.FINE_RULE,)


def _riches(case: _Case) -> Rules:
    is_filled = case.last(r.RichesTaken) is None
    return (vault.VAULT_REFILLED_RULE if is_filled else vault.VAULT_OPENED_RULE,)


def _sale(case: _Case) -> Rules:
    is_street = isinstance(case.last(d.DeedSold, d.BuildingSold), d.DeedSold)
    return (_street_sale(case.game) if is_street else buildings.UNBUILD_RULE,)


def _street_sale(game: Game) -> Told:
    """Return the rule on when the bank buys a street back."""
    sale = game.board.rules.street_sale if game.board is not None else None
    is_always = sale is not None and sale.when == ANY_TIME
    return deeds.STREET_SALE_ANY_TIME_RULE if is_always else deeds.STREET_SALE_RULE


def _fake(case: _Case) -> Rules:
    """Find the rule of a fake: a card, for which the bank pays, or a note."""
    is_card = cast("e.MoneyMoved", case.event).payer == BANK
    return (decoder.FAKE_CARD_RULE,) if is_card else (decoder.FAKE_NOTE_RULE,)


def _laid(case: _Case) -> Rules:
    payment = cast("f.PaymentLaid", case.event).payment
    due = case.last(p.RentAsked, p.RentFellDue)
    if not isinstance(due, p.RentAsked | p.RentFellDue):
        return (decoder.LAID_RULE,)
    rule = _rent_rule(case.deed(due.deed), case.game, payment.amount)
    return (rule, decoder.LAID_RULE)


def _leaving(case: _Case) -> Rules:
    out = case.last(p.SeatBankrupted)
    if isinstance(out, p.SeatBankrupted) and out.has_resigned and out.creditor == BANK:
        return (debt.RESIGNED_RULE,)
    return (debt.BANKRUPT_RULE,)


def _always(*rules: Told) -> FindRules:
    """Return a finder of *rules* in every case."""
    return lambda _: rules


def _by_payee(into_vault: Told, other: Told) -> FindRules:
    """Return a finder of *into_vault* if the vault is paid, else of *other*."""
    return lambda case: (into_vault if case.is_into_vault else other,)


BY_REASON: Mapping[Reason, FindRules] = {
    Reason.START: _always(seats.START_RULE),
    Reason.SALARY: _by_payee(walking.SALARY_VAULT_RULE, walking.SALARY_RULE),
    Reason.RENT: _rent,
    Reason.PURCHASE: _purchase,
    Reason.GUESS: _always(vault.GUESS_FEE_RULE),
    Reason.SALE: _sale,
    Reason.MORTGAGE: _mortgage,
    Reason.TAX: _by_payee(walking.TAX_VAULT_RULE, walking.TAX_RULE),
    Reason.FINE: _fine,
    Reason.CARD: _by_payee(cards.CARD_VAULT_RULE, cards.CARD_RULE),
    Reason.DEAL: _always(trade.TRADE_RULE),
    Reason.FAKE: _fake,
    Reason.GIFT: _always(choosing.GIFT_RULE),
    Reason.RICHES: _riches,
    Reason.LEAVING: _leaving,
    Reason.CORRECTION: _always(correcting.CORRECTED_RULE),
    Reason.OTHER: _always(bank.BY_HAND_RULE),
}
"""The finders for payments, by their reason."""


def _first_riches(case: _Case) -> Rules:
    event = cast("e.GameOpened", case.event)
    return (vault.VAULT_FIRST_RULE,) if event.terms.vault_money else ()


def _guess_fee(case: _Case) -> Rules:
    has_fee = bool(cast("r.GuessAwaited", case.event).fee)
    return (vault.GUESS_FEE_RULE,) if has_fee else ()


CHARGES: Mapping[type[e.Event], FindRules] = {
    e.GameOpened: _first_riches,
    e.SeatAdded: _always(seats.START_RULE),
    e.SeatRemoved: _always(seats.LEFT_TABLE_RULE),
    e.MoneyMoved: _rules_of_money,
    e.MoneyAsked: _always(bank.ASKS_RULE),
    e.BalanceCorrected: _always(correcting.CORRECTED_RULE),
    e.Undone: _always(undoing.UNDO_RULE),
    e.Redone: _always(undoing.UNDO_RULE),
    p.DebtOwed: _rules_of_money,
    p.DebtForgiven: _always(trade.DEBT_IN_KIND_RULE),
    p.RentFellDue: _due_rent,
    f.PaymentLaid: _laid,
    f.CardLaid: _always(decoder.CARD_LAID_RULE),
    f.ChipSpent: _always(decoder.CHIP_RULE),
    p.SentToJail: _always(walking.TO_JAIL_RULE),
    r.GuessAwaited: _guess_fee,
}
"""The finders by the kind of charge; other events have none."""
