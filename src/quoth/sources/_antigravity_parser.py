"""Read what Antigravity writes in the clear: transcripts, and the history that names the folders.

The order of a transcript is not that of its steps: the result of a tool is often written before the response that
called it. Such a result is held until its response comes, or a later step that is no result; so the archive tells the
steps in order, and tells the same wherever reading stops. Words of the person or of the model are never held.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count

from quoth.core.ids import SessionId, SourceId, digest16, event_id
from quoth.core.model import Event, Fact, Json, Line, Opened, Unread
from quoth.readers.jsonl import Broken, records
from quoth.sources import _antigravity_steps as steps
from quoth.sources._text import compact
from quoth.sources._values import Record, instant, items, name, number, text, texts

SOURCE = SourceId("antigravity")

_MOST_HELD = 64  # results; far more than one response calls tools
_LONGEST_HELD = 1_000_000  # bytes of all of them
_MOST_WAITING = 200
_LABEL_LENGTH = 80
_CONVERSATION = re.compile(r"Conversation ID:\W{0,4}([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Held:
    """A line whose result waits for the response before it."""

    line: int
    data: str

    def step(self) -> Record:
        found = records(self.data.encode("latin-1", "replace"))
        return found[0] if found and not isinstance(found[0], Broken) else {}


@dataclass(frozen=True, slots=True)
class _Step:
    line: int
    record: Record

    @property
    def index(self) -> int | None:
        return number(self.record, "step_index")


@dataclass(slots=True)
class TranscriptParser:
    """Remembers between lines: the step that comes `next`, results that wait for it, calls that wait for a result."""

    conversation: str
    next: int = 0
    held: list[Held] = field(default_factory=list)
    waiting: list[str] = field(default_factory=list)
    cwd: str = ""
    is_told: bool = False

    def state(self) -> Json:
        return {
            "next": self.next,
            "held": [{"line": held.line, "data": held.data} for held in self.held],
            "waiting": list(self.waiting),
            "cwd": self.cwd,
            "told": self.is_told,
        }

    def feed(self, line: Line) -> Iterator[Fact]:
        parts, found = count(), records(line.data)
        for record in found:
            if isinstance(record, Broken):
                yield Unread(line.number, "unparsable", record.reason)
            elif len(found) == 1 and self._must_wait(record, line):
                self.held.append(Held(line.number, line.data.decode("latin-1")))
                yield Opened(SessionId(self.conversation))
            else:
                for step in self._ready(_Step(line.number, record)):
                    yield from self._facts(step, line.number, parts)

    # --- the order of steps ---

    def _must_wait(self, record: Record, line: Line) -> bool:
        index = number(record, "step_index")
        length = len(line.data) + sum(len(held.data) for held in self.held)
        fits = len(self.held) < _MOST_HELD and length < _LONGEST_HELD
        return index is not None and index > self.next and steps.is_result(record) and fits

    def _ready(self, step: _Step) -> Sequence[_Step]:
        """Return a step with the held ones before it, which wait in vain, and those that follow it without a gap."""
        ready, index = [step], step.index
        if index is not None and index >= self.next:
            held = sorted((_Step(held.line, held.step()) for held in self.held), key=_index)
            before = [one for one in held if _index(one) < index]
            ready = [*before, step, *_following(held[len(before) :], index)]
        self._drop(ready)
        return ready

    def _drop(self, ready: Sequence[_Step]) -> None:
        told = {step.line for step in ready}
        self.held = [held for held in self.held if held.line not in told]
        self.next = max([self.next, *(_index(step) + 1 for step in ready)])

    # --- what a step says ---

    def _facts(self, step: _Step, line: int, parts: Iterator[int]) -> Iterator[Fact]:
        record = step.record
        yield from self._opened(record)
        if not steps.is_known(record):
            label = "/".join(filter(None, [text(record, "source"), text(record, "type")]))
            yield Unread(line, "unknown", label[:_LABEL_LENGTH] or "untyped")
        answers = self._answered(record)
        base = self._base(step)
        for piece in steps.pieces(record, answers=answers):
            if piece.call is not None:
                self.waiting = [*self.waiting, piece.call][-_MOST_WAITING:]
            yield Event(
                event_id(SOURCE, self.conversation, f"{base}{piece.suffix}"),
                SessionId(self.conversation),
                piece.role,
                piece.kind,
                piece.text,
                line,
                next(parts),
                time=instant(record, "created_at"),
                own=piece.own,
                first_line=step.line if step.line < line else None,
            )
        if answers == "subagent":
            yield from self._children(record)

    def _answered(self, record: Record) -> str:
        """Return what the call is that a result answers: results come in the order of the calls."""
        if not steps.is_result(record):
            if text(record, "type") in {"USER_INPUT", "PLANNER_RESPONSE"}:
                self.waiting = []
            return ""
        is_running = text(record, "status") == "RUNNING"
        return "" if not self.waiting else self.waiting[0] if is_running else self.waiting.pop(0)

    def _opened(self, record: Record) -> Iterator[Opened]:
        """Tell of the session, and of the folder that its first command ran in, which a named workspace outweighs."""
        ran = [steps.arguments(call) for call in items(record, "tool_calls") if text(call, "name") == "run_command"]
        cwd = next((cwd for given in ran if (cwd := text(given, "Cwd"))), "")
        if not self.is_told or (cwd and not self.cwd):
            self.is_told, self.cwd = True, self.cwd or cwd
            yield Opened(SessionId(self.conversation), cwd=self.cwd or None)

    def _children(self, record: Record) -> Iterator[Opened]:
        for child in dict.fromkeys(_CONVERSATION.findall(text(record, "content"))):
            if child != self.conversation:
                yield Opened(SessionId(child), parent=SessionId(self.conversation))

    def _base(self, step: _Step) -> str:
        """Return what the ids of a step begin with."""
        if step.index is not None:
            return str(step.index)
        said = (text(step.record, "source"), text(step.record, "type"), text(step.record, "created_at"))
        return digest16(*(part.encode() for part in said), compact(step.record.get("content")).encode())


class HistoryParser:
    """Reads `history.jsonl`, which repeats what was typed and names the folder of each conversation."""

    def feed(self, line: Line) -> Iterator[Fact]:
        for record in records(line.data):
            if isinstance(record, Broken):
                yield Unread(line.number, "unparsable", record.reason)
            elif conversation := name(record, "conversationId"):
                yield Opened(SessionId(conversation), cwd=text(record, "workspace") or None)
            elif "display" in record:
                yield Unread(line.number, "replayed", "history")
            else:
                yield Unread(line.number, "unknown", "history")

    def state(self) -> Json:
        return None


def parser(conversation: str, state: Json) -> TranscriptParser:
    """Go on where a parser with this state stopped."""
    known: Record = state if isinstance(state, dict) else {}
    held = [Held(number(one, "line") or 0, text(one, "data")) for one in items(known, "held")]
    is_told = known.get("told") is True
    return TranscriptParser(
        conversation, number(known, "next") or 0, held, texts(known, "waiting"), text(known, "cwd"), is_told
    )


def _index(step: _Step) -> int:
    return -1 if step.index is None else step.index


def _following(held: Sequence[_Step], index: int) -> Iterator[_Step]:
    for step in held:
        if _index(step) > index + 1:
            return
        index = _index(step)
        yield step
