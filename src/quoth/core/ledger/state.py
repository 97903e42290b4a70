"""Ask the folded state: what is current, hidden, concurrent, cited, and what a name means."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field

from quoth.core.errors import UnknownId
from quoth.core.ids import EntryId, EventId, OperationId, find_entry
from quoth.core.ledger.entries import EntryVersion, HiddenEvent, Relation, Root, State, Tombstone
from quoth.core.ledger.values import Citation, Scope

_VISIBLE = HiddenEvent()
_SUFFIX = 4  # digits that tell two roots of one name apart


@dataclass(frozen=True, slots=True)
class Ledger:
    """The state that a set of operations gives. `events` holds the hidden ones only."""

    roots: Mapping[EntryId, Root]
    events: Mapping[EventId, HiddenEvent]
    tombstones: Mapping[OperationId, Tombstone]
    _versions: dict[EntryId, EntryVersion] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        for root in sorted(self.roots, reverse=True):  # should two roots claim one version, the first keeps it
            self._versions.update((version.id, version) for version in self.roots[root].versions)

    # --- what an id means ---

    def find(self, given: str) -> EntryVersion:
        """Return the version that any spelling of its id names, hidden ones included.

        Raises:
            UnknownId: it names none.
            Ambiguous: a short form names several.
        """
        return self._versions[find_entry(given, self._versions.keys())]

    def root_of(self, entry: EntryId) -> Root:
        if entry not in self._versions:
            raise UnknownId(entry)
        return self.roots[self._versions[entry].root]

    def current(self, given: str) -> EntryVersion:
        """Return the current version of what any spelling names."""
        found = self.find(given)
        return self.root_of(found.id).current or found

    # --- versions ---

    def history(self, entry: EntryId) -> tuple[EntryVersion, ...]:
        """Return every version of an entry's root, oldest first, forks included."""
        return self.root_of(entry).versions

    def superseded_by(self, entry: EntryId) -> EntryId | None:
        """Return the current version when this one no longer is."""
        root = self.root_of(entry)
        return root.current.id if root.current and not root.is_current(entry) else None

    def is_concurrent(self, entry: EntryId) -> bool:
        return self.root_of(entry).is_concurrent(entry)

    def state(self, version: EntryVersion) -> State:
        """Return the strongest thing that is true of a version; one that says nothing any more is destroyed."""
        root = self.root_of(version.id)
        claims = {
            State.DESTROYED: root.destroyed or version.statement is None,
            State.FORGOTTEN: self.is_hidden(root),
            State.SEALED: root.sealed,
            State.QUARANTINED: bool(root.quarantines),
            State.NEGATED: version.negated,
            State.SUPERSEDED: not root.is_current(version.id),
        }
        return next((state for state, holds in claims.items() if holds), State.CURRENT)

    # --- what is hidden ---

    def is_hidden(self, root: Root) -> bool:
        """Tell whether a root is forgotten, by itself or with an event that it cites, or destroyed."""
        return root.destroyed or bool(self.tombstones_on(root)) or bool(self._destroyed_events(root))

    def tombstones_on(self, root: Root) -> frozenset[OperationId]:
        """Return the live tombstones that hide a root: its own and those of events it cites."""
        return root.tombstones.union(*(self.event(event).tombstones for event in root.cited))

    def event(self, event: EventId) -> HiddenEvent:
        return self.events.get(event, _VISIBLE)

    def citations(self, version: EntryVersion) -> tuple[Citation, ...]:
        """Return a version's citations of events that are not hidden."""
        return tuple(citation for citation in version.cites if not self.event(citation.event).is_hidden)

    def relations(self, root: Root) -> frozenset[Relation]:
        """Return the edges of a root to and from roots that are not hidden."""
        return frozenset(
            each for each in root.relations if self._is_shown(each.root) and self._is_shown(each.other_root)
        )

    def visible(self) -> Iterable[Root]:
        """Yield the roots that are not hidden and say something."""
        said = (root for root in self.roots.values() if root.current and root.current.statement)
        return (root for root in said if not self.is_hidden(root))

    def names(self) -> Mapping[EntryId, str]:
        """Return the name that each visible root is shown with."""
        return shown_names(self.visible())

    def _is_shown(self, root: EntryId) -> bool:
        return root not in self.roots or not self.is_hidden(self.roots[root])

    def _destroyed_events(self, root: Root) -> list[EventId]:
        return [event for event in root.cited if self.event(event).destroyed]


def shown_names(roots: Iterable[Root]) -> Mapping[EntryId, str]:
    """Tell roots of one name, scope and type apart.

    The oldest keeps the name; a newer one is shown with `-` and four digits of its id, more where they are taken.
    """
    shown: dict[EntryId, str] = {}
    taken: dict[tuple[Scope | None, str], set[str]] = {}
    for root in sorted(roots, key=_age):
        if root.current and root.current.statement and (name := root.current.statement.name):
            used = taken.setdefault((root.scope, root.current.statement.type), set())
            shown[root.id] = shown_name(name, root.id, used)
            used.add(shown[root.id])
    return shown


def _age(root: Root) -> tuple[object, ...]:
    first = root.versions[0]
    return first.time, first.device, root.id


def shown_name(name: str, root: EntryId, used: Collection[str]) -> str:
    """Return the name that a root is shown with, where older ones of its scope and type use some."""
    digits = root.partition("_")[2]
    candidates = (f"{name}-{digits[-length:]}" for length in range(_SUFFIX, len(digits) + 1))
    return name if name not in used else next((each for each in candidates if each not in used), f"{name}-{digits}")
