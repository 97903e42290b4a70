"""What may answer a question: counts are right for every word, hidden things never appear, order does not matter."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from indexing import EVERYTHING, NOON, batch, event, filled, found, opened, stream
from quoth.core import text as words
from quoth.core.candidates import EventHit, Word
from quoth.core.ids import EventId, ProjectId, SourceId
from quoth.core.model import Filter, Kind, Located, Place, Role
from quoth.core.ports import Index
from quoth.core.relevance import asked
from quoth.core.vectors import key_of
from quoth.readers.stems import stem


@pytest.fixture
def index(tmp_path: Path) -> Iterator[Index]:
    with closing(opened(tmp_path)) as index:
        yield index


def ask(index: Index, question: str, where: Filter = EVERYTHING, *, limit: int = 500) -> Sequence[EventHit]:
    return index.sharing(asked(question, stem), where, limit=limit)


def names(hits: Sequence[EventHit]) -> list[str]:
    return [hit.id for hit in hits]


def counted(word: Word, text: str) -> int:
    """Count a word in a text as a person would, form by form."""
    parts, joined = words.tokens(text)
    if word.is_open:
        return sum(token.startswith(word.form) for token in (*parts, *joined))
    inflected = [stem(token) for token in parts if stem(token) != token]
    return [*parts, *joined, *inflected].count(word.stem)


_SPOKEN = st.lists(
    st.sampled_from(
        [
            "fix",
            "fixes",
            "Fixed",
            "running",
            "run",
            "getUserName",
            "用户数据库",
            "数据",
            "utf8",
            "настройки",
            "настройка",
            "-",
        ]
    ),
    min_size=1,
    max_size=12,
).map(" ".join)


@pytest.mark.req("INV-10")
@settings(max_examples=40, deadline=None)
@given(st.lists(_SPOKEN, min_size=1, max_size=8), _SPOKEN)
def test_every_word_is_counted_as_often_as_a_text_holds_it_in_any_form(said: list[str], question: str) -> None:
    wanted = asked(question, stem)
    with TemporaryDirectory() as folder, closing(opened(Path(folder))) as index:
        ids = filled(index, *said)
        hits = {hit.id: hit.counts for hit in index.sharing(wanted, EVERYTHING, limit=100)}
    held = {id_: tuple(counted(word, text) for word in wanted) for id_, text in zip(ids, said, strict=True)}
    assert hits == {id_: counts for id_, counts in held.items() if any(counts)}


def test_words_are_counted_that_so_many_messages_hold_that_nobody_looks_for_them(index: Index) -> None:
    filled(index, *(f"the server started again number{n}" for n in range(2_600)), "a rare zebra on the servers server")
    (hit,) = ask(index, "zebra server")
    assert hit.counts == (1, 2)


def test_words_that_are_all_common_are_looked_for_together(index: Index) -> None:
    said = [f"{'server' if n % 2 else 'client'} {'restart' if n % 3 else 'begin'}" for n in range(6_000)]
    filled(index, *said)
    hits = ask(index, "server restart", limit=5_000)
    assert hits
    assert {hit.counts for hit in hits} == {(1, 1)}


def test_of_too_many_messages_that_hold_one_word_alike_the_newest_come_first(index: Index) -> None:
    ids = filled(index, *["the server"] * 3_000)
    assert names(ask(index, "server", limit=4)) == ids[:-5:-1]


@pytest.mark.req("QUO-1")
def test_the_same_messages_are_the_same_candidates_in_whatever_order_they_were_stored(tmp_path: Path) -> None:
    events = [event(f"e{n}", f"zebra {'lion ' * (n % 3)}", line=n + 1, time=NOON + n // 4) for n in range(40)]

    def stored(order: Sequence[Located], name: str) -> Sequence[tuple[str, tuple[int, ...]]]:
        with closing(opened(tmp_path, name)) as index:
            for each in order:
                index.put([batch(stream(), each, lines=100)])
            return [(hit.id, hit.counts) for hit in ask(index, "zebra lion", limit=7)]

    shuffled = random.Random(4).sample(events, len(events))
    assert stored(events, "a.db") == stored(shuffled, "b.db") == stored(events[::-1], "c.db")


def test_of_messages_that_hold_the_words_alike_the_newest_come_first(index: Index) -> None:
    ids = filled(index, *["zebra"] * 9)
    assert names(ask(index, "zebra", limit=4)) == ids[:-5:-1]


def test_a_long_message_is_one_candidate_with_what_all_its_pieces_hold(index: Index) -> None:
    middle = " ".join(f"w{n}" for n in range(20_000))
    (long,) = filled(index, f"zebra {middle} lions {middle} lion zebra")
    (hit,) = ask(index, "lion zebra absent")
    assert (hit.id, hit.counts) == (long, (2, 2, 0))
    assert hit.length == 40_004


def test_a_hit_says_what_ranking_needs_to_know(index: Index) -> None:
    spoken = event("e1", "Ada: the zebra is ready", line=3, cwd="/srv/app", git_branch="main")
    index.put([batch(stream(), spoken, event("e2", "zebra", line=4, role=Role.ASSISTANT, session="s2"))])
    index.place([Place("/srv/app", ProjectId("git:host/me/app"), "app", "me")])
    by_id = {hit.id: hit for hit in ask(index, "zebra")}
    hit = by_id[spoken.event.id]
    assert (hit.key, hit.length, hit.at, hit.by_person) == (key_of(spoken.event.text), 5, spoken.time, True)
    assert (hit.agent, hit.project, hit.branch, hit.speaker) == ("claude-code", "git:host/me/app", "main", "ada")
    other = by_id[event("e2").event.id]
    assert (other.by_person, other.project, other.speaker) == (False, None, None)
    assert other.session != hit.session


def test_tool_traffic_and_our_own_messages_are_no_candidates(index: Index) -> None:
    index.put(
        [
            batch(
                stream(),
                event("e1", "zebra", line=1, role=Role.ASSISTANT, kind=Kind.TOOL_RESULT),
                event("e2", "zebra", line=2, own=True),
                event("e3", "zebra", line=3, role=Role.SYSTEM),
            )
        ]
    )
    assert ask(index, "zebra") == []
    assert index.of_keys([key_of("zebra")], EVERYTHING) == []
    assert list(index.texts()) == []


def test_a_filter_leaves_out_what_does_not_pass(index: Index) -> None:
    long = "zebra " + " ".join(f"w{n}" for n in range(9_000))
    index.put(
        [
            batch(
                stream(),
                event("e1", "zebra", line=1, cwd="/srv/app"),
                event("e2", "zebra", line=2, cwd="/srv/other"),
                event("e3", long, line=3, cwd="/srv/app"),
                event("e4", "zebra", line=4),
            )
        ]
    )
    index.place([Place("/srv/app", ProjectId("p1"), "app"), Place("/srv/other", ProjectId("p2"), "other")])
    index.settle()

    def passing(**where: object) -> set[str]:
        chosen = Filter(**where)  # type: ignore[arg-type]  # each test names other fields
        keys = [key_of("zebra"), key_of(long)]
        by_word, by_key = names(ask(index, "zebra", chosen)), names(index.of_keys(keys, chosen))
        assert set(by_word) == set(by_key)
        assert index.keys_within(chosen, most=10) == {hit.key for hit in index.of_keys(keys, chosen)}
        return {id_.partition(":")[2] for id_ in by_word}

    assert passing() == {"e1", "e2", "e3", "e4"}
    assert passing(projects=(ProjectId("p2"),)) == {"e2"}
    assert passing(since=NOON + 2_000, until=NOON + 4_000) == {"e2", "e3"}
    assert passing(source=SourceId("codex")) == set()


def test_messages_are_found_by_what_they_say_the_newest_few_of_each_text(index: Index) -> None:
    ids = filled(index, *["yes please"] * 12, "Yes  please", "no")
    hits = index.of_keys([key_of("yes please"), key_of("unheard")], EVERYTHING, words=3)
    assert names(hits) == ids[11:6:-1]
    assert {hit.counts for hit in hits} == {(0, 0, 0)}


def test_more_texts_than_are_wanted_are_none(index: Index) -> None:
    filled(index, "one", "two", "three")
    assert index.keys_within(EVERYTHING, most=2) is None
    assert index.keys_within(EVERYTHING, most=3) == {key_of(each) for each in ("one", "two", "three")}


def beside(index: Index, ids: Sequence[EventId], where: Filter = EVERYTHING) -> dict[EventId, tuple[object, ...]]:
    found = index.beside(ids, where)
    return {id_: tuple(hit.id if hit else None for hit in both) for id_, both in found.items()}


def test_the_messages_beside_one_are_those_spoken_before_and_after_it_in_its_session(index: Index) -> None:
    index.put(
        [
            batch(
                stream(),
                event("a", "first", line=1),
                event("t", "traffic", line=2, role=Role.ASSISTANT, kind=Kind.TOOL_RESULT),
                event("b", "second", line=3, role=Role.ASSISTANT),
                event("x", "elsewhere", line=4, session="s2"),
                event("c", "third", line=5),
            )
        ]
    )
    a, b, c, x, t = (event(name).event.id for name in "abcxt")
    assert beside(index, [a, b, c, x, t]) == {a: (None, b), b: (a, c), c: (b, None), x: (None, None)}


def test_the_messages_beside_one_may_be_in_another_file_of_its_session(index: Index) -> None:
    index.put([batch(stream(1), event("a", line=7)), batch(stream(2, key="b.jsonl"), event("b", line=2))])
    a, b = (event(name).event.id for name in "ab")
    assert beside(index, [a, b]) == {a: (None, b), b: (a, None)}


def test_what_does_not_pass_is_beside_nothing(index: Index) -> None:
    a, b = filled(index, "then", "now")
    until = replace(EVERYTHING, until=NOON + 2_000)
    assert beside(index, [a, b], until) == {a: (None, None), b: (a, None)}


def test_rows_come_by_their_ids_in_one_go(index: Index) -> None:
    ids = filled(index, "one", "two")
    rows = index.rows([*ids, event("unknown").event.id])
    assert {id_: row.text for id_, row in rows.items()} == dict(zip(ids, ["one", "two"], strict=True))


_SEARCHED = ["fix", "fixes", "fixed", "run", "running", "настройки", "настройк", "configur"]


@settings(max_examples=40, deadline=None)
@given(st.lists(st.lists(st.sampled_from(_SEARCHED), min_size=1, max_size=5).map(" ".join), min_size=1, max_size=6))
def test_stems_never_change_what_search_finds(said: list[str]) -> None:
    with TemporaryDirectory() as folder, closing(opened(Path(folder))) as index:
        filled(index, *said)
        for query in (*_SEARCHED, "fix run"):
            expected = [text for text in said if set(query.split()) <= set(text.split())]
            assert sorted(found(index, query)) == sorted(expected)


def test_stems_never_change_what_search_finds_in_long_messages(index: Index) -> None:
    filled(index, "fixes " + " ".join(f"w{n}" for n in range(9_000)))
    assert found(index, "fix") == []
    assert len(found(index, "fixes w3")) == 1


def test_a_question_without_words_or_a_limit_has_no_candidates(index: Index) -> None:
    filled(index, "zebra")
    assert index.sharing([], EVERYTHING, limit=5) == []
    assert ask(index, "zebra", limit=0) == []
    assert index.of_keys([], EVERYTHING) == []
