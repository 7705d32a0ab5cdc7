"""Corrections of the position, in the words of ``given`` and ``table set``.

This module carries out the corrections of a seat; ``correcting_table`` has those of
deeds, the vault and the table as a whole. The people at the table agree on a
correction, so it is allowed in any turn and at any stage, as long as the corrected
position is possible.

Source:
    The project's own house rules: every act of the machine can be corrected by
    the people. The words are those of the game scripts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from msgspec.structs import replace

from companion.errors import Malformed, Refused, Why, quoted
from companion.game import play_events as p
from companion.game.board import Board
from companion.game.card_code import JAIL_CARD, space_number
from companion.game.event import put
from companion.game.ledger import Reason
from companion.game.move_run import MoveRun
from companion.game.moves import CorrectPosition
from companion.game.owning import still_uneven
from companion.game.playing import PLAY_AFTER
from companion.game.playing_decoder import without_table
from companion.game.playing_tickets import with_tickets, with_tickets_left
from companion.game.playing_vault_contents import with_contents, with_hotels_in_bank
from companion.game.position import FREE, Debt, Position
from companion.game.stage import Stage
from companion.rules.ahead import next_unowned
from companion.rules.auction import remove_bidder
from companion.rules.box_reading import read
from companion.rules.consistent import check_correction
from companion.rules.correcting_table import TABLE_WORDS, correct_deed, correct_vault
from companion.rules.ending import end, end_if_over
from companion.rules.rule import Range, Who, not_led, rule
from companion.rules.vault import return_idle_keys
from companion.rules.walking import LOT, settle
from companion.sheets import Told
from companion.units import BANK, VAULT, Account, Dollars, Seat
from companion.words import say
from companion.words.reading import amount_and_creditor, number, one_word
from companion.words.report import unexpected

CORRECTED_RULE = Told("The table agreed on it, and the bank makes up the difference.")


class Change(NamedTuple):
    """The table after a correction.

    Attributes:
        play: The new position.
        account: The account whose money changes, or empty.
        cash: The new balance of that account.
    """

    play: Position
    account: str = ""
    cash: Dollars = 0


def change(run: MoveRun, words: tuple[str, ...]) -> Change:
    """Return the table after the correction that *words* describe.

    Raises:
        Malformed: If the words mean nothing here.
    """
    if len(words) < 2:
        raise Malformed(say("say who or what, and what is so"))
    subject, topic, values = words[0], words[1], words[2:]
    play, board = run.play, run.board
    token = play.token(subject)
    if token is not None:
        handler = SEAT_WORDS.get(topic)
        if token.is_out and topic not in FOR_ANY_SEAT:
            raise Malformed(
                say("{seat} is out of the game", seat=subject), say("undo that first")
            )
        if handler is None:
            raise unexpected(
                say("one of {known}", known=", ".join(SEAT_WORDS)), quoted(topic)
            )
        return handler(run, Seat(subject), values)
    if subject in board.index:
        return Change(correct_deed(play, board, subject, topic, values))
    if subject == VAULT or (subject == BANK and topic == "keys"):
        return _vault(play, board, subject, topic, values)
    if subject == BANK and topic == "tickets":
        return Change(with_tickets_left(play, board, _ticket_number(board, values)))
    if subject == BANK and topic.removesuffix("s") in board.kinds:
        kind = board.kinds.index(topic.removesuffix("s"))
        pieces = put(play.pieces, kind, number(one_word(values), 400))
        return Change(replace(play, pieces=pieces))
    if subject in TABLE_WORDS:
        return Change(TABLE_WORDS[subject](play, board, words[1:]))
    raise unexpected(say("a seat, a deed or the bank"), quoted(subject))


def _vault(
    play: Position, board: Board, subject: str, topic: str, values: tuple[str, ...]
) -> Change:
    """Correct what lies in the vault, the state of its lid, or the keys in the bank."""
    if play.vault_contents is None:
        raise Malformed(say("this game has no vault"))
    if subject == VAULT and topic == "cash":
        return Change(play, VAULT, number(one_word(values)))
    contents = correct_vault(play.vault_contents, subject, topic, values)
    added = contents.hotels - play.vault_contents.hotels
    play = with_hotels_in_bank(play, board, -added)
    return Change(with_contents(play, contents))


# Seats.


def _on(run: MoveRun, seat: Seat, rest: tuple[str, ...]) -> Change:
    space = space_number(run.board.rules, one_word(rest))
    if space is None:
        raise unexpected(say("a space of this board"), quoted(rest[0]))
    return Change(_with_seat_on(run.play, seat, space, FREE))


def _with_seat_on(play: Position, seat: Seat, space: int, tries: int) -> Position:
    """Put a seat on a space and end its walk; in jail it does not roll again."""
    play = play.with_token(seat, space=space, tries=tries)
    if play.mover.seat != seat:
        return play
    play = replace(play, walk=0)
    if tries == FREE:
        return play
    play = replace(play, bonus="")
    if play.base in LANDING_STAGES:
        play = replace(play, base=Stage.ROLL, awaited="")
    return replace(play, rolls_again=False)


LANDING_STAGES = (Stage.BUY, Stage.CARD, Stage.CHOOSE, Stage.RENT_ROLL)
"""Stages that belong to a landing; they end when the mover is put into jail."""


def _cash(run: MoveRun, seat: Seat, rest: tuple[str, ...]) -> Change:
    return Change(run.play, seat, number(one_word(rest)))


def _owns(run: MoveRun, seat: Seat, rest: tuple[str, ...]) -> Change:
    play = run.play
    for deed in rest:
        play = correct_deed(play, run.board, deed, "owner", (seat,))
    return Change(play)


def _jailed(run: MoveRun, seat: Seat, rest: tuple[str, ...]) -> Change:
    most = run.board.rules.jail.attempts
    tries = number(one_word(rest), most) if rest else 0
    return Change(_with_seat_on(run.play, seat, run.board.jail, tries))


def _free(run: MoveRun, seat: Seat, _: tuple[str, ...]) -> Change:
    return Change(run.play.with_token(seat, tries=FREE))


def _cards(run: MoveRun, seat: Seat, rest: tuple[str, ...]) -> Change:
    """Give a seat exactly these cards; the ones it held go back under their decks."""
    play, board = run.play, run.board
    for card in play.token_of(seat).cards:
        event = p.CardReturned(seat=seat, card=card)
        play = PLAY_AFTER[p.CardReturned](play, board, event)
    for word in () if rest == ("none",) else rest:
        play = _with_card(play, board, seat, word)
    return Change(play)


def _with_card(play: Position, board: Board, seat: Seat, word: str) -> Position:
    """Move a card from its pile into a seat's hand."""
    card = _in_some_pile(play, board, word)
    at = board.deck_of(card)
    if at is not None:
        pile = play.piles[at].without(card)
        play = replace(play, piles=put(play.piles, at, pile))
    return play.with_token(seat, cards=(*play.token_of(seat).cards, card))


def _in_some_pile(play: Position, board: Board, word: str) -> str:
    """Return the id of the card that *word* names, which must lie in a pile.

    The word ``jail-card`` stands for the first such card that nobody holds.
    """
    in_piles = [card for pile in play.piles for card in (*pile.fresh, *pile.used)]
    if word == JAIL_CARD:
        known = [card for card in in_piles if card in board.cards]
        jail_cards = (card for card in known if board.cards[card].effect == JAIL_CARD)
        word = next(jail_cards, word)
    is_whole = all(deck.is_complete for deck in board.rules.decks)
    is_listed = board.deck_of(word) is not None
    is_held = word not in in_piles if is_listed else is_whole
    if board.card(word) is None or is_held:
        raise unexpected(say("a card that nobody holds"), quoted(word))
    return word


def _bankrupt(run: MoveRun, seat: Seat, _: tuple[str, ...]) -> Change:
    """Take all that a seat owns back to the bank, and the seat out of the game."""
    play, board = run.play, run.board
    play = _cards(run, seat, ("none",)).play
    play = play.with_token(seat, tickets=0)
    for at, owner in enumerate(play.owners):
        if owner == seat:
            play = correct_deed(
                play, board, board.rules.deeds[at].id, "owner", ("none",)
            )
    event = p.SeatBankrupted(seat=seat, creditor=BANK)
    return Change(PLAY_AFTER[p.SeatBankrupted](play, board, event), seat, 0)


def _owes(run: MoveRun, seat: Seat, rest: tuple[str, ...]) -> Change:
    """Add a debt: ``owes 200``, ``owes 200 to blue``; 0 clears all the seat's debts."""
    play = run.play
    owed, creditor = amount_and_creditor(rest)
    creditor = creditor or BANK
    token = play.token(creditor)
    is_seat = token is not None and not token.is_out
    if creditor == seat or not (is_seat or creditor in (BANK, VAULT)):
        raise unexpected(say("another seat, the bank or the vault"), quoted(creditor))
    amount = number(owed)
    if not amount:
        debts = tuple(debt for debt in play.debts if debt.debtor != seat)
        return Change(replace(play, debts=debts))
    debt = Debt(seat, Account(creditor), amount, Reason.OTHER)
    return Change(replace(play, debts=(*play.debts, debt)))


def _hotels(run: MoveRun, seat: Seat, rest: tuple[str, ...]) -> Change:
    """Set how many loose hotels a seat has in hand; the bank gives or takes them."""
    play, board = run.play, run.board
    if board.rules.buildings.source != "hand":
        raise Malformed(say("nobody holds hotels in the hand in this game"))
    token = play.token_of(seat)
    count = number(one_word(rest), 400)
    play = with_hotels_in_bank(play, board, token.hotels - count)
    return Change(play.with_token(seat, hotels=count))


def _chips(run: MoveRun, seat: Seat, rest: tuple[str, ...]) -> Change:
    """Set how many of a seat's decoder chips are ready."""
    decoder = run.board.rules.decoder
    if decoder is None:
        raise Malformed(say("nobody has decoder chips in this game"))
    count = number(one_word(rest), decoder.chips)
    return Change(run.play.with_token(seat, chips=count))


def _tickets(run: MoveRun, seat: Seat, rest: tuple[str, ...]) -> Change:
    """Set how many bus tickets a seat holds; they come from the deck or go back."""
    count = _ticket_number(run.board, rest)
    return Change(with_tickets(run.play, run.board, seat, count))


def _ticket_number(board: Board, rest: tuple[str, ...]) -> int:
    """Read a number of bus tickets, at most as many as the game has."""
    tickets = board.rules.tickets
    if tickets is None:
        raise Malformed(say("there are no bus tickets in this game"))
    return number(one_word(rest), tickets.total)


SEAT_WORDS: dict[str, Callable[[MoveRun, Seat, tuple[str, ...]], Change]] = {
    "on": _on,
    "cash": _cash,
    "owns": _owns,
    "jailed": _jailed,
    "free": _free,
    "cards": _cards,
    "bankrupt": _bankrupt,
    "owes": _owes,
    "hotels": _hotels,
    "chips": _chips,
    "tickets": _tickets,
}
"""The function that carries out each word about a seat."""

FOR_ANY_SEAT = ("on", "cash", "bankrupt")
"""Words that may also be said about a seat that is out of the game."""

LEAVES_TABLE = frozenset(("cash", "chips", "faceup"))
"""Words that leave on the table the money and the cards that lie there for a purchase.

After any other correction they are back in hand.
"""


def check_correct(run: MoveRun, move: CorrectPosition) -> Refused | None:
    """Refuse words that are impossible; only a script may choose a deck's top."""
    if not run.game.is_guided:
        return not_led()
    if move.words[:1] == ("top",) and not move.is_given:
        return _refusal(say("nobody agrees on the next card"))
    error = why_not(run, move.words)
    return _refusal(error.plain, error.remedy) if error else None


def _refusal(words: str, remedy: str = "") -> Refused:
    """Build the refusal of a correction; by default it advises other words."""
    remedy = remedy or say("say it in other words")
    return CORRECTED_RULE.refuses(Why.MALFORMED, words, remedy)


def choices(run: MoveRun, _by: str) -> Iterator[Range]:
    """Offer a correction of anything while the companion leads."""
    if run.game.is_guided:
        yield Range(CorrectPosition, 0, 0)


def why_not(run: MoveRun, words: tuple[str, ...]) -> Malformed | None:
    """Return the error in the words, or ``None`` if the correction is possible."""
    try:
        if read(run.board, words) is None:
            check_correction(run.board, run.play, change(run, words).play)
    except Malformed as error:
        return error
    return None


def without_landing(play: Position) -> Position:
    """Return *play*, but with the last landing over.

    A number that is read later for an unknown space then counts from the next landing.
    """
    rested = play.rested
    return replace(play, rested=replace(rested, is_last=False)) if rested else play


def _without_idle_lot(play: Position, board: Board) -> Position:
    """Stop waiting for a deed to be put up for auction if none is left."""
    is_lot = play.base is Stage.CHOOSE and play.awaited == LOT
    if is_lot and next_unowned(board, play, play.mover.space) is None:
        return replace(play, base=Stage.ROLL, awaited="")
    return play


def correct(run: MoveRun, move: CorrectPosition) -> None:
    """Make the correction; the bank pays or takes the difference in money."""
    kind = p.PositionGiven if move.is_given else p.PositionCorrected
    reading = read(run.board, move.words)
    if reading is not None:
        run.add(kind(words=move.words, position=run.play))
        run.add(reading)
        return
    play, account, cash = change(run, move.words)
    if not LEAVES_TABLE.intersection(move.words[:2]):
        play = without_table(play)
    play = _without_idle_lot(still_uneven(play, run.board), run.board)
    run.add(kind(words=move.words, position=without_landing(play)))
    if account:
        gain = cash - run.balance(account)
        payer, payee = (BANK, account) if gain > 0 else (account, BANK)
        run.pay(payer, payee, abs(gain), Reason.CORRECTION)
    if run.play.base is Stage.OVER:
        end(run)  # Count the scores again after the correction.
        return
    for token in run.play.tokens:
        if token.is_out:
            remove_bidder(run, token.seat)
    return_idle_keys(run)
    if not end_if_over(run):
        settle(run)


ROWS = (rule(CorrectPosition, Who.BANKER, check_correct, correct, choices),)
