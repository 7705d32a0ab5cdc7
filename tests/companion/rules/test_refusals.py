"""Every refusal that a check can give, in a table: each sentence, and each rule.

Goal: no sentence and no rule of a refusal changes, comes or goes unseen.
Method: real commands are refused in all five boxes: those of the game scripts, and
everything that can be tried in the positions of those scripts, in random ones and in
some made for it. Each line of ``refusals.txt`` came from one. Every place in the rules
where a refusal is made is found too, and wants a line of the table.

``python -m tests.companion.rules.test_refusals`` writes the table anew.
"""

from __future__ import annotations

import ast
import difflib
import random
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import cache, partial
from pathlib import Path
from types import CodeType, FrameType
from typing import NamedTuple
from unittest import mock

import pytest
from msgspec.structs import replace

from companion.edition import builtin, editions
from companion.edition.catalogue import Catalogue
from companion.edition.library import UK
from companion.edition.snapshot import snapshot
from companion.errors import Refused
from companion.game import Game
from companion.game import commands as c
from companion.game import moves as m
from companion.game.board import Board
from companion.game.commands import verb_of
from companion.game.events import Awaits
from companion.game.position import Bundle
from companion.game.rulebook import Rulebook, RuleSpace
from companion.game.sections import StreetSale
from companion.game.spaces import CARD_SPACES
from companion.rules import RULES, refusal
from companion.rules.drawing import Source, complete_command
from companion.script.parse import ScriptLine, parse
from companion.script.run import Runner
from companion.script.verbs import WordsWrong
from companion.sheets import Told
from companion.units import Seat
from companion.words import Words
from companion.words.report import nearest
from tests.companion.rules.test_engine_playouts import OPTIONS
from tests.guided import Guided, accepted, random_correction, random_move
from tests.random_table import put_anywhere
from tests.scene import Play, ask, pay
from tests.test_games import SCRIPTS
from tests.test_sixth_box import EDITIONS
from tests.test_sixth_box import SCRIPTS as SIXTH_SCRIPTS
from tests.told import ROOT
from tests.told import RULES as TOLD
from tests.tried import AFAR, tried
from web.http.language import language_of

TABLE = Path(__file__).with_name("refusals.txt")
ACCEPT = "python -m tests.companion.rules.test_refusals"

KEYS = {id(rule): key for key, rule in TOLD.items()}
GERMAN = language_of("de")


# Lines.


ANOTHER = "another"
"""Stands for any box that is none of the five: an owner's own one."""


def box_of(game: Game) -> str:
    """Return the box of a game; the British printing has the American rules."""
    return game.terms.edition.removesuffix(UK)


def line_of(kind: type[c.Command], refused: Refused) -> str:
    """Return the line of the table for a refusal, without its box."""
    english = "; ".join(filter(None, map(template, (refused.message, refused.remedy))))
    german = "; ".join(filter(None, map(german_of, (refused.message, refused.remedy))))
    columns = (
        verb_of(kind).ljust(16),
        refused.why.value.ljust(16),
        KEYS[id(refused.rule)].ljust(21),
        english,
        german,
    )
    return " | ".join(columns)


def template(text: str) -> str:
    """Return the template of a sentence, with its values in braces."""
    if not isinstance(text, Words):
        return f"not to be translated: {text}" if text else ""
    return f"{text.template} / {text.plural}" if text.plural else text.template


def german_of(text: str) -> str:
    if not isinstance(text, Words):
        return ""
    if not text.plural:
        return GERMAN.gettext(text.template)
    forms = (GERMAN.ngettext(text.template, text.plural, n) for n in (1, 2))
    return " / ".join(forms)


# Where a refusal is made.

Site = tuple[str, int, int]
"""A call: its file, and the line and column where it begins."""

MAKERS = (ROOT / "companion" / "rules", ROOT / "companion" / "game" / "ledger.py")
"""Files in which the checks make refusals."""


class Met(NamedTuple):
    """What was met while commands were refused."""

    boxes: dict[str, set[str]]
    calls: set[tuple[CodeType, int]]
    known: dict[object, str]

    def add(self, box: str, command: c.Command, refused: Refused | None) -> None:
        if refused is not None:
            texts = (refused.message, refused.remedy)
            words = [getattr(text, "template", text) for text in texts]
            sort = (type(command), refused.why, id(refused.rule), *words)
            line = self.known.get(sort) or line_of(type(command), refused)
            self.known[sort] = line
            self.boxes.setdefault(line, set()).add(box)
            self.calls.update(refused.__dict__["calls"])

    def table(self) -> list[str]:
        """Return all lines; of other boxes only what no box of ours has."""
        return sorted(
            f"{box.ljust(12)} | {line}"
            for line, boxes in self.boxes.items()
            for box in boxes
            if box != ANOTHER or len(boxes) == 1
        )

    def sites(self) -> set[Site]:
        """Return the calls on the way to each refusal."""
        places: set[Site] = set()
        for code, instruction in self.calls:
            line, _, column, _ = list(code.co_positions())[instruction // 2]
            name = Path(code.co_filename).relative_to(ROOT).as_posix()
            places.add((name, line or 0, column or 0))
        return places


@cache
def is_ours(file: str) -> bool:
    path = Path(file)
    return any(path == maker or maker in path.parents for maker in MAKERS)


def remembering(made: Refused, *args: object) -> None:
    """Make a refusal, and remember the calls that led to it."""
    ORIGINAL(made, *args)  # type: ignore[arg-type]
    calls = []
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        if is_ours(frame.f_code.co_filename):
            calls.append((frame.f_code, frame.f_lasti))
        frame = frame.f_back
    made.calls = calls  # type: ignore[attr-defined]


ORIGINAL = Refused.__init__


def everything() -> Met:
    """Return all refusals that are met, in a fixed order."""
    return met_by(
        of_scripts,
        of_random_positions,
        of_tables_by_hand,
        of_hand_made,
        of_other_boxes,
        of_phones,
    )


def met_by(*finders: Callable[[Met], None]) -> Met:
    met = Met({}, set(), {})
    with (
        mock.patch.object(Refused, "__init__", remembering),
        mock.patch("companion.rules.rule.nearest", cache(nearest)),
    ):
        for find in finders:
            find(met)
    return met


def try_everything(met: Met, game: Game, box: str = "") -> None:
    """Try every command by every seat, and by strangers."""
    box = box or box_of(game)
    play = game.play
    seats = [state.seat for state in game.seats]
    if play is not None:
        seats = [token.seat for token in play.tokens]
    for by in (*seats[:3], *AFAR):
        for command in tried(game, by):
            met.add(box, command, refusal(game, command))


# Positions.


def of_scripts(met: Met) -> None:
    """Meet what scripts expect to be refused, and what else could be tried there."""
    seen: set[object] = set()
    for path in SCRIPTS:
        of_script(met, path, seen)


def of_script(
    met: Met, path: Path, seen: set[object], boxes: Catalogue | None = None
) -> None:
    for line, runner in played(path, boxes):
        box = ANOTHER if boxes else box_of(runner.game)
        if line.kind == "refuse":
            with suppress(WordsWrong):
                command = runner._command(line)
                met.add(box, command, refusal(runner.game, command))
        sort = sort_of(runner.game)
        if line.kind in ("do", "refuse") and sort not in seen:
            seen.add(sort)
            try_everything(met, runner.game, box)


def played(path: Path, boxes: Catalogue | None) -> Iterator[tuple[ScriptLine, Runner]]:
    """Yield each line of a script, before it is played."""
    runner = Runner(traces=False, editions=boxes)
    lines = parse(path.read_text(encoding="utf-8"))
    runner.prepare(lines)
    for line in lines[2:]:
        yield line, runner
        runner.play(line)


def sort_of(game: Game) -> object:
    """Return a key that positions share if mostly the same is refused in both."""
    play, board = game.play, game.board
    assert play is not None
    assert board is not None
    card = board.card(play.awaited)
    return (
        game.terms.edition,
        play.stage,
        card.effect if card is not None else play.awaited * (play.stage == "choose"),
        play.mover.tries >= 0,
        bool(play.offers),
        play.auction is not None and play.auction.lots[0] in board.index,
        play.may_pass,
        play.bonus,
        play.vault_contents.lid if play.vault_contents is not None else "",
        game.is_guided,
    )


POSITIONS = 8
"""How many random positions of each box."""


def of_random_positions(met: Met) -> None:
    for edition in editions():
        for seed in range(POSITIONS):
            try_everything(met, somewhere(edition, seed).game)


def somewhere(edition: str, seed: int) -> Guided:
    """Return a random position of that box, after a few moves and corrections."""
    dice = random.Random(f"{edition} {seed}")
    options = OPTIONS[edition]
    play = Guided(edition, 3, options[seed % len(options)])
    put_anywhere(dice, play)
    for _ in range(seed % 5 * 4):
        move: m.Move = random_correction(dice, play.game)
        if play.at.stage != "over" and dice.random() < 0.7:
            move = random_move(dice, play.game)
        if accepted(play.game, move):
            play.give(move)
    return play


# Tables by hand.


def of_tables_by_hand(met: Met) -> None:
    for edition in editions():
        for game in by_hand(edition):
            try_everything(met, game)


def by_hand(edition: str) -> Iterator[Game]:
    """Yield a table before, beside and after play that the companion leads."""
    led = Guided(edition, 3)
    yield led.game
    yield led.give(m.RestPlay(by=c.TABLE))
    yield led.give(pay("red", "blue", 5), pay("blue", "red", 7))
    yield led.give(c.HandBanker(by=c.TABLE, to=led.game.seats[0].seat))
    yield led.give(c.UndoTo(by="green", revision=led.game.undoable[-2].revision))
    asked = led.game.undo_ask
    assert asked is not None
    yield led.give(c.DeclineUndo(by="blue", revision=asked.revision))
    yield led.give(c.Undo(by=c.TABLE))
    yield led.give(c.LockTable(by=c.TABLE), *(ask("red", "blue", 3) for _ in range(8)))
    yield led.give(c.CloseGame(by=c.TABLE))
    terms = led.game.terms
    for seats in ((), ("red",), ("red", "blue")):
        yield Play(*seats, terms=terms).game
    waiting = Play("red", "blue", terms=terms, awaits=Awaits.BANKING)
    yield waiting.game
    yield waiting.give(c.HandBanker(by=c.TABLE, to=Seat("red")))
    full = Play(*(state.seat for state in full_table(edition).game.seats), terms=terms)
    yield full.game
    yield full.give(c.RemoveSeat(by=c.TABLE, seat=full.game.seats[0].seat))


def full_table(edition: str) -> Guided:
    return Guided(edition, 8)


# Positions that are made by hand, since hardly any game comes to them.

OWN_GROUP = (
    "red owns boardwalk park-place",
    "boardwalk houses 2",
    "park-place houses 2",
)


def scenes(board: Board) -> Iterator[tuple[str, ...]]:
    """Yield words for positions in which most refusals can be met.

    A line that a box does not allow is left out.
    """
    deeds = board.rules.deeds
    streets = [group for group in dict.fromkeys(board.sites) if deeds[group[0]].ladder]
    mine, theirs = (tuple(deeds[at].id for at in group) for group in streets[:2])
    own = tuple(f"red owns {deed}" for deed in mine)
    built = tuple(f"{deed} houses 4" for deed in mine)
    hotels = tuple(f"{deed} hotels 1" for deed in mine)
    yield ("green bankrupt",)
    yield ("blue bankrupt", "green bankrupt")
    yield (*own, "red cash 0")
    yield (*own, "bank houses 0", "bank hotels 0")
    yield (*own, *built, "bank hotels 0", "bank houses 0")
    yield (*own, *built, "red cash 0", f"blue owns {theirs[0]}", "red cards jail-card")
    yield (*own, f"{mine[0]} houses 1", f"{mine[0]} hotels 1", "red hotels 1")
    yield (*own, *hotels, f"blue owns {theirs[0]} {theirs[-1]}")
    yield (*own, *hotels, "bank houses 0", "bank hotels 0", "red owes 4000")
    yield (*own, *hotels, f"{mine[0]} skyscraper", "bank hotels 0")
    yield (*own, *hotels, f"{mine[-1]} owner blue")
    yield (*own, f"{mine[0]} mortgaged", "red cash 0")
    yield (*own, f"{mine[0]} mortgaged", "red owes 4000 to blue")
    yield (*own, f"{mine[0]} hotels 1", "red owes 40 to blue", "red cash 0")
    yield (f"blue owns {theirs[0]}", "red owes 4000", "green owes 4000 to red")
    yield ("red jailed 0", "red cash 0", "red tickets 1")
    yield ("red jailed 2", "red cash 0", "red cards jail-card")
    yield ("red tickets 1", "red hotels 1", "red chips 1")
    for stage in ("buy", "auction", "rent-roll"):
        yield (*own, f"{mine[0]} hotels 1", f"red on {theirs[0]}", f"stage {stage}")
        yield (f"red on {mine[0]}", f"stage {stage}", "red cash 0")
    for kind in ("chance", "community-chest", "auction", "birthday-gift", "bus-ticket"):
        for at in [i for i, x in enumerate(board.rules.spaces) if x.kind == kind][:1]:
            yield (f"red on {at}", "stage card", "stage choose")


def posed(play: Guided, lines: Iterable[str]) -> Guided:
    """Return the table in a position, as far as its box allows it."""
    for line in lines:
        move = m.CorrectPosition(by=c.TABLE, words=tuple(line.split()), is_given=True)
        if accepted(play.game, move):
            play.give(move)
    return play


def of_scenes(met: Met) -> None:
    for edition in editions():
        board = Guided(edition, 3).game.board
        assert board is not None
        for lines in scenes(board):
            play = posed(Guided(edition, 3), lines)
            try_everything(met, play.game)
            bid = m.Bid(by="red", amount=board.rules.auction.start)
            if play.at.stage == "auction" and accepted(play.game, bid):
                try_everything(met, play.give(bid, m.PassBid(by="blue")))
        for options in OPTIONS[edition]:
            play = posed(
                Guided(edition, 3, options), ("blue bankrupt", "green bankrupt")
            )
            try_everything(met, play.game)


def of_hand_made(met: Met) -> None:
    of_scenes(met)
    for edition in editions():
        try_everything(met, with_stale_offer(Guided(edition, 3)))
        for decks in ("table", "cards"):
            try_everything(met, with_known_card(edition, decks))
    toy = Guided("secret-vault", 3, {"toy": "on"})
    toy.given(f"red on {first_street(toy.game)}", "stage buy")
    toy.give(m.PutUp(by="red"))
    try_everything(met, toy.game)
    skip = Guided("crooked-cash", 3).given("red cards chance-01")
    skip.given(f"red on {first_street(skip.game)}", "stage buy")
    try_everything(met, skip.game)
    short = Guided("mega", 3).given(
        *OWN_GROUP, "blue owns baltic-avenue mediterranean-avenue", "bank houses 1"
    )
    short.give(m.WantBuilding(by="red", deed="boardwalk"))
    short.give(m.WantBuilding(by="blue", deed="baltic-avenue"))
    try_everything(met, short.game)


def with_stale_offer(play: Guided) -> Game:
    """Return a game with an offer that its giver can no longer keep."""
    deed = first_street(play.game)
    play.given(f"blue owns {deed}", "red cash 50")
    give, want = Bundle(cash=50), Bundle(deeds=(deed,))
    play.give(m.MakeOffer(by="red", taker="blue", give=give, want=want))
    return play.given("red cash 20").game


def first_street(game: Game) -> str:
    assert game.board is not None
    return game.board.rules.deeds[0].id


def with_known_card(edition: str, decks: str) -> Game:
    """Return a game with a card to be drawn, and a known card on top."""
    has_choice = any(option.key == "decks" for option in builtin(edition).options)
    play = Guided(edition, 3, {"decks": decks} if has_choice else {})
    board = play.game.board
    assert board is not None
    space = next(
        number
        for number, space in enumerate(board.rules.spaces)
        if space.kind == "chance"
    )
    play.given(f"red on {space}", "stage card")
    move = m.CorrectPosition(
        by=c.TABLE,
        words=("top", "chance", board.cards_of("chance")[0].id),
        is_given=True,
    )
    if accepted(play.game, move):
        play.give(move)
    return play.game


def of_other_boxes(met: Met) -> None:
    """Meet the refusals of a box with every mechanic, and of boxes without figures."""
    for path in SIXTH_SCRIPTS:
        of_script(met, path, set(), EDITIONS)
    for seed in range(POSITIONS // 2):
        dice = random.Random(seed)
        play = Guided("harbour-lights", 3, {}, EDITIONS)
        put_anywhere(dice, play)
        try_everything(met, play.game, ANOTHER)
    for edition in editions():
        for seed in range(POSITIONS // 4):
            play = without_figures(edition)
            put_anywhere(random.Random(seed), play)
            try_everything(met, play.game, ANOTHER)
        play = without_figures(edition)
        try_everything(
            met,
            play.given(f"red on {first_street(play.game)}", "stage buy").game,
            ANOTHER,
        )
    unknown = with_unknown_interest(without_figures("classic"))
    try_everything(met, unknown, ANOTHER)
    play = of_rules("classic", lambda rules: replace(rules, street_sale=AT_ANY_TIME))
    try_everything(met, play.given(*MORTGAGED).game, ANOTHER)
    play = of_rules("crooked-cash", lambda rules: replace(rules, buildings=IN_GROUPS))
    play.given("red cards chance-02", f"red owns {first_street(play.game)}")
    try_everything(met, play.game, ANOTHER)
    play = of_rules("classic", with_unread_card)
    try_everything(met, play.given(f"red cards {KEPT.id}").game, ANOTHER)
    play = of_rules("mega", lambda rules: replace(rules, spaces=bare(rules.spaces)))
    play.give(m.Roll(by="red", dice=(1, 1), special="bus"))
    try_everything(met, play.game, ANOTHER)


KEPT = next(card for card in snapshot(builtin("classic")).cards if card.is_kept)


def with_unread_card(rules: Rulebook) -> Rulebook:
    """Return rules with a card in the hand whose amount nobody has read."""
    unread = replace(KEPT, effect="collect", amount=None)
    cards = tuple(unread if card.id == KEPT.id else card for card in rules.cards)
    return replace(rules, cards=cards)


IN_GROUPS = replace(
    snapshot(builtin("crooked-cash")).buildings, outside_group_by_card=False
)
AT_ANY_TIME = StreetSale(exists=True, when="any-time")
MORTGAGED = ("red owns boardwalk", "boardwalk mortgaged")


def with_unknown_interest(play: Guided) -> Game:
    """Return a game with an offer of a deed whose mortgage value is unknown."""
    deed = first_street(play.game)
    play.given(f"blue owns {deed}", f"{deed} mortgaged")
    give, want = Bundle(cash=5), Bundle(deeds=(deed,))
    return play.give(m.MakeOffer(by="red", taker="blue", give=give, want=want))


def bare(spaces: tuple[RuleSpace, ...]) -> tuple[RuleSpace, ...]:
    """Return the spaces of a board on which no card is drawn."""
    return tuple(
        replace(space, kind="rest", effect="") if space.kind in CARD_SPACES else space
        for space in spaces
    )


def without_figures(edition: str) -> Guided:
    """Return a table of a box in which prices and building costs are unknown."""

    def change(rules: Rulebook) -> Rulebook:
        deeds = (
            replace(deed, price=None, mortgage=None, costs=(None,) * len(deed.costs))
            for deed in rules.deeds
        )
        return replace(rules, deeds=tuple(deeds))

    return of_rules(edition, change)


def of_rules(edition: str, change: Callable[[Rulebook], Rulebook]) -> Guided:
    """Return a table that plays by the rules of a box, with some changed."""
    return Guided(edition, 3, change=change)


# What phones ask before a rule is asked.


def of_phones(met: Met) -> None:
    for edition in editions():
        for dice_by in ("rolled", "typed"):
            options = {"dice": dice_by}
            game = Guided(edition, 2, options).game
            source = Source(game, partial(builtin, edition), random.Random(0))
            for command in (
                m.Roll(by="red", dice=()),
                m.Roll(by="red", dice=(1, 2)),
                m.Guess(by="red", number=1),
            ):
                try:
                    complete_command(command, source)
                except Refused as refused:
                    met.add(edition, command, refused)


# Places that refuse.


def makers() -> dict[str, ast.Module]:
    """Return the files in which the checks make refusals, by name."""
    return {
        path.relative_to(ROOT).as_posix(): ast.parse(path.read_text(encoding="utf-8"))
        for path in sorted(MAKERS[0].glob("*.py"))
    }


REFUSES = Told.refuses.__name__
ASKED_OTHERWISE = {"_check_command", "_check_turn"}
"""What ``decide``, ``refusal`` and ``out_of_turn`` share, each in its own way."""


def calls_to_refusals() -> Iterator[tuple[Site, str, str]]:
    """Yield each call that gives a refusal: its place, its function, and its callee."""
    modules = makers()
    helpers = {
        node.name
        for tree in modules.values()
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef)
        and node.returns is not None
        and "Refused" in ast.unparse(node.returns)
    }
    made = helpers - ASKED_OTHERWISE | {"Refused", REFUSES, "short_of"}
    for name, tree in modules.items():
        for function in [
            node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)
        ]:
            compared = [
                node for node in ast.walk(function) if isinstance(node, ast.Compare)
            ]
            asked = {id(node.left) for node in compared}  # Only whether it refuses.
            for node in ast.walk(function):
                if not isinstance(node, ast.Call) or id(node) in asked:
                    continue
                called = ast.unparse(node.func)
                if isinstance(node.func, ast.Attribute) and node.func.attr == REFUSES:
                    called = REFUSES
                if called in made:
                    site = name, node.lineno, node.col_offset
                    yield site, function.name, called


NEVER = {
    ("cards", "_check_own", "_not_there"): "no deck here has kept cards alone",
    ("choosing", "check_choose", "check_card_amount"): "such a card is not drawn",
    ("choosing", "_check_gift", "unknown_figure"): "an unread gift is not offered",
    ("buildings", "check_want", "check_build"): "it is only asked whether",
    ("debt", "check_declare", "unknown_figure"): "its words stand in another refusal",
    ("trade", "check_deal", "check_offer"): "an offer has lapsed by then",
    ("trade", "_change", "blocked"): "it is only asked whether",
    ("trade", "_change", "_check_hands"): "it is only asked whether",
    ("decoder", "check_hand_over", "short_of"): "what nobody can pay is withdrawn",
    ("deeds", "check_buy", "needs_key"): "a locked street is not offered for sale",
}
"""What no command comes to: the file, the check, what it calls, and why it never does.

It stays where it is, so that a mistake elsewhere is refused and does no harm.
"""


# The test.


def written() -> list[str]:
    return TABLE.read_text(encoding="utf-8").splitlines()


@pytest.mark.slow
def test_the_table_has_every_refusal_of_a_table_by_hand() -> None:
    met = met_by(of_tables_by_hand, of_phones)
    assert sorted(set(met.table()) - set(written())) == [], f"accept it by: {ACCEPT}"


def test_every_command_is_refused_somewhere_in_words_of_every_language() -> None:
    assert [line for line in written() if "not to be translated" in line] == []
    refused = {line.split(" | ")[1].strip() for line in written()}
    assert {verb_of(kind) for kind in RULES} <= refused, "some command is never refused"


@pytest.mark.slow  # It plays each game script, and tries everything there.
def test_the_table_has_every_refusal_of_every_command_and_place() -> None:
    met = everything()
    table = met.table()
    diff = list(difflib.unified_diff(written(), table, "written", "met", "", "", 0, ""))
    assert not diff, "\n".join(
        (f"{TABLE.relative_to(ROOT)} differs; accept it by: {ACCEPT}", *diff)
    )
    places = met.sites()
    missing = {
        (Path(site[0]).stem, check, called): f"{site[0]}:{site[1]}: {called}(…)"
        for site, check, called in calls_to_refusals()
        if site not in places
    }
    unheard = [where for place, where in missing.items() if place not in NEVER]
    assert unheard == [], "\n".join(["nothing is refused in these places:", *unheard])
    assert missing.keys() == NEVER.keys(), "take these out of NEVER: they are met"


if __name__ == "__main__":
    TABLE.write_text("\n".join((*everything().table(), "")), encoding="utf-8")
