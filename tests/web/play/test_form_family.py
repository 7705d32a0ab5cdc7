"""Phones that know nothing but the forms on their pages play each box to its end."""

from __future__ import annotations

from itertools import product

import pytest

from companion.edition import editions
from tests.web.form_family import gathered
from web.http.settings import PanelSettings

OPTIONS = {
    "grab-and-go": ({"quick": "on"},),
    "secret-vault": ({"unknown_figures": "likely"}, {"unknown_figures": "ask"}),
    "crooked-cash": (
        {"unknown_figures": "likely"},
        {
            **{"unknown_figures": "ask", "payee_inspects": "no", "grace": "0"},
            **{"chance_in_hand": "any", "sell": "any-time", "rent": "automatic"},
        },
    ),
}
"""What these tables agree on, in turn."""

PATIENCE = {"classic": 500, "grab-and-go": 900, "mega": 1_500}
"""After how many taps somebody says that it is late; before, a game may end itself."""

SEEDS = 20
FIRST = {("crooked-cash", "en", 0), ("secret-vault", "de", 0)}
"""The boxes with devices of their own, in a language each; all others are volume."""

EVENINGS = [
    pytest.param(
        *evening,
        marks=[pytest.mark.slow, *([] if evening in FIRST else [pytest.mark.volume])],
    )
    for evening in product(editions(), ("de", "en"), range(SEEDS))
]


@pytest.mark.parametrize(("edition", "language", "seed"), EVENINGS)
def test_a_family_of_forms_ends_its_game(
    make_house, edition: str, language: str, seed: int
) -> None:
    house = make_house(settings=PanelSettings(burst_count=10**6, newcomers_count=99))
    options = OPTIONS.get(edition, ({},))
    chosen = options[(seed + (language == "de")) % len(options)]
    family = gathered(house, edition, seed, language, **chosen)
    family.play(PATIENCE.get(edition, 10**6))
    assert family.refused == []
    for phone in (*family.phones, family.evening.host):
        ending = family.look(phone, family.home + "ending")
        assert ending.path.endswith("/ending")
    assert family.visit_all(family.phones[0]) > 20
