"""An edition for readers: one line each for a list, a page for one of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from companion.edition.model import Edition, has_figure
from companion.edition.origin import CONFIDENCES
from companion.edition.shape import DEED_FIGURES, Card, Deed
from companion.money import dollars_text


def listing(edition: Edition) -> str:
    """One line: id, name, seats, board and starting money."""
    name = edition.name
    if edition.name_uk != name:
        name = f"{name} ({edition.name_uk})"
    start = dollars_text(edition.start_money, edition.currency)
    return (
        f"{edition.id}: {name}, {edition.seats_min}-{edition.seats_max} players, "
        f"{len(edition.spaces)} spaces, {len(edition.deeds)} deeds, start {start}"
    )


def page(edition: Edition) -> tuple[str, ...]:
    """The whole edition in lines: bank, deeds, options, and what is not known."""
    return tuple(_page(edition))


def knowledge(edition: Edition) -> Mapping[str, int]:
    """How many figures are known how well: confidence to count, best first."""
    keys = {key for key in edition.origins if "." in key and not _is_entry(key)}
    for deed in edition.deeds:
        printed = (name for name in DEED_FIGURES if has_figure(deed, name))
        keys |= {f"deed.{deed.id}.{name}" for name in printed}
    counts: Counter[str] = Counter(
        edition.provenance(key).confidence for key in sorted(keys)
    )
    return {word: counts[word] for word in CONFIDENCES if word in counts}


def figure_lines(edition: Edition) -> tuple[str, ...]:
    """Each figure of the deeds and cards: its value, how well known, and where from."""
    return tuple(_figure_lines(edition))


def _figure_lines(edition: Edition) -> Iterator[str]:
    for deed in edition.deeds:
        for name in DEED_FIGURES:
            if has_figure(deed, name):
                yield _figure_line(edition, f"deed.{deed.id}.{name}", deed, name)
    for card in edition.cards:
        for name in ("amount", *card.unknown):
            if getattr(card, name) is not None:
                yield _figure_line(edition, f"card.{card.id}.{name}", card, name)
    named = {source.id: source.what for source in edition.sources}
    yield ""
    for source_id, what in named.items():
        yield f"{source_id}: {what}"


def _figure_line(edition: Edition, key: str, of: Deed | Card, name: str) -> str:
    value: object = getattr(of, name)
    shown = "?" if name in of.unknown else str(value).strip("()")
    found = edition.provenance(key)
    is_known = found.confidence != "unknown"
    sources = ", ".join(found.sources) if is_known else "nobody"
    return f"{key}: {shown}, {found.confidence} ({sources})"


def _is_entry(key: str) -> bool:
    """Whether *key* is a whole space, deed, deck or card rather than a figure."""
    return key.split(".")[0] in ("space", "deed", "deck", "card")


def _page(edition: Edition) -> Iterator[str]:
    yield listing(edition)
    known = ", ".join(f"{count} {word}" for word, count in knowledge(edition).items())
    yield f"figures: {known}"
    yield ""
    for deed in edition.deeds:
        yield _deed_line(edition, deed)
    yield ""
    for option in edition.options:
        choices = list(option.choices)
        if option.number_min is not None:
            choices.append(f"{option.number_min} to {option.number_max}")
        offered = ", ".join(choices)
        yield f"option {option.key} = {option.default} ({offered}): {option.what}"
    if edition.unknowns:
        yield ""
    for one in edition.unknowns:
        yield f"not known: {one}"


def _deed_line(edition: Edition, deed: Deed) -> str:
    parts = [f"{deed.space:>2} {deed.id} ({deed.group})"]
    for name in DEED_FIGURES:
        if has_figure(deed, name):
            value: object = getattr(deed, name)
            shown = "?" if value is None else str(value).strip("()")
            parts.append(f"{name} {shown}")
    worst = edition.provenance(f"deed.{deed.id}").confidence
    return ", ".join([*parts, worst])
