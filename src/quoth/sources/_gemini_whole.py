"""Read the chats that Gemini CLI wrote as one object in 2025 (`session-*.json`), printed over many lines or on one."""

from __future__ import annotations

from collections.abc import Iterator

from quoth.core.model import Fact, Json, Line, Unread
from quoth.readers.jsonl import Broken, records
from quoth.sources._gemini_parser import Chat, Spot, parser


class WholeParser:
    """Collects the lines of the one object and yields its facts with the line that completes it."""

    def __init__(self, chat: Chat, state: Json = None) -> None:
        self._chat = chat
        known = state if isinstance(state, dict) else {}
        written = known.get("written")
        self._written = [written.encode("latin-1", "replace")] if isinstance(written, str) and written else []
        self._is_complete = known.get("is_complete") is True

    def state(self) -> Json:
        return {"written": b"".join(self._written).decode("latin-1"), "is_complete": self._is_complete}

    def feed(self, line: Line) -> Iterator[Fact]:
        if self._is_complete:
            if line.data.strip():
                yield Unread(line.number, "unparsable", "after the end")
            return
        self._written.append(line.data + b"\n")
        if not line.data.rstrip().endswith(b"}") or line.data[:1] in b" \t":
            return  # an inner brace is indented
        found = records(b"".join(self._written))
        if len(found) == 1 and not isinstance(found[0], Broken):
            self._written, self._is_complete = [], True
            yield from parser(self._chat, None).facts(found[0], Spot(line.number, first_line=1))
