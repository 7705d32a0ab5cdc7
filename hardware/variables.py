"""Settings from environment variables, such as ``COMPANION_PIN_COIL=17``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import fields

from companion.errors import Malformed

PREFIX = "COMPANION_"
"""How the variable of each setting begins."""
REMEDY = "correct it in the settings, or leave it out for the default"
"""The remedy for a setting that has none of its own."""


@contextmanager
def saying_what_to_do() -> Iterator[None]:
    """Add a remedy to a refused setting that has none."""
    try:
        yield
    except Malformed as error:
        error.remedy = error.remedy or REMEDY
        raise


def values_of(
    settings: type, variables: Mapping[str, str]
) -> dict[str, str | int | bool]:
    """Read the fields of the dataclass *settings* that *variables* name.

    A variable's name is ``COMPANION_`` and the field in capitals. Fields without a
    plain default are left to the caller.

    Raises:
        Malformed: If a value cannot be of the type of the field's default.
    """
    values: dict[str, str | int | bool] = {}
    for item in fields(settings):
        variable = PREFIX + item.name.upper()
        if variable in variables and isinstance(item.default, str | int):
            values[item.name] = parse(variable, variables[variable], item.default)
    return values


def parse(variable: str, text: str, default: object) -> str | int | bool:
    """Read *text* as a switch, whole number or text, of whatever type *default* is.

    Raises:
        Malformed: If a switch is neither 0 nor 1, or a number has other characters.
    """
    if isinstance(default, bool):
        if text not in ("0", "1"):
            raise Malformed(f"expected {variable} of 0 or 1, got {text!r}")
        return text == "1"
    if isinstance(default, int):
        if not (text.isascii() and text.isdigit()):
            raise Malformed(f"expected {variable} to be a whole number, got {text!r}")
        return int(text)
    return text
