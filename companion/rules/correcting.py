"""Corrections of the position, in the words of ``given`` and ``table set``.

A correction is a line of words such as ``red on boardwalk``: a *subject* (a seat, a
deed, the vault, the bank or a word about the table), a *topic*, and *values*. The
people at the table agree on it, so it is allowed at any time, as long as the corrected
position is possible (``consistent.py``).

Corrections of a seat are here; those of deeds, the vault and the table as a whole are
in ``correcting_table``. The words may also say what the real box prints
(``box_reading.py``).

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
from companion.game.commands import TABLE
from companion.game.event import put
from companion.game.ledger import Reason
from companion.game.move_run import MoveRun
from companion.game.moves import CorrectPosition
from companion.game.owning import comes_from_hand, without_even_groups
from companion.game.playing import PLAY_AFTER
from companion.game.playing_decoder import without_table
from companion.game.playing_tickets import with_tickets, with_tickets_left
from companion.game.playing_vault_contents import with_contents, with_hotels_in_bank
from companion.game.position import FREE, Debt, Position, Token
from companion.game.stage import Stage
from companion.rules.auction import remove_bidders
from companion.rules.box_reading import read
from companion.rules.consistent import check_correction
from companion.rules.correcting_table import (
    COUNT_MAX,
    TABLE_WORDS,
    correct_deed,
    correct_vault,
)
from companion.rules.ending import count_again, end_if_over
from companion.rules.rule import Range, Who, not_led, rule
from companion.rules.vault import return_idle_keys
from companion.rules.walking import LOT, next_unowned, settle
from companion.sheets import Told
from companion.units import BANK, VAULT, Account, Dollars, Seat
from companion.words import say
from companion.words.reading import amount_and_creditor, number, one_word
from companion.words.report import unexpected

CORRECTED_RULE = Told("The table agreed on it, and the bank makes up the difference.")


class Change(NamedTuple):
    """What a correction leads to.

    Attributes:
        play: The corrected position.
        account: The account whose balance is corrected; empty if none is.
        cash: The new balance of that account, in dollars.
    """

    play: Position
    account: str = ""
    cash: Dollars = 0


def change(run: MoveRun, words: tuple[str, ...]) -> Change:
    """Return the change that *words* describe.

    Raises:
        Malformed: If the words mean nothing here.
    """
    if len(words) < 2:
        raise Malformed(say("say who or what, and what is so"))
    subject, topic, values = words[0], words[1], words[2:]
    play, board = run.play, run.board
    token = play.token(subject)
    if token is not None:
        return _change_seat(run, token, topic, values)
    if subject in board.index:
        return Change(correct_deed(play, board, subject, topic, values))
    if subject == VAULT or (subject == BANK and topic == "keys"):
        return _change_vault(play, board, subject, topic, values)
    if subject == BANK and topic == "tickets":
        return Change(with_tickets_left(play, board, _ticket_number(board, values)))
    if subject == BANK and topic.removesuffix("s") in board.kinds:
        kind_index = board.kinds.index(topic.removesuffix("s"))
        pieces = put(play.pieces, kind_index, number(one_word(values), COUNT_MAX))
        return Change(replace(play, pieces=pieces))
    if subject in TABLE_WORDS:
        return Change(TABLE_WORDS[subject](play, board, words[1:]))
    raise unexpected(say("a seat, a deed or the bank"), quoted(subject))


def _change_seat(
    run: MoveRun, token: Token, topic: str, values: tuple[str, ...]
) -> Change:
    correct_topic = SEAT_WORDS.get(topic)
    if token.is_out and topic not in FOR_ANY_SEAT:
        raise Malformed(
            say("{seat} is out of the game", seat=token.seat), say("undo that first")
        )
    if correct_topic is None:
        raise unexpected(
            say("one of {known}", known=", ".join(SEAT_WORDS)), quoted(topic)
        )
    return correct_topic(run, token.seat, values)


def _change_vault(
    play: Position, board: Board, subject: str, topic: str, values: tuple[str, ...]
) -> Change:
    """Correct what lies in the vault, its lid, or the keys in the bank."""
    if play.vault_contents is None:
        raise Malformed(say("this game has no vault"))
    if subject == VAULT and topic == "cash":
        return Change(play, VAULT, number(one_word(values)))
    contents = correct_vault(play.vault_contents, subject, topic, values)
    added = contents.hotels - play.vault_contents.hotels
    play = with_hotels_in_bank(play, board, -added)
    return Change(with_contents(play, contents))


# Seats: one function for each topic; *rest* are the words after it.


def _put_on_space(run: MoveRun, seat: Seat, rest: tuple[str, ...]) -> Change:
    """Put the seat's token on a space, out of jail: ``on boardwalk``."""
    space = space_number(run.board.rules, one_word(rest))
    if space is None:
        raise unexpected(say("a space of this board"), quoted(rest[0]))
    return Change(_with_seat_on(run.play, seat, space, FREE))


LANDING_STAGES = (Stage.BUY, Stage.CARD, Stage.CHOOSE, Stage.RENT_ROLL)
"""Stages of a landing; they end when the mover is put into jail."""


def _with_seat_on(play: Position, seat: Seat, space: int, tries: int) -> Position:
    """Put a seat on a space; *tries* counts its tries to leave jail, or is ``FREE``.

    The mover's walk ends; in jail, its landing and its right to roll again end too.
    """
    play = play.with_token(seat, space=space, tries=tries)
    if play.mover.seat != seat:
        return play
    play = replace(play, walk=0)
    if tries == FREE:
        return play
    play = replace(play, bonus="", rolls_again=False)
    if play.base in LANDING_STAGES:
        play = replace(play, base=Stage.ROLL, awaited="")
    return play


def _set_cash(run: MoveRun, seat: Seat, rest: tuple[str, ...]) -> Change:
    """Set the seat's balance: ``cash 200``."""
    return Change(run.play, seat, number(one_word(rest)))


def _give_deeds(run: MoveRun, seat: Seat, rest: tuple[str, ...]) -> Change:
    """Give the seat these deeds in addition: ``owns boardwalk park-place``."""
    play = run.play
    for deed in rest:
        play = correct_deed(play, run.board, deed, "owner", (seat,))
    return Change(play)


def _put_in_jail(run: MoveRun, seat: Seat, rest: tuple[str, ...]) -> Change:
    """Put the seat into jail, after so many failed tries to leave: ``jailed 2``."""
    attempts_max = run.board.rules.jail.attempts
    tries = number(one_word(rest), attempts_max) if rest else 0
    return Change(_with_seat_on(run.play, seat, run.board.jail, tries))


def _let_out_of_jail(run: MoveRun, seat: Seat, _: tuple[str, ...]) -> Change:
    """Let the seat out of jail; its token stays on the space."""
    return Change(run.play.with_token(seat, tries=FREE))


def _set_cards(run: MoveRun, seat: Seat, rest: tuple[str, ...]) -> Change:
    """Give a seat exactly these cards, or ``none``; put its own back first."""
    play, board = run.play, run.board
    for card in play.token_of(seat).cards:
        event = p.CardReturned(seat=seat, card=card)
        play = PLAY_AFTER[p.CardReturned](play, board, event)
    for word in () if rest == ("none",) else rest:
        play = _with_card(play, board, seat, word)
    return Change(play)


def _with_card(play: Position, board: Board, seat: Seat, word: str) -> Position:
    card = _free_card(play, board, word)
    deck_index = board.deck_of(card)
    if deck_index is not None:
        pile = play.piles[deck_index].without(card)
        play = replace(play, piles=put(play.piles, deck_index, pile))
    return play.with_token(seat, cards=(*play.token_of(seat).cards, card))


def _free_card(play: Position, board: Board, word: str) -> str:
    """Return the id of the card that *word* names, which nobody may hold.

    The word ``jail-card`` names the first card to leave jail that lies in a pile. A
    card that no deck lists is free, unless all decks are fully known.
    """
    in_piles = [card for pile in play.piles for card in (*pile.fresh, *pile.used)]
    if word == JAIL_CARD:
        jail_cards = (
            card
            for card in in_piles
            if card in board.cards and board.cards[card].effect == JAIL_CARD
        )
        word = next(jail_cards, word)
    if board.deck_of(word) is not None:
        is_held = word not in in_piles
    else:
        is_held = all(deck.is_complete for deck in board.rules.decks)
    if board.card(word) is None or is_held:
        raise unexpected(say("a card that nobody holds"), quoted(word))
    return word


def _make_bankrupt(run: MoveRun, seat: Seat, _: tuple[str, ...]) -> Change:
    """Give all that a seat owns to the bank, and take it out of the game."""
    board = run.board
    play = _set_cards(run, seat, ("none",)).play
    play = play.with_token(seat, tickets=0)
    for deed, owner in zip(board.rules.deeds, play.owners, strict=True):
        if owner == seat:
            play = correct_deed(play, board, deed.id, "owner", ("none",))
    event = p.SeatBankrupted(seat=seat, creditor=BANK)
    return Change(PLAY_AFTER[p.SeatBankrupted](play, board, event), seat, 0)


def _add_debt(run: MoveRun, seat: Seat, rest: tuple[str, ...]) -> Change:
    """Add a debt: ``owes 200``, ``owes 200 to blue``; 0 clears the seat's debts."""
    play = run.play
    owed, named_creditor = amount_and_creditor(rest)
    creditor = named_creditor or BANK
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


def _set_hotels(run: MoveRun, seat: Seat, rest: tuple[str, ...]) -> Change:
    """Set how many hotels a seat has in hand; the bank gives or takes them."""
    play, board = run.play, run.board
    if not comes_from_hand(board):
        raise Malformed(say("nobody holds hotels in the hand in this game"))
    token = play.token_of(seat)
    count = number(one_word(rest), COUNT_MAX)
    play = with_hotels_in_bank(play, board, token.hotels - count)
    return Change(play.with_token(seat, hotels=count))


def _set_chips(run: MoveRun, seat: Seat, rest: tuple[str, ...]) -> Change:
    decoder = run.board.rules.decoder
    if decoder is None:
        raise Malformed(say("nobody has decoder chips in this game"))
    count = number(one_word(rest), decoder.chips)
    return Change(run.play.with_token(seat, chips=count))


def _set_tickets(run: MoveRun, seat: Seat, rest: tuple[str, ...]) -> Change:
    """Set how many bus tickets a seat holds; the deck gives or takes them."""
    count = _ticket_number(run.board, rest)
    return Change(with_tickets(run.play, run.board, seat, count))


def _ticket_number(board: Board, rest: tuple[str, ...]) -> int:
    tickets = board.rules.tickets
    if tickets is None:
        raise Malformed(say("there are no bus tickets in this game"))
    return number(one_word(rest), tickets.total)


SEAT_WORDS: dict[str, Callable[[MoveRun, Seat, tuple[str, ...]], Change]] = {
    "on": _put_on_space,
    "cash": _set_cash,
    "owns": _give_deeds,
    "jailed": _put_in_jail,
    "free": _let_out_of_jail,
    "cards": _set_cards,
    "bankrupt": _make_bankrupt,
    "owes": _add_debt,
    "hotels": _set_hotels,
    "chips": _set_chips,
    "tickets": _set_tickets,
}
"""Topic about a seat -> its function; a refusal lists the topics in this order."""

FOR_ANY_SEAT = ("on", "cash", "bankrupt")
"""Topics that may be corrected even if the seat is out of the game."""

LEAVES_TABLE = frozenset(("cash", "chips", "faceup", "end"))
"""Words of corrections of the game after which what lies on the table stays there.

After the others it goes back in hand, but not payments that are only owed.
"""


def check_correct(run: MoveRun, move: CorrectPosition) -> Refused | None:
    """Check that the words make sense and lead to a possible position.

    Only a script may say which cards come up next.
    """
    if not run.game.is_guided:
        return not_led()
    if move.words[:1] == ("top",) and not move.is_given:
        return _not_correctable(say("nobody agrees on the next card"))
    error = why_not(run, move.words)
    return _not_correctable(error.plain, error.remedy) if error else None


def _not_correctable(message: str, remedy: str = "") -> Refused:
    remedy = remedy or say("say it in other words")
    return CORRECTED_RULE.refuses(Why.MALFORMED, message, remedy)


def choices(run: MoveRun, _by: str) -> Iterator[Range]:
    """Offer a correction of anything while the companion leads."""
    if run.game.is_guided:
        yield Range(CorrectPosition, 0, 0)


def why_not(run: MoveRun, words: tuple[str, ...]) -> Malformed | None:
    """Return what is wrong with the words; ``None`` if nothing is."""
    try:
        if read(run.board, words) is None:
            check_correction(run.board, run.play, change(run, words).play)
    except Malformed as error:
        return error
    return None


def without_landing(play: Position) -> Position:
    """Return *play* with the latest landing on an unknown space closed.

    What is read on that space later counts only from the next landing.
    """
    rested = play.rested
    return replace(play, rested=replace(rested, is_last=False)) if rested else play


def _without_idle_lot(play: Position, board: Board) -> Position:
    """Stop waiting for the choice of a deed to auction if none is left."""
    awaits_lot = play.base is Stage.CHOOSE and play.awaited == LOT
    if awaits_lot and next_unowned(board, play, play.mover.space) is None:
        return replace(play, base=Stage.ROLL, awaited="")
    return play


def correct(run: MoveRun, move: CorrectPosition) -> None:
    """Make the correction, and go on from there; the game may be over by now.

    The bank pays or takes the difference in money.
    """
    kind = p.PositionGiven if move.is_given else p.PositionCorrected
    reading = read(run.board, move.words)
    if reading is not None:
        run.add(kind(words=move.words, position=run.play))
        # What is given is as if the box's file said it.
        run.add(reading if move.is_given else replace(reading, seat=TABLE))
        count_again(run)
        return
    play, account, cash = change(run, move.words)
    if not LEAVES_TABLE.intersection(move.words[:2]):
        play = without_table(play)
    play = _without_idle_lot(without_even_groups(play, run.board), run.board)
    run.add(kind(words=move.words, position=without_landing(play)))
    if account:
        gain = cash - run.balance(account)
        payer, payee = (BANK, account) if gain > 0 else (account, BANK)
        run.pay(payer, payee, abs(gain), Reason.CORRECTION)
    if count_again(run):
        return
    remove_bidders(run, [token.seat for token in run.play.tokens if token.is_out])
    return_idle_keys(run)
    if not end_if_over(run):
        settle(run)


ROWS = (rule(CorrectPosition, Who.BANKER, check_correct, correct, choices),)
