"""Read the JSON objects of one physical line, whatever a crash, a race or another program left of it."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any, TypeAlias

import orjson

Record: TypeAlias = dict[str, Any]

_PADDING = b"\0 \t\r\n"
_BOM = b"\xef\xbb\xbf"
_BETWEEN = re.compile("[\0\x1e\ufeff \t\r\n]*")
_LONE = re.compile("[\ud800-\udfff]")
_MOST_RECORDS = 100_000  # of one line; a hostile line must not become a list of millions
_MOST_ATTEMPTS = 48  # to find the complete record behind a torn one
_SMALL = 1_000_000  # characters that may be read again and again without anybody waiting
_MOST_DIGITS = 400  # of a number; a longer one is beyond every float


@dataclass(frozen=True, slots=True)
class Broken:
    """A part of a line that is no record. In `rest`, bytes that are no UTF-8 may be replaced."""

    reason: str
    rest: bytes


@dataclass(frozen=True, slots=True)
class _Run:
    """Values that follow one another, where they end, and what stopped them and where (None at the end of the line)."""

    values: list[Record | Broken]
    end: int
    fault: str | None
    fault_at: int


def records(data: bytes) -> list[Record | Broken]:
    """Return the objects of one line in order, and what is no object as `Broken`. Never raises; blank gives nothing."""
    try:
        value = orjson.loads(data)
    except ValueError:
        return _salvage(data)
    return [value] if isinstance(value, dict) else [Broken("not an object", data)]


def _salvage(data: bytes) -> list[Record | Broken]:
    text = data.strip(_PADDING).removeprefix(_BOM).strip(_PADDING).decode("utf-8", "replace")
    run = _run(text, 0)
    if run.fault is None:
        return run.values
    resumed = _resume(text, run)
    if resumed is None:
        return [*run.values, Broken(run.fault, text[run.end :].encode())]
    start, rest = resumed
    return [*run.values, Broken("torn", text[run.end : start].encode()), *rest.values]


def _run(text: str, start: int) -> _Run:
    """Read glued values for as long as it goes."""
    values: list[Record | Broken] = []
    position = _skip(text, start)
    while position < len(text):
        if len(values) == _MOST_RECORDS:
            return _Run(values, position, "too many records", position)
        try:
            value, end = _DECODER.raw_decode(text, position)
            value = _whole(value)  # also refuses the depth that newer interpreters decode and none can walk
        except RecursionError:
            return _Run(values, position, "nested too deeply", position)
        except ValueError as error:
            return _Run(values, position, "not JSON", getattr(error, "pos", position))
        values.append(value if isinstance(value, dict) else Broken("not an object", text[position:end].encode()))
        position = _skip(text, end)
    return _Run(values, position, None, position)


def _resume(text: str, run: _Run) -> tuple[int, _Run] | None:
    """Find the first place behind a torn record from which the whole rest can be read."""
    near = text.find('{"', max(run.end + 1, run.fault_at - 2))  # most glued records begin where reading stopped
    spent = 0
    for start in [*islice(_starts(text, run.end + 1), _MOST_ATTEMPTS), near]:
        if start < 0 or (spent > _SMALL + len(text) and start != near):
            continue  # each failure may cost the whole line: stay linear
        found = _run(text, start)
        if found.fault is None:
            return start, found
        spent += found.fault_at - start
    return None


def _starts(text: str, position: int) -> Iterator[int]:
    while (position := text.find('{"', position)) >= 0:
        yield position
        position += 1


def _skip(text: str, position: int) -> int:
    match = _BETWEEN.match(text, position)
    return match.end() if match else position


def _whole(value: Any) -> Any:
    """Replace halves of surrogate pairs, which no UTF-8 can hold, in every key and text."""
    if isinstance(value, str):
        return _LONE.sub("\ufffd", value)
    if isinstance(value, list):
        return [_whole(item) for item in value]
    if isinstance(value, dict):
        return {_whole(key): _whole(item) for key, item in value.items()}
    return value


def _integer(digits: str) -> int | float | None:
    """Read a number as the fast path does: beyond 64 bits it is a float."""
    if len(digits) > _MOST_DIGITS:
        return None
    value = int(digits)
    return value if -(2**63) <= value < 2**64 else _float(digits)


def _float(digits: str) -> float | None:
    if len(digits) > _MOST_DIGITS:
        return None
    value = float(digits)
    return value if math.isfinite(value) else None


def _no_number(_: str) -> None:
    """Read NaN and the infinities as null: no JSON can hold them."""


_DECODER = json.JSONDecoder(strict=False, parse_int=_integer, parse_float=_float, parse_constant=_no_number)
