"""Recall by type of memory into one block, as OpenViking answers it (OV-5 to OV-15, OV-19 to OV-21).

Each type has a quota of its own. What belongs to other repositories ranks behind by a penalty, the score that is
reported stays what it was. A door checks what it was given with `read` and renders violations its own way.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import NamedTuple, Protocol

from quoth.core.ids import ProjectId
from quoth.core.ledger.values import Scope, Statement
from quoth.core.memory import EntryRow, Spot, same_text
from quoth.core.model import EventRow, Json
from quoth.core.packing import Layout, Mode, Packed, Piece, packed
from quoth.core.types import Types
from quoth.services._by_type_memory import ORIGINS, address_of, origin_of, root_of, shapes_of, type_of, types_of
from quoth.services._by_type_request import TYPES, Request, Violation, read
from quoth.services._spots import MAIN
from quoth.services.recall import Where

__all__ = ["ByType", "Ranked", "Ranking", "Ranks", "Request", "Violation", "read"]

_LOOKED_AT = 200  # candidates of all types together; a type that they leave short is looked for alone
_HEADINGS = {each: f"### {each.capitalize()}" for each in TYPES}
_LAYOUT = Layout(
    sections=[(origin, heading) for origin in ORIGINS.values() for heading in _HEADINGS.values()], is_numbered=True
)
_MODES = {Mode.FULL: "full", Mode.SUMMARY: "summary", Mode.REFERENCE: "uri"}


class Ranked(Protocol):
    """Something that recall found."""

    @property
    def row(self) -> EntryRow | EventRow: ...

    @property
    def relevance(self) -> float: ...

    @property
    def is_outdated(self) -> bool: ...


class Ranking(Protocol):
    @property
    def items(self) -> Sequence[Ranked]: ...


class Ranks(Protocol):
    """Ranks what is remembered by a question, the best first, as `Recall.ranked` does."""

    def __call__(self, question: str, where: Where, *, limit: int, floor: float) -> Ranking: ...


class _Candidate(NamedTuple):
    """An entry in the words of this contract. `score` never rises along the ranking; `rank_by` has the penalty off."""

    row: EntryRow
    said: Statement
    type: str
    origin: str
    score: float
    rank_by: float
    is_outdated: bool


class _Shown(NamedTuple):
    candidate: _Candidate
    address: Callable[[], str]
    body: Callable[[Mode], str]


@dataclass(frozen=True, slots=True)
class ByType:
    """`ranks` is `Recall.ranked`, `user` whose memory it is, in addresses."""

    ranks: Ranks
    types: Types
    user: str = "default"

    def run(self, asked: Request, *, actor: str | None = None) -> dict[str, Json]:
        """Return `{entries, rendered, stats}`. `actor` is the repository that the caller works in."""
        found = [*self._found(asked, actor)]
        chosen = [*_chosen(found, asked)]
        shown: dict[str, _Shown] = {}
        pieces = [self._piece(each, shown) for each in chosen]
        done = packed(pieces, asked.max_chars, layout=_LAYOUT, quotas=asked.quotas)
        entries = [*_entries(done, shown)]
        return {
            "entries": entries,
            "rendered": done.text if asked.is_rendered else "",
            "stats": self._stats(asked, actor, found, done, shown),
        }

    def _found(self, asked: Request, actor: str | None) -> Iterator[_Candidate]:
        """Yield the candidates of every type that has a quota, ranked; each type as if it were asked for alone."""
        wanted = {each: types_of(each, self.types) for each in TYPES if asked.quotas[each]}
        limit = max(_LOOKED_AT, *asked.quotas.values())
        ours = [each for types in wanted.values() for each in types]
        together = self._ranked(asked, actor, ours, limit) if wanted else ()
        for type_, types in wanted.items():
            here = [each for each in _candidates(together, asked, actor) if each.type == type_]
            if len(together) >= limit and len(here) < asked.quotas[type_]:
                here = [*_candidates(self._ranked(asked, actor, types, limit), asked, actor)]
            yield from here

    def _ranked(self, asked: Request, actor: str | None, types: Sequence[str], limit: int) -> Sequence[Ranked]:
        """Return the entries of some types, whatever their relevance: the caller's lowest score cuts, not ours."""
        projects = (ProjectId(actor),) if actor and asked.is_actor_only else None
        spot = Spot(Scope(repository=actor), MAIN) if actor else None
        where = Where(spot=spot, types=tuple(types), projects=projects, with_events=False)
        return self.ranks(asked.query, where, limit=limit, floor=0.0).items

    def _piece(self, each: _Candidate, shown: dict[str, _Shown]) -> Piece:
        address = cache(partial(address_of, each.row, each.said, user=self.user, origin=each.origin))
        shapes, body = shapes_of(
            each.row, each.said, lambda: f"{address()} (score={each.score:.4f})", is_outdated=each.is_outdated
        )
        shown[each.row.id] = _Shown(each, address, body)
        return Piece(
            key=each.row.id,
            group=each.type,
            same=same_text(each.said.text),
            shapes=shapes,
            headings=(ORIGINS[each.origin], _HEADINGS[each.type]),
        )

    def _stats(
        self,
        asked: Request,
        actor: str | None,
        found: Sequence[_Candidate],
        done: Packed,
        shown: Mapping[str, _Shown],
    ) -> dict[str, Json]:
        searched = Counter(each.type for each in found)
        origins = Counter(shown[each.piece.key].candidate.origin for each in done.placed)
        mine = [root_of(self.user, actor)] if actor else []
        return {
            "quotas": dict(asked.quotas),
            "roots": mine if mine and asked.is_actor_only else [root_of(self.user, None), *mine],
            "searched": {each: searched[each] for each in TYPES},
            "returned": len(done.placed),
            "dropped": done.dropped,
            "max_chars": asked.max_chars,
            "min_score": asked.min_score,
            "peer_scope": "actor" if asked.is_actor_only else "all",
            "other_peer_penalties": dict(asked.penalties),
            "origins": {each: origins[each] for each in ORIGINS},
        }


def _candidates(found: Sequence[Ranked], asked: Request, actor: str | None) -> Iterator[_Candidate]:
    """Yield the current entries of the places that are asked for."""
    scope = ("actor_peer" if actor else "self",) if asked.is_actor_only else tuple(ORIGINS)
    for each in found:
        row = each.row
        if isinstance(row, EventRow) or not row.is_current or not (said := row.version.statement):
            continue
        origin = origin_of(row.scope, actor)
        if (type_ := type_of(said)) and origin in scope:
            score = min(max(0.0, each.relevance), 1.0) if math.isfinite(each.relevance) else 0.0
            yield _Candidate(row, said, type_, origin, score, score, each.is_outdated)


def _chosen(found: Sequence[_Candidate], asked: Request) -> Sequence[_Candidate]:
    """Return what reaches the lowest score, the best first, behind its penalty where it is another repository's.

    Scores are reported as they never rise along the ranking, so that sorting by them keeps it.
    """
    lowest: dict[str, float] = {}
    passing: list[_Candidate] = []
    for each in found:
        if each.score >= asked.min_score:
            score = lowest[each.type] = min(each.score, lowest.get(each.type, 1.0))
            penalty = asked.penalties[each.type] if each.origin == "other_peer" else 0.0
            passing.append(each._replace(score=score, rank_by=score - penalty))
    return sorted(passing, key=lambda each: -each.rank_by)


def _entries(done: Packed, shown: Mapping[str, _Shown]) -> Iterator[dict[str, Json]]:
    """Yield what the block holds, type by type, ranked inside each from 1."""
    modes = {each.piece.key: each.mode for each in done.placed}
    for type_ in TYPES:
        here = [(key, each) for key, each in shown.items() if key in modes and each.candidate.type == type_]
        for rank, (key, each) in enumerate(here, 1):
            yield _entry(each, modes[key], rank)


def _entry(each: _Shown, mode: Mode, rank: int) -> dict[str, Json]:
    words = {Mode.FULL: "content", Mode.SUMMARY: "summary"}
    body = {words[mode]: each.body(mode)} if mode in words else {}
    return {
        "uri": each.address(),
        "score": round(each.candidate.score, 6),
        "type": each.candidate.type,
        "mode": _MODES[mode],
        "rank": rank,
        "origin": each.candidate.origin,
        **{name: text for name, text in body.items() if text},
    }
