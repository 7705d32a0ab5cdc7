"""Which rule is behind a charge or a refusal: the answer to *Why?* on every page.

``rules_of`` answers for an entry of the history, ``rule_of_refusal`` for a refusal. The
words themselves, and the sections of the sheets, stand in ``rules_told.py``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from string import Formatter
from typing import cast

import msgspec

from companion.edition.british import UK
from companion.errors import Why
from companion.game import Game
from companion.game import commands as c
from companion.game import decoder_events as f
from companion.game import deed_events as d
from companion.game import events as e
from companion.game import moves as m
from companion.game import play_events as p
from companion.game import vault_contents_events as r
from companion.game.journal import Entry
from companion.game.ledger import Reason
from companion.game.position import BUS, MR
from companion.game.rulebook import (
    DEPOT,
    HOTEL,
    RAILROAD,
    UTILITY,
    Rulebook,
    RuleDeed,
)
from companion.game.spaces import SpaceKind
from companion.game.stage import Stage
from companion.rules.deeds import ANY_TIME
from companion.rules.walking import ANY_SPACE, GIFT, LOT
from companion.units import BANK, VAULT, Dollars
from companion.views.rules_told import RULES, TITLES, Sheet
from companion.words import Value, Words, say
from companion.words.money import dollars_text

"""The kind of the space that gives money or a ticket."""

OWN_RULE = say("This program's own rule: no rule sheet has it")

SHEETS: Mapping[str, tuple[Sheet, ...]] = {
    "grab-and-go": (Sheet.GRAB_AND_GO, Sheet.STANDARD),
    "secret-vault": (Sheet.SECRET_VAULT, Sheet.STANDARD),
    "crooked-cash": (Sheet.CASH_DECODER, Sheet.CROOKED_CASH, Sheet.STANDARD),
    "mega": (Sheet.MEGA, Sheet.STANDARD),
}
"""Which sheets an edition is played by, the first that says something counts; any other
edition is played by the standard rules. Only what is cited depends on this."""


class ShownRule(msgspec.Struct, frozen=True):
    """A rule, ready to be read.

    Attributes:
        words: What it says, as whole sentences.
        sheet: Where it stands, or that no sheet has it.
        section: The sheet's own heading, in its own language; empty without a sheet.
    """

    words: str
    sheet: str
    section: str = ""


def shown(key: str, game: Game | None) -> ShownRule:
    """The rule called *key*, with the figures and by the sheet of *game*'s box."""
    rule = RULES[key]
    names = {name for _, name, _, _ in Formatter().parse(rule.words) if name}
    figures = _figures(game)
    values = {name: figures[name] for name in names}
    sheets = _sheets(game)
    cited = next((one for one in sheets if one in rule.sections), None)
    if cited is None:  # The box's own sheet is silent: some other one says it.
        cited = next(iter(rule.sections), None)
    words = Words(rule.words, values)
    if cited is None:
        return ShownRule(words, OWN_RULE)
    return ShownRule(words, TITLES[cited], rule.sections[cited])


def _sheets(game: Game | None) -> tuple[Sheet, ...]:
    edition = "" if game is None else game.terms.edition.removesuffix(UK)
    if edition not in SHEETS and game is not None and game.terms.has_vault:
        return SHEETS["secret-vault"]
    return SHEETS.get(edition, (Sheet.STANDARD,))


def _figures(game: Game | None) -> dict[str, Value]:
    """The figures that the words of a rule may name."""
    if game is None:
        return {}
    terms = game.terms
    found: dict[str, Value] = {
        "start": dollars_text(terms.start_money),
        "salary": dollars_text(terms.salary),
        "vault_salary": dollars_text(terms.vault_salary),
    }
    if game.board is not None:
        rules = game.board.rules
        found |= {
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
    return found


def _utility_times(rules: Rulebook) -> dict[str, Value]:
    """How many times the dice the rent of a utility is, for one of them and for all."""
    rents = next((x.rents for x in rules.deeds if x.kind == SpaceKind.UTILITY), ())
    times = [one or 0 for one in rents] or [0]
    return {"one": times[0], "all": times[-1]}


def _gift(rules: Rulebook) -> Dollars:
    """The money that a birthday space gives; 0 without one."""
    return next(
        (x.amount or 0 for x in rules.spaces if x.kind == SpaceKind.BIRTHDAY_GIFT), 0
    )


# Charges.


def rules_of(entry: Entry, game: Game) -> tuple[ShownRule, ...]:
    """The rules behind the money of one entry, in its order, each once.

    Args:
        entry: What happened.
        game: The game as it stands, for its figures.
    """
    keys = dict.fromkeys(keys_of(entry, game))
    return tuple(shown(key, game) for key in keys)


def keys_of(entry: Entry, game: Game) -> Iterator[str]:
    """The keys of the rules behind each event of an entry that moves money or asks it.

    What follows from a move is explained by the event before it: the deed that was
    bought, the card that was drawn.
    """
    events = [one for one in entry.events if isinstance(one, e.Event)]
    for at, event in enumerate(events):
        find = CHARGES.get(type(event))
        if find is not None:
            yield from find(_Case(game, event, events[:at]))


class _Case:
    """One event that has to do with money, and those before it in the same entry."""

    def __init__(self, game: Game, event: e.Event, before: Sequence[e.Event]) -> None:
        self.game, self.event, self.before = game, event, before

    @property
    def is_by_hand(self) -> bool:
        """Whether people moved the money themselves."""
        return not self.before

    def last(self, *kinds: type[e.Event]) -> e.Event | None:
        """The latest of the events before that is of one of *kinds*."""
        return next((x for x in reversed(self.before) if isinstance(x, kinds)), None)

    def deed(self, deed_id: str) -> RuleDeed | None:
        """A deed of the game's box; ``None`` if it is not led, or has no such deed."""
        board = self.game.board
        at = None if board is None else board.index.get(deed_id)
        return None if board is None or at is None else board.rules.deeds[at]

    @property
    def is_into_vault(self) -> bool:
        """Whether the vault gets it, whether paid or owed."""
        event = self.event
        payee = event.creditor if isinstance(event, p.DebtOwed) else ""
        payee = event.payee if isinstance(event, e.MoneyMoved) else payee
        return payee == VAULT


Keys = tuple[str, ...]


def _moved(case: _Case) -> Keys:
    event = cast("e.MoneyMoved | p.DebtOwed", case.event)
    if case.is_by_hand and event.reason is not Reason.SALARY:
        return ("by-hand",)
    return BY_REASON[event.reason](case)


def _salary(case: _Case) -> Keys:
    return ("salary-vault",) if case.is_into_vault else ("salary",)


def _rent(case: _Case) -> Keys:
    due = case.last(p.RentAsked, p.RentFellDue)
    amount = cast("e.MoneyMoved | p.DebtOwed", case.event).amount
    if not isinstance(due, p.RentAsked | p.RentFellDue):
        return ("rent",)
    return (_rent_kind(case.deed(due.deed), case.game, amount), *_asking(case.game))


def _asking(game: Game) -> Keys:
    """How the table plays that rent is asked for."""
    if game.board is None:
        return ()
    rent = game.board.rules.rent
    if not rent.must_ask:
        return ("rent-automatic",)
    return ("rent-asked" if rent.turns == 1 else "rent-asked-later",)


def _rent_kind(deed: RuleDeed | None, game: Game, amount: Dollars | None) -> str:
    """The rule of a rent, read off its amount: the deed may have changed since."""
    if deed is None or game.board is None or amount is None:
        return "rent"
    if deed.kind == UTILITY:
        return "rent-utility"
    if deed.kind == RAILROAD:
        return _railroad_kind(deed, game, amount)
    if amount == deed.rents[0]:
        return "rent"
    times, is_near = game.board.rules.rent.full_group_times, counts_all_but_one(game)
    if amount in (deed.rent_group, deed.rent_near_group, times * (deed.rents[0] or 0)):
        return "rent-near" if is_near else "rent-group"
    return "rent-buildings" if amount in deed.rents[1:] else "rent"


def _railroad_kind(deed: RuleDeed, game: Game, amount: Dollars) -> str:
    assert game.board is not None, "asked before"
    if game.play is not None and game.play.levels[game.board.index[deed.id]]:
        return "depot"
    return "rent-railroad" if amount in deed.rents else "rent-card"


def counts_all_but_one(game: Game) -> bool:
    """Whether a seat with all of a group but one has rights there already."""
    return game.board is not None and game.board.rules.rent.all_but_one_times > 1


def _fell_due(case: _Case) -> Keys:
    event = cast("p.RentFellDue", case.event)
    kind = _rent_kind(case.deed(event.deed), case.game, event.amount)
    return (kind, *_asking(case.game))


def _purchase(case: _Case) -> Keys:
    event = case.last(
        *(d.DeedBought, d.DeedDealt, d.LotSold, d.BuildingBought, d.GroupLevelled)
    )
    if isinstance(event, d.DeedDealt):
        return ("dealt",)
    if isinstance(event, d.LotSold):
        return ("auction" if case.deed(event.lot) is not None else "last-building",)
    if isinstance(event, d.BuildingBought):
        deed = case.deed(event.deed)
        step = deed.ladder[event.level - 1] if deed and event.level else ""
        return (BUILDINGS.get(step, "build"),)
    if isinstance(event, d.GroupLevelled):
        return ("build",)
    return ("buy",) if event is not None else ("auction",)  # A bid that is paid later.


BUILDINGS: Mapping[str, str] = {HOTEL: "build-hotel", DEPOT: "depot"}
"""The rule behind the price of a building, where it has one of its own."""


def _mortgage(case: _Case) -> Keys:
    event = case.last(d.DeedMortgaged, d.MortgageLifted, d.DeedPassed)
    if isinstance(event, d.MortgageLifted):
        board = case.game.board
        is_printed = board is not None and board.rules.mortgage.is_lifting_printed
        return ("lift-printed" if is_printed else "lift",)
    return ("mortgage",) if isinstance(event, d.DeedMortgaged) else _taken_over(case)


def _taken_over(_case: _Case) -> Keys:
    return ("mortgage-taken-over",)


def _fine(case: _Case) -> Keys:
    event = case.last(p.JailLeft)
    is_forced = isinstance(event, p.JailLeft) and event.how == "attempts"
    return ("fine-last-try",) if is_forced else ("fine",)


def _riches(case: _Case) -> Keys:
    taken = case.last(r.RichesTaken)
    return ("vault-opened",) if taken is not None else ("vault-refilled",)


def _sale(case: _Case) -> Keys:
    sold = case.last(d.DeedSold, d.BuildingSold)
    return (_street_sale(case.game) if isinstance(sold, d.DeedSold) else "unbuild",)


def _street_sale(game: Game) -> str:
    sale = game.board.rules.street_sale if game.board is not None else None
    is_always = sale is not None and sale.when == ANY_TIME
    return "street-sale-any-time" if is_always else "street-sale"


def _fake(case: _Case) -> Keys:
    is_card = cast("e.MoneyMoved", case.event).payer == BANK
    return ("fake-card",) if is_card else ("fake-note",)


def _laid(case: _Case) -> Keys:
    """The rule that asks for the money, if it is a rent; and that it lies there."""
    payment = cast("f.PaymentLaid", case.event).payment
    due = case.last(p.RentAsked, p.RentFellDue)
    if not isinstance(due, p.RentAsked | p.RentFellDue):
        return ("laid",)
    return (_rent_kind(case.deed(due.deed), case.game, payment.amount), "laid")


def _leaving(case: _Case) -> Keys:
    out = case.last(p.SeatBankrupted)
    has_resigned = isinstance(out, p.SeatBankrupted) and out.has_resigned
    return ("resigned",) if has_resigned else ("bankrupt",)


def _always(*keys: str) -> Callable[[_Case], Keys]:
    return lambda _: keys


BY_REASON: Mapping[Reason, Callable[[_Case], Keys]] = {
    Reason.START: _always("start"),
    Reason.SALARY: _salary,
    Reason.RENT: _rent,
    Reason.PURCHASE: _purchase,
    Reason.GUESS: _always("guess-fee"),
    Reason.SALE: _sale,
    Reason.MORTGAGE: _mortgage,
    Reason.TAX: lambda case: ("tax-vault",) if case.is_into_vault else ("tax",),
    Reason.FINE: _fine,
    Reason.CARD: lambda case: ("card-vault",) if case.is_into_vault else ("card",),
    Reason.DEAL: _always("trade"),
    Reason.FAKE: _fake,
    Reason.GIFT: _always("gift"),
    Reason.RICHES: _riches,
    Reason.LEAVING: _leaving,
    Reason.CORRECTION: _always("corrected"),
    Reason.OTHER: _always("by-hand"),
}
"""The rule behind money that moves while the companion leads, by its reason."""


def _opened(case: _Case) -> Keys:
    event = cast("e.GameOpened", case.event)
    return ("vault-first",) if event.terms.vault_money else ()


CHARGES: Mapping[type[e.Event], Callable[[_Case], Keys]] = {
    e.GameOpened: _opened,
    e.SeatAdded: _always("start"),
    e.SeatRemoved: _always("left-table"),
    e.MoneyMoved: _moved,
    e.MoneyAsked: _always("asks"),
    e.BalanceCorrected: _always("corrected"),
    e.Undone: _always("undo"),
    e.Redone: _always("undo"),
    p.DebtOwed: _moved,
    p.RentFellDue: _fell_due,
    f.PaymentLaid: _laid,
    f.CardLaid: _always("card-laid"),
    f.ChipSpent: _always("chip"),
    p.SentToJail: _always("to-jail"),
    r.GuessAwaited: lambda case: (
        ("guess-fee",) if cast("r.GuessAwaited", case.event).fee else ()
    ),
}
"""The rules behind every event that moves money, or makes somebody owe it."""


# Refusals.


def rule_of_refusal(
    why: Why, game: Game | None = None, kind: type[c.Command] | None = None
) -> ShownRule:
    """The rule that stands against a command.

    Args:
        why: The reason it was refused for.
        game: The game as it stands; ``None`` where there is none.
        kind: Which command was refused, where that is known.
    """
    return shown(refusal_key(why, game, kind), game)


def refusal_key(why: Why, game: Game | None, kind: type[c.Command] | None) -> str:
    """The key of that rule."""
    is_led = game is not None and game.is_guided and game.board is not None
    if is_led and kind is not None and issubclass(kind, m.Move):
        return _led_key(why, cast("Game", game), kind)
    if why is Why.GAME_OVER and is_led and not cast("Game", game).is_closed:
        return _over(cast("Game", game))
    return AT_THE_TABLE.get(why) or LED[why]


def _led_key(why: Why, game: Game, kind: type[c.Command]) -> str:
    if why is Why.GAME_OVER and game.is_closed:
        return AT_THE_TABLE[why]
    if why is Why.GAME_OVER:
        return _over(game)
    if why is Why.WRONG_STAGE and kind is m.SellDeed:
        return _street_sale(game)
    if why is Why.WRONG_STAGE and _is_held_up(game) and kind in HELD_UP:
        return "mr-alone"
    if why in (Why.WRONG_STAGE, Why.NOT_YOUR_TURN):
        return _stage_key(game)
    if why is Why.INCOMPLETE_GROUP and counts_all_but_one(game):
        return "near-group"
    if why is Why.RENT_NOT_DUE:
        return _asking(game)[0]
    if why is Why.HAS_BUILDINGS and kind is m.Mortgage:
        return "mortgage-buildings"
    return BY_MOVE.get((why, kind)) or LED.get(why) or AT_THE_TABLE[why]


def _stage_key(game: Game) -> str:
    play = game.play
    if play is None or game.board is None:
        return "lead"
    if play.stage is Stage.CARD and game.board.is_open(play.awaited):
        return "open-card"
    if play.stage is Stage.CHOOSE:
        return CHOICES.get(play.awaited, STAGES[play.stage])
    if play.stage is Stage.RENT_ROLL and not play.dice:
        return "ticket-utility"
    return STAGES[play.stage]


def _is_held_up(game: Game) -> bool:
    """Whether all others wait for a move by the third die."""
    return game.play is not None and game.play.bonus == MR


HELD_UP = (m.Build, m.WantBuilding, m.Level, m.MakeOffer, m.Accept)
"""What nobody else may do before that move is done."""


def _over(game: Game) -> str:
    assert game.board is not None, "it was led"
    is_owned = game.board.rules.end.when == "all-owned"
    return "over-all-owned" if is_owned else "over-one-left"


AT_THE_TABLE: Mapping[Why, str] = {
    Why.GAME_OVER: "put-away",
    Why.UNKNOWN_SEAT: "seat",
    Why.WRONG_STAGE: "lead",
    Why.NOT_YOURS: "own-money",
    Why.MALFORMED: "typed",
    Why.LIMIT_REACHED: "limit",
    Why.CANNOT_AFFORD: "no-credit",
    Why.NOT_UNDOABLE: "undo",
    Why.STALE: "fresh",
    Why.NOT_ASKED: "asks",
    Why.TABLE_LOCKED: "seats",
    Why.TABLE_FULL: "seats",
    Why.NAME_TAKEN: "names",
    Why.TOO_SOON: "grace",
    Why.COIL_RESTING: "coil",
}
"""The rule behind each refusal of a command that is no move of a led game."""

LED: Mapping[Why, str] = {
    Why.BANKRUPT: "bankrupt",
    Why.NOT_YOUR_TURN: "turn",
    Why.NOT_YOURS: "own",
    Why.IN_JAIL: "in-jail",
    Why.NOT_IN_JAIL: "in-jail",
    Why.NOT_UNOWNED: "key",
    Why.LOCKED_DEED: "locked",
    Why.NOT_LOCKED: "key",
    Why.MORTGAGED: "mortgage",
    Why.NOT_MORTGAGED: "mortgage",
    Why.INCOMPLETE_GROUP: "group",
    Why.HAS_BUILDINGS: "trade-buildings",
    Why.UNEVEN: "evenly",
    Why.LIMIT_REACHED: "build-limit",
    Why.NONE_LEFT: "none-left",
    Why.NOT_REACHABLE: "ticket",
    Why.NO_CARD: "card-kept",
    Why.NO_TICKET: "ticket-roll",
    Why.NO_CHIP: "chip",
    Why.NO_HOTEL: "hotels",
    Why.OWN_MONEY: "others-money",
    Why.BID_TOO_LOW: "auction",
    Why.CANNOT_AFFORD: "no-loans",
    Why.RENT_NOT_DUE: "rent",
    Why.CAN_STILL_PAY: "debt",
    Why.VAULT_OPEN: "vault-locked",
    Why.VAULT_LOCKED: "vault-locked",
    Why.NO_GUESS_DUE: "guess",
    Why.UNKNOWN_FIGURE: "figure",
}
"""The rule behind each refusal of a move, if its kind does not matter."""

BY_MOVE: Mapping[tuple[Why, type[c.Command]], str] = {
    (Why.MALFORMED, m.Roll): "dice",
    (Why.MALFORMED, m.Bid): "auction",
    (Why.MALFORMED, m.MakeOffer): "no-loans",
    (Why.MALFORMED, m.Draw): "card",
    (Why.MALFORMED, m.Guess): "guess",
    (Why.MORTGAGED, m.Build): "build-mortgage",
    (Why.MORTGAGED, m.WantBuilding): "build-mortgage",
    (Why.UNEVEN, m.Unbuild): "unbuild-evenly",
    (Why.NONE_LEFT, m.WantBuilding): "last-building",
    (Why.CANNOT_AFFORD, m.Bid): "auction",
    (Why.IN_JAIL, m.Inspect): "jail-no-decoder",
    (Why.MALFORMED, m.GiveVerdict): "fake-note",
    (Why.CANNOT_AFFORD, m.GiveVerdict): "fake-note",
    (Why.MALFORMED, m.UseCard): "card-kept",
    (Why.MALFORMED, m.Choose): "card",
    (Why.NONE_LEFT, m.Choose): "ticket-gone",
    (Why.NOT_UNOWNED, m.Choose): "auction-space",
    (Why.MALFORMED, m.UseTicket): "ticket",
    (Why.MALFORMED, m.Level): "evenly",
    (Why.MORTGAGED, m.Level): "build-mortgage",
    (Why.CAN_STILL_PAY, m.Level): "last-street",
}
"""The rule behind refusals that depend on what was tried."""

CHOICES: Mapping[str, str] = {
    BUS: "bus",
    ANY_SPACE: "triples",
    GIFT: "gift",
    LOT: "auction-space",
}
"""The rule of what is to be chosen, where no card offers it."""

STAGES: Mapping[Stage, str] = {
    Stage.ROLL: "turn",
    Stage.CARD: "card",
    Stage.BUY: "buy-or-auction",
    Stage.AUCTION: "auction",
    Stage.GUESS: "guess-first",
    Stage.KEY: "key",
    Stage.REFILL: "vault-refilled",
    Stage.CHOOSE: "card",
    Stage.PAYMENT: "laid",
    Stage.CARD_USE: "card-laid",
    Stage.VERDICT: "verdict",
    Stage.RENT_ROLL: "rent-card",
    Stage.LEVEL: "last-street",
    Stage.DEBT: "debt",
    Stage.OVER: "turn",
}
"""Why a move has to wait: the rule of what the table waits for."""
