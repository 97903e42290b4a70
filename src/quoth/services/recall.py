"""Recall: what memory and the archive hold that is relevant to a question, by words and by meaning, or nothing.

The index and the worker propose, `core.ranking` decides, and only what is answered is read.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain

from quoth.core.candidates import AnyHit, Beside, Compared, EntryHit, EventHit, Meaning, Word
from quoth.core.ids import EventId, ProjectId
from quoth.core.memory import EntryFilter, EntryRow, Spot
from quoth.core.model import EventRow, Filter
from quoth.core.ranking import Asker, Judged, Ranked, judge, relevant
from quoth.core.relevance import FLOOR, asked
from quoth.core.vectors import TextKey, key_of
from quoth.services._memory import Memory
from quoth.services._placing import project_of

_READ = 4_000  # characters of a question; a longer one is a pasted log, and says what it asks at its beginning
_BY_WORDS = 500  # candidates of each kind that the index proposes (DESIGN §7)
_BY_MEANING = 200
_FEW = 4_000  # texts that pass a narrow filter: so many are compared alone
_OF_MANY = 1_000  # of more, the nearest of all are filtered
_BESIDE = 150  # of the best messages, whose neighbours are looked at
_ALONG = 20  # of the best entries, of the best messages, along whose edges entries are looked for


@dataclass(frozen=True, slots=True, kw_only=True)
class Where:
    """What a question is about. `spot` is where it is asked: what applies there ranks first, and with `is_only_here`
    nothing else counts.

    - `types`: of entries; None is all.
    - `as_of`: as memory was at an instant; None is now.
    - `with_replaced`, `with_negated`: also versions that were replaced, that were negated.
    - `with_entries`, `with_events`: whether what was learned, what was said, is looked at.
    """

    spot: Spot | None = None
    is_only_here: bool = False
    projects: tuple[ProjectId, ...] | None = None
    types: tuple[str, ...] | None = None
    agent: str | None = None
    as_of: int | None = None
    with_replaced: bool = False
    with_negated: bool = False
    with_entries: bool = True
    with_events: bool = True

    @property
    def is_narrow(self) -> bool:
        """Tell whether much of what is held may not answer."""
        by_value = self.is_only_here, self.projects is not None, self.types is not None, bool(self.agent)
        return any(by_value) or self.as_of is not None or not (self.with_entries and self.with_events)

    def entries(self, now: int) -> EntryFilter:
        """Return which entries may answer."""
        return EntryFilter(
            now=now,
            as_of=self.as_of,
            projects=self.projects,
            types=self.types,
            agent=self.agent,
            with_negated=self.with_negated,
            with_replaced=self.with_replaced,
            spot=self.spot,
            with_elsewhere=not self.is_only_here,
        )

    @property
    def events(self) -> Filter:
        """Return which messages may answer; what was said outside any project belongs to no place."""
        until = None if self.as_of is None else self.as_of + 1
        here = (ProjectId(self.spot.scope.repository),) if self.spot and self.is_only_here else None
        return Filter(until=until, projects=self.projects or here)


@dataclass(frozen=True, slots=True)
class Recalled:
    """Something that was found. `because` names the parts of its score, `is_outdated` that it may not be true now."""

    row: EntryRow | EventRow
    relevance: float
    score: float
    because: Mapping[str, float]
    is_outdated: bool


@dataclass(frozen=True, slots=True)
class Ranking:
    """What was found, the best first.

    - `best`: the highest relevance of all candidates, which decides whether anything is answered.
    - `entries`, `messages`: how many were candidates.
    - `model`: compared them by meaning; None where words decided alone.
    """

    items: Sequence[Recalled]
    best: float
    entries: int
    messages: int
    model: str | None

    def falling(self) -> Iterator[tuple[EntryRow, float]]:
        """Yield the entries with scores that never rise, for contracts that sort by what is reported (DESIGN §7)."""
        lowest = 1.0
        for each in self.items:
            if isinstance(each.row, EntryRow):
                lowest = min(lowest, each.relevance)
                yield each.row, lowest


@dataclass(frozen=True, slots=True)
class Recall:
    """`expect` hears a question before its words are looked for, so that it is read meanwhile."""

    memory: Memory
    meaning: Meaning
    stem: Callable[[str], str]
    expect: Callable[[str], None] = lambda _: None

    def ranked(
        self,
        question: str,
        where: Where = Where(),
        *,
        limit: int,
        floor: float = FLOOR,
        wait_ms: int | None = None,
    ) -> Ranking:
        """Return at most `limit` things that are relevant to a question; nothing where the best is below the floor.

        The worker is waited for at most `wait_ms` (None: as long as a door may); without it words decide alone.
        """
        read = question[:_READ]
        self.expect(read)
        self.memory.catch_up()
        asking = _Asking(self.memory, where, read, asked(read, self.stem), self.memory.clock.now(), key_of(question))
        hits = [*asking.by_words()]
        known = {hit.key for hit in hits}
        compared = asking.compared(self.meaning, known, wait_ms)
        hits += asking.by_meaning(compared, known)
        found = asking.ranked([hit for hit in hits if not asking.is_echo(hit)], compared)
        return Ranking(
            [*asking.read(relevant(found, floor=floor), limit)],
            best=max((each.relevance for each in found), default=0.0),
            entries=sum(isinstance(each.hit, EntryHit) for each in found),
            messages=sum(isinstance(each.hit, EventHit) for each in found),
            model=compared.model if compared else None,
        )


@dataclass(frozen=True)
class _Asking:
    """One question to the index; `echo` is the key of all that was said to ask it."""

    memory: Memory
    where: Where
    question: str
    words: Sequence[Word]
    now: int
    echo: TextKey

    def is_echo(self, hit: AnyHit) -> bool:
        """Tell whether a message is the question itself: who just asked an agent gets no answer by being quoted."""
        return hit.key == self.echo and isinstance(hit, EventHit)

    def by_words(self) -> Iterator[AnyHit]:
        if self.where.with_entries:
            yield from self.memory.entries.sharing(self.words, self._entries, limit=_BY_WORDS)
        if self._has_events:
            yield from self.memory.index.sharing(self.words, self.where.events, limit=_BY_WORDS)

    def compared(self, meaning: Meaning, also: Collection[TextKey], wait_ms: int | None) -> Compared | None:
        """Compare the question with what the words found, and with what is nearest of all that may answer."""
        among = self._among() if self.where.is_narrow else None
        nearest = _OF_MANY if self.where.is_narrow and among is None else _BY_MEANING
        return meaning.compare(self.question, nearest=nearest, also=also, among=among, wait_ms=wait_ms)

    def _among(self) -> Collection[TextKey] | None:
        """Return the texts that may answer; None where they are too many to name."""
        entries = self.memory.entries.keys_within(self._entries, most=_FEW) if self.where.with_entries else ()
        events = self.memory.index.keys_within(self.where.events, most=_FEW) if self._has_events else ()
        return None if entries is None or events is None else {*entries, *events}

    def by_meaning(self, compared: Compared | None, known: Collection[TextKey]) -> Iterator[AnyHit]:
        """Yield what says something near that the words did not find."""
        keys = [near.key for near in compared.near if near.key not in known] if compared else ()
        if not keys:
            return
        if self.where.with_entries:
            yield from self.memory.entries.of_keys(keys, self._entries, words=len(self.words))
        if self._has_events:
            yield from self.memory.index.of_keys(keys, self.where.events, words=len(self.words))

    def ranked(self, hits: Sequence[AnyHit], compared: Compared | None) -> Sequence[Ranked]:
        """Return the candidates in order, with the neighbours of the best messages and with what the best are bound
        to."""
        judged = judge(self.words, hits, asker=self._asker, compared=compared)
        return judged.ranked(beside=self._beside(judged.events(_BESIDE)), bound=self._bound(judged))

    def _bound(self, judged: Judged) -> Sequence[EntryHit]:
        """Return entries at the other ends of the edges of the best: what was learned from the same message as they, or
        from them, and what is related to them (HMG-14)."""
        if not self.where.with_entries:
            return ()
        best = [hit for id_ in judged.strength if isinstance(hit := judged.hits[id_], EntryHit)][:_ALONG]
        events = dict.fromkeys(chain(judged.events(_ALONG), *(hit.cites for hit in best)))
        roots = dict.fromkeys(chain(*(hit.linked for hit in best)))
        return self.memory.entries.bound(roots, events, self._entries, words=len(self.words))

    def read(self, best: Sequence[Ranked], limit: int) -> Iterator[Recalled]:
        """Yield the first of what was ranked with their words."""
        shown = best[:limit]
        entries = self.memory.entries.rows([each.hit.id for each in shown if isinstance(each.hit, EntryHit)])
        events = self.memory.index.rows([each.hit.id for each in shown if isinstance(each.hit, EventHit)])
        for each in shown:
            row = entries.get(each.hit.id) if isinstance(each.hit, EntryHit) else events.get(each.hit.id)
            if row is not None:
                row = replace(row, relevance=each.relevance)
                yield Recalled(row, each.relevance, each.score, each.because, each.is_outdated)

    @property
    def _asker(self) -> Asker:
        spot = self.where.spot
        project = project_of(spot.scope) if spot else None
        branch = spot.scope.branch or None if spot else None
        now = self.now if self.where.as_of is None else self.where.as_of
        return Asker(question=self.question, now=now, project=project, branch=branch)

    @property
    def _has_events(self) -> bool:
        return self.where.with_events and not self.where.agent

    @cached_property
    def _entries(self) -> EntryFilter:
        return self.where.entries(self.now)

    def _beside(self, events: Sequence[EventId]) -> Mapping[EventId, Beside]:
        near = self.memory.index.beside(events, self.where.events, words=len(self.words))
        return {id_: (self._unless_echo(before), self._unless_echo(after)) for id_, (before, after) in near.items()}

    def _unless_echo(self, hit: EventHit | None) -> EventHit | None:
        return None if hit is None or self.is_echo(hit) else hit
