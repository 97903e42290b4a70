"""A line gives every record that can be read, whatever happened to it, and never an exception."""

from __future__ import annotations

import json
import math
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quoth.readers.jsonl import Broken, records

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)
OBJECTS = st.dictionaries(st.text(), VALUES, max_size=5)


def _line(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


@given(OBJECTS)
def test_a_sound_record_is_what_json_says(value: dict[str, Any]) -> None:
    assert records(_line(value)) == [value]
    assert records(json.dumps(value).encode() + b"\r") == [value]


@pytest.mark.req("ARC-3")
@given(st.binary() | st.text().map(str.encode))
def test_any_line_gives_records_or_what_is_broken_and_only_valid_text(line: bytes) -> None:
    for item in records(line):
        assert isinstance(item, Broken) or orjson.loads(orjson.dumps(item)) is not None


@pytest.mark.req("ARC-3")
@given(st.lists(OBJECTS, max_size=4), st.sampled_from([b"", b" ", b"\0", b"\r", b"\xef\xbb\xbf", b"\x1e"]))
def test_glued_records_are_all_read(values: list[dict[str, Any]], between: bytes) -> None:
    assert records(between.join(_line(value) for value in values)) == values


@pytest.mark.req("ARC-3")
@given(OBJECTS.filter(bool), st.lists(OBJECTS.filter(bool), min_size=1, max_size=3), st.data())
def test_whole_records_behind_a_torn_one_are_read(
    torn: dict[str, Any], whole: list[dict[str, Any]], data: st.DataObject
) -> None:
    line = _line({"type": "user", "text": "torn", "of": torn})
    cut = data.draw(st.integers(1, len(line) - 1))
    found = records(line[:cut] + b"".join(_line({"type": "user", **value}) for value in whole))
    read = [item for item in found if not isinstance(item, Broken)]
    assert read[-len(whole) :] == [{"type": "user", **value} for value in whole]
    assert any(isinstance(item, Broken) for item in found)


@pytest.mark.req("ARC-3")
@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (b"", []),
        (b" \t\r", []),
        (b"\0" * 64, []),
        (b"\xef\xbb\xbf", []),
        (b'\xef\xbb\xbf{"a":1}', [{"a": 1}]),
        (b'\0\0{"a":1}\0\0\0\r', [{"a": 1}]),
        (b'{"a":"\xe2\x80\xa8\xc2\x85"}', [{"a": "\u2028\x85"}]),
        (b'{"a":"caf\xe9"}', [{"a": "caf\ufffd"}]),
        (b'{"a":"\xe4\xbd"}', [{"a": "\ufffd"}]),
        (b'{"a":"\xed\xa0\x80"}', [{"a": "\ufffd\ufffd\ufffd"}]),
        (rb'{"a":"\ud83d"}', [{"a": "\ufffd"}]),
        (rb'{"\udE00":["x\uD83dy",{"b":"\ud83d\ude00"}]}', [{"\ufffd": ["x\ufffdy", {"b": "😀"}]}]),
        (rb'{"a":"\\ud83d"}', [{"a": r"\ud83d"}]),
        (b'{"a":"tab\there"}', [{"a": "tab\there"}]),
        (b'{"a":1,"a":2}', [{"a": 2}]),
        (b'{"a":NaN,"b":Infinity,"c":[-Infinity,1e999]}', [{"a": None, "b": None, "c": [None, None]}]),
        (b'{"a":18446744073709551615}', [{"a": 2**64 - 1}]),
        (b'{"a":36893488147419103232}', [{"a": 2.0**65}]),
        (b'{"a":36893488147419103232,"b":NaN}', [{"a": 2.0**65, "b": None}]),
        (b'{"a":' + b"9" * 5000 + b"}", [{"a": None}]),
        (b'{"a":1}{"b":2}', [{"a": 1}, {"b": 2}]),
        (b'{"a":1}{"b":', [{"a": 1}, Broken("not JSON", b'{"b":')]),
        (b'{"a":"torn{"b":2}', [Broken("torn", b'{"a":"torn'), {"b": 2}]),
        (b'{"a":{"x":1},"c":"torn{"b":{"y":2}}', [Broken("torn", b'{"a":{"x":1},"c":"torn'), {"b": {"y": 2}}]),
        (b'{"a":[1,{"b":{"y":2}}', [Broken("torn", b'{"a":[1,'), {"b": {"y": 2}}]),
        (b'{"a":"torn\\{"b":2}', [Broken("torn", b'{"a":"torn\\'), {"b": 2}]),
        (b'{"a":1},', [{"a": 1}, Broken("not JSON", b",")]),
        (b'noise {"a":1}', [Broken("torn", b"noise "), {"a": 1}]),
        (b'lo","x":{"y":1}}', [Broken("not JSON", b'lo","x":{"y":1}}')]),
        (b"[1]", [Broken("not an object", b"[1]")]),
        (b'"text"', [Broken("not an object", b'"text"')]),
        (b'{"a":1} 5 {"b":2}', [{"a": 1}, Broken("not an object", b"5"), {"b": 2}]),
        (b"{", [Broken("not JSON", b"{")]),
    ],
)
def test_what_agents_leave_in_a_line(line: bytes, expected: list[dict[str, Any] | Broken]) -> None:
    assert records(line) == expected


@pytest.mark.req("ARC-3")
@pytest.mark.parametrize(
    "line", [b'{"a":' * 10_000 + b"1" + b"}" * 10_000, b"[" * 10_000 + b"]" * 10_000, b'{"a":[' * 10_000]
)
def test_nesting_ten_thousand_deep_is_broken_and_not_a_crash(line: bytes) -> None:
    assert records(line) == [Broken("nested too deeply", line)]
    assert records(b'{"a":1}' + line) == [{"a": 1}, Broken("nested too deeply", line)]


@pytest.mark.req("ARC-3")
@pytest.mark.parametrize(
    "line",
    [
        b'{"' * 30_000_000,
        b'{"a":' * 12_000_000,
        b'{"a":"' * 10_000_000,
        b'{"a":"\\ud800' + b'{"' * 30_000_000,
        b"x" * 60_000_000,
        b'{"a":1}{"a":' + b"9" * 60_000_000,
    ],
    ids=lambda line: repr(line[:12]),
)
def test_sixty_hostile_megabytes_are_given_up_in_one_pass(line: bytes) -> None:
    *_, last = records(line)
    assert isinstance(last, Broken)
    assert len(last.rest) > 50_000_000


@pytest.mark.req("ARC-3")
def test_a_sixty_megabyte_record_is_read_whole() -> None:
    line = b"x" * 60_000_000
    assert records(b'{"a":"' + line + b'"}') == [{"a": line.decode()}]
    assert records(b'{"a":"' + line + rb'\ud83d"}') == [{"a": line.decode() + "\ufffd"}]


def test_an_endless_row_of_records_is_cut() -> None:
    found = records(b"{}" * 150_000)
    assert len(found) == 100_001
    assert found[-1] == Broken("too many records", b"{}" * 50_000)


def test_no_number_is_beyond_what_json_can_say() -> None:
    (record,) = records(b'{"a":NaN,"b":1e308,"c":-1e999,"d":0.' + b"1" * 600 + b"}")
    assert isinstance(record, dict)
    assert all(value is None or math.isfinite(value) for value in record.values())
