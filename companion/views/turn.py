"""The turn as one seat's page shows it: what the seat has to know and may do now.

A *choice* is one item of ``legal_moves`` for the seat: a single move, or a range of
moves that differ in one number. Everything that can be tapped is made of choices;
nothing here decides whether a move is allowed. The *mover* is the seat with the dice. A
*stage* is what the table waits for, such as a roll or a bid. A *look* (``Look``) is the
game as the viewing seat sees it. A *box* is an edition of the board game.

Building, mortgaging and trading have pages of their own; here they are buttons only
while the seat raises money or levels its buildings.
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
from companion.game.stage import FOR_SALE, LAID_STAGES, Stage
from companion.rules import legal_moves, out_of_turn
from companion.rules.buildings import check_sale_of_buildings
from companion.rules.debt import raisable, unknown_worths
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
    bids_words,
    follows,
    headline,
    is_debtor,
    lines,
    lot_name,
    place_words,
    space_words,
    uneven_deed,
)
from companion.views.wording import hand_words, hotels_text
from companion.words import capital, say
from companion.words.lists import enumerated, with_ands
from companion.words.money import dollars_text

ROUND_TO = (10, 50, 100)
"""For each, the next multiple of so many dollars is suggested as a bid."""

CHIPS_MAX = 12
"""A range of more numbers than this has no button for each."""


class Bidding(msgspec.Struct, frozen=True):
    """An auction as one seat sees it.

    Attributes:
        lot: The name of the lot (a deed or a building) that is sold now.
        deed: The id of the deed that is sold; empty for a building.
        more: The number of lots that come after it.
        leader: The seat of the highest bidder; empty before the first bid.
        amount: The highest bid.
        headline: The highest bid in words, beside the picture of a deed; empty for a
            building.
        passed: The seats that bid no more.
        thinking: The seats that may still bid, except the leader.
        low: The lowest bid that the seat may make; it and *high* are 0 if it may not
            bid.
        chips: Bids that have a button of their own, ascending.
        rivals: Who may still bid, as a sentence for the leader; empty for others.
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
    rivals: str = ""

    @property
    def seats(self) -> tuple[str, ...]:
        """Every bidder: the leader, then those who may bid, then those who passed."""
        return (*filter(None, (self.leader,)), *self.thinking, *self.passed)

    def state(self, seat: str) -> str:
        """Return what a bidder does: ``leads``, ``passed`` or ``thinks``."""
        if seat == self.leader:
            return "leads"
        return "passed" if seat in self.passed else "thinks"

    def words(self, seat: str) -> str:
        """Return the state of *seat* in words."""
        return BIDDER_WORDS[self.state(seat)]


BIDDER_WORDS = {
    "leads": say("leads"),
    "passed": say("passed"),
    "thinks": say("may bid"),
}
"""The states of ``Bidding.state`` in words."""


class Raising(msgspec.Struct, frozen=True):
    """How money for a debt, a purchase or a bid can be raised.

    Attributes:
        missing: How much the seat still lacks; 0 once it can pay.
        is_owed: The money is for a debt.
        ways: The moves that sell or mortgage something, with what each brings.
        gaps: The figures to read off a card before the seat can sell or mortgage there.
        is_likely: Some of *ways* bring an amount that is only likely.
        to_trade: What the seat has that others may pay for, in words; may be empty.
        creditor: The seat that this one has owed longest, whose debt a trade can
            settle. Empty if all debts are to the bank.
        most: What the bank gives for all that the seat has, if that is known and not
            enough; otherwise empty.
    """

    missing: Dollars
    is_owed: bool
    ways: tuple[Button, ...]
    gaps: tuple[Gap, ...]
    is_likely: bool
    to_trade: str
    creditor: str = ""
    most: str = ""

    @property
    def is_wanted(self) -> bool:
        """Whether the page has anything to show about raising money."""
        return bool((self.is_owed and self.missing) or self.ways or self.gaps)

    @property
    def is_stuck(self) -> bool:
        """Whether the seat has nothing left to sell, although a debt is not covered."""
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
        tried: The numbers known to be wrong, if the table chose to see them.
    """

    numbers: tuple[int, ...]
    tried: tuple[int, ...]


class Use(msgspec.Struct, frozen=True):
    """A card in the hand that can be used now.

    Attributes:
        card: The effect of the card, in words.
        targets: The seats or deeds on which it can be used, each as value and name;
            empty if the card needs no target.
    """

    card: str
    button: Button
    targets: tuple[tuple[str, str], ...] = ()


class Verdicts(msgspec.Struct, frozen=True):
    """The verdicts among which the inspector of a note or a card may choose.

    Attributes:
        fakes: The possible values of a fake note, in dollars; empty for a card, and if
            the notes of the box are unknown.
        is_note: The inspector looks at a note, so that a fake has a value.
    """

    fakes: tuple[Dollars, ...]
    is_note: bool


class OnTable(msgspec.Struct, frozen=True):
    """Money or a card that lies on the table, and what the seat may do about it.

    Attributes:
        handing: The button that hands the money over, or uses the card.
        looking: The button that spends a chip to look through the decoder.
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
    """The ways to move a token on without a roll.

    Attributes:
        bonus: The face of the third die that acts after this landing; empty for none.
        follows: The effect of that face, as a sentence; empty for none.
        tickets: The number of bus tickets that the seat holds.
        can_ride: The seat can take the bus now, in place of rolling.
        picks: The seat has to pick a space of the board, or a deed.
    """

    bonus: str
    follows: str
    tickets: int
    can_ride: bool
    picks: bool


class Turn(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that one seat knows and may do.

    Attributes:
        headline: The next thing to do, and who has to do it.
        lines: Further sentences that explain the headline.
        is_mine: The table waits for this seat.
        is_at_vault: This seat may guess at the vault, or lock it again.
        is_out: The seat no longer plays.
        place: Where the seat's token stands, as a sentence.
        space: The name of that space, or that the token is in jail.
        thrown: The faces last rolled: a number, or the word on a special face.
        deed: The id of the deed for sale, or for whose rent somebody rolls; or empty.
        dice: The dice to roll; ``None`` unless this seat may roll.
        buttons: The moves of the turn itself, the main one first.
        cards: The real cards that this seat may have drawn.
        raising: How this seat can raise money; ``None`` while it need not.
        giving_up: The button that declares bankruptcy. It and *leaving* are kept apart,
            so that nobody taps them by accident.
        leaving: The button that leaves the game for good.
        kept: The cards and loose hotels in the seat's hand, in words.
        uses: The cards in the seat's hand that it may use at any moment.
        ahead: Other ways to move its token on, in boxes with three dice.
        levels: A deed of the group that the seat has to build evenly; empty if none is.
        can_offer: This seat can offer a trade now.
        owing: The seats that owe this one money, each with the sum in dollars.
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
"""The moves with deeds and buildings."""

LEAVING = (m.DeclareBankrupt, m.Resign)
"""The moves that end the game for the seat."""

ANSWERS = (m.Accept, m.Reject, m.Withdraw)
"""The moves that close an open offer of a trade."""

OWN_PLACE = (*ESTATE, *LEAVING, *ANSWERS, m.AskRent, m.Draw, m.ReadBox, m.UseTicket)
"""The moves that the page does not show among the buttons of the turn."""

ON_TABLE = (m.HandOver, m.Inspect, m.GiveVerdict)
"""The moves about what lies on the table; the page shows them below it."""


@in_book
def turn_of(game: Game, seat: str) -> Turn:
    """Return what *seat* knows and may do in a game that the companion leads.

    A seat that does not play only watches.
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
        levels=uneven_deed(look),
        on_table=_on_table(look, choices),
        can_offer=m.MakeOffer in kinds,
        owing=_owing(look),
        has_won=seat in look.play.winners,
        order=_order(look),
    )


def claims_of(game: Game, seat: str) -> Iterator[tuple[Button, Claim]]:
    """Yield each rent that *seat* can ask for: its button, and the claim behind it."""
    look = Look(game, seat)
    for button in turn_of(game, seat).rents:
        claim_due = claim_of(look, dict(button.fields)["seat"])
        if claim_due is not None:
            claim, _ = claim_due
            yield button, claim


def _is_mine(look: Look, kinds: set[type[Command]]) -> bool:
    """Return whether the table waits for the seat, given its legal *kinds* of moves."""
    if look.play.stage is Stage.DEBT:
        # The mover may lock the vault meanwhile, but nobody waits for that.
        return is_debtor(look)
    urgent = kinds - _kinds_out_of_turn(look)
    has_urgent = any(kind not in OWN_PLACE for kind in urgent)
    return has_urgent or m.Draw in kinds or is_debtor(look) or bool(uneven_deed(look))


def _ahead(look: Look, choices: tuple[Choice, ...]) -> Ahead:
    token = look.play.token(look.seat)
    return Ahead(
        bonus=look.play.bonus,
        follows=follows(look),
        tickets=token.tickets if token else 0,
        can_ride=any(kind_of(choice) is m.UseTicket for choice in choices),
        picks=any(word_of_goal(look, choice) for choice in choices),
    )


def _order(look: Look) -> tuple[str, ...]:
    """List the seats that still play, from the mover on."""
    tokens, turn = look.play.tokens, look.play.turn
    from_mover = (*tokens[turn:], *tokens[:turn])
    return tuple(token.seat for token in from_mover if not token.is_out)


def _kinds_out_of_turn(look: Look) -> set[type[Command]]:
    """Return the kinds of moves that the seat may make while nobody waits for it."""
    kinds: set[type[Command]] = {m.MakeOffer, m.PayDebt, m.Inspect}
    if look.play.inspector != look.seat:
        kinds.add(m.GiveVerdict)  # The table waits for the inspector's.
    if look.play.stage not in LAID_STAGES:
        kinds.add(m.UseCard)
    if look.play.mover.seat != look.seat:
        kinds.add(m.LockVault)  # The table waits for the mover to.
    return kinds


def _kept(look: Look, token: Token) -> tuple[str, ...]:
    """List in words the cards and hotels that the seat holds."""
    cards = tuple(look.card(card) for card in token.cards)
    return (*cards, hotels_text(token.hotels)) if token.hotels else cards


def kind_of(choice: Choice) -> type[Command]:
    """Return the kind of a move, or of the moves of a range."""
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
    choices = _thin_out_plans(look, choices)
    buttons = [
        button_of(look, choice) for choice in choices if _is_of_turn(look, choice)
    ]
    if any(isinstance(choice, Range) and choice.kind is m.Draw for choice in choices):
        is_ticket = look.play.awaited == BUS_DECK
        words = say("Draw a bus ticket") if is_ticket else say("Draw a card")
        buttons.append(Button(words, verb="draw", is_main=True))
    return tuple(sorted(buttons, key=lambda button: not button.is_main))


def _is_of_turn(look: Look, choice: Choice) -> bool:
    """Return whether a move stands among the buttons of the turn itself."""
    if isinstance(choice, Range) or word_of_goal(look, choice):
        return False  # Goals have a page of their own.
    if isinstance(choice, m.Reject) and look.play.stage is Stage.PAYMENT:
        return True
    if isinstance(choice, m.LockVault) and look.play.stage is Stage.REFILL:
        return look.seat == look.play.mover.seat  # Anybody may; who does it says so.
    if isinstance(choice, (*OWN_PLACE, *ON_TABLE)):
        return _is_levelling(look, choice)
    return not _is_for_later(look, choice)


def _thin_out_plans(look: Look, choices: tuple[Choice, ...]) -> tuple[Choice, ...]:
    """Return *choices* with only a few of the plans for an uneven group.

    A plan (``Level``) says how many buildings will stand on each street. The plans that
    bring no money stay, or the first one if all bring some. The page of the group has
    the others.
    """
    if not uneven_deed(look):
        return choices
    plans = [choice for choice in choices if isinstance(choice, m.Level)]
    shown = [plan for plan in plans if gain_of(look, plan) <= 0] or plans[:1]
    return tuple(
        choice
        for choice in choices
        if not isinstance(choice, m.Level) or choice in shown
    )


def _is_levelling(look: Look, choice: Choice) -> bool:
    """Return whether a move helps to even out the group that the seat has to build."""
    deed = uneven_deed(look)
    if not deed or isinstance(choice, Range):
        return False
    if isinstance(choice, m.Level):
        return True
    index = look.board.index
    sites = look.board.sites[index[deed]]
    return isinstance(choice, m.LiftMortgage) and index[choice.deed] in sites


def _is_for_later(look: Look, choice: Choice) -> bool:
    """Return whether a move uses a card that may be used at any moment."""
    is_urgent = look.play.stage in (*LAID_STAGES, Stage.DEBT)
    if is_urgent or not isinstance(choice, m.UseCard):
        return False
    return not _is_jail_card(look, choice.card)


def _uses(look: Look, choices: tuple[Choice, ...]) -> tuple[Use, ...]:
    """List the cards that may be used at any moment, each once with all its targets."""
    uses: dict[str, Use] = {}
    for choice in choices:
        if not isinstance(choice, m.UseCard) or not _is_for_later(look, choice):
            continue
        use = uses.get(choice.card)
        if use is None:
            untargeted = m.UseCard(by=choice.by, card=choice.card)
            use = Use(look.card(choice.card), button_of(look, untargeted))
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
    """Return the verdicts that the seat may give; ``None`` for none.

    If the notes of the box are unknown, one range of moves covers a fake's value.
    """
    verdicts = [choice for choice in choices if kind_of(choice) is m.GiveVerdict]
    if not verdicts:
        return None
    moves = [verdict for verdict in verdicts if isinstance(verdict, m.GiveVerdict)]
    fakes = tuple(move.amount for move in moves if move.amount)
    has_range = len(moves) < len(verdicts)
    return Verdicts(fakes, is_note=bool(fakes) or has_range)


def _cards(look: Look, choices: tuple[Choice, ...]) -> tuple[Button, ...]:
    """List a button for each text of a card that may have been drawn."""
    by_words: dict[str, Button] = {}
    for choice in choices:
        if isinstance(choice, m.Draw):
            button = button_of(look, choice)
            by_words.setdefault(str(button.words), button)
    shown = [by_words[words] for words in sorted(by_words)]
    return tuple(sorted(shown, key=lambda button: not button.is_main))


def _numbers(look: Look, choices: tuple[Choice, ...]) -> tuple[Numbers, ...]:
    """List the ranges of moves that the page shows as a number to type."""
    drawn_elsewhere = (m.Roll, m.Draw, m.Bid, m.MakeOffer, m.Guess, m.ReadBox)
    numbers = []
    for choice in choices:
        if not isinstance(choice, Range) or choice.kind in drawn_elsewhere:
            continue
        fields = fields_of(choice.kind)
        if len(fields) != 1:  # The number is not all that has to be given.
            continue
        low, high = choice.low, choice.high
        is_few = high - low < CHIPS_MAX
        singles = tuple(range(low, high + 1)) if is_few else ()
        button = button_of(look, choice)
        numbers.append(Numbers(button, fields[0].name, low, high, singles))
    return tuple(numbers)


def _guessing(look: Look) -> Guessing | None:
    vault, contents = look.board.rules.vault, look.play.vault_contents
    if vault is None or contents is None:
        return None
    return Guessing(vault.codes, contents.tried if vault.shows_tries else ())


def _deed(look: Look) -> str:
    """Return the deed for sale, or for whose rent somebody rolls; empty for none."""
    play = look.play
    lot = play.auction.lots[0] if play.auction else ""
    if play.stage in (Stage.BUY, Stage.RENT_ROLL):
        lot = play.awaited
    is_deed = lot in look.board.index
    return lot if is_deed else ""


def _bidding(look: Look, choices: tuple[Choice, ...]) -> Bidding | None:
    auction = look.play.auction
    if auction is None:
        return None
    ranges = [choice for choice in choices if isinstance(choice, Range)]
    allowed = next((choice for choice in ranges if choice.kind is m.Bid), None)
    low, high = (allowed.low, allowed.high) if allowed else (0, 0)
    lot = auction.lots[0]
    is_deed = lot in look.board.index
    thinking = [
        seat
        for seat in auction.bidders
        if seat not in auction.passed and seat != auction.bidder
    ]
    leads = look.seat and look.seat == auction.bidder
    names = enumerated([look.name(seat) for seat in thinking])
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
        chips=_round_bids(allowed) if allowed else (),
        rivals=say("{who} may still bid", who=names) if leads else "",
    )


def _round_bids(allowed: Range) -> tuple[Dollars, ...]:
    """Return ascending bids within *allowed*, the lowest one if no other fits.

    Each is the next multiple by ``ROUND_TO``, or the first allowed bid above that.
    """
    bids: list[Dollars] = []
    for multiple in ROUND_TO:
        least = bids[-1] + 1 if bids else allowed.low
        above_low = _round_up(least, multiple) - allowed.low
        bids.append(allowed.low + _round_up(above_low, allowed.step))
    return tuple(bid for bid in bids if bid <= allowed.high) or (allowed.low,)


def _round_up(amount: Dollars, step: Dollars) -> Dollars:
    """Return the least multiple of *step* that is not less than *amount*."""
    return -(-amount // step) * step


def _wants_money(look: Look) -> bool:
    """Return whether the page shows how the seat can raise money."""
    is_for_sale = look.play.stage in FOR_SALE
    may_raise = out_of_turn(look.game, look.seat, m.Mortgage) is None
    return is_debtor(look) or (is_for_sale and may_raise)


def _lacks(look: Look) -> Dollars:
    """Return the dollars that the seat lacks for its debts or for a purchase."""
    needed = look.play.owed_by(look.seat)
    if look.play.stage is Stage.BUY:
        needed = look.deed(look.play.awaited).price or 0
    return max(0, needed - look.cash)


def _raising(look: Look, choices: tuple[Choice, ...]) -> Raising:
    """Return how the seat can raise money; ways that bring nothing come last."""
    ways = [choice for choice in choices if _is_way_to_raise(look, choice)]
    ways.sort(key=lambda choice: _only_frees_deed(look, choice))
    likely_figures = look.board.likely.values()
    deeds_with_likely_loan = {
        figure.of for figure in likely_figures if figure.figure == "mortgage"
    }
    can_offer = any(kind_of(choice) is m.MakeOffer for choice in choices)
    return Raising(
        missing=_lacks(look),
        is_owed=is_debtor(look),
        ways=tuple(button_of(look, choice) for choice in ways),
        gaps=tuple(gaps(look)) if _bank_buys_back(look) else (),
        is_likely=any(
            isinstance(way, m.Mortgage) and way.deed in deeds_with_likely_loan
            for way in ways
        ),
        to_trade=_to_trade(look) if can_offer else "",
        creditor=_creditor(look),
        most=_too_little(look, choices),
    )


def _too_little(look: Look, choices: tuple[Choice, ...]) -> str:
    """Return what the bank gives for all that the seat has, if it is not enough."""
    run = MoveRun(look.game)
    brings = raisable(run, look.seat) - run.balance(look.seat)
    is_hopeless = any(kind_of(choice) is m.DeclareBankrupt for choice in choices)
    if not (is_hopeless and brings) or any(unknown_worths(run, look.seat)):
        return ""
    board, owners = look.board, look.play.owners
    is_likely = any(
        owner == look.seat and board.is_likely(deed.id, "mortgage")
        for deed, owner in zip(board.rules.deeds, owners, strict=True)
    )
    return dollars_text(brings, is_likely=is_likely)


def _bank_buys_back(look: Look) -> bool:
    """Return whether the bank buys buildings back from the seat now."""
    return is_debtor(look) or check_sale_of_buildings(MoveRun(look.game)) is None


def _creditor(look: Look) -> str:
    for debt in look.play.debts:
        if debt.debtor == look.seat and look.play.token(debt.creditor):
            return debt.creditor
    return ""


def _owing(look: Look) -> tuple[tuple[str, Dollars], ...]:
    """List the seats that owe the viewing one money, each with the sum.

    Empty while the seat cannot offer a trade that would settle a debt.
    """
    if out_of_turn(look.game, look.seat, m.MakeOffer) is not None:
        return ()
    debts = [debt for debt in look.play.debts if debt.creditor == look.seat]
    debtors = dict.fromkeys(debt.debtor for debt in debts)  # Each once.
    return tuple((debtor, owed(look.play, debtor, look.seat)) for debtor in debtors)


def _to_trade(look: Look) -> str:
    token = look.play.token_of(look.seat)
    deeds = [say("a deed")] if look.seat in look.play.owners else []
    cards = sum(_is_jail_card(look, card) for card in token.cards)
    held = hand_words(cards, token.hotels, token.tickets)
    what = with_ands((*deeds, *held))
    return capital(say("sell {what}", what=what)) if what else ""


def _is_jail_card(look: Look, card_id: str) -> bool:
    card = look.board.card(card_id)
    return card is not None and card.effect == JAIL_CARD


def _only_frees_deed(look: Look, choice: Choice) -> bool:
    """Return whether a move takes off buildings for nothing.

    After that the deeds can be mortgaged.
    """
    return isinstance(choice, m.Unbuild) and not sale_of(look, choice)


def _is_way_to_raise(look: Look, choice: Choice) -> bool:
    """Return whether the page offers a move as a way to raise money.

    Mortgaging or selling a deed counts if it brings money. Selling all buildings of a
    deed counts only if that differs from selling one. Buildings that return to the
    hand bring nothing; they are taken off all at once, to free the deed.
    """
    match choice:
        case m.Mortgage(deed=deed):
            return bool(look.deed(deed).mortgage)
        case m.SellDeed(deed=deed):
            return bool(look.deed(deed).price)
        case m.Unbuild(deed=deed, is_all=is_all):
            if sale_of(look, choice):
                sale_of_one = m.Unbuild(by=choice.by, deed=deed)
                return not is_all or level_left(look, sale_of_one) > 0
            takes_last = not level_left(look, choice)
            has_several = look.play.levels[look.board.index[deed]] > 1
            return takes_last and is_all == has_several
    return False
