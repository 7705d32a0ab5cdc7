"""Where an edition's figures come from, and where its sources leave doubts.

A field's type is also what the file may say there; the reader
(``companion.edition.read``) takes its checks and its messages from it.
"""

from __future__ import annotations

from typing import Annotated, Final, Literal, get_args

import msgspec

from companion.game.field_types import FileAmount, Text

Confidence = Literal["confirmed", "single", "inferred", "unknown"]
"""Two or more sources agree; one source; derived from other facts; not found."""

CONFIDENCES: Final[tuple[str, ...]] = get_args(Confidence)
"""Best first."""

Id = Annotated[str, msgspec.Meta(pattern=r"^[a-z0-9][a-z0-9.-]*$", max_length=60)]


class Shape(msgspec.Struct, frozen=True, kw_only=True):
    """Parent of everything read from a file."""


class Provenance(Shape, frozen=True, kw_only=True):
    """How well something is known, and from where."""

    confidence: Confidence
    sources: tuple[Id, ...] = ()
    """Ids in ``Edition.sources``; empty only where the confidence is unknown."""
    note: str = ""
    """What a reader should know, or what a derived figure is derived from."""


class Source(Shape, frozen=True, kw_only=True):
    """Where figures come from."""

    id: Id
    what: Text
    """The source in our own words."""
    url: str = ""
    """Its public address; empty for a printed sheet."""


class About(Shape, frozen=True, kw_only=True):
    """What the box says of itself."""

    id: Id
    name: Text
    name_uk: str = ""
    other_names: dict[str, str] = {}
    publisher: str = ""
    year: Annotated[int, msgspec.Meta(ge=1900, le=2100)] | None = None
    uk_year: Annotated[int, msgspec.Meta(ge=1900, le=2100)] | None = None
    rules_printing: Annotated[int, msgspec.Meta(ge=1900, le=2100)] | None = None
    item: str = ""
    """The number on the box or on the rule sheet."""
    upc: str = ""
    note: str = ""
    sources: tuple[Id, ...] = ()


class BoardOrigin(Shape, frozen=True, kw_only=True):
    """How well the board is known; single spaces may say otherwise."""

    confidence: Confidence
    sources: tuple[Id, ...]
    note: str = ""
    note_uk: str = ""


class Inherits(Shape, frozen=True, kw_only=True):
    """What is taken over from another edition."""

    edition: Id
    what: tuple[str, ...] = ()
    """Top-level keys such as ``space`` and ``deed``; where the file lists none, all."""
    confidence: Confidence
    sources: tuple[Id, ...]
    note: str = ""


class OtherValue(Shape, frozen=True, kw_only=True):
    """What another source says."""

    value: FileAmount
    sources: tuple[Id, ...]


class Conflict(Shape, frozen=True, kw_only=True):
    """A figure that sources give differently."""

    deed: Id
    field: str
    """A field of the deed, or one step of it: ``rent_houses.4``."""
    used: FileAmount
    agree: tuple[Id, ...] = ()
    other: tuple[OtherValue, ...]
    note: Text


class Candidate(Shape, frozen=True, kw_only=True):
    """A value to check against a real card; never used as data.

    For a figure that nobody knows it is what that probably is, and a table may choose
    to play with it; other printings' values are no such thing.
    """

    field: str
    value: FileAmount
    printing: str = ""
    confidence: Confidence
    sources: tuple[Id, ...]


class OpenRule(Shape, frozen=True, kw_only=True):
    """A rule that the sheets leave open, with both readings; the first is used."""

    topic: Text
    first: Text
    other: Text
    option: str = ""
    """Key of the option that switches it, where there is one."""
    sources: tuple[Id, ...]
    note: str = ""


class Remark(Shape, frozen=True, kw_only=True):
    """A fact that is no figure: a clarification, a pattern, a slip in a source."""

    topic: Text
    text: Text
    confidence: Confidence
    sources: tuple[Id, ...] = ()
