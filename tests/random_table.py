"""Random positions to play on from, and what must hold after every single event."""

from __future__ import annotations

import random
from collections.abc import Iterator

from companion.errors import Why
from companion.game import Game, new_game
from companion.game import commands as c
from companion.game import moves as m
from companion.game.board import Board
from companion.game.box_key import key_of
from companion.game.card_code import JAIL_CARD
from companion.game.deed_events import BuildingBought, BuildingSold, GroupLevelled
from companion.game.events import Event, GameEvent, GameOpened
from companion.game.move_run import MoveRun
from companion.game.play_events import PositionCorrected, PositionGiven
from companion.game.position import FREE, OPENING, Position
from companion.rules import refusal
from companion.rules.debt import unknown_worths
from companion.rules.deciding import moves_by_kind
from companion.units import BANK
from tests.guided import Guided, accepted, check_cards, check_pieces, tickets_out

COUNTED = ("house", "hotel")
"""Buildings that the words of a position count; of others there is one or none."""

CASH = (0, 1, 49, 60, 150, 400, 1_500, 3_000)


def put_anywhere(dice: random.Random, play: Guided) -> None:
    """Deal deeds, buildings, money, tokens and cards out at random, as can be."""
    board = play.game.board
    assert board is not None
    seats, is_short = play.at.playing(), dice.random() < 0.3
    for group in board.groups:
        if not _say(play, *_of_group(dice, board, group, seats, is_short)):
            # The box is empty.
            _say(play, *(f"{board.rules.deeds[at].id} bare" for at in group))
    _say(
        play,
        *(f"{seat} on {dice.randrange(board.size)}" for seat in seats),
        *(f"{seat} cash {dice.choice(CASH)}" for seat in seats),
        *(f"{s} jailed {dice.randint(0, 2)}" for s in seats if dice.random() < 0.2),
        f"turn {dice.choice(seats)}",
        f"doubles {dice.randint(0, 2)}",
    )
    if dice.random() < 0.2:
        _say(play, f"{dice.choice(seats)} cards {JAIL_CARD}")
    if board.rules.tickets is not None:
        _say(play, *(f"{seat} tickets {dice.randint(0, 2)}" for seat in seats))
        _say(play, *((f"bank tickets {dice.randint(0, 3)}",) if is_short else ()))
    if board.rules.decoder is not None:
        _say(
            play,
            *(f"{seat} chips {dice.randint(0, 2)}" for seat in seats),
            f"{dice.choice(seats)} cards chance-0{dice.randint(1, 4)}",
            *(("faceup chance-02 chance-04",) if dice.random() < 0.5 else ()),
        )
    if dice.random() < 0.2:
        _say(play, f"{dice.choice(seats)} owes {dice.choice((40, 400, 4_000))}")


def _say(play: Guided, *lines: str) -> bool:
    """Put the table so, up to the first line that cannot be."""
    for line in lines:
        move = m.CorrectPosition(by=c.TABLE, words=tuple(line.split()), is_given=True)
        if not accepted(play.game, move):
            return False
        play.give(move)
    return True


def _of_group(
    dice: random.Random,
    board: Board,
    group: tuple[int, ...],
    seats: tuple[str, ...],
    is_short: bool,
) -> Iterator[str]:
    """One group: in the bank, split, or with as much as one seat built on it.

    Where one may build with all but one of it, that one is often left out. Where
    buildings are to be short, nearly all are built up, but not to hotels.
    """
    whose, how = dice.choice(seats), max(dice.random(), 0.65 if is_short else 0)
    if how < 0.3:
        return
    is_early = board.rules.buildings.build_when == "all-but-one"
    spared = dice.choice(group) if is_early and dice.random() < 0.4 else -1
    for at in group:
        is_theirs = how > 0.6 and at != spared
        others = [x for x in (*seats, "none") if x != whose or at != spared]
        owner = whose if is_theirs else dice.choice(others)
        yield f"{board.rules.deeds[at].id} owner {owner}"
        if how < 0.75 and owner != "none" and dice.random() < 0.2:
            yield f"{board.rules.deeds[at].id} mortgaged"
    ladder = board.rules.deeds[group[0]].ladder
    if how < 0.75 or not ladder:
        return
    level = len(ladder) - 2 if is_short else dice.randrange(len(ladder))
    for at in group:
        here = max(0, level - dice.randint(0, 1) - (spared >= 0))
        kind = ladder[here]
        count = ladder[: here + 1].count(kind)
        words = f"{kind}s {count}" if kind in COUNTED else kind
        if at != spared:
            yield f"{board.rules.deeds[at].id} {words}"


def check_every_event(play: Guided) -> Game:
    """Fold the journal event by event; nothing may be lost or made in between.

    Returns:
        The game at the end, for comparing with the one that was played. A journal
        with an undo in it cannot be folded so.
    """
    opening, *entries = play.entries
    first, *rest = opening.events
    assert isinstance(first, GameOpened)
    game, gone = new_game(first), 0
    for events in (rest, *(entry.events for entry in entries)):
        for event in events:
            assert isinstance(event, Event), f"not an event of a game: {event}"
            game = _after(game, event)
        if game.play is not None and game.board is not None:
            out = tickets_out(game.board, game.play)
            is_said = any(isinstance(event, SAID) for event in events)
            assert out >= gone or is_said, "a ticket came back"
            gone = out
    return game


SAID = (PositionGiven, PositionCorrected)
"""What the table says may put tickets back into the deck."""


def _after(game: Game, event: Event) -> Game:
    """*game* after one more event, with everything in its place."""
    if game.play is not None and game.board is not None:
        _check_even(event, game.board, game.play)
    game = game.after(event)
    _check_books(game)
    if game.play is not None and game.board is not None:
        _check_whole(game.board, game.play)
        if isinstance(event, GroupLevelled):
            _check_levelled(event, game.board, game.play)
    return game


def _check_books(game: Game) -> None:
    balances = {account: game.ledger[account] for account in game.ledger}
    assert sum(balances.values()) == 0
    assert all(v >= 0 for account, v in balances.items() if account != BANK)


def check_box(game: Game) -> None:
    """Corrections may lay pieces aside; none may be made, nor a token torn apart.

    What stands on deeds and is kept in hands can be so by the rules.
    """
    board, play = game.board, game.play
    assert board is not None
    assert play is not None
    for kind, (name, total) in enumerate(board.rules.pieces):
        out = sum(board.used[at][level][kind] for at, level in enumerate(play.levels))
        if name == "hotel":
            out += sum(token.hotels for token in play.tokens)
            out += play.vault_contents.hotels if play.vault_contents else 0
        assert 0 <= play.pieces[kind] <= total - out, f"{name}s were made"
    if play.vault_contents is not None and board.rules.vault is not None:
        keys = (
            play.vault_contents.bank_keys
            + play.vault_contents.keys
            + play.vault_contents.found
        )
        assert keys <= board.rules.vault.keys, "keys were made"
    for token in play.tokens:
        assert token.tries == FREE or token.space == board.jail
        assert not (token.is_out and token.seat in play.owners)
        known = [board.cards[card] for card in token.cards if card in board.cards]
        assert all(map(board.stays_in_hand, known)), "a card is kept that never is"
    _check_deeds(board, play)
    claimed = {want.seat: want.deed for want in play.wants}
    assert all(play.owners[board.index[d]] == seat for seat, d in claimed.items())


def _check_deeds(board: Board, play: Position) -> None:
    """Only what is owned is built on or mortgaged, and never both at once."""
    for at, owner in enumerate(play.owners):
        built, name = play.levels[at] > 0, board.rules.deeds[at].id
        assert owner or not built, f"houses stand on {name}, which is nobody's"
        assert owner or not play.mortgaged[at], f"{name} is nobody's, and mortgaged"
        if board.rules.buildings.blocked_by_mortgage:
            assert not (built and play.mortgaged[at]), f"{name} is both"


def check_nobody_is_stuck(game: Game) -> None:
    """Whoever is waited for can do what is waited for; to resign is no way on."""
    play = game.play
    assert play is not None
    mover = play.mover.seat
    if play.stage == "auction":
        assert play.auction is not None
        assert any(can(game, seat, m.PassBid) for seat in play.auction.bidders)
    for debt in play.debts if play.stage == "debt" else ():
        is_free = can(game, debt.debtor, *RAISING)
        is_free = is_free or hangs_on_a_figure(game, debt.debtor)
        assert is_free, f"{debt.debtor} can neither pay nor go"
    if play.stage == "level":
        assert can(game, play.uneven[0].seat, *LEVELLING), "a group stays uneven"
    wanted = WAITED_FOR.get(play.stage)
    assert wanted is None or can(game, mover, wanted), play.stage
    if play.vault_contents is not None and play.vault_contents.lid == OPENING:
        assert not play.mover.is_out, "the lid rises for nobody"
    elif play.stage == "guess":
        assert can(game, mover, m.Guess, m.DeclineGuess)
    elif play.stage in ("payment", "card-use"):
        assert can(game, play.showing, m.HandOver)
    elif play.stage == "verdict":
        others = [seat for seat in play.playing() if seat != play.showing]
        assert all(can(game, seat, m.GiveVerdict) for seat in others)
    elif play.stage == "refill":
        assert all(can(game, seat, m.LockVault) for seat in play.playing())


def can(game: Game, seat: str, *kinds: type[m.Move]) -> bool:
    """Whether the seat has a legal move of one of these kinds."""
    return any(True for _ in moves_by_kind(game, seat, kinds))


def hangs_on_a_figure(game: Game, seat: str) -> bool:
    """Whether only what nobody knows keeps a debtor from giving up, and can be read."""
    refused = refusal(game, m.DeclareBankrupt(by=seat))
    if refused is None or refused.why is not Why.UNKNOWN_FIGURE:
        return False
    run = MoveRun(game)
    keys = [
        key_of("deed", run.board.rules.deeds[at].id, figure)
        for at, figure in unknown_worths(run, seat)
    ]
    return can(game, seat, m.ReadBox) and all(
        accepted(game, m.ReadBox(by=seat, key=key, value=50)) for key in keys
    )


RAISING = (m.PayDebt, m.DeclareBankrupt, m.Unbuild, m.Mortgage, m.SellDeed)
LEVELLING = (m.Level, m.LiftMortgage, m.Unbuild)
WAITED_FOR: dict[str, type[m.Move]] = {
    "roll": m.Roll,
    "card": m.Draw,
    "choose": m.Choose,
    "buy": m.PutUp,
    "rent-roll": m.Roll,
    "key": m.Unlock,
}


def _check_whole(board: Board, play: Position) -> None:
    """Check that every building, card and token is in one place."""
    check_pieces(board, play)
    check_cards(board, play)
    for token in play.tokens:
        assert token.tries == FREE or token.space == board.jail


def _check_levelled(event: GroupLevelled, board: Board, play: Position) -> None:
    """Check that a group stands as planned, and evenly."""
    levels = {board.index[deed]: level for deed, level in event.levels}
    assert all(play.levels[at] == level for at, level in levels.items())
    assert max(levels.values()) - min(levels.values()) <= 1
    assert {play.owners[at] for at in levels} == {event.seat}


def _check_even(event: GameEvent, board: Board, play: Position) -> None:
    """Up where least stands, down where most does; a hotel may go whole."""
    if (
        not isinstance(event, BuildingBought | BuildingSold)
        or not board.rules.buildings.evenly
    ):
        return  # Elsewhere a group may be built on as one likes.
    at = board.index[event.deed]
    level, sites = play.levels[at], board.sites[at]
    mine = [i for i in sites if play.owners[i] == event.seat]
    levels = [play.levels[i] for i in mine]
    if isinstance(event, BuildingBought):
        assert (level, event.level) == (min(levels), min(levels) + 1)
        is_early = board.rules.buildings.build_when == "all-but-one"
        assert len(sites) - len(mine) <= is_early
        assert not any(play.mortgaged[i] for i in mine)
    elif not event.is_all and event.level == level - 1:
        assert level == max(levels)
