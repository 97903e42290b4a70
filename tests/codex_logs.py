"""Write rollouts of Codex as a test needs them, and read them as an index would hold them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import feeding
from quoth.core.model import Event, Fact, Kind, Opened, Reclassified, Titled, Unread

EVERYDAY = feeding.DATA / "codex" / "everyday" / "home"
TRAPS = feeding.DATA / "codex" / "traps" / "home"
ENGLISH = "019cdc2d-99f0-7790-9870-954b1321bc2b"
CHINESE = "01a1533f-7898-7357-9a4f-c0bdaac9daf6"
CHILD = "01a15342-d010-7603-97f9-641b64715fbe"
RUSSIAN = "019c1d5d-9c00-7716-9648-332216821d60"

Record = dict[str, Any]


# --- building and reading -------------------------------------------------------------------------------------------


def v7(at: str, tail: int = 1) -> str:
    """Return a UUID of version 7 made at that time of 2026-05-05."""
    made = datetime.fromisoformat(f"2026-05-05T{at}").replace(tzinfo=UTC)
    digits = f"{int(made.timestamp() * 1000):012x}"
    return f"{digits[:8]}-{digits[8:]}-7000-8000-{tail:012x}"


THREAD = v7("10:00:00.000")
PARENT = v7("09:00:00.000")


def at(time: str, kind: str, /, **payload: Any) -> Record:
    return {"timestamp": f"2026-05-05T{time}Z", "type": kind, "payload": payload}


def meta(thread: str = THREAD, time: str = "10:00:00.000", **payload: Any) -> Record:
    return at(time, "session_meta", **{"id": thread, "cwd": "/srv/shop", "cli_version": "0.120.0", **payload})


def item(time: str, type: str, /, **payload: Any) -> Record:  # noqa: A002 - the name in the format
    return at(time, "response_item", type=type, **payload)


def event(time: str, type: str, /, **payload: Any) -> Record:  # noqa: A002
    return at(time, "event_msg", type=type, **payload)


def completed(time: str, kind: str, **fields: Any) -> Record:
    return event(time, "item_completed", thread_id=THREAD, turn_id="t", item={"type": kind, **fields})


def user_item(time: str, *texts: str) -> Record:
    return item(time, "message", role="user", content=[{"type": "input_text", "text": text} for text in texts])


def user_event(time: str, text: str, **more: Any) -> Record:
    return event(time, "user_message", message=text, **more)


def user_completed(time: str, text: str, native: str = "item-1") -> Record:
    return completed(time, "UserMessage", id=native, content=[{"type": "text", "text": text}])


def model_item(time: str, text: str) -> Record:
    return item(time, "message", role="assistant", content=[{"type": "output_text", "text": text}])


def model_event(time: str, text: str) -> Record:
    return event(time, "agent_message", message=text)


def write(home: Path, *records: Record | bytes, thread: str = THREAD, key: str | None = None) -> Path:
    path = home / (key or f"sessions/2026/05/05/rollout-2026-05-05T10-00-00-{thread}.jsonl")
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = (line if isinstance(line, bytes) else json.dumps(line, ensure_ascii=False).encode() for line in records)
    path.write_bytes(b"".join(line + b"\n" for line in lines))
    return path


def facts(home: Path) -> list[Fact]:
    return [fact for said in feeding.read("codex", home) for fact in said.facts]


def settled(read: Sequence[Fact]) -> dict[str, Event]:
    """Return the events as an index would hold them: the first with an id stays, its kind may be corrected."""
    events: dict[str, Event] = {}
    for fact in read:
        if isinstance(fact, Event):
            events.setdefault(fact.id, fact)
        elif isinstance(fact, Reclassified):
            events[fact.id] = replace(events[fact.id], kind=fact.kind)
    return events


def spoken(home: Path, session: str = THREAD) -> list[tuple[str, str]]:
    events = settled(facts(home)).values()
    return [(e.role, e.text) for e in events if e.kind is Kind.MESSAGE and e.session == session]


def of_kind(home: Path, kind: Kind, session: str = THREAD) -> list[str]:
    return [e.text for e in settled(facts(home)).values() if e.kind is kind and e.session == session]


def opened(home: Path, session: str = THREAD) -> Opened:
    return next(fact for fact in facts(home) if isinstance(fact, Opened) and fact.session == session)


def unread(home: Path) -> list[tuple[int, str, str]]:
    return [(fact.line, fact.reason, fact.label) for fact in facts(home) if isinstance(fact, Unread)]


def titles(home: Path) -> dict[str, str]:
    """Return the title of each session: the highest weight, then the latest."""
    best: dict[str, Titled] = {}
    for fact in facts(home):
        if isinstance(fact, Titled) and fact.weight >= best.get(fact.session, fact).weight:
            best[fact.session] = fact
    return {session: titled.title for session, titled in best.items()}
