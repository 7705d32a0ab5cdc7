"""What the type checker refuses, so that nobody has to look for it."""

from __future__ import annotations

import pytest
from mypy import api

WITH_RULE = """\
from companion.errors import Refused, Why
from companion.sheets import TYPED_RULE

refused = Refused(TYPED_RULE, Why.UNEVEN, "nothing is changed yet")
"""
WITHOUT = WITH_RULE.replace("TYPED_RULE, Why", "Why")


@pytest.mark.parametrize(("code", "is_right"), [(WITH_RULE, True), (WITHOUT, False)])
def test_a_refusal_without_its_rule_does_not_type_check(
    code: str, is_right: bool, tmp_path_factory: pytest.TempPathFactory
) -> None:
    cache = tmp_path_factory.getbasetemp() / "mypy"
    alone = ("--config-file=", "--strict", "--cache-dir", str(cache))
    said, trouble, status = api.run([*alone, "-c", code])
    assert not trouble
    assert (status == 0) == is_right, said
    if not is_right:
        assert 'incompatible type "Why"; expected "Told"' in said
