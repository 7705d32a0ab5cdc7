"""Nobody waits for a slow listener, and no listener misses that there is news."""

from __future__ import annotations

import threading

from companion.table.notice import Notices


def test_everybody_hears_the_latest_of_each_topic() -> None:
    notices = Notices()
    first, second = notices.subscribe(), notices.subscribe()
    for number in range(5):
        notices.tell("game", number)
    notices.tell("vault", 9)
    assert first.wait(0) == {"game": 4, "vault": 9}
    assert first.wait(0) == {}
    assert second.wait(0) == {"game": 4, "vault": 9}


def test_a_late_notice_of_an_earlier_state_does_not_turn_time_back() -> None:
    """Two threads may commit in one order and tell in the other."""
    notices = Notices()
    subscription = notices.subscribe()
    notices.tell("game", 8)
    notices.tell("game", 7)
    assert subscription.wait(0) == {"game": 8}
    notices.tell("game", 7)
    assert subscription.wait(0) == {"game": 8}, "there may be other news; look again"


def test_a_listener_to_some_topics_is_not_woken_by_others() -> None:
    notices = Notices()
    subscription = notices.subscribe({"ours", "vault"})
    notices.tell("theirs", 1)
    assert subscription.wait(0) == {}
    notices.tell("ours", 2)
    notices.tell("theirs", 3)
    assert subscription.wait(0) == {"ours": 2}


def test_a_closed_mailbox_gives_what_it_has_and_then_nothing() -> None:
    notices = Notices()
    subscription = notices.subscribe()
    notices.tell("game", 1)
    notices.unsubscribe(subscription)
    notices.unsubscribe(subscription)
    notices.tell("game", 2)
    assert subscription.wait(10) == {"game": 1}
    assert subscription.wait(10) is None


def test_closing_ends_every_wait_at_once_also_of_who_comes_later() -> None:
    notices = Notices()
    subscriptions = [notices.subscribe() for _ in range(3)]
    heard: list[object] = []
    threads = [
        threading.Thread(target=lambda s=s: heard.append(s.wait(60)))
        for s in subscriptions
    ]
    for thread in threads:
        thread.start()
    notices.close()
    for thread in threads:
        thread.join(10)
    assert heard == [None, None, None]
    assert notices.subscribe().wait(60) is None


def test_a_waiting_listener_is_woken() -> None:
    notices = Notices()
    subscription = notices.subscribe()
    heard: list[object] = []
    thread = threading.Thread(target=lambda: heard.append(subscription.wait(60)))
    thread.start()
    notices.tell("game", 3)
    thread.join(10)
    assert heard == [{"game": 3}]
