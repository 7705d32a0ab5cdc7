"""A panel with a real decoder behind it, and photographs to send to it."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path

import cv2
from flask import Flask
from werkzeug.datastructures import FileStorage, MultiDict
from werkzeug.test import TestResponse, encode_multipart

from companion.decoder import house_deck
from companion.examining import DecoderService, LessonState
from companion.ports import Camera
from hardware.photos.deck_folder import DeckFolder
from hardware.photos.examiner import PhotoExaminer, PhotoGrowing
from hardware.photos.lessons import PhotoLessons
from hardware.photos.one_at_a_time import OneAtATime
from tests.decoder.screens import panel
from tests.fakes import FakeClock
from tests.web.conftest import (
    ORIGIN,
    Evening,
    Phone,
    app_for,
    make_evening,
    make_panel,
)
from web.http.settings import PanelSettings

WAITS_MAX, WAIT_S = 600, 0.1

GOLDEN = Path(__file__).parents[2] / "decoder" / "golden"


def golden(name: str) -> bytes:
    """A photograph of the decoder's own tests."""
    return (GOLDEN / f"{name}.jpg").read_bytes()


def drawn(*, is_fake: bool, roll_deg: float = 3.0) -> bytes:
    """A panel to learn from, as PNG."""
    picture = panel(
        house_deck(), is_fake=is_fake, pixels_per_line=4.0, roll_deg=roll_deg, side=384
    )
    return cv2.imencode(".png", picture)[1].tobytes()


class DecoderLab:
    """An evening at a table that has a decoder, and perhaps a camera."""

    def __init__(self, folder: Path, camera: Camera | None = None) -> None:
        self.clock = FakeClock()
        self.house = make_panel(folder, self.clock)
        table = self.house.table
        self.one_at_a_time = OneAtATime(waiting_max=0, wait_s=0)
        self.decks = DeckFolder(folder / "decks", self.one_at_a_time)
        self.examiner = PhotoExaminer(
            self.decks,
            self.one_at_a_time,
            self.clock,
            lambda: table.notices.tell("decoder", 0),
            (lambda: camera) if camera else None,
        )
        self.lessons = PhotoLessons(
            self.decks,
            self.one_at_a_time,
            folder / "decks" / "lesson",
            lambda: table.notices.tell("lesson", 0),
        )
        self.growing = PhotoGrowing(
            self.decks,
            self.examiner,
            self.one_at_a_time,
            lambda: table.notices.tell("lesson", 0),
        )
        decoder_service = DecoderService(
            self.examiner, self.decks, self.lessons, self.growing
        )
        self.house.panel = replace(self.house.panel, decoder=decoder_service)
        self.settings = PanelSettings(burst_count=500, heartbeat_s=0.5)
        self.house.app = app_for(self.house.panel, self.settings)
        self.evening: Evening = make_evening(self.house, "crooked-cash")

    @property
    def app(self) -> Flask:
        """The panel."""
        return self.house.app

    def send(
        self, phone: Phone, photo: bytes, path: str = "/decoder/photo", **more: str
    ) -> TestResponse:
        """Send a photo as a form without script does."""
        return self.send_all(phone, [photo], path, **more)

    def send_all(
        self, phone: Phone, photos: Iterable[bytes], path: str, **more: str
    ) -> TestResponse:
        """Send several photos in one form, as they are chosen in one field."""
        files = [
            ("photo", FileStorage(io.BytesIO(x), "note.jpg", content_type="image/jpeg"))
            for x in photos
        ]
        return self._post(phone, path, [*files, *more.items()])

    def hand_in(self, phone: Phone, content: bytes, name: str = "") -> TestResponse:
        """Send a deck file, with a name for it."""
        file = FileStorage(io.BytesIO(content), "shop.deck")
        return self._post(phone, "/decks/read", [("file", file), ("name", name)])

    def _post(
        self, phone: Phone, path: str, form: list[tuple[str, object]]
    ) -> TestResponse:
        # Encoded here: the client would keep a large body in a file, and leave it.
        fields = MultiDict(form)
        boundary, body = encode_multipart(fields)
        kind = f"multipart/form-data; boundary={boundary}"
        return phone.client.post(path, data=body, headers=ORIGIN, content_type=kind)

    def wait_for(self, state: LessonState) -> None:
        """Wait until the lesson has come so far."""
        self.wait_while(lambda: self.lessons.view().state is LessonState.LEARNING)
        view = self.lessons.view()
        assert view.state is state, f"{view.step}; {view.remedy}"

    def wait_while(self, holds: Callable[[], bool]) -> None:
        """Wait for the thread that learns: it tells whenever it has come further."""
        stream = self.house.table.subscribe()
        for _ in range(WAITS_MAX):
            if not holds():
                return
            stream.wait(WAIT_S)
        raise AssertionError("it never came about")

    def close(self) -> None:
        """End the table, the camera and the database."""
        self.house.table.close()
        self.examiner.close()
        self.house.database.close()
