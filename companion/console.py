"""The commands that need only the core, for games, editions, scripts and sheets."""

from __future__ import annotations

import secrets
import sys
import time
from collections.abc import Callable
from contextlib import closing, suppress
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.as_json import to_json
from companion.errors import (
    CompanionError,
    DamagedGame,
    DeviceFault,
    EditionFault,
    Malformed,
)
from companion.files import content_of, opened

if TYPE_CHECKING:
    from companion.game.box_key import BoxValue
    from companion.printing import Job
    from companion.store import Store
    from companion.store.postgres import Meanwhile

DATA = click.option(
    "--data",
    # Not checked here: the code that opens it has the better message.
    type=click.Path(file_okay=False, readable=False, path_type=Path),
    default=Path("data"),
    show_default=True,
    envvar="COMPANION_DATA",
    help="The folder that keeps the games.",
)

DATABASE = click.option(
    "--database",
    default="",
    metavar="URL",
    envvar="COMPANION_DATABASE",
    allow_from_autoenv=False,  # One name, for all commands.
    help="A PostgreSQL database that keeps the games, not a file in the folder. With a "
    "password in it, set COMPANION_DATABASE: what is typed can be seen by all users.",
)

FILE = click.Path(dir_okay=False, path_type=Path)

FILES = click.option(
    "--edition",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    multiple=True,
    help="An edition file to play by as well; more than one may be named.",
)

JSON = click.option("--json", "as_json", is_flag=True, help="One object a line.")


class Commands(click.Group):
    """A group of commands in which our own errors become one line and exit code 1."""

    def invoke(self, ctx: click.Context) -> object:
        """Run the chosen command."""
        try:
            return super().invoke(ctx)
        except CompanionError as error:
            raise click.ClickException(str(error)) from error


def file_bytes(file: Path, most: int) -> bytes:
    """Read all of *file*, at most *most* bytes; ``Malformed`` if that fails."""
    try:
        return content_of(file, most)
    except OSError as error:
        raise _no_file(file, error) from error


def _no_file(file: Path, error: OSError) -> Malformed:
    return Malformed(f"expected a file {file}, got: {error.strerror}", "name another")


def file_text(file: Path) -> str:
    """Read the text of *file*; ``Malformed`` if it is unreadable or not UTF-8."""
    from companion.game.codec import LENGTH_MAX

    try:
        return file_bytes(file, LENGTH_MAX).decode()
    except UnicodeError as error:
        raise Malformed(f"expected a text file {file}, got: {error}") from error


def open_store(data: Path, database: str, meanwhile: Meanwhile | None = None) -> Store:
    """Open the games in the folder *data*, or in a PostgreSQL database.

    Args:
        data: The folder.
        database: The database's URL; empty to use the folder.
        meanwhile: As for ``Postgres``.
    """
    from companion.store import Database
    from companion.store.postgres import Postgres

    return Postgres(data, database, meanwhile) if database else Database(data)


@click.group(cls=Commands)
def games() -> None:
    """List, export and import the games on this table."""


@games.command("list", epilog="Example: companion games list --data data")
@DATA
@DATABASE
def list_games(data: Path, database: str) -> None:
    """Print each game's id, edition and name."""
    from companion.store import Journals
    from companion.store.reader import NoGames, reading_beside

    with reading_beside(data, database) as reader:
        games = Journals(reader).games()
    if not games:
        raise NoGames(reader.place if database else data)
    for game in games:
        state = "closed" if game.is_closed else "open"
        click.echo(f"{game.game_id}  {state:6}  {game.edition:13}  {game.title}")


@games.command("export", epilog="Example: companion games export 3f9a… > game.json")
@click.argument("game")
@DATA
@DATABASE
def export_game(game: str, data: Path, database: str) -> None:
    """Print a whole game as JSON.

    It may be handed on: wrong numbers that the table does not tell are not in it. A
    backup has all.
    """
    from companion.game.codec import entries_to_json
    from companion.store import Journals
    from companion.store.reader import reading_beside
    from companion.units import GameId

    with reading_beside(data, database) as reader:
        journals = Journals(reader)
        titles = {str(known.game_id): known.title for known in journals.games()}
        if game not in titles:
            raise Malformed(
                f"expected a game of this table, got {game[:40]!r}",
                "choose one from companion games list",
            )
        journals.replayed(GameId(game))  # Says that it is damaged before it is told.
        for piece in entries_to_json(titles[game], journals.entries(game)):
            click.echo(piece, nl=False)
        click.echo()


@games.command("import", epilog="Example: companion games import game.json")
@click.argument("file", metavar="FILE|FOLDER", type=click.Path(path_type=Path))
@click.option(
    "--continue", "goes_on", is_flag=True, help="Have shorter games here go on from it."
)
@DATA
@DATABASE
def import_exported(file: Path, goes_on: bool, data: Path, database: str) -> None:
    """Take in a game that another table exported, or refuse all of it.

    It is played on from where it stood. An export holds no secret and no phone: the
    vault that stands here counts, with its own code, and phones take their seats anew.
    What was typed in from the box counts on this table, too. Of a FOLDER, such as a
    stick, all copies are taken in, and the decks and editions that are lacking here.
    """
    from companion.edition.catalogue import catalogue_of
    from companion.game.codec import LENGTH_MAX
    from companion.store import Journals, as_owner
    from companion.store.copies import ENDING, export_of, length, take_files
    from companion.table.importing import read_import, write_import
    from companion.units import TimeMs

    is_folder, has_failed = file.is_dir(), False
    if is_folder:
        take_files(file, data)
    files = [*file.rglob(f"*{ENDING}")] if is_folder else [file]
    if not files:
        raise Malformed(f"expected a folder with copies of games, got none in {file}")
    for path in sorted(files, key=length, reverse=True):
        try:
            text = file_bytes(path, LENGTH_MAX)
            text = export_of(text) if path.suffix == ENDING else text
            with as_owner(data), closing(open_store(data, database)) as store:
                game = read_import(text, catalogue_of(data))
                here = Journals(store).latest().get(game.game_id, 0) if goes_on else 0
                now_ms = TimeMs(time.time_ns() // 1_000_000)
                new = write_import(Journals(store), game, now_ms, here)
            if not new and not is_folder:
                raise Malformed(
                    f"the game {game.game_id} is on this table already",
                    "to play from the file, put the game away and throw it away first",
                )
        except (Malformed, DamagedGame) as error:
            if not is_folder:
                raise
            has_failed = True
            click.echo(f"{path.name}: {error}", err=True)
        else:
            click.echo(f"{game.game_id} is on this table {'now' if new else 'already'}")
    if has_failed:
        sys.exit(1)


@click.command(epilog="Example: companion backup evening.zip")
@click.argument("file", type=FILE)
@click.option("--force", is_flag=True, help="Replace an earlier FILE.")
@DATA
@DATABASE
def backup(file: Path, force: bool, data: Path, database: str) -> None:
    """Write everything that the table knows to one file: games, decks, editions.

    A table may serve meanwhile. Keep the file to yourself: the vault's code and the
    phones' seats are in it.
    """
    from companion.store import back_up
    from companion.store.reader import reading_beside

    with reading_beside(data, database) as reader:
        about = back_up(reader, file, _version(), may_replace=force)
    click.echo(f"{file}: {_games(about.games_count)}, {file.stat().st_size:,} bytes")
    _say_damaged(about.damaged)


@click.command("restore", epilog="Example: companion restore evening.zip")
@click.argument("file", type=FILE)
@click.option(
    "--replace", is_flag=True, help="Move the games that are here aside, and keep them."
)
@DATA
@DATABASE
def restore_backup(file: Path, replace: bool, data: Path, database: str) -> None:
    """Make this table the one of a backup, or leave everything as it is."""
    from companion.store import as_owner, restore

    try:
        source = opened(file)
    except OSError as error:
        raise _no_file(file, error) from error
    with source, as_owner(data):
        restored = restore(source, data, database, may_replace=replace)
    click.echo(f"{_games(restored.about.games_count)} restored to {restored.place}")
    _say_damaged(restored.about.damaged)
    if restored.kept is not None:
        click.echo(f"what was there before is kept in {restored.kept}")


def _games(count: int) -> str:
    return "1 game" if count == 1 else f"{count} games"


def _say_damaged(damaged: tuple[str, ...]) -> None:
    for game_id in damaged:
        click.echo(f"game {game_id} is damaged, and kept as it is", err=True)


@click.group(cls=Commands)
def edition() -> None:
    """Show the figures of each edition, and where they come from."""


@edition.command("list", epilog="Example: companion edition list")
@DATA
def list_editions(data: Path) -> None:
    """Print each edition that this table can play in a line."""
    from companion.edition.catalogue import catalogue_of
    from companion.edition.show import listing

    catalogue = catalogue_of(data)
    for edition_id in catalogue.ids:
        click.echo(listing(catalogue(edition_id)))


@edition.command("show", epilog="Example: companion edition show secret-vault")
@click.argument("edition_id", metavar="EDITION")
@click.option("--figures", is_flag=True, help="Each figure, how well known, and where.")
@DATA
def show_edition(edition_id: str, figures: bool, data: Path) -> None:
    """Print the figures of an edition, or of a file, and what is not known."""
    from companion.edition.catalogue import FILE_END, catalogue_of, load_file
    from companion.edition.show import figure_lines, page

    file = Path(edition_id)
    is_file = file.suffix == FILE_END
    chosen = load_file(file) if is_file else catalogue_of(data)(edition_id)
    lines = figure_lines(chosen) if figures else page(chosen)
    click.echo("\n".join(lines))


@edition.command(
    "export",
    epilog="Example: companion edition export secret-vault --id our-box > our-box.toml",
)
@click.argument("chosen_id", metavar="EDITION|GAME")
@click.option("--id", "own_id", default="own-box", show_default=True)
@click.option("--name", default="Our own box", show_default=True)
@DATA
@DATABASE
def export_edition(
    chosen_id: str, own_id: str, name: str, data: Path, database: str
) -> None:
    """Print an edition file of your own, with what this table read off its box.

    Of an edition all that was read in any game or outside of one; of a game what was
    typed in there. The rest is inherited, so it is also how to begin a file by hand.
    """
    from companion.box.readings import BoxReadings, readings_in, values_of
    from companion.edition.catalogue import catalogue_of
    from companion.edition.library import UK
    from companion.edition.own import own_text
    from companion.store import Journals, as_owner
    from companion.store.reader import NoGames, reading_beside

    with as_owner(data):
        catalogue = catalogue_of(data)
    known, edition_id = dict[str, str](), chosen_id
    values: dict[str, BoxValue] = {}
    with suppress(NoGames), reading_beside(data, database) as reader:
        journals = Journals(reader)
        known = {str(game.game_id): game.edition for game in journals.games()}
        if chosen_id in known:
            edition_id = known[chosen_id]
            values = values_of(readings_in(chosen_id, journals.entries(chosen_id)))
        elif chosen_id.removesuffix(UK) in catalogue.ids:
            values = values_of(BoxReadings(journals, chosen_id).latest())
    if chosen_id not in known and chosen_id.removesuffix(UK) not in catalogue.ids:
        raise Malformed(
            f"expected an edition or a game of this table, got {chosen_id[:40]!r}",
            "choose one from companion edition list or companion games list",
        )
    base, file = catalogue(edition_id), catalogue.file_of(edition_id)
    click.echo(own_text(base, values, own_id, name, file), nl=False)


@edition.command("check", epilog="Example: companion edition check my-box.toml")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
def check_editions(files: tuple[Path, ...]) -> None:
    """List every mistake in edition files; exit 1 if there is one."""
    from companion.edition import load, problems
    from companion.edition.figures import count_by_confidence

    all_mistakes: list[str] = []
    for file in files:
        text = file_text(file)
        mistakes = problems(text, file.name) or _taken(text, file.name)
        all_mistakes += mistakes
        if not mistakes:
            known = count_by_confidence(load(text, file.name))
            counts = ", ".join(f"{count} {word}" for word, count in known.items())
            click.echo(f"{file.name}: no mistakes; figures: {counts}")
    if all_mistakes:
        click.echo("\n".join(all_mistakes))
        sys.exit(1)


def _taken(text: str, name: str) -> tuple[str, ...]:
    """Return the mistake of an id that no file of an owner may have, if it is one."""
    from companion.edition import builtin_text, load
    from companion.edition.catalogue import why_taken

    edition_id = load(text, name).id
    is_ours = builtin_text(edition_id) == text
    mistake = "" if is_ours else why_taken(edition_id)
    return (f"{name}: edition.id: {mistake}",) if mistake else ()


@click.command(epilog="Example: companion play --trace my-evening.game")
@click.argument("scripts", metavar="FILE…", nargs=-1, required=True)
@click.option("--trace", is_flag=True, help="Print each event, and the position after.")
@JSON
@FILES
def play(
    scripts: tuple[str, ...], trace: bool, as_json: bool, edition: tuple[Path, ...]
) -> None:
    """Run game scripts; exit 1 if a line does not hold. - reads standard input.

    A script names its edition by id, or by the path of a file beside the script.
    """
    from companion.edition.catalogue import ScriptEditions, read_catalogue
    from companion.script import run_script

    catalogue = read_catalogue(edition)
    if catalogue.faults:
        raise EditionFault(catalogue.faults)
    outcomes = []
    for name in scripts:
        text = sys.stdin.read() if name == "-" else file_text(Path(name))
        outcome = run_script(
            text, name, trace, ScriptEditions(catalogue, Path(name).parent)
        )
        outcomes.append(outcome.ok)
        if as_json:
            shown = {key: getattr(outcome, key) for key in SCRIPT_KEYS}
            click.echo(to_json(shown))
            continue
        click.echo("".join(f"{line}\n" for line in outcome.trace), nl=False)
        if outcome.ok:
            click.echo(f"{name}: every line holds")
        else:
            click.echo(f"{name}:{outcome.line}: wanted {outcome.wanted}", err=True)
            click.echo(f"  got {outcome.got}\n  {outcome.position}", err=True)
    if not all(outcomes):
        sys.exit(1)


SCRIPT_KEYS = ("file", "ok", "line", "wanted", "got")
"""The attributes of a script's outcome that ``--json`` prints."""


@click.group("print", cls=Commands)
def print_sheets() -> None:
    """Make sheets to print and cut, as PDF, in the project's own art."""


def _scale(_ctx: click.Context, _param: click.Parameter, text: str) -> float:
    """Read a number, or a fraction such as 100/98.5."""
    numerator, slash, denominator = text.partition("/")
    try:
        return float(numerator) / float(denominator if slash else 1)
    except (ValueError, ZeroDivisionError):
        raise click.BadParameter(f"expected such as 100/98.5, got {text!r}") from None


def _sheet_command(command: Callable[..., bytes]) -> Callable[..., None]:
    """Add the options that all sheets share, and write the PDF to ``--out``."""

    @click.option("--paper", type=click.Choice(["a4", "letter"]), default="a4")
    @click.option("--dpi", default=600, show_default=True, help="Of your printer.")
    @click.option("--pitch-mm", default=0.42, show_default=True, help="Line to line.")
    @click.option(
        "--scale",
        default="1",
        metavar="100/MM",
        callback=_scale,
        help="100 over what the line of 100 mm measures on your paper: 100/98.5.",
    )
    @click.option(
        "--offset",
        "offset_mm",
        nargs=2,
        type=float,
        default=(0, 0),
        metavar="RIGHT DOWN",
        help="How many mm to move the print on the paper: 1.5 -2.",
    )
    @click.option("--seed", type=int, help="Of an answer sheet: the same run again.")
    @click.option("--out", type=click.Path(path_type=Path), required=True)
    @wraps(command)
    def write_sheet(
        paper: str,
        dpi: int,
        pitch_mm: float,
        scale: float,
        offset_mm: tuple[float, float],
        seed: int | None,
        out: Path,
        **more: object,
    ) -> None:
        from companion.printing import Job, Paper

        seed_used = secrets.randbits(32) if seed is None else seed
        job = Job(
            Paper[paper.upper()],
            dpi,
            seed_used,
            pitch_mm=pitch_mm,
            scale=scale,
            offset_mm=offset_mm,
        )
        try:
            size = out.write_bytes(command(job, **more))
        except OSError as error:
            raise DeviceFault(f"cannot write {out}: {error.strerror}") from error
        click.echo(f"{out}: {size:,} bytes; print it at 100 %")

    return write_sheet


@print_sheets.command("notes", epilog="Example: companion print notes --out notes.pdf")
@click.option("--edition", "edition_id", default="crooked-cash", show_default=True)
@click.option("--fakes", default=6, show_default=True, help="Of 20 of each amount.")
@_sheet_command
def print_notes(job: Job, edition_id: str, fakes: int) -> bytes:
    """Make notes of an edition, some fake, with a sealed sheet of answers."""
    from companion.edition import builtin
    from companion.printing import notes_pdf
    from companion.words.money import dollars_text

    known = builtin(edition_id)
    amounts = (dollars_text(note, known.currency) for note in known.denominations)
    return notes_pdf(tuple(amounts), fakes_each=fakes, job=job)


@print_sheets.command("cards", epilog="Example: companion print cards --out cards.pdf")
@_sheet_command
def print_cards(job: Job) -> bytes:
    """Make twelve pairs of Chance cards, one of each fake."""
    from companion.printing import cards_pdf

    return cards_pdf(job)


@print_sheets.command("lens", epilog="Example: companion print lens --out film.pdf")
@_sheet_command
def print_lens(job: Job) -> bytes:
    """Make line gratings for overhead film, which show what a note hides."""
    from companion.printing import lens_pdf

    return lens_pdf(job)


@print_sheets.command("dial", epilog="Example: companion print dial --out dial.pdf")
@_sheet_command
def print_dial(job: Job) -> bytes:
    """Make the face of the vault's wheel."""
    from companion.printing import dial_pdf

    return dial_pdf(job)


@click.command(epilog="Example: companion version")
def version() -> None:
    """Print the version."""
    click.echo(_version())


def _version() -> str:
    from importlib.metadata import version

    return version("table-companion")


COMMANDS = (games, edition, play, print_sheets, backup, restore_backup, version)
"""The commands that ``cli.py`` adds to its own."""
