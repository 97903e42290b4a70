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


def imported(
    *,
    key: bytes = b"key",
    device: str = "d",
    source: str = "codex",
    path: str = "memories/a.md",
    previous: EntryId | None = None,
    content: bytes = b"x",
) -> EntryId:
    return ids.imported_entry_id(
        key, device=DeviceId(device), source=SourceId(source), path=path, previous=previous, content=content
    )


def test_the_same_file_content_gives_the_same_entry_for_ever() -> None:
    assert imported() == "ent_775b7d487757e1cbe51a573b0c275527"


def test_any_difference_of_an_import_gives_another_entry() -> None:
    different = [
        imported(key=b"other"),
        imported(device="e"),
        imported(source="pi"),
        imported(path="memories/b.md"),
        imported(previous=imported()),
        imported(content=b"y"),
        imported(path="memories/a.mdx", content=b""),
    ]
    assert len({imported(), *different}) == 8


def test_a_tombstone_has_the_bits_of_the_operation_that_set_it() -> None:
    forget = ids.operation_id(b"0123456789abcdef")
    assert ids.forget_of(ids.tombstone_id(forget)) == ids.forget_of(f" {ids.tombstone_id(forget).upper()}") == forget
    assert [ids.forget_of(each) for each in ("tmb_12", "ent_" + "0" * 32, "tmb_" + "g" * 32)] == [None, None, None]
