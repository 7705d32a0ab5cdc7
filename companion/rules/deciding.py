"""Deciding every command: whether it is allowed, and which events follow.

Whoever gives a command, *by*, is a seat, ``bank``, ``table``, ``camera`` or ``vault``.
Each kind of command has a row in ``RULES``. ``legal_commands`` and ``legal_moves``,
from which the panel draws its buttons, read the same rows as ``decide``, and so list
exactly what it accepts.

Rule 1: a move that the stage does not take is refused as ``wrong_stage``.
Rule 2: a move by a seat that the stage does not name is refused as ``not_your_turn``.

Source:
    The order of the reasons: ``Why``, from the section "Reasons" of
    ``companion/script/README.md``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from companion.errors import Refused, Why
from companion.game import Game
from companion.game import commands as c
from companion.game import events as e
from companion.game import moves as m
from companion.game.ledger import SEAT_RULE
from companion.game.move_run import MoveRun
from companion.game.position import BUS, DEAL, OPEN, SHUT, Auction
from companion.game.stage import FOR_SALE, LAID_STAGES, OF_THE_TABLE, Stage
from companion.rules.auction import (
    AUCTION_FIRST_RULE,
    AUCTION_RULE,
    BUY_OR_AUCTION_RULE,
    LAST_BUILDING_RULE,
    PASSED_RULE,
)
from companion.rules.cards import CARD_RULE, RENT_CARD_RULE, rule_of_draw
from companion.rules.choosing import (
    AUCTION_SPACE_RULE,
    BUS_RULE,
    GIFT_RULE,
    TRIPLES_RULE,
)
from companion.rules.commands_table import ALLOWED, RULES
from companion.rules.decoder import CARD_LAID_RULE, LAID_RULE, VERDICT_RULE
from companion.rules.deeds import OWING_RULE
from companion.rules.ending import game_over
from companion.rules.levelling import LAST_STREET_RULE
from companion.rules.rule import (
    BETWEEN_TURNS_RULE,
    LEAD_RULE,
    OWN_MONEY_RULE,
    Choice,
    Range,
    Rule,
    Who,
    is_for,
    not_led,
    not_playing,
    out_of_game,
)
from companion.rules.seats import PUT_AWAY_RULE
from companion.rules.tickets import TICKET_UTILITY_RULE
from companion.rules.trade import lapse_offers
from companion.rules.turn import TURN_RULE
from companion.rules.vault import (
    GUESS_RULE,
    KEY_RULE,
    VAULT_REFILLED_RULE,
    lid_rising,
)
from companion.rules.walking import ANY_SPACE, GIFT, LOT, MR_ALONE_RULE, is_mr_moving
from companion.sheets import Told
from companion.units import BANK, CAMERA, VAULT
from companion.words import Words, say
from companion.words.lists import enumerated
from companion.words.money import dollars_text


def decide(game: Game, command: c.Command) -> tuple[e.GameEvent, ...]:
    """Return the events that follow when *command* is given; change nothing.

    Raises:
        Refused: With the first reason that applies, in the order of ``Why``.
    """
    return tuple(step(game, command).events)


def step(game: Game, command: c.Command) -> MoveRun:
    """Carry out *command*; return the run, with its events and the game after them.

    Raises:
        Refused: As ``decide`` does.
    """
    run = MoveRun(game)
    refused = _check_command(run, command)
    if refused is not None:
        raise refused
    RULES[type(command)].apply(run, command)
    if game.play is not None and game.play.offers:
        lapse_offers(run, game.play)
    return run


def refusal(game: Game, command: c.Command) -> Refused | None:
    """Return why *command* would be refused now; ``None`` if it would be accepted."""
    try:
        return _check_command(MoveRun(game), command)
    except Refused as refused:
        return refused


def out_of_turn(game: Game, by: str, kind: type[c.Command]) -> Refused | None:
    """Return why *by* may give no command of *kind* now, whatever its arguments."""
    try:
        return _check_turn(MoveRun(game), by, kind)
    except Refused as refused:
        return refused


def _check_command(run: MoveRun, command: c.Command) -> Refused | None:
    """Check who gives the command and when, then what its own rule checks.

    Where the seat lacks something for it, the refusal keeps its reason, but says that.
    """
    rule = RULES[type(command)]
    refused = _check_turn(run, command.by, type(command)) or rule.check(run, command)
    if refused is None or rule.lacks is None or refused.why in OF_THE_SEAT:
        return refused
    lacking = rule.lacks(run, command) if run.game.is_guided else None
    if lacking is None or str(lacking) == str(refused):
        return refused
    lacking.why = refused.why
    return lacking


OF_THE_SEAT = (Why.GAME_OVER, Why.UNKNOWN_SEAT, Why.BANKRUPT)
"""Reasons to refuse a seat whatever it tries."""


def _check_turn(run: MoveRun, by: str, kind: type[c.Command]) -> Refused | None:
    """Check that *by* may give some command of *kind* now."""
    rule, game = RULES[kind], run.game
    if rule.who is Who.PLAYER and game.is_guided and not game.is_closed:
        return _why_not_in_turn(run, rule, by, kind)
    return _why_not_at_table(game, kind, by)


def may_give(game: Game, by: str, kind: type[c.Command]) -> bool:
    """Return whether *by* has a legal command of *kind*."""
    if RULES[kind].who is Who.PLAYER:
        return any(moves for _, moves in moves_by_kind(game, by, (kind,)))
    return is_at_table(game, by) and _has_legal_choice(MoveRun(game), kind, by)


def legal_commands(game: Game, by: str) -> tuple[type[c.Command], ...]:
    """List the commands for which ``may_give`` says yes, in the order of ``RULES``."""
    return tuple(kind for kind in RULES if may_give(game, by, kind))


def legal_moves(game: Game, seat: str) -> tuple[Choice, ...]:
    """List every move that *seat* may make; a ``Range`` where there are too many."""
    return tuple(move for _, moves in moves_by_kind(game, seat) for move in moves)


def moves_by_kind(
    game: Game, seat: str, kinds: Iterable[type[c.Command]] | None = None
) -> Iterator[tuple[type[c.Command], list[Choice]]]:
    """Yield each kind of move that has legal ones, with the list of them.

    A kind is worked out only when it is reached. *kinds* names those to work out, in
    this order; ``None`` stands for all.
    """
    play = game.play
    if play is None or not game.is_guided or game.is_closed:
        return
    token = play.token(seat)
    if token is None or token.is_out:
        return
    run = MoveRun(game)
    allowed = {**ALLOWED[play.stage], **_allowed_in_this_box(run, play.stage)}
    for kind in allowed if kinds is None else kinds:
        who = allowed.get(kind)
        if who is None or not is_for(play, seat, who):
            continue
        check = RULES[kind].check
        moves = [
            choice
            for choice in RULES[kind].choices(run, seat)
            if isinstance(choice, Range) or check(run, choice) is None
        ]
        if moves:
            yield kind, moves


# At the table.


def is_at_table(game: Game, by: str) -> bool:
    """Return whether *by* is a seat at the table, the banker, or the table itself."""
    return keeps_bank(game, by) or game.seat(by) is not None


def keeps_bank(game: Game, by: str) -> bool:
    """Return whether *by* is the banker, or the table itself."""
    if by == BANK:
        return game.banker == BANK
    return by == c.TABLE or (by == game.banker and game.seat(by) is not None)


def _has_legal_choice(run: MoveRun, kind: type[c.Command], by: str) -> bool:
    """Return whether *by* has a legal command of *kind*, which is no move."""
    rule = RULES[kind]
    if _why_not_at_table(run.game, kind, by) is not None:
        return False
    return any(
        isinstance(choice, Range) or _passes(rule, run, choice)
        for choice in rule.choices(run, by)
    )


def _passes(rule: Rule, run: MoveRun, command: c.Command) -> bool:
    """Return whether the rule's check neither returns nor raises a refusal."""
    try:
        return rule.check(run, command) is None
    except Refused:
        return False


def _why_not_at_table(game: Game, kind: type[c.Command], by: str) -> Refused | None:
    """Return why *by* may give no command of *kind*, whatever the stage and turn."""
    rule = RULES[kind]
    if game.is_closed and kind is not c.ReopenGame:
        return PUT_AWAY_RULE.refuses(
            Why.GAME_OVER,
            say("this game was put away"),
            say("the banker can take it out again"),
        )
    if not is_at_table(game, by):
        return SEAT_RULE.refuses(
            Why.UNKNOWN_SEAT,
            say("{by} is not at this table", by=by),
            say("take a seat"),
        )
    if rule.who is Who.BANKER and not keeps_bank(game, by):
        return OWN_MONEY_RULE.refuses(
            Why.NOT_YOURS, say("only the banker does this"), say("ask the banker")
        )
    if rule.is_by_hand and game.is_guided:
        return LEAD_RULE.refuses(
            Why.WRONG_STAGE,
            say("the companion leads this game"),
            say("go on by hand first"),
        )
    return not_led() if rule.who is Who.PLAYER else None


# In a turn.


def _why_not_in_turn(
    run: MoveRun, rule: Rule, by: str, kind: type[c.Command]
) -> Refused | None:
    """Return why *by* may make no move of *kind* in this stage and turn."""
    play = run.play
    stage = play.stage
    if stage is Stage.OVER:
        return game_over(run)
    if rule.is_report and _may_report(run.game, by):
        return None
    token = play.token(by)
    if token is None:
        return not_playing(by)
    if token.is_out:
        return out_of_game(by, say("watch how the others play on"))
    who = _allowed_in_this_box(run, stage).get(kind) or rule.stages.get(stage)
    if who is not None and is_for(play, by, who):
        return None
    # Whoever is not buying or bidding now raises money at the wrong time.
    raises_money = who in (Who.BUYER, Who.STILL_BIDDING)
    if who is not None and not raises_money:
        return _not_your_turn(run, by)
    if rule.outside is not None and (refused := rule.outside(run, by)):
        return refused
    return _wrong_stage(run, rule, by)


def _wrong_stage(run: MoveRun, rule: Rule, by: str) -> Refused:
    """Refuse a move that does not belong to what the table waits for."""
    stage, message = run.play.stage, say("the table waits for you")
    remedy: str = YOURS_FIRST.get(stage, "")
    if by not in awaited_seats(run.game):
        message = say("the table waits for {stage}", stage=stage.words)
        if stage is not Stage.REFILL:
            awaited = awaited_seats(run.game)
            names = [str(x.seat) for x in run.play.tokens if x.seat in awaited]
            remedy = say("wait for {who}", who=enumerated(names))
            if stage is Stage.BUY:
                remedy = ""
                message = say("{seat} decides first whether to buy", seat=names[0])
    refuses = _rule_for(run, rule, by).refuses
    return lid_rising(run) or refuses(Why.WRONG_STAGE, message, remedy)


YOURS_FIRST: dict[Stage, Words] = {
    Stage.ROLL: say("roll the dice first"),
    Stage.CARD: say("draw the card first"),
    Stage.BUY: say("say first whether you buy it"),
    Stage.AUCTION: say("bid or pass first"),
    Stage.GUESS: say("guess at the vault first"),
    Stage.KEY: say("use your key first"),
    Stage.REFILL: say("fill and lock the vault first"),
    Stage.CHOOSE: say("choose first"),
    Stage.PAYMENT: say("hand the payment over first"),
    Stage.VERDICT: say("say first what the decoder says"),
    Stage.CARD_USE: say("use the card first"),
    Stage.RENT_ROLL: say("roll for the rent first"),
    Stage.LEVEL: say("build evenly first"),
    Stage.DEBT: say("pay the debt first"),
}
"""What the seat that the table waits for has to do, by the stage."""


def awaited_seats(game: Game) -> frozenset[str]:
    """Return the seats whose move the table waits for.

    Empty if the companion does not lead the game, or if the game is over.
    """
    play = game.play
    if play is None or not game.is_guided or play.stage is Stage.OVER:
        return frozenset()
    if play.stage is Stage.DEBT:
        return frozenset(str(debt.debtor) for debt in play.debts)
    if play.stage in LAID_STAGES:
        return frozenset((play.inspector or play.showing,))
    if play.stage is Stage.AUCTION and play.auction is not None:
        not_awaited = {*play.auction.passed, play.auction.bidder}
        return frozenset(str(seat) for seat in play.auction.bidders) - not_awaited
    if play.stage is Stage.LEVEL:
        return frozenset((str(play.uneven[0].seat),))
    return frozenset((str(play.mover.seat),))


def _not_your_turn(run: MoveRun, by: str) -> Refused:
    """Refuse a move that another seat has to make."""
    play = run.play
    if play.stage is Stage.AUCTION and play.auction is not None:
        if by in awaited_seats(run.game):
            return AUCTION_FIRST_RULE.refuses(
                Why.NOT_YOUR_TURN,
                say("the table waits for you"),
                YOURS_FIRST[play.stage],
            )
        return _not_your_bid(play.auction, by)
    rule, wait = _awaited_rule(run), say("wait for it")
    if play.stage is Stage.DEBT:
        message = say("{debtor} has to raise money first", debtor=play.debts[0].debtor)
    elif play.stage is Stage.LEVEL:
        message = say("{seat} has to build evenly first", seat=play.uneven[0].seat)
    elif play.showing:
        message = say("{seat} has laid money on the table", seat=play.showing)
        wait = say("wait until it is handed over")
        if play.card_use is not None:
            message = say("{seat} has laid a card on the table", seat=play.showing)
            wait = say("wait until it is used")
    else:
        rule = TURN_RULE
        message = say("it is {seat}'s turn, not {by}'s", seat=play.mover.seat, by=by)
    return rule.refuses(Why.NOT_YOUR_TURN, message, wait)


def _not_your_bid(auction: Auction, by: str) -> Refused:
    """Refuse to let *by* bid or pass."""
    remedy: str = say("wait until this auction is over")
    if by == auction.bidder:
        rule, message = (
            AUCTION_RULE,
            say("{by} leads with {bid}", by=by, bid=dollars_text(auction.amount)),
        )
        remedy = say("wait until somebody bids more or all have passed")
    elif by in auction.passed:
        rule, message = PASSED_RULE, say("{by} has passed and bids no more", by=by)
    else:
        rule = LAST_BUILDING_RULE
        message = say("{by} does not bid in this auction", by=by)
    return rule.refuses(Why.NOT_YOUR_TURN, message, remedy)


def _rule_for(run: MoveRun, rule: Rule, by: str) -> Told:
    """Return the printed rule that keeps *by* from the move of this *rule* now.

    In the mover's own stages it is not the others' turn.
    """
    if run.play.stage in OF_THE_TABLE or by == run.play.mover.seat:
        return _awaited_rule(run)
    if rule.stages.get(Stage.ROLL) is not Who.ANYBODY:
        return TURN_RULE
    is_of_loans = Stage.LEVEL in rule.stages  # Mr. Monopoly bars no loan and no sale.
    is_alone = is_mr_moving(run.play) and not is_of_loans
    return MR_ALONE_RULE if is_alone else BETWEEN_TURNS_RULE


RULE_OF_STAGE: dict[Stage, Told] = {
    Stage.ROLL: TURN_RULE,
    Stage.BUY: BUY_OR_AUCTION_RULE,
    Stage.AUCTION: AUCTION_FIRST_RULE,
    Stage.GUESS: GUESS_RULE,
    Stage.KEY: KEY_RULE,
    Stage.REFILL: VAULT_REFILLED_RULE,
    Stage.CHOOSE: CARD_RULE,
    Stage.PAYMENT: LAID_RULE,
    Stage.CARD_USE: CARD_LAID_RULE,
    Stage.VERDICT: VERDICT_RULE,
    Stage.RENT_ROLL: RENT_CARD_RULE,
    Stage.LEVEL: LAST_STREET_RULE,
    Stage.DEBT: OWING_RULE,
}
"""Stage -> the printed rule that is cited when another move is refused."""

RULE_OF_CHOICE: dict[str, Told] = {
    BUS: BUS_RULE,
    ANY_SPACE: TRIPLES_RULE,
    GIFT: GIFT_RULE,
    LOT: AUCTION_SPACE_RULE,
}
"""Word in ``awaited`` for a choice that no card offers -> the printed rule."""


def _awaited_rule(run: MoveRun) -> Told:
    """Return the printed rule behind what the table waits for now."""
    play = run.play
    if play.stage is Stage.CARD:
        return rule_of_draw(run)
    if play.stage is Stage.CHOOSE:
        return RULE_OF_CHOICE.get(play.awaited, CARD_RULE)
    if play.stage is Stage.RENT_ROLL and not play.dice:
        return TICKET_UTILITY_RULE
    return RULE_OF_STAGE[play.stage]


def _may_report(game: Game, by: str) -> bool:
    """Return whether *by* may give a report in any turn."""
    return by in (VAULT, CAMERA, c.TABLE) or by == game.banker


def _allowed_in_this_box(run: MoveRun, stage: Stage) -> dict[type[c.Command], Who]:
    """Return the moves that this box (edition) allows beyond ``ALLOWED``, and to whom.

    Where trading is allowed at any time, it is while somebody buys or bids. A payer may
    call off a purchase or a trade after a fake, where it chooses. Anybody may
    lock a vault that is not locked, once the keys found in it are used. The mover may
    guess at a toy vault at any time.
    """
    rules, contents = run.board.rules, run.play.vault_contents
    allowed: dict[type[c.Command], Who] = {}
    if stage in FOR_SALE and rules.trade.is_any_time:
        trading = (m.MakeOffer, m.Accept, m.Reject, m.Withdraw)
        allowed = dict.fromkeys(trading, Who.ANYBODY)
    if stage is Stage.PAYMENT and run.play.payments[0].may_call_off:
        is_deal = run.play.payments[0].purpose == DEAL
        allowed[m.Reject if is_deal else m.PutUp] = Who.SHOWER
    if rules.vault is None or contents is None or stage is Stage.OVER:
        return allowed
    if contents.lid in (OPEN, SHUT) and not contents.found:
        allowed[m.LockVault] = Who.ANYBODY
    if rules.vault.is_toy:
        allowed[m.Guess] = Who.MOVER
    return allowed
