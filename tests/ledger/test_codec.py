"""Operations as bytes: reading gives what was written, the bytes are canonical, and words stay out of what is kept."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quoth.core import ids
from quoth.core.errors import LedgerDamaged, NewerFormat
from quoth.core.ids import DeviceId, EntryId, EventId, OperationId, SourceId
from quoth.core.ledger import chain, codec
from quoth.core.ledger.chain import Payload, Record
from quoth.core.ledger.clock import Hybrid
from quoth.core.ledger.operations import (
    Body,
    Destroy,
    Draft,
    Forget,
    Judge,
    Move,
    Promote,
    Relate,
    Restore,
    Verdict,
    asserting,
    citing,
)
from quoth.core.ledger.values import (
    Approval,
    Attribution,
    Citation,
    EntryKind,
    Epistemic,
    Polarity,
    Scope,
    Statement,
    StoredAnchor,
    Tier,
)

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
WHOLE = st.integers(-(1 << 40), 1 << 40)
UNIT = st.floats(0, 1)
ENTRY = st.builds(ids.entry_id, st.binary(min_size=16, max_size=16))
OPERATION = st.builds(ids.operation_id, st.binary(min_size=16, max_size=16))
EVENT = st.builds(EventId, TEXT)
JSON: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=5,
)
MAYBE_EPISTEMIC = st.none() | st.sampled_from(Epistemic)
SCOPE = st.builds(Scope, TEXT, TEXT, TEXT, TEXT)
ANCHOR = st.builds(
    StoredAnchor,
    st.builds(DeviceId, TEXT),
    st.builds(SourceId, TEXT),
    TEXT,
    WHOLE,
    WHOLE,
    WHOLE,
    st.binary(max_size=32),
)
CITATION = st.builds(
    Citation,
    EVENT,
    st.none() | TEXT,
    st.none() | st.tuples(WHOLE, WHOLE),
    st.none() | st.binary(min_size=1, max_size=32),
    st.none() | ANCHOR,
)
STATEMENT = st.builds(
    Statement,
    text=TEXT,
    kind=st.sampled_from(EntryKind),
    type=TEXT,
    created_at=WHOLE,
    author=TEXT,
    name=st.none() | TEXT,
    tags=st.lists(TEXT, max_size=3).map(tuple),
    fields=st.dictionaries(TEXT, JSON, max_size=3),
    confidence=UNIT,
    epistemic=st.sampled_from(Epistemic),
    polarity=st.sampled_from(Polarity),
    importance=UNIT,
    scope=SCOPE,
    agent=TEXT,
    valid_from=st.none() | WHOLE,
    valid_to=st.none() | WHOLE,
    event_time=st.none() | WHOLE,
    attribution=st.sampled_from(Attribution),
    imported=st.booleans(),
    approval=st.none() | st.builds(Approval, TEXT, TEXT, WHOLE),
    tier=st.sampled_from(Tier),
    uncited=st.none() | TEXT,
)


def several(values: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.lists(values, max_size=3).map(tuple)


CITATIONS: st.SearchStrategy[Sequence[Citation]] = st.lists(CITATION, max_size=3)
BODY: st.SearchStrategy[Body] = st.one_of(
    st.builds(asserting, ENTRY, STATEMENT, CITATIONS),
    st.builds(
        lambda entry, said, cited, root, saw: asserting(entry, said, cited, root=root, supersedes=root, saw=saw),
        ENTRY,
        STATEMENT,
        CITATIONS,
        st.just(EntryId("ent_" + "f" * 32)),
        several(ENTRY),
    ),
    st.builds(citing, ENTRY, ENTRY, CITATIONS),
    st.builds(
        Judge, st.sampled_from(Verdict), ENTRY, ENTRY, st.none() | st.sampled_from(Epistemic), several(OPERATION)
    ),
    st.builds(Forget, several(ENTRY), several(EVENT), st.booleans(), several(st.binary(max_size=32))),
    st.builds(Restore, OPERATION, several(ENTRY), several(EVENT)),
    st.builds(Destroy, several(ENTRY), several(EVENT), several(OPERATION), several(st.binary(max_size=32))),
    st.builds(Move, ENTRY, SCOPE, several(OPERATION)),
    st.builds(Promote, ENTRY, st.sampled_from(Tier)),
    st.builds(Relate, ENTRY, ENTRY, ENTRY, ENTRY, TEXT),
)


def record(draft: Draft, *, salt: bytes = b"s" * 32) -> tuple[Record, Payload]:
    bound, data = codec.encode(draft)
    payload = Payload(salt, data)
    made = chain.link(
        name=OperationId("op_" + "0" * 32),
        device=DeviceId("d"),
        after=None,
        time=Hybrid(1, 0),
        kind=codec.kind_of(draft.body),
        actor=draft.actor,
        bound=bound,
        payload=payload,
    )
    return made, payload


@settings(max_examples=300, deadline=None)
@given(BODY, TEXT, TEXT)
def test_reading_gives_what_was_written_in_canonical_bytes(body: Body, actor: str, reason: str) -> None:
    draft = Draft(body, actor, reason)
    found = codec.decode(*record(draft))
    assert (found.body, found.header.actor, found.header.reason) == (body, actor, reason)
    assert codec.encode(Draft(found.body, actor, reason)) == codec.encode(draft)


@settings(max_examples=100, deadline=None)
@given(BODY)
def test_without_its_payload_an_operation_still_says_what_it_binds(body: Body) -> None:
    made, _ = record(Draft(body, "a", "why"))
    found = codec.decode(made, None)
    assert found.header.reason is None
    assert type(found.body) is type(body)
    assert record(Draft(found.body, "a"))[0].bound == made.bound


def test_no_word_of_an_entry_is_in_what_is_kept() -> None:
    said = Statement(
        text="secret text",
        kind=EntryKind.MEMORY,
        type="secret type",
        created_at=1,
        author="secret author",
        name="secret name",
        tags=("secret tag",),
        fields={"secret field": "secret value"},
        scope=Scope("secret place"),
        uncited="secret excuse",
    )
    anchor = StoredAnchor(DeviceId("d"), SourceId("codex"), "secret stream", 1, 2, 3, b"x" * 32)
    quote = Citation(EventId("codex:1"), "secret quote", (1, 2), b"secret mark", anchor)
    made, payload = record(Draft(asserting(EntryId("ent_1"), said, [quote]), "codex@desk", "secret reason"))
    assert b"secret" in payload.data
    assert b"secret" not in b"".join(value for value in _bytes(made))
    assert anchor.sha256.hex().encode() not in made.bound


def test_the_bytes_of_format_1_never_change() -> None:
    anchor = StoredAnchor(DeviceId("d1"), SourceId("codex"), "codex/root/a.jsonl", 2, 3, 4, b"\x01\x02")
    said = Statement(
        text="Порт 8737.",
        kind=EntryKind.KNOWLEDGE,
        type="fact",
        created_at=1_700_000_000_000,
        author="codex@desk",
        scope=Scope("me", "org"),
        fields={"b": [1, None], "a": 0.5},
    )
    body = asserting(EntryId("ent_1"), said, [Citation(EventId("codex:1"), "8737", (0, 4), b"\xff", anchor)])
    made, payload = record(Draft(body, "codex@desk", "asked"))
    assert made.bound == (b'{"entry":"ent_1","events":["codex:1"],"inherits":true,"root":"ent_1","saw":[],"v":1}')
    assert payload.data.decode() == (
        '{"citations":[{"anchor":{"device":"d1","first_line":3,"generation":2,"last_line":4,"sha256":"0102",'
        '"source":"codex","stream":"codex/root/a.jsonl"},"event":"codex:1","mark":"ff","quote":"8737","span":[0,4]}],'
        '"reason":"asked","statement":{"agent":"global","attribution":"agent","author":"codex@desk","confidence":0.8,'
        '"created_at":1700000000000,"epistemic":"actual","fields":{"a":0.5,"b":[1,null]},"importance":0.5,'
        '"imported":false,"kind":"knowledge","polarity":"positive","scope":{"tenant":"me","workspace":"org"},'
        '"tags":[],"text":"Порт 8737.","tier":"durable","type":"fact"},"v":1}'
    )
    assert made.commitment == hashlib.sha256(payload.salt + payload.data).digest()
    fields = [
        b"quoth operation 1",
        b"",
        b"op_" + b"0" * 32,
        b"d",
        b"1",
        b"1",
        b"0",
        b"assert",
        b"codex@desk",
        made.bound,
        made.commitment,
    ]
    assert made.hash == hashlib.sha256(b"".join(len(each).to_bytes(8, "big") + each for each in fields)).digest()


def test_a_newer_format_is_refused_with_a_sentence() -> None:
    made, payload = record(Draft(Promote(EntryId("ent_1"), Tier.DURABLE), "a"))
    newer = json.dumps({**json.loads(made.bound), "v": 2}).encode()
    with pytest.raises(NewerFormat, match="ledger has format 2"):
        codec.decode(replace(made, bound=newer), payload)


@pytest.mark.parametrize(
    "bound",
    [
        b"",
        b"[]",
        b"{}",
        b'{"v":1}',
        b'{"v":true,"root":"ent_1","tier":"durable"}',
        b'{"v":1,"root":7,"tier":"durable"}',
        b'{"v":1,"root":"ent_1","tier":"golden"}',
        b"\xff",
        b"[" * 100_000,
    ],
)
def test_bytes_that_are_no_operation_are_refused_by_its_id_and_nothing_else(bound: bytes) -> None:
    made, payload = record(Draft(Promote(EntryId("ent_1"), Tier.DURABLE), "a"))
    with pytest.raises(LedgerDamaged, match=made.id):
        codec.decode(replace(made, bound=bound), payload)


def test_what_json_can_not_say_is_refused_before_it_is_stored() -> None:
    for text, confidence in (("\ud800", 0.5), ("fine", float("nan"))):
        said = Statement(text=text, kind=EntryKind.MEMORY, type="t", created_at=1, author="a", confidence=confidence)
        with pytest.raises(ValueError, match=r"\w"):
            codec.encode(Draft(asserting(EntryId("ent_1"), said), "a"))


def test_a_first_version_can_not_claim_a_root_and_a_later_one_must() -> None:
    said = Statement(text="t", kind=EntryKind.MEMORY, type="t", created_at=1, author="a")
    with pytest.raises(ValueError, match="root"):
        asserting(EntryId("ent_2"), said, root=EntryId("ent_1"))
    with pytest.raises(ValueError, match="root"):
        asserting(EntryId("ent_2"), said, supersedes=EntryId("ent_1"))


def _bytes(made: Record) -> Sequence[bytes]:
    texts = [made.id, made.device, made.kind, made.actor]
    return [*map(str.encode, texts), made.bound, made.commitment, made.previous, made.hash]
