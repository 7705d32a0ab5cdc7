"""The commands for notes, cameras, and the health of the machine.

Each command imports OpenCV only if it needs it, as that takes a quarter of a second and
40 MB.
"""

from __future__ import annotations

import os
import queue
import shutil
import sys
import textwrap
import threading
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.as_json import to_json
from companion.console import DATA, DATABASE, JSON, Commands, file_bytes
from companion.errors import DeviceFault
from companion.health import Condition, Finding
from companion.ports import Edge
from hardware.clock import SystemClock

if TYPE_CHECKING:
    from companion.decoder import Deck
    from companion.ports import Camera
    from hardware.camera.settings import CameraSettings
    from hardware.photos.decode_photos import ImageObject
    from hardware.photos.learn_photos import Lesson

FILE = click.Path(path_type=Path)
DECK = click.option("--deck", type=FILE, help="A deck that was learnt.")


class SeveralEach(click.Command):
    """A command whose repeatable options take all words up to the next option.

    So ``--real A.jpg B.jpg`` means ``--real A.jpg --real B.jpg``.
    """

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Repeat an option's name before each of its values."""
        greedy = {
            name
            for option in self.params
            if isinstance(option, click.Option) and option.multiple
            for name in option.opts
        }
        return super().parse_args(ctx, list(_repeated(args, greedy)))


def _repeated(args: Sequence[str], greedy: set[str]) -> Iterator[str]:
    """Repeat each option in *greedy* before each of its values."""
    option = ""  # The greedy option to which the next values belong.
    for arg in args:
        is_option = arg.startswith("-") and arg != "-"
        if arg in greedy:
            option = arg
        elif is_option:
            option = ""
            yield arg
        elif option:
            yield from (option, arg)
        else:
            yield arg


@click.command(epilog="Example: companion decode --explain why note.jpg")
@click.argument("images", metavar="IMAGE…", nargs=-1, required=True, type=FILE)
@DECK
@click.option(
    "--explain",
    "explain_dir",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Write there what was seen, what was hidden, and the face that decided.",
)
@click.option(
    "--lens", is_flag=True, help="A lens or film lies on it: what shows plainly counts."
)
@JSON
def decode(
    images: tuple[Path, ...],
    deck: Path | None,
    explain_dir: Path | None,
    lens: bool,
    as_json: bool,
) -> None:
    """Say of each scrambled print in the photos: real, fake or unsure."""
    from companion.decoder import Through
    from hardware.photos.decode_photos import decode_files, explained_with

    known = _deck(deck)
    proof = explained_with(known)
    through = Through.LENS if lens else Through.NOTHING
    are_readable = True
    for image in decode_files(images, known, explain_dir, proof, through):
        are_readable &= "error" not in image
        if as_json:
            click.echo(to_json(image))
        else:
            click.echo("\n".join(_lines(image)))
    if not are_readable:
        sys.exit(1)
    if explain_dir is not None and not as_json:
        click.echo(f"pictures: {explain_dir}")


def _deck(file: Path | None) -> Deck:
    """Load the deck in *file*, or else the built-in one."""
    from companion.decoder import house_deck, load_deck
    from companion.decoder.deck import DECK_BYTES_MAX

    return load_deck(file_bytes(file, DECK_BYTES_MAX)) if file else house_deck()


def _lines(image: ImageObject) -> Iterator[str]:
    from companion.decoder import Reason

    if "error" in image:
        yield f"{image['image']}: {image['error']}"
    for reading in image["readings"]:
        words = reading["verdict"]
        if reading["reason"]:
            reason = Reason(reading["reason"])
            words += f": {reason.words}"
            if reason is Reason.NOT_A_DECK_I_KNOW:
                words += ", with --deck or companion learn"
        else:
            words += f", {min(99, int(100 * reading['confidence']))} % sure"
        yield f"{image['image']}: {words}"


@click.command(
    cls=SeveralEach,
    epilog="Example: companion learn --real a.jpg b.jpg --fake c.jpg d.jpg "
    "--out my.deck",
)
@click.option("--real", type=FILE, multiple=True, metavar="IMAGE…")
@click.option("--fake", type=FILE, multiple=True, metavar="IMAGE…")
@click.option(
    "--unsorted",
    type=FILE,
    multiple=True,
    metavar="IMAGE…",
    help="6 to 10 photos of notes, real or fake, in place of the others.",
)
@click.option(
    "--masked",
    type=click.IntRange(1, 2),
    help="Which of the two faces in those wears the mask; asked for if not given.",
)
@click.option("--out", type=FILE, help="The deck file to write.")
@click.option("--picture", type=FILE, help="Write there what was learnt, as PNG.")
@click.option("--name", help="Of the deck; the file's name if not given.")
@click.option(
    "--report",
    type=FILE,
    help="In place of a deck: write there, as PNG, the lines only of the photo that "
    "shows most, to be sent to the makers. Asks first.",
)
@click.option("--yes", is_flag=True, help="Write the report without asking.")
@JSON
def learn(
    real: tuple[Path, ...],
    fake: tuple[Path, ...],
    unsorted: tuple[Path, ...],
    masked: int | None,
    out: Path | None,
    picture: Path | None,
    name: str | None,
    report: Path | None,
    yes: bool,
    as_json: bool,
) -> None:
    """Learn a deck from 2 to 5 photos each of its real and of its fake notes.

    Take them from above, flat, in focus and without glare, the note filling the
    picture. With --unsorted nobody has to know which notes are real: two faces are
    found, and whoever looks at them says which one wears the mask.
    """
    from hardware.photos.decode_photos import save_bytes, save_png
    from hardware.photos.learn_photos import learn_files

    if report is not None and as_json:
        raise click.UsageError("--report talks to a person; leave --json out")
    if report is not None:
        _report((*real, *fake, *unsorted), report, is_agreed=yes)
        return
    if out is None:
        raise click.UsageError("Missing option '--out'.")
    name = name or out.stem
    _check_kinds(real, fake, unsorted, masked)
    if unsorted:
        lesson = _learn_unsorted(unsorted, name, out, masked, as_json)
    else:
        lesson = learn_files(real, fake, name)
    save_bytes(out, lesson.content)
    if picture is not None:
        save_png(picture, lesson.picture)
    if as_json:
        click.echo(to_json({"deck": str(out), **lesson.facts}))
        return
    click.echo("\n".join(_learnt_lines(out, lesson)))
    if picture is not None:
        click.echo(f"{picture}: the face without mask, with mask, and what differs")


def _report(photos: tuple[Path, ...], out: Path, *, is_agreed: bool) -> None:
    from hardware.photos.decode_photos import save_bytes
    from hardware.photos.learn_photos import clearest, measured, png_of

    if not photos:
        raise click.UsageError(
            "--report needs a photo, with --real, --fake, --unsorted"
        )
    if not is_agreed and not _is_terminal():
        raise click.UsageError("--report asks a person; without a terminal, say --yes")
    path, lines = clearest(photos)
    height, width = lines.picture.shape[:2]
    click.echo(
        f"{out}: {width} x {height} pixels of {path}, from {lines.left_px} across and "
        f"{lines.top_px} down: its lines, white around them"
    )
    click.echo(f"in its text: {measured(lines)}")
    click.echo("nothing else of that photo: no place, no time, no camera")
    if is_agreed or click.confirm("Write it?"):
        save_bytes(out, png_of(lines))
        click.echo(f"{out}: written; look at it before you send it")


def _is_terminal() -> bool:
    return sys.stdin.isatty()


def _check_kinds(
    real: tuple[Path, ...],
    fake: tuple[Path, ...],
    unsorted: tuple[Path, ...],
    masked: int | None,
) -> None:
    """Refuse sorted together with unsorted photos, and sorted ones of one kind only."""
    if unsorted and (real or fake):
        raise click.UsageError("--unsorted stands alone; leave --real and --fake out")
    if masked is not None and not unsorted:
        raise click.UsageError("--masked needs photos with --unsorted")
    for kind, photos in (("real", real), ("fake", fake)):
        if not photos and not unsorted:
            raise click.UsageError(f"Missing option '--{kind}'.")


def _learn_unsorted(
    photos: tuple[Path, ...], name: str, out: Path, masked: int | None, as_json: bool
) -> Lesson:
    from companion.decoder.ink import on_paper
    from hardware.photos.decode_photos import save_png
    from hardware.photos.learn_photos import lesson_of, sorted_files

    if masked is None and as_json:
        raise click.UsageError("--json asks nothing; say which face with --masked")
    sorted_photos = sorted_files(photos, name)
    if masked is None:
        for number, face in enumerate(sorted_photos.faces, 1):
            path = out.with_name(f"{out.stem}-face-{number}.png")
            save_png(path, on_paper(face))
            pairs = zip(photos, sorted_photos.kinds, strict=True)
            paths = [str(photo) for photo, kind in pairs if kind == number - 1]
            click.echo(f"{path}: face {number}, in {', '.join(paths)}")
        masked = click.prompt("Which one wears the mask?", type=click.IntRange(1, 2))
    return lesson_of(sorted_photos.learnt(masked - 1))


def _learnt_lines(out: Path, lesson: Lesson) -> Iterator[str]:
    facts = lesson.facts
    yield from facts["left_out"]
    yield (
        f"{out}: learnt {facts['name']!r} from {facts['photos_count']} photos: a face "
        f"is {facts['face_height_lines']} lines high, and the picture shifts them by "
        f"{facts['shift']}"
    )
    yield (
        f"{facts['right_count']} of {facts['photos_count']} photos were read right by "
        "what the others had taught"
    )
    yield (
        "how far to trust it: that is a small test; check it on other notes that you "
        f"know, with companion decode --deck {out}, before you accuse anybody"
    )


@click.group(cls=Commands)
def camera() -> None:
    """Try the camera that looks at notes and cards."""


@camera.command("watch", epilog="Example: companion camera watch --save now.jpg")
@DECK
@click.option("--looks", default=0, help="End after so many; 0 for Ctrl-C.")
@click.option("--save", type=FILE, help="Keep the latest look there, drawn over.")
def watch_camera(deck: Path | None, looks: int, save: Path | None) -> None:
    """Say what the camera sees and how to see it better, look after look.

    Exit 1 if it never gave a picture.
    """
    from companion.decoder import read
    from hardware.camera.settings import read_camera_settings
    from hardware.photos.decode_photos import save_picture
    from hardware.photos.watch import Optics, watch

    settings, known = read_camera_settings(os.environ), _deck(deck)
    optics = Optics(known.pitch_mm, settings.camera_focal_px)
    with (
        closing(SystemClock()) as clock,
        closing(_camera_by(settings, clock)) as device,
    ):
        sights = watch(
            device, lambda frame: read(frame, known), clock, _wait_ms, optics
        )
        has_seen = False
        for sight in islice(sights, looks or None):  # A sight is what one look gave.
            has_seen |= sight.frame is not None
            click.echo(sight.line)
            picture = sight.picture()
            if save is not None and picture is not None:
                save_picture(save, picture)
    if not has_seen:
        sys.exit(1)


def _camera_by(settings: CameraSettings, clock: SystemClock) -> Camera:
    from hardware.camera.discover import find_camera

    chosen = find_camera(settings, clock)
    if chosen is None:
        raise DeviceFault("COMPANION_CAMERA is none", "set it to auto to look for one")
    return chosen


def _wait_ms(time_ms: int) -> None:
    threading.Event().wait(time_ms / 1000)


COLOURS = {
    Condition.OK: "green",
    Condition.UNKNOWN: "cyan",
    Condition.WARN: "yellow",
    Condition.FAIL: "red",
}
# The columns of a line: condition, a gap of 2, topic, then the words.
CONDITION_WIDTH = max(map(len, Condition))
TOPIC_WIDTH = 20
INDENT = CONDITION_WIDTH + 2 + TOPIC_WIDTH
WORDS_WIDTH_MIN = 20
"""The words get this width even on a terminal that is too narrow."""


@click.command(epilog="Example: companion doctor --data /var/lib/companion")
@click.option(
    "--interactive",
    is_flag=True,
    help="Try wheel, buttons, lid, lights and latch, one after another.",
)
@click.option("--root", default="/", hidden=True, type=click.Path(path_type=Path))
@DATA
@DATABASE
@JSON
def doctor(
    interactive: bool, root: Path, data: Path, database: str, as_json: bool
) -> None:
    """Say how this machine is, line by line, and what to do about it.

    Exit 1 if something fails. Nothing is changed, but that a coil's pin is driven low,
    or a servo goes home, while no table runs; nothing else moves unless --interactive
    asks for it.
    """
    if interactive and as_json:
        raise click.UsageError("--interactive talks to a person; leave --json out")
    findings: list[Finding] = []
    coming = _try_vault(data) if interactive else _examine(root, data, database)
    for finding in coming:
        findings.append(finding)
        if as_json:
            click.echo(to_json(finding))
        else:
            _print_finding(finding)
    if not as_json:
        click.echo(summary(findings))
    if any(finding.condition is Condition.FAIL for finding in findings):
        sys.exit(1)


def _print_finding(finding: Finding) -> None:
    width = shutil.get_terminal_size().columns - 1
    padded = f"{finding.condition:{CONDITION_WIDTH}}"
    shown = click.style(padded, fg=COLOURS[finding.condition], bold=True)
    click.echo("\n".join(lines_of(finding, width, shown)))


def lines_of(finding: Finding, width: int, condition: str) -> Iterator[str]:
    """Yield the lines that show a finding: its words, and below them the remedy.

    *width* are the columns of the terminal; *condition* is already padded, and perhaps
    coloured.
    """
    words_width = max(WORDS_WIDTH_MIN, width - INDENT)
    words = _wrapped(finding.words, words_width) or [""]
    yield f"{condition}  {finding.topic:<{TOPIC_WIDTH}}{words[0]}".rstrip()
    yield from (f"{'':{INDENT}}{line}" for line in words[1:])
    remedy = f"→ {finding.remedy}" if finding.remedy else ""
    for number, line in enumerate(_wrapped(remedy, words_width - 2)):
        yield f"{'':{INDENT + (2 if number else 0)}}{line}"


def _wrapped(text: str, width: int) -> list[str]:
    """Wrap *text*, but never at a hyphen, as that would cut commands in two."""
    return textwrap.wrap(text, width, break_long_words=False, break_on_hyphens=False)


def summary(findings: Iterable[Finding]) -> str:
    """Count the findings of each condition, in one sentence."""
    counts = Counter(finding.condition for finding in findings)
    if not counts[Condition.WARN] and not counts[Condition.FAIL]:
        unknown = counts[Condition.UNKNOWN]
        return "All is well" + (
            f", as far as can be told ({unknown} unknown)." if unknown else "."
        )
    parts = [f"{counts[kind]} {kind}" for kind in reversed(Condition) if counts[kind]]
    return ", ".join(parts) + "."


def _examine(root: Path, data: Path, database: str) -> Iterator[Finding]:
    """Yield the doctor's findings, then those of ``gather`` on other topics."""
    from hardware.doctor.gather import examine, gather

    facts, further = gather(root, data, os.environ, database)
    topics = set()
    for finding in examine(facts):
        topics.add(finding.topic)
        yield finding
    # A running table reports on the disk, too, for example.
    yield from (finding for finding in further if finding.topic not in topics)


def _try_vault(data: Path) -> Iterator[Finding]:
    from companion.store.reader import is_served
    from hardware.doctor.hands_on import Bench, try_everything
    from hardware.vault.discover import find_vault, read_settings
    from hardware.vault.latches import LATCHES

    settings = read_settings(os.environ)
    if settings.kind.open is None:
        raise DeviceFault(
            f"COMPANION_VAULT is {settings.vault}", "set it to gpio to try a vault"
        )
    if is_served(data):
        raise DeviceFault(
            f"a table runs on the games in {data} and holds the vault's pins",
            "stop it first: sudo systemctl stop companion",
        )
    with closing(SystemClock()) as clock, closing(find_vault(settings, clock)) as vault:
        maker = _Maker()
        vault.listen(maker.edges.put)
        click.echo(f"{vault.name}; Ctrl-C ends it at any time.")
        bench = Bench(vault, maker, clock, LATCHES[settings.latch], vault.hands)
        yield from try_everything(bench)


class _Maker:
    """The person at this terminal (``hands_on.Maker``)."""

    def __init__(self) -> None:
        self.edges: queue.SimpleQueue[Edge] = queue.SimpleQueue()

    def tell(self, text: str) -> None:
        click.echo(text)

    def agrees(self, question: str) -> bool:
        return click.confirm(question)

    def next_edge(self, timeout_ms: int) -> Edge | None:
        try:
            return self.edges.get(timeout=timeout_ms / 1000)
        except queue.Empty:
            return None


@click.command(epilog="Example: companion alive --port 8000")
@click.option("--host", default="", envvar="COMPANION_SERVE_HOST")
@click.option("--port", default=8000, envvar="COMPANION_SERVE_PORT", show_default=True)
def alive(host: str, port: int) -> None:
    """Say whether the table that runs here is well; exit 1 if it is not.

    A server that stands by is well. Host and port are those of *companion serve*.
    """
    from hardware.doctor.running import NO_ANSWER, ask_alive
    from hardware.network.whereabouts import plain_host

    try:
        finding = ask_alive(plain_host(host), port)
    except NO_ANSWER as error:
        raise DeviceFault(
            f"expected an answer from the table on port {port}, got: {error}",
            "see its log",
        ) from error
    _print_finding(finding)
    if finding.condition is Condition.FAIL:
        sys.exit(1)


COMMANDS = (decode, learn, camera, doctor, alive)
"""The commands that ``cli.py`` adds to its own."""
