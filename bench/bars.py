"""The bars: what was measured, against what, and whether it is enough."""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

_COLUMNS = ("id", "work", "figure", "baseline", "ratio", "bar", "")


@dataclass(frozen=True)
class Row:
    """One line of the report. `ok` is None for figures that no bar judges."""

    id: str
    work: str
    figure: str
    baseline: str = ""
    ratio: str = ""
    bar: str = ""
    ok: bool | None = None

    def cells(self) -> Sequence[str]:
        verdict = {True: "ok", False: "missed", None: ""}[self.ok]
        return (self.id, self.work, self.figure, self.baseline, self.ratio, self.bar, verdict)


def show(rows: Iterable[Row], write: Callable[[str], object]) -> None:
    table = [_COLUMNS, *(row.cells() for row in rows)]
    widths = [max(len(line[column]) for line in table) for column in range(len(_COLUMNS))]
    for line in table:
        write("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip())


def save(rows: Sequence[Row], path: Path, *, events: int) -> None:
    machine = {"cpus": os.cpu_count(), "python": platform.python_version(), "system": platform.system()}
    report = {"events": events, "machine": machine, "rows": [asdict(row) for row in rows]}
    path.write_text(json.dumps(report, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
