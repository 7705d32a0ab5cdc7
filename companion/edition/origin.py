"""The shapes of everything about an edition's sources: origins, conflicts, remarks.

Every figure of an edition has an *origin*: how well it is known, and from which
sources, such as a rule sheet or a photo of a card. Where sources disagree, the file has
a *conflict*. Where a rule sheet can be read in two ways, it has an *open rule*.
"""

from __future__ import annotations

from typing import Annotated, Final, Literal, get_args

import msgspec

from companion.game.sections import FileAmount, Text

Confidence = Literal["confirmed", "single", "inferred", "unknown"]
"""In order: sources agree; one source; derived from other facts; not found."""

CONFIDENCES: Final[tuple[str, ...]] = get_args(Confidence)
"""All values of ``Confidence``, the best first."""

Id = Annotated[str, msgspec.Meta(pattern=r"^[a-z0-9][a-z0-9.-]*$", max_length=60)]
"""The id of an entry, by which others name it: ``boardwalk``."""


class Shape(msgspec.Struct, frozen=True, kw_only=True):
    """Base class of all shapes that ``companion/edition/read.py`` reads."""


class Provenance(Shape, frozen=True, kw_only=True):
    """The origin of a figure: its confidence and its sources."""

    confidence: Confidence
    sources: tuple[Id, ...] = ()
    """Ids of sources; empty only if the confidence is unknown."""
    note: str = ""
    """For readers; with a derived figure, what it is derived from."""


class Source(Shape, frozen=True, kw_only=True):
    """A source of figures, such as a rule sheet or a photo of a card."""

    id: Id
    what: Text
    """The source in our own words."""
    url: str = ""
    """Its public address; empty for a printed sheet."""


class About(Shape, frozen=True, kw_only=True):
    """Facts about the box: names, publisher, years and numbers."""

    id: Id
    name: Text
    name_uk: str = ""
    other_names: dict[str, str] = {}
    publisher: str = ""
    year: Annotated[int, msgspec.Meta(ge=1900, le=2100)] | None = None
    """The year of the American printing."""
    uk_year: Annotated[int, msgspec.Meta(ge=1900, le=2100)] | None = None
    rules_printing: Annotated[int, msgspec.Meta(ge=1900, le=2100)] | None = None
    item: str = ""
    """The number on the box or on the rule sheet."""
    upc: str = ""
    note: str = ""
    sources: tuple[Id, ...] = ()


class BoardOrigin(Shape, frozen=True, kw_only=True):
    """The origin of the board; single spaces may have their own."""

    confidence: Confidence
    sources: tuple[Id, ...]
    note: str = ""
    note_uk: str = ""


class Inherits(Shape, frozen=True, kw_only=True):
    """The parts inherited from another edition, and how well they hold here."""

    edition: Id
    what: tuple[str, ...] = ()
    """Top-level keys such as ``space`` and ``deed``; empty to inherit all."""
    confidence: Confidence
    sources: tuple[Id, ...]
    note: str = ""


class OtherValue(Shape, frozen=True, kw_only=True):
    """The value in sources that contradict the used one."""

    value: FileAmount
    sources: tuple[Id, ...]


class Conflict(Shape, frozen=True, kw_only=True):
    """A figure on which sources disagree."""

    deed: Id
    field: str
    """A field of the deed, or one amount of it: ``rent_houses.4``."""
    used: FileAmount
    """The value in the file's deed, which the program uses."""
    agree: tuple[Id, ...] = ()
    """The sources that have the used value."""
    other: tuple[OtherValue, ...]
    note: Text


class Candidate(Shape, frozen=True, kw_only=True):
    """A value to check against a real card; never used as data.

    For an unknown figure it is the likely value, and a table may choose to play with
    it. A value from another printing is only a hint.
    """

    field: str
    value: FileAmount
    printing: str = ""
    """The printing that the value is from; empty if it is this one."""
    confidence: Confidence
    sources: tuple[Id, ...]


class OpenRule(Shape, frozen=True, kw_only=True):
    """A rule that can be read in two ways; the program follows *first*."""

    topic: Text
    first: Text
    other: Text
    option: str = ""
    """The key of the option that switches between the two, if there is one."""
    sources: tuple[Id, ...]
    note: str = ""


class Remark(Shape, frozen=True, kw_only=True):
    """A fact that is no figure: a clarification, a pattern, a mistake in a source."""

    topic: Text
    text: Text
    confidence: Confidence
    sources: tuple[Id, ...] = ()
