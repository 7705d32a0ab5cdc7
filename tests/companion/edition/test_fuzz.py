"""Whatever a file says, reading it gives an edition or a list of problems."""

from __future__ import annotations

import tomllib

from hypothesis import given, settings
from hypothesis import strategies as st

from companion.edition import Edition, builtin_text, load, problems

CLASSIC = builtin_text("classic")
LINES = CLASSIC.splitlines()
SHORT = builtin_text("grab-and-go").splitlines()
VALUES = st.sampled_from(
    [
        "0",
        "-1",
        "0x" + "f" * 5000,
        "1e400",
        "nan",
        "true",
        '""',
        '"boardwalk"',
        "[]",
        "[[1], [2]]",
        "{ value = {} }",
        '{ confidence = "unknown" }',
        "{ a = { b = { c = 1 } } }",
        "1979-05-27",
        '"\\u0000"',
    ]
)


@settings(max_examples=60)
@given(
    st.sampled_from([LINES, SHORT]),
    st.lists(
        st.tuples(
            st.integers(0, 1600),
            st.sampled_from(["drop", "double", "swap", "value", "key"]),
            VALUES,
        ),
        min_size=1,
        max_size=4,
    ),
)
def test_a_mutated_file_loads_or_lists_its_problems(lines, mutations):
    mutated = list(lines)
    for place, kind, value in mutations:
        index = place % len(mutated)
        line = mutated[index]
        if kind == "drop":
            mutated[index] = ""
        elif kind == "double":
            mutated[index] = f"{line}\n{line}"
        elif kind == "swap":
            mutated[index], mutated[-1] = mutated[-1], line
        elif kind == "value" and " = " in line:
            mutated[index] = f"{line.split(' = ')[0]} = {value}"
        elif kind == "key":
            mutated[index] = line.replace("e", "ee", 1)
    _loads_or_lists("\n".join(mutated))


@settings(max_examples=40)
@given(st.text(max_size=200))
def test_any_text_loads_or_lists_its_problems(text):
    _loads_or_lists(text)


@settings(max_examples=40)
@given(
    st.dictionaries(
        st.sampled_from(["format", "inherits", "unknowns", *tomllib.loads(CLASSIC)]),
        st.recursive(
            st.none() | st.integers() | st.text(max_size=5) | st.booleans(),
            lambda inner: (
                st.lists(inner, max_size=3)
                | st.dictionaries(
                    st.sampled_from(["id", "value", "edition", "what", "number"]),
                    inner,
                    max_size=3,
                )
            ),
            max_leaves=6,
        ),
        max_size=6,
    )
)
def test_any_table_loads_or_lists_its_problems(table):
    _loads_or_lists(
        "\n".join(f"{key} = {_toml(value)}" for key, value in table.items())
    )


def _toml(value):
    if isinstance(value, dict):
        inside = ", ".join(f"{key} = {_toml(one)}" for key, one in value.items())
        return f"{{ {inside} }}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml, value)) + "]"
    if isinstance(value, str):
        return '"' + "".join(c for c in value if c.isalnum()) + '"'
    return {None: '""', True: "true", False: "false"}.get(value, str(value))


def _loads_or_lists(text):
    found = problems(text, "mine.toml")
    if not found:
        assert isinstance(load(text, "mine.toml"), Edition)
    assert all(line.startswith("mine.toml: ") for line in found)
