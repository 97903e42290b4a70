"""The chain: what was changed, dropped, inserted or swapped is found; what was destroyed breaks nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quoth.core.ids import DeviceId, OperationId
from quoth.core.ledger import chain
from quoth.core.ledger.chain import Payload, Record
from quoth.core.ledger.clock import Hybrid
from quoth.core.ledger.marks import fingerprint, quote_mark

SALT = bytes(range(32))


def series(device: str, count: int) -> list[Record]:
    made: list[Record] = []
    for number in range(count):
        made.append(
            chain.link(
                name=OperationId(f"op_{device}{number}"),
                device=DeviceId(device),
                after=made[-1] if made else None,
                time=Hybrid(number, 0),
                kind="promote",
                actor="a",
                bound=b"{}",
                payload=Payload(SALT, b"%d" % number),
            )
        )
    return made


def codes(records: Sequence[Record]) -> list[str]:
    return [found.code for found in chain.follow(records)]


def test_whole_series_of_several_devices_hold() -> None:
    records = [*series("a", 3), *series("b", 2), *series("c", 1)]
    assert codes(records) == []
    assert [found for record in records for found in chain.examine(record, None)] == []


@given(st.integers(0, 3))
def test_a_dropped_operation_leaves_a_gap_unless_it_was_the_last(dropped: int) -> None:
    records = series("a", 4)
    del records[dropped]
    assert codes(records) == ([] if dropped == 3 else ["gap"])


def test_an_operation_of_another_history_does_not_follow() -> None:
    records, foreign = series("a", 3), series("b", 3)
    swapped = [records[0], replace(foreign[1], device=DeviceId("a")), records[2]]
    assert codes(swapped) == ["order", "order"]


@pytest.mark.parametrize(
    "change",
    [
        {"id": OperationId("op_x")},
        {"device": DeviceId("b")},
        {"sequence": 9},
        {"time": Hybrid(9, 0)},
        {"time": Hybrid(0, 9)},
        {"kind": "forget"},
        {"actor": "b"},
        {"bound": b"[]"},
        {"commitment": bytes(32)},
        {"previous": bytes(32)},
    ],
)
def test_changing_anything_of_a_record_is_found(change: dict[str, object]) -> None:
    record = series("a", 1)[0]
    assert [found.code for found in chain.examine(replace(record, **change), None)] == ["changed"]  # type: ignore[arg-type]  # any field by name


def test_a_payload_that_was_not_committed_to_is_found_and_one_that_is_gone_is_no_change() -> None:
    record = series("a", 1)[0]
    assert list(chain.examine(record, None)) == []
    for payload in (Payload(SALT, b"other"), Payload(bytes(32), b"0"), Payload(SALT + b"0", b"")):
        assert [found.code for found in chain.examine(record, payload)] == ["payload"]


def test_fields_can_not_be_shifted_into_one_another() -> None:
    record = series("a", 1)[0]
    shifted = replace(record, kind=record.kind + "a", actor="")
    assert chain.digest(shifted) != chain.digest(record)


def test_equal_payloads_have_unlike_commitments() -> None:
    assert chain.commit(Payload(SALT, b"x")) != chain.commit(Payload(bytes(32), b"x"))
    with pytest.raises(ValueError, match="32"):
        chain.commit(Payload(b"", b"x"))


def test_marks_depend_on_key_words_and_purpose() -> None:
    marks = {quote_mark(b"k", "a"), quote_mark(b"k", "b"), quote_mark(b"l", "a"), fingerprint(b"k", "a")}
    assert len(marks) == 4
    assert quote_mark(b"k", "a") in marks
