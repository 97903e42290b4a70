"""Export: hand out what is remembered, in files that other programs read (QUO-13 for one's own: `backup`).

- JSON lines hold everything: every version with its citations, states and relations, so that `import` elsewhere gives
  the same ids and answers (`core.ledger.exported`).
- Markdown is a folder with a file for each current entry, CSV a table with a row for each.
- A graph has a node for each version and the edges between them, as JSON or as two tables (`services.audit`).

No words that are forgotten, destroyed, sealed or quarantined leave; a graph has a placeholder for them.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain
from pathlib import Path

from quoth.core.errors import InvalidArgument, StoreFailed
from quoth.core.ids import EntryId, EventId
from quoth.core.ledger.entries import Root, State
from quoth.core.ledger.exported import Header, Version, key_mark, line, read_header
from quoth.core.ledger.operations import Operation
from quoth.core.memory import EntryFilter, EntryRow
from quoth.services import _private, _tables
from quoth.services._export_records import Records, belonging, records
from quoth.services._memory import Memory
from quoth.services.audit import Audit
from quoth.services.project import Projects

_PAGE = 500


class Format(StrEnum):
    JSONL = "jsonl"
    MARKDOWN = "markdown"
    CSV = "csv"
    GRAPH = "graph"
    GRAPH_CSV = "graph-csv"


_GRAPHS = {Format.GRAPH: "json", Format.GRAPH_CSV: "csv"}


@dataclass(frozen=True, slots=True)
class Saved:
    """What was written where."""

    path: Path
    files: int
    entries: int


@dataclass(frozen=True, slots=True)
class Export:
    memory: Memory
    projects: Projects

    def run(self, format: str = "jsonl", *, project: str | None = None, history: bool = False) -> Iterator[str]:  # noqa: A002
        """Yield the lines of an export, each with its end; `history` adds to a table the versions that were replaced.

        Raises:
            InvalidArgument: Markdown is a folder, not lines; a graph is whole.
            UnknownProject, Ambiguous: the project can't be told.
        """
        self.memory.catch_up()
        match Format(format):
            case Format.JSONL:
                return self._records(project)
            case Format.CSV:
                return _tables.csv_lines(self._rows(project, history=history))
            case Format.GRAPH | Format.GRAPH_CSV as graph:
                if project or history:
                    raise InvalidArgument("format", "another one; a graph is always whole")
                return iter(Audit(self.memory).export(_GRAPHS[graph]).splitlines(keepends=True))
            case Format.MARKDOWN:
                raise InvalidArgument("out", "a folder that is not there yet, for Markdown is one file for each entry")

    def save(
        self,
        out: Path,
        format: str = "jsonl",  # noqa: A002 - the option's word
        *,
        project: str | None = None,
        history: bool = False,
    ) -> Saved:
        """Write an export to a new place: a folder for Markdown, else a file; whole or not at all.

        Raises:
            InvalidArgument: something is there already.
            StoreFailed: it can't be written.
        """
        target = out.absolute()
        if os.path.lexists(target):
            raise InvalidArgument("out", f"a new place; {target} is there already")
        if Format(format) is Format.MARKDOWN:
            self.memory.catch_up()
            return _folder(target, self._rows(project, history=history))
        lines = list(self.run(format, project=project, history=history))
        with _said(target):
            _private.write_whole(target, "".join(lines).encode("utf-8"))
        return Saved(target, 1, self._counted(Format(format), lines))

    def _counted(self, format: Format, lines: Sequence[str]) -> int:  # noqa: A002 - as above
        if format in _GRAPHS:
            return sum(row.is_current for row in self.memory.entries.all())
        header = read_header(lines[0])
        return header.entries if header else len(lines) - 1

    # --- everything ---

    def _records(self, project: str | None) -> Iterator[str]:
        found = records(self._operations(), self._resolve)
        roots = found.roots()
        if project:
            wanted = {row.root for row in self._current(project, with_negated=True)}
            roots = [root for root in roots if root.id in wanted]
        return (f"{each}\n" for each in self._lines(found, roots))

    def _lines(self, found: Records, roots: Sequence[Root]) -> Iterator[str]:
        said = [each for root in roots for each in found.of(root)]
        versions = sum(isinstance(each, Version) for each in said)
        now = self.memory.clock.now()
        yield line(Header(now, key_mark(self.memory.key()), len(roots), versions))
        told = belonging(said, self.projects.called())
        yield from map(line, chain(told, said, found.relations(roots)))

    def _operations(self) -> Iterator[Operation]:
        if not self.memory.is_begun():
            return
        cursor = 0
        while page := self.memory.ledger().since(cursor):
            yield from (each.operation for each in page)
            cursor = page[-1].cursor

    def _resolve(self, event: EventId) -> EventId:
        return self.memory.entries.spellings(event)[0]

    # --- what is current ---

    def _rows(self, project: str | None, *, history: bool) -> Iterator[EntryRow]:
        for row in self._current(project):
            yield row
            if history:
                older = (each for each in self.memory.entries.history(row.root) if each.id != row.id)
                yield from (each for each in older if each.version.statement is not None)

    def _current(self, project: str | None, *, with_negated: bool = False) -> Iterator[EntryRow]:
        projects = self.projects.find(project) if project else None
        where = EntryFilter(now=None, projects=projects, with_negated=with_negated)
        seen: set[EntryId] = set()
        offset = 0
        while page := self.memory.entries.recent(where, limit=_PAGE, offset=offset):
            offset += len(page)
            wanted = {State.CURRENT, State.NEGATED} if with_negated else {State.CURRENT}
            yield from (row for row in page if row.state in wanted and row.id not in seen)
            seen.update(row.id for row in page)


def _folder(target: Path, rows: Iterable[EntryRow]) -> Saved:
    """Fill a folder beside the target, then put it in place in one step."""
    with _said(target):
        beside = Path(tempfile.mkdtemp(prefix=f".{target.name}-", suffix=".part", dir=target.parent))
        try:
            written: list[Path] = []
            for name, text in _tables.markdown_files(rows):
                written.append(beside / name)
                written[-1].parent.mkdir(mode=0o700, exist_ok=True)
                _private.write_new(written[-1], text.encode("utf-8"))
            _private.sync_all(written)
            beside.rename(target)
            _private.sync_folder(target.parent)
        except BaseException:
            shutil.rmtree(beside, ignore_errors=True)
            raise
    return Saved(target, len(written), len(written))


@contextmanager
def _said(target: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise StoreFailed(f"Writing {target}", error.strerror or type(error).__name__) from error
