"""What each charge comes to, reckoned from the printed figures and the sheets alone.

Of the program this knows a game's entries and its position: who stands where, who owns
what. The figures come out of the editions' files, read as plain TOML, and what the
sheets do with them (twice, by the dice, half, ten percent more) is said a second time.
A figure that no file has, since a table typed it in, is taken as the game has it.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import companion
from companion.game import Game
from companion.game import decoder_events as f
from companion.game import deed_events as d
from companion.game import events as e
from companion.game import play_events as p
from companion.game import vault_contents_events as v
from companion.game.board import Board
from companion.game.journal import ASKING, TAKING_BACK, Entry, Journal
from companion.game.ledger import Reason
from companion.game.position import BUILD, BUY, LIFT, LOT, Offer, Position, Token
from companion.game.rulebook import RuleDeed
from companion.units import BANK, VAULT, Account, Seat

Move = tuple[str, str, int]
"""Who pays whom how much."""

Charge = tuple[str, str, int, Reason]
"""The same, and why."""

TAXES = ("income-tax", "luxury-tax")

FREE = (Reason.START, Reason.LEAVING, Reason.CORRECTION, Reason.OTHER)
"""Reasons that no figure belongs to."""

NOT_RECKONED = (*TAKING_BACK, *ASKING, p.PositionGiven, p.PositionCorrected)
"""Acts that move no money by a rule."""


class Wrong(AssertionError):
    """A charge is another than the figures say."""


@cache
def sheet(edition: str) -> dict[str, Any]:
    """Read an edition's file, with what it takes from another one."""
    name = edition.removesuffix("-uk")  # It has other names, and the same figures.
    file = Path(companion.__path__[0], "editions", f"{name}.toml")
    found = tomllib.loads(file.read_text())
    basis = found.get("inherits", {})
    for name in basis.get("what", ()):
        found.setdefault(name, sheet(basis["edition"]).get(name))
    for name in ("deed", "card"):
        if isinstance(found[name], list):
            found[name] = {one["id"]: one for one in found[name]}
    return found


def plain(figure: Any) -> Any:
    """Return a figure without its provenance."""
    return figure.get("value") if isinstance(figure, dict) else figure


def up(amount: int, percent: int) -> int:
    """Return so many percent of an amount, rounded up to whole dollars."""
    return -(-amount * percent // 100)


def card_of(edition: dict[str, Any], card: str) -> dict[str, Any]:
    """Return what a card says; of one that a table named, what its words say."""
    known = edition["card"].get(card)
    if known is not None:
        return dict(known)
    effect, *words = card.removeprefix("keep:").split(":")
    if effect == "repairs":
        pairs = zip(words[::2], words[1::2], strict=False)
        return {"effect": effect, **{f"per_{x}": int(y) for x, y in pairs}}
    amount = int(words[0]) if words and words[0].isdigit() else None
    return {"effect": effect, "amount": amount}


class Reckoner:
    """Follows one game, and reckons each of its charges anew."""

    def __init__(self) -> None:
        self._game: Game
        self._play: Position
        self._rents: dict[tuple[str, str], int | None] = {}
        self._unread: dict[tuple[str, str], tuple[Position, int]] = {}
        self._rolled: p.RentRollAwaited | None = None
        self._dice: tuple[int, ...] = ()
        self._typed: set[tuple[str, str]] = set()

    def enter(self, before: Game | None, entry: Entry) -> None:
        """Follow one entry from the game before it.

        Raises:
            Wrong: If it charges another amount, another seat, or nothing at all.
        """
        for event in entry.events:
            self._note_typed(event)
        if before is None or isinstance(entry.events[0], NOT_RECKONED):
            return
        agreed, game = _agreed(before), before
        self._card: dict[str, Any] = {}
        self._wanted: dict[Reason, list[Move]] = {}
        self._due: set[tuple[str, Reason]] = set()
        self._is_roll = isinstance(entry.events[0], p.DiceRolled)
        for event in entry.events:
            if game.is_guided and game.play is not None:
                self._game, self._play = game, game.play
                self._see(event)
                charge = _charge(event)
                if charge is None:
                    pass
                elif agreed[charge]:
                    agreed[charge] -= 1
                else:
                    self._check(charge, event)
                    agreed[charge] += not isinstance(event, e.MoneyMoved)
            game = game.after(event)
        if self._due and not game.is_closed and self._play.base != "over":
            raise Wrong(f"{sorted(self._due)} are left out: {entry.events}")

    def _note_typed(self, event: object) -> None:
        """Note a figure that the table took from its own box."""
        if isinstance(event, p.BoxRead):
            _, of, name = event.key.split(".", 2)
            self._typed.add((of, name))
        elif isinstance(event, p.PositionGiven | p.PositionCorrected):
            kind, of, name, *_ = (*event.words, "", "")
            if kind == "figure":
                self._typed.add((of, name))

    # Figures.

    @property
    def _sheet(self) -> dict[str, Any]:
        return sheet(self._board.rules.edition)

    def _of(self, section: str, name: str, default: Any = None) -> Any:
        found = plain(self._sheet.get(section, {}).get(name))
        return default if found is None else found

    def _option(self, key: str) -> str:
        chosen = dict(self._board.rules.options)
        options = {x["key"]: x["default"] for x in self._sheet.get("option", ())}
        return chosen.get(key, options.get(key, ""))

    def _figure(self, deed: str, name: str, as_played: int | None) -> int | None:
        """Return a figure of the file; what nobody has published is as it is played."""
        found = self._sheet["deed"].get(deed, {}).get(name)
        is_typed = found is None or (deed, name) in self._typed
        return as_played if is_typed else found

    @property
    def _board(self) -> Board:
        assert self._game.board is not None
        return self._game.board

    def _at(self, deed: str) -> int:
        return self._board.index[deed]

    def _rule(self, deed: str) -> RuleDeed:
        return self._board.rules.deeds[self._at(deed)]

    def _space(self, number: int) -> dict[str, Any]:
        return next(dict(x) for x in self._sheet["space"] if x["number"] == number)

    def price(self, deed: str) -> int | None:
        """Return what the bank asks for a deed."""
        return self._figure(deed, "price", self._rule(deed).price)

    def steps(self, deed: str) -> list[int | None]:
        """Return what each building of a deed costs, from the first on."""
        rule = self._rule(deed)
        if rule.kind == "railroad":
            return [self._of("buildings", "depot_cost")]
        names = (f"{kind}_cost" for kind in rule.ladder)
        return [
            self._figure(deed, name, cost)
            for name, cost in zip(names, rule.costs, strict=True)
        ]

    def mortgage(self, deed: str) -> int | None:
        """Return what the bank lends on a deed."""
        return self._figure(deed, "mortgage", self._rule(deed).mortgage)

    def lifting(self, deed: str) -> int | None:
        """Return what lifting a mortgage costs."""
        percent = self._of("mortgage", "interest_percent")
        lent = dict(self._play.loans).get(deed)  # By a figure that was typed or likely.
        if percent is None:
            printed = self._figure(deed, "unmortgage", self._rule(deed).unmortgage)
            return printed if None in (printed, lent) else max(printed, lent + 1)
        loan = self.mortgage(deed) if lent is None else lent
        if loan is None or deed in self._play.lifted:
            return loan
        return loan + up(loan, percent)

    def sold(self, deed: str, level: int) -> int:
        """Return what the buildings of a deed bring down to *level*."""
        at = self._play.levels[self._at(deed)]
        costs, ladder = self.steps(deed)[level:at], self._rule(deed).ladder
        if self._rule(deed).kind == "railroad":
            return sum(up(cost or 0, 50) for cost in costs)
        is_quick = self._option("quick") == "on"
        is_whole = is_quick or self._of("buildings", "hotel_sale") == "half-only"
        if is_whole and ladder[at - 1] == "hotel":
            costs = costs[-1:]
        is_up = self._of("buildings", "sale_rounding") == "up"
        percent = self._of("buildings", "sale_percent", 0)
        return sum(((cost or 0) * percent + 99 * is_up) // 100 for cost in costs)

    def rent(self, deed: str, then: Position | None = None) -> int | None:
        """Return the rent of a landing; of a utility, the times the dice count.

        The landing is now, or was in the position *then*.
        """
        play, rule, at = then or self._play, self._rule(deed), self._at(deed)
        owner, level = play.owners[at], play.levels[at]
        group = [
            self._at(x.id) for x in self._board.rules.deeds if x.group == rule.group
        ]
        lacking = sum(play.owners[one] != owner for one in group)
        if rule.kind == "street":
            if level:
                return self._built(deed, level)
            bare = self._figure(deed, "rent", rule.rents[0])
            pledged = any(play.mortgaged[one] for one in group)
            if pledged and self._of("rent", "mortgaged_members_matter", False):
                return bare
            near = self._of("rent", "all_but_one_times")
            if lacking > 1 or (lacking and near is None):
                return bare
            name = "rent_all_but_one" if lacking else "rent_full_group"
            printed = rule.rent_near_group if lacking else rule.rent_group
            times = near if lacking else self._of("rent", "full_group_times")
            whole = None if bare is None else bare * times
            typed = printed if printed is not None else whole
            return self._figure(deed, name, typed)
        owned = len(group) - lacking
        is_line = rule.kind == "railroad"
        name = "rent_by_owned" if is_line else "rent_dice_multiplier_by_owned"
        found: int = self._sheet["deed"][deed][name][owned - 1]
        return found * (self._of("buildings", "depot_rent_times", 1) if level else 1)

    def _built(self, deed: str, level: int) -> int | None:
        """Return the printed rent of so many buildings."""
        rule, card = self._rule(deed), self._sheet["deed"][deed]
        kind = rule.ladder[level - 1]
        if kind == "house":
            found: int = card["rent_houses"][level - 1]
            return found
        name = f"rent_{kind}"
        if name not in card and f"rent_{level}_hotel{'s' * (level > 1)}" in card:
            name = f"rent_{level}_hotel{'s' * (level > 1)}"
        return self._figure(deed, name, rule.rents[level])

    # What happens, and what it costs.

    def _see(self, event: object) -> None:
        """Follow an event, and reckon which charge is to come by it."""
        match event:
            case p.DiceRolled() | p.RentRolled():
                self._dice = event.dice
            case p.RentRollAwaited():
                self._rolled = event
            case p.TokenMoved():
                self._land(event)
            case p.RentFellDue():
                self._claim(event)
            case p.RentAsked():
                rent = self._rents.get((event.seat, event.deed))
                if rent is None:  # Somebody has read it since.
                    then, times = self._unread[event.seat, event.deed]
                    rent = times * (self.rent(event.deed, then) or 0)
                self._want(Reason.RENT, event.seat, event.owner, rent)
            case p.CardDrawn() | p.CardNamed() | p.CardReturned() | f.CardLaid():
                self._card = card_of(self._sheet, event.card)
            case d.DeedBought() | d.DeedDealt():
                self._want(Reason.PURCHASE, event.seat, BANK, self.price(event.deed))
            case d.LotSold():
                auction = self._play.auction
                bid = auction.amount if auction is not None else 0
                self._want(Reason.PURCHASE, event.seat, BANK, bid)
            case d.BuildingBought():
                at = self._play.levels[self._at(event.deed)]
                cost = self.steps(event.deed)[at]
                self._want(Reason.PURCHASE, event.seat, BANK, cost)
            case d.GroupLevelled():
                cost = self._levelled(event)
                self._want(Reason.PURCHASE, event.seat, BANK, cost)
                self._want(Reason.SALE, BANK, event.seat, -cost)
            case d.BuildingSold():
                brings = self.sold(event.deed, event.level)
                self._want(Reason.SALE, BANK, event.seat, brings)
            case d.DeedSold():
                self._want(Reason.SALE, BANK, event.seat, self.price(event.deed))
            case d.DeedMortgaged():
                loan = self.mortgage(event.deed)
                self._want(Reason.MORTGAGE, BANK, event.seat, loan)
            case d.MortgageLifted():
                cost = self.lifting(event.deed)
                self._want(Reason.MORTGAGE, event.seat, BANK, cost)
            case d.DeedPassed() if self._play.mortgaged[self._at(event.deed)]:
                percent, loan = self._of("mortgage", "interest_percent"), 0
                loan = dict(self._play.loans).get(event.deed, self.mortgage(event.deed))
                interest = None if None in (loan, percent) else up(loan or 0, percent)
                self._want(Reason.MORTGAGE, event.seat, BANK, interest)
            case d.OfferAccepted():
                self._wanted[Reason.DEAL] = self._deal(event)
            case f.VerdictGiven():
                self._judged(event)
            case v.VaultRefilled():
                self._refill()
            case f.PaymentLaid():
                self._laid(event)
            case f.Chosen():
                self._card = card_of(self._sheet, self._play.awaited)
            case p.PlayEnded():
                self._score(event)

    def _want(self, why: Reason, payer: str, payee: str, amount: int | None) -> None:
        """Have the next charge of that kind be this; any, if the figure is unknown."""
        self._wanted[why] = [] if amount is None else [(payer, payee, amount)]

    def _land(self, event: p.TokenMoved) -> None:
        """Note what a landing by the dice brings or costs."""
        space, before = self._space(event.space), self._play.token_of(event.seat).space
        is_plain = self._is_roll and not self._play.special and not self._card
        if is_plain and event.space < before and len(set(self._dice)) > 1:
            self._due.add((event.seat, Reason.SALARY))
        if is_plain and space["kind"] in TAXES and space.get("amount"):
            self._due.add((event.seat, Reason.TAX))
        if is_plain and "deed" in space:
            at = self._at(space["deed"])
            owner = self._play.owners[at]
            if owner not in ("", event.seat) and not self._play.mortgaged[at]:
                self._due.add((owner, Reason.RENT))

    def _claim(self, event: p.RentFellDue) -> None:
        """Reckon what the owner may ask for."""
        rent, times, is_card_dice = self.rent(event.deed), 1, False
        if self._rolled is not None and self._rolled.deed == event.deed:
            times, is_card_dice = self._rolled.times, self._rolled.is_card_dice
        elif self._card.get("if_owned") == "rent-times":
            is_there = self._card["kind"] == self._rule(event.deed).kind
            times, self._card = self._card["times"] if is_there else 1, {}
        if self._rule(event.deed).kind == "utility":
            is_white = self._option("utility_dice") != "all"
            dice = self._dice[: self._of("dice", "plain")] if is_white else self._dice
            rent = sum(dice) if is_card_dice else (rent or 0) * sum(dice)
        self._rolled = None
        wanted = None if rent is None else times * rent
        if wanted != event.amount:
            raise Wrong(f"the rent is {wanted}, not {event}")
        self._rents[event.seat, event.deed] = event.amount
        self._unread[event.seat, event.deed] = self._play, times
        self._due.discard((event.owner, Reason.RENT))

    def _levelled(self, event: d.GroupLevelled) -> int:
        """Return what a new layout costs: negative if it brings money.

        Where the last street of a group is to become even, buildings move for nothing.
        """
        built = sold = 0
        for deed, level in event.levels:
            at, costs = self._play.levels[self._at(deed)], self.steps(deed)
            built += sum(cost or 0 for cost in costs[at:level])
            sold += sum(cost or 0 for cost in costs[level:at])
        if self._play.stage == "level":
            return built - sold if built > sold else -((sold - built) // 2)
        return built - sold // 2

    def _deal(self, event: d.OfferAccepted) -> list[Move]:
        """Return the money of the offer that was accepted."""
        return self._nets(
            x
            for x in self._play.offers
            if (x.giver, x.taker) == (event.giver, event.taker)
        )

    @staticmethod
    def _nets(offers: Iterable[Offer]) -> list[Move]:
        """Return the difference between the sums of each offer."""
        sums = [(x, x.give.cash - x.want.cash) for x in offers]
        return [
            (x.giver, x.taker, gain) if gain > 0 else (x.taker, x.giver, -gain)
            for x, gain in sums
        ]

    def _judged(self, event: f.VerdictGiven) -> None:
        """The finder gets a fake note from its owner, of a fake card a reward."""
        play = self._play
        payer, amount = play.showing, event.amount
        if play.card_use is not None:
            payer, amount = BANK, self._of("decoder", "fake_card_reward")
        self._want(Reason.FAKE, payer, play.inspector, amount)

    def _refill(self) -> None:
        contents = self._play.vault_contents
        assert contents is not None
        if contents.is_empty:
            self._want(Reason.RICHES, BANK, VAULT, self._of("vault", "refill_money"))
        else:
            self._wanted[Reason.RICHES] = [("nobody", VAULT, 0)]

    def _laid(self, event: f.PaymentLaid) -> None:
        """Reckon money that is laid on the table for something."""
        payment, play = event.payment, self._play
        payer, of = payment.payer, payment.of
        if payment.purpose == BUY:
            self._want(Reason.PURCHASE, payer, BANK, self.price(of))
        elif payment.purpose == BUILD:
            cost = self.steps(of)[play.levels[self._at(of)]]
            self._want(Reason.PURCHASE, payer, BANK, cost)
        elif payment.purpose == LOT and play.auction is not None:
            self._want(Reason.PURCHASE, payer, BANK, play.auction.amount)
        elif payment.purpose == LIFT:
            self._want(Reason.MORTGAGE, payer, BANK, self.lifting(of))
        elif payment.reason is Reason.DEAL:
            self._wanted[Reason.DEAL] = self._nets(play.offers)

    def _score(self, event: p.PlayEnded) -> None:
        """Count the scores: cash, and what each deed is worth or earns."""
        scores = {x.seat: self._game.ledger[Account(x.seat)] for x in self._still_in()}
        for rule in self._board.rules.deeds:
            owner = self._play.owners[self._at(rule.id)]
            if owner in scores:
                scores[Seat(owner)] += self._counts(rule)
        laid = (x for x in self._play.payments if not x.purpose)
        owing = [(x.debtor, x.creditor, x.amount) for x in self._play.debts]
        owing += [(x.payer, x.payee, x.amount) for x in laid]
        for debtor, creditor, amount in owing:
            paid = min(amount, scores[debtor])
            scores[debtor] -= paid
            if creditor in scores:
                scores[Seat(creditor)] += paid
        won = {seat for seat, score in scores.items() if score == max(scores.values())}
        told = {seat: score for seat, score in event.scores if seat in scores}
        if told != scores or set(event.winners) != won:
            raise Wrong(f"the scores are {scores}, not {event}")

    def _still_in(self) -> Iterable[Token]:
        return (token for token in self._play.tokens if not token.is_out)

    def _counts(self, rule: RuleDeed) -> int:
        """Return what a deed adds to its owner's score."""
        at = self._at(rule.id)
        is_pledged, level = self._play.mortgaged[at], self._play.levels[at]
        if "one-rent-each" in self._of("end", "score"):
            return 0 if is_pledged else self.rent(rule.id) or 0
        price = self.price(rule.id) or 0
        built = sum(cost or 0 for cost in self.steps(rule.id)[:level]) if level else 0
        return (price // 2 if is_pledged else price) + built

    # The charges.

    def _check(self, charge: Charge, event: object) -> None:
        """Compare a charge with what it has to be."""
        *move, reason = charge
        self._due -= {(charge[0], reason), (charge[1], reason)}
        if reason in FREE:
            return
        wanted = self._wanted.get(reason)
        if wanted is None:
            wanted = list(self._by_reason(charge))
        if wanted and tuple(move) not in wanted:
            raise Wrong(f"{reason} is {wanted}, not {event}")

    def _by_reason(self, charge: Charge) -> Iterable[Move]:
        """Yield what a charge may be that no event announces; nothing if unknown."""
        payer, payee, _, reason = charge
        mover = self._play.mover
        space = self._space(mover.space)
        match reason:
            case Reason.SALARY:
                name = "salary_to_vault" if payee == VAULT else "salary"
                yield BANK, payee, self._of("money", name, 0)
            case Reason.TAX if space.get("amount"):
                yield mover.seat, space.get("pays_to", BANK), space["amount"]
            case Reason.FINE:
                fine_to = self._of("jail", "fine_to", BANK)
                yield mover.seat, fine_to, self._of("jail", "fine")
            case Reason.CARD:
                yield from self._by_card(payer, payee)
            case Reason.GIFT:
                gifts = (
                    x for x in self._sheet["space"] if x["kind"] == "birthday-gift"
                )
                yield from ((BANK, mover.seat, gift["amount"]) for gift in gifts)
            case Reason.GUESS:
                fee_to = self._option("guess_fee_to")
                yield mover.seat, fee_to, self._of("vault", "guess_fee")
            case Reason.RICHES:
                yield VAULT, mover.seat, self._game.ledger[VAULT]
            case _:
                yield "nobody", "", 0

    def _by_card(self, payer: str, payee: str) -> Iterable[Move]:
        card, seat = self._card, self._play.mover.seat
        effect, amount = card.get("effect"), card.get("amount")
        if not card:
            yield "nobody", "", 0
        elif effect == "repairs":
            yield seat, BANK, self._repairs(seat)
        elif amount is not None:
            yield {
                "collect": (BANK, seat, amount),
                "pay": (seat, BANK, amount),
                "collect-each": (payer, seat, amount),
                "pay-each": (seat, payee, amount),
            }.get(str(effect), (payer, payee, amount))

    def _repairs(self, seat: str) -> int:
        """Return what a seat's own buildings cost by the card."""
        total = 0
        for rule in self._board.rules.deeds:
            at, level = self._at(rule.id), self._play.levels[self._at(rule.id)]
            if self._play.owners[at] == seat and level:
                kind = rule.ladder[level - 1]  # It stands in place of smaller ones.
                count = rule.ladder[:level].count(kind)
                total += count * self._card.get(f"per_{kind}", 0)
        return total


def reckoned(entries: Sequence[Entry]) -> None:
    """Reckon each charge of a whole game; ``Wrong`` if one is another."""
    journal, reckoner = Journal(lambda after: tuple(entries[after:])), Reckoner()
    for entry in entries:
        reckoner.enter(journal.game, entry)
        journal.append(entry)


def _charge(event: object) -> Charge | None:
    """Return the charge that an event makes; ``None`` for any other event."""
    match event:
        case e.MoneyMoved():
            found = event.payer, event.payee, event.amount, event.reason
        case f.PaymentLaid():
            one = event.payment
            found = one.payer, one.payee, one.amount, one.reason
        case p.DebtOwed():
            found = event.debtor, event.creditor, event.amount, event.reason
        case _:
            return None
    return found


def _agreed(game: Game) -> Counter[Charge]:
    """Count what lies on the table or is owed: it was reckoned when it arose."""
    play = game.play
    if play is None:
        return Counter()
    laid: list[Charge] = [(x.payer, x.payee, x.amount, x.reason) for x in play.payments]
    owed: list[Charge] = [
        (x.debtor, x.creditor, x.amount, x.reason) for x in play.debts
    ]
    return Counter([*laid, *owed])
