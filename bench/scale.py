"""PER-3 and PER-4 at the sizes of years: a million events of many agents, one long log, many logs, a large database."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import click

from bench import cursor, parts, search, subject
from bench.bars import Row
from bench.baselines import PlainTable
from bench.generate import MANY, Shares, generate
from bench.ingest import fresh
from bench.measure import Took, in_child, middle
from bench.prose import Prose
from bench.subject import Store

_MB = 1_000_000
_MIB = 1 << 20
_EVENTS = 1_000_000
_LOG_EVENTS = 420_000  # about 1 GB of a log of Claude Code
_FILES = 3_000
_IN_DATABASE = 20_000  # events
_BLOBS = 1_600  # megabytes
_MEMORY = 150 * _MIB
_JUDGED = 10.0  # seconds of a first pass, below which one percent is less than imports take
_UUID = re.compile(rb'("uuid":")[0-9a-f]{8}')


@dataclass(frozen=True)
class Ran:
    """One pass or rebuild in a process of its own."""

    took: Took
    events: int
    peak: int


@dataclass(frozen=True)
class Part:
    """One thing to measure, in a working folder of its own. `size` is 1 for the real sizes."""

    work: Path
    size: float

    def count(self, whole: int) -> int:
        return max(10, round(whole * self.size))

    def store(self, name: str, *, events: int, files: int, shares: Shares, seed: int = 1) -> Store:
        click.echo(f"writing {events} events", err=True)
        logs = self.work / name / "logs"
        generate(logs, events=events, files=max(1, files), seed=seed, shares=shares)
        return Store(logs, fresh(self.work / name / "home"), events)


def measure(work: Path, *, size: float, only: str | None) -> Iterator[Row]:
    """Measure all parts, or one, below a working folder; what a part wrote is deleted behind it."""
    for name, part in _PARTS.items():
        if only in {None, name}:
            folder = fresh(work / name)
            yield from part(Part(folder, size))
            shutil.rmtree(folder)


# --- a million events -------------------------------------------------------------------------------------------------


def _million(part: Part) -> Iterator[Row]:
    events = part.count(_EVENTS)
    store = part.store("all", events=events, files=events // 100, shares=MANY)
    first = _pass(store)
    yield from _first(f"{events} events of {len(MANY)} agents", store, first)
    yield _searchable(store, first, part.work / "plain.db")
    yield _unchanged(f"unchanged, {len(store.files())} logs", store, first)
    yield from _searches(part, store)
    yield _rebuilt(store, first)


def _searchable(store: Store, first: Ran, path: Path) -> Row:
    table = PlainTable(path)
    with store.open() as kernel:
        plain = table.insert(subject.texts(kernel))
    table.close()
    path.unlink()
    share, steady = plain.wall / first.took.wall, plain.cpu / first.took.cpu
    ratio = f"{share:.0%} ({steady:.0%} cpu)"
    return Row("PER-3", "searchable", _rate(first), f"plain table {_spell(plain)}", ratio, ">= 25%", share >= 0.25)


def _searches(part: Part, store: Store) -> Iterator[Row]:
    asked = search.questions(store)
    spoken = search.alone(store, asked)
    yield from search.mixed(spoken, "search")
    yield from search.mixed(search.alone(store, asked, tools=True), "search with tool traffic")
    events = max(10, store.events // 10)
    smaller = part.store("tenth", events=events, files=events // 100, shares=MANY)
    _pass(smaller)
    few = {name: queries for name, queries in search.questions(smaller).items() if name.endswith("rare")}
    yield search.growth({name: spoken[name] for name in few}, search.alone(smaller, few))


def _rebuilt(store: Store, first: Ran) -> Row:
    again = _run(store, "rebuild")
    ratio = again.took.wall / first.took.wall
    figure = f"{_rate(again)}, {_peak(again)}"
    return Row("PER-3", "rebuild", figure, f"first pass {_spell(first.took)}", f"{ratio:.0%}", ok=None)


# --- one long log, many logs ------------------------------------------------------------------------------------------


def _log(part: Part) -> Iterator[Row]:
    store = part.store("log", events=part.count(_LOG_EVENTS), files=1, shares={"claude": 1})
    first = _pass(store)
    yield from _first("one log", store, first)
    yield _unchanged("one log, unchanged", store, first)
    (log,) = store.files()
    with log.open("r+b") as file:
        end = file.seek(0, os.SEEK_END)
        file.seek(max(0, end - 200_000))
        lines = file.read().splitlines(keepends=True)[-10:]
        file.writelines(_UUID.sub(rb"\1ffffffff", line) for line in lines)  # records that were not there before
    yield _again("one log, grown by ten lines", _pass(store))


def _files(part: Part) -> Iterator[Row]:
    files = part.count(_FILES)
    store = part.store("files", events=10 * files, files=files, shares={"claude": 2, "codex": 1})
    first = _pass(store)
    yield from _first(f"{files} logs", store, first)
    yield _unchanged(f"{files} logs, unchanged", store, first)
    with store.files()[files // 2].open("ab") as file:
        file.write(b'{"type":"mode"}\n')
    yield _again(f"{files} logs, one grown", _pass(store))


# --- large databases --------------------------------------------------------------------------------------------------


def _databases(part: Part) -> Iterator[Row]:
    """What is read is the same with and without the blobs between; they must cost next to nothing."""
    blobs: Mapping[str, Callable[[Path, int, Prose], None]] = {"share": parts.write_blobs, "config": cursor.write_blobs}
    for agent, fill in blobs.items():
        events = part.count(_IN_DATABASE)
        bare = part.store(f"{agent}-bare", events=events, files=events // 100, shares={agent: 1})
        plain = _pass(bare)
        store = part.store(f"{agent}-full", events=events // 2, files=events // 200, shares={agent: 1})
        fill(store.logs / agent, part.count(_BLOBS), Prose(2, vocabulary=1_000))
        generate(store.logs, events=events // 2, files=max(1, events // 200), seed=3, shares={agent: 1})
        yield from _database(store, plain)
        generate(store.logs, events=10, files=1, seed=4, shares={agent: 1})
        yield _again("database, ten events more", _pass(store))


def _database(store: Store, plain: Ran) -> Iterator[Row]:
    first = _pass(store)
    (path,) = [path for path in store.logs.rglob("*") if path.suffix in {".db", ".vscdb"}]
    name = f"{path.name} of {path.stat().st_size / _MB:.0f} MB"
    ratio = f"{first.took.wall / plain.took.wall:.1f}x ({first.took.cpu / plain.took.cpu:.1f}x cpu)"
    yield Row("PER-3", name, _rate(first), f"without the blobs {_rate(plain)}", ratio)
    yield _memory(name, first, longest=0)
    yield _unchanged(f"{name}, unchanged", store, first)


# --- rows -------------------------------------------------------------------------------------------------------------

_PARTS: Mapping[str, Callable[[Part], Iterator[Row]]] = {
    "log": _log,
    "files": _files,
    "databases": _databases,
    "million": _million,
}
PARTS = tuple(_PARTS)


def _pass(store: Store) -> Ran:
    return _run(store)


def _run(store: Store, *how: str) -> Ran:
    said = in_child(str(store.logs), str(store.home), *how)
    return Ran(Took(said["wall"], said["cpu"]), said["events"], said["peak"])


def _first(work: str, store: Store, ran: Ran) -> Iterator[Row]:
    files = store.files()
    size = sum(path.stat().st_size for path in store.logs.rglob("*") if path.is_file()) / _MB
    longest = max((len(line) for path in files for line in path.open("rb")), default=0)
    figure = f"{_rate(ran)}, {size / ran.took.wall:.1f} MB/s"
    yield Row("PER-3", work, figure, f"{size:.0f} MB, {_spell(ran.took)}")
    yield _memory(work, ran, longest=longest)


def _memory(work: str, ran: Ran, *, longest: int) -> Row:
    bar = _MEMORY + 6 * longest
    line = f"longest line {longest / _MIB:.1f} MiB" if longest else ""
    return Row("PER-3", f"peak memory, {work}", _peak(ran), line, "", f"<= {bar / _MIB:.0f} MiB", ran.peak <= bar)


def _unchanged(work: str, store: Store, first: Ran) -> Row:
    again = [_pass(store) for _ in range(3)]
    took, found = middle([ran.took for ran in again]), sum(ran.events for ran in again)
    ratio = took.wall / first.took.wall
    said = f"{ratio:.2%} ({took.cpu / first.took.cpu:.2%} cpu)"
    figure = f"{_spell(took)}, {found} new, {_peak(again[0])}"
    row = Row("PER-3", work, figure, f"first {_spell(first.took)}", said)
    if first.took.wall < _JUDGED:
        return row
    return replace(row, bar="<= 1%", ok=ratio <= 0.01 and not found)


def _again(work: str, ran: Ran) -> Row:
    return Row("PER-3", work, f"{_spell(ran.took)}, {ran.events} new, {_peak(ran)}")


def _rate(ran: Ran) -> str:
    return f"{ran.events / ran.took.wall:.0f} events/s ({ran.events / ran.took.cpu:.0f} cpu)"


def _spell(took: Took) -> str:
    return f"{took.wall:.2f} s ({took.cpu:.2f} cpu)"


def _peak(ran: Ran) -> str:
    return f"{ran.peak / _MIB:.0f} MiB"
