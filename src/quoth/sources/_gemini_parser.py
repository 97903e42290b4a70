"""Read the chats of Gemini CLI; `gemini_cli` states the rule by which ids are made."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import count

from quoth.core.ids import SessionId, SourceId, digest16, event_id, line_digest
from quoth.core.model import Event, Fact, Json, Kind, Line, Opened, Role, Titled, Unread
from quoth.core.times import from_iso
from quoth.readers.jsonl import Broken, records
from quoth.sources import _gemini_memory, _gemini_pieces
from quoth.sources._gemini_memory import History, Memory
from quoth.sources._gemini_pieces import Call, Message
from quoth.sources._gemini_projects import hashed
from quoth.sources._gemini_words import is_context, is_masked
from quoth.sources._text import compact
from quoth.sources._values import Record, instant, is_name, items, name, one_line, text, texts

SOURCE = SourceId("gemini-cli")

_LABEL_LENGTH = 80
_TITLE_LENGTH = 1_000
_LISTED = re.compile(r"(?:^ {0,8}- |working in the directory: )(.{1,4096})$", re.MULTILINE)
_MOST_OWN = 512  # calls of our own tools; a call is answered long before so many others follow


@dataclass(frozen=True, slots=True)
class Chat:
    """A chat by its place: what its session is called without a header, whose subagent wrote it, and where."""

    session: str
    parent: str | None = None
    cwd: str = ""


@dataclass(slots=True)
class Spot:
    """Where a record stands: its line, the line its object begins on, and the parts that are left there."""

    line: int
    first_line: int | None = None
    parts: Iterator[int] = field(default_factory=count)


@dataclass(slots=True)
class ChatParser:
    """Remembers between lines: session, directory and its hash, what was told of them, what was said, own calls."""

    chat: Chat
    session: str = ""
    cwd: str = ""
    project: str = ""
    is_child: bool = False
    told: str = ""
    own: list[str] = field(default_factory=list)
    memory: Memory = field(default_factory=Memory)

    def state(self) -> Json:
        return {
            "session": self.session,
            "cwd": self.cwd,
            "project": self.project,
            "child": self.is_child,
            "told": self.told,
            "own": list(self.own),
            "memory": self.memory.state(),
        }

    def feed(self, line: Line) -> Iterator[Fact]:
        spot = Spot(line.number)
        for record in records(line.data):
            if isinstance(record, Broken):
                yield Unread(line.number, "unparsable", record.reason)
            else:
                yield from self.facts(record, spot)

    def facts(self, record: Record, spot: Spot) -> Iterator[Fact]:
        """Tell records apart in the agent's own order."""
        if isinstance(record.get("$rewindTo"), str):
            yield from self._opened()
            yield self._event(spot, line_digest(compact(record).encode()), f"rewound to {text(record, '$rewindTo')}")
        elif isinstance(record.get("id"), str) or text(record, "type") in _gemini_pieces.KNOWN:
            yield from self._opened()
            yield from self._message(record, spot)
        elif isinstance(changed := record.get("$set"), dict):
            yield from self._changed(changed, spot)
        elif isinstance(record.get("sessionId"), str):
            yield from self._header(record, spot)
        else:
            yield Unread(spot.line, "unknown", text(record, "type")[:_LABEL_LENGTH] or "untyped")

    # --- the session ---

    def _header(self, record: Record, spot: Spot) -> Iterator[Fact]:
        self.session = _printable(text(record, "sessionId"))
        self.is_child = self.chat.parent is not None or text(record, "kind") == "subagent"
        self._place(record)
        yield from self._opened(is_news=True)
        yield from self._titled(record, spot)
        for said in items(record, "messages"):
            yield from self._message(said, spot)

    def _changed(self, changed: Record, spot: Spot) -> Iterator[Fact]:
        self.session = self.session or _printable(text(changed, "sessionId"))
        self._place(changed)
        yield from self._opened(is_news=True)
        yield from self._titled(changed, spot)
        if isinstance(changed.get("messages"), list):
            yield from self._rewritten(items(changed, "messages"), spot)

    def _place(self, record: Record) -> None:
        """Take the directory from the log where nothing else names it: the one that has the project's hash."""
        self.project = text(record, "projectHash") or self.project
        listed = texts(record, "directories")
        self.cwd = self.cwd or self.chat.cwd or self._hashed(listed) or next(iter(listed), "")

    def _seek(self, found: Message) -> Iterator[Opened]:
        """Look for the directory in the context that a session begins with."""
        if self.project and not (self.cwd or self.chat.cwd) and is_context(found.words):
            self.cwd = self._hashed([match[1].strip() for match in _LISTED.finditer(found.words)])
            yield from self._opened()

    def _hashed(self, directories: Iterable[str]) -> str:
        return next((directory for directory in directories if hashed(directory) == self.project), "")

    def _opened(self, *, is_news: bool = False) -> Iterator[Opened]:
        """Tell what is known of the session; an update of its record always says at least that it goes on."""
        self.session = self.session or self.chat.session
        self.cwd = self.cwd or self.chat.cwd
        parent = SessionId(self.chat.parent) if self.chat.parent else None
        known = f"{self.session} {self.cwd}"
        if is_news or known != self.told:
            self.told = known
            yield Opened(SessionId(self.session), cwd=self.cwd or None, parent=parent)

    def _titled(self, record: Record, spot: Spot) -> Iterator[Titled]:
        if title := one_line(record, "summary")[:_TITLE_LENGTH]:
            yield Titled(SessionId(self.session), title, 1, spot.line)

    # --- messages ---

    def _message(self, record: Record, spot: Spot) -> Iterator[Fact]:
        found = _gemini_pieces.message(record, is_child=self.is_child)
        own_id = _id(record, found)
        self.memory.note(own_id, _said(found))
        if (kind := text(record, "type")) not in _gemini_pieces.KNOWN:
            yield Unread(spot.line, "unknown", kind[:_LABEL_LENGTH] or "untyped")
        yield from self._seek(found)
        yield from self._words(record, found, own_id, spot)
        for call in found.calls:
            yield from self._call(record, call, own_id, spot)

    def _rewritten(self, history: list[Record], spot: Spot) -> Iterator[Fact]:
        """Read the model's context as it was written anew: copies under other ids, summaries, and what is new in it."""
        compared, repeats = History(self.memory), 0
        for record in history:
            found = _gemini_pieces.message(record, is_child=self.is_child)
            own_id = _id(record, found)
            yield from self._seek(found)
            if compared.repeats(own_id, _said(found)):
                repeats += 1
            else:
                self.memory.note(own_id, _said(found))
                yield from self._words(record, found, own_id, spot)
            for call in found.calls:
                yield from self._call(record, call, own_id, spot, is_copy=True)
        if repeats:
            yield Unread(spot.line, "replayed", "$set.messages")

    def _words(self, record: Record, found: Message, own_id: str, spot: Spot) -> Iterator[Event]:
        time = instant(record, "timestamp")
        if found.thoughts:
            yield self._event(spot, f"{own_id}:thoughts", found.thoughts, Role.ASSISTANT, time=time)
        if found.has_words:
            yield self._event(spot, own_id, found.words, found.role, found.kind, time=time)
        if found.injected:
            yield self._event(spot, f"{own_id}:context", found.injected, found.role, time=time)

    def _call(self, record: Record, call: Call, own_id: str, spot: Spot, *, is_copy: bool = False) -> Iterator[Event]:
        """Yield a call and its answer; of a copy what nothing told before."""
        call_id = call.id if is_name(call.id) else digest16(own_id.encode(), call.given.encode())
        is_new = bool(call.given) and not (is_copy and self.memory.knows(f"call {call_id}"))
        named = self.memory.call(call_id, own_id) if is_new else self.memory.named(call_id)
        time = _time(call.written) or instant(record, "timestamp")
        own = self._is_own(call, named)
        if is_new:
            yield self._event(spot, named, call.given, Role.ASSISTANT, Kind.TOOL_USE, time=time, own=own)
        if call.answer is None or (is_copy and self.memory.knows(f"answer {named}")):
            return
        self.memory.note(f"answer {named}", call.answer)
        if is_masked(call.answer):
            yield self._event(spot, f"{named}:masked", call.answer, Role.USER, time=time, own=own)
        else:
            yield self._event(spot, f"{named}:out", call.answer, Role.USER, Kind.TOOL_RESULT, time=time, own=own)

    def _is_own(self, call: Call, named: str) -> bool:
        if call.own and named not in self.own:
            self.own = [*self.own, named][-_MOST_OWN:]
        return named in self.own

    def _event(
        self,
        spot: Spot,
        part_of_id: str,
        words: str,
        role: Role = Role.SYSTEM,
        kind: Kind = Kind.META,
        *,
        time: int | None = None,
        own: bool = False,
    ) -> Event:
        return Event(
            event_id(SOURCE, self.session, part_of_id),
            SessionId(self.session),
            role,
            kind,
            words,
            spot.line,
            next(spot.parts),
            time=time,
            cwd=self.cwd or None,
            own=own,
            first_line=spot.first_line,
        )


def parser(chat: Chat, state: Json) -> ChatParser:
    """Go on where a parser with this state stopped."""
    known: Record = state if isinstance(state, dict) else {}
    memory = _gemini_memory.memory(state.get("memory") if isinstance(state, dict) else None)
    is_child = known.get("child") is True or chat.parent is not None
    place = text(known, "session"), text(known, "cwd"), text(known, "project")
    return ChatParser(chat, *place, is_child, text(known, "told"), texts(known, "own"), memory)


def _said(found: Message) -> str:
    return f"{found.role} {found.words.strip()}"


def _id(record: Record, found: Message) -> str:
    said = text(record, "type"), text(record, "timestamp"), found.words
    return name(record, "id") or digest16(*(part.encode() for part in said))


def _printable(session: str) -> str:
    return session if is_name(session) else re.sub(r"[^A-Za-z0-9_.-]", "_", session)[:100].lstrip("_.-")


def _time(written: str) -> int | None:
    return from_iso(written) if 0 < len(written) <= 40 else None
