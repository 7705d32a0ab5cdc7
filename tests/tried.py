"""Every kind of command with arguments at their bounds, and with nonsense.

``tests/guided.py`` and ``tests/scene.py`` have those worth trying; here are the others,
which only a page's form, a script or a hand at the keyboard can give.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from companion.edition.catalogue import Catalogue
from companion.edition.snapshot import snapshot
from companion.game import Game
from companion.game import commands as c
from companion.game import moves as m
from companion.game.ledger import Reason
from companion.game.move_run import MoveRun
from companion.game.position import FORCED, LOCKED, OPEN, SHUT, Bundle, Position
from companion.rules import RULES, out_of_turn
from companion.rules.auction import lowest_bid
from companion.rules.rule import Who
from companion.rules.seats import COLOURS, TOKENS
from companion.rules.trade import hotels_of, jail_cards_of
from companion.units import BANK, CAMERA, VAULT, Account, Revision, Seat
from companion.words.money import AMOUNT_MAX
from tests.guided import candidates
from tests.scene import AMOUNTS, ask, pay, sitting

NOBODY, NOWHERE = "nobody", "nowhere"

AFAR = ("stranger", c.TABLE, BANK, VAULT, CAMERA)
"""Those that give commands without being a seat that plays."""


def tried(game: Game, by: str) -> Iterator[c.Command]:
    """Yield all that *by* could try now, but each kind out of turn only once."""
    closed: dict[type[c.Command], bool] = {}
    for command in _all(game, by):
        kind = type(command)
        if kind not in closed:
            closed[kind] = out_of_turn(game, by, kind) is not None
        elif closed[kind]:
            continue
        yield command


def _all(game: Game, by: str) -> Iterator[c.Command]:
    yield from by_hand(game, by)
    if game.play is None or game.board is None:
        yield from _before_play(game, by)
        return
    yield from candidates(game, by)
    yield from offers(game, by)
    yield from plans(game, by)
    yield from _numbers(game, by)
    yield from _cards(game, by)
    yield from _box(game, by)
    yield from _whole_table(game, by)


def _before_play(game: Game, by: str) -> Iterator[c.Command]:
    """Yield moves of a game that the companion does not lead yet."""
    rules = snapshot(Catalogue()(game.terms.edition))
    yield m.BeginPlay(by=by, rules=rules)
    yield m.CorrectPosition(by=by, words=("red", "free"))
    for kind, row in RULES.items():
        if not c.fields_of(kind):
            yield kind(by=by)
        elif row.who is Who.PLAYER:
            yield from _with_nothing(kind, by)


def _with_nothing(kind: type[c.Command], by: str) -> Iterator[c.Command]:
    """Yield a move with any arguments."""
    words: dict[type[c.Command], dict[str, object]] = {
        m.Roll: {"dice": (1, 2)},
        m.Bid: {"amount": 1},
        m.UseCard: {"card": "jail-card"},
        m.Choose: {"word": "keep"},
        m.UseTicket: {"space": "go"},
        m.GiveVerdict: {"verdict": "real"},
        m.Level: {"levels": ()},
        m.MakeOffer: {"taker": "blue", "give": Bundle(), "want": Bundle(cash=1)},
        m.Guess: {"number": 1},
        m.ReportLid: {"lid": OPEN},
        m.ReadBox: {"key": "space.1.kind", "value": "chance"},
    }
    needed = [field.name for field in c.fields_of(kind) if field.required]
    said = words.get(kind, dict.fromkeys(needed, NOWHERE))
    make: Callable[..., c.Command] = kind
    yield make(by=by, **said)


# Trades.


def bundles(game: Game, seat: str) -> Iterator[Bundle]:
    """Yield one side of a trade: each thing alone, none, all, and one too many."""
    run, board = MoveRun(game), game.board
    play = _play(game)
    assert board is not None
    is_there = play.token(seat) is not None
    cash = run.cash(seat) if is_there else 0
    for amount in (-1, 1, cash, cash + 1, AMOUNT_MAX + 1):
        yield Bundle(cash=amount)
    cards = len(jail_cards_of(run, seat)) if is_there else 0
    hotels = hotels_of(run, seat) if is_there else 0
    tickets = play.token_of(seat).tickets if is_there else 0
    for count in dict.fromkeys((-1, 1, cards, cards + 1)):
        yield Bundle(jail_cards=count)
    for count in dict.fromkeys((1, hotels, hotels + 1)):
        yield Bundle(hotels=count)
    for count in dict.fromkeys((1, tickets, tickets + 1)):
        yield Bundle(tickets=count)
    yield Bundle(debt=True)
    for deed in (*_telling_deeds(game), NOWHERE):
        yield Bundle(deeds=(deed,))


def offers(game: Game, by: str) -> Iterator[m.MakeOffer]:
    """Yield offers of each thing alone, of both sides."""
    mine = [token.seat for token in _play(game).tokens]
    for taker in (*mine, NOBODY):
        for give in bundles(game, by):
            yield m.MakeOffer(by=by, taker=taker, give=give, want=Bundle())
        for want in bundles(game, taker):
            yield m.MakeOffer(by=by, taker=taker, give=Bundle(), want=want)
        owned = tuple(
            deed
            for deed, owner in zip(_index(game), _play(game).owners, strict=True)
            if owner == by
        )
        yield m.MakeOffer(
            by=by, taker=taker, give=Bundle(deeds=owned[:1] * 2), want=Bundle()
        )
        yield m.MakeOffer(by=by, taker=taker, give=Bundle(), want=Bundle())
        yield m.MakeOffer(
            by=by, taker=taker, give=Bundle(cash=1), want=Bundle(cash=1, debt=True)
        )


# Buildings.


def plans(game: Game, by: str) -> Iterator[m.Level]:
    """Yield buildings for each group of the seat: even, uneven, and too many."""
    play, board = _play(game), game.board
    assert board is not None
    yield m.Level(by=by, levels=())
    yield m.Level(by=by, levels=((NOWHERE, 1),))
    for sites in dict.fromkeys(board.sites):
        mine = [at for at in sites if play.owners[at] == by]
        ids = [board.rules.deeds[at].id for at in mine]
        if not ids:
            continue
        most = len(board.rules.deeds[mine[0]].ladder)
        for level in range(most + 2):
            yield m.Level(by=by, levels=tuple((deed, level) for deed in ids))
            if level:
                uneven = ((x, level - (x != ids[0])) for x in ids)
                yield m.Level(by=by, levels=tuple(uneven))
                far = ((x, level if x == ids[0] else 0) for x in ids)
                yield m.Level(by=by, levels=tuple(far))
        yield m.Level(by=by, levels=tuple((deed, 1) for deed in ids[1:]))
        yield m.Level(by=by, levels=((ids[0], 1), (ids[0], 2)))
        now = ((board.rules.deeds[at].id, play.levels[at]) for at in mine)
        yield m.Level(by=by, levels=tuple(now))
    others = [x for x, owner in zip(_index(game), play.owners, strict=True) if owner]
    yield m.Level(by=by, levels=tuple((deed, 1) for deed in others[:2]))


# Amounts, cards, and what is read off the box.


def _numbers(game: Game, by: str) -> Iterator[m.Move]:
    run, board = MoveRun(game), game.board
    play = _play(game)
    assert board is not None
    if play.auction is not None and play.token(by) is not None:
        low, step = lowest_bid(run), board.rules.auction.step
        high = run.cash(by)
        for amount in (low - 1, low, low + step, low + step // 2, high, high + step):
            yield m.Bid(by=by, amount=amount)
        round_up = low + -(-(high + 1 - low) // step) * step
        yield m.Bid(by=by, amount=round_up)
    for number in (0, 1):
        yield m.Guess(by=by, number=number)
    for note in (*board.rules.money.notes[:1], 7, AMOUNT_MAX):
        yield m.GiveVerdict(by=by, verdict="fake", amount=note)
    yield m.AskRent(by=by)
    for lid in (OPEN, SHUT, LOCKED, FORCED, "ajar"):
        yield m.ReportLid(by=by, lid=lid)
    yield m.ReportPress(by=by)


def _cards(game: Game, by: str) -> Iterator[m.Move]:
    play, board = _play(game), game.board
    assert board is not None
    token = play.token(by)
    kept = token.cards if token is not None else ()
    kinds = ("skip-rent", "free-hotel", "jail-someone", "guess", "jail-card")
    targets = (NOWHERE, *(x.seat for x in play.tokens), *board.index)
    for card in dict.fromkeys((*kept, *kinds)):
        yield m.UseCard(by=by, card=card)
        for target in targets:
            yield m.UseCard(by=by, card=card, target=target)
    for card in board.cards:
        yield m.Draw(by=by, card=card)
        yield m.UseCard(by=by, card=card)
    for word in ("", "pay:7", "keep:guess", "move-back:3", "chance-kind-1"):
        yield m.Draw(by=by, card=word)
    for number in range(board.size):
        yield m.UseTicket(by=by, space=str(number))


def _box(game: Game, by: str) -> Iterator[m.ReadBox]:
    board = game.board
    assert board is not None
    known = (*board.unknown, *board.likely.values())
    for one in (*known[:2], *known[-2:]):
        for value in (0, 1, -1, AMOUNT_MAX + 1):
            yield m.ReadBox(by=by, key=one.key, value=value)
        yield m.ReadBox(by=by, key=one.key, value="dear")
        yield m.ReadBox(by=by, key=one.key, value=7, is_likely=True)
    for key in ("deed.nowhere.price", "card.chance-01.amount", "space.99.kind", "odd"):
        yield m.ReadBox(by=by, key=key, value=50)
    deed = next(iter(board.index))
    for figure in ("price", "mortgage", "colour"):
        yield m.ReadBox(by=by, key=f"deed.{deed}.{figure}", value=50)
        yield m.ReadBox(by=by, key=f"deed.{deed}.{figure}", value=-1)


# What concerns the whole table.


def _whole_table(game: Game, by: str) -> Iterator[m.Move]:
    board = game.board
    assert board is not None
    deed = board.rules.deeds[0].id
    yield m.BeginPlay(by=by, rules=board.rules)
    yield m.BeginPlay(by=by, rules=board.rules, deal=(deed, deed))
    yield from (m.RestPlay(by=by), m.ResumePlay(by=by), m.CallTime(by=by))
    for words in _said(game):
        yield m.CorrectPosition(by=by, words=tuple(words.split()))


def _said(game: Game) -> Iterator[str]:
    """Yield corrections, possible and impossible ones of all kinds."""
    play, board = _play(game), game.board
    assert board is not None
    seat = play.tokens[0].seat
    yield from ("", seat, "top chance", "nonsense here", f"{seat} dances")
    yield from ("space 2", "space 99 chance", "space 2 attic", "figure", "card")
    yield from ("card chance", "card chance nonsense", "turn nobody", "stage attic")
    for what in CORRECTIONS:
        yield f"{seat} {what}"
    for deed in _telling_deeds(game):
        for what in ABOUT_DEEDS:
            yield f"{deed} {what}"
        yield f"{deed} owner {seat}"
        yield f"{seat} owns {deed}"
        yield f"figure {deed} mortgage 50"
        yield f"figure {deed} attic 50"
    for kind in (*board.kinds, "keys", "tickets"):
        yield from (f"bank {kind}s 0", f"bank {kind}s 999", f"bank {kind}s dear")
        yield from (f"bank {kind} 0", f"bank {kind} 999")
    for what in ("locked", "open", "ajar", "keys 0", "keys 99", "hotels 2", "cash 1"):
        yield f"vault {what}"
    for stage in ("roll", "card", "buy", "auction", "guess", "key", "refill", "choose"):
        yield f"stage {stage}"
    for stage in ("payment", "verdict", "card-use", "rent-roll", "level", "debt"):
        yield f"stage {stage}"
    yield from ("doubles 1", "doubles 9", "turn red", "faceup chance-01", "faceup")


CORRECTIONS = (
    *("on 0", "on 99", "on", "cash 1", "cash -1", "cash dear", "jailed 1", "jailed 9"),
    *("free", "cards none", "cards jail-card", "cards chance-01", "cards nonsense"),
    *("owes 1", "owes 1 to nobody", "owes", "hotels 1", "hotels 999", "chips 1"),
    *("chips 9", "tickets 1", "tickets 99", "owns nowhere", "bankrupt"),
)
ABOUT_DEEDS = (
    *("owner none", "owner nobody", "houses 1", "houses 9", "hotels 1", "hotels 9"),
    *("mortgaged", "unmortgaged", "bare", "skyscraper", "depot", "attic"),
)


def _telling_deeds(game: Game) -> Iterator[str]:
    """Yield the first deed of each kind: owned, built on, mortgaged, and so on."""
    play, board = _play(game), game.board
    assert board is not None
    seen = set()
    for at, deed in enumerate(board.rules.deeds):
        sites = board.sites[at]
        kind = (
            play.owners[at],
            bool(play.levels[at]),
            play.mortgaged[at],
            bool(deed.ladder),
            any(play.levels[i] for i in sites),
        )
        if kind not in seen:
            seen.add(kind)
            yield deed.id


# By hand.

NAMES = (
    "",
    "x" * 40,
    "x" * 400,
    "\N{COMBINING DIAERESIS}",
    "\u202eevil",
    "Bank",
    "P\u0430ul",
    "Zoë",
)


def by_hand(game: Game, by: str) -> Iterator[c.Command]:
    """Yield banking by hand, seats, and taking back."""
    for kind in (c.LockTable, c.UnlockTable, c.Undo, c.Redo, c.CloseGame, c.ReopenGame):
        yield kind(by=by)
    yield c.BeginBanking(by=by)
    for number in (0, *(one.number for one in game.asks), game.asks_count + 1):
        for answer in (c.PayAsk, c.DeclineAsk, c.WithdrawAsk):
            yield answer(by=by, number=number)
    asked = [game.undo_ask.revision] if game.undo_ask else []
    revisions = (0, 10**6, *asked, *(act.revision for act in game.undoable[-2:]))
    for revision in dict.fromkeys(revisions):
        for about in (c.UndoTo, c.AllowUndo, c.DeclineUndo):
            yield about(by=by, revision=Revision(revision))
    present = [state.seat for state in game.seats]
    yield from _seats(by, present)
    yield from _money(by, present)


def _seats(by: str, present: Iterable[str]) -> Iterator[c.Command]:
    for colour in COLOURS:
        yield sitting(colour, by)
    for name in (*NAMES, "Red"):
        yield sitting("pink", by, name) if name else _adding(by, name="")
        yield c.RenameSeat(by=by, seat=Seat("red"), name=name)
        yield c.RenameSeat(by=by, seat=Seat("blue"), name=name)
    yield from (_adding(by, seat="Two Words"), _adding(by, colour="beige"))
    yield from (_adding(by, token="boot-less"), _adding(by, token=TOKENS[0]))
    for seat in (*present, NOBODY):
        yield c.RemoveSeat(by=by, seat=Seat(seat))
        yield c.HandBanker(by=by, to=Seat(seat))
        yield c.CollectSalary(by=by, seat=Seat(seat))


def _adding(
    by: str,
    *,
    seat: str = "pink",
    name: str = "Zoë",
    colour: str = "pink",
    token: str = TOKENS[-1],
) -> c.AddSeat:
    return c.AddSeat(by=by, seat=Seat(seat), name=name, colour=colour, token=token)


def _money(by: str, present: Iterable[str]) -> Iterator[c.Command]:
    accounts = (*present, BANK, VAULT, NOBODY)
    for account in accounts:
        for amount in AMOUNTS:
            yield c.CorrectBalance(by=by, account=Account(account), balance=amount)
            yield pay(by, account, amount, by)
            yield pay(account, BANK, amount, by)
            yield ask(by, account, amount, by)
            yield ask(account, BANK, amount, by)
        yield pay(account, BANK, 1, by, Reason.SALARY)
        yield pay(by, account, 1, by, Reason.START)
        reason = Reason.CORRECTION
        yield c.AskMoney(
            by=by, seat=Seat(by), payer=Account(account), amount=1, reason=reason
        )


def _play(game: Game) -> Position:
    assert game.play is not None
    return game.play


def _index(game: Game) -> Iterable[str]:
    assert game.board is not None
    return game.board.index
