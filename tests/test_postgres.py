"""The PostgreSQL that tests start: empty for each, and as sure as a real one."""

from __future__ import annotations

import psycopg
import pytest

from tests import postgres as module
from tests.postgres import Server, missing


def asked(url: str, question: str) -> object:
    with psycopg.connect(url) as connection:
        row = connection.execute(question.encode()).fetchone()
    assert row is not None
    return row[0]


def noted(url: str, word: str) -> None:
    with psycopg.connect(url) as connection:
        connection.execute("CREATE TABLE noted (word text)")
        connection.execute("INSERT INTO noted VALUES (%s)", [word])


@pytest.mark.slow
def test_two_fresh_databases_know_nothing_of_each_other(
    postgres: Server, postgres_url: str
) -> None:
    other_url = postgres.url("other")
    noted(postgres_url, "mine")
    noted(other_url, "theirs")
    assert asked(postgres_url, "SELECT word FROM noted") == "mine"
    with psycopg.connect(other_url):  # Whoever is still there is put out.
        postgres.drop("other")
    with pytest.raises(psycopg.OperationalError, match='"other" does not exist'):
        psycopg.connect(other_url)


@pytest.mark.slow
@pytest.mark.parametrize("setting", ["fsync", "synchronous_commit"])
def test_it_writes_as_surely_as_one_for_real_games(
    postgres_url: str, setting: str
) -> None:
    assert asked(postgres_url, f"SHOW {setting}") == "on"


@pytest.mark.skipif(bool(missing()), reason=missing())
def test_what_was_committed_outlasts_a_power_cut() -> None:
    with Server({"fsync": "off"}) as server:
        url = server.url("kept")
        noted(url, "promised")
        with psycopg.connect(url) as left:
            left.execute("INSERT INTO noted VALUES ('not yet')")
            was = server.pid
            server.kill()
            with pytest.raises(psycopg.OperationalError):
                psycopg.connect(url)
            server.start()
            assert server.pid != was
            left.close()
        assert asked(url, "SELECT string_agg(word, ' ') FROM noted") == "promised"
        server.stop()
        server.start()
        assert asked(url, "SELECT word FROM noted") == "promised"
        assert asked(url, "SHOW fsync") == "off"
        assert "was interrupted" in server.log()
        folder = server.folder
    assert not folder.exists()


def test_a_machine_without_it_says_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "programs", lambda: None)
    assert missing().endswith("make postgres")
