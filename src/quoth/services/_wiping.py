"""Keep out of the mirror what was purged, and finish a purge that was cut short.

A purge writes into `raw/purge.plan` what it will overwrite, then destroys in the ledger, then overwrites, then makes
the index again and removes the plan. The plan holds places and no words. It counts once the ledger holds a destroy
with its token among the fingerprints; so a kill leaves either nothing done, or a rest that whoever comes next does.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from quoth.core.blanking import Wanted, blank, filled
from quoth.core.errors import AdapterBroken, StoreFailed
from quoth.core.ids import SourceId
from quoth.core.ledger.marks import fingerprint
from quoth.core.ledger.operations import Destroy, Operation
from quoth.core.memory import Fate
from quoth.core.model import Line, Stream
from quoth.core.ports import Adapter, Mirror
from quoth.services._erasing import Erasing, name_of
from quoth.services._left_out import is_note
from quoth.services._memory import Memory
from quoth.services._private import write_whole

PLAN = "raw/purge.plan"
FORMAT = 1

Lines: TypeAlias = Mapping[int, Sequence[tuple[int, int]]]  # ranges inside lines, by number


@dataclass(slots=True)
class _Known:
    """The fingerprints of what was destroyed, up to a cursor of the ledger."""

    cursor: int | None = None
    marks: set[bytes] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class Wiping:
    """`is_index` tells which files of the home are indexes of other schemas."""

    memory: Memory
    mirror: Mirror
    adapters: Mapping[SourceId, Adapter]
    home: Path
    is_index: Callable[[Path], bool]
    _known: _Known = field(default_factory=_Known)

    def again(self) -> None:
        """Wipe what was read once more although it was purged, and what a killed purge left; cheap where nothing is."""
        self.finish()
        anchors = self.memory.entries.destroyed_anchors()
        for stream in dict.fromkeys(anchor.stream for anchor in anchors):
            self._wipe(stream)
        if anchors:
            self.memory.entries.blanked(anchors)

    def purged(self) -> Purged | None:
        """Return what recognises purged lines; None when nothing was ever purged."""
        if not self.memory.is_begun():
            return None
        known = self._known
        for body in (operation.body for operation in self._new()):
            if isinstance(body, Destroy):
                known.marks.update(body.fingerprints)
        return Purged(self.mirror, known.marks, self.memory.key()) if known.marks else None

    def _new(self) -> Iterator[Operation]:
        """Yield operations that were not looked at; the first time those of one kind, for there may be many others."""
        store, known = self.memory.ledger(), self._known
        if known.cursor is None:
            known.cursor = store.cursor()
            yield from store.of_kinds("destroy")
        while new := store.since(known.cursor):
            known.cursor = new[-1].cursor
            yield from (each.operation for each in new)

    # --- a purge in steps ---

    def begin(self, token: bytes, lines: Mapping[str, Lines]) -> None:
        """Write down what a purge will overwrite, by the names of streams."""
        self._write({"format": FORMAT, "token": token.hex(), "lines": lines})

    def is_unfinished(self) -> bool:
        """Tell whether a purge was cut short after it had destroyed something."""
        return (self.home / PLAN).exists() and self._plan() is not None

    def finish(self) -> None:
        """Overwrite what a purge that counts still has to; the index is left to a rebuild, which calls `settled`."""
        if not (self.home / PLAN).exists():
            return
        plan = self._plan()
        if plan is None:
            (self.home / PLAN).unlink()
            return
        token, lines = plan
        for name, ranges in lines.items():
            self.mirror.blank(name, _filling(ranges))
        self.memory.ledger().scrub()
        if lines:
            self._write({"format": FORMAT, "token": token.hex(), "lines": {}})

    def settled(self) -> None:
        """Remove every other index and the plan, once the index was made again behind a purge."""
        if self.is_unfinished():
            for path in list(self.home.iterdir()):
                if self.is_index(path):
                    path.unlink(missing_ok=True)
            (self.home / PLAN).unlink()

    def _plan(self) -> tuple[bytes, Mapping[str, Lines]] | None:
        """Return the plan, if the ledger holds what it goes with."""
        try:
            said = json.loads((self.home / PLAN).read_bytes())
            token = bytes.fromhex(said["token"])
            lines = {
                name: {int(number): [(start, stop) for start, stop in ranges] for number, ranges in held.items()}
                for name, held in said["lines"].items()
            }
        except (ValueError, LookupError, TypeError, AttributeError):
            return None  # It is written in one step, so nothing of ours was destroyed behind it.
        purged = self.purged()
        return (token, lines) if purged and token in purged.known else None

    def _write(self, plan: Mapping[str, object]) -> None:
        path = self.home / PLAN
        try:
            path.parent.mkdir(mode=0o700, exist_ok=True)
            write_whole(path, json.dumps(plan).encode())
        except OSError as error:
            raise StoreFailed(f"Writing {PLAN}", error.strerror or type(error).__name__) from error

    # --- what was read again ---

    def _wipe(self, stream: Stream) -> None:
        """Overwrite the destroyed events of a stream; what shares a line with them stays where that is possible."""
        entries = self.memory.entries
        erasing = Erasing(
            self.mirror,
            adapter_of(self.adapters, stream),
            stream,
            Wanted(),
            lambda event: entries.fate(event.id) is Fate.DESTROYED,
            hunts=False,
        )
        new = erasing.decide().new
        if new:
            self.mirror.blank(name_of(stream), lambda line: new.get(line.number))


@dataclass(slots=True)
class Purged:
    """Recognises lines that were purged before they reach the mirror."""

    mirror: Mirror
    known: Collection[bytes]
    key: bytes

    def holds(self, line: bytes) -> bool:
        return mark_of_line(self.key, line) in self.known

    def has_new(self, name: str, rows: Iterable[bytes]) -> bool:
        """Tell whether any of a database's rows is not in the mirror; an adapter may need a purged one to know.

        A note of what is left out always is: the one that says the same was followed by another.
        """
        if not self.mirror.blanks(name):
            return True
        held = {_digest(line.data) for line, _ in self.mirror.lines(name)}
        return not all((_digest(row) in held and not is_note(row)) or self.holds(row) for row in rows)

    def cleared(self, name: str, chunks: Iterable[bytes], *, held: int) -> Iterator[bytes]:
        """Yield what is to be appended behind `held` bytes of a stream, purged lines blank.

        The mirror knows of it before the bytes are there.
        """
        waiting, place = bytearray(), held
        for chunk in chunks:
            waiting += chunk
            if end := waiting.rfind(b"\n") + 1:
                yield self._cleared(name, bytes(waiting[:end]), place)
                del waiting[:end]
                place += end
        if waiting:
            yield self._cleared(name, bytes(waiting), place)

    def clear_begun(self, name: str, number: int, offset: int, held: int) -> None:
        """Wipe a line that was mirrored up to `held` when it was not complete, and turns out to be a purged one."""
        line = next((line for line, _ in self.mirror.lines(name, offset=offset, number=number - 1)), None)
        if line and offset < held and self.holds(line.data):
            self.mirror.blank(name, lambda each: blank(each.data) if each.number == number else None)

    def _cleared(self, name: str, data: bytes, place: int) -> bytes:
        ranges: list[tuple[int, int]] = []
        start = 0
        for line in data.split(b"\n"):
            if line and self.holds(line):
                ranges.append((start, start + len(line)))
            start += len(line) + 1
        if not ranges:
            return data
        self.mirror.expect_blanks(name, [(place + start, place + stop) for start, stop in ranges])
        return filled(data, ranges)


def mark_of_line(key: bytes, line: bytes) -> bytes:
    """Return the fingerprint of a raw line, whatever its bytes are."""
    return fingerprint(key, line.decode("latin-1"))


def _digest(line: bytes) -> bytes:
    return hashlib.sha256(line).digest()


def adapter_of(adapters: Mapping[SourceId, Adapter], stream: Stream) -> Adapter | None:
    """Return what reads a stream; None where that is not here any more."""
    with suppress(AdapterBroken, KeyError):
        return adapters[stream.source]
    return None


def _filling(ranges: Lines) -> Callable[[Line], bytes | None]:
    return lambda line: filled(line.data, ranges[line.number]) if line.number in ranges else None
