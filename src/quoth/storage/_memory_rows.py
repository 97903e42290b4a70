"""Entries as rows: how a version is kept and read, under which name and project it is shown."""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import TypeAlias

from quoth.core import text as words
from quoth.core.ids import EntryId, ProjectId
from quoth.core.ledger.entries import EntryVersion, Relation, Root, State
from quoth.core.ledger.state import Ledger, shown_name
from quoth.core.ledger.values import Attribution, Scope, Statement, Tier
from quoth.core.ledger.versions import version, version_json
from quoth.core.memory import EntryRow, same_text
from quoth.core.vectors import key_of
from quoth.readers.stems import stems
from quoth.storage._database import Database, Row
from quoth.storage._projects import Places

# How roots are shown by the names given to them, for each type, scope and beginning of a name.
Names: TypeAlias = dict[tuple[str, Scope, str], dict[tuple[EntryId, str], str]]

_GONE = {State.FORGOTTEN, State.DESTROYED}
_INDEXED = {State.CURRENT, State.NEGATED, State.SUPERSEDED}
_HAS_CHATS = ("personal", "chats")


Spelled: TypeAlias = tuple[str, str, str]  # tokens by parts and joined, stems


def indexed(ledger: Ledger, entry: EntryVersion) -> Spelled | None:
    """Return the words of a version as full text takes them; None of what it does not hold."""
    return spelled(entry.statement) if entry.statement and ledger.state(entry) in _INDEXED else None


def columns(ledger: Ledger, root: Root, entry: EntryVersion, place: int, *, found: Spelled | None) -> dict[str, object]:
    """Return what the query `add_version` takes of a version, of which full text holds the words `found`."""
    state = ledger.state(entry)
    said = entry.statement if state is not State.DESTROYED else None
    is_current = root.is_current(entry.id)
    return {
        "id": entry.id,
        "root": root.id,
        "place": place,
        "age": _age(root),
        "state": state.value,
        "is_current": is_current,
        "is_concurrent": root.is_concurrent(entry.id),
        "current": root.current.id if root.current else None,
        "created_at": entry.created_at,
        "tier": root.tier.value,
        "is_cited": bool(entry.cites),
        "data": json.dumps(_data(ledger, entry), ensure_ascii=False),
        "is_indexed": found is not None,
        "tokens": words.count(found[0]) - found[0].count(words.BORDER) if found else 0,
        **_scope(root.scope or Scope()),
        **_said(said),
        **_ranked(said if found else None),
    }


def spelled(said: Statement) -> Spelled:
    """Return the words of an entry as full text takes them: those of its text, its name and its tags; and the stems."""
    texts = [words.spell(words.mark(text)) for text in (said.text, said.name or "", *said.tags) if text]
    border = f" {words.BORDER} "  # no phrase reaches from one into the next
    parts = border.join(parts for parts, _ in texts)
    return parts, border.join(joined for _, joined in texts if joined), " ".join(stems(parts))


def digest(text: str) -> bytes:
    return hashlib.sha256(same_text(text).encode("utf-8", "surrogatepass")).digest()


def scope_columns(scope: Scope | None) -> Mapping[str, str | None]:
    return _scope(scope) if scope else dict.fromkeys(_scope(Scope()))


class Rows:
    """Reads versions. Names depend on the other roots of a scope and type, so they are found when asked for."""

    def __init__(self, db: Database, places: Places) -> None:
        self._db = db
        self._places = places

    def read(self, numbers: Sequence[int]) -> Sequence[EntryRow]:
        """Return versions in the order of their numbers."""
        given = json.dumps(list(numbers))
        with self._db.reading():
            rows = {row[0]: row for row in self._db.all("entry_rows", numbers=given)}
            relations = self._relations({row[2] for row in rows.values()})
            names: Names = {}
            project = cache(self.project)  # each asks the index whether projects changed, which they can't in here
            return [self._row(rows[number], relations, names, project) for number in numbers if number in rows]

    def _row(
        self,
        row: Row,
        relations: Mapping[EntryId, Sequence[Relation]],
        names: Names,
        project: Callable[[Scope], str | None],
    ) -> EntryRow:
        _, _, root, state, _, is_concurrent, current, name, type_, *rest = row
        scope, tier, data = Scope(*rest[:4]), Tier(rest[4]), json.loads(rest[5])
        kept = version(data["version"])
        if name is not None and state not in _GONE:
            name = self._names(names, type_, scope, name).get((root, name), name)
        return EntryRow(
            version=kept,
            state=State(state),
            current=current,
            is_concurrent=bool(is_concurrent),
            scope=scope,
            tier=tier,
            name=name,
            project=project(scope),
            cites=tuple(kept.cites[place] for place in data["shown"]),
            relations=tuple(relations[root]),
        )

    def project(self, scope: Scope) -> str | None:
        """Return the name shown of the project where entries of a scope belong; None for what is personal."""
        project = project_of(scope.workspace, scope.repository)
        return None if project is None else self._places.name(project)

    def _names(self, known: Names, type_: str, scope: Scope, name: str) -> Mapping[tuple[EntryId, str], str]:
        """Return how roots are shown whose names may meet: a name is told apart by what follows it after a dash."""
        stem = name.partition("-")[0]
        if (type_, scope, stem) not in known:
            used: set[str] = set()
            shown = known[type_, scope, stem] = {}
            for root, given in self._db.all("names_given", type=type_, stem=stem, **_scope(scope)):
                shown[root, given] = shown_name(given, root, used)
                used.add(shown[root, given])
        return known[type_, scope, stem]

    def _relations(self, roots: set[EntryId]) -> Mapping[EntryId, Sequence[Relation]]:
        found: dict[EntryId, list[Relation]] = defaultdict(list)
        for holder, *edge in self._db.all("relations_of", roots=json.dumps(sorted(roots))):
            found[holder].append(Relation(*edge))
        return found


def project_of(workspace: str, repository: str) -> ProjectId | None:
    """Return the project that a scope names."""
    return None if not repository or (workspace, repository) == _HAS_CHATS else ProjectId(repository)


def _age(root: Root) -> str:
    """Return a text that sorts roots by the time of their first version."""
    first = root.versions[0]
    return f"{first.time.ms:016d} {first.time.step:012d} {first.device}"


def _scope(scope: Scope) -> dict[str, str]:
    return {
        "tenant": scope.tenant,
        "workspace": scope.workspace,
        "repository": scope.repository,
        "branch": scope.branch,
    }


def _said(said: Statement | None) -> dict[str, object]:
    return {
        "kind": said.kind.value if said else None,
        "type": said.type if said else None,
        "name": said.name if said else None,
        "valid_from": said.valid_from if said else None,
        "valid_to": said.valid_to if said else None,
        "agent": said.agent if said else None,
        "digest": digest(said.text) if said else None,
    }


def _ranked(said: Statement | None) -> dict[str, object]:
    """Return what candidates are ranked by, of what full text holds."""
    return {
        "by_person": said is not None and said.attribution is Attribution.USER,
        "importance": said.importance if said else None,
        "seen_branch": said.branch if said else "",
        "text_key": key_of(said.text) if said else None,
    }


def _data(ledger: Ledger, entry: EntryVersion) -> dict[str, object]:
    visible = ledger.citations(entry)
    shown = [place for place, cited in enumerate(entry.cites) if cited in visible]
    return {"version": version_json(entry), "shown": shown}
