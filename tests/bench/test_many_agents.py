"""The generated sessions of every agent: of the asked size, and read to the last record; and the bench at scale."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from bench.generate import MANY, generate
from bench.scale import PARTS
from bench.subject import Store, events

from quoth.core.model import Kind

ROOT = Path(__file__).parents[2]
EVENTS = 400
SAID_OR_DONE = (Kind.MESSAGE, Kind.TOOL_USE, Kind.TOOL_RESULT)


@pytest.mark.parametrize("agent", MANY)
def test_the_adapter_of_an_agent_reads_as_many_events_as_asked_for(tmp_path: Path, agent: str) -> None:
    store = Store(tmp_path / "logs", tmp_path / "home")
    generate(store.logs, events=EVENTS, files=5, seed=3, shares={agent: 1})
    store.home.mkdir()
    store.ingest()
    with store.open() as kernel:
        counted = Counter(event.kind for event in events(kernel.index))
        (coverage,) = kernel.index.coverage()
    assert sum(counted[kind] for kind in SAID_OR_DONE) == EVENTS
    assert all(counted[kind] > EVENTS // 12 for kind in SAID_OR_DONE)
    assert (coverage.unparsable, dict(coverage.unknown), coverage.silent_files) == (0, {}, 0)


@pytest.mark.req("ARC-5", "PER-3", "PER-4")
def test_every_part_of_the_scale_is_measured(tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    command = [sys.executable, "-m", "bench", "scale", "--size", "0.001", "--json", str(report)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    rows = {row["work"]: row for row in json.loads(report.read_text(encoding="utf-8"))["rows"]}
    assert set(PARTS) == {"log", "files", "databases", "million"}
    databases = {name.partition(" of ")[0] for name in rows if " MB" in name}
    assert databases == {"opencode.db", "state.vscdb", "peak memory, opencode.db", "peak memory, state.vscdb"}
    assert {"one log", "one log, grown by ten lines", "10 logs, one grown", "searchable", "rebuild"} <= rows.keys()
    assert all(row["ok"] for name, row in rows.items() if name.startswith("peak memory"))
