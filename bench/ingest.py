"""PER-3: how fast logs get safe and searchable, how much memory that takes, how cheap it is when nothing is new."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from bench import baselines, subject
from bench.bars import Row
from bench.generate import generate, generate_long_line
from bench.measure import Took, in_child, interleaved, middle, timed
from bench.subject import Store

_MB = 1_000_000
_MIB = 1 << 20


@dataclass(frozen=True)
class Ingested:
    """One ingest in a process of its own."""

    took: Took
    events: int
    peak: int


def measure(store: Store, work: Path, *, rounds: int, line: int) -> Iterator[Row]:
    """Measure PER-3 over generated logs, in a working folder; leave the store ingested."""
    yield _safe("safe in the mirror", Store(store.logs, work / "mirror", store.events))
    yield _safe("safe in the mirror, long logs", _long_logs(work, events=store.events // 4))
    runs = [_round(store, work) for _ in range(rounds)]
    first, plain = middle([ingested.took for ingested, _ in runs]), middle([took for _, took in runs])
    events, peak = runs[0][0].events, runs[0][0].peak
    yield _share("searchable", (first, plain), amount=events, unit="events/s", least=0.25)
    yield _memory(f"peak memory, {events} events", peak, _longest_line(store))
    yield _unchanged(store, first)
    yield _long_line(Store(work / "long", work / "long-home", 3), megabytes=line)


def ingest(store: Store) -> Ingested:
    said = in_child(str(store.logs), str(store.home))
    return Ingested(Took(said["wall"], said["cpu"]), said["events"], said["peak"])


def _long_logs(work: Path, *, events: int) -> Store:
    """Write few logs of several megabytes: only then do frames fill and get compressed."""
    logs = fresh(work / "long-logs")
    generate(logs, events=events, files=max(1, events // 2_500), seed=2)
    return Store(logs, work / "mirror", events)


def _safe(work: str, copies: Store) -> Row:
    def mirrored() -> Took:
        fresh(copies.home)
        return copies.mirror()

    took = interleaved({"ours": mirrored, "parse": lambda: baselines.parse(copies.files())}, rounds=3)
    shutil.rmtree(copies.home)
    size = sum(path.stat().st_size for path in copies.files()) / _MB
    return _share(work, (took["ours"], took["parse"]), amount=size, unit="MB/s", least=0.20)


def _round(store: Store, work: Path) -> tuple[Ingested, Took]:
    """Ingest everything, then insert the very texts that got indexed into a plain table."""
    fresh(store.home)
    ingested = ingest(store)
    table = baselines.PlainTable(work / "plain.db")
    with store.open() as kernel:
        inserted = table.insert(subject.texts(kernel))
    return ingested, inserted + timed(table.close)[0]  # both leave the write-ahead log emptied


def _share(work: str, took: tuple[Took, Took], *, amount: float, unit: str, least: float) -> Row:
    ours, theirs = took
    figure, baseline = (f"{amount / each.wall:.0f} {unit} ({amount / each.cpu:.0f} cpu)" for each in took)
    share, steady = theirs.wall / ours.wall, theirs.cpu / ours.cpu
    ratio = f"{share:.0%} ({steady:.0%} cpu)"
    return Row("PER-3", work, figure, baseline, ratio, f">= {least:.0%}", share >= least)


def _memory(work: str, peak: int, longest: int) -> Row:
    bar = 150 * _MIB + 6 * longest
    figure, line = f"{peak / _MIB:.0f} MiB", f"longest line {longest / _MIB:.1f} MiB"
    return Row("PER-3", work, figure, line, f"{peak / bar:.0%}", f"<= {bar / _MIB:.0f} MiB", peak <= bar)


def _unchanged(store: Store, first: Took) -> Row:
    again = [ingest(store) for _ in range(3)]
    took, found = middle([run.took for run in again]), sum(run.events for run in again)
    figure = f"{took.wall:.3f} s ({took.cpu:.3f} cpu), {found} new"
    baseline = f"first {first.wall:.1f} s ({first.cpu:.1f} cpu)"
    ratio = took.wall / first.wall
    said = f"{ratio:.2%} ({took.cpu / first.cpu:.2%} cpu)"
    return Row("PER-3", "unchanged second run", figure, baseline, said, "<= 1%", ratio <= 0.01 and not found)


def _long_line(store: Store, *, megabytes: int) -> Row:
    fresh(store.logs)
    fresh(store.home)
    generate_long_line(store.logs, megabytes=megabytes)
    row = _memory(f"peak memory, a line of {megabytes} MB", ingest(store).peak, _longest_line(store))
    shutil.rmtree(store.logs)
    shutil.rmtree(store.home)
    return row


def _longest_line(store: Store) -> int:
    return max(len(line) for path in store.files() for line in path.open("rb"))


def fresh(folder: Path) -> Path:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder
