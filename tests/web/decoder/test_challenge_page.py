"""A challenge over HTTP: the picture, the one tap, and what is kept of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.errors import JournalFault
from companion.examining import STRANGER
from companion.game import commands as c
from companion.game import moves as m
from companion.game.stage import Stage
from companion.store import Act
from hardware.camera.live import LiveCamera
from hardware.camera.simulated import SimulatedDriver
from hardware.photos.examiner import KEPT_MAX
from tests.fakes import FakeClock
from tests.photographed import Run
from tests.web.conftest import ORIGIN, Phone
from tests.web.decoder.decoder_lab import DecoderLab, golden
from tests.web.guided_table import give, lead, said

JPEG = b"\xff\xd8\xff"


def picture_of(name: str) -> np.ndarray:
    """A photograph of the decoder's own tests as a camera gives it."""
    return cv2.imdecode(np.frombuffer(golden(name), np.uint8), cv2.IMREAD_COLOR)


def made_lab(folder: Path, *names: str) -> DecoderLab:
    """A table that plays Crooked Cash, with a camera that sees photographs in turn."""
    driver = SimulatedDriver([picture_of(name) for name in names])
    camera = LiveCamera(driver, FakeClock()) if names else None
    lab = DecoderLab(folder, camera)
    lead(lab.evening, "crooked-cash")
    return lab


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Callable[..., DecoderLab]]:
    labs: list[DecoderLab] = []

    def made(*names: str) -> DecoderLab:
        labs.append(made_lab(tmp_path / str(len(labs)), *names))
        return labs[-1]

    yield made
    for lab in labs:
        lab.close()


@pytest.fixture
def lab(make: Callable[..., DecoderLab]) -> DecoderLab:
    return note_checked(make())


def note_paid(lab: DecoderLab) -> DecoderLab:
    """Anna (red) pays 60 for a street, and Ben (blue) may look at the note."""
    give(lab.evening, m.Roll(by="red", dice=(1, 2)), m.Buy(by="red"))
    return lab


def note_checked(lab: DecoderLab) -> DecoderLab:
    """Anna (red) pays 60 for a street, and Ben (blue) has spent a chip to look."""
    give(note_paid(lab).evening, m.Inspect(by="blue"))
    return lab


def card_checked(lab: DecoderLab) -> DecoderLab:
    """Anna is about to use a card, and Ben has spent a chip to look."""
    said(lab.evening, "red cards chance-04")
    give(lab.evening, m.UseCard(by="red", card=held(lab)), m.Inspect(by="blue"))
    return lab


def held(lab: DecoderLab) -> str:
    play = game_of(lab).play
    assert play is not None
    return play.token_of("red").cards[0]


def game_of(lab: DecoderLab):
    return lab.house.table.game(lab.evening.game_id)


def address(lab: DecoderLab, more: str = "") -> str:
    return f"/g/{lab.evening.game_id}/challenge{more}"


def sent(lab: DecoderLab, phone: Phone, name: str) -> str:
    """The address of the page with the verdict on a photo."""
    answer = lab.send(phone, golden(name), address(lab, "/photo"))
    assert answer.status_code == 303, answer.text
    return answer.headers["Location"]


def forms_in(text: str) -> list[dict[str, str]]:
    """The hidden fields of each form that gives a verdict, with its buttons' values."""
    found = []
    for form in re.findall(r"<form[^>]*challenge/verdict.*?</form>", text, re.S):
        fields = dict(re.findall(r'name="(\w+)" value="([^"]*)"', form))
        values = re.findall(r'name="amount" value="(\d+)"', form)
        found.append({**fields, "amounts": " ".join(values)})
    return found


def test_a_fake_is_seen_and_one_tap_gives_it_to_whoever_looked(lab: DecoderLab) -> None:
    evening = lab.evening
    page = evening.ben.get(address(lab))
    assert "Is this note real?" in page.text
    assert "You were first." in page.text
    text = evening.ben.get(sent(lab, evening.ben, "fake")).text
    assert "Fake</h1>" in text
    assert "What its lines hide" in text
    before = evening.balance("red"), evening.balance("blue")
    first = forms_in(text)[0]
    assert first["verdict"] == "fake"
    assert first["amounts"] == "10 20 50 100 500"
    del first["amounts"]
    first["amount"] = "100"
    answer = evening.ben.post(address(lab, "/verdict"), **first)
    assert answer.status_code == 303
    assert answer.headers["Location"] == f"/g/{evening.game_id}/"
    assert evening.balance("red") == before[0] - 100
    assert evening.balance("blue") == before[1] + 100
    assert game_of(lab).play.stage is Stage.PAYMENT
    again = evening.ben.post(address(lab, "/verdict"), **first)
    assert again.status_code == 303
    assert evening.balance("blue") == before[1] + 100, "one tap counted twice"


@pytest.mark.slow
def test_the_value_of_our_own_print_is_read_from_the_frame(
    lab: DecoderLab, tmp_path: Path
) -> None:
    run = Run(tmp_path, (10, 20, 50, 100, 500), 5)
    note = run.photograph(run.note(50, is_fake=True), 0, is_card=False)
    photo = cv2.imencode(".jpg", note)[1].tobytes()
    evening = lab.evening
    answer = lab.send(evening.ben, photo, address(lab, "/photo"))
    text = evening.ben.get(answer.headers["Location"]).text
    assert "It is fake: Ben takes $50" in text
    assert forms_in(text)[0]["amounts"] == "50 10 20 100 500"
    said(evening, "red cash 40")  # So it was no 50.
    text = evening.ben.get(answer.headers["Location"]).text
    assert "Ben takes" not in text


def test_a_real_note_costs_no_more_than_the_chip(lab: DecoderLab) -> None:
    evening = lab.evening
    where = sent(lab, evening.anna, "real")
    text = evening.anna.get(where).text
    assert "Real</h1>" in text
    assert "Ben was first." in text
    assert forms_in(text) == [], "nobody says what its own note is"
    text = evening.ben.get(where).text
    before = evening.balance("red")
    form = forms_in(text)[0]
    assert (form["verdict"], form["amounts"]) == ("real", "")
    assert "Fake" not in re.findall(r"<section id=\"act\".*?<details", text, re.S)[0]
    evening.ben.post(address(lab, "/verdict"), **form)
    assert evening.balance("red") == before
    assert game_of(lab).play.stage is Stage.PAYMENT


def test_a_photo_moves_nothing_by_itself(lab: DecoderLab) -> None:
    before, revision = game_of(lab), lab.evening.revision()
    sent(lab, lab.evening.ben, "fake")
    assert (game_of(lab), lab.evening.revision()) == (before, revision)
    assert lab.house.table.pictures.revisions(lab.evening.game_id) == frozenset()


def test_unsure_says_what_to_change_and_costs_nothing(lab: DecoderLab) -> None:
    evening = lab.evening
    chips = game_of(lab).play.token_of("blue").chips
    text = evening.ben.get(sent(lab, evening.ben, "glare")).text
    assert "Unsure</h1>" in text
    assert "ilt the note" in text
    act = re.findall(r"<section id=\"act\".*?<details", text, re.S)[0]
    assert "challenge/verdict" not in act
    assert 'name="photo"' in act
    assert game_of(lab).play.stage is Stage.VERDICT
    assert game_of(lab).play.token_of("blue").chips == chips


@pytest.mark.parametrize("verdict", ["real", "fake"])
def test_what_the_plastic_lens_shows_is_tapped_by_hand(
    lab: DecoderLab, verdict: str
) -> None:
    evening = lab.evening
    forms = forms_in(evening.ben.get(address(lab)).text)
    (form,) = (one for one in forms if one["verdict"] == verdict)
    assert "look" not in form
    amount = {"amount": "50"} if verdict == "fake" else {}
    evening.ben.post(address(lab, "/verdict"), **{**form, **amount})
    assert game_of(lab).play.stage is Stage.PAYMENT
    assert evening.balance("red") == 1500 - (50 if amount else 0)


def test_only_notes_that_the_payer_can_have_are_offered(
    make: Callable[..., DecoderLab],
) -> None:
    lab = make()
    said(lab.evening, "red cash 70")
    forms = forms_in(lab.evening.ben.get(address(note_checked(lab))).text)
    assert forms[-1]["amounts"] == "10 20 50"


def test_a_fake_card_brings_the_reward(make: Callable[..., DecoderLab]) -> None:
    lab = card_checked(make())
    evening = lab.evening
    text = evening.ben.get(sent(lab, evening.ben, "fake")).text
    assert "Is this card real?" in text
    assert "It is fake: Ben gets $100" in text
    before = evening.balance("blue")
    evening.ben.post(address(lab, "/verdict"), **forms_in(text)[0])
    assert evening.balance("blue") == before + 100
    assert game_of(lab).play.card_use is None


def test_the_tables_camera_looks_too(make: Callable[..., DecoderLab]) -> None:
    lab = note_checked(make("fake"))
    ben = lab.evening.ben
    page = ben.get(address(lab)).text
    assert f'data-glance="{address(lab, "/glance")}"' in page
    answer = ben.post(address(lab, "/look"))
    assert "Fake</h1>" in ben.get(answer.headers["Location"]).text


@pytest.mark.slow
def test_a_moving_picture_says_what_to_do_until_it_is_sure(
    make: Callable[..., DecoderLab],
) -> None:
    lab = note_checked(make("no_scrambled_print", *["glare"] * 9, "real"))
    ben, evening = lab.evening.ben, lab.evening
    earlier = lab.send(evening.anna, golden("fake")).headers["Location"]
    said = [glance(lab, ben) for _ in range(11)]
    assert [one["verdict"] for one in said] == ["unsure"] * 10 + ["real"]
    assert all(one["words"].endswith(".") for one in said[:-1])
    assert len({one["words"] for one in said[:-1]}) == 2
    assert ben.get(said[9]["picture"]).data.startswith(JPEG)
    assert "Real</h1>" in ben.get(said[-1]["onward"]).text
    assert len(said) > KEPT_MAX
    assert "Fake</h1>" in evening.anna.get(earlier).text, "pushed out by glances"


def test_a_glance_waits_while_another_photo_is_looked_at(
    make: Callable[..., DecoderLab],
) -> None:
    lab = note_checked(make("real"))
    headers = {**ORIGIN, "Accept": "application/json"}
    with lab.one_at_a_time.turn("somebody"):
        answer = lab.evening.ben.client.post(address(lab, "/glance"), headers=headers)
    assert answer.status_code == 503
    assert answer.get_json()["why"] == "busy"
    assert glance(lab, lab.evening.ben)["verdict"] == "real"


def glance(lab: DecoderLab, phone: Phone) -> dict[str, str]:
    answer = phone.client.post(
        address(lab, "/glance"), headers={**ORIGIN, "Accept": "application/json"}
    )
    assert answer.status_code == 200, answer.text
    return answer.get_json()


def test_without_a_challenge_there_is_no_page_and_no_look(
    make: Callable[..., DecoderLab],
) -> None:
    lab = make("fake")
    ben = lab.evening.ben
    home = f"/g/{lab.evening.game_id}/"
    assert ben.get(address(lab)).headers["Location"] == home
    assert lab.send(ben, golden("fake"), address(lab, "/photo")).location == home
    assert ben.post(address(lab, "/look")).headers["Location"] == home
    assert glance(lab, ben)["onward"] == home
    assert lab.examiner.shown() is None


def test_what_is_no_photo_is_said_on_the_challenges_page(lab: DecoderLab) -> None:
    answer = lab.send(lab.evening.ben, b"hello", address(lab, "/photo"))
    assert answer.status_code == 400
    assert "This is another kind of file, not a photo." in answer.text
    assert "Is this note real?" in answer.text


def test_a_verdict_of_a_page_that_is_too_old_is_refused(lab: DecoderLab) -> None:
    evening = lab.evening
    forms = forms_in(evening.ben.get(address(lab)).text)
    form = next(one for one in forms if one["verdict"] == "real")
    other = {**form, "command_id": "an-earlier-tap"}
    assert evening.ben.post(address(lab, "/verdict"), **other).status_code == 303
    late = evening.ben.post(address(lab, "/verdict"), **form)
    assert late.status_code == 409
    give(evening, m.Inspect(by="blue"))
    late = evening.ben.post(
        address(lab, "/verdict"), **{**form, "command_id": "once-again"}
    )
    assert late.status_code == 409, "it was about another note"
    assert "Is this note real?" in late.text
    assert game_of(lab).play.stage is Stage.VERDICT


def test_a_guest_may_look_and_decides_nothing(lab: DecoderLab) -> None:
    guest = lab.house.guest()
    text = guest.get(sent(lab, guest, "fake")).text
    assert "Fake</h1>" in text
    assert "challenge/verdict" not in text
    answer = guest.post(address(lab, "/verdict"), verdict="real")
    assert answer.status_code == 403
    assert game_of(lab).play.stage is Stage.VERDICT


def look_at_both(lab: DecoderLab) -> str:
    """Keep a look at a real and a fake note in one photo; return its page."""
    where, found = "", []
    for name in ("real", "fake"):
        where, look, key = sent(lab, lab.evening.ben, name).partition("look=")
        found.append(lab.examiner.found(key))
    real, fake = found
    assert real is not None
    assert fake is not None
    both = replace(real, key="both", findings=(*real.findings, *fake.findings))
    lab.examiner._keep(both, STRANGER)
    return f"{where}{look}both"


def test_a_photo_of_two_notes_has_a_verdict_for_each_at_both_doors(
    lab: DecoderLab,
) -> None:
    for where in (look_at_both(lab), "/decoder/both"):
        page = lab.evening.ben.get(where)
        assert page.status_code == 200
        said = re.findall(r"<h2>.*?</svg>(\w+),\s+\d+ % sure\s*</h2>", page.text, re.S)
        assert said == ["Real", "Fake"]


def test_the_screen_shows_the_print_that_tells_of_several(lab: DecoderLab) -> None:
    look_at_both(lab)
    lab.examiner.show("both")
    text = lab.house.guest().get("/table").text
    assert "d-like-fake" in text
    for name in ("seen", "hidden", "face"):
        assert f"/decoder/both/{name}-2.jpg" in text
        assert f"/decoder/both/{name}-1.jpg" not in text


def test_everybody_sees_the_look_until_it_is_applied(lab: DecoderLab) -> None:
    evening = lab.evening
    text = evening.ben.get(sent(lab, evening.ben, "real")).text
    assert lab.examiner.shown() is not None
    evening.ben.post(address(lab, "/verdict"), **forms_in(text)[0])
    assert lab.examiner.shown() is None


# What is kept.


def decided(lab: DecoderLab) -> str:
    """The address of the page with what led to the verdict, a fake of 100."""
    evening = lab.evening
    form = forms_in(evening.ben.get(sent(lab, evening.ben, "fake")).text)[0]
    evening.ben.post(address(lab, "/verdict"), **{**form, "amount": "100"})
    return address(lab, f"/{evening.revision()}")


def decided_card(lab: DecoderLab) -> str:
    """The same, of a fake card."""
    evening = lab.evening
    form = forms_in(evening.ben.get(sent(lab, evening.ben, "fake")).text)[0]
    evening.ben.post(address(lab, "/verdict"), **form)
    return address(lab, f"/{evening.revision()}")


def test_the_pictures_are_kept_with_the_verdict(lab: DecoderLab) -> None:
    where = decided(lab)
    restarted = lab.house.restarted()
    revision = lab.evening.revision()
    assert restarted.pictures.revisions(lab.evening.game_id) == {revision}
    guest = lab.house.guest()
    page = guest.get(where)
    assert page.status_code == 200
    assert "$100" in page.text
    pictures = re.findall(rf'src="({where}/[a-z]+\.jpg)"', page.text)
    assert len(pictures) == 3
    for picture in pictures:
        assert guest.get(picture).data.startswith(JPEG)
    assert guest.get(f"{where}/frame.jpg").status_code == 404
    assert guest.get(address(lab, "/1")).status_code == 404
    assert guest.get(address(lab, "/1/seen.jpg")).status_code == 404


def test_history_and_the_story_of_the_evening_lead_to_them(lab: DecoderLab) -> None:
    evening = lab.evening
    pages = [f"/g/{evening.game_id}/{page}" for page in ("history", "ending")]
    text = evening.ben.get(sent(lab, evening.ben, "fake")).text
    for page in pages:
        assert "/challenge/" not in evening.anna.get(page).text, "before the verdict"
    form = {**forms_in(text)[0], "amount": "100"}
    evening.ben.post(address(lab, "/verdict"), **form)
    where = address(lab, f"/{evening.revision()}")
    for page in pages:
        assert f'href="{where}"' in evening.anna.get(page).text
    assert f'src="{where}/hidden.jpg"' in evening.anna.get(pages[1]).text


def test_a_verdict_by_the_plastic_lens_has_no_pictures(lab: DecoderLab) -> None:
    forms = forms_in(lab.evening.ben.get(address(lab)).text)
    lab.evening.ben.post(address(lab, "/verdict"), **forms[0])
    game_id = lab.evening.game_id
    assert lab.house.table.pictures.revisions(game_id) == frozenset()


def test_the_pictures_go_with_the_game(lab: DecoderLab) -> None:
    where = decided(lab)
    evening = lab.evening
    give(evening, c.CloseGame(by=c.TABLE))
    assert evening.host.get(where).status_code == 200
    evening.host.post(f"/games/{evening.game_id}/throw-away")
    assert evening.host.get(where).status_code == 404
    assert evening.host.get(f"{where}/seen.jpg").status_code == 404


# It was real after all.


def test_the_banker_gives_a_note_back_once(lab: DecoderLab) -> None:
    where, evening = decided(lab), lab.evening
    assert "give-back" not in evening.ben.get(where).text
    assert evening.ben.post(f"{where}/give-back").status_code == 403
    text = evening.host.get(where).text
    assert "Anna has $1,400 now." in text
    assert "Ben has $1,600 now." in text
    assert "Give $100 back to Anna" in text
    for _ in range(2):
        assert evening.host.post(f"{where}/give-back").status_code == 303
        assert (evening.balance("red"), evening.balance("blue")) == (1500, 1500)


def test_a_reward_goes_back_to_the_bank(make: Callable[..., DecoderLab]) -> None:
    lab = card_checked(make())
    where, evening = decided_card(lab), lab.evening
    assert evening.balance("blue") == 1600
    assert "Give $100 back to the bank" in evening.host.get(where).text
    evening.host.post(f"{where}/give-back")
    assert (evening.balance("red"), evening.balance("blue")) == (1500, 1500)


def test_who_has_too_little_gives_nothing_back(lab: DecoderLab) -> None:
    where, evening = decided(lab), lab.evening
    said(evening, "blue cash 40")
    answer = evening.host.post(f"{where}/give-back")
    assert answer.status_code == 409
    assert "Ben has $40; this costs $100.</strong> Raise $60 first." in answer.text
    assert (evening.balance("red"), evening.balance("blue")) == (1400, 40)
    said(evening, "blue cash 900")
    assert evening.host.post(f"{where}/give-back").status_code == 303
    assert (evening.balance("red"), evening.balance("blue")) == (1500, 800)


def test_no_seat_hides_the_button_by_the_id_of_its_tap(lab: DecoderLab) -> None:
    where, evening = decided(lab), lab.evening
    at = where.rpartition("/")[2]
    tap = f"give-back-{at}-{evening.revision()}"
    evening.ben.do(
        evening.game_id, "rename-seat", seat="blue", name="Bo", command_id=tap
    )
    assert "Give $100 back to Anna" in evening.host.get(where).text
    evening.host.post(f"{where}/give-back")
    assert (evening.balance("red"), evening.balance("blue")) == (1500, 1500)


def test_a_repeated_verdict_keeps_the_first_pictures(lab: DecoderLab) -> None:
    evening = lab.evening
    form = forms_in(evening.ben.get(sent(lab, evening.ben, "fake")).text)[0]
    other = sent(lab, evening.ben, "real").partition("look=")[2]
    sent_form = {**form, "amount": "100"}
    evening.ben.post(address(lab, "/verdict"), **sent_form)
    where = address(lab, f"/{evening.revision()}/seen.jpg")
    first = evening.ben.get(where).data
    evening.ben.post(address(lab, "/verdict"), **{**sent_form, "look": other})
    assert evening.ben.get(where).data == first


def test_a_full_disk_keeps_verdict_and_pictures_back(
    lab: DecoderLab, monkeypatch: pytest.MonkeyPatch
) -> None:
    evening, pictures = lab.evening, lab.house.table.pictures
    form = forms_in(evening.ben.get(sent(lab, evening.ben, "fake")).text)[0]
    before, tap = (
        evening.revision(),
        {**form, "amount": "100", "command_id": "a-tap-01"},
    )

    def full(*_: object) -> Act:
        def act(_: object) -> None:
            raise JournalFault("the disk is full")

        return act

    with monkeypatch.context() as disk:
        disk.setattr(pictures, "keeping", full)
        answer = evening.ben.post(address(lab, "/verdict"), **tap)
        assert answer.status_code == 503
        assert evening.revision() == before
    assert evening.ben.post(address(lab, "/verdict"), **tap).status_code == 303
    assert pictures.revisions(evening.game_id) == {evening.revision()}


def test_strangers_photos_push_no_evidence_out(lab: DecoderLab) -> None:
    evening, stranger = lab.evening, lab.house.guest()
    form = forms_in(evening.ben.get(sent(lab, evening.ben, "fake")).text)[0]
    for number in range(KEPT_MAX + 1):
        where = address(lab, "/photo") if number % 2 else "/decoder/photo"
        assert lab.send(stranger, golden("real"), where).status_code == 303
    evening.ben.post(address(lab, "/verdict"), **{**form, "amount": "100"})
    kept = lab.house.table.pictures.revisions(evening.game_id)
    assert kept == {evening.revision()}


def test_what_was_given_back_and_taken_back_can_be_given_back(lab: DecoderLab) -> None:
    where, evening = decided(lab), lab.evening
    evening.host.post(f"{where}/give-back")
    assert "give-back" not in evening.host.get(where).text
    give(evening, c.Undo(by=c.TABLE), c.Undo(by=c.TABLE))
    assert (evening.balance("red"), evening.balance("blue")) == (1400, 1600)
    evening.host.post(f"{where}/give-back")
    assert (evening.balance("red"), evening.balance("blue")) == (1500, 1500)


# A look is at one challenge.


def test_a_look_counts_for_its_own_challenge_only(lab: DecoderLab) -> None:
    evening = lab.evening
    where = sent(lab, evening.ben, "fake")
    assert "c-scene" in lab.house.guest().get("/table").text
    give(evening, m.GiveVerdict(by="blue", verdict="real"))
    assert 'class="d-screen' not in lab.house.guest().get("/table").text
    give(evening, m.Inspect(by="blue"))
    text = evening.ben.get(where).text
    assert "Fake</h1>" not in text
    assert 'class="d-screen' not in lab.house.guest().get("/table").text
    form = forms_in(text)[0] | {"look": where.partition("look=")[2]}
    assert evening.ben.post(address(lab, "/verdict"), **form).status_code == 303
    assert lab.house.table.pictures.revisions(evening.game_id) == frozenset()


def test_a_verdict_that_comes_too_late_is_told_the_banker_too(lab: DecoderLab) -> None:
    evening = lab.evening
    form = forms_in(evening.host.get(address(lab)).text)[0]
    give(evening, m.GiveVerdict(by="blue", verdict="real"))
    assert evening.host.post(address(lab, "/verdict"), **form).status_code == 409


# The way to the lesson and back.


def test_the_decks_lead_back_to_the_challenge(make: Callable[..., DecoderLab]) -> None:
    lab = make()
    assert "challenge" not in lab.evening.host.get("/decks").text
    note_checked(lab)
    assert 'href="/decks"' in lab.evening.ben.get(address(lab)).text
    assert f'href="{address(lab)}"' in lab.evening.host.get("/decks").text
