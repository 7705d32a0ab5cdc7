"""Whole games with fakes: each challenge goes through the camera and the real decoder.

Who holds which fake is this test's own business, as it is the table's: it lays a note
that was printed by ``companion print`` and photographed before the simulated camera,
and the game hears only what the decoder made of it. The decoder may be unsure, then
another photograph is taken; it may never be wrong. In the end everybody has what a
second bookkeeping says, which knows no rule but that of the last count.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from companion.decoder import house_deck
from companion.edition import builtin
from companion.edition.snapshot import snapshot
from companion.errors import Refused
from companion.examining import FAKE, REAL, UNSURE
from companion.game import Game
from companion.game import commands as c
from companion.game import events as e
from companion.game import moves as m
from companion.game import play_events as p
from companion.game.envelope import Envelope
from companion.game.journal import Entry
from companion.game.rulebook import RuleDeed
from companion.game.stage import Stage
from companion.store import Database
from companion.table import build_table
from companion.units import CAMERA
from hardware.camera.live import LiveCamera
from hardware.camera.simulated import SimulatedDriver
from hardware.clock import SystemClock
from hardware.photos.deck_folder import DeckFolder
from hardware.photos.examiner import PhotoExaminer
from hardware.photos.one_at_a_time import OneAtATime
from tests.fakes import FakeClock
from tests.guided import random_move
from tests.photographed import Run
from tests.sample import volume
from tests.scene import sitting

SEATS = ("red", "blue", "green")
AMOUNTS = (10, 20, 50, 100, 500)
OPTIONS = {"unknown_figures": "likely", "grace": "0"}
TAKES_MAX = 8
MOVES_MAX = 6_000


class TableTop(SimulatedDriver):
    """A camera that sees whatever was laid before it last."""

    def lay(self, picture: NDArray[np.uint8]) -> None:
        """Lay something else before it."""
        self._pictures = (picture,)


class Eye:
    """The camera and the decoder of a table, and a print run to lay before them."""

    def __init__(self, folder: Path, run: Run) -> None:
        self.verdicts: Counter[str] = Counter()
        self._run = run
        self._driver = TableTop()
        self._clock = SystemClock()
        camera = LiveCamera(self._driver, self._clock)
        self._examiner = PhotoExaminer(
            DeckFolder(folder / "decks"),
            OneAtATime(),
            self._clock,
            lambda: None,
            lambda: camera,
        )

    def judge(self, number: int, *, is_card: bool, is_fake: bool) -> str:
        """Look at a note or a card until the decoder is sure; it must be right."""
        for take in range(TAKES_MAX):
            self._driver.lay(self._run.photograph(number, take, is_card=is_card))
            verdict = self._examiner.look().verdict
            self.verdicts[verdict] += 1
            if verdict != UNSURE:
                assert verdict == (FAKE if is_fake else REAL), (number, take, is_card)
                return verdict
        raise AssertionError(f"unsure of {number} in {TAKES_MAX} photographs")

    def note(self, amount: int, *, is_fake: bool) -> str:
        """Return what the decoder says of a note."""
        number = self._run.note(amount, is_fake=is_fake)
        return self.judge(number, is_card=False, is_fake=is_fake)

    def card(self, card: str, *, is_fake: bool) -> str:
        """Return what it says of a Chance card, such as ``chance-03``."""
        number = self._run.card(int(card.rpartition("-")[2]) - 1, is_fake=is_fake)
        return self.judge(number, is_card=True, is_fake=is_fake)

    def close(self) -> None:
        """Let go of the camera."""
        self._examiner.close()
        self._clock.close()


@pytest.fixture(scope="session")
def print_run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    assert house_deck().pitch_mm
    return Run(tmp_path_factory.mktemp("printed"), AMOUNTS, 15)


@pytest.fixture
def eye(tmp_path: Path, print_run: Run) -> Iterator[Eye]:
    with closing(Eye(tmp_path, print_run)) as made:
        yield made


class Evening:
    """A game of three, and who holds which fakes.

    Attributes:
        fakes: By seat, the fake notes that it holds; nobody at the table knows.
        cash: By seat, what it has; counted from what moved, beside the ledger.
    """

    def __init__(self, database: Database, seed: int, eye: Eye) -> None:
        self.dice = random.Random(seed)
        self.eye = eye
        self.table = build_table(database, FakeClock()).service
        self.game_id = self.table.open_game("crooked-cash", "Fakes", "command-open")
        self.number = 0
        for seat in SEATS:
            self.give(sitting(seat))
        rules = snapshot(builtin("crooked-cash"), OPTIONS)
        self.give(m.BeginPlay(by=c.TABLE, rules=rules))
        self.cash = {seat: self.game.ledger[seat] for seat in SEATS}
        self.fakes = {seat: Counter({20: 1, 50: 1, 100: 1}) for seat in SEATS}
        self.began = self.table.revision(self.game_id)
        self.found: Counter[str] = Counter()

    @property
    def game(self) -> Game:
        """The game as it stands."""
        return self.table.game(self.game_id)

    def give(self, command: c.Command) -> int:
        """Give a command at the table."""
        self.number += 1
        envelope = Envelope(command, f"command-{self.number:06d}")
        return self.table.submit(self.game_id, envelope).revision

    def play(self) -> None:
        """Play to the end, with random moves and true verdicts."""
        for _ in range(MOVES_MAX):
            play = self.game.play
            assert play is not None
            if play.stage is Stage.OVER:
                return
            if play.stage is Stage.VERDICT:
                self._look()
                continue
            try:
                self.give(random_move(self.dice, self.game))
            except Refused:
                continue
        raise AssertionError("the game does not end")

    def _look(self) -> None:
        play, dice = self.game.play, self.dice
        assert play is not None
        shower, inspector = play.showing, play.inspector
        before = {seat: self.game.ledger[seat] for seat in SEATS}
        gains: Counter[str] = Counter()
        if play.card_use is not None:
            is_fake = dice.random() < 0.5
            verdict = self.eye.card(play.card_use.card, is_fake=is_fake)
            amount, gains[inspector] = 0, 100 * is_fake
        else:
            amount = self._chosen(shower, before[shower])
            is_fake = dice.random() < 0.7 and self.fakes[shower][amount] > 0
            verdict = self.eye.note(amount, is_fake=is_fake)
            if is_fake:
                self.fakes[shower][amount] -= 1
                self.fakes[inspector][amount] += 1
                gains = Counter({inspector: amount, shower: -amount})
            else:
                amount = 0
        self.give(m.GiveVerdict(by=CAMERA, verdict=verdict, amount=amount))
        self.found[verdict] += 1
        after = {seat: self.game.ledger[seat] for seat in SEATS}
        assert {s: after[s] - before[s] for s in SEATS} == {s: gains[s] for s in SEATS}

    def _chosen(self, shower: str, cash: int) -> int:
        """Pick the value of a note, rather of one that may be fake."""
        able = [one for one in AMOUNTS if one <= cash]
        wary = [one for one in able if self.fakes[shower][one]]
        return self.dice.choice(wary if wary and self.dice.random() < 0.7 else able)

    def check(self) -> None:
        """Check the last count against the second bookkeeping."""
        entries = self.table.entries(self.game_id)
        moved(self.cash, entries[self.began :])
        (ended,) = [x for y in entries for x in y.events if isinstance(x, p.PlayEnded)]
        rents = last_rents(self.game)
        scores = {seat: self.cash[seat] + rents[seat] for seat in SEATS}
        assert dict(ended.scores) == scores
        assert {seat: self.game.ledger[seat] for seat in SEATS} == self.cash


def moved(cash: dict[str, int], entries: Iterable[Entry]) -> None:
    """Add up what moved, and nothing else."""
    for entry in entries:
        for event in entry.events:
            assert not isinstance(event, e.Undone)
            if isinstance(event, e.MoneyMoved):
                for account, sign in ((event.payer, -1), (event.payee, 1)):
                    if account in cash:
                        cash[account] += sign * event.amount


def last_rents(game: Game) -> dict[str, int]:
    """By seat: one rent for each street, by the printed rule of the last count."""
    board, play = game.board, game.play
    assert board is not None
    assert play is not None
    owner = dict(zip((d.id for d in board.rules.deeds), play.owners, strict=True))
    level = dict(zip(owner, play.levels, strict=True))
    found = dict.fromkeys(SEATS, 0)
    for deed in board.rules.deeds:
        group = {owner[x.id] for x in board.rules.deeds if x.group == deed.group}
        if owner[deed.id]:
            has_all = group == {owner[deed.id]}
            found[owner[deed.id]] += one_rent(deed, level[deed.id] > 0, has_all)
    return found


def one_rent(deed: RuleDeed, has_hotel: bool, has_group: bool) -> int:
    """Return the rent of a street: with a hotel, of a set, or alone."""
    bare = deed.rents[0] or 0
    if has_hotel:
        return deed.rents[1] or dict(deed.likely)["rent_hotel"]
    return 2 * bare if has_group else bare


@pytest.mark.parametrize("seed", volume(range(1, 25)))
def test_a_game_is_judged_by_the_camera_to_the_right_scores(
    seed: int, tmp_path: Path, eye: Eye
) -> None:
    with closing(Database(tmp_path)) as database:
        evening = Evening(database, seed, eye)
        evening.play()
        evening.check()
        assert evening.found[FAKE] >= 1, evening.found
        assert evening.found[REAL] >= 1, evening.found
