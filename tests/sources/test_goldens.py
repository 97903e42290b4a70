"""What holds for every adapter: its samples give exactly their golden facts, and no line breaks it or gets lost.

A sample is a folder `tests/data/sources/<source>/<case>/` with `home/` (the agent's folder) and `facts.jsonl`. Record
types that give no fact by design stand in `tests/data/sources/<source>/silent.txt`, one a line: `type` or
`type/payload type`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from shutil import copytree
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import feeding
from quoth.core.ids import source_of
from quoth.core.model import Event, Fact, Form, Found, Line, Unread
from quoth.readers.jsonl import records

_CASES = [(source, case) for source in feeding.sources() for case in feeding.cases(source)]
_each_case = pytest.mark.parametrize(("source", "case"), _CASES, ids=lambda value: getattr(value, "name", value))
_each_source = pytest.mark.parametrize("source", feeding.sources())


@_each_source
def test_an_adapter_has_samples(source: str) -> None:
    assert feeding.cases(source), f"write a sample home below {feeding.DATA / source}"


@_each_case
def test_a_sample_has_its_golden_file_and_a_golden_file_its_sample(
    source: str, case: Path, updates_goldens: bool
) -> None:
    assert (case / "home").is_dir()
    assert updates_goldens or (case / "facts.jsonl").is_file(), (
        "run `pytest tests/sources --update-goldens` and read it"
    )


@pytest.mark.req("ARC-3", "ARC-8")
@_each_case
def test_a_sample_gives_exactly_its_golden_facts(
    source: str, case: Path, copied: Callable[[Path], Path], updates_goldens: bool
) -> None:
    home = copied(case)
    skipped = [
        json.dumps({"fact": "Skipped", "path": entry.path.removeprefix(f"{home}/"), "reason": entry.reason})
        for entry in feeding.found(source, home)[1]
    ]
    read = [*skipped, *_printed(feeding.read(source, home))]
    golden = case / "facts.jsonl"
    if updates_goldens:
        golden.write_text("".join(f"{line}\n" for line in read), encoding="utf-8", newline="\n")
    assert read == golden.read_text(encoding="utf-8").split("\n")[:-1]


@pytest.mark.req("ARC-2")
@_each_case
def test_a_parser_reopened_after_every_line_says_the_same(
    source: str, case: Path, copied: Callable[[Path], Path]
) -> None:
    home = copied(case)
    assert list(_printed(feeding.read(source, home, reopened=True))) == list(_printed(feeding.read(source, home)))


@pytest.mark.req("ARC-3")
@_each_case
def test_every_line_of_a_sample_is_accounted_for(source: str, case: Path, copied: Callable[[Path], Path]) -> None:
    for said in feeding.read(source, copied(case)):
        _check(source, said.key, said.line, said.facts)


@pytest.mark.req("ARC-3", "ARC-8")
@_each_source
@given(data=st.data())
@settings(max_examples=300, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
def test_damaged_lines_never_stop_an_adapter_and_are_accounted_for(source: str, data: st.DataObject) -> None:
    files = _sample_files(source)
    assert files
    file, sample = data.draw(st.sampled_from(files))
    damaged = data.draw(st.lists(_damaged(sample), min_size=1, max_size=4))
    parser = feeding.adapter(source).parser(feeding.stream(source, file))
    for number, line in enumerate(damaged, 1):
        facts = tuple(parser.feed(Line(number, line.replace(b"\n", b" "))))
        if file.form is not Form.FILE:  # an object over several lines counts at its last
            _check(source, file.key, Line(number, line), facts)
        json.dumps(parser.state(), allow_nan=False)


def _printed(read: Iterator[feeding.Said]) -> Iterator[str]:
    return (feeding.printed(said.key, fact) for said in read for fact in said.facts)


def _check(source: str, key: str, line: Line, facts: Sequence[Fact]) -> None:
    assert facts or _may_be_silent(source, key, line.data), f"{key}:{line.number} gave nothing"
    events = [fact for fact in facts if isinstance(fact, Event)]
    assert [event.part for event in events] == list(range(len(events)))
    for fact in facts:
        feeding.printed(key, fact).encode()  # no half of a surrogate pair anywhere
        if isinstance(fact, Event):
            assert source_of(fact.id) == source
            assert fact.line == line.number
        if isinstance(fact, Unread):
            assert fact.reason in {"unparsable", "unknown", "replayed"}


def _may_be_silent(source: str, key: str, data: bytes) -> bool:
    if not data.strip(b"\0 \t\r\n\xef\xbb\xbf"):
        return True
    if key.endswith((".json", ".md")):  # what is replaced as a whole counts at its last line
        return True
    found = records(data)
    return bool(found) and all(isinstance(each, dict) and bool(_names(each) & _silent(source)) for each in found)


def _names(record: dict[str, Any]) -> set[str]:
    payload = record.get("payload")
    inner = payload.get("type") if isinstance(payload, dict) else None
    return {str(record.get("type")), f"{record.get('type')}/{inner}"}


@cache
def _silent(source: str) -> frozenset[str]:
    file = feeding.DATA / source / "silent.txt"
    return frozenset(file.read_text(encoding="utf-8").split("\n")) - {""} if file.is_file() else frozenset()


@cache
def _sample_files(source: str) -> list[tuple[Found, list[bytes]]]:
    with TemporaryDirectory() as folder:  # reading a database may leave files beside it
        homes = [Path(copytree(case / "home", Path(folder, case.name))) for case in feeding.cases(source)]
        files = [file for home in homes for file in feeding.found(source, home)[0]]
        read = [(file, [line.data for line in feeding.lines(source, file)]) for file in files]
    return [(file, sample) for file, sample in read if sample]


# --- damage ---------------------------------------------------------------------------------------------------------

_scalars = st.one_of(
    st.none(), st.booleans(), st.integers(-(2**70), 2**70), st.floats(allow_nan=False), st.text(max_size=30)
)
_values = st.recursive(
    _scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)


@st.composite
def _damaged(draw: st.DrawFn, sample: Sequence[bytes]) -> bytes:
    line = draw(st.sampled_from(sample))
    match draw(st.sampled_from(["wrong value", "lost key", "cut", "bytes", "glued", "anything"])):
        case "wrong value":
            return _edited(draw, line, lambda parent, key: _put(parent, key, draw(_values)))
        case "lost key":
            return _edited(draw, line, lambda parent, key: parent.pop(key))
        case "cut":
            return line[draw(st.integers(0, len(line))) : draw(st.integers(0, len(line)))]
        case "bytes":
            at = draw(st.integers(0, len(line)))
            return line[:at] + draw(st.binary(max_size=4)) + line[at + draw(st.integers(0, 4)) :]
        case "glued":
            return line + draw(st.sampled_from([b"", b" ", b"\0", b"rubble"])) + draw(st.sampled_from(sample))
    return json.dumps(draw(_values)).encode()


def _edited(draw: st.DrawFn, line: bytes, edit: Callable[[Any, Any], None]) -> bytes:
    """Change one place, at any depth, of the record in a line."""
    try:
        record = json.loads(line)
    except ValueError:
        return line
    places = list(_places(record))
    if places:
        edit(*draw(st.sampled_from(places)))
    return json.dumps(record, ensure_ascii=draw(st.booleans())).encode("utf-8", "surrogatepass")


def _put(parent: Any, key: Any, value: Any) -> None:
    parent[key] = value


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    keys = list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    for key in keys:
        yield value, key
        yield from _places(value[key])
