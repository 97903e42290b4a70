"""Take secrets out of what was stored before a rule knew them: by a correction, and by destroying what held them.

The rules of redaction have a number (`core.redact.VERSION`). The index notes up to which one memory was looked through;
an index that was made anew knows nothing of it, so a rebuild looks again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import cast

from quoth.core.ledger.operations import Draft, Judge, Verdict, asserting
from quoth.core.ledger.values import Citation, Statement
from quoth.core.memory import EntryRow
from quoth.core.model import Json
from quoth.core.redact import VERSION, Redactor
from quoth.services._deciding import dated, fresh_id
from quoth.services._destroying import Destroying
from quoth.services._memory import Memory
from quoth.services._quarantine import OURSELVES

_NOTE = "redaction rules"


@dataclass(frozen=True, slots=True)
class Rescan:
    memory: Memory
    destroying: Destroying
    version: int = VERSION

    def is_due(self) -> bool:
        """Tell whether memory was not looked through by these rules; of an index that is new nobody knows."""
        return self.memory.is_begun() and self.memory.index.noted(_NOTE) != self.version

    def is_behind(self) -> bool:
        """Tell whether the rules grew since memory was looked through."""
        return self.is_due() and self.memory.index.noted(_NOTE) is not None

    def run(self) -> int:
        """Look through memory if that is due, and return how many entries lost a secret."""
        if not self.is_due():
            return 0
        self.memory.catch_up()
        versions = groupby(self.memory.entries.all(), key=lambda row: row.root)
        found = [rows[0].root for _, each in versions if _holds_secrets(rows := list(each))]
        for root in found:
            with self.memory.deciding():
                if drafts := self._drafts(self.memory.entries.history(root)):
                    self.memory.append(drafts)
        if found:
            self.destroying.scrub()
        self.memory.index.note(_NOTE, self.version)
        return len(found)

    def _drafts(self, rows: Sequence[EntryRow]) -> list[Draft]:
        """Return what gives an entry its words without the secrets, and destroys every version that holds them."""
        redact = Redactor()
        gone = {row.id for row in rows if _redacted(row, redact) != row}
        head = next((row for row in rows if row.is_current), None)
        if not gone or head is None:
            return []
        us = OURSELVES.author(self.memory.journal.device()[1])
        why = f"It holds what is known to be a secret now: {', '.join(sorted(redact.taken))}."
        kept = [cited for row in rows if row.id in gone for cited in _redacted(row, Redactor()).version.cites]
        corrected = self._correction(_redacted(head, Redactor()), us, why) if head.id in gone else []
        destroyed = self.destroying.versions(head.root, gone, kept=kept, actor=us, reason=why, fingerprints=False)
        return [*corrected, *destroyed]

    def _correction(self, row: EntryRow, us: str, why: str) -> list[Draft]:
        """Return the version that says what another one says, judged as that one is.

        One of an agent's memory file still says that it was read there, so that the file goes on being its source.
        """
        said = row.version.statement
        if said is None:
            return []
        said = dated(
            replace(
                said, author=said.author if said.imported else us, epistemic=row.version.epistemic or said.epistemic
            ),
            row,
            now=self.memory.clock.now(),
        )
        entry = fresh_id(said.created_at)
        body = asserting(
            entry,
            said,
            row.version.cites,
            root=row.root,
            supersedes=row.id,
            saw=(row.id,),  # what is in dispute stays so
            inherits=False,  # what it inherited may hold the secret
        )
        negated = [Draft(Judge(Verdict.NEGATE, entry, row.root), us, why)] if row.version.negated else []
        return [Draft(body, us, f"{row.version.reason} {why}" if said.imported else why), *negated]


def _holds_secrets(rows: Sequence[EntryRow]) -> bool:
    redact = Redactor()
    return any(_redacted(row, redact) != row for row in rows)


def _redacted(row: EntryRow, redact: Redactor) -> EntryRow:
    version = row.version
    said = version.statement and _statement(version.statement, redact)
    cites = tuple(_citation(each, redact) for each in version.cites)
    reason = version.reason and redact(version.reason)
    return replace(row, version=replace(version, statement=said, cites=cites, reason=reason))


def _statement(said: Statement, redact: Redactor) -> Statement:
    return replace(
        said,
        text=redact(said.text),
        name=said.name and redact(said.name),
        tags=tuple(map(redact, said.tags)),
        fields=cast("Mapping[str, Json]", _value(said.fields, redact)),
        uncited=said.uncited and redact(said.uncited),
    )


def _citation(cited: Citation, redact: Redactor) -> Citation:
    return replace(cited, quote=cited.quote and redact(cited.quote))


def _value(value: Json, redact: Redactor, name: str = "") -> Json:
    """Redact a value as it would be beside its name, as it was when it was stored."""
    match value:
        case str():
            beside = f"{name}=" if name else ""
            return redact(f"{beside}{value}").removeprefix(beside)
        case Mapping():
            return {key: _value(each, redact, key) for key, each in value.items()}
        case Sequence():
            return [_value(each, redact, name) for each in value]
        case _:
            return value
