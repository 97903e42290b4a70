"""`python -m bench.retrieval [--data DIR]`: let contenders answer our own set and the public ones of a folder."""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

import click

from bench.bars import Row, show
from bench.retrieval import library, trial
from bench.retrieval.contenders._embedded import KEPT
from bench.retrieval.figures import Cut, Figures, cuts, figures
from bench.retrieval.plot import plot
from bench.retrieval.rows import rows
from bench.retrieval.sets import Half, Set
from bench.retrieval.table import table

_FILE = click.Path(path_type=Path, dir_okay=False)


@click.command()
@click.option("--data", type=click.Path(path_type=Path, exists=True, file_okay=False), help="Folder of public sets.")
@click.option("--set", "sets", multiple=True, help="Only these sets; `own` is ours.")
@click.option(
    "--contender", "names", multiple=True, type=click.Choice(trial.contenders(models=True)), help="Only these."
)
@click.option("--models", is_flag=True, help="Also those that have a model; a set takes minutes then.")
@click.option(
    "--vectors", type=click.Path(path_type=Path, file_okay=False), help="Keep vectors in this folder from run to run."
)
@click.option("--most", type=click.IntRange(min=2), help="At most so many questions of a set, for a quick look.")
@click.option("--json", "report", type=_FILE, help="Write everything here.")
@click.option("--table", "page", type=_FILE, help="Write Markdown tables here.")
@click.option("--plot", "picture", type=_FILE, help="Draw recall here, as SVG.")
def main(
    data: Path | None,
    sets: Sequence[str],
    names: Sequence[str],
    *,
    models: bool,
    vectors: Path | None,
    most: int | None,
    **files: Path | None,
) -> None:
    """Compare ways to find the right text; figures are of the halves on which nothing was chosen."""
    for threads in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
        os.environ.setdefault(threads, "1")  # as the worker has them
    if vectors:
        os.environ[KEPT] = str(vectors)  # contenders run in processes of their own
    readers = {name: partial(library.read, data, name, most) for name in _asked(sets, library.names(data))}
    trials = list(_trials(readers, names or trial.contenders(models=models)))
    reported = [each for each in (figures(tried, Half.REPORTING) for tried in trials) if each]
    held_back = [cut for tried in trials for cut in _cuts(tried)]
    judged = list(rows(reported, held_back))
    show(judged, click.echo)
    if report := files["report"]:
        _save(report, judged, trials, held_back)
    if page := files["page"]:
        page.write_text(table(reported, held_back), encoding="utf-8")
    if picture := files["picture"]:
        picture.write_text(plot(reported), encoding="utf-8")


def _asked(wanted: Sequence[str], there: Sequence[str]) -> Sequence[str]:
    if unknown := sorted(set(wanted) - set(there)):
        raise click.BadParameter(f"{', '.join(unknown)} is not there; sets: {', '.join(there)}")
    return wanted or there


def _trials(readers: Mapping[str, Callable[[], Set]], names: Sequence[str]) -> Iterator[trial.Trial]:
    for set_, reader in readers.items():
        for name in names:
            click.echo(f"{set_}: {name}", err=True)
            yield trial.run_apart(reader, name)


def _cuts(tried: trial.Trial) -> Iterator[Cut]:
    known = trial.contender(tried.contender)
    yield from cuts(tried, floor=known.floor, hides=known.cuts_itself)


def _save(path: Path, judged: Sequence[Row], trials: Sequence[trial.Trial], held_back: Sequence[Cut]) -> None:
    machine = {"cpus": os.cpu_count(), "python": platform.python_version(), "system": platform.system()}
    every = (figures(tried, half) for tried in trials for half in (None, *Half))
    results: list[dict[str, Any]] = [asdict(each) for each in every if isinstance(each, Figures)]
    whole = {
        "machine": machine,
        "rows": [asdict(row) for row in judged],
        "results": results,
        "cuts": [asdict(cut) for cut in held_back],
    }
    path.write_text(json.dumps(whole, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
