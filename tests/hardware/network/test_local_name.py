"""The name beside the address, asked for over real multicast on loopback."""

from __future__ import annotations

import asyncio
import gc
import uuid
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing

import pytest
from zeroconf import (  # type: ignore[attr-defined]
    AddressResolverIPv4,
    DNSQuestionType,
    ServiceInfo,
    Zeroconf,
)

from hardware.network import local_name as module
from hardware.network.local_name import SERVICE, LocalName, local_name
from tests.running import PATIENCE_S

LOOPBACK = ["127.0.0.1"]


@pytest.fixture
def label() -> str:
    """Make up a name, as other tests are on the same loopback."""
    return f"vault-table-{uuid.uuid4().hex[:8]}"


@pytest.fixture(autouse=True)
def _no_loop_of_a_browser() -> Iterator[None]:
    """Playwright's loop stays the running one of this thread, and stands still."""
    loop = asyncio._get_running_loop()
    asyncio._set_running_loop(None)
    yield
    asyncio._set_running_loop(loop)


@pytest.fixture(autouse=True)
def _nobody_has_the_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let nobody have the name, so that there is no wait."""
    monkeypatch.setattr(module, "PROBE_MS", 100)


@pytest.fixture
def named(label: str) -> Iterator[Callable[[str], LocalName]]:
    """Makes a table that has a name and leads it to an address."""
    with ExitStack() as stack:

        def make(address: str) -> LocalName:
            made = LocalName(8000, label, LOOPBACK)
            stack.enter_context(closing(made))
            made.lead_to(address).result(PATIENCE_S)
            return made

        yield make


def asked(question: ServiceInfo) -> ServiceInfo:
    """Ask as a phone with an empty memory."""
    with Zeroconf(LOOPBACK) as phone:
        question.request(phone, 5_000, DNSQuestionType.QM)
    return question


def addresses(name: str) -> list[str]:
    """Return the addresses to which *name* leads."""
    return asked(AddressResolverIPv4(f"{name}.")).parsed_addresses()


def test_a_phone_finds_the_table_by_its_name_and_its_port_by_its_service(
    named: Callable[[str], LocalName], label: str
) -> None:
    table = named("192.168.7.7")
    assert table.name == f"{label}.local"
    assert addresses(table.name) == ["192.168.7.7"]
    service = asked(ServiceInfo(SERVICE, f"{label}.{SERVICE}"))
    assert (service.server, service.port) == (f"{label}.local.", 8000)


@pytest.mark.slow
def test_the_name_leads_to_the_new_address_when_it_changes(
    named: Callable[[str], LocalName],
) -> None:
    table = named("192.168.7.7")
    table.lead_to("192.168.7.8").result(PATIENCE_S)
    assert addresses(table.name) == ["192.168.7.8"]


@pytest.mark.slow
def test_a_name_that_could_not_be_told_is_tried_again(
    label: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    with closing(LocalName(8000, label, LOOPBACK)) as table:

        async def refuse() -> None:
            raise OSError(101, "Network is unreachable")

        with monkeypatch.context() as down:
            down.setattr(table._zeroconf, "async_update_interfaces", refuse)
            with pytest.raises(OSError, match="unreachable"):
                table.lead_to("192.168.7.7").result(PATIENCE_S)
        assert table.name == ""
        table.lead_to("192.168.7.7").result(PATIENCE_S)
        assert table.name == f"{label}.local"
        assert addresses(table.name) == ["192.168.7.7"]
    assert "local_name_not_told error=OSError(101" in caplog.text


@pytest.mark.slow  # It listens for a while before it takes a name.
def test_a_second_table_in_the_home_takes_a_name_of_its_own(
    named: Callable[[str], LocalName], label: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "PROBE_MS", 4000)  # The first one's machine is busy.
    first, second = named("192.168.7.7"), named("192.168.7.8")
    assert (first.name, second.name) == (f"{label}.local", f"{label}-2.local")
    assert addresses(first.name) == ["192.168.7.7"]
    assert addresses(second.name) == ["192.168.7.8"]


def test_a_name_that_is_closed_in_mid_search_leaves_no_thread_and_no_task(
    label: str, capfd: pytest.CaptureFixture[str]
) -> None:
    table = LocalName(8000, label, LOOPBACK)
    telling = table.lead_to("192.168.7.7")
    table.close()
    assert (table.name, telling.cancelled()) == ("", True)
    del table, telling
    gc.collect()
    assert capfd.readouterr().err == ""


def test_a_machine_without_multicast_has_no_name_and_says_so(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(98, "Address already in use")

    monkeypatch.setattr(module, "Zeroconf", refuse)
    assert local_name(8000) is None
    assert "no_local_name error=OSError(98" in caplog.text
