"""Scenes in which every page of the panel can be seen, for tests and photographs.

``python -m tests.web.scenes FOLDER`` photographs them at the sizes of phones and of the
table's screen, in both themes and languages.
"""

from __future__ import annotations

import itertools
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from playwright.sync_api import Browser, Page

from companion.examining import LessonView
from companion.game import moves as m
from companion.game.commands import TABLE
from companion.table import VaultParts
from companion.units import GameId
from hardware.vault.simulated import SimulatedVault
from tests.chromium import chromium
from tests.fakes import FakeClock
from tests.web.conftest import Evening, House, make_evening, make_panel
from tests.web.decoder import decoder_stage
from tests.web.guided_table import OTHERS, give, guided, played, said
from tests.web.served import RealHouse, still
from web.http.settings import PanelSettings

SIZES = ((320, 640), (390, 844), (844, 390), (800, 480), (1280, 800))
THEMES = ("dark", "light")
LANGUAGES = ("en", "de")
BUILT = (
    "red owns st-james-place tennessee-avenue new-york-avenue",
    "blue owns pacific-avenue north-carolina-avenue pennsylvania-avenue",
    "green owns oriental-avenue vermont-avenue connecticut-avenue",
    "oriental-avenue houses 2",
    "vermont-avenue houses 2",
    "connecticut-avenue houses 3",
)


def opened(house: House, leads: str = "no") -> Evening:
    """A game at which nobody sits yet."""
    host = house.host()
    host.post("/games", edition="secret-vault", name="Saturday", leads=leads)
    game_id = house.table.current()
    assert game_id is not None
    return Evening(house, game_id, host, house.guest(), house.guest())


def waiting(house: House) -> Evening:
    """The host sits, the companion shall lead, and the others have yet to come."""
    evening = opened(house, "yes")
    path = f"/g/{evening.game_id}/join"
    evening.host.post(path, name="Anna", colour="red", token="hat")
    return replace(evening, anna=evening.host)


def gathering(house: House) -> Evening:
    """The host and two others sit, and the companion shall lead."""
    evening = waiting(house)
    house.seated(evening.game_id, "Bartholomäus", "green", "duck")
    return replace(evening, ben=house.seated(evening.game_id, "Ben", "blue", "car"))


def gathering_by_hand(house: House) -> Evening:
    """Eight sit, the companion shall only be the bank, and the host has no seat."""
    evening = opened(house)
    looks = (("Anna", "red", "hat"), ("Ben", "blue", "car"), *OTHERS)
    phones = [house.seated(evening.game_id, *look) for look in looks]
    return replace(evening, anna=phones[0], ben=phones[1])


def fresh(house: House) -> Evening:
    """A table that nobody has touched."""
    guest = house.guest()
    return Evening(house, GameId(""), guest, guest, guest)


def hosted(house: House) -> Evening:
    """A table with a host, who has not opened a game yet."""
    house.host()
    guest = house.guest()
    return Evening(house, GameId(""), guest, guest, guest)


def by_hand(house: House) -> Evening:
    """Three people with the bank alone; Ben has just paid Anna, and asks her."""
    evening = make_evening(house)
    house.seated(evening.game_id, "Cleo", "green", "duck")
    evening.ben.do(evening.game_id, "pay", payee="red", amount=150, reason="other")
    asked = {"seat": "blue", "payer": "red", "amount": 60, "reason": "rent"}
    evening.ben.do(evening.game_id, "ask-money", **asked)
    return evening


LONG_NAMES = (
    *("Anna-Lena", "Bartholomäusmaximiliane!", "Großtante Wilhelmine"),
    *("Karl-Friedrich-Alexander", "Zoë"),
)


def long_names(house: House) -> Evening:
    """Names as long as they may be, and money of six figures; one asks another."""
    evening = make_evening(house)
    evening.anna.do(evening.game_id, "rename-seat", seat="red", name=LONG_NAMES[0])
    evening.ben.do(evening.game_id, "rename-seat", seat="blue", name=LONG_NAMES[1])
    looks = (("green", "duck"), ("orange", "cat"), ("purple", "rocket"))
    for name, look in zip(LONG_NAMES[2:], looks, strict=True):
        house.seated(evening.game_id, name, *look)
    ask = {"payer": "red", "amount": "12400", "reason": "deal", "seat": "blue"}
    evening.ben.do(evening.game_id, "ask-money", **ask)
    for seat in ("red", "blue"):
        figure = {"account": seat, "balance": 123_400}
        evening.host.do(evening.game_id, "correct-balance", **figure)
    return evening


def trading(house: House) -> Evening:
    """Anna has a hotel and much to swap, and owes Ben more than she has."""
    evening = guided(house, "secret-vault", 2, {"unknown_figures": "likely"})
    said(
        evening,
        "red owns mediterranean-avenue baltic-avenue north-carolina-avenue",
        "blue owns pennsylvania-avenue connecticut-avenue st-charles-place",
        *("mediterranean-avenue hotels 2", "red cash 30", "red owes 400 to blue"),
    )
    return evening


def before_roll(house: House) -> Evening:
    """Four people, some houses; Anna has the dice."""
    evening = guided(house, "classic", 4)
    said(evening, *BUILT)
    return evening


def thrown(house: House, first: int, second: int, *lines: str, **options: str):
    """Anna's throw from GO, after what the table agreed on."""
    evening = guided(house, "classic", 4, options)
    said(evening, *lines)
    evening.anna.do(evening.game_id, "roll", **{"die-1": first, "die-2": second})
    return evening


def bidding(house: House) -> Evening:
    """Baltic Avenue is put up."""
    evening = thrown(house, 1, 2)
    evening.anna.do(evening.game_id, "put-up")
    evening.ben.do(evening.game_id, "bid", amount=30)
    return evening


def owing(house: House) -> Evening:
    """Anna stands on Oriental Avenue and cannot pay what Cleo asks for."""
    lines = ("red cash 20", "red owns mediterranean-avenue baltic-avenue")
    evening = thrown(house, 2, 4, *lines, *BUILT[2:])
    cleo = house.table.game(evening.game_id).seats[2].seat
    said(evening, f"red owes 90 to {cleo}")
    return evening


def at_vault(house: House) -> Evening:
    """Secret Vault after some forty moves."""
    return played(guided(house, "secret-vault", 4), 40, seed=1)


def settle(house: House, ms: int = 400) -> None:
    """Let the vault's spring and its lid's contact come to rest."""
    vault = house.panel.vault
    assert vault is not None
    for _ in range(ms // 20):
        vault.keeper.process()
        house.clock.advance(20)
    vault.keeper.process()


def filling(house: House) -> Evening:
    """Secret Vault with its vault, which is still open."""
    evening = guided(house, "secret-vault", 4, {"dice": "typed"})
    settle(house)
    return evening


def filling_by_hand(house: House) -> Evening:
    """Secret Vault without a lock: its lid is up, and nobody has rolled yet."""
    evening = gathering(house)
    evening.host.do(evening.game_id, "begin", lid="open")
    return evening


def opening_by_hand(house: House) -> Evening:
    """Anna guessed the number of the vault that has no lock."""
    evening = guided(house, "secret-vault", 6)
    evening.anna.do(evening.game_id, "roll", **{"die-1": 3, "special": "vault"})
    evening.anna.do(evening.game_id, "guess", number=4, is_right="yes")
    return evening


def keyed_by_hand(house: House) -> Evening:
    """Somebody with a long name has yet to use the key of a vault without a lock."""
    evening = opening_by_hand(house)
    evening.host.do(evening.game_id, "rename-seat", seat="red", name=LONG_NAMES[1])
    return evening


def refilling_by_hand(house: House) -> Evening:
    """Then the key is used, and the vault has to be filled again."""
    evening = keyed_by_hand(house)
    evening.anna.do(evening.game_id, "unlock", deed="boardwalk")
    return evening


def locked(house: House) -> Evening:
    """The vault is locked, and Anna has the dice."""
    evening = filling(house)
    evening.anna.do(evening.game_id, "lock-vault")
    settle(house, 2_000)
    return evening


def guessing(house: House) -> Evening:
    """The vault is locked, and Anna may guess."""
    evening = locked(house)
    evening.anna.do(evening.game_id, "roll", **{"die-1": 3, "special": "vault"})
    settle(house)
    return evening


def opening(house: House) -> Evening:
    """Anna guessed right."""
    evening = guessing(house)
    evening.anna.do(evening.game_id, "guess", number=4)
    settle(house, 2_000)
    return evening


def refilling(house: House) -> Evening:
    """What lay in the vault is hers; it has to be filled again."""
    evening = opening(house)
    evening.anna.do(evening.game_id, "unlock", deed="boardwalk")
    settle(house)
    return evening


def jailed(house: House) -> Evening:
    """Anna sits in jail with a card to leave it; her phone has been away since."""
    evening = guided(house, "classic", 5)
    said(evening, "red jailed 1", "red cards chance-09", "blue cash 1")
    evening.anna.get(f"/g/{evening.game_id}/")
    house.clock.advance(400_000)
    return evening


def bankrupt(house: House) -> Evening:
    """Whatever Anna sells, it is not enough."""
    evening = guided(house, "classic", 4)
    said(evening, "red cash 20", "red owns baltic-avenue", "red owes 900 to blue")
    return evening


def mortgaged(house: House) -> Evening:
    """Anna has turned a street over that could be lifted or sold."""
    evening = guided(house, "grab-and-go", 4)
    streets = "states-avenue virginia-avenue north-carolina-avenue"
    turned = [f"{street} mortgaged" for street in streets.split()[1:]]
    said(evening, f"red owns {streets}", *turned)
    return evening


def gone(house: House) -> Evening:
    """Ben has left for good; the others play on."""
    evening = guided(house, "classic", 4)
    evening.ben.do(evening.game_id, "resign", expected_revision=evening.revision())
    return evening


def crowded(house: House) -> Evening:
    """Eight people, most of them with long names, and an auction."""
    evening = renamed(guided(house, "classic", 8))
    said(evening, *BUILT)
    evening.anna.do(evening.game_id, "roll", **{"die-1": 1, "die-2": 2})
    evening.anna.do(evening.game_id, "put-up")
    evening.ben.do(evening.game_id, "bid", amount=140)
    return evening


def eight(house: House) -> Evening:
    """Eight people in the middle of a game."""
    return played(guided(house, "classic", 8), 120, seed=4)


TOWERS = (
    "red owns kentucky-avenue indiana-avenue illinois-avenue michigan-avenue",
    "blue owns st-charles-place states-avenue virginia-avenue maryland-avenue",
    "green owns mediterranean-avenue baltic-avenue",
    "blue owns reading-railroad b-and-o-railroad",
    *(f"{x} hotels 1" for x in ("kentucky-avenue", "illinois-avenue")),
    *(f"{x} hotels 1" for x in ("indiana-avenue", "michigan-avenue")),
    *(f"{x} houses 4" for x in ("st-charles-place", "states-avenue")),
    *(f"{x} houses 3" for x in ("virginia-avenue", "maryland-avenue")),
    *("indiana-avenue skyscrapers 1", "michigan-avenue skyscrapers 1"),
    *("baltic-avenue houses 1", "reading-railroad depots 1"),
    *("red tickets 3", "green tickets 1", "red on 20", "blue on 16", "green on 21"),
)


def towering(house: House) -> Evening:
    """Eight people and 52 spaces: towers, a depot, tickets, and Mr. Monopoly."""
    evening = guided(house, "mega", 8)
    said(evening, *TOWERS)
    mr = {"die-1": 1, "die-2": 3, "special": "mr"}
    evening.anna.do(evening.game_id, "roll", **mr)
    return evening


def offered(house: House) -> Evening:
    """Anna offers Ben a trade."""
    evening = before_roll(house)
    goods = {"taker": "blue", "give-cash": 200, "want-deed": "pacific-avenue"}
    evening.anna.do(evening.game_id, "make-offer", **{"from": "trade"}, **goods)
    return evening


def bartering(house: House) -> Evening:
    """Anna offers Ben a trade of seven deeds that breaks up three groups."""
    evening = before_roll(house)
    said(evening, "red owns boardwalk park-place", "blue owns short-line water-works")
    goods = {
        "give-deed": ["new-york-avenue", "boardwalk", "park-place"],
        "give-cash": 250,
        "want-deed": [*BUILT[1].split()[2:4], "short-line", "water-works"],
    }
    evening.anna.do(evening.game_id, "make-offer", taker="blue", **goods)
    return evening


def at_the_door(house: House) -> Evening:
    """Somebody wants to sit down at a table that is locked."""
    evening = make_evening(house)
    evening.host.do(evening.game_id, "lock-table")
    path = f"/g/{evening.game_id}/join"
    guest = house.guest()
    guest.get("/start")
    guest.post(path, name="Emil", colour="purple", token="dog")
    return replace(evening, anna=guest)


def turned_away(house: House) -> Evening:
    """The banker sends that somebody away."""
    evening = at_the_door(house)
    (asked,) = house.table.phones.requests(evening.game_id)
    path = f"/g/{evening.game_id}/answer"
    evening.host.post(path, request=asked.request, answer="no")
    return evening


def put_away(house: House) -> Evening:
    """The game is packed away."""
    evening = before_roll(house)
    evening.host.do(evening.game_id, "close-game")
    return evening


def taken_out(house: House) -> Evening:
    """It is taken out again, and nobody has rolled yet."""
    evening = put_away(house)
    evening.host.do(evening.game_id, "reopen-game")
    return evening


def undoing(house: House) -> Evening:
    """Anna bought Baltic Avenue, and Ben asks her to take that back."""
    evening = thrown(house, 1, 2, undo="own")
    evening.anna.do(evening.game_id, "buy")
    evening.ben.do(evening.game_id, "undo-to", revision=evening.revision())
    return evening


def ended(house: House) -> Evening:
    """A quick game to its end."""
    evening = guided(house, "grab-and-go", 3, {"quick": "on"})
    said(evening, "red cash 0", *(f"red owes 5000 to {x}" for x in ("blue",)))
    evening.anna.do(evening.game_id, "declare-bankrupt")
    said(evening, "blue owes 50000 to green")
    evening.ben.do(evening.game_id, "declare-bankrupt")
    return evening


def renamed(evening: Evening) -> Evening:
    """Call the first seats as long as names may be; return the same evening."""
    seats = [one.seat for one in evening.house.table.game(evening.game_id).seats]
    for seat, name in zip(seats, LONG_NAMES, strict=False):
        evening.host.do(evening.game_id, "rename-seat", seat=seat, name=name)
    return evening


def ruined(house: House) -> Evening:
    """After some turns at Secret Vault, Anna goes bankrupt with all that she had."""
    evening = renamed(played(guided(house, "secret-vault", 4), 90, seed=3))
    streets = "states-avenue virginia-avenue kentucky-avenue indiana-avenue"
    said(evening, f"red owns {streets} illinois-avenue", "red cash 7")
    said(evening, *(f"{street} mortgaged" for street in streets.split()))
    said(evening, "red owes 90000 to blue")
    evening.anna.do(evening.game_id, "declare-bankrupt")
    return evening


def told(house: House) -> Evening:
    """Eight people with long names, and a whole game behind them."""
    evening = renamed(played(guided(house, "classic", 8), 400, seed=5))
    give(evening, m.CallTime(by=TABLE))
    return evening


def laying(house: House) -> Evening:
    """Six people; Anna lays the rent of Boardwalk on the table for Ben."""
    evening = guided(house, "crooked-cash", 6)
    seats = [one.seat for one in house.table.game(evening.game_id).seats]
    green, orange, purple = seats[2:5]
    said(evening, "blue owns boardwalk kentucky-avenue", "red owns states-avenue")
    said(evening, f"{green} chips 1", f"{orange} chips 0", f"{purple} jailed 0")
    said(evening, "red cards chance-01", "red on pennsylvania-avenue")
    evening.anna.do(evening.game_id, "roll", **{"die-1": 1, "die-2": 3})
    evening.ben.do(evening.game_id, "ask-rent", seat="red")
    return evening


def looking(house: House) -> Evening:
    """Ben was the first to look at one of Anna's notes."""
    evening = laying(house)
    evening.ben.do(evening.game_id, "inspect")
    return evening


def carding(house: House) -> Evening:
    """Anna lays down the card that sends Ben to jail."""
    evening = in_hand(house)
    evening.anna.do(evening.game_id, "use-card", card="chance-03", target="blue")
    return evening


def in_hand(house: House) -> Evening:
    """Anna has a card for later, and the dice."""
    evening = guided(house, "crooked-cash", 4)
    said(evening, "red owns states-avenue boardwalk", "red cards chance-03")
    return evening


def taking(house: House) -> Evening:
    """Anna may take one of the open cards; two of them are known."""
    evening = in_hand(house)
    said(evening, "faceup chance-01 chance-02")
    evening.anna.do(evening.game_id, "roll", **{"die-1": 2, "die-2": 4})
    return evening


def choosing(house: House) -> Evening:
    """A card gives Anna a hotel: she chooses where."""
    evening = guided(house, "crooked-cash", 4)
    said(evening, "red owns states-avenue boardwalk park-place")
    evening.anna.do(evening.game_id, "roll", **{"die-1": 1, "die-2": 1})
    evening.anna.do(evening.game_id, "draw", card="chest-kind-4")
    return evening


def selling(house: House) -> Evening:
    """Anna sells streets back to the bank, to pay what she owes."""
    evening = guided(house, "crooked-cash", 4)
    said(evening, "red owns states-avenue boardwalk", "red cash 20")
    said(evening, "red owes 300 to blue")
    return evening


BIG = (
    "red owns st-james-place tennessee-avenue new-york-avenue illinois-avenue",
    "blue owns connecticut-avenue vermont-avenue oriental-avenue boardwalk",
    "green owns gas-company electric-company short-line",
    "orange owns states-avenue virginia-avenue",
    "st-james-place houses 2",
    "tennessee-avenue houses 2",
    "new-york-avenue houses 3",
    "red tickets 2",
    "green tickets 1",
)
"""What stands on the big board, and who holds bus tickets."""


def big_board(house: House, *lines: str, dice: str = "typed") -> Evening:
    """Four people at the Mega Edition; Anna has the dice."""
    evening = guided(house, "mega", 4, {"dice": dice})
    said(evening, *BIG, *lines)
    return evening


def three_dice(
    house: House, roll: tuple[int, ...], special: str = "", *lines: str
) -> Evening:
    """Anna rolls all three dice from where the table put her."""
    evening = big_board(house, *lines)
    fields = {f"die-{at}": str(pips) for at, pips in enumerate(roll, 1)}
    special_field = {"special": special} if special else {}
    evening.anna.do(evening.game_id, "roll", **fields, **special_field)
    return evening


def second_purchase(house: House) -> Evening:
    """Mr. Monopoly has taken Anna on to a deed that she may leave to the bank."""
    evening = three_dice(house, (1, 2), "mr")
    evening.anna.do(evening.game_id, "buy")
    return evening


def bus_waits(house: House) -> Evening:
    """Anna bought where she landed; the bus waits for her."""
    evening = three_dice(house, (1, 2), "bus")
    evening.anna.do(evening.game_id, "buy")
    return evening


def last_street(house: House) -> Evening:
    """Anna bought the last street of a group on which she has built already."""
    evening = three_dice(house, (1, 2, 3), "", "red on 19")
    evening.anna.do(evening.game_id, "buy")
    return evening


def tickets_offered(house: House) -> Evening:
    """Ben offers Anna money for her two bus tickets."""
    evening = big_board(house)
    goods = {"taker": "red", "give-cash": 150, "want-tickets": 2}
    evening.ben.do(evening.game_id, "make-offer", **{"from": "trade"}, **goods)
    return evening


def decoding(house: House, lesson: LessonView = decoder_stage.COLLECTING) -> Evening:
    """A table that tells real notes from fake ones, and learns a deck."""
    return decoder_stage.watched(house, SETTINGS, lesson)


@dataclass(frozen=True)
class Shown:
    """One page of a scene: its address, and whose phone shows it.

    With *does* it is what that phone is told once it has sent a form: a verb and its
    fields.
    """

    name: str
    path: str
    who: str = ""
    does: tuple[str, dict[str, str]] | None = None


SEAT = "/g/{j}/"
TRADE = (
    "/g/{j}/trade?taker=blue&give-deed=north-carolina-avenue"
    "&want-deed=pennsylvania-avenue"
)
TOO_MUCH = ("pay", {"payee": "red", "amount": "9000", "reason": "rent"})
SCENES: dict[Callable[[House], Evening], tuple[Shown, ...]] = {
    opened: (
        Shown("games", "/games", "host"),
        Shown("join", "/g/{j}/join", "guest"),
        Shown("table-opened", "/table"),
    ),
    fresh: (
        Shown("start", "/start", "guest"),
        Shown("table-fresh", "/table"),
    ),
    hosted: (Shown("wait", "/", "guest"),),
    waiting: (
        Shown("waiting-alone", SEAT, "host"),
        Shown("join-second", "/g/{j}/join", "guest"),
    ),
    gathering: (
        Shown("waiting", SEAT, "ben"),
        Shown("waiting-host", SEAT, "host"),
        Shown("begin-waiting", "/g/{j}/begin", "host"),
        Shown("table-gathering", "/table"),
    ),
    gathering_by_hand: (
        Shown("waiting-eight", SEAT, "ben"),
        Shown("waiting-bank", "/g/{j}/bank", "host"),
        Shown("waiting-refused", SEAT, "ben", TOO_MUCH),
    ),
    by_hand: (
        Shown("seat", SEAT, "anna"),
        Shown("seat-refused", SEAT, "ben", TOO_MUCH),
        Shown("bank", "/g/{j}/bank", "host"),
        Shown("history", "/g/{j}/history", "anna"),
        Shown("invite", "/g/{j}/invite", "anna"),
        Shown("more", "/g/{j}/more", "anna"),
        Shown("begin", "/g/{j}/begin", "host"),
        Shown("editions", "/editions", "host"),
        Shown("edition", "/editions/secret-vault", "host"),
        Shown("edition-deeds", "/editions/secret-vault?chapter=deeds-brown", "host"),
        Shown("edition-rules", "/editions/secret-vault?chapter=rules", "host"),
        Shown("edition-options", "/editions/secret-vault?chapter=options", "host"),
        Shown("table-by-hand", "/table"),
    ),
    long_names: (
        Shown("seat-long", SEAT, "anna"),
        Shown("pay-long", "/g/{j}/pay?payee=blue&amount=1400", "anna"),
        Shown("more-long", "/g/{j}/more", "anna"),
        Shown("join-long", "/g/{j}/join", "guest"),
        Shown("bank-long", "/g/{j}/bank", "host"),
        Shown("table-long", "/table"),
    ),
    trading: (
        Shown("play-to-raise", SEAT, "anna"),
        Shown("deeds-hotel", "/g/{j}/deeds", "anna"),
        Shown("deeds-of-others", "/g/{j}/deeds", "ben"),
        Shown("deed-hotel", "/g/{j}/deeds/mediterranean-avenue", "anna"),
        Shown("trade-filled", TRADE, "anna"),
    ),
    before_roll: (
        Shown("play-roll", SEAT, "anna"),
        Shown("play-wait", SEAT, "ben"),
        Shown("deeds", "/g/{j}/deeds", "anna"),
        Shown("deed", "/g/{j}/deeds/new-york-avenue", "anna"),
        Shown("trade", "/g/{j}/trade?taker=blue", "anna"),
        Shown("board", "/g/{j}/board", "anna"),
        Shown("pause-asks", "/g/{j}/pause", "anna"),
        Shown("bank-led", "/g/{j}/bank", "host"),
        Shown("correct", "/g/{j}/correct", "host"),
        Shown("more-led", "/g/{j}/more", "anna"),
        Shown("table-led", "/table"),
    ),
    lambda house: thrown(house, 1, 2): (Shown("play-buy", SEAT, "anna"),),
    lambda house: thrown(house, 2, 4, *BUILT[2:]): (Shown("play-rent", SEAT, "anna"),),
    lambda house: thrown(house, 3, 4, decks="cards"): (
        Shown("play-card", SEAT, "anna"),
    ),
    bidding: (
        Shown("play-auction", SEAT, "anna"),
        Shown("table-auction", "/table"),
    ),
    owing: (Shown("play-owing", SEAT, "anna"), Shown("table-owing", "/table")),
    bankrupt: (Shown("play-bankrupt", SEAT, "anna"),),
    mortgaged: (
        Shown("deeds-turned", "/g/{j}/deeds?deed=virginia-avenue", "anna"),
        Shown("deeds-turned-long", "/g/{j}/deeds?deed=north-carolina-avenue", "anna"),
    ),
    gone: (Shown("play-gone", SEAT, "ben"), Shown("play-others-gone", SEAT, "anna")),
    jailed: (
        Shown("table-asleep", "/table"),
        Shown("bank-asleep", "/g/{j}/bank", "host"),
        Shown("play-jail", SEAT, "anna"),
    ),
    crowded: (
        Shown("play-crowded", SEAT, "anna"),
        Shown("play-crowded-leads", SEAT, "ben"),
        Shown("table-crowded", "/table"),
    ),
    eight: (
        Shown("table-eight", "/table"),
        Shown("board-eight", "/g/{j}/board", "anna"),
    ),
    towering: (
        Shown("table-towers", "/table"),
        Shown("board-towers", "/g/{j}/board", "ben"),
        Shown("rules", "/g/{j}/rules", "anna"),
        Shown("tips", "/g/{j}/rules?of=tips", "anna"),
    ),
    offered: (
        Shown("banner-offer", SEAT, "ben"),
        Shown("table-offered", "/table"),
        Shown("trade-offered", "/g/{j}/trade", "anna"),
    ),
    bartering: (Shown("table-bartered", "/table"),),
    at_the_door: (
        Shown("banner-door", SEAT, "host"),
        Shown("join-waiting", "/g/{j}/join", "anna"),
    ),
    turned_away: (Shown("join-turned-away", "/g/{j}/join", "anna"),),
    put_away: (Shown("pause-put-away", "/g/{j}/pause", "host"),),
    taken_out: (Shown("play-setting-up", SEAT, "ben"),),
    undoing: (
        Shown("banner-undo", SEAT, "anna"),
        Shown("undo-asked", SEAT, "ben"),
    ),
    filling_by_hand: (
        Shown("play-filling-by-hand", SEAT, "anna"),
        Shown("play-filling-by-hand-wait", SEAT, "ben"),
        Shown("table-filling-by-hand", "/table"),
    ),
    opening_by_hand: (Shown("table-opening-by-hand", "/table"),),
    keyed_by_hand: (
        Shown("table-keyed-by-hand", "/table"),
        Shown("play-keyed-by-hand-wait", SEAT, "ben"),
    ),
    refilling_by_hand: (
        Shown("table-refilling-by-hand", "/table"),
        Shown("play-refilling-by-hand-wait", SEAT, "ben"),
    ),
    filling: (
        Shown("play-filling", SEAT, "anna"),
        Shown("play-filling-wait", SEAT, "ben"),
        Shown("table-filling", "/table"),
        Shown("vault-open", "/vault", "anna"),
    ),
    guessing: (
        Shown("pause", "/g/{j}/pause", "anna"),
        Shown("play-guess", SEAT, "anna"),
        Shown("play-guess-wait", SEAT, "ben"),
        Shown("vault-locked", "/vault", "anna"),
        Shown("table-guess", "/table"),
    ),
    opening: (
        Shown("play-opening", SEAT, "anna"),
        Shown("play-opening-wait", SEAT, "ben"),
        Shown("vault-opening", "/vault", "anna"),
        Shown("table-opening", "/table"),
    ),
    refilling: (
        Shown("play-refilling", SEAT, "anna"),
        Shown("play-refilling-wait", SEAT, "ben"),
    ),
    at_vault: (
        Shown("play-vault", SEAT, "anna"),
        Shown("history-vault", "/g/{j}/history", "anna"),
        Shown("table-vault", "/table"),
    ),
    laying: (
        Shown("play-lays", SEAT, "anna"),
        Shown("play-may-look", SEAT, "ben"),
        Shown("deeds-may-look", "/g/{j}/deeds", "ben"),
        Shown("table-laid", "/table"),
    ),
    looking: (
        Shown("play-verdict", SEAT, "ben"),
        Shown("challenge", "/g/{j}/challenge", "ben"),
        Shown("play-looked-at", SEAT, "anna"),
        Shown("table-looked-at", "/table"),
    ),
    in_hand: (Shown("play-card-in-hand", SEAT, "anna"),),
    carding: (
        Shown("play-lays-card", SEAT, "anna"),
        Shown("play-card-laid", SEAT, "ben"),
        Shown("table-card-laid", "/table"),
    ),
    taking: (Shown("play-open-cards", SEAT, "anna"),),
    choosing: (Shown("play-choose", SEAT, "anna"),),
    selling: (Shown("play-selling", SEAT, "anna"),),
    lambda house: big_board(house, "red on 4"): (
        Shown("play-third-die", SEAT, "anna"),
        Shown("deeds-big", "/g/{j}/deeds?deed=new-york-avenue", "anna"),
        Shown("correct-big", "/g/{j}/correct", "host"),
    ),
    lambda house: three_dice(house, (2, 2, 2), "", "red on 20"): (
        Shown("play-any-space", SEAT, "anna"),
        Shown("play-any-space-wait", SEAT, "ben"),
    ),
    lambda house: three_dice(house, (1, 2), "mr"): (
        Shown("play-mr-follows", SEAT, "anna"),
        Shown("play-mr-follows-wait", SEAT, "ben"),
    ),
    second_purchase: (Shown("play-mr-buys", SEAT, "anna"),),
    bus_waits: (Shown("play-bus", SEAT, "anna"),),
    lambda house: three_dice(house, (1, 2, 1), "", "red on 43"): (
        Shown("play-gift", SEAT, "anna"),
    ),
    lambda house: three_dice(house, (4, 6), "bus", "red on 4"): (
        Shown("play-lot", SEAT, "anna"),
    ),
    last_street: (
        Shown("play-level", SEAT, "anna"),
        Shown("play-level-wait", SEAT, "ben"),
        Shown("plan", "/g/{j}/plan/new-york-avenue", "anna"),
    ),
    tickets_offered: (
        Shown("play-tickets-offered", SEAT, "anna"),
        Shown("table-tickets-offered", "/table"),
        Shown("trade-tickets", "/g/{j}/trade?taker=blue", "anna"),
    ),
    ended: (
        Shown("play-over", SEAT, "anna"),
        Shown("ending", "/g/{j}/ending", "anna"),
        Shown("evenings", "/games/evenings", "host"),
        Shown("table-over", "/table"),
    ),
    ruined: (Shown("table-ruined", "/table"),),
    told: (Shown("table-told", "/table"),),
    decoding: (
        Shown("decoder", "/decoder", "anna"),
        Shown("decoder-fake", "/decoder/fake", "host"),
        Shown("decoder-real", "/decoder/real", "anna"),
        Shown("decoder-both", "/decoder/both", "host"),
        Shown("decoder-unsure", "/decoder/unsure", "anna"),
        Shown("decks-collecting", "/decks", "host"),
        Shown("decks-of-others", "/decks", "anna"),
    ),
    lambda house: decoding(house, decoder_stage.LEARNT): (
        Shown("decks-learnt", "/decks", "host"),
    ),
    lambda house: decoding(house, decoder_stage.ASKING): (
        Shown("decks-asking", "/decks", "host"),
        Shown("decks-asking-of-others", "/decks", "anna"),
    ),
    lambda house: decoding(house, decoder_stage.REFUSED): (
        Shown("decks-refused", "/decks", "host"),
    ),
    lambda house: decoding(house, decoder_stage.SORTED): (
        Shown("decks-sorted", "/decks", "host"),
    ),
    lambda house: decoding(house, decoder_stage.LEARNING): (
        Shown("decks-learning", "/decks", "host"),
    ),
}
WITH_VAULT = (filling, locked, guessing, opening, refilling)
SETTINGS = PanelSettings(burst_count=5_000, requests_per_s=1_000.0)


SEND = """([address, fields]) => {
  const form = Object.assign(document.createElement("form"), { action: address });
  for (const name in fields) {
    const value = fields[name];
    form.append(Object.assign(document.createElement("input"), { name, value }));
  }
  form.method = "post";
  document.body.append(form);
  form.submit();
}"""
"""Sends a form as a page without script does: the answer is a page of its own."""


class Stage(RealHouse):
    """One scene at a real address."""

    def __init__(
        self,
        folder: Path,
        browser: Browser,
        scene: Callable[[House], Evening],
        others: int = 0,
    ) -> None:
        clock = FakeClock()
        vault = VaultParts(lambda _: SimulatedVault(clock), clock, lambda: 4)
        has_vault = scene in WITH_VAULT
        house = make_panel(
            folder, clock, vault if has_vault else None, settings=SETTINGS
        )
        for number in range(others):  # Older ones: the vault serves the latest game.
            house.table.open_game("classic", "Monopoly (classic)", f"other-{number:04}")
        clock.leap(1_000)
        self.evening = scene(house)
        super().__init__(house, browser)

    def page(
        self, shown: Shown, size: tuple[int, int], theme: str, language: str
    ) -> Page:
        """Open a browser that shows a page, once nothing moves any more."""
        width, height = size
        context = self.context(None, viewport={"width": width, "height": height})
        return self.turned(context.new_page(), shown, theme, language)

    def turned(self, page: Page, shown: Shown, theme: str, language: str) -> Page:
        """Show a page in the same browser, as another phone; return it."""
        page.goto("about:blank")  # Ends the old page before the cookies change.
        phones = {"guest": self.house.guest, "": lambda: None}
        find = phones.get(shown.who, lambda: getattr(self.evening, shown.who))
        phone = find()
        chosen = {"theme": theme, "language": language}
        if phone is not None:
            phone.get("/start")
            chosen |= [phone.cookie]
        page.context.clear_cookies()
        page.context.add_cookies(
            [{"name": x, "value": chosen[x], "url": self.url} for x in chosen]
        )
        answer = page.goto(self.url + shown.path.format(j=self.evening.game_id))
        assert answer is not None
        assert answer.ok, (shown, answer.status)
        if shown.does is not None:
            verb, fields = shown.does
            more = {"command_id": self.house.command_id(), **fields}
            with page.expect_navigation():
                address = f"{self.url}/g/{self.evening.game_id}/do/{verb}"
                page.evaluate(SEND, [address, more])
        return still(page)


@contextmanager
def staged(
    browser: Browser, scene: Callable[[House], Evening], others: int = 0
) -> Iterator[Stage]:
    """Serve a scene while the block runs, among *others* open games."""
    with tempfile.TemporaryDirectory() as folder:
        stage = Stage(Path(folder), browser, scene, others)
        try:
            yield stage
        finally:
            stage.close()


def photograph(folder: Path) -> None:
    """Save every page at every size, theme and language as a picture in *folder*."""
    folder.mkdir(parents=True, exist_ok=True)
    with chromium() as browser:
        for scene, pages in SCENES.items():
            with staged(browser, scene) as stage:
                looks = itertools.product(pages, SIZES, THEMES, LANGUAGES)
                for shown, size, theme, language in looks:
                    page = stage.page(shown, size, theme, language)
                    width, height = size
                    name = f"{shown.name}-{width}x{height}-{theme}-{language}.png"
                    page.screenshot(path=folder / name)
                    stage.hang_up()


if __name__ == "__main__":
    photograph(Path(sys.argv[1]))
