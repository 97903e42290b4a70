"""Audit: what became of an entry, step by step, with reasons; and everything there is, as a graph (HMG-29, HMG-31)."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from quoth.core.errors import InvalidArgument
from quoth.core.ids import OperationId
from quoth.core.ledger.entries import State
from quoth.core.ledger.operations import Assert, Destroy, Forget, Judge, Operation, Restore, Subjects, Verdict
from quoth.core.ledger.values import Epistemic, Polarity
from quoth.core.memory import EntryRow
from quoth.core.model import Json
from quoth.core.times import rfc3339
from quoth.services._entry_shapes import shown_text
from quoth.services._memory import Memory
from quoth.services.judge import LESSON_OF

VIEWS = ("normal", "governance", "audit")
FORMATS = ("json", "csv")

_LABEL = 200  # characters of a node's text
_RANKS = {Epistemic.POSSIBLE: 0, Epistemic.ACTUAL: 1, Epistemic.NECESSARY: 2}
_EXPOSURES = {
    State.QUARANTINED: "quarantined",
    State.FORGOTTEN: "quarantined",  # the person can bring it back
    State.SEALED: "sealed",
    State.DESTROYED: "tombstoned",
}
_NORMAL = frozenset({State.CURRENT})
_GOVERNANCE = _NORMAL | {State.NEGATED, State.QUARANTINED, State.SEALED}
_NODE = ("id", "label", "group", "epistemic", "polarity", "certainty", "created_at")


@dataclass(frozen=True, slots=True)
class Audit:
    memory: Memory

    def run(self, given: str) -> dict[str, Json]:
        """Return `{current, polarity_history, epistemic_history, exposure_history, relations}` of one version.

        A step is `{from, to, reason, at, by}`, the oldest first; a reason that was destroyed is null. Words that are
        held back or gone have a placeholder.

        Raises:
            UnknownId, Ambiguous: the id names no version, or several.
        """
        row = self.memory.any_entry(given)
        about = self.memory.ledger().about(Subjects(entries=frozenset({row.root})))
        operations = sorted(about, key=lambda operation: operation.order)
        return {
            "current": _current(row),
            "polarity_history": list(_polarities(row, operations)),
            "epistemic_history": list(_strengths(row, operations)),
            "exposure_history": list(_exposures(row, operations)),
            "relations": self._relations(row),
        }

    def view(self, name: str, *, with_negated: bool = False) -> list[dict[str, Json]]:
        """Return entries as `current` of `run` says them, the oldest first.

        `normal` are those in force, with `with_negated` also what is negated; `governance` adds what is quarantined or
        sealed, without its words; `audit` is every version there ever was.

        Raises:
            InvalidArgument: there is no such view.
        """
        if name not in VIEWS:
            raise InvalidArgument("view", f"one of {', '.join(VIEWS)}")
        states = _NORMAL | {State.NEGATED} if with_negated else _NORMAL
        states = _GOVERNANCE if name == "governance" else states
        return [_current(row) for row in self._rows() if name == "audit" or (row.is_current and row.state in states)]

    def export(self, format: str = "json") -> str:  # noqa: A002 - the contract's word
        """Return `{nodes, edges, stats}` as JSON, or the nodes and then the edges as CSV.

        Raises:
            InvalidArgument: there is no such format.
        """
        if format not in FORMATS:
            raise InvalidArgument("format", f"one of {', '.join(FORMATS)}")
        rows = list(self._rows())
        nodes, edges = [_node(row) for row in rows], list(_edges(rows))
        if format == "csv":
            return _csv(_NODE, nodes) + "\n" + _csv(("id", "from", "to", "relation"), edges)
        counts = {"atom_count": len(nodes), "edge_count": len(edges), "snapshot_version": self.snapshot_version()}
        return json.dumps({"nodes": nodes, "edges": edges, "stats": counts}, ensure_ascii=False) + "\n"

    def snapshot_version(self) -> int:
        """Return a number that grows with everything somebody does with memory (HMG-27)."""
        return self.memory.ledger().acts() if self.memory.is_begun() else 0

    def _rows(self) -> Iterator[EntryRow]:
        self.memory.catch_up()
        return self.memory.entries.all()

    def _relations(self, row: EntryRow) -> dict[str, Json]:
        versions = self.memory.entries.history(row.root)
        lessons = [each for each in row.relations if each.relation == LESSON_OF]
        return {
            "derived_from": [each.other for each in lessons if each.root == row.root],
            "supersedes": [row.version.supersedes] if row.version.supersedes else [],
            "superseded_by": [each.id for each in versions if each.version.supersedes == row.id],
            "related_lessons": [each.entry for each in lessons if each.other_root == row.root],
            "other": [
                {"relation": each.relation, "from": each.entry, "to": each.other}
                for each in row.relations
                if each.relation != LESSON_OF
            ],
        }


# --- what it is ---


def _current(row: EntryRow) -> dict[str, Json]:
    said = row.version.statement
    return {
        "atom_id": row.id,
        "content": shown_text(row),
        "polarity": _polarity(row),
        "epistemic": row.version.epistemic.value if row.version.epistemic else None,
        "exposure_state": _exposure(row),
        "created_at": rfc3339(row.version.created_at),
        "source": said.attribution.value if said else None,
        "is_active": row.state is State.CURRENT,
    }


def _polarity(row: EntryRow) -> str | None:
    """Return the polarity: what was negated or replaced is denied, whatever it said."""
    said = row.version.statement
    if row.version.negated or not row.is_current:
        return Polarity.NEGATIVE.value
    return said.polarity.value if said else None


def _exposure(row: EntryRow) -> str:
    is_lesson = any(each.relation == LESSON_OF and each.root == row.root for each in row.relations)
    return _EXPOSURES.get(row.state, "lesson" if is_lesson else "visible")


# --- how it became so ---


def _step(operation: Operation, was: str | None, becomes: str) -> dict[str, Json]:
    header = operation.header
    return {"from": was, "to": becomes, "reason": header.reason, "at": rfc3339(header.time.ms), "by": header.actor}


def _polarities(row: EntryRow, operations: Iterable[Operation]) -> Iterator[dict[str, Json]]:
    said = row.version.statement
    was = said.polarity.value if said else None
    for operation in operations:
        match operation.body:
            case Judge(verdict=Verdict.NEGATE, entry=row.id) if was != "negated":
                yield _step(operation, was, Polarity.NEGATIVE.value)
                was = "negated"
            case Assert() as body if row.id in {*body.saw, body.supersedes} and body.entry != row.id:
                if was != "negated":
                    yield _step(operation, was, Polarity.NEGATIVE.value)
                    was = "negated"


def _strengths(row: EntryRow, operations: Iterable[Operation]) -> Iterator[dict[str, Json]]:
    said = row.version.statement
    was = said.epistemic.value if said else None
    for operation in operations:
        body = operation.body
        if isinstance(body, Judge) and body.entry == row.id and body.epistemic is not None:
            yield _step(operation, was, body.epistemic.value)
            was = body.epistemic.value


def _exposures(row: EntryRow, operations: Sequence[Operation]) -> Iterator[dict[str, Json]]:
    """Yield the steps of an entry between visible, quarantined, sealed and tombstoned."""
    was = "visible"
    asserted = {each.id for each in operations if isinstance(each.body, Assert) and each.body.entry == row.id}
    for operation in operations:
        becomes = _exposed(operation, row, asserted)
        if becomes and becomes != was:
            yield _step(operation, was, becomes)
            was = becomes


def _exposed(operation: Operation, row: EntryRow, asserted: Collection[OperationId]) -> str | None:
    match operation.body:
        case Judge(verdict=Verdict.QUARANTINE):
            return "quarantined"
        case Judge(verdict=Verdict.RELEASE) | Restore():
            return "visible"
        case Judge(verdict=Verdict.SEAL):
            return "sealed"
        case Forget(entries=entries) if row.root in entries:
            return "quarantined"
        case Destroy(entries=entries, operations=wiped) if row.root in entries or not set(wiped).isdisjoint(asserted):
            return "tombstoned"
        case _:
            return None


# --- the graph ---


def _node(row: EntryRow) -> dict[str, Json]:
    said = row.version.statement
    return {
        "id": row.id,
        "label": shown_text(row)[:_LABEL],
        "group": said.type if said and row.state is not State.DESTROYED else None,
        "epistemic": _RANKS.get(row.version.epistemic) if row.version.epistemic else None,
        "polarity": _polarity(row),
        "certainty": said.confidence if said else None,
        "created_at": rfc3339(row.version.created_at),
    }


def _edges(rows: Iterable[EntryRow]) -> Iterator[dict[str, Json]]:
    seen: set[tuple[str, str, str]] = set()
    for row in rows:
        edges = [(each.relation, each.entry, each.other) for each in row.relations]
        if row.version.supersedes:
            edges.append(("supersedes", row.id, row.version.supersedes))
        for relation, start, end in edges:
            if (relation, start, end) not in seen:
                seen.add((relation, start, end))
                yield {"id": f"{relation}:{start}:{end}", "from": start, "to": end, "relation": relation}


def _csv(names: Sequence[str], rows: Iterable[dict[str, Json]]) -> str:
    text = io.StringIO()
    table = csv.DictWriter(text, names, lineterminator="\n")
    table.writeheader()
    table.writerows({name: _harmless(row[name]) for name in names} for row in rows)
    return text.getvalue()


def _harmless(value: Json) -> Json:
    """Keep a spreadsheet from taking words for a formula."""
    return f"'{value}" if isinstance(value, str) and value[:1] in "=+-@\t\r" and value else value
