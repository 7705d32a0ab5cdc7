"""What may be a Wi-Fi's name and password, and the files that carry them."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.errors import Malformed
from companion.wifi import (
    Attempt,
    Outcome,
    Wifi,
    attempt_from_json,
    attempt_to_json,
    may_be_name,
    may_be_password,
    names_from_json,
    names_to_json,
    wifi_from_json,
    wifi_to_json,
)
from tests.sample import each

NAMES = st.text(max_size=33).filter(may_be_name)
PASSWORDS = st.text(st.characters(min_codepoint=32, max_codepoint=126)).filter(
    may_be_password
)


@each("name", ["a", "x" * 32, "ü" * 16, 'He said "; \\', "家"])
def test_a_name_has_up_to_32_bytes(name: str) -> None:
    assert Wifi(name, "").name == name


@each("name", ["", " ", "x" * 33, "ü" * 17, "a\nb", "a\0", "\u202ea", "\udc80"])
def test_what_nobody_could_read_or_no_network_has_is_no_name(name: str) -> None:
    with pytest.raises(Malformed, match="1 to 32 bytes"):
        Wifi(name, "")


@pytest.mark.parametrize("password", ["short77", "s" * 64, "schön warm", "tab\there1"])
def test_a_password_that_no_network_has_is_refused_and_not_quoted(
    password: str,
) -> None:
    with pytest.raises(Malformed, match="8 to 63") as caught:
        Wifi("Home", password)
    assert password not in str(caught.value)


def test_a_password_is_in_no_repr() -> None:
    assert "sesame" not in repr(Wifi("Home", "open sesame"))


@given(NAMES, PASSWORDS)
def test_a_network_comes_back_from_its_file(name: str, password: str) -> None:
    wifi = Wifi(name, password)
    assert wifi_from_json(wifi_to_json(wifi)) == wifi


@given(NAMES, st.sampled_from(Outcome))
def test_an_attempt_comes_back_from_its_file(name: str, outcome: Outcome) -> None:
    attempt = Attempt(name, outcome)
    assert attempt_from_json(attempt_to_json(attempt)) == attempt


def test_names_come_back_from_their_file_without_what_is_no_name() -> None:
    assert names_from_json(names_to_json(("Home", "Ännä"))) == ("Home", "Ännä")
    assert names_from_json('{"names": ["Home", 7, "a\\u0000"]}') == ("Home",)


@each(
    "text", ["", "7", "[]", "{}", '{"name": 7}', "[" * 9_000, '{"name": "Home"', "null"]
)
def test_another_file_is_refused(text: str) -> None:
    for read in (wifi_from_json, attempt_from_json, names_from_json):
        with pytest.raises(Malformed):
            read(text)


def test_a_file_with_a_wrong_password_is_refused_without_quoting_it() -> None:
    with pytest.raises(Malformed) as caught:
        wifi_from_json(json.dumps({"name": "Home", "password": "sésame 1"}))
    assert "same" not in str(caught.value)
