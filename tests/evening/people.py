"""The people: what they tap, guess, photograph, forget, take back and put away."""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import closing, suppress

import msgspec

from companion.errors import JournalFault, Refused
from companion.examining import FAKE, REAL, UNSURE
from companion.game import Game
from companion.game import commands as c
from companion.game import moves as m
from companion.game.envelope import Envelope
from companion.game.ledger import Reason
from companion.game.position import Bundle
from companion.lock.states import VaultState
from companion.script.export import export_script
from companion.store.backup import back_up
from companion.units import BANK, VAULT, Account, Dollars, GameId, Revision, Seat
from tests.evening.holds import Holds
from tests.evening.machine import Answer, Machine, Request, catalogue
from tests.evening.phone import Phone
from tests.evening.taps import Tap, Taps
from tests.evening.vault_hands import WRECKED, VaultHands
from tests.evening.world import Failed, World
from tests.guided import Guided, random_correction, random_move
from tests.random_table import put_anywhere
from tests.web.conftest import CODE
from tests.web.forms import SUMS, Form, filled, forms_of

NAMES = (
    *(("Anna", "red", "hat"), ("Ben", "blue", "car"), ("Cleo", "green", "duck")),
    ("Dana", "orange", "cat"),
)

PAGES = (
    *("/g/{}/", "/g/{}/", "/g/{}/deeds", "/g/{}/trade", "/g/{}/board", "/g/{}/history"),
    *("/g/{}/more", "/g/{}/pause", "/vault", "/g/{}/rules"),
)

LEFT_ALONE = (
    *("leave", "resign", "rename-seat", "undo", "undo-to", "redo", "later", "take"),
    *("theme", "language", "for", "answer", "tick", "papers", "correct-position"),
    *("correct-balance", "add-seat", "hand-banker", "remove-seat", "close-game"),
    *("lock-table", "unlock-table", "play-again", "rest-play"),
)
"""Forms that bring no game to its end: who sits where, taking back, packing up."""

NOT_PRESSED = (
    *("leave", "remove-seat", "close-game", "hand-banker", "language", "theme"),
    *("resume", "take"),
)
"""Forms by which people would leave, or swap their seats."""


NOT_AGREED = ("dice", "time_limit")
"""Options that stay as they are: hands that type the dice could not go on, and no page
hears that a minute is over."""


class People:
    """Everybody at the table, with the phones in their hands.

    Args:
        world: Where they are.
        holds: What must hold; it is told what was thrown away.
        box: The edition that they play.
        seats: How many of them.
        is_led: Whether the companion leads.
        is_twin: Whether nobody ever guesses right.

    Attributes:
        is_calm: Whether they have just waited for a while.
    """

    def __init__(
        self,
        world: World,
        holds: Holds,
        box: str,
        seats: int,
        *,
        is_led: bool,
        is_twin: bool,
    ) -> None:
        self.world, self.holds, self.box, self.is_led = world, holds, box, is_led
        self.dice = random.Random(f"{world.seed} people")
        self.at_vault = VaultHands(world, is_twin=is_twin)
        self.taps = Taps(world, self._landed)
        world.on_ask = self._wonder
        self._pocket: tuple[Phone, Form, dict[str, str]] | None = None
        self.host = Phone(world, "the host", 0)
        self.seated = [
            Phone(world, name, number)
            for number, (name, _, _) in enumerate(NAMES[:seats], 1)
        ]
        self.screen = Phone(world, "the screen", 9)
        self.game_id = GameId("")
        self.is_calm = False
        self._copied: tuple[GameId, dict[str, str]] | None = None

    @property
    def phones(self) -> list[Phone]:
        """All phones, and the screen of the table."""
        return [self.host, *self.seated, self.screen]

    @property
    def seats(self) -> list[str]:
        """Everybody's seats."""
        return [phone.seat for phone in self.seated]

    @property
    def machine(self) -> Machine:
        """The program, which runs."""
        assert self.world.machine is not None
        return self.world.machine

    @property
    def game(self) -> Game:
        """The game that they play, as it stands."""
        return self.machine.table.game(self.game_id)

    # Before the evening: nothing fails yet.

    def sit_down(self) -> None:
        """Open a game, take seats, and let the companion lead."""
        self.taps.at_once(self.host, "GET", "/start")
        self.taps.at_once(self.host, "POST", "/start", code=CODE)
        self._begin()
        if self.at_vault.is_twin:
            self.at_vault.lock_in_vain()

    def _begin(self) -> None:
        at_once = self.taps.at_once
        opened = at_once(self.host, "POST", "/games", edition=self.box, name="Evening")
        self.game_id = GameId(opened.location.split("/")[2])
        for phone, (name, colour, token) in zip(self.seated, NAMES, strict=False):
            at_once(phone, "GET", self._at("join"))
            look = {"name": name, "colour": colour, "token": token}
            at_once(phone, "POST", self._at("join"), **look)
            phone.seat = colour
        if self.is_led:
            shown = at_once(self.host, "GET", self._at("begin"))
            begin = next(x for x in forms_of(shown.text) if x.verb == "begin")
            agreed = {
                name: self.dice.choice(values)
                for name, values in begin.choices.items()
                if name.removeprefix("option-") not in NOT_AGREED
            }
            at_once(self.host, "POST", begin.action, **agreed)
            if self.dice.random() < 0.6:
                options = {x.removeprefix("option-"): y for x, y in agreed.items()}
                self._scatter(options)
        self.open_pages()

    def open_pages(self) -> None:
        """Everybody looks at the game."""
        for phone in self.seated:
            phone.open(self._at())
        self.host.open(self._at("bank"))
        self.screen.open("/table")
        for phone in self.phones:
            if self.dice.random() < 0.5:
                phone.darken()
        self.world.run(1_000)

    def _scatter(self, options: dict[str, str]) -> None:
        """Begin somewhere in the middle of a game."""
        play = _Scattered(self.box, len(self.seated), options, catalogue())
        put_anywhere(self.dice, play)
        with suppress(Refused):
            for move in play.placed:
                tap = Envelope(move, self.taps.new_id())
                self.machine.table.submit(self.game_id, tap)

    def _at(self, page: str = "") -> str:
        return f"/g/{self.game_id}/{page}"

    # Sending.

    def give(self, by: str, command: c.Command, what: str = "") -> None:
        """Give a command in JSON, from the phone of *by*."""
        told = msgspec.to_builtins(command)
        said = what or f"{by} {c.verb_of(type(command))} {told}"
        json = {"command_id": self.taps.new_id(), "command": told}
        where = f"/api/games/{self.game_id}/commands"
        self.taps.send(self.phone_of(by), where, said, json=json)

    def _post(self, page: str, what: str, **form: str) -> None:
        """Post a form of the game from the host's phone."""
        self.taps.post(self.host, self._at(page), what, **form)

    def _landed(self, tap: Tap, answer: Answer) -> None:
        words = answer.location.split("/")
        if tap.asked.path.endswith("/again") and words[1:2] == ["g"]:
            if self._has(words[2]):  # Or a backup is restored that is older.
                self.game_id = GameId(words[2])
                self.open_pages()
        elif tap.asked.path.endswith(("/photo", "/look")) and answer.location:
            tap.phone.take_up()
            tap.phone.open(answer.location)

    def _has(self, game_id: str) -> bool:
        machine = self.world.machine
        return machine is None or any(
            one.game_id == game_id for one in machine.table.games()
        )

    def _own(self, seat: str) -> Phone:
        return next(x for x in self.seated if x.seat == seat)

    def phone_of(self, by: str) -> Phone:
        """Return the phone that speaks for somebody; the host's for bank and table.

        A phone that has lost its seat asks for it once more.
        """
        own = next((x for x in self.seated if x.seat == by), None)
        if own is None:
            return self.host
        phones, holder = self.machine.table.phones, self._holders().get(by)
        for phone in (own, *self.seated):
            known = phones.authenticate(phone.token)
            if known is not None and known.phone == holder:
                return phone
        self._ask_for_seat(own)
        return own

    def _ask_for_seat(self, phone: Phone) -> None:
        """Have a phone ask for its seat, once it has a cookie to be known by."""

        def asked(answer: Answer | None) -> None:
            if answer is not None:
                where = self._at("resume")
                self.taps.post(phone, where, "asks for the seat back", seat=phone.seat)

        phone.get(self._at("join"), asked)

    # What they do, one thing at a time.

    def act(self, dice: random.Random) -> None:
        """Do one thing."""
        self.dice = dice
        if self.world.machine is None:
            self.world.tell("everybody waits for the table")
            return
        act = dice.choices(list(ACTS), list(ACTS.values()))[0]
        try:
            act(self)
        except JournalFault:
            if self.world.disk.is_well:
                raise
            self.world.tell("and cannot, since nothing can be read just now")

    def play_on(self) -> None:
        """Do what the game waits for."""
        game = self.game
        if game.is_closed:
            where = f"/games/{self.game_id}/reopen"
            self.taps.post(self.host, where, "reopens the game")
        elif self._requests() and self.dice.random() < 0.5:
            self.let_in()
        elif game.play is None or not game.is_guided:
            self._bank()
        elif game.play.base == "over":
            self._over()
        elif game.play.stage == "verdict" and self.dice.random() < 0.9:
            self._judge()
        elif game.play.stage in ("payment", "card-use") and self.dice.random() < 0.7:
            by = self.dice.choice(self.seats)
            self.give(by, m.Inspect(by=by))
        elif self.at_vault.device is None:
            move = random_move(self.dice, game)
            self.give(move.by, move)
        elif not self._vault_waits(game):
            self._move_beside_lock(random_move(self.dice, game))

    def _move_beside_lock(self, move: m.Move) -> None:
        """Make a move where a real lock does its part."""
        if not is_metal(move):
            self.give(move.by, move)
        elif isinstance(move, m.LockVault):
            self.at_vault.lock()
        elif isinstance(move, m.Guess):
            number = self.at_vault.number(self.dice)
            if not self.at_vault.is_twin and self.dice.random() < 0.2:
                self.at_vault.open_jammed()
                self.wait()  # They read what the pages say of it.
            elif self.dice.random() < 0.3:
                self.give(move.by, m.Guess(by=move.by, number=number))
            else:
                self.at_vault.turn_to(number)
                self.at_vault.press()
        else:
            self.at_vault.fiddle(self.dice)

    def _vault_waits(self, game: Game) -> bool:
        """Do what the lock waits for; tell whether it waited."""
        contents = game.play.vault_contents if game.play is not None else None
        if contents is None:
            return False
        state = self.at_vault.state
        if state in WRECKED and self.dice.random() < 0.4:
            self.wait()  # They read what the pages say of it.
        elif state in WRECKED:
            self._mend()
        elif state is VaultState.LOCKED or contents.found or self.dice.random() < 0.3:
            return False
        else:
            self.at_vault.lock()
        return True

    def _mend(self) -> None:
        self.at_vault.mend()
        self.taps.post(self.host, "/vault/clear-fault", "says that the vault is well")

    def _over(self) -> None:
        if self.dice.random() < 0.7:
            self._post("again", "wants to play again")
        else:
            self.undo()

    def _bank(self) -> None:
        """Pay, ask, take salary: the board is the players' business."""
        by, payee = self.dice.sample([*self.seats, BANK], 2)
        amount = Dollars(self.dice.choice(SUMS))
        seat, why = Seat(self.dice.choice(self.seats)), Reason.OTHER
        payer, taker = Account(by), Account(payee)
        kinds: tuple[c.Command, ...] = (
            c.Pay(by=by, payer=payer, payee=taker, amount=amount, reason=why),
            c.CollectSalary(by=by, seat=seat),
            c.AskMoney(by=by, seat=seat, payer=taker, amount=amount, reason=why),
        )
        self.give(by, self.dice.choice(kinds))

    def press(self) -> None:
        """Press something that a page shows."""
        shown = [(x, x.page) for x in self.phones if x.page and not x.is_dark]
        phone, page = self.dice.choice(shown) if shown else (self.host, None)
        forms = [
            form
            for form in (forms_of(page.shown) if page is not None else ())
            if form.buttons
            and form.action.startswith("/g/")
            and form.verb not in NOT_PRESSED
        ]
        if page is None or not forms:
            self.play_on()
            return
        likes = [
            0.1 if form.verb in LEFT_ALONE else 4 if form.verb == "accept" else 1
            for form in forms
        ]
        form = self.dice.choices(forms, likes)[0]
        sent = filled(self.dice, form)
        if form.verb == "guess":
            sent["number"] = str(self.at_vault.number(self.dice))
        if self._pocket is None and self.dice.random() < 0.3:
            self.world.tell(f"{phone.name} hesitates to press {form.verb}")
            self._pocket = phone, form, sent
            return
        is_plain = "/do/" in form.action and not form.typed and not form.choices
        self.taps.send(
            *(phone, form.action, f"presses {form.verb} on {page.path}"),
            page.read("revision") if is_plain else "",
            form=sent,
            is_script=True,
        )

    def press_late(self) -> None:
        """Press at last what a page has shown a while ago."""
        if self._pocket is None:
            self.press()
            return
        phone, form, sent = self._pocket
        self._pocket = None
        if form.verb == "accept":
            self._want_more()
        what = f"at last presses {form.verb}"
        self.taps.send(phone, form.action, what, form=sent, is_script=True)

    def _want_more(self) -> None:
        """Whoever has made an offer makes a dearer one in its place."""
        play = self.game.play
        for one in play.offers[:1] if play is not None else ():
            want = msgspec.structs.replace(one.want, cash=one.want.cash + 30)
            by, more = one.giver, {"give": one.give, "want": want}
            self.give(by, m.MakeOffer(by=by, taker=one.taker, **more), "wants more")
            self.world.run(300)

    def _wonder(self) -> Request | None:
        """Return what somebody may ask for while the table tells of something."""
        awake = [x for x in self.phones if x.page and not (x.is_dark or x.is_out)]
        if not awake:
            return None
        phone = self.dice.choice(awake)
        assert phone.page is not None
        phone.heard_ms = self.world.now_ms
        return phone.request("GET", phone.page.path, is_script=True)

    def press_again(self) -> None:
        """Press once more what was not answered, or even what was; it counts once."""
        old = self.taps.refused if self.dice.random() < 0.6 else self.taps.done
        late = self.taps.late() or (old if self.dice.random() < 0.6 else [])
        if late:
            self.taps.again(self.dice.choice(late))
        else:
            self.play_on()

    def tap_twice(self) -> None:
        """Tap, and tap again at once."""
        self.play_on()
        if self.taps.owed:
            self.taps.again(list(self.taps.owed.values())[-1], "taps twice")

    def undo(self) -> None:
        """Take a step back, or several as the banker, or take that back."""
        by = self.dice.choice(self.seats)
        if self.dice.random() < 0.4:
            at = self.machine.table.revision(self.game_id) - self.dice.randint(1, 3)
            self.give(BANK, c.UndoTo(by=BANK, revision=Revision(max(1, at))))
        else:
            self.give(by, self.dice.choice((c.Undo, c.Undo, c.Redo))(by=by))

    def correct(self) -> None:
        """The table agrees on something else."""
        if self.game.is_guided and not self.game.is_closed:
            move = random_correction(self.dice, self.game)
            if self.at_vault.is_twin and "vault" in move.words:
                return  # Nobody can open it, to have it so.
            self.give(c.TABLE, move, f"corrects: {' '.join(move.words)}")

    def resign(self) -> None:
        """Somebody has to go home."""
        by = self.dice.choice(self.seats)
        self.give(by, m.Resign(by=by))

    def call_time(self) -> None:
        """The time is over."""
        self.give(c.TABLE, m.CallTime(by=c.TABLE))

    def trade(self) -> None:
        """Somebody offers something, and mostly hears another offer."""
        play, board = self.game.play, self.game.board
        if play is None or board is None or play.stage != "roll":
            self.play_on()
            return
        by, taker = self.dice.sample(self.seats, 2)
        mine = [d for d, at in board.index.items() if play.owners[at] == by]
        sides = Bundle(cash=10, deeds=tuple(mine[:1])), Bundle(cash=20)
        offer = m.MakeOffer(by=by, taker=taker, give=sides[0], want=sides[1])
        self.give(by, offer)
        if self.dice.random() < 0.7:
            self.world.run(300)
            theirs = [d for d, at in board.index.items() if play.owners[at] == taker]
            form = {"taker": by, "give-cash": "5", "want-cash": "7"}
            form |= {"want-deed": mine[0]} if mine else {}
            form |= {"give-deed": theirs[0]} if theirs else {}
            where = self._at("counter")
            self.taps.post(self._own(taker), where, "makes another offer", **form)

    def withdraw(self) -> None:
        """Somebody takes an open offer back, or makes one."""
        play = self.game.play
        givers = [offer.giver for offer in play.offers] if play is not None else []
        if givers:
            by = self.dice.choice(givers)
            self.give(by, m.Withdraw(by=by), "takes an offer back")
        else:
            self.trade()

    def photograph(self) -> None:
        """Take a picture of a note in doubt."""
        play = self.game.play
        if play is None or play.stage != "verdict":
            self.play_on()
            return
        self.machine.examiner.verdict = self.dice.choice(
            (FAKE, FAKE, FAKE, REAL, UNSURE)
        )
        phone, where = self.dice.choice(self.seated), self._at("challenge")
        if self.dice.random() < 0.3:
            self.taps.post(phone, f"{where}/look", "has the camera look")
        else:
            form = {"command_id": self.taps.new_id()}
            more = {"form": form, "photo": b"note"}
            self.taps.send(phone, f"{where}/photo", "takes a photo", **more)

    def _judge(self) -> None:
        """Tap what a picture of the note shows, or take one first."""
        for phone in self.phones:
            page = phone.page
            looked = page is not None and not phone.is_dark and "look=" in page.path
            forms = forms_of(page.shown) if page is not None and looked else []
            for form in forms:
                if form.verb == "verdict":
                    sent = filled(self.dice, form)
                    self.taps.send(phone, form.action, "gives a verdict", form=sent)
                    return
        self.photograph()

    def give_back(self) -> None:
        """It was real after all."""
        judged = sorted(self.machine.table.pictures.revisions(self.game_id))
        if judged:
            at = self.dice.choice(judged)
            self._post(f"challenge/{at}/give-back", f"gives back what entry {at} took")
        else:
            self.photograph()

    def fiddle(self) -> None:
        """Do something at the vault that nobody has asked for."""
        if self.at_vault.device is not None:
            self.at_vault.fiddle(self.dice)
        else:
            self.play_on()

    def wait(self) -> None:
        """Everybody waits for a while; then all that is looked at is up to date."""
        self.world.tell("everybody waits for a while")
        self.world.run(75_000)
        self.is_calm = True

    # With the phones.

    def look(self) -> None:
        """Take a phone up, lay it aside, or go to another page."""
        phone = self.dice.choice(self.phones)
        if phone.is_dark:
            self.world.tell(f"{phone.name} is taken up")
            phone.take_up()
        elif self.dice.random() < 0.5 or phone.page is None:
            self.world.tell(f"{phone.name} is laid aside")
            phone.darken()
        else:
            screens = ("/table", "/table", "/table?game={}")
            own = {self.screen: screens, self.host: ("/g/{}/bank", "/games")}
            path = self.dice.choice(own.get(phone, PAGES)).format(self.game_id)
            self.world.tell(f"{phone.name} goes to {path}")
            phone.open(path)
            if self.dice.random() < 0.15:  # Something happens while it comes.
                self.world.run(self.dice.choice((10, 40, 80)))
                self.play_on()
                self.wait()

    def lose_cookies(self) -> None:
        """A phone forgets who it was, and its owner asks for the seat."""
        phone = self.dice.choice(self.seated)
        self.world.tell(f"{phone.name} forgets who it was")
        phone.cookies.clear()
        phone.open(self._at())
        self._ask_for_seat(phone)

    def let_in(self) -> None:
        """The banker lets in who asks."""
        for number in self._requests():
            self._post("answer", "lets a phone in", request=str(number), answer="yes")

    def _requests(self) -> list[int]:
        phones = self.machine.table.phones
        return [one.request for one in phones.requests(self.game_id)]

    def stand_in(self) -> None:
        """The banker plays for somebody, or for nobody any more."""
        seat = self.dice.choice(["", *self.seats])
        self._post("for", f"plays for {seat or 'nobody'}", seat=seat)

    # With the games.

    def another_game(self) -> None:
        """The host opens a second game; somebody plays there; it is put away.

        A vault that is locked for it has to be opened for the first one again.
        """
        if self.at_vault.is_twin:
            self.play_on()
            return
        others = [x for x in self.machine.table.games() if x.game_id != self.game_id]
        if not others:
            box = self.box if self.dice.random() < 0.8 else "grab-and-go"
            form = {"edition": box, "name": "Second"}
            if self.world.disk.is_well and self.dice.random() < 0.7:
                self._begin_beside(form)
            else:
                self.taps.post(self.host, "/games", "opens another game", **form)
            return
        other = self.dice.choice(others)
        where = f"/games/{other.game_id}/"
        if not other.is_closed and self.dice.random() < 0.7:
            self._play_beside(other.game_id)
        elif other.is_closed:
            self.holds.may_go.add(other.game_id)
            words = "throws the other game away"
            self.taps.post(self.host, f"{where}throw-away", words)
        else:
            self.taps.post(self.host, f"{where}close", "puts the other game away")
            self.wait()

    def _begin_beside(self, form: dict[str, str]) -> None:
        """Two of them begin a second game at once, which is then on the table."""
        self.world.disk.spare()
        at_once = self.taps.at_once
        opened = at_once(self.host, "POST", "/games", **form)
        where = "/".join(opened.location.split("/")[:3])
        for phone in self.seated[:2]:
            look = next(x for x in NAMES if x[1] == phone.seat)
            seat = dict(zip(("name", "colour", "token"), look, strict=True))
            at_once(phone, "GET", f"{where}/join")
            at_once(phone, "POST", f"{where}/join", **seat)
        if self.dice.random() < 0.9:
            shown = at_once(self.host, "GET", f"{where}/begin")
            begin = next(x for x in forms_of(shown.text) if x.verb == "begin")
            agreed = {name: values[0] for name, values in begin.choices.items()}
            at_once(self.host, "POST", begin.action, **agreed)
        self.wait()

    def _play_beside(self, other: GameId) -> None:
        """Somebody sits down in a second game, or does something there."""
        table = self.machine.table
        game, where = table.game(other), f"/g/{other}/"
        free = [x for x in self.seated if game.seat(x.seat) is None]
        if free and not game.is_guided:
            phone = self.dice.choice(free)
            _, look, token = next(x for x in NAMES if x[1] == phone.seat)
            form = {"name": phone.name, "colour": look, "token": token}
            what = "sits down in the other game, too"
            self.taps.post(phone, f"{where}join", what, **form)
        else:
            phone = self.dice.choice(self.seated)
            phone.take_up()
            self.world.tell(f"{phone.name} goes to the other game")
            phone.open(where)

    def throw_away(self) -> None:
        """The game is thrown away at once, and they begin another one."""
        if self.world.disk.is_well and self.world.disk.is_synced:
            self.world.disk.spare()
            self.close_all()
            self.holds.may_go.add(self.game_id)
            where = f"/games/{self.game_id}/throw-away"
            self.taps.at_once(self.host, "POST", where)
            self.holds.check()
            self._begin()

    def read_box(self) -> None:
        """Somebody types in what a card of the box says."""
        board = self.game.board
        if board is None or not board.unknown:
            self.play_on()
            return
        key = self.dice.choice(board.unknown).key
        where = f"/editions/{self.box}/type"
        self.taps.post(self.host, where, f"reads {key}", **{key: "50"})

    def put_away(self) -> None:
        """The game is put away, to go on another day."""
        where = f"/games/{self.game_id}/close"
        self.taps.post(self.host, where, "puts the game away")

    def close_all(self) -> None:
        """Put all games away at once, beside the network; then M opens by itself."""
        for one in self.machine.table.games():
            if not one.is_closed:
                self.taps.at_once(self.host, "POST", f"/games/{one.game_id}/close")

    def script(self) -> str:
        """Return the game as a script; empty if it cannot be written as one."""
        with suppress(Exception):  # It is in doubt already.
            entries = tuple(self.machine.table.each_entry(self.game_id))
            base = self.machine.built.editions.base
            return export_script(entries, self.game.name, base)
        return ""

    # What befalls them.

    def flicker(self) -> None:
        """The power comes and goes while the vault is being opened."""
        hands, disk = self.at_vault, self.world.disk
        if hands.device is not None and disk.is_well and not hands.is_twin:
            disk.spare()
            self.close_all()
            hands.flicker()

    def back_up_or_restore(self) -> None:
        """Stop the program, and copy everything, or put an earlier copy there."""
        world = self.world
        if world.machine is None or not world.disk.is_well:
            return
        world.disk.spare()
        now = self.game_id, self._holders()
        world.stop()
        file = world.folder.with_suffix(".backup")
        if self._copied is None or self.dice.random() < 0.5:
            world.tell("everything is backed up")
            with closing(world.opened(world.folder)) as database:
                back_up(database, file, "1", may_replace=True)
            self._copied = now
            self.holds.copy()
        else:
            world.tell("the backup is restored")
            with file.open("rb") as source:
                world.restore(source)
            self.holds.begin_anew()
        self.game_id, held = self._copied
        world.start()
        if self._holders() != held:
            raise Failed(f"seats were held as {held}, and are as {self._holders()}")

    def _holders(self) -> dict[str, str]:
        return self.machine.table.phones.holders(self.game_id)

    # In the end.

    def finish(self) -> None:
        """Press once more what was never answered: it is done, or refused."""
        for tap in list(self.taps.owed.values()):
            self.taps.again(tap)
        self.world.run(20_000)
        self.let_in()
        self.world.run(20_000)
        for tap in self.taps.owed.values():
            raise Failed(f"{tap.phone.name}: {tap.what} is neither done nor refused")

    def go_on(self) -> None:
        """Make one more move."""
        if self.game.is_closed:
            self.taps.at_once(self.host, "POST", f"/games/{self.game_id}/reopen")
        for _ in range(20):
            play = self.game.play
            if play is None or not self.game.is_guided or play.base == "over":
                return
            at = self.machine.table.revision(self.game_id)
            for seat in self.seats:
                self.phone_of(seat)  # Whoever has lost it asks for it.
            self.let_in()
            self.play_on()
            self.world.run(3_000)
            if self.machine.table.revision(self.game_id) > at:
                return
        raise Failed("nobody can go on")

    def repeat_refused(self) -> None:
        """Send once more what was refused, whatever it may do by now."""
        for tap in self.taps.refused:
            self.world.handle(tap.asked)

    def give_all_back(self) -> None:
        """Give back what each verdict took, and once more; that counts once."""
        for at in sorted(self.machine.table.pictures.revisions(self.game_id)):
            where = self._at(f"challenge/{at}/give-back")
            for _ in range(2):
                form = {"command_id": self.taps.new_id()}
                self.world.handle(self.host.request("POST", where, form=form))

    def open_and_lock(self) -> None:
        """Put all games away, and see whether the vault can be opened and locked."""
        self.close_all()
        self.world.run(5_000)  # It may be opening already.
        if self.at_vault.state in WRECKED:
            self._mend()
            self.world.run(5_000)
        self.at_vault.open_and_lock()

    def leave_and_return(self) -> None:
        """Somebody gets up, and takes the seat again."""
        holders, phones = self._holders(), self.machine.table.phones
        known = ((x, phones.authenticate(x.token)) for x in self.seated)
        held = (x for x, who in known if who and holders.get(x.seat) == who.phone)
        phone = next(held, None)
        if phone is not None:
            self.taps.at_once(phone, "POST", self._at("leave"))
            self.holds.check()
            self.taps.post(phone, self._at("resume"), "comes back", seat=phone.seat)
            self.world.run(1_000)
            self.let_in()

    def change(self) -> None:
        """Put the game away at once, or take it out: all its pages hear of it once."""
        verb = "reopen" if self.game.is_closed else "close"
        self.taps.at_once(self.host, "POST", f"/games/{self.game_id}/{verb}")

    def fall_off(self) -> None:
        """A phone that shows the game falls off the network for a long time."""
        phone = self.dice.choice(self.seated)
        phone.take_up()
        phone.open(self._at())
        self.world.run(70_000)  # Until then an earlier stream of it may be open.
        phone.out_until_ms = self.world.now_ms + 3_600_000
        self.world.run(20_000)
        self.change()  # It is told something, and does not react.
        self.world.run(560_000)
        self.holds.check_presence([phone])
        phone.out_until_ms = 0

    def all_look(self) -> None:
        """Everybody looks at a page."""
        for phone in self.phones:
            if phone.is_dark:
                phone.take_up()
            if phone.page is None:
                phone.open(self._at())


class _Scattered(Guided):
    """A game that remembers how it was put."""

    placed: tuple[m.CorrectPosition, ...] = ()

    def give(self, *commands: c.Command) -> Game:
        """Carry the commands out, and remember them."""
        self.placed += tuple(x for x in commands if isinstance(x, m.CorrectPosition))
        return super().give(*commands)


def is_metal(move: m.Move) -> bool:
    """Tell whether a real lock does it, and no phone."""
    return move.by == VAULT or isinstance(move, m.Guess | m.LockVault)


ACTS: dict[Callable[[People], None], float] = {
    People.play_on: 40,
    People.press: 14,
    People.press_late: 6,
    People.press_again: 6,
    People.tap_twice: 4,
    People.undo: 5,
    People.correct: 1.5,
    People.resign: 0.6,
    People.call_time: 1,
    People.trade: 4,
    People.withdraw: 2,
    People.photograph: 4,
    People.give_back: 3,
    People.fiddle: 4,
    People.wait: 2,
    People.look: 10,
    People.lose_cookies: 0.7,
    People.let_in: 2,
    People.stand_in: 1,
    People.another_game: 4,
    People.read_box: 1,
    People.put_away: 0.5,
    People.throw_away: 0.7,
}
"""What they do, and how often."""
