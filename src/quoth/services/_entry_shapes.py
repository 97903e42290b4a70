"""Say entries in the words of the published contracts (ORI-21 to 28, QUO-2, QUO-4)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from quoth.core.ids import EntryId, source_of
from quoth.core.ledger.entries import Relation, State
from quoth.core.ledger.marks import quote_mark
from quoth.core.ledger.values import Citation, Scope, Statement
from quoth.core.memory import EntryRow, MemoryIndex
from quoth.core.model import EventRow, Json
from quoth.core.times import local_iso
from quoth.core.verdicts import OUTDATED
from quoth.services._shapes import event_shape

_TEXT = 500  # characters of a cited event (ORI-43)
HELD = frozenset({State.QUARANTINED, State.SEALED})
_DESTROYED, _FORGOTTEN = "[destroyed]", "[forgotten]"


def entry_shape(row: EntryRow) -> dict[str, Json]:
    """Return a version of an entry; one whose words are gone or held back says so in their place."""
    said = row.version.statement
    return {
        "id": row.id,
        "kind": said.kind.value if said else None,
        "text": shown_text(row),
        "confidence": said.confidence if said else None,
        "status": "active" if row.is_current else "superseded",
        "concurrent": row.is_concurrent,
        "project": row.project,
        "author": said.author if said else row.version.actor,
        "created": local_iso(row.version.created_at),
        "valid_from": _iso(said.valid_from) if said else None,
        "valid_to": _iso(ends_at(row)),
        "supersedes": row.version.supersedes,
        "superseded_by": None if row.is_current else row.current,
        "root": row.root,
        "imported": said.imported if said else False,
        "name": None if row.state in {*HELD, State.FORGOTTEN} else row.name,
        "type": said.type if said else None,
        "scope": scope_shape(row.scope),
        "state": row.state.value,
    }


def detailed_shape(row: EntryRow) -> dict[str, Json]:
    """Return an entry with everything that is kept of it (QUO-4)."""
    said = row.version.statement
    return {**entry_shape(row), **(_details(row, said) if said else {})}


def _details(row: EntryRow, said: Statement) -> dict[str, Json]:
    return {
        "fields": said.fields,
        "attribution": said.attribution.value,
        "relations": [_relation_shape(each) for each in row.relations],
        "tags": list(said.tags),
        "importance": said.importance,
        "epistemic": (row.version.epistemic or said.epistemic).value,
        "polarity": said.polarity.value,
        "event_time": _iso(said.event_time),
        "uncited": said.uncited,
    }


def doubt_shape(row: EntryRow, entries: MemoryIndex) -> dict[str, Json]:
    """Return what to say of an entry that may be outdated: the entries that are against it; nothing of any other."""
    return {"possibly_outdated": list(found)} if (found := outdated_by(row, entries)) else {}


def outdated_by(row: EntryRow, entries: MemoryIndex) -> Sequence[EntryId]:
    """Return the current entries that make it doubtful whether a version still is so."""
    others = [each.other for each in row.relations if each.relation == OUTDATED and each.entry == row.id]
    rows = [found for found in map(entries.version, dict.fromkeys(others)) if found]
    return [each.id for each in rows if each.state is State.CURRENT]


def version_shape(row: EntryRow) -> dict[str, Json]:
    """Return a version as a listing of versions names it (ORI-43)."""
    shape = entry_shape(row)
    return {name: shape[name] for name in ("id", "supersedes", "author", "created", "status")}


def cited_shape(citation: Citation, event: EventRow | None, *, key: Callable[[], bytes]) -> dict[str, Json]:
    """Return a cited event with the words cited; one whose log is on another device is named by its id."""
    if event is None:
        return {**_unread(citation), "quote": citation.quote}
    return {**event_shape(event, limit=_TEXT), "quote": exact_words(citation, event, key=key)}


def exact_words(citation: Citation, event: EventRow, *, key: Callable[[], bytes]) -> str | None:
    """Return the exact words that were quoted; as they were stored where the event says something else now."""
    if citation.span is None or citation.mark is None:
        return citation.quote
    words = event.text[slice(*citation.span)]
    return words if quote_mark(key(), words) == citation.mark else citation.quote


def _unread(citation: Citation) -> dict[str, Json]:
    names = ("id", "time", "source", "project", "session", "role", "kind", "text")
    return {**dict.fromkeys(names), "id": citation.event, "source": source_of(citation.event)}


def scope_shape(scope: Scope) -> dict[str, Json]:
    return {
        "tenant": scope.tenant,
        "workspace": scope.workspace,
        "repository": scope.repository,
        "branch": scope.branch,
    }


def _relation_shape(relation: Relation) -> dict[str, Json]:
    return {"relation": relation.relation, "entry": relation.entry, "other": relation.other}


def shown_text(row: EntryRow) -> str:
    """Return the words of a version, or what stands in their place."""
    if row.version.statement is None:
        return _DESTROYED
    if row.state is State.FORGOTTEN:
        return _FORGOTTEN
    if row.state in HELD:
        return f"[governed payload hidden: {row.state.value}]"
    return row.version.statement.text


def ends_at(row: EntryRow) -> int | None:
    """Return when a version ended. What was negated was never so: it ended when it was said."""
    said = row.version.statement
    if said is None:
        return None
    return said.created_at if row.version.negated else said.valid_to


def _iso(instant: int | None) -> str | None:
    return None if instant is None else local_iso(instant)
