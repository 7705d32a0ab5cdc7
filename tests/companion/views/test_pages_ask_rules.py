"""Whatever a page offers is accepted; whatever it bars is refused as it says.

Goal: no page has an opinion of its own on what is allowed, why not, or by which rule.
Method: on random positions of all boxes, some of them corrected, the views of every
seat are compared with the rules: each button, deed, plan, trade, bid, card and look.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import chain

import pytest
from msgspec.structs import replace

from companion.edition import builtin, editions
from companion.edition.model import Edition
from companion.errors import Refused, Why
from companion.game import commands as c
from companion.game import moves as m
from companion.game.move_run import MoveRun
from companion.game.owning import builds_early
from companion.game.position import Bundle, Offer
from companion.rules import legal_moves, out_of_turn, refusal
from companion.rules.deciding import step
from companion.rules.deeds import OWING_RULE
from companion.rules.drawing import Source, complete_command
from companion.rules.rule import Range
from companion.rules.trade import DEBT_IN_KIND_RULE, check_deal, last_offer
from companion.sheets import TYPED_RULE
from companion.units import Seat
from companion.views.deed import buttons_by_deed, deed_view
from companion.views.laid import Role, laid_of
from companion.views.plan import plan_moves, plan_view
from companion.views.trade import Trade, open_offers, trade_of
from companion.views.turn import Turn, turn_of
from companion.views.turn_buttons import Button, Look
from tests.companion.rules.test_engine_playouts import with_options
from tests.eager import eager_move
from tests.guided import Guided, accepted, random_correction, random_offer
from tests.random_table import put_anywhere
from tests.sample import sampled
from tests.test_sixth_box import EDITIONS, table
from web.http.fields import Form
from web.play.forms import FORMS

SIXTH = "harbour-lights"
BOXES = (*editions(), SIXTH)


class Page:
    """A seat's pages in one position."""

    def __init__(self, play: Guided, seat: str, edition: Edition) -> None:
        assert play.game.board is not None
        self.game, self.seat = play.game, seat
        self.groups = edition.groups
        self.edition = edition
        self.look = Look(play.game, seat)
        self.board = play.game.board

    def read(self, verb: str, fields: tuple[tuple[str, str], ...]) -> c.Command:
        """Return the command that a form gives."""
        source = Source(self.game, lambda: self.edition, random.Random(0))
        return complete_command(FORMS[verb](self.seat, Form(list(fields))), source)

    def allows(self, verb: str, fields: tuple[tuple[str, str], ...] = ()) -> None:
        command = self.read(verb, fields)
        assert refusal(self.game, command) is None, command

    def presses(self, button: Button, *more: tuple[str, str]) -> None:
        self.allows(button.verb, (*button.fields, *more))

    def refuses(self, command: c.Command, *whys: Why) -> Refused:
        refused = refusal(self.game, command)
        assert refused is not None, command
        assert not whys or refused.why in whys, (command, refused)
        return refused

    def says(self, refused: Refused, said: str, rules: object = None) -> None:
        """Check that the page says what the rules say."""
        assert said == self.look.refused(refused)
        assert rules is None or rules == (self.look.rule_of(refused),)


# Positions.


def positions(edition: str, seed: int, count: int) -> Iterator[Guided]:
    """Yield a table in several random positions, every second one just corrected."""
    dice = random.Random(f"{edition} {seed}")
    play = table(seed) if edition == SIXTH else with_options(edition, 3, seed)
    if seed % 4:
        put_anywhere(dice, play)
    for number in range(count):
        for _ in range(dice.randint(1, 8)):
            if play.at.stage != "over":
                tries(play, eager_move(dice, play.game))
        tries(play, random_offer(dice, play.game, dice.choice(play.at.playing())))
        for _ in range(number % 2):
            tries(play, random_correction(dice, play.game))
        yield play


def tries(play: Guided, move: m.Move) -> None:
    if accepted(play.game, move):
        play.give(move)


def pages(edition: str, seed: int, count: int) -> Iterator[Page]:
    source = EDITIONS(SIXTH) if edition == SIXTH else builtin(edition)
    for play in positions(edition, seed, count):
        for token in play.at.tokens:
            yield Page(play, token.seat, source)


QUICK = [(edition, 1, 2) for edition in reversed(BOXES)]
PROOFS = [(edition, seed, 8) for seed in range(1, 13) for edition in BOXES]
"""A box, a seed, and in how many positions its pages are read."""


@pytest.mark.parametrize("case", sampled((*QUICK, *PROOFS), 2), ids=str)
def test_what_a_page_offers_is_accepted_and_what_it_bars_refused(
    case: tuple[str, int, int],
) -> None:
    for page in pages(*case):
        check_turn(page, turn_of(page.game, page.seat))
        check_cards(page)
        check_deeds(page)
        check_offers(page)
        check_trades(page)
        check_plans(page)
        check_laid(page)


# The turn.


def check_turn(page: Page, turn: Turn) -> None:
    raising = turn.raising.ways if turn.raising else ()
    shown = (turn.buttons, turn.rents, turn.giving_up, turn.leaving, raising)
    for button in (*chain(*shown), *turn.cards):
        page.presses(button)
    for one in turn.numbers:
        for number in (one.low, one.high, *one.choices):
            page.presses(one.button, (one.field, str(number)))
    if turn.on_table is not None:
        check_on_table(page, turn)
    check_bids(page, turn)
    if turn.guessing is not None:
        for number in turn.guessing.numbers:
            guess = m.Guess(by=page.seat, number=number, is_right=False)
            assert refusal(page.game, guess) is None
    assert turn.can_offer == any(
        isinstance(one, Range) and one.kind is m.MakeOffer
        for one in legal_moves(page.game, page.seat)
    )


def check_on_table(page: Page, turn: Turn) -> None:
    assert turn.on_table is not None
    for kind, button in (
        (m.HandOver, turn.on_table.handing),
        (m.Inspect, turn.on_table.looking),
    ):
        move = kind(by=page.seat)
        assert (refusal(page.game, move) is None) == (button is not None), move
    for verdict in ("real", "unsure", "fake"):
        said = m.GiveVerdict(by=page.seat, verdict=verdict)
        is_note = verdict == "fake" and page.look.play.card_use is None
        if turn.on_table.verdicts is None or is_note:
            page.refuses(said)
        else:
            assert refusal(page.game, said) is None, said
    for amount in turn.on_table.verdicts.fakes if turn.on_table.verdicts else ():
        fake = m.GiveVerdict(by=page.seat, verdict="fake", amount=amount)
        assert refusal(page.game, fake) is None, fake


def check_bids(page: Page, turn: Turn) -> None:
    bids, step = turn.bidding, page.board.rules.auction.step
    if bids is None:
        return
    if not bids.low:
        page.refuses(m.Bid(by=page.seat, amount=bids.amount + step))
        return
    for amount in (bids.low, bids.high, *bids.chips):
        assert refusal(page.game, m.Bid(by=page.seat, amount=amount)) is None
    low = Why.BID_TOO_LOW if bids.low > 1 else Why.MALFORMED
    page.refuses(m.Bid(by=page.seat, amount=bids.low - 1), low)
    page.refuses(m.Bid(by=page.seat, amount=bids.high + step), Why.CANNOT_AFFORD)
    assert bids.high + step > page.look.cash


def check_cards(page: Page) -> None:
    """Check that each card in hand offers exactly its legal targets."""
    turn = turn_of(page.game, page.seat)
    token = page.look.play.token_of(page.seat)
    pressed = {
        (button.verb, frozenset(button.fields))
        for button in turn.buttons
        if button.verb == "use-card"
    }
    for use in turn.uses:
        for word in [word for word, _ in use.targets] or [""]:
            more = (("target", word),) if word else ()
            page.presses(use.button, *more)
            pressed.add((use.button.verb, frozenset((*use.button.fields, *more))))
    seats = [token.seat for token in page.look.play.tokens]
    for card in dict.fromkeys(token.cards):
        for target in ("", *seats, *page.board.index):
            fields = {("card", card)} | ({("target", target)} if target else set())
            if ("use-card", frozenset(fields)) not in pressed:
                page.refuses(m.UseCard(by=page.seat, card=card, target=target))


# Deeds.

UNTOLD = (Why.WRONG_STAGE, Why.UNKNOWN_FIGURE)
"""What concerns the whole page, or is shown on the deed as unknown."""


def check_deeds(page: Page) -> None:
    pressable = buttons_by_deed(page.look)
    for button in chain(*pressable.values()):
        page.presses(button)
    for at, owner in enumerate(page.look.play.owners):
        deed = page.board.rules.deeds[at].id
        view = deed_view(page.game, page.groups, page.seat, deed)
        assert view.buttons == pressable.get(deed, ())
        if owner != page.seat:
            assert not view.reasons
            continue
        found = {}
        for move in about(page, at):
            refused = refusal(page.game, move)
            if refused is None:
                assert is_offered(page, at, move, view.buttons), move
            else:
                found[page.look.refused(refused)] = refused
                is_told = out_of_turn(page.game, page.seat, type(move)) is None
                is_told = is_told and refused.why not in UNTOLD
                if is_told and is_looked_for(page, at, move):
                    assert page.look.refused(refused) in view.reasons, move
        told = [found[said] for said in view.reasons if said in found]
        asked = {x.deed for x in page.look.play.wants if x.seat == page.seat}
        assert len(told) == len(view.reasons) - (deed in asked), view.reasons
        rules = dict.fromkeys(map(page.look.rule_of, told))
        assert view.rules == tuple(rules)


def about(page: Page, at: int) -> Iterator[m.Move]:
    deed, by = page.board.rules.deeds[at].id, page.seat
    for kind in (m.Mortgage, m.LiftMortgage, m.SellDeed, m.Build, m.WantBuilding):
        yield kind(by=by, deed=deed)
    yield m.Unbuild(by=by, deed=deed)
    yield m.Unbuild(by=by, deed=deed, is_all=True)


def is_offered(page: Page, at: int, move: m.Move, buttons: tuple[Button, ...]) -> bool:
    """Return whether a button makes the move, or shows it under another name."""
    fields = {("deed", str(page.board.rules.deeds[at].id))}
    level = page.look.play.levels[at]
    if isinstance(move, m.Unbuild) and move.is_all:
        fields |= {("is_all", "yes")}
    is_there = any(
        button.verb == c.address_of(type(move)) and set(button.fields) == fields
        for button in buttons
    )
    ladder = page.board.rules.deeds[at].ladder
    is_one = level == 1 or (
        page.board.rules.buildings.hotel_sale == "half-only"
        and ladder[level - 1 : level] == ("hotel",)
    )
    is_same = isinstance(move, m.Unbuild) and move.is_all and is_one
    return is_there or is_same or isinstance(move, m.WantBuilding)


def is_looked_for(page: Page, at: int, move: m.Move) -> bool:
    """Return whether somebody might look for that button on the deed as it stands."""
    deed, rules = page.board.rules.deeds[at], page.board.rules
    level, is_mortgaged = page.look.play.levels[at], page.look.play.mortgaged[at]
    match move:
        case m.LiftMortgage():
            return is_mortgaged
        case m.Mortgage():
            return rules.mortgage.exists and not level and not is_mortgaged
        case m.SellDeed():
            sale = rules.street_sale
            return sale is not None and sale.exists and (level > 0 or is_mortgaged)
        case m.Build():
            may_want = refusal(page.game, m.WantBuilding(by=move.by, deed=deed.id))
            return bool(deed.ladder) and not is_mortgaged and may_want is not None
        case m.Unbuild():
            others = m.Unbuild(by=move.by, deed=deed.id, is_all=not move.is_all)
            return level > 0 and not move.is_all and bool(refusal(page.game, others))
    return False


# Trades.


def check_offers(page: Page) -> None:
    waiting = last_offer(MoveRun(page.game), page.seat)
    accept, reject = m.Accept(by=page.seat), m.Reject(by=page.seat)
    views = open_offers(page.game, page.groups, page.seat)
    assert [x.can_accept for x in views].count(True) == (
        refusal(page.game, accept) is None
    )
    is_paid = page.look.play.stage == "payment"  # Its own page calls the trade off.
    assert [x.can_reject for x in views].count(True) == (
        not is_paid and refusal(page.game, reject) is None
    )
    for view in views:
        if view.can_counter:
            draft = Offer(Seat(page.seat), Seat(view.giver), Bundle(), Bundle())
            trade = trade_of(page.game, page.groups, draft, counters=True)
            assert trade.counters
            assert not trade.waits
        is_next = view.can_reject
        if is_next and not view.can_accept:
            page.says(page.refuses(accept), view.why_not, view.rules)
        assert bool(view.why_not) == bool(view.rules) == (not view.effects)
    if any(view.can_reject for view in views):
        assert waiting is not None


def check_trades(page: Page) -> None:
    others = [x.seat for x in page.look.play.tokens if x.seat != page.seat]
    for taker in others:
        empty = Offer(Seat(page.seat), taker, Bundle(), Bundle())
        trade = trade_of(page.game, page.groups, empty)
        if trade.taker != taker:
            offer = replace(empty, give=Bundle(debt=True))
            page.refuses(making(offer))
            continue
        check_items(page, empty, trade)
        for draft in drafts(page, empty, trade):
            check_draft(page, draft)


def making(draft: Offer) -> m.MakeOffer:
    give, want = draft.give, draft.want
    return m.MakeOffer(by=draft.giver, taker=draft.taker, give=give, want=want)


def check_items(page: Page, empty: Offer, trade: Trade) -> None:
    """Check each deed of both sides alone: it is barred for the reason it shows."""
    for name, side in zip(("give", "want"), trade.sides, strict=True):
        owned = [x for x in page.look.play.owners if x == side.seat]
        assert len(side.items) == len(owned)
        for item in side.items:
            draft = replace(empty, **{name: Bundle(deeds=(item.deed.id,))})
            refused = refusal(page.game, making(draft))
            if trade.waits:
                assert refused is not None
            elif item.blocked:
                assert refused is not None
                # What is owed comes first.
                is_free = refused.rule not in (DEBT_IN_KIND_RULE, OWING_RULE)
                page.says(
                    refused, item.blocked if is_free else page.look.refused(refused)
                )
            elif refused is not None:
                assert refused.why not in (Why.HAS_BUILDINGS, Why.NOT_YOURS), refused
            check_draft(page, draft)


def drafts(page: Page, empty: Offer, trade: Trade) -> Iterator[Offer]:
    """Everything that is counted, at its bounds, for a thing that can change hands."""
    for name, side in zip(("give", "want"), trade.sides, strict=True):
        other = "want" if name == "give" else "give"
        for field, most in (
            ("cash", side.cash),
            ("jail_cards", side.jail_cards),
            ("hotels", side.hotels),
            ("tickets", side.tickets),
        ):
            for count in dict.fromkeys((0, 1, most, most + 1)):
                goods = replace(Bundle(), **{field: count})
                yield replace(empty, **{name: goods})
                yield replace(empty, **{name: goods, other: Bundle(debt=True)})
                for item in trade.sides[name == "give"].items[:2]:
                    deeds = Bundle(deeds=(item.deed.id,))
                    yield replace(empty, **{name: goods, other: deeds})
        yield replace(empty, **{name: Bundle(debt=True)})
    yield replace(empty, give=Bundle(debt=True), want=Bundle(debt=True))


def check_draft(page: Page, draft: Offer) -> None:
    """Check that a draft may be sent if the rules take it, or shows their refusal."""
    trade = trade_of(page.game, page.groups, draft)
    refused = refusal(page.game, making(draft))
    if trade.waits:
        assert refused is not None, draft
        return
    if (draft.give, draft.want) == (Bundle(), Bundle()):
        assert refused is not None
        return
    assert trade.can_send == (refused is None), (draft, refused)
    refused = refused or check_deal(MoveRun(page.game), draft)
    assert bool(trade.hint) == (refused is not None)
    assert bool(trade.effects) == (refused is None)
    if refused is not None:
        page.says(refused, trade.hint, trade.rules)


# Plans.


def check_plans(page: Page) -> None:
    play, board = page.look.play, page.board
    for sites in dict.fromkeys(board.sites):
        mine = [at for at in sites if play.owners[at] == page.seat]
        for at in mine[:1]:
            for wanted in plans(page, mine):
                check_plan(page, board.rules.deeds[at].id, wanted)


def plans(page: Page, mine: list[int]) -> Iterator[dict[str, int]]:
    deeds = page.board.rules.deeds
    most = len(deeds[mine[0]].ladder)
    yield {}
    for level in range(most + 1):
        yield {deeds[at].id: level for at in mine}
        yield {deeds[at].id: level - (at != mine[0]) for at in mine}
    yield {deeds[mine[0]].id: most, deeds[mine[-1]].id: 0}


def check_plan(page: Page, deed: str, wanted: dict[str, int]) -> None:
    view = plan_view(page.game, page.groups, page.seat, deed, wanted)
    move = page.read("level", view.fields)
    assert isinstance(move, m.Level)
    refused = plan_refused(page, move)
    assert view.can_send == (refused is None), (move, refused)
    if refused is None or view.waits:
        return
    is_idle = view.is_same and refused.rule is TYPED_RULE  # That needs no reason.
    page.says(refused, view.hint, None if is_idle else view.rules)


def plan_refused(page: Page, plan: m.Level) -> Refused | None:
    """Ask the rules about the plan, or about its steps where a box has no plans."""
    if builds_early(page.board):
        return refusal(page.game, plan)
    laid, game = plan_moves(page.game, plan), page.game
    for move in laid.moves:
        if refusal(game, move) is not None:
            assert move == laid.moves[-1]
            assert laid.refused is not None
            break
        game = step(game, move).game
    return laid.refused


def test_a_depot_can_be_planned_whoever_has_the_other_railroads() -> None:
    play = Guided("mega", 3).given("red owns short-line", "blue owns reading-railroad")
    page = Page(play, "red", builtin("mega"))
    check_plan(page, "short-line", {"short-line": 1})
    view = plan_view(play.game, page.groups, "red", "short-line", {"short-line": 1})
    assert view.can_send


# What lies on the table.


def check_laid(page: Page) -> None:
    laid = laid_of(page.game)
    if laid is None:
        return
    for watcher in laid.watchers:
        refused = refusal(page.game, m.Inspect(by=watcher.seat))
        assert (watcher.gaze is Role.MAY) == (refused is None), watcher
        if watcher.gaze is Role.MAY_NOT:
            assert refused is not None
            assert watcher.refused is not None
            assert str(watcher.refused) == str(refused)
            page.says(refused, laid.why_not(watcher.seat))
