"""Corrections of deeds, of the vault and of the table as a whole.

A correction is a line of words: a *subject* (here a deed, the vault, the bank or a
word about the table such as ``turn``), often a *topic*, and *values*. ``correcting``
has the corrections of seats, and calls these. Each returns the position that the words
describe, and adds no event.

A deed's *index* is its place in the rulebook. The *level* of a deed is the number of
building steps that stand there; its *ladder* lists the kind of each step.

Source:
    The project's own house rules; the words are those of the game scripts.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from companion.errors import Malformed, quoted
from companion.game import deed_events as d
from companion.game.board import Board
from companion.game.event import put
from companion.game.owning import builds_early, is_uneven, with_owner
from companion.game.playing_decoder import without_table
from companion.game.playing_deeds import (
    DEED_AFTER,
    with_level,
    without_rent_roll,
    without_wants,
)
from companion.game.playing_tickets import tickets_left
from companion.game.playing_vault_contents import with_keys_back
from companion.game.position import (
    LOCKED,
    OPEN,
    SHUT,
    Auction,
    Pile,
    Position,
    Uneven,
    VaultContents,
)
from companion.game.rulebook import BUS_DECK, RuleSpace
from companion.game.spaces import SpaceKind
from companion.game.stage import OPTIONAL_ENDS, Ending, Stage
from companion.rules.walking import GIFT, LOT, next_unowned
from companion.units import BANK, Seat
from companion.words import say
from companion.words.common import common
from companion.words.reading import number, one_word, quoted_all
from companion.words.report import unexpected

COUNT_MAX = 400
"""The largest number of pieces, keys or hotels that a correction may name.

It only keeps out absurd numbers; ``consistent`` compares with those of the box.
"""

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
