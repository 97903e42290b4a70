"""Tell a log that grew from one that was rewritten, by comparing its bytes with the mirror."""

from __future__ import annotations

from collections.abc import Iterator

from quoth.core.model import Form, Found, Signature
from quoth.core.ports import Mirror
from quoth.readers import compressed

_EDGE = 65_536  # bytes compared before the place where a grown file goes on
_PROBE = 4_096  # bytes of each spot compared elsewhere
_SPOTS = 16


def continues(mirror: Mirror, name: str, found: Found, before: Signature | None) -> bool:
    """Say whether the file still begins with everything the mirror holds of it.

    A file that was only appended to since `before` (same file, larger) is compared at its head, at sixteen spots and
    just before its new part: agents append, or write a new file and rename it. Everything else is compared byte for
    byte, so a rewrite that keeps size and times is found too.
    """
    held = mirror.size(name)
    if not found.compressed and found.signature.size < held:
        return False
    if held == 0:
        return True
    if found.form is Form.FILE and found.signature.size != held:
        return False
    if not found.compressed and before is not None and _only_grew(before, found.signature):
        return all(_equal_at(mirror, name, found, start, stop) for start, stop in _spots(held))
    return _equal(mirror, name, found, held)


def _only_grew(before: Signature, now: Signature) -> bool:
    return (before.device, before.inode) == (now.device, now.inode) and now.size > before.size


def _spots(held: int) -> Iterator[tuple[int, int]]:
    for spot in range(_SPOTS):
        start = held * spot // _SPOTS
        yield start, min(start + _PROBE, held)
    yield max(0, held - _EDGE), held


def _equal_at(mirror: Mirror, name: str, found: Found, start: int, stop: int) -> bool:
    return _first(compressed.chunks(found.path, compressed=False, start=start), stop - start) == b"".join(
        mirror.read(name, start, stop)
    )


def _first(chunks: Iterator[bytes], size: int) -> bytes:
    read = bytearray()
    for chunk in chunks:
        read += chunk
        if len(read) >= size:
            break
    return bytes(read[:size])


def _equal(mirror: Mirror, name: str, found: Found, held: int) -> bool:
    theirs = compressed.chunks(found.path, compressed=found.compressed)
    rest = b""
    for ours in mirror.read(name, 0, held):
        while len(rest) < len(ours):
            more = next(theirs, b"")
            if not more:
                return False
            rest += more
        if rest[: len(ours)] != ours:
            return False
        rest = rest[len(ours) :]
    return True
