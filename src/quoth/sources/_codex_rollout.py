"""Read the lines of a rollout file (`sessions/**/rollout-*.jsonl`), both schemas, one thread."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict
from itertools import count
from typing import NamedTuple, cast

from quoth.core.ids import EventId, SessionId
from quoth.core.model import Event, Fact, Json, Kind, Line, Reclassified, Role, Stream, Titled, Unread
from quoth.readers.jsonl import Broken, records
from quoth.sources import _codex_text as texts
from quoth.sources._codex_events import item_of, shown
from quoth.sources._codex_memory import begun, remembered
from quoth.sources._codex_own import is_own_call
from quoth.sources._codex_speech import COMPLETED, EVENT, ITEM, Words, divide, folder
from quoth.sources._codex_values import CALLS, OUTPUTS, SILENT_ITEMS, Entry, contents, entry
from quoth.sources._text import without_data
from quoth.sources._values import Record, name, one_line, text

TITLE_WEIGHT = 1_000  # of a name in the index of sessions; what the databases call a title weighs less

# Who speaks in records of their own type, and where the words are.
_TOLD = {"compacted": (Role.SYSTEM, "message"), "inter_agent_communication": (Role.USER, "content")}
_KNOWN = frozenset(
    {
        "inter_agent_communication_metadata",
        "realtime_item",
        "record/state",
        "retained_context",
        "security_risk_score",
        "session_meta",
        "token_usage_record",
        "world_state",
    }
)
_INJECTED_KINDS = frozenset({"environment_context", "user_instructions"})
_OPEN_CALLS = 512  # remembered ids of our own calls; a call is answered long before so many others follow


class Piece(NamedTuple):
    """One event before it has a session, a time and a place."""

    id: EventId
    role: Role
    kind: Kind
    text: str
    own: bool = False


class RolloutParser:
    """Yields the facts of a rollout's lines."""

    def __init__(self, stream: Stream, state: Json = None) -> None:
        self._memory = remembered(state) if isinstance(state, dict) else begun(stream.identity)

    def state(self) -> Json:
        return cast(Json, asdict(self._memory))

    def feed(self, line: Line) -> list[Fact]:
        parts = count()
        facts: list[Fact] = []
        for record in records(line.data):
            if isinstance(record, Broken):
                self._memory.is_begun = True
                facts.append(Unread(line.number, "unparsable", record.reason, self._memory.version or ""))
            else:
                facts += self.facts(entry(record), line.number, parts)
        return facts

    def facts(self, found: Entry, number: int, parts: Iterator[int], first_line: int | None = None) -> Iterator[Fact]:
        """Yield the facts of one record of line `number`."""
        memory = self._memory
        if memory.is_header(found):
            yield memory.open(found)
        elif memory.replay.is_copy(found, memory.thread):
            yield Unread(number, "replayed", found.label, memory.version or "")
            return
        memory.is_begun = True
        for fact in self._read(found):
            if isinstance(fact, Piece):
                yield self._event(fact, found, number, next(parts), first_line)
            else:
                yield _placed(fact, number, memory.version or "")

    def _event(self, piece: Piece, found: Entry, number: int, part: int, first_line: int | None) -> Event:
        memory = self._memory
        return Event(
            piece.id,
            SessionId(memory.thread),
            piece.role,
            piece.kind,
            piece.text,
            number,
            part,
            found.time,
            memory.cwd,
            memory.branch,
            memory.version,
            piece.own,
            first_line,
        )

    # --- records -----------------------------------------------------------------------------------------------------

    def _read(self, found: Entry) -> Iterable[Piece | Fact]:
        match found.kind:
            case "response_item":
                return self._item(found)
            case "event_msg":
                return self._happened(found)
            case "turn_context":
                return self._context(found)
            case "session_meta":
                self._memory.settle(found.payload)
        if found.kind in _TOLD:
            role, key = _TOLD[found.kind]
            return [self._told(found, found.kind, role, texts.plain(found.payload.get(key)))]
        return [self._silent(found)] if found.kind in _KNOWN else self._unknown(found)

    def _context(self, found: Entry) -> Iterator[Piece | Fact]:
        yield from self._memory.moved_to(text(found.payload, "cwd"))
        yield self._silent(found)

    def _item(self, found: Entry) -> Iterable[Piece | Fact]:
        payload = found.payload
        if found.type == "message":
            return self._message(found)
        if found.type in CALLS:
            return [self._call(found)]
        if found.type in OUTPUTS:
            own = name(payload, "call_id") in self._memory.own_calls
            event = self._memory.ids.of_output(self._memory.thread, found)
            return [Piece(event, Role.USER, Kind.TOOL_RESULT, texts.output(payload), own)]
        if found.type == "reasoning":
            return [self._told(found, "reasoning", Role.ASSISTANT, texts.reasoning(payload))]
        if found.type == "agent_message":
            return [self._told(found, "inter_agent_communication", Role.USER, texts.plain(payload.get("content")))]
        return [self._silent(found)] if found.type in SILENT_ITEMS else self._unknown(found)

    def _call(self, found: Entry) -> Piece:
        own, call = is_own_call(found.payload), name(found.payload, "call_id")
        if own and call and call not in self._memory.own_calls:
            self._memory.own_calls = [*self._memory.own_calls, call][-_OPEN_CALLS:]
        event = self._memory.ids.of_call(self._memory.thread, found)
        return Piece(event, Role.ASSISTANT, Kind.TOOL_USE, texts.call(found.payload), own)

    def _message(self, found: Entry) -> Iterator[Piece | Fact]:
        memory, role = self._memory, text(found.payload, "role")
        parts = contents(found.payload)
        written = [texts.said(part) for part in parts]
        event = memory.ids.of(memory.thread, found, f"message/{role}", _words(parts))
        if role == "user":
            marks = [texts.mark(part) for part in parts if "image" in text(part, "type")]
            words = divide(written, is_item=True)
            if not memory.is_placed:
                yield from memory.moved_to(folder(words.context))
            yield from self._asked(event, words, marks, ITEM)
        elif role == "assistant":
            answer = "\n".join(filter(None, written))
            if answer:
                yield from memory.turn.answered_by_item(answer, event)
            yield Piece(event, Role.ASSISTANT, Kind.MESSAGE if answer else Kind.META, answer)
        else:
            yield Piece(event, Role.SYSTEM, Kind.META, "\n".join(filter(None, written)))

    # --- events -------------------------------------------------------------------------------------------------------

    def _happened(self, found: Entry) -> Iterable[Piece | Fact]:
        payload = found.payload
        kind, item = item_of(payload) if found.type == "item_completed" else ("", {})
        if found.type == "user_message":
            return self._user_message(found)
        if kind == "UserMessage":
            return self._user_item(found, item)
        if found.type == "agent_message":
            return self._answered(found, text(payload, "message"), EVENT)
        if kind == "AgentMessage":
            return self._answered(found, "\n".join(text(part, "text") for part in contents(item)), COMPLETED)
        return self._event_of_turn(found)

    def _user_message(self, found: Entry) -> Iterator[Piece | Fact]:
        payload = found.payload
        event = self._memory.ids.of(self._memory.thread, found, "said/user", text(payload, "message"))
        words = without_data(text(payload, "message"))
        if text(payload, "kind") in _INJECTED_KINDS:
            yield Piece(event, Role.USER, Kind.META, words)
            return
        yield from self._asked(event, divide([words], is_item=False), _images(payload), EVENT)

    def _user_item(self, found: Entry, item: Record) -> Iterator[Piece | Fact]:
        parts = contents(item)
        written = [texts.said(part) for part in parts]
        event = self._memory.ids.of(self._memory.thread, found, "said/user", _words(parts))
        marks = [texts.mark(part) for part in parts if "image" in text(part, "type").lower()]
        yield from self._asked(event, divide(written, is_item=False), marks, COMPLETED)

    def _asked(self, event: EventId, words: Words, marks: list[str], shape: str) -> Iterator[Piece | Fact]:
        """Yield what was said to the model: the context in front of it, then the request."""
        request = "\n".join(filter(None, [words.request, *marks]))
        if not request:
            yield Piece(event, Role.USER, Kind.META, words.context)
            return
        if words.context:
            yield Piece(EventId(f"{event}:context"), Role.USER, Kind.META, words.context)
        if self._memory.is_instructed:
            self._memory.turn.model = []
            kind, others = Kind.META, list[Reclassified]()
        elif shape == ITEM:
            kind, others = self._memory.turn.asked_by_item(words.request, event), []
        else:
            kind, others = self._memory.turn.asked_by_event(words.request, shape, event)
        yield Piece(event, Role.USER, kind, request)
        yield from others

    def _answered(self, found: Entry, words: str, shape: str) -> Iterator[Piece | Fact]:
        """Yield the event of an answer, without its words when an item has said them."""
        memory = self._memory
        event = memory.ids.of(memory.thread, found, "said/assistant", words)
        kind = Kind.META
        if words.strip():
            yield from memory.turn.ended()
            kind = memory.turn.answered_by_event(words, shape, event)
        yield Piece(event, Role.ASSISTANT, kind, without_data(words) if kind is Kind.MESSAGE else "")

    def _event_of_turn(self, found: Entry) -> Iterator[Piece | Fact]:
        memory, event = self._memory, shown(found)
        if found.type in {"task_complete", "turn_aborted", "turn_complete"}:
            yield from memory.turn.ended()
        if found.type == "thread_name_updated" and (title := one_line(found.payload, "thread_name")):
            yield Titled(SessionId(memory.thread), title, TITLE_WEIGHT, 0)
        if not event.is_known:
            yield Unread(0, "unknown", event.label)
        yield Piece(memory.ids.of(memory.thread, found, event.label), event.role, event.kind, event.text, event.own)

    # --- the rest -----------------------------------------------------------------------------------------------------

    def _told(self, found: Entry, label: str, role: Role, words: str) -> Piece:
        return Piece(self._memory.ids.of(self._memory.thread, found, label, words), role, Kind.META, words)

    def _silent(self, found: Entry) -> Piece:
        return Piece(self._memory.ids.of(self._memory.thread, found, found.label), Role.SYSTEM, Kind.META, "")

    def _unknown(self, found: Entry) -> Iterator[Piece | Fact]:
        yield Unread(0, "unknown", found.label)
        yield self._silent(found)


def _placed(fact: Fact, number: int, version: str) -> Fact:
    """Say on which line a fact was read that was made without knowing it."""
    match fact:
        case Unread(reason=reason, label=label):
            return Unread(number, reason, label[:200], version)
        case Titled(session=session, title=title, weight=weight):
            return Titled(session, title, weight, number)
    return fact


def _words(parts: list[Record]) -> str:
    return "".join(text(part, "text") for part in parts)


def _images(payload: Record) -> list[str]:
    lists = (payload.get("images"), payload.get("local_images"))
    inline, local = (found if isinstance(found, list) else [] for found in lists)
    marks = [texts.image(address) for address in inline if isinstance(address, str)]
    return marks + [texts.image("", path=path) for path in local if isinstance(path, str)]
