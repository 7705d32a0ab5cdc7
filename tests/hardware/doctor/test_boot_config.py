"""config.txt is read as the firmware reads it."""

from __future__ import annotations

from pathlib import Path

import pytest

from hardware.doctor.facts import Machine
from hardware.doctor.pins import BootConfig, claims, read_boot_config
from hardware.vault.pins import Pins
from tests.hardware.doctor.fake_pi import CONFIG, MODELS, build

PI4, PI5, ZERO = (MODELS[name][0] for name in ("pi4", "pi5", "zero"))
PI3, PI400 = "Raspberry Pi 3 Model B Plus Rev 1.3", "Raspberry Pi 400 Rev 1.0"
CM4, PI0W = "Raspberry Pi Compute Module 4 Rev 1.0", "Raspberry Pi Zero W Rev 1.1"


def config_of(root: Path, text: str, model: str = PI4, **others: str) -> BootConfig:
    more = {f"boot/firmware/{name}.txt": text for name, text in others.items()}
    files = {"proc/device-tree/model": model, "boot/firmware/config.txt": text}
    build(root, {**files, **more})
    return read_boot_config(Machine(root))


@pytest.mark.parametrize(
    ("section", "models"),
    [
        ("all", {PI3, PI4, PI400, CM4, PI5, ZERO, PI0W}),
        ("none", set()),
        ("pi3", {PI3}),
        ("pi3+", {PI3}),
        ("pi4", {PI4, PI400, CM4}),
        ("pi400", {PI400}),
        ("cm4", {CM4}),
        ("pi5", {PI5}),
        ("pi0", {ZERO, PI0W}),
        ("pi0w", {ZERO, PI0W}),
        ("pi02", {ZERO}),
        ("gpio4=1", set()),
        ("EDID=DEL-1", set()),
        ("0x12345678", set()),
        ("HDMI:0", set()),
        ("tryboot", set()),
        ("board-type=0x11", set()),
    ],
)
def test_a_section_holds_for_its_models(
    tmp_path: Path, section: str, models: set[str]
) -> None:
    for number, model in enumerate((PI3, PI4, PI400, CM4, PI5, ZERO, PI0W)):
        text = f"[{section}]\ngpio=17=op,dl\n"
        config = config_of(tmp_path / str(number), text, model)
        assert (17 in config.levels) == (model in models), model


def test_sections_of_two_kinds_hold_together_and_one_kind_replaces_itself(
    tmp_path: Path,
) -> None:
    text = "[gpio4=1]\n[pi4]\ngpio=5=op\n[all]\n[pi5]\n[pi4]\ngpio=6=op\n"
    assert set(config_of(tmp_path, text).levels) == {6}


def test_later_lines_win_word_by_word(tmp_path: Path) -> None:
    text = "gpio=17=op,dl\ngpio=16-18,20=dh\n gpio = 17 = dl \n#gpio=17=ip\n"
    levels = config_of(tmp_path, text).levels
    assert set(levels[17]) == {"op", "dl"}
    assert levels[18] == levels[20] == ("dh",)
    assert set(config_of(tmp_path / "b", text + "gpio=17=ip\n").levels[17]) == {
        "dl",
        "ip",
    }


def test_another_file_is_included_and_does_not_include_itself_for_ever(
    tmp_path: Path,
) -> None:
    again = "dtparam=strict_gpiod\ninclude extra.txt\n"
    config = config_of(tmp_path, "include extra.txt\n", extra=again)
    assert config.is_on("strict_gpiod")


def test_the_folder_of_older_systems_is_read(tmp_path: Path) -> None:
    build(tmp_path, {"boot/config.txt": CONFIG})
    assert read_boot_config(Machine(tmp_path)).is_on("strict_gpiod")


@pytest.mark.parametrize("value", ["", "=on", "=1", "=yes"])
def test_a_switch_is_on(tmp_path: Path, value: str) -> None:
    text = f"dtoverlay=vc4-kms-v3d\ndtparam=audio=on,strict_gpiod{value}\n"
    assert config_of(tmp_path, text).is_on("strict_gpiod")


@pytest.mark.parametrize("value", ["off", "0", "no"])
def test_a_switch_that_is_turned_off_later_is_off(tmp_path: Path, value: str) -> None:
    text = f"dtparam=strict_gpiod\ndtparam=strict_gpiod={value}\n"
    assert not config_of(tmp_path, text).is_on("strict_gpiod")


@pytest.mark.parametrize(
    ("text", "model", "pins"),
    [
        ("dtparam=spi=on", PI4, {7, 8, 9, 10, 11}),
        ("dtparam=i2s=on", PI4, {18, 19, 20, 21}),
        ("dtparam=i2c_arm=on", PI4, {2, 3}),
        ("dtoverlay=spi1-1cs", PI4, {18, 19, 20, 21}),
        ("dtoverlay=spi1-2cs,cs1_pin=26", PI4, {18, 19, 20, 21, 26}),
        ("dtoverlay=uart5", PI4, {12, 13}),
        ("dtoverlay=uart5,ctsrts", PI4, {12, 13, 14, 15}),
        ("dtoverlay=uart2", PI5, {4, 5}),
        ("dtoverlay=i2c3", PI4, {4, 5}),
        ("dtoverlay=i2c3", PI5, {6, 7}),
        ("dtoverlay=i2c3,pins_22_23", PI5, {22, 23}),
        ("dtoverlay=sdio", PI4, {22, 23, 24, 25, 26, 27}),
        ("dtoverlay=sdio,bus_width=1,gpios_22_25", PI4, {22, 23, 24, 25}),
        ("dtoverlay=w1-gpio-pullup", PI4, {4, 5}),
        ("dtoverlay=gpio-fan", PI4, {12}),
        ("dtoverlay=gpio-fan\ndtparam=gpiopin=14", PI4, {14}),
        ("dtoverlay=gpio-shutdown:gpio_pin=26", PI4, {26}),
        ("dtoverlay=hifiberry-dacplus", PI4, {18, 19, 20, 21}),
        ("dtoverlay=vc4-kms-v3d", PI4, set()),
        ("dtoverlay=pwm,pin=none", PI4, set()),
    ],
)
def test_an_overlay_takes_its_pins(
    tmp_path: Path, text: str, model: str, pins: set[int]
) -> None:
    config = config_of(tmp_path, text, model)
    taken = set().union(*(pins for _, pins in claims(config, model)))
    assert taken == pins


def test_what_raspberry_pi_os_ships_leaves_our_pins_alone(tmp_path: Path) -> None:
    config = config_of(tmp_path, CONFIG)
    ours = {bcm for _, bcm in Pins().named()}
    assert not any(pins & ours for _, pins in claims(config, PI4))
