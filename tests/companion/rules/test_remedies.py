"""What a refusal says to do, done: the same is then not refused for the same reason.

Goal: each refusal has a true next step; nobody is sent to and fro.
Method: in random games of all boxes each seat tries moves of every kind. ``ACTS`` reads
what a remedy says, by its words alone, and does that at the table. Then the move is
tried again. A remedy that *chooses another* names a move of the same kind; that must
not be refused for the same reason.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import NamedTuple

import pytest

from companion.edition import editions
from companion.errors import Refused
from companion.game import Game
from companion.game import commands as c
from companion.game import moves as m
from companion.game.board import Board
from companion.game.position import Bundle, Position
from companion.rules import RULES, awaited_seats, refusal, step
from companion.rules.deciding import YOURS_FIRST, moves_by_kind
from companion.rules.rule import Who
from companion.units import Account
from companion.words import Words
from companion.words.money import AMOUNT_MAX
from tests.companion.rules.test_engine_playouts import OPTIONS
from tests.eager import eager_move
from tests.guided import Guided, filled, fitting, random_move, random_offer
from tests.random_table import put_anywhere
from tests.tried import tried

LED = {kind for kind, row in RULES.items() if row.who is Who.PLAYER}
"""The moves of guided play; of other commands only the words are looked at."""


IMPLIED = {"{seat} decides first whether to buy": "wait for it"}
"""The remedy of a message that says by itself what has to come first."""


class Case(NamedTuple):
    """A move that was refused, and where."""

    dice: random.Random
    game: Game
    command: c.Command
    refused: Refused

    @property
    def play(self) -> Position:
        assert self.game.play is not None
        return self.game.play

    @property
    def board(self) -> Board:
        assert self.game.board is not None
        return self.game.board

    @property
    def said(self) -> str:
        """What the remedy says, without its values."""
        return template(self.refused.remedy) or IMPLIED.get(
            template(self.refused.message), ""
        )

    def named(self, value: str) -> str:
        """Return a value of the message, or of the remedy."""
        for text in (self.refused.message, self.refused.remedy):
            if isinstance(text, Words) and value in text.values:
                return str(text.values[value])
        return ""

    @property
    def by(self) -> str:
        """The seat that the refusal is about."""
        return self.named("by") or self.command.by

    @property
    def sites(self) -> list[int]:
        """The group of the deed that the refusal names, or else the move."""
        name = self.named("deed")
        deeds = self.board.rules.deeds
        for at, deed in enumerate(deeds):
            if name in (deed.name, deed.id):
                return list(dict.fromkeys((at, *self.board.members[at])))
        deed = getattr(self.command, "deed", "") or getattr(self.command, "target", "")
        levels = getattr(self.command, "levels", ())
        deed = deed or (levels[0][0] if levels else "")
        at = self.board.index.get(deed, 0)
        return list(dict.fromkeys((at, *self.board.members[at])))

    def is_answered(self, game: Game) -> bool:
        """Return whether the move is not refused there, or for another reason."""
        again = refusal(game, self.command)
        return again is None or not same(again, self.refused)


Act = Callable[[Case], Game | None]
"""Does what a remedy says; returns the game after it, or ``None`` if it cannot."""


def template(text: str) -> str:
    return text.template if isinstance(text, Words) else text


def same(one: Refused, other: Refused) -> bool:
    return (one.why, str(one.message)) == (other.why, str(other.message))


def given(game: Game, command: c.Command) -> Game | None:
    """Return the game after a command, or ``None`` if it is refused."""
    try:
        return step(game, command).game
    except Refused:
        return None


def put(game: Game, *lines: str) -> Game:
    """Put the table so: what a line asks for has come about in some way."""
    for line in lines:
        words = tuple(line.split())
        said = m.CorrectPosition(by=c.TABLE, words=words, is_given=True)
        game = given(game, said) or game
    return game


# Acts.

LONG, SHORT = 600, 40


def wait(case: Case) -> Game | None:
    """All play on until it is time."""
    game = case.game
    for _ in range(LONG):
        assert game.play is not None
        if case.is_answered(game) or game.play.stage == "over":
            return game
        move = eager_move if case.dice.random() < 0.5 else random_move
        game = given(game, move(case.dice, game)) or game
    return game


def finish(case: Case) -> Game | None:
    """The seat itself does what the table waits for."""
    game, by = case.game, case.command.by
    for _ in range(SHORT):
        if case.is_answered(game):
            return game
        if by not in awaited_seats(game):
            return wait(case._replace(game=game))
        choices = [
            (kind, choice)
            for kind, found in moves_by_kind(game, by)
            for choice in found
            if kind not in (m.Resign, m.MakeOffer, m.ReadBox, m.LiftMortgage)
        ]
        if not choices:
            return wait(case._replace(game=game))
        _, choice = case.dice.choice(choices)
        game = given(game, filled(case.dice, game, by, choice)) or game
    return game


def roll_on(case: Case) -> Game | None:
    """The seat rolls, and all play on."""
    rolled = do(m.Roll)(case)
    return None if rolled is None else wait(case._replace(game=rolled))


def raise_money(case: Case) -> Game | None:
    """The seat gets the money that it lacks."""
    payer = case.named("payer")
    short = int("".join(x for x in case.named("amount") if x.isdigit()))
    lacking = int("".join(x for x in str(case.refused.remedy) if x.isdigit()))
    assert lacking <= short
    cash = case.game.ledger[Account(payer)] + lacking
    return put(case.game, f"{payer} cash {cash}")


def get_deeds(case: Case) -> Game | None:
    """The seat gets the deeds, by trade, at a landing or with a key."""
    ids = [case.board.rules.deeds[at].id for at in case.sites]
    if case.named("deed") and "missing" not in case.said:
        ids = ids[:1]
    lines = [
        line
        for x in ids
        for line in (f"{x} bare", f"{x} unmortgaged", f"{x} owner {case.by}")
    ]
    return put(case.game, *lines)


def at_that_deed(kind: type[m.Build | m.Unbuild]) -> Act:
    """Build, or sell, on the deed that is named, step by step."""

    def act(case: Case) -> Game | None:
        by = case.command.by
        game = case.game if kind is m.Unbuild else come_back(case) or case.game
        game = put(game, f"{by} cash 20000")
        deed = case.board.rules.deeds[case.sites[0]].id
        for _ in range(8):
            if case.is_answered(game):
                break
            game = given(game, kind(by=by, deed=deed)) or game
        return game

    return act


def build_it(case: Case) -> Game | None:
    """The seat builds where it has asked for a building."""
    assert isinstance(case.command, m.WantBuilding)
    return given(case.game, m.Build(by=case.command.by, deed=case.command.deed))


def clear_group(case: Case) -> Game | None:
    """Sell what stands in the group, or take it into the hand."""
    by = case.named("owner") or case.command.by
    game = read_all(case.game, by)
    for _ in range(SHORT):
        if case.is_answered(game):
            break
        for at in case.sites:
            deed = case.board.rules.deeds[at].id
            for is_all in (False, True):
                move = m.Unbuild(by=by, deed=deed, is_all=is_all)
                game = given(game, move) or game
    return game


def owner_sells(case: Case) -> Game | None:
    """Whoever owns the deed sells what stands in its group, between moves."""
    return clear_group(case._replace(game=wait_for_roll(case)))


def one_by_one(case: Case) -> Game | None:
    """Sell one by one, in turn: nothing is left of the group."""
    game, by, board = case.game, case.command.by, case.board
    site = board.sites[case.sites[0]]
    for _ in range(SHORT):
        for at in site:
            game = given(game, m.Unbuild(by=by, deed=board.rules.deeds[at].id)) or game
    assert game.play is not None
    mine = [at for at in site if game.play.owners[at] == by]
    left = [at for at in mine if game.play.levels[at]]
    return None if left else game


def lift_group(case: Case) -> Game | None:
    by = case.command.by
    game = put(read_all(case.game, by), f"{by} cash 20000")
    for at in case.sites:
        deed = case.board.rules.deeds[at].id
        game = given(game, m.LiftMortgage(by=by, deed=deed)) or game
    return game


def lift_later(case: Case) -> Game | None:
    """The owner lifts the mortgage between moves."""
    return lift_group(case._replace(game=wait_for_roll(case)))


def build_one(case: Case) -> Game | None:
    """With a whole group, the seat builds on one of its streets."""
    by, deeds = case.command.by, case.board.rules.deeds
    group = next(x for x in case.board.groups if deeds[x[0]].ladder)
    ids = [deeds[at].id for at in group]
    lines = [
        f"{x} {what}" for x in ids for what in ("bare", "unmortgaged", f"owner {by}")
    ]
    rich = case._replace(game=put(case.game, f"{by} cash 20000"))
    game = put(wait_for_roll(rich), f"{by} cash 2000", f"{by} hotels 1", *lines)
    return given(read_all(game, by), m.Build(by=by, deed=ids[0]))


def read_all(game: Game, by: str) -> Game:
    assert game.board is not None
    for one in game.board.unknown:
        amount = fitting(game, one.key)
        game = given(game, m.ReadBox(by=by, key=one.key, value=amount)) or game
    return game


def raise_otherwise(case: Case) -> Game | None:
    """The seat mortgages that deed of its own, or offers it to somebody."""
    by, deeds = case.command.by, case.board.rules.deeds
    deed = deeds[case.sites[0]].id
    bare = [f"{deeds[at].id} bare" for at in case.sites]
    taker = next(x for x in case.play.playing() if x != by)
    give, want = Bundle(deeds=(deed,)), Bundle(cash=1)
    offer = m.MakeOffer(by=by, taker=taker, give=give, want=want)
    for game in (case.game, wait_for_roll(case)):
        ready = put(read_all(game, by), *bare, f"{deed} owner {by}")
        done = given(ready, m.Mortgage(by=by, deed=deed)) or given(ready, offer)
        if done is not None:
            return done
    return None


def sell_it(case: Case) -> Game | None:
    """The seat sells that deed, with nothing on it, to the bank."""
    by, deed = case.command.by, case.board.rules.deeds[case.sites[0]].id
    game = put(case.game, f"{deed} bare", f"{deed} owner {by}")
    return given(game, m.SellDeed(by=by, deed=deed))


def mortgage_elsewhere(case: Case) -> Game | None:
    """The seat mortgages a deed of a group on which nobody has built."""
    by, play, deeds = case.command.by, case.play, case.board.rules.deeds
    bare = (
        group
        for group in case.board.groups
        if not any(play.levels[at] for at in group) and case.sites[0] not in group
    )
    for at in chain.from_iterable(bare):
        lines = (f"{deeds[at].id} {how}" for how in ("unmortgaged", f"owner {by}"))
        move = m.Mortgage(by=by, deed=deeds[at].id)
        if game := given(put(case.game, *lines), move):
            return game
    return None


def others_tell(case: Case) -> Game | None:
    """Another seat may give a verdict."""
    others = [seat for seat in case.play.playing() if seat != case.command.by]
    told = (given(case.game, m.GiveVerdict(by=x, verdict="real")) for x in others)
    return next((game for game in told if game is not None), None)


def mortgage_bare(case: Case) -> Game | None:
    """In place of a sale: the seat clears the group, and mortgages that deed."""
    by, deed = case.command.by, case.board.rules.deeds[case.sites[0]].id
    game = clear_group(case)
    return game and given(read_all(game, by), m.Mortgage(by=by, deed=deed))


def raise_to_pay(case: Case) -> Game | None:
    """The debtor sells and mortgages until it can pay."""
    game, by = case.game, case.command.by
    for _ in range(SHORT):
        if case.is_answered(game):
            break
        kinds = (m.SellDeed, m.Unbuild, m.Mortgage)
        found = [move for _, moves in moves_by_kind(game, by, kinds) for move in moves]
        if not found:
            break
        move = case.dice.choice(found)
        assert isinstance(move, m.Move)
        game = given(game, move) or game
    return game


def another(case: Case) -> Game | None:
    """Another move of the kind is not refused for that reason; an offer can go."""
    kind, by = type(case.command), case.command.by
    if kind is m.Accept:
        return given(case.game, m.Reject(by=by))
    for _, found in moves_by_kind(case.game, by, (kind,)):
        if found:
            return case.game
    others = (x for x in tried(case.game, by) if type(x) is kind)
    for other in others:
        again = refusal(case.game, other)
        if again is None or not same(again, case.refused):
            return case.game
    return None


def come_back(case: Case) -> Game | None:
    """The others sell what they have built."""
    play, deeds = case.play, case.board.rules.deeds
    others = [at for at, owner in enumerate(play.owners) if owner != case.command.by]
    game = put(case.game, *(f"{deeds[at].id} bare" for at in others))
    return put(game, *(f"bank {kind}s {n}" for kind, n in case.board.rules.pieces))


def set_so(*lines: str) -> Act:
    """What the remedy asks for has come about."""
    return lambda case: put(case.game, *(line.format(by=case.by) for line in lines))


def read_box(case: Case) -> Game | None:
    """The seat reads all that nobody has read."""
    return read_all(case.game, case.command.by)


def do(*kinds: type[m.Move]) -> Act:
    """The seat does that."""

    def act(case: Case) -> Game | None:
        for _, found in moves_by_kind(case.game, case.command.by, kinds):
            choice = case.dice.choice(found)
            move = filled(case.dice, case.game, case.command.by, choice)
            return given(case.game, move)
        return None

    return act


def begin_another(case: Case) -> Game | None:
    return Guided(case.game.terms.edition, 2).game


def offered(case: Case) -> Game | None:
    """Others offer something to the seat."""
    game, by = case.game, case.command.by
    for _ in range(LONG):
        assert game.play is not None
        if case.is_answered(game):
            break
        others = [seat for seat in game.play.playing() if seat != by]
        for seat in others:
            offer = random_offer(case.dice, game, seat)
            if offer.taker == by:
                game = given(game, offer) or game
        if not case.is_answered(game):
            game = given(game, random_move(case.dice, game)) or game
    return game


def in_stage(stage: str, *kinds: str) -> Act:
    """The seat has the dice, and lands on such a space."""

    def act(case: Case) -> Game | None:
        by, calm = case.command.by, wait_for_roll(case)
        assert calm.play is not None
        unowned = {at for at, owner in enumerate(calm.play.owners) if not owner}
        landings = [
            at
            for at, space in enumerate(case.board.rules.spaces)
            if space.kind in kinds or (not kinds and case.board.deed_at[at] in unowned)
        ]
        if not landings:
            return wait(case)
        return put(
            calm, f"turn {by}", f"{by} free", f"{by} on {landings[0]}", f"stage {stage}"
        )

    return act


def wait_for_roll(case: Case) -> Game:
    game = case.game
    for _ in range(LONG):
        assert game.play is not None
        if game.play.stage in ("roll", "over"):
            break
        game = given(game, random_move(case.dice, game)) or game
    return game


def as_it_is(case: Case) -> Game | None:
    """Do nothing: there is nothing to do, and the remedy says so."""
    return case.game


def agree_on_playing(case: Case) -> Game | None:
    """The table agrees that the game goes on."""
    words = ("end", "first-bankruptcy")
    return given(case.game, m.CorrectPosition(by=c.TABLE, words=words))


WAYS: tuple[tuple[Act, tuple[str, ...]], ...] = (
    (begin_another, ("begin another",)),
    (agree_on_playing, ("play on until one player is out, or begin another",)),
    (
        as_it_is,
        (
            "see in the history whether it was answered",
            "watch how the others play on",
            "you need not ask",
            "play on without it",
            "play on without them",
            "leave it so",
            "trade for a deed",
            "trade for the street",
        ),
    ),
    (
        wait,
        (
            "wait until that is done",
            "wait for it",
            "wait for {who}",
            "play on",
            "play on until one is",
            "play on until something is",
            "play on until there is",
            "wait until somebody lands on yours",
            "ask sooner when somebody lands on yours again",
            "wait until this auction is over",
            "wait until somebody bids more or all have passed",
            "wait until it is handed over",
            "wait until somebody pays or uses a card",
            "wait until somebody flips a chip",
            "you keep your chip; wait for what the decoder says",
            "keep it until then",
            "keep it until the next roll is due",
            "keep the card for one",
            "build later",
            "sell it later",
            "trade later",
            "wait, or trade with {debtor} for the debt",
            "wait for the lid",
            "wait until it is locked again",
            "wait until it is used",
            "wait until {payer} has raised {amount}",
        ),
    ),
    (
        finish,
        (
            *YOURS_FIRST.values(),
            "pay that first",
            "build it evenly",
            "raise the money without a trade",
        ),
    ),
    (roll_on, ("roll",)),
    (offered, ("wait for one", "wait for another one")),
    (in_stage("buy"), ("play on until you land on a deed that nobody owns",)),
    (
        in_stage("card", "chance", "community-chest"),
        ("play on until you land on a card space",),
    ),
    (in_stage("key"), ("open the vault for one",)),
    (raise_money, ("raise {amount} first",)),
    (
        get_deeds,
        (
            "trade with {owner} for it",
            "buy it when you land there",
            "find a key in the vault",
            "buy what is missing, or trade for it",
            "open what is missing with a key, or buy or trade for it",
            "trade for what is missing",
            "trade with {owner} for it later",
        ),
    ),
    (set_so("{by} hotels 2"), ("open the vault for one, or trade",)),
    (set_so("{by} chips 1"), ("pass GO to turn them green",)),
    (set_so("{by} free"), ("leave jail first",)),
    (set_so("vault shut", "vault locked"), ("shut it first",)),
    (come_back, ("wait until some come back", "ask for one, too")),
    (at_that_deed(m.Build), ("build there, then here",)),
    (at_that_deed(m.Unbuild), ("sell there first",)),
    (
        owner_sells,
        (
            "sell it first",
            "sell all buildings of the group first",
            "{owner} sells it first",
            "{owner} sells all buildings of the group first",
        ),
    ),
    (one_by_one, ("sell one by one, in turn",)),
    (
        clear_group,
        (
            "sell the buildings of the group, then mortgage",
            "take all hotels of the group back into your hand, then mortgage",
            "sell the depot, then mortgage",
            "sell the hotel first, then the street",
            "sell all of it, or wait until some come back",
        ),
    ),
    (lift_group, ("lift the mortgages of the group, then build", "lift it first")),
    (
        raise_to_pay,
        (
            "sell buildings or mortgage deeds",
            "sell hotels or streets to the bank",
            "mortgage deeds, or trade",
        ),
    ),
    (sell_it, ("sell it to the bank",)),
    (read_box, ("type in what the real card says",)),
    (do(m.PayDebt), ("pay what you owe",)),
    (do(m.Roll), ("roll: without doubles you pay it then",)),
    (lift_later, ("lift the mortgage before somebody lands there again",)),
    (do(m.Buy, m.PutUp), ("buy it, or put it up for auction",)),
    (
        mortgage_elsewhere,
        ("mortgage another deed", "mortgage a deed of another group"),
    ),
    (
        raise_otherwise,
        ("mortgage it, or trade it", "trade it", "sell the hotel, then trade it"),
    ),
    (build_it, ("build it",)),
    (do(m.Guess), ("guess",)),
    (do(m.HandOver), ("hand it over if nobody else wants to look",)),
    (others_tell, ("let the others say what it shows",)),
    (do(m.Draw), ("draw one",)),
    (
        build_one,
        ("build on one street after another", "build with one from the vault"),
    ),
    (do(m.LockVault), ("shut and lock it first", "fill it, shut it and lock it first")),
    (
        another,
        (
            "did you mean {close}?",
            "type it again",
            "type them again",
            "type what it says",
            "answer when a token has landed there",
            "the banker can correct it",
            "choose another figure",
            "read the card again; the banker can correct both",
            "read the card again; you can type in the other one again, too",
            "read the card again; {by} can type in the other one again",
            "whoever typed it in can type it again; so can the banker",
            "choose another deed",
            "choose a mortgaged deed",
            "choose another street",
            "choose another seat",
            "choose another one",
            "choose the other one",
            "choose a street",
            "choose where something stands",
            "choose something in the list",
            "choose the card in the list",
            "choose a seat that plays",
            "choose somebody else",
            "choose somebody who landed on yours",
            "choose a space up to the next corner",
            "choose what shall stand where",
            "build somewhere else",
            "choose a locked street",
            "lay it out again",
            "spread it evenly",
            "build up",
            "agree on another trade",
            "add a deed or a card",
            "bid that or more, or pass",
            "turn the wheel of the vault and press M",
            "say only which of them",
            "look at the card again",
            "draw without naming a card",
            "take one of the open cards",
            "take an open one",
            "say which note it was",
            "use it without naming anybody",
        ),
    ),
)
"""What is done -> the remedies that say so, without their values."""

ACTS = {said: act for act, words in WAYS for said in words}


# The games.


def commands(dice: random.Random, game: Game, by: str) -> Iterator[c.Command]:
    """Draw one move of each kind."""
    by_kind: dict[type[c.Command], list[c.Command]] = defaultdict(list)
    for command in tried(game, by):
        if not isinstance(command, m.Bid) or command.amount <= AMOUNT_MAX:
            by_kind[type(command)].append(command)
    for found in by_kind.values():
        yield dice.choice(found)


def cases(edition: str, seed: int, positions: int) -> Iterator[Case]:
    """Play a random game; yield what is refused at so many positions of it."""
    dice = random.Random(f"remedies {edition} {seed}")
    options = OPTIONS[edition]
    play = Guided(edition, 3, options[seed % len(options)])
    if seed % 3:
        put_anywhere(dice, play)
    for _ in range(positions):
        for _ in play.play_on(dice, dice.randint(1, 9)):
            pass
        for by in [token.seat for token in play.at.tokens]:
            for command in commands(dice, play.game, by):
                refused = refusal(play.game, command)
                if refused is not None:
                    yield Case(dice, play.game, command, refused)
        if play.at.stage == "over":
            return


EACH = 1
"""How often the same words are answered in a box, for the same kind of move."""

TOLD_BY_MOVE = (
    *(another, as_it_is, build_one, mortgage_elsewhere),
    *(mortgage_bare, one_by_one, others_tell, raise_otherwise, sell_it),
)
"""Acts in place of the move, which then need not be tried again."""


def wrong(found: Iterable[Case]) -> list[str]:
    """Return what is refused without a remedy, or again after it."""
    seen: Counter[tuple[object, ...]] = Counter()
    faults = []
    for case in found:
        kind, said = type(case.command), case.said
        sort = (case.game.terms.edition, kind, template(case.refused.message), said)
        seen[sort] += 1
        if seen[sort] > EACH or (said and kind not in LED):
            continue
        act = ACTS.get(said)
        if kind is m.SellDeed and act is clear_group and "mortgage" in said:
            act = mortgage_bare
        game = act(case) if act is not None else None
        holds = game is not None and (act in TOLD_BY_MOVE or case.is_answered(game))
        if not holds:
            where = f"{case.game.terms.edition}, {case.play.stage}: {case.command}"
            faults.append(f"{where}: {case.refused}")
    return faults


def check_games(edition: str, seeds: Iterable[int], positions: int) -> None:
    found = chain.from_iterable(cases(edition, seed, positions) for seed in seeds)
    faults = wrong(found)
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize("edition", editions())
def test_what_a_refusal_says_to_do_helps(edition: str) -> None:
    check_games(edition, range(12), positions=4)


@pytest.mark.slow
@pytest.mark.parametrize("edition", editions())
def test_what_refusals_of_many_games_say_to_do_helps(edition: str) -> None:
    check_games(edition, range(100, 160), positions=6)
