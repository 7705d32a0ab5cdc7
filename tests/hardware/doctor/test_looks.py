"""Healthy machines are well, and each broken one is named, with nothing else crying."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from companion.as_json import to_json
from companion.health import Condition, Finding
from hardware.camera.settings import CameraSettings
from hardware.console import lines_of
from hardware.doctor.facts import Facts, Machine, Python, Space, zone_of
from hardware.doctor.gather import examine
from hardware.doctor.trial import Trial, read_trial
from hardware.vault.discover import VaultSettings
from hardware.vault.pins import SERVO_BCM, Pins
from tests.hardware.doctor.fake_pi import (
    AT_REST,
    BUS,
    CONFIG,
    MODELS,
    PWM_OVERLAY,
    SECRETS,
    STRICT,
    TRIAL,
    UNITS,
    WANTED,
    WHEEL,
    build,
    facts_of,
    files_of,
    healthy,
)
from tests.hardware.vault.rigs import faked_chips

OK, UNKNOWN, WARN, FAIL = Condition


def no_change(facts: Facts) -> Facts:
    return facts


@dataclass(frozen=True)
class Broken:
    """A healthy Pi 4 with something wrong, and what a doctor must say of it."""

    topic: str
    condition: Condition
    word: str
    files: dict[str, str | None] = field(default_factory=dict)
    change: Callable[[Facts], Facts] = no_change


def boot(text: str) -> dict[str, str | None]:
    return {"boot/firmware/config.txt": text}


def with_camera(trial: Trial, kind: str = "auto") -> Callable[[Facts], Facts]:
    return lambda facts: replace(
        facts, trial=trial, camera=replace(facts.camera, camera=kind)
    )


def without(name: str, problem: str) -> Trial:
    modules = tuple(
        replace(m, version="", file="", problem=problem) if m.name == name else m
        for m in TRIAL.modules
    )
    return replace(TRIAL, modules=modules)


KEPT = "sys/module/pinctrl_bcm2835/parameters/persist_gpio_outputs"
CONFIG_WITHOUT = CONFIG.removesuffix(STRICT)

BROKEN = {
    "a model that this was not made for": Broken(
        "machine.model", WARN, "Zero 2 W",
        {"proc/device-tree/model": "Raspberry Pi 2 Model B Rev 1.1"},
    ),
    "a system of 32 bits": Broken(
        "machine.system", FAIL, "64-bit",
        change=lambda facts: replace(facts, bits=32, processor="armv7l"),
    ),
    "an old release": Broken(
        "machine.system", WARN, "trixie",
        {"etc/os-release": 'PRETTY_NAME="Raspbian 11"\nVERSION_CODENAME=bullseye\n'},
    ),
    "an old Python": Broken(
        "software.python", FAIL, "bookworm",
        change=lambda facts: replace(facts, python=Python((3, 9, 2), True, True)),
    ),
    "a venv that does not see apt's libraries": Broken(
        "software.python", WARN, "--system-site-packages",
        change=lambda facts: replace(facts, python=Python((3, 13, 5), True, False)),
    ),
    "no OpenCV": Broken(
        "software.cv2", FAIL, "pip install",
        change=with_camera(without("cv2", "ImportError: libGL.so.1")),
    ),
    "picamera2 for another numpy": Broken(
        "software.picamera2", FAIL, "numpy<2",
        change=with_camera(
            without("picamera2", "ValueError: numpy.dtype size changed, may indicate")
        ),
    ),
    "picamera2 ends the interpreter": Broken(
        "software.picamera2", FAIL, "opencv-python-headless<4.12",
        change=with_camera(without("picamera2", "ended the interpreter (-6)")),
    ),
    "no picamera2": Broken(
        "software.picamera2", WARN, "apt install",
        change=with_camera(
            without("picamera2", "ModuleNotFoundError: No module named 'picamera2'")
        ),
    ),
    "no header chip": Broken(
        "pins.chip", FAIL, "COMPANION_GPIOCHIP_LABEL",
        {f"{BUS}/gpiochip512/label": "something-else"},
    ),
    "no device of the chip": Broken(
        "pins.chip", FAIL, "start the Pi again", {"dev/gpiochip0": None}
    ),
    "a simulated vault on a Pi": Broken(
        "pins.vault", WARN, "COMPANION_VAULT=gpio",
        change=lambda facts: replace(facts, vault=VaultSettings("simulated")),
    ),
    "a user outside gpio": Broken(
        "pins.groups", FAIL, "usermod -aG gpio companion",
        {"etc/group": "video:x:44:companion\ngpio:x:986:pi\n"},
    ),
    "a user outside video": Broken(
        "pins.groups", WARN, "usermod -aG video companion",
        {"etc/group": "video:x:44:\ngpio:x:986:companion\n"},
    ),
    "a coil that nothing holds low": Broken(
        "boot.coil", WARN, "gpio=17=op,dl",
        boot(CONFIG.replace("gpio=17=op,dl", "#gpio=17=op,dl")),
    ),
    "a coil held low on another model only": Broken(
        "boot.coil", WARN, "gpio=17=op,dl",
        boot(CONFIG_WITHOUT + "[pi5]\ngpio=17=op,dl\n[all]\ndtparam=strict_gpiod\n"),
    ),
    "a coil that starts high": Broken(
        "boot.coil", FAIL, "cut the coil's supply", boot(CONFIG + "gpio=17=dh\n")
    ),
    "a kernel that keeps pins driven": Broken(
        "boot.strict", WARN, "dtparam=strict_gpiod",
        {KEPT: "Y\n", **boot(CONFIG.replace("dtparam=strict_gpiod", ""))},
    ),
    "strict_gpiod written but not in force": Broken(
        "boot.strict", WARN, "start the Pi again", {KEPT: "Y\n"}
    ),
    "a kernel that does not know strict_gpiod": Broken(
        "boot.strict", WARN, "full-upgrade", {KEPT: None}
    ),
    "an old kernel without strict_gpiod": Broken(
        "boot.strict", WARN, "full-upgrade",
        {KEPT: None, **boot(CONFIG.replace("dtparam=strict_gpiod", ""))},
    ),
    "SPI1 with three selects": Broken(
        "boot.pins", FAIL, "COMPANION_PIN_", boot(CONFIG + "dtoverlay=spi1-3cs\n")
    ),
    "PWM on the buzzer's pin": Broken(
        "boot.pins", FAIL, "take that line out",
        boot(CONFIG + "dtoverlay=pwm,pin=13,func=4\n"),
    ),
    "a software I2C on the wheel": Broken(
        "boot.pins", FAIL, "take that line out", boot(CONFIG + "dtoverlay=i2c-gpio\n")
    ),
    "a rotary encoder of the kernel's": Broken(
        "boot.pins", FAIL, "take that line out",
        boot(CONFIG + "dtoverlay=rotary-encoder\ndtparam=pin_a=4,relative_axis=1\n"),
    ),
    "M that reads pressed": Broken(
        "vault.levels", WARN, "short to ground",
        change=lambda facts: replace(
            facts, levels={**AT_REST, next(x for x in AT_REST if x == "m_button"): True}
        ),
    ),
    "pins that somebody holds": Broken(
        "vault.levels", FAIL, "lines above",
        change=lambda facts: replace(facts, levels="the vault's pins are taken"),
    ),
    "heat": Broken(
        "power.heat", WARN, "air", {"sys/class/thermal/thermal_zone0/temp": "84000\n"}
    ),
    "a weak supply now": Broken(
        "power.supply", WARN, "supply",
        {"sys/class/hwmon/hwmon1/in0_lcrit_alarm": "1\n"},
    ),
    "a weak supply since the start": Broken(
        "power.since_boot", WARN, "supply",
        {"sys/devices/platform/soc/soc:firmware/get_throttled": "50000\n"},
    ),
    "slowed down by heat": Broken(
        "power.since_boot", WARN, "heat sink",
        {"sys/devices/platform/soc/soc:firmware/get_throttled": "80008\n"},
    ),
    "too little memory for the camera": Broken(
        "camera.memory", WARN, "cma-128",
        {"proc/meminfo": "CmaTotal: 65536 kB\nCmaFree: 60000 kB\n"},
    ),
    "no camera": Broken(
        "camera.found", WARN, "ribbon cable",
        change=with_camera(replace(TRIAL, cameras=(), modes=())),
    ),
    "no camera where one is a must": Broken(
        "camera.found", FAIL, "cable",
        change=with_camera(replace(TRIAL, cameras=(), modes=()), "pi"),
    ),
    "a camera that is taken": Broken(
        "camera.found", FAIL, "end what else uses the camera",
        change=with_camera(replace(TRIAL, problem="RuntimeError: Device busy")),
    ),
    "no webcam": Broken(
        "camera.found", FAIL, "cable", change=with_camera(TRIAL, "webcam")
    ),
    "errors of the SD card": Broken(
        "disk.card", WARN, "backup",
        {"dev/kmsg": "3,9,1,-;mmc0: error -110 whilst initialising SD card\n"},
    ),
    "no time from anywhere": Broken(
        "clock.time", WARN, "RTC", {"run/systemd/timesync/synchronized": None}
    ),
    "a disk that is nearly full": Broken(
        "disk.space", WARN, "delete",
        change=lambda facts: replace(facts, space=Space(1 << 34, 100 << 20)),
    ),
    "a full disk": Broken(
        "disk.space", FAIL, "delete",
        change=lambda facts: replace(facts, space=Space(1 << 34, 1 << 20)),
    ),
    "games below an overlay": Broken(
        "disk.mount", FAIL, "overlay",
        {"proc/self/mounts": "overlayroot / overlay rw,relatime 0 0\n"},
    ),
    "a disk that became read-only": Broken(
        "disk.mount", FAIL, "SD card",
        {"proc/self/mounts": "/dev/mmcblk0p2 / ext4 ro,noatime 0 0\n"},
    ),
    "no network": Broken(
        "network.address", WARN, "hotspot",
        change=lambda facts: replace(facts, address=""),
    ),
    "a network that has only IPv6": Broken(
        "network.address", WARN, "COMPANION_SERVE_HOST=::",
        change=lambda facts: replace(facts, address="", lacks_ipv6=True),
    ),
    "a service that ended": Broken(
        "service.state", WARN, "systemctl start",
        {"run/systemd/units/invocation:companion.service": None},
    ),
    "a service that does not start with the Pi": Broken(
        "service.state", WARN, "systemctl enable companion.service",
        {f"{WANTED}/companion.service": None},
    ),
}  # fmt: skip


def findings_by_topic(facts: Facts) -> dict[str, list[Finding]]:
    findings: dict[str, list[Finding]] = {}
    for finding in examine(facts):
        findings.setdefault(finding.topic, []).append(finding)
    return findings


@pytest.mark.parametrize("model", MODELS)
def test_a_healthy_pi_is_well_in_a_line_for_each_topic(
    tmp_path: Path, model: str
) -> None:
    findings = findings_by_topic(healthy(tmp_path, model))
    assert {finding.condition for rows in findings.values() for finding in rows} == {OK}
    assert all(len(rows) == 1 and not rows[0].remedy for rows in findings.values())
    assert findings["machine.model"][0].words == MODELS[model][0]
    assert findings["pins.chip"][0].words == f"{MODELS[model][2]} is gpiochip0"


def test_at_least_fifteen_things_are_broken() -> None:
    assert len(BROKEN) >= 15


@pytest.mark.parametrize("name", BROKEN)
def test_what_is_broken_is_named_and_nothing_else_cries(
    tmp_path: Path, name: str
) -> None:
    broken = BROKEN[name]
    build(tmp_path / "ill", {**files_of("pi4"), **broken.files})
    ill = findings_by_topic(broken.change(facts_of(tmp_path / "ill")))
    [finding] = ill[broken.topic]
    assert (finding.condition, finding.topic) == (broken.condition, broken.topic)
    assert broken.word in finding.remedy
    cries = {
        topic
        for topic, findings in ill.items()
        if topic != broken.topic
        and any(finding.condition in (WARN, FAIL) for finding in findings)
    }
    assert not cries


@pytest.mark.parametrize(
    ("origin", "source"),
    [
        (f"file:///boot/firmware/table-companion/wheels/{WHEEL}", "a card"),
        (f"file:///home/anna/table-companion/wheels/{WHEEL}", "a bundle"),
        (f"https://example.org/{WHEEL}", "a wheel"),
        ("file:///opt/companion/scratch/project", "a folder with its sources"),
    ],
)
def test_where_the_program_came_from_is_told(
    tmp_path: Path, origin: str, source: str
) -> None:
    [finding] = findings_by_topic(healthy(tmp_path, origin=origin))["software.program"]
    assert finding.words == f"set up from {source}"


def test_an_origin_that_pip_did_not_note_is_not_guessed(tmp_path: Path) -> None:
    [finding] = findings_by_topic(healthy(tmp_path, origin=""))["software.program"]
    assert finding.condition is Condition.UNKNOWN


@pytest.mark.parametrize("zone", ["UTC", "Etc/UTC"])
def test_a_clock_without_a_zone_is_a_note_and_no_fault(
    tmp_path: Path, zone: str
) -> None:
    [finding] = findings_by_topic(healthy(tmp_path, zone=zone))["clock.zone"]
    assert finding.condition is OK
    assert finding.words == f"the table writes times in the zone {zone}"
    assert "timedatectl set-timezone Europe/Berlin" in finding.remedy
    assert "without script" in finding.remedy


def test_a_zone_that_was_set_needs_no_note(tmp_path: Path) -> None:
    [finding] = findings_by_topic(healthy(tmp_path))["clock.zone"]
    words = "the table writes times in the zone Europe/Berlin"
    assert (finding.condition, finding.words, finding.remedy) == (OK, words, "")


def test_a_zone_that_nothing_names_is_unknown(tmp_path: Path) -> None:
    [finding] = findings_by_topic(healthy(tmp_path, zone=""))["clock.zone"]
    assert finding.condition is UNKNOWN


@pytest.mark.parametrize(
    ("files", "link", "variable", "zone"),
    [
        ({}, "/usr/share/zoneinfo/America/New_York", "", "America/New_York"),
        ({}, "../usr/share/zoneinfo/Etc/UTC", "", "Etc/UTC"),
        ({}, "/usr/share/zoneinfo/Etc/UTC", "Asia/Kolkata", "Asia/Kolkata"),
        ({}, "/usr/share/zoneinfo/Etc/UTC", ":Asia/Kolkata", "Asia/Kolkata"),
        ({}, "", "", "UTC"),
        ({"etc/localtime": "TZif2"}, "", "", ""),
        ({"etc/localtime": "", "etc/timezone": "Asia/Tokyo\n"}, "", "", "Asia/Tokyo"),
    ],
)  # fmt: skip
def test_the_zone_is_the_one_that_this_machine_goes_by(
    tmp_path: Path, files: dict[str, str | None], link: str, variable: str, zone: str
) -> None:
    build(tmp_path, {"etc/os-release": "PRETTY_NAME=Pi\n", **files})
    if link:
        (tmp_path / "etc/localtime").symlink_to(link)
    assert zone_of(Machine(tmp_path), {"TZ": variable}) == zone


def test_a_device_closed_to_its_group_fails(tmp_path: Path) -> None:
    facts = healthy(tmp_path)
    (tmp_path / "dev/gpiochip0").chmod(0o600)
    [finding] = findings_by_topic(facts)["pins.chip"]
    assert finding.condition is FAIL
    assert "udev" in finding.remedy


def test_a_unit_lends_its_groups(tmp_path: Path) -> None:
    lent = "[Service]\nUser=companion\nSupplementaryGroups=gpio video\n"
    files = {f"{UNITS}/companion.service": lent, "etc/group": ""}
    build(tmp_path, {**files_of("pi4"), **files})
    [finding] = findings_by_topic(facts_of(tmp_path))["pins.groups"]
    assert finding.condition is OK


def test_a_laptop_says_in_one_line_what_it_cannot_know(tmp_path: Path) -> None:
    build(tmp_path, {"etc/os-release": "PRETTY_NAME=Laptop\n"})
    facts = facts_of(
        tmp_path, trial=replace(without("picamera2", "no"), cameras=(), modes=())
    )
    findings = list(examine(facts))
    assert FAIL not in {finding.condition for finding in findings}
    topics = {finding.topic for finding in findings if finding.condition is UNKNOWN}
    assert "machine.model" in topics
    assert not any(
        finding.topic.startswith(("pins", "boot", "power")) for finding in findings
    )


def test_nothing_secret_is_told(tmp_path: Path) -> None:
    for model in MODELS:
        facts = healthy(tmp_path / model, model)
        output = to_json(list(examine(facts))).decode()
        assert not any(secret in output for secret in SECRETS)


def test_another_pin_of_the_coil_is_looked_for(tmp_path: Path) -> None:
    facts = healthy(tmp_path)
    moved = replace(facts, vault=VaultSettings(pins=Pins(latch=25)))
    [finding] = findings_by_topic(moved)["boot.coil"]
    assert (finding.condition, "gpio=25=op,dl" in finding.remedy) == (WARN, True)


OVERLAY = "dtoverlay=pwm-gpio,gpio=12\ndtparam=strict_gpiod\n"
SERVO = VaultSettings(latch="servo", pins=Pins(latch=SERVO_BCM))


@pytest.mark.parametrize(
    ("config", "has_chip", "condition", "words"),
    [
        (CONFIG_WITHOUT + OVERLAY, True, OK, ""),
        (CONFIG, True, FAIL, "write dtoverlay=pwm-gpio,gpio=12 below [all]"),
        (CONFIG + OVERLAY.replace("12", "18"), True, FAIL, "write dtoverlay=pwm-gpio"),
        (CONFIG + OVERLAY, False, FAIL, "update its system"),
    ],
)
def test_a_servo_wants_its_overlay_and_the_kernels_pulses(
    tmp_path: Path, config: str, has_chip: bool, condition: Condition, words: str
) -> None:
    facts = replace(healthy(tmp_path), vault=SERVO)
    build(tmp_path, {"boot/firmware/config.txt": config})
    if has_chip:
        faked_chips(tmp_path / "sys/class", SERVO_BCM)
    findings = findings_by_topic(facts)
    [finding] = findings["boot.servo"]
    assert (finding.condition, words in finding.remedy) == (condition, True)
    assert "boot.coil" not in findings


@pytest.mark.parametrize("config", [CONFIG, CONFIG_WITHOUT + OVERLAY])
def test_a_servo_without_its_overlay_s_file_wants_a_newer_system(
    tmp_path: Path, config: str
) -> None:
    facts = replace(healthy(tmp_path), vault=SERVO)
    build(tmp_path, {"boot/firmware/config.txt": config})
    (tmp_path / PWM_OVERLAY).unlink()
    [finding] = findings_by_topic(facts)["boot.servo"]
    assert finding.condition is FAIL
    assert "pwm-gpio.dtbo" in finding.words
    assert "full-upgrade" in finding.remedy
    assert finding.remedy.endswith("and run the installer again")
    build(tmp_path, {"boot/overlays/pwm-gpio.dtbo": ""})
    [finding] = findings_by_topic(facts)["boot.servo"]
    assert "full-upgrade" not in finding.remedy


def test_pulses_that_are_there_need_no_file_of_an_overlay(tmp_path: Path) -> None:
    facts = replace(healthy(tmp_path), vault=SERVO)
    build(tmp_path, {"boot/firmware/config.txt": CONFIG_WITHOUT + OVERLAY})
    (tmp_path / PWM_OVERLAY).unlink()
    faked_chips(tmp_path / "sys/class", SERVO_BCM)
    [finding] = findings_by_topic(facts)["boot.servo"]
    assert finding.condition is OK


def test_a_servos_own_overlay_takes_no_pin_from_it(tmp_path: Path) -> None:
    facts = replace(healthy(tmp_path), vault=SERVO)
    build(tmp_path, {"boot/firmware/config.txt": CONFIG + OVERLAY})
    assert [x.condition for x in findings_by_topic(facts)["boot.pins"]] == [OK]
    taken = CONFIG + OVERLAY + "dtoverlay=gpio-fan\n"
    build(tmp_path, {"boot/firmware/config.txt": taken})
    [finding] = findings_by_topic(facts)["boot.pins"]
    assert finding.words.startswith("dtoverlay=gpio-fan in config.txt takes what is")
    second = CONFIG + OVERLAY + "dtoverlay=pwm-gpio,gpio=13\n"
    build(tmp_path, {"boot/firmware/config.txt": second})
    [finding] = findings_by_topic(facts)["boot.pins"]
    assert "13 (buzzer)" in finding.words


def test_a_vault_that_nobody_asked_for_needs_no_pins(tmp_path: Path) -> None:
    facts = healthy(
        tmp_path,
        vault=VaultSettings("none"),
        camera=CameraSettings("none"),
        levels=None,
        user="nobody",
    )
    findings = findings_by_topic(facts)
    assert {finding.condition for rows in findings.values() for finding in rows} == {OK}
    assert not any(topic.startswith("boot") for topic in findings)


def test_a_trial_that_breaks_off_names_what_was_being_tried() -> None:
    output = '["begins","numpy"]\n["found","numpy","1.24","/x/dist-packages/n"]\n'
    output += '["begins","picamera2"]\n["fou'
    trial = read_trial(output, "ended the interpreter (-6)")
    numpy, picamera = trial.modules
    assert (numpy.version, numpy.origin) == ("1.24", "of apt")
    assert picamera.problem == "ended the interpreter (-6)"


def test_the_readmes_example_is_what_a_pi_prints(tmp_path: Path) -> None:
    kept = {"sys/module/pinctrl_bcm2835/parameters/persist_gpio_outputs": "Y\n"}
    build(tmp_path, {**files_of("zero"), **kept})
    findings = list(examine(facts_of(tmp_path)))
    lines = [
        line
        for finding in findings
        for line in lines_of(finding, 110, f"{finding.condition:<7}")
    ]
    readme = Path("README.md").read_text(encoding="utf-8")
    example = readme.partition("sudo companion doctor\n```\n\n```text\n")[2]
    printed = [x for x in example.partition("\n```")[0].splitlines() if x != "…"]
    assert len(printed) >= 5
    assert set(printed) <= set(lines), "\n".join(lines)
