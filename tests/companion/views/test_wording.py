"""Moves of guided play read as sentences, with names instead of ids."""

from __future__ import annotations

import ast
import inspect
from string import Formatter

from companion.game import decoder_events as f
from companion.game import deed_events as d
from companion.game import play_events as p
from companion.game import vault_contents_events as r
from companion.game.codec import events_from_json, events_to_json
from companion.game.event import Event
from companion.game.ledger import Reason
from companion.game.position import Auction, Bundle
from companion.units import Account, DeedId, Seat
from companion.views.history import names_of, sentence
from companion.views.telling import ACTOR
from tests.guided import Guided
from tests.sample import each

RED, BLUE, BOARDWALK = Seat("red"), Seat("blue"), DeedId("boardwalk")

TOOK = "Red opened the vault and took {} and $400"
NEW = "{} went into the vault, under a new number"


def taken(keys: int, hotels: int) -> r.RichesTaken:
    return r.RichesTaken(seat=RED, keys=keys, hotels=hotels, money=400)


SENTENCES: list[tuple[Event, str]] = [
    (p.DiceRolled(seat=RED, dice=(3, 4)), "Red rolled 3 and 4"),
    (p.JailLeft(seat=RED, how="doubles"), "Red rolled doubles and left jail"),
    (
        p.RentFellDue(seat=RED, owner=BLUE, deed=BOARDWALK, amount=50),
        "Blue may ask for $50 rent of Boardwalk",
    ),
    (
        p.RentFellDue(seat=RED, owner=BLUE, deed=BOARDWALK, amount=None),
        "Blue may ask for the rent of Boardwalk; nobody knows how much",
    ),
    (
        p.DebtOwed(debtor=RED, creditor=Account("bank"), amount=200, reason=Reason.TAX),
        "Red owes the bank $200 and has too little",
    ),
    (
        p.SeatBankrupted(seat=RED, creditor=Account("blue")),
        "Red is bankrupt and hands all to Blue",
    ),
    (
        p.SeatBankrupted(seat=RED, creditor=Account("bank"), has_resigned=True),
        "Red left the game",
    ),
    (
        p.PlayEnded(winners=(RED,), scores=((RED, 1_900), (BLUE, 0))),
        "The game is over: Red won",
    ),
    (d.DeedBought(seat=RED, deed=BOARDWALK), "Red bought Boardwalk"),
    (
        d.BuildingBought(seat=RED, deed=BOARDWALK, level=5),
        "Red built on Boardwalk: a hotel there now",
    ),
    (
        d.BuildingSold(seat=RED, deed=BOARDWALK, level=0),
        "Red took buildings off Boardwalk: nothing there now",
    ),
    (
        d.AuctionOpened(auction=Auction(("boardwalk",), (RED, BLUE), 1)),
        "Bids are taken for Boardwalk",
    ),
    (d.LotSold(lot="boardwalk", seat=RED, amount=7), "Red won Boardwalk for $7"),
    (
        d.OfferMade(
            giver=RED,
            taker=BLUE,
            give=Bundle(cash=50, deeds=("boardwalk",)),
            want=Bundle(jail_cards=1),
        ),
        "Red offered Blue: Boardwalk and $50 for a card to leave jail",
    ),
    (d.OfferAccepted(giver=RED, taker=BLUE), "Blue accepted Red's offer"),
    (d.OfferRejected(giver=RED, taker=BLUE), "Blue turned down Red's offer"),
    (d.OfferWithdrawn(giver=RED, taker=BLUE), "Red took back the offer to Blue"),
    (
        d.OfferLapsed(giver=RED, taker=BLUE, cause="mortgaged", deed=BOARDWALK),
        "Red's offer to Blue lapsed: Boardwalk was mortgaged",
    ),
    (taken(1, 1), TOOK.format("one key, one hotel")),
    (taken(0, 1), TOOK.format("one hotel")),
    (taken(2, 0), TOOK.format("2 keys")),
    (taken(0, 0), "Red opened the vault and took all the money"),
    (r.VaultRefilled(keys=1, hotels=1), NEW.format("One key, one hotel")),
    (r.VaultRefilled(hotels=1), NEW.format("One hotel")),
    (r.VaultRefilled(), "The vault is locked with a new number"),
]


@each(("event", "text"), SENTENCES)
def test_a_move_reads_as_a_sentence(event: Event, text: str) -> None:
    assert sentence(event, names_of(Guided("classic").game)) == text


def test_every_event_has_a_sentence_or_is_known_to_be_silent() -> None:
    silent = {kind for kind in Event.__subclasses__() if "sentence" not in vars(kind)}
    assert silent == {f.ChoiceAwaited, p.CardAwaited, d.DeedAwaited}


@each("kind", Event.__subclasses__())
def test_a_sentence_names_what_its_event_has(kind: type[Event]) -> None:
    for call in ast.walk(ast.parse(inspect.getsource(kind))):
        if isinstance(call, ast.Call) and ast.unparse(call.func) == "told":
            text = ast.literal_eval(call.args[0])
            named = {name for _, name, _, _ in Formatter().parse(text) if name}
            assert named <= {*dir(kind), ACTOR}, text


def test_a_position_comes_back_from_its_json() -> None:
    play = Guided("classic").given("red owns boardwalk", "blue jailed 1")
    for entry in play.entries:
        assert events_from_json(events_to_json(entry.events)) == entry.events
