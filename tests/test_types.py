"""What the type checker refuses, so that nobody has to look for it."""

from __future__ import annotations

import pytest
from mypy import api

WITH_RULE = """\
from companion.errors import Refused, Why
from companion.sheets import TYPED_RULE

refused = Refused(TYPED_RULE, Why.UNEVEN, "nothing is changed yet", "type it again")
"""
WITHOUT = WITH_RULE.replace("TYPED_RULE, Why", "Why")
WITHOUT_REMEDY = WITH_RULE.replace(', "type it again"', "")


@pytest.mark.parametrize(
    ("code", "wrong"),
    [
        (WITH_RULE, ""),
        (WITHOUT, 'Missing positional argument "rule"'),
        (WITHOUT_REMEDY, 'Missing positional argument "remedy"'),
    ],
)
def test_a_refusal_without_its_rule_or_a_remedy_does_not_type_check(
    code: str, wrong: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    cache = tmp_path_factory.getbasetemp() / "mypy"
    alone = ("--config-file=", "--strict", "--cache-dir", str(cache))
    said, trouble, status = api.run([*alone, "-c", code])
    assert not trouble
    assert (status == 0) == (not wrong), said
    assert wrong in said
