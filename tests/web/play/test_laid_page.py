"""What lies on the table, on each page: its forms, and why a tap comes to nothing."""

from __future__ import annotations

import html
import re

import pytest

from companion.errors import Refused, Why
from companion.game import moves as m
from companion.game.envelope import Envelope
from companion.game.sections import Money
from companion.units import DurationMs
from companion.views.laid import late_tap_text
from tests.web.conftest import Evening, House, Phone
from tests.web.forms import Form, forms_of
from tests.web.guided_table import give, guided, said


@pytest.fixture
def laying(house: House) -> Evening:
    """Anna has laid the rent of Boardwalk on the table for Ben; Cleo watches."""
    evening = guided(house, "crooked-cash", 3)
    said(evening, "blue owns boardwalk", "red on pennsylvania-avenue")
    evening.anna.do(evening.game_id, "roll", **{"die-1": 1, "die-2": 3})
    evening.ben.do(evening.game_id, "ask-rent", seat="red")
    return evening


def page(evening: Evening, phone: Phone, path: str = "") -> str:
    return phone.get(f"/g/{evening.game_id}/{path}").text


def words(text: str) -> str:
    return " ".join(html.unescape(re.sub("<[^>]+>", " ", text)).split())


def forms(evening: Evening, phone: Phone, path: str = "") -> dict[str, Form]:
    return {form.verb: form for form in forms_of(page(evening, phone, path))}


def test_the_payer_has_a_button_and_sees_what_is_reserved(laying: Evening):
    text = page(laying, laying.anna)
    assert "hand-over" in forms(laying, laying.anna)
    assert "inspect" not in forms(laying, laying.anna)
    assert "$200 on the table" in words(text)
    assert 'data-amount="1500"' in text


def test_a_program_sees_who_may_not_look_and_why(laying: Evening):
    said(laying, "green chips 0")
    answer = laying.anna.get(f"/api/games/{laying.game_id}/turn")
    watchers = answer.json["turn"]["on_table"]["laid"]["watchers"]
    assert [one["gaze"] for one in watchers] == ["shows", "may", "may-not"]
    refused = watchers[2]["refused"]
    assert (refused["why"], bool(refused["message"])) == ("no_chip", True)


def test_too_soon_is_said_in_words_and_a_moment_later_it_goes(laying: Evening):
    answer = laying.anna.do(laying.game_id, "hand-over")
    assert answer.status_code == 409
    assert "The others may still look at it. Wait 3 seconds." in words(answer.text)
    assert "What is shown lies there for a moment" in words(answer.text)
    laying.house.clock.advance(3_000)
    assert laying.anna.do(laying.game_id, "hand-over").status_code == 303
    assert laying.house.table.game(laying.game_id).ledger["blue"] == 1_700


def test_the_page_says_how_long_the_others_have(laying: Evening):
    laying.house.clock.advance(1_000)
    assert 'data-ready-ms="2000"' in page(laying, laying.anna)
    laying.house.clock.advance(5_000)
    assert 'data-ready-ms="0"' in page(laying, laying.anna)


def test_the_second_tap_is_told_who_was_first(laying: Evening):
    cleo = laying.house.table.game(laying.game_id).seats[2].seat
    assert cleo == "green"
    assert "inspect" in forms(laying, laying.ben)
    give(laying, m.Inspect(by=cleo))
    late = laying.ben.do(laying.game_id, "inspect")
    assert late.status_code == 409
    assert "Cleo was first and looks already." in words(late.text)
    payer = laying.anna.do(laying.game_id, "inspect")
    assert "Nobody looks at their own money." in words(payer.text)


def test_all_are_told_who_was_first_and_by_how_much(laying: Evening):
    table, clock, everywhere = laying.house.table, laying.house.clock, ("", "challenge")
    screen, watching = laying.house.guest(), table.subscribe()
    laying.ben.do(laying.game_id, "inspect")
    assert "was first. " not in words(page(laying, laying.anna)), "nobody came second"
    clock.advance(340)
    watching.wait(0)
    with pytest.raises(Refused):
        give(laying, m.Inspect(by="green"))
    assert laying.game_id in watching.wait(0), "every page shows it at once"
    clock.advance(9_000)
    with pytest.raises(Refused):
        give(laying, m.Inspect(by="green"))
    said_of = "Ben was first. Cleo was 0.3 s later."
    for path in everywhere:
        assert said_of in words(page(laying, laying.anna, path)), path
        mine = "You were first. Cleo was 0.3 s later."
        assert mine in words(page(laying, laying.ben, path)), path
    assert said_of in words(screen.get("/table").text)
    laying.ben.do(laying.game_id, "give-verdict", verdict="real")
    laying.ben.do(laying.game_id, "inspect")
    assert table.later_ms(laying.game_id) == {}, "nobody wanted the second look"


def test_whose_own_note_it_is_comes_second_to_nobody(laying: Evening):
    laying.ben.do(laying.game_id, "inspect")
    laying.anna.do(laying.game_id, "inspect")
    assert laying.house.table.later_ms(laying.game_id) == {}


@pytest.mark.parametrize(
    ("late", "said_so"),
    [
        (99, "Cleo was less than 0.1 s later"),
        (100, "Cleo was 0.1 s later"),
        (12_999, "Cleo was 12.9 s later"),
    ],
)
def test_a_time_is_said_as_it_was(late: int, said_so: str):
    later = {"orange": DurationMs(late + 1), "green": DurationMs(late)}
    assert late_tap_text(later, {"green": "Cleo"}, "red") == said_so
    assert "You were" in late_tap_text(later, {}, "green")
    assert late_tap_text({}, {}, "green") == ""


def test_a_verdict_from_an_older_page_does_not_count_for_another_note(laying: Evening):
    laying.ben.do(laying.game_id, "inspect")
    form = next(
        x for x in forms_of(page(laying, laying.ben)) if x.verb == "give-verdict"
    )
    assert form.fields["verdict"] == "real"
    laying.ben.post(form.action, **form.fields)
    laying.ben.do(laying.game_id, "inspect")
    again = {**form.fields, "command_id": laying.house.command_id()}
    assert laying.ben.post(form.action, **again).status_code == 409


def test_a_fake_is_said_with_its_value_and_received(laying: Evening):
    laying.ben.do(laying.game_id, "inspect")
    fake = next(
        x
        for x in forms_of(page(laying, laying.ben))
        if x.fields.get("verdict") == "fake"
    )
    assert ("amount", "50") in fake.buttons
    laying.ben.post(fake.action, **fake.fields, amount="50")
    text = words(page(laying, laying.ben))
    assert "A fake note! Ben takes the $50 of Anna." in text
    assert "+$50 a fake of Anna" in text


def test_where_nobody_knows_the_notes_the_worth_of_a_fake_is_typed(
    laying: Evening, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(Money, "notes", ())
    laying.ben.do(laying.game_id, "inspect")
    text = page(laying, laying.ben)
    assert "What is the fake note worth? Ben gets it." in words(text)
    fake = next(x for x in forms_of(text) if x.fields.get("verdict") == "fake")
    answer = laying.ben.post(fake.action, **{**fake.fields, "amount": "30"})
    assert answer.status_code == 303
    assert laying.house.table.game(laying.game_id).ledger["blue"] == 1_530


def test_other_pages_have_a_banner_and_the_page_of_the_turn_has_none(laying: Evening):
    assert 'id="arrived-laid' in page(laying, laying.ben, "deeds")
    assert 'id="arrived-laid' in page(laying, laying.anna, "deeds")
    assert forms(laying, laying.anna, "deeds")["hand-over"].fields["from"] == "deeds"
    assert 'id="arrived-laid' not in page(laying, laying.ben)
    laying.ben.do(laying.game_id, "inspect")
    assert 'id="arrived-laid' in page(laying, laying.ben, "deeds")
    assert 'id="arrived-laid' not in page(laying, laying.anna, "deeds")


def test_a_card_is_used_on_whom_the_page_offers(house: House):
    evening = guided(house, "crooked-cash", 3)
    said(evening, "red cards chance-03")
    form = forms(evening, evening.anna)["use-card"]
    assert form.choices == {"target": ["blue", "green"]}
    evening.anna.post(form.action, **form.fields, target="green")
    assert "send somebody to jail" in words(page(evening, evening.ben)).lower()
    house.clock.advance(3_000)
    evening.anna.do(evening.game_id, "hand-over")
    token = house.table.game(evening.game_id).play.token("green")
    assert token.tries == 0


def test_the_money_has_the_sign_of_the_box(house: House):
    evening = guided(house, "crooked-cash-uk", 3)
    said(evening, "blue owns boardwalk", "red on pennsylvania-avenue")
    evening.anna.do(evening.game_id, "roll", **{"die-1": 1, "die-2": 3})
    evening.ben.do(evening.game_id, "ask-rent", seat="red")
    assert "Hand over £200" in words(page(evening, evening.anna))
    assert "Mayfair" in words(page(evening, evening.ben))


def test_an_evening_without_fakes_shows_nothing_of_it(house: House):
    evening = guided(house, "classic", 2)
    text = page(evening, evening.anna)
    assert "pieces" not in text
    assert "chip" not in words(text)


def test_the_banker_puts_chips_right(laying: Evening):
    correct = page(laying, laying.host, "correct")
    form = next(x for x in forms_of(correct) if "chips 0" in str(x.choices))
    sent = {"subject": "blue", "value": "chips 1", "from": "correct"}
    assert set(form.choices) == {"subject", "value"}
    laying.host.post(form.action, **{**form.fields, **sent})
    assert laying.house.table.game(laying.game_id).play.token("blue").chips == 1
    assert "A mortgage" not in words(correct)


@pytest.mark.parametrize(
    ("effect", "stage"),
    [
        ("choice", "choose"),
        ("jail-someone", "choose"),
        ("ready-chips", "roll"),
        ("skip-rent", "roll"),
    ],
)
def test_a_card_of_this_box_can_be_described(
    house: House, effect: str, stage: str
) -> None:
    evening = guided(house, "crooked-cash", 3)
    evening.anna.do(evening.game_id, "roll", **{"die-1": 1, "die-2": 1})
    text = page(evening, evening.anna)
    assert f'value="{effect}"' in text
    answer = evening.anna.do(evening.game_id, "draw", effect=effect, amount="100")
    assert answer.status_code == 303, words(answer.text)
    assert house.table.game(evening.game_id).play.stage == stage
    assert evening.anna.get(f"/g/{evening.game_id}/").status_code == 200


def test_money_for_the_vault_says_so(house: House):
    evening = guided(house, "crooked-cash", 3)
    said(evening, "red cash 20", "red owes 300 to vault", "red cash 400")
    evening.anna.do(evening.game_id, "pay-debt")
    for text in (page(evening, evening.ben), house.guest().get("/table").text):
        assert "<b>The vault</b>" in text


def test_the_screen_asks_who_wants_to_look_only_where_somebody_may(laying: Evening):
    def screen() -> str:
        return words(laying.house.guest().get("/table").text)

    assert "Who wants to check a note?" in screen()
    said(laying, "blue chips 0", "green chips 0")
    assert "Who wants to check" not in screen()


def test_an_old_page_spends_no_chip_and_hears_who_was_first(laying: Evening) -> None:
    table, game_id = laying.house.table, laying.game_id
    shown = table.revision(game_id)
    cleo = table.game(game_id).seats[2].seat

    def look(by: str) -> Why | None:
        tap = Envelope(m.Inspect(by=by), laying.house.command_id(), shown)
        try:
            table.submit(game_id, tap)
        except Refused as refused:
            return refused.why
        return None

    assert look("blue") is None
    assert look(cleo) is Why.WRONG_STAGE  # Ben was first.
    give(laying, m.GiveVerdict(by="blue", verdict="real"))
    assert look(cleo) is Why.STALE  # It was meant for what lay there before.
