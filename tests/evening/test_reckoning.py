"""Every charge of a game with fakes is reckoned, and one that is changed is noticed."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from companion.game.decoder_events import PaymentLaid
from companion.game.events import MoneyMoved
from companion.game.journal import Entry
from companion.game.ledger import Reason
from companion.game.play_events import DebtOwed, PlayEnded, RentFellDue
from companion.script import run_script
from tests.companion.rules.test_engine_playouts import play_with_fakes
from tests.evening.reckoning import FREE, Wrong, reckoned
from tests.sample import each, sampled
from tests.test_games import SCRIPTS

FREELY = (*FREE, Reason.DEAL)
"""What two seats agree on, and what no figure says."""


@pytest.mark.parametrize("seed", sampled(range(100)))
def test_each_charge_of_a_game_with_fakes_is_what_the_figures_say(seed: int) -> None:
    entries = play_with_fakes(seed).entries
    reckoned(entries)
    assert any(isinstance(x, PlayEnded) for entry in entries for x in entry.events)


def changed(entry: Entry) -> Iterator[Entry]:
    """Yield the entry with one of its charges ten dollars higher.

    What is paid by hand, without a move before it, nobody reckons.
    """
    if isinstance(entry.events[0], MoneyMoved):
        return
    for at, event in enumerate(entry.events):
        more = None
        match event:
            case MoneyMoved() if event.reason not in FREELY:
                more = replace(event, amount=event.amount + 10)
            case RentFellDue() if event.amount is not None:
                more = replace(event, amount=event.amount + 10)
            case DebtOwed():
                more = replace(event, amount=event.amount + 10)
            case PaymentLaid() if event.payment.reason not in FREELY:
                payment = event.payment
                dearer = replace(payment, amount=payment.amount + 10)
                more = replace(event, payment=dearer)
        if more is not None:
            events = (*entry.events[:at], more, *entry.events[at + 1 :])
            yield replace(entry, events=events)


@each("path", SCRIPTS[::30])
def test_a_charge_that_is_ten_dollars_higher_is_noticed(path: object) -> None:
    entries = run_script(path.read_text(encoding="utf-8"), path.name).entries
    for at, entry in enumerate(entries):
        for dearer in changed(entry):
            with pytest.raises(Wrong):
                reckoned((*entries[:at], dearer))
