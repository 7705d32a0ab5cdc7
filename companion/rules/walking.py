"""Moving a token, finding where to, landing on a space, and passing the dice on.

To *walk* is to move by the dice, to *advance* is to move to a certain space; either may
pass GO and collect the salary. To *land* is to carry out what the space under the token
brings: rent, a tax, a card, an offer to buy. A picture on a third die gives a *bonus*:
after the landing, Mr. Monopoly or the bus moves the token on. A space is given by its
board number, counted from GO.

Trains, dice, spaces and tickets take a token to a space *ahead*: in the order of play,
round the board, up to the space behind the token's own. Pages show in advance where.

After each move, ``settle`` goes on with what is left of the turn: a walk that was put
off, then the bonus. It stops where a seat has to pay, bid or decide something. When
nothing is left, the dice pass on.

Source:
    Grab & Go's sheet, "Playing", "Chance and Community Chest", "Going to jail",
    "Passing GO twice in one turn"; the standard rules in the Mega booklet,
    "The play", "GO", "Income tax/luxury tax", "Jail", "Free Parking"; the Secret
    Vault article, "Unowned and Locked", "Pay to Guess!", "Guess for Free!", "GO",
    "Income Tax and Luxury Tax", "Jail"; Cash Decoder's sheet, "GO", "Trains", "Decoder
    Chips"; the Crooked Cash article, "Go", "Jail"; the Mega booklet, "The dice & how
    to move", "Other new spaces".
    Withdrawn payments: Cash Decoder's sheet, "Checking for Fake Cash": a payer
    whose note was a fake pays with other notes; the Crooked Cash article, "Buy",
    "Auction", "Deals & Trades", "In Debt & Bankruptcy": what happens if it has no
    others. Our readings: a seat that can no longer pay to leave jail stays there, and a
    hotel that can no longer be paid for is not built.
    Spaces ahead: the Mega booklet, "Bus tickets"; the Crooked Cash article, "Trains".
    Our readings: if the only deed left is the one under the token, the token stays, and
    does not go once round; without rolled dice, the highest rent is found with seven
    for a utility, the average of two dice, and that rent is rolled for afterwards.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from companion.game import decoder_events as f  # For "fakes".
from companion.game import deed_events as d
from companion.game import play_events as p
from companion.game import ticket_events as t
from companion.game import vault_contents_events as r  # For "riches".
from companion.game.board import Board
from companion.game.ledger import Reason
from companion.game.move_run import MoveRun
from companion.game.playing_decoder import chips_of
from companion.game.playing_tickets import tickets_left
from companion.game.position import BUS, MR, OWED, Position
from companion.game.rulebook import BUS_DECK, UTILITY
from companion.game.sections import SIDES
from companion.game.spaces import CARD_SPACES, SpaceKind, row_for_each
from companion.game.stage import LAID_STAGES, Stage
from companion.rules.ending import end_if_all_owned
from companion.rules.rent import fall_due, rent_of
from companion.sheets import BOOKLET, CROOKED, DECODER, GRAB, SECRET, STANDARD, Told
from companion.units import VAULT, Dollars, Seat

SALARY_RULE = Told(
    "You get {salary} from the bank when you reach GO or pass it.",
    {
        GRAB: "Passing GO twice in one turn",
        STANDARD: "GO",
        SECRET: "GO",
        CROOKED: "Go",
        DECODER: "GO",
    },
)
SALARY_VAULT_RULE = Told(
    "When somebody reaches GO, the bank puts {vault_salary} into the vault.",
    {SECRET: "GO"},
)
TAX_RULE = Told(
    "If you land on a tax space, you pay that tax to the bank.",
    {GRAB: "Playing", STANDARD: "Income tax/luxury tax"},
)
TAX_VAULT_RULE = Told(
    "If you land on a tax space, you pay that tax into the vault.",
    {SECRET: "Income Tax and Luxury Tax"},
)
TO_JAIL_RULE = Told(
    "A space, the third doubles in a row, or a card that says so sends you to jail.",
    {GRAB: "Going to jail", STANDARD: "Jail", SECRET: "Jail", CROOKED: "Jail"},
)
LOCKED_RULE = Told(
    "A locked street is not for sale. Only a key opens it.",
    {SECRET: "Unowned and Locked"},
)
THIRD_DIE_RULE = Told(
    "You roll two white dice and a third one, and move by all three.",
    {BOOKLET: "The dice & how to move"},
)
MR_RULE = Told(
    "Mr. Monopoly: first you move by the white dice. "
    "Then you go on to the next deed that nobody owns.",
    {BOOKLET: "The dice & how to move"},
)
MR_RENT_RULE = Told(
    "Once all deeds are owned, Mr. Monopoly takes you to the next rent. "
    "Mortgaged deeds do not count.",
    {BOOKLET: "The dice & how to move"},
)
AUCTION_HIGHEST_RULE = Told(
    "Once all deeds are owned, it sends you to the highest rent.",
    {BOOKLET: "Other new spaces"},
)
MR_ALONE_RULE = Told(
    "Until Mr. Monopoly has moved you, nobody else builds, and nobody trades.",
    {BOOKLET: "The dice & how to move"},
)
TICKET_SPACE_RULE = Told(
    "On a ticket space you get a bus ticket, while there are any.",
    {BOOKLET: "Other new spaces"},
)

AVERAGE_ROLL = 7
"""The average sum of two dice."""

Landing = Callable[[MoveRun, Seat], None]
"""Carries out what a space brings to the seat that has landed there."""


def walk(run: MoveRun, seat: Seat, spaces: int) -> None:
    """Move forward by a number of spaces, collect the salary for GO, and land."""
    target = run.play.token_of(seat).space + spaces
    size = run.board.size
    run.add(p.TokenMoved(seat=seat, space=target % size))
    if target >= size:
        collect_salary(run, seat)
    land(run, seat)


def advance(run: MoveRun, seat: Seat, space: int, *, collects: bool) -> None:
    """Move forward to *space*, without landing there.

    If *collects*, the seat gets its salary for reaching or passing GO. A move to the
    token's own space goes once round the board.
    """
    is_past_go = space <= run.play.token_of(seat).space
    run.add(p.TokenMoved(seat=seat, space=space))
    if is_past_go and collects:
        collect_salary(run, seat)


def collect_salary(run: MoveRun, seat: Seat) -> None:
    """Pay the salary for reaching or passing GO, and make spent chips ready again.

    The bank may also pay into the vault: always, or only when GO is passed.
    """
    rules = run.board.rules
    ready_chips(run, seat)
    run.earn(seat, rules.money.salary, Reason.SALARY)
    is_on_go = rules.spaces[run.play.token_of(seat).space].kind == SpaceKind.GO
    if rules.is_vault_paid_on_go or not is_on_go:
        run.earn(VAULT, rules.money.salary_to_vault or 0, Reason.SALARY)


def ready_chips(run: MoveRun, seat: Seat) -> None:
    """Make the seat's spent decoder chips ready again."""
    if run.play.token_of(seat).chips < chips_of(run.board):
        run.add(f.ChipsReadied(seat=seat))


def land(
    run: MoveRun,
    seat: Seat,
    *,
    times: int = 1,
    is_card_dice: bool = False,
    is_by_card: bool = False,
    may_pass: bool = False,
) -> None:
    """Carry out what the space under the token brings.

    Args:
        run: The move so far.
        seat: The seat that landed.
        times: The factor by which a card multiplies the rent.
        is_card_dice: The rent is *times* a fresh roll of the dice instead.
        is_by_card: A card, not the dice, brought the token here.
        may_pass: If nobody owns the deed, it may be left without an auction.
    """
    play, board = run.play, run.board
    space = play.token_of(seat).space
    index = board.deed_at[space]
    if index is None:
        _landing(board, space)(run, seat)
        return
    deed, owner = board.rules.deeds[index], play.owners[index]
    if not owner:
        if not deed.is_locked:  # Without a key, nothing happens on a locked street.
            run.add(d.DeedAwaited(deed=deed.id, may_pass=may_pass))
    elif not owes_rent(board, play, seat, index):
        return
    elif deed.kind == UTILITY and (is_by_card or not play.dice):
        run.add(p.RentRollAwaited(deed=deed.id, times=times, is_card_dice=is_card_dice))
    else:
        fall_due(run, seat, index, total=board.rent_dice(play.dice), times=times)


def _landing(board: Board, space: int) -> Landing:
    """Return what a landing on a space does: nothing until its print is known."""
    if board.is_unread(space):
        return _do_nothing
    return LANDINGS[board.rules.spaces[space].acts_as]


def brings_something(board: Board, space: int) -> bool:
    """Return whether anything happens on a space without a deed."""
    return _landing(board, space) is not _do_nothing


def _do_nothing(_run: MoveRun, _seat: Seat) -> None:
    """Do nothing: the salary for GO was paid on the way, and Free Parking is free."""


def _charge_tax(run: MoveRun, seat: Seat) -> None:
    """Charge the seat the tax of the space, for the bank or the vault."""
    space = run.board.rules.spaces[run.play.token_of(seat).space]
    assert space.amount is not None, "an unread tax is not charged"
    run.charge(seat, space.pays_to, space.amount, Reason.TAX)


def _await_card(run: MoveRun, seat: Seat) -> None:
    """Wait until the seat draws a card of the deck named on the space."""
    kind = run.board.rules.spaces[run.play.token_of(seat).space].kind
    run.add(p.CardAwaited(deck=kind))


def _take_train(run: MoveRun, seat: Seat) -> None:
    """Move the seat on to the next deed that can be bought, if any, and land."""
    train, start = run.board.rules.train, run.play.token_of(seat).space
    space = next_unowned(run.board, run.play, start)
    if space is not None:
        advance(run, seat, space, collects=train is not None and train.pays_salary)
        land(run, seat)


ANY_SPACE = "any-space"
"""Word in ``awaited``: the mover chooses a space, after three equal dice."""

GIFT = "gift"
"""Word in ``awaited``: the mover chooses a gift, on the birthday space."""

LOT = "lot"
"""Word in ``awaited``: the mover chooses a deed, on the auction space."""


def _offer_auction(run: MoveRun, seat: Seat) -> None:
    """Let the seat choose a deed for an auction.

    Once all deeds are owned, it moves on to the highest rent it has to pay instead.
    """
    board, play = run.board, run.play
    if next_unowned(board, play, play.token_of(seat).space) is not None:
        run.add(f.ChoiceAwaited(of=LOT))
        return
    space = highest_rent(board, play, seat)
    if space is not None:
        advance(run, seat, space, collects=True)
        land(run, seat)


def _offer_gift(run: MoveRun, _seat: Seat) -> None:
    run.add(f.ChoiceAwaited(of=GIFT))


def draw_ticket(run: MoveRun, _seat: Seat) -> None:
    """Wait until the seat draws a bus ticket, if one is left."""
    if tickets_left(run.play, run.board):
        run.add(p.CardAwaited(deck=BUS_DECK))


def _take_bonus(run: MoveRun) -> None:
    """Carry out the bonus of the third die; it is *idle* if it can do nothing.

    After the bus, the mover chooses between a ticket and the next card space.
    """
    board, play = run.board, run.play
    seat, start = play.mover.seat, play.mover.space
    if play.bonus == BUS:
        is_idle = next_card_space(board, start) is None and not tickets_left(
            play, board
        )
        run.add(t.BonusCame(seat=seat, bonus=BUS, is_idle=is_idle))
        if not is_idle:
            run.add(f.ChoiceAwaited(of=BUS))
        return
    space = mr_space(board, play, seat, start)
    run.add(t.BonusCame(seat=seat, bonus=play.bonus, is_idle=space is None))
    if space is not None:
        advance(run, seat, space, collects=True)
        land(run, seat, may_pass=True)


def is_mr_moving(play: Position) -> bool:
    """Return whether a move by Mr. Monopoly, with its purchase, is not done yet."""
    return play.bonus == MR or (play.base is Stage.BUY and play.may_pass)


def send_to_jail(run: MoveRun, seat: Seat) -> None:
    """Send the seat straight to jail, without passing GO; that ends its turn."""
    run.add(p.SentToJail(seat=seat, space=run.board.jail))


def await_guess(run: MoveRun, seat: Seat) -> None:
    """Grant the seat one free guess at the vault."""
    run.add(r.GuessAwaited(seat=seat))


def _await_paid_guess(run: MoveRun, seat: Seat) -> None:
    """Grant the seat one guess for a fee, if it has the fee in hand."""
    vault = run.board.rules.vault
    if vault is not None and run.cash(seat) >= vault.guess_fee:
        run.add(r.GuessAwaited(seat=seat, fee=vault.guess_fee, is_optional=True))


LANDINGS = row_for_each(
    {
        SpaceKind.GO: _do_nothing,
        SpaceKind.INCOME_TAX: _charge_tax,
        SpaceKind.LUXURY_TAX: _charge_tax,
        SpaceKind.CHANCE: _await_card,
        SpaceKind.COMMUNITY_CHEST: _await_card,
        SpaceKind.JAIL: _do_nothing,
        SpaceKind.GO_TO_JAIL: send_to_jail,
        SpaceKind.FREE_PARKING: _do_nothing,
        SpaceKind.GUESS_FOR_FREE: await_guess,
        SpaceKind.PAY_TO_GUESS: _await_paid_guess,
        SpaceKind.TRAIN: _take_train,
        SpaceKind.AUCTION: _offer_auction,
        SpaceKind.BIRTHDAY_GIFT: _offer_gift,
        SpaceKind.BUS_TICKET: draw_ticket,
        SpaceKind.REST: _do_nothing,
    }
)
"""Kind of space without a deed -> the function for landing on it."""


def _withdraw_unpayable(run: MoveRun) -> None:
    """Take back payments for which the payer has too little left.

    What it has to pay, such as a rent, becomes a debt. A purchase does not happen.
    """
    while run.play.stage is Stage.PAYMENT:
        payment = run.play.payments[0]
        if run.balance(payment.payer) >= payment.amount:
            return
        run.add(f.PaymentWithdrawn(payment=payment))
        if payment.purpose == OWED:
            run.owe(payment)


UNSETTLED = (Stage.OVER, Stage.AUCTION, *LAID_STAGES)
"""Stages to finish before the game may end because all deeds are owned."""


def settle(run: MoveRun) -> None:
    """Go on until a seat has to decide something or to roll."""
    _withdraw_unpayable(run)
    while True:
        play = run.play
        if play.stage in UNSETTLED or end_if_all_owned(run):
            return
        if play.stage is not Stage.ROLL:
            return
        if play.walk:
            walk(run, play.mover.seat, play.walk)
        elif play.bonus:
            _take_bonus(run)
        elif not play.has_moved:
            return
        else:
            run.add(p.DicePassed(seat=_next_roller(run)))
            return


def _next_roller(run: MoveRun) -> Seat:
    """Return the mover again after doubles, else the next seat that still plays."""
    play = run.play
    if play.rolls_again and not play.mover.is_out:
        return play.mover.seat
    count = len(play.tokens)
    for steps in range(1, count + 1):
        token = play.tokens[(play.turn + steps) % count]
        if not token.is_out:
            return token.seat
    raise AssertionError("nobody is left, and the game is not over")


def next_unowned(board: Board, play: Position, space: int) -> int | None:
    """Find the next space ahead whose deed is unowned and needs no key."""
    for ahead, index in _deeds_ahead(board, space):
        if not play.owners[index] and not board.rules.deeds[index].is_locked:
            return ahead
    return None


def next_rent(board: Board, play: Position, seat: str, space: int) -> int | None:
    """Find the next space ahead on which *seat* has to pay rent."""
    for ahead, index in _deeds_ahead(board, space):
        if owes_rent(board, play, seat, index):
            return ahead
    return None


def mr_space(board: Board, play: Position, seat: str, space: int) -> int | None:
    """Return where Mr. Monopoly takes a token of *seat* from *space*, if anywhere.

    That is the next deed that nobody owns; once all are owned, the next rent.
    """
    unowned = next_unowned(board, play, space)
    if unowned is not None:
        return unowned
    index = board.deed_at[space]
    if index is not None and not play.owners[index]:
        return None  # The deed under the token is unowned, so not all are owned.
    return next_rent(board, play, seat, space)


def highest_rent(board: Board, play: Position, seat: str) -> int | None:
    """Find the space where *seat* pays the highest rent; of several, the nearest.

    An unknown rent counts as 0.
    """
    total = board.rent_dice(play.dice) or AVERAGE_ROLL
    best, highest = None, -1  # Below any rent.
    for space, index in _deeds_ahead(board, play.token_of(seat).space):
        if owes_rent(board, play, seat, index):
            rent: Dollars = rent_of(board, play, index, total) or 0
            if rent > highest:
                best, highest = space, rent
    return best


def owes_rent(board: Board, play: Position, seat: str, index: int) -> bool:
    """Return whether *seat* owes rent for landing on the deed at *index*.

    The owner may still have to ask; in some boxes one in jail collects none.
    """
    owner = play.owners[index]
    if owner in ("", seat) or play.mortgaged[index]:
        return False
    return board.rules.jail.collects_rent or not play.token_of(owner).is_jailed


def next_card_space(board: Board, space: int) -> int | None:
    """Find the next space ahead on which a card is drawn."""
    for ahead in _ahead(board, space):
        if board.rules.spaces[ahead].kind in CARD_SPACES:
            return ahead
    return None


def same_side(board: Board, space: int) -> tuple[int, ...]:
    """List the spaces to which a bus ticket may take a token, the nearest first.

    They lie ahead on the same side of the board, up to the corner at its end.
    """
    side = board.size // SIDES
    corner = (space // side + 1) * side
    return tuple(ahead % board.size for ahead in range(space + 1, corner + 1))


def _ahead(board: Board, space: int) -> Iterator[int]:
    """Yield all spaces but *space*, in the order of play."""
    for steps in range(1, board.size):
        yield (space + steps) % board.size


def _deeds_ahead(board: Board, space: int) -> Iterator[tuple[int, int]]:
    """Yield each space ahead that has a deed, and the index of that deed."""
    for ahead in _ahead(board, space):
        index = board.deed_at[ahead]
        if index is not None:
            yield ahead, index
