"""Restore: undo one tombstone (ORI-62). Who asks has made sure that it is the person."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from quoth.core.errors import NotStored, UnknownTombstone
from quoth.core.ids import EntryId, EventId, forget_of, tombstone_id
from quoth.core.ledger.merge import affected_by, fold
from quoth.core.ledger.operations import Draft, Forget, Operation, restoring
from quoth.core.memory import Fate
from quoth.core.model import Json
from quoth.core.speaker import Speaker
from quoth.services._memory import GONE, Memory
from quoth.services.forget import admitted


@dataclass(frozen=True, slots=True)
class Restoring:
    memory: Memory

    def run(self, tombstone: str, *, by: Speaker, how: str, reason: str = "") -> dict[str, Json]:
        """Undo a tombstone and return what is visible again; what another tombstone hides, or was destroyed, is not.

        `how` says by what the person was told from an agent; it stands before the reason. One that was restored before
        is left as it is.

        Raises:
            InvalidArgument: the reason is too long.
            UnknownTombstone: no tombstone has that id.
            NotStored: the tombstone still holds afterwards.
        """
        said = admitted(reason, least=0)
        why = f"{how}: {said}" if said else how
        if not self.memory.is_begun():
            raise UnknownTombstone(tombstone)
        with self.memory.deciding():
            operation, forget = self._found(tombstone)
            is_new = self._is_live(operation)
            hidden = self._hidden(forget)
            if is_new:
                actor = by.author(self.memory.journal.device()[1])
                self.memory.append([Draft(restoring(operation.id, forget), actor, why)])
        if self._is_live(operation):
            raise NotStored(f"The restoring of {tombstone_id(operation.id)}")
        versions, events = self._visible(*hidden)
        return {
            "tombstone": tombstone_id(operation.id),
            "restored_entries": list(versions) if is_new else [],
            "restored_events": len(events) if is_new else 0,
            "is_new": is_new,
        }

    def _found(self, given: str) -> tuple[Operation, Forget]:
        name = forget_of(given)
        operation = self.memory.ledger().operation(name) if name else None
        if operation is None or not isinstance(operation.body, Forget):
            raise UnknownTombstone(given)
        return operation, operation.body

    def _is_live(self, operation: Operation) -> bool:
        about = fold(self.memory.ledger().about(affected_by([operation])))
        return about.tombstones[operation.id].is_live

    # --- what is hidden, and what of it is visible ---

    def _hidden(self, forget: Forget) -> tuple[Sequence[EntryId], Sequence[EventId]]:
        entries = self.memory.entries
        citing = (row.root for event in forget.events for row in entries.citing(event))
        roots = dict.fromkeys([*forget.entries, *citing])
        rows = [row for root in roots for row in entries.history(root)]
        events = dict.fromkeys([*self._present(forget.events), *(self._cited(forget) if forget.cited else ())])
        return (
            [row.id for row in rows if row.state in GONE],
            [event for event in events if entries.fate(event) is not Fate.VISIBLE],
        )

    def _cited(self, forget: Forget) -> Iterator[EventId]:
        rows = (row for root in forget.entries for row in self.memory.entries.history(root))
        return self._present([cited.event for row in rows for cited in row.version.cites])

    def _present(self, events: Sequence[EventId]) -> Iterator[EventId]:
        return (self.memory.entries.spellings(event)[0] for event in events)

    def _visible(
        self, versions: Sequence[EntryId], events: Sequence[EventId]
    ) -> tuple[Sequence[EntryId], Sequence[EventId]]:
        entries = self.memory.entries
        rows = (entries.version(version) for version in versions)
        return (
            [row.id for row in rows if row and row.state not in GONE],
            [event for event in events if entries.fate(event) is Fate.VISIBLE],
        )
