"""Settings from environment variables, such as ``COMPANION_PIN_COIL=17``."""

from __future__ import annotations

from companion.errors import Malformed


def parse(variable: str, text: str, default: object) -> str | int | bool:
    """Read *text* as a value of the type of *default*: switch, whole number or text.

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
