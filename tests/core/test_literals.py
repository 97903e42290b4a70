"""Words that were said are found on the raw lines of every format, and others are not."""

from __future__ import annotations

import json
from pathlib import Path
from shutil import copytree

import pytest

import feeding
from quoth.core.literals import stands_in
from quoth.core.model import Event, Kind

_COPIED = {Kind.MESSAGE, Kind.TOOL_USE, Kind.TOOL_RESULT, Kind.MEMORY}
_CASES = [(source, case) for source in feeding.sources() for case in feeding.cases(source)]


@pytest.mark.req("INV-3")
@pytest.mark.parametrize(("source", "case"), _CASES, ids=lambda value: getattr(value, "name", value))
def test_what_an_adapter_reads_stands_on_the_lines_it_was_read_from(source: str, case: Path, tmp_path: Path) -> None:
    said = list(feeding.read(source, copytree(case / "home", tmp_path / "sample")))
    lines = {(each.key, each.line.number): each.line.data for each in said}
    events = [
        (each.key, fact) for each in said for fact in each.facts if isinstance(fact, Event) and fact.kind in _COPIED
    ]
    missed = [event.id for key, event in events if not stands_in(event.text, _raw(lines, key, event))]
    assert missed == []
    assert not [event.id for key, event in events if stands_in(f"{event.text} qwxz", _raw(lines, key, event))]


def _raw(lines: dict[tuple[str, int], bytes], key: str, event: Event) -> bytes:
    return b"\n".join(lines[key, number] for number in range(event.first_line or event.line, event.line + 1))


@pytest.mark.parametrize(
    ("words", "value"),
    [
        ("said so", {"text": "He said\nso."}),
        ("one two", {"content": [{"text": "one"}, {"text": "two"}]}),
        ("Привет, 你好", {"text": "Привет, 你好!"}),
        ('say "hi" \\ now', {"text": 'say "hi" \\ now'}),
        ("inner words", {"arguments": json.dumps({"q": json.dumps({"deep": "inner words"})})}),
        ("half \ufffd of it", {"text": "half \ud83d of it"}),
        ("a picture [image image/png, 24 KB] of it", {"text": "a picture", "more": "of it"}),
    ],
)
@pytest.mark.parametrize("ascii_", [True, False])
def test_words_are_found_however_they_are_escaped(words: str, value: object, ascii_: bool) -> None:
    raw = json.dumps(value, ensure_ascii=ascii_).encode("utf-8", "surrogatepass")
    assert stands_in(words, raw)
    assert stands_in(words, b'{"torn": "' + raw)


@pytest.mark.parametrize("words", ["PostgreSQL 17", "staging moved us", "postgresq l16x", "今天"])
def test_other_words_are_not_found(words: str) -> None:
    raw = json.dumps({"text": "We moved staging to PostgreSQL 16 今日"}).encode()
    assert not stands_in(words, raw)


def test_plain_text_and_nothing_at_all_are_found() -> None:
    assert stands_in("Deploy on Mondays", b"# Rules\n- Deploy on\r\n  Mondays")
    assert stands_in(" \n", b"")
    assert not stands_in("x", b"")


@pytest.mark.req("SEC-10")
@pytest.mark.parametrize("piece", [b'"\\', b'"[\\"', b'"\\\\', b'\\"', b'"'])
def test_a_line_made_to_take_long_takes_as_long_as_any(piece: bytes) -> None:
    assert not stands_in("words", piece * 100_000)
