"""Forget: hide entries and events with a reason (ORI-57 to ORI-62, QUO-6).

What a call hides is decided first and then written as one operation, so that a preview costs nothing. The ledger's
rules say what a tombstone hides (`core.ledger.merge`); the decision here foretells it, and the index is asked after.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from quoth.core.errors import InvalidArgument, NotStored, TooMany, UnknownId
from quoth.core.ids import DeviceId, EntryId, EventId, OperationId, tombstone_id
from quoth.core.ledger.entries import Tombstone
from quoth.core.ledger.merge import fold
from quoth.core.ledger.operations import Draft, Forget
from quoth.core.ledger.values import StoredAnchor
from quoth.core.memory import Fate
from quoth.core.model import Json
from quoth.core.redact import redact
from quoth.core.speaker import Speaker
from quoth.core.times import local_iso
from quoth.services._gone import statement_marks
from quoth.services._holding import Holding, can_be_found
from quoth.services._memory import GONE, Memory, is_entry_id

_BROKEN = re.compile("[\0\ud800-\udfff]")
_LONGEST = 2_000  # characters of a reason (ORI-59)
_MOST, _HOUR = 100, 60 * 60 * 1_000  # what one agent may forget, and in how many milliseconds (SEC-8)


@dataclass(frozen=True, slots=True)
class Targets:
    """What is to be forgotten: entries by their roots, events by their present ids; each once, in order."""

    roots: tuple[EntryId, ...] = ()
    events: tuple[EventId, ...] = ()

    def __or__(self, other: Targets) -> Targets:
        roots, events = dict.fromkeys(self.roots + other.roots), dict.fromkeys(self.events + other.events)
        return Targets(tuple(roots), tuple(events))


@dataclass(frozen=True, slots=True)
class Hiding:
    """What a tombstone hides that is visible without it: versions of entries, and events by their present ids."""

    versions: tuple[EntryId, ...]
    events: tuple[EventId, ...]

    @property
    def is_empty(self) -> bool:
        return not self.versions and not self.events


@dataclass(frozen=True, slots=True)
class Forgetting:
    """`fresh` reads what agents wrote just now, so that it can be forgotten too."""

    memory: Memory
    fresh: Callable[[], str | None]

    def run(
        self,
        given: str | Sequence[str],
        reason: str,
        *,
        by: Speaker,
        cited: bool = False,
        words: bool = False,
        dry_run: bool = False,
    ) -> dict[str, Json]:
        """Hide what ids name: an entry with all its versions, an event with the entries that cite it.

        `cited` hides also the events that the entries cite, `words` also every other event and entry that holds the
        same words. With `dry_run` nothing is written, and the answer names the events.

        Raises:
            InvalidArgument: no id, no reason or a too long one, or words that can't be looked for.
            UnknownId, Ambiguous: an id names nothing, or several entries.
            TooMany: an agent forgot too much within an hour.
            NotStored: what was hidden can still be seen.
        """
        ids = [given] if isinstance(given, str) else list(given)
        why = admitted(reason, least=0 if dry_run else 1)
        self.fresh()
        named = self._named(ids)
        same = self._same(named, demanded=words)
        targets = named | same if words else named
        if dry_run:
            hiding = self._hiding(targets, cited=cited)
            return _answer(None, hiding, self._others(same, hiding), listing=True)
        draft = Draft(self._body(targets, cited=cited), by.author(self.memory.journal.device()[1]), why)
        tombstone, hiding = self._write(draft, targets, by=by)
        return _answer(tombstone, hiding, self._others(same, hiding))

    def tombstones(self) -> list[dict[str, Json]]:
        """Return every tombstone, the newest first: what it names, why, by whom, and whether it was restored."""
        if not self.memory.is_begun():
            return []
        found = fold(self.memory.ledger().of_kinds("forget", "restore", "destroy")).tombstones.values()
        return [self._shape(each) for each in sorted(found, key=lambda each: (each.time, each.id), reverse=True)]

    def entries(self, versions: Iterable[str]) -> int:
        """Return how many entries some versions are versions of."""
        rows = (self.memory.entries.version(EntryId(each)) for each in versions)
        return len({row.root for row in rows if row})

    # --- what is meant ---

    def _named(self, ids: Sequence[str]) -> Targets:
        if not ids:
            raise InvalidArgument("id", "the id of an entry or event")
        targets = Targets()
        for given in map(str.strip, ids):
            targets |= Targets(roots=(self.memory.any_entry(given).root,)) if is_entry_id(given) else self._event(given)
        return targets

    def _event(self, given: str) -> Targets:
        self.memory.catch_up()
        if self.memory.entries.fate(given) is Fate.UNKNOWN:
            raise UnknownId(given)
        return Targets(events=(self._present(EventId(given)),))

    def _present(self, event: EventId) -> EventId:
        return self.memory.entries.spellings(event)[0]

    def _same(self, named: Targets, *, demanded: bool) -> Targets:
        """Return what else holds the same words as what is named; entries only where it is demanded."""
        holding = Holding(self.memory)
        said = holding.words_of(named.roots, named.events)
        words = [text for text in said if can_be_found(text)]
        if demanded and said and not words:
            raise InvalidArgument("words", "left out for a text that has no word or fewer than three characters")
        events = (self._present(row.id) for row in holding.events(words))
        other = tuple(event for event in dict.fromkeys(events) if event not in named.events)
        return Targets(tuple(dict.fromkeys(holding.roots(words))) if demanded else (), other)

    @staticmethod
    def _others(same: Targets, hiding: Hiding) -> int:
        """Return how many of the events with the same words stay visible."""
        return len(set(same.events) - set(hiding.events))

    # --- what it hides ---

    def _hiding(self, targets: Targets, *, cited: bool) -> Hiding:
        roots = dict.fromkeys([*targets.roots, *self._citing(targets.events)])
        events = dict.fromkeys([*targets.events, *(self._cited(targets.roots) if cited else ())])
        return Hiding(
            tuple(version for root in roots for version in self._visible(root)),
            tuple(event for event in events if self.memory.entries.fate(event) is Fate.VISIBLE),
        )

    def _visible(self, root: EntryId) -> Iterator[EntryId]:
        return (row.id for row in self.memory.entries.history(root) if row.state not in GONE)

    def _citing(self, events: Iterable[EventId]) -> Iterator[EntryId]:
        return (row.root for event in events for row in self.memory.entries.citing(event))

    def _cited(self, roots: Iterable[EntryId]) -> Iterator[EventId]:
        rows = (row for root in roots for row in self.memory.entries.history(root))
        return (self._present(cited.event) for row in rows for cited in row.version.cites)

    # --- writing ---

    def _body(self, targets: Targets, *, cited: bool) -> Forget:
        spelled = {each for event in targets.events for each in (event, *self.memory.entries.spellings(event))}
        return Forget(
            entries=tuple(sorted(targets.roots)),
            events=tuple(sorted(spelled)),
            cited=cited and bool(targets.roots),
            fingerprints=statement_marks(self.memory, list(self._said(targets.roots))),
            anchors=tuple(anchored for event in targets.events for anchored in self._anchors(event)),
        )

    def _said(self, roots: Iterable[EntryId]) -> Iterator[str]:
        rows = (row for root in roots for row in self.memory.entries.history(root))
        return (row.version.statement.text for row in rows if row.version.statement)

    def _anchors(self, event: EventId) -> Iterator[tuple[EventId, StoredAnchor]]:
        """Yield where an event was read under each of its ids, for the day when the rule of its ids changes."""
        device = DeviceId(self.memory.journal.device()[0])
        for place in self.memory.index.anchors(event)[:1]:
            yield from ((each, StoredAnchor.of(place, device)) for each in self.memory.entries.spellings(event))

    def _write(self, draft: Draft, targets: Targets, *, by: Speaker) -> tuple[OperationId | None, Hiding]:
        with self.memory.deciding():
            hiding = self._hiding(targets, cited=isinstance(draft.body, Forget) and draft.body.cited)
            if hiding.is_empty:
                return None, hiding
            self._demand_few(draft.actor, by, len(targets.roots) + len(targets.events))
            (operation,) = self.memory.append([draft])
        self._demand_hidden(operation.id, hiding)
        return operation.id, hiding

    def _demand_few(self, actor: str, by: Speaker, asked: int) -> None:
        if by.agent is None:
            return
        before = self.memory.ledger().recent("forget", actor=actor, since=self.memory.clock.now() - _HOUR)
        if before + asked > _MOST:
            raise TooMany(by.agent, "forgets", _MOST)

    def _demand_hidden(self, operation: OperationId, hiding: Hiding) -> None:
        entries = self.memory.entries
        rows = (entries.version(version) for version in hiding.versions)
        seen = any(row is None or row.state not in GONE for row in rows)
        if seen or any(entries.fate(event) is Fate.VISIBLE for event in hiding.events):
            raise NotStored(f"Tombstone {tombstone_id(operation)}")

    # --- answering ---

    def _shape(self, tombstone: Tombstone) -> dict[str, Json]:
        return {
            "tombstone": tombstone.id,
            "reason": tombstone.reason,
            "by": tombstone.actor,
            "at": local_iso(tombstone.time.ms),
            "entries": list(tombstone.entries),
            "events": len({self._present(event) for event in tombstone.events}),
            "cited": tombstone.cited,
            "restored": not tombstone.is_live,
        }


def admitted(reason: str, *, least: int) -> str:
    """Return a reason as it is stored: without secrets and without what no text can hold.

    Raises:
        InvalidArgument: it is too short or too long.
    """
    said = _BROKEN.sub("\ufffd", reason).strip()
    if not least <= len(said) <= _LONGEST:
        raise InvalidArgument("reason", f"{least} to {_LONGEST:,} characters long")
    return redact(said).text


def _answer(operation: OperationId | None, hiding: Hiding, others: int, *, listing: bool = False) -> dict[str, Json]:
    return {
        "tombstone": tombstone_id(operation) if operation else None,
        "forgotten_entries": list(hiding.versions),
        "excluded_events": len(hiding.events),
        "also_said": others,
        **({"events": list(hiding.events)} if listing else {}),
    }
