"""Read one record of `updates.jsonl`, with or without the envelope that the oldest lack."""

from __future__ import annotations

from dataclasses import dataclass

from quoth.sources._values import Record, inner, name, number, text

_LONGEST = 200  # characters of a native id


@dataclass(frozen=True, slots=True)
class Update:
    """What a record says: its type, its body, the session, the prompt it belongs to, its stamp and its time."""

    kind: str
    body: Record
    session: str
    prompt: str = ""
    stamp: str = ""
    time: int | None = None


def update(record: Record) -> Update:
    params = inner(record, "params") or record
    body, meta = inner(params, "update"), inner(params, "_meta")
    prompt, written = text(meta, "promptId")[:_LONGEST], number(meta, "agentTimestampMs")
    seconds = number(record, "timestamp")
    return Update(
        text(body, "sessionUpdate"),
        body,
        name(params, "sessionId"),
        prompt,
        text(meta, "eventId")[:_LONGEST] or (f"{prompt}@{written}" if written is not None else ""),
        written if written is not None else None if seconds is None else seconds * 1_000,
    )
