"""A recorded game as a script that plays back to the same position.

Every entry of guided play begins with the act itself, so its first event gives
the line. What was taken back is left out; what the table did by hand in between
becomes the balances it led to.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar, cast

from companion import deed_events as d
from companion import events as e
from companion import play_events as p
from companion import riches_events as r
from companion.errors import Malformed
from companion.game import Game, opened
from companion.journal import Entry, Journal
from companion.position import LOCKED, Bundle
from companion.script.hindsight import code_words, codes_in_hindsight, is_locking
from companion.units import Account

A = TypeVar("A", bound=e.Event)


def export_script(entries: tuple[Entry, ...], title: str = "") -> str:
    """The game of *entries*, from the beginning of guided play on, as a script.

    Raises:
        Malformed: If the companion never led, or a seat joined it on the way.
    """
    counting = _counting(entries)
    begun = [at for at, one in enumerate(counting) if _is_begin(one)]
    if not begun:
        raise Malformed("expected a game that the companion led, got one by hand only")
    at = begun[-1]
    game = _folded(counting[: at + 1])
    later = counting[at + 1 :]
    said = title.replace("\n", " ") or "recorded at the table"
    lines = [f"# Source: {said}", *_head(game, later)]
    codes = codes_in_hindsight(later)
    next(codes)  # The head has the first.
    for entry in later:
        before = game
        game = _folded((entry,), game)
        lines += _words(entry, before, game)
        if any(is_locking(event) for event in entry.events):
            lines[-1] += code_words(next(codes))
    return "\n".join(lines) + "\n"


def _counting(entries: tuple[Entry, ...]) -> tuple[Entry, ...]:
    """The entries that nobody took back."""
    journal = Journal(lambda: entries)
    for entry in entries:
        journal.append(entry)
    return tuple(
        entry
        for entry in entries
        if not journal.is_undone(entry.revision)
        and not isinstance(entry.events[0], e.Undone | e.Redone)
    )


def _is_begin(entry: Entry) -> bool:
    return isinstance(entry.events[0], p.PlayBegun)


def _folded(entries: tuple[Entry, ...], game: Game | None = None) -> Game:
    for entry in entries:
        for event in entry.events:
            if isinstance(event, e.GameOpened):
                game = opened(event)
            elif isinstance(event, e.Event):
                assert game is not None, "a journal begins with GameOpened"
                game = game.after(event)
    assert game is not None, "a journal begins with GameOpened"
    return game


def _head(game: Game, later: tuple[Entry, ...]) -> list[str]:
    """The edition, the seats, the options, and the position play began from."""
    play, board = game.play, game.board
    assert play is not None, "play has begun"
    assert board is not None, "play has begun"
    seats = [token.seat for token in play.tokens]
    lines = [f"edition {board.rules.edition}", f"seats {' '.join(seats)}"]
    lines += [f"option {key} {value}" for key, value in board.rules.options]
    lines += _tops(game, later)  # First: what was given goes on top of it.
    for seat in seats:
        deeds = [
            deed.id
            for deed, owner in zip(board.rules.deeds, play.owners, strict=True)
            if owner == seat
        ]
        if deeds:
            lines.append(f"given {seat} owns {' '.join(deeds)}")
    for seat in seats:
        cash = game.ledger[Account(seat)]
        if cash != game.terms.start_money or board.rules.dealt_each:
            lines.append(f"given {seat} cash {cash}")
    code = code_words(next(codes_in_hindsight(later)))
    if board.rules.vault is not None and code:
        lines.append(f"given vault{code}")
    for entry in later:
        if isinstance(entry.events[0], p.PositionGiven):
            lines.append(f"given {' '.join(entry.events[0].words)}")
    return lines


def _tops(game: Game, later: tuple[Entry, ...]) -> list[str]:
    """What came up first in each deck of the table's own, known in hindsight."""
    assert game.board is not None, "play has begun"
    seen: dict[str, list[str]] = {}
    for entry in later:
        for event in entry.events:
            if isinstance(event, p.CardDrawn) and event.card in game.board.cards:
                cards = seen.setdefault(event.deck, [])
                if event.card not in cards:
                    cards.append(event.card)
    return [f"given top {deck} {' '.join(cards)}" for deck, cards in seen.items()]


def _words(entry: Entry, before: Game, after: Game) -> list[str]:
    """The lines that an entry makes: its act, or the balances it changed."""
    act = entry.events[0]
    kind: type = type(act)
    if isinstance(act, r.LidSeen) and after == before:
        return []  # Seen after something that was taken back; it is reported again.
    if isinstance(act, d.FigureTyped):
        return [f"do {entry.actor} figure {act.deed} {act.figure} {act.amount}"]
    if isinstance(act, d.SpaceRead):
        return [f"do {entry.actor} space {act.space} {act.kind}"]
    write = WORDS.get(kind)
    if write is not None:
        said = write(act)
        return [said] if said else []
    if isinstance(act, p.PlayResumed) and act.joined:
        raise Malformed(
            f"expected the same seats throughout, got {' '.join(act.joined)} later"
        )
    if before.play is None:
        return []
    changed = []
    for token in before.play.tokens:
        account = Account(token.seat)
        cash = after.ledger[account]
        if cash != before.ledger[account] and not token.is_out:
            changed.append(f"do table set {token.seat} cash {cash}")
    return changed


def _row(kind: type[A], write: Callable[[A], str]) -> tuple[type[e.Event], Write]:
    return kind, cast("Write", write)


Write = Callable[[object], str]


def _bundle(side: Bundle) -> str:
    words = list(side.deeds) + ["jail-card"] * side.jail_cards
    if side.hotels:
        words.append(f"hotels {side.hotels}")
    if side.cash:
        words.append(f"cash {side.cash}")
    return " ".join(words)


def _offer(event: d.OfferMade) -> str:
    want = f" want {_bundle(event.want)}" if event.want != Bundle() else ""
    return f"do {event.giver} offer {event.taker} give {_bundle(event.give)}{want}"


def _sold(event: d.BuildingSold) -> str:
    return f"do {event.seat} unbuild {event.deed}{' all' if event.is_all else ''}"


def _pips(dice: tuple[int, ...], special: str = "") -> str:
    return " ".join((*map(str, dice), special)).strip()


def _guess(event: r.GuessMade) -> str:
    later = "" if event.is_lid_up or not event.is_right else " jammed"
    return f"do {event.seat} guess {event.number}{later}"


def _gone(event: p.SeatBankrupted) -> str:
    return f"do {event.seat} {'resign' if event.has_resigned else 'declare-bankrupt'}"


LID_VERBS = {LOCKED: "locked-again"}
"""How a script says that the lid is so, where the word is another one."""


WORDS: dict[type[e.Event], Write] = dict(
    (
        _row(p.DiceRolled, lambda x: f"do {x.seat} roll {_pips(x.dice, x.special)}"),
        _row(p.RentRolled, lambda x: f"do {x.seat} roll {_pips(x.dice)}"),
        _row(p.JailLeft, lambda x: f"do {x.seat} pay-jail"),
        _row(p.CardReturned, lambda x: f"do {x.seat} use-card {x.card}"),
        _row(p.CardDrawn, lambda x: f"do {x.seat} draw"),
        _row(p.CardNamed, lambda x: f"do {x.seat} draw {x.card}"),
        _row(p.RentAsked, lambda x: f"do {x.owner} ask-rent {x.seat}"),
        _row(p.DebtPaid, lambda x: f"do {x.debtor} pay"),
        _row(p.SeatBankrupted, _gone),
        _row(p.TimeCalled, lambda _: "do table time-up"),
        _row(p.PositionGiven, lambda _: ""),
        _row(p.PositionCorrected, lambda x: f"do table set {' '.join(x.words)}"),
        _row(d.DeedBought, lambda x: f"do {x.seat} buy"),
        _row(d.DeedDeclined, lambda x: f"do {x.seat} auction"),
        _row(d.BidMade, lambda x: f"do {x.seat} bid {x.amount}"),
        _row(d.BidPassed, lambda x: f"do {x.seat} pass"),
        _row(d.DeedMortgaged, lambda x: f"do {x.seat} mortgage {x.deed}"),
        _row(d.MortgageLifted, lambda x: f"do {x.seat} unmortgage {x.deed}"),
        _row(d.BuildingBought, lambda x: f"do {x.seat} build {x.deed}"),
        _row(d.BuildingSold, _sold),
        _row(d.BuildingWanted, lambda x: f"do {x.seat} want {x.deed}"),
        _row(d.OfferMade, _offer),
        _row(d.OfferAccepted, lambda x: f"do {x.taker} accept"),
        _row(d.OfferRejected, lambda x: f"do {x.taker} reject"),
        _row(r.GuessMade, _guess),
        _row(r.GuessDeclined, lambda x: f"do {x.seat} skip-guess"),
        _row(r.DeedUnlocked, lambda x: f"do {x.seat} unlock {x.deed}"),
        _row(r.VaultRefilled, lambda _: "do vault lock"),
        _row(r.LidSeen, lambda x: f"do vault {LID_VERBS.get(x.lid, x.lid)}"),
        _row(r.PressIgnored, lambda _: "do vault press"),
    )
)
"""The line of an act, by the event it begins with; empty where the head has it."""
