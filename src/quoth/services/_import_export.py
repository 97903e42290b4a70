"""Write again what an export of ours holds, under the same ids: what is not known here is asserted."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from quoth.core.errors import ImportRefused
from quoth.core.ids import EntryId, ProjectId
from quoth.core.ledger import codec
from quoth.core.ledger.entries import Relation
from quoth.core.ledger.exported import Header, Placed, Version, key_mark, read_header, read_line
from quoth.core.ledger.operations import Assert, Body, Draft, Judge, Move, Promote, Relate, Verdict, citing
from quoth.core.ledger.values import Citation, Epistemic, Scope, Statement, Tier
from quoth.core.memory import EntryRow, MemoryIndex
from quoth.core.model import Json, Named
from quoth.core.names import printable_path
from quoth.core.redact import Redactor
from quoth.services._importing import Plan
from quoth.services._incoming import Left, lines
from quoth.services._memory import GONE

_LOGIN = re.compile(r"(?<=^git:)[^/]*@")

Record = Named | Version | Placed | Relation


@dataclass(frozen=True, slots=True)
class Read:
    """The records of an export with the lines where they stand, without secrets."""

    header: Header
    records: Sequence[tuple[int, Record]]


def read_export(path: Path, key: bytes, redact: Redactor) -> Read:
    """Read an export.

    Raises:
        ImportRefused: a line of it can't be read; nothing is imported then.
        NewerFormat: a newer program wrote it.
    """
    file, listed = printable_path(str(path)), lines(path)
    number, first = next(listed, (1, ""))
    try:
        header = read_header(first)
        if header is None:
            raise ValueError("it is no export of Quoth")
        cleaning = _Cleaning(redact, has_same_key=header.key == key_mark(key))
        records: list[tuple[int, Record]] = []
        for number, text in listed:
            record = cleaning.of(read_line(text))
            _demand_writable(record)
            records.append((number, record))
    except UnicodeEncodeError as error:
        raise ImportRefused(file, "it holds half a character", number) from error
    except ValueError as error:
        raise ImportRefused(file, str(error) or "it can't be read", number) from error
    _demand_complete(file, header, records, number)
    return Read(header, records)


def _demand_complete(file: str, header: Header, records: Sequence[tuple[int, Record]], last: int) -> None:
    if header.versions != sum(isinstance(record, Version) for _, record in records):
        raise ImportRefused(file, f"it does not hold the {header.versions} versions that its first line tells of", last)


def _demand_writable(record: Record) -> None:
    """Find out before anything is written that a record can't be: half a character, a number that is none."""
    if isinstance(record, Version):
        codec.encode(Draft(_assert(record), "importer", record.reason))
    elif isinstance(record, Relation):
        codec.encode(Draft(_relate(record), "importer"))


@dataclass(frozen=True, slots=True)
class _Cleaning:
    """Takes secrets out. Marks of quotes that were made under another key prove nothing here."""

    redact: Redactor
    has_same_key: bool

    def of(self, record: Record) -> Record:
        if isinstance(record, Relation):
            return replace(record, relation=self.redact(record.relation))
        if isinstance(record, Placed):
            return replace(record, scope=record.scope and self._scope(record.scope))
        if isinstance(record, Named):
            owner = record.owner and self.redact(record.owner)
            return Named(ProjectId(self._address(record.project)), self.redact(record.name), owner)
        return replace(
            record,
            statement=self._statement(record.statement) if record.statement else None,
            reason=self.redact(record.reason),
            citations=tuple(map(self._citation, record.citations)),
        )

    def _statement(self, said: Statement) -> Statement:
        return replace(
            said,
            text=self.redact(said.text),
            scope=self._scope(said.scope),
            name=self.redact(said.name) if said.name else None,
            tags=tuple(map(self.redact, said.tags)),
            fields={name: self._value(value) for name, value in said.fields.items()},
            uncited=self.redact(said.uncited) if said.uncited else None,
        )

    def _scope(self, said: Scope) -> Scope:
        parts = {"tenant": said.tenant, "workspace": said.workspace, "branch": said.branch}
        kept = {name: self.redact(part) for name, part in parts.items()}
        return Scope(repository=self._address(said.repository), **kept)

    def _address(self, project: str) -> str:
        """Return the id of a project without who logs in there, as it is made of a remote."""
        return self.redact(_LOGIN.sub("", project))

    def _value(self, value: Json) -> Json:
        if isinstance(value, str):
            return self.redact(value)
        if isinstance(value, Mapping):
            return {self.redact(name): self._value(each) for name, each in value.items()}
        return [self._value(each) for each in value] if isinstance(value, list) else value

    def _citation(self, cited: Citation) -> Citation:
        mark = cited.mark if self.has_same_key else None
        return replace(cited, quote=self.redact(cited.quote) if cited.quote else None, mark=mark)


@dataclass(slots=True)
class ExportPlan:
    """Decides, on what is known here, what of an export is new. `scope` takes the place of the one that was said."""

    entries: MemoryIndex
    file: str
    actor: str
    scope: Scope | None
    plan: Plan = field(default_factory=Plan)
    new: dict[EntryId, EntryId] = field(default_factory=dict)

    def of(self, read: Read) -> Plan:
        for number, record in read.records:
            match record:
                case Named() if self.scope is None:
                    self.plan.projects.append(record)
                case Version():
                    self._version(record, number)
                case Placed():
                    self._add(self._placed(record))
                case Relation():
                    self._add(self._relation(record), related=True)
        return self.plan

    def _add(self, bodies: Iterable[Body], *, reason: str = "", related: bool = False) -> None:
        for body in bodies:
            self.plan.drafts.append(Draft(body, self.actor, reason))
            self.plan.relations += related

    # --- versions ---

    def _version(self, version: Version, number: int) -> None:
        row = self.entries.version(version.entry)
        root = row.root if row else self.new.get(version.entry)
        if root not in {None, version.root}:
            raise ImportRefused(self.file, f"{version.entry} is a version of another entry here", number)
        if row is None and root is None:
            self._new(version)
        else:
            self.plan.duplicates += 1
            self._add(self._later(version, row) if row and row.state not in GONE else ())

    def _new(self, version: Version) -> None:
        if any(row.state in GONE for row in self.entries.history(version.root)):
            self.plan.left.append(Left(version.entry, "forgotten"))
            return
        said = version.statement
        if said and self.scope is not None:
            said = replace(said, scope=self.scope)
        self._add([_assert(replace(version, statement=said))], reason=version.reason)
        self._add(_judgements(version, None))
        self.new[version.entry] = version.root
        self.plan.take(version.entry, said, is_first=version.supersedes is None)

    def _later(self, version: Version, row: EntryRow) -> Iterator[Body]:
        """Yield what was said of a known version elsewhere since: citations and judgements."""
        known = {(cited.event, cited.quote) for cited in row.version.cites}
        if cited := [each for each in version.citations if (each.event, each.quote) not in known]:
            yield citing(version.entry, version.root, cited)
        yield from _judgements(version, row)

    # --- roots and relations ---

    def _placed(self, placed: Placed) -> Iterator[Body]:
        row = self.entries.version(placed.root)
        if row is None and placed.root not in self.new:
            return
        if row is None and placed.scope is not None and self.scope is None:
            yield Move(placed.root, placed.scope)
        if placed.tier is Tier.DURABLE and (row is None or row.tier is not Tier.DURABLE):
            yield Promote(placed.root, Tier.DURABLE)

    def _relation(self, relation: Relation) -> Iterator[Body]:
        row = self.entries.version(relation.entry)
        known = row.relations if row else ()
        if all(self._is_here(entry) for entry in (relation.entry, relation.other)) and relation not in known:
            yield _relate(relation)

    def _is_here(self, entry: EntryId) -> bool:
        row = self.entries.version(entry)
        return entry in self.new or (row is not None and row.state not in GONE)


def _assert(version: Version) -> Assert:
    events = tuple(sorted({cited.event for cited in version.citations}))
    return Assert(
        version.entry,
        version.root,
        version.supersedes,
        version.saw,
        events,
        version.inherits,
        version.statement,
        version.citations,
    )


def _relate(relation: Relation) -> Relate:
    return Relate(relation.entry, relation.root, relation.other, relation.other_root, relation.relation)


def _judgements(version: Version, row: EntryRow | None) -> Iterator[Judge]:
    """Yield the judgements that a version lacks here; one that was made here is not outvoted."""
    if version.negated and not (row and row.version.negated):
        yield Judge(Verdict.NEGATE, version.entry, version.root)
    if version.epistemic is not None and not (row and row.version.judgements):
        verdict = Verdict.DEMOTE if version.epistemic is Epistemic.POSSIBLE else Verdict.CONFIRM
        yield Judge(verdict, version.entry, version.root, version.epistemic)
