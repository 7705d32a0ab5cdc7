"""What hands do at the vault's page, however busy the machine is."""

from __future__ import annotations

import re

from playwright.sync_api import Page

from tests.chromium import expect

ROUNDS = 6
ROUND_MS = 5_000
THRICE = "button => { for (let i = 0; i < 3; i += 1) button.click(); }"


def press_yellow_thrice(page: Page) -> None:
    """Press yellow three times at once, as often as it takes to lock the vault.

    The lock forgets a press after two seconds: a machine that needs longer for
    three of them has to be told again, as one would do with one's own thumb.
    """
    yellow = page.get_by_role("button", name=re.compile("^Press yellow;"))
    for _ in range(ROUNDS):
        yellow.evaluate(THRICE)
        try:
            expect(page.locator("#vault")).to_have_attribute(
                "data-state", "locked", timeout=ROUND_MS
            )
        except AssertionError:
            continue
        return
    raise AssertionError(f"{ROUNDS} times three presses did not lock the vault")
