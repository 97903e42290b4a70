"""Tell a log that grew from one that was rewritten, by comparing its bytes with the mirror.

What was purged is blank in the mirror; in those ranges a log may say what it likes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

from quoth.core.model import Form, Found, Signature
from quoth.core.ports import Mirror
from quoth.readers import compressed

_WHOLE = 1 << 20  # bytes of a log up to which all of it is compared; that takes less than a millisecond
_EDGE = 65_536  # bytes compared before the place where a grown file goes on
_PROBE = 4_096  # bytes of each spot compared elsewhere
_SPOTS = 16


def continues(mirror: Mirror, name: str, found: Found, before: Signature | None) -> bool:
    """Say whether the file still begins with everything the mirror holds of it.

    A large file that was only appended to since `before` (same file, larger) is compared at its head, at sixteen spots
    and just before its new part: agents append, or write a new file and rename it; the rest follows when it rests.
    Everything else is compared byte for byte, so a rewrite that keeps size and times is found too.
    """
    held = mirror.size(name)
    if not found.compressed and found.signature.size < held:
        return False
    if held == 0:
        return True
    if found.form is Form.FILE and found.signature.size != held:
        return False
    if held > _WHOLE and not found.compressed and before is not None and _only_grew(before, found.signature):
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
    theirs = _first(compressed.chunks(found.path, compressed=False, start=start), stop - start)
    return _same(theirs, b"".join(mirror.read(name, start, stop)), start, _Blanks(mirror, name))


def _first(chunks: Iterator[bytes], size: int) -> bytes:
    read = bytearray()
    for chunk in chunks:
        read += chunk
        if len(read) >= size:
            break
    return bytes(read[:size])


def _equal(mirror: Mirror, name: str, found: Found, held: int) -> bool:
    theirs = compressed.chunks(found.path, compressed=found.compressed)
    blanks = _Blanks(mirror, name)
    rest, place = b"", 0
    for ours in mirror.read(name, 0, held):
        while len(rest) < len(ours):
            more = next(theirs, b"")
            if not more:
                return False
            rest += more
        if not _same(rest[: len(ours)], ours, place, blanks):
            return False
        rest = rest[len(ours) :]
        place += len(ours)
    return True


class _Blanks:
    """The blank ranges of a stream; nobody asks for them while mirror and log are the same."""

    def __init__(self, mirror: Mirror, name: str) -> None:
        self._mirror = mirror
        self._name = name

    @cached_property
    def ranges(self) -> Sequence[tuple[int, int]]:
        return self._mirror.blanks(self._name)


def _same(theirs: bytes, ours: bytes, place: int, blanks: _Blanks) -> bool:
    """Compare a part of the log with that of the mirror, which begins at `place`."""
    if theirs == ours:
        return True
    if len(theirs) != len(ours):
        return False
    masked = bytearray(theirs)
    for start, stop in blanks.ranges:
        first, last = max(start - place, 0), min(stop - place, len(ours))
        if first < last:
            masked[first:last] = ours[first:last]
    return masked == ours
