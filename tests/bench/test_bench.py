"""The bench itself, at a size that says nothing about speed: every bar is measured and judged."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from bench.baselines import PlainTable, parse
from bench.measure import NOTHING, Took, interleaved, middle

ROOT = Path(__file__).parents[2]


@pytest.mark.req("PER-3", "PER-4")
def test_every_bar_of_the_archive_is_measured_and_judged(tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    command = [sys.executable, "-m", "bench", "all", "--events", "1000", "--line", "1", "--json", str(report)]
    shown = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    rows = json.loads(report.read_text(encoding="utf-8"))["rows"]
    judged = {(row["id"], row["work"].partition(",")[0]) for row in rows if row["ok"] is not None}
    assert {work for bar, work in judged if bar == "PER-3"} == {
        "safe in the mirror",
        "searchable",
        "peak memory",
        "unchanged second run",
    }
    assert {work for bar, work in judged if bar == "PER-4"} == {"search", "search with tool traffic", "rare word"}
    assert all(row["work"] in shown for row in rows)


def test_the_plain_table_finds_texts_that_hold_every_word(tmp_path: Path) -> None:
    table = PlainTable(tmp_path / "plain.db")
    table.insert(["the queue is full", "the queue is empty", "a cache"])
    assert table.search("queue empty") == ["the queue is empty"]
    assert len(table.search("queue")) == 2
    table.close()


def test_the_plain_table_takes_operators_literally(tmp_path: Path) -> None:
    table = PlainTable(tmp_path / "plain.db")
    table.insert(["one or two", "one", 'say "two"'])
    assert table.search("one OR two") == ["one or two"]
    assert table.search('say "two"') == ['say "two"']
    table.close()


def test_parsing_refuses_what_is_not_json(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_bytes(b'{"a": 1}\n{"b"\n')
    with pytest.raises(ValueError, match="unexpected"):
        parse([log])


def test_interleaved_works_take_turns_and_give_their_medians() -> None:
    order: list[str] = []
    seconds = iter([3.0, 10.0, 1.0, 30.0, 2.0, 20.0])

    def work(name: str) -> Took:
        order.append(name)
        return NOTHING + Took(next(seconds), 0.5)

    medians = interleaved({"ours": lambda: work("ours"), "plain": lambda: work("plain")}, rounds=3)
    assert order == ["ours", "plain"] * 3
    assert medians == {"ours": Took(2.0, 0.5), "plain": Took(20.0, 0.5)}


def test_wall_clock_and_processor_time_have_medians_of_their_own() -> None:
    assert middle([Took(1, 9), Took(2, 8), Took(3, 7)]) == Took(2, 8)
