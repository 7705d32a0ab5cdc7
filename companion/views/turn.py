"""What a seat has to know and may do now, ready to be drawn on its page.

Everything that can be tapped comes from ``legal_moves``; nothing here decides
whether a move is allowed. Building, mortgaging and trading have pages of their own, so
this page only says that they are possible, except while money for a debt is raised.
"""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from companion.game import Game
from companion.game import moves as m
from companion.game.card_code import JAIL_CARD
from companion.game.commands import Command, fields_of
from companion.game.move_run import MoveRun
from companion.game.position import Token
from companion.game.rulebook import BUS_DECK
from companion.game.stage import FOR_SALE, Stage
from companion.rules import legal_moves, out_of_turn
from companion.rules.buildings import check_sale_of_buildings, level_after, sale_value
from companion.rules.rule import Choice, Range
from companion.rules.trade import owed
from companion.units import Dollars
from companion.views.blanks import Gap, gaps
from companion.views.book import in_book
from companion.views.dice import Dice, dice_of
from companion.views.laid import Laid, laid_of
from companion.views.reach import picked
from companion.views.turn_buttons import Button, Look, button_of, gain_of
from companion.views.turn_words import (
    LYING,
    bids_words,
    follows,
    headline,
    is_debtor,
    lines,
    place_words,
    space_words,
)
from companion.views.wording import hotels_text, listed, tickets_text
from companion.words import capital, say, say_count
from companion.words.common import common

ROUND = (10, 50, 100)
"""What the bids that have a button are multiples of, from the lowest on."""

CHIPS_MAX = 12
"""Up to so many numbers are shown as one button each."""


class Bidding(msgspec.Struct, frozen=True):
    """An auction as one seat sees it.

    Attributes:
        lot: The name of what is sold now.
        deed: The id of the deed that is sold; empty for a building.
        more: How many lots come after it.
        leader: Who bid most; empty before the first bid.
        amount: The highest bid.
        headline: How it stands, in few words; empty where these would not say what
            is sold.
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
        """Everybody who is or was in it."""
        return (*filter(None, (self.leader,)), *self.thinking, *self.passed)

    def state(self, seat: str) -> str:
        """``leads``, ``passed`` or ``thinks``."""
        if seat == self.leader:
            return "leads"
        return "passed" if seat in self.passed else "thinks"

    def words(self, seat: str) -> str:
        """The same in words."""
        return BIDDER_WORDS[self.state(seat)]


BIDDER_WORDS = {
    "leads": say("leads"),
    "passed": say("passed"),
    "thinks": say("may bid"),
}
"""How each seat stands in an auction."""


class Raising(msgspec.Struct, frozen=True):
    """How money for a debt, a purchase or a bid can be raised.

    Attributes:
        missing: How much the seat still lacks; 0 once it can pay.
        is_owed: It is a debt, which has to be paid.
        ways: What it can sell or mortgage, with what each brings.
        gaps: What it could sell or mortgage if somebody read the card first.
        is_likely: Some of *ways* bring what nobody knows for sure.
        to_trade: What it has that others may pay for; empty for nothing.
        creditor: The seat that it owes longest, which may take something else.
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
        """Whether there is anything to say about raising money."""
        return bool((self.is_owed and self.missing) or self.ways or self.gaps)

    @property
    def is_stuck(self) -> bool:
        """Whether the bank gives nothing more for a debt."""
        return self.is_owed and bool(self.missing) and not self.ways and not self.gaps


class Numbers(msgspec.Struct, frozen=True):
    """A move that only lacks a number.

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
        targets: Whom or what it can be used on: value and name of each; empty if the
            card needs no more words.
    """

    card: str
    button: Button
    targets: tuple[tuple[str, str], ...] = ()


class Verdicts(msgspec.Struct, frozen=True):
    """What may be said of the note or the card that is looked at.

    Attributes:
        fakes: What a fake note may be worth; empty for a card, and where nobody knows
            the notes.
        is_note: Whether it is a note, so that a fake has a worth.
    """

    fakes: tuple[Dollars, ...]
    is_note: bool


class OnTable(msgspec.Struct, frozen=True):
    """What lies on the table, and what the seat may do about it.

    Attributes:
        handing: Handing it over, or using the card that lies there.
        looking: Looking at it.
        verdicts: What it may say of what somebody looks at.
    """

    laid: Laid
    handing: Button | None
    looking: Button | None
    verdicts: Verdicts | None

    @property
    def is_for_hand(self) -> bool:
        """Whether the seat may do anything about it."""
        return bool(self.handing or self.looking or self.verdicts)


class Ahead(msgspec.Struct, frozen=True):
    """What may take a token on besides a roll.

    Attributes:
        bonus: What the third die still brings once this is settled; empty for nothing.
        follows: The same as a sentence.
        tickets: How many bus tickets the seat holds.
        can_ride: It can take the bus now, in place of rolling.
        picks: It has to pick a space of the board, or a deed.
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
        lines: What else one should know about it.
        is_mine: It is this seat that has to do something.
        is_at_vault: It may guess at the vault, or lock it again.
        guessing: The wheel, if this seat may guess.
        is_out: The seat no longer plays.
        place: Where its token stands, as a sentence.
        space: The same in a word or two.
        thrown: The faces last rolled: a number, or the word for one without.
        deed: What is bought, bid for or rolled for; empty for nothing.
        buttons: What it may do now, the main one first.
        rents: Rents that it can ask for.
        cards: Real cards that it may have drawn.
        numbers: Moves that only lack a number.
        giving_up: Declaring bankruptcy, the last way out of a debt.
        leaving: Leaving the game for good; neither is to be tapped by accident.
        kept: Cards in its hand, by what they do, and hotels.
        uses: Cards in its hand that it can use now, though nothing waits for that.
        ahead: What else may take its token on, in boxes with three dice.
        levels: A deed of the group that it has to build evenly; empty for none.
        on_table: What lies on the table; ``None`` if nothing does.
        can_offer: It can offer a trade now.
        owing: Seats that owe it money, and may settle that in another way.
        has_won: The game is over, and it won.
        order: Who has the dice now and after that, in the order of play.
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
"""Moves that do not stand among the buttons of the turn."""

ON_TABLE = (m.HandOver, m.Inspect, m.GiveVerdict)
"""Moves about what lies on the table, which stand below it."""


@in_book
def turn_of(game: Game, seat: str) -> Turn:
    """What *seat* knows and may do in a game that the companion leads.

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


def _is_mine(look: Look, kinds: set[type[Command]]) -> bool:
    """Whether it is the seat that has to do something."""
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
        can_ride=any(kind_of(one) is m.UseTicket for one in choices),
        picks=any(picked(look, one) for one in choices),
    )


def _levels(look: Look) -> str:
    """A deed of the group that the seat has to build evenly now; empty for none."""
    play = look.play
    is_due = play.stage is Stage.LEVEL and play.uneven[0].seat == look.seat
    return play.uneven[0].deed if is_due else ""


def _order(look: Look) -> tuple[str, ...]:
    tokens, turn = look.play.tokens, look.play.turn
    return tuple(x.seat for x in (*tokens[turn:], *tokens[:turn]) if not x.is_out)


def _anybodys(look: Look) -> set[type[Command]]:
    """Kinds of moves that a seat may make without it being its turn."""
    kinds: set[type[Command]] = {m.MakeOffer, m.PayDebt, m.Inspect}
    if look.play.inspector != look.seat:
        kinds.add(m.GiveVerdict)
    if look.play.stage not in LYING:
        kinds.add(m.UseCard)
    return kinds if look.play.mover.seat == look.seat else kinds | {m.LockVault}


def _kept(look: Look, token: Token) -> tuple[str, ...]:
    """What the seat holds besides money and deeds: cards and hotels."""
    cards = tuple(look.card(card) for card in token.cards)
    return (*cards, hotels_text(token.hotels)) if token.hotels else cards


def kind_of(choice: Choice) -> type[Command]:
    """The kind of move that a choice is."""
    return choice.kind if isinstance(choice, Range) else type(choice)


def _first(
    look: Look, choices: tuple[Choice, ...], kind: type[Command]
) -> Button | None:
    return next(iter(_of_kinds(look, choices, kind)), None)


def _of_kinds(
    look: Look, choices: tuple[Choice, ...], *kinds: type[Command]
) -> tuple[Button, ...]:
    return tuple(button_of(look, one) for one in choices if kind_of(one) in kinds)


def _buttons(look: Look, choices: tuple[Choice, ...]) -> tuple[Button, ...]:
    """Buttons of the turn itself, with drawing from the table's own deck."""
    choices = _with_few_plans(look, choices)
    found = [
        button_of(look, one)
        for one in choices
        if not isinstance(one, Range)
        and (not isinstance(one, (*OWN_PLACE, *ON_TABLE)) or _is_levelling(look, one))
        and not picked(look, one)
        and not _is_for_later(look, one)
    ]
    if any(isinstance(one, Range) and one.kind is m.Draw for one in choices):
        is_ticket = look.play.awaited == BUS_DECK
        words = say("Draw a bus ticket") if is_ticket else say("Draw a card")
        found.append(Button("draw", words, is_main=True))
    return tuple(sorted(found, key=lambda button: not button.is_main))


def _with_few_plans(look: Look, choices: tuple[Choice, ...]) -> tuple[Choice, ...]:
    """*choices* with those plans for a group that sell nothing, or else the first one.

    Any other plan can be laid out on a page of its own.
    """
    plans = (
        [one for one in choices if isinstance(one, m.Level)] if _levels(look) else []
    )
    kept = [one for one in plans if gain_of(look, one) <= 0] or plans[:1]
    return tuple(one for one in choices if one not in plans or one in kept)


def _is_levelling(look: Look, choice: Choice) -> bool:
    """Whether a move helps to build evenly the group that has to be."""
    deed = _levels(look)
    if not deed or isinstance(choice, Range):
        return False
    if isinstance(choice, m.Level):
        return True
    index = look.board.index
    sites = look.board.sites[index[deed]]
    return isinstance(choice, m.LiftMortgage) and index[choice.deed] in sites


def _is_for_later(look: Look, choice: Choice) -> bool:
    """Whether it uses a card that nothing waits for: it stands beside the hand."""
    if not isinstance(choice, m.UseCard) or look.play.stage in (*LYING, Stage.DEBT):
        return False
    return not _is_jail_card(look, choice.card)


def _uses(look: Look, choices: tuple[Choice, ...]) -> tuple[Use, ...]:
    """Cards for later, each once, with all that it can be used on."""
    found: dict[str, Use] = {}
    for one in choices:
        if not isinstance(one, m.UseCard) or not _is_for_later(look, one):
            continue
        plain = m.UseCard(by=one.by, card=one.card)
        use = found.get(one.card) or Use(look.card(one.card), button_of(look, plain))
        target = (one.target, look.name(one.target))
        targets = (*use.targets, target) if one.target else use.targets
        found[one.card] = replace(use, targets=targets)
    return tuple(found.values())


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
    said = [one for one in choices if kind_of(one) is m.GiveVerdict]
    if not said:
        return None
    values = [one.amount for one in said if isinstance(one, m.GiveVerdict)]
    fakes = tuple(filter(None, values))
    return Verdicts(fakes, is_note=bool(fakes) or len(values) < len(said))


def _cards(look: Look, choices: tuple[Choice, ...]) -> tuple[Button, ...]:
    """One button for each text of a card; cards with the same text share it."""
    found: dict[str, Button] = {}
    for one in choices:
        if isinstance(one, m.Draw):
            button = button_of(look, one)
            found.setdefault(str(button.words), button)
    shown = [found[words] for words in sorted(found)]
    return tuple(sorted(shown, key=lambda button: not button.is_main))


def _numbers(look: Look, choices: tuple[Choice, ...]) -> tuple[Numbers, ...]:
    """Ranges of moves that the page does not draw in a special way."""
    known = (m.Roll, m.Draw, m.Bid, m.MakeOffer, m.Guess, m.ReadBox)
    found = []
    for one in choices:
        if not isinstance(one, Range) or one.kind in known:
            continue
        fields = fields_of(one.kind)
        is_few = one.high - one.low < CHIPS_MAX
        span = tuple(range(one.low, one.high + 1)) if is_few else ()
        if len(fields) == 1:
            button = button_of(look, one)
            found.append(Numbers(button, fields[0].name, one.low, one.high, span))
    return tuple(found)


def _guessing(look: Look) -> Guessing | None:
    vault, contents = look.board.rules.vault, look.play.vault_contents
    if vault is None or contents is None:
        return None
    return Guessing(vault.codes, contents.tried if vault.shows_tries else ())


def _deed(look: Look) -> str:
    """The id of the deed that is bought, bid for or rolled for; empty for none."""
    play = look.play
    lot = play.auction.lots[0] if play.auction else ""
    if play.stage in (Stage.BUY, Stage.RENT_ROLL):
        lot = play.awaited
    return lot if lot in look.board.index else ""


def _bidding(look: Look, choices: tuple[Choice, ...]) -> Bidding | None:
    auction = look.play.auction
    if auction is None:
        return None
    span = next(
        (one for one in choices if isinstance(one, Range) and one.kind is m.Bid), None
    )
    low, high = (span.low, span.high) if span else (0, 0)
    lot = auction.lots[0]
    is_deed = lot in look.board.index
    thinking = [
        one
        for one in auction.bidders
        if one not in auction.passed and one != auction.bidder
    ]
    return Bidding(
        lot=look.name(lot)
        if is_deed
        else say("the bank's last {piece}", piece=common(lot)),
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
    """Few bids within *span*, as people say them; the lowest if none is round."""
    found: list[Dollars] = []
    for size in ROUND:
        least = found[-1] + 1 if found else span.low
        above = -(-least // size) * size - span.low
        found.append(span.low + -(-above // span.step) * span.step)
    return tuple(bid for bid in found if bid <= span.high) or (span.low,)


def _wants_money(look: Look) -> bool:
    """Whether the seat owes, or may raise money for a purchase or a bid."""
    is_for_sale = look.play.stage in FOR_SALE
    may_raise = out_of_turn(look.game, look.seat, m.Mortgage) is None
    return is_debtor(look) or (is_for_sale and may_raise)


def _lacks(look: Look) -> Dollars:
    """How much the seat lacks for its debts, or for the deed that it may buy."""
    wanted = look.play.owed_by(look.seat)
    if look.play.stage is Stage.BUY:
        at = look.board.index[look.play.awaited]
        wanted = look.board.rules.deeds[at].price or 0
    return max(0, wanted - look.cash)


def _raising(look: Look, choices: tuple[Choice, ...]) -> Raising:
    ways = [one for one in choices if _brings_something(look, one)]
    ways.sort(key=lambda one: _is_a_step(look, one))  # What brings money comes first.
    likely = look.board.likely.values()
    lent = {one.of for one in likely if one.figure == "mortgage"}
    return Raising(
        missing=_lacks(look),
        is_owed=is_debtor(look),
        ways=tuple(button_of(look, one) for one in ways),
        gaps=tuple(gaps(look)) if _sells(look) else (),
        is_likely=any(isinstance(x, m.Mortgage) and x.deed in lent for x in ways),
        to_trade=_to_trade(look) if _can_offer(choices) else "",
        creditor=_creditor(look),
    )


def _sells(look: Look) -> bool:
    """Whether the bank buys back now what the seat may sell."""
    return is_debtor(look) or check_sale_of_buildings(MoveRun(look.game)) is None


def _creditor(look: Look) -> str:
    """The seat that the looking one owes longest; empty for none."""
    debts = (x for x in look.play.debts if x.debtor == look.seat)
    return next((x.creditor for x in debts if look.play.token(x.creditor)), "")


def _owing(look: Look) -> tuple[tuple[str, Dollars], ...]:
    """The seats that owe the looking one, and how much."""
    run = MoveRun(look.game)
    debtors = (x.debtor for x in look.play.debts if x.creditor == look.seat)
    if out_of_turn(look.game, look.seat, m.MakeOffer) is not None:
        return ()
    return tuple((x, owed(run, x, look.seat)) for x in dict.fromkeys(debtors))


def _can_offer(choices: tuple[Choice, ...]) -> bool:
    return any(kind_of(one) is m.MakeOffer for one in choices)


def _to_trade(look: Look) -> str:
    """What the seat has that somebody may give money for."""
    token = look.play.token_of(look.seat)
    found = [say("deeds")] if look.seat in look.play.owners else []
    cards = sum(_is_jail_card(look, card) for card in token.cards)
    if cards:
        found.append(
            say_count(cards, "a card to leave jail", "{count} cards to leave jail")
        )
    if token.hotels:
        found.append(hotels_text(token.hotels))
    if token.tickets:
        found.append(tickets_text(token.tickets))
    return capital(listed(found))


def _is_jail_card(look: Look, word: str) -> bool:
    card = look.board.card(word)
    return card is not None and card.effect == JAIL_CARD


def _is_a_step(look: Look, choice: Choice) -> bool:
    """Whether a move brings nothing itself, but makes way for what does."""
    if not isinstance(choice, m.Unbuild):
        return False
    board, play, at = look.board, look.play, look.board.index[choice.deed]
    after = level_after(board, play, at, is_all=choice.is_all)
    return not sale_value(board, play, at, after)


def _brings_something(look: Look, choice: Choice) -> bool:
    """Whether a move is a way to raise money.

    Buildings that go back into the hand bring nothing, but what they stood on can be
    mortgaged then; so they are taken off all at once.
    """
    if isinstance(choice, m.Mortgage):
        return bool(look.board.rules.deeds[look.board.index[choice.deed]].mortgage)
    if isinstance(choice, m.SellDeed):
        return bool(look.board.rules.deeds[look.board.index[choice.deed]].price)
    if not isinstance(choice, m.Unbuild):
        return False
    board, play, at = look.board, look.play, look.board.index[choice.deed]
    after = level_after(board, play, at, is_all=choice.is_all)
    if sale_value(board, play, at, after):
        is_twice = choice.is_all and not level_after(board, play, at, is_all=False)
        return not is_twice
    return after == 0 and choice.is_all == (play.levels[at] > 1)
