"""The turn as the page of one seat shows it: what the seat has to know and may do now.

Everything that can be tapped comes from ``legal_moves``; nothing here decides whether
a move is allowed. Building, mortgaging and trading have pages of their own, so this
page only mentions them, except while the seat raises money for a debt.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
from msgspec.structs import replace

from companion.game import Game
from companion.game import moves as m
from companion.game.card_code import JAIL_CARD
from companion.game.commands import Command, fields_of
from companion.game.move_run import MoveRun
from companion.game.position import Claim, Token
from companion.game.rulebook import BUS_DECK
from companion.game.stage import FOR_SALE, Stage
from companion.rules import legal_moves, out_of_turn
from companion.rules.buildings import check_sale_of_buildings
from companion.rules.rule import Choice, Range
from companion.rules.trade import owed
from companion.units import Dollars
from companion.views.blanks import Gap, gaps
from companion.views.book import in_book
from companion.views.dice import Dice, dice_of
from companion.views.laid import Laid, laid_of
from companion.views.reach import word_of_goal
from companion.views.turn_buttons import (
    Button,
    Look,
    button_of,
    claim_of,
    gain_of,
    level_left,
    sale_of,
)
from companion.views.turn_words import (
    LYING,
    bids_words,
    follows,
    headline,
    is_debtor,
    lines,
    lot_name,
    place_words,
    space_words,
)
from companion.views.wording import hotels_text, tickets_text
from companion.words import capital, say, say_count
from companion.words.lists import with_ands

ROUND = (10, 50, 100)
"""A bid with a button of its own is a multiple of one of these, in dollars."""

CHIPS_MAX = 12
"""At most so many numbers get one button each."""


class Bidding(msgspec.Struct, frozen=True):
    """An auction as one seat sees it.

    Attributes:
        lot: The name of the lot that is sold now.
        deed: The id of the deed that is sold; empty for a building.
        more: How many lots come after it.
        leader: The seat of the highest bidder; empty before the first bid.
        amount: The highest bid.
        headline: How the bidding stands, beside the picture of a deed; empty for a
            building.
        passed: The seats that bid no more.
        thinking: The seats that may still bid.
        low: The lowest bid that the seat may make; 0 if it may not bid.
        high: The highest bid that the seat may make; 0 if it may not bid.
        chips: Bids that have a button of their own, ascending.
    """

    lot: str
    deed: str
    more: int
    leader: str
    amount: Dollars
    headline: str
    passed: tuple[str, ...]
    thinking: tuple[str, ...]
    low: Dollars = 0
    high: Dollars = 0
    chips: tuple[Dollars, ...] = ()

    @property
    def seats(self) -> tuple[str, ...]:
        """Every bidder: the leader, then those who may bid, then those who passed."""
        return (*filter(None, (self.leader,)), *self.thinking, *self.passed)

    def state(self, seat: str) -> str:
        """Return ``leads``, ``passed`` or ``thinks``."""
        if seat == self.leader:
            return "leads"
        return "passed" if seat in self.passed else "thinks"

    def words(self, seat: str) -> str:
        """Return in words what *seat* is doing in the auction."""
        return BIDDER_WORDS[self.state(seat)]


BIDDER_WORDS = {
    "leads": say("leads"),
    "passed": say("passed"),
    "thinks": say("may bid"),
}
"""What a seat is doing in an auction, by its state, as one phone words it."""


class Raising(msgspec.Struct, frozen=True):
    """How money for a debt, a purchase or a bid can be raised.

    Attributes:
        missing: How much the seat still lacks; 0 once it can pay.
        is_owed: The money is for a debt.
        ways: The moves that sell or mortgage something, with what each brings.
        gaps: What the seat could sell or mortgage if somebody read the card first.
        is_likely: Some of *ways* bring an amount that is only likely.
        to_trade: What the seat has that others may pay for, in words; may be empty.
        creditor: The seat that has waited longest for its money, and may take
            something else; empty if the debts are to the bank alone.
    """

    missing: Dollars
    is_owed: bool
    ways: tuple[Button, ...]
    gaps: tuple[Gap, ...]
    is_likely: bool
    to_trade: str
    creditor: str = ""

    @property
    def is_wanted(self) -> bool:
        """Whether the page has anything to show about raising money."""
        return bool((self.is_owed and self.missing) or self.ways or self.gaps)

    @property
    def is_stuck(self) -> bool:
        """Whether the bank pays for nothing more, although a debt is not covered."""
        return self.is_owed and bool(self.missing) and not self.ways and not self.gaps


class Numbers(msgspec.Struct, frozen=True):
    """A move for which the player only types a number.

    Attributes:
        field: The name of the number in the form.
        choices: The numbers, one button each; empty if there are too many.
    """

    button: Button
    field: str
    low: int
    high: int
    choices: tuple[int, ...]


class Guessing(msgspec.Struct, frozen=True):
    """The wheel of a vault, while a guess is due.

    Attributes:
        numbers: The numbers on the wheel.
        tried: Those known to be wrong, if the table agreed to see them.
    """

    numbers: tuple[int, ...]
    tried: tuple[int, ...]


class Use(msgspec.Struct, frozen=True):
    """A card in the hand that can be used now.

    Attributes:
        card: What it does.
        targets: The seats or deeds it can be used on, each as value and name; empty
            if the card needs no target.
    """

    card: str
    button: Button
    targets: tuple[tuple[str, str], ...] = ()


class Verdicts(msgspec.Struct, frozen=True):
    """The verdicts on a note or a card among which the inspector may choose.

    Attributes:
        fakes: The possible values of a fake note, in dollars; empty for a card, and
            where the notes of the box are unknown.
        is_note: A note is looked at, so that a fake has a value.
    """

    fakes: tuple[Dollars, ...]
    is_note: bool


class OnTable(msgspec.Struct, frozen=True):
    """What lies on the table, and what the seat may do about it.

    Attributes:
        handing: The button that hands the money over, or uses the card.
        looking: The button that spends a chip to look.
        verdicts: The verdicts that the seat may give now.
    """

    laid: Laid
    handing: Button | None
    looking: Button | None
    verdicts: Verdicts | None

    @property
    def is_for_hand(self) -> bool:
        """Whether the seat may do anything about what lies on the table."""
        return bool(self.handing or self.looking or self.verdicts)


class Ahead(msgspec.Struct, frozen=True):
    """Ways to move a token on besides a roll.

    Attributes:
        bonus: The face of the third die that acts after this landing; empty for none.
        follows: What that face brings, as a sentence; empty for nothing.
        tickets: How many bus tickets the seat holds.
        can_ride: The seat can take the bus now, in place of rolling.
        picks: The seat has to pick a space of the board, or a deed.
    """

    bonus: str
    follows: str
    tickets: int
    can_ride: bool
    picks: bool


class Turn(msgspec.Struct, frozen=True, kw_only=True):
    """What one seat knows and may do.

    Attributes:
        seat: Whose page it is.
        stage: What the table waits for.
        mover: The seat with the dice.
        headline: What is to be done now, and by whom.
        lines: Further sentences about it.
        is_mine: The table waits for this seat.
        is_at_vault: This seat may guess at the vault, or lock it again.
        guessing: The wheel, if this seat may guess.
        is_out: The seat no longer plays.
        place: Where its token stands, as a sentence.
        space: The name of that space, or that the token is in jail.
        thrown: The faces last rolled: a number, or the word on a special face.
        deed: The id of the deed that is bought, bid for or rolled for; may be empty.
        buttons: The moves of the turn itself, the main one first.
        rents: The rents that this seat can ask for.
        cards: The real cards that this seat may have drawn.
        numbers: The moves for which only a number is typed.
        giving_up: Declaring bankruptcy; apart, so that nobody taps it by accident.
        leaving: Leaving the game for good; apart for the same reason.
        kept: The cards and loose hotels in the seat's hand, in words.
        uses: The cards in the seat's hand that it may use at any moment.
        ahead: Other ways to move its token on, in boxes with three dice.
        levels: A deed of the group that the seat has to build evenly; may be empty.
        on_table: What lies on the table; ``None`` if nothing does.
        can_offer: This seat can offer a trade now.
        owing: The seats that owe this one money, with the sum in dollars.
        has_won: The game is over, and this seat won.
        order: The seats that still play, from the one with the dice on.
    """

    seat: str
    stage: Stage
    mover: str
    headline: str
    lines: tuple[str, ...]
    is_mine: bool
    is_at_vault: bool
    guessing: Guessing | None
    is_out: bool
    place: str
    space: str
    thrown: tuple[int | str, ...]
    deed: str
    dice: Dice | None
    buttons: tuple[Button, ...]
    rents: tuple[Button, ...]
    bidding: Bidding | None
    raising: Raising | None
    cards: tuple[Button, ...]
    numbers: tuple[Numbers, ...]
    giving_up: tuple[Button, ...]
    leaving: tuple[Button, ...]
    kept: tuple[str, ...]
    uses: tuple[Use, ...]
    ahead: Ahead
    levels: str
    on_table: OnTable | None
    can_offer: bool
    owing: tuple[tuple[str, Dollars], ...]
    has_won: bool
    order: tuple[str, ...]


ESTATE = (
    *(m.Build, m.Unbuild, m.Level, m.WantBuilding),
    *(m.Mortgage, m.LiftMortgage, m.SellDeed),
)
LEAVING = (m.DeclareBankrupt, m.Resign)
ANSWERS = (m.Accept, m.Reject, m.Withdraw)
OWN_PLACE = (*ESTATE, *LEAVING, *ANSWERS, m.AskRent, m.Draw, m.ReadBox, m.UseTicket)
"""Moves that the page shows elsewhere than among the buttons of the turn."""

ON_TABLE = (m.HandOver, m.Inspect, m.GiveVerdict)
"""Moves about what lies on the table, which stand below it."""


@in_book
def turn_of(game: Game, seat: str) -> Turn:
    """Return what *seat* knows and may do in a game that the companion leads.

    Args:
        game: The game as it stands, guided.
        seat: Any seat; one that does not play only watches.
    """
    look = Look(game, seat)
    choices = legal_moves(game, seat)
    kinds = {kind_of(choice) for choice in choices}
    is_mine = _is_mine(look, kinds)
    token = look.play.token(seat)
    return Turn(
        seat=seat,
        stage=look.play.stage,
        mover=look.play.mover.seat,
        headline=headline(look, is_mine=is_mine),
        lines=lines(look, is_mine=is_mine),
        is_mine=is_mine,
        is_at_vault=bool(kinds & {m.Guess, m.LockVault}),
        guessing=_guessing(look) if m.Guess in kinds else None,
        is_out=token is None or token.is_out,
        place=place_words(look),
        space=space_words(look),
        thrown=look.play.faces,
        deed=_deed(look),
        dice=dice_of(look) if m.Roll in kinds else None,
        buttons=_buttons(look, choices),
        rents=_of_kinds(look, choices, m.AskRent),
        bidding=_bidding(look, choices) if look.play.auction else None,
        raising=_raising(look, choices) if _wants_money(look) else None,
        cards=_cards(look, choices),
        numbers=_numbers(look, choices),
        giving_up=_of_kinds(look, choices, m.DeclareBankrupt),
        leaving=_of_kinds(look, choices, m.Resign),
        kept=_kept(look, token) if token else (),
        uses=_uses(look, choices),
        ahead=_ahead(look, choices),
        levels=_levels(look),
        on_table=_on_table(look, choices),
        can_offer=m.MakeOffer in kinds,
        owing=_owing(look),
        has_won=seat in look.play.winners,
        order=_order(look),
    )


def claims_of(game: Game, seat: str) -> Iterator[tuple[Button, Claim]]:
    """Yield the rents that *seat* can ask for: the button, and the claim behind it."""
    look = Look(game, seat)
    for button in turn_of(game, seat).rents:
        asked = claim_of(look, dict(button.fields)["seat"])
        if asked is not None:
            yield button, asked[0]


def _is_mine(look: Look, kinds: set[type[Command]]) -> bool:
    """Return whether the table waits for the looking seat."""
    if look.play.stage is Stage.DEBT:
        return is_debtor(look)  # The mover may lock the vault meanwhile, at leisure.
    is_asked = any(kind not in OWN_PLACE for kind in kinds - _anybodys(look))
    return is_asked or m.Draw in kinds or is_debtor(look) or bool(_levels(look))


def _ahead(look: Look, choices: tuple[Choice, ...]) -> Ahead:
    token = look.play.token(look.seat)
    return Ahead(
        bonus=look.play.bonus,
        follows=follows(look),
        tickets=token.tickets if token else 0,
        can_ride=any(kind_of(choice) is m.UseTicket for choice in choices),
        picks=any(word_of_goal(look, choice) for choice in choices),
    )


def _levels(look: Look) -> str:
    """Return a deed of the group that the seat has to build evenly now.

    Empty for none.
    """
    play = look.play
    is_due = play.stage is Stage.LEVEL and play.uneven[0].seat == look.seat
    return play.uneven[0].deed if is_due else ""


def _order(look: Look) -> tuple[str, ...]:
    tokens, turn = look.play.tokens, look.play.turn
    return tuple(x.seat for x in (*tokens[turn:], *tokens[:turn]) if not x.is_out)


def _anybodys(look: Look) -> set[type[Command]]:
    """List the kinds of moves that the seat may make out of its turn."""
    kinds: set[type[Command]] = {m.MakeOffer, m.PayDebt, m.Inspect}
    if look.play.inspector != look.seat:
        kinds.add(m.GiveVerdict)
    if look.play.stage not in LYING:
        kinds.add(m.UseCard)
    return kinds if look.play.mover.seat == look.seat else kinds | {m.LockVault}


def _kept(look: Look, token: Token) -> tuple[str, ...]:
    """List in words what the seat holds besides money and deeds: cards and hotels."""
    cards = tuple(look.card(card) for card in token.cards)
    return (*cards, hotels_text(token.hotels)) if token.hotels else cards


def kind_of(choice: Choice) -> type[Command]:
    """Return the kind of move that *choice* is, or a range of moves is of."""
    return choice.kind if isinstance(choice, Range) else type(choice)


def _first(
    look: Look, choices: tuple[Choice, ...], kind: type[Command]
) -> Button | None:
    return next(iter(_of_kinds(look, choices, kind)), None)


def _of_kinds(
    look: Look, choices: tuple[Choice, ...], *kinds: type[Command]
) -> tuple[Button, ...]:
    return tuple(
        button_of(look, choice) for choice in choices if kind_of(choice) in kinds
    )


def _buttons(look: Look, choices: tuple[Choice, ...]) -> tuple[Button, ...]:
    """List the buttons of the turn itself, the main ones first.

    Where any card of a deck may be drawn, one button draws from the table's own deck.
    """
    choices = _with_few_plans(look, choices)
    buttons = [
        button_of(look, choice) for choice in choices if _is_of_turn(look, choice)
    ]
    if any(isinstance(choice, Range) and choice.kind is m.Draw for choice in choices):
        is_ticket = look.play.awaited == BUS_DECK
        words = say("Draw a bus ticket") if is_ticket else say("Draw a card")
        buttons.append(Button("draw", words, is_main=True))
    return tuple(sorted(buttons, key=lambda button: not button.is_main))


def _is_of_turn(look: Look, choice: Choice) -> bool:
    """Return whether a move stands among the buttons of the turn itself."""
    if isinstance(choice, Range) or word_of_goal(look, choice):
        return False
    if isinstance(choice, (*OWN_PLACE, *ON_TABLE)):
        return _is_levelling(look, choice)
    return not _is_for_later(look, choice)


def _with_few_plans(look: Look, choices: tuple[Choice, ...]) -> tuple[Choice, ...]:
    """Return *choices* without most of the plans for an uneven group.

    The plans that sell nothing stay, or if each sells something, the first one. Any
    other plan can be laid out on the page of the group.
    """
    plans = (
        [choice for choice in choices if isinstance(choice, m.Level)]
        if _levels(look)
        else []
    )
    shown = [choice for choice in plans if gain_of(look, choice) <= 0] or plans[:1]
    return tuple(choice for choice in choices if choice not in plans or choice in shown)


def _is_levelling(look: Look, choice: Choice) -> bool:
    """Return whether a move helps to even out the group that has to be."""
    deed = _levels(look)
    if not deed or isinstance(choice, Range):
        return False
    if isinstance(choice, m.Level):
        return True
    index = look.board.index
    sites = look.board.sites[index[deed]]
    return isinstance(choice, m.LiftMortgage) and index[choice.deed] in sites


def _is_for_later(look: Look, choice: Choice) -> bool:
    """Return whether a move uses a card that may be used at any moment."""
    if not isinstance(choice, m.UseCard) or look.play.stage in (*LYING, Stage.DEBT):
        return False
    return not _is_jail_card(look, choice.card)


def _uses(look: Look, choices: tuple[Choice, ...]) -> tuple[Use, ...]:
    """List the cards that may be used at any moment, each once with all its targets."""
    uses: dict[str, Use] = {}
    for choice in choices:
        if not isinstance(choice, m.UseCard) or not _is_for_later(look, choice):
            continue
        plain = m.UseCard(by=choice.by, card=choice.card)
        use = uses.get(choice.card) or Use(
            look.card(choice.card), button_of(look, plain)
        )
        target = (choice.target, look.name(choice.target))
        targets = (*use.targets, target) if choice.target else use.targets
        uses[choice.card] = replace(use, targets=targets)
    return tuple(uses.values())


def _on_table(look: Look, choices: tuple[Choice, ...]) -> OnTable | None:
    laid = laid_of(look.game)
    if laid is None:
        return None
    return OnTable(
        laid,
        handing=_first(look, choices, m.HandOver),
        looking=_first(look, choices, m.Inspect),
        verdicts=_verdicts(choices),
    )


def _verdicts(choices: tuple[Choice, ...]) -> Verdicts | None:
    verdicts = [choice for choice in choices if kind_of(choice) is m.GiveVerdict]
    if not verdicts:
        return None
    values = [x.amount for x in verdicts if isinstance(x, m.GiveVerdict)]
    fakes = tuple(filter(None, values))
    return Verdicts(fakes, is_note=bool(fakes) or len(values) < len(verdicts))


def _cards(look: Look, choices: tuple[Choice, ...]) -> tuple[Button, ...]:
    """Return one button for each text of a card; cards of the same text share it."""
    by_words: dict[str, Button] = {}
    for choice in choices:
        if isinstance(choice, m.Draw):
            button = button_of(look, choice)
            by_words.setdefault(str(button.words), button)
    shown = [by_words[words] for words in sorted(by_words)]
    return tuple(sorted(shown, key=lambda button: not button.is_main))


def _numbers(look: Look, choices: tuple[Choice, ...]) -> tuple[Numbers, ...]:
    """List the ranges of moves that the page does not draw in a way of their own."""
    drawn_elsewhere = (m.Roll, m.Draw, m.Bid, m.MakeOffer, m.Guess, m.ReadBox)
    numbers = []
    for choice in choices:
        if not isinstance(choice, Range) or choice.kind in drawn_elsewhere:
            continue
        fields = fields_of(choice.kind)
        is_few = choice.high - choice.low < CHIPS_MAX
        span = tuple(range(choice.low, choice.high + 1)) if is_few else ()
        if len(fields) == 1:
            button = button_of(look, choice)
            numbers.append(
                Numbers(button, fields[0].name, choice.low, choice.high, span)
            )
    return tuple(numbers)


def _guessing(look: Look) -> Guessing | None:
    vault, contents = look.board.rules.vault, look.play.vault_contents
    if vault is None or contents is None:
        return None
    return Guessing(vault.codes, contents.tried if vault.shows_tries else ())


def _deed(look: Look) -> str:
    """Return the deed that is bought, bid for or rolled for; empty for none."""
    play = look.play
    lot = play.auction.lots[0] if play.auction else ""
    if play.stage in (Stage.BUY, Stage.RENT_ROLL):
        lot = play.awaited
    return lot if lot in look.board.index else ""


def _bidding(look: Look, choices: tuple[Choice, ...]) -> Bidding | None:
    auction = look.play.auction
    if auction is None:
        return None
    span = next((x for x in choices if isinstance(x, Range) and x.kind is m.Bid), None)
    low, high = (span.low, span.high) if span else (0, 0)
    lot = auction.lots[0]
    is_deed = lot in look.board.index
    thinking = [
        seat
        for seat in auction.bidders
        if seat not in auction.passed and seat != auction.bidder
    ]
    return Bidding(
        lot=lot_name(look, auction),
        deed=lot if is_deed else "",
        more=len(auction.lots) - 1,
        leader=auction.bidder,
        amount=auction.amount,
        headline=bids_words(look, auction) if is_deed else "",
        passed=auction.passed,
        thinking=tuple(thinking),
        low=low,
        high=high,
        chips=_round_bids(span) if span else (),
    )


def _round_bids(span: Range) -> tuple[Dollars, ...]:
    """Return a few round bids within *span*; the lowest bid if none is round."""
    bids: list[Dollars] = []
    for size in ROUND:
        least = bids[-1] + 1 if bids else span.low
        above = -(-least // size) * size - span.low
        bids.append(span.low + -(-above // span.step) * span.step)
    return tuple(bid for bid in bids if bid <= span.high) or (span.low,)


def _wants_money(look: Look) -> bool:
    """Return whether the page shows how the seat can raise money."""
    is_for_sale = look.play.stage in FOR_SALE
    may_raise = out_of_turn(look.game, look.seat, m.Mortgage) is None
    return is_debtor(look) or (is_for_sale and may_raise)


def _lacks(look: Look) -> Dollars:
    """Return how many dollars the seat lacks for its debts or for a purchase."""
    needed = look.play.owed_by(look.seat)
    if look.play.stage is Stage.BUY:
        needed = look.deed(look.play.awaited).price or 0
    return max(0, needed - look.cash)


def _raising(look: Look, choices: tuple[Choice, ...]) -> Raising:
    ways = [choice for choice in choices if _brings_something(look, choice)]
    ways.sort(key=lambda choice: _brings_nothing(look, choice))  # These last.
    likely = look.board.likely.values()
    lent = {figure.of for figure in likely if figure.figure == "mortgage"}
    return Raising(
        missing=_lacks(look),
        is_owed=is_debtor(look),
        ways=tuple(button_of(look, choice) for choice in ways),
        gaps=tuple(gaps(look)) if _sells(look) else (),
        is_likely=any(isinstance(x, m.Mortgage) and x.deed in lent for x in ways),
        to_trade=_to_trade(look) if _can_offer(choices) else "",
        creditor=_creditor(look),
    )


def _sells(look: Look) -> bool:
    """Return whether the bank buys back now what the seat may sell."""
    return is_debtor(look) or check_sale_of_buildings(MoveRun(look.game)) is None


def _creditor(look: Look) -> str:
    """Return the seat to which the looking one has owed longest; empty for none."""
    debts = (x for x in look.play.debts if x.debtor == look.seat)
    return next((x.creditor for x in debts if look.play.token(x.creditor)), "")


def _owing(look: Look) -> tuple[tuple[str, Dollars], ...]:
    """Return the seats that owe the looking one, each with its debt in dollars.

    Empty while no trade can be offered that would settle a debt.
    """
    run = MoveRun(look.game)
    debtors = (x.debtor for x in look.play.debts if x.creditor == look.seat)
    if out_of_turn(look.game, look.seat, m.MakeOffer) is not None:
        return ()
    return tuple((x, owed(run, x, look.seat)) for x in dict.fromkeys(debtors))


def _can_offer(choices: tuple[Choice, ...]) -> bool:
    return any(kind_of(choice) is m.MakeOffer for choice in choices)


def _to_trade(look: Look) -> str:
    """Say what the seat has that others may pay for; empty for nothing."""
    token = look.play.token_of(look.seat)
    words = [say("deeds")] if look.seat in look.play.owners else []
    cards = sum(_is_jail_card(look, card) for card in token.cards)
    if cards:
        words.append(
            say_count(cards, "a card to leave jail", "{count} cards to leave jail")
        )
    if token.hotels:
        words.append(hotels_text(token.hotels))
    if token.tickets:
        words.append(tickets_text(token.tickets))
    return capital(with_ands(words))


def _is_jail_card(look: Look, word: str) -> bool:
    card = look.board.card(word)
    return card is not None and card.effect == JAIL_CARD


def _brings_nothing(look: Look, choice: Choice) -> bool:
    """Return whether selling brings nothing itself, but lets a deed be mortgaged."""
    return isinstance(choice, m.Unbuild) and not sale_of(look, choice)


def _brings_something(look: Look, choice: Choice) -> bool:
    """Return whether a move is a way to raise money.

    Buildings that return to the hand bring nothing, but the deeds below them can be
    mortgaged then; so they are taken off all at once.
    """
    match choice:
        case m.Mortgage(deed=deed):
            return bool(look.deed(deed).mortgage)
        case m.SellDeed(deed=deed):
            return bool(look.deed(deed).price)
        case m.Unbuild(deed=deed, is_all=is_all):
            level = look.play.levels[look.board.index[deed]]
            one_less = m.Unbuild(by=choice.by, deed=deed)
            if sale_of(look, choice):
                return not (is_all and not level_left(look, one_less))
            return not level_left(look, choice) and is_all == (level > 1)
    return False
