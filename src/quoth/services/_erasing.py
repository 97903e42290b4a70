"""Decide what to overwrite in one mirrored stream so that some events, or some words, are gone.

Whether that takes anything else along is found by trial: the stream is parsed once more as it would be then.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import cast

from quoth.core.blanking import Wanted, blank, is_blank, without
from quoth.core.ids import EventId
from quoth.core.model import Anchor, Event, Form, Kind, Line, Located, Stream
from quoth.core.names import mirror_name
from quoth.core.ports import Adapter, Mirror
from quoth.core.spelling import normal
from quoth.services import _plan
from quoth.services._derive import Derivation

_SAID = frozenset({Kind.MESSAGE, Kind.TOOL_USE, Kind.TOOL_RESULT, Kind.MEMORY})
_ROUNDS = 8  # what goes may take along what goes …


@dataclass(frozen=True, slots=True)
class Erased:
    """What a stream is like without the words: changed lines by number, as they were and will be, and who is gone."""

    stream: Stream
    was: Mapping[int, bytes]
    new: Mapping[int, bytes]
    gone: Sequence[Located]
    stays: Collection[EventId] = ()
    """Events that hold the words, too, and stay."""
    anchors: Sequence[Anchor] = ()


@dataclass(slots=True)
class Erasing:
    """`is_gone` tells which events go. With `hunts`, so does what only repeats their words; `mirror` is read alone."""

    mirror: Mirror
    adapter: Adapter | None
    stream: Stream
    wanted: Wanted
    is_gone: Callable[[Event], bool]
    hunts: bool = True
    _gone: set[EventId] = field(default_factory=set)
    _whole: set[int] = field(default_factory=set)
    """Lines of which nothing can stay."""

    def decide(self) -> Erased:
        """Return what to overwrite, with everything that goes along."""
        before = self._parsed(self.mirror)
        self._gone = {located.event.id for located in before if self.is_gone(located.event)}
        by_line = _by_line(before)
        for _ in range(_ROUNDS):
            was, new, stays = self._lines(by_line)
            after = self._parsed(_Overlay(self.mirror, name_of(self.stream), new)) if self._gone or new else before
            along = set(self._along(before, after, by_line, new))
            stuck = set(self._stuck(before, after)) - self._whole
            if not along and not stuck:
                break
            self._gone |= along
            self._whole |= stuck
        gone = [located for located in before if located.event.id in self._gone]
        return Erased(self.stream, was, new, gone, stays, list(self._anchors(gone, after)))

    def _lines(self, by_line: Mapping[int, Sequence[Event]]) -> tuple[dict[int, bytes], dict[int, bytes], set[EventId]]:
        was: dict[int, bytes] = {}
        new: dict[int, bytes] = {}
        stays: set[EventId] = set()
        for line in all_lines(self.mirror, name_of(self.stream)):
            here = by_line.get(line.number, ())
            if is_blank(line.data) or not self._concerns(line, here):
                continue
            if holders := self._others_that_hold(here):
                stays.update(holders)
                continue
            cleared = self._cleared(line, here)
            if cleared != line.data:
                was[line.number], new[line.number] = line.data, cleared
        return was, new, stays

    def _concerns(self, line: Line, here: Sequence[Event]) -> bool:
        if any(event.id in self._gone for event in here):
            return True
        return self.hunts and self.wanted.may_be_in(line.data, is_packed=self.stream.form is Form.ROWS)

    def _others_that_hold(self, here: Sequence[Event]) -> list[EventId]:
        """Return the events of a line that say the same and stay, where nothing of it is gone."""
        if any(event.id in self._gone for event in here):
            return []
        return [event.id for event in here if _counts(event) and self.wanted.is_in(event.text)]

    def _cleared(self, line: Line, here: Sequence[Event]) -> bytes:
        gone = [event for event in here if event.id in self._gone]
        if (gone and len(gone) == len(here)) or line.number in self._whole:
            return blank(line.data)
        texts = tuple(event.text for event in gone if event.text.strip())
        spared = tuple(event.text for event in here if event.id not in self._gone and _counts(event))
        wanted = Wanted(self.wanted.phrases, (*self.wanted.texts, *texts), spared)
        return without(line.data, wanted) if wanted else line.data

    def _along(
        self,
        before: Sequence[Located],
        after: Sequence[Located],
        by_line: Mapping[int, Sequence[Event]],
        new: Mapping[int, bytes],
    ) -> Iterator[EventId]:
        """Yield what would be lost or changed, and what would get the id of something that is gone."""
        then = {located.event.id: located.event for located in after}
        for located in before:
            event = located.event
            if event.id not in self._gone and _is_lost(event, then.get(event.id), new):
                yield event.id
        for event in then.values():
            if event.id in self._gone and event.text.strip():
                form = normal(event.text)
                same = (each for each in by_line.get(event.line, ()) if normal(each.text) == form)
                yield from (each.id for each in same if each.id not in self._gone)

    def _stuck(self, before: Iterable[Located], after: Iterable[Located]) -> Iterator[int]:
        """Yield the lines that would still say what is gone."""
        then = {located.event.id: located.event for located in after}
        for located in before:
            event = located.event
            still = then.get(event.id) if event.id in self._gone else None
            if still and still.line == event.line and still.text.strip() and still.text == event.text:
                yield from _numbers(event)

    def _anchors(self, gone: Iterable[Located], after: Iterable[Located]) -> Iterator[Anchor]:
        """Yield where gone events were read, but where another one would be found in the same place."""
        taken = {(located.event.line, located.event.part): located.event.id for located in after}
        for located in gone:
            event = located.event
            if taken.get((event.line, event.part), event.id) == event.id:
                first = event.line if event.first_line is None else event.first_line
                yield Anchor(event.id, self.stream, first, event.line, b"", event.part)

    def _parsed(self, mirror: Mirror | _Overlay) -> list[Located]:
        """Return the events of the stream as far as its adapter can read it."""
        found: list[Located] = []
        kinds: dict[EventId, Kind] = {}
        if self.adapter is None:
            return found
        with suppress(Exception):  # foreign code; what it can't read is in no answer either
            read = Derivation(self.adapter, cast("Mirror", mirror), _plan.unread(self.stream), None)
            for batch in read.batches():
                found += batch.events
                kinds.update((said.id, said.kind) for said in batch.reclassified)
        return [_as(located, kinds.get(located.event.id)) for located in found]


class _Overlay:
    """A mirrored stream with some lines changed; the part of `Mirror` that parsing needs."""

    def __init__(self, mirror: Mirror, name: str, new: Mapping[int, bytes]) -> None:
        self._mirror = mirror
        self._name = name
        self._new = new

    def size(self, name: str) -> int:
        return self._mirror.size(name)

    def lines(self, name: str, *, offset: int = 0, number: int = 0) -> Iterator[tuple[Line, int]]:
        self._last = number
        for line, end in self._mirror.lines(name, offset=offset, number=number):
            self._last = line.number
            yield Line(line.number, self._new.get(line.number, line.data)), end

    def read(self, name: str, start: int = 0, stop: int | None = None) -> Iterator[bytes]:
        """Yield what follows the last complete line."""
        rest = self._new.get(self._last + 1)
        yield from [rest] if rest is not None else self._mirror.read(name, start, stop)

    def line(self, name: str, first: int, last: int | None = None) -> bytes:
        held = self._mirror.line(name, first, last).split(b"\n")
        return b"\n".join(self._new.get(number, data) for number, data in enumerate(held, first))


def all_lines(mirror: Mirror, name: str) -> Iterator[Line]:
    """Yield every line; at last what has no LF yet."""
    number = offset = 0
    for line, end in mirror.lines(name):
        number, offset = line.number, end
        yield line
    if mirror.size(name) > offset:
        yield Line(number + 1, b"".join(mirror.read(name, offset)))


def name_of(stream: Stream) -> str:
    return mirror_name(stream.source, stream.root, stream.key, stream.generation)


def _by_line(located: Iterable[Located]) -> Mapping[int, Sequence[Event]]:
    found: dict[int, list[Event]] = defaultdict(list)
    for each in located:
        for number in _numbers(each.event):
            found[number].append(each.event)
    return found


def _numbers(event: Event) -> range:
    """Return the numbers of the lines of an event."""
    return range(event.line if event.first_line is None else event.first_line, event.line + 1)


def _as(located: Located, kind: Kind | None) -> Located:
    return located if kind is None else replace(located, event=replace(located.event, kind=kind))


def _counts(event: Event) -> bool:
    """Tell whether an event is something said or done; what only accompanies it may lose the words."""
    return event.kind in _SAID and not event.own


def _is_lost(event: Event, then: Event | None, new: Mapping[int, bytes]) -> bool:
    if then is None or then.session != event.session:
        return True
    is_touched = any(number in new for number in _numbers(event))
    return is_touched and _counts(event) and then.text != event.text
