"""Checks that the parts of an edition agree; all mistakes are reported at once.

A *draft* (``companion/edition/read.py``) holds the parts of a file that could be read,
and the report on its mistakes. Each check adds a line to the report for each
contradiction: the key where it is, such as ``deed[boardwalk].price``, what was
expected, and what the file has.

Names are looked up among everything that the file declares, readable or not. So an
unreadable entry is reported once, and not again wherever it is named.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Final

from companion.edition.card_check import check_cards
from companion.edition.deed_check import check_deeds
from companion.edition.merge import naming_of
from companion.edition.model import ITEMS
from companion.edition.origin import Conflict, Inherits, OpenRule, Remark
from companion.edition.read import WITH_ORIGIN, Draft, declared_names, entries
from companion.edition.shape import CardDeck, Deed, Option, Space
from companion.game.position import BUS, MR
from companion.game.rulebook import BUS_DECK
from companion.game.sections import SEATS_LEAST, SEATS_MOST, SIDES, Notes
from companion.game.spaces import OWNED, PAYING, SpaceKind
from companion.words.report import undeclared


def check(draft: Draft) -> None:
    """Add to the report all contradictions between the parts of *draft*."""
    _check_ids(draft)
    _check_board(draft)
    check_deeds(draft)
    check_cards(draft)
    _check_seats(draft)
    _check_counts(draft)
    _check_locked(draft)
    _check_third_die(draft)
    _check_tickets(draft)
    _check_money(draft)
    _check_options(draft)
    _check_conflicts(draft)
    _check_sources(draft)


def _check_ids(draft: Draft) -> None:
    for key in ITEMS:
        naming = naming_of(key)
        counts = Counter(declared_names(draft, key)) if naming else Counter[str]()
        for name, count in counts.items():
            if count > 1:
                text = f"expected one entry of that {naming}, got {count}"
                draft.fault(f"{key}[{name}]", text)


def _check_board(draft: Draft) -> None:
    """Check that spaces are numbered without a gap, with one GO and one jail."""
    numbers = declared_names(draft, "space")
    expected_numbers = map(str, range(len(numbers)))
    gaps = [number for number in expected_numbers if number not in numbers]
    if gaps:
        text = f"expected numbers 0 to {len(numbers) - 1} without a gap"
        draft.fault("space", f"{text}, got none for {', '.join(gaps)}")
    spaces = entries(draft, "space", Space)
    for kind in (SpaceKind.GO, SpaceKind.JAIL):
        count = sum(space.kind == kind for space in spaces)
        if count != 1 and len(spaces) == len(numbers):
            draft.fault("space", f"expected one space of kind {kind}, got {count}")
    for space in spaces:
        _check_space(draft, space)


def _check_space(draft: Draft, space: Space) -> None:
    """Check a space's name, its deed and its amount, as far as its kind has them."""
    where = f"space[{space.number}]"
    is_first, is_go = space.number == 0, space.kind == SpaceKind.GO
    if is_first != is_go:
        draft.fault(f"{where}.kind", f"expected go at 0 only, got {space.kind!r}")
    if not space.name and space.kind != SpaceKind.REST:
        draft.fault(f"{where}.name", "expected a name, got nothing")
    has_deed, needs_deed = space.deed is not None, space.kind in OWNED
    if has_deed != needs_deed:
        expected = "a deed" if needs_deed else "no deed"
        text = (
            f"expected {expected} on a space of kind {space.kind}, got {space.deed!r}"
        )
        draft.fault(f"{where}.deed", text.replace("got None", "got nothing"))
    if space.kind in PAYING and space.amount is None:
        key = f"space.{space.number}"
        origin = draft.origins.get(f"{key}.amount") or draft.origins.get(key)
        if origin is None or origin.confidence != "unknown":
            text = 'expected an amount, or one with confidence = "unknown"; got nothing'
            draft.fault(f"{where}.amount", text)
    deeds = declared_names(draft, "deed")
    if space.deed is not None and space.deed not in deeds:
        text = str(undeclared("the id of a deed", space.deed, deeds))
        draft.fault(f"{where}.deed", text)
    for deed in entries(draft, "deed", Deed):
        if deed.id == space.deed and deed.kind != space.kind:
            text = f"expected {deed.kind} as on the deed, got {space.kind!r}"
            draft.fault(f"{where}.kind", text)


def _check_seats(draft: Draft) -> None:
    """Check that a table can seat the players."""
    seats = draft.figures.get("seats", {})
    lowest, highest = seats.get("lowest"), seats.get("highest")
    if isinstance(highest, int) and highest < SEATS_LEAST:
        text = f"expected {SEATS_LEAST} seats or more, got {highest}"
        draft.fault("seats.highest", text)
    if not isinstance(lowest, int):
        return
    if isinstance(highest, int) and lowest > highest:
        text = f"expected at most {highest}, which is the highest; got {lowest}"
        draft.fault("seats.lowest", text)
    elif lowest > SEATS_MOST:
        text = f"expected at most {SEATS_MOST}, as a table has; got {lowest}"
        draft.fault("seats.lowest", text)


def _check_counts(draft: Draft) -> None:
    """Check that the counts of pieces agree with the board and the decks."""
    pieces = draft.figures.get("pieces", {})
    decks = {deck.id: deck.size for deck in entries(draft, "deck", CardDeck)}
    unread = {
        f"{deck.replace('-', '_')}_cards"  # The deck's key in [pieces].
        for deck in _find_unread(draft, "deck", decks)
    }
    for key, expected in (
        ("deeds", len(set(declared_names(draft, "deed")))),
        ("chance_cards", decks.get(SpaceKind.CHANCE, 0)),
        ("community_chest_cards", decks.get(SpaceKind.COMMUNITY_CHEST, 0)),
    ):
        got = pieces.get(key, expected)
        if expected != got and key not in unread:
            draft.fault(f"pieces.{key}", f"expected {expected} as listed, got {got}")


def _check_locked(draft: Draft) -> None:
    """Check that the list of locked deeds has those that say so themselves."""
    listed = draft.figures.get("buying", {}).get("locked_deeds")
    if not isinstance(listed, tuple):
        return
    deeds = {deed.id: deed.locked for deed in entries(draft, "deed", Deed)}
    locked = {deed_id for deed_id, is_locked in deeds.items() if is_locked}
    differing = (locked ^ set(listed)) - _find_unread(draft, "deed", deeds)
    for deed_id in sorted(differing):
        text = f"expected the deeds that say locked, and only those; see {deed_id!r}"
        draft.fault("buying.locked_deeds", text)


THIRD_FACES: Final = (*"123456", MR, BUS)
"""The faces of third dice: numbers, Mr. Monopoly and the bus."""

FACES_COUNT: Final = 6
"""The number of faces of a die."""


def _check_third_die(draft: Draft) -> None:
    """Check that a third die has six faces that the rules know."""
    dice = draft.figures.get("dice", {})
    if dice.get("special") != "speed":
        return
    value = dice.get("special_faces")
    faces = value if isinstance(value, tuple) else ()
    if len(faces) != FACES_COUNT or not set(faces) <= set(THIRD_FACES):
        expected = f"six faces, each of them one of {', '.join(THIRD_FACES)}"
        got = ", ".join(map(str, faces)) or "none"
        draft.fault("dice.special_faces", f"expected {expected}; got {got}")


def _check_tickets(draft: Draft) -> None:
    """Check that bus tickets have a deck, and that the board has four equal sides."""
    if not draft.figures.get("tickets"):
        return
    total = draft.figures["tickets"].get("total")
    sizes = {deck.id: deck.size for deck in entries(draft, "deck", CardDeck)}
    size = sizes.get(BUS_DECK, 0)
    if total is not None and size != total:
        text = f"expected {size} as in the deck {BUS_DECK}, got {total}"
        draft.fault("tickets.total", text)
    count = len(declared_names(draft, "space"))
    if count % SIDES:
        draft.fault("space", f"expected four sides of one length, got {count} spaces")


def _find_unread(draft: Draft, key: str, read_names: Iterable[str]) -> set[str]:
    """Return the names of an array's entries that are not among *read_names*."""
    return set(declared_names(draft, key)) - set(read_names)


PILES: Final = (
    ("money", "start_notes", "start_money"),
    ("money", "start_notes_older", ""),
    ("money", "bank_notes", ""),
    ("vault", "first_notes", "first_money"),
    ("vault", "refill_notes", "refill_money"),
)
"""Piles of notes: section, field, and the field with their worth, if any."""


def _check_money(draft: Draft) -> None:
    """Check that notes are listed in rising order, and that piles add up."""
    money = draft.figures.get("money", {})
    for key in ("denominations", "quick_amounts"):
        amounts = money.get(key)
        if isinstance(amounts, tuple) and list(amounts) != sorted(set(amounts)):
            text = f"expected rising amounts, got {list(amounts)}"
            draft.fault(f"money.{key}", text)
    if not any(money.get(key) for key in ("denominations", "quick_amounts")):
        text = "expected the notes there are, or else quick_amounts, got neither"
        draft.fault("money.denominations", text)
    for section, key, total in PILES:
        figures = draft.figures.get(section, {})
        notes = figures.get(key)
        if isinstance(notes, dict):
            worth = figures.get(total)
            _check_pile(draft, f"{section}.{key}", notes, worth)


def _check_pile(draft: Draft, where: str, notes: Notes, worth: object) -> None:
    """Check that a pile has only notes that exist, and its stated worth."""
    known = draft.figures.get("money", {}).get("denominations")
    if isinstance(known, tuple):
        for note in notes:
            if note not in known:
                draft.fault(where, f"expected notes that exist, got {note}")
    got = sum(note * count for note, count in notes.items())
    if isinstance(worth, int) and got != worth:
        draft.fault(where, f"expected notes worth {worth}, got {got}")


def _check_options(draft: Draft) -> None:
    """Check that options accept their defaults, and open rules name an option."""
    for option in entries(draft, "option", Option):
        low, high = option.number_min, option.number_max
        if not option_accepts(option, option.default):
            text = f"expected one of its own choices, got {option.default!r}"
            draft.fault(f"option[{option.key}].default", text)
        if option.led and not option_accepts(option, option.led):
            text = f"expected one of its own choices, got {option.led!r}"
            draft.fault(f"option[{option.key}].led", text)
        if (low is None) != (high is None):
            text = "expected number_min and number_max together, got one"
            draft.fault(f"option[{option.key}]", text)
        elif low is not None and high is not None and low > high:
            text = f"expected number_max from {low}, got {high}"
            draft.fault(f"option[{option.key}]", text)
    keys = declared_names(draft, "option")
    for reading in entries(draft, "reading", OpenRule):
        if reading.option and reading.option not in keys:
            text = str(undeclared("the key of an option", reading.option, keys))
            draft.fault(f"reading[{reading.topic}].option", text)


NUMBER: Final = re.compile("0|[1-9][0-9]{0,6}")
"""A number as an option's value: up to seven digits, no leading zero."""


def option_accepts(option: Option, value: str) -> bool:
    """Return whether *value* is one of the option's words, or in its range."""
    if value in option.choices:
        return True
    if option.number_min is None or option.number_max is None:
        return False
    if not NUMBER.fullmatch(value):
        return False
    return option.number_min <= int(value) <= option.number_max


def _check_conflicts(draft: Draft) -> None:
    """Check that each conflict's *used* value is the one that the deed has."""
    deeds = {deed.id: deed for deed in entries(draft, "deed", Deed)}
    for index, conflict in enumerate(entries(draft, "conflict", Conflict)):
        where = f"conflict[{index}]"
        deed = deeds.get(conflict.deed)
        if conflict.deed not in declared_names(draft, "deed"):
            text = str(undeclared("the id of a deed", conflict.deed, deeds))
            draft.fault(f"{where}.deed", text)
        elif deed is not None and (got := _find_figure(deed, conflict.field)) is None:
            text = f"expected a figure of the deed, got {conflict.field!r}"
            draft.fault(f"{where}.field", text)
        elif deed is not None and got != conflict.used:
            text = f"expected {got} as on the deed, got {conflict.used}"
            draft.fault(f"{where}.used", text)


def _find_figure(deed: Deed, name: str) -> object:
    """Return a figure of a deed, or one amount of it (``rent_houses.4``), if known."""
    head, _, step = name.partition(".")
    value: object = getattr(deed, head, None)
    if not step:
        return value
    if not isinstance(value, tuple) or not re.fullmatch("[1-9]", step):
        return None
    return value[int(step) - 1] if int(step) <= len(value) else None


def _check_sources(draft: Draft) -> None:
    """Check that each figure names a source, and that the sources are declared."""
    named: list[tuple[str, Iterable[str]]] = []
    for key, origin in draft.origins.items():
        # The report writes deed[boardwalk].price, but money.salary.
        where = re.sub(rf"^({'|'.join(WITH_ORIGIN)})\.([^.]+)", r"\1[\2]", key)
        named.append((where, origin.sources))
        if (origin.confidence == "unknown") == bool(origin.sources):
            expected = "no sources" if origin.sources else "at least one source"
            text = f"expected {expected} with confidence {origin.confidence}"
            draft.fault(f"{where}.sources", text)
    known = declared_names(draft, "source")
    for where, sources in (*named, *_other_sources(draft)):
        for source in dict.fromkeys(sources):
            if source not in known:
                text = str(undeclared("the id of a source", source, known))
                draft.fault(f"{where}.sources", text)


def _other_sources(draft: Draft) -> Iterator[tuple[str, Iterable[str]]]:
    """Yield place and sources of everything that has no origin but names sources."""
    for index, conflict in enumerate(entries(draft, "conflict", Conflict)):
        disagree = chain.from_iterable(value.sources for value in conflict.other)
        yield f"conflict[{index}]", (*conflict.agree, *disagree)
    for reading in entries(draft, "reading", OpenRule):
        yield f"reading[{reading.topic}]", reading.sources
    for remark in entries(draft, "remark", Remark):
        yield f"remark[{remark.topic}]", remark.sources
    for deed in entries(draft, "deed", Deed):
        sources = chain.from_iterable(c.sources for c in deed.candidates)
        yield f"deed[{deed.id}].candidates", sources
    inherits = draft.parts.get("inherits")
    if isinstance(inherits, Inherits):
        yield "inherits", inherits.sources
