"""Read the start of a log: the directory it names first, which is where its session began."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from quoth.core.errors import ReadFailed
from quoth.readers import compressed, jsonl

_LONGEST = 4 << 20  # bytes; a log that names no directory until then belongs to none


def first_cwd(path: Path, *, is_compressed: bool) -> str | None:
    """Return the first `cwd` of a record or of its payload; None when the log's start has none or can't be read."""
    try:
        for line in _lines(path, is_compressed):
            for record in jsonl.records(line):
                if isinstance(record, dict) and (cwd := _cwd(record) or _cwd(record.get("payload"))):
                    return cwd
    except ReadFailed:
        return None
    return None


def _cwd(record: object) -> str | None:
    cwd = record.get("cwd") if isinstance(record, dict) else None
    return cwd if isinstance(cwd, str) and cwd else None


def _lines(path: Path, is_compressed: bool) -> Iterator[bytes]:
    """Yield the complete lines of the start of a log."""
    begun, read = b"", 0
    for chunk in compressed.chunks(path, compressed=is_compressed):
        *lines, begun = (begun + chunk).split(b"\n")
        yield from lines
        read += len(chunk)
        if read >= _LONGEST:
            return
