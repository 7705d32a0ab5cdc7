"""A guided table to play at in tests: every move worth trying, good and bad."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping

from companion.edition.catalogue import Catalogue
from companion.edition.snapshot import snapshot, terms
from companion.errors import Refused
from companion.game import Game
from companion.game import commands as c
from companion.game import moves as m
from companion.game.board import Board
from companion.game.box_key import split_key
from companion.game.commands import fields_of
from companion.game.figure_bounds import find_clash, known_figures
from companion.game.position import (
    FORCED,
    FREE,
    LOCKED,
    OPEN,
    OPENING,
    SHUT,
    Bundle,
    Position,
    VaultContents,
)
from companion.game.rulebook import Rulebook
from companion.rules import decide, legal_moves
from companion.rules.box_reading import may_type_again
from companion.rules.rule import Range
from companion.rules.seats import COLOURS
from companion.units import BANK, VAULT, Account, Dollars, Drawn
from tests.scene import Play

SEATS = COLOURS[:4]
"""Who a move may be about; a table of more seats has further ones."""


class Guided(Play):
    """A journal in memory under guided play, by the rules of a box or like it."""

    def __init__(
        self,
        edition: str,
        seats: int = 2,
        options: Mapping[str, str] | None = None,
        editions: Catalogue | None = None,
        change: Callable[[Rulebook], Rulebook] = lambda rules: rules,
    ) -> None:
        self.editions = editions or Catalogue()
        found = self.editions(edition)
        super().__init__(*COLOURS[:seats], terms=terms(found))
        rules = change(snapshot(found, options or {}))
        deal = tuple(deed.id for deed in rules.deeds) if rules.dealt_each else ()
        self.give(m.BeginPlay(by=c.TABLE, rules=rules, deal=deal))

    @property
    def at(self) -> Position:
        """The position as it stands."""
        assert self.game.play is not None
        return self.game.play

    def given(self, *lines: str) -> Guided:
        """Put the table into a position, in the words of the scripts."""
        for line in lines:
            words = tuple(line.split())
            self.give(m.CorrectPosition(by=c.TABLE, words=words, is_given=True))
        return self

    def play_on(self, dice: random.Random, moves: int) -> Iterator[int]:
        """Try so many random moves; yield the number of each that was allowed."""
        for number in range(moves):
            if self.at.base == "over":
                return
            try:
                self.give(random_move(dice, self.game))
            except Refused:
                continue
            yield number


def accepted(game: Game, move: c.Command) -> bool:
    """Whether the rules allow it; a refusal must have words."""
    try:
        decide(game, move)
    except Refused as refused:
        said = refused.message
    else:
        return True
    assert said, move
    return False


def is_listed(game: Game, move: m.Move) -> bool:
    """Whether ``legal_moves`` lists the move, or a range that it falls into."""
    for choice in legal_moves(game, move.by):
        if isinstance(choice, Range):
            if isinstance(move, choice.kind) and in_range(game, move, choice):
                return True
        elif choice == move or is_written_like(game, move, choice):
            return True
    return False


def is_written_like(game: Game, move: m.Move, choice: m.Move) -> bool:
    """Whether it says by what it does a card in hand, or one of too many to list."""
    play, board = game.play, game.board
    assert play is not None
    assert board is not None
    if isinstance(move, m.UseCard) and isinstance(choice, m.UseCard):
        held = board.card(choice.card)
        is_same = held is not None and held.effect == move.card
        return is_same and choice.target == move.target
    if not isinstance(move, m.Draw) or not isinstance(choice, m.Draw):
        return False
    deck, card = board.rules.decks[board.deck_index[play.awaited]], move.card
    if deck.face_up and board.open_card(deck.id, card) == choice.card:
        return True
    if deck.is_complete or card not in WRITTEN_CARDS or move.pick:
        return False
    return card.partition(":")[0] not in deck.absent


def readable(game: Game, by: str) -> tuple[str, ...]:
    """List the keys of the figures that the seat may type in now."""
    board, play = game.board, game.play
    assert board is not None
    assert play is not None
    typed = (key for key in board.read if may_type_again(board, play, by, key))
    return (*(one.key for one in board.unknown), *board.likely, *typed)


def in_range(game: Game, move: m.Move, choice: Range) -> bool:
    """Whether the move's own numbers lie in the range."""
    board = game.board
    assert board is not None
    if isinstance(move, m.Roll):
        numbers = move.dice
        if not can_fall(game, move):
            return False
    elif isinstance(move, m.Guess):
        numbers = (move.number,)
    elif isinstance(move, m.ReadBox):
        if move.key not in readable(game, move.by):
            return False
        assert isinstance(move.value, int)
        numbers = (move.value,)
    elif isinstance(move, m.Bid):
        numbers = (move.amount,)
    elif isinstance(move, m.Draw):
        if move.card:
            return False
        numbers = (move.pick,)
    else:
        assert isinstance(move, m.MakeOffer)
        numbers = (move.give.cash,)
    span = range(choice.low, choice.high + 1, choice.step)
    return all(number in span for number in numbers)


def third_faces(game: Game) -> tuple[str, ...]:
    """List the third die's faces; it is not rolled in jail or for a rent."""
    play, board = game.play, game.board
    assert play is not None
    assert board is not None
    is_turn = play.stage == "roll" and play.mover.tries == FREE
    return board.rules.dice.third_faces if is_turn else ()


def can_fall(game: Game, move: m.Roll) -> bool:
    """Whether so many dice, and this special face, can lie on the table now."""
    assert game.board is not None
    third, lock = third_faces(game), game.board.rules.dice.lock_face
    faces = [face for face in third if not face.isdigit()] or ([lock] if lock else [])
    if move.special and move.special not in faces:
        return False
    if not all(str(pips) in third for pips in move.dice[2:]):
        return False
    return len(move.dice) + bool(move.special) == (3 if third else 2)


KNOWN_CARDS = ("chance-01", "chance-09", "chest-05", "chance-kind-2")
WRITTEN_CARDS = ("collect:50000", "pay:1", "go-to-jail", "advance:go", "jail-card")
"""As the data calls them, and as they are written where it has no such card."""


def candidates(game: Game, by: str) -> Iterator[m.Move]:
    """Yield every kind of move with arguments worth trying."""
    play, board = game.play, game.board
    assert play is not None
    assert board is not None
    for dice in ((1, 2), (6, 6), (0, 3), (1, 7), (2,), (1, 2, 3), ()):
        yield m.Roll(by=by, dice=dice)
    for special in ("vault", "mr", "bus", "2"):
        yield m.Roll(by=by, dice=(1, 2), special=special)
    for dice in ((2, 2, 2), (1, 2, 4), (1, 2, 0), (1, 2, 3, 1)):
        yield m.Roll(by=by, dice=dice)
    for plain in (m.Buy, m.PutUp, m.PassBid, m.PayDebt, m.PayJail):
        yield plain(by=by)
    for plain in (m.Accept, m.Reject, m.Withdraw):
        yield plain(by=by)
    yield m.DeclareBankrupt(by=by)
    yield m.Resign(by=by)
    yield m.Roll(by=by, dice=(1,), special="vault")
    yield m.Roll(by=by, dice=(7,), special="vault")
    for plain in (m.DeclineGuess, m.LockVault):
        yield plain(by=by)
    for number in (-1, 1, 6, 7):  # 0 is hidden, which only a script says.
        yield m.Guess(by=by, number=number, is_right=False)
    for amount in (-1, 50):
        yield m.ReadBox(by=by, key="deed.boardwalk.mortgage", value=amount)
        yield m.ReadBox(by=by, key="deed.boardwalk.rent", value=amount)
    for space in (0, 2, 17, 33, 99):
        yield m.ReadBox(by=by, key=f"space.{space}.kind", value="chance")
        yield m.ReadBox(by=by, key=f"space.{space}.kind", value="jail")
    for amount in (-1, 0, 1, 10, 100, 1_499, 1_500, 1_501, 10**7):
        yield m.Bid(by=by, amount=amount)
    for pick in (-1, 0, 5, 15, 16):
        yield m.Draw(by=by, pick=pick)
    for card in (*KNOWN_CARDS, *WRITTEN_CARDS, "nonsense"):
        yield m.Draw(by=by, card=card)
        yield m.UseCard(by=by, card=card)
    yield from (m.HandOver(by=by), m.Inspect(by=by))
    for verdict in ("real", "fake", "unsure", "odd"):
        for amount in (0, 50, 70):
            yield m.GiveVerdict(by=by, verdict=verdict, amount=amount)
    for word in CHOICES:
        yield m.Choose(by=by, word=word)
        yield m.UseTicket(by=by, space=word)
    for seat in SEATS:
        yield m.AskRent(by=by, seat=seat)
        yield m.Choose(by=by, word=seat)
        yield m.UseCard(by=by, card="jail-someone", target=seat)
    for deed in (*board.index, "nowhere"):
        yield m.Mortgage(by=by, deed=deed)
        yield m.LiftMortgage(by=by, deed=deed)
        yield m.Build(by=by, deed=deed)
        yield m.SellDeed(by=by, deed=deed)
        yield m.Choose(by=by, word=deed)
        yield m.UseTicket(by=by, space=deed)
        yield m.UseCard(by=by, card="free-hotel", target=deed)
        yield m.WantBuilding(by=by, deed=deed)
        yield m.Unlock(by=by, deed=deed)
        yield m.Unbuild(by=by, deed=deed)
        yield m.Unbuild(by=by, deed=deed, is_all=True)
    yield from plans(game, by)


CHOICES = (
    *("keep", "pay", "nothing", "ticket", "move", "cash", "nowhere"),
    *("go", "jail", "free-parking", "go-to-jail", "income-tax", "auction"),
)
"""Words that may be chosen somewhere, deeds and seats aside."""


def plans(game: Game, by: str) -> Iterator[m.Level]:
    """One step more, and one less, on all that a seat has of each group.

    While a group has to be built evenly, no such step is listed though it may be legal.
    """
    play, board = game.play, game.board
    assert play is not None
    assert board is not None
    if play.stage == "level":
        return
    for sites in dict.fromkeys(board.sites):
        mine = [at for at in sites if play.owners[at] == by]
        for more in (1, -1) if mine else ():
            steps = ((board.rules.deeds[at].id, play.levels[at] + more) for at in mine)
            yield m.Level(by=by, levels=tuple(steps))


def random_plan(dice: random.Random, game: Game, by: str) -> m.Level | None:
    """Now and then a plan for a group of which the seat has something."""
    play, board = game.play, game.board
    assert play is not None
    assert board is not None
    if board.rules.buildings.build_when != "all-but-one" or dice.random() > PLANNING:
        return None
    groups = [
        mine
        for sites in dict.fromkeys(board.sites)
        if board.rules.deeds[sites[0]].ladder
        and (mine := [at for at in sites if play.owners[at] == by])
    ]
    if not groups:
        return None
    mine = dice.choice(groups)
    most = len(board.rules.deeds[mine[0]].ladder)
    low = dice.randint(0, most)
    levels = ((board.rules.deeds[at].id, low + dice.randint(0, 1)) for at in mine)
    return m.Level(by=by, levels=tuple(levels))


def random_offer(dice: random.Random, game: Game, by: str) -> m.MakeOffer:
    """Draw an offer that may or may not be possible."""
    play, board = game.play, game.board
    assert play is not None
    assert board is not None
    taker = dice.choice([token.seat for token in play.tokens])
    deeds = list(zip(board.index, play.owners, strict=True))

    def side(seat: str, other: str) -> Bundle:
        is_owed = any((x.debtor, x.creditor) == (other, seat) for x in play.debts)
        mine = [deed for deed, owner in deeds if owner == seat or dice.random() < 0.02]
        return Bundle(
            cash=dice.choice((0, 0, 10, 200)),
            deeds=tuple(dice.sample(mine, min(len(mine), dice.randint(0, 2)))),
            jail_cards=dice.choice((0, 0, 0, 1)),
            hotels=dice.choice((0, 0, 0, 0, 1)) if board.rules.vault else 0,
            tickets=dice.choice((0, 0, 0, 0, 1)) if board.rules.tickets else 0,
            debt=is_owed and dice.random() < 0.5,
        )

    return m.MakeOffer(by=by, taker=taker, give=side(by, taker), want=side(taker, by))


def filled(dice: random.Random, game: Game, by: str, choice: m.Move | Range) -> m.Move:
    """Make a move from a choice, and draw a number from a range."""
    if not isinstance(choice, Range):
        return choice
    board = game.board
    assert board is not None
    if choice.kind is m.Roll:
        return random_roll(dice, game, by)
    if choice.kind is m.Guess:
        return random_guess(dice, game, by)
    if choice.kind is m.ReadBox:
        figures = (*board.unknown, *board.likely.values())
        if not figures:  # Only what the seat itself typed in.
            key = dice.choice(readable(game, by))
            return m.ReadBox(by=by, key=key, value=fitting(game, key))
        one = dice.choice(figures)
        amount = fitting(game, one.key) if one.likely is None else one.likely
        is_likely = one.likely is not None and one.key not in board.likely
        is_likely = is_likely and dice.random() < 0.5
        return m.ReadBox(by=by, key=one.key, value=amount, is_likely=is_likely)
    if choice.kind is m.MakeOffer:
        return random_offer(dice, game, by)
    high = min(choice.high, choice.low + 60) if choice.kind is m.Bid else choice.high
    number = dice.randrange(choice.low, high + 1, choice.step)
    wanted = next(x for x in fields_of(choice.kind) if x.type in NUMBERS)
    make: Callable[..., m.Move] = choice.kind
    return make(by=by, **{wanted.name: number})


def fitting(game: Game, key: str) -> int:
    """Return an amount that the card can say beside its other figures."""
    assert game.board is not None
    part, of, figure = split_key(key)
    amount = 50
    if part == "deed":
        known = known_figures(game.board.rules.deeds[game.board.index[of]])
        while clash := find_clash(known, figure, amount):
            amount = clash.amount + (1 if clash.is_too_small else -1)
    return amount


def random_roll(dice: random.Random, game: Game, by: str) -> m.Roll:
    """Draw as many dice as fall now, each face as likely as at the table."""
    assert game.board is not None
    lock, third = game.board.rules.dice.lock_face, third_faces(game)
    pips = (dice.randint(1, 6), dice.randint(1, 6))
    if lock and dice.random() < 1 / 6:
        return m.Roll(by=by, dice=pips[:1], special=lock)
    face = dice.choice(third) if third else ""
    if face.isdigit():
        return m.Roll(by=by, dice=(*pips, int(face)))
    return m.Roll(by=by, dice=pips, special=face)


NUMBERS = (int, Dollars, Drawn)
"""Types of the field of which a range gives the smallest and the largest."""


def random_guess(dice: random.Random, game: Game, by: str) -> m.Guess:
    """Draw a number that was not tried, as likely right as at the table."""
    contents, board = contents_of(game), game.board
    assert board is not None
    assert board.rules.vault is not None
    codes = board.rules.vault.codes
    left = [number for number in codes if number not in contents.tried]
    number = dice.choice(left or list(codes))
    is_right = dice.random() * max(len(left), 1) < 1
    is_lid_up = dice.random() < 0.8
    return m.Guess(by=by, number=number, is_right=is_right, is_lid_up=is_lid_up)


def contents_of(game: Game) -> VaultContents:
    """Return the vault of a game that has one."""
    assert game.play is not None
    assert game.play.vault_contents is not None
    return game.play.vault_contents


def random_metal(dice: random.Random, game: Game) -> m.Move | None:
    """Draw a report of the lock: of what it owes, or of a fault."""
    contents = game.play.vault_contents if game.play is not None else None
    if contents is None:
        return None
    if contents.lid == OPENING:
        return m.ReportLid(by=VAULT, lid=OPEN)
    if contents.lid != LOCKED and contents.found == 0 and dice.random() < 0.5:
        return m.LockVault(by=VAULT)
    if dice.random() < 0.02:
        wrong = [lid for lid in (OPEN, SHUT, FORCED, LOCKED) if lid != contents.lid]
        return m.ReportLid(by=VAULT, lid=dice.choice(wrong))
    return m.ReportPress(by=VAULT) if dice.random() < 0.01 else None


FORWARD = (
    *(m.Roll, m.Buy, m.AskRent, m.PayDebt, m.Draw, m.Build, m.DeclareBankrupt),
    *(m.Guess, m.Unlock, m.LockVault, m.HandOver, m.GiveVerdict, m.SellDeed),
    *(m.UseTicket, m.Level),
)
"""Moves that bring a game to its end, preferred so that games end."""


PLANNING = 0.05
"""How often a seat tries to lay out a whole group at once, where that can be done."""


def random_move(dice: random.Random, game: Game) -> m.Move:
    """Draw a legal move of some seat, or an offer that may be refused.

    Raises:
        AssertionError: If nobody can do anything, which is a dead end.
    """
    play = game.play
    assert play is not None
    metal = random_metal(dice, game)
    if metal is not None:
        return metal
    seats = list(play.playing())
    dice.shuffle(seats)
    for seat in seats:
        plan = random_plan(dice, game, seat)
        if plan is not None and accepted(game, plan):
            return plan
        choices = [x for x in legal_moves(game, seat) if not isinstance(x, m.Resign)]
        if play.stage != "debt" and dice.random() < 0.98:  # Who sells all never ends.
            choices = [x for x in choices if not isinstance(x, m.SellDeed)]
        if play.stage == "roll" and dice.random() < 0.8:  # Who pulls down, neither.
            choices = [x for x in choices if not isinstance(x, m.Mortgage | m.Unbuild)]
        if not choices:
            continue
        forward = [x for x in choices if kind_of(x) in FORWARD]
        hurry = forward and dice.random() < 0.8
        return filled(dice, game, seat, dice.choice(forward if hurry else choices))
    raise AssertionError(f"nobody can do anything in {play.stage}: {play}")


def kind_of(choice: m.Move | Range) -> type[m.Move]:
    """Which kind of move a choice is."""
    return choice.kind if isinstance(choice, Range) else type(choice)


def check_table(game: Game, *, is_even: bool = True) -> None:
    """Check what every position must keep: money, pieces, evenness, owners.

    Args:
        game: The game to look at.
        is_even: Whether no hotel was sold whole, which may leave a gap.
    """
    play, board = game.play, game.board
    assert play is not None
    assert board is not None
    balances = {account: game.ledger[account] for account in game.ledger}
    assert sum(balances.values()) == 0
    assert all(v >= 0 for account, v in balances.items() if account != BANK)
    check_pieces(board, play)
    check_cards(board, play)
    is_even = is_even and board.rules.buildings.evenly
    waiting = {board.sites[board.index[one.deed]] for one in play.uneven}
    for at in range(len(play.levels)):
        if board.sites[at] not in waiting:
            check_group(board, play, at, is_even=is_even)
    for token in play.tokens:
        if token.is_out:
            assert balances[Account(token.seat)] == 0
            assert token.seat not in play.owners
    check_on_the_table(game)


def check_group(board: Board, play: Position, at: int, *, is_even: bool) -> None:
    """Check that buildings stand evenly on groups of one seat, without mortgages.

    Where one may build with all but one, that one is somebody else's business.
    """
    rules, level, sites = board.rules.buildings, play.levels[at], board.sites[at]
    mine = [i for i in sites if play.owners[i] == play.owners[at]]
    if level and rules.source == "bank" and not rules.outside_group_by_card:
        is_early = rules.build_when == "all-but-one"
        is_top = board.rules.deeds[at].ladder[level - 1] == "skyscraper"
        assert len(sites) - len(mine) <= (is_early and not is_top)
        assert not any(play.mortgaged[i] for i in mine)
        assert play.owners[at]
    if is_even:
        levels = [play.levels[i] for i in mine]
        assert max(levels) - min(levels) <= 1, board.rules.deeds[at].group


def check_cards(board: Board, play: Position) -> None:
    """Check that every card is in one place, but for used tickets.

    Of a deck with fakes the real cards lie on the table; only their kinds are counted.
    """
    held = [card for token in play.tokens for card in token.cards]
    for deck, pile in zip(board.rules.decks, play.piles, strict=True):
        mine = [card for card in held if card in deck.cards]
        there = sorted((*mine, *pile.fresh, *pile.used))
        if deck.is_used_up:
            assert not mine
        elif deck.is_complete and deck.has_fakes:
            assert {*deck.cards} <= {*there}
        elif deck.is_complete:
            assert there == sorted(deck.cards), deck.id
    assert tickets_out(board, play) >= 0, "tickets were made"


def tickets_out(board: Board, play: Position) -> int:
    """Count the bus tickets that have left the game."""
    if board.rules.tickets is None:
        assert not any(token.tickets for token in play.tokens)
        return 0
    assert board.tickets is not None
    pile = play.piles[board.tickets]
    assert not pile.used
    assert pile.fresh.count("expire") <= board.rules.tickets.expire
    held = [token.tickets for token in play.tokens]
    assert min(held) >= 0
    return board.rules.tickets.total - len(pile.fresh) - sum(held)


def check_on_the_table(game: Game) -> None:
    """Check what lies on the table: no payment twice, and each can be paid."""
    play, board = game.play, game.board
    assert play is not None
    assert board is not None
    playing, decoder = play.playing(), board.rules.decoder
    assert decoder is not None or not (play.payments or play.card_use or play.faceup)
    for payment in play.payments:
        assert payment.payer in playing
        assert payment.payee in (*playing, BANK, VAULT)
        assert payment.amount > 0
    completed = [(one.purpose, one.of) for one in play.payments if one.purpose]
    assert len(completed) == len(set(completed)), "paid for twice"
    for payment in play.payments[:1]:
        assert game.ledger[Account(payment.payer)] >= payment.amount
    for token in play.tokens:
        assert 0 <= token.chips <= (decoder.chips if decoder is not None else 0)
    if play.card_use is not None:
        assert play.card_use.card in play.token_of(play.card_use.seat).cards
    if play.inspector:
        assert play.inspector in playing
        assert play.inspector != play.showing


def check_pieces(board: Board, play: Position) -> None:
    """Check that every building and key is on a site, in a hand, vault or bank."""
    contents = play.vault_contents
    for kind, (name, total) in enumerate(board.rules.pieces):
        count = play.pieces[kind] + sum(
            board.used[at][level][kind] for at, level in enumerate(play.levels)
        )
        if name == "hotel":
            count += sum(token.hotels for token in play.tokens)
            count += contents.hotels if contents else 0
        assert play.pieces[kind] >= 0
        assert count == total, f"{name}s were lost or made"
    if contents is not None and board.rules.vault is not None:
        keys = contents.bank_keys + contents.keys + contents.found
        assert 0 <= keys <= board.rules.vault.keys
        assert contents.fee == 0 or play.base in ("guess", "over")


def random_correction(dice: random.Random, game: Game) -> m.CorrectPosition:
    """Draw a correction, not always a possible one."""
    assert game.board is not None
    seat = dice.choice(SEATS[:3])
    deed = dice.choice(list(game.board.index))
    stages = ("roll", "card", "buy", "auction", "rent-roll", "debt", "over")
    stages = (*stages, "guess", "key", "refill", "payment", "choose", "level")
    cards = ("none", "jail-card", "chance-09", "chest-05", "collect:5")
    said = dice.choice(
        (
            f"{seat} on {dice.randrange(game.board.size)}",
            f"{seat} cash {dice.choice((0, 1, 50, 500))}",
            f"{seat} owns {deed}",
            f"{seat} jailed {dice.randint(0, 3)}",
            f"{seat} free",
            f"{seat} cards {dice.choice(cards)}",
            f"{seat} bankrupt",
            f"{seat} owes {dice.choice((0, 40, 4_000))} to {dice.choice(SEATS[:3])}",
            f"{seat} owes 30",
            f"{deed} owner {dice.choice((*SEATS[:3], 'none'))}",
            f"{deed} houses {dice.randint(0, 4)}",
            f"{deed} hotels {dice.randint(0, 1)}",
            f"{deed} mortgaged",
            f"{deed} unmortgaged",
            f"{deed} bare",
            f"bank houses {dice.choice((0, 1, 5, 32))}",
            f"turn {seat}",
            f"doubles {dice.randint(0, 3)}",
            f"stage {dice.choice(stages)}",
            f"{seat} hotels {dice.choice((0, 1, 3))}",
            f"{seat} chips {dice.randint(0, 3)}",
            f"{seat} cards {dice.choice(('skip-rent', 'free-hotel', 'ready-chips'))}",
            "faceup chance-01 jail-someone collect:50",
            f"vault {dice.choice(('locked', 'open', 'shut', 'keys 0', 'hotels 2'))}",
            f"vault cash {dice.choice((0, 40, 900))}",
            f"{seat} tickets {dice.choice((0, 1, 4, 17))}",
            f"bank tickets {dice.choice((0, 1, 16))}",
            f"{deed} {dice.choice(('skyscraper', 'depot'))}",
            f"bank {dice.choice(('skyscrapers', 'depots'))} {dice.choice((0, 1, 8))}",
            f"bank keys {dice.randint(0, 4)}",
            f"figure {deed} {dice.choice(('price', 'rent', 'house_cost'))} 77",
        )
    )
    return m.CorrectPosition(by=c.TABLE, words=tuple(said.split()))
