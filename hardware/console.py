"""The commands that look at notes: decode photos, learn a deck, watch a camera.

``cli.py`` adds them to the commands of the core. OpenCV is imported only where it is
needed: it takes a quarter of a second and 40 MB, which other commands can save.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from companion.console import JSON, Commands, file_bytes
from companion.errors import DeviceFault
from hardware.clock import SystemClock

if TYPE_CHECKING:
    from companion.decoder import Deck
    from companion.ports import Camera
    from hardware.camera_settings import CameraSettings
    from hardware.decode_photos import ImageObject
    from hardware.learn_photos import Lesson

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


def _repeated(words: Sequence[str], greedy: set[str]) -> Iterator[str]:
    name = ""
    for word in words:
        if word in greedy:
            name = word
        elif word.startswith("-") and word != "-":
            name = ""
            yield word
        elif name:
            yield from (name, word)
        else:
            yield word


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
    from hardware.decode_photos import decode_files, explained_with

    known = _deck(deck)
    proof = explained_with(known)
    through = Through.LENS if lens else Through.NOTHING
    are_readable = True
    for found in decode_files(images, known, explain_dir, proof, through):
        are_readable &= "error" not in found
        if as_json:
            click.echo(msgspec.json.encode(found))
        else:
            click.echo("\n".join(_lines(found)))
    if not are_readable:
        sys.exit(1)
    if explain_dir is not None and not as_json:
        click.echo(f"pictures: {explain_dir}")


def _deck(file: Path | None) -> Deck:
    from companion.decoder import house_deck, load_deck

    return load_deck(file_bytes(file)) if file else house_deck()


def _lines(found: ImageObject) -> Iterator[str]:
    from companion.decoder import Reason

    if "error" in found:
        yield f"{found['image']}: {found['error']}"
    for reading in found["readings"]:
        said = reading["verdict"]
        if reading["reason"]:
            said += f": {Reason(reading['reason']).words}"
        else:
            said += f", {min(99, int(100 * reading['confidence']))} % sure"
        yield f"{found['image']}: {said}"


@click.command(
    cls=SeveralEach,
    epilog="Example: companion learn --real a.jpg b.jpg --fake c.jpg d.jpg "
    "--out my.deck",
)
@click.option("--real", type=FILE, multiple=True, required=True, metavar="IMAGE…")
@click.option("--fake", type=FILE, multiple=True, required=True, metavar="IMAGE…")
@click.option("--out", type=FILE, required=True, help="The deck file to write.")
@click.option("--picture", type=FILE, help="Write there what was learnt, as PNG.")
@click.option("--name", help="Of the deck; the file's name if not given.")
@JSON
def learn(
    real: tuple[Path, ...],
    fake: tuple[Path, ...],
    out: Path,
    picture: Path | None,
    name: str | None,
    as_json: bool,
) -> None:
    """Learn a deck from 2 to 5 photos each of its real and of its fake notes.

    Take them from above, the note upright within 10 degrees, flat, in focus and
    without glare, filling the picture.
    """
    from hardware.decode_photos import save_bytes, save_png
    from hardware.learn_photos import learn_files

    lesson = learn_files(real, fake, name or out.stem)
    save_bytes(out, lesson.content)
    if picture is not None:
        save_png(picture, lesson.picture)
    if as_json:
        click.echo(msgspec.json.encode({"deck": str(out), **lesson.facts}))
        return
    click.echo("\n".join(_learnt_lines(out, lesson)))
    if picture is not None:
        click.echo(f"{picture}: the face without mask, with mask, and what differs")


def _learnt_lines(out: Path, lesson: Lesson) -> Iterator[str]:
    facts = lesson.facts
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
    """The camera that looks at notes and cards."""


@camera.command("watch", epilog="Example: companion camera watch --save now.jpg")
@DECK
@click.option("--looks", default=0, help="End after so many; 0 for Ctrl-C.")
@click.option("--save", type=FILE, help="Keep the latest look there, drawn over.")
def watch_camera(deck: Path | None, looks: int, save: Path | None) -> None:
    """Say what the camera sees and how to see it better, look after look.

    Exit 1 if it never gave a picture.
    """
    from companion.decoder import read
    from hardware.camera_settings import read_camera_settings
    from hardware.camera_watch import Optics, watch
    from hardware.decode_photos import save_picture

    settings, known = read_camera_settings(os.environ), _deck(deck)
    optics = Optics(known.pitch_mm, settings.camera_focal_px)
    with (
        closing(SystemClock()) as clock,
        closing(_camera_by(settings, clock)) as found,
    ):
        sights = watch(found, lambda frame: read(frame, known), clock, _wait_ms, optics)
        has_seen = False
        for sight in islice(sights, looks or None):
            has_seen |= sight.frame is not None
            click.echo(sight.line)
            picture = sight.picture()
            if save is not None and picture is not None:
                save_picture(save, picture)
    if not has_seen:
        sys.exit(1)


def _camera_by(settings: CameraSettings, clock: SystemClock) -> Camera:
    from hardware.discover_camera import find_camera

    found = find_camera(settings, clock)
    if found is None:
        raise DeviceFault("COMPANION_CAMERA is none; set it to auto to look for one")
    return found


def _wait_ms(time_ms: int) -> None:
    threading.Event().wait(time_ms / 1000)


COMMANDS = (decode, learn, camera)
"""The commands that ``cli.py`` adds to its own."""
