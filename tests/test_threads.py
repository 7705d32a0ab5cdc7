"""No thread outlives the test that began it: the check in ``tests/conftest.py``."""

from __future__ import annotations

import threading

import pytest

from tests import conftest


def test_a_thread_that_is_left_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conftest, "ENDING_S", 0)
    before, may_end = set(threading.enumerate()), threading.Event()
    thread = threading.Thread(target=may_end.wait, name="clock")
    thread.start()
    try:
        with pytest.raises(AssertionError, match="left behind: clock"):
            conftest.expect_ended(before)
    finally:
        may_end.set()
        thread.join()


def test_a_thread_that_is_about_to_end_is_waited_for() -> None:
    before, may_end = set(threading.enumerate()), threading.Event()
    thread = threading.Thread(target=may_end.wait)
    thread.start()
    ending = threading.Timer(0.05, may_end.set)
    ending.start()
    conftest.expect_ended(before)
    assert not thread.is_alive()
