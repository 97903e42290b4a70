"""Say a thing once, and what is true now before what was true once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from quoth.core.candidates import AnyHit, EntryHit

_BEHIND = 0.999  # of the score of what replaced it


@dataclass(slots=True)
class Candidate:
    """What is found out about a hit; `strength` is its own, before anything is inherited or weighed."""

    hit: AnyHit
    strength: float
    relevance: float
    because: dict[str, float]
    score: float = 0.0
    is_outdated: bool = False


def once(found: Iterable[Candidate]) -> dict[str, Candidate]:
    """Return for each candidate the one that stands for all that say the same: an entry before an event, a current
    entry before one that is not."""
    same: dict[bytes, list[Candidate]] = defaultdict(list)
    for each in found:
        same[each.hit.key].append(each)
    standing: dict[str, Candidate] = {}
    for those in same.values():
        kept = _best(those) if len(those) > 1 else those[0]
        standing.update((each.hit.id, kept) for each in those)
    return standing


def put_behind(standing: Mapping[str, Candidate]) -> None:
    """Put each entry that is outdated behind all that outdate it, and those behind what outdates them."""
    later = _later(standing)
    settled: set[str] = set()

    def settle(each: Candidate) -> float:
        if each.hit.id in later and each.hit.id not in settled:
            settled.add(each.hit.id)  # before its successors are asked: two that speak against each other end here
            each.is_outdated = True
            each.score = min([each.score, *(_BEHIND * settle(other) for other in later[each.hit.id])])
        return each.score

    for id_ in sorted(later):
        settle(standing[id_])


def _later(standing: Mapping[str, Candidate]) -> dict[str, list[Candidate]]:
    """Return for each entry that is outdated what outdates it, as far as that is here."""
    entries = [(hit, each) for id_, each in standing.items() if isinstance(hit := each.hit, EntryHit) and id_ == hit.id]
    newest = {hit.root: each for hit, each in entries if hit.is_current}
    replaced = {id_ for id_, each in standing.items() if is_replaced(each.hit)}  # they speak against nothing any more
    later: dict[str, list[Candidate]] = {}
    for hit, each in entries:
        against = [id_ for id_ in hit.against if id_ not in replaced]
        others = [standing[id_] for id_ in against if id_ in standing]
        if not hit.is_current and hit.root in newest:
            others.append(newest[hit.root])
        if against or not hit.is_current:
            later[hit.id] = [other for other in others if other is not each]
    return later


def is_replaced(hit: AnyHit) -> bool:
    return isinstance(hit, EntryHit) and not hit.is_current


def _best(those: Collection[Candidate]) -> Candidate:
    """Return the one that stands for all that say the same, with the score and the relevance of the best."""
    kept = min(those, key=_preference)
    kept.score = max(each.score for each in those)
    kept.relevance = max(each.relevance for each in those)
    return kept


def _preference(each: Candidate) -> tuple[bool, bool, float, int, str]:
    is_event = not isinstance(each.hit, EntryHit)
    return is_event, is_replaced(each.hit), -each.score, -each.hit.at, each.hit.id
