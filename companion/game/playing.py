"""How each event of guided play changes a position.

A *position* is everything about a guided game but its money: who owns which deed, where
the tokens stand, what the table waits for. Each function here is named after its event
(``event.py``). Those for deeds, the vault, the decoder and bus tickets are in modules
of their own; ``PLAY_AFTER`` has them all.
"""

from __future__ import annotations

from msgspec.structs import replace

from companion.game.board import Board
from companion.game.event import Apply, Event, put, row, unchanged
from companion.game.play_events import (
    CardAwaited,
    CardDrawn,
    CardNamed,
    CardPassed,
    CardReturned,
    DebtForgiven,
    DebtOwed,
    DebtPaid,
    DiceHandedBack,
    DicePassed,
    DiceRolled,
    JailLeft,
    JailTried,
    PlayEnded,
    PositionCorrected,
    PositionGiven,
    RentAsked,
    RentFellDue,
    RentRollAwaited,
    RentRolled,
    SeatBankrupted,
    SentToJail,
    TimeCalled,
    TokenMoved,
    WalkAwaited,
)
from companion.game.playing_decoder import (
    DECODER_AFTER,
    chips_of,
    without_seat_on_table,
)
from companion.game.playing_deeds import DEED_AFTER
from companion.game.playing_tickets import TICKETS_AFTER, with_next_move
from companion.game.playing_vault_contents import (
    VAULT_AFTER,
    first_contents,
    without_guesser,
)
from companion.game.position import (
    FREE,
    Claim,
    Debt,
    Pile,
    Position,
    Rested,
    Token,
    without_one,
)
from companion.game.rulebook import HOTEL
from companion.game.stage import Stage
from companion.units import Seat


def first_position(board: Board, seats: tuple[Seat, ...]) -> Position:
    """Return the first position: all tokens on GO, everything else in the bank."""
    count, vault = len(board.rules.deeds), board.rules.vault
    hotels_in_vault = vault.first_hotels if vault else 0
    return Position(
        tokens=tuple(Token(seat, chips=chips_of(board)) for seat in seats),
        owners=("",) * count,
        levels=(0,) * count,
        mortgaged=(False,) * count,
        pieces=tuple(
            left - hotels_in_vault if kind == HOTEL else left
            for kind, left in board.rules.pieces
        ),
        piles=tuple(
            Pile(deck.cards if deck.is_complete else ()) for deck in board.rules.decks
        ),
        vault_contents=first_contents(vault) if vault else None,
    )


def _dice_rolled(play: Position, board: Board, event: DiceRolled) -> Position:
    """Record the roll: its double, its bonus, and whether the mover rolls again."""
    rules, dice = board.rules, event.dice
    is_double = board.is_double(dice, event.special)
    is_free = not play.mover.is_jailed
    doubles = play.doubles + 1 if is_double and is_free else 0
    has_bonus = is_free and event.special in rules.dice.third_faces
    return replace(
        with_next_move(play, board),
        dice=dice,
        special=event.special,
        bonus=event.special if has_bonus else "",
        doubles=doubles,
        rolls_again=(
            (rules.dice.doubles_roll_again and doubles > 0)
            or (is_double and not is_free and rules.jail.doubles_roll_again)
        ),
    )


def _rent_rolled(play: Position, _: Board, event: RentRolled) -> Position:
    """Stop waiting for the roll."""
    return replace(play, base=Stage.ROLL, awaited="")


def _token_moved(play: Position, board: Board, event: TokenMoved) -> Position:
    """Move the token; remember a landing on a space that nobody has read."""
    tokens = play.tokens_with(event.seat, space=event.space)
    play = replace(play, tokens=tokens, walk=0)
    if not board.is_unread(event.space):
        return play
    return replace(play, rested=Rested(event.seat, event.space, play.turn_number))


def _sent_to_jail(play: Position, _: Board, event: SentToJail) -> Position:
    """Put a seat in jail; only the mover's turn ends with that."""
    tokens = play.tokens_with(event.seat, space=event.space, tries=0)
    play = replace(play, tokens=tokens)
    return _with_turn_done(play) if event.seat == play.mover.seat else play


def _with_turn_done(play: Position) -> Position:
    """Return *play* with the mover's turn at its end."""
    return replace(
        play,
        base=Stage.ROLL,
        awaited="",
        has_moved=True,
        rolls_again=False,
        walk=0,
        bonus="",
    )


def _jail_tried(play: Position, _: Board, event: JailTried) -> Position:
    token = play.token_of(event.seat)
    return play.with_token(event.seat, tries=token.tries + 1)


def _jail_left(play: Position, _: Board, event: JailLeft) -> Position:
    """Free a seat from jail; settle whether it rolls again."""
    play = play.with_token(event.seat, tries=FREE)
    if event.ends_turn:
        return replace(play, has_moved=True, rolls_again=False)
    return replace(play, rolls_again=True) if event.rolls_again else play


def _card_awaited(play: Position, _: Board, event: CardAwaited) -> Position:
    return replace(play, base=Stage.CARD, awaited=event.deck)


def _rent_roll_awaited(play: Position, _: Board, event: RentRollAwaited) -> Position:
    return replace(
        play,
        base=Stage.RENT_ROLL,
        awaited=event.deed,
        times=event.times,
        is_card_dice=event.is_card_dice,
    )


def _rent_fell_due(play: Position, _: Board, event: RentFellDue) -> Position:
    claim = Claim(
        event.seat,
        event.owner,
        event.deed,
        event.amount,
        play.turn_number,
        event.how,
    )
    return replace(play, claims=(*play.claims, claim))


def _rent_asked(play: Position, _: Board, event: RentAsked) -> Position:
    """Move the owner's latest claim to that rent to those asked for."""
    claims, asked = list(play.claims), play.asked
    asked_for = (event.owner, event.seat, event.deed)
    for claim in reversed(play.claims):
        if (claim.owner, claim.mover, claim.deed) == asked_for:
            claims.remove(claim)
            asked = (*asked, claim)
            break
    return replace(play, claims=tuple(claims), asked=asked)


def _debt_owed(play: Position, _: Board, event: DebtOwed) -> Position:
    """Add a debt; play waits until it is paid."""
    debt = Debt(event.debtor, event.creditor, event.amount, event.reason, event.how)
    return replace(play, debts=(*play.debts, debt))


def _debt_paid(play: Position, _: Board, event: DebtPaid) -> Position:
    debts = list(play.debts)
    debts.remove(next(debt for debt in debts if debt.debtor == event.debtor))
    return replace(play, debts=tuple(debts))


def _debt_forgiven(play: Position, _: Board, event: DebtForgiven) -> Position:
    kept = tuple(
        debt
        for debt in play.debts
        if (debt.debtor, str(debt.creditor)) != (event.debtor, str(event.creditor))
    )
    return replace(play, debts=kept)


def _card_came_up(
    play: Position, board: Board, event: CardDrawn | CardNamed
) -> Position:
    """Take a card from its deck: into the hand, underneath, or out of the game."""
    card = board.card(event.card)
    assert card is not None, f"no card {event.card}"
    index = board.deck_index.get(event.deck)
    is_kept = card.is_kept or board.is_open(event.deck)
    play = replace(play, base=Stage.ROLL, awaited="")
    if index is not None:
        play = _without_card_in_deck(play, board, index, event.card)
        comes_back = not is_kept and not board.rules.decks[index].is_used_up
        if comes_back and board.deck_of(event.card) is not None:
            play = _with_card_underneath(play, index, event.card)
    return _with_kept_card(play, event.seat, event.card) if is_kept else play


def _without_card_in_deck(
    play: Position, board: Board, index: int, card: str
) -> Position:
    """Return *play* without that card in the deck of that index, or open beside it."""
    pile = play.piles[index].without(card)
    if index == board.tickets and pile == play.piles[index]:
        # A correction guesses which tickets are left; another one goes instead.
        pile = Pile(pile.fresh[:-1])
    play = replace(play, piles=put(play.piles, index, pile))
    if board.rules.decks[index].face_up:
        return replace(play, faceup=without_one(play.faceup, card))
    return play


def _with_card_underneath(play: Position, index: int, card: str) -> Position:
    """Return *play* with that card at the bottom of the deck of that index."""
    pile = play.piles[index]
    pile = Pile(pile.fresh, (*pile.used, card))
    return replace(play, piles=put(play.piles, index, pile))


def _with_kept_card(play: Position, seat: str, card: str) -> Position:
    kept = play.token_of(seat).cards
    return play.with_token(seat, cards=(*kept, card))


def _without_kept_card(play: Position, seat: str, card: str) -> Position:
    kept = list(play.token_of(seat).cards)
    kept.remove(card)
    return play.with_token(seat, cards=tuple(kept))


def _card_passed(play: Position, _: Board, event: CardPassed) -> Position:
    play = _without_kept_card(play, event.giver, event.card)
    return _with_kept_card(play, event.taker, event.card)


def _card_returned(play: Position, board: Board, event: CardReturned) -> Position:
    play = _without_kept_card(play, event.seat, event.card)
    index = board.deck_of(event.card)
    return play if index is None else _with_card_underneath(play, index, event.card)


def _walk_awaited(play: Position, _: Board, event: WalkAwaited) -> Position:
    return replace(play, walk=event.spaces)


def _dice_passed(play: Position, _: Board, event: DicePassed) -> Position:
    """Give the dice to the mover once more, or to a seat for a new turn."""
    turn = play.place_of(event.seat)
    if turn == play.turn and play.rolls_again:
        return replace(play, has_moved=False, rolls_again=False)
    return replace(
        play,
        turn=turn,
        turn_number=play.turn_number + 1,
        has_moved=False,
        rolls_again=False,
        doubles=0,
    )


def _dice_handed_back(play: Position, _: Board, event: DiceHandedBack) -> Position:
    """Give the dice back to the seat whose unknown space was read.

    It rolls once more only if its turn had not ended, as after doubles.
    """
    assert play.rested is not None, "dice come back to a seat that rested"
    turn = play.place_of(event.seat)
    return replace(
        play,
        turn=turn,
        turn_number=play.rested.turn,
        has_moved=True,
        rolls_again=play.turn_number == play.rested.turn,
    )


def _seat_bankrupted(play: Position, _: Board, event: SeatBankrupted) -> Position:
    """Take a seat out with its claims and debts; other events move its deeds."""
    seat = event.seat
    is_mover = play.mover.seat == seat
    play = without_seat_on_table(play.with_token(seat, is_out=True, tries=FREE), seat)
    play = replace(
        play,
        claims=tuple(
            claim for claim in play.claims if seat not in (claim.owner, claim.mover)
        ),
        debts=tuple(
            debt for debt in play.debts if seat not in (debt.debtor, debt.creditor)
        ),
        offers=tuple(
            offer for offer in play.offers if seat not in (offer.giver, offer.taker)
        ),
        wants=tuple(want for want in play.wants if want.seat != seat),
        uneven=tuple(group for group in play.uneven if group.seat != seat),
    )
    return _with_turn_done(without_guesser(play)) if is_mover else play


def with_newcomers(play: Position, board: Board, seats: tuple[Seat, ...]) -> Position:
    """Return *play* with newcomers, who start on GO and play last."""
    new = (Token(seat, chips=chips_of(board)) for seat in seats)
    return replace(play, tokens=(*play.tokens, *new))


def _play_ended(play: Position, _: Board, event: PlayEnded) -> Position:
    return replace(
        play,
        base=Stage.OVER,
        winners=event.winners,
        scores=event.scores,
        ended=event.how,
        auction=None,
    )


def _position_set(
    play: Position, _: Board, event: PositionGiven | PositionCorrected
) -> Position:
    """Take the position that the event holds, but for the numbers tried at the vault.

    No correction changes those, and a copy of the game lacks them there.
    """
    contents, corrected = play.vault_contents, event.position.vault_contents
    if contents is None or corrected is None:
        return event.position
    corrected = replace(corrected, tried=contents.tried)
    return replace(event.position, vault_contents=corrected)


PLAY_AFTER: dict[type[Event], Apply] = (
    DEED_AFTER
    | VAULT_AFTER
    | DECODER_AFTER
    | TICKETS_AFTER
    | dict(
        (
            row(DiceRolled, _dice_rolled),
            row(RentRolled, _rent_rolled),
            row(TokenMoved, _token_moved),
            row(SentToJail, _sent_to_jail),
            row(JailTried, _jail_tried),
            row(JailLeft, _jail_left),
            row(WalkAwaited, _walk_awaited),
            row(CardAwaited, _card_awaited),
            row(RentRollAwaited, _rent_roll_awaited),
            row(RentFellDue, _rent_fell_due),
            row(RentAsked, _rent_asked),
            row(DebtOwed, _debt_owed),
            row(DebtPaid, _debt_paid),
            row(DebtForgiven, _debt_forgiven),
            row(CardDrawn, _card_came_up),
            row(CardNamed, _card_came_up),
            row(CardPassed, _card_passed),
            row(CardReturned, _card_returned),
            row(DicePassed, _dice_passed),
            row(DiceHandedBack, _dice_handed_back),
            row(SeatBankrupted, _seat_bankrupted),
            row(TimeCalled, unchanged),
            row(PlayEnded, _play_ended),
            row(PositionGiven, _position_set),
            row(PositionCorrected, _position_set),
        )
    )
)
"""Kind of event -> the function that applies it; ``game.py`` applies all others."""
