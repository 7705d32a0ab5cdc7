"""Playing a script on a game in memory, line by line, until one does not hold.

A line *holds* if what it says comes true: a ``do`` line is accepted, a ``refuse`` line
is refused for its reason, an ``expect`` line agrees with the game. A line that cannot
be read, such as one with a misspelt word, is a *fault*. The script ends at the first
fault or line that does not hold. Nothing is stored; a real table is never touched.

The outcome and a trace show a whole *position* as one line. Its parts, divided by
``|``: whose turn it is and the stage, then each seat, the deeds that are owned or built
on, what lies on the table, the vault, and what the bank has left. A table that plays by
hand has only the money of each seat.
"""

from __future__ import annotations

import msgspec

from companion.edition.catalogue import Catalogue, Editions
from companion.edition.model import Edition
from companion.edition.snapshot import settled_options, snapshot, terms
from companion.errors import CompanionError, Malformed, Refused, Why, quoted
from companion.game import Game
from companion.game import events as e
from companion.game.commands import TABLE, Command
from companion.game.journal import Entry, Journal
from companion.game.move_run import MoveRun
from companion.game.moves import BeginPlay, CorrectPosition
from companion.game.playing_tickets import TICKET, tickets_left
from companion.game.position import Position, Token, VaultContents
from companion.game.rulebook import Rulebook
from companion.rules import decide
from companion.rules.correcting import why_not
from companion.rules.seats import SEATS_MAX
from companion.script.check import check
from companion.script.code import CODE_WORDS, CodeOfScript
from companion.script.expect import answer_expectation
from companion.script.parse import ScriptFault, ScriptLine, Word, parse, unknown_word
from companion.script.verbs import WordsWrong, command_of, command_to_join
from companion.units import BANK, VAULT, Account, Revision, TimeMs


class Outcome(msgspec.Struct, frozen=True):
    """The outcome of a script.

    Attributes:
        file: The name of the script.
        ok: Whether every line held.
        line: The number of the first line that did not hold; 0 if all held.
        wanted: What that line expected.
        got: What was there instead.
        position: The position at the end, in one line.
        trace: Each line with its events and the position, if a trace was asked for.
        entries: The entries of the game.
    """

    file: str
    ok: bool
    line: int = 0
    wanted: str = ""
    got: str = ""
    position: str = ""
    trace: tuple[str, ...] = ()
    entries: tuple[Entry, ...] = ()


class _Missed(Exception):
    """A line that does not hold; *wanted* and *got* are those of the ``Outcome``."""

    def __init__(self, wanted: str, got: str) -> None:
        super().__init__(f"wanted {wanted}, got {got}")
        self.wanted = wanted
        self.got = got


def run_script(
    text: str,
    name: str = "script",
    trace: bool = False,
    editions: Editions | None = None,
) -> Outcome:
    """Play *text* to its end, or to the first line that does not hold.

    Args:
        text: The whole script.
        name: The name of the script in the outcome.
        trace: Record each event, and the position after each line.
        editions: The editions that the script may name; by default the program's own.
    """
    runner = Runner(traces=trace, editions=editions)
    number = 0
    try:
        lines = parse(text)
        runner.prepare(lines)
        for line in lines[2:]:  # All after the edition and the seats.
            number = line.number
            runner.play(line)
    except ScriptFault as fault:
        wanted = f"column {fault.column}: {fault.wanted}"
        return runner.outcome(name, fault.line, wanted, fault.got)
    except _Missed as missed:
        return runner.outcome(name, number, missed.wanted, missed.got)
    return runner.outcome(name)


class Runner:
    """A game in memory, on which the lines of a script are played.

    Attributes:
        entries: The entries of the game.
        journal: The journal that the entries make up.
        traced: The lines of the trace so far.
        code: The vault's code, as the script states it.
    """

    def __init__(self, *, traces: bool, editions: Editions | None = None) -> None:
        self.entries: list[Entry] = []
        self.journal = Journal(lambda after: self.entries[after:])
        self.traced: list[str] = []
        self.code = CodeOfScript()
        self._traces = traces
        self._editions = editions or Catalogue()

    @property
    def game(self) -> Game:
        """The game after the lines so far."""
        game = self.journal.game
        assert game is not None, "a script opens its game first"
        return game

    def outcome(
        self, name: str, line: int = 0, wanted: str = "", got: str = ""
    ) -> Outcome:
        """Return the outcome so far; *line* 0 means that every line held."""
        game = self.journal.game
        return Outcome(
            file=name,
            ok=line == 0,
            line=line,
            wanted=wanted,
            got=got,
            position=position_text(game) if game is not None else "",
            trace=tuple(self.traced),
            entries=tuple(self.entries),
        )

    def prepare(self, lines: tuple[ScriptLine, ...]) -> None:
        """Open the game, seat everybody, and begin play under the options.

        Raises:
            ScriptFault: If the edition, a seat or an option is wrong.
        """
        edition = _load_edition(lines[0], self._editions)
        seats = lines[1]
        opening = e.GameOpened(name="script", terms=terms(edition), banker=BANK)
        self._append(TABLE, (opening,))
        for word in seats.words:
            self._join(seats, word)
        rules = _rulebook(edition, lines)
        has_position = any(line.kind == "given" for line in lines)
        is_dealt = rules.dealt_each and not has_position
        deal = tuple(deed.id for deed in rules.deeds) if is_dealt else ()
        try:
            self._give(BeginPlay(by=TABLE, rules=rules, deal=deal))
        except Refused as refused:
            wanted = "two to eight seats"
            raise ScriptFault(seats.number, 1, wanted, refused.message) from refused

    def play(self, line: ScriptLine) -> None:
        """Play one line.

        Raises:
            ScriptFault: If the line cannot be read.
            _Missed: If the line does not hold.
        """
        before = len(self.entries)
        check(self.game, line)
        LINE_PLAYERS[line.kind](self, line)
        if self._traces:
            self._add_trace(line, self.entries[before:])

    def _add_trace(self, line: ScriptLine, entries: list[Entry]) -> None:
        self.traced.append(f"{line.number}: {line.text}")
        for entry in entries:
            self.traced.extend(f"    {event_text(event)}" for event in entry.events)
        self.traced.append(f"  {position_text(self.game)}")

    def _join(self, line: ScriptLine, word: Word) -> None:
        if len(self.game.present()) >= SEATS_MAX:
            wanted = f"at most {SEATS_MAX} seats"
            raise ScriptFault(line.number, word.column, wanted, word.text)
        try:
            self._give(command_to_join(self.game, word.text))
        except Refused as refused:
            raise ScriptFault(
                line.number, word.column, "another lower-case word", refused.message
            ) from refused

    def _give(self, command: Command) -> None:
        self._append(command.by, decide(self.game, command))

    def _append(self, actor: str, events: tuple[e.GameEvent, ...]) -> None:
        revision = Revision(self.journal.revision + 1)
        entry = Entry(revision, f"line-{revision}", actor, TimeMs(0), events)
        self.entries.append(entry)
        self.journal.append(entry)

    def _play_option(self, line: ScriptLine) -> None:
        """Do nothing: options are read before the game is opened."""

    def _play_given(self, line: ScriptLine) -> None:
        """Set the vault's code, or set up the position before play."""
        if line.texts[:2] == CODE_WORDS:
            self.code.set(line.texts[2:])
            return
        command = CorrectPosition(by=TABLE, words=line.texts, is_given=True)
        try:
            self._give(command)
        except Refused as refused:
            error = why_not(MoveRun(self.game), line.texts)
            got = error.got if error else ""  # The word that made no sense.
            raise _fault_at(line, "a position", refused.message, got) from refused

    def _play_do(self, line: ScriptLine) -> None:
        """Play a command, which must be accepted."""
        try:
            command = self._command(line)
            self._give(command)
            _actor, _verb, *args = line.texts
            self.code.after(command, tuple(args))
        except WordsWrong as error:
            raise _Missed(line.text, str(error)) from error
        except Refused as refused:
            raise _Missed(f"{line.text}, accepted", f"refused: {refused}") from refused

    def _play_refuse(self, line: ScriptLine) -> None:
        """Try a command, which must be refused for the reason of the line."""
        wanted = f"refused as {line.why}"
        before = self.game
        why: Why | None = None
        message = ""
        try:
            decide(before, self._command(line))
        except WordsWrong as error:
            why, message = Why.MALFORMED, str(error)
        except Refused as refused:
            why, message = refused.why, str(refused)
        if why is None:
            raise _Missed(wanted, "accepted")
        if why is not line.why:
            raise _Missed(wanted, f"refused as {message}")
        assert self.game == before, "a refusal changed the game"

    def _command(self, line: ScriptLine) -> Command:
        """Return the command of a ``do`` or ``refuse`` line, without the code in it."""
        actor, verb, *args = line.texts
        return self.code.without_code(command_of(self.game, actor, verb, tuple(args)))

    def _play_expect(self, line: ScriptLine) -> None:
        try:
            holds, got = answer_expectation(self.game, line.texts)
        except CompanionError as error:
            got = error.got if isinstance(error, Malformed) else ""
            raise _fault_at(line, "something to expect", str(error), got) from error
        if not holds:
            raise _Missed(line.text, got)


LINE_PLAYERS = {
    "option": Runner._play_option,
    "given": Runner._play_given,
    "do": Runner._play_do,
    "refuse": Runner._play_refuse,
    "expect": Runner._play_expect,
}
"""First word of a line -> the method that plays it."""


def _fault_at(line: ScriptLine, wanted: str, message: str, got: str) -> ScriptFault:
    """Return the fault for a line whose words are known, but that the rules refuse.

    Args:
        line: The line.
        wanted: What could have stood there.
        message: The rules' message.
        got: The word that they refuse, quoted; empty if it is no single word.
    """
    matches = [word for word in line.words if quoted(word.text) == got]
    word = matches[-1] if matches else line.words[0]
    return ScriptFault(line.number, word.column, wanted, message)


def event_text(event: object) -> str:
    """Return an event as text for the trace, without a whole position or rulebook."""
    if not isinstance(event, e.Event):
        return str(event)
    fields = (
        f"{name}={getattr(event, name)}"
        for name in event.__struct_fields__
        if name not in ("position", "rules")
    )
    return f"{type(event).__name__} {' '.join(fields)}".rstrip()


def _load_edition(line: ScriptLine, editions: Editions) -> Edition:
    word = line.words[0]
    try:
        return editions(word.text)
    except Malformed:
        raise unknown_word(line.number, word, editions.ids) from None
    except CompanionError as error:
        wanted = "an edition file without mistakes"
        raise ScriptFault(line.number, word.column, wanted, str(error)) from error


def _rulebook(edition: Edition, lines: tuple[ScriptLine, ...]) -> Rulebook:
    chosen = _chosen_options(edition, lines)
    try:
        return snapshot(edition, chosen)
    except Malformed as error:
        first = lines[0]
        raise ScriptFault(first.number, 1, first.text, str(error)) from error


def _chosen_options(edition: Edition, lines: tuple[ScriptLine, ...]) -> dict[str, str]:
    """Return the value of each ``option`` line, by the key of the option."""
    chosen: dict[str, str] = {}
    for line in lines:
        if line.kind != "option":
            continue
        key, value = line.words[0], line.words[1]
        known = [option.key for option in edition.options]
        if key.text not in known:
            raise unknown_word(line.number, key, known)
        try:
            settled_options(edition, {key.text: value.text})
        except Malformed as error:
            raise ScriptFault(
                line.number, value.column, "a value of that option", str(error)
            ) from error
        chosen[key.text] = value.text
    return chosen


def position_text(game: Game) -> str:
    """Return a game as one line: tokens, money, buildings, and what is waited for."""
    play, board = game.play, game.board
    if play is None or board is None:
        seats = " ".join(
            f"{state.seat} {_cash_text(game, state.seat)}" for state in game.present()
        )
        return f"by hand | {seats}".rstrip()
    parts = [f"{play.mover.seat} {play.stage}"]
    parts += [_seat_text(game, play, token) for token in play.tokens]
    deeds = [
        _deed_text(deed.id, play, index)
        for index, deed in enumerate(board.rules.deeds)
        if play.owners[index] or play.levels[index]
    ]
    if deeds:
        parts.append(", ".join(deeds))
    parts += [
        f"{payment.payer} lays ${payment.amount:,} for {payment.payee} "
        f"{payment.purpose} {payment.of}".rstrip()
        for payment in play.payments
    ]
    if play.card_use is not None:
        use = play.card_use
        parts.append(f"{use.seat} uses {use.card} {use.target}".rstrip())
    if play.inspector:
        parts.append(f"{play.inspector} looks")
    if play.faceup:
        parts.append("open " + " ".join(play.faceup))
    if play.vault_contents is not None:
        parts.append(_vault_text(game, play.vault_contents))
    left = [*zip(board.kinds, play.pieces, strict=True)]
    if board.tickets is not None:
        left.append((TICKET, tickets_left(play, board)))
    parts.append("bank " + " ".join(f"{kind}s {count}" for kind, count in left))
    if play.bonus:
        parts.append(f"then {play.bonus}")
    return " | ".join(parts)


def _cash_text(game: Game, seat: str) -> str:
    """Return a seat's or the vault's money: ``$1,500``."""
    return f"${game.ledger[Account(seat)]:,}"


def _seat_text(game: Game, play: Position, token: Token) -> str:
    """Return a seat: money, space, and what it holds: ``red $1,500 on go``."""
    assert game.board is not None, "guided play has begun"
    space = game.board.rules.spaces[token.space]
    words = [token.seat, _cash_text(game, token.seat), f"on {space.deed or space.kind}"]
    if token.is_jailed:
        words.append(f"jailed {token.tries}")
    if token.cards:
        words.append("with " + " ".join(token.cards))
    if game.board.rules.decoder is not None:
        words.append(f"chips {token.chips}")
    if token.hotels:
        words.append(f"with hotels {token.hotels}")
    if token.tickets:
        words.append(f"tickets {token.tickets}")
    if play.owed_by(token.seat):
        words.append(f"owes {play.owed_by(token.seat)}")
    if token.is_out:
        words.append("bankrupt")
    return " ".join(words)


def _vault_text(game: Game, contents: VaultContents) -> str:
    """Return the lid and the contents of the vault, and the keys of the bank."""
    cash = _cash_text(game, VAULT)
    inside = f"{cash} keys {contents.keys} hotels {contents.hotels}"
    return f"vault {contents.lid} {inside}, bank keys {contents.bank_keys}"


def _deed_text(deed: str, play: Position, index: int) -> str:
    """Return a deed with its owner, its level and its mortgage: ``boardwalk red 2``."""
    level = f" {play.levels[index]}" if play.levels[index] else ""
    mortgaged = " mortgaged" if play.mortgaged[index] else ""
    return f"{deed} {play.owners[index] or 'none'}{level}{mortgaged}"
