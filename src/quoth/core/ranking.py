"""Put what may answer a question in order, and say how relevant each is (docs/decisions/0022-ranking.md).

The score decides the order: how strongly a candidate holds the words, how near its meaning is, what it inherits from
its neighbours in a session and along edges, then factors for who said it, where and when. The relevance is reported,
and cut by. Both follow from the candidates alone: no text, no statistics of an engine, no order of storing.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from heapq import nsmallest
from itertools import chain, combinations, islice

from quoth.core._ranking_factors import Asker, Factors
from quoth.core._ranking_meaning import Meanings
from quoth.core._ranking_order import Candidate, is_replaced, once, put_behind
from quoth.core._ranking_relevance import Judging
from quoth.core._ranking_sessions import Sessions
from quoth.core.candidates import AnyHit, Beside, Compared, EntryHit, EventHit, Word
from quoth.core.ids import EntryId, EventId
from quoth.core.relevance import FLOOR, rarities, strengths

__all__ = ["Asker", "Judged", "Ranked", "judge", "line", "rank", "relevant"]

_KEPT = 150  # of the strongest entries, of the strongest events: nobody wants more
_BOUND = 300  # entries at the other ends of edges, the newest: each is held against each
_NEXT, _SECOND = 0.4, 0.15  # of the strength of messages one and two places away in a session
_UNFOUND = 0.1  # of those one place away, for what is only beside what was found
_ALONG = 0.2  # of the strongest at the other ends of edges
_TAIL = 0.5  # of the floor: an answer rarely has one text alone
_BY_BEST = 0.33  # of the best: beside something plain, what is faint is noise
_CONTEXT = 0.5  # of the relevance of what it stands beside or is bound to


@dataclass(frozen=True, slots=True)
class Ranked:
    """A candidate in its place. `because` names what its score is made of: addends first, then factors.

    An outdated one was replaced, or something newer speaks against it."""

    hit: AnyHit
    score: float
    relevance: float
    because: Mapping[str, float]
    is_outdated: bool


@dataclass(frozen=True, slots=True)
class Judged:
    """Candidates judged each by itself, before they are put in order.

    `held` is how strongly each holds the words, `strength` that and its meaning together; the strongest are first."""

    asker: Asker
    meanings: Meanings
    judging: Judging
    hits: Mapping[str, AnyHit]
    held: Mapping[str, float]
    strength: Mapping[str, float]

    def events(self, most: int) -> list[EventId]:
        """Return the strongest events, whose neighbours are worth looking at."""
        return [hit.id for hit in islice(self._of(EventHit), most) if isinstance(hit, EventHit)]

    def ranked(
        self,
        *,
        beside: Mapping[EventId, Beside] | None = None,
        bound: Iterable[EntryHit] = (),
    ) -> list[Ranked]:
        """Return them in order, see `rank`."""
        sessions = Sessions(beside or {})
        ends = nsmallest(_BOUND, bound, key=lambda hit: (-hit.at, hit.id))
        found = self._candidates(chain(sessions.neighbours(), ends))
        _inherit(found, sessions)
        _follow(found)
        _weigh(found.values(), Factors(self.asker))
        standing = once(found.values())
        put_behind(standing)
        kept = [each for id_, each in standing.items() if id_ == each.hit.id]
        kept.sort(key=lambda each: (-each.score, each.is_outdated, is_replaced(each.hit), -each.hit.at, each.hit.id))
        return [Ranked(each.hit, each.score, each.relevance, each.because, each.is_outdated) for each in kept]

    def _candidates(self, others: Iterable[AnyHit]) -> dict[str, Candidate]:
        """Return the strongest, and all others that were looked at for their sake."""
        strongest = (islice(self._of(kind), _KEPT) for kind in (EntryHit, EventHit))
        pool = {hit.id: hit for hit in chain(*strongest, (self.hits.get(hit.id, hit) for hit in others))}
        return {id_: self._candidate(hit) for id_, hit in pool.items()}

    def _of(self, kind: type[AnyHit]) -> Iterator[AnyHit]:
        return (self.hits[id_] for id_ in self.strength if isinstance(self.hits[id_], kind))

    def _candidate(self, hit: AnyHit) -> Candidate:
        near = self.meanings.near(hit.key)
        held = self.held.get(hit.id, 0.0)
        strength = self.strength.get(hit.id, near.strength)
        because = {"words": held, "meaning": strength - held + near.hint}
        is_elsewhere = self.asker.is_elsewhere(hit)
        relevance = self.judging.relevance(words=min(1.0, held), meaning=near.relevance, is_elsewhere=is_elsewhere)
        return Candidate(hit, strength, relevance, because)


def judge(words: Sequence[Word], hits: Iterable[AnyHit], *, asker: Asker, compared: Compared | None = None) -> Judged:
    """Judge what may answer a question by the words it holds and by its meaning."""
    pool = _pool(hits)
    those = [*pool.values()]
    rarity = rarities(words, those)
    meanings = Meanings.of(compared)
    held = strengths(those, rarity)
    strength = [math.hypot(by_words, meanings.strength(hit.key)) for hit, by_words in zip(those, held, strict=True)]
    order = sorted(range(len(those)), key=lambda at: (-strength[at], -those[at].at, those[at].id))
    return Judged(
        asker,
        meanings,
        Judging.of(words, rarity, those),
        pool,
        dict(zip(pool, held, strict=True)),
        {those[at].id: strength[at] for at in order},
    )


def rank(
    words: Sequence[Word],
    hits: Iterable[AnyHit],
    *,
    asker: Asker,
    compared: Compared | None = None,
    beside: Mapping[EventId, Beside] | None = None,
    bound: Iterable[EntryHit] = (),
) -> list[Ranked]:
    """Return the candidates, the best first; of equals what is not outdated, what is current, the newest, then by id.

    `beside` has the neighbours of events, `bound` are entries at the other ends of edges, of which the 300 newest are
    looked at; what nothing else found becomes a candidate. What says the same as a better candidate is left out, and
    so is what is weaker than the 150 strongest entries, or events.
    """
    return judge(words, hits, asker=asker, compared=compared).ranked(beside=beside, bound=bound)


def relevant(ranked: Sequence[Ranked], *, floor: float = FLOOR) -> list[Ranked]:
    """Return what is relevant enough, see `line`; without a floor that is everything."""
    least = line(max((each.relevance for each in ranked), default=0.0), floor=floor)
    return [each for each in ranked if each.relevance >= least]


def line(best: float, *, floor: float = FLOOR) -> float:
    """Return the least relevance that is answered, by the best of a question.

    Nothing is where the best is below the floor; else what reaches half of the floor and a third of the best.
    """
    if best < floor:
        return math.inf
    return max(floor * _TAIL, best * _BY_BEST) if floor else 0.0


def _pool(hits: Iterable[AnyHit]) -> dict[str, AnyHit]:
    """Return each hit once, with the counts of its words where they are known."""
    pool: dict[str, AnyHit] = {}
    for hit in hits:
        if hit.id not in pool or not any(pool[hit.id].counts):
            pool[hit.id] = hit
    return pool


def _inherit(found: Mapping[str, Candidate], sessions: Sessions) -> None:
    """Let messages inherit from those around them in their session."""
    relevance = {id_: each.relevance for id_, each in found.items()}
    for event in sessions.events():
        if heir := found.get(event):
            first, second = sessions.around(event)
            near, further = (sum(found[id_].strength for id_ in ids if id_ in found) for ids in (first, second))
            heir.because["neighbours"] = _NEXT * near + _SECOND * further if heir.strength else _UNFOUND * near
            best = max((relevance[id_] for id_ in first if id_ in found), default=0.0)
            heir.relevance = max(heir.relevance, _CONTEXT * best)


def _follow(found: Mapping[str, Candidate]) -> None:
    """Let entries and events gain from what is at the other ends of their edges."""
    gained: dict[str, tuple[float, float]] = {}
    for one, other in _edges(found):
        for gaining, giving in ((one, other), (other, one)):
            strength, relevance = gained.get(gaining.hit.id, (0.0, 0.0))
            gained[gaining.hit.id] = max(strength, giving.strength), max(relevance, giving.relevance)
    for id_, (strength, relevance) in gained.items():
        found[id_].because["linked"] = _ALONG * strength
        found[id_].relevance = max(found[id_].relevance, _CONTEXT * relevance)


def _edges(found: Mapping[str, Candidate]) -> Iterator[tuple[Candidate, Candidate]]:
    """Yield both ends of each edge between candidates; entries that cite the same event are bound, too."""
    entries = [(each, each.hit) for each in found.values() if isinstance(each.hit, EntryHit)]
    roots: dict[EntryId, list[Candidate]] = defaultdict(list)
    citing: dict[EventId, list[tuple[EntryId, Candidate]]] = defaultdict(list)
    for each, hit in entries:
        roots[hit.root].append(each)
        for event in hit.cites:
            citing[event].append((hit.root, each))
    for each, hit in entries:
        yield from ((each, found[event]) for event in hit.cites if event in found)
        yield from ((each, other) for root in hit.linked for other in roots.get(root, ()))
    for those in citing.values():
        yield from ((one, other) for (of, one), (root, other) in combinations(those, 2) if of != root)


def _weigh(found: Iterable[Candidate], factors: Factors) -> None:
    for each in found:
        weights = factors.of(each.hit)
        each.score = math.fsum(each.because.values()) * math.prod(weights.values())
        each.because.update(weights)
