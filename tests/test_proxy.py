"""A reverse proxy on the table's own machine: who sent a request, and from where."""

from __future__ import annotations

import http.client
from pathlib import Path
from urllib.parse import urlencode

import pytest
from click.testing import CliRunner

from cli import main
from tests.running import RunningTable
from tests.sample import each, sampled

PROXY = "127.0.0.1"


def ask(
    table: RunningTable, path: str, form: dict[str, str] | None = None, **sent: str
) -> tuple[int, str]:
    """Status and text of an answer, asked for as a proxy on this machine would."""
    headers = {name.replace("_", "-"): value for name, value in sent.items()}
    host = headers.setdefault("Host", f"127.0.0.1:{table.port}")
    body = None
    if form is not None:
        body = urlencode(form)
        headers |= {
            "Origin": f"http://{host}",
            "Content-Type": "application/x-www-form-urlencoded",
        }
    connection = http.client.HTTPConnection("127.0.0.1", table.port, timeout=20)
    connection.request("POST" if body else "GET", path, body, headers)
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    return answer.status, text


@pytest.mark.slow
def test_the_first_run_code_goes_through_no_proxy(tmp_path: Path) -> None:
    with RunningTable(tmp_path / "data") as table:
        assert table.code is not None
        assert table.code in ask(table, "/table")[1]
        for sent in (
            {"X_Forwarded_For": "192.168.1.5"},
            {"Forwarded": "for=192.168.1.5"},
            {"Via": "1.1 proxy"},
            {"Host": "table.local"},
        ):
            status, text = ask(table, "/table", **sent)
            assert status == 200
            assert table.code not in text, sent


@pytest.mark.parametrize("host", sampled(["::", "127.0.0.1"]))
def test_a_declared_proxy_is_nobody_and_each_phone_behind_it_is_itself(
    tmp_path: Path, host: str
) -> None:
    options = "--proxy", PROXY, "--proxy-hops", "2", "--host", host
    with RunningTable(tmp_path / "data", options=options) as table:
        assert table.code is not None
        assert table.code not in ask(table, "/table")[1]
        code = {"code": "not six digits"}
        for number in range(200):  # Each claims another address of its own making.
            via = f"10.9.9.{number}, 192.168.1.5, 192.168.1.1"
            status, _ = ask(table, "/start", code, X_Forwarded_For=via)
            if status == 429:
                break
        assert status == 429
        other = "192.168.1.6, 192.168.1.1"
        assert ask(table, "/start", code, X_Forwarded_For=other)[0] != 429
        _, qr = ask(table, "/join.svg", Host="table.local", X_Forwarded_Proto="https")
        assert qr != ask(table, "/join.svg", Host="table.local")[1]


@pytest.mark.slow
def test_phones_come_by_the_name_that_the_proxy_has(tmp_path: Path) -> None:
    options = "--proxy", PROXY, "--name", "Bank.Example.org."
    options += "--name", "table", "--name", "my_bank"
    with RunningTable(tmp_path / "data", options=options) as table:
        assert (
            "Phones:        the address of the proxy or of the container's "
            in table.printed
        )
        assert "http" not in table.printed
        assert "█" not in table.printed
        assert table.code is not None
        for host in ("bank.example.org", "BANK.example.org:8443", "table", "my_bank"):
            assert ask(table, "/table", Host=host)[0] == 200, host
        for host in ("example.org", "evil.example"):
            assert ask(table, "/table", Host=host)[0] == 400, host


@each("wrong", ["bank.example.org:80", "http://bank", "a..b", "-a", "a b", "x" * 64])
def test_a_name_is_one_that_a_browser_can_ask_for(wrong: str) -> None:
    told = CliRunner().invoke(main, ["serve", "--name", wrong])
    assert told.exit_code == 2
    assert "expected a host name, such as table.fritz.box" in told.output


@each("wrong", ["1", "/", "/1/", "/1/2", "//1", "/a b", "/ä"])
def test_a_base_is_one_step_of_a_path(wrong: str) -> None:
    told = CliRunner().invoke(main, ["serve", "--base", wrong])
    assert told.exit_code == 2
    assert "expected a slash and letters, digits or hyphens" in told.output


def test_a_server_under_a_path_answers_with_and_without_it(tmp_path: Path) -> None:
    options = "--base", "/1"
    with RunningTable(tmp_path / "data", options=options) as table:
        here = f"http://localhost:{table.port}/1"
        assert f"Table screen:  {here}/table\n" in table.printed
        assert f"Vault:         {here}/vault\n" in table.printed
        assert table.address == f"http://127.0.0.1:{table.port}/1"
        status, screen = ask(table, "/1/table")
        assert status == 200
        assert f"127.0.0.1:{table.port}/1</b>" in screen
        assert ask(table, "/table") == (status, screen)
        assert ask(table, "/1")[0] == ask(table, "/1/")[0] == 303
        assert ask(table, "/2/table")[0] == 404
        assert ask(table, "/health")[0] == 200
        photo = {"photo": "x" * 70_000}  # Larger than any other form may be.
        assert ask(table, "/1/decoder/photo", photo)[0] == 400
        assert ask(table, "/1/start", photo)[0] == 413


@pytest.mark.parametrize("wrong", ["nginx", "*", "127.0.0.1:80"])
def test_a_proxy_is_declared_by_its_address(wrong: str) -> None:
    told = CliRunner().invoke(main, ["serve", "--proxy", wrong])
    assert told.exit_code == 2
    assert "expected the proxy's IP address, such as 127.0.0.1" in told.output
