"""What holds of every ranking, whatever is ranked."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.hits import DAY, NOW, SCALE, WORDS, asker, entry, event
from quoth.core.candidates import AnyHit, Beside, Compared, EntryHit, EventHit
from quoth.core.ids import EntryId, EventId
from quoth.core.ranking import Asker, judge, rank
from quoth.core.relevance import asked
from quoth.core.vectors import Near, TextKey
from quoth.readers.stems import stem

_counts = st.tuples(st.integers(0, 3), st.integers(0, 3))
_name = st.sampled_from("abcdefghij")


@st.composite
def _hits(draw: st.DrawFn) -> list[AnyHit]:
    names = draw(st.lists(_name, unique=True, max_size=8))
    return [draw(_hit(name)) for name in names]


@st.composite
def _hit(draw: st.DrawFn, name: str) -> AnyHit:
    more: dict[str, Any] = {
        "key": TextKey(draw(_name).encode() * 16),
        "length": draw(st.integers(0, 500)),
        "at": NOW - draw(st.integers(-5, 900)) * DAY,
        "by_person": draw(st.booleans()),
        "project": draw(st.sampled_from([None, "p", "q"])),
    }
    counts = draw(st.one_of(_counts, st.just(())))
    if draw(st.booleans()):
        return event(f"event-{name}", counts, speaker=draw(st.sampled_from([None, "kiln", "ada"])), **more)
    linked = tuple(EntryId(f"root-{other}") for other in draw(st.lists(_name, max_size=2)))
    cites = tuple(EventId(f"event-{other}") for other in draw(st.lists(_name, max_size=2)))
    root = EntryId(f"root-{draw(_name)}")
    more["against"] = tuple(EntryId(f"entry-{other}") for other in draw(st.lists(_name, max_size=2)))
    current = draw(st.booleans())
    return entry(f"entry-{name}", counts, root=root, is_current=current, linked=linked, cites=cites, **more)


_compared = st.one_of(
    st.none(),
    st.lists(st.tuples(_name, st.floats(-1, 1)), unique_by=lambda pair: pair[0]).map(
        lambda pairs: Compared("m", [Near(TextKey(name.encode() * 16), cosine) for name, cosine in pairs], SCALE)
    ),
)


def _chained(hits: Sequence[AnyHit]) -> dict[EventId, Beside]:
    events = [hit for hit in hits if isinstance(hit, EventHit)]
    around = zip([None, *events], events, [*events[1:], None], strict=False)
    return {hit.id: (before, after) for before, hit, after in around if hit}


@pytest.mark.req("HMG-11", "HMG-15")
@given(_hits(), _compared, st.randoms(use_true_random=False))
def test_the_order_follows_from_the_candidates_alone(
    hits: list[AnyHit], compared: Compared | None, random: Random
) -> None:
    more: dict[str, Any] = {"asker": asker(project="p"), "compared": compared, "beside": _chained(hits)}
    found = rank(WORDS, hits, **more)
    shuffled = [*hits, *hits[:3]]
    random.shuffle(shuffled)
    assert rank(WORDS, shuffled, **more) == found


@given(_hits(), _compared)
def test_every_relevance_is_between_nothing_and_all_and_scores_fall(
    hits: list[AnyHit], compared: Compared | None
) -> None:
    found = rank(WORDS, hits, asker=asker(), compared=compared, beside=_chained(hits))
    assert all(0 <= each.relevance <= 1 for each in found)
    assert [each.score for each in found] == sorted((each.score for each in found), reverse=True)


@given(_hits(), _compared)
def test_every_text_is_there_once_and_none_is_lost(hits: list[AnyHit], compared: Compared | None) -> None:
    found = rank(WORDS, hits, asker=asker(), compared=compared)
    assert sorted(each.hit.key for each in found) == sorted({hit.key for hit in hits})


@given(_hits(), _compared)
def test_a_replaced_version_is_behind_the_current_one_whatever_else_is_so(
    hits: list[AnyHit], compared: Compared | None
) -> None:
    places = {each.hit.id: place for place, each in enumerate(rank(WORDS, hits, asker=asker(), compared=compared))}
    entries = [hit for hit in hits if isinstance(hit, EntryHit) and hit.id in places]
    current = {hit.root: hit for hit in entries if hit.is_current}
    for hit in entries:
        if (
            not hit.is_current
            and hit.root in current
            and sum(e.root == hit.root and e.is_current for e in entries) == 1
        ):
            assert places[current[hit.root].id] < places[hit.id]


@given(st.text(max_size=200), st.integers(0, 4_000_000_000_000))
def test_any_question_can_be_asked_at_any_time(question: str, now: int) -> None:
    words = asked(question, stem)
    hits: list[AnyHit] = [event("one", [1] * len(words), speaker="ada"), entry("two", [0] * len(words))]
    assert len(rank(words, hits, asker=Asker(question=question, now=now))) == 2


def test_only_the_strongest_are_looked_at_closely() -> None:
    hits = [event(f"{place:04}", (1, 0), length=place) for place in range(1, 900)]
    judged = judge(WORDS, hits, asker=asker())
    assert judged.events(3) == ["0001", "0002", "0003"]
    assert [each.hit.id for each in judged.ranked()[:2]] == ["0001", "0002"]
    assert len(judged.ranked()) < 300
