"""What the index says of the ledger, and what folding everything at once says of the same."""

from __future__ import annotations

from typing import Any

from ledger.world import EVENTS
from quoth.core.ledger.state import Ledger
from quoth.core.ledger.values import Scope, Statement
from quoth.core.memory import EntryFilter, EntryRow, Fate, MemoryIndex
from quoth.core.query import Query
from storage.remembering import ALWAYS, PAGE


def told(held: MemoryIndex) -> dict[str, Any]:
    """Say all that the index holds of the ledger."""
    rows = {(row.root, row.id): row for row in held.all()}
    return {
        "versions": {key: _row(row) for key, row in rows.items()},
        "histories": {root: [row.id for row in held.history(root)] for root, _ in rows},
        "found": sorted(row.id for row in held.search(Query.parse("text"), ALWAYS, **PAGE)),
        "negated": sorted(
            row.id for row in held.search(Query.parse("text"), EntryFilter(now=None, with_negated=True), **PAGE)
        ),
        "recent": [row.id for row in held.recent(ALWAYS, **PAGE)],
        "count": held.count(),
        "citing": {each: sorted(row.id for row in held.citing(each)) for each in EVENTS},
        "hidden": {each: fate for each in EVENTS if (fate := held.fate(each)) not in {Fate.UNKNOWN, Fate.VISIBLE}},
        "uncited": sorted(row.id for row in held.uncited(since=-1)),
        "equal": {
            row.id: sorted(each.id for each in held.equal(row.version.statement.text))
            for row in rows.values()
            if row.version.statement
        },
    }


def expected(ledger: Ledger, spelled: Any) -> dict[str, Any]:
    """Say the same of everything folded at once."""
    roots = [root for root in ledger.roots.values() if root.versions]
    names = ledger.names()
    current = [root.current for root in roots if root.current]
    visible = [each for each in current if ledger.state(each) == "current"]
    findable = [*visible, *(each for each in current if ledger.state(each) == "negated")]
    versions = {}
    for root in roots:
        for version in root.versions:
            own = version.statement.name if version.statement else None
            named = root.current.statement if root.current and root.id in names else None
            is_shown = named and version.statement and _name(version.statement) == _name(named)
            versions[root.id, version.id] = {
                "version": version,
                "state": ledger.state(version),
                "current": root.current and root.current.id,
                "is concurrent": root.is_concurrent(version.id),
                "scope": root.scope or Scope(),
                "tier": root.tier,
                "name": names[root.id] if is_shown else own,
                "cites": ledger.citations(version),
                "relations": ledger.relations(root),
            }
    return {
        "versions": versions,
        "histories": {root.id: [version.id for version in root.versions] for root in roots},
        "found": sorted(each.id for each in visible),
        "negated": sorted(each.id for each in findable),
        "recent": [each.id for each in sorted(visible, key=lambda each: (each.created_at, each.id), reverse=True)],
        "count": len(visible),
        "citing": {
            each: sorted(v.id for root in roots if spelled(each)[0] in root.cited for v in root.versions)
            for each in EVENTS
        },
        "hidden": {
            each: Fate.DESTROYED if found.destroyed else Fate.FORGOTTEN
            for each in EVENTS
            if (found := ledger.event(spelled(each)[0])).is_hidden
        },
        "uncited": sorted(each.id for each in visible if not each.cites),
        "equal": {
            version.id: sorted(
                each.id for each in current if each.statement and each.statement.text == version.statement.text
            )
            for root in roots
            for version in root.versions
            if version.statement
        },
    }


def _name(said: Statement) -> tuple[str, str | None]:
    return said.type, said.name


def _row(row: EntryRow) -> dict[str, Any]:
    return {
        "version": row.version,
        "state": row.state,
        "current": row.current,
        "is concurrent": row.is_concurrent,
        "scope": row.scope,
        "tier": row.tier,
        "name": row.name,
        "cites": row.cites,
        "relations": frozenset(row.relations),
    }
