"""Editions as the text that ``companion edition`` prints.

A figure is a fact of an edition, such as a rent; ``?`` stands for one that nobody
knows.
"""

from __future__ import annotations

from collections.abc import Iterator

from companion.edition.figures import Figure, count_by_confidence, figures
from companion.edition.model import Edition, has_figure
from companion.edition.shape import DEED_FIGURES, CardOption, Deed
from companion.words.money import dollars_text


def listing(edition: Edition) -> str:
    """Write an edition on one line: id, name, seats, board and starting money."""
    name = edition.name
    if edition.name_uk != name:
        name = f"{name} ({edition.name_uk})"
    start = dollars_text(edition.start_money, edition.currency)
    return (
        f"{edition.id}: {name}, {edition.seats_min}-{edition.seats_max} players, "
        f"{len(edition.spaces)} spaces, {len(edition.deeds)} deeds, start {start}"
    )


def page(edition: Edition) -> tuple[str, ...]:
    """Write the whole edition in lines: bank, deeds, options and unknown figures."""
    return tuple(_page_lines(edition))


def figure_lines(edition: Edition) -> tuple[str, ...]:
    """Write each figure with its value and origin, then the sources."""
    return (
        *(_figure_line(figure) for figure in figures(edition)),
        "",
        *(f"{source.id}: {source.what}" for source in edition.sources),
    )


def _figure_line(figure: Figure) -> str:
    shown = "?" if figure.value is None else _format_value(figure.value)
    sources = ", ".join(figure.origin.sources) or "nobody"
    return f"{figure.key}: {shown}, {figure.origin.confidence} ({sources})"


def _format_value(value: object) -> str:
    """Write a value on one line: ``2, 10, 30``; ``500 x 2, 100 x 4``."""
    if isinstance(value, tuple):
        return ", ".join(map(_format_value, value))
    if isinstance(value, dict):
        return ", ".join(f"{note} x {count}" for note, count in value.items())
    return value.effect if isinstance(value, CardOption) else str(value)


def _page_lines(edition: Edition) -> Iterator[str]:
    yield listing(edition)
    known = ", ".join(
        f"{count} {word}" for word, count in count_by_confidence(edition).items()
    )
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
    for unknown in edition.unknowns:
        yield f"not known: {unknown}"


def _deed_line(edition: Edition, deed: Deed) -> str:
    parts = [f"{deed.space:>2} {deed.id} ({deed.group})"]
    for name in DEED_FIGURES:
        if has_figure(deed, name):
            value: object = getattr(deed, name)
            shown = "?" if value is None else str(value).strip("()")
            parts.append(f"{name} {shown}")
    parts.append(edition.provenance(f"deed.{deed.id}").confidence)
    return ", ".join(parts)
