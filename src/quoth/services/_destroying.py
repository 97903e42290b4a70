"""Destroy what entries say, for ever: the payloads in the ledger and every row and word of them in the index.

What stays are ids, times and reasons, and fingerprints by which the words are recognised when they come again. What a
newer version cites through a destroyed one is kept for it: without the quotes, or with those that its destroyer gives.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace

from quoth.core.ids import EntryId, OperationId
from quoth.core.ledger.operations import Assert, Cite, Destroy, Draft, Operation, Subjects, citing
from quoth.core.ledger.values import Citation
from quoth.core.memory import EntryRow
from quoth.services._gone import statement_marks
from quoth.services._memory import Memory


@dataclass(frozen=True, slots=True)
class Destroying:
    """`drop_others` removes the index files of other schemas, which nobody brings up to date."""

    memory: Memory
    drop_others: Callable[[], None]

    def version(self, row: EntryRow, *, actor: str, reason: str) -> None:
        """Destroy an entry with all its versions; of one that was replaced, that version alone."""
        if row.is_current:
            marks = statement_marks(self.memory, _texts(self.memory.entries.history(row.root)))
            self.memory.append([Draft(Destroy(entries=(row.root,), fingerprints=marks), actor, reason)])
            return
        kept = [replace(cited, quote=None, span=None, mark=None) for cited in row.version.cites]
        self.memory.append(self.versions(row.root, {row.id}, kept=kept, actor=actor, reason=reason))

    def versions(
        self,
        root: EntryId,
        gone: Collection[EntryId],
        *,
        kept: Sequence[Citation],
        actor: str,
        reason: str,
        fingerprints: bool = True,
    ) -> list[Draft]:
        """Return what destroys some versions of an entry, which were replaced, and leaves the current one `kept`."""
        history = self.memory.entries.history(root)
        head = next((row for row in history if row.is_current), None)
        texts = _texts(row for row in history if row.id in gone) if fingerprints else ()
        body = Destroy(operations=self._saying(root, gone), fingerprints=statement_marks(self.memory, texts))
        drafts = [Draft(body, actor, reason)]
        if head and head.id not in gone and (lost := _lost(head, kept)):
            drafts.insert(0, Draft(citing(head.id, root, lost), actor))
        return drafts

    def scrub(self) -> None:
        """Leave no byte of what was destroyed in any file; what other processes still read goes at the next pass."""
        self.memory.ledger().scrub()
        self.drop_others()

    def _saying(self, root: EntryId, gone: Collection[EntryId]) -> tuple[OperationId, ...]:
        about = self.memory.ledger().about(Subjects(entries=frozenset({root})))
        return tuple(sorted(operation.id for operation in about if _says(operation, gone)))


def _says(operation: Operation, gone: Collection[EntryId]) -> bool:
    body = operation.body
    return isinstance(body, Assert | Cite) and body.entry in gone


def _texts(rows: Iterable[EntryRow]) -> Sequence[str]:
    return [row.version.statement.text for row in rows if row.version.statement]


def _lost(head: EntryRow, kept: Sequence[Citation]) -> Sequence[Citation]:
    """Return the citations that the current version has of those that go."""
    cited = {each.event for each in head.version.cites}
    return [each for each in kept if each.event in cited]
