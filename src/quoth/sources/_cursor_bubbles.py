"""Read the mirrored rows of a `state.vscdb`; `cursor` states the rule by which ids are made."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import count

from quoth.core.ids import EventId, SessionId, event_id
from quoth.core.model import Event, Fact, Json, Kind, Line, Opened, Role, Titled, Unread
from quoth.readers.jsonl import Broken, records
from quoth.sources import _cursor_words as words
from quoth.sources._cursor_lines import held
from quoth.sources._cursor_memory import Memory, Row, Session, chained, remembered, row_of, seal
from quoth.sources._cursor_rows import said_of
from quoth.sources._cursor_transcript import SOURCE
from quoth.sources._cursor_words import Piece
from quoth.sources._values import Record, inner, instant, is_name, items, number, one_line, text, texts

IDE_WEIGHT = 2

_LABEL_LENGTH = 80
_TITLE_LENGTH = 1_000
_TOOL = 15  # the capability of a bubble that calls a tool
_ENDED = frozenset({"completed", "error", "cancelled"})
_TIMES = ("createdAt", "startedAtMs", "completedAtMs")
_TIMINGS = ("clientStartTime", "clientRpcSendTime", "clientEndTime", "clientSettleTime")


@dataclass(frozen=True, slots=True)
class _Bubble:
    """One bubble before its events have places: its session, its own id, and what its row holds."""

    session: SessionId
    id: EventId
    row: Record
    time: int | None
    is_child: bool


class StateParser:
    def __init__(self, state: Json = None) -> None:
        self._memory: Memory = remembered(state)

    def state(self) -> Json:
        return self._memory.state()

    def feed(self, line: Line) -> Iterator[Fact]:
        parts = count()
        for record in records(line.data):
            if isinstance(record, Broken):
                yield Unread(line.number, "unparsable", record.reason)
            else:
                for fact in self._record(record, line):
                    yield replace(fact, part=next(parts)) if isinstance(fact, Event) else fact

    def _record(self, record: Record, line: Line) -> Iterator[Fact]:
        rowid = number(record, "rowid") or 0
        match kind := text(record, "type"):
            case "reading":
                mark = Row(rowid, text(record, "witness"))
                self._memory.begin(mark, everything=record.get("all") is True)
            case "read":
                self._memory.end()
            case "composer":
                yield from self._composer(record, line.number)
            case "composers":
                yield from self._listed(record, line)
            case "bubble" | "inline" | "null" | "large":
                self._memory.saw(text(record, "key"), row_of(line.data, rowid))
                if kind != "null":
                    yield from self._row(record, kind, line.number)
            case _:
                yield Unread(line.number, "unknown", (kind or "untyped")[:_LABEL_LENGTH])

    # --- sessions ---

    def _composer(self, record: Record, line: int) -> Iterator[Fact]:
        id_ = text(record, "key").partition(":")[2]
        row = inner(record, "value")
        parent = _name(inner(row, "subagentInfo"), "parentComposerId")
        self._enter(id_, record, is_child=parent is not None)
        if not is_name(id_):
            yield Unread(line, "unknown", "composer without an id")
            return
        session = SessionId(id_)
        yield Opened(session, cwd=text(record, "folder") or None, parent=parent)
        for child in filter(is_name, texts(row, "subComposerIds")):
            yield Opened(SessionId(child), parent=session)
        if title := one_line(row, "name")[:_TITLE_LENGTH]:
            yield Titled(session, title, 3, line)

    def _enter(self, id_: str, record: Record, *, is_child: bool) -> None:
        row, bubbles = inner(record, "value"), texts(record, "bubbles")
        known = self._memory.sessions.get(id_, Session())
        chain = known.chain if number(record, "from") else ""
        time = known.time or _instant(row, "createdAt") or _instant(row, "lastUpdatedAt")
        listed = (number(record, "from") or 0) + len(bubbles)
        session = Session(listed, chained(chain, bubbles), seal(said_of(row)), time)
        self._memory.enter(id_, session, is_child=is_child)

    def _listed(self, record: Record, line: Line) -> Iterator[Fact]:
        self._memory.lists[text(record, "key")] = seal(line.data)
        if not any(_name(item, "composerId") for item in items(record, "composers")):
            yield Unread(line.number, "unknown", "composers")
        for item in items(record, "composers"):
            if session := _name(item, "composerId"):
                yield Opened(session, cwd=text(item, "folder") or text(record, "folder") or None)
                if title := one_line(item, "name")[:_TITLE_LENGTH]:
                    yield Titled(session, title, 1, line.number)

    # --- bubbles ---

    def _row(self, record: Record, kind: str, line: int) -> Iterator[Fact]:
        _, _, ids = text(record, "key").partition(":")
        session, _, bubble = ids.partition(":")
        row = held(record)
        if row is None or not (is_name(session) and is_name(bubble)):
            yield Unread(line, "unparsable" if row is None and kind == "bubble" else "unknown", f"{kind} row")
            return
        time = self._time(row)
        found = _Bubble(SessionId(session), event_id(SOURCE, session, bubble), row, time, self._memory.is_child)
        match row.get("type"):
            case 1:
                yield from (_event(found, piece, line) for piece in _asked(found))
            case 2:
                yield from (_event(found, piece, line) for piece in _answered(found))
            case other:
                yield Unread(line, "unknown", f"bubble type {other}"[:_LABEL_LENGTH])

    def _time(self, row: Record) -> int | None:
        """Return when a bubble was made; rows of before October 2025 mostly do not say, so the one before counts."""
        timing = inner(row, "timingInfo")
        said = [_instant(row, key) for key in _TIMES] + [_instant(timing, key) for key in _TIMINGS]
        time = next(filter(None, said), None)
        if (session := self._memory.open) is None:
            return time
        if time is not None:
            self._memory.open = replace(session, time=time)
        return time or session.time


def _asked(bubble: _Bubble) -> Iterator[Piece]:
    is_made_up = bubble.is_child or bubble.row.get("isSimulatedMsg") is True
    return words.spoken(Role.USER, text(bubble.row, "text"), by_person=not is_made_up)


def _answered(bubble: _Bubble) -> Iterator[Piece]:
    said, thought = words.answer(text(bubble.row, "text")), words.answer(text(inner(bubble.row, "thinking"), "text"))
    tool = inner(bubble.row, "toolFormerData")
    if thought:
        yield Piece(Role.ASSISTANT, Kind.META, thought, ":thinking")
    if text(tool, "name") or bubble.row.get("capabilityType") == _TOOL:
        if said:
            yield Piece(Role.ASSISTANT, Kind.MESSAGE, said, ":text")
        yield from _called(tool)
    elif said or not thought:
        yield Piece(Role.ASSISTANT, Kind.MESSAGE if said else Kind.META, said)


def _called(tool: Record) -> Iterator[Piece]:
    name, given = text(tool, "name"), tool.get("rawArgs") or tool.get("params")
    own = any(words.is_own_call(name, _object(tool.get(key))) for key in ("rawArgs", "params"))
    yield Piece(Role.ASSISTANT, Kind.TOOL_USE, words.call(name, given or ""), own=own)
    result = words.result(tool.get("result")) or words.result(tool.get("error"))
    if result or text(tool, "status") in _ENDED:
        yield Piece(Role.USER, Kind.TOOL_RESULT, result, ":out", own=own)


def _event(bubble: _Bubble, piece: Piece, line: int) -> Event:
    id_ = EventId(f"{bubble.id}{piece.suffix}")
    return Event(
        id_,
        bubble.session,
        piece.role,
        piece.kind,
        piece.text,
        line,
        time=bubble.time,
        own=piece.own,
        weight=IDE_WEIGHT,
    )


def _object(value: object) -> Record:
    if isinstance(value, str):
        value = next(iter(records(value.encode("utf-8", "replace"))), None)
    return value if isinstance(value, dict) else {}


def _name(record: Record, key: str) -> SessionId | None:
    value = text(record, key)
    return SessionId(value) if is_name(value) else None


def _instant(record: Record, key: str) -> int | None:
    value = number(record, key)
    return value if value and value > 0 else instant(record, key)
