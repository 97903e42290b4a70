"""Decide what of foreign notes and things is new, is another version of what is known, or is known already.

The id of a version is a hash of where it was read, what it replaces and what it says, so that importing twice is once
and a changed note supersedes. A file that we exported and somebody changed corrects the entry it came from.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from quoth.core.errors import ImportRefused, InvalidArgument
from quoth.core.ids import DeviceId, EntryId, SourceId, full_spellings, imported_entry_id
from quoth.core.inference import infer
from quoth.core.ledger.entries import State
from quoth.core.ledger.operations import Draft, Relate, asserting
from quoth.core.ledger.values import Attribution, EntryKind, Scope, Statement
from quoth.core.memory import EntryRow, same_text
from quoth.core.types import EntryType, Level
from quoth.services._admission import Admission, demand_order
from quoth.services._gone import Gone
from quoth.services._importing import Plan
from quoth.services._incoming import Edge, Left, Thing, Things
from quoth.services._memory import GONE, Memory
from quoth.services._placing import Placing

_FROM = "imported from "
_HELD = frozenset({State.QUARANTINED, State.SEALED})


@dataclass(slots=True)
class ThingsPlan:
    """`source` is the word for the kind of store in the ids; `author` writes."""

    memory: Memory
    placing: Placing
    admit: Admission
    source: SourceId
    author: str
    project: str | None
    plan: Plan = field(default_factory=Plan)
    known: dict[str, list[EntryRow]] = field(default_factory=dict)
    said: dict[str, EntryId] = field(default_factory=dict)
    names: dict[str, tuple[EntryId, EntryId]] = field(default_factory=dict)
    """The version and the root that a thing's name stands for."""
    taken: set[tuple[str, str, Scope]] = field(default_factory=set)
    _gone: Gone = field(init=False)

    def __post_init__(self) -> None:
        self._gone = Gone(self.memory)

    def of(self, things: Things) -> Plan:
        self._remember_imports()
        self.plan.left.extend(things.left)
        for thing in things.things:
            self._thing(thing)
        for edge in things.edges:
            self._edge(edge)
        return self.plan

    def _remember_imports(self) -> None:
        for row in self.memory.entries.all():
            said = row.version.statement
            if said and said.uncited and said.uncited.startswith(_FROM):
                self.known.setdefault(said.uncited, []).append(row)

    # --- things ---

    def _thing(self, thing: Thing) -> None:
        try:
            statement = self._statement(thing)
        except InvalidArgument as error:
            if error.argument != "text":
                raise ImportRefused(thing.place, str(error).rstrip(".")) from error
            self._leave(thing, str(error))
            return
        if exported := self._exported(thing):
            self._edited(thing, statement, exported)
        elif before := self._before(statement):
            self._again(thing, statement, before)
        else:
            self._first(thing, statement)

    def _leave(self, thing: Thing, reason: str) -> None:
        self.plan.left.append(Left(thing.place, reason))

    def _statement(self, thing: Thing) -> Statement:
        admit, given = self.admit, thing.given
        type_, more = self._type(thing)
        valid_from, valid_to = (admit.instant(given.get(name), name) for name in ("valid_from", "valid_to"))
        demand_order(valid_from, valid_to)
        scope = self._scope(type_)
        text = admit.text(thing.text)
        inferred = infer(text)
        return Statement(
            text=text,
            kind=type_.kind,
            type=type_.name,
            created_at=min(thing.created_at or admit.now, admit.now),
            author=self.author,
            name=self._name(thing, type_, scope),
            tags=admit.tags([*dict.fromkeys([*more, *thing.tags])]),
            confidence=admit.strength(_number(given.get("confidence")), "confidence", 0.8),
            epistemic=inferred.epistemic,
            polarity=inferred.polarity,
            importance=admit.strength(_number(given.get("importance")), "importance", 0.5),
            scope=scope,
            valid_from=valid_from,
            valid_to=valid_to,
            event_time=admit.instant(given.get("event_time"), "event_time"),
            attribution=_attribution(given.get("attribution")),
            uncited=admit.reason(thing.uncited, "uncited"),
        )

    def _type(self, thing: Thing) -> tuple[EntryType, list[str]]:
        """Return the type of a thing; a word that names none of ours says something, so it becomes a tag."""
        kind = EntryKind(thing.given["kind"]) if thing.given.get("kind") in list(EntryKind) else None
        known = self.admit.types.by_name.get(thing.type or "")
        if known is not None:
            return known, []
        return self.admit.types.default(kind or EntryKind.MEMORY), [thing.type] if thing.type else []

    def _scope(self, type_: EntryType) -> Scope:
        level = Level.TENANT if type_.place is Level.TENANT and self.project is None else Level.REPOSITORY
        return self.placing.scope(project=self.project, level=level)

    def _name(self, thing: Thing, type_: EntryType, scope: Scope) -> str | None:
        """Return the name of a thing; one that another entry has gives way to the longer one."""
        for given in dict.fromkeys((thing.name, thing.further_name)):
            try:
                name = self.admit.name(" ".join(given.split())[:200])
            except InvalidArgument:
                continue
            if name and self._is_free(thing, name, type_, scope):
                return name
        return None

    def _is_free(self, thing: Thing, name: str, type_: EntryType, scope: Scope) -> bool:
        if (name, type_.name, scope) in self.taken:
            return False
        own = {row.root for row in self.known.get(self.admit.reason(thing.uncited, "uncited"), ())}
        if exported := self._exported(thing):
            own.add(exported.root)
        return all(row.root in own for row in self.memory.entries.named(name, type=type_.name, scope=scope))

    # --- what is known of it ---

    def _exported(self, thing: Thing) -> EntryRow | None:
        """Return the version of ours that a file was exported from."""
        spelled = full_spellings(thing.id) if thing.id else ()
        return self.memory.entries.version(spelled[0]) if spelled else None

    def _before(self, statement: Statement) -> EntryRow | None:
        """Return the newest version that was read in the same place; one that is not forgotten, if there is any."""
        rows = [row for row in self.known.get(statement.uncited or "", []) if self._is_read(row)]
        return max(rows, key=lambda row: (row.state not in GONE, row.version.rank), default=None)

    def _is_read(self, row: EntryRow) -> bool:
        """Tell a version that was read from one that somebody wrote over it: that one has an id of chance."""
        said = row.version.statement
        return said is not None and self._id(said, row.version.supersedes) == row.id

    # --- what becomes of it ---

    def _first(self, thing: Thing, statement: Statement) -> None:
        entry = self._id(statement, None)
        equal = list(self.memory.entries.equal(statement.text, scope=statement.scope))
        if twin := next((row for row in equal if row.state not in GONE), None):
            self._is_known(thing, twin.id, twin.root)
        elif same_text(statement.text) in self.said:
            twin_id = self.said[same_text(statement.text)]
            self._is_known(thing, twin_id, twin_id)
        elif equal or self.memory.entries.version(entry):
            self._leave(thing, "forgotten")
        elif gone := self._gone.state(statement.text):
            self._leave(thing, gone.value)
        else:
            self._write(thing, entry, statement, None)

    def _again(self, thing: Thing, statement: Statement, before: EntryRow) -> None:
        current = self.memory.entries.version(before.current) if before.current else None
        if before.state in GONE or current is None:
            self._leave(thing, "forgotten")
        elif current.state in _HELD:
            self._leave(thing, current.state.value)
        elif _is_same(before.version.statement, statement):
            self._is_known(thing, current.id, current.root)
        else:
            said = replace(statement, scope=before.scope, tier=before.tier)
            self._write(thing, self._id(said, current.id), said, current)

    def _edited(self, thing: Thing, statement: Statement, exported: EntryRow) -> None:
        """Correct the entry that a file was exported from, if somebody changed its words since."""
        row = self._taken_over(thing, exported)
        old = row.version.statement
        if row.state in GONE or old is None:
            self._leave(thing, "forgotten")
        elif same_text(old.text) == same_text(statement.text):
            self._is_known(thing, row.id, row.root)
        elif row.state is not State.CURRENT:
            self._leave(thing, row.state.value)
        else:
            said = replace(old, text=statement.text, author=self.author, created_at=statement.created_at)
            self._write(thing, self._edited_id(thing, said, row.id), said, row, inherits=True)

    def _taken_over(self, thing: Thing, exported: EntryRow) -> EntryRow:
        """Return the version whose words a file holds since it was last read: its own, or one that it corrected."""
        current = self.memory.entries.version(exported.current) if exported.current else None
        said = current.version.statement if current else None
        if current is None or said is None:
            return exported
        return current if self._edited_id(thing, said, current.version.supersedes) == current.id else exported

    def _edited_id(self, thing: Thing, said: Statement, previous: EntryId | None) -> EntryId:
        return self._id(said, previous, path=f"edited {thing.place}")

    def _is_known(self, thing: Thing, entry: EntryId, root: EntryId) -> None:
        self.plan.duplicates += 1
        self.names[thing.name] = (entry, root)

    def _write(
        self, thing: Thing, entry: EntryId, said: Statement, current: EntryRow | None, *, inherits: bool = False
    ) -> None:
        root = current.root if current else entry
        if self.memory.entries.version(entry):
            self._is_known(thing, entry, root)
            return
        if current:
            said = replace(said, created_at=max(said.created_at, current.version.created_at + 1))
        supersedes = current.id if current else None
        body = asserting(entry, said, root=root, supersedes=supersedes, saw=self._heads(root), inherits=inherits)
        self.plan.drafts.append(Draft(body, self.author, "imported again" if current else ""))
        self.plan.take(entry, said, is_first=current is None)
        self.said[same_text(said.text)] = entry
        self.names[thing.name] = (entry, root)
        if said.name:
            self.taken.add((said.name, said.type, said.scope))

    def _heads(self, root: EntryId) -> Iterator[EntryId]:
        return (row.id for row in self.memory.entries.history(root) if row.is_current or row.is_concurrent)

    def _id(self, said: Statement, previous: EntryId | None, *, path: str | None = None) -> EntryId:
        return imported_entry_id(
            self.memory.key(),
            device=DeviceId(self.memory.journal.devices()[0]),  # a restored home goes on with the same notes
            source=self.source,
            path=path or said.uncited or "",
            previous=previous,
            content=json.dumps([said.type, said.name, said.text, *said.tags], ensure_ascii=False).encode(),
        )

    # --- relations ---

    def _edge(self, edge: Edge) -> None:
        one, other = self.names.get(edge.one), self.names.get(edge.other)
        if one is None or other is None:
            self.plan.left.append(Left(f"{edge.one} {edge.relation} {edge.other}", "unknown_thing"))
            return
        relation = self.admit.reason(edge.relation, "relation")
        if not self._is_related(one[1], other[1], relation):
            self.plan.drafts.append(Draft(Relate(one[0], one[1], other[0], other[1], relation), self.author))
            self.plan.relations += 1

    def _is_related(self, root: EntryId, other: EntryId, relation: str) -> bool:
        rows = self.memory.entries.history(root)
        return any((e.relation, e.root, e.other_root) == (relation, root, other) for row in rows for e in row.relations)


def _is_same(old: Statement | None, new: Statement) -> bool:
    """Tell whether a note says what it said before; when it was written and where it applies does not count."""
    return old is not None and replace(
        new, created_at=old.created_at, author=old.author, scope=old.scope, tier=old.tier
    ) == replace(old, fields=new.fields)


def _number(given: str | None) -> object:
    try:
        return None if given is None else float(given)
    except ValueError:
        return given


def _attribution(given: str | None) -> Attribution:
    return Attribution(given) if given in list(Attribution) else Attribution.OTHER
