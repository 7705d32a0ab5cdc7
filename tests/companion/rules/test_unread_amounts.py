"""A tax or a gift of an unknown amount: asked for at the landing, never nothing."""

from __future__ import annotations

from companion.edition import builtin_text, load
from companion.edition.own import own_text, unknown_keys, with_readings
from companion.errors import Why
from companion.game import moves as m
from companion.rules import refusal
from companion.rules.box_reading import asked_key, asked_landings
from companion.script import export_script, run_script
from companion.views.space_ask import space_ask, unread_spaces
from tests.digest import copied, digest, folded
from tests.guided import Guided
from tests.sample import each

TAX = 'amount = 100\nconfidence = "confirmed"\nsources = ["robo-tax", "jacobalze"'
GIFT = 'amount = 100\nconfidence = "confirmed"\nsources = ["mega-booklet", "wp-mega"]'
UNREAD = "amount = {{ {confidence} }}\n{rest}"


def unread(edition: str, known: str) -> str:
    """Return the text of an edition that does not know one amount."""
    text = builtin_text(edition)
    assert text is not None
    assert text.count(known) == 1
    rest = known.partition("\n")[2]
    blank = UNREAD.format(confidence='confidence = "unknown"', rest=rest)
    return text.replace(known, blank)


CLASSIC, MEGA = unread("classic", TAX), unread("mega", GIFT)


def table(text: str, name: str, *given: str) -> Guided:
    return Guided(name, editions=lambda _: load(text, name)).given(*given)


def typed(by: str, space: int, amount: int) -> m.ReadBox:
    return m.ReadBox(by=by, key=f"space.{space}.amount", value=amount)


def on_tax() -> Guided:
    play = table(CLASSIC, "classic", "red on short-line")
    play.give(m.Roll(by="red", dice=(1, 2)))
    return play


def asked(play: Guided) -> list[str]:
    board = play.game.board
    assert board is not None
    return [asked_key(board, one.space) for one in asked_landings(board, play.at)]


def test_a_tax_that_is_read_in_time_is_paid_at_once() -> None:
    play = on_tax()
    assert play.game.ledger["red"] == 1_500
    assert asked(play) == ["space.38.amount"]
    assert play.at.mover.seat == "blue"
    ask = space_ask(play.game, "blue")
    assert ask is not None
    assert ask.blank is not None
    assert (ask.name, ask.blank.key, ask.comes_now) == (
        "Luxury Tax",
        "space.38.amount",
        True,
    )
    assert "Luxury Tax" in unread_spaces(play.game)[0]
    play.give(typed("blue", 38, 75))
    assert play.game.ledger["red"] == 1_425
    assert play.at.mover.seat == "blue"
    assert asked(play) == []
    again = run_script(
        export_script(play.entries), editions=lambda _: load(CLASSIC, "classic")
    )
    assert again.ok, again.got
    assert digest(folded(again.entries)) == digest(copied(play.entries))


def test_a_tax_that_is_read_too_late_counts_from_the_next_landing() -> None:
    play = on_tax()
    play.give(m.Roll(by="blue", dice=(4, 6)), typed("red", 38, 75))
    assert play.game.ledger["red"] == 1_500
    assert play.replayed() == play.game
    play.given("blue on short-line", "turn blue")
    play.give(m.Roll(by="blue", dice=(1, 2)))
    assert play.game.ledger["blue"] == 1_425


def test_a_gift_is_offered_once_somebody_has_read_it() -> None:
    play = table(MEGA, "mega", "red on 41")
    play.give(m.Roll(by="red", dice=(1, 2, 3)))
    assert asked(play) == ["space.47.amount"]
    play.give(typed("red", 47, 120), m.Choose(by="red", word="cash"))
    assert play.game.ledger["red"] == 2_620


def test_a_gift_that_the_table_offers_unread_is_not_nothing() -> None:
    play = table(MEGA, "mega", "red on 47", "stage choose")
    refused = refusal(play.game, m.Choose(by="red", word="cash"))
    assert refused is not None
    assert refused.why is Why.UNKNOWN_FIGURE
    assert "Birthday Gift" in refused.message
    assert refusal(play.game, m.Choose(by="red", word="ticket")) is None


@each("value", [0, -1, 10**9])
def test_no_space_says(value: int) -> None:
    refused = refusal(on_tax().game, typed("blue", 38, value))
    assert refused is not None
    assert refused.why is Why.MALFORMED


def test_only_an_amount_that_nobody_knows_is_read() -> None:
    play = on_tax()
    for space in (4, 20, 99):
        assert refusal(play.game, typed("blue", space, 75)) is not None


def test_a_box_keeps_the_amount_that_was_read_off_it() -> None:
    edition = load(CLASSIC, "classic")
    assert unknown_keys(edition) == ("space.38.amount",)
    assert with_readings(edition, {"space.38.amount": 75}, CLASSIC).spaces[
        38
    ].amount == (75)
    text = own_text(edition, {"space.38.amount": 75}, "ours", "Ours", CLASSIC)
    ours = load(text, "ours.toml")
    assert ours.spaces[38].amount == 75
    assert ours.provenance("space.38.amount").confidence == "single"
