"""Drawing a card, and what each kind of card does.

Source:
    Grab & Go's sheet, "Chance and Community Chest", "Passing GO twice in one
    turn"; the standard rules in the Mega booklet, "Chance & Community Chest",
    "GO"; the Secret Vault article, "Chance", "Code", "Riches". What each card does is
    in the edition's data. That a debt to several seats at once is owed whole to
    each, if not all can be paid, is a reading. Cash Decoder's sheet, "Chance",
    "Building Hotels": of three open cards one is kept; a card may place a hotel outside
    a group.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from companion.errors import Why
from companion.game import decoder_events as f
from companion.game import deed_events as d
from companion.game import play_events as p
from companion.game.box_key import key_of
from companion.game.card_code import (
    CHOICE,
    FREE_HOTEL,
    JAIL_SOMEONE,
    READY_CHIPS,
    SKIP_RENT,
)
from companion.game.ledger import Reason
from companion.game.move_run import MoveRun
from companion.game.moves import Choose, Draw
from companion.game.position import FREE, Pile
from companion.game.rulebook import AMOUNTS, HOTEL, RuleCard
from companion.game.stage import Stage
from companion.rules.rule import Choice, Range
from companion.rules.walking import (
    advance,
    await_guess,
    land,
    ready_chips,
    send_to_jail,
    settle,
)
from companion.units import BANK, VAULT, Account, DeedId, Seat


def _pile(run: MoveRun) -> Pile | None:
    """The pile that is drawn from; ``None`` where the data has no such deck."""
    at = run.board.deck_index.get(run.play.awaited)
    return None if at is None else run.play.piles[at]


def _is_whole(run: MoveRun) -> bool:
    """Whether every card of the deck that is drawn from is known."""
    at = run.board.deck_index.get(run.play.awaited)
    return at is not None and run.board.rules.decks[at].is_complete


def _is_own(run: MoveRun) -> bool:
    """Whether the table draws by itself, rather than naming real cards."""
    return run.board.rules.has_own_decks and _is_whole(run)


def check_draw(run: MoveRun, move: Draw) -> Why | None:
    """Check a card named from the real deck, or a draw from the table's own deck."""
    pile = _pile(run)
    if run.board.is_open(run.play.awaited):
        return _check_open(run, move.card)
    if _is_own(run) and pile is not None:
        most = max(len(pile.fresh), 1)
        if move.card or not 0 <= move.pick < most:
            return Why.MALFORMED
        return None if pile.fresh or pile.used else Why.NO_CARD
    if not move.card and pile is not None and pile.fresh and not _is_whole(run):
        return None if move.pick == 0 else Why.MALFORMED  # A known card lies on top.
    if _is_whole(run):  # The data has every card: none is put into words.
        if pile is not None and move.card in (*pile.fresh, *pile.used):
            return None
        return Why.NO_CARD if move.card in run.board.cards else Why.MALFORMED
    return _check_named(run, move.card)


def _check_open(run: MoveRun, word: str) -> Why | None:
    """Check that the card may lie open: a known one, or one that nobody has named."""
    wrong = _check_named(run, word)
    if wrong is not None:
        return wrong
    board, play = run.board, run.play
    at = board.deck_index[play.awaited]
    is_known = board.open_card(play.awaited, word) in play.faceup
    is_unnamed = len(play.faceup) < board.rules.decks[at].face_up
    return None if is_known or is_unnamed else Why.NO_CARD


def _check_named(run: MoveRun, word: str) -> Why | None:
    """Check that the deck that is drawn from may have the card, of a known amount."""
    card = run.board.card_in(run.play.awaited, word)
    if card is None:
        return Why.MALFORMED if word else Why.NO_CARD
    if not _can_be_of(run, card):
        return Why.NO_CARD
    if card.effect in AMOUNTS and card.amount is None:
        return Why.UNKNOWN_FIGURE
    return None


def _can_be_of(run: MoveRun, card: RuleCard) -> bool:
    """Whether the deck that is drawn from may hold such a card."""
    board, deck = run.board, run.play.awaited
    at = board.deck_index.get(deck)
    absent = () if at is None else board.rules.decks[at].absent
    return card.deck in ("", deck) and card.effect not in absent


def draw(run: MoveRun, move: Draw) -> None:
    """Take the card and do what it says, unless it is kept for later."""
    seat, deck, pile = Seat(move.by), run.play.awaited, _pile(run)
    if run.board.is_open(deck):
        _take_open(run, seat, run.board.open_card(deck, move.card))
        settle(run)
        return
    if _is_own(run) and pile is not None:
        name = pile.fresh[move.pick] if pile.fresh else pile.used[0]
        run.add(p.CardDrawn(seat=seat, deck=deck, card=name))
    else:
        name = move.card or (pile.fresh[0] if pile is not None else "")
        new = run.board.unlisted(deck, move.card)
        name = new.id if new is not None else name
        run.add(p.CardNamed(seat=seat, deck=deck, card=name))
        if new is not None:
            run.add(p.BoxRead(key=key_of("card", name, "deck"), value=deck))
    card = run.board.card(name)
    assert card is not None, "checked before"
    if not card.is_kept:
        carry_out(run, seat, card)
    settle(run)


def _take_open(run: MoveRun, seat: Seat, word: str) -> None:
    """Keep an open card; the one in hand goes under the deck if it is one too many."""
    deck, new = run.play.awaited, run.board.unlisted(run.play.awaited, word)
    name = new.id if new is not None else word
    held = open_cards_of(run, seat)
    run.add(p.CardNamed(seat=seat, deck=deck, card=name))
    if new is not None:
        run.add(p.BoxRead(key=key_of("card", name, "deck"), value=deck))
    for card in (
        held[: len(held) - _hand_max(run) + 1] if _is_hand_full(run, held) else ()
    ):
        run.add(p.CardReturned(seat=seat, card=card))
    at = run.board.deck_index[deck]
    next_one = run.play.piles[at].fresh[:1]
    if next_one and not run.board.rules.decks[at].is_complete:
        run.add(f.CardTurnedUp(card=next_one[0]))


def open_cards_of(run: MoveRun, seat: str) -> tuple[str, ...]:
    """The cards of the open deck that a seat holds, the oldest first."""
    return tuple(x for x in run.play.token_of(seat).cards if run.board.may_be_fake(x))


def _is_hand_full(run: MoveRun, held: tuple[str, ...]) -> bool:
    """Whether no more cards of the open deck may be held than *held*."""
    return 0 < _hand_max(run) <= len(held)


def _hand_max(run: MoveRun) -> int:
    """How many cards of the open deck a seat may hold; 0 for any."""
    decoder = run.board.rules.decoder
    return decoder.chance_in_hand if decoder is not None else 0


# Choosing.


def check_choose(run: MoveRun, move: Choose) -> Why | None:
    """Check a choice that a card offers; in place of drawing, keep the card in hand."""
    if run.play.stage is Stage.CARD:
        if not run.board.is_open(run.play.awaited):
            return Why.WRONG_STAGE
        if move.word != KEEP:
            return Why.MALFORMED
        held = open_cards_of(run, move.by)
        return None if _is_hand_full(run, held) else Why.NO_CARD
    card = run.board.card(run.play.awaited)
    assert card is not None, "a card offers the choice"
    if card.effect not in AIMED:
        return None if move.word in OPTIONS[card.effect] else Why.MALFORMED
    if move.word == NOTHING:
        return Why.MALFORMED if targets(run, move.by, card) else None
    return check_target(run, move.by, card, move.word)


KEEP = "keep"
"""The choice to take no open card and to keep the one in hand."""

NOTHING = "nothing"
"""The choice where nobody and nothing is left that the card could be used on."""

PAY, GO_TO_JAIL = "pay", "go-to-jail"
OPTIONS = {CHOICE: (PAY, GO_TO_JAIL)}
"""Effect of a card -> the words for what it lets the mover choose."""


def choose(run: MoveRun, move: Choose) -> None:
    """Do what was chosen."""
    seat, card = Seat(move.by), run.board.card(run.play.awaited)
    run.add(f.Chosen(seat=seat, word=move.word))
    if card is not None and card.effect in AIMED and move.word != NOTHING:
        AIMED[card.effect].happen(run, seat, move.word)
    elif move.word == PAY and card is not None:
        run.charge(seat, BANK, card.amount or 0, Reason.CARD)
    elif move.word == GO_TO_JAIL:
        send_to_jail(run, seat)
    settle(run)


def choose_choices(run: MoveRun, seat: str) -> Iterator[Choose]:
    """Offer what the card lets the mover choose, or to keep the one in hand."""
    card = run.board.card(run.play.awaited)
    if run.play.stage is Stage.CARD or card is None:
        yield Choose(by=seat, word=KEEP)
        return
    aimed = card.effect in AIMED
    words = targets(run, seat, card) if aimed else OPTIONS[card.effect]
    for word in words or (NOTHING,):
        yield Choose(by=seat, word=word)


def draw_choices(run: MoveRun, seat: str) -> Iterator[Choice]:
    """Offer one of the unseen cards, or each card that may have been drawn."""
    pile = _pile(run)
    if pile is None:
        return
    if run.board.is_open(run.play.awaited):
        listed = (x.id for x in run.board.cards_of(run.play.awaited))
        for card in dict.fromkeys((*run.play.faceup, *listed)):
            yield Draw(by=seat, card=card)
        return
    if _is_own(run):
        yield Range(Draw, 0, max(len(pile.fresh) - 1, 0))
        return
    if _is_whole(run):
        known: tuple[str, ...] = (*pile.fresh, *pile.used)
    else:
        known = tuple(card.id for card in run.board.cards_of(run.play.awaited))
        yield Draw(by=seat)
    for card in known:
        yield Draw(by=seat, card=card)


def carry_out(run: MoveRun, seat: Seat, card: RuleCard, target: str = "") -> None:
    """Do what a card says, on *target* if it is used on a seat or a deed.

    Without the target that it needs, the mover chooses one, if there is any.
    """
    aimed = AIMED.get(card.effect)
    if aimed is None:
        EFFECTS.get(card.effect, _nothing)(run, seat, card)
    elif target:
        aimed.happen(run, seat, target)
    elif targets(run, seat, card):
        run.add(f.ChoiceAwaited(card=card.id))


def _nothing(_run: MoveRun, _seat: Seat, _card: RuleCard) -> None:
    """Do nothing: some cards are only kept, and some the table itself carries out."""


def _advance(run: MoveRun, seat: Seat, card: RuleCard) -> None:
    advance(run, seat, card.to, collects=card.collects_go)
    land(run, seat, is_by_card=True)


def _advance_nearest(run: MoveRun, seat: Seat, card: RuleCard) -> None:
    space = run.board.next_of_kind(run.play.token_of(seat).space, card.kind)
    advance(run, seat, space, collects=card.collects_go)
    land(run, seat, times=card.times, is_card_dice=card.is_dice, is_by_card=True)


def _move_back(run: MoveRun, seat: Seat, card: RuleCard) -> None:
    space = (run.play.token_of(seat).space - card.spaces) % run.board.size
    run.add(p.TokenMoved(seat=seat, space=space))
    land(run, seat, is_by_card=True)


def _collect(run: MoveRun, seat: Seat, card: RuleCard) -> None:
    run.earn(seat, card.amount or 0, Reason.CARD)


def _pay(run: MoveRun, seat: Seat, card: RuleCard) -> None:
    run.charge(seat, BANK, card.amount or 0, Reason.CARD)


def _others(run: MoveRun, seat: Seat) -> tuple[Seat, ...]:
    """The other seats still in the game, in the order of play after *seat*."""
    playing = run.play.playing()
    at = playing.index(seat)
    return (*playing[at + 1 :], *playing[:at])


def _collect_each(run: MoveRun, seat: Seat, card: RuleCard) -> None:
    for other in _others(run, seat):
        run.charge(other, seat, card.amount or 0, Reason.CARD)


def _pay_each(run: MoveRun, seat: Seat, card: RuleCard) -> None:
    others, amount = _others(run, seat), card.amount or 0
    if run.cash(seat) >= amount * len(others):
        for other in others:
            run.charge(seat, other, amount, Reason.CARD)
        return
    for other in others:
        run.add(
            p.DebtOwed(
                debtor=seat,
                creditor=Account(other),
                amount=amount,
                reason=Reason.CARD,
            )
        )


def _repairs(run: MoveRun, seat: Seat, card: RuleCard) -> None:
    """Charge the seat an amount for each of its houses and each of its hotels."""
    board, play = run.board, run.play
    price = dict(card.per)
    total = 0
    for at, owner in enumerate(play.owners):
        if owner == seat:
            standing = board.used[at][play.levels[at]]
            for kind, count in zip(board.kinds, standing, strict=True):
                total += count * price.get(kind, 0)
    run.charge(seat, BANK, total, Reason.CARD)


def _guess(run: MoveRun, seat: Seat, _card: RuleCard) -> None:
    await_guess(run, seat)


def _to_vault(run: MoveRun, seat: Seat, card: RuleCard) -> None:
    if card.payer == "seat":
        run.charge(seat, VAULT, card.amount or 0, Reason.CARD)
    else:
        run.earn(VAULT, card.amount or 0, Reason.CARD)


def _go_to_jail(run: MoveRun, seat: Seat, _card: RuleCard) -> None:
    send_to_jail(run, seat)


def _skip_rent(run: MoveRun, seat: Seat, _card: RuleCard) -> None:
    run.add(f.RentSpared(seat=seat))


def _ready_chips(run: MoveRun, seat: Seat, _card: RuleCard) -> None:
    ready_chips(run, seat)


def _choice(run: MoveRun, _seat: Seat, card: RuleCard) -> None:
    run.add(f.ChoiceAwaited(card=card.id))


# Cards that are used on a seat or on a deed.


class Aimed(NamedTuple):
    """An effect on a seat or a deed.

    Attributes:
        check: Why it cannot be used on that one; ``None`` if it can.
        happen: Does it.
        known: All that it might be used on, as ids.
    """

    check: Callable[[MoveRun, str, str], Why | None]
    happen: Callable[[MoveRun, Seat, str], None]
    known: Callable[[MoveRun], tuple[str, ...]]


def targets(run: MoveRun, seat: str, card: RuleCard) -> tuple[str, ...]:
    """The seats or deeds on which *seat* may use *card* now."""
    aimed = AIMED[card.effect]
    return tuple(x for x in aimed.known(run) if aimed.check(run, seat, x) is None)


def check_target(run: MoveRun, seat: str, card: RuleCard, word: str) -> Why | None:
    """Check that *seat* may use *card* on the seat or deed that *word* names."""
    return AIMED[card.effect].check(run, seat, word)


def _check_jailing(run: MoveRun, seat: str, target: str) -> Why | None:
    """Check that it is another seat in the game, which is not in jail already."""
    token = run.play.token(target)
    if token is None or target == seat:
        return Why.MALFORMED
    if token.is_out:
        return Why.BANKRUPT
    return None if token.tries == FREE else Why.IN_JAIL


def _jail_someone(run: MoveRun, _seat: Seat, target: str) -> None:
    send_to_jail(run, Seat(target))


def _check_free_hotel(run: MoveRun, seat: str, target: str) -> Why | None:
    """Check that it is a street of one's own with room for a hotel the bank has."""
    board, play = run.board, run.play
    at = board.index.get(target)
    if at is None:
        return Why.MALFORMED
    if play.owners[at] != seat:
        return Why.NOT_YOURS
    is_whole = all(play.owners[i] == seat for i in board.members[at])
    if not (is_whole or board.rules.buildings.outside_group_by_card):
        return Why.INCOMPLETE_GROUP
    level = _hotel_level(run, at)
    if play.levels[at] >= level:
        return Why.LIMIT_REACHED
    left = play.pieces[board.kinds.index(HOTEL)]
    return None if left else Why.NONE_LEFT


def _hotel_level(run: MoveRun, at: int) -> int:
    """How many steps of the deed's ladder stand there with its first hotel."""
    ladder = run.board.rules.deeds[at].ladder
    return ladder.index(HOTEL) + 1 if HOTEL in ladder else 0


def _free_hotel(run: MoveRun, seat: Seat, target: str) -> None:
    level = _hotel_level(run, run.board.index[target])
    run.add(d.BuildingBought(seat=seat, deed=DeedId(target), level=level))


AIMED: dict[str, Aimed] = {
    JAIL_SOMEONE: Aimed(_check_jailing, _jail_someone, lambda run: run.play.playing()),
    FREE_HOTEL: Aimed(
        _check_free_hotel, _free_hotel, lambda run: tuple(run.board.index)
    ),
}
"""Effects that are used on a seat or on a deed."""


EFFECTS: dict[str, Callable[[MoveRun, Seat, RuleCard], None]] = {
    "advance": _advance,
    "advance-nearest": _advance_nearest,
    "move-back": _move_back,
    "collect": _collect,
    "collect-each": _collect_each,
    "pay": _pay,
    "pay-each": _pay_each,
    "repairs": _repairs,
    "jail-card": _nothing,
    "go-to-jail": _go_to_jail,
    "guess": _guess,
    "to-vault": _to_vault,
    "nothing": _nothing,
    SKIP_RENT: _skip_rent,
    READY_CHIPS: _ready_chips,
    CHOICE: _choice,
}
"""Which function carries out each effect of a card."""
