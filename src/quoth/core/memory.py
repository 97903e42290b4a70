"""Entries as the index answers them, and what services ask of that part of the index.

The ledger decides everything; the index holds what folding it gave (`core.ledger.merge.fold`), root by root.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple, Protocol
from unicodedata import normalize

from quoth.core.candidates import EntryHit, Word
from quoth.core.ids import EntryId, EventId, ProjectId
from quoth.core.ledger.entries import EntryVersion, Relation, State
from quoth.core.ledger.operations import Subjects
from quoth.core.ledger.state import Ledger
from quoth.core.ledger.values import Citation, EntryKind, Scope, StoredAnchor, Tier
from quoth.core.model import Anchor, EventRow, Kind
from quoth.core.query import Query
from quoth.core.vectors import TextKey


class Fate(StrEnum):
    """What became of an event that an id names."""

    UNKNOWN = "unknown"
    VISIBLE = "visible"
    FORGOTTEN = "forgotten"
    DESTROYED = "destroyed"


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryRow:
    """One version of an entry as it is answered.

    `current` is the newest version of its root, `scope` and `tier` are those of the root, `cites` the citations of
    events that are not hidden. `name` is the name shown, `project` the project shown; None is no project.
    """

    version: EntryVersion
    state: State
    current: EntryId | None
    is_concurrent: bool
    scope: Scope
    tier: Tier
    name: str | None
    project: str | None
    cites: tuple[Citation, ...] = ()
    relations: tuple[Relation, ...] = ()
    relevance: float | None = None

    @property
    def id(self) -> EntryId:
        return self.version.id

    @property
    def root(self) -> EntryId:
        return self.version.root

    @property
    def is_current(self) -> bool:
        return self.current == self.version.id


@dataclass(frozen=True, slots=True)
class Spot:
    """Where somebody works. What applies there has this scope or a wider one, or that of a branch in `landed`, which
    counts as the present one."""

    scope: Scope
    landed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryFilter:
    """Which current entries to look at. `now` leaves out those that ended or are not valid yet; None keeps them.

    Instants are those of `created_at`, inclusive from `since`, exclusive at `until`; `projects` are project ids; with
    `spot` only what applies there, and `with_elsewhere` all but what was put on other branches of its repository; with
    `types` only what is of one of them.

    `as_of` looks at what was current at an instant instead, of what was written until then, and valid then: `now` does
    not matter. What was negated meanwhile counts as negated: when that was, the index does not know.
    """

    now: int | None
    since: int | None = None
    until: int | None = None
    kind: EntryKind | None = None
    type: str | None = None
    projects: tuple[ProjectId, ...] | None = None
    agent: str | None = None
    with_negated: bool = False
    with_replaced: bool = False
    spot: Spot | None = None
    with_elsewhere: bool = False
    types: tuple[str, ...] | None = None
    as_of: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Counted:
    """How much there is, whatever its state: `versions`, of which full text holds `searchable` and a type is known of
    `typed`; `edges` between versions that are not hidden, and from each to what it supersedes."""

    versions: int
    edges: int
    searchable: int
    typed: int


@dataclass(frozen=True, slots=True)
class Quoted:
    """What a writer cites: an event by its id, words by a quote, or both (ORI-48)."""

    event_id: str | None = None
    quote: str | None = None


class Respelled(NamedTuple):
    """Events that the ledger names and that got or lost other ids since they were projected. `mark` grows with them."""

    mark: int
    events: frozenset[EventId]


class MemoryIndex(Protocol):
    """What the index holds of the ledger: entries, and which events are hidden."""

    def cursor(self) -> int:
        """Return how far the ledger is projected (`LedgerStore.since`); 0 when nothing is."""

    def project(self, ledger: Ledger, reach: Subjects, *, cursor: int, after: int | None, mark: int) -> bool:
        """Replace what is held of the roots and events that `reach` names by what the ledger says, in one
        transaction, and move the cursor. A root or event that the ledger does not know is as if never mentioned.

        False, and nothing is changed, when the cursor is not `after` or the mark of `respelled` not `mark` any more.
        None replaces all that is held: another ledger took the place of the one that was projected.
        """

    def respelled(self) -> Respelled:
        """Return the events to project again because of their ids."""

    def spellings(self, event: EventId) -> Sequence[EventId]:
        """Return the ids that name the same event: its present one first, older ones, those of its repeats. The given
        one is among them."""

    def adopt(self, event: EventId, anchor: StoredAnchor) -> bool:
        """Make an id that nothing answers to another name of what is read at an anchor; False where nothing is."""

    # --- entries ---

    def find(self, given: str) -> Sequence[EntryId]:
        """Return the versions that a text names in any spelling (`core.ids.find_entry`); several are ambiguous."""

    def version(self, entry: EntryId) -> EntryRow | None:
        """Return one version, whatever its state."""

    def history(self, root: EntryId) -> Sequence[EntryRow]:
        """Return every version of a root, oldest first, forks included, whatever their state."""

    def heads(self, root: EntryId) -> Sequence[EntryRow]:
        """Return the versions of a root that nothing replaced yet, oldest first, whatever their state."""

    def search(self, query: Query, where: EntryFilter, *, limit: int, offset: int) -> Sequence[EntryRow]:
        """Return current visible entries that hold every word, best first, the newest first among equals."""

    def recent(self, where: EntryFilter, *, limit: int, offset: int) -> Sequence[EntryRow]:
        """Return current visible entries, the newest first."""

    def alike(self, text: str, *, limit: int) -> Sequence[EntryRow]:
        """Return the current visible entries that share words with a text, those that share most first."""

    def sharing(self, words: Sequence[Word], where: EntryFilter, *, limit: int) -> Sequence[EntryHit]:
        """Return current visible entries that hold any of some words (`core.relevance.asked`), those that the engine
        takes for the best first.

        Where many entries hold a word, those alone that hold a rarer one are looked at. No text is read.
        """

    def of_keys(self, keys: Collection[TextKey], where: EntryFilter, *, words: int = 0) -> Sequence[EntryHit]:
        """Return such entries by what they say: of each text the newest few. `words` is how many counts a hit has; it
        holds none of them."""

    def bound(
        self, roots: Collection[EntryId], events: Collection[EventId], where: EntryFilter, *, words: int = 0
    ) -> Sequence[EntryHit]:
        """Return such entries of some roots, and of those that cite one of some events, without counts."""

    def keys_within(self, where: EntryFilter, *, most: int) -> Collection[TextKey] | None:
        """Return the texts of such entries; None when they are more than `most`, or too many must be looked through."""

    def rows(self, ids: Collection[EntryId]) -> Mapping[EntryId, EntryRow]:
        """Return versions by their ids, whatever their state; one that is not known is missing."""

    def branches(self, scope: Scope) -> Sequence[str]:
        """Return the branches of a scope's repository that current entries apply to alone."""

    def projects(self) -> Mapping[ProjectId, str]:
        """Return the projects that current visible entries belong to, with the name shown of each."""

    def count(self) -> int:
        """Return how many roots have a current visible entry, ended ones included."""

    def counted(self) -> Counted:
        """Count everything that was ever remembered."""

    def equal(self, text: str, *, scope: Scope | None = None, ever: bool = False) -> Sequence[EntryRow]:
        """Return the current versions, whatever their state, that say the same (`same_text`), the oldest first; with
        `ever` also those that were replaced."""

    def named(self, name: str, *, type: str, scope: Scope) -> Sequence[EntryRow]:  # noqa: A002 - the record's word
        """Return the current visible entries that were given a name in a scope and type."""

    def citing(self, event: EventId) -> Sequence[EntryRow]:
        """Return the versions, whatever their state, whose own root cites an event under any of its ids."""

    def all(self) -> Iterator[EntryRow]:
        """Yield every version of every root, root by root, the oldest root first, whatever their state."""

    def judged(self, states: Sequence[State]) -> Sequence[EntryRow]:
        """Return the versions in one of some states."""

    def uncited(self, *, since: int) -> Sequence[EntryRow]:
        """Return the current visible entries that cite nothing and were written after an instant."""

    # --- events ---

    def fate(self, given: str) -> Fate:
        """Tell what became of the event that an id names; one that is not read yet may be forgotten already."""

    def said(self, event: EventId) -> EventRow | None:
        """Return an event by any of its ids although it is forgotten, for who decides what else holds its words; None
        when it is destroyed or not read."""

    def holding(self, query: Query, kind: Kind, *, folded: str = "") -> Iterator[EventRow]:
        """Yield the visible events of a kind that hold every word, the newest first; messages are spoken ones. Of these
        only those that hold a folded text (`core.ledger.quotes.fold`), which is sooner told here."""

    def unsearched(self, parts: Sequence[str]) -> Iterator[EventRow]:
        """Yield the visible events that full text does not hold (context, memory files, traffic of our own tools) and
        that have one of some parts in them, which are in lower case and ASCII; "" is in all."""

    def newest(self, kind: Kind, *, folded: str = "", most: int | None = None) -> Iterator[EventRow]:
        """Yield the visible events of a kind, the newest first; messages are spoken ones. Of `most` that are looked
        through, those that hold a folded text."""

    def own_calls(self, *, since: int) -> Iterator[EventRow]:
        """Yield the calls of our own tools since an instant, oldest first."""

    def newest_own_call(self) -> int:
        """Return a number that grows whenever another call of our own tools is read; 0 when none was."""

    def on_lines(self, anchor: Anchor) -> Sequence[tuple[EventId, Fate]]:
        """Return all events that were read on the lines of an anchor in its stream, with what became of them."""

    def destroyed_anchors(self) -> Sequence[Anchor]:
        """Return where events that are destroyed were read; an anchor is dropped when `blanked` says so."""

    def blanked(self, anchors: Sequence[Anchor]) -> None:
        """Say that the lines of anchors hold nothing any more."""


def same_text(text: str) -> str:
    """Return a text as exact duplicates are compared: composed, without white space at its ends (HMG-7)."""
    return normalize("NFC", text).strip()
