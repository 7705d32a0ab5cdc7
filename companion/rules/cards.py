"""Drawing a card, and what each kind of card does.

The *effect* of a card is a word such as ``collect``; ``EFFECTS`` has a function for
each. A card that is *kept* stays in the hand until it is used. There are three kinds of
decks:

- The companion's *own* deck: the companion draws, so all cards must be known.
- A *real* deck: people draw a card and name it. It is *whole* if the edition lists all
  its cards.
- An *open* deck: some of its cards lie face up, and the mover takes one of them.

The *pile* of a deck is what the companion knows about it: its *fresh* cards, not seen
yet, and its *used* ones, put back underneath. A *pick* is a card's place among the
fresh ones, from 0. People name a card by a *word*: its id, or what it does.

Source:
    Grab & Go's sheet, "Chance and Community Chest", "Passing GO twice in one
    turn"; the standard rules in the Mega booklet, "Chance & Community Chest",
    "GO"; the Secret Vault article, "Chance", "Code", "Riches". Cash
    Decoder's sheet, "Chance", "Community Chest", and the Crooked Cash article, "Chance
    cards": one of three open cards is kept. What each card does is in the edition's
    data. Our reading: if a card makes a seat pay several others and it cannot pay all,
    it owes each of them the whole amount.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from companion.errors import Refused, Why, quoted
from companion.game import decoder_events as f  # For "fakes".
from companion.game import how
from companion.game import play_events as p
from companion.game.box_key import key_of
from companion.game.card_code import CHOICE, READY_CHIPS, SKIP_RENT
from companion.game.card_words import card_text
from companion.game.ledger import Reason
from companion.game.move_run import MoveRun
from companion.game.moves import Draw
from companion.game.playing_tickets import EXPIRE, TICKET
from companion.game.position import Pile
from companion.game.rulebook import RuleCard
from companion.game.stage import Stage
from companion.rules.aimed import AIMED, targets
from companion.rules.rule import (
    FIGURE_RULE,
    Choice,
    Range,
    Who,
    not_now,
    rule,
    unknown_name,
)
from companion.rules.tickets import expire, take_ticket
from companion.rules.walking import (
    advance,
    await_guess,
    land,
    ready_chips,
    send_to_jail,
    settle,
)
from companion.sheets import CROOKED, DECODER, GRAB, SECRET, STANDARD, Told
from companion.units import BANK, VAULT, Account, Dollars, Seat
from companion.words import say

RENT_CARD_RULE = Told(
    "The card that took you there says how much rent you pay.",
    {
        GRAB: "Chance and Community Chest",
        STANDARD: "Chance & Community Chest",
        SECRET: "Chance",
    },
)
CARD_RULE = Told(
    "You do what the card says.",
    {
        GRAB: "Chance and Community Chest",
        STANDARD: "Chance & Community Chest",
        SECRET: "Chance",
        DECODER: "Community Chest",
    },
)
CARD_VAULT_RULE = Told(
    "The card says that money goes into the vault.", {SECRET: "Riches"}
)
CARD_KEPT_RULE = Told(
    "You may use a card that you have. Then it goes back under its deck.",
    {
        GRAB: "Chance and Community Chest",
        STANDARD: "Chance & Community Chest",
        SECRET: "Chance",
        DECODER: "Chance",
    },
)
OPEN_CARD_RULE = Told(
    "You take one of the open cards and keep it until you want to use it.",
    {DECODER: "Chance", CROOKED: "Chance cards"},
)


def rule_of_draw(run: MoveRun) -> Told:
    """Return the rule of the deck that a card is drawn from."""
    return OPEN_CARD_RULE if run.board.is_open(run.play.awaited) else CARD_RULE


def _drawn_pile(run: MoveRun) -> Pile | None:
    """Return the pile to draw from; ``None`` if the edition lists no such deck."""
    deck_index = run.board.deck_index.get(run.play.awaited)
    return None if deck_index is None else run.play.piles[deck_index]


def _is_whole_deck(run: MoveRun) -> bool:
    """Return whether the edition lists all cards of the deck to draw from."""
    deck_index = run.board.deck_index.get(run.play.awaited)
    return deck_index is not None and run.board.rules.decks[deck_index].is_complete


def _is_own_deck(run: MoveRun) -> bool:
    """Return whether the companion draws the card, and nobody has to name it."""
    return run.board.rules.has_own_decks and _is_whole_deck(run)


def check_draw(run: MoveRun, move: Draw) -> Refused | None:
    """Check the draw by the kind of deck, and that the card's amount is known."""
    pile = _drawn_pile(run)
    if run.board.is_open(run.play.awaited):
        refusal = _check_open(run, move.card)
    elif _is_own_deck(run) and pile is not None:
        refusal = _check_own(run, move, pile)
    else:
        refusal = _check_real(run, move, pile)
    return refusal or check_card_amount(run, _drawn_word(move, pile))


def _drawn_word(move: Draw, pile: Pile | None) -> str:
    """Return the word of the card that the move draws; the mover may name it."""
    if move.card or pile is None:
        return move.card
    return pile.fresh[move.pick] if pile.fresh else pile.used[0]


def check_card_amount(run: MoveRun, word: str) -> Refused | None:
    """Check that the amount on the card with that id or code, if any, is known."""
    card = run.board.card(word)
    if card is None or not card.lacks_amount:
        return None
    return FIGURE_RULE.refuses(
        Why.UNKNOWN_FIGURE,
        say("nobody knows the amount on this card"),
        say("type in what the real card says"),
    )


def _check_real(run: MoveRun, move: Draw, pile: Pile | None) -> Refused | None:
    """Check a draw from a real deck; only a known card on top need not be named."""
    if not _is_whole_deck(run):
        if move.card or pile is None or not pile.fresh:
            return _check_named(run, move.card)
        return None if move.pick == 0 else _no_draw(say("the known card lies on top"))
    if pile is not None and move.card in _drawable(run, pile):
        return None
    if move.card in run.board.cards:  # It is in a hand or in another deck.
        return _not_there()
    return _not_listed(run, move.card)


def _check_own(run: MoveRun, move: Draw, pile: Pile) -> Refused | None:
    """Check a draw from the companion's own deck; only a bus ticket may be named."""
    if _names_ticket(run, move):
        return None if move.card in pile.fresh else _not_there()
    is_pick = 0 <= move.pick < max(len(pile.fresh), 1)  # 0 if only used ones lie there.
    if move.card or not is_pick:
        return _no_draw(say("the companion draws the cards here"))
    return None if pile.fresh or pile.used else _not_there()


def _no_draw(message: str) -> Refused:
    """Refuse to draw a card that the mover may not choose."""
    return CARD_RULE.refuses(Why.MALFORMED, message, say("draw without naming a card"))


def _not_listed(run: MoveRun, word: str, why: Why = Why.MALFORMED) -> Refused:
    """Refuse a *word* that names no card of the deck."""
    return rule_of_draw(run).refuses(
        why,
        say("{word} is no card of this deck", word=quoted(word))
        if word
        else say("nobody has said which card it is"),
        say("choose the card in the list"),
    )


def _not_there() -> Refused:
    return CARD_RULE.refuses(
        Why.NO_CARD,
        say("that card is not in this deck now"),
        say("look at the card again"),
    )


def _names_ticket(run: MoveRun, move: Draw) -> bool:
    """Return whether the move names a bus ticket, as only a script may."""
    deck_index = run.board.deck_index.get(run.play.awaited)
    is_tickets = deck_index is not None and deck_index == run.board.tickets
    return bool(move.card) and is_tickets


def _drawable(run: MoveRun, pile: Pile) -> tuple[str, ...]:
    """List the cards that may be drawn from the pile now.

    Nobody knows which bus tickets are left, so it may be any of them.
    """
    deck_index = run.board.deck_index[run.play.awaited]
    if deck_index == run.board.tickets:
        return run.board.rules.decks[deck_index].cards if pile.fresh else ()
    return (*pile.fresh, *pile.used)


def _check_open(run: MoveRun, word: str) -> Refused | None:
    """Check that the card is known to lie open, or may be one not named yet."""
    if refusal := _check_named(run, word):
        return refusal
    board, play = run.board, run.play
    deck_index = board.deck_index[play.awaited]
    is_known = board.open_card(play.awaited, word) in play.faceup
    is_unnamed = len(play.faceup) < board.rules.decks[deck_index].face_up
    if is_known or is_unnamed:
        return None
    return OPEN_CARD_RULE.refuses(
        Why.NO_CARD,
        say("that card does not lie open"),
        say("take one of the open cards"),
    )


def _check_named(run: MoveRun, word: str) -> Refused | None:
    """Check that the deck may have the card."""
    board = run.board
    card = board.card_in(run.play.awaited, word)
    if card is None:
        return (
            unknown_name(board, word) if word else _not_listed(run, word, Why.NO_CARD)
        )
    if not _can_be_of(run, card):
        text = card_text(card, board.rules)
        return rule_of_draw(run).refuses(
            Why.NO_CARD,
            say('this deck has no card "{card}"', card=text),
            say("look at the card again"),
        )
    return None


def _can_be_of(run: MoveRun, card: RuleCard) -> bool:
    """Return whether the deck to draw from may have such a card."""
    board, deck = run.board, run.play.awaited
    deck_index = board.deck_index.get(deck)
    absent = () if deck_index is None else board.rules.decks[deck_index].absent
    return card.deck in ("", deck) and card.effect not in absent


def draw(run: MoveRun, move: Draw) -> None:
    """Take the card and do what it says, unless it is kept for later."""
    seat, deck, pile = Seat(move.by), run.play.awaited, _drawn_pile(run)
    if run.board.is_open(deck):
        _take_open(run, seat, run.board.open_card(deck, move.card))
        settle(run)
        return
    if _is_own_deck(run) and pile is not None:
        drawn = pile.fresh[move.pick] if pile.fresh else pile.used[0]
        card_id = move.card or drawn
        run.add(p.CardDrawn(seat=seat, deck=deck, card=card_id))
    else:
        on_top = pile.fresh[0] if pile is not None and not move.card else ""
        card_id = _record_named(run, seat, move.card or on_top)
    card = run.board.card(card_id)
    assert card is not None, "checked before"
    if not card.is_kept:
        carry_out(run, seat, card)
    settle(run)


def _record_named(run: MoveRun, seat: Seat, word: str) -> str:
    """Record the card of a real deck that *seat* named, and return its id.

    If the deck did not list it, it does from now on.
    """
    deck = run.play.awaited
    new_card = run.board.unlisted(deck, word)
    card_id = word if new_card is None else new_card.id
    run.add(p.CardNamed(seat=seat, deck=deck, card=card_id))
    if new_card is not None:
        run.add(p.BoxRead(key=key_of("card", card_id, "deck"), value=deck))
    return card_id


def _take_open(run: MoveRun, seat: Seat, word: str) -> None:
    """Keep an open card; to make room, older ones go back under the deck."""
    deck, held = run.play.awaited, open_cards_of(run, seat)
    _record_named(run, seat, word)
    for card in surplus(run, held):
        run.add(p.CardReturned(seat=seat, card=card))
    deck_index = run.board.deck_index[deck]
    fresh = run.play.piles[deck_index].fresh
    if fresh and not run.board.rules.decks[deck_index].is_complete:
        run.add(f.CardTurnedUp(card=fresh[0]))


def open_cards_of(run: MoveRun, seat: str) -> tuple[str, ...]:
    """List the cards of the open deck that a seat holds, the oldest first."""
    held = run.play.token_of(seat).cards
    return tuple(card for card in held if run.board.may_be_fake(card))


def surplus(run: MoveRun, held: tuple[str, ...]) -> tuple[str, ...]:
    """List those of the *held* open cards that must go before another is taken.

    The oldest, which come first, go first.
    """
    decoder = run.board.rules.decoder
    hand_limit = decoder.chance_in_hand if decoder is not None else 0
    if not hand_limit:
        return ()  # A hand may hold any number.
    return held[: max(0, len(held) + 1 - hand_limit)]


def draw_choices(run: MoveRun, seat: str) -> Iterator[Choice]:
    """Offer one range for the companion's own deck, else each card to be named."""
    pile = _drawn_pile(run)
    if pile is None:
        return
    if run.board.is_open(run.play.awaited):
        listed = (card.id for card in run.board.cards_of(run.play.awaited))
        for word in dict.fromkeys((*run.play.faceup, *listed)):
            yield Draw(by=seat, card=word)
        return
    if _is_own_deck(run):
        yield Range(Draw, 0, max(len(pile.fresh) - 1, 0))
        return
    if _is_whole_deck(run):
        words: tuple[str, ...] = _drawable(run, pile)
    else:
        words = tuple(card.id for card in run.board.cards_of(run.play.awaited))
        yield Draw(by=seat)
    for word in dict.fromkeys(words):
        yield Draw(by=seat, card=word)


def carry_out(run: MoveRun, seat: Seat, card: RuleCard, target: str = "") -> None:
    """Do what a card says, on *target* if it is used on a seat or a deed.

    If it needs a target and *target* is empty, the mover has to choose one; if none is
    possible, nothing happens.
    """
    aimed = AIMED.get(card.effect)
    if aimed is None:
        effect = EFFECTS.get(card.effect, _do_nothing)
        effect(run, seat, card)
    elif target:
        aimed.apply(run, seat, target)
    elif targets(run, seat, card):
        run.add(f.ChoiceAwaited(of=card.id))


def _do_nothing(_run: MoveRun, _seat: Seat, _card: RuleCard) -> None:
    """Do nothing: the card is only kept, or people carry it out themselves."""


def _advance(run: MoveRun, seat: Seat, card: RuleCard) -> None:
    """Move the token forward to the space on the card, and land."""
    advance(run, seat, card.to, collects=card.collects_go)
    land(run, seat, is_by_card=True)


def _advance_nearest(run: MoveRun, seat: Seat, card: RuleCard) -> None:
    """Move the token forward to the next space of a kind, and land."""
    space = run.board.next_of_kind(run.play.token_of(seat).space, card.kind)
    advance(run, seat, space, collects=card.collects_go)
    land(run, seat, times=card.times, is_card_dice=card.is_dice, is_by_card=True)


def _move_back(run: MoveRun, seat: Seat, card: RuleCard) -> None:
    """Move the token back by a number of spaces, without passing GO, and land."""
    space = (run.play.token_of(seat).space - card.spaces) % run.board.size
    run.add(p.TokenMoved(seat=seat, space=space))
    land(run, seat, is_by_card=True)


def _collect(run: MoveRun, seat: Seat, card: RuleCard) -> None:
    run.earn(seat, amount_of(card), Reason.CARD)


def amount_of(card: RuleCard) -> Dollars:
    """Return the amount that the card prints."""
    assert card.amount is not None, "checked before"
    return card.amount


def _pay(run: MoveRun, seat: Seat, card: RuleCard) -> None:
    run.charge(seat, BANK, amount_of(card), Reason.CARD)


def _others(run: MoveRun, seat: Seat) -> tuple[Seat, ...]:
    """List the other seats still in the game, in the order of play after *seat*."""
    playing = run.play.playing()
    place = playing.index(seat)
    return (*playing[place + 1 :], *playing[:place])


def _collect_each(run: MoveRun, seat: Seat, card: RuleCard) -> None:
    """Charge each other seat the amount, for this seat."""
    for payer in _others(run, seat):
        run.charge(payer, seat, amount_of(card), Reason.CARD)


def _pay_each(run: MoveRun, seat: Seat, card: RuleCard) -> None:
    """Charge the seat the amount for each other seat.

    If it cannot pay them all, it owes each the whole amount.
    """
    others, amount = _others(run, seat), amount_of(card)
    if run.cash(seat) >= amount * len(others):
        for payee in others:
            run.charge(seat, payee, amount, Reason.CARD)
        return
    for payee in others:
        run.add(
            p.DebtOwed(
                debtor=seat, creditor=Account(payee), amount=amount, reason=Reason.CARD
            )
        )


def _repairs(run: MoveRun, seat: Seat, card: RuleCard) -> None:
    """Charge the seat an amount for each of its houses and each of its hotels."""
    board, play = run.board, run.play
    counts = dict.fromkeys(board.kinds, 0)
    for deed_index, owner in enumerate(play.owners):
        if owner == seat:
            standing = board.used[deed_index][play.levels[deed_index]]
            for kind, count in zip(board.kinds, standing, strict=True):
                counts[kind] += count
    terms = [
        ((f"each-{kind}", price), *how.of(counts[kind]))
        for kind, price in card.per
        if counts[kind]
    ]
    total = sum(counts[kind] * price for kind, price in card.per)
    run.charge(seat, BANK, total, Reason.CARD, how.add_up(terms))


def _pay_vault(run: MoveRun, seat: Seat, card: RuleCard) -> None:
    """Put the amount into the vault, from the seat or from the bank."""
    if card.payer == "seat":
        run.charge(seat, VAULT, amount_of(card), Reason.CARD)
    else:
        run.earn(VAULT, amount_of(card), Reason.CARD)


def _skip_rent(run: MoveRun, seat: Seat, _card: RuleCard) -> None:
    run.add(f.RentSpared(seat=seat))


def _offer_choice(run: MoveRun, _seat: Seat, card: RuleCard) -> None:
    """Let the mover choose between the two things that the card offers."""
    run.add(f.ChoiceAwaited(of=card.id))


EFFECTS: dict[str, Callable[[MoveRun, Seat, RuleCard], None]] = {
    "advance": _advance,
    "advance-nearest": _advance_nearest,
    "move-back": _move_back,
    "collect": _collect,
    "collect-each": _collect_each,
    "pay": _pay,
    "pay-each": _pay_each,
    "repairs": _repairs,
    "jail-card": _do_nothing,
    "go-to-jail": lambda run, seat, _: send_to_jail(run, seat),
    "guess": lambda run, seat, _: await_guess(run, seat),
    "to-vault": _pay_vault,
    "nothing": _do_nothing,
    SKIP_RENT: _skip_rent,
    READY_CHIPS: lambda run, seat, _: ready_chips(run, seat),
    CHOICE: _offer_choice,
    TICKET: take_ticket,
    EXPIRE: expire,
}
"""Effect of a card -> the function that carries it out for a seat."""


ROWS = (
    rule(
        Draw,
        {Stage.CARD: Who.MOVER},
        check_draw,
        draw,
        draw_choices,
        outside=not_now(
            CARD_RULE,
            say("no card is to be drawn now"),
            say("play on until you land on a card space"),
        ),
    ),
)
