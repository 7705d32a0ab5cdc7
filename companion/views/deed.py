"""Deeds as pages show them: one deed, or a whole wallet, for everybody to read.

A *wallet* holds the deeds of one owner: of a seat, or of the bank. A *group* is the
streets of one colour, the railroads, or the utilities; it has a *band* as its head. The
*looking* seat is the one whose phone shows the page. Here *at* is the index of a deed.

Every button on a deed is a move that ``legal_moves`` lists. For a move that is missing,
though the owner might look for it, the page shows the refusal with which the rules
answer it.

A street's *ladder* lists the buildings that may stand there, in the order in which they
are built; its *level* is the number of those steps taken. While the bank may run out of
buildings, a seat can *ask* for one, and an auction decides who gets it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import msgspec

from companion.edition.shape import Group
from companion.errors import Why
from companion.game import Game
from companion.game import moves as m
from companion.game.move_run import MoveRun
from companion.game.stage import Stage
from companion.rules import legal_moves, out_of_turn, refusal
from companion.rules.auction import wanted_kind
from companion.rules.buildings import lacking_allowed
from companion.rules.deciding import moves_by_kind
from companion.rules.rule import Choice, Range
from companion.units import BANK, Dollars
from companion.views.blanks import Blank, blanks_of
from companion.views.deed_rents import Rent, rent_at
from companion.views.space import Band, Pieces, band_of, pieces_at
from companion.views.turn_buttons import (
    Button,
    Label,
    Labels,
    Look,
    button_of,
    label_row,
    level_left,
    sale_of,
    top_building,
)
from companion.views.turn_words import why_waits
from companion.views.why import ShownRule
from companion.views.wording import piece_words
from companion.words import say, say_count
from companion.words.amount import Amount
from companion.words.money import dollars_text


class DeedView(msgspec.Struct, frozen=True, kw_only=True):
    """One deed, ready to be drawn.

    Attributes:
        kind: ``street``, ``railroad`` or ``utility``.
        owner: A seat; empty for the bank.
        price: The bank's price in dollars; ``None`` if it has none or it is unknown.
        costs: Each kind of building with its cost in dollars, in the order of building;
            ``None`` if the cost is unknown. Free kinds are left out.
        mortgage: The bank's loan in dollars; 0 for no loan, ``None`` if unknown.
        is_loan_likely: The table plays with a likely amount for the loan.
        pieces: The buildings that stand there.
        is_locked: Nobody owns it, and it takes a key from the vault to get it.
        is_by_key: It has no price: a key is the only way to get it.
        is_mine: It belongs to the looking seat.
        buttons: The moves of that seat about the deed.
        reasons: Why the seat cannot make other moves that it might look for.
        rules: The rules behind those reasons.
        blanks: Unknown figures that can be typed in.
    """

    id: str
    name: str
    kind: str
    band: Band
    owner: str
    price: Dollars | None
    costs: tuple[tuple[str, Dollars | None], ...]
    mortgage: Dollars | None
    is_loan_likely: bool
    rent: Rent
    pieces: Pieces
    is_mortgaged: bool
    is_locked: bool
    is_by_key: bool
    is_mine: bool
    buttons: tuple[Button, ...] = ()
    reasons: tuple[str, ...] = ()
    rules: tuple[ShownRule, ...] = ()
    blanks: tuple[Blank, ...] = ()

    @property
    def loan(self) -> Amount | None:
        """The loan, marked if it is only likely; ``None`` if unknown."""
        if self.mortgage is None:
            return None
        return dollars_text(self.mortgage, is_likely=self.is_loan_likely)

    @property
    def asks(self) -> str:
        """The request for missing figures; empty if there are none."""
        is_lacking = any(not (blank.is_used or blank.typed) for blank in self.blanks)
        return say("Unknown: type what the deed says") if is_lacking else ""

    @property
    def blanks_words(self) -> str:
        """The heading over its blanks."""
        if not self.asks:
            return say("Played with what is likely (≈)")
        return say("Unknown figures")


class GroupView(msgspec.Struct, frozen=True):
    """The deeds of one group, as a wallet shows them.

    Attributes:
        deeds: All deeds of the group, of any owner.
        held: Those that lie in the wallet.
        plan: The deed whose page plans the group's buildings for the looking seat;
            empty if that seat can plan nothing here.
    """

    band: Band
    deeds: tuple[DeedView, ...]
    held: tuple[DeedView, ...]
    plan: str = ""

    @property
    def is_whole(self) -> bool:
        """Whether one seat owns the whole group."""
        owner = self.deeds[0].owner
        return bool(owner) and all(deed.owner == owner for deed in self.deeds)

    @property
    def reasons(self) -> dict[str, str]:
        """Each reason, with the names of the deeds to which it applies.

        The names are empty if it applies to all deeds of the group in the wallet.
        """
        names_by_reason: dict[str, list[str]] = {}
        for deed in self.held:
            for reason in deed.reasons:
                names_by_reason.setdefault(reason, []).append(deed.name)
        return {
            reason: ", ".join(names) if len(names) < len(self.held) else ""
            for reason, names in names_by_reason.items()
        }

    @property
    def rules(self) -> tuple[ShownRule, ...]:
        """The rules behind the reasons, each once."""
        return tuple(dict.fromkeys(rule for deed in self.held for rule in deed.rules))


class Stock(msgspec.Struct, frozen=True):
    """The number of buildings of one kind that the bank has left, and had at first."""

    kind: str
    left: int
    total: int


class Estate(msgspec.Struct, frozen=True):
    """A wallet of deeds as one seat sees it.

    Attributes:
        owner: A seat, ``bank``, or empty for the deeds of all owners together.
        is_mine: It belongs to the looking seat.
        groups: The groups with a deed in the wallet, in board order.
        stock: The buildings that the bank has left.
        hotels: Loose hotels in the looking seat's hand; 0 where seats hold none.
        waits: Why the seat can neither build nor mortgage now; empty if it can.
        is_soon: The game goes on, so the seat may be able to later.
        has_mortgages: The bank lends money on deeds.
        deed_count: The number of deeds of each owner, the bank's under ``bank``.
    """

    owner: str
    is_mine: bool
    groups: tuple[GroupView, ...]
    stock: tuple[Stock, ...]
    hotels: int
    waits: str
    is_soon: bool
    has_mortgages: bool
    deed_count: dict[str, int]


def estate_of(
    game: Game, groups: Sequence[Group], seat: str, owner: str = ""
) -> Estate:
    """Return a wallet of deeds.

    Args:
        game: The game as it stands; the companion leads it.
        groups: The groups of its edition, for their colours.
        seat: The seat that looks; empty for somebody without a seat.
        owner: The wallet's owner: a seat, ``bank``, or empty for all owners together.
    """
    look = Look(game, seat)
    owners = [deed_owner or str(BANK) for deed_owner in look.play.owners]
    token = look.play.token(seat)
    rules = look.board.rules
    return Estate(
        owner=owner,
        is_mine=bool(owner) and owner == seat,
        groups=_groups_of(look, groups, owner),
        stock=tuple(
            Stock(kind, left, total)
            for (kind, total), left in zip(rules.pieces, look.play.pieces, strict=True)
            if total
        ),
        hotels=token.hotels if token else 0,
        waits=_waits(look),
        is_soon=not game.is_closed and look.play.stage is not Stage.OVER,
        has_mortgages=rules.mortgage.exists,
        deed_count=dict(Counter(owners)),
    )


def deed_view(game: Game, groups: Sequence[Group], seat: str, deed: str) -> DeedView:
    """Return one deed as *seat* sees it.

    Raises:
        KeyError: If the game has no deed of that id.
    """
    look = Look(game, seat)
    at = look.board.index[deed]
    return _view(look, groups, at, buttons_by_deed(look).get(deed, ()))


def small_view(look: Look, groups: Sequence[Group], at: int) -> DeedView:
    """Return the deed at index *at*, without buttons or reasons."""
    return _view(look, groups, at, (), is_small=True)


def _groups_of(
    look: Look, groups: Sequence[Group], owner: str
) -> tuple[GroupView, ...]:
    """Return the groups with a deed in the wallet of *owner*, in board order."""
    board, buttons = look.board, buttons_by_deed(look)
    views = []
    for members in board.groups:
        ids = {at: board.rules.deeds[at].id for at in members}
        deeds = tuple(
            _view(look, groups, at, buttons.get(deed_id, ()))
            for at, deed_id in ids.items()
        )
        held = tuple(deed for deed in deeds if owner in ("", deed.owner or BANK))
        plan = next((ids[at] for at in members if can_plan(look, at)), "")
        if held:
            views.append(GroupView(deeds[0].band, deeds, held, plan))
    return tuple(views)


def _view(
    look: Look,
    groups: Sequence[Group],
    at: int,
    buttons: tuple[Button, ...],
    *,
    is_small: bool = False,
) -> DeedView:
    """Return the deed at index *at*; if *is_small*, without reasons and blanks."""
    board, play = look.board, look.play
    deed = board.rules.deeds[at]
    costs = dict(zip(deed.ladder, deed.costs, strict=True))
    is_mine = bool(play.owners[at]) and play.owners[at] == look.seat
    is_explained = is_mine and not is_small
    refusals, rules = reasons(look, at, buttons) if is_explained else ((), ())
    return DeedView(
        id=deed.id,
        name=deed.name,
        kind=deed.kind,
        band=band_of(groups, deed.group),
        owner=play.owners[at],
        price=deed.price,
        costs=tuple((kind, cost) for kind, cost in costs.items() if cost != 0),
        mortgage=deed.mortgage if board.rules.mortgage.exists else 0,
        is_loan_likely=board.is_likely(deed.id, "mortgage"),
        rent=rent_at(board, play, at),
        pieces=pieces_at(board, at, play.levels[at]),
        is_mortgaged=play.mortgaged[at],
        is_locked=deed.is_locked and not play.owners[at],
        is_by_key=deed.is_locked and deed.price is None,
        is_mine=is_mine,
        buttons=buttons,
        reasons=refusals,
        rules=rules,
        blanks=() if is_small else blanks_of(look, deed.id),
    )


def can_plan(look: Look, at: int) -> bool:
    """Return whether the seat owns enough of the deed's group to plan buildings."""
    board, owners = look.board, look.play.owners
    if not board.rules.deeds[at].ladder or owners[at] != look.seat:
        return False
    sites = board.sites[at]
    lacking = sum(owners[site] != look.seat for site in sites)
    return len(sites) > 1 and lacking <= lacking_allowed(board, at, level=1)


def can_type(game: Game, seat: str) -> bool:
    """Return whether *seat* may type in an unknown figure now."""
    return any(
        isinstance(choice, Range)
        for _, choices in moves_by_kind(game, seat, (m.ReadBox,))
        for choice in choices
    )


ESTATE_MOVES = (m.Build, m.Unbuild, m.Mortgage, m.LiftMortgage)
"""The moves for which people open their wallet; ``Estate.waits`` is about them."""


def _waits(look: Look) -> str:
    """Say why the seat can neither build nor mortgage now.

    Empty if it can, if it has no deeds, and if it is out of the game.
    """
    play, token = look.play, look.play.token(look.seat)
    if token is None or token.is_out or look.seat not in play.owners:
        return ""
    return why_waits(look, *ESTATE_MOVES)


OFFERED_ELSEWHERE = (m.Draw, m.UseCard, m.AskRent)
"""Moves that name a deed, but have their buttons on the page of the turn."""


def buttons_by_deed(look: Look) -> dict[str, tuple[Button, ...]]:
    """List the moves of the seat about each deed, by deed id, the main one first."""
    by_deed: dict[str, list[Button]] = {}
    for choice in legal_moves(look.game, look.seat):
        deed = deed_of(look, choice)
        if deed and _is_worth_showing(look, choice):
            assert not isinstance(choice, Range), "a range of values names no deed"
            by_deed.setdefault(deed, []).append(button_of(look, choice, LABELS))
    return {
        deed: tuple(sorted(buttons, key=lambda button: not button.is_main))
        for deed, buttons in by_deed.items()
    }


def deed_of(look: Look, choice: Choice) -> str:
    """Return the deed that a move is about; empty for other moves."""
    if isinstance(choice, (Range, *OFFERED_ELSEWHERE)):
        return ""
    deed = getattr(choice, "deed", "")
    return deed if deed in look.board.index else ""


def _is_worth_showing(look: Look, choice: Choice) -> bool:
    """Return whether a move gets a button on the deed.

    Selling all buildings needs more than one; asking for one needs a bank that may
    run out.
    """
    if isinstance(choice, m.Unbuild) and choice.is_all:
        return level_left(look, m.Unbuild(by=choice.by, deed=choice.deed)) > 0
    if isinstance(choice, m.WantBuilding):
        return _may_run_out(look, wanted_kind(MoveRun(look.game), choice.deed))
    return True


def _may_run_out(look: Look, kind: str) -> bool:
    """Return whether a seat has asked for a kind of building, or too few are left.

    Too few are fewer than one for each seat.
    """
    if kind not in look.board.kinds:
        return False
    run = MoveRun(look.game)
    is_asked_for = any(wanted_kind(run, want.deed) == kind for want in look.play.wants)
    left = look.play.pieces[look.board.kinds.index(kind)]
    return is_asked_for or left < len(look.play.playing())


def _next_step(look: Look, deed_id: str) -> tuple[str, Dollars]:
    """Return the next kind of building on a deed, which is not full, and its cost."""
    at = look.board.index[deed_id]
    deed, level = look.board.rules.deeds[at], look.play.levels[at]
    return deed.ladder[level], deed.costs[level] or 0


# The labels of the buttons, one function for each kind of move.


def _label_build(look: Look, move: m.Build) -> Label:
    kind, cost = _next_step(look, move.deed)
    words = say("Build")
    if cost:
        words = say("Build for {amount}", amount=dollars_text(cost))
    return Label(words, piece_words(kind), is_main=True)


def _label_ask(look: Look, move: m.WantBuilding) -> Label:
    """Label the request for one of the bank's last buildings."""
    kind, cost = _next_step(look, move.deed)
    words = say("Ask for one: {amount}", amount=dollars_text(cost))
    left = look.play.pieces[look.board.kinds.index(kind)]
    note = say_count(left, "only {count} is left", "only {count} are left")
    return Label(words, note)


def _label_unbuild(look: Look, move: m.Unbuild) -> Label:
    """Label the sale of the top building, or of all; it may bring no money."""
    value = dollars_text(sale_of(look, move))
    if move.is_all:
        if not value.dollars:
            return Label(say("Take all off: no money"))
        return Label(say("Sell all: +{amount}", amount=value))
    words = say("Take it off: no money")
    if value.dollars:
        words = say("Sell: +{amount}", amount=value)
    return Label(words, piece_words(top_building(look, move.deed)))


def _label_mortgage(look: Look, move: m.Mortgage) -> Label:
    loan = look.loan(look.deed(move.deed))
    words = say("Mortgage: +{amount}", amount=loan)
    if loan.is_likely:
        words = say("Mortgage: about +{amount}", amount=dollars_text(loan.dollars))
    return Label(words)


def _label_sale(look: Look, move: m.SellDeed) -> Label:
    amount = dollars_text(look.deed(move.deed).price or 0)
    return Label(say("Sell to the bank: +{amount}", amount=amount))


def _label_lift(look: Look, move: m.LiftMortgage) -> Label:
    """Label the lifting of a mortgage with its cost and the interest in it."""
    at = look.board.index[move.deed]
    cost, lent = look.lifting(at), look.board.rules.deeds[at].mortgage
    words = say("Lift for {amount}", amount=cost)
    if lent is None or cost.dollars <= lent:
        return Label(words)
    is_likely = cost.is_likely or look.board.is_likely(move.deed, "mortgage")
    extra = dollars_text(cost.dollars - lent, is_likely=is_likely)
    return Label(words, say("{amount} of it interest", amount=extra))


LABELS: Labels = dict(
    (
        label_row(m.Build, _label_build),
        label_row(m.WantBuilding, _label_ask),
        label_row(m.Unbuild, _label_unbuild),
        label_row(m.Mortgage, _label_mortgage),
        label_row(m.SellDeed, _label_sale),
        label_row(m.LiftMortgage, _label_lift),
    )
)
"""The labels of buttons on a deed; other moves are labelled as in a turn."""


# Why other moves have no button.


def reasons(
    look: Look, at: int, shown: tuple[Button, ...]
) -> tuple[tuple[str, ...], tuple[ShownRule, ...]]:
    """Return why moves that the owner might look for are missing, and by which rules.

    Reasons that concern the whole page, such as whose turn it is, are left out; so are
    unknown figures, which the deed shows anyway.
    """
    sentences: list[str] = []
    rules: list[ShownRule] = []
    for move in _expected_moves(look, at, shown):
        if out_of_turn(look.game, look.seat, type(move)) is not None:
            continue
        reason = refusal(look.game, move)
        if reason and reason.why not in (Why.WRONG_STAGE, Why.UNKNOWN_FIGURE):
            sentences.append(look.refused(reason))
            rules.append(look.rule_of(reason))
    deed = look.board.rules.deeds[at].id
    if any(want.seat == look.seat and want.deed == deed for want in look.play.wants):
        sentences.append(say("You asked for one of the last buildings"))
    return tuple(dict.fromkeys(sentences)), tuple(dict.fromkeys(rules))


def _expected_moves(look: Look, at: int, shown: tuple[Button, ...]) -> list[m.Move]:
    """List the moves of this edition that the owner might look for."""
    deed, rules = look.board.rules.deeds[at], look.board.rules
    verbs = {button.verb for button in shown}
    level, is_mortgaged = look.play.levels[at], look.play.mortgaged[at]
    moves: list[m.Move] = []
    if is_mortgaged:
        moves.append(m.LiftMortgage(by=look.seat, deed=deed.id))
    elif rules.mortgage.exists and not level:
        moves.append(m.Mortgage(by=look.seat, deed=deed.id))
    if rules.street_sale is not None and rules.street_sale.exists and level:
        moves.append(m.SellDeed(by=look.seat, deed=deed.id))
    if level and "unbuild" not in verbs:
        moves.append(m.Unbuild(by=look.seat, deed=deed.id))
    if deed.ladder and not is_mortgaged and not verbs & {"build", "want-building"}:
        moves.append(m.Build(by=look.seat, deed=deed.id))
    return moves
