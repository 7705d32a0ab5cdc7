"""What is to be done now, in words to the seat that has to do it, or to the others."""

from __future__ import annotations

from collections.abc import Callable

from companion.game.position import FREE, LOCKED, OPENING
from companion.views.stage_words import awaited
from companion.views.turn_buttons import Look
from companion.words import say
from companion.words.common import common
from companion.words.money import dollars_text


def headline(look: Look, *, is_mine: bool) -> str:
    """One sentence without a full stop: to the looking seat, or about the others."""
    tell = TO_YOU.get(look.play.stage) if is_mine else None
    return tell(look) if tell else awaited(look.game)


def lines(look: Look, *, is_mine: bool) -> tuple[str, ...]:
    """More sentences that the seat should know; mostly none."""
    more = MORE.get(look.play.stage) if is_mine else None
    return tuple(more(look)) if more else ()


def place_words(look: Look) -> str:
    """Where the seat's token stands; empty if the seat does not play."""
    token = look.play.token(look.seat)
    if token is None or token.is_out:
        return ""
    if token.tries != FREE:
        return say("You are in jail")
    space = look.board.rules.spaces[token.space].name
    if not space:  # Nobody has published what is printed there.
        space = say("space {number}", number=token.space)
    return say("You stand on {space}", space=space)


def is_debtor(look: Look) -> bool:
    """Whether the seat owes something."""
    return any(debt.debtor == look.seat for debt in look.play.debts)


def _tries(look: Look) -> int:
    token = look.play.token(look.seat)
    return token.tries if token else FREE


def _roll(look: Look) -> str:
    if _tries(look) != FREE:
        return say("You are in jail: doubles get you out")
    if look.play.doubles:
        return say("Doubles: roll again")
    return say("Your turn: roll the dice")


def _roll_more(look: Look) -> list[str]:
    tries, rules = _tries(look), look.board.rules
    if tries == FREE:
        before_jail = rules.doubles_to_jail - 1
        if before_jail and look.play.doubles == before_jail:
            return [say("One more double sends you to jail")]
        return []
    fine = dollars_text(rules.jail_fine)
    if tries == rules.jail_attempts - 1:
        return [
            say("Your last try: without doubles you pay {fine} and move", fine=fine)
        ]
    return [
        say("Failed so far: {tries} of {most}", tries=tries, most=rules.jail_attempts)
    ]


def _card(look: Look) -> str:
    deck = common(look.play.awaited.replace("-", " ").title())
    return say("Draw a card: {deck}", deck=deck)


def _buy(look: Look) -> str:
    return say("{deed} is for sale", deed=look.name(look.play.awaited))


def _buy_more(look: Look) -> list[str]:
    deed = look.board.rules.deeds[look.board.index[look.play.awaited]]
    if deed.price is None:
        return [say("Nobody knows its price: the banker can type it in")]
    if deed.price <= look.cash:
        return []
    return [
        say(
            "It costs {price}; you have {cash}",
            price=dollars_text(deed.price),
            cash=dollars_text(look.cash),
        )
    ]


def _auction(look: Look) -> str:
    return awaited(look.game)


def _rent_roll(look: Look) -> str:
    return say("Roll for the rent of {deed}", deed=look.name(look.play.awaited))


def _guess(look: Look) -> str:
    contents = look.play.vault_contents
    is_own = look.play.mover.seat == look.seat  # Anybody may lock the vault.
    if contents is None or contents.lid == OPENING or not is_own:
        return awaited(look.game)
    if contents.lid != LOCKED:
        return say("Lock the vault, then guess its number")
    return say("Guess the number of the vault")


def _guess_more(look: Look) -> list[str]:
    contents = look.play.vault_contents
    if contents is None or not contents.fee or contents.lid != LOCKED:
        return []
    return [say("A guess costs {fee}", fee=dollars_text(contents.fee))]


def _key(_: Look) -> str:
    return say("You found a key: which street does it open?")


def _debt(look: Look) -> str:
    mine = [debt for debt in look.play.debts if debt.debtor == look.seat]
    amount = dollars_text(mine[0].amount)
    return say("You owe {who} {amount}", who=look.name(mine[0].creditor), amount=amount)


def _debt_more(look: Look) -> list[str]:
    mine = [debt for debt in look.play.debts if debt.debtor == look.seat]
    found: list[str] = []
    if len(mine) > 1:
        owed = dollars_text(look.play.owed_by(look.seat))
        found.append(say("You owe {amount} in all", amount=owed))
    missing = mine[0].amount - look.cash
    if missing > 0:
        found.append(say("You still need {amount}", amount=dollars_text(missing)))
    return found


TO_YOU: dict[str, Callable[[Look], str]] = {
    "roll": _roll,
    "card": _card,
    "buy": _buy,
    "auction": _auction,
    "rent-roll": _rent_roll,
    "debt": _debt,
    "guess": _guess,
    "key": _key,
}
"""Headlines by stage; at any other stage the seat reads what everybody reads."""

MORE: dict[str, Callable[[Look], list[str]]] = {
    "roll": _roll_more,
    "buy": _buy_more,
    "debt": _debt_more,
    "guess": _guess_more,
}
"""More sentences by stage; at any other stage there is nothing to add."""
