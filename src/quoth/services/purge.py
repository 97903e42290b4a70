"""Purge: wipe words from mirror, ledger and index for ever (DESIGN §1.5, INV-5).

What goes is decided first, so that a preview costs nothing. What is said stays nowhere: whole lines go where nothing
else is on them, else the strings that hold the words; an entry that cites what goes goes with it, because nothing could
ever show it again. Nothing of an agent's own log is touched.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path

from quoth.core.blanking import Wanted, differing
from quoth.core.errors import InvalidArgument, UnknownId
from quoth.core.ids import DeviceId, EntryId, EventId, OperationId
from quoth.core.ledger.entries import State
from quoth.core.ledger.marks import fingerprint
from quoth.core.ledger.operations import Destroy, Draft
from quoth.core.ledger.values import StoredAnchor
from quoth.core.memory import EntryRow, Fate, same_text
from quoth.core.model import Json, Kind
from quoth.core.ports import Meter, Mirror
from quoth.core.speaker import Speaker
from quoth.core.spelling import normal
from quoth.services._erasing import Erased, name_of
from quoth.services._holding import Holding, can_be_found, said_by
from quoth.services._memory import Memory, is_entry_id
from quoth.services._purge_lines import Lines
from quoth.services._purge_operations import holding_operations
from quoth.services._wiping import Wiping, mark_of_line
from quoth.services.rebuild import Rebuild

_SHORTEST, _SHORTEST_PLAIN = 2, 3  # characters of words that can be looked for; of Latin ones more
_ROUNDS = 6  # what goes may take along what goes …
_PLAIN_FILES = ("observations.jsonl", "config.toml", "state.db")
_TOKEN = 32


@dataclass(frozen=True, slots=True)
class Plan:
    """What a purge takes away: what was asked for, and what goes along because it can't be told apart.

    `also_said` counts events that hold the same words and stay; `stays` names files of the home that hold them in a
    path or setting, which a purge does not touch.
    """

    events: tuple[EventId, ...]
    entries: tuple[EntryId, ...]
    events_along: tuple[EventId, ...]
    entries_along: tuple[EntryId, ...]
    operations: tuple[OperationId, ...]
    erased: tuple[Erased, ...]
    also_said: int
    stays: tuple[str, ...]

    @property
    def is_empty(self) -> bool:
        return not (self.events or self.entries or self.operations or self.erased)

    def shape(self) -> dict[str, Json]:
        return {
            "events": list(self.events),
            "entries": list(self.entries),
            "along": {"events": list(self.events_along), "entries": list(self.entries_along)},
            "operations": len(self.operations),
            "files": len(self.erased),
            "lines": sum(len(each.new) for each in self.erased),
            "bytes": sum(stop - start for each in self.erased for _, start, stop in _changes(each)),
            "also_said": self.also_said,
            "stays": list(self.stays),
        }


@dataclass(frozen=True, slots=True)
class Purge:
    """`lock` keeps ingestion out. `wiping` overwrites, `rebuild` makes the index again in a new file."""

    memory: Memory
    mirror: Mirror
    wiping: Wiping
    rebuild: Rebuild
    lock: Callable[[], AbstractContextManager[object]]
    home: Path

    def plan(self, ids: Sequence[str], words: str | None = None, *, meter: Meter | None = None) -> Plan:
        """Say what would go, without changing anything.

        Raises:
            InvalidArgument: nothing is named, or words that stand everywhere.
            UnknownId, Ambiguous: an id names nothing, or several entries.
        """
        _demand(ids, words)
        self.memory.catch_up()
        asked = self._asked(ids, words)
        found, erased = self._spread(asked, words, meter)
        wanted = Wanted((words,) if words else (), tuple(self._texts(found)))
        gone = self._present(found.events)
        named = self._present(asked.events) if not words else gone - self._others(found, erased, words)
        return Plan(
            events=tuple(sorted(named)),
            entries=tuple(sorted(asked.roots)),
            events_along=tuple(sorted(gone - named)),
            entries_along=tuple(sorted(found.roots - asked.roots)),
            operations=tuple(holding_operations(self.memory, wanted, found.roots, found.events, words is not None)),
            erased=tuple(each for each in erased if each.new),
            also_said=len(self._present({id_ for each in erased for id_ in each.stays}) - gone),
            stays=tuple(self._stays(wanted)),
        )

    def run(self, ids: Sequence[str], words: str | None = None, *, by: Speaker, meter: Meter) -> Plan:
        """Wipe, and return what went; when this returns the words are in no file of the home.

        A killed run leaves nothing done, or a rest that the next purge, rebuild or pass over the logs does.

        Raises:
            InvalidArgument, UnknownId, Ambiguous: as for `plan`.
            Busy: another process ingests.
            StoreFailed: the disk refused; call it again.
        """
        with self.lock():
            self.wiping.again()
            plan = self.plan(ids, words)
            if not plan.is_empty:
                self._destroy(plan, by)
            if not plan.is_empty or self.wiping.is_unfinished():
                replace(self.rebuild, lock=nullcontext).run(meter)
        return plan

    @property
    def is_unfinished(self) -> bool:
        """Tell whether a purge was cut short; any `run` does the rest of it."""
        return self.wiping.is_unfinished()

    # --- deciding ---

    def _asked(self, ids: Sequence[str], words: str | None) -> _Found:
        """Return what is named and is not gone already."""
        roots, events = set[EntryId](), set[EventId]()
        for given in map(str.strip, ids):
            if is_entry_id(given):
                row = self.memory.any_entry(given)
                roots |= {row.root} if row.state is not State.DESTROYED else set()
            elif (fate := self.memory.entries.fate(given)) is Fate.UNKNOWN:
                raise UnknownId(given)
            elif fate is not Fate.DESTROYED:
                events.add(EventId(given))
        if words:
            wanted = Wanted((words,))
            roots |= {row.root for row in self.memory.entries.all() if wanted.is_in(_said(row))}
            if can_be_found(words):
                events |= {row.id for row in Holding(self.memory).events([words]) if wanted.is_in(row.text)}
        return _Found(frozenset(roots), frozenset(self._spelled(events)))

    def _spread(self, asked: _Found, words: str | None, meter: Meter | None) -> tuple[_Found, Sequence[Erased]]:
        """Return everything that goes in the end, and what is to be overwritten for it."""
        found, erased = asked, list[Erased]()
        lines = Lines(self.memory, self.mirror, self.wiping.adapters)
        for _ in range(_ROUNDS):
            events = set(self._spelled(found.events | set(self._own_files(found.roots))))
            roots = found.roots | {row.root for event in events for row in self.memory.entries.citing(event)}
            found = _Found(frozenset(roots), frozenset(events))
            erased = lines.erased((words,) if words else (), list(self._texts(found)), found.events, meter)
            more = {located.event.id for each in erased for located in each.gone} - found.events
            if not more:
                break
            found = _Found(found.roots, found.events | more)
        return found, erased

    def _spelled(self, events: Iterable[EventId]) -> Iterator[EventId]:
        return (each for event in events for each in (event, *self.memory.entries.spellings(event)))

    def _present(self, events: Iterable[EventId]) -> set[EventId]:
        """Return events by the ids they have now, once each."""
        return {self.memory.entries.spellings(event)[0] for event in events}

    def _others(self, found: _Found, erased: Iterable[Erased], words: str) -> set[EventId]:
        """Return what goes although it does not hold the words."""
        wanted = Wanted((words,))
        holding = {located.event.id for each in erased for located in each.gone if wanted.is_in(located.event.text)}
        return self._present(found.events) - self._present(holding)

    def _own_files(self, roots: Iterable[EntryId]) -> Iterator[EventId]:
        """Yield the events of agents' own memory files that entries were read from."""
        for row in self._versions(roots):
            for cited in row.version.cites:
                said = self.memory.entries.said(cited.event)
                if said and said.kind is Kind.MEMORY and row.version.statement and row.version.statement.imported:
                    yield cited.event

    def _texts(self, found: _Found) -> Iterator[str]:
        """Yield what events and entries say, and what the entries quote of those events."""
        for event in found.events:
            if said := self.memory.entries.said(event):
                yield said.text
        for row in self._versions(found.roots):
            if row.version.statement:
                yield row.version.statement.text
            quotes = (cited.quote for cited in row.version.cites if cited.event in found.events)
            yield from filter(None, quotes)

    def _versions(self, roots: Iterable[EntryId]) -> Iterator[EntryRow]:
        return (row for root in roots for row in self.memory.entries.history(root))

    def _stays(self, wanted: Wanted) -> Iterator[str]:
        for name in _PLAIN_FILES:
            path = self.home / name
            if path.is_file() and wanted.is_in(path.read_bytes().decode("utf-8", "replace")):
                yield name

    # --- carrying out ---

    def _destroy(self, plan: Plan, by: Speaker) -> None:
        """Write down what will be overwritten, then make it final in the ledger."""
        token = secrets.token_bytes(_TOKEN)
        lines: dict[str, dict[int, list[tuple[int, int]]]] = {}
        for each in plan.erased:
            for number, start, stop in _changes(each):
                lines.setdefault(name_of(each.stream), {}).setdefault(number, []).append((start, stop))
        self.wiping.begin(token, lines)
        author = by.author(self.memory.journal.device()[1])
        with self.memory.deciding():
            self.memory.append([Draft(self._body(plan, token), author)])

    def _body(self, plan: Plan, token: bytes) -> Destroy:
        events = {*self._spelled((*plan.events, *plan.events_along))}
        events |= {located.event.id for each in plan.erased for located in each.gone}
        device = DeviceId(self.memory.journal.device()[0])
        roots = (*plan.entries, *plan.entries_along)
        return Destroy(
            entries=tuple(sorted(roots)),
            events=tuple(sorted(events)),
            operations=tuple(sorted(plan.operations)),
            fingerprints=tuple(sorted({*self._marks(plan, roots), token})),
            anchors=tuple(
                (anchor.event, StoredAnchor.of(anchor, device)) for each in plan.erased for anchor in each.anchors
            ),
        )

    def _marks(self, plan: Plan, roots: Collection[EntryId]) -> Iterator[bytes]:
        key = self.memory.key()
        yield from (mark_of_line(key, line) for each in plan.erased for line in each.was.values())
        for row in self._versions(roots):
            if row.version.statement:
                yield fingerprint(key, same_text(row.version.statement.text))


@dataclass(frozen=True, slots=True)
class _Found:
    """Entries by their roots, and events under all their ids."""

    roots: frozenset[EntryId]
    events: frozenset[EventId]


def _demand(ids: Sequence[str], words: str | None) -> None:
    if words is None and not ids:
        raise InvalidArgument("id", "the id of an entry or event")
    if words is not None:
        form = normal(words)
        if len(form) < (_SHORTEST_PLAIN if form.isascii() else _SHORTEST):
            raise InvalidArgument("words", "three characters or more, or two that are not Latin")


def _said(row: EntryRow) -> str:
    """Return everything that a version says or quotes, and who wrote it."""
    statement = row.version.statement
    return "\n".join([said_by(row), *([statement.author] if statement else [])])


def _changes(erased: Erased) -> Iterator[tuple[int, int, int]]:
    """Yield the ranges that change, each with the number of its line."""
    for number, new in erased.new.items():
        yield from ((number, start, stop) for start, stop in differing(erased.was[number], new))
