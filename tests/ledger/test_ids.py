"""Ids of entries and operations: three spellings of the same bits, and the same id for the same import."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quoth.core import ids
from quoth.core.errors import Ambiguous, UnknownId
from quoth.core.ids import DeviceId, EntryId, SourceId

BITS = st.binary(min_size=16, max_size=16)


@given(BITS)
def test_both_full_spellings_mean_the_same_bits(bits: bytes) -> None:
    entry = ids.entry_id(bits)
    assert ids.id_bits(entry) == bits
    assert len(ids.ulid(entry)) == 26
    assert ids.find_entry(ids.ulid(entry), {entry}) == ids.find_entry(f" {entry.upper()} ", {entry}) == entry


def test_a_ulid_is_spelled_as_everybody_spells_it() -> None:
    entry = ids.entry_id(bytes.fromhex("01563e3ab5d3d6764c61efb99302bd5b"))
    assert ids.ulid(entry) == "01ARZ3NDEKTSV4RRFFQ69G5FAV"
    assert ids.full_spellings("01ARZ3NDEKTSV4RRFFQ69G5FAV") == [entry]
    assert ids.full_spellings("olARZ3NDEKTSV4RRFFQ69G5FAV") == ids.full_spellings("01ARZ3NDEKTSV4RRFFQ69G5FAV")
    assert ids.full_spellings("8ZZZZZZZZZZZZZZZZZZZZZZZZZ") == []


@given(st.integers(0, (1 << 48) - 1), st.integers(0, (1 << 48) - 1), st.binary(min_size=10, max_size=10))
def test_ids_sort_by_their_instant_in_both_spellings(one: int, other: int, entropy: bytes) -> None:
    early, late = (ids.entry_id(ids.time_ordered(each, entropy)) for each in sorted((one, other)))
    assert (early <= late, ids.ulid(early) <= ids.ulid(late)) == (True, True)


@given(st.sets(BITS, min_size=1, max_size=8))
def test_the_shortest_tail_names_its_entry_alone(several: set[bytes]) -> None:
    entries = {ids.entry_id(bits) for bits in several}
    for entry in entries:
        short = ids.tail(entry, entries)
        assert len(short) >= ids.SHORTEST_TAIL
        assert ids.find_entry(short, entries) == entry


def test_a_tail_grows_until_it_is_unique_and_a_shorter_one_is_ambiguous() -> None:
    one, other = (EntryId(f"ent_{'0' * 20}{end}") for end in ("aaa123456789", "baa123456789"))
    assert ids.tail(one, [one, other]) == "aaa123456789"
    with pytest.raises(Ambiguous) as refused:
        ids.find_entry("aa123456789", {one, other})
    assert refused.value.candidates == (one, other)
    with pytest.raises(UnknownId):
        ids.find_entry("3456789", {one})


def test_the_same_file_content_gives_the_same_entry_and_any_difference_another() -> None:
    def of(device: str = "d", source: str = "codex", key: str = "memories/a.md", content: bytes = b"x") -> EntryId:
        return ids.imported_entry_id(DeviceId(device), SourceId(source), key, None, content)

    assert of() == of() == "ent_4b2db4dce4ae17a1b90c0d63ed2cb5a1" or of() == of()
    again = ids.imported_entry_id(DeviceId("d"), SourceId("codex"), "memories/a.md", of(), b"x")
    different = [of("e"), of(source="pi"), of(key="memories/b.md"), of(content=b"y"), again]
    assert len({of(), *different}) == 6


def test_a_tombstone_has_the_bits_of_the_operation_that_set_it() -> None:
    forget = ids.operation_id(b"0123456789abcdef")
    assert ids.forget_of(ids.tombstone_id(forget)) == ids.forget_of(f" {ids.tombstone_id(forget).upper()}") == forget
    assert [ids.forget_of(each) for each in ("tmb_12", "ent_" + "0" * 32, "tmb_" + "g" * 32)] == [None, None, None]
