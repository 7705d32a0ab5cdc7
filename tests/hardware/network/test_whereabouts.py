"""Where phones find this machine, on every network that a table stands in."""

from __future__ import annotations

import ipaddress
import socket
from pathlib import Path

import pytest

from hardware.network import whereabouts as network
from hardware.network.whereabouts import (
    ASK_MS,
    Link,
    Whereabouts,
    best,
    default_address,
    is_contained,
    lacks_ipv6,
    links,
    reachable_address,
    url,
)
from tests.fakes import FakeClock

WIFI, CABLE = ("wlan0", "192.168.1.20"), ("eth0", "10.0.0.7")
HOTSPOT = ("wlan0", "10.42.0.1")
DOCKER, VPN = ("docker0", "172.17.0.1"), ("tailscale0", "100.101.102.103")
NO_LEASE = ("wlan0", "169.254.9.9")
NEW, GLOBAL, VPN_6 = (
    ("wlan0", "fd00::20"),
    ("wlan0", "2a00::20"),
    ("wg0", "fd99::1"),
)


@pytest.fixture
def interfaces(tmp_path: Path) -> Path:
    """Make two devices, and two interfaces that exist in software only."""
    for name, state in (
        ("wlan0", "up"),
        ("eth0", "up"),
        ("docker0", "up"),
        ("tailscale0", "unknown"),
    ):
        (tmp_path / name).mkdir()
        (tmp_path / name / "operstate").write_text(f"{state}\n")
    for name in ("wlan0", "eth0"):
        (tmp_path / name / "device").mkdir()
    return tmp_path


@pytest.mark.parametrize(
    ("found", "default", "wanted"),
    [
        ([WIFI, CABLE], CABLE[1], CABLE[1]),
        ([WIFI, CABLE], WIFI[1], WIFI[1]),
        ([HOTSPOT], "", HOTSPOT[1]),
        ([DOCKER, VPN, HOTSPOT], "", HOTSPOT[1]),
        ([DOCKER, VPN, WIFI], VPN[1], WIFI[1]),
        ([NO_LEASE, CABLE], "", CABLE[1]),
        ([DOCKER, NO_LEASE], "", NO_LEASE[1]),
        ([VPN, DOCKER], "", DOCKER[1]),
        ([VPN], "", VPN[1]),
        ([], "", ""),
        ([NEW, WIFI], NEW[1], WIFI[1]),
        ([NEW, NO_LEASE], "", NEW[1]),
        ([DOCKER, NEW], "", NEW[1]),
        ([GLOBAL, NEW], "", NEW[1]),
        ([GLOBAL, NEW], GLOBAL[1], GLOBAL[1]),
        ([VPN_6, GLOBAL], VPN_6[1], GLOBAL[1]),
    ],
)
def test_the_address_that_phones_reach_is_chosen(
    interfaces: Path, found: list[Link], default: str, wanted: str
) -> None:
    assert best(found, default, interfaces) == wanted
    assert best(found[::-1], default, interfaces) == wanted


@pytest.mark.parametrize(
    ("variables", "devices", "is_one"),
    [
        ({"container": "oci"}, (), True),
        ({"container": "oci"}, ("wlan0",), False),
        ({}, (), False),
    ],
)
def test_a_container_is_one_unless_it_shares_its_machines_network(
    tmp_path: Path, variables: dict[str, str], devices: tuple[str, ...], is_one: bool
) -> None:
    for name in ("lo", *devices):
        (tmp_path / name).mkdir()
    for name in devices:
        (tmp_path / name / "device").mkdir()
    assert is_contained(variables, tmp_path) == is_one


def test_an_interface_that_is_down_is_passed_over(interfaces: Path) -> None:
    (interfaces / "eth0" / "operstate").write_text("down\n")
    assert best([CABLE, HOTSPOT], CABLE[1], interfaces) == HOTSPOT[1]
    assert best([CABLE], CABLE[1], interfaces) == ""


def test_this_machines_own_addresses_are_real_ones_without_loopback() -> None:
    for _, address in links():
        ip = ipaddress.ip_address(address)
        assert not ip.is_loopback
        assert ip.version == 4 or not ip.is_link_local, "it would need a zone"
        family = socket.AF_INET if ip.version == 4 else socket.AF_INET6
        with socket.create_server((address, 0), family=family):
            pass  # Only an address of this machine can be listened on.
    if default_address():
        assert default_address() in [address for _, address in links()]


@pytest.mark.parametrize(
    ("found", "by_ipv4", "by_both"),
    [
        ([WIFI, NEW], WIFI[1], WIFI[1]),
        ([NEW], "", NEW[1]),
        ([WIFI], WIFI[1], WIFI[1]),
        ([], "", ""),
    ],
)
def test_an_address_is_shown_only_where_the_table_listens(
    monkeypatch: pytest.MonkeyPatch, found: list[Link], by_ipv4: str, by_both: str
) -> None:
    monkeypatch.setattr(network, "links", lambda: tuple(found))
    assert reachable_address("0.0.0.0") == by_ipv4
    assert reachable_address("::") == by_both
    assert lacks_ipv6("0.0.0.0") is (by_ipv4 != by_both)
    assert not lacks_ipv6("::")


def test_an_ipv6_address_stands_in_brackets() -> None:
    assert url("fd00::20", 8000) == "http://[fd00::20]:8000"
    assert url("fd00::20", 80) == "http://[fd00::20]"
    assert url("192.168.1.20", 8000) == "http://192.168.1.20:8000"
    assert url("", 8000) == ""


def test_a_chosen_host_is_the_answer_and_has_no_name() -> None:
    clock = FakeClock()
    where = Whereabouts("127.0.0.1", 8000, clock, pytest.fail, announce=pytest.fail)
    clock.advance(ASK_MS)
    assert (where.address(), where.name()) == ("http://127.0.0.1:8000", "")
    where.close()


class Nameplate:
    """A name that only remembers where it was to lead."""

    name = "vault-table.local"

    def __init__(self) -> None:
        self.led: list[str] = []
        self.closed = 0

    def lead_to(self, address: str) -> None:
        self.led.append(address)

    def close(self) -> None:
        self.closed += 1


def test_the_address_is_asked_for_again_and_its_name_follows() -> None:
    clock, plate = FakeClock(), Nameplate()
    here, notices = [""], []
    where = Whereabouts(
        "0.0.0.0",
        8000,
        clock,
        lambda: notices.append(here[0]),
        find=lambda _: here[0],
        announce=lambda _: plate,  # type: ignore[arg-type, return-value]
    )
    clock.advance(0)
    assert where.address() == ""
    assert plate.led == []
    here[0] = "192.168.1.20"
    assert where.address() == "http://192.168.1.20:8000", "at once, for whoever asks"
    clock.advance(3 * ASK_MS)
    assert plate.led == ["192.168.1.20"] * 3, "it may have failed to tell"
    assert notices == ["192.168.1.20"]
    here[0] = ""
    clock.advance(ASK_MS)
    here[0] = "10.42.0.1"
    clock.advance(ASK_MS)
    assert plate.led[3:] == ["10.42.0.1"]
    assert notices == ["192.168.1.20", "", "10.42.0.1"]
    assert where.name() == "vault-table.local:8000"
    where.close()
    where.close()
    assert (plate.closed, where.name(), clock.waiting_count) == (1, "", 0)


def test_the_port_that_every_browser_knows_is_left_out() -> None:
    where = Whereabouts("192.0.2.7", 80, FakeClock(), pytest.fail)
    assert where.address() == "http://192.0.2.7"
    where.close()


def test_both_lead_to_the_path_under_which_all_addresses_lie() -> None:
    clock, here = FakeClock(), [""]
    where = Whereabouts(
        "0.0.0.0",
        8000,
        clock,
        list,
        find=lambda _: here[0],
        announce=lambda _: Nameplate(),  # type: ignore[arg-type, return-value]
        base="/1",
    )
    assert (where.address(), where.name()) == ("", "")
    here[0] = "192.168.1.20"
    clock.advance(0)
    assert where.address() == "http://192.168.1.20:8000/1"
    assert where.name() == "vault-table.local:8000/1"
    where.close()


def test_no_name_is_announced_before_there_is_an_address_for_it() -> None:
    clock, plate, here = FakeClock(), Nameplate(), [""]
    announced: list[int] = []

    def announce(port: int) -> Nameplate:
        announced.append(port)
        return plate

    where = Whereabouts(
        "0.0.0.0",
        80,
        clock,
        list,
        find=lambda _: here[0],
        announce=announce,  # type: ignore[arg-type]
    )
    clock.advance(ASK_MS)
    assert (announced, where.name()) == ([], "")
    here[0] = "10.42.0.1"
    clock.advance(2 * ASK_MS)
    assert announced == [80], "once"
    assert where.name() == "vault-table.local"
    where.close()


def test_a_look_that_fails_is_not_the_last() -> None:
    clock = FakeClock()

    def find(_: str) -> str:
        raise OSError(24, "Too many open files")

    where = Whereabouts("0.0.0.0", 80, clock, list, find, announce=lambda _: None)
    for _ in range(2):
        with pytest.raises(OSError, match="Too many"):
            clock.advance(ASK_MS)
    assert clock.waiting_count == 1
    where.close()


def test_without_sockets_there_is_no_default_address(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(24, "Too many open files")

    monkeypatch.setattr(socket, "socket", refuse)
    assert default_address() == ""


def test_without_a_name_the_address_is_still_shown() -> None:
    clock = FakeClock()
    where = Whereabouts(
        "0.0.0.0", 80, clock, list, lambda _: "10.42.0.1", announce=lambda _: None
    )
    clock.advance(ASK_MS)
    assert (where.address(), where.name()) == ("http://10.42.0.1", "")
    where.close()
