"""A decoder that has looked and learnt already, for scenes: it can only be watched."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from companion.decoder import Reason, house_deck
from companion.decoder.ink import face_of, on_paper, side_by_side
from companion.examining import (
    DeckCard,
    DecoderService,
    Examination,
    Finding,
    Growth,
    GrowthState,
    LessonState,
    LessonView,
)
from companion.words import say
from hardware.photos.examine import jpeg
from tests.web.conftest import Evening, House, app_for, make_evening
from web.http.settings import PanelSettings

PHOTO = Path(__file__).parents[2] / "decoder" / "golden" / "fake.jpg"
LONG = "Großtantes Geheimpapiere"
"""As long as the name of a deck may be."""

OWN = DeckCard("house", "house", is_chosen=False, is_built_in=True)
CARDS = (OWN, DeckCard("aunt", LONG, is_chosen=True), DeckCard("shop", "Shop", False))
LEFT_OUT = tuple(
    say("{photo} could not be used, {why}", photo=photo, why=reason.words)
    for photo, reason in (
        (say("photo {number}", number=3), Reason.EYES_COVERED),
        (say("real photo {number}", number=2), Reason.NO_SCRAMBLED_PRINT),
    )
)
COLLECTING = LessonView(LessonState.COLLECTING, unsorted=tuple("abcdef"))
SORTED = LessonView(LessonState.COLLECTING, real=tuple("ab"), fake=tuple("cdefg"))
LEARNING = replace(
    COLLECTING,
    state=LessonState.LEARNING,
    step=say("the photos are being looked at"),
    deck=CARDS[1],
)
ASKING = replace(
    LEARNING,
    state=LessonState.ASKING,
    faces=("plain", "masked"),
    shown_by=(tuple("abd"), tuple("ef")),
    left_out=LEFT_OUT,
)
LEARNT = LessonView(
    LessonState.LEARNT,
    left_out=LEFT_OUT,
    deck=CARDS[1],
    right_count=7,
    photos_count=8,
)
REFUSED = replace(
    SORTED,
    state=LessonState.REFUSED,
    left_out=LEFT_OUT,
    step=say(
        "no face was found that all photos show and that differs between real and "
        "fake; {advice}, check which are which, or add photos",
        advice=Reason.GLARE.words,
    ),
    remedy=Reason.TOO_FAR.words,
)


class Watched:
    """Every part of a decoder, as pages show it; looks are kept by what they found.

    Args:
        lesson: The lesson at which the decks' page stands.
    """

    def __init__(self, lesson: LessonView) -> None:
        deck = house_deck()
        self._lesson = lesson
        self._photo = PHOTO.read_bytes()
        self._faces = [
            jpeg(on_paper(face_of(deck, is_masked=is_masked)))
            for is_masked in (False, True)
        ]
        self._strip = jpeg(on_paper(side_by_side(deck)))

    def found(self, key: str) -> Examination | None:
        seen, strip = self._photo, self._strip
        pictures = {"seen": seen, "hidden": seen, "face": strip}
        sure = [Finding(x, 97, "", 5.0, pictures) for x in ("real", "fake")]
        why, hint = Reason.EYES_COVERED.words, Reason.GLARE.words
        findings = {
            "real": sure[:1],
            "fake": sure[1:],
            "both": sure,
            "unsure": [Finding("unsure", 0, why, 5.0, {})],
        }.get(key)
        if findings is None:
            return None
        advice = (hint,) if key == "unsure" else ()
        more = {"deck_key": "aunt", "can_teach": key != "unsure"}
        return Examination(key, LONG, tuple(findings), advice, seen, 900, **more)

    def shown(self) -> None:
        """Nothing is on the table's screen."""

    def camera_health(self) -> None:
        """The table has no camera of its own."""

    def of(self, key: str) -> Growth | None:
        return Growth(GrowthState.GROWN, 9) if key == "both" else None

    def cards(self) -> tuple[DeckCard, ...]:
        return CARDS

    def picture(self, _key: str) -> bytes:
        return self._strip

    def face(self, _key: str, *, is_masked: bool) -> bytes:
        return self._faces[is_masked]

    def view(self) -> LessonView:
        return self._lesson

    def photo(self, key: str) -> bytes:
        faces = dict(zip(ASKING.faces, self._faces, strict=True))
        return faces.get(key, self._photo)


def watched(house: House, settings: PanelSettings, lesson: LessonView) -> Evening:
    """An evening whose decoder has learnt and looked."""
    every = Watched(lesson)
    decoder = DecoderService(every, every, every, every)
    house.panel = replace(house.panel, decoder=decoder)
    house.app = app_for(house.panel, settings)
    return make_evening(house, "crooked-cash")
