"""Every rule that people are told, by a name that tests can spell.

``EVENLY_RULE`` in ``companion/rules/buildings.py`` goes by ``evenly``.
"""

from __future__ import annotations

import importlib
import re
from pathlib import Path

from companion.sheets import Told

ROOT = Path(__file__).parent.parent
RULE = re.compile(r"^([A-Z_]+)_RULE = Told\(", re.MULTILINE)

MODULES: dict[str, str] = {
    name.replace("_", "-").lower(): ".".join(path.relative_to(ROOT).parts)[:-3]
    for folder in ("companion", "hardware", "web")
    for path in sorted((ROOT / folder).rglob("*.py"))
    for name in RULE.findall(path.read_text(encoding="utf-8"))
}
"""The module that keeps each rule, by the rule's name."""


def _kept(key: str) -> Told:
    module = importlib.import_module(MODULES[key])
    rule = getattr(module, f"{key.replace('-', '_').upper()}_RULE")
    assert isinstance(rule, Told), key
    return rule


RULES: dict[str, Told] = {key: _kept(key) for key in MODULES}


def key_of(rule: Told) -> str:
    """Return the name of a rule."""
    return next(key for key, one in RULES.items() if one is rule)
