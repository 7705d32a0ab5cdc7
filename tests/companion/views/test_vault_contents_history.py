"""The vault in the history: only what was there is named."""

from __future__ import annotations

import pytest

from companion.game import vault_contents_events as r
from companion.game.event import Event
from companion.units import Seat
from companion.views.history import sentence

NAMES = {"red": "Anna"}
TOOK = "Anna opened the vault: {}, and all the money"
NEW = "{} went into the vault; it is locked with a new number"


def taken(keys: int, hotels: int) -> r.RichesTaken:
    return r.RichesTaken(seat=Seat("red"), keys=keys, hotels=hotels, money=400)


@pytest.mark.parametrize(
    ("event", "text"),
    [
        (taken(1, 1), TOOK.format("one key and one hotel")),
        (taken(0, 1), TOOK.format("one hotel")),
        (taken(2, 0), TOOK.format("2 keys")),
        (taken(0, 0), "Anna opened the vault and took all the money"),
        (r.VaultRefilled(keys=1, hotels=1), NEW.format("One key and one hotel")),
        (r.VaultRefilled(hotels=1), NEW.format("One hotel")),
        (r.VaultRefilled(), "The vault is locked with a new number"),
    ],
)
def test_a_sentence_names_only_what_was_there(event: Event, text: str) -> None:
    assert sentence(event, NAMES) == text
