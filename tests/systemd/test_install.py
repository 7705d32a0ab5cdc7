"""The installer's steps that need no machine of their own, and its guide.

The whole of it runs in ``tests/machines/install.sh``.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from cli import main
from hardware.vault.pins import Pins
from tests.sample import each

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "systemd"
GUIDE = (FOLDER / "README.md").read_text(encoding="utf-8")
CONFIG = "dtparam=audio=on\n[cm4]\notg_mode=1\n"
BLOCK = """\
# table-companion: begin
[all]
gpio=17=op,dl
dtparam=strict_gpiod
# table-companion: end
"""
SERVO = BLOCK.replace("gpio=17=op,dl", "dtoverlay=pwm-gpio,gpio=12")


def step(script: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run steps of the installer on the config.txt and settings in *folder*."""
    steps = (FOLDER / "install").read_text(encoding="utf-8").replace('\nmain "$@"', "")
    (folder / "steps").write_text(steps, encoding="utf-8")
    own = f"""
        source {folder}/steps
        config_txt() {{ echo {folder}/config.txt; }}
        settings={folder}/companion.conf
        {script}
        """
    return subprocess.run(
        ["bash", "-c", own], check=False, capture_output=True, text=True
    )


@pytest.fixture
def pi(tmp_path: Path) -> Iterator[Path]:
    (tmp_path / "config.txt").write_text(CONFIG)
    (tmp_path / "overlays").mkdir()
    (tmp_path / "overlays/pwm-gpio.dtbo").touch()
    return tmp_path


# config.txt.


def test_the_coils_pin_is_written_to_config_txt_once(pi: Path) -> None:
    for _ in range(3):
        done = step('write_config_txt; echo "reboot=$wants_reboot"', pi)
        assert done.returncode == 0, done.stderr
        assert (pi / "config.txt").read_text() == CONFIG + BLOCK
    assert done.stdout == "reboot=\n"
    assert (pi / "config.txt.before-companion").read_text() == CONFIG
    assert "gpio=17=op,dl" in BLOCK
    assert Pins().latch == 17
    assert BLOCK in GUIDE.replace("\n   ", "\n")


def test_another_pin_takes_the_place_of_the_first(pi: Path) -> None:
    step("write_config_txt", pi)
    for line in ("COMPANION_PIN_COIL=22", 'COMPANION_PIN_COIL="22" '):
        (pi / "companion.conf").write_text(f"#COMPANION_PIN_COIL=17\n{line}\n")
        assert step("write_config_txt", pi).returncode == 0
        text = (pi / "config.txt").read_text()
        assert text == CONFIG + BLOCK.replace("17", "22")
    assert (pi / "config.txt.before-companion").read_text() == CONFIG


def test_a_servo_has_the_kernel_make_its_pulses(pi: Path) -> None:
    (pi / "companion.conf").write_text("COMPANION_LATCH=servo\n")
    for reboot in ("yes", ""):
        done = step('write_config_txt; echo "reboot=$wants_reboot"', pi)
        assert done.returncode == 0, done.stderr
        assert (pi / "config.txt").read_text() == CONFIG + SERVO
        assert done.stdout.endswith(f"reboot={reboot}\n")
        assert ("servo's pulses on pin 12" in done.stdout) is bool(reboot)
        assert "coil" not in done.stdout


def test_another_latch_or_pin_of_it_takes_the_place_of_the_first(pi: Path) -> None:
    moved = {"COMPANION_PIN_SERVO": "18", "COMPANION_PIN_COIL": "22"}
    text = "".join(f"{name}={value}\n" for name, value in moved.items())
    for latch, block in (
        ("", BLOCK.replace("17", "22")),
        ("servo", SERVO.replace("12", "18")),
        ("solenoid", BLOCK.replace("17", "22")),
    ):
        (pi / "companion.conf").write_text(f"COMPANION_LATCH={latch}\n{text}")
        done = step('write_config_txt; echo "reboot=$wants_reboot"', pi)
        assert done.stdout.endswith("reboot=yes\n"), done.stderr
        assert (pi / "config.txt").read_text() == CONFIG + block
    assert (pi / "config.txt.before-companion").read_text() == CONFIG


def make_pulses(pi: Path) -> None:
    (pi / "drivers/pwm-gpio").mkdir(parents=True)
    (pi / "pwm/pwmchip0/device").mkdir(parents=True)
    (pi / "pwm/pwmchip0/device/driver").symlink_to(pi / "drivers/pwm-gpio")


@pytest.mark.parametrize(
    ("settings", "has_pulses", "called", "told"),
    [
        ("LATCH=servo", False, "", "for the servo's pulses: sudo reboot"),
        ("LATCH=servo", True, "reset restart", "for the servo's pulses: sudo reboot"),
        ("LATCH=solenoid", False, "reset restart", "before the coil gets its supply"),
        ("LATCH=servo\nCOMPANION_VAULT=none", False, "reset restart", "supply"),
    ],
)
@pytest.mark.parametrize("run", [1, 2])
def test_with_a_servo_the_table_starts_once_the_kernel_can_make_pulses(
    pi: Path, settings: str, has_pulses: bool, called: str, told: str, run: int
) -> None:
    """Whether config.txt was written now, or by an earlier run before the restart."""
    (pi / "companion.conf").write_text(f"COMPANION_{settings}\n")
    if has_pulses:
        make_pulses(pi)
    if run == 2:
        assert step("write_config_txt", pi).returncode == 0
        told = "for the servo's pulses" if not called else "sudo companion doctor"
    own = f"""
        home={pi}; pwm={pi}/pwm; is_changed=yes
        write_settings() {{ :; }}; put_units() {{ :; }}
        systemctl() {{ echo -n "${{1%-*}} " >>{pi}/called; }}
        write_config_txt; use versions/1; tell"""
    done = step(own, pi)
    assert done.returncode == 0, done.stderr
    calls = pi / "called"
    assert (calls.read_text().strip() if calls.exists() else "") == called
    assert told in done.stdout.splitlines()[-1]
    is_ready = "Ready: http://" in done.stdout
    assert is_ready is bool(called)


@pytest.mark.parametrize("text", [CONFIG, CONFIG + BLOCK, CONFIG + SERVO])
def test_a_system_without_the_servos_overlay_is_told_to_update_and_not_to_restart(
    pi: Path, text: str
) -> None:
    (pi / "config.txt").write_text(text)
    (pi / "companion.conf").write_text("COMPANION_LATCH=servo\n")
    overlay = pi / "overlays/pwm-gpio.dtbo"
    overlay.unlink()
    own = f"""
        home={pi}; pwm={pi}/pwm; is_changed=yes
        write_settings() {{ :; }}; put_units() {{ echo "units"; }}
        systemctl() {{ echo "called"; }}
        write_config_txt; use versions/1; tell"""
    done = step(own, pi)
    assert done.returncode == 0, done.stderr
    assert (pi / "config.txt").read_text() == text
    first, *rest, ready, last = done.stdout.splitlines()
    assert str(overlay) in first
    assert "units" in rest
    assert "called" not in done.stdout
    assert ready.startswith("Ready after an update of this system: http://")
    assert "full-upgrade, then sudo reboot, then run this again" in last
    overlay.touch()
    again = step(own, pi)
    assert (pi / "config.txt").read_text() == CONFIG + SERVO
    assert again.stdout.splitlines()[-1].endswith("pulses: sudo reboot")


def test_pulses_that_are_there_need_no_file_of_an_overlay(pi: Path) -> None:
    (pi / "companion.conf").write_text("COMPANION_LATCH=servo\n")
    (pi / "overlays/pwm-gpio.dtbo").unlink()
    make_pulses(pi)
    assert step(f"pwm={pi}/pwm; write_config_txt", pi).returncode == 0
    assert (pi / "config.txt").read_text() == CONFIG + SERVO


def test_systemd_knows_the_units_before_it_is_asked_to_start_one(pi: Path) -> None:
    units = pi / "units"
    units.mkdir()
    own = f"""
        units={units}; wrapper={pi}/companion; own_wifi={pi}/own-wifi
        systemctl() {{ echo "$*" >>{pi}/called; }}
        put_units {FOLDER}"""
    done = step(own, pi)
    assert done.returncode == 0, done.stderr
    first, *later = (pi / "called").read_text().splitlines()
    assert first == "daemon-reload"
    assert any(call.startswith("start ") for call in later)


def test_removing_leaves_config_txt_as_it_was_and_what_was_added_since(
    pi: Path,
) -> None:
    step("write_config_txt", pi)
    with (pi / "config.txt").open("a") as file:
        file.write("dtoverlay=disable-bt\n")
    for is_first in (True, False):
        done = step("remove_from_config_txt", pi)
        assert done.returncode == 0, done.stderr
        assert ("Take the coil's supply away" in done.stdout) is is_first
        assert (pi / "config.txt").read_text() == f"{CONFIG}dtoverlay=disable-bt\n"


def test_removing_asks_the_block_which_latch_there_was(pi: Path) -> None:
    (pi / "companion.conf").write_text("COMPANION_LATCH=servo\n")
    step("write_config_txt", pi)
    assert "coil" not in step("remove_from_config_txt", pi).stdout
    (pi / "companion.conf").write_text("")
    step("write_config_txt", pi)
    (pi / "companion.conf").write_text("COMPANION_LATCH=servo\n")
    assert "coil's supply away" in step("remove_from_config_txt", pi).stdout


def test_a_config_txt_without_a_last_newline_gets_its_block_on_lines_of_its_own(
    pi: Path,
) -> None:
    (pi / "config.txt").write_text(CONFIG.rstrip())
    step("write_config_txt", pi)
    assert (pi / "config.txt").read_text() == CONFIG + BLOCK


def test_a_block_without_its_end_takes_no_other_line_away(pi: Path) -> None:
    text = f"{CONFIG}{BLOCK.splitlines()[0]}\ngpio=4=op\ndtoverlay=disable-bt\n"
    (pi / "config.txt").write_text(text)
    for one in ("write_config_txt", "remove_from_config_txt"):
        done = step(one, pi)
        assert (pi / "config.txt").read_text() == text
        assert done.returncode == 1
        assert "table-companion: end" in done.stderr


# One run at a time, on a machine where nobody is called companion.


def test_two_runs_at_once_are_refused(tmp_path: Path) -> None:
    again = f"bash -c 'source {tmp_path}/steps; lock={tmp_path}; be_alone'"
    done = step(f"lock={tmp_path}; be_alone; {again}", tmp_path)
    assert (done.returncode, "Another run" in done.stderr) == (1, True)


def test_a_persons_account_is_not_taken_for_the_services(tmp_path: Path) -> None:
    id_ = 'id() { [ $# = 1 ] && echo 0 || echo 1000; }; userdel() { echo "deleted"; }'
    for words in ("install", "uninstall --with-games"):
        done = step(f"{id_}; main {words}", tmp_path)
        assert (done.returncode, done.stdout) == (1, "")
        assert "a person has it" in done.stderr


def test_no_module_is_taken_from_the_folder_where_it_is_called(tmp_path: Path) -> None:
    own = "check_machine() { pwd; exit; }; be_alone() { :; }"
    assert step(f"cd {tmp_path}; {own}; install_companion", tmp_path).stdout == "/\n"


def test_the_guide_enables_what_the_installer_enables(tmp_path: Path) -> None:
    done = step(f"enabled_units {FOLDER}", tmp_path)
    enabled = re.search("systemctl enable (.*)", GUIDE)
    assert enabled
    names = {x if "." in x else f"{x}.service" for x in enabled[1].split()}
    assert names == set(done.stdout.split())


CAMERA = "install python3-picamera2"


@pytest.mark.parametrize(
    ("there", "known", "in_bundle", "called"),
    [
        ("", True, False, ["update", CAMERA, "install passwd python3-venv"]),
        ("passwd python3-venv", True, False, ["update", CAMERA]),
        ("passwd python3-venv", False, False, ["update"]),
        ("passwd python3-picamera2", True, False, ["update", "install python3-venv"]),
        ("passwd python3-venv python3-picamera2", True, False, []),
        ("passwd", True, True, ["update", CAMERA]),
        ("passwd python3-picamera2", True, True, []),
    ],
)
def test_packages_are_asked_for_after_a_look_which_there_are(
    tmp_path: Path, there: str, known: bool, in_bundle: bool, called: list[str]
) -> None:
    own = f"""
        has_package() {{ [[ " {there} " = *" $1 "* ]]; }}
        knows_picamera2() {{ {str(known).lower()}; }}
        apt-get() {{
            local word words=$1
            for word in "$@"; do [[ $word != p* ]] || words+=" $word"; done
            echo "$words" >>{tmp_path}/called
        }}
        wheels={tmp_path if in_bundle else "/nowhere"}; get_packages"""
    done = step(own, tmp_path)
    assert done.returncode == 0, done.stderr
    file = tmp_path / "called"
    assert (file.read_text().splitlines() if file.exists() else []) == called


def test_a_camera_that_cannot_be_fetched_holds_nothing_up_and_a_venv_does(
    tmp_path: Path,
) -> None:
    own = (
        "has_package() { false; }; knows_picamera2() { :; }; apt-get() { return 100; }"
    )
    for wheels, code in (tmp_path, 0), ("/nowhere", 100):
        packages = "has_package() { [ $1 = passwd ]; }"
        done = step(f"{own}; {packages}; wheels={wheels}; get_packages", tmp_path)
        assert done.returncode == code
        assert "No camera of a Pi yet" in done.stdout


@pytest.mark.parametrize("broken", ["/python ", " serving", "/companion version"])
def test_a_version_that_does_not_import_or_start_is_refused(
    tmp_path: Path, broken: str
) -> None:
    own = f'as() {{ [[ $* != *"{broken}"* ]]; }}; has_package() {{ false; }}'
    done = step(f"{own}; check_imports {tmp_path}; echo went on", tmp_path)
    assert (done.returncode, "went on" in done.stdout) == (1, False)


def test_a_version_that_could_not_be_made_leaves_nothing(tmp_path: Path) -> None:
    own = f"""
        home={tmp_path}/opt; fingerprint() {{ echo 1; }}; release() {{ echo 1.0; }}
        build() {{ mkdir -p "$1" "$home/scratch"; false; }}
        make() {{ local new; find_or_build; }}
        system=trixie; make"""
    done = step(own, tmp_path)
    assert done.returncode == 1
    assert "unbound" not in done.stderr
    assert [x.name for x in (tmp_path / "opt").rglob("*")] == ["versions"]


# Settings.


def settled(folder: Path, old: str, new: str) -> str:
    for name, text in (("old", old), ("new", new)):
        (folder / name).write_text(text)
    done = step(f"write_settings {folder}/old {folder}/new", folder)
    assert done.returncode == 0, done.stderr
    return (folder / "companion.conf").read_text()


def test_settings_that_nobody_changed_follow_the_defaults(pi: Path) -> None:
    assert settled(pi, "", "A=1\n") == "A=1\n"
    assert settled(pi, "A=1\n", "A=2\n") == "A=2\n"
    assert not (pi / "companion.conf.new").exists()


def test_settings_that_somebody_changed_stay(pi: Path) -> None:
    (pi / "companion.conf").write_text("A=3\n")
    assert settled(pi, "A=1\n", "A=1\n") == "A=3\n"
    assert not (pi / "companion.conf.new").exists()
    assert settled(pi, "A=1\n", "A=2\n") == "A=3\n"
    assert (pi / "companion.conf.new").read_text() == "A=2\n"


def test_off_a_pi_the_vault_is_a_simulated_one(tmp_path: Path) -> None:
    new = FOLDER / "companion.conf"
    step(f"config_txt() {{ :; }}; write_settings none {new}", tmp_path)
    text = (tmp_path / "companion.conf").read_text()
    default = new.read_text().replace("#COMPANION_VAULT=gpio", "COMPANION_VAULT=?")
    assert text == default.replace("COMPANION_VAULT=?", "COMPANION_VAULT=simulated")


# The command on the Pi.


def test_the_command_passes_settings_and_the_games_folder_on(tmp_path: Path) -> None:
    text = (FOLDER / "companion").read_text(encoding="utf-8")
    (tmp_path / "companion.conf").write_text(
        "# COMPANION_A=no\nCOMPANION_A=one two\nCOMPANION_SERVE_DATA='/srv/games'\n"
        "PATH=/nowhere\nCOMPANION_B=$(touch evil)\n"
    )
    for old, new in (
        ("/etc/companion/companion.conf", f"{tmp_path}/companion.conf"),
        ("/opt/companion/current/bin/companion", shutil.which("env") or ""),
    ):
        assert old in text
        text = text.replace(old, new)
    (tmp_path / "companion").write_text(text)
    done = subprocess.run(
        ["bash", "companion"],
        check=True,
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={"PATH": "/usr/bin:/bin", "COMPANION_A": "mine"},
    )
    assert [x for x in sorted(done.stdout.splitlines()) if "COMPANION" in x] == [
        "COMPANION_A=mine",
        "COMPANION_B=$(touch evil)",
        "COMPANION_DATA=/srv/games",
        "COMPANION_SERVE_DATA=/srv/games",
    ]
    assert not (tmp_path / "evil").exists()


@pytest.mark.parametrize("name", ["1a.conf", "none.conf"])
def test_the_command_takes_the_settings_of_a_clubs_server(
    tmp_path: Path, name: str
) -> None:
    text = (FOLDER / "companion").read_text(encoding="utf-8")
    program = "/opt/companion/current/bin/companion"
    assert program in text
    (tmp_path / "companion").write_text(text.replace(program, "env"))
    (tmp_path / "1a.conf").write_text("COMPANION_DATABASE=postgresql:///club1\n")
    done = subprocess.run(
        ["bash", "companion"],
        check=False,
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={"PATH": "/usr/bin:/bin", "COMPANION_SETTINGS": f"{tmp_path}/{name}"},
    )
    is_there = name == "1a.conf"
    assert ("COMPANION_DATABASE=postgresql:///club1\n" in done.stdout) is is_there
    assert (done.returncode, "Wanted" in done.stderr) == (not is_there, not is_there)


# The guide.


def guide_lines() -> list[str]:
    """Each line of the guide that is meant to be typed."""
    blocks = re.findall(r"^ *```sh\n(.*?)^ *```", GUIDE, re.DOTALL | re.MULTILINE)
    return [line.strip() for block in blocks for line in block.splitlines()]


def check_companion(words: list[str]) -> None:
    command: click.Command = main
    while isinstance(command, click.Group):
        found = command.get_command(click.Context(command), words.pop(0))
        assert found is not None
        command = found
    options = {name for option in command.params for name in option.opts}
    assert {word for word in words if word.startswith("--")} <= options


def check_install(words: list[str]) -> None:
    script = (FOLDER / "install").read_text(encoding="utf-8")
    for word in words:
        if word.startswith("--"):
            assert f"{word})" in script
    if words and not words[0].startswith("--"):
        assert f"\n{words[0]}_companion() {{" in script


def check_unit(words: list[str]) -> None:
    for name in words:
        if name.startswith("companion"):
            file = re.sub(r"@[\w{},]+", "@", name if "." in name else f"{name}.service")
            assert (FOLDER / file).exists()


OURS = {
    "companion": check_companion,
    "systemd/install": check_install,
    "systemctl": check_unit,
    "journalctl": check_unit,
}


@each("line", guide_lines())
def test_every_command_of_the_guide_exists(line: str) -> None:
    typed = re.sub(
        "^(sudo (-u companion )?)?(COMPANION_SETTINGS=[^ ]+ )?", "", line.split(">")[0]
    )
    program, *words = typed.removeprefix("bash ").split()
    for folder in ("table-companion/", "/opt/companion/current/"):
        program = program.removeprefix(folder)
    OURS.get(program, lambda _: None)(words)
    for word in words:
        if word.startswith(("systemd/", "release/")):
            path = word.replace("SYSTEM", "trixie").rstrip("/")
            assert list(ROOT.glob(path)), path


def test_the_guide_names_each_step_of_the_installer() -> None:
    script = (FOLDER / "install").read_text(encoding="utf-8")
    for named in re.findall(r"^(?:home|games|settings|wrapper)=(\S+)$", script, re.M):
        assert named in GUIDE
    for program in ("useradd", "pip install", "python3 -m venv", "systemctl enable"):
        assert program in GUIDE
        assert program in script.replace('"${pip[@]}"', "pip")


def test_by_hand_the_same_units_start_with_the_pi() -> None:
    line = next(x for x in guide_lines() if x.startswith("systemctl enable"))
    named = {x if "." in x else f"{x}.service" for x in line.split()[2:]}
    units = [*FOLDER.glob("*.service"), *FOLDER.glob("*.path")]
    installed = {x.name for x in units if "\n[Install]\n" in x.read_text()}
    assert named == installed - {"companion@.service"}


def test_whoever_is_not_root_is_told_so(tmp_path: Path) -> None:
    done = step("id() { echo 1000; }; main", tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "Only root can do this: type sudo before it.\n"


@pytest.mark.parametrize(
    "words", ["upgrade", "install --wheels", "update all", "uninstall games"]
)
def test_what_is_no_use_is_refused_in_words(tmp_path: Path, words: str) -> None:
    done = step(f"id() {{ echo 0; }}; main {words}", tmp_path)
    assert done.returncode == 1
    assert done.stderr.startswith("Wanted ")
