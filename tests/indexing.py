"""Make batches for an index and ask it everything it can answer."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import replace
from multiprocessing.synchronize import Barrier
from pathlib import Path
from typing import Any

from quoth.core.ids import EventId, SessionId, SourceId, event_id
from quoth.core.model import Batch, Event, Filter, Form, Kind, Located, Progress, Role, Stream
from quoth.core.ports import Index
from quoth.core.query import Query
from quoth.storage.sqlite import ENGINE

SOURCE = SourceId("claude-code")
NOON = 1_760_000_000_000
EVERYTHING = Filter()


def opened(folder: Path, name: str = "index.db") -> Index:
    return ENGINE.open(folder / name)


def stream(
    rank: int = 1, *, key: str = "a.jsonl", generation: int = 1, source: str = SOURCE, form: Form = Form.LOG
) -> Stream:
    return Stream(rank, SourceId(source), "root", key, generation, form, key, f"/logs/{key}", NOON)


def event(
    name: str,
    text: str = "hello",
    *,
    line: int = 1,
    session: str = "s1",
    role: Role = Role.USER,
    kind: Kind = Kind.MESSAGE,
    source: str = SOURCE,
    time: int | None = None,
    **more: Any,
) -> Located:
    """Return an event read at a line; its time follows the line when none is said."""
    instant = NOON + line * 1_000 if time is None else time
    said = Event(event_id(SourceId(source), name), SessionId(session), role, kind, text, line, time=instant, **more)
    digest = hashlib.sha256(f"{name}/{line}".encode()).digest()
    return Located(said, digest, instant, "record")


def batch(of: Stream, *events: Located, lines: int | None = None, **more: Any) -> Batch:
    """Return a batch that ends behind its last event."""
    last = max((located.event.line for located in events), default=0) if lines is None else lines
    return Batch(of, Progress(last, last * 100, {"line": last}, None), events, **more)


def filled(index: Index, *texts: str, **more: Any) -> list[EventId]:
    """Index texts as messages of one session, in order, and return their ids."""
    events = [event(f"e{line}", text, line=line, **more) for line, text in enumerate(texts, 1)]
    index.put([batch(stream(), *events)])
    index.settle()
    return [located.event.id for located in events]


def found(index: Index, query: str, where: Filter = EVERYTHING, *, limit: int = 1_000, offset: int = 0) -> list[str]:
    """Return the texts that a search finds, in its order."""
    return [row.text for row in index.search(Query.parse(query), where, limit=limit, offset=offset)]


def answers(index: Index, ids: Iterable[str], queries: Sequence[str]) -> dict[str, Any]:
    """Ask every read method. What differs between two indexes of the same logs is a mistake."""
    page = {"limit": 500, "offset": 0}
    tools = replace(EVERYTHING, include_tools=True)
    resolved = {name: index.resolve(name) for name in ids}
    events = sorted({known for known in resolved.values() if known})
    sessions = index.sessions(EVERYTHING, **page)
    return {
        "resolved": resolved,
        "events": {name: index.event(name) for name in events},
        "anchors": {name: index.anchors(name) for name in events},
        "search": {q: (index.search(Query.parse(q), w, **page)) for q in queries for w in (EVERYTHING, tools)},
        "recent": [index.recent(where, **page) for where in (EVERYTHING, tools)],
        "sessions": sessions,
        "session": {row.session: index.session(row.session, None) for row in sessions},
        "inside": {
            (row.session, everything): index.session_events(row.source, row.session, everything=everything, **page)
            for row in sessions
            for everything in (False, True)
        },
        "projects": index.projects(),
        "unplaced": index.unplaced(),
        "coverage": index.coverage(),
        "streams": index.streams(),
    }


def write_alone(path: Path, rank: int, barrier: Barrier) -> None:
    """Write ten events of one stream in a process of its own, beginning when all the others do."""
    barrier.wait(30)
    index = ENGINE.open(path)
    for line in range(1, 11):
        index.put([batch(stream(rank, key=str(rank)), event(f"{rank}-{line}", f"from {rank}", line=line))])
        index.settle()
    index.close()
