"""What *Why?* says about money is true of the table, by somebody who was there.

Goal: no amount is explained by a number that nobody can find on a card or on the board.
Method: a witness follows random games (``tests/witness``). Each sum is read back into
its factors, and each factor is looked for: on the deed, on the card, in the dice, among
the houses that stand there. Each sentence has a row that says when it is true. The same
games without the steps of their amounts, as older games are, say less, and nothing
false. Mistakes that are planted show that the witness sees them. ``-m slow`` hears
30,000 charges.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import Any

import pytest
from msgspec.structs import replace

from companion.game import decoder_events as f
from companion.game import events as e
from companion.game import play_events as p
from companion.game.codec import events_to_json
from companion.game.journal import Entry
from companion.game.ledger import Reason
from companion.units import BANK, VAULT, Seat
from companion.views import why
from companion.views.why import OWN_RULE, ShownRule, rules_of, sums_of
from tests.sample import each, volume
from tests.witness.acts import Act
from tests.witness.games import Scene, games
from tests.witness.sentences import NOT_OF_AMOUNTS, has_row, is_rule_true
from tests.witness.sums import is_sum_true

STANDARD = "Standard rules"

SHEETS = {
    "classic": {STANDARD},
    "grab-and-go": {"Rules of Grab & Go"},
    "secret-vault": {"Rules of Secret Vault"},
    "crooked-cash": {"Rules of Cash Decoder", "Rules of Crooked Cash"},
    "mega": {"Rules of the Mega Edition", STANDARD},
}
"""What lies in each box."""

OTHER_BOX = "This box's sheet says nothing; as in "
"""How a sheet is cited that does not."""


def mistakes_in(scene: Scene, *, is_kept: bool = False) -> list[str]:
    """List what is not so of what *Why?* says; *is_kept* if entries have no steps."""
    entry, acts, game = scene.entry, scene.acts, scene.game
    rules, sums = rules_of(entry, game), sums_of(entry)
    found = [*false_sums(sums, acts), *false_rules(rules, acts)]
    found += foreign(rules, scene.clue.split()[0])
    for act in acts if acts[1:] else ():  # Each once more, alone.
        alone = replace(entry, events=(NOTHING, act.event))
        found += false_rules(rules_of(alone, game), (act,))
    if not is_kept:
        found += unsaid(rules, sums, acts)
    return [f"{scene.clue}, {entry.revision}: {x}\n  {entry.events}" for x in found]


NOTHING = p.DicePassed(seat=Seat("nobody"))
"""An event to which no rule belongs: money that moves first is paid by hand."""


def false_sums(sums: Iterable[str], acts: Iterable[Act]) -> Iterator[str]:
    for text in sums:
        if not any(is_sum_true(text, act) for act in acts if act.amount):
            yield f"false: {text}"


def false_rules(rules: Iterable[ShownRule], acts: Iterable[Act]) -> Iterator[str]:
    for rule in rules:
        if not has_row(rule.words):
            yield f"nobody has said when this is true: {rule.words}"
        elif not any(is_rule_true(rule.words, act) for act in acts):
            yield f"false: {rule.words}"


def foreign(rules: Iterable[ShownRule], edition: str) -> Iterator[str]:
    """Yield the citations of a sheet that is not in the box as if it were."""
    mine = SHEETS[edition]
    for rule in rules:
        other = rule.sheet.removeprefix(OTHER_BOX)
        is_said = other != rule.sheet and other not in mine
        if rule.sheet not in mine | {OWN_RULE} and not is_said:
            yield f"not in this box: {rule.sheet}"


def unsaid(
    rules: Iterable[ShownRule], sums: Iterable[str], acts: Iterable[Act]
) -> Iterator[str]:
    """Yield what is not said of a charge: its sum, or why it is so much."""
    said = [rule.words for rule in rules if rule.words not in NOT_OF_AMOUNTS]
    for act in acts:
        if not act.amount or act.reason is Reason.LEAVING or is_charged_next(act):
            continue
        is_sum = len(act.how.split()) > 2
        if is_sum and not any(is_sum_true(text, act) for text in sums):
            yield f"no sum: {act.how}"
        if not any(is_rule_true(words, act) for words in said):
            yield f"no rule: {act.reason} {act.amount} {act.how!r}"


def is_charged_next(act: Act) -> bool:
    return isinstance(act.event, p.RentFellDue) and act.box.is_on("rent", "automatic")


def charges(scene: Scene) -> int:
    return sum(act.amount > 0 for act in scene.acts)


# As older games are: without the steps.


Change = Callable[[str], str]


def changed(scene: Scene, change: Change) -> Scene:
    """Return the scene with what its events say about how amounts came about."""
    events = tuple(_changed(event, change) for event in scene.entry.events)
    if events == scene.entry.events:
        return scene
    new = zip(scene.acts, events, strict=True)
    acts = tuple(act._replace(event=event) for act, event in new)
    return scene._replace(entry=replace(scene.entry, events=events), acts=acts)


def _changed(event: Any, change: Change) -> Any:
    if isinstance(event, e.MoneyMoved | p.DebtOwed | p.RentFellDue):
        return replace(event, how=change(event.how))
    if isinstance(event, f.PaymentLaid):
        return replace(event, payment=_changed_payment(event.payment, change))
    return event


def _changed_payment(payment: Any, change: Change) -> Any:
    return replace(payment, how=change(payment.how))


def without_steps(scene: Scene) -> Scene:
    return changed(scene, lambda _: "")


# The tests.

QUICK = range(6)
"""The seeds that the suite plays of each box."""

LATER = range(6, 10_000)
"""The seeds of which the long proof plays as many as it needs."""


@cache
def quick_scenes() -> tuple[Scene, ...]:
    return tuple(games(QUICK))


def test_what_why_says_of_money_is_true() -> None:
    assert [x for scene in quick_scenes() for x in mistakes_in(scene)] == []


def test_an_older_game_says_less_and_nothing_false() -> None:
    kept = map(without_steps, quick_scenes())
    assert [x for scene in kept for x in mistakes_in(scene, is_kept=True)] == []


@pytest.mark.parametrize("count", volume([30_000]))
def test_what_why_says_of_30000_charges_is_true(count: int) -> None:
    heard = 0
    for scene in games(LATER):
        heard += charges(scene)
        assert mistakes_in(scene) == []
        assert mistakes_in(without_steps(scene), is_kept=True) == []
        if heard >= count:
            break


BYTES_MAX = 40
"""How much longer the steps of a single product make an entry."""


def bytes_of(entry: Entry) -> int:
    return len(events_to_json(entry.events))


def test_the_steps_of_an_amount_are_short() -> None:
    for scene in quick_scenes():
        one_product = [x for x in scene.acts if x.how and not re.search(SIGN, x.how)]
        for act in one_product:
            alone = replace(scene.entry, events=(act.event,))
            bare = without_steps(scene._replace(entry=alone, acts=(act,)))
            assert bytes_of(alone) - bytes_of(bare.entry) <= BYTES_MAX, act.how


SIGN = r" [+-] "


# Planted mistakes.


def distinct(scenes: Iterable[Scene]) -> list[Scene]:
    """Return one scene of each that differ in more than numbers and names."""
    found = {}
    for scene in scenes:
        kinds = tuple(
            (
                type(x.event),
                x.reason,
                x.payee in (BANK, VAULT),
                re.sub(FIGURE, "", x.how),
            )
            for x in scene.acts
        )
        found.setdefault((scene.clue.split()[0], kinds), scene)
    return list(found.values())


FIGURE = r"\b\d+\b"

STEP_MISTAKES = [
    # Rents.
    (r"^rent (\d+)$", r"rent-group \1"),
    (r"^rent-group", "rent"),
    (r"^rent-group", "rent-near"),
    (r"^rent-near", "rent-group"),
    (r"^rent-(house|hotel|skyscraper)-\d", "rent"),
    (r"^rent-(house|hotel|skyscraper)-\d", "rent-group"),
    (r"^railroad-1 (\d+)$", r"railroad-2 \1"),
    (r"^railroad-2 (\d+)$", r"railroad-1 \1"),
    (r"^railroad-1 (\d+) card", r"railroad-2 \1 card"),
    (r"^railroad-1 25 card 2", "railroad-2 50"),
    (r"^railroad-1 25 card 2", "railroad-1 50"),
    (r"^railroad.* card 2$", ""),
    (r"card 2$", "depot 2"),
    (r"depot 2$", "card 2"),
    (r"^utility-1 4", "utility-2 4"),
    (r"^utility-(\d) (\d+) dice (\d+)", r"utility-\1 \3 dice \2"),
    (r"^card (\d+) dice (\d+)", r"card \2 dice \1"),
    (r"^card (\d+) dice", r"utility-2 \1 dice"),
    # Deeds and buildings.
    ("^price", "dealt"),
    ("^price", "bid"),
    ("^bid$", "price 60"),
    ("^hotel ", "hotel-for-houses "),
    ("^house ", "hotel-for-houses "),
    (r"^sold (\d+) percent 50 of 2", r"sold \1 percent 100"),
    (" of 3$", " of 2"),
    ("^sold-street", "sold"),
    ("^loan", "lift-loan"),
    ("^lift ", "taken-over "),
    ("^lift (\\d+) percent 110", "lift-loan \\1"),
    ("^taken-over", "lift"),
    ("^unmortgage", "lift-loan"),
    ("each-house", "each-hotel"),
]
"""A step, and what the rules might write in its place."""


@each(("form", "planted"), STEP_MISTAKES)
def test_a_wrong_step_is_noticed(form: str, planted: str) -> None:
    scenes = with_mistake(form, planted)
    assert not scenes or any(map(mistakes_in, scenes))


def test_most_wrong_steps_can_be_noticed() -> None:
    came = [row for row in STEP_MISTAKES if with_mistake(*row)]
    assert len(came) > len(STEP_MISTAKES) * 3 // 4


def with_mistake(form: str, planted: str) -> list[Scene]:
    wrong = [changed(x, lambda how: re.sub(form, planted, how)) for x in samples()]
    return [x for x, right in zip(wrong, samples(), strict=True) if x is not right]


@cache
def samples() -> list[Scene]:
    return distinct(quick_scenes())


TABLES = [why.BY_STEP, why.BY_REASON, why.INTO_VAULT, why.CHARGES, why.STEP_LABELS]


@each(("table", "key"), [(table, key) for table in TABLES for key in table])
def test_the_row_of_another_is_noticed(table: Any, key: Any) -> None:
    """Each row of the tables of *Why?* says what the next one should."""
    others, right = [x for x in table.values() if x != table[key]], told()
    with pytest.MonkeyPatch.context() as planted:
        planted.setitem(table, key, others[list(table).index(key) % len(others)])
        now = map(told_of, samples())
        scenes = [x for x, a, b in zip(samples(), right, now, strict=True) if a != b]
        assert not scenes or any(map(mistakes_in, scenes))


def told_of(scene: Scene) -> tuple[tuple[ShownRule, ...], tuple[str, ...]]:
    return rules_of(scene.entry, scene.game), sums_of(scene.entry)


@cache
def told() -> list[tuple[tuple[ShownRule, ...], tuple[str, ...]]]:
    return [told_of(scene) for scene in samples()]
