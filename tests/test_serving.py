"""The whole program, as a person starts and ends it."""

from __future__ import annotations

import gc
import http.client
import json
import os
import re
import resource
import socket
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import closing, suppress
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from click.testing import CliRunner

from cli import main
from companion.errors import DeviceFault
from companion.printing import Job, dial_pdf
from tests.companion.edition.test_own import own
from tests.phone_http import open_table
from tests.running import PATIENCE_S, ROOT, RunningTable, free_port
from tests.sample import sampled
from tests.web.decoder.decoder_lab import golden
from web.http.server import SPARE_THREADS, allow_files, files_for, listen
from web.http.settings import PanelSettings, room_for


def get(address: str, path: str) -> tuple[int, str]:
    place = urlsplit(address)
    assert place.hostname is not None
    connection = http.client.HTTPConnection(
        place.hostname, place.port, timeout=PATIENCE_S
    )
    connection.request("GET", path)
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    return answer.status, text


def run(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "cli", *words],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )


def test_it_prints_its_address_a_qr_code_and_the_first_run_code(tmp_path: Path) -> None:
    with RunningTable(tmp_path / "data") as table:
        assert table.address.startswith("http://127.0.0.1:")
        assert table.code is not None
        assert "█" in table.printed
        assert get(table.address, "/start")[0] == 200


def test_one_number_makes_room_and_the_default_is_that_of_a_home() -> None:
    home = PanelSettings()
    assert room_for(40) == (home.streams_max, home.connections_max) == (48, 200)
    assert room_for(2_000) == (2_400, 10_000)
    assert files_for(home.connections_max) < 1024, "what every system allows"


@pytest.mark.parametrize("wrong", ["0", "2001", "many"])
def test_there_is_room_for_one_phone_to_2000(wrong: str) -> None:
    told = CliRunner().invoke(main, ["serve", "--phones", wrong])
    assert told.exit_code == 2
    assert "--phones" in told.output


def test_a_club_gets_the_threads_and_files_that_its_phones_need(
    tmp_path: Path,
) -> None:
    files = files_for(room_for(300).connections_max)
    if resource.getrlimit(resource.RLIMIT_NOFILE)[1] < files:
        pytest.skip("this machine allows no program so many files")
    with RunningTable(tmp_path / "data", options=("--phones", "300")) as table:
        assert get(table.address, "/start")[0] == 200
        process = Path(f"/proc/{table.pid}")
        threads = len(list((process / "task").iterdir()))
        assert threads > room_for(300).streams_max + SPARE_THREADS
        limits = (process / "limits").read_text()
        allowed = re.search(r"Max open files +(\d+)", limits)
        assert allowed is not None
        assert int(allowed[1]) >= files
        assert table.stop() == 0
        assert "files_limited" not in table.log.read_text()


@pytest.mark.parametrize(
    ("limits", "allowed"),
    [((1024, 4096), 4096), ((1024, 100_000), 10_000), ((20_000, 20_000), None)],
)
def test_files_are_allowed_as_far_as_the_system_goes_and_less_is_said(
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    limits: tuple[int, int],
    allowed: int | None,
) -> None:
    told: list[tuple[int, int]] = []
    monkeypatch.setattr(resource, "getrlimit", lambda _: limits)
    monkeypatch.setattr(resource, "setrlimit", lambda _, both: told.append(both))
    allow_files(10_000)
    assert told == ([(allowed, limits[1])] if allowed else [])
    assert ("set fewer phones" in caplog.text) == (allowed == 4096)


@pytest.fixture
def ipv6() -> None:
    """Skip where this machine has no IPv6 at all."""
    try:
        socket.create_server(("::1", 0), family=socket.AF_INET6).close()
    except OSError as error:
        pytest.skip(f"no IPv6 on this machine: {error}")


@pytest.mark.slow
@pytest.mark.usefixtures("ipv6")
def test_it_listens_by_ipv6(tmp_path: Path) -> None:
    with RunningTable(tmp_path / "data", options=("--host", "0::1")) as table:
        assert table.address == f"http://[::1]:{table.port}"
        assert table.code is not None
        assert table.code in get(table.address, "/table")[1], "this machine's own"
        game, _, (red,) = open_table(table.address, table.code, (("red", "hat"),))
        assert red.get(f"/g/{game}/")[0] == 200
        red.close()
        held = [socket.create_connection(("::1", table.port)) for _ in range(205)]
        assert all(one.recv(1) == b"" for one in held[-5:]), "one address has its share"
        for one in held:
            one.close()
        assert table.stop() == 0
        assert "Traceback" not in table.log.read_text()
        assert "waitress" not in table.log.read_text()


@pytest.mark.slow
@pytest.mark.usefixtures("ipv6")
def test_it_listens_by_both_and_knows_whom_it_hears(tmp_path: Path) -> None:
    """Linux shows a phone's IPv4 address as an IPv6 one to a socket for both."""
    with RunningTable(tmp_path / "data", options=("--host", "::")) as table:
        assert table.code is not None
        for here in ("127.0.0.1", "[::1]"):
            screen = get(f"http://{here}:{table.port}", "/table")
            assert screen[0] == 200
            assert table.code in screen[1], here
        taken = run("serve", "--host", "::", "--port", str(table.port), "--data", "x")
        assert "expected to listen on ::" in taken.stderr


def test_a_kernel_without_ipv6_is_told_of(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "has_dualstack_ipv6", lambda: False)
    with pytest.raises(DeviceFault, match="expected to listen on :: port 0"):
        listen("::", 0)


@pytest.mark.slow
@pytest.mark.parametrize("host", ["0.0.0.0", "::"])
def test_without_any_network_it_starts_and_shows_the_address_that_it_gets(
    tmp_path: Path, host: str
) -> None:
    alone = ["unshare", "--map-root-user", "--net"]
    if subprocess.run(
        [*alone, "ip", "link"], capture_output=True, check=False
    ).returncode:
        pytest.skip("no namespace without a network can be had on this machine")
    data = str(tmp_path / "data")
    script = [sys.executable, "-m", "tests.without_network", data, host]
    done = subprocess.run(
        [*alone, *script], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_without_a_vault_there_is_a_table_all_the_same(tmp_path: Path) -> None:
    with RunningTable(tmp_path / "data", vault="--no-vault") as table:
        assert "/vault" not in table.printed
        assert get(table.address, "/table")[0] == 200
        assert get(table.address, "/vault")[0] == 404
        assert table.stop() == 0
        assert "Traceback" not in table.log.read_text()


def test_a_table_plays_by_the_files_in_its_folder_and_starts_without_a_faulty_one(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "data" / "editions"
    folder.mkdir(parents=True)
    (folder / "house.toml").write_text(own(), encoding="utf-8")
    (folder / "wrong.toml").write_text(own().replace("500", "-5"), encoding="utf-8")
    with RunningTable(tmp_path / "data") as table:
        assert get(table.address, "/editions/our-house")[0] == 200
        assert "Our house" in get(table.address, "/editions")[1]
        assert table.stop() == 0
        said = [x for x in table.log.read_text().splitlines() if "left_out" in x]
    assert len(said) == 1
    assert "edition_left_out problem=wrong.toml: deed[boardwalk].price: " in said[0]


def test_only_its_owner_can_read_what_a_table_keeps_or_kept(tmp_path: Path) -> None:
    decks = tmp_path / "data" / "decks"
    decks.mkdir(parents=True)
    (decks / "old.txt").write_text("An old deck")
    for path in (decks.parent, decks, *decks.iterdir()):
        path.chmod(0o755 if path.is_dir() else 0o644)
    with RunningTable(tmp_path / "data") as table:
        assert get(table.address, "/table")[0] == 200
        kept = (decks.parent, *decks.parent.rglob("*"))
        assert len(kept) >= 7
        for path in kept:
            mode = path.stat().st_mode & 0o777
            assert mode == (0o700 if path.is_dir() else 0o600), path
        umask = Path(f"/proc/{table.pid}/status").read_text().split("Umask:")[1]
        assert umask.split()[0] == "0077"
        assert table.stop() == 0
        assert "open_to_others" not in table.log.read_text()


def test_sigterm_ends_it_at_once_and_cleanly_with_a_stream_open(tmp_path: Path) -> None:
    with RunningTable(tmp_path / "data") as table:
        place = urlsplit(table.address)
        with socket.create_connection((place.hostname, place.port), 5) as stream:
            stream.sendall(b"GET /stream HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            assert b"200 OK" in stream.recv(4096)
            assert table.stop() == 0
        assert "Traceback" not in table.log.read_text()


def send_photo(address: str, photo: bytes) -> int:
    """Send a photo; the answer's status, 0 if the table ended without one."""
    place = urlsplit(address)
    connection = http.client.HTTPConnection(
        place.hostname or "", place.port, timeout=PATIENCE_S
    )
    part = (
        b"--edge\r\nContent-Disposition: form-data; "
        b'name="photo"; filename="note.jpg"\r\n\r\n'
    )
    body = part + photo + b"\r\n--edge--\r\n"
    kind = "multipart/form-data; boundary=edge"
    headers = {"Content-Type": kind, "Origin": address}
    connection.request("POST", "/decoder/photo", body, headers)
    with closing(connection), suppress(http.client.RemoteDisconnected, OSError):
        return connection.getresponse().status
    return 0


@pytest.mark.slow
def test_the_end_waits_for_no_photo_that_still_waits_for_its_look(
    tmp_path: Path,
) -> None:
    with (
        RunningTable(tmp_path / "data") as table,
        ThreadPoolExecutor(4) as phones,
    ):
        sent = [
            phones.submit(send_photo, table.address, golden("real")) for _ in range(4)
        ]
        while "examined" not in table.log.read_text():
            wait(sent, timeout=0.01)
        assert table.stop() == 0
        statuses = sorted(one.result() for one in sent)
        assert "Traceback" not in table.log.read_text()
    assert 303 in statuses
    assert set(statuses) & {0, 503}


def test_a_second_table_on_the_same_data_or_port_is_told_so(tmp_path: Path) -> None:
    serve = "serve", "--simulated", "--host", "127.0.0.1"
    with RunningTable(tmp_path / "data") as table:
        port = str(urlsplit(table.address).port)
        same_data = run(*serve, "--port", "0", "--data", str(tmp_path / "data"))
        same_port = run(*serve, "--port", port, "--data", str(tmp_path / "other"))
    assert (same_data.returncode, same_port.returncode) == (1, 1)
    assert "another companion" in same_data.stderr
    assert f"port {port}" in same_port.stderr
    assert "--port" in same_port.stderr
    assert "Traceback" not in same_data.stderr + same_port.stderr


def test_without_pins_the_real_vault_says_what_is_missing(tmp_path: Path) -> None:
    started = run(
        "serve", "--host", "127.0.0.1", "--port", "0", "--data", str(tmp_path)
    )
    assert started.returncode == 1
    assert "COMPANION_VAULT=simulated" in started.stderr
    assert "Traceback" not in started.stderr


@pytest.mark.parametrize(
    "part", sampled(["web.app.create_app", "web.http.server.Server"])
)
def test_a_table_whose_panel_cannot_be_built_is_never_ready(
    tmp_path: Path, part: str
) -> None:
    """An update falls back to the version before, unless this one says READY."""
    broken = (
        "import sys, cli, web.app, web.http.server\n"
        "def fail(*_, **__): raise SystemExit(3)\n"
        f"{part} = fail\n"
        "cli.main(sys.argv[1:])"
    )
    words = ["serve", "--simulated", "--host", "127.0.0.1", "--port", "0"]
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(tmp_path / "notify"))
        manager.setblocking(False)
        ended = subprocess.run(
            [sys.executable, "-c", broken, *words, "--data", str(tmp_path / "data")],
            cwd=ROOT,
            env={**os.environ, "NOTIFY_SOCKET": str(tmp_path / "notify")},
            capture_output=True,
            timeout=PATIENCE_S,
            check=False,
        )
        assert ended.returncode == 3
        with pytest.raises(BlockingIOError):
            manager.recv(4096)


OF_OTHERS = {
    *("companion.rules", "companion.store", "companion.table", "companion.printing"),
    *("cv2", "flask", "hardware.vault.discover", "numpy", "PIL", "segno", "serving"),
    *("sqlalchemy", "web"),
}
"""What no command loads that needs no game, no device and no page."""


@pytest.mark.parametrize(
    "words", ["--help", "version", "serve --help", "doctor --help", "edition list"]
)
def test_a_command_loads_nothing_that_only_others_need(words: str) -> None:
    code = (
        "import sys, cli\n"
        "cli.main(sys.argv[1:], standalone_mode=False)\n"
        "print(*sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *words.split()],
        capture_output=True,
        text=True,
        check=True,
    )
    said, _, modules = done.stdout.rstrip().rpartition("\n")
    assert said
    assert not OF_OTHERS & set(modules.split())
    assert all(map(find_spec, OF_OTHERS)), "one is called otherwise now"


def test_every_command_has_help_with_an_example() -> None:
    for words in (
        ["serve"],
        ["version"],
        ["games", "list"],
        ["games", "export"],
        ["edition", "list"],
        ["edition", "show"],
        ["edition", "check"],
        ["play"],
        ["decode"],
        ["learn"],
        ["camera", "watch"],
        ["alive"],
        ["print", "notes"],
        ["print", "cards"],
        ["print", "lens"],
        ["print", "dial"],
    ):
        shown = CliRunner().invoke(main, [*words, "--help"])
        assert shown.exit_code == 0, shown.output
        assert f"Example: companion {' '.join(words)}" in shown.output


def test_wrong_use_exits_2_and_a_missing_game_exits_1(tmp_path: Path) -> None:
    assert CliRunner().invoke(main, ["serve", "--nonsense"]).exit_code == 2
    missing = ["games", "export", "000000000000", "--data", str(tmp_path)]
    lost = CliRunner().invoke(main, missing)
    assert lost.exit_code == 1
    assert f"no games in {tmp_path} yet; begin one" in lost.stderr


def test_scripts_are_played_and_a_line_that_does_not_hold_is_named(
    tmp_path: Path,
) -> None:
    good, bad = tmp_path / "good.game", tmp_path / "bad.game"
    good.write_text("edition classic\nseats red blue\ndo red roll 1 2\n")
    bad.write_text("edition classic\nseats red blue\nexpect red cash 1\n")
    played = CliRunner().invoke(main, ["play", str(good)])
    assert (played.exit_code, played.output) == (0, f"{good}: every line holds\n")
    played = CliRunner().invoke(main, ["play", "--json", str(good), str(bad)])
    first, second = map(json.loads, played.stdout.splitlines())
    assert played.exit_code == 1
    assert first == {
        "file": str(good), "ok": True, "line": 0, "wanted": "", "got": ""
    }  # fmt: skip
    assert (second["ok"], second["line"]) == (False, 3)
    unknown = "edition clasic\nseats red blue\n"
    typed = CliRunner().invoke(main, ["play", "-"], input=unknown)
    assert typed.exit_code == 1
    assert "did you mean 'classic'?" in typed.output


@pytest.mark.parametrize(
    "line", ["given vault cash 3", "given red cash 99999999", "given bank tickets 3"]
)
def test_a_position_that_cannot_be_is_told_to_programs_too(line: str) -> None:
    script = f"edition classic\nseats red blue\n{line}\n"
    played = CliRunner().invoke(main, ["play", "--json", "-"], input=script)
    assert (played.exit_code, json.loads(played.stdout)["ok"]) == (1, False)


def test_a_sheet_is_printed_or_the_reason_why_not_is_said(
    tmp_path: Path,
) -> None:
    out = tmp_path / "dial.pdf"
    made = CliRunner().invoke(main, ["print", "dial", "--out", str(out)])
    assert made.exit_code == 0, made.output
    assert out.read_bytes().startswith(b"%PDF")
    asked = ["print", "dial", "--format", "pdf", "--out", str(out)]
    assert CliRunner().invoke(main, asked).exit_code == 2  # There is no other.
    nowhere = str(tmp_path / "missing" / "dial.pdf")
    refused = CliRunner().invoke(main, ["print", "dial", "--out", nowhere])
    assert refused.exit_code == 1
    assert "cannot write" in refused.output


def test_a_printer_that_is_off_is_told_as_the_sheet_says(tmp_path: Path) -> None:
    out = tmp_path / "dial.pdf"

    def made(*more: str) -> tuple[int, str]:
        ran = CliRunner().invoke(main, ["print", "dial", "--out", str(out), *more])
        return ran.exit_code, ran.output

    assert made("--scale", "100/98.5", "--offset", "-1.5", "2")[0] == 0
    job = Job(scale=100 / 98.5, offset_mm=(-1.5, 2.0))
    assert out.read_bytes() == dial_pdf(job)
    for wrong in ("98,5", "100/", "100/0", "a/b"):
        code, words = made("--scale", wrong)
        assert (code, "expected such as 100/98.5" in words) == (2, True)
    code, words = made("--scale", "100/50")
    assert (code, "100 %" in words) == (1, True)


def test_what_is_no_picture_is_said_and_exits_1(tmp_path: Path) -> None:
    text = tmp_path / "note.jpg"
    text.write_text("not a picture")
    read = CliRunner().invoke(main, ["decode", "--json", str(text)])
    assert read.exit_code == 1
    assert json.loads(read.stdout)["readings"] == []


@pytest.mark.slow
def test_a_table_that_cannot_start_leaves_nothing_behind(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", free_port())) as taken:
        with pytest.raises(AssertionError, match="it ended early"):
            RunningTable(tmp_path / "data", taken.getsockname()[1])
        gc.collect()  # A pipe that was left open warns, and a warning is an error.
