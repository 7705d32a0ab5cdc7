"""Corrections of the position, in the words of ``given`` and ``table set``.

A correction is a line of words such as ``red on boardwalk``: a *subject* (a seat, a
deed, the vault, the bank or a word about the table), a *topic*, and *values*. The
people at the table agree on it, so it is allowed at any time, as long as the corrected
position is possible (``consistent.py``). The words may also say what the real box
prints (``box_reading.py``).

Source:
    The project's own house rules: every act of the machine can be corrected by
    the people. The words are those of the game scripts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from msgspec.structs import replace

from companion.errors import Malformed, Refused, Why, quoted
from companion.game import deed_events as d
from companion.game import play_events as p
from companion.game.board import Board
from companion.game.card_code import JAIL_CARD, space_number
from companion.game.commands import TABLE
from companion.game.event import put
from companion.game.ledger import Reason
from companion.game.move_run import MoveRun
from companion.game.moves import CorrectPosition
from companion.game.owning import (
    builds_early,
    comes_from_hand,
    is_uneven,
    with_owner,
    without_even_groups,
)
from companion.game.playing import PLAY_AFTER
from companion.game.playing_decoder import without_table
from companion.game.playing_deeds import (
    DEED_AFTER,
    with_level,
    without_rent_roll,
    without_wants,
)
from companion.game.playing_tickets import tickets_left, with_tickets, with_tickets_left
from companion.game.playing_vault_contents import (
    with_contents,
    with_hotels_in_bank,
    with_keys_back,
)
from companion.game.position import (
    FREE,
    LOCKED,
    OPEN,
    SHUT,
    Auction,
    Debt,
    Pile,
    Position,
    Token,
    Uneven,
    VaultContents,
)
from companion.game.rulebook import BUS_DECK, RuleSpace
from companion.game.spaces import SpaceKind
from companion.game.stage import OPTIONAL_ENDS, Ending, Stage
from companion.rules.auction import remove_bidders
from companion.rules.box_reading import read
from companion.rules.consistent import check_correction
from companion.rules.ending import count_again, end_if_over
from companion.rules.rule import Range, Who, not_led, rule
from companion.rules.vault import return_idle_keys
from companion.rules.walking import GIFT, LOT, next_unowned, settle
from companion.sheets import Told
from companion.units import BANK, VAULT, Account, Dollars, Seat
from companion.words import say
from companion.words.common import common
from companion.words.reading import amount_and_creditor, number, one_word, quoted_all
from companion.words.report import unexpected

COUNT_MAX = 400
"""The largest number of pieces, keys or hotels that a correction may name.

It only keeps out absurd numbers; ``consistent`` compares with those of the box.
"""

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


# Deeds.


def correct_deed(
    play: Position, board: Board, deed: str, topic: str, values: tuple[str, ...]
) -> Position:
    """Return *play* with a deed corrected: its owner, mortgage or buildings.

    Raises:
        Malformed: If the words mean nothing here.
    """
    index = board.index.get(deed)
    if index is None:
        raise unexpected(say("a deed of this edition"), quoted(deed))
    play = without_wants(play, board, deed)
    if topic == "owner":
        return _with_owner(play, board, index, one_word(values))
    if topic in ("mortgaged", "unmortgaged"):
        is_mortgaged = topic == "mortgaged"
        if is_mortgaged and not board.rules.mortgage.exists:
            raise Malformed(say("there are no mortgages in this game"))
        play = without_rent_roll(play, deed)
        return replace(play, mortgaged=put(play.mortgaged, index, is_mortgaged))
    level = _read_level(board, index, topic, values)
    play = with_level(play, board, deed, level)
    return replace(play, pieces=tuple(max(0, left) for left in play.pieces))


def _read_level(board: Board, index: int, topic: str, values: tuple[str, ...]) -> int:
    """Read a level, such as ``houses 3``, ``skyscraper`` or ``bare``.

    The number may be left out if the ladder has only one such step.
    """
    if topic == "bare":
        return 0
    kind = topic.removesuffix("s")
    deed = board.rules.deeds[index]
    most = deed.ladder.count(kind)
    if most:
        is_single = not values and most == 1
        count = 1 if is_single else number(one_word(values), most)
        return deed.ladder.index(kind) + count if count else 0
    if kind in board.kinds:
        raise Malformed(
            say(
                "no {pieces} can stand on {deed}",
                pieces=common(f"{kind}s"),
                deed=deed.name,
            )
        )
    raise unexpected(
        say(
            "one of {known}",
            known="owner, houses, hotels, mortgaged, unmortgaged, bare",
        ),
        quoted(topic),
    )


def _with_owner(play: Position, board: Board, index: int, seat: str) -> Position:
    """Hand a deed to a seat, or to the bank if the word is ``none``."""
    deed = board.rules.deeds[index].id
    play = _without_sale(play, deed)
    if seat == "none":
        play = with_level(play, board, deed, 0)
        event = d.DeedReturned(deed=deed)
        return DEED_AFTER[d.DeedReturned](play, board, event)
    token = play.token(seat)
    if token is None or token.is_out:
        raise unexpected(say("a seat that plays or none"), quoted(seat))
    return with_owner(play, board, deed, seat)


def _without_sale(play: Position, deed: str) -> Position:
    """Stop waiting for a purchase of the deed, for bids, or for a roll for its rent."""
    if play.awaited == deed:
        play = replace(play, base=Stage.ROLL, awaited="")
    auction = play.auction
    if auction is None or deed not in auction.lots:
        return play
    lots = tuple(lot for lot in auction.lots if lot != deed)
    if not lots:
        return replace(play, auction=None)
    if auction.lots[0] == deed:
        auction = replace(auction, bidder="", amount=0, passed=())  # For the next lot.
    return replace(play, auction=replace(auction, lots=lots))


# The vault.


def correct_vault(
    contents: VaultContents, subject: str, topic: str, values: tuple[str, ...]
) -> VaultContents:
    """Return *contents* with the vault or the bank's keys corrected.

    Raises:
        Malformed: If the words mean nothing here.
    """
    if subject == BANK:
        return replace(contents, bank_keys=number(one_word(values), COUNT_MAX))
    if topic in ("keys", "hotels"):
        return replace(contents, **{topic: number(one_word(values), COUNT_MAX)})
    if values or topic not in (LOCKED, OPEN, SHUT):
        raise unexpected(
            say("one of {known}", known="cash, keys, hotels, locked, open, shut"),
            quoted(topic),
        )
    if topic == LOCKED:
        return replace(with_keys_back(contents), lid=topic, is_empty=False)
    return replace(contents, lid=topic)


# The table: one function for each subject; *rest* are the words after it.

NOT_OVER = {"winners": (), "scores": (), "ended": Ending.UNKNOWN}
"""The fields of a position that tell of its end, as long as there is none."""


def _give_turn(play: Position, _: Board, rest: tuple[str, ...]) -> Position:
    """Give the dice to a seat, whose turn begins."""
    seats = [token.seat for token in play.tokens if not token.is_out]
    if one_word(rest) not in seats:
        raise unexpected(say("a seat that plays"), quoted(rest[0]))
    turn = [token.seat for token in play.tokens].index(Seat(rest[0]))
    return replace(
        without_table(play),
        turn=turn,
        base=Stage.ROLL,
        awaited="",
        has_moved=False,
        doubles=0,
        rolls_again=False,
        walk=0,
        bonus="",
        **NOT_OVER,
    )


def _set_doubles(play: Position, board: Board, rest: tuple[str, ...]) -> Position:
    """Set how many doubles in a row the mover has rolled."""
    return replace(
        play, doubles=number(one_word(rest), board.rules.dice.doubles_to_jail - 1)
    )


def _put_on_top(play: Position, board: Board, rest: tuple[str, ...]) -> Position:
    """Make the named cards come up next, in this order: ``top chance chance-01``."""
    deck, cards = rest[0], rest[1:]
    deck_index = board.deck_index.get(deck)
    if deck_index is None or not cards:
        raise unexpected(say("a deck and its next cards"), quoted_all(rest))
    pile = play.piles[deck_index]
    for card in cards:
        if not _may_lie_in(board, deck_index, pile, card):
            raise unexpected(
                say("a card that lies in {deck}", deck=common(deck.replace("-", " "))),
                quoted(card),
            )
    if board.is_open(deck):
        cards = tuple(board.open_card(deck, card) for card in cards)
    unseen_count = len(pile.fresh)
    for card in cards:
        pile = pile.without(card)
    pile = Pile((*cards, *pile.fresh), pile.used)
    if (
        deck_index == board.tickets
    ):  # No ticket comes back, so there are no more than before.
        pile = Pile(pile.fresh[:unseen_count])
    return replace(play, piles=put(play.piles, deck_index, pile))


def _may_lie_in(board: Board, deck_index: int, pile: Pile, word: str) -> bool:
    """Return whether the card that *word* names may lie in that deck.

    If no deck lists it, it may lie in any that can have its kind.
    """
    card, deck = board.card(word), board.rules.decks[deck_index]
    if card is None or card.effect in deck.absent:
        return False
    if board.deck_of(word) is None:
        return True
    if deck_index == board.tickets:  # Nobody knows which of the tickets are left.
        return word in deck.cards
    return word in pile.fresh or word in pile.used


def _set_faceup(play: Position, board: Board, rest: tuple[str, ...]) -> Position:
    """Set which cards of the open deck are known to lie face up."""
    deck = next((deck for deck in board.rules.decks if deck.face_up), None)
    if deck is None or len(rest) > deck.face_up:
        most = deck.face_up if deck is not None else 0
        raise unexpected(say("at most {most} cards", most=most), quoted_all(rest))
    for card in rest:
        known = board.card(card)
        if known is None or known.deck not in ("", deck.id):
            raise unexpected(
                say("a card that lies in {deck}", deck=common(deck.id)), quoted(card)
            )
    return replace(play, faceup=tuple(board.open_card(deck.id, card) for card in rest))


def _as_after_roll(play: Position) -> Position:
    """Return *play* as after a roll with nothing left to do."""
    return replace(
        play,
        base=Stage.ROLL,
        awaited="",
        has_moved=True,
        auction=None,
        bonus="",
        uneven=(),
        **NOT_OVER,
    )


def _set_end(play: Position, board: Board, rest: tuple[str, ...]) -> Position:
    """Agree on the sheet's other end during the game, or at the end to play on."""
    word = one_word(rest)
    if board.rules.end.when_other is None:
        raise Malformed(
            say("a game of this box ends in one way only"), say("keep to that one")
        )
    if word not in OPTIONAL_ENDS:
        known = ", ".join(OPTIONAL_ENDS)
        raise unexpected(say("one of {known}", known=known), quoted(word))
    if play.ended in OPTIONAL_ENDS:
        play = replace(play, base=Stage.ROLL, awaited="", **NOT_OVER)
    return replace(play, end=word)


def _set_stage(play: Position, board: Board, rest: tuple[str, ...]) -> Position:
    """Set what the table waits for, if it fits the mover's space."""
    stage = one_word(rest)
    space, after_roll = board.rules.spaces[play.mover.space], _as_after_roll(play)
    if play.mover.is_out:
        raise Malformed(
            say("whoever has the dice is out of the game"),
            say("say first whose turn it is"),
        )
    if stage == Stage.ROLL:
        return replace(after_roll, has_moved=False)
    if stage == Stage.CARD and (deck := _deck_of(play, board, space.kind)):
        return replace(after_roll, base=Stage.CARD, awaited=deck)
    if stage == Stage.DEBT and play.debts:
        return play
    if stage == Stage.CHOOSE and (offer := _offer_of(play, board, space.kind)):
        return replace(after_roll, base=Stage.CHOOSE, awaited=offer)
    if stage == Stage.LEVEL and (uneven := _uneven_groups(play, board)):
        return replace(play, uneven=uneven)
    changed = _with_deed_stage(after_roll, board, stage, space.deed)
    changed = changed or _with_vault_stage(after_roll, stage, space)
    if changed is None:
        raise unexpected(say("a stage that fits where the mover stands"), quoted(stage))
    return changed


def _with_deed_stage(
    after_roll: Position, board: Board, stage: str, deed: str
) -> Position | None:
    """Return the position in that stage of the deed; ``None`` if it has none."""
    if not deed:
        return None
    index = board.index[deed]
    owner = after_roll.owners[index]
    is_for_sale = not owner and not board.rules.deeds[index].is_locked
    if stage == Stage.BUY and is_for_sale:
        return replace(after_roll, base=Stage.BUY, awaited=deed, may_pass=False)
    if stage == Stage.AUCTION and is_for_sale:
        auction = Auction((deed,), after_roll.playing(), board.rules.auction.start)
        return replace(after_roll, auction=auction)
    if stage == Stage.RENT_ROLL and owner not in ("", after_roll.mover.seat):
        return replace(
            after_roll, base=Stage.RENT_ROLL, awaited=deed, times=1, is_card_dice=False
        )
    return None


def _deck_of(play: Position, board: Board, kind: str) -> str:
    """Return the deck to draw from on such a space, or an empty word."""
    if kind == SpaceKind.BUS_TICKET:
        return BUS_DECK if tickets_left(play, board) else ""
    return kind if kind in board.deck_index else ""


def _offer_of(play: Position, board: Board, kind: str) -> str:
    """Return the choice that such a space offers, or an empty word."""
    if kind == SpaceKind.AUCTION:
        is_left = next_unowned(board, play, play.mover.space) is not None
        return LOT if is_left else ""
    return GIFT if kind == SpaceKind.BIRTHDAY_GIFT else ""


def _uneven_groups(play: Position, board: Board) -> tuple[Uneven, ...]:
    """List every group that its owner has built unevenly."""
    if not builds_early(board):
        return ()
    first_sites = (sites[0] for sites in dict.fromkeys(board.sites))
    return tuple(
        Uneven(Seat(play.owners[index]), board.rules.deeds[index].id)
        for index in first_sites
        if is_uneven(board, play, index)
    )


GUESS_SPACES = (SpaceKind.GUESS_FOR_FREE, SpaceKind.PAY_TO_GUESS)
"""Kinds of spaces that grant a guess."""


def _with_vault_stage(
    after_roll: Position, stage: str, space: RuleSpace
) -> Position | None:
    """Return the position in that stage of the vault; ``None`` if it has none."""
    contents = after_roll.vault_contents
    if contents is None:
        return None
    if stage == Stage.GUESS and space.acts_as in GUESS_SPACES:
        return replace(after_roll, base=Stage.GUESS)
    if stage == Stage.KEY:
        return replace(after_roll, vault_contents=_with_found_key(contents))
    if stage == Stage.REFILL:
        return replace(
            after_roll, vault_contents=replace(contents, is_empty=True, lid=OPEN)
        )
    return None


def _with_found_key(contents: VaultContents) -> VaultContents:
    """Return the contents with a found key; if none was, take the vault's or bank's."""
    if contents.found:
        return contents
    if contents.keys:
        return replace(contents, found=1, keys=contents.keys - 1)
    if contents.bank_keys:
        return replace(contents, found=1, bank_keys=contents.bank_keys - 1)
    raise Malformed(
        say("no key is left in the vault or in the bank"), say("set the keys first")
    )


TABLE_WORDS: dict[str, Callable[[Position, Board, tuple[str, ...]], Position]] = {
    "turn": _give_turn,
    "doubles": _set_doubles,
    "top": _put_on_top,
    "stage": _set_stage,
    "faceup": _set_faceup,
    "end": _set_end,
}
"""Subject of a correction of the table -> its function."""


# Making a correction.

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
