"""Import: take in what was exported or written elsewhere (SEC-10).

Our own export keeps ids, versions, forks and citations. Markdown notes and the store of the knowledge-graph memory
server become entries that are somebody's words (`attribution` other) and say where they come from instead of citing;
`imported` stays false, for it marks what was read in an agent's own memory. Everything is read, checked and redacted
before anything is written, and written in one step.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from quoth.core.errors import ImportRefused, InvalidArgument
from quoth.core.ids import SourceId
from quoth.core.ledger.exported import read_header
from quoth.core.model import Json
from quoth.core.names import printable_path
from quoth.core.redact import Redactor
from quoth.core.speaker import Speaker
from quoth.core.types import Types
from quoth.services._admission import Admission
from quoth.services._import_export import ExportPlan, read_export
from quoth.services._import_graph import is_record, read_graph
from quoth.services._import_notes import read_notes
from quoth.services._import_things import ThingsPlan
from quoth.services._importing import Plan
from quoth.services._incoming import lines, resolved
from quoth.services._memory import Memory
from quoth.services._placing import Placing
from quoth.services._quarantine import OURSELVES, with_quarantines

QUOTH, NOTES, GRAPH = "quoth", "notes", "knowledge-graph"
FORMATS = (QUOTH, NOTES, GRAPH)
_NOTES = (".md", ".markdown")


@dataclass(frozen=True, slots=True)
class Import:
    memory: Memory
    placing: Placing
    types: Callable[[], Types]

    def run(
        self,
        path: Path,
        *,
        by: Speaker,
        format: str | None = None,  # noqa: A002 - the option's word
        dry_run: bool = False,
        project: str | None = None,
    ) -> dict[str, Json]:
        """Take in a file or folder and say what came of it; with `dry_run` only what would.

        Raises:
            ImportRefused: something of it can't be read; nothing was imported.
            NewerFormat: a newer program wrote it.
            InvalidArgument, UnknownProject, Ambiguous: the format or the project can't be told.
        """
        chosen = self._format(path, format)
        author = by.author(self.memory.journal.device()[1])
        redact = Redactor()
        prepared = self._prepared(resolved(path), chosen, author, project, redact)
        if dry_run:
            self.memory.catch_up()
            plan = prepared()
        else:
            plan = self._written(prepared)
        return {"format": chosen, "dry_run": dry_run, **plan.shape(), "redacted": redact.taken.total()}

    def _written(self, prepared: Callable[[], Plan]) -> Plan:
        with self.memory.deciding():
            plan = prepared()
            self.placing.projects.heard(plan.projects)
            if plan.drafts:
                us = OURSELVES.author(self.memory.journal.device()[1])
                self.memory.append(with_quarantines(plan.drafts, actor=us))
        return plan

    def _prepared(
        self, path: Path, chosen: str, author: str, project: str | None, redact: Redactor
    ) -> Callable[[], Plan]:
        """Read everything, and return what decides on it once nobody else writes."""
        if chosen == QUOTH:
            scope = self.placing.scope(project=project) if project else None
            read = read_export(path, self.memory.key(), redact)
            return lambda: ExportPlan(self.memory.entries, printable_path(str(path)), author, scope).of(read)
        things = read_notes(path) if chosen == NOTES else read_graph(path)
        admit = Admission(self.types(), self.memory.clock.now(), redact)
        return lambda: ThingsPlan(self.memory, self.placing, admit, SourceId(chosen), author, project).of(things)

    def _format(self, path: Path, given: str | None) -> str:
        if given not in {None, "auto", *FORMATS}:
            raise InvalidArgument("format", f"auto or one of {', '.join(FORMATS)}")
        if not path.exists():
            raise ImportRefused(printable_path(str(path)), "it is not there")
        return _recognised(resolved(path)) if given in {None, "auto"} else str(given)


def _recognised(path: Path) -> str:
    """Tell a format by the folder or by the first line of a file."""
    if path.is_dir() or path.suffix.lower() in _NOTES:
        return NOTES
    first = next((text for _, text in islice(lines(path), 1)), "")
    try:
        if read_header(first) is not None:
            return QUOTH
        if is_record(json.loads(first)):
            return GRAPH
    except (ValueError, RecursionError):
        pass
    raise ImportRefused(printable_path(str(path)), f"it is in none of the known formats: {', '.join(FORMATS)}")
