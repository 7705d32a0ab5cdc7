"""What a card does, as people hear it."""

from __future__ import annotations

from companion.game.card_words import effect_text
from companion.game.rulebook import RuleCard
from companion.words import Words
from tests.sample import each


@each(
    ("card", "phrase"),
    [
        (
            RuleCard("x", "repairs", per=(("house", 25), ("skyscraper", 100))),
            "pay $25 for each house and $100 for each skyscraper",
        ),
        (RuleCard("x", "repairs", per=(("hotel", 0),)), "pay $0 for each hotel"),
        (
            RuleCard("x", "repairs", per=(("house", 0), ("hotel", 50))),
            "pay $50 for each hotel",
        ),
        (RuleCard("x", "collect"), "collect an unknown amount"),
        (RuleCard("x", "choice"), "pay or go to jail"),
    ],
)
def test_an_effect_is_a_phrase_that_can_be_translated(
    card: RuleCard, phrase: str
) -> None:
    text = effect_text(card, "")
    assert text == phrase
    assert isinstance(text, Words)
