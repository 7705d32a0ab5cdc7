"""Each sentence that *Why?* says of money, with what has to be so for it to be true.

A sentence without a row here is a mistake: somebody has to say when it is true.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable

from companion.game import decoder_events as f
from companion.game import deed_events as d
from companion.game import events as e
from companion.game import play_events as p
from companion.game import vault_contents_events as r
from companion.game.ledger import Reason
from companion.units import BANK, VAULT, Account
from tests.witness.acts import Act, Landing
from tests.witness.sums import levelled_steps, number_of, sold_steps

Row = Callable[..., bool]
"""Whether a sentence is true of an act; more arguments are what differs in it."""


def happens(*kinds: type[e.Event]) -> Row:
    """Return whether such a thing happens."""
    return lambda act: isinstance(act.event, kinds)


def pays(reason: Reason) -> Row:
    """Return whether money is paid for this."""
    return lambda act: act.reason is reason


# Rents.


def is_rent(is_true: Callable[..., bool]) -> Row:
    """Return a row about the rent of a landing."""

    def row(act: Act, *words: str) -> bool:
        return act.landing is not None and is_true(act, act.landing, *words)

    return row


def is_plain_rent(act: Act, where: Landing) -> bool:
    """Whether just this is printed on the deed, as it stood there."""
    if where.kind == "railroad":
        return where.owned == 1 and act.amount == act.box.rents_by_owned(where.deed)[0]
    is_so = where.kind == "street" and not where.level
    return is_so and act.amount == act.box.figure(where.deed, "rent")


def is_group_rent(act: Act, where: Landing) -> bool:
    """Whether the owner had the whole colour, and the rent is higher for it."""
    if where.kind != "street" or where.level or where.lacking:
        return False
    bare = act.box.figure(where.deed, "rent")
    printed = act.box.figure(where.deed, "rent_full_group")
    times: int = act.box.rule("rent", "full_group_times")
    return bare < act.amount == (times * bare if printed is None else printed)


def is_near_rent(act: Act, where: Landing, near: str, full: str) -> bool:
    """Whether the owner had the colour, or all but one, and earns so many times."""
    if where.kind != "street" or where.level or where.lacking > 1:
        return False
    keys = ("all_but_one_times", "full_group_times")
    is_so = [int(near), int(full)] == [act.box.rule("rent", key) for key in keys]
    times = int(near if where.lacking else full)
    return is_so and act.amount == times * act.box.figure(where.deed, "rent")


def is_built_rent(act: Act, where: Landing) -> bool:
    """Whether something stood there, and the deed prints this rent for it."""
    is_so = where.kind == "street" and where.level > 0
    return is_so and act.amount == act.box.rent_built(where.deed, where.level)


def is_railroad_rent(_: Act, where: Landing) -> bool:
    """Whether the owner had more than one railroad."""
    return where.kind == "railroad" and where.owned > 1


def is_utility_rent(act: Act, where: Landing, one: str, every: str) -> bool:
    """Whether it is a utility's rent by the dice, and no card's."""
    if where.kind != "utility" or where.is_by_card:
        return False
    times = act.box.rents_by_owned(where.deed)
    is_so = [int(one), int(every)] == [times[0], times[-1]]
    return is_so and act.amount % times[where.owned - 1] == 0


def is_card_rent(_: Act, where: Landing) -> bool:
    """Whether a card led there that says what to pay."""
    return where.is_by_card


def is_asked(deadline: str) -> Row:
    """Return whether the owner has to ask by then, or never if *deadline* is empty."""

    def is_true(act: Act, _: Landing) -> bool:
        if act.box.is_on("rent", "automatic"):
            return not deadline
        return deadline == act.box.options["rent_deadline"]

    return is_rent(is_true)


def is_for_depot(act: Act, cost: str, times: str) -> bool:
    """Whether it is a depot's price, or the rent with one."""
    is_so = number_of(cost) == act.box.rule("buildings", "depot_cost")
    is_so &= int(times) == act.box.rule("buildings", "depot_rent_times")
    where = act.landing
    if where is not None:
        return is_so and where.kind == "railroad" and where.level == 1
    is_bought = isinstance(act.cause, d.BuildingBought) and act.cause.piece == "depot"
    return is_so and is_bought and act.amount == number_of(cost)


# Cards and spaces.


def is_by_card(act: Act) -> bool:
    """Whether a card asks for that amount."""
    if act.reason is not Reason.CARD or not act.card:
        return False
    card = act.box.card(act.card)
    if card["effect"] != "repairs":
        return bool(act.amount == card["amount"])
    stood = act.before.standing(act.payer).items()
    return act.amount == sum(card.get(f"per_{kind}", 0) * n for kind, n in stood)


def is_by_card_for_vault(act: Act) -> bool:
    """Whether a card says that money goes into the vault."""
    effect = act.box.card(act.card)["effect"] if act.card else ""
    is_so = act.reason is Reason.CARD and act.payee == VAULT
    return is_so and effect in ("to-vault", "pay-to-vault")


def is_tax(payee: str) -> Row:
    """Return whether it is the tax of a space, for that account."""

    def is_true(act: Act) -> bool:
        if act.reason is not Reason.TAX or act.payee != payee:
            return False
        space = act.box.space(act.landed)
        is_there = space["kind"] in ("income-tax", "luxury-tax")
        return is_there and act.amount == space["amount"]

    return is_true


def is_salary(act: Act, amount: str) -> bool:
    """Whether a seat gets what the box pays at GO."""
    is_so = act.reason is Reason.SALARY and act.payee != VAULT
    return is_so and act.amount == number_of(amount) == act.box.rule("money", "salary")


def is_salary_of_vault(act: Act, amount: str) -> bool:
    """Whether the vault gets what the box puts there at GO."""
    is_so = act.reason is Reason.SALARY and act.payee == VAULT
    there = act.box.rule("money", "salary_to_vault")
    return is_so and act.amount == number_of(amount) == there


def is_gift(act: Act, gift: str) -> bool:
    """Whether somebody stands on the birthday space, which gives that much."""
    if act.reason is not Reason.GIFT:
        return False
    spaces = (act.box.space(x) for x in (act.landed, act.before.space(act.payee)))
    gifts = [one["amount"] for one in spaces if one["kind"] == "birthday-gift"]
    return act.amount == number_of(gift) in gifts


def is_sent_to_jail(act: Act) -> bool:
    """Whether a space, a card or the third doubles send somebody to jail."""
    if not isinstance(act.event, p.SentToJail):
        return False
    effect = act.box.card(act.card)["effect"] if act.card else ""
    is_card = effect in ("go-to-jail", "jail-someone", "choice")
    is_space = act.landed >= 0 and act.box.space(act.landed)["kind"] == "go-to-jail"
    return is_card or is_space or act.before.play.doubles >= 2


def is_fine(act: Act, fine: str) -> bool:
    """Whether somebody pays what leaving jail costs."""
    is_so = act.reason is Reason.FINE and act.amount == number_of(fine)
    return is_so and act.amount == act.box.rule("jail", "fine")


def is_last_fine(act: Act, attempts: str, fine: str) -> bool:
    """Whether somebody pays it after so many tries."""
    is_out = isinstance(act.cause, p.JailLeft) and act.cause.how == "attempts"
    is_so = int(attempts) == act.box.rule("jail", "attempts")
    return is_out and is_so and is_fine(act, fine)


# Deeds and buildings.


def is_bought(act: Act) -> bool:
    """Whether somebody takes the deed it landed on, which nobody has, at its price."""
    if act.purpose != "buy" and not isinstance(act.cause, d.DeedBought):
        return False
    spaces = (act.landed, act.before.space(act.payer))
    is_there = act.box.deed(act.paid_for)["space"] in spaces
    is_free = not act.before.owner(act.paid_for)
    return is_there and is_free and act.amount == act.box.figure(act.paid_for, "price")


def is_dealt(act: Act) -> bool:
    """Whether the quick game deals a deed at its price."""
    is_so = act.box.is_on("quick") and isinstance(act.cause, d.DeedDealt)
    return is_so and act.amount == act.box.figure(act.paid_for, "price")


def is_won(*, is_building: bool) -> Row:
    """Return whether somebody pays the leading bid for a building, or for a deed."""

    def is_true(act: Act) -> bool:
        auction = act.before.play.auction if act.table else None
        if act.purpose != "lot" and not isinstance(act.cause, d.LotSold):
            return False
        assert auction is not None
        is_bid = (auction.bidder, auction.amount) == (act.payer, act.amount)
        is_kind = not act.box.deed(act.paid_for)
        return is_bid and is_kind is is_building and auction.lots[0] == act.paid_for

    return is_true


def is_built(act: Act) -> bool:
    """Whether somebody builds, and the deed prints the price."""
    if isinstance(act.cause, d.GroupLevelled):
        return bool(levelled_steps(act)[0]) and is_levelled(act)
    if act.purpose != "build" and not isinstance(act.cause, d.BuildingBought):
        return False
    return act.amount == act.box.cost(act.paid_for, act.before.level(act.paid_for))


def is_swapped(act: Act) -> bool:
    """Whether somebody builds a hotel in place of houses."""
    if isinstance(act.cause, d.GroupLevelled) or not is_built(act):
        return False
    level = act.before.level(act.paid_for)
    return act.box.ladder(act.paid_for)[max(level - 1, 0) :][:2] == ["house", "hotel"]


def is_sold_back(act: Act) -> bool:
    """Whether the bank pays half of what it takes back."""
    if isinstance(act.cause, d.GroupLevelled):
        return bool(levelled_steps(act)[1]) and is_levelled(act)
    if not isinstance(act.cause, d.BuildingSold) or act.reason is not Reason.SALE:
        return False
    rounding = 99 if act.box.rule("buildings", "sale_rounding") == "up" else 0
    steps = sold_steps(act).items()
    return act.amount == sum((50 * cost + rounding) // 100 * n for cost, n in steps)


def is_levelled(act: Act) -> bool:
    """Whether money is what is built, less half of what is sold, or the other way."""
    built, sold = (
        sum(cost * count for cost, count in steps.items())
        for steps in levelled_steps(act)
    )
    half = sold * act.box.rule("buildings", "sale_percent") // 100
    return act.amount == abs(built - half)


def is_street_sold(when: str) -> Row:
    """Return whether the bank takes a street for its price, at such tables."""

    def is_true(act: Act) -> bool:
        if not isinstance(act.cause, d.DeedSold) or act.reason is not Reason.SALE:
            return False
        is_price = act.amount == act.box.figure(act.paid_for, "price")
        return is_price and act.box.is_on("sell", when)

    return is_true


def is_lent(act: Act) -> bool:
    """Whether the bank lends what the deed says."""
    is_so = act.reason is Reason.MORTGAGE and act.payer == BANK
    return is_so and act.amount == act.box.figure(act.paid_for, "mortgage")


def is_lifting(act: Act) -> bool:
    """Whether somebody lifts a mortgage."""
    return isinstance(act.cause, d.MortgageLifted) and act.reason is Reason.MORTGAGE


def is_lifted(act: Act, percent: str) -> bool:
    """Whether it pays the loan and the interest, up to the next dollar."""
    loan = act.box.figure(act.paid_for, "mortgage") if is_lifting(act) else None
    if loan is None or int(percent) != act.box.rule("mortgage", "interest_percent"):
        return False
    return act.amount == loan + math.ceil(loan * int(percent) / 100)


def is_lifted_at_once(act: Act) -> bool:
    """Whether it pays the loan alone, of a deed that it took over just now."""
    is_so = is_lifting(act) and act.paid_for in act.taken_over
    return is_so and act.amount == act.box.figure(act.paid_for, "mortgage")


def is_lifted_as_printed(act: Act) -> bool:
    """Whether it pays what the deed prints, which is more than the loan."""
    is_so = is_lifting(act)
    return is_so and act.amount == act.box.figure(act.paid_for, "unmortgage")


def is_taken_over(act: Act, percent: str) -> bool:
    """Whether a mortgaged deed goes to somebody, who pays the interest."""
    if not isinstance(act.cause, d.DeedPassed) or act.reason is not Reason.MORTGAGE:
        return False
    loan = act.box.figure(act.paid_for, "mortgage")
    is_so = int(percent) == act.box.rule("mortgage", "interest_percent")
    is_so &= act.before.is_mortgaged(act.paid_for)
    return is_so and act.amount == math.ceil(loan * int(percent) / 100)


# People and the table.


def is_start(act: Act, start: str) -> bool:
    """Whether somebody sits down with what the box says."""
    is_so = isinstance(act.event, e.SeatAdded)
    return is_so and number_of(start) == act.box.rule("money", "start_money")


def is_bankrupt(act: Act) -> bool:
    """Whether somebody is out who owed more than it could raise."""
    return isinstance(act.event, p.SeatBankrupted) and lacks_money(act)


def is_gone(act: Act) -> bool:
    """Whether somebody leaves, and what it has left goes to the bank."""
    event = act.event
    is_so = isinstance(event, p.SeatBankrupted) and event.has_resigned
    return is_so and event.creditor == BANK


def lacks_money(act: Act) -> bool:
    """Whether somebody who is out owed more than it could raise."""
    assert isinstance(act.event, p.SeatBankrupted)
    table, seat = act.before, act.event.seat
    owed = table.play.owed_by(seat) + table.play.laid_by(seat)
    cash = table.game.ledger[Account(seat)]
    return owed > cash + sum(raised_by(act, deed) for deed in table.deeds_of(seat))


def raised_by(act: Act, deed: str) -> int:
    """Return what a deed brings: half its buildings, and its loan or its price."""
    table, box = act.before, act.box
    costs = [box.cost(deed, step) for step in range(table.level(deed))]
    if box.rule("buildings", "hotel_sale") == "half-only":
        costs = costs[-1:]
    percent = box.rule("buildings", "sale_percent") or 0
    total = sum(math.ceil(cost * percent / 100) for cost in costs)
    if not table.is_mortgaged(deed) and box.rule("mortgage", "exists"):
        total += box.figure(deed, "mortgage") or 0
    if box.rule("street_sale", "exists"):
        total += box.figure(deed, "price") or 0
    return total


def is_deal(act: Act) -> bool:
    """Whether it is the money of a trade."""
    is_so = act.purpose == "deal" or isinstance(act.cause, d.OfferAccepted)
    return is_so and act.reason is Reason.DEAL


def is_owing(act: Act) -> bool:
    """Whether somebody pays what the table said that it owes."""
    return act.is_debt and act.reason is Reason.OTHER


def is_by_hand(act: Act) -> bool:
    """Whether nobody but the players leads."""
    return act.table is None or not act.before.game.is_guided


# Fakes and the vault.


def is_laid(act: Act) -> bool:
    """Whether money lies on the table of a box with fakes."""
    is_so = isinstance(act.event, f.PaymentLaid)
    return is_so and act.box.rule("decoder", "checks") is not None


def is_fake_note(act: Act) -> bool:
    """Whether whoever looked gets the fake note."""
    is_so = act.reason is Reason.FAKE and act.payer != BANK
    said = isinstance(act.cause, f.VerdictGiven) and act.cause.amount == act.amount
    return is_so and said and act.payee == act.before.play.inspector


def is_reward(act: Act, reward: str) -> bool:
    """Whether the bank pays for a fake card."""
    is_so = act.reason is Reason.FAKE and act.payer == BANK
    fee = act.box.rule("decoder", "fake_card_reward")
    return is_so and act.amount == number_of(reward) == fee


def is_guess_awaited(act: Act, fee: str) -> bool:
    """Whether somebody stands where a guess costs something, and may leave it."""
    event, cause = act.event, act.cause
    if not isinstance(event, r.GuessAwaited):
        return False
    is_walk = isinstance(cause, p.TokenMoved)
    space = act.landed if is_walk else act.before.space(event.seat)
    is_fee = event.fee == number_of(fee) == act.box.rule("vault", "guess_fee")
    is_there = act.box.space(space)["kind"] == "pay-to-guess"
    return is_fee and is_there and event.is_optional


def is_guess_fee(act: Act, fee: str) -> bool:
    """Whether a guess is paid for."""
    is_so = act.reason is Reason.GUESS and act.amount == number_of(fee)
    return is_so and act.amount == act.box.rule("vault", "guess_fee")


def is_vault_filled(act: Act) -> bool:
    """Whether the bank fills the vault before the game."""
    is_so = isinstance(act.event, e.GameOpened)
    return is_so and act.event.terms.vault_money == act.box.rule("vault", "first_money")


def is_opened(act: Act) -> bool:
    """Whether somebody gets all the money in the vault."""
    is_so = act.reason is Reason.RICHES and act.payer == VAULT
    return is_so and act.amount == act.before.game.ledger[VAULT]


def is_refilled(act: Act, refill: str) -> bool:
    """Whether the bank fills the vault again."""
    is_so = act.reason is Reason.RICHES and act.payee == VAULT
    there = act.box.rule("vault", "refill_money")
    return is_so and act.amount == number_of(refill) == there


# The rows.

MONEY = r"(\$[\d,]+)"

ASKED_NEXT = "You pay if the owner asks before the next player rolls."
ASKED_LATER = "You pay if the owner asks before the second player after you rolls."
ASKED_NEVER = (
    "At this table rent is paid at once. If nobody knows it yet, the owner asks later."
)
LAID = "Whoever pays shows the money first: one note of it may be checked."
NOT_OF_AMOUNTS = (ASKED_NEXT, ASKED_LATER, ASKED_NEVER, LAID)
"""Sentences that say how something is paid, and not why it is so much."""

OF_RENTS: dict[str, Row] = {
    ASKED_NEXT: is_asked("next-roll"),
    ASKED_LATER: is_asked("second-roll"),
    ASKED_NEVER: is_asked(""),
    "If you land on somebody else's deed, you pay the rent printed on it.": (
        is_rent(is_plain_rent)
    ),
    "Without buildings, the rent is higher for a whole colour.": is_rent(is_group_rent),
    r"Without buildings, all of a colour but one earn (\d+) times the rent. "
    r"The whole colour earns (\d+) times.": is_rent(is_near_rent),
    "The more stands on a street, the higher its rent. The deed says how much.": (
        is_rent(is_built_rent)
    ),
    "The more railroads the owner has, the higher the rent of each.": (
        is_rent(is_railroad_rent)
    ),
    r"The rent of a utility is (\d+) to (\d+) times the dice: "
    "the more utilities somebody has, the more it is.": is_rent(is_utility_rent),
    rf"A depot costs {MONEY}. Its railroad then earns (\d+) times the rent.": (
        is_for_depot
    ),
    "The card that took you there says how much rent you pay.": is_rent(is_card_rent),
}

OF_MONEY: dict[str, Row] = {
    "You do what the card says.": is_by_card,
    "The card says that money goes into the vault.": is_by_card_for_vault,
    "If you land on a tax space, you pay that tax to the bank.": is_tax(BANK),
    "If you land on a tax space, you pay that tax into the vault.": is_tax(VAULT),
    rf"You get {MONEY} from the bank when you reach GO or pass it.": is_salary,
    rf"When somebody reaches GO, the bank puts {MONEY} into the vault.": (
        is_salary_of_vault
    ),
    rf"On the birthday space you take {MONEY} from the bank, or a bus ticket.": is_gift,
    rf"Leaving jail costs {MONEY}, unless a card or doubles get you out.": is_fine,
    rf"After (\d+) tries without doubles you pay {MONEY} and leave jail.": is_last_fine,
    "If you land on a deed that nobody owns, you may buy it at its price.": is_bought,
    "The quick game deals deeds at the start. You pay for yours at once.": is_dealt,
    "The highest bid wins, and every new bid has to be higher.": (
        is_won(is_building=False)
    ),
    "If too few buildings are left for all who want one, they bid for it.": (
        is_won(is_building=True)
    ),
    "A building costs what the deed of its street says.": is_built,
    "A hotel costs what the deed says, and its houses go back to the bank.": is_swapped,
    "The bank takes buildings back for half of what they cost.": is_sold_back,
    "The bank takes streets back for their price, to help you pay a debt.": (
        is_street_sold("in-debt")
    ),
    "At this table you may sell streets back for their price at any time.": (
        is_street_sold("any-time")
    ),
    "The bank lends money on a deed, which earns no rent until you pay it back.": (
        is_lent
    ),
    r"To lift a mortgage you pay back the loan and (\d+) percent more.": is_lifted,
    "Whoever takes a mortgaged deed over and lifts it at once "
    "pays the interest once.": is_lifted_at_once,
    "To lift a mortgage you pay what the deed says: more than the loan.": (
        is_lifted_as_printed
    ),
    r"Whoever takes over a mortgaged deed pays (\d+) percent of its loan.": (
        is_taken_over
    ),
    "Two players may trade for anything that both agree on.": is_deal,
    "A debt is paid first. Until then nobody builds, lifts a mortgage or plays on. "
    "Only the debtor raises money.": is_owing,
    "The table agreed on it, and the bank makes up the difference.": (
        pays(Reason.CORRECTION)
    ),
    "You do the banking yourselves: the companion only counts.": is_by_hand,
    LAID: is_laid,
    "Who finds a fake note keeps it, and the payer pays with other notes.": (
        is_fake_note
    ),
    rf"Who finds a fake card gets {MONEY} from the bank. It is not used.": is_reward,
    rf"On this space a guess costs {MONEY}. You need not guess.": is_guess_fee,
    "Whoever opens the vault takes all that lies in it.": is_opened,
    rf"After each opening the vault is filled again, with {MONEY} from the bank.": (
        is_refilled
    ),
}
"""A sentence about an amount, with what differs in brackets, and its row."""

OF_EVENTS: dict[str, Row] = {
    **{words: OF_RENTS[words] for words in (ASKED_NEXT, ASKED_LATER, ASKED_NEVER)},
    "Before the game begins, the bank fills the vault.": is_vault_filled,
    rf"Everybody begins with {MONEY}.": is_start,
    "If you cannot pay, you are out, and the one you owe gets all you have.": (
        is_bankrupt
    ),
    "If you leave early, you pay what you owe, or give all you have for it. "
    "The rest goes back to the bank.": is_gone,
    "Whoever is owed money may take deeds or anything else in its place.": (
        happens(p.DebtForgiven)
    ),
    "A space, the third doubles in a row, or a card that says so sends you to jail.": (
        is_sent_to_jail
    ),
    rf"On this space a guess costs {MONEY}. You need not guess.": is_guess_awaited,
    "Whoever uses a Chance card shows it first: it may be checked.": (
        happens(f.CardLaid)
    ),
    "A look through the decoder costs one green chip.": happens(f.ChipSpent),
    "The table agreed on it, and the bank makes up the difference.": (
        happens(e.BalanceCorrected)
    ),
}
"""The same about what moves no money by itself, or money of which nobody knows."""


def is_rule_true(words: str, act: Act) -> bool:
    """Whether a sentence is true of an act, which it should be about."""
    rows = OF_RENTS | OF_MONEY if act.amount else OF_EVENTS
    matches = ((re.fullmatch(form, words), row) for form, row in rows.items())
    return any(row(act, *found.groups()) for found, row in matches if found)


def has_row(words: str) -> bool:
    """Whether somebody has said when a sentence is true."""
    return any(re.fullmatch(form, words) for form in (*OF_RENTS, *OF_MONEY, *OF_EVENTS))
