"""`python -m bench WHAT`: measure the bars over generated logs, or try the promises, in a temporary folder.

`all` is start, ingest and search. `scale` takes half an hour and 20 GB of disk. `redaction` and `judgement` judge
labelled lists. `redaction`, `judgement`, `soak` and `kills` end with status 1 when a promise is broken.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from bench import ingest, installed, judgement, kills, recall, redaction, remember, scale, search, soak, start
from bench.bars import Row, save, show
from bench.generate import generate
from bench.subject import Store

_ALL = ("start", "ingest", "search", "all")
_PROMISES = {"redaction", "judgement", "soak", "kills"}


@click.command()
@click.argument(
    "what",
    type=click.Choice(
        [
            "start",
            "ingest",
            "search",
            "all",
            "scale",
            "redaction",
            "judgement",
            "remember",
            "recall",
            "vectors",
            "installed",
            "soak",
            "kills",
        ]
    ),
)
@click.option("--events", default=100_000, show_default=True, type=click.IntRange(min=1_000))
@click.option("--entries", default=100_000, show_default=True, help="With `recall`: how many are remembered.")
@click.option("--rounds", default=1, show_default=True, help="Repetitions of the full ingest; its median counts.")
@click.option(
    "--line", default=60, show_default=True, help="Megabytes of the longest line that memory is measured with."
)
@click.option("--size", default=1.0, show_default=True, help="With `scale`: the share of the real sizes.")
@click.option("--only", type=click.Choice(scale.PARTS), help="With `scale`: only this part.")
@click.option("--seconds", default=60.0, show_default=True, help="How long the logs are treated badly by `soak`.")
@click.option("--kills", default=1_000, show_default=True, help="How many processes `kills` ends.")
@click.option("--seed", default=1, show_default=True)
@click.option(
    "--json", "report", type=click.Path(path_type=Path, dir_okay=False), help="Write the report to a file too."
)
def main(what: str, report: Path | None, **sizes: Any) -> None:
    """Measure the bars and say which are met."""
    asked = Sizes(**sizes)
    with tempfile.TemporaryDirectory(prefix="quoth-bench-") as folder:
        rows = list(_measure(what, Path(folder), asked))
    show(rows, click.echo)
    if what == "judgement":
        click.echo("\n".join(judgement.wrong()))
    if report:
        save(rows, report, events=asked.events)
    if what in _PROMISES and any(row.ok is False for row in rows):
        sys.exit(1)


@dataclass(frozen=True)
class Sizes:
    events: int
    entries: int
    rounds: int
    line: int
    size: float
    only: str | None
    seconds: float
    kills: int
    seed: int


def _measure(what: str, work: Path, asked: Sizes) -> Iterator[Row]:
    alone = {"redaction": redaction.measure, "judgement": judgement.measure, "installed": installed.measure}
    if what in alone:
        yield from alone[what]()
    if what == "soak":
        yield from soak.measure(work, seconds=asked.seconds, seed=asked.seed)
    if what == "kills":
        yield from kills.measure(work, kills=asked.kills, seed=asked.seed)
    if what in {"remember", "recall"}:
        yield from _of_memory(what, work, asked)
    if what == "vectors":
        from bench import vectors  # needs the extra `local`

        yield from vectors.measure(work, seed=asked.seed)
    if what == "scale":
        yield from scale.measure(work, size=asked.size, only=asked.only)
    if what in {"scale", "remember", "recall", "vectors", "installed", *_PROMISES}:
        return
    if what in {"start", "all"}:
        yield from start.measure(work / "start")
    if what == "start":
        return
    store = _generated(work / "store", events=asked.events, seed=asked.seed)
    if what in {"ingest", "all"}:
        yield from ingest.measure(store, work, rounds=asked.rounds, line=asked.line)
    if what == "search":
        ingest.ingest(store)
    if what in {"search", "all"}:
        smaller = _generated(work / "smaller", events=asked.events // 10, seed=asked.seed)
        ingest.ingest(smaller)
        yield from search.measure(store, smaller, work)


def _of_memory(what: str, work: Path, asked: Sizes) -> Iterator[Row]:
    if what == "remember":
        return remember.measure(work, seed=asked.seed)
    return recall.measure(work, entries=asked.entries, events=asked.events, seed=asked.seed)


def _generated(folder: Path, *, events: int, seed: int) -> Store:
    click.echo(f"writing {events} events", err=True)
    generate(folder / "logs", events=events, files=max(1, events // 100), seed=seed)
    return Store(folder / "logs", ingest.fresh(folder / "home"), events)


if __name__ == "__main__":
    main()
