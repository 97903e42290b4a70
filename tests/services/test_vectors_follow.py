"""Vectors follow what they stand for: a purge leaves no byte of them (INV-5), a rebuild keeps them (INV-1)."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from pathlib import Path

import pytest

from quoth.core.vectors import TextKey, key_of
from services.archive import Archive
from services.purged import purge
from storage.vectors import cache, closing, vector

__all__ = ["closing"]

SECRET = "the vault opens with Zanzibar Quillwort at dawn"
TALK = ["hello there", "an answer", SECRET]


def talk(archive: Archive) -> None:
    archive.log().write_bytes(b"".join(archive.records(TALK)))
    archive.sync()


def wanted(archive: Archive) -> Sequence[TextKey]:
    """Return the keys of all texts that should have a vector, in their order."""
    keys: Sequence[TextKey] = archive.ask(lambda kernel: list(kernel.index.texts()))
    return keys


def embed(archive: Archive) -> None:
    found = archive.ask(lambda kernel: kernel.index.text_of(list(kernel.index.texts())))
    cache(archive.home).put((key, vector(text)) for key, text in found.items())


def holding(home: Path, text: str) -> list[str]:
    """Return the files of vectors that hold the half floats or the key of a text."""
    (numbers,) = vector(text)
    halves = struct.pack(f"<{len(numbers)}e", *numbers)
    read = {path.name: path.read_bytes() for path in home.rglob("*vectors-*") if path.is_file()}
    return [name for name, data in read.items() if halves in data or key_of(text) in data]


@pytest.mark.req("INV-5")
def test_of_a_purged_event_no_file_holds_a_vector(archive: Archive) -> None:
    talk(archive)
    embed(archive)
    assert holding(archive.home, SECRET)
    purge(archive, str(archive.search("Zanzibar")[0]["id"]))
    assert holding(archive.home, SECRET) == []
    assert holding(archive.home, "hello there")
    assert cache(archive.home).missing(wanted(archive)) == []


@pytest.mark.req("INV-1")
def test_a_rebuild_keeps_every_vector_and_asks_for_no_other(archive: Archive) -> None:
    talk(archive)
    embed(archive)
    before = wanted(archive)
    archive.rebuild()
    assert wanted(archive) == before
    assert cache(archive.home).missing(before) == []
